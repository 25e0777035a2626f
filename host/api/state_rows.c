#include "state_solver.h"

#include "state_kinematic_groups.h"
#include "state_flows.h"
#include "base/memory.h"
#include "base/vector.h"
#include "geometry/shape.h"
#include "step/periodic_wrap.h"
#include "joint_definition.h"

#include <string.h>

int *state_table_count(const state_table *table, state_rows *rows) {
    return (int *)(void *)((char *)rows + table->count);
}

void *state_table_rows(const state_table *table, const state_rows *rows) {
    void *array;
    memcpy(&array, (const char *)rows + table->rows, sizeof array);
    return array;
}

static void set_rows(const state_table *table, state_rows *rows, void *array) {
    memcpy((char *)rows + table->rows, &array, sizeof array);
}

scree_result state_rows_reserve(state_rows *self) {
    bool made = true;
    for (int i = 0; i < STATE_TABLES; i++) {
        const state_table *table = &state_tables[i];
        const size_t count = (size_t)*state_table_count(table, self) + 1; /* one for the note's final zero */
        set_rows(table, self, memory_allocate(count, table->table.row_size));
        made = made && state_table_rows(table, self);
    }
    if (made) return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY, "out of memory for a checkpoint of %d bodies and %d contacts",
                self->slot_count, self->point_count);
}

void state_rows_release(state_rows *self) {
    for (int i = 0; i < STATE_TABLES; i++) memory_release(state_table_rows(&state_tables[i], self));
    geometry_list_release(&self->geometries);
    *self = (state_rows){0};
}

static slot_row slot_to_row(const body_array *bodies, int slot) {
    return (slot_row){bodies->poses[slot],
                      bodies->remainders[slot],
                      bodies->velocities[slot],
                      bodies->earlier[slot],
                      bodies->masses[slot],
                      bodies->loads[slot],
                      bodies->constant_loads[slot],
                      bodies->types[slot] == SLOT_FREE ? (body_settings){0} : body_settings_of(bodies, slot),
                      bodies->shapes[slot],
                      1 + geometry_list_find(&bodies->geometries, bodies->shapes[slot].geometry),
                      bodies->materials[slot],
                      bodies->types[slot],
                      bodies->generations[slot],
                      bodies->types[slot] == SLOT_FREE ? bodies->next_free[slot] : -1,
                      bodies->cells ? bodies->cells[slot] : (body_cells){{0}}};
}

static void row_to_slot(const slot_row *row, body_array *bodies, int slot) {
    bodies->poses[slot] = row->pose;
    bodies->remainders[slot] = row->remainder;
    bodies->velocities[slot] = row->velocity;
    bodies->earlier[slot] = row->earlier;
    bodies->masses[slot] = row->mass;
    bodies->loads[slot] = row->load;
    bodies->constant_loads[slot] = row->constant_load;
    bodies->shapes[slot] = row->shape;
    bodies->materials[slot] = row->material;
    bodies->types[slot] = row->type;
    bodies->generations[slot] = row->generation;
    bodies->next_free[slot] = row->next_free;
    if (bodies->cells) bodies->cells[slot] = row->cells;
    if (row->type != SLOT_FREE) body_settings_set(bodies, slot, row->settings);
    bodies->living += row->type != SLOT_FREE;
    bodies->dynamic += row->type == SLOT_DYNAMIC;
}

void state_make_slots(void *maker, size_t first, size_t count, void *rows) {
    const state_maker *self = maker;
    slot_row *out = rows;
    for (size_t i = 0; i < count; i++) out[i] = slot_to_row(&self->world->state.bodies, (int)(first + i));
}

/* Advances to the next pair that is not gone, from `pair` on. */
static int living_pair(const state_maker *self, int pair) {
    while (contacts_are_gone(&self->world->state.bodies, &self->contacts->pairs[pair])) pair++;
    return pair;
}

void state_make_pairs(void *maker, size_t first, size_t count, void *rows) {
    state_maker *self = maker;
    const contact_set *contacts = self->contacts;
    pair_row *out = rows;
    (void)first;
    for (size_t i = 0; i < count; i++) {
        const int at = living_pair(self, self->pair);
        const contact_pair *pair = &contacts->pairs[at];
        const contact_manifold *shape = &pair->manifold;
        out[i] = (pair_row){shape->a,        shape->b,     shape->count,    contacts->colours[at], pair->hits,
                            shape->children, shape->image, pair->predicted, shape->normal};
        self->pair = at + 1;
    }
}

void state_make_points(void *maker, size_t first, size_t count, void *rows) {
    state_maker *self = maker;
    const contact_set *contacts = self->contacts;
    point_row *out = rows;
    (void)first;
    for (size_t i = 0; i < count;) {
        if (self->point == 0) self->pair = living_pair(self, self->pair);
        const contact_pair *pair = &contacts->pairs[self->pair];
        const int k = self->point;
        if (k == (int)pair->manifold.count) {
            self->pair++;
            self->point = 0;
            continue;
        }
        const contact_action at = contact_actions(contacts, pair)[k];
        const manifold_point place = contact_places(contacts, pair)[k];
        const scalar pull = contacts->cohesive ? contacts->cohesive_impulses[self->pair].of_point[k] : 0;
        out[i++] = (point_row){
            place.position, place.gap, place.feature, at.impulse,   contact_torque(contacts, pair, k),
            pull,           at.push,   at.bias,       at.compliance};
        self->point++;
    }
}

static void rows_to_contacts(const pair_row *pairs, const point_row *points, contact_set *contacts) {
    contacts->action_count = 0;
    for (int i = 0; i < contacts->count; i++) {
        const pair_row *row = &pairs[i];
        contact_pair pair = {.manifold = {.a = row->a,
                                          .b = row->b,
                                          .count = row->count,
                                          .children = row->part,
                                          .image = row->image,
                                          .normal = row->normal},
                             .last_colour = -1,
                             .hits = (signed char)row->hits,
                             .predicted = row->predicted != 0};
        pair_cohesion cohesive_impulses = {{0}};
        contact_action *at = contacts->actions + contacts->action_count;
        pair.first = contacts->action_count;
        contacts->action_count += row->count;
        for (int k = 0; k < row->count; ++k, ++points) {
            contact_places(contacts, &pair)[k] =
                (manifold_point){points->position, points->gap, points->feature};
            at[k] = (contact_action){points->impulse, points->push, points->bias, points->compliance};
            contacts->torques[pair.first + k] = points->torque;
            contacts->has_resistance |= !memory_is_zero(&points->torque, sizeof points->torque);
            cohesive_impulses.of_point[k] = points->pull;
            contacts->cohesive |= points->pull > 0;
        }
        contacts->pairs[i] = pair;
        contacts->colours[i] = (signed char)row->colour;
        contacts->cohesive_impulses[i] = cohesive_impulses;
    }
}

static void joints_to_rows(const joint_array *joints, joint_row *rows, scree_joint_axis *axes) {
    for (int i = 0; i < joints->count; i++) {
        rows[i] = (joint_row){.def = joints->defs[i],
                              .state = joints->states[i],
                              .generation = joints->generations[i],
                              .free_rank = -1,
                              .collide = joints->defs[i].collide,
                              .broken = joints->states[i].broken};
        memcpy(axes + SCREE_AXIS_COUNT * i, joints->defs[i].axes, sizeof joints->defs[i].axes);
    }
    for (int i = 0; i < joints->free_count; i++) rows[joints->free_places[i]].free_rank = i;
}

/* Sets an id's world number to that of the new world. */
static scree_body_id body_in(scree_body_id id, uint32_t world) {
    id.world = id.index ? world : 0;
    return id;
}

static void rows_to_joints(const state_rows *self, joint_array *joints) {
    joints->count = self->joint_count;
    joints->changed = true;
    for (int i = 0; i < joints->count; i++) {
        const joint_row *row = &self->joints[i];
        scree_joint_def *def = &joints->defs[i];
        *def = row->def;
        def->a = body_in(row->def.a, joints->world);
        def->b = body_in(row->def.b, joints->world);
        def->collide = row->collide;
        memcpy(def->axes, self->axes + SCREE_AXIS_COUNT * i, sizeof def->axes);
        joints->states[i] = row->state;
        joints->states[i].broken = row->broken;
        joints->generations[i] = row->generation;
        joints->living += joint_is_alive(joints, i);
        if (row->free_rank >= 0) {
            joints->free_places[row->free_rank] = i;
            joints->free_count++;
        }
    }
}

scree_result state_rows_take(const scree_world *world, state_rows *out) {
    const material_table *materials = &world->model.materials;
    const kinematic_group_array *kinematic_groups = &world->model.kinematic_groups;
    *out = (state_rows){
        .world = {scree_world_get_def(world), state_take_stabilisation(&world->model.def.solver),
                  world->state.steps, world->state.steps_before, world->state.time_before,
                  world->model.gravity.begin, world->state.bodies.free_head},
        .note_length = (int)strlen(scree_world_get_note(world)),
        .material_count = materials->count,
        .material_pair_count = materials->pair_count,
        .joint_count = world->state.joints.count,
        .axis_count = SCREE_AXIS_COUNT * world->state.joints.count,
        .gravity_count = world->model.gravity.count,
    };
    state_count_kinematic_groups(kinematic_groups, world->state.bodies.group_numbers, out);
    state_count_flows(&world->state.flows, out);
    TRY(state_rows_reserve(out));
    out->slot_count = world->state.bodies.count;
    TRY(bodies_bring(&world->state.bodies));
    TRY(contacts_bring(&world->state.contacts));
    out->pair_count = contacts_living(&world->state.contacts, &world->state.bodies, &out->point_count);
    for (int i = 0; i < world->state.bodies.geometries.count; i++)
        TRY(geometry_list_keep(&out->geometries, world->state.bodies.geometries.items[i]));
    memcpy(out->note, scree_world_get_note(world), (size_t)out->note_length);
    for (int i = 0; i < materials->count; i++)
        out->materials[i] = (material_row){materials->materials[i], materials->generations[i]};
    for (int i = 0; i < materials->pair_count; i++) out->material_pairs[i] = materials->pairs[i];
    joints_to_rows(&world->state.joints, out->joints, out->axes);
    state_take_kinematic_groups(kinematic_groups, world->state.bodies.group_numbers, out);
    state_take_flows(&world->state.flows, &world->state.bodies.geometries, out);
    for (int i = 0; i < world->model.gravity.count; i++) out->gravity[i] = world->model.gravity.keys[i];
    return SCREE_OK;
}

scree_result state_rows_make(const scree_world *world, state_rows *self) {
    for (int i = 0; i < STATE_TABLES; i++) {
        const state_table *table = &state_tables[i];
        if (!table->make) continue;
        const size_t count = (size_t)*state_table_count(table, self);
        state_maker maker = {.world = world, .contacts = &world->state.contacts};
        memory_release(state_table_rows(table, self));
        set_rows(table, self, memory_allocate(count, table->table.row_size));
        if (!state_table_rows(table, self))
            return fail(SCREE_ERROR_MEMORY, "out of memory for a snapshot of %d bodies and %d contacts",
                        self->slot_count, self->point_count);
        table->make(&maker, 0, count, state_table_rows(table, self));
    }
    return SCREE_OK;
}

scree_result state_refused(scree_result result, const char *what, int i) {
    if (result == SCREE_OK || result == SCREE_ERROR_MEMORY) return result;
    return fail_prefix(SCREE_ERROR_FORMAT, "%s %d", what, i);
}

/* Checks joints against their bodies. */
static scree_result validate_joints_of(const scree_world *world) {
    const joint_array *joints = &world->state.joints;
    for (int i = 0; i < joints->count; i++)
        if (joint_is_alive(joints, i))
            TRY(state_refused(joint_validate(&world->state.bodies, &joints->defs[i]), "joint", i));
    return SCREE_OK;
}

scree_result state_rows_fill(const state_rows *self, scree_world *world) {
    material_table *materials = &world->model.materials;
    TRY(MEMORY_RESERVE(materials->materials, materials->capacity, self->material_count, NULL));
    TRY(MEMORY_RESERVE(materials->generations, materials->generation_capacity, self->material_count, NULL));
    TRY(MEMORY_RESERVE(materials->pairs, materials->pair_capacity, self->material_pair_count, NULL));
    TRY(bodies_reserve(&world->state.bodies, self->slot_count));
    contact_set *contacts = &world->state.contacts;
    TRY(MEMORY_RESERVE(contacts->pairs, contacts->capacity, self->pair_count, NULL));
    TRY(MEMORY_RESERVE(contacts->colours, contacts->colour_capacity, self->pair_count, NULL));
    TRY(MEMORY_RESERVE(contacts->actions, contacts->action_capacity, self->point_count, NULL));
    TRY(MEMORY_RESERVE(contacts->places, contacts->place_capacity, self->point_count, NULL));
    TRY(MEMORY_RESERVE(contacts->torques, contacts->torque_capacity, self->point_count, NULL));
    TRY(MEMORY_RESERVE(contacts->cohesive_impulses, contacts->cohesion_capacity, self->pair_count, NULL));
    materials->count = self->material_count;
    materials->pair_count = self->material_pair_count;
    for (int i = 0; i < materials->count; i++) {
        materials->materials[i] = self->materials[i].def;
        materials->generations[i] = self->materials[i].generation;
    }
    for (int i = 0; i < materials->pair_count; i++) materials->pairs[i] = self->material_pairs[i];
    for (int i = 0; i < self->geometries.count; i++)
        TRY(geometry_list_keep(&world->state.bodies.geometries, self->geometries.items[i]));
    world->state.bodies.count = self->slot_count;
    world->state.bodies.definitions++;
    world->state.bodies.written++, body_loads_applied(&world->state.bodies);
    world->state.bodies.free_head = self->world.free_head;
    for (int i = 0; i < self->slot_count; i++) {
        row_to_slot(&self->slots[i], &world->state.bodies, i);
        periodic_mark(&world->state.bodies, i);
    }
    TRY(state_refused(periodic_tile(&world->state.bodies), "slots before", self->slot_count));
    world->state.contacts.count = self->pair_count;
    world->state.contacts.points = self->point_count;
    rows_to_contacts(self->pairs, self->points, &world->state.contacts);
    TRY(joints_reserve(&world->state.joints, self->joint_count, self->slot_count));
    rows_to_joints(self, &world->state.joints);
    TRY(validate_joints_of(world));
    joints_list(&world->state.joints);
    TRY(state_give_kinematic_groups(self, world));
    TRY(state_give_flows(self, world));
    TRY(state_refused(
        gravity_set(&world->model.gravity, self->gravity, self->gravity_count, self->world.gravity_begin),
        "gravity key", 0));
    TRY(scree_world_set_note(world, self->note));
    world->state.steps = self->world.steps;
    world->state.steps_before = self->world.steps_before;
    world->state.time_before = self->world.time_before;
    return SCREE_OK;
}

scree_result state_rows_create(const state_rows *self, const scree_world_def *runtime, scree_world **out) {
    scree_world_def def = self->world.def;
    state_give_stabilisation(&self->world.stabilisation, &def.solver);
    def.backend = runtime->backend;
    def.pipeline = runtime->pipeline;
    def.device = runtime->device;
    def.group = runtime->group;
    def.threads = runtime->threads;
    def.profile = runtime->profile;
    return scree_world_create(&def, out);
}

scree_result state_rows_give(const state_rows *self, const scree_world_def *runtime, scree_world **out) {
    scree_world *world = NULL;
    TRY(state_rows_create(self, runtime, &world));
    const scree_result result = state_rows_fill(self, world);
    if (result == SCREE_OK)
        *out = world;
    else
        scree_world_destroy(world);
    return result;
}
