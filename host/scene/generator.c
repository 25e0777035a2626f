/* Generators: reading them, and making their items one by one. */
#include <math.h>

#include "base/memory.h"
#include "base/noise.h"
#include "scene.h"

static const char *generator_kind_name(int kind) {
    static const char *const names[] = {"lattice", "pyramid", "fill", "grains"};
    return kind >= 0 && kind < 4 ? names[kind] : NULL;
}

static const char *region_kind_name(int kind) {
    static const char *const names[] = {"box", "cylinder"};
    return kind >= 0 && kind < 2 ? names[kind] : NULL;
}

static const char *orientation_name(int orientation) {
    static const char *const names[] = {"fixed", "random"};
    return orientation >= 0 && orientation < 2 ? names[orientation] : NULL;
}

scree_result orientation_read(const scene_node *node, void *target, void *context) {
    (void)context;
    int orientation = 0;
    TRY(enum_read(node, orientation_name, &orientation));
    *(bool *)target = orientation == 1;
    return SCREE_OK;
}

static scree_result region_read(const scene_node *node, void *target, void *context) {
    static const field box_fields[] = {
        KIND_FIELD,
        NUMBER("position", FIELD_TRIPLE, region, position, BETWEEN(-1e9, 1e9), "m"),
        REQUIRED_NUMBER("size", FIELD_PAIR, region, size, LENGTH, "m"),
        NUMBER("height", FIELD_DOUBLE, region, height, LENGTH, "m"),
    };
    static const field cylinder_fields[] = {
        KIND_FIELD,
        NUMBER("position", FIELD_TRIPLE, region, position, BETWEEN(-1e9, 1e9), "m"),
        REQUIRED_NUMBER("radius", FIELD_DOUBLE, region, size, LENGTH, "m"),
        NUMBER("height", FIELD_DOUBLE, region, height, LENGTH, "m"),
    };
    region *space = target;
    *space = (region){0};
    int kind = 0;
    TRY(kind_read(node, region_kind_name, &kind));
    space->kind = (region_kind)kind;
    return space->kind == REGION_BOX
               ? fields_read(node, box_fields, FIELD_COUNT_OF(box_fields), space, context, NULL)
               : fields_read(node, cylinder_fields, FIELD_COUNT_OF(cylinder_fields), space, context, NULL);
}

double region_base(const region *space) {
    return space->kind == REGION_BOX ? space->size[0] * space->size[1]
                                     : 3.14159265358979323846 * space->size[0] * space->size[0];
}

double region_volume(const region *space) { return region_base(space) * space->height; }

double generator_item_size(const generator *g, uint32_t key, const packing *places, int item) {
    if (places->sizes) return places->sizes[item];
    if (g->grains) return 2 * (double)g->grains[item].radius;
    if (!g->sized) return scree_shape_get_sieve_size(g->body.def.shape);
    return distribution_quantile(&g->sizes, noise_unit(key, (uint32_t)item, NOISE_SIZE) +
                                                0x1p-25); /* the middle of the interval */
}

double generator_item_radius(const generator *g, double size) {
    return scree_shape_get_radius(g->body.def.shape) * (size / scree_shape_get_sieve_size(g->body.def.shape));
}

double generator_volume(const generator *g, double size) {
    const double scale = size / scree_shape_get_sieve_size(g->body.def.shape);
    return scree_shape_get_volume(g->body.def.shape) * scale * scale * scale;
}

double generator_mean_volume(const generator *g) {
    if (!g->sized) return scree_shape_get_volume(g->body.def.shape);
    return generator_volume(g, 1) * distribution_mean_cube(&g->sizes);
}

double generator_largest_radius(const generator *g) {
    return generator_item_radius(g,
                                 g->sized ? g->sizes.maximum : scree_shape_get_sieve_size(g->body.def.shape));
}

#define COMMON_FIELDS                                                                                        \
    KIND_FIELD,                                                                                              \
        {"body", FIELD_OBJECT, offsetof(generator, body), .read = body_template_read, .required = true},     \
        {"size", FIELD_OBJECT, offsetof(generator, sizes), .read = distribution_read},                       \
        {"orientation", FIELD_OBJECT, offsetof(generator, random_orientation), .read = orientation_read},    \
        NUMBER("position", FIELD_TRIPLE, generator, position, BETWEEN(-1e9, 1e9), "m")

static scree_result cells_read(const scene_node *node, void *target, void *context) {
    (void)context;
    int *cells = target;
    TRY(array_check(node, 3, 3));
    for (size_t i = 0; i < 3; ++i) {
        const scene_node element = node_element(node, i);
        TRY(int_read(&element, (field_range)BETWEEN(1, SCENE_BODIES_MOST), NULL, &cells[i]));
    }
    return SCREE_OK;
}

static scree_result lattice_read(const scene_node *node, generator *g, scene_reader *reader) {
    static const field fields[] = {
        COMMON_FIELDS,
        {"cells", FIELD_OBJECT, offsetof(generator, cells), .read = cells_read, .required = true},
        REQUIRED_NUMBER("spacing", FIELD_EACH, generator, spacing, LENGTH, "m"),
        NUMBER("jitter", FIELD_EACH, generator, jitter, BETWEEN(0, 1e6), "m"),
        NUMBER("count", FIELD_INT, generator, count, BETWEEN(1, SCENE_BODIES_MOST), NULL),
    };
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), g, reader, NULL));
    const double places = (double)g->cells[0] * g->cells[1] * g->cells[2];
    if (g->count > places) {
        const scene_node count = node_member(node, "count");
        return node_fail(&count, "%d; must be at most the %.0f places given by \"cells\"", g->count, places);
    }
    const scene_node cells = node_member(node, "cells");
    TRY(scene_count_bodies(reader->scene, &cells, g->count ? g->count : places));
    if (!g->count) g->count = (int)places;
    return SCREE_OK;
}

static scree_result pyramid_read(const scene_node *node, generator *g, scene_reader *reader) {
    static const field fields[] = {
        COMMON_FIELDS,
        REQUIRED_NUMBER("rows", FIELD_INT, generator, rows, BETWEEN(1, 10000), NULL),
        REQUIRED_NUMBER("spacing", FIELD_PAIR, generator, spacing, LENGTH, "m"),
    };
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), g, reader, NULL));
    g->count = g->rows * (g->rows + 1) / 2;
    const scene_node rows = node_member(node, "rows");
    return scene_count_bodies(reader->scene, &rows, g->count);
}

/* Completes a fill: two of count, solid fraction and height of the region determine the third. */
static scree_result complete_fill(const scene_node *node, generator *g, scree_scene *scene) {
    const scene_node count = node_member(node, "count"), fraction = node_member(node, "solid_fraction"),
                     space = node_member(node, "region"), height = node_member(&space, "height");
    if (!!count.value + !!fraction.value + !!height.value != 2)
        return node_fail(
            node, "must have exactly two of \"count\", \"solid_fraction\" and the region's \"height\"");
    const double volume = generator_mean_volume(g), radius = generator_largest_radius(g);
    if (!height.value) {
        g->space.height = g->count * volume / (g->solid_fraction * region_base(&g->space));
        if (g->space.height < 2 * radius)
            return node_fail(&fraction,
                             "the resulting height of %.3g m is too low for the largest grain of %.3g m; "
                             "must be at most %.3g, more grains or a smaller region",
                             g->space.height, 2 * radius, g->solid_fraction * g->space.height / (2 * radius));
        if (g->space.height > 1e6)
            return node_fail(node, "the resulting height is %.3g m; must be at most 1e6", g->space.height);
    }
    double asked = g->count;
    if (!count.value) asked = fmax(1, floor(g->solid_fraction * region_volume(&g->space) / volume + 0.5));
    TRY(scene_count_bodies(scene, count.value ? &count : &fraction, asked));
    g->count = (int)asked;
    const region *r = &g->space;
    const double width = r->kind == REGION_BOX ? fmin(r->size[0], r->size[1]) : 2 * r->size[0];
    if (2 * radius > fmin(width, r->height))
        return node_fail(&space, "the largest grain needs %.6g m in every direction; region must be larger",
                         2 * radius);
    return SCREE_OK;
}

static scree_result fill_read(const scene_node *node, generator *g, scene_reader *reader) {
    static const field fields[] = {
        KIND_FIELD,
        {"body", FIELD_OBJECT, offsetof(generator, body), .read = body_template_read, .required = true},
        {"size", FIELD_OBJECT, offsetof(generator, sizes), .read = distribution_read},
        {"orientation", FIELD_OBJECT, offsetof(generator, random_orientation), .read = orientation_read},
        {"region", FIELD_OBJECT, offsetof(generator, space), .read = region_read, .required = true},
        NUMBER("count", FIELD_INT, generator, count, BETWEEN(1, SCENE_BODIES_MOST), NULL),
        NUMBER("solid_fraction", FIELD_DOUBLE, generator, solid_fraction, INSIDE(0, 1), NULL),
        NUMBER("gap", FIELD_DOUBLE, generator, gap, BETWEEN(0, 1e6), "m"),
        NUMBER("attempts", FIELD_INT, generator, attempts, BETWEEN(1, 1000000), NULL),
    };
    g->attempts = 100000;
    return fields_read(node, fields, FIELD_COUNT_OF(fields), g, reader, NULL);
}

/* Reads a table of grains, which the scene then owns, and takes the range of sizes from it. */
static scree_result table_read(const scene_node *node, void *target, void *context) {
    generator *g = target;
    scree_scene *scene = ((scene_reader *)context)->scene;
    scree_grains table = {0};
    char value[NODE_TEXT];
    if (!json_is_string(node->value))
        return node_fail(node, "%s; must be the name of a CSV file", node_describe(node, value));
    TRY(MEMORY_RESERVE(scene->tables, scene->table_capacity, scene->table_count + 1, NULL));
    char *path = scene_path(scene, json_string_value(node->value));
    if (!path) return fail(SCREE_ERROR_MEMORY, "out of memory for the name of a table");
    const scree_result result = scree_grains_load(path, &table);
    memory_release(path);
    if (result != SCREE_OK) return node_fail(node, "%s", scree_error_get_message());
    scene->tables[scene->table_count++] = table;
    if (!table.count) return node_fail(node, "%s: the table has no grains", json_string_value(node->value));
    g->grains = table.items, g->count = table.count;
    g->sizes.minimum = INFINITY;
    for (int i = 0; i < table.count; ++i) {
        g->sizes.minimum = fmin(g->sizes.minimum, 2 * (double)table.items[i].radius);
        g->sizes.maximum = fmax(g->sizes.maximum, 2 * (double)table.items[i].radius);
    }
    return scene_count_bodies(scene, node, table.count);
}

static scree_result grains_read(const scene_node *node, generator *g, scene_reader *reader) {
    static const field fields[] = {
        KIND_FIELD,
        {"body", FIELD_OBJECT, offsetof(generator, body), .read = body_template_read, .required = true},
        {"orientation", FIELD_OBJECT, offsetof(generator, random_orientation), .read = orientation_read},
        {"file", FIELD_OBJECT, 0, .read = table_read, .required = true},
        NUMBER("position", FIELD_TRIPLE, generator, position, BETWEEN(-1e9, 1e9), "m"),
    };
    return fields_read(node, fields, FIELD_COUNT_OF(fields), g, reader, NULL);
}

/* Checks the lengths that result from scaling the shape: each must be in the range allowed for shapes. */
static scree_result check_sizes(const scene_node *node, const generator *g) {
    const field_range length = LENGTH;
    const scree_vec3 half = g->body.def.shape.size;
    const double size = scree_shape_get_sieve_size(g->body.def.shape);
    const double lengths[3] = {half.x, half.y, half.z};
    double least = INFINITY, most = 0;
    for (int i = 0; i < 3; i++) /* lengths that the kind does not use are 0 */
        if (lengths[i] > 0) least = fmin(least, lengths[i]), most = fmax(most, lengths[i]);
    least *= g->sizes.minimum / size, most *= g->sizes.maximum / size;
    const scene_node place = node_member(node, g->grains ? "file" : "size");
    if (least >= 0.5 * length.low && most <= length.high) return SCREE_OK;
    return node_fail(&place, "resulting lengths from %.3g to %.3g m; must be from %g to %g", least, most,
                     0.5 * length.low, length.high);
}

scree_result generator_read(const scene_node *node, void *target, void *context) {
    scene_reader *reader = context;
    generator *g = target;
    *g = (generator){0};
    int kind = 0;
    TRY(kind_read(node, generator_kind_name, &kind));
    g->kind = (generator_kind)kind;
    const scene_node size = node_member(node, "size"), body = node_member(node, "body");
    g->sized = size.value || g->kind == GENERATOR_GRAINS;
    reader->lengths_given = !g->sized;
    switch (g->kind) {
    case GENERATOR_LATTICE:
        TRY(lattice_read(node, g, reader));
        break;
    case GENERATOR_PYRAMID:
        TRY(pyramid_read(node, g, reader));
        break;
    case GENERATOR_FILL:
        TRY(fill_read(node, g, reader));
        break;
    case GENERATOR_GRAINS:
        TRY(grains_read(node, g, reader));
        break;
    }
    reader->lengths_given = true;
    const scene_node shape = node_member(&body, "shape"), mass = node_member(&body, "mass"),
                     inertia = node_member(&body, "inertia"), rotation = node_member(&body, "rotation");
    if (isinf(scree_shape_get_volume(g->body.def.shape)))
        return node_fail(&shape, "a %s is infinite or has no volume; must be a shape that can be dynamic",
                         scree_shape_kind_name(g->body.def.shape.kind));
    if (g->sized && (mass.value || inertia.value))
        return node_key_fail(
            mass.value ? &mass : &inertia,
            "not allowed for grains of different sizes, whose masses follow from the density");
    if (g->random_orientation && rotation.value)
        return node_key_fail(&rotation, "not allowed with \"orientation\": \"random\"");
    if (g->sized) TRY(check_sizes(node, g));
    return g->kind == GENERATOR_FILL ? complete_fill(node, g, reader->scene) : SCREE_OK;
}

/* Returns the position of cell `item` of a lattice, x fastest; the lattice is centred over `position`. */
static scree_vec3 lattice_place(const generator *g, uint32_t key, int item) {
    const int index[3] = {item % g->cells[0], item / g->cells[0] % g->cells[1],
                          item / g->cells[0] / g->cells[1]};
    double place[3];
    for (int axis = 0; axis < 3; ++axis) {
        const double start = axis < 2 ? 0.5 * g->cells[axis] * g->spacing[axis] : 0;
        const double shift = 2 * noise_unit(key, (uint32_t)item, NOISE_POSITION + axis) - 1;
        place[axis] =
            g->position[axis] + ((index[axis] + 0.5) * g->spacing[axis] - start) + g->jitter[axis] * shift;
    }
    return (scree_vec3){(float)place[0], (float)place[1], (float)place[2]};
}

/* The rows have rows, rows − 1, … 1 items: r rows − r(r − 1)/2 items precede row r. */
static scree_vec3 pyramid_place(const generator *g, int item) {
    const double side = 2.0 * g->rows + 1;
    int row = (int)(0.5 * (side - sqrt(side * side - 8.0 * item)));
    while (row > 0 && row * g->rows - row * (row - 1) / 2 > item) row--;
    while ((row + 1) * g->rows - (row + 1) * row / 2 <= item) row++;
    const int column = item - (row * g->rows - row * (row - 1) / 2);
    return (scree_vec3){(float)(g->position[0] + (column - (g->rows - row - 1) / 2.0) * g->spacing[0]),
                        (float)g->position[1], (float)(g->position[2] + g->spacing[1] * row)};
}

/* Applies a row of the table to a body: position, velocity, mass and the grain's number in the table. */
static void take_grain(const generator *g, const scree_grain *grain, scree_body_def *body) {
    const double p[3] = {g->position[0] + (double)grain->position.x,
                         g->position[1] + (double)grain->position.y,
                         g->position[2] + (double)grain->position.z};
    const scree_vec3 v = grain->velocity, w = grain->angular_velocity;
    scree_body_state *state = &body->state;
    state->position = (scree_vec3){(float)p[0], (float)p[1], (float)p[2]};
    state->linear_velocity.x += v.x, state->linear_velocity.y += v.y, state->linear_velocity.z += v.z;
    state->angular_velocity.x += w.x, state->angular_velocity.y += w.y, state->angular_velocity.z += w.z;
    if (grain->density > 0) body->mass = (float)(scree_shape_get_volume(body->shape) * grain->density);
    body->user_data = grain->id;
}

scene_body generator_item(const generator *g, uint64_t seed, int index, const packing *places, int item) {
    const uint32_t key = noise_key(seed, (uint32_t)index, 0);
    scene_body body = g->body;
    if (g->sized) {
        const double scale =
            generator_item_size(g, key, places, item) / scree_shape_get_sieve_size(body.def.shape);
        body.def.shape = scree_shape_scale(body.def.shape, scale);
    }
    if (g->random_orientation) body.def.state.rotation = noise_rotation(key, (uint32_t)item);
    switch (g->kind) {
    case GENERATOR_LATTICE:
        body.def.state.position = lattice_place(g, key, item);
        break;
    case GENERATOR_PYRAMID:
        body.def.state.position = pyramid_place(g, item);
        break;
    case GENERATOR_FILL:
        body.def.state.position = places->positions[item];
        break;
    case GENERATOR_GRAINS:
        take_grain(g, &g->grains[item], &body.def);
        break;
    }
    return body;
}
