#include "body_commit.h"

#include "base/parallel.h"

typedef struct commit_loop {
    body_array *bodies;
    const step_scratch *scratch;
} commit_loop;

static void commit_slice(const void *context, slice part) {
    const commit_loop loop = *(const commit_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        loop.bodies->poses[i] = loop.scratch->next_poses[i];
        loop.bodies->remainders[i] = loop.scratch->next_remainders[i];
        loop.bodies->velocities[i] = loop.scratch->problem.velocity[i];
        if (loop.bodies->types[i] == SLOT_KINEMATIC) loop.bodies->earlier[i] = loop.bodies->velocities[i];
        body_load_set(&loop.bodies->loads[i], loop.bodies->constant_loads[i]);
        loop.bodies->gone[i] = 0;
    }
}

void body_commit(body_array *bodies, const step_scratch *scratch, int threads) {
    parallel_for(parallel_threads(threads, bodies->count), bodies->count, commit_slice,
                 &(const commit_loop){.bodies = bodies, .scratch = scratch});
    bodies->gone_count = 0;
    bodies->changes++, bodies->written++, bodies->loaded += bodies->applied;
    bodies->applied = false;
    bodies->kept = bodies->written;
}
