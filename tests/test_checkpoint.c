/* Checkpoints: a run goes on bit for bit, damage is refused, and a kill at any moment leaves a good file. */
#include "expect.h"

#include <scree/scree.h>

#include "io/seal.h"

#include <fcntl.h>
#include <hdf5.h>
#include <limits.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "folder.h"

enum { VERSION = 23 }; /* of the format */

static scree_world_def native(void) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    return def;
}

static void add(scree_world *world, scree_body_def def, scree_shape shape, scree_vec3 position) {
    scree_body_id id;
    def.shape = shape;
    def.state.position = position;
    CHECK(scree_body_create(world, &def, &id));
}

/* Boxes and spheres that fall into a corner, two materials, a pair of them set, free slots in the middle, a
 * load still to act, unusual solver options. */
static scree_world *make_world(void) {
    scree_world_def def = native();
    def.solver.method = SCREE_METHOD_PGS;
    def.solver.iterations = 12;
    def.solver.relaxation = 1.1f;
    def.solver.colours = 3;
    def.gravity = (scree_vec3){0.5f, -0.25f, -9.0f};
    def.maximum_bodies = 5000;
    scree_world *world;
    scree_material_id gone, rough;
    CHECK(scree_world_create(&def, &world));
    const scree_material_def material = {.friction = 0.9f,
                                         .restitution = 0.3f,
                                         .density = 2500,
                                         .spinning_friction = 0.002f,
                                         .cohesion = 0.5f,
                                         .cohesion_distance = 1e-4f,
                                         .stiffness = 3e5f,
                                         .damping = 40,
                                         .name = "rough"};
    const scree_material_pair_def same = {.friction = 0.7f,
                                          .restitution = 0.1f,
                                          .rolling_friction = 0.01f,
                                          .spinning_friction = 0.003f,
                                          .cohesion = 0.25f,
                                          .cohesion_distance = 2e-4f,
                                          .stiffness = 2e5f,
                                          .damping = 30},
                                  other = {.friction = 0.2f, .rolling_friction = 0.005f};
    CHECK(scree_material_create(world, &material, &gone));
    CHECK(scree_material_destroy(world, gone));
    CHECK(scree_material_create(world, &material, &rough)); /* in the slot of the one before */
    CHECK(scree_material_create(world, &material, &gone));
    CHECK(scree_material_destroy(world, gone));
    CHECK(scree_material_pair_set(world, rough, rough, &same));
    CHECK(scree_material_pair_set(world, rough, (scree_material_id){0}, &other));

    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC;
    add(world, body, scree_half_space(), (scree_vec3){0, 0, 0});
    body.type = SCREE_BODY_KINEMATIC;
    add(world, body, scree_box(0.2f, 2, 2), (scree_vec3){-0.4f, 0, 0});
    body.type = SCREE_BODY_DYNAMIC;
    for (int i = 0; i < 60; ++i) {
        const float x = 0.21f * (float)(i % 4), y = 0.21f * (float)(i / 4 % 4),
                    z = 0.12f + 0.22f * (float)(i / 16);
        body.material = i % 3 ? rough : (scree_material_id){0};
        body.force = (scree_vec3){0, i % 4 ? 0 : 3, 0};
        body.torque.z = i % 6 ? 0 : 0.05f;
        body.user_data = UINT64_C(1) << i;
        body.mass = i % 9 ? 0 : 12;
        body.locks = i % 7 ? 0 : SCREE_LOCK_ROTATION_X;
        body.groups = i % 11 ? 1 : 2, body.mask = i % 11 ? UINT32_MAX : ~UINT32_C(2);
        body.state.angular_velocity = (scree_vec3){0, (float)(i % 5), 1};
        add(world, body, i % 2 ? scree_sphere(0.1f) : scree_box(0.1f, 0.08f, 0.09f), (scree_vec3){x, y, z});
    }
    scree_body_id ids[64];
    assert_int_equal(scree_body_list(world, ids, 64), 62);
    for (int i = 10; i < 40; i += 10) CHECK(scree_body_destroy(world, ids[i]));
    const scree_motion_key keys[2] = {{0.1, {0.05f, 0, 0}, {0, 0, 0, 1}}, {0.5, {0, 0, 0}, {0, 0, 0, 1}}};
    scree_motion_def motion = scree_default_motion_def(SCREE_MOTION_TABLE);
    motion.keys = keys, motion.key_count = 2;
    CHECK(scree_assembly_create(world, &(scree_assembly_def){&ids[1], 1, &motion, 1}, NULL));
    scree_outlet_def outlet = scree_default_outlet_def();
    outlet.zone.size = (scree_vec3){3, 1, 3};
    CHECK(scree_outlet_create(world, &outlet, NULL));
    scree_inlet_def inlet = scree_default_inlet_def();
    const float sizes[2] = {0.1f, 0.14f};
    inlet.body.material = rough;
    inlet.zone.position.z = 2, inlet.rate = 30, inlet.start = 0.7, inlet.sizes = sizes, inlet.size_count = 2;
    CHECK(scree_inlet_create(world, &inlet, NULL));
    scree_gauge_def gauge = scree_default_gauge_def();
    gauge.name = "wall", gauge.every.steps = 40, gauge.bodies = &ids[0], gauge.body_count = 1;
    CHECK(scree_gauge_create(world, &gauge, NULL));
    const scree_gravity_key fall = {0.2, {0.5f, -0.25f, -9.0f}};
    CHECK(scree_world_gravity_schedule_set(world, &fall, 1));
    CHECK(scree_body_apply_force(world, ids[50], (scree_vec3){1, 2, 30}));
    CHECK(scree_body_apply_torque(world, ids[50], (scree_vec3){0, 0, 0.1f}));
    return world;
}

static void run(scree_world *world, int steps) {
    for (int i = 0; i < steps; ++i) CHECK(scree_world_step(world, NULL));
}

static scree_world *load(const char *path) {
    const scree_world_def runtime = native();
    scree_world *world = NULL;
    CHECK(scree_checkpoint_load(path, &runtime, &world));
    return world;
}

/* Everything of the definition that a checkpoint keeps. */
static void assert_same_def(scree_world_def a, scree_world_def b) {
    assert_memory_equal(&a.gravity, &b.gravity, sizeof a.gravity);
    assert_true(a.time_step == b.time_step && a.speculative_distance == b.speculative_distance);
    assert_memory_equal(&a.material, &b.material, sizeof a.material);
    assert_true(a.maximum_bodies == b.maximum_bodies && a.maximum_contacts == b.maximum_contacts);
    const scree_solver_def *s = &a.solver, *t = &b.solver;
    assert_true(s->method == t->method && s->law == t->law && s->iterations == t->iterations);
    assert_true(s->tolerance == t->tolerance && s->change_tolerance == t->change_tolerance);
    assert_true(s->reduction == t->reduction && s->violation_tolerance == t->violation_tolerance);
    assert_true(s->position_follows == t->position_follows);
    assert_true(s->local_sweeps == t->local_sweeps && s->position_iterations == t->position_iterations);
    assert_true(s->position_tolerance == t->position_tolerance && s->direct_joints == t->direct_joints);
    assert_true(s->check_every == t->check_every && s->relaxation == t->relaxation);
    assert_true(s->warm_start == t->warm_start && s->colours == t->colours);
    assert_true(s->stabilisation == t->stabilisation && s->error_reduction == t->error_reduction);
    assert_true(s->stiffness == t->stiffness && s->damping == t->damping);
    assert_true(s->substeps == t->substeps && s->contact_frequency == t->contact_frequency);
    assert_true(s->contact_damping_ratio == t->contact_damping_ratio);
    assert_true(s->relaxation_time == t->relaxation_time && s->damping_ratio == t->damping_ratio);
    assert_true(s->correction_speed == t->correction_speed && s->slop == t->slop);
    assert_true(s->restitution_speed == t->restitution_speed);
}

/* All bodies as they were defined, in their order. The two worlds number their ids differently. */
static void assert_same_bodies(const scree_world *a, const scree_world *b) {
    scree_body_id ids_a[128], ids_b[128];
    const int count = scree_body_list(a, ids_a, 128);
    assert_int_equal(scree_body_list(b, ids_b, 128), count);
    for (int i = 0; i < count; ++i) {
        scree_body_def one, other;
        CHECK(scree_body_get(a, ids_a[i], &one));
        CHECK(scree_body_get(b, ids_b[i], &other));
        assert_int_equal(scree_body_get(b, ids_a[i], &other), SCREE_ERROR_HANDLE);
        assert_int_equal(one.material.index, other.material.index);
        assert_int_equal(one.material.generation, other.material.generation);
        assert_true(one.mass == other.mass && one.inertia.z == other.inertia.z);
        assert_memory_equal(&one.force, &other.force, sizeof one.force);
        assert_memory_equal(&one.torque, &other.torque, sizeof one.torque);
        assert_true(one.user_data == other.user_data && one.locks == other.locks);
        assert_true(one.groups == other.groups && one.mask == other.mask);
    }
    assert_int_equal(scree_material_count(a), scree_material_count(b));
}

/* 50 steps, a checkpoint, 50 more; bodies come and go on both sides, so that the free list counts too. */
static void a_resumed_run_is_the_same_to_the_bit(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "run.checkpoint");
    scree_world *stayed = make_world();
    CHECK(scree_checkpoint_save(stayed, path)); /* before the first step: loads and free slots */
    scree_world *fresh = load(path);
    assert_true(scree_world_hash(stayed) == scree_world_hash(fresh));
    run(stayed, 50);
    run(fresh, 50);
    assert_true(scree_world_hash(stayed) == scree_world_hash(fresh));
    scree_world_destroy(fresh);

    assert_true(scree_contact_count(stayed) > 20);
    CHECK(scree_checkpoint_save(stayed, path));
    scree_world *resumed = load(path);
    assert_true(scree_world_hash(stayed) == scree_world_hash(resumed));
    assert_true(scree_world_time(stayed) == scree_world_time(resumed));
    assert_same_def(scree_world_get(stayed), scree_world_get(resumed));
    assert_same_bodies(stayed, resumed);

    static scree_contact a[1024], b[1024];
    const int contacts = scree_contact_list(stayed, a, 1024);
    assert_int_equal(contacts, scree_contact_list(resumed, b, 1024));
    for (int i = 0; i < contacts; ++i) a[i].a.world = a[i].b.world = b[i].a.world = b[i].b.world = 0;
    assert_memory_equal(a, b, (size_t)contacts * sizeof *a);

    scree_world *const both[2] = {stayed, resumed};
    for (int i = 0; i < 2; ++i) {
        scree_body_def body = scree_default_body_def();
        for (int k = 0; k < 5; ++k) /* three free slots, then new ones */
            add(both[i], body, scree_sphere(0.1f), (scree_vec3){0.3f, 0.3f, 2 + 0.3f * (float)k});
        scree_statistics statistics;
        for (int k = 0; k < 50; ++k) CHECK(scree_world_step(both[i], &statistics));
        assert_int_equal(statistics.step, 100);
        assert_true(statistics.cache_hits > 0);
    }
    assert_true(scree_world_hash(stayed) == scree_world_hash(resumed));
    scree_world_destroy(stayed);
    scree_world_destroy(resumed);
    assert_int_equal(folder_count(&place, ".tmp."), 0);
    folder_remove(&place);
}

/* Each setting has a value that is neither its default nor that of another one. */
static void every_setting_of_the_solver_is_kept(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "settings.checkpoint");
    scree_world_def def = native();
    def.solver = (scree_solver_def){.method = SCREE_METHOD_JACOBI,
                                    .law = SCREE_LAW_RADIAL,
                                    .iterations = 17,
                                    .tolerance = 0.011f,
                                    .violation_tolerance = 0.012f,
                                    .reduction = 0.013f,
                                    .change_tolerance = 0.014f,
                                    .check_every = 18,
                                    .relaxation = 0.015f,
                                    .local_sweeps = 19,
                                    .position_iterations = 20,
                                    .position_follows = !def.solver.position_follows,
                                    .position_tolerance = 0.016f,
                                    .warm_start = !def.solver.warm_start,
                                    .direct_joints = !def.solver.direct_joints,
                                    .colours = 21,
                                    .stabilisation = SCREE_STABILISATION_SOFT,
                                    .error_reduction = 0.017f,
                                    .stiffness = 0.018f,
                                    .damping = 0.019f,
                                    .relaxation_time = 0.02f,
                                    .damping_ratio = 0.021f,
                                    .substeps = 22,
                                    .contact_frequency = 0.022f,
                                    .contact_damping_ratio = 0.023f,
                                    .correction_speed = 0.024f,
                                    .slop = 0.025f,
                                    .restitution_speed = 0.026f};
    scree_world *world;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_checkpoint_save(world, path));
    scree_world *other = load(path);
    assert_same_def(scree_world_get(world), scree_world_get(other));
    assert_same_def(def, scree_world_get(other));
    scree_world_destroy(world);
    scree_world_destroy(other);
    folder_remove(&place);
}

/* A file as bytes. */
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

/* Whether the file is refused by name with these words. */
static bool refused(const char *path, const char *words) {
    const scree_world_def runtime = native();
    scree_world *world = NULL;
    const scree_result result = scree_checkpoint_load(path, &runtime, &world);
    scree_world_destroy(world);
    return result == SCREE_ERROR_FORMAT && !world && strstr(scree_error_message(), words) &&
           strstr(scree_error_message(), path);
}

static void assert_refused(const char *path, const char *words) {
    if (!refused(path, words)) fail_msg("'%s' does not name the file and '%s'", scree_error_message(), words);
}

static content make_checkpoint(const folder *place) {
    scree_world *world = make_world();
    run(world, 20);
    CHECK(scree_checkpoint_save(world, folder_file(place, "whole")));
    scree_world_destroy(world);
    return read_file(folder_file(place, "whole"));
}

/* Cut at any length, one bit changed anywhere, bytes added, another kind of file: each is named. */
static void damage_is_refused(void **state) {
    (void)state;
    const folder place = folder_make();
    content whole = make_checkpoint(&place);
    char path[256];
    snprintf(path, sizeof path, "%s", folder_file(&place, "damaged"));
    for (size_t length = 0; length < whole.length; length += length < 600 ? 7 : 509) {
        write_file(path, whole.bytes, length);
        assert_refused(path, length < SEAL_SIZE ? "checkpoint" : "cut short");
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
    scree_world_destroy(load(path)); /* as it was: whole */

    FILE *file = fopen(path, "ab");
    fputc(0, file);
    fclose(file);
    assert_refused(path, "altered");
    write_file(path, whole.bytes + SEAL_SIZE, whole.length - SEAL_SIZE); /* HDF5, but not ours */
    assert_refused(path, "not a scree checkpoint");
    whole.bytes[strlen("scree checkpoint\nversion ")] = '9'; /* 90 and some */
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

/* Puts the seal of what the file holds before it. */
static void seal_again(const char *path) {
    const content body = read_file(path);
    const int file = open(path, O_RDWR);
    assert_int_equal(pwrite(file, body.bytes, body.length, SEAL_SIZE), body.length);
    CHECK(seal_put(file, path, "checkpoint", VERSION));
    close(file);
    free(body.bytes);
}

/* The checksum keeps out accidents, not people: with a right one, every value is still checked. */
typedef struct forgery {
    const char *dataset;
    double value;
} forgery;

static void forge(const char *path, content whole, forgery change) {
    write_file(path, whole.bytes + SEAL_SIZE, whole.length - SEAL_SIZE);
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
    seal_again(path);
}

static void impossible_values_are_refused(void **state) {
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
            fail_msg("%s = %g: '%s'", forgeries[i].dataset, forgeries[i].value, scree_error_message());
    }
    /* A change that is allowed is taken: the refusals above are not for the way of forging. */
    forge(path, whole, (forgery){"world/slop", 0.25});
    scree_world *world = load(path);
    assert_true(scree_world_get(world).solver.slop == 0.25f);
    scree_world_destroy(world);
    free(whole.bytes);
    folder_remove(&place);
}

/* The list of free slots as a ring: must end, and be refused. */
static void a_ring_of_free_slots_is_refused(void **state) {
    (void)state;
    const folder place = folder_make();
    const content whole = make_checkpoint(&place);
    char path[256];
    snprintf(path, sizeof path, "%s", folder_file(&place, "damaged"));
    write_file(path, whole.bytes + SEAL_SIZE, whole.length - SEAL_SIZE);
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t set = H5Dopen2(file, "bodies/next_free", H5P_DEFAULT);
    int next[64];
    assert_true(H5Dread(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, next) >= 0);
    next[10] = 30; /* 30 → 20 → 10 was the list */
    assert_true(H5Dwrite(set, H5T_NATIVE_INT, H5S_ALL, H5S_ALL, H5P_DEFAULT, next) >= 0);
    H5Dclose(set);
    H5Fclose(file);
    seal_again(path);
    assert_refused(path, "loop");
    free(whole.bytes);
    folder_remove(&place);
}

/* CRC-64/XZ's published check value, whole and in two parts. */
static void the_checksum_is_the_published_one(void **state) {
    (void)state;
    assert_true(seal_checksum(0, "123456789", 9) == 0x995dc9bbdf1939fau);
    for (size_t cut = 0; cut <= 9; ++cut)
        assert_true(seal_checksum(seal_checksum(0, "123456789", cut), &"123456789"[cut], 9 - cut) ==
                    0x995dc9bbdf1939fau);
}

/* A child saves one checkpoint after another and is killed at some moment: the file is always a good one. */
static void a_kill_leaves_a_good_checkpoint(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "run.checkpoint");
    scree_world *world = make_world();
    run(world, 20);
    CHECK(scree_checkpoint_save(world, path));
    const uint64_t hash = scree_world_hash(world);
    for (int round = 0; round < 20; ++round) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (!child)
            for (;;)
                if (scree_checkpoint_save(world, path) != SCREE_OK) _exit(1);
        /* 0.5 … 20 ms, unlike in every round: early and late in a save. */
        const struct timespec pause = {0, 500000 + 975000L * ((round * 7) % 20)};
        nanosleep(&pause, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status)); /* it was saving until then */
        scree_world *loaded = load(path);
        assert_true(scree_world_hash(loaded) == hash);
        scree_world_destroy(loaded);
    }
    scree_world_destroy(world);
    folder_remove(&place);
}

/* Bodies and contacts are written some thousands at a time: with more of each than that, and contacts that
 * begin and end in the middle of such a piece, all are the same again. */
static void a_large_world_comes_back(void **state) {
    (void)state;
    enum { SIDE = 70, BODIES = SIDE * SIDE };
    const folder place = folder_make();
    scree_world_def def = native();
    scree_world *world;
    CHECK(scree_world_create(&def, &world));
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC;
    add(world, body, scree_half_space(), (scree_vec3){0, 0, 0});
    body.type = SCREE_BODY_DYNAMIC;
    for (int i = 0; i < BODIES; ++i)
        add(world, body, i % 5 ? scree_sphere(0.05f) : scree_box(0.05f, 0.05f, 0.05f),
            (scree_vec3){0.2f * (float)(i % SIDE), 0.2f * (float)(i / SIDE), 0.05f});
    run(world, 3);
    assert_true(scree_contact_count(world) > 7000);
    CHECK(scree_checkpoint_save(world, folder_file(&place, "large")));
    scree_world *loaded = load(folder_file(&place, "large"));
    assert_true(scree_world_hash(loaded) == scree_world_hash(world));
    scree_world_destroy(loaded);
    scree_world_destroy(world);
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_large_world_comes_back),
        cmocka_unit_test(the_checksum_is_the_published_one),
        cmocka_unit_test(a_resumed_run_is_the_same_to_the_bit),
        cmocka_unit_test(every_setting_of_the_solver_is_kept),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(impossible_values_are_refused),
        cmocka_unit_test(a_ring_of_free_slots_is_refused),
        cmocka_unit_test(a_kill_leaves_a_good_checkpoint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
