/* The source of contacts: a block for each point, followed by its resistance block if the materials have
 * rolling or spinning friction. */
#include "lever_arm.h"
#include "base/vector.h"
#include "block.h"
#include "contact_bend.h"
#include "held_pair.h"
#include "law.h"
#include "motion.h"
#include "resistance.h"
#include "rotation.h"
#include "fill.h"
#include "stabilisation.h"

#include <math.h>

static scree_material_pair_def material_of(const problem_input *from, const constraint_pair *pair) {
    const int *materials = from->bodies->materials;
    return material_combine(from->materials, materials[pair->a], materials[pair->b]);
}

static int count(const problem_input *from, const constraint_pair *pair) {
    (void)from;
    return pair->contact < 0 ? 0 : pair->flags & PAIR_RESISTS ? 2 * pair->points : pair->points;
}

/* Returns the acceleration of a body's point from gravity and the loads of the step, m/s². */
static vec3s acceleration_at(const problem_input *from, int slot, vec3s arm) {
    const body_mass mass = from->bodies->masses[slot];
    if (!(mass.mass > 0)) return glms_vec3_zero();
    const body_load load = from->bodies->loads[slot];
    const body_mobility m = mobility_of(from->bodies->poses[slot], mass);
    const vec3s weight = glms_vec3_scale(from->motion.gravity, mass.mass * mass.gravity_scale);
    const vec3s linear = glms_vec3_mul(glms_vec3_add(weight, load.force), m.inverse_mass);
    const vec3s angular = symmetric_times(symmetric_of(m.diagonal, m.off_diagonal), load.torque);
    return glms_vec3_add(linear, glms_vec3_cross(angular, arm));
}

/* Returns the surface velocity of b relative to a, from the bodies' settings, in the plane of the contact,
 * m/s. */
static vec3s surface_velocity_of(const body_array *bodies, const contact_manifold *pair) {
    const vec3s of_a = rotate(bodies->poses[pair->a].rotation,
                              vec3_in(bodies->settings[pair->a].surface_velocity)),
                of_b = rotate(bodies->poses[pair->b].rotation,
                              vec3_in(bodies->settings[pair->b].surface_velocity)),
                drift = glms_vec3_sub(of_b, of_a);
    return glms_vec3_sub(drift, glms_vec3_scale(pair->normal, glms_vec3_dot(pair->normal, drift)));
}

/* Returns the first tangent, which lies along the surface velocity, if there is one, and sets its speed. */
static vec3s tangent_between(const body_array *bodies, const contact_manifold *pair, scalar *speed) {
    const vec3s drift = surface_velocity_of(bodies, pair);
    *speed = glms_vec3_norm(drift);
    if (!(*speed > 0)) return tangent_of(pair->normal);
    /* Project again: a surface velocity nearly along the normal leaves little in the plane. */
    const vec3s along = glms_vec3_scale(drift, 1 / *speed),
                flat =
                    glms_vec3_sub(along, glms_vec3_scale(pair->normal, glms_vec3_dot(pair->normal, along)));
    return glms_vec3_scale(flat, 1 / glms_vec3_norm(flat));
}

/* Sets normal and first tangent, and the surface velocity if a or b is not dynamic. */
static void lay_frame(const body_array *bodies, const contact_manifold *pair, constraint_block *block) {
    block->normal = pair->normal;
    if (body_is_dynamic(bodies, pair->a) && body_is_dynamic(bodies, pair->b))
        block->tangent = tangent_of(pair->normal);
    else
        block->tangent = tangent_between(bodies, pair, &block->rolling);
}

/* Returns the mobility of the normal impulse, 1/kg. */
static scalar normal_mobility(const problem_input *from, const constraint_block *block) {
    const body_array *bodies = from->bodies;
    const int a = block->body_a, b = block->body_b;
    return block_delassus(*block, mobility_of(bodies->poses[a], bodies->masses[a]),
                          mobility_of(bodies->poses[b], bodies->masses[b]), 1, 1)
        .diagonal.x;
}

/* Returns `relative` with velocities before the step, if the scheme uses these (stabilisation.c). */
static vec3s relative_before(const problem_input *from, const contact_manifold *pair,
                             const constraint_block *block, vec3s relative) {
    if (from->options->stabilisation != SCREE_STABILISATION_RELAXED) return relative;
    return glms_vec3_sub(velocity_at(body_velocity_before(from->bodies, pair->b), block->arm_b),
                         velocity_at(body_velocity_before(from->bodies, pair->a), block->arm_a));
}

/* Returns the options with the material's own spring, if it has one; `scratch` stores them. */
static const scree_solver_def *options_between(const scree_solver_def *options,
                                               const scree_material_pair_def *material,
                                               scree_solver_def *scratch) {
    if (!(material->stiffness > 0)) return options;
    *scratch = *options;
    scree_contact_spring *spring = stabilisation_spring(scratch);
    if (!spring) return options;
    *spring = (scree_contact_spring){.stiffness = material->stiffness, .damping = material->damping};
    return scratch;
}

/* Returns what the remainders of the bodies add to a gap, m. Detection reads rounded poses. With their gaps
 * alone, corrections smaller than the rounding would add up before they show: a stack 10 km from the origin
 * would shake with 0.24 J, not 7e-11 J. */
static scalar gap_remainder(const body_array *bodies, const contact_manifold *pair, contact_arms arms) {
    const body_remainder a = bodies->remainders[pair->a], b = bodies->remainders[pair->b];
    const vec3s of_a = glms_vec3_add(a.position, glms_vec3_cross(a.rotation, arms.a)),
                of_b = glms_vec3_add(b.position, glms_vec3_cross(b.rotation, arms.b));
    return glms_vec3_dot(pair->normal, glms_vec3_sub(of_b, of_a));
}

/* Returns the gap that opens in the step between bodies that cohesion holds, m. */
static scalar opening_of(const problem_input *from, const contact_pair *contact, int i,
                         const contact_turn *turn, vec3s bent) {
    if (!from->contacts->cohesive) return 0;
    return turn->bound ? from->motion.time_step * glms_vec3_dot(contact->manifold.normal, bent)
                       : held_pair_bend(from, contact, i);
}

/* Fills the block of point i of a contact in place: building it on the stack and copying stalls on store
 * forwarding. */
static void lay_block(const problem_input *from, const contact_pair *contact, int i,
                      const scree_material_pair_def *material, const contact_turn *turn,
                      constraint_block *block) {
    const body_array *bodies = from->bodies;
    const contact_manifold *pair = &contact->manifold;
    const manifold_point point = contact_point_now(from, contact, i);
    const contact_arms arms = contact_arms_of(from, contact, point.position);
    block->body_a = pair->a;
    block->body_b = pair->b;
    block->kind = BLOCK_CONTACT;
    block->angular = 0;
    block->rows = 0;
    block->friction = material->friction;
    block->rolling = block->spinning = block->length = 0;
    block->compliance = 0; /* The previous block's would count as mobility. */
    block->arm_a = arms.a;
    block->arm_b = arms.b;
    lay_frame(bodies, pair, block);
    const vec3s relative = glms_vec3_sub(velocity_at(bodies->velocities[pair->b], arms.b),
                                         velocity_at(bodies->velocities[pair->a], arms.a));
    const vec3s before = relative_before(from, pair, block, relative);
    vec3s acceleration = glms_vec3_zero();
    if (material->restitution > 0)
        acceleration =
            glms_vec3_sub(acceleration_at(from, pair->b, arms.b), acceleration_at(from, pair->a, arms.a));
    const vec3s bent = contact_bend_of(from, contact, turn, arms);
    const scalar gap = point.gap + gap_remainder(bodies, pair, arms),
                 bend = opening_of(from, contact, i, turn, bent);
    const row_state at = {
        .gap = gap + bend >= 0 ? gap + bend : gap,
        .overlap = contact_overlap(from->contacts, contact, i),
        .rate = glms_vec3_dot(pair->normal, relative),
        .rate_before = glms_vec3_dot(pair->normal, before),
        .mobility =
            stabilisation_uses_substeps(from->options->stabilisation) ? normal_mobility(from, block) : 0,
        .load_velocity = material->restitution > 0 ? contact_load_velocity(bodies, contact) : 0,
        .deferred = contact->deferred ? contact_actions(from->contacts, contact)[i].bias : 0};
    const scalar h = from->motion.time_step, slip = stabilisation_slip_factor(from->options, h);
    scree_solver_def scratch;
    const stabilisation numbers =
        stabilisation_of(options_between(from->options, material, &scratch), &at,
                         glms_vec3_dot(pair->normal, acceleration), material->restitution, h);
    if (turn->turns || slip != 0) {
        const vec3s second = block_tangent2(*block), curved = glms_vec3_sub(before, bent);
        block->rolling += slip * (glms_vec3_dot(block->tangent, curved) + block->rolling) +
                          glms_vec3_dot(block->tangent, bent);
        block->spinning += slip * glms_vec3_dot(second, curved) + glms_vec3_dot(second, bent); /* not −0 */
    }
    const scalar approach = gap + bend >= 0 ? 0 : bend / h;
    block->bias = numbers.bias + approach;
    block->compliance = numbers.compliance;
    block->correction = block->closing = numbers.correction + approach;
}

static constraint_block resistance_of(const problem_input *from, const contact_manifold *pair,
                                      const scree_material_pair_def *material) {
    const scalar length = angular_length(from->bodies, pair->a, pair->b);
    return (constraint_block){.body_a = pair->a,
                              .body_b = pair->b,
                              .kind = BLOCK_RESISTANCE,
                              .angular = 1,
                              .rolling = material->rolling_friction / length,
                              .spinning = material->spinning_friction / length,
                              .normal = pair->normal,
                              .tangent = tangent_of(pair->normal),
                              .length = length};
}

/* Sets the warm start of block i from an impulse in world axes, N s, and a position-pass impulse. */
static inline void start_block(problem *self, int i, vec3s start, scalar push) {
    self->impulses[i] = (block_impulse){.value = block_to_frame(self->blocks[i], start)};
    self->pseudo_impulses[i] = (block_impulse){.value = vec3_of(push * PUSH_WARM_START, 0, 0)};
}

/* Returns a power of two near the largest component. Squares in that unit neither overflow nor vanish. */
static scalar unit_of(vec3s v) {
    const scalar largest = scalar_max(scalar_abs(v.x), scalar_max(scalar_abs(v.y), scalar_abs(v.z)));
    int exponent;
    (void)frexpf(largest, &exponent);
    return largest > 0 && isfinite(largest) ? ldexpf(1, exponent < -120  ? -120
                                                        : exponent > 120 ? 120
                                                                         : exponent)
                                            : 1;
}

/* Returns whether ‖r_T‖ ≤ μ r_N, or for the pyramid each component, as for most warm starts. Returns false if
 * squares overflow or lose digits. */
static bool is_admitted(int law, vec3s r, scalar friction) {
    const scalar bound = friction * r.x, square = bound * bound;
    if (!(r.x >= 0 && square > (scalar)1e-24 && square < INFINITY)) return false;
    if (law == SCREE_LAW_PYRAMID) return scalar_abs(r.y) <= bound && scalar_abs(r.z) <= bound;
    return r.y * r.y + r.z * r.z <= square;
}

/* Projects a contact's warm start to the admissible impulse with the same normal part, or to zero if that is
 * negative. It may be inadmissible because frames turn, because materials differ from those of its solve, or
 * because a solve with few iterations left it so. */
static void admit(const problem_input *from, problem *p, int contact) {
    vec3s *start = &p->impulses[contact].value;
    const scalar friction = p->blocks[contact].friction;
    if (is_admitted(from->options->law, *start, friction)) return;
    const scalar unit = unit_of(*start);
    const vec3s r = glms_vec3_scale(*start, 1 / unit), admitted = from->options->law == SCREE_LAW_PYRAMID
                                                                      ? pyramid_clamp(r, friction)
                                                                      : radial_clamp(r, friction);
    *start = glms_vec3_scale(admitted, unit);
}

/* Does the same for the resistance block that follows a contact. */
static void admit_resistance(problem *p, int contact) {
    const constraint_block *block = &p->blocks[contact + 1];
    vec3s *start = &p->impulses[contact + 1].value;
    const scalar unit = unit_of(*start), normal = p->impulses[contact].value.x / unit;
    const resistance_bound bound = {.spinning = block->spinning * normal, .rolling = block->rolling * normal};
    *start = glms_vec3_scale(resistance_clamp(glms_vec3_scale(*start, 1 / unit), bound), unit);
}

/* Stores the terms of the row in the contact; of `substep` those of the relax sweep. */
static void note_row(const problem_input *from, const constraint_block *block, contact_action *out) {
    const bool substeps = stabilisation_uses_substeps(from->options->stabilisation);
    out->bias = substeps ? block->closing : block->bias;
    out->compliance = substeps ? 0 : block->compliance;
}

/* Fills the blocks of a manifold's points: a contact, followed by its resistance if `stride` is 2. */
static void fill_manifold(const problem_input *from, const contact_pair *pair,
                          const scree_material_pair_def *material, int stride, problem *p, int first) {
    const scalar fraction = problem_input_fraction(from);
    contact_action *at = contact_actions(from->contacts, pair);
    contact_turn turn;
    contact_turn_of(from, pair, &turn);
    for (int i = 0; i < pair->manifold.count; i++) {
        const int block = first + i * stride;
        lay_block(from, pair, i, material, &turn, &p->blocks[block]);
        start_block(p, block, glms_vec3_scale(at[i].impulse, fraction), at[i].push);
        admit(from, p, block);
        note_row(from, &p->blocks[block], &at[i]);
        if (stride == 1) continue;
        p->blocks[block + 1] = resistance_of(from, &pair->manifold, material);
        start_block(
            p, block + 1,
            glms_vec3_scale(contact_torque(from->contacts, pair, i), fraction / p->blocks[block + 1].length),
            0);
        admit_resistance(p, block);
    }
}

static void fill(const problem_input *from, const constraint_pair *of, problem *p, int first) {
    if (of->contact < 0) return;
    scree_material_pair_def combined;
    if (!from->alone) combined = material_of(from, of);
    const int stride = of->flags & PAIR_RESISTS ? 2 : 1;
    const contact_pair *pair = &from->contacts->pairs[of->contact];
    for (int done = 0; done < of->points; done += pair++->manifold.count)
        fill_manifold(from, pair, from->alone ? from->alone : &combined, stride, p, first + done * stride);
}

/* Does not read blocks, which a backend may have packed: the frame follows from the manifold. */
static void read_manifold(const problem_input *from, const constraint_pair *of, const contact_pair *pair,
                          const problem *p, const problem_solution *solution, int first) {
    contact_set *contacts = from->contacts;
    contact_action *at = contact_actions(contacts, pair);
    const bool resists = of->flags & PAIR_RESISTS,
               both_move = of->flags & PAIR_MOVES_A && of->flags & PAIR_MOVES_B;
    const scalar length = resists ? angular_length(from->bodies, of->a, of->b) : 0;
    const vec3s normal = pair->manifold.normal, tangent = tangent_of(normal);
    scalar speed;
    const constraint_block frame = {.normal = normal,
                                    .tangent = both_move
                                                   ? tangent
                                                   : tangent_between(from->bodies, &pair->manifold, &speed)},
                           turning = {.normal = normal, .tangent = tangent};
    for (int k = 0; k < pair->manifold.count; k++) {
        const int i = first + (resists ? 2 * k : k);
        const vec3s r = impulse_in_kilograms(p, solution->impulses[i]);
        at[k].impulse = solution->on_b ? solution->on_b[i] : block_to_world(frame, r);
        at[k].push = impulse_in_kilograms(p, p->pseudo_impulses[i]).x;
        if (!contacts->has_resistance) continue;
        vec3s turn = vec3_of(0, 0, 0);
        if (resists)
            turn = solution->on_b
                       ? solution->on_b[i + 1]
                       : block_to_world(turning, impulse_in_kilograms(p, solution->impulses[i + 1]));
        contacts->torques[pair->first + k] = glms_vec3_scale(turn, length);
    }
}

static void read_back(const problem_input *from, const constraint_pair *of, const problem *p,
                      const problem_solution *solution, int first) {
    if (of->contact < 0) return;
    const int stride = of->flags & PAIR_RESISTS ? 2 : 1;
    const contact_pair *pair = &from->contacts->pairs[of->contact];
    for (int done = 0; done < of->points; done += pair++->manifold.count)
        read_manifold(from, of, pair, p, solution, first + done * stride);
}

const constraint_source contact_source = {count, fill, read_back};
