#include "sphere_contact.h"

#include <float.h>

#include "base/vector.h"
#include "rotation.h"
#include "triangle.h"

/* A sphere touches in one point at most, so that its feature is always the same and its impulse stays with it
 * while it rolls over faces, edges and corners. The point is midway between the surfaces: half the gap beyond
 * the sphere's. */
static manifold one_point(vec3s centre, scalar radius, vec3s normal, scalar gap, scalar reach) {
    if (!(gap <= reach)) return (manifold){0};
    const vec3s position = glms_vec3_add(centre, glms_vec3_scale(normal, radius + gap / 2));
    return (manifold){.count = 1, .normal = normal, .points = {{position, gap, 0}}};
}

manifold sphere_sphere(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                       scalar reach) {
    const vec3s between = glms_vec3_sub(pose_b.position, pose_a.position);
    const scalar radii = shape_a.size.x + shape_b.size.x;
    const scalar square = glms_vec3_norm2(between);
    if (square > (radii + reach) * (radii + reach)) return (manifold){0};
    const scalar distance = scalar_sqrt(square);
    const vec3s normal = square > FLT_MIN ? glms_vec3_scale(between, 1 / distance) : vec3_of(0, 0, 1);
    return one_point(pose_a.position, shape_a.size.x, normal, distance - radii, reach);
}

/* Depths of a point inside of a box below its faces; the least is the way out. */
static manifold sphere_inside_box(vec3s half, vec3s local, body_pose box, vec3s centre, scalar radius,
                                  scalar reach) {
    const scalar x = half.x - scalar_abs(local.x), y = half.y - scalar_abs(local.y),
                 z = half.z - scalar_abs(local.z);
    vec3s outward;
    scalar depth;
    if (z <= x && z <= y)
        depth = z, outward = vec3_of(0, 0, local.z < 0 ? -1 : 1);
    else if (x <= y)
        depth = x, outward = vec3_of(local.x < 0 ? -1 : 1, 0, 0);
    else
        depth = y, outward = vec3_of(0, local.y < 0 ? -1 : 1, 0);
    return one_point(centre, radius, rotate(box.rotation, glms_vec3_negate(outward)), -depth - radius, reach);
}

manifold sphere_box(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                    scalar reach) {
    const scalar radius = shape_a.size.x;
    const vec3s half = vec3_of(shape_b.size.x, shape_b.size.y, shape_b.size.z);
    const vec3s between = glms_vec3_sub(pose_a.position, pose_b.position);
    const scalar far = radius + reach + half.x + half.y + half.z; /* ≥ the box's circumscribed radius */
    if (glms_vec3_norm2(between) > far * far) return (manifold){0};
    const vec3s local = rotate_inverse(pose_b.rotation, between);
    const vec3s nearest =
        vec3_of(scalar_clamp(local.x, -half.x, half.x), scalar_clamp(local.y, -half.y, half.y),
                scalar_clamp(local.z, -half.z, half.z));
    const vec3s inward = glms_vec3_sub(nearest, local);
    const scalar square = glms_vec3_norm2(inward);
    if (square > (radius + reach) * (radius + reach)) return (manifold){0};
    if (!(square > FLT_MIN)) return sphere_inside_box(half, local, pose_b, pose_a.position, radius, reach);
    const scalar distance = scalar_sqrt(square);
    const vec3s normal = rotate(pose_b.rotation, glms_vec3_scale(inward, 1 / distance));
    return one_point(pose_a.position, radius, normal, distance - radius, reach);
}

manifold sphere_half_space(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           scalar reach) {
    (void)shape_b;
    const vec3s outward = rotate(pose_b.rotation, vec3_of(0, 0, 1));
    const scalar height = glms_vec3_dot(outward, glms_vec3_sub(pose_a.position, pose_b.position));
    return one_point(pose_a.position, shape_a.size.x, glms_vec3_negate(outward), height - shape_a.size.x,
                     reach);
}

manifold sphere_triangle(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                         scalar reach) {
    const vec3s size = vec3_in(shape_b.size);
    const vec3s local = rotate_inverse(pose_b.rotation, glms_vec3_sub(pose_a.position, pose_b.position));
    const vec3s on = triangle_nearest(size, local), between = glms_vec3_sub(on, local);
    const scalar distance = glms_vec3_norm(between);
    const bool over = on.x == local.x && on.y == local.y;
    if (!(distance - shape_a.size.x <= reach)) return (manifold){0};
    const vec3s towards = over || !(distance > FLT_MIN) ? vec3_of(0, 0, local.z < 0 ? 1 : -1)
                                                        : glms_vec3_scale(between, 1 / distance);
    return one_point(pose_a.position, shape_a.size.x, rotate(pose_b.rotation, towards),
                     distance - shape_a.size.x, reach);
}
