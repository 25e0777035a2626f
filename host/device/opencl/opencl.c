/* The OpenCL backend: the shared functions as kernels on a device. */
#include "opencl_backend.h"

#include "base/memory.h"
#include "rows/mass_unit.h"
#include "solve/sweep_bytes.h"

#include <stdio.h>
#include <string.h>

/* After a failure, enqueued commands may still access the host's memory, which is about to return to the
 * caller: wait for them. */
scree_result opencl_finished(opencl_backend *self, scree_result result) {
    if (result != SCREE_OK) opencl_device_abandon(&self->device);
    if (result != SCREE_ERROR_DEVICE_MEMORY) return result;
    self->starved = true;
    opencl_pairs_shrink(&self->pairs);
    return result;
}

void opencl_clear_scratch(opencl_backend *self) {
    self->p = NULL;
    self->assembled = false;
    opencl_scratch_clear(&self->device);
}

void opencl_reset_scratch(opencl_backend *self) {
    if (self->assembled)
        opencl_scratch_reset(&self->device, self->problem_end);
    else
        opencl_clear_scratch(self);
}

/* Clears the ground's record, which follows the bodies, if the problem has one: nothing moves it. */
static scree_result clear_ground(opencl_backend *self, const body_array *bodies, const problem *p) {
    const size_t count = (size_t)bodies->count, mobility = sizeof *p->mobility,
                 velocity = sizeof *p->free_velocity;
    if (p->body_count == bodies->count) return SCREE_OK;
    TRY(opencl_buffer_clear_from(&self->device, &self->buffers.mobility, count * mobility, mobility,
                                 "the ground"));
    return opencl_buffer_clear_from(&self->device, &self->buffers.free_velocity, count * velocity, velocity,
                                    "the ground");
}

/* Zeros left on the device from an earlier step are reused. */
static scree_result clear_loads(opencl_backend *self, int count) {
    const opencl_buffer *loads = &self->buffers.loads;
    TRY(ENGINE_RESERVE(self, loads, body_load, count));
    if (self->no_loads == loads->memory) return SCREE_OK;
    TRY(opencl_buffer_clear(&self->device, loads, loads->bytes / sizeof(body_load) * sizeof(body_load),
                            "loads"));
    self->no_loads = loads->memory;
    return SCREE_OK;
}

static scree_result send_loads(opencl_backend *self, const body_array *bodies) {
    if (!memory_is_zero(bodies->loads, (size_t)bodies->count * sizeof *bodies->loads)) {
        self->no_loads = NULL;
        return ENGINE_SEND(self, loads, bodies->loads, bodies->count);
    }
    return clear_loads(self, bodies->count);
}

scree_result opencl_send_loads(opencl_backend *self, const body_array *bodies) {
    const body_array *here = &self->burdened;
    if (here->loads == bodies->loads && here->count == bodies->count && here->loaded == bodies->loaded)
        return SCREE_OK;
    self->burdened = (body_array){0};
    TRY(send_loads(self, bodies));
    self->burdened = *bodies;
    return SCREE_OK;
}

static bool same_motion(const body_array *one, const body_array *other) {
    return one->count == other->count && one->written == other->written && one->poses == other->poses &&
           one->remainders == other->remainders && one->velocities == other->velocities;
}

static scree_result send_masses(opencl_backend *self, const body_array *bodies) {
    self->weighed = (body_array){0};
    TRY(ENGINE_SEND(self, masses, bodies->masses, bodies->count));
    self->weighed = *bodies;
    return SCREE_OK;
}

static scree_result send_moving(opencl_backend *self, const body_array *bodies) {
    self->holds_moved = false;
    TRY(ENGINE_SEND(self, poses, bodies->poses, bodies->count));
    TRY(ENGINE_SEND(self, remainders, bodies->remainders, bodies->count));
    TRY(ENGINE_SEND(self, velocities, bodies->velocities, bodies->count));
    self->moved = *bodies;
    return SCREE_OK;
}

void opencl_hold_motion(opencl_backend *self, const body_array *bodies) {
    self->moved = *bodies;
    self->holds_moved = true;
}

scree_result opencl_send_motion(opencl_backend *self, const body_array *bodies) {
    const body_array *here = &self->weighed;
    if (here->masses != bodies->masses || here->count != bodies->count ||
        here->definitions != bodies->definitions)
        TRY(send_masses(self, bodies));
    if ((bodies->store == &self->store && self->store.away) ||
        (self->holds_moved && same_motion(&self->moved, bodies)))
        return SCREE_OK;
    TRY(send_moving(self, bodies));
    opencl_hold_motion(self, bodies);
    return SCREE_OK;
}

/* Sends the bodies before the step. They must not change until the step's last wait. */
static scree_result send_bodies(opencl_backend *self, const body_array *bodies) {
    self->sent = self->burdened = (body_array){0};
    if (!self->holds_moved || !same_motion(&self->moved, bodies)) TRY(send_moving(self, bodies));
    TRY(send_masses(self, bodies));
    TRY(send_loads(self, bodies));
    self->sent = *bodies;
    return SCREE_OK;
}

static bool bodies_are_up(const opencl_backend *self, const body_array *bodies) {
    const body_array *sent = &self->sent;
    return same_motion(sent, bodies) && sent->changes == bodies->changes && sent->masses == bodies->masses &&
           sent->loads == bodies->loads;
}

static scree_result begin_prediction(opencl_backend *self, const body_array *bodies, motion_parameters motion,
                                     problem *p) {
    const cl_float factor = mass_unit_factor(p);
    const opencl_buffer *loads = &self->buffers.loads;
    self->predicted = self->solved = NULL;
    if (p->away) loads = opencl_assembly_loads(&self->assembly, loads);
    if (!p->away) TRY(send_bodies(self, bodies));
    TRY(ENGINE_RESERVE(self, mobility, body_mobility, p->body_count));
    TRY(ENGINE_RESERVE(self, free_velocity, body_velocity, p->body_count));
    TRY(ENGINE_LAUNCH(self, KERNEL_predict, bodies->count, OWN(poses), OWN(velocities), OWN(masses),
                      BUFFER(*loads), OWN(mobility), OWN(free_velocity), ARGUMENT(motion), ARGUMENT(factor),
                      ARGUMENT(bodies->count)));
    TRY(clear_ground(self, bodies, p));
    self->predicted = p;
    return SCREE_OK;
}

static scree_result predict(backend *base, const body_array *bodies, motion_parameters motion, problem *p) {
    opencl_backend *self = (opencl_backend *)base;
    return opencl_finished(self, begin_prediction(self, bodies, motion, p));
}

/* The impulses of its passes are still being copied back; the next wait completes the copies. */
static scree_result solve(backend *base, problem *p, const solve_request *request,
                          scree_solve_report *report) {
    opencl_backend *self = (opencl_backend *)base;
    return opencl_finished(self, solve_iterate(&self->executor, p, request, report));
}

/* Clears the pseudo-velocities unless a position pass has computed them. */
static scree_result clear_pseudo_velocity(opencl_backend *self, const problem *p) {
    if (self->pushes || p->body_count == 0) return SCREE_OK;
    self->pushes = true;
    return opencl_buffer_clear(&self->device, &self->buffers.pseudo_velocity,
                               (size_t)p->body_count * sizeof *p->pseudo_velocity, "pseudo_velocity");
}

static scree_result begin_fetch(opencl_backend *self, problem *p) {
    if (self->predicted == p) {
        TRY(ENGINE_READ(self, mobility, p->mobility, p->body_count));
        TRY(ENGINE_READ(self, free_velocity, p->free_velocity, p->body_count));
        self->predicted = NULL;
    }
    if (self->solved == p) {
        TRY(clear_pseudo_velocity(self, p));
        TRY(ENGINE_READ(self, velocity, p->velocity, p->body_count));
        TRY(ENGINE_READ(self, pseudo_velocity, p->pseudo_velocity, p->body_count));
        self->solved = NULL;
    }
    return SCREE_OK;
}

static scree_result fetch(backend *base, problem *p) {
    opencl_backend *self = (opencl_backend *)base;
    return opencl_finished(self, begin_fetch(self, p));
}

/* Sends those parts of the solution that are not on the device. */
static scree_result send_solution(opencl_backend *self, const problem *p) {
    if (self->predicted != p) {
        self->predicted = NULL;
        TRY(ENGINE_SEND(self, free_velocity, p->free_velocity, p->body_count));
    }
    if (self->solved != p) {
        self->solved = NULL;
        TRY(ENGINE_SEND(self, velocity, p->velocity, p->body_count));
        TRY(ENGINE_SEND(self, pseudo_velocity, p->pseudo_velocity, p->body_count));
        return SCREE_OK;
    }
    return clear_pseudo_velocity(self, p);
}

static scree_result begin_integration(opencl_backend *self, const body_array *bodies, problem *p,
                                      motion_parameters motion, body_pose *poses, body_remainder *remainders,
                                      body_velocity *velocities) {
    if (!p->away && !bodies_are_up(self, bodies)) TRY(send_bodies(self, bodies));
    TRY(send_solution(self, p));
    TRY(ENGINE_RESERVE(self, poses_after, body_pose, bodies->count));
    TRY(ENGINE_RESERVE(self, remainders_after, body_remainder, bodies->count));
    TRY(ENGINE_LAUNCH(self, KERNEL_integrate, bodies->count, OWN(poses), OWN(remainders), OWN(masses),
                      OWN(free_velocity), OWN(velocity), OWN(pseudo_velocity), OWN(poses_after),
                      OWN(remainders_after), ARGUMENT(motion), ARGUMENT(bodies->count)));
    if (!poses) return SCREE_OK;
    TRY(ENGINE_FETCH(self, poses_after, poses, bodies->count));
    TRY(ENGINE_FETCH(self, remainders_after, remainders, bodies->count));
    return ENGINE_FETCH(self, velocity, velocities, bodies->count);
}

static scree_result integrate(backend *base, const body_array *bodies, problem *p, motion_parameters motion,
                              body_pose *poses, body_remainder *remainders, body_velocity *velocities) {
    opencl_backend *self = (opencl_backend *)base;
    TRY(opencl_finished(self, begin_integration(self, bodies, p, motion, poses, remainders, velocities)));
    return !poses ? SCREE_OK : opencl_finished(self, opencl_device_wait(&self->device));
}

static scree_result find_pairs(backend *base, const pair_search *search, pair_rows *out, int *regrown) {
    opencl_backend *self = (opencl_backend *)base;
    opencl_reset_scratch(self);
    return opencl_finished(self, opencl_pairs_find(&self->pairs, search, out, regrown));
}

static scree_result begin_search(opencl_backend *self, const contact_request *request, contact_finding *out,
                                 int *regrown) {
    const collide_motion motion = {&self->buffers.poses, &self->buffers.velocities, &self->buffers.masses};
    if (self->starved) engine_shrink(self, request->before);
    TRY(opencl_send_motion(self, request->pairs->bodies));
    opencl_clear_scratch(self);
    return opencl_collide_find(&self->collide, request, motion, out, regrown);
}

static const char *contacts_barrier(backend *base, const contact_request *request) {
    return opencl_collide_barrier(&((opencl_backend *)base)->collide, request);
}

static scree_result find_contacts(backend *base, const contact_request *request, contact_finding *out,
                                  int *regrown) {
    opencl_backend *self = (opencl_backend *)base;
    out->barrier = contacts_barrier(base, request);
    return out->barrier ? SCREE_OK : opencl_finished(self, begin_search(self, request, out, regrown));
}

static void traffic(backend *base, scree_stage_report to[SCREE_STAGE_COUNT], stage_log *log) {
    opencl_traffic_take(&((opencl_backend *)base)->device, to, log);
}

static void memory(const backend *base, uint64_t *used, uint64_t *limit) {
    const opencl_device *device = &((const opencl_backend *)base)->device;
    *used = device->memory_used, *limit = device->memory_limit;
}

static void destroy(backend *base) {
    engine_close((opencl_backend *)base);
    memory_release(base);
}

static uint64_t count_bytes(const backend *base, const problem *p, const body_array *bodies,
                            const scree_solver_def *options) {
    const cl_uint *report = ((const opencl_backend *)base)->assembly.arrange.report;
    return p->away ? sweep_bytes_away(p, report[ARRANGED_ENDS], report[ARRANGED_EMPTY], options)
                   : sweep_bytes(p, bodies, options);
}

static const backend_operations operations = {.destroy = destroy,
                                              .contacts_barrier = contacts_barrier,
                                              .find_contacts = find_contacts,
                                              .find_pairs = find_pairs,
                                              .predict = predict,
                                              .solve = solve,
                                              .fetch = fetch,
                                              .integrate = integrate,
                                              .stay = &opencl_stay_operations,
                                              .traffic = traffic,
                                              .memory = memory,
                                              .sweep_bytes = count_bytes};

scree_result opencl_profile(backend *opencl) {
    return opencl_device_profile(&((opencl_backend *)opencl)->device);
}

bool opencl_is_gpu(const backend *opencl) { return ((const opencl_backend *)opencl)->device.info.gpu; }

scree_result opencl_create(const char *device, backend **out) { return opencl_create_in(NULL, device, out); }

scree_result opencl_create_in(scree_group *group, const char *device, backend **out) {
    opencl_backend *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: the OpenCL backend");
    self->base.operations = &operations;
    self->base.kind = SCREE_BACKEND_OPENCL;
    self->executor.operations = &opencl_executor_operations;
    const scree_result result = engine_open(self, device, group);
    if (result != SCREE_OK) {
        destroy(&self->base);
        return result;
    }
    snprintf(self->base.name, sizeof self->base.name, "opencl: %s", self->device.info.name);
    *out = &self->base;
    return SCREE_OK;
}
