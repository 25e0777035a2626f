/* Voronoi regions of the features of a mesh (van den Bergen 2003, Collision Detection in Interactive 3D
 * Environments). A body that touches a triangle at an edge or a corner pushes along d, which points away from
 * the mesh. d lies in the Voronoi region of that edge or corner, so that no triangle around it is nearer, if
 * d · t ≤ 0 for the direction t from the edge into each adjacent triangle, or from the corner along each edge
 * that leaves it. Otherwise a neighbour is nearer, and only its own contact is valid. On a plane made of
 * triangles only the contact of the face below remains; a body over an edge touches both faces with one
 * normal.
 *
 * At width 1. A file that includes this one first defines EDGE_SHAPE, the type of the argument that stands
 * for the body's shape at its pose, and edge_over_plane(shape, plane, reach), which returns its contact
 * points with the half-space of a pose, with the normal from the half-space. */
#ifndef SCREE_KERNELS_MESH_EDGES_H
#define SCREE_KERNELS_MESH_EDGES_H

#include "feature.h"
#include "kinds.h"
#include "layout.h"
#include "manifold_points.h"
#include "mesh_table.h"
#include "rotation.h"
#include "triangle.h"

/* Largest d · t that counts as 0, for unit d and t. A smaller value is below the accuracy of the time of
 * impact (impact.c) with triangles a hundred times as wide as the body. */
#define REGION_TOLERANCE 0.02f
/* Largest distance from an edge of a point on it: relative to a triangle's longest side, and to the body's
 * half width, since in a triangle much larger than the body the next edge may be as near. */
#define EDGE_TOLERANCE 1e-3f
#define EDGE_TOLERANCE_BODY 0.05f

/* A convex shape, ball or half-space that touches a triangle. */
typedef struct edge_body {
    int kind;                  /* shape_kind */
    scalar half_width, radius; /* m; radius: of a ball */
    body_pose pose;
} edge_body;

/* The triangle of a surface that it touches. */
typedef struct edge_triangle {
    mesh_table of;
    int triangle;
    scalar scale;   /* of the surface's lengths */
    body_pose pose; /* of the surface's body */
    scalar outward; /* 1 if the normal of the points points away from the surface, else −1 */
} edge_triangle;

#if SCREE_WIDTH == 1

/* A contact with a triangle along d, which points away from the mesh, in the mesh's own lengths. */
typedef struct triangle_contact {
    int triangle;
    vec3s d, centre;       /* centre: of the body */
    int face;              /* d is along the triangle's normal */
    scalar edge_tolerance; /* largest distance from an edge of a point on it */
} triangle_contact;

/* Returns whether the plane of a neighbour separates the body's centre from the triangle, which extends along
 * `inward` from a point of their common edge. A plane that contains the triangle separates nothing. */
SHARED int plane_separates(mesh_table self, edge_facet facet, vec3s point, vec3s inward, vec3s centre) {
    const vec3s normal = self.triangles[facet.triangle].normal;
    const scalar inward_part = glms_vec3_dot(normal, inward);
    return scalar_abs(inward_part) > REGION_TOLERANCE &&
           inward_part * glms_vec3_dot(normal, glms_vec3_sub(centre, point)) < 0;
}

/* Returns whether d is outside the Voronoi region of edge k at a point of it, given as a fraction of its
 * length from the vertex of lower number; `start` is a vertex of the edge. At an inner edge a
 * body touches both faces, so the contact with the face itself is outside only if the neighbour's plane lies
 * between the body's centre and the triangle: a rib below a floor does not push bodies on the floor. */
SHARED int is_outside_edge(mesh_table self, triangle_contact contact, int k, scalar fraction, vec3s start,
                           vec3s inward) {
    const int edge = self.triangles[contact.triangle].edges[k];
    for (int i = self.facet_first[edge]; i < self.facet_first[edge + 1]; i++) {
        const edge_facet facet = self.facets[i];
        if (facet.triangle != contact.triangle && fraction >= facet.from - EDGE_TOLERANCE &&
            fraction <= facet.to + EDGE_TOLERANCE &&
            glms_vec3_dot(facet.inward, contact.d) > REGION_TOLERANCE &&
            (!contact.face || plane_separates(self, facet, start, inward, contact.centre)))
            return 1;
    }
    return 0;
}

/* Returns whether d is outside the region of a corner. */
SHARED int is_outside_corner(mesh_table self, int corner, vec3s d) {
    for (int i = self.direction_first[corner]; i < self.direction_first[corner + 1]; i++)
        if (glms_vec3_dot(self.directions[i], d) > REGION_TOLERANCE) return 1;
    return 0;
}

/* Returns whether d is outside the Voronoi region of an edge or a corner that the point, a contact point
 * on the triangle, belongs to. A point within the face belongs to none. */
SHARED int is_outside_region(mesh_table self, triangle_contact contact, vec3s point) {
    const mesh_triangle triangle = self.triangles[contact.triangle];
    for (int k = 0; k < 3; k++) {
        const int from = triangle.corners[k], to = triangle.corners[(k + 1) % 3];
        const vec3s start = self.vertices[from], edge = glms_vec3_sub(self.vertices[to], start),
                    offset = glms_vec3_sub(point, start);
        const scalar length = glms_vec3_norm(edge), tolerance = contact.edge_tolerance,
                     distance = glms_vec3_norm(glms_vec3_cross(edge, offset)) / length,
                     fraction = glms_vec3_dot(edge, offset) / (length * length);
        const vec3s inward = glms_vec3_scale(glms_vec3_cross(triangle.normal, edge), 1 / length);
        if (distance <= tolerance &&
            is_outside_edge(self, contact, k, from < to ? fraction : 1 - fraction, start, inward))
            return 1;
        if (contact.face || !(glms_vec3_norm(offset) <= tolerance)) continue;
        if (is_outside_corner(self, from, contact.d)) return 1;
    }
    return 0;
}

/* Returns the point of a triangle nearest to a point, both in the mesh's own axes and lengths. */
SHARED vec3s nearest_on(mesh_table self, mesh_triangle of, vec3s point) {
    const vec3s corner = self.vertices[of.corners[0]];
    const vec3s own = rotate_inverse(of.rotation, glms_vec3_sub(point, corner));
    return glms_vec3_add(corner, rotate(of.rotation, triangle_nearest(of.size, own)));
}

/* Sets the normal of a contact to that of the face's plane, n, through `origin`; `cosine` is d · n. The gap
 * along n is that of the two surface points, (g d) · n; a ball's is that of its centre above the plane, at
 * any time of impact. */
SHARED manifold_points projected_on_face(manifold_points touch, vec3s normal, scalar cosine, vec3s origin,
                                         edge_body body) {
    touch.normal = normal;
    for (int i = 0; i < touch.count; i++) touch.points[i].gap *= cosine;
    if (touch.count != 1 || body.kind != SHAPE_SPHERE) return touch;
    const vec3s arm = glms_vec3_sub(touch.points[0].position, body.pose.position);
    const scalar side = glms_vec3_dot(normal, arm) < 0 ? -1 : 1,
                 gap = scalar_abs(glms_vec3_dot(normal, glms_vec3_sub(body.pose.position, origin))) -
                       body.radius;
    touch.points[0].gap = gap;
    touch.points[0].position =
        glms_vec3_add(body.pose.position, glms_vec3_scale(normal, side * (body.radius + gap / 2)));
    return touch;
}

/* Returns the point of the mesh's surface at a contact point, in the mesh's own axes and lengths. A contact
 * point is midway between the surfaces, so that of an overlap is half its depth further along d. */
SHARED vec3s point_on_surface(body_pose pose, scalar scale, manifold_point point, vec3s d) {
    const vec3s at = rotate_inverse(pose.rotation, glms_vec3_sub(point.position, pose.position));
    const vec3s out = glms_vec3_scale(d, scalar_max(-point.gap, 0) / 2);
    return glms_vec3_scale(glms_vec3_add(at, out), 1 / scale);
}

/* Returns whether a point's projection onto the triangle's plane is within `tolerance` of the triangle. */
SHARED int projects_onto(mesh_table self, mesh_triangle of, vec3s point, scalar tolerance) {
    const vec3s offset = glms_vec3_sub(point, nearest_on(self, of, point));
    return glms_vec3_norm(glms_vec3_sub(
               offset, glms_vec3_scale(of.normal, glms_vec3_dot(offset, of.normal)))) <= tolerance;
}

/* Returns the pose of the half-space below a triangle's plane on its front, or on its back. */
SHARED body_pose plane_of_triangle(edge_triangle at, mesh_triangle of, int front) {
    const vec3s corner = at.of.vertices[of.corners[0]];
    const versors rotation = rotation_product(at.pose.rotation, of.rotation);
    body_pose plane;
    plane.position =
        glms_vec3_add(at.pose.position, rotate(at.pose.rotation, glms_vec3_scale(corner, at.scale)));
    plane.reserved = 0;
    plane.rotation = front ? rotation : rotation_product(rotation, versor_of(1, 0, 0, 0));
    return plane;
}

/* Returns the contacts of the body with the triangle's plane that project onto the triangle. A manifold along
 * a neighbour's normal does not have these points. */
SHARED manifold_points points_on_face(edge_triangle at, triangle_contact contact, EDGE_SHAPE shape,
                                      manifold_points touch) {
    const mesh_triangle of = at.of.triangles[contact.triangle];
    const vec3s corner = at.of.vertices[of.corners[0]];
    const int above = glms_vec3_dot(of.normal, glms_vec3_sub(contact.centre, corner)) >= 0;
    const vec3s d = vec3_choose(above, of.normal, glms_vec3_negate(of.normal));
    scalar reach = 0;
    for (int i = 0; i < touch.count; i++) reach = scalar_max(reach, touch.points[i].gap);
    const manifold_points found = edge_over_plane(shape, plane_of_triangle(at, of, above), reach);
    touch.count = 0, touch.normal = glms_vec3_scale(found.normal, at.outward);
    for (int i = 0; i < found.count; i++)
        if (projects_onto(at.of, of, point_on_surface(at.pose, at.scale, found.points[i], d),
                          contact.edge_tolerance))
            touch.points[touch.count++] = found.points[i];
    return touch;
}

/* Returns the feature of a contact point on a plane of triangles. A corner of the body, or its single nearest
 * point, has the same feature all over the plane: `plane` with the corner's number (a sphere's feature is 0),
 * or with FEATURE_PLANE_NEAREST. Edge crossings and corners of the triangle differ between triangles, and the
 * numbers of the children distinguish them. */
SHARED scalar_bits plane_feature(scalar_bits plane, scalar_bits feature, edge_body body) {
    const scalar_bits kind = feature >> FEATURE_SHIFT, number = feature & FEATURE_PLANE_NUMBER;
    const int first = body.kind < SHAPE_TRIANGLE; /* whether the body comes first in the order of kinds */
    if (kind == FEATURE_NEAREST) return plane | FEATURE_PLANE_NEAREST;
    return kind == 0 || kind == (scalar_bits)(first ? FEATURE_CORNER_A : FEATURE_CORNER_B) ? plane | number
                                                                                           : feature;
}

/* Returns the points of a triangle and a body without those whose normal is a neighbour's, with the plane's
 * normal where it differs from that by rounding. Features then encode the plane. If that removes points of a
 * shape other than a ball or half-space whose normal is not the face's, the contacts with the face's plane
 * that project onto the triangle take their place. */
SHARED manifold_points mesh_edges_reduced(edge_triangle at, edge_body body, EDGE_SHAPE shape,
                                          manifold_points touch) {
    const mesh_triangle of = at.of.triangles[at.triangle];
    const body_pose pose = at.pose;
    const vec3s d = rotate_inverse(pose.rotation, glms_vec3_scale(touch.normal, at.outward));
    const scalar normal_part = glms_vec3_dot(d, of.normal), side = normal_part < 0 ? -1 : 1;
    const vec3s tangential = glms_vec3_sub(d, glms_vec3_scale(of.normal, normal_part));
    const scalar_bits plane = FEATURE_OF_PLANE | (scalar_bits)of.plane_code << FEATURE_PLANE_CODE_SHIFT |
                              (side > 0 ? FEATURE_PLANE_FRONT : 0);
    const scalar longest = scalar_max(of.size.x, glms_vec3_norm(vec3_of(of.size.y, of.size.z, 0)));
    const vec3s centre = rotate_inverse(pose.rotation, glms_vec3_sub(body.pose.position, pose.position));
    triangle_contact contact;
    contact.triangle = at.triangle, contact.d = d, contact.centre = glms_vec3_scale(centre, 1 / at.scale);
    contact.face = glms_vec3_norm(tangential) <= REGION_TOLERANCE;
    contact.edge_tolerance =
        scalar_min(EDGE_TOLERANCE * longest, EDGE_TOLERANCE_BODY * body.half_width / at.scale);
    if (contact.face) {
        const vec3s corner = glms_vec3_scale(at.of.vertices[of.corners[0]], at.scale);
        touch = projected_on_face(touch, glms_vec3_scale(rotate(pose.rotation, of.normal), side * at.outward),
                                  normal_part * side,
                                  glms_vec3_add(pose.position, rotate(pose.rotation, corner)), body);
    }
    manifold_points kept = touch;
    int count = 0;
    for (int i = 0; i < touch.count; i++) {
        const vec3s point = nearest_on(at.of, of, point_on_surface(pose, at.scale, touch.points[i], d));
        if (!is_outside_region(at.of, contact, point)) kept.points[count++] = touch.points[i];
    }
    if (count < touch.count && !contact.face && body.kind != SHAPE_SPHERE && body.kind != SHAPE_HALF_SPACE)
        kept = points_on_face(at, contact, shape, kept);
    else
        kept.count = count;
    for (int i = 0; i < kept.count; i++)
        kept.points[i].feature = plane_feature(plane, kept.points[i].feature, body);
    return kept;
}

#endif

#endif
