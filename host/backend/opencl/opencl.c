/* The OpenCL backend: the shared functions as kernels on a device. */
#include "opencl_backend.h"

#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* The bodies before the step. */
static scree_result upload_bodies(opencl_backend *self, const body_array *bodies) {
    TRY(ENGINE_WRITE(self, poses, bodies->poses, bodies->count));
    TRY(ENGINE_WRITE(self, velocities, bodies->velocities, bodies->count));
    TRY(ENGINE_WRITE(self, masses, bodies->masses, bodies->count));
    return ENGINE_WRITE(self, loads, bodies->loads, bodies->count);
}

/* The place of the problem's ground behind the bodies, if it has one: nothing moves it. */
static scree_result clear_ground(opencl_backend *self, const body_array *bodies, const problem *p) {
    const cl_uint zero = 0;
    if (p->body_count == bodies->count) return SCREE_OK;
    cl_int code =
        clEnqueueFillBuffer(self->device.queue, self->buffers.mobility.memory, &zero, sizeof zero,
                            (size_t)bodies->count * sizeof *p->mobility, sizeof *p->mobility, 0, NULL, NULL);
    if (code == CL_SUCCESS)
        code = clEnqueueFillBuffer(self->device.queue, self->buffers.free_velocity.memory, &zero, sizeof zero,
                                   (size_t)bodies->count * sizeof *p->free_velocity, sizeof *p->free_velocity,
                                   0, NULL, NULL);
    return code == CL_SUCCESS ? SCREE_OK : opencl_fail(code, "clearing the ground");
}

static scree_result predict(backend *base, const body_array *bodies, motion_parameters motion, problem *p) {
    opencl_backend *self = (opencl_backend *)base;
    const engine_buffers *on = &self->buffers;
    self->predicted = self->solved = NULL;
    TRY(upload_bodies(self, bodies));
    TRY(ENGINE_RESERVE(self, mobility, body_mobility, p->body_count));
    TRY(ENGINE_RESERVE(self, free_velocity, body_velocity, p->body_count));
    const kernel_argument arguments[] = {BUFFER(on->poses), BUFFER(on->velocities), BUFFER(on->masses),
                                         BUFFER(on->loads), BUFFER(on->mobility),   BUFFER(on->free_velocity),
                                         ARGUMENT(motion),  ARGUMENT(bodies->count)};
    TRY(ENGINE_LAUNCH(self, KERNEL_predict, bodies->count, arguments));
    TRY(clear_ground(self, bodies, p));
    self->predicted = p;
    return SCREE_OK;
}

static scree_result solve(backend *base, problem *p, const scree_solver_def *options,
                          scree_solve_report *report) {
    return solve_iterate(&((opencl_backend *)base)->executor, p, options, report);
}

static scree_result fetch(backend *base, problem *p) {
    opencl_backend *self = (opencl_backend *)base;
    if (self->predicted == p) {
        TRY(ENGINE_READ(self, mobility, p->mobility, p->body_count));
        TRY(ENGINE_READ(self, free_velocity, p->free_velocity, p->body_count));
        self->predicted = NULL;
    }
    if (self->solved == p) {
        TRY(ENGINE_READ(self, velocity, p->velocity, p->body_count));
        TRY(ENGINE_READ(self, pseudo_velocity, p->pseudo_velocity, p->body_count));
        TRY(ENGINE_READ(self, diagonals, p->diagonals, p->block_count));
        self->solved = NULL;
    }
    return SCREE_OK;
}

/* Whatever is not on the device comes from the host. */
static scree_result upload_solution(opencl_backend *self, const problem *p) {
    if (self->predicted != p) {
        self->predicted = NULL;
        TRY(ENGINE_WRITE(self, free_velocity, p->free_velocity, p->body_count));
    }
    if (self->solved != p) {
        self->solved = NULL;
        TRY(ENGINE_WRITE(self, velocity, p->velocity, p->body_count));
        TRY(ENGINE_WRITE(self, pseudo_velocity, p->pseudo_velocity, p->body_count));
    }
    return SCREE_OK;
}

static scree_result integrate(backend *base, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_velocity *velocities) {
    opencl_backend *self = (opencl_backend *)base;
    const engine_buffers *on = &self->buffers;
    TRY(upload_bodies(self, bodies));
    TRY(upload_solution(self, p));
    TRY(ENGINE_RESERVE(self, poses_after, body_pose, bodies->count));
    const kernel_argument arguments[] = {
        BUFFER(on->poses),           BUFFER(on->velocities),    BUFFER(on->masses),
        BUFFER(on->loads),           BUFFER(on->free_velocity), BUFFER(on->velocity),
        BUFFER(on->pseudo_velocity), BUFFER(on->poses_after),   ARGUMENT(motion),
        ARGUMENT(bodies->count)};
    TRY(ENGINE_LAUNCH(self, KERNEL_integrate, bodies->count, arguments));
    TRY(ENGINE_READ(self, poses_after, poses, bodies->count));
    return ENGINE_READ(self, velocity, velocities, bodies->count);
}

static void destroy(backend *base) {
    engine_close((opencl_backend *)base);
    memory_release(base);
}

static const backend_verbs verbs = {destroy, predict, solve, fetch, integrate};

scree_result opencl_create(const char *device, backend **out) {
    opencl_backend *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the OpenCL backend");
    self->base.verbs = &verbs;
    self->base.kind = SCREE_BACKEND_OPENCL;
    self->executor.verbs = &opencl_executor_verbs;
    const scree_result result = engine_open(self, device);
    if (result != SCREE_OK) {
        destroy(&self->base);
        return result;
    }
    snprintf(self->base.name, sizeof self->base.name, "opencl: %s", self->device.info.name);
    *out = &self->base;
    return SCREE_OK;
}
