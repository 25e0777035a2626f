#include "opencl_backend.h"

#include "base/memory.h"
#include "opencl_group.h"

#include <stdio.h>
#include <stdlib.h>

#define PROGRAM_FILE(name) #name ".cl",
static const char *const program_files[] = {ENGINE_PROGRAMS(PROGRAM_FILE)};
#define KERNEL_NAME(file, name) #name,
static const char *const kernel_names[] = {ENGINE_KERNELS(KERNEL_NAME)};
#define KERNEL_PROGRAM(file, name) PROGRAM_##file,
static const int kernel_programs[] = {ENGINE_KERNELS(KERNEL_PROGRAM)};

/* A kernel of a program for a law, and its work-items per work-group; 0: `manifold_bundle`. */
typedef struct law_kernel_row {
    const char *name;
    law_file file;
    size_t local;
} law_kernel_row;
static const law_kernel_row law_kernels[LAW_KERNELS] = {
    [BALLS_OF_COLOUR] = {"sweep_balls", LAW_FILE_BALLS, WORK_GROUP},
    [BALLS_OF_BUNDLES] = {"sweep_ball_bundles", LAW_FILE_BALLS, WORK_GROUP},
    [BALLS_OF_COLOUR_AHEAD] = {"sweep_balls_ahead", LAW_FILE_BALLS, WORK_GROUP},
    [BALLS_OF_BUNDLES_AHEAD] = {"sweep_ball_bundles_ahead", LAW_FILE_BALLS, WORK_GROUP},
    [MANIFOLDS_OF_COLOUR] = {"sweep_manifolds", LAW_FILE_MANIFOLDS, MANIFOLD_GROUP},
    [MANIFOLDS_OF_BUNDLES] = {"sweep_manifold_bundles", LAW_FILE_MANIFOLDS, 0}};
static const char *const law_files[LAW_FILES] = {
    [LAW_FILE_BALLS] = "balls.cl", [LAW_FILE_MANIFOLDS] = "manifolds.cl"};

int engine_law_kernel(solve_parameters parameters, law_kernel kernel) {
    const int law = parameters.position_pass ? SWEEP_LAW_POSITIONS
                    : parameters.held_shift  ? SWEEP_LAW_HELD
                                             : parameters.law;
    const int program = 2 * law + (parameters.relaxation != 1);
    return KERNEL_COUNT + LAW_KERNELS * program + (int)kernel;
}

static const law_kernel_row *law_row_of(int kernel) {
    return &law_kernels[(kernel - KERNEL_COUNT) % LAW_KERNELS];
}

static int program_of(int kernel) {
    if (kernel < KERNEL_COUNT) return kernel_programs[kernel];
    return PROGRAM_COUNT + (int)law_row_of(kernel)->file * LAW_PROGRAMS +
           (kernel - KERNEL_COUNT) / LAW_KERNELS;
}

static const char *name_of(int kernel) {
    return kernel < KERNEL_COUNT ? kernel_names[kernel] : law_row_of(kernel)->name;
}

static size_t local_of(const opencl_backend *self, int kernel) {
    const size_t local = kernel < KERNEL_COUNT ? WORK_GROUP : law_row_of(kernel)->local;
    return local > 0 ? local : (size_t)self->manifold_bundle;
}

static scree_result build_program(opencl_backend *self, int program) {
    char options[200];
    if (self->programs[program]) return SCREE_OK;
    if (program < PROGRAM_COUNT)
        return opencl_program_build(&self->device, program_files[program],
                                    self->device.info.fp64 ? "-DSCREE_ACCUMULATE_DOUBLE" : NULL,
                                    &self->programs[program]);
    const int file = (program - PROGRAM_COUNT) / LAW_PROGRAMS,
              variant = (program - PROGRAM_COUNT) % LAW_PROGRAMS, law = variant / 2;
    const bool held = law == SWEEP_LAW_HELD, positions = law == SWEEP_LAW_POSITIONS;
    snprintf(options, sizeof options,
             "-DSWEEP_LAW=%d -DSWEEP_HELD=%d -DSWEEP_POSITIONS=%d -DSWEEP_RELAXED=%d -DMANIFOLD_BUNDLE=%d",
             held        ? LAW_ASSOCIATED
             : positions ? LAW_COULOMB
                         : law,
             held, positions, variant % 2, self->manifold_bundle);
    return opencl_program_build(&self->device, law_files[file], options, &self->programs[program]);
}

static scree_result make_kernel(opencl_backend *self, int kernel) {
    if (self->kernels[kernel]) return SCREE_OK;
    TRY(build_program(self, program_of(kernel)));
    return opencl_kernel_create(&self->device, self->programs[program_of(kernel)], name_of(kernel),
                                &self->kernels[kernel]);
}

scree_result engine_launch(opencl_backend *self, int kernel, int count, const kernel_argument *arguments,
                           int argument_count) {
    if (count == 0) return SCREE_OK;
    TRY(make_kernel(self, kernel));
    const size_t local = local_of(self, kernel), global = ((size_t)count + local - 1) / local * local;
    return opencl_launch(&self->device, self->kernels[kernel], name_of(kernel), global, local, arguments,
                         argument_count);
}

/* A GPU needs about ten thousand groups to be busy; a colour with fewer takes less time than its launch. */
enum { LARGEST_SHARED = 16384, FEW_CHUNKS = 512 };

/* Returns the work-items for which there is local memory: 576 bytes each (manifolds.cl). */
static int manifold_bundle_of(const opencl_device *device) {
    enum { NEEDED = 40 * 1024 };
    cl_ulong local = 0;
    clGetDeviceInfo(device->id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    return local >= NEEDED ? WORK_GROUP : MANIFOLD_GROUP;
}

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

static scree_result open_device(opencl_backend *self, const char *device, scree_group *group) {
    if (group) return opencl_group_join(group, &self->device);
    TRY(opencl_device_open(device, &self->device));
    return opencl_layout_check(&self->device);
}

scree_result engine_open(opencl_backend *self, const char *device, scree_group *group) {
    TRY(open_device(self, device, group));
    TRY(build_program(self, PROGRAM_motion));
    TRY(build_program(self, PROGRAM_solve));
    self->few_chunks = FEW_CHUNKS;
    self->manifold_bundle = manifold_bundle_of(&self->device);
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
