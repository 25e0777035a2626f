/* scree-device-costs: what one launch, copy, wait, dependent load and barrier costs on an OpenCL device.
 *
 * scree-device-costs [DEVICE] measures device number DEVICE (default 0; `scree devices` lists them) and
 * prints one line per cost: name, median of seven repetitions, unit. These are the parameters of a model of a
 * step. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 7, LAUNCHES = 1000, CHASE = 20000 };
static const size_t MIB = (size_t)1 << 20;

static const char *const source =
    "kernel void empty(global uint *a) { if (get_global_id(0) == 0xffffffffu) a[0] = 1; }\n"
    "kernel void copy(global const float4 *restrict a, global float4 *restrict b, uint n) {\n"
    "    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) b[i] = a[i];\n"
    "}\n"
    "kernel void chase(global const uint *a, global uint *out, uint n) {\n"
    "    uint at = get_global_id(0);\n"
    "    for (uint i = 0; i < n; ++i) at = a[at];\n"
    "    out[get_global_id(0)] = at;\n"
    "}\n"
    /* Each item reads two records of 32 bytes at hashed places, as a sweep reads two bodies. */
    "kernel void gather(global const float4 *a, global float4 *out, uint mask) {\n"
    "    uint i = get_global_id(0), x = i * 2654435761u, y = (i ^ 0x5bd1e995u) * 2246822519u;\n"
    "    x = (x ^ x >> 15) & mask, y = (y ^ y >> 13) & mask;\n"
    "    out[i] = a[2 * x] + a[2 * x + 1] + a[2 * y] + a[2 * y + 1];\n"
    "}\n"
    "kernel void barriers(global uint *out, uint n) {\n"
    "    local uint box[256];\n"
    "    uint l = get_local_id(0), sum = l;\n"
    "    for (uint i = 0; i < n; ++i) {\n"
    "        box[l] = sum;\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "        sum += box[(l + 1) & 255];\n"
    "        barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    }\n"
    "    out[get_global_id(0)] = sum;\n"
    "}\n"
    "kernel void count(global uint *counter) { atomic_inc(counter); }\n";

typedef struct rig {
    cl_context context;
    cl_command_queue queue;
    cl_device_id device;
    cl_program program;
} rig;

static void check(cl_int status, const char *call) {
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "scree-device-costs: %s: error %d\n", call, (int)status);
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static cl_device_id device_number(unsigned number) {
    cl_platform_id platforms[16];
    cl_uint platform_count = 0;
    check(clGetPlatformIDs(16, platforms, &platform_count), "clGetPlatformIDs");
    for (cl_uint p = 0; p < platform_count; ++p) {
        cl_device_id devices[16];
        cl_uint count = 0;
        if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 16, devices, &count) != CL_SUCCESS) continue;
        if (number < count) return devices[number];
        number -= count;
    }
    fprintf(stderr, "scree-device-costs: no such device\n");
    exit(2);
}

static void print_text(cl_device_id device, cl_device_info what, const char *name) {
    char text[8192] = "";
    clGetDeviceInfo(device, what, sizeof text - 1, text, NULL);
    printf("%s: %s\n", name, text);
}

static void print_number(cl_device_id device, cl_device_info what, const char *name) {
    cl_ulong number = 0;
    clGetDeviceInfo(device, what, sizeof number, &number, NULL);
    printf("%s: %llu\n", name, (unsigned long long)number);
}

static void describe(cl_device_id device) {
    print_text(device, CL_DEVICE_NAME, "device");
    print_text(device, CL_DRIVER_VERSION, "driver");
    print_text(device, CL_DEVICE_VERSION, "version");
    print_text(device, CL_DEVICE_OPENCL_C_VERSION, "OpenCL C");
    print_text(device, CL_DEVICE_EXTENSIONS, "extensions");
    print_number(device, CL_DEVICE_MAX_COMPUTE_UNITS, "compute units");
    print_number(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, "largest work-group");
    print_number(device, CL_DEVICE_LOCAL_MEM_SIZE, "local memory, B");
    print_number(device, CL_DEVICE_GLOBAL_MEM_SIZE, "memory, B");
    print_number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, "largest buffer, B");
    print_number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, "cache, B");
    print_number(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, "alignment of buffers, bits");
}

static rig open_rig(unsigned number) {
    rig self = {.device = device_number(number)};
    cl_int status;
    self.context = clCreateContext(NULL, 1, &self.device, NULL, NULL, &status);
    check(status, "clCreateContext");
    self.queue = clCreateCommandQueue(self.context, self.device, 0, &status);
    check(status, "clCreateCommandQueue");
    const char *text = source;
    self.program = clCreateProgramWithSource(self.context, 1, &text, NULL, &status);
    check(status, "clCreateProgramWithSource");
    check(clBuildProgram(self.program, 1, &self.device, "-cl-std=CL1.2", NULL, NULL), "clBuildProgram");
    return self;
}

static cl_mem buffer_of(rig *self, size_t bytes, cl_mem_flags flags) {
    cl_int status;
    cl_mem buffer = clCreateBuffer(self->context, CL_MEM_READ_WRITE | flags, bytes, NULL, &status);
    check(status, "clCreateBuffer");
    const cl_uint zero = 0;
    check(clEnqueueFillBuffer(self->queue, buffer, &zero, sizeof zero, 0, bytes, 0, NULL, NULL),
          "clEnqueueFillBuffer");
    clFinish(self->queue);
    return buffer;
}

static cl_kernel kernel_of(rig *self, const char *name, cl_mem a, cl_mem b, cl_uint n) {
    cl_int status;
    cl_kernel kernel = clCreateKernel(self->program, name, &status);
    check(status, "clCreateKernel");
    cl_uint at = 0;
    if (a) check(clSetKernelArg(kernel, at++, sizeof a, &a), "clSetKernelArg");
    if (b) check(clSetKernelArg(kernel, at++, sizeof b, &b), "clSetKernelArg");
    if (n) check(clSetKernelArg(kernel, at, sizeof n, &n), "clSetKernelArg");
    return kernel;
}

static void launch(rig *self, cl_kernel kernel, size_t items, size_t group) {
    check(clEnqueueNDRangeKernel(self->queue, kernel, 1, NULL, &items, &group, 0, NULL, NULL),
          "clEnqueueNDRangeKernel");
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Prints the median of REPEATS values of `measure(self, context)`. */
static void report(rig *self, const char *name, const char *unit, double (*measure)(rig *, void *),
                   void *context) {
    double values[REPEATS];
    (void)measure(self, context);
    for (int i = 0; i < REPEATS; ++i) values[i] = measure(self, context);
    qsort(values, REPEATS, sizeof *values, compare);
    printf("%s: %.4g %s (%.4g to %.4g)\n", name, values[REPEATS / 2], unit, values[0], values[REPEATS - 1]);
    fflush(stdout);
}

/* One kernel and how it is launched. A cost is its time times `scale`, a rate `scale` over its time. */
typedef struct work {
    cl_kernel kernel;
    size_t items, group;
    int launches, wait_each;
    cl_mem read;
    double scale;
} work;

static double seconds_of(rig *self, const work *job) {
    cl_uint word[16];
    clFinish(self->queue);
    const double start = now();
    for (int i = 0; i < job->launches; ++i) {
        launch(self, job->kernel, job->items, job->group);
        if (job->read)
            clEnqueueReadBuffer(self->queue, job->read, CL_FALSE, 0, sizeof word, word, 0, NULL, NULL);
        if (job->wait_each) clFinish(self->queue);
    }
    clFinish(self->queue);
    return now() - start;
}
static double scaled_time(rig *self, void *context) {
    return seconds_of(self, context) * ((work *)context)->scale;
}
static double scaled_rate(rig *self, void *context) {
    return ((work *)context)->scale / seconds_of(self, context);
}

static void launches(rig *self) {
    cl_mem word = buffer_of(self, 4096, 0);
    work empty = {kernel_of(self, "empty", word, NULL, 0), 256, 64, LAUNCHES, 0, NULL, 1e6 / LAUNCHES};
    report(self, "launch, in a row", "us", scaled_time, &empty);
    empty.items = 1 << 20;
    report(self, "launch of 2^20 empty items", "us", scaled_time, &empty);
    empty.items = 256, empty.wait_each = 1;
    report(self, "launch and wait", "us", scaled_time, &empty);
    empty.wait_each = 0, empty.read = word;
    report(self, "launch and 64 bytes back, no wait", "us", scaled_time, &empty);
    empty.wait_each = 1;
    report(self, "launch, 64 bytes back, wait", "us", scaled_time, &empty);
}

static void copies(rig *self) {
    for (size_t bytes = 4 * MIB; bytes <= 512 * MIB; bytes *= 128) {
        cl_mem a = buffer_of(self, bytes, 0), b = buffer_of(self, bytes, 0);
        work copy = {kernel_of(self, "copy", a, b, (cl_uint)(bytes / 16)),
                     1 << 19,
                     256,
                     20,
                     0,
                     NULL,
                     20 * 2e-9 * (double)bytes};
        char name[64];
        snprintf(name, sizeof name, "copy of %zu MiB, read and written", bytes / MIB);
        report(self, name, "GB/s", scaled_rate, &copy);
        clReleaseMemObject(a), clReleaseMemObject(b);
    }
}

/* Time of a dependent load from `bytes` of memory, with `items` walkers. */
static void chases(rig *self, size_t bytes, size_t items) {
    const cl_uint n = (cl_uint)(bytes / 4);
    cl_uint *next = malloc(bytes), *order = malloc(bytes), state = 12345;
    if (!next || !order) exit(1);
    for (cl_uint i = 0; i < n; ++i) order[i] = i;
    for (cl_uint i = n - 1; i > 0; --i) {
        state = state * 1664525u + 1013904223u;
        const cl_uint j = (cl_uint)(((cl_ulong)state * (i + 1)) >> 32), swap = order[i];
        order[i] = order[j], order[j] = swap;
    }
    for (cl_uint i = 0; i < n; ++i) next[order[i]] = order[(i + 1) % n];
    cl_mem memory = buffer_of(self, bytes, 0), out = buffer_of(self, 4 * items, 0);
    clEnqueueWriteBuffer(self->queue, memory, CL_TRUE, 0, bytes, next, 0, NULL, NULL);
    work chase = {kernel_of(self, "chase", memory, out, CHASE),
                  items,
                  items < 32 ? items : 32,
                  1,
                  0,
                  NULL,
                  1e9 / CHASE};
    char name[64];
    snprintf(name, sizeof name, "dependent load from %zu KiB, %zu items", bytes >> 10, items);
    report(self, name, "ns", scaled_time, &chase);
    free(next), free(order);
    clReleaseMemObject(memory), clReleaseMemObject(out);
}

/* Pairs of 32-byte records gathered a second: from cache and from memory, for few and many items. */
static void gathers(rig *self) {
    for (size_t records = 1 << 15; records <= (size_t)1 << 22; records <<= 7)
        for (size_t items = 1 << 12; items <= (size_t)1 << 21; items <<= 3) {
            cl_mem a = buffer_of(self, 32 * records, 0), out = buffer_of(self, 16 * items, 0);
            work gather = {
                kernel_of(self, "gather", a, out, (cl_uint)records - 1), items, 64, 200, 0, NULL, 1e6 / 200};
            char name[96];
            snprintf(name, sizeof name, "%zu items each gather 2 of %zu records of 32 B", items, records);
            report(self, name, "us", scaled_time, &gather);
            clReleaseMemObject(a), clReleaseMemObject(out);
        }
}

static void barriers(rig *self) {
    cl_mem out = buffer_of(self, 4 * 65536, 0);
    work job = {kernel_of(self, "barriers", out, NULL, 1000), 256, 256, 1, 0, NULL, 1e9 / 2000};
    report(self, "barrier of 256 items", "ns", scaled_time, &job);
    cl_mem counter = buffer_of(self, 4096, 0);
    const size_t items = 1 << 20;
    job.kernel = kernel_of(self, "count", counter, NULL, 0), job.items = items, job.group = 64,
    job.scale = 1e9 / (double)items;
    report(self, "atomic increment of one word", "ns", scaled_time, &job);
}

typedef struct transfer_work {
    cl_mem buffer;
    void *host;
    size_t bytes;
    int up;
} transfer_work;

static double transfer_rate(rig *self, void *context) {
    const transfer_work *job = context;
    const double start = now();
    if (job->up)
        clEnqueueWriteBuffer(self->queue, job->buffer, CL_TRUE, 0, job->bytes, job->host, 0, NULL, NULL);
    else
        clEnqueueReadBuffer(self->queue, job->buffer, CL_TRUE, 0, job->bytes, job->host, 0, NULL, NULL);
    return 1e-9 * (double)job->bytes / (now() - start);
}

static void transfers(rig *self) {
    const size_t bytes = 256 * MIB;
    cl_int status;
    cl_mem device = buffer_of(self, bytes, 0), pinned = buffer_of(self, bytes, CL_MEM_ALLOC_HOST_PTR);
    void *host = clEnqueueMapBuffer(self->queue, pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                    NULL, NULL, &status);
    check(status, "clEnqueueMapBuffer");
    void *pageable = malloc(bytes);
    if (!pageable) exit(1);
    memset(pageable, 1, bytes), memset(host, 1, bytes);
    for (int up = 0; up < 2; ++up)
        for (int pin = 0; pin < 2; ++pin) {
            transfer_work job = {device, pin ? host : pageable, bytes, up};
            char name[64];
            snprintf(name, sizeof name, "%s, %s host memory", up ? "upload" : "download",
                     pin ? "pinned" : "pageable");
            report(self, name, "GB/s", transfer_rate, &job);
        }
    free(pageable);
}

int main(int argc, char **argv) {
    rig self = open_rig(argc > 1 ? (unsigned)atoi(argv[1]) : 0);
    describe(self.device);
    launches(&self);
    barriers(&self);
    copies(&self);
    transfers(&self);
    chases(&self, 64 << 10, 1), chases(&self, 16 * MIB, 1), chases(&self, 256 * MIB, 1),
        chases(&self, 256 * MIB, 8192);
    gathers(&self);
    return 0;
}
