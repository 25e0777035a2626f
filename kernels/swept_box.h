/* The axis-aligned boxes of bodies that move within a step, at width 1 (contract of the boxes of a step:
 * detect/body_bounds.h). */
#ifndef SCREE_KERNELS_SWEPT_BOX_H
#define SCREE_KERNELS_SWEPT_BOX_H

#include "body_record.h"
#include "shape_extent.h"

#if SCREE_WIDTH == 1

/* An axis-aligned box, m. Free slots have lower > upper; half-spaces are infinite. */
typedef struct bounds {
    vec3s lower;
    scalar padding; /* extension of the surface in every direction, m (half-space: of its plane) */
    vec3s upper;
    scalar rotation_angle; /* half-space: angle of rotation within the step, rad; else 0 */
} WORDS bounds;

STATIC_ASSERT(sizeof(bounds) == 8 * sizeof(scalar), "bounds");

/* Return the lesser or the greater of each coordinate. */
SHARED vec3s vec3_lesser(vec3s a, vec3s b) {
    return vec3_of(scalar_min(a.x, b.x), scalar_min(a.y, b.y), scalar_min(a.z, b.z));
}
SHARED vec3s vec3_greater(vec3s a, vec3s b) {
    return vec3_of(scalar_max(a.x, b.x), scalar_max(a.y, b.y), scalar_max(a.z, b.z));
}

/* Returns the box with this half size, extended by a padding. */
SHARED bounds bounds_around(vec3s middle, vec3s half_extent, scalar padding) {
    const vec3s padded = glms_vec3_add(half_extent, vec3_of(padding, padding, padding));
    bounds out;
    out.lower = glms_vec3_sub(middle, padded), out.upper = glms_vec3_add(middle, padded);
    out.padding = padding, out.rotation_angle = 0;
    return out;
}

/* Returns an empty box, that of free slots. */
SHARED bounds bounds_nowhere(void) {
    bounds out;
    out.lower = vec3_of(INFINITY, INFINITY, INFINITY), out.upper = vec3_of(-INFINITY, -INFINITY, -INFINITY);
    out.padding = out.rotation_angle = 0;
    return out;
}

/* Returns whether two boxes with these corners share a point; false for free slots and boxes with a NaN. */
SHARED int corners_meet(vec3s lower, vec3s upper, vec3s other_lower, vec3s other_upper) {
    return (lower.x <= other_upper.x) & (other_lower.x <= upper.x) & (lower.y <= other_upper.y) &
           (other_lower.y <= upper.y) & (lower.z <= other_upper.z) & (other_lower.z <= upper.z);
}

/* Returns whether shape_extent has a kind of body_record.h. */
SHARED int shape_extent_known(int kind) {
    return kind == RECORD_BALL || kind == RECORD_BOX || kind == RECORD_HALF_SPACE;
}

/* Returns half the size along the world's axes of a shape of such a kind. */
SHARED vec3s shape_extent(record_shape shape, versors rotation) {
    if (shape.kind == RECORD_HALF_SPACE) return vec3_equal(INFINITY);
    return shape.kind == RECORD_BALL ? ball_extent(shape.halves) : box_turned_extent(shape.halves, rotation);
}

/* Returns the speed, m/s, at which a surface can approach by rotation alone. A half-space, whose turning
 * radius is infinite, rotates about a point as far away as the other body, at `distance`, m. */
SHARED scalar surface_turning_speed(vec3s angular, scalar turning_radius, scalar distance) {
    return glms_vec3_norm(angular) * (turning_radius == INFINITY ? distance : turning_radius);
}

/* The motion of a body that its box covers. */
typedef struct box_sweep {
    vec3s motion;          /* m */
    scalar padding;        /* m */
    scalar rotation_angle; /* that the box keeps, rad */
} box_sweep;

/* Returns that of a body of type `type` within the step h. `speculative`: its largest speculative margin, m.
 */
SHARED box_sweep box_sweep_of(int type, body_velocity velocity, scalar turning_radius, scalar speculative,
                              scalar padding, scalar h) {
    const int moves = type != SLOT_STATIC, endless = turning_radius == INFINITY;
    const vec3s motion = moves ? glms_vec3_scale(velocity.linear, h) : glms_vec3_zero();
    const scalar angle = moves ? h * glms_vec3_norm(velocity.angular) : 0,
                 margin = moves ? scalar_min(h * glms_vec3_norm(velocity.linear), speculative) : 0;
    box_sweep out;
    out.motion = motion;
    out.padding = padding + margin + (endless ? glms_vec3_norm(motion) : angle * turning_radius);
    out.rotation_angle = endless ? angle : 0;
    return out;
}

/* Returns the box that a box, padded already, sweeps. */
SHARED bounds bounds_swept(bounds box, box_sweep sweep) {
    const vec3s back = vec3_lesser(sweep.motion, glms_vec3_zero());
    box.lower = glms_vec3_add(box.lower, back);
    box.upper = glms_vec3_add(box.upper, glms_vec3_sub(sweep.motion, back));
    box.rotation_angle = sweep.rotation_angle;
    return box;
}

/* Returns the plane of a half-space with its box. */
SHARED body_plane body_plane_at(int slot, body_pose pose, bounds box) {
    body_plane out;
    out.normal = rotate(pose.rotation, vec3_of(0, 0, 1)), out.origin = pose.position;
    out.padding = box.padding, out.rotation_angle = box.rotation_angle;
    out.slot = slot, out.reserved[0] = out.reserved[1] = out.reserved[2] = 0;
    return out;
}

#endif

#endif
