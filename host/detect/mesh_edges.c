/* Voronoi regions of the features of a mesh (van den Bergen 2003, Collision Detection in Interactive 3D
 * Environments). A body that touches a triangle at an edge or a corner pushes along d, which points away from
 * the mesh. d lies in the Voronoi region of that edge or corner, so that no triangle around it is nearer, if
 * d · t ≤ 0 for the direction t from the edge into each adjacent triangle, or from the corner along each edge
 * that leaves it. Otherwise a neighbour is nearer, and only its own contact is valid. On a plane made of
 * triangles only the contact of the face below remains; a body over an edge touches both faces with one
 * normal. */
#include "child_contacts.h"

#include "body_bounds.h"
#include "feature.h"
#include "rotation.h"
#include "triangle.h"

/* Largest d · t that counts as 0, for unit d and t. A smaller value is below the accuracy of the time of
 * impact (impact.c) with triangles a hundred times as wide as the body. */
static const scalar REGION_TOLERANCE = 0.02f;
/* Largest distance from an edge of a point on it: relative to a triangle's longest side, and to the body's
 * half width, since in a triangle much larger than the body the next edge may be as near. */
static const scalar EDGE_TOLERANCE = 1e-3f, EDGE_TOLERANCE_BODY = 0.05f;

/* A contact with a triangle along d, which points away from the mesh, in the mesh's own lengths. */
typedef struct triangle_contact {
    int triangle;
    vec3s d, centre;       /* of the body */
    bool face;             /* d is along the triangle's normal */
    scalar edge_tolerance; /* largest distance from an edge of a point on it */
} triangle_contact;

/* Returns whether the plane of a neighbour separates the body's centre from the triangle, which extends along
 * `inward` from a point of their common edge. A plane that contains the triangle separates nothing. */
static bool plane_separates(const mesh *self, const edge_facet *facet, vec3s point, vec3s inward,
                            vec3s centre) {
    const vec3s normal = self->triangles[facet->triangle].normal;
    const scalar inward_part = glms_vec3_dot(normal, inward);
    return scalar_abs(inward_part) > REGION_TOLERANCE &&
           inward_part * glms_vec3_dot(normal, glms_vec3_sub(centre, point)) < 0;
}

/* Returns whether d is outside the Voronoi region of edge k at a point of it, given as a fraction of its
 * length from the vertex of lower number; `start` is a vertex of the edge. At an inner edge a
 * body touches both faces, so the contact with the face itself is outside only if the neighbour's plane lies
 * between the body's centre and the triangle: a rib below a floor does not push bodies on the floor. */
static bool is_outside_edge(const mesh *self, const triangle_contact *contact, int k, scalar fraction,
                            vec3s start, vec3s inward) {
    const int edge = self->triangles[contact->triangle].edges[k];
    for (int i = self->facet_first[edge]; i < self->facet_first[edge + 1]; i++) {
        const edge_facet *facet = &self->facets[i];
        if (facet->triangle != contact->triangle && fraction >= facet->from - EDGE_TOLERANCE &&
            fraction <= facet->to + EDGE_TOLERANCE &&
            glms_vec3_dot(facet->inward, contact->d) > REGION_TOLERANCE &&
            (!contact->face || plane_separates(self, facet, start, inward, contact->centre)))
            return true;
    }
    return false;
}

/* Returns whether d is outside the Voronoi region of an edge or a corner that the point, a contact point
 * on the triangle, belongs to. A point within the face belongs to none. */
static bool is_outside_region(const mesh *self, const triangle_contact *contact, vec3s point) {
    const mesh_triangle *triangle = &self->triangles[contact->triangle];
    for (int k = 0; k < 3; k++) {
        const int from = triangle->corners[k], to = triangle->corners[(k + 1) % 3];
        const vec3s start = self->vertices[from], edge = glms_vec3_sub(self->vertices[to], start),
                    offset = glms_vec3_sub(point, start);
        const scalar length = glms_vec3_norm(edge), tolerance = contact->edge_tolerance,
                     distance = glms_vec3_norm(glms_vec3_cross(edge, offset)) / length,
                     fraction = glms_vec3_dot(edge, offset) / (length * length);
        const vec3s inward = glms_vec3_scale(glms_vec3_cross(triangle->normal, edge), 1 / length);
        if (distance <= tolerance &&
            is_outside_edge(self, contact, k, from < to ? fraction : 1 - fraction, start, inward))
            return true;
        if (contact->face || !(glms_vec3_norm(offset) <= tolerance)) continue;
        for (int i = self->direction_first[from]; i < self->direction_first[from + 1]; i++)
            if (glms_vec3_dot(self->directions[i], contact->d) > REGION_TOLERANCE) return true;
    }
    return false;
}

/* Returns the point of a triangle nearest to a point, both in the mesh's own axes and lengths. */
static vec3s nearest_on(const mesh *self, const mesh_triangle *of, vec3s point) {
    const vec3s corner = self->vertices[of->corners[0]];
    const vec3s local = rotate_inverse(of->rotation, glms_vec3_sub(point, corner));
    return glms_vec3_add(corner, rotate(of->rotation, triangle_nearest(of->size, local)));
}

/* Sets the normal of a contact to that of the face's plane, n, through `origin`; `cosine` is d · n. The gap
 * along n is that of the two surface points, (g d) · n; a ball's is that of its centre above the plane, at
 * any time of impact. */
static void project_on_face(manifold *touch, vec3s normal, scalar cosine, vec3s origin,
                            const placed_child *body) {
    touch->normal = normal;
    for (int i = 0; i < touch->count; i++) touch->points[i].gap *= cosine;
    if (touch->count != 1 || !shape_is_ball(body->shape)) return;
    manifold_point *point = touch->points;
    const vec3s arm = glms_vec3_sub(point->position, body->pose.position);
    const scalar radius = body->shape.size.x, side = glms_vec3_dot(normal, arm) < 0 ? -1 : 1;
    point->gap = scalar_abs(glms_vec3_dot(normal, glms_vec3_sub(body->pose.position, origin))) - radius;
    point->position =
        glms_vec3_add(body->pose.position, glms_vec3_scale(normal, side * (radius + point->gap / 2)));
}

/* Returns the point of the mesh's surface at a contact point, in the mesh's own axes and lengths. A contact
 * point is midway between the surfaces, so that of an overlap is half its depth further along d. */
static vec3s point_on_surface(body_pose pose, scalar scale, const manifold_point *point, vec3s d) {
    const vec3s at = rotate_inverse(pose.rotation, glms_vec3_sub(point->position, pose.position));
    const vec3s out = glms_vec3_scale(d, scalar_max(-point->gap, 0) / 2);
    return glms_vec3_scale(glms_vec3_add(at, out), 1 / scale);
}

/* Returns whether a point's projection onto the triangle's plane is within `tolerance` of the triangle. */
static bool projects_onto(const mesh *self, const mesh_triangle *of, vec3s point, scalar tolerance) {
    const vec3s offset = glms_vec3_sub(point, nearest_on(self, of, point));
    return glms_vec3_norm(glms_vec3_sub(
               offset, glms_vec3_scale(of->normal, glms_vec3_dot(offset, of->normal)))) <= tolerance;
}

/* Replaces the points of a manifold by the contacts of the body with the triangle's plane that project onto
 * the triangle. A manifold along a neighbour's normal does not have these points. */
static void replace_by_face(const mesh *self, scalar scale, body_pose pose, const triangle_contact *contact,
                            const placed_child *body, scalar outward, manifold *touch) {
    const mesh_triangle *of = &self->triangles[contact->triangle];
    const vec3s corner = self->vertices[of->corners[0]];
    const bool above = glms_vec3_dot(of->normal, glms_vec3_sub(contact->centre, corner)) >= 0;
    const versors rotation = rotation_product(pose.rotation, of->rotation);
    const body_pose plane = {
        .position = glms_vec3_add(pose.position, rotate(pose.rotation, glms_vec3_scale(corner, scale))),
        .rotation = above ? rotation : rotation_product(rotation, versor_of(1, 0, 0, 0))};
    const vec3s d = above ? of->normal : glms_vec3_negate(of->normal);
    scalar reach = 0;
    for (int i = 0; i < touch->count; i++) reach = scalar_max(reach, touch->points[i].gap);
    const manifold found = manifold_of(scree_shape_half_space(), plane, body->shape, body->pose, reach);
    touch->count = 0, touch->normal = glms_vec3_scale(found.normal, outward);
    for (int i = 0; i < found.count; i++)
        if (projects_onto(self, of, point_on_surface(pose, scale, &found.points[i], d),
                          contact->edge_tolerance))
            touch->points[touch->count++] = found.points[i];
}

/* Returns the feature of a contact point on a plane of triangles. A corner of the body, or its single nearest
 * point, has the same feature all over the plane: `plane` with the corner's number (a sphere's feature is 0),
 * or with FEATURE_PLANE_NEAREST. Edge crossings and corners of the triangle differ between triangles, and the
 * manifold's `children` distinguishes them. */
static uint32_t plane_feature(uint32_t plane, uint32_t feature, const placed_child *body) {
    const uint32_t kind = feature >> FEATURE_SHIFT, number = feature & FEATURE_PLANE_NUMBER;
    const bool first = body->shape.kind < SCREE_SHAPE_TRIANGLE; /* whether the body is manifold_of's a */
    if (kind == FEATURE_NEAREST) return plane | FEATURE_PLANE_NEAREST;
    return kind == 0 || kind == (first ? FEATURE_CORNER_A : FEATURE_CORNER_B) ? plane | number : feature;
}

void mesh_edges_reduce(const mesh *self, scalar scale, body_pose pose, int triangle, const placed_child *body,
                       scalar outward, manifold *touch) {
    const mesh_triangle *of = &self->triangles[triangle];
    const vec3s d = rotate_inverse(pose.rotation, glms_vec3_scale(touch->normal, outward));
    const scalar normal_part = glms_vec3_dot(d, of->normal), side = normal_part < 0 ? -1 : 1;
    const vec3s tangential = glms_vec3_sub(d, glms_vec3_scale(of->normal, normal_part));
    const uint32_t plane = FEATURE_OF_PLANE | (uint32_t)of->plane_code << FEATURE_PLANE_CODE_SHIFT |
                           (side > 0 ? FEATURE_PLANE_FRONT : 0);
    const scalar longest = scalar_max(of->size.x, glms_vec3_norm(vec3_of(of->size.y, of->size.z, 0)));
    const scalar edge_tolerance =
        scalar_min(EDGE_TOLERANCE * longest, EDGE_TOLERANCE_BODY * bounds_half_width(body->shape) / scale);
    const vec3s centre = rotate_inverse(pose.rotation, glms_vec3_sub(body->pose.position, pose.position));
    const triangle_contact contact = {triangle, d, glms_vec3_scale(centre, 1 / scale),
                                      glms_vec3_norm(tangential) <= REGION_TOLERANCE, edge_tolerance};
    int count = 0;
    if (contact.face) {
        const vec3s corner = glms_vec3_scale(self->vertices[of->corners[0]], scale);
        project_on_face(touch, glms_vec3_scale(rotate(pose.rotation, of->normal), side * outward),
                        normal_part * side, glms_vec3_add(pose.position, rotate(pose.rotation, corner)),
                        body);
    }
    const int found = touch->count;
    for (int i = 0; i < found; i++) {
        const vec3s point = nearest_on(self, of, point_on_surface(pose, scale, &touch->points[i], d));
        if (!is_outside_region(self, &contact, point)) touch->points[count++] = touch->points[i];
    }
    if (count < found && !contact.face && !shape_is_ball(body->shape) && !shape_is_plane(body->shape))
        replace_by_face(self, scale, pose, &contact, body, outward, touch);
    else
        touch->count = count;
    for (int i = 0; i < touch->count; i++)
        touch->points[i].feature = plane_feature(plane, touch->points[i].feature, body);
}
