/* Progress of an ensemble, on stderr. */
#pragma once

#include <sys/types.h>

#include "progress.h"
#include "run.h"

/* Numbers of worlds. */
typedef struct ensemble_count {
    int running, ended, failed; /* `ended` includes those that failed */
    int before;                 /* that had ended before a resumed run */
    double steps;               /* of the worlds that ended in this run */
} ensemble_count;

/* A world that runs. */
typedef struct ensemble_slot {
    pid_t process;
    int world;
} ensemble_slot;

typedef struct ensemble_progress {
    progress line;
    int worlds;
    const run_watch *watches;
    double first; /* fraction that was done before */
    double rate_from, steps_from, rate;
} ensemble_progress;

ensemble_progress ensemble_progress_begin(bool quiet, int worlds, const run_watch *watches);
/* Draws from time to time. */
void ensemble_progress_show(ensemble_progress *self, const ensemble_count *count,
                            const ensemble_slot *running);
void ensemble_progress_end(ensemble_progress *self);
