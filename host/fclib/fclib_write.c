/* Writes problems and solutions to FCLIB's HDF5 files. */
#include <scree/tools/fclib.h>

#include "base/memory.h"
#include "io/hdf5_file.h"

#include <limits.h>
#include <math.h>

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

static void split_rows(const scree_problem_def *def, int bilateral, row_split *out) {
    for (int i = 0; i < def->contacts; i++) {
        if (def->kind[i] == SCREE_BLOCK_BOUNDED) split_bounded(def, bilateral, i, out);
        for (int k = 0; k < 3 && def->kind[i] == SCREE_BLOCK_CONTACT; k++)
            out->of[3 * i + k] = out->contacts++;
    }
}

/* Writes the values of contacts' rows, or of equalities', among those of all rows. */
static scree_result write_picked(hdf5_file *file, const char *group, const char *name, const row_split *split,
                                 bool contacts, const double *from, int rows) {
    const size_t count = (size_t)(contacts ? split->contacts : split->equalities);
    SCOPED double *to = memory_allocate(count, sizeof *to);
    if (!to) return fail(SCREE_ERROR_MEMORY, "out of memory: %zu numbers", count);
    size_t next = 0;
    for (int i = 0; i < rows; i++)
        if (split->of[i] != NOT_STORED && (split->of[i] >= 0) == contacts) to[next++] = from[i];
    return write_vector(file, group, name, SCREE_VALUE_DOUBLE, to, count);
}

/* Extracts the submatrix of W with these rows and columns, contacts' or equalities', in compressed rows. */
static void compress(const scree_problem_def *def, const row_split *split, bool rows_of, bool columns_of,
                     int32_t *p, int32_t *i, double *x) {
    int32_t next = 0, at = 0;
    for (int row = 0; row < 3 * def->contacts; row++) {
        if (split->of[row] == NOT_STORED || (split->of[row] >= 0) != rows_of) continue;
        for (int block = def->first[row / 3]; block < def->first[row / 3 + 1]; block++)
            for (int k = 0; k < 3; k++) {
                const int column = split->of[3 * def->column[block] + k];
                if (column == NOT_STORED || (column >= 0) != columns_of) continue;
                i[next] = column >= 0 ? column : -1 - column;
                x[next++] = def->blocks[9 * (size_t)block + 3 * (size_t)(row % 3) + k];
            }
        p[++at] = next;
    }
}

static scree_result write_matrix(hdf5_file *file, const char *group, const scree_problem_def *def,
                                 const row_split *split, bool rows_of, bool columns_of) {
    const int rows = rows_of ? split->contacts : split->equalities,
              columns = columns_of ? split->contacts : split->equalities;
    const size_t most = def->contacts ? 9 * (size_t)def->first[def->contacts] : 0;
    SCOPED int32_t *p = memory_allocate((size_t)rows + 1, sizeof *p);
    SCOPED int32_t *i = memory_allocate(most, sizeof *i);
    SCOPED double *x = memory_allocate(most, sizeof *x);
    if (!p || !i || !x) return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %zu entries", most);
    compress(def, split, rows_of, columns_of, p, i, x);
    const size_t entries = (size_t)p[rows];
    TRY(write_integer(file, group, "m", rows));
    TRY(write_integer(file, group, "n", columns));
    TRY(write_integer(file, group, "nz", -2));
    TRY(write_integer(file, group, "nzmax", (int)entries));
    TRY(write_vector(file, group, "p", SCREE_VALUE_INT32, p, (size_t)rows + 1));
    TRY(write_vector(file, group, "i", SCREE_VALUE_INT32, i, entries));
    return write_vector(file, group, "x", SCREE_VALUE_DOUBLE, x, entries);
}

/* Writes velocities and impulses of the contacts, and impulses of the equalities. */
static scree_result write_picked_vectors(hdf5_file *file, const char *group, const row_split *split,
                                         const double *u, const double *r, int rows) {
    if (split->equalities > 0) TRY(write_picked(file, group, "l", split, false, r, rows));
    TRY(write_picked(file, group, "u", split, true, u, rows));
    return write_picked(file, group, "r", split, true, r, rows);
}

static scree_result write_guess(hdf5_file *file, const scree_problem *self, const row_split *split) {
    const int rows = 3 * scree_problem_contact_count(self);
    const double *r = scree_problem_get_warm_start(self);
    double residual[SCREE_MEASURE_COUNT];
    SCOPED double *u = memory_allocate((size_t)rows, sizeof *u);
    if (!u) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %d rows", rows);
    TRY(scree_problem_compute_residual(self, SCREE_LAW_COULOMB, r, u, residual));
    TRY(write_integer(file, "guesses", "number_of_guesses", 1));
    return write_picked_vectors(file, "guesses/1", split, u, r, rows);
}

static scree_result write_friction(hdf5_file *file, const scree_problem_def *def) {
    SCOPED double *mu = memory_allocate((size_t)def->contacts, sizeof *mu);
    size_t count = 0;
    if (!mu) return fail(SCREE_ERROR_MEMORY, "out of memory: friction of %d contacts", def->contacts);
    for (int i = 0; i < def->contacts; i++)
        if (def->kind[i] == SCREE_BLOCK_CONTACT) mu[count++] = def->friction[i];
    return write_vector(file, "fclib_local/vectors", "mu", SCREE_VALUE_DOUBLE, mu, count);
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

static scree_result write_solution(hdf5_file *file, const scree_problem *self, const double *impulses,
                                   const double *velocities) {
    const size_t bilateral = (size_t)scree_problem_bilateral_count(self),
                 dofs = (size_t)scree_problem_dof_count(self),
                 rows = 3 * ((size_t)scree_problem_contact_count(self) - (bilateral + 2) / 3);
    if (dofs > 0) {
        SCOPED double *v = memory_allocate(dofs, sizeof *v);
        if (!v) return fail(SCREE_ERROR_MEMORY, "out of memory: velocities of %zu degrees of freedom", dofs);
        TRY(scree_problem_compute_dof_velocities(self, impulses, v));
        TRY(write_vector(file, "solution", "v", SCREE_VALUE_DOUBLE, v, dofs));
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
    SCOPED int *of = memory_allocate(3 * (size_t)def.contacts, sizeof *of);
    if (!of) return fail(SCREE_ERROR_MEMORY, "out of memory: rows of %d blocks", def.contacts);
    row_split split = {.of = of};
    split_rows(&def, scree_problem_bilateral_count(self), &split);
    TRY(write_problem(file, &def, &split));
    if (scree_problem_get_warm_start(self)) TRY(write_guess(file, self, &split));
    if (impulses) TRY(write_picked_vectors(file, "solution", &split, velocities, impulses, 3 * def.contacts));
    return hdf5_replace(file, false);
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
    SCOPED_HDF5 file;
    TRY(hdf5_create(path, purpose, 0, &file));
    return save(&file, problem, impulses, velocities);
}

scree_result scree_fclib_save_solution(const scree_problem *problem, const char *source, const char *path,
                                       const double *impulses, const double *velocities) {
    REQUIRE(problem);
    REQUIRE(source);
    REQUIRE(path);
    REQUIRE(impulses);
    REQUIRE(velocities);
    SCOPED_HDF5 file;
    file_piece image;
    TRY(hdf5_open(source, purpose, HDF5_COPY, &file));
    TRY(hdf5_remove(&file, "solution"));
    TRY(write_solution(&file, problem, impulses, velocities));
    TRY(hdf5_image(&file, &image));
    return file_replace(path, &image, 1, false);
}
