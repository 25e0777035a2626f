/* Reads shapes: one function per kind. `lengths_given`: the scene must state their lengths. */
#include <string.h>

#include <scree/tools/geometry_file.h>

#include "base/memory.h"
#include "scene.h"

/* Triangles exist only as parts of meshes, so scenes cannot name them. */
static const char *shape_kind_name(int kind) {
    if (kind == SCREE_SHAPE_TRIANGLE) return "";
    return kind >= 0 && kind < SCREE_SHAPE_COUNT ? scree_shape_kind_name((scree_shape_kind)kind) : NULL;
}

static scree_result sphere_read(const scene_node *node, scree_shape *shape, bool lengths_given) {
    const field fields[] = {
        KIND_FIELD,
        {.key = "radius",
         .type = FIELD_FLOAT,
         .offset = offsetof(scree_shape, size.x),
         .range = LENGTH,
         .unit = "m",
         .required = lengths_given},
    };
    *shape = scree_shape_sphere(0.5f);
    return fields_read(node, fields, FIELD_COUNT_OF(fields), shape, NULL, NULL);
}

typedef struct box_lengths {
    scree_vec3 half, full;
} box_lengths;

static scree_result box_read(const scene_node *node, scree_shape *shape, bool lengths_given) {
    static const field fields[] = {
        KIND_FIELD,
        NUMBER("half_extents", FIELD_VEC3, box_lengths, half, LENGTH, "m"),
        NUMBER("size", FIELD_VEC3, box_lengths, full, BETWEEN(2e-6, 2e6), "m"),
    };
    box_lengths lengths = {.half = {0.5f, 0.5f, 0.5f}};
    uint64_t seen = 0;
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), &lengths, NULL, &seen));
    const bool half = seen & 2, full = seen & 4;
    if (half && full) return node_fail(node, "both \"half_extents\" and \"size\" given; must have only one");
    if (!half && !full && lengths_given)
        return node_fail(node, "the key \"half_extents\" (or \"size\", twice as long) is missing");
    *shape = full ? scree_shape_box(0.5f * lengths.full.x, 0.5f * lengths.full.y, 0.5f * lengths.full.z)
                  : scree_shape_box(lengths.half.x, lengths.half.y, lengths.half.z);
    return SCREE_OK;
}

static scree_result half_space_read(const scene_node *node, scree_shape *shape, bool lengths_given) {
    (void)lengths_given;
    static const field fields[] = {KIND_FIELD};
    *shape = scree_shape_half_space();
    return fields_read(node, fields, FIELD_COUNT_OF(fields), shape, NULL, NULL);
}

/* Two lengths; depending on the kind, the shape stores the second or half of it. */
typedef struct round_lengths {
    float radius, length;
} round_lengths;

static scree_result round_read(const scene_node *node, const char *length_key, round_lengths *lengths,
                               bool lengths_given) {
    const field fields[] = {
        KIND_FIELD,
        {.key = "radius",
         .type = FIELD_FLOAT,
         .offset = offsetof(round_lengths, radius),
         .range = LENGTH,
         .unit = "m",
         .required = lengths_given},
        {.key = length_key,
         .type = FIELD_FLOAT,
         .offset = offsetof(round_lengths, length),
         .range = LENGTH,
         .unit = "m",
         .required = lengths_given},
    };
    *lengths = (round_lengths){0.5f, 1};
    return fields_read(node, fields, FIELD_COUNT_OF(fields), lengths, NULL, NULL);
}

static scree_result capsule_read(const scene_node *node, scree_shape *shape, bool lengths_given) {
    round_lengths lengths;
    TRY(round_read(node, "length", &lengths, lengths_given));
    *shape = scree_shape_capsule(lengths.radius, 0.5f * lengths.length);
    return SCREE_OK;
}

static scree_result cylinder_read(const scene_node *node, scree_shape *shape, bool lengths_given) {
    round_lengths lengths;
    TRY(round_read(node, "height", &lengths, lengths_given));
    *shape = scree_shape_cylinder(lengths.radius, 0.5f * lengths.length);
    return SCREE_OK;
}

static scree_result cone_read(const scene_node *node, scree_shape *shape, bool lengths_given) {
    round_lengths lengths;
    TRY(round_read(node, "height", &lengths, lengths_given));
    *shape = scree_shape_cone(lengths.radius, lengths.length);
    return SCREE_OK;
}

static scree_result ellipsoid_read(const scene_node *node, scree_shape *shape, bool lengths_given) {
    const field fields[] = {
        KIND_FIELD,
        {.key = "semi_axes",
         .type = FIELD_VEC3,
         .offset = offsetof(scree_shape, size),
         .range = LENGTH,
         .unit = "m",
         .required = lengths_given},
    };
    *shape = scree_shape_ellipsoid(0.5f, 0.5f, 0.5f);
    return fields_read(node, fields, FIELD_COUNT_OF(fields), shape, NULL, NULL);
}

static scree_result sphere_of_clump_read(const scene_node *node, scree_clump_sphere *out) {
    static const field fields[] = {
        REQUIRED_NUMBER("position", FIELD_VEC3, scree_clump_sphere, position, BETWEEN(-1e6, 1e6), "m"),
        REQUIRED_NUMBER("radius", FIELD_FLOAT, scree_clump_sphere, radius, LENGTH, "m"),
    };
    return fields_read(node, fields, FIELD_COUNT_OF(fields), out, NULL, NULL);
}

#define SCALE(TYPE, MEMBER) NUMBER("scale", FIELD_FLOAT, TYPE, MEMBER, BETWEEN(1e-6, 1e6), NULL)

/* Reserves memory for one more geometry of the scene. */
static scree_result geometry_room(scree_scene *scene) {
    return MEMORY_RESERVE(scene->geometries, scene->geometry_capacity, scene->geometry_count + 1, NULL);
}

/* Adds `made` to the scene's geometries and to the shape. Call after geometry_room. */
static void geometry_take(scree_scene *scene, const scree_geometry *made, const scree_geometry **target) {
    scene->geometries[scene->geometry_count++] = made;
    *target = made;
}

/* Reads a shape that consists of a geometry, read from `key` by `read`, and its scale. */
static scree_result scaled_read(const scene_node *node, const char *key, field_reader *read,
                                scree_shape without, scree_shape *shape, void *context) {
    const field fields[] = {
        KIND_FIELD,
        {key, FIELD_OBJECT, offsetof(scree_shape, geometry), .read = read, .required = true},
        SCALE(scree_shape, size.x),
    };
    *shape = without;
    return fields_read(node, fields, FIELD_COUNT_OF(fields), shape, context, NULL);
}

/* Reads spheres into a geometry of the scene. */
static scree_result spheres_read(const scene_node *node, void *target, void *context) {
    scree_scene *scene = context;
    scree_clump_sphere spheres[SCREE_CLUMP_SPHERES];
    scree_geometry *made;
    TRY(array_check(node, 1, SCREE_CLUMP_SPHERES));
    const int count = (int)json_array_size(node->value);
    for (int i = 0; i < count; ++i) {
        const scene_node element = node_element(node, (size_t)i);
        TRY(sphere_of_clump_read(&element, &spheres[i]));
    }
    TRY(geometry_room(scene));
    TRY(scree_clump_create(spheres, count, &made));
    geometry_take(scene, made, target);
    return SCREE_OK;
}

/* Reads a surface file into a geometry of the scene. */
static scree_result surface_read(const scene_node *node, void *target, scree_scene *scene,
                                 scree_result (*load)(const char *path, scree_geometry **out)) {
    scree_geometry *made;
    char value[NODE_TEXT];
    if (!json_is_string(node->value))
        return node_fail(node, "%s; must be the name of an STL or OBJ file", node_describe(node, value));
    TRY(geometry_room(scene));
    char *path = scene_path(scene, json_string_value(node->value));
    if (!path) return fail(SCREE_ERROR_MEMORY, "out of memory for the name of a mesh");
    const scree_result result = load(path, &made);
    memory_release(path);
    if (result != SCREE_OK) return node_fail(node, "%s", scree_error_get_message());
    geometry_take(scene, made, target);
    return SCREE_OK;
}

static scree_result mesh_file_read(const scene_node *node, void *target, void *context) {
    return surface_read(node, target, context, scree_mesh_load);
}

static scree_result solid_file_read(const scene_node *node, void *target, void *context) {
    return surface_read(node, target, context, scree_solid_load);
}

static scree_result hull_file_read(const scene_node *node, void *target, void *context) {
    return surface_read(node, target, context, scree_hull_load);
}

/* Reads points and makes their convex hull a geometry of the scene. */
static scree_result points_read(const scene_node *node, void *target, void *context) {
    scree_scene *scene = context;
    scree_geometry *made;
    TRY(array_check(node, 4, SCREE_HULL_POINTS));
    const size_t count = json_array_size(node->value);
    scree_vec3 *points = memory_allocate(count, sizeof *points);
    scree_result result =
        points ? geometry_room(scene) : fail(SCREE_ERROR_MEMORY, "out of memory for a hull");
    for (size_t i = 0; i < count && result == SCREE_OK; ++i) {
        const scene_node element = node_element(node, i);
        result = vector_read(&element, (field_range)BETWEEN(-1e6, 1e6), "m", &points[i]);
    }
    if (result == SCREE_OK && scree_hull_create(points, (int)count, &made) != SCREE_OK)
        result = node_fail(node, "%s", scree_error_get_message());
    memory_release(points);
    if (result == SCREE_OK) geometry_take(scene, made, target);
    return result;
}

static scree_result hull_read(const scene_node *node, scree_shape *shape, scree_scene *scene) {
    static const field fields[] = {
        KIND_FIELD,
        {"points", FIELD_OBJECT, offsetof(scree_shape, geometry), .read = points_read},
        {"file", FIELD_OBJECT, offsetof(scree_shape, geometry), .read = hull_file_read},
        SCALE(scree_shape, size.x),
    };
    uint64_t seen = 0;
    *shape = scree_shape_hull(NULL, 1);
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), shape, scene, &seen));
    const bool points = seen & 2, file = seen & 4;
    if (points && file) return node_fail(node, "both \"points\" and \"file\" given; must have only one");
    if (!points && !file) return node_fail(node, "the key \"points\" (or \"file\") is missing");
    return SCREE_OK;
}

/* A mesh while it is read: from a surface file, or from heights, which need their spacing first. */
typedef struct mesh_text {
    scree_shape shape;
    double spacing[2];
} mesh_text;

/* Reads rows of heights, starting at the lowest y. */
static scree_result height_rows_read(const scene_node *node, const double spacing[2], scree_geometry **out) {
    TRY(array_check(node, 2, SCREE_MESH_TRIANGLES));
    const scene_node first = node_element(node, 0);
    TRY(array_check(&first, 2, SCREE_MESH_TRIANGLES));
    const size_t rows = json_array_size(node->value), columns = json_array_size(first.value);
    float *heights = memory_allocate(rows * columns, sizeof *heights);
    scree_result result = heights ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "out of memory for heights");
    for (size_t i = 0; i < rows && result == SCREE_OK; ++i) {
        const scene_node row = node_element(node, i);
        result = array_check(&row, columns, columns);
        for (size_t k = 0; k < columns && result == SCREE_OK; ++k) {
            const scene_node element = node_element(&row, k);
            double height = 0;
            result = number_read(&element, (field_range)BETWEEN(-1e6, 1e6), "m", &height);
            heights[i * columns + k] = (float)height;
        }
    }
    if (result == SCREE_OK && scree_height_field_create(heights, (int)columns, (int)rows, (float)spacing[0],
                                                        (float)spacing[1], out) != SCREE_OK)
        result = node_fail(node, "%s", scree_error_get_message());
    memory_release(heights);
    return result;
}

static scree_result height_file_read(const scene_node *node, const double spacing[2], scree_scene *scene,
                                     scree_geometry **out) {
    char *path = scene_path(scene, json_string_value(node->value));
    if (!path) return fail(SCREE_ERROR_MEMORY, "out of memory for the name of a file of heights");
    const scree_result result = scree_height_field_load(path, (float)spacing[0], (float)spacing[1], out);
    memory_release(path);
    return result == SCREE_OK ? SCREE_OK : node_fail(node, "%s", scree_error_get_message());
}

/* Reads heights into a geometry of the scene. */
static scree_result heights_read(const scene_node *node, mesh_text *text, scree_scene *scene) {
    scree_geometry *made;
    char value[NODE_TEXT];
    if (!json_is_string(node->value) && !json_is_array(node->value))
        return node_fail(node, "%s; must be rows of heights or the name of a file with them",
                         node_describe(node, value));
    TRY(geometry_room(scene));
    TRY(json_is_string(node->value) ? height_file_read(node, text->spacing, scene, &made)
                                    : height_rows_read(node, text->spacing, &made));
    geometry_take(scene, made, &text->shape.geometry);
    return SCREE_OK;
}

static scree_result mesh_read(const scene_node *node, scree_shape *shape, scree_scene *scene) {
    static const field fields[] = {
        KIND_FIELD,
        {"file", FIELD_OBJECT, offsetof(mesh_text, shape.geometry), .read = mesh_file_read},
        {"heights", FIELD_OBJECT, .read = kind_skip},
        NUMBER("spacing", FIELD_PAIR, mesh_text, spacing, LENGTH, "m"),
        SCALE(mesh_text, shape.size.x),
    };
    mesh_text text = {.shape = scree_shape_mesh(NULL, 1)};
    uint64_t seen = 0;
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), &text, scene, &seen));
    const bool file = seen & 2, heights = seen & 4, spacing = seen & 8;
    if (file == heights) return node_fail(node, "must have either \"file\" or \"heights\"");
    if (heights != spacing) return node_fail(node, "must have \"heights\" and \"spacing\" together");
    if (heights) {
        const scene_node rows = node_member(node, "heights");
        TRY(heights_read(&rows, &text, scene));
    }
    *shape = text.shape;
    return SCREE_OK;
}

/* Reads a child's shape, which must state its lengths even if a generator sizes the whole compound. */
static scree_result part_shape_read(const scene_node *node, void *target, void *context) {
    scene_reader *reader = context;
    const bool given = reader->lengths_given;
    reader->lengths_given = true;
    const scree_result result = shape_read(node, target, context);
    reader->lengths_given = given;
    return result;
}

/* As for bodies, a child's rotation includes that of its geometry's own axes. */
static scree_result part_read(const scene_node *node, scree_compound_child *out, scene_reader *reader) {
    static const field fields[] = {
        {"shape", FIELD_OBJECT, offsetof(scree_compound_child, shape), .read = part_shape_read,
         .required = true},
        NUMBER("position", FIELD_VEC3, scree_compound_child, position, BETWEEN(-1e6, 1e6), "m"),
        {"rotation", FIELD_OBJECT, offsetof(scree_compound_child, rotation), .read = rotation_read},
        NUMBER("relative_density", FIELD_FLOAT, scree_compound_child, relative_density, BETWEEN(1e-6, 1e6),
               NULL),
    };
    scree_quat axes;
    *out = scree_default_compound_child();
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), out, reader, NULL));
    scree_geometry_get_frame(out->shape.geometry, NULL, &axes);
    if (axes.w != 1) out->rotation = orientation_then(axes, out->rotation);
    return SCREE_OK;
}

/* Reads the children into a geometry of the scene. */
static scree_result children_read(const scene_node *node, void *target, void *context) {
    scene_reader *reader = context;
    scree_geometry *made;
    TRY(array_check(node, 1, SCREE_COMPOUND_CHILDREN));
    const size_t count = json_array_size(node->value);
    scree_compound_child *parts = memory_allocate(count, sizeof *parts);
    scree_result result = parts ? SCREE_OK : fail(SCREE_ERROR_MEMORY, "out of memory for a compound");
    for (size_t i = 0; i < count && result == SCREE_OK; ++i) {
        const scene_node element = node_element(node, i);
        result = part_read(&element, &parts[i], reader);
    }
    if (result == SCREE_OK) result = geometry_room(reader->scene);
    if (result == SCREE_OK && scree_compound_create(parts, (int)count, &made) != SCREE_OK)
        result = node_fail(node, "%s", scree_error_get_message());
    memory_release(parts);
    if (result == SCREE_OK) geometry_take(reader->scene, made, target);
    return result;
}

scree_result shape_read(const scene_node *node, void *target, void *context) {
    scene_reader *reader = context;
    scree_shape *shape = target;
    char value[NODE_TEXT];
    if (json_is_string(node->value)) return shape_find(node, shape, reader);
    if (!json_is_object(node->value))
        return node_fail(node, "%s; must be a shape (an object) or the name of one",
                         node_describe(node, value));
    int kind = 0;
    TRY(kind_read(node, shape_kind_name, &kind));
    switch ((scree_shape_kind)kind) {
    case SCREE_SHAPE_SPHERE:
        return sphere_read(node, shape, reader->lengths_given);
    case SCREE_SHAPE_BOX:
        return box_read(node, shape, reader->lengths_given);
    case SCREE_SHAPE_HALF_SPACE:
        return half_space_read(node, shape, reader->lengths_given);
    case SCREE_SHAPE_CAPSULE:
        return capsule_read(node, shape, reader->lengths_given);
    case SCREE_SHAPE_CYLINDER:
        return cylinder_read(node, shape, reader->lengths_given);
    case SCREE_SHAPE_CONE:
        return cone_read(node, shape, reader->lengths_given);
    case SCREE_SHAPE_ELLIPSOID:
        return ellipsoid_read(node, shape, reader->lengths_given);
    case SCREE_SHAPE_CLUMP:
        return scaled_read(node, "spheres", spheres_read, scree_shape_clump(NULL, 1), shape, reader->scene);
    case SCREE_SHAPE_MESH:
        return mesh_read(node, shape, reader->scene);
    case SCREE_SHAPE_HULL:
        return hull_read(node, shape, reader->scene);
    case SCREE_SHAPE_SOLID:
        return scaled_read(node, "file", solid_file_read, scree_shape_solid(NULL, 1), shape, reader->scene);
    case SCREE_SHAPE_COMPOUND:
        return scaled_read(node, "parts", children_read, scree_shape_compound(NULL, 1), shape, reader);
    case SCREE_SHAPE_TRIANGLE:
    case SCREE_SHAPE_COUNT:
        break;
    }
    return node_fail(node, "this kind of shape cannot be used in a scene");
}
