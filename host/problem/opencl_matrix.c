/* The launches over a matrix on a device, with the operations of native_matrix.c in the same order. */
#include "matrix_executor.h"

#include "base/memory.h"
#include "matrix.h"
#include "device/opencl/opencl_device.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    ITERATE_ROWS = 1024,      /* most rows for which one work-group runs whole iterations */
    ITERATE_ITEMS = 256,      /* its size */
    ITERATE_ITERATIONS = 100, /* per launch: a GPU that also drives a display must not hang */
    KERNEL_ARGUMENTS = 24
};

#define MATRIX_KERNELS(X)                                                                                    \
    X(prepare)                                                                                               \
    X(gather) X(sweep) X(update) X(uphill_chunks) X(nesterov) X(extrapolate) X(residuals) X(iterate)
#define MATRIX_BUFFERS(X)                                                                                    \
    X(rows)                                                                                                  \
    X(diagonal)                                                                                              \
    X(drive)                                                                                                 \
    X(friction)                                                                                              \
    X(rolling)                                                                                               \
    X(spinning)                                                                                              \
    X(split_count)                                                                                           \
    X(low)                                                                                                   \
    X(high)                                                                                                  \
    X(first)                                                                                                 \
    X(kind)                                                                                                  \
    X(partner)                                                                                               \
    X(entries)                                                                                               \
    X(columns)                                                                                               \
    X(colour_first)                                                                                          \
    X(impulses)                                                                                              \
    X(kept)                                                                                                  \
    X(starts)                                                                                                \
    X(before)                                                                                                \
    X(best)                                                                                                  \
    X(velocities)                                                                                            \
    X(velocities_before)                                                                                     \
    X(uphill)                                                                                                \
    X(chunks)                                                                                                \
    X(nesterov)

#define KERNEL_ENUM(name) KERNEL_##name,
#define KERNEL_NAME(name) "matrix_" #name,
#define BUFFER_FIELD(name) opencl_buffer name;
enum { MATRIX_KERNELS(KERNEL_ENUM) KERNEL_COUNT };
static const char *const kernel_names[] = {MATRIX_KERNELS(KERNEL_NAME)};

typedef struct opencl_matrix {
    matrix_executor base;
    opencl_device device;
    cl_program program;
    cl_kernel kernels[KERNEL_COUNT];
    bool fp64;            /* the scalar is double */
    size_t iterate_items; /* size of the work-group that runs whole iterations */
    bool gathered;        /* velocities match the impulses */
    struct {
        MATRIX_BUFFERS(BUFFER_FIELD)
    } on;
    double *numbers; /* space for 4 numbers per row and for all sums */
    residual_sum *sums;
} opencl_matrix;

static opencl_matrix *opencl_of(executor *self) {
    return (opencl_matrix *)((char *)self - offsetof(matrix_executor, executor));
}

static size_t scalar_size(const opencl_matrix *self) { return self->fp64 ? sizeof(double) : sizeof(float); }

static int chunk_count(const opencl_matrix *self) {
    return (self->base.a->count + MATRIX_CHUNK - 1) / MATRIX_CHUNK;
}

#define OWN(name) BUFFER(self->on.name)

static scree_result launch(opencl_matrix *self, int kernel, size_t global, size_t local,
                           const kernel_argument *arguments, int count) {
    return opencl_launch(&self->device, self->kernels[kernel], kernel_names[kernel], global, local, arguments,
                         count);
}

#define LAUNCH(kernel, items, arguments)                                                                     \
    launch(self, kernel, ((size_t)(items) + WORK_GROUP - 1) / WORK_GROUP * WORK_GROUP, WORK_GROUP,           \
           arguments, (int)(sizeof(arguments) / sizeof *(arguments)))

/* Converts the host's doubles to the device's scalars. */
static scree_result write_scalars(opencl_matrix *self, opencl_buffer *buffer, const double *values,
                                  size_t count, const char *what) {
    if (self->fp64)
        return opencl_buffer_write(&self->device, buffer, values, count * sizeof *values, CL_TRUE, what);
    float *narrow = memory_allocate(count, sizeof *narrow);
    if (!narrow) return fail(SCREE_ERROR_MEMORY, "out of memory: %s", what);
    for (size_t i = 0; i < count; i++) narrow[i] = (float)values[i];
    const scree_result result =
        opencl_buffer_write(&self->device, buffer, narrow, count * sizeof *narrow, CL_TRUE, what);
    memory_release(narrow);
    return result;
}

/* `wide`: the buffer's numbers are double. Floats are widened in place from the end: a number needs bytes
 * that only numbers before it still use. */
static scree_result read_numbers(opencl_matrix *self, const opencl_buffer *buffer, bool wide, double *values,
                                 size_t count, const char *what) {
    if (wide) return opencl_buffer_read(&self->device, buffer, values, count * sizeof *values, CL_TRUE, what);
    TRY(opencl_buffer_read(&self->device, buffer, values, count * sizeof(float), CL_TRUE, what));
    for (size_t i = count; i-- > 0;) {
        float narrow;
        memcpy(&narrow, (const char *)values + i * sizeof narrow, sizeof narrow);
        values[i] = (double)narrow;
    }
    return SCREE_OK;
}

static scree_result copy(opencl_matrix *self, const opencl_buffer *to, const opencl_buffer *from) {
    const cl_int code =
        clEnqueueCopyBuffer(self->device.queue, from->memory, to->memory, 0, 0,
                            4 * scalar_size(self) * (size_t)self->base.a->count, 0, NULL, NULL);
    return code == CL_SUCCESS ? SCREE_OK : opencl_fail(code, "copying the impulses of a matrix");
}

/* Sets {t = 1, β = 0}; also `restarts` if requested. */
static scree_result reset_nesterov(opencl_matrix *self, bool restarts) {
    const struct {
        double t, extrapolation;
        int restarts, reserved;
    } wide = {.t = 1};
    const nesterov_state narrow = {.t = 1};
    const size_t bytes = 2 * scalar_size(self) + (restarts ? 2 * sizeof(int) : 0);
    return opencl_buffer_write(&self->device, &self->on.nesterov,
                               self->fp64 ? (const void *)&wide : (const void *)&narrow, bytes, CL_TRUE,
                               "nesterov");
}

static scree_result begin(executor *base, struct problem *p, solve_parameters parameters) {
    opencl_matrix *self = opencl_of(base);
    (void)p;
    (void)parameters;
    const size_t n = (size_t)self->base.a->count;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 4; k++) self->numbers[4 * i + k] = k < 3 ? self->base.r[3 * i + k] : 0;
    self->gathered = false;
    TRY(reset_nesterov(self, true));
    TRY(write_scalars(self, &self->on.impulses, self->numbers, 4 * n, "impulses"));
    return copy(self, &self->on.kept, &self->on.impulses);
}

static scree_result gather(executor *base, solve_parameters parameters) {
    opencl_matrix *self = opencl_of(base);
    (void)parameters;
    const kernel_argument arguments[] = {OWN(rows),     OWN(entries),    OWN(columns),
                                         OWN(impulses), OWN(velocities), ARGUMENT(self->base.a->count)};
    self->gathered = true;
    return LAUNCH(KERNEL_gather, self->base.a->count, arguments);
}

static scree_result sweep(executor *base, int first, int count, solve_parameters parameters) {
    opencl_matrix *self = opencl_of(base);
    const kernel_argument arguments[] = {OWN(rows),      OWN(entries),         OWN(columns),
                                         OWN(impulses),  ARGUMENT(parameters), ARGUMENT(first),
                                         ARGUMENT(count)};
    self->gathered = false;
    return LAUNCH(KERNEL_sweep, count, arguments);
}

static scree_result update(executor *base, int first, int count, solve_parameters parameters) {
    opencl_matrix *self = opencl_of(base);
    const kernel_argument arguments[] = {
        OWN(rows), OWN(impulses), OWN(velocities), ARGUMENT(parameters), ARGUMENT(first), ARGUMENT(count)};
    self->gathered = false;
    return LAUNCH(KERNEL_update, count, arguments);
}

static scree_result keep(executor *base) {
    opencl_matrix *self = opencl_of(base);
    return copy(self, &self->on.kept, &self->on.impulses);
}

static scree_result best_keep(executor *base) {
    opencl_matrix *self = opencl_of(base);
    return copy(self, &self->on.best, &self->on.impulses);
}

static scree_result best_restore(executor *base) {
    opencl_matrix *self = opencl_of(base);
    self->gathered = false;
    return copy(self, &self->on.impulses, &self->on.best);
}

static scree_result extrapolate(opencl_matrix *self, solve_parameters parameters) {
    const kernel_argument arguments[] = {OWN(rows),
                                         OWN(nesterov),
                                         OWN(impulses),
                                         OWN(velocities),
                                         OWN(starts),
                                         OWN(before),
                                         OWN(velocities_before),
                                         ARGUMENT(parameters),
                                         ARGUMENT(self->base.a->count)};
    self->gathered = false;
    return LAUNCH(KERNEL_extrapolate, self->base.a->count, arguments);
}

static scree_result nesterov_begin(executor *base, solve_parameters parameters) {
    opencl_matrix *self = opencl_of(base);
    TRY(reset_nesterov(self, false));
    TRY(copy(self, &self->on.before, &self->on.impulses));
    TRY(copy(self, &self->on.velocities_before, &self->on.velocities));
    parameters.read_shift = 1;
    return extrapolate(self, parameters);
}

static scree_result nesterov_step(executor *base, solve_parameters parameters) {
    opencl_matrix *self = opencl_of(base);
    const int chunks = chunk_count(self), one = 1;
    if (parameters.read_shift && !self->gathered) TRY(gather(base, parameters));
    const kernel_argument sums[] = {OWN(rows),
                                    OWN(starts),
                                    OWN(impulses),
                                    OWN(before),
                                    OWN(uphill),
                                    ARGUMENT(parameters),
                                    ARGUMENT(self->base.a->count),
                                    ARGUMENT(chunks)};
    const kernel_argument next[] = {OWN(nesterov), OWN(uphill), ARGUMENT(parameters), ARGUMENT(chunks),
                                    ARGUMENT(one)};
    TRY(LAUNCH(KERNEL_uphill_chunks, chunks, sums));
    TRY(LAUNCH(KERNEL_nesterov, one, next));
    return extrapolate(self, parameters);
}

static scree_result nesterov_read(executor *base, nesterov_values *out) {
    opencl_matrix *self = opencl_of(base);
    char bytes[2 * sizeof(double) + 2 * sizeof(int)];
    TRY(opencl_buffer_read(&self->device, &self->on.nesterov, bytes, 2 * scalar_size(self) + 2 * sizeof(int),
                           CL_TRUE, "nesterov"));
    float narrow;
    memcpy(&narrow, bytes, sizeof narrow);
    out->t = (double)narrow;
    if (self->fp64) memcpy(&out->t, bytes, sizeof out->t);
    memcpy(&out->restarts, bytes + 2 * scalar_size(self), sizeof out->restarts);
    return SCREE_OK;
}

static scree_result residual(executor *base, solve_parameters parameters, residual_sum *out) {
    opencl_matrix *self = opencl_of(base);
    const int chunks = chunk_count(self);
    const kernel_argument arguments[] = {OWN(rows),
                                         OWN(impulses),
                                         OWN(kept),
                                         OWN(velocities),
                                         OWN(chunks),
                                         ARGUMENT(parameters),
                                         ARGUMENT(self->base.a->count),
                                         ARGUMENT(chunks)};
    TRY(LAUNCH(KERNEL_residuals, chunks, arguments));
    TRY(read_numbers(self, &self->on.chunks, self->device.info.fp64, (double *)self->sums,
                     RESIDUAL_NUMBERS * (size_t)chunks, "chunks"));
    residual_sum_total(self->sums, chunks, out);
    return SCREE_OK;
}

static scree_result end(executor *base, solve_parameters parameters) {
    opencl_matrix *self = opencl_of(base);
    (void)parameters;
    const size_t n = (size_t)self->base.a->count;
    TRY(read_numbers(self, &self->on.impulses, self->fp64, self->numbers, 4 * n, "impulses"));
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 3; k++) self->base.r[3 * i + k] = self->numbers[4 * i + k];
    return SCREE_OK;
}

/* Runs some of the iterations in one launch. */
static scree_result launch_iterations(opencl_matrix *self, iteration_run run, solve_parameters parameters,
                                      solve_parameters step) {
    const matrix_operator *a = self->base.a;
    const int kind = run.kind, nesterov = run.nesterov, fresh = run.fresh, shifts = run.shifts;
    const kernel_argument arguments[] = {OWN(rows),
                                         OWN(entries),
                                         OWN(columns),
                                         OWN(colour_first),
                                         OWN(impulses),
                                         OWN(velocities),
                                         OWN(starts),
                                         OWN(before),
                                         OWN(velocities_before),
                                         OWN(uphill),
                                         OWN(nesterov),
                                         ARGUMENT(parameters),
                                         ARGUMENT(step),
                                         ARGUMENT(kind),
                                         ARGUMENT(run.count),
                                         ARGUMENT(run.made),
                                         ARGUMENT(nesterov),
                                         ARGUMENT(fresh),
                                         ARGUMENT(shifts),
                                         ARGUMENT(a->colour_count),
                                         ARGUMENT(a->count)};
    return launch(self, KERNEL_iterate, self->iterate_items, self->iterate_items, arguments,
                  (int)(sizeof arguments / sizeof *arguments));
}

static scree_result iterate(executor *base, iteration_run run, solve_parameters parameters,
                            solve_parameters step, bool *done) {
    opencl_matrix *self = opencl_of(base);
    *done = self->base.a->count <= ITERATE_ROWS;
    if (!*done) return SCREE_OK;
    parameters.split = step.split;
    self->gathered = false;
    while (run.count > 0) {
        iteration_run slice = run;
        if (slice.count > ITERATE_ITERATIONS) slice.count = ITERATE_ITERATIONS;
        TRY(launch_iterations(self, slice, parameters, step));
        run.count -= slice.count;
        run.made += slice.count;
        run.fresh = false;
    }
    return SCREE_OK;
}

/* There is no uncoloured remainder to gather. */
static const executor_operations operations = {.begin = begin,
                                               .gather = gather,
                                               .regather = gather,
                                               .sweep = sweep,
                                               .update = update,
                                               .keep = keep,
                                               .nesterov_begin = nesterov_begin,
                                               .nesterov_step = nesterov_step,
                                               .nesterov_read = nesterov_read,
                                               .best_keep = best_keep,
                                               .best_restore = best_restore,
                                               .residual = residual,
                                               .end = end,
                                               .iterate = iterate};

static void destroy(matrix_executor *base) {
    opencl_matrix *self = (opencl_matrix *)base;
    opencl_device_abandon(&self->device);
#define RELEASE(name) opencl_buffer_release(&self->device, &self->on.name);
    MATRIX_BUFFERS(RELEASE)
    for (int i = 0; i < KERNEL_COUNT; i++)
        if (self->kernels[i]) clReleaseKernel(self->kernels[i]);
    if (self->program) clReleaseProgram(self->program);
    opencl_device_close(&self->device);
    memory_release(self->numbers);
    memory_release(self->sums);
    memory_release(self);
}

static scree_result write_integers(opencl_matrix *self, opencl_buffer *buffer, const int *values, int count,
                                   const char *what) {
    return opencl_buffer_write(&self->device, buffer, values, (size_t)count * sizeof *values, CL_TRUE, what);
}

/* Uploads everything but the impulses, and prepares the rows. */
static scree_result upload(opencl_matrix *self) {
    const matrix_operator *a = self->base.a;
    const size_t n = (size_t)a->count, entries = (size_t)a->first[n], one = scalar_size(self);
    TRY(write_scalars(self, &self->on.diagonal, a->diagonal, 9 * n, "diagonal"));
    TRY(write_scalars(self, &self->on.drive, a->drive, 3 * n, "drive"));
    TRY(write_scalars(self, &self->on.friction, a->friction, n, "friction"));
    TRY(write_scalars(self, &self->on.rolling, a->rolling, n, "rolling friction"));
    TRY(write_scalars(self, &self->on.spinning, a->spinning, n, "spinning"));
    TRY(write_scalars(self, &self->on.split_count, a->split_count, n, "split counts"));
    TRY(write_scalars(self, &self->on.low, a->low, 3 * n, "low"));
    TRY(write_scalars(self, &self->on.high, a->high, 3 * n, "high"));
    TRY(write_scalars(self, &self->on.entries, a->entries, 9 * entries, "entries"));
    TRY(write_integers(self, &self->on.first, a->first, a->count + 1, "first"));
    TRY(write_integers(self, &self->on.kind, a->kind, a->count, "kind"));
    TRY(write_integers(self, &self->on.partner, a->partner, a->count, "partner"));
    TRY(write_integers(self, &self->on.columns, a->column, (int)entries, "columns"));
    TRY(write_integers(self, &self->on.colour_first, a->colour_first, a->colour_count + 1, "colour_first"));
    opencl_buffer *const vectors[] = {&self->on.impulses,         &self->on.kept, &self->on.starts,
                                      &self->on.before,           &self->on.best, &self->on.velocities,
                                      &self->on.velocities_before};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        TRY(opencl_buffer_reserve(&self->device, vectors[i], 4 * n * one, "the impulses of a matrix"));
    TRY(opencl_buffer_reserve(&self->device, &self->on.rows,
                              n * (MATRIX_ROW_SCALARS * one + MATRIX_ROW_INTEGERS * sizeof(int)), "rows"));
    TRY(opencl_buffer_reserve(&self->device, &self->on.uphill, (size_t)chunk_count(self) * one, "uphill"));
    TRY(opencl_buffer_reserve(&self->device, &self->on.chunks,
                              (size_t)chunk_count(self) * sizeof(residual_sum), "chunks"));
    const kernel_argument arguments[] = {OWN(rows),         OWN(diagonal), OWN(drive),       OWN(friction),
                                         OWN(rolling),      OWN(spinning), OWN(split_count), OWN(low),
                                         OWN(high),         OWN(first),    OWN(kind),        OWN(partner),
                                         ARGUMENT(a->count)};
    return LAUNCH(KERNEL_prepare, a->count, arguments);
}

/* Limits the size to the registers of the device. */
static scree_result size_iterations(opencl_matrix *self) {
    size_t most = 1;
    const cl_int code = clGetKernelWorkGroupInfo(self->kernels[KERNEL_iterate], self->device.id,
                                                 CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if (code != CL_SUCCESS) return opencl_fail(code, "reading the work-group size of iterations");
    self->iterate_items = most < ITERATE_ITEMS ? most : ITERATE_ITEMS;
    return SCREE_OK;
}

static scree_result open_device(opencl_matrix *self, const char *device) {
    TRY(opencl_device_open(device, &self->device));
    if (self->fp64 && !self->device.info.fp64)
        return fail(SCREE_ERROR_UNSUPPORTED,
                    "the device `%s` has no double precision: choose float, another device, or native",
                    self->device.info.name);
    const char *options = self->fp64               ? "-DSCREE_DOUBLE"
                          : self->device.info.fp64 ? "-DSCREE_ACCUMULATE_DOUBLE"
                                                   : NULL;
    TRY(opencl_program_build(&self->device, "matrix.cl", options, &self->program));
    for (int i = 0; i < KERNEL_COUNT; i++)
        TRY(opencl_kernel_create(&self->device, self->program, kernel_names[i], &self->kernels[i]));
    TRY(size_iterations(self));
    return upload(self);
}

scree_result opencl_matrix_create(const matrix_operator *a, double *r, const char *device, bool fp64,
                                  matrix_executor **out) {
    opencl_matrix *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix on a device");
    self->base.executor.operations = &operations;
    self->base.destroy = destroy;
    self->base.a = a;
    self->base.r = r;
    self->fp64 = fp64;
    self->numbers = memory_allocate(4 * (size_t)a->count, sizeof *self->numbers);
    self->sums = memory_allocate((size_t)chunk_count(self) + 1, sizeof *self->sums);
    const scree_result result =
        self->numbers && self->sums
            ? open_device(self, device)
            : fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %d rows", a->count);
    if (result != SCREE_OK) {
        destroy(&self->base);
        return result;
    }
    snprintf(self->base.name, sizeof self->base.name, "opencl: %.150s, %s", self->device.info.name,
             fp64 ? "double" : "float");
    *out = &self->base;
    return SCREE_OK;
}
