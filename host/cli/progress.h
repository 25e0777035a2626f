/* What a run shows while it works: a bar on a terminal, a plain line every few seconds elsewhere, on stderr.
 */
#ifndef SCREE_CLI_PROGRESS_H
#define SCREE_CLI_PROGRESS_H

#include <scree/statistics.h>

typedef struct progress {
    bool quiet, terminal;
    bool drawn; /* the cursor stands behind a bar */
    uint64_t first, last;
    double started, shown;  /* wall clock, s */
    double rate, rate_from; /* steps per second of late, and since when */
    uint64_t rate_step;
    uint64_t verify;         /* steps from one that is verified to the next, 0: none is */
    int verified;            /* steps so far that were */
    double verified_seconds; /* these took, which the rate leaves out */
    int rate_verified;       /* of both, what there was at the beginning of the rate */
    double rate_verified_from;
} progress;

/* Seconds of a clock that never jumps. */
double progress_clock(void);

/* Steps `first` + 1 … `last` are to be made, of which every `verify`-th is verified (0: none). */
progress progress_begin(bool quiet, uint64_t first, uint64_t last, uint64_t verify);
/* To be called after every step; draws only now and then. */
void progress_step(progress *self, const scree_statistics *statistics);
/* Seconds that the steps behind `step` take, by the rate of late and by what verified steps took. */
double progress_left(const progress *self, uint64_t step);
/* Takes the bar away, so that something else can be printed. */
void progress_clear(progress *self);

/* The noun for so many: `body` or `bodies`. */
const char *noun_of(long long count, const char *one, const char *many);

/* "75 s", "12:05", "3:12:05" */
const char *duration_text(double seconds, char buffer[32]);

#endif
