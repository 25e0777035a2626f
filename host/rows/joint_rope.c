#include "joint_rope.h"

#include "block.h"
#include "motion.h"

/* With arms of m r²/I = 13 a pull across the arm moves the anchor 14 times as far as the body, by a rotation
 * that changes the arm itself, and Newton's method alternates between two rotations. A pull p along a fixed
 * line at fixed arms is one unknown of one equation: the distance of the anchors at the end of the step is
 * the length of the rope. Its first solution always exists if the pull turns each body by a limited angle, as
 * a rope does, which turns an arm towards itself.
 *
 * The pull along the line e changes the energy by p (u* + u)/2, where u* and u are the rates e·(…) of the
 * unheld and the held motion. With the line and the arms of the beginning a body keeps its energy on its
 * circle, as in joint_row.c, but not on any path. With the line of the end and the mean arms of the step, h u
 * is the way along the line from a distance of at most the length to the length: u ≥ 0. */
typedef struct rope_problem {
    const scree_joint_def *def;
    const joint_geometry *at;
    const joint_side *a, *b;
    const vec3s *gained; /* see joint_rope_of */
    joint_rope free;     /* without the pull */
    scalar most;         /* by which the pull turns a body, rad */
} rope_problem;

static vec3s turning(body_mobility body, vec3s arm, vec3s line) {
    const body_velocity rest = {.reserved = 0};
    return velocity_after(rest, body, glms_vec3_zero(), glms_vec3_cross(arm, line)).angular;
}

/* Returns the spin that a unit of impulse along the line gives to a body. Its square overflows for grains of
 * 2 um. */
static scalar spin_by(const joint_side *body, vec3s arm, vec3s line) {
    const vec3s spin = turning(body->mobility, arm, line);
    const scalar unit = vec3_largest(spin);
    return unit > 0 ? unit * glms_vec3_norm(glms_vec3_scale(spin, 1 / unit)) : 0;
}

/* Returns the fraction of a body's arm at which h p turns it by at most the allowed angle. */
static scalar arm_fraction(const rope_problem *self, const joint_side *body, vec3s arm, scalar pull) {
    const scalar turn = self->free.motion.time_step * pull * spin_by(body, arm, self->free.line);
    return turn > self->most ? self->most / turn : 1;
}

static joint_geometry end_of(const rope_problem *self, const joint_motion *motion) {
    const joint_motion there = joint_motion_after(motion, 1);
    return joint_geometry_of(self->def, there.a, there.b, self->at->position);
}

static body_velocity pulled(body_velocity velocity, const joint_side *body, vec3s arm, vec3s p) {
    return velocity_after(velocity, body->mobility, p, glms_vec3_cross(arm, p));
}

static joint_rope rope_after(const rope_problem *self, scalar pull) {
    joint_rope out = self->free;
    const vec3s on_a = glms_vec3_scale(out.line, pull);
    out.arm_a = glms_vec3_scale(out.arm_a, arm_fraction(self, self->a, out.arm_a, pull));
    out.arm_b = glms_vec3_scale(out.arm_b, arm_fraction(self, self->b, out.arm_b, pull));
    out.motion.velocity_a = pulled(out.motion.velocity_a, self->a, out.arm_a, on_a);
    out.motion.velocity_b = pulled(out.motion.velocity_b, self->b, out.arm_b, glms_vec3_negate(on_a));
    out.end = end_of(self, &out.motion);
    return out;
}

static scalar length_of(const rope_problem *self) { return self->def->axes[SCREE_AXIS_X].high; }

static scalar excess(const rope_problem *self, const joint_rope *rope) {
    return rope->end.position[SCREE_AXIS_X] - length_of(self);
}

/* Returns a bound on what an impulse changes the distance by the rotation of a body. */
static scalar turning_rate(const rope_problem *self, const joint_side *body, vec3s arm, scalar pull) {
    if (arm_fraction(self, body, arm, pull) < 1) return 0;
    return glms_vec3_norm(arm) * spin_by(body, arm, self->free.line);
}

/* Returns A of the line without the arms, 1/kg. */
static scalar least_mobility(const rope_problem *self) {
    const vec3s line = self->free.line,
                sum = glms_vec3_add(self->a->mobility.inverse_mass, self->b->mobility.inverse_mass);
    return glms_vec3_dot(line, glms_vec3_mul(sum, line));
}

/* Returns a bound on what an impulse beyond `pull` changes the distance, 1/kg. */
static scalar most_mobility(const rope_problem *self, scalar pull) {
    return least_mobility(self) + turning_rate(self, self->a, self->free.arm_a, pull) +
           turning_rate(self, self->b, self->free.arm_b, pull);
}

/* Returns a pull that does not pass the first solution from a smaller one that has the excess `over`. */
static scalar next_pull(const rope_problem *self, scalar pull, scalar over) {
    return pull + over / (self->free.motion.time_step * most_mobility(self, pull));
}

/* Returns the rope of the first pull that brings its distance to its length, or nearest to it. */
static joint_rope solved(const rope_problem *self) {
    enum { ROUNDS = 100 };
    const scalar close = (scalar)1e-5 * length_of(self);
    joint_rope best = self->free;
    scalar slack = 0, tight = INFINITY, over = excess(self, &best);
    for (int i = 0; i < ROUNDS && scalar_abs(over) > close; i++) {
        if (isinf(tight) && !(most_mobility(self, slack) > 0)) break;
        const scalar pull = isinf(tight) ? next_pull(self, slack, over) : (slack + tight) / 2;
        const joint_rope now = rope_after(self, pull);
        over = excess(self, &now);
        if (scalar_abs(over) < scalar_abs(excess(self, &best))) best = now;
        if (over > 0)
            slack = pull;
        else
            tight = pull;
    }
    return best;
}

static body_velocity without(body_velocity velocity, vec3s spin) {
    velocity.angular = glms_vec3_sub(velocity.angular, spin);
    return velocity;
}

static scalar rate_of(const joint_rope *rope, body_velocity a, body_velocity b) {
    const vec3s of_a = glms_vec3_add(a.linear, glms_vec3_cross(a.angular, rope->arm_a)),
                of_b = glms_vec3_add(b.linear, glms_vec3_cross(b.angular, rope->arm_b));
    return glms_vec3_dot(rope->line, glms_vec3_sub(of_b, of_a));
}

/* Returns whether a solution holds the bodies and adds no more energy than `tolerance` of what a pull at rest
 * would remove. */
static bool serves(const rope_problem *self, const joint_rope *rope, scalar tolerance) {
    static const scalar CLOSE = (scalar)1e-3;
    const scalar before = rate_of(rope, self->a->free_velocity, self->b->free_velocity),
                 after = rate_of(rope, without(rope->motion.velocity_a, self->gained[0]),
                                 without(rope->motion.velocity_b, self->gained[1]));
    return scalar_abs(excess(self, rope)) <= CLOSE * length_of(self) && after >= -(1 + tolerance) * before;
}

/* Takes the line of the end of the free motion, and the mean arms between the beginning and `end`. */
static void take_end(rope_problem *self, const joint_rope *end) {
    const joint_motion there = joint_motion_after(&end->motion, 1), *start = &self->free.motion;
    const vec3s first_a = glms_vec3_sub(self->at->point_a, start->a.position),
                first_b = glms_vec3_sub(self->at->point_b, start->b.position),
                last_a = glms_vec3_sub(end->end.point_a, there.a.position),
                last_b = glms_vec3_sub(end->end.point_b, there.b.position);
    self->free.line = self->free.end.linear[0];
    self->free.arm_a = glms_vec3_scale(glms_vec3_add(first_a, last_a), (scalar)0.5);
    self->free.arm_b = glms_vec3_scale(glms_vec3_add(first_b, last_b), (scalar)0.5);
}

/* Returns whether the rope is taut at the beginning and turns by at most 60°. */
static bool is_taut(const rope_problem *self) {
    const joint_rope *free = &self->free;
    return self->at->position[SCREE_AXIS_X] > (scalar)0.99 * length_of(self) &&
           glms_vec3_dot(free->line, free->end.linear[0]) > (scalar)0.5;
}

/* Measured on random pairs of boxes of 0.2 m with an arm of 0.3 m, at 0.05 to 1 rad and 0.3 to 10 lengths of
 * the rope a step: none of 400 gains energy; without the turn by 2 rad, 11 gain as much as they had. With a
 * tolerance of 0 more ropes take the line of the end, and a body without an arm that circles at 0.1 rad a
 * step loses 17 times as much energy; with 0.2, 23 of 400 exceed the limit by more than 2 %, with 0.1 two do.
 */
joint_rope joint_rope_of(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                         const joint_side *a, const joint_side *b, const vec3s gained[2]) {
    static const scalar TOLERANCE = (scalar)0.1,
                        turns[] = {1, 1, 2, 2, (scalar)0.5, (scalar)0.25, (scalar)0.125};
    enum { TURNS = sizeof turns / sizeof *turns };
    rope_problem self = {.def = def, .at = at, .a = a, .b = b, .gained = gained, .most = 1};
    self.free = (joint_rope){.line = at->linear[0],
                             .arm_a = glms_vec3_sub(at->point_a, motion->a.position),
                             .arm_b = glms_vec3_sub(at->point_b, motion->b.position),
                             .motion = *motion};
    self.free.end = end_of(&self, motion);
    if (!(excess(&self, &self.free) > 0)) return self.free;
    joint_rope out = self.free;
    if (is_taut(&self)) {
        out = solved(&self);
        if (serves(&self, &out, TOLERANCE)) return out;
        out = self.free;
    }
    for (int i = 0; i < TURNS; i++) {
        take_end(&self, &out);
        self.most = turns[i];
        out = solved(&self);
        if (serves(&self, &out, 0)) return out;
    }
    return out;
}

joint_motion joint_rope_released(const joint_motion *motion, vec3s force, const vec3s arms[2],
                                 const joint_side *a, const joint_side *b) {
    joint_motion out = *motion;
    const vec3s p = glms_vec3_scale(force, motion->time_step);
    out.velocity_a = pulled(out.velocity_a, a, arms[0], p);
    out.velocity_b = pulled(out.velocity_b, b, arms[1], glms_vec3_negate(p));
    return out;
}
