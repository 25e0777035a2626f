/* Stable radix sorts on the device, from the lowest digit on. */
#include "opencl_primitives.h"

#include "base/error.h"

#include <assert.h>

/* One pass over the digit of `bits` bits from `shift` on. */
typedef struct sort_pass {
    bool wide;   /* 64-bit keys */
    cl_int rows; /* the counts are added by a launch of their own */
    cl_uint groups, shift, bits;
} sort_pass;

static scree_result reserve(opencl_primitives *self, sort_pass first, size_t capacity) {
    const size_t word = sizeof(cl_uint);
    TRY(opencl_buffer_reserve(self->device, &self->counts, SORT_DIGITS * first.groups * word,
                              "digit counts"));
    TRY(opencl_buffer_reserve(self->device, &self->totals, SORT_DIGITS * word, "digit totals"));
    TRY(opencl_buffer_reserve(self->device, &self->keys, capacity * word * (first.wide ? 2 : 1),
                              "sorted keys"));
    return opencl_buffer_reserve(self->device, &self->values, capacity * word, "sorted values");
}

static void exchange(opencl_buffer *a, opencl_buffer *b) {
    const opencl_buffer kept = *a;
    *a = *b;
    *b = kept;
}

static scree_result sort_pass_run(opencl_primitives *self, sort_pass pass, opencl_buffer *keys,
                                  opencl_buffer *values, device_length length) {
    const bool wide = pass.wide;
    TRY(PRIMITIVE_LAUNCH(self, wide ? PRIMITIVE_sort64_sort_count : PRIMITIVE_sort32_sort_count, pass.groups,
                         BUFFER(*keys), LENGTH(length), ARGUMENT(pass.shift), ARGUMENT(pass.bits),
                         ARGUMENT(pass.rows), BUFFER(self->counts)));
    if (pass.rows)
        TRY(PRIMITIVE_LAUNCH(self, wide ? PRIMITIVE_sort64_sort_rows : PRIMITIVE_sort32_sort_rows,
                             1u << pass.bits, BUFFER(self->counts), ARGUMENT(pass.groups),
                             BUFFER(self->totals)));
    TRY(PRIMITIVE_LAUNCH(self, wide ? PRIMITIVE_sort64_sort_scatter : PRIMITIVE_sort32_sort_scatter,
                         pass.groups, BUFFER(*keys), BUFFER(*values), LENGTH(length), ARGUMENT(pass.shift),
                         ARGUMENT(pass.bits), ARGUMENT(pass.rows), BUFFER(self->counts), BUFFER(self->totals),
                         BUFFER(self->keys), BUFFER(self->values)));
    exchange(keys, &self->keys);
    exchange(values, &self->values);
    return SCREE_OK;
}

scree_result opencl_sort(opencl_primitives *self, int key_bits, opencl_buffer *keys, opencl_buffer *values,
                         device_length length, int bits) {
    const cl_uint passes = ((cl_uint)bits + SORT_BITS - 1) / SORT_BITS;
    sort_pass pass = {.wide = key_bits == 64, .groups = primitive_groups(self, length.capacity, SORT_TILE)};
    assert((key_bits == 32 || key_bits == 64) && bits >= 0 && bits <= key_bits);
    pass.rows = pass.groups > self->direct_groups;
    if (passes == 0 || length.capacity == 0) return SCREE_OK;
    TRY(reserve(self, pass, length.capacity));
    for (cl_uint left = (cl_uint)bits, k = passes; k > 0; k--) {
        pass.bits = (left + k - 1) / k; /* digits of nearly equal lengths */
        TRY(sort_pass_run(self, pass, keys, values, length));
        pass.shift += pass.bits;
        left -= pass.bits;
    }
    return SCREE_OK;
}

scree_result opencl_sort_share(opencl_primitives *self, cl_uint capacity) {
    const size_t bytes = (size_t)capacity * sizeof(cl_uint);
    TRY(opencl_buffer_share(self->device, &self->keys, bytes, "sorted keys"));
    return opencl_buffer_share(self->device, &self->values, bytes, "sorted values");
}

void opencl_sort_leave(opencl_primitives *self) {
    opencl_buffer_release(self->device, &self->keys);
    opencl_buffer_release(self->device, &self->values);
}
