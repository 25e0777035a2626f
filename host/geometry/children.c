#include "children.h"

#include "base/vector.h"
#include "rotation.h"

const children_row *const children_rows[SCREE_SHAPE_COUNT] = {[SCREE_SHAPE_CLUMP] = &children_clump,
                                                              [SCREE_SHAPE_MESH] = &children_mesh,
                                                              [SCREE_SHAPE_SOLID] = &children_solid,
                                                              [SCREE_SHAPE_COMPOUND] = &children_compound};

/* Rays see hulls and solids as meshes. */
static const children_row *const seen_rows[SCREE_SHAPE_COUNT] = {[SCREE_SHAPE_CLUMP] = &children_clump,
                                                                 [SCREE_SHAPE_MESH] = &children_mesh,
                                                                 [SCREE_SHAPE_HULL] = &children_mesh,
                                                                 [SCREE_SHAPE_SOLID] = &children_mesh,
                                                                 [SCREE_SHAPE_COMPOUND] = &seen_compound};

static placed_child place(const children_row *row, scree_shape shape, body_pose pose, int child) {
    if (!row) return (placed_child){shape, pose, vec3_of(0, 0, 0)};
    const shape_child of = row->child(shape, child);
    const vec3s arm = rotate(pose.rotation, of.centre);
    return (placed_child){of.shape,
                          {.position = glms_vec3_add(pose.position, arm),
                           .rotation = rotation_product(pose.rotation, of.rotation)},
                          arm};
}

placed_child children_place(scree_shape shape, body_pose pose, int child) {
    return place(children_rows[shape.kind], shape, pose, child);
}

int children_seen_count(scree_shape shape) {
    return seen_rows[shape.kind] ? seen_rows[shape.kind]->count(shape) : 1;
}

placed_child children_seen(scree_shape shape, body_pose pose, int i) {
    return place(seen_rows[shape.kind], shape, pose, i);
}

void children_seen_along(scree_shape shape, body_pose pose, vec3s origin, vec3s direction, child_visit *visit,
                         void *context) {
    const children_row *row = seen_rows[shape.kind];
    if (row && row->along) {
        row->along(shape, rotate_inverse(pose.rotation, glms_vec3_sub(origin, pose.position)),
                   rotate_inverse(pose.rotation, direction), visit, context);
        return;
    }
    for (int i = 0; i < children_seen_count(shape); i++) visit(context, i);
}

ray_body children_ray(const placed_child *child) {
    return (ray_body){.position = child->pose.position,
                      .kind = (int)child->shape.kind,
                      .rotation = child->pose.rotation,
                      .size = vec3_in(child->shape.size)};
}

static versors conjugate(versors q) { return versor_of(-q.x, -q.y, -q.z, q.w); }

bounds children_box_in(body_pose body, scree_shape shape, body_pose pose, scalar reach) {
    const body_pose local = {.position =
                                 rotate_inverse(body.rotation, glms_vec3_sub(pose.position, body.position)),
                             .rotation = rotation_product(conjugate(body.rotation), pose.rotation)};
    bounds box = bounds_of(shape, local);
    const vec3s around = vec3_of(reach, reach, reach);
    box.lower = glms_vec3_sub(box.lower, around);
    box.upper = glms_vec3_add(box.upper, around);
    return box;
}

/* One level of the visit: the children of the first body, and for each those of the second. */
typedef struct near_walk {
    scree_shape shape_a, shape_b;
    body_pose pose_a, pose_b;
    scalar reach;
    int count_b, child_a;
    child_visit *visit;
    void *context;
} near_walk;

static void visit_second(void *context, int child) {
    const near_walk *self = context;
    self->visit(self->context, self->child_a * self->count_b + child);
}

static void visit_first(void *context, int child) {
    near_walk *self = context;
    self->child_a = child;
    if (!shape_has_children(self->shape_b)) {
        visit_second(self, 0);
        return;
    }
    const placed_child first = children_place(self->shape_a, self->pose_a, child);
    children_rows[self->shape_b.kind]->near(
        self->shape_b, children_box_in(self->pose_b, first.shape, first.pose, self->reach), visit_second,
        self);
}

void children_near(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, scalar reach,
                   child_visit *visit, void *context) {
    near_walk self = {shape_a, shape_b, pose_a, pose_b, reach, children_count(shape_b), 0, visit, context};
    if (!shape_has_children(shape_a))
        visit_first(&self, 0);
    else
        children_rows[shape_a.kind]->near(shape_a, children_box_in(pose_a, shape_b, pose_b, reach),
                                          visit_first, &self);
}
