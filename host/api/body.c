/* Public calls on bodies. All input is checked before anything is written. */
#include "shared.h"
#include "step/body_slots.h"
#include "step/periodic_wrap.h"
#include "state/body_definition.h"

#include "base/finite.h"
#include "base/memory.h"
#include "base/vector.h"
#include "block.h"
#include "motion.h"
#include "geometry/shape.h"

#include <limits.h>
#include <string.h>

scree_body_def scree_default_body_def(void) {
    return (scree_body_def){.type = SCREE_BODY_DYNAMIC,
                            .shape = scree_shape_sphere(0.5f),
                            .state = {.rotation = {0, 0, 0, 1}},
                            .gravity_scale = 1,
                            .groups = GROUPS_DEFAULT,
                            .mask = MASK_DEFAULT};
}

scree_result scree_body_create(scree_world *world, const scree_body_def *def, scree_body_id *out) {
    int slot = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(body_add(world, def, &slot));
    if (out) *out = body_id_of(&world->state.bodies, slot);
    return SCREE_OK;
}

static scree_result check_count(int count) {
    if (count >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "count: %d; must be >= 0", count);
}

/* Checks all bodies, and reserves the memory for them. */
static scree_result prepare_all(scree_world *world, const scree_body_def *defs, int count) {
    body_array *bodies = &world->state.bodies;
    const int most = world->model.def.maximum_bodies ? world->model.def.maximum_bodies
                                                     : INT_MAX - bodies->count + bodies->living;
    if (count > most - bodies->living)
        return fail(SCREE_ERROR_CAPACITY, "bodies: %d and %d more; at most %d",
                    bodies->living, count, most);
    for (int i = 0; i < count; i++) {
        const scree_result result = body_check(world, &defs[i]);
        if (result != SCREE_OK) return fail_prefix(result, "defs[%d]", i);
    }
    for (int i = 0; i < count; i++) TRY(geometry_list_keep(&bodies->geometries, defs[i].shape.geometry));
    return bodies_reserve(bodies, bodies->count + count);
}

scree_result scree_body_create_all(scree_world *world, const scree_body_def *defs, int count,
                                   scree_body_id *out) {
    REQUIRE(world);
    TRY(check_count(count));
    if (count > 0) REQUIRE(defs);
    TRY(prepare_all(world, defs, count));
    for (int i = 0; i < count; i++) TRY(scree_body_create(world, &defs[i], out ? &out[i] : NULL));
    return SCREE_OK;
}

static scree_result find(const char *call, const scree_world *world, scree_body_id body, int *slot) {
    REQUIRE_IN(call, world);
    *slot = body_slot(&world->state.bodies, body);
    if (*slot >= 0) return SCREE_OK;
    if (body.world != world->state.bodies.world && body.world)
        return fail(SCREE_ERROR_HANDLE, "body {%u, %u}: of world %u; must be of world %u", body.index,
                    body.generation, body.world, world->state.bodies.world);
    return fail(SCREE_ERROR_HANDLE, "body {%u, %u}: not alive in this world; must exist", body.index,
                body.generation);
}

/* Does so and brings the motion of the bodies to the host. */
static scree_result find_moving(const char *call, const scree_world *world, scree_body_id body, int *slot) {
    TRY(find(call, world, body, slot));
    return bodies_bring(&world->state.bodies);
}

scree_result scree_body_destroy(scree_world *world, scree_body_id body) {
    int slot = 0;
    TRY(find_moving(__func__, world, body, &slot));
    body_remove(world, slot);
    return SCREE_OK;
}

bool scree_body_is_valid(const scree_world *world, scree_body_id body) {
    REQUIRE_ELSE(world, false);
    return body_slot(&world->state.bodies, body) >= 0;
}

static scree_body_state state_of(const body_array *bodies, int slot) {
    return (scree_body_state){vec3_out(bodies->poses[slot].position), quat_out(bodies->poses[slot].rotation),
                              vec3_out(bodies->velocities[slot].linear),
                              vec3_out(bodies->velocities[slot].angular)};
}

static scree_body_def def_of(const scree_world *world, int slot) {
    const body_array *bodies = &world->state.bodies;
    const body_mass *mass = &bodies->masses[slot];
    const body_settings settings = body_settings_of(bodies, slot);
    return (scree_body_def){.type = body_type_of(bodies, slot),
                            .shape = bodies->shapes[slot],
                            .material = material_id_of(&world->model.materials, bodies->materials[slot]),
                            .state = state_of(bodies, slot),
                            .mass = settings.mass,
                            .inertia = settings.inertia,
                            .gravity_scale = mass->gravity_scale,
                            .locks = (uint32_t)mass->locks,
                            .force = vec3_out(bodies->constant_loads[slot].force),
                            .torque = vec3_out(bodies->constant_loads[slot].torque),
                            .surface_velocity = settings.surface_velocity,
                            .groups = settings.groups,
                            .mask = settings.mask,
                            .user_data = settings.user_data};
}

scree_result scree_body_get_def(const scree_world *world, scree_body_id body, scree_body_def *out) {
    int slot = 0;
    TRY(find_moving(__func__, world, body, &slot));
    REQUIRE(out);
    *out = def_of(world, slot);
    return SCREE_OK;
}

/* Checks that type and state of a body in a kinematic group do not change. */
static scree_result check_unmoved(const scree_world *world, int slot, const scree_body_def *def) {
    const scree_body_state now = state_of(&world->state.bodies, slot);
    if (def->type == SCREE_BODY_KINEMATIC && !memcmp(&now, &def->state, sizeof now)) return SCREE_OK;
    return kinematic_group_check_not_member(world, slot);
}

scree_result scree_body_set_def(scree_world *world, scree_body_id body, const scree_body_def *def) {
    new_body made;
    int slot = 0;
    TRY(find_moving(__func__, world, body, &slot));
    REQUIRE(def);
    TRY(body_prepare(world, def, &made));
    const body_pose pose = world->state.bodies.poses[slot];
    const body_remainder remainder = world->state.bodies.remainders[slot];
    const body_velocity velocity = world->state.bodies.velocities[slot];
    if (world->state.bodies.group_numbers[slot]) TRY(check_unmoved(world, slot, def));
    TRY(geometry_list_keep(&world->state.bodies.geometries, def->shape.geometry));
    body_mark_gone(&world->state.bodies, slot);
    world->state.bodies.living--;
    world->state.bodies.dynamic -= world->state.bodies.types[slot] == SLOT_DYNAMIC;
    body_write(&world->state.bodies, slot, def, &made);
    if (world->state.bodies.group_numbers[slot]) { /* restore the kinematic group's state bit for bit */
        world->state.bodies.poses[slot] = pose;
        world->state.bodies.remainders[slot] = remainder;
        world->state.bodies.velocities[slot] = velocity;
    }
    return SCREE_OK;
}

scree_result scree_body_get_mass(const scree_world *world, scree_body_id body, float *mass,
                                 scree_vec3 *inertia) {
    int slot = 0;
    TRY(find(__func__, world, body, &slot));
    if (mass) *mass = world->state.bodies.masses[slot].mass;
    if (inertia) *inertia = vec3_out(world->state.bodies.masses[slot].inertia);
    return SCREE_OK;
}

/* Loops twice: first checks all new masses, then sets them. */
scree_result body_take_density(scree_world *world, int material, float density) {
    body_array *bodies = &world->state.bodies;
    bodies->definitions++;
    for (int write = 0; write < 2; write++)
        for (int slot = 0; slot < bodies->count; slot++) {
            if (bodies->types[slot] == SLOT_FREE || bodies->materials[slot] != material) continue;
            const scree_body_def def = def_of(world, slot);
            body_mass mass;
            TRY(body_mass_of(&def, density, &mass));
            if (write) bodies->masses[slot] = mass;
        }
    return SCREE_OK;
}

scree_result scree_body_get_user_data(const scree_world *world, scree_body_id body, uint64_t *out) {
    int slot = 0;
    TRY(find(__func__, world, body, &slot));
    REQUIRE(out);
    *out = world->state.bodies.settings[slot].user_data;
    return SCREE_OK;
}

scree_result scree_body_set_user_data(scree_world *world, scree_body_id body, uint64_t user_data) {
    int slot = 0;
    TRY(find(__func__, world, body, &slot));
    world->state.bodies.settings[slot].user_data = user_data;
    return SCREE_OK;
}

scree_result scree_body_get_periods(const scree_world *world, scree_body_id body, int out[3]) {
    int slot = 0;
    TRY(find(__func__, world, body, &slot));
    REQUIRE(out);
    const body_array *bodies = &world->state.bodies;
    for (int axis = 0; axis < 3; axis++) out[axis] = bodies->cells ? bodies->cells[slot].n[axis] : 0;
    return SCREE_OK;
}

scree_result scree_body_get_state(const scree_world *world, scree_body_id body, scree_body_state *out) {
    int slot = 0;
    TRY(find_moving(__func__, world, body, &slot));
    REQUIRE(out);
    *out = state_of(&world->state.bodies, slot);
    return SCREE_OK;
}

static scree_result check_new_state(const scree_world *world, int slot, const scree_body_state *state) {
    const body_array *bodies = &world->state.bodies;
    TRY(kinematic_group_check_not_member(world, slot));
    TRY(body_check_state(state));
    TRY(periodic_check_body(&bodies->period, body_type_of(bodies, slot), (uint32_t)bodies->masses[slot].locks,
                            bodies->shapes[slot], body_pose_in(state)));
    TRY(periodic_check_turn(&bodies->period, body_type_of(bodies, slot), bodies->shapes[slot],
                            body_pose_in(state), vec3_in(state->angular_velocity)));
    return body_check_motion(world_motion(world), body_pose_in(state), body_velocity_in(state),
                             bodies->masses[slot], bodies->loads[slot]);
}

scree_result scree_body_set_state(scree_world *world, scree_body_id body, const scree_body_state *state) {
    int slot = 0;
    TRY(find_moving(__func__, world, body, &slot));
    REQUIRE(state);
    TRY(check_new_state(world, slot, state));
    body_write_state(&world->state.bodies, slot, state);
    return SCREE_OK;
}

/* A force or impulse on a body in world axes and its moment about the centre of mass, which includes (x − c)
 * × f of a point of application. */
typedef struct push {
    vec3s linear, angular;
} push;

static push push_of(const scree_world *world, int slot, scree_vec3 linear, const scree_vec3 *point,
                    scree_vec3 angular) {
    push out = {vec3_in(linear), vec3_in(angular)};
    if (point)
        out.angular = glms_vec3_cross(
            glms_vec3_sub(vec3_in(*point), world->state.bodies.poses[slot].position), out.linear);
    return out;
}

/* Sets the constant loads and keeps loads that were applied for the next step only. */
scree_result scree_body_set_loads(scree_world *world, scree_body_id body, scree_vec3 force,
                                  scree_vec3 torque) {
    int slot = 0;
    TRY(find_moving(__func__, world, body, &slot));
    body_array *bodies = &world->state.bodies;
    const body_load constant = {.force = vec3_in(force), .torque = vec3_in(torque)},
                    before = bodies->constant_loads[slot];
    TRY(finite_check(force, "N", "force"));
    TRY(finite_check(torque, "N m", "torque"));
    if (!body_is_dynamic(bodies, slot))
        return glms_vec3_norm2(constant.force) + glms_vec3_norm2(constant.torque) > 0
                   ? fail(SCREE_ERROR_ARGUMENT,
                          "force or torque: set on a body that is not dynamic; must be 0")
                   : SCREE_OK;
    body_load load = bodies->loads[slot];
    load.force = glms_vec3_add(constant.force, glms_vec3_sub(load.force, before.force));
    load.torque = glms_vec3_add(constant.torque, glms_vec3_sub(load.torque, before.torque));
    TRY(body_check_motion(world_motion(world), bodies->poses[slot], bodies->velocities[slot],
                          bodies->masses[slot], load));
    bodies->loads[slot] = load;
    bodies->constant_loads[slot] = constant;
    bodies->loaded++;
    return SCREE_OK;
}

scree_result body_load_with(const scree_world *world, int slot, body_load added, body_load *out) {
    const body_array *bodies = &world->state.bodies;
    body_load load = bodies->loads[slot];
    load.force = glms_vec3_add(load.force, added.force);
    load.torque = glms_vec3_add(load.torque, added.torque);
    TRY(body_check_motion(world_motion(world), bodies->poses[slot], bodies->velocities[slot],
                          bodies->masses[slot], load));
    *out = load;
    return SCREE_OK;
}

static scree_result add_load(const char *call, scree_world *world, scree_body_id body, scree_vec3 force,
                             const scree_vec3 *point, scree_vec3 torque) {
    int slot = 0;
    TRY(find_moving(call, world, body, &slot));
    body_array *bodies = &world->state.bodies;
    const push by = push_of(world, slot, force, point, torque);
    if (point) TRY(finite_check(*point, "m", "point"));
    TRY(finite_check(vec3_out(by.linear), "N", "force"));
    TRY(finite_check(vec3_out(by.angular), "N m", point ? "torque of the force" : "torque"));
    if (!body_is_dynamic(bodies, slot)) return SCREE_OK;
    TRY(body_load_with(world, slot, (body_load){.force = by.linear, .torque = by.angular},
                       &bodies->loads[slot]));
    body_loads_applied(bodies);
    return SCREE_OK;
}

static scree_result add_impulse(const char *call, scree_world *world, scree_body_id body, scree_vec3 impulse,
                                const scree_vec3 *point, scree_vec3 angular) {
    int slot = 0;
    TRY(find_moving(call, world, body, &slot));
    body_array *bodies = &world->state.bodies;
    const push by = push_of(world, slot, impulse, point, angular);
    if (point) TRY(finite_check(*point, "m", "point"));
    TRY(finite_check(vec3_out(by.linear), "N s", "impulse"));
    TRY(finite_check(vec3_out(by.angular), "N m s",
                     point ? "angular impulse of the impulse" : "angular impulse"));
    if (!body_is_dynamic(bodies, slot)) return SCREE_OK;
    const body_pose pose = bodies->poses[slot];
    const body_mass mass = bodies->masses[slot];
    const body_velocity velocity =
        velocity_after(bodies->velocities[slot], mobility_of(pose, mass), by.linear, by.angular);
    TRY(body_check_motion(world_motion(world), pose, velocity, mass, bodies->loads[slot]));
    bodies->velocities[slot] = velocity;
    bodies->written++;
    return SCREE_OK;
}

static const scree_vec3 nothing = {0, 0, 0};

scree_result scree_body_apply_force(scree_world *world, scree_body_id body, scree_vec3 force) {
    return add_load(__func__, world, body, force, NULL, nothing);
}

scree_result scree_body_apply_force_at(scree_world *world, scree_body_id body, scree_vec3 force,
                                       scree_vec3 point) {
    return add_load(__func__, world, body, force, &point, nothing);
}

scree_result scree_body_apply_torque(scree_world *world, scree_body_id body, scree_vec3 torque) {
    return add_load(__func__, world, body, nothing, NULL, torque);
}

scree_result scree_body_apply_impulse(scree_world *world, scree_body_id body, scree_vec3 impulse) {
    return add_impulse(__func__, world, body, impulse, NULL, nothing);
}

scree_result scree_body_apply_impulse_at(scree_world *world, scree_body_id body, scree_vec3 impulse,
                                         scree_vec3 point) {
    return add_impulse(__func__, world, body, impulse, &point, nothing);
}

scree_result scree_body_apply_angular_impulse(scree_world *world, scree_body_id body, scree_vec3 impulse) {
    return add_impulse(__func__, world, body, nothing, NULL, impulse);
}

int scree_body_count(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    return world->state.bodies.living;
}

int scree_body_list(const scree_world *world, scree_body_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    int count = 0;
    for (int slot = 0; slot < world->state.bodies.count; slot++) {
        if (world->state.bodies.types[slot] == SLOT_FREE) continue;
        if (count < capacity) out[count] = body_id_of(&world->state.bodies, slot);
        count++;
    }
    return count;
}

scree_result scree_body_get_states(const scree_world *world, const scree_body_id *bodies, int count,
                                   scree_body_state *out) {
    int slot = 0;
    REQUIRE(world);
    TRY(check_count(count));
    if (count > 0) {
        REQUIRE(bodies);
        REQUIRE(out);
    }
    for (int i = 0; i < count; i++)
        if (find(__func__, world, bodies[i], &slot) != SCREE_OK)
            return fail_prefix(SCREE_ERROR_HANDLE, "bodies[%d]", i);
    if (count > 0) TRY(bodies_bring(&world->state.bodies));
    for (int i = 0; i < count; i++)
        out[i] = state_of(&world->state.bodies, body_slot(&world->state.bodies, bodies[i]));
    return SCREE_OK;
}

scree_result scree_body_set_states(scree_world *world, const scree_body_id *bodies, int count,
                                   const scree_body_state *states) {
    int slot = 0;
    REQUIRE(world);
    TRY(check_count(count));
    if (count > 0) {
        REQUIRE(bodies);
        REQUIRE(states);
        TRY(bodies_bring(&world->state.bodies));
    }
    for (int i = 0; i < count; i++) {
        if (find(__func__, world, bodies[i], &slot) != SCREE_OK)
            return fail_prefix(SCREE_ERROR_HANDLE, "bodies[%d]", i);
        if (check_new_state(world, slot, &states[i]) != SCREE_OK)
            return fail_prefix(SCREE_ERROR_ARGUMENT, "states[%d]", i);
    }
    for (int i = 0; i < count; i++)
        body_write_state(&world->state.bodies, body_slot(&world->state.bodies, bodies[i]), &states[i]);
    return SCREE_OK;
}
