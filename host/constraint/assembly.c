#include "assembly.h"

#include "collide/bounds.h"

scalar assembly_fastest(const body_array *bodies, const material_table *materials) {
    scalar fastest = 0;
    if (!material_bounces(materials)) return fastest;
    for (int slot = 0; slot < bodies->count; ++slot) {
        if (bodies->types[slot] == SLOT_FREE) continue;
        const scalar radius = bounds_turning_radius(bodies->shapes[slot]),
                     turning = isinf(radius) ? 0 : radius * glms_vec3_norm(bodies->velocities[slot].angular);
        fastest = scalar_max(fastest, glms_vec3_norm(bodies->velocities[slot].linear) + turning);
    }
    return fastest;
}
