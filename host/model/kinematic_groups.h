/* All kinematic groups of a world, indexed by place. A kinematic group keeps its place for life; the first
 * free place is reused. */
#pragma once

#include <scree/kinematic_group.h>

#include "layout.h"
#include "motion.h"

typedef struct kinematic_group_item {
    uint32_t generation; /* odd: alive */
    double begin;        /* world time at which its motions start, s */
    int body_count, body_capacity,
        from_capacity; /* bodies: includes those that left until kinematic_groups_settle */
    int *slots;
    body_pose *from; /* pose of each body at `begin` */
    int motion_count, key_count;
    scree_motion_def *motions; /* their keys point into `keys` */
    scree_motion_key *keys;
} kinematic_group_item;

typedef struct kinematic_group_array {
    uint32_t world;
    int count, capacity; /* places in use, including free ones */
    bool left;           /* whether bodies that left are still listed */
    kinematic_group_item *items;
} kinematic_group_array;

static inline bool kinematic_group_is_alive(const kinematic_group_item *self) { return self->generation & 1; }
/* Returns whether the group at `place` still carries the body in `slot`, which its list may have after the
 * body left. `carriers` are the bodies'. */
static inline bool kinematic_group_carries(const int *carriers, int place, int slot) {
    return carriers[slot] == place + 1;
}
int kinematic_group_place(const kinematic_group_array *all, scree_kinematic_group_id id);
scree_kinematic_group_id kinematic_group_id_of(const kinematic_group_array *all, int place);
/* Finds a free place, which stays dead until the caller increments its generation. Errors: MEMORY. */
scree_result kinematic_groups_find_place(kinematic_group_array *all, int *place);
/* Removes bodies from the lists of kinematic groups that their `carriers` entry no longer names. Done lazily
 * for all lists at once, so that removing one body does not cost a pass over the rest. */
void kinematic_groups_settle(kinematic_group_array *all, const int *carriers);
/* Reserves space for `count` bodies. Errors: MEMORY. */
scree_result kinematic_group_reserve_bodies(kinematic_group_item *self, int count);
scree_result kinematic_group_take_motions(kinematic_group_item *self, const scree_motion_def *motions,
                                          int count);
void kinematic_groups_release(kinematic_group_array *all);
