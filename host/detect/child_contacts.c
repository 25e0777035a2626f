#include "child_contacts.h"

#include "geometry/geometry.h"
#include "geometry/shape.h"
#include "rotation.h"

/* Reduces the contact of a child at this pose where neighbouring children take precedence. `by`: the other
 * body's child; `outward`: 1 if the manifold's normal points away from this child, else −1. Drops contacts in
 * which a triangle of a solid pushes towards the inside: the body touches another triangle from outside, or
 * it is too late to push it out. */
static void settle(scree_shape shape, body_pose pose, int child, const placed_child *by, scalar outward,
                   manifold *touch) {
    if (child == children_mesh.count(shape)) return; /* the hull of a solid */
    const mesh *surface = &shape.geometry->surface;
    mesh_edges_reduce(surface, shape.size.x, pose, child, by, outward, touch);
    const vec3s normal = rotate(pose.rotation, surface->triangles[child].normal);
    if (shape.kind == SCREE_SHAPE_SOLID && outward * glms_vec3_dot(normal, touch->normal) < -0.99f)
        touch->count = 0;
}

void children_settle(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b, int number,
                     manifold *touch) {
    const bool of_a = shape_is_surface(shape_a), of_b = shape_is_surface(shape_b);
    if (!of_a && !of_b) return;
    const child_numbers at = children_of(shape_b, number);
    const placed_child a = children_place(shape_a, pose_a, at.a), b = children_place(shape_b, pose_b, at.b);
    if (of_a) settle(shape_a, pose_a, at.a, &b, 1, touch);
    if (of_b) settle(shape_b, pose_b, at.b, &a, -1, touch);
}

bool children_same_on_plane(scree_shape shape_a, scree_shape shape_b, int number, int other) {
    const child_numbers one = children_of(shape_b, number), two = children_of(shape_b, other);
    return shape_is_surface(shape_a) ? one.b == two.b : one.a == two.a;
}

manifold children_manifold(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           int number, scalar reach) {
    const child_numbers at = children_of(shape_b, number);
    const placed_child a = children_place(shape_a, pose_a, at.a), b = children_place(shape_b, pose_b, at.b);
    manifold found = manifold_of(a.shape, a.pose, b.shape, b.pose, reach);
    found.children = number;
    return found;
}

typedef struct meeting {
    scree_shape shape_a, shape_b;
    body_pose pose_a, pose_b;
    scalar reach;
    bool met;
} meeting;

static void visit_meeting(void *context, int number) {
    meeting *self = context;
    if (!self->met)
        self->met =
            children_manifold(self->shape_a, self->pose_a, self->shape_b, self->pose_b, number, self->reach)
                .count > 0;
}

bool children_meet(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                   scalar reach) {
    meeting self = {shape_a, shape_b, pose_a, pose_b, reach, false};
    children_near(shape_a, pose_a, shape_b, pose_b, reach, visit_meeting, &self);
    return self.met;
}

vec3s children_arm(scree_shape shape, body_pose pose, int child, vec3s point, vec3s outward) {
    if (shape_is_ball(shape)) return glms_vec3_scale(outward, shape.size.x);
    if (shape_has_children(shape)) {
        const placed_child of = children_place(shape, pose, child);
        if (shape_is_ball(of.shape)) return glms_vec3_add(of.arm, glms_vec3_scale(outward, of.shape.size.x));
    }
    return glms_vec3_sub(point, pose.position);
}
