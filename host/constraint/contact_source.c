/* The source of contacts: a block for each point, followed by its resistance where the materials have rolling
 * or spinning friction. */
#include "arm.h"
#include "base/vector.h"
#include "block.h"
#include "motion.h"
#include "rotation.h"
#include "source.h"
#include "stabilisation.h"

static scree_material_pair_def material_of(const assembly *from, const constraint_pair *pair) {
    const int *materials = from->bodies->materials;
    return material_combine(from->materials, materials[pair->a], materials[pair->b]);
}

static int count(const assembly *from, const constraint_pair *pair) {
    if (pair->contact < 0) return 0;
    if (!material_resists(from->materials)) return pair->points;
    const scree_material_pair_def material = material_of(from, pair);
    return material.rolling_friction > 0 || material.spinning_friction > 0 ? 2 * pair->points : pair->points;
}

static vec3s velocity_at(body_velocity body, vec3s arm) {
    return glms_vec3_add(body.linear, glms_vec3_cross(body.angular, arm));
}

/* Of a body's point, from gravity and the loads of the step. */
static vec3s acceleration_at(const assembly *from, int slot, vec3s arm) {
    const body_mass mass = from->bodies->masses[slot];
    if (!(mass.mass > 0)) return glms_vec3_zero();
    const body_load load = from->bodies->loads[slot];
    const body_mobility m = mobility_of(from->bodies->poses[slot], mass);
    const vec3s weight = glms_vec3_scale(from->motion.gravity, mass.mass * mass.gravity_scale);
    const vec3s linear = glms_vec3_mul(glms_vec3_add(weight, load.force), m.inverse_mass);
    const vec3s angular = symmetric_times(symmetric_of(m.diagonal, m.off_diagonal), load.torque);
    return glms_vec3_add(linear, glms_vec3_cross(angular, arm));
}

/* By how much faster b's surface runs than a's, of themselves, in the plane of the contact. */
static vec3s drift_of(const body_array *bodies, const manifold *pair) {
    const vec3s of_a = rotate(bodies->poses[pair->a].rotation,
                              vec3_in(bodies->settings[pair->a].surface_velocity)),
                of_b = rotate(bodies->poses[pair->b].rotation,
                              vec3_in(bodies->settings[pair->b].surface_velocity)),
                drift = glms_vec3_sub(of_b, of_a);
    return glms_vec3_sub(drift, glms_vec3_scale(pair->normal, glms_vec3_dot(pair->normal, drift)));
}

/* The first tangent lies along the drift, if there is one. */
static void lay_frame(const body_array *bodies, const manifold *pair, constraint_block *block) {
    block->normal = pair->normal;
    block->tangent = tangent_of(pair->normal);
    if (body_is_dynamic(bodies, pair->a) && body_is_dynamic(bodies, pair->b)) return;
    const vec3s drift = drift_of(bodies, pair);
    const scalar speed = glms_vec3_norm(drift);
    if (!(speed > 0)) return;
    /* once more, since little may be left of what ran along the normal */
    const vec3s along = glms_vec3_scale(drift, 1 / speed),
                flat =
                    glms_vec3_sub(along, glms_vec3_scale(pair->normal, glms_vec3_dot(pair->normal, along)));
    block->tangent = glms_vec3_scale(flat, 1 / glms_vec3_norm(flat));
    block->rolling = speed;
}

/* The same of a part, of which a ball has turned on under the point. */
static vec3s moved_part(scree_shape shape, int part, body_pose was, body_pose is, vec3s point) {
    const placed_part before = parts_place(shape, was, part), now = parts_place(shape, is, part);
    vec3s arm = glms_vec3_sub(point, before.pose.position);
    if (!shape_is_ball(now.shape)) arm = rotate(is.rotation, rotate_inverse(was.rotation, arm));
    return glms_vec3_add(now.pose.position, arm);
}

/* Where a body's point is that was at `point` when contacts were found. A ball has turned on under it. */
static vec3s moved_point(const assembly *from, int slot, int part, vec3s point) {
    const body_pose was = from->collided[slot], is = from->bodies->poses[slot];
    vec3s arm = glms_vec3_sub(point, was.position);
    const scree_shape shape = from->bodies->shapes[slot];
    if (shape_has_parts(shape)) return moved_part(shape, part, was, is, point);
    if (!shape_is_ball(shape)) arm = rotate(is.rotation, rotate_inverse(was.rotation, arm));
    return glms_vec3_add(is.position, arm);
}

/* The point of a contact with its gap along the normal, which stays, as the bodies stand now. */
static manifold_point point_now(const assembly *from, const manifold *pair, int i) {
    manifold_point point = pair->points[i];
    if (!from->collided) return point;
    const part_numbers parts = parts_of(from->bodies->shapes[pair->b], pair->part);
    const vec3s a = moved_point(from, pair->a, parts.a, point.position),
                b = moved_point(from, pair->b, parts.b, point.position);
    point.gap += glms_vec3_dot(pair->normal, glms_vec3_sub(b, a));
    point.position = glms_vec3_scale(glms_vec3_add(a, b), (scalar)0.5);
    return point;
}

/* Of what turns about the normal n by the rate ω, the arm whose velocity is a point's mean over the step h:
 * with θ = h ω the way in the plane is (R − 1) r = sin θ n × r − (1 − cos θ) r = θ n × (sin θ/θ) (r +
 * tan(θ/2) n × r), and with w = tan(θ/2) sin θ/θ is (2 w/θ)/(1 + w²). The tangent is 2 w/θ = 1 + θ²/12 to
 * θ⁴/120. */
static vec3s arm_halfway(const assembly *from, scalar rate, vec3s arm, vec3s normal) {
    const scalar half = (scalar)0.5 * from->motion.time_step * rate;
    const scalar stretch = 1 + half * half / 3, w = half * stretch;
    const vec3s along = glms_vec3_scale(normal, glms_vec3_dot(normal, arm)), flat = glms_vec3_sub(arm, along),
                ahead = glms_vec3_add(flat, glms_vec3_scale(glms_vec3_cross(normal, flat), w));
    return glms_vec3_add(along, glms_vec3_scale(ahead, stretch / (1 + w * w)));
}

/* What a turning table carries would spiral out by (h ω)²/2 of the radius in each step if both followed the
 * velocities of their points at its start. Both arms turn as the table does, which is how what it carries
 * turns, so that a table that comes to rest is a floor by degrees. Pairs that move freely keep arms to a
 * common point, and with them their angular momentum; spheres across a gap, each with its own radius, change
 * it by the gap's share. */
static scalar table_rate(const assembly *from, int slot, vec3s normal) {
    if (body_is_dynamic(from->bodies, slot)) return 0;
    return glms_vec3_dot(from->bodies->velocities[slot].angular, normal);
}

static void lay_arms(const assembly *from, const contact_pair *contact, vec3s point,
                     constraint_block *block) {
    const body_array *bodies = from->bodies;
    const manifold *pair = &contact->manifold;
    const vec3s normal = pair->normal;
    block->arm_a = arm_of(bodies, contact, false, point);
    block->arm_b = arm_of(bodies, contact, true, point);
    const scalar rate = table_rate(from, pair->a, normal) + table_rate(from, pair->b, normal);
    if (rate == 0) return;
    block->arm_a = arm_halfway(from, rate, block->arm_a, normal);
    block->arm_b = arm_halfway(from, rate, block->arm_b, normal);
}

/* What the contact's normal impulse moves, 1/kg. */
static scalar normal_mobility(const assembly *from, const constraint_block *block) {
    const body_array *bodies = from->bodies;
    const int a = block->body_a, b = block->body_b;
    return block_delassus(*block, mobility_of(bodies->poses[a], bodies->masses[a]),
                          mobility_of(bodies->poses[b], bodies->masses[b]), 1, 1)
        .diagonal.x;
}

/* `relative` before the step, for the scheme that asks (stabilisation.c). */
static vec3s relative_before(const assembly *from, const manifold *pair, const constraint_block *block,
                             vec3s relative) {
    if (from->options->stabilisation != SCREE_STABILISATION_RELAXED) return relative;
    return glms_vec3_sub(velocity_at(body_velocity_before(from->bodies, pair->b), block->arm_b),
                         velocity_at(body_velocity_before(from->bodies, pair->a), block->arm_a));
}

/* The options with the springs that the materials have of their own, for which `room` is. */
static const scree_solver_def *options_between(const scree_solver_def *options,
                                               const scree_material_pair_def *material,
                                               scree_solver_def *room) {
    if (!(material->stiffness > 0)) return options;
    *room = *options;
    room->stiffness = material->stiffness, room->damping = material->damping;
    return room;
}

static constraint_block block_of(const assembly *from, const contact_pair *contact, int i,
                                 const scree_material_pair_def *material) {
    const body_array *bodies = from->bodies;
    const manifold *pair = &contact->manifold;
    const manifold_point point = point_now(from, pair, i);
    constraint_block block = {
        .body_a = pair->a, .body_b = pair->b, .kind = BLOCK_CONTACT, .friction = material->friction};
    lay_arms(from, contact, point.position, &block);
    lay_frame(bodies, pair, &block);
    const vec3s relative = glms_vec3_sub(velocity_at(bodies->velocities[pair->b], block.arm_b),
                                         velocity_at(bodies->velocities[pair->a], block.arm_a));
    const vec3s before = relative_before(from, pair, &block, relative);
    vec3s acceleration = glms_vec3_zero();
    if (material->restitution > 0)
        acceleration = glms_vec3_sub(acceleration_at(from, pair->b, block.arm_b),
                                     acceleration_at(from, pair->a, block.arm_a));
    const row_state at = {
        .gap = point.gap,
        .overlap = contact_overlap(contact, i),
        .rate = glms_vec3_dot(pair->normal, relative),
        .rate_before = glms_vec3_dot(pair->normal, before),
        .mobility = stabilisation_relaxes(from->options->stabilisation) ? normal_mobility(from, &block) : 0,
        .fastest = from->fastest};
    const scalar h = from->motion.time_step, slip = stabilisation_of_slip(from->options, h);
    scree_solver_def room;
    const stabilisation numbers =
        stabilisation_of(options_between(from->options, material, &room), at,
                         glms_vec3_dot(pair->normal, acceleration), material->restitution, h);
    block.rolling += slip * (glms_vec3_dot(block.tangent, before) + block.rolling);
    block.spinning = slip * glms_vec3_dot(block_tangent2(block), before);
    block.bias = numbers.bias;
    block.compliance = numbers.compliance;
    block.correction = block.closing = numbers.correction;
    return block;
}

static constraint_block resistance_of(const assembly *from, const manifold *pair,
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

/* Block i of the problem, with the world vector and the push that its impulses start from. */
static void fill_block(problem *self, int i, constraint_block block, vec3s start, scalar push) {
    self->blocks[i] = block;
    self->impulses[i] = (block_impulse){.value = block_to_frame(block, start)};
    self->pseudo_impulses[i] = (block_impulse){.value = vec3_of(push, 0, 0)};
}

static void fill_manifold(const assembly *from, const contact_pair *pair,
                          const scree_material_pair_def *material, int stride, problem *p, int first) {
    const scalar part = assembly_part(from);
    for (int i = 0; i < pair->manifold.count; ++i) {
        const int block = first + i * stride;
        fill_block(p, block, block_of(from, pair, i, material), glms_vec3_scale(pair->impulses[i], part),
                   pair->pushes[i]);
        if (stride == 1) continue;
        const constraint_block resistance = resistance_of(from, &pair->manifold, material);
        fill_block(p, block + 1, resistance, glms_vec3_scale(pair->torques[i], part / resistance.length), 0);
    }
}

static void fill(const assembly *from, const constraint_pair *of, problem *p, int first) {
    if (of->contact < 0) return;
    const scree_material_pair_def material = material_of(from, of);
    const int stride = count(from, of) / of->points;
    const contact_pair *pair = &from->contacts->pairs[of->contact];
    for (int done = 0; done < of->points; done += pair++->manifold.count)
        fill_manifold(from, pair, &material, stride, p, first + done * stride);
}

static void read_manifold(contact_pair *pair, int stride, const problem *p, int first) {
    for (int k = 0; k < pair->manifold.count; ++k) {
        const int contact = first + k * stride, resistance = contact + 1;
        pair->impulses[k] = impulse_in_world(p, contact);
        pair->pushes[k] = p->pseudo_impulses[contact].value.x;
        pair->biases[k] = p->blocks[contact].bias;
        pair->compliances[k] = p->blocks[contact].compliance;
        pair->torques[k] = vec3_of(0, 0, 0);
        if (stride == 1) continue;
        const constraint_block *block = &p->blocks[resistance];
        pair->torques[k] = glms_vec3_scale(impulse_in_world(p, resistance), block->length);
    }
}

static void read_back(const assembly *from, const constraint_pair *of, const problem *p, int first) {
    if (of->contact < 0) return;
    const int stride = count(from, of) / of->points;
    contact_pair *pair = &from->contacts->pairs[of->contact];
    for (int done = 0; done < of->points; done += pair++->manifold.count)
        read_manifold(pair, stride, p, first + done * stride);
}

const constraint_source contact_source = {count, fill, read_back};
