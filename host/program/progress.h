/* What a run shows while it works: a bar on a terminal, a plain line every few seconds elsewhere, on stderr.
 */
#ifndef SCREE_PROGRAM_PROGRESS_H
#define SCREE_PROGRAM_PROGRESS_H

#include <scree/statistics.h>

typedef struct progress {
    bool quiet, terminal;
    bool drawn; /* the cursor stands behind a bar */
    uint64_t first, last;
    double started, shown;  /* wall clock, s */
    double rate, rate_from; /* steps per second of late, and since when */
    uint64_t rate_step;
} progress;

/* Seconds of a clock that never jumps. */
double progress_clock(void);

/* Steps `first` + 1 … `last` are to be made. */
progress progress_begin(bool quiet, uint64_t first, uint64_t last);
/* To be called after every step; draws only now and then. */
void progress_step(progress *self, const scree_statistics *statistics);
/* Takes the bar away, so that something else can be printed. */
void progress_clear(progress *self);

/* "75 s", "12:05", "3:12:05" */
const char *duration_text(double seconds, char buffer[32]);

#endif
