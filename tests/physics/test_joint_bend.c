/* Rotating jointed bodies conserve energy and angular momentum, in either order of the bodies. */
#include "joint_scenery.h"

static const double H = 1.0 / 60;
enum { STEPS = 120, LINKS = 5 };

typedef struct kept {
    double least, most, momentum, error; /* energies over the first; final momentum; m */
} kept;

static kept watch(scree_world *world) {
    scree_statistics first, s = {0};
    CHECK(scree_world_step(world, &first));
    kept out = {.least = 1, .most = 1};
    for (int i = 0; i < STEPS; i++) {
        CHECK(scree_world_step(world, &s));
        const double ratio = s.kinetic_energy / first.kinetic_energy;
        out.least = fmin(out.least, ratio), out.most = fmax(out.most, ratio);
        out.error = fmax(out.error, s.joint_error_max);
    }
    out.momentum = s.angular_momentum[2] / first.angular_momentum[2];
    return out;
}

static scree_world *space(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = H;
    def.gravity = (scree_vec3){0, 0, 0};
    def.solver.iterations = 200;
    def.solver.check_every = 2;
    def.solver.tolerance = 1e-6f;
    return world_of(&def);
}

static scree_body_id add_turning(scree_world *world, scree_shape shape, double x, double spin, double rate) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = shape;
    def.mass = 1;
    def.state.position.x = (float)x;
    def.state.linear_velocity.y = (float)(rate * x);
    def.state.angular_velocity.z = (float)spin;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

/* Makes two cubes that rotate about their common centre, `turn` per step. */
static kept turning_pair(void **state, scree_joint_kind kind, double turn, bool swapped) {
    scree_world *world = space(state);
    const scree_shape cube = scree_shape_box(0.1f, 0.1f, 0.1f);
    const double rate = turn / H, spin = kind == SCREE_JOINT_FIXED ? rate : 0;
    const scree_body_id left = add_turning(world, cube, -0.2, spin, rate),
                        right = add_turning(world, cube, 0.2, spin, rate);
    scree_joint_def def = scree_default_joint_def(kind);
    def.a = swapped ? right : left, def.b = swapped ? left : right;
    if (kind == SCREE_JOINT_DISTANCE)
        def.axes[SCREE_AXIS_X].low = def.axes[SCREE_AXIS_X].high = 0.4f;
    else
        CHECK(scree_joint_get_frame(world, &def, (scree_vec3){0.1f, 0.05f, 0}, (scree_vec3){0, 0, 1}, any));
    add_joint(world, &def);
    const kept out = watch(world);
    scree_world_destroy(world);
    return out;
}

/* Chords of a circle: the relative error of the motion is at most (h ω)⁴. */
static void a_pair_conserves_energy(void **state) {
    const double turns[] = {0.1, 0.2, 0.3, 0.5};
    for (int i = 0; i < 4; i++) {
        for (int swapped = 0; swapped < 2; swapped++) {
            const kept fixed = turning_pair(state, SCREE_JOINT_FIXED, turns[i], swapped);
            const double off = 1e-4 + 0.2 * pow(turns[i], 4);
            ASSERT_AT_MOST(1 - fixed.least, off);
            ASSERT_AT_MOST(fixed.most - 1, off);
            ASSERT_WITHIN(fixed.momentum, 1, off);
            ASSERT_AT_MOST(fixed.error, 0.4 * off + 1e-5);
        }
    }
}

static void a_distance_joint_conserves_energy(void **state) {
    const double turns[] = {0.1, 0.2, 0.4};
    for (int i = 0; i < 3; i++) {
        const kept held = turning_pair(state, SCREE_JOINT_DISTANCE, turns[i], i == 1);
        ASSERT_AT_MOST(1 - held.least, 5e-4);
        ASSERT_AT_MOST(held.most - 1, 5e-4);
        ASSERT_WITHIN(held.momentum, 1, 5e-4);
    }
}

/* A chain that rotates too fast to resolve its bend loses energy, and never gains any. */
static void a_fast_chain_gains_no_energy(void **state) {
    const double turns[] = {0.2, 0.3, 0.4, 0.6, 1, 2};
    const scree_joint_kind kinds[] = {SCREE_JOINT_FIXED, SCREE_JOINT_HINGE};
    for (int i = 0; i < 12; i++) {
        scree_world *world = space(state);
        const double rate = turns[i % 6] / H, middle = 0.1 * LINKS;
        scree_body_id last = nothing;
        for (int k = 0; k < LINKS; k++) {
            const scree_body_id link =
                add_turning(world, scree_shape_box(0.1f, 0.02f, 0.02f), 0.1 + 0.2 * k - middle, rate, rate);
            if (k > 0) {
                scree_joint_def def =
                    joint_at(world, kinds[i / 6], last, link, (scree_vec3){(float)(0.2 * k - middle), 0, 0},
                             (scree_vec3){0, 0, 1});
                add_joint(world, &def);
            }
            last = link;
        }
        const kept chain = watch(world);
        ASSERT_AT_MOST(chain.most, 1 + 1e-3);
        if (turns[i % 6] < 0.25) ASSERT_AT_MOST(1 - chain.least, 1e-3);
        scree_world_destroy(world);
    }
}

/* The bob of a pendulum spins about a hinge at its own centre; returns the energy after 4 s without that of
 * the spin, J. */
static double swing(void **state, double spin) {
    scree_world_def def = def_on(state);
    def.time_step = H;
    def.solver.iterations = 200;
    def.solver.check_every = 2;
    def.solver.tolerance = 1e-6f;
    scree_world *world = world_of(&def);
    scree_body_def arm = scree_default_body_def(), bob = arm;
    scree_body_id arm_id, bob_id;
    arm.shape = scree_shape_box(0.5f, 0.05f, 0.05f), arm.mass = 1, arm.state.position.x = 0.5f;
    bob.shape = scree_shape_box(0.1f, 0.1f, 0.1f), bob.mass = 5, bob.state.position.x = 1;
    bob.state.angular_velocity.y = (float)spin;
    CHECK(scree_body_create(world, &arm, &arm_id));
    CHECK(scree_body_create(world, &bob, &bob_id));
    const scree_vec3 y = {0, 1, 0};
    const scree_joint_def upper = joint_at(world, SCREE_JOINT_HINGE, nothing, arm_id, any, y),
                          lower = joint_at(world, SCREE_JOINT_HINGE, arm_id, bob_id, bob.state.position, y);
    add_joint(world, &upper);
    add_joint(world, &lower);
    scree_statistics s = {0};
    for (int i = 0; i < 4 * 60; i++) CHECK(scree_world_step(world, &s));
    scree_world_destroy(world);
    return s.kinetic_energy + s.potential_energy - 0.5 * 5 * (2.0 / 3 * 0.01) * spin * spin;
}

static void a_spinning_bob_swings_like_one_without_spin(void **state) {
    const double still = swing(state, 0), scale = (5 + 0.5) * G;
    ASSERT_WITHIN(still, 0, 0.02 * scale);
    ASSERT_WITHIN(swing(state, 30), still, 1e-3 * scale);
    ASSERT_WITHIN(swing(state, 60), still, 1e-3 * scale);
}

/* A wheel on a hinge at its centre is the hinge's first body and turns its axes by 0.06 in each of eight
 * substeps. The hinge's reported force over the step is the weight, vertical. */
static void the_hinge_of_a_wheel_carries_its_weight(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = H;
    def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SUBSTEP);
    def.solver.substep.substeps = 8;
    scree_world *world = world_of(&def);
    scree_body_def wheel = scree_default_body_def();
    scree_body_id id;
    wheel.shape = scree_shape_box(0.2f, 0.5f, 0.5f), wheel.mass = 10, wheel.state.angular_velocity.x = 30;
    CHECK(scree_body_create(world, &wheel, &id));
    const scree_joint_def hinge = joint_at(world, SCREE_JOINT_HINGE, id, nothing, any, (scree_vec3){1, 0, 0});
    const scree_joint_id joint = add_joint(world, &hinge);
    scree_statistics s = {0};
    double y = 0, z = 0;
    for (int i = 0; i < 60; i++) {
        CHECK(scree_world_step(world, &s));
        y += s.static_impulse[1], z += s.static_impulse[2];
        if (i < 10) continue;
        const scree_joint_state now = joint_state_of(world, joint);
        ASSERT_WITHIN(now.force.y, 0, 1e-3 * 10 * G);
        ASSERT_NEAR(now.force.z, -10 * G, 1e-3);
    }
    ASSERT_WITHIN(y, 0, 1e-3 * 10 * G);
    ASSERT_NEAR(z, -10 * G, 1e-3);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(a_pair_conserves_energy),
        ON_EACH_BACKEND(a_distance_joint_conserves_energy),
        ON_EACH_BACKEND(a_fast_chain_gains_no_energy),
        ON_EACH_BACKEND(a_spinning_bob_swings_like_one_without_spin),
        ON_EACH_BACKEND(the_hinge_of_a_wheel_carries_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
