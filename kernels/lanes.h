/* Records of a device's memory in lanes: each lane has its own place in an array of structs, and the 128-bit
 * words that it finds there are turned into vectors by transposing. Of OpenCL C at widths of 8 and 16 alone;
 * the native backend has its own (base/lanes.h). */
#ifndef SCREE_KERNELS_LANES_H
#define SCREE_KERNELS_LANES_H

#include "layout.h"

#if defined __OPENCL_VERSION__ && SCREE_WIDTH > 1

/* Four floats of every lane: what one word holds. */
typedef struct quad {
    scalar x, y, z, w;
} quad;

/* The record of lane i is the one that at[step i] says, and `more` on, or if they are in a row number i +
 * more; lanes behind the last one have its record. Places are read where they are asked for: to take numbers
 * out of a register one by one is slower. Nothing here is a loop, which not every compiler unrolls. */
typedef struct lane_places {
    global const int *at;
    int step, more, last, in_row;
} lane_places;

SHARED lane_places places_of(global const int *at, const int step, const int more, const int last) {
    lane_places out;
    out.at = at, out.step = step, out.more = more, out.last = last, out.in_row = 0;
    return out;
}

SHARED lane_places places_in_row(const int first, const int last) {
    lane_places out;
    out.at = 0, out.step = 0, out.more = first, out.last = last, out.in_row = 1;
    return out;
}

/* The first, or the last, two numbers of each word of a and b in turns; the first, or the last, pair of each.
 */
#if SCREE_WIDTH == 16
SHARED scalar turns_low(scalar a, scalar b) {
    return (scalar)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5, a.s8, b.s8, a.s9, b.s9, a.sc, b.sc, a.sd,
                    b.sd);
}
SHARED scalar turns_high(scalar a, scalar b) {
    return (scalar)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7, a.sa, b.sa, a.sb, b.sb, a.se, b.se, a.sf,
                    b.sf);
}
SHARED scalar pairs_low(scalar a, scalar b) {
    return (scalar)(a.s0, a.s1, b.s0, b.s1, a.s4, a.s5, b.s4, b.s5, a.s8, a.s9, b.s8, b.s9, a.sc, a.sd, b.sc,
                    b.sd);
}
SHARED scalar pairs_high(scalar a, scalar b) {
    return (scalar)(a.s2, a.s3, b.s2, b.s3, a.s6, a.s7, b.s6, b.s7, a.sa, a.sb, b.sa, b.sb, a.se, a.sf, b.se,
                    b.sf);
}
#else
SHARED scalar turns_low(scalar a, scalar b) {
    return (scalar)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5);
}
SHARED scalar turns_high(scalar a, scalar b) {
    return (scalar)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7);
}
SHARED scalar pairs_low(scalar a, scalar b) { return (scalar)(a.s01, b.s01, a.s45, b.s45); }
SHARED scalar pairs_high(scalar a, scalar b) { return (scalar)(a.s23, b.s23, a.s67, b.s67); }
#endif

/* The 4 × 4 transpose within each word; its own inverse. */
SHARED quad quad_transposed(const quad q) {
    const scalar ab = turns_low(q.x, q.y), cd = turns_low(q.z, q.w), ef = turns_high(q.x, q.y),
                 gh = turns_high(q.z, q.w);
    quad out;
    out.x = pairs_low(ab, cd), out.y = pairs_high(ab, cd);
    out.z = pairs_low(ef, gh), out.w = pairs_high(ef, gh);
    return out;
}

SHARED int lane_word(const lane_places of, const int stride, const int word, const int i) {
    const int k = i < of.last ? i : of.last;
    return stride * ((of.in_row ? k : of.at[of.step * k]) + of.more) + word;
}

/* The words of lanes i, i + 4 and so on side by side. */
SHARED scalar lane_words(global const float4 *words, const lane_places of, const int stride, const int word,
                         const int i) {
#if SCREE_WIDTH == 16
    return (scalar)(words[lane_word(of, stride, word, i)], words[lane_word(of, stride, word, i + 4)],
                    words[lane_word(of, stride, word, i + 8)], words[lane_word(of, stride, word, i + 12)]);
#else
    return (scalar)(words[lane_word(of, stride, word, i)], words[lane_word(of, stride, word, i + 4)]);
#endif
}

/* Word `word` of each lane's record in an array of records of `stride` words. */
SHARED quad lanes_load(global const float4 *words, const lane_places of, const int stride, const int word) {
    quad q;
    q.x = lane_words(words, of, stride, word, 0), q.y = lane_words(words, of, stride, word, 1);
    q.z = lane_words(words, of, stride, word, 2), q.w = lane_words(words, of, stride, word, 3);
    return quad_transposed(q);
}

/* Of eight lanes from `first` on, the words of those that are meant. */
SHARED void words_store(global float4 *words, const lane_places of, const int stride, const int word,
                        const int first, const int8 meant, const float8 x, const float8 y, const float8 z,
                        const float8 w) {
    if (meant.s0) words[lane_word(of, stride, word, first)] = x.lo;
    if (meant.s1) words[lane_word(of, stride, word, first + 1)] = y.lo;
    if (meant.s2) words[lane_word(of, stride, word, first + 2)] = z.lo;
    if (meant.s3) words[lane_word(of, stride, word, first + 3)] = w.lo;
    if (meant.s4) words[lane_word(of, stride, word, first + 4)] = x.hi;
    if (meant.s5) words[lane_word(of, stride, word, first + 5)] = y.hi;
    if (meant.s6) words[lane_word(of, stride, word, first + 6)] = z.hi;
    if (meant.s7) words[lane_word(of, stride, word, first + 7)] = w.hi;
}

SHARED void quad_store(global float4 *words, const lane_places of, const scalar_mask meant, const int stride,
                       const int word, const quad q) {
#if SCREE_WIDTH == 16
    words_store(words, of, stride, word, 0, meant.lo, q.x.lo, q.y.lo, q.z.lo, q.w.lo);
    words_store(words, of, stride, word, 8, meant.hi, q.x.hi, q.y.hi, q.z.hi, q.w.hi);
#else
    words_store(words, of, stride, word, 0, meant, q.x, q.y, q.z, q.w);
#endif
}

/* The other way, for the lanes that are meant. */
SHARED void lanes_store(global float4 *words, const lane_places of, const scalar_mask meant, const int stride,
                        const int word, const quad q) {
    const quad t = quad_transposed(q);
    if (any_lane(~meant))
        quad_store(words, of, meant, stride, word, t);
    else
        quad_store(words, of, (scalar_mask)(-1), stride, word, t);
}

SHARED void numbers_store(global float *to, const lane_places of, const int first, const int8 meant,
                          const float8 x) {
    if (meant.s0) to[lane_word(of, 1, 0, first)] = x.s0;
    if (meant.s1) to[lane_word(of, 1, 0, first + 1)] = x.s1;
    if (meant.s2) to[lane_word(of, 1, 0, first + 2)] = x.s2;
    if (meant.s3) to[lane_word(of, 1, 0, first + 3)] = x.s3;
    if (meant.s4) to[lane_word(of, 1, 0, first + 4)] = x.s4;
    if (meant.s5) to[lane_word(of, 1, 0, first + 5)] = x.s5;
    if (meant.s6) to[lane_word(of, 1, 0, first + 6)] = x.s6;
    if (meant.s7) to[lane_word(of, 1, 0, first + 7)] = x.s7;
}

/* A number of each lane that is meant. */
SHARED void floats_store(global float *to, const lane_places of, const scalar_mask meant, const scalar x) {
    const int last = SCREE_WIDTH - 1;
    if (!any_lane(~meant) && lane_word(of, 1, 0, last) == lane_word(of, 1, 0, 0) + last) {
        scalar_store(x, 0, to + lane_word(of, 1, 0, 0)); /* they rise */
        return;
    }
#if SCREE_WIDTH == 16
    numbers_store(to, of, 0, meant.lo, x.lo), numbers_store(to, of, 8, meant.hi, x.hi);
#else
    numbers_store(to, of, 0, meant, x);
#endif
}

SHARED vec3s quad_xyz(const quad q) { return vec3_of(q.x, q.y, q.z); }
SHARED quad quad_of(const vec3s v, const scalar w) {
    quad q;
    q.x = v.x, q.y = v.y, q.z = v.z, q.w = w;
    return q;
}

/* Words of a struct. */
enum { BLOCK_WORDS = 6, DIAGONAL_WORDS = 2, IMPULSE_WORDS = 1, VELOCITY_WORDS = 2, MOBILITY_WORDS = 3 };

/* Contacts without drift. */
SHARED constraint_block contacts_load(global const float4 *blocks, const lane_places at) {
    const quad arm_a = lanes_load(blocks, at, BLOCK_WORDS, 1), arm_b = lanes_load(blocks, at, BLOCK_WORDS, 2),
               normal = lanes_load(blocks, at, BLOCK_WORDS, 3),
               tangent = lanes_load(blocks, at, BLOCK_WORDS, 4);
    constraint_block block;
    block.kind = BLOCK_CONTACT, block.angular = 0;
    block.arm_a = quad_xyz(arm_a), block.bias = arm_a.w;
    block.arm_b = quad_xyz(arm_b), block.correction = arm_b.w;
    block.normal = quad_xyz(normal), block.friction = normal.w;
    block.tangent = quad_xyz(tangent), block.compliance = tangent.w;
    return block;
}

SHARED block_diagonal diagonals_load(global const float4 *diagonals, const lane_places at) {
    const quad diagonal = lanes_load(diagonals, at, DIAGONAL_WORDS, 0),
               off_diagonal = lanes_load(diagonals, at, DIAGONAL_WORDS, 1);
    block_diagonal out;
    out.diagonal = quad_xyz(diagonal), out.inverse_normal = diagonal.w;
    out.off_diagonal = quad_xyz(off_diagonal), out.inverse_tangent = off_diagonal.w;
    return out;
}

SHARED void diagonals_store(global float4 *diagonals, const lane_places at, const scalar_mask used,
                            const block_diagonal delassus) {
    lanes_store(diagonals, at, used, DIAGONAL_WORDS, 0, quad_of(delassus.diagonal, delassus.inverse_normal));
    lanes_store(diagonals, at, used, DIAGONAL_WORDS, 1,
                quad_of(delassus.off_diagonal, delassus.inverse_tangent));
}

SHARED block_impulse impulses_load(global const float4 *impulses, const lane_places at) {
    const quad q = lanes_load(impulses, at, IMPULSE_WORDS, 0);
    block_impulse r;
    r.value = quad_xyz(q), r.shift = q.w;
    return r;
}

SHARED void impulses_store(global float4 *impulses, const lane_places at, const scalar_mask used,
                           const block_impulse r) {
    lanes_store(impulses, at, used, IMPULSE_WORDS, 0, quad_of(r.value, r.shift));
}

SHARED body_velocity velocities_load(global const float4 *velocities, const lane_places at) {
    const quad linear = lanes_load(velocities, at, VELOCITY_WORDS, 0),
               angular = lanes_load(velocities, at, VELOCITY_WORDS, 1);
    body_velocity v;
    v.linear = quad_xyz(linear), v.reserved = linear.w;
    v.angular = quad_xyz(angular), v.reserved_angular = angular.w;
    return v;
}

SHARED void velocities_store(global float4 *velocities, const lane_places at, const scalar_mask moves,
                             const body_velocity v) {
    lanes_store(velocities, at, moves, VELOCITY_WORDS, 0, quad_of(v.linear, v.reserved));
    lanes_store(velocities, at, moves, VELOCITY_WORDS, 1, quad_of(v.angular, v.reserved_angular));
}

SHARED body_mobility mobilities_load(global const float4 *mobility, const lane_places at) {
    body_mobility m;
    m.inverse_mass = quad_xyz(lanes_load(mobility, at, MOBILITY_WORDS, 0));
    m.diagonal = quad_xyz(lanes_load(mobility, at, MOBILITY_WORDS, 1));
    m.off_diagonal = quad_xyz(lanes_load(mobility, at, MOBILITY_WORDS, 2));
    return m;
}

#endif

#endif
