/* Where a constraint acts on its bodies, and by what length its angular rows are measured. */
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

/* The length that makes angular rows comparable with linear ones: the radius of gyration of the two bodies,
 * s² = Σ 3/m / Σ trace(I⁻¹), with which a torque impulse s r turns them as readily as r moves them: trace(s²
 * Σ I⁻¹) = trace(Σ 1/m). It depends on the bodies alone, so that a pair keeps it. */
static inline scalar angular_length(const body_array *bodies, int a, int b) {
    const int ends[2] = {a, b};
    scalar linear = 0, angular = 0;
    for (int side = 0; side < 2; ++side) {
        if (ends[side] >= bodies->count) continue; /* the ground */
        const body_mass mass = bodies->masses[ends[side]];
        if (!(mass.mass > 0)) continue;
        linear += 3 / mass.mass;
        angular += 1 / mass.inertia.x + 1 / mass.inertia.y + 1 / mass.inertia.z;
    }
    return angular > 0 ? scalar_sqrt(linear / angular) : 1;
}

#endif
