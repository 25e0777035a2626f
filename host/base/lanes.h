/* What knows the width: loads and stores of fields and of records, of which each lane has its own. A field
 * lies [lane]; a record is an array of floats that each lane finds at its own place, and is turned into
 * vectors by transposing. Everything else of wide code is functions of the dialect/. */
#ifndef SCREE_BASE_LANES_H
#define SCREE_BASE_LANES_H

#include "dialect.h"

#include <stdint.h>

SHARED scalar load(const float *from) {
    scalar x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}
SHARED vec3s load3(const float *from) {
    return vec3_of(load(from), load(from + SCREE_WIDTH), load(from + 2 * SCREE_WIDTH));
}

/* Four floats of every lane: what one 128-bit word holds. */
typedef struct quad {
    scalar x, y, z, w;
} quad;

#if SCREE_WIDTH == 16
typedef __m512 wide;
#define UNPACK_LOW _mm512_unpacklo_ps
#define UNPACK_HIGH _mm512_unpackhi_ps
#define SHUFFLE _mm512_shuffle_ps
#else
typedef __m256 wide;
#define UNPACK_LOW _mm256_unpacklo_ps
#define UNPACK_HIGH _mm256_unpackhi_ps
#define SHUFFLE _mm256_shuffle_ps
#endif

/* The 4 × 4 transpose within each 128-bit word; its own inverse. */
SHARED quad transposed(wide a, wide b, wide c, wide d) {
    const wide ab = UNPACK_LOW(a, b), cd = UNPACK_LOW(c, d), ef = UNPACK_HIGH(a, b), gh = UNPACK_HIGH(c, d);
    return (quad){(scalar)SHUFFLE(ab, cd, 0x44), (scalar)SHUFFLE(ab, cd, 0xEE), (scalar)SHUFFLE(ef, gh, 0x44),
                  (scalar)SHUFFLE(ef, gh, 0xEE)};
}

/* The words of lanes i, i + 4, … side by side. */
#if SCREE_WIDTH == 16
SHARED wide words_of(const float *base, const int *at, int i) {
    const __m512 low = _mm512_castps128_ps512(_mm_loadu_ps(base + at[i]));
    const __m512 two = _mm512_insertf32x4(low, _mm_loadu_ps(base + at[i + 4]), 1);
    const __m512 three = _mm512_insertf32x4(two, _mm_loadu_ps(base + at[i + 8]), 2);
    return _mm512_insertf32x4(three, _mm_loadu_ps(base + at[i + 12]), 3);
}
SHARED __m128 word_of(wide words, int k) {
    return k == 0   ? _mm512_castps512_ps128(words)
           : k == 1 ? _mm512_extractf32x4_ps(words, 1)
           : k == 2 ? _mm512_extractf32x4_ps(words, 2)
                    : _mm512_extractf32x4_ps(words, 3);
}
#else
SHARED wide words_of(const float *base, const int *at, int i) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(base + at[i])),
                                _mm_loadu_ps(base + at[i + 4]), 1);
}
SHARED __m128 word_of(wide words, int k) {
    return k == 0 ? _mm256_castps256_ps128(words) : _mm256_extractf128_ps(words, 1);
}
#endif

/* Four floats at base + at[lane]. */
SHARED quad gather(const float *base, const int *at) {
    return transposed(words_of(base, at, 0), words_of(base, at, 1), words_of(base, at, 2),
                      words_of(base, at, 3));
}

/* The other way, for the lanes whose bit of `which` is set. */
SHARED void scatter(float *base, const int *at, uint32_t which, quad q) {
    const quad t = transposed((wide)q.x, (wide)q.y, (wide)q.z, (wide)q.w);
    const wide words[4] = {(wide)t.x, (wide)t.y, (wide)t.z, (wide)t.w};
    if (which == (uint32_t)((1u << SCREE_WIDTH) - 1)) {
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < SCREE_WIDTH / 4; k++)
                _mm_storeu_ps(base + at[i + 4 * k], word_of(words[i], k));
        return;
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < SCREE_WIDTH / 4; k++)
            if (which >> (i + 4 * k) & 1) _mm_storeu_ps(base + at[i + 4 * k], word_of(words[i], k));
}

#endif
