#include "opencl_staging.h"

#include <string.h>

enum { APART = 64 }; /* bytes: copies are aligned to cache lines */

static unsigned char *take(opencl_staging *self, size_t bytes) {
    const size_t whole = (bytes + APART - 1) / APART * APART;
    self->wanted += whole;
    if (!self->on || self->bytes - self->used < whole) return NULL;
    unsigned char *out = self->scratch + self->used;
    self->used += whole;
    self->passed += bytes;
    return out;
}

const void *opencl_staging_send(opencl_staging *self, const void *from, size_t bytes) {
    unsigned char *place = take(self, bytes);
    return place ? memcpy(place, from, bytes) : NULL;
}

void *opencl_staging_fetch(opencl_staging *self, void *to, size_t bytes) {
    if (self->fetch_count == STAGED_FETCHES) return NULL;
    void *place = take(self, bytes);
    if (place) self->fetches[self->fetch_count++] = (staged_fetch){place, to, bytes};
    return place;
}

/* Grows to 1.5 times the wanted size, so that a slowly growing pile does not reallocate in every step.
 * Without memory, staging is turned off. */
static void grow(opencl_staging *self, cl_context context, cl_command_queue queue) {
    const size_t bytes = self->wanted + self->wanted / 2;
    cl_int code;
    opencl_staging_release(self, queue);
    cl_mem memory = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &code);
    if (code != CL_SUCCESS) return;
    void *scratch = clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL,
                                       NULL, &code);
    if (code == CL_SUCCESS)
        self->memory = memory, self->scratch = scratch, self->bytes = bytes, self->on = true;
    else
        clReleaseMemObject(memory);
}

void opencl_staging_settle(opencl_staging *self, cl_context context, cl_command_queue queue) {
    for (int i = 0; i < self->fetch_count; i++)
        memcpy(self->fetches[i].to, self->fetches[i].scratch, self->fetches[i].bytes);
    if (self->on && self->wanted > self->bytes) grow(self, context, queue);
    opencl_staging_drop(self);
}

void opencl_staging_drop(opencl_staging *self) { self->used = self->wanted = 0, self->fetch_count = 0; }

void opencl_staging_release(opencl_staging *self, cl_command_queue queue) {
    if (self->memory) {
        clEnqueueUnmapMemObject(queue, self->memory, self->scratch, 0, NULL, NULL);
        clFinish(queue);
        clReleaseMemObject(self->memory);
    }
    self->memory = NULL, self->scratch = NULL, self->bytes = 0, self->on = false;
}
