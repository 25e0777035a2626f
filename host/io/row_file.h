/* CSV files that grow by one row at a time and always remain valid tables: a row is written whole or not
 * at all, and a resumed run cuts off the rows after its step. The first column is the step. */
#pragma once

#include "base/error.h"

#include <stdint.h>
#include <sys/types.h>

typedef struct row_file {
    char *path;
    int descriptor;
    uint64_t last;  /* step of the last row of an earlier run; 0: none */
    off_t end;      /* end of the last complete row; -1 if the file is not seekable (a pipe) */
    char stage[64]; /* text of the column `stage` */
} row_file;

/* Opens a file with this header, which includes its line end. With `from_step` > 0, keeps rows of an
 * earlier run up to that step and drops later ones. Closes the file on error. Errors: FILE, DISK_FULL,
 * FORMAT, MEMORY. */
scree_result row_file_open(row_file *self, const char *path, const char *header, uint64_t from_step);
/* Appends a row, which includes its line end. Errors: FILE, DISK_FULL. */
scree_result row_file_write(row_file *self, const char *text, size_t length);
/* Sets the text of the column `stage` for later rows; null: empty. Errors: ARGUMENT. */
scree_result row_file_stage_set(row_file *self, const char *name);
/* Errors: FILE, DISK_FULL. */
scree_result row_file_close(row_file *self);
