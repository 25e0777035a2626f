/* Where a contact acts on its bodies. */
#ifndef SCREE_CONSTRAINT_ARM_H
#define SCREE_CONSTRAINT_ARM_H

#include "collide/shape.h"
#include "world/bodies.h"

/* From a body's centre to the contact point. A sphere's is r n for any gap and at any time of impact, so that
 * normal forces never turn it. `outward`: the normal away from the body. */
static inline vec3s arm_of(const body_array *bodies, int slot, vec3s point, vec3s outward) {
    const scree_shape shape = bodies->shapes[slot];
    if (shape_is_ball(shape)) return glms_vec3_scale(outward, shape.size.x);
    return glms_vec3_sub(point, bodies->poses[slot].position);
}

#endif
