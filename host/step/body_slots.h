/* Bodies are added to a world and removed from it: by calls, inlets and outlets. */
#pragma once

#include "world.h"

typedef struct new_body {
    body_mass mass;
    body_load load;
    int material;
} new_body;

/* Returns gravity and time step of a world. */
motion_parameters world_motion(const scree_world *world);
/* Checks a definition and computes the new body's properties. Errors: as scree_body_create. */
scree_result body_prepare(const scree_world *world, const scree_body_def *def, new_body *out);
/* Checks a definition. Errors: as scree_body_create. */
scree_result body_check(const scree_world *world, const scree_body_def *def);
/* Writes a checked state. */
void body_write_state(body_array *bodies, int slot, const scree_body_state *state);
/* Fills a slot. Everything that can fail has been checked. */
void body_write(body_array *bodies, int slot, const scree_body_def *def, const new_body *made);
/* Adds a body. Errors: as scree_body_create. */
scree_result body_add(scree_world *world, const scree_body_def *def, int *out);
/* Removes a body with its joints, also from its kinematic group. */
void body_remove(scree_world *world, int slot);
/* Removes a body from its kinematic group, if it is in one. */
void body_leave_kinematic_group(scree_world *world, int slot);
/* Marks that no kinematic group moves the body, and sets its velocity to 0. */
void body_release_motion(body_array *bodies, int slot);
