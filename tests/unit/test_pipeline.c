/* The pipeline `device` finds the pairs of the host, in its order, and gives its bits: for spheres, boxes,
 * all sizes, half-spaces, meshes, kinematic bodies, grains that come and go, and bodies that others strike.
 */
#include "body_fixture.h"
#include "scenery.h"

#include "device/opencl/opencl_pairs.h"
#include "random_vectors.h"

static const scalar step = 1 / 120.0f;

static void add_wall(scree_world *world, scree_vec3 position, scree_quat rotation) {
    scree_body_def def = scree_default_body_def();
    def.type = SCREE_BODY_STATIC, def.shape = scree_shape_half_space();
    def.state.position = position, def.state.rotation = rotation;
    CHECK(scree_body_create(world, &def, NULL));
}

/* Spheres with radii over a factor of 60 in a corner of three half-spaces. */
static scree_world *spheres(const scree_world_def *def) {
    scree_world *world = world_of(def);
    const float half = sqrtf(0.5f);
    uint64_t seed = 1;
    add_slope(world, 0.1f);
    add_wall(world, (scree_vec3){1, 0, 0}, (scree_quat){0, -half, 0, half});
    add_wall(world, (scree_vec3){0, -0.5f, 0}, (scree_quat){-half, 0, 0, half});
    for (int i = 0; i < 120; i++) {
        const float radius = (float)(0.3 * pow(1 / 60.0, random_between(&seed, 0, 1) + (i % 20 ? 0.3 : 0)));
        add_body(world, scree_shape_sphere(radius > 0.3f ? 0.3f : radius),
                 (scree_vec3){(float)random_between(&seed, -0.6, 0.6), (float)random_between(&seed, 0, 0.6),
                              0.3f + 0.03f * (float)i},
                 (scree_vec3){1, -1, -2});
    }
    return world;
}

static scree_world *boxes(const scree_world_def *def) {
    scree_world *world = world_of(def);
    add_slope(world, 0);
    for (int i = 0; i < 5 * 5 * 3; i++)
        add_body(world, scree_shape_box(0.05f, 0.04f, 0.03f),
                 (scree_vec3){0.101f * (float)(i % 5) + 0.003f * (float)(i / 25), 0.082f * (float)(i / 5 % 5),
                              0.03f + 0.0605f * (float)(i / 25)},
                 (scree_vec3){0.5f, 0, 0});
    return world;
}

static scree_shape hills(scree_geometry **made) {
    enum { EDGE = 9, CELLS = EDGE - 1 };
    scree_vec3 corners[EDGE * EDGE];
    scree_triangle triangles[2 * CELLS * CELLS];
    int count = 0;
    for (int i = 0; i < EDGE * EDGE; i++)
        corners[i] = (scree_vec3){0.2f * (float)(i % EDGE - EDGE / 2), 0.2f * (float)(i / EDGE - EDGE / 2),
                                  0.03f * (float)(i % 3 + i / EDGE % 2)};
    for (int i = 0; i < CELLS * CELLS; i++) {
        const int a = i / CELLS * EDGE + i % CELLS, b = a + 1, c = a + EDGE, d = c + 1;
        triangles[count++] = (scree_triangle){{a, b, d}};
        triangles[count++] = (scree_triangle){{a, d, c}};
    }
    CHECK(scree_mesh_create(corners, EDGE * EDGE, triangles, count, made));
    return scree_shape_mesh(*made, 1);
}

/* Shapes of many kinds on a mesh, with a plate that sweeps them away and a half-space that rises and turns.
 */
static scree_world *mixture(const scree_world_def *def) {
    scree_world *world = world_of(def);
    scree_geometry *hilly = NULL;
    scree_body_def body = scree_default_body_def();
    body.type = SCREE_BODY_STATIC, body.shape = hills(&hilly);
    CHECK(scree_body_create(world, &body, NULL));
    scree_geometry_release(hilly);
    body.type = SCREE_BODY_KINEMATIC, body.shape = scree_shape_box(0.03f, 0.7f, 0.2f);
    body.state.position = (scree_vec3){-0.7f, 0, 0.2f}, body.state.linear_velocity.x = 0.6f;
    CHECK(scree_body_create(world, &body, NULL));
    body.shape = scree_shape_half_space(), body.state.position = (scree_vec3){0, 0, -0.5f};
    body.state.linear_velocity = (scree_vec3){0, 0, 0.2f};
    body.state.angular_velocity = (scree_vec3){0.2f, 0, 0};
    CHECK(scree_body_create(world, &body, NULL));
    for (int i = 0; i < 40; i++) {
        const scree_shape kinds[] = {scree_shape_sphere(0.06f), scree_shape_box(0.06f, 0.05f, 0.03f),
                                     scree_shape_capsule(0.03f, 0.05f), scree_shape_cylinder(0.05f, 0.04f),
                                     scree_shape_ellipsoid(0.06f, 0.04f, 0.03f)};
        add_body(world, kinds[i % 5],
                 (scree_vec3){0.19f * (float)(i % 6 - 3), 0.19f * (float)(i / 6 % 5 - 2),
                              0.2f + 0.15f * (float)(i / 30)},
                 (scree_vec3){0, 0, -1});
    }
    return world;
}

/* Grains come in at the top and leave at the bottom of a slope, so that slots become free and are used again.
 */
static scree_world *stream(const scree_world_def *def) {
    scree_world *world = world_of(def);
    const float sizes[2] = {0.04f, 0.1f};
    scree_inlet_def inlet = scree_default_inlet_def();
    scree_outlet_def outlet = scree_default_outlet_def();
    add_slope(world, 0.5f);
    inlet.zone.size = (scree_vec3){0.3f, 0.3f, 0.2f}, inlet.zone.position.z = 0.6f;
    inlet.sizes = sizes, inlet.size_count = 2, inlet.rate = 120, inlet.seed = 3;
    inlet.body.state.linear_velocity.z = -2;
    CHECK(scree_inlet_create(world, &inlet, NULL));
    outlet.zone.kind = SCREE_ZONE_HALF_SPACE, outlet.outside = false;
    outlet.zone.position.z = -0.3f;
    CHECK(scree_outlet_create(world, &outlet, NULL));
    return world;
}

/* A fast ball strikes rows of beads that are out of its reach at the start of the step. */
static scree_world *struck(const scree_world_def *def) {
    scree_world *world = world_of(def);
    add_slope(world, 0);
    for (int i = 0; i < 80; i++)
        add_body(world, scree_shape_sphere(0.05f),
                 (scree_vec3){0.11f * (float)(i % 12), 0.11f * (float)(i / 12), 0.05f}, (scree_vec3){0});
    for (int i = 0; i < 10; i++)
        add_body(world, scree_shape_sphere(0.05f),
                 (scree_vec3){-1.0f - (float)i, 0.11f * (float)i + 0.03f, 0.051f},
                 (scree_vec3){20 + (float)i, 0, 0});
    return world;
}

static scree_world *of_file(const scree_world_def *def, const char *name) {
    scree_scene *scene = scene_of(name);
    scree_world_def own = scree_scene_get_world_def(scene);
    own.backend = def->backend, own.device = def->device, own.threads = def->threads,
    own.pipeline = def->pipeline, own.solver = def->solver;
    scree_world *world = world_of(&own);
    CHECK(scree_scene_build(scene, world, scree_scene_get_run_def(scene).seed));
    scree_scene_destroy(scene);
    return world;
}
static scree_world *several(const scree_world_def *def) { return of_file(def, "tests/data/mixed.json"); }
static scree_world *moved(const scree_world_def *def) { return of_file(def, "tests/data/groups.json"); }

/* Steps a world on each pipeline; returns the sums of both pipelines. */
typedef struct sums {
    int64_t pairs, late, inserted, removed;
    int searches, passes; /* steps in which the device searched, and in which it did more than once */
} sums;

static sums compare(void **state, scree_world *(*make)(const scree_world_def *), int steps) {
    scree_world *worlds[2];
    scree_statistics s[2];
    sums out = {0};
    for (int k = 0; k < 2; k++) {
        scree_world_def def = def_on(state);
        def.pipeline = k ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
        def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_BAUMGARTE);
        def.solver.method = SCREE_METHOD_PGS, def.solver.iterations = 4; /* few launches */
        worlds[k] = make(&def);
    }
    for (int i = 1; i <= steps; i++) {
        for (int k = 0; k < 2; k++) CHECK(scree_world_step(worlds[k], &s[k]));
        if (s[0].pairs != s[1].pairs || s[0].contacts != s[1].contacts || s[0].late != s[1].late)
            fail_msg("step %d: %d pairs, %d contacts, %d late on the host; %d, %d, %d on the device", i,
                     s[0].pairs, s[0].contacts, s[0].late, s[1].pairs, s[1].contacts, s[1].late);
        assert_int_equal(s[0].stages[SCREE_STAGE_PAIRS].device.launches, 0);
        out.pairs += s[0].pairs, out.late += s[0].late, out.inserted += s[0].inserted,
            out.removed += s[0].removed, out.searches += s[1].stages[SCREE_STAGE_PAIRS].device.launches > 0,
            out.passes += i > 1 && s[1].stages[SCREE_STAGE_DETECTION].device.waits > 0;
    }
    assert_true(scree_world_get_hash(worlds[0]) == scree_world_get_hash(worlds[1]));
    for (int k = 0; k < 2; k++) scree_world_destroy(worlds[k]);
    return out;
}

static void bits_are_the_hosts(void **state) {
    scree_world *(*const makers[])(const scree_world_def *) = {spheres, boxes, mixture, several, moved};
    if (!device_has_native_bits()) skip();
    for (size_t k = 0; k < sizeof makers / sizeof *makers; k++) {
        const sums seen = compare(state, makers[k], 220);
        assert_int_equal(seen.searches, 220);
        assert_true(seen.pairs > 220 * 20);
    }
}

static void slots_are_used_again(void **state) {
    if (!device_has_native_bits()) skip();
    const sums seen = compare(state, stream, 260);
    assert_true(seen.inserted > 200 && seen.removed > 50);
}

static void detection_passes_find_the_same(void **state) {
    if (!device_has_native_bits()) skip();
    const sums seen = compare(state, struck, 200);
    assert_true(seen.late > 10);
    assert_true(seen.passes > 10);
}

static scree_world *periodic(const scree_world_def *def) {
    scree_world_def own = *def;
    own.period = (scree_vec3){0.6f, 0.6f, 0};
    scree_world *world = world_of(&own);
    add_slope(world, 0);
    for (int i = 0; i < 60; i++)
        add_body(
            world, scree_shape_sphere(0.05f),
            (scree_vec3){0.12f * (float)(i % 5), 0.12f * (float)(i / 5 % 5), 0.1f + 0.11f * (float)(i / 25)},
            (scree_vec3){1, 0, 0});
    return world;
}

static void periodic_worlds_agree(void **state) {
    if (!device_has_native_bits()) skip();
    assert_int_equal(compare(state, periodic, 60).searches, 60);
}

/* Results belong to no pipeline: a checkpoint, a clone and a snapshot go on with either one. */
static void pipelines_can_change(void **state) {
    scree_world_def def = def_on(state);
    uint64_t hash[2];
    if (!device_has_native_bits()) skip();
    for (int k = 0; k < 2; k++) {
        scree_world *world, *clone;
        scree_world_snapshot *snapshot;
        def.pipeline = k ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST;
        world = boxes(&def);
        run_for(world, 0.1);
        CHECK(scree_world_snapshot_create(world, &snapshot));
        run_for(world, 0.1);
        CHECK(scree_world_snapshot_restore(snapshot, world));
        scree_world_snapshot_destroy(snapshot);
        CHECK(scree_world_clone(world, &clone));
        assert_int_equal(scree_world_get_def(world).pipeline, def.pipeline);
        assert_int_equal(scree_world_get_def(clone).pipeline, def.pipeline);
        run_for(clone, 0.1);
        hash[k] = scree_world_get_hash(clone);
        scree_world_destroy(world);
        scree_world_destroy(clone);
    }
    assert_true(hash[0] == hash[1]);
}

static void other_backends_refuse(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = NULL;
    def.pipeline = SCREE_PIPELINE_DEVICE;
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "pipeline: device; "));
    def.pipeline = (scree_pipeline)7;
    assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "pipeline: 7; "));
    def.pipeline = SCREE_PIPELINE_AUTO;
    world = world_of(&def);
    assert_int_equal(scree_world_get_def(world).pipeline, SCREE_PIPELINE_HOST);
    scree_world_destroy(world);
}

static void auto_is_the_device_on_a_gpu(void **state) {
    scree_world_def def = def_on(state);
    scree_device_info info;
    CHECK(scree_device_find(def.device, &info));
    def.pipeline = SCREE_PIPELINE_AUTO;
    scree_world *world = NULL;
    CHECK(scree_world_create(&def, &world));
    assert_int_equal(scree_world_get_def(world).pipeline,
                     info.gpu ? SCREE_PIPELINE_DEVICE : SCREE_PIPELINE_HOST);
    scree_world_destroy(world);
}

/* A broadphase whose source is a device. */
typedef struct device_search {
    opencl_device device;
    opencl_pairs pairs;
    broadphase *phase;
} device_search;

static scree_result find(void *context, const pair_search *search, pair_rows *out, int *regrown) {
    return opencl_pairs_find(context, search, out, regrown);
}

static void search_open(device_search *self) {
    if (!device_is_there()) skip();
    *self = (device_search){.phase = NULL};
    CHECK(opencl_device_open(test_device(), &self->device));
    opencl_pairs_open(&self->pairs, &self->device);
    CHECK(broadphase_create(&self->phase, BROADPHASE_SKIN));
    broadphase_set_source(self->phase, (pair_source){find, &self->pairs});
}

static void search_close(device_search *self) {
    broadphase_destroy(self->phase);
    opencl_pairs_close(&self->pairs);
    opencl_scratch_release(&self->device);
    assert_int_equal(self->device.memory_used, 0);
    opencl_device_close(&self->device);
}

/* Compares the pairs with those of a search on the host that have a marked body (null: with all). Returns
 * their number. */
static int expect_hosts_pairs(device_search *self, const body_array *bodies, const bounds *around,
                              const uint8_t *marked) {
    broadphase *host = NULL;
    int count, host_count, regrown = 0, next = 0, piece = 0, left = 0, at = 0;
    body_pair near[BROADPHASE_PIECE], found[BROADPHASE_PIECE];
    CHECK(broadphase_create(&host, 0));
    CHECK(broadphase_pairs(host, bodies, around, NULL, step, 1, &host_count, &regrown));
    CHECK(broadphase_pairs(self->phase, bodies, around, marked, step, 1, &count, &regrown));
    for (int k = 0; k < broadphase_piece_count(host); k++) {
        const int pairs = broadphase_piece(host, k, near);
        for (int i = 0; i < pairs; i++) {
            if (marked && !marked[near[i].a] && !marked[near[i].b]) continue;
            if (at == left) left = broadphase_piece(self->phase, piece++, found), at = 0;
            assert_true(next++ < count);
            assert_memory_equal(&found[at++], &near[i], sizeof *near);
        }
    }
    assert_int_equal(next, count);
    broadphase_destroy(host);
    return count;
}

/* Bodies of all types, of sizes over three decades; two are half-spaces. */
static body_array random_bodies(int count) {
    body_array bodies = bodies_make(count);
    uint64_t seed = 5;
    for (int i = 0; i < count; i++) {
        const float size = (float)pow(10, random_between(&seed, -3, i % 30 ? -0.7 : 0));
        bodies.shapes[i] = i % 3 ? shape_of(SCREE_SHAPE_SPHERE, size, 0, 0)
                                 : shape_of(SCREE_SHAPE_BOX, size, size / 2, size / 3);
        bodies.types[i] = (uint8_t)(i % 40 ? SLOT_DYNAMIC : i % 80 ? SLOT_KINEMATIC : SLOT_STATIC);
        if (i % 17 == 1) bodies.types[i] = SLOT_FREE;
        bodies.velocities[i].linear = random_vector(&seed, -0.5, 0.5);
        bodies.velocities[i].angular = random_vector(&seed, -0.5, 0.5);
        const vec3s at = random_vector(&seed, -1, 1);
        bodies.poses[i] = pose_of(at, random_rotation(&seed));
    }
    bodies.shapes[0] = bodies.shapes[40] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    return bodies;
}

/* The list begins with place for one pair, and grows by a factor of more than ten in one search. */
static void pairs_are_the_hosts(void **state) {
    (void)state;
    enum { BODIES = 1500 };
    static bounds around[BODIES];
    static uint8_t marked[BODIES];
    device_search search;
    body_array bodies = random_bodies(BODIES);
    uint64_t seed = 8;
    search_open(&search);
    assert_int_equal(search.pairs.found.capacity, 1);
    int last = 0;
    for (int round = 0; round < 4; round++) {
        bounds_compute_padded(&bodies, round == 2 ? 0.5f : 0.002f, step, 1, around);
        const int count = expect_hosts_pairs(&search, &bodies, around, NULL);
        if (round == 2) assert_true(count > 10 * last);
        last = count;
        for (int i = 0; i < BODIES; i++) marked[i] = random_bits(&seed) % 50 == 0;
        body_swept_boxes(&bodies, step, 1, around);
        assert_true(expect_hosts_pairs(&search, &bodies, around, marked) > 0);
    }
    bodies.count = 0;
    assert_int_equal(expect_hosts_pairs(&search, &bodies, around, NULL), 0);
    bodies.count = BODIES;
    search_close(&search);
    bodies_free(&bodies);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_are_the_hosts), ON("opencl", bits_are_the_hosts),
        ON("opencl", slots_are_used_again),    ON("opencl", detection_passes_find_the_same),
        ON("opencl", periodic_worlds_agree),   ON("opencl", pipelines_can_change),
        ON("native", other_backends_refuse),   ON("opencl", auto_is_the_device_on_a_gpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
