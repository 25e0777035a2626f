/* Substeps (SCREE_STABILISATION_SUBSTEP): contacts, friction, restitution and joints, against closed forms.
 */
#include "joint_scenery.h"

static scree_world *substep_world(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 60;
    def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SUBSTEP);
    def.solver.substep.substeps = 4;
    def.solver.substep.contact_frequency = 30;
    def.solver.substep.contact_damping_ratio = 10;
    return world_of(&def);
}

/* A stack stands, and the impulses of a step, summed over its substeps, carry its weight times the step. */
static void substeps_carry_a_stack(void **state) {
    scree_world *world = substep_world(state);
    add_slope(world, 0);
    scree_body_id top = {0};
    for (int i = 0; i < 8; i++)
        top = add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.1f + 0.2f * (float)i},
                       any);
    const scree_statistics s = run_for(world, 3);
    double lifted = 0;
    scree_contact contacts[64];
    const int count = scree_contact_list(world, contacts, 64);
    assert_int_equal(count, 32);
    for (int i = 0; i < count; i++)
        if (contacts[i].point.z < 0.05f) lifted += fabs((double)contacts[i].impulse.z);
    ASSERT_NEAR(lifted, 8 * 8 * G / 60, 0.02);
    ASSERT_WITHIN(state_of(world, top).position.z, 1.482, 0.004); /* on springs of 30 Hz */
    ASSERT_WITHIN(state_of(world, top).position.x, 0, 1e-3);
    ASSERT_AT_MOST(s.kinetic_energy, 1e-3);
    scree_world_destroy(world);
}

/* Four springs of 1/A = m/8 at f under each of n cubes of side a resist a tilt with m ω² a²/8. A column of
 * its own weight buckles where q L³ > 7.84 E I (Greenhill 1881): m g/a (n a)³ against 7.84 a m ω² a²/8, thus
 * at n³ = 0.98 ω² a/g, ten of 20 cm at 35 Hz. */
static void columns_buckle_on_soft_springs(void **state) {
    for (int stiff = 0; stiff < 2; stiff++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_REALTIME);
        def.time_step = 1.0 / 60;
        if (!stiff) {
            def.solver.substep.contact_frequency = 25;
            def.solver.substep.contact_damping_ratio = 1;
        }
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        scree_body_id top = {0};
        for (int i = 0; i < 10; i++)
            top = add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f),
                           (scree_vec3){0.001f * (float)(i % 2), 0, 0.1f + 0.2f * (float)i}, any);
        run_for(world, 6);
        if (stiff)
            ASSERT_WITHIN(state_of(world, top).position.z, 1.9, 0.01);
        else
            ASSERT_AT_MOST(state_of(world, top).position.z, 1);
        scree_world_destroy(world);
    }
}

/* A block slides to rest with the deceleration μ g, in substeps. */
static void substeps_have_coulomb_friction(void **state) {
    scree_world *world = substep_world(state);
    add_slope(world, 0);
    const scree_body_id id =
        add_body(world, scree_shape_box(0.2f, 0.2f, 0.05f), (scree_vec3){0, 0, 0.05f}, (scree_vec3){2, 0, 0});
    run_for(world, 0.2);
    ASSERT_WITHIN(state_of(world, id).linear_velocity.x, 2 - 0.5 * G * 0.2, 0.01);
    run_for(world, 0.5);
    ASSERT_WITHIN(state_of(world, id).linear_velocity.x, 0, 1e-4);
    ASSERT_NEAR(state_of(world, id).position.x, 2 * 2 / (2 * 0.5 * G), 0.02);
    scree_world_destroy(world);
}

/* A ball dropped from a metre leaves with e of its speed, to first order in the step. */
static void substeps_bounce(void **state) {
    scree_world_def def = def_on(state);
    def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SUBSTEP);
    def.material.restitution = 0.7f;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const scree_body_id id = add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 1.1f}, any);
    double highest = 0;
    run_for(world, 0.5);
    for (int i = 0; i < 80; i++) {
        CHECK(scree_world_step(world, NULL));
        highest = fmax(highest, (double)state_of(world, id).position.z - 0.1);
    }
    ASSERT_NEAR(highest, 0.49, 0.05);
    scree_world_destroy(world);
}

/* A motor below its largest torque turns a flywheel by τ/I, and a spring keeps its depth: the relax sweep
 * does not change driven rows. */
static void substeps_keep_motors_and_springs(void **state) {
    scree_world *world = substep_world(state);
    scree_joint_def motor = scree_default_joint_def(SCREE_JOINT_HINGE);
    motor.b = add_mass(world, 1, 0.5, any);
    motor.axes[SCREE_AXIS_ROTATION_X].drive = SCREE_DRIVE_VELOCITY;
    motor.axes[SCREE_AXIS_ROTATION_X].target = 100, motor.axes[SCREE_AXIS_ROTATION_X].max_force = 2;
    const scree_joint_id hinge = add_joint(world, &motor);
    scree_joint_def spring = scree_default_joint_def(SCREE_JOINT_SLIDER);
    const scree_body_id hung = add_mass(world, 2, 0.1, (scree_vec3){1, 0, 0});
    spring = joint_at(world, SCREE_JOINT_SLIDER, nothing, hung, (scree_vec3){1, 0, 0}, (scree_vec3){0, 0, 1});
    spring.axes[SCREE_AXIS_X].drive = SCREE_DRIVE_POSITION;
    spring.axes[SCREE_AXIS_X].max_force = 1e6f;
    spring.axes[SCREE_AXIS_X].servo = (scree_spring){.stiffness = 400, .damping = 80};
    add_joint(world, &spring);
    run_for(world, 1);
    ASSERT_NEAR(state_of(world, motor.b).angular_velocity.x, 2 / 0.5, 0.01);
    ASSERT_NEAR(joint_state_of(world, hinge).torque.x, 2, 0.02);
    run_for(world, 2);
    ASSERT_NEAR(state_of(world, hung).position.z, -2 * G / 400, 0.01);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(substeps_carry_a_stack),
        ON_EACH_BACKEND(substeps_have_coulomb_friction),
        ON_EACH_BACKEND(substeps_bounce),
        ON("native", columns_buckle_on_soft_springs), /* takes minutes on the reference */
        ON("opencl", columns_buckle_on_soft_springs),
        ON_EACH_BACKEND(substeps_keep_motors_and_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
