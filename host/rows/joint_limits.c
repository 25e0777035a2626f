#include "joint_limits.h"

#include "base/vector.h"
#include "detect/body_bounds.h"
#include "body_turn.h"
#include "joint_glide.h"
#include "motion.h"
#include "rotation.h"

static bool is_limit_row(const scree_joint_def *def, const joint_block_plan *plan, int k) {
    return plan->rows[k] == JOINT_ROW_HOLD && joint_axis_is_limited(&def->axes[joint_plan_axis(plan, k)]);
}

static bool is_zero(vec3s v) { return v.x == 0 && v.y == 0 && v.z == 0; }

/* Returns whether no limit acted in the last step, or false if that needs a plan. Rows of limits are in the
 * first block of displacements and the one or two of angles after it. */
static bool are_unpressed(const scree_joint_def *def, const joint_state *state) {
    int first = 0;
    for (int i = 0; i < SCREE_AXIS_ROTATION_X; i++) {
        if (joint_axis_is_limited(&def->axes[i])) return false;
        if (joint_axis_is_locked(&def->axes[i])) first = 1;
    }
    for (int place = first; place < 3; place++)
        if (!is_zero(state->impulses[place]) || !is_zero(state->pushes[place])) return false;
    return true;
}

/* Returns the axes whose limits acted in the last step. */
static unsigned pressed(const scree_joint_def *def, const joint_state *state) {
    if (are_unpressed(def, state)) return 0;
    const joint_plan plan = joint_plan_of(def, ~0u);
    unsigned axes = 0;
    for (int i = 0; i < plan.count; i++)
        for (int k = 0; k < 3; k++) {
            const joint_block_plan *block = &plan.blocks[i];
            const bool acts = vec3_along(state->impulses[block->place], k) != 0 ||
                              vec3_along(state->pushes[block->place], k) != 0;
            if (acts && is_limit_row(def, block, k)) axes |= 1u << joint_plan_axis(block, k);
        }
    return axes;
}

static bool has_limits(const scree_joint_def *def) {
    for (int i = 0; i < SCREE_AXIS_COUNT; i++)
        if (joint_axis_is_limited(&def->axes[i])) return true;
    return false;
}

static body_velocity velocity_of(scree_body_id body, const body_velocity *of) {
    return body.index ? of[body.index - 1] : (body_velocity){.reserved = 0};
}

/* Returns the velocity of a body after the step if no row acted. */
static body_velocity free_velocity(const problem_input *from, scree_body_id body) {
    const int slot = (int)body.index - 1;
    const body_array *bodies = from->bodies;
    if (slot < 0) return (body_velocity){.reserved = 0};
    return free_velocity_of(bodies->poses[slot], bodies->velocities[slot], bodies->masses[slot],
                            bodies->loads[slot], mobility_of(bodies->poses[slot], bodies->masses[slot]),
                            from->motion);
}

static joint_motion motion_of(const problem_input *from, int joint, scalar time_step) {
    const scree_joint_def *def = &from->joints->defs[joint];
    return (joint_motion){.a = joint_pose(from->bodies->poses, def->a),
                          .b = joint_pose_b(from->bodies, def, &from->joints->next[joint]),
                          .velocity_a = velocity_of(def->a, from->bodies->velocities),
                          .velocity_b = velocity_of(def->b, from->bodies->velocities),
                          .time_step = time_step};
}

/* Chooses among the limits of one joint, and updates its coordinates. */
static unsigned reached(const problem_input *from, int joint) {
    static const scalar MARGIN = 2;
    const scree_joint_def *def = &from->joints->defs[joint];
    joint_state *state = &from->joints->next[joint];
    if (!has_limits(def)) return 0;
    const scalar substeps = (scalar)(from->substeps > 1 ? from->substeps : 1);
    joint_motion motion = motion_of(from, joint, from->motion.time_step * substeps);
    const joint_geometry at = joint_geometry_of(def, motion.a, motion.b, state->position);
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) state->position[i] = at.position[i];
    unsigned axes = joint_path_reach(def, &at, &motion, MARGIN) | pressed(def, state);
    motion.velocity_a = free_velocity(from, def->a);
    motion.velocity_b = free_velocity(from, def->b);
    return axes | joint_path_reach(def, &at, &motion, MARGIN);
}

int joint_limits_choose(const problem_input *from) {
    const joint_array *joints = from->joints;
    int rows = 0;
    for (int i = 0; i < joints->link_count; i++) {
        joint_link *link = &joints->links[i];
        joint_state *state = &joints->next[link->joint];
        state->limits = (unsigned char)(state->limits | reached(from, link->joint));
        link->first_row = rows;
        link->blocks = joint_plan_of(&joints->defs[link->joint], state->limits).count;
        rows += link->blocks;
    }
    return rows;
}

static bool is_rigid(const scree_joint_axis *axis) {
    const scree_spring *spring = &axis->spring;
    return !(spring->stiffness > 0) && !(spring->damping > 0) && !(spring->frequency > 0);
}

/* Returns the half width of a joint's smaller body, m. */
static scalar half_width(const body_array *bodies, const scree_joint_def *def) {
    const int a = (int)(def->a.index ? def->a.index : def->b.index) - 1,
              b = (int)(def->b.index ? def->b.index : def->a.index) - 1;
    return bounds_pair_half_width(bodies, a, b);
}

/* Returns whether all limits are those of angles that are out of reach, by the coordinates on assembly. */
static bool are_far(const problem_input *from, int joint, const joint_motion *motion) {
    const scree_joint_def *def = &from->joints->defs[joint];
    const joint_state *state = &from->joints->next[joint];
    joint_geometry at;
    for (int i = 0; i < SCREE_AXIS_ROTATION_X; i++)
        if (joint_axis_is_limited(&def->axes[i])) return false;
    if (from->substeps > 1) return false;
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) at.position[i] = state->position[i];
    return joint_path_reach(def, &at, motion, 1) == 0;
}

/* Returns the axes whose limits a joint violates in the trial motion, of which the rows are missing or
 * linearised for another motion. */
static unsigned violated(const problem_input *from, int joint) {
    static const scalar HARMLESS = (scalar)1 / 400; /* rad, or relative to the smaller half width */
    const scree_joint_def *def = &from->joints->defs[joint];
    const joint_state *state = &from->joints->next[joint];
    joint_motion motion = {.velocity_a = velocity_of(def->a, from->trial_velocities),
                           .velocity_b = velocity_of(def->b, from->trial_velocities),
                           .time_step = from->motion.time_step};
    if (are_far(from, joint, &motion)) return 0;
    motion.a = joint_pose(from->bodies->poses, def->a);
    motion.b = joint_pose_b(from->bodies, def, state);
    const joint_geometry at = joint_geometry_of(def, motion.a, motion.b, state->position);
    const unsigned near = joint_path_reach(def, &at, &motion, 1),
                   axes = joint_path_is_straight(def, &at, &motion) ? near & ~(unsigned)state->limits : near;
    unsigned found = 0;
    if (axes == 0) return 0;
    const joint_path path = joint_path_of(def, &at, &motion, axes);
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) {
        const scalar most = i < SCREE_AXIS_ROTATION_X ? HARMLESS * half_width(from->bodies, def) : HARMLESS;
        if (path.beyond[i] > most && is_rigid(&def->axes[i])) found |= 1u << i;
    }
    return found;
}

int joint_limits_find(const problem_input *from) {
    const joint_array *joints = from->joints;
    int found = 0;
    for (int i = 0; i < joints->link_count; i++) {
        const int joint = joints->links[i].joint;
        joint_state *state = &joints->next[joint];
        const unsigned axes = has_limits(&joints->defs[joint]) ? violated(from, joint) : 0;
        state->limits = (unsigned char)(state->limits | axes);
        state->resumed |= axes != 0;
        found += axes != 0 || joint_glide_fails(from, joint, half_width(from->bodies, &joints->defs[joint]));
    }
    return found;
}

/* Returns whether the upper limit of a distance acts rather than the lower one. A body that passes the lower
 * limit and then leaves at the upper one is held by the upper one for the rest of the step, unless the solve
 * ends it below the lower one. */
static bool is_rope(const scree_joint_def *def, const joint_state *state, const joint_path *path) {
    const scree_joint_axis *axis = &def->axes[SCREE_AXIS_X];
    if (def->kind != SCREE_JOINT_DISTANCE || !joint_axis_is_limited(axis) || isinf(axis->high)) return false;
    if (!is_rigid(axis)) return false;
    if (!(path->leaves[SCREE_AXIS_X] <= 1) || path->upper[SCREE_AXIS_X]) return true;
    return state->resumed && path->end.position[SCREE_AXIS_X] > (state->roped ? axis->low : axis->high);
}

/* Linearises for the motion that the rope allows, if one acts. */
static void take_rope(const problem_input *from, int joint, const joint_geometry *at, const joint_side *a,
                      const joint_side *b, limit_motion *out) {
    joint_state *state = &from->joints->next[joint];
    const scree_joint_def *def = &from->joints->defs[joint];
    if (!is_rope(def, state, &out->path)) return;
    joint_motion unheld = out->motion;
    if (state->resumed && from->trial_velocities)
        unheld = joint_rope_released(&unheld, state->pull, state->pull_arms, a, b);
    state->roped = out->roped = true;
    out->rope = joint_rope_of(def, at, &unheld, a, b, out->gained);
}

/* Returns the free rotation of a body. `mean`: `spin` is the mean one. */
static body_turn turn_of(const joint_side *of, vec3s spin, scalar time_step, bool mean) {
    return mean ? body_turn_of_mean(of->pose, of->mass, spin, time_step)
                : body_turn_free(of->pose, of->mass, spin, time_step);
}

/* Sets what bodies with unequal moments turn beyond the velocities of the solve. */
static void take_gyration(const joint_side *a, const joint_side *b, bool trial, limit_motion *out) {
    joint_motion *motion = &out->motion;
    const body_turn of_a = turn_of(a, motion->velocity_a.angular, motion->time_step, trial),
                    of_b = turn_of(b, motion->velocity_b.angular, motion->time_step, trial);
    out->gained[0] = glms_vec3_sub(of_a.mean, of_a.start);
    out->gained[1] = glms_vec3_sub(of_b.mean, of_b.start);
    motion->velocity_a.angular = of_a.mean;
    motion->velocity_b.angular = of_b.mean;
}

limit_motion limit_motion_of(const problem_input *from, int joint, const joint_geometry *at,
                             const joint_side *a, const joint_side *b) {
    const scree_joint_def *def = &from->joints->defs[joint];
    const joint_state *state = &from->joints->next[joint];
    const bool trial = state->resumed && from->trial_velocities;
    limit_motion out = {
        .length = at->position[SCREE_AXIS_X],
        .motion = {.a = a->pose,
                   .b = b->pose,
                   .velocity_a = trial ? velocity_of(def->a, from->trial_velocities) : a->free_velocity,
                   .velocity_b = trial ? velocity_of(def->b, from->trial_velocities) : b->free_velocity,
                   .time_step = from->motion.time_step}};
    if (!trial && !state->limits) return out; /* no row is linearised for the motion */
    take_gyration(a, b, trial, &out);
    out.followed = state->limits && !joint_path_is_straight(def, at, &out.motion);
    if (!out.followed) return out;
    out.path = joint_path_of(def, at, &out.motion, state->limits);
    take_rope(from, joint, at, a, b, &out);
    return out;
}

/* Returns whether a block's directions may be those of a later time: it has no locked rows. */
static bool may_wait(const scree_joint_def *def, const joint_block_plan *plan) {
    return plan->angular ? !joint_axis_is_locked(&def->axes[SCREE_AXIS_ROTATION_Y])
                         : def->kind == SCREE_JOINT_DISTANCE;
}

static bool turned(const joint_block_plan *plan, const joint_geometry *from, const joint_geometry *to) {
    static const scalar LITTLE = (scalar)0.995; /* cos 0.1 */
    const vec3s *before = plan->angular ? from->angular[plan->frame] : from->linear,
                *after = plan->angular ? to->angular[plan->frame] : to->linear;
    return glms_vec3_dot(before[0], after[0]) < LITTLE ||
           (plan->angular && glms_vec3_dot(before[1], after[1]) < LITTLE);
}

/* Places the bodies so that the arms of the pull end in one point. */
static limit_view view_of_rope(const joint_rope *rope) {
    limit_view out = {.at = rope->end, .motion = rope->motion};
    out.at.linear[0] = rope->line;
    out.at.linear[1] = tangent_of(rope->line);
    out.motion.a.position = glms_vec3_sub(out.at.point_b, rope->arm_a);
    out.motion.b.position = glms_vec3_sub(out.at.point_b, rope->arm_b);
    return out;
}

limit_view limit_view_of(const scree_joint_def *def, const limit_motion *self, const joint_block_plan *plan,
                         const joint_geometry *at) {
    if (self->roped && !plan->angular && is_limit_row(def, plan, SCREE_AXIS_X))
        return view_of_rope(&self->rope);
    limit_view out = {.at = *at, .motion = self->motion};
    scalar first = INFINITY;
    for (int k = 0; k < 3 && self->followed && may_wait(def, plan); k++)
        if (is_limit_row(def, plan, k))
            first = scalar_min(first, self->path.leaves[joint_plan_axis(plan, k)]);
    if (!(first > 0 && first < 1)) return out;
    if (!plan->angular && self->path.upper[SCREE_AXIS_X]) first = 1;
    const joint_motion there = joint_motion_after(&self->motion, first);
    const joint_geometry then = joint_geometry_of(def, there.a, there.b, at->position);
    return turned(plan, at, &then) ? (limit_view){.time = first, .at = then, .motion = there} : out;
}

/* Returns the fraction of the bend of a row that is certain. The end of a path is not, if it passes the pole
 * of the angles after it has left the limits. */
static scalar certainty(const limit_motion *self, const limit_view *view, const joint_block_plan *plan) {
    if (!plan->angular) return 1;
    const vec3s turn = glms_vec3_sub(self->motion.velocity_b.angular, self->motion.velocity_a.angular);
    return joint_bend_weight(self->motion.time_step * glms_vec3_norm(turn) / view->at.cosine, 1);
}

/* Returns the bend of a row without the part for which its limit would add energy. Where the rate before the
 * step is u*, an impulse of the row does the work p (u* + u)/2: a limit requires u = −u* at most. At an arm
 * of a body that is free to turn, the limit of a displacement would require many times that. */
static scalar passive_bend(const scree_joint_axis *axis, scalar low, const limited_row *row, scalar free,
                           scalar time_step) {
    const scalar gap = row->side > 0 ? axis->high - row->position : row->position - low,
                 most = scalar_max(gap, 0) / time_step;
    return row->side > 0 ? scalar_min(row->bend, free + most) : scalar_max(row->bend, free - most);
}

static limited_row row_of_rope(const limit_motion *self, scalar start, row_rates rates) {
    const scalar end = self->rope.end.position[SCREE_AXIS_X];
    return (limited_row){.known = true,
                         .position = start,
                         .bend = (end - start) / self->motion.time_step - rates.trial,
                         .side = 1};
}

static limited_row row_of_path(const scree_joint_def *def, const limit_motion *self, const limit_view *view,
                               const joint_block_plan *plan, int k, row_rates rates) {
    const scalar rate = rates.trial;
    const int axis = joint_plan_axis(plan, k);
    limited_row out = {.known = self->followed && is_limit_row(def, plan, k)};
    if (!out.known) return out;
    const bool leaves = self->path.leaves[axis] <= 1;
    const scalar h = self->motion.time_step, now = joint_coordinate(plan, &view->at, k),
                 change = leaves ? joint_change(def, plan, &view->at, &self->path.end, k)
                                 : joint_coordinate(plan, &self->path.end, k) - now;
    out.position = now - view->time * h * rate;
    if (!isnan(change)) out.bend = change / h - (1 - view->time) * rate;
    if (leaves) out.bend *= certainty(self, view, plan);
    if (!(self->path.leaves[axis] <= 0) && plan->angular && may_wait(def, plan)) {
        const scalar still =
            scalar_clamp(out.position + h * out.bend, joint_axis_low(def, axis), def->axes[axis].high);
        out.bend = (still - out.position) / h;
    }
    if (leaves) out.side = self->path.upper[axis] ? 1 : -1;
    return out;
}

limited_row limit_view_row(const scree_joint_def *def, const limit_motion *self, const limit_view *view,
                           const joint_block_plan *plan, int k, row_rates rates) {
    const int axis = joint_plan_axis(plan, k);
    const bool roped = self->roped && !plan->angular && is_limit_row(def, plan, k);
    limited_row out =
        roped ? row_of_rope(self, self->length, rates) : row_of_path(def, self, view, plan, k, rates);
    if (out.side != 0 && !plan->angular)
        out.bend = passive_bend(&def->axes[axis], joint_axis_low(def, axis), &out, rates.free,
                                self->motion.time_step);
    return out;
}
