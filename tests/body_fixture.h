/* Bodies without a world, and a generator of reproducible random numbers, for tests of the collision stage.
 */
#ifndef SCREE_TESTS_BODY_FIXTURE_H
#define SCREE_TESTS_BODY_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "world/bodies.h"
#include "base/memory.h" /* before cmocka, whose macro fail() hides the function of that name */

#include <cmocka.h>

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static inline uint64_t random_bits(uint64_t *state) {
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* Uniform in [low, high). */
static inline float random_between(uint64_t *state, double low, double high) {
    return (float)(low + (high - low) * (double)(random_bits(state) >> 11) * 0x1p-53);
}

static inline vec3s random_vector(uint64_t *state, double low, double high) {
    const float x = random_between(state, low, high), y = random_between(state, low, high);
    return vec3_of(x, y, random_between(state, low, high));
}

/* Uniform over all rotations, by rejection from the ball in four dimensions. */
static inline versors random_rotation(uint64_t *state) {
    for (;;) {
        const double x = random_between(state, -1, 1), y = random_between(state, -1, 1);
        const double z = random_between(state, -1, 1), w = random_between(state, -1, 1);
        const double norm = sqrt(x * x + y * y + z * z + w * w);
        if (norm > 1 || norm < 0.1) continue;
        return versor_of((float)(x / norm), (float)(y / norm), (float)(z / norm), (float)(w / norm));
    }
}

static inline scree_shape shape_of(scree_shape_kind kind, float x, float y, float z) {
    return (scree_shape){kind, {x, y, z}};
}

static inline body_pose pose_of(vec3s position, versors rotation) {
    return (body_pose){.position = position, .rotation = rotation};
}

static inline body_array bodies_make(int count) {
    const size_t n = (size_t)count + 1;
    body_array bodies = {.count = count, .capacity = count};
    bodies.poses = calloc(n, sizeof *bodies.poses);
    bodies.velocities = calloc(n, sizeof *bodies.velocities);
    bodies.shapes = calloc(n, sizeof *bodies.shapes);
    bodies.types = calloc(n, sizeof *bodies.types);
    assert_true(bodies.poses && bodies.velocities && bodies.shapes && bodies.types);
    for (int i = 0; i < count; i++) {
        bodies.poses[i].rotation = versor_of(0, 0, 0, 1);
        bodies.shapes[i] = shape_of(SCREE_SHAPE_SPHERE, 0.5f, 0, 0);
        bodies.types[i] = SLOT_DYNAMIC;
    }
    return bodies;
}

static inline void bodies_free(body_array *bodies) {
    free(bodies->poses);
    free(bodies->velocities);
    free(bodies->shapes);
    free(bodies->types);
}

#endif
