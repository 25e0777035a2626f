/* Containers: static boxes around a space. */
#include <string.h>

#include "scene.h"

static const char *container_kind_name(int kind) {
    static const char *const names[] = {"box", "hopper"};
    return kind >= 0 && kind < 2 ? names[kind] : NULL;
}

#define COMMON_FIELDS                                                                                        \
    KIND_FIELD, {"material", FIELD_OBJECT, offsetof(container, material), .read = material_find},            \
        NUMBER("position", FIELD_TRIPLE, container, position, BETWEEN(-1e9, 1e9), "m"),                      \
        {"rotation", FIELD_OBJECT, offsetof(container, rotation), .read = rotation_read},                    \
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

scree_result container_read(const scene_node *node, void *target, void *context) {
    scene_reader *reader = context;
    container *box = target;
    *box = (container){.material = MATERIAL_DEFAULT, .rotation = {0, 0, 0, 1}};
    int kind = 0;
    TRY(kind_read(node, container_kind_name, &kind));
    box->kind = (container_kind)kind;
    if (box->kind == CONTAINER_BOX)
        TRY(fields_read(node, box_fields, FIELD_COUNT_OF(box_fields), box, context, NULL));
    else
        TRY(fields_read(node, hopper_fields, FIELD_COUNT_OF(hopper_fields), box, context, NULL));
    for (int i = 0; box->kind == CONTAINER_HOPPER && i < 2; ++i) {
        if (box->inlet[i] < box->outlet[i]) {
            const scene_node inlet = node_member(node, "inlet"), side = node_element(&inlet, (size_t)i);
            return node_fail(&side, "%.9g: expected at least as much as the outlet's side, %.9g",
                             box->inlet[i], box->outlet[i]);
        }
        box->inner_size[i] = box->inlet[i];
    }
    if (!(box->wall_thickness > 0))
        box->wall_thickness = 0.1 * fmax(box->inner_size[0], fmax(box->inner_size[1], box->inner_size[2]));
    scene_body walls[CONTAINER_WALLS_MOST];
    return scene_count_bodies(reader->scene, node, container_walls(box, walls));
}

/* v turned by q: v + 2 w (q × v) + 2 q × (q × v). */
static void turn(scree_quat q, const double v[3], double out[3]) {
    const double t[3] = {2 * (q.y * v[2] - q.z * v[1]), 2 * (q.z * v[0] - q.x * v[2]),
                         2 * (q.x * v[1] - q.y * v[0])};
    out[0] = v[0] + q.w * t[0] + q.y * t[2] - q.z * t[1];
    out[1] = v[1] + q.w * t[1] + q.z * t[0] - q.x * t[2];
    out[2] = v[2] + q.w * t[2] + q.x * t[1] - q.y * t[0];
}

/* A wall by its centre, its tilt and its half extents in the container's frame. */
static scene_body wall(const container *box, const double centre[3], scree_quat tilt, const double half[3]) {
    double turned[3];
    turn(box->rotation, centre, turned);
    scene_body body = {scree_default_body_def(), box->material};
    body.def.type = SCREE_BODY_STATIC;
    body.def.shape = scree_box((float)half[0], (float)half[1], (float)half[2]);
    body.def.state.position =
        (scree_vec3){(float)(box->position[0] + turned[0]), (float)(box->position[1] + turned[1]),
                     (float)(box->position[2] + turned[2])};
    body.def.state.rotation = orientation_then(tilt, box->rotation);
    return body;
}

/* Walls reach past the corners, so that no gap is left between them. */
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
 * A wall is as wide as the inlet all the way down; what sticks out below lies outside its neighbours' inner
 * faces. */
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

int container_walls(const container *box, scene_body out[CONTAINER_WALLS_MOST]) {
    return box->kind == CONTAINER_BOX ? box_walls(box, out) : hopper_walls(box, out);
}
