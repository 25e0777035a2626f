/* Public calls on joints. */
#include "joint_definition.h"
#include "shared.h"
#include "step/joint_step.h"

#include "base/finite.h"
#include "base/memory.h"
#include "base/vector.h"
#include "rows/joint_geometry.h"
#include "rows/joint_plan.h"
#include "rotation.h"

#include <string.h>

/* Returns the rotation whose columns are an orthonormal frame (Shepperd's method, largest component first).
 */
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

/* Computes anchor and frame on the periodic image of a body nearest to the point. */
static void frame_on_body(const scree_world *world, scree_body_id body, vec3s point, versors frame,
                          scree_vec3 *anchor, scree_quat *out) {
    const period *cell = &world->state.bodies.period;
    body_pose pose = joint_pose(world->state.bodies.poses, body);
    if (body.index) pose.position = period_near(cell, pose.position, point);
    const versors back = versor_of(-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w);
    *anchor = vec3_out(rotate_inverse(pose.rotation, glms_vec3_sub(point, pose.position)));
    *out = quat_out(rotation_normalised(rotation_product(back, frame)));
}

/* Returns a vector divided by its largest component, so that its square neither overflows nor underflows. */
static vec3s scaled_to_one(vec3s v) {
    const scalar largest = scalar_max(scalar_abs(v.x), scalar_max(scalar_abs(v.y), scalar_abs(v.z)));
    return largest > 0 ? vec3_of(v.x / largest, v.y / largest, v.z / largest) : v;
}

scree_result scree_joint_get_frame(const scree_world *world, scree_joint_def *def, scree_vec3 point,
                                   scree_vec3 x, scree_vec3 y) {
    REQUIRE(world);
    REQUIRE(def);
    TRY(bodies_bring(&world->state.bodies));
    TRY(joint_check_body(&world->state.bodies, "a", def->a));
    TRY(joint_check_body(&world->state.bodies, "b", def->b));
    const vec3s along = scaled_to_one(vec3_in(x)), other = scaled_to_one(vec3_in(y));
    TRY(finite_check(point, "m", "point"));
    TRY(finite_check(x, "", "x"));
    TRY(finite_check(y, "", "y"));
    if (!(glms_vec3_norm2(along) > 0))
        return fail(SCREE_ERROR_ARGUMENT, "x (the axis): (0, 0, 0); must not be zero");
    const vec3s first = glms_vec3_scale(along, 1 / glms_vec3_norm(along));
    vec3s second = glms_vec3_sub(other, glms_vec3_scale(first, glms_vec3_dot(first, other)));
    if (glms_vec3_norm2(other) > 0 && !(glms_vec3_norm2(second) > 1e-8f * glms_vec3_norm2(other)))
        return fail(SCREE_ERROR_ARGUMENT,
                    "y (the second axis): (%g, %g, %g), parallel to x; must have another direction, or be "
                    "zero for any",
                    (double)y.x, (double)y.y, (double)y.z);
    second =
        glms_vec3_norm2(other) > 0 ? glms_vec3_scale(second, 1 / glms_vec3_norm(second)) : tangent_of(first);
    const versors frame = rotation_of(first, second, glms_vec3_cross(first, second));
    frame_on_body(world, def->a, vec3_in(point), frame, &def->anchor_a, &def->frame_a);
    frame_on_body(world, def->b, vec3_in(point), frame, &def->anchor_b, &def->frame_b);
    return SCREE_OK;
}

/* Chooses the periodic image of b whose anchor is nearest to that of a. */
static void take_image(scree_world *world, int place) {
    const body_array *bodies = &world->state.bodies;
    joint_state *state = &world->state.joints.states[place];
    const joint_geometry at = joint_geometry_now(world, place);
    int cells[3];
    period_cells(period_nearest(&bodies->period, at.point_b, at.point_a), cells);
    for (int axis = 0; axis < 3; axis++) state->periods[axis] += cells[axis];
}

/* Chooses b's periodic image and stores the initial coordinates. */
static void begin(scree_world *world, int place) {
    take_image(world, place);
    const joint_geometry at = joint_geometry_now(world, place);
    memcpy(world->state.joints.states[place].position, at.position, sizeof at.position);
}

scree_result scree_joint_create(scree_world *world, const scree_joint_def *def, scree_joint_id *out) {
    int place = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(bodies_bring(&world->state.bodies));
    TRY(joint_validate(&world->state.bodies, def));
    TRY(joint_check_moves(&world->state.bodies, def));
    TRY(joints_add(&world->state.joints, def, world->state.bodies.count, &place));
    begin(world, place);
    if (out) *out = joint_id_of(&world->state.joints, place);
    return SCREE_OK;
}

static scree_result find(const char *call, const scree_world *world, scree_joint_id joint, int *place) {
    REQUIRE_IN(call, world);
    *place = joint_place(&world->state.joints, joint);
    if (*place >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "joint {%u, %u}: not alive in this world; must exist", joint.index,
                joint.generation);
}

scree_result scree_joint_destroy(scree_world *world, scree_joint_id joint) {
    int place = 0;
    TRY(find(__func__, world, joint, &place));
    joints_remove(&world->state.joints, place);
    return SCREE_OK;
}

bool scree_joint_is_valid(const scree_world *world, scree_joint_id joint) {
    REQUIRE_ELSE(world, false);
    return joint_place(&world->state.joints, joint) >= 0;
}

scree_result scree_joint_get_def(const scree_world *world, scree_joint_id joint, scree_joint_def *out) {
    int place = 0;
    TRY(find(__func__, world, joint, &place));
    REQUIRE(out);
    *out = world->state.joints.defs[place];
    return SCREE_OK;
}

scree_result scree_joint_set_def(scree_world *world, scree_joint_id joint, const scree_joint_def *def) {
    int place = 0;
    TRY(find(__func__, world, joint, &place));
    REQUIRE(def);
    TRY(bodies_bring(&world->state.bodies));
    TRY(joint_validate(&world->state.bodies, def));
    TRY(joint_check_moves(&world->state.bodies, def));
    TRY(joints_change(&world->state.joints, place, def, world->state.bodies.count));
    begin(world, place);
    return SCREE_OK;
}

static scree_result check_axis(scree_axis axis) {
    if ((unsigned)axis < SCREE_AXIS_COUNT) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "axis: %d; must be 0 to %d", (int)axis, SCREE_AXIS_COUNT - 1);
}

scree_result scree_joint_set_target(scree_world *world, scree_joint_id joint, scree_axis axis, float target) {
    int place = 0;
    TRY(find(__func__, world, joint, &place));
    TRY(check_axis(axis));
    TRY(joint_check_driven(&world->state.joints.defs[place], axis));
    TRY(joint_check_target(&world->state.joints.defs[place], axis, target));
    world->state.joints.defs[place].axes[axis].target = target;
    return SCREE_OK;
}

/* Returns the force (N) or torque (N m) on b of a unit force on a coordinate: the gradient of its rate. */
static body_load unit_load(const joint_geometry *at, scree_axis axis) {
    const vec3s *outer = at->angular[JOINT_FRAME_OUTER], *inner = at->angular[JOINT_FRAME_INNER];
    switch (axis) {
    case SCREE_AXIS_X:
    case SCREE_AXIS_Y:
        return (body_load){.force = at->linear[axis]};
    case SCREE_AXIS_Z:
        return (body_load){.force = glms_vec3_cross(at->linear[0], at->linear[1])};
    case SCREE_AXIS_ROTATION_X:
        return (body_load){.torque = glms_vec3_scale(inner[0], 1 / at->cosine)};
    case SCREE_AXIS_ROTATION_Y:
        return (body_load){.torque = outer[1]};
    default:
        return (body_load){.torque = glms_vec3_scale(glms_vec3_cross(outer[0], outer[1]), 1 / at->cosine)};
    }
}

/* A side of a joint with the load of the next step. */
typedef struct loaded_side {
    int slot; /* −1: the world, or not dynamic */
    body_load load;
} loaded_side;

/* Both sides have their lever arms from b's anchor, so that no moment is left over. */
static scree_result load_side(const scree_world *world, scree_body_id body, vec3s arm, body_load by,
                              loaded_side *out) {
    const body_array *bodies = &world->state.bodies;
    *out = (loaded_side){.slot = joint_moves(bodies, body) ? (int)body.index - 1 : -1};
    if (out->slot < 0) return SCREE_OK;
    by.torque = glms_vec3_add(by.torque, glms_vec3_cross(arm, by.force));
    return body_load_with(world, out->slot, by, &out->load);
}

scree_result scree_joint_apply_force(scree_world *world, scree_joint_id joint, scree_axis axis, float force) {
    int place = 0;
    TRY(find(__func__, world, joint, &place));
    TRY(check_axis(axis));
    if (!isfinite(force)) return fail(SCREE_ERROR_ARGUMENT, "force: %g; must be finite", (double)force);
    body_array *bodies = &world->state.bodies;
    const scree_joint_def *def = &world->state.joints.defs[place];
    const joint_state *state = &world->state.joints.states[place];
    if (state->broken) return SCREE_OK;
    TRY(bodies_bring(bodies));
    const joint_geometry at = joint_geometry_now(world, place);
    const body_load unit = unit_load(&at, axis),
                    on_b = {.force = glms_vec3_scale(unit.force, force),
                            .torque = glms_vec3_scale(unit.torque, force)},
                    on_a = {.force = glms_vec3_negate(on_b.force), .torque = glms_vec3_negate(on_b.torque)};
    loaded_side a, b;
    TRY(load_side(world, def->a, glms_vec3_sub(at.point_b, joint_pose(bodies->poses, def->a).position), on_a,
                  &a));
    TRY(load_side(world, def->b, glms_vec3_sub(at.point_b, joint_pose_b(bodies, def, state).position), on_b,
                  &b));
    if (a.slot >= 0) bodies->loads[a.slot] = a.load;
    if (b.slot >= 0) bodies->loads[b.slot] = b.load;
    body_loads_applied(bodies);
    return SCREE_OK;
}

static body_velocity velocity_of(const body_array *bodies, scree_body_id body) {
    return body.index ? bodies->velocities[body.index - 1] : (body_velocity){.reserved = 0};
}

/* Computes the rates of the coordinates: translations along a's axes, which turn, and angles by the dual
 * directions (joint_geometry.h). */
static void take_rates(const body_array *bodies, const scree_joint_def *def, const joint_state *state,
                       const joint_geometry *at, float out[SCREE_AXIS_COUNT]) {
    const body_velocity a = velocity_of(bodies, def->a), b = velocity_of(bodies, def->b);
    const vec3s arm_a = glms_vec3_sub(at->point_b, joint_pose(bodies->poses, def->a).position),
                arm_b = glms_vec3_sub(at->point_b, joint_pose_b(bodies, def, state).position);
    const vec3s at_a = glms_vec3_add(a.linear, glms_vec3_cross(a.angular, arm_a)),
                at_b = glms_vec3_add(b.linear, glms_vec3_cross(b.angular, arm_b)),
                relative = glms_vec3_sub(at_b, at_a), turn = glms_vec3_sub(b.angular, a.angular);
    const vec3s *outer = at->angular[JOINT_FRAME_OUTER], *inner = at->angular[JOINT_FRAME_INNER];
    out[SCREE_AXIS_X] = glms_vec3_dot(at->linear[0], relative);
    out[SCREE_AXIS_Y] = glms_vec3_dot(at->linear[1], relative);
    out[SCREE_AXIS_Z] = glms_vec3_dot(glms_vec3_cross(at->linear[0], at->linear[1]), relative);
    out[SCREE_AXIS_ROTATION_X] = glms_vec3_dot(inner[0], turn) / at->cosine;
    out[SCREE_AXIS_ROTATION_Y] = glms_vec3_dot(outer[1], turn);
    out[SCREE_AXIS_ROTATION_Z] = glms_vec3_dot(glms_vec3_cross(outer[0], outer[1]), turn) / at->cosine;
}

scree_result scree_joint_get_state(const scree_world *world, scree_joint_id joint, scree_joint_state *out) {
    int place = 0;
    TRY(find(__func__, world, joint, &place));
    REQUIRE(out);
    TRY(bodies_bring(&world->state.bodies));
    const scree_joint_def *def = &world->state.joints.defs[place];
    const joint_state *state = &world->state.joints.states[place];
    const joint_geometry at = joint_geometry_now(world, place);
    *out = (scree_joint_state){.point_a = vec3_out(at.point_a),
                               .point_b = vec3_out(at.point_b),
                               .force = vec3_out(state->force),
                               .torque = vec3_out(state->torque),
                               .broken = state->broken};
    memcpy(out->position, at.position, sizeof at.position);
    take_rates(&world->state.bodies, def, state, &at, out->velocity);
    joint_errors(def, &at, &out->error, &out->angle_error);
    return SCREE_OK;
}

int scree_joint_count(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    return world->state.joints.living;
}

static int list(const joint_array *joints, bool broke_only, scree_joint_id *out, int capacity) {
    int count = 0;
    for (int i = 0; i < joints->count; i++) {
        if (!joint_is_alive(joints, i) || (broke_only && !joints->states[i].broke_in_last_step)) continue;
        if (count < capacity) out[count] = joint_id_of(joints, i);
        count++;
    }
    return count;
}

int scree_joint_list(const scree_world *world, scree_joint_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    return list(&world->state.joints, false, out, capacity);
}

int scree_joint_list_broken(const scree_world *world, scree_joint_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    return list(&world->state.joints, true, out, capacity);
}
