/* Life cycle of bodies and materials through the public interface: handles, ranges, changes, loads, bulk
 * reading. */
#include "scenery.h"

static scree_world *native_world(void) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    return world_of(&def);
}

static void destroyed_bodies_are_caught(void **state) {
    (void)state;
    scree_world *world = native_world();
    const scree_body_id old =
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 1}, (scree_vec3){0, 0, 0});
    CHECK(scree_body_destroy(world, old));
    const scree_body_id fresh =
        add_body(world, scree_shape_sphere(0.1f), (scree_vec3){0, 0, 1}, (scree_vec3){0, 0, 0});
    assert_int_equal(fresh.index, old.index); /* the slot is reused */
    scree_body_state s = {.rotation = {0, 0, 0, 1}};
    scree_body_def def = scree_default_body_def();
    const scree_vec3 v = {0, 0, 0};
    assert_false(scree_body_is_valid(world, old));
    assert_true(scree_body_is_valid(world, fresh));
    assert_int_equal(scree_body_destroy(world, old), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_get_state(world, old, &s), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_set_state(world, old, &s), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_get_def(world, old, &def), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_set_def(world, old, &def), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_apply_force_at(world, old, v, v), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_apply_force(world, old, v), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_apply_torque(world, old, v), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_apply_impulse_at(world, old, v, v), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_apply_impulse(world, old, v), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_apply_angular_impulse(world, old, v), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_get_states(world, &old, 1, &s), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_get_state(world, (scree_body_id){0}, &s), SCREE_ERROR_HANDLE);
    assert_int_equal(scree_body_get_state(world, (scree_body_id){.index = 99, .generation = 1}, &s),
                     SCREE_ERROR_HANDLE);
    assert_non_null(strstr(scree_error_get_message(), "{99, 1}"));
    scree_world_destroy(world);
}

/* Every invalid field is named, and nothing is created. */
static void invalid_definitions_are_rejected_by_field(void **state) {
    (void)state;
    scree_world *world = native_world();
    scree_body_id id;
#define REFUSED(change, word)                                                                                \
    do {                                                                                                     \
        scree_body_def def = scree_default_body_def();                                                       \
        change;                                                                                              \
        assert_int_equal(scree_body_create(world, &def, &id), SCREE_ERROR_ARGUMENT);                         \
        assert_non_null(strstr(scree_error_get_message(), word));                                            \
    } while (0)
    REFUSED(def.mass = -1, "mass");
    REFUSED(def.mass = NAN, "mass");
    REFUSED(def.shape = scree_shape_sphere(0), "size.x");
    REFUSED(def.shape = scree_shape_box(1, 0, 1), "size.y");
    REFUSED(def.shape = scree_shape_box(1, 1, INFINITY), "size.z");
    REFUSED(def.shape = scree_shape_half_space(), "half-space");
    REFUSED(def.state.position.y = NAN, "position");
    REFUSED(def.state.linear_velocity.x = INFINITY, "linear_velocity");
    REFUSED(def.state.angular_velocity.x = INFINITY, "angular_velocity");
    REFUSED(def.state.rotation.w = 2, "rotation");
    REFUSED(def.inertia.x = 1, "inertia");
    REFUSED((def.inertia = (scree_vec3){1, 1, 5}), "inertia");
    REFUSED((def.inertia = (scree_vec3){3, 1, 1}), "inertia");
    REFUSED(def.gravity_scale = NAN, "gravity_scale");
    REFUSED(def.locks = 64, "locks");
    REFUSED((def.locks = 1, def.type = SCREE_BODY_KINEMATIC), "locks");
    REFUSED((def.locks = 1, def.type = SCREE_BODY_STATIC), "locks");
    REFUSED((def.mass = 1, def.type = SCREE_BODY_STATIC), "mass:");
    REFUSED((def.inertia = (scree_vec3){1, 1, 1}, def.type = SCREE_BODY_STATIC), "inertia:");
    REFUSED((def.force.z = 1, def.type = SCREE_BODY_KINEMATIC), "force:");
    REFUSED((def.torque.x = -1, def.type = SCREE_BODY_KINEMATIC), "torque:");
    REFUSED(def.force.z = NAN, "force");
    REFUSED(def.torque.z = INFINITY, "torque");
    REFUSED((def.force.z = 3e38f, def.mass = 1e-3f), "");
    REFUSED(def.state.angular_velocity.x = 3e38f, "");
    REFUSED(def.type = (scree_body_type)7, "type");
    REFUSED(def.shape.kind = SCREE_SHAPE_COUNT, "kind");
    REFUSED(def.shape = scree_shape_sphere(1e-12f), "");
    REFUSED(def.shape = scree_shape_sphere(1e13f), "shape.size.x");
    REFUSED((def.shape = scree_shape_box(1, 1e-13f, 1), def.mass = 1), "shape.size.y");
    REFUSED((def.shape = scree_shape_sphere(1e12f), def.mass = 1e15f), ""); /* 4e38 kg m² */
    REFUSED((def.mass = 1e-39f, def.inertia = (scree_vec3){1, 1, 1}), "");  /* 1/m is infinite */
    REFUSED(def.state.position.z = 2e19f, "state.position:");
    REFUSED((def.type = SCREE_BODY_STATIC, def.surface_velocity.x = 2e19f), "surface_velocity:");
    REFUSED((def.type = SCREE_BODY_STATIC, def.shape = (scree_shape){SCREE_SHAPE_TRIANGLE, {1, 0, 0}, NULL}),
            "third corner");
#undef REFUSED
    assert_int_equal(scree_body_count(world), 0);
    scree_world_destroy(world);
}

/* Data of a geometry, and its scaling by a factor. */
static void geometries_beyond_float_are_rejected(void **state) {
    (void)state;
    const scree_clump_sphere ball = {{0, 0, 0}, 1}, away = {{0, 2e9f, 0}, 1}, large = {{0, 0, 0}, 2e9f};
    scree_vec3 corners[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    scree_compound_child part = scree_default_compound_child();
    scree_geometry *made = NULL;
    assert_int_equal(scree_clump_create(&away, 1, &made), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "sphere 0"));
    assert_int_equal(scree_clump_create(&large, 1, &made), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "sphere 0"));
    corners[2].y = 2e9f;
    assert_int_equal(scree_hull_create(corners, 4, &made), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "point 2"));
    part.position.z = -2e9f;
    assert_int_equal(scree_compound_create(&part, 1, &made), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "position: "));
    assert_int_equal(scree_clump_create(&ball, 1, &made), SCREE_OK);
    assert_int_equal(scree_validate_shape(scree_shape_clump(made, 9e11f)), SCREE_OK);
    const float factors[] = {2e12f, 1e-13f};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(scree_validate_shape(scree_shape_clump(made, factors[i])), SCREE_ERROR_ARGUMENT);
        assert_non_null(strstr(scree_error_get_message(), "size.x"));
    }
    scree_geometry_release(made);
}

static void invalid_worlds_are_rejected_by_field(void **state) {
    (void)state;
#define REFUSED(change, word)                                                                                \
    do {                                                                                                     \
        scree_world_def def = scree_default_world_def();                                                     \
        scree_world *world = NULL;                                                                           \
        change;                                                                                              \
        assert_int_equal(scree_world_create(&def, &world), SCREE_ERROR_ARGUMENT);                            \
        assert_null(world);                                                                                  \
        assert_non_null(strstr(scree_error_get_message(), word));                                            \
    } while (0)
    REFUSED(def.gravity.x = NAN, "gravity");
    REFUSED(def.time_step = 0, "time_step");
    REFUSED(def.speculative_distance = -1, "speculative_distance");
    REFUSED(def.material.density = 0, "density");
    REFUSED(def.material.friction = -0.1f, "friction");
    REFUSED(def.material.restitution = 1.5f, "restitution");
    REFUSED(def.threads = -1, "threads");
    REFUSED(def.backend = (scree_backend_kind)9, "backend");
    REFUSED(def.maximum_bodies = -1, "maximum_bodies");
    REFUSED(def.solver.iterations = 0, "iterations");
    REFUSED(def.solver.relaxation = 2, "relaxation");
    REFUSED(def.solver.colours = 33, "colours");
    REFUSED(def.solver.split.error_reduction = 1.1f, "error_reduction");
    REFUSED(def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SOFT);
            def.solver.soft.stiffness = 0, "stiffness");
    REFUSED(def.solver.split.correction_speed = 0, "correction_speed");
    REFUSED(def.solver.slop = -1, "slop");
    REFUSED(def.solver.tolerance = NAN, "tolerance");
    REFUSED((def.solver.method = SCREE_METHOD_JACOBI, def.solver.relaxation = 1.5f), "relaxation");
#undef REFUSED
}

/* Mass and inertia of homogeneous shapes: 4/3 π r³ ρ and 2/5 m r²; 8xyz ρ and m (y² + z²)/3. */
static void mass_follows_from_shape_and_density(void **state) {
    (void)state;
    scree_world *world = native_world();
    const scree_vec3 origin = {0, 0, 0};
    scree_vec3 inertia;
    float mass;
    CHECK(scree_body_get_mass(world, add_body(world, scree_shape_sphere(0.2f), origin, origin), &mass,
                              &inertia));
    const double m = 4.0 / 3 * M_PI * 0.008 * 1000;
    ASSERT_NEAR((double)mass, m, 1e-6);
    ASSERT_NEAR((double)inertia.y, 0.4 * m * 0.04, 1e-6);
    CHECK(scree_body_get_mass(world, add_body(world, scree_shape_box(0.1f, 0.2f, 0.3f), origin, origin),
                              &mass, &inertia));
    ASSERT_NEAR((double)mass, 48, 1e-6);
    ASSERT_NEAR((double)inertia.x, 48 * (0.04 + 0.09) / 3, 1e-6);
    ASSERT_NEAR((double)inertia.z, 48 * (0.01 + 0.04) / 3, 1e-6);
    scree_world_destroy(world);
}

/* A force F for one step changes v by F h/m, an off-centre force spins by I⁻¹ (x − c) × F h; it acts once. */
static void forces_act_for_one_step(void **state) {
    (void)state;
    scree_world *world = native_world();
    CHECK(scree_world_set_gravity(world, (scree_vec3){0, 0, 0}));
    const scree_body_id id =
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){1, 2, 3}, (scree_vec3){0, 0, 0});
    const double h = 1.0 / 120, m = 8, i = m * 0.02 / 3;
    CHECK(scree_body_apply_force_at(world, id, (scree_vec3){0, 0, 12}, (scree_vec3){1.1f, 2, 3}));
    CHECK(scree_body_apply_force(world, id, (scree_vec3){6, 0, 0}));
    CHECK(scree_body_apply_torque(world, id, (scree_vec3){0, 0, 0.5f}));
    CHECK(scree_world_step(world, NULL));
    CHECK(scree_world_step(world, NULL));
    const scree_body_state s = state_of(world, id);
    ASSERT_NEAR((double)s.linear_velocity.z, 12 * h / m, 1e-5);
    ASSERT_NEAR((double)s.linear_velocity.x, 6 * h / m, 1e-5);
    ASSERT_NEAR((double)s.angular_velocity.y, -0.1 * 12 * h / i, 1e-3);
    ASSERT_NEAR((double)s.angular_velocity.z, 0.5 * h / i, 1e-3);
    CHECK(scree_body_apply_impulse_at(world, id, (scree_vec3){8, 0, 0}, s.position));
    ASSERT_NEAR((double)state_of(world, id).linear_velocity.x, (double)s.linear_velocity.x + 1, 1e-5);
    scree_world_destroy(world);
}

/* A kinematic plate carries a box along by friction and is not slowed by it. */
static void kinematic_bodies_push_without_being_pushed(void **state) {
    (void)state;
    scree_world *world = native_world();
    scree_body_def plate = scree_default_body_def();
    scree_body_id id;
    plate.type = SCREE_BODY_KINEMATIC;
    plate.shape = scree_shape_box(2, 1, 0.1f);
    plate.state.linear_velocity.x = 0.5f;
    CHECK(scree_body_create(world, &plate, &id));
    const scree_body_id box =
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.2f}, (scree_vec3){0, 0, 0});
    run_for(world, 1);
    ASSERT_NEAR((double)state_of(world, box).linear_velocity.x, 0.5, 1e-3);
    ASSERT_NEAR((double)state_of(world, id).position.x, 0.5, 1e-4);
    assert_true(state_of(world, id).linear_velocity.x == 0.5f);
    scree_world_destroy(world);
}

/* A pair override takes precedence over the combination of the two materials. */
static void material_pairs_override_the_combination(void **state) {
    (void)state;
    scree_world *world = native_world();
    scree_material_def ice = scree_default_material_def();
    scree_material_id id;
    ice.friction = 0.3f;
    CHECK(scree_material_create(world, &ice, &id));
    add_slope(world, 0);
    scree_body_def def = scree_default_body_def();
    scree_body_id body;
    def.material = id;
    def.shape = scree_shape_box(0.2f, 0.2f, 0.02f);
    def.state.position.z = 0.02f;
    def.state.linear_velocity.x = 1;
    CHECK(scree_body_create(world, &def, &body));
    run_for(world, 0.1);
    const double combined = sqrt(0.3 * 0.5), first = (double)state_of(world, body).linear_velocity.x;
    ASSERT_NEAR(first, 1 - combined * 9.81 * 0.1, 0.01);
    scree_material_pair_def pair = scree_default_material_pair_def();
    pair.friction = 0.05f;
    CHECK(scree_material_set_pair(world, (scree_material_id){0}, id, &pair));
    run_for(world, 0.1);
    ASSERT_NEAR((double)state_of(world, body).linear_velocity.x, first - 0.05 * 9.81 * 0.1, 0.01);
    assert_int_equal(
        scree_material_set_pair(world, (scree_material_id){.index = 5, .generation = 1}, id, &pair),
        SCREE_ERROR_HANDLE);
    pair.rolling_friction = -1;
    assert_int_equal(scree_material_set_pair(world, id, id, &pair), SCREE_ERROR_ARGUMENT);
    assert_non_null(strstr(scree_error_get_message(), "rolling_friction"));
    scree_world_destroy(world);
}

/* Destroying the lower box lets the upper one fall; its stale contact is not kept. */
static void destroying_a_support_lets_bodies_fall(void **state) {
    (void)state;
    scree_world *world = native_world();
    add_slope(world, 0);
    const scree_body_id low =
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.1f}, (scree_vec3){0, 0, 0});
    const scree_body_id high =
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.3f}, (scree_vec3){0, 0, 0});
    run_for(world, 0.5);
    CHECK(scree_body_destroy(world, low));
    run_for(world, 0.1);
    ASSERT_NEAR((double)state_of(world, high).linear_velocity.z, -0.981, 0.01);
    run_for(world, 1);
    ASSERT_NEAR((double)state_of(world, high).position.z, 0.1, 0.01);
    scree_world_destroy(world);
}

/* Exceeding a limit set by the caller is an error without losses: the world stays unchanged. */
static void limits_are_reported(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.maximum_bodies = 3;
    def.maximum_contacts = 5;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 2; i++)
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){(float)i, 0, 0.1f},
                 (scree_vec3){0, 0, 0});
    const scree_body_def more = scree_default_body_def();
    scree_body_id id;
    CHECK_FAILS(scree_body_create(world, &more, &id), SCREE_ERROR_CAPACITY, "maximum_bodies");
    CHECK(scree_world_set_limits(world, 2, 5)); /* below the current count: nothing is removed */
    CHECK_FAILS(scree_body_create(world, &more, &id), SCREE_ERROR_CAPACITY, "maximum_bodies");
    const uint64_t before = scree_world_get_hash(world);
    assert_int_equal(scree_world_step(world, NULL), SCREE_ERROR_CAPACITY); /* two boxes need eight */
    assert_int_equal(scree_world_get_hash(world), before);
    scree_world_destroy(world);
}

/* A state that overflows is rejected with the body and the step, and the last good state stays. */
static void non_finite_states_stop_the_step(void **state) {
    (void)state;
    scree_world *world = native_world();
    scree_body_def def = scree_default_body_def();
    scree_body_id bad;
    def.gravity_scale = 0;
    CHECK(scree_body_create(world, &def, NULL));
    def.gravity_scale = 1;
    def.state.position.x = 5;
    CHECK(scree_body_create(world, &def, &bad));
    CHECK(scree_world_set_gravity(world, (scree_vec3){3e38f, 0, 0}));
    scree_result result = SCREE_OK;
    uint64_t before = 0;
    for (int i = 0; i < 200 && result == SCREE_OK; i++) {
        before = scree_world_get_hash(world);
        result = scree_world_step(world, NULL);
    }
    assert_int_equal(result, SCREE_ERROR_NOT_FINITE);
    char named[40];
    snprintf(named, sizeof named, "the body with id %u ", (unsigned)bad.index);
    assert_non_null(strstr(scree_error_get_message(), named));
    assert_non_null(strstr(scree_error_get_message(), "step"));
    assert_true(scree_world_get_hash(world) == before);
    assert_true(isfinite(state_of(world, bad).position.x));
    scree_world_destroy(world);
}

/* Steps bodies above a floor, each faster than the one below it, until a step fails; asserts that all
 * statistics are finite until then. Returns the result of that step. */
static scree_result step_until_it_fails(scree_stabilisation scheme, scree_body_def def, int count) {
    scree_world_def world_def = scree_default_world_def();
    world_def.backend = SCREE_BACKEND_NATIVE;
    world_def.solver = scree_solver_def_with_stabilisation(world_def.solver, scheme);
    scree_world *world = world_of(&world_def);
    scree_body_def floor = scree_default_body_def();
    floor.type = SCREE_BODY_STATIC, floor.shape = scree_shape_half_space();
    CHECK(scree_body_create(world, &floor, NULL));
    const float speed = def.state.linear_velocity.z;
    for (int i = 0; i < count; i++) {
        def.state.position.z = 0.5f + 0.7f * (float)i;
        def.state.linear_velocity.z = speed * (float)(i + 1);
        CHECK(scree_body_create(world, &def, NULL));
    }
    scree_result result = SCREE_OK;
    scree_statistics s = {0};
    for (int i = 0; i < 100 && result == SCREE_OK; i++) {
        result = scree_world_step(world, &s);
        assert_true(isfinite(s.kinetic_energy));
        assert_true(result != SCREE_OK || isfinite(s.solve.residual));
    }
    scree_world_destroy(world);
    return result;
}

/* With every stabilisation a step succeeds up to 3e8 rad/s, and a spin of 3e18 rad/s overflows single
 * precision when the box lands: a corner at 0.3 m then moves at 1e18 m/s, and squares of impulses exceed
 * 3e38. */
static void a_spin_beyond_float_stops_the_step(void **state) {
    (void)state;
    scree_body_def def = scree_default_body_def();
    def.shape = scree_shape_box(0.3f, 0.1f, 0.2f);
    for (int scheme = 0; scheme < SCREE_STABILISATION_COUNT; scheme++) {
        def.state.angular_velocity = (scree_vec3){3e8f, 1e8f, 0};
        assert_int_equal(step_until_it_fails((scree_stabilisation)scheme, def, 2), SCREE_OK);
        if (scheme == SCREE_STABILISATION_SUBSTEP) continue; /* its springs may reject the landing and go on */
        def.state.angular_velocity = (scree_vec3){3e18f, 1e18f, 0};
        assert_int_equal(step_until_it_fails((scree_stabilisation)scheme, def, 2), SCREE_ERROR_NOT_FINITE);
    }
}

/* Sheets of an atom's thickness at 1e12 m/s: states and residuals stay finite, because a step with invalid
 * energy is rejected. */
static void thin_fast_sheets_keep_a_finite_residual(void **state) {
    (void)state;
    scree_body_def def = scree_default_body_def();
    def.shape = scree_shape_box(0.5f, 0.5f, 1e-10f);
    def.state.linear_velocity.z = -1e12f;
    assert_int_equal(step_until_it_fails(SCREE_STABILISATION_SPLIT, def, 4), SCREE_OK);
}

/* dt = 1/120 s at 5 m/s: a ball of 10 mm radius thrown at a wall 20 mm thick stays on its side, from every
 * phase of the step. */
static void fast_balls_do_not_tunnel(void **state) {
    (void)state;
    for (int i = 0; i < 20; i++) {
        scree_world *world = native_world();
        CHECK(scree_world_set_gravity(world, (scree_vec3){0, 0, 0}));
        scree_body_def wall = scree_default_body_def();
        wall.type = SCREE_BODY_STATIC;
        wall.shape = scree_shape_box(0.01f, 1, 1);
        CHECK(scree_body_create(world, &wall, NULL));
        const scree_body_id ball =
            add_body(world, scree_shape_sphere(0.01f), (scree_vec3){-0.1f - 0.0021f * (float)i, 0, 0},
                     (scree_vec3){5, 0.3f, 0});
        run_for(world, 0.2);
        assert_true(state_of(world, ball).position.x < -0.0199f);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(destroyed_bodies_are_caught),
        cmocka_unit_test(invalid_definitions_are_rejected_by_field),
        cmocka_unit_test(invalid_worlds_are_rejected_by_field),
        cmocka_unit_test(geometries_beyond_float_are_rejected),
        cmocka_unit_test(mass_follows_from_shape_and_density),
        cmocka_unit_test(forces_act_for_one_step),
        cmocka_unit_test(kinematic_bodies_push_without_being_pushed),
        cmocka_unit_test(material_pairs_override_the_combination),
        cmocka_unit_test(destroying_a_support_lets_bodies_fall),
        cmocka_unit_test(limits_are_reported),
        cmocka_unit_test(non_finite_states_stop_the_step),
        cmocka_unit_test(a_spin_beyond_float_stops_the_step),
        cmocka_unit_test(thin_fast_sheets_keep_a_finite_residual),
        cmocka_unit_test(fast_balls_do_not_tunnel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
