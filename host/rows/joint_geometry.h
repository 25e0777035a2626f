/* Geometry of a joint: its coordinates and the directions of its rows. */
#pragma once

#include "state/joints.h"

#include <math.h>

/* Let A and B be the frames and R_x(α) R_y(β) R_z(γ) their relative rotation:
 *
 *     R = ( cβ cγ   −cβ sγ    sβ   )      α = atan2(−R₁₂, R₂₂), β = asin R₀₂, γ = atan2(−R₀₁, R₀₀),
 *         (   …        …    −sα cβ )
 *         (   …        …     cα cβ )
 *
 * and ω_b − ω_a = α̇ x_A + β̇ y' + γ̇ z_B with y' = cα y_A + sα z_A. The dual directions yield the rates:
 * with z' = −sα y_A + cα z_A
 *
 *     β̇ = y'·ω,   γ̇ cβ = z'·ω,   α̇ cβ = (cβ x_A − sβ z')·ω.
 *
 * The directions of γ and β are orthonormal with x_A, those of α and β with z_B. If β is locked at 0, all
 * three form one frame. If β and γ are both locked at 0, the rows use the axes of A, which do not turn with
 * α. The errors are then those of x_B, in the directions of R₁₀ about z and −R₂₀ about y. */
typedef enum joint_frame {
    JOINT_FRAME_BODY,  /* x_A, y_A, z_A */
    JOINT_FRAME_OUTER, /* x_A, y', z' */
    JOINT_FRAME_INNER, /* x_A cβ − sβ z', y', z_B */
    JOINT_FRAME_COUNT
} joint_frame;

typedef struct joint_geometry {
    vec3s point_a, point_b; /* anchors in the world, m */
    vec3s linear[2];        /* first two axes of translation; of a distance joint the line first */
    vec3s angular[JOINT_FRAME_COUNT][2];
    scalar position[SCREE_AXIS_COUNT]; /* m and rad; α and γ near those of `last` */
    scalar tilt[2];                    /* errors about y_A and z_A for JOINT_FRAME_BODY, rad */
    scalar facing;                     /* x_A·x_B */
    scalar cosine;                     /* cβ, at least 0.05 */
    bool folded;                       /* cβ is below 0.05: α and γ turn about nearly the same axis */
} joint_geometry;

/* Returns whether an axis is locked. Limits without a range lock it at `low`. */
static inline bool joint_axis_is_locked(const scree_joint_axis *axis) {
    if (axis->mode == SCREE_AXIS_LOCKED) return true;
    return axis->mode == SCREE_AXIS_LIMITED && axis->low == axis->high && !isinf(axis->low);
}
/* Returns the lower limit of an axis. A distance is at least 0 by itself: that limit has no row, which would
 * hold back an anchor that passes the other. */
scalar joint_axis_low(const scree_joint_def *def, int axis);
/* Returns whether an axis has limits that are not a lock. */
static inline bool joint_axis_is_limited(const scree_joint_axis *axis) {
    return axis->mode == SCREE_AXIS_LIMITED && !joint_axis_is_locked(axis);
}
/* Returns whether an axis is locked at 0. */
static inline bool joint_axis_is_zero(const scree_joint_axis *axis) {
    return joint_axis_is_locked(axis) && axis->low == 0;
}
/* Returns whether an axis is locked without a spring. */
static inline bool joint_axis_stays(const scree_joint_axis *axis) {
    const scree_spring *spring = &axis->spring;
    return joint_axis_is_locked(axis) && !(spring->stiffness > 0) && !(spring->damping > 0) &&
           !(spring->frequency > 0);
}
/* Computes the geometry of a joint. `last`: previous coordinates, which α and γ continue across full turns.
 * With JOINT_FRAME_BODY γ is the value nearest 0, since the errors of that frame do not count turns. */
joint_geometry joint_geometry_of(const scree_joint_def *def, body_pose a, body_pose b,
                                 const scalar last[SCREE_AXIS_COUNT]);
/* Computes the translational part alone: points, linear and the first three coordinates; the rest is zero. */
joint_geometry joint_geometry_of_ways(const scree_joint_def *def, body_pose a, body_pose b);
/* Adds the remainders of b relative to a, to first order: a displacement at the anchors, m, and a rotation,
 * rad. Poses alone are rounded, so that corrections smaller than the rounding would add up before they show.
 */
void joint_geometry_add(joint_geometry *self, const scree_joint_def *def, vec3s displacement, vec3s rotation);
/* Returns the pose of a joint's body; for the world, the origin. */
body_pose joint_pose(const body_pose *poses, scree_body_id body);
/* Returns the offset of the periodic image of b that the joint holds from b itself, m. The bodies stay joined
 * however often either crosses the periodic boundary. */
vec3s joint_shift(const body_array *bodies, const scree_joint_def *def, const joint_state *state);
body_pose joint_pose_b(const body_array *bodies, const scree_joint_def *def, const joint_state *state);
