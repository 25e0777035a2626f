/* Bodies and materials after creation: handles, changes, masses that follow the material, persistent loads,
 * impulses and states. */
#include "scenery.h"

static const scree_vec3 origin = {0, 0, 0};

static scree_world *weightless(void) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    def.gravity = origin;
    return world_of(&def);
}

static scree_material_id material_of_density(scree_world *world, float density) {
    scree_material_def def = scree_default_material_def();
    scree_material_id id;
    def.density = density;
    CHECK(scree_material_create(world, &def, &id));
    return id;
}

static double mass_of(const scree_world *world, scree_body_id body) {
    float mass;
    CHECK(scree_body_get_mass(world, body, &mass, NULL));
    return (double)mass;
}

/* Two identically built worlds: slot and generation agree, only the world differs. */
static void ids_of_another_world_are_caught(void **state) {
    (void)state;
    scree_world *here = weightless(), *there = weightless();
    const scree_body_id own = add_body(here, scree_shape_sphere(1), origin, origin),
                        foreign = add_body(there, scree_shape_sphere(1), origin, origin);
    const scree_material_id ours = material_of_density(here, 1), theirs = material_of_density(there, 1);
    assert_true(own.index == foreign.index && own.generation == foreign.generation);
    assert_true(ours.index == theirs.index && ours.generation == theirs.generation);
    scree_body_state s;
    scree_body_def def = scree_default_body_def();
    scree_material_def material;
    CHECK(scree_body_get_state(here, own, &s));
    CHECK_FAILS(scree_body_get_state(here, foreign, &s), SCREE_ERROR_HANDLE, "");
    CHECK_FAILS(scree_body_destroy(here, foreign), SCREE_ERROR_HANDLE, "");
    assert_false(scree_body_is_valid(here, foreign));
    scree_joint_def held = scree_default_joint_def(SCREE_JOINT_BALL);
    held.b = foreign;
    CHECK_FAILS(scree_joint_create(here, &held, NULL), SCREE_ERROR_HANDLE, "b: body {1, 1}");
    CHECK(scree_material_get_def(here, ours, &material));
    CHECK_FAILS(scree_material_get_def(here, theirs, &material), SCREE_ERROR_HANDLE, "");
    assert_false(scree_material_is_valid(here, theirs));
    def.material = theirs;
    CHECK_FAILS(scree_body_create(here, &def, NULL), SCREE_ERROR_HANDLE, "");
    assert_int_equal(scree_body_count(here), 1);
    const scree_outlet_def outlet = scree_default_outlet_def();
    scree_flow_id our_flow, their_flow, listed;
    scree_flow_state flow;
    CHECK(scree_outlet_create(here, &outlet, &our_flow));
    CHECK(scree_outlet_create(there, &outlet, &their_flow));
    assert_true(our_flow.index == their_flow.index && our_flow.generation == their_flow.generation);
    CHECK(scree_flow_get_state(here, our_flow, &flow));
    assert_int_equal(scree_flow_list(here, &listed, 1), 1);
    CHECK(scree_flow_get_state(here, listed, &flow));
    CHECK_FAILS(scree_flow_get_state(here, their_flow, &flow), SCREE_ERROR_HANDLE, "");
    CHECK_FAILS(scree_flow_destroy(here, their_flow), SCREE_ERROR_HANDLE, "");
    assert_false(scree_flow_is_valid(here, their_flow));
    scree_world_destroy(here);
    assert_true(scree_flow_is_valid(there, their_flow));
    CHECK(scree_body_get_state(there, foreign, &s));
    scree_world_destroy(there);
}

/* Setting the returned definition changes nothing; each changed field arrives. */
static void set_takes_what_get_returns(void **state) {
    (void)state;
    scree_world *world = weightless();
    scree_body_def def = scree_default_body_def(), read;
    scree_body_id id;
    def.shape = scree_shape_box(0.1f, 0.2f, 0.3f);
    def.state.linear_velocity.x = 2;
    def.inertia = (scree_vec3){1, 2, 2.5f};
    def.gravity_scale = 0.5f;
    def.locks = SCREE_LOCK_Y;
    def.force.z = 4;
    def.torque.y = 5;
    def.user_data = UINT64_C(0xfedcba9876543210);
    CHECK(scree_body_create(world, &def, &id));
    const uint64_t before = scree_world_get_hash(world);
    const double mass = mass_of(world, id);
    CHECK(scree_body_get_def(world, id, &read));
    assert_true(read.mass == 0 && read.inertia.z == 2.5f && read.gravity_scale == 0.5f);
    assert_true(read.locks == SCREE_LOCK_Y && read.force.z == 4 && read.torque.y == 5);
    assert_true(read.user_data == UINT64_C(0xfedcba9876543210) && read.state.linear_velocity.x == 2);
    CHECK(scree_body_set_def(world, id, &read));
    assert_true(scree_world_get_hash(world) == before);
    assert_true(mass_of(world, id) == mass);
    scree_world_destroy(world);
}

static void user_data_is_kept(void **state) {
    (void)state;
    scree_world *world = weightless();
    const scree_body_id id = add_body(world, scree_shape_sphere(1), origin, origin);
    uint64_t data = 1;
    CHECK(scree_body_get_user_data(world, id, &data));
    assert_true(data == 0);
    CHECK(scree_body_set_user_data(world, id, UINT64_MAX));
    CHECK(scree_world_step(world, NULL));
    CHECK(scree_body_get_user_data(world, id, &data));
    assert_true(data == UINT64_MAX);
    CHECK(scree_body_destroy(world, id));
    CHECK_FAILS(scree_body_get_user_data(world, id, &data), SCREE_ERROR_HANDLE, "");
    CHECK(scree_body_get_user_data(world, add_body(world, scree_shape_sphere(1), origin, origin), &data));
    assert_true(data == 0);
    scree_world_destroy(world);
}

/* 8 · 0.1³ m³ times the current density. */
static void masses_follow_the_material(void **state) {
    (void)state;
    scree_world *world = weightless();
    const scree_material_id wood = material_of_density(world, 500), lead = material_of_density(world, 11000);
    scree_body_def def = scree_default_body_def();
    scree_body_id dense, given;
    def.shape = scree_shape_box(0.1f, 0.1f, 0.1f);
    def.material = wood;
    def.state.angular_velocity.z = 3;
    CHECK(scree_body_create(world, &def, &dense));
    def.mass = 7;
    CHECK(scree_body_create(world, &def, &given));
    ASSERT_NEAR(mass_of(world, dense), 4, 1e-6);

    const scree_body_id both[2] = {dense, given};
    for (int i = 0; i < 2; i++) { /* another material */
        CHECK(scree_body_get_def(world, both[i], &def));
        def.material = lead;
        CHECK(scree_body_set_def(world, both[i], &def));
    }
    ASSERT_NEAR(mass_of(world, dense), 88, 1e-6);
    assert_true(mass_of(world, given) == 7);

    scree_material_def material;
    scree_vec3 inertia;
    float mass;
    CHECK(scree_material_get_def(world, lead, &material));
    assert_true(material.density == 11000);
    material.density = 250; /* the material itself */
    material.friction = 0.25f;
    CHECK(scree_material_set_def(world, lead, &material));
    CHECK(scree_body_get_mass(world, dense, &mass, &inertia));
    ASSERT_NEAR(mass, 2, 1e-6);
    ASSERT_NEAR(inertia.y, 2 * 0.02 / 3, 1e-6);
    assert_true(mass_of(world, given) == 7);
    assert_true(state_of(world, dense).angular_velocity.z == 3);

    material.density = 3e38f; /* one moment of inertia in range, one out of range */
    const scree_body_id large = add_body(world, scree_shape_sphere(0.1f), origin, origin);
    CHECK(scree_body_get_def(world, large, &def));
    def.material = lead;
    def.shape = scree_shape_box(10, 10, 10);
    CHECK(scree_body_set_def(world, large, &def));
    CHECK_FAILS(scree_material_set_def(world, lead, &material), SCREE_ERROR_ARGUMENT, "");
    CHECK(scree_material_get_def(world, lead, &material));
    assert_true(material.density == 250 && material.friction == 0.25f);
    ASSERT_NEAR(mass_of(world, dense), 2, 1e-6);
    scree_world_destroy(world);
}

/* The default material can be set like the others but always exists. */
static void default_material_can_be_set_but_not_destroyed(void **state) {
    (void)state;
    scree_world *world = weightless();
    const scree_material_id null = {0};
    const scree_body_id cube = add_body(world, scree_shape_box(0.5f, 0.5f, 0.5f), origin, origin);
    scree_material_def material;
    scree_material_id ids[2];
    CHECK(scree_material_get_def(world, null, &material));
    material.density = 3;
    CHECK(scree_material_set_def(world, null, &material));
    ASSERT_NEAR(mass_of(world, cube), 3, 1e-6);
    assert_true(scree_world_get_def(world).material.density == 3);
    CHECK_FAILS(scree_material_destroy(world, null), SCREE_ERROR_ARGUMENT, "default");
    assert_false(scree_material_is_valid(world, null));
    assert_int_equal(scree_material_list(world, ids, 2), 1);
    assert_true(scree_material_is_valid(world, ids[0]));
    CHECK_FAILS(scree_material_destroy(world, ids[0]), SCREE_ERROR_ARGUMENT, "default");
    scree_world_destroy(world);
}

static void a_material_in_use_is_not_destroyed(void **state) {
    (void)state;
    scree_world *world = weightless();
    const scree_material_id ice = material_of_density(world, 917);
    const scree_body_id body = add_body(world, scree_shape_sphere(0.1f), origin, origin);
    scree_material_pair_def slippery = scree_default_material_pair_def(), between;
    scree_body_def def;
    CHECK(scree_body_get_def(world, body, &def));
    const scree_material_id before = def.material;
    def.material = ice;
    CHECK(scree_body_set_def(world, body, &def));
    CHECK_FAILS(scree_material_destroy(world, ice), SCREE_ERROR_ARGUMENT, "body {1, 1}");
    assert_true(scree_material_is_valid(world, ice));
    slippery.friction = 0.01f;
    CHECK(scree_material_set_pair(world, ice, before, &slippery));

    def.material = before;
    CHECK(scree_body_set_def(world, body, &def));
    CHECK(scree_material_destroy(world, ice));
    assert_false(scree_material_is_valid(world, ice));
    assert_int_equal(scree_material_count(world), 1);
    CHECK_FAILS(scree_material_get_pair(world, ice, before, &between), SCREE_ERROR_HANDLE, "material");
    const scree_material_id next = material_of_density(world, 800);
    assert_true(next.index == ice.index && next.generation != ice.generation);
    CHECK(scree_material_get_pair(world, next, before, &between));
    assert_true(between.friction == 0.5f); /* the pair override is gone */
    scree_world_destroy(world);
}

static void pairs_can_be_unset(void **state) {
    (void)state;
    scree_world *world = weightless();
    scree_material_def rough = scree_default_material_def();
    scree_material_id a, b;
    scree_material_pair_def pair = scree_default_material_pair_def(), read;
    rough.friction = 0.8f;
    CHECK(scree_material_create(world, &rough, &a));
    rough.friction = 0.2f;
    CHECK(scree_material_create(world, &rough, &b));
    CHECK(scree_material_clear_pair(world, a, b)); /* nothing to unset */
    pair.friction = 0.9f;
    CHECK(scree_material_set_pair(world, b, a, &pair));
    CHECK(scree_material_set_pair(world, b, b, &pair));
    CHECK(scree_material_get_pair(world, a, b, &read));
    assert_true(read.friction == 0.9f);
    CHECK(scree_material_clear_pair(world, a, b));
    CHECK(scree_material_get_pair(world, b, a, &read));
    ASSERT_NEAR(read.friction, sqrt(0.8 * 0.2), 1e-6);
    CHECK(scree_material_get_pair(world, b, b, &read));
    assert_true(read.friction == 0.9f);
    scree_world_destroy(world);
}

/* v = F t/m, ω = τ t/I; forces applied for one step add to it. */
static void constant_loads_act_in_every_step(void **state) {
    (void)state;
    scree_world *world = weightless();
    scree_body_def def = scree_default_body_def();
    scree_body_id id, held;
    def.shape = scree_shape_sphere(0.1f);
    def.mass = 2;
    def.force.x = 3;
    def.torque.z = 0.004f;
    CHECK(scree_body_create(world, &def, &id));
    def = scree_default_body_def();
    def.type = SCREE_BODY_KINEMATIC;
    def.state.position.y = 5;
    CHECK(scree_body_create(world, &def, &held));
    CHECK(scree_body_apply_force(world, held, (scree_vec3){3, 0, 0}));
    CHECK(scree_body_apply_force(world, id, (scree_vec3){0, 12, 0}));
    run_for(world, 2);
    const scree_body_state s = state_of(world, id);
    const double h = 1.0 / 120, i = 0.4 * 2 * 0.01;
    ASSERT_NEAR(s.linear_velocity.x, 3.0 * 2 / 2, 1e-4);
    ASSERT_NEAR(s.linear_velocity.y, 12 * h / 2, 1e-4);
    ASSERT_NEAR(s.angular_velocity.z, 0.004 * 2 / i, 1e-4);
    assert_true(state_of(world, held).linear_velocity.x == 0);

    CHECK(scree_body_get_def(world, id, &def));
    def.force = def.torque = origin;
    CHECK(scree_body_set_def(world, id, &def));
    run_for(world, 1);
    assert_true(state_of(world, id).linear_velocity.x == s.linear_velocity.x);
    scree_world_destroy(world);
}

/* p/m and L/I at once; an impulse p at the offset r from the centre has the angular part r × p. */
static void impulses_change_velocities_at_once(void **state) {
    (void)state;
    scree_world *world = weightless();
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = scree_shape_sphere(0.1f);
    def.mass = 2;
    def.state.position.x = 7;
    CHECK(scree_body_create(world, &def, &id));
    const double i = 0.4 * 2 * 0.01;
    CHECK(scree_body_apply_impulse(world, id, (scree_vec3){0, 6, 0}));
    CHECK(scree_body_apply_angular_impulse(world, id, (scree_vec3){0.04f, 0, 0}));
    CHECK(scree_body_apply_impulse_at(world, id, (scree_vec3){0, 0, 4}, (scree_vec3){7, 0.05f, 0}));
    const scree_body_state s = state_of(world, id);
    ASSERT_NEAR(s.linear_velocity.y, 3, 1e-6);
    ASSERT_NEAR(s.linear_velocity.z, 2, 1e-6);
    ASSERT_NEAR(s.angular_velocity.x, (0.04 + 0.05 * 4) / i, 1e-6);
    assert_true(s.linear_velocity.x == 0 && s.angular_velocity.y == 0 && s.angular_velocity.z == 0);
    scree_world_destroy(world);
}

/* Loads that would overflow are rejected by the call, leave everything unchanged, and the world continues. */
static void loads_beyond_single_precision_are_rejected(void **state) {
    (void)state;
    scree_world *world = weightless();
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    const scree_vec3 huge = {3e38f, 0, 0};
    def.shape = scree_shape_box(0.1f, 0.2f, 0.3f);
    def.mass = 0.005f;
    CHECK(scree_body_create(world, &def, &id));
    const uint64_t before = scree_world_get_hash(world);
    CHECK_FAILS(scree_body_apply_impulse(world, id, huge), SCREE_ERROR_ARGUMENT, "");
    CHECK_FAILS(scree_body_apply_impulse_at(world, id, (scree_vec3){0, 1e30f, 0}, (scree_vec3){1e30f, 0, 0}),
                SCREE_ERROR_ARGUMENT, "");
    CHECK_FAILS(scree_body_apply_angular_impulse(world, id, huge), SCREE_ERROR_ARGUMENT, "");
    CHECK_FAILS(scree_body_apply_torque(world, id, huge), SCREE_ERROR_ARGUMENT, "");
    CHECK(scree_body_apply_force(world, id, (scree_vec3){1e18f, 0, 0}));
    CHECK_FAILS(scree_body_apply_force(world, id, (scree_vec3){1e20f, 0, 0}), SCREE_ERROR_ARGUMENT, "");
    CHECK(scree_body_apply_force(world, id, (scree_vec3){-1e18f, 0, 0}));
    const scree_vec3 far = {0, INFINITY, 0}, push = {1, 0, 0};
    CHECK_FAILS(scree_body_apply_force_at(world, id, push, far), SCREE_ERROR_ARGUMENT, "point:");
    CHECK_FAILS(scree_body_apply_impulse_at(world, id, push, far), SCREE_ERROR_ARGUMENT, "point:");
    CHECK_FAILS(scree_body_apply_force_at(world, id, (scree_vec3){0, NAN, 0}, origin), SCREE_ERROR_ARGUMENT,
                "");
    scree_body_state s = state_of(world, id);
    s.angular_velocity = (scree_vec3){3e38f, 3e38f, 3e38f};
    CHECK_FAILS(scree_body_set_state(world, id, &s), SCREE_ERROR_ARGUMENT, "");
    /* a step fails where the square of a velocity exceeds 3.4e38 */
    s.angular_velocity = origin, s.linear_velocity = (scree_vec3){1.9e19f, 0, 0};
    CHECK_FAILS(scree_body_set_state(world, id, &s), SCREE_ERROR_ARGUMENT, "velocity");
    def.state.linear_velocity = (scree_vec3){1e38f, 0, 0};
    CHECK_FAILS(scree_body_create(world, &def, NULL), SCREE_ERROR_ARGUMENT, "velocity");
    assert_true(scree_world_get_hash(world) == before);
    CHECK(scree_world_step(world, NULL));
    assert_true(state_of(world, id).linear_velocity.x == 0);
    scree_world_destroy(world);
}

enum { MANY = 50 };

static void states_are_set_in_bulk_or_not_at_all(void **state) {
    (void)state;
    scree_world *world = weightless();
    scree_body_id ids[MANY], swapped[MANY];
    scree_body_state wanted[MANY], read[MANY];
    for (int i = 0; i < MANY; i++)
        ids[i] = add_body(world, scree_shape_sphere(0.1f), (scree_vec3){i, 0, 0}, origin);
    for (int i = 0; i < MANY; i++) {
        swapped[i] = ids[(7 * i) % MANY];
        wanted[i] = (scree_body_state){{0, (float)i, 1}, {0, 0, 0, 1}, {1, 2, (float)i}, {0, (float)i, 0}};
    }
    CHECK(scree_body_set_states(world, swapped, MANY, wanted));
    CHECK(scree_body_get_states(world, swapped, MANY, read));
    assert_memory_equal(read, wanted, sizeof read);
    assert_true(state_of(world, ids[7]).position.y == 1);

    const uint64_t before = scree_world_get_hash(world);
    for (int i = 0; i < MANY; i++) wanted[i].position.x = 100;
    wanted[MANY - 1].position.z = NAN;
    CHECK_FAILS(scree_body_set_states(world, swapped, MANY, wanted), SCREE_ERROR_ARGUMENT, "states[49]");
    wanted[MANY - 1].position.z = 0;
    swapped[3].generation++;
    CHECK_FAILS(scree_body_set_states(world, swapped, MANY, wanted), SCREE_ERROR_HANDLE, "bodies[3]");
    CHECK_FAILS(scree_body_get_states(world, swapped, MANY, read), SCREE_ERROR_HANDLE, "bodies[3]");
    assert_true(scree_world_get_hash(world) == before);
    scree_world_destroy(world);
}

static void bodies_are_added_in_bulk_or_not_at_all(void **state) {
    (void)state;
    scree_world *world = weightless(), *single = weightless();
    scree_body_def defs[MANY];
    scree_body_id ids[MANY];
    for (int i = 0; i < MANY; i++) {
        defs[i] = scree_default_body_def();
        defs[i].state.position.x = (float)i;
        CHECK(scree_body_create(single, &defs[i], NULL));
    }
    defs[40].mass = -1;
    CHECK_FAILS(scree_body_create_all(world, defs, MANY, ids), SCREE_ERROR_ARGUMENT, "defs[40]: mass: -1");
    assert_int_equal(scree_body_count(world), 0);
    defs[40].mass = 0;
    CHECK(scree_world_set_limits(world, MANY - 1, 0));
    CHECK_FAILS(scree_body_create_all(world, defs, MANY, ids), SCREE_ERROR_CAPACITY, "at most 49");
    CHECK_FAILS(scree_body_create_all(world, defs, -1, ids), SCREE_ERROR_ARGUMENT, "count: -1");
    CHECK(scree_world_set_limits(world, 0, 0));
    CHECK(scree_body_create_all(world, NULL, 0, NULL));
    CHECK(scree_body_create_all(world, defs, MANY, ids));
    assert_true(scree_world_get_hash(world) == scree_world_get_hash(single));
    assert_true(state_of(world, ids[7]).position.x == 7);
    scree_world_destroy(world);
    scree_world_destroy(single);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_of_another_world_are_caught),
        cmocka_unit_test(set_takes_what_get_returns),
        cmocka_unit_test(user_data_is_kept),
        cmocka_unit_test(masses_follow_the_material),
        cmocka_unit_test(default_material_can_be_set_but_not_destroyed),
        cmocka_unit_test(a_material_in_use_is_not_destroyed),
        cmocka_unit_test(pairs_can_be_unset),
        cmocka_unit_test(constant_loads_act_in_every_step),
        cmocka_unit_test(impulses_change_velocities_at_once),
        cmocka_unit_test(loads_beyond_single_precision_are_rejected),
        cmocka_unit_test(states_are_set_in_bulk_or_not_at_all),
        cmocka_unit_test(bodies_are_added_in_bulk_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
