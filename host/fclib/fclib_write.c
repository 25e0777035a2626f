/* Writes problems and solutions to FCLIB's HDF5 files. */
#include "base/memory.h"
#include "fclib.h"

#include <limits.h>
#include <math.h>
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

/* Classification of a problem's rows as contacts or equalities, in their order. Rows with an impulse fixed
 * at 0 (free axes of joints) are neither, and are left out. */
typedef struct row_split {
    int contacts, equalities; /* numbers of rows */
    int *of; /* for each row of the problem: its index among contacts, −1 − its index among equalities, or
                NOT_SAID */
} row_split;

enum { NOT_SAID = INT_MAX };

static void split_bounded(const scree_problem *self, int block, row_split *out) {
    const double *low = &self->a.box[block].low.x, *high = &self->a.box[block].high.x;
    /* A problem from a file has zero rows after its last equality, to fill the last block. */
    const int most = self->bilateral > 0 ? self->bilateral : NOT_SAID;
    for (int k = 0; k < 3; ++k)
        out->of[3 * block + k] = low[k] == -INFINITY && high[k] == INFINITY && out->equalities < most
                                     ? -1 - out->equalities++
                                     : NOT_SAID;
}

static scree_result split_rows(const scree_problem *self, row_split *out) {
    const delassus *a = &self->a;
    *out = (row_split){.of = memory_allocate(3 * (size_t)a->count, sizeof *out->of)};
    if (!out->of) return fail(SCREE_ERROR_MEMORY, "out of memory: rows of %d blocks", a->count);
    for (int i = 0; i < a->count; ++i) {
        if (a->kind[i] == SCREE_BLOCK_BOUNDED) split_bounded(self, i, out);
        for (int k = 0; k < 3 && a->kind[i] == SCREE_BLOCK_CONTACT; ++k) out->of[3 * i + k] = out->contacts++;
    }
    return SCREE_OK;
}

/* Copies the values of contacts' rows, or of equalities', from those of all rows. */
static void pick(const row_split *split, bool contacts, const double *from, int rows, double *to) {
    for (int i = 0; i < rows; ++i)
        if (split->of[i] != NOT_SAID && (split->of[i] >= 0) == contacts) *to++ = from[i];
}

static scree_result write_picked(hdf5_file *file, const char *group, const char *name, const row_split *split,
                                 bool contacts, const double *from, int rows) {
    const size_t count = (size_t)(contacts ? split->contacts : split->equalities);
    double *to = memory_allocate(count, sizeof *to);
    if (!to) return fail(SCREE_ERROR_MEMORY, "out of memory: %zu numbers", count);
    pick(split, contacts, from, rows, to);
    const scree_result result = write_vector(file, group, name, HDF5_DOUBLE, to, count);
    memory_release(to);
    return result;
}

/* A submatrix of W in compressed rows. */
typedef struct compressed {
    int32_t *p, *i;
    double *x;
} compressed;

/* Extracts the submatrix with these rows and columns, contacts' or equalities'. */
static scree_result compress(const delassus *a, const row_split *split, bool rows_of, bool columns_of,
                             compressed *out) {
    const size_t rows = 3 * (size_t)a->count, entries = a->count ? 9 * (size_t)a->first[a->count] : 0;
    out->p = memory_allocate(rows + 1, sizeof *out->p);
    out->i = memory_allocate(entries, sizeof *out->i);
    out->x = memory_allocate(entries, sizeof *out->x);
    if (!out->p || !out->i || !out->x)
        return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %zu entries", entries);
    int32_t next = 0, at = 0;
    for (int row = 0; row < (int)rows; ++row) {
        if (split->of[row] == NOT_SAID || (split->of[row] >= 0) != rows_of) continue;
        for (int block = a->first[row / 3]; block < a->first[row / 3 + 1]; ++block)
            for (int k = 0; k < 3; ++k) {
                const int column = split->of[3 * a->column[block] + k];
                if (column == NOT_SAID || (column >= 0) != columns_of) continue;
                out->i[next] = column >= 0 ? column : -1 - column;
                out->x[next++] = a->entries[block].m[row % 3][k];
            }
        out->p[++at] = next;
    }
    return SCREE_OK;
}

static scree_result write_matrix(hdf5_file *file, const char *group, const delassus *a,
                                 const row_split *split, bool rows_of, bool columns_of) {
    const int rows = rows_of ? split->contacts : split->equalities,
              columns = columns_of ? split->contacts : split->equalities;
    compressed w = {0};
    scree_result result = compress(a, split, rows_of, columns_of, &w);
    const size_t entries = result == SCREE_OK ? (size_t)w.p[rows] : 0;
    if (result == SCREE_OK) result = write_integer(file, group, "m", rows);
    if (result == SCREE_OK) result = write_integer(file, group, "n", columns);
    if (result == SCREE_OK) result = write_integer(file, group, "nz", -2);
    if (result == SCREE_OK) result = write_integer(file, group, "nzmax", (int)entries);
    if (result == SCREE_OK) result = write_vector(file, group, "p", HDF5_INT32, w.p, (size_t)rows + 1);
    if (result == SCREE_OK) result = write_vector(file, group, "i", HDF5_INT32, w.i, entries);
    if (result == SCREE_OK) result = write_vector(file, group, "x", HDF5_DOUBLE, w.x, entries);
    memory_release(w.p);
    memory_release(w.i);
    memory_release(w.x);
    return result;
}

static scree_result write_guess(hdf5_file *file, const scree_problem *self, const row_split *split) {
    const int rows = 3 * self->a.count;
    real3 *r = memory_allocate(2 * (size_t)self->a.count, sizeof *r), *u = r + self->a.count;
    if (!r) return fail(SCREE_ERROR_MEMORY, "out of memory: initial impulses");
    memcpy(r, self->start, (size_t)rows * sizeof(double)); /* a real3 is three doubles */
    for (int i = 0; i < self->a.count; ++i) u[i] = delassus_velocity(&self->a, r, i);
    scree_result result = write_integer(file, "guesses", "number_of_guesses", 1);
    if (result == SCREE_OK && split->equalities > 0)
        result = write_picked(file, "guesses/1", "l", split, false, &r->x, rows);
    if (result == SCREE_OK) result = write_picked(file, "guesses/1", "u", split, true, &u->x, rows);
    if (result == SCREE_OK) result = write_picked(file, "guesses/1", "r", split, true, &r->x, rows);
    memory_release(r);
    return result;
}

static scree_result write_friction(hdf5_file *file, const delassus *a) {
    double *mu = memory_allocate((size_t)a->count, sizeof *mu);
    size_t count = 0;
    if (!mu) return fail(SCREE_ERROR_MEMORY, "out of memory: friction of %d contacts", a->count);
    for (int i = 0; i < a->count; ++i)
        if (a->kind[i] == SCREE_BLOCK_CONTACT) mu[count++] = a->friction[i];
    const scree_result result = write_vector(file, "fclib_local/vectors", "mu", HDF5_DOUBLE, mu, count);
    memory_release(mu);
    return result;
}

/* u = W r + V l + q, 0 = Vᵀ r + R l + s. */
static scree_result write_problem(hdf5_file *file, const scree_problem *self, const row_split *split) {
    const delassus *a = &self->a;
    const char *const vectors = "fclib_local/vectors";
    TRY(write_integer(file, "fclib_local", "spacedim", 3));
    TRY(write_matrix(file, "fclib_local/W", a, split, true, true));
    if (split->equalities > 0) {
        TRY(write_matrix(file, "fclib_local/V", a, split, true, false));
        TRY(write_matrix(file, "fclib_local/R", a, split, false, false));
        TRY(write_picked(file, vectors, "s", split, false, &a->q->x, 3 * a->count));
    }
    TRY(write_picked(file, vectors, "q", split, true, a->q ? &a->q->x : NULL, 3 * a->count));
    TRY(write_friction(file, a));
    return self->start ? write_guess(file, self, split) : SCREE_OK;
}

/* Writes the solution of a problem that was written in local form. */
static scree_result write_local_solution(hdf5_file *file, const scree_problem *self, const row_split *split,
                                         const double *impulses, const double *velocities) {
    const int rows = 3 * self->a.count;
    if (split->equalities > 0) TRY(write_picked(file, "solution", "l", split, false, impulses, rows));
    TRY(write_picked(file, "solution", "u", split, true, velocities, rows));
    return write_picked(file, "solution", "r", split, true, impulses, rows);
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

/* Returns whether every row of a bounded block is an equality or fixed at 0. */
static bool says_all(const host_box *box) {
    const double *low = &box->low.x, *high = &box->high.x;
    for (int k = 0; k < 3; ++k)
        if (!(low[k] == -INFINITY && high[k] == INFINITY) && !(low[k] == 0 && high[k] == 0)) return false;
    return true;
}

/* Describes a block that FCLIB files cannot represent; null if they can. */
static const char *unsaid(const delassus *a, int block) {
    switch (a->kind[block]) {
    case SCREE_BLOCK_CONTACT:
        return NULL;
    case SCREE_BLOCK_RESISTANCE:
        return "rolling and spinning friction";
    case SCREE_BLOCK_BOUNDED:
        return says_all(&a->box[block]) ? NULL : "bounded rows (limits, motors, friction of joints)";
    case SCREE_BLOCK_KIND_COUNT:
        break;
    }
    return "rows of an unknown kind";
}

static scree_result save(hdf5_file *file, const scree_problem *self, const double *impulses,
                         const double *velocities) {
    row_split split;
    TRY(split_rows(self, &split));
    scree_result result = write_problem(file, self, &split);
    if (result == SCREE_OK && impulses)
        result = write_local_solution(file, self, &split, impulses, velocities);
    if (result == SCREE_OK) result = hdf5_replace(file, false);
    memory_release(split.of);
    return result;
}

scree_result scree_problem_save(const scree_problem *self, const char *path, const double *impulses,
                                const double *velocities) {
    if (!self || !path || !impulses != !velocities)
        return fail(SCREE_ERROR_ARGUMENT,
                    "saving a problem needs the problem, a path, and impulses with velocities or neither");
    for (int i = 0; i < self->a.count; ++i)
        if (unsaid(&self->a, i))
            return fail(SCREE_ERROR_UNSUPPORTED, "'%s': block %d of the problem: FCLIB files cannot store %s",
                        path, i, unsaid(&self->a, i));
    hdf5_file file;
    TRY(hdf5_create(path, purpose, 0, &file));
    const scree_result result = save(&file, self, impulses, velocities);
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
    file_piece image;
    if (result == SCREE_OK) result = hdf5_image(&file, &image);
    if (result == SCREE_OK) result = file_replace(path, &image, 1, false);
    hdf5_close(&file);
    return result;
}
