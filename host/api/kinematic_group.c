/* Public calls on assemblies, and assemblies during a step. */
#include "kinematic_group.h"

#include "base/vector.h"
#include "rotation.h"

scree_kinematic_group_def scree_default_kinematic_group_def(void) { return (scree_kinematic_group_def){0}; }

static scree_result find(const char *call, const scree_world *world, scree_kinematic_group_id id,
                         int *place) {
    REQUIRE_IN(call, world);
    *place = kinematic_group_place(&world->model.kinematic_groups, id);
    if (*place >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "assembly {%u, %u} is not alive in this world", id.index, id.generation);
}

/* Checks the bodies of a new assembly. Marks detect duplicates and are cleared again. */
static scree_result check_bodies(scree_world *world, const scree_body_id *ids, int count) {
    body_array *bodies = &world->state.bodies;
    scree_result result = SCREE_OK;
    int marked = 0;
    for (; marked < count && result == SCREE_OK; marked++) {
        const int slot = body_slot(bodies, ids[marked]);
        if (slot < 0)
            result = fail(SCREE_ERROR_HANDLE, "bodies[%d] is not alive in this world", marked);
        else if (bodies->types[slot] != SLOT_KINEMATIC)
            result = fail(SCREE_ERROR_ARGUMENT, "bodies[%d]: not kinematic; must be kinematic in an assembly",
                          marked);
        else if (bodies->carriers[slot])
            result = fail(SCREE_ERROR_ARGUMENT, "bodies[%d]: %s", marked,
                          bodies->carriers[slot] < 0 ? "listed twice" : "belongs to another assembly");
        else
            bodies->carriers[slot] = -1;
        if (result != SCREE_OK) break;
    }
    for (int i = 0; i < marked; i++) bodies->carriers[body_slot(bodies, ids[i])] = 0;
    return result;
}

/* Makes the present poses and time the origin of the motion. */
static void begin(scree_world *world, kinematic_group_item *self) {
    self->begin = world_time(world);
    for (int i = 0; i < self->body_count; i++) {
        self->from[i] = world->state.bodies.poses[self->slots[i]];
        if (world->state.bodies.cells) world->state.bodies.cells[self->slots[i]] = (body_cells){{0}};
    }
}

scree_result scree_kinematic_group_create(scree_world *world, const scree_kinematic_group_def *def,
                                          scree_kinematic_group_id *out) {
    int place = 0;
    REQUIRE(world);
    REQUIRE(def);
    if (def->body_count < 0)
        return fail(SCREE_ERROR_ARGUMENT, "body_count: %d; must be >= 0", def->body_count);
    if (def->body_count > 0) REQUIRE(def->bodies);
    TRY(scree_validate_motions(def->motions, def->motion_count));
    TRY(check_bodies(world, def->bodies, def->body_count));
    TRY(kinematic_groups_find_place(&world->model.kinematic_groups, &place));
    kinematic_group_item *self = &world->model.kinematic_groups.items[place];
    TRY(kinematic_group_reserve_bodies(self, def->body_count));
    TRY(kinematic_group_take_motions(self, def->motions, def->motion_count));
    self->generation++;
    self->body_count = def->body_count;
    for (int i = 0; i < def->body_count; i++) {
        self->slots[i] = body_slot(&world->state.bodies, def->bodies[i]);
        world->state.bodies.carriers[self->slots[i]] = place + 1;
    }
    begin(world, self);
    if (out) *out = kinematic_group_id_of(&world->model.kinematic_groups, place);
    return SCREE_OK;
}

static void release_body(scree_world *world, int slot) {
    world->state.bodies.carriers[slot] = 0;
    world->state.bodies.velocities[slot] = (body_velocity){0};
}

scree_result scree_kinematic_group_destroy(scree_world *world, scree_kinematic_group_id kinematic_group_id) {
    int place = 0;
    TRY(find(__func__, world, kinematic_group_id, &place));
    kinematic_group_item *self = &world->model.kinematic_groups.items[place];
    kinematic_groups_settle(&world->model.kinematic_groups, world->state.bodies.carriers);
    for (int i = 0; i < self->body_count; i++) release_body(world, self->slots[i]);
    self->body_count = self->motion_count = self->key_count = 0;
    self->generation++;
    return SCREE_OK;
}

bool scree_kinematic_group_is_valid(const scree_world *world, scree_kinematic_group_id kinematic_group_id) {
    REQUIRE_ELSE(world, false);
    return kinematic_group_place(&world->model.kinematic_groups, kinematic_group_id) >= 0;
}

scree_result scree_kinematic_group_set_motions(scree_world *world,
                                               scree_kinematic_group_id kinematic_group_id,
                                               const scree_motion_def *motions, int count) {
    int place = 0;
    TRY(find(__func__, world, kinematic_group_id, &place));
    if (count > 0) REQUIRE(motions);
    TRY(scree_validate_motions(motions, count));
    TRY(kinematic_group_take_motions(&world->model.kinematic_groups.items[place], motions, count));
    kinematic_groups_settle(&world->model.kinematic_groups, world->state.bodies.carriers);
    begin(world, &world->model.kinematic_groups.items[place]);
    return SCREE_OK;
}

int scree_kinematic_group_get_motions(const scree_world *world, scree_kinematic_group_id kinematic_group_id,
                                      scree_motion_def *out, int capacity) {
    int place = 0;
    if (find(__func__, world, kinematic_group_id, &place) != SCREE_OK) return 0;
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    const kinematic_group_item *self = &world->model.kinematic_groups.items[place];
    for (int i = 0; i < self->motion_count && i < capacity; i++) out[i] = self->motions[i];
    return self->motion_count;
}

int scree_kinematic_group_get_bodies(const scree_world *world, scree_kinematic_group_id kinematic_group_id,
                                     scree_body_id *out, int capacity) {
    int place = 0;
    if (find(__func__, world, kinematic_group_id, &place) != SCREE_OK) return 0;
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    const kinematic_group_item *self = &world->model.kinematic_groups.items[place];
    int count = 0;
    for (int i = 0; i < self->body_count; i++) {
        if (!kinematic_group_carries(world->state.bodies.carriers, place, self->slots[i])) continue;
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

void kinematic_group_leave(scree_world *world, int slot) {
    if (!world->state.bodies.carriers[slot]) return;
    release_body(world, slot);
    world->model.kinematic_groups.left = true;
}

scree_result kinematic_group_check_free(const scree_world *world, int slot) {
    if (!world->state.bodies.carriers[slot]) return SCREE_OK;
    return fail(
        SCREE_ERROR_ARGUMENT,
        "the body belongs to an assembly, which prescribes its state; only shape and material can change");
}

/* Computes the pose that results from the rotation q and translation p of a placement, in double precision.
 */
static void carried(const placement *by, body_pose from, double position[3], double rotation[4]) {
    const double x[3] = {(double)from.position.x, (double)from.position.y, (double)from.position.z},
                 q[4] = {(double)from.rotation.x, (double)from.rotation.y, (double)from.rotation.z,
                         (double)from.rotation.w};
    placement_point(by, x, position);
    quaternion_product(by->q, q, rotation);
}

/* Sets the velocity that carries one body from `now` to `then`, and its end pose. `angular` is the same for
 * the whole assembly. */
static void carry_body(scree_world *world, kinematic_group_item *self, int i, const placement *now,
                       const placement *then, vec3s angular) {
    const double h = world->model.def.time_step;
    double before[3], after[3], rotation[4];
    carried(now, self->from[i], before, rotation);
    carried(then, self->from[i], after, rotation);
    body_velocity *velocity = &world->state.bodies.velocities[self->slots[i]];
    world->state.bodies.earlier[self->slots[i]] = *velocity;
    velocity->linear = vec3_of((scalar)((after[0] - before[0]) / h), (scalar)((after[1] - before[1]) / h),
                               (scalar)((after[2] - before[2]) / h));
    velocity->angular = angular;
    for (int axis = 0; axis < 3 && world->state.bodies.cells; axis++) /* wrap into the cell */
        after[axis] -= (double)world->state.bodies.cells[self->slots[i]].n[axis] *
                       (double)vec3_along(world->state.bodies.period.length, axis);
    self->to[i].position = vec3_of((scalar)after[0], (scalar)after[1], (scalar)after[2]);
    self->to[i].rotation = rotation_normalised(
        versor_of((scalar)rotation[0], (scalar)rotation[1], (scalar)rotation[2], (scalar)rotation[3]));
}

static void carry(scree_world *world, kinematic_group_item *self) {
    const double h = world->model.def.time_step, time = world_time(world) - self->begin,
                 next = world_time_after(world, 1) - self->begin;
    const placement now = motions_at(self->motions, self->motion_count, time),
                    then = motions_at(self->motions, self->motion_count, next);
    double way[3];
    motions_turn(self->motions, self->motion_count, time, next, way);
    const vec3s angular = vec3_of((scalar)(way[0] / h), (scalar)(way[1] / h), (scalar)(way[2] / h));
    for (int i = 0; i < self->body_count; i++) carry_body(world, self, i, &now, &then, angular);
}

void kinematic_group_step_begin(scree_world *world) {
    const kinematic_group_array *all = &world->model.kinematic_groups;
    kinematic_groups_settle(&world->model.kinematic_groups, world->state.bodies.carriers);
    for (int i = 0; i < all->count; i++)
        if (kinematic_group_is_alive(&all->items[i])) carry(world, &all->items[i]);
}

void kinematic_group_step_undo(scree_world *world) {
    for (int i = 0; i < world->model.kinematic_groups.count; i++) {
        const kinematic_group_item *self = &world->model.kinematic_groups.items[i];
        for (int k = 0; k < self->body_count; k++)
            world->state.bodies.velocities[self->slots[k]] = world->state.bodies.earlier[self->slots[k]];
    }
}

void kinematic_group_step_place(scree_world *world) {
    for (int i = 0; i < world->model.kinematic_groups.count; i++) {
        const kinematic_group_item *self = &world->model.kinematic_groups.items[i];
        for (int k = 0; k < self->body_count; k++) world->scratch.next_poses[self->slots[k]] = self->to[k];
    }
}
