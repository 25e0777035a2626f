/* Reads inlets and outlets and creates them in the world. */
#include "base/memory.h"
#include "base/noise.h"
#include "scene.h"

static const char *zone_name(int kind) {
    return kind >= 0 && kind < SCREE_ZONE_COUNT ? scree_zone_kind_name((scree_zone_kind)kind) : NULL;
}

/* A zone as given in a file: full sizes instead of half extents. */
typedef struct zone_text {
    double size[3], position[3], radius, height;
    scree_quat rotation;
} zone_text;

#define PLACE_FIELDS                                                                                         \
    KIND_FIELD, NUMBER("position", FIELD_TRIPLE, zone_text, position, BETWEEN(-1e9, 1e9), "m"), {            \
        "rotation", FIELD_OBJECT, offsetof(zone_text, rotation), .read = rotation_read                       \
    }
#define RADIUS_FIELD REQUIRED_NUMBER("radius", FIELD_DOUBLE, zone_text, radius, LENGTH, "m")

static const field box_fields[] = {PLACE_FIELDS,
                                   REQUIRED_NUMBER("size", FIELD_TRIPLE, zone_text, size, LENGTH, "m")};
static const field cylinder_fields[] = {
    PLACE_FIELDS, RADIUS_FIELD, REQUIRED_NUMBER("height", FIELD_DOUBLE, zone_text, height, LENGTH, "m")};
static const field sphere_fields[] = {PLACE_FIELDS, RADIUS_FIELD};
static const field half_space_fields[] = {PLACE_FIELDS};

static const struct {
    const field *fields;
    int count;
} zones[] = {
    [SCREE_ZONE_BOX] = {box_fields, FIELD_COUNT_OF(box_fields)},
    [SCREE_ZONE_CYLINDER] = {cylinder_fields, FIELD_COUNT_OF(cylinder_fields)},
    [SCREE_ZONE_SPHERE] = {sphere_fields, FIELD_COUNT_OF(sphere_fields)},
    [SCREE_ZONE_HALF_SPACE] = {half_space_fields, FIELD_COUNT_OF(half_space_fields)},
};
_Static_assert(sizeof zones / sizeof *zones == SCREE_ZONE_COUNT, "every kind of zone has its keys");

scree_result zone_read(const scene_node *node, void *target, void *context) {
    zone_text text = {.rotation = {0, 0, 0, 1}};
    scree_zone *out = target;
    int kind = 0;
    TRY(kind_read(node, zone_name, &kind));
    TRY(fields_read(node, zones[kind].fields, zones[kind].count, &text, context, NULL));
    out->kind = (scree_zone_kind)kind;
    out->size =
        kind == SCREE_ZONE_BOX
            ? (scree_vec3){(float)(text.size[0] / 2), (float)(text.size[1] / 2), (float)(text.size[2] / 2)}
            : (scree_vec3){(float)text.radius, (float)text.radius, (float)(text.height / 2)};
    out->position = (scree_vec3){(float)text.position[0], (float)text.position[1], (float)text.position[2]};
    out->rotation = text.rotation;
    return SCREE_OK;
}

static scree_result inlet_read(const scene_node *node, scene_inlet *out, scene_reader *reader) {
    static const field fields[] = {
        {"zone", FIELD_OBJECT, offsetof(scene_inlet, def.zone), .read = zone_read, .required = true},
        {"body", FIELD_OBJECT, offsetof(scene_inlet, body), .read = body_template_read, .required = true},
        {"size", FIELD_OBJECT, offsetof(scene_inlet, sizes), .read = distribution_read},
        {"orientation", FIELD_OBJECT, offsetof(scene_inlet, def.random_rotation), .read = orientation_read},
        NUMBER("mass_rate", FIELD_DOUBLE, scene_inlet, def.mass_rate, BETWEEN(1e-15, 1e12), "kg/s"),
        NUMBER("rate", FIELD_DOUBLE, scene_inlet, def.rate, BETWEEN(1e-9, 1e9), "grains/s"),
        NUMBER("start", FIELD_DOUBLE, scene_inlet, def.start, BETWEEN(0, 1e9), "s"),
        NUMBER("stop", FIELD_DOUBLE, scene_inlet, def.stop, BETWEEN(0, 1e9), "s"),
        NUMBER("count", FIELD_COUNT, scene_inlet, def.count, AT_LEAST(1), NULL),
        {"absent", FIELD_BOOL, offsetof(scene_inlet, def.closed), .required = false},
    };
    const scene_node size = node_member(node, "size");
    *out = (scene_inlet){.def = scree_default_inlet_def()};
    out->sized = size.value;
    reader->lengths_given = !out->sized;
    const scree_result result = fields_read(node, fields, FIELD_COUNT_OF(fields), out, reader, NULL);
    reader->lengths_given = true;
    TRY(result);
    if ((out->def.rate > 0) == (out->def.mass_rate > 0))
        return node_fail(node, "must have either \"rate\" or \"mass_rate\"");
    if (!(out->def.stop > out->def.start))
        return node_fail(node, "stop: %.9g s; must be more than the start, %.9g s", out->def.stop,
                         out->def.start);
    if (out->body.def.type != SCREE_BODY_DYNAMIC || isinf(scree_shape_get_volume(out->body.def.shape)))
        return node_fail(node, "body: not dynamic; must be dynamic");
    if (out->def.zone.kind == SCREE_ZONE_HALF_SPACE)
        return node_fail(node, "zone: a half-space; must be finite");
    return SCREE_OK;
}

scree_result inlets_read(const scene_node *node, void *target, void *context) {
    scree_scene *scene = target;
    TRY(array_check(node, 0, SCENE_FLOWS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(MEMORY_RESERVE(scene->inlets, scene->inlet_capacity, i + 1, NULL));
        TRY(inlet_read(&element, &scene->inlets[i], context));
        scene->inlet_count++;
    }
    return SCREE_OK;
}

scree_result outlets_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        {"zone", FIELD_OBJECT, offsetof(scree_outlet_def, zone), .read = zone_read, .required = true},
        {"outside", FIELD_BOOL, offsetof(scree_outlet_def, outside), .required = false},
        {"stops", FIELD_BOOL, offsetof(scree_outlet_def, stops), .required = false},
        {"absent", FIELD_BOOL, offsetof(scree_outlet_def, closed), .required = false},
    };
    scree_scene *scene = target;
    TRY(array_check(node, 0, SCENE_FLOWS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(MEMORY_RESERVE(scene->outlets, scene->outlet_capacity, i + 1, NULL));
        scene->outlets[i] = scree_default_outlet_def();
        scene->outlets[i].outside = false;
        TRY(fields_read(&element, fields, FIELD_COUNT_OF(fields), &scene->outlets[i], context, NULL));
        scene->outlet_count++;
    }
    return SCREE_OK;
}

enum { QUANTILES = 1025 }; /* samples that represent a distribution */

scree_result inlet_build(scree_world *world, const scene_inlet *from, const scree_material_id *materials,
                         uint64_t seed, int index, scree_flow_id known, scree_flow_id *out) {
    scree_inlet_def def = from->def;
    float sizes[QUANTILES];
    def.body = from->body.def;
    def.body.material = scene_material_id(materials, from->body.material);
    def.seed = noise_mix(seed + 1) + noise_mix((uint64_t)index + 1);
    for (int i = 0; i < QUANTILES && from->sized; ++i)
        sizes[i] = (float)distribution_quantile(&from->sizes, fmin(i / (QUANTILES - 1.0), 1 - 1e-9));
    if (from->sized) def.sizes = sizes, def.size_count = QUANTILES;
    return known.index ? scree_inlet_set_def(world, known, &def) : scree_inlet_create(world, &def, out);
}
