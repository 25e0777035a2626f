/* The dialect's scalar as a vector of SCREE_WIDTH floats for gcc and clang. */
#ifndef SCREE_KERNELS_WIDE_H
#define SCREE_KERNELS_WIDE_H

#if defined __SSE2__
#include <immintrin.h>
#endif

typedef float uniform;
typedef float scalar __attribute__((vector_size(4 * SCREE_WIDTH)));
/* −1 in selected lanes, 0 in the others, as comparisons return. */
typedef int scalar_mask __attribute__((vector_size(4 * SCREE_WIDTH)));

SHARED scalar scalar_of(float x) { return x - (scalar){0}; }
SHARED uniform uniform_sqrt(uniform x) { return __builtin_sqrtf(x); }

#if SCREE_WIDTH == 16 && defined __AVX512DQ__ && defined __clang__
/* clang eliminates the integer vector: comparisons go directly to a mask register. */
SHARED scalar choose(scalar_mask m, scalar a, scalar b) {
    return (scalar)_mm512_mask_blend_ps(_mm512_movepi32_mask((__m512i)m), (__m512)b, (__m512)a);
}
#elif SCREE_WIDTH == 8 && defined __AVX2__
SHARED scalar choose(scalar_mask m, scalar a, scalar b) {
    return (scalar)_mm256_blendv_ps((__m256)b, (__m256)a, (__m256)m);
}
#else
/* gcc compiles this to a blend with a mask register where one exists; from intrinsics it does not. */
SHARED scalar choose(scalar_mask m, scalar a, scalar b) {
    return (scalar)((m & (scalar_mask)a) | (~m & (scalar_mask)b));
}
#endif

/* The processor's minimum and maximum equal those of dialect.h bit for bit: they return the second operand if
 * neither is less or one is NaN. */
#if SCREE_WIDTH == 16 && defined __AVX512DQ__
SHARED int any_lane(scalar_mask m) { return _mm512_movepi32_mask((__m512i)m) != 0; }
SHARED scalar scalar_sqrt(scalar x) { return (scalar)_mm512_sqrt_ps((__m512)x); }
SHARED scalar scalar_min(scalar a, scalar b) { return (scalar)_mm512_min_ps((__m512)a, (__m512)b); }
SHARED scalar scalar_max(scalar a, scalar b) { return (scalar)_mm512_max_ps((__m512)a, (__m512)b); }
#elif SCREE_WIDTH == 8 && defined __AVX2__
SHARED int any_lane(scalar_mask m) { return _mm256_movemask_ps((__m256)m) != 0; }
SHARED scalar scalar_sqrt(scalar x) { return (scalar)_mm256_sqrt_ps((__m256)x); }
SHARED scalar scalar_min(scalar a, scalar b) { return (scalar)_mm256_min_ps((__m256)a, (__m256)b); }
SHARED scalar scalar_max(scalar a, scalar b) { return (scalar)_mm256_max_ps((__m256)a, (__m256)b); }
#elif SCREE_WIDTH == 4 && defined __SSE2__
SHARED int any_lane(scalar_mask m) { return _mm_movemask_ps((__m128)m) != 0; }
SHARED scalar scalar_sqrt(scalar x) { return (scalar)_mm_sqrt_ps((__m128)x); }
SHARED scalar scalar_min(scalar a, scalar b) { return (scalar)_mm_min_ps((__m128)a, (__m128)b); }
SHARED scalar scalar_max(scalar a, scalar b) { return (scalar)_mm_max_ps((__m128)a, (__m128)b); }
#else
SHARED int any_lane(scalar_mask m) {
    int found = 0;
    for (int i = 0; i < SCREE_WIDTH; i++) found |= m[i];
    return found;
}
SHARED scalar scalar_sqrt(scalar x) {
    for (int i = 0; i < SCREE_WIDTH; i++) x[i] = sqrtf(x[i]);
    return x;
}
SHARED scalar scalar_min(scalar a, scalar b) { return choose(a < b, a, b); }
SHARED scalar scalar_max(scalar a, scalar b) { return choose(a > b, a, b); }
#endif
SHARED scalar_mask mask_of_bits(scalar x) { return (scalar_mask)x; }
SHARED scalar bits_of_mask(scalar_mask m) { return (scalar)m; }
typedef scalar_mask scalar_int, scalar_bits;
SHARED scalar_int int_of(int x) { return x - (scalar_int){0}; }
SHARED scalar_int int_from(scalar x) { return __builtin_convertvector(x, scalar_int); }
SHARED scalar_int choose_int(scalar_mask m, scalar_int a, scalar_int b) { return (m & a) | (~m & b); }

/* Returns −a > a ? −a : a, which leaves −0 and NaN unchanged. */
SHARED scalar scalar_abs(scalar a) { return scalar_max(-a, a); }

#endif
