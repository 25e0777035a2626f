/* Contact points of a sphere with spheres, boxes, half-spaces and triangles. */
#ifndef SCREE_KERNELS_SPHERE_POINTS_H
#define SCREE_KERNELS_SPHERE_POINTS_H

#include "ball_impact.h"
#include "layout.h"
#include "manifold_points.h"
#include "rotation.h"
#include "triangle.h"

/* Returns the single contact point of a sphere. Its feature is constant, so its impulse is kept while the
 * sphere rolls over faces, edges and corners. The point is midway between the surfaces: half the gap beyond
 * the sphere's. */
SHARED manifold_points sphere_point(vec3s centre, scalar radius, vec3s normal, scalar gap, scalar reach) {
    if (!(gap <= reach)) return manifold_points_none();
    const vec3s position = glms_vec3_add(centre, glms_vec3_scale(normal, radius + gap / 2));
    return manifold_points_one(normal, manifold_point_of(position, gap, 0));
}

/* Converts the contact of two balls to contact points. */
SHARED manifold_points ball_points(ball_contact found) {
    if (!found.touches) return manifold_points_none();
    return manifold_points_one(found.normal, manifold_point_of(found.position, found.gap, 0));
}

SHARED manifold_points sphere_sphere_points(scalar radius_a, vec3s centre_a, scalar radius_b, vec3s centre_b,
                                            scalar reach) {
    ball a, b;
    a.centre = centre_a, a.radius = radius_a;
    b.centre = centre_b, b.radius = radius_b;
    return ball_points(balls_touch(a, b, reach));
}

/* Contact of a sphere whose centre is inside a box: the normal points out of the face with the least depth.
 */
SHARED manifold_points sphere_inside_box(vec3s halves, vec3s own, versors rotation, vec3s centre,
                                         scalar radius, scalar reach) {
    const scalar x = halves.x - scalar_abs(own.x), y = halves.y - scalar_abs(own.y),
                 z = halves.z - scalar_abs(own.z);
    vec3s outward;
    scalar depth;
    if (z <= x && z <= y)
        depth = z, outward = vec3_of(0, 0, own.z < 0 ? -1 : 1);
    else if (x <= y)
        depth = x, outward = vec3_of(own.x < 0 ? -1 : 1, 0, 0);
    else
        depth = y, outward = vec3_of(0, own.y < 0 ? -1 : 1, 0);
    return sphere_point(centre, radius, rotate(rotation, glms_vec3_negate(outward)), -depth - radius, reach);
}

SHARED manifold_points sphere_box_points(scalar radius, vec3s centre, vec3s halves, body_pose box,
                                         scalar reach) {
    const vec3s between = glms_vec3_sub(centre, box.position);
    const scalar far = radius + reach + halves.x + halves.y +
                       halves.z; /* an upper bound of the box's circumscribed radius */
    if (glms_vec3_norm2(between) > far * far) return manifold_points_none();
    const vec3s own = rotate_inverse(box.rotation, between);
    const vec3s nearest =
        vec3_of(scalar_clamp(own.x, -halves.x, halves.x), scalar_clamp(own.y, -halves.y, halves.y),
                scalar_clamp(own.z, -halves.z, halves.z));
    const vec3s inward = glms_vec3_sub(nearest, own);
    const scalar square = glms_vec3_norm2(inward);
    if (square > (radius + reach) * (radius + reach)) return manifold_points_none();
    if (!(square > FLT_MIN)) return sphere_inside_box(halves, own, box.rotation, centre, radius, reach);
    const scalar distance = scalar_sqrt(square);
    const vec3s normal = rotate(box.rotation, glms_vec3_scale(inward, 1 / distance));
    return sphere_point(centre, radius, normal, distance - radius, reach);
}

/* Contact with the half-space below a plane through `origin`. */
SHARED manifold_points sphere_plane_points(scalar radius, vec3s centre, vec3s outward, vec3s origin,
                                           scalar reach) {
    const scalar height = glms_vec3_dot(outward, glms_vec3_sub(centre, origin));
    return sphere_point(centre, radius, glms_vec3_negate(outward), height - radius, reach);
}

SHARED manifold_points sphere_half_space_points(scalar radius, vec3s centre, body_pose plane, scalar reach) {
    const vec3s outward = rotate(plane.rotation, vec3_of(0, 0, 1));
    return sphere_plane_points(radius, centre, outward, plane.position, reach);
}

/* Contact with a triangle, which is two-sided. */
SHARED manifold_points sphere_triangle_points(scalar radius, vec3s centre, vec3s size, body_pose triangle,
                                              scalar reach) {
    const vec3s own = rotate_inverse(triangle.rotation, glms_vec3_sub(centre, triangle.position));
    const vec3s on = triangle_nearest(size, own), between = glms_vec3_sub(on, own);
    const scalar distance = glms_vec3_norm(between);
    const int over = on.x == own.x && on.y == own.y;
    if (!(distance - radius <= reach)) return manifold_points_none();
    const vec3s towards = over || !(distance > FLT_MIN) ? vec3_of(0, 0, own.z < 0 ? 1 : -1)
                                                        : glms_vec3_scale(between, 1 / distance);
    return sphere_point(centre, radius, rotate(triangle.rotation, towards), distance - radius, reach);
}

#endif
