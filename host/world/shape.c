#include "shapes.h"

#include "../base/error.h"

#include <math.h>

/* What the world needs to know of a kind. A new kind adds a row here, one in collide/bounds.c, its pairs in
 * collide/manifold.c and its ray in kernels/ray.h; no stage names kinds otherwise. */
typedef struct shape_traits {
    const char *name;
    int sizes; /* how many of size.x, y, z are used */
    double (*volume)(scree_vec3 size);
    vec3s (*unit_inertia)(scree_vec3 size); /* principal moments for mass 1, m² */
    bool movable;                           /* may be dynamic */
} shape_traits;

static double sphere_volume(scree_vec3 size) {
    return 4.0 / 3.0 * M_PI * (double)size.x * (double)size.x * (double)size.x;
}

/* I = 2/5 m r². */
static vec3s sphere_inertia(scree_vec3 size) {
    const float i = 0.4f * size.x * size.x;
    return vec3_of(i, i, i);
}

static double box_volume(scree_vec3 size) { return 8.0 * (double)size.x * (double)size.y * (double)size.z; }

/* I_x = m (y² + z²)/3 with half extents. */
static vec3s box_inertia(scree_vec3 size) {
    const float x = size.x * size.x / 3, y = size.y * size.y / 3, z = size.z * size.z / 3;
    return vec3_of(y + z, x + z, x + y);
}

static double half_space_volume(scree_vec3 size) {
    (void)size;
    return INFINITY;
}

static vec3s half_space_inertia(scree_vec3 size) {
    (void)size;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

static const shape_traits traits[SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = {"sphere", 1, sphere_volume, sphere_inertia, true},
    [SCREE_SHAPE_BOX] = {"box", 3, box_volume, box_inertia, true},
    [SCREE_SHAPE_HALF_SPACE] = {"half-space", 0, half_space_volume, half_space_inertia, false},
};

static bool known(scree_shape_kind kind) { return (unsigned)kind < SCREE_SHAPE_COUNT; }

scree_shape scree_sphere(float radius) { return (scree_shape){SCREE_SHAPE_SPHERE, {radius, 0, 0}}; }
scree_shape scree_box(float x, float y, float z) { return (scree_shape){SCREE_SHAPE_BOX, {x, y, z}}; }
scree_shape scree_half_space(void) { return (scree_shape){SCREE_SHAPE_HALF_SPACE, {0, 0, 0}}; }

const char *scree_shape_kind_name(scree_shape_kind kind) { return known(kind) ? traits[kind].name : NULL; }
double scree_shape_volume(scree_shape shape) {
    return known(shape.kind) ? traits[shape.kind].volume(shape.size) : 0;
}
vec3s shape_unit_inertia(scree_shape shape) { return traits[shape.kind].unit_inertia(shape.size); }
bool shape_movable(scree_shape shape) { return traits[shape.kind].movable; }

scree_result scree_validate_shape(scree_shape shape) {
    if (!known(shape.kind))
        return fail(SCREE_ERROR_ARGUMENT, "shape.kind is %d, expected 0 to %d", (int)shape.kind,
                    SCREE_SHAPE_COUNT - 1);
    const float sizes[3] = {shape.size.x, shape.size.y, shape.size.z};
    for (int i = 0; i < traits[shape.kind].sizes; i++)
        if (!(sizes[i] > 0) || !isfinite(sizes[i]))
            return fail(SCREE_ERROR_ARGUMENT, "shape.size.%c of a %s is %g, expected a length above 0 m",
                        "xyz"[i], traits[shape.kind].name, (double)sizes[i]);
    return SCREE_OK;
}
