/* Checkpoints with a valid checksum and one impossible value. */
#pragma once

#include "expect.h"

#include <fcntl.h>
#include <hdf5.h>
#include <unistd.h>

#include "io/checksum.h"

enum { CHECKPOINT_VERSION = 27 };

/* bytes of a file */
typedef struct content {
    unsigned char *bytes;
    size_t length;
} content;

static inline content read_content(const char *path) {
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

static inline void write_content(const char *path, const void *bytes, size_t length) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Rewrites the checksum to match the file. */
static inline void checksum_renew(const char *path) {
    const content body = read_content(path);
    const int file = open(path, O_RDWR);
    assert_int_equal(pwrite(file, body.bytes, body.length, CHECKSUM_SIZE), body.length);
    CHECK(checksum_put(file, path, "checkpoint", CHECKPOINT_VERSION));
    close(file);
    free(body.bytes);
}

typedef struct forgery {
    const char *dataset;
    double value;
} forgery;

/* Writes `whole` to `path` with the middle value of a dataset changed. */
static inline void forge(const char *path, content whole, forgery change) {
    write_content(path, whole.bytes + CHECKSUM_SIZE, whole.length - CHECKSUM_SIZE);
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
    {"kinematic_groups/generation", 2},
    {"kinematic_groups/begin", NAN},
    {"kinematic_groups/bodies", 0},
    {"kinematic_groups/bodies", 2},
    {"kinematic_groups/motions", -1},
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
    {"contact_pairs/colour", 97},
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
