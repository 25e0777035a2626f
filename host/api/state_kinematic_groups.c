#include "state_kinematic_groups.h"

#include "base/memory.h"
#include "base/vector.h"

#include <string.h>

/* Returns the number of bodies that a group moves. */
static int moved_count(const kinematic_group_array *all, const int *group_numbers, int index) {
    const kinematic_group_item *self = &all->items[index];
    int count = 0;
    for (int k = 0; k < self->body_count; k++)
        count += kinematic_group_contains(group_numbers, index, self->slots[k]);
    return count;
}

void state_count_kinematic_groups(const kinematic_group_array *all, const int *group_numbers,
                                  state_rows *out) {
    out->kinematic_group_count = all->count;
    for (int i = 0; i < all->count; i++) {
        out->carried_count += moved_count(all, group_numbers, i);
        out->motion_count += all->items[i].motion_count;
        out->key_count += all->items[i].key_count;
    }
}

void state_take_kinematic_groups(const kinematic_group_array *all, const int *group_numbers,
                                 state_rows *out) {
    carried_row *carried = out->carried;
    scree_motion_def *motion = out->motions;
    scree_motion_key *key = out->keys;
    for (int i = 0; i < all->count; i++) {
        const kinematic_group_item *self = &all->items[i];
        out->kinematic_groups[i] = (kinematic_group_row){
            self->generation, self->begin, moved_count(all, group_numbers, i), self->motion_count};
        for (int k = 0; k < self->body_count; k++)
            if (kinematic_group_contains(group_numbers, i, self->slots[k]))
                *carried++ = (carried_row){self->slots[k], self->initial_poses[k]};
        for (int k = 0; k < self->motion_count; k++) *motion++ = self->motions[k];
        for (int k = 0; k < self->key_count; k++) *key++ = self->keys[k];
    }
}

/* Numbers of rows used so far. */
typedef struct taken {
    int carried, motions, keys;
} taken;

static scree_result give_bodies(const state_rows *self, int i, taken *at, scree_world *world) {
    const int count = self->kinematic_groups[i].bodies;
    kinematic_group_item *out = &world->model.kinematic_groups.items[i];
    TRY(kinematic_group_reserve_bodies(out, count));
    for (; out->body_count < count; out->body_count++) {
        const carried_row *row = &self->carried[at->carried++];
        const versors q = row->from.rotation;
        REFUSE(row->slot < 0 || row->slot >= world->state.bodies.count ||
                   world->state.bodies.types[row->slot] != SLOT_KINEMATIC ||
                   world->state.bodies.group_numbers[row->slot],
               "kinematic group %d: slot %d; must be kinematic and in no other group", i, row->slot);
        REFUSE(
            !vec3_finite(row->from.position) ||
                !(fabsf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w - 1) < 0.1f),
            "kinematic group %d: initial pose of slot %d: (%g, %g, %g) m, rotation (%g, %g, %g, %g); must be "
            "finite, with a unit quaternion",
            i, row->slot, (double)row->from.position.x, (double)row->from.position.y,
            (double)row->from.position.z, (double)q.x, (double)q.y, (double)q.z, (double)q.w);
        out->slots[out->body_count] = row->slot;
        out->initial_poses[out->body_count] = row->from;
        world->state.bodies.group_numbers[row->slot] = i + 1;
    }
    return SCREE_OK;
}

/* Restores the key pointers of table motions. */
static scree_result give_motions(const state_rows *self, int i, taken *at, scree_world *world) {
    scree_motion_def *const motions = self->motions + at->motions;
    const int count = self->kinematic_groups[i].motions;
    for (int k = 0; k < count; k++) {
        REFUSE(motions[k].key_count < 0 || motions[k].key_count > self->key_count - at->keys,
               "motion %d of kinematic group %d: keys: %d; must be 0 to %d", k, i, motions[k].key_count,
               self->key_count - at->keys);
        motions[k].keys = self->keys + at->keys;
        at->keys += motions[k].key_count;
    }
    at->motions += count;
    if (scree_validate_motions(motions, count) != SCREE_OK)
        return fail_prefix(SCREE_ERROR_FORMAT, "kinematic group %d", i);
    return kinematic_group_set_motions(&world->model.kinematic_groups.items[i], motions, count);
}

scree_result state_give_kinematic_groups(const state_rows *self, scree_world *world) {
    taken at = {0};
    kinematic_group_array *all = &world->model.kinematic_groups;
    TRY(MEMORY_RESERVE(all->items, all->capacity, self->kinematic_group_count, NULL));
    all->count = self->kinematic_group_count;
    for (int i = 0; i < all->count; i++) {
        const kinematic_group_row *row = &self->kinematic_groups[i];
        REFUSE(!isfinite(row->begin) || row->bodies < 0 || row->motions < 0 ||
                   row->bodies > self->carried_count - at.carried ||
                   row->motions > self->motion_count - at.motions ||
                   (!(row->generation & 1) && row->bodies + row->motions > 0),
               "kinematic group %d: start: %g s, bodies: %d, motions: %d; must be finite, 0 to %d, 0 to %d, "
               "and no "
               "bodies and motions of a destroyed group",
               i, row->begin, row->bodies, row->motions, self->carried_count - at.carried,
               self->motion_count - at.motions);
        all->items[i].generation = row->generation;
        all->items[i].begin = row->begin;
        TRY(give_bodies(self, i, &at, world));
        TRY(give_motions(self, i, &at, world));
    }
    REFUSE(at.carried != self->carried_count || at.motions != self->motion_count ||
               at.keys != self->key_count,
           "bodies, motions, keys: belong to no kinematic group; each must");
    return SCREE_OK;
}
