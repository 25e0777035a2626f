/* The public calls on joints, and what a step does with them. */
#include "joint.h"

#include "base/memory.h"
#include "base/vector.h"
#include "constraint/joint_geometry.h"
#include "constraint/joint_plan.h"
#include "rotation.h"

#include <string.h>

static const char *name_in(const char *const *names, unsigned count, unsigned value) {
    return value < count ? names[value] : NULL;
}

const char *scree_joint_kind_name(scree_joint_kind kind) {
    static const char *const names[] = {"fixed", "hinge",  "slider",   "cylindrical", "universal",
                                        "ball",  "planar", "distance", "general"};
    _Static_assert(sizeof names / sizeof *names == SCREE_JOINT_KIND_COUNT, "every kind has a name");
    return name_in(names, SCREE_JOINT_KIND_COUNT, (unsigned)kind);
}

const char *scree_axis_mode_name(scree_axis_mode mode) {
    static const char *const names[] = {"free", "locked", "limited"};
    return name_in(names, SCREE_AXIS_MODE_COUNT, (unsigned)mode);
}

const char *scree_drive_name(scree_drive drive) {
    static const char *const names[] = {"none", "velocity", "position"};
    return name_in(names, SCREE_DRIVE_COUNT, (unsigned)drive);
}

/* Bits of the axes that a kind leaves free, x the lowest. */
static const unsigned free_axes[] = {
    [SCREE_JOINT_FIXED] = 0,         [SCREE_JOINT_HINGE] = 010,     [SCREE_JOINT_SLIDER] = 001,
    [SCREE_JOINT_CYLINDRICAL] = 011, [SCREE_JOINT_UNIVERSAL] = 050, [SCREE_JOINT_BALL] = 070,
    [SCREE_JOINT_PLANAR] = 016,      [SCREE_JOINT_DISTANCE] = 076,  [SCREE_JOINT_GENERAL] = 077};
_Static_assert(sizeof free_axes / sizeof *free_axes == SCREE_JOINT_KIND_COUNT, "every kind has axes");

scree_joint_def scree_default_joint_def(scree_joint_kind kind) {
    const unsigned known = (unsigned)kind < SCREE_JOINT_KIND_COUNT ? (unsigned)kind : SCREE_JOINT_GENERAL;
    scree_joint_def def = {.kind = kind,
                           .frame_a = {0, 0, 0, 1},
                           .frame_b = {0, 0, 0, 1},
                           .break_force = INFINITY,
                           .break_torque = INFINITY};
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) {
        def.axes[i].mode = free_axes[known] >> i & 1 ? SCREE_AXIS_FREE : SCREE_AXIS_LOCKED;
        def.axes[i].max_force = INFINITY;
    }
    return def;
}

static scree_result check_body(const body_array *bodies, const char *field, scree_body_id body) {
    if (!body.index || body_slot(bodies, body) >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "%s: body {%u, %u} is not alive in this world", field, body.index,
                body.generation);
}

static scree_result check_frame(const char *field, scree_quat q) {
    const float norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (fabsf(norm2 - 1) < 1e-3f) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s has norm %g, expected a unit quaternion", field,
                (double)sqrtf(norm2));
}

static const char *const axis_names[] = {"x", "y", "z", "rotation_x", "rotation_y", "rotation_z"};
_Static_assert(sizeof axis_names / sizeof *axis_names == SCREE_AXIS_COUNT, "every axis has a name");

static scree_result check_number(int axis, const char *field, float value, bool infinite) {
    if (value >= 0 && (infinite || isfinite(value))) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s.%s is %g, expected a %snumber of at least 0", axis_names[axis],
                field, (double)value, infinite ? "" : "finite ");
}

static scree_result check_spring(int i, const scree_spring *spring) {
    TRY(check_number(i, "stiffness", spring->stiffness, false));
    TRY(check_number(i, "damping", spring->damping, false));
    TRY(check_number(i, "frequency", spring->frequency, false));
    return check_number(i, "damping_ratio", spring->damping_ratio, false);
}

static scree_result check_axis(const scree_joint_def *def, int i) {
    const scree_joint_axis *axis = &def->axes[i];
    if ((unsigned)axis->mode >= SCREE_AXIS_MODE_COUNT || (unsigned)axis->drive >= SCREE_DRIVE_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "%s has mode %d and drive %d, expected 0 to %d each", axis_names[i],
                    (int)axis->mode, (int)axis->drive, SCREE_AXIS_MODE_COUNT - 1);
    if (axis->mode == SCREE_AXIS_LOCKED && !isfinite(axis->low))
        return fail(SCREE_ERROR_ARGUMENT, "%s is locked at %g, expected a finite number", axis_names[i],
                    (double)axis->low);
    if (axis->mode == SCREE_AXIS_LIMITED && !(axis->low <= axis->high))
        return fail(SCREE_ERROR_ARGUMENT, "%s has the limits %g and %g, expected them in this order",
                    axis_names[i], (double)axis->low, (double)axis->high);
    if (!isfinite(axis->target)) return fail(SCREE_ERROR_ARGUMENT, "%s.target is not finite", axis_names[i]);
    if (def->kind == SCREE_JOINT_DISTANCE && (i == SCREE_AXIS_Y || i == SCREE_AXIS_Z) &&
        (axis->mode != SCREE_AXIS_FREE || axis->drive != SCREE_DRIVE_NONE || axis->friction > 0))
        return fail(SCREE_ERROR_ARGUMENT, "%s of a distance joint does something, expected nothing",
                    axis_names[i]);
    TRY(check_number(i, "max_force", axis->max_force, true));
    TRY(check_number(i, "friction", axis->friction, false));
    TRY(check_spring(i, &axis->spring));
    TRY(check_spring(i, &axis->servo));
    if (axis->drive == SCREE_DRIVE_POSITION && !(axis->servo.stiffness > 0 || axis->servo.frequency > 0))
        return fail(SCREE_ERROR_ARGUMENT,
                    "%s is driven to a position without stiffness, expected servo.stiffness or "
                    "servo.frequency above 0",
                    axis_names[i]);
    return SCREE_OK;
}

scree_result joint_validate(const body_array *bodies, const scree_joint_def *def) {
    if ((unsigned)def->kind >= SCREE_JOINT_KIND_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "kind is %d, expected 0 to %d", (int)def->kind,
                    SCREE_JOINT_KIND_COUNT - 1);
    TRY(check_body(bodies, "a", def->a));
    TRY(check_body(bodies, "b", def->b));
    if (def->a.index == def->b.index)
        return fail(SCREE_ERROR_ARGUMENT, "a and b are %s, expected two bodies, or one and the world",
                    def->a.index ? "the same body" : "both the world");
    if (!vec3_finite(vec3_in(def->anchor_a)) || !vec3_finite(vec3_in(def->anchor_b)))
        return fail(SCREE_ERROR_ARGUMENT, "an anchor is not finite, expected metres");
    TRY(check_frame("frame_a", def->frame_a));
    TRY(check_frame("frame_b", def->frame_b));
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) TRY(check_axis(def, i));
    if (!(def->break_force > 0) || !(def->break_torque > 0))
        return fail(SCREE_ERROR_ARGUMENT, "break_force is %g and break_torque %g, expected both above 0",
                    (double)def->break_force, (double)def->break_torque);
    return SCREE_OK;
}

/* The rotation whose columns are an orthonormal frame (Shepperd's method, largest component first). */
static versors rotation_of(vec3s x, vec3s y, vec3s z) {
    const scalar trace = x.x + y.y + z.z;
    versors q;
    if (trace > x.x && trace > y.y && trace > z.z)
        q = versor_of(y.z - z.y, z.x - x.z, x.y - y.x, 1 + trace);
    else if (x.x >= y.y && x.x >= z.z)
        q = versor_of(1 + x.x - y.y - z.z, x.y + y.x, z.x + x.z, y.z - z.y);
    else if (y.y >= z.z)
        q = versor_of(x.y + y.x, 1 + y.y - x.x - z.z, y.z + z.y, z.x - x.z);
    else
        q = versor_of(z.x + x.z, y.z + z.y, 1 + z.z - x.x - y.y, x.y - y.x);
    return rotation_normalised(q);
}

static void place_side(const scree_world *world, scree_body_id body, vec3s point, versors frame,
                       scree_vec3 *anchor, scree_quat *out) {
    const body_pose pose = joint_pose(world->bodies.poses, body);
    const versors back = versor_of(-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w);
    *anchor = vec3_out(rotate_inverse(pose.rotation, glms_vec3_sub(point, pose.position)));
    *out = quat_out(rotation_normalised(rotation_product(back, frame)));
}

scree_result scree_joint_place(const scree_world *world, scree_joint_def *def, scree_vec3 point, scree_vec3 x,
                               scree_vec3 y) {
    REQUIRE(world);
    REQUIRE(def);
    TRY(check_body(&world->bodies, "a", def->a));
    TRY(check_body(&world->bodies, "b", def->b));
    const vec3s along = vec3_in(x), other = vec3_in(y);
    if (!vec3_finite(vec3_in(point)) || !vec3_finite(along) || !vec3_finite(other))
        return fail(SCREE_ERROR_ARGUMENT, "point or an axis is not finite");
    if (!(glms_vec3_norm2(along) > 0)) return fail(SCREE_ERROR_ARGUMENT, "x has no length");
    const vec3s first = glms_vec3_scale(along, 1 / glms_vec3_norm(along));
    vec3s second = glms_vec3_sub(other, glms_vec3_scale(first, glms_vec3_dot(first, other)));
    if (glms_vec3_norm2(other) > 0 && !(glms_vec3_norm2(second) > 1e-8f * glms_vec3_norm2(other)))
        return fail(SCREE_ERROR_ARGUMENT, "y is parallel to x, expected another direction, or zero for any");
    second =
        glms_vec3_norm2(other) > 0 ? glms_vec3_scale(second, 1 / glms_vec3_norm(second)) : tangent_of(first);
    const versors frame = rotation_of(first, second, glms_vec3_cross(first, second));
    place_side(world, def->a, vec3_in(point), frame, &def->anchor_a, &def->frame_a);
    place_side(world, def->b, vec3_in(point), frame, &def->anchor_b, &def->frame_b);
    return SCREE_OK;
}

/* The coordinates as the bodies stand, near those that are known. */
static joint_geometry geometry(const scree_world *world, int place) {
    const scree_joint_def *def = &world->joints.defs[place];
    return joint_geometry_of(def, joint_pose(world->bodies.poses, def->a),
                             joint_pose(world->bodies.poses, def->b), world->joints.states[place].position);
}

static void write_joint(scree_world *world, int place, const scree_joint_def *def) {
    joint_array *joints = &world->joints;
    joints->defs[place] = *def;
    joints->states[place] = (joint_state){.colour = -1};
    joints->changed = true;
    const joint_geometry at = geometry(world, place);
    memcpy(joints->states[place].position, at.position, sizeof at.position);
}

scree_result scree_joint_create(scree_world *world, const scree_joint_def *def, scree_joint_id *out) {
    int place = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(joint_validate(&world->bodies, def));
    TRY(joints_add(&world->joints, def, &place));
    write_joint(world, place, def);
    if (out) *out = joint_id_of(&world->joints, place);
    return SCREE_OK;
}

static scree_result find(const scree_world *world, scree_joint_id joint, int *place) {
    REQUIRE(world);
    *place = joint_place(&world->joints, joint);
    if (*place >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "joint {%u, %u} is not alive in this world", joint.index,
                joint.generation);
}

scree_result scree_joint_destroy(scree_world *world, scree_joint_id joint) {
    int place = 0;
    TRY(find(world, joint, &place));
    joints_remove(&world->joints, place);
    return SCREE_OK;
}

bool scree_joint_is_valid(const scree_world *world, scree_joint_id joint) {
    REQUIRE_ELSE(world, false);
    return joint_place(&world->joints, joint) >= 0;
}

scree_result scree_joint_get(const scree_world *world, scree_joint_id joint, scree_joint_def *out) {
    int place = 0;
    TRY(find(world, joint, &place));
    REQUIRE(out);
    *out = world->joints.defs[place];
    return SCREE_OK;
}

scree_result scree_joint_set(scree_world *world, scree_joint_id joint, const scree_joint_def *def) {
    int place = 0;
    TRY(find(world, joint, &place));
    REQUIRE(def);
    TRY(joint_validate(&world->bodies, def));
    write_joint(world, place, def);
    return SCREE_OK;
}

scree_result scree_joint_target_set(scree_world *world, scree_joint_id joint, scree_axis axis, float target) {
    int place = 0;
    TRY(find(world, joint, &place));
    if ((unsigned)axis >= SCREE_AXIS_COUNT)
        return fail(SCREE_ERROR_ARGUMENT, "axis is %d, expected 0 to %d", (int)axis, SCREE_AXIS_COUNT - 1);
    if (!isfinite(target)) return fail(SCREE_ERROR_ARGUMENT, "target is not finite");
    world->joints.defs[place].axes[axis].target = target;
    return SCREE_OK;
}

static body_velocity velocity_of(const body_array *bodies, scree_body_id body) {
    return body.index ? bodies->velocities[body.index - 1] : (body_velocity){.reserved = 0};
}

static vec3s arm_to(const body_array *bodies, scree_body_id body, vec3s point) {
    return glms_vec3_sub(point, joint_pose(bodies->poses, body).position);
}

/* Rates of the coordinates: ways along a's axes as they turn, angles by the dual directions
 * (joint_geometry.h). */
static void take_rates(const body_array *bodies, const scree_joint_def *def, const joint_geometry *at,
                       float out[SCREE_AXIS_COUNT]) {
    const body_velocity a = velocity_of(bodies, def->a), b = velocity_of(bodies, def->b);
    const vec3s at_a =
                    glms_vec3_add(a.linear, glms_vec3_cross(a.angular, arm_to(bodies, def->a, at->point_b))),
                at_b =
                    glms_vec3_add(b.linear, glms_vec3_cross(b.angular, arm_to(bodies, def->b, at->point_b))),
                relative = glms_vec3_sub(at_b, at_a), turn = glms_vec3_sub(b.angular, a.angular);
    const vec3s *outer = at->angular[JOINT_FRAME_OUTER], *inner = at->angular[JOINT_FRAME_INNER];
    out[SCREE_AXIS_X] = glms_vec3_dot(at->linear[0], relative);
    out[SCREE_AXIS_Y] = glms_vec3_dot(at->linear[1], relative);
    out[SCREE_AXIS_Z] = glms_vec3_dot(glms_vec3_cross(at->linear[0], at->linear[1]), relative);
    out[SCREE_AXIS_ROTATION_X] = glms_vec3_dot(inner[0], turn) / at->cosine;
    out[SCREE_AXIS_ROTATION_Y] = glms_vec3_dot(outer[1], turn);
    out[SCREE_AXIS_ROTATION_Z] = glms_vec3_dot(glms_vec3_cross(outer[0], outer[1]), turn) / at->cosine;
}

/* By how much a hard lock or limit is violated. */
static double violation(const scree_joint_axis *axis, double position) {
    const scree_spring *spring = &axis->spring;
    if (spring->stiffness > 0 || spring->damping > 0 || spring->frequency > 0) return 0;
    if (axis->mode == SCREE_AXIS_LOCKED) return position - (double)axis->low;
    if (axis->mode != SCREE_AXIS_LIMITED) return 0;
    return fmax(0, fmax((double)axis->low - position, position - (double)axis->high));
}

static void take_errors(const scree_joint_def *def, const joint_geometry *at, float *ways, float *angles) {
    double sums[2] = {0, 0};
    for (int i = 0; i < SCREE_AXIS_COUNT; i++) {
        const double c = violation(&def->axes[i], (double)at->position[i]);
        sums[i >= SCREE_AXIS_ROTATION_X] += c * c;
    }
    *ways = (float)sqrt(sums[0]), *angles = (float)sqrt(sums[1]);
}

scree_result scree_joint_state_get(const scree_world *world, scree_joint_id joint, scree_joint_state *out) {
    int place = 0;
    TRY(find(world, joint, &place));
    REQUIRE(out);
    const scree_joint_def *def = &world->joints.defs[place];
    const joint_state *state = &world->joints.states[place];
    const joint_geometry at = geometry(world, place);
    *out = (scree_joint_state){.point_a = vec3_out(at.point_a),
                               .point_b = vec3_out(at.point_b),
                               .force = vec3_out(state->force),
                               .torque = vec3_out(state->torque),
                               .broken = state->broken};
    memcpy(out->position, at.position, sizeof at.position);
    take_rates(&world->bodies, def, &at, out->velocity);
    take_errors(def, &at, &out->error, &out->angle_error);
    return SCREE_OK;
}

int scree_joint_count(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    return world->joints.living;
}

int scree_joint_list(const scree_world *world, scree_joint_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    int count = 0;
    for (int i = 0; i < world->joints.count; i++) {
        if (!joint_is_alive(&world->joints, i)) continue;
        if (count < capacity) out[count] = joint_id_of(&world->joints, i);
        count++;
    }
    return count;
}

scree_result joint_step_begin(scree_world *world) {
    joint_array *joints = &world->joints;
    TRY(joints_order(joints, &world->bodies));
    for (int i = 0; i < joints->count; i++) {
        joints->next[i] = joints->states[i];
        if (joints->next[i].broken) joints->next[i].force = joints->next[i].torque = glms_vec3_zero();
    }
    return SCREE_OK;
}

void joint_step_commit(scree_world *world) {
    joint_array *joints = &world->joints;
    for (int i = 0; i < joints->link_count; i++) {
        const int place = joints->links[i].joint;
        const scree_joint_def *def = &joints->defs[place];
        joint_state *state = &joints->next[place];
        state->broken = glms_vec3_norm(state->force) > def->break_force ||
                        glms_vec3_norm(state->torque) > def->break_torque;
        joints->changed |= state->broken;
    }
    joint_state *const before = joints->states;
    const int capacity = joints->state_capacity;
    joints->states = joints->next, joints->state_capacity = joints->next_capacity;
    joints->next = before, joints->next_capacity = capacity;
}

void joint_figures(const scree_world *world, scree_statistics *s) {
    const joint_array *joints = &world->joints;
    s->joints = joints->living;
    for (int i = 0; i < joints->link_count; i++) {
        const int place = joints->links[i].joint;
        const joint_geometry at = geometry(world, place);
        float ways, angles;
        take_errors(&joints->defs[place], &at, &ways, &angles);
        s->joints_broken += joints->states[place].broken;
        s->joint_error_max = fmax(s->joint_error_max, (double)ways);
    }
}
