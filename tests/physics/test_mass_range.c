/* Masses from 1e-15 to 1e25 kg: motion does not depend on the unit of mass. */
#include "scenery.h"

enum { BODIES = 12, STEPS = 60 };

typedef struct outcome {
    scree_body_state states[BODIES];
    double residual, residual_absolute, violation;
    scree_stop stop;
    int iterations;
} outcome;

/* Simulates a stack of cubes that slides on a slope, a column of spheres with rolling friction that slips at
 * its foot, two cubes on a motorised hinge, and a force: all masses, forces and torques are `unit` times
 * those in kilograms. */
static void solve_in(void **state, float unit, outcome *out) {
    scree_world_def def = def_on(state);
    def.material.friction = 0.3f;
    def.material.rolling_friction = def.material.spinning_friction = 0.002f;
    def.solver.tolerance = 1e-5f;
    def.solver.iterations = 200;
    scree_world *world = world_of(&def);
    scree_body_id ids[BODIES];
    scree_statistics s;
    add_slope(world, 0.35f);
    for (int i = 0; i < BODIES; i++) {
        scree_body_def body = scree_default_body_def();
        const float height = 0.11f + 0.2f * (float)(i % 4);
        const int column = i / 4;
        body.shape = column == 1 ? scree_shape_sphere(0.1f) : scree_shape_box(0.1f, 0.1f, 0.1f);
        body.mass = unit * (1 + 0.25f * (float)(i % 3));
        body.state.rotation = (scree_quat){0, sinf(0.175f), 0, cosf(0.175f)};
        body.state.position = (scree_vec3){height * sinf(0.35f), (float)column, height * cosf(0.35f)};
        body.state.angular_velocity = (scree_vec3){0.1f, 0, (float)column};
        if (i == 3) body.force = (scree_vec3){0, unit, 0};
        if (i == 5) body.torque = (scree_vec3){0, 0.1f * unit, 0};
        CHECK(scree_body_create(world, &body, &ids[i]));
    }
    scree_joint_def hinge = scree_default_joint_def(SCREE_JOINT_HINGE);
    hinge.a = ids[10], hinge.b = ids[11];
    CHECK(scree_joint_get_frame(world, &hinge, (scree_vec3){0.17f, 2, 0.49f}, (scree_vec3){0, 1, 0},
                                (scree_vec3){0, 0, 0}));
    CHECK(scree_joint_create(world, &hinge, NULL));
    for (int k = 0; k < STEPS; k++) CHECK(scree_world_step(world, &s));
    for (int i = 0; i < BODIES; i++) out->states[i] = state_of(world, ids[i]);
    out->residual = s.solve.residual, out->residual_absolute = s.solve.residual_absolute / (double)unit;
    out->violation = s.solve.violation, out->stop = s.solve.stop, out->iterations = s.solve.iterations;
    scree_world_destroy(world);
}

/* Velocities do not depend on the unit of mass, and powers of two change no bit of them. */
static void motion_does_not_depend_on_the_mass_unit(void **state) {
    const int exponents[] = {-49, -44, 45, 60, 66, 80, 82};
    outcome kilogram, other;
    solve_in(state, 1, &kilogram);
    assert_true(kilogram.residual > 0 && kilogram.iterations > 0);
    for (int i = 0; i < 7; i++) {
        solve_in(state, ldexpf(1, exponents[i]), &other);
        assert_memory_equal(other.states, kilogram.states, sizeof other.states);
        assert_true(other.residual == kilogram.residual && other.violation == kilogram.violation);
        assert_true(other.residual_absolute == kilogram.residual_absolute);
        assert_true(other.stop == kilogram.stop && other.iterations == kilogram.iterations);
    }
}

/* Grains below planets: the squares of the grains' impulses underflow, and an unsolved step is not reported
 * as solved. */
static void extreme_ratios_are_not_reported_as_solved(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 4; i++) {
        scree_body_def body = scree_default_body_def();
        body.shape = scree_shape_sphere(0.1f);
        body.mass = i < 2 ? 1e-20f : 1e25f;
        body.state.position.z = 0.1f + 0.2f * (float)i;
        CHECK(scree_body_create(world, &body, NULL));
    }
    for (int i = 0; i < 10; i++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        assert_true(s.solve.stop != SCREE_STOP_RESIDUAL);
        ASSERT_AT_LEAST(s.solve.violation, 0.4);
    }
    scree_world_destroy(world);
}

/* A motor spins a wheel up within a step; the drift of the wheel's centre is rounding. */
static void a_wheel_that_hardly_moves_is_driven(void **state) {
    static const float drifts[] = {0, 1e-25f, 1e-15f, 1e-3f};
    for (int i = 0; i < 4; i++) {
        scree_world_def def = def_on(state);
        scree_body_def wheel = scree_default_body_def();
        scree_joint_def hinge = scree_default_joint_def(SCREE_JOINT_HINGE);
        scree_joint_axis *axis = &hinge.axes[SCREE_AXIS_ROTATION_X];
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        wheel.shape = scree_shape_sphere(0.1f), wheel.mass = 1;
        wheel.state.linear_velocity.x = drifts[i];
        CHECK(scree_body_create(world, &wheel, &hinge.b));
        axis->drive = SCREE_DRIVE_VELOCITY, axis->target = 10;
        CHECK(scree_joint_create(world, &hinge, NULL));
        CHECK(scree_world_step(world, NULL));
        ASSERT_NEAR(state_of(world, hinge.b).angular_velocity.x, 10, 1e-4);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", motion_does_not_depend_on_the_mass_unit), /* the reference works without units */
        ON("opencl", motion_does_not_depend_on_the_mass_unit),
        ON("native", extreme_ratios_are_not_reported_as_solved),
        ON("opencl", extreme_ratios_are_not_reported_as_solved),
        ON_EACH_BACKEND(a_wheel_that_hardly_moves_is_driven),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
