/* Vectors and matrices in double precision. They share no code with the dialect's. */
#pragma once

#include <math.h>

#include "layout.h"

typedef struct real3 {
    double x, y, z;
} real3;

/* Row-major. */
typedef struct real3x3 {
    double m[3][3];
} real3x3;

static inline real3 real3_of(vec3s v) { return (real3){(double)v.x, (double)v.y, (double)v.z}; }
static inline vec3s real3_rounded(real3 v) { return vec3_of((scalar)v.x, (scalar)v.y, (scalar)v.z); }
static inline real3 real3_sum(real3 a, real3 b) { return (real3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline real3 real3_difference(real3 a, real3 b) { return (real3){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline real3 real3_scaled(double s, real3 v) { return (real3){s * v.x, s * v.y, s * v.z}; }
static inline real3 real3_products(real3 a, real3 b) { return (real3){a.x * b.x, a.y * b.y, a.z * b.z}; }
static inline double real3_inner(real3 a, real3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline double real3_square(real3 v) { return real3_inner(v, v); }
static inline double real3_length(real3 v) { return sqrt(real3_square(v)); }
static inline real3 real3_cross(real3 a, real3 b) {
    return (real3){a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y};
}

static inline real3 real3x3_times(const real3x3 *a, real3 v) {
    return (real3){a->m[0][0] * v.x + a->m[0][1] * v.y + a->m[0][2] * v.z,
                   a->m[1][0] * v.x + a->m[1][1] * v.y + a->m[1][2] * v.z,
                   a->m[2][0] * v.x + a->m[2][1] * v.y + a->m[2][2] * v.z};
}

static inline double real3x3_trace(const real3x3 *a) { return a->m[0][0] + a->m[1][1] + a->m[2][2]; }
