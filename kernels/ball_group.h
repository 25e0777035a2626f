/* Groups that the programs of balls.cl sweep. */
#ifndef SCREE_KERNELS_BALL_GROUP_H
#define SCREE_KERNELS_BALL_GROUP_H

#include "layout.h"

/* Whether a body is fixed, and whether its mobility is isotropic. */
typedef struct body_symmetry {
    int fixed, round;
} body_symmetry;

SHARED body_symmetry symmetry_of_mass(body_mass mass) {
    body_symmetry out;
    out.fixed = !(mass.mass > 0);
    out.round = mass.inertia.x == mass.inertia.y && mass.inertia.x == mass.inertia.z && mass.locks == 0;
    return out;
}

/* ‖r × n‖ ≤ 4ε ‖r‖. */
SHARED int arm_is_along(vec3s arm, vec3s normal) {
    const scalar limit = 4 * SCALAR_EPSILON;
    return glms_vec3_norm2(glms_vec3_cross(arm, normal)) <= limit * limit * glms_vec3_norm2(arm);
}

/* Returns whether the only block of a group is a contact without surface velocity, of bodies that are fixed
 * or round with the contact straight below the centre. Then A_cc = diag(a, t, t) up to rounding: with 1/m the
 * sum of the bodies' inverse masses and 1/j the sum of ‖r‖²/I, the entries that should be zero, and the
 * difference of the last two, are sums of a few products, each with an error of a few ε (1/m + 1/j);
 * delassus_isotropic allows 16 ε of the trace 3/m + 2/j. */
SHARED int block_is_of_balls(constraint_block block, body_symmetry a, body_symmetry b) {
    return block.kind == BLOCK_CONTACT && !block.angular && block.rolling == 0 && block.spinning == 0 &&
           (a.fixed || (a.round && arm_is_along(block.arm_a, block.normal))) &&
           (b.fixed || (b.round && arm_is_along(block.arm_b, block.normal)));
}

#endif
