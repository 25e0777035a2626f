#include "verify.h"

#include "base/error.h"

#include <math.h>

bool verify_is_due(const step_context *step) {
    const int every = step->verification->every;
    return every > 0 && (step->state->steps + 1) % (uint64_t)every == 0;
}

scree_result verify_prepare(step_context *step, const problem_input *from) {
    problem *p = &step->scratch->problem;
    if (!p->blocks) {
        TRY(problem_own_blocks(p, &step->statistics->regrown));
        problem_refill(p, from, step->model->threads);
    }
    TRY(step->backend->operations->fetch(step->backend, &step->scratch->problem));
    TRY(problem_index(&step->scratch->problem, &step->state->bodies, step->model->threads, NULL));
    return problem_copy(&step->verification->problem, &step->scratch->problem);
}

static double largest3(vec3s a, vec3s b) {
    const vec3s d = glms_vec3_sub(a, b);
    return fmax(fabs((double)d.x), fmax(fabs((double)d.y), fabs((double)d.z)));
}

/* Returns the largest difference of a velocity component, m/s; angular velocities are multiplied by the
 * body's radius, which makes them surface speeds. */
static double difference(const body_array *bodies, const problem *p, const problem *q) {
    double largest = 0;
    for (int i = 0; i < bodies->count; i++) {
        if (!body_is_dynamic(bodies, i)) continue;
        const double radius = scree_shape_get_radius(bodies->shapes[i]);
        largest = fmax(largest, largest3(p->velocity[i].linear, q->velocity[i].linear));
        largest = fmax(largest, radius * largest3(p->velocity[i].angular, q->velocity[i].angular));
    }
    return largest;
}

static scree_result solve_again(step_context *step, backend *other, const scree_solver_def *options,
                                double *residual, double *out) {
    scree_solve_report report;
    TRY(problem_copy(&step->verification->solution, &step->verification->problem));
    TRY(other->operations->solve(other, &step->verification->solution, &(solve_request){.options = options},
                                 &report));
    TRY(other->operations->fetch(other, &step->verification->solution));
    *out = difference(&step->state->bodies, &step->scratch->problem, &step->verification->solution);
    *residual = report.residual;
    return SCREE_OK;
}

/* Creates the single-precision backend that the step did not use, unless there is no OpenCL device. */
static scree_result settle_other(step_context *step) {
    if (step->verification->other || step->verification->other_missing) return SCREE_OK;
    if (step->backend->kind == SCREE_BACKEND_OPENCL)
        return native_create(step->model->threads, &step->verification->other);
    const scree_result made =
        opencl_create(step->model->device[0] ? step->model->device : NULL, &step->verification->other);
    step->verification->other_missing = made == SCREE_ERROR_NO_PLATFORM || made == SCREE_ERROR_NO_DEVICE;
    return step->verification->other_missing ? SCREE_OK : made;
}

scree_result verify_compare(step_context *step, const scree_solver_def *options) {
    scree_statistics *s = step->statistics;
    double residual;
    TRY(step->backend->operations->fetch(step->backend, &step->scratch->problem));
    if (!step->verification->reference)
        TRY(reference_create(step->model->threads, &step->verification->reference));
    TRY(solve_again(step, step->verification->reference, options, &s->verify_residual,
                    &s->verify_difference));
    TRY(settle_other(step));
    s->verify_backend_difference = NAN;
    if (!step->verification->other) return SCREE_OK;
    return solve_again(step, step->verification->other, options, &residual, &s->verify_backend_difference);
}
