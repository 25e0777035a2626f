/* The public search for the cause of a step without a solution. */
#include "base/error.h"
#include "step/infeasible_search.h"

scree_result scree_world_find_infeasible(scree_world *world, scree_infeasible *out) {
    REQUIRE(world);
    REQUIRE(out);
    return infeasible_search_run(world, out);
}
