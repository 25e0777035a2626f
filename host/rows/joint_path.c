#include "joint_path.h"

#include "rotation.h"

/* Largest rotation between two points of a path, rad. Limits of β keep the axis z_B out of a cone of at least
 * 90° − 1.48 rad = 0.091 rad about x_A. Between points that are 0.04 rad apart z_B enters it by at most
 * 0.04²/(8 · 0.091) = 0.002 rad. */
static const scalar PATH_TURN = (scalar)0.04;
enum { POINTS = 64, REFINEMENTS = 8 };

static body_pose moved(body_pose pose, body_velocity velocity, scalar time) {
    pose.position = glms_vec3_add(pose.position, glms_vec3_scale(velocity.linear, time));
    pose.rotation = rotation_turned(glms_vec3_scale(velocity.angular, time), pose.rotation);
    return pose;
}

joint_motion joint_motion_after(const joint_motion *motion, scalar fraction) {
    joint_motion out = *motion;
    out.a = moved(motion->a, motion->velocity_a, fraction * motion->time_step);
    out.b = moved(motion->b, motion->velocity_b, fraction * motion->time_step);
    return out;
}

static joint_geometry geometry_after(const scree_joint_def *def, const joint_motion *motion, scalar fraction,
                                     const scalar last[SCREE_AXIS_COUNT]) {
    const joint_motion there = joint_motion_after(motion, fraction);
    return joint_geometry_of(def, there.a, there.b, last);
}

/* Returns the distance to the nearer limit; negative beyond it. */
static scalar gap_of(const scree_joint_def *def, const joint_geometry *at, int axis) {
    const scalar c = at->position[axis];
    return scalar_min(c - joint_axis_low(def, axis), def->axes[axis].high - c);
}

/* Returns the relative angular speed, rad/s. */
static scalar spin_of(const joint_motion *motion) {
    return glms_vec3_norm(glms_vec3_sub(motion->velocity_b.angular, motion->velocity_a.angular));
}

/* Returns a bound on the rate of an angle: |β̇| ≤ |ω|, and |ω|/cβ for the others (joint_geometry.h). */
static scalar angle_rate(const joint_geometry *at, const joint_motion *motion, int axis) {
    const scalar spin = spin_of(motion);
    if (axis == SCREE_AXIS_ROTATION_Y) return spin;
    const scalar most = scalar_abs(at->position[SCREE_AXIS_ROTATION_Y]) + spin * motion->time_step,
                 least = most < (scalar)1.5 ? (scalar)cos((double)most) : 0;
    return spin / scalar_max(least, (scalar)0.05);
}

/* Returns the speed of b's anchor relative to a, and what rotations can add to it within the step. */
static scalar way_rate(const joint_geometry *at, const joint_motion *motion) {
    const vec3s arm_a = glms_vec3_sub(at->point_b, motion->a.position),
                arm_b = glms_vec3_sub(at->point_b, motion->b.position), turn_a = motion->velocity_a.angular,
                turn_b = motion->velocity_b.angular;
    const vec3s of_a = glms_vec3_add(motion->velocity_a.linear, glms_vec3_cross(turn_a, arm_a)),
                of_b = glms_vec3_add(motion->velocity_b.linear, glms_vec3_cross(turn_b, arm_b));
    const scalar speed = glms_vec3_norm(glms_vec3_sub(of_b, of_a)),
                 bend = glms_vec3_norm2(turn_a) * glms_vec3_norm(arm_a) +
                        glms_vec3_norm2(turn_b) * glms_vec3_norm(arm_b) + 2 * glms_vec3_norm(turn_a) * speed;
    return speed + motion->time_step * bend;
}

unsigned joint_path_reach(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                          scalar factor) {
    unsigned axes = 0;
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) {
        if (!joint_axis_is_limited(&def->axes[i])) continue;
        const scalar rate = i < SCREE_AXIS_ROTATION_X ? way_rate(at, motion) : angle_rate(at, motion, i);
        if (!(gap_of(def, at, i) > factor * motion->time_step * rate)) axes |= 1u << i;
    }
    return axes;
}

/* Returns the largest rotation of a body, or of one relative to the other, in the step, rad. */
static scalar turn_of(const joint_motion *motion) {
    const scalar of_a = glms_vec3_norm(motion->velocity_a.angular),
                 of_b = glms_vec3_norm(motion->velocity_b.angular);
    return motion->time_step * scalar_max(spin_of(motion), scalar_max(of_a, of_b));
}

bool joint_path_is_straight(const scree_joint_def *def, const joint_geometry *at,
                            const joint_motion *motion) {
    if (turn_of(motion) > PATH_TURN) return false;
    return def->kind != SCREE_JOINT_DISTANCE ||
           motion->time_step * way_rate(at, motion) <= PATH_TURN * at->position[SCREE_AXIS_X];
}

/* Returns the fraction of the step to the next point. The anchor of a distance joint does not pass through
 * the sphere of its lower limit unseen. */
static scalar stride(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion) {
    const scalar points = scalar_max(turn_of(motion) / PATH_TURN, 1), most = 1 / scalar_min(points, POINTS);
    const scalar low = joint_axis_low(def, SCREE_AXIS_X);
    if (def->kind != SCREE_JOINT_DISTANCE || !(low > 0)) return most;
    const scalar gap = at->position[SCREE_AXIS_X] - low,
                 safe = gap / (motion->time_step * way_rate(at, motion));
    return gap > 0 ? scalar_min(most, scalar_max(safe, (scalar)1 / POINTS)) : most;
}

/* Returns the fraction of the step at which a coordinate leaves its limits between two points of its path: by
 * the rule of false position. */
static scalar crossing(const scree_joint_def *def, const joint_motion *motion, int axis,
                       const joint_geometry *inside, scalar t_inside, scalar gap_inside, scalar t_outside,
                       scalar gap_outside) {
    const scalar close = (scalar)1e-3 * (gap_inside - gap_outside);
    joint_geometry at = *inside;
    for (int i = 0; i < REFINEMENTS && gap_inside > close; i++) {
        const scalar span = t_outside - t_inside,
                     t = t_inside + span * gap_inside / (gap_inside - gap_outside);
        const joint_geometry there = geometry_after(def, motion, t, at.position);
        const scalar gap = gap_of(def, &there, axis);
        if (gap < 0) {
            t_outside = t, gap_outside = gap;
            if (-gap < close) break;
        } else {
            at = there;
            t_inside = t, gap_inside = gap;
        }
    }
    return t_inside;
}

/* The last point of a path. */
typedef struct path_point {
    joint_geometry at;
    scalar time;
} path_point;

/* Enters what the way between two points shows about an axis. `first`: gap at the beginning of the step. */
static void note(const scree_joint_def *def, const joint_motion *motion, const path_point *from,
                 const path_point *to, int axis, scalar first, joint_path *out) {
    const scalar gap = gap_of(def, &to->at, axis), beyond = scalar_min(first, 0) - gap;
    if (!(beyond > 0)) return;
    out->beyond[axis] = scalar_max(out->beyond[axis], beyond);
    if (out->leaves[axis] < 2) return;
    const scalar before = gap_of(def, &from->at, axis);
    out->leaves[axis] =
        before > 0 ? crossing(def, motion, axis, &from->at, from->time, before, to->time, gap) : from->time;
    out->upper[axis] =
        def->axes[axis].high - to->at.position[axis] < to->at.position[axis] - joint_axis_low(def, axis);
}

joint_path joint_path_of(const scree_joint_def *def, const joint_geometry *at, const joint_motion *motion,
                         unsigned axes) {
    joint_path out = {.end = *at};
    path_point from = {.at = *at};
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) out.leaves[i] = INFINITY;
    while (from.time < 1) {
        path_point to = {.time = scalar_min(from.time + stride(def, &from.at, motion), 1)};
        if (to.time > 1 - (scalar)1e-3) to.time = 1;
        to.at = geometry_after(def, motion, to.time, from.at.position);
        for (int i = 0; i < SCREE_AXIS_COUNT; i++)
            if (axes >> i & 1) note(def, motion, &from, &to, i, gap_of(def, at, i), &out);
        from = to;
    }
    out.end = from.at;
    return out;
}
