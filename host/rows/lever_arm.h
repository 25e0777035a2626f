/* Points of application of constraints, and the length scale of angular rows. */
#pragma once

#include "detect/contacts.h"
#include "detect/child_contacts.h"
#include "state/bodies.h"

#include "contact_block.h"

/* Returns the arm from the centre of a contact's first or second body to a contact point, m, in world axes.
 * For a rotating compound a contact of a detection pass gives the point where the child will be; it is used
 * unchanged. */
static inline vec3s arm_of(const body_array *bodies, const contact_pair *pair, bool second, vec3s point) {
    const contact_manifold *of = &pair->manifold;
    const int slot = second ? of->b : of->a;
    scree_shape scratch;
    const scree_shape *shape = body_collision_shape_at(bodies, slot, &scratch);
    const vec3s outward = second ? glms_vec3_negate(of->normal) : of->normal;
    if (shape_is_ball(*shape)) return glms_vec3_scale(outward, shape->size.x);
    const body_pose pose = body_image_pose(bodies, slot, second ? of->image : 0);
    if (!shape_has_children(*shape) || (pair->predicted && bounds_turning_radius(*shape) > 0))
        return glms_vec3_sub(point, pose.position);
    const child_numbers parts = children_of(body_collision_shape(bodies, of->b), of->children);
    return children_arm(*shape, pose, second ? parts.b : parts.a, point, outward);
}

/* Returns the length of angular rows between two bodies (angular_length_of), of which one may be the ground.
 */
static inline scalar angular_length(const body_array *bodies, int a, int b) {
    const body_mass none = {.mass = 0};
    return angular_length_of(a < bodies->count ? bodies->masses[a] : none,
                             b < bodies->count ? bodies->masses[b] : none);
}
