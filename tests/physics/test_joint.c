/* Joints against mechanics: worked examples, periods, drives, loads and breaking. */
#include "problem/contact_problem.h"
#include "folder.h"
#include "joint_scenery.h"

/* The worked example of a translational joint in the plane: a body of 1 kg and 1/3 kg m² with its centre at
 * (0.5, 0), held half a metre from it on an axis along (1, −1). With rows (1, 1) and a rotation, A = (2.75,
 * 1.5; 1.5, 3), A x = b = (−0.0981, 0) and the impulse on the body is −Jᵀ x = (0.04905, 0.04905), 0 about its
 * centre. Our first row has unit length and the second is scaled by a length s. */
static void the_worked_slider(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.01;
    def.gravity = (scree_vec3){0, -9.81f, 0};
    def.solver.iterations = 100;
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    body.shape = scree_shape_sphere(0.01f), body.mass = 1;
    body.inertia = (scree_vec3){1 / 3.0f, 1 / 3.0f, 1 / 3.0f};
    body.locks = SCREE_LOCK_Z | SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y;
    body.state.position = (scree_vec3){0.5f, 0, 0};
    CHECK(scree_body_create(world, &body, &id));
    scree_joint_def slider =
        joint_at(world, SCREE_JOINT_SLIDER, nothing, id, (scree_vec3){1, 0, 0}, (scree_vec3){1, -1, 0});
    CHECK(scree_joint_get_frame(world, &slider, (scree_vec3){1, 0, 0}, (scree_vec3){1, -1, 0},
                                (scree_vec3){1, 1, 0}));
    const scree_joint_id joint = add_joint(world, &slider);
    run_for(world, 0.01);
    const scree_joint_state at = joint_state_of(world, joint);
    ASSERT_WITHIN(at.force.x * 0.01f, 0.04905, 2e-6);
    ASSERT_WITHIN(at.force.y * 0.01f, 0.04905, 2e-6);
    ASSERT_WITHIN(at.torque.z * 0.01f, -0.024525, 2e-6);
    scree_problem *p = NULL;
    CHECK(scree_problem_from_world(world, &p));
    assert_int_equal(scree_problem_contact_count(p), 2);
    const delassus *a = &p->a;
    const real3x3 *own = &a->entries[a->diagonal[0]], *turn = &a->entries[a->diagonal[1]],
                  *between = &a->entries[a->first[0] + 1];
    const double s = sqrt(turn->m[2][2] / 3);
    ASSERT_NEAR(2 * own->m[1][1], 2.75, 1e-6);
    ASSERT_NEAR(fabs(between->m[1][2]) * sqrt(2) / s, 1.5, 1e-6);
    ASSERT_NEAR(fabs(a->q[0].y) * sqrt(2), 0.0981, 1e-5);
    scree_problem_destroy(p);
    run_for(world, 0.99);
    const scree_body_state now = state_of(world, id);
    ASSERT_NEAR(length_of(now.linear_velocity), G * sqrt(0.5), 1e-4);
    ASSERT_WITHIN(now.position.x + now.position.y, 0.5, 1e-5);
    ASSERT_WITHIN(length_of(now.angular_velocity), 0, 1e-4);
    scree_world_destroy(world);
}

/* Returns the mean period of a joint's angle from its zero crossings. */
static double period_of(scree_world *world, scree_joint_id joint, int periods) {
    const double h = scree_world_get_def(world).time_step;
    double before = 0, first = -1;
    for (int crossings = 0; crossings <= 2 * periods;) {
        CHECK(scree_world_step(world, NULL));
        const double now = (double)joint_state_of(world, joint).position[SCREE_AXIS_ROTATION_X];
        if (before * now < 0) {
            const double at = scree_world_get_time(world) - h * now / (now - before);
            if (crossings++ == 0) first = at;
            if (crossings == 2 * periods + 1) return (at - first) / periods;
        }
        before = now;
    }
    return 0;
}

/* T = 2π √((I + m L²)/(m g L)) for small swings, and (2/π) K(sin(θ/2)) times that from θ: 1.18034 from
 * 90°. */
static void pendulums_have_their_periods(void **state) {
    for (int wide = 0; wide < 2; wide++) {
        scree_world *world = exact_world(state, 0.005);
        const double angle = wide ? M_PI / 2 : 0.05, length = 0.8, mass = 2, inertia = 0.1;
        const scree_vec3 at = {(float)(length * sin(angle)), 0, (float)(-length * cos(angle))};
        const scree_body_id bob = add_mass(world, mass, inertia, (scree_vec3){0, 0, (float)-length});
        const scree_joint_def hinge =
            joint_at(world, SCREE_JOINT_HINGE, nothing, bob, any, (scree_vec3){0, -1, 0});
        const scree_joint_id joint = add_joint(world, &hinge);
        scree_body_state turned = state_of(world, bob);
        turned.position = at;
        turned.rotation = (scree_quat){0, (float)-sin(angle / 2), 0, (float)cos(angle / 2)};
        CHECK(scree_body_set_state(world, bob, &turned));
        ASSERT_WITHIN(fabs((double)joint_state_of(world, joint).position[SCREE_AXIS_ROTATION_X]), angle,
                      1e-5);
        const double small = 2 * M_PI * sqrt((inertia + mass * length * length) / (mass * G * length));
        ASSERT_NEAR(period_of(world, joint, 3), wide ? 1.18034 * small : small, 5e-3);
        ASSERT_AT_MOST(joint_state_of(world, joint).error, 1e-3 * length);
        scree_world_destroy(world);
    }
}

/* A body circling on a weightless ball joint conserves its energy, even at 0.3 rad per step over 200
 * steps. */
static void circling_conserves_energy(void **state) {
    const double h = 0.01, omega = 0.3 / h;
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    def.time_step = h;
    def.solver.iterations = 100, def.solver.check_every = 2, def.solver.tolerance = 1e-6f;
    scree_world *world = world_of(&def);
    const scree_body_id bob = add_mass(world, 1, 0.1, (scree_vec3){1, 0, 0});
    scree_body_state going = state_of(world, bob);
    going.linear_velocity.y = (float)omega, going.angular_velocity.z = (float)omega;
    CHECK(scree_body_set_state(world, bob, &going));
    const scree_joint_def ball = joint_at(world, SCREE_JOINT_BALL, nothing, bob, any, (scree_vec3){1, 0, 0});
    add_joint(world, &ball);
    const scree_statistics s = run_for(world, 200 * h);
    print_message("energy after 200 steps: %.4f\n", s.kinetic_energy / (0.5 * 1.1 * omega * omega));
    ASSERT_NEAR(s.kinetic_energy, 0.5 * 1.1 * omega * omega, 0.02);
    scree_world_destroy(world);
}

/* A conical pendulum at the angle θ circles with ω² = g/(L cos θ). */
static void conical_pendulum_has_its_rate(void **state) {
    scree_world *world = exact_world(state, 0.002);
    const double length = 1, angle = 0.5, omega = sqrt(G / (length * cos(angle)));
    const scree_body_id bob = add_mass(
        world, 1, 1e-4, (scree_vec3){(float)(length * sin(angle)), 0, (float)(-length * cos(angle))});
    scree_joint_def rod = scree_default_joint_def(SCREE_JOINT_DISTANCE);
    rod.b = bob, rod.axes[SCREE_AXIS_X].low = (float)length;
    const scree_joint_id joint = add_joint(world, &rod);
    scree_body_state going = state_of(world, bob);
    going.linear_velocity = (scree_vec3){0, (float)(omega * length * sin(angle)), 0};
    CHECK(scree_body_set_state(world, bob, &going));
    run_for(world, 2 * M_PI / omega);
    const scree_body_state after = state_of(world, bob);
    ASSERT_WITHIN(atan2((double)after.position.y, (double)after.position.x), 0, 0.02);
    ASSERT_WITHIN(after.position.z, -length * cos(angle), 0.01 * length);
    const scree_joint_state now = joint_state_of(world, joint);
    ASSERT_NEAR(length_of(now.force), G / cos(angle), 0.01);
    ASSERT_WITHIN(now.position[SCREE_AXIS_X], length, 1e-3);
    scree_world_destroy(world);
}

/* A motor with the largest torque τ brings a flywheel to τ t/I, up to its target speed and no further. */
static void motors_accelerate_by_their_torque(void **state) {
    scree_world *world = exact_world(state, 0.005);
    const scree_body_id wheel = add_mass(world, 3, 0.2, any);
    scree_joint_def hinge = joint_at(world, SCREE_JOINT_HINGE, nothing, wheel, any, (scree_vec3){0, 0, 1});
    hinge.axes[SCREE_AXIS_ROTATION_X].drive = SCREE_DRIVE_VELOCITY;
    hinge.axes[SCREE_AXIS_ROTATION_X].target = 12;
    hinge.axes[SCREE_AXIS_ROTATION_X].max_force = 1.5f;
    const scree_joint_id joint = add_joint(world, &hinge);
    run_for(world, 1);
    scree_joint_state now = joint_state_of(world, joint);
    ASSERT_NEAR(now.velocity[SCREE_AXIS_ROTATION_X], 7.5, 1e-4);
    ASSERT_NEAR(now.torque.z, 1.5, 1e-4);
    ASSERT_NEAR(now.position[SCREE_AXIS_ROTATION_X], 7.5 / 2, 0.01); /* more than half a turn */
    ASSERT_NEAR(now.force.z, 3 * G, 1e-4);
    run_for(world, 1);
    now = joint_state_of(world, joint);
    ASSERT_NEAR(now.velocity[SCREE_AXIS_ROTATION_X], 12, 1e-5);
    ASSERT_WITHIN(now.torque.z, 0, 1e-3);
    scree_world_destroy(world);
}

/* Dry friction of a torque M stops a wheel after ω I/M, and then holds it. */
static void dry_friction_stops_and_holds(void **state) {
    scree_world *world = exact_world(state, 0.005);
    const scree_body_id wheel = add_mass(world, 1, 0.5, any);
    scree_joint_def hinge = joint_at(world, SCREE_JOINT_HINGE, nothing, wheel, any, (scree_vec3){0, 0, 1});
    hinge.axes[SCREE_AXIS_ROTATION_X].friction = 2;
    add_joint(world, &hinge);
    scree_body_state spinning = state_of(world, wheel);
    spinning.angular_velocity.z = 4;
    CHECK(scree_body_set_state(world, wheel, &spinning));
    run_for(world, 0.5);
    ASSERT_NEAR(state_of(world, wheel).angular_velocity.z, 2, 1e-3);
    run_for(world, 1);
    ASSERT_WITHIN(state_of(world, wheel).angular_velocity.z, 0, 1e-5);
    CHECK(scree_body_apply_torque(world, wheel, (scree_vec3){0, 0, 1.9f}));
    run_for(world, 0.005);
    ASSERT_WITHIN(state_of(world, wheel).angular_velocity.z, 0, 1e-5);
    scree_world_destroy(world);
}

/* x(t) = x₀ e^{−ζωt} (cos ω_d t + ζω/ω_d sin ω_d t), ω_d = ω √(1 − ζ²): zero crossings every π/ω_d, and
 * turning points that shrink by e^{−πζ/√(1−ζ²)}. By frequency, and by k and d. */
static void servos_have_the_set_frequency_and_damping(void **state) {
    for (int si = 0; si < 2; si++) {
        scree_world *world = exact_world(state, 0.002);
        const double mass = 4, frequency = 1.5, ratio = 0.2, omega = 2 * M_PI * frequency;
        const scree_body_id cart = add_mass(world, mass, 1, any);
        scree_joint_def slider =
            joint_at(world, SCREE_JOINT_SLIDER, nothing, cart, any, (scree_vec3){1, 0, 0});
        scree_joint_axis *axis = &slider.axes[SCREE_AXIS_X];
        axis->drive = SCREE_DRIVE_POSITION, axis->target = 1;
        axis->servo = si ? (scree_spring){.stiffness = (float)(mass * omega * omega),
                                          .damping = (float)(2 * ratio * omega * mass)}
                         : (scree_spring){.frequency = (float)frequency, .damping_ratio = (float)ratio};
        const scree_joint_id joint = add_joint(world, &slider);
        const double damped = omega * sqrt(1 - ratio * ratio);
        double before = -1, crossing[2] = {0}, most = 0, least = 0;
        int crossings = 0;
        for (int i = 0; i < 600; i++) {
            CHECK(scree_world_step(world, NULL));
            const double x = (double)joint_state_of(world, joint).position[SCREE_AXIS_X] - 1;
            if (before * x < 0 && crossings < 2)
                crossing[crossings++] = scree_world_get_time(world) - 0.002 * x / (x - before);
            if (crossings == 1) most = fmax(most, x);
            if (crossings == 2) least = fmin(least, x);
            before = x;
        }
        ASSERT_NEAR(crossing[1] - crossing[0], M_PI / damped, 0.05);
        ASSERT_NEAR(most, exp(-M_PI * ratio / sqrt(1 - ratio * ratio)), 0.05);
        ASSERT_NEAR(-least / most, exp(-M_PI * ratio / sqrt(1 - ratio * ratio)), 0.05);
        run_for(world, 3);
        ASSERT_WITHIN(joint_state_of(world, joint).position[SCREE_AXIS_X], 1, 1e-2);
        scree_world_destroy(world);
    }
}

/* Limits stop a hinge on either side, seen from either body, and a rope catches a falling body. */
static void limits_hold(void **state) {
    for (int way = 0; way < 2; way++) {
        scree_world *world = exact_world(state, 0.005);
        const scree_body_id arm = add_mass(world, 1, 0.1, (scree_vec3){1, 0, 0});
        scree_joint_def hinge = joint_at(world, SCREE_JOINT_HINGE, way ? arm : nothing, way ? nothing : arm,
                                         any, (scree_vec3){0, 1, 0});
        /* Falling turns it about +y; seen from the arm the world turns about −y. */
        hinge.axes[SCREE_AXIS_ROTATION_X].mode = SCREE_AXIS_LIMITED;
        hinge.axes[SCREE_AXIS_ROTATION_X].low = way ? -0.5f : -2;
        hinge.axes[SCREE_AXIS_ROTATION_X].high = way ? 2 : 0.5f;
        const scree_joint_id joint = add_joint(world, &hinge);
        run_for(world, 2);
        ASSERT_WITHIN(joint_state_of(world, joint).position[SCREE_AXIS_ROTATION_X], way ? -0.5 : 0.5, 1e-3);
        ASSERT_WITHIN(state_of(world, arm).position.z, -sin(0.5), 2e-3);
        ASSERT_NEAR(fabs((double)joint_state_of(world, joint).torque.y), G * cos(0.5), 2e-3);
        scree_world_destroy(world);
    }
    scree_world *world = exact_world(state, 0.005);
    const scree_body_id bob = add_mass(world, 1, 0.1, (scree_vec3){0, 0, -0.5f});
    scree_joint_def rope = scree_default_joint_def(SCREE_JOINT_DISTANCE);
    rope.a = bob;
    rope.axes[SCREE_AXIS_X].mode = SCREE_AXIS_LIMITED, rope.axes[SCREE_AXIS_X].high = 2;
    const scree_joint_id joint = add_joint(world, &rope);
    run_for(world, 0.4);
    ASSERT_NEAR(state_of(world, bob).linear_velocity.z, -G * 0.4, 1e-4); /* slack */
    run_for(world, 2);
    ASSERT_WITHIN(state_of(world, bob).position.z, -2, 1e-3);
    ASSERT_NEAR(joint_state_of(world, joint).force.z, -G, 1e-3); /* on the world */
    scree_world_destroy(world);
}

/* A weld carries up to its strength, and breaks in the step in which the load exceeds it. */
static void joints_break_beyond_their_strength(void **state) {
    scree_world *world = exact_world(state, 0.005);
    const scree_body_id block = add_mass(world, 2, 0.1, (scree_vec3){0, 0, 1});
    scree_joint_def weld = joint_at(world, SCREE_JOINT_FIXED, nothing, block, any, (scree_vec3){1, 0, 0});
    weld.break_force = 30;
    const scree_joint_id joint = add_joint(world, &weld);
    scree_statistics s = run_for(world, 0.1);
    assert_int_equal(s.joints, 1);
    assert_int_equal(s.joints_broken, 0);
    ASSERT_NEAR(joint_state_of(world, joint).force.z, 2 * G, 1e-4);
    CHECK(scree_body_apply_force(world, block, (scree_vec3){0, 0, -12}));
    CHECK(scree_world_step(world, &s));
    assert_int_equal(s.joints_broken, 1);
    assert_true(joint_state_of(world, joint).broken);
    ASSERT_NEAR(joint_state_of(world, joint).force.z, 2 * G + 12, 1e-4);
    s = run_for(world, 0.1);
    assert_int_equal(s.joints_broken, 0);
    ASSERT_NEAR(state_of(world, block).linear_velocity.z, -G * 0.1, 1e-3);
    CHECK(scree_joint_get_def(world, joint, &weld));
    weld.break_force = INFINITY;
    CHECK(scree_joint_set_def(world, joint, &weld)); /* repaired, and pulled back to its place */
    run_for(world, 2);
    ASSERT_WITHIN(state_of(world, block).position.z, 1, 1e-3);
    scree_world_destroy(world);
}

/* Joined bodies do not collide unless the definition enables it. */
static void joined_bodies_do_not_collide(void **state) {
    for (int collide = 0; collide < 2; collide++) {
        scree_world *world = exact_world(state, 0.005);
        const scree_body_id a = add_body(world, scree_shape_sphere(0.5f), any, any),
                            b = add_body(world, scree_shape_sphere(0.5f), (scree_vec3){0.6f, 0, 0}, any);
        scree_joint_def ball = joint_at(world, SCREE_JOINT_SLIDER, a, b, any, (scree_vec3){1, 0, 0});
        ball.collide = collide;
        add_joint(world, &ball);
        const scree_statistics s = run_for(world, 1);
        assert_int_equal(s.contacts, collide);
        const double apart = (double)(state_of(world, b).position.x - state_of(world, a).position.x);
        ASSERT_WITHIN(apart, collide ? 1 : 0.6, 0.01);
        scree_world_destroy(world);
    }
}

/* A world with joints continues from a checkpoint bit for bit: impulses, full turns, broken joints and free
 * slots. */
static void joints_resume(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def), *other = NULL;
    const folder place = folder_make();
    const char *path = folder_file(&place, "joints");
    scree_body_id last = nothing;
    scree_joint_id first = {0, 0, 0};
    for (int i = 0; i < 6; i++) {
        const scree_body_id next = add_mass(world, 1, 0.1, (scree_vec3){(float)i, 0, 0});
        scree_joint_def def_of = joint_at(world, i % 2 ? SCREE_JOINT_HINGE : SCREE_JOINT_UNIVERSAL, last,
                                          next, (scree_vec3){(float)i - 0.5f, 0, 0}, (scree_vec3){0, 1, 0});
        def_of.break_force = i == 5 ? 8 : INFINITY;
        def_of.axes[SCREE_AXIS_ROTATION_X].friction = 0.1f;
        def_of.axes[SCREE_AXIS_ROTATION_X].drive = i == 1 ? SCREE_DRIVE_VELOCITY : SCREE_DRIVE_NONE;
        def_of.axes[SCREE_AXIS_ROTATION_X].target = 30;
        const scree_joint_id joint = add_joint(world, &def_of);
        if (i == 3) first = joint;
        last = next;
    }
    run_for(world, 0.5);
    CHECK(scree_joint_destroy(world, first));
    CHECK(scree_checkpoint_save(world, path));
    CHECK(scree_checkpoint_load(path, &def, &other));
    assert_int_equal(scree_joint_count(other), 5);
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    for (int i = 0; i < 40; i++) {
        CHECK(scree_world_step(world, NULL));
        CHECK(scree_world_step(other, NULL));
    }
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(other));
    scree_world_destroy(world);
    scree_world_destroy(other);
    folder_remove(&place);
}

/* m g h is transmitted by a joint to a fixed body, on either side of it. */
static void a_joint_transmits_the_weight(void **state) {
    enum { WORLD, STATIC, KINEMATIC, CASES };
    for (int i = 0; i < 2 * CASES; i++) {
        scree_world *world = exact_world(state, 1.0 / 120);
        const scree_body_id load = add_mass(world, 2, 0.1, (scree_vec3){0, 0, -1});
        scree_body_id holder = nothing;
        scree_body_def post = scree_default_body_def();
        post.type = i / 2 == STATIC ? SCREE_BODY_STATIC : SCREE_BODY_KINEMATIC;
        if (i / 2 != WORLD) CHECK(scree_body_create(world, &post, &holder));
        const scree_joint_def ball = joint_at(world, SCREE_JOINT_BALL, i % 2 ? load : holder,
                                              i % 2 ? holder : load, any, (scree_vec3){1, 0, 0});
        add_joint(world, &ball);
        const scree_statistics s = run_for(world, 0.1);
        ASSERT_NEAR(s.static_impulse[2], -2 * G / 120, 1e-4);
        ASSERT_WITHIN(hypot(s.static_impulse[0], s.static_impulse[1]), 0, 1e-5);
        scree_world_destroy(world);
    }
}

/* The stiffest springs act as locks, the weakest as nothing: a load stays, or falls freely. A jointed body
 * may become static. */
static void springs_of_any_size_work(void **state) {
    static const struct {
        scree_spring spring;
        bool holds;
    } cases[] = {
        {{.stiffness = 1e20f}, true},
        {{.damping = 1e20f}, true},
        {{.stiffness = 1e20f, .damping = 1e20f}, true},
        {{.frequency = 1e9f}, true},
        {{.frequency = 1e9f, .damping_ratio = 1e6f}, true},
        {{.stiffness = 1e-44f}, false},
        {{.stiffness = 1e-30f}, false},
        {{.stiffness = 1e-15f}, false},
        {{.damping = 1e-44f}, false},
        {{.damping = 1e-20f}, false},
        {{.stiffness = 1e-44f, .damping = 1e-30f}, false},
        {{.frequency = 1e-30f}, false},
        {{.frequency = 1e-15f}, false},
        {{.frequency = 1e-19f, .damping_ratio = 1}, false},
    };
    for (int i = 0; i < 2 * (int)(sizeof cases / sizeof *cases); i++) {
        const bool holds = cases[i / 2].holds;
        scree_world *world = exact_world(state, 0.005);
        const scree_body_id load = add_mass(world, 2, 0.1, (scree_vec3){1, 0, 0});
        scree_joint_def weld = joint_at(world, SCREE_JOINT_FIXED, nothing, load, any, (scree_vec3){1, 0, 0});
        for (int axis = 0; axis < SCREE_AXIS_COUNT; axis++) {
            if (i % 2) weld.axes[axis].mode = SCREE_AXIS_FREE, weld.axes[axis].drive = SCREE_DRIVE_POSITION;
            *(i % 2 ? &weld.axes[axis].servo : &weld.axes[axis].spring) = cases[i / 2].spring;
        }
        if (i % 2) { /* far off, so that the other two angles may act */
            scree_joint_axis *const beta = &weld.axes[SCREE_AXIS_ROTATION_Y];
            beta->mode = SCREE_AXIS_LIMITED, beta->low = -1.4f, beta->high = 1.4f;
        }
        if (i % 2 && !(weld.axes[0].servo.stiffness > 0 || weld.axes[0].servo.frequency > 0)) {
            scree_world_destroy(world);
            continue;
        }
        add_joint(world, &weld);
        run_for(world, 0.5);
        ASSERT_WITHIN(state_of(world, load).position.z, holds ? 0 : -G * 0.5 * 0.505 / 2, 2e-3);
        ASSERT_WITHIN(state_of(world, load).position.x, 1, 2e-3);
        scree_body_def frozen;
        CHECK(scree_body_get_def(world, load, &frozen));
        frozen.type = SCREE_BODY_STATIC;
        frozen.state.linear_velocity = frozen.state.angular_velocity = any;
        frozen.mass = 0, frozen.inertia = any;
        CHECK(scree_body_set_def(world, load, &frozen));
        run_for(world, 0.05);
        scree_world_destroy(world);
    }
}

/* A world's problem with joints and contacts is written to an FCLIB file as W, V, R with q and s, without the
 * free axes, and read back with the same solution; limits cannot be stored. */
static void dumps_contain_joints(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.solver.iterations = 300;
    scree_world *world = world_of(&def);
    const folder place = folder_make();
    const char *path = folder_file(&place, "dump.hdf5");
    add_slope(world, 0);
    const scree_body_id a = add_body(world, scree_shape_box(0.2f, 0.2f, 0.2f), (scree_vec3){0, 0, 0.2f}, any),
                        b = add_body(world, scree_shape_box(0.2f, 0.2f, 0.2f), (scree_vec3){1, 0, 0.6f}, any);
    scree_joint_def hinge =
        joint_at(world, SCREE_JOINT_HINGE, a, b, (scree_vec3){0.5f, 0, 0.4f}, (scree_vec3){0, 1, 0});
    const scree_joint_id joint = add_joint(world, &hinge);
    run_for(world, 0.05);
    scree_problem *p = NULL, *back = NULL;
    CHECK(scree_problem_from_world(world, &p));
    const int blocks = scree_problem_contact_count(p), contacts = blocks - 2;
    assert_true(contacts >= 4);
    scree_problem_options options = scree_default_problem_options();
    double r[3 * 16], u[3 * 16], again[3 * 16], residual[SCREE_MEASURE_COUNT];
    assert_true(blocks <= 16);
    options.tolerance = 1e-10;
    CHECK(scree_problem_solve(p, &options, r, u, NULL));
    CHECK(scree_fclib_save(p, path, r, u));
    CHECK(scree_fclib_load(path, &back));
    assert_int_equal(scree_problem_contact_count(back), contacts + 2); /* five equalities make two blocks */
    CHECK(scree_problem_solve(back, &options, again, NULL, NULL));
    CHECK(scree_problem_compute_residual(back, SCREE_LAW_COULOMB, again, u, residual));
    ASSERT_AT_MOST(residual[SCREE_MEASURE_SCALED], 1e-9);
    /* Redundant contacts leave impulses undetermined, but not their sum: the joint's are the same. */
    double squares[2] = {0, 0};
    for (int i = 0; i < 3 * blocks; i++)
        squares[0] += p->a.kind[i / 3] == SCREE_BLOCK_BOUNDED ? r[i] * r[i] : 0;
    for (int i = 3 * contacts; i < 3 * blocks; i++) squares[1] += again[i] * again[i];
    ASSERT_NEAR(squares[1], squares[0], 1e-6);
    scree_problem_destroy(p);
    scree_problem_destroy(back);
    hinge.axes[SCREE_AXIS_ROTATION_X].friction = 1;
    CHECK(scree_joint_set_def(world, joint, &hinge));
    run_for(world, 0.05);
    CHECK(scree_problem_from_world(world, &p));
    CHECK_FAILS(scree_fclib_save(p, path, NULL, NULL), SCREE_ERROR_UNSUPPORTED, "");
    scree_problem_destroy(p);
    scree_world_destroy(world);
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(the_worked_slider),
        ON_EACH_BACKEND(pendulums_have_their_periods),
        ON_EACH_BACKEND(circling_conserves_energy),
        ON_EACH_BACKEND(conical_pendulum_has_its_rate),
        ON_EACH_BACKEND(motors_accelerate_by_their_torque),
        ON_EACH_BACKEND(dry_friction_stops_and_holds),
        ON_EACH_BACKEND(servos_have_the_set_frequency_and_damping),
        ON_EACH_BACKEND(limits_hold),
        ON_EACH_BACKEND(joints_break_beyond_their_strength),
        ON_EACH_BACKEND(joined_bodies_do_not_collide),
        ON_EACH_BACKEND(joints_resume),
        ON_EACH_BACKEND(a_joint_transmits_the_weight),
        ON_EACH_BACKEND(springs_of_any_size_work),
        cmocka_unit_test(dumps_contain_joints),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
