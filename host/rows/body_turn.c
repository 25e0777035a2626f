#include "body_turn.h"

body_turn body_turn_of_mean(body_pose pose, body_mass mass, vec3s mean, scalar time_step) {
    return turn_of_mean(pose, mass, mean, time_step);
}

body_turn body_turn_continued(const body_array *bodies, int slot, scalar time_step) {
    return turn_continued(bodies->poses[slot], bodies->masses[slot], bodies->velocities[slot].angular,
                          time_step);
}

body_turn body_turn_free(body_pose pose, body_mass mass, vec3s spin, scalar time_step) {
    return turn_free(pose, mass, spin, time_step);
}
