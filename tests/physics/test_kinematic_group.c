/* Prescribed motion, belts and schedules of gravity against closed forms. */
#include "folder.h"
#include "scenery.h"

static const double pi = 3.14159265358979323846;

static scree_body_id add_kinematic(scree_world *world, scree_shape shape, scree_vec3 position) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_KINEMATIC;
    def.shape = shape;
    def.state.position = position;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static scree_kinematic_group_id assemble(scree_world *world, const scree_body_id *bodies, int body_count,
                                         const scree_motion_def *motions, int motion_count) {
    const scree_kinematic_group_def def = {bodies, body_count, motions, motion_count};
    scree_kinematic_group_id id;
    CHECK(scree_kinematic_group_create(world, &def, &id));
    return id;
}

/* Returns how far two rotations are from each other, by their quaternions; q and −q are one rotation. */
static double turn_between(scree_quat a, scree_quat b) {
    const float dot = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w, s = dot < 0 ? -1 : 1;
    const float d[4] = {a.x - s * b.x, a.y - s * b.y, a.z - s * b.z, a.w - s * b.w};
    double sum = 0;
    for (int k = 0; k < 4; k++) sum += (double)d[k] * (double)d[k];
    return 2 * sqrt(sum);
}

static void assert_at(scree_vec3 v, double x, double y, double z, double tolerance) {
    ASSERT_WITHIN(v.x, x, tolerance);
    ASSERT_WITHIN(v.y, y, tolerance);
    ASSERT_WITHIN(v.z, z, tolerance);
}

/* A mixer wall keeps its prescribed angular velocity even if it turns by more than half a turn per step. */
static void a_fast_rotation_keeps_its_speed(void **state) {
    const double speeds[] = {150, 314, 320, -320, 500, 628.3185, -1500, 9000};
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++) {
        scree_world_def def = def_on(state);
        def.time_step = 0.01;
        scree_world *world = world_of(&def);
        const scree_body_id blade =
            add_kinematic(world, scree_shape_box(0.3f, 0.1f, 0.1f), (scree_vec3){1, 0, 0});
        scree_motion_def spin = scree_default_motion_def(SCREE_MOTION_ROTATION);
        spin.axis = (scree_vec3){0.6f, 0, 0.8f};
        spin.speed = speeds[i];
        assemble(world, &blade, 1, &spin, 1);
        for (int step = 0; step < 5; step++) {
            CHECK(scree_world_step(world, NULL));
            const scree_vec3 seen = state_of(world, blade).angular_velocity;
            assert_at(seen, 0.6 * speeds[i], 0, 0.8 * speeds[i], 1e-3);
        }
        scree_world_destroy(world);
    }
}

/* A point moves on its circle at ω, after 50 turns as after the first step; each step's velocities lead from
 * one pose to the next. */
static void a_rotation_keeps_its_circle(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.05;
    scree_world *world = world_of(&def);
    const scree_body_id bodies[2] = {
        add_kinematic(world, scree_shape_box(0.3f, 0.1f, 0.1f), (scree_vec3){1.5f, 0.2f, 1}),
        add_kinematic(world, scree_shape_sphere(0.1f), (scree_vec3){0.5f, 0.2f, -1})};
    scree_motion_def spin = scree_default_motion_def(SCREE_MOTION_ROTATION);
    spin.axis = (scree_vec3){0, 0, -2};
    spin.point = (scree_vec3){0.5f, 0.2f, 0};
    spin.speed = -2 * pi; /* about −z: counter-clockwise, one turn per second */
    assemble(world, bodies, 2, &spin, 1);
    scree_vec3 last = state_of(world, bodies[0]).position;
    for (int step = 1; step <= 1000; step++) {
        CHECK(scree_world_step(world, NULL));
        if (step > 40 && step < 990) continue;
        const double t = step * 0.05, c = cos(2 * pi * t), s = sin(2 * pi * t);
        const scree_body_state at = state_of(world, bodies[0]);
        assert_at(at.position, 0.5 + c, 0.2 + s, 1, 2e-7);
        const scree_quat expected = {0, 0, (float)sin(pi * t), (float)cos(pi * t)};
        ASSERT_AT_MOST(turn_between(at.rotation, expected), 1e-6);
        ASSERT_WITHIN(at.angular_velocity.z, 2 * pi, 1e-5);
        if (step <= 40)
            assert_at(at.position, (double)last.x + 0.05 * (double)at.linear_velocity.x,
                      (double)last.y + 0.05 * (double)at.linear_velocity.y, 1, 3e-7);
        last = at.position;
        assert_at(state_of(world, bodies[1]).position, 0.5, 0.2, -1, 2e-7);
    }
    scree_world_destroy(world);
}

/* Each kind has its closed form after a time, and so have compositions: the first motion is the innermost. */
static void kinds_and_compositions_have_their_closed_forms(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.01;
    scree_world *world = world_of(&def);
    const scree_shape ball = scree_shape_sphere(0.1f);
    scree_body_id ids[6];
    for (int i = 0; i < 6; i++) ids[i] = add_kinematic(world, ball, (scree_vec3){1, (float)i, 0});
    scree_motion_def linear = scree_default_motion_def(SCREE_MOTION_LINEAR),
                     spin = scree_default_motion_def(SCREE_MOTION_ROTATION),
                     wave = scree_default_motion_def(SCREE_MOTION_OSCILLATION),
                     swing = scree_default_motion_def(SCREE_MOTION_SWING),
                     table = scree_default_motion_def(SCREE_MOTION_TABLE);
    linear.velocity = (scree_vec3){0, 0, 2}, linear.start = 0.25, linear.stop = 1.25, linear.ramp = 0.5;
    assemble(world, &ids[0], 1, &linear, 1);
    spin.speed = pi / 2, spin.point = (scree_vec3){0, 1, 0};
    const scree_motion_def both[2] = {spin, linear};
    assemble(world, &ids[1], 1, both, 2);
    wave.axis = (scree_vec3){0, 0, 3}, wave.amplitude = 0.1, wave.frequency = 1.25, wave.phase = -pi / 2;
    assemble(world, &ids[2], 1, &wave, 1);
    swing.amplitude = 0.5, swing.frequency = 0.25, swing.axis = (scree_vec3){1, 0, 0};
    assemble(world, &ids[3], 1, &swing, 1);
    const scree_motion_key keys[2] = {{1, {0, 0, 1}, {0, 0, 0, 1}},
                                      {3, {2, 0, 1}, {0, 0, sinf(0.5f), cosf(0.5f)}}};
    table.keys = keys, table.key_count = 2, table.point = (scree_vec3){1, 4, 0};
    assemble(world, &ids[4], 1, &table, 1);
    assemble(world, &ids[5], 1, NULL, 0);
    run_for(world, 1);
    /* e(0.75) = 0.75 − 0.25 of 2 m/s */
    assert_at(state_of(world, ids[0]).position, 1, 0, 1, 1e-6);
    ASSERT_WITHIN(state_of(world, ids[0]).linear_velocity.z, 2, 1e-5);
    assert_at(state_of(world, ids[1]).position, 0, 2, 1, 1e-6);
    assert_at(state_of(world, ids[2]).position, 1, 2, 0.1 * (1 - cos(2.5 * pi)), 1e-6);
    assert_at(state_of(world, ids[3]).position, 1, 3 * cos(0.5), 3 * sin(0.5), 1e-6);
    assert_at(state_of(world, ids[4]).position, 1, 4, 1, 1e-6);
    run_for(world, 1);
    assert_at(state_of(world, ids[0]).position, 1, 0, 1.5, 1e-6);
    ASSERT_WITHIN(length_of(state_of(world, ids[0]).linear_velocity), 0, 0);
    assert_at(state_of(world, ids[4]).position, 2, 4, 1, 1e-6); /* half-way */
    ASSERT_WITHIN(state_of(world, ids[4]).angular_velocity.z, 0.5, 1e-5);
    ASSERT_WITHIN(state_of(world, ids[4]).rotation.z, sin(0.25), 1e-6);
    run_for(world, 2);
    assert_at(state_of(world, ids[4]).position, 3, 4, 1, 1e-6);
    assert_at(state_of(world, ids[4]).linear_velocity, 0, 0, 0, 0);
    assert_at(state_of(world, ids[5]).position, 1, 5, 0, 0);
    scree_world_destroy(world);
}

/* A plate that starts at rest at the bottom of z = a (1 − cos ω t) pushes a grain up with a ω² cos ω t; where
 * that falls below −g the grain takes off. */
static void shaken(void **state, double strength, double *height, double *expected) {
    scree_world_def def = def_on(state);
    def.time_step = 1.0 / 4000;
    def.solver.tolerance = 1e-6f;
    scree_world *world = world_of(&def);
    const scree_body_id plate =
        add_kinematic(world, scree_shape_box(0.1f, 0.1f, 0.01f), (scree_vec3){0, 0, -0.01f});
    const scree_body_id grain =
        add_body(world, scree_shape_sphere(0.005f), (scree_vec3){0, 0, 0.005f}, (scree_vec3){0, 0, 0});
    const double omega = 2 * pi * 10, g = 9.81, a = strength * g / (omega * omega);
    scree_motion_def shake = scree_default_motion_def(SCREE_MOTION_OSCILLATION);
    shake.amplitude = a, shake.frequency = 10, shake.phase = -pi / 2;
    assemble(world, &plate, 1, &shake, 1);
    double leaves = strength > 1 ? acos(-1 / strength) / omega : 0, t = 0.06;
    run_for(world, t);
    *height = (double)state_of(world, grain).position.z - 0.005;
    *expected = a * (1 - cos(omega * t));
    if (strength > 1) {
        const double v = a * omega * sin(omega * leaves);
        *expected = a * (1 - cos(omega * leaves)) + v * (t - leaves) - g / 2 * (t - leaves) * (t - leaves);
    }
    scree_world_destroy(world);
}

static void a_shaken_grain_takes_off_below_minus_g(void **state) {
    double height, expected;
    shaken(state, 0.9, &height, &expected);
    ASSERT_WITHIN(height, expected, 1e-5); /* still on it */
    shaken(state, 2.5, &height, &expected);
    ASSERT_WITHIN(height, expected, 3e-5);
    const double a = 2.5 * 9.81 / (400 * pi * pi), plate = a * (1 - cos(20 * pi * 0.06));
    assert_true(height > plate + 1e-3); /* while the plate is well below */
}

/* A box on a belt slides with μ g until it has the belt's speed, v/(μ g), and then moves with it. */
static void a_belt_carries_a_box(void **state) {
    for (int i = 0; i < 3; i++) {
        scree_world_def def = def_on(state);
        def.time_step = 0.005;
        def.solver.tolerance = 1e-6f;
        def.solver.iterations = 200;
        def.material.friction = 0.2f;
        scree_world *world = world_of(&def);
        scree_body_def belt = scree_default_body_def();
        belt.type = i == 1 ? SCREE_BODY_KINEMATIC : SCREE_BODY_STATIC;
        belt.shape = i == 2 ? scree_shape_half_space() : scree_shape_box(5, 1, 0.1f);
        belt.state.position.z = i == 2 ? 0 : -0.1f;
        belt.state.rotation = (scree_quat){0, 0, sinf(0.5f), cosf(0.5f)}; /* runs along 1 rad */
        belt.surface_velocity = (scree_vec3){1.2f, 0, 7};                 /* the normal component is
                                                                           * ignored */
        CHECK(scree_body_create(world, &belt, NULL));
        const scree_body_id box = add_body(world, scree_shape_box(0.1f, 0.1f, 0.02f),
                                           (scree_vec3){0, 0, 0.02f}, (scree_vec3){0, 0, 0});
        const double pull = 0.2 * 9.81, until = 1.2 / pull;
        run_for(world, 0.4);
        scree_body_state at = state_of(world, box);
        assert_at(at.linear_velocity, pull * 0.4 * cos(1), pull * 0.4 * sin(1), 0, 2e-4);
        ASSERT_WITHIN(length_of(at.angular_velocity), 0, 1e-3);
        run_for(world, 0.6);
        at = state_of(world, box);
        assert_at(at.linear_velocity, 1.2 * cos(1), 1.2 * sin(1), 0, 1e-3);
        const double way = 1.2 * (1 - until / 2);
        assert_at(at.position, way * cos(1), way * sin(1), 0.02, 5e-3);
        scree_world_destroy(world);
    }
}

/* The end of a belt does not push: a ball that hits it stops as at a wall, bit for bit. */
static void a_belt_does_not_push_with_its_end(void **state) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        scree_world *world = world_of(&def);
        scree_body_def belt = scree_default_body_def();
        belt.type = SCREE_BODY_STATIC;
        belt.shape = scree_shape_box(1, 1, 1);
        if (i) belt.surface_velocity.x = 3;
        CHECK(scree_body_create(world, &belt, NULL));
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){1.5f, 0, 0}, (scree_vec3){-1, 0, 0});
        const scree_statistics s = run_for(world, 1);
        ASSERT_WITHIN(s.kinetic_energy, 0, 1e-9);
        hashes[i] = scree_world_get_hash(world);
        scree_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* Gravity that fades linearly within a second adds half of its usual impulse; then it turns. */
static void gravity_follows_its_schedule(void **state) {
    scree_world_def def = def_on(state);
    def.time_step = 0.01;
    scree_world *world = world_of(&def);
    const scree_body_id body =
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0});
    run_for(world, 0.5);
    ASSERT_NEAR(state_of(world, body).linear_velocity.z, -9.81 * 0.5, 1e-5);
    const scree_gravity_key keys[3] = {{0, {0, 0, -8}}, {1, {0, 0, 0}}, {2, {4, 0, 0}}};
    CHECK(scree_world_set_gravity_schedule(world, keys, 3));
    run_for(world, 1);
    ASSERT_NEAR(state_of(world, body).linear_velocity.z, -9.81 * 0.5 - 4, 1e-5);
    run_for(world, 2);
    ASSERT_NEAR(state_of(world, body).linear_velocity.x, 2 + 4, 1e-5);
    scree_gravity_key got[3];
    assert_int_equal(scree_world_get_gravity_schedule(world, got, 3), 3);
    ASSERT_WITHIN(got[0].time, -3, 1e-9);
    assert_true(scree_world_get_def(world).gravity.x == 4);
    CHECK(scree_world_set_gravity(world, (scree_vec3){0, 0, -1}));
    assert_int_equal(scree_world_get_gravity_schedule(world, NULL, 0), 0);
    const scree_gravity_key back[2] = {{1, {0, 0, 0}}, {1, {0, 0, 0}}};
    CHECK_FAILS(scree_world_set_gravity_schedule(world, back, 2), SCREE_ERROR_ARGUMENT, "key 1");
    scree_world_destroy(world);
}

/* Makes a drum of four boards with grains, a swinging paddle at a table, a belt below, and tilting
 * gravity. */
static scree_world *busy_world(void **state, scree_body_id boards[4], scree_kinematic_group_id *drum) {
    scree_world_def def = def_on(state);
    def.time_step = 0.005;
    scree_world *world = world_of(&def);
    scree_body_def belt = scree_default_body_def();
    belt.type = SCREE_BODY_STATIC;
    belt.shape = scree_shape_half_space();
    belt.state.position.z = -0.4f;
    belt.surface_velocity.x = 0.5f;
    CHECK(scree_body_create(world, &belt, NULL));
    for (int i = 0; i < 4; i++) {
        const float along = i < 2 ? 0.22f : 0, up = i < 2 ? 0 : 0.22f, sign = i % 2 ? -1 : 1;
        boards[i] = add_kinematic(world, scree_shape_box(i < 2 ? 0.02f : 0.24f, 0.3f, i < 2 ? 0.24f : 0.02f),
                                  (scree_vec3){sign * along, 0, sign * up});
    }
    for (int i = 0; i < 12; i++)
        add_body(world, i % 2 ? scree_shape_sphere(0.04f) : scree_shape_box(0.03f, 0.04f, 0.05f),
                 (scree_vec3){-0.12f + 0.11f * (float)(i % 3), 0.1f * (float)(i / 6) - 0.05f,
                              -0.1f + 0.12f * (float)(i / 3 % 2)},
                 (scree_vec3){0, 0, 0});
    scree_motion_def motions[2] = {scree_default_motion_def(SCREE_MOTION_ROTATION),
                                   scree_default_motion_def(SCREE_MOTION_TABLE)};
    const scree_motion_key keys[2] = {{0.2, {0, 0, 0.1f}, {0, 0, 0, 1}}, {0.4, {0, 0, 0}, {0, 0, 0, 1}}};
    motions[0].axis = (scree_vec3){0, 1, 0}, motions[0].speed = 2, motions[0].ramp = 0.1;
    motions[1].keys = keys, motions[1].key_count = 2;
    *drum = assemble(world, boards, 4, motions, 2);
    const scree_gravity_key tilt[2] = {{0, {0, 0, -9.81f}}, {0.5, {3, 0, -9}}};
    CHECK(scree_world_set_gravity_schedule(world, tilt, 2));
    return world;
}

static void a_resumed_run_is_the_same_to_the_bit(void **state) {
    const folder place = folder_make();
    const char *path = folder_file(&place, "drum.checkpoint");
    scree_body_id boards[4];
    scree_kinematic_group_id drum, again;
    scree_world *stayed = busy_world(state, boards, &drum), *resumed = NULL;
    CHECK(scree_body_destroy(stayed, boards[3]));
    run_for(stayed, 0.25);
    CHECK(scree_checkpoint_save(stayed, path));
    const scree_world_def runtime = scree_world_get_def(stayed);
    scree_world_def on = runtime;
    on.device = test_device(), on.threads = 1;
    CHECK(scree_checkpoint_load(path, &on, &resumed));
    assert_int_equal(scree_kinematic_group_list(resumed, &again, 1), 1);
    scree_motion_def motions[2];
    assert_int_equal(scree_kinematic_group_get_motions(resumed, again, motions, 2), 2);
    assert_true(motions[0].speed == 2 && motions[1].key_count == 2 && motions[1].keys[0].time == 0.2);
    assert_int_equal(scree_kinematic_group_get_bodies(resumed, again, NULL, 0), 3);
    run_for(stayed, 0.25), run_for(resumed, 0.25);
    assert_true(scree_world_get_hash(stayed) == scree_world_get_hash(resumed));
    /* New motions of both worlds begin at their current poses. */
    CHECK(scree_kinematic_group_set_motions(stayed, drum, motions, 1));
    CHECK(scree_kinematic_group_set_motions(resumed, again, motions, 1));
    run_for(stayed, 0.1), run_for(resumed, 0.1);
    assert_true(scree_world_get_hash(stayed) == scree_world_get_hash(resumed));
    scree_world_destroy(stayed);
    scree_world_destroy(resumed);
    folder_remove(&place);
}

/* A failed step undoes the prescribed motion; the later success is as if it had not been tried. */
static void a_step_that_fails_changes_nothing(void **state) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        scree_body_id boards[4];
        scree_kinematic_group_id drum;
        scree_world *world = busy_world(state, boards, &drum);
        run_for(world, 0.1);
        if (i) {
            const uint64_t before = scree_world_get_hash(world);
            CHECK(scree_world_set_limits(world, 0, 1));
            assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_CAPACITY);
            assert_true(scree_world_get_hash(world) == before);
            CHECK(scree_world_set_limits(world, 0, 0));
        }
        run_for(world, 0.1);
        hashes[i] = scree_world_get_hash(world);
        scree_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

/* Under `relaxed`, contacts use the velocities before the step. Those of a plate that never moved are 0, even
 * if it was in a group between two steps, or its velocity was set in between. */
static void a_group_without_steps_leaves_no_trace(void **state) {
    uint64_t hashes[2];
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_RELAXED);
        scree_world *world = world_of(&def);
        const scree_body_id plate = add_kinematic(world, scree_shape_box(1, 1, 0.1f), (scree_vec3){0, 0, 0});
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.1995f}, (scree_vec3){0, 0, 0});
        scree_body_state at = state_of(world, plate);
        at.linear_velocity.z = 1;
        CHECK(scree_body_set_state(world, plate, &at));
        if (i) {
            CHECK(scree_kinematic_group_destroy(world, assemble(world, &plate, 1, NULL, 0)));
        } else {
            at.linear_velocity.z = 0;
            CHECK(scree_body_set_state(world, plate, &at));
        }
        run_for(world, 0.1);
        hashes[i] = scree_world_get_hash(world);
        scree_world_destroy(world);
    }
    assert_true(hashes[0] == hashes[1]);
}

static void invalid_definitions_are_rejected(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    scree_world *world = world_of(&def);
    const scree_body_id still = add_slope(world, 0),
                        wall = add_kinematic(world, scree_shape_sphere(1), (scree_vec3){0, 0, 0}),
                        twice[2] = {wall, wall};
    scree_kinematic_group_def make = {&still, 1, NULL, 0};
    scree_kinematic_group_id id;
    CHECK_FAILS(scree_kinematic_group_create(world, &make, &id), SCREE_ERROR_ARGUMENT, "bodies[0]:");
    make.bodies = twice, make.body_count = 2;
    CHECK_FAILS(scree_kinematic_group_create(world, &make, &id), SCREE_ERROR_ARGUMENT, "bodies[1]:");
    make.body_count = 1;
    CHECK(scree_kinematic_group_create(world, &make, &id));
    CHECK_FAILS(scree_kinematic_group_create(world, &make, NULL), SCREE_ERROR_ARGUMENT, "bodies[0]");
    scree_body_state at = state_of(world, wall);
    CHECK_FAILS(scree_body_set_state(world, wall, &at), SCREE_ERROR_ARGUMENT, "");
    scree_body_def body;
    CHECK(scree_body_get_def(world, wall, &body));
    body.shape = scree_shape_sphere(2);
    CHECK(scree_body_set_def(world, wall, &body));
    body.state.position.x = 1;
    CHECK_FAILS(scree_body_set_def(world, wall, &body), SCREE_ERROR_ARGUMENT, "");
    struct {
        scree_motion_def motion;
        const char *words;
    } wrong[8];
    const scree_motion_key late = {0, {1, 0, 0}, {0, 0, 0, 1}};
    for (int i = 0; i < 8; i++) wrong[i].motion = scree_default_motion_def(SCREE_MOTION_ROTATION);
    wrong[0].motion.kind = SCREE_MOTION_COUNT, wrong[0].words = "motions[0]:";
    wrong[1].motion.start = -1, wrong[1].words = "motions[0]";
    wrong[2].motion.stop = 0, wrong[2].words = "motions[0]";
    wrong[3].motion.axis = (scree_vec3){0, 0, 0}, wrong[3].words = "motions[0]";
    wrong[4].motion.speed = NAN, wrong[4].words = "motions[0]";
    wrong[5].motion.kind = SCREE_MOTION_TABLE, wrong[5].words = "motions[0]";
    wrong[6].motion = wrong[5].motion, wrong[6].motion.keys = &late, wrong[6].motion.key_count = 1;
    wrong[6].words = "motions[0]";
    wrong[7].motion.ramp = -1, wrong[7].words = "motions[0]";
    for (int i = 0; i < 8; i++)
        CHECK_FAILS(scree_kinematic_group_set_motions(world, id, &wrong[i].motion, 1), SCREE_ERROR_ARGUMENT,
                    wrong[i].words);
    CHECK(scree_kinematic_group_destroy(world, id));
    CHECK_FAILS(scree_kinematic_group_destroy(world, id), SCREE_ERROR_HANDLE, "");
    CHECK(scree_body_set_state(world, wall, &at));
    scree_body_def belt = scree_default_body_def();
    belt.surface_velocity.x = 1;
    CHECK_FAILS(scree_body_create(world, &belt, NULL), SCREE_ERROR_ARGUMENT, "surface_velocity:");
    assert_int_equal(scree_kinematic_group_count(world), 0);
    scree_world_destroy(world);
}

static const char drum_scene[] =
    "{\"backend\": {\"kind\": \"native\", \"threads\": 1}, \"time_step\": 0.01,\n"
    " \"containers\": [{\"kind\": \"drum\", \"radius\": 0.5, \"length\": 0.2, \"sides\": 12}],\n"
    " \"gravity_schedule\": [{\"time\": 0, \"gravity\": [0, 0, -9]}, {\"time\": 1, \"gravity\": [0, 0, "
    "-8]}],\n"
    " \"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}},\n"
    "  {\"type\": \"kinematic\", \"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}, \"position\": [0, 9, "
    "0]}],\n"
    " \"kinematic_groups\": [{\"bodies\": [1], \"containers\": [0], \"motions\": [%s]}]}\n";

static scree_scene *scene_with(const char *motions, scree_result expected, const char *words) {
    char text[2048];
    scree_scene *scene = NULL;
    snprintf(text, sizeof text, drum_scene, motions);
    const scree_result result = scree_scene_parse(text, strlen(text), "drum.json", &scene);
    if (result != expected || (words && !strstr(scree_error_get_message(), words)))
        fail_msg("%s: %s: expected \"%s\"", motions, scree_error_get_message(), words ? words : "success");
    return scene;
}

/* Containers and bodies of a scene rotate together, and continue differently after an edited scene. */
static void a_scene_defines_kinematic_groups(void **state) {
    (void)state;
    static const char turn[] = "{\"kind\": \"rotation\", \"axis\": [0, 1, 0], \"point\": [0, 0, 1], "
                               "\"speed\": 3.14159265358979}",
                      sway[] = "{\"kind\": \"swing\", \"axis\": [0, 1, 0], \"amplitude_degrees\": 90, "
                               "\"frequency\": 0.25}";
    scree_scene *scene = scene_with(turn, SCREE_OK, NULL), *edited = scene_with(sway, SCREE_OK, NULL);
    const scree_world_def def = scree_scene_get_world_def(scene);
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, 0));
    scree_body_id ids[32];
    scree_kinematic_group_id drum;
    assert_int_equal(scree_body_list(world, ids, 32), 16);
    assert_int_equal(scree_kinematic_group_list(world, &drum, 1), 1);
    assert_int_equal(scree_kinematic_group_get_bodies(world, drum, NULL, 0), 15);
    const scree_body_state board = state_of(world, ids[0]), ball = state_of(world, ids[15]);
    run_for(world, 0.5); /* a quarter turn about y: z to x */
    assert_at(state_of(world, ids[15]).position, -1, 9, 1, 1e-6);
    assert_at(state_of(world, ids[0]).position, -1, 0, 1 - (double)board.position.x, 1e-6);
    ASSERT_WITHIN(scree_world_get_def(world).gravity.z, -8.505, 1e-5); /* gravity at the middle of the last
                                                                        * step */
    const scree_resume_def resume = scree_default_resume_def();
    CHECK(scree_scene_resume(edited, world, &resume));
    run_for(world, 1); /* by a quarter turn about the origin */
    assert_at(state_of(world, ids[15]).position, 1, 9, 1, 1e-6);
    assert_at(ball.position, 0, 9, 0, 0);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    scree_scene_destroy(edited);
    static const char *const wrong[][2] = {
        {"{\"kind\": \"rotation\", \"speed\": 1}", "kinematic_groups[0].motions[0]:"},
        {"{\"kind\": \"rotation\", \"speed\": 1, \"axis\": [0, 0, 0]}", "motions[0]"},
        {"{\"kind\": \"linear\", \"velocity\": [0, 0, 1], \"start\": 2, \"stop\": 1}", "motions[0]"},
        {"{\"kind\": \"table\", \"keys\": [{\"time\": 1}, {\"time\": 1}]}", "motions[0]"},
        {"]}, {\"bodies\": [1], \"motions\": [", "kinematic_groups[1].bodies[0]:"},
        {"]}, {\"bodies\": [0], \"motions\": [", "kinematic_groups[1].bodies[0]"},
        {"]}, {\"containers\": [1], \"motions\": [", "kinematic_groups[1].containers[0]"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        scene_with(wrong[i][0], SCREE_ERROR_FORMAT, wrong[i][1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(a_fast_rotation_keeps_its_speed),
        ON_EACH_BACKEND(a_rotation_keeps_its_circle),
        ON_EACH_BACKEND(kinds_and_compositions_have_their_closed_forms),
        ON_EACH_BACKEND(a_shaken_grain_takes_off_below_minus_g),
        ON_EACH_BACKEND(a_belt_carries_a_box),
        ON_EACH_BACKEND(a_belt_does_not_push_with_its_end),
        ON_EACH_BACKEND(gravity_follows_its_schedule),
        ON("native", a_resumed_run_is_the_same_to_the_bit),
        ON("opencl", a_resumed_run_is_the_same_to_the_bit),
        ON("native", a_step_that_fails_changes_nothing),
        ON("opencl", a_step_that_fails_changes_nothing),
        ON_EACH_BACKEND(a_group_without_steps_leaves_no_trace),
        cmocka_unit_test(invalid_definitions_are_rejected),
        cmocka_unit_test(a_scene_defines_kinematic_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
