/* Every message that an invalid input or call can provoke is compared with tests/data/messages.txt, which has
 * one line a case: the result and the message. `test_messages --update` rewrites the file. */
#include "pile.h"

#include <scree/tools/tools.h>

#include "bad_calls.h"
#include "bad_files.h"

static const char *const input_path = SCREE_SOURCE_DIR "/tests/data/bad_input.txt",
                         *const golden_path = SCREE_SOURCE_DIR "/tests/data/messages.txt";

enum { LINE_SIZE = 8192 };

/* The golden file; when it is rewritten, lines go to it instead of being compared. */
static FILE *golden;
static bool update;
static int wrong_lines;

static void expect_line(const char *line, const char *input) {
    char expected[LINE_SIZE] = "";
    if (update) {
        fprintf(golden, "%s\n", line);
        return;
    }
    if (fgets(expected, sizeof expected, golden)) expected[strcspn(expected, "\n")] = 0;
    if (!strcmp(line, expected)) return;
    if (wrong_lines++ < 20) print_message("%s\n  message:  %s\n  expected: %s\n", input, line, expected);
}

/* Compares "result: message"; the message's line breaks are written as \n. */
static void expect_message(const char *result, const char *message, const char *input) {
    char line[LINE_SIZE];
    size_t length = (size_t)snprintf(line, sizeof line, "%s: ", result);
    for (const char *c = message; *c && length < sizeof line - 3; c++) {
        if (*c == '\n' && !c[1]) break;
        if (*c == '\n') line[length++] = '\\';
        line[length++] = *c == '\n' ? 'n' : *c;
    }
    line[length] = 0;
    expect_line(line, input);
}

void expect_call(const char *input, scree_result result) {
    expect_message(scree_result_name(result), result == SCREE_OK ? "" : scree_error_get_message(), input);
}

/* Reads \n, \\ and \xHH of an input line in place; returns its length. */
static size_t unescape(char *text) {
    char *out = text;
    for (const char *c = text; *c; c++) {
        unsigned byte = (unsigned char)*c;
        if (*c == '\\' && c[1] == 'n') {
            byte = '\n';
            c++;
        } else if (*c == '\\' && c[1] == '\\') {
            c++;
        } else if (*c == '\\' && sscanf(c, "\\x%2x", &byte) == 1) {
            c += 3;
        }
        *out++ = (char)byte;
    }
    *out = 0;
    return (size_t)(out - text);
}

static scree_result build(const scree_scene *scene) {
    scree_world_def def = scree_scene_get_world_def(scene);
    scree_world *world = NULL;
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    TRY(scree_world_create(&def, &world));
    const scree_result result = scree_scene_build(scene, world, 0);
    scree_world_destroy(world);
    return result;
}

static scree_result read_scene(const char *text, size_t length) {
    scree_scene *scene = NULL;
    const scree_result result = scree_scene_parse(text, length, "s", &scene);
    const scree_result built = result == SCREE_OK ? build(scene) : result;
    scree_scene_destroy(scene);
    return built;
}

/* Reads a file of the kind that its name gives. */
static scree_result read_file(const char *name, const char *text) {
    scree_geometry *geometry = NULL;
    scree_grains grains = {0};
    scree_statistics_file *statistics = NULL;
    scree_frame frame;
    scree_world *world = NULL;
    scree_problem *problem = NULL;
    write_text(name, text);
    if (!strncmp(name, "mesh", 4)) return scree_mesh_load(name, NULL, &geometry);
    if (!strcmp(name, "heights.txt")) return scree_height_field_load(name, 1, 1, &geometry);
    if (!strcmp(name, "grains.csv")) return scree_grains_load(name, &grains);
    if (!strcmp(name, "statistics.csv")) return scree_statistics_file_open(name, 1, &statistics);
    if (!strcmp(name, "frame.h5")) return scree_frame_load(name, &frame);
    if (!strcmp(name, "checkpoint.h5")) return scree_checkpoint_load(name, NULL, &world);
    return scree_fclib_load(name, &problem);
}

static void try_input(const char *kind, char *text, const char *input) {
    if (!strcmp(kind, "command")) {
        char code[16];
        snprintf(code, sizeof code, "exit %d", shell("scree %s", text));
        if (!strcmp(code, "exit 2")) assert_string_equal(standard_output, "");
        expect_message(code, standard_error, input);
        return;
    }
    const size_t length = unescape(text);
    expect_call(input, strcmp(kind, "scene") ? read_file(kind, text) : read_scene(text, length));
}

/* Writes `line` into the template. */
static void fill(char out[2 * LINE_SIZE], const char *template, const char *line) {
    const char *place = strstr(template, "%s");
    const size_t before = place ? (size_t)(place - template) : 0;
    memcpy(out, template, before);
    strcpy(out + before, line);
    if (place) strcat(out, place + 2);
}

static void invalid_inputs(void **state) {
    char line[LINE_SIZE], kind[64] = "", template[LINE_SIZE] = "", text[2 * LINE_SIZE];
    (void)state;
    write_files();
    FILE *inputs = fopen(input_path, "r");
    assert_non_null(inputs);
    while (fgets(line, sizeof line, inputs)) {
        line[strcspn(line, "\n")] = 0;
        if (!line[0] || line[0] == '#') continue;
        if (!strncmp(line, "== ", 3)) {
            template[0] = 0;
            assert_true(sscanf(line, "== %63s %8191[^\n]", kind, template) >= 1);
            continue;
        }
        fill(text, template, line);
        try_input(kind, text, line);
    }
    fclose(inputs);
}

static void invalid_calls(void **state) {
    (void)state;
    call_worlds();
    call_bodies();
    call_shapes();
    call_joints();
    call_groups_and_flows();
    call_queries();
    call_measurements();
    call_problems();
    call_pictures();
}

static void forged_files(void **state) {
    (void)state;
    forge_checkpoints();
    forge_problems();
}

static void the_golden_file_has_no_other_line(void **state) {
    char line[LINE_SIZE];
    (void)state;
    if (!update) assert_null(fgets(line, sizeof line, golden));
    assert_int_equal(fclose(golden), 0);
    if (wrong_lines)
        fail_msg("%d messages differ from %s; `test_messages --update` rewrites it", wrong_lines,
                 golden_path);
}

static int set_up(void **state) {
    golden = fopen(golden_path, update ? "w" : "r");
    if (!golden || folder_set_up_without_devices(state)) return -1;
    return chdir(folder);
}

int main(int count, char **arguments) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_inputs),
        cmocka_unit_test(invalid_calls),
        cmocka_unit_test(forged_files),
        cmocka_unit_test(the_golden_file_has_no_other_line),
    };
    update = count == 2 && !strcmp(arguments[1], "--update");
    return cmocka_run_group_tests(tests, set_up, folder_tear_down);
}
