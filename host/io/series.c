/* A folder of frames, frame_<step>.vtkhdf, and of their indices, frames.xdmf, contacts.xdmf and
 * joints.xdmf.
 *
 * ParaView 5.11 reads neither VTKHDF with time steps (supported since 5.12) nor a .vtkhdf.series file, so
 * the indices are XDMF over the same HDF5 files. */
#include "chains_file.h"
#include "frame_index.h"

#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct scree_series {
    char *folder;
    scree_series_def def;
    frame_index indices[FRAME_GROUPS];
    frame_summary *frames; /* frames of an earlier run, by ascending step; only while the series is opened */
    int count, capacity;
    bool begun;
    uint64_t last; /* step of the last frame, if begun */
};

/* Returns whether `name` begins with the name of a file that a series writes for some step. */
static bool name_parse(const char *name, const char *prefix, void (*print)(uint64_t, char *), uint64_t *step,
                       char target[FRAME_NAME_SIZE]) {
    const char *digits = name + strlen(prefix);
    if (strncmp(name, prefix, strlen(prefix)) || *digits < '0' || *digits > '9') return false;
    errno = 0;
    *step = strtoull(digits, NULL, 10);
    print(*step, target);
    return errno == 0 && !strncmp(name, target, strlen(target));
}

/* Handles one file of the folder: keeps and remembers a frame, removes a file of a later step or a
 * temporary file, ignores all others. */
static scree_result sort_out(scree_series *self, const char *name, uint64_t from_step) {
    uint64_t step;
    char target[FRAME_NAME_SIZE];
    SCOPED char *path = NULL;
    const bool chains = name_parse(name, "chains_", chains_file_name, &step, target);
    if (!chains && !name_parse(name, "frame_", frame_file_name, &step, target)) return SCREE_OK;
    const bool whole = !strcmp(name, target);
    if (!whole && !file_is_temporary_of(name, target)) return SCREE_OK;
    if (chains && whole && from_step && step <= from_step) return SCREE_OK;
    TRY(file_path_join(self->folder, name, &path));
    if (chains || !whole || !from_step || step > from_step)
        return unlink(path) ? fail_file(errno, "cannot remove '%s'", path) : SCREE_OK;
    frame_summary summary;
    TRY(frame_file_summary(path, &summary));
    if (summary.step != step)
        return fail(SCREE_ERROR_FORMAT, "'%s' holds the frame of step %" PRIu64, path, summary.step);
    TRY(MEMORY_RESERVE(self->frames, self->capacity, self->count + 1, NULL));
    self->frames[self->count++] = summary;
    return SCREE_OK;
}

static int by_step(const void *a, const void *b) {
    const uint64_t x = ((const frame_summary *)a)->step, y = ((const frame_summary *)b)->step;
    return (x > y) - (x < y);
}

static scree_result sort_out_folder(scree_series *self, uint64_t from_step) {
    DIR *folder = opendir(self->folder);
    if (!folder) return fail_file(errno, "cannot open the folder '%s'", self->folder);
    scree_result result = SCREE_OK;
    for (const struct dirent *entry; result == SCREE_OK;) {
        errno = 0;
        entry = readdir(folder);
        if (!entry && errno) result = fail_file(errno, "cannot read the folder '%s'", self->folder);
        if (!entry) break;
        result = sort_out(self, entry->d_name, from_step);
    }
    closedir(folder);
    if (self->count) qsort(self->frames, (size_t)self->count, sizeof *self->frames, by_step);
    return result;
}

/* Closes and frees everything; returns the first error. */
static scree_result series_release(scree_series *self) {
    scree_result first = SCREE_OK;
    for (int i = 0; i < FRAME_GROUPS; i++) {
        const scree_result result = frame_index_close(&self->indices[i]);
        if (first == SCREE_OK) first = result;
    }
    memory_release(self->folder);
    memory_release(self->frames);
    memory_release(self);
    return first;
}

static scree_result begin(scree_series *self, const char *folder, uint64_t from_step) {
    TRY(file_path_join(folder, "", &self->folder));
    TRY(sort_out_folder(self, from_step));
    for (int i = 0; i < FRAME_GROUPS; i++)
        TRY(frame_index_open(&self->indices[i], frame_groups[i], folder, self->frames, self->count));
    self->begun = self->count > 0;
    if (self->begun) self->last = self->frames[self->count - 1].step;
    memory_release(self->frames);
    self->frames = NULL;
    return SCREE_OK;
}

static scree_result check_def(const char *call, const scree_series_def *def) {
    if (def->fields & ~(uint32_t)FRAME_ALL_FIELDS)
        return fail(SCREE_ERROR_ARGUMENT, "%s: fields: 0x%x; must be bits of known fields", call,
                    (unsigned)def->fields);
    if (def->compression < 0 || def->compression > 9)
        return fail(SCREE_ERROR_ARGUMENT, "%s: compression: %d; must be 0 to 9", call, def->compression);
    return SCREE_OK;
}

scree_result scree_series_open(const char *folder, uint64_t from_step, const scree_series_def *def,
                               scree_series **out) {
    REQUIRE(folder);
    REQUIRE(out);
    if (!*folder)
        return fail(SCREE_ERROR_ARGUMENT, "scree_series_open: folder: \"\"; must be an existing folder");
    if (def) TRY(check_def(__func__, def));
    scree_series *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for the series in '%s'", folder);
    self->def = def ? *def : scree_default_series_def();
    for (int i = 0; i < FRAME_GROUPS; i++) self->indices[i].descriptor = -1;
    const scree_result result = begin(self, folder, from_step);
    if (result == SCREE_OK)
        *out = self;
    else
        series_release(self);
    return result;
}

scree_result scree_series_set_def(scree_series *series, const scree_series_def *def) {
    REQUIRE(series);
    REQUIRE(def);
    TRY(check_def(__func__, def));
    series->def = *def;
    return SCREE_OK;
}

static scree_result write_chains(const scree_series *self, const scree_frame *frame) {
    char name[CHAINS_NAME_SIZE];
    SCOPED char *path = NULL;
    chains_file_name(frame->step, name);
    TRY(file_path_join(self->folder, name, &path));
    return chains_file_write(frame, path);
}

/* Writes the frame's file before the indices, so that these never refer to a missing file. */
static scree_result write_frame(scree_series *self, const scree_frame *frame, const char *path) {
    frame_summary summary;
    if (self->def.chains) TRY(write_chains(self, frame));
    TRY(frame_file_write(frame, &self->def, path, &summary));
    for (int i = 0; i < FRAME_GROUPS; i++) {
        const scree_result result = frame_index_append(&self->indices[i], &summary);
        if (result == SCREE_OK) continue;
        while (i--) frame_index_retract(&self->indices[i], &summary);
        return result;
    }
    return SCREE_OK;
}

scree_result scree_series_write(scree_series *series, const scree_frame *frame) {
    REQUIRE(series);
    REQUIRE(frame);
    if (series->begun && series->last >= frame->step)
        return fail(SCREE_ERROR_ARGUMENT,
                    "scree_series_write: step: %" PRIu64 "; must come after step %" PRIu64, frame->step,
                    series->last);
    char name[FRAME_NAME_SIZE];
    SCOPED char *path = NULL;
    frame_file_name(frame->step, name);
    TRY(file_path_join(series->folder, name, &path));
    const scree_result result = write_frame(series, frame, path);
    if (result != SCREE_OK) {
        unlink(path);
        return result;
    }
    series->begun = true;
    series->last = frame->step;
    return SCREE_OK;
}

const char *scree_series_get_path(const scree_series *series) {
    REQUIRE_ELSE(series, NULL);
    return series->indices[0].path;
}

/* Removes the indices if there is no frame. */
scree_result scree_series_close(scree_series *series) {
    if (!series) return SCREE_OK;
    for (int i = 0; i < FRAME_GROUPS && !series->begun; i++) unlink(series->indices[i].path);
    return series_release(series);
}
