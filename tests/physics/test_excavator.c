/* An arm of three hinges with a motor and two servos pushes grains: the same bits everywhere, and the grains
 * move. */
#include "scenery.h"

enum { STEPS = 100 };

static uint64_t hash_on(const char *backend, int threads) {
    scree_scene *scene = scene_of("tests/data/excavator.json");
    void *state = (void *)(uintptr_t)backend;
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = backend_of(&state);
    def.device = test_device(), def.threads = threads;
    const uint64_t hash = scene_hash(scene, &def, STEPS);
    scree_scene_destroy(scene);
    return hash;
}

static void threads_do_not_change_bits(void **state) {
    (void)state;
    const uint64_t one = hash_on("native", 1);
    for (int threads = 2; threads <= 8; threads *= 2) assert_true(hash_on("native", threads) == one);
}

static void device_matches_native_bits(void **state) {
    (void)def_on(state);
    if (!device_has_native_bits()) skip();
    assert_true(hash_on("opencl", 2) == hash_on("native", 1));
}

/* The blade moves forward and the grains in front of it too, while all three hinges hold. */
static void the_arm_pushes_the_grains(void **state) {
    const scree_world_def like = def_on(state);
    scree_scene *scene = scene_of("tests/data/excavator.json");
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = like.backend, def.device = like.device, def.threads = 1;
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, scree_scene_get_run_def(scene).seed));
    scree_frame before, after;
    scree_statistics s;
    CHECK(scree_frame_from_world(world, &before));
    for (int step = 0; step < STEPS; step++) {
        CHECK(scree_world_step(world, &s));
        ASSERT_AT_MOST(s.joint_error_max, 1e-3);
    }
    CHECK(scree_frame_from_world(world, &after));
    double pushed = 0;
    int grains = 0;
    for (int i = 0; i < after.count; i++) {
        if (after.shapes[i].kind != SCREE_SHAPE_SPHERE) continue;
        pushed += (double)after.states[i].position.x - (double)before.states[i].position.x;
        grains++;
    }
    assert_int_equal(after.joint_count, 3);
    ASSERT_NEAR(after.joints[1].state.position[SCREE_AXIS_ROTATION_X], 0.6 * STEPS * 0.005, 0.05);
    assert_true(pushed / grains > 0.01);
    scree_frame_release(&before);
    scree_frame_release(&after);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_change_bits),
        ON("opencl", device_matches_native_bits),
        ON("native", the_arm_pushes_the_grains),
        ON("opencl", the_arm_pushes_the_grains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
