/* FCLIB files for the tests, written with HDF5 directly and not with the code under test. */
#pragma once

#include <hdf5.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Writes a vector and creates its groups if needed; replaces an existing one. */
static inline bool fclib_put(hid_t file, const char *name, hid_t type, const void *values, size_t count) {
    const hsize_t extent = count;
    const hid_t space = H5Screate_simple(1, &extent, NULL), links = H5Pcreate(H5P_LINK_CREATE);
    H5Pset_create_intermediate_group(links, 1);
    H5E_BEGIN_TRY { H5Ldelete(file, name, H5P_DEFAULT); }
    H5E_END_TRY
    const hid_t set = H5Dcreate2(file, name, type, space, links, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = set >= 0 && (!count || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    if (set >= 0) H5Dclose(set);
    H5Pclose(links);
    H5Sclose(space);
    return good;
}

static inline bool fclib_put_numbers(hid_t file, const char *name, const double *values, size_t count) {
    return fclib_put(file, name, H5T_NATIVE_DOUBLE, values, count);
}

static inline bool fclib_put_integers(hid_t file, const char *name, const int *values, size_t count) {
    return fclib_put(file, name, H5T_NATIVE_INT, values, count);
}

static inline bool fclib_put_integer(hid_t file, const char *name, int value) {
    return fclib_put_integers(file, name, &value, 1);
}

/* storage format of a matrix */
typedef enum fclib_form { FCLIB_TRIPLETS, FCLIB_COLUMNS, FCLIB_ROWS } fclib_form;

static inline void fclib_name(char out[64], const char *group, const char *name) {
    out[0] = 0;
    strncat(out, group, 40);
    strcat(out, "/");
    strncat(out, name, 20);
}

/* Writes a dense row-major m × n matrix without its zeros. */
static inline void fclib_put_matrix(hid_t file, const char *group, fclib_form form, int m, int n,
                                    const double *dense) {
    int *p = calloc((size_t)(m * n + m + n + 2), sizeof *p), *i = calloc((size_t)(m * n + 1), sizeof *i),
        count = 0;
    double *x = calloc((size_t)(m * n + 1), sizeof *x);
    char name[64];
    const int lines = form == FCLIB_COLUMNS ? n : m, others = form == FCLIB_COLUMNS ? m : n;
    for (int line = 0; line < lines; ++line) {
        for (int other = 0; other < others; ++other) {
            const int row = form == FCLIB_COLUMNS ? other : line,
                      column = form == FCLIB_COLUMNS ? line : other;
            if (dense[row * n + column] == 0) continue;
            if (form == FCLIB_TRIPLETS) p[count] = column;
            i[count] = form == FCLIB_TRIPLETS ? row : other;
            x[count++] = dense[row * n + column];
        }
        if (form != FCLIB_TRIPLETS) p[line + 1] = count;
    }
    fclib_name(name, group, "m");
    fclib_put_integer(file, name, m);
    fclib_name(name, group, "n");
    fclib_put_integer(file, name, n);
    fclib_name(name, group, "nz");
    fclib_put_integer(file, name, form == FCLIB_TRIPLETS ? count : form == FCLIB_COLUMNS ? -1 : -2);
    fclib_name(name, group, "nzmax");
    fclib_put_integer(file, name, count);
    fclib_name(name, group, "p");
    fclib_put_integers(file, name, p, (size_t)(form == FCLIB_TRIPLETS ? count : lines + 1));
    fclib_name(name, group, "i");
    fclib_put_integers(file, name, i, (size_t)count);
    fclib_name(name, group, "x");
    fclib_put_numbers(file, name, x, (size_t)count);
    free(p);
    free(i);
    free(x);
}
