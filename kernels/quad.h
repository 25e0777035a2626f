/* Four scalars in a vector: OpenCL's, or one of gcc and clang. Each operator applies to every component. */
#ifndef SCREE_KERNELS_QUAD_H
#define SCREE_KERNELS_QUAD_H

#include "dialect.h"

#if SCREE_WIDTH == 1

#ifdef __OPENCL_VERSION__

#ifdef SCREE_DOUBLE
typedef double4 quad;
#else
typedef float4 quad;
#endif
#define QUAD_LOAD(from) vload4(0, from)
#define QUAD_STORE(to, value) vstore4(value, 0, to)
SHARED quad quad_of(scalar x) { return (quad)(x); }
SHARED quad quad_min(quad a, quad b) { return a < b ? a : b; }
SHARED quad quad_max(quad a, quad b) { return a > b ? a : b; }

#else

typedef scalar quad __attribute__((vector_size(4 * sizeof(scalar))));
typedef int quad_mask __attribute__((vector_size(4 * sizeof(int))));
STATIC_ASSERT(sizeof(quad) == sizeof(quad_mask), "quads are vectors of floats");
#define QUAD_LOAD(from) quad_load(from)
#define QUAD_STORE(to, value) quad_store(to, value)
SHARED quad quad_load(const scalar *from) {
    quad out;
    __builtin_memcpy(&out, from, sizeof out);
    return out;
}
SHARED void quad_store(scalar *to, quad value) { __builtin_memcpy(to, &value, sizeof value); }
SHARED quad quad_of(scalar x) { return (quad){x, x, x, x}; }
SHARED quad quad_choose(quad_mask m, quad a, quad b) {
    return (quad)((m & (quad_mask)a) | (~m & (quad_mask)b));
}
SHARED quad quad_min(quad a, quad b) { return quad_choose(a < b, a, b); }
SHARED quad quad_max(quad a, quad b) { return quad_choose(a > b, a, b); }

#endif

SHARED quad quad_clamp(quad x, quad low, quad high) { return quad_min(quad_max(x, low), high); }

#endif

#endif
