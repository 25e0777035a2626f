/* The dialect of all headers in kernels/: valid C11 on the host, valid OpenCL C 1.2 on a device.
 *
 * Vectors and their functions have the names and the meaning of cglm's struct API; this header defines the
 * subset that kernels use, and a test compares each function with cglm bit for bit. The types are not cglm's:
 * those are unions with an array, which gcc keeps in memory instead of registers (the native sweep takes 2.2
 * times as long) and which OpenCL C cannot share. rotation.h and symmetric.h define their own products
 * because cglm's SIMD variants sum in an order that depends on the CPU.
 *
 * Shared functions take and return values, never pointers, so the only address space that is named is that of
 * a LOOKUP: a constant table to which many values refer, such as the corners of a hull. (press.h and
 * box_clip.h take the address of a work-item's own array, which needs no address space.)
 *
 * SCREE_DOUBLE makes the scalar double on either side; nothing else depends on the precision.
 *
 * On the host SCREE_WIDTH makes the scalar a vector of that many floats. Each lane is an independent problem
 * with the same bits as at width 1. Code that compiles at every width has no branch on a scalar: it selects
 * by masks and combines masks with & and |. A loop may end on any_lane(todo) if finished lanes are frozen.
 * Literals must go through scalar_of where a scalar is required (arguments, initial values, choose);
 * operators accept them directly.
 *
 * WORDS marks structs that are whole 16-byte words in single precision; devices load and store them as such.
 *
 * scalar_exponent returns the e with 2^e ≤ x < 2^(e + 1) for x > 0, and scalar_shifted returns x 2^e. Both
 * are exact. */
#ifndef SCREE_KERNELS_DIALECT_H
#define SCREE_KERNELS_DIALECT_H

#ifdef __OPENCL_VERSION__

#pragma OPENCL FP_CONTRACT OFF

#ifdef SCREE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double scalar;
#define SCALAR_EPSILON 2.220446049250313e-16
#define WORDS
#else
typedef float scalar;
#define SCALAR_EPSILON 1.1920929e-7f
#define WORDS __attribute__((aligned(16)))
#endif

/* Every function is inlined into its kernels. NVIDIA's compiler (driver 580) reads a struct that is an
 * argument of a kernel from private memory, at a wrong address, if the struct reaches a function that it
 * inlines late. Oclgrind's compiler must not be forced: it cannot read the markers that LLVM then emits. */
#ifndef SCREE_INLINE
#define SCREE_INLINE __attribute__((always_inline))
#endif
#define SHARED SCREE_INLINE static inline
#define RARE SHARED
#define SELDOM SHARED
#define LARGE SHARED
/* No argument may be an argument of a kernel, for the same reason. */
#define CALLED __attribute__((noinline)) static
#define LOOKUP __global const
#define STATIC_ASSERT(condition, message)
#define SCREE_WIDTH 1
/* Before a loop with a constant number of passes over an array of a work-item, which then is in registers. */
#define UNROLLED _Pragma("unroll")

SHARED scalar scalar_sqrt(scalar x) { return sqrt(x); }
SHARED int scalar_exponent(scalar x) { return ilogb(x); }
SHARED scalar scalar_shifted(scalar x, int exponent) { return ldexp(x, exponent); }

typedef uint uint32;
typedef long long64;

#else /* C11 */

#define WORDS

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
#include <assert.h>
#include <float.h>
#include <math.h>
#include <stdint.h>

typedef uint32_t uint32;
typedef int64_t long64;

#ifndef SCREE_WIDTH
#define SCREE_WIDTH 1
#endif

#if defined SCREE_DOUBLE
typedef double scalar;
#define SCALAR_EPSILON 2.220446049250313e-16
#else
#if SCREE_WIDTH == 1
typedef float scalar;
#endif
#define SCALAR_EPSILON 1.1920929e-7f
#endif

#if SCREE_WIDTH == 1
#define SHARED static inline
#else
#define SHARED __attribute__((always_inline)) static inline
#endif
/* For cases that most problems do not have: kept out of the loops of the common cases. */
#define RARE __attribute__((noinline, cold, unused)) static
/* For functions that take structs of several hundred bytes, which a call would copy. */
#define LARGE __attribute__((always_inline)) static inline
/* Remains a call on devices: for rarely used functions that return structs from many branches. (Inlined into
 * a loop, they make LLVM emit markers that oclgrind cannot read.) */
#if SCREE_WIDTH == 1
#define CALLED static inline
#else
#define CALLED SHARED
#endif
#define LOOKUP const
#define UNROLLED
#define STATIC_ASSERT(condition, message) _Static_assert(condition, message)

/* For functions that few sweeps use: a call at any width but 1, so that not every sweep contains a copy. */
#if SCREE_WIDTH == 1
#define SELDOM SHARED
#else
#define SELDOM RARE
#endif

#if SCREE_WIDTH > 1
#elif defined SCREE_DOUBLE
SHARED scalar scalar_sqrt(scalar x) { return sqrt(x); }
SHARED int scalar_exponent(scalar x) { return ilogb(x); }
SHARED scalar scalar_shifted(scalar x, int exponent) { return ldexp(x, exponent); }
#else
SHARED scalar scalar_sqrt(scalar x) { return sqrtf(x); }
SHARED int scalar_exponent(scalar x) { return ilogbf(x); }
SHARED scalar scalar_shifted(scalar x, int exponent) { return ldexpf(x, exponent); }
#endif

#endif

#if SCREE_WIDTH > 1
#include "wide.h"
#endif

/* Counterparts of wide.h's definitions at width 1. A `uniform` has the same value in all lanes. */
#if SCREE_WIDTH == 1
typedef scalar uniform;
SHARED uniform uniform_sqrt(uniform x) { return scalar_sqrt(x); }
typedef int scalar_mask;
SHARED scalar scalar_of(scalar x) { return x; }
SHARED scalar choose(scalar_mask m, scalar a, scalar b) { return m ? a : b; }
SHARED int any_lane(scalar_mask m) { return m; }
/* An integer per lane, and bits that identify a feature. */
typedef int scalar_int;
typedef unsigned int scalar_bits;
SHARED scalar_int int_of(int x) { return x; }
SHARED scalar_int int_from(scalar x) { return (int)x; }
SHARED scalar_int choose_int(scalar_mask m, scalar_int a, scalar_int b) { return m ? a : b; }
#endif

/* min, max and abs as comparisons: compilers' library functions differ in the sign of zero and in NaN. */
#if SCREE_WIDTH == 1
SHARED scalar scalar_min(scalar a, scalar b) { return choose(a < b, a, b); }
SHARED scalar scalar_max(scalar a, scalar b) { return choose(a > b, a, b); }
SHARED scalar scalar_abs(scalar a) { return choose(a < 0, -a, a); }
/* Returns whether x is neither infinite nor NaN. */
SHARED int scalar_finite(scalar x) { return x - x == 0; }
#endif
SHARED scalar scalar_clamp(scalar x, scalar low, scalar high) { return scalar_min(scalar_max(x, low), high); }

typedef struct vec3s {
    scalar x, y, z;
} vec3s;

/* Unit quaternion; x, y, z are the vector part. */
typedef struct versors {
    scalar x, y, z, w;
} versors;

SHARED vec3s vec3_of(scalar x, scalar y, scalar z) {
    vec3s v;
    v.x = x, v.y = y, v.z = z;
    return v;
}

SHARED versors versor_of(scalar x, scalar y, scalar z, scalar w) {
    versors q;
    q.x = x, q.y = y, q.z = z, q.w = w;
    return q;
}

/* Returns the component along an axis: 0, 1, 2. */
SHARED scalar vec3_along(vec3s v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

SHARED vec3s glms_vec3_zero(void) { return vec3_of(scalar_of(0), scalar_of(0), scalar_of(0)); }
SHARED vec3s glms_vec3_add(vec3s a, vec3s b) { return vec3_of(a.x + b.x, a.y + b.y, a.z + b.z); }
SHARED vec3s glms_vec3_sub(vec3s a, vec3s b) { return vec3_of(a.x - b.x, a.y - b.y, a.z - b.z); }
SHARED vec3s glms_vec3_mul(vec3s a, vec3s b) { return vec3_of(a.x * b.x, a.y * b.y, a.z * b.z); }
SHARED vec3s glms_vec3_scale(vec3s v, scalar s) { return vec3_of(v.x * s, v.y * s, v.z * s); }
SHARED vec3s glms_vec3_negate(vec3s v) { return vec3_of(-v.x, -v.y, -v.z); }
SHARED scalar glms_vec3_dot(vec3s a, vec3s b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
SHARED vec3s vec3_choose(scalar_mask m, vec3s a, vec3s b) {
    return vec3_of(choose(m, a.x, b.x), choose(m, a.y, b.y), choose(m, a.z, b.z));
}
SHARED scalar glms_vec3_norm2(vec3s v) { return glms_vec3_dot(v, v); }
SHARED scalar glms_vec3_norm(vec3s v) { return scalar_sqrt(glms_vec3_norm2(v)); }
SHARED vec3s glms_vec3_cross(vec3s a, vec3s b) {
    return vec3_of(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

#endif
