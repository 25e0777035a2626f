/* The program from outside: exit codes, messages, files. */
#include "pile.h"

static void help_and_version(void **state) {
    (void)state;
    const char *const commands[] = {"", "run", "devices", "render"};
    for (int i = 0; i < 4; ++i) {
        EXPECT_CODE(shell("scree %s --help", commands[i]), 0);
        ASSERT_HOLDS(standard_output, "Usage: scree");
        assert_string_equal(standard_error, "");
    }
    EXPECT_CODE(shell("scree --version"), 0);
    ASSERT_HOLDS(standard_output, "scree 0.");
    EXPECT_CODE(shell("scree"), 2);
    ASSERT_HOLDS(standard_error, "Usage: scree");
}

/* The page of scenes has the values that the program prints. */
static void presets_are_printed(void **state) {
    (void)state;
    EXPECT_CODE(
        shell("scree presets | sed 's/^/      /' | grep -vxFf %s/host/scene/README.md", SCREE_SOURCE_DIR), 1);
    assert_string_equal(standard_output, "");
    EXPECT_CODE(shell("scree presets"), 0);
    assert_int_equal(count_lines(standard_output), 10);
    ASSERT_HOLDS(standard_output, "substeps                      -          -          -          8\n");
}

static void bad_scene_is_rejected_with_its_place(void **state) {
    (void)state;
    write_text("bad.json", "{\"time_step\": 0.004,\n \"run\": {\"stepz\": 40}}\n");
    EXPECT_CODE(shell("scree run bad.json"), 2);
    ASSERT_HOLDS(standard_error, "bad.json:2:");
    ASSERT_HOLDS(standard_error, "stepz");
    assert_false(exists("out"));
}

static void unwritable_folders_are_reported(void **state) {
    (void)state;
    write_text("occupied", "");
    EXPECT_CODE(shell("scree run pile.json --backend native --out occupied"), 2);
    ASSERT_HOLDS(standard_error, "\"occupied\"");
    EXPECT_CODE(shell("scree run pile.json --backend native --out occupied/below"), 2);
    ASSERT_HOLDS(standard_error, "occupied/below");
    EXPECT_CODE(shell("scree run pile.json --backend native --out /proc/nowhere"), 2);
    ASSERT_HOLDS(standard_error, "/proc/nowhere");
    /* Root may write anywhere, unless it drops that capability. */
    const char *as =
        geteuid() ? "" : "setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all ";
    EXPECT_CODE(
        shell("mkdir -p locked && chmod 500 locked && %s%s run pile.json --backend native --out locked", as,
              PROGRAM),
        2);
    ASSERT_HOLDS(standard_error, "locked");
}

static void run_reports_its_errors(void **state) {
    (void)state;
    EXPECT_CODE(shell("scree run drawn.json --backend native --verify 20 --out plain"), 0);
    const char *const parts[] = {
        "drawn.json: ",          "40 steps", "pgs, coulomb", "native",   "residual",    "violation",
        "penetration",           "kinetic",  "contacts",     "verified", "ms per step", "plain/checkpoint.h5",
        "plain/measurements.csv"};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; ++i) ASSERT_HOLDS(standard_output, parts[i]);
    ASSERT_HOLDS(standard_error, "step 40/40"); /* not a terminal: plain lines */
    assert_null(strchr(standard_error, '\r'));

    char csv[1 << 16];
    read_text("plain/measurements.csv", csv, sizeof csv);
    int rows = 0, verified = 0;
    const char *flag = strstr(csv, ",verified,");
    assert_non_null(flag);
    int column = 1;
    for (const char *c = csv; c < flag; ++c) column = *c == '\n' ? 1 : column + (*c == ',');
    for (char *line = strtok(csv, "\n"); line; line = strtok(NULL, "\n")) {
        if (line[0] < '0' || line[0] > '9') continue;
        const char *value = line;
        for (int i = 0; i < column; ++i) value = strchr(value, ',') + 1;
        ++rows, verified += *value == '1';
    }
    assert_int_equal(rows, 4);
    assert_int_equal(verified, 2); /* steps 20 and 40 */
    uint64_t step;
    checkpoint_hash("plain/checkpoint.h5", &step);
    assert_int_equal(step, 40);
    assert_int_equal(exists("plain/snapshot-000040.png"), have_opencl());
}

static void pictures_can_be_omitted(void **state) {
    (void)state;
    EXPECT_CODE(
        shell("scree run drawn.json --no-pictures --quiet --out unseen && "
              "scree run drawn.json --no-pictures --quiet --out unseen --resume unseen/checkpoint.h5 && "
              "ls unseen | grep -c png"),
        1);
    EXPECT_CODE(shell("scree run drawn.json --no-pictures --snapshot 3 --out unseen"), 2);
    ASSERT_HOLDS(standard_error, "--no-pictures");
}

/* A pile without a bulk. */
static void run_explains_a_missing_solid_fraction(void **state) {
    (void)state;
    EXPECT_CODE(shell("sed 's/.4, 4, 4./[4, 4, 1]/' pile.json >layer.json && "
                      "scree run layer.json --backend native --out layer"),
                0);
    ASSERT_HOLDS(standard_output, "solid         no solid fraction: along an axis, the middle 70 % of the "
                                  "centres span less than two diameters");
}

/* It sweeps to convergence whatever the method. */
static void the_reference_has_no_method(void **state) {
    (void)state;
    EXPECT_CODE(shell("scree run pile.json --backend reference --steps 1 --no-pictures --out swept"), 0);
    ASSERT_HOLDS(standard_output, "solver        sweeps, coulomb");
}

#define LINK(z)                                                                                              \
    "{\"shape\": {\"kind\": \"box\", \"half_extents\": [0.01, 0.01, 0.05]}, \"mass\": 0.1, \"position\": "   \
    "[0, 0, " z "]}, "
#define LINKS LINK("-0.05") LINK("-0.15")
#define JOINTS                                                                                               \
    "{\"kind\": \"ball\", \"b\": 0, \"point\": [0, 0, 0]}, "                                                 \
    "{\"kind\": \"ball\", \"a\": 0, \"b\": 1, \"point\": [0, 0, -0.1]}, "                                    \
    "{\"kind\": \"ball\", \"a\": 1, \"b\": 2, \"point\": [0, 0, -0.2]}"

/* A ball between the ground and a descending plate: one warning that names both, after a row of unsolved
 * steps, and the number of such steps at the end. */
static void crush_is_reported(void **state) {
    (void)state;
    write_text(
        "crush.json",
        "{\"time_step\": 0.005, \"run\": {\"steps\": 100}, \"outputs\": {\"pictures\": false}, \"bodies\": "
        "[\n"
        " {\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}},\n"
        " {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}, \"position\": [0, 0, 0.05]},\n"
        " {\"type\": \"kinematic\", \"shape\": {\"kind\": \"box\", \"half_extents\": [0.2, 0.2, 0.02]},\n"
        "  \"position\": [0, 0, 0.125], \"linear_velocity\": [0, 0, -0.1]}]}\n");
    EXPECT_CODE(shell("scree run crush.json --backend native --every 0 --out crush"), 0);
    int told = 0;
    for (const char *at = standard_error; (at = strstr(at, "warning: ")); ++at) ++told;
    assert_int_equal(told, 1);
    ASSERT_HOLDS(standard_error, "scree run: warning: step ");
    assert_true(strstr(standard_error, "no impulses keep bodies[0] and bodies[1] apart") ||
                strstr(standard_error, "no impulses keep bodies[1] and bodies[2] apart"));
    const char *line = strstr(standard_output, "unsolved      ");
    assert_non_null(line);
    unsigned steps = 0, first = 0;
    assert_int_equal(sscanf(line, "unsolved      %u steps with a violation above 0.2, the first is step %u",
                            &steps, &first),
                     2);
    assert_true(first >= 10 && first <= 14); /* the plate reaches the ball after 10 steps */
    assert_int_equal(steps, 101 - first);
}

/* A load of a thousand links on a chain comes apart at h √(g M/(m ℓ)) = 2.6, with a small residual; one of
 * ten links at 0.08 holds. */
static void open_joints_are_reported(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        write_text(
            "links.json",
            i ? "{\"time_step\": 0.0008, \"run\": {\"steps\": 100}, \"outputs\": {\"pictures\": false}, "
                "\"bodies\": [" LINKS "{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}, \"mass\": 1, "
                "\"position\": [0, 0, -0.25]}], \"joints\": [" JOINTS "]}"
              : "{\"time_step\": 0.00833, \"run\": {\"steps\": 100}, \"outputs\": {\"pictures\": false}, "
                "\"bodies\": [" LINKS "{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}, \"mass\": 100, "
                "\"position\": [0.001, 0, -0.25]}], \"joints\": [" JOINTS "]}");
        EXPECT_CODE(shell("scree run links.json --backend native --every 0 --out links"), 0);
        assert_int_equal(strstr(standard_error, "joints: apart by") != NULL, !i);
    }
}

/* A ball that lands at 11 half sizes a step next to one that rests is reported once, at 9 it is not; the
 * speed of a free fall from h is √(2 g h). */
static void far_steps_are_reported(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "{\"time_step\": %g, \"run\": {\"steps\": 20}, \"outputs\": {\"pictures\": false}, \"bodies\": "
            "[{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}}, {\"shape\": {\"kind\": "
            "\"sphere\", "
            "\"radius\": 0.1}, \"position\": [0, 0, 0.0999]}, {\"shape\": {\"kind\": \"sphere\", \"radius\": "
            "0.1}, "
            "\"position\": [1, 0, 1000], \"linear_velocity\": [0, 0, -100]}]}",
            i ? 0.009 : 0.0108);
        write_text("far.json", text);
        EXPECT_CODE(shell("scree run far.json --backend native --every 0 --out far"), 0);
        const char *warned = strstr(standard_error, "travel: 1");
        assert_int_equal(warned != NULL, !i);
        assert_null(warned ? strstr(warned + 1, "travel: ") : NULL);
    }
}

/* Grains in free flight leave at the rate of the inlet: 0.1 kg every second step, in a new run and in a
 * resumed one. */
static void outflow_rate_is_reported(void **state) {
    (void)state;
    write_text("stream.json",
               "{\"time_step\": 0.01, \"gravity\": [0, 0, 0], \"run\": {\"steps\": 200}, \"inlets\": "
               "[{\"rate\": 50,\n"
               " \"zone\": {\"kind\": \"box\", \"size\": [1, 1, 1e-6], \"position\": [0, 0, 1]},\n"
               " \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}, \"mass\": 0.1, "
               "\"linear_velocity\": [0, 0, -2.1]}}],\n"
               " \"outlets\": [{\"zone\": {\"kind\": \"half-space\"}}]}\n");
    for (int i = 0; i < 2; ++i) {
        EXPECT_CODE(shell("scree run stream.json --backend native --every 0 --out stream --steps %d%s",
                          i ? 200 : 120, i ? " --resume stream/checkpoint.h5" : ""),
                    0);
        ASSERT_HOLDS(standard_output, "at 50 grains/s and 5 kg/s from ");
    }
}

/* One grain leaves, one inlet is blocked, and one inlet's grains are the only moving bodies. */
static void flows_are_summed_up(void **state) {
    (void)state;
    write_text("flows.json",
               "{\"time_step\": 0.01, \"run\": {\"steps\": 50}, \"outputs\": {\"pictures\": false}, "
               "\"inlets\": [{\"rate\": 20, \"count\": 3,\n"
               " \"zone\": {\"kind\": \"box\", \"size\": [1, 1, 0.1], \"position\": [0, 0, 1]},\n"
               " \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}},\n"
               " {\"rate\": 10, \"zone\": {\"kind\": \"box\", \"size\": [0.1, 0.1, 0.1], \"position\": [9, "
               "0, 0]},\n"
               "  \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}}],\n"
               " \"outlets\": [{\"zone\": {\"kind\": \"box\", \"size\": [4, 4, 0.5], \"position\": [0, 0, "
               "0.25]}}],\n"
               " \"bodies\": [{\"type\": \"static\", \"position\": [9, 0, 0],\n"
               "  \"shape\": {\"kind\": \"box\", \"half_extents\": [1, 1, 1]}}]}\n");
    EXPECT_CODE(shell("scree run flows.json --backend native --every 0 --out flows"), 0);
    assert_null(strstr(standard_error, "warning: "));
    ASSERT_HOLDS(standard_output, "inlets        3 grains inserted, 3 (");
    ASSERT_HOLDS(standard_output, "since step 1, including that of inserted and removed grains\n");
    ASSERT_HOLDS(standard_output, "steps a grain that was due found no free place");
    ASSERT_HOLDS(standard_output, "outlets       ");
}

static void quiet_prints_nothing(void **state) {
    (void)state;
    EXPECT_CODE(shell("scree run pile.json --backend native --quiet"), 0);
    assert_string_equal(standard_output, "");
    assert_string_equal(standard_error, "");
    assert_true(exists("out/pile/checkpoint.h5")); /* the default folder */
}

static void options_come_before_the_scene(void **state) {
    (void)state;
    uint64_t step, other;
    EXPECT_CODE(shell("scree run pile.json --backend native --steps 20 --method jacobi --law pyramid "
                      "--iterations 60 --tolerance 0 --out own"),
                0);
    ASSERT_HOLDS(standard_output, "jacobi, pyramid");
    ASSERT_HOLDS(standard_output, "60.0 iterations per solve");
    checkpoint_hash("own/checkpoint.h5", &step);
    assert_int_equal(step, 20);
    EXPECT_CODE(
        shell("scree run pile.json --backend native --time 0.1 --dt 0.002 --every 0 --quiet --out own"), 0);
    const uint64_t hash = checkpoint_hash("own/checkpoint.h5", &step);
    assert_int_equal(step, 50);
    EXPECT_CODE(shell("ls own | grep xdmf"), 1); /* without frames there is no index of them */
    EXPECT_CODE(
        shell("scree run pile.json --backend native --time 0.1 --dt 0.002 --quiet --out own --threads 3"), 0);
    assert_true(checkpoint_hash("own/checkpoint.h5", &other) == hash);
    EXPECT_CODE(
        shell("scree run pile.json --backend native --time 0.1 --dt 0.002 --quiet --out own --seed 99"), 0);
    assert_true(checkpoint_hash("own/checkpoint.h5", &other) != hash);
}

/* A body flies off to infinity: the run ends with its name and keeps the last good state. */
static void non_finite_state_ends_the_run(void **state) {
    (void)state;
    write_text("far.json",
               "{\"time_step\": 1, \"run\": {\"steps\": 40},\n"
               " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"position\": [0, 0, 0]},\n"
               "  {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, \"position\": [5, 0, 0], "
               "\"force\": [4e21, 0, 0]}]}\n"); /* 1e18 m/s² */
    EXPECT_CODE(shell("scree run far.json --backend native --out far"), 1);
    ASSERT_HOLDS(standard_error, "scree run: step ");
    ASSERT_HOLDS(standard_error, "body");
    ASSERT_HOLDS(standard_error, "far/checkpoint.h5");
    unsigned long long failed = 0;
    uint64_t step;
    sscanf(strstr(standard_error, "run: step "), "run: step %llu", &failed);
    checkpoint_hash("far/checkpoint.h5", &step);
    assert_int_equal(step + 1, failed);
}

#if defined __has_feature
#if __has_feature(thread_sanitizer)
#define SHADOW_MEMORY_IS_A_FILE /* the file size limit would apply to it */
#endif
#endif

#ifndef SHADOW_MEMORY_IS_A_FILE
/* A limit on file size imitates a full disk: the run ends with an error message and reports what was
 * saved. */
static void full_disk_ends_the_run(void **state) {
    (void)state;
    EXPECT_CODE(shell("ulimit -f 160; scree run pile.json --backend native --every 1 --steps 2000 "
                      "--checkpoint 1 --out full"),
                1);
    ASSERT_HOLDS(standard_error, "scree run: ");
    ASSERT_HOLDS(standard_error, "aved");
}
#endif

static void runs_without_opencl(void **state) {
    (void)state;
    const char *const bare = "export OCL_ICD_VENDORS=/nonexistent OPENCL_VENDOR_PATH=/nonexistent;";
    EXPECT_CODE(shell("%s scree devices", bare), 0);
    ASSERT_HOLDS(standard_output, "`--backend auto` selects native");
    EXPECT_CODE(shell("%s scree run drawn.json --out bare", bare), 0);
    ASSERT_HOLDS(standard_error, "warning: ");
    assert_false(exists("bare/snapshot-000040.png"));
    EXPECT_CODE(shell("%s scree run drawn.json --out bare --quiet", bare), 0);
    assert_string_equal(standard_error, "");
    EXPECT_CODE(shell("%s scree run drawn.json --out bare --snapshot 10", bare), 2);
    ASSERT_HOLDS(standard_error, "OpenCL");
    EXPECT_CODE(shell("%s scree run drawn.json --out bare --backend opencl", bare), 2);
    ASSERT_HOLDS(standard_error, "OpenCL");
}

/* 1300 spheres at rest in columns: about 3500 contacts, solved by the reference at once. */
static void a_long_verification_is_announced(void **state) {
    (void)state;
    write_text("columns.json", "{\"time_step\": 0.004, \"outputs\": {\"every\": 0, \"pictures\": false},\n"
                               " \"containers\": [{\"kind\": \"box\", \"inner_size\": [0.18, 0.18, 1]}],\n"
                               " \"generators\": [{\"kind\": \"lattice\", \"cells\": [9, 9, 16], "
                               "\"spacing\": 0.02, \"position\": [0, 0, 0],\n"
                               "   \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.01}}}]}\n");
    EXPECT_CODE(
        shell("scree run columns.json --backend native --threads 1 --steps 3 --verify 2 --out columns"), 0);
    ASSERT_HOLDS(standard_error, "verifying step 2: ");
    ASSERT_HOLDS(standard_output, "verified      1 step in ");
    /* not part of a step's time, which is hundreds of times shorter */
    assert_null(strstr(standard_output, "the rest 99 %"));
    assert_null(strstr(standard_output, "the rest 100 %"));
    EXPECT_CODE(shell("scree run pile.json --backend native --verify 20 --out few"), 0);
    assert_null(strstr(standard_error, "verifying"));
}

static void devices_are_listed(void **state) {
    (void)state;
    if (!have_opencl()) skip();
    EXPECT_CODE(shell("scree devices"), 0);
    scree_device_info device;
    int count;
    assert_int_equal(scree_device_list(&device, 1, &count), SCREE_OK);
    ASSERT_HOLDS(standard_output, device.name);
    ASSERT_HOLDS(standard_output, "`--backend auto` selects");
    EXPECT_CODE(shell("scree run pile.json --backend opencl --device no-such-device"), 2);
    ASSERT_HOLDS(standard_error, "no-such-device");
    /* A plain number is an index in the list, even if digits of a name contain it. */
    EXPECT_CODE(shell("scree run pile.json --quiet --steps 1 --backend opencl --device 0 --out numbered"), 0);
    const char *digit = strpbrk(device.name, "123456789");
    char wanted[16];
    snprintf(wanted, sizeof wanted, "%c", digit && *digit - '0' >= count ? *digit : '9');
    if (*wanted - '0' < count) snprintf(wanted, sizeof wanted, "%d", count);
    for (int i = 0; i < 2; ++i) {
        EXPECT_CODE(shell("scree run pile.json --backend %s --device %s", i ? "opencl" : "native", wanted),
                    2);
        ASSERT_HOLDS(standard_error, wanted);
    }
    EXPECT_CODE(shell("scree run pile.json --device 99999999999999999999"), 2);
    ASSERT_HOLDS(standard_error, "99999999999999999999");
}

/* Asserts that a file is a PNG of a given size. */
static void expect_picture(const char *name, int width, int height) {
    char path[512];
    unsigned char head[24];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    assert_int_equal(fread(head, 1, sizeof head, file), sizeof head);
    fclose(file);
    assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
    assert_int_equal(head[16] << 24 | head[17] << 16 | head[18] << 8 | head[19], width);
    assert_int_equal(head[20] << 24 | head[21] << 16 | head[22] << 8 | head[23], height);
}

/* The camera of the scene is that of `scree render` with the same values, in a run, for its checkpoint, and
 * in a later stage that moves it. */
static void the_camera_of_a_scene_stays(void **state) {
    (void)state;
    if (!have_opencl()) skip();
    write_text(
        "camera.json",
        "{\"outputs\": {\"camera\": {\"eye\": [1, -3, 1], \"target\": [0, 0, 0.2]}, \"keep_stages\": true}, "
        "\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}}, {\"shape\": {\"kind\": "
        "\"sphere\", \"radius\": 0.1}, \"position\": [0, 0, 1]}], \"stages\": [{\"name\": \"one\", "
        "\"until\": {\"time\": 0.05}}, {\"name\": \"two\", \"until\": {\"time\": 0.05}, \"outputs\": "
        "{\"camera\": {\"eye\": [2, -3, 1], \"field_of_view_degrees\": 20}}}]}");
    EXPECT_CODE(shell("scree run camera.json --backend native --every 6 --quiet --out camera"), 0);
    EXPECT_CODE(
        shell("scree render camera/frame_00000006.vtkhdf --eye 1,-3,1 --target 0,0,0.2 --out one.png && "
              "cmp one.png camera/snapshot-000006.png"),
        0);
    EXPECT_CODE(
        shell("scree render camera/frame_00000012.vtkhdf --eye 2,-3,1 --target 0,0,0.2 --fov 20 --out "
              "two.png && cmp two.png camera/snapshot-000012.png"),
        0);
    EXPECT_CODE(
        shell("scree render camera/checkpoint.h5 --out two.png && cmp two.png camera/snapshot-000012.png"),
        0);
    EXPECT_CODE(
        shell("scree render camera/stage-000006.h5 --out one.png && cmp one.png camera/snapshot-000006.png"),
        0);
}

static void frames_and_checkpoints_are_drawn(void **state) {
    (void)state;
    if (!have_opencl()) skip();
    EXPECT_CODE(shell("scree run drawn.json --backend native --quiet --out drawn --snapshot 20"), 0);
    expect_picture("drawn/snapshot-000020.png", 960, 720);
    expect_picture("drawn/snapshot-000040.png", 960, 720);
    EXPECT_CODE(shell("scree render drawn/checkpoint.h5 --size 64x48 --out small.png"), 0);
    expect_picture("small.png", 64, 48);
    EXPECT_CODE(
        shell(
            "scree render drawn/checkpoint.h5 --size 32x32 --eye 2,-2,1 --target 0,0,0 --fov 30 --colour id"),
        0);
    expect_picture("drawn/checkpoint.png", 32, 32);
    EXPECT_CODE(shell("scree render drawn/frame_00000040.vtkhdf --size 32x32 --out frame.png"), 0);
    ASSERT_HOLDS(standard_output, "step 40");
    expect_picture("frame.png", 32, 32);
    /* A new run in the same folder removes the pictures of the old one. */
    EXPECT_CODE(shell("scree run drawn.json --backend native --quiet --out drawn --steps 5"), 0);
    assert_false(exists("drawn/snapshot-000020.png"));
    expect_picture("drawn/snapshot-000005.png", 960, 720);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(help_and_version),
        cmocka_unit_test(presets_are_printed),
        cmocka_unit_test(bad_scene_is_rejected_with_its_place),
        cmocka_unit_test(unwritable_folders_are_reported),
        cmocka_unit_test(run_reports_its_errors),
        cmocka_unit_test(run_explains_a_missing_solid_fraction),
        cmocka_unit_test(the_reference_has_no_method),
        cmocka_unit_test(crush_is_reported),
        cmocka_unit_test(open_joints_are_reported),
        cmocka_unit_test(far_steps_are_reported),
        cmocka_unit_test(flows_are_summed_up),
        cmocka_unit_test(outflow_rate_is_reported),
        cmocka_unit_test(pictures_can_be_omitted),
        cmocka_unit_test(quiet_prints_nothing),
        cmocka_unit_test(options_come_before_the_scene),
        cmocka_unit_test(non_finite_state_ends_the_run),
#ifndef SHADOW_MEMORY_IS_A_FILE
        cmocka_unit_test(full_disk_ends_the_run),
#endif
        cmocka_unit_test(runs_without_opencl),
        cmocka_unit_test(a_long_verification_is_announced),
        cmocka_unit_test(devices_are_listed),
        cmocka_unit_test(the_camera_of_a_scene_stays),
        cmocka_unit_test(frames_and_checkpoints_are_drawn),
    };
    return cmocka_run_group_tests(tests, pile_set_up, folder_tear_down);
}
