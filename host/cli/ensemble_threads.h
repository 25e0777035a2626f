/* Threads that run the worlds of an ensemble in this process, one world each at a time. */
#pragma once

#include <scree/scree.h>

/* `next`, `ended` and `watch` run one at a time. */
typedef struct ensemble_jobs {
    void *context;
    int (*next)(void *context);                        /* returns a world to run; −1: no more */
    int (*run)(void *context, int world);              /* returns the exit code of a world's run */
    void (*ended)(void *context, int world, int code); /* after a world's run */
    void (*watch)(void *context);                      /* ten times a second */
} ensemble_jobs;

/* Runs worlds until there are no more; the threads are in `group`, which expects them. Errors: MEMORY (no
 * thread could be made). */
scree_result ensemble_threads_run(const ensemble_jobs *jobs, scree_group *group, int threads);
