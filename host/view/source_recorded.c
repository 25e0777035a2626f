#include "source.h"

#include "base/error.h"
#include "base/memory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct recorded_file {
    uint64_t step;
    char *path;
} recorded_file;

typedef struct recorded {
    view_source source; /* first: functions get its address */
    recorded_file *files;
    int count, capacity, place;
    scree_frame frame;
} recorded;

static recorded *of(view_source *source) { return (recorded *)source; }

static const scree_frame *frame(view_source *source) { return &of(source)->frame; }
static int count(view_source *source) { return of(source)->count; }
static int place(view_source *source) { return of(source)->place; }

static scree_result load(recorded *self, int place_shown) {
    scree_frame read = {0};
    TRY(scree_frame_load(self->files[place_shown].path, &read));
    scree_frame_release(&self->frame);
    self->frame = read;
    self->place = place_shown;
    return SCREE_OK;
}

static scree_result seek(view_source *source, int wanted) {
    recorded *self = of(source);
    const int last = self->count - 1, inside = wanted < 0 ? 0 : wanted > last ? last : wanted;
    return inside == self->place ? SCREE_OK : load(self, inside);
}

static scree_result step(view_source *source) { return seek(source, of(source)->place + 1); }

/* Frames' files have steps in their names, from which the times follow as long as the time step stays. */
static double time_at(const recorded *self, int which) {
    const double steps = (double)self->files[which].step - (double)self->frame.step;
    return self->frame.time + steps * (double)self->frame.time_step;
}

static bool is_over(view_source *source) { return of(source)->place == of(source)->count - 1; }

static double next_time(view_source *source) {
    const recorded *self = of(source);
    return is_over(source) ? self->frame.time : time_at(self, self->place + 1);
}

static scree_result advance(view_source *source, double until) {
    const recorded *self = of(source);
    int wanted = self->place;
    while (wanted + 1 < self->count && time_at(self, wanted + 1) <= until) wanted++;
    return seek(source, wanted);
}

static scree_result poll_nothing(view_source *source, bool wait, bool *changed) {
    (void)source;
    (void)wait;
    *changed = false;
    return SCREE_OK;
}

static bool is_busy(view_source *source) {
    (void)source;
    return false;
}

static void pull_nothing(view_source *source, const pull *with) {
    (void)source;
    (void)with;
}

static const char *note(view_source *source) {
    (void)source;
    return "";
}

static void release(view_source *source) {
    recorded *self = of(source);
    for (int i = 0; i < self->count; i++) memory_release(self->files[i].path);
    memory_release(self->files);
    scree_frame_release(&self->frame);
    memory_release(self);
}

static scree_result add_file(recorded *self, const char *folder, const char *name, uint64_t at) {
    TRY(MEMORY_RESERVE(self->files, self->capacity, self->count + 1, NULL));
    const size_t size = strlen(folder) + strlen(name) + 2;
    char *path = memory_allocate(size, 1);
    if (!path) return fail(SCREE_ERROR_MEMORY, "out of memory for the list of frames");
    snprintf(path, size, "%s%s%s", folder, *folder ? "/" : "", name);
    self->files[self->count++] = (recorded_file){at, path};
    return SCREE_OK;
}

static int compare(const void *a, const void *b) {
    const uint64_t x = ((const recorded_file *)a)->step, y = ((const recorded_file *)b)->step;
    return (x > y) - (x < y);
}

/* Lists frame_<step>.vtkhdf. */
static scree_result list_folder(recorded *self, const char *folder) {
    DIR *listing = opendir(folder);
    if (!listing) return fail_file(errno, "cannot open the folder '%s'", folder);
    scree_result result = SCREE_OK;
    for (struct dirent *entry; result == SCREE_OK && (entry = readdir(listing));) {
        unsigned long long at;
        int end = 0;
        if (sscanf(entry->d_name, "frame_%llu.vtkhdf%n", &at, &end) == 1 && end && !entry->d_name[end])
            result = add_file(self, folder, entry->d_name, at);
    }
    closedir(listing);
    TRY(result);
    if (self->count) qsort(self->files, (size_t)self->count, sizeof *self->files, compare);
    return SCREE_OK;
}

static scree_result open_files(recorded *self, const char *path) {
    struct stat about;
    if (stat(path, &about)) return fail_file(errno, "cannot open '%s'", path);
    TRY(S_ISDIR(about.st_mode) ? list_folder(self, path) : add_file(self, "", path, 0));
    if (!self->count)
        return fail(SCREE_ERROR_ARGUMENT,
                    "'%s': no frames; must have files frame_<step>.vtkhdf, which `scree run` writes unless "
                    "--every is 0",
                    path);
    return load(self, self->count - 1);
}

scree_result source_recorded_make(const char *path, view_source **out) {
    recorded *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory for the frames of '%s'", path);
    self->place = -1;
    self->source = (view_source){.live = false,
                                 .frame = frame,
                                 .count = count,
                                 .place = place,
                                 .seek = seek,
                                 .step = step,
                                 .advance = advance,
                                 .poll = poll_nothing,
                                 .is_busy = is_busy,
                                 .is_over = is_over,
                                 .next_time = next_time,
                                 .pull = pull_nothing,
                                 .note = note,
                                 .release = release};
    const scree_result result = open_files(self, path);
    if (result != SCREE_OK)
        release(&self->source);
    else
        *out = &self->source;
    return result;
}
