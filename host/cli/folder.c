#include "folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "program.h"

const char *const folder_checkpoint = "checkpoint.h5", *const folder_measurements = "measurements.csv",
                  *const folder_index = "frames.xdmf";
const char *const folder_measurement_format = "measurement_%s.csv";
const char *const folder_picture_format = "snapshot-%06llu.png", *const folder_problem_format =
                                                                     "problem-%06llu.hdf5";
const char *const folder_stage_format = "stage-%06llu.h5";
static const char frame_format[] = "frame_%08llu.vtkhdf", lock_name[] = ".lock";

const char *folder_path(const char *folder, const char *name, char path[FOLDER_PATH]) {
    const size_t length = strlen(folder);
    const char *slash = length && folder[length - 1] == '/' ? "" : "/";
    snprintf(path, FOLDER_PATH, "%.*s%s%s", FOLDER_PATH - FOLDER_NAME, folder, slash, name);
    return path;
}

scree_result folder_make(const char *folder) {
    char path[FOLDER_PATH];
    if (strlen(folder) >= FOLDER_PATH - FOLDER_NAME)
        return fail(SCREE_ERROR_ARGUMENT, "the path of the results folder is longer than %d characters",
                    FOLDER_PATH - FOLDER_NAME);
    snprintf(path, sizeof path, "%s", folder);
    for (char *c = path + 1;; c++) {
        if (*c && *c != '/') continue;
        const char end = *c;
        *c = 0;
        if (mkdir(path, 0777) && errno != EEXIST)
            return fail(SCREE_ERROR_ARGUMENT, "cannot make the results folder \"%s\": %s", path,
                        strerror(errno));
        *c = end;
        if (!end) break;
    }
    struct stat status;
    if (stat(path, &status) || !S_ISDIR(status.st_mode))
        return fail(SCREE_ERROR_ARGUMENT, "\"%s\" is a file; must be a results folder", path);
    if (access(path, W_OK | X_OK))
        return fail(SCREE_ERROR_ARGUMENT, "cannot write to the folder \"%s\": %s", path, strerror(errno));
    return SCREE_OK;
}

/* Reserves `bytes` in a temporary file of the folder and removes it; returns 0 or the errno of a failure. */
static int try_space(const char *folder, uint64_t bytes) {
    char path[FOLDER_PATH];
    folder_path(folder, ".space-XXXXXX", path);
    const int file = mkstemp(path);
    if (file < 0) return errno;
    const int error = posix_fallocate(file, 0, (off_t)bytes);
    close(file);
    unlink(path);
    /* A file system that cannot reserve space gives no information about it. */
    return error == EINVAL || error == EOPNOTSUPP ? 0 : error;
}

scree_result folder_check(const char *folder, uint64_t bytes) {
    const char *const names[] = {folder_index, folder_measurements, folder_checkpoint};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[FOLDER_PATH];
        struct stat status;
        if (stat(folder_path(folder, names[i], path), &status)) continue;
        if (!S_ISREG(status.st_mode) || access(path, W_OK))
            return fail(SCREE_ERROR_ARGUMENT, "\"%s\" cannot be replaced; must be a writable file", path);
    }
    const int error = try_space(folder, bytes);
    if (!error) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "not enough space for results in \"%s\" (%.3g MB for a first frame and a checkpoint): %s",
                folder, (double)bytes / 1e6, strerror(error));
}

/* Opens and locks the lock file. Returns its descriptor, or −1 with errno, which is EWOULDBLOCK if another
 * process holds the lock. */
static int lock_file(const char *path) {
    for (;;) {
        const int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
        if (file < 0) return -1;
        struct stat mine, there;
        if (flock(file, LOCK_EX | LOCK_NB)) {
            const int error = errno;
            close(file);
            errno = error;
            return -1;
        }
        /* The previous holder may have removed the file between the two calls. */
        if (!fstat(file, &mine) && !stat(path, &there) && mine.st_dev == there.st_dev &&
            mine.st_ino == there.st_ino)
            return file;
        close(file);
    }
}

/* The lock ends with the process, even if that is killed; a leftover file does not block other runs. */
scree_result folder_lock(const char *folder, int *lock) {
    char path[FOLDER_PATH];
    *lock = lock_file(folder_path(folder, lock_name, path));
    if (*lock >= 0 || errno != EWOULDBLOCK) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "another run is writing to the folder \"%s\"; wait until it ends, or use another --out",
                folder);
}

void folder_unlock(const char *folder, int lock) {
    char path[FOLDER_PATH];
    if (lock < 0) return;
    /* Before releasing the lock, so that the file is still this process's own. */
    unlink(folder_path(folder, lock_name, path));
    close(lock);
}

/* Contents of a folder up to some step. */
typedef struct contents {
    bool any, frames;
    uint64_t last_frame_step; /* if there are frames */
} contents;

bool folder_read_step(const char *name, const char *format, uint64_t *step) {
    unsigned long long number;
    char again[48];
    if (sscanf(name, format, &number) != 1) return false;
    snprintf(again, sizeof again, format, number);
    *step = number;
    return !strcmp(name, again);
}

/* Returns whether measurements.csv has a row of a step up to `to`; its rows ascend. */
static bool has_rows(const char *folder, uint64_t to) {
    char path[FOLDER_PATH];
    FILE *file = fopen(folder_path(folder, folder_measurements, path), "r");
    unsigned long long step;
    if (!file) return false;
    const bool found = fscanf(file, "%*[^\n]") >= 0 && fscanf(file, "%llu", &step) == 1 && step <= to;
    fclose(file);
    return found;
}

static contents contents_of(const char *folder, uint64_t to) {
    contents found = {.any = has_rows(folder, to)};
    DIR *open = opendir(folder);
    if (!open) return found;
    for (const struct dirent *entry; (entry = readdir(open));) {
        uint64_t step;
        const bool frame = folder_read_step(entry->d_name, frame_format, &step);
        if (!frame && !folder_read_step(entry->d_name, folder_picture_format, &step) &&
            !folder_read_step(entry->d_name, folder_problem_format, &step) &&
            !folder_read_step(entry->d_name, folder_stage_format, &step))
            continue;
        if (step > to) continue;
        found.any = true;
        if (frame && (!found.frames || step > found.last_frame_step)) found.last_frame_step = step;
        found.frames |= frame;
    }
    closedir(open);
    return found;
}

bool folder_has_results(const char *folder, uint64_t to) { return contents_of(folder, to).any; }

bool folder_has_frame(const char *folder, uint64_t step) {
    const contents found = contents_of(folder, step);
    return found.frames && found.last_frame_step == step;
}

static bool same_file(const char *a, const char *b) {
    struct stat x, y;
    return !stat(a, &x) && !stat(b, &y) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool same_vector(scree_vec3 a, scree_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Geometries are compared by their size and volume. */
static bool same_shape(scree_shape a, scree_shape b) {
    return a.kind == b.kind && same_vector(a.size, b.size) &&
           same_vector(scree_shape_get_half_extents(a), scree_shape_get_half_extents(b)) &&
           scree_shape_get_radius(a) == scree_shape_get_radius(b) &&
           scree_shape_get_volume(a) == scree_shape_get_volume(b);
}

/* Returns whether all bodies of a frame exist in the world, at the same positions if the step is the same. */
static bool frame_agrees(const char *path, const scree_world *world) {
    scree_frame frame = {0};
    if (scree_frame_load(path, &frame) != SCREE_OK) return false;
    bool agrees = true;
    for (int i = 0; i < frame.count && agrees; i++) {
        const scree_body_id id = {frame.ids[i].index, frame.ids[i].generation, scree_world_get_number(world)};
        scree_body_def def;
        agrees = scree_body_get_def(world, id, &def) == SCREE_OK && same_shape(def.shape, frame.shapes[i]);
        if (agrees && frame.step == scree_world_step_count(world))
            agrees = same_vector(def.state.position, frame.states[i].position);
    }
    scree_frame_release(&frame);
    return agrees;
}

/* Returns whether the folder's checkpoint is of a world built from the same scene; `known`: there is a
 * checkpoint. */
static bool checkpoint_agrees(const char *path, const scree_world *world, bool *known) {
    scree_world *other = NULL;
    *known = checkpoint_read(path, &other) == SCREE_OK;
    const bool agrees = *known && !strcmp(scree_world_get_note(other), scree_world_get_note(world));
    scree_world_destroy(other);
    return agrees;
}

/* A resumed run keeps the folder's results up to its step. Frames do not identify their run, so the folder's
 * own checkpoints and the bodies of the last frame that would remain are compared. */
scree_result folder_belongs(const char *folder, const char *checkpoint, const scree_world *world) {
    const uint64_t step = scree_world_step_count(world);
    const contents found = contents_of(folder, step);
    char path[FOLDER_PATH], frame[48], stage[48];
    snprintf(stage, sizeof stage, folder_stage_format, (unsigned long long)step);
    if (!found.any || same_file(folder_path(folder, stage, path), checkpoint)) return SCREE_OK;
    const char *own = folder_path(folder, folder_checkpoint, path);
    if (same_file(own, checkpoint)) return SCREE_OK;
    bool known, agrees = checkpoint_agrees(own, world, &known);
    if (!known)
        agrees = found.frames && found.last_frame_step == step; /* the positions of the bodies then decide */
    snprintf(frame, sizeof frame, frame_format, (unsigned long long)found.last_frame_step);
    if (agrees && found.frames) agrees = frame_agrees(folder_path(folder, frame, path), world);
    if (agrees) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "\"%s\" has results of another run up to step %" PRIu64
                ", which would be mixed with those of \"%s\"; use another --out",
                folder, step, checkpoint);
}
