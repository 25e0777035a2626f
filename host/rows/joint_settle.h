/* Angular momentum of two bodies after a pull whose direction or arms were not those of the beginning. */
#pragma once

#include "problem_input.h"

/* Bodies move by h V from where they were at the beginning x. An impulse p on b at y_b and −p on a at y_a
 * changes their angular momentum Σ x × m v + I ω, and with it that at the end, by (y_b − y_a) × p, where y is
 * x plus the arm. Ropes and joints that glide far need directions and arms of the end, so that y_b − y_a is
 * not along p: no velocity that ends at the length of a rope has the angular momentum of a body that passes
 * its beginning at more than that length. Velocities therefore change after the motion: the pair gets back
 * its angular momentum as a rigid body, which moves no joint, up to a turn of 0.8 rad in a step. The motion
 * within the pair, and then that of the rigid body, is scaled down if the pair has more energy than without
 * the pull; on a rope, if it has more than before it gets back its momentum. Pushes of the position pass move
 * centres by h p/m, which changes the angular momentum by h p × (v_b − v_a).
 *
 * Stores the energies that pairs would have without their pulls. `velocities`: of the solve. */
void joint_settle_begin(const problem_input *from, const body_velocity *velocities);
/* Changes velocities at the end of the step. `after`: poses there. */
void joint_settle(const problem_input *from, const body_pose *after, body_velocity *velocities);
