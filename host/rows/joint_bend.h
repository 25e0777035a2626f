/* Bend of a joint's coordinates: what the curve of their motion adds to the rate at its beginning. */
#pragma once

#include "joint_plan.h"
#include "problem_input.h"

/* A body of a joint. */
typedef struct joint_side {
    body_pose pose;
    /* At the beginning of the step; before it (body_velocity_before); after it, if no row acted. */
    body_velocity velocity, before, free_velocity;
    body_mass mass; /* zero for the ground */
    body_mobility mobility;
} joint_side;

/* Fractions of the bend to apply to translations and angles. The bend is that of an expected motion and
 * quadratic in its velocities, so it would amplify itself at large turns: in chains of hinges from 0.4 rad
 * per step of each link, in rigidly joined bodies, which turn as one, from 0.9 rad. */
typedef struct bend_weights {
    scalar ways, angles;
} bend_weights;

/* Returns 1 while the turn per step is below the limit, then falls steeply to 0: a bend that is too small
 * loses that fraction of (h ω)²/2 of the energy in every step. */
scalar joint_bend_weight(scalar turn, scalar limit);
/* `ahead`: the joint at the end of the motion for which rows are linearised; `a` and `b` have its velocities.
 */
bend_weights joint_bend_weights(const scree_joint_def *def, const joint_geometry *at,
                                const joint_geometry *ahead, const joint_side *a, const joint_side *b,
                                scalar time_step);
/* Returns the coordinate of a block's row in the block's frame. */
scalar joint_coordinate(const joint_block_plan *plan, const joint_geometry *at, int row);
/* Returns the change of a row's coordinate from `at` to `ahead`, as far as an impulse along the row's axis at
 * `at` determines it. Returns NaN if the rate of the coordinate does not approximate what the row measures.
 */
scalar joint_change(const scree_joint_def *def, const joint_block_plan *plan, const joint_geometry *at,
                    const joint_geometry *ahead, int row);
/* Returns whether rows of the joint are linearised for mean spins, and otherwise for the velocities before
 * the step. Locks of a rotation may leave a joint nearly without motion: rows for the velocities of the last
 * solve then made errors of metres. */
bool joint_bends_turn(const problem_input *from, const scree_joint_def *def);
/* Returns the number of joints of which the last solve turns a body about another axis than that for which
 * rows are linearised. The step then solves again, with the rows of that motion. */
int joint_bends_find(const problem_input *from);
