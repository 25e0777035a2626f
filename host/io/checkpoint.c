#include <scree/tools/checkpoint.h>

#include "checkpoint_measurements.h"
#include "checksum.h"
#include "hdf5_file.h"

/* Increment whenever a table changes. */
enum { VERSION = 24 };
static const char kind[] = "checkpoint", purpose[] = "a scree checkpoint";

static scree_result save(hdf5_file *file, const scree_world *world) {
    const scree_state_sink sink = hdf5_sink(file);
    TRY(scree_world_save_state(world, &sink));
    TRY(checkpoint_save_measurements(world, &sink));
    TRY(hdf5_finish(file));
    TRY(checksum_put(file->draft.descriptor, file->path, kind, VERSION));
    return hdf5_replace(file, true);
}

scree_result scree_checkpoint_save(const scree_world *world, const char *path) {
    REQUIRE(world);
    REQUIRE(path);
    hdf5_file file;
    TRY(hdf5_create(path, purpose, CHECKSUM_SIZE, &file));
    const scree_result result = save(&file, world);
    hdf5_close(&file);
    return result;
}

/* A source that remembers whether it failed itself: its messages name the file. */
typedef struct checked_source {
    scree_state_source file;
    bool failed;
} checked_source;

static scree_result checked(checked_source *self, scree_result result) {
    self->failed = self->failed || result != SCREE_OK;
    return result;
}

static scree_result count(void *source, const scree_table *table, int *out) {
    checked_source *self = source;
    return checked(self, self->file.count(self->file.user, table, out));
}

static scree_result read(void *source, const scree_table *table, size_t rows, void *out) {
    checked_source *self = source;
    return checked(self, self->file.read(self->file.user, table, rows, out));
}

static scree_result load_world(const scree_state_source *source, const scree_world_def *runtime,
                               scree_world **out) {
    scree_world *world = NULL;
    TRY(scree_world_load_state(source, runtime, &world));
    const scree_result result = checkpoint_load_measurements(source, world);
    if (result == SCREE_OK)
        *out = world;
    else
        scree_world_destroy(world);
    return result;
}

static scree_result load(hdf5_file *file, const scree_world_def *runtime, scree_world **out) {
    checked_source in = {.file = hdf5_source(file)};
    const scree_state_source source = {.count = count, .read = read, .user = &in};
    const scree_result result = load_world(&source, runtime, out);
    if (result == SCREE_ERROR_FORMAT && !in.failed)
        return fail_prefix(result, "'%s' is not %s", file->path, purpose);
    return result;
}

scree_result scree_checkpoint_load(const char *path, const scree_world_def *runtime, scree_world **out) {
    REQUIRE(path);
    REQUIRE(out);
    hdf5_file file;
    TRY(checksum_check(path, kind, VERSION));
    TRY(hdf5_open(path, purpose, &file));
    const scree_result result = load(&file, runtime, out);
    hdf5_close(&file);
    return result;
}
