/* Reads joints and creates them between the scene's bodies. */
#include <string.h>

#include "base/memory.h"
#include "scene.h"

#define NOT_GIVEN ((float)NAN)

static const char *kind_name(int kind) {
    return kind >= 0 && kind < SCREE_JOINT_KIND_COUNT ? scree_joint_kind_name((scree_joint_kind)kind) : NULL;
}

static const char *mode_name(int mode) {
    return mode >= 0 && mode < SCREE_AXIS_MODE_COUNT ? scree_axis_mode_name((scree_axis_mode)mode) : NULL;
}

static const char *drive_name(int drive) {
    return drive >= 0 && drive < SCREE_DRIVE_COUNT ? scree_drive_name((scree_drive)drive) : NULL;
}

static scree_result spring_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        NUMBER("stiffness", FIELD_FLOAT, scree_spring, stiffness, AT_LEAST(0), NULL),
        NUMBER("damping", FIELD_FLOAT, scree_spring, damping, AT_LEAST(0), NULL),
        NUMBER("frequency", FIELD_FLOAT, scree_spring, frequency, AT_LEAST(0), "Hz"),
        NUMBER("damping_ratio", FIELD_FLOAT, scree_spring, damping_ratio, AT_LEAST(0), NULL),
    };
    return fields_read(node, fields, FIELD_COUNT_OF(fields), target, context, NULL);
}

static scree_result axis_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        {"mode", FIELD_ENUM, offsetof(scree_joint_axis, mode), .name = mode_name},
        NUMBER("low", FIELD_FLOAT, scree_joint_axis, low, ANY_NUMBER, NULL),
        NUMBER("high", FIELD_FLOAT, scree_joint_axis, high, ANY_NUMBER, NULL),
        {"spring", FIELD_OBJECT, offsetof(scree_joint_axis, spring), .read = spring_read},
        {"drive", FIELD_ENUM, offsetof(scree_joint_axis, drive), .name = drive_name},
        NUMBER("target", FIELD_FLOAT, scree_joint_axis, target, ANY_NUMBER, NULL),
        {"servo", FIELD_OBJECT, offsetof(scree_joint_axis, servo), .read = spring_read},
        NUMBER("max_force", FIELD_FLOAT, scree_joint_axis, max_force, AT_LEAST(0), NULL),
        NUMBER("friction", FIELD_FLOAT, scree_joint_axis, friction, AT_LEAST(0), NULL),
    };
    scree_joint_axis *axis = target;
    uint64_t seen = 0;
    enum { SEEN_LOW = 1 << 1, SEEN_HIGH = 1 << 2, SEEN_SPRING = 1 << 3, SEEN_SERVO = 1 << 6 };
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), axis, context, &seen));
    const scene_node servo = node_member(node, "servo"), spring = node_member(node, "spring");
    if (seen & SEEN_SERVO && axis->drive != SCREE_DRIVE_POSITION)
        return node_key_fail(&servo, "the axis has no position drive; must have \"drive\": \"position\"");
    if (seen & SEEN_SPRING && axis->mode == SCREE_AXIS_FREE)
        return node_key_fail(
            &spring,
            "a free axis has nothing to hold; must have \"mode\": \"locked\" or \"limited\", or a \"servo\"");
    if (axis->mode != SCREE_AXIS_LIMITED) return SCREE_OK;
    if (!(seen & SEEN_LOW)) axis->low = -INFINITY;
    if (!(seen & SEEN_HIGH)) axis->high = INFINITY;
    return SCREE_OK;
}

static scree_result axes_read(const scene_node *node, void *target, void *context) {
#define AXIS_ROW(KEY, AXIS)                                                                                  \
    { KEY, FIELD_OBJECT, sizeof(scree_joint_axis) * AXIS, .read = axis_read }
    static const field fields[] = {
        AXIS_ROW("x", SCREE_AXIS_X),
        AXIS_ROW("y", SCREE_AXIS_Y),
        AXIS_ROW("z", SCREE_AXIS_Z),
        AXIS_ROW("rotation_x", SCREE_AXIS_ROTATION_X),
        AXIS_ROW("rotation_y", SCREE_AXIS_ROTATION_Y),
        AXIS_ROW("rotation_z", SCREE_AXIS_ROTATION_Z),
    };
#undef AXIS_ROW
    return fields_read(node, fields, FIELD_COUNT_OF(fields), target, context, NULL);
}

/* Reads the index of a listed body. */
static scree_result listed_read(const scene_node *node, void *target, void *context) {
    const scree_scene *scene = ((const scene_reader *)context)->scene;
    if (scene->body_count == 0)
        return node_fail(node, "the scene lists no bodies; must have \"bodies\" that joints can refer to");
    return int_read(node, (field_range)BETWEEN(0, scene->body_count - 1), NULL, target);
}

scree_result joint_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        KIND_FIELD,
        {"a", FIELD_OBJECT, offsetof(scene_joint, a), .read = listed_read},
        {"b", FIELD_OBJECT, offsetof(scene_joint, b), .read = listed_read},
        NUMBER("point", FIELD_VEC3, scene_joint, point, ANY_NUMBER, "m"),
        NUMBER("point_b", FIELD_VEC3, scene_joint, point_b, ANY_NUMBER, "m"),
        NUMBER("axis", FIELD_VEC3, scene_joint, axis, ANY_NUMBER, NULL),
        NUMBER("second_axis", FIELD_VEC3, scene_joint, second_axis, ANY_NUMBER, NULL),
        {"axes", FIELD_OBJECT, offsetof(scene_joint, def.axes), .read = axes_read},
        {"collide", FIELD_BOOL, offsetof(scene_joint, def.collide), .required = false},
        NUMBER("break_force", FIELD_FLOAT, scene_joint, def.break_force, ABOVE(0), "N"),
        NUMBER("break_torque", FIELD_FLOAT, scene_joint, def.break_torque, ABOVE(0), "N m"),
    };
    enum { SEEN_POINT = 1 << 3, SEEN_POINT_B = 1 << 4 };
    scene_joint *out = target;
    int kind = 0;
    uint64_t seen = 0;
    TRY(kind_read(node, kind_name, &kind));
    *out = (scene_joint){.def = scree_default_joint_def((scree_joint_kind)kind),
                         .a = JOINT_WORLD,
                         .b = JOINT_WORLD,
                         .axis = {1, 0, 0}};
    if (kind == SCREE_JOINT_DISTANCE) out->def.axes[SCREE_AXIS_X].low = NOT_GIVEN;
    TRY(fields_read(node, fields, FIELD_COUNT_OF(fields), out, context, &seen));
    if (out->a == out->b)
        return node_fail(
            node, "the joint connects %s; must connect two different bodies, or one body and the world",
            out->a == JOINT_WORLD ? "the world with itself" : "a body with itself");
    if (!(seen & SEEN_POINT)) return node_fail(node, "the key \"point\" is missing");
    if (kind == SCREE_JOINT_DISTANCE && !(seen & SEEN_POINT_B))
        return node_fail(node, "the key \"point_b\" is missing: a distance joint needs two points");
    if (kind != SCREE_JOINT_DISTANCE && seen & SEEN_POINT_B) {
        const scene_node place = node_member(node, "point_b");
        return node_key_fail(&place, "allowed for distance joints only");
    }
    return SCREE_OK;
}

scree_result joints_read(const scene_node *node, void *target, void *context) {
    scree_scene *scene = target;
    TRY(array_check(node, 0, SCENE_JOINTS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(MEMORY_RESERVE(scene->joints, scene->joint_capacity, i + 1, NULL));
        TRY(joint_read(&element, &scene->joints[i], context));
        scene->joint_count++;
    }
    return SCREE_OK;
}

/* Gives a distance joint an anchor at each of its points; a lock without a length keeps the current
 * distance. */
static scree_result place_distance(const scree_world *world, const scene_joint *from, scree_joint_def *def) {
    scree_joint_def other = *def;
    scree_joint_axis *way = &def->axes[SCREE_AXIS_X];
    const scree_vec3 p = from->point, q = from->point_b, x = {1, 0, 0}, y = {0, 1, 0};
    TRY(scree_joint_get_frame(world, def, p, x, y));
    TRY(scree_joint_get_frame(world, &other, q, x, y));
    def->anchor_b = other.anchor_b, def->frame_b = other.frame_b;
    if (!isnan(way->low)) return SCREE_OK;
    const double dx = (double)q.x - (double)p.x, dy = (double)q.y - (double)p.y,
                 dz = (double)q.z - (double)p.z;
    way->low = way->mode == SCREE_AXIS_LOCKED ? (float)sqrt(dx * dx + dy * dy + dz * dz) : 0;
    return SCREE_OK;
}

scree_result joint_build(scree_world *world, const scene_joint *from, scree_body_id a, scree_body_id b) {
    scree_joint_def def = from->def;
    def.a = a, def.b = b;
    if (def.kind == SCREE_JOINT_DISTANCE)
        TRY(place_distance(world, from, &def));
    else
        TRY(scree_joint_get_frame(world, &def, from->point, from->axis, from->second_axis));
    return scree_joint_create(world, &def, NULL);
}
