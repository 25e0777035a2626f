/* Reductions, scans, compaction and segmented minima on the device. */
#include "opencl_primitives.h"

#include "base/error.h"

/* Reduces the ranges of `groups` work-groups to self->parts. */
static scree_result reduce_parts(opencl_primitives *self, cl_int operation, const opencl_buffer *items,
                                 device_length length, cl_uint groups) {
    TRY(opencl_buffer_reserve(self->device, &self->parts, groups * sizeof(cl_uint), "parts"));
    return PRIMITIVE_LAUNCH(self, PRIMITIVE_scan_reduce_parts, groups, BUFFER(*items), LENGTH(length),
                            ARGUMENT(operation), BUFFER(self->parts));
}

scree_result opencl_reduce(opencl_primitives *self, int operation, const opencl_buffer *items,
                           device_length length, device_word result) {
    const cl_uint groups = primitive_groups(self, length.capacity, SCAN_TILE);
    const cl_int total = operation == REDUCE_COUNT ? REDUCE_SUM : operation;
    TRY(reduce_parts(self, operation, items, length, groups));
    return PRIMITIVE_LAUNCH(self, PRIMITIVE_scan_reduce_total, 1, BUFFER(self->parts), ARGUMENT(groups),
                            ARGUMENT(total), WORD(result));
}

static scree_result scan(opencl_primitives *self, cl_int operation, primitive_kernel kernel,
                         const opencl_buffer *items, device_length length, const opencl_buffer *out,
                         device_word total) {
    const cl_uint groups = primitive_groups(self, length.capacity, SCAN_TILE);
    TRY(reduce_parts(self, operation, items, length, groups));
    return PRIMITIVE_LAUNCH(self, kernel, groups, BUFFER(*items), LENGTH(length), BUFFER(self->parts),
                            BUFFER(*out), WORD(total));
}

scree_result opencl_scan(opencl_primitives *self, const opencl_buffer *items, device_length length,
                         const opencl_buffer *out, device_word total) {
    return scan(self, REDUCE_SUM, PRIMITIVE_scan_scan_write, items, length, out, total);
}

scree_result opencl_compact(opencl_primitives *self, const opencl_buffer *flags, device_length length,
                            const opencl_buffer *indices, device_word total) {
    return scan(self, REDUCE_COUNT, PRIMITIVE_scan_compact_write, flags, length, indices, total);
}

scree_result opencl_segment_minimum(opencl_primitives *self, const opencl_buffer *values,
                                    const opencl_buffer *ids, device_length length,
                                    const opencl_buffer *minima, device_length segments) {
    TRY(PRIMITIVE_LAUNCH(self, PRIMITIVE_scan_segment_clear,
                         primitive_groups(self, segments.capacity, SCAN_TILE), BUFFER(*minima),
                         LENGTH(segments)));
    return PRIMITIVE_LAUNCH(self, PRIMITIVE_scan_segment_minimum,
                            primitive_groups(self, length.capacity, SCAN_TILE), BUFFER(*values), BUFFER(*ids),
                            LENGTH(length), BUFFER(*minima), LENGTH(segments));
}
