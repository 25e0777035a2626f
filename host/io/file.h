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

/* A file that is to take the place of another, while it is written. */
typedef struct file_draft {
    const char *path; /* of the other; the caller's */
    char *name;       /* its own, beside that */
    int descriptor;   /* for reading and writing */
} file_draft;

/* Begins it, empty. On error there is none. Errors: FILE, DISK_FULL, MEMORY. */
scree_result file_draft_begin(const char *path, file_draft *out);
/* Puts it in its place, durably as above, unless writing it has failed: `error` is the errno of that, else 0.
 * On error `path` is as it was and the draft is gone. Errors: FILE, DISK_FULL. */
scree_result file_draft_end(file_draft *self, int error, bool durable);
/* Removes it. Nothing where it has ended or was never begun. */
void file_draft_drop(file_draft *self);

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
