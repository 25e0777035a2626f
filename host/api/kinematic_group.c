/* Public calls on kinematic groups. */
#include "shared.h"
#include "step/body_slots.h"

#include "base/vector.h"
#include "rotation.h"

scree_kinematic_group_def scree_default_kinematic_group_def(void) { return (scree_kinematic_group_def){0}; }

static scree_result find_group(const char *call, const scree_world *world, scree_kinematic_group_id id,
                               int *index) {
    REQUIRE_IN(call, world);
    *index = kinematic_group_find(&world->model.kinematic_groups, id);
    if (*index >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "kinematic group {%u, %u}: not alive in this world; must exist", id.index,
                id.generation);
}

/* Checks the bodies of a new kinematic group. Marks detect duplicates and are cleared again. */
static scree_result check_bodies(scree_world *world, const scree_body_id *ids, int count) {
    body_array *bodies = &world->state.bodies;
    scree_result result = SCREE_OK;
    int marked = 0;
    for (; marked < count && result == SCREE_OK; marked++) {
        const int slot = body_slot(bodies, ids[marked]);
        if (slot < 0)
            result = fail(SCREE_ERROR_HANDLE, "bodies[%d]: not alive in this world; must exist", marked);
        else if (bodies->types[slot] != SLOT_KINEMATIC)
            result = fail(SCREE_ERROR_ARGUMENT,
                          "bodies[%d]: not kinematic; must be kinematic in a kinematic group", marked);
        else if (bodies->group_numbers[slot])
            result =
                fail(SCREE_ERROR_ARGUMENT, "bodies[%d]: %s", marked,
                     bodies->group_numbers[slot] < 0 ? "listed twice; each must be listed once"
                                                     : "in another kinematic group; must be in one at most");
        else
            bodies->group_numbers[slot] = -1;
        if (result != SCREE_OK) break;
    }
    for (int i = 0; i < marked; i++) bodies->group_numbers[body_slot(bodies, ids[i])] = 0;
    return result;
}

/* Makes the present poses and time the origin of the motion. */
static void restart_motion(scree_world *world, kinematic_group_item *self) {
    body_array *bodies = &world->state.bodies;
    self->begin = world_time(world);
    for (int i = 0; i < self->body_count; i++) {
        const int slot = self->slots[i];
        self->initial_poses[i] = bodies->poses[slot];
        if (bodies->cells) bodies->cells[slot] = (body_cells){{0}};
    }
}

scree_result scree_kinematic_group_create(scree_world *world, const scree_kinematic_group_def *def,
                                          scree_kinematic_group_id *out) {
    int index = 0;
    REQUIRE(world);
    REQUIRE(def);
    if (def->body_count < 0)
        return fail(SCREE_ERROR_ARGUMENT, "body_count: %d; must be >= 0", def->body_count);
    if (def->body_count > 0) REQUIRE(def->bodies);
    TRY(scree_validate_motions(def->motions, def->motion_count));
    TRY(bodies_bring(&world->state.bodies));
    TRY(check_bodies(world, def->bodies, def->body_count));
    TRY(kinematic_groups_find_free(&world->model.kinematic_groups, &index));
    kinematic_group_item *self = &world->model.kinematic_groups.items[index];
    TRY(kinematic_group_reserve_bodies(self, def->body_count));
    TRY(kinematic_group_set_motions(self, def->motions, def->motion_count));
    self->generation++;
    self->body_count = def->body_count;
    for (int i = 0; i < def->body_count; i++) {
        self->slots[i] = body_slot(&world->state.bodies, def->bodies[i]);
        world->state.bodies.group_numbers[self->slots[i]] = index + 1;
    }
    restart_motion(world, self);
    if (out) *out = kinematic_group_id_of(&world->model.kinematic_groups, index);
    return SCREE_OK;
}

scree_result scree_kinematic_group_destroy(scree_world *world, scree_kinematic_group_id id) {
    int index = 0;
    TRY(find_group(__func__, world, id, &index));
    kinematic_group_item *self = &world->model.kinematic_groups.items[index];
    TRY(bodies_bring(&world->state.bodies));
    kinematic_groups_compact(&world->model.kinematic_groups, world->state.bodies.group_numbers);
    for (int i = 0; i < self->body_count; i++) body_release_motion(&world->state.bodies, self->slots[i]);
    self->body_count = self->motion_count = self->key_count = 0;
    self->generation++;
    return SCREE_OK;
}

bool scree_kinematic_group_is_valid(const scree_world *world, scree_kinematic_group_id id) {
    REQUIRE_ELSE(world, false);
    return kinematic_group_find(&world->model.kinematic_groups, id) >= 0;
}

scree_result scree_kinematic_group_set_motions(scree_world *world, scree_kinematic_group_id id,
                                               const scree_motion_def *motions, int count) {
    int index = 0;
    TRY(find_group(__func__, world, id, &index));
    if (count > 0) REQUIRE(motions);
    TRY(scree_validate_motions(motions, count));
    TRY(bodies_bring(&world->state.bodies));
    TRY(kinematic_group_set_motions(&world->model.kinematic_groups.items[index], motions, count));
    kinematic_groups_compact(&world->model.kinematic_groups, world->state.bodies.group_numbers);
    restart_motion(world, &world->model.kinematic_groups.items[index]);
    return SCREE_OK;
}

int scree_kinematic_group_get_motions(const scree_world *world, scree_kinematic_group_id id,
                                      scree_motion_def *out, int capacity) {
    int index = 0;
    if (find_group(__func__, world, id, &index) != SCREE_OK) return 0;
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    const kinematic_group_item *self = &world->model.kinematic_groups.items[index];
    for (int i = 0; i < self->motion_count && i < capacity; i++) out[i] = self->motions[i];
    return self->motion_count;
}

int scree_kinematic_group_get_bodies(const scree_world *world, scree_kinematic_group_id id,
                                     scree_body_id *out, int capacity) {
    int index = 0;
    if (find_group(__func__, world, id, &index) != SCREE_OK) return 0;
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    const kinematic_group_item *self = &world->model.kinematic_groups.items[index];
    int count = 0;
    for (int i = 0; i < self->body_count; i++) {
        if (!kinematic_group_contains(world->state.bodies.group_numbers, index, self->slots[i])) continue;
        if (count < capacity) out[count] = body_id_of(&world->state.bodies, self->slots[i]);
        count++;
    }
    return count;
}

int scree_kinematic_group_count(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    return scree_kinematic_group_list(world, NULL, 0);
}

int scree_kinematic_group_list(const scree_world *world, scree_kinematic_group_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    int count = 0;
    for (int i = 0; i < world->model.kinematic_groups.count; i++) {
        if (!kinematic_group_is_alive(&world->model.kinematic_groups.items[i])) continue;
        if (count < capacity) out[count] = kinematic_group_id_of(&world->model.kinematic_groups, i);
        count++;
    }
    return count;
}

scree_result kinematic_group_check_not_member(const scree_world *world, int slot) {
    if (!world->state.bodies.group_numbers[slot]) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "state: prescribed by the body's kinematic group; only shape and material can change");
}
