/* Programs and launches of the building blocks. */
#include "opencl_primitives.h"

#include "base/error.h"

#define PROGRAM_FILE(name, file, serial, options) {file, serial, options},
static const struct { const char *file, *serial, *options; } programs[] = {PRIMITIVE_PROGRAMS(PROGRAM_FILE)};
#define KERNEL_ROW(program, name) {PRIMITIVES_##program, #name},
static const struct {
    int program;
    const char *name;
} kernels[] = {PRIMITIVE_KERNELS(KERNEL_ROW)};

/* Enough work-groups to fill the largest devices; each reads a part of every other one. Processors need a
 * few for each core, to balance their load. */
enum { LARGEST_GROUPS = 1024, SERIAL_GROUPS = 4 };
/* On an H100 a launch takes 4.7 us. 64 groups of 256 work-items read 64 * 64 counts of each digit, 4 MB from
 * the cache, in about 1 us. */
enum { DIRECT_GROUPS = 64 };

void opencl_primitives_open(opencl_primitives *self, opencl_device *device) {
    const cl_uint serial_groups = SERIAL_GROUPS * (cl_uint)device->info.compute_units;
    *self = (opencl_primitives){.device = device, .serial = !device->info.gpu};
    self->direct_groups = DIRECT_GROUPS;
    self->largest_groups = self->serial ? serial_groups : LARGEST_GROUPS;
}

void opencl_primitives_close(opencl_primitives *self) {
    opencl_buffer *const buffers[] = {&self->parts, &self->counts, &self->totals, &self->keys, &self->values};
    if (!self->device) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->device, buffers[i]);
    for (int i = 0; i < PRIMITIVE_KERNEL_COUNT; i++)
        if (self->kernels[i]) clReleaseKernel(self->kernels[i]);
    for (int i = 0; i < PRIMITIVE_PROGRAM_COUNT; i++)
        if (self->programs[i]) clReleaseProgram(self->programs[i]);
    *self = (opencl_primitives){0};
}

cl_uint primitive_groups(const opencl_primitives *self, cl_uint capacity, cl_uint tile) {
    const cl_uint tiles = (capacity + tile - 1) / tile;
    return tiles == 0 ? 1 : tiles < self->largest_groups ? tiles : self->largest_groups;
}

static scree_result make_kernel(opencl_primitives *self, primitive_kernel kernel) {
    const int program = kernels[kernel].program;
    if (self->kernels[kernel]) return SCREE_OK;
    if (!self->programs[program]) {
        const char *file = self->serial ? programs[program].serial : programs[program].file;
        TRY(opencl_program_build(self->device, file, programs[program].options, &self->programs[program]));
    }
    return opencl_kernel_create(self->device, self->programs[program], kernels[kernel].name,
                                &self->kernels[kernel]);
}

static size_t group_of(const opencl_primitives *self, primitive_kernel kernel) {
    if (self->serial) return 1;
    const int program = kernels[kernel].program;
    const bool convex =
        program == PRIMITIVES_contacts_convex || program == PRIMITIVES_contacts_children_convex;
    return convex ? CONVEX_GROUP : TILE_GROUP;
}

scree_result primitive_launch(opencl_primitives *self, primitive_kernel kernel, cl_uint groups,
                              const kernel_argument *arguments, int argument_count) {
    const size_t local = group_of(self, kernel);
    TRY(make_kernel(self, kernel));
    return opencl_launch(self->device, self->kernels[kernel], kernels[kernel].name, groups * local, local,
                         arguments, argument_count);
}
