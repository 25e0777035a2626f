#include "base/memory.h"
#include "fclib.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Returns a one-column table, which describes a vector. */
static scree_table vector_of(const char *group, const scree_column *column) {
    return (scree_table){group, column, 1, hdf5_type_size(column->type)};
}

static scree_result rows_of(hdf5_file *file, const char *group, const char *name, scree_value_type type,
                            int *out) {
    const scree_column column = {name, type, 1, 0};
    const scree_table table = vector_of(group, &column);
    return hdf5_rows(file, &table, out);
}

static scree_result read_vector(hdf5_file *file, const char *group, const char *name, scree_value_type type,
                                int count, void *out) {
    const scree_column column = {name, type, 1, 0};
    const scree_table table = vector_of(group, &column);
    return hdf5_read(file, &table, out, (size_t)count);
}

scree_result fclib_integer(hdf5_file *file, const char *group, const char *name, int *out) {
    int32_t value = 0;
    TRY(read_vector(file, group, name, SCREE_VALUE_INT32, 1, &value));
    *out = value;
    return SCREE_OK;
}

static scree_result check_finite(const hdf5_file *file, const char *group, const char *name,
                                 const double *values, int count) {
    for (int i = 0; i < count; ++i)
        if (!isfinite(values[i]))
            return fail(SCREE_ERROR_FORMAT, "'%s': %s/%s: %g at place %d; must be finite", file->path, group,
                        name, values[i], i);
    return SCREE_OK;
}

scree_result fclib_numbers(hdf5_file *file, const char *group, const char *name, int count, double **out) {
    int rows = 0;
    TRY(rows_of(file, group, name, SCREE_VALUE_DOUBLE,
                &rows)); /* checked before allocating: a file cannot claim more than it holds */
    if (rows != count)
        return fail(SCREE_ERROR_FORMAT, "'%s': %s/%s: %d values; must be %d", file->path, group, name, rows,
                    count);
    double *values = memory_allocate((size_t)count, sizeof *values);
    if (!values) return fail(SCREE_ERROR_MEMORY, "out of memory: %d values of '%s/%s'", count, group, name);
    scree_result result = read_vector(file, group, name, SCREE_VALUE_DOUBLE, count, values);
    if (result == SCREE_OK) result = check_finite(file, group, name, values, count);
    if (result == SCREE_OK)
        *out = values;
    else
        memory_release(values);
    return result;
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

static scree_result read_sizes(hdf5_file *file, stored *s, int rows, int columns) {
    TRY(fclib_integer(file, s->group, "m", &s->m));
    TRY(fclib_integer(file, s->group, "n", &s->n));
    TRY(fclib_integer(file, s->group, "nz", &s->nz));
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

static scree_result read_entries(hdf5_file *file, stored *s, scree_sparse_matrix *out) {
    TRY(read_arrays(file, s));
    scree_triplet *entries = memory_allocate((size_t)s->count, sizeof *entries);
    if (!entries) return fail(SCREE_ERROR_MEMORY, "out of memory: %d entries of '%s'", s->count, s->group);
    *out = (scree_sparse_matrix){.count = s->count, .entries = entries};
    return unpack(file, s, entries);
}

scree_result fclib_matrix(hdf5_file *file, const char *group, int rows, int columns,
                          scree_sparse_matrix *out) {
    stored s = {.group = group};
    scree_result result = read_sizes(file, &s, rows, columns);
    if (result == SCREE_OK) result = read_entries(file, &s, out);
    memory_release(s.p);
    memory_release(s.i);
    memory_release(s.x);
    return result;
}
