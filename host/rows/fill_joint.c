/* The source of joints: their rows as bounded blocks (joint_plan.h). */
#include "lever_arm.h"
#include "base/vector.h"
#include "detect/body_bounds.h"
#include "block.h"
#include "body_turn.h"
#include "joint_bend.h"
#include "joint_glide.h"
#include "joint_limits.h"
#include "joint_row.h"
#include "mass_unit.h"
#include "motion.h"
#include "rotation.h"
#include "fill.h"
#include "stabilisation.h"

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

OF_HELD int count_blocks(const problem_input *from, slice links) {
    int blocks = 0;
    for (int i = links.first; i < links.end; i++) blocks += from->joints->links[i].blocks;
    return blocks;
}

static int count(const problem_input *from, const constraint_pair *pair, slice links) {
    return pair->flags & PAIR_HELD ? count_blocks(from, links) : 0;
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

static scalar scale_of(const joint_block_plan *plan, const joint_geometry *at, int row, scalar length) {
    if (!plan->angular) return 1;
    if (plan->frame == JOINT_FRAME_BODY || row == SCREE_AXIS_Y) return length;
    return length * at->cosine;
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

/* A joint during assembly. */
typedef struct joint_view {
    const problem_input *from;
    const scree_joint_def *def;
    const scalar *targets;    /* of its drives */
    joint_side a, b;          /* of the pair */
    scalar sign;              /* −1: the pair has the joint's bodies in reverse */
    scalar length;            /* of angular rows */
    joint_motion motion;      /* for which rows are linearised, at mean spins */
    vec3s start[2];           /* spins of a and b that lead to these */
    joint_geometry at, ahead; /* at the beginning of the step; at the end of that motion */
    bend_weights weights;
    scalar spin; /* of both bodies, rad/s */
    limit_motion limits;
    joint_glide glide;
} joint_view;

static const joint_side *joint_end_a(const joint_view *self) { return self->sign < 0 ? &self->b : &self->a; }
static const joint_side *joint_end_b(const joint_view *self) { return self->sign < 0 ? &self->a : &self->b; }

static body_remainder remainder_of(const body_array *bodies, int slot) {
    return slot < bodies->count ? bodies->remainders[slot] : (body_remainder){.reserved = 0};
}

/* Adds the remainders of the bodies at the anchor of b. */
static void add_remainders(const joint_view *self, body_remainder of_a, body_remainder of_b,
                           joint_geometry *at) {
    const vec3s arm_a = glms_vec3_sub(self->at.point_b, joint_end_a(self)->pose.position),
                arm_b = glms_vec3_sub(self->at.point_b, joint_end_b(self)->pose.position);
    const vec3s way_a = glms_vec3_add(of_a.position, glms_vec3_cross(of_a.rotation, arm_a)),
                way_b = glms_vec3_add(of_b.position, glms_vec3_cross(of_b.rotation, arm_b));
    joint_geometry_add(at, self->def, glms_vec3_sub(way_b, way_a),
                       glms_vec3_sub(of_b.rotation, of_a.rotation));
}

static bool has_angles(const joint_plan *plan) {
    bool any = false;
    for (int i = 0; i < plan->count; i++) any = any || plan->blocks[i].angular;
    return any;
}

/* Rows are linearised for the motion of the last solve of the step, or before the first, for one that
 * continues the last step. Impulses act at the start of the step, and the end of the motion meets the
 * constraint: that is the SHAKE scheme for rigid bodies, which is symplectic (Leimkuhler & Skeel, J. Comput.
 * Phys. 112, 1994), so that energy does not drift. With rows of the velocities before the step, a rotor that
 * is tilted on its hinge lost 28 % of its energy in 4 s, because free rotation led it off the constraint, and
 * the position pass turned it back. */

/* Sets the velocity of a slot in that motion, with the mean spin, and its spin at the start. */
static void take_velocity(const problem_input *from, int slot, const joint_side *of, body_velocity *out,
                          vec3s *start) {
    const scalar h = from->motion.time_step;
    if (slot >= from->bodies->count) return;
    if (from->solved) *out = from->solved[slot];
    const body_turn turn = from->solved ? body_turn_free(of->pose, of->mass, out->angular, h)
                                        : body_turn_continued(from->bodies, slot, h);
    out->angular = turn.mean;
    *start = turn.start;
}

static void take_motion(joint_view *self, const constraint_pair *pair) {
    const joint_side *a = joint_end_a(self), *b = joint_end_b(self);
    const bool swapped = self->sign < 0;
    joint_motion *motion = &self->motion;
    *motion = (joint_motion){a->pose, b->pose, a->velocity, b->velocity, self->from->motion.time_step};
    if (joint_bends_turn(self->from, self->def)) {
        take_velocity(self->from, swapped ? pair->b : pair->a, a, &motion->velocity_a, &self->start[0]);
        take_velocity(self->from, swapped ? pair->a : pair->b, b, &motion->velocity_b, &self->start[1]);
    } else {
        self->start[0] = a->velocity.angular, self->start[1] = b->velocity.angular;
    }
    self->spin = glms_vec3_norm(motion->velocity_a.angular) + glms_vec3_norm(motion->velocity_b.angular);
}

/* Finds the motion of a pair that glides fast: from the velocities before the step or those of the last
 * solve. */
static void take_glide(joint_view *self, const constraint_pair *pair, const joint_plan *plan,
                       joint_state *state) {
    const joint_side sides[2] = {*joint_end_a(self), *joint_end_b(self)};
    const problem_input *from = self->from;
    joint_motion motion = {sides[0].pose, sides[1].pose, sides[0].velocity, sides[1].velocity,
                           from->motion.time_step};
    if (state->glide == JOINT_GLIDE_OFF || !joint_glides(from, (int)(self->def - from->joints->defs))) return;
    if (from->solved) {
        motion.velocity_a = from->solved[self->def->a.index - 1];
        motion.velocity_b = from->solved[self->def->b.index - 1];
    }
    if (!state->glide && !joint_glide_is_fast(self->def, &self->at, &motion,
                                              bounds_pair_half_width(from->bodies, pair->a, pair->b)))
        return;
    self->glide = joint_glide_of(self->def, plan, &self->at, &motion, sides, state->glide, self->length);
    state->glide = self->glide.late ? JOINT_GLIDE_LATE : JOINT_GLIDE_EARLY;
}

/* `plan` has the rows that need the geometry at the end of the step. */
static joint_view view_of(const problem_input *from, const constraint_pair *pair, const joint_link *link,
                          const joint_plan *plan) {
    joint_state *state = &from->joints->next[link->joint];
    joint_view self = {.from = from,
                       .def = &from->joints->defs[link->joint],
                       .a = side_of(from, pair->a),
                       .b = side_of(from, pair->b),
                       .sign = link->swapped ? -1 : 1,
                       .length = angular_length(from->bodies, pair->a, pair->b)};
    joint_side *held = link->swapped ? &self.a : &self.b;
    held->pose.position = glms_vec3_add(held->pose.position, joint_shift(from->bodies, self.def, state));
    const joint_side *a = joint_end_a(&self), *b = joint_end_b(&self);
    const body_remainder of_a = remainder_of(from->bodies, link->swapped ? pair->b : pair->a),
                         of_b = remainder_of(from->bodies, link->swapped ? pair->a : pair->b);
    self.at = joint_geometry_of(self.def, a->pose, b->pose, state->position);
    self.targets = state->targets;
    add_remainders(&self, of_a, of_b, &self.at);
    self.limits = limit_motion_of(from, link->joint, &self.at, a, b);
    take_motion(&self, pair);
    const joint_motion end = joint_motion_after(&self.motion, 1);
    self.ahead = has_angles(plan) ? joint_geometry_of(self.def, end.a, end.b, self.at.position)
                                  : joint_geometry_of_ways(self.def, end.a, end.b);
    add_remainders(&self, of_a, of_b, &self.ahead);
    joint_side moving_a = *a, moving_b = *b;
    moving_a.velocity = self.motion.velocity_a, moving_b.velocity = self.motion.velocity_b;
    self.weights =
        joint_bend_weights(self.def, &self.at, &self.ahead, &moving_a, &moving_b, from->motion.time_step);
    take_glide(&self, pair, plan, state);
    return self;
}

/* Returns the rounding of the change of a displacement in the step, m. */
static scalar change_rounding(const joint_view *self) {
    return 4 * SCALAR_EPSILON * (glms_vec3_norm(self->at.point_a) + glms_vec3_norm(self->at.point_b));
}

static vec3s inwards(vec3s spin, vec3s arm) { return glms_vec3_cross(spin, glms_vec3_cross(spin, arm)); }

/* Returns the velocity of an anchor over the step less that at its start, to second order in the step: h/2
 * times the acceleration that the rotation causes, and what the spin gains. */
static vec3s anchor_bend(const joint_view *self, const joint_side *of, vec3s mean, vec3s start) {
    const vec3s arm = glms_vec3_sub(self->at.point_b, of->pose.position);
    return glms_vec3_add(glms_vec3_scale(inwards(mean, arm), self->from->motion.time_step / 2),
                         glms_vec3_cross(glms_vec3_sub(mean, start), arm));
}

/* Returns the bend of a displacement along axis k to second order in the step. */
static scalar small_bend(const joint_view *self, int k) {
    const vec3s axis = k < 2 ? self->at.linear[k] : glms_vec3_cross(self->at.linear[0], self->at.linear[1]);
    const joint_motion *motion = &self->motion;
    const vec3s of_a = anchor_bend(self, joint_end_a(self), motion->velocity_a.angular, self->start[0]),
                of_b = anchor_bend(self, joint_end_b(self), motion->velocity_b.angular, self->start[1]);
    return glms_vec3_dot(axis, glms_vec3_sub(of_b, of_a));
}

/* Returns the difference between the mean rate of a coordinate in the motion for which rows are linearised
 * and `rate`, for an angle limited to the bodies' spin. In a short step the rounding of the change of a
 * displacement, divided by the step, would be a velocity: a load of 1e6 kg on ten links sank at 4 mm/s with
 * steps of 10 µs. */
static scalar bend_of(const joint_view *self, const joint_block_plan *plan, int k, scalar rate) {
    const scalar change = joint_change(self->def, plan, &self->at, &self->ahead, k),
                 h = self->from->motion.time_step;
    if (isnan(change)) return 0;
    if (!plan->angular && self->def->kind != SCREE_JOINT_DISTANCE &&
        scalar_abs(change - h * rate) <= change_rounding(self))
        return self->weights.ways * small_bend(self, k);
    const scalar bend = change / h - rate;
    return plan->angular ? self->weights.angles * scalar_clamp(bend, -self->spin, self->spin)
                         : self->weights.ways * bend;
}

/* A block's rows at one time of the step. */
typedef struct block_view {
    const joint_block_plan *plan;
    limit_view limits;
    constraint_block block;
    vec3s rate, before, free_rate, trial, mobility, least;
} block_view;

/* Returns what a body without an arm adds to A, 1/kg. */
static vec3s pushed_mobility(const vec3s axes[3], body_mobility body) {
    scalar along[3];
    for (int k = 0; k < 3; k++) {
        const vec3s axis = block_axis(axes[k], glms_vec3_zero(), body);
        along[k] = glms_vec3_dot(axis, glms_vec3_mul(body.inverse_mass, axis));
    }
    return vec3_of(along[0], along[1], along[2]);
}

static bool has_spring(const scree_spring *of) {
    return of->stiffness > 0 || of->damping > 0 || of->frequency > 0;
}

/* Returns whether a row of a block needs A: those of springs, and angular ones, which have no arms. */
static bool needs_mobility(const scree_joint_def *def, const joint_block_plan *plan) {
    bool needs = plan->angular;
    for (int k = 0; k < 3; k++) {
        const scree_joint_axis *axis = &def->axes[joint_plan_axis(plan, k)];
        needs = needs || has_spring(&axis->spring) || has_spring(&axis->servo);
    }
    return needs;
}

/* Returns A without the response of arms, 1/kg. */
static vec3s least_mobility(const constraint_block *block, const joint_side *a, const joint_side *b,
                            vec3s mobility) {
    if (block->angular) return mobility;
    const vec3s axes[3] = {block->normal, block->tangent, block_tangent2(*block)};
    return glms_vec3_add(pushed_mobility(axes, a->mobility), pushed_mobility(axes, b->mobility));
}

/* Returns the rates of a block's rows at the start of the motion for which they are linearised. */
static vec3s rate_at_start(const joint_view *self, constraint_block block) {
    body_velocity a = self->motion.velocity_a, b = self->motion.velocity_b;
    a.angular = self->start[0], b.angular = self->start[1];
    return block_relative_velocity(block, self->sign < 0 ? b : a, self->sign < 0 ? a : b);
}

/* Returns the time at which the rows of a joint that glides act, with the velocities of its motion. */
static limit_view view_of_glide(const joint_view *self) {
    const joint_glide *glide = &self->glide;
    return glide->late ? (limit_view){.at = glide->end, .motion = joint_motion_after(&glide->motion, 1)}
                       : (limit_view){.at = self->at, .motion = glide->motion};
}

static block_view block_view_of(const joint_view *self, const joint_block_plan *plan,
                                const constraint_pair *pair) {
    block_view out = {.plan = plan,
                      .limits = self->glide.acts ? view_of_glide(self)
                                                 : limit_view_of(self->def, &self->limits, plan, &self->at)};
    joint_side a = self->a, b = self->b;
    const joint_motion *motion = &out.limits.motion;
    a.pose = self->sign < 0 ? motion->b : motion->a;
    b.pose = self->sign < 0 ? motion->a : motion->b;
    const constraint_block block = out.block = frame_of(plan, &out.limits.at, pair, &a, &b, self->length);
    out.rate = rate_at_start(self, block);
    out.before = block_relative_velocity(block, a.before, b.before);
    out.free_rate = block_relative_velocity(block, a.free_velocity, b.free_velocity);
    body_velocity examined_a = motion->velocity_a, examined_b = motion->velocity_b;
    examined_a.angular =
        self->glide.acts ? self->glide.solved[0] : glms_vec3_sub(examined_a.angular, self->limits.gained[0]);
    examined_b.angular =
        self->glide.acts ? self->glide.solved[1] : glms_vec3_sub(examined_b.angular, self->limits.gained[1]);
    out.trial = block_relative_velocity(block, self->sign < 0 ? examined_b : examined_a,
                                        self->sign < 0 ? examined_a : examined_b);
    if (needs_mobility(self->def, plan))
        out.mobility = block_delassus(block, a.mobility, b.mobility, 1, 1).diagonal;
    out.least = least_mobility(&out.block, &a, &b, out.mobility);
    return out;
}

static joint_row row_of(const joint_view *self, const block_view *of, int k) {
    const int axis = joint_plan_axis(of->plan, k);
    const scalar h = self->from->motion.time_step,
                 scale = scale_of(of->plan, &of->limits.at, k, self->length), factor = self->sign / scale;
    joint_row_source source = {.options = self->from->options,
                               .axis = &self->def->axes[axis],
                               .target = self->targets[axis],
                               .low = joint_axis_low(self->def, axis),
                               .time_step = h,
                               .scale = scale,
                               .position = joint_coordinate(of->plan, &of->limits.at, k),
                               .rate = factor * vec3_along(of->before, k),
                               .free_rate = factor * vec3_along(of->free_rate, k),
                               .mobility = vec3_along(of->mobility, k),
                               .least_mobility = vec3_along(of->least, k)};
    const row_rates rates = {factor * vec3_along(of->trial, k), source.free_rate};
    const limited_row limited = limit_view_row(self->def, &self->limits, &of->limits, of->plan, k, rates);
    if (self->glide.acts) {
        source.position = joint_coordinate(of->plan, &self->at, k);
        source.bend = (joint_coordinate(of->plan, &self->glide.end, k) - source.position) / h - rates.trial;
    } else if (limited.known) {
        source.position = limited.position;
        source.bend = limited.bend;
        source.side = limited.side;
    } else {
        source.bend = bend_of(self, of->plan, k, factor * vec3_along(of->rate, k));
    }
    return joint_row_of(of->plan->rows[k], &source);
}

/* Returns whether a block pulls at arms that may not be those of the beginning: all translations of a joint
 * that glides, or what holds a distance; drive and friction along it are in others. */
static bool pulls(const joint_block_plan *plan, const joint_state *state) {
    return !plan->angular && (joint_glide_acts(state) || plan->rows[SCREE_AXIS_X] == JOINT_ROW_HOLD);
}

static void fill_joint(const problem_input *from, const constraint_pair *pair, const joint_link *link,
                       problem *p, int first) {
    joint_state *state = &from->joints->next[link->joint];
    const joint_plan plan = joint_plan_of(&from->joints->defs[link->joint], state->limits);
    const joint_view self = view_of(from, pair, link, &plan);
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) state->position[i] = self.at.position[i];
    state->spins[0] = self.start[0], state->spins[1] = self.start[1];
    for (int i = 0; i < plan.count; i++) {
        const int place = plan.blocks[i].place;
        block_view of = block_view_of(&self, &plan.blocks[i], pair);
        bounded_rows rows = {.reserved_low = 0};
        if (pulls(&plan.blocks[i], state)) {
            state->pull_arms[0] = self.sign < 0 ? of.block.arm_b : of.block.arm_a;
            state->pull_arms[1] = self.sign < 0 ? of.block.arm_a : of.block.arm_b;
        }
        for (int k = 0; k < 3; k++) put(&rows, k, row_of(&self, &of, k), self.sign);
        of.block.rows = link->first_row + i;
        p->blocks[first + i] = of.block;
        p->rows[of.block.rows] = rows;
        p->impulses[first + i] = (block_impulse){
            .value =
                clamped(glms_vec3_scale(state->impulses[place], self.sign * problem_input_fraction(from)),
                        rows.low, rows.high)};
        const vec3s push =
            clamped(glms_vec3_scale(state->pushes[place], self.sign), rows.push_low, rows.push_high);
        p->pseudo_impulses[first + i] = (block_impulse){.value = glms_vec3_scale(push, PUSH_WARM_START)};
    }
    joint_system_place(
        p, (int)(link - from->joints->links),
        (system_place){
            .first_block = first, .block_count = plan.count, .a = self.a.mobility, .b = self.b.mobility});
}

OF_HELD int fill_blocks(const fill_terms *terms, const constraint_pair *pair, slice links, int first) {
    int next = first;
    for (int i = links.first; i < links.end; i++) {
        const joint_link *link = &terms->from->joints->links[i];
        fill_joint(terms->from, pair, link, terms->p, next);
        next += link->blocks;
    }
    mass_unit_convert(terms->p, first, next);
    return next - first;
}

static int fill(const fill_terms *terms, const constraint_pair *pair, slice links, int first) {
    return pair->flags & PAIR_HELD ? fill_blocks(terms, pair, links, first) : 0;
}

static void read_joint(const problem_input *from, const joint_link *link, const problem *p,
                       const problem_solution *solution, int first) {
    joint_state *state = &from->joints->next[link->joint];
    const joint_plan plan = joint_plan_of(&from->joints->defs[link->joint], state->limits);
    const scalar sign = link->swapped ? -1 : 1, frequency = sign / solution->time_step;
    state->force = state->torque = state->pull = state->push = glms_vec3_zero();
    for (int i = 0; i < JOINT_BLOCKS; i++) state->impulses[i] = state->pushes[i] = glms_vec3_zero();
    for (int i = 0; i < plan.count; i++) {
        const int place = plan.blocks[i].place;
        const constraint_block block = p->blocks[first + i];
        const vec3s r = impulse_in_kilograms(p, solution->impulses[first + i]),
                    on_b = solution->on_b ? solution->on_b[first + i] : block_to_world(block, r);
        state->impulses[place] = glms_vec3_scale(r, sign);
        const vec3s push = impulse_in_kilograms(p, p->pseudo_impulses[first + i]);
        state->pushes[place] = glms_vec3_scale(push, sign);
        if (block.angular)
            state->torque = glms_vec3_add(state->torque, glms_vec3_scale(on_b, frequency * block.length));
        else
            state->force = glms_vec3_add(state->force, glms_vec3_scale(on_b, frequency));
        if (!pulls(&plan.blocks[i], state)) continue;
        state->pull = glms_vec3_add(state->pull, glms_vec3_scale(on_b, frequency));
        state->push = glms_vec3_add(state->push, block_to_world(block, glms_vec3_scale(push, sign)));
    }
}

OF_HELD int read_blocks(const problem_input *from, const constraint_pair *pair, slice links, const problem *p,
                        const problem_solution *solution, int first) {
    int next = first;
    for (int i = links.first; i < links.end; i++) {
        const joint_link *link = &from->joints->links[i];
        read_joint(from, link, p, solution, next);
        from->joints->next[link->joint].colour = pair->colour;
        next += link->blocks;
    }
    return next - first;
}

static int read_back(const problem_input *from, const constraint_pair *pair, slice links, const problem *p,
                     const problem_solution *solution, int first) {
    return pair->flags & PAIR_HELD ? read_blocks(from, pair, links, p, solution, first) : 0;
}

const constraint_source joint_source = {count, fill, read_back};
