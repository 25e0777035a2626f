#include "body_slots.h"

#include "base/vector.h"
#include "periodic_wrap.h"
#include "state/body_definition.h"

motion_parameters world_motion(const scree_world *world) {
    return (motion_parameters){vec3_in(world->state.gravity), (scalar)world->model.def.time_step};
}

scree_result body_prepare(const scree_world *world, const scree_body_def *def, new_body *out) {
    TRY(body_check_def(def));
    TRY(periodic_check_body(&world->state.bodies.period, def->type, def->locks, def->shape,
                            body_pose_in(&def->state)));
    TRY(periodic_check_turn(&world->state.bodies.period, def->type, def->shape, body_pose_in(&def->state),
                            vec3_in(def->state.angular_velocity)));
    TRY(material_index(&world->model.materials, def->material, &out->material));
    TRY(body_mass_of(def, world->model.materials.materials[out->material].density, &out->mass));
    out->load = (body_load){.force = vec3_in(def->force), .torque = vec3_in(def->torque)};
    return body_check_motion(world_motion(world), body_pose_in(&def->state), body_velocity_in(&def->state),
                             out->mass, out->load);
}

scree_result body_check(const scree_world *world, const scree_body_def *def) {
    new_body made;
    return body_prepare(world, def, &made);
}

static slot_type slot_type_of(scree_body_type type) {
    return type == SCREE_BODY_STATIC      ? SLOT_STATIC
           : type == SCREE_BODY_KINEMATIC ? SLOT_KINEMATIC
                                          : SLOT_DYNAMIC;
}

void body_write_state(body_array *bodies, int slot, const scree_body_state *state) {
    bodies->changes++;
    bodies->written++;
    bodies->poses[slot] = body_pose_in(state);
    bodies->remainders[slot] = (body_remainder){0};
    bodies->velocities[slot] =
        bodies->types[slot] == SLOT_STATIC ? (body_velocity){0} : body_velocity_in(state);
    periodic_place(bodies, slot);
}

void body_write(body_array *bodies, int slot, const scree_body_def *def, const new_body *made) {
    bodies->types[slot] = (uint8_t)slot_type_of(def->type);
    bodies->shapes[slot] = def->shape;
    bodies->masses[slot] = made->mass;
    bodies->materials[slot] = made->material;
    body_load_set(&bodies->loads[slot], made->load);
    body_load_set(&bodies->constant_loads[slot], made->load);
    bodies->loaded++;
    body_settings_set(bodies, slot,
                      (body_settings){.inertia = def->inertia,
                                      .mass = def->mass,
                                      .surface_velocity = def->surface_velocity,
                                      .groups = def->groups,
                                      .mask = def->mask,
                                      .user_data = def->user_data});
    body_write_state(bodies, slot, &def->state);
    if (def->type == SCREE_BODY_KINEMATIC) bodies->earlier[slot] = bodies->velocities[slot];
    bodies->living++;
    bodies->dynamic += def->type == SCREE_BODY_DYNAMIC;
}

scree_result body_add(scree_world *world, const scree_body_def *def, int *out) {
    body_array *bodies = &world->state.bodies;
    const int most = world->model.def.maximum_bodies;
    new_body made;
    TRY(body_prepare(world, def, &made));
    if (most && bodies->living >= most)
        return fail(SCREE_ERROR_CAPACITY, "bodies: %d; must be below maximum_bodies, %d", bodies->living,
                    most);
    TRY(bodies_bring(bodies));
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
    body_write(bodies, slot, def, &made);
    *out = slot;
    return SCREE_OK;
}

void body_leave_kinematic_group(scree_world *world, int slot) {
    if (!world->state.bodies.group_numbers[slot]) return;
    body_release_motion(&world->state.bodies, slot);
    world->model.kinematic_groups.needs_compaction = true;
}

void body_release_motion(body_array *bodies, int slot) {
    bodies->group_numbers[slot] = 0;
    bodies->velocities[slot] = (body_velocity){0};
    bodies->written++;
}

void body_remove(scree_world *world, int slot) {
    body_array *bodies = &world->state.bodies;
    joints_remove_of(&world->state.joints, slot);
    body_leave_kinematic_group(world, slot);
    body_mark_gone(bodies, slot);
    bodies->living--;
    bodies->dynamic -= bodies->types[slot] == SLOT_DYNAMIC;
    bodies->types[slot] = SLOT_FREE;
    bodies->changes++;
    bodies->written++;
    bodies->loaded++;
    bodies->definitions++;
    bodies->generations[slot]++;
    bodies->masses[slot] = (body_mass){0};
    bodies->velocities[slot] = bodies->earlier[slot] = (body_velocity){0};
    bodies->loads[slot] = bodies->constant_loads[slot] = (body_load){0};
    bodies->settings[slot] = (body_settings){0};
    bodies->poses[slot] = (body_pose){.rotation = versor_of(0, 0, 0, 1)};
    bodies->remainders[slot] = (body_remainder){0};
    bodies->next_free[slot] = bodies->free_head;
    bodies->free_head = slot;
}
