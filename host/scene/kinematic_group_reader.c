/* Reads kinematic groups and gravity schedules. */
#include "base/memory.h"
#include "scene.h"

FIELD_NAMES_OF(kind_name, scree_motion_kind)

/* The file has angles in degrees. */
static double radians(double degrees) { return degrees * (M_PI / 180); }

FIELD_DEFAULTS(key_begin, scree_motion_key, (scree_motion_key){.rotation = {0, 0, 0, 1}})

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scree_motion_key, MEMBER, HELP, __VA_ARGS__)
static const field key_fields[] = {
    ROW(DOUBLE, "time", time, "time since the start, more than that of the preceding key",
        .range = BETWEEN(0, 1e9), .unit = "s", .required = true),
    ROW(VEC3, "offset", offset, "displacement, after the rotation", .range = BETWEEN(-1e9, 1e9), .unit = "m"),
    ROW(OBJECT, "rotation", rotation, "rotation about the motion's `point`", .object = &rotation_object,
        .read = rotation_read, .default_text = "none"),
};
static const scene_object key_object =
    SCENE_OBJECT("motion-key", scree_motion_key, .common = FIELD_TABLE(key_fields), .begin = key_begin);
#undef ROW

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scree_motion_def, MEMBER, HELP, __VA_ARGS__)
#define RAMP_ROW                                                                                             \
    ROW(DOUBLE, "ramp", ramp,                                                                                \
        "time after the start in which the speed, or the amplitude, rises linearly "                         \
        "from 0",                                                                                            \
        .range = BETWEEN(0, 1e9), .unit = "s")
#define AXIS_ROW                                                                                             \
    ROW(VEC3, "axis", axis, "direction of the axis", .range = BETWEEN(-1e6, 1e6), .required = true)
#define POINT_ROW ROW(VEC3, "point", point, "point of the axis", .range = BETWEEN(-1e9, 1e9), .unit = "m")
#define WAVE_ROWS                                                                                            \
    ROW(DOUBLE, "frequency", frequency, "frequency", .range = BETWEEN(0, 1e9), .unit = "Hz",                 \
        .required = true),                                                                                   \
        ROW(DOUBLE, "phase_degrees", phase, "phase at the start; −90 starts at rest",                        \
            .range = BETWEEN(-1e6, 1e6), .unit = "degrees")

static const field common_fields[] = {
    ROW(DOUBLE, "start", start, "when the motion begins, since the group was created or got these motions",
        .range = BETWEEN(0, 1e9), .unit = "s"),
    ROW(DOUBLE, "stop", stop,
        "when the motion ends, counted from the same time as `start`; the displacement then stays constant",
        .range = BETWEEN(0, 1e9), .unit = "s", .default_text = "never"),
};
static const field linear_fields[] = {RAMP_ROW,
                                      ROW(VEC3, "velocity", velocity, "velocity", .range = BETWEEN(-1e6, 1e6),
                                          .unit = "m/s", .required = true)};
static const field rotation_fields[] = {RAMP_ROW, AXIS_ROW, POINT_ROW,
                                        ROW(DOUBLE, "speed", speed, "angular speed, by the right-hand rule",
                                            .range = BETWEEN(-1e6, 1e6), .unit = "rad/s", .required = true)};
static const field oscillation_fields[] = {
    RAMP_ROW, WAVE_ROWS,
    ROW(VEC3, "direction", axis, "direction", .range = BETWEEN(-1e6, 1e6), .required = true),
    ROW(DOUBLE, "amplitude", amplitude, "amplitude", .range = BETWEEN(-1e6, 1e6), .unit = "m",
        .required = true)};
static const field swing_fields[] = {RAMP_ROW, WAVE_ROWS, AXIS_ROW, POINT_ROW,
                                     ROW(DOUBLE, "amplitude_degrees", amplitude, "amplitude",
                                         .range = BETWEEN(-1e6, 1e6), .unit = "degrees", .required = true)};
static const field table_fields[] = {
    POINT_ROW, FIELD_LIST_OF("keys", key_object, scree_motion_def, keys, key_count, SCENE_KEYS_MOST,
                             "displacements at increasing times, interpolated between them; none at 0 s",
                             .least = 1, .required = true)};

static const field_table kinds[] = {
    [SCREE_MOTION_LINEAR] = FIELD_KIND(linear_fields, "translation at constant velocity"),
    [SCREE_MOTION_ROTATION] = FIELD_KIND(rotation_fields, "rotation about the axis through the point"),
    [SCREE_MOTION_OSCILLATION] = FIELD_KIND(
        oscillation_fields, "translation along the direction by a (sin(2π f τ + phase) − sin(phase))"),
    [SCREE_MOTION_SWING] = FIELD_KIND(swing_fields, "rotation by an angle that oscillates in the same way"),
    [SCREE_MOTION_TABLE] = FIELD_KIND(table_fields, "translation, and rotation about the point, by a table"),
};
_Static_assert(sizeof kinds / sizeof *kinds == SCREE_MOTION_COUNT, "every kind of motion has its keys");

FIELD_DEFAULTS(motion_begin, scree_motion_def, scree_default_motion_def((scree_motion_kind)kind))

static scree_result motion_finish(const scene_node *node, void *target) {
    scree_motion_def *out = target;
    out->phase = radians(out->phase);
    if (out->kind == SCREE_MOTION_SWING) out->amplitude = radians(out->amplitude);
    return node_fail_prefix(node, scree_validate_motions(out, 1));
}

static const scene_object motion_object =
    SCENE_OBJECT("motion", scree_motion_def, .kind = kind_name, .common = FIELD_TABLE(common_fields),
                 .kinds = kinds, .begin = motion_begin, .finish = motion_finish);
#undef ROW

scree_result members_read(const scene_node *node, scene_list list, scene_members *out) {
    const int count = scene_list_count(scene_of(node), list);
    int **const members = list == SCENE_BODIES ? &out->bodies : &out->containers,
                *const read = list == SCENE_BODIES ? &out->body_count : &out->container_count;
    if (count == 0 && json_array_size(node->value))
        return node_fail(node, "the scene has no %s; must be an empty list", scene_list_keys[list]);
    TRY(array_check(node, 0, (size_t)count));
    *members = memory_allocate(json_array_size(node->value), sizeof **members);
    if (!*members) return fail(SCREE_ERROR_MEMORY, "out of memory for a scene");
    for (; *read < (int)json_array_size(node->value); ++*read) {
        const scene_node element = node_element(node, (size_t)*read);
        TRY(int_read(&element, (field_range)BETWEEN(0, count - 1), NULL, *members + *read));
    }
    return SCREE_OK;
}

/* Records the kinematic group of an entry. Refuses an entry that already has one. */
static scree_result member_take(const scene_node *node, int *owner, int kinematic) {
    if (*owner != KINEMATIC_GROUP_NONE)
        return node_fail(node, "already in kinematic_groups[%d]; must be in one only", *owner);
    *owner = kinematic;
    return SCREE_OK;
}

static scree_result bodies_find(const scene_node *node, void *target) {
    scree_scene *scene = scene_of(node);
    scene_kinematic_group *of = target;
    TRY(members_read(node, SCENE_BODIES, &of->members));
    for (int i = 0; i < of->members.body_count; i++) {
        const scene_node element = node_element(node, (size_t)i);
        scene_body *body = &scene->bodies[of->members.bodies[i]];
        if (body->def.type != SCREE_BODY_KINEMATIC)
            return node_fail(&element, "bodies[%d] is not kinematic; must have \"type\": \"kinematic\"",
                             of->members.bodies[i]);
        const scree_vec3 v = body->def.state.linear_velocity, w = body->def.state.angular_velocity;
        if (v.x != 0 || v.y != 0 || v.z != 0 || w.x != 0 || w.y != 0 || w.z != 0)
            return node_fail(&element, "bodies[%d] has its own velocity; must have none in a kinematic group",
                             of->members.bodies[i]);
        TRY(member_take(&element, &body->kinematic, scene->kinematic_group_count - 1));
    }
    return SCREE_OK;
}

static scree_result containers_find(const scene_node *node, void *target) {
    scree_scene *scene = scene_of(node);
    scene_kinematic_group *of = target;
    TRY(members_read(node, SCENE_CONTAINERS, &of->members));
    for (int i = 0; i < of->members.container_count; i++) {
        const scene_node element = node_element(node, (size_t)i);
        TRY(member_take(&element, &scene->containers[of->members.containers[i]].kinematic,
                        scene->kinematic_group_count - 1));
    }
    return SCREE_OK;
}

#define MEMBERS_ROW(KEY, READ, HELP)                                                                         \
    FIELD_OF_ALL(WHOLES, KEY, HELP, .most = SCENE_BODIES_MOST, .range = AT_LEAST(0), .read = READ,           \
                 .default_text = "[]")
static const field group_fields[] = {
    MEMBERS_ROW("bodies", bodies_find,
                "kinematic entries of `bodies`, without velocities of their own, each in one group only"),
    MEMBERS_ROW("containers", containers_find,
                "entries of `containers`, each in one group only; their walls become kinematic"),
    FIELD_LIST_OF("motions", motion_object, scene_kinematic_group, motions, motion_count, SCENE_MOTIONS_MOST,
                  "each motion carries the ones before it: the first is the innermost; []: the group stands "
                  "still",
                  .required = true),
};
const scene_object kinematic_group_object =
    SCENE_OBJECT("kinematic-group", scene_kinematic_group, .common = FIELD_TABLE(group_fields));

void scene_kinematic_group_release(scene_kinematic_group *self) {
    for (int i = 0; i < self->motion_count; i++) memory_release((void *)self->motions[i].keys);
    members_release(&self->members);
    memory_release(self->motions);
}

void members_release(scene_members *self) {
    memory_release(self->bodies);
    memory_release(self->containers);
}

static scree_result gravity_key_finish(const scene_node *node, void *target) {
    const scree_scene *scene = scene_of(node);
    const scree_gravity_key *key = target, *before = key - 1;
    const scene_node time = node_member(node, "time");
    if (scene->gravity_count < 2 || key->time > before->time) return SCREE_OK;
    return node_fail(&time, "%.9g s; must be more than the time of the preceding key, %.9g s", key->time,
                     before->time);
}

static const field gravity_key_fields[] = {
    FIELD(DOUBLE, "time", scree_gravity_key, time, "time, more than that of the preceding key",
          .range = BETWEEN(0, 1e9), .unit = "s", .required = true),
    FIELD(VEC3, "gravity", scree_gravity_key, gravity, "gravity at that time", .range = BETWEEN(-1e6, 1e6),
          .unit = "m/s²", .required = true),
};
const scene_object gravity_key_object =
    SCENE_OBJECT("gravity-key", scree_gravity_key, .common = FIELD_TABLE(gravity_key_fields),
                 .finish = gravity_key_finish);
