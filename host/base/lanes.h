/* Loads and stores of fields and records, the only code that depends on the lane count. A field is an array
 * [lane]. A record is an array of floats with its own place for each lane; transposing turns records into
 * vectors. All other wide code uses the functions of the dialect. */
#pragma once

#include "dialect.h"

#include <stddef.h>
#include <stdint.h>

SHARED scalar load(const float *from) {
    scalar x;
    __builtin_memcpy(&x, from, sizeof x);
    return x;
}
SHARED vec3s load3(const float *from) {
    return vec3_of(load(from), load(from + SCREE_WIDTH), load(from + 2 * SCREE_WIDTH));
}

/* Returns one bit per lane. */
SHARED uint32_t mask_bits(scalar_mask m) {
#if SCREE_WIDTH == 16
    return _mm512_cmplt_epi32_mask((__m512i)m, _mm512_setzero_si512());
#elif SCREE_WIDTH == 8
    return (uint32_t)_mm256_movemask_ps((__m256)m);
#elif defined __SSE2__
    return (uint32_t)_mm_movemask_ps((__m128)m);
#else
    const scalar_mask bits = m & (scalar_mask){1, 2, 4, 8};
    return (uint32_t)(bits[0] | bits[1] | bits[2] | bits[3]);
#endif
}

/* Four floats per lane; those of one lane fill a 128-bit word. */
typedef struct quad {
    scalar x, y, z, w;
} quad;

#if SCREE_WIDTH == 16
typedef __m512 wide;
#define UNPACK_LOW _mm512_unpacklo_ps
#define UNPACK_HIGH _mm512_unpackhi_ps
#define SHUFFLE _mm512_shuffle_ps
#elif SCREE_WIDTH == 8
typedef __m256 wide;
#define UNPACK_LOW _mm256_unpacklo_ps
#define UNPACK_HIGH _mm256_unpackhi_ps
#define SHUFFLE _mm256_shuffle_ps
#else
typedef scalar wide;
#define UNPACK_LOW(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define UNPACK_HIGH(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
/* Joins the lower (0x44) or upper (0xEE) halves of both. */
#define SHUFFLE(a, b, halves)                                                                                \
    __builtin_shufflevector(a, b, (halves)&3, ((halves) >> 2) & 3, 4 + (((halves) >> 4) & 3),                \
                            4 + (((halves) >> 6) & 3))
#endif

/* Transposes 4 × 4 within each 128-bit word; its own inverse. */
SHARED quad transposed(wide a, wide b, wide c, wide d) {
    const wide ab = UNPACK_LOW(a, b), cd = UNPACK_LOW(c, d), ef = UNPACK_HIGH(a, b), gh = UNPACK_HIGH(c, d);
    return (quad){(scalar)SHUFFLE(ab, cd, 0x44), (scalar)SHUFFLE(ab, cd, 0xEE), (scalar)SHUFFLE(ef, gh, 0x44),
                  (scalar)SHUFFLE(ef, gh, 0xEE)};
}

/* Returns the words of lanes i, i + 4, … next to each other. */
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
#elif SCREE_WIDTH == 8
SHARED wide words_of(const float *base, const int *at, int i) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(base + at[i])),
                                _mm_loadu_ps(base + at[i + 4]), 1);
}
SHARED __m128 word_of(wide words, int k) {
    return k == 0 ? _mm256_castps256_ps128(words) : _mm256_extractf128_ps(words, 1);
}
#else
SHARED wide words_of(const float *base, const int *at, int i) { return load(base + at[i]); }
SHARED wide word_of(wide words, int k) { return k == 0 ? words : scalar_of(0); }
#endif
#if SCREE_WIDTH == 4
SHARED void put_word(float *to, wide word) { __builtin_memcpy(to, &word, sizeof word); }
#else
SHARED void put_word(float *to, __m128 word) { _mm_storeu_ps(to, word); }
#endif

/* Loads four floats per lane from base + at[lane]. */
SHARED quad gather(const float *base, const int *at) {
    return transposed(words_of(base, at, 0), words_of(base, at, 1), words_of(base, at, 2),
                      words_of(base, at, 3));
}

/* Stores four floats per lane to base + at[lane], for the lanes whose bit of `which` is set. */
SHARED void scatter(float *base, const int *at, uint32_t which, quad q) {
    const quad t = transposed((wide)q.x, (wide)q.y, (wide)q.z, (wide)q.w);
    const wide words[4] = {(wide)t.x, (wide)t.y, (wide)t.z, (wide)t.w};
    if (which == (uint32_t)((1u << SCREE_WIDTH) - 1)) {
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < SCREE_WIDTH / 4; k++) put_word(base + at[i + 4 * k], word_of(words[i], k));
        return;
    }
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < SCREE_WIDTH / 4; k++)
            if (which >> (i + 4 * k) & 1) put_word(base + at[i + 4 * k], word_of(words[i], k));
}

/* Words in four registers. words_in_row loads consecutive words and returns those of lanes i, i + 4, … in
 * of[i]; put_words_in_row inverts it. At 16 lanes the permutation is its own inverse. */
typedef struct four_words {
    wide of[4];
} four_words;

#if SCREE_WIDTH == 16
SHARED four_words words_exchanged(four_words w) {
    const wide a = _mm512_shuffle_f32x4(w.of[0], w.of[1], 0x44),
               b = _mm512_shuffle_f32x4(w.of[0], w.of[1], 0xEE),
               c = _mm512_shuffle_f32x4(w.of[2], w.of[3], 0x44),
               d = _mm512_shuffle_f32x4(w.of[2], w.of[3], 0xEE);
    return (four_words){{_mm512_shuffle_f32x4(a, c, 0x88), _mm512_shuffle_f32x4(a, c, 0xDD),
                         _mm512_shuffle_f32x4(b, d, 0x88), _mm512_shuffle_f32x4(b, d, 0xDD)}};
}
SHARED four_words words_in_row(const float *from) {
    const four_words row = {{_mm512_loadu_ps(from), _mm512_loadu_ps(from + 16), _mm512_loadu_ps(from + 32),
                             _mm512_loadu_ps(from + 48)}};
    return words_exchanged(row);
}
SHARED void put_words_in_row(float *to, four_words words) {
    const four_words row = words_exchanged(words);
    for (int i = 0; i < 4; i++) _mm512_storeu_ps(to + 16 * i, row.of[i]);
}
#elif SCREE_WIDTH == 8
SHARED four_words words_in_row(const float *from) {
    const wide a = _mm256_loadu_ps(from), b = _mm256_loadu_ps(from + 8), c = _mm256_loadu_ps(from + 16),
               d = _mm256_loadu_ps(from + 24);
    return (four_words){{_mm256_permute2f128_ps(a, c, 0x20), _mm256_permute2f128_ps(a, c, 0x31),
                         _mm256_permute2f128_ps(b, d, 0x20), _mm256_permute2f128_ps(b, d, 0x31)}};
}
SHARED void put_words_in_row(float *to, four_words w) {
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(w.of[0], w.of[1], 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(w.of[2], w.of[3], 0x20));
    _mm256_storeu_ps(to + 16, _mm256_permute2f128_ps(w.of[0], w.of[1], 0x31));
    _mm256_storeu_ps(to + 24, _mm256_permute2f128_ps(w.of[2], w.of[3], 0x31));
}
#else
SHARED four_words words_in_row(const float *from) {
    return (four_words){{load(from), load(from + 4), load(from + 8), load(from + 12)}};
}
SHARED void put_words_in_row(float *to, four_words words) {
    for (int i = 0; i < 4; i++) put_word(to + 4 * i, words.of[i]);
}
#endif

/* Loads four floats per lane, lane after lane. */
SHARED quad gather_row(const float *from) {
    const four_words words = words_in_row(from);
    return transposed(words.of[0], words.of[1], words.of[2], words.of[3]);
}

/* Stores four floats per lane, lane after lane, for all lanes. */
SHARED void scatter_row(float *to, quad q) {
    const quad t = transposed((wide)q.x, (wide)q.y, (wide)q.z, (wide)q.w);
    put_words_in_row(to, (four_words){{(wide)t.x, (wide)t.y, (wide)t.z, (wide)t.w}});
}

/* Eight floats per lane. Takes half the loads and stores of two separate quads. A register holds the records
 * of lanes i and i + 4 (16 lanes) or of one lane (8 lanes); transposing leaves words of first and second
 * quads alternating. */
typedef struct quad_pair {
    quad first, second;
} quad_pair;

#if SCREE_WIDTH == 16
SHARED wide records_of(const float *base, const int *at, int i) {
    const int lane = i + (i & 4); /* 0 … 3, 8 … 11 */
    const __m512d low = _mm512_castpd256_pd512(_mm256_castps_pd(_mm256_loadu_ps(base + at[lane])));
    return _mm512_castpd_ps(
        _mm512_insertf64x4(low, _mm256_castps_pd(_mm256_loadu_ps(base + at[lane + 4])), 1));
}
SHARED scalar even_words(scalar a, scalar b) { return (scalar)_mm512_shuffle_f32x4((wide)a, (wide)b, 0x88); }
SHARED scalar odd_words(scalar a, scalar b) { return (scalar)_mm512_shuffle_f32x4((wide)a, (wide)b, 0xDD); }
/* Interleave the words of the lower, or the upper, halves of a and b. */
SHARED scalar lower_words(scalar a, scalar b) {
    const __m512i turns = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
    return (scalar)_mm512_permutex2var_pd((__m512d)a, turns, (__m512d)b);
}
SHARED scalar upper_words(scalar a, scalar b) {
    const __m512i turns = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    return (scalar)_mm512_permutex2var_pd((__m512d)a, turns, (__m512d)b);
}
SHARED void put_records(float *base, const int *at, uint32_t which, wide records, int i) {
    const int lane = i + (i & 4);
    if (which >> lane & 1) _mm256_storeu_ps(base + at[lane], _mm512_castps512_ps256(records));
    if (which >> (lane + 4) & 1)
        _mm256_storeu_ps(base + at[lane + 4],
                         _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(records), 1)));
}
#elif SCREE_WIDTH == 8
SHARED wide records_of(const float *base, const int *at, int i) { return _mm256_loadu_ps(base + at[i]); }
SHARED scalar even_words(scalar a, scalar b) {
    return (scalar)_mm256_permute2f128_ps((wide)a, (wide)b, 0x20);
}
SHARED scalar odd_words(scalar a, scalar b) { return (scalar)_mm256_permute2f128_ps((wide)a, (wide)b, 0x31); }
SHARED scalar lower_words(scalar a, scalar b) { return even_words(a, b); }
SHARED scalar upper_words(scalar a, scalar b) { return odd_words(a, b); }
SHARED void put_records(float *base, const int *at, uint32_t which, wide records, int i) {
    if (which >> i & 1) _mm256_storeu_ps(base + at[i], records);
}
#endif

#if SCREE_WIDTH == 4

/* Loads eight floats per lane from base + at[lane]. */
SHARED quad_pair gather_pair(const float *base, const int *at) {
    return (quad_pair){gather(base, at), gather(base + 4, at)};
}

/* Stores eight floats per lane to base + at[lane], for the lanes whose bit of `which` is set. */
SHARED void scatter_pair(float *base, const int *at, uint32_t which, quad_pair p) {
    scatter(base, at, which, p.first);
    scatter(base + 4, at, which, p.second);
}

#else

/* Loads eight floats per lane from base + at[lane]. */
SHARED quad_pair gather_pair(const float *base, const int *at) {
    const quad low = transposed(records_of(base, at, 0), records_of(base, at, 1), records_of(base, at, 2),
                                records_of(base, at, 3)),
               high = transposed(records_of(base, at, 4), records_of(base, at, 5), records_of(base, at, 6),
                                 records_of(base, at, 7));
    return (quad_pair){{even_words(low.x, high.x), even_words(low.y, high.y), even_words(low.z, high.z),
                        even_words(low.w, high.w)},
                       {odd_words(low.x, high.x), odd_words(low.y, high.y), odd_words(low.z, high.z),
                        odd_words(low.w, high.w)}};
}

/* Stores eight floats per lane to base + at[lane], for the lanes whose bit of `which` is set. */
SHARED void scatter_pair(float *base, const int *at, uint32_t which, quad_pair p) {
    const quad a = p.first, b = p.second;
    const quad low = transposed((wide)lower_words(a.x, b.x), (wide)lower_words(a.y, b.y),
                                (wide)lower_words(a.z, b.z), (wide)lower_words(a.w, b.w)),
               high = transposed((wide)upper_words(a.x, b.x), (wide)upper_words(a.y, b.y),
                                 (wide)upper_words(a.z, b.z), (wide)upper_words(a.w, b.w));
    const wide records[8] = {(wide)low.x,  (wide)low.y,  (wide)low.z,  (wide)low.w,
                             (wide)high.x, (wide)high.y, (wide)high.z, (wide)high.w};
    const uint32_t all = (uint32_t)((1u << SCREE_WIDTH) - 1);
    if (which == all) {
        for (int i = 0; i < 8; i++) put_records(base, at, all, records[i], i);
        return;
    }
    for (int i = 0; i < 8; i++) put_records(base, at, which, records[i], i);
}

#endif
