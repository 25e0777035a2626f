/* Reading scenes: what is refused and where, what is taken, what is filled in. */
#include "expect.h"

#include <scree/scene.h>

static scree_scene *parse(const char *text) {
    scree_scene *scene = NULL;
    const scree_result result = scree_scene_parse(text, strlen(text), "scene.json", &scene);
    if (result != SCREE_OK) fail_msg("%s: %s", text, scree_error_message());
    return scene;
}

/* A text with an @ where its error must be; the key path that the message must name; and what else it must
 * say. A text without @ has the whole start of the message instead of the path. */
typedef struct refusal {
    const char *text, *path, *part;
} refusal;

/* Takes the @ out of `marked` and writes "s:line:column: " with its place to `start`; lines and code points
 * count from 1. */
static void take_mark(const char *marked, char *text, char *start) {
    int line = 1, column = 1;
    const char *mark = strchr(marked, '@');
    strcpy(text, marked);
    *start = '\0';
    if (!mark) return;
    memmove(text + (mark - marked), mark + 1, strlen(mark));
    for (const char *at = marked; at < mark; ++at)
        if (*at == '\n') {
            line++;
            column = 1;
        } else if (((unsigned char)*at & 0xc0) != 0x80)
            column++;
    sprintf(start, "s:%d:%d: ", line, column);
}

static void check_refusals(const refusal *cases, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        char text[2048], start[2048];
        take_mark(cases[i].text, text, start);
        strcat(start, cases[i].path);
        scree_scene *scene = NULL;
        const scree_result result = scree_scene_parse(text, strlen(text), "s", &scene);
        const char *message = scree_error_message();
        if (result != SCREE_ERROR_FORMAT) fail_msg("%s was taken", text);
        assert_null(scene);
        if (strncmp(message, start, strlen(start)))
            fail_msg("%s\n  says: %s\n  expected at the start: %s", text, message, start);
        if (!strstr(message, cases[i].part))
            fail_msg("%s\n  says: %s\n  expected in it: %s", text, message, cases[i].part);
    }
}

#define CHECK_REFUSALS(cases) check_refusals(cases, sizeof(cases) / sizeof *(cases))

static void refuses_what_is_not_json(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"", "s:1:1: ", "not JSON"},
        {"{\n  \"seed\": NaN\n}", "s:2:13: ", "invalid token near 'NaN'"},
        {"{\n\n  \"seed\": 1,\n}", "s:4:1: ", "not JSON"},
        {"{\"seed\": 1} 2", "s:1:13: ", "end of file expected"},
        {"{\"gravity\": [0, 0, 1e999]}", "s:1:24: ", "real number overflow"},
        {"{\"seed\": 99999999999999999999}", "s:1:29: ", "too big integer"},
        {"{\"seed\": 1, \"seed\": 2}", "s:1:18: ", "duplicate object key"},
        {"{\"description\": \"\xff\"}", "s:1:", "not JSON"},
        {"@[]", "", "an array of 0: expected an object"},
    };
    CHECK_REFUSALS(cases);
    /* A zero byte inside, and depth that would overflow a recursive reader's stack. */
    scree_scene *scene = NULL;
    assert_int_equal(scree_scene_parse("{\0}", 3, "s", &scene), SCREE_ERROR_FORMAT);
    char *deep = malloc(1000000);
    assert_non_null(deep);
    memset(deep, '[', 1000000);
    assert_int_equal(scree_scene_parse(deep, 1000000, "s", &scene), SCREE_ERROR_FORMAT);
    free(deep);
    assert_null(scene);
}

static void refuses_unknown_keys(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"{@\"gravty\": 1}", "gravty: ", "unknown key \"gravty\"; did you mean \"gravity\"?"},
        {"{\n \"materials\": {\"glass\": {\n   @\"frction\": 1}}}",
         "materials.glass.frction: ", "did you mean \"friction\"?"},
        {"{\"materials\": {\"glass\": {@\"mass\": 1}}}",
         "materials.glass.mass: ", "expected one of \"friction\", \"restitution\", \"density\""},
        {"{@\"é\": 1, \"sovler\": 1}", "é: ", "unknown key"},
        {"{\"description\": \"é\", @\"sovler\": 1}", "sovler: ", "did you mean \"solver\"?"},
        {"{@\"s\\u006fvler\": 1}", "sovler: ", "solver"},
        {"{\"bodies\": [{@\"kid\": 1}]}", "bodies[0].kid: ", "unknown key"},
        {"{\"shapes\": {\"a\": {@\"knd\": \"box\"}}}", "shapes.a.knd: ", "did you mean \"kind\"?"},
        {"{\"shapes\": {\"a\": {\"kind\": \"sphere\", @\"raduis\": 1}}}",
         "shapes.a.raduis: ", "did you mean \"radius\"?"},
    };
    CHECK_REFUSALS(cases);
}

static void refuses_wrong_types(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"{\"gravity\": @9.81}", "gravity: ", "9.81: expected an array of 3 numbers (m/s²)"},
        {"{\"gravity\": @[0, 0]}", "gravity: ", "an array of 2: expected an array of 3"},
        {"{\"gravity\": [0, @\"x\", 0]}", "gravity[1]: ", "the string \"x\": expected a number (m/s²)"},
        {"{\"seed\": @\"1\"}", "seed: ", "expected a whole number"},
        {"{\"solver\": {\"warm_start\": @1}}", "solver.warm_start: ", "1: expected true or false"},
        {"{\"solver\": {\"iterations\": @2.5}}",
         "solver.iterations: ", "2.5: expected a whole number from 1"},
        {"{\"solver\": {\"iterations\": @true}}", "solver.iterations: ", "true: expected a whole number"},
        {"{\"solver\": @[]}", "solver: ", "an array of 0: expected an object"},
        {"{\"bodies\": @{}}", "bodies: ", "an object: expected an array"},
        {"{\"materials\": @[]}", "materials: ", "expected an object of materials by name"},
        {"{\"description\": @1}", "description: ", "expected a string"},
        {"{\"bodies\": [{\"shape\": @1}]}", "bodies[0].shape: ", "expected a shape"},
        {"{\"bodies\": [{\"shape\": @null}]}", "bodies[0].shape: ", "null: expected a shape"},
        {"{\"generators\": [{\"kind\": @7}]}",
         "generators[0].kind: ", "7: expected one of \"lattice\", \"pyramid\", \"fill\""},
        {"{\"backend\": {\"device\": @0}}", "backend.device: ", "expected a string"},
    };
    CHECK_REFUSALS(cases);
}

#define BODY(more) "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}" more "}]}"

static void refuses_impossible_values(void **state) {
    (void)state;
    static const refusal cases[] = {
        {BODY(", \"mass\": @-1"), "bodies[0].mass: ", "-1: expected a number from 1e-15 to"},
        {BODY(", \"mass\": @0"), "bodies[0].mass: ", "(kg)"},
        {BODY(", \"inertia\": [1, @0, 1]"), "bodies[0].inertia[1]: ", "(kg m²)"},
        {BODY(", \"position\": [@1e39, 0, 0]"), "bodies[0].position[0]: ", "single precision"},
        {BODY(", \"rotation\": @[0, 0, 0, 0]"), "bodies[0].rotation: ", "length 0"},
        {BODY(", \"rotation\": {\"axis\": @[0, 0, 0], \"angle_degrees\": 9}"),
         "bodies[0].rotation.axis: ", "expected a direction"},
        {BODY(", \"rotation\": @{\"axis\": [0, 0, 1]}"), "bodies[0].rotation: ", "together"},
        {BODY(", \"locks\": [\"x\", @\"rotation_w\"]"),
         "bodies[0].locks[1]: ", "did you mean \"rotation_x\"?"},
        {BODY(", \"type\": \"static\", @\"mass\": 1"), "bodies[0].mass: ", "dynamic bodies only"},
        {BODY(", \"material\": @\"glas\""), "bodies[0].material: ", "no material is called \"glas\""},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"sphere\"}}]}",
         "bodies[0].shape: ", "\"radius\" is missing"},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"box\"}}]}",
         "bodies[0].shape: ", "\"half_extents\" (or \"size\""},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"box\", \"size\": [1, 1, 1], \"half_extents\": [1, 1, "
         "1]}}]}",
         "bodies[0].shape: ", "expected one of them"},
        {BODY(", \"rotation\": @30"), "bodies[0].rotation: ", "30: expected a quaternion"},
        {"{\"bodies\": [@{}]}", "bodies[0]: ", "the key \"shape\" is missing"},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [1, @0, 1]}}]}",
         "bodies[0].shape.size[1]: ", "0: expected a number from 2e-06"},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": @1e-60}}]}",
         "bodies[0].shape.radius: ", "1e-60"},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"half-space\"}}]}", "bodies[0].shape: ", "cannot move"},
        {"{\"shapes\": {\"a\": {\"kind\": @\"spere\"}}}",
         "shapes.a.kind: ", "expected one of \"sphere\", \"box\", \"half-space\"; did you mean \"sphere\"?"},
        {"{\"materials\": {\"m\": {\"friction\": @-0.1}}}", "materials.m.friction: ", "-0.1"},
        {"{\"materials\": {\"m\": {\"restitution\": @1.5}}}",
         "materials.m.restitution: ", "expected a number from 0 to 1"},
        {"{\"materials\": {\"m\": {\"density\": @0}}}", "materials.m.density: ", "kg/m³"},
        {"{\"materials\": {\"m\": {\"spinning_friction\": @1e7}}}",
         "materials.m.spinning_friction: ", "from 0 to 1000000"},
        {"{\"materials\": {\"m\": {\"cohesion\": @-0.5}}}", "materials.m.cohesion: ", "(N)"},
        {"{\"material_pairs\": [{\"materials\": [\"default\", \"default\"], \"friction\": 0, "
         "\"restitution\": 0, "
         "\"cohesion_distance\": @-1}]}",
         "material_pairs[0].cohesion_distance: ", "≥ 0 (m)"},
        {"{\"material_pairs\": [{\"materials\": [@\"a\", \"b\"], \"friction\": 0, \"restitution\": 0}]}",
         "material_pairs[0].materials[0]: ", "no material is called \"a\""},
        {"{\"materials\": {\"a\": {}}, \"material_pairs\": [{\"materials\": [\"a\", \"default\"], "
         "\"friction\": 0, "
         "\"restitution\": 0}, @{\"materials\": [\"default\", \"a\"], \"friction\": 0, \"restitution\": 0}]}",
         "material_pairs[1]: ", "already have a pair"},
        {"{\"time_step\": @0}", "time_step: ", "(s)"},
        {"{\"time_step\": @-0.01}", "time_step: ", "-0.01"},
        {"{\"seed\": @-1}", "seed: ", "expected a whole number"},
        {"{\"solver\": {\"relaxation\": @2}}", "solver.relaxation: ", "between 0 and 2 (limits excluded)"},
        {"{\"solver\": {\"relaxation\": @1.99999999999}}", "solver.relaxation: ", "single precision"},
        {"{\"solver\": {\"stiffness\": @1e-60}}", "solver.stiffness: ", "single precision"},
        {"{\"solver\": {\"colours\": @33}}", "solver.colours: ", "from 1 to 32"},
        {"{\"solver\": {\"iterations\": @3000000000}}", "solver.iterations: ", "expected a whole number"},
        {"{\"solver\": @{\"method\": \"jacobi\", \"relaxation\": 1.5}}", "solver: ", "relaxation"},
        {"{\"solver\": {\"law\": @\"columb\"}}", "solver.law: ", "did you mean \"coulomb\"?"},
        {"{\"backend\": {\"kind\": @\"cuda\"}}",
         "backend.kind: ", "expected one of \"auto\", \"opencl\", \"native\", \"reference\""},
        {"{\"run\": {\"steps\": @0}}", "run.steps: ", "≥ 1"},
        {"{\"run\": @{\"steps\": 1, \"duration\": 1}}", "run: ", "expected one of them"},
        {"{\"outputs\": @{\"measurements_every\": 1, \"measurements_every_seconds\": 1}}",
         "outputs: ", "\"measurements_every_seconds\""},
        {"{\"outputs\": {\"frames\": {\"compression\": @10}}}",
         "outputs.frames.compression: ", "from 0 to 9"},
        {"{\"outputs\": {\"frames\": {\"fields\": [@\"velocty\"]}}}",
         "outputs.frames.fields[0]: ", "did you mean \"velocity\""},
        {"{\"outputs\": @{\"snapshot_every\": 1, \"snapshot_every_seconds\": 1}}",
         "outputs: ", "\"snapshot_every_seconds\""},
    };
    CHECK_REFUSALS(cases);
}

#define LATTICE(more)                                                                                        \
    "{\"generators\": [{\"kind\": \"lattice\", \"cells\": [2, 2, 2], \"spacing\": 1" more "}]}"
#define SPHERE "\"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}"
#define FILL(more) "{\"generators\": [{\"kind\": \"fill\", " SPHERE more "}]}"

static void refuses_impossible_generators(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"{\"generators\": [@{\"cells\": [1, 1, 1]}]}", "generators[0]: ", "the key \"kind\" is missing"},
        {"{\"generators\": [@{\"kind\": \"lattice\", \"cells\": [1, 1, 1], \"spacing\": 1}]}",
         "generators[0]: ", "the key \"body\" is missing"},
        {LATTICE(", \"count\": @9, " SPHERE), "generators[0].count: ", "at most the 8 places"},
        {LATTICE(", \"body\": {\"shape\": @{\"kind\": \"half-space\"}, \"type\": \"static\"}"),
         "generators[0].body.shape: ", "cannot place half-spaces"},
        {LATTICE(", \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, @\"position\": [0, 0, 0]}"),
         "generators[0].body.position: ", "expected no position here"},
        {LATTICE(", \"size\": 1, \"body\": {\"shape\": {\"kind\": \"sphere\"}, @\"mass\": 1}"),
         "generators[0].body.mass: ", "density"},
        {LATTICE(", \"size\": @{\"kind\": \"normal\", \"mean\": 1, \"deviation\": 0.5}, " SPHERE),
         "generators[0].size: ", "\"minimum\" and \"maximum\""},
        {LATTICE(", \"size\": @{\"kind\": \"uniform\", \"minimum\": 2, \"maximum\": 1}, " SPHERE),
         "generators[0].size: ", "a minimum below the maximum"},
        {LATTICE(
             ", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2, @2], \"fractions\": [1, 1]}, " SPHERE),
         "generators[0].size.openings[2]: ", "more than the opening before, 2"},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2], \"fractions\": @[1, 1]}, " SPHERE),
         "generators[0].size.fractions: ", "2 fractions: expected 1"},
        {"{\"generators\": [{\"kind\": \"lattice\", \"cells\": @[1000, 1000, 1000], \"spacing\": 1, " SPHERE
         "}]}",
         "generators[0].cells: ", "1e+09 bodies in all: expected at most 100000000"},
        {"{\"generators\": [@{\"kind\": \"fill\", \"count\": 1, \"region\": {\"kind\": \"box\", \"size\": "
         "[1, 1]}, " SPHERE "}]}",
         "generators[0]: ", "expected two of"},
        {FILL(", \"count\": 1, \"region\": @{\"kind\": \"box\", \"size\": [1, 0.1], \"height\": 1}"),
         "generators[0].region: ", "the largest grain needs 0.2 m"},
        {FILL(", \"solid_fraction\": @0.3, \"region\": {\"kind\": \"box\", \"size\": [1e4, 1e4], \"height\": "
              "1e4}"),
         "generators[0].solid_fraction: ", "bodies in all: expected at most 100000000"},
        {FILL(", \"count\": 10000000, \"solid_fraction\": 1e-3, \"region\": {\"kind\": \"box\", \"size\": "
              "[1, 1]}"),
         "s:1:17: generators[0]: ", "height 4.19e+07 m follows"},
        {LATTICE(
             ", \"orientation\": \"random\", \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, "
             "@\"rotation\": [0, 0, 0, 1]}"),
         "generators[0].body.rotation: ", "\"orientation\": \"random\""},
        {LATTICE(
             ", \"size\": @1e-6, \"body\": {\"shape\": {\"kind\": \"box\", \"half_extents\": [1, 1, 1e-6]}}"),
         "generators[0].size: ", "lengths from 5e-13 to 5e-07 m follow"},
        {LATTICE(", \"size\": @{\"kind\": \"normal\", \"mean\": 1, \"deviation\": 0.001, \"minimum\": 2, "
                 "\"maximum\": 3}, " SPHERE),
         "generators[0].size: ", "less than a millionth"},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": @[1], \"fractions\": [1]}, " SPHERE),
         "generators[0].size.openings: ", "an array of 1: expected an array of 2 to 65"},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2], \"fractions\": @[0]}, " SPHERE),
         "generators[0].size.fractions: ", "all zero"},
        {"{\"containers\": [@{\"kind\": \"box\"}]}", "containers[0]: ", "the key \"inner_size\" is missing"},
        {"{\"containers\": [{\"kind\": \"hopper\", \"outlet\": [1, 1], \"inlet\": [2, @0.5], \"height\": "
         "1}]}",
         "containers[0].inlet[1]: ", "at least as much as the outlet's side, 1"},
    };
    CHECK_REFUSALS(cases);
}

/* `count` times `item`, with a number for its %d, between `before` and `after`. */
static char *repeat(const char *before, const char *item, int count, const char *after) {
    char *text = malloc(strlen(before) + strlen(after) + (size_t)count * (strlen(item) + 16) + 1);
    assert_non_null(text);
    char *end = text + sprintf(text, "%s", before);
    for (int i = 0; i < count; ++i) {
        if (i) *end++ = ',';
        end += sprintf(end, item, i);
    }
    strcpy(end, after);
    return text;
}

static void refuses_too_many(void **state) {
    (void)state;
    static const struct {
        const char *before, *item, *after, *part;
        int most;
    } cases[] = {
        {"{\"materials\": {", "\"m%d\": {}", "}}", "materials: 1001 materials: expected at most 1000", 1000},
        {"{\"shapes\": {", "\"s%d\": {\"kind\": \"half-space\"}", "}}", "expected at most 10000", 10000},
        {"{\"containers\": [", "{\"kind\": \"box\", \"inner_size\": [1, 1, %d.5]}", "]}",
         "containers: an array of 10001: expected an array of 0 to 10000", 10000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int more = 0; more < 2; ++more) {
            char *text = repeat(cases[i].before, cases[i].item, cases[i].most + more, cases[i].after);
            scree_scene *scene = NULL;
            assert_int_equal(scree_scene_parse(text, strlen(text), "s", &scene),
                             more ? SCREE_ERROR_FORMAT : SCREE_OK);
            if (more) assert_non_null(strstr(scree_error_message(), cases[i].part));
            scree_scene_destroy(scene);
            free(text);
        }
    const size_t size = (16u << 20) + 1;
    char *spaces = malloc(size);
    assert_non_null(spaces);
    memset(spaces, ' ', size);
    scree_scene *scene = NULL;
    assert_int_equal(scree_scene_parse(spaces, size, "s", &scene), SCREE_ERROR_FORMAT);
    assert_non_null(strstr(scree_error_message(), "16777217 bytes: expected at most 16777216"));
    free(spaces);
    assert_int_equal(scree_scene_parse(NULL, 1, "s", &scene), SCREE_ERROR_ARGUMENT);
}

static void refuses_files(void **state) {
    (void)state;
    scree_scene *scene = NULL;
    assert_int_equal(scree_scene_load("/nonexistent/scene.json", &scene), SCREE_ERROR_FILE);
    assert_non_null(strstr(scree_error_message(), "/nonexistent/scene.json"));
    assert_int_equal(scree_scene_load("/", &scene), SCREE_ERROR_FILE);
    assert_int_equal(scree_scene_load("/dev/zero", &scene), SCREE_ERROR_FORMAT); /* has no end */
    assert_non_null(strstr(scree_error_message(), "expected at most"));
    assert_null(scene);
}

static void fills_in_what_is_left_out(void **state) {
    (void)state;
    scree_scene *scene = parse("{}");
    const scree_world_def world = scree_scene_world_def(scene), expected = scree_default_world_def();
    assert_float_equal(world.gravity.z, -9.81f, 0);
    assert_true(world.time_step == expected.time_step);
    assert_int_equal(world.solver.iterations, expected.solver.iterations);
    assert_int_equal(world.backend, SCREE_BACKEND_AUTO);
    assert_null(world.device);
    const scree_run_def run = scree_scene_run_def(scene);
    assert_int_equal(scree_span_steps(run.length, world.time_step), 120); /* 1 s of 1/120 s */
    assert_int_equal(scree_span_steps(run.every, world.time_step), 4);    /* 30 a second */
    assert_int_equal(scree_span_steps(run.snapshot_every, world.time_step), 0);
    assert_int_equal(scree_span_steps(run.checkpoint_every, world.time_step), 0);
    assert_int_equal(run.seed, 0);
    scree_scene_destroy(scene);
    scree_scene_destroy(NULL);
}

static void takes_every_setting(void **state) {
    (void)state;
    scree_scene *scene = parse(
        "{\"description\": \"all\", \"seed\": 7, \"gravity\": [1, 2, 3], \"time_step\": 0.25, "
        "\"speculative_distance\": 0.5,"
        "\"solver\": {\"method\": \"jacobi\", \"law\": \"pyramid\", \"iterations\": 1e2, \"tolerance\": "
        "0.125,"
        "\"change_tolerance\": 0.25, \"check_every\": 3, \"relaxation\": 0.5, \"warm_start\": false, "
        "\"colours\": 5,"
        "\"stabilisation\": \"soft\", \"error_reduction\": 0.375, \"stiffness\": 2, \"damping\": 3,"
        "\"correction_speed\": 4, \"slop\": 5, \"restitution_speed\": 6},"
        "\"backend\": {\"kind\": \"native\", \"device\": \"pocl\", \"threads\": 2, \"maximum_bodies\": 8,"
        "\"maximum_contacts\": 9}, \"run\": {\"duration\": 10}, \"outputs\": {\"every_seconds\": 0.5,"
        "\"snapshot_every\": 6, \"checkpoint_every_seconds\": 0.01},"
        "\"materials\": {\"default\": {\"friction\": 0.75, \"rolling_friction\": 0.5, \"spinning_friction\": "
        "0.25, "
        "\"cohesion\": 2, \"cohesion_distance\": 0.125}}}");
    const scree_world_def w = scree_scene_world_def(scene);
    assert_true(w.gravity.x == 1 && w.gravity.y == 2 && w.gravity.z == 3);
    assert_true(w.time_step == 0.25 && w.speculative_distance == 0.5f && w.material.friction == 0.75f);
    assert_true(w.material.rolling_friction == 0.5f && w.material.spinning_friction == 0.25f);
    assert_true(w.material.cohesion == 2 && w.material.cohesion_distance == 0.125f);
    const scree_solver_def s = w.solver;
    assert_int_equal(s.method, SCREE_METHOD_JACOBI);
    assert_int_equal(s.law, SCREE_LAW_PYRAMID);
    assert_int_equal(s.stabilisation, SCREE_STABILISATION_SOFT);
    assert_true(s.iterations == 100 && s.check_every == 3 && s.colours == 5 && !s.warm_start);
    assert_true(s.tolerance == 0.125f && s.change_tolerance == 0.25f && s.relaxation == 0.5f);
    assert_true(s.error_reduction == 0.375f && s.stiffness == 2 && s.damping == 3);
    assert_true(s.correction_speed == 4 && s.slop == 5 && s.restitution_speed == 6);
    assert_int_equal(w.backend, SCREE_BACKEND_NATIVE);
    assert_string_equal(w.device, "pocl");
    assert_true(w.threads == 2 && w.maximum_bodies == 8 && w.maximum_contacts == 9);
    const scree_run_def run = scree_scene_run_def(scene);
    assert_true(run.seed == 7 && run.length.seconds == 10 && scree_span_steps(run.length, 0.25) == 40);
    assert_true(scree_span_steps(run.every, 0.25) == 2 && scree_span_steps(run.snapshot_every, 0.25) == 6);
    assert_int_equal(scree_span_steps(run.checkpoint_every, 0.25), 1); /* never less than a step */
    /* Seconds stay seconds, steps stay steps, whatever the time step. */
    assert_true(scree_span_steps(run.length, 0.1) == 100 && scree_span_steps(run.every, 0.1) == 5);
    assert_int_equal(scree_span_steps(run.snapshot_every, 0.1), 6);
    assert_true(scree_span_steps((scree_span){.seconds = 1e9}, 1e-12) == UINT64_MAX);
    scree_scene_destroy(scene);
}

static bool nearly(float a, double b) { return fabs(a - b) < 1e-6; }

/* Builds a text into a world and reads all its bodies. */
static int build(const char *text, scree_body_def *out, int capacity) {
    scree_scene *scene = parse(text);
    scree_world_def def = scree_scene_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    const int count = scree_body_count(world);
    assert_true(count <= capacity);
    scree_body_id ids[64];
    assert_int_equal(scree_body_list(world, ids, 64), count);
    for (int i = 0; i < count; ++i) {
        CHECK(scree_body_get(world, ids[i], &out[i]));
        CHECK(scree_body_mass_get(world, ids[i], &out[i].mass, NULL));
    }
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return count;
}

static void makes_bodies(void **state) {
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
    /* 90° about x, then 90° about the world's z: the axes go round, (x, y, z) → (y, z, x). */
    const scree_quat q = bodies[1].state.rotation;
    assert_true(nearly(q.x, 0.5) && nearly(q.y, 0.5) && nearly(q.z, 0.5) && nearly(q.w, 0.5));
    assert_true(bodies[1].state.linear_velocity.y == 2 && bodies[1].gravity_scale == 0.5f);
    assert_int_equal(bodies[1].locks, SCREE_LOCK_Y | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Z);
    assert_int_equal(bodies[2].type, SCREE_BODY_KINEMATIC);
    assert_true(nearly(bodies[2].state.rotation.z, 0.6));
    assert_true(nearly(bodies[3].mass, 3) && nearly(bodies[3].inertia.y, 2));
}

/* Whether a point is inside a box body. */
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

static void boxes_are_closed_around_their_inside(void **state) {
    (void)state;
    scree_body_def walls[8];
    assert_int_equal(build("{\"containers\": [{\"kind\": \"box\", \"inner_size\": [2, 4, 6], \"lid\": true,"
                           "\"wall_thickness\": 0.5, \"position\": [10, 20, 30]}]}",
                           walls, 8),
                     6);
    for (int i = 0; i < 6; ++i) assert_int_equal(walls[i].type, SCREE_BODY_STATIC);
    /* Just inside the inner surface nothing, everywhere just outside of it a wall. */
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

static void hoppers_lead_from_inlet_to_outlet(void **state) {
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
    /* Turned upside down the wide end is below. */
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
                               "\"count\": 50, \"attempts\": 20, " SPHERE
                               ", \"region\": {\"kind\": \"box\", \"size\": [0.5, 0.5], \"height\": 0.5}}]}");
    scree_world_def def = scree_scene_world_def(scene);
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world;
    CHECK(scree_world_create(&def, &world));
    assert_int_equal(scree_scene_build(scene, world, 0), SCREE_ERROR_FORMAT);
    const char *message = scree_error_message();
    assert_ptr_equal(strstr(message, "scene.json:3:3: generators[0]: placed "), message);
    assert_non_null(strstr(message, "of 50 grains, a solid fraction of 0."));
    assert_int_equal(scree_body_count(world), 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

/* An allocator that fails from the n-th call on and counts what is out. */
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
        scree_world_def def = scree_scene_world_def(scene);
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
            fail_msg("limit %d: %s", limit, scree_error_message());
        if (memory.out) fail_msg("limit %d: %d blocks leaked", limit, memory.out);
    }
    scree_set_allocator(NULL);
    assert_int_equal(result, SCREE_OK);
    assert_true(limit > 10);
}

/* What frames hold and how often rows are written; left out: the default series, and a row with each frame.
 */
static void takes_what_outputs_hold(void **state) {
    (void)state;
    scree_scene *scene =
        parse("{\"outputs\": {\"measurements_every_seconds\": 0.25, \"frames\": {\"fields\": "
              "[\"mass\", \"torque\"], \"contacts\": false, \"compression\": 7}}}");
    scree_run_def run = scree_scene_run_def(scene);
    assert_int_equal(run.frames.fields, 1 << SCREE_FRAME_MASS | 1 << SCREE_FRAME_TORQUE);
    assert_false(run.frames.contacts);
    assert_int_equal(run.frames.compression, 7);
    assert_true(run.measurements_every.seconds == 0.25);
    scree_scene_destroy(scene);
    scene = parse("{\"outputs\": {\"every\": 3}}");
    run = scree_scene_run_def(scene);
    const scree_series_def usual = scree_default_series_def();
    assert_true(run.frames.fields == usual.fields && run.frames.contacts &&
                run.frames.compression == usual.compression);
    assert_true(run.measurements_every.steps == SCREE_EVERY_FRAME && run.measurements_every.seconds == 0);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refuses_what_is_not_json),
        cmocka_unit_test(refuses_unknown_keys),
        cmocka_unit_test(refuses_wrong_types),
        cmocka_unit_test(refuses_impossible_values),
        cmocka_unit_test(refuses_impossible_generators),
        cmocka_unit_test(refuses_too_many),
        cmocka_unit_test(refuses_files),
        cmocka_unit_test(fills_in_what_is_left_out),
        cmocka_unit_test(takes_every_setting),
        cmocka_unit_test(takes_what_outputs_hold),
        cmocka_unit_test(makes_bodies),
        cmocka_unit_test(boxes_are_closed_around_their_inside),
        cmocka_unit_test(hoppers_lead_from_inlet_to_outlet),
        cmocka_unit_test(a_failed_build_leaves_no_bodies),
        cmocka_unit_test(running_out_of_memory_leaks_nothing),
    };
    return cmocka_run_group_tests_name("scene", tests, NULL, NULL);
}
