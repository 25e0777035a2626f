/* Random vectors and rotations in the kernels' types. */
#pragma once

#include <math.h>

#include "random.h"
#include "rotation.h"

/* Returns a vector uniform in a cube. */
static inline vec3s random_vector(uint64_t *state, double low, double high) {
    const double x = random_between(state, low, high), y = random_between(state, low, high);
    return vec3_of((scalar)x, (scalar)y, (scalar)random_between(state, low, high));
}

/* Returns a direction uniform over the unit sphere, by rejection from the ball. */
static inline vec3s random_direction(uint64_t *state) {
    for (;;) {
        const double x = random_noise(state), y = random_noise(state), z = random_noise(state);
        const double norm = sqrt(x * x + y * y + z * z);
        if (norm > 0.1 && norm <= 1)
            return vec3_of((scalar)(x / norm), (scalar)(y / norm), (scalar)(z / norm));
    }
}

/* Returns a rotation uniform over all rotations, by rejection from the four-dimensional ball. */
static inline versors random_rotation(uint64_t *state) {
    for (;;) {
        const double x = random_noise(state), y = random_noise(state);
        const double z = random_noise(state), w = random_noise(state);
        const double norm = sqrt(x * x + y * y + z * z + w * w);
        if (norm > 0.1 && norm <= 1)
            return versor_of((scalar)(x / norm), (scalar)(y / norm), (scalar)(z / norm), (scalar)(w / norm));
    }
}

/* Returns Q diag(1, √κ, κ) Qᵀ / κ for a random rotation Q: condition number κ. */
static inline symmetric3 random_symmetric(uint64_t *state, double condition) {
    const double w = random_noise(state), z = random_noise(state);
    const double y = random_noise(state), x = random_noise(state);
    const versors q = rotation_normalised(versor_of((scalar)x, (scalar)y, (scalar)z, (scalar)w));
    return rotation_tensor(q, vec3_of(1, (scalar)(1 / sqrt(condition)), (scalar)(1 / condition)));
}
