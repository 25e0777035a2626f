/* Files that are replaced as a whole: a reader finds either the old or the new content, never a mixture. */
#pragma once

#include "base/error.h"

#include <string.h>
#include <sys/types.h>

/* A run of bytes. */
typedef struct file_piece {
    const void *bytes;
    size_t length;
} file_piece;

/* Writes the pieces to a temporary file next to `path` (the process id makes its name unique) and renames
 * it. `durable` also syncs the file before and the folder after the rename, so that the new content
 * survives a power cut. On error `path` is unchanged and the temporary file is removed. Errors: FILE,
 * DISK_FULL, MEMORY. */
scree_result file_replace(const char *path, const file_piece *pieces, int count, bool durable);

/* A temporary file that is to replace another one. */
typedef struct file_draft {
    const char *path; /* of the file to replace; owned by the caller */
    char *name;       /* path of the temporary file, in the same folder */
    int descriptor;   /* for reading and writing */
} file_draft;

/* Creates an empty draft; on error none exists. Errors: FILE, DISK_FULL, MEMORY. */
scree_result file_draft_begin(const char *path, file_draft *out);
/* Renames the draft to its path, durably as in file_replace, unless writing it has failed: `error` is that
 * errno, else 0. On error `path` is unchanged and the draft is removed. Errors: FILE, DISK_FULL. */
scree_result file_draft_end(file_draft *self, int error, bool durable);
/* Removes the draft. Does nothing if it has ended or was never begun. */
void file_draft_drop(file_draft *self);

/* Writes all of `bytes` to a descriptor; returns the errno of a failure, else 0. */
int file_write_all(int descriptor, const void *bytes, size_t length);
/* Reads until `length` bytes or the end of the file; returns their number, or −1 with errno. */
ssize_t file_read_all(int descriptor, void *out, size_t length);

/* Returns the length of the byte order mark that some editors write before a text of UTF-8; 0: none. */
static inline size_t file_mark_length(const char *bytes, size_t length) {
    static const char mark[] = "\xef\xbb\xbf";
    return length >= 3 && !memcmp(bytes, mark, 3) ? 3 : 0;
}

/* Reads a whole regular file of at most `limit` bytes into a new, zero-terminated block. Errors: FILE,
 * FORMAT (too long), MEMORY. */
scree_result file_read(const char *path, size_t limit, char **bytes, size_t *length);

/* Returns folder/name in a new block. Errors: MEMORY. */
scree_result file_path_join(const char *folder, const char *name, char **out);

/* Returns whether `name` is a temporary name that file_replace makes for a file called `target`. */
bool file_is_temporary_of(const char *name, const char *target);
