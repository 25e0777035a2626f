/* A body with more contacts than one partial sum covers: sums are made in pieces, identical on all backends
 * and any number of threads, and conserve momentum. --small makes it small enough for a simulator. */
#include "device.h"
#include "scenery.h"

#include "step/world.h"

enum { EDGE = 24, EDGE_SIMULATED = 17 };

static int edge = EDGE; /* edge of a square of balls: two pieces and a remainder, or one and a remainder */

/* Makes a plate that rises into balls at rest, which touch nothing else. */
static scree_world *plate_under_balls(scree_backend_kind kind, int threads, scree_body_type type) {
    scree_world_def def = scree_default_world_def();
    def.backend = kind, def.device = test_device(), def.threads = threads;
    def.gravity = (scree_vec3){0};
    def.solver.iterations = edge == EDGE ? 20 : 2, def.solver.tolerance = 0;
    def.solver.split.position_iterations = edge == EDGE ? 15 : 1;
    def.material.restitution = 0.3f;
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.type = type;
    body.shape = scree_shape_box(2, 2, 0.1f);
    body.state.linear_velocity = (scree_vec3){0.1f, 0, 1};
    CHECK(scree_body_create(world, &body, &id));
    for (int i = 0; i < edge * edge; i++)
        add_body(world, scree_shape_sphere(0.06f),
                 (scree_vec3){-1.6f + 0.14f * (float)(i % edge), -1.6f + 0.14f * (float)(i / edge), 0.16f},
                 (scree_vec3){0});
    return world;
}

static int entries_of(scree_world *world, int slot) {
    const problem *p = &world->scratch.problem;
    CHECK(world_bring_problem(world));
    return p->incidence_first[slot + 1] - p->incidence_first[slot];
}

/* Also with restitution, in the position pass. */
static void sums_are_identical(void **state) {
    (void)state;
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        if (i == 3 && !device_has_native_bits()) continue;
        scree_world *world = plate_under_balls(i == 3 ? SCREE_BACKEND_OPENCL : SCREE_BACKEND_NATIVE,
                                               i % 3 + 1, SCREE_BODY_DYNAMIC);
        for (int step = 0; step < (edge == EDGE ? 4 : 1); step++) {
            CHECK(scree_world_step(world, NULL));
            const problem *p = &world->scratch.problem;
            assert_true(step > 0 || entries_of(world, 0) > (edge == EDGE ? 2 : 1) * GATHER_PIECE);
            assert_true(step > 0 || p->rebounds);
            assert_true(step > 0 || p->remainder_first < p->block_count);
        }
        hashes[i] = scree_world_get_hash(world);
        if (hashes[i] != hashes[0]) fail_msg("run %d has other bits than run 0", i);
        scree_world_destroy(world);
    }
}

/* Asserts that Σ m v is conserved without gravity. */
static void momentum_stays(scree_backend_kind kind) {
    scree_world *world = plate_under_balls(kind, 1, SCREE_BODY_DYNAMIC);
    double before[3] = {0}, after[3] = {0}, moved = 0;
    for (int step = 0; step < 4; step++) {
        const body_array *bodies = &world->state.bodies;
        double *sum = step == 0 ? before : after;
        if (step > 0) CHECK(scree_world_step(world, NULL));
        CHECK(bodies_bring(bodies));
        sum[0] = sum[1] = sum[2] = moved = 0;
        for (int i = 0; i < bodies->count; i++) {
            const double mass = (double)bodies->masses[i].mass;
            const vec3s v = bodies->velocities[i].linear;
            sum[0] += mass * (double)v.x, sum[1] += mass * (double)v.y, sum[2] += mass * (double)v.z;
            moved += i > 0 ? mass * (double)v.z : 0;
        }
    }
    assert_true(moved > 0.1 * before[2]); /* balls have taken a large part of it */
    for (int k = 0; k < 3; k++)
        if (fabs(after[k] - before[k]) > 1e-5 * before[2])
            fail_msg("axis %d: momentum %.9g after %.9g", k, after[k], before[k]);
    scree_world_destroy(world);
}

static void momentum_is_conserved_on_native(void **state) {
    (void)state;
    momentum_stays(SCREE_BACKEND_NATIVE);
}

static void momentum_is_conserved_on_a_device(void **state) {
    (void)state;
    if (!device_is_there()) skip();
    momentum_stays(SCREE_BACKEND_OPENCL);
}

/* A plate that cannot move has no sum at all, and constrains no colours. */
static void immovable_plate_has_no_sum(void **state) {
    (void)state;
    if (!device_is_there()) skip();
    scree_world *world = plate_under_balls(SCREE_BACKEND_OPENCL, 1, SCREE_BODY_STATIC);
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(world->scratch.problem.block_count, edge * edge);
    assert_int_equal(entries_of(world, 0), 0);
    assert_int_equal(entries_of(world, 1), 1);
    assert_int_equal(world->scratch.problem.colour_count, 1);
    scree_world_destroy(world);
}

int main(int argc, char **argv) {
    const bool small = argc > 1 && strcmp(argv[1], "--small") == 0;
    if (small) edge = EDGE_SIMULATED;
    const struct CMUnitTest simulated[] = {cmocka_unit_test(sums_are_identical)};
    if (small) return cmocka_run_group_tests_name("many contacts", simulated, NULL, NULL);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_are_identical), cmocka_unit_test(momentum_is_conserved_on_native),
        cmocka_unit_test(momentum_is_conserved_on_a_device), cmocka_unit_test(immovable_plate_has_no_sum)};
    return cmocka_run_group_tests_name("many contacts", tests, NULL, NULL);
}
