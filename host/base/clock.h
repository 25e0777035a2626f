/* Wall time for the statistics of a step. No result depends on it. */
#pragma once

#include <time.h>

/* Returns the seconds since a fixed moment; monotonic. */
static inline double clock_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
