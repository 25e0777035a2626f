#include "opencl_backend.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

#define PROGRAM_FILE(name) #name ".cl",
static const char *const program_files[] = {ENGINE_PROGRAMS(PROGRAM_FILE)};
#define KERNEL_NAME(file, name) #name,
static const char *const kernel_names[] = {ENGINE_KERNELS(KERNEL_NAME)};
#define KERNEL_PROGRAM(file, name) PROGRAM_##file,
static const int kernel_programs[] = {ENGINE_KERNELS(KERNEL_PROGRAM)};

static const char *const law_kernel_names[LAW_KERNELS] = {"sweep_balls", "sweep_ball_bundles",
                                                          "sweep_ball_bundles_ahead"};

int engine_law_kernel(solve_parameters parameters, law_kernel kernel) {
    const int law = parameters.position_pass ? SWEEP_LAW_POSITIONS
                    : parameters.held_shift  ? SWEEP_LAW_HELD
                                             : parameters.law;
    const int program = 2 * law + (parameters.relaxation != 1);
    return KERNEL_COUNT + LAW_KERNELS * program + (int)kernel;
}

static int program_of(int kernel) {
    return kernel < KERNEL_COUNT ? kernel_programs[kernel]
                                 : PROGRAM_COUNT + (kernel - KERNEL_COUNT) / LAW_KERNELS;
}

static const char *name_of(int kernel) {
    return kernel < KERNEL_COUNT ? kernel_names[kernel]
                                 : law_kernel_names[(kernel - KERNEL_COUNT) % LAW_KERNELS];
}

static scree_result build_program(opencl_backend *self, int program) {
    char options[200];
    if (self->programs[program]) return SCREE_OK;
    if (program < PROGRAM_COUNT)
        return opencl_program_build(&self->device, program_files[program],
                                    self->device.info.fp64 ? "-DSCREE_ACCUMULATE_DOUBLE" : NULL,
                                    &self->programs[program]);
    const int variant = program - PROGRAM_COUNT, law = variant / 2;
    const bool held = law == SWEEP_LAW_HELD, positions = law == SWEEP_LAW_POSITIONS;
    snprintf(options, sizeof options,
             "-DSWEEP_LAW=%d -DSWEEP_HELD=%d -DSWEEP_POSITIONS=%d -DSWEEP_RELAXED=%d",
             held        ? LAW_ASSOCIATED
             : positions ? LAW_COULOMB
                         : law,
             held, positions, variant % 2);
    return opencl_program_build(&self->device, "balls.cl", options, &self->programs[program]);
}

static scree_result make_kernel(opencl_backend *self, int kernel) {
    if (self->kernels[kernel]) return SCREE_OK;
    TRY(build_program(self, program_of(kernel)));
    return opencl_kernel_create(self->programs[program_of(kernel)], name_of(kernel), &self->kernels[kernel]);
}

scree_result engine_launch(opencl_backend *self, int kernel, int count, const kernel_argument *arguments,
                           int argument_count) {
    if (count == 0) return SCREE_OK;
    TRY(make_kernel(self, kernel));
    const size_t local = WORK_GROUP, global = ((size_t)count + local - 1) / local * local;
    return opencl_launch(&self->device, self->kernels[kernel], name_of(kernel), global, local, arguments,
                         argument_count);
}

/* A GPU needs about ten thousand groups to be busy; a colour with fewer takes less time than its launch. */
enum { LARGEST_SHARED = 16384, FEW_CHUNKS = 512 };

static void open_stages(opencl_backend *self) {
    opencl_primitives *primitives = &self->pairs.primitives;
    engine_buffers *on = &self->buffers;
    const arranged_problem to = {.groups = &on->groups,
                                 .incidence_first = &on->incidence_first,
                                 .incidence = &on->incidence,
                                 .splits = &on->splits,
                                 .remainder_bodies = &on->remainder_bodies,
                                 .pieces = &on->pieces};
    opencl_assembly_open(&self->assembly, &self->collide, to);
    opencl_detect_open(&self->detect, primitives, &self->pairs.grid);
    opencl_excess_open(&self->excess, primitives);
    opencl_impacts_open(&self->impacts, primitives);
    opencl_report_open(&self->report, primitives);
    self->spare.shared = true;
    opencl_commit_open(&self->end, primitives);
    opencl_sums_open(&self->step_sums, primitives);
    opencl_work_open(&self->work, primitives);
}

static void close_stages(opencl_backend *self) {
    opencl_work_close(&self->work);
    opencl_sums_close(&self->step_sums);
    opencl_commit_close(&self->end);
    opencl_report_close(&self->report);
    opencl_impacts_close(&self->impacts);
    opencl_excess_close(&self->excess);
    opencl_detect_close(&self->detect);
    opencl_assembly_close(&self->assembly);
    device_contacts_release(&self->device, &self->spare);
    opencl_buffer_release(&self->device, &self->crossed);
}

void engine_shrink(opencl_backend *self, const contact_set *contacts) {
    close_stages(self);
    open_stages(self);
    opencl_collide_shrink(&self->collide, contacts);
    opencl_scratch_release(&self->device);
    self->block_room = 0;
    self->assembled = self->starved = false;
}

scree_result engine_open(opencl_backend *self, const char *device) {
    TRY(opencl_device_open(device, &self->device));
    TRY(opencl_layout_check(&self->device));
    TRY(build_program(self, PROGRAM_motion));
    TRY(build_program(self, PROGRAM_solve));
    self->few_chunks = FEW_CHUNKS;
    self->largest_shared = opencl_test_hooks.separate_colours ? 0 : LARGEST_SHARED;
    opencl_pairs_open(&self->pairs, &self->device);
    opencl_collide_open(&self->collide, &self->pairs);
    open_stages(self);
    opencl_traffic_drop(&self->device); /* count the traffic of steps only */
    return SCREE_OK;
}

void engine_close(opencl_backend *self) {
    opencl_device_abandon(&self->device);
    close_stages(self);
    opencl_collide_close(&self->collide);
    opencl_pairs_close(&self->pairs);
#define RELEASE(name) opencl_buffer_release(&self->device, &self->buffers.name);
    ENGINE_BUFFERS(RELEASE)
    for (int i = 0; i < ALL_KERNELS; i++)
        if (self->kernels[i]) clReleaseKernel(self->kernels[i]);
    for (int i = 0; i < ALL_PROGRAMS; i++)
        if (self->programs[i]) clReleaseProgram(self->programs[i]);
    opencl_device_close(&self->device);
    memory_release(self->sums);
    for (int i = 0; i < 2; i++) memory_release(self->early[i]);
    memory_release(self->pieces);
    memory_release(self->tests);
    memory_release(self->prescribed.slots);
    memory_release(self->prescribed.poses);
    memory_release(self->prescribed.remainders);
    sweep_plan_release(&self->plan);
}
