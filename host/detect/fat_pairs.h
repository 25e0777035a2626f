/* A list of pairs that lasts for several steps: all pairs whose boxes may meet while each box stays within an
 * enlarged (fat) one.
 *
 * A body whose box leaves its fat box gets a new fat box and is queried again, and the list is repaired; if
 * many leave, it is rebuilt. Readers of the list test the boxes themselves, so that results do not depend on
 * its age. */
#pragma once

#include "base/memory.h"
#include "pair_rows.h"
#include "plane.h"
#include "geometry/tree.h"

typedef struct fat_pairs {
    scalar skin; /* extension of a box, relative to its smallest half size; ≥ 0 */
    pair_rows rows;
    const plane_list *planes; /* current half-spaces, of the last update */

    bool listed;      /* whether the rows are valid */
    int listed_slots; /* number of slots at the last rebuild */
    int asked;        /* bodies queried since the last rebuild */
    tree tree;        /* over the fat boxes */
    bounds span;      /* box around all items that have images along an axis, in a periodic world */
    int place_capacity, type_capacity, left_capacity, leaver_capacity, piece_capacity, chunk_capacity,
        fat_plane_capacity, fat_plane_count;
    int *place;             /* in the tree's order; −1: not in it */
    uint8_t *types;         /* stamp of each slot when it was listed */
    uint8_t *left;          /* marks; zero between calls */
    int *leavers;           /* slots, ascending */
    body_plane *fat_planes; /* of `planes`, at their last query */
    struct fat_piece *pieces;
    pair_chunk *chunks;                  /* their results lie in scratch */
    int64_t numbers;                     /* of all chunks of a search */
    pair_rows spare;                     /* of a list under repair; its ends lie in scratch */
    scratch_arena own_scratch, *scratch; /* shared scratch; null: own_scratch */
} fat_pairs;

/* Updates the rows. Afterwards the rows hold every pair of living bodies, at least one of them
 * dynamic, whose boxes meet, directly or at a periodic image, or of which one is a half-space that meets the
 * other's box; they may hold further pairs. `time_step` is the time for which bodies move at their velocities
 * before the next call, s. `planes`: the half-spaces; must live until that call. `regrown` counts buffers
 * that had to grow. Errors: MEMORY, CAPACITY. */
scree_result fat_pairs_update(fat_pairs *self, const body_array *bodies, const bounds *boxes,
                              const plane_list *planes, scalar time_step, int threads, int *regrown);
void fat_pairs_release(fat_pairs *self);
