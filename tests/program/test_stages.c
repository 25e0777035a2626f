/* Stages of one scene: when each ends, what it changes, and resuming in the middle of one. */
#include "command.h"

#include <math.h>

/* Grains on a gate in a pipe; the gate is removed; a wall is added, and friction changes. */
static const char experiment[] =
    "{\"time_step\": 0.01, \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
    " \"outputs\": {\"every\": 0, \"measurements_every\": 10, \"checkpoint_every\": 35},\n"
    " \"materials\": {\"glass\": {\"friction\": 0.5}},\n"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"box\", \"size\": [2, 2, 0.2]}, "
    "\"position\": [0, 0, -0.1]},\n"
    "  {\"type\": \"kinematic\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [9, 0, "
    "0]},\n"
    "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"material\": \"glass\", \"position\": [0, 0, "
    "0.2]}],\n"
    " \"kinematic_groups\": [{\"bodies\": [1], \"motions\": []}],\n"
    " \"outlets\": [{\"zone\": {\"kind\": \"half-space\", \"position\": [0, 0, -2]}}],\n"
    " \"stages\": [\n"
    "  {\"name\": \"land\", \"until\": {\"time\": 3, \"rest\": 1e-6, \"after\": 0.2}},\n"
    "  {\"name\": \"drive\", \"until\": {\"time\": 0.3}, \"gravity\": [1, 0, -9], \"materials\": {\"glass\": "
    "{\"friction\": 0.1}},\n"
    "   \"kinematic_groups\": {\"0\": {\"motions\": [{\"kind\": \"linear\", \"velocity\": [0, 2, 0]}]}}},\n"
    "  {\"name\": \"open\", \"until\": {\"time\": 5, \"grains_at_most\": 0}, \"bodies\": {\"0\": "
    "{\"absent\": true},\n"
    "   \"add\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}, \"position\": [0, 0, "
    "-9]}]}}%s]}\n";

static scree_scene *parsed(const char *more, const char *words) {
    char text[4096];
    scree_scene *scene = NULL;
    snprintf(text, sizeof text, experiment, more);
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

static void a_run_resumes_in_the_middle_of_a_stage(void **state) {
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, experiment, "");
    write_text("gate.json", text);
    EXPECT_CODE(shell("scree run gate.json --out whole"), 0);
    ASSERT_HOLDS(standard_output, "step 20, 0.2 s: stage \"drive\" follows \"land\"");
    ASSERT_HOLDS(standard_output, "materials.glass.friction: 0.5, now 0.1");
    EXPECT_CODE(shell("scree run gate.json --quiet --steps 40 --out part && "
                      "scree run gate.json --resume part/checkpoint.h5 --out part"),
                0);
    uint64_t step, whole_step;
    const uint64_t whole = checkpoint_hash("whole/checkpoint.h5", &whole_step);
    assert_true(checkpoint_hash("part/checkpoint.h5", &step) == whole);
    assert_int_equal(step, whole_step);
    EXPECT_CODE(shell("cut -d, -f1-3 whole/measurements.csv"), 0);
    ASSERT_HOLDS(standard_output, "\n20,0.2,land\n");
    ASSERT_HOLDS(standard_output, "\n30,0.3,drive\n");
    ASSERT_HOLDS(standard_output, "\n60,0.6,open\n");
}

/* A run stopped on the step that ends a stage, by a criterion or by its time, and one at its end. */
static void a_run_resumes_at_the_end_of_a_stage(void **state) {
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, experiment, "");
    write_text("gate.json", text);
    EXPECT_CODE(shell("scree run gate.json --quiet --measure 1 --checkpoint 20 --out whole"), 0);
    uint64_t step, whole_step;
    const uint64_t whole = checkpoint_hash("whole/checkpoint.h5", &whole_step);
    static const char *const next[] = {"drive", "open"};
    for (int i = 0; i < 2; ++i) {
        EXPECT_CODE(shell("scree run gate.json --quiet --measure 1 --steps %d --out part && "
                          "scree run gate.json --measure 1 --checkpoint 20 --resume part/checkpoint.h5 "
                          "--out part",
                          i ? 50 : 20),
                    0);
        ASSERT_HOLDS(standard_output, i ? "step 50, 0.5 s: stage \"open\" follows \"drive\""
                                        : "step 20, 0.2 s: stage \"drive\" follows \"land\"");
        assert_true(checkpoint_hash("part/checkpoint.h5", &step) == whole);
        assert_int_equal(step, whole_step);
        EXPECT_CODE(shell("for i in whole part; do cut -d, -f1-6 $i/measurements.csv >$i/rows; done; "
                          "cmp whole/rows part/rows && grep -c ',%s,' part/rows",
                          next[i]),
                    0);
    }
    for (int i = 0; i < 2; ++i) {
        EXPECT_CODE(shell("scree run gate.json --resume part/checkpoint.h5 --out part"), 0);
        ASSERT_HOLDS(standard_output, "The run had reached its end, ");
        assert_true(checkpoint_hash("part/checkpoint.h5", &step) == whole && step == whole_step);
    }
    /* Another end of the last stage is not reached yet, and a stage after it begins at once. */
    EXPECT_CODE(shell("sed 's/\"grains_at_most\": 0/\"after\": 0.9/; s/\"time\": 5/\"time\": 1/' gate.json "
                      ">longer.json && cp -r part longer && "
                      "scree run longer.json --quiet --resume longer/checkpoint.h5 --out longer"),
                0);
    checkpoint_hash("longer/checkpoint.h5", &step);
    assert_int_equal(step, 150);
    snprintf(text, sizeof text, experiment, ", {\"name\": \"rest\", \"until\": {\"time\": 0.1}}");
    write_text("more.json", text);
    EXPECT_CODE(shell("scree run more.json --resume part/checkpoint.h5 --out part"), 0);
    ASSERT_HOLDS(standard_output, "stage \"rest\" follows \"open\"");
    checkpoint_hash("part/checkpoint.h5", &step);
    assert_int_equal(step, whole_step + 10);
}

/* Each lasts its seconds in its own steps; --time counts seconds too. The last is half a step longer than its
 * time, since there are no half steps. */
static void stages_have_their_own_time_step(void **state) {
    (void)state;
    write_text("steps.json", "{\"time_step\": 0.004, \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
                             " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}],\n"
                             " \"outputs\": {\"every\": 0, \"measurements_every\": 0},\n"
                             " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.5}},\n"
                             "  {\"name\": \"b\", \"time_step\": 0.001, \"until\": {\"time\": 0.5}},\n"
                             "  {\"name\": \"c\", \"time_step\": 0.02, \"until\": {\"time\": 0.21}}]}\n");
    static const struct {
        const char *limit;
        int steps;
    } tries[] = {{"", 125 + 500 + 11}, {"--time 0.75", 125 + 250}, {"--time 9", 636}, {"--steps 130", 130}};
    uint64_t step;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
        EXPECT_CODE(shell("scree run steps.json %s --out steps", tries[i].limit), 0);
        if (!i) ASSERT_HOLDS(standard_output, "1 body, 636 steps at most, the next of 4 ms");
        checkpoint_hash("steps/checkpoint.h5", &step);
        assert_int_equal(step, tries[i].steps);
        EXPECT_CODE(shell("scree run steps.json %s --resume steps/checkpoint.h5 --out steps", tries[i].limit),
                    0);
        ASSERT_HOLDS(standard_output, "The run had reached its end, ");
    }
    write_text("other.json", "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}]}");
    EXPECT_CODE(shell("scree run other.json --resume steps/checkpoint.h5 --out other"), 2);
    ASSERT_HOLDS(standard_error, "stages[1]");
    EXPECT_CODE(shell("scree run steps.json --out order 2>&1"), 0); /* a single file has everything in
                                                                     * order */
    const char *follows = strstr(standard_output, "stage \"c\" follows \"b\""),
               *end = strstr(standard_output, "100 %");
    assert_true(follows && end && follows < end);
    EXPECT_CODE(shell("scree run steps.json --quiet --resume steps/checkpoint.h5 --out steps"), 0);
    scree_world *world = checkpoint_world("steps/checkpoint.h5");
    ASSERT_WITHIN(scree_world_get_time(world), 1.22, 1e-9);
    assert_int_equal(scree_world_step_count(world), 636);
    scree_world_destroy(world);
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
    snprintf(text, sizeof text, experiment,
             ", {\"name\": \"x\", \"until\": {\"time\": 1}, \"materials\": {\"glass\": {\"density\": 1}}}");
    write_text("late.json", text);
    EXPECT_CODE(shell("scree run late.json --out late"), 2);
    ASSERT_HOLDS(standard_error, "late.json:14:");
    assert_false(exists("late"));
}

/* A list that the scene omits is an empty one; a body that returns inside another is reported, bodies in
 * lasting contact are not. */
static void new_bodies_are_added_and_checked(void **state) {
    (void)state;
    write_text(
        "back.json",
        "{\"backend\": {\"kind\": \"native\", \"threads\": 1}, \"outputs\": {\"every\": 0},\n"
        " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}},\n"
        "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0, 0, 0.1]},\n"
        "  {\"type\": \"static\", \"shape\": {\"kind\": \"box\", \"size\": [0.4, 0.4, 0.4]},\n"
        "   \"position\": [0, 0, 0.1], \"absent\": true},\n"
        "  {\"type\": \"static\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [5, 0, "
        "0]},\n"
        "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [5, 0, 0.19]}],\n"
        " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.02, \"rest\": 1e-9, \"after\": 0.02}},\n"
        "  {\"name\": \"b\", \"until\": {\"time\": 0.02, \"grains_at_least\": 99}, \"bodies\": {\"2\": "
        "{\"absent\": false}}},\n"
        "  {\"name\": \"c\", \"until\": {\"time\": 1, \"grains_at_least\": 3}, \"inlets\": {\"add\": "
        "[{\"zone\": {\"kind\":\n"
        "   \"sphere\", \"radius\": 0.01, \"position\": [9, 0, 1]}, \"rate\": 100,\n"
        "   \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}}]}}]}\n");
    EXPECT_CODE(shell("scree run back.json --dt 0.01 --out back"), 0);
    ASSERT_HOLDS(standard_output, "stage \"b\" follows \"a\", which ended by its \"rest\"");
    ASSERT_HOLDS(standard_output, "stage \"c\" follows \"b\", which ended by its \"time\"");
    ASSERT_HOLDS(standard_output, "stage \"c\" ended by its \"grains_at_least\"");
    ASSERT_HOLDS(standard_error, "scree run: warning: ");
    ASSERT_HOLDS(standard_error, "stage \"b\": ");
    assert_int_equal(count_lines(standard_error), 3); /* and that there are no pictures */
    EXPECT_CODE(
        shell("sed 's/\"add\": .{\"zone\"/\"0\": [{\"zone\"/' back.json >zero.json && scree run zero.json"),
        2);
    ASSERT_HOLDS(standard_error, "stages[2].inlets: ");
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

/* A sphere of 4.1888 kg in free fall at 10 m/s² has 209.44 J/s² t²: 20 J after 0.309 s, and the next row is
 * that at 0.35 s. The mean over the five steps that end at t is 209.44 (t² − 0.04 t + 0.0006): 30.3 J in the
 * row at 0.4 s, 38.8 J in the next. */
static const char falling[] =
    "{\"time_step\": 0.01, \"gravity\": [0, 0, -10], \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
    " \"outputs\": {\"every\": 0}, \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}],\n"
    " \"measurements\": [{\"kind\": \"energy\", \"name\": \"fall\", \"every\": 5}],\n"
    " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 9,\n\"measurement\": {\"name\": \"%s\", "
    "\"figure\": \"%s\", "
    "\"above\": 20}}},\n"
    "  {\"name\": \"b\", \"until\": {\"time\": 9, \"measurement\": {\"name\": \"fall\", \"figure\": "
    "\"kinetic_energy_mean_J\", \"above\": 31}}}]}\n";

static void a_measured_value_ends_a_stage(void **state) {
    static const char *const wrong[][3] = {
        {"fal", "kinetic_energy_J", "fall.json:5:25: stages[0].until.measurement.name:"},
        {"fall", "kinetic_energy", "fall.json:5:43: stages[0].until.measurement.figure:"},
        {"fall", "friction_mean_J", "stages[0].until.measurement.figure:"},
    };
    char text[2048];
    (void)state;
    for (int i = 0; i < 3; i++) {
        scree_scene *scene;
        snprintf(text, sizeof text, falling, wrong[i][0], wrong[i][1]);
        CHECK_FAILS(scree_scene_parse(text, strlen(text), "fall.json", &scene), SCREE_ERROR_FORMAT,
                    wrong[i][2]);
    }
    snprintf(text, sizeof text, falling, "fall", "kinetic_energy_J");
    write_text("fall.json", text);
    EXPECT_CODE(shell("scree run fall.json --out whole"), 0);
    ASSERT_HOLDS(standard_output,
                 "step 35, 0.35 s: stage \"b\" follows \"a\", which ended by its \"measurement\"");
    ASSERT_HOLDS(standard_output, "stage \"b\" ended by its \"measurement\"");
    uint64_t step, whole_step;
    const uint64_t whole = checkpoint_hash("whole/checkpoint.h5", &whole_step);
    assert_int_equal(whole_step, 45);
    for (int at = 32; at < 44; at += 6) { /* between rows */
        EXPECT_CODE(shell("rm -rf part && scree run fall.json --quiet --steps %d --out part && "
                          "scree run fall.json --resume part/checkpoint.h5 --out part && "
                          "cmp part/measurement_fall.csv whole/measurement_fall.csv",
                          at),
                    0);
        assert_true(checkpoint_hash("part/checkpoint.h5", &step) == whole && step == whole_step);
    }
}

/* Without frames the ends of stages and the checkpoints still have rows, unless rows are off. */
static void rows_come_without_frames(void **state) {
    (void)state;
    static const char text[] =
        "{\"time_step\": 0.01, \"outputs\": {\"every\": 0, \"pictures\": false, \"checkpoint_every\": 7},\n"
        " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}],\n"
        " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.1}}, {\"name\": \"b\", \"until\": "
        "{\"time\": "
        "0.1}}]}\n";
    write_text("rows.json", text);
    EXPECT_CODE(
        shell("scree run rows.json --backend native --out rows && cut -d, -f1 rows/measurements.csv | "
              "tail -n +2 | tr '\\n' ' '"),
        0);
    ASSERT_HOLDS(standard_output, "7 10 14 20 ");
    EXPECT_CODE(
        shell("scree run rows.json --backend native --measure 0 --out none && wc -l <none/measurements.csv"),
        0);
    ASSERT_HOLDS(standard_output, "\n1\n");
}

/* A run that stopped at a bound stops there again: the step is named once, and so does the resume command. */
static void a_repeated_end_is_reported(void **state) {
    (void)state;
    write_text(
        "bound.json",
        "{\"time_step\": 0.01, \"gravity\": [0, 0, -10], \"outputs\": {\"pictures\": false},\n"
        " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}, \"position\": [0, 0, "
        "-9]},\n  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}],\n"
        " \"outlets\": [{\"zone\": {\"kind\": \"half-space\", \"position\": [0, 0, -0.2]}, \"stops\": "
        "true}]}\n");
    EXPECT_CODE(shell("scree run bound.json --backend native --out bound"), 1);
    ASSERT_HOLDS(standard_error, "scree run: step 20: ");
    ASSERT_HOLDS(standard_error, "bodies[1]\n");
}

/* Each stage's end is stored by its step; a run resumes from each to the same end. A new run removes them,
 * and a resumed run removes those of later steps. */
static void ends_of_stages_are_saved(void **state) {
    (void)state;
    char text[4096];
    uint64_t step, last;
    snprintf(text, sizeof text, experiment, "");
    write_text("gate.json", text);
    EXPECT_CODE(shell("scree run gate.json --keep-stages --out kept"), 0);
    ASSERT_HOLDS(standard_output, "h5 (3 in total)\n");
    const uint64_t whole = checkpoint_hash("kept/checkpoint.h5", &last);
    EXPECT_CODE(shell("test $(ls kept/stage-*.h5 | wc -l) = 3 -a -f kept/stage-%06d.h5", (int)last), 0);
    for (int i = 0; i < 2; ++i) {
        EXPECT_CODE(shell("scree run gate.json --resume kept/stage-%06d.h5 --out on", i ? 20 : 50), 0);
        ASSERT_HOLDS(standard_output, i ? "\"drive\" follows" : "\"open\" follows");
        assert_true(checkpoint_hash("on/checkpoint.h5", &step) == whole && step == last);
        EXPECT_CODE(shell("rm -r on"), 0);
    }
    EXPECT_CODE(
        shell(
            "scree run gate.json --steps 45 --resume kept/stage-000020.h5 --out kept && ls kept/stage-*.h5"),
        0);
    assert_string_equal(standard_output + strlen(standard_output) - strlen("kept/stage-000020.h5\n"),
                        "kept/stage-000020.h5\n");
    EXPECT_CODE(shell("test $(ls kept/stage-*.h5 | wc -l) = 1"), 0);
    EXPECT_CODE(shell("scree run gate.json --steps 10 --out kept && ls kept/stage-*.h5"), 2);
    EXPECT_CODE(shell("sed 's/\"every\": 0/\"every\": 0, \"keep_stages\": true/' gate.json >keep.json && "
                      "scree run keep.json --out keep && ls keep/stage-000020.h5"),
                0);
    write_text("plain.json", "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}");
    EXPECT_CODE(shell("scree run plain.json --keep-stages"), 2);
    ASSERT_HOLDS(standard_error, "--keep-stages");
}

/* A run that is stopped before a stage with new grains and resumed by the printed command makes the same
 * grains as one that is not stopped. */
static void the_printed_command_keeps_the_seed(void **state) {
    (void)state;
    uint64_t step;
    write_text(
        "later.json",
        "{\"time_step\": 0.01, \"gravity\": [0, 0, 0], \"outputs\": {\"pictures\": false},\n"
        " \"backend\": {\"kind\": \"native\", \"threads\": 1}, \"bodies\": [{\"shape\": "
        "{\"kind\": \"sphere\", \"radius\": 0.1}}],\n"
        " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.1}},\n"
        "  {\"name\": \"b\", \"until\": {\"time\": 0.1}, \"generators\": {\"add\": [{\"kind\": \"fill\", "
        "\"count\": 5, \"region\": {\"kind\": \"box\", \"size\": [3, 3], \"position\": [0, 0, 5], "
        "\"height\": 3}, \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}}]}}]}\n");
    EXPECT_CODE(shell("scree run later.json --quiet --seed 7 --out whole"), 0);
    const uint64_t whole = checkpoint_hash("whole/checkpoint.h5", &step);
    EXPECT_CODE(shell("scree run later.json --quiet --seed 7 --steps 5 --out part; "
                      "scree run later.json --quiet --resume part/checkpoint.h5 --seed 7 --out part"),
                0);
    assert_true(checkpoint_hash("part/checkpoint.h5", &step) == whole);
    EXPECT_CODE(shell("scree run later.json --quiet --resume part/checkpoint.h5 --seed 8 --out part"), 0);
    EXPECT_CODE(
        shell("sed 's/\"stages\"/\"outlets\": [{\"zone\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, "
              "\"stops\": true}], &/' later.json >ends.json && scree run ends.json --seed 7 --out ends"),
        1);
    ASSERT_HOLDS(standard_error, " --seed 7");
    write_text("plain.json", "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}");
    EXPECT_CODE(shell("scree run plain.json --quiet --steps 1 --out plain"), 0);
    EXPECT_CODE(shell("scree run plain.json --resume plain/checkpoint.h5 --seed 7 --steps 2 --out plain"), 2);
    ASSERT_HOLDS(standard_error, "--seed");
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

/* A ball at rest on the ground joins another one: its potential energy m g r is no gain of the run. */
static void energy_of_added_bodies_is_no_gain(void **state) {
    (void)state;
    write_text(
        "added.json",
        "{\"outputs\": {\"every\": 0, \"pictures\": false}, \"bodies\": [{\"type\": \"static\", \"shape\": "
        "{\"kind\": \"half-space\"}}, {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0, "
        "0, "
        "0.1]}], \"stages\": [{\"name\": \"one\", \"until\": {\"time\": 0.1}}, {\"name\": \"two\", "
        "\"until\": {\"time\": 0.1}, \"bodies\": {\"add\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": "
        "0.1}, \"position\": [1, 0, 0.1]}]}}]}");
    EXPECT_CODE(shell("scree run added.json --backend native --out added"), 0);
    ASSERT_HOLDS(standard_output, "; together +0 J since step 13\n");
    EXPECT_CODE(shell("scree run added.json --backend native --steps 4 --out added"), 0);
    ASSERT_HOLDS(standard_output, "; together +0 J since step 1\n");
    ASSERT_HOLDS(standard_output, "1 point, 1 pair touches; 1 colour, 0 points uncoloured, 1 warm-started\n");
    EXPECT_CODE(
        shell("scree run added.json --backend native --steps 8 --out added --resume added/checkpoint.h5"), 0);
    ASSERT_HOLDS(standard_output, "; together +0 J since step 5\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_released_from_rest_is_not_at_rest),
        cmocka_unit_test(removing_a_schedule_restores_gravity),
        cmocka_unit_test(each_stage_ends_and_applies_its_changes),
        cmocka_unit_test(a_run_resumes_in_the_middle_of_a_stage),
        cmocka_unit_test(a_run_resumes_at_the_end_of_a_stage),
        cmocka_unit_test(stages_have_their_own_time_step),
        cmocka_unit_test(a_measured_value_ends_a_stage),
        cmocka_unit_test(invalid_stages_are_rejected),
        cmocka_unit_test(later_stages_are_rejected_at_once),
        cmocka_unit_test(gravity_is_scheduled_in_a_stage),
        cmocka_unit_test(a_belt_starts_and_stops),
        cmocka_unit_test(new_bodies_are_added_and_checked),
        cmocka_unit_test(rows_come_without_frames),
        cmocka_unit_test(a_repeated_end_is_reported),
        cmocka_unit_test(ends_of_stages_are_saved),
        cmocka_unit_test(energy_of_added_bodies_is_no_gain),
        cmocka_unit_test(the_printed_command_keeps_the_seed),
        cmocka_unit_test(a_changed_inlet_keeps_its_seed),
    };
    return cmocka_run_group_tests(tests, folder_set_up_without_devices, folder_tear_down);
}
