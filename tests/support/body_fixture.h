/* Bodies without a world, for tests of collision detection. */
#pragma once

#include "expect.h"
#include "random_vectors.h"

#include "state/bodies.h"

/* Rotates v by q in double precision: q v q*, expanded as a matrix. */
static inline void rotate_in_double(versors q, const double v[3], double out[3]) {
    const double x = q.x, y = q.y, z = q.z, w = q.w;
    const double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)},
                            {2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)},
                            {2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)}};
    for (int i = 0; i < 3; i++) out[i] = m[i][0] * v[0] + m[i][1] * v[1] + m[i][2] * v[2];
}

static inline scree_shape shape_of(scree_shape_kind kind, float x, float y, float z) {
    return (scree_shape){kind, {x, y, z}, NULL};
}

static inline body_pose pose_of(vec3s position, versors rotation) {
    return (body_pose){.position = position, .rotation = rotation};
}

static inline body_array bodies_make(int count) {
    const size_t n = (size_t)count + 1;
    body_array bodies = {.count = count, .capacity = count};
    bodies.poses = calloc(n, sizeof *bodies.poses);
    bodies.remainders = calloc(n, sizeof *bodies.remainders);
    bodies.velocities = calloc(n, sizeof *bodies.velocities);
    bodies.shapes = calloc(n, sizeof *bodies.shapes);
    bodies.types = calloc(n, sizeof *bodies.types);
    bodies.masses = calloc(n, sizeof *bodies.masses);
    assert_true(bodies.poses && bodies.remainders && bodies.velocities && bodies.shapes && bodies.types &&
                bodies.masses);
    for (int i = 0; i < count; i++) {
        bodies.poses[i].rotation = versor_of(0, 0, 0, 1);
        bodies.shapes[i] = shape_of(SCREE_SHAPE_SPHERE, 0.5f, 0, 0);
        bodies.types[i] = SLOT_DYNAMIC;
        bodies.masses[i].mass = 1;
    }
    return bodies;
}

static inline void bodies_free(body_array *bodies) {
    free(bodies->poses);
    free(bodies->remainders);
    free(bodies->velocities);
    free(bodies->shapes);
    free(bodies->types);
    free(bodies->masses);
}
