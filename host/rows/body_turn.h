/* Rotation of a body over the step for which rows are linearised. */
#pragma once

#include "state/bodies.h"

typedef struct body_turn {
    vec3s start, mean; /* spins: at the start of the step, after its impulses; over the step; rad/s */
} body_turn;

/* Returns the rotation of a body that continues that of the last step. The impulses of steady motion turn
 * along with a body: if it turns steadily about an axis that is not principal, its mean spin is constant,
 * unlike those at the start and the end of the step. */
body_turn body_turn_continued(const body_array *bodies, int slot, scalar time_step);
/* Returns the free rotation from this spin, or with this mean spin. */
body_turn body_turn_free(body_pose pose, body_mass mass, vec3s spin, scalar time_step);
body_turn body_turn_of_mean(body_pose pose, body_mass mass, vec3s mean, scalar time_step);
