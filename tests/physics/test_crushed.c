/* The search for the cause of a step without a solution: it names bodies that prescribed motions crush or
 * jam, and none in steps that are merely hard to solve. */
#include "scenery.h"

static scree_infeasible cause_of(scree_world *world) {
    scree_infeasible out;
    CHECK(scree_world_find_infeasible(world, &out));
    return out;
}

/* Returns whether the cause of the last step is of this kind and names the body. */
static bool names(scree_world *world, scree_infeasible_kind kind, scree_body_id body) {
    const scree_infeasible cause = cause_of(world);
    return cause.kind == kind && (cause.a.index == body.index || cause.b.index == body.index);
}

static void expect_none(scree_world *world) {
    const scree_infeasible cause = cause_of(world);
    assert_int_equal(cause.kind, SCREE_INFEASIBLE_NONE);
    assert_true(cause.a.index == 0 && cause.b.index == 0);
}

static scree_body_id add_plate(scree_world *world, float height, float speed, float tilt) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_KINEMATIC;
    def.shape = scree_shape_box(1, 1, 0.1f);
    def.state.position = (scree_vec3){0.1f * sinf(tilt), 0, height + 0.1f * cosf(tilt)};
    def.state.rotation = (scree_quat){0, sinf(tilt / 2), 0, cosf(tilt / 2)};
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
    add_plate(world, 0.25f, 0.5f, 0); /* touches after 0.1 s */
    expect_none(world);
    for (int i = 0; i < 40; i++) {
        CHECK(scree_world_step(world, &s));
        if (s.time < 0.09) expect_none(world);
        if (s.time < 0.12) continue;
        assert_true(names(world, SCREE_INFEASIBLE_CRUSHED, ball));
        ASSERT_AT_LEAST(s.solve.residual, 1e-4);
        ASSERT_AT_LEAST(s.solve.violation, 0.2);
    }
    scree_world_destroy(world);
}

/* A sphere between the ground and a plate tilted by θ: impulses along the chord between its contacts are at
 * θ/2 to both normals. It jams if μ > tan(θ/2), and slides out of the wedge if not. */
static void a_sphere_jams_in_a_closing_wedge(void **state) {
    enum { STEPS = 30 };
    const float tilt = 0.15f, limit = tanf(tilt / 2), frictions[] = {0.8f * limit, 1.2f * limit, 0.5f, 1};
    for (int i = 0; i < 4; i++) {
        scree_world_def def = def_on(state);
        def.material.friction = frictions[i];
        scree_world *world = world_of(&def);
        scree_statistics s;
        add_slope(world, 0);
        const scree_body_id ball =
            add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.1f}, (scree_vec3){0, 0, 0});
        add_plate(world, 0.2f, 0.1f, tilt);
        int jammed = 0;
        for (int k = 0; k < STEPS; k++) {
            CHECK(scree_world_step(world, &s));
            jammed += names(world, SCREE_INFEASIBLE_JAMMED, ball);
            if (frictions[i] < limit) expect_none(world);
        }
        print_message("friction %.3f of %.3f: jammed in %d of %d steps, violation %.2g\n",
                      (double)frictions[i], (double)limit, jammed, STEPS, s.solve.violation);
        assert_int_equal(jammed, frictions[i] > limit ? STEPS : 0);
        scree_world_destroy(world);
    }
}

/* A paddle pushes boxes over the ground. With μ > 1 impulses in the cones of the paddle and the ground are in
 * balance, but the box slides along and the step is solved. */
static void a_steep_cone_alone_is_no_jam(void **state) {
    scree_world_def def = def_on(state);
    def.material.friction = 1.2f;
    def.solver.iterations = 4;
    scree_world *world = world_of(&def);
    scree_body_def paddle = scree_default_body_def();
    add_slope(world, 0);
    paddle.type = SCREE_BODY_KINEMATIC;
    paddle.shape = scree_shape_box(0.05f, 1, 1);
    paddle.state.position = (scree_vec3){-0.16f, 0, 1.01f};
    paddle.state.linear_velocity.x = 0.3f;
    CHECK(scree_body_create(world, &paddle, NULL));
    for (int i = 0; i < 6; i++)
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0.21f * (float)i, 0, 0.1f},
                 (scree_vec3){0, 0, 0});
    for (int i = 0; i < 240; i++) {
        CHECK(scree_world_step(world, NULL));
        expect_none(world);
    }
    scree_world_destroy(world);
}

/* A plate descends on a body that a joint holds; the contact and the joint's rows are needed for the proof.
 */
static void a_body_on_a_joint_is_crushed(void **state) {
    for (int direct = 0; direct < 2; direct++) {
        scree_world_def def = def_on(state);
        def.solver.direct_joints = direct;
        scree_world *world = world_of(&def);
        scree_joint_def slider;
        add_slope(world, 0);
        const scree_body_id box = add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.3f},
                                           (scree_vec3){0, 0, 0});
        slider = scree_default_joint_def(SCREE_JOINT_SLIDER);
        slider.b = box;
        CHECK(scree_joint_get_frame(world, &slider, (scree_vec3){0, 0, 0.3f}, (scree_vec3){1, 0, 0},
                                    (scree_vec3){0, 1, 0}));
        CHECK(scree_joint_create(world, &slider, NULL));
        const scree_body_id plate = add_plate(world, 0.41f, 0.2f, 0); /* touches after 0.05 s */
        for (int i = 0; i < 30; i++) {
            CHECK(scree_world_step(world, NULL));
            if (i < 4) expect_none(world);
            if (i < 8) continue;
            /* Jammed: the box would slip along the joint's axis if round-off tilts its face. */
            const scree_infeasible cause = cause_of(world);
            assert_int_not_equal(cause.kind, SCREE_INFEASIBLE_NONE);
            assert_true((cause.a.index == box.index && cause.b.index == plate.index) ||
                        (cause.b.index == box.index && cause.a.index == plate.index));
        }
        scree_world_destroy(world);
    }
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
        expect_none(world);
        largest = fmax(largest, s.solve.violation);
    }
    print_message("violation up to %.2f\n", largest);
    ASSERT_AT_LEAST(largest, 0.05); /* large enough that there were suspects */
    scree_world_destroy(world);
}

/* a ball on the ground under a descending plate */
typedef struct press {
    scree_body_id ball, plate;
} press;

static press add_press(scree_world *world, float speed) {
    press out;
    out.ball = add_body(world, scree_shape_sphere(0.5f), (scree_vec3){0, 0, 0.5f}, (scree_vec3){0, 0, 0});
    out.plate = add_plate(world, 1.001f, speed, 0);
    return out;
}

/* A separate heap in a box slowly comes to rest and does not hide the crush. */
static void a_heap_does_not_hide_a_crush(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
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
        CHECK(scree_world_step(world, NULL));
        if (i % 10 == 0) expect_none(world);
    }
    const press pressed = add_press(world, 0.3f);
    for (int i = 0; i < 40; i++) {
        CHECK(scree_world_step(world, NULL));
        if (i >= 5) assert_true(names(world, SCREE_INFEASIBLE_CRUSHED, pressed.ball));
    }
    scree_world_destroy(world);
}

/* A separate blocked box on a belt does not hide the crush, which closes a hundred times slower than the
 * belt: the speed of a sliding contact is no part of what violations are relative to. */
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
    for (int i = 0; i < 100; i++) {
        CHECK(scree_world_step(world, &s));
        if (i <= 10) continue;
        ASSERT_AT_LEAST(s.solve.violation, 0.2);
        assert_true(names(world, SCREE_INFEASIBLE_CRUSHED, pressed.ball));
    }
    scree_world_destroy(world);
}

/* A body destroyed since the step leaves a problem that says nothing, and a stopped plate crushes nothing. */
static void a_cause_ends_with_its_bodies(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_body_def plate;
    add_slope(world, 0);
    const press pressed = add_press(world, 0.5f);
    for (int i = 0; i < 10; i++) CHECK(scree_world_step(world, NULL));
    assert_true(names(world, SCREE_INFEASIBLE_CRUSHED, pressed.ball));
    CHECK(scree_body_get_def(world, pressed.plate, &plate));
    plate.state.linear_velocity.z = 0.5f;
    CHECK(scree_body_set_def(world, pressed.plate, &plate));
    CHECK(scree_world_step(world, NULL));
    expect_none(world);
    plate.state.linear_velocity.z = -0.5f;
    CHECK(scree_body_set_def(world, pressed.plate, &plate));
    for (int i = 0; i < 10; i++) CHECK(scree_world_step(world, NULL));
    assert_true(names(world, SCREE_INFEASIBLE_CRUSHED, pressed.ball));
    CHECK(scree_body_destroy(world, pressed.ball));
    expect_none(world);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(a_crushed_sphere_is_named),
        ON("native", a_sphere_jams_in_a_closing_wedge),
        ON("opencl", a_sphere_jams_in_a_closing_wedge),
        ON("native", a_steep_cone_alone_is_no_jam),
        ON("native", a_body_on_a_joint_is_crushed),
        ON("native", a_hard_stack_is_not_reported),
        ON("native", a_heap_does_not_hide_a_crush),
        ON("native", a_fast_contact_does_not_hide_a_crush),
        ON("opencl", a_fast_contact_does_not_hide_a_crush),
        ON("native", a_cause_ends_with_its_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
