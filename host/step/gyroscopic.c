#include "gyroscopic.h"

#include "base/parallel.h"

#include "motion.h"

typedef struct spin_loop {
    const body_array *bodies;
    body_velocity *velocities;
    vec3s (*own)(body_pose, vec3s, body_mass, versors, scalar);
    const body_pose *after;
    scalar time_step;
} spin_loop;

static void spin_slice(const void *context, slice part) {
    const spin_loop loop = *(const spin_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        const body_mass mass = loop.bodies->masses[i];
        if (spins_steadily(mass)) continue;
        vec3s *spin = &loop.velocities[i].angular;
        *spin = loop.own
                    ? loop.own(loop.bodies->poses[i], *spin, mass, loop.after[i].rotation, loop.time_step)
                    : spin_after(loop.bodies->poses[i], *spin, mass, loop.after[i].rotation, loop.time_step);
    }
}

void gyroscopic_update(const backend *engine, const body_array *bodies, const body_pose *after,
                       scalar time_step, int threads, body_velocity *velocities) {
    vec3s (*const own)(body_pose, vec3s, body_mass, versors, scalar) = engine->operations->spin;
    parallel_for(
        parallel_threads(threads, bodies->count), bodies->count, spin_slice,
        &(const spin_loop){
            .bodies = bodies, .velocities = velocities, .own = own, .after = after, .time_step = time_step});
}
