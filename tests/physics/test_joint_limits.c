/* Limits of joints: soft, narrow, of angles near 90°; very stiff servos and joints turned over. */
#include "joint_scenery.h"

static scree_world *free_world(void **state, double time_step) {
    scree_world *world = exact_world(state, time_step);
    CHECK(scree_world_set_gravity(world, any));
    return world;
}

/* Adds 1 kg with moments of 0.1 kg m² at `position`, moving at `velocity`. */
static scree_body_id add_ball(scree_world *world, scree_vec3 position, scree_vec3 velocity) {
    const scree_body_id id = add_mass(world, 1, 0.1, position);
    scree_body_state going = state_of(world, id);
    going.linear_velocity = velocity;
    CHECK(scree_body_set_state(world, id, &going));
    return id;
}

static scree_joint_def slider_within(scree_body_id b, float low, float high) {
    scree_joint_def def = scree_default_joint_def(SCREE_JOINT_SLIDER);
    def.b = b;
    def.axes[SCREE_AXIS_X].mode = SCREE_AXIS_LIMITED;
    def.axes[SCREE_AXIS_X].low = low, def.axes[SCREE_AXIS_X].high = high;
    return def;
}

/* A body runs at 1 m/s into a limit half a metre away, from either side. Nothing acts in a step that does not
 * reach it; beyond, the mean force over a step is k depth + d speed to h k speed, and never attracts. A pure
 * damper removes the momentum d depth. */
static void soft_limits_act_beyond_them(void **state) {
    static const scree_spring springs[] = {{.stiffness = 100, .damping = 100}, {.damping = 5}};
    const double h = 0.01;
    for (int side = -1; side <= 1; side += 2)
        for (int i = 0; i < 2; i++) {
            scree_world *world = free_world(state, h);
            const scree_body_id body =
                add_ball(world, (scree_vec3){0.504f * (float)side, 0, 0}, (scree_vec3){(float)-side, 0, 0});
            scree_joint_def def = slider_within(body, side > 0 ? 0 : -INFINITY, side > 0 ? INFINITY : 0);
            def.axes[SCREE_AXIS_X].spring = springs[i];
            const scree_joint_id joint = add_joint(world, &def);
            const double k = (double)springs[i].stiffness, d = (double)springs[i].damping;
            double depth = -0.504, speed = 1;
            for (int step = 0; step < 90; step++) {
                const double before = depth, reach = depth + h * speed;
                CHECK(scree_world_step(world, NULL));
                const scree_body_state now = state_of(world, body);
                const double force = side * (double)joint_state_of(world, joint).force.x;
                depth = -side * (double)now.position.x, speed = -side * (double)now.linear_velocity.x;
                if (reach < 0) ASSERT_WITHIN(force, 0, 0);
                if (before > 0)
                    ASSERT_WITHIN(force, fmax(0, k * depth + d * speed), h * k * fabs(speed) + 1e-3);
                if (k == 0 && depth > 0) ASSERT_WITHIN(speed, 1 - d * depth, 1e-4);
            }
            assert_true(depth > 0);
            scree_world_destroy(world);
        }
}

/* m ẍ + d ẋ + k x = 0 from x = 0 at v: the turning point is at (v/ω) e^{−ζ ω t}, ω_d t = acos ζ. */
static void soft_limits_are_as_deep_as_their_spring(void **state) {
    scree_world *world = free_world(state, 0.001);
    const scree_body_id body = add_ball(world, (scree_vec3){0.2f, 0, 0}, (scree_vec3){-1, 0, 0});
    scree_joint_def def = slider_within(body, 0, 1);
    def.axes[SCREE_AXIS_X].spring = (scree_spring){.stiffness = 100, .damping = 5};
    const scree_joint_id joint = add_joint(world, &def);
    const double omega = 10, ratio = 0.25, t = acos(ratio) / (omega * sqrt(1 - ratio * ratio));
    double deepest = 0;
    for (int step = 0; step < 500; step++) {
        CHECK(scree_world_step(world, NULL));
        deepest = fmax(deepest, -(double)joint_state_of(world, joint).position[SCREE_AXIS_X]);
    }
    ASSERT_NEAR(deepest, exp(-ratio * omega * t) / omega, 0.01);
    scree_world_destroy(world);
}

/* An empty range is a lock, and a load does not carry a body through a narrow one: h² F/m is 10 times its
 * width. */
static void narrow_limits_hold(void **state) {
    for (int narrow = 0; narrow < 2; narrow++) {
        scree_world *world = free_world(state, 0.01);
        const scree_body_id body = add_ball(world, any, any);
        const scree_joint_def def = slider_within(body, 0, narrow ? 0.01f : 0);
        const scree_joint_id joint = add_joint(world, &def);
        const float load = narrow ? 1000 : 9.81f;
        for (int step = 0; step < 200; step++) {
            const bool back = narrow && step % 2;
            CHECK(scree_body_apply_force(world, body, (scree_vec3){back ? -load : load, 0, 0}));
            CHECK(scree_world_step(world, NULL));
            ASSERT_AT_MOST(joint_state_of(world, joint).error, 1e-5);
            if (narrow) ASSERT_WITHIN(state_of(world, body).position.x, back ? 0 : 0.01, 1e-5);
        }
        scree_world_destroy(world);
    }
}

/* Adds a ball joint's body at the end of an arm of 0.5 m, turning at `omega`, with all angles limited. */
static scree_body_id add_arm(scree_world *world, scree_vec3 omega, scree_joint_def *def) {
    const scree_body_id body = add_ball(world, (scree_vec3){0.5f, 0, 0}, any);
    scree_body_state turning = state_of(world, body);
    turning.angular_velocity = omega;
    turning.linear_velocity = (scree_vec3){0, 0.5f * omega.z, -0.5f * omega.y};
    CHECK(scree_body_set_state(world, body, &turning));
    *def = scree_default_joint_def(SCREE_JOINT_BALL);
    def->b = body, def->anchor_b = (scree_vec3){-0.5f, 0, 0};
    for (int i = SCREE_AXIS_ROTATION_X; i <= SCREE_AXIS_ROTATION_Z; i++) {
        const float most = i == SCREE_AXIS_ROTATION_Y ? 1.48f : 1;
        def->axes[i].mode = SCREE_AXIS_LIMITED;
        def->axes[i].low = -most, def->axes[i].high = most;
    }
    return body;
}

/* A ragdoll's shoulder gains no energy, neither at the limit of β nor if that is so soft (at most 0.02 N m ×
 * 3 rad of work) that β goes through 90°. */
static void limited_angles_add_no_energy(void **state) {
    for (int soft = 0; soft < 2; soft++) {
        scree_world *world = free_world(state, 0.005);
        scree_joint_def def;
        add_arm(world, (scree_vec3){0.2f, 3, 0.3f}, &def);
        if (soft) def.axes[SCREE_AXIS_ROTATION_Y].spring.stiffness = 0.02f;
        add_joint(world, &def);
        const double first = 0.5 * (0.1 * 9.13 + 0.25 * 9.09);
        for (int step = 0; step < 1000; step++) {
            scree_statistics s;
            CHECK(scree_world_step(world, &s));
            ASSERT_AT_MOST(s.kinetic_energy, 1.02 * first);
        }
        scree_world_destroy(world);
    }
}

/* Where β may reach 90°, α and γ must be free, without drive or friction; every kind is valid with its
 * defaults. */
static void ambiguous_angles_are_rejected(void **state) {
    (void)state;
    scree_world_def world_def = scree_default_world_def();
    world_def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world = world_of(&world_def);
    scree_joint_def good, bad;
    const scree_body_id body = add_arm(world, any, &good);
    for (int kind = 0; kind < SCREE_JOINT_KIND_COUNT; kind++) {
        scree_joint_def def = scree_default_joint_def((scree_joint_kind)kind);
        def.b = body;
        CHECK(scree_joint_create(world, &def, NULL));
    }
    CHECK(scree_joint_create(world, &good, NULL));
    scree_joint_axis *const beta = &bad.axes[SCREE_AXIS_ROTATION_Y], *const alpha = beta - 1,
                            *const gamma = beta + 1;
    bad = good, beta->high = INFINITY;
    CHECK_FAILS(scree_joint_create(world, &bad, NULL), SCREE_ERROR_ARGUMENT, "rotation_y");
    bad = good, beta->mode = alpha->mode = SCREE_AXIS_FREE;
    CHECK_FAILS(scree_joint_create(world, &bad, NULL), SCREE_ERROR_ARGUMENT, "rotation_z:");
    gamma->mode = SCREE_AXIS_FREE;
    CHECK(scree_joint_create(world, &bad, NULL));
    gamma->friction = 1;
    CHECK_FAILS(scree_joint_create(world, &bad, NULL), SCREE_ERROR_ARGUMENT, "rotation_z:");
    gamma->friction = 0, alpha->drive = SCREE_DRIVE_VELOCITY;
    CHECK_FAILS(scree_joint_create(world, &bad, NULL), SCREE_ERROR_ARGUMENT, "rotation_x:");
    scree_world_destroy(world);
}

/* The stiffest servo is rigid, and reaches its target, also where stiffness over squared body length
 * (1e20/1e-20) exceeds single precision. */
static void the_stiffest_servo_is_rigid(void **state) {
    for (int i = 0; i < 2; i++) {
        scree_world *world = free_world(state, 0.01);
        const scree_body_id body = add_mass(world, 1, i ? 0.1 : 1e-20, any);
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_HINGE);
        scree_joint_axis *axis = &def.axes[SCREE_AXIS_ROTATION_X];
        def.b = body, axis->drive = SCREE_DRIVE_POSITION, axis->target = 0.5f;
        axis->servo =
            i ? (scree_spring){.frequency = 1e6f, .damping_ratio = 1} : (scree_spring){.stiffness = 1e20f};
        const scree_joint_id joint = add_joint(world, &def);
        run_for(world, 0.5);
        ASSERT_WITHIN(joint_state_of(world, joint).position[SCREE_AXIS_ROTATION_X], 0.5, 1e-4);
        ASSERT_WITHIN(joint_state_of(world, joint).angle_error, 0, 1e-4);
        scree_world_destroy(world);
    }
}

/* Rotated by 180° about a transverse axis, where the sine of the error is 0, hinge and weld return. */
static void joints_turned_over_return(void **state) {
    static const scree_joint_kind kinds[] = {SCREE_JOINT_HINGE, SCREE_JOINT_FIXED};
    for (int i = 0; i < 4; i++) {
        scree_world *world = free_world(state, 0.005);
        const scree_body_id body = add_ball(world, any, any);
        scree_joint_def def = scree_default_joint_def(kinds[i / 2]);
        def.b = body;
        const scree_joint_id joint = add_joint(world, &def);
        scree_body_state turned = state_of(world, body);
        turned.rotation = i % 2 ? (scree_quat){0, 1, 0, 0} : (scree_quat){0, 0, 1, 0};
        CHECK(scree_body_set_state(world, body, &turned));
        ASSERT_NEAR(joint_state_of(world, joint).angle_error, i < 2 ? M_PI : M_PI * (i % 2 ? sqrt(2) : 1),
                    1e-5);
        run_for(world, 5);
        ASSERT_WITHIN(joint_state_of(world, joint).angle_error, 0, 1e-3);
        scree_world_destroy(world);
    }
}

/* A body whose rotations are locked cannot turn back: the statistics have its angle, and no angle of a joint
 * without hard locks of rotation. */
static void statistics_have_the_angle_error(void **state) {
    static const scree_joint_kind kinds[] = {SCREE_JOINT_FIXED, SCREE_JOINT_HINGE, SCREE_JOINT_BALL};
    for (int i = 0; i < 3; i++) {
        scree_world *world = free_world(state, 0.01);
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(0.1f);
        body.locks = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
        scree_joint_def def = scree_default_joint_def(kinds[i]);
        CHECK(scree_body_create(world, &body, &def.b));
        add_joint(world, &def);
        scree_body_state turned = state_of(world, def.b);
        turned.rotation = (scree_quat){0, sinf(0.15f), 0, cosf(0.15f)};
        CHECK(scree_body_set_state(world, def.b, &turned));
        const scree_statistics s = run_for(world, 0.1);
        ASSERT_NEAR(s.joint_angle_error_max, i < 2 ? 0.3 : 0, 1e-5);
        ASSERT_WITHIN(s.joint_error_max, 0, 1e-6);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(soft_limits_act_beyond_them),
        ON_EACH_BACKEND(soft_limits_are_as_deep_as_their_spring),
        ON_EACH_BACKEND(narrow_limits_hold),
        ON_EACH_BACKEND(statistics_have_the_angle_error),
        ON_EACH_BACKEND(limited_angles_add_no_energy),
        cmocka_unit_test(ambiguous_angles_are_rejected),
        ON_EACH_BACKEND(the_stiffest_servo_is_rigid),
        ON_EACH_BACKEND(joints_turned_over_return),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
