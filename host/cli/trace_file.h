/* A trace of a run in the format of chrome://tracing and Perfetto: steps, stages of the host, and the
 * device's launches and copies on one axis of time. After each step the file is complete JSON. */
#pragma once

#include <scree/scree.h>

typedef struct trace_file {
    int file;      /* descriptor; 0: none */
    long long end; /* where the next events begin, bytes */
    double origin; /* time of the first span, s */
} trace_file;

/* Replaces the file `path`, which must be new in a resumed run; NULL: no trace, and the other calls do
 * nothing. Errors: ARGUMENT. */
scree_result trace_file_open(trace_file *self, const char *path, bool resumed);
/* Appends the last step of a world that has a profile. Errors: FILE, MEMORY. */
scree_result trace_file_step(trace_file *self, const scree_world *world);
void trace_file_close(trace_file *self);
