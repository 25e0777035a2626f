/* Tables of grains: parsing, errors with their place, building worlds, and writing tables that read back
 * unchanged. */
#include "command.h"
#include "random.h"

#include <scree/tools/grains.h>

static scree_grains parsed(const char *text) {
    scree_grains out = {0};
    CHECK(scree_grains_parse(text, strlen(text), "g.csv", &out));
    return out;
}

static void units_orders_and_quotes_are_read(void **state) {
    (void)state;
    scree_grains a =
        parsed("\xef\xbb\xbf\n\"id\", diameter_mm ,z_cm,y_m,x_um,density_g_per_cm3,velocity_y_mm_per_s\r\n"
               "7,\"3\",2,-1,5e5,2.5,500\r\n\r\n 9 ,4,+2.5,0,0,7.85,0");
    assert_int_equal(a.count, 2);
    assert_int_equal(a.items[0].id, 7);
    assert_int_equal(a.items[1].id, 9);
    ASSERT_WITHIN(a.items[0].radius, 0.0015, 1e-10);
    ASSERT_WITHIN(a.items[0].position.x, 0.5, 1e-7);
    ASSERT_WITHIN(a.items[0].position.y, -1, 0);
    ASSERT_WITHIN(a.items[0].position.z, 0.02, 1e-9);
    ASSERT_WITHIN(a.items[0].density, 2500, 1e-9);
    ASSERT_WITHIN(a.items[0].velocity.y, 0.5, 1e-7);
    ASSERT_WITHIN(a.items[1].density, 7850, 1e-9);
    scree_grains_release(&a);
    /* Without an id column they are numbered from 1; without densities the material's applies. */
    scree_grains b = parsed("x_m,y_m,z_m,radius_m\n0,0,0,1\n3,0,0,1\n");
    assert_int_equal(b.items[1].id, 2);
    ASSERT_WITHIN(b.items[1].density, 0, 0);
    scree_grains_release(&b);
}

#define HEAD "x_m,y_m,z_m,radius_m,density_kg_per_m3,id\n"

static void errors_name_their_place(void **state) {
    static const char *const tries[][2] = {
        {"", "g.csv:"},
        {"x_m,y_m,z_m,radius\n", "g.csv:1:radius:"},
        {"x_m,y_m,z_m,radius_inch\n", "g.csv:1:radius_inch:"},
        {"x_m,y_m,z_m,colour\n", "g.csv:1:colour:"},
        {"x_m,y_m,z_m,x_mm,radius_m\n", "g.csv:1:x_mm:"},
        {"x_m,y_m,radius_m\n", "g.csv:1:z_m:"},
        {"x_m,y_m,z_m\n", "g.csv:1:radius_m:"},
        {"x_m,y_m,z_m,radius_m,diameter_m\n", "g.csv:1:radius_m:"},
        {HEAD "0,0,0,1,2,1\n0,0,0,-1,2,2\n", "g.csv:3:radius_m:"},
        {HEAD "0,0,0,nan,2,1\n", "g.csv:2:radius_m:"},
        {HEAD "0,0,0,0x1p0,2,1\n", "g.csv:2:radius_m:"},
        {HEAD "0,0,1e300,1,2,1\n", "g.csv:2:z_m:"},
        {HEAD "0,,0,1,2,1\n", "g.csv:2:y_m:"},
        {HEAD "0,0,0,1,0,1\n", "g.csv:2:density_kg_per_m3:"},
        {HEAD "0,0,0,1,2,-1\n", "g.csv:2:id:"},
        {HEAD "0,0,0,1,2,18446744073709551616\n", "g.csv:2:id:"},
        {HEAD "0,0,0,1,2,5\n\n1,0,0,1,2,6\n2,0,0,1,2,5\n", "g.csv:5:id:"},
        {HEAD "0,0,0,1,2\n", "g.csv:2:density_kg_per_m3:"},
        {HEAD "0,0,0,1,2,1,9\n", "g.csv:2:id:"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        scree_grains out = {0};
        CHECK_FAILS(scree_grains_parse(tries[i][0], strlen(tries[i][0]), "g.csv", &out), SCREE_ERROR_FORMAT,
                    tries[i][1]);
        assert_null(out.items);
    }
}

/* A scene of moved grains of two densities is written, read by a scene, and written again. */
static void written_tables_read_back(void **state) {
    (void)state;
    EXPECT_CODE(shell("mkdir -p in && cat >in/first.csv <<'END'\n"
                      "x_m,y_m,z_m,diameter_mm,density_g_per_cm3,id,velocity_x_m_per_s\n"
                      "0,0,0.1,10.1,2.5,101,0.1\n0.003,0,0.12,12.34567,7.85,55,0\n-0.3,0.1,0.5,9.9,0.3,"
                      "18446744073709551615,0.7\n"
                      "END\n"
                      "cat >in/pour.json <<'END'\n"
                      "{\"backend\": {\"kind\": \"native\", \"threads\": 1}, \"outputs\": {\"every\": 0}, "
                      "\"run\": {\"steps\": 40},\n"
                      " \"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"half-space\"}}],\n"
                      " \"generators\": [{\"kind\": \"grains\", \"file\": \"first.csv\", \"body\": "
                      "{\"shape\": {\"kind\": \"sphere\"}}}]}\n"
                      "END\n"
                      "scree run in/pour.json --quiet --out pour && scree grains pour/checkpoint.h5 --out "
                      "in/second.csv"),
                0);
    ASSERT_HOLDS(standard_output, "in/second.csv: 3 grains");
    EXPECT_CODE(shell("sed 's/first.csv/second.csv/; s/40/1/; s/half-space\"/sphere\", \"radius\": 1/; "
                      "s/}}],/}, \"position\": [9, 0, 0]}],/' in/pour.json >in/again.json && "
                      "scree run in/again.json --quiet --time 1e-9 --dt 1e-9 --out again && "
                      "scree grains again/checkpoint.h5 --out third.csv && cut -d, -f4-6,8 in/second.csv >a "
                      "&& cut -d, -f4-6,8 third.csv >b && cmp a b && cat b"),
                0);
    ASSERT_HOLDS(standard_output, "radius_m,density_kg_per_m3,id,velocity_y_m_per_s\n");
    ASSERT_HOLDS(standard_output, ",18446744073709551615,");
    /* Compares the table to the byte, and the world made from it. */
    scree_grains second = {0}, made = {0};
    CHECK(scree_grains_load("in/second.csv", &second));
    CHECK(scree_grains_save(&second, "fourth.csv"));
    EXPECT_CODE(shell("cmp in/second.csv fourth.csv"), 0);
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    CHECK(scree_scene_load("in/again.json", &scene));
    const scree_world_def def = scree_scene_get_world_def(scene);
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, 0));
    int others;
    CHECK(scree_grains_from_world(world, &made, &others));
    assert_int_equal(made.count, second.count);
    assert_int_equal(others, 0);
    for (int i = 0; i < made.count; i++) {
        const scree_grain *a = &made.items[i], *b = &second.items[i];
        assert_memory_equal(&a->position, &b->position, sizeof a->position);
        assert_memory_equal(&a->velocity, &b->velocity, sizeof a->velocity);
        assert_memory_equal(&a->angular_velocity, &b->angular_velocity, sizeof a->velocity);
        assert_true(a->radius == b->radius && a->density == b->density && a->id == b->id);
    }
    scree_grains_release(&made), scree_grains_release(&second);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    /* A run resumes from any folder: the table's path is relative to the scene's folder, not to the current
     * one. */
    EXPECT_CODE(shell("scree run in/pour.json --quiet --resume pour/checkpoint.h5 --steps 41 --out pour"), 0);
}

static void scene_errors_name_the_table_place(void **state) {
    static const char *const tries[][2] = {
        {"\"file\": 7", "t.json:2:10: generators[0].file:"},
        {"\"file\": \"none.csv\"", "t.json:2:10: generators[0].file:"},
        {"\"file\": \"bad.csv\"", "t.json:2:10: generators[0].file:"},
        {"\"file\": \"empty.csv\"", "t.json:2:10: generators[0].file:"},
        {"\"file\": \"good.csv\", \"size\": 1", "generators[0].size"},
    };
    (void)state;
    write_text("bad.csv", "x_m,y_m,z_m,radius_m\n0,0,0,-1\n");
    write_text("good.csv", "x_m,y_m,z_m,radius_m\n0,0,0,1\n");
    write_text("empty.csv", "x_m,y_m,z_m,radius_m\n");
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char text[512];
        scree_scene *scene = NULL;
        snprintf(
            text, sizeof text,
            "{\"generators\": [{\"kind\": \"grains\", \"body\": {\"shape\": {\"kind\": \"sphere\"}},\n %s}]}",
            tries[i][0]);
        CHECK_FAILS(scree_scene_parse(text, strlen(text), "t.json", &scene), SCREE_ERROR_FORMAT, tries[i][1]);
    }
    EXPECT_CODE(shell("scree grains none.h5"), 2);
    EXPECT_CODE(shell("scree grains good.csv"), 2);
}

/* Arbitrary bytes are rejected with a place, or are a table that can be written and read again. */
static void arbitrary_bytes_are_accepted_or_rejected(void **state) {
    static const char *const pieces[] = {HEAD,
                                         "x_mm",
                                         "diameter_m",
                                         ",",
                                         "\n",
                                         "\r\n",
                                         "\"",
                                         "1e308",
                                         "-",
                                         "0",
                                         "18446744073709551616",
                                         "id",
                                         "velocity_x_m_per_s",
                                         "",
                                         " ",
                                         "1e-7",
                                         "0.5,0.5,0.5,0.01,2500,3\n",
                                         "\xff",
                                         "angular_velocity_z_rad_per_s"};
    enum { PIECES = sizeof pieces / sizeof *pieces, TRIES = 20000 };
    uint64_t seed = 7;
    int taken = 0;
    (void)state;
    for (int i = 0; i < TRIES; i++) {
        char text[512] = HEAD "0,0,0,1,2,1\n1,2,3,0.5,2500,2\n";
        size_t length = strlen(text);
        for (int edits = 1 + random_below(&seed, 3); edits > 0 && length < 300; edits--) {
            const char *piece = pieces[random_below(&seed, PIECES)];
            const size_t at = (size_t)random_below(&seed, (int)length + 1), more = strlen(piece);
            const size_t gone = (size_t)random_below(&seed, 4),
                         rest = length - at < gone ? length - at : gone;
            memmove(text + at + more, text + at + rest, length - at - rest);
            memcpy(text + at, piece, more);
            length += more - rest;
            if (random_below(&seed, 4) == 0 && length > 0)
                text[random_below(&seed, (int)length)] = (char)random_below(&seed, 256);
        }
        scree_grains out = {0};
        const scree_result result = scree_grains_parse(text, length, "fuzz", &out);
        int line;
        if (result != SCREE_OK) {
            assert_int_equal(result, SCREE_ERROR_FORMAT);
            assert_int_equal(sscanf(scree_error_get_message(), "fuzz:%d:", &line), 1);
            assert_true(line > 0 && !out.items);
            continue;
        }
        taken++;
        for (int k = 0; k < out.count; k++) assert_true(out.items[k].radius > 0 && out.items[k].density >= 0);
        scree_grains_release(&out);
    }
    assert_true(taken > 100); /* so that both outcomes are tested */
}

static int set_up(void **state) {
    if (folder_set_up_without_devices(state) || chdir(folder)) return -1; /* names are relative to it */
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_orders_and_quotes_are_read),
        cmocka_unit_test(errors_name_their_place),
        cmocka_unit_test(written_tables_read_back),
        cmocka_unit_test(scene_errors_name_the_table_place),
        cmocka_unit_test(arbitrary_bytes_are_accepted_or_rejected),
    };
    return cmocka_run_group_tests(tests, set_up, folder_tear_down);
}
