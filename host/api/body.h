#pragma once

#include "step/world.h"

/* Sets the masses of all bodies of a material from a density. Errors: ARGUMENT (a mass would be outside
 * single precision; all masses then stay). */
scree_result body_take_density(scree_world *world, int material, float density);
