/* Motion without friction: free flight, spinning, bouncing. */
#include "random_vectors.h"
#include "scenery.h"

/* Symplectic Euler's closed form, x_n = x₀ + n h v₀ + g h² n (n + 1)/2, and the parabola within its
 * first-order error. */
static void thrown_ball_follows_a_parabola(void **state) {
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    const scree_body_id ball =
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0}, (scree_vec3){3, -1, 8});
    const double h = def.time_step, n = 120, t = n * h;
    run_for(world, t);
    const scree_body_state end = state_of(world, ball);
    ASSERT_NEAR((double)end.position.x, 3 * t, 1e-5);
    ASSERT_NEAR((double)end.position.y, -t, 1e-5);
    ASSERT_NEAR((double)end.position.z, 8 * t - 9.81 * h * h * n * (n + 1) / 2, 1e-4);
    ASSERT_NEAR((double)end.position.z, 8 * t - 9.81 * t * t / 2,
                9.81 * h * t / 2 / (8 * t - 9.81 * t * t / 2) * 1.01);
    ASSERT_NEAR((double)end.linear_velocity.z, 8 - 9.81 * t, 1e-4);
    scree_world_destroy(world);
}

/* A box with three different moments tumbles about its middle axis: the implicit midpoint rule conserves
 * energy and angular momentum, so over 10⁴ steps only round-off drifts. */
static void spinning_box_conserves_energy_and_momentum(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    body.shape = scree_shape_box(0.1f, 0.2f, 0.3f);
    body.state.angular_velocity = (scree_vec3){0.1f, 8, 0.05f};
    CHECK(scree_body_create(world, &body, NULL));
    scree_statistics first, last, now;
    CHECK(scree_world_step(world, &first));
    double lowest = 1e30;
    for (int i = 1; i < 10000; i++) {
        CHECK(scree_world_step(world, &now));
        scree_body_id id;
        scree_body_list(world, &id, 1);
        const double wy = (double)state_of(world, id).angular_velocity.y;
        lowest = fmin(lowest, wy);
    }
    last = now;
    /* Each step rounds ω to 2⁻²⁴ of its size or less. A random walk of 10⁴ such errors changes the energy by
     * 2 · 2⁻²⁵ · 10² = 6e-6 of itself. */
    ASSERT_AT_MOST(fabs(last.kinetic_energy / first.kinetic_energy - 1), 6e-6);
    double drift = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        drift += pow(last.angular_momentum[i] - first.angular_momentum[i], 2);
        size += pow(first.angular_momentum[i], 2);
    }
    print_message("10000 steps: energy drift %.2e, angular momentum drift %.2e\n",
                  last.kinetic_energy / first.kinetic_energy - 1, sqrt(drift / size));
    ASSERT_AT_MOST(sqrt(drift / size), 6e-6);
    /* In space the spin stays near the angular momentum: its component along it never changes sign, though
     * the box tumbles. */
    assert_true(lowest > 0);
    scree_world_destroy(world);
}

/* The j-th bounce rises to e²ʲ h₀. */
static void bounce_heights_are_powers_of_restitution(void **state) {
    scree_world_def def = def_on(state);
    const double e = 0.8, h0 = 1, radius = 0.05;
    def.time_step = 1.0 / 4000;
    def.material.restitution = (float)e;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const scree_body_id ball = add_body(world, scree_shape_sphere((float)radius),
                                        (scree_vec3){0, 0, (float)(h0 + radius)}, (scree_vec3){0, 0, 0});
    int bounce = 0;
    double top = 0;
    bool rising = false;
    for (int i = 0; i < 16000 && bounce < 4; i++) {
        CHECK(scree_world_step(world, NULL));
        const scree_body_state now = state_of(world, ball);
        const double height = (double)now.position.z - radius;
        if (rising && now.linear_velocity.z <= 0) {
            bounce++;
            ASSERT_NEAR(top, pow(e, 2 * bounce) * h0, 0.01);
            rising = false;
        }
        if (!rising && now.linear_velocity.z > 0) rising = true, top = 0;
        top = fmax(top, height);
    }
    assert_int_equal(bounce, 4);
    scree_world_destroy(world);
}

/* Below the threshold speed nothing bounces: a ball dropped from 1 mm lies still. */
static void slow_impact_does_not_bounce(void **state) {
    scree_world_def def = def_on(state);
    def.material.restitution = 0.9f;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const scree_body_id ball =
        add_body(world, scree_shape_sphere(0.05f), (scree_vec3){0, 0, 0.051f}, (scree_vec3){0, 0, 0});
    run_for(world, 0.5);
    ASSERT_AT_MOST(length_of(state_of(world, ball).linear_velocity), 1e-4);
    scree_world_destroy(world);
}

/* Locks make a planar scene: a body hit off its plane stays in it. */
static void locked_axes_stay_locked(void **state) {
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.shape = scree_shape_box(0.1f, 0.2f, 0.3f);
    body.locks = SCREE_LOCK_Y | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Z;
    body.state.position.z = 0.4f;
    CHECK(scree_body_create(world, &body, &id));
    add_slope(world, 0);
    CHECK(scree_body_apply_impulse_at(world, id, (scree_vec3){5, 20, 3}, (scree_vec3){0.05f, -0.02f, 0.5f}));
    double turned = 0;
    for (int i = 0; i < 120; i++) {
        CHECK(scree_world_step(world, NULL));
        const scree_body_state now = state_of(world, id);
        turned = fmax(turned, fabs((double)now.rotation.y));
        assert_true(now.position.y == 0 && now.linear_velocity.y == 0);
        assert_true(now.angular_velocity.x == 0 && now.angular_velocity.z == 0);
        assert_true(now.rotation.x == 0 && now.rotation.z == 0);
    }
    assert_true(turned > 1e-3);
    scree_world_destroy(world);
}

/* A free body conserves its energy for any rotation per step; at large ones the midpoint rule has more than
 * one solution. */
static void fast_spins_conserve_energy(void **state) {
    enum { COUNT = 100 };
    const scree_shape shapes[] = {scree_shape_box(0.2f, 0.1f, 0.15f), scree_shape_capsule(0.02f, 0.3f),
                                  scree_shape_cylinder(0.2f, 0.05f)};
    uint64_t seed = 5;
    for (double turn = 2; turn < 40; turn *= 2) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.time_step = 0.005;
        scree_world *world = world_of(&def);
        for (int i = 0; i < COUNT; i++) {
            scree_body_def body = scree_default_body_def();
            const vec3s axis = random_direction(&seed);
            const float spin = (float)(turn / def.time_step);
            body.shape = shapes[i % 3];
            body.mask = 0;
            body.state.angular_velocity = (scree_vec3){spin * axis.x, spin * axis.y, spin * axis.z};
            CHECK(scree_body_create(world, &body, NULL));
        }
        scree_statistics first, now;
        CHECK(scree_world_step(world, &first));
        for (int step = 0; step < 5; step++) {
            CHECK(scree_world_step(world, &now));
            ASSERT_NEAR(now.kinetic_energy, first.kinetic_energy, 1e-5);
        }
        scree_world_destroy(world);
    }
}

/* Without friction and at e = 1 an impact conserves the energy of spinning bodies, for any shape and rotation
 * per step (here up to 1.5 rad): impulses act at the current pose, and free rotation continues from the
 * result. */
static void elastic_bounces_of_spinning_bodies_keep_energy(void **state) {
    uint64_t seed = 3;
    const scree_shape shapes[] = {scree_shape_box(0.2f, 0.1f, 0.15f), scree_shape_capsule(0.02f, 0.3f)};
    const double spins[] = {6, 60, 300};
    const int count = backend_of(state) == SCREE_BACKEND_REFERENCE ? 6 : 30;
    for (int i = 0; i < 2 * 3 * count; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.time_step = 0.005;
        def.material.friction = 0, def.material.restitution = 1;
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        const double spin = spins[i / 2 % 3];
        scree_body_def body = scree_default_body_def();
        const vec3s axis = random_direction(&seed);
        const versors turn = random_rotation(&seed);
        body.shape = shapes[i % 2];
        body.state.position = (scree_vec3){0, 0, 0.6f};
        body.state.rotation = (scree_quat){turn.x, turn.y, turn.z, turn.w};
        body.state.linear_velocity = (scree_vec3){0, 0, -3};
        body.state.angular_velocity =
            (scree_vec3){(float)spin * axis.x, (float)spin * axis.y, (float)spin * axis.z};
        CHECK(scree_body_create(world, &body, NULL));
        scree_statistics first, now;
        CHECK(scree_world_step(world, &first));
        double impulse = 0;
        for (int step = 0; step < 100; step++) {
            CHECK(scree_world_step(world, &now));
            impulse -= now.static_impulse[2];
            ASSERT_NEAR(now.kinetic_energy, first.kinetic_energy, 1e-4);
        }
        assert_true(impulse > 0);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(thrown_ball_follows_a_parabola),
        ON_EACH_BACKEND(spinning_box_conserves_energy_and_momentum),
        ON_EACH_BACKEND(bounce_heights_are_powers_of_restitution),
        ON_EACH_BACKEND(fast_spins_conserve_energy),
        ON_EACH_BACKEND(elastic_bounces_of_spinning_bodies_keep_energy),
        ON_EACH_BACKEND(slow_impact_does_not_bounce),
        ON_EACH_BACKEND(locked_axes_stay_locked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
