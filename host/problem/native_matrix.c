/* The launches over a matrix as plain loops, shared by threads. Compiled once per
 * precision (native_matrix_double.c); only the dialect's scalar differs. */
#include "matrix_executor.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "matrix.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#ifdef SCREE_DOUBLE
#define CREATE native_matrix_create_double
static const char precision_name[] = "double";
#else
#define CREATE native_matrix_create
static const char precision_name[] = "float";
#endif

/* `velocities` holds u = W r + q as last gathered, and r_N as their shift. */
typedef struct native_matrix {
    matrix_executor base;
    int threads;
    bool gathered; /* velocities match the impulses */
    matrix_row *rows;
    block3 *entries;
    block_impulse *impulses, *kept, *starts, *before, *best, *velocities, *velocities_before;
    residual_sum *chunks;
    nesterov_state nesterov;
} native_matrix;

static native_matrix *native_of(executor *self) {
    return (native_matrix *)((char *)self - offsetof(matrix_executor, executor));
}

static int chunk_count(const native_matrix *self) {
    return (self->base.a->count + MATRIX_CHUNK - 1) / MATRIX_CHUNK;
}

/* Variables of the loops over rows. */
typedef struct row_loop {
    native_matrix *self;
    solve_parameters parameters;
    int first; /* row */
    scalar factor;
} row_loop;

static void for_rows(int count, parallel_loop *run, row_loop with) {
    parallel_for(parallel_threads(with.self->threads, count), count, run, &with);
}

static vec3s vector_in(const double *x) { return vec3_of((scalar)x[0], (scalar)x[1], (scalar)x[2]); }

static block3 block_in(const double *x) {
    const block3 m = {vector_in(x), vector_in(x + 3), vector_in(x + 6)};
    return m;
}

static scree_result begin(executor *base, struct problem *p, solve_parameters parameters) {
    native_matrix *self = native_of(base);
    (void)p;
    (void)parameters;
    self->nesterov = (nesterov_state){.t = 1};
    self->gathered = false;
    for (int i = 0; i < self->base.a->count; i++)
        self->impulses[i] = (block_impulse){.value = vector_in(self->base.r + 3 * (size_t)i)};
    return SCREE_OK;
}

/* Returns q + Σ W_ab r_b over all b except the row itself. */
static vec3s others_at(const native_matrix *self, int i) {
    const matrix_row *row = &self->rows[i];
    const int *column = self->base.a->column;
    vec3s sum = row->drive;
    for (int k = row->first; k < row->first + row->count; k++)
        sum = glms_vec3_add(sum, block3_times(self->entries[k], self->impulses[column[k]].value));
    return sum;
}

static void gather_rows(const void *context, slice rows) {
    const row_loop loop = *(const row_loop *)context;
    for (int i = rows.first; i < rows.end; i++) {
        const block_impulse r = loop.self->impulses[i];
        loop.self->velocities[i].value =
            glms_vec3_add(others_at(loop.self, i), matrix_own_times(loop.self->rows[i], r.value));
        loop.self->velocities[i].shift = r.value.x;
    }
}

static scree_result gather(executor *base, solve_parameters parameters) {
    native_matrix *self = native_of(base);
    (void)parameters;
    for_rows(self->base.a->count, gather_rows, (row_loop){.self = self});
    self->gathered = true;
    return SCREE_OK;
}

static void sweep_rows(const void *context, slice rows) {
    const row_loop loop = *(const row_loop *)context;
    for (int i = loop.first + rows.first; i < loop.first + rows.end; i++) {
        const matrix_row row = loop.self->rows[i];
        const scalar normal = row.kind == BLOCK_RESISTANCE ? loop.self->impulses[row.partner].value.x : 0;
        loop.self->impulses[i] =
            matrix_swept(row, loop.parameters, loop.self->impulses[i], others_at(loop.self, i), normal);
    }
}

static scree_result sweep(executor *base, int first, int count, solve_parameters parameters) {
    native_matrix *self = native_of(base);
    for_rows(count, sweep_rows, (row_loop){.self = self, .parameters = parameters, .first = first});
    self->gathered = false;
    return SCREE_OK;
}

static void update_rows(const void *context, slice rows) {
    const row_loop loop = *(const row_loop *)context;
    for (int i = loop.first + rows.first; i < loop.first + rows.end; i++) {
        const matrix_row row = loop.self->rows[i];
        const scalar normal = row.kind == BLOCK_RESISTANCE ? loop.self->velocities[row.partner].shift : 0;
        loop.self->impulses[i] = matrix_updated(row, loop.parameters, loop.self->impulses[i],
                                                loop.self->velocities[i].value, normal);
    }
}

static scree_result update(executor *base, int first, int count, solve_parameters parameters) {
    native_matrix *self = native_of(base);
    for_rows(count, update_rows, (row_loop){.self = self, .parameters = parameters, .first = first});
    self->gathered = false;
    return SCREE_OK;
}

static void copy(const native_matrix *self, block_impulse *to, const block_impulse *from) {
    memcpy(to, from, (size_t)self->base.a->count * sizeof *to);
}

static scree_result keep(executor *base) {
    native_matrix *self = native_of(base);
    copy(self, self->kept, self->impulses);
    return SCREE_OK;
}

static scree_result best_keep(executor *base) {
    native_matrix *self = native_of(base);
    copy(self, self->best, self->impulses);
    return SCREE_OK;
}

static scree_result best_restore(executor *base) {
    native_matrix *self = native_of(base);
    copy(self, self->impulses, self->best);
    self->gathered = false;
    return SCREE_OK;
}

static void extrapolate_rows(const void *context, slice rows) {
    const row_loop loop = *(const row_loop *)context;
    for (int i = rows.first; i < rows.end; i++) {
        block_impulse r = loop.self->impulses[i];
        const block_impulse u = loop.self->velocities[i];
        if (loop.parameters.read_shift) r.shift = matrix_shift(loop.self->rows[i], loop.parameters, u.value);
        const block_impulse y = impulse_extrapolated(r, loop.self->before[i], loop.factor);
        loop.self->before[i] = r, loop.self->starts[i] = y, loop.self->impulses[i] = y;
        if (loop.parameters.split) {
            loop.self->velocities[i].value =
                matrix_extrapolated(u.value, loop.self->velocities_before[i].value, loop.factor);
            loop.self->velocities[i].shift = y.value.x;
            loop.self->velocities_before[i] = u;
        }
    }
}

/* Velocities are extrapolated only for Jacobi, whose update reads them. */
static void extrapolate(native_matrix *self, solve_parameters parameters) {
    for_rows(self->base.a->count, extrapolate_rows,
             (row_loop){.self = self, .parameters = parameters, .factor = self->nesterov.extrapolation});
    self->gathered = false;
}

static scree_result nesterov_begin(executor *base, solve_parameters parameters) {
    native_matrix *self = native_of(base);
    copy(self, self->before, self->impulses);
    copy(self, self->velocities_before, self->velocities);
    self->nesterov.t = 1;
    self->nesterov.extrapolation = 0;
    parameters.read_shift = 1;
    extrapolate(self, parameters);
    return SCREE_OK;
}

static scree_result nesterov_step(executor *base, solve_parameters parameters) {
    native_matrix *self = native_of(base);
    const int count = self->base.a->count, chunks = chunk_count(self);
    if (parameters.read_shift && !self->gathered) gather(base, parameters);
    scalar total = 0;
    for (int c = 0; c < chunks; c++) {
        scalar sum = 0;
        for (int i = c * MATRIX_CHUNK; i < count && i < (c + 1) * MATRIX_CHUNK; i++)
            sum += matrix_uphill(self->rows[i], parameters, self->starts[i].value, self->impulses[i].value,
                                 self->before[i].value);
        total += sum;
    }
    self->nesterov = nesterov_after(self->nesterov, total, parameters.ceiling);
    extrapolate(self, parameters);
    return SCREE_OK;
}

static scree_result nesterov_read(executor *base, nesterov_values *out) {
    const nesterov_state *state = &native_of(base)->nesterov;
    *out = (nesterov_values){.t = (double)state->t, .restarts = state->restarts};
    return SCREE_OK;
}

static void measure_chunks(const void *context, slice rows) {
    const row_loop loop = *(const row_loop *)context;
    for (int i = rows.first; i < rows.end; i++) {
        residual_sum sum = {0};
        for (int j = i * MATRIX_CHUNK; j < loop.self->base.a->count && j < (i + 1) * MATRIX_CHUNK; j++) {
            const matrix_row row = loop.self->rows[j];
            const matrix_residual one = matrix_residual_of(
                row, loop.parameters, loop.self->impulses[j].value, loop.self->kept[j].value,
                loop.self->velocities[j].value,
                row.kind == BLOCK_RESISTANCE ? loop.self->velocities[row.partner].shift : 0);
            sum.map += (double)one.sum.map;
            sum.impulse += (double)one.sum.impulse;
            sum.drive += (double)one.sum.drive;
            sum.change += (double)one.sum.change;
            sum.velocity += (double)one.velocity;
            if ((double)one.sum.map > sum.max_map) sum.max_map = (double)one.sum.map;
            if ((double)one.sum.violation > sum.violation) sum.violation = (double)one.sum.violation;
            if ((double)one.sum.free > sum.free) sum.free = (double)one.sum.free;
        }
        loop.self->chunks[i] = sum;
    }
}

static scree_result residual(executor *base, solve_parameters parameters, residual_sum *out) {
    native_matrix *self = native_of(base);
    const int chunks = chunk_count(self);
    for_rows(chunks, measure_chunks, (row_loop){.self = self, .parameters = parameters});
    residual_sum_total(self->chunks, chunks, out);
    return SCREE_OK;
}

static scree_result end(executor *base, solve_parameters parameters) {
    native_matrix *self = native_of(base);
    (void)parameters;
    for (int i = 0; i < self->base.a->count; i++) {
        const vec3s r = self->impulses[i].value;
        double *out = self->base.r + 3 * (size_t)i;
        out[0] = (double)r.x;
        out[1] = (double)r.y;
        out[2] = (double)r.z;
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
                                                .end = end};

static void destroy(matrix_executor *base) {
    native_matrix *self = (native_matrix *)base;
    memory_release(self->rows);
    memory_release(self->entries);
    memory_release(self->impulses);
    memory_release(self->chunks);
    memory_release(self);
}

static void fill(native_matrix *self) {
    const matrix_operator *a = self->base.a;
    for (int i = 0; i < a->count; i++) {
        const matrix_row row = {
            .friction = (scalar)a->friction[i],
            .rolling = (scalar)a->rolling[i],
            .spinning = (scalar)a->spinning[i],
            .share = (scalar)a->split_count[i],
            .drive = vector_in(a->drive + 3 * (size_t)i),
            .box = {vector_in(a->low + 3 * (size_t)i), vector_in(a->high + 3 * (size_t)i)},
            .first = a->first[i],
            .count = a->first[i + 1] - a->first[i],
            .kind = a->kind[i],
            .partner = a->partner[i]};
        self->rows[i] = matrix_row_prepared(row, block_in(a->diagonal + 9 * (size_t)i));
    }
    for (int k = 0; k < a->first[a->count]; k++) self->entries[k] = block_in(a->entries + 9 * (size_t)k);
}

scree_result CREATE(const matrix_operator *a, double *r, int threads, matrix_executor **out) {
    const size_t n = (size_t)a->count;
    native_matrix *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix on native");
    self->base.executor.operations = &operations;
    self->base.destroy = destroy;
    self->base.a = a;
    self->base.r = r;
    self->threads = threads;
    self->rows = memory_allocate(n, sizeof *self->rows);
    self->entries = memory_allocate((size_t)a->first[n], sizeof *self->entries);
    self->impulses = memory_allocate(7 * n, sizeof *self->impulses);
    self->chunks = memory_allocate(n / MATRIX_CHUNK + 1, sizeof *self->chunks);
    if (!self->rows || !self->entries || !self->impulses || !self->chunks) {
        destroy(&self->base);
        return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %d rows on native", a->count);
    }
    self->kept = self->impulses + n;
    self->starts = self->kept + n;
    self->before = self->starts + n;
    self->best = self->before + n;
    self->velocities = self->best + n;
    self->velocities_before = self->velocities + n;
    fill(self);
    snprintf(self->base.name, sizeof self->base.name, "native, %d thread%s, %s", threads,
             threads == 1 ? "" : "s", precision_name);
    *out = &self->base;
    return SCREE_OK;
}
