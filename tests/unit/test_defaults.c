/* The defaults that host/scene/README.md tells are those in force: a scene that sets a key to its documented
 * default means what the empty scene means. */
#include "expect.h"

#include <scree/tools/scene.h>

/* Clears what lies between two neighbours of a struct: bytes that copies need not keep. */
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
    def.device = NULL;                                      /* would be the scene's */
    memset(def.material.name, 0, sizeof def.material.name); /* as would this */
    scree_scene_destroy(scene);
    return def;
}

/* The n-th column of a table's row, without the spaces around it and backquotes inside, a minus for what
 * typography has; a note behind a colon is cut off. */
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

/* Calls `check` for every key with a default in the table of four columns that follows the line `heading`;
 * returns how many there were. */
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
    if (strcmp(key, "run") && strcmp(key, "outputs") && strcmp(key, "period_centre"))
        same_world("", key, value);
}

static void the_solver(void **state) {
    (void)state;
    assert_in_range(each_default("**`solver`**", solver_key), 19, 100);
}
static void materials(void **state) {
    (void)state;
    assert_in_range(each_default("## Materials", material_key), 7, 100);
}
static void the_world(void **state) {
    (void)state;
    assert_in_range(each_default("## The scene", world_key), 4, 100);
}

/* The one key that is refused without another. */
static void the_centre_of_a_period(void **state) {
    (void)state;
    scree_world_def set = world_def_of("{\"period\": [1, 1, 1], \"period_centre\": [0, 0, 0]}"),
                    empty = world_def_of("{\"period\": [1, 1, 1]}");
    clear_padding(&set), clear_padding(&empty);
    assert_memory_equal(&set, &empty, sizeof set);
}

/* What the library's own defaults say is what scenes have. */
static void the_library(void **state) {
    (void)state;
    scree_world_def empty = world_def_of("{}"), own = scree_default_world_def();
    clear_padding(&empty), clear_padding(&own); /* a copy need not keep them */
    assert_memory_equal(&empty, &own, sizeof own);
}

/* A default that is wrong is seen. */
static void another_value_differs(void **state) {
    (void)state;
    const scree_world_def set = world_def_of("{\"solver\": {\"position_iterations\": 14}}"),
                          empty = world_def_of("{}");
    assert_memory_not_equal(&set, &empty, sizeof set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solver),  cmocka_unit_test(materials),
        cmocka_unit_test(the_world),   cmocka_unit_test(the_centre_of_a_period),
        cmocka_unit_test(the_library), cmocka_unit_test(another_value_differs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
