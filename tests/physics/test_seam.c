/* Meshes as long as the period continue across the periodic boundary as one surface. */
#include "measurement_scenery.h"

#include <unistd.h>

enum { CELLS = 4 };

static scree_world_def periodic_on(void **state, float x, float y) {
    scree_world_def def = def_on(state);
    def.period = (scree_vec3){x, y, 0};
    return def;
}

/* Makes a surface over [0, 2] × [0, 2] of two triangles per cell. `wave`: height of the inner corners;
 * heights at opposite ends agree. */
static scree_shape surface_of(int cells, double wave, float scale) {
    scree_vec3 corners[(CELLS + 1) * (CELLS + 1)];
    scree_triangle halves[2 * CELLS * CELLS];
    scree_geometry *made = NULL;
    const int row = cells + 1;
    for (int i = 0; i < row * row; i++) {
        const double x = 2.0 * (i % row) / cells, y = 2.0 * (i / row) / cells;
        const double z = wave * (cos(M_PI * x) + cos(M_PI * y) - 2);
        corners[i] = (scree_vec3){(float)x / scale, (float)y / scale, (float)z / scale};
    }
    for (int i = 0; i < cells * cells; i++) {
        const int at = i % cells + i / cells * row;
        halves[2 * i] = (scree_triangle){{at, at + 1, at + row + 1}};
        halves[2 * i + 1] = (scree_triangle){{at, at + row + 1, at + row}};
    }
    CHECK(scree_mesh_create(corners, row * row, halves, 2 * cells * cells, &made));
    return scree_shape_mesh(made, scale);
}

static scree_body_id add_floor(scree_world *world, scree_shape shape, scree_vec3 at, scree_quat rotation) {
    scree_body_def floor = scree_default_body_def();
    scree_body_id id;
    floor.type = SCREE_BODY_STATIC;
    floor.shape = shape, floor.state.position = at, floor.state.rotation = rotation;
    CHECK(scree_body_create(world, &floor, &id));
    scree_geometry_release(shape.geometry);
    return id;
}

static const scree_quat level = {0, 0, 0, 1};

/* Returns the distance travelled by a body, including periods. */
static double way_of(const scree_world *world, scree_body_id id, int axis) {
    int periods[3];
    const scree_vec3 at = state_of(world, id).position, length = scree_world_get_def(world).period;
    CHECK(scree_body_get_periods(world, id, periods));
    return axis == 0 ? (double)at.x + periods[0] * (double)length.x
                     : (double)at.y + periods[1] * (double)length.y;
}

/* Asserts that sliding and turning on a floor of triangles equals that on a half-space: across boundaries
 * along x, y and both, the body has at most four points and keeps its height. */
static void slide_on_both(void **state, scree_shape shape, double height, int cells, float scale,
                          scree_vec3 floor_at, scree_quat rotation) {
    double way[2][2], speed[2];
    for (int triangles = 0; triangles < 2; triangles++) {
        scree_world_def def = periodic_on(state, 2, 2);
        def.material.friction = 0.1f, def.time_step = 1.0 / 240;
        scree_world *world = world_of(&def);
        if (triangles)
            add_floor(world, surface_of(cells, 0, scale), floor_at, rotation);
        else
            add_slope(world, 0);
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.shape = shape;
        body.state.position = (scree_vec3){0.3f, 0.45f, (float)height};
        body.state.linear_velocity = (scree_vec3){3, 2, 0};
        CHECK(scree_body_create(world, &body, &id));
        for (int step = 0; step < 480; step++) {
            CHECK(scree_world_step(world, NULL));
            assert_float_equal(state_of(world, id).position.z, height, 2e-4);
            ASSERT_AT_MOST(fabs((double)state_of(world, id).linear_velocity.z), 2e-3);
            ASSERT_AT_MOST(scree_contact_count(world), shape.kind == SCREE_SHAPE_SPHERE ? 1 : 4);
        }
        for (int axis = 0; axis < 2; axis++) way[triangles][axis] = way_of(world, id, axis);
        speed[triangles] = length_of(state_of(world, id).linear_velocity);
        scree_world_destroy(world);
    }
    ASSERT_AT_LEAST(way[0][0], 4);
    for (int axis = 0; axis < 2; axis++) assert_float_equal(way[1][axis], way[0][axis], 5e-3);
    assert_float_equal(speed[1], speed[0], 5e-3);
}

static void sliding_is_smooth_across_the_boundary(void **state) {
    const scree_quat quarter = {0, 0, sqrtf(0.5f), sqrtf(0.5f)}, upside = {1, 0, 0, 0};
    const scree_shape box = scree_shape_box(0.3f, 0.2f, 0.2f), ball = scree_shape_sphere(0.25f);
    const scree_vec3 here = {0, 0, 0}, aside = {0.77f, -0.31f, 0};
    (void)def_on(state);
    slide_on_both(state, box, 0.2, 1, 1, here, level);
    slide_on_both(state, box, 0.2, CELLS, 0.01f, aside, level);
    slide_on_both(state, box, 0.2, 3, 1, aside, quarter);
    slide_on_both(state, box, 0.2, 3, 1, here, upside);
    slide_on_both(state, ball, 0.25, 1, 1, here, level);
    slide_on_both(state, ball, 0.25, CELLS, 1, aside, quarter);
}

/* On a wavy floor the position of the boundary does not matter: a ball and a box take the same path. */
static void waves_continue_across_the_boundary(void **state) {
    double end[2][2][2];
    bool crossed[2] = {false, false};
    for (int run = 0; run < 2; run++) {
        const float shift = run ? 0.93f : 0;
        scree_world_def def = periodic_on(state, 2, 2);
        def.time_step = 1.0 / 480, def.material.friction = 0.3f;
        scree_world *world = world_of(&def);
        add_floor(world, surface_of(CELLS, 0.05, 1), (scree_vec3){shift, shift, 0}, level);
        const scree_body_id ids[2] = {
            add_body(world, scree_shape_sphere(0.15f), (scree_vec3){0.3f + shift, 0.2f + shift, 0.1f},
                     (scree_vec3){2, 1.5f, 0}),
            add_body(world, scree_shape_box(0.2f, 0.15f, 0.05f), (scree_vec3){1.3f + shift, 1.2f + shift, 0},
                     (scree_vec3){1.5f, -1.8f, 0})};
        run_for(world, 0.6);
        for (int i = 0; i < 2; i++) {
            int periods[3];
            CHECK(scree_body_get_periods(world, ids[i], periods));
            crossed[i] |= periods[0] || periods[1];
            for (int axis = 0; axis < 2; axis++)
                end[run][i][axis] = way_of(world, ids[i], axis) - (double)shift;
        }
        scree_world_destroy(world);
    }
    for (int i = 0; i < 2; i++) {
        assert_true(crossed[i]);
        for (int axis = 0; axis < 2; axis++) assert_float_equal(end[1][i][axis], end[0][i][axis], 2e-3);
    }
}

/* A run with a box across the corner of the cell on a moving floor continues from its checkpoint with the
 * bits of an uninterrupted one. */
static void checkpoints_work_across_the_boundary(void **state) {
    char path[64];
    scree_world_def def = periodic_on(state, 2, 2);
    scree_world *world = world_of(&def), *again = NULL;
    scree_body_def floor = scree_default_body_def();
    floor.type = SCREE_BODY_KINEMATIC;
    floor.shape = surface_of(3, 0, 1), floor.state.linear_velocity = (scree_vec3){0.5f, 0, 0};
    CHECK(scree_body_create(world, &floor, NULL));
    scree_geometry_release(floor.shape.geometry);
    const scree_body_id box =
        add_body(world, scree_shape_box(0.3f, 0.3f, 0.2f), (scree_vec3){1, 1, 0.2f}, (scree_vec3){0, 0, 0});
    run_for(world, 0.5);
    snprintf(path, sizeof path, "/tmp/scree-seam-%d", (int)getpid());
    CHECK(scree_checkpoint_save(world, path));
    def.threads = 3;
    CHECK(scree_checkpoint_load(path, &def, &again));
    remove(path);
    assert_true(scree_contact_count(world) == 4 && scree_contact_count(again) == 4);
    run_for(world, 4), run_for(again, 4);
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(again));
    assert_float_equal(state_of(world, box).linear_velocity.x, 0.5, 1e-3);
    assert_float_equal(state_of(world, box).position.z, 0.2, 1e-3);
    scree_world_destroy(world), scree_world_destroy(again);
}

/* A platen that cannot rotate may be as long as the period: it presses every ball once, on either side of the
 * boundary, with the given force, and a plate that drags the balls by friction moves it only along unlocked
 * axes. One that can rotate is rejected. */
static void a_platen_may_span_the_period(void **state) {
    const float force = 300;
    scree_world_def def = periodic_on(state, 2, 2);
    def.time_step = 0.002, def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    scree_body_def plate = scree_default_body_def();
    scree_body_id floor, top;
    plate.shape = scree_shape_box(1, 1, 0.1f);
    plate.state.position = (scree_vec3){0.3f, 0, 0.5f};
    plate.force = (scree_vec3){0, 0, -force};
    plate.mass = 100;
    assert_int_equal(scree_body_create(world, &plate, NULL), SCREE_ERROR_ARGUMENT);
    plate.locks = 63 & ~SCREE_LOCK_Z;
    CHECK(scree_body_create(world, &plate, &top));
    plate = scree_default_body_def();
    plate.type = SCREE_BODY_KINEMATIC, plate.shape = scree_shape_box(1, 1, 0.1f);
    plate.state.position.z = -0.1f, plate.state.linear_velocity.x = 0.2f;
    CHECK(scree_body_create(world, &plate, &floor));
    for (int i = 0; i < 25; i++) /* on all sides of the boundary */
        add_body(world, scree_shape_sphere(0.2f),
                 (scree_vec3){0.4f * (float)(i % 5), 0.4f * (float)(i / 5), 0.2f}, (scree_vec3){0, 0, 0});
    scree_measurement_def stress = measurement_def_of(SCREE_MEASUREMENT_STRESS, "stress");
    stress.everywhere = false;
    stress.zone = zone_of(SCREE_ZONE_BOX, (scree_vec3){1, 1, 0.3f}, (scree_vec3){0, 0, 0.3f});
    const scree_measurement_id measurement = measurement_made(world, stress);
    scree_statistics s;
    for (int i = 0; i < (on_reference(state) ? 10 : 800); i++) {
        CHECK(scree_world_step(world, &s));
        ASSERT_AT_MOST(scree_contact_count(world), 25 * 2 + 25 * 2);
    }
    assert_float_equal(state_of(world, top).position.z, 0.5, 1e-3);
    assert_true(state_of(world, top).position.x == 0.3f);
    double pressed = 0;
    int touching = 0;
    scree_contact contacts[200];
    const int count = scree_contact_list(world, contacts, 200);
    for (int i = 0; i < count; i++)
        if (contacts[i].a.index == top.index || contacts[i].b.index == top.index)
            pressed += fabs((double)contacts[i].impulse.z), touching++;
    assert_int_equal(touching, 25);
    /* Branches of 0.4 m from plate to plate in 2.4 m³; the platen's centre is no end of a branch. */
    assert_float_equal(sample_of(world, measurement, "stress_zz_Pa"), (double)force * 0.4 / 2.4,
                       0.01 * (double)force * 0.4 / 2.4);
    for (int axis = 0; axis < 2 && !on_reference(state); axis++) /* at their rest positions */
        ASSERT_AT_MOST(fabs(sample_of(world, measurement, axis ? "stress_zy_Pa" : "stress_zx_Pa")),
                       0.04 * (double)force * 0.4 / 2.4);
    assert_float_equal(pressed / def.time_step, force, 0.01 * (double)force);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", sliding_is_smooth_across_the_boundary),
        ON("native", waves_continue_across_the_boundary),
        ON("opencl", waves_continue_across_the_boundary),
        ON_EACH_BACKEND(a_platen_may_span_the_period),
        ON("native", checkpoints_work_across_the_boundary),
        ON("opencl", checkpoints_work_across_the_boundary),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
