/* Coulomb friction against closed forms: a block on a slope, a block that slides to rest, a ball that slides
 * until it rolls. */
#include "scenery.h"

static const double g = 9.81;

/* Adds a cube of half extent 0.05 m lying on the slope. */
static scree_body_id add_block_on_slope(scree_world *world, double angle) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    const float a = (float)angle;
    def.shape = scree_shape_box(0.05f, 0.05f, 0.05f);
    def.state.rotation = (scree_quat){0, sinf(a / 2), 0, cosf(a / 2)};
    def.state.position = (scree_vec3){0.05f * sinf(a), 0, 0.05f * cosf(a)};
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* Returns the downhill speed after one second, with material friction 0.5 on both sides (√(μμ) = μ). */
static double speed_on_slope(void **state, double angle) {
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    add_slope(world, (float)angle);
    const scree_body_id block = add_block_on_slope(world, angle);
    run_for(world, 1);
    const double speed = length_of(state_of(world, block).linear_velocity);
    scree_world_destroy(world);
    return speed;
}

static void block_holds_below_the_friction_angle(void **state) {
    ASSERT_AT_MOST(speed_on_slope(state, atan(0.48)), 1e-4);
}

/* a = g (sin θ − μ cos θ) above it. */
static void block_slides_above_the_friction_angle(void **state) {
    const double angle = atan(0.7);
    ASSERT_NEAR(speed_on_slope(state, angle), g * (sin(angle) - 0.5 * cos(angle)), 0.01);
}

/* Cubes of half edges from a micrometre to a kilometre on a slope of 45°: v = g t (sin θ − μ cos θ). Impulses
 * scale with the third power of the size. */
static void cubes_of_any_size_slide_equally(void **state) {
    const double half[] = {1e-6, 1e-5, 1e-4, 1e-2, 1, 100, 1000}, angle = M_PI / 4, time = 0.05;
    for (int i = 0; i < 7; i++) {
        scree_world_def def = def_on(state);
        const float size = (float)half[i];
        def.time_step = 1e-3;
        def.speculative_distance = 0.1f * size;
        scree_world *world = world_of(&def);
        add_slope(world, (float)angle);
        scree_body_def cube = scree_default_body_def();
        scree_body_id id;
        cube.shape = scree_shape_box(size, size, size);
        cube.state.rotation = (scree_quat){0, (float)sin(angle / 2), 0, (float)cos(angle / 2)};
        cube.state.position = (scree_vec3){size * (float)sin(angle), 0, size * (float)cos(angle)};
        CHECK(scree_body_create(world, &cube, &id));
        run_for(world, time);
        ASSERT_NEAR(length_of(state_of(world, id).linear_velocity),
                    g * time * (sin(angle) - 0.5 * cos(angle)), 0.005);
        scree_world_destroy(world);
    }
}

/* For any friction and tolerance, a body landing on a slope does not sink into it while the residual reports
 * convergence. */
static void rough_slopes_stop_landing_bodies(void **state) {
    const float frictions[] = {1, 100, 1e4f, 1e6f}, tolerances[] = {0, 1e-2f, 1e-3f, 1e-4f}, angle = 0.5f;
    for (int i = 0; i < 16; i += on_reference(state) ? 5 : 1) {
        scree_world_def def = def_on(state);
        def.material.friction = frictions[i / 4];
        def.solver.tolerance = tolerances[i % 4];
        scree_world *world = world_of(&def);
        add_slope(world, angle);
        const float up = 0.52f;
        const scree_body_id cube =
            add_body(world, scree_shape_box(0.3f, 0.3f, 0.3f),
                     (scree_vec3){up * sinf(angle), 0, up * cosf(angle)}, (scree_vec3){1, 0.3f, -1});
        run_for(world, 1);
        const scree_vec3 v = state_of(world, cube).linear_velocity;
        ASSERT_AT_LEAST((double)(v.x * sinf(angle) + v.z * cosf(angle)), -0.05);
        scree_world_destroy(world);
    }
}

/* Returns the distance in which a block thrown at `speed` in the direction `angle` in the plane comes to
 * rest. The step is short because the distance of a time-stepping scheme is off by about half a step's path.
 * A low block does not tip. */
static double stopping_distance(void **state, scree_law law, double angle, double speed) {
    scree_world_def def = def_on(state);
    def.time_step = 1e-3;
    def.solver.law = law;
    def.solver.iterations = 60;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const scree_vec3 velocity = {(float)(speed * cos(angle)), (float)(speed * sin(angle)), 0};
    const scree_body_id block =
        add_body(world, scree_shape_box(0.2f, 0.2f, 0.02f), (scree_vec3){0, 0, 0.02f}, velocity);
    run_for(world, speed / (0.5 * g) * 1.1);
    const scree_body_state end = state_of(world, block);
    ASSERT_AT_MOST(length_of(end.linear_velocity), 1e-4);
    scree_world_destroy(world);
    return hypot((double)end.position.x, (double)end.position.y);
}

/* v²/(2 μ g), in every direction. */
static void coulomb_stopping_distance_is_isotropic(void **state) {
    const double expected = 1 / (2 * 0.5 * g), along = stopping_distance(state, SCREE_LAW_COULOMB, 0, 1);
    ASSERT_NEAR(along, expected, 0.01);
    for (int i = 1; i <= 4; i += on_reference(state) ? 4 : 1)
        ASSERT_NEAR(stopping_distance(state, SCREE_LAW_COULOMB, i * M_PI / 16, 1), along, 0.001);
}

/* The pyramid's known error: at 45° to its axes both rows give μ r_N, √2 times too much, and the distance is
 * 1/√2 of the exact one. */
static void pyramid_stops_short_between_its_axes(void **state) {
    const double along = stopping_distance(state, SCREE_LAW_PYRAMID, 0, 1);
    const double between = stopping_distance(state, SCREE_LAW_PYRAMID, M_PI / 4, 1);
    ASSERT_NEAR(along, 1 / (2 * 0.5 * g), 0.01);
    ASSERT_NEAR(between / along, 1 / sqrt(2), 0.01);
}

/* A solid ball thrown without spin slides until t = 2 v₀/(7 μ g) and then rolls at 5/7 v₀ (Routh). */
static void ball_rolls_at_five_sevenths(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 1e-3;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const double radius = 0.1, speed = 2;
    const scree_body_id ball = add_body(world, scree_shape_sphere((float)radius),
                                        (scree_vec3){0, 0, (float)radius}, (scree_vec3){(float)speed, 0, 0});
    double onset = 0;
    for (int i = 0; i < 1000; i++) {
        CHECK(scree_world_step(world, NULL));
        const scree_body_state now = state_of(world, ball);
        const double slip = (double)now.linear_velocity.x - radius * (double)now.angular_velocity.y;
        if (!(onset > 0) && fabs(slip) < 1e-3) onset = scree_world_get_time(world);
    }
    const scree_body_state end = state_of(world, ball);
    ASSERT_NEAR((double)end.linear_velocity.x, 5.0 / 7 * speed, 0.005);
    ASSERT_NEAR((double)end.angular_velocity.y * radius, 5.0 / 7 * speed, 0.005);
    ASSERT_NEAR(onset, 2 * speed / (7 * 0.5 * g), 0.02);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(block_holds_below_the_friction_angle),
        ON_EACH_BACKEND(block_slides_above_the_friction_angle),
        ON_EACH_BACKEND(cubes_of_any_size_slide_equally),
        ON_EACH_BACKEND(rough_slopes_stop_landing_bodies),
        ON_EACH_BACKEND(coulomb_stopping_distance_is_isotropic),
        ON_EACH_BACKEND(pyramid_stops_short_between_its_axes),
        ON_EACH_BACKEND(ball_rolls_at_five_sevenths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
