/* CSV files that grow by a row at a time and stay a table whatever happens: a row is written whole or not at
 * all, and a run that goes on cuts off what is behind its step. The first column is the step. */
#ifndef SCREE_IO_ROW_FILE_H
#define SCREE_IO_ROW_FILE_H

#include "base/error.h"

#include <locale.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct row_file {
    char *path;
    int descriptor;
    uint64_t last;   /* step of the last row that an earlier run left; 0: none */
    off_t end;       /* of the last whole row; -1 where the file has no positions (a pipe) */
    char stage[64];  /* what a row's column `stage` says */
    locale_t locale; /* the point as decimal sign, whatever the program's locale: for what prints rows */
} row_file;

/* Opens a file with this header, a line with its end. With `from_step` > 0 rows of an earlier run up to that
 * step stay, later ones are dropped. On error it is closed. Errors: FILE, DISK_FULL, FORMAT, MEMORY. */
scree_result row_file_open(row_file *self, const char *path, const char *header, uint64_t from_step);
/* Appends a row with its end. Errors: FILE, DISK_FULL. */
scree_result row_file_write(row_file *self, const char *text, size_t length);
/* What the column `stage` says from now on; null: nothing. Errors: ARGUMENT. */
scree_result row_file_stage_set(row_file *self, const char *name);
/* Errors: FILE, DISK_FULL. */
scree_result row_file_close(row_file *self);

#endif
