/* Reads rotations and bodies. */
#include <cglm/quat.h>

#include "scene.h"

scree_result material_find(const scene_node *node, void *target) {
    const scene_reader *reader = node->source->reader;
    if (!json_is_string(node->value)) return node_refuse(node, "the name of a material");
    TRY(scene_name_find(node, reader->material_index, "material", target));
    const int index = *(const int *)target;
    if (index != MATERIAL_DEFAULT) reader->scene->materials[index].used = true;
    return SCREE_OK;
}

/* Conversion of rotations, by cglm's array functions. */
static scree_quat quat_of(versor q) { return (scree_quat){q[0], q[1], q[2], q[3]}; }

scree_quat orientation_about(const double axis[3], double degrees) {
    versor q;
    vec3 direction = {(float)axis[0], (float)axis[1], (float)axis[2]};
    glm_quatv(q, (float)(degrees * (M_PI / 180)), direction);
    return quat_of(q);
}

scree_quat orientation_then(scree_quat first, scree_quat second) {
    versor p = {first.x, first.y, first.z, first.w}, q = {second.x, second.y, second.z, second.w}, product;
    glm_quat_mul(q, p, product);
    return quat_of(product);
}

/* A rotation in JSON; angles in degrees. */
typedef struct rotation_text {
    double axis[3], angle;
    double euler[3];
} rotation_text;

static scree_result quaternion_read(const scene_node *node, void *target) {
    double q[4], square = 0;
    if (!json_is_array(node->value))
        return node_refuse(node, "a quaternion [x, y, z, w], an object with \"axis\" and "
                                 "\"angle_degrees\", or one with \"euler_degrees\"");
    if (json_array_size(node->value) != 4)
        return node_refuse(node, "a unit quaternion [x, y, z, w], of 4 numbers");
    TRY(numbers_read(node, (field_range)BETWEEN(-2, 2), NULL, 4, false, q));
    for (int i = 0; i < 4; i++) square += q[i] * q[i];
    const double norm = sqrt(square);
    if (fabs(norm - 1) > 1e-3)
        return node_fail(node, "quaternion of length %.6g; must be [x, y, z, w] of length 1", norm);
    *(scree_quat *)target =
        (scree_quat){(float)(q[0] / norm), (float)(q[1] / norm), (float)(q[2] / norm), (float)(q[3] / norm)};
    return SCREE_OK;
}

static const field rotation_fields[] = {
    FIELD(TRIPLE, "axis", rotation_text, axis, "axis of the rotation, of any length, with `angle_degrees`",
          .range = BETWEEN(-1e6, 1e6), .default_text = "none"),
    FIELD(DOUBLE, "angle_degrees", rotation_text, angle, "angle about `axis`, by the right-hand rule",
          .range = BETWEEN(-1e6, 1e6), .unit = "degrees", .default_text = "none"),
    FIELD(TRIPLE, "euler_degrees", rotation_text, euler,
          "alone: angles about the world's x, then its y, then its z axis", .range = BETWEEN(-1e6, 1e6),
          .unit = "degrees", .default_text = "none"),
};

static const field quaternion_field = {.type = FIELD_NUMBERS,
                                       .least = 4,
                                       .most = 4,
                                       .range = BETWEEN(-2, 2),
                                       .help = "unit quaternion [x, y, z, w], of length 1 to within 0.001",
                                       .read = quaternion_read};

const scene_object rotation_object = SCENE_OBJECT(
    "rotation", rotation_text, .common = FIELD_TABLE(rotation_fields), .other = &quaternion_field);

scree_result rotation_read(const scene_node *node, void *target) {
    static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    scree_quat *out = target;
    rotation_text text = {.angle = 0};
    if (!json_is_object(node->value)) return quaternion_read(node, out);
    TRY(object_read(node, &rotation_object, &text));
    const bool axis = node_has(node, "axis"), angle = node_has(node, "angle_degrees"),
               euler = node_has(node, "euler_degrees");
    if (axis != angle || axis == euler)
        return node_fail(node, "must have \"axis\" with \"angle_degrees\", or \"euler_degrees\" alone");
    if (euler) {
        *out = orientation_then(
            orientation_then(orientation_about(x, text.euler[0]), orientation_about(y, text.euler[1])),
            orientation_about(z, text.euler[2]));
        return SCREE_OK;
    }
    const scene_node place = node_member(node, "axis");
    const double *a = text.axis;
    if (!(a[0] * a[0] + a[1] * a[1] + a[2] * a[2] > 1e-12))
        return node_fail(&place, "[%g, %g, %g]; must not be zero", a[0], a[1], a[2]);
    *out = orientation_about(a, text.angle);
    return SCREE_OK;
}

FIELD_CHOICE(lock_name, "x", "y", "z", "rotation_x", "rotation_y", "rotation_z")

/* Reads a list of groups, 0 to 31, into a bit mask. */
scree_result groups_read(const scene_node *node, void *target) {
    uint32_t bits = 0;
    TRY(array_check(node, 0, 32));
    for (size_t i = 0; i < json_array_size(node->value); i++) {
        const scene_node element = node_element(node, i);
        int group = 0;
        TRY(int_read(&element, (field_range)BETWEEN(0, 31), NULL, &group));
        bits |= UINT32_C(1) << group;
    }
    *(uint32_t *)target = bits;
    return SCREE_OK;
}

FIELD_CHOICE(body_type_name, "static", "kinematic", "dynamic")

static scree_result position_refuse(const scene_node *node, void *target) {
    (void)target;
    return node_key_fail(node, "set by the generator; must not be there");
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_body, MEMBER, HELP, __VA_ARGS__)
#define BODY_ROWS                                                                                            \
    ROW(OBJECT, "shape", def.shape, "shape, or the name of one of `shapes`", .object = &shape_object,        \
        .read = shape_read, .required = true),                                                               \
        ROW(ENUM, "type", def.type,                                                                          \
            "dynamic bodies move by forces, kinematic ones as prescribed, static ones not at all",           \
            .name = body_type_name),                                                                         \
        ROW(TEXT, "material", material, "name of the material", .read = material_find,                       \
            .default_text = "`\"default\"`"),                                                                \
        ROW(OBJECT, "rotation", def.state.rotation, "rotation from the shape's axes to the world's",         \
            .object = &rotation_object, .read = rotation_read, .default_text = "none"),                      \
        ROW(VEC3, "linear_velocity", def.state.linear_velocity,                                              \
            "velocity of the centre of mass; not of a static body", .range = BETWEEN(-1e9, 1e9),             \
            .unit = "m/s"),                                                                                  \
        ROW(VEC3, "angular_velocity", def.state.angular_velocity,                                            \
            "angular velocity, world axes; not of a static body", .range = BETWEEN(-1e9, 1e9),               \
            .unit = "rad/s"),                                                                                \
        ROW(FLOAT, "mass", def.mass, "mass; dynamic bodies only", .range = MASS, .unit = "kg",               \
            .default_text = "from the density"),                                                             \
        ROW(VEC3, "inertia", def.inertia,                                                                    \
            "principal moments about the body's axes, none more than 1 % above the sum of the other two; "   \
            "dynamic bodies only",                                                                           \
            .range = INERTIA, .unit = "kg m²", .default_text = "of the shape"),                              \
        ROW(FLOAT, "gravity_scale", def.gravity_scale, "factor of gravity", .range = ANY_NUMBER),            \
        ROW(NAMES, "locks", def.locks,                                                                       \
            "world axes along or about which the body cannot move; dynamic bodies only", .name = lock_name), \
        ROW(VEC3, "force", def.force,                                                                        \
            "force at the centre of mass in every step, world axes; dynamic bodies only",                    \
            .range = ANY_NUMBER, .unit = "N"),                                                               \
        ROW(VEC3, "torque", def.torque, "torque in every step, world axes; dynamic bodies only",             \
            .range = ANY_NUMBER, .unit = "N m"),                                                             \
        GROUP_ROWS(scene_body, def.groups, def.mask),                                                        \
        ROW(VEC3, "surface_velocity", def.surface_velocity,                                                  \
            "velocity of the surface, as of a conveyor belt, body axes; static and kinematic bodies only",   \
            .range = BETWEEN(-1e9, 1e9), .unit = "m/s")

static const field body_fields[] = {
    BODY_ROWS,
    ROW(OBJECT, "servo", servo,
        "a wall that moves along one axis and maintains a force or a pressure; replaces `force` and `locks`; "
        "dynamic bodies only",
        .object = &servo_object, .default_text = "none"),
    ROW(VEC3, "position", def.state.position, "position of the centre of mass", .range = BETWEEN(-1e9, 1e9),
        .unit = "m"),
    ROW(BOOL, "absent", absent, "true: the body and its joints are left out, until a later stage"),
};
static const field template_fields[] = {
    BODY_ROWS,
    FIELD_OF_ALL(HIDDEN, "position", NULL, .read = position_refuse),
};

FIELD_DEFAULTS(body_begin, scene_body,
               (scene_body){.def = scree_default_body_def(),
                            .material = MATERIAL_DEFAULT,
                            .kinematic = KINEMATIC_GROUP_NONE})

static scree_result keys_refuse(const scene_node *node, const char *const *keys, size_t count,
                                const char *allowed) {
    for (size_t i = 0; i < count; i++) {
        const scene_node member = node_member(node, keys[i]);
        if (member.value) return node_key_fail(&member, "%s", allowed);
    }
    return SCREE_OK;
}

static scree_result body_finish(const scene_node *node, void *target) {
    static const char *const of_dynamic[] = {"mass", "inertia", "locks", "force", "torque", "servo"},
                             *const of_moving[] = {"linear_velocity", "angular_velocity"};
    scene_body *body = target;
    /* Clump spheres are given in the scene's axes, but the geometry is stored in principal axes. */
    scree_quat axes = {0, 0, 0, 1};
    scree_geometry_get_frame(body->def.shape.geometry, NULL, &axes);
    if (axes.w != 1) body->def.state.rotation = orientation_then(axes, body->def.state.rotation);
    const scene_node shape = node_member(node, "shape"), belt = node_member(node, "surface_velocity");
    const bool dynamic = body->def.type == SCREE_BODY_DYNAMIC;
    if (dynamic && isinf(scree_shape_get_volume(body->def.shape)))
        return node_fail(&shape, "a %s cannot be dynamic; must have \"type\": \"static\" or \"kinematic\"",
                         scree_shape_kind_name(body->def.shape.kind));
    if (!dynamic)
        TRY(keys_refuse(node, of_dynamic, sizeof of_dynamic / sizeof *of_dynamic,
                        "allowed for dynamic bodies only"));
    if (body->def.type == SCREE_BODY_STATIC)
        TRY(keys_refuse(node, of_moving, sizeof of_moving / sizeof *of_moving,
                        "allowed for dynamic and kinematic bodies only"));
    if (dynamic && belt.value) return node_key_fail(&belt, "allowed for static and kinematic bodies only");
    return servo_apply(node, body);
}

static scree_result listed_finish(const scene_node *node, void *target) {
    TRY(body_finish(node, target));
    return scene_count_bodies(scene_of(node), node, 1);
}

const scene_object body_object = SCENE_OBJECT("body", scene_body, .common = FIELD_TABLE(body_fields),
                                              .begin = body_begin, .finish = listed_finish);
const scene_object template_object =
    SCENE_OBJECT("template", scene_body, .common = FIELD_TABLE(template_fields), .begin = body_begin,
                 .finish = body_finish);
