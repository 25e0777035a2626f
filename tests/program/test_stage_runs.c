/* Runs of `scree run` in stages: resumed in the middle and at the end of a stage, with their rows and
 * checkpoints. */
#include "command.h"
#include "stage_experiment.h"

static void a_run_resumes_in_the_middle_of_a_stage(void **state) {
    (void)state;
    char text[4096];
    snprintf(text, sizeof text, stage_experiment, "");
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
    snprintf(text, sizeof text, stage_experiment, "");
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
    snprintf(text, sizeof text, stage_experiment, ", {\"name\": \"rest\", \"until\": {\"time\": 0.1}}");
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
    snprintf(text, sizeof text, stage_experiment, "");
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
        cmocka_unit_test(a_run_resumes_in_the_middle_of_a_stage),
        cmocka_unit_test(a_run_resumes_at_the_end_of_a_stage),
        cmocka_unit_test(stages_have_their_own_time_step),
        cmocka_unit_test(a_measured_value_ends_a_stage),
        cmocka_unit_test(new_bodies_are_added_and_checked),
        cmocka_unit_test(rows_come_without_frames),
        cmocka_unit_test(a_repeated_end_is_reported),
        cmocka_unit_test(ends_of_stages_are_saved),
        cmocka_unit_test(energy_of_added_bodies_is_no_gain),
        cmocka_unit_test(the_printed_command_keeps_the_seed),
    };
    return cmocka_run_group_tests(tests, folder_set_up_without_devices, folder_tear_down);
}
