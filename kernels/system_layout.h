/* Factors of a joint whose rows are solved together (joint_system.h), as the host computes them. */
#ifndef SCREE_KERNELS_SYSTEM_LAYOUT_H
#define SCREE_KERNELS_SYSTEM_LAYOUT_H

#include "layout.h"

/* Largest joint that is solved as a system. A block has four rows, the last of which is idle, so that rows
 * are where the numbers of a block_impulse are. The velocities of two bodies have 16 components, as two
 * body_velocity have them; the reserved ones have no columns in J. */
enum { SYSTEM_BLOCKS = 8, SYSTEM_ROWS = 4 * SYSTEM_BLOCKS, SYSTEM_COLUMNS = 12, SYSTEM_COMPONENTS = 16 };

/* Values of row_systems other than the number of a system plus one: the block is solved by itself, or with an
 * earlier block of its joint. */
enum { SYSTEM_NONE = 0, SYSTEM_CONTINUED = -1 };

/* Factors of one joint for a pass (joint_system.h). Row k of block i has number 4 i + k; matrices have
 * `stride` = 4 rows for each block. */
typedef struct joint_system {
    int stride; /* 0: sweeps leave the joint to its tree */
    int held_count, bounded_count;
    int rigid;             /* the position pass has the same factors */
    int rows[SYSTEM_ROWS]; /* the held rows, then the bounded ones; others are idle */
    scalar low[SYSTEM_ROWS], high[SYSTEM_ROWS], compliance[SYSTEM_ROWS];
    scalar held[SYSTEM_ROWS];                         /* 1; 0 for bounded rows */
    scalar inverses[SYSTEM_ROWS];                     /* of bounded rows: 1/S, 0 if nothing can move */
    scalar jacobian[SYSTEM_COLUMNS * SYSTEM_ROWS];    /* J: column c of row i at [stride c + i] */
    scalar solve[SYSTEM_ROWS * SYSTEM_ROWS];          /* K: entry (i, j) at [stride j + i] */
    scalar response[SYSTEM_ROWS * SYSTEM_COMPONENTS]; /* M⁻¹Jᵀ: component c of row i at [16 i + c] */
} WORDS joint_system;

#if SCREE_WIDTH == 1
STATIC_ASSERT(sizeof(joint_system) ==
                  16 + 4 * SYSTEM_ROWS +
                      SYSTEM_ROWS * (5 + SYSTEM_COLUMNS + SYSTEM_ROWS + SYSTEM_COMPONENTS) * sizeof(scalar),
              "joint_system");
#endif

#endif
