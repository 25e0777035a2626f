#include "kinematic_groups.h"

#include "base/handle_table.h"
#include "base/memory.h"

#include <string.h>

static handle_table handles_of(const kinematic_group_array *all) {
    return (handle_table){all->world, all->count, all->items ? &all->items->generation : NULL,
                          sizeof *all->items};
}

bool kinematic_groups_any(const kinematic_group_array *all) {
    for (int i = 0; i < all->count; i++)
        if (kinematic_group_is_alive(&all->items[i])) return true;
    return false;
}

int kinematic_group_find(const kinematic_group_array *all, scree_kinematic_group_id id) {
    return handle_find(handles_of(all), id.index, id.generation, id.world);
}

scree_kinematic_group_id kinematic_group_id_of(const kinematic_group_array *all, int index) {
    return (scree_kinematic_group_id){(uint32_t)index + 1, all->items[index].generation, all->world};
}

scree_result kinematic_groups_find_free(kinematic_group_array *all, int *index) {
    *index = handle_free_place(handles_of(all));
    if (*index < all->count) return SCREE_OK;
    TRY(MEMORY_RESERVE(all->items, all->capacity, all->count + 1, NULL));
    all->count++;
    return SCREE_OK;
}

scree_result kinematic_group_reserve_bodies(kinematic_group_item *self, int count) {
    TRY(MEMORY_RESERVE(self->slots, self->body_capacity, count, NULL));
    return MEMORY_RESERVE(self->initial_poses, self->pose_capacity, count, NULL);
}

/* Copies into new blocks before releasing the old ones: `motions` may be the group's own. */
scree_result kinematic_group_set_motions(kinematic_group_item *self, const scree_motion_def *motions,
                                         int count) {
    int keys = 0, at = 0;
    for (int i = 0; i < count; i++)
        if (motions[i].kind == SCREE_MOTION_TABLE) keys += motions[i].key_count;
    scree_motion_def *const own = memory_allocate((size_t)count, sizeof *own);
    scree_motion_key *const own_keys = memory_allocate((size_t)keys, sizeof *own_keys);
    if (!own || !own_keys) {
        memory_release(own);
        memory_release(own_keys);
        return fail(SCREE_ERROR_MEMORY, "out of memory for %d motions", count);
    }
    for (int i = 0; i < count; i++) {
        own[i] = motions[i];
        own[i].keys = NULL;
        if (motions[i].kind != SCREE_MOTION_TABLE) {
            own[i].key_count = 0;
            continue;
        }
        own[i].keys = own_keys + at;
        memcpy(own_keys + at, motions[i].keys, sizeof *own_keys * (size_t)motions[i].key_count);
        at += motions[i].key_count;
    }
    memory_release(self->motions);
    memory_release(self->keys);
    self->motions = own;
    self->motion_count = count;
    self->keys = own_keys;
    self->key_count = keys;
    return SCREE_OK;
}

void kinematic_groups_compact(kinematic_group_array *all, const int *group_numbers) {
    for (int i = 0; i < all->count && all->needs_compaction; i++) {
        kinematic_group_item *self = &all->items[i];
        int kept = 0;
        for (int k = 0; k < self->body_count; k++)
            if (kinematic_group_contains(group_numbers, i, self->slots[k])) {
                self->slots[kept] = self->slots[k];
                self->initial_poses[kept] = self->initial_poses[k];
                kept++;
            }
        self->body_count = kept;
    }
    all->needs_compaction = false;
}

void kinematic_groups_release(kinematic_group_array *all) {
    for (int i = 0; i < all->count; i++) {
        kinematic_group_item *self = &all->items[i];
        memory_release(self->slots);
        memory_release(self->initial_poses);
        memory_release(self->motions);
        memory_release(self->keys);
    }
    memory_release(all->items);
    *all = (kinematic_group_array){0};
}
