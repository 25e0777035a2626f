/* Joints whose rows are solved together (kernels/joint_system.h). */
#pragma once

#include <scree/core.h>

#include "system_layout.h"

struct problem;

/* Where the blocks of a joint are, and M⁻¹ of its bodies in 1/kg. */
typedef struct system_place {
    int first_block, block_count;
    int node; /* of its tree plus 1; 0: none. Filled with the trees */
    body_mobility a, b;
} system_place;

/* Records the place of a joint whose blocks and rows are filled. */
void joint_system_place(struct problem *p, int joint, system_place place);
/* Computes the factors of a joint for a pass, after those of its tree. A position pass follows the velocity
 * pass of the same rows. */
void joint_system_factor(struct problem *p, int joint, bool position_pass);
