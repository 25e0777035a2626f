/* Sweeps and free motion at every vector width of the processor, on any number of threads: the bits of a run,
 * and of the problem that it leaves, are those of width 1 on one thread. */
#include "device/native/native_state.h"
#include "device.h"
#include "scenery.h"

#include "problem/contact_problem.h"
#include "step/world.h"

typedef struct wide_case {
    const char *scene; /* file below the checkout */
    int steps;
    scree_method method;
    scree_law law;
    scree_stabilisation stabilisation;
    float relaxation;
    int colours;
} wide_case;

/* Spheres, randomly landing boxes, a wall of boxes, and both; groups of various point counts, with and
 * without resistances; walls, restitution, rolling friction; momentum, plain sweeps, over-relaxation, soft
 * contacts, every law; an uncoloured remainder. */
static const wide_case cases[] = {
    {"bench/scenes/A1000.json", 12, SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB,
     SCREE_STABILISATION_SPLIT, 1, 32},
    {"bench/scenes/B1000.json", 30, SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB,
     SCREE_STABILISATION_SPLIT, 1, 32},
    {"bench/scenes/C20.json", 3, SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_SPLIT,
     1, 32},
    {"tests/data/mixed.json", 60, SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_SPLIT,
     1, 32},
    {"tests/data/mixed.json", 60, SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_SPLIT,
     1, 2},
    {"tests/data/mixed.json", 60, SCREE_METHOD_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_SOFT, 1.3f, 32},
    {"tests/data/mixed.json", 60, SCREE_METHOD_PGS, SCREE_LAW_PYRAMID, SCREE_STABILISATION_BAUMGARTE, 1, 32},
    {"tests/data/mixed.json", 60, SCREE_METHOD_PGS, SCREE_LAW_RADIAL, SCREE_STABILISATION_SPLIT, 0.8f, 32},
    {"tests/data/mixed.json", 60, SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_ASSOCIATED,
     SCREE_STABILISATION_SPLIT, 1, 32},
    {"tests/data/mixed.json", 60, SCREE_METHOD_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_RELAXED, 1, 32},
    {"tests/data/mixed.json", 60, SCREE_METHOD_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_SUBSTEP, 1, 32},
    {"tests/data/groups.json", 110, SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB,
     SCREE_STABILISATION_SPLIT, 1, 32},
    {"tests/data/groups.json", 90, SCREE_METHOD_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_SOFT, 1.3f, 3},
    {"tests/data/groups.json", 90, SCREE_METHOD_PGS, SCREE_LAW_PYRAMID, SCREE_STABILISATION_BAUMGARTE, 1, 32},
    {"tests/data/groups.json", 90, SCREE_METHOD_PGS, SCREE_LAW_RADIAL, SCREE_STABILISATION_SPLIT, 0.8f, 32},
};
enum { CASES = sizeof cases / sizeof cases[0] };

/* Every fourth case suffices under a sanitizer. */
static int few(void) { return getenv("SCREE_TEST_SHORT") ? 4 : 1; }

static uint64_t hash_of(const wide_case *c, scree_backend_kind kind, const char *width, int threads) {
    scree_scene *scene = scene_of(c->scene);
    setenv("SCREE_WIDTH", width, 1);
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = kind, def.device = test_device();
    def.threads = threads;
    def.solver.method = c->method;
    def.solver.law = c->law;
    def.solver = scree_solver_def_with_stabilisation(def.solver, c->stabilisation);
    def.solver.relaxation = c->relaxation;
    def.solver.colours = c->colours;
    const uint64_t hash = scene_hash(scene, &def, c->steps);
    scree_scene_destroy(scene);
    unsetenv("SCREE_WIDTH");
    return hash;
}

#define NATIVE SCREE_BACKEND_NATIVE
/* Returns the hash of a case at width 1 on one thread. */
static uint64_t narrow_hash(int i) {
    static uint64_t known[CASES];
    if (!known[i]) known[i] = hash_of(&cases[i], NATIVE, "1", 1);
    return known[i];
}

static void widths_and_threads_have_the_same_bits(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i += few()) {
        const uint64_t one = narrow_hash(i);
        if (hash_of(&cases[i], NATIVE, "4", 2) != one) fail_msg("case %d at width 4 on two threads", i);
        if (hash_of(&cases[i], NATIVE, "8", 1) != one) fail_msg("case %d at width 8", i);
        if (hash_of(&cases[i], NATIVE, "16", 1) != one) fail_msg("case %d at width 16", i);
        if (hash_of(&cases[i], NATIVE, "16", 2) != one) fail_msg("case %d at width 16 on two threads", i);
        if (hash_of(&cases[i], NATIVE, "8", 3) != one) fail_msg("case %d at width 8 on three threads", i);
    }
}

/* A processor's OpenCL runtime has the bits of native code. */
static void a_device_has_the_same_bits(void **state) {
    (void)state;
    if (!device_has_native_bits()) skip();
    for (int i = 0; i < CASES; i += few())
        if (hash_of(&cases[i], SCREE_BACKEND_OPENCL, "1", 1) != narrow_hash(i)) fail_msg("case %d", i);
}

enum { FLIERS = 75 }; /* not a multiple of any register width */

/* Makes balls with loads, spins too fast for a step and gravity scales; those at indices selected by `odd`
 * are elongated, locked, or have prescribed motion. */
static scree_body_def flier(int i, int odd) {
    scree_body_def def = scree_default_body_def();
    const float k = (float)i;
    def.shape = i % 3 ? scree_shape_sphere(0.1f + 0.01f * (float)(i % 7)) : scree_shape_box(0.1f, 0.1f, 0.1f);
    def.state.position = (scree_vec3){10 * k, -3 * k, k};
    def.state.linear_velocity = (scree_vec3){0.1f * k, 1, -0.3f * k};
    def.state.angular_velocity = (scree_vec3){i % 11 ? 0.7f * k : 4000, 5 - k, 0.01f * k};
    def.gravity_scale = 1 - 0.02f * k;
    if (odd == 1) def.shape = scree_shape_box(0.1f, 0.2f, 0.3f);
    if (odd == 2) def.locks = SCREE_LOCK_X | SCREE_LOCK_ROTATION_Z;
    if (odd == 3) def.type = SCREE_BODY_KINEMATIC;
    if (odd == 4) def.type = SCREE_BODY_STATIC;
    return def;
}

static uint64_t hash_of_fliers(const char *width, int threads) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE, def.threads = threads;
    setenv("SCREE_WIDTH", width, 1);
    scree_world *world = world_of(&def);
    for (int i = 0; i < FLIERS; i++) {
        const scree_body_def body = flier(i, i == 20 ? 1 : i == 40 ? 2 : i == 50 ? 3 : i == 60 ? 4 : 0);
        scree_body_id id;
        CHECK(scree_body_create(world, &body, &id));
        if (body.type != SCREE_BODY_DYNAMIC) continue;
        CHECK(scree_body_set_loads(world, id, (scree_vec3){1, 0.1f * (float)i, 3},
                                   (scree_vec3){0.01f, 0, 0.02f}));
    }
    for (int i = 0; i < 20; i++) CHECK(scree_world_step(world, NULL));
    const uint64_t hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    unsetenv("SCREE_WIDTH");
    return hash;
}

static void free_motion_is_equal_at_every_width(void **state) {
    (void)state;
    const uint64_t one = hash_of_fliers("1", 1);
    assert_int_equal(hash_of_fliers("4", 1), one);
    assert_int_equal(hash_of_fliers("8", 1), one);
    assert_int_equal(hash_of_fliers("16", 1), one);
    assert_int_equal(hash_of_fliers("16", 2), one);
}

/* Fully locked bodies support others: gravity and impulses leave zeros, whose sign must not depend on the
 * width. */
static uint64_t hash_of_locked(const char *width) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 1;
    setenv("SCREE_WIDTH", width, 1);
    scree_world *world = world_of(&def);
    for (int i = 0; i < 20; i++) {
        scree_body_def body = scree_default_body_def();
        const float x = 0.5f * (float)i;
        body.shape = scree_shape_sphere(0.1f);
        body.state.position = (scree_vec3){x, 0, 0.2f};
        CHECK(scree_body_create(world, &body, NULL));
        body.locks = SCREE_LOCK_X | SCREE_LOCK_Y | SCREE_LOCK_Z | SCREE_LOCK_ROTATION_X |
                     SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
        body.state.position = (scree_vec3){x + 0.01f, 0, 0};
        CHECK(scree_body_create(world, &body, NULL));
    }
    for (int i = 0; i < 3; i++) CHECK(scree_world_step(world, NULL));
    const uint64_t hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    unsetenv("SCREE_WIDTH");
    return hash;
}

static void locked_supports_are_equal_at_every_width(void **state) {
    (void)state;
    const uint64_t one = hash_of_locked("1");
    assert_int_equal(hash_of_locked("4"), one);
    assert_int_equal(hash_of_locked("8"), one);
    assert_int_equal(hash_of_locked("16"), one);
}

/* Returns the hash of all numbers of a problem (FNV-1a). */
static uint64_t problem_hash(const scree_problem *of) {
    const size_t n = (size_t)of->a.count, entries = (size_t)of->a.first[n];
    const struct {
        const void *at;
        size_t bytes;
    } arrays[] = {{of->a.column, entries * sizeof *of->a.column},
                  {of->a.entries, entries * sizeof *of->a.entries},
                  {of->a.q, n * sizeof *of->a.q},
                  {of->a.friction, n * sizeof(double)},
                  {of->a.rolling, n * sizeof(double)},
                  {of->a.spinning, n * sizeof(double)},
                  {of->a.kind, n * sizeof *of->a.kind},
                  {of->start, 3 * n * sizeof(double)}};
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        for (size_t k = 0; k < arrays[i].bytes; k++)
            hash = (hash ^ ((const unsigned char *)arrays[i].at)[k]) * 1099511628211u;
    return hash;
}

/* result of a step: its problem, and whether it packed the blocks and fell back */
typedef struct remains {
    uint64_t hash;
    int contacts, fallbacks;
    bool packed;
} remains;

/* Adds balls, or cubes, some of which lie on each other and on a floor. */
static void heap(scree_world *world, bool cubes) {
    add_slope(world, 0);
    for (int i = 0; i < 90; i++) {
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.shape = cubes ? scree_shape_box(0.09f, 0.09f, 0.09f) : scree_shape_sphere(0.1f);
        body.state.position = (scree_vec3){0.19f * (float)(i % 5) + 0.01f * (float)(i % 7),
                                           0.19f * (float)(i / 5 % 6), 0.1f + 0.19f * (float)(i / 30)};
        body.state.linear_velocity = (scree_vec3){0.1f * (float)(i % 3), 0, -0.2f};
        CHECK(scree_body_create(world, &body, &id));
    }
}

static remains left_at(const char *width, scree_world_def def, bool cubes) {
    enum { STEPS = 12 };
    remains out = {0};
    setenv("SCREE_WIDTH", width, 1);
    def.backend = NATIVE, def.threads = 1;
    scree_world *world = world_of(&def);
    heap(world, cubes);
    for (int i = 0; i < STEPS; i++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        out.fallbacks += s.solve.fallbacks;
    }
    out.packed = !world->scratch.problem.blocks;
    for (int i = 0; i < 2; i++) { /* reading twice gives the same */
        scree_problem *left;
        CHECK(scree_problem_from_world(world, &left));
        const uint64_t hash = problem_hash(left);
        if (i > 0) assert_true(hash == out.hash);
        out.hash = hash, out.contacts = scree_problem_contact_count(left);
        scree_problem_destroy(left);
    }
    scree_world_destroy(world);
    unsetenv("SCREE_WIDTH");
    return out;
}

/* Plain; with resistance, balls and cubes; under a law without batches of balls; converged so far that
 * momentum falls back to sweeps both ways, for balls and for manifolds; bouncing, which needs the blocks.
 * `packs`: the last step's blocks are only in batches. */
static void problems_are_equal_at_every_width(void **state) {
    (void)state;
    enum { PLAIN, RESISTING, RESISTING_CUBES, RADIAL, OVERRELAXED, CUBES, BOUNCING, DUMPS };
    for (int i = 0; i < DUMPS; i++) {
        scree_world_def def = scree_default_world_def();
        const bool cubes = i == CUBES || i == RESISTING_CUBES;
        if (i == RESISTING || i == RESISTING_CUBES)
            def.material.rolling_friction = 0.01f, def.material.spinning_friction = 0.005f;
        if (i == RADIAL) def.solver.law = SCREE_LAW_RADIAL, def.solver.method = SCREE_METHOD_PGS;
        if (i == OVERRELAXED || i == CUBES) def.solver.tolerance = 1e-9f, def.solver.relaxation = 1.9f;
        if (i == CUBES) def.solver.iterations = 600, def.solver.reduction = 1e-6f;
        if (i == BOUNCING) def.material.restitution = 0.5f;
        const remains one = left_at("1", def, cubes), narrow = left_at("4", def, cubes),
                      other = left_at("8", def, cubes), widest = left_at("16", def, cubes);
        print_message("%d: %d contacts, %d fallbacks, packed %d\n", i, one.contacts, one.fallbacks,
                      other.packed);
        assert_true(one.contacts > 90);
        if (narrow.hash != one.hash) fail_msg("problem %d at width 4", i);
        if (other.hash != one.hash) fail_msg("problem %d at width 8", i);
        if (widest.hash != one.hash) fail_msg("problem %d at width 16", i);
        assert_false(one.packed);
        if (i == OVERRELAXED || i == CUBES) assert_true(one.fallbacks > 0);
        if (i < OVERRELAXED) assert_true(narrow.packed && other.packed);
    }
}

/* Adds columns of balls and of cubes, a tenth of a millimetre apart: more contacts than caches hold. */
static void add_columns(scree_world *world) {
    enum { BALLS = 60, CUBES = 36, HEIGHT = 10 };
    const float size = 0.1f, apart = size + 1e-4f;
    add_slope(world, 0);
    for (int i = 0; i < BALLS * BALLS * HEIGHT; i++)
        add_body(world, scree_shape_sphere(size / 2),
                 (scree_vec3){2 * size * (float)(i % BALLS), 2 * size * (float)(i / BALLS % BALLS),
                              size / 2 + apart * (float)(i / BALLS / BALLS)},
                 (scree_vec3){0.01f * (float)(i % 7), 0, 0});
    for (int i = 0; i < CUBES * CUBES * HEIGHT / 2; i++)
        add_body(world, scree_shape_box(size / 2, size / 2, size / 2),
                 (scree_vec3){-2 * size * (float)(1 + i % CUBES), 2 * size * (float)(i / CUBES % CUBES),
                              size / 2 + apart * (float)(i / CUBES / CUBES)},
                 (scree_vec3){0, 0.01f * (float)(i % 5), 0});
}

/* Adds a clump with more contacts than a lane has, on the floor or on a plate. */
static void add_raft(scree_world *world, bool on_plate) {
    enum { COLUMNS = 6, BALLS = 30 };
    const float radius = 0.05f, top = on_plate ? 0.1f : 0;
    const scree_vec3 at = {-2, -2, top + radius};
    scree_clump_sphere balls[BALLS];
    scree_geometry *raft;
    for (int i = 0; i < BALLS; i++)
        balls[i] = (scree_clump_sphere){
            {2 * radius * (float)(i % COLUMNS), 2 * radius * (float)(i / COLUMNS), 0}, radius};
    CHECK(scree_clump_create(balls, BALLS, &raft));
    add_body(world, scree_shape_clump(raft, 1), at, (scree_vec3){0});
    if (on_plate)
        add_body(world, scree_shape_box(0.5f, 0.5f, top / 2), (scree_vec3){at.x, at.y, top / 2},
                 (scree_vec3){0});
    scree_geometry_release(raft);
}

/* Prefetching from memory (native/wide_ahead.h), blocks that are packed in windows (native_launches.c), and
 * windows that are left. */
typedef enum raft_place { NO_RAFT, RAFT_ON_FLOOR, RAFT_ON_PLATE, RAFT_PLACES } raft_place;

static uint64_t hash_of_columns(const char *width, int threads, raft_place raft) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE, def.threads = threads;
    def.solver.iterations = 12, def.solver.tolerance = 0, def.solver.split.position_iterations = 4;
    setenv("SCREE_WIDTH", width, 1);
    scree_world *world = world_of(&def);
    add_columns(world);
    if (raft != NO_RAFT) add_raft(world, raft == RAFT_ON_PLATE);
    for (int i = 0; i < 2; i++) CHECK(scree_world_step(world, NULL));
    const native *engine = (const native *)world->backend;
    if (engine->wide) assert_true(native_job(engine, (solve_parameters){0}).far);
    const uint64_t hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    unsetenv("SCREE_WIDTH");
    return hash;
}

static void prefetching_does_not_change_bits(void **state) {
    (void)state;
    const uint64_t one = hash_of_columns("1", 1, NO_RAFT);
    assert_int_equal(hash_of_columns("4", 1, NO_RAFT), one);
    assert_int_equal(hash_of_columns("8", 1, NO_RAFT), one);
    assert_int_equal(hash_of_columns("16", 2, NO_RAFT), one);
}

static void windows_do_not_change_bits(void **state) {
    (void)state;
    for (int raft = RAFT_ON_FLOOR; raft < RAFT_PLACES; raft++)
        assert_int_equal(hash_of_columns("8", 2, (raft_place)raft),
                         hash_of_columns("1", 1, (raft_place)raft));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(widths_and_threads_have_the_same_bits),
                                       cmocka_unit_test(a_device_has_the_same_bits),
                                       cmocka_unit_test(free_motion_is_equal_at_every_width),
                                       cmocka_unit_test(locked_supports_are_equal_at_every_width),
                                       cmocka_unit_test(problems_are_equal_at_every_width),
                                       cmocka_unit_test(prefetching_does_not_change_bits),
                                       cmocka_unit_test(windows_do_not_change_bits)};
    return cmocka_run_group_tests_name("widths", tests, NULL, NULL);
}
