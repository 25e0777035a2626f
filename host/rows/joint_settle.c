#include "joint_settle.h"

#include "base/real3.h"
#include "block.h"
#include "joint_geometry.h"
#include "motion.h"
#include "rotation.h"

/* Turn of a pair in a step, rad. With 0.6, 0.8 and 1, ropes that part at ten lengths a step exceed theirs by
 * 0.9, 1.2 and 1.8 % (95 % of 2000 pairs; 1.3 % without settlement), and those that part at one length change
 * their angular momentum by 16, 3 and 0.8 % of its parts (median). */
static const double MOST = 0.8;

/* A pair relative to its centre of mass. */
typedef struct settled_body {
    int slot;
    double mass;
    real3 place, velocity, spin;
    vec3s inertia;
    versors rotation;
} settled_body;

typedef struct settled_pair {
    settled_body bodies[2];
    real3 velocity; /* of the centre of mass */
} settled_pair;

static real3 spun(const settled_body *of, real3 spin) {
    return real3_of(inertia_times(of->rotation, of->inertia, real3_rounded(spin)));
}

static settled_pair pair_of(const problem_input *from, const scree_joint_def *def, const joint_state *state,
                            const body_pose *poses, const body_velocity *velocities) {
    const scree_body_id ends[2] = {def->a, def->b};
    settled_pair out;
    double mass = 0;
    real3 place = {0, 0, 0}, velocity = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        const int slot = (int)ends[i].index - 1;
        settled_body *body = &out.bodies[i];
        *body = (settled_body){.slot = slot,
                               .mass = (double)from->bodies->masses[slot].mass,
                               .place = real3_of(poses[slot].position),
                               .velocity = real3_of(velocities[slot].linear),
                               .spin = real3_of(velocities[slot].angular),
                               .inertia = from->bodies->masses[slot].inertia,
                               .rotation = poses[slot].rotation};
        if (i) body->place = real3_sum(body->place, real3_of(joint_shift(from->bodies, def, state)));
        mass += body->mass;
        place = real3_sum(place, real3_scaled(body->mass, body->place));
        velocity = real3_sum(velocity, real3_scaled(body->mass, body->velocity));
    }
    out.velocity = real3_scaled(1 / mass, velocity);
    for (int i = 0; i < 2; i++) {
        out.bodies[i].place = real3_difference(out.bodies[i].place, real3_scaled(1 / mass, place));
        out.bodies[i].velocity = real3_difference(out.bodies[i].velocity, out.velocity);
    }
    return out;
}

static double energy_of(const settled_pair *pair) {
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        const settled_body *of = &pair->bodies[i];
        sum += of->mass * real3_square(of->velocity) + real3_inner(of->spin, spun(of, of->spin));
    }
    return sum / 2;
}

static real3 momentum_of(const settled_pair *pair) {
    real3 sum = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        const settled_body *of = &pair->bodies[i];
        sum = real3_sum(
            sum, real3_sum(real3_scaled(of->mass, real3_cross(of->place, of->velocity)), spun(of, of->spin)));
    }
    return sum;
}

/* Returns the angular momentum of the pair if it turns rigidly. */
static real3 momentum_at(const settled_pair *pair, real3 spin) {
    real3 sum = {0, 0, 0};
    for (int i = 0; i < 2; i++) {
        const settled_body *of = &pair->bodies[i];
        const real3 way = real3_cross(of->place, real3_cross(spin, of->place));
        sum = real3_sum(sum, real3_sum(real3_scaled(of->mass, way), spun(of, spin)));
    }
    return sum;
}

/* Returns the spin at which the pair as a rigid body has an angular momentum. */
static real3 rigid_spin(const settled_pair *pair, real3 momentum) {
    const real3 x = momentum_at(pair, (real3){1, 0, 0}), y = momentum_at(pair, (real3){0, 1, 0}),
                z = momentum_at(pair, (real3){0, 0, 1});
    const double volume = real3_inner(x, real3_cross(y, z));
    return (real3){real3_inner(momentum, real3_cross(y, z)) / volume,
                   real3_inner(momentum, real3_cross(z, x)) / volume,
                   real3_inner(momentum, real3_cross(x, y)) / volume};
}

static void turn(settled_pair *pair, real3 spin) {
    for (int i = 0; i < 2; i++) {
        settled_body *of = &pair->bodies[i];
        of->velocity = real3_sum(of->velocity, real3_cross(spin, of->place));
        of->spin = real3_sum(of->spin, spin);
    }
}

static void scale(settled_pair *pair, double factor) {
    for (int i = 0; i < 2; i++) {
        settled_body *of = &pair->bodies[i];
        of->velocity = real3_scaled(factor, of->velocity);
        of->spin = real3_scaled(factor, of->spin);
    }
}

/* Scales the motion that is not that of a rigid body, and then that of the rigid body, down to an energy. */
static void limit_energy(settled_pair *pair, double most) {
    const double energy = energy_of(pair);
    if (!(energy > most)) return;
    const real3 spin = rigid_spin(pair, momentum_of(pair));
    turn(pair, real3_scaled(-1, spin));
    const double inner = energy_of(pair), rigid = energy - inner, left = most - rigid;
    scale(pair, left > 0 ? sqrt(left / inner) : 0);
    turn(pair, left > 0 ? spin : real3_scaled(sqrt(most / rigid), spin));
}

/* Turns the pair back, to at most a turn of MOST in a step. */
static void give_back(settled_pair *pair, real3 gained, double time_step) {
    const real3 now = rigid_spin(pair, momentum_of(pair)),
                then = real3_difference(now, rigid_spin(pair, gained));
    const double most = fmax(MOST / time_step, real3_length(now)), fast = real3_length(then);
    turn(pair, real3_difference(real3_scaled(fast > most ? most / fast : 1, then), now));
}

/* Without the bound by the energy before, ropes that part at one length a step exceed it by 5 instead of 0.3
 * % (95 % of 60 pairs), since they keep motions of more than MOST. */
static double allowed_energy(const settled_pair *pair, const joint_state *state, double before) {
    if (!state->roped) return state->unheld_energy;
    const real3 l = momentum_of(pair);
    const double rigid = real3_inner(l, rigid_spin(pair, l)) / 2;
    return fmin(state->unheld_energy, fmax(before, rigid));
}

static void put(const settled_pair *pair, body_velocity *velocities) {
    for (int i = 0; i < 2; i++) {
        const settled_body *of = &pair->bodies[i];
        velocities[of->slot].linear = real3_rounded(real3_sum(of->velocity, pair->velocity));
        velocities[of->slot].angular = real3_rounded(of->spin);
    }
}

static bool turns_freely(const problem_input *from, scree_body_id body) {
    const int slot = (int)body.index - 1;
    return slot >= 0 && body_is_dynamic(from->bodies, slot) && !from->bodies->masses[slot].locks;
}

/* Returns the angular momentum that the pull of a joint has added to its pair; zero if none is settled. */
static real3 momentum_gained(const problem_input *from, int joint, const body_velocity *velocities) {
    static const scalar LITTLE = (scalar)1e-5;
    const scree_joint_def *def = &from->joints->defs[joint];
    const joint_state *state = &from->joints->next[joint];
    const real3 none = {0, 0, 0};
    if (!state->roped && state->glide != JOINT_GLIDE_LATE) return none;
    if (from->substeps > 1 || !joint_is_alone(from->joints, joint)) return none;
    if (!turns_freely(from, def->a) || !turns_freely(from, def->b)) return none;
    const body_pose a = joint_pose(from->bodies->poses, def->a), b = joint_pose_b(from->bodies, def, state);
    const vec3s between = glms_vec3_sub(glms_vec3_add(b.position, state->pull_arms[1]),
                                        glms_vec3_add(a.position, state->pull_arms[0])),
                p = glms_vec3_scale(state->pull, from->motion.time_step),
                push = glms_vec3_scale(state->push, from->motion.time_step),
                apart =
                    glms_vec3_sub(velocities[def->b.index - 1].linear, velocities[def->a.index - 1].linear),
                gained = glms_vec3_add(glms_vec3_cross(between, p), glms_vec3_cross(push, apart));
    const scalar most =
        glms_vec3_norm(between) * glms_vec3_norm(p) + glms_vec3_norm(push) * glms_vec3_norm(apart);
    const bool gains = glms_vec3_norm(gained) > LITTLE * most;
    return gains ? real3_of(gained) : none;
}

static bool is_settled(const problem_input *from, int joint, const body_velocity *velocities) {
    return real3_square(momentum_gained(from, joint, velocities)) > 0;
}

static body_velocity released(const problem_input *from, scree_body_id body, const joint_state *state,
                              int side, body_velocity v) {
    const int slot = (int)body.index - 1;
    const scalar times = from->motion.time_step * (side ? -1 : 1);
    const vec3s p = glms_vec3_scale(state->pull, times), torque = glms_vec3_scale(state->torque, times);
    return velocity_after(v, mobility_of(from->bodies->poses[slot], from->bodies->masses[slot]), p,
                          glms_vec3_add(torque, glms_vec3_cross(state->pull_arms[side], p)));
}

static double energy_without(const problem_input *from, int joint, const body_velocity *velocities) {
    const scree_joint_def *def = &from->joints->defs[joint];
    const joint_state *state = &from->joints->next[joint];
    settled_pair pair = pair_of(from, def, state, from->bodies->poses, velocities);
    const body_velocity a = released(from, def->a, state, 0, velocities[def->a.index - 1]),
                        b = released(from, def->b, state, 1, velocities[def->b.index - 1]);
    settled_body *of_a = &pair.bodies[0], *of_b = &pair.bodies[1];
    const double mass = of_a->mass + of_b->mass;
    const real3 apart = real3_difference(real3_of(b.linear), real3_of(a.linear));
    of_a->velocity = real3_scaled(-of_b->mass / mass, apart), of_a->spin = real3_of(a.angular);
    of_b->velocity = real3_scaled(of_a->mass / mass, apart), of_b->spin = real3_of(b.angular);
    return energy_of(&pair);
}

void joint_settle_begin(const problem_input *from, const body_velocity *velocities) {
    for (int i = 0; i < from->joints->link_count; i++) {
        const int joint = from->joints->links[i].joint;
        if (is_settled(from, joint, velocities))
            from->joints->next[joint].unheld_energy = energy_without(from, joint, velocities);
    }
}

void joint_settle(const problem_input *from, const body_pose *after, body_velocity *velocities) {
    for (int i = 0; i < from->joints->link_count; i++) {
        const int joint = from->joints->links[i].joint;
        const scree_joint_def *def = &from->joints->defs[joint];
        const joint_state *state = &from->joints->next[joint];
        const real3 gained = momentum_gained(from, joint, velocities);
        if (!(real3_square(gained) > 0)) continue;
        settled_pair pair = pair_of(from, def, state, after, velocities);
        const double energy = energy_of(&pair);
        give_back(&pair, gained, (double)from->motion.time_step);
        limit_energy(&pair, allowed_energy(&pair, state, energy));
        put(&pair, velocities);
    }
}
