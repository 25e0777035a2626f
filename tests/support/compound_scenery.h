/* Children and compounds for the tests of compounds. */
#pragma once

#include "scenery.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const scree_quat straight = {0, 0, 0, 1};

static inline scree_compound_child child_at(scree_shape shape, float x, float y, float z) {
    return (scree_compound_child){shape, {x, y, z}, straight, 1};
}

static inline scree_geometry *compound_of(const scree_compound_child *parts, int count) {
    scree_geometry *made = NULL;
    CHECK(scree_compound_create(parts, count, &made));
    return made;
}

static inline scree_geometry *brick_hull(float x, float y, float z) {
    scree_geometry *made = NULL;
    scree_vec3 corners[8];
    for (int i = 0; i < 8; i++) corners[i] = (scree_vec3){i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z};
    CHECK(scree_hull_create(corners, 8, &made));
    return made;
}

/* A table: a top of 1.2 × 0.8 × 0.05 m at 0.725 m on four round legs of 0.7 m, with the feet at z = 0. */
enum { TABLE = 5 };
static inline scree_geometry *table_of(float density_of_top) {
    scree_compound_child parts[TABLE];
    for (int i = 0; i < 4; i++)
        parts[i] =
            child_at(scree_shape_cylinder(0.03f, 0.35f), i & 1 ? 0.5f : -0.5f, i & 2 ? 0.3f : -0.3f, 0.35f);
    parts[4] = child_at(scree_shape_box(0.6f, 0.4f, 0.025f), 0, 0, 0.725f);
    parts[4].relative_density = density_of_top;
    return compound_of(parts, TABLE);
}
