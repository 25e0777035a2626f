/* Decay of overlaps and joint errors of each stabilisation, against its differential equation. */
#include "joint_scenery.h"
#include "stabilisations.h"

/* Returns the solution of c̈ + 2ζγ ċ + γ² c = 0 with c(0) = 1, ċ(0) = 0. */
static double oscillator(double gamma, double zeta, double t) {
    const double beta = zeta * gamma, square = gamma * gamma - beta * beta;
    if (fabs(square) < 1e-9 * gamma * gamma) return exp(-beta * t) * (1 + beta * t);
    const double s = sqrt(fabs(square));
    return square > 0 ? exp(-beta * t) * (cos(s * t) + beta / s * sin(s * t))
                      : exp(-beta * t) * (cosh(s * t) + beta / s * sinh(s * t));
}

/* Adds a body of 1 kg that circles the origin on a rod, 1 m/s at 1 m, with the rod too long by `error` at
 * first. */
static scree_joint_id add_whirl(scree_world *world, double error) {
    scree_joint_def rod = scree_default_joint_def(SCREE_JOINT_DISTANCE);
    rod.b = add_mass(world, 1, 0.001, (scree_vec3){(float)(1 + error), 0, 0});
    rod.axes[SCREE_AXIS_X].low = 1;
    scree_body_state state = state_of(world, rod.b);
    state.linear_velocity.y = 1;
    CHECK(scree_body_set_state(world, rod.b, &state));
    return add_joint(world, &rod);
}

static double rod_error(const scree_world *world, scree_joint_id id) {
    return (double)joint_state_of(world, id).position[SCREE_AXIS_X] - 1;
}

static scree_world *free_world(void **state, scree_stabilisation scheme, double time_step) {
    scree_world_def def = def_on(state);
    def.gravity = any, def.time_step = time_step;
    def.solver = scree_solver_def_with_stabilisation(def.solver, scheme);
    def.solver.iterations = 20;
    def.solver.tolerance = 1e-6f;
    return world_of(&def);
}

/* Returns the largest deviation of the rod's error from the oscillator, relative to the initial error.
 * Springs stretch by m v²/(k ℓ) under the rod's tension. */
static double off_the_oscillator(void **state, scree_stabilisation scheme, double gamma, double zeta,
                                 double h) {
    scree_world *world = free_world(state, scheme, h);
    scree_solver_def solver = scree_world_get_def(world).solver;
    set_oscillator(&solver, 1 / gamma, zeta);
    set_contact_spring(&solver, gamma * gamma, 2 * zeta * gamma);
    CHECK(scree_world_set_solver(world, &solver));
    const double first = 0.01, rest = scheme == SCREE_STABILISATION_RELAXED ? 0 : 1 / (gamma * gamma + 3);
    const scree_joint_id rod = add_whirl(world, first);
    double worst = 0;
    for (int step = 1; step * h < 6 / gamma; step++) {
        CHECK(scree_world_step(world, NULL));
        const double expected = rest + (first - rest) * oscillator(gamma, zeta, step * h);
        worst = fmax(worst, fabs(rod_error(world, rod) - expected) / first);
    }
    scree_world_destroy(world);
    return worst;
}

/* Over-, critically and underdamped; the first-order error halves with the step. */
static void errors_follow_their_equation(void **state) {
    const scree_stabilisation schemes[] = {SCREE_STABILISATION_RELAXED, SCREE_STABILISATION_SOFT,
                                           SCREE_STABILISATION_PENALTY};
    const double zetas[] = {0.2, 1, 2};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            const double coarse = off_the_oscillator(state, schemes[i], 20, zetas[k], 0.004),
                         fine = off_the_oscillator(state, schemes[i], 20, zetas[k], 0.002);
            ASSERT_AT_MOST(coarse, 0.06);
            ASSERT_AT_MOST(fine, 0.7 * coarse + 0.002);
        }
}

/* β of the error is removed in every step. */
static void baumgarte_and_split_remove_their_fraction(void **state) {
    const scree_stabilisation schemes[] = {SCREE_STABILISATION_BAUMGARTE, SCREE_STABILISATION_SPLIT};
    for (int i = 0; i < 2; i++) {
        scree_world *world = free_world(state, schemes[i], 0.004);
        const scree_joint_id rod = add_whirl(world, 0.01);
        double expected = 0.01;
        for (int step = 0; step < 20; step++) {
            CHECK(scree_world_step(world, NULL));
            expected *= 0.8;
            ASSERT_WITHIN(rod_error(world, rod), expected, 0.01 * 0.01);
        }
        scree_world_destroy(world);
    }
}

/* A pendulum released from the horizontal: its joint error does not grow under any scheme with feedback. */
static void feedback_does_not_drift(void **state) {
    for (int scheme = 0; scheme < SCREE_STABILISATION_COUNT; scheme++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_stabilisation(def.solver, (scree_stabilisation)scheme);
        scree_world *world = world_of(&def);
        scree_joint_def ball = scree_default_joint_def(SCREE_JOINT_BALL);
        ball.b = add_mass(world, 1, 0.01, (scree_vec3){1, 0, 0});
        ball.anchor_b = (scree_vec3){-1, 0, 0};
        add_joint(world, &ball);
        double early = 0, late = 0;
        scree_statistics s;
        for (int step = 0; step < 720; step++) {
            CHECK(scree_world_step(world, &s));
            double *most = step < 360 ? &early : &late;
            *most = fmax(*most, s.joint_error_max);
        }
        ASSERT_AT_MOST(late, 1e-3);
        ASSERT_AT_MOST(late, 1.5 * early);
        scree_world_destroy(world);
    }
}

/* The plain twice-differentiated constraint, δ = ∞, keeps its velocity error: when circling, that of starting
 * along the tangent and not the chord, −h v²/(2 ℓ), to first order in the path. */
static void second_derivatives_alone_drift(void **state) {
    const double h = 0.01;
    scree_world *world = free_world(state, SCREE_STABILISATION_RELAXED, h);
    scree_solver_def solver = scree_world_get_def(world).solver;
    solver.relaxed.relaxation_time = 1e6f;
    CHECK(scree_world_set_solver(world, &solver));
    const scree_joint_id rod = add_whirl(world, 0);
    for (int k = 1; k <= 6; k++) {
        run_for(world, 0.5);
        ASSERT_NEAR(rod_error(world, rod), -h / 2 * 0.5 * k, 0.05);
    }
    scree_world_destroy(world);
}

/* Returns how deep a ball of 2 kg, laid on the floor, is in it after `seconds`. */
static double depth_after(void **state, scree_stabilisation scheme, double h, double seconds,
                          double damping) {
    scree_world_def def = def_on(state);
    def.time_step = h;
    def.solver = scree_solver_def_with_stabilisation(def.solver, scheme);
    set_contact_spring(&def.solver, 2000, damping);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.shape = scree_shape_sphere(0.1f), body.mass = 2;
    body.state.position.z = 0.1f;
    CHECK(scree_body_create(world, &body, &id));
    run_for(world, seconds);
    const double z = (double)state_of(world, id).position.z;
    scree_world_destroy(world);
    return 0.1 - z;
}

static void springs_bear_weight_at_their_depth(void **state) {
    const double depth = 2 * G / 2000;
    ASSERT_NEAR(depth_after(state, SCREE_STABILISATION_SOFT, 1.0 / 120, 3, 60), depth, 1e-4);
    ASSERT_NEAR(depth_after(state, SCREE_STABILISATION_PENALTY, 1.0 / 120, 3, 60), depth, 1e-4);
}

/* Balls of 2 kg on a floor with a stiffness: one of a material with a spring, one without, which uses the
 * floor's, and one with a pair override. Each lies at its depth m g/k. */
static void materials_have_their_own_springs(void **state) {
    const scree_stabilisation schemes[] = {SCREE_STABILISATION_SOFT, SCREE_STABILISATION_PENALTY};
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_stabilisation(def.solver, schemes[i]);
        def.material.stiffness = 4000, def.material.damping = 150; /* of the floor */
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        scree_material_def made = scree_default_material_def();
        scree_material_id materials[3];
        made.stiffness = 12000, made.damping = 150;
        CHECK(scree_material_create(world, &made, &materials[0]));
        made.stiffness = 0, made.damping = 7;
        CHECK(scree_material_create(world, &made, &materials[1]));
        CHECK(scree_material_create(world, &made, &materials[2]));
        scree_material_pair_def pair = scree_default_material_pair_def();
        pair.stiffness = 1500, pair.damping = 60;
        CHECK(scree_material_set_pair(world, (scree_material_id){0, 0, 0}, materials[2], &pair));
        const double stiffness[3] = {3000, 4000, 1500};
        scree_body_id balls[3];
        for (int k = 0; k < 3; k++) {
            scree_body_def body = scree_default_body_def();
            body.shape = scree_shape_sphere(0.1f), body.mass = 2, body.material = materials[k];
            body.state.position = (scree_vec3){(float)k, 0, 0.1f};
            CHECK(scree_body_create(world, &body, &balls[k]));
        }
        run_for(world, 3);
        for (int k = 0; k < 3; k++)
            ASSERT_NEAR(0.1 - (double)state_of(world, balls[k]).position.z, 2 * G / stiffness[k], 2e-3);
        scree_world_destroy(world);
    }
}

/* If steps are so short that even the correction speed times h k + d is less than its weight, a body still
 * rests on its spring at m g/k: a ball of 5 kg on the floor, and one that hangs on a joint. */
static void springs_bear_heavy_bodies_at_short_steps(void **state) {
    const scree_stabilisation schemes[] = {SCREE_STABILISATION_SOFT, SCREE_STABILISATION_PENALTY,
                                           SCREE_STABILISATION_SUBSTEP};
    for (int i = 0; i < 3; i++) {
        scree_world_def def = def_on(state);
        def.time_step = schemes[i] == SCREE_STABILISATION_SUBSTEP ? 8e-4 : 1e-4;
        def.solver = scree_solver_def_with_stabilisation(def.solver, schemes[i]);
        set_contact_spring(&def.solver, 5e4, 10);
        scree_world *world = world_of(&def);
        const double depth = 5 * G / 5e4;
        add_slope(world, 0);
        scree_body_def body = scree_default_body_def();
        scree_body_id lying;
        body.shape = scree_shape_sphere(0.1f), body.mass = 5;
        body.state.position.z = (float)(0.1 - depth);
        CHECK(scree_body_create(world, &body, &lying));
        scree_joint_def joint = scree_default_joint_def(SCREE_JOINT_BALL);
        joint.b = add_mass(world, 5, 0.1, (scree_vec3){2, 0, (float)(1 - depth)});
        joint.anchor_a = (scree_vec3){2, 0, 1};
        add_joint(world, &joint);
        run_for(world, 0.08);
        ASSERT_NEAR(0.1 - (double)state_of(world, lying).position.z, depth, 0.01);
        ASSERT_NEAR(1 - (double)state_of(world, joint.b).position.z, depth, 0.01);
        scree_world_destroy(world);
    }
}

/* Near the first reversal of the swing on its spring: the two differ by a first-order error. */
static void penalty_is_soft_to_first_order(void **state) {
    double last = INFINITY;
    for (double h = 0.008; h > 0.0009; h /= 2) {
        const double soft = depth_after(state, SCREE_STABILISATION_SOFT, h, 0.064, 20),
                     penalty = depth_after(state, SCREE_STABILISATION_PENALTY, h, 0.064, 20);
        ASSERT_AT_MOST(fabs(penalty - soft), 0.6 * last);
        ASSERT_AT_MOST(fabs(penalty - soft), 0.25 * h);
        last = fabs(penalty - soft);
    }
}

/* Returns the largest kinetic energy of eight stacked cubes of 8 kg after two seconds of settling. */
static double jitter(void **state, double error_reduction) {
    scree_world_def def = def_on(state);
    def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_BAUMGARTE);
    def.solver.baumgarte.error_reduction = (float)error_reduction;
    def.solver.tolerance = 1e-6f, def.solver.iterations = 300;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 8; i++)
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.1f + 0.1999f * (float)i},
                 any);
    run_for(world, 2);
    double most = 0;
    for (int i = 0; i < 60; i++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        most = fmax(most, s.kinetic_energy);
    }
    scree_world_destroy(world);
    return most;
}

/* Removing the whole overlap in one step, including round-off, shakes a stack; removing a fifth does not. */
static void removing_the_whole_overlap_jitters(void **state) {
    skip_if_short();
    ASSERT_AT_MOST(jitter(state, 0.2), 1e-6);
    assert_true(jitter(state, 1) > 1e-4);
}

/* Two balls at rest, half inside each other: `split` separates them and then stops, whereas velocities that
 * remove an overlap persist. */
static void split_adds_no_energy(void **state) {
    double energy[2] = {0};
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.gravity = any;
        def.solver = scree_solver_def_with_stabilisation(def.solver, i ? SCREE_STABILISATION_BAUMGARTE
                                                                       : SCREE_STABILISATION_SPLIT);
        scree_world *world = world_of(&def);
        const scree_body_id a = add_body(world, scree_shape_sphere(0.1f), any, any),
                            b = add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.1f}, any);
        for (int step = 0; step < 120; step++) {
            scree_statistics s;
            CHECK(scree_world_step(world, &s));
            energy[i] = fmax(energy[i], s.kinetic_energy);
        }
        const double apart = (double)state_of(world, b).position.z - (double)state_of(world, a).position.z;
        if (i == 0) ASSERT_WITHIN(apart, 0.2, 1e-6);
        if (i == 1) assert_true(apart > 0.3);
        scree_world_destroy(world);
    }
    ASSERT_AT_MOST(energy[0], 1e-12);
    assert_true(energy[1] > 1);
}

/* Slip on a nearly frictionless floor follows Coulomb's law; with `relaxed` the remaining slip decays as
 * exp(−2ζt/δ) where friction suffices, and not at once. */
static void slip_relaxes(void **state) {
    scree_world_def def = def_on(state);
    def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_RELAXED);
    set_oscillator(&def.solver, 0.1, 0.5);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.shape = scree_shape_box(0.2f, 0.2f, 0.05f);
    body.state.position.z = 0.05f;
    body.state.linear_velocity.x = 0.2f; /* below μ g δ/(2ζ) = 0.49 m/s */
    body.locks = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
    CHECK(scree_body_create(world, &body, &id));
    for (int step = 1; step <= 60; step++) {
        CHECK(scree_world_step(world, NULL));
        ASSERT_WITHIN(state_of(world, id).linear_velocity.x, 0.2 * pow(1 - def.time_step / 0.1, step), 2e-4);
    }
    scree_world_destroy(world);
}

/* Adds a plate that accelerates by `acceleration` for a second. */
static scree_body_id add_carrier(scree_world *world, scree_vec3 acceleration) {
    scree_body_def plate = scree_default_body_def();
    scree_body_id id;
    plate.type = SCREE_BODY_KINEMATIC, plate.shape = scree_shape_box(1, 1, 0.1f),
    plate.state.position.z = -0.1f;
    CHECK(scree_body_create(world, &plate, &id));
    scree_motion_def motion = scree_default_motion_def(SCREE_MOTION_LINEAR);
    motion.velocity = acceleration, motion.ramp = 1;
    const scree_kinematic_group_def def = {&id, 1, &motion, 1};
    CHECK(scree_kinematic_group_create(world, &def, NULL));
    return id;
}

/* A box on a plate that accelerates upwards, or sideways below μ g, keeps its place on it in every scheme,
 * and so does a jointed body: a prescribed velocity is not an error that decays. */
static void accelerating_plates_carry_their_load(void **state) {
    const scree_vec3 accelerations[] = {{0, 0, 5}, {2, 0, 0}};
    for (int scheme = 0; scheme < SCREE_STABILISATION_SUBSTEP; scheme++)
        for (int i = 0; i < 2; i++) {
            scree_world_def def = def_on(state);
            /* the scheme that uses old velocities on every backend, the others where steps are fast */
            if (scheme != SCREE_STABILISATION_RELAXED && def.backend != SCREE_BACKEND_NATIVE) continue;
            def.solver = scree_solver_def_with_stabilisation(def.solver, (scree_stabilisation)scheme);
            def.solver.tolerance = 1e-6f, def.solver.iterations = 100;
            scree_world *world = world_of(&def);
            const scree_body_id plate = add_carrier(world, accelerations[i]);
            const scree_body_id box =
                add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.1f}, any);
            const scree_vec3 below = {0, 0, -1};
            const scree_joint_def fixed =
                joint_at(world, SCREE_JOINT_FIXED, plate, add_mass(world, 1, 0.01, below), below,
                         (scree_vec3){1, 0, 0});
            const scree_joint_id joint = add_joint(world, &fixed);
            double error = 0;
            for (int step = 0; step < 60; step++) {
                CHECK(scree_world_step(world, NULL));
                error = fmax(error, (double)joint_state_of(world, joint).error);
            }
            const scree_vec3 at = state_of(world, box).position, under = state_of(world, plate).position;
            ASSERT_WITHIN(at.z - under.z, 0.2, 6e-5);
            ASSERT_WITHIN(at.x - under.x, 0, 2e-4);
            ASSERT_AT_MOST(error, 1e-4);
            scree_world_destroy(world);
        }
}

/* Returns how fast two balls that overlap by `depth` finally separate. */
static double parting_speed(void **state, const scree_solver_def *solver, float depth) {
    scree_world_def def = def_on(state);
    def.gravity = any, def.time_step = 1.0 / 240, def.solver = *solver;
    scree_world *world = world_of(&def);
    add_body(world, scree_shape_sphere(0.2f), any, any);
    const scree_body_id ball =
        add_body(world, scree_shape_sphere(0.2f), (scree_vec3){0.4f - depth, 0, 0}, any);
    run_for(world, 0.5);
    const double speed = 2 * (double)state_of(world, ball).linear_velocity.x;
    ASSERT_AT_LEAST(state_of(world, ball).position.x, 0.4 - depth / 2 - 1e-4);
    scree_world_destroy(world);
    return speed;
}

/* Without damping an overlap d of `relaxed` swings out: it leaves the surface at d/δ. */
static void an_undamped_overlap_swings_out(void **state) {
    scree_solver_def solver = def_on(state).solver;
    solver = scree_solver_def_with_stabilisation(solver, SCREE_STABILISATION_RELAXED);
    set_oscillator(&solver, 0.1, 0);
    solver.slop = 0;
    ASSERT_NEAR(parting_speed(state, &solver, 0.005f), 0.05, 0.1);
    solver.relaxed.relaxation_time = 0.2f;
    ASSERT_NEAR(parting_speed(state, &solver, 0.01f), 0.05, 0.1);
}

/* No scheme exceeds the correction speed at deep overlaps, except springs of a given stiffness. */
static void no_scheme_exceeds_the_correction_speed(void **state) {
    for (int scheme = 0; scheme < SCREE_STABILISATION_COUNT; scheme++) {
        if (scheme == SCREE_STABILISATION_SOFT || scheme == SCREE_STABILISATION_PENALTY) continue;
        scree_solver_def solver = def_on(state).solver;
        solver = scree_solver_def_with_stabilisation(solver, (scree_stabilisation)scheme);
        set_correction_speed(&solver, 0.25);
        ASSERT_AT_MOST(parting_speed(state, &solver, 0.1f), 0.2505);
        set_oscillator(&solver, 0.05, 0);
        ASSERT_AT_MOST(parting_speed(state, &solver, 0.1f), 0.2505);
    }
}

/* Returns how deep a box sinks into a plate whose velocity the caller sets before each step: it accelerates
 * upwards at 5 m/s² and sideways at 2; m. */
static double sunk(void **state, scree_stabilisation scheme) {
    const double h = 1.0 / 480;
    scree_world_def def = def_on(state);
    def.time_step = h;
    def.solver = scree_solver_def_with_stabilisation(def.solver, scheme);
    def.solver.iterations = 100;
    def.solver.tolerance = 1e-6f;
    scree_world *world = world_of(&def);
    scree_body_def plate = scree_default_body_def(), box = plate;
    scree_body_id id;
    plate.type = SCREE_BODY_KINEMATIC, plate.shape = scree_shape_box(1, 1, 0.1f),
    plate.state.position.z = -0.1f;
    box.shape = scree_shape_box(0.1f, 0.1f, 0.1f), box.state.position.z = 0.1f;
    CHECK(scree_body_create(world, &plate, &id));
    CHECK(scree_body_create(world, &box, NULL));
    double most = 0;
    for (int i = 1; i <= 240; i++) {
        scree_body_state now = state_of(world, id);
        now.linear_velocity = (scree_vec3){(float)(2 * h * i), 0, (float)(5 * h * i)};
        CHECK(scree_body_set_state(world, id, &now));
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        most = fmax(most, s.penetration_max);
    }
    scree_world_destroy(world);
    return most;
}

static void a_plate_set_by_the_caller_lifts_a_box(void **state) {
    ASSERT_AT_MOST(sunk(state, SCREE_STABILISATION_RELAXED), 2e-4);
    ASSERT_AT_MOST(sunk(state, SCREE_STABILISATION_SPLIT), 2e-4);
}

/* Returns the energy of two balls of mass `mass` that start at rest with an overlap and separate. */
static double energy_let_go(scree_world_def def, double depth, float *mass) {
    scree_statistics s;
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    const scree_body_id a = add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0}, (scree_vec3){0});
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0.2f - (float)depth, 0, 0}, (scree_vec3){0});
    CHECK(scree_body_get_mass(world, a, mass, NULL));
    for (int step = 0; step < 100; step++) CHECK(scree_world_step(world, &s));
    scree_world_destroy(world);
    return s.kinetic_energy;
}

/* `baumgarte` (m/2) u²/2 with u = min(β d/h, correction speed), springs at most their stored energy,
 * `relaxed` that of the correction speed, the others nothing. */
static void overlaps_release_bounded_energy(void **state) {
    for (int i = 0; i < 3 * SCREE_STABILISATION_COUNT; i++) {
        const double d = (const double[]){0.002, 0.02, 0.1}[i % 3];
        const int kind = i / 3;
        float mass;
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_stabilisation(def.solver, (scree_stabilisation)kind);
        set_correction_speed(&def.solver, 1);
        const double u = fmin(0.2 * d / def.time_step, 1), energy = energy_let_go(def, d, &mass),
                     most = (double)mass / 4;
        if (kind == SCREE_STABILISATION_BAUMGARTE)
            ASSERT_NEAR(energy, most * u * u, 1e-3);
        else if (kind == SCREE_STABILISATION_SOFT || kind == SCREE_STABILISATION_PENALTY)
            ASSERT_AT_MOST(energy, 1e6 * d * d / 2);
        else
            ASSERT_AT_MOST(energy, kind == SCREE_STABILISATION_RELAXED ? most : 1e-6);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(errors_follow_their_equation),
        ON_EACH_BACKEND(baumgarte_and_split_remove_their_fraction),
        ON_EACH_BACKEND(feedback_does_not_drift),
        ON_EACH_BACKEND(second_derivatives_alone_drift),
        ON_EACH_BACKEND(a_plate_set_by_the_caller_lifts_a_box),
        ON_EACH_BACKEND(springs_bear_weight_at_their_depth),
        ON_EACH_BACKEND(materials_have_their_own_springs),
        ON_EACH_BACKEND(springs_bear_heavy_bodies_at_short_steps),
        ON_EACH_BACKEND(penalty_is_soft_to_first_order),
        ON("native", removing_the_whole_overlap_jitters),
        ON_EACH_BACKEND(split_adds_no_energy),
        ON_EACH_BACKEND(slip_relaxes),
        ON_EACH_BACKEND(accelerating_plates_carry_their_load),
        ON_EACH_BACKEND(an_undamped_overlap_swings_out),
        ON_EACH_BACKEND(no_scheme_exceeds_the_correction_speed),
        ON_EACH_BACKEND(overlaps_release_bounded_energy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
