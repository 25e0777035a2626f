/* The defaults in host/scene/README.md are in force: setting a key to its documented default equals the empty
 * scene. */
#include "expect.h"

#include <scree/tools/scene.h>

/* Clears the padding between two neighbours of a struct, which copies need not keep. */
#define CLEAR_BETWEEN(def, first, second)                                                                    \
    memset((char *)&(def)->first + sizeof(def)->first, 0,                                                    \
           (size_t)((char *)&(def)->second - (char *)&(def)->first) - sizeof(def)->first)

static void clear_padding(scree_world_def *def) {
    CLEAR_BETWEEN(def, gravity, time_step);
    CLEAR_BETWEEN(def, solver.warm_start, solver.colours);
    CLEAR_BETWEEN(def, backend, device);
    CLEAR_BETWEEN(def, profile, threads);
    memset(&def->maximum_contacts + 1, 0, (size_t)((char *)(def + 1) - (char *)(&def->maximum_contacts + 1)));
}

static scree_world_def world_def_of(const char *text) {
    scree_scene *scene = NULL;
    if (scree_scene_parse(text, strlen(text), "scene.json", &scene) != SCREE_OK)
        fail_msg("%s: %s", text, scree_error_get_message());
    scree_world_def def = scree_scene_get_world_def(scene);
    def.device = NULL;                                      /* as a scene would set */
    memset(def.material.name, 0, sizeof def.material.name); /* as above */
    scree_scene_destroy(scene);
    return def;
}

/* Copies the n-th column of a table's row, without surrounding spaces and backquotes, with an ASCII minus;
 * cuts off a note after a colon. */
static void column(const char *row, int n, char *out, size_t size) {
    size_t used = 0;
    for (int i = 0; i < n && row; ++i) row = strchr(row + 1, '|');
    if (row) row += 1 + strspn(row + 1, " ");
    while (row && *row && *row != '|' && *row != ':' && used + 1 < size) {
        const bool minus = !strncmp(row, "−", strlen("−"));
        if (*row != '`') out[used++] = minus ? '-' : *row;
        row += minus ? strlen("−") : 1;
    }
    while (used > 0 && out[used - 1] == ' ') --used;
    out[used] = 0;
}

/* Calls `check` for every key with a default in the four-column table after the line `heading`; returns their
 * number. */
static int each_default(const char *heading, void (*check)(const char *key, const char *value)) {
    FILE *file = fopen(SCREE_SOURCE_DIR "/host/scene/README.md", "r");
    char line[4096];
    bool here = false;
    int rows = 0, found = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (!here) {
            here = !strncmp(line, heading, strlen(heading));
        } else if (line[0] == '|' && ++rows > 2) {
            char keys[256], value[256];
            column(line, 0, keys, sizeof keys);
            column(line, 2, value, sizeof value);
            for (char *rest = keys, *key; *value && (key = strtok_r(rest, ", ", &rest)); ++found)
                check(key, value);
        } else if (rows > 0 && line[0] != '|') {
            break;
        }
    }
    fclose(file);
    return found;
}

static void same_world(const char *section, const char *key, const char *value) {
    const bool is_word =
        (value[0] >= 'a' && value[0] <= 'z' && strcmp(value, "true") && strcmp(value, "false"));
    char text[512];
    snprintf(text, sizeof text, "{%s\"%s\": %s%s%s%s}", section, key, is_word ? "\"" : "", value,
             is_word ? "\"" : "", *section ? strchr(section, '{') == strrchr(section, '{') ? "}" : "}}" : "");
    scree_world_def set = world_def_of(text), empty = world_def_of("{}");
    clear_padding(&set), clear_padding(&empty);
    if (memcmp(&set, &empty, sizeof set)) fail_msg("%s is no default", text);
}

static void solver_key(const char *key, const char *value) { same_world("\"solver\": {", key, value); }
static void material_key(const char *key, const char *value) {
    same_world("\"materials\": {\"default\": {", key, value);
}
static void world_key(const char *key, const char *value) {
    char number[32];
    int top, bottom;
    if (sscanf(value, "%d/%d", &top, &bottom) == 2)
        snprintf(number, sizeof number, "%.17g", (double)top / bottom), value = number;
    if (strcmp(key, "run") && strcmp(key, "outputs") && strcmp(key, "worlds") && strcmp(key, "period_centre"))
        same_world("", key, value);
}

static void solver_has_documented_defaults(void **state) {
    (void)state;
    assert_in_range(each_default("**`solver`**", solver_key), 17, 100);
}
static void materials_have_documented_defaults(void **state) {
    (void)state;
    assert_in_range(each_default("## Materials", material_key), 7, 100);
}
static void world_has_documented_defaults(void **state) {
    (void)state;
    assert_in_range(each_default("## The scene", world_key), 4, 100);
}

/* This key is rejected without another one. */
static void centre_of_a_period_has_its_default(void **state) {
    (void)state;
    scree_world_def set = world_def_of("{\"period\": [1, 1, 1], \"period_centre\": [0, 0, 0]}"),
                    empty = world_def_of("{\"period\": [1, 1, 1]}");
    clear_padding(&set), clear_padding(&empty);
    assert_memory_equal(&set, &empty, sizeof set);
}

/* The library's own defaults are those of scenes. */
static void library_has_the_defaults_of_scenes(void **state) {
    (void)state;
    scree_world_def empty = world_def_of("{}"), own = scree_default_world_def();
    clear_padding(&empty), clear_padding(&own); /* a copy need not keep them */
    assert_memory_equal(&empty, &own, sizeof own);
}

/* A wrong default is detected. */
static void a_wrong_default_is_detected(void **state) {
    (void)state;
    const scree_world_def set = world_def_of("{\"solver\": {\"position_iterations\": 14}}"),
                          empty = world_def_of("{}");
    assert_memory_not_equal(&set, &empty, sizeof set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solver_has_documented_defaults),
        cmocka_unit_test(materials_have_documented_defaults),
        cmocka_unit_test(world_has_documented_defaults),
        cmocka_unit_test(centre_of_a_period_has_its_default),
        cmocka_unit_test(library_has_the_defaults_of_scenes),
        cmocka_unit_test(a_wrong_default_is_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
