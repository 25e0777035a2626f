#include "joint_bend.h"

#include "motion.h"

scalar joint_coordinate(const joint_block_plan *plan, const joint_geometry *at, int row) {
    if (!plan->angular) return at->position[row];
    if (plan->frame == JOINT_FRAME_BODY && row > 0) return at->tilt[row - 1];
    return at->position[SCREE_AXIS_ROTATION_X + row];
}

static vec3s axis_of(const joint_geometry *at, int row) {
    return row < 2 ? at->linear[row] : glms_vec3_cross(at->linear[0], at->linear[1]);
}

scalar joint_bend_weight(scalar turn, scalar limit) {
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

/* Returns the sine of the angle by which the line between the anchors turns in a step; 1 from a right angle
 * on. */
static scalar line_turn(const joint_geometry *at, const joint_geometry *ahead) {
    const scalar across = glms_vec3_norm(glms_vec3_cross(at->linear[0], ahead->linear[0]));
    return glms_vec3_dot(at->linear[0], ahead->linear[0]) > 0 ? across : 1;
}

bend_weights joint_bend_weights(const scree_joint_def *def, const joint_geometry *at,
                                const joint_geometry *ahead, const joint_side *a, const joint_side *b,
                                scalar time_step) {
    const scree_joint_axis *angles = def->axes + SCREE_AXIS_ROTATION_X;
    const bool rigid =
        joint_axis_stays(&angles[0]) && joint_axis_stays(&angles[1]) && joint_axis_stays(&angles[2]);
    const scalar limit = rigid ? (scalar)1.06 : (scalar)0.5,
                 spin = scalar_max(glms_vec3_norm(a->velocity.angular), glms_vec3_norm(b->velocity.angular));
    const scalar of_a = arm_turn(a, glms_vec3_sub(at->point_a, a->pose.position), time_step),
                 of_b = arm_turn(b, glms_vec3_sub(at->point_b, b->pose.position), time_step);
    scalar turn = scalar_sqrt(of_a * of_a + of_b * of_b);
    if (def->kind == SCREE_JOINT_DISTANCE) turn = scalar_max(turn, line_turn(at, ahead));
    return (bend_weights){joint_bend_weight(turn, limit), joint_bend_weight(time_step * spin, 1)};
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
        const vec3s along = joint_axis_stays(&def->axes[i]) ? axis_of(ahead, i) : axis_of(at, i);
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

scalar joint_change(const scree_joint_def *def, const joint_block_plan *plan, const joint_geometry *at,
                    const joint_geometry *ahead, int row) {
    if (!follows(plan, at, row) || !follows(plan, ahead, row)) return NAN;
    const scalar there = plan->angular                       ? joint_coordinate(plan, ahead, row)
                         : def->kind != SCREE_JOINT_DISTANCE ? way_ahead(def, at, ahead, row)
                         : row == 0                          ? line_ahead(at, ahead)
                                                             : joint_coordinate(plan, ahead, row);
    return there - joint_coordinate(plan, at, row);
}

/* Largest change of a bend to second order without another solve, rad. A wheel on an arm, at 0.13 rad a step,
 * gains 5.0 % of its energy in 4 s with 1e-3, and 0.7 % with 3e-4 and 1e-4. Chains of boxes that tumble at
 * 0.05 rad a step conserve it to 0.1 % with all three, and are solved twice in most steps with 1e-4. */
static const scalar BEND_CHANGE = (scalar)3e-4;

static scalar bend_change(const problem_input *from, scree_body_id body, vec3s spin) {
    const scalar h = from->motion.time_step;
    if (!body.index) return 0;
    return h * h * glms_vec3_norm(glms_vec3_cross(spin, from->solved[body.index - 1].angular));
}

static bool is_locked(const body_array *bodies, scree_body_id body) {
    return body.index && bodies->masses[body.index - 1].locks & LOCK_ANY_ROTATION;
}

bool joint_bends_turn(const problem_input *from, const scree_joint_def *def) {
    return !is_locked(from->bodies, def->a) && !is_locked(from->bodies, def->b);
}

static bool is_bent(const problem_input *from, int joint) {
    const scree_joint_def *def = &from->joints->defs[joint];
    const joint_state *state = &from->joints->next[joint];
    if (state->roped || joint_glide_acts(state)) return false; /* their rows have motions of their own */
    if (!joint_bends_turn(from, def)) return false;
    return bend_change(from, def->a, state->spins[0]) > BEND_CHANGE ||
           bend_change(from, def->b, state->spins[1]) > BEND_CHANGE;
}

int joint_bends_find(const problem_input *from) {
    const joint_array *joints = from->joints;
    int found = 0;
    for (int i = 0; i < joints->link_count; i++) found += is_bent(from, joints->links[i].joint);
    return found;
}
