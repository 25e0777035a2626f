/* Clumps, compounds, meshes and solids for tests, made once, with the hulls of hull_pool.h. */
#pragma once

#include "hull_pool.h"

enum { CHILD_POOL = 4, CHILD_COLUMNS = 9 };

static scree_geometry *clump_pool[CHILD_POOL], *compound_pool[CHILD_POOL], *mesh_pool[CHILD_POOL],
    *solid_pool[2];

static inline void clump_pool_make(uint64_t *seed) {
    for (int i = 0; i < CHILD_POOL; i++) {
        scree_clump_sphere spheres[6];
        const int count = 1 + i + (i > 1);
        for (int k = 0; k < count; k++) {
            const vec3s at = random_vector(seed, -0.5, 0.5);
            spheres[k] = (scree_clump_sphere){{at.x, at.y, at.z}, (float)random_between(seed, 0.2, 0.5)};
        }
        CHECK(scree_clump_create(spheres, count, &clump_pool[i]));
    }
}

static inline scree_compound_child any_part(uint64_t *seed, int kind) {
    static const scree_shape_kind kinds[] = {SCREE_SHAPE_BOX,  SCREE_SHAPE_SPHERE,    SCREE_SHAPE_CAPSULE,
                                             SCREE_SHAPE_HULL, SCREE_SHAPE_ELLIPSOID, SCREE_SHAPE_CYLINDER,
                                             SCREE_SHAPE_CONE};
    const versors q = random_rotation(seed);
    const vec3s at = random_vector(seed, -0.5, 0.5);
    scree_shape shape = pool_shape(seed, kinds[kind % 7], 0.2, 0.5);
    if (shape.kind == SCREE_SHAPE_SPHERE) shape.size.y = 0;
    if (shape.kind != SCREE_SHAPE_BOX && shape.kind != SCREE_SHAPE_ELLIPSOID) shape.size.z = 0;
    return (scree_compound_child){.shape = shape,
                                  .position = {at.x, at.y, at.z},
                                  .rotation = {q.x, q.y, q.z, q.w},
                                  .relative_density = 1};
}

/* The last one is an L of boxes with coplanar faces. */
static inline void compound_pool_make(uint64_t *seed) {
    for (int i = 0; i < CHILD_POOL - 1; i++) {
        scree_compound_child parts[4];
        const int count = 2 + i;
        for (int k = 0; k < count; k++) parts[k] = any_part(seed, 3 * i + k);
        CHECK(scree_compound_create(parts, count, &compound_pool[i]));
    }
    scree_compound_child boxes[2] = {scree_default_compound_child(), scree_default_compound_child()};
    for (int k = 0; k < 2; k++) boxes[k].shape = scree_shape_box(0.25f, 0.25f, 0.25f);
    boxes[1].position.x = 0.5f;
    CHECK(scree_compound_create(boxes, 2, &compound_pool[CHILD_POOL - 1]));
}

/* A flat field, a rough one, and steps. */
static inline void field_make(uint64_t *seed, int which, scree_geometry **out) {
    float heights[CHILD_COLUMNS * CHILD_COLUMNS];
    for (int i = 0; i < CHILD_COLUMNS * CHILD_COLUMNS; i++)
        heights[i] = which == 0   ? 0
                     : which == 1 ? (float)random_between(seed, -0.1, 0.1)
                                  : (float)(i % CHILD_COLUMNS / 3) * 0.1f;
    CHECK(scree_height_field_create(heights, CHILD_COLUMNS, CHILD_COLUMNS, 0.125f, 0.125f, out));
}

static const scree_triangle cube_faces[12] = {{{0, 2, 1}}, {{1, 2, 3}}, {{4, 5, 6}}, {{5, 7, 6}},
                                              {{0, 1, 4}}, {{1, 5, 4}}, {{2, 6, 3}}, {{3, 6, 7}},
                                              {{0, 4, 2}}, {{2, 4, 6}}, {{1, 3, 5}}, {{3, 7, 5}}};

static inline void cube_corners(float x, float y, float z, scree_vec3 *out) {
    for (int i = 0; i < 8; i++) out[i] = (scree_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
}

static inline int children_pool_make(void **state) {
    uint64_t seed = 4;
    scree_vec3 corners[8];
    hull_pool_make(state);
    clump_pool_make(&seed);
    compound_pool_make(&seed);
    for (int i = 0; i < CHILD_POOL - 1; i++) field_make(&seed, i, &mesh_pool[i]);
    cube_corners(0.5f, 0.4f, 0.3f, corners);
    CHECK(scree_mesh_create(corners, 8, cube_faces, 12, &mesh_pool[CHILD_POOL - 1]));
    CHECK(scree_solid_create(corners, 8, cube_faces, 12, &solid_pool[0]));
    for (int i = 0; i < 4; i++) corners[i].x *= 0.5f;
    CHECK(scree_solid_create(corners, 8, cube_faces, 12, &solid_pool[1]));
    return 0;
}

static inline int children_pool_release(void **state) {
    for (int i = 0; i < CHILD_POOL; i++) {
        scree_geometry_release(clump_pool[i]);
        scree_geometry_release(compound_pool[i]);
        scree_geometry_release(mesh_pool[i]);
    }
    for (int i = 0; i < 2; i++) scree_geometry_release(solid_pool[i]);
    return hull_pool_release(state);
}

/* Returns a shape of a kind with children. */
static inline scree_shape children_shape(uint64_t *seed, scree_shape_kind kind, double low, double high) {
    const float scale = (float)random_between(seed, low, high);
    const int which = random_below(seed, CHILD_POOL);
    switch (kind) {
    case SCREE_SHAPE_CLUMP:
        return scree_shape_clump(clump_pool[which], scale);
    case SCREE_SHAPE_COMPOUND:
        return scree_shape_compound(compound_pool[which], scale);
    case SCREE_SHAPE_MESH:
        return scree_shape_mesh(mesh_pool[which], scale);
    default:
        return scree_shape_solid(solid_pool[which % 2], scale);
    }
}
