/* Shapes that are made of parts: which parts of two bodies may touch, and where they are. A shape that is not
 * is its own only part. */
#ifndef SCREE_DETECT_COMPOUND_CHILDREN_H
#define SCREE_DETECT_COMPOUND_CHILDREN_H

#include "bounds.h"
#include "ray.h"
#include "shape.h"

/* A part, with its pose in the body's axes. */
typedef struct shape_child {
    scree_shape shape;
    vec3s centre; /* m from the body's origin */
    versors rotation;
} shape_child;

/* A part as a body of its own. */
typedef struct placed_child {
    scree_shape shape;
    body_pose pose;
    vec3s arm; /* of its centre from the body's, m, world axes */
} placed_child;

typedef void part_visit(void *context, int part);

/* A kind that is made of parts. */
typedef struct children_row {
    int (*count)(scree_shape);
    shape_child (*part)(scree_shape, int part);
    /* Visits the parts whose boxes meet a box in the body's axes, rising. */
    void (*near)(scree_shape, bounds around, part_visit *visit, void *context);
    /* What is left of what a part touches at this pose, where its neighbours have their say; null: all of it.
     * `by`: what touches it; `outward`: 1 if the manifold's normal leads away from the part, else −1. */
    void (*settle)(scree_shape, body_pose pose, int part, const struct placed_child *by, scalar outward,
                   manifold *touch);
    /* Visits the parts whose boxes a ray in the body's axes meets; null: there are few. */
    void (*along)(scree_shape, vec3s origin, vec3s direction, part_visit *visit, void *context);
    bool whole; /* whether its parts are bodies of their own, not pieces of one surface */
} children_row;

extern const children_row children_clump, children_mesh, children_solid, children_compound;
extern const children_row seen_compound;                           /* parts of compounds as rays see them */
extern const children_row *const children_rows[SCREE_SHAPE_COUNT]; /* null: one part */

static inline bool shape_has_children(scree_shape shape) { return children_rows[shape.kind]; }
/* Whether it is all that is in its parts. */
static inline bool shape_has_whole_children(scree_shape shape) {
    return shape_has_children(shape) && children_rows[shape.kind]->whole;
}
static inline int children_count(scree_shape shape) {
    return shape_has_children(shape) ? children_rows[shape.kind]->count(shape) : 1;
}

/* What rays see of a shape: its parts, or the triangles of its surface, if it has one. */
int children_seen_count(scree_shape shape);
placed_child children_seen(scree_shape shape, body_pose pose, int i);
/* Visits those that a ray may meet. */
void children_seen_along(scree_shape shape, body_pose pose, vec3s origin, vec3s direction, part_visit *visit,
                         void *context);

/* A part as rays see it, without gloss and colour. */
ray_body children_ray(const placed_child *part);
placed_child children_place(scree_shape shape, body_pose pose, int part);

/* Of bodies a and b, the parts that number `number` stands for: part of a · parts of b + part of b. */
typedef struct part_numbers {
    int a, b;
} part_numbers;
static inline part_numbers children_of(scree_shape shape_b, int number) {
    const int count = children_count(shape_b);
    return (part_numbers){number / count, number % count};
}

/* The box of a shape in the axes of a body, `reach` larger. */
bounds children_box_in(body_pose body, scree_shape shape, body_pose pose, scalar reach);

/* Visits the numbers of all parts of two bodies whose boxes come as near as `reach`. */
void children_near(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, scalar reach,
                   part_visit *visit, void *context);

/* Settles what two parts touch with where their neighbours are. */
void children_settle(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, int number,
                     manifold *touch);

/* Whether two numbers of a pair of which one body is made of triangles are of the same part of the other
 * body. What that has on a plane is then the same contact (FEATURE_OF_PLANE), whichever triangle it is on. */
bool children_same_on_plane(scree_shape shape_a, scree_shape shape_b, int number, int other);

/* manifold_of two parts. */
manifold children_manifold(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           int number, scalar reach);
/* Whether any of their parts come as near. */
bool children_meet(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                   scalar reach);

/* From a body's centre to the point at which a part touches. A ball's is r n from its centre for any gap and
 * at any time of impact, so that normal forces never turn it about it. `outward`: the normal away from it. */
vec3s children_arm(scree_shape shape, body_pose pose, int part, vec3s point, vec3s outward);

#endif
