/* The OpenCL backend against the native one: the same problem, launch by launch and as a whole, to the last
 * bit. On a device that rounds differently (a GPU without correctly rounded division, say) the same
 * comparisons hold to a tolerance instead. With --small as argument: problems small enough for a simulator;
 * with --once: only one test of them.
 */
#include "expect.h"
#include "device/backend.h"
#include "device/opencl/opencl_backend.h"
#include "device.h"
#include "solve/executor.h"
#include "joint_scenery.h"
#include "random_problem.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

static int body_total = 600, group_total = 1500, iterations = 6;
static bool simulated; /* in a simulator of devices every method and every law, but not each with each */
static bool exact;     /* bits or a tolerance */

static const motion_parameters motion = {.gravity = {0, 0, -9.81f}, .time_step = 1 / 120.0f};

/* Two copies of one problem, each on its own backend. */
typedef struct pair {
    random_problem native, device;
    backend *native_backend, *device_backend;
} pair;

static void make_pair(pair *self, uint64_t seed, int colours) {
    CHECK(random_problem_make(&self->native, seed, body_total, group_total, colours));
    CHECK(random_problem_make(&self->device, seed, body_total, group_total, colours));
    if (seed % 2) random_resistances(&self->native), random_resistances(&self->device);
    if (seed % 3 == 1) random_bounded(&self->native), random_bounded(&self->device);
    CHECK(problem_validate(&self->native.p, &self->native.bodies));
    CHECK(native_create(2, &self->native_backend));
    const scree_result result = opencl_create(test_device(), &self->device_backend);
    if (result != SCREE_OK) fail_msg("%s", scree_error_get_message());
}

static void release_pair(pair *self) {
    self->native_backend->operations->destroy(self->native_backend);
    self->device_backend->operations->destroy(self->device_backend);
    random_problem_release(&self->native);
    random_problem_release(&self->device);
}

/* Equal bits; on inexact devices equal to 1e-4 of the array's largest entry. `floats` must hold only floats.
 */
static void expect_equal(const void *a, const void *b, size_t bytes, const char *what) {
    if (exact) {
        if (memcmp(a, b, bytes) != 0) {
            for (size_t i = 0; i < bytes / 4; i++)
                if (memcmp((const char *)a + 4 * i, (const char *)b + 4 * i, 4) != 0)
                    fail_msg("%s differ at word %zu: native %.9g, device %.9g", what, i,
                             (double)((const float *)a)[i], (double)((const float *)b)[i]);
        }
        return;
    }
    const float *x = a, *y = b;
    double largest = 0, difference = 0;
    for (size_t i = 0; i < bytes / sizeof *x; i++) {
        largest = fmax(largest, fabs((double)x[i]));
        difference = fmax(difference, fabs((double)x[i] - (double)y[i]));
    }
    if (!(difference <= 1e-4 * largest)) fail_msg("%s differ by %g of %g", what, difference, largest);
}

#define EXPECT_ARRAYS_EQUAL(self, items, count)                                                              \
    expect_equal((self)->native.p.items, (self)->device.p.items,                                             \
                 (size_t)(count) * sizeof *(self)->native.p.items, #items)

/* Compares the six components of each velocity; reserved fields may differ. */
static void expect_velocities_equal(const body_velocity *a, const body_velocity *b, int count,
                                    const char *what) {
    const body_velocity *of[2] = {a, b};
    float *words[2];
    for (int side = 0; side < 2; side++) {
        words[side] = calloc((size_t)count, 6 * sizeof(float));
        assert_non_null(words[side]);
        for (int i = 0; i < count; i++) {
            memcpy(words[side] + 6 * i, &of[side][i].linear, 3 * sizeof(float));
            memcpy(words[side] + 6 * i + 3, &of[side][i].angular, 3 * sizeof(float));
        }
    }
    expect_equal(words[0], words[1], (size_t)count * 6 * sizeof(float), what);
    free(words[0]);
    free(words[1]);
}

static void predict_both(pair *self) {
    CHECK(self->native_backend->operations->predict(self->native_backend, &self->native.bodies, motion,
                                                    &self->native.p));
    CHECK(self->device_backend->operations->predict(self->device_backend, &self->device.bodies, motion,
                                                    &self->device.p));
}

static void fetch_and_compare(pair *self) {
    const int bodies = self->native.p.body_count, blocks = self->native.p.block_count;
    CHECK(self->native_backend->operations->fetch(self->native_backend, &self->native.p));
    CHECK(self->device_backend->operations->fetch(self->device_backend, &self->device.p));
    EXPECT_ARRAYS_EQUAL(self, mobility, bodies);
    EXPECT_ARRAYS_EQUAL(self, free_velocity, bodies);
    expect_velocities_equal(self->native.p.velocity, self->device.p.velocity, bodies, "velocity");
    expect_velocities_equal(self->native.p.pseudo_velocity, self->device.p.pseudo_velocity, bodies,
                            "pseudo_velocity");
    EXPECT_ARRAYS_EQUAL(self, impulses, blocks);
    EXPECT_ARRAYS_EQUAL(self, pseudo_impulses, blocks);
    for (int i = 0; i < bodies; i++) assert_true(isfinite(self->native.p.velocity[i].linear.x));
}

static void predictions_are_equal(void **state) {
    (void)state;
    pair self;
    make_pair(&self, 1, 8);
    predict_both(&self);
    fetch_and_compare(&self);
    /* Something happened: a free dynamic body falls. */
    assert_true(self.native.p.free_velocity[2].linear.z != self.native.bodies.velocities[2].linear.z);
    release_pair(&self);
}

static void expect_sums_equal(const residual_sum *a, const residual_sum *b) {
    const double x[] = {a->map, a->impulse, a->drive, a->change, a->max_map};
    const double y[] = {b->map, b->impulse, b->drive, b->change, b->max_map};
    for (int i = 0; i < 5; i++) {
        if (exact) assert_true(x[i] == y[i]);
        assert_true(fabs(x[i] - y[i]) <= 1e-3 * x[i]);
    }
}

/* The launches of both, in the same order. After each the results are brought back and compared. */
#define BOTH(call, ...)                                                                                      \
    do {                                                                                                     \
        assert_int_equal(native->operations->call(native __VA_OPT__(, ) __VA_ARGS__), SCREE_OK);             \
        assert_int_equal(device->operations->call(device __VA_OPT__(, ) __VA_ARGS__), SCREE_OK);             \
    } while (0)

static void compare_launch(pair *self, executor *native, executor *device, solve_parameters parameters) {
    BOTH(end, parameters);
    fetch_and_compare(self);
}

static void compare_launches(pair *self, solve_parameters parameters) {
    executor *native = native_executor(self->native_backend), *device = opencl_executor(self->device_backend);
    const problem *p = &self->native.p;
    residual_sum of_native, of_device;
    for (int pass = 0; pass <= parameters.position_pass; pass++) {
        solve_parameters of_pass = parameters;
        of_pass.position_pass = pass;
        CHECK(native->operations->begin(native, &self->native.p, of_pass));
        CHECK(device->operations->begin(device, &self->device.p, of_pass));
        if (pass == parameters.position_pass) break;
        BOTH(gather, of_pass);
        BOTH(end, of_pass);
    }
    BOTH(gather, parameters);
    compare_launch(self, native, device, parameters);
    for (int colour = 0; colour < p->colour_count; colour++) {
        const int first = p->colour_first[colour], count = p->colour_first[colour + 1] - first;
        BOTH(sweep, first, count, parameters);
        compare_launch(self, native, device, parameters);
    }
    BOTH(keep);
    for (int split = 1; split <= 2; split++) {
        parameters.split = split;
        const int first = split == 2 ? p->remainder_first : 0;
        BOTH(update, first, p->block_count - first, parameters);
        compare_launch(self, native, device, parameters);
        if (split == 2) {
            BOTH(gather_remainder, parameters);
            compare_launch(self, native, device, parameters);
        }
        BOTH(gather, parameters);
        compare_launch(self, native, device, parameters);
        CHECK(native->operations->residual(native, parameters, &of_native));
        CHECK(device->operations->residual(device, parameters, &of_device));
        expect_sums_equal(&of_native, &of_device);
        assert_true(of_native.impulse > 0 && of_native.change > 0);
    }
}

static void launches_are_equal(void **state) {
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; law++)
        for (int pass = 0; pass < 2; pass++) {
            if (simulated && law > 1 && pass != law % 2) continue;
            pair self;
            make_pair(&self, 100 + (uint64_t)law, 5);
            assert_true(self.native.p.remainder_first < self.native.p.block_count);
            predict_both(&self);
            compare_launches(
                &self, (solve_parameters){.law = law, .position_pass = pass, .relaxation = pass ? 1 : 1.3f});
            release_pair(&self);
        }
}

static void expect_reports_equal(const scree_solve_report *a, const scree_solve_report *b) {
    if (!exact) {
        assert_true(fabs(a->residual_before - b->residual_before) <= 1e-3 * a->residual_before);
        return;
    }
    assert_int_equal(a->iterations, b->iterations);
    assert_int_equal(a->stop, b->stop);
    assert_true(a->residual_before == b->residual_before);
    assert_true(a->residual == b->residual);
    assert_true(a->residual_absolute == b->residual_absolute);
    assert_true(a->change == b->change);
    assert_int_equal(a->restarts, b->restarts);
    assert_int_equal(a->fallbacks, b->fallbacks);
}

static scree_solve_report solve_and_compare(pair *self, const scree_solver_def *options) {
    scree_solve_report of_native, of_device;
    predict_both(self);
    CHECK(self->native_backend->operations->solve(self->native_backend, &self->native.p,
                                                  &(solve_request){.options = options}, &of_native));
    CHECK(self->device_backend->operations->solve(self->device_backend, &self->device.p,
                                                  &(solve_request){.options = options}, &of_device));
    expect_reports_equal(&of_native, &of_device);
    const size_t count = (size_t)self->native.bodies.count;
    body_pose *poses = memory_allocate(2 * count, sizeof *poses);
    body_remainder *remainders = memory_allocate(2 * count, sizeof *remainders);
    body_velocity *velocities = memory_allocate(2 * count, sizeof *velocities);
    /* Once with the solution still on the device, and once brought back. */
    for (int fetched = 0; fetched < 2; fetched++) {
        CHECK(self->native_backend->operations->integrate(self->native_backend, &self->native.bodies,
                                                          &self->native.p, motion, poses, remainders,
                                                          velocities));
        CHECK(self->device_backend->operations->integrate(self->device_backend, &self->device.bodies,
                                                          &self->device.p, motion, poses + count,
                                                          remainders + count, velocities + count));
        expect_equal(poses, poses + count, count * sizeof *poses, "poses");
        if (exact) expect_equal(remainders, remainders + count, count * sizeof *remainders, "remainders");
        expect_equal(velocities, velocities + count, count * sizeof *velocities, "velocities");
        fetch_and_compare(self);
    }
    memory_release(poses);
    memory_release(remainders);
    memory_release(velocities);
    return of_device;
}

/* With and without colours that share launches; with sums as for few chunks, and for many. */
static void solutions_are_equal(void **state) {
    (void)state;
    const scree_stabilisation stabilisations[] = {SCREE_STABILISATION_BAUMGARTE, SCREE_STABILISATION_SPLIT};
    uint64_t seed = 200;
    for (int method = 0; method < SCREE_METHOD_COUNT; method++)
        for (int law = 0; law < SCREE_LAW_COUNT; law++)
            for (int s = 0; s < 2; s++) {
                /* In a simulator each law has a method of each kind of sweep, and one scheme. */
                if (simulated && (s != (method + law) % 2 || (method + law / 2) % 2)) continue;
                const scree_solver_def options = {.method = (scree_method)method,
                                                  .law = (scree_law)law,
                                                  .iterations = iterations,
                                                  .tolerance = 1e-30f, /* tested, never met */
                                                  .change_tolerance = 1e-30f,
                                                  .check_every = 2,
                                                  .relaxation = method == SCREE_METHOD_PGS && s ? 1.2f : 1,
                                                  .warm_start = s == 0,
                                                  .stabilisation = stabilisations[s]};
                pair self;
                opencl_test_hooks.separate_colours = (s + law) % 2 == 0;
                make_pair(&self, seed++, 6);
                opencl_test_hooks.separate_colours = false;
                if ((s + law) % 2) ((opencl_backend *)self.device_backend)->few_chunks = 0;
                const scree_solve_report report = solve_and_compare(&self, &options);
                if (report.iterations != iterations || !(report.change > 0))
                    fail_msg("%s, %s, %d: %d iterations, stopped by %s, residual %g -> %g, change %g",
                             scree_method_name(options.method), scree_law_name(options.law), s,
                             report.iterations, scree_stop_name(report.stop), report.residual_before,
                             report.residual, report.change);
                release_pair(&self);
            }
}

/* -- Groups of contacts alone -------------------------------------------------------------- */

enum { MOST_CONTACTS = 6 };

/* Makes groups of 1 to 6 contacts with surface velocities, which manifolds.cl sweeps. */
static void make_contacts(pair *self, uint64_t seed) {
    random_problem *const problems[2] = {&self->native, &self->device};
    for (int i = 0; i < 2; i++) {
        CHECK(random_problem_of_groups(problems[i], seed, body_total, group_total, 6, MOST_CONTACTS));
        random_slips(problems[i]);
    }
    CHECK(native_create(2, &self->native_backend));
    CHECK(opencl_create(test_device(), &self->device_backend));
}

static void expect_program(const pair *self, int law, bool relaxed) {
    const opencl_backend *used = (const opencl_backend *)self->device_backend;
    assert_null(used->programs[PROGRAM_sweep]);
    assert_non_null(used->programs[PROGRAM_COUNT + LAW_PROGRAMS + 2 * law + relaxed]);
}

/* Each colour has a launch of its own. */
static void contacts_are_swept_alike(void **state) {
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; law++)
        for (int pass = 0; pass < 2; pass++) {
            const int sweeps = law % 2 ? 5 : 4;
            pair self;
            make_contacts(&self, 950 + 2 * (uint64_t)law);
            predict_both(&self);
            compare_launches(&self, (solve_parameters){.law = law,
                                                       .position_pass = pass,
                                                       .relaxation = law < 2 ? 1 : 1.3f,
                                                       .local_sweeps = sweeps,
                                                       .backward = (law + pass) % 2});
            expect_program(&self, pass ? SWEEP_LAW_POSITIONS : law, law >= 2);
            release_pair(&self);
        }
}

/* Colours share launches. */
static void bundles_of_contacts_are_swept_alike(void **state) {
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; law++) {
        const scree_solver_def options = {.method = law % 2 ? SCREE_METHOD_PGS : SCREE_METHOD_ACCELERATED_PGS,
                                          .law = (scree_law)law,
                                          .iterations = iterations,
                                          .check_every = 2,
                                          .relaxation = 1,
                                          .local_sweeps = 4,
                                          .stabilisation = SCREE_STABILISATION_SPLIT};
        pair self;
        make_contacts(&self, 970 + (uint64_t)law);
        solve_and_compare(&self, &options);
        expect_program(&self, law, false);
        release_pair(&self);
    }
}

/* Without tolerances a device judges its tests by itself, also those that lead back to the best iterate. */
static void tests_are_judged_alike(void **state) {
    (void)state;
    int fallbacks = 0;
    for (int i = 0; i < 8; i++) {
        const scree_solver_def options = {.method = i % 2 ? SCREE_METHOD_ACCELERATED_JACOBI
                                                          : SCREE_METHOD_ACCELERATED_PGS,
                                          .law = i % 4 < 2 ? SCREE_LAW_COULOMB : SCREE_LAW_ASSOCIATED,
                                          .iterations = 100,
                                          .check_every = 3 + i,
                                          .relaxation = i % 2 ? 1 : 1.9f, /* momentum fails */
                                          .warm_start = true};
        pair self;
        make_pair(&self, 700 + (uint64_t)i, 6);
        const scree_solve_report report = solve_and_compare(&self, &options);
        assert_int_equal(report.iterations, 100);
        fallbacks += report.fallbacks;
        release_pair(&self);
    }
    print_message("%d fallbacks\n", fallbacks);
    assert_true(fallbacks > 0);
}

/* Colours share launches, and copies pass through pinned memory, on every device. */
static void launches_are_shared_and_copies_staged(void **state) {
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; law++) {
        const scree_solver_def options = {.method = SCREE_METHOD_ACCELERATED_PGS,
                                          .law = (scree_law)law,
                                          .iterations = iterations,
                                          .check_every = 2,
                                          .relaxation = 1,
                                          .stabilisation = SCREE_STABILISATION_SPLIT};
        pair self;
        make_pair(&self, 800 + (uint64_t)law, PROBLEM_COLOURS);
        const opencl_backend *used = (const opencl_backend *)self.device_backend;
        solve_and_compare(&self, &options);
        assert_true(used->device.staging.on);
        assert_in_range(used->plan.launch_count, 1, self.native.p.colour_count - 1);
        release_pair(&self);
    }
}

/* A device without double precision adds its sums up in single: impulses of plain sweeps are the same, since
 * no residual decides about them, and residuals are right to the rounding of a sum of thousands. */
static void sums_need_no_double_precision(void **state) {
    (void)state;
    const scree_solver_def options = {
        .method = SCREE_METHOD_PGS, .iterations = iterations, .check_every = 2, .relaxation = 1};
    scree_solve_report reports[2];
    pair self;
    opencl_test_hooks.without_double = true;
    make_pair(&self, 900, 6);
    opencl_test_hooks.without_double = false;
    assert_false(((opencl_backend *)self.device_backend)->device.info.fp64);
    predict_both(&self);
    CHECK(self.native_backend->operations->solve(self.native_backend, &self.native.p,
                                                 &(solve_request){.options = &options}, &reports[0]));
    CHECK(self.device_backend->operations->solve(self.device_backend, &self.device.p,
                                                 &(solve_request){.options = &options}, &reports[1]));
    fetch_and_compare(&self);
    assert_int_equal(reports[0].iterations, reports[1].iterations);
    const double of_native[] = {reports[0].residual_before, reports[0].residual,
                                reports[0].residual_absolute},
                 of_device[] = {reports[1].residual_before, reports[1].residual,
                                reports[1].residual_absolute};
    for (int i = 0; i < 3; i++) {
        assert_true(of_native[i] > 0);
        assert_true(fabs(of_device[i] - of_native[i]) <= (exact ? 1e-5 : 1e-3) * of_native[i]);
    }
    release_pair(&self);
}

/* One backend used for problems that grow and shrink, as in a run. */
static void backend_serves_changing_sizes(void **state) {
    (void)state;
    const scree_solver_def options = {
        .method = SCREE_METHOD_PGS, .iterations = 2, .check_every = 1, .relaxation = 1};
    const int sizes[][2] = {
        {0, 0}, {5, 0}, {body_total / 4, body_total / 2}, {3, 1}, {body_total, group_total}};
    backend *native_backend = NULL, *device_backend = NULL;
    CHECK(native_create(1, &native_backend));
    CHECK(opencl_create(test_device(), &device_backend));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pair self = {.native_backend = native_backend, .device_backend = device_backend};
        CHECK(random_problem_make(&self.native, i, sizes[i][0], sizes[i][1], 3));
        CHECK(random_problem_make(&self.device, i, sizes[i][0], sizes[i][1], 3));
        const scree_solve_report report = solve_and_compare(&self, &options);
        assert_int_equal(report.stop, sizes[i][1] ? SCREE_STOP_ITERATIONS : SCREE_STOP_NONE);
        random_problem_release(&self.native);
        random_problem_release(&self.device);
    }
    native_backend->operations->destroy(native_backend);
    device_backend->operations->destroy(device_backend);
}

/* A problem that another backend predicted is taken from the host. */
static void host_problem_is_taken(void **state) {
    (void)state;
    const scree_solver_def options = {
        .method = SCREE_METHOD_JACOBI, .iterations = 3, .check_every = 1, .relaxation = 1};
    pair self;
    make_pair(&self, 300, 6);
    scree_solve_report of_native, of_device;
    backend *native = self.native_backend, *device = self.device_backend;
    CHECK(native->operations->predict(native, &self.native.bodies, motion, &self.native.p));
    CHECK(native->operations->predict(native, &self.device.bodies, motion, &self.device.p));
    CHECK(
        native->operations->solve(native, &self.native.p, &(solve_request){.options = &options}, &of_native));
    CHECK(
        device->operations->solve(device, &self.device.p, &(solve_request){.options = &options}, &of_device));
    expect_reports_equal(&of_native, &of_device);
    fetch_and_compare(&self);
    release_pair(&self);
}

/* A small pile of spheres and boxes on a floor. */
static scree_world *falling_pile(const scree_world_def *def) {
    scree_world *world = world_of(def);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.type = SCREE_BODY_STATIC;
    body.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &body, &id));
    for (int i = 0; i < 60; i++) {
        body = scree_default_body_def();
        body.shape =
            i % 3 ? scree_shape_sphere(0.1f + 0.0003f * (float)i) : scree_shape_box(0.1f, 0.08f, 0.12f);
        body.state.position = (scree_vec3){0.25f * (float)(i % 4) + 0.01f * (float)(i % 7),
                                           0.25f * (float)(i / 4 % 4), 0.3f + 0.3f * (float)(i / 16)};
        body.state.angular_velocity = (scree_vec3){(float)(i % 4), 1, 2};
        CHECK(scree_body_create(world, &body, &id));
    }
    return world;
}

/* From free fall to rest: after every one of 500 steps the complete states have the same hash. */
static void worlds_stay_equal(void **state) {
    (void)state;
    if (!exact) skip(); /* rounding differences grow: a pile is chaotic */
    for (int variant = 0; variant < 2; variant++) {
        scree_world_def def = scree_default_world_def();
        def.threads = 1;
        def.solver.iterations = 15;
        if (variant) {
            def.solver.law = SCREE_LAW_PYRAMID;
            def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SPLIT);
            def.solver.colours = 4; /* leaves a tail */
        }
        def.backend = SCREE_BACKEND_NATIVE;
        scree_world *native = falling_pile(&def);
        def.backend = SCREE_BACKEND_OPENCL;
        def.device = test_device();
        scree_world *device = falling_pile(&def);
        scree_statistics statistics;
        int contacts = 0;
        for (int step = 1; step <= 500; step++) {
            CHECK(scree_world_step(native, NULL));
            CHECK(scree_world_step(device, &statistics));
            if (scree_world_get_hash(native) != scree_world_get_hash(device))
                fail_msg("states differ after step %d", step);
            contacts += statistics.contacts;
        }
        assert_true(contacts > 500 * 60);
        scree_world_destroy(native);
        scree_world_destroy(device);
    }
}

/* Trees of joints above and on a floor. */
static void trees_are_equal(void **state) {
    (void)state;
    uint64_t hashes[2];
    for (int device = 0; device < 2; device++) {
        scree_world_def def = scree_default_world_def();
        scree_body_id bodies[CREATURE_BODIES];
        def.threads = 1;
        def.solver.direct_joints = true, def.solver.iterations = iterations;
        def.backend = device ? SCREE_BACKEND_OPENCL : SCREE_BACKEND_NATIVE, def.device = test_device();
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        for (int i = 0; i < 2; i++) add_creature(world, 0.09f + 0.5f * (float)i, bodies);
        for (int step = 0; step < 2; step++) CHECK(scree_world_step(world, NULL));
        hashes[device] = scree_world_get_hash(world);
        scree_world_destroy(world);
    }
    if (exact) assert_true(hashes[0] == hashes[1]);
}

/* Kernels from a folder are the same program as those in the library. */
static void kernels_come_from_a_folder(void **state) {
    (void)state;
    backend *device = NULL;
    setenv("SCREE_KERNEL_DIR", SCREE_SOURCE_DIR "/kernels", 1);
    CHECK(opencl_create(test_device(), &device));
    device->operations->destroy(device);
    setenv("SCREE_KERNEL_DIR", "/nonexistent", 1);
    assert_int_not_equal(opencl_create(test_device(), &device), SCREE_OK);
    assert_non_null(strstr(scree_error_get_message(), "/nonexistent"));
    unsetenv("SCREE_KERNEL_DIR");
}

/* Too little device memory for the blocks: a clear error, and everything that the caller sees is as before.
 */
static void memory_failure_leaves_the_problem(void **state) {
    (void)state;
    const scree_solver_def options = {
        .method = SCREE_METHOD_PGS, .iterations = 2, .check_every = 1, .relaxation = 1, .warm_start = true};
    random_problem random;
    CHECK(random_problem_make(&random, 400, body_total, group_total, 6));
    problem *p = &random.p;
    const size_t blocks = (size_t)p->block_count;
    char limit[32];
    snprintf(limit, sizeof limit, "%zu", (size_t)body_total * 320 + blocks * sizeof *p->blocks / 2);
    setenv("SCREE_DEVICE_MEMORY_LIMIT", limit, 1);
    backend *device = NULL;
    CHECK(opencl_create(test_device(), &device));
    unsetenv("SCREE_DEVICE_MEMORY_LIMIT");
    block_impulse *before = memory_allocate(blocks, sizeof *before);
    memcpy(before, p->impulses, blocks * sizeof *before);
    scree_solve_report report;
    CHECK(device->operations->predict(device, &random.bodies, motion, p));
    assert_int_equal(device->operations->solve(device, p, &(solve_request){.options = &options}, &report),
                     SCREE_ERROR_DEVICE_MEMORY);
    assert_non_null(strstr(scree_error_get_message(), "blocks"));
    assert_memory_equal(before, p->impulses, blocks * sizeof *before);
    /* A smaller problem still goes through. */
    random_problem smaller;
    CHECK(random_problem_make(&smaller, 401, 20, 10, 6));
    CHECK(device->operations->predict(device, &smaller.bodies, motion, &smaller.p));
    CHECK(device->operations->solve(device, &smaller.p, &(solve_request){.options = &options}, &report));
    device->operations->destroy(device);
    memory_release(before);
    random_problem_release(&random);
    random_problem_release(&smaller);
}

int main(int count, char **arguments) {
    const bool once = count == 2 && strcmp(arguments[1], "--once") == 0;
    simulated = once || (count == 2 && strcmp(arguments[1], "--small") == 0);
    if (simulated) body_total = 24, group_total = 60, iterations = 2;
    if (!device_is_there()) {
        printf("1..0 # SKIP %s\n", scree_error_get_message());
        return 77;
    }
    exact = device_has_native_bits();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(predictions_are_equal),
        cmocka_unit_test(launches_are_equal),
        cmocka_unit_test(contacts_are_swept_alike),
        cmocka_unit_test(bundles_of_contacts_are_swept_alike),
        cmocka_unit_test(solutions_are_equal),
        cmocka_unit_test(backend_serves_changing_sizes),
        cmocka_unit_test(host_problem_is_taken),
        cmocka_unit_test(memory_failure_leaves_the_problem),
        cmocka_unit_test(kernels_come_from_a_folder),
        cmocka_unit_test(trees_are_equal),
        cmocka_unit_test(launches_are_shared_and_copies_staged),
        cmocka_unit_test(sums_need_no_double_precision),
    };
    const struct CMUnitTest runs[] = {cmocka_unit_test(tests_are_judged_alike),
                                      cmocka_unit_test(worlds_stay_equal)};
    const struct CMUnitTest first[] = {cmocka_unit_test(launches_are_equal)};
    if (once) return cmocka_run_group_tests(first, NULL, NULL);
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    if (count == 1) failures += cmocka_run_group_tests(runs, NULL, NULL);
    return failures;
}
