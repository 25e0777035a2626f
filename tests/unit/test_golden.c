/* Golden hashes: the state of some scenes, to the last bit, after a number of steps. Changes that do not
 * affect motion keep them. Others renew tests/data/golden_hashes.txt by `SCREE_GOLDEN_RENEW=1 test_golden`,
 * and their commit gives the reason. Native and PoCL share one hash; other devices round differently and are
 * not compared. */
#include "scenery.h"

#include <inttypes.h>

typedef struct golden_case {
    const char *scene; /* file below the checkout */
    int steps;
    scree_method method;
    scree_law law;
    scree_stabilisation stabilisation;
    const char *backends; /* subset of "native opencl reference" */
} golden_case;

#define DEFAULTS SCREE_METHOD_ACCELERATED_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_SPLIT
#define BOTH "native opencl"

static const golden_case cases[] = {
    {"bench/scenes/A1000.json", 40, DEFAULTS, BOTH},
    {"bench/scenes/B1000.json", 8, DEFAULTS, BOTH},
    {"bench/scenes/C20.json", 12, DEFAULTS, BOTH},
    {"bench/scenes/D10.json", 60, DEFAULTS, BOTH},
    {"bench/scenes/beads.json", 45, DEFAULTS, "native"},
    {"tests/data/mixed.json", 150, DEFAULTS, BOTH},
    {"tests/data/mixed.json", 20, DEFAULTS, "reference"},
    {"tests/data/mixed.json", 100, SCREE_METHOD_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_BAUMGARTE, BOTH},
    {"tests/data/mixed.json", 100, SCREE_METHOD_JACOBI, SCREE_LAW_PYRAMID, SCREE_STABILISATION_SOFT, BOTH},
    {"tests/data/mixed.json", 100, SCREE_METHOD_ACCELERATED_JACOBI, SCREE_LAW_ASSOCIATED,
     SCREE_STABILISATION_SPLIT, BOTH},
    {"tests/data/mixed.json", 100, SCREE_METHOD_PGS, SCREE_LAW_RADIAL, SCREE_STABILISATION_SPLIT, BOTH},
    {"tests/data/mixed.json", 60, SCREE_METHOD_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_RELAXED, BOTH},
    {"tests/data/mixed.json", 60, SCREE_METHOD_PGS, SCREE_LAW_COULOMB, SCREE_STABILISATION_SUBSTEP, BOTH},
    {"tests/data/groups.json", 110, DEFAULTS, BOTH},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static const char hash_file[] = SCREE_SOURCE_DIR "/tests/data/golden_hashes.txt";

/* Writes the key of a line: "tests/data/mixed.json 100 pgs coulomb split native". */
static void describe(char *out, size_t size, const golden_case *c) {
    const bool reference = strcmp(c->backends, "reference") == 0;
    snprintf(out, size, "%s %d %s %s %s %s", c->scene, c->steps, scree_method_name(c->method),
             scree_law_name(c->law), scree_stabilisation_name(c->stabilisation),
             reference ? "reference" : "kernels");
}

static uint64_t hash_of(const golden_case *c, scree_backend_kind backend) {
    scree_scene *scene = scene_of(c->scene);
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = backend;
    def.device = NULL;
    def.solver.method = c->method;
    def.solver.law = c->law;
    def.solver = scree_solver_def_with_stabilisation(def.solver, c->stabilisation);
    const uint64_t hash = scene_hash(scene, &def, c->steps);
    scree_scene_destroy(scene);
    return hash;
}

/* Returns the recorded hash, or 0. */
static uint64_t recorded(const char *description) {
    char line[512], name[448];
    uint64_t hash = 0, found = 0;
    FILE *file = fopen(hash_file, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%" SCNx64 " %447[^\n]", &hash, name) == 2 && strcmp(name, description) == 0)
            found = hash;
    fclose(file);
    return found;
}

static void check_backend(const char *backend) {
    for (int i = 0; i < CASES; i++) {
        char description[448];
        if (!strstr(cases[i].backends, backend)) continue;
        if (getenv("SCREE_TEST_SHORT") && !strstr(cases[i].scene, "mixed")) continue;
        describe(description, sizeof description, &cases[i]);
        scree_backend_kind kind = SCREE_BACKEND_AUTO;
        while (strcmp(scree_backend_name(kind), backend) != 0) kind++;
        const uint64_t hash = hash_of(&cases[i], kind), golden = recorded(description);
        if (hash != golden)
            fail_msg("%s on %s: %016" PRIx64 ", on record %016" PRIx64, description, backend, hash, golden);
    }
}

static void state_is_golden(void **state) {
    const char *only = getenv("SCREE_TEST_BACKEND");
    if (only && strcmp(only, *state) != 0) skip();
    if (strcmp(*state, "opencl") == 0 && getenv("SCREE_TEST_DEVICE")) skip();
    check_backend(*state);
}

static int renew(void) {
    FILE *file = fopen(hash_file, "w");
    if (!file) return 1;
    for (int i = 0; i < CASES; i++) {
        char description[448];
        const bool reference = strcmp(cases[i].backends, "reference") == 0;
        describe(description, sizeof description, &cases[i]);
        fprintf(file, "%016" PRIx64 " %s\n",
                hash_of(&cases[i], reference ? SCREE_BACKEND_REFERENCE : SCREE_BACKEND_NATIVE), description);
    }
    return fclose(file) != 0;
}

int main(void) {
    if (getenv("SCREE_GOLDEN_RENEW")) return renew();
    const struct CMUnitTest tests[] = {ON_EACH_BACKEND(state_is_golden)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
