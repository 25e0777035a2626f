/* A list of pairs that outlives a step: all whose boxes may meet as long as each stays within a fatter one.
 *
 * A body whose box leaves its fat box is asked anew, with a new fat box, and the list is mended; when many
 * leave, it is made anew. Whoever reads the list asks the boxes themselves, so that nothing depends on when
 * it was made. */
#ifndef SCREE_DETECT_FAT_PAIRS_H
#define SCREE_DETECT_FAT_PAIRS_H

#include "base/memory.h"
#include "pair_rows.h"
#include "plane.h"
#include "tree.h"

typedef struct fat_pairs {
    scalar skin; /* by how much of its smallest half size a box is extended; ≥ 0 */
    pair_rows rows;
    int plane_count, planes_capacity;
    plane *planes; /* the half-spaces as they are, ascending by slot */

    bool listed;      /* whether the rows hold what they should */
    int listed_slots; /* slots when they were made anew */
    int asked;        /* bodies asked since */
    tree tree;        /* over the fat boxes */
    bounds span;      /* of all that have images along an axis, where something is periodic */
    int place_capacity, type_capacity, left_capacity, leaver_capacity, piece_capacity, chunk_capacity,
        fat_plane_capacity, fat_plane_count;
    int *place;        /* in the tree's order, −1: not in it */
    uint8_t *types;    /* what a slot was when it was listed */
    uint8_t *left;     /* marks; zero between calls */
    int *leavers;      /* slots, ascending */
    plane *fat_planes; /* of `planes`, when they were asked last */
    struct fat_piece *pieces;
    pair_chunk *chunks;                  /* what they find lies in the room */
    int64_t numbers;                     /* of all chunks of a search */
    pair_rows spare;                     /* of a list that is being mended; its ends are in the room */
    scratch_arena own_scratch, *scratch; /* that others use too; null: its own */
} fat_pairs;

/* Brings rows and planes up to date: afterwards the rows hold every pair of living bodies, at least one of
 * them dynamic, whose boxes meet, or the box of the one an image of the other's, or of which one is a
 * half-space that meets the other's box, and others.
 * `time_step` is what bodies move on for at their velocities before the next call, s. `regrown` counts
 * buffers that had to grow. Errors: MEMORY, CAPACITY. */
scree_result fat_pairs_update(fat_pairs *self, const body_array *bodies, const bounds *boxes,
                              scalar time_step, int threads, int *regrown);
void fat_pairs_release(fat_pairs *self);

#endif
