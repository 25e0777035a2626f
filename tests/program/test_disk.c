/* A full disk, an unwritable folder, a limit on file sizes: each gives an error message, and existing files
 * stay whole. */
#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "folder.h"

static scree_world *make_world(int spheres) {
    scree_world_def def = scree_default_world_def();
    scree_world *world;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    CHECK(scree_world_create(&def, &world));
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    for (int i = 0; i < spheres; ++i) {
        body.state.position.x = 2 * (float)i;
        CHECK(scree_body_create(world, &body, &id));
    }
    return world;
}

static void assert_checkpoint(const char *path, const scree_world *expected) {
    scree_world_def runtime = scree_default_world_def();
    scree_world *loaded;
    runtime.backend = SCREE_BACKEND_NATIVE;
    CHECK(scree_checkpoint_load(path, &runtime, &loaded));
    assert_true(scree_world_get_hash(loaded) == scree_world_get_hash(expected));
    scree_world_destroy(loaded);
}

/* Asserts that files of a small world stay whole when a large one does not fit, and that writing small ones
 * continues. `expected` is the result of running out of space. */
static void fill_up(const char *place, scree_result expected) {
    scree_world *small = make_world(10), *large = make_world(20000);
    char checkpoint[256];
    scree_series *series;
    scree_frame frame, large_frame;
    snprintf(checkpoint, sizeof checkpoint, "%s/run.checkpoint", place);
    CHECK(scree_checkpoint_save(small, checkpoint));
    scree_series_def plain = scree_default_series_def();
    plain.compression = 0; /* bodies in a row compress to almost nothing */
    CHECK(scree_series_open(place, 0, &plain, &series));
    CHECK(scree_frame_from_world(small, &frame));
    CHECK(scree_frame_from_world(large, &large_frame));
    CHECK(scree_series_write(series, &frame));

    CHECK_FAILS(scree_checkpoint_save(large, checkpoint), expected, checkpoint);
    large_frame.step = 7;
    CHECK_FAILS(scree_series_write(series, &large_frame), expected, "frame_00000007");
    assert_checkpoint(checkpoint, small);
    folder here;
    snprintf(here.path, sizeof here.path, "%s", place);
    assert_int_equal(folder_count(&here, ".tmp."), 0);
    assert_int_equal(folder_count(&here, "frame_00000007"), 0);

    frame.step = 8;
    CHECK(scree_series_write(series, &frame)); /* the series continues */
    CHECK(scree_series_close(series));
    CHECK(scree_series_open(place, 8, NULL, &series));
    CHECK(scree_series_close(series));
    scree_frame_release(&frame);
    scree_frame_release(&large_frame);
    scree_world_destroy(small);
    scree_world_destroy(large);
}

static void a_full_disk_loses_nothing(void **state) {
    (void)state;
    const folder place = folder_make();
    /* In a mount namespace private to this process; where that requires root, in a user namespace too. */
    if ((unshare(CLONE_NEWNS) && unshare(CLONE_NEWUSER | CLONE_NEWNS)) ||
        mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
        mount("scree-test", place.path, "tmpfs", 0, "size=256k")) {
        rmdir(place.path);
        skip();
    }
    fill_up(place.path, SCREE_ERROR_DISK_FULL);

    /* Writes rows until the disk is full: the file then ends in a whole row, and continues when there is
     * space. */
    const char *path = folder_file(&place, "measurements.csv"), *ballast = folder_file(&place, "ballast");
    FILE *file = fopen(ballast, "wb");
    for (int i = 0; i < 64; ++i) fwrite("0123456789abcde", 1, 16, file);
    fclose(file);
    scree_statistics_file *rows;
    scree_statistics statistics = {0};
    CHECK(scree_statistics_file_open(path, 0, &rows));
    scree_result result = SCREE_OK;
    while (result == SCREE_OK && statistics.step < 100000) {
        ++statistics.step;
        result = scree_statistics_file_write(rows, &statistics, NULL);
    }
    CHECK_FAILS(result, SCREE_ERROR_DISK_FULL, "measurements.csv");
    const uint64_t lost = statistics.step;
    assert_int_equal(unlink(ballast), 0);
    CHECK(scree_statistics_file_write(rows, &statistics, NULL));
    CHECK(scree_statistics_file_close(rows));
    CHECK(scree_statistics_file_open(path, lost, &rows)); /* every row is whole */
    CHECK(scree_statistics_file_close(rows));
    assert_int_equal(umount(place.path), 0);
    rmdir(place.path);
}

/* A limit on file sizes does the same without privileges: EFBIG, a file error with the system's text. */
static void a_file_size_limit_loses_nothing(void **state) {
    (void)state;
    const folder place = folder_make();
    struct rlimit before, small;
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = 150000;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    fill_up(place.path, SCREE_ERROR_FILE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    folder_remove(&place);
}

/* /dev/full rejects every byte, with the error of a full disk. */
static void a_full_device_is_reported(void **state) {
    (void)state;
    scree_statistics_file *rows = NULL;
    if (access("/dev/full", W_OK)) skip();
    CHECK_FAILS(scree_statistics_file_open("/dev/full", 0, &rows), SCREE_ERROR_DISK_FULL, "/dev/full");
    assert_null(rows);
}

/* Permission bits do not stop root, so the folders here are unwritable for everyone: one is a file, one does
 * not exist, one is the kernel's. */
static void an_unwritable_folder_is_named(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *file = folder_file(&place, "file"), *inside = folder_file(&place, "file/inside"),
               *nowhere = folder_file(&place, "nowhere/inside");
    fclose(fopen(file, "w"));
    scree_world *world = make_world(1);
    scree_series *series = NULL;
    scree_statistics_file *rows = NULL;
    const char *const paths[] = {inside, nowhere};
    for (int i = 0; i < 2; ++i) {
        CHECK_FAILS(scree_checkpoint_save(world, paths[i]), SCREE_ERROR_FILE, paths[i]);
        CHECK_FAILS(scree_series_open(paths[i], 0, NULL, &series), SCREE_ERROR_FILE, paths[i]);
        CHECK_FAILS(scree_statistics_file_open(paths[i], 0, &rows), SCREE_ERROR_FILE, paths[i]);
    }
    CHECK_FAILS(scree_series_open(file, 0, NULL, &series), SCREE_ERROR_FILE, file);
    CHECK_FAILS(scree_checkpoint_save(world, "/proc/checkpoint"), SCREE_ERROR_FILE, "/proc/checkpoint");
    CHECK_FAILS(scree_series_open("/proc/self", 0, NULL, &series), SCREE_ERROR_FILE, "frames.xdmf");
    /* A folder instead of the checkpoint: the rename fails, and the temporary file is removed. */
    assert_int_equal(mkdir(folder_file(&place, "taken"), 0777), 0);
    CHECK_FAILS(scree_checkpoint_save(world, folder_file(&place, "taken")), SCREE_ERROR_FILE, "taken");
    assert_int_equal(folder_count(&place, ".tmp."), 0);
    rmdir(folder_file(&place, "taken"));
    assert_null(series);
    assert_null(rows);
    scree_world_destroy(world);
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_disk_loses_nothing),
        cmocka_unit_test(a_file_size_limit_loses_nothing),
        cmocka_unit_test(a_full_device_is_reported),
        cmocka_unit_test(an_unwritable_folder_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
