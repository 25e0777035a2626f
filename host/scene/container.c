/* Containers: boxes around a space, static or kinematic. */
#include <string.h>

#include "scene.h"

#define COMMON_FIELDS                                                                                        \
    KIND_FIELD, {"material", FIELD_OBJECT, offsetof(container, material), .read = material_find},            \
        NUMBER("position", FIELD_TRIPLE, container, position, BETWEEN(-1e9, 1e9), "m"),                      \
        {"rotation", FIELD_OBJECT, offsetof(container, rotation), .read = rotation_read},                    \
        {"groups", FIELD_OBJECT, offsetof(container, groups), .read = groups_read},                          \
        {"touches", FIELD_OBJECT, offsetof(container, touches), .read = groups_read},                        \
        {"absent", FIELD_BOOL, offsetof(container, absent), .required = false},                              \
        NUMBER("wall_thickness", FIELD_DOUBLE, container, wall_thickness, LENGTH, "m")

static const field box_fields[] = {
    COMMON_FIELDS,
    REQUIRED_NUMBER("inner_size", FIELD_TRIPLE, container, inner_size, LENGTH, "m"),
    {"lid", FIELD_BOOL, offsetof(container, lid), .required = false},
};

static const field hopper_fields[] = {
    COMMON_FIELDS,
    REQUIRED_NUMBER("outlet", FIELD_PAIR, container, outlet, LENGTH, "m"),
    REQUIRED_NUMBER("inlet", FIELD_PAIR, container, inlet, LENGTH, "m"),
    REQUIRED_NUMBER("height", FIELD_DOUBLE, container, inner_size[2], LENGTH, "m"),
};

static const field drum_fields[] = {
    COMMON_FIELDS,
    REQUIRED_NUMBER("radius", FIELD_DOUBLE, container, inner_size[0], LENGTH, "m"),
    REQUIRED_NUMBER("length", FIELD_DOUBLE, container, inner_size[1], LENGTH, "m"),
    NUMBER("sides", FIELD_INT, container, sides, BETWEEN(6, CONTAINER_SIDES_MOST), NULL),
    {"ends", FIELD_BOOL, offsetof(container, ends), .required = false},
};

typedef int wall_maker(const container *box, scene_body *out);
static wall_maker box_walls, hopper_walls, drum_walls;

/* Properties of each kind of container. */
static const struct {
    const char *name;
    const field *fields;
    int count;
    wall_maker *walls;
} rows[] = {
    [CONTAINER_BOX] = {"box", box_fields, FIELD_COUNT_OF(box_fields), box_walls},
    [CONTAINER_HOPPER] = {"hopper", hopper_fields, FIELD_COUNT_OF(hopper_fields), hopper_walls},
    [CONTAINER_DRUM] = {"drum", drum_fields, FIELD_COUNT_OF(drum_fields), drum_walls},
};
_Static_assert(sizeof rows / sizeof *rows == CONTAINER_COUNT, "every kind of container has a row");

static const char *container_kind_name(int kind) {
    return kind >= 0 && kind < CONTAINER_COUNT ? rows[kind].name : NULL;
}

scree_result container_read(const scene_node *node, void *target, void *context) {
    scene_reader *reader = context;
    container *box = target;
    *box = (container){.material = MATERIAL_DEFAULT,
                       .rotation = {0, 0, 0, 1},
                       .kinematic = KINEMATIC_GROUP_NONE,
                       .sides = 24,
                       .ends = true,
                       .groups = scree_default_body_def().groups,
                       .touches = scree_default_body_def().mask};
    int kind = 0;
    TRY(kind_read(node, container_kind_name, &kind));
    box->kind = (container_kind)kind;
    TRY(fields_read(node, rows[kind].fields, rows[kind].count, box, context, NULL));
    for (int i = 0; box->kind == CONTAINER_HOPPER && i < 2; ++i) {
        if (box->inlet[i] < box->outlet[i]) {
            const scene_node inlet = node_member(node, "inlet"), side = node_element(&inlet, (size_t)i);
            return node_fail(&side, "%.9g; must be at least the outlet's side, %.9g", box->inlet[i],
                             box->outlet[i]);
        }
        box->inner_size[i] = box->inlet[i];
    }
    if (box->kind == CONTAINER_DRUM) box->inner_size[0] = box->inner_size[2] = 2 * box->inner_size[0];
    if (!(box->wall_thickness > 0))
        box->wall_thickness = 0.1 * fmax(box->inner_size[0], fmax(box->inner_size[1], box->inner_size[2]));
    scene_body walls[CONTAINER_WALLS_MOST];
    return scene_count_bodies(reader->scene, node, container_walls(box, walls));
}

/* Rotates v by q: v + 2 w (q × v) + 2 q × (q × v). */
static void turn(scree_quat q, const double v[3], double out[3]) {
    const double t[3] = {2 * (q.y * v[2] - q.z * v[1]), 2 * (q.z * v[0] - q.x * v[2]),
                         2 * (q.x * v[1] - q.y * v[0])};
    out[0] = v[0] + q.w * t[0] + q.y * t[2] - q.z * t[1];
    out[1] = v[1] + q.w * t[1] + q.z * t[0] - q.x * t[2];
    out[2] = v[2] + q.w * t[2] + q.x * t[1] - q.y * t[0];
}

/* Makes a wall from its centre, tilt and half extents in the container's frame. */
static scene_body wall(const container *box, const double centre[3], scree_quat tilt, const double half[3]) {
    double turned[3];
    turn(box->rotation, centre, turned);
    scene_body body = {scree_default_body_def(), box->material, box->kinematic, box->absent};
    body.def.type = box->kinematic == KINEMATIC_GROUP_NONE ? SCREE_BODY_STATIC : SCREE_BODY_KINEMATIC;
    body.def.groups = box->groups, body.def.mask = box->touches;
    body.def.shape = scree_shape_box((float)half[0], (float)half[1], (float)half[2]);
    body.def.state.position =
        (scree_vec3){(float)(box->position[0] + turned[0]), (float)(box->position[1] + turned[1]),
                     (float)(box->position[2] + turned[2])};
    body.def.state.rotation = orientation_then(tilt, box->rotation);
    return body;
}

/* Walls extend past the corners, so that they leave no gaps. */
static int box_walls(const container *box, scene_body *out) {
    static const scree_quat upright = {0, 0, 0, 1};
    const double t = box->wall_thickness, *size = box->inner_size;
    const double x = 0.5 * size[0], y = 0.5 * size[1], z = 0.5 * size[2];
    int count = 0;
    out[count++] = wall(box, (double[]){0, 0, -0.5 * t}, upright, (double[]){x + t, y + t, 0.5 * t});
    for (int sign = -1; sign <= 1; sign += 2) {
        out[count++] =
            wall(box, (double[]){sign * (x + 0.5 * t), 0, z}, upright, (double[]){0.5 * t, y + t, z});
        out[count++] =
            wall(box, (double[]){0, sign * (y + 0.5 * t), z}, upright, (double[]){x + t, 0.5 * t, z});
    }
    if (box->lid)
        out[count++] =
            wall(box, (double[]){0, 0, size[2] + 0.5 * t}, upright, (double[]){x + t, y + t, 0.5 * t});
    return count;
}

/* Each wall's inner face runs from an edge of the outlet (z = 0) to the same edge of the inlet (z = height).
 * A wall is as wide as the inlet over its full height; its excess at the bottom lies outside its neighbours'
 * inner faces. */
static int hopper_walls(const container *box, scene_body *out) {
    const double t = box->wall_thickness, height = box->inner_size[2];
    int count = 0;
    for (int axis = 0; axis < 2; ++axis) {
        const double low = 0.5 * box->outlet[axis], high = 0.5 * box->inlet[axis];
        const double lean = atan2(high - low, height), slant = hypot(high - low, height);
        const double out_of_it = 0.5 * (low + high) + 0.5 * t * cos(lean),
                     up = 0.5 * height - 0.5 * t * sin(lean);
        for (int sign = -1; sign <= 1; sign += 2) {
            double centre[3] = {0, 0, up}, half[3] = {0, 0, 0.5 * slant};
            centre[axis] = sign * out_of_it;
            half[axis] = 0.5 * t;
            half[1 - axis] = 0.5 * box->inlet[1 - axis] + t;
            /* about y, a positive angle leans z towards +x; about x, towards −y */
            const double about[3] = {axis == 1, axis == 0, 0};
            const double angle = sign * (axis == 0 ? lean : -lean) * (180 / M_PI);
            const scree_quat tilt = orientation_about(about, angle);
            out[count++] = wall(box, centre, tilt, half);
        }
    }
    return count;
}

/* Boards around the y axis, with square plates at the ends. The boards' inner faces touch the cylinder of the
 * given radius; the boards are wide enough for their outer faces to meet. */
static int drum_walls(const container *box, scene_body *out) {
    static const scree_quat upright = {0, 0, 0, 1};
    static const double y[3] = {0, 1, 0};
    const double t = box->wall_thickness, radius = 0.5 * box->inner_size[0], length = box->inner_size[1],
                 middle = radius + 0.5 * t;
    int count = 0;
    for (int side = 0; side < box->sides; ++side) {
        const double angle = 2 * M_PI * side / box->sides;
        out[count++] = wall(box, (double[]){middle * cos(angle), 0, -middle * sin(angle)},
                            orientation_about(y, angle * (180 / M_PI)),
                            (double[]){0.5 * t, 0.5 * length + t, (radius + t) * tan(M_PI / box->sides)});
    }
    for (int sign = -1; sign <= 1 && box->ends; sign += 2)
        out[count++] = wall(box, (double[]){0, sign * 0.5 * (length + t), 0}, upright,
                            (double[]){radius + t, 0.5 * t, radius + t});
    return count;
}

int container_walls(const container *box, scene_body out[CONTAINER_WALLS_MOST]) {
    return rows[box->kind].walls(box, out);
}
