/* Reports of a contact: its values, whether it sticks, slides or is open, and the torque of rolling friction.
 * Contacts of destroyed bodies are gone at once. */
#include "scenery.h"
#include "stabilisations.h"

static const scree_vec3 rest = {0, 0, 0};

static scree_world *native_world(float rolling_friction) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    def.material.friction = 0.5f;
    def.material.restitution = 0.25f;
    def.material.rolling_friction = rolling_friction;
    return world_of(&def);
}

/* Friction stops a block that slides on the ground. */
static void a_block_slides_and_then_sticks(void **state) {
    (void)state;
    scree_world *world = native_world(0);
    scree_contact contacts[8];
    add_slope(world, 0);
    add_body(world, scree_shape_box(0.1f, 0.1f, 0.02f), (scree_vec3){0, 0, 0.02f}, (scree_vec3){1, 0, 0});
    run_for(world, 0.1); /* it needs 0.2 s to stop */
    int count = scree_contact_list(world, contacts, 8);
    assert_int_equal(count, 4);
    for (int i = 0; i < count; i++) {
        assert_true(contacts[i].friction == 0.5f && contacts[i].restitution == 0.25f);
        assert_int_equal(contacts[i].mode, SCREE_CONTACT_SLIDING);
        ASSERT_NEAR(fabsf(contacts[i].impulse.x), 0.5 * fabs((double)contacts[i].impulse.z), 1e-3);
    }
    run_for(world, 0.4);
    /* Friction balances a push of a quarter of the weight. */
    const double weight = 1000 * 8 * 0.1 * 0.1 * 0.02 * 9.81;
    scree_body_id ids[2];
    scree_body_list(world, ids, 2);
    CHECK(scree_body_apply_force(world, ids[1], (scree_vec3){(float)(weight / 4), 0, 0}));
    CHECK(scree_world_step(world, NULL));
    count = scree_contact_list(world, contacts, 8);
    assert_int_equal(count, 4);
    double carried = 0;
    for (int i = 0; i < count; i++) {
        assert_int_equal(contacts[i].mode, SCREE_CONTACT_STICKING);
        carried += (double)contacts[i].impulse.x * 120;
    }
    ASSERT_NEAR(fabs(carried), weight / 4, 0.01); /* on the block or on the ground */
    scree_world_destroy(world);
}

/* At rest half a millimetre above the ground: reported as open, without effect. */
static void a_gap_is_open(void **state) {
    (void)state;
    scree_world *world = native_world(0);
    scree_contact contact;
    CHECK(scree_world_set_gravity(world, rest));
    add_slope(world, 0);
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.1005f}, rest);
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_contact_list(world, &contact, 1), 1);
    assert_int_equal(contact.mode, SCREE_CONTACT_OPEN);
    ASSERT_WITHIN(contact.gap, 5e-4, 1e-6);
    assert_string_equal(scree_contact_mode_name(contact.mode), "open");
    assert_null(scree_contact_mode_name(SCREE_CONTACT_MODE_COUNT));
    scree_world_destroy(world);
}

/* A ball that rolls along x has a resisting torque of l_r m g about −y. */
static void rolling_friction_is_a_torque(void **state) {
    (void)state;
    scree_world *world = native_world(0.002f);
    scree_contact contact;
    add_slope(world, 0);
    scree_body_def ball = scree_default_body_def();
    ball.shape = scree_shape_sphere(0.1f);
    ball.mass = 3;
    ball.state = (scree_body_state){{0, 0, 0.1f}, {0, 0, 0, 1}, {2, 0, 0}, {0, 20, 0}};
    CHECK(scree_body_create(world, &ball, NULL));
    run_for(world, 0.2);
    assert_int_equal(scree_contact_list(world, &contact, 1), 1);
    const double direction = contact.normal.z > 0 ? 1 : -1; /* the ball is b, or a */
    ASSERT_NEAR((double)contact.torque.y * 120 * direction, -0.002 * 3 * 9.81, 0.01);
    ASSERT_WITHIN(contact.torque.x, 0, 1e-6);
    scree_world_destroy(world);
}

/* A ball 2 mm deep in the ground, and one at rest half a millimetre above it: the values of their normal
 * rows. */
static void rows_report_bias_and_compliance(void **state) {
    (void)state;
    const double h = 1.0 / 120, c = -2e-3, beta = 0.25, k = 3e4, d = 50, slop = 5e-4, delta = 0.05;
    const double soft = h * k / (h * k + d);
    const struct {
        scree_stabilisation kind;
        double bias, compliance; /* the latter also for open gaps */
    } rows[] = {{SCREE_STABILISATION_BAUMGARTE, beta / h * (c + slop), 0},
                {SCREE_STABILISATION_SOFT, soft / h * (c + slop), 1 / (h * (h * k + d))},
                {SCREE_STABILISATION_SPLIT, 0, 0},
                {SCREE_STABILISATION_RELAXED, h / (delta * delta) * (c + slop), 0},
                {SCREE_STABILISATION_PENALTY, 1 / h * (c + slop), 1 / (h * h * k)}, /* d < h k */
                {SCREE_STABILISATION_SUBSTEP, 0, 0}};
    _Static_assert(sizeof rows / sizeof *rows == SCREE_STABILISATION_COUNT, "every stabilisation");
    for (int i = 0; i < SCREE_STABILISATION_COUNT; i++) {
        scree_world_def def = scree_default_world_def();
        def.backend = SCREE_BACKEND_NATIVE, def.threads = 1, def.time_step = h;
        def.solver = scree_solver_def_with_stabilisation(def.solver, rows[i].kind);
        def.solver.slop = (float)slop;
        set_error_reduction(&def.solver, beta);
        set_oscillator(&def.solver, delta, 1);
        if (rows[i].kind == SCREE_STABILISATION_SUBSTEP)
            def.solver.substep.substeps = 1;
        else
            set_contact_spring(&def.solver, k, d);
        scree_world *world = world_of(&def);
        scree_contact contacts[2];
        add_slope(world, 0);
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, (float)(0.1 + c)}, rest);
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){1, 0, 0.1005f}, rest);
        CHECK(scree_world_step(world, NULL));
        assert_int_equal(scree_contact_list(world, contacts, 2), 2);
        const scree_contact *deep = contacts[0].gap < contacts[1].gap ? &contacts[0] : &contacts[1],
                            *open = deep == contacts ? &contacts[1] : &contacts[0];
        ASSERT_WITHIN(deep->bias, rows[i].bias, 1e-4 * fabs(c) / h);
        ASSERT_WITHIN(deep->compliance, rows[i].compliance, 1e-6 * rows[i].compliance);
        ASSERT_WITHIN(open->bias, 5e-4 / h, 1e-3 * 5e-4 / h);
        ASSERT_WITHIN(open->compliance, rows[i].compliance, 1e-6 * rows[i].compliance);
        scree_world_destroy(world);
    }
    /* Restitution: it arrives at 2 m/s and its row requires half of that, apart from gravity. */
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 1;
    def.material.restitution = 0.5f, def.gravity = rest;
    scree_world *world = world_of(&def);
    scree_contact contact;
    add_slope(world, 0);
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 0.1f}, (scree_vec3){0, 0, -2});
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_contact_list(world, &contact, 1), 1);
    ASSERT_NEAR(contact.bias, -1, 1e-5);
    scree_world_destroy(world);
}

static void contacts_go_with_their_body(void **state) {
    (void)state;
    scree_world *world = native_world(0);
    add_slope(world, 0);
    scree_body_id boxes[3];
    for (int i = 0; i < 3; i++)
        boxes[i] = add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){(float)i, 0, 0.1f}, rest);
    run_for(world, 0.1);
    assert_int_equal(scree_contact_count(world), 12);
    CHECK(scree_body_destroy(world, boxes[1]));
    assert_int_equal(scree_contact_count(world), 8);
    /* A body that reuses the slot has no contacts of the old one. */
    add_body(world, scree_shape_sphere(0.1f), (scree_vec3){5, 0, 5}, rest);
    assert_int_equal(scree_contact_count(world), 8);
    scree_body_def def;
    CHECK(scree_body_get_def(world, boxes[2], &def));
    CHECK(scree_body_set_def(world, boxes[2], &def));
    CHECK(scree_body_destroy(world, boxes[0]));
    assert_int_equal(scree_contact_count(world), 0);
    CHECK(scree_world_step(world, NULL));
    assert_int_equal(scree_contact_count(world), 4);
    scree_world_destroy(world);
}

/* A body tumbles on the ground with one iteration per step, which returns its initial impulses where it
 * improved nothing: for any contact frames, no impulse attracts or exceeds friction. */
static void impulses_obey_their_law_after_one_iteration(void **state) {
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; law++) {
        scree_world_def def = scree_default_world_def();
        def.backend = SCREE_BACKEND_NATIVE, def.threads = 1, def.time_step = 1.0 / 60;
        def.material.friction = 0.4f;
        def.solver.law = (scree_law)law, def.solver.iterations = 1, def.solver.tolerance = 0;
        scree_world *world = world_of(&def);
        scree_contact contacts[64];
        add_slope(world, 0);
        for (int i = 0; i < 8; i++) {
            scree_body_def body = scree_default_body_def();
            scree_body_id id;
            const float turn = 0.4f * (float)(i + 1);
            body.shape = i % 2 ? scree_shape_box(0.15f, 0.2f, 0.25f) : scree_shape_cylinder(0.15f, 0.1f);
            body.state.position =
                (scree_vec3){0.1f * (float)(i % 3), 0.1f * (float)(i % 2), 0.3f + 0.5f * (float)i};
            body.state.rotation = (scree_quat){sinf(turn) * 0.6f, sinf(turn) * 0.8f, 0, cosf(turn)};
            body.state.angular_velocity = (scree_vec3){3 - (float)i, 2, (float)(i % 4) - 2};
            CHECK(scree_body_create(world, &body, &id));
        }
        for (int step = 0; step < 120; step++) {
            CHECK(scree_world_step(world, NULL));
            const int count = scree_contact_list(world, contacts, 64);
            for (int i = 0; i < count && i < 64; i++) {
                const scree_vec3 r = contacts[i].impulse, n = contacts[i].normal;
                const double pressed = (double)r.x * n.x + (double)r.y * n.y + (double)r.z * n.z,
                             most = law == SCREE_LAW_PYRAMID ? sqrt(2) * 0.4 : 0.4,
                             square = (double)r.x * r.x + (double)r.y * r.y + (double)r.z * r.z;
                const double rubs = sqrt(fmax(square - pressed * pressed, 0));
                ASSERT_AT_MOST(-pressed, 1e-5 * sqrt(square));
                ASSERT_AT_MOST(rubs - most * pressed, 1e-3 * sqrt(square));
            }
        }
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slides_and_then_sticks),
        cmocka_unit_test(a_gap_is_open),
        cmocka_unit_test(rolling_friction_is_a_torque),
        cmocka_unit_test(rows_report_bias_and_compliance),
        cmocka_unit_test(contacts_go_with_their_body),
        cmocka_unit_test(impulses_obey_their_law_after_one_iteration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
