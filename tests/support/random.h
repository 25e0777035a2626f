/* Random numbers of the tests: SplitMix64 (Steele, Lea and Flood, 2014), identical with every compiler. Any
 * value is a valid state. Make one call per statement: the evaluation order of arguments differs between
 * compilers. */
#pragma once

#include <stdint.h>

static inline uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Returns a uniform number in [−1, 1). */
static inline double random_noise(uint64_t *state) {
    return (double)(random_bits(state) >> 11) * 0x1p-52 - 1;
}

/* Returns a uniform number in [low, high). */
static inline double random_between(uint64_t *state, double low, double high) {
    return low + (high - low) * ((double)(random_bits(state) >> 11) * 0x1p-53);
}

/* Returns a uniform integer in 0 … limit − 1. */
static inline int random_below(uint64_t *state, int limit) {
    return (int)((random_bits(state) >> 32) * (uint64_t)limit >> 32);
}
