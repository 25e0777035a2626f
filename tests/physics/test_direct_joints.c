/* Joints solved along trees (scree_solver_def.direct_joints) against the reference, other threads and
 * other backends. test_direct_chain.c has chains. */
#include "joint_scenery.h"

static scree_body_id add_kilogram(scree_world *world, scree_shape shape, scree_vec3 at) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = shape, def.mass = 1, def.state.position = at;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* A hub of 1 kg on a ball joint carries twenty bodies of 1 kg. Sweeps leave its joints open by 0.6 mm. */
static void a_loaded_hub_is_solved_directly_by_default(void **state) {
    enum { BODIES = 20 };
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 240;
    scree_world *world = world_of(&def);
    const scree_body_id hub =
        add_kilogram(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, -0.1f});
    const scree_joint_def top =
        joint_at(world, SCREE_JOINT_BALL, nothing, hub, (scree_vec3){0}, (scree_vec3){1, 0, 0});
    add_joint(world, &top);
    for (int i = 0; i < BODIES; i++) {
        const float angle = 2 * (float)M_PI * (float)i / BODIES, x = cosf(angle), y = sinf(angle);
        const scree_body_id id =
            add_kilogram(world, scree_shape_sphere(0.02f), (scree_vec3){0.3f * x, 0.3f * y, -0.2f});
        const scree_joint_def fixed =
            joint_at(world, SCREE_JOINT_FIXED, hub, id, (scree_vec3){0.1f * x, 0.1f * y, -0.2f},
                     (scree_vec3){1, 0, 0});
        add_joint(world, &fixed);
    }
    for (int step = 0; step < 240; step++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        ASSERT_AT_MOST(s.joint_error_max, 1e-6);
    }
    scree_world_destroy(world);
}

/* Boxes in a row from the world, each pair on two universal joints 2 cm apart. Some rows follow from others
 * up to rounding; trees that solved them exactly gained 4e4 J. */
static void doubled_joints_gain_no_energy(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 240;
    scree_world *world = world_of(&def);
    scree_body_id before = nothing;
    for (int i = 0; i < 4; i++) {
        const float x = 0.2f * (float)i;
        const scree_body_id id =
            add_kilogram(world, scree_shape_box(0.1f, 0.03f, 0.03f), (scree_vec3){x + 0.1f, 0, 0});
        for (int k = 0; k < 2; k++) {
            const scree_joint_def def_of =
                joint_at(world, SCREE_JOINT_UNIVERSAL, before, id, (scree_vec3){x, 0.02f * (float)k, 0},
                         (scree_vec3){0, 1, 0});
            add_joint(world, &def_of);
        }
        before = id;
    }
    double first = NAN;
    for (int step = 0; step < 960; step++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        const double energy = s.kinetic_energy + s.potential_energy;
        if (step == 0) first = energy;
        ASSERT_AT_MOST(energy - first, 0.02 * 4 * G * 0.8);
        ASSERT_AT_MOST(s.joint_error_max, 5e-3);
    }
    scree_world_destroy(world);
}

/* A thousand links released horizontally: after 0.1 s no joint is open by a thousandth of a link. */
static void a_thousand_links_hold_together(void **state) {
    skip_if_short();
    enum { LINKS = 1000 };
    const float length = 0.1f;
    scree_world_def def = def_on(state);
    scree_statistics s = {0};
    def.time_step = 1.0 / 240;
    def.solver.direct_joints = true, def.solver.iterations = 8;
    scree_world *world = world_of(&def);
    scree_body_id before = nothing;
    for (int i = 0; i < LINKS; i++) {
        const scree_body_id id = add_body(world, scree_shape_box(length / 2, 0.02f, 0.02f),
                                          (scree_vec3){length * ((float)i + 0.5f), 0, 0}, any);
        const scree_joint_def ball = joint_at(world, SCREE_JOINT_BALL, before, id,
                                              (scree_vec3){length * (float)i, 0, 0}, (scree_vec3){1, 0, 0});
        add_joint(world, &ball);
        before = id;
    }
    for (int step = 0; step < 24; step++) {
        CHECK(scree_world_step(world, &s));
        ASSERT_AT_MOST(s.joint_error_max, 1e-3 * (double)length);
        ASSERT_AT_MOST(s.solve.residual, 1e-3);
    }
    scree_world_destroy(world);
}

/* With very few iterations a creature moves as in the reference. Without friction, so that the solution is
 * unique. */
static void trees_on_the_ground_match_the_reference(void **state) {
    scree_body_id bodies[2][CREATURE_BODIES];
    scree_world *worlds[2];
    for (int k = 0; k < 2; k++) {
        scree_world_def def = def_on(state);
        if (k) def.backend = SCREE_BACKEND_REFERENCE;
        def.time_step = 1.0 / 200;
        def.material.friction = 0;
        def.solver.direct_joints = true, def.solver.iterations = 200, def.solver.tolerance = 1e-6f;
        worlds[k] = world_of(&def);
        add_slope(worlds[k], 0);
        add_creature(worlds[k], 0.12f, bodies[k]);
    }
    scree_statistics s;
    for (int step = 0; step < 20; step++) {
        CHECK(scree_world_step(worlds[0], &s));
        CHECK(scree_world_step(worlds[1], NULL));
        ASSERT_AT_MOST(s.solve.residual, 1e-5);
    }
    assert_true(s.contacts > 0);
    for (int i = 0; i < CREATURE_BODIES; i++) {
        const scree_vec3 a = state_of(worlds[0], bodies[0][i]).linear_velocity,
                         b = state_of(worlds[1], bodies[1][i]).linear_velocity;
        ASSERT_AT_MOST(length_of((scree_vec3){a.x - b.x, a.y - b.y, a.z - b.z}), 1e-3);
    }
    scree_world_destroy(worlds[0]);
    scree_world_destroy(worlds[1]);
}

static uint64_t hash_after(scree_world_def def, int steps) {
    scree_world *world = world_of(&def);
    scree_body_id bodies[CREATURE_BODIES];
    add_slope(world, 0.1f);
    for (int i = 0; i < 12; i++) add_creature(world, 0.4f + 0.7f * (float)i, bodies);
    for (int step = 0; step < steps; step++) CHECK(scree_world_step(world, NULL));
    const uint64_t hash = scree_world_get_hash(world);
    scree_world_destroy(world);
    return hash;
}

/* A heap of creatures has the same bits on any number of threads and on devices, with every method and every
 * stabilisation with passes of its own. */
static void bits_do_not_depend_on_threads_or_backend(void **state) {
    const scree_stabilisation schemes[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_SUBSTEP,
                                           SCREE_STABILISATION_SOFT};
    for (int method = 0; method < SCREE_METHOD_COUNT; method++) {
        scree_world_def def = def_on(state);
        def.solver.method = (scree_method)method;
        def.solver.direct_joints = true, def.solver.iterations = 8;
        def.solver = scree_solver_def_with_stabilisation(def.solver, schemes[method % 3]);
        if (method == SCREE_METHOD_PGS) def.solver.colours = 3;
        const uint64_t one = hash_after(def, 30);
        def.threads = 3;
        assert_true(hash_after(def, 30) == one);
        def.backend = SCREE_BACKEND_OPENCL;
        if (!device_has_native_bits() || getenv("SCREE_TEST_BACKEND")) continue;
        assert_true(hash_after(def, 30) == one);
    }
}

/* Four hinges in a loop, all constraining the plane: the sweeps solve one, and redundant rows do no harm. */
static void loops_and_redundant_joints_do_no_harm(void **state) {
    scree_world_def def = def_on(state);
    const scree_vec3 y = {0, 1, 0};
    scree_body_id bars[4] = {nothing, nothing, nothing, nothing};
    scree_statistics s = {0};
    double most = 0, residual = 0;
    def.time_step = 0.004;
    def.solver.direct_joints = true;
    scree_world *world = world_of(&def);
    bars[0] = add_body(world, scree_shape_box(0.02f, 0.02f, 0.5f), (scree_vec3){0, 0, -0.5f}, any);
    bars[1] = add_body(world, scree_shape_box(0.5f, 0.02f, 0.02f), (scree_vec3){0.5f, 0, -1}, any);
    bars[2] = add_body(world, scree_shape_box(0.02f, 0.02f, 0.5f), (scree_vec3){1, 0, -0.5f}, any);
    const scree_vec3 points[] = {{0, 0, 0}, {0, 0, -1}, {1, 0, -1}, {1, 0, 0}};
    for (int i = 0; i < 4; i++)
        for (int twice = 0; twice < 2; twice++) { /* and every hinge twice */
            const scree_joint_def hinge = joint_at(world, SCREE_JOINT_HINGE, i ? bars[i - 1] : nothing,
                                                   i < 3 ? bars[i] : nothing, points[i], y);
            add_joint(world, &hinge);
        }
    CHECK(scree_body_apply_impulse(world, bars[1], (scree_vec3){10, 0, 0}));
    for (int step = 0; step < 500; step++) {
        CHECK(scree_world_step(world, &s));
        most = fmax(most, s.joint_error_max), residual = fmax(residual, s.solve.residual);
    }
    ASSERT_AT_MOST(most, 2e-3);
    assert_true(residual < 0.1); /* no NaN */
    scree_world_destroy(world);
}

/* A joint with a strength of half the weight breaks, and the bodies below fall freely. */
static void trees_fall_apart_where_joints_break(void **state) {
    scree_world_def def = def_on(state);
    scree_statistics s;
    def.time_step = 0.002;
    def.solver.direct_joints = true, def.solver.iterations = 6;
    scree_world *world = world_of(&def);
    scree_body_id links[4], above = nothing;
    for (int i = 0; i < 4; i++) {
        links[i] = add_mass(world, 1, 0.01, (scree_vec3){0, 0, -(float)i - 0.5f});
        scree_joint_def ball = joint_at(world, SCREE_JOINT_BALL, above, links[i],
                                        (scree_vec3){0, 0, -(float)i}, (scree_vec3){1, 0, 0});
        if (i == 2) ball.break_force = (float)G;
        add_joint(world, &ball);
        above = links[i];
    }
    CHECK(scree_world_step(world, &s));
    assert_int_equal(s.joints_broken, 1);
    for (int step = 0; step < 50; step++) CHECK(scree_world_step(world, &s));
    for (int i = 0; i < 4; i++)
        ASSERT_WITHIN(state_of(world, links[i]).linear_velocity.z, i < 2 ? 0 : -G * 0.1, 1e-4);
    scree_world_destroy(world);
}

/* Bodies with locked directions: a pendulum in a plane keeps its period, and a fully locked body does not
 * move. */
static void locked_axes_are_left_out(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.001;
    def.solver.direct_joints = true, def.solver.iterations = 6;
    scree_world *world = world_of(&def);
    scree_body_def bob = scree_default_body_def();
    scree_body_id id, still;
    bob.shape = scree_shape_sphere(0.01f), bob.mass = 2, bob.inertia = (scree_vec3){1e-6f, 1e-6f, 1e-6f};
    bob.state.position = (scree_vec3){0.1f, 0, -1};
    bob.locks = SCREE_LOCK_Y | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Z;
    CHECK(scree_body_create(world, &bob, &id));
    bob.state.position = (scree_vec3){0, 0, 0};
    bob.locks = SCREE_LOCK_X | SCREE_LOCK_Y | SCREE_LOCK_Z | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y |
                SCREE_LOCK_ROTATION_Z;
    CHECK(scree_body_create(world, &bob, &still));
    const scree_joint_def ball = joint_at(world, SCREE_JOINT_BALL, still, id, any, (scree_vec3){1, 0, 0});
    add_joint(world, &ball);
    const double length = sqrt(1.01), period = 2 * 3.14159265358979 * sqrt(length / G);
    double crossing = 0, before = 0.1;
    for (int step = 1; crossing == 0; step++) {
        CHECK(scree_world_step(world, NULL));
        const double x = (double)state_of(world, id).position.x;
        if (x <= 0) crossing = 0.001 * (step - x / (x - before));
        before = x;
        assert_true(step < 2000);
    }
    ASSERT_WITHIN(crossing / (period / 4), 1, 5e-3);
    assert_true(length_of(state_of(world, still).position) == 0);
    scree_world_destroy(world);
}

/* Returns the energy after some time of a body that hangs by a ball joint from one with locked axes, in
 * rotated frames. For the child, locked rows keep only round-off. */
static double swinging_energy(scree_world_def def, uint32_t locks) {
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    scree_body_id slider, bob;
    scree_statistics s;
    body.shape = scree_shape_box(0.18f, 0.11f, 0.08f), body.locks = locks, body.mask = 0;
    CHECK(scree_body_create(world, &body, &slider));
    body.shape = scree_shape_box(0.16f, 0.18f, 0.18f), body.locks = 0;
    body.state.position = (scree_vec3){0.5f, 0.1f, -0.3f};
    body.state.linear_velocity = (scree_vec3){0.3f, -0.7f, 0.2f};
    CHECK(scree_body_create(world, &body, &bob));
    const scree_joint_def ball =
        joint_at(world, SCREE_JOINT_BALL, slider, bob, any, (scree_vec3){0.3f, 1, 0.2f});
    add_joint(world, &ball);
    for (int step = 0; step < 60; step++) CHECK(scree_world_step(world, &s));
    scree_world_destroy(world);
    return s.kinetic_energy;
}

static void locked_axes_match_the_reference(void **state) {
    for (uint32_t locks = 0; locks < 64; locks++) {
        scree_world_def def = def_on(state);
        def.time_step = 1.0 / 200;
        def.solver.direct_joints = true;
        const double energy = swinging_energy(def, locks);
        def.backend = SCREE_BACKEND_REFERENCE;
        ASSERT_WITHIN(energy / swinging_energy(def, locks), 1, 0.02);
    }
}

/* A body that can only rotate, in a planar joint to one that spins or moves: its rows contradict each other,
 * and every solver leaves it as slow as its driver. */
static void contradictory_rows_add_no_energy(void **state) {
    for (int moves = 0; moves < 2; moves++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_ACCURATE);
        scree_world *world = world_of(&def);
        scree_body_def body = scree_default_body_def();
        scree_body_id driver, driven;
        scree_statistics s;
        body.type = SCREE_BODY_KINEMATIC, body.shape = scree_shape_box(0.1f, 0.1f, 0.1f);
        body.state.linear_velocity.x = moves ? 0.3f : 0, body.state.angular_velocity.z = moves ? 0 : 1;
        CHECK(scree_body_create(world, &body, &driver));
        body = scree_default_body_def();
        body.shape = scree_shape_box(0.1f, 0.15f, 0.2f), body.mass = 1;
        body.locks = SCREE_LOCK_X | SCREE_LOCK_Y | SCREE_LOCK_Z;
        body.state.position = (scree_vec3){0.5f, 0.3f, 0.2f};
        body.state.rotation = (scree_quat){0.23273f, 0.069819f, 0.046546f, 0.968912f};
        body.state.angular_velocity = (scree_vec3){0.5f, 0.3f, 0.1f};
        CHECK(scree_body_create(world, &body, &driven));
        const scree_joint_def planar =
            joint_at(world, SCREE_JOINT_PLANAR, driver, driven, (scree_vec3){0.25f, 0.15f, 0.1f},
                     (scree_vec3){1, 0.2f, 0.1f});
        add_joint(world, &planar);
        for (int step = 0; step < 240; step++) {
            CHECK(scree_world_step(world, &s));
            ASSERT_AT_MOST(s.kinetic_energy, 1); /* J */
        }
        scree_world_destroy(world);
    }
}

/* A hub of 1 kg that hangs from a ball joint; `links` of 1 kg stand out from it on ball joints of their own.
 */
static void hang_crowd(scree_world *world, int links) {
    const scree_body_id hub = add_kilogram(world, scree_shape_sphere(0.5f), (scree_vec3){0});
    const scree_joint_def top =
        joint_at(world, SCREE_JOINT_BALL, nothing, hub, (scree_vec3){0, 0, 0.5f}, (scree_vec3){1, 0, 0});
    add_joint(world, &top);
    for (int i = 0; i < links; i++) {
        const float angle = 2 * (float)M_PI * (float)i / (float)links, x = cosf(angle), y = sinf(angle);
        scree_body_def link = scree_default_body_def();
        scree_body_id id;
        link.shape = scree_shape_box(0.3f, 0.05f, 0.05f), link.mass = 1, link.mask = 0;
        link.state.position = (scree_vec3){0.9f * x, 0.9f * y, 0};
        link.state.rotation = (scree_quat){0, 0, sinf(angle / 2), cosf(angle / 2)};
        CHECK(scree_body_create(world, &link, &id));
        const scree_joint_def ball = joint_at(world, SCREE_JOINT_BALL, hub, id,
                                              (scree_vec3){0.6f * x, 0.6f * y, 0}, (scree_vec3){1, 0, 0});
        add_joint(world, &ball);
    }
}

/* Returns the kinetic energy after a second of the links' swinging, J. */
static double swung(void **state, int links, scree_method method, bool direct, double *error) {
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 60;
    def.solver.method = method, def.solver.direct_joints = direct;
    scree_world *world = world_of(&def);
    scree_statistics s;
    hang_crowd(world, links);
    *error = 0;
    for (int step = 0; step < 60; step++) {
        CHECK(scree_world_step(world, &s));
        *error = fmax(*error, s.joint_error_max);
    }
    scree_world_destroy(world);
    return s.kinetic_energy;
}

/* Sweeps over many joints of a light hub agree with the direct solution: with momentum, for which they must
 * be symmetric, and with more joints at the hub than there are colours for contacts. Links of 0.6 m opened by
 * 4 % and by 15 % of their length. */
static void sweeps_hold_a_crowd_of_joints(void **state) {
    const struct {
        scree_method method;
        int links;
    } cases[] = {{SCREE_METHOD_ACCELERATED_PGS, 40}, {SCREE_METHOD_PGS, 60}};
    for (int i = 0; i < 2; i++) {
        double direct_error, error;
        const double direct = swung(state, cases[i].links, cases[i].method, true, &direct_error),
                     energy = swung(state, cases[i].links, cases[i].method, false, &error);
        ASSERT_AT_MOST(direct_error, 0.6 * 0.002);
        ASSERT_AT_MOST(error, 0.6 * 0.015);
        ASSERT_WITHIN(energy / direct, 1, 0.02);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", a_loaded_hub_is_solved_directly_by_default),
        ON("native", doubled_joints_gain_no_energy),
        ON("native", a_thousand_links_hold_together),
        ON("native", trees_on_the_ground_match_the_reference),
        ON("native", bits_do_not_depend_on_threads_or_backend),
        ON("native", loops_and_redundant_joints_do_no_harm),
        ON("native", trees_fall_apart_where_joints_break),
        ON("opencl", trees_fall_apart_where_joints_break),
        ON("native", locked_axes_are_left_out),
        ON("native", locked_axes_match_the_reference),
        ON("native", contradictory_rows_add_no_energy),
        ON("native", sweeps_hold_a_crowd_of_joints),
        ON("opencl", sweeps_hold_a_crowd_of_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
