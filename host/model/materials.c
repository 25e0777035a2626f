#include "materials.h"

#include "base/handle_table.h"
#include "base/memory.h"

#include <math.h>
#include <string.h>

scree_material_def scree_default_material_def(void) {
    return (scree_material_def){.friction = 0.5f, .density = 1000, .cohesion_distance = 1e-5f};
}

/* Parameters of a contact of a material with itself. */
static scree_material_pair_def contact_of(const scree_material_def *def) {
    return (scree_material_pair_def){def->friction,          def->restitution, def->rolling_friction,
                                     def->spinning_friction, def->cohesion,    def->cohesion_distance,
                                     def->stiffness,         def->damping};
}

scree_material_pair_def scree_default_material_pair_def(void) {
    const scree_material_def def = scree_default_material_def();
    return contact_of(&def);
}

/* Above this friction, single precision cannot separate the cone's surface from its interior. */
static const float FRICTION_MAX = 1e6f;
/* Same limit as for springs of joints: derived values stay within single precision. */
static const float STIFFEST = 1e20f;

static scree_result check_spring(const char *field, float value) {
    if (value >= 0 && value <= STIFFEST) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: %g; must be 0 to %g", field, (double)value, (double)STIFFEST);
}

static scree_result check_not_negative(const char *field, float value, const char *unit) {
    if (value >= 0 && isfinite(value)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "%s: %g; must be finite and >= 0%s", field, (double)value, unit);
}

scree_result material_pair_validate(const scree_material_pair_def *def) {
    if (!(def->friction >= 0 && def->friction <= FRICTION_MAX))
        return fail(SCREE_ERROR_ARGUMENT, "friction: %g; must be 0 to %g", (double)def->friction,
                    (double)FRICTION_MAX);
    if (!(def->restitution >= 0 && def->restitution <= 1))
        return fail(SCREE_ERROR_ARGUMENT, "restitution: %g; must be 0 to 1", (double)def->restitution);
    TRY(check_not_negative("rolling_friction", def->rolling_friction, " m"));
    TRY(check_not_negative("spinning_friction", def->spinning_friction, " m"));
    TRY(check_not_negative("cohesion", def->cohesion, " N"));
    TRY(check_not_negative("cohesion_distance", def->cohesion_distance, " m"));
    TRY(check_spring("stiffness", def->stiffness));
    return check_spring("damping", def->damping);
}

scree_result material_validate(const scree_material_def *def) {
    const scree_material_pair_def contact = contact_of(def);
    if (!memchr(def->name, 0, sizeof def->name))
        return fail(SCREE_ERROR_ARGUMENT, "name: not zero-terminated; at most %d bytes may precede the zero",
                    SCREE_MATERIAL_NAME_SIZE - 1);
    TRY(material_pair_validate(&contact));
    if (!(def->density > 0) || !isfinite(def->density))
        return fail(SCREE_ERROR_ARGUMENT, "density: %g; must be finite and > 0 kg/m³", (double)def->density);
    return SCREE_OK;
}

scree_result material_table_init(material_table *table, const scree_material_def *first) {
    *table = (material_table){0};
    TRY(material_validate(first));
    return material_table_add(table, first, NULL);
}

void material_table_release(material_table *table) {
    memory_release(table->materials);
    memory_release(table->generations);
    memory_release(table->pairs);
    *table = (material_table){0};
}

/* Returns the first pair that is not below (a, b). */
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

/* Returns the place of the pair (a, b), in either order, or −1. */
static int pair_find(const material_table *table, int a, int b) {
    const int low = a < b ? a : b, high = a < b ? b : a, at = pair_position(table, low, high);
    return at < table->pair_count && table->pairs[at].a == low && table->pairs[at].b == high ? at : -1;
}

/* Two springs or dampers in series. */
static float in_series(float a, float b) { return a > 0 && b > 0 ? a / (1 + a / b) : 0; }

/* A material without stiffness takes the spring of the other one. */
static void combine_springs(const scree_material_def *a, const scree_material_def *b,
                            scree_material_pair_def *out) {
    const scree_material_def *only = a->stiffness > 0 ? a : b;
    const bool both = a->stiffness > 0 && b->stiffness > 0;
    out->stiffness = both ? in_series(a->stiffness, b->stiffness) : only->stiffness;
    out->damping = both ? in_series(a->damping, b->damping) : only->damping;
}

/* Instead of fmaxf, since NaN cannot occur. */
static float larger(float a, float b) { return a > b ? a : b; }

scree_material_pair_def material_combine(const material_table *table, int a, int b) {
    if (table->pair_count) {
        const int at = pair_find(table, a, b);
        if (at >= 0) return table->pairs[at].contact;
    }
    const scree_material_def *of_a = &table->materials[a], *of_b = &table->materials[b];
    scree_material_pair_def out = {
        .friction = sqrtf(of_a->friction * of_b->friction),
        .restitution = larger(of_a->restitution, of_b->restitution),
        .rolling_friction = larger(of_a->rolling_friction, of_b->rolling_friction),
        .spinning_friction = larger(of_a->spinning_friction, of_b->spinning_friction),
        .cohesion = (float)sqrt((double)of_a->cohesion * (double)of_b->cohesion),
        .cohesion_distance = larger(of_a->cohesion_distance, of_b->cohesion_distance)};
    combine_springs(of_a, of_b, &out);
    return out;
}

bool material_resists(const material_table *table) {
    bool resists = false;
    for (int i = 0; i < table->count; i++)
        resists |= table->materials[i].rolling_friction > 0 || table->materials[i].spinning_friction > 0;
    for (int i = 0; i < table->pair_count; i++)
        resists |=
            table->pairs[i].contact.rolling_friction > 0 || table->pairs[i].contact.spinning_friction > 0;
    return resists;
}

bool material_pair_resists(const material_table *table, int a, int b) {
    const scree_material_pair_def contact = material_combine(table, a, b);
    return contact.rolling_friction > 0 || contact.spinning_friction > 0;
}

void material_resistances(const material_table *table, uint32_t *bits) {
    const size_t count = (size_t)table->count;
    memset(bits, 0, material_resistance_words(table) * sizeof *bits);
    for (size_t i = 0; i < count * count; i++)
        if (material_pair_resists(table, (int)(i / count), (int)(i % count)))
            bits[i / 32] |= UINT32_C(1) << i % 32;
}

bool material_bounces(const material_table *table) {
    bool bounces = false;
    for (int i = 0; i < table->count; i++) bounces |= table->materials[i].restitution > 0;
    for (int i = 0; i < table->pair_count; i++) bounces |= table->pairs[i].contact.restitution > 0;
    return bounces;
}

float material_reach(const material_table *table) {
    float reach = -1, distance = 0;
    bool sticky = false;
    for (int i = 0; i < table->count; i++) {
        sticky |= table->materials[i].cohesion > 0;
        distance = fmaxf(distance, table->materials[i].cohesion_distance);
    }
    if (sticky) reach = distance;
    for (int i = 0; i < table->pair_count; i++)
        if (table->pairs[i].contact.cohesion > 0)
            reach = fmaxf(reach, table->pairs[i].contact.cohesion_distance);
    return reach;
}

static handle_table handles_of(const material_table *table) {
    return (handle_table){table->world, table->count, table->generations, sizeof *table->generations};
}

scree_result material_index(const material_table *table, scree_material_id id, int *out) {
    if (handle_is_null(id.index, id.generation, id.world)) {
        *out = 0;
        return SCREE_OK;
    }
    if (id.world != table->world && id.world)
        return fail(SCREE_ERROR_HANDLE, "material {%u, %u}: of world %u; must be of world %u", id.index,
                    id.generation, id.world, table->world);
    *out = handle_find(handles_of(table), id.index, id.generation, id.world);
    if (*out < 0)
        return fail(SCREE_ERROR_HANDLE, "material {%u, %u}: not a material of this world; must be alive",
                    id.index, id.generation);
    return SCREE_OK;
}

scree_material_id material_id_of(const material_table *table, int index) {
    return (scree_material_id){(uint32_t)index + 1, table->generations[index], table->world};
}

scree_result material_table_add(material_table *table, const scree_material_def *def,
                                scree_material_id *out) {
    TRY(material_validate(def));
    const int index = handle_free_place(handles_of(table));
    TRY(MEMORY_RESERVE(table->materials, table->capacity, index + 1, NULL));
    TRY(MEMORY_RESERVE(table->generations, table->generation_capacity, index + 1, NULL));
    if (index == table->count) table->generations[table->count++] = 0;
    table->materials[index] = *def;
    table->generations[index]++;
    if (out) *out = material_id_of(table, index);
    return SCREE_OK;
}

void material_table_remove(material_table *table, int index) {
    int kept = 0;
    for (int i = 0; i < table->pair_count; i++)
        if (table->pairs[i].a != index && table->pairs[i].b != index) table->pairs[kept++] = table->pairs[i];
    table->pair_count = kept;
    table->materials[index] = (scree_material_def){.density = 1};
    table->generations[index]++;
}

scree_result material_table_set_pair(material_table *table, int a, int b,
                                     const scree_material_pair_def *def) {
    TRY(material_pair_validate(def));
    const material_pair pair = {a < b ? a : b, a < b ? b : a, *def};
    const int at = pair_position(table, pair.a, pair.b);
    if (pair_find(table, a, b) < 0) {
        TRY(MEMORY_RESERVE(table->pairs, table->pair_capacity, table->pair_count + 1, NULL));
        memmove(table->pairs + at + 1, table->pairs + at,
                sizeof *table->pairs * (size_t)(table->pair_count - at));
        table->pair_count++;
    }
    table->pairs[at] = pair;
    return SCREE_OK;
}

void material_table_unset_pair(material_table *table, int a, int b) {
    const int at = pair_find(table, a, b);
    if (at < 0) return;
    table->pair_count--;
    memmove(table->pairs + at, table->pairs + at + 1,
            sizeof *table->pairs * (size_t)(table->pair_count - at));
}
