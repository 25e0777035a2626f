#include "gyroscopic.h"

#include "base/parallel.h"

#include "motion.h"

void gyroscopic_update(const backend *engine, const body_array *bodies, const body_pose *after,
                       scalar time_step, int threads, body_velocity *velocities) {
    vec3s (*const own)(body_pose, vec3s, body_mass, versors, scalar) = engine->verbs->spin;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(threads, bodies->count))
    for (int i = 0; i < bodies->count; i++) {
        const body_mass mass = bodies->masses[i];
        if (spins_steadily(mass)) continue;
        vec3s *spin = &velocities[i].angular;
        *spin = own ? own(bodies->poses[i], *spin, mass, after[i].rotation, time_step)
                    : spin_after(bodies->poses[i], *spin, mass, after[i].rotation, time_step);
    }
}
