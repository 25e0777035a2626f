/* Free motion, velocities from impulses, and integration of one slot per lane; included by an object of each
 * width after wide_sweep_body.h. */
#include "motion.h"

/* Writes the offsets of the lanes' slots from the first, in arrays of `floats` floats per slot. */
INLINE void slots_at(int *at, int floats) {
    for (int lane = 0; lane < SCREE_WIDTH; lane++) at[lane] = floats * lane;
}

/* The first slot's floats. The offset is a size_t because it can exceed an int. */
#define FROM(base, floats) ((base) + (size_t)(floats) * (size_t)first)

/* Masses of bodies with isotropic inertia and without locks, or without mass. */
typedef struct round_masses {
    scalar mass, inertia, gravity_scale;
    scalar_mask massive;
    bool all; /* true for all lanes */
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
    slots_at(at, 8), slots_at(places, 12);
    const round_masses mass = masses_at(FROM(bodies->masses, 8), at);
    if (!mass.all) return false;
    const scalar zero = scalar_of(0), h = scalar_of(bodies->time_step), unit = scalar_of(bodies->unit_factor),
                 inertia = mass.inertia * unit, inverse = choose(mass.massive, 1 / (mass.mass * unit), zero),
                 inverse_inertia = choose(mass.massive, 1 / inertia, zero);
    const vec3s gravity =
        vec3_of(scalar_of(bodies->gravity[0]), scalar_of(bodies->gravity[1]), scalar_of(bodies->gravity[2]));
    const body_velocity v = velocity_of(FROM(bodies->velocities, 8), at);
    const quad_pair load = gather_pair(FROM(bodies->loads, 8), at);
    const vec3s linear = free_linear(v.linear, alike(scalar_of(1)), gravity, mass.gravity_scale,
                                     glms_vec3_scale(xyz(load.first), unit), alike(inverse), h),
                angular = round_spin(v.angular, inertia, glms_vec3_scale(xyz(load.second), unit), h);
    body_velocity out = v;
    out.linear = vec3_choose(mass.massive, linear, v.linear);
    out.angular = vec3_choose(mass.massive, angular, v.angular);
    put_velocity(FROM(bodies->free_velocities, 8), at, all, velocity_unsigned_zeros(out));
    scatter_pair(FROM(bodies->mobility, 12), places, all,
                 (quad_pair){quad_of(alike(inverse), zero), quad_of(alike(inverse_inertia), zero)});
    scatter(FROM(bodies->mobility, 12) + 8, places, all, quad_of(alike(zero), zero));
    return true;
}

static void gather_bodies(const wide_job *job, int first) {
    const uint32_t all = (uint32_t)((1u << SCREE_WIDTH) - 1);
    int at[SCREE_WIDTH], places[SCREE_WIDTH];
    slots_at(at, 8), slots_at(places, 12);
    const body_mobility mobility = mobility_at(FROM(job->mobility, 12), places);
    const body_velocity v =
        velocity_with_mobility(velocity_gathered(velocity_of(FROM(job->free_velocities, 8), at), mobility,
                                                 sum_of(FROM(job->sums, 8), at), job->parameters),
                               mobility);
    if (job->velocities_before) {
        const body_velocity before = velocity_of(FROM(job->velocities_before, 8), at);
        put_velocity(FROM(job->velocities_before, 8), at, all,
                     velocity_moved(before, velocity_of(FROM(job->velocities, 8), at), v));
    }
    put_velocity(FROM(job->velocities, 8), at, all, v);
}

static bool integrate_bodies(const wide_bodies *bodies, int first) {
    const uint32_t all = (uint32_t)((1u << SCREE_WIDTH) - 1);
    int at[SCREE_WIDTH];
    slots_at(at, 8);
    const round_masses mass = masses_at(FROM(bodies->masses, 8), at);
    if (!mass.all) return false;
    const scalar h = scalar_of(bodies->time_step);
    const quad_pair from = gather_pair(FROM(bodies->poses, 8), at),
                    left = gather_pair(FROM(bodies->remainders, 8), at);
    const quad position = from.first, rotation = from.second;
    const vec3s free = xyz(gather(FROM(bodies->free_velocities, 8) + 4, at));
    const body_velocity after = velocity_of(FROM(bodies->solved, 8), at);
    body_place place;
    place.pose.position = xyz(position), place.pose.reserved = position.w;
    place.pose.rotation = versor_of(rotation.x, rotation.y, rotation.z, rotation.w);
    place.remainder.position = xyz(left.first), place.remainder.reserved = left.first.w;
    place.remainder.rotation = xyz(left.second), place.remainder.reserved_rotation = left.second.w;
    place = place_moved(place, mass.massive, free, free, after, velocity_of(FROM(bodies->pseudo, 8), at), h);
    const versors to = place.pose.rotation;
    const quad turned = {to.x, to.y, to.z, to.w};
    scatter_pair(FROM(bodies->next_poses, 8), at, all,
                 (quad_pair){quad_of(place.pose.position, place.pose.reserved), turned});
    scatter_pair(FROM(bodies->next_remainders, 8), at, all,
                 (quad_pair){quad_of(place.remainder.position, place.remainder.reserved),
                             quad_of(place.remainder.rotation, place.remainder.reserved_rotation)});
    put_velocity(FROM(bodies->next_velocities, 8), at, all, velocity_alone(after));
    return true;
}

#undef FROM
