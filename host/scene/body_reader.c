/* Reads rotations and bodies. */
#include <string.h>

#include "base/memory.h"
#include "scene.h"

scree_result material_find(const scene_node *node, void *target, void *context) {
    const scene_reader *reader = context;
    char value[NODE_TEXT];
    if (!json_is_string(node->value))
        return node_fail(node, "%s; must be the name of a material", node_describe(node, value));
    TRY(scene_name_find(node, reader->material_index, "material", target));
    const int index = *(const int *)target;
    if (index != MATERIAL_DEFAULT) reader->scene->materials_used[index] = true;
    return SCREE_OK;
}

/* A rotation in JSON; angles in degrees. */
typedef struct rotation_text {
    double axis[3], angle;
    double euler[3];
} rotation_text;

static scree_result quaternion_read(const scene_node *node, scree_quat *out) {
    double q[4], square = 0;
    TRY(array_check(node, 4, 4));
    for (size_t i = 0; i < 4; ++i) {
        const scene_node element = node_element(node, i);
        TRY(number_read(&element, (field_range)BETWEEN(-2, 2), NULL, &q[i]));
        square += q[i] * q[i];
    }
    const double norm = sqrt(square);
    if (fabs(norm - 1) > 1e-3)
        return node_fail(node, "quaternion of length %.6g; must be [x, y, z, w] of length 1", norm);
    *out =
        (scree_quat){(float)(q[0] / norm), (float)(q[1] / norm), (float)(q[2] / norm), (float)(q[3] / norm)};
    return SCREE_OK;
}

scree_result rotation_read(const scene_node *node, void *target, void *context) {
    (void)context;
    static const field fields[] = {
        NUMBER("axis", FIELD_TRIPLE, rotation_text, axis, BETWEEN(-1e6, 1e6), NULL),
        NUMBER("angle_degrees", FIELD_DOUBLE, rotation_text, angle, BETWEEN(-1e6, 1e6), "degrees"),
        NUMBER("euler_degrees", FIELD_TRIPLE, rotation_text, euler, BETWEEN(-1e6, 1e6), "degrees"),
    };
    scree_quat *out = target;
    char value[NODE_TEXT];
    if (json_is_array(node->value)) return quaternion_read(node, out);
    if (!json_is_object(node->value))
        return node_fail(node,
                         "%s; must be a quaternion [x, y, z, w], an object with \"axis\" and "
                         "\"angle_degrees\", or one with \"euler_degrees\"",
                         node_describe(node, value));
    rotation_text text = {{0}, 0, {0}};
    uint64_t seen = 0;
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), &text, NULL, &seen));
    if (seen == 3) {
        const double *axis = text.axis;
        if (!(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2] > 1e-12)) {
            const scene_node place = node_member(node, "axis");
            return node_fail(&place, "axis of length 0; must be a direction");
        }
        *out = orientation_about(axis, text.angle);
        return SCREE_OK;
    }
    if (seen != 4)
        return node_fail(node, "must have \"axis\" with \"angle_degrees\", or \"euler_degrees\" alone");
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    *out = orientation_then(
        orientation_then(orientation_about(x, text.euler[0]), orientation_about(y, text.euler[1])),
        orientation_about(z, text.euler[2]));
    return SCREE_OK;
}

static const char *const lock_names[] = {"x", "y", "z", "rotation_x", "rotation_y", "rotation_z"};
enum { LOCKS = sizeof lock_names / sizeof *lock_names };

static const char *lock_name(int bit) { return bit >= 0 && bit < LOCKS ? lock_names[bit] : NULL; }

static scree_result locks_read(const scene_node *node, void *target, void *context) {
    (void)context;
    uint32_t locks = 0;
    TRY(array_check(node, 0, LOCKS));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        int bit = 0;
        TRY(enum_read(&element, lock_name, &bit));
        locks |= UINT32_C(1) << bit;
    }
    *(uint32_t *)target = locks;
    return SCREE_OK;
}

/* Reads a list of groups, 0 to 31, into a bit mask. */
scree_result groups_read(const scene_node *node, void *target, void *context) {
    uint32_t bits = 0;
    (void)context;
    TRY(array_check(node, 0, 32));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        int group = 0;
        TRY(int_read(&element, (field_range)BETWEEN(0, 31), NULL, &group));
        bits |= UINT32_C(1) << group;
    }
    *(uint32_t *)target = bits;
    return SCREE_OK;
}

static const char *body_type_name(int type) {
    static const char *const names[] = {"static", "kinematic", "dynamic"};
    return type >= 0 && type < 3 ? names[type] : NULL;
}

/* body_template_read omits the last three rows. */
static const field body_fields[] = {
    {"shape", FIELD_OBJECT, offsetof(scene_body, def.shape), .read = shape_read, .required = true},
    {"type", FIELD_ENUM, offsetof(scene_body, def.type), .name = body_type_name},
    {"material", FIELD_OBJECT, offsetof(scene_body, material), .read = material_find},
    {"rotation", FIELD_OBJECT, offsetof(scene_body, def.state.rotation), .read = rotation_read},
    NUMBER("linear_velocity", FIELD_VEC3, scene_body, def.state.linear_velocity, BETWEEN(-1e9, 1e9), "m/s"),
    NUMBER("angular_velocity", FIELD_VEC3, scene_body, def.state.angular_velocity, BETWEEN(-1e9, 1e9),
           "rad/s"),
    NUMBER("mass", FIELD_FLOAT, scene_body, def.mass, MASS, "kg"),
    NUMBER("inertia", FIELD_VEC3, scene_body, def.inertia, INERTIA, "kg m²"),
    NUMBER("gravity_scale", FIELD_FLOAT, scene_body, def.gravity_scale, ANY_NUMBER, NULL),
    {"locks", FIELD_OBJECT, offsetof(scene_body, def.locks), .read = locks_read},
    NUMBER("force", FIELD_VEC3, scene_body, def.force, ANY_NUMBER, "N"),
    NUMBER("torque", FIELD_VEC3, scene_body, def.torque, ANY_NUMBER, "N m"),
    {"groups", FIELD_OBJECT, offsetof(scene_body, def.groups), .read = groups_read},
    {"touches", FIELD_OBJECT, offsetof(scene_body, def.mask), .read = groups_read},
    NUMBER("surface_velocity", FIELD_VEC3, scene_body, def.surface_velocity, BETWEEN(-1e9, 1e9), "m/s"),
    {"servo", FIELD_OBJECT, 0, .read = servo_read},
    NUMBER("position", FIELD_VEC3, scene_body, def.state.position, BETWEEN(-1e9, 1e9), "m"),
    {"absent", FIELD_BOOL, offsetof(scene_body, absent), .required = false},
};

static scree_result read_rows(const scene_node *node, int rows, scene_body *body, void *context) {
    *body = (scene_body){scree_default_body_def(), MATERIAL_DEFAULT, KINEMATIC_GROUP_NONE, false};
    TRY(fields_read(node, body_fields, rows, body, context, NULL));
    /* Clump spheres are given in the scene's axes, but the geometry is stored in principal axes. */
    scree_quat axes = {0, 0, 0, 1};
    scree_geometry_get_frame(body->def.shape.geometry, NULL, &axes);
    if (axes.w != 1) body->def.state.rotation = orientation_then(axes, body->def.state.rotation);
    static const char *const of_dynamic[] = {"mass", "inertia", "locks", "force", "torque", "servo"};
    const scene_node shape = node_member(node, "shape");
    const bool dynamic = body->def.type == SCREE_BODY_DYNAMIC;
    if (dynamic && isinf(scree_shape_get_volume(body->def.shape)))
        return node_fail(&shape, "a %s cannot be dynamic; must have \"type\": \"static\" or \"kinematic\"",
                         scree_shape_kind_name(body->def.shape.kind));
    for (size_t i = 0; !dynamic && i < sizeof of_dynamic / sizeof *of_dynamic; ++i) {
        const scene_node member = node_member(node, of_dynamic[i]);
        if (member.value) return node_key_fail(&member, "allowed for dynamic bodies only");
    }
    const scene_node belt = node_member(node, "surface_velocity");
    if (dynamic && belt.value) return node_key_fail(&belt, "allowed for static and kinematic bodies only");
    return servo_apply(node, &body->def);
}

scree_result body_read(const scene_node *node, void *target, void *context) {
    return read_rows(node, FIELD_COUNT_OF(body_fields), target, context);
}

scree_result body_template_read(const scene_node *node, void *target, void *context) {
    const scene_node position = node_member(node, "position");
    if (json_is_object(node->value) && position.value)
        return node_key_fail(&position, "set by the generator; must not be there");
    return read_rows(node, FIELD_COUNT_OF(body_fields) - 3, target, context);
}
