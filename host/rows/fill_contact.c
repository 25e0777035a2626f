/* The source of contacts: a block for each point, followed by its resistance block if the materials have
 * rolling or spinning friction. */
#include "lever_arm.h"
#include "base/vector.h"
#include "contact_bend.h"
#include "contact_block.h"
#include "displacement.h"
#include "fill.h"
#include "stabilisation.h"

static scree_material_pair_def material_of(const problem_input *from, const constraint_pair *pair) {
    const int *materials = from->bodies->materials;
    return material_combine(from->materials, materials[pair->a], materials[pair->b]);
}

static int block_count(const constraint_pair *pair) {
    return pair->contact < 0 ? 0 : pair->flags & PAIR_RESISTS ? 2 * pair->points : pair->points;
}

static int count(const problem_input *from, const constraint_pair *pair, slice links) {
    (void)from, (void)links;
    return block_count(pair);
}

/* Returns the acceleration of a body's point from gravity and the loads of the step, m/s². */
static vec3s acceleration_of(const problem_input *from, int slot, vec3s arm) {
    const body_mass mass = from->bodies->masses[slot];
    if (!(mass.mass > 0)) return glms_vec3_zero();
    return acceleration_at(from->bodies->poses[slot], mass, from->bodies->loads[slot], from->motion.gravity,
                           arm);
}

static bool surface_moves(const body_array *bodies, int slot) {
    const scree_vec3 v = bodies->settings[slot].surface_velocity;
    return v.x != 0 || v.y != 0 || v.z != 0;
}

/* Returns the velocity of a body's surface from its settings, in world axes, m/s. */
static vec3s surface_velocity_of(const body_array *bodies, int slot) {
    return rotate(bodies->poses[slot].rotation, vec3_in(bodies->settings[slot].surface_velocity));
}

static contact_frame frame_between(const body_array *bodies, const contact_manifold *pair) {
    if (!surface_moves(bodies, pair->a) && !surface_moves(bodies, pair->b))
        return contact_frame_still(pair->normal);
    return contact_frame_of(pair->normal, surface_velocity_of(bodies, pair->a),
                            surface_velocity_of(bodies, pair->b));
}

/* Terms that the points of a manifold share. */
typedef struct shared_terms {
    const fill_terms *step;
    const scree_material_pair_def *material;
    const row_scheme *scheme; /* with the material's own spring, if it has one */
    bool slips;               /* lay_slip is needed */
    bool plain;               /* whether arm_a and arm_b give the arms */
    bool rests;               /* split_row_terms gives the rows */
    arm_base arm_a, arm_b;
    contact_frame frame;
    scalar load_velocity; /* contact_load_velocity; 0 without restitution */
    gap_remainders remainders;
    contact_turn turn;
    row_scheme scratch; /* for `scheme` */
} shared_terms;

/* Sets the first tangent, and the surface velocity if a or b is not dynamic. */
static void lay_frame(const body_array *bodies, const contact_manifold *pair, shared_terms *out) {
    if (body_is_dynamic(bodies, pair->a) && body_is_dynamic(bodies, pair->b))
        out->frame = contact_frame_still(pair->normal);
    else
        out->frame = frame_between(bodies, pair);
}

/* Returns the mobility of the normal impulse, 1/kg. */
static scalar normal_mobility(const problem_input *from, const constraint_block *block) {
    const body_array *bodies = from->bodies;
    const int a = block->body_a, b = block->body_b;
    return block_delassus(*block, mobility_of(bodies->poses[a], bodies->masses[a]),
                          mobility_of(bodies->poses[b], bodies->masses[b]), 1, 1)
        .diagonal.x;
}

/* Returns the relative velocity before the step, which `relaxed` uses (normal_row.h). */
static vec3s relative_before(const problem_input *from, const contact_manifold *pair, contact_arms arms) {
    return glms_vec3_sub(velocity_at(body_velocity_before(from->bodies, pair->b), arms.b),
                         velocity_at(body_velocity_before(from->bodies, pair->a), arms.a));
}

/* Returns the relative acceleration along the normal. */
static scalar normal_acceleration(const problem_input *from, const contact_manifold *pair,
                                  contact_arms arms) {
    return glms_vec3_dot(pair->normal, glms_vec3_sub(acceleration_of(from, pair->b, arms.b),
                                                     acceleration_of(from, pair->a, arms.a)));
}

/* Returns the scheme with the material's own spring, if it has one; `scratch` stores it. */
static const row_scheme *scheme_between(const row_scheme *scheme, const scree_material_pair_def *material,
                                        row_scheme *scratch) {
    if (!(material->stiffness > 0)) return scheme;
    *scratch = scheme_with_spring(*scheme, material->stiffness, material->damping);
    return scratch;
}

/* Sets the base of a body's arms, if it has one. Returns false for a body with children. */
static inline bool lay_base(const body_array *bodies, int slot, int image, vec3s outward, arm_base *out) {
    const scree_shape *shape = &bodies->shapes[slot];
    if (shape_is_ball(*shape)) {
        *out = arm_base_of_ball(outward, shape->size.x);
        return true;
    }
    *out = arm_base_of_centre(image ? body_image_pose(bodies, slot, image).position
                                    : bodies->poses[slot].position);
    return !shape_has_children(*shape);
}

static inline bool lay_bases(const body_array *bodies, const contact_manifold *of, shared_terms *out) {
    return lay_base(bodies, of->a, 0, of->normal, &out->arm_a) &&
           lay_base(bodies, of->b, of->image, glms_vec3_negate(of->normal), &out->arm_b);
}

static contact_arms arms_of(const problem_input *from, const contact_pair *contact,
                            const shared_terms *shared, vec3s point) {
    return shared->plain ? (contact_arms){arm_from(shared->arm_a, point), arm_from(shared->arm_b, point)}
                         : contact_arms_of(from, contact, point);
}

/* Sets the turns of the bodies. Balls without cohesion have no bend (surface_turn_begin). */
static inline void lay_turn(const problem_input *from, const contact_pair *contact, shared_terms *out) {
    out->turn.turns = out->turn.tilts = out->turn.bound = false;
    if (!out->plain || !out->arm_a.ball || !out->arm_b.ball) contact_turn_begin(from, contact, &out->turn);
}

/* Returns the terms of the row of point i at the gap `gap`. */
static inline stabilisation row_terms(const contact_pair *contact, int i, const shared_terms *shared,
                                      scalar gap, vec3s relative, const constraint_block *block) {
    const fill_terms *step = shared->step;
    const problem_input *from = step->from;
    const scalar overlap = contact_overlap(from->contacts, contact, i);
    if (shared->rests && !contact->deferred) return split_row_terms(*shared->scheme, gap, overlap);
    const contact_manifold *pair = &contact->manifold;
    const scree_material_pair_def *material = shared->material;
    const contact_arms arms = {block->arm_a, block->arm_b};
    const scalar rate = glms_vec3_dot(pair->normal, relative);
    const row_state at = {
        .gap = gap,
        .overlap = overlap,
        .rate = rate,
        .rate_before = step->relaxed ? glms_vec3_dot(pair->normal, relative_before(from, pair, arms)) : rate,
        .mobility = step->substeps ? normal_mobility(from, block) : 0,
        .load_velocity = shared->load_velocity,
        .deferred = contact->deferred ? contact_actions(from->contacts, contact)[i].bias : 0};
    return stabilisation_of(shared->scheme, &at,
                            material->restitution > 0 ? normal_acceleration(from, pair, arms) : 0,
                            material->restitution);
}

/* Fills the terms in place, since copies stall on store forwarding. */
static inline void share_terms(const fill_terms *terms, const contact_pair *contact,
                               const scree_material_pair_def *material, shared_terms *out) {
    const problem_input *from = terms->from;
    out->step = terms;
    out->material = material;
    out->scheme = scheme_between(&terms->scheme, material, &out->scratch);
    out->load_velocity = material->restitution > 0 ? contact_load_velocity(from->bodies, contact) : 0;
    out->plain = terms->fixed_arms && lay_bases(from->bodies, &contact->manifold, out);
    lay_frame(from->bodies, &contact->manifold, out);
    out->remainders =
        gap_remainders_of(contact->manifold.normal, from->bodies->remainders[contact->manifold.a],
                          from->bodies->remainders[contact->manifold.b]);
    lay_turn(from, contact, out);
    out->rests = terms->split && !(material->restitution > 0);
    out->slips = out->turn.turns || terms->relaxed;
}

/* Adds the bend of a contact and what `relaxed` requires to the surface velocities of a block. Returns the
 * gap that opens in the step between bodies that cohesion holds, m. */
static scalar lay_slip(const problem_input *from, const contact_pair *contact, shared_terms *shared,
                       vec3s relative, constraint_block *block) {
    const contact_manifold *pair = &contact->manifold;
    const contact_arms arms = {block->arm_a, block->arm_b};
    const scalar slip = shared->step->slip_factor;
    const bool bends = contact_turn_bends(&shared->turn, arms, relative);
    const vec3s bent = bends ? contact_bend_of(from, contact, &shared->turn, arms) : glms_vec3_zero();
    if (bends || slip != 0) {
        const vec3s before = shared->step->relaxed ? relative_before(from, pair, arms) : relative,
                    second = block_tangent2(*block), curved = glms_vec3_sub(before, bent);
        const contact_slip more = contact_slip_of(block->tangent, second, block->rolling, slip, curved, bent);
        block->rolling += more.rolling;
        block->spinning += more.spinning;
    }
    return shared->turn.bound ? from->motion.time_step * glms_vec3_dot(pair->normal, bent) : 0;
}

/* Stores the terms of the row in the contact; of `substep` those of the relax sweep. */
static void note_row(const stabilisation *numbers, bool substeps, contact_action *out) {
    out->bias = substeps ? numbers->correction : numbers->bias;
    out->compliance = substeps ? 0 : numbers->compliance + 0; /* not −0 */
}

/* Fills the block of point i of a contact in place: building it on the stack and copying stalls on store
 * forwarding. */
static inline void lay_block(const contact_pair *contact, int i, shared_terms *shared,
                             constraint_block *block) {
    const fill_terms *step = shared->step;
    const problem_input *from = step->from;
    const body_array *bodies = from->bodies;
    const contact_manifold *pair = &contact->manifold;
    const manifold_point point = contact_point_now(from, contact, i);
    const contact_arms arms = arms_of(from, contact, shared, point.position);
    block->body_a = pair->a;
    block->body_b = pair->b;
    block->kind = BLOCK_CONTACT;
    block->angular = 0;
    block->rows = 0;
    block->friction = shared->material->friction;
    block->rolling = shared->frame.speed;
    block->spinning = block->length = 0;
    block->compliance = 0; /* The previous block's would count as mobility. */
    block->arm_a = arms.a;
    block->arm_b = arms.b;
    block->normal = pair->normal;
    block->tangent = shared->frame.tangent;
    const vec3s relative = glms_vec3_sub(velocity_at(bodies->velocities[pair->b], arms.b),
                                         velocity_at(bodies->velocities[pair->a], arms.a));
    const scalar gap = point.gap + gap_remainder(shared->remainders, arms.a, arms.b),
                 bend = shared->slips ? lay_slip(from, contact, shared, relative, block) : 0;
    const stabilisation numbers =
        row_terms(contact, i, shared, gap + bend >= 0 ? gap + bend : gap, relative, block);
    const scalar approach = gap + bend >= 0 ? 0 : bend / from->motion.time_step;
    note_row(&numbers, step->substeps, &contact_actions(from->contacts, contact)[i]);
    block->bias = numbers.bias + approach;
    block->compliance = numbers.compliance;
    block->correction = block->closing = numbers.correction + approach;
}

static constraint_block resistance_of(const problem_input *from, const contact_manifold *pair,
                                      const scree_material_pair_def *material) {
    return resistance_block(pair->a, pair->b, pair->normal, material->rolling_friction,
                            material->spinning_friction, angular_length(from->bodies, pair->a, pair->b));
}

/* Sets the warm start of block i from an impulse in world axes and one of the position pass, in the problem's
 * unit. */
static inline void start_block(problem *self, int i, vec3s start, scalar push) {
    self->impulses[i] = (block_impulse){.value = block_to_frame(self->blocks[i], start)};
    self->pseudo_impulses[i] = (block_impulse){.value = vec3_of(push * PUSH_WARM_START, 0, 0)};
}

/* Admits the warm start of the resistance block that follows a contact (torque_admitted). */
static void admit_resistance(problem *p, int contact) {
    const constraint_block *block = &p->blocks[contact + 1];
    vec3s *start = &p->impulses[contact + 1].value;
    *start = torque_admitted(*start, p->impulses[contact].value.x, block->rolling, block->spinning);
}

/* Adds the bend of surfaces that tilt to the rows of a contact that does not bounce. */
static void add_tilt(const problem_input *from, const contact_pair *contact, shared_terms *shared,
                     constraint_block *block) {
    if (block_rebounds(*block)) return;
    const contact_arms arms = {block->arm_a, block->arm_b};
    const body_velocity *v = from->bodies->velocities;
    const vec3s relative = glms_vec3_sub(velocity_at(v[block->body_b], arms.b),
                                         velocity_at(v[block->body_a], arms.a)),
                bent = contact_turn_bends(&shared->turn, arms, relative)
                           ? contact_bend_of(from, contact, &shared->turn, arms)
                           : glms_vec3_zero(),
                slip = glms_vec3_add(glms_vec3_sub(relative, bent),
                                     glms_vec3_scale(block->tangent, shared->frame.speed)),
                bend = block_to_frame(*block, contact_tilt_of(from, contact, &shared->turn, arms, slip));
    block->rolling += bend.y;
    block->spinning += bend.z;
    block->bias += bend.x;
    block->correction = block->closing = block->closing + bend.x;
}

/* Fills the blocks of a manifold's points in the problem's unit of mass: a contact, followed by its
 * resistance if `stride` is 2. Returns the next block. */
static int fill_manifold(const fill_terms *terms, const contact_pair *pair,
                         const scree_material_pair_def *material, int stride, int first) {
    const problem_input *from = terms->from;
    problem *p = terms->p;
    contact_action *at = contact_actions(from->contacts, pair);
    shared_terms shared;
    share_terms(terms, pair, material, &shared);
    const int points = (int)pair->manifold.count;
    for (int i = 0, block = first; i < points; i++, block += stride) {
        lay_block(pair, i, &shared, &p->blocks[block]);
        start_block(p, block, glms_vec3_scale(at[i].impulse, terms->fraction), at[i].push * terms->unit);
        vec3s *start = &p->impulses[block].value;
        *start = impulse_admitted((int)from->options->law, *start, p->blocks[block].friction);
        if (shared.turn.tilts) add_tilt(from, pair, &shared, &p->blocks[block]);
        p->blocks[block].compliance *= p->kilograms;
        if (stride == 1) continue;
        p->blocks[block + 1] = resistance_of(from, &pair->manifold, material);
        start_block(p, block + 1,
                    glms_vec3_scale(contact_torque(from->contacts, pair, i),
                                    terms->fraction / p->blocks[block + 1].length),
                    0);
        admit_resistance(p, block);
    }
    return first + points * stride;
}

static int fill(const fill_terms *terms, const constraint_pair *of, slice links, int first) {
    (void)links;
    const problem_input *from = terms->from;
    const int blocks = block_count(of), stride = of->flags & PAIR_RESISTS ? 2 : 1;
    if (blocks == 0) return 0;
    scree_material_pair_def combined;
    if (!from->alone) combined = material_of(from, of);
    const scree_material_pair_def *material = from->alone ? from->alone : &combined;
    const contact_pair *pair = &from->contacts->pairs[of->contact];
    for (int next = first; next < first + blocks; pair++)
        next = fill_manifold(terms, pair, material, stride, next);
    return blocks;
}

/* Reads the torques of the resistance blocks of a manifold, whose contacts begin at block `first`. */
static void read_torques(const problem_input *from, const constraint_pair *of, const contact_pair *pair,
                         const problem *p, const problem_solution *solution, int first) {
    const bool resists = of->flags & PAIR_RESISTS;
    const scalar length = resists ? angular_length(from->bodies, of->a, of->b) : 0;
    const vec3s normal = pair->manifold.normal;
    const constraint_block turning = {.normal = normal, .tangent = tangent_of(normal)};
    for (int k = 0; k < (int)pair->manifold.count; k++) {
        const int i = first + 2 * k + 1;
        vec3s turn = vec3_of(0, 0, 0);
        if (resists)
            turn = solution->on_b ? solution->on_b[i]
                                  : block_to_world(turning, impulse_in_kilograms(p, solution->impulses[i]));
        from->contacts->torques[pair->first + k] = glms_vec3_scale(turn, length);
    }
}

/* Reads the impulses of a manifold's blocks, from block `first` on; returns the next block. Does not read
 * blocks, which a backend may have packed: the frame follows from the manifold. */
static int read_manifold(const problem_input *from, const constraint_pair *of, const contact_pair *pair,
                         const problem *p, const problem_solution *solution, int first) {
    contact_action *at = contact_actions(from->contacts, pair);
    const bool both_move = of->flags & PAIR_MOVES_A && of->flags & PAIR_MOVES_B;
    const int points = (int)pair->manifold.count, stride = of->flags & PAIR_RESISTS ? 2 : 1;
    const vec3s normal = pair->manifold.normal,
                tangent =
                    both_move ? tangent_of(normal) : frame_between(from->bodies, &pair->manifold).tangent;
    const constraint_block frame = {.normal = normal, .tangent = tangent};
    for (int k = 0, i = first; k < points; k++, i += stride) {
        const vec3s r = impulse_in_kilograms(p, solution->impulses[i]);
        at[k].impulse = solution->on_b ? solution->on_b[i] : block_to_world(frame, r);
        at[k].push = impulse_in_kilograms(p, p->pseudo_impulses[i]).x;
    }
    if (from->contacts->has_resistance) read_torques(from, of, pair, p, solution, first);
    return first + points * stride;
}

static int read_back(const problem_input *from, const constraint_pair *of, slice links, const problem *p,
                     const problem_solution *solution, int first) {
    (void)links;
    const int blocks = block_count(of);
    if (blocks == 0) return 0;
    const contact_pair *pair = &from->contacts->pairs[of->contact];
    for (int next = first; next < first + blocks; pair++)
        next = read_manifold(from, of, pair, p, solution, next);
    return blocks;
}

const constraint_source contact_source = {count, fill, read_back};
