/* Entry points for the motion of bodies apart from contacts. One work-item per body. */
#include "motion.h"

/* Computes free velocities and mobilities; `factor`: of masses and loads, to the problem's unit. */
kernel void predict(global const body_pose *poses, global const body_velocity *velocities,
                    global const body_mass *masses, global const body_load *loads,
                    global body_mobility *mobility, global body_velocity *free_velocity,
                    const motion_parameters motion, const scalar factor, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const body_mass mass = mass_scaled(masses[i], factor);
    const body_mobility m = mobility_of(poses[i], mass);
    mobility[i] = m;
    free_velocity[i] = free_velocity_of(poses[i], velocities[i], mass, load_scaled(loads[i], factor), m, motion);
}

/* Computes the poses and their remainders after the step. */
kernel void integrate(global const body_pose *poses, global const body_remainder *remainders,
                      global const body_mass *masses,
                      global const body_velocity *free_velocity, global const body_velocity *solution,
                      global const body_velocity *pseudo_velocity, global body_pose *poses_after,
                      global body_remainder *remainders_after,
                      const motion_parameters motion, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    body_place place;
    place.pose = poses[i], place.remainder = remainders[i];
    place = place_after(place, masses[i], free_velocity[i], solution[i], pseudo_velocity[i],
                        motion.time_step);
    poses_after[i] = place.pose, remainders_after[i] = place.remainder;
}
