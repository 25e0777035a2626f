/* Reads measurements and creates a world's gauges. */
#include <string.h>

#include "base/memory.h"
#include "scene.h"

static const char *kind_name(int kind) {
    return kind >= 0 && kind < SCREE_MEASUREMENT_COUNT
               ? scree_measurement_kind_name((scree_measurement_kind)kind)
               : NULL;
}

static scree_result name_read(const scene_node *node, void *target, void *context) {
    scene_measurement *of = target;
    const scree_scene *scene = ((scene_reader *)context)->scene;
    const char *text = json_string_value(node->value);
    const size_t length = json_string_length(node->value);
    if (!text || !length || length >= sizeof of->name)
        return node_fail(node, "must be a name of 1 to %zu letters, digits, \"-\" and \"_\"",
                         sizeof of->name - 1);
    memcpy(of->name, text, length + 1);
    for (int i = 0; i < scene->measurement_count; ++i)
        if (!strcmp(scene->measurements[i].name, of->name))
            return node_fail(node, "\"%s\": already the name of measurements[%d]; must be another name",
                             of->name, i);
    return SCREE_OK;
}

/* Refuses repeated members, which would count twice in a mean. */
static scree_result each_once(const scene_node *node, const int *members, int count, int of) {
    bool *named = memory_allocate((size_t)of, sizeof *named);
    int i = 0;
    if (!named) return fail(SCREE_ERROR_MEMORY, "out of memory for a measurement");
    while (i < count && !named[members[i]]) named[members[i++]] = true;
    memory_release(named);
    if (i == count) return SCREE_OK;
    const scene_node element = node_element(node, (size_t)i);
    return node_fail(&element, "%d: listed twice; must be listed once", members[i]);
}

static scree_result bodies_find(const scene_node *node, void *target, void *context) {
    scene_measurement *of = target;
    TRY(members_read(node, ((scene_reader *)context)->scene->body_count, "bodies", &of->bodies,
                     &of->body_count, &of->body_capacity));
    return each_once(node, of->bodies, of->body_count, ((scene_reader *)context)->scene->body_count);
}

static scree_result containers_find(const scene_node *node, void *target, void *context) {
    scene_measurement *of = target;
    return members_read(node, ((scene_reader *)context)->scene->container_count, "containers",
                        &of->containers, &of->container_count, &of->container_capacity);
}

static scree_result region_read(const scene_node *node, void *target, void *context) {
    scene_measurement *of = target;
    of->def.everywhere = false;
    return zone_read(node, &of->def.zone, context);
}

/* Reads the number of cells along each of the zone's axes. */
static scree_result cells_read(const scene_node *node, void *target, void *context) {
    scene_measurement *of = target;
    (void)context;
    TRY(array_check(node, 1, 3));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(int_read(&element, (field_range)BETWEEN(1, SCREE_MEASUREMENT_CELLS_MOST), NULL,
                     &of->def.cells[i]));
    }
    return SCREE_OK;
}

#define SPAN_FIELDS                                                                                          \
    NUMBER("every", FIELD_COUNT, scene_measurement, def.every.steps, AT_LEAST(1), NULL),                     \
        NUMBER("every_seconds", FIELD_DOUBLE, scene_measurement, def.every.seconds, BETWEEN(1e-9, 1e9), "s")
#define COMMON_FIELDS                                                                                        \
    SPAN_FIELDS, KIND_FIELD,                                                                                 \
        {"absent", FIELD_BOOL, offsetof(scene_measurement, def.paused), .required = false},                  \
        {"name", FIELD_OBJECT, 0, .read = name_read, .required = true},                                      \
        NUMBER("sample_every", FIELD_COUNT, scene_measurement, def.sample_every, AT_LEAST(1), NULL)
#define BODY_FIELDS                                                                                          \
    {"bodies", FIELD_OBJECT, 0, .read = bodies_find}, {                                                      \
        "containers", FIELD_OBJECT, 0, .read = containers_find                                               \
    }

static const field force_fields[] = {
    COMMON_FIELDS, BODY_FIELDS,
    NUMBER("point", FIELD_VEC3, scene_measurement, def.point, BETWEEN(-1e9, 1e9), "m")};

#define ZONE_FIELD                                                                                           \
    { "zone", FIELD_OBJECT, 0, .read = region_read }
#define REQUIRED_ZONE_FIELD                                                                                  \
    { "zone", FIELD_OBJECT, 0, .read = region_read, .required = true }

static const field zone_fields[] = {COMMON_FIELDS, ZONE_FIELD};
static const field volume_fields[] = {COMMON_FIELDS, REQUIRED_ZONE_FIELD};
static const field grid_fields[] = {
    COMMON_FIELDS, REQUIRED_ZONE_FIELD, {"cells", FIELD_OBJECT, 0, .read = cells_read}};

static const field box_fields[] = {
    COMMON_FIELDS, REQUIRED_ZONE_FIELD, {"cells", FIELD_OBJECT, 0, .read = cells_read, .required = true}};
static const field mixing_fields[] = {
    COMMON_FIELDS,
    REQUIRED_ZONE_FIELD,
    {"cells", FIELD_OBJECT, 0, .read = cells_read, .required = true},
    {"material", FIELD_OBJECT, offsetof(scene_measurement, material), .read = material_find},
    NUMBER("size_above", FIELD_DOUBLE, scene_measurement, def.size_above, AT_LEAST(0), "m")};
static const field contact_force_fields[] = {
    COMMON_FIELDS, ZONE_FIELD,
    NUMBER("classes", FIELD_INT, scene_measurement, def.cells, BETWEEN(1, SCREE_MEASUREMENT_CELLS_MOST),
           NULL),
    NUMBER("range", FIELD_DOUBLE, scene_measurement, def.range, BETWEEN(1e-3, 1e6), NULL)};
static const field energy_fields[] = {COMMON_FIELDS};
static const field position_fields[] = {COMMON_FIELDS, BODY_FIELDS};

#define KEYS(fields)                                                                                         \
    { fields, FIELD_COUNT_OF(fields) }

static const struct {
    const field *fields;
    int count;
} kinds[] = {
    [SCREE_MEASUREMENT_FORCE] = KEYS(force_fields),
    [SCREE_MEASUREMENT_FLOW] = KEYS(volume_fields),
    [SCREE_MEASUREMENT_SOLID_FRACTION] = KEYS(grid_fields),
    [SCREE_MEASUREMENT_COORDINATION] = KEYS(zone_fields),
    [SCREE_MEASUREMENT_STRESS] = KEYS(volume_fields),
    [SCREE_MEASUREMENT_FABRIC] = KEYS(zone_fields),
    [SCREE_MEASUREMENT_CONTACT_FORCE] = KEYS(contact_force_fields),
    [SCREE_MEASUREMENT_PROFILE] = KEYS(box_fields),
    [SCREE_MEASUREMENT_SURFACE] = KEYS(box_fields),
    [SCREE_MEASUREMENT_MIXING] = KEYS(mixing_fields),
    [SCREE_MEASUREMENT_ENERGY] = KEYS(energy_fields),
    [SCREE_MEASUREMENT_POSITION] = KEYS(position_fields),
};
_Static_assert(sizeof kinds / sizeof *kinds == SCREE_MEASUREMENT_COUNT,
               "every kind of measurement has its keys");

enum { default_classes = 20 };

/* The default rate of frames. */
static const double default_period = 1.0 / 30;

static scree_result measurement_read(const scene_node *node, scene_measurement *out, scene_reader *reader) {
    int kind = 0;
    uint64_t seen = 0;
    TRY(kind_read(node, kind_name, &kind));
    *out = (scene_measurement){.def = scree_default_measurement_def(), .material = SORT_BY_SIZE};
    if (kind == SCREE_MEASUREMENT_CONTACT_FORCE) out->def.cells[0] = default_classes;
    out->def.kind = (scree_measurement_kind)kind;
    TRY(fields_read(node, kinds[kind].fields, kinds[kind].count, out, reader, &seen));
    TRY(span_check(node, kinds[kind].fields, seen & 3));
    if (!(seen & 3)) out->def.every.seconds = default_period;
    if ((kind == SCREE_MEASUREMENT_FORCE || kind == SCREE_MEASUREMENT_POSITION) && !out->body_count &&
        !out->container_count)
        return node_fail(node, "must have \"bodies\" or \"containers\", whose %s is measured",
                         kind_name(kind));
    if (out->material != SORT_BY_SIZE && out->def.size_above > 0)
        return node_fail(node, "both \"material\" and \"size_above\" given; must have only one");
    out->def.name = out->name;
    const scree_result result = scree_validate_measurement_def(&out->def);
    out->def.name = NULL; /* `out` may move */
    return result == SCREE_OK ? SCREE_OK : node_fail_prefix(node, result);
}

scree_result measurements_read(const scene_node *node, void *target, void *context) {
    scree_scene *scene = target;
    TRY(array_check(node, 0, SCENE_MEASUREMENTS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        scene_measurement read = {.body_count = 0};
        TRY(MEMORY_RESERVE(scene->measurements, scene->measurement_capacity, i + 1, NULL));
        const scree_result result = measurement_read(&element, &read, context);
        scene->measurements[i] = read; /* released with the scene even on failure */
        scene->measurement_count++;
        TRY(result);
    }
    return SCREE_OK;
}

void scene_measurement_release(scene_measurement *self) {
    memory_release(self->bodies);
    memory_release(self->containers);
}

/* Lists the measured bodies that exist now; absent bodies have no id. */
static int find_bodies(const scene_measurement *of, const record *kept, scree_body_id *out) {
    int count = 0, present = 0;
    for (int i = 0; i < of->body_count; ++i) out[count++] = record_body(kept, of->bodies[i]);
    for (int i = 0; i < of->container_count; ++i) count += record_walls(kept, of->containers[i], out + count);
    for (int i = 0; i < count; ++i)
        if (out[i].index) out[present++] = out[i];
    return present;
}

/* Finds the world's id of one of the scene's materials. */
static scree_result find_material(const scree_scene *scene, int index, scree_world *world, const record *kept,
                                  scree_material_id *out) {
    if (index == MATERIAL_DEFAULT) {
        scree_material_list(world, out, 1); /* the first material is the default */
        return SCREE_OK;
    }
    const char **names = memory_allocate((size_t)scene->material_count, sizeof *names);
    if (!names) return fail(SCREE_ERROR_MEMORY, "out of memory for a measurement");
    scene_material_names(scene, names);
    *out = record_material(kept, names[index]);
    memory_release(names);
    return SCREE_OK;
}

static scree_result give(const scree_scene *scene, const scene_measurement *of, scree_world *world,
                         const record *kept, bool changed) {
    scree_measurement_def def = of->def;
    const scree_measurement_id known = scree_measurement_find(world, of->name);
    scree_body_id *bodies = memory_allocate(
        (size_t)of->body_count + CONTAINER_WALLS_MOST * (size_t)of->container_count, sizeof *bodies);
    if (!bodies) return fail(SCREE_ERROR_MEMORY, "out of memory for a measurement");
    if (of->material != SORT_BY_SIZE) TRY(find_material(scene, of->material, world, kept, &def.material));
    def.name = of->name;
    def.bodies = bodies;
    def.body_count = find_bodies(of, kept, bodies);
    const scree_result result = !known.index ? scree_measurement_create(world, &def, NULL)
                                : changed
                                    ? scree_measurement_set_def(world, known, &def)
                                    : scree_measurement_set_bodies(world, known, bodies, def.body_count);
    memory_release(bodies);
    return result;
}

scree_result measurements_give(const scree_scene *scene, scree_world *world, const record *kept,
                               const bool *changed) {
    record now = *kept;
    now.world = scree_world_get_number(world);
    for (int i = 0; i < scene->measurement_count; ++i) {
        const scree_result result = give(scene, &scene->measurements[i], world, &now, changed && changed[i]);
        if (result == SCREE_OK) continue;
        const scene_node root = {&scene->source, NULL, NULL, NULL, 0};
        const scene_node array = node_member(&root, "measurements"), entry = node_element(&array, (size_t)i);
        return node_fail_prefix(&entry, result);
    }
    return SCREE_OK;
}
