#include "manifold.h"

#include "base/vector.h"
#include "body_bounds.h"
#include "box_points.h"
#include "convex_pair.h"
#include "geometry/geometry.h"
#include "geometry/shape.h"
#include "kinds.h"
#include "sphere_points.h"

/* A shape of a pair. */
typedef struct placed_shape {
    scree_shape shape;
    body_pose pose;
} placed_shape;

/* Returns the points with gap ≤ reach of two shapes, of which the second one's kind is not before the
 * first's, with the normal from the first to the second. */
typedef manifold shape_contact(const placed_shape *a, const placed_shape *b, scalar reach);

static manifold sphere_sphere(const placed_shape *a, const placed_shape *b, scalar reach) {
    return manifold_from(
        sphere_sphere_points(a->shape.size.x, a->pose.position, b->shape.size.x, b->pose.position, reach));
}

static manifold sphere_box(const placed_shape *a, const placed_shape *b, scalar reach) {
    return manifold_from(
        sphere_box_points(a->shape.size.x, a->pose.position, vec3_in(b->shape.size), b->pose, reach));
}

static manifold sphere_half_space(const placed_shape *a, const placed_shape *b, scalar reach) {
    return manifold_from(sphere_half_space_points(a->shape.size.x, a->pose.position, b->pose, reach));
}

static manifold sphere_triangle(const placed_shape *a, const placed_shape *b, scalar reach) {
    return manifold_from(
        sphere_triangle_points(a->shape.size.x, a->pose.position, vec3_in(b->shape.size), b->pose, reach));
}

static manifold box_half_space(const placed_shape *a, const placed_shape *b, scalar reach) {
    return manifold_from(box_half_space_points(vec3_in(a->shape.size), a->pose, b->pose, reach));
}

static manifold box_box(const placed_shape *a, const placed_shape *b, scalar reach) {
    return manifold_from(
        box_box_points(vec3_in(a->shape.size), a->pose, vec3_in(b->shape.size), b->pose, reach));
}

/* Coordinates from the first body's centre keep their precision far from the world's origin. */
static convex_body body_of(const placed_shape *of, vec3s origin) {
    const scree_vec3 size = of->shape.size;
    const vec3s at = of->pose.position;
    const versors q = of->pose.rotation;
    return (convex_body){.kind = (int)of->shape.kind,
                         .size = {size.x, size.y, size.z},
                         .hull = geometry_hull(of->shape),
                         .width = bounds_half_width(of->shape),
                         .centre = {(double)at.x - (double)origin.x, (double)at.y - (double)origin.y,
                                    (double)at.z - (double)origin.z},
                         .rotation = {q.x, q.y, q.z, q.w}};
}

static vec3s vec3_from(const double v[3]) { return vec3_of((scalar)v[0], (scalar)v[1], (scalar)v[2]); }

/* Finds the contact of two convex bodies, or of one and the half-space of another (convex_pair.h). */
static manifold convex_by(convex_function *find, const placed_shape *a, const placed_shape *b, scalar reach) {
    const vec3s origin = a->pose.position;
    const convex_body body_a = body_of(a, origin), body_b = body_of(b, origin);
    convex_points points;
    find(&body_a, &body_b, (double)reach, &points);
    manifold found = {.count = points.count, .mean = points.mean, .normal = vec3_from(points.normal)};
    for (int i = 0; i < points.count; i++)
        found.points[i] =
            (manifold_point){vec3_from(points.position[i]), (scalar)points.gap[i], points.feature[i]};
    manifold_move(&found, origin);
    return found;
}

static manifold convex_convex(const placed_shape *a, const placed_shape *b, scalar reach) {
    return convex_by(convex_pair_find, a, b, reach);
}

/* The half-space comes first, by the order of kinds. */
static manifold half_space_convex(const placed_shape *a, const placed_shape *b, scalar reach) {
    manifold found = convex_by(convex_plane_find, b, a, reach);
    found.normal = glms_vec3_negate(found.normal);
    return found;
}

/* For pairs that do not meet: neither can be dynamic, or one collides by its children. */
static manifold never(const placed_shape *a, const placed_shape *b, scalar reach) {
    (void)a, (void)b, (void)reach;
    return (manifold){0};
}

/* Defines the contact functions of a kind with each kind up to itself, in the order of kinds.h. */
#define CONTACTS(KIND, name, ...)                                                                            \
    static shape_contact *const contacts_of_##name[] = {__VA_ARGS__};                                        \
    _Static_assert(sizeof contacts_of_##name / sizeof *contacts_of_##name == SHAPE_##KIND + 1,               \
                   "one contact function for each kind up to this one")
CONTACTS(SPHERE, sphere, sphere_sphere);
CONTACTS(BOX, box, sphere_box, box_box);
CONTACTS(HALF_SPACE, half_space, sphere_half_space, box_half_space, never);
CONTACTS(CAPSULE, capsule, convex_convex, convex_convex, half_space_convex, convex_convex);
CONTACTS(CYLINDER, cylinder, convex_convex, convex_convex, half_space_convex, convex_convex, convex_convex);
CONTACTS(CONE, cone, convex_convex, convex_convex, half_space_convex, convex_convex, convex_convex,
         convex_convex);
CONTACTS(ELLIPSOID, ellipsoid, convex_convex, convex_convex, half_space_convex, convex_convex, convex_convex,
         convex_convex, convex_convex);
CONTACTS(TRIANGLE, triangle, sphere_triangle, convex_convex, never, convex_convex, convex_convex,
         convex_convex, convex_convex, never, never);
CONTACTS(HULL, hull, convex_convex, convex_convex, half_space_convex, convex_convex, convex_convex,
         convex_convex, convex_convex, never, convex_convex, never, convex_convex);

/* By the later kind of a pair. NULL: it collides by its children (geometry/children.h). */
static shape_contact *const *const contacts[SCREE_SHAPE_COUNT] = {
    [SCREE_SHAPE_SPHERE] = contacts_of_sphere,
    [SCREE_SHAPE_BOX] = contacts_of_box,
    [SCREE_SHAPE_HALF_SPACE] = contacts_of_half_space,
    [SCREE_SHAPE_CAPSULE] = contacts_of_capsule,
    [SCREE_SHAPE_CYLINDER] = contacts_of_cylinder,
    [SCREE_SHAPE_CONE] = contacts_of_cone,
    [SCREE_SHAPE_ELLIPSOID] = contacts_of_ellipsoid,
    [SCREE_SHAPE_TRIANGLE] = contacts_of_triangle,
    [SCREE_SHAPE_HULL] = contacts_of_hull};

/* Applies a contact function to two shapes in the order of their kinds. */
static manifold in_order(shape_contact *find, const placed_shape *a, const placed_shape *b, scalar reach) {
    if (a->shape.kind <= b->shape.kind) return find(a, b, reach);
    manifold found = find(b, a, reach);
    found.normal = glms_vec3_negate(found.normal);
    return found;
}

static shape_contact *contact_between(scree_shape_kind a, scree_shape_kind b) {
    return a <= b ? contacts[b][a] : contacts[a][b];
}

manifold manifold_of(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                     scalar reach) {
    const placed_shape a = {shape_a, pose_a}, b = {shape_b, pose_b};
    return in_order(contact_between(shape_a.kind, shape_b.kind), &a, &b, reach);
}

static manifold box_box_levelled(const placed_shape *a, const placed_shape *b, scalar reach) {
    return manifold_from(
        box_box_found(vec3_in(a->shape.size), a->pose, vec3_in(b->shape.size), b->pose, reach, 1));
}

static manifold polyhedra_levelled(const placed_shape *a, const placed_shape *b, scalar reach) {
    return convex_by(convex_pair_find_levelled, a, b, reach);
}

manifold manifold_levelled(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                           scalar reach) {
    const placed_shape a = {shape_a, pose_a}, b = {shape_b, pose_b};
    shape_contact *find = contact_between(shape_a.kind, shape_b.kind);
    const bool boxes = shape_a.kind == SCREE_SHAPE_BOX || shape_b.kind == SCREE_SHAPE_BOX,
               hulls = shape_a.kind == SCREE_SHAPE_HULL || shape_b.kind == SCREE_SHAPE_HULL;
    if (find == box_box) find = box_box_levelled;
    if (hulls && (boxes || shape_a.kind == shape_b.kind)) find = polyhedra_levelled;
    return in_order(find, &a, &b, reach);
}

shape_gap shape_gap_of(scree_shape shape_a, body_pose pose_a, vec3s moved, scree_shape shape_b,
                       body_pose pose_b) {
    const placed_shape a = {shape_a, pose_a}, b = {shape_b, pose_b};
    const vec3s origin = pose_a.position;
    convex_body body_a = body_of(&a, origin);
    const convex_body body_b = body_of(&b, origin);
    body_a.centre[0] += (double)moved.x;
    body_a.centre[1] += (double)moved.y;
    body_a.centre[2] += (double)moved.z;
    convex_distance found;
    (shape_is_plane(shape_b) ? convex_plane_separate : convex_pair_separate)(&body_a, &body_b, &found);
    return (shape_gap){.gap = (scalar)found.gap,
                       .normal = vec3_from(found.normal),
                       .on_a = glms_vec3_add(origin, vec3_from(found.on_a)),
                       .on_b = glms_vec3_add(origin, vec3_from(found.on_b))};
}
