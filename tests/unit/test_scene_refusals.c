/* Invalid scenes, and the place and text of each error message. */
#include "expect.h"

#include <scree/tools/scene.h>

/* A text with an @ where its error is; the key path in the message; and the rest of the message. A text
 * without @ has the whole start of the message instead of the path. */
typedef struct refusal {
    const char *text, *path, *part;
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
        if (!strstr(message, cases[i].part))
            fail_msg("%s\n  says: %s\n  expected in it: %s", text, message, cases[i].part);
    }
}

#define CHECK_REFUSALS(cases) check_refusals(cases, sizeof(cases) / sizeof *(cases))

static void invalid_json_is_rejected(void **state) {
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
        {"{@\"gravty\": 1}", "gravty: ", "unknown key \"gravty\"; did you mean \"gravity\"?"},
        {"{\n \"materials\": {\"glass\": {\n   @\"frction\": 1}}}",
         "materials.glass.frction: ", "did you mean \"friction\"?"},
        {"{\"materials\": {\"glass\": {@\"mass\": 1}}}",
         "materials.glass.mass: ", "expected one of \"friction\", \"restitution\", \"density\""},
        {"{@\"é\": 1, \"sovler\": 1}", "é: ", "unknown key"},
        {"{\"description\": \"é\", @\"sovler\": 1}", "sovler: ", "did you mean \"solver\"?"},
        {"{@\"s\\u006fvler\": 1}", "sovler: ", "solver"},
        {"{@\"period_centre\": [0, 0, 1]}", "period_centre: ", "has no effect without a \"period\""},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}, {\"shape\": {\"kind\": "
         "\"sphere\", \"radius\": 1}, \"position\": [3, 0, 0]}], \"measurements\": [{\"kind\": \"position\", "
         "\"name\": \"p\", \"bodies\": [1, @1]}]}",
         "measurements[0].bodies[1]: ", "1: listed twice: expected each once"},
        {"{@\"stage\": []}", "stage: ", "did you mean \"stages\"?"},
        {"{@\"bodys\": []}", "bodys: ", "did you mean \"bodies\"?"},
        {"{@\"colours\": []}", "colours: ", "\"gravity_schedule\", \"stages\""},
        {"{\"bodies\": [{@\"kid\": 1}]}", "bodies[0].kid: ", "unknown key"},
        {"{\"bodies\": [{@\"velocity\": [0, 0, 1]}]}",
         "bodies[0].velocity: ", "did you mean \"linear_velocity\"?"},
        {"{\"shapes\": {\"a\": {@\"knd\": \"box\"}}}", "shapes.a.knd: ", "did you mean \"kind\"?"},
        {"{\"shapes\": {\"a\": {\"kind\": \"sphere\", @\"raduis\": 1}}}",
         "shapes.a.raduis: ", "did you mean \"radius\"?"},
    };
    CHECK_REFUSALS(cases);
}

static void wrong_types_are_rejected(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"{\"gravity\": @9.81}", "gravity: ", "9.81: expected an array of 3 numbers (m/s²)"},
        {"{\"gravity\": @[0, 0]}", "gravity: ", "an array of 2: expected an array of 3"},
        {"{\"gravity\": [0, 0, -1], \"gravity_schedule\": @[{\"time\": 0, \"gravity\": [0, 0, 0]}]}",
         "gravity_schedule: ", "the scene also has `gravity`: expected only one of the two"},
        {"{\"gravity\": [0, @\"x\", 0]}", "gravity[1]: ", "the string \"x\": expected a number (m/s²)"},
        {"{\"seed\": @\"1\"}", "seed: ", "expected a whole number"},
        {"{\"solver\": {\"warm_start\": @1}}", "solver.warm_start: ", "1: expected true or false"},
        {"{\"solver\": {\"iterations\": @2.5}}",
         "solver.iterations: ", "2.5: expected a whole number from 1"},
        {"{\"solver\": {\"iterations\": @1000001}}",
         "solver.iterations: ", "expected a whole number from 1 to 1000000"},
        {"{\"solver\": {\"check_every\": @1000001}}",
         "solver.check_every: ", "expected a whole number from 1 to 1000000"},
        {"{\"solver\": {\"iterations\": @true}}", "solver.iterations: ", "true: expected a whole number"},
        {"{\"solver\": @[]}", "solver: ", "an array of 0: expected an object"},
        {"{\"bodies\": @{}}", "bodies: ", "an object: expected an array"},
        {"{\"materials\": @[]}", "materials: ", "expected an object of materials by name"},
        {"{\"description\": @1}", "description: ", "expected a string"},
        {"{\"bodies\": [{\"shape\": @1}]}", "bodies[0].shape: ", "expected a shape"},
        {"{\"bodies\": [{\"shape\": @null}]}", "bodies[0].shape: ", "null: expected a shape"},
        {"{\"generators\": [{\"kind\": @7}]}",
         "generators[0].kind: ", "7: expected one of \"lattice\", \"pyramid\", \"fill\""},
        {"{\"backend\": {\"device\": @0}}", "backend.device: ", "expected a device number"},
    };
    CHECK_REFUSALS(cases);
}

#define BODY(more) "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}" more "}]}"

static void impossible_values_are_rejected(void **state) {
    (void)state;
    static const refusal cases[] = {
        {BODY(", \"linear_velocity\": [0, @1e38, 0]"),
         "bodies[0].linear_velocity[1]: ", "1e+38: expected a number from -1e+09 to 1e+09"},
        {BODY(", \"mass\": @-1"), "bodies[0].mass: ", "-1: expected a number from 1e-15 to"},
        {BODY(", \"mass\": @0"), "bodies[0].mass: ", "(kg)"},
        {BODY(", \"inertia\": [1, @0, 1]"), "bodies[0].inertia[1]: ", "(kg m²)"},
        {BODY(", \"position\": [@1e39, 0, 0]"),
         "bodies[0].position[0]: ", "1e+39: expected a number from -1e+09 to 1e+09"},
        {BODY(", \"rotation\": @[0, 0, 0, 0]"), "bodies[0].rotation: ", "length 0"},
        {BODY(", \"rotation\": {\"axis\": @[0, 0, 0], \"angle_degrees\": 9}"),
         "bodies[0].rotation.axis: ", "expected a direction"},
        {BODY(", \"rotation\": @{\"axis\": [0, 0, 1]}"),
         "bodies[0].rotation: ", "or \"euler_degrees\" alone"},
        {BODY(", \"locks\": [\"x\", @\"rotation_w\"]"),
         "bodies[0].locks[1]: ", "did you mean \"rotation_x\"?"},
        {BODY(", \"type\": \"static\", @\"mass\": 1"), "bodies[0].mass: ", "dynamic bodies only"},
        {BODY(", \"material\": @\"glas\""), "bodies[0].material: ", "no material is named \"glas\""},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"sphere\"}}]}",
         "bodies[0].shape: ", "\"radius\" is missing"},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"box\"}}]}",
         "bodies[0].shape: ", "\"half_extents\" (or \"size\""},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"box\", \"size\": [1, 1, 1], \"half_extents\": [1, 1, "
         "1]}}]}",
         "bodies[0].shape: ", "expected only one"},
        {BODY(", \"rotation\": @30"), "bodies[0].rotation: ", "30: expected a quaternion"},
        {"{\"bodies\": [@{}]}", "bodies[0]: ", "the key \"shape\" is missing"},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"box\", \"size\": [1, @0, 1]}}]}",
         "bodies[0].shape.size[1]: ", "0: expected a number from 2e-06"},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": @1e-60}}]}",
         "bodies[0].shape.radius: ", "1e-60"},
        {"{\"bodies\": [{\"shape\": @{\"kind\": \"half-space\"}}]}",
         "bodies[0].shape: ", "cannot be dynamic"},
        {"{\"shapes\": {\"a\": {\"kind\": @\"spere\"}}}", "shapes.a.kind: ",
         "\"cone\", \"ellipsoid\", \"clump\", \"mesh\", \"hull\", \"solid\", \"compound\"; did you mean "
         "\"sphere\"?"},
        {"{\"shapes\": {\"a\": {\"kind\": \"compound\", \"parts\": [{\"shape\": \"b\"}]}, \"b\": {\"kind\": "
         "\"compound\", \"parts\": [{\"shape\": @\"a\"}]}}}",
         "shapes.b.parts[0].shape: ", "the shape \"a\" contains itself"},
        {"{\"shapes\": {\"a\": @{\"kind\": \"mesh\"}}}", "shapes.a: ", "either \"file\" or \"heights\""},
        {"{\"shapes\": {\"a\": @{\"kind\": \"mesh\", \"heights\": [[0, 0], [0, 0]]}}}",
         "shapes.a: ", "\"heights\" and \"spacing\" together"},
        {"{\"shapes\": {\"a\": {\"kind\": \"mesh\", \"heights\": [[0, 0], @[0]], \"spacing\": [1, 1]}}}",
         "shapes.a.heights[1]: ", "2"},
        {"{\"shapes\": {\"a\": {\"kind\": \"mesh\", \"heights\": @7, \"spacing\": [1, 1]}}}",
         "shapes.a.heights: ", "expected rows of heights or the name of a file"},
        {"{\"shapes\": {\"a\": @{\"kind\": \"hull\"}}}", "shapes.a: ", "\"points\" (or \"file\") is missing"},
        {"{\"shapes\": {\"a\": {\"kind\": \"hull\", \"points\": @[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}}",
         "shapes.a.points: ", "the 4 points of a hull lie in one plane"},
        {"{\"shapes\": {\"a\": {\"kind\": \"hull\", \"points\": @[[0,0,0]]}}}",
         "shapes.a.points: ", "expected an array of 4"},
        {"{\"shapes\": {\"a\": {\"kind\": \"hull\", \"file\": @\"none.stl\"}}}",
         "shapes.a.file: ", "none.stl"},
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
         "material_pairs[0].materials[0]: ", "no material is named \"a\""},
        {"{\"materials\": {\"a\": {}}, \"material_pairs\": [{\"materials\": [\"a\", \"default\"], "
         "\"friction\": 0, "
         "\"restitution\": 0}, @{\"materials\": [\"default\", \"a\"], \"friction\": 0, \"restitution\": 0}]}",
         "material_pairs[1]: ", "already have a pair"},
        {"{\"time_step\": @0}", "time_step: ", "(s)"},
        {"{\"time_step\": @-0.01}", "time_step: ", "-0.01"},
        {"{\"seed\": @-1}", "seed: ", "expected a whole number"},
        {"{\"solver\": {\"relaxation\": @2}}", "solver.relaxation: ", "between 0 and 2 (limits excluded)"},
        {"{\"solver\": {\"relaxation\": @1.99999999999}}", "solver.relaxation: ", "single precision"},
        {"{\"solver\": {\"stabilisation\": \"soft\", \"stiffness\": @1e-60}}",
         "solver.stiffness: ", "single precision"},
        {"{\"solver\": {@\"stiffness\": 1}}", "solver.stiffness: ",
         "not used by the stabilisation \"split\": expected it with \"soft\", \"penalty\", \"substep\""},
        {"{\"solver\": {@\"substeps\": 4, \"stabilisation\": \"relaxed\"}}",
         "solver.substeps: ", "expected it with \"substep\""},
        {"{\"solver\": {\"stabilisation\": \"substep\", @\"damping\": 4}}",
         "solver.damping: ", "not used with a \"contact_frequency\" of 1000: expected it with 0"},
        {"{\"solver\": {\"preset\": \"realtime\", @\"correction_speed\": 1, \"contact_frequency\": 0}}",
         "solver.correction_speed: ", "expected it with one > 0"},
        {"{\"solver\": {\"colours\": @33}}", "solver.colours: ", "from 1 to 32"},
        {"{\"solver\": {\"iterations\": @3000000000}}", "solver.iterations: ", "expected a whole number"},
        {"{\"solver\": @{\"method\": \"jacobi\", \"relaxation\": 1.5}}", "solver: ", "relaxation"},
        {"{\"solver\": {\"law\": @\"columb\"}}", "solver.law: ", "did you mean \"coulomb\"?"},
        {"{\"backend\": {\"kind\": @\"cuda\"}}",
         "backend.kind: ", "expected one of \"auto\", \"opencl\", \"native\", \"reference\""},
        {"{\"run\": {\"steps\": @0}}", "run.steps: ", "≥ 1"},
        {"{\"run\": @{\"steps\": 1, \"duration\": 1}}", "run: ", "expected only one"},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}], \"joints\": [{\"kind\": "
         "\"suspension\", "
         "\"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"x\": {@\"servo\": {\"stiffness\": 4e4}}}}]}",
         "joints[0].axes.x.servo: ", "expected \"drive\": \"position\""},
        {"{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}], \"joints\": [{\"kind\": "
         "\"slider\", "
         "\"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"x\": {@\"spring\": {\"stiffness\": 4e4}}}}]}",
         "joints[0].axes.x.spring: ", "a free axis has nothing to hold"},
        {"{\"bodies\": [{\"shape\": {\"kind\": @\"triangle\"}}]}",
         "bodies[0].shape.kind: ", "\"triangle\": expected"},
        {"{\"generators\": [{\"kind\": \"fill\", \"count\": 10, \"solid_fraction\": @0.9, \"size\": 0.1, "
         "\"region\": "
         "{\"kind\": \"box\", \"size\": [1, 1]}, \"body\": {\"shape\": {\"kind\": \"sphere\"}}}]}",
         "generators[0].solid_fraction: ",
         "height of 0.00582 m is too low for the largest grain of 0.1 m: expected at most 0.0524"},
        {"{\"assemblies\": [{\"containers\": @[0], \"motions\": []}]}",
         "assemblies[0].containers: ", "the scene has no containers: expected an empty list"},
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

static void impossible_generators_are_rejected(void **state) {
    (void)state;
    static const refusal cases[] = {
        {"{\"generators\": [@{\"cells\": [1, 1, 1]}]}", "generators[0]: ", "the key \"kind\" is missing"},
        {"{\"generators\": [@{\"kind\": \"lattice\", \"cells\": [1, 1, 1], \"spacing\": 1}]}",
         "generators[0]: ", "the key \"body\" is missing"},
        {LATTICE(", \"count\": @9, " SPHERE), "generators[0].count: ", "at most the 8 places"},
        {LATTICE(", \"body\": {\"shape\": @{\"kind\": \"half-space\"}, \"type\": \"static\"}"),
         "generators[0].body.shape: ",
         "a half-space is infinite or has no volume: expected a shape that can be dynamic"},
        {LATTICE(", \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, @\"position\": [0, 0, 0]}"),
         "generators[0].body.position: ", "expected no \"position\""},
        {LATTICE(", \"size\": 1, \"body\": {\"shape\": {\"kind\": \"sphere\"}, @\"mass\": 1}"),
         "generators[0].body.mass: ", "density"},
        {LATTICE(", \"size\": @{\"kind\": \"normal\", \"mean\": 1, \"deviation\": 0.5}, " SPHERE),
         "generators[0].size: ", "\"minimum\" and \"maximum\""},
        {LATTICE(", \"size\": @{\"kind\": \"uniform\", \"minimum\": 2, \"maximum\": 1}, " SPHERE),
         "generators[0].size: ", "a minimum below the maximum"},
        {LATTICE(
             ", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2, @2], \"fractions\": [1, 1]}, " SPHERE),
         "generators[0].size.openings[2]: ", "more than the preceding opening, 2"},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2], \"fractions\": @[1, 1]}, " SPHERE),
         "generators[0].size.fractions: ", "2 fractions: expected 1"},
        {"{\"generators\": [{\"kind\": \"lattice\", \"cells\": @[1000, 1000, 1000], \"spacing\": 1, " SPHERE
         "}]}",
         "generators[0].cells: ", "1e+09 bodies in total: expected at most 100000000"},
        {"{\"generators\": [@{\"kind\": \"fill\", \"count\": 1, \"region\": {\"kind\": \"box\", \"size\": "
         "[1, 1]}, " SPHERE "}]}",
         "generators[0]: ", "expected exactly two of"},
        {FILL(", \"count\": 1, \"region\": @{\"kind\": \"box\", \"size\": [1, 0.1], \"height\": 1}"),
         "generators[0].region: ", "the largest grain needs 0.2 m"},
        {FILL(", \"solid_fraction\": @0.3, \"region\": {\"kind\": \"box\", \"size\": [1e4, 1e4], \"height\": "
              "1e4}"),
         "generators[0].solid_fraction: ", "bodies in total: expected at most 100000000"},
        {FILL(", \"count\": 10000000, \"solid_fraction\": 1e-3, \"region\": {\"kind\": \"box\", \"size\": "
              "[1, 1]}"),
         "s:1:17: generators[0]: ", "height is 4.19e+07 m"},
        {LATTICE(
             ", \"orientation\": \"random\", \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 1}, "
             "@\"rotation\": [0, 0, 0, 1]}"),
         "generators[0].body.rotation: ", "\"orientation\": \"random\""},
        {LATTICE(
             ", \"size\": @1e-6, \"body\": {\"shape\": {\"kind\": \"box\", \"half_extents\": [1, 1, 1e-6]}}"),
         "generators[0].size: ", "lengths from 5e-13 to 5e-07 m: expected"},
        {LATTICE(", \"size\": @{\"kind\": \"normal\", \"mean\": 1, \"deviation\": 0.001, \"minimum\": 2, "
                 "\"maximum\": 3}, " SPHERE),
         "generators[0].size: ", "less than 1e-6"},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": @[1], \"fractions\": [1]}, " SPHERE),
         "generators[0].size.openings: ", "an array of 1: expected an array of 2 to 65"},
        {LATTICE(", \"size\": {\"kind\": \"sieve\", \"openings\": [1, 2], \"fractions\": @[0]}, " SPHERE),
         "generators[0].size.fractions: ", "all zero"},
        {"{\"containers\": [@{\"kind\": \"box\"}]}", "containers[0]: ", "the key \"inner_size\" is missing"},
        {"{\"containers\": [{\"kind\": \"hopper\", \"outlet\": [1, 1], \"inlet\": [2, @0.5], \"height\": "
         "1}]}",
         "containers[0].inlet[1]: ", "at least the outlet's side, 1"},
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
            if (more) assert_non_null(strstr(scree_error_get_message(), cases[i].part));
            scree_scene_destroy(scene);
            free(text);
        }
    const size_t size = (16u << 20) + 1;
    char *spaces = malloc(size);
    assert_non_null(spaces);
    memset(spaces, ' ', size);
    scree_scene *scene = NULL;
    assert_int_equal(scree_scene_parse(spaces, size, "s", &scene), SCREE_ERROR_FORMAT);
    assert_non_null(strstr(scree_error_get_message(), "16777217 bytes: expected at most 16777216"));
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
    assert_non_null(strstr(scree_error_get_message(), "expected at most"));
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
