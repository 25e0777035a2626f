/* Reads named objects of a scene: materials, material pairs and shapes. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "scene.h"

static const field material_fields[] = {
    NUMBER("friction", FIELD_FLOAT, scree_material_def, friction, BETWEEN(0, 1e6), NULL),
    NUMBER("restitution", FIELD_FLOAT, scree_material_def, restitution, BETWEEN(0, 1), NULL),
    NUMBER("density", FIELD_FLOAT, scree_material_def, density, DENSITY, "kg/m³"),
    NUMBER("rolling_friction", FIELD_FLOAT, scree_material_def, rolling_friction, BETWEEN(0, 1e6), "m"),
    NUMBER("spinning_friction", FIELD_FLOAT, scree_material_def, spinning_friction, BETWEEN(0, 1e6), "m"),
    NUMBER("cohesion", FIELD_FLOAT, scree_material_def, cohesion, AT_LEAST(0), "N"),
    NUMBER("cohesion_distance", FIELD_FLOAT, scree_material_def, cohesion_distance, AT_LEAST(0), "m"),
    NUMBER("stiffness", FIELD_FLOAT, scree_material_def, stiffness, BETWEEN(0, 1e20), "N/m"),
    NUMBER("damping", FIELD_FLOAT, scree_material_def, damping, BETWEEN(0, 1e20), "N s/m"),
};

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
scree_result materials_read(const scene_node *node, void *target, void *context) {
    (void)target;
    scene_reader *reader = context;
    scree_scene *scene = reader->scene;
    TRY(check_object(node, SCENE_MATERIALS_MOST, "materials"));
    const char *name;
    json_t *value;
    json_object_foreach(node->value, name, value) {
        const scene_node member = node_member(node, name);
        scree_material_def material = scree_default_material_def();
        TRY(fields_read(&member, material_fields, FIELD_COUNT_OF(material_fields), &material, NULL, NULL));
        snprintf(material.name, sizeof material.name, "%s", name);
        if (!strcmp(name, "default")) {
            scene->world.material = material;
            continue;
        }
        TRY(MEMORY_RESERVE(scene->materials, scene->material_capacity, scene->material_count + 1, NULL));
        if (!scene->materials_used)
            scene->materials_used =
                memory_allocate(json_object_size(node->value), sizeof *scene->materials_used);
        if (!scene->materials_used) return fail(SCREE_ERROR_MEMORY, "out of memory for a scene");
        scene->materials[scene->material_count] = material;
        TRY(name_keep(reader->material_index, name, scene->material_count++));
    }
    return SCREE_OK;
}

void scene_material_names(const scree_scene *scene, const char **out) {
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(scene->root, "materials"), name, value) {
        if (strcmp(name, "default")) *out++ = name;
    }
}

static scree_result pair_names_read(const scene_node *node, void *target, void *context) {
    scene_pair *pair = target;
    TRY(array_check(node, 2, 2));
    const scene_node a = node_element(node, 0), b = node_element(node, 1);
    TRY(material_find(&a, &pair->a, context));
    return material_find(&b, &pair->b, context);
}

static bool same_pair(const scene_pair *p, const scene_pair *q) {
    return (p->a == q->a && p->b == q->b) || (p->a == q->b && p->b == q->a);
}

scree_result pairs_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        {.key = "materials", .type = FIELD_OBJECT, .read = pair_names_read, .required = true},
        REQUIRED_NUMBER("friction", FIELD_FLOAT, scene_pair, contact.friction, BETWEEN(0, 1e6), NULL),
        REQUIRED_NUMBER("restitution", FIELD_FLOAT, scene_pair, contact.restitution, BETWEEN(0, 1), NULL),
        NUMBER("rolling_friction", FIELD_FLOAT, scene_pair, contact.rolling_friction, BETWEEN(0, 1e6), "m"),
        NUMBER("spinning_friction", FIELD_FLOAT, scene_pair, contact.spinning_friction, BETWEEN(0, 1e6), "m"),
        NUMBER("cohesion", FIELD_FLOAT, scene_pair, contact.cohesion, AT_LEAST(0), "N"),
        NUMBER("cohesion_distance", FIELD_FLOAT, scene_pair, contact.cohesion_distance, AT_LEAST(0), "m"),
        NUMBER("stiffness", FIELD_FLOAT, scene_pair, contact.stiffness, BETWEEN(0, 1e20), "N/m"),
        NUMBER("damping", FIELD_FLOAT, scene_pair, contact.damping, BETWEEN(0, 1e20), "N s/m"),
    };
    (void)target;
    scree_scene *scene = ((scene_reader *)context)->scene;
    TRY(array_check(node, 0, SCENE_PAIRS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        scene_pair pair = {.contact = scree_default_material_pair_def()};
        TRY(fields_read(&element, fields, FIELD_COUNT_OF(fields), &pair, context, NULL));
        for (int k = 0; k < scene->pair_count; ++k)
            if (same_pair(&pair, &scene->pairs[k]))
                return node_fail(&element, "these two materials already have a pair: material_pairs[%d]", k);
        TRY(MEMORY_RESERVE(scene->pairs, scene->pair_capacity, scene->pair_count + 1, NULL));
        scene->pairs[scene->pair_count++] = pair;
    }
    return SCREE_OK;
}

enum { BEING_READ = -1 }; /* placeholder for the index of a shape */

static scree_result named_shape_read(const scene_node *shapes, const char *name, scene_reader *reader) {
    const scene_node member = node_member(shapes, name);
    scree_shape shape;
    TRY(name_keep(reader->shape_index, name, BEING_READ));
    TRY(shape_read(&member, &shape, reader));
    TRY(MEMORY_RESERVE(reader->shapes, reader->shape_capacity, reader->shape_count + 1, NULL));
    reader->shapes[reader->shape_count] = shape;
    return name_keep(reader->shape_index, name, reader->shape_count++);
}

/* Compounds may precede the shapes that they refer to. */
scree_result shape_find(const scene_node *node, scree_shape *out, scene_reader *reader) {
    const char *name = json_string_value(node->value);
    const scene_node *root = node;
    int index;
    while (root->parent) root = root->parent;
    const scene_node shapes = node_member(root, "shapes");
    if (!json_object_get(reader->shape_index, name) && json_object_get(shapes.value, name))
        TRY(named_shape_read(&shapes, name, reader));
    TRY(scene_name_find(node, reader->shape_index, "shape", &index));
    if (index == BEING_READ) return node_fail(node, "the shape \"%.40s\" contains itself", name);
    *out = reader->shapes[index];
    return SCREE_OK;
}

scree_result shapes_read(const scene_node *node, void *target, void *context) {
    (void)target;
    scene_reader *reader = context;
    TRY(check_object(node, SCENE_SHAPES_MOST, "shapes"));
    const char *name;
    json_t *value;
    json_object_foreach(node->value, name, value) {
        if (!json_object_get(reader->shape_index, name)) TRY(named_shape_read(node, name, reader));
    }
    return SCREE_OK;
}
