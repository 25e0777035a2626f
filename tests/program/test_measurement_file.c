/* Files of measurements from outside: columns and rows, and that a stopped and resumed run leaves the same
 * ones. */
#include "command.h"

static const char gate[] =
    "{\"time_step\": 0.01, \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
    " \"outputs\": {\"every\": 0, \"pictures\": false, \"measurements_every\": 0, \"checkpoint_every\": "
    "13},\n"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"box\", \"size\": [2, 2, 0.2]}, "
    "\"position\": [0, 0, -0.1]},\n"
    "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"mass\": 2, \"position\": [0, 0, 0.1]}],\n"
    " \"measurements\": [{\"kind\": \"force\", \"name\": \"gate\", \"bodies\": [0], \"every_seconds\": 0.05, "
    "\"sample_every\": 2}],\n"
    " \"stages\": [{\"name\": \"rest\", \"until\": {\"time\": 0.2}},\n"
    "  {\"name\": \"gone\", \"until\": {\"time\": 0.1}, \"bodies\": {\"0\": {\"absent\": true}},\n"
    "   \"measurements\": {\"add\": [{\"kind\": \"force\", \"name\": \"ball\", \"bodies\": [1], \"every\": "
    "1}]}},\n"
    "  {\"name\": \"back\", \"until\": {\"time\": 0.2}, \"bodies\": {\"0\": {\"absent\": false}}}]}\n";

/* A gate that disappears and returns is measured again. */
static void rows_survive_stages_and_stops(void **state) {
    (void)state;
    write_text("gate.json", gate);
    EXPECT_CODE(shell("scree run gate.json --out whole/"), 0);
    ASSERT_HOLDS(standard_output, " whole/measurement_gate.csv (10 rows)");
    ASSERT_HOLDS(standard_output, "measurement_ball.csv (30 rows)");
    static char text[1 << 16];
    read_text("whole/measurement_gate.csv", text, sizeof text);
    const char *row = text;
    assert_memory_equal(row, "step,time_s,stage,samples,force_x_N,force_x_mean_N,force_x_max_N,force_y_N,",
                        66);
    for (int i = 1; i <= 10; ++i) {
        unsigned step, samples;
        double time, z, z_mean;
        char stage[8];
        row = strchr(row, '\n') + 1;
        assert_int_equal(sscanf(row, "%u,%lf,%7[a-z],%u,%*f,%*f,%*f,%*f,%*f,%*f,%lf,%lf", &step, &time, stage,
                                &samples, &z, &z_mean),
                         6);
        assert_string_equal(stage, i <= 4 ? "rest" : i <= 6 ? "gone" : "back");
        assert_int_equal(step, 5 * i);
        ASSERT_WITHIN(time, 0.05 * i, 1e-12);
        assert_int_equal(samples, 3); /* 2, 4, 5; 6, 8, 10 */
        if (i > 1 && i <= 4) ASSERT_NEAR(z_mean, -2 * 9.81, 1e-3);
        if (i == 5 || i == 6) assert_true(z == 0 && z_mean == 0);
    }
    assert_null(strchr(strchr(row, '\n') + 1, '\n'));
    EXPECT_CODE(shell("scree run gate.json --quiet --out part --steps 17 && "
                      "scree run gate.json --quiet --out part --resume part/checkpoint.h5 --steps 33 && "
                      "scree run gate.json --quiet --out part --resume part/checkpoint.h5 && "
                      "cmp whole/measurement_gate.csv part/measurement_gate.csv && "
                      "cmp whole/measurement_ball.csv part/measurement_ball.csv"),
                0);
    EXPECT_CODE(shell("scree run gate.json --out part --resume part/checkpoint.h5"), 0);
    ASSERT_HOLDS(standard_output, "nothing was missing");
    assert_null(strstr(standard_output, "measured "));
}

static void a_resume_checks_its_files(void **state) {
    (void)state;
    write_text("gate.json", gate);
    EXPECT_CODE(shell("scree run gate.json --quiet --out wrong --steps 17 && "
                      "sed -i s/force_x_N/farce/ wrong/measurement_gate.csv && "
                      "scree run gate.json --quiet --out wrong --resume wrong/checkpoint.h5"),
                2);
    ASSERT_HOLDS(standard_error, "measurement_gate.csv");
    EXPECT_CODE(shell("sed 's/\"name\": \"gate\"/\"name\": \"wall\"/' gate.json > other.json && "
                      "scree run other.json --quiet --out wrong --resume wrong/checkpoint.h5"),
                2);
    ASSERT_HOLDS(standard_error, "measurements[0].name: ");
}

/* A frame contains the last row of each measurement: those of the checkpoint of the same step, in the order
 * of the columns. */
static void frames_hold_the_last_rows(void **state) {
    char path[512], name[96];
    scree_frame frame = {0};
    (void)state;
    write_text("gate.json", gate);
    EXPECT_CODE(shell("scree run gate.json --quiet --out framed --every 48 --steps 48"), 0);
    snprintf(path, sizeof path, "%s/framed/frame_00000000.vtkhdf", folder);
    CHECK(scree_frame_load(path, &frame));
    assert_int_equal(frame.quantity_count, 0);
    scree_frame_release(&frame);
    snprintf(path, sizeof path, "%s/framed/frame_00000048.vtkhdf", folder);
    CHECK(scree_frame_load(path, &frame));
    scree_world *world = checkpoint_world("framed/checkpoint.h5");
    static const char *const names[] = {"gate", "ball"};
    int next = 0;
    for (int i = 0; i < 2; i++) {
        const scree_measurement_id id = scree_measurement_find(world, names[i]);
        scree_measurement_row row;
        CHECK(scree_measurement_get_row(world, id, &row));
        assert_int_equal(row.step, i ? 48 : 45);
        for (int k = 0; k < row.count; k++, next++) {
            const scree_frame_quantity *of = &frame.quantities[next];
            assert_true(next < frame.quantity_count && of->step == row.step && of->time == row.time);
            assert_string_equal(of->measurement, names[i]);
            CHECK(scree_measurement_get_quantity_name(world, id, k, 0, name, sizeof name));
            assert_string_equal(of->name, name);
            assert_true(of->sample == row.sample[k] && of->mean == row.mean[k] &&
                        of->maximum == row.maximum[k]);
        }
    }
    assert_int_equal(next, frame.quantity_count);
    scree_frame_release(&frame);
    scree_world_destroy(world);
}

/* A file that is missing, or truncated, while the other results exist is reported once; results in another
 * folder are not reported. */
static void missing_rows_are_reported(void **state) {
    static const char *const harms[] = {"rm harmed/measurement_gate.csv",
                                        "sed -i '$d' harmed/measurement_gate.csv"};
    (void)state;
    write_text("gate.json", gate);
    EXPECT_CODE(shell("scree run gate.json --quiet --out part --steps 17 --measure 5"), 0);
    for (int i = 0; i < 2; i++) {
        EXPECT_CODE(shell("rm -rf harmed && cp -r part harmed && %s && "
                          "scree run gate.json --quiet --out harmed --resume harmed/checkpoint.h5",
                          harms[i]),
                    0);
        ASSERT_HOLDS(
            standard_error,
            "scree run: warning: \"harmed/measurement_gate.csv\" lacks the row of step 15, which was "
            "measured: rows are missing\n");
        assert_int_equal(count_lines(standard_error), 2); /* and that the gate returns inside the ball */
    }
    EXPECT_CODE(shell("scree run gate.json --quiet --out fresh --resume part/checkpoint.h5 && "
                      "scree run gate.json --quiet --out part --resume part/checkpoint.h5"),
                0);
    assert_null(strstr(standard_error, "rows are missing"));
}

static const char pressed[] =
    "{\"time_step\": 0.01, \"gravity\": [0, 0, -10], \"outputs\": {\"every\": 0, \"pictures\": false},\n"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}},\n"
    "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"mass\": 1, \"position\": [0, 0, 0.1]}],\n"
    " \"measurements\": [{\"kind\": \"force\", \"name\": \"ball\", \"bodies\": [1], \"every\": 30, "
    "\"sample_every\": 3}],\n";

static void write_scene(const char *name, const char *rest) {
    char text[2048];
    snprintf(text, sizeof text, "%s%s", pressed, rest);
    write_text(name, text);
}

/* The partial interval at a stage's end is a row of its own, of this stage alone; a stage without samples
 * after its last row adds none. */
static void a_stage_ends_with_a_row(void **state) {
    (void)state;
    write_scene("ends.json",
                " \"stages\": [{\"name\": \"light\", \"until\": {\"rest\": 1e-3, \"after\": 0.2, "
                "\"time\": 9}},\n"
                "  {\"name\": \"heavy\", \"until\": {\"time\": 0.4}, \"gravity\": [0, 0, -100]},\n"
                "  {\"name\": \"short\", \"until\": {\"time\": 0.02}}]}\n");
    EXPECT_CODE(shell("scree run ends.json --quiet --out ends && "
                      "scree run ends.json --quiet --out halves --steps 20 && "
                      "scree run ends.json --quiet --out halves --resume halves/checkpoint.h5 && "
                      "cmp ends/measurement_ball.csv halves/measurement_ball.csv"),
                0);
    static char text[1 << 12];
    read_text("ends/measurement_ball.csv", text, sizeof text);
    const struct {
        int step, samples;
        const char *stage;
        double mean;
    } rows[] = {{20, 6, "light", 10}, {30, 4, "heavy", 100}, {60, 10, "heavy", 100}};
    const char *row = text;
    for (int i = 0; i < 3; i++) {
        int step, samples;
        char stage[8];
        double mean;
        row = strchr(row, '\n') + 1;
        assert_int_equal(
            sscanf(row, "%d,%*f,%7[a-z],%d,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%lf", &step, stage, &samples, &mean),
            4);
        assert_int_equal(step, rows[i].step);
        assert_int_equal(samples, rows[i].samples);
        assert_string_equal(stage, rows[i].stage);
        ASSERT_NEAR(mean, rows[i].mean, 1e-3);
    }
    assert_null(strchr(strchr(row, '\n') + 1, '\n'));
}

/* 10 N for 0.2 s and 100 N for 0.01 s of ten times smaller steps are 14.29 N on average. A new run removes
 * another scene's rows from the folder. */
static void means_are_weighted_by_time(void **state) {
    (void)state;
    write_scene("steps.json", " \"run\": {\"steps\": 30}}\n");
    EXPECT_CODE(
        shell("sed -i s/3}]/1}]/ steps.json && scree run steps.json --quiet --out steps --steps 20 && "
              "sed 's/-10\\]/-100]/; s/0.01,/0.001,/' steps.json > later.json && "
              "scree run later.json --quiet --out steps --resume steps/checkpoint.h5"),
        0);
    static char text[1 << 12];
    read_text("steps/measurement_ball.csv", text, sizeof text);
    double mean;
    assert_int_equal(sscanf(strchr(text, '\n') + 1, "30,%*f,,30,%*f,%*f,%*f,%*f,%*f,%*f,%*f,%lf", &mean), 1);
    ASSERT_NEAR(mean, (0.2 * 10 + 0.01 * 100) / 0.21, 1e-3);
    EXPECT_CODE(shell("sed 's/\"name\": \"ball\"/\"name\": \"grain\"/' steps.json > grain.json && "
                      "touch steps/measurement_notes.txt && scree run grain.json --quiet --out steps"),
                0);
    assert_false(exists("steps/measurement_ball.csv"));
    assert_true(exists("steps/measurement_grain.csv") && exists("steps/measurement_notes.txt"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_survive_stages_and_stops), cmocka_unit_test(a_resume_checks_its_files),
        cmocka_unit_test(frames_hold_the_last_rows),     cmocka_unit_test(missing_rows_are_reported),
        cmocka_unit_test(a_stage_ends_with_a_row),       cmocka_unit_test(means_are_weighted_by_time),
    };
    return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
