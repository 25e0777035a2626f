/* Reads measurements and creates those of a world. */
#include <string.h>

#include "base/memory.h"
#include "scene.h"

FIELD_NAMES_OF(kind_name, scree_measurement_kind)

static scree_result name_read(const scene_node *node, void *target) {
    const char *text = json_string_value(node->value);
    const size_t length = json_string_length(node->value);
    if (!text || !length || length >= SCREE_MEASUREMENT_NAME_SIZE)
        return node_fail(node, "must be a name of 1 to %d letters, digits, \"-\" and \"_\"",
                         SCREE_MEASUREMENT_NAME_SIZE - 1);
    memcpy(target, text, length + 1);
    return SCREE_OK;
}

/* Refuses repeated members, which would count twice in a mean. */
static scree_result each_once(const scene_node *node, const int *members, int count, int of) {
    SCOPED bool *named = memory_allocate((size_t)of, sizeof *named);
    int i = 0;
    if (!named) return fail(SCREE_ERROR_MEMORY, "out of memory for a measurement");
    while (i < count && !named[members[i]]) named[members[i++]] = true;
    if (i == count) return SCREE_OK;
    const scene_node element = node_element(node, (size_t)i);
    return node_fail(&element, "%d: listed twice; must be listed once", members[i]);
}

static scree_result bodies_find(const scene_node *node, void *target) {
    scene_measurement *of = target;
    TRY(members_read(node, SCENE_BODIES, &of->members));
    return each_once(node, of->members.bodies, of->members.body_count, scene_of(node)->body_count);
}

static scree_result containers_find(const scene_node *node, void *target) {
    return members_read(node, SCENE_CONTAINERS, &((scene_measurement *)target)->members);
}

static scree_result region_read(const scene_node *node, void *target) {
    scene_measurement *of = target;
    of->def.everywhere = false;
    return zone_read(node, &of->def.zone);
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_measurement, MEMBER, HELP, __VA_ARGS__)
#define BODY_ROWS                                                                                            \
    FIELD_OF_ALL(WHOLES, "bodies", "entries of `bodies`, of any type, each once", .most = SCENE_BODIES_MOST, \
                 .range = AT_LEAST(0), .read = bodies_find,                                                  \
                 .default_text = "this or `containers` required"),                                           \
        FIELD_OF_ALL(WHOLES, "containers", "entries of `containers`, each once",                             \
                     .most = SCENE_CONTAINERS_MOST, .range = AT_LEAST(0), .read = containers_find,           \
                     .default_text = "none")
#define ZONE_ROW(HELP, ...)                                                                                  \
    FIELD_OF_ALL(OBJECT, "zone", HELP, .object = &zone_object, .read = region_read, __VA_ARGS__)
#define ANY_ZONE_ROW ZONE_ROW("zone of the measured grains or contacts", .default_text = "everywhere")
#define BOX_ROW ZONE_ROW("zone, a box", .required = true)
#define CELLS_ROW(HELP, ...)                                                                                 \
    ROW(WHOLES, "cells", def.cells, HELP, .least = 1, .most = 3,                                             \
        .range = BETWEEN(1, SCREE_MEASUREMENT_CELLS_MOST), __VA_ARGS__)
#define REQUIRED_CELLS_ROW CELLS_ROW("number of cells along each axis of the box", .required = true)

static const field common_fields[] = {
    ROW(COUNT, "every", def.every.steps, "steps between two rows", .range = AT_LEAST(1),
        .default_text = "as `every_seconds`"),
    ROW(DOUBLE, "every_seconds", def.every.seconds, "time between two rows, to the nearest step",
        .range = BETWEEN(1e-9, 1e9), .unit = "s", .default_text = "1/30 s"),
    ROW(BOOL, "absent", def.paused, "true: it takes no samples and writes no rows, until a later stage"),
    ROW(TEXT, "name", name, "name of the file, of letters, digits, `-` and `_`; unique", .least = 1,
        .most = SCREE_MEASUREMENT_NAME_SIZE - 1, .read = name_read, .required = true),
    ROW(COUNT, "sample_every", def.sample_every,
        "steps between the samples for mean and maximum; the row's own step is always sampled",
        .range = AT_LEAST(1)),
};
static const field force_fields[] = {BODY_ROWS, ROW(VEC3, "point", def.point, "point of the torques",
                                                    .range = BETWEEN(-1e9, 1e9), .unit = "m")};
static const field zone_fields[] = {ANY_ZONE_ROW};
static const field flow_fields[] = {
    ZONE_ROW("the grains cross its plane z = 0 within it; of a half-space anywhere", .required = true)};
static const field stress_fields[] = {ZONE_ROW("the measured volume", .required = true)};
static const field fraction_fields[] = {
    ZONE_ROW("the measured volume", .required = true),
    CELLS_ROW("number of cells along each axis of a box, which are also measured", .default_text = "one")};
static const field box_fields[] = {BOX_ROW, REQUIRED_CELLS_ROW};
static const field surface_fields[] = {
    BOX_ROW, CELLS_ROW("number of cells along two axes of the box's base", .required = true)};
static const field mixing_fields[] = {
    BOX_ROW, REQUIRED_CELLS_ROW,
    ROW(TEXT, "material", material, "name of the material of the grains that are mixed with the others",
        .read = material_find, .default_text = "by `size_above`"),
    ROW(DOUBLE, "size_above", def.size_above, "instead, opening of the sieve that retains these grains",
        .range = AT_LEAST(0), .unit = "m")};
static const field contact_force_fields[] = {
    ANY_ZONE_ROW,
    ROW(INT, "classes", def.cells, "number of equal classes from 0 to `range`",
        .range = BETWEEN(1, SCREE_MEASUREMENT_CELLS_MOST)),
    ROW(DOUBLE, "range", def.range, "largest force of the classes, over the mean",
        .range = BETWEEN(1e-3, 1e6))};
static const field position_fields[] = {BODY_ROWS};

static const field_table kinds[] = {
    [SCREE_MEASUREMENT_FORCE] = FIELD_KIND(force_fields, "force and torque on bodies through contacts"),
    [SCREE_MEASUREMENT_FLOW] = FIELD_KIND(flow_fields, "grains that cross a plane; samples every step"),
    [SCREE_MEASUREMENT_SOLID_FRACTION] =
        FIELD_KIND(fraction_fields, "volume of grains over that of a zone outside obstacles"),
    [SCREE_MEASUREMENT_COORDINATION] = FIELD_KIND(zone_fields, "number of neighbours of a grain"),
    [SCREE_MEASUREMENT_STRESS] = FIELD_KIND(stress_fields, "stress tensor in a volume"),
    [SCREE_MEASUREMENT_FABRIC] = FIELD_KIND(zone_fields, "directions of contacts"),
    [SCREE_MEASUREMENT_CONTACT_FORCE] = FIELD_KIND(contact_force_fields, "distribution of normal forces"),
    [SCREE_MEASUREMENT_PROFILE] = FIELD_KIND(box_fields, "density, velocity and temperature by cells"),
    [SCREE_MEASUREMENT_SURFACE] = FIELD_KIND(surface_fields, "heights and slope of a free surface"),
    [SCREE_MEASUREMENT_MIXING] = FIELD_KIND(mixing_fields, "Lacey's index of two kinds of grains"),
    [SCREE_MEASUREMENT_ENERGY] = {.help = "energy of all dynamic bodies, and its dissipation; samples every "
                                          "step"},
    [SCREE_MEASUREMENT_POSITION] = FIELD_KIND(position_fields, "mean position and velocity of bodies"),
};
_Static_assert(sizeof kinds / sizeof *kinds == SCREE_MEASUREMENT_COUNT,
               "every kind of measurement has its keys");

/* The default rate of frames. */
static const double default_period = 1.0 / 30;

static void measurement_begin(void *target, int kind) {
    enum { CLASSES = 20 };
    scene_measurement *out = target;
    *out = (scene_measurement){.def = scree_default_measurement_def(), .material = SORT_BY_SIZE};
    out->def.kind = (scree_measurement_kind)kind;
    if (kind == SCREE_MEASUREMENT_CONTACT_FORCE) out->def.cells[0] = CLASSES;
}

static scree_result measurement_finish(const scene_node *node, void *target) {
    const scree_scene *scene = scene_of(node);
    scene_measurement *out = target;
    const scene_node name = node_member(node, "name");
    const int kind = (int)out->def.kind;
    for (int i = 0; i < scene->measurement_count - 1; i++)
        if (!strcmp(scene->measurements[i].name, out->name))
            return node_fail(&name, "\"%s\": already the name of measurements[%d]; must be another name",
                             out->name, i);
    TRY(span_finish(node, common_fields, out));
    if (!node_has(node, "every") && !node_has(node, "every_seconds")) out->def.every.seconds = default_period;
    if ((kind == SCREE_MEASUREMENT_FORCE || kind == SCREE_MEASUREMENT_POSITION) && !out->members.body_count &&
        !out->members.container_count)
        return node_fail(node, "must have \"bodies\" or \"containers\", whose %s is measured",
                         kind_name(kind));
    if (out->material != SORT_BY_SIZE && out->def.size_above > 0)
        return node_fail(node, "both \"material\" and \"size_above\" given; must have only one");
    out->def.name = out->name;
    return node_fail_prefix(node, scree_validate_measurement_def(&out->def));
}

const scene_object measurement_object =
    SCENE_OBJECT("measurement", scene_measurement, .kind = kind_name, .common = FIELD_TABLE(common_fields),
                 .kinds = kinds, .begin = measurement_begin, .finish = measurement_finish);

static scree_material_id find_material(const scree_scene *scene, int index, scree_world *world,
                                       const record *kept) {
    scree_material_id out = {0};
    if (index != MATERIAL_DEFAULT) return record_material(kept, scene->materials[index].name);
    scree_material_list(world, &out, 1); /* the first material is the default */
    return out;
}

static scree_result give(const scree_scene *scene, const scene_measurement *of, scree_world *world,
                         const record *kept, bool changed) {
    scree_measurement_def def = of->def;
    const scree_measurement_id known = scree_measurement_find(world, of->name);
    SCOPED scree_body_id *bodies = memory_allocate((size_t)members_most(&of->members), sizeof *bodies);
    if (!bodies) return fail(SCREE_ERROR_MEMORY, "out of memory for a measurement");
    if (of->material != SORT_BY_SIZE) def.material = find_material(scene, of->material, world, kept);
    def.bodies = bodies;
    def.body_count = record_members(kept, &of->members, bodies);
    if (!known.index) return scree_measurement_create(world, &def, NULL);
    return changed ? scree_measurement_set_def(world, known, &def)
                   : scree_measurement_set_bodies(world, known, bodies, def.body_count);
}

scree_result measurements_give(const scree_scene *scene, scree_world *world, const record *kept,
                               const bool *changed) {
    for (int i = 0; i < scene->measurement_count; i++) {
        const scree_result result = give(scene, &scene->measurements[i], world, kept, changed && changed[i]);
        TRY(scene_entry_fail(scene, SCENE_MEASUREMENTS, i, result));
    }
    return SCREE_OK;
}
