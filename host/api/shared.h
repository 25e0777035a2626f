/* Functions of public calls that other files of this folder use. */
#pragma once

#include "step/world.h"

/* Sets the number in the ids of a world's objects. */
void world_set_number(scree_world *world, uint32_t number);
/* Sets the masses of all bodies of a material from a density. Errors: ARGUMENT (a mass would be outside
 * single precision; all masses then stay). */
scree_result body_take_density(scree_world *world, int material, float density);
/* Computes the load of a body's next step with another one (N, N m about its centre) added. Errors: ARGUMENT
 * (too large for a finite state). */
scree_result body_load_with(const scree_world *world, int slot, body_load added, body_load *out);
/* Checks an item read from a file. Errors: ARGUMENT. */
scree_result flow_validate(const scree_world *world, const flow_item *item);
/* Fails if a kinematic group prescribes the body's motion, so that its state cannot be set. Errors: ARGUMENT.
 */
scree_result kinematic_group_check_not_member(const scree_world *world, int slot);
