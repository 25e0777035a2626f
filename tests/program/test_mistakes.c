/* User errors are rejected with exit code 2 and one error message before the results of an earlier run
 * change; valid but unusual input gives a warning. */
#include "command.h"

/* three spheres on a floor, with finished results in `out` */
static const char scene[] =
    "{\"time_step\": 0.005, \"run\": {\"steps\": 20}, \"outputs\": {\"every\": 5},\n"
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

static int set_up(void **state) {
    if (folder_set_up(state)) return -1;
    write_scene("scene.json", "", "", "", "0.2");
    write_scene("capacity.json", "\"run\": {\"steps\": 20},", "", "", "0.2"); /* a duplicate key */
    write_scene("rolling.json", "", ", \"rolling_friction\": 0.001", "", "0.2");
    write_scene("full.json", "\"speculative_distance\": 0.001,", "", "", "0.2");
    write_text("crowded.json", "{\"backend\": {\"maximum_bodies\": 1}, \"bodies\": [\n"
                               "{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}, {\"shape\": {\"kind\": "
                               "\"sphere\", \"radius\": 1}, \"position\": [3, 0, 0]}]}");
    write_text("unlike.json",
               "{\"bodies\": [\n{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"inertia\": "
               "[1, 1, 5]}]}");
    write_text("empty.json", "{}");
    write_scene("elsewhere.json", "\"description\": \"a device that is not there\",", "", "", "0.2");
    EXPECT_CODE(shell("sed -i 's/\"threads\": 1/\"device\": \"nosuch\"/' elsewhere.json"), 0);
    write_text(
        "packed.json", /* the failed build removes its bodies, one of them absent */
        "{\"bodies\": [{\"absent\": true, \"shape\": {\"kind\": \"half-space\"}, \"type\": \"static\"}], "
        "\"generators\": [{\"kind\": \"fill\", \"count\": 1000, \"attempts\": 50, \"region\": "
        "{\"kind\": \"box\", \"size\": [1, 1], \"height\": 1}, \"body\": {\"shape\": "
        "{\"kind\": \"sphere\", \"radius\": 0.09}}}]}");
    return 0;
}

/* Every case is tried on a folder with finished results, which must stay unchanged to the byte. */
static void results_survive_rejected_input(void **state) {
    (void)state;
    static const struct {
        const char *arguments, *part;
    } cases[] = {
        {"scene.json --backend auto --device nosuch", "nosuch"},
        {"scene.json --backend opencl --device nosuch", "nosuch"},
        {"scene.json --steps 0", "--steps"},
        {"scene.json --nonsense", "--nonsense"},
        {"scene.json --verify 1 --backend opencl --device nosuch", "nosuch"},
        {"capacity.json", "duplicate object key"},
        {"missing.json", "missing.json"},
        {"crowded.json", "maximum_bodies is 1"},
        {"unlike.json", "bodies[0]: inertia: (1, 1, 5)"},
        {"packed.json", "solid fraction"},
        {"empty.json", "the scene has no bodies: expected at least one"},
        {"elsewhere.json", "nosuch"},
        {"scene.json --resume missing.h5", "missing.h5"},
        {"scene.json --resume scene.json", "is not a scree checkpoint"},
        {"scene.json --resume cut.h5", "cut short"},
        {"scene.json --steps 10 --resume out/checkpoint.h5",
         "is at step 20, after the end of the run at step 10"},
        {"rolling.json --resume out/checkpoint.h5 --dump-problem 21 --steps 30",
         "rolling or spinning friction"},
        {"rolling.json --dump-problem 3", "rolling or spinning friction"},
        {"scene.json --dump-problem 3,21", "--dump-problem 21: expected steps that this run makes, 1 to 20"},
        {"scene.json --add", "--add requires --resume"},
    };
    EXPECT_CODE(shell("scree run scene.json --quiet --out out && (cd out && ls -l --time-style=full-iso && "
                      "cat * | cksum) >before && head -c 2000 out/checkpoint.h5 >cut.h5"),
                0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EXPECT_CODE(shell("scree run %s --out out", cases[i].arguments), 2);
        ASSERT_HOLDS(standard_error, cases[i].part);
        if (count_lines(standard_error) != 1) fail_msg("expected one line: %s", standard_error);
        EXPECT_CODE(shell("(cd out && ls -l --time-style=full-iso && cat * | cksum) | cmp - before"), 0);
    }
    const char *const bare = "export OCL_ICD_VENDORS=/nonexistent OPENCL_VENDOR_PATH=/nonexistent;";
    const char *const without[] = {"--backend opencl", "--snapshot 5"};
    for (int i = 0; i < 2; ++i) {
        EXPECT_CODE(shell("%s scree run scene.json %s --out out", bare, without[i]), 2);
        ASSERT_HOLDS(standard_error, "OpenCL");
        EXPECT_CODE(shell("(cd out && ls -l --time-style=full-iso && cat * | cksum) | cmp - before"), 0);
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
    ASSERT_HOLDS(standard_error, "not enough space for results in \"tight\"");
    EXPECT_CODE(shell("(cd tight && cat * | cksum) | cmp - before"), 0);
    EXPECT_CODE(shell("mkdir -p odd/checkpoint.h5; touch odd/frame_00000099.vtkhdf; "
                      "scree run scene.json --out odd"),
                2);
    ASSERT_HOLDS(standard_error, "checkpoint.h5\" cannot be replaced");
    assert_true(exists("odd/frame_00000099.vtkhdf"));
}

static void steps_given_as_seconds_get_a_hint(void **state) {
    (void)state;
    static const struct {
        const char *option, *hint;
    } cases[] = {
        {"--every 0.1", "every_seconds"},
        {"--snapshot 0.5", "snapshot_every_seconds"},
        {"--checkpoint 2s", "checkpoint_every_seconds"},
        {"--steps 1.5", "--time takes seconds"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        EXPECT_CODE(shell("scree run scene.json %s", cases[i].option), 2);
        ASSERT_HOLDS(standard_error, "the unit is steps");
        ASSERT_HOLDS(standard_error, cases[i].hint);
    }
    EXPECT_CODE(shell("scree run scene.json --every -1"), 2);
    assert_null(strstr(standard_error, "the unit is steps"));
}

/* Asserts that `scree run` prints this on stderr, apart from its progress. */
static void expect_word(const char *file, const char *word) {
    EXPECT_CODE(shell("scree run %s --backend native --steps 2 --out words", file), 0);
    if (word)
        ASSERT_HOLDS(standard_error, word);
    else
        assert_null(strstr(standard_error, "scree run: "));
    EXPECT_CODE(shell("scree run %s --backend native --steps 2 --out words --quiet", file), 0);
    if (word)
        ASSERT_HOLDS(standard_error, word);
    else
        assert_string_equal(standard_error, "");
}

static void unusual_input_gives_a_warning(void **state) {
    (void)state;
    expect_word("scene.json", NULL);
    write_text("static.json",
               "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}}]}");
    expect_word("static.json", "no body can move");
    /* Neighbours at 0.08 m with radii of 0.05 m overlap by 0.02 m, 40 % of the radius, twice; at 0.0999 m it
     * is 0.2 %. */
    write_scene("overlapping.json", "", "", "", "0.08");
    expect_word("overlapping.json", "pairs of bodies start inside each other");
    EXPECT_CODE(shell("scree run overlapping.json --steps 1 --out words"), 0);
    /* Two pairs of neighbours, and each of the three spheres 0.01 m deep in the floor. */
    ASSERT_HOLDS(standard_error, "5 pairs of bodies start inside each other");
    ASSERT_HOLDS(standard_error, "by 0.02 m, 40 % of the smaller one's radius");
    EXPECT_CODE(shell("scree run overlapping.json --steps 1 --quiet --out words 2>told && "
                      "scree run overlapping.json --resume words/checkpoint.h5 --out words"),
                0);
    assert_null(strstr(standard_error, "inside each other"));
    /* Spacing as wide as the spheres: they touch at the start without overlap. */
    write_scene("touching.json", "", "", "", "0.0999");
    expect_word("touching.json", NULL);
    write_scene("brief.json", "\"description\": \"\",", "", "", "0.2");
    EXPECT_CODE(shell("sed -i 's/\"steps\": 20/\"duration\": 1e-8/' brief.json && "
                      "scree run brief.json --quiet --out words"),
                0);
    ASSERT_HOLDS(standard_error, "the duration of 1e-08 s is less than half the time step of 0.005 s");
    /* Rows are at multiples of 7 steps; the runs end at step 2 and at step 8. */
    write_scene("measured.json",
                "\"measurements\": [{\"name\": \"still\", \"kind\": \"energy\", \"every\": 7}],", "", "",
                "0.2");
    expect_word("measured.json", "the run ends at step 2, but the measurement \"still\" makes rows only at "
                                 "multiples of 7 steps: it will have none");
    EXPECT_CODE(shell("scree run measured.json --backend native --steps 8 --out words"), 0);
    assert_null(strstr(standard_error, "scree run: "));
    write_scene("springs.json",
                "\"material_pairs\": [{\"materials\": [\"default\", \"default\"], \"friction\": 0.5, "
                "\"restitution\": 0, \"stiffness\": 1e4}],",
                "", "", "0.2");
    expect_word("springs.json", "the stiffness of materials has no effect");
    write_scene("springs.json",
                "\"solver\": {\"stabilisation\": \"substep\", \"substeps\": 4, \"contact_frequency\": 0},",
                ", \"stiffness\": 1e4", "", "0.2");
    expect_word("springs.json", NULL);
    static const struct {
        const char *radius;
        bool doubtful;
    } sizes[] = {{"49", false}, {"51", true}, {"6e-6", false}, {"4e-6", true}}; /* 100 m, 10 µm across */
    for (int i = 0; i < 4; ++i) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"gravity\": [0, 0, 0], \"speculative_distance\": 1e-7, \"bodies\": [{\"shape\": "
                 "{\"kind\": \"sphere\", \"radius\": %s}}]}",
                 sizes[i].radius);
        write_text("size.json", text);
        expect_word("size.json", sizes[i].doubtful ? "lengths are in metres" : NULL);
    }
    /* Grains smaller than the speculative margin, and a density in g/cm³. */
    static const struct {
        const char *radius, *density, *word;
    } grains[] = {{"0.0011", "2500", NULL},
                  {"0.0009", "2500", "half width of 0.0009 m"},
                  {"0.1", "2.5", "a density of 2.5 kg/m³"},
                  {"0.1", "21", NULL}};
    for (int i = 0; i < 4; ++i) {
        char text[256];
        snprintf(
            text, sizeof text,
            "{\"materials\": {\"sand\": {\"density\": %s}}, \"bodies\": [{\"material\": \"sand\", \"shape\": "
            "{\"kind\": \"sphere\", \"radius\": %s}}]}",
            grains[i].density, grains[i].radius);
        write_text("grains.json", text);
        expect_word("grains.json", grains[i].word);
    }
    /* A mesh of 90 in millimetres has a diagonal of 127 m without the scale. */
    static const char *const scales[] = {"1", "0.001"};
    for (int i = 0; i < 2; ++i) {
        char text[256];
        snprintf(text, sizeof text,
                 "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"heights\": [[0, 0], "
                 "[0, 0]], \"spacing\": [90, 90], \"scale\": %s}}, {\"shape\": {\"kind\": \"sphere\", "
                 "\"radius\": 0.1}, \"position\": [0, 0, 1]}]}",
                 scales[i]);
        write_text("mesh.json", text);
        expect_word("mesh.json", i ? NULL : "the largest body measures 127 m");
    }
    /* A tetrahedron of a metre around a small ball, which touches none of its triangles. */
    write_text("solid.obj", "v -1 -1 -1\nv 2 0 0\nv 0 2 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    static const char *const heights[] = {"0.1", "2"};
    for (int i = 0; i < 2; ++i) {
        char text[256];
        snprintf(
            text, sizeof text,
            "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"solid\", \"file\": "
            "\"solid.obj\"}}, {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}, \"position\": [0, 0, "
            "%s]}]}",
            heights[i]);
        write_text("solid.json", text);
        expect_word("solid.json", i ? NULL : "bodies[1] starts inside bodies[0]");
    }
    static const struct {
        const char *axis, *word;
    } angles[] = {
        {"\"mode\": \"limited\", \"low\": -90, \"high\": 90", "joint with id 1 is 90 rad, 14.3 turns"},
        {"\"drive\": \"position\", \"target\": 45, \"servo\": {\"frequency\": 1}", "is 45 rad, 7.16 turns"},
        {"\"mode\": \"limited\", \"low\": -1.57", NULL},
        {"\"drive\": \"velocity\", \"target\": 45", NULL},
    };
    for (size_t i = 0; i < sizeof angles / sizeof *angles; ++i) {
        char text[512];
        snprintf(
            text, sizeof text,
            "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}], \"joints\": [{\"kind\": "
            "\"hinge\", \"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"rotation_x\": {%s}}}]}",
            angles[i].axis);
        write_text("angle.json", text);
        expect_word("angle.json", angles[i].word);
    }
}

/* A hundred million bodies, which need at least 30 GB, are rejected before they are made. */
static void more_bodies_than_memory_are_rejected(void **state) {
    (void)state;
    if ((double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) > 28e9) skip();
    write_text("many.json",
               "{\"generators\": [{\"kind\": \"lattice\", \"count\": 97336000, \"cells\": [460, 460, 460], "
               "\"spacing\": 0.1, \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}]}");
    EXPECT_CODE(shell("scree run many.json --out many"), 1);
    ASSERT_HOLDS(standard_error, "a scene of 97336000 bodies needs at least 29.2 GB");
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
    ASSERT_HOLDS(standard_error,
                 "bodies[0].shape.file: content of the string \"plane.obj\" differs from that in");
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
        cmocka_unit_test(steps_given_as_seconds_get_a_hint),
        cmocka_unit_test(unusual_input_gives_a_warning),
        cmocka_unit_test(more_bodies_than_memory_are_rejected),
        cmocka_unit_test(a_changed_mesh_is_detected),
        cmocka_unit_test(unusual_scenes_run),
    };
    return cmocka_run_group_tests(tests, set_up, folder_tear_down);
}
