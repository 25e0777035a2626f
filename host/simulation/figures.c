#include "figures.h"
#include "joint.h"

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

static void add_travel(const body_array *bodies, int i, double time_step, scree_statistics *s) {
    const double speed = sqrt((double)glms_vec3_norm2(bodies->velocities[i].linear));
    const double travel = time_step * speed / scree_shape_half_width(bodies->shapes[i]);
    if (travel > s->travel_max) s->travel_max = travel;
}

static void add_pair(const body_array *bodies, const contact_set *set, int i, int *overlapping,
                     scree_statistics *s) {
    const contact_pair *pair = &set->pairs[i];
    s->touching += !pair->foreseen;
    s->contacts += pair->manifold.count;
    s->cache_hits += pair->hits;
    const bool a_held = !body_is_dynamic(bodies, pair->manifold.a);
    const bool b_held = !body_is_dynamic(bodies, pair->manifold.b);
    for (int k = 0; k < pair->manifold.count; k++) {
        const double depth = -(double)pair->manifold.points[k].gap;
        if (depth > 0) {
            s->penetration_mean += depth;
            ++*overlapping;
            if (depth > s->penetration_max) s->penetration_max = depth;
        }
        if (a_held) add_scaled(s->static_impulse, contact_impulse(set, i, k), -1);
        if (b_held) add_scaled(s->static_impulse, contact_impulse(set, i, k), 1);
    }
}

void figures_fill(const scree_world *world, scree_statistics *s) {
    const problem *p = &world->step_problem;
    const body_array *bodies = &world->bodies;
    int overlapping = 0;
    s->step = world->steps;
    s->time = world_time(world);
    s->bodies = bodies->living;
    s->dynamic_bodies = bodies->dynamic;
    s->colours = p->colour_count;
    for (int i = p->tail_first; i < p->block_count; i++) s->tail += block_is_contact(p->blocks[i]);
    for (int i = 0; i < bodies->count; i++) {
        if (body_is_dynamic(bodies, i)) add_body(bodies, i, world->def.gravity, s);
        if (bodies->types[i] >= SLOT_KINEMATIC) add_travel(bodies, i, world->def.time_step, s);
    }
    for (int i = 0; i < world->contacts.count; i++) add_pair(bodies, &world->contacts, i, &overlapping, s);
    joint_figures(world, s);
    if (overlapping) s->penetration_mean /= overlapping;
}
