#include "joint_step.h"

joint_geometry joint_geometry_now(const scree_world *world, int place) {
    const scree_joint_def *def = &world->state.joints.defs[place];
    const joint_state *state = &world->state.joints.states[place];
    return joint_geometry_of(def, joint_pose(world->state.bodies.poses, def->a),
                             joint_pose_b(&world->state.bodies, def, state), state->position);
}

/* Returns whether locks and limits of an axis have no spring. */
static bool is_hard(const scree_joint_axis *axis) {
    const scree_spring *spring = &axis->spring;
    return !(spring->stiffness > 0 || spring->damping > 0 || spring->frequency > 0);
}

/* Returns the violation of a hard lock or limit, m or rad. */
static double violation(const scree_joint_axis *axis, double position) {
    if (!is_hard(axis)) return 0;
    if (joint_axis_is_locked(axis)) return position - (double)axis->low;
    if (axis->mode != SCREE_AXIS_LIMITED) return 0;
    return fmax(0, fmax((double)axis->low - position, position - (double)axis->high));
}

/* Returns the norm of the violations of three axes. */
static float error_of(const scree_joint_def *def, const joint_geometry *at, int first) {
    double sum = 0;
    for (int i = first; i < first + 3; i++) {
        const double c = violation(&def->axes[i], (double)at->position[i]);
        sum += c * c;
    }
    return (float)sqrt(sum);
}

void joint_errors(const scree_joint_def *def, const joint_geometry *at, float *ways, float *angles) {
    *ways = error_of(def, at, SCREE_AXIS_X), *angles = error_of(def, at, SCREE_AXIS_ROTATION_X);
}

static bool holds_angles(const scree_joint_def *def) {
    for (int i = SCREE_AXIS_ROTATION_X; i < SCREE_AXIS_COUNT; i++)
        if (is_hard(&def->axes[i]) && def->axes[i].mode != SCREE_AXIS_FREE) return true;
    return false;
}

static void add_errors(const scree_world *world, int place, scree_statistics *s) {
    const scree_joint_def *def = &world->state.joints.defs[place];
    float way, angle = 0;
    if (holds_angles(def)) {
        const joint_geometry at = joint_geometry_now(world, place);
        joint_errors(def, &at, &way, &angle);
    } else {
        const joint_geometry at = joint_geometry_of_ways(
            def, joint_pose(world->state.bodies.poses, def->a),
            joint_pose_b(&world->state.bodies, def, &world->state.joints.states[place]));
        way = error_of(def, &at, SCREE_AXIS_X);
    }
    s->joint_error_max = fmax(s->joint_error_max, (double)way);
    s->joint_angle_error_max = fmax(s->joint_angle_error_max, (double)angle);
}

static scalar target_at(const scree_joint_axis *axis, double time) {
    const double since = time - axis->start;
    if (!(since > 0)) return 0;
    return since < axis->ramp ? (scalar)(since / axis->ramp * (double)axis->target) : axis->target;
}

scree_result joint_step_begin(world_state *state, double end) {
    joint_array *joints = &state->joints;
    TRY(joints_order(joints, &state->bodies));
    for (int i = 0; i < joints->count; i++) {
        joints->next[i] = joints->states[i];
        joints->next[i].broke_in_last_step = false;
        joints->next[i].limits = 0;
        joints->next[i].resumed = joints->next[i].roped = false;
        for (int k = 0; k < SCREE_AXIS_COUNT; k++)
            if (joints->defs[i].axes[k].drive != SCREE_DRIVE_NONE)
                joints->next[i].targets[k] = target_at(&joints->defs[i].axes[k], end);
        joints->next[i].glide = JOINT_GLIDE_NONE;
        if (joints->next[i].broken) joints->next[i].force = joints->next[i].torque = glms_vec3_zero();
    }
    return SCREE_OK;
}

void joint_step_commit(joint_array *joints) {
    for (int i = 0; i < joints->link_count; i++) {
        const int place = joints->links[i].joint;
        const scree_joint_def *def = &joints->defs[place];
        joint_state *state = &joints->next[place];
        state->broken = glms_vec3_norm(state->force) > def->break_force ||
                        glms_vec3_norm(state->torque) > def->break_torque;
        state->broke_in_last_step = state->broken;
        joints->changed |= state->broken;
    }
    joint_state *const before = joints->states;
    const int capacity = joints->state_capacity;
    joints->states = joints->next, joints->state_capacity = joints->next_capacity;
    joints->next = before, joints->next_capacity = capacity;
}

/* Adds the impulses of a joint on its bodies that are not dynamic: h times the force of the step on b, the
 * opposite on a. */
static void add_held_impulse(const scree_world *world, int place, double sum[3]) {
    const scree_joint_def *def = &world->state.joints.defs[place];
    const vec3s force = world->state.joints.states[place].force;
    const double time_step = world->model.def.time_step,
                 times = time_step * (!joint_moves(&world->state.bodies, def->b) -
                                      !joint_moves(&world->state.bodies, def->a));
    sum[0] += times * (double)force.x, sum[1] += times * (double)force.y, sum[2] += times * (double)force.z;
}

void joint_quantities(const scree_world *world, scree_statistics *s) {
    const joint_array *joints = &world->state.joints;
    s->joints = joints->living;
    for (int i = 0; i < joints->link_count; i++) {
        const int place = joints->links[i].joint;
        s->joints_broken += joints->states[place].broken;
        add_errors(world, place, s);
        add_held_impulse(world, place, s->static_impulse);
    }
}
