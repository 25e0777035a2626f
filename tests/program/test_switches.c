/* Stages switch inlets, outlets, measurements, outputs, joints and loads on bodies; a run resumes in the
 * middle of each stage; and the calls on a world that stages use. */
#include "command.h"

/* A sphere of 4.18879 kg without weight, grains that rain past it, and a plane between inlet and outlet. */
static const char experiment[] =
    "{\"time_step\": 0.01, \"gravity\": [0, 0, -10], \"backend\": {\"kind\": \"native\", \"threads\": 1},\n"
    " \"outputs\": {\"every\": 10, \"measurements_every\": 50},\n"
    " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [5, 0, 2], "
    "\"gravity_scale\": 0}],\n"
    " \"inlets\": [{\"zone\": {\"kind\": \"box\", \"size\": [0.4, 0.4, 0.4], \"position\": [0, 0, 1]}, "
    "\"rate\": "
    "100,\n"
    "   \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}}],\n"
    " \"outlets\": [{\"zone\": {\"kind\": \"half-space\", \"position\": [0, 0, -0.5]}, \"absent\": true}],\n"
    " \"measurements\": [{\"kind\": \"flow\", \"name\": \"rain\", \"every\": 10, \"zone\": {\"kind\": "
    "\"half-space\", \"position\": [0, 0, 0.7]}}],\n"
    " \"stages\": [\n"
    "  {\"name\": \"rain\", \"until\": {\"time\": 0.5}},\n"
    "  {\"name\": \"dry\", \"until\": {\"time\": 0.5}, \"bodies\": {\"0\": {\"force\": [4.1887902, 0, 0]}},\n"
    "   \"inlets\": {\"0\": {\"absent\": true}}, \"outlets\": {\"0\": {\"absent\": false}},\n"
    "   \"measurements\": {\"0\": {\"absent\": true}}, \"outputs\": {\"frames\": {\"chains\": true}}},\n"
    "  {\"name\": \"drops\", \"until\": {\"time\": 0.5}, \"bodies\": {\"0\": {\"force\": null, "
    "\"gravity_scale\": 1}},\n"
    "   \"inlets\": {\"0\": {\"absent\": false, \"rate\": 20, \"count\": 4}},\n"
    "   \"measurements\": {\"0\": {\"absent\": null, \"every\": 25}}, \"outputs\": {\"frames\": null}}%s]}\n";

static void write_experiment(void) {
    char text[4096];
    snprintf(text, sizeof text, experiment, "");
    write_text("rain.json", text);
}

/* A sum of rates: 100/s for half a second, none, and four at most. With a force of 1 N/kg for half a second
 * the sphere has 0.5 m/s, and keeps it when the force has gone; with its weight it then falls. */
static void each_stage_has_its_own(void **state) {
    (void)state;
    write_experiment();
    EXPECT_CODE(shell("scree run rain.json --out whole"), 0);
    ASSERT_HOLDS(standard_output, "bodies[0].force: not given, now [4.1887902,0,0]");
    ASSERT_HOLDS(standard_output, "inlets[0].absent: not given, now true");
    EXPECT_CODE(shell("cut -d, -f1,3 whole/measurement_rain.csv | paste -sd' '"), 0);
    assert_string_equal(standard_output,
                        "step,stage 10,rain 20,rain 30,rain 40,rain 50,rain 125,drops 150,drops\n");
    /* Bodies that fell through the plane while it was not measured do not count. */
    EXPECT_CODE(shell("python3 -c \"import csv; rows = list(csv.DictReader(open('whole/measurements.csv'))); "
                      "print([r['inserted'] for r in rows], 0 < int(rows[1]['removed']) <= 50, "
                      "rows[0]['removed'])\""),
                0);
    assert_string_equal(standard_output, "['50', '50', '54'] True 0\n");
    EXPECT_CODE(shell("cd whole && ls chains_* | paste -sd' '"), 0);
    assert_string_equal(standard_output, "chains_00000060.vtp chains_00000070.vtp chains_00000080.vtp "
                                         "chains_00000090.vtp chains_00000100.vtp\n");
    scree_world *world = checkpoint_world("whole/checkpoint.h5");
    scree_body_id id;
    scree_body_state at;
    scree_body_list(world, &id, 1);
    CHECK(scree_body_get_state(world, id, &at));
    ASSERT_WITHIN(at.linear_velocity.x, 0.5, 1e-5);
    ASSERT_WITHIN(at.linear_velocity.z, -5, 1e-4);
    scree_world_destroy(world);
}

static void a_run_goes_on_in_each_of_them(void **state) {
    static const int stops[] = {23, 50, 77, 113, 133};
    uint64_t step, whole_step;
    (void)state;
    write_experiment();
    EXPECT_CODE(shell("scree run rain.json --quiet --out whole"), 0);
    const uint64_t whole = checkpoint_hash("whole/checkpoint.h5", &whole_step);
    assert_int_equal(whole_step, 150);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; ++i) {
        EXPECT_CODE(shell("rm -rf part && scree run rain.json --quiet --steps %d --out part && "
                          "scree run rain.json --quiet --resume part/checkpoint.h5 --out part && "
                          "cmp part/measurement_rain.csv whole/measurement_rain.csv",
                          stops[i]),
                    0);
        assert_true(checkpoint_hash("part/checkpoint.h5", &step) == whole && step == whole_step);
    }
}

/* An edit of the scene file switches the same things between two runs. */
static void an_edit_switches_as_a_stage_does(void **state) {
    (void)state;
    write_text(
        "plain.json",
        "{\"time_step\": 0.01, \"outputs\": {\"every\": 0, \"measurements_every\": 50}, \"backend\": "
        "{\"kind\": \"native\", \"threads\": 1}, \"run\": {\"duration\": 0.5},\n"
        " \"inlets\": [{\"zone\": {\"kind\": \"sphere\", \"radius\": 1}, \"rate\": 10,\n"
        "  \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}}],\n"
        " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}]}\n");
    EXPECT_CODE(
        shell("scree run plain.json --quiet --out plain && sed 's/\"rate\": 10/\"rate\": 40/' plain.json "
              ">more.json && scree run more.json --resume plain/checkpoint.h5 --out plain --time 1 && "
              "cut -d, -f1 plain/measurements.csv | paste -sd' '"),
        0);
    ASSERT_HOLDS(standard_output, "inlets[0].rate: 10, now 40");
    scree_world *world = checkpoint_world("plain/checkpoint.h5");
    assert_int_equal(scree_body_count(world), 1 + 5 + 20);
    scree_world_destroy(world);
}

static void what_cannot_switch_is_refused(void **state) {
    static const char *const tries[][2] = {
        {"\"measurements\": {\"0\": {\"kind\": \"energy\", \"zone\": null}}",
         "stages[3].measurements.0.kind:"},
        {"\"measurements\": {\"0\": {\"name\": \"snow\"}}", "stages[3].measurements.0.name:"},
        {"\"inlets\": {\"0\": {\"rate\": -1}}", "stages[3].inlets.0.rate:"},
        {"\"inlets\": {\"0\": {\"rate\": null}}", "stages[3].inlets.0"},
        {"\"inlets\": []", "stages[3].inlets:"},
        {"\"bodies\": {\"0\": {\"mass\": 1}}", "stages[3].bodies.0.mass:"},
        {"\"outputs\": {\"frames\": {\"fields\": [\"colour\"]}}", "stages[3].outputs.frames.fields"},
        {"\"measurements\": {\"0\": {\"absent\": true}}, \"until\": {\"time\": 1, \"measurement\": "
         "{\"name\": "
         "\"rain\", \"figure\": \"grains\", \"above\": 1}}",
         "stages[3].until.measurement.name:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
        char more[512], text[5000];
        scree_scene *scene = NULL;
        snprintf(more, sizeof more, ", {\"name\": \"x\", %s%s}",
                 strstr(tries[i][0], "until") ? "" : "\"until\": {\"time\": 1}, ", tries[i][0]);
        snprintf(text, sizeof text, experiment, more);
        CHECK_FAILS(scree_scene_parse(text, strlen(text), "rain.json", &scene), SCREE_ERROR_FORMAT,
                    tries[i][1]);
    }
}

/* The calls by which stages do it. */
static void a_world_takes_them_by_calls(void **state) {
    const scree_vec3 none = {0, 0, 0}, push = {8.3775804f, 0, 0};
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    scree_inlet_def inlet = scree_default_inlet_def();
    scree_outlet_def outlet = scree_default_outlet_def();
    scree_measurement_def measurement = scree_default_measurement_def();
    scree_flow_id in, out;
    scree_measurement_id meter;
    scree_measurement_row row;
    scree_body_id ball, wall;
    scree_body_state at;
    (void)state;
    def.backend = SCREE_BACKEND_NATIVE, def.time_step = 0.01, def.gravity = none;
    CHECK(scree_world_create(&def, &world));
    scree_body_def body = scree_default_body_def();
    body.shape = scree_shape_sphere(0.1f);
    body.state.position.x = 0.2f;
    CHECK(scree_body_create(world, &body, &ball));
    body.type = SCREE_BODY_STATIC, body.state.position.x = 9;
    CHECK(scree_body_create(world, &body, &wall));
    inlet.rate = 100, inlet.closed = true;
    inlet.body.shape = scree_shape_sphere(0.001f);
    CHECK(scree_inlet_create(world, &inlet, &in));
    CHECK(scree_outlet_create(world, &outlet, &out));
    CHECK_FAILS(scree_inlet_set_def(world, out, &inlet), SCREE_ERROR_HANDLE, "flow");
    CHECK_FAILS(scree_outlet_set_def(world, in, &outlet), SCREE_ERROR_HANDLE, "flow");
    measurement.name = "energy", measurement.kind = SCREE_MEASUREMENT_ENERGY, measurement.every.steps = 4;
    CHECK(scree_measurement_create(world, &measurement, &meter));
    measurement.name = "other";
    CHECK_FAILS(scree_measurement_set_def(world, meter, &measurement), SCREE_ERROR_ARGUMENT, "energy");
    CHECK_FAILS(scree_body_set_loads(world, wall, push, none), SCREE_ERROR_ARGUMENT, "force");
    CHECK(scree_body_set_loads(world, wall, none, none));
    /* 2 N/kg for ten steps, and for one of them twice as much: v = 0.2 + 0.02. The outlet is half a metre
     * away. */
    CHECK(scree_body_apply_force(world, ball, push));
    CHECK(scree_body_set_loads(world, ball, push, none));
    for (int i = 0; i < 10; i++) CHECK(scree_world_step(world, NULL));
    CHECK(scree_body_get_state(world, ball, &at));
    ASSERT_WITHIN(at.linear_velocity.x, 0.22, 1e-6);
    assert_int_equal(scree_body_count(world), 2);
    CHECK(scree_measurement_get_row(world, meter, &row));
    assert_int_equal(row.step, 8);
    /* Open: a grain a step. Paused: no row. The outlet lets go, though the ball is beyond it soon. */
    inlet.closed = false, outlet.closed = true, measurement.name = "energy", measurement.paused = true;
    CHECK(scree_inlet_set_def(world, in, &inlet));
    CHECK(scree_outlet_set_def(world, out, &outlet));
    CHECK(scree_measurement_set_def(world, meter, &measurement));
    for (int i = 0; i < 200; i++) CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_body_count(world), 202);
    CHECK(scree_measurement_get_row(world, meter, &row));
    assert_int_equal(row.step, 8);
    measurement.paused = false;
    CHECK(scree_measurement_set_def(world, meter, &measurement));
    for (int i = 0; i < 2; i++) CHECK(scree_world_step(world, NULL));
    CHECK(scree_measurement_get_row(world, meter, &row));
    assert_int_equal(row.step, 212);
    assert_int_equal(row.samples, 2);
    scree_world_destroy(world);
}

/* A joint goes and comes with its bodies: what hangs on one falls while it is away, one that comes at last
 * has its joint from then on, and neither exists at first. */
static void joints_come_with_their_bodies(void **state) {
    (void)state;
    write_text(
        "hang.json",
        "{\"backend\": {\"kind\": \"native\", \"threads\": 1}, \"outputs\": {\"every\": 0, "
        "\"measurements_every\": 10},\n"
        " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0, 0, 1]},\n"
        "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0, 0, 0.5], \"absent\": "
        "true}],\n"
        " \"joints\": [{\"kind\": \"ball\", \"b\": 0, \"point\": [0, 0, 1.5]},\n"
        "  {\"kind\": \"ball\", \"a\": 0, \"b\": 1, \"point\": [0, 0, 0.75]}],\n"
        " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.1}},\n"
        "  {\"name\": \"b\", \"until\": {\"time\": 0.1}, \"bodies\": {\"1\": {\"absent\": null}}},\n"
        "  {\"name\": \"c\", \"until\": {\"time\": 0.1}, \"bodies\": {\"1\": {\"absent\": true}}},\n"
        "  {\"name\": \"d\", \"until\": {\"time\": 0.1}, \"bodies\": {\"1\": {\"absent\": null}}}]}\n");
    EXPECT_CODE(shell("scree run hang.json --dt 0.01 --out hang"), 0);
    ASSERT_HOLDS(standard_output, "bodies        2, 2 of them dynamic");
    ASSERT_HOLDS(standard_output, "joints        apart by ");
    assert_null(strstr(standard_output, "kinetic 9")); /* 9.7 J after 0.1 s without the joint */
    EXPECT_CODE(shell("cut -d, -f1,21 hang/measurements.csv"), 0);
    ASSERT_HOLDS(standard_output, "10,1\n20,2\n30,1\n40,2\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_come_with_their_bodies), cmocka_unit_test(each_stage_has_its_own),
        cmocka_unit_test(a_run_goes_on_in_each_of_them), cmocka_unit_test(an_edit_switches_as_a_stage_does),
        cmocka_unit_test(what_cannot_switch_is_refused), cmocka_unit_test(a_world_takes_them_by_calls),
    };
    return cmocka_run_group_tests(tests, folder_set_up_without_devices, folder_tear_down);
}
