#include "checkpoint_solver.h"

#include "checkpoint_kinematic_groups.h"
#include "checkpoint_flows.h"
#include "checkpoint_measurements.h"
#include "base/memory.h"
#include "base/vector.h"
#include "detect/shape.h"
#include "step/periodic_wrap.h"
#include "step/joint.h"

#include <string.h>

scree_result checkpoint_state_reserve(checkpoint_state *self) {
    self->note = memory_allocate((size_t)self->note_length + 1, 1);
    self->materials = memory_allocate((size_t)self->material_count, sizeof *self->materials);
    self->material_pairs = memory_allocate((size_t)self->material_pair_count, sizeof *self->material_pairs);
    self->slots = memory_allocate((size_t)self->slot_count, sizeof *self->slots);
    self->pairs = memory_allocate((size_t)self->pair_count, sizeof *self->pairs);
    self->points = memory_allocate((size_t)self->point_count, sizeof *self->points);
    self->joints = memory_allocate((size_t)self->joint_count, sizeof *self->joints);
    self->axes = memory_allocate((size_t)self->axis_count, sizeof *self->axes);
    self->kinematic_groups =
        memory_allocate((size_t)self->kinematic_group_count, sizeof *self->kinematic_groups);
    self->carried = memory_allocate((size_t)self->carried_count, sizeof *self->carried);
    self->motions = memory_allocate((size_t)self->motion_count, sizeof *self->motions);
    self->keys = memory_allocate((size_t)self->key_count, sizeof *self->keys);
    self->gravity = memory_allocate((size_t)self->gravity_count, sizeof *self->gravity);
    self->flows = memory_allocate((size_t)self->flow_count, sizeof *self->flows);
    self->sizes = memory_allocate((size_t)self->size_count, sizeof *self->sizes);
    self->measurements = memory_allocate((size_t)self->measurement_count, sizeof *self->measurements);
    self->measurement_bodies =
        memory_allocate((size_t)self->measurement_body_count, sizeof *self->measurement_bodies);
    self->measurement_values =
        memory_allocate((size_t)self->measurement_value_count, sizeof *self->measurement_values);
    if (self->note && self->materials && self->material_pairs && self->slots && self->pairs && self->points &&
        self->joints && self->axes && self->kinematic_groups && self->carried && self->motions &&
        self->keys && self->gravity && self->flows && self->sizes && self->measurements &&
        self->measurement_bodies && self->measurement_values)
        return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY, "out of memory for a checkpoint of %d bodies and %d contacts",
                self->slot_count, self->point_count);
}

void checkpoint_state_release(checkpoint_state *self) {
    memory_release(self->note);
    memory_release(self->materials);
    memory_release(self->material_pairs);
    memory_release(self->slots);
    memory_release(self->pairs);
    memory_release(self->points);
    memory_release(self->joints);
    memory_release(self->axes);
    memory_release(self->kinematic_groups);
    memory_release(self->carried);
    memory_release(self->motions);
    memory_release(self->keys);
    memory_release(self->gravity);
    memory_release(self->flows);
    memory_release(self->sizes);
    memory_release(self->measurements);
    memory_release(self->measurement_bodies);
    memory_release(self->measurement_values);
    geometry_list_release(&self->geometries);
    *self = (checkpoint_state){0};
}

static slot_row slot_to_row(const body_array *bodies, int slot) {
    return (slot_row){bodies->poses[slot],
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

void checkpoint_make_slots(void *context, size_t first, size_t count, void *rows) {
    const scree_world *world = context;
    slot_row *out = rows;
    for (size_t i = 0; i < count; ++i) out[i] = slot_to_row(&world->bodies, (int)(first + i));
}

void checkpoint_make_pairs(void *context, size_t first, size_t count, void *rows) {
    const contact_set *contacts = context;
    pair_row *out = rows;
    for (size_t i = first; i < first + count; ++i) {
        const contact_pair *pair = &contacts->pairs[i];
        const contact_manifold *shape = &pair->manifold;
        *out++ = (pair_row){shape->a,    shape->b,     shape->count,    contacts->colours[i], pair->hits,
                            shape->part, shape->image, pair->predicted, shape->normal};
    }
}

void checkpoint_make_points(void *context, size_t first, size_t count, void *rows) {
    checkpoint_points *self = context;
    const contact_set *contacts = self->contacts;
    point_row *out = rows;
    (void)first;
    for (size_t i = 0; i < count; ++self->point) {
        const contact_pair *pair = &contacts->pairs[self->pair];
        const int k = self->point;
        if (k == pair->manifold.count) {
            ++self->pair, self->point = -1;
            continue;
        }
        const contact_action at = contact_actions(contacts, pair)[k];
        const manifold_point place = contact_places(contacts, pair)[k];
        const scalar pull = contacts->cohesive ? contacts->cohesive_impulses[self->pair].of_point[k] : 0;
        out[i++] = (point_row){
            place.position, place.gap, place.feature, at.impulse,   contact_torque(contacts, pair, k),
            pull,           at.push,   at.bias,       at.compliance};
    }
}

static void rows_to_contacts(const pair_row *pairs, const point_row *points, contact_set *contacts) {
    contacts->action_count = 0;
    for (int i = 0; i < contacts->count; ++i) {
        const pair_row *row = &pairs[i];
        contact_pair pair = {.manifold = {.a = row->a,
                                          .b = row->b,
                                          .count = row->count,
                                          .part = row->part,
                                          .image = row->image,
                                          .normal = row->normal},
                             .last_colour = -1,
                             .hits = (signed char)row->hits,
                             .predicted = row->predicted != 0};
        pair_cohesion cohesive_impulses = {{0}};
        contact_action *at = contacts->actions + contacts->action_count;
        pair.first = contacts->action_count, contacts->action_count += row->count;
        for (int k = 0; k < row->count; ++k, ++points) {
            contact_places(contacts, &pair)[k] =
                (manifold_point){points->position, points->gap, points->feature};
            at[k] = (contact_action){points->impulse, points->push, points->bias, points->compliance};
            contacts->torques[pair.first + k] = points->torque;
            contacts->turned |= !memory_is_zero(&points->torque, sizeof points->torque);
            cohesive_impulses.of_point[k] = points->pull;
            contacts->cohesive |= points->pull > 0;
        }
        contacts->pairs[i] = pair;
        contacts->colours[i] = (signed char)row->colour;
        contacts->cohesive_impulses[i] = cohesive_impulses;
    }
}

static void joints_to_rows(const joint_array *joints, joint_row *rows, scree_joint_axis *axes) {
    for (int i = 0; i < joints->count; ++i) {
        rows[i] = (joint_row){.def = joints->defs[i],
                              .state = joints->states[i],
                              .generation = joints->generations[i],
                              .free_rank = -1,
                              .collide = joints->defs[i].collide,
                              .broken = joints->states[i].broken};
        memcpy(axes + SCREE_AXIS_COUNT * i, joints->defs[i].axes, sizeof joints->defs[i].axes);
    }
    for (int i = 0; i < joints->free_count; ++i) rows[joints->free_places[i]].free_rank = i;
}

/* Sets an id's world number to that of the new world. */
static scree_body_id body_in(scree_body_id id, uint32_t world) {
    id.world = id.index ? world : 0;
    return id;
}

static void rows_to_joints(const checkpoint_state *self, joint_array *joints) {
    joints->count = self->joint_count;
    joints->changed = true;
    for (int i = 0; i < joints->count; ++i) {
        const joint_row *row = &self->joints[i];
        scree_joint_def *def = &joints->defs[i];
        *def = row->def;
        def->a = body_in(row->def.a, joints->world), def->b = body_in(row->def.b, joints->world);
        def->collide = row->collide;
        memcpy(def->axes, self->axes + SCREE_AXIS_COUNT * i, sizeof def->axes);
        joints->states[i] = row->state;
        joints->states[i].broken = row->broken;
        joints->generations[i] = row->generation;
        joints->living += joint_is_alive(joints, i);
        if (row->free_rank >= 0) joints->free_places[row->free_rank] = i, joints->free_count++;
    }
}

scree_result checkpoint_state_take(const scree_world *world, checkpoint_state *out) {
    const material_table *materials = &world->materials;
    const kinematic_group_array *kinematic_groups = world_kinematic_groups(world);
    *out = (checkpoint_state){
        .world = {world->def, checkpoint_take_stabilisation(&world->def.solver), world->steps,
                  world->steps_before, world->time_before, world->gravity.begin, world->bodies.free_head,
                  world->feasible.memory, world->feasible.memory.proven},
        .note_length = (int)strlen(scree_world_get_note(world)),
        .material_count = materials->count,
        .material_pair_count = materials->pair_count,
        .joint_count = world->joints.count,
        .axis_count = SCREE_AXIS_COUNT * world->joints.count,
        .gravity_count = world->gravity.count,
    };
    checkpoint_count_kinematic_groups(kinematic_groups, out);
    checkpoint_count_flows(&world->flows, out);
    checkpoint_count_measurements(measurements_of(world), out);
    TRY(checkpoint_state_reserve(out));
    for (int i = 0; i < world->bodies.geometries.count; ++i)
        TRY(geometry_list_keep(&out->geometries, world->bodies.geometries.items[i]));
    memcpy(out->note, scree_world_get_note(world), (size_t)out->note_length);
    for (int i = 0; i < materials->count; ++i)
        out->materials[i] = (material_row){materials->materials[i], materials->generations[i]};
    for (int i = 0; i < materials->pair_count; ++i) out->material_pairs[i] = materials->pairs[i];
    joints_to_rows(&world->joints, out->joints, out->axes);
    checkpoint_take_kinematic_groups(kinematic_groups, out);
    checkpoint_take_flows(&world->flows, &world->bodies.geometries, out);
    checkpoint_take_measurements(measurements_of(world), out);
    for (int i = 0; i < world->gravity.count; ++i) out->gravity[i] = world->gravity.keys[i];
    return SCREE_OK;
}

#define REFUSE(condition, ...)                                                                               \
    do {                                                                                                     \
        if (condition) return fail(SCREE_ERROR_FORMAT, __VA_ARGS__);                                         \
    } while (0)

/* Turns the ARGUMENT of an API check into FORMAT. */
static scree_result refused(scree_result result, const char *what, int i) {
    if (result == SCREE_OK || result == SCREE_ERROR_MEMORY) return result;
    return fail_prefix(SCREE_ERROR_FORMAT, "%s %d", what, i);
}

/* Checks joints against their bodies. */
static scree_result validate_joints_of(const scree_world *world) {
    const joint_array *joints = &world->joints;
    for (int i = 0; i < joints->count; ++i)
        if (joint_is_alive(joints, i))
            TRY(refused(joint_validate(&world->bodies, &joints->defs[i]), "joint", i));
    return SCREE_OK;
}

static scree_result fill(const checkpoint_state *self, scree_world *world) {
    material_table *materials = &world->materials;
    TRY(MEMORY_RESERVE(materials->materials, materials->capacity, self->material_count, NULL));
    TRY(MEMORY_RESERVE(materials->generations, materials->generation_capacity, self->material_count, NULL));
    TRY(MEMORY_RESERVE(materials->pairs, materials->pair_capacity, self->material_pair_count, NULL));
    TRY(bodies_reserve(&world->bodies, self->slot_count));
    contact_set *contacts = &world->contacts;
    TRY(MEMORY_RESERVE(contacts->pairs, contacts->capacity, self->pair_count, NULL));
    TRY(MEMORY_RESERVE(contacts->colours, contacts->colour_capacity, self->pair_count, NULL));
    TRY(MEMORY_RESERVE(contacts->actions, contacts->action_capacity, self->point_count, NULL));
    TRY(MEMORY_RESERVE(contacts->places, contacts->place_capacity, self->point_count, NULL));
    TRY(MEMORY_RESERVE(contacts->torques, contacts->torque_capacity, self->point_count, NULL));
    TRY(MEMORY_RESERVE(contacts->cohesive_impulses, contacts->cohesion_capacity, self->pair_count, NULL));
    materials->count = self->material_count;
    materials->pair_count = self->material_pair_count;
    for (int i = 0; i < materials->count; ++i) {
        materials->materials[i] = self->materials[i].def;
        materials->generations[i] = self->materials[i].generation;
    }
    for (int i = 0; i < materials->pair_count; ++i) materials->pairs[i] = self->material_pairs[i];
    for (int i = 0; i < self->geometries.count; ++i)
        TRY(geometry_list_keep(&world->bodies.geometries, self->geometries.items[i]));
    world->bodies.count = self->slot_count;
    world->bodies.free_head = self->world.free_head;
    for (int i = 0; i < self->slot_count; ++i) {
        row_to_slot(&self->slots[i], &world->bodies, i);
        periodic_mark(&world->bodies, i);
    }
    TRY(refused(periodic_tile(&world->bodies), "slots before", self->slot_count));
    world->contacts.count = self->pair_count;
    world->contacts.points = self->point_count;
    rows_to_contacts(self->pairs, self->points, &world->contacts);
    TRY(joints_reserve(&world->joints, self->joint_count, self->slot_count));
    rows_to_joints(self, &world->joints);
    TRY(validate_joints_of(world));
    joints_list(&world->joints);
    TRY(checkpoint_give_kinematic_groups(self, world));
    TRY(checkpoint_give_flows(self, world));
    TRY(checkpoint_give_measurements(self, world));
    TRY(refused(gravity_set(&world->gravity, self->gravity, self->gravity_count, self->world.gravity_begin),
                "gravity key", 0));
    TRY(scree_world_set_note(world, self->note));
    world->steps = self->world.steps;
    world->steps_before = self->world.steps_before;
    world->time_before = self->world.time_before;
    feasible_memory *feasible = &world->feasible.memory;
    *feasible = self->world.feasible;
    feasible->proven = self->world.feasible_proven;
    for (int i = 0; i < 2; ++i) feasible->bodies[i] = body_in(feasible->bodies[i], world->bodies.world);
    return SCREE_OK;
}

scree_result checkpoint_state_give(const checkpoint_state *self, const scree_world_def *runtime,
                                   scree_world **out) {
    scree_world_def def = self->world.def;
    scree_world *world = NULL;
    checkpoint_give_stabilisation(&self->world.stabilisation, &def.solver);
    def.backend = runtime->backend;
    def.device = runtime->device;
    def.threads = runtime->threads;
    def.profile = runtime->profile;
    TRY(scree_world_create(&def, &world));
    const scree_result result = fill(self, world);
    if (result == SCREE_OK)
        *out = world;
    else
        scree_world_destroy(world);
    return result;
}

static scree_result validate_world(const world_row *row) {
    const scree_world_def *def = &row->def;
    unsigned char warm_start;
    memcpy(&warm_start, &def->solver.warm_start, 1);
    REFUSE(warm_start > 1, "solver.warm_start is %d", (int)warm_start);
    REFUSE(!vec3_finite(vec3_in(def->gravity)), "gravity is not finite");
    REFUSE(!((float)def->time_step > 0) || !isfinite((float)def->time_step), "time_step is %g s",
           def->time_step);
    REFUSE(!(def->speculative_distance >= 0) || !isfinite(def->speculative_distance),
           "speculative_distance is %g m", (double)def->speculative_distance);
    REFUSE(def->maximum_bodies < 0 || def->maximum_contacts < 0,
           "maximum_bodies or maximum_contacts is negative");
    REFUSE(!isfinite(row->gravity_begin), "the start of gravity's schedule is not finite");
    REFUSE(!isfinite(row->time_before) || row->steps_before > row->steps,
           "time_before is not finite, or steps_before exceeds steps");
    REFUSE(row->feasible_proven > 1 || !feasible_is_possible(&row->feasible),
           "the infeasibility record is corrupt");
    TRY(refused(material_validate(&def->material), "default material", 0));
    TRY(refused(periodic_check_period(def->period, def->period_centre), "world", 0));
    scree_solver_def solver = def->solver;
    checkpoint_give_stabilisation(&row->stabilisation, &solver);
    return refused(scree_validate_solver_def(&solver), "solver", 0);
}

static scree_result validate_materials(const checkpoint_state *self) {
    REFUSE(self->material_count < 1, "there is no default material");
    for (int i = 0; i < self->material_count; ++i)
        TRY(refused(material_validate(&self->materials[i].def), "material", i));
    REFUSE(!(self->materials[0].generation & 1), "the default material is destroyed");
    for (int i = 0; i < self->material_pair_count; ++i) {
        const material_pair *pair = &self->material_pairs[i], *before = i ? pair - 1 : NULL;
        REFUSE(pair->a < 0 || pair->b < pair->a || pair->b >= self->material_count,
               "material pair %d is between %d and %d of %d", i, pair->a, pair->b, self->material_count);
        REFUSE(!(self->materials[pair->a].generation & self->materials[pair->b].generation & 1),
               "material pair %d is of a destroyed material", i);
        REFUSE(before && (before->a > pair->a || (before->a == pair->a && before->b > pair->b)),
               "material pair %d is out of order", i);
        TRY(refused(material_pair_validate(&pair->contact), "material pair", i));
    }
    return SCREE_OK;
}

static bool rotation_good(versors q) {
    const scalar norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return norm > 0.9f && norm < 1.1f;
}

static scree_result validate_periodic(const slot_row *row, int i, const checkpoint_state *self) {
    const period cell = period_make(self->world.def.period, self->world.def.period_centre);
    const scree_body_type type = row->type == SLOT_DYNAMIC ? SCREE_BODY_DYNAMIC : SCREE_BODY_STATIC;
    if (row->type == SLOT_KINEMATIC && !shape_is_plane(row->shape))
        return SCREE_OK; /* its rotation may have changed */
    return refused(periodic_check_body(&cell, type, (uint32_t)row->mass.locks, row->shape, row->pose), "body",
                   i);
}

static scree_result validate_slot(const slot_row *row, int i, const checkpoint_state *self) {
    const body_mass *mass = &row->mass;
    const bool dynamic = row->type == SLOT_DYNAMIC;
    REFUSE(row->type > SLOT_DYNAMIC, "body %d has the unknown type %d", i, (int)row->type);
    REFUSE((unsigned)row->shape.kind >= SCREE_SHAPE_COUNT, "body %d has the unknown shape %d", i,
           (int)row->shape.kind);
    REFUSE(row->material < 0 || row->material >= self->material_count, "body %d is of material %d of %d", i,
           row->material, self->material_count);
    REFUSE(row->type != SLOT_FREE && !(self->materials[row->material].generation & 1),
           "body %d is of material %d, which is destroyed", i, row->material);
    REFUSE(row->generation == 0, "body %d has the generation 0", i);
    REFUSE(!vec3_finite(row->pose.position) || !rotation_good(row->pose.rotation),
           "the pose of body %d is not finite, or its rotation is not a unit quaternion", i);
    REFUSE(!vec3_finite(row->velocity.linear) || !vec3_finite(row->velocity.angular),
           "the velocity of body %d is not finite", i);
    REFUSE(!vec3_finite(row->earlier.linear) || !vec3_finite(row->earlier.angular),
           "the earlier velocity of body %d is not finite", i);
    REFUSE(!vec3_finite(row->load.force) || !vec3_finite(row->load.torque),
           "the load of body %d is not finite", i);
    REFUSE(!vec3_finite(row->constant_load.force) || !vec3_finite(row->constant_load.torque),
           "the constant load of body %d is not finite", i);
    REFUSE(!(row->settings.mass >= 0) || !isfinite(row->settings.mass) ||
               !vec3_finite(vec3_in(row->settings.inertia)),
           "the given mass or inertia of body %d is negative or not finite", i);
    REFUSE(!vec3_finite(vec3_in(row->settings.surface_velocity)),
           "the surface velocity of body %d is not finite", i);
    REFUSE(!isfinite(mass->gravity_scale) || mass->locks < 0 || mass->locks > 63,
           "the gravity scale or the locks of body %d are out of range", i);
    if (row->type != SLOT_FREE) TRY(refused(scree_validate_shape(row->shape), "body", i));
    if (row->type != SLOT_FREE) TRY(validate_periodic(row, i, self));
    if (!dynamic) {
        REFUSE(mass->mass != 0 || mass->inertia.x != 0 || mass->inertia.y != 0 || mass->inertia.z != 0,
               "body %d has a mass and is not dynamic", i);
        return SCREE_OK;
    }
    REFUSE(!shape_movable(row->shape), "body %d has a shape that cannot move", i);
    REFUSE(!(mass->mass > 0) || !isfinite(mass->mass) || !vec3_finite(mass->inertia) ||
               !(mass->inertia.x > 0) || !(mass->inertia.y > 0) || !(mass->inertia.z > 0),
           "the mass or inertia of body %d is not positive and finite", i);
    return SCREE_OK;
}

/* The free slots are exactly those of the list that begins at free_head. A list longer than their number
 * has a loop. */
static scree_result validate_free_list(const checkpoint_state *self) {
    int64_t free_slots = 0;
    for (int i = 0; i < self->slot_count; ++i) free_slots += self->slots[i].type == SLOT_FREE;
    for (int slot = self->world.free_head; slot != -1; slot = self->slots[slot].next_free) {
        REFUSE(slot < 0 || slot >= self->slot_count || self->slots[slot].type != SLOT_FREE,
               "the list of free slots leads to %d", slot);
        REFUSE(--free_slots < 0, "the list of free slots has a loop");
    }
    REFUSE(free_slots, "the list of free slots does not contain all of them");
    return SCREE_OK;
}

static bool alive(const checkpoint_state *self, int slot) {
    return slot >= 0 && slot < self->slot_count && self->slots[slot].type != SLOT_FREE;
}

static scree_result validate_contacts(const checkpoint_state *self) {
    const period cell = period_make(self->world.def.period, self->world.def.period_centre);
    int64_t points = 0;
    for (int i = 0; i < self->pair_count; ++i) {
        const pair_row *pair = &self->pairs[i], *before = i ? pair - 1 : NULL;
        REFUSE(pair->a >= pair->b || !alive(self, pair->a) || !alive(self, pair->b),
               "contact pair %d is between slots %d and %d", i, pair->a, pair->b);
        REFUSE(before && (before->a > pair->a || (before->a == pair->a && before->b > pair->b) ||
                          (before->a == pair->a && before->b == pair->b && before->image > pair->image)),
               "contact pair %d is out of order", i);
        REFUSE(pair->count < 1 || pair->count > MANIFOLD_POINTS, "contact pair %d has %d points", i,
               pair->count);
        REFUSE(pair->colour < -1 || pair->colour > PROBLEM_COLOURS, "contact pair %d has the colour %d", i,
               pair->colour);
        REFUSE(pair->image && !(cell.any && period_is_image(&cell, pair->image)),
               "contact pair %d is across image %d", i, pair->image);
        REFUSE(pair->part < 0, "contact pair %d has the child index %d", i, pair->part);
        REFUSE(pair->hits < 0 || pair->hits > pair->count, "contact pair %d has %d hits", i, pair->hits);
        REFUSE(pair->predicted < 0 || pair->predicted > 1, "contact pair %d has the detection flag %d", i,
               pair->predicted);
        REFUSE(!vec3_finite(pair->normal), "the normal of contact pair %d is not finite", i);
        points += pair->count;
    }
    REFUSE(points != self->point_count, "there are %d contact points, %lld expected", self->point_count,
           (long long)points);
    for (int i = 0; i < self->point_count; ++i) {
        const point_row *point = &self->points[i];
        REFUSE(!vec3_finite(point->position) || !isfinite(point->gap) || !vec3_finite(point->impulse) ||
                   !vec3_finite(point->torque) || !isfinite(point->pull) || !isfinite(point->push) ||
                   !isfinite(point->bias) || !isfinite(point->compliance),
               "contact point %d is not finite", i);
    }
    return SCREE_OK;
}

static bool joint_state_finite(const joint_state *state) {
    bool finite = vec3_finite(state->force) && vec3_finite(state->torque);
    for (int k = 0; k < JOINT_BLOCKS; ++k)
        finite = finite && vec3_finite(state->impulses[k]) && vec3_finite(state->pushes[k]);
    for (int k = 0; k < SCREE_AXIS_COUNT; ++k) finite = finite && isfinite(state->position[k]);
    return finite;
}

/* Places in use are alive; each of the others is in the stack of free places once. */
static scree_result validate_joints(const checkpoint_state *self) {
    int places = 0;
    REFUSE(self->axis_count != SCREE_AXIS_COUNT * self->joint_count, "%d joints have %d axes, expected %d",
           self->joint_count, self->axis_count, SCREE_AXIS_COUNT * self->joint_count);
    for (int i = 0; i < self->joint_count; ++i) places += self->joints[i].free_rank >= 0;
    for (int i = 0; i < self->joint_count; ++i) {
        const joint_row *row = &self->joints[i];
        const bool alive_now = row->generation & 1;
        REFUSE(alive_now != (row->free_rank < 0) || row->free_rank >= places,
               "joint %d has the generation %u and the free rank %d", i, row->generation,
               (int)row->free_rank);
        for (int k = 0; k < i && !alive_now; ++k)
            REFUSE(self->joints[k].free_rank == row->free_rank, "joints %d and %d have the same free rank", k,
                   i);
        REFUSE(row->collide > 1 || row->broken > 1 || row->state.colour < -1 ||
                   row->state.colour > PROBLEM_COLOURS || !joint_state_finite(&row->state),
               "the state of joint %d is out of range or not finite", i);
    }
    return SCREE_OK;
}

static scree_result link_shape(const checkpoint_state *self, int32_t geometry, const char *what, int i,
                               scree_shape *shape) {
    REFUSE(geometry < 0 || geometry > self->geometries.count, "%s %d has geometry %d of %d", what, i,
           (int)geometry, self->geometries.count);
    shape->geometry = geometry ? self->geometries.items[geometry - 1] : NULL;
    return SCREE_OK;
}

scree_result checkpoint_state_link(checkpoint_state *self) {
    for (int i = 0; i < self->slot_count; ++i)
        TRY(link_shape(self, self->slots[i].geometry, "body", i, &self->slots[i].shape));
    for (int i = 0; i < self->flow_count; ++i)
        TRY(link_shape(self, self->flows[i].geometry, "flow", i, &self->flows[i].item.inlet.body.shape));
    return SCREE_OK;
}

scree_result checkpoint_state_validate(const checkpoint_state *self) {
    TRY(validate_world(&self->world));
    TRY(validate_materials(self));
    for (int i = 0; i < self->slot_count; ++i) TRY(validate_slot(&self->slots[i], i, self));
    TRY(validate_free_list(self));
    TRY(validate_joints(self));
    return validate_contacts(self);
}
