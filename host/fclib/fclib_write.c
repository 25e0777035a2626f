/* Writes problems and solutions to FCLIB's HDF5 files. */
#include <scree/tools/fclib.h>

#include "base/memory.h"
#include "io/hdf5_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char purpose[] = "an FCLIB problem";

static scree_result write_vector(hdf5_file *file, const char *group, const char *name, scree_value_type type,
                                 const void *values, size_t count) {
    const scree_column column = {name, type, 1, 0};
    const scree_table table = {group, &column, 1, hdf5_type_size(type)};
    return hdf5_write(file, &table, values, count);
}

static scree_result write_integer(hdf5_file *file, const char *group, const char *name, int value) {
    const int32_t stored = value;
    return write_vector(file, group, name, SCREE_VALUE_INT32, &stored, 1);
}

/* Classification of a problem's rows as contacts or equalities, in their order. Rows with an impulse fixed
 * at 0 (free axes of joints) are neither, and are left out. */
typedef struct row_split {
    int contacts, equalities; /* numbers of rows */
    int *of; /* for each row of the problem: its index among contacts, −1 − its index among equalities, or
                NOT_STORED */
} row_split;

enum { NOT_STORED = INT_MAX };

static bool is_equality(const scree_problem_def *def, int row) {
    return def->low[row] == -INFINITY && def->high[row] == INFINITY;
}

/* A problem of `bilateral` > 0 such rows has zero rows after its last equality, which pad the last block. */
static void split_bounded(const scree_problem_def *def, int bilateral, int block, row_split *out) {
    const int most = bilateral > 0 ? bilateral : NOT_STORED;
    for (int row = 3 * block; row < 3 * block + 3; row++)
        out->of[row] = is_equality(def, row) && out->equalities < most ? -1 - out->equalities++ : NOT_STORED;
}

static scree_result split_rows(const scree_problem_def *def, int bilateral, row_split *out) {
    *out = (row_split){.of = memory_allocate(3 * (size_t)def->contacts, sizeof *out->of)};
    if (!out->of) return fail(SCREE_ERROR_MEMORY, "out of memory: rows of %d blocks", def->contacts);
    for (int i = 0; i < def->contacts; i++) {
        if (def->kind[i] == SCREE_BLOCK_BOUNDED) split_bounded(def, bilateral, i, out);
        for (int k = 0; k < 3 && def->kind[i] == SCREE_BLOCK_CONTACT; k++)
            out->of[3 * i + k] = out->contacts++;
    }
    return SCREE_OK;
}

/* Copies the values of contacts' rows, or of equalities', from those of all rows. */
static void pick(const row_split *split, bool contacts, const double *from, int rows, double *to) {
    for (int i = 0; i < rows; i++)
        if (split->of[i] != NOT_STORED && (split->of[i] >= 0) == contacts) *to++ = from[i];
}

static scree_result write_picked(hdf5_file *file, const char *group, const char *name, const row_split *split,
                                 bool contacts, const double *from, int rows) {
    const size_t count = (size_t)(contacts ? split->contacts : split->equalities);
    double *to = memory_allocate(count, sizeof *to);
    if (!to) return fail(SCREE_ERROR_MEMORY, "out of memory: %zu numbers", count);
    pick(split, contacts, from, rows, to);
    const scree_result result = write_vector(file, group, name, SCREE_VALUE_DOUBLE, to, count);
    memory_release(to);
    return result;
}

/* A submatrix of W in compressed rows. */
typedef struct compressed {
    int32_t *p, *i;
    double *x;
} compressed;

/* Extracts the submatrix with these rows and columns, contacts' or equalities'. */
static scree_result compress(const scree_problem_def *def, const row_split *split, bool rows_of,
                             bool columns_of, compressed *out) {
    const size_t rows = 3 * (size_t)def->contacts, entries = rows ? 9 * (size_t)def->first[def->contacts] : 0;
    out->p = memory_allocate(rows + 1, sizeof *out->p);
    out->i = memory_allocate(entries, sizeof *out->i);
    out->x = memory_allocate(entries, sizeof *out->x);
    if (!out->p || !out->i || !out->x)
        return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %zu entries", entries);
    int32_t next = 0, at = 0;
    for (int row = 0; row < (int)rows; row++) {
        if (split->of[row] == NOT_STORED || (split->of[row] >= 0) != rows_of) continue;
        for (int block = def->first[row / 3]; block < def->first[row / 3 + 1]; block++)
            for (int k = 0; k < 3; k++) {
                const int column = split->of[3 * def->column[block] + k];
                if (column == NOT_STORED || (column >= 0) != columns_of) continue;
                out->i[next] = column >= 0 ? column : -1 - column;
                out->x[next++] = def->blocks[9 * (size_t)block + 3 * (size_t)(row % 3) + k];
            }
        out->p[++at] = next;
    }
    return SCREE_OK;
}

static scree_result write_matrix(hdf5_file *file, const char *group, const scree_problem_def *def,
                                 const row_split *split, bool rows_of, bool columns_of) {
    const int rows = rows_of ? split->contacts : split->equalities,
              columns = columns_of ? split->contacts : split->equalities;
    compressed w = {0};
    scree_result result = compress(def, split, rows_of, columns_of, &w);
    const size_t entries = result == SCREE_OK ? (size_t)w.p[rows] : 0;
    if (result == SCREE_OK) result = write_integer(file, group, "m", rows);
    if (result == SCREE_OK) result = write_integer(file, group, "n", columns);
    if (result == SCREE_OK) result = write_integer(file, group, "nz", -2);
    if (result == SCREE_OK) result = write_integer(file, group, "nzmax", (int)entries);
    if (result == SCREE_OK) result = write_vector(file, group, "p", SCREE_VALUE_INT32, w.p, (size_t)rows + 1);
    if (result == SCREE_OK) result = write_vector(file, group, "i", SCREE_VALUE_INT32, w.i, entries);
    if (result == SCREE_OK) result = write_vector(file, group, "x", SCREE_VALUE_DOUBLE, w.x, entries);
    memory_release(w.p);
    memory_release(w.i);
    memory_release(w.x);
    return result;
}

static scree_result write_guess(hdf5_file *file, const scree_problem *self, const row_split *split) {
    const int rows = 3 * scree_problem_contact_count(self);
    const double *r = scree_problem_get_warm_start(self);
    double residual[SCREE_MEASURE_COUNT], *u = memory_allocate((size_t)rows, sizeof *u);
    if (!u) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %d rows", rows);
    scree_result result = scree_problem_compute_residual(self, SCREE_LAW_COULOMB, r, u, residual);
    if (result == SCREE_OK) result = write_integer(file, "guesses", "number_of_guesses", 1);
    if (result == SCREE_OK && split->equalities > 0)
        result = write_picked(file, "guesses/1", "l", split, false, r, rows);
    if (result == SCREE_OK) result = write_picked(file, "guesses/1", "u", split, true, u, rows);
    if (result == SCREE_OK) result = write_picked(file, "guesses/1", "r", split, true, r, rows);
    memory_release(u);
    return result;
}

static scree_result write_friction(hdf5_file *file, const scree_problem_def *def) {
    double *mu = memory_allocate((size_t)def->contacts, sizeof *mu);
    size_t count = 0;
    if (!mu) return fail(SCREE_ERROR_MEMORY, "out of memory: friction of %d contacts", def->contacts);
    for (int i = 0; i < def->contacts; i++)
        if (def->kind[i] == SCREE_BLOCK_CONTACT) mu[count++] = def->friction[i];
    const scree_result result =
        write_vector(file, "fclib_local/vectors", "mu", SCREE_VALUE_DOUBLE, mu, count);
    memory_release(mu);
    return result;
}

/* u = W r + V l + q, 0 = Vᵀ r + R l + s. */
static scree_result write_problem(hdf5_file *file, const scree_problem_def *def, const row_split *split) {
    const char *const vectors = "fclib_local/vectors";
    TRY(write_integer(file, "fclib_local", "spacedim", 3));
    TRY(write_matrix(file, "fclib_local/W", def, split, true, true));
    if (split->equalities > 0) {
        TRY(write_matrix(file, "fclib_local/V", def, split, true, false));
        TRY(write_matrix(file, "fclib_local/R", def, split, false, false));
        TRY(write_picked(file, vectors, "s", split, false, def->q, 3 * def->contacts));
    }
    TRY(write_picked(file, vectors, "q", split, true, def->q, 3 * def->contacts));
    return write_friction(file, def);
}

/* Writes the solution of a problem that was written in local form. */
static scree_result write_local_solution(hdf5_file *file, const scree_problem *self, const row_split *split,
                                         const double *impulses, const double *velocities) {
    const int rows = 3 * scree_problem_contact_count(self);
    if (split->equalities > 0) TRY(write_picked(file, "solution", "l", split, false, impulses, rows));
    TRY(write_picked(file, "solution", "u", split, true, velocities, rows));
    return write_picked(file, "solution", "r", split, true, impulses, rows);
}

static scree_result write_solution(hdf5_file *file, const scree_problem *self, const double *impulses,
                                   const double *velocities) {
    const size_t bilateral = (size_t)scree_problem_bilateral_count(self),
                 dofs = (size_t)scree_problem_dof_count(self),
                 rows = 3 * ((size_t)scree_problem_contact_count(self) - (bilateral + 2) / 3);
    if (dofs > 0) {
        double *v = memory_allocate(dofs, sizeof *v);
        if (!v) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %zu degrees of freedom", dofs);
        scree_result result = scree_problem_compute_dof_velocities(self, impulses, v);
        if (result == SCREE_OK) result = write_vector(file, "solution", "v", SCREE_VALUE_DOUBLE, v, dofs);
        memory_release(v);
        TRY(result);
    }
    if (bilateral > 0)
        TRY(write_vector(file, "solution", "l", SCREE_VALUE_DOUBLE, impulses + rows, bilateral));
    TRY(write_vector(file, "solution", "u", SCREE_VALUE_DOUBLE, velocities, rows));
    return write_vector(file, "solution", "r", SCREE_VALUE_DOUBLE, impulses, rows);
}

/* Returns whether every row of a bounded block is an equality or fixed at 0. */
static bool is_storable(const scree_problem_def *def, int block) {
    for (int row = 3 * block; row < 3 * block + 3; row++)
        if (!is_equality(def, row) && !(def->low[row] == 0 && def->high[row] == 0)) return false;
    return true;
}

/* Describes a block that FCLIB files cannot represent; null if they can. */
static const char *unstorable(const scree_problem_def *def, int block) {
    switch (def->kind[block]) {
    case SCREE_BLOCK_CONTACT:
        return NULL;
    case SCREE_BLOCK_RESISTANCE:
        return "rolling and spinning friction";
    case SCREE_BLOCK_BOUNDED:
        return is_storable(def, block) ? NULL : "bounded rows (limits, motors, friction of joints)";
    case SCREE_BLOCK_KIND_COUNT:
        break;
    }
    return "rows of an unknown kind";
}

static scree_result save(hdf5_file *file, const scree_problem *self, const double *impulses,
                         const double *velocities) {
    const scree_problem_def def = scree_problem_get_def(self);
    row_split split;
    TRY(split_rows(&def, scree_problem_bilateral_count(self), &split));
    scree_result result = write_problem(file, &def, &split);
    if (result == SCREE_OK && scree_problem_get_warm_start(self)) result = write_guess(file, self, &split);
    if (result == SCREE_OK && impulses)
        result = write_local_solution(file, self, &split, impulses, velocities);
    if (result == SCREE_OK) result = hdf5_replace(file, false);
    memory_release(split.of);
    return result;
}

scree_result scree_fclib_save(const scree_problem *problem, const char *path, const double *impulses,
                              const double *velocities) {
    REQUIRE(problem);
    REQUIRE(path);
    if (velocities) REQUIRE(impulses);
    if (impulses) REQUIRE(velocities);
    const scree_problem_def def = scree_problem_get_def(problem);
    for (int i = 0; i < def.contacts; i++)
        if (unstorable(&def, i))
            return fail(SCREE_ERROR_UNSUPPORTED, "'%s': block %d of the problem: FCLIB files cannot store %s",
                        path, i, unstorable(&def, i));
    hdf5_file file;
    TRY(hdf5_create(path, purpose, 0, &file));
    const scree_result result = save(&file, problem, impulses, velocities);
    hdf5_close(&file);
    return result;
}

scree_result scree_fclib_save_solution(const scree_problem *problem, const char *source, const char *path,
                                       const double *impulses, const double *velocities) {
    REQUIRE(problem);
    REQUIRE(source);
    REQUIRE(path);
    REQUIRE(impulses);
    REQUIRE(velocities);
    hdf5_file file;
    TRY(hdf5_open_copy(source, purpose, &file));
    scree_result result = hdf5_remove(&file, "solution");
    if (result == SCREE_OK) result = write_solution(&file, problem, impulses, velocities);
    file_piece image;
    if (result == SCREE_OK) result = hdf5_image(&file, &image);
    if (result == SCREE_OK) result = file_replace(path, &image, 1, false);
    hdf5_close(&file);
    return result;
}
