/* The periodic boundary of a world: valid periods and bodies, and crossings. */
#pragma once

#include "state/bodies.h"

struct scree_world;

/* Checks the periods of a world. Errors: ARGUMENT. */
scree_result periodic_check_period(scree_vec3 length, scree_vec3 centre);
/* Checks that a body at this pose cannot touch its own periodic image. Errors: ARGUMENT. */
scree_result periodic_check_body(const period *cell, scree_body_type type, uint32_t locks, scree_shape shape,
                                 body_pose pose);
/* Checks that a kinematic half-space which turns at this angular velocity stays perpendicular to the periodic
 * axes. Errors: ARGUMENT. */
scree_result periodic_check_turn(const period *cell, scree_body_type type, scree_shape shape, body_pose pose,
                                 vec3s angular);
/* Prepares a step: checks that half-space normals are still perpendicular to the periodic axes, finds endless
 * kinematic bodies, and calls periodic_tile. Errors: ARGUMENT (names the body), MEMORY. */
scree_result periodic_prepare(body_array *bodies);
/* Updates the mark that a body is endless. */
void periodic_mark(body_array *bodies, int slot);
/* Wraps a body that was placed anywhere into the cell. */
void periodic_place(body_array *bodies, int slot);
/* Updates the tilings of endless meshes. Errors: ARGUMENT (too many triangles), MEMORY. */
scree_result periodic_tile(body_array *bodies);

/* Reserves the arrays of the next two calls. Errors: MEMORY. */
scree_result periodic_reserve(struct scree_world *world);
/* Finds the bodies that leave the cell in the step, before it is committed; contacts that stay on a device
 * are wrapped there. Errors: those of the device. */
scree_result periodic_find_crossings(struct scree_world *world);
/* Wraps them to the opposite side, together with the contacts. */
void periodic_wrap(struct scree_world *world);
