/* Finds the scene entry from which a body was built. */
#include "scene.h"

#include "base/memory.h"

#include <stdio.h>

/* Returns the id of the living body with this index, or null. */
static scree_body_id living(const scree_world *world, uint32_t index) {
    const int count = scree_body_count(world);
    scree_body_id *all = memory_allocate((size_t)count, sizeof *all), found = {0};
    if (all) scree_body_list(world, all, count);
    for (int i = 0; i < count && all; ++i)
        if (all[i].index == index) found = all[i];
    memory_release(all);
    return found;
}

static bool same_id(scree_body_id a, scree_body_id b) {
    return a.index == b.index && a.generation == b.generation;
}

static bool find_listed(const record *kept, scree_body_id id, char *out, size_t size) {
    for (int i = 0; i < (int)json_array_size(kept->bodies); ++i)
        if (same_id(record_body(kept, i), id)) return snprintf(out, size, "bodies[%d]", i), true;
    for (int i = 0; i < (int)json_array_size(kept->walls); ++i) {
        scree_body_id walls[CONTAINER_WALLS_MOST];
        const int count = record_walls(kept, i, walls);
        for (int k = 0; k < count; ++k)
            if (same_id(walls[k], id)) return snprintf(out, size, "containers[%d], wall %d", i, k), true;
    }
    return false;
}

static bool find_generated(const record *kept, scree_body_id id, char *out, size_t size) {
    for (size_t i = 0; i < json_array_size(kept->generated); ++i) {
        const json_t *entry = json_array_get(kept->generated, i);
        const json_int_t first = json_integer_value(json_array_get(entry, 1)),
                         item = (json_int_t)id.index - first;
        if (item < 0 || item >= json_integer_value(json_array_get(entry, 3)) ||
            json_integer_value(json_array_get(entry, 2)) != (json_int_t)id.generation)
            continue;
        snprintf(out, size, "generators[%d], item %lld", (int)json_integer_value(json_array_get(entry, 0)),
                 (long long)item);
        return true;
    }
    return false;
}

bool scree_scene_get_body_path(const scree_world *world, uint32_t index, char *out, size_t size) {
    record kept;
    REQUIRE_ELSE(world, false);
    REQUIRE_ELSE(out, false);
    if (size > 0) out[0] = 0;
    const scree_body_id id = living(world, index);
    if (!id.index || record_read(world, &kept) != SCREE_OK) return false;
    const bool found = find_listed(&kept, id, out, size) || find_generated(&kept, id, out, size);
    record_release(&kept);
    return found;
}
