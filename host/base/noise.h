/* Noise for the generators: a hash of a counter. The numbers of an item depend only on seed, generator,
 * attempt and item, not on the order of calls. Key 0 (seed 0, first generator, first attempt) gives the noise
 * of the benchmark scenes. */
#pragma once

#include <math.h>

#include <scree/core.h>

/* Use of the eight numbers of an item. */
typedef enum noise_channel {
    NOISE_POSITION = 0, /* and the two after it */
    NOISE_ROTATION = 3, /* and the two after it */
    NOISE_SIZE = 6,
    NOISE_CHANNELS = 8
} noise_channel;

/* 32-bit finaliser with low bias (C. Wellons, "Prospecting for hash functions", 2018). */
static inline uint32_t noise_hash(uint32_t x) {
    x ^= x >> 16;
    x *= UINT32_C(0x7feb352d);
    x ^= x >> 15;
    x *= UINT32_C(0x846ca68b);
    x ^= x >> 16;
    return x;
}

/* The finaliser of SplitMix64 (Steele, Lea and Flood 2014). Maps 0 to 0, as noise_hash does. */
static inline uint64_t noise_mix(uint64_t x) {
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Returns the key of the stream of one generator and attempt; 0 if all arguments are 0. */
static inline uint32_t noise_key(uint64_t seed, uint32_t generator, uint32_t attempt) {
    uint64_t key = noise_mix(seed);
    key = noise_mix(key + generator * UINT64_C(0x9e3779b97f4a7c15));
    key = noise_mix(key + attempt * UINT64_C(0x9e3779b97f4a7c15));
    return (uint32_t)(key ^ (key >> 32));
}

/* Returns a number in [0, 1), a multiple of 2⁻²⁴. A key other than 0 takes a second hash, so that streams
 * share no runs. */
static inline double noise_unit(uint32_t key, uint32_t item, int channel) {
    uint32_t x = noise_hash(NOISE_CHANNELS * item + (uint32_t)channel);
    if (key) x = noise_hash(x ^ key);
    return (double)(x >> 8) / 16777216.0;
}

/* Returns a uniformly distributed rotation (K. Shoemake, "Uniform random rotations", Graphics Gems III,
 * 1992). */
static inline scree_quat noise_rotation(uint32_t key, uint32_t item) {
    const double turn = 6.283185307179586476925;
    const double u = noise_unit(key, item, NOISE_ROTATION);
    const double a = turn * noise_unit(key, item, NOISE_ROTATION + 1);
    const double b = turn * noise_unit(key, item, NOISE_ROTATION + 2);
    return (scree_quat){(float)(sqrt(1 - u) * sin(a)), (float)(sqrt(1 - u) * cos(a)),
                        (float)(sqrt(u) * sin(b)), (float)(sqrt(u) * cos(b))};
}
