/* The bodies of a frame as balls and mesh instances. */
#pragma once

#include <scree/tools/frame.h>

#include "impostors.h"
#include "mesh_instances.h"
#include "rods.h"

#include "base/vector.h"

/* A half-space relative to the origin. */
typedef struct ground_part {
    vec3s position;
    versors rotation;
} ground_part;

/* A box that is cut away, of which the edges are shown. */
typedef struct outline_part {
    vec3s position, half;
    versors rotation;
} outline_part;

typedef struct part_set {
    vec3s origin;          /* that all positions are relative to, m */
    ball_instance *balls;  /* of bodies that are one ball */
    ball_instance *joined; /* of clumps and capsules */
    rod_instance *rods;
    mesh_batch *batches;
    ground_part *grounds;
    outline_part *outlines;
    int ball_count, ball_capacity, joined_count, joined_capacity, rod_count, rod_capacity, batch_count,
        batch_capacity, ground_count, ground_capacity, outline_count, outline_capacity;
} part_set;

/* Empties the lists; their memory stays. */
void parts_clear(part_set *self);
void parts_release(part_set *self);
/* Adds body i of a frame with a colour (linear light) and the flags of snapshot_cut. Bodies whose state is
 * not finite are left out. `cut` must live as long as the parts. Errors: MEMORY. */
scree_result parts_add(part_set *self, const scree_frame *frame, int i, vec3s colour, const bool *cut);
/* Adds a rod between two points, or a joined ball, as marks of no body. Errors: MEMORY. */
scree_result parts_add_rod(part_set *self, vec3s from, vec3s to, scalar radius, vec3s colour);
scree_result parts_add_ball(part_set *self, vec3s centre, scalar radius, vec3s colour);
