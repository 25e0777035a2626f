#include "joint_geometry.h"

#include "base/vector.h"
#include "rotation.h"

static const scalar LEAST_COSINE = (scalar)0.05;

/* Returns angle + a whole number of turns, nearest to `last`. */
static scalar turned_near(double angle, scalar last) {
    const double turn = 6.283185307179586;
    return (scalar)(angle + turn * nearbyint(((double)last - angle) / turn));
}

body_pose joint_pose(const body_pose *poses, scree_body_id body) {
    if (!body.index) return (body_pose){.rotation = versor_of(0, 0, 0, 1)};
    return poses[body.index - 1];
}

static int crossed(const body_array *bodies, scree_body_id body, int axis) {
    return body.index ? bodies->cells[body.index - 1].n[axis] : 0;
}

vec3s joint_shift(const body_array *bodies, const scree_joint_def *def, const joint_state *state) {
    vec3s shift = glms_vec3_zero();
    for (int axis = 0; axis < 3 && bodies->cells; axis++)
        *vec3_component(&shift, axis) =
            (scalar)(state->periods[axis] + crossed(bodies, def->b, axis) - crossed(bodies, def->a, axis)) *
            vec3_along(bodies->period.length, axis);
    return shift;
}

body_pose joint_pose_b(const body_array *bodies, const scree_joint_def *def, const joint_state *state) {
    body_pose pose = joint_pose(bodies->poses, def->b);
    pose.position = glms_vec3_add(pose.position, joint_shift(bodies, def, state));
    return pose;
}

scalar joint_axis_low(const scree_joint_def *def, int axis) {
    const scalar low = def->axes[axis].low;
    return def->kind == SCREE_JOINT_DISTANCE && axis == SCREE_AXIS_X && low <= 0 ? -INFINITY : low;
}

static vec3s mixed(scalar one, vec3s a, scalar other, vec3s b) {
    return glms_vec3_add(glms_vec3_scale(a, one), glms_vec3_scale(b, other));
}

/* Sets the axes of a distance joint: the line between the anchors, or x_A if they coincide. */
static void take_line(joint_geometry *self, vec3s between, vec3s fallback) {
    const scalar length = glms_vec3_norm(between);
    self->linear[0] = length > 0 ? glms_vec3_scale(between, 1 / length) : fallback;
    self->linear[1] = tangent_of(self->linear[0]);
    self->position[SCREE_AXIS_X] = length;
    self->position[SCREE_AXIS_Y] = self->position[SCREE_AXIS_Z] = 0;
}

/* Computes the rotation vector θ n, n = x_A × x_B/sθ, from x_A to x_B. Its component along x_A is 0. Its
 * length is θ rather than sθ, which would vanish at 180°, where any n will do. */
static void take_tilt(joint_geometry *self, vec3s y, vec3s z, vec3s xb) {
    const scalar about_y = -glms_vec3_dot(z, xb), about_z = glms_vec3_dot(y, xb),
                 sine = scalar_sqrt(about_y * about_y + about_z * about_z);
    const double angle = atan2((double)sine, (double)self->facing);
    const scalar factor = sine > 0 ? (scalar)(angle / (double)sine) : 1;
    self->tilt[0] = sine > 0 ? factor * about_y : (scalar)angle;
    self->tilt[1] = factor * about_z;
}

/* Axes of a frame. */
typedef struct frame_axes {
    vec3s x, y, z;
} frame_axes;

static frame_axes axes_of(versors body, scree_quat frame) {
    const versors turn = rotation_normalised(rotation_product(body, quat_in(frame)));
    return (frame_axes){rotate(turn, vec3_of(1, 0, 0)), rotate(turn, vec3_of(0, 1, 0)),
                        rotate(turn, vec3_of(0, 0, 1))};
}

static void take_ways(joint_geometry *self, const scree_joint_def *def, body_pose a, body_pose b,
                      const frame_axes *axes) {
    self->point_a = glms_vec3_add(a.position, rotate(a.rotation, vec3_in(def->anchor_a)));
    self->point_b = glms_vec3_add(b.position, rotate(b.rotation, vec3_in(def->anchor_b)));
    const vec3s between = glms_vec3_sub(self->point_b, self->point_a);
    self->linear[0] = axes->x;
    self->linear[1] = axes->y;
    self->position[SCREE_AXIS_X] = glms_vec3_dot(axes->x, between);
    self->position[SCREE_AXIS_Y] = glms_vec3_dot(axes->y, between);
    self->position[SCREE_AXIS_Z] = glms_vec3_dot(axes->z, between);
    if (def->kind == SCREE_JOINT_DISTANCE) take_line(self, between, axes->x);
}

joint_geometry joint_geometry_of_ways(const scree_joint_def *def, body_pose a, body_pose b) {
    joint_geometry out = {.facing = 0};
    const frame_axes axes = axes_of(a.rotation, def->frame_a);
    take_ways(&out, def, a, b, &axes);
    return out;
}

joint_geometry joint_geometry_of(const scree_joint_def *def, body_pose a, body_pose b,
                                 const scalar last[SCREE_AXIS_COUNT]) {
    joint_geometry out;
    const frame_axes axes = axes_of(a.rotation, def->frame_a), of_b = axes_of(b.rotation, def->frame_b);
    const vec3s x = axes.x, y = axes.y, z = axes.z, xb = of_b.x, yb = of_b.y, zb = of_b.z;
    take_ways(&out, def, a, b, &axes);

    const scalar sine = scalar_clamp(glms_vec3_dot(x, zb), -1, 1);
    const double alpha = atan2(-(double)glms_vec3_dot(y, zb), (double)glms_vec3_dot(z, zb)),
                 gamma = atan2(-(double)glms_vec3_dot(x, yb), (double)glms_vec3_dot(x, xb));
    const bool tilted = joint_axis_is_zero(&def->axes[SCREE_AXIS_ROTATION_Y]) &&
                        joint_axis_is_zero(&def->axes[SCREE_AXIS_ROTATION_Z]);
    out.position[SCREE_AXIS_ROTATION_X] = turned_near(alpha, last[SCREE_AXIS_ROTATION_X]);
    out.position[SCREE_AXIS_ROTATION_Y] = (scalar)asin((double)sine);
    out.position[SCREE_AXIS_ROTATION_Z] = turned_near(gamma, tilted ? 0 : last[SCREE_AXIS_ROTATION_Z]);
    out.facing = glms_vec3_dot(x, xb);
    take_tilt(&out, y, z, xb);

    const scalar ca = (scalar)cos(alpha), sa = (scalar)sin(alpha), cosine = scalar_sqrt(1 - sine * sine);
    const vec3s y1 = mixed(ca, y, sa, z), z1 = mixed(-sa, y, ca, z);
    out.cosine = scalar_max(cosine, LEAST_COSINE);
    out.folded = cosine < LEAST_COSINE;
    out.angular[JOINT_FRAME_BODY][0] = x;
    out.angular[JOINT_FRAME_BODY][1] = y;
    out.angular[JOINT_FRAME_OUTER][0] = x;
    out.angular[JOINT_FRAME_OUTER][1] = y1;
    out.angular[JOINT_FRAME_INNER][0] = mixed(cosine, x, -sine, z1);
    out.angular[JOINT_FRAME_INNER][1] = y1;
    return out;
}

void joint_geometry_add(joint_geometry *self, const scree_joint_def *def, vec3s displacement,
                        vec3s rotation) {
    const vec3s x = self->linear[0], y = self->linear[1], z = glms_vec3_cross(x, y);
    self->position[SCREE_AXIS_X] += glms_vec3_dot(x, displacement);
    if (def->kind != SCREE_JOINT_DISTANCE) {
        self->position[SCREE_AXIS_Y] += glms_vec3_dot(y, displacement);
        self->position[SCREE_AXIS_Z] += glms_vec3_dot(z, displacement);
    }
    const vec3s first = self->angular[JOINT_FRAME_BODY][0], second = self->angular[JOINT_FRAME_BODY][1],
                third = glms_vec3_cross(first, second);
    self->position[SCREE_AXIS_ROTATION_X] += glms_vec3_dot(first, rotation);
    self->position[SCREE_AXIS_ROTATION_Y] += glms_vec3_dot(second, rotation);
    self->position[SCREE_AXIS_ROTATION_Z] += glms_vec3_dot(third, rotation);
    self->tilt[0] += glms_vec3_dot(second, rotation);
    self->tilt[1] += glms_vec3_dot(third, rotation);
}
