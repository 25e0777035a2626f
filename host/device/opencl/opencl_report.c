/* The report of a step on the device. */
#include "opencl_report.h"

#include "base/error.h"

void opencl_report_open(opencl_report *self, opencl_primitives *primitives) {
    *self = (opencl_report){.primitives = primitives};
}

void opencl_report_close(opencl_report *self) {
    if (self->primitives) opencl_buffer_release(self->primitives->device, &self->buffer);
    *self = (opencl_report){0};
}

scree_result opencl_report_begin(opencl_report *self) {
    opencl_device *device = self->primitives->device;
    TRY(opencl_buffer_reserve(device, &self->buffer, sizeof(step_report), "report of a step"));
    return opencl_buffer_clear(device, &self->buffer, REPORT_WORDS * sizeof(cl_uint), "report of a step");
}

scree_result opencl_report_fetch(opencl_report *self, bool sums, step_report *out) {
    const size_t bytes = sums ? sizeof *out : sizeof out->words;
    return opencl_buffer_read(self->primitives->device, &self->buffer, out, bytes, CL_FALSE,
                              "report of a step");
}
