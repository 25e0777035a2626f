#include "interval.h"

#include "base/memory.h"

static const char NAME[] = "interval of measurements.csv";

interval *interval_find(const scree_world *world) { return scree_world_find_observer(world, NAME); }

scree_result interval_make(scree_world *world, interval **out) {
    *out = interval_find(world);
    if (*out) return SCREE_OK;
    *out = memory_allocate(1, sizeof **out);
    if (!*out) return fail(SCREE_ERROR_MEMORY, "out of memory: the interval of the measurements");
    const scree_observer observer = {.name = NAME, .user = *out, .destroy = memory_release};
    const scree_result result = scree_world_add_observer(world, &observer);
    if (result != SCREE_OK) memory_release(*out);
    return result;
}
