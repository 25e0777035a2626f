/* The source of joints: their rows as bounded blocks (joint_plan.h). */
#include "lever_arm.h"
#include "base/vector.h"
#include "block.h"
#include "joint_row.h"
#include "motion.h"
#include "rotation.h"
#include "fill.h"
#include "stabilisation.h"

/* A body of a joint. */
typedef struct joint_side {
    body_pose pose;
    /* At the beginning of the step; before it (body_velocity_before); after it, if no row acted. */
    body_velocity velocity, before, free_velocity;
    body_mass mass; /* zero for the ground */
    body_mobility mobility;
} joint_side;

static joint_side side_of(const problem_input *from, int slot) {
    const body_array *bodies = from->bodies;
    if (slot >= bodies->count) return (joint_side){.pose = {.rotation = versor_of(0, 0, 0, 1)}};
    joint_side side = {.pose = bodies->poses[slot],
                       .velocity = bodies->velocities[slot],
                       .before = body_velocity_before(bodies, slot),
                       .mass = bodies->masses[slot],
                       .mobility = mobility_of(bodies->poses[slot], bodies->masses[slot])};
    side.free_velocity = free_velocity_of(side.pose, side.velocity, bodies->masses[slot], bodies->loads[slot],
                                          side.mobility, from->motion);
    return side;
}

/* Few pairs have joints. The code for these is kept out of line, so that the test costs the others little. */
#define OF_HELD __attribute__((noinline)) static

OF_HELD int count_blocks(const problem_input *from, const constraint_pair *pair) {
    int blocks = 0;
    for (int i = 0; i < pair->joints; i++)
        blocks += joint_plan_of(&from->joints->defs[from->joints->links[pair->first_joint + i].joint]).count;
    return blocks;
}

static int count(const problem_input *from, const constraint_pair *pair) {
    return pair->joints > 0 ? count_blocks(from, pair) : 0;
}

/* Returns a block's frame and arms. Both arms end in b's anchor: the axes of translation turn with a, so the
 * rate of e·(p_b − p_a) is that between the two bodies' points at p_b. */
static constraint_block frame_of(const joint_block_plan *plan, const joint_geometry *at,
                                 const constraint_pair *pair, const joint_side *a, const joint_side *b,
                                 scalar length) {
    const vec3s *axes = plan->angular ? at->angular[plan->frame] : at->linear;
    return (constraint_block){.body_a = pair->a,
                              .body_b = pair->b,
                              .kind = BLOCK_BOUNDED,
                              .angular = plan->angular,
                              .arm_a = glms_vec3_sub(at->point_b, a->pose.position),
                              .arm_b = glms_vec3_sub(at->point_b, b->pose.position),
                              .normal = axes[0],
                              .tangent = axes[1],
                              .length = plan->angular ? length : 0};
}

/* Returns the coordinate of a block's row in the block's frame. */
static scalar coordinate(const joint_block_plan *plan, const joint_geometry *at, int row) {
    if (!plan->angular) return at->position[row];
    if (plan->frame == JOINT_FRAME_BODY && row > 0) return at->tilt[row - 1];
    return at->position[SCREE_AXIS_ROTATION_X + row];
}

static scalar scale_of(const joint_block_plan *plan, const joint_geometry *at, int row, scalar length) {
    if (!plan->angular) return 1;
    if (plan->frame == JOINT_FRAME_BODY || row == SCREE_AXIS_Y) return length;
    return length * at->cosine;
}

static body_pose moved(const joint_side *side, scalar time_step) {
    body_pose pose = side->pose;
    pose.position = glms_vec3_add(pose.position, glms_vec3_scale(side->velocity.linear, time_step));
    pose.rotation = rotation_turned(glms_vec3_scale(side->velocity.angular, time_step), pose.rotation);
    return pose;
}

static vec3s axis_of(const joint_geometry *at, int row) {
    return row < 2 ? at->linear[row] : glms_vec3_cross(at->linear[0], at->linear[1]);
}

/* Returns whether a row rigidly fixes its coordinate. */
static bool stays(const scree_joint_axis *axis) {
    const scree_spring *spring = &axis->spring;
    return joint_axis_is_locked(axis) && !(spring->stiffness > 0) && !(spring->damping > 0) &&
           !(spring->frequency > 0);
}

/* Returns 1 while the turn per step is below the limit, then falls steeply to 0: a bend that is too small
 * loses that fraction of (h ω)²/2 of the energy in every step. */
static scalar weight_of(scalar turn, scalar limit) {
    scalar power = turn / limit;
    for (int i = 0; i < 5; i++) power *= power;
    return 1 / (1 + power);
}

/* Returns the angle by which a body's arm turns in a step, rad, as far as it affects the anchor's path.
 * Through the spin that it adds, an impulse at arm r moves the anchor by m r²/I times the motion of the body
 * itself. A body that spins about its anchor has no arm, and a prescribed spin does not change. */
static scalar arm_turn(const joint_side *side, vec3s arm, scalar time_step) {
    const vec3s i = side->mass.inertia;
    const scalar largest = scalar_max(i.x, scalar_max(i.y, i.z)),
                 fraction = side->mass.mass > 0 ? side->mass.mass * glms_vec3_norm2(arm) / largest : 0;
    return time_step * scalar_min(fraction, 1) * glms_vec3_norm(side->velocity.angular);
}

/* Fractions of the bend to apply to translations and angles. The bend uses the velocities before the step and
 * is quadratic in them, so it would amplify itself at large turns: in chains of hinges from 0.4 rad per step
 * of each link, in rigidly joined bodies, which turn as one, from 0.9 rad. */
typedef struct bend_weights {
    scalar ways, angles;
} bend_weights;

/* Returns the sine of the angle by which the line between the anchors turns in a step; 1 from a right angle
 * on. */
static scalar line_turn(const joint_geometry *at, const joint_geometry *ahead) {
    const scalar across = glms_vec3_norm(glms_vec3_cross(at->linear[0], ahead->linear[0]));
    return glms_vec3_dot(at->linear[0], ahead->linear[0]) > 0 ? across : 1;
}

static bend_weights bend_weights_of(const scree_joint_def *def, const joint_geometry *at,
                                    const joint_geometry *ahead, const joint_side *a, const joint_side *b,
                                    scalar time_step) {
    const scree_joint_axis *angles = def->axes + SCREE_AXIS_ROTATION_X;
    const bool rigid = stays(&angles[0]) && stays(&angles[1]) && stays(&angles[2]);
    const scalar limit = rigid ? (scalar)1.06 : (scalar)0.5,
                 spin = scalar_max(glms_vec3_norm(a->velocity.angular), glms_vec3_norm(b->velocity.angular));
    const scalar of_a = arm_turn(a, glms_vec3_sub(at->point_a, a->pose.position), time_step),
                 of_b = arm_turn(b, glms_vec3_sub(at->point_b, b->pose.position), time_step);
    scalar turn = scalar_sqrt(of_a * of_a + of_b * of_b);
    if (def->kind == SCREE_JOINT_DISTANCE) turn = scalar_max(turn, line_turn(at, ahead));
    return (bend_weights){weight_of(turn, limit), weight_of(time_step * spin, 1)};
}

/* Returns whether the rate of a row's coordinate approximates what the row measures. It does not for α and γ
 * when both turn about one axis, nor for the tilt of an axis that points backwards. */
static bool follows(const joint_block_plan *plan, const joint_geometry *at, int row) {
    if (!plan->angular) return true;
    if (plan->frame == JOINT_FRAME_BODY && row > 0) return at->facing > 0;
    return row == SCREE_AXIS_Y || !at->folded;
}

/* Returns the coordinate of a translation row after the step along its axis e, which stays fixed while the
 * row acts. Let R be the turn of a's axes and d = c⁺ − c in these axes. The anchor of b moves by R d relative
 * to its path with a. Locked rows undo their part of d in the axes of the start, while the free part remains
 * and turns along:
 *
 *     e·(R d − (R − 1) d_free) = e·(R d_locked + d_free).
 *
 * (In a's own axes alone, e·d, the bend of a pair that turns by θ would be wrong by a fraction θ of itself,
 * which acts as a force along the row: 1 % of the energy at 0.1 in 120 steps.) */
static scalar way_ahead(const scree_joint_def *def, const joint_geometry *at, const joint_geometry *ahead,
                        int row) {
    const vec3s axis = axis_of(at, row);
    scalar way = at->position[row];
    for (int i = 0; i < 3; i++) {
        const vec3s along = stays(&def->axes[i]) ? axis_of(ahead, i) : axis_of(at, i);
        way += glms_vec3_dot(axis, along) * (ahead->position[i] - at->position[i]);
    }
    return way;
}

/* A line of length l, kept by an impulse along it while it moves across by t, has the component sqrt(l² − t²)
 * along its old direction rather than l. Returns its coordinate after the step plus that difference, l −
 * sqrt(l² − t²). */
static scalar line_ahead(const joint_geometry *at, const joint_geometry *ahead) {
    const vec3s line = glms_vec3_sub(ahead->point_b, ahead->point_a);
    const scalar length = at->position[SCREE_AXIS_X], along = glms_vec3_dot(at->linear[0], line),
                 across = scalar_max(glms_vec3_norm2(line) - along * along, 0),
                 left = scalar_sqrt(scalar_max(length * length - across, 0));
    return along + length - left;
}

/* Returns the mean rate of a coordinate at constant velocities less `rate`, for an angle limited to the
 * bodies' spin. */
static scalar bend_of(const scree_joint_def *def, const joint_block_plan *plan, const joint_geometry *at,
                      const joint_geometry *ahead, int row, scalar rate, scalar time_step, scalar spin) {
    if (!follows(plan, at, row) || !follows(plan, ahead, row)) return 0;
    const scalar there = plan->angular                       ? coordinate(plan, ahead, row)
                         : def->kind != SCREE_JOINT_DISTANCE ? way_ahead(def, at, ahead, row)
                         : row == 0                          ? line_ahead(at, ahead)
                                                             : coordinate(plan, ahead, row);
    const scalar bend = (there - coordinate(plan, at, row)) / time_step - rate;
    return plan->angular ? scalar_clamp(bend, -spin, spin) : bend;
}

/* Sets row k. With a negative sign the pair has the joint's bodies in reverse, which exchanges the bounds. */
static void put(bounded_rows *rows, int k, joint_row row, scalar sign) {
    const bool turned = sign < 0;
    *vec3_component(&rows->low, k) = turned ? -row.high : row.low;
    *vec3_component(&rows->high, k) = turned ? -row.low : row.high;
    *vec3_component(&rows->bias, k) = sign * row.bias;
    *vec3_component(&rows->compliance, k) = row.compliance;
    *vec3_component(&rows->closing, k) = sign * row.closing;
    *vec3_component(&rows->correction, k) = row.relaxed_compliance;
    *vec3_component(&rows->push_low, k) = turned ? -row.push_high : row.push_low;
    *vec3_component(&rows->push_high, k) = turned ? -row.push_low : row.push_high;
}

static vec3s clamped(vec3s r, vec3s low, vec3s high) {
    return vec3_of(scalar_clamp(r.x, low.x, high.x), scalar_clamp(r.y, low.y, high.y),
                   scalar_clamp(r.z, low.z, high.z));
}

/* Returns A without the rotational response, 1/kg. */
static vec3s least_mobility(constraint_block block, const joint_side *a, const joint_side *b) {
    block.arm_a = block.arm_b = glms_vec3_zero();
    return block_delassus(block, a->mobility, b->mobility, 1, 1).diagonal;
}

static void fill_joint(const problem_input *from, const constraint_pair *pair, const joint_link *link,
                       problem *p, int first) {
    const scree_joint_def *def = &from->joints->defs[link->joint];
    joint_state *state = &from->joints->next[link->joint];
    const body_array *bodies = from->bodies;
    joint_side a = side_of(from, pair->a), b = side_of(from, pair->b);
    joint_side *held = link->swapped ? &a : &b;
    held->pose.position = glms_vec3_add(held->pose.position, joint_shift(bodies, def, state));
    const joint_geometry at = joint_geometry_of(def, link->swapped ? b.pose : a.pose,
                                                link->swapped ? a.pose : b.pose, state->position);
    const scalar length = angular_length(bodies, pair->a, pair->b), sign = link->swapped ? -1 : 1;
    const joint_plan plan = joint_plan_of(def);
    const scalar h = from->motion.time_step;
    const joint_side *first_side = link->swapped ? &b : &a, *second_side = link->swapped ? &a : &b;
    const joint_geometry ahead =
        joint_geometry_of(def, moved(first_side, h), moved(second_side, h), at.position);
    const bend_weights weights = bend_weights_of(def, &at, &ahead, first_side, second_side, h);
    const scalar spin = glms_vec3_norm(a.velocity.angular) + glms_vec3_norm(b.velocity.angular);
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) state->position[i] = at.position[i];
    for (int i = 0; i < plan.count; i++) {
        const joint_block_plan *of = &plan.blocks[i];
        constraint_block block = frame_of(of, &at, pair, &a, &b, length);
        bounded_rows rows = {.reserved_low = 0};
        const vec3s rate = block_relative_velocity(block, a.velocity, b.velocity),
                    before = block_relative_velocity(block, a.before, b.before),
                    free_rate = block_relative_velocity(block, a.free_velocity, b.free_velocity),
                    mobility = block_delassus(block, a.mobility, b.mobility, 1, 1).diagonal,
                    least = least_mobility(block, &a, &b);
        for (int k = 0; k < 3; k++) {
            const scalar scale = scale_of(of, &at, k, length), now = sign * vec3_along(rate, k) / scale;
            const joint_row_source source = {.options = from->options,
                                             .axis = &def->axes[of->angular ? SCREE_AXIS_ROTATION_X + k : k],
                                             .time_step = h,
                                             .scale = scale,
                                             .position = coordinate(of, &at, k),
                                             .rate = sign * vec3_along(before, k) / scale,
                                             .free_rate = sign * vec3_along(free_rate, k) / scale,
                                             .bend = (of->angular ? weights.angles : weights.ways) *
                                                     bend_of(def, of, &at, &ahead, k, now, h, spin),
                                             .mobility = vec3_along(mobility, k),
                                             .least_mobility = vec3_along(least, k)};
            put(&rows, k, joint_row_of(of->rows[k], &source), sign);
        }
        block.rows = link->first_row + i;
        p->blocks[first + i] = block;
        p->rows[block.rows] = rows;
        p->impulses[first + i] = (block_impulse){
            .value = clamped(glms_vec3_scale(state->impulses[i], sign * problem_input_fraction(from)),
                             rows.low, rows.high)};
        const vec3s push = clamped(glms_vec3_scale(state->pushes[i], sign), rows.push_low, rows.push_high);
        p->pseudo_impulses[first + i] = (block_impulse){.value = glms_vec3_scale(push, PUSH_CARRIED)};
    }
}

OF_HELD void fill_blocks(const problem_input *from, const constraint_pair *pair, problem *p, int first) {
    for (int i = 0; i < pair->joints; i++) {
        const joint_link *link = &from->joints->links[pair->first_joint + i];
        fill_joint(from, pair, link, p, first);
        first += joint_plan_of(&from->joints->defs[link->joint]).count;
    }
}

static void fill(const problem_input *from, const constraint_pair *pair, problem *p, int first) {
    if (pair->joints > 0) fill_blocks(from, pair, p, first);
}

static void read_joint(const problem_input *from, const joint_link *link, const problem *p,
                       const problem_solution *solution, int first) {
    joint_state *state = &from->joints->next[link->joint];
    const int blocks = joint_plan_of(&from->joints->defs[link->joint]).count;
    const scalar sign = link->swapped ? -1 : 1, frequency = sign / solution->time_step;
    state->force = state->torque = glms_vec3_zero();
    for (int i = 0; i < blocks; i++) {
        const constraint_block block = p->blocks[first + i];
        const vec3s r = impulse_in_kilograms(p, solution->impulses[first + i]),
                    on_b = solution->on_b ? solution->on_b[first + i] : block_to_world(block, r);
        state->impulses[i] = glms_vec3_scale(r, sign);
        state->pushes[i] = glms_vec3_scale(impulse_in_kilograms(p, p->pseudo_impulses[first + i]), sign);
        if (block.angular)
            state->torque = glms_vec3_add(state->torque, glms_vec3_scale(on_b, frequency * block.length));
        else
            state->force = glms_vec3_add(state->force, glms_vec3_scale(on_b, frequency));
    }
}

OF_HELD void read_blocks(const problem_input *from, const constraint_pair *pair, const problem *p,
                         const problem_solution *solution, int first) {
    for (int i = 0; i < pair->joints; i++) {
        const joint_link *link = &from->joints->links[pair->first_joint + i];
        read_joint(from, link, p, solution, first);
        from->joints->next[link->joint].colour = pair->colour;
        first += joint_plan_of(&from->joints->defs[link->joint]).count;
    }
}

static void read_back(const problem_input *from, const constraint_pair *pair, const problem *p,
                      const problem_solution *solution, int first) {
    if (pair->joints > 0) read_blocks(from, pair, p, solution, first);
}

const constraint_source joint_source = {count, fill, read_back};
