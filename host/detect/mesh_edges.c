/* A body that touches a triangle at an edge or a corner pushes along d, which points away from the mesh. That
 * edge or corner is the nearest point of all triangles around it if d does not lean over any of them: d · t ≤
 * 0 for the direction t from the edge into each adjacent triangle, or from the corner along each edge that
 * leaves it. Otherwise one of them is nearer, and its own contact is the right one (the Voronoi regions of
 * the features; van den Bergen 2003, Collision Detection in Interactive 3D Environments). On a plane made of
 * triangles only the contact of the face underneath remains; a body right over an edge touches both faces
 * with one normal. */
#include "child_contacts.h"

#include "body_bounds.h"
#include "feature.h"
#include "rotation.h"
#include "triangle.h"

/* Relative to a unit direction. A smaller value is below the accuracy of the time of impact (impact.c) with
 * triangles a hundred times as wide as the body. */
static const scalar LEAN = 0.02f;
/* Distance within which a point is on an edge: relative to a triangle's longest side, and to the body's half
 * width, since in a triangle much larger than the body the next edge may be as near. */
static const scalar AT_EDGE = 1e-3f, AT_EDGE_BODY = 0.05f;

/* A contact with a triangle along d, which points away from the mesh, in the mesh's own lengths. */
typedef struct touching {
    int triangle;
    vec3s d, centre; /* of the body */
    bool face;       /* d is along the triangle's normal */
    scalar at_edge;  /* largest distance of a point on an edge from it */
} touching;

/* Returns whether a neighbour's plane separates the body from the triangle, which extends along `into` from a
 * point of that plane. */
static bool is_between(const mesh *self, const mesh_wing *wing, vec3s at, vec3s into, vec3s centre) {
    const vec3s normal = self->triangles[wing->triangle].normal;
    const scalar side = glms_vec3_dot(normal, into);
    return scalar_abs(side) > LEAN && side * glms_vec3_dot(normal, glms_vec3_sub(centre, at)) < 0;
}

/* Returns whether d leans over another triangle at a place of edge k. A contact with the face itself, as in
 * an inner corner, stays unless the other triangle is in between: a rib under a floor pushes nothing that
 * lies on it. */
static bool leans_at_edge(const mesh *self, const touching *by, int k, scalar place, vec3s at, vec3s into) {
    const int edge = self->triangles[by->triangle].edges[k];
    for (int i = self->wing_first[edge]; i < self->wing_first[edge + 1]; i++) {
        const mesh_wing *wing = &self->wings[i];
        if (wing->triangle != by->triangle && place >= wing->from - AT_EDGE && place <= wing->to + AT_EDGE &&
            glms_vec3_dot(wing->away, by->d) > LEAN &&
            (!by->face || is_between(self, wing, at, into, by->centre)))
            return true;
    }
    return false;
}

/* Returns whether d leans over a neighbour at a point of the triangle. */
static bool leans(const mesh *self, const touching *by, vec3s point) {
    const mesh_triangle *of = &self->triangles[by->triangle];
    for (int k = 0; k < 3; k++) {
        const int from = of->corners[k], to = of->corners[(k + 1) % 3];
        const vec3s a = self->vertices[from], along = glms_vec3_sub(self->vertices[to], a),
                    arm = glms_vec3_sub(point, a);
        const scalar length = glms_vec3_norm(along), near = by->at_edge,
                     beside = glms_vec3_norm(glms_vec3_cross(along, arm)) / length,
                     place = glms_vec3_dot(along, arm) / (length * length);
        const vec3s into = glms_vec3_scale(glms_vec3_cross(of->normal, along), 1 / length);
        if (beside <= near && leans_at_edge(self, by, k, from < to ? place : 1 - place, a, into)) return true;
        if (by->face || !(glms_vec3_norm(arm) <= near)) continue;
        for (int i = self->spoke_first[from]; i < self->spoke_first[from + 1]; i++)
            if (glms_vec3_dot(self->spokes[i], by->d) > LEAN) return true;
    }
    return false;
}

/* Returns the nearest point of a triangle. */
static vec3s nearest_on(const mesh *self, const mesh_triangle *of, vec3s point) {
    const vec3s corner = self->vertices[of->corners[0]];
    const vec3s local = rotate_inverse(of->rotation, glms_vec3_sub(point, corner));
    return glms_vec3_add(corner, rotate(of->rotation, triangle_nearest(of->size, local)));
}

/* Turns a contact to the plane's normal n. The gap along n is that of the two surface points, (g d) · n; a
 * ball's is that of its centre above the plane, at any time of impact. */
static void turn_to(manifold *touch, vec3s normal, scalar cosine, vec3s foot, const placed_child *by) {
    touch->normal = normal;
    for (int i = 0; i < touch->count; i++) touch->points[i].gap *= cosine;
    if (touch->count != 1 || !shape_is_ball(by->shape)) return;
    manifold_point *point = touch->points;
    const scalar radius = by->shape.size.x,
                 side = glms_vec3_dot(normal, glms_vec3_sub(point->position, by->pose.position)) < 0 ? -1 : 1;
    point->gap = scalar_abs(glms_vec3_dot(normal, glms_vec3_sub(by->pose.position, foot))) - radius;
    point->position =
        glms_vec3_add(by->pose.position, glms_vec3_scale(normal, side * (radius + point->gap / 2)));
}

/* Returns the contact point on the triangle in the mesh's own lengths. A contact's point is midway between
 * the surfaces, so the touched point of an overlap is half its depth further along d. */
static vec3s touched_place(body_pose pose, scalar scale, const manifold_point *point, vec3s d) {
    const vec3s at = rotate_inverse(pose.rotation, glms_vec3_sub(point->position, pose.position));
    const vec3s out = glms_vec3_scale(d, scalar_max(-point->gap, 0) / 2);
    return glms_vec3_scale(glms_vec3_add(at, out), 1 / scale);
}

/* Returns whether a point is over the triangle, or within `near` of it sideways. */
static bool stands_over(const mesh *self, const mesh_triangle *of, vec3s place, scalar near) {
    const vec3s arm = glms_vec3_sub(place, nearest_on(self, of, place));
    return glms_vec3_norm(glms_vec3_sub(arm, glms_vec3_scale(of->normal, glms_vec3_dot(arm, of->normal)))) <=
           near;
}

/* A manifold with a neighbour's normal misses the region over the triangle itself. Replaces its points by
 * those of the body on the triangle's plane that lie there. */
static void touch_face(const mesh *self, scalar scale, body_pose pose, const touching *along,
                       const placed_child *by, scalar outward, manifold *touch) {
    const mesh_triangle *of = &self->triangles[along->triangle];
    const vec3s corner = self->vertices[of->corners[0]];
    const bool above = glms_vec3_dot(of->normal, glms_vec3_sub(along->centre, corner)) >= 0;
    const versors tilt = rotation_product(pose.rotation, of->rotation);
    const body_pose plane = {
        .position = glms_vec3_add(pose.position, rotate(pose.rotation, glms_vec3_scale(corner, scale))),
        .rotation = above ? tilt : rotation_product(tilt, versor_of(1, 0, 0, 0))};
    const vec3s d = above ? of->normal : glms_vec3_negate(of->normal);
    scalar reach = 0;
    for (int i = 0; i < touch->count; i++) reach = scalar_max(reach, touch->points[i].gap);
    const manifold found = manifold_of(scree_shape_half_space(), plane, by->shape, by->pose, reach);
    touch->count = 0, touch->normal = glms_vec3_scale(found.normal, outward);
    for (int i = 0; i < found.count; i++)
        if (stands_over(self, of, touched_place(pose, scale, &found.points[i], d), along->at_edge))
            touch->points[touch->count++] = found.points[i];
}

/* A corner of the body, or its single nearest point, has the same feature all over a plane: `plane` with the
 * corner's number. Edge crossings and corners of the triangle differ from triangle to triangle, and the
 * manifold's `children` distinguishes them. */
static uint32_t feature_on(uint32_t plane, uint32_t feature, const placed_child *by) {
    const uint32_t kind = feature >> FEATURE_SHIFT, number = feature & 0x1fff;
    const bool first = by->shape.kind < SCREE_SHAPE_TRIANGLE; /* whether the body is manifold_of's a */
    if (kind == FEATURE_NEAREST) return plane | UINT32_C(1) << 30;
    return kind == 0 || kind == (first ? FEATURE_CORNER_A : FEATURE_CORNER_B) ? plane | number : feature;
}

void mesh_edges_settle(const mesh *self, scalar scale, body_pose pose, int triangle, const placed_child *by,
                       scalar outward, manifold *touch) {
    const mesh_triangle *of = &self->triangles[triangle];
    const vec3s d = rotate_inverse(pose.rotation, glms_vec3_scale(touch->normal, outward));
    const scalar across = glms_vec3_dot(d, of->normal), side = across < 0 ? -1 : 1;
    const vec3s lean = glms_vec3_sub(d, glms_vec3_scale(of->normal, across));
    const uint32_t plane = FEATURE_OF_PLANE | (uint32_t)of->mark << 14 | (uint32_t)(side > 0) << 13;
    const scalar longest = scalar_max(of->size.x, glms_vec3_norm(vec3_of(of->size.y, of->size.z, 0)));
    const scalar at_edge = scalar_min(AT_EDGE * longest, AT_EDGE_BODY * bounds_half_width(by->shape) / scale);
    const vec3s centre = rotate_inverse(pose.rotation, glms_vec3_sub(by->pose.position, pose.position));
    const touching along = {triangle, d, glms_vec3_scale(centre, 1 / scale), glms_vec3_norm(lean) <= LEAN,
                            at_edge};
    int count = 0;
    if (along.face) {
        const vec3s foot = glms_vec3_scale(self->vertices[of->corners[0]], scale);
        turn_to(touch, glms_vec3_scale(rotate(pose.rotation, of->normal), side * outward), across * side,
                glms_vec3_add(pose.position, rotate(pose.rotation, foot)), by);
    }
    const int met = touch->count;
    for (int i = 0; i < met; i++) {
        const vec3s on = nearest_on(self, of, touched_place(pose, scale, &touch->points[i], d));
        if (!leans(self, &along, on)) touch->points[count++] = touch->points[i];
    }
    if (count < met && !along.face && !shape_is_ball(by->shape) && !shape_is_plane(by->shape))
        touch_face(self, scale, pose, &along, by, outward, touch);
    else
        touch->count = count;
    for (int i = 0; i < touch->count; i++)
        touch->points[i].feature = feature_on(plane, touch->points[i].feature, by);
}
