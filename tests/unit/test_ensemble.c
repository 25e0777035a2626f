/* The worlds of a scene: their values, their scenes, and the statistics of their results. */
#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/scene.h>

#include "base/student.h"

static scree_scene *parse(const char *text) {
    scree_scene *scene = NULL;
    const scree_result result = scree_scene_parse(text, strlen(text), "s.json", &scene);
    if (result != SCREE_OK) fail_msg("%s: %s", text, scree_error_get_message());
    return scene;
}

/* A scene of one material, whose friction has these values. */
static scree_scene *with_frictions(const char *worlds) {
    char text[1024];
    snprintf(text, sizeof text,
             "{\"seed\": 5, \"materials\": {\"glass\": {\"friction\": 0.3}}, \"worlds\": {%s}}", worlds);
    return parse(text);
}

static void expect_values(const char *worlds, int count, const double *expected) {
    scree_scene *scene = with_frictions(worlds);
    const scree_worlds_def def = scree_scene_get_worlds_def(scene);
    assert_int_equal(def.count, count);
    assert_int_equal(def.varied, 1);
    assert_string_equal(scree_scene_get_varied_path(scene, 0), "materials.glass.friction");
    for (int i = 0; i < count; i++)
        ASSERT_NEAR(scree_scene_get_varied_value(scene, 0, i, 5), expected[i], 1e-15);
    scree_scene_destroy(scene);
}

#define VARY(VALUES) "\"vary\": {\"materials.glass.friction\": " VALUES "}"

static void values_are_listed_or_spaced(void **state) {
    (void)state;
    expect_values(VARY("[0.1, 7, 0.2]"), 3, (double[]){0.1, 7, 0.2});
    expect_values("\"repeats\": 2, " VARY("[0.1, 0.2]"), 4, (double[]){0.1, 0.1, 0.2, 0.2});
    expect_values("\"count\": 5, " VARY("{\"kind\": \"linear\", \"from\": 1, \"to\": 3}"), 5,
                  (double[]){1, 1.5, 2, 2.5, 3});
    expect_values("\"count\": 3, " VARY("{\"kind\": \"logarithmic\", \"from\": 0.01, \"to\": 1}"), 3,
                  (double[]){0.01, 0.1, 1});
    expect_values("\"count\": 3, " VARY("{\"kind\": \"linear\", \"from\": 0, \"to\": 5, \"whole\": true}"), 3,
                  (double[]){0, 3, 5});
    expect_values("\"count\": 1, " VARY("{\"kind\": \"linear\", \"from\": 4, \"to\": 5}"), 1, (double[]){4});
}

/* Means and standard deviations of many random values, against those of the distributions. */
static void random_values_have_their_distribution(void **state) {
    (void)state;
    enum { MANY = 20000 };
    static const struct {
        const char *worlds;
        double mean, deviation, least, most;
    } cases[] = {
        {"\"count\": 20000, " VARY("{\"kind\": \"uniform\", \"minimum\": 2, \"maximum\": 5}"), 3.5, 0.8660254,
         2, 5},
        {"\"count\": 20000, " VARY(
             "{\"kind\": \"normal\", \"mean\": 4, \"deviation\": 0.5, \"minimum\": 0, \"maximum\": 8}"),
         4, 0.5, 0, 8},
        {"\"count\": 20000, " VARY("{\"kind\": \"log-normal\", \"median\": 1, \"deviation\": 0.5, "
                                   "\"minimum\": 0.01, \"maximum\": 99}"),
         1.1331485, 0.6039005, 0.01, 99},
        {"\"count\": 20000, " VARY("{\"kind\": \"normal\", \"mean\": 0.4, \"deviation\": 0.1}"), 0.4,
         0.0986578, 0.1, 0.7},
    };
    for (int c = 0; c < 4; c++) {
        scree_scene *scene = with_frictions(cases[c].worlds);
        double sum = 0, squares = 0;
        for (int i = 0; i < MANY; i++) {
            const double value = scree_scene_get_varied_value(scene, 0, i, 5);
            assert_true(value >= cases[c].least && value <= cases[c].most);
            sum += value;
            squares += (value - cases[c].mean) * (value - cases[c].mean);
        }
        ASSERT_NEAR(sum / MANY, cases[c].mean, 0.02);
        ASSERT_NEAR(sqrt(squares / MANY), cases[c].deviation, 0.03);
        assert_true(scree_scene_get_varied_value(scene, 0, 0, 5) ==
                    scree_scene_get_varied_value(scene, 0, 0, 5));
        assert_true(scree_scene_get_varied_value(scene, 0, 0, 5) !=
                    scree_scene_get_varied_value(scene, 0, 0, 6));
        scree_scene_destroy(scene);
    }
}

static const char falling[] =
    "{\"seed\": %d, \"time_step\": 0.004, \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
    " \"materials\": {\"glass\": {\"friction\": %s}},\n"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}, \"material\": \"glass\"}],\n"
    " \"generators\": [{\"kind\": \"lattice\", \"cells\": [3, 3, 3], \"spacing\": 0.11, \"jitter\": 0.004,\n"
    "   \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": %s}, \"material\": \"glass\",\n"
    "     \"linear_velocity\": [1, 0, 0]}}]%s}";

static uint64_t hash_after(const scree_scene *scene) {
    const scree_world_def def = scree_scene_get_world_def(scene);
    scree_world *world = NULL;
    scree_statistics statistics;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, scree_scene_get_run_def(scene).seed));
    for (int i = 0; i < 30; i++) CHECK(scree_world_step(world, &statistics));
    const uint64_t hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    return hash;
}

/* A world of an ensemble has the bits of the scene that one writes with its values. */
static void a_world_is_the_scene_with_its_values(void **state) {
    (void)state;
    char text[2048];
    snprintf(text, sizeof text, falling, 7, "0.5", "0.05",
             ", \"worlds\": {\"repeats\": 2, \"vary\": {\"materials.glass.friction\": [0.1, 0.9], "
             "\"generators[0].body.shape.radius\": [0.05, 0.04]}}");
    scree_scene *all = parse(text), *world = NULL;
    const char *const frictions[] = {"0.1", "0.1", "0.9", "0.9"}, *const radii[] = {"0.05", "0.05", "0.04",
                                                                                    "0.04"};
    uint64_t hashes[4];
    for (int i = 0; i < 4; i++) {
        CHECK(scree_scene_make_world(all, i, 7, &world));
        assert_int_equal(scree_scene_get_worlds_def(world).count, 0);
        hashes[i] = hash_after(world);
        scree_scene_destroy(world);
        snprintf(text, sizeof text, falling, 7 + i, frictions[i], radii[i], "");
        scree_scene *written = parse(text);
        assert_true(hashes[i] == hash_after(written));
        scree_scene_destroy(written);
        for (int k = 0; k < i; k++) assert_true(hashes[i] != hashes[k]);
    }
    CHECK_FAILS(scree_scene_make_world(all, 4, 7, &world), SCREE_ERROR_ARGUMENT, "world: 4; must be 0 to 3");
    CHECK_FAILS(scree_scene_make_world(all, -1, 7, &world), SCREE_ERROR_ARGUMENT, "world: -1");
    scree_scene_destroy(all);
}

/* A number of a stage varies as well, and an error in its values is found at the variation. */
static void stages_vary(void **state) {
    (void)state;
    static const char staged[] =
        "{\"materials\": {\"m\": {\"friction\": 0.3}},\n \"bodies\": [{\"shape\": {\"kind\": \"sphere\", "
        "\"radius\": 1}, "
        "\"material\": \"m\"}],\n \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 1}},\n"
        "  {\"name\": \"b\", \"until\": {\"time\": 2}, \"materials\": {\"m\": {\"friction\": 0.5}}}],\n"
        " \"worlds\": {\"vary\": {\n  \"stages[1].materials.m.friction\": [0.1, -2],\n  "
        "\"stages[1].until.time\": [3, 4]}}}";
    scree_scene *all = parse(staged), *world = NULL;
    CHECK(scree_scene_make_world(all, 0, 0, &world));
    assert_int_equal(scree_scene_stage_count(world), 2);
    ASSERT_NEAR(scree_scene_get_run_def(world).length.seconds, 4, 1e-12);
    scree_scene_destroy(world);
    CHECK_FAILS(scree_scene_make_world(all, 1, 0, &world), SCREE_ERROR_FORMAT,
                "s.json:6:3: worlds.vary.stages[1].materials.m.friction: -2; must be");
    assert_non_null(strstr(scree_error_get_message(), "(world 1)"));
    scree_scene_destroy(all);
}

/* Half widths of two-sided 95 % intervals from printed tables (Abramowitz and Stegun, table 26.10). */
static void quantiles_are_those_of_tables(void **state) {
    (void)state;
    static const struct {
        int freedom;
        double t;
    } table[] = {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},
                 {9, 2.262},  {10, 2.228}, {30, 2.042}, {120, 1.980}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        ASSERT_NEAR(student_quantile(0.95, table[i].freedom), table[i].t, 3e-4);
    ASSERT_NEAR(student_quantile(0.99, 4), 4.604, 2e-4);
    ASSERT_NEAR(student_quantile(0.95, 100000), 1.959964, 1e-4);
}

static void samples_have_mean_deviation_and_interval(void **state) {
    (void)state;
    const double values[] = {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16};
    sample_sums sums = {0};
    for (int i = 0; i < 4; i++) {
        sample_add(&sums, values[i]);
        if (!i) assert_true(isnan(sample_deviation(&sums)) && isnan(sample_confidence(&sums)));
    }
    assert_true(sums.mean == 1e9 + 10);
    ASSERT_NEAR(sample_deviation(&sums), sqrt(30), 1e-9);
    ASSERT_NEAR(sample_confidence(&sums), 3.182446 * sqrt(30) / 2, 1e-6);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_listed_or_spaced),
        cmocka_unit_test(random_values_have_their_distribution),
        cmocka_unit_test(a_world_is_the_scene_with_its_values),
        cmocka_unit_test(stages_vary),
        cmocka_unit_test(quantiles_are_those_of_tables),
        cmocka_unit_test(samples_have_mean_deviation_and_interval),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
