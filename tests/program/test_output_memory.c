/* Memory runs out at the n-th request, for every n, while frames, checkpoints and measurements are written
 * and read: MEMORY is returned, nothing leaks, and with enough memory all succeeds. Also bounds the memory
 * that writing takes. */
#include "scenery.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <sys/resource.h>
#include <sys/stat.h>

#include "folder.h"

typedef struct budget {
    int left;   /* requests until one fails; below 0: never */
    int blocks; /* not yet released */
} budget;

static void *allocate(size_t bytes, void *user) {
    budget *memory = user;
    if (memory->left >= 0 && memory->left-- == 0) return NULL;
    void *block = malloc(bytes);
    memory->blocks += block != NULL;
    return block;
}

static void release(void *block, void *user) {
    budget *memory = user;
    memory->blocks -= block != NULL;
    free(block);
}

#define TRY_OUT(call)                                                                                        \
    do {                                                                                                     \
        result = (call);                                                                                     \
        if (result != SCREE_OK) goto out;                                                                    \
    } while (0)

static scree_result make_world(scree_world **out) {
    scree_world_def def = scree_default_world_def();
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    scree_result result;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    TRY_OUT(scree_world_create(&def, out));
    TRY_OUT(scree_body_create(*out, &body, &id));
    body.type = SCREE_BODY_STATIC;
    body.shape = scree_shape_box(1, 1, 1);
    body.state.position.z = -1.5f;
    TRY_OUT(scree_body_create(*out, &body, &id));
    TRY_OUT(scree_world_step(*out, NULL));
out:
    return result;
}

/* Uses each writer and reader once; from step 1 on, over the files of the previous run. */
static scree_result use_all(const folder *place, uint64_t from) {
    scree_result result;
    scree_world *world = NULL, *loaded = NULL;
    scree_series *series = NULL;
    scree_statistics_file *rows = NULL;
    scree_frame frame = {0}, read = {0};
    scree_world_def runtime = scree_default_world_def();
    const scree_statistics statistics = {.step = 1};
    runtime.backend = SCREE_BACKEND_NATIVE;
    runtime.threads = 1;
    TRY_OUT(make_world(&world));
    TRY_OUT(scree_frame_from_world(world, &frame));
    TRY_OUT(scree_series_open(place->path, from, NULL, &series));
    if (!from) TRY_OUT(scree_series_write(series, &frame));
    TRY_OUT(scree_frame_load(folder_file(place, "frame_00000001.vtkhdf"), &read));
    TRY_OUT(scree_statistics_file_open(folder_file(place, "measurements.csv"), from, &rows));
    TRY_OUT(scree_statistics_file_write(rows, &statistics, NULL));
    TRY_OUT(scree_checkpoint_save(world, folder_file(place, "checkpoint")));
    TRY_OUT(scree_checkpoint_load(folder_file(place, "checkpoint"), &runtime, &loaded));
    TRY_OUT(scree_world_step(loaded, NULL));
out:
    scree_world_destroy(world);
    scree_world_destroy(loaded);
    scree_series_close(series);
    scree_statistics_file_close(rows);
    scree_frame_release(&frame);
    scree_frame_release(&read);
    return result;
}

static void every_request_may_fail(void **state) {
    (void)state;
    const folder place = folder_make();
    budget memory = {-1, 0};
    const scree_allocator allocator = {allocate, release, &memory};
    scree_set_allocator(&allocator);
    for (int from = 0; from < 2; ++from) {
        scree_result result = SCREE_ERROR_MEMORY;
        int n = 0;
        for (; result == SCREE_ERROR_MEMORY && n < 5000; ++n) {
            memory.left = n;
            result = use_all(&place, (uint64_t)from);
            assert_int_equal(memory.blocks, 0);
        }
        if (result != SCREE_OK) fail_msg("request %d: %s", n, scree_error_get_message());
        assert_true(n > 50);
        assert_int_equal(folder_count(&place, ".tmp."), 0);
    }
    scree_set_allocator(NULL);
    folder_remove(&place);
}

/* Returns the peak resident memory of the process, bytes. */
static long most_resident(void) {
    struct rusage usage;
    assert_int_equal(getrusage(RUSAGE_SELF, &usage), 0);
    return usage.ru_maxrss * 1024;
}

/* A checkpoint file of 10 MB is not buffered in memory. (Not under sanitizers, which use memory of their
 * own.) */
static void a_checkpoint_is_written_piece_by_piece(void **state) {
    (void)state;
    skip_if_short();
    enum { BODIES = 50000, PIECES = 3 << 20 };
    const folder place = folder_make();
    scree_world *world = NULL;
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    struct stat status;
    assert_int_equal(make_world(&world), SCREE_OK);
    for (int i = 0; i < BODIES; ++i) {
        body.state.position.x = 10 * (float)(i + 1);
        CHECK(scree_body_create(world, &body, &id));
    }
    const char *path = folder_file(&place, "checkpoint");
    const long before = most_resident();
    CHECK(scree_checkpoint_save(world, path));
    assert_int_equal(stat(path, &status), 0);
    assert_true(status.st_size > 3 * PIECES);
    assert_true(most_resident() - before < PIECES);
    scree_world_destroy(world);
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_request_may_fail),
                                       cmocka_unit_test(a_checkpoint_is_written_piece_by_piece)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
