/* Servo walls apply a constant force or pressure, downwards and sideways, through stages and checkpoints;
 * measurements report their positions. */
#include "command.h"
#include "scenery.h"

/* A platen of 0.5 kg on a ball on a floor; one ball presses another sideways against a wall, without weight.
 * 2000 Pa on 0.04 m² are 80 N; 30 N sideways. */
static const char press[] =
    "{\"time_step\": 0.005, \"solver\": {\"preset\": \"accurate\"}, \"backend\": {\"kind\": \"%s\", "
    "\"threads\": 1},\n"
    " \"outputs\": {\"every\": 0, \"pictures\": false},\n"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}},\n"
    "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}, \"position\": [0, 0, 0.05]},\n"
    "  {\"shape\": {\"kind\": \"box\", \"size\": [0.2, 0.2, 0.02]}, \"mass\": 0.5, \"position\": [0, 0, "
    "0.115],\n"
    "   \"servo\": {\"direction\": [0, 0, -1], \"pressure\": 2000}},\n"
    "  {\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}, \"position\": [2, 0, 0],\n"
    "   \"rotation\": {\"axis\": [0, 1, 0], \"angle_degrees\": -90}},\n"
    "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}, \"gravity_scale\": 0, \"position\": [1.95, 0, "
    "1]},\n"
    "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}, \"position\": [1.85, 0, 1],\n"
    "   \"servo\": {\"direction\": [1, 0, 0], \"force\": 30}}],\n"
    " \"measurements\": [{\"kind\": \"force\", \"name\": \"down\", \"bodies\": [2], \"every\": 20},\n"
    "  {\"kind\": \"force\", \"name\": \"side\", \"bodies\": [5], \"every\": 20},\n"
    "  {\"kind\": \"position\", \"name\": \"place\", \"bodies\": [2], \"every\": 20}],\n"
    " \"stages\": [{\"name\": \"press\", \"until\": {\"time\": 0.5}},\n"
    "  {\"name\": \"more\", \"until\": {\"time\": 0.5}, \"bodies\": {\"2\": {\"servo\": {\"pressure\": "
    "4000}}}},\n"
    "  {\"name\": \"lift\", \"until\": {\"time\": 0.1}, \"bodies\": {\"2\": {\"servo\": {\"direction\": [0, "
    "0, 1], "
    "\"pressure\": null, \"force\": 1}}}}]}\n";

static double last(const scree_world *world, const char *name, int quantity, bool mean) {
    scree_measurement_row row;
    CHECK(scree_measurement_get_row(world, scree_measurement_find(world, name), &row));
    return (mean ? row.mean : row.sample)[quantity];
}

/* On every backend. The platen starts 5 mm above the ball. Later a force of 1 N lifts 0.5 kg off: 2 m/s². */
static void a_servo_applies_its_force(void **state) {
    const scree_backend_kind backend = backend_of(state);
    char text[4096];
    scree_scene *scene = NULL;
    const scree_resume_def resume = scree_default_resume_def();
    snprintf(text, sizeof text, press, scree_backend_name(backend));
    CHECK(scree_scene_parse(text, strlen(text), "press.json", &scene));
    const scree_world_def def = scree_scene_get_world_def(scene);
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    for (int i = 0; i < 100; i++) CHECK(scree_world_step(world, NULL));
    ASSERT_WITHIN(last(world, "down", 2, true), 80, 0.05);
    ASSERT_WITHIN(last(world, "side", 0, true), -30, 0.03);
    ASSERT_WITHIN(last(world, "place", 2, false), 0.11, 1e-4);
    ASSERT_WITHIN(last(world, "place", 5, false), 0, 1e-4);
    ASSERT_WITHIN(last(world, "place", 6, false), 1, 0);
    CHECK(scree_scene_enter_stage(scene, world, 1, &resume));
    for (int i = 0; i < 100; i++) CHECK(scree_world_step(world, NULL));
    ASSERT_WITHIN(last(world, "down", 2, true), 160, 0.1);
    ASSERT_WITHIN(last(world, "side", 0, true), -30, 0.03);
    CHECK(scree_scene_enter_stage(scene, world, 2, &resume));
    for (int i = 0; i < 20; i++) CHECK(scree_world_step(world, NULL));
    ASSERT_WITHIN(last(world, "place", 5, false), 0.2, 2e-3);
    ASSERT_WITHIN(last(world, "place", 3, false), 0, 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

static void a_run_resumes_under_each_pressure(void **state) {
    static const int stops[] = {55, 100, 155, 207};
    char text[4096];
    uint64_t step, whole_step;
    (void)state;
    snprintf(text, sizeof text, press, "native");
    write_text("press.json", text);
    EXPECT_CODE(shell("scree run press.json --out whole"), 0);
    ASSERT_HOLDS(standard_output, "bodies[2].servo.pressure: 2000, now 4000");
    const uint64_t whole = checkpoint_hash("whole/checkpoint.h5", &whole_step);
    for (size_t i = 0; i < sizeof stops / sizeof *stops; ++i) {
        EXPECT_CODE(shell("rm -rf part && scree run press.json --quiet --steps %d --out part && "
                          "scree run press.json --quiet --resume part/checkpoint.h5 --out part && "
                          "cmp part/measurement_down.csv whole/measurement_down.csv && "
                          "cmp part/measurement_place.csv whole/measurement_place.csv",
                          stops[i]),
                    0);
        assert_true(checkpoint_hash("part/checkpoint.h5", &step) == whole && step == whole_step);
    }
}

/* A box of 2, 3 and 4 m: its projected area along its axes, rotated by 90° and by 45°. */
static void the_area_is_the_projected_area(void **state) {
    static const struct {
        const char *rotation, *direction;
        double force;
    } tries[] = {
        {"[0, 0, 0, 1]", "[2, 0, 0]", 12},
        {"[0, 0, 0, 1]", "[0, -1, 0]", -8},
        {"[0, 0, 0, 1]", "[0, 0, 1]", 6},
        {"{\"axis\": [0, 0, 1], \"angle_degrees\": 90}", "[1, 0, 0]", 8},
        {"{\"axis\": [0, 0, 1], \"angle_degrees\": 45}", "[1, 0, 0]", (12 + 8) * 0.70710678},
        {"{\"axis\": [0, 1, 0], \"angle_degrees\": 45}", "[0, 0, -1]", -(12 + 6) * 0.70710678},
    };
    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char text[512];
        scree_scene *scene = NULL;
        scree_world *world = NULL;
        scree_body_id id;
        scree_body_def body;
        snprintf(text, sizeof text,
                 "{\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [2, 3, 4]}, \"locks\": [], "
                 "\"rotation\": %s, "
                 "\"servo\": "
                 "{\"direction\": %s, \"pressure\": 1}}]}",
                 tries[i].rotation, tries[i].direction);
        CHECK(scree_scene_parse(text, strlen(text), "box.json", &scene));
        const scree_world_def def = scree_scene_get_world_def(scene);
        CHECK(scree_world_create(&def, &world));
        CHECK(scree_scene_build(scene, world, 0));
        scree_body_list(world, &id, 1);
        CHECK(scree_body_get_def(world, id, &body));
        ASSERT_WITHIN(body.force.x + body.force.y + body.force.z, tries[i].force, 2e-5);
        ASSERT_WITHIN(body.gravity_scale, 0, 0);
        scree_world_destroy(world);
        scree_scene_destroy(scene);
    }
}

static void invalid_servos_are_rejected(void **state) {
    static const char *const tries[][2] = {
        {"\"servo\": {\"direction\": [1, 1, 0], \"force\": 1}", "s.json:2:24: bodies[0].servo.direction:"},
        {"\"servo\": {\"direction\": [0, 0, 0], \"force\": 1}", "bodies[0].servo.direction"},
        {"\"servo\": {\"force\": 1}", "bodies[0].servo"},
        {"\"servo\": {\"direction\": [0, 0, 1]}", "bodies[0].servo"},
        {"\"servo\": {\"direction\": [0, 0, 1], \"force\": 1, \"pressure\": 1}", "bodies[0].servo"},
        {"\"servo\": {\"direction\": [0, 0, 1], \"force\": 1, \"area\": 1}", "bodies[0].servo"},
        {"\"servo\": {\"direction\": [0, 0, 1], \"pressure\": -1}", "bodies[0].servo.pressure"},
        {"\"servo\": {\"direction\": [0, 0, 1], \"pressure\": 1}", "bodies[0].servo"},
        {"\"servo\": {\"direction\": [0, 0, 1], \"force\": 1}, \"locks\": [\"x\"]", "bodies[0].locks:"},
        {"\"type\": \"static\", \"servo\": {\"direction\": [0, 0, 1], \"force\": 1}", "bodies[0].servo:"},
        {"\"servo\": 1", "bodies[0].servo:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char text[512];
        scree_scene *scene = NULL;
        snprintf(text, sizeof text, "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1},\n%s}]}",
                 tries[i][0]);
        CHECK_FAILS(scree_scene_parse(text, strlen(text), "s.json", &scene), SCREE_ERROR_FORMAT, tries[i][1]);
    }
}

static int set_up(void **state) { return folder_set_up(state); }

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(a_servo_applies_its_force),
        cmocka_unit_test(a_run_resumes_under_each_pressure),
        cmocka_unit_test(the_area_is_the_projected_area),
        cmocka_unit_test(invalid_servos_are_rejected),
    };
    return cmocka_run_group_tests(tests, set_up, folder_tear_down);
}
