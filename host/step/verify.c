#include "verify.h"

#include "base/error.h"

#include <math.h>

scree_result verify_prepare(scree_world *world) {
    TRY(world->backend->verbs->fetch(world->backend, &world->scratch.problem));
    TRY(problem_index(&world->scratch.problem, &world->state.bodies, world->model.threads, NULL));
    return problem_copy(&world->verification.problem, &world->scratch.problem);
}

static double largest3(vec3s a, vec3s b) {
    const vec3s d = glms_vec3_sub(a, b);
    return fmax(fabs((double)d.x), fmax(fabs((double)d.y), fabs((double)d.z)));
}

/* Returns the largest difference of a velocity component, m/s; angular velocities are multiplied by the
 * body's extent, which makes them surface speeds. */
static double difference(const body_array *bodies, const problem *p, const problem *q) {
    double largest = 0;
    for (int i = 0; i < bodies->count; i++) {
        if (!body_is_dynamic(bodies, i)) continue;
        const scree_vec3 size = bodies->shapes[i].size;
        const double extent = sqrt((double)(size.x * size.x + size.y * size.y + size.z * size.z));
        largest = fmax(largest, largest3(p->velocity[i].linear, q->velocity[i].linear));
        largest = fmax(largest, extent * largest3(p->velocity[i].angular, q->velocity[i].angular));
    }
    return largest;
}

static scree_result solve_again(scree_world *world, backend *other, const scree_solver_def *options,
                                double *residual, double *out) {
    scree_solve_report report;
    TRY(problem_copy(&world->verification.solution, &world->verification.problem));
    TRY(other->verbs->solve(other, &world->verification.solution, &(solve_request){.options = options},
                            &report));
    TRY(other->verbs->fetch(other, &world->verification.solution));
    *out = difference(&world->state.bodies, &world->scratch.problem, &world->verification.solution);
    *residual = report.residual;
    return SCREE_OK;
}

/* Creates the single-precision backend that the step did not use, unless there is no OpenCL device. */
static scree_result settle_other(scree_world *world) {
    if (world->verification.other || world->verification.other_missing) return SCREE_OK;
    if (world->backend->kind == SCREE_BACKEND_OPENCL)
        return native_create(world->model.threads, &world->verification.other);
    const scree_result made =
        opencl_create(world->model.device[0] ? world->model.device : NULL, &world->verification.other);
    world->verification.other_missing = made == SCREE_ERROR_NO_PLATFORM || made == SCREE_ERROR_NO_DEVICE;
    return world->verification.other_missing ? SCREE_OK : made;
}

scree_result verify_compare(scree_world *world, const scree_solver_def *options, scree_statistics *s) {
    double residual;
    TRY(world->backend->verbs->fetch(world->backend, &world->scratch.problem));
    if (!world->verification.reference)
        TRY(reference_create(world->model.threads, &world->verification.reference));
    TRY(solve_again(world, world->verification.reference, options, &s->verify_residual,
                    &s->verify_difference));
    TRY(settle_other(world));
    s->verify_backend_difference = NAN;
    if (!world->verification.other) return SCREE_OK;
    return solve_again(world, world->verification.other, options, &residual, &s->verify_backend_difference);
}
