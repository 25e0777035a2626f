/* Parsing and building of valid scenes, and their defaults. Invalid scenes: test_scene_refusals.c. */
#include "expect.h"

#include <scree/tools/scene.h>

static scree_scene *parse(const char *text) {
    scree_scene *scene = NULL;
    const scree_result result = scree_scene_parse(text, strlen(text), "scene.json", &scene);
    if (result != SCREE_OK) fail_msg("%s: %s", text, scree_error_get_message());
    return scene;
}

static void omitted_keys_have_defaults(void **state) {
    (void)state;
    scree_scene *scene = parse("{}");
    const scree_world_def world = scree_scene_get_world_def(scene), expected = scree_default_world_def();
    assert_float_equal(world.gravity.z, -9.81f, 0);
    assert_true(world.time_step == expected.time_step);
    assert_int_equal(world.solver.iterations, expected.solver.iterations);
    assert_int_equal(world.backend, SCREE_BACKEND_AUTO);
    assert_null(world.device);
    const scree_run_def run = scree_scene_get_run_def(scene);
    assert_int_equal(scree_span_get_steps(run.length, world.time_step), 120); /* 1 s of 1/120 s */
    assert_int_equal(scree_span_get_steps(run.every, world.time_step), 4);    /* 30 a second */
    assert_int_equal(scree_span_get_steps(run.snapshot_every, world.time_step), 0);
    assert_int_equal(scree_span_get_steps(run.checkpoint_every, world.time_step), 0);
    assert_int_equal(run.seed, 0);
    scree_scene_destroy(scene);
    scree_scene_destroy(NULL);
}

/* A preset's values, overridden by explicit ones, wherever the preset is in the scene. */
static void presets_are_accepted(void **state) {
    (void)state;
    const scree_solver_def fast = scree_solver_def_with_preset(scree_default_solver_def(), SCREE_PRESET_FAST);
    scree_scene *scene = parse("{\"solver\": {\"iterations\": 77, \"slop\": 0.5, \"preset\": \"fast\"}}");
    const scree_solver_def s = scree_scene_get_world_def(scene).solver;
    assert_true(s.iterations == 77 && s.slop == 0.5f && s.tolerance == fast.tolerance);
    assert_true(s.split.position_iterations == fast.split.position_iterations &&
                s.reduction == fast.reduction);
    scree_scene_destroy(scene);
    for (int i = 0; i < SCREE_PRESET_COUNT; i++) {
        const scree_solver_def def = scree_solver_def_with_preset(fast, (scree_preset)i);
        CHECK(scree_validate_solver_def(&def));
    }
    const scree_solver_def parts = scree_solver_def_with_preset(fast, SCREE_PRESET_REALTIME);
    assert_true(parts.stabilisation == SCREE_STABILISATION_SUBSTEP && parts.substep.substeps == 8);
    assert_true(scree_solver_def_with_preset(parts, SCREE_PRESET_FAST).stabilisation ==
                SCREE_STABILISATION_SPLIT);
    assert_null(scree_preset_name(SCREE_PRESET_COUNT));
}

static scree_solver_def solver_of(const char *text) {
    scree_scene *scene = parse(text);
    const scree_solver_def out = scree_scene_get_world_def(scene).solver;
    scree_scene_destroy(scene);
    return out;
}

static void each_stabilisation_has_its_settings(void **state) {
    (void)state;
    scree_solver_def s = solver_of("{\"solver\": {\"error_reduction\": 0.375, \"correction_speed\": 4, "
                                   "\"position_iterations\": 3, \"position_follows\": true, "
                                   "\"position_tolerance\": 0.25}}");
    assert_true(s.split.error_reduction == 0.375f && s.split.correction_speed == 4);
    assert_true(s.split.position_iterations == 3 && s.split.position_follows);
    assert_true(s.split.position_tolerance == 0.25f);
    s = solver_of("{\"solver\": {\"relaxation_time\": 7, \"damping_ratio\": 0.5, \"correction_speed\": 4, "
                  "\"stabilisation\": \"relaxed\"}}");
    assert_true(s.relaxed.relaxation_time == 7 && s.relaxed.damping_ratio == 0.5f);
    assert_true(s.relaxed.correction_speed == 4);
    s = solver_of("{\"solver\": {\"preset\": \"realtime\", \"substeps\": 9, \"contact_frequency\": 8, "
                  "\"contact_damping_ratio\": 7}}");
    assert_true(s.substep.substeps == 9 && s.substep.contact_frequency == 8);
    assert_true(s.substep.contact_damping_ratio == 7);
    s = solver_of("{\"solver\": {\"stabilisation\": \"substep\", \"contact_frequency\": 0, \"stiffness\": 5, "
                  "\"damping\": 6}}");
    assert_true(s.substep.spring.stiffness == 5 && s.substep.spring.damping == 6);
}

static void every_setting_is_accepted(void **state) {
    (void)state;
    scree_scene *scene = parse(
        "{\"description\": \"all\", \"seed\": 7, \"gravity\": [1, 2, 3], \"time_step\": 0.25, "
        "\"speculative_distance\": 0.5,"
        "\"solver\": {\"method\": \"jacobi\", \"law\": \"pyramid\", \"iterations\": 1e2, \"tolerance\": "
        "0.125, \"reduction\": 0.75, \"violation_tolerance\": 0.5,"
        "\"change_tolerance\": 0.25, \"check_every\": 3, \"relaxation\": 0.5, \"warm_start\": false, "
        "\"colours\": 5,"
        "\"stabilisation\": \"soft\", \"stiffness\": 2, \"damping\": 3, \"slop\": 5, \"restitution_speed\": "
        "6},"
        "\"backend\": {\"kind\": \"native\", \"device\": \"pocl\", \"threads\": 2, \"maximum_bodies\": 8,"
        "\"maximum_contacts\": 9}, \"run\": {\"duration\": 10}, \"outputs\": {\"every_seconds\": 0.5,"
        "\"snapshot_every\": 6, \"pictures\": false, \"checkpoint_every_seconds\": 0.01},"
        "\"materials\": {\"default\": {\"friction\": 0.75, \"rolling_friction\": 0.5, \"spinning_friction\": "
        "0.25, "
        "\"cohesion\": 2, \"cohesion_distance\": 0.125}}}");
    const scree_world_def w = scree_scene_get_world_def(scene);
    assert_true(w.gravity.x == 1 && w.gravity.y == 2 && w.gravity.z == 3);
    assert_true(w.time_step == 0.25 && w.speculative_distance == 0.5f && w.material.friction == 0.75f);
    assert_true(w.material.rolling_friction == 0.5f && w.material.spinning_friction == 0.25f);
    assert_true(w.material.cohesion == 2 && w.material.cohesion_distance == 0.125f);
    const scree_solver_def s = w.solver;
    assert_int_equal(s.method, SCREE_METHOD_JACOBI);
    assert_int_equal(s.law, SCREE_LAW_PYRAMID);
    assert_int_equal(s.stabilisation, SCREE_STABILISATION_SOFT);
    assert_true(s.iterations == 100 && s.check_every == 3 && s.colours == 5 && !s.warm_start);
    assert_true(s.reduction == 0.75f && s.violation_tolerance == 0.5f);
    assert_true(s.tolerance == 0.125f && s.change_tolerance == 0.25f && s.relaxation == 0.5f);
    assert_true(s.soft.stiffness == 2 && s.soft.damping == 3);
    assert_true(s.slop == 5 && s.restitution_speed == 6);
    assert_int_equal(w.backend, SCREE_BACKEND_NATIVE);
    assert_string_equal(w.device, "pocl");
    assert_true(w.threads == 2 && w.maximum_bodies == 8 && w.maximum_contacts == 9);
    const scree_run_def run = scree_scene_get_run_def(scene);
    assert_true(run.seed == 7 && run.length.seconds == 10 && scree_span_get_steps(run.length, 0.25) == 40);
    assert_true(scree_span_get_steps(run.every, 0.25) == 2 &&
                scree_span_get_steps(run.snapshot_every, 0.25) == 6);
    assert_true(!run.pictures);
    assert_int_equal(scree_span_get_steps(run.checkpoint_every, 0.25), 1); /* at least one step */
    /* Seconds stay seconds and steps stay steps for any time step. */
    assert_true(scree_span_get_steps(run.length, 0.1) == 100 && scree_span_get_steps(run.every, 0.1) == 5);
    assert_int_equal(scree_span_get_steps(run.snapshot_every, 0.1), 6);
    assert_true(scree_span_get_steps((scree_span){.seconds = 1e9}, 1e-12) == UINT64_MAX);
    scree_scene_destroy(scene);
}

static bool nearly(float a, double b) { return fabs(a - b) < 1e-6; }

/* Builds a scene into a world and reads all its bodies. */
static int build(const char *text, scree_body_def *out, int capacity) {
    scree_scene *scene = parse(text);
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    const int count = scree_body_count(world);
    assert_true(count <= capacity);
    scree_body_id ids[64];
    assert_int_equal(scree_body_list(world, ids, 64), count);
    for (int i = 0; i < count; ++i) {
        CHECK(scree_body_get_def(world, ids[i], &out[i]));
        CHECK(scree_body_get_mass(world, ids[i], &out[i].mass, NULL));
    }
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return count;
}

static void bodies_are_built(void **state) {
    (void)state;
    scree_body_def bodies[8];
    const int count = build(
        "{\"materials\": {\"ice\": {\"friction\": 0, \"density\": 917}},"
        "\"shapes\": {\"brick\": {\"kind\": \"box\", \"size\": [0.2, 0.1, 0.1]}},"
        "\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}, \"position\": [0, 0, -1],"
        "\"rotation\": {\"axis\": [0, 2, 0], \"angle_degrees\": 90}},"
        "{\"shape\": \"brick\", \"material\": \"ice\", \"rotation\": {\"euler_degrees\": [90, 0, 90]},"
        "\"linear_velocity\": [1, 2, 3], \"angular_velocity\": [4, 5, 6], \"gravity_scale\": 0.5,"
        "\"locks\": [\"y\", \"rotation_x\", \"rotation_z\"]},"
        "{\"type\": \"kinematic\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.5}, \"rotation\": [0, 0, "
        "0.6, 0.8]},"
        "{\"shape\": \"brick\", \"mass\": 3, \"inertia\": [1, 2, 3]}]}",
        bodies, 8);
    assert_int_equal(count, 4);
    assert_int_equal(bodies[0].type, SCREE_BODY_STATIC);
    assert_true(nearly(bodies[0].state.position.z, -1));
    assert_true(nearly(bodies[0].state.rotation.y, sqrt(0.5)) &&
                nearly(bodies[0].state.rotation.w, sqrt(0.5)));
    assert_int_equal(bodies[1].type, SCREE_BODY_DYNAMIC);
    assert_true(nearly(bodies[1].shape.size.x, 0.1) && nearly(bodies[1].shape.size.z, 0.05));
    assert_true(fabs(bodies[1].mass - 0.002 * 917) < 1e-5);
    /* 90° about x, then 90° about the world's z: the axes permute, (x, y, z) → (y, z, x). */
    const scree_quat q = bodies[1].state.rotation;
    assert_true(nearly(q.x, 0.5) && nearly(q.y, 0.5) && nearly(q.z, 0.5) && nearly(q.w, 0.5));
    assert_true(bodies[1].state.linear_velocity.y == 2 && bodies[1].gravity_scale == 0.5f);
    assert_int_equal(bodies[1].locks, SCREE_LOCK_Y | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Z);
    assert_int_equal(bodies[2].type, SCREE_BODY_KINEMATIC);
    assert_true(nearly(bodies[2].state.rotation.z, 0.6));
    assert_true(nearly(bodies[3].mass, 3) && nearly(bodies[3].inertia.y, 2));
}

/* Returns whether a point is inside a box body. */
static bool inside(const scree_body_def *box, const double point[3]) {
    const scree_quat q = box->state.rotation;
    const double p[3] = {point[0] - box->state.position.x, point[1] - box->state.position.y,
                         point[2] - box->state.position.z};
    /* columns of the rotation matrix, from the quaternion */
    const double axes[3][3] = {
        {1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y + q.w * q.z), 2 * (q.x * q.z - q.w * q.y)},
        {2 * (q.x * q.y - q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z + q.w * q.x)},
        {2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}};
    const float half[3] = {box->shape.size.x, box->shape.size.y, box->shape.size.z};
    for (int i = 0; i < 3; ++i)
        if (fabs(axes[i][0] * p[0] + axes[i][1] * p[1] + axes[i][2] * p[2]) > (double)half[i]) return false;
    return true;
}

static int holders(const scree_body_def *walls, int count, double x, double y, double z) {
    int held = 0;
    for (int i = 0; i < count; ++i) held += inside(&walls[i], (double[]){x, y, z});
    return held;
}

static void containers_are_closed(void **state) {
    (void)state;
    scree_body_def walls[8];
    assert_int_equal(build("{\"containers\": [{\"kind\": \"box\", \"inner_size\": [2, 4, 6], \"lid\": true,"
                           "\"wall_thickness\": 0.5, \"position\": [10, 20, 30]}]}",
                           walls, 8),
                     6);
    for (int i = 0; i < 6; ++i) assert_int_equal(walls[i].type, SCREE_BODY_STATIC);
    /* Just inside the inner surface there is no wall, just outside it a wall everywhere. */
    for (double a = -1; a <= 1; a += 0.125)
        for (double b = -1; b <= 1; b += 0.125) {
            const double in = 0.999, out = 1.01;
            for (int sign = -1; sign <= 1; sign += 2) {
                assert_int_equal(holders(walls, 6, 10 + sign * in, 20 + in * 2 * a, 33 + in * 3 * b), 0);
                assert_int_equal(holders(walls, 6, 10 + in * a, 20 + sign * 2 * in, 33 + in * 3 * b), 0);
                assert_int_equal(holders(walls, 6, 10 + in * a, 20 + 2 * in * b, 33 + sign * 3 * in), 0);
                assert_true(holders(walls, 6, 10 + sign * out, 20 + out * 2 * a, 33 + out * 3 * b) > 0);
                assert_true(holders(walls, 6, 10 + out * a, 20 + sign * 2 * out, 33 + out * 3 * b) > 0);
                assert_true(holders(walls, 6, 10 + out * a, 20 + 2 * out * b, 33 + sign * 3 * out) > 0);
            }
        }
}

static void hoppers_are_open_from_inlet_to_outlet(void **state) {
    (void)state;
    scree_body_def walls[8];
    assert_int_equal(
        build("{\"containers\": [{\"kind\": \"hopper\", \"outlet\": [0.2, 0.4], \"inlet\": [2.2, 1.4],"
              "\"height\": 2, \"wall_thickness\": 0.1, \"position\": [0, 0, 1]}]}",
              walls, 8),
        4);
    for (double z = 0.02; z < 2; z += 0.02)
        for (double s = -0.99; s <= 0.99; s += 0.11)
            for (int sign = -1; sign <= 1; sign += 2) {
                const double x = 0.1 + z / 2, y = 0.2 + z / 4; /* half the opening at this height */
                assert_int_equal(holders(walls, 4, sign * (x - 0.001), s * (y - 0.001), 1 + z), 0);
                assert_int_equal(holders(walls, 4, s * (x - 0.001), sign * (y - 0.001), 1 + z), 0);
                assert_true(holders(walls, 4, sign * (x + 0.01), s * y, 1 + z) > 0);
                assert_true(holders(walls, 4, s * x, sign * (y + 0.01), 1 + z) > 0);
            }
    /* Upside down the wide end is below. */
    assert_int_equal(
        build("{\"containers\": [{\"kind\": \"hopper\", \"outlet\": [0.2, 0.2], \"inlet\": [2.2, 2.2],"
              "\"height\": 2, \"rotation\": {\"axis\": [1, 0, 0], \"angle_degrees\": 180}}]}",
              walls, 8),
        4);
    assert_int_equal(holders(walls, 4, 0.95, 0.95, -1.9), 0);
    assert_true(holders(walls, 4, 0.95, 0, -0.9) > 0 || holders(walls, 4, 0.7, 0, -0.9) > 0);
}

static void a_failed_build_leaves_no_bodies(void **state) {
    (void)state;
    scree_scene *scene = parse("{\"containers\": [{\"kind\": \"box\", \"inner_size\": [1, 1, 1]}],\n "
                               "\"generators\": [\n  {\"kind\": \"fill\", "
                               "\"count\": 50, \"attempts\": 20, "
                               "\"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}"
                               ", \"region\": {\"kind\": \"box\", \"size\": [0.5, 0.5], \"height\": 0.5}}]}");
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world;
    CHECK(scree_world_create(&def, &world));
    assert_int_equal(scree_scene_build(scene, world, 0), SCREE_ERROR_FORMAT);
    const char *message = scree_error_get_message();
    assert_ptr_equal(strstr(message, "scene.json:3:3: generators[0]: "), message);
    assert_non_null(strstr(message, "of 50 grains (solid fraction 0."));
    assert_int_equal(scree_body_count(world), 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

/* an allocator that fails from the n-th call on and counts live allocations */
typedef struct scarce {
    int calls, limit, out;
} scarce;

static void *scarce_allocate(size_t bytes, void *user) {
    scarce *memory = user;
    if (memory->calls++ >= memory->limit) return NULL;
    void *block = malloc(bytes);
    memory->out += block != NULL;
    return block;
}

static void scarce_release(void *block, void *user) {
    ((scarce *)user)->out--;
    free(block);
}

static scree_result load_and_build(const char *text) {
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    scree_result result = scree_scene_parse(text, strlen(text), "s", &scene);
    if (result == SCREE_OK) {
        scree_world_def def = scree_scene_get_world_def(scene);
        def.backend = SCREE_BACKEND_NATIVE;
        result = scree_world_create(&def, &world);
    }
    if (result == SCREE_OK) result = scree_scene_build(scene, world, 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return result;
}

static void running_out_of_memory_leaks_nothing(void **state) {
    (void)state;
    const char *text =
        "{\"backend\": {\"device\": \"x\"}, \"materials\": {\"a\": {}, \"b\": {}},"
        "\"material_pairs\": [{\"materials\": [\"a\", \"b\"], \"friction\": 0, \"restitution\": 0}],"
        "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 1}},"
        "\"containers\": [{\"kind\": \"box\", \"inner_size\": [9, 9, 9]}],"
        "\"bodies\": [{\"shape\": \"ball\", \"material\": \"a\"}], \"generators\": [{\"kind\": \"fill\","
        "\"count\": 40, \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}},"
        "\"region\": {\"kind\": \"box\", \"size\": [3, 3], \"height\": 3}}]}";
    scarce memory = {0};
    const scree_allocator allocator = {scarce_allocate, scarce_release, &memory};
    scree_set_allocator(&allocator);
    scree_result result = SCREE_ERROR_MEMORY;
    int limit = 0;
    for (; limit < 1000 && result != SCREE_OK; ++limit) {
        memory = (scarce){0, limit, 0};
        result = load_and_build(text);
        if (result != SCREE_OK && result != SCREE_ERROR_MEMORY)
            fail_msg("limit %d: %s", limit, scree_error_get_message());
        if (memory.out) fail_msg("limit %d: %d blocks leaked", limit, memory.out);
    }
    scree_set_allocator(NULL);
    assert_int_equal(result, SCREE_OK);
    assert_true(limit > 10);
}

/* Fields of frames and intervals of rows; omitted, the default series and a row with each frame. */
static void output_settings_are_accepted(void **state) {
    (void)state;
    scree_scene *scene =
        parse("{\"outputs\": {\"measurements_every_seconds\": 0.25, \"frames\": {\"fields\": "
              "[\"mass\", \"torque\"], \"contacts\": false, \"compression\": 7}}}");
    scree_run_def run = scree_scene_get_run_def(scene);
    assert_int_equal(run.frames.fields, 1 << SCREE_FRAME_MASS | 1 << SCREE_FRAME_TORQUE);
    assert_false(run.frames.contacts);
    assert_int_equal(run.frames.compression, 7);
    assert_true(run.measurements_every.seconds == 0.25);
    scree_scene_destroy(scene);
    scene = parse("{\"outputs\": {\"every\": 3}}");
    run = scree_scene_get_run_def(scene);
    const scree_series_def usual = scree_default_series_def();
    assert_true(run.frames.fields == usual.fields && run.frames.contacts &&
                run.frames.compression == usual.compression);
    assert_true(run.measurements_every.steps == SCREE_EVERY_FRAME && run.measurements_every.seconds == 0);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(omitted_keys_have_defaults),
        cmocka_unit_test(presets_are_accepted),
        cmocka_unit_test(each_stabilisation_has_its_settings),
        cmocka_unit_test(every_setting_is_accepted),
        cmocka_unit_test(output_settings_are_accepted),
        cmocka_unit_test(bodies_are_built),
        cmocka_unit_test(containers_are_closed),
        cmocka_unit_test(hoppers_are_open_from_inlet_to_outlet),
        cmocka_unit_test(a_failed_build_leaves_no_bodies),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
