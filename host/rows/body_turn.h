/* Rotations of kernels/mean_spin.h as calls. */
#pragma once

#include "state/bodies.h"

#include "mean_spin.h"

/* Implement turn_continued, turn_free and turn_of_mean. */
body_turn body_turn_continued(const body_array *bodies, int slot, scalar time_step);
body_turn body_turn_free(body_pose pose, body_mass mass, vec3s spin, scalar time_step);
body_turn body_turn_of_mean(body_pose pose, body_mass mass, vec3s mean, scalar time_step);
