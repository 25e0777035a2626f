/* Entry points of the end of a step. */
#include "motion.h"
#include "tiles.h"

/* Writes the prescribed places at the end of the step. */
kernel void commit_prescribe(global const int *slots, global const body_pose *poses,
                             global const body_remainder *remainders, const uint count, global body_pose *poses_after,
                             global body_remainder *remainders_after) {
    const tile_range range = range_of_group(count, TILE_GROUP);
    FOR_RANGE(i, range) poses_after[slots[i]] = poses[i], remainders_after[slots[i]] = remainders[i];
}

/* Writes velocities with spins for the rotation of the step (as host/step/gyroscopic.c does); `after` may be `velocity`. */
kernel void commit_spins(global const body_pose *poses, global const body_mass *masses, global const body_pose *poses_after,
                         global const body_velocity *velocity, global body_velocity *after, const float time_step,
                         const uint bodies) {
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    FOR_RANGE(i, range) {
        const body_mass mass = masses[i];
        body_velocity of = velocity[i];
        if (!spins_steadily(mass))
            of.angular = spin_after(poses[i], of.angular, mass, poses_after[i].rotation, time_step);
        after[i] = of;
    }
}
