/* Bodies without a drive gain no energy and no spin from corrections of positions, or from the places at
 * which contacts act in a step. */
#include "scenery.h"

#include "random_vectors.h"

static const scree_stabilisation corrected[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_SUBSTEP};

static scree_quat turned_about_y(double angle) {
    return (scree_quat){0, (float)sin(angle / 2), 0, (float)cos(angle / 2)};
}

/* Returns the components of the body's z axis. */
static scree_vec3 axis_of(const scree_world *world, scree_body_id id) {
    const scree_quat q = state_of(world, id).rotation;
    return (scree_vec3){2 * (q.x * q.z + q.w * q.y), 2 * (q.y * q.z - q.w * q.x),
                        1 - 2 * (q.x * q.x + q.y * q.y)};
}

static double axial_spin(const scree_world *world, scree_body_id id) {
    const scree_vec3 z = axis_of(world, id), w = state_of(world, id).angular_velocity;
    return (double)(z.x * w.x + z.y * w.y + z.z * w.z);
}

static scree_world *world_with(void **state, scree_stabilisation scheme, double step, float friction) {
    scree_world_def def = def_on(state);
    def.solver = scree_solver_def_with_stabilisation(def.solver, scheme);
    def.time_step = step;
    def.material.friction = friction;
    return world_of(&def);
}

static void add_fixed(scree_world *world, scree_shape shape, scree_vec3 at, scree_quat rotation) {
    scree_body_def def = scree_default_body_def();
    def.type = SCREE_BODY_STATIC;
    def.shape = shape, def.state.position = at, def.state.rotation = rotation;
    CHECK(scree_body_create(world, &def, NULL));
}

/* A rod of 4 mm and 1 m on a hinge that is inclined to its axis, without gravity. Its axial moment is 1e-5 of
 * the others: a small turn of L onto the axis would spin it up, from 2 to 6.6 J in a second. */
static void a_slender_rod_on_a_hinge_gains_no_energy(void **state) {
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_stabilisation(def.solver, corrected[i]);
        def.time_step = 1.0 / 120, def.gravity = (scree_vec3){0};
        scree_world *world = world_of(&def);
        scree_body_def rod = scree_default_body_def();
        scree_joint_def hinge = scree_default_joint_def(SCREE_JOINT_HINGE);
        double first = NAN;
        rod.shape = scree_shape_capsule(0.002f, 0.5f), rod.mass = 1;
        rod.state.angular_velocity = (scree_vec3){6, 8, 4};
        CHECK(scree_body_create(world, &rod, &hinge.b));
        CHECK(scree_joint_get_frame(world, &hinge, (scree_vec3){0, 0, 0.3f}, (scree_vec3){1, 1, 0.5f},
                                    (scree_vec3){0}));
        CHECK(scree_joint_create(world, &hinge, NULL));
        for (int step = 0; step < 240; step++) {
            scree_statistics s;
            CHECK(scree_world_step(world, &s));
            if (step == 0) first = s.kinetic_energy;
            ASSERT_AT_MOST(s.kinetic_energy, 1.05 * first);
        }
        scree_world_destroy(world);
    }
}

/* Contacts without friction have no moment about the axis of a body of revolution. */
static void a_rocking_capsule_keeps_its_axial_spin(void **state) {
    for (int i = 0; i < 2; i++) {
        scree_world *world = world_with(state, corrected[i], 1.0 / 120, 0);
        scree_body_def capsule = scree_default_body_def();
        scree_body_id id;
        add_slope(world, 0);
        capsule.shape = scree_shape_capsule(0.1f, 0.5f), capsule.mass = 1;
        capsule.state.position = (scree_vec3){0, 0, (float)(0.11 + 0.5 * sin(0.1))};
        capsule.state.rotation = turned_about_y(M_PI / 2 - 0.1);
        capsule.state.angular_velocity = (scree_vec3){0, 0, 10};
        CHECK(scree_body_create(world, &capsule, &id));
        const double spin = axial_spin(world, id);
        run_for(world, 4);
        print_message("%s: axial spin %.4f of %.4f rad/s\n", scree_stabilisation_name(corrected[i]),
                      axial_spin(world, id), spin);
        ASSERT_WITHIN(axial_spin(world, id), spin, 0.1);
        scree_world_destroy(world);
    }
}

/* A column stands on a wide disc that turns under it without friction, and one that slides along a cylinder.
 * The mean of the places that both bodies carry along lags by h v/2, which is more than half its width. */
static void sliding_columns_stand(void **state) {
    for (int i = 0; i < 4; i++) {
        scree_world *world = world_with(state, corrected[i / 2], 1.0 / 60, 0);
        scree_body_def column = scree_default_body_def();
        scree_body_id id;
        column.mass = 1;
        if (i % 2) {
            add_fixed(world, scree_shape_cylinder(1, 100), (scree_vec3){0, 0, -1}, turned_about_y(M_PI / 2));
            column.shape = scree_shape_box(0.05f, 0.05f, 0.15f), column.state.position.z = 0.15f;
            column.state.linear_velocity.x = 20;
            column.locks = SCREE_LOCK_Y | SCREE_LOCK_ROTATION_X;
        } else {
            scree_body_def disc = scree_default_body_def();
            disc.type = SCREE_BODY_KINEMATIC;
            disc.shape = scree_shape_cylinder(30, 1), disc.state.position.z = -1;
            disc.state.angular_velocity.z = 6;
            CHECK(scree_body_create(world, &disc, NULL));
            column.shape = scree_shape_box(0.02f, 0.02f, 0.2f);
            column.state.position = (scree_vec3){5, 0, 0.2f};
        }
        CHECK(scree_body_create(world, &column, &id));
        run_for(world, 2);
        ASSERT_AT_LEAST(axis_of(world, id).z, 0.999);
        scree_world_destroy(world);
    }
}

/* A plank of 4 m rests with one end on a block, with the other on a small disc that turns without friction.
 */
static void a_plank_stays_on_a_turning_disc(void **state) {
    for (int i = 0; i < 2; i++) {
        scree_world *world = world_with(state, corrected[i], 1.0 / 120, 0);
        scree_body_def disc = scree_default_body_def(), plank = scree_default_body_def();
        scree_body_id id;
        disc.type = SCREE_BODY_KINEMATIC;
        disc.shape = scree_shape_cylinder(0.2f, 0.2f), disc.state.position = (scree_vec3){1.5f, 0, -0.2f};
        disc.state.angular_velocity.z = 48;
        plank.shape = scree_shape_box(2, 0.05f, 0.05f), plank.mass = 10, plank.state.position.z = 0.05f;
        add_fixed(world, scree_shape_box(0.2f, 0.2f, 0.2f), (scree_vec3){-1.5f, 0, -0.2f},
                  (scree_quat){0, 0, 0, 1});
        CHECK(scree_body_create(world, &disc, NULL));
        CHECK(scree_body_create(world, &plank, &id));
        run_for(world, 2);
        ASSERT_WITHIN(state_of(world, id).position.z, 0.05, 1e-3);
        ASSERT_AT_LEAST(axis_of(world, id).z, 0.999);
        scree_world_destroy(world);
    }
}

/* Ellipsoids of revolution rock and roll on a floor without friction. With places that turn along with the
 * body they rolled as polygons, and the sum of their gains was a tenth of their energy. */
static void rocking_ellipsoids_gain_no_energy(void **state) {
    enum { BODIES = 16 };
    scree_world *world = world_with(state, SCREE_STABILISATION_SUBSTEP, 1.0 / 120, 0);
    uint64_t seed = 5;
    double last = NAN, gained = 0;
    add_slope(world, 0);
    for (int i = 0; i < BODIES; i++) {
        scree_body_def body = scree_default_body_def();
        const vec3s w = random_vector(&seed, -5, 5);
        body.shape = scree_shape_ellipsoid(0.05f, 0.05f, 0.25f), body.mass = 1;
        body.state.position = (scree_vec3){2 * (float)(i % 4), 2 * (float)(i / 4), 0.6f};
        body.state.rotation = turned_about_y(random_between(&seed, -3, 3));
        body.state.angular_velocity = (scree_vec3){w.x, w.y, w.z};
        CHECK(scree_body_create(world, &body, NULL));
    }
    for (int step = 0; step < 480; step++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        const double energy = s.kinetic_energy + s.potential_energy;
        gained += step ? fmax(energy - last, 0) : 0;
        last = energy;
    }
    print_message("gains of %.4f J, %.3f J each at the end\n", gained / BODIES, last / BODIES);
    ASSERT_AT_MOST(gained / BODIES, 0.01);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", a_slender_rod_on_a_hinge_gains_no_energy),
        ON("opencl", a_slender_rod_on_a_hinge_gains_no_energy),
        ON("native", a_rocking_capsule_keeps_its_axial_spin),
        ON("opencl", a_rocking_capsule_keeps_its_axial_spin),
        ON("native", sliding_columns_stand),
        ON("opencl", sliding_columns_stand),
        ON("native", a_plank_stays_on_a_turning_disc),
        ON("opencl", a_plank_stays_on_a_turning_disc),
        ON("native", rocking_ellipsoids_gain_no_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
