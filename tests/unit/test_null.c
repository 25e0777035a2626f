/* Every public call rejects NULL unless its description allows it. tests/support/make_null_calls.py makes the
 * calls from the headers; this file has the objects that they are made on. */
#include "folder.h"
#include "scenery.h"

/* Valid arguments; each member has the name of its type. */
typedef struct fixture {
    scree_world *scree_world;
    scree_scene *scree_scene;
    scree_problem *scree_problem;
    scree_series *scree_series;
    scree_world_snapshot *scree_world_snapshot;
    scree_statistics_file *scree_statistics_file;
    scree_measurement_file *scree_measurement_file;
    scree_geometry *scree_geometry;
    scree_body_id scree_body_id;
    scree_material_id scree_material_id;
    scree_joint_id scree_joint_id;
    scree_flow_id scree_flow_id;
    scree_kinematic_group_id scree_kinematic_group_id;
    scree_measurement_id scree_measurement_id;
    folder place;
} fixture;

static int failures;

/* Sets an error that no null pointer makes. */
static void begin(void) { scree_error_set(SCREE_ERROR_FORMAT, "before"); }

/* Counts and prints a failure of the call with NULL for a parameter. */
static void report(const char *function, const char *parameter, const char *what) {
    print_error("%s with %s = NULL: %s, \"%s\"\n", function, parameter, what, scree_error_get_message());
    failures++;
}

/* Checks the error of the last call: "FUNCTION: PARAMETER is null", or "FUNCTION: self is null". */
static void check_error(const char *function, const char *parameter) {
    char expected[256], of_self[256];
    snprintf(expected, sizeof expected, "%s: %s is null", function, parameter);
    snprintf(of_self, sizeof of_self, "%s: self is null", function);
    if (scree_error_get_result() != SCREE_ERROR_ARGUMENT) report(function, parameter, "not an error");
    if (strcmp(scree_error_get_message(), expected) != 0 && strcmp(scree_error_get_message(), of_self) != 0)
        report(function, parameter, "another message");
}

static void check_rejected(const char *function, const char *parameter, scree_result result) {
    if (result != SCREE_ERROR_ARGUMENT)
        report(function, parameter, scree_result_name(result));
    else
        check_error(function, parameter);
}

static void check_zero(const char *function, const char *parameter, bool zero) {
    if (!zero) report(function, parameter, "does not return zero");
    check_error(function, parameter);
}

/* The call may fail for another reason, such as a file that does not exist. */
static void check_allowed(const char *function, const char *parameter) {
    if (strstr(scree_error_get_message(), "null")) report(function, parameter, "the description allows it");
}

#include "null_calls.h"

static void add_flow_and_group(fixture *f) {
    scree_inlet_def inlet = scree_default_inlet_def();
    inlet.rate = 1;
    CHECK(scree_inlet_create(f->scree_world, &inlet, &f->scree_flow_id));
    const scree_kinematic_group_def group = scree_default_kinematic_group_def();
    CHECK(scree_kinematic_group_create(f->scree_world, &group, &f->scree_kinematic_group_id));
}

static void add_measurement(fixture *f) {
    scree_measurement_def def = scree_default_measurement_def();
    def.name = "null";
    CHECK(scree_measurement_create(f->scree_world, &def, &f->scree_measurement_id));
    CHECK(scree_measurement_file_open(folder_file(&f->place, "null.csv"), f->scree_world,
                                      f->scree_measurement_id, 0, &f->scree_measurement_file));
}

static void fill_world(fixture *f) {
    const scree_vec3 up = {0, 0, 1};
    const scree_material_def material = scree_default_material_def();
    scree_joint_def joint = scree_default_joint_def(SCREE_JOINT_BALL);
    f->scree_body_id = add_body(f->scree_world, scree_shape_sphere(0.1f), up, up);
    CHECK(scree_material_create(f->scree_world, &material, &f->scree_material_id));
    joint.b = f->scree_body_id;
    CHECK(scree_joint_create(f->scree_world, &joint, &f->scree_joint_id));
    add_flow_and_group(f);
    add_measurement(f);
    CHECK(scree_world_step(f->scree_world, NULL));
}

static void set_up(fixture *f) {
    static const char text[] = "{\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 1}}]}";
    const scree_clump_sphere ball = {{0, 0, 0}, 1};
    scree_world_def def = scree_default_world_def();
    *f = (fixture){.place = folder_make()};
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    f->scree_world = world_of(&def);
    fill_world(f);
    CHECK(scree_clump_create(&ball, 1, &f->scree_geometry));
    CHECK(scree_scene_parse(text, strlen(text), "text", &f->scree_scene));
    CHECK(scree_problem_from_world(f->scree_world, &f->scree_problem));
    CHECK(scree_world_snapshot_create(f->scree_world, &f->scree_world_snapshot));
    CHECK(scree_series_open(f->place.path, 0, NULL, &f->scree_series));
    CHECK(
        scree_statistics_file_open(folder_file(&f->place, "measurements.csv"), 0, &f->scree_statistics_file));
}

static void tear_down(fixture *f) {
    scree_series_close(f->scree_series);
    scree_statistics_file_close(f->scree_statistics_file);
    scree_measurement_file_close(f->scree_measurement_file);
    scree_problem_destroy(f->scree_problem);
    scree_world_snapshot_destroy(f->scree_world_snapshot);
    scree_scene_destroy(f->scree_scene);
    scree_geometry_release(f->scree_geometry);
    scree_world_destroy(f->scree_world);
    folder_remove(&f->place);
}

static void null_is_rejected_unless_allowed(void **state) {
    (void)state;
    fixture f;
    set_up(&f);
    call_everything(&f);
    tear_down(&f);
    assert_int_equal(failures, 0);
}

static bool is_declared(const char *name) {
    for (size_t i = 0; i < sizeof declared / sizeof *declared; i++)
        if (!strcmp(declared[i], name)) return true;
    return false;
}

static void every_exported_function_is_declared(void **state) {
    (void)state;
    char line[512], name[256], kind;
    size_t count = 0;
    FILE *symbols = popen("nm -D --defined-only --without-symbol-versions " SCREE_BUILD_DIR
                          "/libscree*.so | grep -v ' A ' | sort -u",
                          "r");
    assert_non_null(symbols);
    while (fgets(line, sizeof line, symbols)) {
        if (sscanf(line, "%*s %c %255s", &kind, name) != 2 || strncmp(name, "scree_", 6) != 0) continue;
        if (!is_declared(name)) fail_msg("%s is exported and not declared in include/", name);
        count++;
    }
    assert_int_equal(pclose(symbols), 0);
    assert_int_equal(count, sizeof declared / sizeof *declared);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_is_rejected_unless_allowed),
        cmocka_unit_test(every_exported_function_is_declared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
