/* Search for bodies that make the problem of a world's last step infeasible. */
#pragma once

#include <scree/world.h>

/* Writes SCREE_INFEASIBLE_NONE if there is no problem or no proof was found. Errors: those of the backend's
 * fetch; MEMORY. */
scree_result infeasible_search_run(scree_world *world, scree_infeasible *out);
