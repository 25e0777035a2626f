/* The stack of device memory that stages use in turn. */
#include "opencl_group.h"

#include "base/error.h"

enum { SMALLEST_CHUNK = 1 << 16 };

/* Returns a part's memory, or null. Steps take their parts in the same order. */
static cl_mem cached(opencl_scratch *self, int chunk, size_t first, size_t bytes) {
    for (int i = 0; i < self->part_count; i++) {
        const int at = (self->next + i) % self->part_count;
        const scratch_part *part = &self->parts[at];
        if (part->chunk != chunk || part->first != first || part->bytes != bytes) continue;
        self->next = at + 1;
        return part->memory;
    }
    return NULL;
}

/* Drops the parts from the top on, which are free. */
static void drop_parts(opencl_scratch *self) {
    int kept = 0;
    for (int i = 0; i < self->part_count; i++) {
        const scratch_part *part = &self->parts[i];
        if (part->first < self->chunks[part->chunk].used)
            self->parts[kept++] = *part;
        else
            clReleaseMemObject(part->memory);
    }
    self->part_count = kept;
}

static scree_result make_part(opencl_scratch *self, int chunk, size_t first, size_t bytes, const char *what,
                              cl_mem *out) {
    const cl_buffer_region region = {first, bytes};
    cl_int code = CL_SUCCESS;
    *out = cached(self, chunk, first, bytes);
    if (*out) return SCREE_OK;
    if (self->part_count == SCRATCH_PARTS) drop_parts(self);
    if (self->part_count == SCRATCH_PARTS)
        return fail(SCREE_ERROR_DEVICE_MEMORY, "parts of device memory: more than %d", SCRATCH_PARTS);
    if (opencl_command_refused()) return opencl_fail(CL_OUT_OF_RESOURCES, what);
    *out = clCreateSubBuffer(self->chunks[chunk].memory, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                             &region, &code);
    if (code != CL_SUCCESS) return opencl_fail(code, what);
    self->parts[self->part_count++] = (scratch_part){chunk, first, bytes, *out};
    return SCREE_OK;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static size_t sum_of(const opencl_scratch *self, bool used) {
    size_t sum = 0;
    for (int i = 0; i < self->chunk_count; i++) sum += used ? self->chunks[i].used : self->chunks[i].bytes;
    return sum;
}

/* Adds a chunk with at least `bytes`: as many as the last steps have needed, if they fit. */
static scree_result add_chunk(opencl_device *device, size_t bytes, const char *what) {
    opencl_scratch *self = &device->scratch;
    const uint64_t available = opencl_memory_available(device);
    scratch_chunk *chunk = &self->chunks[self->chunk_count];
    const size_t ample = larger(larger(self->wanted, sum_of(self, false) / 4), larger(bytes, SMALLEST_CHUNK));
    if (self->chunk_count == SCRATCH_CHUNKS)
        return fail(SCREE_ERROR_DEVICE_MEMORY, "chunks of device memory: more than %d", SCRATCH_CHUNKS);
    *chunk = (scratch_chunk){.bytes = ample <= available ? ample : bytes};
    TRY(opencl_memory_allocate(device, chunk->bytes, what, &chunk->memory));
    self->chunk_count++;
    self->wanted = 0;
    return SCREE_OK;
}

/* Moves the top to a chunk in which the bytes fit. */
static scree_result find_chunk(opencl_device *device, size_t bytes, const char *what) {
    opencl_scratch *self = &device->scratch;
    while (self->at < self->chunk_count && self->chunks[self->at].bytes - self->chunks[self->at].used < bytes)
        self->at++;
    return self->at < self->chunk_count ? SCREE_OK : add_chunk(device, bytes, what);
}

scree_result opencl_buffer_share(opencl_device *device, opencl_buffer *buffer, size_t bytes,
                                 const char *what) {
    opencl_scratch *self = &device->scratch;
    const size_t aligned = device->alignment, whole = (bytes / aligned + 1) * aligned;
    cl_mem memory;
    opencl_buffer_release(device, buffer);
    TRY(find_chunk(device, whole, what));
    scratch_chunk *chunk = &self->chunks[self->at];
    if (device->member)
        memory = member_memory(member_place(chunk->memory, chunk->used));
    else
        TRY(make_part(self, self->at, chunk->used, whole, what, &memory));
    chunk->used += whole;
    self->peak = larger(self->peak, sum_of(self, true));
    *buffer = (opencl_buffer){memory, whole, self->epoch};
    return SCREE_OK;
}

scratch_mark opencl_scratch_mark(const opencl_device *device) {
    const opencl_scratch *self = &device->scratch;
    return (scratch_mark){self->at, self->at < self->chunk_count ? self->chunks[self->at].used : 0};
}

void opencl_scratch_reset(opencl_device *device, scratch_mark mark) {
    opencl_scratch *self = &device->scratch;
    for (int i = mark.chunk; i < self->chunk_count; i++)
        self->chunks[i].used = i == mark.chunk ? mark.used : 0;
    self->at = mark.chunk;
}

static void drop_chunks(opencl_device *device) {
    opencl_scratch *self = &device->scratch;
    opencl_scratch_reset(device, (scratch_mark){0});
    drop_parts(self);
    for (int i = 0; i < self->chunk_count; i++) {
        opencl_memory_free(device, self->chunks[i].memory, self->chunks[i].bytes);
    }
    self->chunk_count = 0;
}

void opencl_scratch_clear(opencl_device *device) {
    opencl_scratch *self = &device->scratch;
    const size_t wanted = self->peak + self->peak / 16;
    opencl_scratch_reset(device, (scratch_mark){0});
    if (self->chunk_count > 1 && wanted <= device->info.max_allocation) {
        drop_chunks(device);
        self->wanted = wanted;
    }
    if (self->part_count > SCRATCH_PARTS / 2) drop_parts(self);
    self->peak = 0;
    self->epoch++;
}

void opencl_scratch_release(opencl_device *device) {
    drop_chunks(device);
    device->scratch = (opencl_scratch){.epoch = device->scratch.epoch + 1};
}
