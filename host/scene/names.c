/* Reads named objects of a scene: materials, material pairs and shapes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scene.h"

/* Rows that a material and a pair of materials have; `AT` is where the properties are in their owner. */
#define FRICTION_ROWS(OWNER, AT, REQUIRED)                                                                   \
    FIELD(FLOAT, "friction", OWNER, AT friction, "Coulomb's coefficient of friction μ",                      \
          .range = BETWEEN(0, 1e6), .required = REQUIRED),                                                   \
        FIELD(FLOAT, "restitution", OWNER, AT restitution,                                                   \
              "Newton's coefficient e, for approaches faster than the solver's `restitution_speed`",         \
              .range = BETWEEN(0, 1), .required = REQUIRED)
#define CONTACT_ROWS(OWNER, AT)                                                                              \
    FIELD(FLOAT, "rolling_friction", OWNER, AT rolling_friction,                                             \
          "l_r: the torque that opposes rolling is at most l_r times the normal force",                      \
          .range = BETWEEN(0, 1e6), .unit = "m"),                                                            \
        FIELD(FLOAT, "spinning_friction", OWNER, AT spinning_friction,                                       \
              "l_s: the torque that opposes spinning is at most l_s times the normal force",                 \
              .range = BETWEEN(0, 1e6), .unit = "m"),                                                        \
        FIELD(FLOAT, "cohesion", OWNER, AT cohesion, "cohesive force between two touching bodies",           \
              .range = AT_LEAST(0), .unit = "N"),                                                            \
        FIELD(FLOAT, "cohesion_distance", OWNER, AT cohesion_distance, "largest gap at which cohesion acts", \
              .range = AT_LEAST(0), .unit = "m"),                                                            \
        FIELD(FLOAT, "stiffness", OWNER, AT stiffness,                                                       \
              "spring of each contact point, under `soft`, `penalty` and `substep`; 0: that of the solver",  \
              .range = BETWEEN(0, 1e20), .unit = "N/m"),                                                     \
        FIELD(FLOAT, "damping", OWNER, AT damping, "damper of each contact point, with `stiffness`",         \
              .range = BETWEEN(0, 1e20), .unit = "N s/m")

static const field material_fields[] = {
    FRICTION_ROWS(scree_material_def, , false),
    FIELD(FLOAT, "density", scree_material_def, density, "density", .range = DENSITY, .unit = "kg/m³"),
    CONTACT_ROWS(scree_material_def, ),
};

FIELD_DEFAULTS(material_begin, scree_material_def, scree_default_material_def())

const scene_object material_object = SCENE_OBJECT(
    "material", scree_material_def, .common = FIELD_TABLE(material_fields), .begin = material_begin);

static scree_result check_object(const scene_node *node, size_t most, const char *what) {
    char value[NODE_TEXT];
    if (!json_is_object(node->value))
        return node_fail(node, "%s; must be an object of %s by name", node_describe(node, value), what);
    if (json_object_size(node->value) > most)
        return node_fail(node, "%zu %s; must be at most %zu", json_object_size(node->value), what, most);
    return SCREE_OK;
}

static scree_result name_keep(json_t *index, const char *name, int value) {
    if (json_object_set_new(index, name, json_integer(value)))
        return fail(SCREE_ERROR_MEMORY, "out of memory for the names of a scene");
    return SCREE_OK;
}

scree_result scene_name_find(const scene_node *node, json_t *index, const char *what, int *out) {
    const char *name = json_string_value(node->value);
    const json_t *found = json_object_get(index, name);
    if (found) {
        *out = (int)json_integer_value(found);
        return SCREE_OK;
    }
    char suggestion[SUGGESTION_TEXT] = "";
    const char *other;
    json_t *value;
    json_object_foreach(index, other, value) if (!suggestion[0]) node_suggest(name, &other, 1, suggestion);
    return node_fail(node, "no %s is named \"%.40s\"%s", what, name, suggestion);
}

/* Reads the materials; "default" is the world's default material. */
scree_result materials_read(const scene_node *node, void *target) {
    (void)target;
    scene_reader *reader = node->source->reader;
    scree_scene *scene = reader->scene;
    TRY(check_object(node, SCENE_MATERIALS_MOST, "materials"));
    const char *name;
    json_t *value;
    json_object_foreach(node->value, name, value) {
        const scene_node member = node_member(node, name);
        scree_material_def material;
        TRY(object_read(&member, &material_object, &material));
        snprintf(material.name, sizeof material.name, "%s", name);
        if (!strcmp(name, "default")) {
            scene->world.material = material;
            continue;
        }
        TRY(MEMORY_RESERVE(scene->materials, scene->material_capacity, scene->material_count + 1, NULL));
        scene->materials[scene->material_count] = (scene_material){.name = name, .def = material};
        TRY(name_keep(reader->material_index, name, scene->material_count++));
    }
    return SCREE_OK;
}

static scree_result pair_names_read(const scene_node *node, void *target) {
    scene_pair *pair = target;
    TRY(array_check(node, 2, 2));
    const scene_node a = node_element(node, 0), b = node_element(node, 1);
    TRY(material_find(&a, &pair->a));
    return material_find(&b, &pair->b);
}

static bool same_pair(const scene_pair *p, const scene_pair *q) {
    return (p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a);
}

FIELD_DEFAULTS(pair_begin, scene_pair, (scene_pair){.contact = scree_default_material_pair_def()})

static scree_result pair_finish(const scene_node *node, void *target) {
    const scree_scene *scene = scene_of(node);
    for (int k = 0; k < scene->pair_count - 1; k++)
        if (same_pair(target, &scene->pairs[k]))
            return node_fail(node, "these two materials already have a pair: material_pairs[%d]", k);
    return SCREE_OK;
}

static const field pair_fields[] = {
    FIELD_OF_ALL(TEXTS, "materials", "names of the two materials, in either order, or twice the same",
                 .least = 2, .most = 2, .read = pair_names_read, .required = true),
    FRICTION_ROWS(scene_pair, contact., true),
    CONTACT_ROWS(scene_pair, contact.),
};

const scene_object pair_object = SCENE_OBJECT("material-pair", scene_pair, .common = FIELD_TABLE(pair_fields),
                                              .begin = pair_begin, .finish = pair_finish);

enum { BEING_READ = -1 }; /* placeholder for the index of a shape */

static scree_result named_shape_read(const scene_node *shapes, const char *name) {
    const scene_node member = node_member(shapes, name);
    scene_reader *reader = shapes->source->reader;
    scree_shape shape;
    TRY(name_keep(reader->shape_index, name, BEING_READ));
    TRY(shape_read(&member, &shape));
    TRY(MEMORY_RESERVE(reader->shapes, reader->shape_capacity, reader->shape_count + 1, NULL));
    reader->shapes[reader->shape_count] = shape;
    return name_keep(reader->shape_index, name, reader->shape_count++);
}

/* Compounds may precede the shapes that they refer to. */
scree_result shape_find(const scene_node *node, scree_shape *out) {
    const scene_reader *reader = node->source->reader;
    const char *name = json_string_value(node->value);
    const scene_node *root = node;
    int index;
    while (root->parent) root = root->parent;
    const scene_node shapes = node_member(root, "shapes");
    if (!json_object_get(reader->shape_index, name) && json_object_get(shapes.value, name))
        TRY(named_shape_read(&shapes, name));
    TRY(scene_name_find(node, reader->shape_index, "shape", &index));
    if (index == BEING_READ) return node_fail(node, "the shape \"%.40s\" contains itself", name);
    *out = reader->shapes[index];
    return SCREE_OK;
}

scree_result shapes_read(const scene_node *node, void *target) {
    (void)target;
    scene_reader *reader = node->source->reader;
    TRY(check_object(node, SCENE_SHAPES_MOST, "shapes"));
    const char *name;
    json_t *value;
    json_object_foreach(node->value, name, value) {
        if (!json_object_get(reader->shape_index, name)) TRY(named_shape_read(node, name));
    }
    return SCREE_OK;
}
