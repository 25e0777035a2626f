/* Hulls of random points for tests, made once. */
#pragma once

#include "body_fixture.h"

enum { POOL = 12, POOL_POINTS = 24 };

static scree_geometry *hull_pool[POOL];

/* Fills the pool with hulls of random points in a cube, about two thirds of which are corners. */
static inline int hull_pool_make(void **state) {
    uint64_t seed = 99;
    (void)state;
    for (int i = 0; i < POOL; i++) {
        scree_vec3 points[POOL_POINTS];
        const int count = 4 + 2 * (i % 8) + (i > 8 ? 4 : 0);
        const vec3s size = random_vector(&seed, 0.3, 1);
        for (int k = 0; k < count; k++) {
            const vec3s at = glms_vec3_mul(random_vector(&seed, -1, 1), size);
            points[k] = (scree_vec3){at.x + 3, at.y, at.z};
        }
        CHECK(scree_hull_create(points, count, &hull_pool[i]));
    }
    return 0;
}

static inline int hull_pool_release(void **state) {
    (void)state;
    for (int i = 0; i < POOL; i++) scree_geometry_release(hull_pool[i]);
    return 0;
}

/* Returns a hull of the pool, or a shape of another kind with lengths from low to high. */
static inline scree_shape pool_shape(uint64_t *seed, scree_shape_kind kind, double low, double high) {
    const vec3s size = random_vector(seed, low, high);
    if (kind == SCREE_SHAPE_HULL) return scree_shape_hull(hull_pool[random_below(seed, POOL)], size.x);
    return shape_of(kind, size.x, size.y, size.z);
}
