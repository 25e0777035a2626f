/* How many threads a loop is worth. */
#ifndef SCREE_BASE_PARALLEL_H
#define SCREE_BASE_PARALLEL_H

/* Items below which waking one more thread costs more than it saves: a wake-up takes some 5 µs, an item some
 * 20 ns. */
enum { PARALLEL_GRAIN = 256 };

/* Threads for a loop over `items`, at most `threads`. Results never depend on it. */
static inline int parallel_threads(int threads, int items) {
    const int worth = 1 + items / PARALLEL_GRAIN;
    return threads < worth ? threads : worth;
}

#endif
