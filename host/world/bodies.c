#include "bodies.h"

#include "../base/memory.h"
#include "../base/vector.h"
#include "block.h"
#include "motion.h"
#include "shapes.h"
#include "world.h"

_Static_assert((int)SCREE_LOCK_X == LOCK_X && (int)SCREE_LOCK_ROTATION_Z == LOCK_ROTATION_Z,
               "one set of lock bits");

scree_body_def scree_default_body_def(void) {
    return (scree_body_def){.type = SCREE_BODY_DYNAMIC,
                            .shape = scree_sphere(0.5f),
                            .state = {.rotation = {0, 0, 0, 1}},
                            .gravity_scale = 1};
}

int body_slot(const body_array *bodies, scree_body_id id) {
    if (id.index == 0 || id.index > (uint32_t)bodies->count) return -1;
    const int slot = (int)id.index - 1;
    return bodies->types[slot] != SLOT_FREE && bodies->generations[slot] == id.generation ? slot : -1;
}

scree_body_id body_id_of(const body_array *bodies, int slot) {
    return (scree_body_id){(uint32_t)slot + 1, bodies->generations[slot]};
}

/* The arrays grow one by one; `capacity` only says what all of them have, so a failure half way leaves a
 * valid array. */
scree_result bodies_reserve(body_array *bodies, int needed) {
    if (needed <= bodies->capacity) return SCREE_OK;
    int target = bodies->capacity + bodies->capacity / 2;
    if (target < needed) target = needed;
    if (target < 64) target = 64;
#define GROW(array)                                                                                          \
    do {                                                                                                     \
        int capacity = bodies->array ? bodies->capacity : 0;                                                 \
        TRY(memory_reserve((void **)&bodies->array, &capacity, sizeof *bodies->array, (size_t)target,        \
                           NULL));                                                                           \
    } while (0)
    GROW(poses);
    GROW(velocities);
    GROW(masses);
    GROW(loads);
    GROW(shapes);
    GROW(materials);
    GROW(types);
    GROW(generations);
    GROW(next_free);
#undef GROW
    bodies->capacity = target;
    return SCREE_OK;
}

void bodies_release(body_array *bodies) {
    memory_release(bodies->poses);
    memory_release(bodies->velocities);
    memory_release(bodies->masses);
    memory_release(bodies->loads);
    memory_release(bodies->shapes);
    memory_release(bodies->materials);
    memory_release(bodies->types);
    memory_release(bodies->generations);
    memory_release(bodies->next_free);
    *bodies = (body_array){.free_head = -1};
}

static bool finite3(scree_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

static scree_result check_state(const scree_body_state *state) {
    if (!finite3(state->position))
        return fail(SCREE_ERROR_ARGUMENT, "state.position is not finite, expected metres");
    if (!finite3(state->linear_velocity))
        return fail(SCREE_ERROR_ARGUMENT, "state.linear_velocity is not finite, expected m/s");
    if (!finite3(state->angular_velocity))
        return fail(SCREE_ERROR_ARGUMENT, "state.angular_velocity is not finite, expected rad/s");
    const scree_quat q = state->rotation;
    const float norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    if (!(fabsf(norm2 - 1) < 1e-3f))
        return fail(SCREE_ERROR_ARGUMENT, "state.rotation has norm %g, expected a unit quaternion",
                    (double)sqrtf(norm2));
    return SCREE_OK;
}

static scree_result check_def(const scree_body_def *def) {
    if ((unsigned)def->type > SCREE_BODY_DYNAMIC)
        return fail(SCREE_ERROR_ARGUMENT, "type is %d, expected 0 to %d", (int)def->type, SCREE_BODY_DYNAMIC);
    TRY(scree_validate_shape(def->shape));
    TRY(check_state(&def->state));
    if (def->type == SCREE_BODY_DYNAMIC && !shape_movable(def->shape))
        return fail(SCREE_ERROR_ARGUMENT, "a %s cannot be dynamic, expected a static or kinematic body",
                    scree_shape_kind_name(def->shape.kind));
    if (!(def->mass >= 0) || !isfinite(def->mass))
        return fail(SCREE_ERROR_ARGUMENT, "mass is %g, expected kg above 0, or 0 for that of the shape",
                    (double)def->mass);
    const scree_vec3 i = def->inertia;
    const bool given = i.x != 0 || i.y != 0 || i.z != 0;
    if (!finite3(i) || (given && !(i.x > 0 && i.y > 0 && i.z > 0)))
        return fail(SCREE_ERROR_ARGUMENT,
                    "inertia is (%g, %g, %g), expected three moments above 0 kg m², or all 0", (double)i.x,
                    (double)i.y, (double)i.z);
    if (!isfinite(def->gravity_scale)) return fail(SCREE_ERROR_ARGUMENT, "gravity_scale is not finite");
    if (def->locks > 63)
        return fail(SCREE_ERROR_ARGUMENT, "locks is %u, expected scree_lock bits", def->locks);
    return SCREE_OK;
}

/* Mass properties of a dynamic body; all zero for the others, which nothing moves. */
static scree_result mass_of(const scree_body_def *def, float density, body_mass *out) {
    *out = (body_mass){.gravity_scale = def->gravity_scale, .locks = (int)def->locks};
    if (def->type != SCREE_BODY_DYNAMIC) return SCREE_OK;
    out->mass = def->mass > 0 ? def->mass : (float)(scree_shape_volume(def->shape) * (double)density);
    out->inertia = def->inertia.x > 0 ? vec3_in(def->inertia)
                                      : glms_vec3_scale(shape_unit_inertia(def->shape), out->mass);
    if (!(out->mass > 0) || !isfinite(out->mass) || !(out->inertia.x > 0) || !(out->inertia.y > 0) ||
        !(out->inertia.z > 0) || !vec3_finite(out->inertia) || !isfinite(1 / out->inertia.x) ||
        !isfinite(1 / out->inertia.y) || !isfinite(1 / out->inertia.z))
        return fail(
            SCREE_ERROR_ARGUMENT,
            "mass %g kg and inertia (%g, %g, %g) kg m² of this %s are outside single precision, expected a "
            "larger or smaller shape or density",
            (double)out->mass, (double)out->inertia.x, (double)out->inertia.y, (double)out->inertia.z,
            scree_shape_kind_name(def->shape.kind));
    return SCREE_OK;
}

static slot_type slot_type_of(scree_body_type type) {
    return type == SCREE_BODY_STATIC      ? SLOT_STATIC
           : type == SCREE_BODY_KINEMATIC ? SLOT_KINEMATIC
                                          : SLOT_DYNAMIC;
}

static void write_state(body_array *bodies, int slot, const scree_body_state *state) {
    bodies->poses[slot] = (body_pose){.position = vec3_in(state->position),
                                      .rotation = rotation_normalised(quat_in(state->rotation))};
    body_velocity velocity = {.linear = vec3_in(state->linear_velocity),
                              .angular = vec3_in(state->angular_velocity)};
    if (bodies->types[slot] == SLOT_STATIC) velocity = (body_velocity){0};
    bodies->velocities[slot] = velocity;
}

/* Fills a slot; everything that can fail has been checked. */
static void write_body(body_array *bodies, int slot, const scree_body_def *def, body_mass mass,
                       int material) {
    bodies->types[slot] = (uint8_t)slot_type_of(def->type);
    bodies->shapes[slot] = def->shape;
    bodies->masses[slot] = mass;
    bodies->materials[slot] = material;
    bodies->loads[slot] = (body_load){0};
    write_state(bodies, slot, &def->state);
    bodies->living++;
    bodies->dynamic += def->type == SCREE_BODY_DYNAMIC;
}

scree_result scree_body_create(scree_world *world, const scree_body_def *def, scree_body_id *out) {
    body_array *bodies = &world->bodies;
    body_mass mass;
    int material;
    TRY(check_def(def));
    TRY(material_index(&world->materials, def->material, &material));
    TRY(mass_of(def, world->materials.materials[material].density, &mass));
    if (world->def.maximum_bodies && bodies->living >= world->def.maximum_bodies)
        return fail(SCREE_ERROR_CAPACITY, "the world has its maximum of %d bodies (maximum_bodies)",
                    bodies->living);
    int slot = bodies->free_head;
    if (slot >= 0) {
        bodies->free_head = bodies->next_free[slot];
    } else {
        TRY(bodies_reserve(bodies, bodies->count + 1));
        slot = bodies->count++;
        bodies->generations[slot] = 1;
    }
    write_body(bodies, slot, def, mass, material);
    if (out) *out = body_id_of(bodies, slot);
    return SCREE_OK;
}

static scree_result find(const scree_world *world, scree_body_id body, int *slot) {
    *slot = body_slot(&world->bodies, body);
    if (*slot < 0)
        return fail(SCREE_ERROR_HANDLE, "body {%u, %u} is not alive in this world", body.index,
                    body.generation);
    return SCREE_OK;
}

scree_result scree_body_destroy(scree_world *world, scree_body_id body) {
    body_array *bodies = &world->bodies;
    int slot;
    TRY(find(world, body, &slot));
    contacts_forget(&world->contacts, slot);
    bodies->living--;
    bodies->dynamic -= bodies->types[slot] == SLOT_DYNAMIC;
    bodies->types[slot] = SLOT_FREE;
    bodies->generations[slot]++;
    bodies->masses[slot] = (body_mass){0};
    bodies->velocities[slot] = (body_velocity){0};
    bodies->loads[slot] = (body_load){0};
    bodies->poses[slot] = (body_pose){.rotation = versor_of(0, 0, 0, 1)};
    bodies->next_free[slot] = bodies->free_head;
    bodies->free_head = slot;
    return SCREE_OK;
}

bool scree_body_is_valid(const scree_world *world, scree_body_id body) {
    return body_slot(&world->bodies, body) >= 0;
}

static void read_state(const body_array *bodies, int slot, scree_body_state *out) {
    out->position = vec3_out(bodies->poses[slot].position);
    out->rotation = quat_out(bodies->poses[slot].rotation);
    out->linear_velocity = vec3_out(bodies->velocities[slot].linear);
    out->angular_velocity = vec3_out(bodies->velocities[slot].angular);
}

scree_body_type body_type_of(const body_array *bodies, int slot) {
    return bodies->types[slot] == SLOT_STATIC      ? SCREE_BODY_STATIC
           : bodies->types[slot] == SLOT_KINEMATIC ? SCREE_BODY_KINEMATIC
                                                   : SCREE_BODY_DYNAMIC;
}

scree_result scree_body_read(const scree_world *world, scree_body_id body, scree_body_def *out) {
    const body_array *bodies = &world->bodies;
    int slot;
    TRY(find(world, body, &slot));
    const body_mass *mass = &bodies->masses[slot];
    *out = (scree_body_def){.type = body_type_of(bodies, slot),
                            .shape = bodies->shapes[slot],
                            .material = {(uint32_t)bodies->materials[slot] + 1, 1},
                            .mass = mass->mass,
                            .inertia = vec3_out(mass->inertia),
                            .gravity_scale = mass->gravity_scale,
                            .locks = (uint32_t)mass->locks};
    read_state(bodies, slot, &out->state);
    return SCREE_OK;
}

scree_result scree_body_change(scree_world *world, scree_body_id body, const scree_body_def *def) {
    body_array *bodies = &world->bodies;
    body_mass mass;
    int slot, material;
    TRY(find(world, body, &slot));
    TRY(check_def(def));
    TRY(material_index(&world->materials, def->material, &material));
    TRY(mass_of(def, world->materials.materials[material].density, &mass));
    contacts_forget(&world->contacts, slot);
    bodies->living--;
    bodies->dynamic -= bodies->types[slot] == SLOT_DYNAMIC;
    write_body(bodies, slot, def, mass, material);
    return SCREE_OK;
}

scree_result scree_body_state_read(const scree_world *world, scree_body_id body, scree_body_state *out) {
    int slot;
    TRY(find(world, body, &slot));
    read_state(&world->bodies, slot, out);
    return SCREE_OK;
}

scree_result scree_body_state_set(scree_world *world, scree_body_id body, const scree_body_state *state) {
    int slot;
    TRY(find(world, body, &slot));
    TRY(check_state(state));
    write_state(&world->bodies, slot, state);
    return SCREE_OK;
}

static scree_result add_load(scree_world *world, int slot, vec3s force, vec3s torque) {
    if (!vec3_finite(force) || !vec3_finite(torque))
        return fail(SCREE_ERROR_ARGUMENT, "force or torque is not finite");
    if (!body_is_dynamic(&world->bodies, slot)) return SCREE_OK;
    body_load *load = &world->bodies.loads[slot];
    load->force = glms_vec3_add(load->force, force);
    load->torque = glms_vec3_add(load->torque, torque);
    return SCREE_OK;
}

/* About the centre of mass, what acts at a point has the moment (x − c) × f. */
static vec3s moment_of(const scree_world *world, int slot, scree_vec3 f, scree_vec3 point) {
    return glms_vec3_cross(glms_vec3_sub(vec3_in(point), world->bodies.poses[slot].position), vec3_in(f));
}

scree_result scree_body_push(scree_world *world, scree_body_id body, scree_vec3 force, scree_vec3 point) {
    int slot;
    TRY(find(world, body, &slot));
    return add_load(world, slot, vec3_in(force), moment_of(world, slot, force, point));
}

scree_result scree_body_load(scree_world *world, scree_body_id body, scree_vec3 force, scree_vec3 torque) {
    int slot;
    TRY(find(world, body, &slot));
    return add_load(world, slot, vec3_in(force), vec3_in(torque));
}

static scree_result add_impulse(scree_world *world, int slot, vec3s p, vec3s l) {
    body_array *bodies = &world->bodies;
    if (!vec3_finite(p) || !vec3_finite(l)) return fail(SCREE_ERROR_ARGUMENT, "impulse is not finite");
    const body_mobility mobility = mobility_of(bodies->poses[slot], bodies->masses[slot]);
    bodies->velocities[slot] = velocity_after(bodies->velocities[slot], mobility, p, l);
    return SCREE_OK;
}

scree_result scree_body_strike(scree_world *world, scree_body_id body, scree_vec3 impulse, scree_vec3 point) {
    int slot;
    TRY(find(world, body, &slot));
    return add_impulse(world, slot, vec3_in(impulse), moment_of(world, slot, impulse, point));
}

scree_result scree_body_kick(scree_world *world, scree_body_id body, scree_vec3 impulse,
                             scree_vec3 angular_impulse) {
    int slot;
    TRY(find(world, body, &slot));
    return add_impulse(world, slot, vec3_in(impulse), vec3_in(angular_impulse));
}

int scree_body_count(const scree_world *world) { return world->bodies.living; }

int scree_body_list(const scree_world *world, scree_body_id *out, int capacity) {
    int count = 0;
    for (int slot = 0; slot < world->bodies.count; slot++) {
        if (world->bodies.types[slot] == SLOT_FREE) continue;
        if (count < capacity) out[count] = body_id_of(&world->bodies, slot);
        count++;
    }
    return count;
}

scree_result scree_body_states(const scree_world *world, const scree_body_id *bodies, int count,
                               scree_body_state *out) {
    int slot;
    for (int i = 0; i < count; i++) TRY(find(world, bodies[i], &slot));
    for (int i = 0; i < count; i++) read_state(&world->bodies, body_slot(&world->bodies, bodies[i]), &out[i]);
    return SCREE_OK;
}
