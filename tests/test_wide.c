/* Sweeps of every width that the processor has, on any number of threads: the bits of a run are those of
 * width 1 on one thread. */
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

/* Spheres, boxes and both; walls, restitution, rolling friction; momentum, plain sweeps, over-relaxation,
 * soft contacts, every law; a tail. */
static const wide_case cases[] = {
    {"bench/scenes/A1000.json", 12, SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB,
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

static uint64_t hash_of(const wide_case *c, const char *width, int threads) {
    scree_scene *scene = scene_of(c->scene);
    setenv("SCREE_WIDTH", width, 1);
    scree_world_def def = scree_scene_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
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

static void widths_and_threads_have_the_same_bits(void **state) {
    (void)state;
    for (int i = 0; i < CASES; i++) {
        const uint64_t one = hash_of(&cases[i], "1", 1);
        if (hash_of(&cases[i], "8", 1) != one) fail_msg("case %d at width 8", i);
        if (hash_of(&cases[i], "16", 1) != one) fail_msg("case %d at width 16", i);
        if (hash_of(&cases[i], "16", 2) != one) fail_msg("case %d at width 16 on two threads", i);
        if (hash_of(&cases[i], "8", 3) != one) fail_msg("case %d at width 8 on three threads", i);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(widths_and_threads_have_the_same_bits)};
    return cmocka_run_group_tests_name("widths", tests, NULL, NULL);
}
