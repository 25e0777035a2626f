/* Infeasible contacts: a sphere between the ground and a descending plate is reported infeasible by name,
 * without a small residual; a stack that is merely hard to solve is not. */
#include "scenery.h"

#include <unistd.h>

static scree_body_id add_plate(scree_world *world, float height, float speed) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_KINEMATIC;
    def.shape = scree_shape_box(1, 1, 0.1f);
    def.state.position.z = height + 0.1f;
    def.state.linear_velocity.z = -speed;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static void a_crushed_sphere_is_named(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_statistics s;
    add_slope(world, 0);
    const scree_body_id ball =
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.1f}, (scree_vec3){0, 0, 0});
    add_plate(world, 0.25f, 0.5f); /* touches after 0.1 s */
    int named = 0, steps = 0;
    for (int i = 0; i < 40; i++) {
        CHECK(scree_world_step(world, &s));
        if (s.time < 0.09) {
            assert_int_not_equal(s.solve.stop, SCREE_STOP_INFEASIBLE);
            assert_int_equal(s.infeasible_a.index, 0);
        }
        if (s.time < 0.2) continue;
        steps++;
        named += s.solve.stop == SCREE_STOP_INFEASIBLE &&
                 (s.infeasible_a.index == ball.index || s.infeasible_b.index == ball.index);
        ASSERT_AT_LEAST(s.solve.residual, 1e-4);
        ASSERT_AT_LEAST(s.solve.violation, 0.2);
    }
    print_message("named at %d of %d steps, residual %.1e, overlap %.3f m\n", named, steps, s.solve.residual,
                  s.penetration_max);
    assert_int_equal(named, steps);
    scree_world_destroy(world);
}

/* A thousand times its weight on ten cubes, with three iterations per step. */
static void a_hard_stack_is_not_reported(void **state) {
    scree_world_def def = def_on(state);
    def.solver.iterations = 3;
    scree_world *world = world_of(&def);
    scree_statistics s;
    double largest = 0;
    add_slope(world, 0);
    for (int i = 0; i < 10; i++)
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.1f + 0.2f * (float)i},
                 (scree_vec3){0, 0, 0});
    scree_body_def heavy = scree_default_body_def();
    scree_body_id id;
    heavy.shape = scree_shape_box(0.1f, 0.1f, 0.1f), heavy.mass = 8000, heavy.state.position.z = 2.1f;
    CHECK(scree_body_create(world, &heavy, &id));
    for (int i = 0; i < 40; i++) {
        CHECK(scree_world_step(world, &s));
        assert_int_not_equal(s.solve.stop, SCREE_STOP_INFEASIBLE);
        largest = fmax(largest, s.solve.violation);
    }
    print_message("violation up to %.2f\n", largest);
    ASSERT_AT_LEAST(largest, 0.05); /* large enough that infeasibility was checked */
    scree_world_destroy(world);
}

/* a ball on the ground under a descending plate */
typedef struct press {
    scree_body_id ball, plate;
} press;

static press add_press(scree_world *world, float speed) {
    press out;
    out.ball = add_body(world, scree_shape_sphere(0.5f), (scree_vec3){0, 0, 0.5f}, (scree_vec3){0, 0, 0});
    out.plate = add_plate(world, 1.001f, speed);
    return out;
}

static bool names(const scree_statistics *s, press pressed) {
    return s->solve.stop == SCREE_STOP_INFEASIBLE &&
           (s->infeasible_a.index == pressed.ball.index || s->infeasible_b.index == pressed.ball.index);
}

/* After a resume, the report of a crush is that of the uninterrupted run. */
static void a_resumed_run_reports_the_same(void **state) {
    char path[] = "/tmp/scree-test-XXXXXX";
    const int file = mkstemp(path);
    assert_true(file >= 0);
    close(file);
    for (int stop = 50; stop <= 90; stop += on_reference(state) ? 40 : 20) {
        scree_world_def def = def_on(state);
        scree_world *world = world_of(&def), *resumed;
        scree_statistics s, t;
        int named = 0;
        add_slope(world, 0);
        const press pressed = add_press(world, 0.1f);
        for (int i = 0; i < stop; i++) CHECK(scree_world_step(world, &s));
        CHECK(scree_checkpoint_save(world, path));
        CHECK(scree_checkpoint_load(path, &def, &resumed));
        for (int i = 0; i < 80; i++) {
            CHECK(scree_world_step(world, &s));
            CHECK(scree_world_step(resumed, &t));
            assert_int_equal(s.solve.stop, t.solve.stop);
            assert_int_equal(s.infeasible_a.index, t.infeasible_a.index);
            assert_int_equal(s.infeasible_b.index, t.infeasible_b.index);
            named += names(&s, pressed);
        }
        ASSERT_AT_LEAST(named, 10);
        scree_world_destroy(world);
        scree_world_destroy(resumed);
    }
    remove(path);
}

/* A separate heap in a box slowly comes to rest and does not hide the crush. */
static void a_heap_does_not_hide_a_crush(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_statistics s;
    add_slope(world, 0);
    for (int side = 0; side < 4; side++) {
        scree_body_def wall = scree_default_body_def();
        scree_body_id id;
        const float x = side == 0 ? 1 : side == 1 ? -1 : 0, y = side == 2 ? 1 : side == 3 ? -1 : 0;
        wall.type = SCREE_BODY_STATIC;
        wall.shape = scree_shape_box(x != 0 ? 0.1f : 0.9f, y != 0 ? 0.1f : 0.9f, 5);
        wall.state.position = (scree_vec3){20 + 0.72f * x, 0.72f * y, 5};
        CHECK(scree_body_create(world, &wall, &id));
    }
    for (int i = 0; i < 256; i++)
        add_body(world, scree_shape_sphere(0.1f),
                 (scree_vec3){19.5f + 0.205f * (float)(i % 6), -0.5f + 0.205f * (float)(i / 6 % 6),
                              0.1f + 0.205f * (float)(i / 36) + 0.001f * (float)(i * i % 7)},
                 (scree_vec3){0.01f * (float)(i % 5), 0.01f * (float)(i % 3), 0});
    for (int i = 0; i < 150; i++) {
        CHECK(scree_world_step(world, &s));
        assert_int_not_equal(s.solve.stop, SCREE_STOP_INFEASIBLE);
    }
    const double before = s.solve.violation;
    const press pressed = add_press(world, 0.3f);
    int named = 0;
    for (int i = 0; i < 140; i++) {
        CHECK(scree_world_step(world, &s));
        named += names(&s, pressed);
    }
    print_message("named at %d of 140 steps, violation before %.1e\n", named, before);
    ASSERT_AT_LEAST(named, 100);
    scree_world_destroy(world);
}

/* A separate blocked box on a belt does not hide the crush, which closes a hundred times slower than the belt:
 * the speed of a sliding contact is no part of what violations are relative to. */
static void a_fast_contact_does_not_hide_a_crush(void **state) {
    scree_world_def def = def_on(state);
    def.solver.tolerance = 1e-4f;
    scree_world *world = world_of(&def);
    scree_statistics s;
    add_slope(world, 0);
    const press pressed = add_press(world, 0.1f);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.type = SCREE_BODY_KINEMATIC;
    body.shape = scree_shape_box(1000, 1, 0.5f);
    body.state.position = (scree_vec3){0, 10, 0.6f};
    body.state.linear_velocity.x = 10;
    CHECK(scree_body_create(world, &body, &id));
    body = scree_default_body_def();
    body.shape = scree_shape_box(0.5f, 0.5f, 0.5f);
    body.state.position = (scree_vec3){0, 10, 1.6f};
    body.locks = SCREE_LOCK_X;
    CHECK(scree_body_create(world, &body, &id));
    int named = 0;
    for (int i = 0; i < 150; i++) {
        CHECK(scree_world_step(world, &s));
        if (i > 10) ASSERT_AT_LEAST(s.solve.violation, 0.2);
        named += names(&s, pressed);
    }
    print_message("named at %d of 150 steps, violation %.1e\n", named, s.solve.violation);
    ASSERT_AT_LEAST(named, 80);
    scree_world_destroy(world);
}

/* A destroyed or stopped body is no longer named, though a tower elsewhere stays far from solved; another
 * body in the same slot does not inherit the report. */
static void a_verdict_ends_with_its_cause(void **state) {
    for (int stops = 0; stops < 2; stops++) {
        scree_world_def def = def_on(state);
        def.solver.iterations = 4;
        def.solver.warm_start = false;
        scree_world *world = world_of(&def);
        scree_statistics s;
        int named = 0;
        add_slope(world, 0);
        const press pressed = add_press(world, 0.5f);
        for (int i = 0; i < 60; i++) {
            CHECK(scree_world_step(world, &s));
            named += names(&s, pressed);
        }
        ASSERT_AT_LEAST(named, 50);
        for (int i = 0; i < 6; i++) {
            scree_body_def body = scree_default_body_def();
            scree_body_id id;
            body.shape = scree_shape_box(0.5f, 0.5f, 0.5f);
            body.state.position = (scree_vec3){10, 0, 0.5f + (float)i};
            body.mass = i == 5 ? 1e4f : 1;
            CHECK(scree_body_create(world, &body, &id));
        }
        for (int i = 0; i < 2; i++) CHECK(scree_world_step(world, &s));
        if (stops) {
            scree_body_def plate;
            CHECK(scree_body_get_def(world, pressed.plate, &plate));
            plate.state.linear_velocity.z = 0.5f;
            CHECK(scree_body_set_def(world, pressed.plate, &plate));
        } else {
            CHECK(scree_body_destroy(world, pressed.plate));
            CHECK(scree_body_destroy(world, pressed.ball));
            add_body(world, scree_shape_sphere(0.5f), (scree_vec3){-10, 0, 5}, (scree_vec3){0, 0, 0});
            add_body(world, scree_shape_sphere(0.5f), (scree_vec3){-10, 0, 7}, (scree_vec3){0, 0, 0});
        }
        for (int i = 0; i < 100; i++) {
            CHECK(scree_world_step(world, &s));
            assert_int_not_equal(s.solve.stop, SCREE_STOP_INFEASIBLE);
        }
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {ON_EACH_BACKEND(a_resumed_run_reports_the_same),
                                       ON_EACH_BACKEND(a_crushed_sphere_is_named),
                                       ON("native", a_hard_stack_is_not_reported),
                                       ON("native", a_heap_does_not_hide_a_crush),
                                       ON("native", a_fast_contact_does_not_hide_a_crush),
                                       ON("opencl", a_fast_contact_does_not_hide_a_crush),
                                       ON("native", a_verdict_ends_with_its_cause),
                                       ON("opencl", a_verdict_ends_with_its_cause)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
