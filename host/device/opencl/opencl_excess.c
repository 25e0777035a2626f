/* Launches of the tests after a solve. */
#include "opencl_excess.h"

#include "base/error.h"
#include "excess.h"

void opencl_excess_open(opencl_excess *self, opencl_primitives *primitives) {
    *self = (opencl_excess){.primitives = primitives};
}

void opencl_excess_close(opencl_excess *self) {
    opencl_buffer *const buffers[] = {&self->excess, &self->islands, &self->ranks, &self->units};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_excess){0};
}

static scree_result share(opencl_excess *self, cl_uint bodies) {
    opencl_device *device = self->primitives->device;
    const size_t bytes = bodies * sizeof(cl_uint);
    TRY(opencl_buffer_share(device, &self->excess, bytes, "excess of bodies"));
    TRY(opencl_buffer_share(device, &self->islands, bytes, "islands of bodies"));
    TRY(opencl_buffer_share(device, &self->ranks, bytes, "ranks of islands"));
    return opencl_buffer_share(device, &self->units, 2 * bytes, "excess of islands");
}

scree_result opencl_excess_test(opencl_excess *self, const excess_bodies *bodies, bool weighs,
                                const opencl_buffer *counts, cl_uint count, const opencl_report *report) {
    const cl_uint copied = counts ? count : 0;
    const cl_int tests = weighs;
    TRY(share(self, bodies->count));
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_excess_excess_test,
        primitive_groups(self->primitives, bodies->count, TILE_GROUP), BUFFER(*bodies->poses),
        BUFFER(*bodies->masses), ARGUMENT(bodies->factor), BUFFER(*bodies->free_velocity),
        BUFFER(*bodies->velocity), BUFFER(*bodies->poses_after), ARGUMENT(bodies->count), ARGUMENT(tests),
        BUFFER(self->excess), BUFFER(self->islands), BUFFER(self->ranks), BUFFER(self->units),
        BUFFER(*(counts ? counts : &report->buffer)), ARGUMENT(copied), BUFFER(report->buffer));
}

/* Adds the contributions of bodies to their islands, and reports whether the sum of one is positive. */
static scree_result sum_islands(opencl_excess *self, cl_uint bodies, const opencl_report *report) {
    opencl_primitives *primitives = self->primitives;
    const cl_uint groups = primitive_groups(primitives, bodies, TILE_GROUP);
    const cl_int bits = excess_bits(bodies);
    TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_excess_excess_ranks, groups, BUFFER(self->excess),
                         ARGUMENT(bodies), BUFFER(self->islands), BUFFER(self->ranks),
                         BUFFER(report->buffer)));
    TRY(PRIMITIVE_LAUNCH(primitives, PRIMITIVE_excess_excess_sum, groups, BUFFER(self->excess),
                         ARGUMENT(bodies), BUFFER(self->islands), BUFFER(self->ranks), BUFFER(self->units),
                         ARGUMENT(bits), BUFFER(report->buffer)));
    return PRIMITIVE_LAUNCH(primitives, PRIMITIVE_excess_excess_judge, groups, BUFFER(self->units),
                            ARGUMENT(bodies), BUFFER(report->buffer));
}

scree_result opencl_excess_find(opencl_excess *self, cl_uint bodies, const opencl_buffer *pairs,
                                device_length length, const opencl_report *report) {
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_excess_excess_join,
                         primitive_groups(self->primitives, length.capacity, TILE_GROUP), BUFFER(*pairs),
                         LENGTH(length), BUFFER(self->islands), BUFFER(report->buffer)));
    return sum_islands(self, bodies, report);
}

scree_result opencl_excess_weigh(opencl_excess *self, const weighed_problem *p, const opencl_report *report) {
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_weigh_weigh_bodies,
                         primitive_groups(self->primitives, p->bodies, TILE_GROUP), BUFFER(*p->blocks),
                         BUFFER(*p->rows), BUFFER(*p->impulses), BUFFER(*p->incidence_first),
                         BUFFER(*p->incidence), BUFFER(*p->mobility), BUFFER(*p->free_velocity),
                         BUFFER(*p->types), ARGUMENT(p->bodies), BUFFER(self->excess), BUFFER(self->ranks),
                         BUFFER(self->units), BUFFER(report->buffer)));
    return sum_islands(self, p->bodies, report);
}
