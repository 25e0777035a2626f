/* The estimated memory of a world is that which its steps take, on the host and on the device. */
#include "scenery.h"

#include <stdlib.h>

/* Bytes of the library's blocks. Each is preceded by its size. */
enum { HEAD = 16 };
static _Atomic long long held;

static void *allocate(size_t bytes, void *user) {
    size_t *block = malloc(bytes + HEAD);
    (void)user;
    if (!block) return NULL;
    block[0] = bytes;
    held += (long long)bytes;
    return (char *)block + HEAD;
}

static void release(void *at, void *user) {
    size_t *block = (size_t *)(void *)((char *)at - HEAD);
    (void)user;
    held -= (long long)block[0];
    free(block);
}

/* Steps until the bodies have settled, and beds of this size have their contacts; walls have them at once. */
enum { STEPS = 120, WALL_STEPS = 60 };

static void expect_near(const char *what, double estimated, double taken) {
    const double ratio = estimated / taken;
    print_message("%s: %.4g bytes estimated, %.4g taken, ratio %.2f\n", what, estimated, taken, ratio);
    if (!(ratio > 0.85 && ratio < 1.15)) fail_msg("%s: the estimate is off by more than 15 %%", what);
}

/* Steps a world and destroys it; `before`: bytes that were held before it. */
static void compare_world(scree_world *world, int steps, long long before) {
    scree_memory_estimate estimate;
    scree_statistics last;
    CHECK(scree_world_estimate_memory(world, 1, &estimate));
    for (int i = 0; i < steps; i++) CHECK(scree_world_step(world, &last));
    expect_near("host", estimate.host, (double)(held - before));
    if (last.device_memory > 0) expect_near("device", estimate.device, (double)last.device_memory);
    assert_true((last.device_memory > 0) == (estimate.device > 0));
    scree_world_destroy(world);
}

static const scree_allocator counting = {.allocate = allocate, .release = release};

static void compare(void **state, const char *name, scree_pipeline pipeline, int steps) {
    scree_set_allocator(&counting);
    scree_scene *scene = scene_of(name);
    const long long before = held;
    scree_world_def def = scree_scene_get_world_def(scene);
    const scree_world_def on = def_on(state);
    def.backend = on.backend, def.device = on.device, def.threads = 1, def.pipeline = pipeline;
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, scree_scene_get_run_def(scene).seed));
    compare_world(world, steps, before);
    scree_scene_destroy(scene);
    scree_set_allocator(NULL);
}

static void spheres_and_cubes(void **state) {
    compare(state, "bench/scenes/A1000.json", SCREE_PIPELINE_HOST, STEPS);
    compare(state, "bench/scenes/B1000.json", SCREE_PIPELINE_HOST, STEPS);
    compare(state, "bench/scenes/C30.json", SCREE_PIPELINE_HOST, WALL_STEPS);
}

static void with_stages_on_the_device(void **state) {
    compare(state, "bench/scenes/A1000.json", SCREE_PIPELINE_DEVICE,
            STEPS); /* whose contacts the host finds */
    compare(state, "bench/scenes/B1000.json", SCREE_PIPELINE_DEVICE, STEPS);
    compare(state, "tests/data/bed.json", SCREE_PIPELINE_DEVICE, STEPS);
    compare(state, "bench/scenes/C30.json", SCREE_PIPELINE_DEVICE, WALL_STEPS);
}

/* A bed of clumps of two balls in a box. */
static void with_children_on_the_device(void **state) {
    enum { SIDE = 8, HEIGHT = 12, CLUMPS = SIDE * SIDE / 2 * HEIGHT, FEW_STEPS = 40 };
    const scree_clump_sphere spheres[] = {{{-0.05f, 0, 0}, 0.05f}, {{0.05f, 0, 0}, 0.05f}};
    const float width = 0.102f * SIDE;
    scree_geometry *pair;
    scree_world_def def = def_on(state);
    scree_set_allocator(&counting);
    CHECK(scree_clump_create(spheres, 2, &pair));
    const long long before = held;
    def.pipeline = SCREE_PIPELINE_DEVICE;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int wall = 0; wall < 4; wall++) {
        scree_body_def body = scree_default_body_def();
        const float at = wall % 2 ? -width / 2 : width / 2;
        body.type = SCREE_BODY_STATIC, body.shape = scree_shape_half_space();
        body.state.position = wall < 2 ? (scree_vec3){at, 0, 0} : (scree_vec3){0, at, 0};
        body.state.rotation = wall < 2
                                  ? (scree_quat){0, wall ? 0.70710678f : -0.70710678f, 0, 0.70710678f}
                                  : (scree_quat){wall == 2 ? 0.70710678f : -0.70710678f, 0, 0, 0.70710678f};
        CHECK(scree_body_create(world, &body, NULL));
    }
    for (int i = 0; i < CLUMPS; i++)
        add_body(world, scree_shape_clump(pair, 1),
                 (scree_vec3){0.204f * (float)(i % (SIDE / 2)) - width / 2 + 0.102f,
                              0.102f * (float)(i / (SIDE / 2) % SIDE) - width / 2 + 0.051f,
                              0.0505f + 0.101f * (float)(i / (SIDE / 2 * SIDE))},
                 (scree_vec3){0.01f * (float)(i % 5 - 2), 0.01f * (float)(i % 7 - 3), 0});
    compare_world(world, FEW_STEPS, before);
    scree_geometry_release(pair);
    scree_set_allocator(NULL);
}

/* Grains of inlets count up to their number, or to the end of the time. The mass of a ball of 1 cm follows
 * from the density of the default material, 1000 kg/m³. */
static void grains_of_inlets_count(void **state) {
    const double mass = 1000 * 4.0 / 3 * 3.14159265358979 * 1e-6;
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_inlet_def inlet = scree_default_inlet_def();
    scree_memory_estimate now, later;
    inlet.body.shape = scree_shape_sphere(0.01f);
    inlet.rate = 50, inlet.start = 1;
    CHECK(scree_inlet_create(world, &inlet, NULL));
    inlet.count = 7;
    CHECK(scree_inlet_create(world, &inlet, NULL));
    inlet.count = 0, inlet.rate = 0, inlet.mass_rate = 100 * mass * (1 + 1e-6), inlet.stop = 3;
    CHECK(scree_inlet_create(world, &inlet, NULL));
    CHECK(scree_world_estimate_memory(world, 0, &now));
    CHECK(scree_world_estimate_memory(world, 5, &later));
    assert_int_equal(now.bodies, 0);
    assert_int_equal(later.bodies, 200 + 7 + 200);
    assert_true(later.host > now.host + 407 * 400 && later.contacts == 3 * 407);
    assert_int_equal(scree_world_estimate_memory(world, -1, &now), SCREE_ERROR_ARGUMENT);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", spheres_and_cubes),           ON("native", grains_of_inlets_count),
        ON("opencl", spheres_and_cubes),           ON("opencl", with_stages_on_the_device),
        ON("opencl", with_children_on_the_device),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
