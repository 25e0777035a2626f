/* Half-spaces: all points below the body's own plane z = 0. They have no sizes and are infinite. */
#include "shape.h"

#include "box_contact.h"
#include "sphere_contact.h"

scree_shape scree_shape_half_space(void) { return (scree_shape){SCREE_SHAPE_HALF_SPACE, {0, 0, 0}, NULL}; }

static double endless(scree_shape shape) { return (void)shape, INFINITY; }
static scalar endless_scalar(scree_shape shape) { return (void)shape, INFINITY; }

static vec3s unit_inertia(scree_shape shape) {
    (void)shape;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

static scree_vec3 size_of(vec3s half) { return (void)half, (scree_vec3){0, 0, 0}; }

static vec3s extent(scree_shape shape, versors rotation) {
    (void)shape, (void)rotation;
    return vec3_of(INFINITY, INFINITY, INFINITY);
}

/* Neither of two half-spaces can be dynamic. */
static manifold never(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                      scalar reach) {
    (void)shape_a, (void)pose_a, (void)shape_b, (void)pose_b, (void)reach;
    return (manifold){0};
}

SHAPE_CONTACTS(HALF_SPACE, sphere_half_space, box_half_space, never);

const shape_row shape_half_space = {
    "half-space", 0,       true,   false,          true,           endless,        endless, endless,
    unit_inertia, size_of, extent, endless_scalar, endless_scalar, cut_half_space, contacts};
