/* Problems and solutions into FCLIB's HDF5 files. */
#include "base/memory.h"
#include "fclib.h"

#include <string.h>

static const char purpose[] = "an FCLIB problem";

static scree_result write_vector(hdf5_file *file, const char *group, const char *name, hdf5_type type,
                                 const void *values, size_t count) {
    const hdf5_column column = {name, type, 1, 0};
    const hdf5_table table = {group, &column, 1, hdf5_type_size(type)};
    return hdf5_write(file, &table, values, count);
}

static scree_result write_integer(hdf5_file *file, const char *group, const char *name, int value) {
    const int32_t stored = value;
    return write_vector(file, group, name, HDF5_INT32, &stored, 1);
}

/* W's arrays as compressed scalar rows: blocks written whole. */
typedef struct compressed {
    int32_t *p, *i;
    double *x;
} compressed;

static scree_result compress(const delassus *a, compressed *out) {
    const size_t rows = 3 * (size_t)a->count, entries = 9 * (size_t)a->first[a->count];
    out->p = memory_allocate(rows + 1, sizeof *out->p);
    out->i = memory_allocate(entries, sizeof *out->i);
    out->x = memory_allocate(entries, sizeof *out->x);
    if (!out->p || !out->i || !out->x)
        return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %zu entries", entries);
    int32_t next = 0;
    for (int row = 0; row < (int)rows; ++row) {
        for (int block = a->first[row / 3]; block < a->first[row / 3 + 1]; ++block)
            for (int k = 0; k < 3; ++k) {
                out->i[next] = 3 * a->column[block] + k;
                out->x[next++] = a->entries[block].m[row % 3][k];
            }
        out->p[row + 1] = next;
    }
    return SCREE_OK;
}

static scree_result write_matrix(hdf5_file *file, const char *group, const delassus *a) {
    const size_t rows = 3 * (size_t)a->count, entries = 9 * (size_t)a->first[a->count];
    compressed w = {0};
    scree_result result = compress(a, &w);
    if (result == SCREE_OK) result = write_integer(file, group, "m", (int)rows);
    if (result == SCREE_OK) result = write_integer(file, group, "n", (int)rows);
    if (result == SCREE_OK) result = write_integer(file, group, "nz", -2);
    if (result == SCREE_OK) result = write_integer(file, group, "nzmax", (int)entries);
    if (result == SCREE_OK) result = write_vector(file, group, "p", HDF5_INT32, w.p, rows + 1);
    if (result == SCREE_OK) result = write_vector(file, group, "i", HDF5_INT32, w.i, entries);
    if (result == SCREE_OK) result = write_vector(file, group, "x", HDF5_DOUBLE, w.x, entries);
    memory_release(w.p);
    memory_release(w.i);
    memory_release(w.x);
    return result;
}

static scree_result write_guess(hdf5_file *file, const scree_problem *self) {
    const size_t rows = 3 * (size_t)self->a.count;
    real3 *r = memory_allocate(2 * (size_t)self->a.count, sizeof *r), *u = r + self->a.count;
    if (!r) return fail(SCREE_ERROR_MEMORY, "out of memory: start impulses");
    memcpy(r, self->start, rows * sizeof(double)); /* a real3 is three numbers */
    for (int i = 0; i < self->a.count; ++i) u[i] = delassus_velocity(&self->a, r, i);
    scree_result result = write_integer(file, "guesses", "number_of_guesses", 1);
    if (result == SCREE_OK) result = write_vector(file, "guesses/1", "u", HDF5_DOUBLE, u, rows);
    if (result == SCREE_OK) result = write_vector(file, "guesses/1", "r", HDF5_DOUBLE, r, rows);
    memory_release(r);
    return result;
}

static scree_result write_problem(hdf5_file *file, const scree_problem *self) {
    const delassus *a = &self->a;
    TRY(write_integer(file, "fclib_local", "spacedim", 3));
    TRY(write_matrix(file, "fclib_local/W", a));
    TRY(write_vector(file, "fclib_local/vectors", "q", HDF5_DOUBLE, a->q, 3 * (size_t)a->count));
    TRY(write_vector(file, "fclib_local/vectors", "mu", HDF5_DOUBLE, a->friction, (size_t)a->count));
    return self->start ? write_guess(file, self) : SCREE_OK;
}

static scree_result write_solution(hdf5_file *file, const scree_problem *self, const double *impulses,
                                   const double *velocities) {
    const size_t bilateral = (size_t)self->bilateral, dofs = (size_t)self->response.dofs,
                 rows = 3 * ((size_t)self->a.count - (bilateral + 2) / 3);
    if (self->global) {
        double *v = memory_allocate(dofs, sizeof *v);
        if (!v) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %zu degrees of freedom", dofs);
        global_velocities(&self->response, impulses, v);
        const scree_result result = write_vector(file, "solution", "v", HDF5_DOUBLE, v, dofs);
        memory_release(v);
        TRY(result);
    }
    if (bilateral > 0) TRY(write_vector(file, "solution", "l", HDF5_DOUBLE, impulses + rows, bilateral));
    TRY(write_vector(file, "solution", "u", HDF5_DOUBLE, velocities, rows));
    return write_vector(file, "solution", "r", HDF5_DOUBLE, impulses, rows);
}

static scree_result replace(hdf5_file *file, const char *path) {
    file_piece image;
    TRY(hdf5_image(file, &image));
    return file_replace(path, &image, 1, false);
}

/* What FCLIB files have no place for; null where they have one. */
static const char *unsaid(scree_block_kind kind) {
    switch (kind) {
    case SCREE_BLOCK_CONTACT:
        return NULL;
    case SCREE_BLOCK_RESISTANCE:
        return "rolling and spinning friction";
    case SCREE_BLOCK_BOUNDED:
        return "bounded rows";
    case SCREE_BLOCK_KIND_COUNT:
        break;
    }
    return "rows of an unknown kind";
}

scree_result scree_problem_save(const scree_problem *self, const char *path, const double *impulses,
                                const double *velocities) {
    if (!self || !path || !impulses != !velocities)
        return fail(SCREE_ERROR_ARGUMENT,
                    "saving a problem needs the problem, a path, and impulses with velocities or neither");
    for (int i = 0; i < self->a.count; ++i)
        if (unsaid((scree_block_kind)self->a.kind[i]))
            return fail(SCREE_ERROR_UNSUPPORTED,
                        "'%s': block %d of the problem is no contact: FCLIB files have no place for its %s",
                        path, i, unsaid((scree_block_kind)self->a.kind[i]));
    hdf5_file file;
    TRY(hdf5_create(path, purpose, &file));
    scree_result result = write_problem(&file, self);
    if (result == SCREE_OK && impulses) {
        const scree_problem local = {.a = self->a};
        result = write_solution(&file, &local, impulses, velocities);
    }
    if (result == SCREE_OK) result = replace(&file, path);
    hdf5_close(&file);
    return result;
}

scree_result scree_problem_save_solution(const scree_problem *self, const char *source, const char *path,
                                         const double *impulses, const double *velocities) {
    if (!self || !source || !path || !impulses || !velocities)
        return fail(SCREE_ERROR_ARGUMENT,
                    "saving a solution needs a problem, two paths, impulses and velocities");
    hdf5_file file;
    TRY(hdf5_open_copy(source, purpose, &file));
    scree_result result = hdf5_remove(&file, "solution");
    if (result == SCREE_OK) result = write_solution(&file, self, impulses, velocities);
    if (result == SCREE_OK) result = replace(&file, path);
    hdf5_close(&file);
    return result;
}
