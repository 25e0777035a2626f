/* Prefetching for loops over batches; included by an object of each width.
 *
 * A batch is read once, from about thirty cache lines that are not accessed in order and are mixed with those
 * of bodies, so hardware prefetchers miss them, and a batch has more instructions than a processor looks
 * ahead. If contacts come from memory, each batch then waits for it, which takes twice as long as its
 * arithmetic. So each batch prefetches the data of the next but one, and the head of a later one, which holds
 * the addresses. Prefetching bodies' velocities alone, which mostly are in some cache, does not pay. */
#pragma once

#include "wide_sweep.h"

#define INLINE __attribute__((always_inline)) static inline

/* Prefetches the 64-byte lines of `floats` floats at `from`. */
INLINE void ask(const float *from, int floats) {
    enum { LINE = 16 };
    for (int i = 0; i < floats; i += LINE) __builtin_prefetch(from + i);
}

/* Returns the batch to prefetch, or NULL if there is none or batches fit in caches; `together` batches are
 * swept at once. A batch of manifolds takes as much memory and time as several of single points. */
INLINE const batch *batch_ahead(const wide_job *job, const batch *of, const batch *end, int points,
                                int together) {
    if (!job->far) return 0;
    const int ahead = points > 1 ? together : 2;
    if (end - of > 2 * ahead) ask((const float *)(of + 2 * ahead), sizeof *of / sizeof(float));
    return end - of > ahead ? of + ahead : 0;
}

/* Prefetches fields [first, end) of each point. */
INLINE void ask_fields(const float *at, int points, int first, int end) {
    for (int k = 0; k < points; k++)
        ask(at + (k * POINT_FIELDS + first) * SCREE_WIDTH, (end - first) * SCREE_WIDTH);
}

/* Prefetches four floats per block. The blocks of the lanes are consecutive, with few exceptions. */
INLINE void ask_blocks(const float *base, const batch *of, int points) {
    ask(base + of->impulse[0], 4 * points * SCREE_WIDTH);
}

/* Prefetches eight floats per body. */
INLINE void ask_bodies(const float *base, const batch *of) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++)
        __builtin_prefetch(base + of->velocity_a[lane]), __builtin_prefetch(base + of->velocity_b[lane]);
}
