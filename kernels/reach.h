/* Largest gap at which a pair is tested, in the dialect, for any width.
 *
 * Bodies at constant velocities approach in every direction by at most h (|v_b − v_a| + turning_speed), and
 * along the normal n of a plane that separates them by at most h (max(0, −n · (v_b − v_a)) + turning_speed).
 * The first bound limits the search; the second selects the points that can close within the step. */
#ifndef SCREE_KERNELS_REACH_H
#define SCREE_KERNELS_REACH_H

#include "dialect.h"

/* speculative_margin_of_pair from the squares of the speeds and the smallest half sizes. */
SHARED scalar reach_margin(scalar square_a, scalar square_b, scalar half_a, scalar half_b, scalar time_step) {
    return scalar_min(time_step * scalar_sqrt(scalar_max(square_a, square_b)), scalar_min(half_a, half_b));
}

/* Returns the bound in any direction, m. `turning_speed`: speed of approach by rotation alone, m/s. */
SHARED scalar reach_of(scalar margin, vec3s velocity, scalar turning_speed, scalar time_step) {
    return margin + time_step * (glms_vec3_norm(velocity) + turning_speed);
}

/* Returns the bound along the normal, m. */
SHARED scalar reach_along(scalar margin, vec3s normal, vec3s velocity, scalar turning_speed,
                          scalar time_step) {
    const scalar closing = scalar_max(scalar_of(0), -glms_vec3_dot(normal, velocity));
    return margin + time_step * (closing + turning_speed);
}

#endif
