/* The arrays that hold every assembly of a world, by place. A place keeps its index for an assembly's whole
 * life; the first free one is reused. */
#ifndef SCREE_MODEL_KINEMATIC_GROUPS_H
#define SCREE_MODEL_KINEMATIC_GROUPS_H

#include "state/bodies.h"
#include "motion.h"

typedef struct kinematic_group_item {
    uint32_t generation;                                       /* odd: alive */
    double begin;                                              /* of its time, s of the world's */
    int body_count, body_capacity, from_capacity, to_capacity; /* bodies: those that left among them */
    int *slots;
    body_pose *from; /* of each body at the beginning */
    body_pose *to;   /* at the end of the step that runs */
    int motion_count, key_count;
    scree_motion_def *motions; /* their keys point into `keys` */
    scree_motion_key *keys;
} kinematic_group_item;

typedef struct kinematic_group_array {
    uint32_t world;
    int count, capacity; /* places, free ones among them */
    bool left;           /* whether bodies that left are still listed */
    kinematic_group_item *items;
} kinematic_group_array;

static inline bool kinematic_group_is_alive(const kinematic_group_item *self) { return self->generation & 1; }
int kinematic_group_place(const kinematic_group_array *all, scree_kinematic_group_id id);
scree_kinematic_group_id kinematic_group_id_of(const kinematic_group_array *all, int place);
/* A free place, dead until its generation is counted up. Errors: MEMORY. */
scree_result kinematic_groups_find_place(kinematic_group_array *all, int *place);
/* Takes bodies out of the lists that they have left: whose `carriers` are not of the assembly. All at once
 * when somebody looks, so that a body that leaves does not walk over those that stay. */
void kinematic_groups_settle(kinematic_group_array *all, const int *carriers);
/* Room for so many bodies; copies motions and their keys. Errors: MEMORY; the old motions stay then. */
scree_result kinematic_group_reserve_bodies(kinematic_group_item *self, int count);
scree_result kinematic_group_take_motions(kinematic_group_item *self, const scree_motion_def *motions,
                                          int count);
void kinematic_groups_release(kinematic_group_array *all);

#endif
