/* Progress of a run, on stderr: a bar on a terminal, otherwise a plain line every few seconds. */
#pragma once

#include <scree/statistics.h>

typedef struct progress {
    bool quiet, terminal;
    bool drawn; /* a bar is on the current line of the terminal */
    uint64_t first, last;
    double started, shown;  /* wall clock, s */
    double rate, rate_from; /* recent steps per second, and the time since which they are counted */
    uint64_t rate_step;
    double recent_steps, recent_seconds; /* whose quotient is the rate */
    uint64_t verify;                     /* steps between two verified steps, 0: none */
    int verified;                        /* verified steps so far */
    double verified_seconds;             /* their duration, which the rate excludes */
    int rate_verified; /* `verified` and `verified_seconds` when the rate was last updated */
    double rate_verified_from;
} progress;

/* Begins with steps `first` + 1 … `last` to be made, of which every `verify`-th is verified (0: none). */
progress progress_begin(bool quiet, uint64_t first, uint64_t last, uint64_t verify);
/* Call after every step; draws only from time to time. */
void progress_step(progress *self, const scree_statistics *statistics);
/* Returns the estimated time (s) for the steps after `step`, from the recent rate and the mean time of
 * verified steps. */
double progress_left(const progress *self, uint64_t step);
/* Returns whether it is time to draw, and counts from then on. */
bool progress_is_due(progress *self, double now);
enum { PROGRESS_TEXT = 256 };
/* Returns the number of characters that progress_draw shows. */
int progress_space(const progress *self);
/* Draws a bar with a text, or prints the text on a line. */
void progress_draw(progress *self, const char *text, double fraction);
/* Removes the bar, so that other text can be printed. */
void progress_clear(progress *self);

/* Returns the noun for a count: `body` or `bodies`. */
const char *noun_of(long long count, const char *one, const char *many);

/* Formats a duration: "75 s", "12:05", "3:12:05". */
const char *duration_text(double seconds, char buffer[32]);
