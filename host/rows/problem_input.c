#include "problem_input.h"

#include "geometry/bounds.h"

scalar problem_input_fastest(const body_array *bodies, const material_table *materials, int threads) {
    scalar fastest = 0;
    if (!material_bounces(materials)) return fastest;
    (void)threads; /* unused without OpenMP */
#pragma omp parallel for schedule(static) num_threads(threads) reduction(max : fastest)
    for (int slot = 0; slot < bodies->count; slot++) {
        if (bodies->types[slot] == SLOT_FREE) continue;
        const scalar radius = bounds_turning_radius(bodies->shapes[slot]),
                     turning = isinf(radius) ? 0 : radius * glms_vec3_norm(bodies->velocities[slot].angular);
        fastest = scalar_max(fastest, glms_vec3_norm(bodies->velocities[slot].linear) + turning);
    }
    return fastest;
}
