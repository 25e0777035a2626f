/* What passes over batches ask of memory before they read it: included by an object of each width.
 *
 * A batch of contacts is read once, from some thirty lines of memory that are not touched in their order and
 * have those of bodies in between, so that no processor foresees them; and a batch is more instructions than
 * one looks ahead. Where contacts come from memory, each batch then waits for it, which takes twice as long
 * as its arithmetic. So each asks for what the one after the next will read, and where that lies for those
 * behind. Bodies' velocities alone, which mostly are in some cache, are not worth it. */
#ifndef SCREE_DEVICE_NATIVE_WIDE_AHEAD_H
#define SCREE_DEVICE_NATIVE_WIDE_AHEAD_H

#include "wide_sweep.h"

#define INLINE __attribute__((always_inline)) static inline

/* Lines of 64 bytes from `from` on that hold so many floats. */
INLINE void ask(const float *from, int floats) {
    enum { LINE = 16 };
    for (int i = 0; i < floats; i += LINE) __builtin_prefetch(from + i);
}

/* The batch to ask for, or null where there is none or batches are in caches anyway, where `together` are
 * taken at once. A batch of manifolds is as much memory and time as several of single points. */
INLINE const batch *batch_ahead(const wide_job *job, const batch *of, const batch *end, int points,
                                int together) {
    if (!job->far) return 0;
    const int ahead = points > 1 ? together : 2;
    if (end - of > 2 * ahead) ask((const float *)(of + 2 * ahead), sizeof *of / sizeof(float));
    return end - of > ahead ? of + ahead : 0;
}

/* Fields [first, end) of each point. */
INLINE void ask_fields(const float *at, int points, int first, int end) {
    for (int k = 0; k < points; k++)
        ask(at + (k * POINT_FIELDS + first) * SCREE_WIDTH, (end - first) * SCREE_WIDTH);
}

/* Four floats a block: the lanes' blocks stand one after the other, but for few. */
INLINE void ask_blocks(const float *base, const batch *of, int points) {
    ask(base + of->impulse[0], 4 * points * SCREE_WIDTH);
}

/* Eight floats a body. */
INLINE void ask_bodies(const float *base, const batch *of) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++)
        __builtin_prefetch(base + of->velocity_a[lane]), __builtin_prefetch(base + of->velocity_b[lane]);
}

#endif
