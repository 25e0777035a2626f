/* Body records in lanes; objects of each width include this file. */
#pragma once

#include "body_record.h"

#include "base/lanes.h"

#define INLINE __attribute__((always_inline)) static inline

INLINE vec3s xyz(quad q) { return vec3_of(q.x, q.y, q.z); }

/* Loads one word of the records of some slots. */
INLINE quad word(const body_record *records, const int *at, int number) {
    return gather((const float *)records + 4 * number, at);
}

/* Sets the places of the records of some pairs, in floats; lanes beyond the last repeat the first. */
INLINE void place_records(const int *a, const int *b, int count, int *at_a, int *at_b) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++) {
        const int i = lane < count ? lane : 0;
        at_a[lane] = RECORD_FLOATS * a[i], at_b[lane] = RECORD_FLOATS * b[i];
    }
}

INLINE void store(float *to, scalar x, int count) { __builtin_memcpy(to, &x, (size_t)count * sizeof *to); }
