/* Readers of parts of FCLIB's HDF5 files. They check every dataset's type, extent and range. */
#pragma once

#include "io/hdf5_file.h"

#include <scree/tools/fclib.h>

/* Read one integer, or `count` finite numbers. `out` of fclib_numbers is a new block. Errors: FORMAT,
 * MEMORY. */
scree_result fclib_integer(hdf5_file *file, const char *group, const char *name, int *out);
scree_result fclib_numbers(hdf5_file *file, const char *group, const char *name, int count, double **out);

/* Reads a matrix group of `rows` × `columns` in the file's order; its entries are a new block. Errors:
 * FORMAT, MEMORY. */
scree_result fclib_matrix(hdf5_file *file, const char *group, int rows, int columns,
                          scree_sparse_matrix *out);
