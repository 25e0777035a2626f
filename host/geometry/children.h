/* Shapes made of children: which children of two bodies may touch, and where they are. Any other shape is its
 * own only child. */
#pragma once

#include "bounds.h"
#include "ray.h"
#include "shape.h"

/* A child, with its pose in the body's axes. */
typedef struct shape_child {
    scree_shape shape;
    vec3s centre; /* m from the body's origin */
    versors rotation;
} shape_child;

/* A child as a body of its own. */
typedef struct placed_child {
    scree_shape shape;
    body_pose pose;
    vec3s arm; /* from the body's centre to the child's, m, world axes */
} placed_child;

typedef void child_visit(void *context, int child);

/* A kind of shape made of children. */
typedef struct children_row {
    int (*count)(scree_shape);
    shape_child (*child)(scree_shape, int child);
    /* Visits the children whose boxes meet a box in the body's axes. */
    void (*near)(scree_shape, bounds around, child_visit *visit, void *context);
    /* Visits the children whose boxes a ray in the body's axes meets; null if there are few. */
    void (*along)(scree_shape, vec3s origin, vec3s direction, child_visit *visit, void *context);
    bool whole; /* whether children are bodies of their own, not pieces of one surface */
} children_row;

extern const children_row children_clump, children_mesh, children_solid, children_compound;
extern const children_row seen_compound; /* children of compounds as rays see them */
extern const children_row *const children_rows[SCREE_SHAPE_COUNT]; /* null: one child */

static inline bool shape_has_children(scree_shape shape) { return children_rows[shape.kind]; }
/* Returns whether the shape is the union of its children. */
static inline bool shape_has_whole_children(scree_shape shape) {
    return shape_has_children(shape) && children_rows[shape.kind]->whole;
}
static inline int children_count(scree_shape shape) {
    return shape_has_children(shape) ? children_rows[shape.kind]->count(shape) : 1;
}

/* Shapes that rays see: the children, or the triangles of the surface, if there is one. */
int children_seen_count(scree_shape shape);
placed_child children_seen(scree_shape shape, body_pose pose, int i);
/* Visits those that a ray may meet. */
void children_seen_along(scree_shape shape, body_pose pose, vec3s origin, vec3s direction, child_visit *visit,
                         void *context);

/* Returns a child as rays see it, without gloss and colour. */
ray_body children_ray(const placed_child *child);
placed_child children_place(scree_shape shape, body_pose pose, int child);

/* Children of bodies a and b that a number encodes: child of a · children of b + child of b. */
typedef struct child_numbers {
    int a, b;
} child_numbers;
static inline child_numbers children_of(scree_shape shape_b, int number) {
    const int count = children_count(shape_b);
    return (child_numbers){number / count, number % count};
}

/* Returns the box of a shape in the axes of a body, extended by `reach`. */
bounds children_box_in(body_pose body, scree_shape shape, body_pose pose, scalar reach);

/* Visits the numbers of all children of two bodies whose boxes come within `reach`. */
void children_near(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, scalar reach,
                   child_visit *visit, void *context);
