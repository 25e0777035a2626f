/* Queries with a convex solid: its first contact on a straight way, and the body nearest to it. */
#include "query.h"

#include "base/vector.h"
#include "child_contacts.h"
#include "ray.h"
#include "rotation.h"
#include "geometry/shape.h"

enum { ROUNDS = 64 };
/* Largest gap at which surfaces touch, relative to the half width of the solid: 4 units in the last place of
 * single precision. */
static const scalar TOUCHING = 5e-7f;
/* Enlargement of the solid's box, relative to its half extents, for the rounding of boxes. */
static const scalar SLACK = 4e-6f;

query_solid query_solid_of(scree_shape shape, versors rotation) {
    const body_pose pose = {.position = vec3_of(0, 0, 0), .rotation = rotation};
    const bounds box = bounds_of(shape, pose);
    return (query_solid){
        .shape = shape,
        .rotation = rotation,
        .middle = glms_vec3_scale(glms_vec3_add(box.lower, box.upper), (scalar)0.5f),
        .half = glms_vec3_scale(glms_vec3_sub(box.upper, box.lower), (scalar)0.5f * (1 + SLACK))};
}

static body_pose pose_on(const query_ray *ray) {
    return (body_pose){.position = ray->origin, .rotation = ray->solid->rotation};
}

/* Finds where the solid meets a convex child or a half-space. Along a normal n the gap of two shapes without
 * rotation falls at the rate of the approach along n, so n separates them at least until that time. The gap
 * is a convex function of the way, and Newton's method approaches its root from the left (conservative
 * advancement: Mirtich, 1996). If the gap along n does not fall, n separates them for ever. Shapes that touch
 * at the start meet if the way leads further into the child. */
static bool meet_child(const query_ray *ray, scree_shape shape, body_pose pose, scalar limit,
                       query_hit *out) {
    const query_solid *solid = ray->solid;
    const scalar touching = TOUCHING * (scalar)scree_shape_get_half_width(solid->shape);
    scalar way = 0;
    shape_gap at = {.gap = 0};
    for (int round = 0; round < ROUNDS; round++) {
        at = shape_gap_of(solid->shape, pose_on(ray), glms_vec3_scale(ray->direction, way), shape, pose);
        const scalar approach = glms_vec3_dot(at.normal, ray->direction);
        if (at.gap <= touching && way == 0 && !(approach * limit > touching)) return false;
        if (at.gap <= touching) break;
        if (!(approach > 0)) return false;
        way += at.gap / approach;
        if (!(way <= limit)) return false;
    }
    out->distance = way;
    out->normal = glms_vec3_negate(at.normal);
    out->reach = glms_vec3_sub(at.on_b, ray->origin);
    return true;
}

/* A body while a solid is tested against its children. */
typedef struct solid_meeting {
    scree_shape shape;
    body_pose pose;
    const query_ray *ray;
    query_hit *out;
} solid_meeting;

static void visit_meeting(void *context, int number) {
    const solid_meeting *self = context;
    const placed_child child = children_place(self->shape, self->pose, number);
    query_hit hit = *self->out;
    hit.child = number;
    if (meet_child(self->ray, child.shape, child.pose, scalar_min(self->ray->limit, self->out->distance),
                   &hit) &&
        (hit.distance < self->out->distance ||
         (hit.distance == self->out->distance && number < self->out->child)))
        *self->out = hit;
}

/* Returns the box of the solid's way in a body's axes. */
static bounds swept_box(const query_ray *ray, body_pose body) {
    const vec3s way = rotate_inverse(body.rotation, glms_vec3_scale(ray->direction, ray->limit));
    bounds box = children_box_in(body, ray->solid->shape, pose_on(ray), 0);
    for (int axis = 0; axis < 3; axis++) {
        const scalar along = vec3_along(way, axis);
        *vec3_component(along < 0 ? &box.lower : &box.upper, axis) += along;
    }
    return box;
}

bool query_solid_meets(const body_array *bodies, int slot, body_pose pose, query_ray ray, query_hit *out) {
    const scree_shape shape = bodies->shapes[slot];
    solid_meeting self = {shape, pose, &ray, out};
    if (shape.kind == SCREE_SHAPE_SOLID && query_holds(shape, pose, ray.origin)) {
        out->distance = 0;
        out->normal = glms_vec3_negate(ray.direction);
        return true;
    }
    if (shape_has_children(shape))
        children_rows[shape.kind]->near(shape, swept_box(&ray, pose), visit_meeting, &self);
    else
        visit_meeting(&self, 0);
    return out->distance <= ray.limit && out->distance < RAY_FAR;
}

/* A body while its distance from a solid is searched. */
typedef struct nearest_meeting {
    scree_shape shape;
    body_pose pose, own; /* own: of the solid */
    const query_solid *solid;
    bool inside; /* the solid's origin is inside the surface of the body */
    query_nearest *best;
    int slot;
} nearest_meeting;

static bool is_nearer(const query_nearest *one, const query_nearest *other) {
    if (one->gap != other->gap) return one->gap < other->gap;
    return one->slot < other->slot || (one->slot == other->slot && one->child < other->child);
}

static void visit_nearest(void *context, int number) {
    const nearest_meeting *self = context;
    const placed_child child = children_place(self->shape, self->pose, number);
    const shape_gap at =
        shape_gap_of(self->solid->shape, self->own, vec3_of(0, 0, 0), child.shape, child.pose);
    const query_nearest found = {.slot = self->slot,
                                 .child = number,
                                 .gap = at.gap,
                                 .normal = glms_vec3_negate(at.normal),
                                 .point = at.on_b,
                                 .other = at.on_a};
    if (self->best->slot < 0 ? found.gap <= self->best->gap : is_nearer(&found, self->best))
        *self->best = found;
}

static void find_nearest(const query *self, const body_array *bodies, int slot, const query_solid *solid,
                         vec3s position, query_filter filter, query_nearest *best) {
    if (!query_accepts(filter, slot)) return;
    const body_pose own = {.position = position, .rotation = solid->rotation};
    nearest_meeting meeting = {.shape = bodies->shapes[slot],
                               .pose = body_image_pose(bodies, slot, self->images[slot]),
                               .own = own,
                               .solid = solid,
                               .best = best,
                               .slot = slot};
    if (!shape_has_children(meeting.shape)) {
        visit_nearest(&meeting, 0);
        return;
    }
    if (meeting.shape.kind == SCREE_SHAPE_SOLID && query_holds(meeting.shape, meeting.pose, position) &&
        best->gap > 0) {
        *best =
            (query_nearest){.slot = slot, .normal = vec3_of(0, 0, 1), .point = position, .other = position};
        return;
    }
    children_rows[meeting.shape.kind]->near(
        meeting.shape, children_box_in(meeting.pose, solid->shape, own, scalar_max(best->gap, 0)),
        visit_nearest, &meeting);
}

/* Returns the distance of two boxes; 0 if they meet. */
static scalar gap_to_box(const query_solid *solid, vec3s position, vec3s lower, vec3s upper) {
    const vec3s middle = glms_vec3_add(position, solid->middle);
    scalar square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const scalar at = vec3_along(middle, axis), half = vec3_along(solid->half, axis),
                     out = scalar_max(
                         scalar_max(vec3_along(lower, axis) - at, at - vec3_along(upper, axis)) - half, 0);
        square += out * out;
    }
    return scalar_sqrt(square);
}

/* Visits the bodies with boxes, the nearer child node first. */
static void find_boxed(const query *self, const body_array *bodies, const query_solid *solid, vec3s position,
                       query_filter filter, query_nearest *best) {
    int stack[TREE_STACK], depth = self->tree.node_count > 0;
    stack[0] = 0;
    while (depth > 0) {
        const tree_node *node = &self->tree.nodes[stack[--depth]];
        if (gap_to_box(solid, position, node->lower, node->upper) > scalar_max(best->gap, 0)) continue;
        if (node->child > 0) {
            const tree_node *left = &self->tree.nodes[node->child], *right = left + 1;
            const bool swap = gap_to_box(solid, position, right->lower, right->upper) <
                              gap_to_box(solid, position, left->lower, left->upper);
            stack[depth++] = node->child + !swap;
            stack[depth++] = node->child + swap;
            continue;
        }
        for (int i = node->end + node->child; i < node->end; i++)
            find_nearest(self, bodies, self->tree.members[i], solid, position, filter, best);
    }
}

query_nearest query_find_nearest(const query *self, const body_array *bodies, const query_solid *solid,
                                 vec3s position, scalar limit, query_filter filter) {
    const period *cell = &bodies->period;
    const vec3s home = period_moved(cell, position, period_wrap(cell, position));
    query_nearest best = {.slot = -1, .child = 0, .gap = limit};
    int images[PERIOD_IMAGES];
    const int count = period_around(cell, images);
    for (int i = 0; i < self->endless_count; i++)
        find_nearest(self, bodies, self->endless[i], solid, position, filter, &best);
    for (int i = 0; i < count; i++) {
        const vec3s at = period_moved(cell, home, images[i]), back = glms_vec3_sub(position, at);
        query_nearest found = best;
        find_boxed(self, bodies, solid, at, filter, &found);
        if (found.slot < 0 || !(best.slot < 0 || is_nearer(&found, &best))) continue;
        best = found;
        best.point = glms_vec3_add(found.point, back);
        best.other = glms_vec3_add(found.other, back);
    }
    return best;
}
