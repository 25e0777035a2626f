/* Bodies without a world, for tests of collision detection. */
#pragma once

#include "expect.h"
#include "random_vectors.h"

#include "state/bodies.h"

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
