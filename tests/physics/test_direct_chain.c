/* Chains whose joints are solved along trees (scree_solver_def.direct_joints), against statics and energy. */
#include "joint_scenery.h"

/* a chain that hangs from the world at the origin, with a load at its lower end */
typedef struct chain {
    scree_world *world;
    scree_joint_id joints[64];
} chain;

static void hang(chain *self, int links, float length, float load) {
    scree_body_id above = nothing;
    for (int i = 0; i <= links; i++) {
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.shape = i == links ? scree_shape_sphere(0.05f) : scree_shape_box(0.03f, 0.03f, length / 2);
        body.mass = i == links ? load : 1;
        body.state.position.z = -length * ((float)i + (i == links ? 0 : 0.5f));
        CHECK(scree_body_create(self->world, &body, &id));
        const scree_joint_def ball = joint_at(self->world, SCREE_JOINT_BALL, above, id,
                                              (scree_vec3){0, 0, -length * (float)i}, (scree_vec3){1, 0, 0});
        self->joints[i] = add_joint(self->world, &ball);
        above = id;
    }
}

/* Each joint carries the weight below it after one cold-started step of four iterations, with every method,
 * up to a load of a million links. */
static void a_chain_carries_its_load_in_one_step(void **state) {
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

/* Returns the largest relative error of a chain's joint forces after one cold-started step with the default's
 * trees and four plain sweeps. */
static double default_error(void **state, int links, float load) {
    scree_world_def def = def_on(state);
    chain self;
    double worst = 0;
    def.time_step = 1.0 / 5000;
    def.solver.method = SCREE_METHOD_PGS, def.solver.iterations = 4, def.solver.tolerance = 0;
    self.world = world_of(&def);
    hang(&self, links, 0.2f, load);
    CHECK(scree_world_step(self.world, NULL));
    for (int i = 0; i <= links; i++) {
        const double weight = G * ((double)load + links - i);
        worst = fmax(worst, fabs(joint_state_of(self.world, self.joints[i]).force.z / weight - 1));
    }
    scree_world_destroy(self.world);
    return worst;
}

/* The default solves trees of four levels directly, and shallow ones in which a body carries more than twice
 * its mass; others are left to the sweeps, which four do not solve. */
static void deep_and_loaded_trees_are_direct_by_default(void **state) {
    ASSERT_AT_MOST(default_error(state, 3, 1), 2e-6);
    ASSERT_AT_MOST(default_error(state, 2, 1.1f), 2e-6);
    assert_true(default_error(state, 2, 1) > 1e-3);
    assert_true(default_error(state, 2, 0.9f) > 1e-3);
}

/* 50 000 kg on ten links of 1 kg, as in test_hanging, with ten iterations per step: joint errors stay below a
 * ten-thousandth of a link; without trees they exceed a hundredth. */
static void ten_iterations_solve_a_heavy_load(void **state) {
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

/* A chain with a load of a hundred thousand links at steps in which its links swing transversely by more than
 * a radian: its error is unbounded, but it gains no energy and stays finite. */
static void too_long_steps_add_no_energy_to_a_chain(void **state) {
    const float load = 1e5f;
    scree_world_def def = def_on(state);
    scree_statistics s;
    double first = 0;
    def.time_step = 1.0 / 500;
    def.solver.direct_joints = true;
    chain self = {.world = world_of(&def)};
    hang(&self, 4, 0.2f, load);
    for (int step = 0; step < 200; step++) {
        CHECK(scree_world_step(self.world, &s));
        const double energy = s.kinetic_energy + s.potential_energy;
        if (step == 0) first = energy;
        ASSERT_AT_MOST(energy - first, 1e-3 * (double)load * G * 0.2);
    }
    scree_world_destroy(self.world);
}

/* A million times a link's mass hangs at rest. The residual is dominated by the load and does not show the
 * drift of links: the tree is solved in every step, however small the initial residual. */
static void links_under_a_load_stay_at_rest(void **state) {
    scree_world_def def = def_on(state);
    scree_statistics s;
    def.time_step = 1e-5;
    def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_ACCURATE);
    chain self = {.world = world_of(&def)};
    hang(&self, 10, 0.2f, 1e6f);
    for (int step = 0; step < 700; step++) {
        CHECK(scree_world_step(self.world, &s));
        assert_true(s.solve.iterations > 0);
        ASSERT_AT_MOST(s.kinetic_energy, 4);
    }
    scree_world_destroy(self.world);
}

/* Rows locked for both bodies do not exclude a tree: a chain in a plane carries a thousand links at once. */
static void a_chain_in_a_plane_carries_its_load(void **state) {
    enum { LINKS = 10 };
    const float load = 1000;
    scree_world_def def = def_on(state);
    scree_joint_id joints[LINKS + 1];
    def.time_step = 1.0 / 5000;
    def.solver.direct_joints = true, def.solver.iterations = 4, def.solver.tolerance = 0;
    scree_world *world = world_of(&def);
    scree_body_id above = nothing;
    for (int i = 0; i <= LINKS; i++) {
        scree_body_def body = scree_default_body_def();
        scree_body_id id;
        body.shape = scree_shape_box(0.02f, 0.02f, 0.1f), body.mass = i == LINKS ? load : 1;
        body.state.position.z = -0.2f * ((float)i + 0.5f);
        body.locks = SCREE_LOCK_Y | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Z;
        CHECK(scree_body_create(world, &body, &id));
        const scree_joint_def hinge = joint_at(world, SCREE_JOINT_HINGE, above, id,
                                               (scree_vec3){0, 0, -0.2f * (float)i}, (scree_vec3){0, 1, 0});
        joints[i] = add_joint(world, &hinge);
        above = id;
    }
    CHECK(scree_world_step(world, NULL));
    for (int i = 0; i <= LINKS; i++)
        ASSERT_WITHIN(joint_state_of(world, joints[i]).force.z / (G * ((double)load + LINKS - i)), 1, 1e-5);
    scree_world_destroy(world);
}

/* Thirty balls on hinges about parallel axes, held at both ends, with three redundant rows. Released from a V
 * it falls, and never exceeds its initial energy. */
static void a_chain_of_hinges_held_twice_gains_no_energy(void **state) {
    enum { LINKS = 30 };
    const float half = 1.0f, depth = 1.118034f;
    scree_world_def def = def_on(state);
    scree_body_id before = nothing;
    scree_statistics s;
    double first = 0;
    def.time_step = 0.002;
    def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_ACCURATE);
    scree_world *world = world_of(&def);
    for (int i = 0; i <= LINKS; i++) {
        const float t = 2 * (float)i / LINKS - 1, u = t + 1.0f / LINKS;
        scree_body_id id = nothing;
        if (i < LINKS) id = add_mass(world, 0.1f, 3.6e-5f, (scree_vec3){half * u, 0, depth * (fabsf(u) - 1)});
        const scree_joint_def hinge =
            joint_at(world, SCREE_JOINT_HINGE, before, id, (scree_vec3){half * t, 0, depth * (fabsf(t) - 1)},
                     (scree_vec3){0, 1, 0});
        add_joint(world, &hinge);
        before = id;
    }
    for (int step = 0; step < 75; step++) {
        CHECK(scree_world_step(world, &s));
        if (step == 0) first = s.kinetic_energy + s.potential_energy;
        ASSERT_AT_MOST(s.kinetic_energy + s.potential_energy - first, 0.05);
    }
    scree_world_destroy(world);
}

/* Two bodies far from a chain, light and heavy enough to change the unit of mass, do not affect it. */
static void distant_masses_do_not_affect_a_chain(void **state) {
    scree_body_state ends[2];
    for (int far = 0; far < 2; far++) {
        scree_world_def def = def_on(state);
        scree_statistics s;
        chain self;
        def.time_step = 1.0 / 500;
        def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_ACCURATE);
        self.world = world_of(&def);
        hang(&self, 10, 0.2f, 1000);
        for (int i = 0; i < 2 && far; i++) {
            scree_body_def body = scree_default_body_def();
            body.shape = scree_shape_sphere(0.1f);
            body.state.position.x = 50 + 10 * (float)i;
            body.mass = ldexpf(1, i ? 43 : -41);
            CHECK(scree_body_create(self.world, &body, NULL));
        }
        for (int step = 0; step < 30; step++) {
            CHECK(scree_world_step(self.world, &s));
            assert_true(s.solve.iterations <= 4);
        }
        scree_body_id ids[16];
        assert_true(scree_body_list(self.world, ids, 16) >= 11);
        CHECK(scree_body_get_state(self.world, ids[10], &ends[far]));
        scree_world_destroy(self.world);
    }
    ASSERT_NEAR(ends[1].position.z, ends[0].position.z, 1e-6);
    ASSERT_NEAR(ends[1].position.x, ends[0].position.x, 1e-6);
}

/* `verify` gives the other backend the step's problem with its trees. */
static void verification_solves_trees_too(void **state) {
    if (!device_has_native_bits()) skip();
    scree_world_def def = def_on(state);
    scree_statistics s;
    def.solver.direct_joints = true, def.solver.iterations = 4;
    chain self = {.world = world_of(&def)};
    hang(&self, 10, 0.2f, 50);
    CHECK(scree_world_set_verify(self.world, 1));
    for (int step = 0; step < 3; step++) {
        CHECK(scree_world_step(self.world, &s));
        assert_true(s.verify_backend_difference == 0);
    }
    scree_world_destroy(self.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", a_chain_carries_its_load_in_one_step),
        ON("opencl", a_chain_carries_its_load_in_one_step),
        ON("native", deep_and_loaded_trees_are_direct_by_default),
        ON("native", ten_iterations_solve_a_heavy_load),
        ON("native", too_long_steps_add_no_energy_to_a_chain),
        ON("native", links_under_a_load_stay_at_rest),
        ON("native", a_chain_in_a_plane_carries_its_load),
        ON("native", a_chain_of_hinges_held_twice_gains_no_energy),
        ON("native", distant_masses_do_not_affect_a_chain),
        ON("native", verification_solves_trees_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
