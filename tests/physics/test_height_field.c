/* Height fields: surfaces from grids of heights, from arrays, files and scenes. */
#include "base/vector.h"
#include "geometry/children.h"
#include "pour.h"
#include "random.h"
#include "scenery.h"
#include "geometry/geometry.h"

enum { COLUMNS = 21, ROWS = 17 };

/* Makes a field: flat, a plane with these slopes, or hills. */
static scree_geometry *field_of(float slope_x, float slope_y, float hills) {
    float heights[COLUMNS * ROWS];
    scree_geometry *made = NULL;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        const float x = 0.4f * (float)(i % COLUMNS - COLUMNS / 2), y = 0.5f * (float)(i / COLUMNS - ROWS / 2);
        heights[i] = slope_x * x + slope_y * y + hills * sinf(2 * x) * cosf(y);
    }
    CHECK(scree_height_field_create(heights, COLUMNS, ROWS, 0.4f, 0.5f, &made));
    return made;
}

static scree_world *world_on(void **state, scree_geometry *field) {
    scree_world_def def = def_on(state);
    def.material.friction = 0.4f, def.time_step = 0.005;
    scree_world *world = world_of(&def);
    scree_body_def floor = scree_default_body_def();
    floor.type = SCREE_BODY_STATIC,
    floor.shape = field ? scree_shape_mesh(field, 1) : scree_shape_half_space();
    CHECK(scree_body_create(world, &floor, NULL));
    return world;
}

/* Rays from above hit the plane through the corners of the cell's triangle below them. */
static void rays_hit_the_heights(void **state) {
    scree_geometry *field = field_of(0.3f, -0.2f, 0);
    scree_world *world = world_on(state, field);
    uint64_t seed = 5;
    assert_int_equal(scree_mesh_triangle_count(field), 2 * (COLUMNS - 1) * (ROWS - 1));
    for (int i = 0; i < 200; i++) {
        const float x = (float)random_between(&seed, -4, 4), y = (float)random_between(&seed, -4, 4);
        const scree_ray ray = {{x, y, 5}, {0, 0, -1}, 20};
        scree_ray_hit hit;
        CHECK(scree_world_cast_ray(world, &ray, NULL, &hit));
        ASSERT_WITHIN(hit.point.z, 0.3f * x - 0.2f * y, 1e-5);
        ASSERT_WITHIN(hit.normal.x / hit.normal.z, -0.3, 1e-5);
        ASSERT_WITHIN(hit.normal.y / hit.normal.z, 0.2, 1e-5);
    }
    const scree_ray beside = {{4.01f, 0, 5}, {0, 0, -1}, 20};
    scree_ray_hit hit;
    CHECK(scree_world_cast_ray(world, &beside, NULL, &hit));
    assert_true(hit.body.generation == 0);
    scree_geometry_release(field);
    scree_world_destroy(world);
}

/* Bodies that slide over coplanar cells without friction are not deflected by edges: a = g sin α down the
 * slope. */
static void cells_do_not_deflect_sliding(void **state) {
    scree_world_def def = def_on(state);
    def.material.friction = 0, def.time_step = 0.01;
    scree_world *world = world_of(&def);
    scree_geometry *field = field_of(-0.25f, 0, 0);
    scree_body_def floor = scree_default_body_def();
    floor.type = SCREE_BODY_STATIC, floor.shape = scree_shape_mesh(field, 1);
    CHECK(scree_body_create(world, &floor, NULL));
    scree_geometry_release(field);
    const double angle = atan(0.25);
    const scree_vec3 at = {(float)(-3 + 0.3 * sin(angle)), 0.07f, (float)(0.75 + 0.3 * cos(angle))};
    const scree_body_id ball = add_body(world, scree_shape_sphere(0.3f), at, (scree_vec3){0, 0, 0});
    run_for(world, 1.5);
    const scree_body_state end = state_of(world, ball);
    const double speed = 9.81 * sin(angle) * 1.5;
    ASSERT_NEAR(length_of(end.linear_velocity), speed, 2e-3);
    ASSERT_WITHIN(end.linear_velocity.z / end.linear_velocity.x, -0.25, 1e-4);
    ASSERT_WITHIN(end.linear_velocity.y, 0, 1e-4);
    scree_world_destroy(world);
}

static pour pour_on_field(void **state, scree_geometry *field) {
    scree_world *world = world_on(state, field);
    scree_geometry_release(field);
    return pour_on(world, 0.005);
}

static void pour_matches_a_half_space(void **state) {
    skip_if_short();
    assert_same_pour(pour_on_field(state, field_of(0, 0, 0)), pour_on_field(state, NULL));
}

/* Grains come to rest in hollows; a checkpoint continues bit for bit. */
static void grains_rest_in_hollows_and_resume(void **state) {
    const char *path = "test_height_field.checkpoint";
    scree_geometry *field = field_of(0, 0, 0.3f);
    scree_world_def def = def_on(state);
    scree_world *world = world_on(state, field), *other = NULL;
    scree_geometry_release(field);
    uint64_t seed = 9;
    scree_body_id ids[30];
    for (int i = 0; i < 30; i++) {
        const float x = (float)random_between(&seed, -2, 2), y = (float)random_between(&seed, -2, 2);
        const scree_shape shape = i % 3 ? scree_shape_sphere(0.1f) : scree_shape_box(0.12f, 0.1f, 0.08f);
        ids[i] = add_body(world, shape, (scree_vec3){x, y, 0.5f + 0.25f * (float)i}, (scree_vec3){0, 0, 0});
    }
    run_for(world, 1);
    CHECK(scree_checkpoint_save(world, path));
    CHECK(scree_checkpoint_load(path, &def, &other));
    remove(path);
    run_for(world, 0.3), run_for(other, 0.3);
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    for (int i = 0; i < 30; i++) {
        const scree_vec3 at = state_of(world, ids[i]).position;
        const float ground = 0.3f * sinf(2 * at.x) * cosf(at.y);
        if (fabsf(at.x) < 3.9f && fabsf(at.y) < 3.9f) ASSERT_AT_LEAST(at.z, ground - 0.05f);
    }
    scree_world_destroy(world);
    scree_world_destroy(other);
}

static void write_file(const char *name, const char *text) {
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void files_are_read_or_rejected(void **state) {
    (void)state;
    static const struct {
        const char *text, *words;
    } faults[] = {
        {"1 2\n3 x\n", ":2:"}, {"1,2\n\n3\n", ":3:"},   {"# nothing\n", ""},
        {"1 2 3\n", ""},       {"1 nan\n2 3\n", ":1:"},
    };
    const char *name = "test_height_field.txt";
    scree_geometry *made = NULL;
    write_file(name, "# two rows\n0, 0.5, 1\t# and a remark\n\n 2,3,4");
    CHECK(scree_height_field_load(name, 1, 2, &made));
    assert_int_equal(scree_mesh_triangle_count(made), 4);
    ASSERT_WITHIN(made->half.x, 1, 1e-6);
    ASSERT_WITHIN(made->half.y, 1, 1e-6);
    ASSERT_WITHIN(made->half.z, 2, 1e-6);
    ASSERT_WITHIN(made->middle.z, 2, 1e-6);
    scree_geometry_release(made);
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        write_file(name, faults[i].text);
        CHECK_FAILS(scree_height_field_load(name, 1, 1, &made), SCREE_ERROR_FORMAT, faults[i].words);
    }
    remove(name);
    CHECK_FAILS(scree_height_field_load(name, 1, 1, &made), SCREE_ERROR_FILE, name);
    const float heights[4] = {0, 0, NAN, 0};
    CHECK_FAILS(scree_height_field_create(heights, 2, 2, 1, 1, &made), SCREE_ERROR_ARGUMENT,
                "height 0 of row 1");
    CHECK_FAILS(scree_height_field_create(heights, 2, 2, 0, 1, &made), SCREE_ERROR_ARGUMENT, "spacing");
    CHECK_FAILS(scree_height_field_create(heights, 1, 4, 1, 1, &made), SCREE_ERROR_ARGUMENT, "columns");
}

static void scene_defines_heights(void **state) {
    (void)state;
    static const char text[] =
        "{\"bodies\": [{\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"heights\": [[0, 0, 1], [0, "
        "0, 0]], "
        "\"spacing\": [1, 2]}}, {\"type\": \"static\", \"shape\": {\"kind\": \"mesh\", \"heights\": "
        "\"test_heights.txt\", \"spacing\": [1, 2], \"scale\": 2}}]}";
    scree_scene *scene = NULL;
    scree_world_def def = scree_default_world_def();
    scree_body_id ids[2];
    scree_body_def body;
    def.backend = SCREE_BACKEND_NATIVE;
    write_file("test_heights.txt", "0 0\n0 0\n0 0\n");
    CHECK(scree_scene_parse(text, sizeof text - 1, "test", &scene));
    remove("test_heights.txt");
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    scree_body_list(world, ids, 2);
    for (int i = 0; i < 2; i++) {
        CHECK(scree_body_get_def(world, ids[i], &body));
        assert_int_equal(scree_mesh_triangle_count(body.shape.geometry), 4);
    }
    ASSERT_NEAR(scree_shape_get_radius(body.shape), 2 * sqrt(0.25 + 4), 1e-6);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_are_read_or_rejected),
        cmocka_unit_test(scene_defines_heights),
        ON("native", rays_hit_the_heights),
        ON("native", cells_do_not_deflect_sliding),
        ON("opencl", cells_do_not_deflect_sliding),
        ON("native", pour_matches_a_half_space),
        ON("native", grains_rest_in_hollows_and_resume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
