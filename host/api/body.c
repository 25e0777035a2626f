/* Public calls on bodies. All input is checked before anything is written. */
#include "kinematic_group.h"
#include "step/periodic_wrap.h"

#include "base/memory.h"
#include "base/vector.h"
#include "block.h"
#include "motion.h"
#include "geometry/shape.h"

#include <string.h>

_Static_assert((int)SCREE_LOCK_X == LOCK_X && (int)SCREE_LOCK_ROTATION_Z == LOCK_ROTATION_Z,
               "one set of lock bits");

static const double ROUNDED = 0.01; /* relative tolerance of moments of inertia given with two decimals */

scree_body_def scree_default_body_def(void) {
    return (scree_body_def){.type = SCREE_BODY_DYNAMIC,
                            .shape = scree_shape_sphere(0.5f),
                            .state = {.rotation = {0, 0, 0, 1}},
                            .gravity_scale = 1,
                            .groups = GROUPS_DEFAULT,
                            .mask = MASK_DEFAULT};
}

static bool finite3(scree_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

/* Squares, as in lengths and energies, exceed single precision beyond 1.8e19. */
static bool square_finite(scree_vec3 v) { return isfinite(glms_vec3_norm2(vec3_in(v))); }

static scree_result check_state(const scree_body_state *state) {
    if (!finite3(state->position)) return fail(SCREE_ERROR_ARGUMENT, "state.position: must be finite, in m");
    if (!square_finite(state->position))
        return fail(SCREE_ERROR_ARGUMENT, "state.position: (%g, %g, %g) m; length must be below 1.8e19 m",
                    (double)state->position.x, (double)state->position.y, (double)state->position.z);
    if (!finite3(state->linear_velocity))
        return fail(SCREE_ERROR_ARGUMENT, "state.linear_velocity: must be finite, in m/s");
    if (!finite3(state->angular_velocity))
        return fail(SCREE_ERROR_ARGUMENT, "state.angular_velocity: must be finite, in rad/s");
    const scree_quat q = state->rotation;
    const float norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(fabsf(norm2 - 1) < 1e-3f))
        return fail(SCREE_ERROR_ARGUMENT, "state.rotation: norm %g; must be a unit quaternion",
                    (double)sqrtf(norm2));
    return SCREE_OK;
}

/* Rejects properties that only a dynamic body has. */
static scree_result check_unmoved(const scree_body_def *def) {
    const scree_vec3 i = def->inertia, f = def->force, t = def->torque;
    const char *given = def->mass != 0                     ? "mass"
                        : i.x != 0 || i.y != 0 || i.z != 0 ? "inertia"
                        : def->locks                       ? "locks"
                        : f.x != 0 || f.y != 0 || f.z != 0 ? "force"
                        : t.x != 0 || t.y != 0 || t.z != 0 ? "torque"
                                                           : NULL;
    if (def->type == SCREE_BODY_DYNAMIC || !given) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: set on a body that is not dynamic; must be 0", given);
}

/* Moments of inertia are I_x = Σ m (y² + z²) and so on, so none exceeds the sum of the other two; a flat body
 * reaches it. Rounded values may exceed it slightly. */
static scree_result check_inertia(scree_vec3 inertia) {
    const double x = (double)inertia.x, y = (double)inertia.y, z = (double)inertia.z, sum = x + y + z,
                 largest = fmax(x, fmax(y, z));
    if (x == 0 && y == 0 && z == 0) return SCREE_OK;
    if (!isfinite(sum) || !(x > 0 && y > 0 && z > 0))
        return fail(SCREE_ERROR_ARGUMENT, "inertia: (%g, %g, %g); must be three moments > 0 kg m², or all 0",
                    x, y, z);
    if (largest > (1 + ROUNDED) * (sum - largest))
        return fail(SCREE_ERROR_ARGUMENT,
                    "inertia: (%g, %g, %g); no moment may exceed the sum of the other two", x, y, z);
    return SCREE_OK;
}

static scree_result check_def(const scree_body_def *def) {
    if ((unsigned)def->type > SCREE_BODY_DYNAMIC)
        return fail(SCREE_ERROR_ARGUMENT, "type: %d; must be 0 to %d", (int)def->type, SCREE_BODY_DYNAMIC);
    TRY(scree_validate_shape(def->shape));
    TRY(check_state(&def->state));
    if (def->type == SCREE_BODY_DYNAMIC && !shape_movable(def->shape))
        return fail(SCREE_ERROR_ARGUMENT, "a %s cannot be dynamic; must be static or kinematic",
                    scree_shape_kind_name(def->shape.kind));
    if (!(def->mass >= 0) || !isfinite(def->mass))
        return fail(SCREE_ERROR_ARGUMENT, "mass: %g; must be > 0 kg, or 0 to derive it from the shape",
                    (double)def->mass);
    TRY(check_inertia(def->inertia));
    if (!isfinite(def->gravity_scale)) return fail(SCREE_ERROR_ARGUMENT, "gravity_scale: must be finite");
    if (def->locks > 63) return fail(SCREE_ERROR_ARGUMENT, "locks: %u; must be scree_lock bits", def->locks);
    if (!finite3(def->force)) return fail(SCREE_ERROR_ARGUMENT, "force: must be finite, in N");
    if (!finite3(def->torque)) return fail(SCREE_ERROR_ARGUMENT, "torque: must be finite, in N m");
    if (!finite3(def->surface_velocity))
        return fail(SCREE_ERROR_ARGUMENT, "surface_velocity: must be finite, in m/s");
    const scree_vec3 belt = def->surface_velocity;
    if (!square_finite(belt))
        return fail(SCREE_ERROR_ARGUMENT,
                    "surface_velocity: (%g, %g, %g) m/s; length must be below 1.8e19 m/s", (double)belt.x,
                    (double)belt.y, (double)belt.z);
    if (def->type == SCREE_BODY_DYNAMIC && (belt.x != 0 || belt.y != 0 || belt.z != 0))
        return fail(SCREE_ERROR_ARGUMENT, "surface_velocity: set on a dynamic body; must be 0");
    return check_unmoved(def);
}

/* Computes the mass properties of a dynamic body; all zero for other bodies. */
static scree_result mass_of(const scree_body_def *def, float density, body_mass *out) {
    *out = (body_mass){.gravity_scale = def->gravity_scale, .locks = (int)def->locks};
    if (def->type != SCREE_BODY_DYNAMIC) return SCREE_OK;
    out->mass = def->mass > 0 ? def->mass : (float)scree_shape_get_mass(def->shape, (double)density);
    out->inertia = def->inertia.x > 0 ? vec3_in(def->inertia)
                                      : glms_vec3_scale(shape_unit_inertia(def->shape), out->mass);
    if (!(out->mass > 0) || !isfinite(out->mass) || !isfinite(1 / out->mass) || !(out->inertia.x > 0) ||
        !(out->inertia.y > 0) || !(out->inertia.z > 0) || !vec3_finite(out->inertia) ||
        !isfinite(1 / out->inertia.x) || !isfinite(1 / out->inertia.y) || !isfinite(1 / out->inertia.z))
        return fail(SCREE_ERROR_ARGUMENT,
                    "mass %g kg and inertia (%g, %g, %g) kg m² of this %s: outside single precision; change "
                    "shape or density",
                    (double)out->mass, (double)out->inertia.x, (double)out->inertia.y, (double)out->inertia.z,
                    scree_shape_kind_name(def->shape.kind));
    return SCREE_OK;
}

static body_pose pose_of_state(const scree_body_state *state) {
    return (body_pose){.position = vec3_in(state->position),
                       .rotation = rotation_normalised(quat_in(state->rotation))};
}

static body_velocity velocity_in(const scree_body_state *state) {
    return (body_velocity){.linear = vec3_in(state->linear_velocity),
                           .angular = vec3_in(state->angular_velocity)};
}

/* A rotation uses the square of the turn, so an angular velocity with an infinite square destroys the pose.
 * Energies use the squares of both velocities, and a step fails if they are infinite. */
static bool velocity_finite(body_velocity v) {
    return isfinite(glms_vec3_norm2(v.linear)) && isfinite(glms_vec3_norm2(v.angular));
}

/* Rejects states that leave the range of single precision within a step without contacts; computes the free
 * motion as the step does. A step that failed on such a state would fail again each time. */
static scree_result check_motion(const scree_world *world, body_pose pose, body_velocity velocity,
                                 body_mass mass, body_load load) {
    const motion_parameters motion = {vec3_in(world->model.def.gravity), (scalar)world->model.def.time_step};
    const body_velocity still = {0},
                        after = free_velocity_of(pose, velocity, mass, load, mobility_of(pose, mass), motion);
    const body_pose next = pose_after(pose, mass, after, after, still, motion.time_step);
    if (velocity_finite(velocity) && vec3_finite(load.force) && vec3_finite(load.torque) &&
        velocity_finite(after) && vec3_finite(next.position))
        return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "state: not finite after a step of %g s; reduce velocity %g, %g, %g m/s, angular velocity "
                "%g, %g, %g rad/s, force %g, %g, %g N or torque %g, %g, %g N m",
                (double)motion.time_step, (double)velocity.linear.x, (double)velocity.linear.y,
                (double)velocity.linear.z, (double)velocity.angular.x, (double)velocity.angular.y,
                (double)velocity.angular.z, (double)load.force.x, (double)load.force.y, (double)load.force.z,
                (double)load.torque.x, (double)load.torque.y, (double)load.torque.z);
}

typedef struct new_body {
    body_mass mass;
    body_load load;
    int material;
} new_body;

static scree_result prepare(const scree_world *world, const scree_body_def *def, new_body *out) {
    TRY(check_def(def));
    TRY(periodic_check_body(&world->state.bodies.period, def->type, def->locks, def->shape,
                            pose_of_state(&def->state)));
    TRY(material_index(&world->model.materials, def->material, &out->material));
    TRY(mass_of(def, world->model.materials.materials[out->material].density, &out->mass));
    out->load = (body_load){.force = vec3_in(def->force), .torque = vec3_in(def->torque)};
    return check_motion(world, pose_of_state(&def->state), velocity_in(&def->state), out->mass, out->load);
}

scree_result body_check(const scree_world *world, const scree_body_def *def) {
    new_body made;
    return prepare(world, def, &made);
}

static slot_type slot_type_of(scree_body_type type) {
    return type == SCREE_BODY_STATIC      ? SLOT_STATIC
           : type == SCREE_BODY_KINEMATIC ? SLOT_KINEMATIC
                                          : SLOT_DYNAMIC;
}

static void write_state(body_array *bodies, int slot, const scree_body_state *state) {
    bodies->changes++;
    bodies->poses[slot] = pose_of_state(state);
    bodies->velocities[slot] = bodies->types[slot] == SLOT_STATIC ? (body_velocity){0} : velocity_in(state);
    periodic_place(bodies, slot);
}

/* Fills a slot. Everything that can fail has been checked. */
static void write_body(body_array *bodies, int slot, const scree_body_def *def, const new_body *made) {
    bodies->types[slot] = (uint8_t)slot_type_of(def->type);
    bodies->shapes[slot] = def->shape;
    bodies->masses[slot] = made->mass;
    bodies->materials[slot] = made->material;
    body_load_set(&bodies->loads[slot], made->load);
    body_load_set(&bodies->constant_loads[slot], made->load);
    body_settings_set(bodies, slot,
                      (body_settings){.inertia = def->inertia,
                                      .mass = def->mass,
                                      .surface_velocity = def->surface_velocity,
                                      .groups = def->groups,
                                      .mask = def->mask,
                                      .user_data = def->user_data});
    write_state(bodies, slot, &def->state);
    if (def->type == SCREE_BODY_KINEMATIC) bodies->earlier[slot] = bodies->velocities[slot];
    bodies->living++;
    bodies->dynamic += def->type == SCREE_BODY_DYNAMIC;
}

scree_result scree_body_create(scree_world *world, const scree_body_def *def, scree_body_id *out) {
    REQUIRE(world);
    REQUIRE(def);
    body_array *bodies = &world->state.bodies;
    new_body made;
    TRY(prepare(world, def, &made));
    if (world->model.def.maximum_bodies && bodies->living >= world->model.def.maximum_bodies)
        return fail(SCREE_ERROR_CAPACITY, "bodies: %d; maximum_bodies is %d", bodies->living,
                    world->model.def.maximum_bodies);
    TRY(geometry_list_keep(&bodies->geometries, def->shape.geometry));
    int slot = bodies->free_head;
    if (slot >= 0) {
        bodies->free_head = bodies->next_free[slot];
    } else {
        TRY(bodies_reserve(bodies, bodies->count + 1));
        slot = bodies->count++;
        bodies->generations[slot] = 1;
    }
    if (bodies->cells) bodies->cells[slot] = (body_cells){{0}};
    write_body(bodies, slot, def, &made);
    if (out) *out = body_id_of(bodies, slot);
    return SCREE_OK;
}

static scree_result find(const char *call, const scree_world *world, scree_body_id body, int *slot) {
    REQUIRE_IN(call, world);
    *slot = body_slot(&world->state.bodies, body);
    if (*slot >= 0) return SCREE_OK;
    if (body.world != world->state.bodies.world && body.world)
        return fail(SCREE_ERROR_HANDLE, "body {%u, %u} belongs to world %u; must belong to world %u",
                    body.index, body.generation, body.world, world->state.bodies.world);
    return fail(SCREE_ERROR_HANDLE, "body {%u, %u} is not alive in this world", body.index, body.generation);
}

scree_result scree_body_destroy(scree_world *world, scree_body_id body) {
    int slot = 0;
    TRY(find(__func__, world, body, &slot));
    body_array *bodies = &world->state.bodies;
    joints_remove_of(&world->state.joints, slot);
    kinematic_group_leave(world, slot);
    body_mark_gone(&world->state.bodies, slot);
    bodies->living--;
    bodies->dynamic -= bodies->types[slot] == SLOT_DYNAMIC;
    bodies->types[slot] = SLOT_FREE;
    bodies->changes++;
    bodies->generations[slot]++;
    bodies->masses[slot] = (body_mass){0};
    bodies->velocities[slot] = bodies->earlier[slot] = (body_velocity){0};
    bodies->loads[slot] = bodies->constant_loads[slot] = (body_load){0};
    bodies->settings[slot] = (body_settings){0};
    bodies->poses[slot] = (body_pose){.rotation = versor_of(0, 0, 0, 1)};
    bodies->next_free[slot] = bodies->free_head;
    bodies->free_head = slot;
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
    TRY(find(__func__, world, body, &slot));
    REQUIRE(out);
    *out = def_of(world, slot);
    return SCREE_OK;
}

/* Checks that type and state of a body in an assembly do not change. */
static scree_result check_carried(const scree_world *world, int slot, const scree_body_def *def) {
    const scree_body_state now = state_of(&world->state.bodies, slot);
    if (def->type == SCREE_BODY_KINEMATIC && !memcmp(&now, &def->state, sizeof now)) return SCREE_OK;
    return kinematic_group_check_free(world, slot);
}

scree_result scree_body_set_def(scree_world *world, scree_body_id body, const scree_body_def *def) {
    new_body made;
    int slot = 0;
    TRY(find(__func__, world, body, &slot));
    REQUIRE(def);
    TRY(prepare(world, def, &made));
    const body_pose pose = world->state.bodies.poses[slot];
    const body_velocity velocity = world->state.bodies.velocities[slot];
    if (world->state.bodies.carriers[slot]) TRY(check_carried(world, slot, def));
    TRY(geometry_list_keep(&world->state.bodies.geometries, def->shape.geometry));
    body_mark_gone(&world->state.bodies, slot);
    world->state.bodies.living--;
    world->state.bodies.dynamic -= world->state.bodies.types[slot] == SLOT_DYNAMIC;
    write_body(&world->state.bodies, slot, def, &made);
    if (world->state.bodies.carriers[slot]) /* restore the assembly's state bit for bit */
        world->state.bodies.poses[slot] = pose, world->state.bodies.velocities[slot] = velocity;
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
scree_result world_take_density(scree_world *world, int material, float density) {
    body_array *bodies = &world->state.bodies;
    for (int write = 0; write < 2; write++)
        for (int slot = 0; slot < bodies->count; slot++) {
            if (bodies->types[slot] == SLOT_FREE || bodies->materials[slot] != material) continue;
            const scree_body_def def = def_of(world, slot);
            body_mass mass;
            TRY(mass_of(&def, density, &mass));
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
    TRY(find(__func__, world, body, &slot));
    REQUIRE(out);
    *out = state_of(&world->state.bodies, slot);
    return SCREE_OK;
}

static scree_result check_new_state(const scree_world *world, int slot, const scree_body_state *state) {
    const body_array *bodies = &world->state.bodies;
    TRY(kinematic_group_check_free(world, slot));
    TRY(check_state(state));
    TRY(periodic_check_body(&bodies->period, body_type_of(bodies, slot), (uint32_t)bodies->masses[slot].locks,
                            bodies->shapes[slot], pose_of_state(state)));
    return check_motion(world, pose_of_state(state), velocity_in(state), bodies->masses[slot],
                        bodies->loads[slot]);
}

scree_result scree_body_set_state(scree_world *world, scree_body_id body, const scree_body_state *state) {
    int slot = 0;
    TRY(find(__func__, world, body, &slot));
    REQUIRE(state);
    TRY(check_new_state(world, slot, state));
    write_state(&world->state.bodies, slot, state);
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
    TRY(find(__func__, world, body, &slot));
    body_array *bodies = &world->state.bodies;
    const body_load constant = {.force = vec3_in(force), .torque = vec3_in(torque)},
                    before = bodies->constant_loads[slot];
    if (!vec3_finite(constant.force) || !vec3_finite(constant.torque))
        return fail(SCREE_ERROR_ARGUMENT, "force or torque: must be finite");
    if (!body_is_dynamic(bodies, slot))
        return glms_vec3_norm2(constant.force) + glms_vec3_norm2(constant.torque) > 0
                   ? fail(SCREE_ERROR_ARGUMENT,
                          "force or torque: set on a body that is not dynamic; must be 0")
                   : SCREE_OK;
    body_load load = bodies->loads[slot];
    load.force = glms_vec3_add(constant.force, glms_vec3_sub(load.force, before.force));
    load.torque = glms_vec3_add(constant.torque, glms_vec3_sub(load.torque, before.torque));
    TRY(check_motion(world, bodies->poses[slot], bodies->velocities[slot], bodies->masses[slot], load));
    bodies->loads[slot] = load;
    bodies->constant_loads[slot] = constant;
    return SCREE_OK;
}

static scree_result add_load(const char *call, scree_world *world, scree_body_id body, scree_vec3 force,
                             const scree_vec3 *point, scree_vec3 torque) {
    int slot = 0;
    TRY(find(call, world, body, &slot));
    body_array *bodies = &world->state.bodies;
    const push by = push_of(world, slot, force, point, torque);
    if (point && !vec3_finite(vec3_in(*point)))
        return fail(SCREE_ERROR_ARGUMENT, "point: must be finite, in m");
    if (!vec3_finite(by.linear) || !vec3_finite(by.angular))
        return fail(SCREE_ERROR_ARGUMENT, "force or torque: must be finite");
    if (!body_is_dynamic(bodies, slot)) return SCREE_OK;
    body_load load = bodies->loads[slot];
    load.force = glms_vec3_add(load.force, by.linear);
    load.torque = glms_vec3_add(load.torque, by.angular);
    TRY(check_motion(world, bodies->poses[slot], bodies->velocities[slot], bodies->masses[slot], load));
    bodies->loads[slot] = load;
    return SCREE_OK;
}

static scree_result add_impulse(const char *call, scree_world *world, scree_body_id body, scree_vec3 impulse,
                                const scree_vec3 *point, scree_vec3 angular) {
    int slot = 0;
    TRY(find(call, world, body, &slot));
    body_array *bodies = &world->state.bodies;
    const push by = push_of(world, slot, impulse, point, angular);
    if (point && !vec3_finite(vec3_in(*point)))
        return fail(SCREE_ERROR_ARGUMENT, "point: must be finite, in m");
    if (!vec3_finite(by.linear) || !vec3_finite(by.angular))
        return fail(SCREE_ERROR_ARGUMENT, "impulse: must be finite");
    if (!body_is_dynamic(bodies, slot)) return SCREE_OK;
    const body_pose pose = bodies->poses[slot];
    const body_mass mass = bodies->masses[slot];
    const body_velocity velocity =
        velocity_after(bodies->velocities[slot], mobility_of(pose, mass), by.linear, by.angular);
    TRY(check_motion(world, pose, velocity, mass, bodies->loads[slot]));
    bodies->velocities[slot] = velocity;
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

static scree_result check_count(int count) {
    if (count >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "count: %d; must be >= 0", count);
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
    }
    for (int i = 0; i < count; i++) {
        if (find(__func__, world, bodies[i], &slot) != SCREE_OK)
            return fail_prefix(SCREE_ERROR_HANDLE, "bodies[%d]", i);
        if (check_new_state(world, slot, &states[i]) != SCREE_OK)
            return fail_prefix(SCREE_ERROR_ARGUMENT, "states[%d]", i);
    }
    for (int i = 0; i < count; i++)
        write_state(&world->state.bodies, body_slot(&world->state.bodies, bodies[i]), &states[i]);
    return SCREE_OK;
}
