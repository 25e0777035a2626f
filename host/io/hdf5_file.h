/* HDF5 files as tables: a group holds one dataset for each column, all with the same number of rows. A table
 * is described once, and that description writes it, reads it and checks it. Used by frames and checkpoints.
 *
 * Files are written beside those whose place they take (file_draft), by a driver of their own
 * (hdf5_driver.h), so that nothing of them has to be in memory. HDF5 serialises nothing by itself: one thread
 * at a time.
 */
#ifndef SCREE_IO_HDF5_FILE_H
#define SCREE_IO_HDF5_FILE_H

#include "file.h"
#include "hdf5_driver.h"

typedef enum hdf5_type {
    HDF5_UINT8,
    HDF5_INT32,
    HDF5_UINT32,
    HDF5_INT64,
    HDF5_UINT64,
    HDF5_FLOAT,
    HDF5_DOUBLE
} hdf5_type;

/* One dataset: `columns` values of `type`, found at `offset` of each item. */
typedef struct hdf5_column {
    const char *name;
    hdf5_type type;
    int columns;
    size_t offset;
} hdf5_column;

typedef struct hdf5_table {
    const char *group; /* such as "VTKHDF/PointData" */
    const hdf5_column *columns;
    int count;
    size_t stride; /* size of an item */
} hdf5_table;

typedef struct hdf5_file {
    hid_t id;
    hid_t driver;        /* of a file that is written; else negative */
    const char *path;    /* for messages; the caller's */
    const char *purpose; /* likewise: "a frame", "a checkpoint" */
    uint64_t bytes;      /* size of a file that is read */
    int compression;     /* of what is written: 0 none, 1 … 9 deflate after shuffle; 0 from hdf5_create */
    file_draft draft;    /* of a file that is written */
    hdf5_target target;
    H5E_auto2_t report; /* the process's way of reporting HDF5 errors, put back by hdf5_close */
    void *report_data;
} hdf5_file;

/* Begins a file that hdf5_replace puts at `path`, behind `offset` bytes that are left free. `out` stays where
 * it is. Errors: FILE, DISK_FULL, MEMORY. */
scree_result hdf5_create(const char *path, const char *purpose, int offset, hdf5_file *out);
/* Writes what HDF5 still has of it to the draft, for reading or for what goes before it; no table can be
 * written any more. Errors: FILE, DISK_FULL, MEMORY. */
scree_result hdf5_finish(hdf5_file *self);
/* The same, and puts it in its place; `durable` as of file_replace. hdf5_close without it leaves `path` as it
 * was. */
scree_result hdf5_replace(hdf5_file *self, bool durable);
/* Opens a file for reading. Errors: FILE, FORMAT. */
scree_result hdf5_open(const char *path, const char *purpose, hdf5_file *out);
/* Opens a copy of a file in memory, to be changed. Errors: FILE, FORMAT. */
scree_result hdf5_open_copy(const char *path, const char *purpose, hdf5_file *out);
/* The bytes of a changed copy, valid until hdf5_close. Errors: MEMORY. */
scree_result hdf5_image(hdf5_file *self, file_piece *out);
/* Removes a dataset or group if it is there. Errors: FORMAT. */
scree_result hdf5_remove(hdf5_file *self, const char *name);
void hdf5_close(hdf5_file *self);

/* Writes or reads `rows` items. Datasets under 2 kB stay uncompressed. Reading checks that every dataset is
 * there with this type and extent, stored in the file itself, plain or compressed by these filters. Errors:
 * MEMORY; FORMAT with the dataset's name. */
scree_result hdf5_write(hdf5_file *self, const hdf5_table *table, const void *items, size_t rows);
scree_result hdf5_read(hdf5_file *self, const hdf5_table *table, void *items, size_t rows);
/* Makes items [first, first + count) of a table. */
typedef void hdf5_maker(void *context, size_t first, size_t count, void *items);
/* Writes `rows` items, uncompressed, that are made piece by piece, each after the one before: for tables that
 * nobody holds as a whole. Errors: MEMORY. */
scree_result hdf5_write_made(hdf5_file *self, const hdf5_table *table, hdf5_maker *make, void *context,
                             size_t rows);

/* Whether something of that name ("group/group/dataset") is there. */
bool hdf5_has(hdf5_file *self, const char *path);
/* The number of rows of the table's first column. Errors: FORMAT. */
scree_result hdf5_rows(hdf5_file *self, const hdf5_table *table, int *rows);

/* Attributes of a group, which is made if need be. Errors: MEMORY. */
scree_result hdf5_write_integers(hdf5_file *self, const char *group, const char *name, const int64_t *values,
                                 int count);
scree_result hdf5_write_text(hdf5_file *self, const char *group, const char *name, const char *text);

size_t hdf5_type_size(hdf5_type type);

#endif
