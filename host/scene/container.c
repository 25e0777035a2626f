/* Containers: boxes around a space, static or kinematic. */
#include "scene.h"

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, container, MEMBER, HELP, __VA_ARGS__)
#define LENGTH_ROW(TYPE, KEY, MEMBER, HELP)                                                                  \
    ROW(TYPE, KEY, MEMBER, HELP, .range = LENGTH, .unit = "m", .required = true)

static const field common_fields[] = {
    ROW(TEXT, "material", material, "name of the walls' material", .read = material_find,
        .default_text = "`\"default\"`"),
    ROW(TRIPLE, "position", position,
        "of a box the centre of the floor's top, of a hopper the centre of the outlet, of a drum its centre",
        .range = BETWEEN(-1e9, 1e9), .unit = "m"),
    ROW(OBJECT, "rotation", rotation, "rotation about `position`", .object = &rotation_object,
        .read = rotation_read, .default_text = "none"),
    GROUP_ROWS(container, groups, touches),
    ROW(BOOL, "absent", absent, "true: the container is left out, until a later stage"),
    ROW(DOUBLE, "wall_thickness", wall_thickness, "thickness of the walls", .range = LENGTH, .unit = "m",
        .default_text = "a tenth of the longest inner side"),
};
static const field box_fields[] = {
    LENGTH_ROW(TRIPLE, "inner_size", inner_size, "inner sides; the walls are as high as the third"),
    ROW(BOOL, "lid", lid, "whether the box has a lid"),
};
static const field hopper_fields[] = {
    LENGTH_ROW(PAIR, "outlet", outlet, "sides of the opening below, along x and y"),
    LENGTH_ROW(PAIR, "inlet", inlet, "sides of the opening above, no smaller than those of the outlet"),
    LENGTH_ROW(DOUBLE, "height", inner_size[2], "distance of the two openings"),
};
static const field drum_fields[] = {
    LENGTH_ROW(DOUBLE, "radius", inner_size[0], "radius of the cylinder that the boards touch"),
    LENGTH_ROW(DOUBLE, "length", inner_size[1], "length along the y axis"),
    ROW(INT, "sides", sides, "number of boards", .range = BETWEEN(6, CONTAINER_SIDES_MOST)),
    ROW(BOOL, "ends", ends, "whether the ends are closed"),
};

static const field_table kinds[] = {
    [CONTAINER_BOX] = FIELD_KIND(box_fields, "a floor and four walls"),
    [CONTAINER_HOPPER] = FIELD_KIND(hopper_fields, "four slanted walls, open below and above"),
    [CONTAINER_DRUM] =
        FIELD_KIND(drum_fields, "boards around the y axis, whose inner faces touch a cylinder"),
};
_Static_assert(sizeof kinds / sizeof *kinds == CONTAINER_COUNT, "every kind of container has its keys");

typedef int wall_maker(const container *box, scene_body *out);
static wall_maker box_walls, hopper_walls, drum_walls;
static wall_maker *const wall_makers[CONTAINER_COUNT] = {box_walls, hopper_walls, drum_walls};

FIELD_CHOICE(container_kind_name, "box", "hopper", "drum")

FIELD_DEFAULTS(container_begin, container,
               (container){.kind = (container_kind)kind,
                           .material = MATERIAL_DEFAULT,
                           .rotation = {0, 0, 0, 1},
                           .kinematic = KINEMATIC_GROUP_NONE,
                           .sides = 24,
                           .ends = true,
                           .groups = scree_default_body_def().groups,
                           .touches = scree_default_body_def().mask})

static scree_result container_finish(const scene_node *node, void *target) {
    container *box = target;
    for (int i = 0; box->kind == CONTAINER_HOPPER && i < 2; i++) {
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
    return scene_count_bodies(scene_of(node), node, container_walls(box, walls));
}

const scene_object container_object =
    SCENE_OBJECT("container", container, .kind = container_kind_name, .common = FIELD_TABLE(common_fields),
                 .kinds = kinds, .begin = container_begin, .finish = container_finish);

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
    scene_body body = {.def = scree_default_body_def(),
                       .material = box->material,
                       .kinematic = box->kinematic,
                       .absent = box->absent};
    body.def.type = box->kinematic == KINEMATIC_GROUP_NONE ? SCREE_BODY_STATIC : SCREE_BODY_KINEMATIC;
    body.def.groups = box->groups;
    body.def.mask = box->touches;
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
    for (int axis = 0; axis < 2; axis++) {
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
    for (int side = 0; side < box->sides; side++) {
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
    return wall_makers[box->kind](box, out);
}
