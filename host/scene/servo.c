/* Servo walls: weightless dynamic bodies that are free along one world axis, under a given force or a
 * pressure times an area. The solver determines the contact forces together with the wall's motion, so at
 * rest they balance the load exactly and there is no gain to choose. */
#include "scene.h"

#include "base/quat_matrix.h"

/* Returns the projected area of a box along a world axis, Σᵢ |n·eᵢ| Aᵢ, m²; NaN for other shapes. */
static double area_of(const scree_body_def *def, int axis) {
    const scree_vec3 half = def->shape.size;
    const scree_quat q = def->state.rotation;
    const double h[3] = {half.x, half.y, half.z};
    double axes[3][3];
    quat_axes(q.x, q.y, q.z, q.w, axes);
    double area = 0;
    if (def->shape.kind != SCREE_SHAPE_BOX) return NAN;
    for (int i = 0; i < 3; i++) area += fabs(axes[i][axis]) * 4 * h[(i + 1) % 3] * h[(i + 2) % 3];
    return area;
}

/* Returns the world axis that a direction is parallel to; −1: none. */
static int axis_of(const double direction[3]) {
    int axis = -1;
    for (int i = 0; i < 3; i++) {
        if (direction[i] == 0) continue;
        if (axis >= 0) return -1;
        axis = i;
    }
    return axis;
}

#define ROW(TYPE, KEY, MEMBER, HELP, ...) FIELD(TYPE, KEY, scene_servo, MEMBER, HELP, __VA_ARGS__)
static const field servo_fields[] = {
    ROW(TRIPLE, "direction", direction, "direction in which the body pushes, along x, y or z",
        .range = BETWEEN(-1e6, 1e6), .required = true),
    ROW(DOUBLE, "force", force, "force that the body maintains", .range = BETWEEN(0, 1e12), .unit = "N",
        .default_text = "required without `pressure`"),
    ROW(DOUBLE, "pressure", pressure, "pressure that the body maintains, instead of a force",
        .range = BETWEEN(0, 1e12), .unit = "Pa", .default_text = "none"),
    ROW(DOUBLE, "area", area, "area on which the pressure acts", .range = BETWEEN(1e-12, 1e12), .unit = "m²",
        .default_text = "of a box, as seen along the direction"),
};
const scene_object servo_object = SCENE_OBJECT("servo", scene_servo, .common = FIELD_TABLE(servo_fields));

scree_result servo_apply(const scene_node *body, scene_body *out) {
    static const char *const own[] = {"force", "locks"};
    const scene_node node = node_member(body, "servo"), direction = node_member(&node, "direction");
    scene_servo *of = &out->servo;
    scree_body_def *def = &out->def;
    if (!node.value) return SCREE_OK;
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const scene_node member = node_member(body, own[i]);
        if (member.value && !(json_is_array(member.value) && !json_array_size(member.value)))
            return node_key_fail(&member, "not allowed with \"servo\", which sets it");
    }
    const bool force = node_has(&node, "force"), pressure = node_has(&node, "pressure"),
               area = node_has(&node, "area");
    const int axis = axis_of(of->direction);
    if (axis < 0) return node_fail(&direction, "must be a direction along x, y or z");
    if (force == pressure) return node_fail(&node, "must have either \"force\" or \"pressure\"");
    if (area && !pressure) return node_fail(&node, "must have no \"area\" without a \"pressure\"");
    if (!area) of->area = area_of(def, axis);
    if (pressure && isnan(of->area))
        return node_fail(&node, "a %s; must have the \"area\" on which the pressure acts",
                         scree_shape_kind_name(def->shape.kind));
    const double sum = (force ? of->force : of->pressure * of->area) * (of->direction[axis] > 0 ? 1 : -1);
    float *const components[3] = {&def->force.x, &def->force.y, &def->force.z};
    *components[axis] = (float)sum;
    def->locks = UINT32_C(63) & ~(UINT32_C(1) << axis);
    if (!node_has(body, "gravity_scale")) def->gravity_scale = 0;
    return SCREE_OK;
}
