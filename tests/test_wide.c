/* Sweeps and free motion at every width that the processor has, on any number of threads: the bits of a run
 * are those of width 1 on one thread. */
#include "device.h"
#include "scenery.h"

typedef struct wide_case {
    const char *scene; /* file below the checkout */
    int steps;
    scree_method method;
    scree_law law;
    scree_stabilisation stabilisation;
    float relaxation;
    int colours;
} wide_case;

/* Spheres, boxes that land anyhow, a wall of boxes, and both; walls, restitution, rolling friction; momentum,
 * plain sweeps, over-relaxation, soft contacts, every law; a tail. */
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
};
enum { CASES = sizeof cases / sizeof cases[0] };

static uint64_t hash_of(const wide_case *c, scree_backend_kind backend, const char *width, int threads) {
    scree_scene *scene = scene_of(c->scene);
    setenv("SCREE_WIDTH", width, 1);
    scree_world_def def = scree_scene_world_def(scene);
    def.backend = backend, def.device = test_device();
    def.threads = threads;
    def.solver.method = c->method;
    def.solver.law = c->law;
    def.solver.stabilisation = c->stabilisation;
    def.solver.relaxation = c->relaxation;
    def.solver.colours = c->colours;
    const uint64_t hash = scene_hash(scene, &def, c->steps);
    scree_scene_destroy(scene);
    unsetenv("SCREE_WIDTH");
    return hash;
}

#define NATIVE SCREE_BACKEND_NATIVE
static void widths_and_threads_have_the_same_bits(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const uint64_t one = hash_of(&cases[i], NATIVE, "1", 1);
        if (hash_of(&cases[i], NATIVE, "8", 1) != one) fail_msg("case %d at width 8", i);
        if (hash_of(&cases[i], NATIVE, "16", 1) != one) fail_msg("case %d at width 16", i);
        if (hash_of(&cases[i], NATIVE, "16", 2) != one) fail_msg("case %d at width 16 on two threads", i);
        if (hash_of(&cases[i], NATIVE, "8", 3) != one) fail_msg("case %d at width 8 on three threads", i);
    }
}

/* A processor's runtime sweeps in lanes, or without (kernels/wide_sweep.cl, sweep.cl). */
static void lanes_of_a_device_have_the_same_bits(void **state) {
    (void)state;
    if (!device_has_native_bits()) skip();
    for (int i = 0; i < CASES; i++) {
        const uint64_t native = hash_of(&cases[i], NATIVE, "1", 1);
        if (hash_of(&cases[i], SCREE_BACKEND_OPENCL, "1", 1) != native) fail_msg("case %d at width 1", i);
        if (hash_of(&cases[i], SCREE_BACKEND_OPENCL, "8", 1) != native) fail_msg("case %d at width 8", i);
    }
}

enum { FLIERS = 75 }; /* neither whole registers nor all round */

/* Balls with loads, spins too fast for a step and scales of gravity; what is at some places, `odd`, is long,
 * locked, or moves as it is told. */
static scree_body_def flier(int i, int odd) {
    scree_body_def def = scree_default_body_def();
    const float k = (float)i;
    def.shape = i % 3 ? scree_sphere(0.1f + 0.01f * (float)(i % 7)) : scree_box(0.1f, 0.1f, 0.1f);
    def.state.position = (scree_vec3){10 * k, -3 * k, k};
    def.state.linear_velocity = (scree_vec3){0.1f * k, 1, -0.3f * k};
    def.state.angular_velocity = (scree_vec3){i % 11 ? 0.7f * k : 4000, 5 - k, 0.01f * k};
    def.gravity_scale = 1 - 0.02f * k;
    if (odd == 1) def.shape = scree_box(0.1f, 0.2f, 0.3f);
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
        CHECK(scree_body_loads_set(world, id, (scree_vec3){1, 0.1f * (float)i, 3},
                                   (scree_vec3){0.01f, 0, 0.02f}));
    }
    for (int i = 0; i < 20; i++) CHECK(scree_world_step(world, NULL));
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    unsetenv("SCREE_WIDTH");
    return hash;
}

static void bodies_fly_alike_at_every_width(void **state) {
    (void)state;
    const uint64_t one = hash_of_fliers("1", 1);
    assert_int_equal(hash_of_fliers("8", 1), one);
    assert_int_equal(hash_of_fliers("16", 1), one);
    assert_int_equal(hash_of_fliers("16", 2), one);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(widths_and_threads_have_the_same_bits),
                                       cmocka_unit_test(lanes_of_a_device_have_the_same_bits),
                                       cmocka_unit_test(bodies_fly_alike_at_every_width)};
    return cmocka_run_group_tests_name("widths", tests, NULL, NULL);
}
