/* Stages of one scene: when each ends, what it changes, and which stages are rejected. */
#include "command.h"
#include "stage_experiment.h"

#include <math.h>

static scree_scene *parsed(const char *more, const char *words) {
    char text[4096];
    scree_scene *scene = NULL;
    snprintf(text, sizeof text, stage_experiment, more);
    if (words) {
        CHECK_FAILS(scree_scene_parse(text, strlen(text), "gate.json", &scene), SCREE_ERROR_FORMAT, words);
        return NULL;
    }
    CHECK(scree_scene_parse(text, strlen(text), "gate.json", &scene));
    return scene;
}

/* Steps to the end of the last stage, or until the world is at `until` steps; stores the times at which
 * stages began. */
static void go_through(const scree_scene *scene, scree_world *world, uint64_t until, double begins[4]) {
    const scree_resume_def def = scree_default_resume_def();
    int stage;
    CHECK(scree_scene_get_stage(world, &stage, &begins[0]));
    for (double begin = begins[0]; scree_world_step_count(world) < until;) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        if (!scree_scene_stage_is_over(scene, stage, begin, world, &s)) continue;
        begins[++stage] = s.time;
        if (stage == scree_scene_stage_count(scene)) return;
        CHECK(scree_scene_enter_stage(scene, world, stage, &def));
        CHECK(scree_scene_get_stage(world, &stage, &begin));
        assert_true(begin == s.time);
    }
}

static void each_stage_ends_and_applies_its_changes(void **state) {
    (void)state;
    scree_scene *scene = parsed("", NULL);
    assert_int_equal(scree_scene_stage_count(scene), 3);
    assert_string_equal(scree_scene_get_stage_name(scene, 1), "drive");
    ASSERT_WITHIN(scree_scene_get_run_def(scene).length.seconds, 8.3, 1e-12);
    const scree_world_def def = scree_scene_get_world_def(scene);
    scree_world *world = NULL;
    double begins[4];
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    go_through(scene, world, 10000, begins);
    /* It has fallen 0.1 m within 0.143 s; rest is not tested before 0.2 s. */
    ASSERT_WITHIN(begins[1], 0.2, 1e-9);
    ASSERT_WITHIN(begins[2], 0.5, 1e-9);
    /* 2.1 m of fall at 9 m/s² take 0.683 s, and the next step ends at 1.19 */
    ASSERT_WITHIN(begins[3], 0.5 + sqrt(2 * 2.1 / 9), 0.011);
    scree_body_id ids[8];
    assert_int_equal(scree_body_list(world, ids, 8),
                     2); /* the driven ball and the half-space; the grain is gone */
    scree_body_state at;
    CHECK(scree_body_get_state(world, ids[1].index == 2 ? ids[1] : ids[0], &at));
    ASSERT_WITHIN(at.position.y, 2 * (begins[3] - begins[1]), 1e-5);
    ASSERT_WITHIN(scree_world_get_def(world).gravity.x, 1, 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

static void invalid_stages_are_rejected(void **state) {
    (void)state;
    static const char *const tries[][2] = {
        {", {\"until\": {\"time\": 1}}", "stages[3]:"},
        {", {\"name\": \"x\"}", "stages[3]:"},
        {", {\"name\": \"x\", \"until\": {\"rest\": 1}}", "stages[3].until:"},
        {", {\"name\": \"x\", \"until\": {\"time\": 1}, \"run\": {\"steps\": 1}}", "stages[3].run"},
        {", {\"name\": \"x\", \"until\": {\"time\": 1}, \"bodies\": {\"7\": {}}}", "stages[3].bodies.7"},
        {", {\"name\": \"x\", \"until\": {\"time\": 1}, \"gravty\": 1}", "stages[3].gravty"},
        {", {\"name\": \"x\", \"until\": {\"time\": 1, \"figure\": {\"name\": \"travel_max\"}}}",
         "stages[3].until"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) parsed(tries[i][0], tries[i][1]);
    scree_scene *scene = parsed("", NULL);
    const scree_world_def def = scree_scene_get_world_def(scene);
    const scree_resume_def resume = scree_default_resume_def();
    scree_world *world = NULL;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    CHECK_FAILS(scree_scene_enter_stage(scene, world, 3, &resume), SCREE_ERROR_ARGUMENT, "stage");
    int stage;
    double begin;
    CHECK(scree_scene_get_stage(world, &stage, &begin));
    assert_int_equal(stage, 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

/* Removing a schedule in a stage restores the scene's gravity, not the schedule's current value; a kept
 * schedule continues. */
static void removing_a_schedule_restores_gravity(void **state) {
    static const char *const ends[] = {"\"gravity_schedule\": null",
                                       "\"gravity_schedule\": null, \"gravity\": [0, 0, -4]",
                                       "\"time_step\": 0.02"};
    const float x[] = {0, 0, 5}, z[] = {-9.81f, -4, -9.81f};
    (void)state;
    for (int i = 0; i < 3; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 "{\"time_step\": 0.01, \"backend\": {\"kind\": \"native\"},\n"
                 " \"gravity_schedule\": [{\"time\": 0, \"gravity\": [0, 0, -9.81]}, {\"time\": 0.2, "
                 "\"gravity\": [5, 0, -9.81]}],\n"
                 " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}],\n"
                 " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.5}}, {\"name\": \"b\", \"until\": "
                 "{\"time\": 0.5}, %s}]}",
                 ends[i]);
        scree_scene *scene;
        scree_world *world;
        double begins[4];
        CHECK(scree_scene_parse(text, strlen(text), "fall.json", &scene));
        const scree_world_def def = scree_scene_get_world_def(scene);
        CHECK(scree_world_create(&def, &world));
        CHECK(scree_scene_build(scene, world, 1));
        go_through(scene, world, 60, begins);
        const scree_vec3 gravity = scree_world_get_def(world).gravity;
        ASSERT_WITHIN(gravity.x, x[i], 1e-6);
        ASSERT_WITHIN(gravity.z, z[i], 1e-6);
        scree_world_destroy(world);
        scree_scene_destroy(scene);
    }
}

/* An invalid change of a later stage is rejected before the first, at its place in the file. */
static void later_stages_are_rejected_at_once(void **state) {
    (void)state;
    static const char *const tries[][2] = {
        {"\"materials\": {\"glass\":\n{\"density\": 1}}",
         "gate.json:15:13: stages[3].materials.glass.density:"},
        {"\"materials\": {\"default\":\n{\"density\": 1}}",
         "gate.json:15:13: stages[3].materials.default.density:"},
        {"\n\"bodies\": {\"2\": {\"position\": [0, 0, 3]}}", "gate.json:15:30: stages[3].bodies.2.position:"},
        {"\n\"bodies\": {\"2\": {\"position\": [0, 0, 3], \"mass\": 2}}", "stages[3].bodies.2.position"},
        {"\n\"bodies\": {\"3\": {\"shape\": {\"kind\": \"ball\"}}}",
         "gate.json:15:36: stages[3].bodies.3.shape.kind:"},
        {"\n\"bodies\": {\"add\": [{\"shape\": {\"kind\": \"sphere\"}}]}",
         "gate.json:15:30: stages[3].bodies.add[0].shape:"},
        {"\n\"outlets\": []", "gate.json:15:12: stages[3].outlets:"},
        {"\"materials\":\nnull", "stages[3]:"},
        {"\"joints\": {\"add\": [\n{\"kind\": \"fixed\", \"b\": 2, \"point\": [0, 0, 0]}]}",
         "stages[3].joints:"},
        {"\"containers\": {\"add\": [{\"kind\": \"box\", \"inner_size\": [1, 1, 1]}]}}, {\"name\": \"y\", "
         "\"until\": {\"time\": 1},\n\"kinematic_groups\": {\"add\": [{\"containers\": [0], \"motions\": "
         "[]}]}",
         "gate.json:15:46: stages[4].kinematic_groups.add[0].containers[0]:"},
        {"\"materials\": {\n\"glas\": {\"friction\": 0}}", "gate.json:15:1: stages[3].materials.glas:"},
    };
    char more[512];
    for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
        snprintf(more, sizeof more, ", {\"name\": \"x\", \"until\": {\"time\": 1}, %s}", tries[i][0]);
        parsed(more, tries[i][1]);
    }
    /* The density of a material that was absent in between. */
    parsed(
        ", {\"name\": \"x\", \"until\": {\"time\": 1}, \"materials\": {\"a\": {\"density\": 7}}, "
        "\"material_pairs\": [{\"materials\": [\"a\", \"a\"], \"friction\": 0, \"restitution\": 0}]},"
        "{\"name\": \"y\", \"until\": {\"time\": 1}, \"materials\": {\"a\": null}, \"material_pairs\": null},"
        "{\"name\": \"z\", \"until\": {\"time\": 1}, \"materials\": {\"a\": {\"density\": 8}}, "
        "\"material_pairs\": [{\"materials\": [\"a\", \"a\"], \"friction\": 0, \"restitution\": 0}]}",
        "stages[5].materials.a.density: 8, but 7.0 in stages[4]");
    /* The first stage's own change, and its effect on the scene. */
    scree_scene *scene;
    static const char *const firsts[][2] = {
        {"{\"gravity\": [0, 0, 0],\n\"stages\": [{\"name\": \"a\", \"until\": {\"time\": 1},\n\"gravity\": "
         "7}]}",
         "first.json:3:12: stages[0].gravity:"},
        {"{\"gravity\":\n7, \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 1}}]}",
         "first.json:2:1: gravity:"},
        {"{\"stages\": [{\"name\": \"a\", \"until\": {\"time\": 1,\n\"after\": 2, \"rest\": 1}}]}",
         "first.json:2:10: stages[0].until.after:"},
    };
    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; ++i)
        CHECK_FAILS(scree_scene_parse(firsts[i][0], strlen(firsts[i][0]), "first.json", &scene),
                    SCREE_ERROR_FORMAT, firsts[i][1]);
    char text[4096];
    snprintf(text, sizeof text, stage_experiment,
             ", {\"name\": \"x\", \"until\": {\"time\": 1}, \"materials\": {\"glass\": {\"density\": 1}}}");
    write_text("late.json", text);
    EXPECT_CODE(shell("scree run late.json --out late"), 2);
    ASSERT_HOLDS(standard_error, "late.json:14:");
    assert_false(exists("late"));
}

/* A ball dropped from 0.9 m lands after √(2 · 0.9/9.81) = 0.43 s; at the first steps it is slow, but not at
 * rest. */
static void a_body_released_from_rest_is_not_at_rest(void **state) {
    (void)state;
    static const char text[] =
        "{\"time_step\": 1e-3, \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
        " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}},\n"
        "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0, 0, 1]}],\n"
        " \"stages\": [{\"name\": \"drop\", \"until\": {\"time\": 3, \"rest\": 1e-3}}]}";
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    double begins[4];
    CHECK(scree_scene_parse(text, strlen(text), "drop.json", &scene));
    const scree_world_def def = scree_scene_get_world_def(scene);
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    go_through(scene, world, 3000, begins);
    ASSERT_NEAR(begins[1], sqrt(2 * 0.9 / 9.81), 0.02);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

/* A stage's schedule starts from the base gravity, and the next stage's from it. */
static void gravity_is_scheduled_in_a_stage(void **state) {
    (void)state;
    static const char text[] =
        "{\"gravity\": [0, 0, -1], \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}],\n"
        " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 1}},\n"
        "  {\"name\": \"b\", \"until\": {\"time\": 1}, \"gravity_schedule\": [{\"time\": 0, \"gravity\": [2, "
        "0, 0]}]},\n"
        "  {\"name\": \"c\", \"until\": {\"time\": 1}, \"solver\": {\"iterations\": 7}}]}";
    scree_scene *scene = NULL;
    CHECK(scree_scene_parse(text, strlen(text), "tilt.json", &scene));
    const scree_world_def def = scree_scene_get_world_def(scene);
    const scree_resume_def resume = scree_default_resume_def();
    scree_world *world = NULL;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    for (int stage = 1; stage < 3; ++stage) {
        CHECK(scree_scene_enter_stage(scene, world, stage, &resume));
        CHECK(scree_world_step(world, NULL));
        ASSERT_WITHIN(scree_world_get_def(world).gravity.x, 2, 0);
    }
    assert_int_equal(scree_world_get_def(world).solver.iterations, 7);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

/* A belt stands, runs and stands again: friction gives bodies on it its speed. */
static void a_belt_starts_and_stops(void **state) {
    (void)state;
    static const char text[] =
        "{\"time_step\": 0.005, \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
        " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}},\n"
        "  {\"shape\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.1]}, \"position\": [0, 0, 0.05]}],\n"
        " \"stages\": [{\"name\": \"stand\", \"until\": {\"time\": 0.1}},\n"
        "  {\"name\": \"run\", \"until\": {\"time\": 0.5}, \"bodies\": {\"0\": {\"surface_velocity\": [0.5, "
        "0, 0]}}},\n"
        "  {\"name\": \"stop\", \"until\": {\"time\": 0.5}, \"bodies\": {\"0\": {\"surface_velocity\": "
        "null}}}]}";
    static const double speeds[] = {0, 0.5, 0};
    scree_scene *scene = NULL;
    CHECK(scree_scene_parse(text, strlen(text), "belt.json", &scene));
    const scree_world_def def = scree_scene_get_world_def(scene);
    const scree_resume_def resume = scree_default_resume_def();
    scree_world *world = NULL;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    for (int stage = 0; stage < 3; ++stage) {
        scree_body_id ids[2];
        scree_body_state box;
        if (stage) CHECK(scree_scene_enter_stage(scene, world, stage, &resume));
        for (int i = 0; i < 100; ++i) CHECK(scree_world_step(world, NULL));
        scree_body_list(world, ids, 2);
        CHECK(scree_body_get_state(world, ids[1], &box));
        ASSERT_WITHIN(box.linear_velocity.x, speeds[stage], 1e-3);
    }
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

/* Grains of an inlet changed by a stage use the seed with which the world was built, whatever seed the stage
 * sets for new items. */
static void a_changed_inlet_keeps_its_seed(void **state) {
    (void)state;
    static const char text[] =
        "{\"time_step\": 0.01, \"gravity\": [0, 0, 0], \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
        " \"inlets\": [{\"rate\": 50, \"zone\": {\"kind\": \"box\", \"size\": [9, 9, 9]},\n"
        "  \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}}],\n"
        " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.1}},\n"
        "  {\"name\": \"b\", \"until\": {\"time\": 0.1}, \"inlets\": {\"0\": {\"rate\": 100}}},\n"
        "  {\"name\": \"c\", \"until\": {\"time\": 0.1}, \"inlets\": {\"0\": {\"rate\": 25}}}]}\n";
    static const struct { uint64_t built, entered; } seeds[] = {{7, 7}, {7, 0}, {0, 7}};
    scree_body_state at[3][64];
    int count[3];
    scree_scene *scene = NULL;
    CHECK(scree_scene_parse(text, strlen(text), "rain.json", &scene));
    const scree_world_def def = scree_scene_get_world_def(scene);
    for (int i = 0; i < 3; ++i) {
        scree_world *world = NULL;
        scree_body_id ids[64];
        scree_resume_def resume = scree_default_resume_def();
        resume.seed = seeds[i].entered;
        CHECK(scree_world_create(&def, &world));
        CHECK(scree_scene_build(scene, world, seeds[i].built));
        for (int step = 0; step < 30; ++step) {
            if (step && step % 10 == 0) CHECK(scree_scene_enter_stage(scene, world, step / 10, &resume));
            CHECK(scree_world_step(world, NULL));
        }
        count[i] = scree_body_list(world, ids, 64);
        assert_in_range(count[i], 16, 19); /* 5 + 10 + 2.5, and the first at once */
        for (int k = 0; k < count[i]; ++k) CHECK(scree_body_get_state(world, ids[k], &at[i][k]));
        scree_world_destroy(world);
    }
    const size_t size = sizeof **at * (size_t)count[0];
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(at[0], at[1], size);
    assert_int_not_equal(memcmp(at[0], at[2], size), 0);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_released_from_rest_is_not_at_rest),
        cmocka_unit_test(removing_a_schedule_restores_gravity),
        cmocka_unit_test(each_stage_ends_and_applies_its_changes),
        cmocka_unit_test(invalid_stages_are_rejected),
        cmocka_unit_test(later_stages_are_rejected_at_once),
        cmocka_unit_test(gravity_is_scheduled_in_a_stage),
        cmocka_unit_test(a_belt_starts_and_stops),
        cmocka_unit_test(a_changed_inlet_keeps_its_seed),
    };
    return cmocka_run_group_tests(tests, folder_set_up_without_devices, folder_tear_down);
}
