/* Joints of two movable bodies with locked and with free translations, whose anchors glide along each other
 * while the bodies turn. */
#pragma once

#include "joint_bend.h"
#include "joint_path.h"
#include "problem_input.h"

/* Locked rows of such a joint act at a point of b that glides along a. Let q be the end of the motion.
 * Impulses with directions and arms of the beginning, J_0, conserve the angular momentum, and J(q) M⁻¹ J_0ᵀ
 * determines the impulses for which the coordinates at q are those of the locks (SHAKE). A bead that glides
 * from r to r' on a rod with the moment I has 1/m + r r'/I there, which vanishes for a bead that passes the
 * axis of the rod: a chord has not the angular momentum of the curve. Impulses with directions and arms of
 * the end have J(q) M⁻¹ J(q)ᵀ, which is positive, but change the angular momentum, which joint_settle.h gives
 * back.
 *
 * Each of the two is solved for the pair alone. The first serves unless it adds energy. The rows of the step
 * are linearised for that motion, c(V⁺) = c(V) + h J (V⁺ − V) with J at the chosen time: an isolated pair
 * ends at V⁺ = V, where the locks are exact. A detection pass does the same from the velocities of the last
 * solve. */
typedef struct joint_glide {
    bool acts;           /* false: the rows of the beginning of the step serve */
    bool late;           /* rows act at the end of the motion rather than at its beginning */
    vec3s solved[2];     /* spins of a and b in the solve, rad/s; the motion has their mean ones */
    joint_motion motion; /* the pair if the locks of this joint alone hold it */
    joint_geometry end;  /* of that motion */
} joint_glide;

/* Returns whether a joint has locked and other translations between bodies that both move and have no other
 * joint, and no limit acts. `relaxed` compares the rates of rows before and after the step, which are then
 * those of one motion. In chains, the motion of a pair alone misleads: with rows for it, 30 chains of hinges
 * and limited cylindrical joints gained 11 % of their energy (95 %), with those of the beginning none. */
bool joint_glides(const problem_input *from, int joint);
/* Returns whether a joint turns and glides so far in a step that rows linearised at the velocities before it
 * fail by more than a fraction of `width`, the half width of its smaller body, m. */
bool joint_glide_is_fast(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                         scalar width);
/* Returns the motion of the pair from the velocities of the solve in `motion`. `chosen`: whether rows
 * act at the end, once chosen in a step. `length`: of angular rows. */
joint_glide joint_glide_of(const scree_joint_def *def, const joint_plan *plan, const joint_geometry *at,
                           const joint_motion *motion, const joint_side sides[2], joint_glide_kind chosen,
                           scalar length);
/* Returns whether the locks of a joint with such rows fail in the trial motion, so that another solve must
 * follow: with rows for that motion, or with those of the beginning if the pair has hardly followed them. */
bool joint_glide_fails(const problem_input *from, int joint, scalar width);
