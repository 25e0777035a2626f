/* HDF5 files as tables (scree/state.h): a group holds one dataset per column, all with the same number of
 * rows. A table is described once; the description serves writing, reading and checking. Frames and
 * checkpoints use it.
 *
 * A new file is written next to the one that it replaces (file_draft), by its own driver (hdf5_driver.h),
 * so it is never held in memory. Threads may call this at once if HDF5 is
 * thread-safe (scree_files_are_thread_safe). */
#pragma once

#include "file.h"
#include "hdf5_driver.h"

#include <scree/state.h>

typedef struct hdf5_file {
    hid_t id;
    hid_t driver;        /* driver of a file that is written; negative otherwise */
    const char *path;    /* for messages; owned by the caller */
    const char *purpose; /* for messages: "a frame", "a checkpoint"; owned by the caller */
    uint64_t bytes;      /* size of a file that is read */
    bool refused;        /* a read by hdf5_source failed, with a message that names the file */
    int compression;     /* of written datasets: 0 none, 1 … 9 deflate after shuffle; hdf5_create sets 0 */
    file_draft draft;    /* of a file that is written */
    hdf5_target target;
    H5E_auto2_t report; /* the process's HDF5 error handler, which hdf5_close restores */
    void *report_data;
} hdf5_file;

/* The table of the columns of an array, with items of a type. */
#define HDF5_COUNT(ARRAY) ((int)(sizeof(ARRAY) / sizeof *(ARRAY)))
#define HDF5_TABLE(NAME, COLUMNS, ITEM)                                                                      \
    { .name = (NAME), .columns = (COLUMNS), .column_count = HDF5_COUNT(COLUMNS), .row_size = sizeof(ITEM) }

/* A local file that is closed at the end of its scope, also if it could not be created or opened. */
#define SCOPED_HDF5 __attribute__((cleanup(hdf5_close))) hdf5_file
void hdf5_close(hdf5_file *self);

/* Begins a file that hdf5_replace moves to `path`, leaving the first `offset` bytes free. `out` must not
 * move in memory. Errors: FILE, DISK_FULL, MEMORY. */
scree_result hdf5_create(const char *path, const char *purpose, int offset, hdf5_file *out);
/* Flushes HDF5's data to the draft, so that it can be read or a header can be written; no table can be
 * written afterwards. Errors: FILE, DISK_FULL, MEMORY. */
scree_result hdf5_finish(hdf5_file *self);
/* Does hdf5_finish and moves the file to its path; `durable` as in file_replace. Without this call
 * hdf5_close leaves `path` unchanged. */
scree_result hdf5_replace(hdf5_file *self, bool durable);
/* HDF5_COPY: an in-memory copy for changes. */
typedef enum hdf5_mode { HDF5_READ, HDF5_COPY } hdf5_mode;
/* Opens a regular file. Errors: FILE, FORMAT. */
scree_result hdf5_open(const char *path, const char *purpose, hdf5_mode mode, hdf5_file *out);
/* Returns the bytes of a changed copy, valid until hdf5_close. Errors: MEMORY. */
scree_result hdf5_image(hdf5_file *self, file_piece *out);
/* Removes a dataset or group if it exists. Errors: FORMAT. */
scree_result hdf5_remove(hdf5_file *self, const char *name);

/* Writes or reads `rows` items. Datasets under 2 kB stay uncompressed. Reading checks that every dataset
 * exists with this type and extent and is stored in the file itself, contiguous or compressed by these
 * filters. Errors: MEMORY; FORMAT (names the dataset). */
scree_result hdf5_write(hdf5_file *self, const scree_table *table, const void *items, size_t rows);
scree_result hdf5_read(hdf5_file *self, const scree_table *table, void *items, size_t rows);
/* Returns whether a group or dataset of that path ("group/group/dataset") exists. */
bool hdf5_has(hdf5_file *self, const char *path);
/* Reads the number of rows of the table's first column. Errors: FORMAT. */
scree_result hdf5_rows(hdf5_file *self, const scree_table *table, int *rows);

/* Write attributes of a group, which is created if it does not exist. Errors: MEMORY. */
scree_result hdf5_write_integers(hdf5_file *self, const char *group, const char *name, const int64_t *values,
                                 int count);
scree_result hdf5_write_text(hdf5_file *self, const char *group, const char *name, const char *text);

size_t hdf5_type_size(scree_value_type type);

/* Return a sink that writes to a file, and a source that reads from one. */
scree_state_sink hdf5_sink(hdf5_file *self);
scree_state_source hdf5_source(hdf5_file *self);
