/* Reads shapes. */
#include <string.h>

#include <scree/tools/geometry_file.h>

#include "base/memory.h"
#include "scene.h"

/* Triangles exist only as parts of meshes, so scenes cannot name them. */
static const char *shape_kind_name(int kind) {
    return kind == SCREE_SHAPE_TRIANGLE ? "" : scree_shape_kind_name((scree_shape_kind)kind);
}

/* A shape as given in a file; depending on the kind, the shape stores a length or half of it. */
typedef struct shape_text {
    scree_shape_kind kind;
    scree_vec3 half, full, semi_axes;
    float radius, length, scale;
    double spacing[2], origin[3];
    int point_count, sphere_count, child_count;
    scree_vec3 *points;
    scree_clump_sphere *spheres;
    scree_compound_child *children;
    const scree_geometry *geometry;
} shape_text;

static void text_release(shape_text *self) {
    memory_release(self->points);
    memory_release(self->spheres);
    memory_release(self->children);
}

/* Makes `made` a geometry of the scene and of the shape. Refuses it at `place` if it could not be made. */
static scree_result geometry_take(const scene_node *place, scree_result result, const scree_geometry *made,
                                  shape_text *text) {
    scree_scene *scene = scene_of(place);
    if (result != SCREE_OK) return node_fail(place, "%s", scree_error_get_message());
    text->geometry = made;
    result = MEMORY_RESERVE(scene->geometries, scene->geometry_capacity, scene->geometry_count + 1, NULL);
    if (result == SCREE_OK)
        scene->geometries[scene->geometry_count++] = made;
    else
        scree_geometry_release(made);
    return result;
}

static const field sphere_of_clump_fields[] = {
    FIELD(VEC3, "position", scree_clump_sphere, position, "centre, in the clump's coordinates",
          .range = BETWEEN(-1e6, 1e6), .unit = "m", .required = true),
    FIELD(FLOAT, "radius", scree_clump_sphere, radius, "radius", .range = LENGTH, .unit = "m",
          .required = true),
};
static const scene_object clump_sphere_object =
    SCENE_OBJECT("clump-sphere", scree_clump_sphere, .common = FIELD_TABLE(sphere_of_clump_fields));

static void warning_keep(void *context, const char *warning) {
    scree_scene *scene = context;
    json_object_set_new_nocheck(scene->warnings, warning, json_null());
}

typedef scree_result surface_loader(const char *path, const scree_surface_def *def, scree_geometry **out);

/* Reads a surface file into a geometry of the scene. */
static scree_result surface_read(const scene_node *node, shape_text *text) {
    static surface_loader *const loaders[SCREE_SHAPE_COUNT] = {[SCREE_SHAPE_MESH] = scree_mesh_load,
                                                               [SCREE_SHAPE_SOLID] = scree_solid_load,
                                                               [SCREE_SHAPE_HULL] = scree_hull_load,
                                                               [SCREE_SHAPE_COMPOUND] = scree_compound_load};
    scree_geometry *made = NULL;
    if (!json_is_string(node->value)) return node_refuse(node, "the name of an STL or OBJ file");
    SCOPED char *path = NULL;
    TRY(scene_path(node, &path));
    scree_surface_def def = scree_default_surface_def();
    memcpy(def.origin, text->origin, sizeof def.origin);
    def.warn = warning_keep;
    def.context = scene_of(node);
    const scree_result result = loaders[text->kind](path, &def, &made);
    return geometry_take(node, result, made, text);
}

/* Reads rows of heights, starting at the lowest y, into a geometry of the scene. */
static scree_result height_rows_read(const scene_node *node, shape_text *text) {
    TRY(array_check(node, 2, SCREE_MESH_TRIANGLES));
    const scene_node first = node_element(node, 0);
    TRY(array_check(&first, 2, SCREE_MESH_TRIANGLES));
    const size_t rows = json_array_size(node->value), columns = json_array_size(first.value);
    SCOPED float *heights = memory_allocate(rows * columns, sizeof *heights);
    if (!heights) return fail(SCREE_ERROR_MEMORY, "out of memory for heights");
    for (size_t i = 0; i < rows; i++) {
        const scene_node row = node_element(node, i);
        TRY(array_check(&row, columns, columns));
        for (size_t k = 0; k < columns; k++) {
            const scene_node element = node_element(&row, k);
            double height = 0;
            TRY(number_read(&element, (field_range)BETWEEN(-1e6, 1e6), "m", &height));
            heights[i * columns + k] = (float)height;
        }
    }
    scree_geometry *made = NULL;
    const scree_result result = scree_height_field_create(
        heights, (int)columns, (int)rows, (float)text->spacing[0], (float)text->spacing[1], &made);
    return geometry_take(node, result, made, text);
}

/* Reads heights into a geometry of the scene. */
static scree_result heights_read(const scene_node *node, shape_text *text) {
    if (json_is_array(node->value)) return height_rows_read(node, text);
    if (!json_is_string(node->value))
        return node_refuse(node, "rows of heights or the name of a file with them");
    scree_geometry *made = NULL;
    SCOPED char *path = NULL;
    TRY(scene_path(node, &path));
    const scree_result result =
        scree_height_field_load(path, (float)text->spacing[0], (float)text->spacing[1], &made);
    return geometry_take(node, result, made, text);
}

FIELD_DEFAULTS(child_begin, scree_compound_child, scree_default_compound_child())

/* As for bodies, a child's rotation includes that of its geometry's own axes. */
static scree_result child_finish(const scene_node *node, void *target) {
    scree_compound_child *child = target;
    scree_quat axes;
    (void)node;
    scree_geometry_get_frame(child->shape.geometry, NULL, &axes);
    if (axes.w != 1) child->rotation = orientation_then(axes, child->rotation);
    return SCREE_OK;
}

static const field child_fields[] = {
    FIELD(OBJECT, "shape", scree_compound_child, shape,
          "sphere, box, capsule, cylinder, cone, ellipsoid or hull, or the name of one",
          .object = &shape_object, .read = shape_read, .required = true),
    FIELD(VEC3, "position", scree_compound_child, position,
          "centre of mass of the child, in the compound's coordinates", .range = BETWEEN(-1e6, 1e6),
          .unit = "m"),
    FIELD(OBJECT, "rotation", scree_compound_child, rotation, "rotation of the child, in the compound's axes",
          .object = &rotation_object, .read = rotation_read, .default_text = "none"),
    FIELD(FLOAT, "relative_density", scree_compound_child, relative_density,
          "factor of the density of the body's material", .range = BETWEEN(1e-6, 1e6)),
};
static const scene_object child_object =
    SCENE_OBJECT("compound-child", scree_compound_child, .common = FIELD_TABLE(child_fields),
                 .begin = child_begin, .finish = child_finish);

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, shape_text, MEMBER, HELP, __VA_ARGS__)
/* A length that a generator's sizes may replace. */
#define LENGTH_ROW(TYPE, KEY, MEMBER, HELP)                                                                  \
    ROW(TYPE, KEY, MEMBER, HELP, .range = LENGTH, .unit = "m", .default_text = "required without `size`")
#define RADIUS_ROW LENGTH_ROW(FLOAT, "radius", radius, "radius; of a cone: of its base")
#define HEIGHT_ROW LENGTH_ROW(FLOAT, "height", length, "height, along the body's z axis")
#define SCALE_ROW                                                                                            \
    ROW(FLOAT, "scale", scale, "factor of all lengths: 0.001 for a file in millimetres",                     \
        .range = BETWEEN(1e-6, 1e6))
/* The file is read after all keys, by geometry_read. */
#define FILE_ROW(HELP, ...) FIELD_OF_ALL(TEXT, "file", HELP, .read = field_skip, __VA_ARGS__)
#define LIST_ROW(KEY, OBJECT, MEMBER, COUNT, MOST, HELP, ...)                                                \
    FIELD_LIST_OF(KEY, OBJECT, shape_text, MEMBER, COUNT, MOST, HELP, .least = 1, __VA_ARGS__)
#define ORIGIN_ROW                                                                                           \
    ROW(TRIPLE, "origin", origin,                                                                            \
        "point of `file` that becomes the origin of its coordinates; subtracted in double precision",        \
        .range = BETWEEN(-1e9, 1e9))

static const field sphere_fields[] = {RADIUS_ROW};
static const field box_fields[] = {
    ROW(VEC3, "half_extents", half, "half of the edges", .range = LENGTH, .unit = "m",
        .default_text = "this or `size` required"),
    ROW(VEC3, "size", full, "edges", .range = BETWEEN(2e-6, 2e6), .unit = "m", .default_text = "none"),
};
static const field capsule_fields[] = {
    RADIUS_ROW, LENGTH_ROW(FLOAT, "length", length, "length of the line segment, along the body's z axis")};
static const field round_fields[] = {RADIUS_ROW, HEIGHT_ROW};
static const field ellipsoid_fields[] = {
    LENGTH_ROW(VEC3, "semi_axes", semi_axes, "semi-axes along the body's axes")};
static const field clump_fields[] = {
    LIST_ROW("spheres", clump_sphere_object, spheres, sphere_count, SCREE_CLUMP_SPHERES,
             "spheres, which may overlap or be apart", .required = true),
    SCALE_ROW,
};
static const field mesh_fields[] = {
    FILE_ROW("STL or OBJ file, relative to the folder of the scene's file",
             .default_text = "this or `heights` required"),
    ORIGIN_ROW,
    FIELD_OF_ALL(HEIGHTS, "heights",
                 "rows of heights along x, the first row at the lowest y, or the name of a text file of them",
                 .range = BETWEEN(-1e6, 1e6), .unit = "m", .read = field_skip, .default_text = "none"),
    ROW(PAIR, "spacing", spacing,
        "distance between columns and between rows of `heights`, with which it is "
        "required",
        .range = LENGTH, .unit = "m", .default_text = "none"),
    SCALE_ROW,
};
static const field hull_fields[] = {
    ROW(VECTORS, "points", points, "points, at most 1000 of them corners",
        .count_offset = offsetof(shape_text, point_count), .least = 4, .most = SCREE_HULL_POINTS,
        .range = BETWEEN(-1e6, 1e6), .unit = "m", .default_text = "this or `file` required"),
    FILE_ROW("STL or OBJ file, whose vertices are the points", .default_text = "none"),
    ORIGIN_ROW,
    SCALE_ROW,
};
static const field solid_fields[] = {FILE_ROW("STL or OBJ file of a closed surface", .required = true),
                                     ORIGIN_ROW, SCALE_ROW};
static const field compound_fields[] = {
    LIST_ROW("parts", child_object, children, child_count, SCREE_COMPOUND_CHILDREN,
             "children, which may overlap or be apart and collide individually",
             .default_text = "this or `file` required"),
    FILE_ROW("OBJ file, in which each object with faces is a child: their convex hull",
             .default_text = "none"),
    ORIGIN_ROW,
    SCALE_ROW,
};

static const field_table kinds[] = {
    [SCREE_SHAPE_SPHERE] = FIELD_KIND(sphere_fields, "a ball"),
    [SCREE_SHAPE_BOX] = FIELD_KIND(box_fields, "a cuboid"),
    [SCREE_SHAPE_HALF_SPACE] = {.help = "solid below the body's own plane z = 0; static and kinematic bodies "
                                        "only"},
    [SCREE_SHAPE_CAPSULE] = FIELD_KIND(capsule_fields, "all points within `radius` of a line segment"),
    [SCREE_SHAPE_CYLINDER] = FIELD_KIND(round_fields, "a cylinder about the body's z axis"),
    [SCREE_SHAPE_CONE] =
        FIELD_KIND(round_fields, "a cone about the body's z axis, tip up; the position is the "
                                 "centre of mass, a quarter of the height above the base"),
    [SCREE_SHAPE_ELLIPSOID] = FIELD_KIND(ellipsoid_fields, "an ellipsoid"),
    [SCREE_SHAPE_CLUMP] =
        FIELD_KIND(clump_fields, "a rigid body of spheres; a body's `position` is the centre "
                                 "of mass of their union"),
    [SCREE_SHAPE_MESH] = FIELD_KIND(mesh_fields, "a surface of triangles, from a file or over a grid of "
                                                 "heights around the body's origin; static and kinematic "
                                                 "bodies only"),
    [SCREE_SHAPE_HULL] = FIELD_KIND(hull_fields, "the convex hull of points"),
    [SCREE_SHAPE_SOLID] = FIELD_KIND(solid_fields, "the interior of a closed surface of triangles, convex or "
                                                   "not, counter-clockwise as seen from outside"),
    [SCREE_SHAPE_COMPOUND] = FIELD_KIND(compound_fields, "a rigid body of children"),
    [SCREE_SHAPE_TRIANGLE] = {.count = 0},
};
_Static_assert(sizeof kinds / sizeof *kinds == SCREE_SHAPE_COUNT, "every kind of shape has its keys");

/* Lengths that the file omits are 1 m, for a generator to scale. */
FIELD_DEFAULTS(shape_begin, shape_text,
               (shape_text){.kind = (scree_shape_kind)kind,
                            .half = {0.5f, 0.5f, 0.5f},
                            .semi_axes = {0.5f, 0.5f, 0.5f},
                            .radius = 0.5f,
                            .length = 1,
                            .scale = 1})

/* Returns whether a generator or an inlet gives the size of a shape, which may then omit its lengths. */
static bool is_sized(const scene_node *shape) {
    const scene_node *body = shape->parent, *owner = body ? body->parent : NULL;
    if (!owner || !body->key || strcmp(body->key, "body") != 0) return false;
    const char *kind = json_string_value(json_object_get(owner->value, "kind"));
    return node_has(owner, "size") || (kind && strcmp(kind, "grains") == 0);
}

static scree_result lengths_check(const scene_node *node, scree_shape_kind kind) {
    static const char *const of_box[] = {"half_extents", "size"};
    if (kind == SCREE_SHAPE_BOX) {
        if (node_has(node, of_box[0]) && node_has(node, of_box[1]))
            return node_fail(node, "both \"half_extents\" and \"size\" given; must have only one");
        if (!node_has(node, of_box[0]) && !node_has(node, of_box[1]) && !is_sized(node))
            return node_fail(node, "the key \"half_extents\" (or \"size\", twice as long) is missing");
    } else if (kind < SCREE_SHAPE_CLUMP && !is_sized(node)) {
        for (int i = 0; i < kinds[kind].count; i++)
            if (!node_has(node, kinds[kind].fields[i].key))
                return node_fail(node, "the key \"%s\" is missing", kinds[kind].fields[i].key);
    }
    return SCREE_OK;
}

/* Refuses none or two of the keys that give a geometry. */
static scree_result sources_check(const scene_node *node, scree_shape_kind kind) {
    const bool file = node_has(node, "file"), heights = node_has(node, "heights");
    const char *list = kind == SCREE_SHAPE_HULL ? "points" : kind == SCREE_SHAPE_COMPOUND ? "parts" : NULL;
    const scene_node origin = node_member(node, "origin");
    if (list && node_has(node, list) && file)
        return node_fail(node, "both \"%s\" and \"file\" given; must have only one", list);
    if (list && !node_has(node, list) && !file)
        return node_fail(node, "the key \"%s\" (or \"file\") is missing", list);
    if (kind == SCREE_SHAPE_MESH && file == heights)
        return node_fail(node, "must have either \"file\" or \"heights\"");
    if (kind == SCREE_SHAPE_MESH && heights != node_has(node, "spacing"))
        return node_fail(node, "must have \"heights\" and \"spacing\" together");
    if (origin.value && !file) return node_key_fail(&origin, "no \"file\" to shift; must come with one");
    return SCREE_OK;
}

/* Makes the geometry of a shape from the values of its keys. */
static scree_result lists_read(const scene_node *node, shape_text *text) {
    const scene_node parts = node_member(node, "parts"), points = node_member(node, "points"),
                     heights = node_member(node, "heights");
    scree_geometry *made = NULL;
    scree_result result;
    switch (text->kind) {
    case SCREE_SHAPE_CLUMP:
        TRY(scree_clump_create(text->spheres, text->sphere_count, &made));
        return geometry_take(node, SCREE_OK, made, text);
    case SCREE_SHAPE_COMPOUND:
        result = scree_compound_create(text->children, text->child_count, &made);
        return geometry_take(&parts, result, made, text);
    case SCREE_SHAPE_HULL:
        result = scree_hull_create(text->points, text->point_count, &made);
        return geometry_take(&points, result, made, text);
    case SCREE_SHAPE_MESH:
        return heights_read(&heights, text);
    default:
        return SCREE_OK;
    }
}

/* Makes the geometry of a shape that has one, for which all other keys have to be known. */
static scree_result geometry_read(const scene_node *node, shape_text *text) {
    const scene_node file = node_member(node, "file");
    TRY(sources_check(node, text->kind));
    return file.value ? surface_read(&file, text) : lists_read(node, text);
}

static scree_shape shape_of(const shape_text *text, bool full) {
    const scree_vec3 size =
        full ? (scree_vec3){0.5f * text->full.x, 0.5f * text->full.y, 0.5f * text->full.z} : text->half;
    switch (text->kind) {
    case SCREE_SHAPE_SPHERE:
        return scree_shape_sphere(text->radius);
    case SCREE_SHAPE_BOX:
        return scree_shape_box(size.x, size.y, size.z);
    case SCREE_SHAPE_CAPSULE:
        return scree_shape_capsule(text->radius, 0.5f * text->length);
    case SCREE_SHAPE_CYLINDER:
        return scree_shape_cylinder(text->radius, 0.5f * text->length);
    case SCREE_SHAPE_CONE:
        return scree_shape_cone(text->radius, text->length);
    case SCREE_SHAPE_ELLIPSOID:
        return scree_shape_ellipsoid(text->semi_axes.x, text->semi_axes.y, text->semi_axes.z);
    case SCREE_SHAPE_CLUMP:
        return scree_shape_clump(text->geometry, text->scale);
    case SCREE_SHAPE_MESH:
        return scree_shape_mesh(text->geometry, text->scale);
    case SCREE_SHAPE_HULL:
        return scree_shape_hull(text->geometry, text->scale);
    case SCREE_SHAPE_SOLID:
        return scree_shape_solid(text->geometry, text->scale);
    case SCREE_SHAPE_COMPOUND:
        return scree_shape_compound(text->geometry, text->scale);
    default:
        return scree_shape_half_space();
    }
}

static scree_result name_read(const scene_node *node, void *target) {
    if (json_is_string(node->value)) return shape_find(node, target);
    return node_refuse(node, "a shape (an object) or the name of one");
}

static const field name_field = {
    .type = FIELD_TEXT, .help = "name of an entry of `shapes`", .read = name_read};

const scene_object shape_object = SCENE_OBJECT("shape", shape_text, .kind = shape_kind_name, .kinds = kinds,
                                               .begin = shape_begin, .other = &name_field);

scree_result shape_read(const scene_node *node, void *target) {
    __attribute__((cleanup(text_release))) shape_text text = {0};
    if (!json_is_object(node->value)) return name_read(node, target);
    TRY(object_read(node, &shape_object, &text));
    TRY(lengths_check(node, text.kind));
    TRY(geometry_read(node, &text));
    *(scree_shape *)target = shape_of(&text, node_has(node, "size"));
    return SCREE_OK;
}
