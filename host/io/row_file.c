#include "row_file.h"

#include "file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Removes a row that does not fit on the disk, so that the file remains a table. */
scree_result row_file_write(row_file *self, const char *text, size_t length) {
    const int error = file_write_all(self->descriptor, text, length);
    if (!error) {
        if (self->end >= 0) self->end += (off_t)length;
        return SCREE_OK;
    }
    if (self->end >= 0 && ftruncate(self->descriptor, self->end))
        return fail_file(error, "cannot write '%s'; it now ends in an incomplete row", self->path);
    return fail_file(error, "cannot write '%s'", self->path);
}

static int count_fields(const char *row, const char *end) {
    int fields = 1;
    for (const char *c = row; c < end; c++) fields += *c == ',';
    return fields;
}

/* Returns whether a line has the right number of fields, the first of which is a step. */
static bool parse_row(const char *row, const char *newline, int columns, uint64_t *step) {
    char *rest;
    errno = 0;
    *step = strtoull(row, &rest, 10);
    return *row >= '0' && *row <= '9' && *rest == ',' && !errno && count_fields(row, newline) == columns;
}

/* Finds the end of the rows up to `from_step`. Drops a last line without line end, which was cut short. */
static scree_result find_end(const char *path, const char *header, const char *text, size_t length,
                             uint64_t from_step, size_t *end, uint64_t *last) {
    const size_t skipped = file_mark_length(text, length), header_length = strlen(header);
    const int columns = count_fields(header, header + header_length);
    if (length - skipped < header_length || memcmp(text + skipped, header, header_length))
        return fail(SCREE_ERROR_FORMAT, "'%s': line 1: other columns; must be those of this version of scree",
                    path);
    *end = skipped + header_length;
    *last = 0;
    for (int line = 2; *end < length; line++) {
        const char *row = text + *end, *newline = memchr(row, '\n', length - *end);
        if (!newline) break;
        uint64_t step;
        if (!parse_row(row, newline, columns, &step))
            return fail(SCREE_ERROR_FORMAT, "'%s': line %d: must be a row of %d fields, the step first", path,
                        line, columns);
        if (step > from_step) break;
        *end = (size_t)(newline - text) + 1;
        *last = step;
    }
    return SCREE_OK;
}

/* Truncates an earlier run's file after `from_step`; `kept` is false if there is none. */
static scree_result keep_rows(const char *path, const char *header, uint64_t from_step, bool *kept,
                              uint64_t *last) {
    *kept = false;
    if (access(path, F_OK) && errno == ENOENT) return SCREE_OK;
    SCOPED char *text = NULL;
    size_t length, end = 0;
    TRY(file_read(path, SIZE_MAX / 2, &text, &length));
    TRY(find_end(path, header, text, length, from_step, &end, last));
    if (truncate(path, (off_t)end)) return fail_file(errno, "cannot shorten '%s'", path);
    *kept = true;
    return SCREE_OK;
}

static void release(row_file *self) {
    if (self->descriptor >= 0) close(self->descriptor);
    memory_release(self->path);
    *self = (row_file){.descriptor = -1};
}

static scree_result begin(row_file *self, const char *path, const char *header, uint64_t from_step) {
    bool kept = false;
    TRY(file_path_join("", path, &self->path));
    if (from_step) TRY(keep_rows(path, header, from_step, &kept, &self->last));
    self->descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (kept ? 0 : O_TRUNC), 0666);
    if (self->descriptor < 0) return fail_file(errno, "cannot open '%s'", path);
    self->end = lseek(self->descriptor, 0, SEEK_END);
    return kept ? SCREE_OK : row_file_write(self, header, strlen(header));
}

scree_result row_file_open(row_file *self, const char *path, const char *header, uint64_t from_step) {
    *self = (row_file){.descriptor = -1};
    const scree_result result = begin(self, path, header, from_step);
    if (result != SCREE_OK) release(self);
    return result;
}

scree_result row_file_stage_set(row_file *self, const char *name) {
    const size_t length = name ? strlen(name) : 0;
    if (length >= sizeof self->stage || (name && strcspn(name, ",\"\n\r") != length))
        return fail(
            SCREE_ERROR_ARGUMENT,
            "stage name: '%.80s'; must be shorter than %zu bytes, without commas, quotes and line ends", name,
            sizeof self->stage);
    snprintf(self->stage, sizeof self->stage, "%s", name ? name : "");
    return SCREE_OK;
}

scree_result row_file_close(row_file *self) {
    const int error = close(self->descriptor) ? errno : 0;
    self->descriptor = -1;
    const scree_result result = error ? fail_file(error, "cannot close '%s'", self->path) : SCREE_OK;
    release(self);
    return result;
}
