/* Factors of a joint whose rows are solved together (joint_system.h), as the host computes them. */
#ifndef SCREE_KERNELS_SYSTEM_LAYOUT_H
#define SCREE_KERNELS_SYSTEM_LAYOUT_H

#include "layout.h"

/* Largest joint that is solved as a system: blocks and rows; components of the velocities of two bodies. */
enum { SYSTEM_BLOCKS = 8, SYSTEM_ROWS = 3 * SYSTEM_BLOCKS, SYSTEM_COMPONENTS = 12 };

/* Values of row_systems other than the number of a system plus one: the block is solved by itself, or with an
 * earlier block of its joint. */
enum { SYSTEM_NONE = 0, SYSTEM_CONTINUED = -1 };

/* Treatment of a row of a system in a sweep. */
enum { SYSTEM_IDLE = 0, SYSTEM_HELD = 1, SYSTEM_BOUNDED = 2 };

/* Factors of one joint (joint_system.h). Row k of block i has number 3 i + k. Components are those of the
 * linear and angular velocities of body a, then of body b. */
typedef struct joint_system {
    int block_count, reserved[3];
    int kinds[SYSTEM_ROWS];
    scalar inverses[SYSTEM_ROWS];                     /* of bounded rows: 1/S, 0 if nothing can move */
    scalar jacobian[SYSTEM_ROWS * SYSTEM_COMPONENTS]; /* J: component c of row i at [24 c + i] */
    scalar solve[SYSTEM_ROWS * SYSTEM_ROWS];          /* K: entry (i, j) at [24 j + i] */
    scalar response[SYSTEM_ROWS * SYSTEM_COMPONENTS]; /* M⁻¹Jᵀ: component c of row i at [12 i + c] */
} WORDS joint_system;

#if SCREE_WIDTH == 1
STATIC_ASSERT(sizeof(joint_system) ==
                  16 + 4 * SYSTEM_ROWS +
                      SYSTEM_ROWS * (1 + 2 * SYSTEM_COMPONENTS + SYSTEM_ROWS) * sizeof(scalar),
              "joint_system");
#endif

#endif
