/* Number of threads for a loop, and its division into parts. */
#pragma once

#include <omp.h>
#include <stdint.h>

/* Fewest items per additional thread: a wake-up takes about 5 µs, an item about 20 ns. Sharing shorter
 * loops makes a step of 1000 spheres 2 % slower: each thread fetches what the other wrote. */
enum { PARALLEL_GRAIN = 256 };

/* Returns the threads for a loop over `items`, at most `threads`. Results never depend on it. */
static inline int parallel_threads(int threads, int items) {
    const int worth = 1 + items / PARALLEL_GRAIN;
    return threads < worth ? threads : worth;
}

/* Returns the threads that a setting of 0 stands for: OMP_NUM_THREADS, or the number of processors. */
static inline int parallel_all_threads(void) { return omp_get_max_threads(); }

/* Slices of bodies or contacts. For any number of threads they are the same, and sums over slices are added
 * in order. */
enum { PARALLEL_SLICES = 64 };

/* Items [first, end): one of several parts of about equal size. */
typedef struct slice {
    int first, end;
} slice;

static inline slice slice_of(int count, int number, int parts) {
    return (slice){(int)((int64_t)count * number / parts), (int)((int64_t)count * (number + 1) / parts)};
}
