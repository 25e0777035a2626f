/* Public calls on materials. */
#include "shared.h"

#include "base/error.h"

scree_result scree_material_create(scree_world *world, const scree_material_def *def,
                                   scree_material_id *out) {
    REQUIRE(world);
    REQUIRE(def);
    REQUIRE(out);
    return material_table_add(&world->model.materials, def, out);
}

static scree_result check_unused(const scree_world *world, int index) {
    const body_array *bodies = &world->state.bodies;
    if (index == 0) return fail(SCREE_ERROR_ARGUMENT, "material: the default; cannot be destroyed");
    for (int slot = 0; slot < bodies->count; slot++)
        if (bodies->types[slot] != SLOT_FREE && bodies->materials[slot] == index)
            return fail(SCREE_ERROR_ARGUMENT, "material {%d, %u}: used by body {%d, %u}; cannot be destroyed",
                        index + 1, world->model.materials.generations[index], slot + 1,
                        bodies->generations[slot]);
    return SCREE_OK;
}

scree_result scree_material_destroy(scree_world *world, scree_material_id material) {
    int index = 0;
    REQUIRE(world);
    TRY(material_index(&world->model.materials, material, &index));
    TRY(check_unused(world, index));
    material_table_remove(&world->model.materials, index);
    return SCREE_OK;
}

bool scree_material_is_valid(const scree_world *world, scree_material_id material) {
    int index = 0;
    REQUIRE_ELSE(world, false);
    return material.index && material_index(&world->model.materials, material, &index) == SCREE_OK;
}

scree_result scree_material_get_def(const scree_world *world, scree_material_id material,
                                    scree_material_def *out) {
    int index = 0;
    REQUIRE(world);
    REQUIRE(out);
    TRY(material_index(&world->model.materials, material, &index));
    *out = world->model.materials.materials[index];
    return SCREE_OK;
}

scree_result scree_material_set_def(scree_world *world, scree_material_id material,
                                    const scree_material_def *def) {
    int index = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(material_index(&world->model.materials, material, &index));
    TRY(material_validate(def));
    if (def->density != world->model.materials.materials[index].density)
        TRY(body_take_density(world, index, def->density));
    world->model.materials.materials[index] = *def;
    if (index == 0) world->model.def.material = *def;
    return SCREE_OK;
}

int scree_material_count(const scree_world *world) {
    REQUIRE_ELSE(world, 0);
    return scree_material_list(world, NULL, 0);
}

int scree_material_list(const scree_world *world, scree_material_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    int count = 0;
    for (int i = 0; i < world->model.materials.count; i++) {
        if (!material_alive(&world->model.materials, i)) continue;
        if (count < capacity) out[count] = material_id_of(&world->model.materials, i);
        count++;
    }
    return count;
}

static scree_result pair_indices(const scree_world *world, scree_material_id first, scree_material_id second,
                                 int *a, int *b) {
    TRY(material_index(&world->model.materials, first, a));
    return material_index(&world->model.materials, second, b);
}

scree_result scree_material_get_pair(const scree_world *world, scree_material_id first,
                                     scree_material_id second, scree_material_pair_def *out) {
    int a = 0, b = 0;
    REQUIRE(world);
    REQUIRE(out);
    TRY(pair_indices(world, first, second, &a, &b));
    *out = material_combine(&world->model.materials, a, b);
    return SCREE_OK;
}

scree_result scree_material_set_pair(scree_world *world, scree_material_id first, scree_material_id second,
                                     const scree_material_pair_def *def) {
    int a = 0, b = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(pair_indices(world, first, second, &a, &b));
    return material_table_set_pair(&world->model.materials, a, b, def);
}

scree_result scree_material_clear_pair(scree_world *world, scree_material_id first,
                                       scree_material_id second) {
    int a = 0, b = 0;
    REQUIRE(world);
    TRY(pair_indices(world, first, second, &a, &b));
    material_table_unset_pair(&world->model.materials, a, b);
    return SCREE_OK;
}
