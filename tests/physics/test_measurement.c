/* Measurements of force and torque against weights, and features common to all measurements: rows, names,
 * files, and resumed runs. */
#include "folder.h"
#include "measurement_scenery.h"

static scree_measurement_id measurement_of(scree_world *world, const char *name, const scree_body_id *bodies,
                                           int count, uint64_t every) {
    scree_measurement_def def = scree_default_measurement_def();
    def.name = name;
    def.bodies = bodies, def.body_count = count;
    def.every.steps = every;
    return measurement_made(world, def);
}

/* A column of 4 balls of 0.1 m stands on a plate off the axis: the plate carries 4 m g, and the torque about
 * the y axis is m g times the arm. Forces between the two lowest and the rest are internal. */
static void a_plate_carries_the_weight(void **state) {
    scree_world_def def = def_on(state);
    def.solver.tolerance = 1e-6f, def.solver.iterations = 300;
    scree_world *world = world_of(&def);
    scree_body_def plate = scree_default_body_def();
    scree_body_id ids[6];
    plate.type = SCREE_BODY_STATIC;
    plate.shape = scree_shape_box(2, 2, 0.1f);
    plate.state.position = (scree_vec3){0, 0, -0.1f};
    CHECK(scree_body_create(world, &plate, &ids[0]));
    for (int i = 0; i < 4; i++)
        ids[1 + i] = add_body(world, scree_shape_sphere(0.1f),
                              (scree_vec3){0.5f, 0.25f, 0.1f + 0.2f * (float)i}, (scree_vec3){0, 0, 0});
    const scree_measurement_id floor = measurement_of(world, "floor", ids, 1, 10),
                               both = measurement_of(world, "floor_and_first", ids, 2, 10),
                               all = measurement_of(world, "all", ids, 5, 10),
                               none = measurement_of(world, "none", NULL, 0, 10);
    assert_int_equal(row_of(world, floor).step, 0);
    run_for(world, 1.25);
    const double weight = 4000 * 4 * M_PI / 3 * 1e-3 * 9.81;
    assert_int_equal(row_of(world, floor).step, 150);
    assert_int_equal(row_of(world, floor).samples, 10);
    ASSERT_NEAR(sample_of(world, floor, "force_z_N"), -weight, 1e-4);
    ASSERT_NEAR(mean_of(world, floor, "force_z_N"), -weight, 1e-4);
    ASSERT_NEAR(mean_of(world, floor, "force_N"), weight, 1e-4);
    ASSERT_WITHIN(sample_of(world, floor, "force_x_N"), 0, 1e-3 * weight);
    /* x × F with F = −W ẑ: (−y W, x W, 0) */
    ASSERT_NEAR(mean_of(world, floor, "torque_x_Nm"), -0.25 * weight, 1e-3);
    ASSERT_NEAR(mean_of(world, floor, "torque_y_Nm"), 0.5 * weight, 1e-3);
    ASSERT_WITHIN(mean_of(world, floor, "contacts"), 1, 0);
    ASSERT_NEAR(mean_of(world, both, "force_z_N"), -0.75 * weight, 1e-4);
    assert_true(mean_of(world, all, "force_N") == 0);
    assert_true(mean_of(world, none, "contacts") == 0);
    CHECK(scree_measurement_set_bodies(world, none, ids, 1));
    run_for(world, 10 * def.time_step);
    ASSERT_NEAR(mean_of(world, none, "force_z_N"), -weight, 1e-4);
    /* a destroyed body is ignored */
    CHECK(scree_body_destroy(world, ids[0]));
    run_for(world, 10 * def.time_step);
    assert_true(mean_of(world, floor, "force_N") == 0);
    scree_world_destroy(world);
}

/* One row over ten steps is the mean of ten rows over one step, while a ball lands. */
/* The mean of five grains is five, for any length of steps. */
static void a_mean_of_counts_is_exact(void **state) {
    static const double steps[] = {0.0005, 0.01, 1.0 / 120};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        scree_world_def def = def_on(state);
        def.time_step = steps[i];
        scree_world *world = world_of(&def);
        for (int ball = 0; ball < 5; ball++)
            add_body(world, scree_shape_sphere(0.1f), (scree_vec3){(float)ball, 0, 0}, (scree_vec3){0, 0, 0});
        scree_measurement_def all = measurement_def_of(SCREE_MEASUREMENT_COORDINATION, "all");
        all.every.steps = 30;
        const scree_measurement_id id = measurement_made(world, all);
        for (int step = 0; step < 30; step++) CHECK(scree_world_step(world, NULL));
        assert_true(mean_of(world, id, "grains") == 5);
        scree_world_destroy(world);
    }
}

static void maximum_and_mean_are_over_the_interval(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.01;
    scree_world *world = world_of(&def);
    scree_body_id ground = add_slope(world, 0);
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.2f}, (scree_vec3){0, 0, 0});
    const scree_measurement_id each = measurement_of(world, "each", &ground, 1, 1),
                               ten = measurement_of(world, "ten", &ground, 1, 10);
    for (int interval = 0; interval < 5; interval++) {
        double sum = 0, most = -INFINITY;
        for (int i = 0; i < 10; i++) {
            CHECK(scree_world_step(world, NULL));
            const double now = sample_of(world, each, "force_N");
            sum += now;
            if (now > most) most = now;
            assert_int_equal(row_of(world, each).samples, 1);
        }
        const int force = quantity_of(world, ten, "force_N");
        ASSERT_NEAR(row_of(world, ten).mean[force], sum / 10, 1e-15);
        assert_true(row_of(world, ten).maximum[force] == most);
        assert_true(row_of(world, ten).sample[force] == sample_of(world, each, "force_N"));
        ASSERT_WITHIN(row_of(world, ten).time, 0.1 * (interval + 1), 1e-12);
    }
    scree_world_destroy(world);
}

/* The torque of a drum about its axis is that of an eccentric weight: a box leaning on two walls. */
static const char pit[] =
    "{\"backend\": {\"kind\": \"native\", \"threads\": %d}, \"time_step\": 0.005, \"run\": {\"steps\": "
    "120},\n"
    " \"outputs\": {\"every\": 0, \"checkpoint_every\": %d},\n"
    " \"containers\": [{\"kind\": \"box\", \"inner_size\": [0.5, 0.5, 0.5]}],\n"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}, \"position\": [0, 0, "
    "-1]}],\n"
    " \"generators\": [{\"kind\": \"lattice\", \"cells\": [3, 3, 3], \"spacing\": 0.12, \"jitter\": 0.01,\n"
    "   \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}],\n"
    " \"measurements\": [{\"kind\": \"force\", \"name\": \"walls\", \"containers\": [0], \"bodies\": [0], "
    "\"every\": 7, \"point\": [0, 0, 1]},\n"
    "  {\"kind\": \"force\", \"name\": \"fast\", \"containers\": [0], \"every_seconds\": 0.01}%s]}\n";

static scree_scene *pit_of(int threads, const char *more) {
    char text[4096];
    scree_scene *scene = NULL;
    snprintf(text, sizeof text, pit, threads, 0, more);
    CHECK(scree_scene_parse(text, strlen(text), "pit.json", &scene));
    return scene;
}

static scree_world *built(const scree_scene *scene) {
    const scree_world_def def = scree_scene_get_world_def(scene);
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    return world;
}

static void assert_same_rows(const scree_world *a, const scree_world *b, const char *name) {
    const scree_measurement_row one = row_of(a, scree_measurement_find(a, name)),
                                other = row_of(b, scree_measurement_find(b, name));
    assert_int_equal(one.step, other.step);
    assert_true(one.time == other.time && one.samples == other.samples && one.count == other.count);
    for (int i = 0; i < one.count; i++) {
        assert_true(one.sample[i] == other.sample[i] || (isnan(one.sample[i]) && isnan(other.sample[i])));
        assert_true(one.mean[i] == other.mean[i] || (isnan(one.mean[i]) && isnan(other.mean[i])));
        assert_true(one.maximum[i] == other.maximum[i] || (isnan(one.maximum[i]) && isnan(other.maximum[i])));
    }
}

/* A world saved in the middle of an interval writes the same next row, bit for bit, also on other numbers of
 * threads. */
static void rows_do_not_depend_on_checkpoints_or_threads(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "pit.checkpoint");
    static const char more[] =
        ", {\"kind\": \"energy\", \"name\": \"energy\", \"every\": 10}, {\"kind\": \"flow\", \"name\": "
        "\"flow\", "
        "\"every\": 9, \"zone\": {\"kind\": \"half-space\", \"position\": [0, 0, 0.2]}}";
    scree_scene *one = pit_of(1, more), *two = pit_of(2, more);
    scree_world *stayed = built(one), *threaded = built(two), *resumed = NULL;
    for (int i = 0; i < 73; i++) CHECK(scree_world_step(stayed, NULL));
    CHECK(scree_checkpoint_save(stayed, path));
    const scree_world_def runtime = scree_scene_get_world_def(one);
    CHECK(scree_checkpoint_load(path, &runtime, &resumed));
    assert_same_rows(stayed, resumed, "walls");
    assert_same_rows(stayed, resumed, "fast");
    for (int i = 73; i < 95; i++) CHECK(scree_world_step(stayed, NULL));
    for (int i = 73; i < 95; i++) CHECK(scree_world_step(resumed, NULL));
    for (int i = 0; i < 95; i++) CHECK(scree_world_step(threaded, NULL));
    assert_int_equal(row_of(stayed, scree_measurement_find(stayed, "walls")).step, 91);
    assert_int_equal(row_of(stayed, scree_measurement_find(stayed, "fast")).step, 94);
    for (int i = 0; i < 2; i++) {
        const scree_world *other = i ? threaded : resumed;
        assert_same_rows(stayed, other, "walls");
        assert_same_rows(stayed, other, "fast");
        assert_same_rows(stayed, other, "energy");
        assert_same_rows(stayed, other, "flow");
    }
    assert_true(sample_of(stayed, scree_measurement_find(stayed, "flow"), "grains") > 0);
    assert_true(sample_of(stayed, scree_measurement_find(stayed, "energy"), "impact_J") > 0);
    assert_true(fabs(mean_of(stayed, scree_measurement_find(stayed, "walls"), "torque_Nm")) > 0);
    scree_world_destroy(stayed), scree_world_destroy(resumed), scree_world_destroy(threaded);
    scree_scene_destroy(one), scree_scene_destroy(two);
    folder_remove(&place);
}

/* At rest, the walls of the pit together carry the weight of its contents. */
static void a_container_carries_its_contents(void **state) {
    (void)state;
    scree_scene *scene = pit_of(1, "");
    scree_world *world = built(scene);
    run_for(world, 4);
    const scree_measurement_id walls = scree_measurement_find(world, "walls");
    const double weight = 27 * 1000 * 4 * M_PI / 3 * pow(0.05, 3) * 9.81;
    ASSERT_NEAR(mean_of(world, walls, "force_z_N"), -weight, 2e-3);
    ASSERT_WITHIN(mean_of(world, walls, "force_x_N"), 0, 2e-3 * weight);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

static void invalid_definitions_are_rejected(void **state) {
    (void)state;
    static const char *const tries[][2] = {
        {", {\"kind\": \"force\", \"name\": \"walls\", \"containers\": [0]}", "measurements[2].name:"},
        {", {\"kind\": \"force\"}", "measurements[2]:"},
        {", {\"name\": \"x\"}", "measurements[2]:"},
        {", {\"kind\": \"farce\", \"name\": \"x\"}", "measurements[2].kind:"},
        {", {\"kind\": \"force\", \"name\": \"x y\", \"containers\": [0]}", "measurements[2]:"},
        {", {\"kind\": \"force\", \"name\": \"\"}", "measurements[2].name:"},
        {", {\"kind\": \"force\", \"name\": \"x\", \"bodies\": [1]}", "measurements[2].bodies[0]:"},
        {", {\"kind\": \"force\", \"name\": \"x\", \"containers\": [-1]}", "measurements[2].containers[0]"},
        {", {\"kind\": \"force\", \"name\": \"x\", \"every\": 2, \"every_seconds\": 2}", "measurements[2]"},
        {", {\"kind\": \"flow\", \"name\": \"x\"}", "measurements[2]:"},
        {", {\"kind\": \"flow\", \"name\": \"x\", \"sample_every\": 2, \"zone\": {\"kind\": \"half-space\"}}",
         "measurements[2]:"},
        {", {\"kind\": \"stress\", \"name\": \"x\", \"zone\": {\"kind\": \"half-space\"}}",
         "measurements[2]:"},
        {", {\"kind\": \"solid_fraction\", \"name\": \"x\", \"zone\": {\"kind\": \"sphere\", \"radius\": 1}, "
         "\"cells\": [2]}",
         "measurements[2]:"},
        {", {\"kind\": \"solid_fraction\", \"name\": \"x\", \"zone\": {\"kind\": \"box\", \"size\": [1, 1, "
         "1]}, \"cells\": [200, 200]}",
         "measurements[2]:"},
        {", {\"kind\": \"force\", \"name\": \"x\"}", "measurements[2]:"},
        {", {\"kind\": \"force\", \"name\": \"x\", \"bodies\": []}", "measurements[2]:"},
        {", {\"kind\": \"mixing\", \"name\": \"x\", \"zone\": {\"kind\": \"box\", \"size\": [1, 1, 1]}, "
         "\"cells\": "
         "[2], \"material\": \"default\", \"size_above\": 0.1}",
         "measurements[2]:"},
        {", {\"kind\": \"force\", \"name\": \"x\", \"every\": 0}", "measurements[2].every:"},
        {", {\"kind\": \"force\", \"name\": \"x\", \"sample_every\": 0}", "measurements[2].sample_every"},
        {", {\"kind\": \"force\", \"name\": \"x\", \"piont\": [0, 0, 0]}", "piont"},
    };
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char text[4096];
        scree_scene *scene = NULL;
        snprintf(text, sizeof text, pit, 1, 0, tries[i][0]);
        CHECK_FAILS(scree_scene_parse(text, strlen(text), "pit.json", &scene), SCREE_ERROR_FORMAT,
                    tries[i][1]);
    }
    scree_scene *scene = pit_of(1, "");
    scree_world *world = built(scene), *other = built(scene);
    scree_measurement_def def = scree_default_measurement_def();
    const scree_measurement_id known = scree_measurement_find(world, "fast");
    CHECK_FAILS(scree_measurement_create(world, &def, NULL), SCREE_ERROR_ARGUMENT, "name");
    def.name = "fast";
    CHECK_FAILS(scree_measurement_create(world, &def, NULL), SCREE_ERROR_ARGUMENT, "name");
    def.name = "a", def.every.steps = 0;
    CHECK_FAILS(scree_measurement_create(world, &def, NULL), SCREE_ERROR_ARGUMENT, "every");
    def.every.steps = 1, def.point.y = INFINITY;
    CHECK_FAILS(scree_measurement_create(world, &def, NULL), SCREE_ERROR_ARGUMENT, "point");
    def.point.y = 0, def.material.generation = 5;
    CHECK_FAILS(scree_measurement_create(world, &def, NULL), SCREE_ERROR_HANDLE, "material");
    def.material.generation = 0, def.kind = SCREE_MEASUREMENT_COUNT;
    CHECK_FAILS(scree_measurement_create(world, &def, NULL), SCREE_ERROR_ARGUMENT, "kind");
    scree_measurement_row row;
    CHECK_FAILS(scree_measurement_get_row(other, known, &row), SCREE_ERROR_HANDLE, "");
    CHECK(scree_measurement_destroy(world, known));
    CHECK_FAILS(scree_measurement_destroy(world, known), SCREE_ERROR_HANDLE, "");
    assert_int_equal(scree_measurement_list(world, NULL, 0), 1);
    CHECK(scree_world_step(world, NULL));
    scree_world_destroy(world), scree_world_destroy(other);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(a_plate_carries_the_weight),
        ON_EACH_BACKEND(a_mean_of_counts_is_exact),
        ON_EACH_BACKEND(maximum_and_mean_are_over_the_interval),
        cmocka_unit_test(rows_do_not_depend_on_checkpoints_or_threads),
        cmocka_unit_test(a_container_carries_its_contents),
        cmocka_unit_test(invalid_definitions_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
