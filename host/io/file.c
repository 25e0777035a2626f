#include "file.h"

#include "base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char temporary_mark[] = ".tmp.";

int file_write_all(int descriptor, const void *bytes, size_t length) {
    const char *next = bytes;
    while (length) {
        const ssize_t written = write(descriptor, next, length);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return errno;
        next += written;
        length -= (size_t)written;
    }
    return 0;
}

/* The file itself: the errno of the first call that fails, else 0. */
static int write_new(const char *name, const file_piece *pieces, int count, bool durable) {
    const int descriptor = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (descriptor < 0) return errno;
    int error = 0;
    for (int i = 0; i < count && !error; ++i)
        error = file_write_all(descriptor, pieces[i].bytes, pieces[i].length);
    if (!error && durable && fsync(descriptor)) error = errno;
    if (close(descriptor) && !error) error = errno;
    return error;
}

/* Syncs the folder that holds `path`, so that the rename itself is on disk; the errno of a failure, else 0.
 */
static int sync_folder(char *path) {
    char *slash = strrchr(path, '/');
    if (slash) slash[slash == path] = 0;
    const int descriptor = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    /* Some file systems cannot sync a folder and say so; there is nothing more to do on them. */
    const int error = fsync(descriptor) && errno != EINVAL && errno != EROFS ? errno : 0;
    close(descriptor);
    return error;
}

scree_result file_replace(const char *path, const file_piece *pieces, int count, bool durable) {
    const size_t size = strlen(path) + sizeof temporary_mark + 24;
    char *name = memory_allocate(size, 1);
    if (!name) return fail(SCREE_ERROR_MEMORY, "out of memory for the name of '%s'", path);
    snprintf(name, size, "%s%s%ld", path, temporary_mark, (long)getpid());

    int error = write_new(name, pieces, count, durable);
    if (!error && rename(name, path)) error = errno;
    if (error) unlink(name);
    if (!error && durable) error = sync_folder(name);
    memory_release(name);
    return error ? fail_file(error, "cannot write '%s'", path) : SCREE_OK;
}

static scree_result read_descriptor(int descriptor, const char *path, size_t limit, char **bytes,
                                    size_t *length) {
    struct stat status;
    if (fstat(descriptor, &status)) return fail_file(errno, "cannot read '%s'", path);
    if (!S_ISREG(status.st_mode)) return fail(SCREE_ERROR_FILE, "cannot read '%s': not a regular file", path);
    if ((uintmax_t)status.st_size > limit)
        return fail(SCREE_ERROR_FORMAT, "'%s' is too long: %jd bytes, at most %zu expected", path,
                    (intmax_t)status.st_size, limit);
    const size_t size = (size_t)status.st_size;
    char *block = memory_allocate(size + 1, 1);
    if (!block) return fail(SCREE_ERROR_MEMORY, "out of memory: %zu bytes to read '%s'", size, path);
    size_t done = 0;
    while (done < size) {
        const ssize_t got = read(descriptor, block + done, size - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            const int error = errno;
            memory_release(block);
            return fail_file(error, "cannot read '%s'", path);
        }
        if (!got) break;
        done += (size_t)got;
    }
    *bytes = block;
    *length = done;
    return SCREE_OK;
}

scree_result file_read(const char *path, size_t limit, char **bytes, size_t *length) {
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return fail_file(errno, "cannot open '%s'", path);
    const scree_result result = read_descriptor(descriptor, path, limit, bytes, length);
    close(descriptor);
    return result;
}

scree_result file_path_join(const char *folder, const char *name, char **out) {
    const size_t size = strlen(folder) + strlen(name) + 2;
    *out = memory_allocate(size, 1);
    if (!*out) return fail(SCREE_ERROR_MEMORY, "out of memory for the path '%s/%s'", folder, name);
    const bool slash = folder[0] && folder[strlen(folder) - 1] != '/';
    snprintf(*out, size, "%s%s%s", folder, slash ? "/" : "", name);
    return SCREE_OK;
}

bool file_is_temporary_of(const char *name, const char *target) {
    const size_t length = strlen(target), mark = sizeof temporary_mark - 1;
    if (strncmp(name, target, length) || strncmp(name + length, temporary_mark, mark)) return false;
    const char *digits = name + length + mark;
    if (!*digits) return false;
    while (isdigit((unsigned char)*digits)) ++digits;
    return !*digits;
}
