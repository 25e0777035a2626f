/* Positions along a Morton curve: points close in space have close numbers. */
#pragma once

#include <stdint.h>

enum { MORTON_BITS = 20 }; /* per axis */

/* Inserts two zero bits after each of the low 20 bits. */
static inline uint64_t morton_spread(uint64_t x) {
    x = (x | x << 32) & 0x001f00000000ffff;
    x = (x | x << 16) & 0x001f0000ff0000ff;
    x = (x | x << 8) & 0x100f00f00f00f00f;
    x = (x | x << 4) & 0x10c30c30c30c30c3;
    x = (x | x << 2) & 0x1249249249249249;
    return x;
}

/* Returns the bits of a coordinate along one axis, 0 to 2; clamps `cell` to 0 … 2^20 − 1. */
static inline uint64_t morton_bits(double cell, int axis) {
    const double last = (1 << MORTON_BITS) - 1;
    return morton_spread((uint64_t)(cell < 0 ? 0 : cell > last ? last : cell)) << axis;
}
