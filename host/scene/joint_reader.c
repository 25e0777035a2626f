/* Reads joints and creates them between the scene's bodies. */
#include "scene.h"

#define NOT_GIVEN ((float)NAN)

FIELD_NAMES_OF(kind_name, scree_joint_kind)
FIELD_NAMES_OF(mode_name, scree_axis_mode)
FIELD_NAMES_OF(drive_name, scree_drive)

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scree_spring, MEMBER, HELP, __VA_ARGS__)
static const field spring_fields[] = {
    ROW(FLOAT, "stiffness", stiffness, "stiffness, N/m or N m/rad; not with `frequency`",
        .range = AT_LEAST(0)),
    ROW(FLOAT, "damping", damping, "damping, N s/m or N m s/rad; not with `frequency`", .range = AT_LEAST(0)),
    ROW(FLOAT, "frequency", frequency, "frequency, from which the masses give the stiffness",
        .range = AT_LEAST(0), .unit = "Hz"),
    ROW(FLOAT, "damping_ratio", damping_ratio, "damping ratio, with `frequency`", .range = AT_LEAST(0)),
};
static const scene_object spring_object =
    SCENE_OBJECT("spring", scree_spring, .common = FIELD_TABLE(spring_fields));
#undef ROW

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scree_joint_axis, MEMBER, HELP, __VA_ARGS__)
static const field axis_fields[] = {
    ROW(ENUM, "mode", mode, "whether the coordinate is free, held at `low`, or held between `low` and `high`",
        .name = mode_name, .default_text = "as the kind"),
    ROW(FLOAT, "low", low, "lower limit, m or rad; of a locked axis its position", .range = ANY_NUMBER,
        .default_text = "0; of limits −∞; of a rod the initial distance"),
    ROW(FLOAT, "high", high, "upper limit, m or rad", .range = ANY_NUMBER, .default_text = "0; of limits ∞"),
    ROW(OBJECT, "spring", spring, "compliance of the lock or the limits; not on a free axis",
        .object = &spring_object, .default_text = "none"),
    ROW(ENUM, "drive", drive, "a motor to the velocity `target`, or a servo to the position `target`",
        .name = drive_name),
    ROW(FLOAT, "target", target, "target of the drive, m/s, rad/s, m or rad", .range = ANY_NUMBER),
    ROW(DOUBLE, "start", start, "time of the run at which the target begins; it is 0 before",
        .range = BETWEEN(0, 1e9), .unit = "s"),
    ROW(DOUBLE, "ramp", ramp, "time in which the target then grows linearly from 0", .range = BETWEEN(0, 1e9),
        .unit = "s"),
    ROW(OBJECT, "servo", servo, "spring of a position drive", .object = &spring_object,
        .default_text = "none"),
    ROW(FLOAT, "max_force", max_force, "maximum force of the drive, N or N m", .range = AT_LEAST(0),
        .default_text = "no limit"),
    ROW(FLOAT, "friction", friction, "maximum force of dry friction, N or N m", .range = AT_LEAST(0)),
};

static scree_result axis_finish(const scene_node *node, void *target) {
    scree_joint_axis *axis = target;
    const scene_node servo = node_member(node, "servo"), spring = node_member(node, "spring");
    if (servo.value && axis->drive != SCREE_DRIVE_POSITION)
        return node_key_fail(&servo, "the axis has no position drive; must have \"drive\": \"position\"");
    static const char *const of_drive[] = {"target", "start", "ramp", "max_force"};
    for (int i = 0; axis->drive == SCREE_DRIVE_NONE && i < 4; i++) {
        const scene_node key = node_member(node, of_drive[i]);
        if (key.value)
            return node_key_fail(&key,
                                 "the axis has no drive; must have \"drive\": \"velocity\" or \"position\"");
    }
    if (spring.value && axis->mode == SCREE_AXIS_FREE)
        return node_key_fail(
            &spring,
            "a free axis has nothing to hold; must have \"mode\": \"locked\" or \"limited\", or a \"servo\"");
    const scene_node low = node_member(node, "low"), high = node_member(node, "high");
    if ((low.value || high.value) && axis->mode == SCREE_AXIS_FREE)
        return node_key_fail(low.value ? &low : &high,
                             "a free axis has no limits; must have \"mode\": \"locked\" or \"limited\"");
    if (axis->mode != SCREE_AXIS_LIMITED) return SCREE_OK;
    if (!node_has(node, "low")) axis->low = -INFINITY;
    if (!node_has(node, "high")) axis->high = INFINITY;
    return SCREE_OK;
}
static const scene_object axis_object =
    SCENE_OBJECT("axis", scree_joint_axis, .common = FIELD_TABLE(axis_fields), .finish = axis_finish);
#undef ROW

#define ROW(KEY, AXIS, HELP)                                                                                 \
    {                                                                                                        \
        .key = KEY, .type = FIELD_OBJECT, .offset = sizeof(scree_joint_axis) * (AXIS),                       \
        .object = &axis_object, .help = HELP, .default_text = "as the kind"                                  \
    }
static const field axes_fields[] = {
    ROW("x", SCREE_AXIS_X, "displacement along x"),
    ROW("y", SCREE_AXIS_Y, "displacement along y"),
    ROW("z", SCREE_AXIS_Z, "displacement along z"),
    ROW("rotation_x", SCREE_AXIS_ROTATION_X, "angle about a's x"),
    ROW("rotation_y", SCREE_AXIS_ROTATION_Y, "angle about y as the angle about x has turned it"),
    ROW("rotation_z", SCREE_AXIS_ROTATION_Z, "angle about b's z"),
};
static const scene_object axes_object =
    SCENE_OBJECT("axes", scree_joint_axis[SCREE_AXIS_COUNT], .common = FIELD_TABLE(axes_fields));
#undef ROW

/* Reads the index of a listed body. */
static scree_result body_index_read(const scene_node *node, void *target) {
    const scree_scene *scene = scene_of(node);
    if (scene->body_count == 0)
        return node_fail(node, "the scene lists no bodies; must have \"bodies\" that joints can refer to");
    return int_read(node, (field_range)BETWEEN(0, scene->body_count - 1), NULL, target);
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_joint, MEMBER, HELP, __VA_ARGS__)
#define BODY_ROW(KEY, MEMBER)                                                                                \
    ROW(INT, KEY, MEMBER, "index of an entry of `bodies`", .range = AT_LEAST(0), .read = body_index_read,    \
        .default_text = "the world")
static const field joint_fields[] = {
    BODY_ROW("a", a),
    BODY_ROW("b", b),
    ROW(VEC3, "point", point,
        "origin of both frames, in world coordinates of the initial scene; of a distance joint the anchor on "
        "`a`",
        .range = ANY_NUMBER, .unit = "m", .required = true),
    ROW(VEC3, "point_b", point_b, "anchor on `b` of a distance joint, which requires it", .range = ANY_NUMBER,
        .unit = "m", .default_text = "none"),
    ROW(VEC3, "axis", axis, "x of both frames, in world axes", .range = ANY_NUMBER),
    ROW(VEC3, "second_axis", second_axis, "its component normal to `axis` is y of both frames",
        .range = ANY_NUMBER, .default_text = "any direction"),
    ROW(OBJECT, "axes", def.axes, "behaviour of each coordinate", .object = &axes_object,
        .default_text = "as the kind"),
    ROW(BOOL, "collide", def.collide, "whether the two bodies may touch"),
    ROW(FLOAT, "break_force", def.break_force, "the joint breaks if it carries more", .range = ABOVE(0),
        .unit = "N", .default_text = "never"),
    ROW(FLOAT, "break_torque", def.break_torque, "the joint breaks if it carries more", .range = ABOVE(0),
        .unit = "N m", .default_text = "never"),
};

static const field_table kinds[] = {
    [SCREE_JOINT_FIXED] = {.help = "no free coordinate"},
    [SCREE_JOINT_HINGE] = {.help = "free: the angle about x"},
    [SCREE_JOINT_SLIDER] = {.help = "free: the displacement along x"},
    [SCREE_JOINT_CYLINDRICAL] = {.help = "free: the displacement along x and the angle about x"},
    [SCREE_JOINT_UNIVERSAL] = {.help = "free: the angles about a's x and b's z"},
    [SCREE_JOINT_BALL] = {.help = "free: all angles"},
    [SCREE_JOINT_PLANAR] = {.help = "free: the displacements along y and z and the angle about x"},
    [SCREE_JOINT_DISTANCE] = {.help = "free: all but the distance of two points, which replaces x"},
    [SCREE_JOINT_GENERAL] = {.help = "free: all"},
    [SCREE_JOINT_SUSPENSION] = {.help =
                                    "free: the displacement along a's x and the angle about b's z: a wheel "
                                    "`b` under `a`, `axis` up and `second_axis` forward"},
};
_Static_assert(sizeof kinds / sizeof *kinds == SCREE_JOINT_KIND_COUNT, "every kind of joint has its help");

static void joint_begin(void *target, int kind) {
    scene_joint *out = target;
    *out = (scene_joint){.def = scree_default_joint_def((scree_joint_kind)kind),
                         .a = JOINT_WORLD,
                         .b = JOINT_WORLD,
                         .axis = {1, 0, 0}};
    if (kind == SCREE_JOINT_DISTANCE) out->def.axes[SCREE_AXIS_X].low = NOT_GIVEN;
}

static scree_result joint_finish(const scene_node *node, void *target) {
    const scene_joint *out = target;
    const scene_node point_b = node_member(node, "point_b"), axis = node_member(node, "axis");
    if (out->a == out->b)
        return node_fail(
            node, "the joint connects %s; must connect two different bodies, or one body and the world",
            out->a == JOINT_WORLD ? "the world with itself" : "a body with itself");
    if (out->axis.x == 0 && out->axis.y == 0 && out->axis.z == 0)
        return node_fail(&axis, "[0, 0, 0]; must not be zero");
    if (out->def.kind == SCREE_JOINT_DISTANCE && !point_b.value)
        return node_fail(node, "the key \"point_b\" is missing: a distance joint needs two points");
    if (out->def.kind != SCREE_JOINT_DISTANCE && point_b.value)
        return node_key_fail(&point_b, "allowed for distance joints only");
    return SCREE_OK;
}

const scene_object joint_object =
    SCENE_OBJECT("joint", scene_joint, .kind = kind_name, .common = FIELD_TABLE(joint_fields), .kinds = kinds,
                 .begin = joint_begin, .finish = joint_finish);

/* Gives a distance joint an anchor at each of its points; a lock without a length keeps the current
 * distance. */
static scree_result set_distance_anchors(const scree_world *world, const scene_joint *from,
                                         scree_joint_def *def) {
    scree_joint_def other = *def;
    scree_joint_axis *way = &def->axes[SCREE_AXIS_X];
    const scree_vec3 p = from->point, q = from->point_b, x = {1, 0, 0}, y = {0, 1, 0};
    TRY(scree_joint_get_frame(world, def, p, x, y));
    TRY(scree_joint_get_frame(world, &other, q, x, y));
    def->anchor_b = other.anchor_b;
    def->frame_b = other.frame_b;
    if (!isnan(way->low)) return SCREE_OK;
    const double dx = (double)q.x - (double)p.x, dy = (double)q.y - (double)p.y,
                 dz = (double)q.z - (double)p.z;
    way->low = way->mode == SCREE_AXIS_LOCKED ? (float)sqrt(dx * dx + dy * dy + dz * dz) : 0;
    return SCREE_OK;
}

bool joint_find_bodies(const scree_scene *scene, const scree_world *world, const record *kept,
                       const scene_joint *of, scree_body_id out[2]) {
    const int ends[2] = {of->a, of->b};
    for (int k = 0; k < 2; k++) {
        out[k] = (scree_body_id){0};
        if (ends[k] == JOINT_WORLD) continue;
        out[k] = record_body(kept, ends[k]);
        if (scene->bodies[ends[k]].absent || !scree_body_is_valid(world, out[k])) return false;
    }
    return true;
}

scree_result joint_build(scree_world *world, const scene_joint *from, scree_body_id a, scree_body_id b) {
    scree_joint_def def = from->def;
    def.a = a;
    def.b = b;
    if (def.kind == SCREE_JOINT_DISTANCE)
        TRY(set_distance_anchors(world, from, &def));
    else
        TRY(scree_joint_get_frame(world, &def, from->point, from->axis, from->second_axis));
    return scree_joint_create(world, &def, NULL);
}
