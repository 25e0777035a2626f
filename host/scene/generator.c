/* Generators: reading them, and making their items one by one. */
#include <math.h>

#include "base/memory.h"
#include "base/noise.h"
#include "scene.h"

FIELD_CHOICE(generator_kind_name, "lattice", "pyramid", "ring", "fill", "grains")

FIELD_CHOICE(region_kind_name, "box", "cylinder")

const char *orientation_name(int orientation) {
    static const char *const names[] = {"fixed", [ORIENTATION_RANDOM] = "random"};
    return orientation >= 0 && orientation < 2 ? names[orientation] : NULL;
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, region, MEMBER, HELP, __VA_ARGS__)
static const field region_fields[] = {
    ROW(TRIPLE, "position", position, "centre of the bottom", .range = BETWEEN(-1e9, 1e9), .unit = "m"),
    ROW(DOUBLE, "height", height, "height", .range = LENGTH, .unit = "m",
        .default_text = "from `count` and `solid_fraction`"),
};
static const field box_fields[] = {
    ROW(PAIR, "size", size, "sides along x and y", .range = LENGTH, .unit = "m", .required = true)};
static const field cylinder_fields[] = {
    ROW(DOUBLE, "radius", size, "radius", .range = LENGTH, .unit = "m", .required = true)};
static const field_table regions[] = {[REGION_BOX] = FIELD_KIND(box_fields, "a cuboid"),
                                      [REGION_CYLINDER] = FIELD_KIND(cylinder_fields, "an upright cylinder")};

FIELD_DEFAULTS(region_begin, region, (region){.kind = (region_kind)kind})

static const scene_object region_object =
    SCENE_OBJECT("region", region, .kind = region_kind_name, .common = FIELD_TABLE(region_fields),
                 .kinds = regions, .begin = region_begin);
#undef ROW

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

static scree_result lattice_finish(const scene_node *node, generator *g, scree_scene *scene) {
    const double places = (double)g->cells[0] * g->cells[1] * g->cells[2];
    const scene_node count = node_member(node, "count"), cells = node_member(node, "cells");
    if (g->count > places)
        return node_fail(&count, "%d; must be at most the %.0f places given by \"cells\"", g->count, places);
    TRY(scene_count_bodies(scene, &cells, g->count ? g->count : places));
    if (!g->count) g->count = (int)places;
    return SCREE_OK;
}

static scree_result pyramid_finish(const scene_node *node, generator *g, scree_scene *scene) {
    const scene_node rows = node_member(node, "rows");
    g->count = g->rows * (g->rows + 1) / 2;
    return scene_count_bodies(scene, &rows, g->count);
}

static scree_result ring_finish(const scene_node *node, generator *g, scree_scene *scene) {
    const scene_node columns = node_member(node, "columns");
    TRY(scene_count_bodies(scene, &columns, (double)g->columns * g->rows));
    g->count = g->columns * g->rows;
    return SCREE_OK;
}

/* Completes a fill: two of count, solid fraction and height of the region determine the third. */
static scree_result fill_finish(const scene_node *node, generator *g, scree_scene *scene) {
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

/* Reads a table of grains, which the scene then owns, and takes the range of sizes from it. */
static scree_result table_read(const scene_node *node, void *target) {
    generator *g = target;
    scree_scene *scene = scene_of(node);
    scree_grains table = {0};
    if (!json_is_string(node->value)) return node_refuse(node, "the name of a CSV file");
    TRY(MEMORY_RESERVE(scene->tables, scene->table_capacity, scene->table_count + 1, NULL));
    SCOPED char *path = NULL;
    TRY(scene_path(node, &path));
    if (scree_grains_load(path, &table) != SCREE_OK) return node_fail(node, "%s", scree_error_get_message());
    scene->tables[scene->table_count++] = table;
    if (!table.count) return node_fail(node, "%s: the table has no grains", json_string_value(node->value));
    g->grains = table.items;
    g->count = table.count;
    g->sizes.minimum = INFINITY;
    for (int i = 0; i < table.count; i++) {
        g->sizes.minimum = fmin(g->sizes.minimum, 2 * (double)table.items[i].radius);
        g->sizes.maximum = fmax(g->sizes.maximum, 2 * (double)table.items[i].radius);
    }
    return SCREE_OK;
}

/* Checks the lengths that result from scaling the shape: each must be in the range allowed for shapes. */
static scree_result check_sizes(const scene_node *node, const generator *g) {
    const field_range length = LENGTH;
    const scree_vec3 half = g->body.def.shape.size;
    const double size = scree_shape_get_sieve_size(g->body.def.shape);
    const double lengths[3] = {half.x, half.y, half.z};
    double least = INFINITY, most = 0;
    for (int i = 0; i < 3; i++) {
        if (lengths[i] > 0) least = fmin(least, lengths[i]); /* 0: the kind does not use it */
        most = fmax(most, lengths[i]);
    }
    least *= g->sizes.minimum / size;
    most *= g->sizes.maximum / size;
    const scene_node place = node_member(node, g->grains ? "file" : "size");
    if (least >= 0.5 * length.low && most <= length.high) return SCREE_OK;
    return node_fail(&place, "resulting lengths from %.3g to %.3g m; must be from %g to %g", least, most,
                     0.5 * length.low, length.high);
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, generator, MEMBER, HELP, __VA_ARGS__)
#define SIZE_ROW                                                                                             \
    ROW(OBJECT, "size", sizes, "size of each grain; the shape may then omit its lengths",                    \
        .object = &distribution_object, .default_text = "the shape's own")
#define POSITION_ROW(HELP) ROW(TRIPLE, "position", position, HELP, .range = BETWEEN(-1e9, 1e9), .unit = "m")
#define COUNT_ROW(HELP, FALLBACK)                                                                            \
    ROW(INT, "count", count, HELP, .range = BETWEEN(1, SCENE_BODIES_MOST), .default_text = FALLBACK)

static const field common_fields[] = {
    ROW(OBJECT, "body", body, "definition of each body", .object = &template_object, .required = true),
    ROW(ENUM, "orientation", orientation, "the rotation of `body`, or uniform over all rotations",
        .name = orientation_name),
};
static const field lattice_fields[] = {
    SIZE_ROW,
    POSITION_ROW("centre of the bottom face"),
    ROW(WHOLES, "cells", cells, "number of cells along x, y and z", .least = 3, .most = 3,
        .range = BETWEEN(1, SCENE_BODIES_MOST), .required = true),
    ROW(EACH, "spacing", spacing, "edges of a cell", .range = LENGTH, .unit = "m", .required = true),
    ROW(EACH, "jitter", jitter, "largest random displacement along each axis", .range = BETWEEN(0, 1e6),
        .unit = "m"),
    COUNT_ROW("number of bodies, in the first cells", "all cells"),
};
static const field pyramid_fields[] = {
    SIZE_ROW,
    POSITION_ROW("centre of the bottom row"),
    ROW(INT, "rows", rows, "number of rows", .range = BETWEEN(1, 10000), .required = true),
    ROW(PAIR, "spacing", spacing, "distance along x, and up", .range = LENGTH, .unit = "m", .required = true),
};
static const field ring_fields[] = {
    SIZE_ROW,
    POSITION_ROW("centre of the lowest ring"),
    ROW(DOUBLE, "radius", radius, "distance of the bodies from the vertical axis through `position`",
        .range = LENGTH, .unit = "m", .required = true),
    ROW(INT, "columns", columns, "number of bodies of a ring", .range = BETWEEN(1, 1000000),
        .required = true),
    ROW(INT, "rows", rows, "number of rings above each other", .range = BETWEEN(1, 1000000)),
    ROW(DOUBLE, "rise", rise, "distance between two rings", .range = BETWEEN(0, 1e6), .unit = "m"),
    ROW(DOUBLE, "first_degrees", first, "angle of the first body, from x towards y",
        .range = BETWEEN(-1e6, 1e6), .unit = "degrees"),
    ROW(DOUBLE, "turn_degrees", turn, "angle by which each ring is turned from the one below",
        .range = BETWEEN(-1e6, 1e6), .unit = "degrees"),
};
static const field fill_fields[] = {
    SIZE_ROW,
    ROW(OBJECT, "region", space, "region to fill", .object = &region_object, .required = true),
    COUNT_ROW("number of bodies", "from `solid_fraction` and `height`"),
    ROW(DOUBLE, "solid_fraction", solid_fraction, "volume of the bodies over that of the region",
        .range = INSIDE(0, 1), .default_text = "from `count` and `height`"),
    ROW(DOUBLE, "gap", gap, "smallest gap of two bounding spheres", .range = BETWEEN(0, 1e6), .unit = "m"),
    ROW(INT, "attempts", attempts, "number of places tried for a grain", .range = BETWEEN(1, 1000000)),
};
static const field grains_fields[] = {
    FIELD_OF_ALL(TEXT, "file", "CSV table of grains, relative to the folder of the scene's file",
                 .read = table_read, .required = true),
    POSITION_ROW("displacement of all grains"),
};

static const field_table kinds[] = {
    [GENERATOR_LATTICE] = FIELD_KIND(
        lattice_fields, "body b is at the centre of cell (b mod n_x, …), x fastest, above `position`"),
    [GENERATOR_PYRAMID] = FIELD_KIND(pyramid_fields, "a wall in the xz plane: rows of n, n − 1, … 1"),
    [GENERATOR_RING] = FIELD_KIND(ring_fields, "equal distances on circles around the z axis; `rotation` is "
                                               "that of a body at angle 0, the others turn with their angle"),
    [GENERATOR_FILL] =
        FIELD_KIND(fill_fields, "random places in a region at which the bounding spheres of the "
                                "bodies do not overlap"),
    [GENERATOR_GRAINS] = FIELD_KIND(grains_fields, "the rows of a table: place, size, and density, id and "
                                                   "velocities if present; velocities are added to those of "
                                                   "`body`"),
};

FIELD_DEFAULTS(generator_begin, generator,
               (generator){.kind = (generator_kind)kind, .attempts = 100000, .rows = 1})

static scree_result generator_finish(const scene_node *node, void *target) {
    generator *g = target;
    scree_scene *scene = scene_of(node);
    const scene_node body = node_member(node, "body"), shape = node_member(&body, "shape"),
                     mass = node_member(&body, "mass"), inertia = node_member(&body, "inertia"),
                     rotation = node_member(&body, "rotation"), file = node_member(node, "file");
    g->sized = node_has(node, "size") || g->kind == GENERATOR_GRAINS;
    if (isinf(scree_shape_get_volume(g->body.def.shape)))
        return node_fail(&shape, "a %s is infinite or has no volume; must be a shape that can be dynamic",
                         scree_shape_kind_name(g->body.def.shape.kind));
    if (g->sized && (mass.value || inertia.value))
        return node_key_fail(
            mass.value ? &mass : &inertia,
            "not allowed for grains of different sizes, whose masses follow from the density");
    if (g->orientation == ORIENTATION_RANDOM && rotation.value)
        return node_key_fail(&rotation, "not allowed with \"orientation\": \"random\"");
    if (g->sized) TRY(check_sizes(node, g));
    switch (g->kind) {
    case GENERATOR_LATTICE:
        return lattice_finish(node, g, scene);
    case GENERATOR_PYRAMID:
        return pyramid_finish(node, g, scene);
    case GENERATOR_RING:
        return ring_finish(node, g, scene);
    case GENERATOR_FILL:
        return fill_finish(node, g, scene);
    case GENERATOR_GRAINS:
        return scene_count_bodies(scene, &file, g->count);
    }
    return SCREE_OK;
}

const scene_object generator_object =
    SCENE_OBJECT("generator", generator, .kind = generator_kind_name, .common = FIELD_TABLE(common_fields),
                 .kinds = kinds, .begin = generator_begin, .finish = generator_finish);

/* Returns the position of cell `item` of a lattice, x fastest; the lattice is centred over `position`. */
static scree_vec3 lattice_place(const generator *g, uint32_t key, int item) {
    const int index[3] = {item % g->cells[0], item / g->cells[0] % g->cells[1],
                          item / g->cells[0] / g->cells[1]};
    double place[3];
    for (int axis = 0; axis < 3; axis++) {
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

/* Places a body of a ring, and turns it from `rotation` by its angle. */
static void place_in_ring(const generator *g, int item, scree_body_state *state) {
    const double up[3] = {0, 0, 1}, row = item / g->columns, column = item % g->columns,
                 angle = g->first + g->turn * row + 360 * column / g->columns,
                 radians = angle * (3.14159265358979323846 / 180);
    state->position = (scree_vec3){(float)(g->position[0] + g->radius * cos(radians)),
                                   (float)(g->position[1] + g->radius * sin(radians)),
                                   (float)(g->position[2] + g->rise * row)};
    if (g->orientation != ORIENTATION_RANDOM)
        state->rotation = orientation_then(state->rotation, orientation_about(up, angle));
}

static scree_vec3 sum_of(scree_vec3 a, scree_vec3 b) { return (scree_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }

/* Applies a row of the table to a body: position, velocity, mass and the grain's number in the table. */
static void take_grain(const generator *g, const scree_grain *grain, scree_body_def *body) {
    const double p[3] = {g->position[0] + (double)grain->position.x,
                         g->position[1] + (double)grain->position.y,
                         g->position[2] + (double)grain->position.z};
    scree_body_state *state = &body->state;
    state->position = (scree_vec3){(float)p[0], (float)p[1], (float)p[2]};
    state->linear_velocity = sum_of(state->linear_velocity, grain->velocity);
    state->angular_velocity = sum_of(state->angular_velocity, grain->angular_velocity);
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
    if (g->orientation == ORIENTATION_RANDOM) body.def.state.rotation = noise_rotation(key, (uint32_t)item);
    switch (g->kind) {
    case GENERATOR_LATTICE:
        body.def.state.position = lattice_place(g, key, item);
        break;
    case GENERATOR_PYRAMID:
        body.def.state.position = pyramid_place(g, item);
        break;
    case GENERATOR_RING:
        place_in_ring(g, item, &body.def.state);
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
