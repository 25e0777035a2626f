/* Points of application of constraints, and the length scale of angular rows. */
#pragma once

#include "detect/contacts.h"
#include "detect/child_contacts.h"
#include "state/bodies.h"

/* Returns the velocity of a body's point at an arm from its centre, m/s. */
static inline vec3s velocity_at(body_velocity body, vec3s arm) {
    return glms_vec3_add(body.linear, glms_vec3_cross(body.angular, arm));
}

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

/* Returns the length that makes angular rows comparable with linear ones, m: the radius of gyration s of the
 * two bodies, s² = Σ 3/m / Σ trace(I⁻¹). A torque impulse s r then turns them as readily as r moves them:
 * trace(s² Σ I⁻¹) = trace(Σ 1/m). It depends on the bodies alone, so it is constant for a pair. */
static inline scalar angular_length(const body_array *bodies, int a, int b) {
    const int ends[2] = {a, b};
    scalar linear = 0, angular = 0;
    for (int side = 0; side < 2; side++) {
        if (ends[side] >= bodies->count) continue; /* the ground */
        const body_mass mass = bodies->masses[ends[side]];
        if (!(mass.mass > 0)) continue;
        linear += 3 / mass.mass;
        angular += 1 / mass.inertia.x + 1 / mass.inertia.y + 1 / mass.inertia.z;
    }
    return angular > 0 ? scalar_sqrt(linear / angular) : 1;
}
