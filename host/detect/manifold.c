#include "manifold.h"

#include "box_contact.h"
#include "convex_contact.h"
#include "kinds.h"
#include "sphere_contact.h"

/* Returns the contact points with gap ≤ reach of two shapes, of which the second one's kind is not before the
 * first's. */
typedef manifold shape_contact(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                               scalar reach);

/* For pairs that do not meet: neither can be dynamic, or one collides by its children. */
static manifold never(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                      scalar reach) {
    (void)shape_a;
    (void)pose_a;
    (void)shape_b;
    (void)pose_b;
    (void)reach;
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

manifold manifold_of(scree_shape shape_a, body_pose pose_a, scree_shape shape_b, body_pose pose_b,
                     scalar reach) {
    if (shape_a.kind <= shape_b.kind)
        return contacts[shape_b.kind][shape_a.kind](shape_a, pose_a, shape_b, pose_b, reach);
    manifold found = contacts[shape_a.kind][shape_b.kind](shape_b, pose_b, shape_a, pose_a, reach);
    found.normal = glms_vec3_negate(found.normal);
    return found;
}
