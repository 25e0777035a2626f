/* Reads problems from FCLIB's HDF5 files. */
#include <scree/tools/fclib.h>

#include "base/memory.h"
#include "io/hdf5_file.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static const char purpose[] = "an FCLIB problem";

static scree_result rows_of(hdf5_file *file, const char *group, const char *name, scree_value_type type,
                            int *out) {
    const scree_column column = {name, type, 1, 0};
    const scree_table table = {group, &column, 1, hdf5_type_size(type)};
    return hdf5_rows(file, &table, out);
}

static scree_result read_vector(hdf5_file *file, const char *group, const char *name, scree_value_type type,
                                int count, void *out) {
    const scree_column column = {name, type, 1, 0};
    const scree_table table = {group, &column, 1, hdf5_type_size(type)};
    return hdf5_read(file, &table, out, (size_t)count);
}

static scree_result read_integer(hdf5_file *file, const char *group, const char *name, int *out) {
    int32_t value = 0;
    TRY(read_vector(file, group, name, SCREE_VALUE_INT32, 1, &value));
    *out = value;
    return SCREE_OK;
}

static scree_result check_finite(const hdf5_file *file, const char *group, const char *name,
                                 const double *values, int count) {
    for (int i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return fail(SCREE_ERROR_FORMAT, "'%s': %s/%s: %g at place %d; must be finite", file->path, group,
                        name, values[i], i);
    return SCREE_OK;
}

/* Reads `count` finite numbers into a new block, which exists also after an error. */
static scree_result read_numbers(hdf5_file *file, const char *group, const char *name, int count,
                                 double **out) {
    int rows = 0;
    /* Checked before allocating: a file cannot claim more than it holds. */
    TRY(rows_of(file, group, name, SCREE_VALUE_DOUBLE, &rows));
    if (rows != count)
        return fail(SCREE_ERROR_FORMAT, "'%s': %s/%s: %d values; must be %d", file->path, group, name, rows,
                    count);
    *out = memory_allocate((size_t)count, sizeof **out);
    if (!*out) return fail(SCREE_ERROR_MEMORY, "out of memory: %d values of '%s/%s'", count, group, name);
    TRY(read_vector(file, group, name, SCREE_VALUE_DOUBLE, count, *out));
    return check_finite(file, group, name, *out, count);
}

/* A matrix group as stored. nz ≥ 0: triplets, i the row and p the column. nz = −1: compressed columns, p
 * their starts and i the rows. nz = −2: compressed rows, p their starts and i the columns. */
typedef struct stored {
    const char *group;
    int m, n, nz;
    int p_count, count; /* entries of p; entries of i and x in use */
    int32_t *p, *i;
    double *x;
} stored;

static void stored_release(stored *self) {
    memory_release(self->p);
    memory_release(self->i);
    memory_release(self->x);
}

static scree_result read_sizes(hdf5_file *file, stored *s, int rows, int columns) {
    TRY(read_integer(file, s->group, "m", &s->m));
    TRY(read_integer(file, s->group, "n", &s->n));
    TRY(read_integer(file, s->group, "nz", &s->nz));
    if (s->m != rows || s->n != columns)
        return fail(SCREE_ERROR_FORMAT, "'%s': %s: %d × %d; must be %d × %d", file->path, s->group, s->m,
                    s->n, rows, columns);
    if (s->nz < -2)
        return fail(SCREE_ERROR_FORMAT,
                    "'%s': %s/nz: %d; must be a number of triplets, -1 (compressed columns) or -2 "
                    "(compressed rows)",
                    file->path, s->group, s->nz);
    return SCREE_OK;
}

/* Reads a whole vector of at least `least` values. */
static scree_result read_index(hdf5_file *file, const char *group, const char *name, int least, int *count,
                               int32_t **out) {
    TRY(rows_of(file, group, name, SCREE_VALUE_INT32, count));
    if (*count < least)
        return fail(SCREE_ERROR_FORMAT, "'%s': %s/%s: %d values; must be at least %d", file->path, group,
                    name, *count, least);
    *out = memory_allocate((size_t)*count, sizeof **out);
    if (!*out) return fail(SCREE_ERROR_MEMORY, "out of memory: %d values of '%s/%s'", *count, group, name);
    return read_vector(file, group, name, SCREE_VALUE_INT32, *count, *out);
}

static scree_result read_arrays(hdf5_file *file, stored *s) {
    const int lines = s->nz == -1 ? s->n : s->m;
    int count = 0, values = 0;
    TRY(read_index(file, s->group, "p", s->nz >= 0 ? s->nz : lines + 1, &s->p_count, &s->p));
    s->count = s->nz >= 0 ? s->nz : s->p[lines];
    if (s->count < 0)
        return fail(SCREE_ERROR_FORMAT, "'%s': %s/p: ends in %d; must end in the number of entries",
                    file->path, s->group, s->count);
    TRY(read_index(file, s->group, "i", s->count, &count, &s->i));
    TRY(rows_of(file, s->group, "x", SCREE_VALUE_DOUBLE, &values));
    if (values < s->count)
        return fail(SCREE_ERROR_FORMAT, "'%s': %s/x: %d values; must be at least %d", file->path, s->group,
                    values, s->count);
    s->x = memory_allocate((size_t)values, sizeof *s->x);
    if (!s->x) return fail(SCREE_ERROR_MEMORY, "out of memory: %d values of '%s/x'", values, s->group);
    TRY(read_vector(file, s->group, "x", SCREE_VALUE_DOUBLE, values, s->x));
    return check_finite(file, s->group, "x", s->x, s->count);
}

/* Writes entry k of the file. */
static scree_result place(const hdf5_file *file, const stored *s, scree_triplet *out, int row, int column,
                          int k) {
    if (row < 0 || row >= s->m || column < 0 || column >= s->n)
        return fail(SCREE_ERROR_FORMAT, "'%s': entry %d of %s: at (%d, %d); must be inside %d × %d",
                    file->path, k, s->group, row, column, s->m, s->n);
    out[k] = (scree_triplet){.row = row, .column = column, .value = s->x[k]};
    return SCREE_OK;
}

static scree_result unpack(const hdf5_file *file, const stored *s, scree_triplet *out) {
    for (int k = 0; k < s->nz; k++) TRY(place(file, s, out, s->i[k], s->p[k], k));
    const int lines = s->nz >= 0 ? 0 : s->nz == -1 ? s->n : s->m;
    for (int line = 0; line < lines; line++) {
        if ((line == 0 && s->p[0] != 0) || s->p[line + 1] < s->p[line] || s->p[line + 1] > s->count)
            return fail(SCREE_ERROR_FORMAT,
                        "'%s': %s/p: from %d to %d at place %d; must rise from 0 "
                        "to %d",
                        file->path, s->group, s->p[line], s->p[line + 1], line, s->count);
        for (int k = s->p[line]; k < s->p[line + 1]; k++)
            TRY(s->nz == -1 ? place(file, s, out, s->i[k], line, k) : place(file, s, out, line, s->i[k], k));
    }
    return SCREE_OK;
}

/* Reads a matrix group of `rows` × `columns` in the file's order; its entries are a new block. */
static scree_result read_matrix(hdf5_file *file, const char *group, int rows, int columns,
                                scree_sparse_matrix *out) {
    __attribute__((cleanup(stored_release))) stored s = {.group = group};
    TRY(read_sizes(file, &s, rows, columns));
    TRY(read_arrays(file, &s));
    scree_triplet *entries = memory_allocate((size_t)s.count, sizeof *entries);
    if (!entries) return fail(SCREE_ERROR_MEMORY, "out of memory: %d entries of '%s'", s.count, group);
    *out = (scree_sparse_matrix){.count = s.count, .entries = entries};
    return unpack(file, &s, entries);
}

/* Reads the length of a vector, which must be at most `most`. */
static scree_result read_length(hdf5_file *file, const char *vectors, const char *name, int most,
                                const char *what, int *out) {
    TRY(rows_of(file, vectors, name, SCREE_VALUE_DOUBLE, out));
    if (*out > most) return fail(SCREE_ERROR_FORMAT, "'%s': %d %s; too many", file->path, *out, what);
    return SCREE_OK;
}

/* Reads the friction coefficients; their number is the number of contacts. */
static scree_result read_friction(hdf5_file *file, const char *vectors, int *contacts, double **out) {
    TRY(read_length(file, vectors, "mu", INT_MAX / 9, "contacts", contacts));
    TRY(read_numbers(file, vectors, "mu", *contacts, out));
    for (int i = 0; i < *contacts; i++)
        if ((*out)[i] < 0)
            return fail(SCREE_ERROR_FORMAT, "'%s': %s/mu: %g at place %d; must be >= 0", file->path, vectors,
                        (*out)[i], i);
    return SCREE_OK;
}

/* Checks that the problem has three components per contact. */
static scree_result check_components(hdf5_file *file, const char *root) {
    int components = 0;
    TRY(read_integer(file, root, "spacedim", &components));
    if (components != 3)
        return fail(components == 2 ? SCREE_ERROR_UNSUPPORTED : SCREE_ERROR_FORMAT,
                    "'%s': %s/spacedim: %d; must be 3 (plane problems are not solved)", file->path, root,
                    components);
    return SCREE_OK;
}

/* Everything that a file of either form may contain, in new blocks. `form` names its group. */
typedef struct content {
    const char *form, *vectors; /* names of groups */
    int contacts, bilateral, dofs;
    scree_sparse_matrix main, cross, own; /* local: W, V, R; global: M, H, G */
    double *contact, *equality, *force;   /* local: q, s; global: w, b, f */
    double *friction, *start;
} content;

static void release(content *self) {
    memory_release((void *)self->main.entries);
    memory_release((void *)self->cross.entries);
    memory_release((void *)self->own.entries);
    memory_release(self->contact);
    memory_release(self->equality);
    memory_release(self->force);
    memory_release(self->friction);
    memory_release(self->start);
}

/* Reads the number of bilateral rows, the length of a vector. */
static scree_result read_bilateral(hdf5_file *file, const char *name, content *out) {
    return read_length(file, out->vectors, name, INT_MAX / 9 - 3 * out->contacts, "bilateral rows",
                       &out->bilateral);
}

/* Reads the first guess: r of the contacts, then l of the bilateral rows. */
static scree_result read_start(hdf5_file *file, content *out) {
    int guesses = 0;
    SCOPED double *r = NULL;
    SCOPED double *l = NULL;
    if (!hdf5_has(file, "guesses/number_of_guesses")) return SCREE_OK;
    TRY(read_integer(file, "guesses", "number_of_guesses", &guesses));
    if (guesses <= 0) return SCREE_OK;
    TRY(read_numbers(file, "guesses/1", "r", 3 * out->contacts, &r));
    if (out->bilateral > 0) TRY(read_numbers(file, "guesses/1", "l", out->bilateral, &l));
    const size_t rows = 3 * (size_t)out->contacts, bilateral = (size_t)out->bilateral;
    out->start = memory_allocate(rows + bilateral, sizeof *out->start);
    if (!out->start) return fail(SCREE_ERROR_MEMORY, "out of memory: %zu values", rows + bilateral);
    if (rows) memcpy(out->start, r, rows * sizeof *r);
    if (bilateral) memcpy(out->start + rows, l, bilateral * sizeof *l);
    return SCREE_OK;
}

/* Names the file whose values a problem refuses. */
static scree_result named(const hdf5_file *file, scree_result result) {
    if (result == SCREE_OK) return SCREE_OK;
    return fail_prefix(result == SCREE_ERROR_ARGUMENT ? SCREE_ERROR_FORMAT : result, "'%s'", file->path);
}

static scree_result read_local(hdf5_file *file, content *out, scree_problem **problem) {
    if (hdf5_has(file, "fclib_local/V") || hdf5_has(file, "fclib_local/R"))
        TRY(read_bilateral(file, "s", out));
    const int rows = 3 * out->contacts, bilateral = out->bilateral;
    TRY(read_numbers(file, out->vectors, "q", rows, &out->contact));
    if (bilateral > 0) TRY(read_numbers(file, out->vectors, "s", bilateral, &out->equality));
    TRY(read_matrix(file, "fclib_local/W", rows, rows, &out->main));
    if (bilateral > 0) TRY(read_matrix(file, "fclib_local/V", rows, bilateral, &out->cross));
    if (bilateral > 0) TRY(read_matrix(file, "fclib_local/R", bilateral, bilateral, &out->own));
    TRY(read_start(file, out));
    const scree_local_problem_def def = {.contacts = out->contacts,
                                         .bilateral = bilateral,
                                         .w = out->main,
                                         .v = out->cross,
                                         .r = out->own,
                                         .q = out->contact,
                                         .s = out->equality,
                                         .friction = out->friction,
                                         .start = out->start};
    return named(file, scree_problem_create_local(&def, problem));
}

/* M is symmetric; some writers store only one triangle of it. */
static scree_result mirror(scree_sparse_matrix *m) {
    int lower = 0, upper = 0, count = m->count;
    for (int k = 0; k < count; k++) {
        lower += m->entries[k].row > m->entries[k].column;
        upper += m->entries[k].row < m->entries[k].column;
    }
    if ((lower > 0) == (upper > 0)) return SCREE_OK;
    scree_triplet *both = memory_allocate(2 * (size_t)count, sizeof *both);
    if (!both) return fail(SCREE_ERROR_MEMORY, "out of memory: mirroring %d entries of a matrix", count);
    memcpy(both, m->entries, (size_t)count * sizeof *both);
    for (int k = 0; k < m->count; k++) {
        const scree_triplet e = both[k];
        if (e.row != e.column)
            both[count++] = (scree_triplet){.row = e.column, .column = e.row, .value = e.value};
    }
    memory_release((void *)m->entries);
    *m = (scree_sparse_matrix){.count = count, .entries = both};
    return SCREE_OK;
}

static scree_result read_global(hdf5_file *file, content *out, scree_problem **problem) {
    if (hdf5_has(file, "fclib_global/G")) TRY(read_bilateral(file, "b", out));
    TRY(read_length(file, out->vectors, "f", INT_MAX / 9, "degrees of freedom", &out->dofs));
    TRY(read_numbers(file, out->vectors, "f", out->dofs, &out->force));
    TRY(read_numbers(file, out->vectors, "w", 3 * out->contacts, &out->contact));
    if (out->bilateral > 0) TRY(read_numbers(file, out->vectors, "b", out->bilateral, &out->equality));
    TRY(read_matrix(file, "fclib_global/M", out->dofs, out->dofs, &out->main));
    TRY(mirror(&out->main));
    TRY(read_matrix(file, "fclib_global/H", out->dofs, 3 * out->contacts, &out->cross));
    if (out->bilateral > 0) TRY(read_matrix(file, "fclib_global/G", out->dofs, out->bilateral, &out->own));
    TRY(read_start(file, out));
    const scree_global_problem_def def = {.contacts = out->contacts,
                                          .bilateral = out->bilateral,
                                          .dofs = out->dofs,
                                          .m = out->main,
                                          .h = out->cross,
                                          .g = out->own,
                                          .f = out->force,
                                          .w = out->contact,
                                          .b = out->equality,
                                          .friction = out->friction,
                                          .start = out->start};
    return named(file, scree_problem_create_global(&def, problem));
}

/* Returns whether the file has the local form. */
static scree_result find_form(hdf5_file *file, bool *local) {
    const bool global = hdf5_has(file, "fclib_global");
    *local = hdf5_has(file, "fclib_local");
    if (hdf5_has(file, "fclib_global_rolling") && !*local && !global)
        return fail(SCREE_ERROR_UNSUPPORTED,
                    "'%s': fclib_global_rolling: problems with rolling friction are not solved", file->path);
    if (*local == global)
        return fail(SCREE_ERROR_FORMAT,
                    "'%s' is not %s: %s of the groups fclib_local and fclib_global %s there; must be one",
                    file->path, purpose, global ? "both" : "none", global ? "are" : "is");
    return SCREE_OK;
}

static scree_result read_problem(hdf5_file *file, scree_problem **out) {
    bool local = false;
    TRY(find_form(file, &local));
    __attribute__((cleanup(release)))
    content c = {.form = local ? "fclib_local" : "fclib_global",
                 .vectors = local ? "fclib_local/vectors" : "fclib_global/vectors"};
    TRY(check_components(file, c.form));
    TRY(read_friction(file, c.vectors, &c.contacts, &c.friction));
    return (local ? read_local : read_global)(file, &c, out);
}

scree_result scree_fclib_load(const char *path, scree_problem **out) {
    REQUIRE(path);
    REQUIRE(out);
    SCOPED_HDF5 file;
    TRY(hdf5_open(path, purpose, HDF5_READ, &file));
    return read_problem(&file, out);
}
