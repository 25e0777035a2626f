/* Reads assemblies and gravity schedules. */
#include <string.h>

#include "base/memory.h"
#include "scene.h"

static const char *kind_name(int kind) {
    return kind >= 0 && kind < SCREE_MOTION_COUNT ? scree_motion_kind_name((scree_motion_kind)kind) : NULL;
}

/* The file has angles in degrees. */
static double radians(double degrees) { return degrees * (M_PI / 180); }

static scree_result key_read(const scene_node *node, scree_motion_key *out) {
    static const field fields[] = {
        REQUIRED_NUMBER("time", FIELD_DOUBLE, scree_motion_key, time, BETWEEN(0, 1e9), "s"),
        NUMBER("offset", FIELD_VEC3, scree_motion_key, offset, BETWEEN(-1e9, 1e9), "m"),
        {"rotation", FIELD_OBJECT, offsetof(scree_motion_key, rotation), .read = rotation_read},
    };
    *out = (scree_motion_key){.rotation = {0, 0, 0, 1}};
    return fields_read(node, fields, FIELD_COUNT_OF(fields), out, NULL, NULL);
}

/* Reads the keys of a table. All keys of an assembly share one array; its motions point into it once it is
 * complete. */
static scree_result keys_read(const scene_node *node, void *target, void *context) {
    scene_kinematic_group *of = context;
    scree_motion_def *motion = target;
    const size_t count = json_array_size(node->value);
    TRY(array_check(node, 1, SCENE_KEYS_MOST));
    TRY(MEMORY_RESERVE(of->keys, of->key_capacity, (size_t)of->key_count + count, NULL));
    for (size_t i = 0; i < count; ++i) {
        const scene_node element = node_element(node, i);
        TRY(key_read(&element, &of->keys[of->key_count++]));
    }
    motion->key_count = (int)count;
    return SCREE_OK;
}

#define COMMON_FIELDS                                                                                        \
    KIND_FIELD, NUMBER("start", FIELD_DOUBLE, scree_motion_def, start, BETWEEN(0, 1e9), "s"),                \
        NUMBER("stop", FIELD_DOUBLE, scree_motion_def, stop, BETWEEN(0, 1e9), "s")
#define RAMP_FIELD NUMBER("ramp", FIELD_DOUBLE, scree_motion_def, ramp, BETWEEN(0, 1e9), "s")
#define AXIS_FIELDS                                                                                          \
    REQUIRED_NUMBER("axis", FIELD_VEC3, scree_motion_def, axis, BETWEEN(-1e6, 1e6), NULL),                   \
        NUMBER("point", FIELD_VEC3, scree_motion_def, point, BETWEEN(-1e9, 1e9), "m")
#define WAVE_FIELDS                                                                                          \
    REQUIRED_NUMBER("frequency", FIELD_DOUBLE, scree_motion_def, frequency, BETWEEN(0, 1e9), "Hz"),          \
        NUMBER("phase_degrees", FIELD_DOUBLE, scree_motion_def, phase, BETWEEN(-1e6, 1e6), "degrees")

static const field linear_fields[] = {
    COMMON_FIELDS, RAMP_FIELD,
    REQUIRED_NUMBER("velocity", FIELD_VEC3, scree_motion_def, velocity, BETWEEN(-1e6, 1e6), "m/s")};
static const field rotation_fields[] = {
    COMMON_FIELDS, RAMP_FIELD, AXIS_FIELDS,
    REQUIRED_NUMBER("speed", FIELD_DOUBLE, scree_motion_def, speed, BETWEEN(-1e6, 1e6), "rad/s")};
static const field oscillation_fields[] = {
    COMMON_FIELDS, RAMP_FIELD, WAVE_FIELDS,
    REQUIRED_NUMBER("direction", FIELD_VEC3, scree_motion_def, axis, BETWEEN(-1e6, 1e6), NULL),
    REQUIRED_NUMBER("amplitude", FIELD_DOUBLE, scree_motion_def, amplitude, BETWEEN(-1e6, 1e6), "m")};
static const field swing_fields[] = {COMMON_FIELDS, RAMP_FIELD, WAVE_FIELDS, AXIS_FIELDS,
                                     REQUIRED_NUMBER("amplitude_degrees", FIELD_DOUBLE, scree_motion_def,
                                                     amplitude, BETWEEN(-1e6, 1e6), "degrees")};
static const field table_fields[] = {
    COMMON_FIELDS,
    NUMBER("point", FIELD_VEC3, scree_motion_def, point, BETWEEN(-1e9, 1e9), "m"),
    {.key = "keys", .type = FIELD_OBJECT, .read = keys_read, .required = true}};

static const struct {
    const field *fields;
    int count;
} rows[] = {
    [SCREE_MOTION_LINEAR] = {linear_fields, FIELD_COUNT_OF(linear_fields)},
    [SCREE_MOTION_ROTATION] = {rotation_fields, FIELD_COUNT_OF(rotation_fields)},
    [SCREE_MOTION_OSCILLATION] = {oscillation_fields, FIELD_COUNT_OF(oscillation_fields)},
    [SCREE_MOTION_SWING] = {swing_fields, FIELD_COUNT_OF(swing_fields)},
    [SCREE_MOTION_TABLE] = {table_fields, FIELD_COUNT_OF(table_fields)},
};
_Static_assert(sizeof rows / sizeof *rows == SCREE_MOTION_COUNT, "every kind of motion has its keys");

static scree_result motion_read(const scene_node *node, scree_motion_def *out, scene_kinematic_group *of) {
    int kind = 0;
    TRY(kind_read(node, kind_name, &kind));
    *out = scree_default_motion_def((scree_motion_kind)kind);
    TRY(fields_read(node, rows[kind].fields, rows[kind].count, out, of, NULL));
    out->phase = radians(out->phase);
    if (kind == SCREE_MOTION_SWING) out->amplitude = radians(out->amplitude);
    return SCREE_OK;
}

static scree_result motions_read(const scene_node *node, void *target, void *context) {
    scene_kinematic_group *of = target;
    int first = of->key_count = 0;
    (void)context;
    TRY(array_check(node, 0, SCENE_MOTIONS_MOST));
    of->motion_count = 0;
    TRY(MEMORY_RESERVE(of->motions, of->motion_capacity, json_array_size(node->value), NULL));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(motion_read(&element, &of->motions[i], of));
        of->motion_count++;
    }
    for (int i = 0; i < of->motion_count; ++i) {
        const scene_node element = node_element(node, (size_t)i);
        of->motions[i].keys = of->motions[i].kind == SCREE_MOTION_TABLE ? of->keys + first : NULL;
        first += of->motions[i].key_count;
        const scree_result result = scree_validate_motions(&of->motions[i], 1);
        if (result != SCREE_OK) return node_fail_prefix(&element, result);
    }
    return SCREE_OK;
}

scree_result members_read(const scene_node *node, int count, const char *list, int **out, int *out_count,
                          int *capacity) {
    if (count == 0 && json_array_size(node->value))
        return node_fail(node, "the scene has no %s; must be an empty list", list);
    TRY(array_check(node, 0, (size_t)count));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        int place;
        TRY(int_read(&element, (field_range)BETWEEN(0, count - 1), NULL, &place));
        TRY(MEMORY_RESERVE(*out, *capacity, i + 1, NULL));
        (*out)[i] = place;
        *out_count = (int)i + 1;
    }
    return SCREE_OK;
}

/* Records the assembly of an entry. Refuses an entry that already has one. */
static scree_result member_take(const scene_node *node, int *owner, int kinematic) {
    if (*owner != KINEMATIC_GROUP_NONE)
        return node_fail(node, "already in assemblies[%d]; must be in one only", *owner);
    *owner = kinematic;
    return SCREE_OK;
}

static scree_result bodies_find(const scene_node *node, void *target, void *context) {
    scree_scene *scene = ((scene_reader *)context)->scene;
    scene_kinematic_group *of = target;
    TRY(members_read(node, scene->body_count, "bodies", &of->bodies, &of->body_count, &of->body_capacity));
    for (int i = 0; i < of->body_count; ++i) {
        const scene_node element = node_element(node, (size_t)i);
        scene_body *body = &scene->bodies[of->bodies[i]];
        if (body->def.type != SCREE_BODY_KINEMATIC)
            return node_fail(&element, "bodies[%d] is not kinematic; must have \"type\": \"kinematic\"",
                             of->bodies[i]);
        const scree_vec3 v = body->def.state.linear_velocity, w = body->def.state.angular_velocity;
        if (v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0)
            return node_fail(&element, "bodies[%d] has its own velocity; must have none in an assembly",
                             of->bodies[i]);
        TRY(member_take(&element, &body->kinematic, scene->kinematic_group_count));
    }
    return SCREE_OK;
}

static scree_result containers_find(const scene_node *node, void *target, void *context) {
    scree_scene *scene = ((scene_reader *)context)->scene;
    scene_kinematic_group *of = target;
    TRY(members_read(node, scene->container_count, "containers", &of->containers, &of->container_count,
                     &of->container_capacity));
    for (int i = 0; i < of->container_count; ++i) {
        const scene_node element = node_element(node, (size_t)i);
        TRY(member_take(&element, &scene->containers[of->containers[i]].kinematic,
                        scene->kinematic_group_count));
    }
    return SCREE_OK;
}

scree_result kinematic_groups_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        {"bodies", FIELD_OBJECT, 0, .read = bodies_find},
        {"containers", FIELD_OBJECT, 0, .read = containers_find},
        {.key = "motions", .type = FIELD_OBJECT, .read = motions_read, .required = true},
    };
    scree_scene *scene = target;
    TRY(array_check(node, 0, SCENE_KINEMATIC_GROUPS_MOST));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        TRY(MEMORY_RESERVE(scene->kinematic_groups, scene->kinematic_group_capacity, i + 1, NULL));
        scene->kinematic_groups[i] = (scene_kinematic_group){0};
        scene->kinematic_group_count = (int)i; /* index that member_take stores in the members */
        const scree_result result =
            fields_read(&element, fields, FIELD_COUNT_OF(fields), &scene->kinematic_groups[i], context, NULL);
        scene->kinematic_group_count = (int)i + 1;
        TRY(result);
    }
    return SCREE_OK;
}

void scene_kinematic_group_release(scene_kinematic_group *self) {
    memory_release(self->bodies);
    memory_release(self->containers);
    memory_release(self->motions);
    memory_release(self->keys);
}

scree_result gravity_keys_read(const scene_node *node, void *target, void *context) {
    static const field fields[] = {
        REQUIRED_NUMBER("time", FIELD_DOUBLE, scree_gravity_key, time, BETWEEN(0, 1e9), "s"),
        REQUIRED_NUMBER("gravity", FIELD_VEC3, scree_gravity_key, gravity, BETWEEN(-1e6, 1e6), "m/s²"),
    };
    scree_scene *scene = target;
    (void)context;
    if (!scene->effective && json_object_get(node->parent->value, "gravity"))
        return node_fail(node, "the scene also has `gravity`; must have only one of the two");
    TRY(array_check(node, 0, SCENE_KEYS_MOST));
    TRY(MEMORY_RESERVE(scene->gravity, scene->gravity_capacity, json_array_size(node->value), NULL));
    for (size_t i = 0; i < json_array_size(node->value); ++i) {
        const scene_node element = node_element(node, i);
        scree_gravity_key *key = &scene->gravity[i];
        TRY(fields_read(&element, fields, FIELD_COUNT_OF(fields), key, NULL, NULL));
        if (i && !(key->time > scene->gravity[i - 1].time)) {
            const scene_node time = node_member(&element, "time");
            return node_fail(&time, "%.9g s; must be more than the time of the preceding key, %.9g s",
                             key->time, scene->gravity[i - 1].time);
        }
        scene->gravity_count++;
    }
    return SCREE_OK;
}
