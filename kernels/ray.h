/* Rays against every kind of shape, and shading: render.cl draws snapshots with them.
 *
 * All lengths are in metres relative to the point that the camera looks at, so that a bead of a millimetre is
 * as sharp at a hundred metres from the origin as at the origin. Colours are linear light, 0 … 1 per channel.
 */
#ifndef SCREE_KERNELS_RAY_H
#define SCREE_KERNELS_RAY_H

#include "kinds.h"
#include "rotation.h"

/* Distance of a miss. */
#define RAY_FAR 1e30f

/* Maximum depth of the tree of bodies. */
#define RAY_DEPTH 128

/* A body to be drawn. */
typedef struct ray_body {
    vec3s position;
    int kind; /* shape_kind */
    versors rotation;
    vec3s size;   /* as in scree_shape, m */
    scalar gloss; /* strength of the highlight */
    vec3s colour;
    int reserved;
} ray_body;

/* A node of the tree over the bodies, which are stored in the tree's order (geometry/tree.h): its box; child
 * > 0: the first of two adjacent children; child ≤ 0: a leaf with the −child bodies before `end`. */
typedef struct ray_node {
    vec3s lower;
    int child;
    vec3s upper;
    int end;
} ray_node;

/* A half-space: a point of its surface, and the rotation from z to the outward normal. */
typedef struct ray_plane {
    vec3s position;
    scalar reserved;
    versors rotation;
} ray_plane;

/* Camera, light and sizes of one picture. A pixel's ray has the direction forward + x right + y up, x and y
 * in −1 … 1. */
typedef struct ray_view {
    vec3s eye;
    scalar pixel; /* angle of a pixel, rad */
    vec3s forward;
    scalar spread; /* tangent of the light's half angle: softness of shadows */
    vec3s right;
    scalar tile; /* side of the ground's squares, m */
    vec3s up;
    scalar fade;  /* distance at which the ground fades into the background, m */
    vec3s light;  /* unit, towards the light */
    scalar reach; /* distance within which neighbours darken each other, m */
    int width, height;
    int samples;    /* rays per pixel along each axis */
    int node_count; /* 0: no bodies */
    int plane_count, outline_count;
    int reserved[2];
} ray_view;

STATIC_ASSERT(sizeof(ray_body) == 64, "ray_body");
STATIC_ASSERT(sizeof(ray_node) == 32, "ray_node");
STATIC_ASSERT(sizeof(ray_plane) == 32, "ray_plane");
STATIC_ASSERT(sizeof(ray_view) == 112, "ray_view");

/* Part of a ray inside a box: distances of entry and exit, and the body axes of the two faces. Miss: enter =
 * RAY_FAR. */
typedef struct ray_span {
    scalar enter, leave;
    int enter_axis, leave_axis;
} ray_span;

SHARED vec3s ray_point(vec3s origin, vec3s direction, scalar distance) {
    return glms_vec3_add(origin, glms_vec3_scale(direction, distance));
}

SHARED vec3s ray_normalised(vec3s v) { return glms_vec3_scale(v, 1 / glms_vec3_norm(v)); }

SHARED vec3s vec3_axis(int axis, scalar length) {
    return vec3_of(axis == 0 ? length : 0, axis == 1 ? length : 0, axis == 2 ? length : 0);
}

SHARED vec3s vec3_mix(vec3s a, vec3s b, scalar share) {
    return glms_vec3_add(glms_vec3_scale(a, 1 - share), glms_vec3_scale(b, share));
}

/* Returns the distance along the unit `direction` at which a ray enters a sphere. With f from centre to
 * origin, b = −f·d is the distance of the ray's point nearest to the centre, which is l = f + b d from it, so
 * the entry is at b − √(r² − l²). Using l² instead of f² − b² keeps the digits for a distant, small sphere
 * (Haines, Günther and Akenine-Möller, Precision improvements for ray/sphere intersection, Ray Tracing Gems,
 * 2019). */
SHARED scalar ray_sphere(vec3s origin, vec3s direction, vec3s centre, scalar radius) {
    const vec3s f = glms_vec3_sub(origin, centre);
    const scalar b = -glms_vec3_dot(f, direction);
    const vec3s l = ray_point(f, direction, b);
    const scalar rest = radius * radius - glms_vec3_norm2(l);
    if (rest < 0) return RAY_FAR;
    const scalar distance = b - scalar_sqrt(rest);
    return distance > 0 ? distance : RAY_FAR;
}

/* Returns 1/d with zero replaced by a tiny value: the slabs need no special case, and 0/0 cannot occur. */
SHARED scalar ray_inverse(scalar d) { return 1 / (scalar_abs(d) > 1e-18f ? d : d < 0 ? -1e-18f : 1e-18f); }

/* Returns entry and exit of a ray through a box in the box's own coordinates: between the last of the three
 * slabs that it enters and the first that it leaves (Kay and Kajiya 1986). */
SHARED ray_span ray_slabs(vec3s origin, vec3s direction, vec3s extents) {
    ray_span span;
    span.enter = -RAY_FAR, span.leave = RAY_FAR, span.enter_axis = 0, span.leave_axis = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const scalar inverse = ray_inverse(vec3_along(direction, axis));
        const scalar middle = -vec3_along(origin, axis) * inverse;
        const scalar spread = vec3_along(extents, axis) * scalar_abs(inverse);
        if (middle - spread > span.enter) span.enter = middle - spread, span.enter_axis = axis;
        if (middle + spread < span.leave) span.leave = middle + spread, span.leave_axis = axis;
    }
    if (span.enter > span.leave || span.leave <= 0) span.enter = RAY_FAR;
    return span;
}

/* Returns the distance at which a ray enters an oriented box; RAY_FAR from inside it. */
SHARED scalar ray_box(vec3s origin, vec3s direction, vec3s position, versors rotation, vec3s extents) {
    const vec3s from = rotate_inverse(rotation, glms_vec3_sub(origin, position));
    const ray_span span = ray_slabs(from, rotate_inverse(rotation, direction), extents);
    return span.enter > 0 ? span.enter : RAY_FAR;
}

/* Returns the distance at which a ray enters the half-space below the plane through `point` with the outward
 * unit `normal`; RAY_FAR from inside. */
SHARED scalar ray_half_space(vec3s origin, vec3s direction, vec3s point, vec3s normal) {
    const scalar height = glms_vec3_dot(glms_vec3_sub(origin, point), normal);
    const scalar descent = -glms_vec3_dot(direction, normal);
    if (height <= 0 || descent <= height / RAY_FAR) return RAY_FAR;
    return height / descent;
}

/* Returns the distance at which a ray enters an axis-aligned box, 0 from inside it, RAY_FAR if it misses or
 * enters beyond `limit`. The exit is enlarged by a few roundings, so that no ray slips between two touching
 * boxes (Ize, Robust BVH ray traversal, 2013). */
SHARED scalar ray_bounds(vec3s origin, vec3s inverse, vec3s lower, vec3s upper, scalar limit) {
    const vec3s a = glms_vec3_mul(glms_vec3_sub(lower, origin), inverse);
    const vec3s b = glms_vec3_mul(glms_vec3_sub(upper, origin), inverse);
    const scalar enter = scalar_max(scalar_max(scalar_min(a.x, b.x), scalar_min(a.y, b.y)),
                                    scalar_max(scalar_min(a.z, b.z), 0));
    const scalar leave = scalar_min(scalar_min(scalar_max(a.x, b.x), scalar_max(a.y, b.y)),
                                    scalar_min(scalar_max(a.z, b.z), limit));
    return enter <= leave * 1.000001f ? enter : RAY_FAR;
}

/* NAME_distance: distance at which a ray enters the shape, RAY_FAR if it misses or begins inside.
 * NAME_normal: outward unit normal at that distance. */
SHARED scalar sphere_distance(vec3s origin, vec3s direction, ray_body body) {
    return ray_sphere(origin, direction, body.position, body.size.x);
}

SHARED vec3s sphere_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    return ray_normalised(glms_vec3_sub(ray_point(origin, direction, distance), body.position));
}

SHARED scalar box_distance(vec3s origin, vec3s direction, ray_body body) {
    return ray_box(origin, direction, body.position, body.rotation, body.size);
}

SHARED vec3s box_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    (void)distance;
    const vec3s from = rotate_inverse(body.rotation, glms_vec3_sub(origin, body.position));
    const vec3s along = rotate_inverse(body.rotation, direction);
    const int axis = ray_slabs(from, along, body.size).enter_axis;
    return rotate(body.rotation, vec3_axis(axis, vec3_along(along, axis) > 0 ? -1 : 1));
}

SHARED vec3s half_space_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    (void)origin, (void)direction, (void)distance;
    return rotate(body.rotation, vec3_of(0, 0, 1));
}

SHARED scalar half_space_distance(vec3s origin, vec3s direction, ray_body body) {
    return ray_half_space(origin, direction, body.position, half_space_normal(origin, direction, 0, body));
}

/* A ray in a body's own axes, starting at its point nearest to the centre, at distance `before` from the eye.
 * As in ray_sphere, distant small bodies keep their digits. Roots in front of that point are negative
 * distances. */
typedef struct ray_own {
    vec3s origin, direction;
    scalar before;
} ray_own;

SHARED ray_own ray_own_of(vec3s origin, vec3s direction, ray_body body) {
    const vec3s from = glms_vec3_sub(origin, body.position);
    ray_own own;
    own.before = -glms_vec3_dot(from, direction);
    own.origin = rotate_inverse(body.rotation, ray_point(from, direction, own.before));
    own.direction = rotate_inverse(body.rotation, direction);
    return own;
}

/* Returns the entry into a convex body made of several surfaces: the first of theirs, if the ray begins
 * outside. */
SHARED scalar ray_entered(ray_own own, scalar root) {
    const scalar distance = own.before + root;
    return root < RAY_FAR && distance > 0 ? distance : RAY_FAR;
}

SHARED vec3s ray_own_hit(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    return rotate_inverse(body.rotation,
                          glms_vec3_sub(ray_point(origin, direction, distance), body.position));
}

/* Roots of a t² + 2 b t + c = 0 without cancellation. Missing roots are NaN or infinite, which fail every
 * range test. */
typedef struct ray_roots {
    scalar first, second;
    int any;
} ray_roots;

SHARED ray_roots ray_roots_of(scalar a, scalar b, scalar c) {
    const scalar square = b * b - a * c;
    ray_roots roots;
    roots.first = roots.second = RAY_FAR, roots.any = square >= 0;
    if (!roots.any) return roots;
    const scalar q = -(b + (b < 0 ? -scalar_sqrt(square) : scalar_sqrt(square)));
    roots.first = q / a, roots.second = c / q;
    return roots;
}

/* Returns the smaller of `best` and `root`, if the height at `root` is between the bounds; else `best`. */
SHARED scalar ray_within(scalar best, ray_own own, scalar root, scalar low, scalar high) {
    const scalar z = own.origin.z + root * own.direction.z;
    return z >= low && z <= high && root < best ? root : best;
}

/* Returns the dot product of the components across z. */
SHARED scalar ray_across(vec3s a, vec3s b) { return a.x * b.x + a.y * b.y; }

/* Returns the entry into a ball about a point of the z axis. */
SHARED scalar ray_ball(ray_own own, scalar z, scalar radius) {
    const vec3s from = vec3_of(own.origin.x, own.origin.y, own.origin.z - z);
    const scalar b = -glms_vec3_dot(from, own.direction);
    const scalar rest = radius * radius - glms_vec3_norm2(ray_point(from, own.direction, b));
    return rest < 0 ? RAY_FAR : b - scalar_sqrt(rest);
}

SHARED scalar capsule_distance(vec3s origin, vec3s direction, ray_body body) {
    const ray_own own = ray_own_of(origin, direction, body);
    const scalar radius = body.size.x, end = body.size.y;
    const ray_roots side =
        ray_roots_of(ray_across(own.direction, own.direction), ray_across(own.origin, own.direction),
                     ray_across(own.origin, own.origin) - radius * radius);
    scalar root = scalar_min(ray_ball(own, end, radius), ray_ball(own, -end, radius));
    if (side.any) root = ray_within(root, own, side.first, -end, end);
    if (side.any) root = ray_within(root, own, side.second, -end, end);
    return ray_entered(own, root);
}

SHARED vec3s capsule_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    const vec3s hit = ray_own_hit(origin, direction, distance, body);
    const scalar beyond = hit.z - scalar_clamp(hit.z, -body.size.y, body.size.y);
    return rotate(body.rotation, ray_normalised(vec3_of(hit.x, hit.y, beyond)));
}

/* Returns the smaller of `best` and the root at which a ray meets a disc of the radius, across z at a height.
 */
SHARED scalar ray_disc(scalar best, ray_own own, scalar z, scalar radius) {
    const scalar root = (z - own.origin.z) * ray_inverse(own.direction.z);
    const vec3s at = ray_point(own.origin, own.direction, root);
    return ray_across(at, at) <= radius * radius && root < best ? root : best;
}

SHARED scalar cylinder_distance(vec3s origin, vec3s direction, ray_body body) {
    const ray_own own = ray_own_of(origin, direction, body);
    const scalar radius = body.size.x, end = body.size.y;
    const ray_roots side =
        ray_roots_of(ray_across(own.direction, own.direction), ray_across(own.origin, own.direction),
                     ray_across(own.origin, own.origin) - radius * radius);
    scalar root = ray_disc(ray_disc(RAY_FAR, own, end, radius), own, -end, radius);
    if (side.any) root = ray_within(root, own, side.first, -end, end);
    if (side.any) root = ray_within(root, own, side.second, -end, end);
    return ray_entered(own, root);
}

SHARED vec3s cylinder_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    const vec3s hit = ray_own_hit(origin, direction, distance, body);
    const scalar across = scalar_sqrt(ray_across(hit, hit));
    const int cap = body.size.y - scalar_abs(hit.z) < body.size.x - across;
    const vec3s side = vec3_of(hit.x, hit.y, 0), up = vec3_of(0, 0, hit.z < 0 ? -1 : 1);
    return rotate(body.rotation, cap || !(across > 0) ? up : ray_normalised(side));
}

/* Surface: x² + y² = k² (t − z)² with the tip at t and k = r/h. */
SHARED scalar cone_distance(vec3s origin, vec3s direction, ray_body body) {
    const ray_own own = ray_own_of(origin, direction, body);
    const scalar base = -body.size.y / 4, tip = body.size.y * 0.75f, k = body.size.x / body.size.y;
    const scalar below = tip - own.origin.z, fall = own.direction.z;
    const ray_roots side = ray_roots_of(ray_across(own.direction, own.direction) - k * k * fall * fall,
                                        ray_across(own.origin, own.direction) + k * k * below * fall,
                                        ray_across(own.origin, own.origin) - k * k * below * below);
    scalar root = ray_disc(RAY_FAR, own, base, body.size.x);
    if (side.any) root = ray_within(root, own, side.first, base, tip);
    if (side.any) root = ray_within(root, own, side.second, base, tip);
    return ray_entered(own, root);
}

SHARED vec3s cone_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    const vec3s hit = ray_own_hit(origin, direction, distance, body);
    const scalar across = scalar_sqrt(ray_across(hit, hit)), radius = body.size.x, height = body.size.y;
    const scalar slant = scalar_sqrt(radius * radius + height * height);
    const scalar inside = (radius * (0.75f * height - hit.z) - height * across) / slant;
    vec3s normal = vec3_of(0, 0, -1);
    if (!(hit.z + height / 4 < inside))
        normal = across > 0 ? vec3_of(hit.x * height / (across * slant), hit.y * height / (across * slant),
                                      radius / slant)
                            : vec3_of(0, 0, 1);
    return rotate(body.rotation, normal);
}

/* The unit sphere in coordinates divided by the semi-axes. */
SHARED scalar ellipsoid_distance(vec3s origin, vec3s direction, ray_body body) {
    const ray_own own = ray_own_of(origin, direction, body);
    const vec3s inverse = vec3_of(1 / body.size.x, 1 / body.size.y, 1 / body.size.z);
    const vec3s from = glms_vec3_mul(own.origin, inverse), along = glms_vec3_mul(own.direction, inverse);
    const scalar square = glms_vec3_norm2(along), middle = -glms_vec3_dot(from, along) / square;
    const scalar rest = 1 - glms_vec3_norm2(ray_point(from, along, middle));
    return ray_entered(own, rest < 0 ? RAY_FAR : middle - scalar_sqrt(rest / square));
}

SHARED vec3s ellipsoid_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    const vec3s hit = ray_own_hit(origin, direction, distance, body);
    const vec3s inverse = vec3_of(1 / body.size.x, 1 / body.size.y, 1 / body.size.z);
    return rotate(body.rotation, ray_normalised(glms_vec3_mul(glms_vec3_mul(hit, inverse), inverse)));
}

/* Both sides of a triangle with corners at 0, (x, 0, 0) and (y, z, 0) in the body's axes are hit. */
CALLED scalar triangle_distance(vec3s origin, vec3s direction, ray_body body) {
    const vec3s from = rotate_inverse(body.rotation, glms_vec3_sub(origin, body.position));
    const vec3s along = rotate_inverse(body.rotation, direction);
    if (!(scalar_abs(along.z) > 1e-12f)) return RAY_FAR;
    const scalar distance = -from.z / along.z;
    if (!(distance > 0)) return RAY_FAR;
    const vec3s at = ray_point(from, along, distance);
    const scalar second = at.y / body.size.z, first = (at.x - second * body.size.y) / body.size.x;
    const scalar slack = 1e-6f; /* no ray slips between two triangles */
    return first >= -slack && second >= -slack && first + second <= 1 + slack ? distance : RAY_FAR;
}

CALLED vec3s triangle_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    const vec3s up = rotate(body.rotation, vec3_of(0, 0, 1));
    (void)origin, (void)distance;
    return glms_vec3_dot(up, direction) > 0 ? glms_vec3_negate(up) : up;
}

/* Unused: a mesh is drawn by its triangles. */
SHARED scalar mesh_distance(vec3s origin, vec3s direction, ray_body body) {
    (void)origin, (void)direction, (void)body;
    return RAY_FAR;
}

SHARED vec3s mesh_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    (void)origin, (void)direction, (void)distance, (void)body;
    return vec3_of(0, 0, 1);
}

/* Unused: hulls and solids are drawn by their triangles. */
SHARED scalar hull_distance(vec3s origin, vec3s direction, ray_body body) {
    return mesh_distance(origin, direction, body);
}

SHARED vec3s hull_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    return mesh_normal(origin, direction, distance, body);
}

SHARED scalar solid_distance(vec3s origin, vec3s direction, ray_body body) {
    return mesh_distance(origin, direction, body);
}

SHARED vec3s solid_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    return mesh_normal(origin, direction, distance, body);
}

/* Unused: a clump is drawn by its spheres. */
SHARED scalar clump_distance(vec3s origin, vec3s direction, ray_body body) {
    (void)origin, (void)direction, (void)body;
    return RAY_FAR;
}

SHARED vec3s clump_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    (void)origin, (void)direction, (void)distance, (void)body;
    return vec3_of(0, 0, 1);
}

/* Unused: a compound is drawn by its children. */
SHARED scalar compound_distance(vec3s origin, vec3s direction, ray_body body) {
    return clump_distance(origin, direction, body);
}

SHARED vec3s compound_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
    return clump_normal(origin, direction, distance, body);
}

/* Returns the distance at which a ray enters a body. */
SHARED scalar ray_body_distance(vec3s origin, vec3s direction, ray_body body) {
#define ROW(KIND, name)                                                                                      \
    if (body.kind == SHAPE_##KIND) return name##_distance(origin, direction, body);
    SHAPE_KINDS(ROW)
#undef ROW
    return RAY_FAR;
}

/* Returns the outward unit normal of a body at the point where a ray enters it. */
CALLED vec3s ray_body_normal(vec3s origin, vec3s direction, scalar distance, ray_body body) {
#define ROW(KIND, name)                                                                                      \
    if (body.kind == SHAPE_##KIND) return name##_normal(origin, direction, distance, body);
    SHAPE_KINDS(ROW)
#undef ROW
    return vec3_of(0, 0, 1);
}

/* Returns whether a point of a box's face (in the box's coordinates) is within `width` of one of the face's
 * edges. */
SHARED int ray_near_edge(vec3s point, vec3s extents, int axis, scalar width) {
    for (int other = 0; other < 3; ++other)
        if (other != axis && vec3_along(extents, other) - scalar_abs(vec3_along(point, other)) < width)
            return 1;
    return 0;
}

/* Returns the distance at which a ray enters a box within half a pixel of one of its edges, else RAY_FAR.
 * Edges on the far side are not drawn: the two rims of a thin wall would clutter the picture. */
SHARED scalar ray_outline(vec3s origin, vec3s direction, ray_body body, scalar pixel) {
    const vec3s from = rotate_inverse(body.rotation, glms_vec3_sub(origin, body.position));
    const vec3s along = rotate_inverse(body.rotation, direction);
    const ray_span span = ray_slabs(from, along, body.size);
    if (span.enter <= 0 || span.enter >= RAY_FAR) return RAY_FAR;
    const vec3s point = ray_point(from, along, span.enter);
    return ray_near_edge(point, body.size, span.enter_axis, 0.5f * span.enter * pixel) ? span.enter : RAY_FAR;
}

/* Returns the background colour: pale at the horizon, a little darker and bluer above and below. */
SHARED vec3s ray_background(vec3s direction) {
    const scalar height = scalar_min(scalar_abs(direction.z) * 2, 1);
    return vec3_mix(vec3_of(0.86f, 0.88f, 0.90f), vec3_of(0.50f, 0.60f, 0.72f), height);
}

/* Returns 1 near zero, decreasing smoothly to 0 for x ≫ 1. Rational, so that every device computes the same.
 */
SHARED scalar ray_fading(scalar x) {
    const scalar f = 1 / (1 + x * x);
    return f * f;
}

SHARED int ray_parity(scalar x, scalar y) {
    const int column = (int)x - (x < 0), row = (int)y - (y < 0);
    return (column + row) & 1;
}

/* Returns the colour of the ground at (x, y) in its own coordinates: squares of side `tile` whose contrast
 * vanishes as they become smaller than `footprint`, the length that a pixel covers. */
SHARED vec3s ray_ground(scalar x, scalar y, scalar tile, scalar footprint) {
    const scalar middle = 0.50f, contrast = 0.07f * ray_fading(2 * footprint / tile);
    if (scalar_abs(x) > 1e6f * tile || scalar_abs(y) > 1e6f * tile) return vec3_of(middle, middle, middle);
    const scalar grey = ray_parity(x / tile, y / tile) ? middle + contrast : middle - contrast;
    return vec3_of(grey, grey, grey);
}

/* Returns the light that leaves a surface towards the eye. Ambient light, stronger from above than from
 * below, and a weak lamp at the eye, which shapes shadowed parts, are both weighted by `open`. The
 * directional light (Lambert) and a small highlight (Blinn, exponent 32) are weighted by `lit`. */
SHARED vec3s ray_shade(vec3s colour, vec3s normal, vec3s direction, vec3s light, scalar lit, scalar open,
                       scalar gloss) {
    const scalar lamp = scalar_max(-glms_vec3_dot(normal, direction), 0);
    const scalar ambient = (0.20f + 0.12f * normal.z + 0.30f * lamp) * open;
    const scalar facing = scalar_max(glms_vec3_dot(normal, light), 0);
    const vec3s halfway = ray_normalised(glms_vec3_sub(light, direction));
    scalar shine = scalar_max(glms_vec3_dot(normal, halfway), 0);
    for (int doubling = 0; doubling < 5; ++doubling) shine = shine * shine;
    const scalar highlight = gloss * shine * lit;
    return glms_vec3_add(glms_vec3_scale(colour, ambient + 0.72f * facing * lit),
                         vec3_of(highlight, highlight, highlight));
}

/* Returns one channel as the byte of a picture file. The square root approximates the display's gamma of
 * about 2.2: it is exact on every device, unlike a power. */
SHARED int ray_byte(scalar light) { return (int)(255 * scalar_sqrt(scalar_clamp(light, 0, 1)) + 0.5f); }

#endif
