/* Joints solved along trees (scree_solver_def.direct_joints): against statics, the reference, and themselves
 * on other threads and backends. */
#include "joint_scenery.h"

/* A chain that hangs from the world at the origin, with a load at its lower end. */
typedef struct chain {
    scree_world *world;
    scree_joint_id joints[64];
} chain;

static void hang(chain *self, int links, float length, float load) {
    scree_body_id above = nothing;
    for (int i = 0; i <= links; i++) {
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.shape = i == links ? scree_sphere(0.05f) : scree_box(0.03f, 0.03f, length / 2);
        body.mass = i == links ? load : 1;
        body.state.position.z = -length * ((float)i + (i == links ? 0 : 0.5f));
        CHECK(scree_body_create(self->world, &body, &id));
        const scree_joint_def ball = joint_at(self->world, SCREE_JOINT_BALL, above, id,
                                              (scree_vec3){0, 0, -length * (float)i}, (scree_vec3){1, 0, 0});
        self->joints[i] = add_joint(self->world, &ball);
        above = id;
    }
}

/* Each joint carries what hangs below it, after one step of four iterations from nothing, by every method,
 * and up to a load of a million links. */
static void a_chain_carries_its_load_at_once(void **state) {
    enum { LINKS = 10 };
    for (int method = 0; method < SCREE_METHOD_COUNT; method++)
        for (float load = 1; load < 2e6f; load *= 1000) {
            scree_world_def def = def_on(state);
            chain self;
            def.time_step = 1.0 / 5000;
            def.solver.method = (scree_method)method;
            def.solver.direct_joints = true, def.solver.iterations = 4, def.solver.tolerance = 0;
            self.world = world_of(&def);
            hang(&self, LINKS, 0.2f, load);
            CHECK(scree_world_step(self.world, NULL));
            for (int i = 0; i <= LINKS; i++) {
                const double weight = G * ((double)load + LINKS - i);
                ASSERT_WITHIN(joint_state_of(self.world, self.joints[i]).force.z / weight, 1, 2e-6);
            }
            scree_world_destroy(self.world);
        }
}

/* 50 000 kg on ten links of 1 kg, as in test_hanging, with ten iterations a step: the joints' errors stay
 * below a ten-thousandth of a link, and ten iterations without trees leave more than a hundredth. */
static void ten_iterations_hold_a_heavy_load(void **state) {
    double worst[2] = {0, 0};
    for (int direct = 0; direct < 2; direct++) {
        scree_world_def def = def_on(state);
        chain self;
        scree_statistics s;
        def.time_step = 1.0 / 5000;
        def.solver.direct_joints = direct, def.solver.iterations = 10, def.solver.tolerance = 0;
        self.world = world_of(&def);
        hang(&self, 10, 0.2f, 50000);
        for (int step = 0; step < 500; step++) {
            CHECK(scree_world_step(self.world, &s));
            worst[direct] = fmax(worst[direct], s.joint_error_max);
        }
        scree_world_destroy(self.world);
    }
    ASSERT_AT_MOST(worst[1], 1e-4 * 0.2);
    assert_true(worst[0] > 0.01 * 0.2);
}

/* A thousand links, let go at the horizontal: after 0.1 s no joint is open by a thousandth of a link. */
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
        const scree_body_id id = add_body(world, scree_box(length / 2, 0.02f, 0.02f),
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

/* What a creature's bodies do in a step with hardly any iterations is what the reference says. Frictionless,
 * so that there is one solution. */
static void trees_on_the_ground_are_those_of_the_reference(void **state) {
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
    const uint64_t hash = scree_world_hash(world);
    scree_world_destroy(world);
    return hash;
}

/* A heap of creatures: the same bits with any number of threads and on devices, by every method and with
 * every way of removing errors that makes passes of its own. */
static void bits_do_not_depend_on_who_solves(void **state) {
    const scree_stabilisation schemes[] = {SCREE_STABILISATION_SPLIT, SCREE_STABILISATION_SUBSTEP,
                                           SCREE_STABILISATION_SOFT};
    for (int method = 0; method < SCREE_METHOD_COUNT; method++) {
        scree_world_def def = def_on(state);
        def.solver.method = (scree_method)method;
        def.solver.direct_joints = true, def.solver.iterations = 8;
        def.solver.stabilisation = schemes[method % 3];
        if (method == SCREE_METHOD_PGS) def.solver.colours = 3;
        const uint64_t one = hash_after(def, 30);
        def.threads = 3;
        assert_true(hash_after(def, 30) == one);
        def.backend = SCREE_BACKEND_OPENCL;
        if (!device_has_native_bits() || getenv("SCREE_TEST_BACKEND")) continue;
        assert_true(hash_after(def, 30) == one);
    }
}

/* Four hinges in a loop, all of which hold the plane: one is left to the sweeps, and what the others say
 * twice is no harm. */
static void loops_and_what_is_said_twice_do_no_harm(void **state) {
    scree_world_def def = def_on(state);
    const scree_vec3 y = {0, 1, 0};
    scree_body_id bars[4] = {nothing, nothing, nothing, nothing};
    scree_statistics s = {0};
    double most = 0, residual = 0;
    def.time_step = 0.004;
    def.solver.direct_joints = true;
    scree_world *world = world_of(&def);
    bars[0] = add_body(world, scree_box(0.02f, 0.02f, 0.5f), (scree_vec3){0, 0, -0.5f}, any);
    bars[1] = add_body(world, scree_box(0.5f, 0.02f, 0.02f), (scree_vec3){0.5f, 0, -1}, any);
    bars[2] = add_body(world, scree_box(0.02f, 0.02f, 0.5f), (scree_vec3){1, 0, -0.5f}, any);
    const scree_vec3 points[] = {{0, 0, 0}, {0, 0, -1}, {1, 0, -1}, {1, 0, 0}};
    for (int i = 0; i < 4; i++)
        for (int twice = 0; twice < 2; twice++) { /* and every hinge is there twice */
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

/* A joint that is to break under half the weight does, and what hung on it falls freely. */
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

/* Bodies that cannot move in some directions: a pendulum in a plane keeps its period, and nothing pulls a
 * body along whose axes are all locked. */
static void locked_axes_are_left_out(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.001;
    def.solver.direct_joints = true, def.solver.iterations = 6;
    scree_world *world = world_of(&def);
    scree_body_def bob = scree_default_body_def();
    scree_body_id id, still;
    bob.shape = scree_sphere(0.01f), bob.mass = 2, bob.inertia = (scree_vec3){1e-6f, 1e-6f, 1e-6f};
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

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", a_chain_carries_its_load_at_once),
        ON("opencl", a_chain_carries_its_load_at_once),
        ON("native", ten_iterations_hold_a_heavy_load),
        ON("native", a_thousand_links_hold_together),
        ON("native", trees_on_the_ground_are_those_of_the_reference),
        ON("native", bits_do_not_depend_on_who_solves),
        ON("native", loops_and_what_is_said_twice_do_no_harm),
        ON("native", trees_fall_apart_where_joints_break),
        ON("opencl", trees_fall_apart_where_joints_break),
        ON("native", locked_axes_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
