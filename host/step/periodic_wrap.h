/* The border of a periodic world's cell: what may stand there, and what crosses it. */
#ifndef SCREE_STEP_PERIODIC_WRAP_H
#define SCREE_STEP_PERIODIC_WRAP_H

#include "state/bodies.h"

struct scree_world;

/* Whether a world may have these periods. Errors: ARGUMENT. */
scree_result periodic_check_period(scree_vec3 period, scree_vec3 centre);
/* Whether a body may be where it is to be: it must not touch an image of its own. Errors: ARGUMENT. */
scree_result periodic_check_body(const period *cell, scree_body_type type, uint32_t locks, scree_shape shape,
                                 body_pose pose);
/* Before a step: whether half-spaces still look across all periods, and which bodies that move as they are
 * told have no end; then periodic_tile. Errors: ARGUMENT, MEMORY. */
scree_result periodic_prepare(body_array *bodies);
/* Takes notice of whether a body has no end. */
void periodic_mark(body_array *bodies, int slot);
/* Leads a body that was placed anywhere into the cell. */
void periodic_place(body_array *bodies, int slot);
/* Lets the tilings of meshes without end follow them. Errors: ARGUMENT (too many triangles), MEMORY. */
scree_result periodic_tile(body_array *bodies);

/* Room for periodic_wrap. Errors: MEMORY. */
scree_result periodic_reserve(struct scree_world *world);
/* Leads what left the cell in a step back to the other side, with its contacts. */
void periodic_wrap(struct scree_world *world);

#endif
