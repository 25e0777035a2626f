#include "materials.h"

#include "../base/memory.h"
#include "world.h"

#include <math.h>
#include <string.h>

scree_material_def scree_default_material_def(void) {
    return (scree_material_def){.friction = 0.5f, .restitution = 0, .density = 1000};
}

static scree_result check_coefficients(float friction, float restitution) {
    if (!(friction >= 0) || !isfinite(friction))
        return fail(SCREE_ERROR_ARGUMENT, "friction is %g, expected a finite number of at least 0",
                    (double)friction);
    if (!(restitution >= 0 && restitution <= 1))
        return fail(SCREE_ERROR_ARGUMENT, "restitution is %g, expected 0 to 1", (double)restitution);
    return SCREE_OK;
}

scree_result material_validate(const scree_material_def *def) {
    TRY(check_coefficients(def->friction, def->restitution));
    if (!(def->density > 0) || !isfinite(def->density))
        return fail(SCREE_ERROR_ARGUMENT, "density is %g, expected a finite number above 0 kg/m³",
                    (double)def->density);
    return SCREE_OK;
}

scree_result material_table_init(material_table *table, const scree_material_def *first) {
    *table = (material_table){0};
    TRY(material_validate(first));
    TRY(MEMORY_RESERVE(table->materials, table->capacity, 1, NULL));
    table->materials[table->count++] = *first;
    return SCREE_OK;
}

void material_table_release(material_table *table) {
    memory_release(table->materials);
    memory_release(table->pairs);
    *table = (material_table){0};
}

/* The first pair not below (a, b). */
static int pair_position(const material_table *table, int a, int b) {
    int low = 0, high = table->pair_count;
    while (low < high) {
        const int middle = (low + high) / 2;
        const material_pair *pair = &table->pairs[middle];
        if (pair->a < a || (pair->a == a && pair->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

material_pair material_combine(const material_table *table, int a, int b) {
    if (a > b) {
        const int swap = a;
        a = b, b = swap;
    }
    if (table->pair_count) {
        const int at = pair_position(table, a, b);
        if (at < table->pair_count && table->pairs[at].a == a && table->pairs[at].b == b)
            return table->pairs[at];
    }
    const scree_material_def *of_a = &table->materials[a], *of_b = &table->materials[b];
    return (material_pair){a, b, sqrtf(of_a->friction * of_b->friction),
                           fmaxf(of_a->restitution, of_b->restitution)};
}

scree_result material_index(const material_table *table, scree_material_id id, int *out) {
    if (id.index == 0 && id.generation == 0) {
        *out = 0;
        return SCREE_OK;
    }
    if (id.generation != 1 || id.index == 0 || id.index > (uint32_t)table->count)
        return fail(SCREE_ERROR_HANDLE, "material {%u, %u} is not a material of this world", id.index,
                    id.generation);
    *out = (int)id.index - 1;
    return SCREE_OK;
}

scree_result scree_material_create(scree_world *world, const scree_material_def *def,
                                   scree_material_id *out) {
    material_table *table = &world->materials;
    TRY(material_validate(def));
    TRY(MEMORY_RESERVE(table->materials, table->capacity, table->count + 1, NULL));
    table->materials[table->count++] = *def;
    *out = (scree_material_id){(uint32_t)table->count, 1};
    return SCREE_OK;
}

scree_result scree_material_pair_set(scree_world *world, scree_material_id first, scree_material_id second,
                                     float friction, float restitution) {
    material_table *table = &world->materials;
    int a = 0, b = 0;
    TRY(material_index(table, first, &a));
    TRY(material_index(table, second, &b));
    TRY(check_coefficients(friction, restitution));
    const material_pair pair = {a < b ? a : b, a < b ? b : a, friction, restitution};
    const int at = pair_position(table, pair.a, pair.b);
    if (at == table->pair_count || table->pairs[at].a != pair.a || table->pairs[at].b != pair.b) {
        TRY(MEMORY_RESERVE(table->pairs, table->pair_capacity, table->pair_count + 1, NULL));
        memmove(table->pairs + at + 1, table->pairs + at,
                sizeof *table->pairs * (size_t)(table->pair_count - at));
        table->pair_count++;
    }
    table->pairs[at] = pair;
    return SCREE_OK;
}
