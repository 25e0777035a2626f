/* Where a joint is: its coordinates and the directions that its rows act along. */
#ifndef SCREE_ROWS_JOINT_GEOMETRY_H
#define SCREE_ROWS_JOINT_GEOMETRY_H

#include "model/joints.h"

/* With the frames A and B and their relative rotation R_x(α) R_y(β) R_z(γ):
 *
 *     R = ( cβ cγ   −cβ sγ    sβ   )      α = atan2(−R₁₂, R₂₂), β = asin R₀₂, γ = atan2(−R₀₁, R₀₀),
 *         (   …        …    −sα cβ )
 *         (   …        …     cα cβ )
 *
 * and ω_b − ω_a = α̇ x_A + β̇ y' + γ̇ z_B with y' = cα y_A + sα z_A. The rates are read off by the dual
 * directions: with z' = −sα y_A + cα z_A
 *
 *     β̇ = y'·ω,   γ̇ cβ = z'·ω,   α̇ cβ = (cβ x_A − sβ z')·ω.
 *
 * Those of γ and β are orthonormal with x_A, those of α and β with z_B; where β is locked at 0, all three are
 * one frame. Where β and γ both are, the axes of A itself serve, which do not turn with α: the errors are
 * then those of x_B, in the directions of R₁₀ about z and −R₂₀ about y. */
typedef enum joint_frame {
    JOINT_FRAME_BODY,  /* x_A, y_A, z_A */
    JOINT_FRAME_OUTER, /* x_A, y', z' */
    JOINT_FRAME_INNER, /* x_A cβ − sβ z', y', z_B */
    JOINT_FRAME_COUNT
} joint_frame;

typedef struct joint_geometry {
    vec3s point_a, point_b; /* anchors in the world, m */
    vec3s linear[2];        /* the first two axes that ways are along; of a distance the line first */
    vec3s angular[JOINT_FRAME_COUNT][2];
    scalar position[SCREE_AXIS_COUNT]; /* α and γ near those of `last` */
    scalar tilt[2];                    /* errors about y_A and z_A as JOINT_FRAME_BODY sees them, rad */
    scalar facing;                     /* x_A·x_B */
    scalar cosine;                     /* cβ, not below 0.05 */
    bool folded;                       /* it would be: α and γ turn about nearly the same axis */
} joint_geometry;

/* Limits that leave no range are a lock at `low`. */
bool joint_axis_is_locked(const scree_joint_axis *axis);
/* Locked at 0. */
bool joint_axis_is_zero(const scree_joint_axis *axis);
/* `last`: coordinates from which full turns are counted; of γ none where JOINT_FRAME_BODY serves, whose
 * errors know none. */
joint_geometry joint_geometry_of(const scree_joint_def *def, body_pose a, body_pose b,
                                 const scalar last[SCREE_AXIS_COUNT]);
/* The pose of a joint's body; of the world the origin. */
body_pose joint_pose(const body_pose *poses, scree_body_id body);
/* Between b and the image of it that a joint holds to a, m. What it is tied to it stays tied to, however
 * often either goes round a periodic world. */
vec3s joint_shift(const body_array *bodies, const scree_joint_def *def, const joint_state *state);
body_pose joint_pose_b(const body_array *bodies, const scree_joint_def *def, const joint_state *state);

#endif
