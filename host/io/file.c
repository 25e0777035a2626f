#include "file.h"

#include "base/memory.h"

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

ssize_t file_read_all(int descriptor, void *out, size_t length) {
    size_t done = 0;
    while (done < length) {
        const ssize_t got = read(descriptor, (char *)out + done, length - done);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (!got) break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* Syncs the folder that holds `path`, so that the rename is on disk; returns the errno of a failure, else
 * 0. */
static int sync_folder(char *path) {
    char *slash = strrchr(path, '/');
    if (slash) slash[slash == path] = 0;
    const int descriptor = open(slash ? path : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    /* Some file systems cannot sync a folder; these two errors report that and are harmless. */
    const int error = fsync(descriptor) && errno != EINVAL && errno != EROFS ? errno : 0;
    close(descriptor);
    return error;
}

scree_result file_draft_begin(const char *path, file_draft *out) {
    const size_t size = strlen(path) + sizeof temporary_mark + 24;
    *out = (file_draft){.path = path, .name = memory_allocate(size, 1), .descriptor = -1};
    if (!out->name) return fail(SCREE_ERROR_MEMORY, "out of memory for the name of '%s'", path);
    snprintf(out->name, size, "%s%s%ld", path, temporary_mark, (long)getpid());
    out->descriptor = open(out->name, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
    if (out->descriptor >= 0) return SCREE_OK;
    const int error = errno;
    memory_release(out->name);
    *out = (file_draft){.descriptor = -1};
    return fail_file(error, "cannot write '%s'", path);
}

scree_result file_draft_end(file_draft *self, int error, bool durable) {
    if (!error && durable && fsync(self->descriptor)) error = errno;
    if (close(self->descriptor) && !error) error = errno;
    if (!error && rename(self->name, self->path)) error = errno;
    if (error) unlink(self->name);
    if (!error && durable) error = sync_folder(self->name);
    memory_release(self->name);
    self->name = NULL;
    return error ? fail_file(error, "cannot write '%s'", self->path) : SCREE_OK;
}

void file_draft_drop(file_draft *self) {
    if (!self->name) return;
    close(self->descriptor);
    unlink(self->name);
    memory_release(self->name);
    self->name = NULL;
}

scree_result file_replace(const char *path, const file_piece *pieces, int count, bool durable) {
    file_draft draft;
    TRY(file_draft_begin(path, &draft));
    int error = 0;
    for (int i = 0; i < count && !error; i++)
        error = file_write_all(draft.descriptor, pieces[i].bytes, pieces[i].length);
    return file_draft_end(&draft, error, durable);
}

static scree_result read_descriptor(int descriptor, const char *path, size_t limit, char **bytes,
                                    size_t *length) {
    struct stat status;
    if (fstat(descriptor, &status)) return fail_file(errno, "cannot read '%s'", path);
    if (!S_ISREG(status.st_mode)) return fail(SCREE_ERROR_FILE, "cannot read '%s': not a regular file", path);
    if ((uintmax_t)status.st_size > limit)
        return fail(SCREE_ERROR_FORMAT, "'%s': %jd bytes; must be at most %zu", path,
                    (intmax_t)status.st_size, limit);
    const size_t size = (size_t)status.st_size;
    SCOPED char *block = memory_allocate(size + 1, 1);
    if (!block) return fail(SCREE_ERROR_MEMORY, "out of memory: %zu bytes to read '%s'", size, path);
    const ssize_t done = file_read_all(descriptor, block, size);
    if (done < 0) return fail_file(errno, "cannot read '%s'", path);
    *bytes = block;
    *length = (size_t)done;
    block = NULL;
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
    return *digits && !digits[strspn(digits, "0123456789")];
}
