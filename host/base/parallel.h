/* How many threads a loop is worth. */
#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

#include <omp.h>
#include <stdint.h>

/* Items below which waking one more thread costs more than it saves: a wake-up takes some 5 µs, an item some
 * 20 ns. */
enum { PARALLEL_GRAIN = 256 };

/* Threads for a loop over `items`, at most `threads`. Results never depend on it. */
static inline int parallel_threads(int threads, int items) {
    const int worth = 1 + items / PARALLEL_GRAIN;
    return threads < worth ? threads : worth;
}

/* What 0 asked-for threads mean: those that OMP_NUM_THREADS names, or as many as there are processors. */
static inline int parallel_all_threads(void) { return omp_get_max_threads(); }

/* Items [first, end): one of so many parts of about equal size. */
typedef struct slice {
    int first, end;
} slice;

static inline slice slice_of(int count, int number, int parts) {
    return (slice){(int)((int64_t)count * number / parts), (int)((int64_t)count * (number + 1) / parts)};
}

#endif
