#include "figures.h"

#include "block.h"

#include "rotation.h"

static void add_scaled(double sum[3], vec3s v, double factor) {
    sum[0] += factor * (double)v.x;
    sum[1] += factor * (double)v.y;
    sum[2] += factor * (double)v.z;
}

/* L = x × m v + R I Rᵀ ω and E = ½ m v² + ½ ω·R I Rᵀ ω; the rotational parts in body axes. */
static void add_body(const body_array *bodies, int i, scree_vec3 gravity, scree_statistics *s) {
    const body_pose pose = bodies->poses[i];
    const body_velocity velocity = bodies->velocities[i];
    const body_mass mass = bodies->masses[i];
    const double m = (double)mass.mass;
    const vec3s omega = rotate_inverse(pose.rotation, velocity.angular);
    const vec3s spin = glms_vec3_mul(mass.inertia, omega);
    s->kinetic_energy +=
        0.5 * m * (double)glms_vec3_norm2(velocity.linear) + 0.5 * (double)glms_vec3_dot(omega, spin);
    s->potential_energy -=
        m * (double)mass.gravity_scale *
        ((double)gravity.x * (double)pose.position.x + (double)gravity.y * (double)pose.position.y +
         (double)gravity.z * (double)pose.position.z);
    add_scaled(s->momentum, velocity.linear, m);
    add_scaled(s->angular_momentum, glms_vec3_cross(pose.position, velocity.linear), m);
    add_scaled(s->angular_momentum, rotate(pose.rotation, spin), 1);
}

static void add_pair(const body_array *bodies, const contact_pair *pair, int *overlapping,
                     scree_statistics *s) {
    s->contacts += pair->shape.count;
    s->cache_hits += pair->hits;
    const bool a_held = !body_is_dynamic(bodies, pair->shape.a);
    const bool b_held = !body_is_dynamic(bodies, pair->shape.b);
    for (int k = 0; k < pair->shape.count; k++) {
        const double depth = -(double)pair->shape.points[k].gap;
        if (depth > 0) {
            s->penetration_mean += depth;
            ++*overlapping;
            if (depth > s->penetration_largest) s->penetration_largest = depth;
        }
        if (a_held) add_scaled(s->static_impulse, contact_impulse(pair, k), -1);
        if (b_held) add_scaled(s->static_impulse, contact_impulse(pair, k), 1);
    }
}

/* Mean and standard deviation of the dynamic bodies' centres along each axis. */
static void spread(const body_array *bodies, double mean[3], double deviation[3]) {
    double sum[3] = {0}, square[3] = {0};
    for (int i = 0; i < bodies->count; i++)
        if (body_is_dynamic(bodies, i)) add_scaled(sum, bodies->poses[i].position, 1);
    for (int k = 0; k < 3; k++) mean[k] = sum[k] / bodies->dynamic;
    for (int i = 0; i < bodies->count; i++)
        for (int k = 0; k < 3 && body_is_dynamic(bodies, i); k++) {
            const double from = (double)vec3_along(bodies->poses[i].position, k) - mean[k];
            square[k] += from * from;
        }
    for (int k = 0; k < 3; k++) deviation[k] = sqrt(square[k] / bodies->dynamic);
}

/* A body counts whole by its centre: what sticks out of the box on one side is made up by what sticks in on
 * the other, on average. */
static double solid_fraction(const body_array *bodies) {
    double mean[3], deviation[3], solid = 0;
    if (bodies->dynamic < 2) return 0;
    spread(bodies, mean, deviation);
    const double volume = 8 * deviation[0] * deviation[1] * deviation[2];
    for (int i = 0; i < bodies->count; i++) {
        bool inside = body_is_dynamic(bodies, i);
        for (int k = 0; k < 3 && inside; k++)
            inside = fabs((double)vec3_along(bodies->poses[i].position, k) - mean[k]) <= deviation[k];
        if (inside) solid += scree_shape_volume(bodies->shapes[i]);
    }
    return volume > 0 ? fmin(solid / volume, 1) : 0;
}

void figures_fill(const scree_world *world, scree_statistics *s) {
    const problem *p = &world->step_problem;
    const body_array *bodies = &world->bodies;
    int overlapping = 0;
    s->step = world->steps;
    s->time = world->time;
    s->bodies = bodies->living;
    s->dynamic_bodies = bodies->dynamic;
    s->touching = world->contacts.count;
    s->colours = p->colour_count;
    for (int i = p->tail_first; i < p->block_count; i++) s->tail += !block_is_resistance(p->blocks[i]);
    for (int i = 0; i < bodies->count; i++)
        if (body_is_dynamic(bodies, i)) add_body(bodies, i, world->def.gravity, s);
    for (int i = 0; i < world->contacts.count; i++)
        add_pair(bodies, &world->contacts.pairs[i], &overlapping, s);
    if (overlapping) s->penetration_mean /= overlapping;
    s->solid_fraction = solid_fraction(bodies);
}
