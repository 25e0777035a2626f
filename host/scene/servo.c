/* Servo walls: weightless dynamic bodies that are free along one world axis, under a given force or a
 * pressure times an area. The solver determines the contact forces together with the wall's motion, so at
 * rest they balance the load exactly and there is no gain to choose. */
#include "scene.h"

#include "base/quat_matrix.h"

typedef struct servo {
    double direction[3];
    double pressure, area, force;
} servo;

/* Returns the projected area of a box along a world axis, Σᵢ |n·eᵢ| Aᵢ, m²; NaN for other shapes. */
static double area_of(const scree_body_def *def, int axis) {
    const scree_vec3 half = def->shape.size;
    const scree_quat q = def->state.rotation;
    const double h[3] = {half.x, half.y, half.z};
    double axes[3][3];
    quat_axes(q.x, q.y, q.z, q.w, axes);
    double area = 0;
    if (def->shape.kind != SCREE_SHAPE_BOX) return NAN;
    for (int i = 0; i < 3; ++i) area += fabs(axes[i][axis]) * 4 * h[(i + 1) % 3] * h[(i + 2) % 3];
    return area;
}

/* Returns the world axis that a direction is parallel to; −1: none. */
static int axis_of(const double direction[3]) {
    int axis = -1;
    for (int i = 0; i < 3; ++i) {
        if (direction[i] == 0) continue;
        if (axis >= 0) return -1;
        axis = i;
    }
    return axis;
}

static scree_result fields_of(const scene_node *node, servo *out, uint64_t *seen) {
    static const field fields[] = {
        REQUIRED_NUMBER("direction", FIELD_TRIPLE, servo, direction, BETWEEN(-1e6, 1e6), NULL),
        NUMBER("force", FIELD_DOUBLE, servo, force, BETWEEN(0, 1e12), "N"),
        NUMBER("pressure", FIELD_DOUBLE, servo, pressure, BETWEEN(0, 1e12), "Pa"),
        NUMBER("area", FIELD_DOUBLE, servo, area, BETWEEN(1e-12, 1e12), "m²"),
    };
    return fields_read(node, fields, FIELD_COUNT_OF(fields), out, NULL, seen);
}

scree_result servo_apply(const scene_node *body, scree_body_def *def) {
    static const char *const own[] = {"force", "locks"};
    const scene_node node = node_member(body, "servo"), direction = node_member(&node, "direction"),
                     weight = node_member(body, "gravity_scale");
    servo of = {.area = NAN};
    uint64_t seen = 0;
    if (!node.value) return SCREE_OK;
    for (size_t i = 0; i < sizeof own / sizeof *own; ++i) {
        const scene_node member = node_member(body, own[i]);
        if (member.value && !(json_is_array(member.value) && !json_array_size(member.value)))
            return node_key_fail(&member, "not allowed with \"servo\", which sets it");
    }
    TRY(fields_of(&node, &of, &seen));
    const int axis = axis_of(of.direction);
    if (axis < 0) return node_fail(&direction, "must be a direction along x, y or z");
    if (!(seen & 2) == !(seen & 4)) return node_fail(&node, "must have either \"force\" or \"pressure\"");
    if ((seen & 8) && !(seen & 4)) return node_fail(&node, "must have no \"area\" without a \"pressure\"");
    if (!(seen & 8)) of.area = area_of(def, axis);
    if ((seen & 4) && isnan(of.area))
        return node_fail(&node, "a %s; must have the \"area\" on which the pressure acts",
                         scree_shape_kind_name(def->shape.kind));
    const double force = (seen & 2 ? of.force : of.pressure * of.area) * (of.direction[axis] > 0 ? 1 : -1);
    float *const components[3] = {&def->force.x, &def->force.y, &def->force.z};
    *components[axis] = (float)force;
    def->locks = UINT32_C(63) & ~(UINT32_C(1) << axis);
    if (!weight.value) def->gravity_scale = 0;
    return SCREE_OK;
}

scree_result servo_read(const scene_node *node, void *target, void *context) {
    (void)node, (void)target, (void)context; /* read by servo_apply once the other keys are known */
    return SCREE_OK;
}
