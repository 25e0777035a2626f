/* The program from outside: scenes with many worlds, their tables, failures, and runs that end early. */
#include "command.h"

#include <signal.h>
#include <time.h>

/* 27 spheres falling into a box; `%s` stands for the keys of `worlds` */
static const char scene[] =
    "{\"time_step\": 0.004, \"seed\": 3, \"run\": {\"steps\": 40},\n"
    " \"outputs\": {\"every\": 10, \"pictures\": false}, \"backend\": {\"maximum_contacts\": 0},\n"
    " \"materials\": {\"glass\": {\"friction\": 0.3}},\n"
    " \"containers\": [{\"kind\": \"box\", \"inner_size\": [0.4, 0.4, 1], \"wall_thickness\": 0.05}],\n"
    " \"generators\": [{\"kind\": \"lattice\", \"cells\": [3, 3, 3], \"spacing\": 0.11, \"jitter\": 0.004,\n"
    "   \"position\": [0, 0, 0.01],\n"
    "   \"body\": {\"material\": \"glass\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}],\n"
    " \"measurements\": [{\"kind\": \"energy\", \"name\": \"e\", \"every\": 15}],\n"
    " \"worlds\": {%s}}\n";
static const char frictions[] = "\"repeats\": 2, \"vary\": {\"materials.glass.friction\": [0.1, 0.5]}, "
                                "\"report\": [{\"name\": \"e\", \"figure\": \"potential_energy_J\"}]";

static void write_scene(const char *name, const char *worlds) {
    char text[4096];
    snprintf(text, sizeof text, scene, worlds);
    write_text(name, text);
}

static int set_up(void **state) {
    if (folder_set_up_without_devices(state)) return -1;
    write_scene("all.json", frictions);
    return 0;
}

#define VARIED "\"vary\": {\"time_step\": [0.004, 0.002]}, "

static void errors_name_their_place(void **state) {
    (void)state;
    static const struct {
        const char *worlds, *place, *message;
    } cases[] = {
        {"\"vary\": {\"materials.glass.frction\": [1]}", "worlds.vary.materials.glass.frction",
         "did you mean \"friction\"?"},
        {"\"vary\": {\"materials.glass\": [1]}", "worlds.vary.materials.glass",
         "an object; must be the path of a number"},
        {"\"vary\": {\"generators[1].spacing\": [1]}", "worlds.vary.generators[1].spacing",
         "no \"[1]\" there"},
        {"\"vary\": {\"generators[0]\": [1]}", "worlds.vary.generators[0]", "an object"},
        {"\"vary\": {\"generators[0].spacing.\": [1]}", "worlds.vary.generators[0].spacing.",
         "path of a number"},
        {"\"vary\": {\"\": [1]}", "worlds.vary.", "path of a number"},
        {"\"vary\": {\"worlds.repeats\": [1]}, \"repeats\": 1", "worlds.vary.worlds.repeats",
         "no \"worlds\" there"},
        {"\"vary\": {\"time_step\": []}", "worlds.vary.time_step", "an array of 1 to"},
        {"\"vary\": {\"time_step\": [\"a\"]}", "worlds.vary.time_step[0]", "must be a number"},
        {"\"vary\": {\"time_step\": 1}", "worlds.vary.time_step", "an array of numbers or an object"},
        {"\"vary\": {\"time_step\": [0.1, -1]}", "worlds.vary.time_step", "-1; must be a number from"},
        {"\"vary\": {\"seed\": [1.5]}", "worlds.vary.seed", "must be a whole number"},
        {"\"vary\": {\"time_step\": {\"kind\": \"linear\", \"from\": 1, \"to\": 2}}", "worlds",
         "\"count\" is missing"},
        {"\"count\": 3, \"vary\": {\"time_step\": [0.1, 0.2]}", "worlds.vary.time_step",
         "2 values; must be 3"},
        {"\"vary\": {\"time_step\": [0.1], \"seed\": [1, 2]}", "worlds.vary.seed", "2 values; must be 1"},
        {"\"count\": 2, \"vary\": {\"time_step\": {\"kind\": \"uniform\", \"minimum\": 2, \"maximum\": 1}}",
         "worlds.vary.time_step", "minimum below the maximum"},
        {"\"count\": 2, \"vary\": {\"time_step\": {\"kind\": \"logarithmic\", \"from\": 0, \"to\": 1}}",
         "worlds.vary.time_step.from", "0; must be a number > 0"},
        {"\"repeats\": 2, \"vary\": {\"seed\": [1, 2]}", "worlds.repeats",
         "must be 1 if `vary` has the seed"},
        {"\"repeats\": 0", "worlds.repeats", "0; must be a whole number from 1"},
        {"\"count\": 100000, \"repeats\": 2", "worlds", "200000 worlds; must be at most 100000"},
        {"\"vry\": {}", "worlds.vry", "did you mean \"vary\"?"},
        {"\"report\": [{\"name\": \"f\", \"figure\": \"drive_J\"}]", "worlds.report[0].name",
         "no measurement of that name"},
        {"\"report\": [{\"name\": \"e\", \"figure\": \"drive\"}]", "worlds.report[0].figure", "not a figure"},
        {"\"plot\": [{\"name\": \"e\", \"figure\": \"impact_J\"}]", "worlds.plot[0]",
         "must be used with `vary`"},
        {VARIED "\"plot\": [{\"name\": \"f\", \"figure\": \"impact_J\"}]", "worlds.plot[0].name",
         "no measurement of that name; must be one of \"e\""},
        {VARIED "\"plot\": [{\"name\": \"e\", \"figure\": \"impact\"}]", "worlds.plot[0].figure",
         "not a figure of kind \"energy\"; must be one of "},
        {VARIED "\"plot\": [{\"name\": \"e\", \"figure\": \"impact_J\", \"against\": \"time_stp\"}]",
         "worlds.plot[0].against", "\"time_stp\"; must be one of \"time_step\"; did you mean \"time_step\"?"},
        {VARIED "\"plot\": [{\"name\": \"e\"}]", "worlds.plot[0]", "\"figure\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char place[256];
        write_scene("bad.json", cases[i].worlds);
        EXPECT_CODE(shell("scree run bad.json --out bad"), 2);
        snprintf(place, sizeof place, ": %s: ", cases[i].place);
        ASSERT_HOLDS(standard_error, "bad.json:9:");
        ASSERT_HOLDS(standard_error, place);
        ASSERT_HOLDS(standard_error, cases[i].message);
        assert_int_equal(count_lines(standard_error), 1);
        assert_false(exists("bad"));
    }
}

static void options_are_checked(void **state) {
    (void)state;
    static const char *const cases[][2] = {
        {"--world 4", "--world: 4; must be 0 to 3"},
        {"--profile", "--profile"},
        {"--trace trace.json", "--trace"},
        {"--dump-problem 3", "--dump-problem"},
        {"--resume nowhere", "\"nowhere\"; must be the folder"},
        {"--resume nowhere --out else", "--out: \"else\""},
        {"--substeps 3", "--substeps"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EXPECT_CODE(shell("scree run all.json %s --steps 3", cases[i][0]), 2);
        ASSERT_HOLDS(standard_error, cases[i][1]);
        assert_int_equal(count_lines(standard_error), 1);
    }
    write_scene("steps.json", "\"vary\": {\"time_step\": [0.001, 0.002], \"seed\": [1, 2]}");
    EXPECT_CODE(shell("scree run steps.json --steps 3 --dt 0.004"), 2);
    ASSERT_HOLDS(standard_error, "worlds.vary.time_step: an option sets this number");
    EXPECT_CODE(shell("scree run steps.json --steps 3 --seed 4"), 2);
    ASSERT_HOLDS(standard_error, "worlds.vary.seed: an option sets this number");
    EXPECT_CODE(
        shell(
            "sed 's/, *$/,/; /worlds/d; s/15}\\],/15}]}/' all.json >one.json; scree run one.json --world 0"),
        2);
    ASSERT_HOLDS(standard_error, "--world: 0; must be used with a scene that has \"worlds\"");
}

/* Worlds that run at once need memory together: what suffices for one is too little for four. */
static void memory_counts_worlds_at_once(void **state) {
    (void)state;
    static const char command[] =
        "unset OCL_ICD_VENDORS OPENCL_VENDOR_PATH; export SCREE_DEVICE_MEMORY_LIMIT=%d; "
        "scree run all.json --backend opencl --steps 3 --quiet --threads %d --out m%d";
    const int four = shell(command, 100000, 4, 4);
    if (four && strstr(standard_error, "OpenCL")) skip();
    assert_int_equal(four, 1);
    ASSERT_HOLDS(standard_error, "memory: 4 worlds at once, each of 32 bodies");
    assert_false(exists("m4"));
    EXPECT_CODE(shell(command, 100000, 1, 1), 0);
}

/* A world has the same bits alone and in company, on any number of threads. */
static void worlds_are_the_same_alone_and_in_company(void **state) {
    (void)state;
    char kept[1024];
    uint64_t hashes[4], step;
    snprintf(kept, sizeof kept, "\"keep\": true, %s", frictions);
    write_scene("kept.json", kept);
    EXPECT_CODE(shell("scree run kept.json --quiet --threads 1 --out one && scree run kept.json --quiet "
                      "--threads 3 --out "
                      "three && scree run all.json --quiet --threads 9 --out nine"),
                0);
    EXPECT_CODE(shell("cmp one/worlds.csv three/worlds.csv && cmp one/worlds.csv nine/worlds.csv && "
                      "cmp one/worlds_summary.csv nine/worlds_summary.csv"),
                0);
    for (int i = 0; i < 4; i++) {
        char path[64];
        EXPECT_CODE(shell("scree run kept.json --quiet --world %d --threads 2 --out alone", i), 0);
        hashes[i] = checkpoint_hash("alone/checkpoint.h5", &step);
        assert_int_equal(step, 40);
        snprintf(path, sizeof path, "one/world-%05d/checkpoint.h5", i);
        assert_true(checkpoint_hash(path, &step) == hashes[i]);
        EXPECT_CODE(shell("cmp three/world-%05d/checkpoint.h5 alone/checkpoint.h5", i), 0);
        for (int k = 0; k < i; k++) assert_true(hashes[k] != hashes[i]);
    }
    assert_true(exists("one/world-00003/frame_00000040.vtkhdf"));
    EXPECT_CODE(shell("ls -A nine | tr '\\n' ' '"), 0);
    assert_string_equal(standard_output, "worlds.csv worlds_summary.csv ");
    EXPECT_CODE(shell("scree run all.json --seed 4 --quiet --world 1 --out alone"), 0);
    assert_true(checkpoint_hash("alone/checkpoint.h5", &step) != hashes[1]);
}

/* The table has a row for each world and time, and the summary the means of the last values: both are
 * compared with the files of the worlds, which awk reads. */
static void tables_agree_with_the_files_of_the_worlds(void **state) {
    (void)state;
    char kept[1024];
    snprintf(kept, sizeof kept, "\"keep\": true, %s", frictions);
    write_scene("kept.json", kept);
    EXPECT_CODE(shell("scree run kept.json --out tables"), 0);
    ASSERT_HOLDS(standard_output, "4 worlds");
    ASSERT_HOLDS(standard_output, "e.potential_energy_J");
    ASSERT_HOLDS(standard_output, "tables/worlds_summary.csv");
    /* rows at the frames of steps 10, 20, 30, 40, and of the measurement at 15 and 30 */
    EXPECT_CODE(shell("cut -d, -f1-5 tables/worlds.csv"), 0);
    assert_string_equal(standard_output, "world,materials.glass.friction,seed,failure,step\n"
                                         "0,0.1,3,,10\n0,0.1,3,,15\n0,0.1,3,,20\n0,0.1,3,,30\n0,0.1,3,,40\n"
                                         "1,0.1,4,,10\n1,0.1,4,,15\n1,0.1,4,,20\n1,0.1,4,,30\n1,0.1,4,,40\n"
                                         "2,0.5,5,,10\n2,0.5,5,,15\n2,0.5,5,,20\n2,0.5,5,,30\n2,0.5,5,,40\n"
                                         "3,0.5,6,,10\n3,0.5,6,,15\n3,0.5,6,,20\n3,0.5,6,,30\n3,0.5,6,,40\n");
    EXPECT_CODE(
        shell("column() { awk -F, -v n=$1 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == n) c = i } "
              "NR > 1 && $c != \"\" { print $c }' $2; }; "
              "column e.impact_J tables/worlds.csv >first; for w in 0 1 2 3; do column impact_J "
              "tables/world-0000$w/measurement_e.csv; done >other; cmp first other && test -s first && "
              "column kinetic_energy_J tables/worlds.csv >first; for w in 0 1 2 3; do column "
              "kinetic_energy_J tables/world-0000$w/measurements.csv; done >other; cmp first other"),
        0);
    /* t of one degree of freedom is 12.7062; with two values the deviation is |a − b|/√2 */
    EXPECT_CODE(shell("awk -F, 'FILENAME ~ /summary/ { if (FNR == 1) for (i = 1; i <= NF; ++i) c[$i] = i; "
                      "else if ($1 != \"all\") { n = 2 * $1; a = last[n]; b = last[n + 1]; m = (a + b) / 2; "
                      "s = (a > b ? a - b : b - a) / sqrt(2); x = \"kinetic_energy_J\"; "
                      "if ($c[x \".mean\"] / m - 1 > 1e-9 || m / $c[x \".mean\"] - 1 > 1e-9 || $c[x "
                      "\".deviation\"] / s - 1 > 1e-6 || "
                      "s / $c[x \".deviation\"] - 1 > 1e-6 || $c[x \".confidence\"] / (12.7062 * s / "
                      "sqrt(2)) - 1 > 1e-4 || "
                      "$3 != 2 || $4 != 0) exit 1; rows++ } next } "
                      "FNR == 1 { for (i = 1; i <= NF; ++i) if ($i == \"kinetic_energy_J\") k = i; next } "
                      "$k != \"\" { last[$1] = $k } END { exit rows != 2 }' tables/worlds.csv "
                      "tables/worlds_summary.csv"),
                0);
    EXPECT_CODE(shell("head -n 1 tables/worlds.csv | tr , '\\n' | grep '_ms$'"), 1); /* no wall times */
}

/* A plot of a figure against each number that varies; the plots of an earlier run are removed. */
static void plots_are_drawn(void **state) {
    (void)state;
    write_scene(
        "plots.json",
        "\"repeats\": 2, \"vary\": {\"materials.glass.friction\": [0.1, 0.5], \"time_step\": [0.004, "
        "0.002]}, \"plot\": [{\"name\": \"e\", \"figure\": \"potential_energy_J\"}, {\"name\": \"e\", "
        "\"figure\": \"potential_energy_J\", \"against\": \"time_step\"}]");
    EXPECT_CODE(shell("scree run plots.json --out plots"), 0);
    ASSERT_HOLDS(standard_output, "plot          plots/worlds_e.potential_energy_J.png\n");
    ASSERT_HOLDS(standard_output, "plot          plots/worlds_e.potential_energy_J_2.png\n");
    EXPECT_CODE(shell("head -c 8 plots/worlds_e.potential_energy_J_2.png | tr -d '\\r\\n' | tail -c 5"), 0);
    ASSERT_HOLDS(standard_output, "PNG");
    EXPECT_CODE(shell("cmp plots/worlds_e.potential_energy_J.png plots/worlds_e.potential_energy_J_2.png"),
                1);
    EXPECT_CODE(shell("scree run all.json --quiet --out plots && ls -A plots | tr '\\n' ' '"), 0);
    assert_string_equal(standard_output, "worlds.csv worlds_summary.csv ");
}

/* The worlds of a list are no sample of it, those of random numbers and of seeds are. */
static void all_worlds_have_an_interval_if_they_are_a_sample(void **state) {
    (void)state;
    static const struct {
        const char *worlds;
        int code; /* of grep for an empty last field of the row of all worlds */
    } cases[] = {{"\"vary\": {\"materials.glass.friction\": [0.1, 0.5]}", 0},
                 {"\"count\": 2, \"vary\": {\"materials.glass.friction\": {\"kind\": \"uniform\", "
                  "\"minimum\": 0.1, \"maximum\": 0.5}}",
                  1},
                 {"\"repeats\": 2", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_scene("sample.json", cases[i].worlds);
        EXPECT_CODE(shell("rm -rf sample; scree run sample.json --quiet --out sample"), 0);
        EXPECT_CODE(
            shell("awk -F, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i == \"kinetic_energy_J.confidence\") c "
                  "= i } $1 == \"all\" { print \"=\" $c }' sample/worlds_summary.csv | grep '^=$'"),
            cases[i].code);
    }
}

/* Numbers without effect are reported. */
static void worlds_that_are_equal_have_a_warning(void **state) {
    (void)state;
    write_text("equal.json",
               "{\"run\": {\"steps\": 3}, \"materials\": {\"unused\": {\"friction\": 0.1}}, \"bodies\": "
               "[{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}], \"worlds\": {\"vary\": "
               "{\"materials.unused.friction\": [0.1, 0.5]}}}");
    EXPECT_CODE(shell("scree run equal.json --quiet --out equal"), 0);
    ASSERT_HOLDS(standard_error, "all 2 ended with equal values");
    write_text("unequal.json",
               "{\"run\": {\"steps\": 3}, \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": "
               "0.1}}], \"worlds\": {\"vary\": {\"bodies[0].shape.radius\": [0.1, 0.2]}}}");
    EXPECT_CODE(shell("scree run unequal.json --quiet --out unequal"), 0);
    assert_null(strstr(standard_error, "equal values"));
}

/* A world that fails has its reason in the table and does not change the others. */
static void a_failed_world_does_not_end_the_others(void **state) {
    (void)state;
    write_scene("failing.json", "\"vary\": {\"backend.maximum_contacts\": [0, 20, 0]}");
    write_scene("good.json", "\"repeats\": 3");
    EXPECT_CODE(shell("scree run failing.json --out failing"), 1);
    ASSERT_HOLDS(standard_error, "1 of 3 worlds failed");
    ASSERT_HOLDS(standard_error, "--world K repeats world K");
    ASSERT_HOLDS(standard_output, "1 failed");
    EXPECT_CODE(shell("grep '^1,20,4,' failing/worlds.csv | grep -c 'step [0-9]*: contact points: more than "
                      "20; limited by "
                      "maximum_contacts'"),
                0);
    EXPECT_CODE(shell("grep '^world 1: scree run: step' failing/worlds_messages.txt"), 0);
    EXPECT_CODE(shell("scree run good.json --quiet --out good"), 0);
    EXPECT_CODE(shell("grep '^[02]' failing/worlds.csv | cut -d, -f3- >first; grep '^[02]' good/worlds.csv | "
                      "cut -d, -f2- "
                      ">other; cmp first other && test $(wc -l <first) -eq 10"),
                0);
    EXPECT_CODE(shell("cut -d, -f1-4 failing/worlds_summary.csv"), 0);
    assert_string_equal(
        standard_output,
        "set,\"backend.maximum_contacts\",worlds,failed\n0,0,1,0\n1,20,0,1\n2,0,1,0\nall,,2,1\n");
}

/* A world whose bodies find no place has one row with the reason. */
static void a_world_that_cannot_be_built_has_a_row(void **state) {
    (void)state;
    write_text("dense.json",
               "{\"run\": {\"steps\": 2}, \"outputs\": {\"pictures\": false}, \"generators\": [{\"kind\": "
               "\"fill\", \"count\": 80, "
               "\"solid_fraction\": 0.2, \"attempts\": 100, \"region\": {\"kind\": \"box\", \"size\": [0.5, "
               "0.5]}, \"body\": "
               "{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}], \"worlds\": {\"vary\": "
               "{\"generators[0].solid_fraction\": [0.9, 0.1]}}}");
    EXPECT_CODE(shell("scree run dense.json --quiet --out dense"), 1);
    EXPECT_CODE(
        shell("grep -c '^0,0.9,0,\"dense.json:1:.*: generators\\[0\\]: placed only' dense/worlds.csv"), 0);
    assert_string_equal(standard_output, "1\n");
    EXPECT_CODE(shell("grep -c '^1,0.1,1,,' dense/worlds.csv"), 0);
}

/* Starts many steps of all.json in the background and waits until a world has a row. `backend` opencl: with
 * the machine's devices. */
static pid_t start_run_on(const char *backend, const char *out) {
    char path[512];
    struct stat status;
    shell("rm -rf %s", out);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (chdir(folder) || !freopen("stdout", "w", stdout) || !freopen("stderr", "w", stderr)) _exit(99);
        if (!strcmp(backend, "opencl") && (unsetenv("OCL_ICD_VENDORS") || unsetenv("OPENCL_VENDOR_PATH")))
            _exit(99);
        execl(PROGRAM, "scree", "run", "all.json", "--steps", "2000", "--measure", "100", "--checkpoint",
              "50", "--threads", "2", "--backend", backend, "--out", out, (char *)NULL);
        _exit(99);
    }
    snprintf(path, sizeof path, "%s/%s/world-00001/checkpoint.h5", folder, out);
    for (int i = 0; i < 2000 && stat(path, &status); ++i) {
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    assert_int_equal(stat(path, &status), 0);
    return child;
}

static pid_t start_long_run(const char *out) { return start_run_on("native", out); }

static const char long_run[] = "--steps 2000 --measure 100 --checkpoint 50 --threads 2 --backend native";

/* Runs that Ctrl-C and `kill -9` end continue to the tables of a run that was never stopped. */
static void runs_that_end_early_continue(void **state) {
    (void)state;
    const int signals[] = {SIGINT, SIGTERM, SIGKILL};
    EXPECT_CODE(shell("scree run all.json --quiet %s --out whole", long_run), 0);
    for (int i = 0; i < 3; i++) {
        const pid_t child = start_long_run("parts");
        int status, code = 2;
        assert_int_equal(kill(child, signals[i]), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        read_text("stderr", standard_error, sizeof standard_error);
        if (signals[i] != SIGKILL) {
            assert_true(WIFEXITED(status));
            EXPECT_CODE(WEXITSTATUS(status), 1);
            ASSERT_HOLDS(standard_error, "worlds have not ended");
            ASSERT_HOLDS(standard_error, "`scree run all.json --resume parts --steps 2000");
        }
        /* The worlds of a killed run end after their step; until then they hold the folder. */
        for (int k = 0; k < 400 && code == 2; k++) {
            code = shell("scree run all.json --quiet --resume parts %s", long_run);
            if (code == 2) ASSERT_HOLDS(standard_error, "another run is writing");
            if (code == 2) nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        }
        EXPECT_CODE(code, 0);
        EXPECT_CODE(shell("cmp whole/worlds.csv parts/worlds.csv && cmp whole/worlds_summary.csv "
                          "parts/worlds_summary.csv"),
                    0);
        EXPECT_CODE(shell("scree run all.json --quiet --resume parts %s", long_run),
                    2); /* nothing is left to do */
        ASSERT_HOLDS(standard_error, "must be the folder of an unfinished run");
    }
}

static const char with_devices[] = "unset OCL_ICD_VENDORS OPENCL_VENDOR_PATH; ";

static bool has_device(void) { return shell("%sscree devices", with_devices) == 0; }

/* Worlds that share the launches of a device have the bits of native, also if one fails, and if Ctrl-C ends
 * the run and it goes on with another number of them. */
static void worlds_share_a_device(void **state) {
    (void)state;
    if (!has_device()) skip();
    write_scene("shared.json", "\"vary\": {\"backend.maximum_contacts\": [0, 20, 0]}");
    EXPECT_CODE(shell("%sscree run shared.json --backend opencl --out shared", with_devices), 1);
    ASSERT_HOLDS(standard_error, "1 of 3 worlds failed");
    ASSERT_HOLDS(standard_output, "3 worlds, 3 at once");
    ASSERT_HOLDS(standard_output, "launches");
    EXPECT_CODE(shell("scree run shared.json --backend native --quiet --out separate"), 1);
    EXPECT_CODE(shell("cmp shared/worlds.csv separate/worlds.csv && cmp shared/worlds_messages.txt "
                      "separate/worlds_messages.txt"),
                0);
    const pid_t child = start_run_on("opencl", "halves");
    int status;
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    EXPECT_CODE(WEXITSTATUS(status), 1);
    EXPECT_CODE(
        shell("%sscree run all.json --quiet --resume halves --steps 2000 --measure 100 --checkpoint 50 "
              "--backend opencl --threads 4",
              with_devices),
        0);
    EXPECT_CODE(
        shell("scree run all.json --quiet %s --out all && cmp all/worlds.csv halves/worlds.csv", long_run),
        0);
}

/* A folder continues only with the scene and the options that its worlds have. */
static void other_scenes_do_not_continue(void **state) {
    (void)state;
    const pid_t child = start_long_run("other");
    int status;
    EXPECT_CODE(shell("scree run all.json --quiet --out other"), 2);
    ASSERT_HOLDS(standard_error, "another run is writing");
    assert_int_equal(kill(child, SIGINT), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    EXPECT_CODE(shell("scree run all.json --resume other --steps 2000 --measure 200 --checkpoint 50"), 2);
    ASSERT_HOLDS(standard_error, "must be unchanged");
    EXPECT_CODE(shell("sed 's/0.004/0.003/' all.json >changed.json; scree run changed.json --resume other %s",
                      long_run),
                2);
    ASSERT_HOLDS(standard_error, "must be unchanged");
}

/* A crash of one world, here by a signal, is a failure of that world alone. */
static void a_crashed_world_does_not_end_the_others(void **state) {
    (void)state;
    const pid_t child = start_long_run("crashed");
    int status;
    EXPECT_CODE(shell("kill -KILL $(cut -d' ' -f1 /proc/%d/task/%d/children)", (int)child, (int)child), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    EXPECT_CODE(WEXITSTATUS(status), 1);
    EXPECT_CODE(
        shell("cut -d, -f1,4 crashed/worlds.csv | sort -u | grep -c 'the process was ended by signal 9'"), 0);
    assert_string_equal(standard_output, "1\n");
    EXPECT_CODE(shell("cut -d, -f1,5 crashed/worlds.csv | grep -c ',2000$'"), 0);
    assert_string_equal(standard_output, "3\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_name_their_place),
        cmocka_unit_test(options_are_checked),
        cmocka_unit_test(memory_counts_worlds_at_once),
        cmocka_unit_test(worlds_are_the_same_alone_and_in_company),
        cmocka_unit_test(tables_agree_with_the_files_of_the_worlds),
        cmocka_unit_test(plots_are_drawn),
        cmocka_unit_test(all_worlds_have_an_interval_if_they_are_a_sample),
        cmocka_unit_test(worlds_that_are_equal_have_a_warning),
        cmocka_unit_test(a_failed_world_does_not_end_the_others),
        cmocka_unit_test(a_world_that_cannot_be_built_has_a_row),
        cmocka_unit_test(runs_that_end_early_continue),
        cmocka_unit_test(worlds_share_a_device),
        cmocka_unit_test(other_scenes_do_not_continue),
        cmocka_unit_test(a_crashed_world_does_not_end_the_others),
    };
    return cmocka_run_group_tests(tests, set_up, folder_tear_down);
}
