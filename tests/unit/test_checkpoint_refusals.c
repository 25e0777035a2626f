/* Damaged or forged checkpoints give an error that names the file, and none crashes the program. */
#include "checkpoint_scenery.h"

#include "folder.h"
#include "forgeries.h"

/* Returns whether loading fails with a message that names the file and contains these words. */
static bool refused(const char *path, const char *words) {
    const scree_world_def runtime = native();
    scree_world *world = NULL;
    const scree_result result = scree_checkpoint_load(path, &runtime, &world);
    scree_world_destroy(world);
    return result == SCREE_ERROR_FORMAT && !world && strstr(scree_error_get_message(), words) &&
           strstr(scree_error_get_message(), path);
}

static void assert_refused(const char *path, const char *words) {
    if (!refused(path, words))
        fail_msg("'%s' does not name the file and '%s'", scree_error_get_message(), words);
}

static content make_checkpoint(const folder *place) {
    scree_world *world = make_world();
    run(world, 20);
    CHECK(scree_checkpoint_save(world, folder_file(place, "whole")));
    scree_world_destroy(world);
    return read_content(folder_file(place, "whole"));
}

/* Files cut at any length, with any bit flipped, with appended bytes, or of another type are rejected. */
static void damage_is_rejected(void **state) {
    (void)state;
    const folder place = folder_make();
    content whole = make_checkpoint(&place);
    char path[256];
    snprintf(path, sizeof path, "%s", folder_file(&place, "damaged"));
    for (size_t length = 0; length < whole.length; length += length < 600 ? 7 : 509) {
        write_content(path, whole.bytes, length);
        assert_refused(path, length < CHECKSUM_SIZE ? "checkpoint" : "cut short");
    }
    write_content(path, whole.bytes, whole.length - 1);
    assert_refused(path, "cut short");
    write_content(path, whole.bytes, whole.length);
    const int descriptor = open(path, O_RDWR);
    assert_true(descriptor >= 0);
    for (size_t at = 0; at < whole.length; at += at < 600 ? 1 : 97) {
        const unsigned char changed = whole.bytes[at] ^ (unsigned char)(1u << (at % 8));
        assert_int_equal(pwrite(descriptor, &changed, 1, (off_t)at), 1);
        assert_refused(path, "");
        assert_int_equal(pwrite(descriptor, &whole.bytes[at], 1, (off_t)at), 1);
    }
    close(descriptor);
    scree_world_destroy(load(path)); /* unchanged: valid */

    FILE *file = fopen(path, "ab");
    fputc(0, file);
    fclose(file);
    assert_refused(path, "altered");
    write_content(path, whole.bytes + CHECKSUM_SIZE,
                  whole.length - CHECKSUM_SIZE); /* HDF5, but not a checkpoint */
    assert_refused(path, "not a scree checkpoint");
    whole.bytes[strlen("scree checkpoint\nversion ")] = '9'; /* a version of 90 or more */
    write_content(path, whole.bytes, whole.length);
    char words[64];
    snprintf(words, sizeof words, "of version 9%d; this scree reads version %d", CHECKPOINT_VERSION % 10,
             CHECKPOINT_VERSION);
    assert_refused(path, words);
    free(whole.bytes);

    scree_world *world = NULL;
    assert_int_equal(scree_checkpoint_load(folder_file(&place, "missing"), NULL, &world), SCREE_ERROR_FILE);
    assert_int_equal(scree_checkpoint_load(place.path, NULL, &world), SCREE_ERROR_FILE);
    assert_null(world);
    folder_remove(&place);
}

/* The checksum guards against accidents, not forgery: with a valid one, every value is still checked. */
static void impossible_values_are_rejected(void **state) {
    (void)state;
    const folder place = folder_make();
    const content whole = make_checkpoint(&place);
    char path[256];
    snprintf(path, sizeof path, "%s", folder_file(&place, "damaged"));
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; ++i) {
        forge(path, whole, forgeries[i]);
        if (!refused(path, "is not a scree checkpoint"))
            fail_msg("%s = %g: '%s'", forgeries[i].dataset, forgeries[i].value, scree_error_get_message());
        const char *const message = scree_error_get_message();
        const bool told = !isnan(forgeries[i].value) || strcasestr(message, "nan");
        if (!told || !strstr(message, "must"))
            fail_msg("no value or no range: %s = %g: '%s'", forgeries[i].dataset, forgeries[i].value,
                     message);
    }
    /* A permitted change is accepted: the forging itself does not cause the rejections above. */
    forge(path, whole, (forgery){"world/slop", 0.25});
    scree_world *world = load(path);
    assert_true(scree_world_get_def(world).solver.slop == 0.25f);
    scree_world_destroy(world);
    free(whole.bytes);
    folder_remove(&place);
}

/* A cyclic free list is rejected and does not hang. */
static void a_cyclic_free_list_is_rejected(void **state) {
    (void)state;
    const folder place = folder_make();
    const content whole = make_checkpoint(&place);
    char path[256];
    snprintf(path, sizeof path, "%s", folder_file(&place, "damaged"));
    write_content(path, whole.bytes + CHECKSUM_SIZE, whole.length - CHECKSUM_SIZE);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "bodies/next_free", H5P_DEFAULT);
    int next[64];
    assert_true(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, next) >= 0);
    next[10] = 30; /* was 30 → 20 → 10 */
    assert_true(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, next) >= 0);
    H5Dclose(set);
    H5Fclose(file);
    checksum_renew(path);
    assert_refused(path, "loop");
    free(whole.bytes);
    folder_remove(&place);
}

/* CRC-64/XZ's published check value. */
static void checksum_has_the_published_check_value(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "digits");
    char *bytes = calloc(1, CHECKSUM_SIZE + 9);
    memcpy(bytes + CHECKSUM_SIZE, "123456789", 9);
    write_content(path, bytes, CHECKSUM_SIZE + 9);
    const int file = open(path, O_RDWR);
    CHECK(checksum_put(file, path, "checkpoint", 1));
    close(file);
    const content header = read_content(path);
    header.bytes[header.length] = 0;
    ASSERT_HOLDS((const char *)header.bytes, "crc64 995dc9bbdf1939fa");
    free(header.bytes);
    free(bytes);
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksum_has_the_published_check_value),
        cmocka_unit_test(damage_is_rejected),
        cmocka_unit_test(impossible_values_are_rejected),
        cmocka_unit_test(a_cyclic_free_list_is_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
