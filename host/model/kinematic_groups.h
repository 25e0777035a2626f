/* All kinematic groups of a world. A kinematic group keeps its index for life; the first free index is
 * reused. */
#pragma once

#include <scree/kinematic_group.h>

#include "layout.h"
#include "motion.h"

typedef struct kinematic_group_item {
    uint32_t generation; /* odd: alive */
    double begin;        /* world time at which its motions start, s */
    int body_count;      /* includes removed bodies until kinematic_groups_compact */
    int body_capacity, pose_capacity;
    int *slots;
    body_pose *initial_poses; /* pose of each body at `begin` */
    int motion_count, key_count;
    scree_motion_def *motions; /* their keys point into `keys` */
    scree_motion_key *keys;
} kinematic_group_item;

typedef struct kinematic_group_array {
    uint32_t world;
    int count, capacity;   /* items, including dead ones */
    bool needs_compaction; /* whether groups still list bodies that were removed from them */
    kinematic_group_item *items;
} kinematic_group_array;

static inline bool kinematic_group_is_alive(const kinematic_group_item *self) { return self->generation & 1; }
/* Returns whether a group is alive. */
bool kinematic_groups_any(const kinematic_group_array *all);
/* Returns whether the group of this index moves the body in `slot`, which its list may contain after the body
 * was removed from it. `group_numbers` are the bodies'. */
static inline bool kinematic_group_contains(const int *group_numbers, int index, int slot) {
    return group_numbers[slot] == index + 1;
}
/* Returns the index of a group; −1: not alive. */
int kinematic_group_find(const kinematic_group_array *all, scree_kinematic_group_id id);
scree_kinematic_group_id kinematic_group_id_of(const kinematic_group_array *all, int index);
/* Finds a dead item, which stays dead until the caller increments its generation. Errors: MEMORY. */
scree_result kinematic_groups_find_free(kinematic_group_array *all, int *index);
/* Drops removed bodies from the lists of all groups. Done lazily for all lists at once, so that removing one
 * body does not cost a pass over the rest. */
void kinematic_groups_compact(kinematic_group_array *all, const int *group_numbers);
/* Reserves space for `count` bodies. Errors: MEMORY. */
scree_result kinematic_group_reserve_bodies(kinematic_group_item *self, int count);
/* Replaces the motions by copies. Errors: MEMORY; the motions are then unchanged. */
scree_result kinematic_group_set_motions(kinematic_group_item *self, const scree_motion_def *motions,
                                         int count);
void kinematic_groups_release(kinematic_group_array *all);
