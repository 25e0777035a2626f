/* Experiments in stages: a run continues from a checkpoint under an edited scene. Output times stay as
 * requested for any time step. */
#include "command.h"

#include <math.h>

/* A box of spheres behind a gate. %s: materials' friction, gravity and more keys, gate's motion, more bodies,
 * radius. */
static const char experiment[] =
    "{\"time_step\": 0.005, %s\n"
    " \"backend\": {\"kind\": \"native\", \"threads\": 1}, \"outputs\": {\"every_seconds\": 0.05},\n"
    " \"materials\": {\"glass\": {\"friction\": %s}, \"steel\": {\"friction\": 0.3}},\n"
    " \"containers\": [{\"kind\": \"box\", \"inner_size\": [0.4, 0.4, 0.5], \"material\": \"steel\"}],\n"
    " \"bodies\": [{\"type\": \"kinematic\", \"shape\": {\"kind\": \"box\", \"size\": [0.02, 0.38, 0.4]},\n"
    "   \"material\": \"steel\", \"position\": [0, 0, 0.21]%s}%s],\n"
    " \"generators\": [{\"kind\": \"lattice\", \"cells\": [3, 6, 4], \"spacing\": 0.061, \"jitter\": "
    "0.0004,\n"
    "   \"position\": [-0.11, 0, 0.001],\n"
    "   \"body\": {\"material\": \"glass\", \"shape\": {\"kind\": \"sphere\", \"radius\": %s}}}]}\n";

typedef struct edits {
    const char *keys, *friction, *motion, *bodies, *radius;
} edits;

static void write_stage(const char *name, edits e) {
    char text[4096];
    snprintf(text, sizeof text, experiment, e.keys ? e.keys : "\"run\": {\"duration\": 0.2},",
             e.friction ? e.friction : "0.5", e.motion ? e.motion : "", e.bodies ? e.bodies : "",
             e.radius ? e.radius : "0.03");
    write_text(name, text);
}

static int set_up(void **state) {
    if (folder_set_up_without_devices(state)) return -1;
    write_stage("pour.json", (edits){0});
    EXPECT_CODE(shell("scree run pour.json --quiet --out pour"), 0);
    return 0;
}

/* Resumes from the poured pile in a separate folder. */
static int go_on(const char *scene, const char *more) {
    return shell("rm -rf next && cp -r pour next && scree run %s --resume next/checkpoint.h5 --out next %s",
                 scene, more);
}

/* Reads the last run's friction of the first material, and returns the largest x of its bodies. */
static double farthest(const char *checkpoint, int *bodies) {
    scree_world *world = checkpoint_world(checkpoint);
    scree_body_id ids[512];
    double x = -1;
    *bodies = scree_body_list(world, ids, 512);
    for (int i = 0; i < *bodies; ++i) {
        scree_body_def def;
        assert_int_equal(scree_body_get_def(world, ids[i], &def), SCREE_OK);
        if (def.type == SCREE_BODY_DYNAMIC) x = fmax(x, (double)def.state.position.x);
    }
    scree_world_destroy(world);
    return x;
}

/* Only --time differs, which does not change the scene. */
static void an_unchanged_scene_continues_bit_for_bit(void **state) {
    (void)state;
    uint64_t step, whole_step;
    EXPECT_CODE(shell("scree run pour.json --quiet --time 0.4 --out whole"), 0);
    EXPECT_CODE(go_on("pour.json", "--time 0.4"), 0);
    ASSERT_HOLDS(standard_output, "the scene is unchanged");
    const uint64_t whole = checkpoint_hash("whole/checkpoint.h5", &whole_step);
    assert_true(checkpoint_hash("next/checkpoint.h5", &step) == whole);
    assert_int_equal(step, 80);
    /* White space, key order, number formats and descriptions do not count as changes. */
    EXPECT_CODE(
        shell("sed 's/: /:   /g; s/0.5}/5e-1}/; s/^{/{\"description\": \"again\", /' pour.json >same.json"),
        0);
    EXPECT_CODE(go_on("same.json", "--time 0.4"), 0);
    ASSERT_HOLDS(standard_output, "the scene is unchanged");
    assert_true(checkpoint_hash("next/checkpoint.h5", &step) == whole);
    /* An option of the first command stays in force. */
    EXPECT_CODE(shell("scree run pour.json --quiet --time 0.4 --iterations 7 --out whole && rm -rf next && "
                      "scree run pour.json --quiet --iterations 7 --out next && "
                      "scree run pour.json --quiet --time 0.4 --resume next/checkpoint.h5 --out next"),
                0);
    assert_true(checkpoint_hash("next/checkpoint.h5", &step) ==
                checkpoint_hash("whole/checkpoint.h5", &step));
}

/* Results that stay in the folder must be of the checkpoint's run; others are not changed. */
static void results_of_another_run_are_not_mixed(void **state) {
    (void)state;
    write_stage("another.json", (edits){.friction = "0.2"});
    EXPECT_CODE(shell("scree run another.json --quiet --time 0.1 --out another && "
                      "(cd another && ls -lA --time-style=full-iso && cat * | cksum) >before"),
                0);
    const char *const remains[] = {"", "rm another/checkpoint.h5", "rm another/frame_*"};
    for (int i = 0; i < 3; ++i) {
        if (i)
            EXPECT_CODE(shell("%s && (cd another && ls -lA --time-style=full-iso && cat * | cksum) >before",
                              remains[i]),
                        0);
        EXPECT_CODE(shell("scree run pour.json --time 0.4 --resume pour/checkpoint.h5 --out another"), 2);
        ASSERT_HOLDS(standard_error, "\"another\"");
        assert_int_equal(count_lines(standard_error), 1);
        EXPECT_CODE(shell("(cd another && ls -lA --time-style=full-iso && cat * | cksum) | cmp - before"), 0);
    }
    /* Without a checkpoint, a frame of the same step has the same spheres at other places. */
    EXPECT_CODE(shell("scree run another.json --quiet --out another && rm another/checkpoint.h5"), 0);
    EXPECT_CODE(shell("scree run pour.json --time 0.4 --resume pour/checkpoint.h5 --out another"), 2);
    ASSERT_HOLDS(standard_error, "\"another\"");
}

/* A copy of the checkpoint, or a stage repeated in its own folder, mixes no results. */
static void a_run_resumes_in_its_own_folder(void **state) {
    (void)state;
    EXPECT_CODE(shell("rm -rf next && cp -r pour next && cp pour/checkpoint.h5 kept.h5"), 0);
    EXPECT_CODE(shell("scree run pour.json --quiet --time 0.3 --resume next/checkpoint.h5 --out next"), 0);
    EXPECT_CODE(shell("scree run pour.json --quiet --time 0.3 --resume kept.h5 --out next"), 0);
    EXPECT_CODE(shell("rm next/checkpoint.h5"), 0);
    EXPECT_CODE(shell("scree run pour.json --quiet --time 0.3 --resume kept.h5 --out next"), 0);
    for (int i = 0; i < 2; ++i)
        EXPECT_CODE(shell("scree run pour.json --quiet --time 0.3 --resume kept.h5 --out apart"), 0);
}

/* Every permitted change is applied and listed: the state equals that of the same change through the
 * library. */
static void permitted_changes_are_applied_and_listed(void **state) {
    (void)state;
    write_stage("changed.json",
                (edits){.keys =
                            "\"gravity\": [0.5, 0, -9], \"run\": {\"duration\": 0.3},\n"
                            "\"solver\": {\"iterations\": 12, \"tolerance\": 1e-5},\n"
                            "\"material_pairs\": [{\"materials\": [\"glass\", \"steel\"], \"friction\": 0.05,"
                            " \"restitution\": 0}],",
                        .friction = "0.1",
                        .motion = ", \"linear_velocity\": [0, 0, 2]"});
    EXPECT_CODE(go_on("changed.json", ""), 0);
    const char *const lines[] = {"materials.glass.friction: 0.5, now 0.1\n",
                                 "gravity: not given, now [0.5,0,-9]\n",
                                 "run.duration: 0.2",
                                 "now 0.3",
                                 "solver: not given, now {\"iterations\":12",
                                 "material_pairs: not given, now [{",
                                 "bodies[0].linear_velocity: not given, now [0,0,2]\n"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; ++i) ASSERT_HOLDS(standard_output, lines[i]);
    uint64_t step;
    const uint64_t hash = checkpoint_hash("next/checkpoint.h5", &step);
    assert_int_equal(step, 60);

    scree_world *world = checkpoint_world("pour/checkpoint.h5");
    scree_solver_def solver = scree_world_get_def(world).solver;
    solver.iterations = 12;
    solver.tolerance = 1e-5f;
    assert_int_equal(scree_world_set_solver(world, &solver), SCREE_OK);
    assert_int_equal(scree_world_set_gravity(world, (scree_vec3){0.5f, 0, -9}), SCREE_OK);
    scree_material_def glass;
    const scree_material_id glass_id = {2, 1, scree_world_get_number(world)},
                            steel_id = {3, 1, scree_world_get_number(world)}; /* the default is {1, 1} */
    assert_int_equal(scree_material_get_def(world, glass_id, &glass), SCREE_OK);
    glass.friction = 0.1f;
    assert_int_equal(scree_material_set_def(world, glass_id, &glass), SCREE_OK);
    scree_material_pair_def pair = scree_default_material_pair_def();
    pair.friction = 0.05f;
    assert_int_equal(scree_material_set_pair(world, glass_id, steel_id, &pair), SCREE_OK);
    scree_body_id ids[512];
    scree_body_list(world, ids, 512);
    scree_body_state gate; /* after the five walls of the box */
    assert_int_equal(scree_body_get_state(world, ids[5], &gate), SCREE_OK);
    gate.linear_velocity = (scree_vec3){0, 0, 2};
    assert_int_equal(scree_body_set_state(world, ids[5], &gate), SCREE_OK);
    for (int i = 0; i < 20; ++i) assert_int_equal(scree_world_step(world, NULL), SCREE_OK);
    assert_true(scree_world_get_hash(world) == hash);
    scree_world_destroy(world);
}

/* Pour, settle, open the gate, stop it, pour more with a new material: a typical experiment. */
static void stages_follow_one_another(void **state) {
    (void)state;
    int bodies;
    assert_true(farthest("pour/checkpoint.h5", &bodies) < 0); /* all behind the gate, which stands at x = 0 */
    assert_int_equal(bodies, 5 + 1 + 72);
    const char *const second = "\"run\": {\"duration\": 0.5},",
                      *const third = "\"run\": {\"duration\": 0.7},",
                      *const lead = "\"run\": {\"duration\": 0.75}, \"seed\": 0,";
    write_stage("open.json", (edits){.keys = second, .motion = ", \"linear_velocity\": [0, 0, 1.5]"});
    EXPECT_CODE(go_on("open.json", ""), 0);
    const double reached = farthest("next/checkpoint.h5", &bodies);
    if (!(reached > 0.02)) fail_msg("%g m", reached); /* they have run out */
    write_stage("stop.json", (edits){.keys = third});
    EXPECT_CODE(shell("scree run stop.json --resume next/checkpoint.h5 --out next"), 0);
    ASSERT_HOLDS(standard_output, "bodies[0].linear_velocity: [0,0,1.5], now not given");
    scree_world *world = checkpoint_world("next/checkpoint.h5");
    scree_body_id ids[512];
    scree_body_state gate;
    scree_body_list(world, ids, 512);
    assert_int_equal(scree_body_get_state(world, ids[5], &gate), SCREE_OK);
    assert_true(gate.linear_velocity.z == 0 && fabs((double)gate.position.z - (0.21 + 0.3 * 1.5)) < 1e-4);
    scree_world_destroy(world);

    const edits more = {.keys = third,
                        .bodies =
                            ", {\"shape\": {\"kind\": \"box\", \"size\": [0.04, 0.04, 0.04]}, \"material\": "
                            "\"steel\", \"position\": [0.1, 0, 0.4]}"};
    write_stage("more.json", more);
    EXPECT_CODE(shell("scree run more.json --steps 150 --resume next/checkpoint.h5 --out next"), 2);
    ASSERT_HOLDS(standard_error, "bodies[1]: ");
    EXPECT_CODE(shell("scree run more.json --steps 150 --add --resume next/checkpoint.h5 --out next"), 0);
    ASSERT_HOLDS(standard_output, "bodies[1]: not given, now {");
    farthest("next/checkpoint.h5", &bodies);
    assert_int_equal(bodies, 5 + 1 + 72 + 1);
    /* The new body belongs to the scene from now on. */
    (void)lead;
    EXPECT_CODE(shell("scree run more.json --steps 155 --resume next/checkpoint.h5 --out next"), 0);
    ASSERT_HOLDS(standard_output, "the scene is unchanged");
    EXPECT_CODE(shell("scree run stop.json --steps 160 --resume next/checkpoint.h5 --out next"), 2);
    ASSERT_HOLDS(standard_error, "more.json");
    /* A new material of one stage keeps its name in the next. */
    EXPECT_CODE(
        shell("sed 's/\"steel\": {/\"lead\": {\"density\": 11000}, &/; s/}}}]}$/}}}, {\"kind\": "
              "\"lattice\", \"cells\": [2, 2, 1], \"spacing\": 0.1, \"position\": [0.1, 0, 0.45], "
              "\"body\": {\"material\": \"lead\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.02}}}]}/' "
              "more.json >lead.json && "
              "scree run lead.json --steps 160 --add --resume next/checkpoint.h5 --out next"),
        0);
    world = checkpoint_world("next/checkpoint.h5");
    assert_int_equal(scree_body_list(world, ids, 512), 5 + 1 + 72 + 1 + 4);
    float heavy;
    assert_int_equal(scree_body_get_mass(world, ids[82], &heavy, NULL), SCREE_OK);
    assert_true(fabs((double)heavy / (11000 * 4.0 / 3 * 3.14159265 * 8e-6) - 1) < 1e-5);
    scree_world_destroy(world);
    EXPECT_CODE(shell("sed 's/11000}/11000, \"friction\": 0.9}/' lead.json >rough.json && "
                      "scree run rough.json --steps 165 --resume next/checkpoint.h5 --out next"),
                0);
    ASSERT_HOLDS(standard_output, "materials.lead.friction: not given, now 0.9");
    world = checkpoint_world("next/checkpoint.h5");
    scree_material_def lead_def, steel_def;
    assert_int_equal(
        scree_material_get_def(world, (scree_material_id){4, 1, scree_world_get_number(world)}, &lead_def),
        SCREE_OK);
    assert_int_equal(
        scree_material_get_def(world, (scree_material_id){3, 1, scree_world_get_number(world)}, &steel_def),
        SCREE_OK);
    assert_true(lead_def.friction == 0.9f && lead_def.density == 11000 && steel_def.friction == 0.3f);
    scree_world_destroy(world);
}

/* Long values are shown on both sides where they differ. */
static void long_values_are_shown_where_they_differ(void **state) {
    (void)state;
    write_text(
        "turns.json",
        "{\"bodies\": [{\"type\": \"kinematic\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}], "
        "\"kinematic_groups\": [{\"bodies\": [0], \"motions\": [{\"kind\": \"rotation\", \"axis\": [0, 1, "
        "0], "
        "\"speed\": 1.5}]}], \"outputs\": {\"pictures\": false}}");
    EXPECT_CODE(shell("scree run turns.json --steps 2 --backend native --quiet --out turns"), 0);
    EXPECT_CODE(
        shell("sed 's/1.5/3/' turns.json >faster.json && scree run faster.json --steps 4 --backend native "
              "--resume turns/checkpoint.h5 --out turns"),
        0);
    ASSERT_HOLDS(standard_output, "\"speed\":1.5}], now … ");
    ASSERT_HOLDS(standard_output, "\"speed\":3}]\n");
}

/* One edit each; the message names the key, and the results stay. */
static void forbidden_changes_are_rejected_by_key(void **state) {
    (void)state;
    static const struct {
        const char *edit, *part;
    } cases[] = {
        {"s/\"radius\": 0.03/\"radius\": 0.029/", "generators[0].body.shape.radius: "},
        {"s/\"cells\": .3, 6, 4./\"cells\": [3, 6, 3]/", "generators[0].cells: "},
        {"s/0.4, 0.4, 0.5/0.4, 0.4, 0.6/", "containers[0].inner_size: "},
        {"s/0.38, 0.4./0.38, 0.3]/", "bodies[0].shape.size: "},
        {"s/0, 0, 0.21/0, 0, 0.22/", "bodies[0].position: "},
        {"s/\"kinematic\"/\"dynamic\"/", "bodies[0].type: "},
        {"s/^{/{\"seed\": 3, /", "seed: "},
        {"s/^{/{\"speculative_distance\": 0.002, /", "speculative_distance: "},
        {"s/\"friction\": 0.5/&, \"density\": 2500/", "materials.glass.density: "},
        {"s/\"friction\": 0.5/&, \"restitution\": 7/", "materials.glass.restitution: "}, /* no scene at all */
        {"s/\"material\": \"glass\"/\"material\": \"steel\"/", "generators[0].body.material: "},
        {"s/0.061/0.06/; s/0.0004/0.0005/", "generators[0].spacing: "},
        /* --add would not help, so it is not suggested. */
        {"s/0.21.}/&, {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}, \"position\": [0, 0, 1]}/; "
         "s/\"cells\": .3, 6, 4./\"cells\": [3, 6, 3]/",
         "generators[0].cells: "},
    };
    EXPECT_CODE(shell("rm -rf kept && cp -r pour kept && cat kept/* | cksum >before"), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EXPECT_CODE(shell("sed '%s' pour.json >edited.json && ! cmp -s pour.json edited.json", cases[i].edit),
                    0);
        EXPECT_CODE(shell("scree run edited.json --time 1 --resume kept/checkpoint.h5 --out kept"), 2);
        ASSERT_HOLDS(standard_error, "edited.json:");
        ASSERT_HOLDS(standard_error, cases[i].part);
        if (count_lines(standard_error) != 1) fail_msg("expected one line: %s", standard_error);
        EXPECT_CODE(shell("cat kept/* | cksum | cmp - before"), 0);
    }
    write_text("other.json", "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}");
    EXPECT_CODE(shell("scree run other.json --resume kept/checkpoint.h5 --out kept"), 2);
    ASSERT_HOLDS(standard_error, "pour.json");
    EXPECT_CODE(shell("cat kept/* | cksum | cmp - before"), 0);
    /* A world not made from a scene. */
    scree_world *world = checkpoint_world("pour/checkpoint.h5");
    char path[512];
    snprintf(path, sizeof path, "%s/bare.h5", folder);
    assert_int_equal(scree_world_set_note(world, NULL), SCREE_OK);
    assert_int_equal(scree_checkpoint_save(world, path), SCREE_OK);
    scree_world_destroy(world);
    EXPECT_CODE(shell("scree run pour.json --time 1 --resume bare.h5 --out kept"), 2);
    ASSERT_HOLDS(standard_error, "scree run: ");
}

/* Reads the times in the index and in the table, in order; returns their number. */
static int times_of(const char *name, const char *before, double *out) {
    static char text[1 << 20];
    int count = 0;
    read_text(name, text, sizeof text);
    for (const char *at = text; (at = strstr(at, before)); ++count) out[count] = atof(at += strlen(before));
    return count;
}

static void seconds_do_not_depend_on_the_step(void **state) {
    (void)state;
    static double times[1000];
    const char *const steps[] = {"", "--dt 0.005", "--dt 0.001", "--dt 0.0025"};
    for (int i = 0; i < 4; ++i) {
        EXPECT_CODE(shell("scree run pour.json %s --quiet --out times && "
                          "cut -d, -f2 times/measurements.csv | sed 's/^/t=/' >times/list",
                          steps[i]),
                    0);
        assert_int_equal(times_of("times/list", "t=", times), 1 + 4); /* the header, and a row each 0.05 s */
        for (int k = 1; k <= 4; ++k) assert_true(fabs(times[k] - 0.05 * k) < 1e-15);
        const int frames = times_of("times/frames.xdmf", "Time Value=\"", times);
        assert_true(frames >= 5 && times[0] == 0 && times[1] == 0.05 && times[4] == 0.2);
    }
    /* Steps stay steps. */
    EXPECT_CODE(shell("scree run pour.json --dt 0.001 --steps 10 --every 5 --quiet --out times && "
                      "cut -d, -f2 times/measurements.csv | sed 's/^/t=/' >times/list"),
                0);
    assert_int_equal(times_of("times/list", "t=", times), 1 + 2);
    assert_true(times[1] == 0.005 && times[2] == 0.01);
}

/* 0.2 s in steps of 5 ms, then in steps of 1 ms: time continues, and ends as requested. */
static void time_is_exact_after_a_changed_step(void **state) {
    (void)state;
    const char *const ways[] = {"pour.json --dt 0.001", "finer.json"};
    EXPECT_CODE(shell("sed 's/\"time_step\": 0.005/\"time_step\": 0.001/' pour.json >finer.json"), 0);
    for (int i = 0; i < 2; ++i) {
        EXPECT_CODE(go_on(ways[i], "--time 0.3"), 0);
        scree_world *world = checkpoint_world("next/checkpoint.h5");
        assert_int_equal(scree_world_step_count(world), 40 + 100);
        assert_true(fabs(scree_world_get_time(world) - 0.3) < 1e-15);
        assert_true(scree_world_get_def(world).time_step == 0.001);
        for (int k = 0; k < 100; ++k) assert_int_equal(scree_world_step(world, NULL), SCREE_OK);
        assert_true(fabs(scree_world_get_time(world) - 0.4) < 1e-15);
        scree_world_destroy(world);
    }
}

/* A million steps of 1 ms are 1000 s: a sum of single-precision steps is 47 µs off, and one in double drifts
 * too. */
static void time_does_not_drift(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    scree_world *world = NULL;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    def.time_step = 0.001;
    assert_int_equal(scree_world_create(&def, &world), SCREE_OK);
    for (int i = 0; i < 20000; ++i) assert_int_equal(scree_world_step(world, NULL), SCREE_OK);
    assert_true(scree_world_get_time(world) == 20000 * 0.001);
    assert_int_equal(scree_world_set_time_step(world, 0.25), SCREE_OK);
    assert_int_equal(scree_world_step(world, NULL), SCREE_OK);
    assert_true(scree_world_get_time(world) == 20.25);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unchanged_scene_continues_bit_for_bit),
        cmocka_unit_test(results_of_another_run_are_not_mixed),
        cmocka_unit_test(a_run_resumes_in_its_own_folder),
        cmocka_unit_test(permitted_changes_are_applied_and_listed),
        cmocka_unit_test(stages_follow_one_another),
        cmocka_unit_test(long_values_are_shown_where_they_differ),
        cmocka_unit_test(forbidden_changes_are_rejected_by_key),
        cmocka_unit_test(seconds_do_not_depend_on_the_step),
        cmocka_unit_test(time_is_exact_after_a_changed_step),
        cmocka_unit_test(time_does_not_drift),
    };
    return cmocka_run_group_tests(tests, set_up, folder_tear_down);
}
