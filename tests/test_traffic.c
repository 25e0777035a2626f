/* What a step asks of a device: launches, waits and bytes are counted, are no more than the work needs, and
 * are zero where there is no device. */
#include "scenery.h"

#include "layout.h"

enum { SPHERES = 40 };

/* A column of spheres, each touching the next, on the ground: two colours. */
static scree_world *column(scree_world_def def, int iterations) {
    def.solver.method = SCREE_METHOD_PGS;
    def.solver.iterations = iterations;
    def.solver.tolerance = 0;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < SPHERES; ++i)
        add_body(world, scree_sphere(0.1f), (scree_vec3){0, 0, 0.1f + 0.2f * (float)i}, (scree_vec3){0});
    return world;
}

static scree_statistics one_step(const scree_world_def *def, int iterations) {
    scree_world *world = column(*def, iterations);
    scree_statistics s;
    CHECK(scree_world_step(world, &s));
    assert_int_equal(s.solve.iterations, iterations);
    assert_int_equal(s.contacts, SPHERES);
    scree_world_destroy(world);
    return s;
}

static void native_asks_for_nothing(void **state) {
    const scree_world_def def = def_on(state);
    const scree_device_traffic none = {0}, seen = one_step(&def, 5).device;
    assert_memory_equal(&seen, &none, sizeof none);
}

/* Small colours share a launch: an iteration of plain sweeps over two of them is one. */
static void an_iteration_is_a_launch(void **state) {
    const scree_world_def def = def_on(state);
    const scree_statistics few = one_step(&def, 20), many = one_step(&def, 50);
    assert_int_equal(few.colours, 2);
    assert_int_equal(many.device.launches - few.device.launches, 30);
    assert_int_equal(many.device.waits, few.device.waits);
    assert_true(many.device.bytes_up == few.device.bytes_up);
}

/* Without a tolerance the host waits for the residual before and after each of two passes, for the impulses
 * and for the bodies. */
static void waits_are_few(void **state) {
    const scree_world_def def = def_on(state);
    assert_in_range(one_step(&def, 20).device.waits, 1, 6);
}

/* Bodies and blocks go up once: less than twice what they take. Poses, velocities and two passes' impulses
 * come back, and sums of a chunk or two. */
static void bytes_are_those_of_the_problem(void **state) {
    const scree_world_def def = def_on(state);
    const scree_device_traffic seen = one_step(&def, 20).device;
    const size_t bodies = SPHERES + 1, blocks = SPHERES;
    const size_t up =
        bodies * (sizeof(body_pose) + sizeof(body_velocity)) + blocks * sizeof(constraint_block);
    const size_t down =
        bodies * (sizeof(body_pose) + sizeof(body_velocity)) + 2 * blocks * sizeof(block_impulse);
    assert_in_range(seen.bytes_up, up, 5 * up / 2);
    assert_in_range(seen.bytes_down, down, down + 2048);
}

static void kernels_are_timed_when_asked(void **state) {
    scree_world_def def = def_on(state);
    assert_true(one_step(&def, 20).device.busy == 0);
    def.profile = true;
    const scree_statistics s = one_step(&def, 20);
    assert_true(s.device.busy > 0 && s.device.busy < s.timing.total);
}

/* The next step's figures are its own. */
static void each_step_has_its_own(void **state) {
    const scree_world_def def = def_on(state);
    scree_world *world = column(def, 20);
    scree_statistics first, second;
    CHECK(scree_world_step(world, &first));
    CHECK(scree_world_step(world, &second));
    assert_int_equal(second.device.launches, first.device.launches);
    assert_int_equal(second.device.waits, first.device.waits);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", native_asks_for_nothing),
        ON("opencl", an_iteration_is_a_launch),
        ON("opencl", waits_are_few),
        ON("opencl", bytes_are_those_of_the_problem),
        ON("opencl", kernels_are_timed_when_asked),
        ON("opencl", each_step_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
