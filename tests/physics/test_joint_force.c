/* Forces on coordinates of joints, and viscous joints, against closed forms: acceleration, momentum, and the
 * work of a force along its coordinate. */
#include "joint_scenery.h"

static const scree_vec3 along_x = {1, 0, 0}, along_y = {0, 1, 0};

static scree_world *weightless(void **state, double time_step) {
    scree_world *world = exact_world(state, time_step);
    CHECK(scree_world_set_gravity(world, any));
    return world;
}

/* A torque Q on a hinge to the world turns a body of inertia I at n h Q/I. */
static void a_torque_turns_a_hinge(void **state) {
    scree_world *world = weightless(state, 0.01);
    const scree_body_id wheel = add_mass(world, 2, 0.5, any);
    const scree_joint_def def = joint_at(world, SCREE_JOINT_HINGE, nothing, wheel, any, along_y);
    const scree_joint_id joint = add_joint(world, &def);
    for (int i = 0; i < 20; i++) {
        CHECK(scree_joint_apply_force(world, joint, SCREE_AXIS_ROTATION_X, 1.5f));
        CHECK(scree_joint_apply_force(world, joint, SCREE_AXIS_ROTATION_X, 0.5f)); /* adds up */
        CHECK(scree_world_step(world, NULL));
    }
    ASSERT_NEAR(state_of(world, wheel).angular_velocity.y, 20 * 0.01 * 2 / 0.5, 1e-5);
    for (int i = 0; i < 5; i++) CHECK(scree_world_step(world, NULL)); /* it acted in its steps only */
    ASSERT_NEAR(state_of(world, wheel).angular_velocity.y, 20 * 0.01 * 2 / 0.5, 1e-5);
    scree_world_destroy(world);
}

/* A force F on the slider of two free bodies gives them −F/m and F/m, and no momentum. Their anchors lie away
 * from the centres: no angular momentum either. */
static void a_force_drives_a_slider_apart(void **state) {
    scree_world *world = weightless(state, 0.01);
    const scree_body_id a = add_mass(world, 1, 0.2, any), b = add_mass(world, 3, 0.4, (scree_vec3){1, 0, 0});
    const scree_joint_def def = joint_at(world, SCREE_JOINT_SLIDER, a, b, (scree_vec3){0.5f, 0, 0}, along_x);
    const scree_joint_id joint = add_joint(world, &def);
    for (int i = 0; i < 10; i++) {
        CHECK(scree_joint_apply_force(world, joint, SCREE_AXIS_X, 6));
        CHECK(scree_world_step(world, NULL));
    }
    ASSERT_NEAR(state_of(world, a).linear_velocity.x, -0.1 * 6 / 1, 1e-5);
    ASSERT_NEAR(state_of(world, b).linear_velocity.x, 0.1 * 6 / 3, 1e-5);
    ASSERT_WITHIN(length_of(state_of(world, a).angular_velocity), 0, 1e-6);
    ASSERT_NEAR(joint_state_of(world, joint).velocity[SCREE_AXIS_X], 0.1 * (6 + 2), 1e-5);
    scree_world_destroy(world);
}

static double kinetic(const scree_world *world, scree_body_id id) {
    float mass;
    scree_vec3 inertia;
    const scree_body_state s = state_of(world, id);
    CHECK(scree_body_get_mass(world, id, &mass, &inertia));
    return 0.5 * (double)mass * pow(length_of(s.linear_velocity), 2) +
           0.5 * (double)inertia.x * pow(length_of(s.angular_velocity), 2);
}

static scree_vec3 sum_of(scree_vec3 a, scree_vec3 b) { return (scree_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }
static scree_vec3 scaled(scree_vec3 v, float factor) {
    return (scree_vec3){v.x * factor, v.y * factor, v.z * factor};
}
static scree_vec3 cross(scree_vec3 a, scree_vec3 b) {
    return (scree_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* From rest, a force Q on a coordinate q for one step h gives two bodies the energy ½ (h Q) q', whatever the
 * frames and angles, and neither momentum nor angular momentum. */
static void forces_work_along_their_coordinate(void **state) {
    for (int axis = 0; axis < SCREE_AXIS_COUNT; axis++) {
        scree_world *world = weightless(state, 1e-4);
        const scree_body_id a = add_mass(world, 1, 0.2, any),
                            b = add_mass(world, 3, 0.4, (scree_vec3){0.7f, 0.4f, -0.3f});
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_GENERAL);
        def.a = a, def.b = b;
        def.anchor_a = (scree_vec3){0.2f, 0.1f, -0.3f}, def.anchor_b = (scree_vec3){-0.1f, 0.3f, 0.2f};
        def.frame_a = (scree_quat){0.5f, 0.1f, -0.3f, sqrtf(1 - 0.35f)};
        def.frame_b = (scree_quat){0.1f, -0.3f, 0.2f, sqrtf(1 - 0.14f)};
        const scree_joint_id joint = add_joint(world, &def);
        const float force = 40;
        assert_true(fabsf(joint_state_of(world, joint).position[SCREE_AXIS_ROTATION_Y]) > 0.2f);
        CHECK(scree_joint_apply_force(world, joint, (scree_axis)axis, force));
        CHECK(scree_world_step(world, NULL));
        const double rate = (double)joint_state_of(world, joint).velocity[axis],
                     energy = kinetic(world, a) + kinetic(world, b);
        assert_true(rate > 0);
        ASSERT_NEAR(energy, 0.5 * 1e-4 * (double)force * rate, 1e-3);
        const scree_body_state of_a = state_of(world, a), of_b = state_of(world, b);
        const scree_vec3 p_a = scaled(of_a.linear_velocity, 1), p_b = scaled(of_b.linear_velocity, 3);
        const scree_vec3 turn =
            sum_of(sum_of(scaled(of_a.angular_velocity, 0.2f), scaled(of_b.angular_velocity, 0.4f)),
                   sum_of(cross(of_a.position, p_a), cross(of_b.position, p_b)));
        ASSERT_WITHIN(length_of(sum_of(p_a, p_b)), 0, 1e-8);
        ASSERT_WITHIN(length_of(turn), 0, 1e-8);
        scree_world_destroy(world);
    }
}

/* Along a locked coordinate, and of a broken joint, it has no effect. */
static void some_forces_have_no_effect(void **state) {
    scree_world *world = weightless(state, 0.01);
    const scree_body_id wheel = add_mass(world, 2, 0.5, any);
    scree_joint_def def = joint_at(world, SCREE_JOINT_HINGE, nothing, wheel, any, along_y);
    def.break_force = 10;
    const scree_joint_id joint = add_joint(world, &def);
    CHECK(scree_joint_apply_force(world, joint, SCREE_AXIS_ROTATION_Y, 1));
    CHECK(scree_world_step(world, NULL));
    ASSERT_WITHIN(length_of(state_of(world, wheel).angular_velocity), 0, 1e-6);
    CHECK(scree_joint_apply_force(world, joint, SCREE_AXIS_X, 100));
    CHECK(scree_world_step(world, NULL));
    assert_true(joint_state_of(world, joint).broken);
    const scree_vec3 velocity = state_of(world, wheel).linear_velocity;
    CHECK(scree_joint_apply_force(world, joint, SCREE_AXIS_X, 100));
    CHECK(scree_world_step(world, NULL));
    assert_true(length_of(velocity) == length_of(state_of(world, wheel).linear_velocity));
    CHECK_FAILS(scree_joint_apply_force(world, joint, SCREE_AXIS_COUNT, 1), SCREE_ERROR_ARGUMENT, "axis");
    CHECK_FAILS(scree_joint_apply_force(world, joint, SCREE_AXIS_X, NAN), SCREE_ERROR_ARGUMENT, "force");
    scree_world_destroy(world);
}

/* A position drive with damping alone slows a wheel as ω₀ (1 + h d/I)⁻ⁿ. */
static void a_viscous_hinge_slows_down(void **state) {
    scree_world *world = weightless(state, 0.01);
    const scree_body_id wheel = add_mass(world, 2, 0.5, any);
    scree_body_state spinning = state_of(world, wheel);
    spinning.angular_velocity.y = 3;
    CHECK(scree_body_set_state(world, wheel, &spinning));
    scree_joint_def def = joint_at(world, SCREE_JOINT_HINGE, nothing, wheel, any, along_y);
    def.axes[SCREE_AXIS_ROTATION_X].drive = SCREE_DRIVE_POSITION;
    def.axes[SCREE_AXIS_ROTATION_X].servo.damping = 0.8f;
    add_joint(world, &def);
    for (int i = 0; i < 50; i++) CHECK(scree_world_step(world, NULL));
    ASSERT_NEAR(state_of(world, wheel).angular_velocity.y, 3 * pow(1 + 0.01 * 0.8 / 0.5, -50), 1e-4);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(a_torque_turns_a_hinge),          ON_EACH_BACKEND(a_force_drives_a_slider_apart),
        ON_EACH_BACKEND(some_forces_have_no_effect),      ON_EACH_BACKEND(a_viscous_hinge_slows_down),
        ON("native", forces_work_along_their_coordinate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
