/* Contact points of two bodies at given poses: manifold_of (detect/manifold.h) of the shapes that have a test
 * on a device. */
#ifndef SCREE_KERNELS_PLACED_POINTS_H
#define SCREE_KERNELS_PLACED_POINTS_H

#include "body_record.h"
#include "box_points.h"
#include "sphere_points.h"

/* A shape by its record's kind, at a pose. */
typedef struct placed_record {
    int kind;
    vec3s halves; /* m, as in record_shape */
    body_pose pose;
} placed_record;

SHARED placed_record placed_record_of(record_shape shape, body_pose pose) {
    placed_record out;
    out.kind = shape.kind, out.halves = shape.halves, out.pose = pose;
    return out;
}

/* Returns whether placed_points has tests of a kind. */
SHARED int placed_kind_known(int kind) {
    return kind == RECORD_BALL || kind == RECORD_BOX || kind == RECORD_HALF_SPACE;
}

/* Returns whether it has a test of two kinds. */
SHARED int placed_points_known(int a, int b) {
    const int flat = a == RECORD_HALF_SPACE && b == RECORD_HALF_SPACE;
    return placed_kind_known(a) && placed_kind_known(b) && !flat;
}

/* The kind of a is not after that of b. */
SHARED manifold_points placed_in_order(placed_record a, placed_record b, scalar reach) {
    if (a.kind == RECORD_BALL && b.kind == RECORD_BALL)
        return sphere_sphere_points(a.halves.x, a.pose.position, b.halves.x, b.pose.position, reach);
    if (a.kind == RECORD_BALL && b.kind == RECORD_BOX)
        return sphere_box_points(a.halves.x, a.pose.position, b.halves, b.pose, reach);
    if (a.kind == RECORD_BALL) return sphere_half_space_points(a.halves.x, a.pose.position, b.pose, reach);
    return b.kind == RECORD_BOX ? box_box_points(a.halves, a.pose, b.halves, b.pose, reach)
                                : box_half_space_points(a.halves, a.pose, b.pose, reach);
}

/* Returns the points with gap ≤ reach, with the normal from a to b. */
CALLED manifold_points placed_points(placed_record a, placed_record b, scalar reach) {
    const int turned = a.kind > b.kind;
    manifold_points found = placed_in_order(turned ? b : a, turned ? a : b, reach);
    if (turned) found.normal = glms_vec3_negate(found.normal);
    return found;
}

#endif
