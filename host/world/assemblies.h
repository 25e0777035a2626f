/* The arrays that hold every assembly of a world, by place. A place keeps its index for an assembly's whole
 * life; the first free one is reused. */
#ifndef SCREE_WORLD_ASSEMBLIES_H
#define SCREE_WORLD_ASSEMBLIES_H

#include "bodies.h"
#include "motion.h"

typedef struct assembly_item {
    uint32_t generation;                                       /* odd: alive */
    double begin;                                              /* of its time, s of the world's */
    int body_count, body_capacity, from_capacity, to_capacity; /* bodies: those that left among them */
    int *slots;
    body_pose *from; /* of each body at the beginning */
    body_pose *to;   /* at the end of the step that runs */
    int motion_count, key_count;
    scree_motion_def *motions; /* their keys point into `keys` */
    scree_motion_key *keys;
} assembly_item;

typedef struct assembly_array {
    uint32_t world;
    int count, capacity; /* places, free ones among them */
    bool left;           /* whether bodies that left are still listed */
    assembly_item *items;
} assembly_array;

static inline bool assembly_is_alive(const assembly_item *self) { return self->generation & 1; }
int assembly_place(const assembly_array *all, scree_assembly_id id);
scree_assembly_id assembly_id_of(const assembly_array *all, int place);
/* A free place, dead until its generation is counted up. Errors: MEMORY. */
scree_result assemblies_find_place(assembly_array *all, int *place);
/* Takes bodies out of the lists that they have left: whose `carriers` are not of the assembly. All at once
 * when somebody looks, so that a body that leaves does not walk over those that stay. */
void assemblies_settle(assembly_array *all, const int *carriers);
/* Room for so many bodies; copies motions and their keys. Errors: MEMORY; the old motions stay then. */
scree_result assembly_reserve_bodies(assembly_item *self, int count);
scree_result assembly_take_motions(assembly_item *self, const scree_motion_def *motions, int count);
void assemblies_release(assembly_array *all);

#endif
