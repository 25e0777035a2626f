/* The free motion, velocities from impulses and the integration of slots side by side: included by an object
 * of each width, behind wide_sweep_body.h. */
#include "motion.h"

/* Where the slots of the lanes stand in arrays of so many floats a slot. */
INLINE void slots_at(int *at, int first, int floats) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++) at[lane] = floats * (first + lane);
}

/* What is free to turn alike about all axes, and what has no mass. */
typedef struct round_masses {
    scalar mass, inertia, gravity_scale;
    scalar_mask massive;
    bool all; /* of all lanes */
} round_masses;

INLINE round_masses masses_at(const float *base, const int *at) {
    const quad_pair words = gather_pair(base, at);
    const quad moments = words.first, others = words.second;
    const scalar_mask free = (scalar_mask)others.z == 0; /* no locks */
    round_masses out;
    out.mass = moments.w, out.inertia = moments.x, out.gravity_scale = others.x;
    out.massive = out.mass > 0;
    out.all = !any_lane(~((moments.x == moments.y) & (moments.y == moments.z) & free));
    return out;
}

INLINE vec3s alike(scalar x) { return vec3_of(x, x, x); }

static bool predict_bodies(const wide_bodies *bodies, int first) {
    const uint32_t all = (uint32_t)((1u << SCREE_WIDTH) - 1);
    int at[SCREE_WIDTH], places[SCREE_WIDTH];
    slots_at(at, first, 8), slots_at(places, first, 12);
    const round_masses mass = masses_at(bodies->masses, at);
    if (!mass.all) return false;
    const scalar zero = scalar_of(0), h = scalar_of(bodies->time_step),
                 inverse = choose(mass.massive, 1 / mass.mass, zero),
                 inverse_inertia = choose(mass.massive, 1 / mass.inertia, zero);
    const vec3s gravity =
        vec3_of(scalar_of(bodies->gravity[0]), scalar_of(bodies->gravity[1]), scalar_of(bodies->gravity[2]));
    const body_velocity v = velocity_of(bodies->velocities, at);
    const quad_pair load = gather_pair(bodies->loads, at);
    const vec3s linear = free_linear(v.linear, alike(scalar_of(1)), gravity, mass.gravity_scale,
                                     xyz(load.first), alike(inverse), h),
                angular = round_spin(v.angular, mass.inertia, xyz(load.second), h);
    body_velocity out = v;
    out.linear = vec3_choose(mass.massive, linear, v.linear);
    out.angular = vec3_choose(mass.massive, angular, v.angular);
    put_velocity(bodies->free_velocities, at, all, out);
    scatter_pair(bodies->mobility, places, all,
                 (quad_pair){quad_of(alike(inverse), zero), quad_of(alike(inverse_inertia), zero)});
    scatter(bodies->mobility + 8, places, all, quad_of(alike(zero), zero));
    return true;
}

static void gather_bodies(const wide_job *job, int first) {
    const uint32_t all = (uint32_t)((1u << SCREE_WIDTH) - 1);
    int at[SCREE_WIDTH], places[SCREE_WIDTH];
    slots_at(at, first, 8), slots_at(places, first, 12);
    const body_velocity v =
        velocity_gathered(velocity_of(job->free_velocities, at), mobility_at(job->mobility, places),
                          sum_of(job->sums, at), job->parameters);
    if (job->velocities_before) {
        const body_velocity before = velocity_of(job->velocities_before, at);
        put_velocity(job->velocities_before, at, all,
                     velocity_moved(before, velocity_of(job->velocities, at), v));
    }
    put_velocity(job->velocities, at, all, v);
}

static bool integrate_bodies(const wide_bodies *bodies, int first) {
    const uint32_t all = (uint32_t)((1u << SCREE_WIDTH) - 1);
    int at[SCREE_WIDTH];
    slots_at(at, first, 8);
    const round_masses mass = masses_at(bodies->masses, at);
    if (!mass.all) return false;
    const scalar h = scalar_of(bodies->time_step);
    const quad_pair from = gather_pair(bodies->poses, at);
    const quad position = from.first, rotation = from.second;
    const vec3s mean = round_spin(xyz(gather(bodies->velocities + 4, at)), mass.inertia,
                                  xyz(gather(bodies->loads + 4, at)), h);
    const body_velocity after = velocity_of(bodies->solved, at);
    body_pose pose;
    pose.position = xyz(position), pose.reserved = position.w;
    pose.rotation = versor_of(rotation.x, rotation.y, rotation.z, rotation.w);
    pose = pose_moved(pose, mass.massive, mean, xyz(gather(bodies->free_velocities + 4, at)), after,
                      velocity_of(bodies->pseudo, at), h);
    const quad turned = {pose.rotation.x, pose.rotation.y, pose.rotation.z, pose.rotation.w};
    scatter_pair(bodies->next_poses, at, all, (quad_pair){quad_of(pose.position, pose.reserved), turned});
    put_velocity(bodies->next_velocities, at, all, after);
    return true;
}
