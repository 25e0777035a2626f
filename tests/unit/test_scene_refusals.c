/* Invalid scenes, and the place that each error message names. */
#include "expect.h"

#include <scree/tools/scene.h>

/* A text with an @ where its error is, and the key path in the message. A text without @ has the whole start
 * of the message instead of the path. */
typedef struct refusal {
    const char *text, *path;
} refusal;

/* Removes the @ from `marked` and writes its place as "s:line:column: " to `start`; lines and code points
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
        const char *message = scree_error_get_message();
        if (result != SCREE_ERROR_FORMAT) fail_msg("%s was taken", text);
        assert_null(scene);
        if (strncmp(message, start, strlen(start)))
            fail_msg("%s\n  says: %s\n  expected at the start: %s", text, message, start);
    }
}

#define CHECK_REFUSALS(cases) check_refusals(cases, sizeof(cases) / sizeof *(cases))

static void invalid_json_is_rejected(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"", "s:1:1: "},
        {"{\n  \"seed\": NaN\n}", "s:2:13: "},
        {"{\n\n  \"seed\": 1,\n}", "s:4:1: "},
        {"{\"seed\": 1} 2", "s:1:13: "},
        {"{\"gravity\": [0, 0, 1e999]}", "s:1:24: "},
        {"{\"seed\": 99999999999999999999}", "s:1:29: "},
        {"{\"seed\": 1, \"seed\": 2}", "s:1:13: seed: "},
        {"{\"description\": \"\xff\"}", "s:1:"},
        {"@[]", ""},
    };
    CHECK_REFUSALS(cases);
    /* A zero byte inside, and nesting that would overflow a recursive parser's stack. */
    scree_scene *scene = NULL;
    assert_int_equal(scree_scene_parse("{\0}", 3, "s", &scene), SCREE_ERROR_FORMAT);
    char *deep = malloc(1000000);
    assert_non_null(deep);
    memset(deep, '[', 1000000);
    assert_int_equal(scree_scene_parse(deep, 1000000, "s", &scene), SCREE_ERROR_FORMAT);
    free(deep);
    assert_null(scene);
}

static void unknown_keys_are_rejected(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"{@\"gravty\": 1}", "gravty: "},
        {"{\n \"materials\": {\"glass\": {\n   @\"frction\": 1}}}", "materials.glass.frction: "},
        {"{\"materials\": {\"glass\": {@\"mass\": 1}}}", "materials.glass.mass: "},
        {"{@\"é\": 1, \"sovler\": 1}", "é: "},
        {"{\"description\": \"é\", @\"sovler\": 1}", "sovler: "},
        {"{@\"s\\u006fvler\": 1}", "sovler: "},
        {"{@\"period_centre\": [0, 0, 1]}", "period_centre: "},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}, {\"shape\": {\"kind\": "
         "\"sphere\", \"radius\": 1}, \"position\": [3, 0, 0]}], \"measurements\": [{\"kind\": \"position\", "
         "\"name\": \"p\", \"bodies\": [1, @1]}]}",
         "measurements[0].bodies[1]: "},
        {"{@\"stage\": []}", "stage: "},
        {"{@\"bodys\": []}", "bodys: "},
        {"{@\"colours\": []}", "colours: "},
        {"{\"bodies\": [{@\"kid\": 1}]}", "bodies[0].kid: "},
        {"{\"bodies\": [{@\"velocity\": [0, 0, 1]}]}", "bodies[0].velocity: "},
        {"{\"shapes\": {\"a\": {@\"knd\": \"box\"}}}", "shapes.a.knd: "},
        {"{\"shapes\": {\"a\": {\"kind\": \"sphere\", @\"raduis\": 1}}}", "shapes.a.raduis: "},
    };
    CHECK_REFUSALS(cases);
}

static void wrong_types_are_rejected(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"{\"gravity\": @9.81}", "gravity: "},
        {"{\"gravity\": @[0, 0]}", "gravity: "},
        {"{\"gravity\": [0, 0, -1], \"gravity_schedule\": @[{\"time\": 0, \"gravity\": [0, 0, 0]}]}",
         "gravity_schedule: "},
        {"{\"gravity\": [0, @\"x\", 0]}", "gravity[1]: "},
        {"{\"seed\": @\"1\"}", "seed: "},
        {"{\"solver\": {\"warm_start\": @1}}", "solver.warm_start: "},
        {"{\"solver\": {\"iterations\": @2.5}}", "solver.iterations: "},
        {"{\"solver\": {\"iterations\": @1000001}}", "solver.iterations: "},
        {"{\"solver\": {\"check_every\": @1000001}}", "solver.check_every: "},
        {"{\"solver\": {\"iterations\": @true}}", "solver.iterations: "},
        {"{\"solver\": @[]}", "solver: "},
        {"{\"bodies\": @{}}", "bodies: "},
        {"{\"materials\": @[]}", "materials: "},
        {"{\"description\": @1}", "description: "},
        {"{\"bodies\": [{\"shape\": @1}]}", "bodies[0].shape: "},
        {"{\"bodies\": [{\"shape\": @null}]}", "bodies[0].shape: "},
        {"{\"generators\": [{\"kind\": @7}]}", "generators[0].kind: "},
        {"{\"backend\": {\"device\": @0}}", "backend.device: "},
    };
    CHECK_REFUSALS(cases);
}

#define BODY(more) "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}" more "}]}"

static void impossible_values_are_rejected(void **state) {
    (void)state;
    static const refusal cases[] = {
        {BODY(", \"linear_velocity\": [0, @1e38, 0]"), "bodies[0].linear_velocity[1]: "},
        {BODY(", \"mass\": @-1"), "bodies[0].mass: "},
        {BODY(", \"mass\": @0"), "bodies[0].mass: "},
        {BODY(", \"inertia\": [1, @0, 1]"), "bodies[0].inertia[1]: "},
        {BODY(", \"position\": [@1e39, 0, 0]"), "bodies[0].position[0]: "},
        {BODY(", \"rotation\": @[0, 0, 0, 0]"), "bodies[0].rotation: "},
        {BODY(", \"rotation\": {\"axis\": @[0, 0, 0], \"angle_degrees\": 9}"), "bodies[0].rotation.axis: "},
        {BODY(", \"rotation\": @{\"axis\": [0, 0, 1]}"), "bodies[0].rotation: "},
        {BODY(", \"locks\": [\"x\", @\"rotation_w\"]"), "bodies[0].locks[1]: "},
        {BODY(", \"type\": \"static\", @\"mass\": 1"), "bodies[0].mass: "},
        {BODY(", \"material\": @\"glas\""), "bodies[0].material: "},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"sphere\"}}]}", "bodies[0].shape: "},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"box\"}}]}", "bodies[0].shape: "},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"box\", \"size\": [1, 1, 1], \"half_extents\": [1, 1, "
         "1]}}]}",
         "bodies[0].shape: "},
        {BODY(", \"rotation\": @30"), "bodies[0].rotation: "},
        {"{\"bodies\": [@{}]}", "bodies[0]: "},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [1, @0, 1]}}]}",
         "bodies[0].shape.size[1]: "},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": @1e-60}}]}",
         "bodies[0].shape.radius: "},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"half-space\"}}]}", "bodies[0].shape: "},
        {"{\"shapes\": {\"a\": {\"kind\": @\"spere\"}}}", "shapes.a.kind: "},
        {"{\"shapes\": {\"a\": {\"kind\": \"compound\", \"parts\": [{\"shape\": \"b\"}]}, \"b\": {\"kind\": "
         "\"compound\", \"parts\": [{\"shape\": @\"a\"}]}}}",
         "shapes.b.parts[0].shape: "},
        {"{\"shapes\": {\"a\": @{\"kind\": \"mesh\"}}}", "shapes.a: "},
        {"{\"shapes\": {\"a\": @{\"kind\": \"mesh\", \"heights\": [[0, 0], [0, 0]]}}}", "shapes.a: "},
        {"{\"shapes\": {\"a\": {\"kind\": \"mesh\", \"heights\": [[0, 0], @[0]], \"spacing\": [1, 1]}}}",
         "shapes.a.heights[1]: "},
        {"{\"shapes\": {\"a\": {\"kind\": \"mesh\", \"heights\": @7, \"spacing\": [1, 1]}}}",
         "shapes.a.heights: "},
        {"{\"shapes\": {\"a\": @{\"kind\": \"hull\"}}}", "shapes.a: "},
        {"{\"shapes\": {\"a\": {\"kind\": \"hull\", \"points\": @[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}}",
         "shapes.a.points: "},
        {"{\"shapes\": {\"a\": {\"kind\": \"hull\", \"points\": @[[0,0,0]]}}}", "shapes.a.points: "},
        {"{\"shapes\": {\"a\": {\"kind\": \"hull\", \"file\": @\"none.stl\"}}}", "shapes.a.file: "},
        {"{\"materials\": {\"m\": {\"friction\": @-0.1}}}", "materials.m.friction: "},
        {"{\"materials\": {\"m\": {\"restitution\": @1.5}}}", "materials.m.restitution: "},
        {"{\"materials\": {\"m\": {\"density\": @0}}}", "materials.m.density: "},
        {"{\"materials\": {\"m\": {\"spinning_friction\": @1e7}}}", "materials.m.spinning_friction: "},
        {"{\"materials\": {\"m\": {\"cohesion\": @-0.5}}}", "materials.m.cohesion: "},
        {"{\"material_pairs\": [{\"materials\": [\"default\", \"default\"], \"friction\": 0, "
         "\"restitution\": 0, "
         "\"cohesion_distance\": @-1}]}",
         "material_pairs[0].cohesion_distance: "},
        {"{\"material_pairs\": [{\"materials\": [@\"a\", \"b\"], \"friction\": 0, \"restitution\": 0}]}",
         "material_pairs[0].materials[0]: "},
        {"{\"materials\": {\"a\": {}}, \"material_pairs\": [{\"materials\": [\"a\", \"default\"], "
         "\"friction\": 0, "
         "\"restitution\": 0}, @{\"materials\": [\"default\", \"a\"], \"friction\": 0, \"restitution\": 0}]}",
         "material_pairs[1]: "},
        {"{\"time_step\": @0}", "time_step: "},
        {"{\"time_step\": @-0.01}", "time_step: "},
        {"{\"seed\": @-1}", "seed: "},
        {"{\"solver\": {\"relaxation\": @2}}", "solver.relaxation: "},
        {"{\"solver\": {\"relaxation\": @1.99999999999}}", "solver.relaxation: "},
        {"{\"solver\": {\"stabilisation\": \"soft\", \"stiffness\": @1e-60}}", "solver.stiffness: "},
        {"{\"solver\": {@\"stiffness\": 1}}", "solver.stiffness: "},
        {"{\"solver\": {@\"substeps\": 4, \"stabilisation\": \"relaxed\"}}", "solver.substeps: "},
        {"{\"solver\": {\"stabilisation\": \"substep\", @\"damping\": 4}}", "solver.damping: "},
        {"{\"solver\": {\"preset\": \"realtime\", @\"correction_speed\": 1, \"contact_frequency\": 0}}",
         "solver.correction_speed: "},
        {"{\"solver\": {\"colours\": @33}}", "solver.colours: "},
        {"{\"solver\": {\"iterations\": @3000000000}}", "solver.iterations: "},
        {"{\"solver\": @{\"method\": \"jacobi\", \"relaxation\": 1.5}}", "solver: "},
        {"{\"solver\": {\"law\": @\"columb\"}}", "solver.law: "},
        {"{\"backend\": {\"kind\": @\"cuda\"}}", "backend.kind: "},
        {"{\"run\": {\"steps\": @0}}", "run.steps: "},
        {"{\"run\": @{\"steps\": 1, \"duration\": 1}}", "run: "},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}], \"joints\": [{\"kind\": "
         "\"suspension\", "
         "\"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"x\": {@\"servo\": {\"stiffness\": 4e4}}}}]}",
         "joints[0].axes.x.servo: "},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}], \"joints\": [{\"kind\": "
         "\"slider\", "
         "\"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"x\": {@\"spring\": {\"stiffness\": 4e4}}}}]}",
         "joints[0].axes.x.spring: "},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}], \"joints\": [{\"kind\": "
         "\"slider\", "
         "\"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"x\": {@\"high\": 1}}}]}",
         "joints[0].axes.x.high: "},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}], \"joints\": [{\"kind\": "
         "\"slider\", "
         "\"b\": 0, \"point\": [0, 0, 0], \"axis\": @[0, 0, 0]}]}",
         "joints[0].axis: [0, 0, 0]; must not be zero"},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}], \"joints\": [{\"kind\": "
         "\"slider\", "
         "\"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"x\": {\"ramp\": @-1}}}]}",
         "joints[0].axes.x.ramp: "},
        {"{\"bodies\": [{\"shape\": {\"kind\": @\"triangle\"}}]}", "bodies[0].shape.kind: "},
        {"{\"generators\": [{\"kind\": \"fill\", \"count\": 10, \"solid_fraction\": @0.9, \"size\": 0.1, "
         "\"region\": "
         "{\"kind\": \"box\", \"size\": [1, 1]}, \"body\": {\"shape\": {\"kind\": \"sphere\"}}}]}",
         "generators[0].solid_fraction: "},
        {"{\"kinematic_groups\": [{\"containers\": @[0], \"motions\": []}]}",
         "kinematic_groups[0].containers: "},
        {"{\"outputs\": @{\"measurements_every\": 1, \"measurements_every_seconds\": 1}}", "outputs: "},
        {"{\"outputs\": {\"frames\": {\"compression\": @10}}}", "outputs.frames.compression: "},
        {"{\"outputs\": {\"frames\": {\"fields\": [@\"velocty\"]}}}", "outputs.frames.fields[0]: "},
        {"{\"outputs\": {\"camera\": {\"eye\": [1, 2, 3], \"target\": @[1, 2, 3]}}}",
         "outputs.camera.target: "},
        {"{\"outputs\": {\"camera\": {\"eye\": [1, 2, 3], \"target\": [1, 2, 0], "
         "\"field_of_view_degrees\": @0}}}",
         "outputs.camera.field_of_view_degrees: "},
        {"{\"outputs\": @{\"snapshot_every\": 1, \"snapshot_every_seconds\": 1}}", "outputs: "},
    };
    CHECK_REFUSALS(cases);
}

#define LATTICE(more)                                                                                        \
    "{\"generators\": [{\"kind\": \"lattice\", \"cells\": [2, 2, 2], \"spacing\": 1" more "}]}"
#define SPHERE "\"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}"
#define FILL(more) "{\"generators\": [{\"kind\": \"fill\", " SPHERE more "}]}"

static void impossible_generators_are_rejected(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"{\"generators\": [@{\"cells\": [1, 1, 1]}]}", "generators[0]: "},
        {"{\"generators\": [@{\"kind\": \"lattice\", \"cells\": [1, 1, 1], \"spacing\": 1}]}",
         "generators[0]: "},
        {LATTICE(", \"count\": @9, " SPHERE), "generators[0].count: "},
        {LATTICE(", \"body\": {\"shape\": @{\"kind\": \"half-space\"}, \"type\": \"static\"}"),
         "generators[0].body.shape: "},
        {LATTICE(", \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, @\"position\": [0, 0, 0]}"),
         "generators[0].body.position: "},
        {LATTICE(", \"size\": 1, \"body\": {\"shape\": {\"kind\": \"sphere\"}, @\"mass\": 1}"),
         "generators[0].body.mass: "},
        {LATTICE(", \"size\": @{\"kind\": \"normal\", \"mean\": 1, \"deviation\": 0.5}, " SPHERE),
         "generators[0].size: "},
        {LATTICE(", \"size\": @{\"kind\": \"uniform\", \"minimum\": 2, \"maximum\": 1}, " SPHERE),
         "generators[0].size: "},
        {LATTICE(
             ", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2, @2], \"fractions\": [1, 1]}, " SPHERE),
         "generators[0].size.openings[2]: "},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2], \"fractions\": @[1, 1]}, " SPHERE),
         "generators[0].size.fractions: "},
        {"{\"generators\": [{\"kind\": \"lattice\", \"cells\": @[1000, 1000, 1000], \"spacing\": 1, " SPHERE
         "}]}",
         "generators[0].cells: "},
        {"{\"generators\": [@{\"kind\": \"fill\", \"count\": 1, \"region\": {\"kind\": \"box\", \"size\": "
         "[1, 1]}, " SPHERE "}]}",
         "generators[0]: "},
        {FILL(", \"count\": 1, \"region\": @{\"kind\": \"box\", \"size\": [1, 0.1], \"height\": 1}"),
         "generators[0].region: "},
        {FILL(", \"solid_fraction\": @0.3, \"region\": {\"kind\": \"box\", \"size\": [1e4, 1e4], \"height\": "
              "1e4}"),
         "generators[0].solid_fraction: "},
        {FILL(", \"count\": 10000000, \"solid_fraction\": 1e-3, \"region\": {\"kind\": \"box\", \"size\": "
              "[1, 1]}"),
         "s:1:17: generators[0]: "},
        {LATTICE(
             ", \"orientation\": \"random\", \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, "
             "@\"rotation\": [0, 0, 0, 1]}"),
         "generators[0].body.rotation: "},
        {LATTICE(
             ", \"size\": @1e-6, \"body\": {\"shape\": {\"kind\": \"box\", \"half_extents\": [1, 1, 1e-6]}}"),
         "generators[0].size: "},
        {LATTICE(", \"size\": @{\"kind\": \"normal\", \"mean\": 1, \"deviation\": 0.001, \"minimum\": 2, "
                 "\"maximum\": 3}, " SPHERE),
         "generators[0].size: "},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": @[1], \"fractions\": [1]}, " SPHERE),
         "generators[0].size.openings: "},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2], \"fractions\": @[0]}, " SPHERE),
         "generators[0].size.fractions: "},
        {"{\"containers\": [@{\"kind\": \"box\"}]}", "containers[0]: "},
        {"{\"containers\": [{\"kind\": \"hopper\", \"outlet\": [1, 1], \"inlet\": [2, @0.5], \"height\": "
         "1}]}",
         "containers[0].inlet[1]: "},
    };
    CHECK_REFUSALS(cases);
}

/* Writes `count` times `item`, with a number for its %d, between `before` and `after`. */
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

static void excessive_counts_are_rejected(void **state) {
    (void)state;
    static const struct {
        const char *before, *item, *after, *place;
        int most;
    } cases[] = {
        {"{\"materials\": {", "\"m%d\": {}", "}}", "materials: ", 1000},
        {"{\"shapes\": {", "\"s%d\": {\"kind\": \"half-space\"}", "}}", "shapes: ", 10000},
        {"{\"containers\": [", "{\"kind\": \"box\", \"inner_size\": [1, 1, %d.5]}", "]}",
         "containers: ", 10000},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
        for (int more = 0; more < 2; ++more) {
            char *text = repeat(cases[i].before, cases[i].item, cases[i].most + more, cases[i].after);
            scree_scene *scene = NULL;
            assert_int_equal(scree_scene_parse(text, strlen(text), "s", &scene),
                             more ? SCREE_ERROR_FORMAT : SCREE_OK);
            if (more) assert_non_null(strstr(scree_error_get_message(), cases[i].place));
            scree_scene_destroy(scene);
            free(text);
        }
    const size_t size = (16u << 20) + 1;
    char *spaces = malloc(size);
    assert_non_null(spaces);
    memset(spaces, ' ', size);
    scree_scene *scene = NULL;
    assert_int_equal(scree_scene_parse(spaces, size, "s", &scene), SCREE_ERROR_FORMAT);
    free(spaces);
    assert_int_equal(scree_scene_parse(NULL, 1, "s", &scene), SCREE_ERROR_ARGUMENT);
}

static void invalid_files_are_rejected(void **state) {
    (void)state;
    scree_scene *scene = NULL;
    assert_int_equal(scree_scene_load("/nonexistent/scene.json", &scene), SCREE_ERROR_FILE);
    assert_non_null(strstr(scree_error_get_message(), "/nonexistent/scene.json"));
    assert_int_equal(scree_scene_load("/", &scene), SCREE_ERROR_FILE);
    assert_int_equal(scree_scene_load("/dev/zero", &scene), SCREE_ERROR_FORMAT); /* endless */
    assert_null(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_json_is_rejected),
        cmocka_unit_test(unknown_keys_are_rejected),
        cmocka_unit_test(wrong_types_are_rejected),
        cmocka_unit_test(impossible_values_are_rejected),
        cmocka_unit_test(impossible_generators_are_rejected),
        cmocka_unit_test(excessive_counts_are_rejected),
        cmocka_unit_test(invalid_files_are_rejected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
