/* Traffic of a step with a device: launches, waits and bytes are counted, are no more than the work needs,
 * and are zero without a device. */
#include "scenery.h"

#include "device.h"

#include "device/opencl/opencl_device.h"
#include "geometry/bounds.h"
#include "layout.h"

#include <scree/columns.h>

enum { SPHERES = 40 };

/* A column of spheres, each touching the next, on the ground: two colours. */
static scree_world *column(scree_world_def def, int iterations) {
    def.solver.method = SCREE_METHOD_PGS;
    def.solver.iterations = iterations;
    def.solver.tolerance = 0;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < SPHERES; ++i)
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.1f + 0.2f * (float)i},
                 (scree_vec3){0});
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

/* Small colours share a launch: an iteration of plain sweeps over several is one. */
static void an_iteration_is_a_launch(void **state) {
    const scree_world_def def = def_on(state);
    const scree_statistics few = one_step(&def, 20), many = one_step(&def, 50);
    assert_in_range(few.colours, 2, 3);
    assert_int_equal(many.device.launches - few.device.launches, 30);
    assert_int_equal(many.device.waits, few.device.waits);
    assert_true(many.device.bytes_up == few.device.bytes_up);
}

enum { EDGE = 10, PILE = EDGE * EDGE * EDGE };

/* Spheres in layers, each in the hollow of four: as they lie in a heap. */
static scree_world *pile_of(const scree_world_def *from, scree_method method, int iterations) {
    scree_world_def def = *from;
    def.solver.method = method;
    def.solver.iterations = iterations;
    def.solver.tolerance = 0;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < PILE; ++i) {
        const float x = (float)(i % EDGE), y = (float)(i / EDGE % EDGE), z = (float)(i / EDGE / EDGE),
                    aside = i / EDGE / EDGE % 2 ? 0.1f : 0;
        add_body(world, scree_shape_sphere(0.1f),
                 (scree_vec3){0.2f * x + aside, 0.2f * y + aside, 0.1f + 0.1414f * z}, (scree_vec3){0});
    }
    return world;
}

static scree_world *pile(const scree_world_def *def, int iterations) {
    return pile_of(def, SCREE_METHOD_PGS, iterations);
}

static scree_statistics step_of_pile(const scree_world_def *def, int iterations, bool shared,
                                     uint64_t *hash) {
    scree_statistics s;
    opencl_test_hooks.separate_colours = !shared;
    scree_world *world = pile(def, iterations);
    opencl_test_hooks.separate_colours = false;
    CHECK(scree_world_step(world, &s));
    *hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    return s;
}

/* Where colours share launches, a sweep of a pile is half as many or fewer, and each body's contacts have
 * their turn in the same order. */
static void colours_share_launches(void **state) {
    const scree_world_def def = def_on(state);
    uint64_t hash[2];
    int launches[2];
    for (int shared = 0; shared < 2; ++shared) {
        const scree_statistics few = step_of_pile(&def, 10, shared, &hash[shared]),
                               many = step_of_pile(&def, 20, shared, &hash[shared]);
        assert_in_range(many.contacts, 4 * PILE, 8 * PILE);
        launches[shared] = many.device.launches - few.device.launches;
        assert_int_equal(launches[shared] % 10, 0);
    }
    assert_true(hash[0] == hash[1]);
    assert_in_range(launches[1], 10, launches[0] / 2);
}

/* Without a tolerance the host waits for the residual before and after each of two passes, and for all that
 * comes back. */
static void waits_are_few(void **state) {
    const scree_world_def def = def_on(state);
    assert_in_range(one_step(&def, 20).device.waits, 1, 5);
}

/* An iteration with momentum is one launch more, for the sum that its restart depends on: a sweep of balls
 * takes the step along. The last third of the iterations goes without. */
static void momentum_is_a_launch_more(void **state) {
    enum { THIRDS = 10 };
    const scree_world_def def = def_on(state);
    int launches[2];
    for (int many = 0; many < 2; ++many) {
        scree_world *world = column(def, 3 * THIRDS * (1 + many));
        scree_solver_def solver = scree_world_get_def(world).solver;
        scree_statistics s;
        solver.method = SCREE_METHOD_ACCELERATED_PGS;
        solver.check_every = 1000;
        CHECK(scree_world_set_solver(world, &solver));
        CHECK(scree_world_step(world, &s));
        launches[many] = s.device.launches;
        scree_world_destroy(world);
    }
    assert_int_equal(launches[1] - launches[0], 2 * THIRDS * 2 + THIRDS);
}

static scree_statistics momentum_step(const scree_world_def *def, int tests, float tolerance) {
    enum { EVERY = 4 };
    scree_world *world = column(*def, tests * EVERY);
    scree_solver_def solver = scree_world_get_def(world).solver;
    scree_statistics s;
    solver.method = SCREE_METHOD_ACCELERATED_PGS;
    solver.check_every = EVERY;
    solver.tolerance = tolerance;
    solver.split.position_tolerance = 0;
    CHECK(scree_world_set_solver(world, &solver));
    CHECK(scree_world_step(world, &s));
    assert_int_equal(s.solve.iterations, tests * EVERY);
    scree_world_destroy(world);
    return s;
}

/* A tolerance that is tested, and never met, costs a wait a test, whose wait brings the momentum's state
 * along: every fourth iteration, the first of which also brings the residual at the start, and one for all that comes
 * back. At rest the position pass tests none. */
static void a_test_is_a_wait(void **state) {
    const scree_world_def def = def_on(state);
    assert_int_equal(momentum_step(&def, 5, 1e-30f).device.waits, 5 + 1);
}

/* Without one a device judges by itself: a wait for what has been found, and one for all that comes back. The
 * report is the same as where each test is waited for. */
static void nobody_waits_without_a_tolerance(void **state) {
    const scree_world_def def = def_on(state);
    scree_device_info device;
    if (!device_describe(&device) || !device.fp64) skip();
    for (int tests = 1; tests <= 9; tests += 4) {
        const scree_statistics few = momentum_step(&def, tests, 0), each = momentum_step(&def, tests, 1e-30f);
        assert_int_equal(few.device.waits, 2);
        assert_true(few.solve.residual_before == each.solve.residual_before);
        assert_true(few.solve.residual == each.solve.residual);
        assert_true(few.solve.residual_absolute == each.solve.residual_absolute);
        assert_true(few.solve.violation == each.solve.violation);
        assert_int_equal(few.solve.restarts, each.solve.restarts);
    }
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

/* Copies that pass through pinned memory leave the same bits, while that memory grows and
 * afterwards. */
static void pinned_copies_leave_the_same_bits(void **state) {
    const scree_world_def def = def_on(state);
    uint64_t hash[2];
    for (int pinned = 0; pinned < 2; ++pinned) {
        opencl_test_hooks.without_staging = !pinned;
        scree_world *world = pile(&def, 10);
        opencl_test_hooks.without_staging = false;
        for (int i = 0; i < 20; ++i) {
            add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0.01f * (float)i, 0, 5 + 0.3f * (float)i},
                     (scree_vec3){0, 0, -1});
            CHECK(scree_world_step(world, NULL));
        }
        hash[pinned] = scree_world_get_hash(world);
        scree_world_destroy(world);
    }
    assert_true(hash[0] == hash[1]);
}

/* Once there is room, what is sent may be written over at once, and what is fetched comes with the wait. */
static void pinned_copies_pass_through_the_room(void **state) {
    enum { NUMBERS = 1000 };
    int sent[NUMBERS], back[NUMBERS] = {0};
    opencl_device device;
    opencl_buffer buffer = {0};
    (void)state;
    if (opencl_device_open(test_device(), &device) != SCREE_OK) skip();
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < NUMBERS; ++i) sent[i] = round + i;
        CHECK(opencl_buffer_write(&device, &buffer, sent, sizeof sent, CL_FALSE, "numbers"));
        if (round > 0) memset(sent, 0, sizeof sent);
        CHECK(opencl_buffer_read(&device, &buffer, back, sizeof back, CL_FALSE, "numbers"));
        if (round > 1) assert_int_equal(back[NUMBERS - 1], round - 1 + NUMBERS - 1);
        CHECK(opencl_device_wait(&device));
        for (int i = 0; i < NUMBERS; ++i) assert_int_equal(back[i], round + i);
        assert_int_equal(device.staging.passed, 2 * sizeof sent * (unsigned)round);
    }
    opencl_buffer_release(&device, &buffer);
    opencl_device_close(&device);
}

/* Arrays of zeros are not uploaded: loads without cohesion, impulses before the first solve. Neither are the
 * split counts, which only mass-split methods use. */
static void zeros_stay_where_they_are(void **state) {
    const scree_world_def def = def_on(state);
    uint64_t up[2][2]; /* pulled or not; the first step and the second */
    for (int cohesive = 0; cohesive < 2; ++cohesive) {
        scree_world *world = column(def, 20);
        for (int step = 0; step < 2; ++step) {
            scree_body_id all[SPHERES + 1];
            scree_statistics s;
            assert_int_equal(scree_body_list(world, all, SPHERES + 1), SPHERES + 1);
            if (cohesive) CHECK(scree_body_apply_force(world, all[SPHERES], (scree_vec3){0, 0, 1e-3f}));
            CHECK(scree_world_step(world, &s));
            assert_int_equal(s.contacts, SPHERES);
            up[cohesive][step] = s.device.bytes_up;
        }
        scree_world_destroy(world);
    }
    for (int step = 0; step < 2; ++step)
        assert_int_equal(up[1][step] - up[0][step], (SPHERES + 1) * sizeof(body_load));
    const uint64_t started = up[0][1] - up[0][0];
    assert_true(started == SPHERES * sizeof(block_impulse) || started == 2 * SPHERES * sizeof(block_impulse));
}

static void shares_go_up_for_mass_splitting(void **state) {
    const scree_world_def def = def_on(state);
    uint64_t up[2];
    for (int split = 0; split < 2; ++split) {
        scree_world *world = column(def, 20);
        scree_solver_def solver = scree_world_get_def(world).solver;
        scree_statistics s;
        solver.method = split ? SCREE_METHOD_JACOBI : SCREE_METHOD_PGS;
        CHECK(scree_world_set_solver(world, &solver));
        CHECK(scree_world_step(world, &s));
        up[split] = s.device.bytes_up;
        scree_world_destroy(world);
    }
    assert_int_equal(up[1] - up[0], (SPHERES + 1) * sizeof(body_split));
}

/* Adds a body of a shape that the device does not test, far from all others. */
static void add_clump(scree_world *world) {
    const scree_clump_sphere spheres[] = {{{-0.05f, 0, 0}, 0.1f}, {{0.05f, 0, 0}, 0.1f}};
    scree_body_def def = scree_default_body_def();
    scree_geometry *clump;
    CHECK(scree_clump_create(spheres, 2, &clump));
    def.shape = scree_shape_clump(clump, 1), def.state.position.z = 100, def.gravity_scale = 0;
    CHECK(scree_body_create(world, &def, NULL));
    scree_geometry_release(clump);
}

/* Where the host tests pairs, a search for them sends a box and a type of each body, the half-space and two
 * counts. It waits for the number of pairs, then for the rows and the pairs. */
static void a_search_for_pairs_is_two_waits(void **state) {
    scree_world_def def = def_on(state);
    scree_statistics s;
    const size_t bodies = SPHERES + 2;
    def.pipeline = SCREE_PIPELINE_DEVICE, def.profile = true;
    scree_world *world = column(def, 20);
    add_clump(world);
    CHECK(scree_world_step(world, NULL)); /* the list of pairs grows */
    CHECK(scree_world_step(world, &s));
    const scree_device_traffic *search = &s.stages[SCREE_STAGE_PAIRS].device;
    assert_non_null(s.contacts_barrier);
    assert_int_equal(
        s.stages[SCREE_STAGE_CONTACTS].device.launches + s.stages[SCREE_STAGE_CONTACTS].device.waits, 0);
    assert_int_equal(search->waits, 2);
    assert_int_equal(search->bytes_up, bodies * (sizeof(bounds) + 1) + sizeof(body_plane) + 8);
    assert_int_equal(search->bytes_down, 8 + 4 * (bodies + 1) + 4 * (size_t)s.pairs);
    assert_in_range(search->launches, 10, 40);
    assert_true(search->launches < s.device.launches && search->waits < s.device.waits);
    assert_true(search->busy > 0 && search->busy < s.device.busy);
    scree_world_destroy(world);
}

enum { CONTACT_COUNTS = 6 * 4 /* bytes of the numbers of contacts that are read back */ };

/* A world that nobody reads and that rests waits for the numbers of its problem, for its solve, and at its end. What it
 * sends and reads does not depend on its size. */
static void a_step_at_rest_has_three_waits(void **state) {
    enum { SETTLED = 40, BYTES = 1024 };
    scree_world_def def = def_on(state);
    scree_statistics s;
    def.pipeline = SCREE_PIPELINE_DEVICE;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < SPHERES; ++i) /* stacks of five */
        add_body(world, scree_shape_sphere(0.1f),
                 (scree_vec3){0.3f * (float)(i / 5), 0, 0.1f + 0.2f * (float)(i % 5)}, (scree_vec3){0});
    for (int i = 0; i < SETTLED; i++) CHECK(scree_world_step(world, &s));
    const scree_stage_report *stages = s.stages;
    assert_null(s.contacts_barrier);
    assert_int_equal(s.contacts, SPHERES);
    assert_true(s.solve.iterations > 0);
    assert_int_equal(s.solve.stop, SCREE_STOP_RESIDUAL);
    assert_in_range(s.device.waits, 1, 3);
    assert_in_range(s.device.bytes_up, 0, BYTES);
    assert_in_range(s.device.bytes_down, 0, BYTES + SPHERES * sizeof(double));
    assert_int_equal(stages[SCREE_STAGE_PAIRS].device.waits + stages[SCREE_STAGE_CONTACTS].device.waits, 0);
    assert_int_equal(stages[SCREE_STAGE_CONTACTS].device.bytes_up, 0);
    scree_world_destroy(world);
}

/* Reading the state costs a wait and its bytes, once. Force on a body is sent as loads, then they are 0 again. */
static void readers_bring_the_bodies_once(void **state) {
    scree_world_def def = def_on(state);
    scree_body_columns columns;
    scree_statistics rest, s;
    def.pipeline = SCREE_PIPELINE_DEVICE;
    scree_world *world = column(def, 20);
    for (int i = 0; i < 4; i++) CHECK(scree_world_step(world, &rest));
    for (int i = 0; i < 2; i++) CHECK(scree_world_get_columns(world, &columns));
    CHECK(scree_world_step(world, &s));
    const size_t state_bytes =
        (SPHERES + 1) * (sizeof(body_pose) + sizeof(body_remainder) + sizeof(body_velocity));
    assert_int_equal(s.device.waits, rest.device.waits + 1);
    assert_int_equal(s.device.bytes_down, rest.device.bytes_down + state_bytes);
    assert_int_equal(s.device.bytes_up, rest.device.bytes_up);
    scree_world_destroy(world);
}

/* Where the host assembles the problem, as with substeps, a search for contacts sends what acted at those of
 * the last step, and reads those of the step: of each pair a head, a tag and a colour, of each point its
 * place, feature, impulse and row. It waits for the numbers of pairs and contacts together, then for the
 * contacts. Nothing is read of pairs but their number. */
static void a_search_for_contacts_is_two_waits(void **state) {
    enum { PAIR_BYTES = 41, ACTION_BYTES = 24, POINT_BYTES = 20 + ACTION_BYTES };
    scree_world_def def = def_on(state);
    scree_statistics last, s;
    def.pipeline = SCREE_PIPELINE_DEVICE, def.profile = true;
    def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SUBSTEP);
    scree_world *world = column(def, 20);
    for (int i = 0; i < 3; i++) CHECK(scree_world_step(world, &last));
    CHECK(scree_world_step(world, &s));
    const scree_device_traffic *pairs = &s.stages[SCREE_STAGE_PAIRS].device,
                               *contacts = &s.stages[SCREE_STAGE_CONTACTS].device;
    const size_t points = (size_t)s.contacts, before = (size_t)last.contacts;
    assert_null(s.contacts_barrier);
    assert_true(last.late == 0 && points > 0 && before > 0);
    assert_int_equal(pairs->waits, 0);
    assert_int_equal(pairs->bytes_down, 0);
    assert_int_equal(contacts->waits, 2);
    assert_int_equal(contacts->bytes_up, before * (ACTION_BYTES + 1)); /* a point and a colour each */
    assert_int_equal(contacts->bytes_down, 8 + CONTACT_COUNTS + points * (PAIR_BYTES + POINT_BYTES));
    assert_int_equal(contacts->launches, 6);
    assert_true(contacts->busy > 0 && contacts->busy + pairs->busy < s.device.busy);
    assert_true(contacts->launches + pairs->launches < s.device.launches);
    scree_world_destroy(world);
}

static void kernels_are_timed_when_asked(void **state) {
    scree_world_def def = def_on(state);
    assert_true(one_step(&def, 20).device.busy == 0);
    def.profile = true;
    const scree_statistics s = one_step(&def, 20);
    assert_true(s.device.busy > 0 && s.device.busy < s.timing.total);
}

/* A step's figures are its own, not those of all steps so far; the first one clears what the others find so.
 */
static void each_step_has_its_own(void **state) {
    const scree_world_def def = def_on(state);
    scree_world *world = column(def, 20);
    scree_statistics first, second, third;
    CHECK(scree_world_step(world, &first));
    CHECK(scree_world_step(world, &second));
    CHECK(scree_world_step(world, &third));
    assert_true(second.device.launches <= first.device.launches);
    assert_int_equal(third.device.launches, second.device.launches);
    assert_int_equal(third.device.waits, second.device.waits);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", native_asks_for_nothing),
        ON("opencl", an_iteration_is_a_launch),
        ON("opencl", colours_share_launches),
        ON("opencl", momentum_is_a_launch_more),
        ON("opencl", waits_are_few),
        ON("opencl", a_test_is_a_wait),
        ON("opencl", nobody_waits_without_a_tolerance),
        ON("opencl", bytes_are_those_of_the_problem),
        ON("opencl", pinned_copies_leave_the_same_bits),
        cmocka_unit_test(pinned_copies_pass_through_the_room),
        ON("opencl", zeros_stay_where_they_are),
        ON("opencl", shares_go_up_for_mass_splitting),
        ON("opencl", a_search_for_pairs_is_two_waits),
        ON("opencl", a_step_at_rest_has_three_waits),
        ON("opencl", readers_bring_the_bodies_once),
        ON("opencl", a_search_for_contacts_is_two_waits),
        ON("opencl", kernels_are_timed_when_asked),
        ON("opencl", each_step_has_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
