/* Files that are replaced as a whole: readers find the old content or the new one, never a part. */
#ifndef SCREE_IO_FILE_H
#define SCREE_IO_FILE_H

#include "base/error.h"

/* A run of bytes. */
typedef struct file_piece {
    const void *bytes;
    size_t length;
} file_piece;

/* Writes the pieces to a temporary name beside `path` (the process id makes it unique), and renames it.
 * `durable` also syncs the file before and the folder after the rename, so that the new content survives a
 * power cut. On error `path` is as it was and the temporary file is gone. Errors: FILE, DISK_FULL, MEMORY. */
scree_result file_replace(const char *path, const file_piece *pieces, int count, bool durable);

/* Writes all of `bytes` to a descriptor; the errno of a failure, else 0. */
int file_write_all(int descriptor, const void *bytes, size_t length);

/* Reads a whole regular file of at most `limit` bytes into a new block, with a zero after its end. Errors:
 * FILE, FORMAT (too long), MEMORY. */
scree_result file_read(const char *path, size_t limit, char **bytes, size_t *length);

/* folder/name in a new block. Errors: MEMORY. */
scree_result file_path_join(const char *folder, const char *name, char **out);

/* Whether `name` is a temporary name of file_replace for a file called `target`. */
bool file_is_temporary_of(const char *name, const char *target);

#endif
