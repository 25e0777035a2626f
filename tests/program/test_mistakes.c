/* User errors are rejected with exit code 2 and one error message before the results of an earlier run
 * change; valid but unusual input gives a warning. */
#include "command.h"

/* three spheres on a floor, with finished results in `out` */
static const char scene[] =
    "{\"time_step\": 0.005, \"run\": {\"steps\": 20}, \"outputs\": {\"every\": 5, \"pictures\": false},\n"
    " \"backend\": {\"kind\": \"native\", \"threads\": 1}, %s\n"
    " \"materials\": {\"ball\": {\"friction\": 0.4%s}},\n"
    " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}}%s],\n"
    " \"generators\": [{\"kind\": \"lattice\", \"cells\": [3, 1, 1], \"spacing\": %s,\n"
    "   \"body\": {\"material\": \"ball\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}]}\n";

static void write_scene(const char *name, const char *settings, const char *material, const char *bodies,
                        const char *spacing) {
    char text[2048];
    snprintf(text, sizeof text, scene, settings, material, bodies, spacing);
    write_text(name, text);
}

/* Writes a scene with a hinge between two cubes. */
static void write_hinge(const char *name, const char *axis) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}}, {\"shape\": {\"kind\": "
        "\"box\", \"size\": [0.2, 0.2, 0.2]}, \"position\": [0, 0, 0.1]}, {\"shape\": {\"kind\": \"box\", "
        "\"size\": [0.2, 0.2, 0.2]}, \"position\": [0.3, 0, 0.1]}], \"outputs\": {\"pictures\": false}, "
        "\"joints\": [{\"kind\": \"hinge\", \"a\": 1, \"b\": 2, \"point\": [0.15, 0, 0.1], \"axis\": [0, 1, "
        "0], \"axes\": {\"rotation_x\": {%s}}}]}",
        axis);
    write_text(name, text);
}

static int set_up(void **state) {
    if (folder_set_up_without_devices(state)) return -1;
    write_scene("scene.json", "", "", "", "0.2");
    write_scene("capacity.json", "\"run\": {\"steps\": 20},", "", "", "0.2"); /* a duplicate key */
    write_scene("rolling.json", "", ", \"rolling_friction\": 0.001", "", "0.2");
    write_hinge("driven.json", "\"drive\": \"velocity\", \"target\": 1, \"max_force\": 0.5");
    write_hinge("rubbing.json", "\"friction\": 0.5");
    write_text("crowded.json", "{\"backend\": {\"maximum_bodies\": 1}, \"bodies\": [\n"
                               "{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}, {\"shape\": {\"kind\": "
                               "\"sphere\", \"radius\": 1}, \"position\": [3, 0, 0]}]}");
    write_text(
        "packed.json", /* the failed build removes its bodies, one of them absent */
        "{\"bodies\": [{\"absent\": true, \"shape\": {\"kind\": \"half-space\"}, \"type\": \"static\"}], "
        "\"generators\": [{\"kind\": \"fill\", \"count\": 1000, \"attempts\": 50, \"region\": "
        "{\"kind\": \"box\", \"size\": [1, 1], \"height\": 1}, \"body\": {\"shape\": "
        "{\"kind\": \"sphere\", \"radius\": 0.09}}}]}");
    return 0;
}

static const char list_files[] = "(cd out && ls -l --time-style=full-iso && cat * | cksum)";

/* One case for each step of the start of a run, tried on a folder with finished results, which must stay
 * unchanged to the byte. test_messages.c has more kinds of invalid input. */
static void results_survive_rejected_input(void **state) {
    (void)state;
    static const char *const cases[] = {
        "scene.json --nonsense",
        "capacity.json",
        "crowded.json",
        "packed.json",
        "scene.json --backend opencl",
        "scene.json --snapshot 5",
        "scene.json --resume cut.h5",
        "scene.json --steps 10 --resume out/checkpoint.h5",
        "driven.json --dump-problem 3",
        "rubbing.json --dump-problem 3",
        "rolling.json --resume out/checkpoint.h5 --dump-problem 21 --steps 30",
    };
    EXPECT_CODE(shell("scree run scene.json --quiet --out out && %s >before && "
                      "head -c 2000 out/checkpoint.h5 >cut.h5",
                      list_files),
                0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EXPECT_CODE(shell("scree run %s --out out", cases[i]), 2);
        if (count_lines(standard_error) != 1) fail_msg("expected one line: %s", standard_error);
        EXPECT_CODE(shell("%s | cmp - before", list_files), 0);
    }
}

/* A full disk, simulated by a limit on file sizes, and results that are not files. */
static void results_survive_a_full_disk(void **state) {
    (void)state;
    EXPECT_CODE(shell("scree run scene.json --quiet --out tight && (cd tight && cat * | cksum) >before"), 0);
#if defined __has_feature
#if __has_feature(thread_sanitizer)
    skip(); /* the limit applies to TSan's shadow memory */
#endif
#endif
    EXPECT_CODE(shell("(ulimit -f 8; scree run scene.json --out tight)"), 2);
    ASSERT_HOLDS(standard_error, "\"tight\"");
    EXPECT_CODE(shell("(cd tight && cat * | cksum) | cmp - before"), 0);
    EXPECT_CODE(shell("mkdir -p odd/checkpoint.h5; touch odd/frame_00000099.vtkhdf; "
                      "scree run scene.json --out odd"),
                2);
    ASSERT_HOLDS(standard_error, "checkpoint.h5\"");
    assert_true(exists("odd/frame_00000099.vtkhdf"));
}

/* Asserts whether `scree run` prints a warning. */
static void expect_warning(const char *file, bool warns) {
    EXPECT_CODE(shell("scree run %s --backend native --steps 2 --out words --quiet", file), 0);
    if (warns)
        ASSERT_HOLDS(standard_error, "warning: ");
    else
        assert_string_equal(standard_error, "");
}

/* Writes a scene and asserts whether it gives a warning. */
static void expect_scene_warning(bool warns, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void expect_scene_warning(bool warns, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    write_text("made.json", text);
    expect_warning("made.json", warns);
}

static void overlap_at_the_start_gives_a_warning(void **state) {
    (void)state;
    expect_warning("scene.json", false);
    /* Neighbours at 0.08 m with radii of 0.05 m overlap by 0.02 m, 40 % of the radius, twice, and each of the
     * three spheres is 0.01 m deep in the floor. */
    write_scene("overlapping.json", "", "", "", "0.08");
    EXPECT_CODE(shell("scree run overlapping.json --steps 1 --out words"), 0);
    ASSERT_HOLDS(standard_error, "warning: ");
    ASSERT_HOLDS(standard_error, "5 pairs");
    ASSERT_HOLDS(standard_error, "0.02 m, 40 %");
    EXPECT_CODE(shell("scree run overlapping.json --quiet --resume words/checkpoint.h5 --out words"), 0);
    assert_string_equal(standard_error, "");
    /* At 0.0999 m it is 0.2 %. */
    write_scene("touching.json", "", "", "", "0.0999");
    expect_warning("touching.json", false);
    /* The springs of `substep` yield to bonds within the step; the balls only touch when it starts. */
    write_text(
        "bound.json",
        "{\"gravity\": [0, 0, 0], \"solver\": {\"preset\": \"realtime\"}, \"materials\": {\"default\": "
        "{\"cohesion\": 1}}, \"generators\": [{\"kind\": \"lattice\", \"cells\": [3, 3, 3], \"spacing\": "
        "0.02, \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}}]}");
    expect_warning("bound.json", true);
    ASSERT_HOLDS(standard_error, " pairs of bodies are inside each other after the first step");
    /* A tetrahedron of a metre around a small ball, which touches none of its triangles. */
    write_text("solid.obj", "v -1 -1 -1\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    for (int outside = 0; outside < 2; ++outside)
        expect_scene_warning(
            !outside,
            "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"solid\", \"file\": "
            "\"solid.obj\"}}, {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}, "
            "\"position\": [0, 0, %s]}]}",
            outside ? "2" : "0.1");
}

static void measurements_without_rows_give_a_warning(void **state) {
    (void)state;
    /* Rows are at multiples of 7 steps; the runs end at step 2 and at step 8. */
    write_scene("measured.json",
                "\"measurements\": [{\"name\": \"still\", \"kind\": \"energy\", \"every\": 7}],", "", "",
                "0.2");
    expect_warning("measured.json", true);
    EXPECT_CODE(shell("scree run measured.json --steps 8 --out words --quiet"), 0);
    assert_string_equal(standard_error, "");
}

static void stiffness_without_effect_gives_a_warning(void **state) {
    (void)state;
    write_scene("springs.json",
                "\"material_pairs\": [{\"materials\": [\"default\", \"default\"], \"friction\": 0.5, "
                "\"restitution\": 0, \"stiffness\": 1e4}],",
                "", "", "0.2");
    expect_warning("springs.json", true);
    write_scene("springs.json",
                "\"solver\": {\"stabilisation\": \"substep\", \"substeps\": 4, \"contact_frequency\": 0},",
                ", \"stiffness\": 1e4", "", "0.2");
    expect_warning("springs.json", false);
}

/* Lengths, densities and angles beyond the limits of a likely unit, and just inside of them. */
static void unlikely_units_give_a_warning(void **state) {
    (void)state;
    static const struct {
        const char *radius;
        bool warns;
    } sizes[] = {{"49", false}, {"51", true}, {"6e-6", false}, {"4e-6", true}}; /* 100 m, 10 µm across */
    for (int i = 0; i < 4; ++i)
        expect_scene_warning(
            sizes[i].warns,
            "{\"gravity\": [0, 0, 0], \"speculative_distance\": 1e-7, \"bodies\": [{\"shape\": "
            "{\"kind\": \"sphere\", \"radius\": %s}}]}",
            sizes[i].radius);
    /* Grains smaller than the speculative margin, and a density in g/cm³. */
    static const struct {
        const char *radius, *density;
        bool warns;
    } grains[] = {
        {"0.0011", "2500", false}, {"0.0009", "2500", true}, {"0.1", "2.5", true}, {"0.1", "21", false}};
    for (int i = 0; i < 4; ++i)
        expect_scene_warning(grains[i].warns,
                             "{\"materials\": {\"sand\": {\"density\": %s}}, \"bodies\": [{\"material\": "
                             "\"sand\", \"shape\": {\"kind\": \"sphere\", \"radius\": %s}}]}",
                             grains[i].density, grains[i].radius);
    /* A mesh of 90 in millimetres has a diagonal of 127 m without the scale. */
    for (int scaled = 0; scaled < 2; ++scaled)
        expect_scene_warning(
            !scaled,
            "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"heights\": [[0, 0], "
            "[0, 0]], \"spacing\": [90, 90], \"scale\": %s}}, {\"shape\": {\"kind\": \"sphere\", "
            "\"radius\": 0.1}, \"position\": [0, 0, 1]}]}",
            scaled ? "0.001" : "1");
    static const struct {
        const char *axis;
        bool warns;
    } angles[] = {
        {"\"mode\": \"limited\", \"low\": -90, \"high\": 90", true},
        {"\"drive\": \"position\", \"target\": 45, \"servo\": {\"frequency\": 1}", true},
        {"\"mode\": \"limited\", \"low\": -1.57", false},
        {"\"drive\": \"velocity\", \"target\": 45", false},
    };
    for (size_t i = 0; i < sizeof angles / sizeof *angles; ++i)
        expect_scene_warning(
            angles[i].warns,
            "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}], \"joints\": [{\"kind\": "
            "\"hinge\", \"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"rotation_x\": {%s}}}]}",
            angles[i].axis);
}

/* A limit is refused only in steps in which bodies may reach it: the others are written. */
static void a_limit_in_reach_is_not_dumped(void **state) {
    (void)state;
    static const char *const limits[] = {"\"mode\": \"limited\", \"low\": -1, \"high\": 1",
                                         "\"mode\": \"limited\", \"low\": 0.2, \"high\": 1"};
    for (int i = 0; i < 2; i++) {
        write_hinge("limited.json", limits[i]);
        EXPECT_CODE(shell("scree run limited.json --backend native --steps 4 --dump-problem 3 --out limited"),
                    0);
        assert_true(exists("limited/problem-000003.hdf5") == !i);
        if (i) ASSERT_HOLDS(standard_error, "warning: step 3: the contact problem was not written: ");
        ASSERT_HOLDS(standard_output, "Done.");
    }
}

/* The arm of rolling friction is a length: a ball of 5 cm with an arm of 6 cm never rolls. */
static void long_arms_of_friction_give_a_warning(void **state) {
    (void)state;
    static const struct {
        const char *material, *found;
    } cases[] = {{", \"rolling_friction\": 0.06", "rolling_friction"},
                 {", \"spinning_friction\": 0.06", "spinning_friction"},
                 {", \"rolling_friction\": 0.04, \"spinning_friction\": 0.04", NULL}};
    for (int i = 0; i < 3; i++) {
        write_scene("arms.json", "", cases[i].material, "", "0.2");
        expect_warning("arms.json", cases[i].found);
        if (!cases[i].found) continue;
        ASSERT_HOLDS(standard_error, cases[i].found);
        ASSERT_HOLDS(standard_error, " of the material \"ball\": 0.06 m; ");
        ASSERT_HOLDS(standard_error, ", 0.05 m, ");
        assert_int_equal(count_lines(standard_error), 1);
    }
}

/* A speed of 1e-8 m/s at 1000 m is rounded. It is given for a platen and for a ball without gravity, and a
 * residue of the solver for a ball on the ground. */
static void rounded_speeds_give_a_warning(void **state) {
    (void)state;
    static const struct {
        const char *gravity, *type;
        bool warns;
    } cases[] = {{"-9.81", "kinematic", true}, {"0", "dynamic", true}, {"-9.81", "dynamic", false}};
    for (int i = 0; i < 3; i++)
        expect_scene_warning(
            cases[i].warns,
            "{\"gravity\": [0, 0, %s], \"bodies\": [{\"type\": \"%s\", \"linear_velocity\": [0, 0, "
            "1e-8], \"position\": [1000, 0, 0], \"shape\": {\"kind\": \"sphere\", \"radius\": "
            "0.1}}, {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}]}",
            cases[i].gravity, cases[i].type);
    /* After a step the speed is a result. */
    EXPECT_CODE(shell("sed 's/-9.81/0/' made.json >still.json && "
                      "scree run still.json --backend native --steps 2 --out still --quiet"),
                0);
    ASSERT_HOLDS(standard_error, "rounded");
    EXPECT_CODE(shell("scree run still.json --backend native --steps 4 --out still --quiet --resume "
                      "still/checkpoint.h5"),
                0);
    assert_string_equal(standard_error, "");
}

/* A hundred million bodies, which need at least 30 GB, are rejected before they are made. */
static void more_bodies_than_memory_are_rejected(void **state) {
    (void)state;
    if ((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) > 28e9) skip();
    write_text("many.json",
               "{\"generators\": [{\"kind\": \"lattice\", \"count\": 97336000, \"cells\": [460, 460, 460], "
               "\"spacing\": 0.1, \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}]}");
    EXPECT_CODE(shell("scree run many.json --out many"), 1);
    ASSERT_HOLDS(standard_error, "97336000");
    ASSERT_HOLDS(standard_error, "29.2 GB");
    assert_int_equal(count_lines(standard_error), 1);
}

/* A mesh file that changed since a run began is not accepted as that of its checkpoint. */
static void a_changed_mesh_is_detected(void **state) {
    (void)state;
    const char *const plane = "v -9 -9 %s\nv 9 -9 %s\nv 0 9 %s\nf 1 2 3\n";
    char text[128];
    write_text("mesh.json", "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"file\": "
                            "\"plane.obj\"}}, {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, "
                            "\"position\": [0, 0, 1]}], \"outputs\": {\"pictures\": false}}");
    snprintf(text, sizeof text, plane, "0", "0", "0");
    write_text("plane.obj", text);
    const char *const go_on =
        "scree run mesh.json --backend native --out mesh --resume mesh/checkpoint.h5 --steps %d";
    EXPECT_CODE(shell("scree run mesh.json --backend native --out mesh --steps 5"), 0);
    EXPECT_CODE(shell("touch plane.obj"), 0);
    EXPECT_CODE(shell(go_on, 6), 0);
    snprintf(text, sizeof text, plane, "0.3", "0.3", "0.3");
    write_text("plane.obj", text);
    EXPECT_CODE(shell(go_on, 7), 2);
    ASSERT_HOLDS(standard_error, "bodies[0].shape.file: ");
}

/* A scene may begin with a byte order mark, and may have only inlets. */
static void unusual_scenes_run(void **state) {
    (void)state;
    write_text(
        "inlet.json",
        "\xef\xbb\xbf{\"inlets\": [{\"zone\": {\"kind\": \"sphere\", \"radius\": 1}, \"rate\": 100, "
        "\"body\": "
        "{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}}], \"outputs\": {\"pictures\": false}}");
    EXPECT_CODE(
        shell("scree run inlet.json --backend native --out inlet --steps 12 && "
              "scree run inlet.json --backend native --out inlet --resume inlet/checkpoint.h5 --steps 24"),
        0);
    ASSERT_HOLDS(standard_output, "resumed");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_survive_rejected_input),
        cmocka_unit_test(results_survive_a_full_disk),
        cmocka_unit_test(overlap_at_the_start_gives_a_warning),
        cmocka_unit_test(measurements_without_rows_give_a_warning),
        cmocka_unit_test(stiffness_without_effect_gives_a_warning),
        cmocka_unit_test(unlikely_units_give_a_warning),
        cmocka_unit_test(a_limit_in_reach_is_not_dumped),
        cmocka_unit_test(long_arms_of_friction_give_a_warning),
        cmocka_unit_test(rounded_speeds_give_a_warning),
        cmocka_unit_test(more_bodies_than_memory_are_rejected),
        cmocka_unit_test(a_changed_mesh_is_detected),
        cmocka_unit_test(unusual_scenes_run),
    };
    return cmocka_run_group_tests(tests, set_up, folder_tear_down);
}
