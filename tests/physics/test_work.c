/* Energy measurements of contacts, in whole steps and in substeps, against mechanics. */
#include "measurement_scenery.h"

static const double MU = 0.8, G = 9.81;

/* Makes a world of a preset with 60 steps a second, and its energy measurement. */
static scree_world *measured_world(void **state, scree_preset preset, scree_measurement_id *energy) {
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 60;
    def.material.friction = (float)MU;
    def.solver = scree_solver_def_with_preset(def.solver, preset);
    scree_world *world = world_of(&def);
    *energy = measurement_made(world, measurement_def_of(SCREE_MEASUREMENT_ENERGY, "energy"));
    return world;
}

static const scree_preset presets[] = {SCREE_PRESET_ACCURATE, SCREE_PRESET_REALTIME};
enum { PRESETS = sizeof presets / sizeof *presets };

static scree_body_id add_table(scree_world *world, double rate) {
    scree_body_def table = scree_default_body_def();
    scree_body_id id;
    table.type = SCREE_BODY_KINEMATIC;
    table.shape = scree_shape_box(2, 2, 0.05f);
    table.state.position = (scree_vec3){0, 0, -0.05f};
    table.state.angular_velocity = (scree_vec3){0, 0, (float)rate};
    CHECK(scree_body_create(world, &table, &id));
    return id;
}

/* Adds a cube half a metre from the table's axis that moves with it. */
static scree_body_id add_cube(scree_world *world, double rate) {
    scree_body_def cube = scree_default_body_def();
    scree_body_id id;
    cube.shape = scree_shape_box(0.05f, 0.05f, 0.05f);
    cube.state.position = (scree_vec3){0.5f, 0, 0.05f};
    cube.state.linear_velocity = (scree_vec3){0, (float)(0.5 * rate), 0};
    cube.state.angular_velocity = (scree_vec3){0, 0, (float)rate};
    CHECK(scree_body_create(world, &cube, &id));
    return id;
}

/* A sticking contact dissipates nothing, and a uniformly turning table does no work on the cube: its force is
 * perpendicular to the path. In a second it turns by 3 rad. */
static void a_uniform_table_does_no_work(void **state) {
    for (int i = 0; i < PRESETS; i++) {
        scree_measurement_id energy;
        scree_world *world = measured_world(state, presets[i], &energy);
        add_table(world, 3);
        add_cube(world, 3);
        run_for(world, 0.1); /* until it follows the chords of its circle */
        const double friction_before = sample_of(world, energy, "friction_J"),
                     drive_before = sample_of(world, energy, "drive_J");
        run_for(world, 1);
        const double kinetic = sample_of(world, energy, "kinetic_energy_J"),
                     friction = sample_of(world, energy, "friction_J") - friction_before,
                     drive = sample_of(world, energy, "drive_J") - drive_before,
                     residue = sample_of(world, energy, "residue_J");
        print_message("%s: kinetic %.6f, friction %.2e, drive %.2e, residue %.2e J\n",
                      scree_preset_name(presets[i]), kinetic, friction, drive, residue);
        assert_true(kinetic > 1);
        ASSERT_AT_MOST(fabs(friction), 1e-5 * kinetic);
        ASSERT_AT_MOST(fabs(drive), 1e-5 * kinetic);
        ASSERT_AT_MOST(fabs(residue), 1e-3 * kinetic);
        scree_world_destroy(world);
    }
}

/* A table with angular acceleration α gives the cube all of its ½ m v²; friction takes half of the square of
 * each step's jump α h r, h/T in total. */
static void an_accelerating_table_supplies_the_energy(void **state) {
    const double rate = 2, seconds = 1;
    for (int i = 0; i < PRESETS; i++) {
        scree_measurement_id energy;
        scree_world *world = measured_world(state, presets[i], &energy);
        const double h = scree_world_get_def(world).time_step;
        const scree_body_id table = add_table(world, 0);
        add_cube(world, 0);
        run_for(world, 0.1);
        const double before = sample_of(world, energy, "drive_J");
        for (int step = 1; step <= lround(seconds / h); step++) {
            scree_body_state told = state_of(world, table);
            told.angular_velocity.z = (float)(rate * step * h / seconds);
            CHECK(scree_body_set_state(world, table, &told));
            CHECK(scree_world_step(world, NULL));
        }
        const double kinetic = sample_of(world, energy, "kinetic_energy_J"),
                     friction = sample_of(world, energy, "friction_J"),
                     drive = sample_of(world, energy, "drive_J") - before;
        print_message("%s: kinetic %.6f, friction %.2e, drive %.6f J\n", scree_preset_name(presets[i]),
                      kinetic, friction, drive);
        assert_true(kinetic > 0.4);
        ASSERT_NEAR(drive, kinetic, 0.03);
        ASSERT_NEAR(drive - friction, kinetic, 1e-3);
        ASSERT_AT_MOST(fabs(friction), 0.03 * kinetic);
        scree_world_destroy(world);
    }
}

/* A block slides to rest: friction dissipates μ m g times the distance. */
static void friction_dissipates_force_times_distance(void **state) {
    for (int i = 0; i < PRESETS; i++) {
        scree_measurement_id energy;
        scree_world *world = measured_world(state, presets[i], &energy);
        add_slope(world, 0);
        const scree_body_id block = add_body(world, scree_shape_box(0.3f, 0.3f, 0.05f),
                                             (scree_vec3){0, 0, 0.05f}, (scree_vec3){4, 0, 0});
        const double mass = 1000 * 8 * 0.3 * 0.3 * 0.05, kinetic = mass * 4 * 4 / 2;
        run_for(world, 1);
        const double way = (double)state_of(world, block).position.x,
                     friction = sample_of(world, energy, "friction_J"),
                     drive = sample_of(world, energy, "drive_J"),
                     left = sample_of(world, energy, "kinetic_energy_J");
        print_message("%s: friction %.4f of %.4f J, %.4f times the force's work, drive %.1e, left %.1e J\n",
                      scree_preset_name(presets[i]), friction, kinetic, friction / (MU * mass * G * way),
                      drive, left);
        ASSERT_AT_MOST(left, 1e-4 * kinetic);
        ASSERT_NEAR(friction, kinetic, 2e-3);
        ASSERT_NEAR(friction, MU * mass * G * way, 0.04); /* h v/2 of the distance */
        ASSERT_AT_MOST(fabs(drive), 1e-6 * kinetic);
        scree_world_destroy(world);
    }
}

/* Returns the energy that impacts of an ellipsoid rolling at 12.5 rad/s dissipate in a second, J. */
static double roll_ellipsoid(void **state, double time_step) {
    scree_world_def def = def_on(state);
    def.time_step = time_step;
    scree_world *world = world_of(&def);
    const scree_measurement_id energy =
        measurement_made(world, measurement_def_of(SCREE_MEASUREMENT_ENERGY, "energy"));
    scree_body_def body = scree_default_body_def();
    body.shape = scree_shape_ellipsoid(0.1f, 0.12f, 0.08f);
    body.state.position.z = 0.08f;
    body.state.linear_velocity.x = 1;
    body.state.angular_velocity.y = 12.5f;
    add_slope(world, 0);
    CHECK(scree_body_create(world, &body, NULL));
    run_for(world, 1);
    const double impact = sample_of(world, energy, "impact_J"),
                 friction = sample_of(world, energy, "friction_J");
    print_message("%g s: impact %.3e, friction %.3e J\n", time_step, impact, friction);
    ASSERT_WITHIN(friction, 0, 0.05 * impact);
    scree_world_destroy(world);
    return impact;
}

/* A body that rolls without slip loses no energy. The contact moves over the body within a step, and the work
 * of its impulse at the place at the start has an error of second order. */
static void work_of_rolling_is_an_error_of_the_step(void **state) {
    ASSERT_NEAR(roll_ellipsoid(state, 1.0 / 240) / roll_ellipsoid(state, 1.0 / 120), 0.25, 0.2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", a_uniform_table_does_no_work),
        ON("opencl", a_uniform_table_does_no_work),
        ON("native", an_accelerating_table_supplies_the_energy),
        ON("opencl", an_accelerating_table_supplies_the_energy),
        ON("native", work_of_rolling_is_an_error_of_the_step),
        ON("opencl", work_of_rolling_is_an_error_of_the_step),
        ON("native", friction_dissipates_force_times_distance),
        ON("opencl", friction_dissipates_force_times_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
