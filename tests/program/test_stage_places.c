/* Locations of errors, changes and bodies in messages about scenes with stages. */
#include "command.h"

/* An error outside the stages is located there, on its line, for any number of stages. */
static void errors_outside_stages_are_located(void **state) {
    (void)state;
    static const char *const tries[][2] = {
        {"\"materials\": {\"glass\": {\n\"rolling_frction\": 1}}",
         "base.json:2:1: materials.glass.rolling_frction:"},
        {"\"inlets\":\n [{}]", "base.json:2:3: inlets[0]:"},
        {"\"containers\": [\n{\"kind\": \"bag\"}]", "base.json:2:10: containers[0].kind:"},
        {"\"measurements\": [\n{\"kind\": \"x\"}]", "base.json:2:10: measurements[0].kind:"},
        {"\"solver\": {\n\"iterations\": 0}", "base.json:2:15: solver.iterations:"},
        {"\"outputs\": {\n\"evry\": 1}", "base.json:2:1: outputs.evry:"},
        {"\"seed\":\n-1", "base.json:2:1: seed:"},
        {"\"sed\":\n1", "base.json:1:2: sed:"},
    };
    char text[1024];
    for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
        scree_scene *scene = NULL;
        snprintf(text, sizeof text,
                 "{%s,\n\"stages\": [{\"name\": \"a\", \"until\": {\"time\": 1}},\n"
                 "{\"name\": \"b\", \"until\": {\"time\": 1}}, {\"name\": \"c\", \"until\": {\"time\": 1}}]}",
                 tries[i][0]);
        CHECK_FAILS(scree_scene_parse(text, strlen(text), "base.json", &scene), SCREE_ERROR_FORMAT,
                    tries[i][1]);
        assert_null(strstr(scree_error_get_message(), "stages["));
    }
}

/* In the middle of a stage, a changed value is located where the file has it: outside the stages, or in the
 * stage that sets it. */
static void changes_since_a_checkpoint_are_located(void **state) {
    (void)state;
    static const char format[] =
        "{\"time_step\": 0.01, \"backend\": {\"kind\": \"native\", \"threads\": 1}, \"outputs\": {\"every\": "
        "0},\n"
        "\"materials\": {\"glass\": {\"density\": %s}},\n"
        "\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"material\": \"glass\"}%s],\n"
        "\"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.02}},\n"
        "{\"name\": \"b\", \"until\": {\"time\": 0.02}, \"bodies\": {\"add\": [\n"
        "{\"shape\": {\"kind\": \"sphere\", \"radius\": %s}, \"position\": [9, 0, 0]}]}},\n"
        "{\"name\": \"c\", \"until\": {\"time\": 1}}]}\n";
    static const struct {
        const char *density, *more, *radius, *told;
    } tries[] = {
        {"7", "", "0.1", "wide.json:2:36: materials.glass.density:"},
        {"1000.0", "", "0.2", "wide.json:6:40: stages[1].bodies.add[0].shape.radius:"},
    };
    char text[2048];
    snprintf(text, sizeof text, format, "1000.0", "", "0.1");
    write_text("wide.json", text);
    EXPECT_CODE(shell("scree run wide.json --quiet --no-pictures --steps 6 --out wide"), 0);
    for (size_t i = 0; i < sizeof tries / sizeof *tries; ++i) {
        snprintf(text, sizeof text, format, tries[i].density, tries[i].more, tries[i].radius);
        write_text("wide.json", text);
        EXPECT_CODE(shell("scree run wide.json --resume wide/checkpoint.h5 --out wide"), 2);
        ASSERT_HOLDS(standard_error, tries[i].told);
    }
    /* One body added to the scene's list would be the second, and the stage's the third. */
    snprintf(text, sizeof text, format, "1000.0",
             ", {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [9, 0, 0]}", "0.1");
    write_text("wide.json", text);
    EXPECT_CODE(shell("scree run wide.json --resume wide/checkpoint.h5 --out wide"), 2);
    ASSERT_HOLDS(standard_error, "wide.json:6:1: stages[1].bodies.add[0]: ");
    /* A stage's list to which the scene adds. */
    snprintf(text, sizeof text, format, "1000.0", "", "0.1");
    char *at = strstr(text, "\"bodies\"");
    char lines[2048];
    snprintf(lines, sizeof lines,
             "%.*s\"containers\": [\n{\"kind\": \"box\", \"inner_size\": [1, 1, 1]}],\n%s", (int)(at - text),
             text, at);
    write_text("wide.json", lines);
    EXPECT_CODE(shell("scree run wide.json --resume wide/checkpoint.h5 --out wide"), 2);
    ASSERT_HOLDS(standard_error, "wide.json:4:1: containers[0]: ");
}

/* Messages name bodies by their place in the scene: entries, walls, items of generators, also those added by
 * a stage, and after a checkpoint. */
static void bodies_are_named_by_their_places(void **state) {
    (void)state;
    static const char text[] =
        "{\"time_step\": 0.01, \"gravity\": [0, 0, 0], \"outputs\": {\"pictures\": false},\n"
        " \"containers\": [{\"kind\": \"box\", \"inner_size\": [1, 1, 1]}],\n"
        " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0, 0, 0]}],\n"
        " \"outlets\": [{\"zone\": {\"kind\": \"sphere\", \"radius\": 2}, \"outside\": true, \"stops\": "
        "true}],\n"
        " \"stages\": [{\"name\": \"a\", \"until\": {\"time\": 0.05}},\n"
        "  {\"name\": \"b\", \"until\": {\"time\": 2}, \"generators\": {\"add\": [{\"kind\": \"lattice\", "
        "\"cells\": [1, 1, 3], \"spacing\": 0.3, \"position\": [0, 0, 1],\n"
        "   \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"linear_velocity\": [0, 0, "
        "1]}}]}}]}\n";
    write_text("places.json", text);
    EXPECT_CODE(shell("scree run places.json --backend native --out places"), 1);
    ASSERT_HOLDS(standard_error, "containers[0], wall 0 and bodies[0], by 0.1 m");
    ASSERT_HOLDS(standard_error, "generators[0], item 2\n");
    EXPECT_CODE(shell("scree run places.json --backend native --out places --resume places/checkpoint.h5"),
                1);
    ASSERT_HOLDS(standard_error, "generators[0], item 2\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(errors_outside_stages_are_located),
                                       cmocka_unit_test(changes_since_a_checkpoint_are_located),
                                       cmocka_unit_test(bodies_are_named_by_their_places)};
    return cmocka_run_group_tests(tests, folder_set_up_without_devices, folder_tear_down);
}
