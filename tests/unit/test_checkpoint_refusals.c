/* Damaged or forged checkpoints give an error that names the file, and none crashes the program. */
#include "checkpoint_scenery.h"

#include "io/checksum.h"

#include <fcntl.h>
#include <hdf5.h>

#include "folder.h"

enum { VERSION = 24 }; /* format version */

/* bytes of a file */
typedef struct content {
    unsigned char *bytes;
    size_t length;
} content;

static content read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    fseek(file, 0, SEEK_END);
    content out = {NULL, (size_t)ftell(file)};
    out.bytes = malloc(out.length + 1);
    rewind(file);
    assert_int_equal(fread(out.bytes, 1, out.length, file), out.length);
    fclose(file);
    return out;
}

static void write_file(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

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
    return read_file(folder_file(place, "whole"));
}

/* Files cut at any length, with any bit flipped, with appended bytes, or of another type are rejected. */
static void damage_is_rejected(void **state) {
    (void)state;
    const folder place = folder_make();
    content whole = make_checkpoint(&place);
    char path[256];
    snprintf(path, sizeof path, "%s", folder_file(&place, "damaged"));
    for (size_t length = 0; length < whole.length; length += length < 600 ? 7 : 509) {
        write_file(path, whole.bytes, length);
        assert_refused(path, length < CHECKSUM_SIZE ? "checkpoint" : "cut short");
    }
    write_file(path, whole.bytes, whole.length - 1);
    assert_refused(path, "cut short");
    write_file(path, whole.bytes, whole.length);
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
    write_file(path, whole.bytes + CHECKSUM_SIZE,
               whole.length - CHECKSUM_SIZE); /* HDF5, but not a checkpoint */
    assert_refused(path, "not a scree checkpoint");
    whole.bytes[strlen("scree checkpoint\nversion ")] = '9'; /* a version of 90 or more */
    write_file(path, whole.bytes, whole.length);
    char words[64];
    snprintf(words, sizeof words, "of version 9%d; this scree reads version %d", VERSION % 10, VERSION);
    assert_refused(path, words);
    free(whole.bytes);

    scree_world *world = NULL;
    assert_int_equal(scree_checkpoint_load(folder_file(&place, "missing"), NULL, &world), SCREE_ERROR_FILE);
    assert_int_equal(scree_checkpoint_load(place.path, NULL, &world), SCREE_ERROR_FILE);
    assert_null(world);
    folder_remove(&place);
}

/* Rewrites the checksum to match the file. */
static void checksum_renew(const char *path) {
    const content body = read_file(path);
    const int file = open(path, O_RDWR);
    assert_int_equal(pwrite(file, body.bytes, body.length, CHECKSUM_SIZE), body.length);
    CHECK(checksum_put(file, path, "checkpoint", VERSION));
    close(file);
    free(body.bytes);
}

/* The checksum guards against accidents, not forgery: with a valid one, every value is still checked. */
typedef struct forgery {
    const char *dataset;
    double value;
} forgery;

static void forge(const char *path, content whole, forgery change) {
    write_file(path, whole.bytes + CHECKSUM_SIZE, whole.length - CHECKSUM_SIZE);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, change.dataset, H5P_DEFAULT);
    assert_true(file >= 0 && set >= 0);
    const hid_t space = H5Dget_space(set);
    const size_t count = (size_t)H5Sget_simple_extent_npoints(space);
    double *values = malloc(count * sizeof *values);
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    values[count / 2] = change.value;
    assert_true(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    free(values);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
    checksum_renew(path);
}

static void impossible_values_are_rejected(void **state) {
    (void)state;
    const folder place = folder_make();
    const content whole = make_checkpoint(&place);
    char path[256];
    snprintf(path, sizeof path, "%s", folder_file(&place, "damaged"));
    static const forgery forgeries[] = {
        {"world/gravity", NAN},
        {"world/time_step", 0},
        {"world/method", 99},
        {"world/law", -1},
        {"world/iterations", 0},
        {"world/warm_start", 2},
        {"world/colours", 1000},
        {"world/stabilisation", 77},
        {"world/relaxation", 5},
        {"world/time_before", INFINITY},
        {"world/steps_before", 1e6},
        {"world/maximum_bodies", -1},
        {"world/free_head", 1},
        {"world/free_head", 1e9},
        {"world/free_head", -2},
        {"world/free_head", -1},
        {"materials/friction", -1},
        {"materials/density", 0},
        {"materials/rolling_friction", -1},
        {"material_pairs/cohesion", NAN},
        {"material_pairs/b", 2},
        {"material_pairs/a", -1},
        {"bodies/type", 4},
        {"bodies/type", 0},
        {"bodies/generation", 0},
        {"bodies/material", 2},
        {"bodies/material", -1},
        {"bodies/shape", 3},
        {"bodies/shape", 2},
        {"bodies/size", NAN},
        {"bodies/position", INFINITY},
        {"bodies/rotation", 3},
        {"bodies/velocity", NAN},
        {"bodies/angular_velocity", NAN},
        {"bodies/mass", -1},
        {"bodies/inertia", 0},
        {"bodies/gravity_scale", NAN},
        {"bodies/locks", 64},
        {"bodies/force", NAN},
        {"bodies/torque", INFINITY},
        {"bodies/constant_force", NAN},
        {"bodies/constant_torque", INFINITY},
        {"bodies/given_mass", -1},
        {"bodies/surface_velocity", NAN},
        {"world/gravity_begin", NAN},
        {"gravity_keys/gravity", NAN},
        {"assemblies/generation", 2},
        {"assemblies/begin", NAN},
        {"assemblies/bodies", 0},
        {"assemblies/bodies", 2},
        {"assemblies/motions", -1},
        {"assembly_bodies/slot", 0},
        {"assembly_bodies/slot", -1},
        {"assembly_bodies/position", NAN},
        {"motions/kind", 9},
        {"motions/start", -1},
        {"motions/keys", 5},
        {"motion_keys/time", -1},
        {"flows/inlet", 2},
        {"flows/begin", NAN},
        {"flows/mass", NAN},
        {"flows/zone_size", 0},
        {"flows/rate", -1},
        {"flows/type", 0},
        {"flows/sizes", 1e6},
        {"inlet_sizes/size", -1},
        {"flows/stops", 2},
        {"gauges/kind", 99},
        {"gauges/every_steps", 0},
        {"gauges/sample_every", 0},
        {"gauges/bodies", 2},
        {"gauges/bodies", -1},
        {"gauges/values", 1},
        {"gauges/point", NAN},
        {"gauges/row_step", 1e9},
        {"gauges/everywhere", 2},
        {"gauges/cells", 0},
        {"gauges/cells", 1e9},
        {"bodies/given_inertia", NAN},
        {"materials/generation", 2},
        {"contact_pairs/a", -1},
        {"contact_pairs/a", 1e6},
        {"contact_pairs/b", 0},
        {"contact_pairs/b", 1e6},
        {"contact_pairs/count", 0},
        {"contact_pairs/count", 5},
        {"contact_pairs/count", 1e9},
        {"contact_pairs/colour", -2},
        {"contact_pairs/colour", 33},
        {"contact_pairs/hits", 9},
        {"contact_pairs/foreseen", 2},
        {"contact_pairs/normal", NAN},
        {"contact_points/position", NAN},
        {"contact_points/gap", NAN},
        {"contact_points/impulse", INFINITY},
        {"contact_points/torque", NAN},
        {"contact_points/pull", INFINITY},
        {"contact_points/push", NAN},
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof *forgeries; ++i) {
        forge(path, whole, forgeries[i]);
        if (!refused(path, "is not a scree checkpoint"))
            fail_msg("%s = %g: '%s'", forgeries[i].dataset, forgeries[i].value, scree_error_get_message());
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
    write_file(path, whole.bytes + CHECKSUM_SIZE, whole.length - CHECKSUM_SIZE);
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

/* CRC-64/XZ's published check value, in one and in two parts. */
static void checksum_has_the_published_check_value(void **state) {
    (void)state;
    assert_true(checksum_of(0, "123456789", 9) == 0x995dc9bbdf1939fau);
    for (size_t cut = 0; cut <= 9; ++cut)
        assert_true(checksum_of(checksum_of(0, "123456789", cut), &"123456789"[cut], 9 - cut) ==
                    0x995dc9bbdf1939fau);
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
