#include "joint_glide.h"

#include "base/vector.h"
#include "block.h"
#include "motion.h"
#include "rotation.h"

enum { ROWS = 6, ROUNDS = 30 };

bool joint_glides(const problem_input *from, int joint) {
    const scree_joint_def *def = &from->joints->defs[joint];
    int held = 0;
    for (int i = 0; i < SCREE_AXIS_ROTATION_X; i++) held += joint_axis_stays(&def->axes[i]);
    return held > 0 && held < 3 && joint_is_alone(from->joints, joint) && !from->joints->next[joint].limits &&
           def->kind != SCREE_JOINT_DISTANCE && joint_moves(from->bodies, def->a) &&
           joint_moves(from->bodies, def->b) && from->options->stabilisation != SCREE_STABILISATION_RELAXED;
}

static vec3s linear_axis(const joint_geometry *at, int k) {
    return k < 2 ? at->linear[k] : glms_vec3_cross(at->linear[0], at->linear[1]);
}

static vec3s angular_axis(const joint_geometry *at, joint_frame frame, int k) {
    const vec3s *axes = at->angular[frame];
    return k < 2 ? axes[k] : glms_vec3_cross(axes[0], axes[1]);
}

static vec3s anchor_velocity(vec3s anchor, body_pose pose, body_velocity v) {
    return glms_vec3_add(v.linear, glms_vec3_cross(v.angular, glms_vec3_sub(anchor, pose.position)));
}

bool joint_glide_is_fast(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                         scalar width) {
    static const scalar HARMLESS = (scalar)1 / 400;
    const scalar h = motion->time_step, turn = h * scalar_max(glms_vec3_norm(motion->velocity_a.angular),
                                                              glms_vec3_norm(motion->velocity_b.angular));
    const vec3s way =
        glms_vec3_scale(glms_vec3_sub(anchor_velocity(at->point_b, motion->b, motion->velocity_b),
                                      anchor_velocity(at->point_b, motion->a, motion->velocity_a)),
                        h / width);
    scalar square = 0;
    for (int k = 0; k < 3; k++) {
        const scalar along = joint_axis_stays(&def->axes[k]) ? 0 : glms_vec3_dot(linear_axis(at, k), way);
        square += along * along;
    }
    return turn * square > HARMLESS;
}

/* A locked row. */
typedef struct held_row {
    bool angular;
    int axis, k; /* of the joint; of the block */
    const joint_block_plan *plan;
} held_row;

typedef struct glide_problem {
    const scree_joint_def *def;
    const joint_geometry *at;
    const joint_side *sides;
    const joint_motion *start; /* with the spins of the solve */
    bool late;
    scalar length;
    int count;
    held_row rows[ROWS];
} glide_problem;

static void take_rows(glide_problem *self, const joint_plan *plan) {
    for (int i = 0; i < plan->count; i++)
        for (int k = 0; k < 3; k++) {
            const joint_block_plan *block = &plan->blocks[i];
            const int axis = joint_plan_axis(block, k);
            if (block->rows[k] != JOINT_ROW_HOLD || !joint_axis_stays(&self->def->axes[axis])) continue;
            self->rows[self->count++] = (held_row){block->angular, axis, k, block};
        }
}

/* A time of the step. */
typedef struct glide_time {
    const joint_geometry *at;
    const joint_motion *motion;
} glide_time;

/* Returns the vector and arms of a row's impulse, and of its velocity. */
static constraint_block row_block(const glide_problem *self, const held_row *row, glide_time when) {
    return (constraint_block){.angular = row->angular,
                              .length = self->length,
                              .normal = row->angular ? angular_axis(when.at, row->plan->frame, row->k)
                                                     : linear_axis(when.at, row->k),
                              .arm_a = glms_vec3_sub(when.at->point_b, when.motion->a.position),
                              .arm_b = glms_vec3_sub(when.at->point_b, when.motion->b.position)};
}

static body_velocity struck(body_velocity v, const joint_side *side, const constraint_block *block, vec3s arm,
                            scalar impulse) {
    const vec3s p = glms_vec3_scale(block->normal, impulse);
    return block->angular
               ? velocity_after(v, side->mobility, glms_vec3_zero(), glms_vec3_scale(p, block->length))
               : velocity_after(v, side->mobility, p, glms_vec3_cross(arm, p));
}

static scalar row_velocity(const constraint_block *block, body_velocity a, body_velocity b) {
    return glms_vec3_dot(block->normal, block_approach(*block, a, b));
}

/* Returns the error of a row, m: its coordinate times the scale of its velocity. */
static double row_error(const glide_problem *self, const held_row *row, const joint_geometry *end) {
    const double c = (double)(joint_coordinate(row->plan, end, row->k) - self->def->axes[row->axis].low);
    if (!row->angular) return c;
    const bool plain = row->plan->frame == JOINT_FRAME_BODY || row->k == SCREE_AXIS_Y;
    return c * (double)(self->length * (plain ? 1 : end->cosine));
}

/* Solves A x = y by elimination with the largest pivot of each column; rows without a pivot get 0. */
static void eliminate(int n, double a[ROWS][ROWS], double y[ROWS]) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, fabs(a[i][i]));
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int j = i + 1; j < n; j++)
            if (fabs(a[j][i]) > fabs(a[best][i])) best = j;
        for (int k = 0; k < n; k++) {
            const double other = a[i][k];
            a[i][k] = a[best][k], a[best][k] = other;
        }
        const double other = y[i];
        y[i] = y[best], y[best] = other;
        for (int j = i + 1; j < n && fabs(a[i][i]) > 1e-6 * most; j++) {
            const double factor = a[j][i] / a[i][i];
            for (int k = i; k < n; k++) a[j][k] -= factor * a[i][k];
            y[j] -= factor * y[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) y[i] -= a[i][k] * y[k];
        y[i] = fabs(a[i][i]) > 1e-6 * most ? y[i] / a[i][i] : 0;
    }
}

static vec3s mean_spin(const joint_side *side, vec3s spin, scalar time_step) {
    return spins_steadily(side->mass) ? spin : gyration_of(side->pose, spin, side->mass, time_step).mean;
}

/* Returns the motion at velocities of the solve. */
static joint_glide glide_at(const glide_problem *self, body_velocity a, body_velocity b) {
    joint_glide out = {.acts = true, .late = self->late, .motion = *self->start};
    const scalar h = self->start->time_step;
    out.solved[0] = a.angular, out.solved[1] = b.angular;
    a.angular = mean_spin(&self->sides[0], a.angular, h);
    b.angular = mean_spin(&self->sides[1], b.angular, h);
    out.motion.velocity_a = a, out.motion.velocity_b = b;
    const joint_motion there = joint_motion_after(&out.motion, 1);
    out.end = joint_geometry_of(self->def, there.a, there.b, self->at->position);
    return out;
}

/* Returns the velocity of a or b in the solve. */
static body_velocity solved_velocity(const joint_glide *now, int side) {
    body_velocity v = side ? now->motion.velocity_b : now->motion.velocity_a;
    v.angular = now->solved[side];
    return v;
}

static body_velocity between(body_velocity from, body_velocity to, scalar fraction) {
    from.linear =
        glms_vec3_add(from.linear, glms_vec3_scale(glms_vec3_sub(to.linear, from.linear), fraction));
    from.angular =
        glms_vec3_add(from.angular, glms_vec3_scale(glms_vec3_sub(to.angular, from.angular), fraction));
    return from;
}

static glide_time time_of(const glide_problem *self, const joint_glide *now, const joint_motion *end) {
    return self->late ? (glide_time){&now->end, end} : (glide_time){self->at, self->start};
}

/* Returns the motion after the impulses, whose directions are those of `now`. */
static joint_glide after_impulses(const glide_problem *self, const joint_glide *now, const joint_motion *end,
                                  const double impulses[ROWS]) {
    static const scalar MOST = (scalar)0.5; /* change of a turn in one round, rad */
    const glide_time when = time_of(self, now, end);
    body_velocity a = self->start->velocity_a, b = self->start->velocity_b;
    for (int i = 0; i < self->count; i++) {
        const constraint_block block = row_block(self, &self->rows[i], when);
        a = struck(a, &self->sides[0], &block, block.arm_a, (scalar)-impulses[i]);
        b = struck(b, &self->sides[1], &block, block.arm_b, (scalar)impulses[i]);
    }
    const body_velocity before_a = solved_velocity(now, 0), before_b = solved_velocity(now, 1);
    const scalar turn = self->start->time_step *
                        scalar_max(glms_vec3_norm(glms_vec3_sub(a.angular, before_a.angular)),
                                   glms_vec3_norm(glms_vec3_sub(b.angular, before_b.angular))),
                 fraction = turn > MOST ? MOST / turn : 1;
    return glide_at(self, between(before_a, a, fraction), between(before_b, b, fraction));
}

/* Sets the change of the end of row i, over h, per impulse of each row. */
static void fill_response(const glide_problem *self, const joint_glide *now, const joint_motion *end,
                          double a[ROWS][ROWS]) {
    const glide_time when = time_of(self, now, end), last = {&now->end, end};
    const body_velocity rest = {.reserved = 0};
    for (int j = 0; j < self->count; j++) {
        const constraint_block from = row_block(self, &self->rows[j], when);
        const body_velocity of_a = struck(rest, &self->sides[0], &from, from.arm_a, -1),
                            of_b = struck(rest, &self->sides[1], &from, from.arm_b, 1);
        for (int i = 0; i < self->count; i++) {
            const constraint_block to = row_block(self, &self->rows[i], last);
            a[i][j] = (double)row_velocity(&to, of_a, of_b);
        }
    }
}

/* Returns the largest error. */
static double take_errors(const glide_problem *self, const joint_glide *now, double errors[ROWS]) {
    double most = 0;
    for (int i = 0; i < self->count; i++) {
        errors[i] = row_error(self, &self->rows[i], &now->end);
        most = fmax(most, fabs(errors[i]));
    }
    return most;
}

/* Sets the changes of the rows that remove the errors from the beginning on: J V⁺ = J V − c/h. */
static void take_changes(const glide_problem *self, const joint_glide *now, const joint_motion *end,
                         double errors[ROWS]) {
    const glide_time last = {&now->end, end};
    const body_velocity a = solved_velocity(now, 0), b = solved_velocity(now, 1);
    for (int i = 0; i < self->count; i++) {
        const constraint_block block = row_block(self, &self->rows[i], last);
        errors[i] = (double)(row_velocity(&block, a, b) -
                             row_velocity(&block, self->start->velocity_a, self->start->velocity_b)) -
                    errors[i] / (double)self->start->time_step;
    }
}

/* Newton's method for the impulses. Returns the error of the best motion. */
static double solve(const glide_problem *self, joint_glide *best) {
    double a[ROWS][ROWS], errors[ROWS];
    joint_glide now = *best = glide_at(self, self->start->velocity_a, self->start->velocity_b);
    double least = take_errors(self, &now, errors);
    const double close = 1e-6 * (double)self->length;
    for (int i = 0; i < ROUNDS && least > close; i++) {
        const joint_motion end = joint_motion_after(&now.motion, 1);
        fill_response(self, &now, &end, a);
        take_changes(self, &now, &end, errors);
        eliminate(self->count, a, errors);
        now = after_impulses(self, &now, &end, errors);
        const double most = take_errors(self, &now, errors);
        if (most < least) least = most, *best = now;
    }
    return least;
}

static double turning_energy(const joint_side *side, vec3s spin) {
    return (double)glms_vec3_dot(spin, inertia_times(side->pose.rotation, side->mass.inertia, spin)) / 2;
}

/* Returns the energy of a pair beyond that of its centre of mass, J. */
static double own_energy(const joint_side sides[2], vec3s velocity_a, vec3s velocity_b,
                         const vec3s spins[2]) {
    const double a = (double)sides[0].mass.mass, b = (double)sides[1].mass.mass;
    return a * b / (a + b) * (double)glms_vec3_norm2(glms_vec3_sub(velocity_b, velocity_a)) / 2 +
           turning_energy(&sides[0], spins[0]) + turning_energy(&sides[1], spins[1]);
}

/* Energy that impulses of the beginning may add, relative to that of the pair. The chords of a first step
 * have more than its tangents, by the square of the turn, and later ones do not add more. With 0, 0.001,
 * 0.005 and 0.02, 60 sliders at 0.05 rad and 0.05 m a step (95 % of them) gain 0, 0.2, 0.5 and 0.5 % in 100
 * steps and lose 7, 2, 0 and 0 %; at 0.3 rad they gain 0, 0.1, 0.6 and 1.8 % and lose 16, 14, 5 and 5 %. */
static const double MOST_GAIN = 0.001;

/* Returns whether impulses of the beginning hold the pair and add little energy. */
static bool serves(const glide_problem *self, const joint_glide *now, double error) {
    static const double CLOSE = 1e-3; /* relative to the radius of gyration */
    const joint_motion *start = self->start;
    const vec3s spins[2] = {start->velocity_a.angular, start->velocity_b.angular};
    const double before = own_energy(self->sides, start->velocity_a.linear, start->velocity_b.linear, spins),
                 after = own_energy(self->sides, now->motion.velocity_a.linear, now->motion.velocity_b.linear,
                                    now->solved);
    return error <= CLOSE * (double)self->length && after <= (1 + MOST_GAIN) * before;
}

joint_glide joint_glide_of(const scree_joint_def *def, const joint_plan *plan, const joint_geometry *at,
                           const joint_motion *motion, const joint_side sides[2], joint_glide_kind chosen,
                           scalar length) {
    glide_problem self = {.def = def, .at = at, .sides = sides, .start = motion, .length = length};
    joint_glide out;
    take_rows(&self, plan);
    if (chosen != JOINT_GLIDE_LATE) {
        const double error = solve(&self, &out);
        if (chosen == JOINT_GLIDE_EARLY || serves(&self, &out, error)) return out;
    }
    self.late = true;
    solve(&self, &out);
    return out;
}

/* Returns the largest violation of a lock in a motion: rad, or relative to `width`. */
static scalar largest_error(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                            scalar width) {
    const joint_motion there = joint_motion_after(motion, 1);
    const joint_geometry end = joint_geometry_of(def, there.a, there.b, at->position);
    scalar most = 0;
    for (int i = 0; i < SCREE_AXIS_COUNT; i++)
        if (joint_axis_stays(&def->axes[i]))
            most = scalar_max(most, scalar_abs(end.position[i] - def->axes[i].low) /
                                        (i < SCREE_AXIS_ROTATION_X ? width : 1));
    return most;
}

/* A contact can forbid the motion of a pair alone, and rows for it then throw the pair: without FAILED, 1 of
 * 60 sliders that run at 1 m a step onto a floor gains five times its energy. With 0.03, 0.1, 0.3 and 1, 95 %
 * of 200 come apart by 0.11, 0.11, 0.03 and 0.03 m, and none gains more than with rows of the beginning. */
bool joint_glide_fails(const problem_input *from, int joint, scalar width) {
    static const scalar HARMLESS = (scalar)1 / 400, FAILED = 1;
    const scree_joint_def *def = &from->joints->defs[joint];
    joint_state *state = &from->joints->next[joint];
    if (from->substeps > 1 || !joint_glide_acts(state)) return false;
    const joint_motion motion = {.a = joint_pose(from->bodies->poses, def->a),
                                 .b = joint_pose_b(from->bodies, def, state),
                                 .velocity_a = from->trial_velocities[def->a.index - 1],
                                 .velocity_b = from->trial_velocities[def->b.index - 1],
                                 .time_step = from->motion.time_step};
    const joint_geometry at = joint_geometry_of(def, motion.a, motion.b, state->position);
    const scalar error = largest_error(def, &at, &motion, width);
    if (!(error <= FAILED)) state->glide = JOINT_GLIDE_OFF;
    return !(error <= HARMLESS);
}
