/* The methods on layered spheres under gravity from a cold start: number of sweeps to a residual, return of
 * the best iterate, and equal paths on native and OpenCL. */
#include "base/team.h"
#include "device/backend.h"
#include "device.h"
#include "oracle/reference.h"
#include "random_problem.h"
#include "scenery.h"

#include "base/width.h"
#include "eager.h"

#include <limits.h>

enum { LARGEST_EDGE = 24, COLOURS = 12, MOST = 4000 };
enum { MOST_PAIRS = 5 * LARGEST_EDGE * LARGEST_EDGE * LARGEST_EDGE };

static vec3s normalised(vec3s v) { return glms_vec3_scale(v, 1 / glms_vec3_norm(v)); }

/* contacts of sphere b with neighbours below or next to it, n towards b; body 0 is the container */
typedef struct pile {
    int edge;
    random_problem random;
    block_group pairs[MOST_PAIRS];
    vec3s normals[MOST_PAIRS];
    int count;
} pile;

static void touch(pile *self, int a, int b, vec3s normal) {
    self->pairs[self->count] = (block_group){.body_a = a, .body_b = b, .count = 1};
    self->normals[self->count++] = normalised(normal);
}

/* Makes edge³ spheres of radius 1/2 in staggered layers, with 15 % of the contacts missing and perturbed
 * normals. */
static void stack(pile *self) {
    const int edge = self->edge;
    random_problem *random = &self->random;
    for (int z = 0; z < edge; z++)
        for (int y = 0; y < edge; y++)
            for (int x = 0; x < edge; x++) {
                const int b = 1 + x + edge * (y + edge * z), odd = z & 1;
                if (z == 0) touch(self, 0, b, vec3_of(0, 0, 1));
                for (int k = 0; z > 0 && k < 4; k++) {
                    const int dx = (k & 1) - odd, dy = (k >> 1) - odd;
                    if (x + dx < 0 || y + dy < 0 || x + dx >= edge || y + dy >= edge ||
                        random_between(&random->state, 0, 1) < 0.15)
                        continue;
                    const float half = odd ? 0.5f : -0.5f;
                    const vec3s noise = random_vector(&random->state, -0.1, 0.1);
                    touch(self, 1 + x + dx + edge * (y + dy + edge * (z - 1)), b,
                          glms_vec3_add(noise, vec3_of(-((float)dx + half), -((float)dy + half), 0.7071f)));
                }
                if (x == 0) touch(self, 0, b, vec3_of(1, 0, 0));
                if (x == edge - 1) touch(self, 0, b, vec3_of(-1, 0, 0));
                if (y == 0) touch(self, 0, b, vec3_of(0, 1, 0));
                if (y == edge - 1) touch(self, 0, b, vec3_of(0, -1, 0));
            }
}

/* Fills in the contacts as blocks in colour order. */
static void fill_blocks(pile *self) {
    problem *p = &self->random.p;
    const int n = self->count;
    p->groups = memory_allocate((size_t)n, sizeof *p->groups);
    p->pair_group = memory_allocate((size_t)n, sizeof *p->pair_group);
    p->blocks = p->own_blocks = memory_allocate((size_t)n, sizeof *p->blocks);
    p->impulses = memory_allocate((size_t)n, sizeof *p->impulses);
    p->pseudo_impulses = memory_allocate((size_t)n, sizeof *p->pseudo_impulses);
    uint32_t *used = memory_allocate((size_t)p->body_count, sizeof *used);
    int *colours = memory_allocate((size_t)n, sizeof *colours);
    for (int i = 0; i < n; i++)
        colours[i] =
            random_colour(&self->random.bodies, used, self->pairs[i].body_a, self->pairs[i].body_b, COLOURS);
    for (int colour = 0; colour <= COLOURS; colour++) {
        p->colour_first[colour] = p->group_count;
        if (colour == COLOURS) p->remainder_first = p->block_count;
        for (int i = 0; i < n; i++) {
            if (colours[i] != colour) continue;
            const vec3s normal = self->normals[i];
            block_group group = self->pairs[i];
            group.first = p->block_count;
            p->groups[p->group_count++] = group;
            p->blocks[p->block_count++] = (constraint_block){.body_a = group.body_a,
                                                             .body_b = group.body_b,
                                                             .friction = 0.5f,
                                                             .arm_a = glms_vec3_scale(normal, 0.5f),
                                                             .arm_b = glms_vec3_scale(normal, -0.5f),
                                                             .normal = normal,
                                                             .tangent = tangent_of(normal)};
        }
    }
    p->colour_count = COLOURS;
    p->colour_first[COLOURS + 1] = p->group_count;
    memory_release(used);
    memory_release(colours);
}

static pile *make_pile(int edge) {
    pile *self = memory_allocate(1, sizeof *self);
    self->edge = edge;
    random_problem *random = &self->random;
    random->state = 1;
    const int bodies = 1 + edge * edge * edge;
    random->bodies.count = bodies;
    random->bodies.masses = memory_allocate((size_t)bodies, sizeof *random->bodies.masses);
    problem *p = &random->p;
    p->time_step = 1 / 120.0f;
    p->body_count = bodies;
    p->mobility = memory_allocate((size_t)bodies, sizeof *p->mobility);
    p->splits = memory_allocate((size_t)bodies, sizeof *p->splits);
    p->free_velocity = memory_allocate((size_t)bodies, sizeof *p->free_velocity);
    p->velocity = memory_allocate((size_t)bodies, sizeof *p->velocity);
    p->pseudo_velocity = memory_allocate((size_t)bodies, sizeof *p->pseudo_velocity);
    for (int i = 1; i < bodies; i++) {
        random->bodies.masses[i].mass = 1;
        p->mobility[i].inverse_mass = vec3_of(1, 1, 1);
        p->mobility[i].diagonal = vec3_of(10, 10, 10);
        const double x = random_between(&random->state, -0.01, 0.01),
                     y = random_between(&random->state, -0.01, 0.01);
        p->free_velocity[i].linear = vec3_of((float)x, (float)y, -9.81f / 120);
    }
    stack(self);
    fill_blocks(self);
    CHECK(problem_index(p, &random->bodies, 2, NULL));
    return self;
}

static void release_pile(pile *self) {
    random_problem_release(&self->random);
    memory_release(self);
}

static scree_solver_def options_of(scree_method method, scree_law law, float tolerance, int iterations) {
    scree_solver_def options = scree_default_solver_def();
    options.method = method, options.law = law, options.tolerance = tolerance;
    options.iterations = iterations, options.check_every = 1, options.warm_start = false;
    options = scree_solver_def_with_stabilisation(options, SCREE_STABILISATION_BAUMGARTE);
    options.change_tolerance = 1e-30f; /* never reached, so that momentum runs to the end */
    return options;
}

static scree_solve_report solve_with(backend *engine, pile *self, const scree_solver_def *options) {
    scree_solve_report report;
    if (engine->operations->solve(engine, &self->random.p, &(solve_request){.options = options}, &report) !=
            SCREE_OK ||
        engine->operations->fetch(engine, &self->random.p) != SCREE_OK)
        fail_msg("%s", scree_error_get_message());
    return report;
}

static int iterations_to(backend *engine, pile *self, scree_method method, scree_law law, float goal) {
    const scree_solver_def options = options_of(method, law, goal, MOST);
    const scree_solve_report report = solve_with(engine, self, &options);
    /* The reference's independent double-precision residual of the same impulses agrees. */
    reference_error error;
    CHECK(reference_residual(&self->random.p, law, self->random.p.impulses, false, &error));
    if (report.stop == SCREE_STOP_RESIDUAL)
        assert_true(error.measure[SCREE_MEASURE_SCALED] <= (double)goal * 1.05 + 2e-6);
    print_message("%-10s %-20s to %g: %d iterations%s, %d restarts, %d fallbacks\n", scree_law_name(law),
                  scree_method_name(method), (double)goal, report.iterations,
                  report.stop == SCREE_STOP_RESIDUAL ? "" : " (not reached)", report.restarts,
                  report.fallbacks);
    return report.iterations;
}

/* The study's counts for this problem, in construction order and double precision: coloured sweeps in single
 * precision reach them too. The study's accelerated-pgs makes two sweeps per iteration, ours one. */
static void momentum_saves_iterations(void **state) {
    (void)state;
    static const struct {
        scree_law law;
        float goal;
        int plain, pgs, jacobi; /* the latter two accelerated */
    } published[] = {{SCREE_LAW_COULOMB, 1e-3f, 191, 34, 124}, {SCREE_LAW_ASSOCIATED, 1e-3f, 183, 32, 100}};
    backend *engine;
    CHECK(native_create(1, &engine));
    pile *self = make_pile(LARGEST_EDGE);
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const scree_law law = published[i].law;
        const float goal = published[i].goal;
        const int plain = iterations_to(engine, self, SCREE_METHOD_PGS, law, goal);
        const int fast = iterations_to(engine, self, SCREE_METHOD_ACCELERATED_PGS, law, goal);
        ASSERT_AT_MOST(plain, published[i].plain);
        ASSERT_AT_MOST(fast, published[i].pgs);
        assert_true(4 * fast <= plain);
        ASSERT_AT_MOST(iterations_to(engine, self, SCREE_METHOD_ACCELERATED_JACOBI, law, goal),
                       published[i].jacobi);
    }
    release_pile(self);
    engine->operations->destroy(engine);
}

/* More iterations never give a worse result: the best checked iterate is returned. */
static void best_iterate_is_returned(void **state) {
    (void)state;
    backend *engine;
    CHECK(native_create(1, &engine));
    pile *self = make_pile(10);
    static const scree_method methods[] = {SCREE_METHOD_ACCELERATED_PGS, SCREE_METHOD_ACCELERATED_JACOBI};
    for (int m = 0; m < 2; m++) {
        double last = INFINITY;
        for (int iterations = 1; iterations <= 60; iterations += 3) {
            const scree_solver_def options = options_of(methods[m], SCREE_LAW_COULOMB, 1e-9f, iterations);
            const scree_solve_report report = solve_with(engine, self, &options);
            reference_error error;
            CHECK(reference_residual(&self->random.p, SCREE_LAW_COULOMB, self->random.p.impulses, false,
                                     &error));
            assert_true(fabs(error.measure[SCREE_MEASURE_SCALED] - report.residual) <=
                        1e-2 * report.residual + 2e-6);
            assert_true(report.residual <= last);
            last = report.residual;
        }
        assert_true(last < 1e-2);
    }
    release_pile(self);
    engine->operations->destroy(engine);
}

/* Every bit of 200 iterations with momentum restarts. */
static void native_and_opencl_iterate_identically(void **state) {
    (void)state;
    backend *native, *device;
    if (!device_is_there()) skip();
    CHECK(opencl_create(test_device(), &device));
    CHECK(native_create(2, &native));
    static const scree_method methods[] = {SCREE_METHOD_ACCELERATED_PGS, SCREE_METHOD_ACCELERATED_JACOBI};
    for (int m = 0; m < 2; m++) {
        pile *a = make_pile(10), *b = make_pile(10);
        scree_solver_def options = options_of(methods[m], SCREE_LAW_COULOMB, 0, 200);
        options.check_every = 10;
        const scree_solve_report of_native = solve_with(native, a, &options),
                                 of_device = solve_with(device, b, &options);
        if (device_has_native_bits()) {
            assert_memory_equal(a->random.p.impulses, b->random.p.impulses,
                                sizeof(block_impulse) * (size_t)a->random.p.block_count);
            assert_true(of_native.residual == of_device.residual);
            assert_int_equal(of_native.restarts, of_device.restarts);
            assert_int_equal(of_native.fallbacks, of_device.fallbacks);
        } else {
            /* After 200 iterations round-off has led to another iterate with a residual of similar size. */
            ASSERT_NEAR(log10(of_device.residual), log10(of_native.residual), 0.1);
        }
        print_message("%s: %d restarts, %d fallbacks, residual %g\n", scree_method_name(methods[m]),
                      of_native.restarts, of_native.fallbacks, of_native.residual);
        assert_true(of_native.restarts > 0);
        release_pile(a);
        release_pile(b);
    }
    native->operations->destroy(native);
    device->operations->destroy(device);
}

/* A block's offset in floats is an int in every lane. */
static void more_contacts_than_an_int_indexes_are_rejected(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    backend *engine = NULL;
    scree_solve_report report;
    problem p = {.block_count = INT_MAX / 24 + 1}; /* a block has 24 floats */
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 1, def.solver.warm_start = true;
    setenv("SCREE_WIDTH", "8", 1);
    if (width_choose() == 1) skip();
    CHECK(backend_create(&def, &engine));
    assert_int_equal(engine->operations->solve(engine, &p, &(solve_request){.options = &def.solver}, &report),
                     SCREE_ERROR_CAPACITY);
    assert_non_null(strstr(scree_error_get_message(), "contacts"));
    engine->operations->destroy(engine);
    unsetenv("SCREE_WIDTH");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_contacts_than_an_int_indexes_are_rejected),
        cmocka_unit_test(momentum_saves_iterations),
        cmocka_unit_test(best_iterate_is_returned),
        cmocka_unit_test(native_and_opencl_iterate_identically),
    };
    team *helpers = team_create(7, NULL);
    team_lead(helpers);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    team_destroy(helpers);
    return failed;
}
