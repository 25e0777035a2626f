/* Stages of one scene: when each ends, what it changes, and that a run goes on in the middle of one. */
#include "command.h"

#include <math.h>

/* Grains on a gate in a pipe; the gate goes; a wall comes, and friction is another. */
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
    " \"assemblies\": [{\"bodies\": [1], \"motions\": []}],\n"
    " \"outlets\": [{\"zone\": {\"kind\": \"half-space\", \"position\": [0, 0, -2]}}],\n"
    " \"stages\": [\n"
    "  {\"name\": \"land\", \"until\": {\"time\": 3, \"rest\": 1e-6, \"after\": 0.2}},\n"
    "  {\"name\": \"drive\", \"until\": {\"time\": 0.3}, \"gravity\": [1, 0, -9], \"materials\": {\"glass\": "
    "{\"friction\": 0.1}},\n"
    "   \"assemblies\": {\"0\": {\"motions\": [{\"kind\": \"linear\", \"velocity\": [0, 2, 0]}]}}},\n"
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

/* Steps to the end of the last stage, or until the world is at `until` steps; times at which stages began. */
static void go_through(const scree_scene *scene, scree_world *world, uint64_t until, double begins[4]) {
    const scree_resume_def def = scree_default_resume_def();
    int stage;
    CHECK(scree_scene_stage(world, &stage, &begins[0]));
    for (double begin = begins[0]; scree_world_steps(world) < until;) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        if (!scree_scene_stage_over(scene, stage, begin, &s)) continue;
        begins[++stage] = s.time;
        if (stage == scree_scene_stage_count(scene)) return;
        CHECK(scree_scene_stage_enter(scene, world, stage, &def));
        CHECK(scree_scene_stage(world, &stage, &begin));
        assert_true(begin == s.time);
    }
}

static void each_stage_ends_and_changes_what_it_says(void **state) {
    (void)state;
    scree_scene *scene = parsed("", NULL);
    assert_int_equal(scree_scene_stage_count(scene), 3);
    assert_string_equal(scree_scene_stage_name(scene, 1), "drive");
    ASSERT_WITHIN(scree_scene_run_def(scene).length.seconds, 8.3, 1e-12);
    const scree_world_def def = scree_scene_world_def(scene);
    scree_world *world = NULL;
    double begins[4];
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    go_through(scene, world, 10000, begins);
    /* It has fallen 0.1 m within 0.143 s; rest is not asked before 0.2 s. */
    ASSERT_WITHIN(begins[1], 0.2, 1e-9);
    ASSERT_WITHIN(begins[2], 0.5, 1e-9);
    /* 2.1 m of fall at 9 m/s² take 0.683 s, and the next step's end is at 1.19 */
    ASSERT_WITHIN(begins[3], 0.5 + sqrt(2 * 2.1 / 9), 0.011);
    scree_body_id ids[8];
    assert_int_equal(scree_body_list(world, ids, 8),
                     2); /* the driven ball and the half-space; the grain has gone */
    scree_body_state at;
    CHECK(scree_body_state_get(world, ids[1].index == 2 ? ids[1] : ids[0], &at));
    ASSERT_WITHIN(at.position.y, 2 * (begins[3] - begins[1]), 1e-5);
    ASSERT_WITHIN(scree_world_get(world).gravity.x, 1, 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

static void a_run_goes_on_in_the_middle_of_a_stage(void **state) {
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

static void what_cannot_be_is_refused(void **state) {
    (void)state;
    static const char *const tries[][2] = {
        {", {\"until\": {\"time\": 1}}", "stages[3]: expected a \"name\""},
        {", {\"name\": \"x\"}", "stages[3]: the key \"until\" is missing"},
        {", {\"name\": \"x\", \"until\": {\"rest\": 1}}", "stages[3].until: the key \"time\" is missing"},
        {", {\"name\": \"x\", \"until\": {\"time\": 1}, \"run\": {\"steps\": 1}}",
         "cannot change between stages"},
        {", {\"name\": \"x\", \"until\": {\"time\": 1}, \"bodies\": {\"7\": {}}}",
         "the place of an entry below 4"},
        {", {\"name\": \"x\", \"until\": {\"time\": 1}, \"gravty\": 1}", "unknown key \"gravty\""},
        {", {\"name\": \"x\", \"until\": {\"time\": 1, \"figure\": {\"name\": \"travel_max\"}}}",
         "either \"below\" or \"above\""},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) parsed(tries[i][0], tries[i][1]);
    /* What cannot change is refused when the stage would begin, and the world stays in its own. */
    scree_scene *scene = parsed(
        ", {\"name\": \"x\", \"until\": {\"time\": 1}, \"materials\": {\"glass\": {\"density\": 1}}}", NULL);
    const scree_world_def def = scree_scene_world_def(scene);
    const scree_resume_def resume = scree_default_resume_def();
    scree_world *world = NULL;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    CHECK_FAILS(scree_scene_stage_enter(scene, world, 3, &resume), SCREE_ERROR_FORMAT, "density");
    CHECK_FAILS(scree_scene_stage_enter(scene, world, 4, &resume), SCREE_ERROR_ARGUMENT, "stage is 4");
    int stage;
    double begin;
    CHECK(scree_scene_stage(world, &stage, &begin));
    assert_int_equal(stage, 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_stage_ends_and_changes_what_it_says),
        cmocka_unit_test(a_run_goes_on_in_the_middle_of_a_stage),
        cmocka_unit_test(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
