/* Reads inlets and outlets and creates them in the world. */
#include "base/noise.h"
#include "scene.h"

FIELD_NAMES_OF(zone_name, scree_zone_kind)

/* A zone as given in a file: full sizes instead of half extents. */
typedef struct zone_text {
    scree_zone_kind kind;
    double size[3], position[3], radius, height;
    scree_quat rotation;
} zone_text;

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, zone_text, MEMBER, HELP, __VA_ARGS__)
#define LENGTH_ROW(TYPE, KEY, MEMBER, HELP)                                                                  \
    ROW(TYPE, KEY, MEMBER, HELP, .range = LENGTH, .unit = "m", .required = true)
#define RADIUS_ROW LENGTH_ROW(DOUBLE, "radius", radius, "radius")

static const field place_fields[] = {
    ROW(TRIPLE, "position", position, "the centre, or a point of the plane", .range = BETWEEN(-1e9, 1e9),
        .unit = "m"),
    ROW(OBJECT, "rotation", rotation, "rotation about `position`", .object = &rotation_object,
        .read = rotation_read, .default_text = "none"),
};
static const field box_fields[] = {LENGTH_ROW(TRIPLE, "size", size, "edges")};
static const field cylinder_fields[] = {RADIUS_ROW, LENGTH_ROW(DOUBLE, "height", height, "height")};
static const field sphere_fields[] = {RADIUS_ROW};

static const field_table zones[] = {
    [SCREE_ZONE_BOX] = FIELD_KIND(box_fields, "a cuboid"),
    [SCREE_ZONE_CYLINDER] = FIELD_KIND(cylinder_fields, "a cylinder about its z axis"),
    [SCREE_ZONE_SPHERE] = FIELD_KIND(sphere_fields, "a ball"),
    [SCREE_ZONE_HALF_SPACE] = {.help = "all points below its plane z = 0"},
};
_Static_assert(sizeof zones / sizeof *zones == SCREE_ZONE_COUNT, "every kind of zone has its keys");

FIELD_DEFAULTS(zone_begin, zone_text, (zone_text){.kind = (scree_zone_kind)kind, .rotation = {0, 0, 0, 1}})

const scene_object zone_object =
    SCENE_OBJECT("zone", zone_text, .kind = zone_name, .common = FIELD_TABLE(place_fields), .kinds = zones,
                 .begin = zone_begin);

static scree_vec3 vector_of(const double v[3], double scale) {
    return (scree_vec3){(float)(scale * v[0]), (float)(scale * v[1]), (float)(scale * v[2])};
}

scree_result zone_read(const scene_node *node, void *target) {
    zone_text text;
    scree_zone *out = target;
    TRY(object_read(node, &zone_object, &text));
    const double full_size[3] = {2 * text.radius, 2 * text.radius, text.height};
    out->kind = text.kind;
    out->size = vector_of(text.kind == SCREE_ZONE_BOX ? text.size : full_size, 0.5);
    out->position = vector_of(text.position, 1);
    out->rotation = text.rotation;
    return SCREE_OK;
}
#undef ROW

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_inlet, MEMBER, HELP, __VA_ARGS__)
static const field inlet_fields[] = {
    ROW(OBJECT, "zone", def.zone,
        "the centres of new grains are distributed uniformly in it; not a half-space", .object = &zone_object,
        .read = zone_read, .required = true),
    ROW(OBJECT, "body", body, "definition of each grain, dynamic", .object = &template_object,
        .required = true),
    ROW(OBJECT, "size", sizes, "size of each grain, as for generators", .object = &distribution_object,
        .default_text = "the shape's own"),
    ROW(ENUM, "orientation", orientation, "the rotation of `body`, or uniform over all rotations",
        .name = orientation_name),
    ROW(DOUBLE, "mass_rate", def.mass_rate, "rate of inserted mass", .range = BETWEEN(1e-15, 1e12),
        .unit = "kg/s", .default_text = "this or `rate` required"),
    ROW(DOUBLE, "rate", def.rate, "rate of inserted grains", .range = BETWEEN(1e-9, 1e9), .unit = "grains/s",
        .default_text = "none"),
    ROW(DOUBLE, "start", def.start,
        "when the inlet begins, since the start of the run or since the inlet was added",
        .range = BETWEEN(0, 1e9), .unit = "s"),
    ROW(DOUBLE, "stop", def.stop,
        "when the inlet ends, counted from the same time as `start`; grains that wait then are dropped",
        .range = BETWEEN(0, 1e9), .unit = "s", .default_text = "never"),
    ROW(COUNT, "count", def.count, "maximum number of grains in total", .range = AT_LEAST(1),
        .default_text = "no limit"),
    ROW(BOOL, "absent", def.closed, "true: the inlet is closed, until a later stage"),
};

FIELD_DEFAULTS(inlet_begin, scene_inlet, (scene_inlet){.def = scree_default_inlet_def()})

static scree_result inlet_finish(const scene_node *node, void *target) {
    scene_inlet *out = target;
    out->sized = node_has(node, "size");
    out->def.random_rotation = out->orientation == ORIENTATION_RANDOM;
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

const scene_object inlet_object = SCENE_OBJECT("inlet", scene_inlet, .common = FIELD_TABLE(inlet_fields),
                                               .begin = inlet_begin, .finish = inlet_finish);
#undef ROW

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scree_outlet_def, MEMBER, HELP, __VA_ARGS__)
static const field outlet_fields[] = {
    ROW(OBJECT, "zone", zone,
        "dynamic bodies with their centres in it at the end of a step are removed and counted",
        .object = &zone_object, .read = zone_read, .required = true),
    ROW(BOOL, "outside", outside,
        "true: remove dynamic bodies outside the zone instead; the zone is then the domain"),
    ROW(BOOL, "stops", stops,
        "true: instead of removing a body, stop the run before the step that would bring it there"),
    ROW(BOOL, "absent", closed, "true: the outlet is closed, until a later stage"),
};

static void outlet_begin(void *target, int kind) {
    scree_outlet_def *out = target;
    (void)kind;
    *out = scree_default_outlet_def();
    /* A key that is left out is false, unlike in the definition's default, whose zone is the domain. */
    out->outside = false;
}

const scene_object outlet_object =
    SCENE_OBJECT("outlet", scree_outlet_def, .common = FIELD_TABLE(outlet_fields), .begin = outlet_begin);

enum { QUANTILES = 1025 }; /* samples that represent a distribution */

scree_result inlet_build(scree_world *world, const scene_inlet *from, const scree_material_id *materials,
                         uint64_t seed, int index, scree_flow_id replaced, scree_flow_id *out) {
    scree_inlet_def def = from->def;
    float sizes[QUANTILES];
    def.body = from->body.def;
    def.body.material = scene_material_id(materials, from->body.material);
    def.seed = noise_mix(seed + 1) + noise_mix((uint64_t)index + 1);
    for (int i = 0; i < QUANTILES && from->sized; i++)
        sizes[i] = (float)distribution_quantile(&from->sizes, fmin(i / (QUANTILES - 1.0), 1 - 1e-9));
    def.sizes = from->sized ? sizes : NULL;
    def.size_count = from->sized ? QUANTILES : 0;
    return replaced.index ? scree_inlet_set_def(world, replaced, &def) : scree_inlet_create(world, &def, out);
}
