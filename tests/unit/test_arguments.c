/* Calls at the edge of what their descriptions allow: each is accepted or refused as documented. */
#include "scenery.h"

static scree_world *make_world(void) {
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE;
    def.threads = 1;
    return world_of(&def);
}

/* An inlet takes a material that is alive. One that is destroyed later gives grains the default material. */
static void inlets_take_living_materials(void **state) {
    (void)state;
    scree_world *world = make_world(), *other = make_world();
    const scree_material_def material = scree_default_material_def();
    scree_material_id own, foreign, dead;
    CHECK(scree_material_create(other, &material, &foreign));
    CHECK(scree_material_create(world, &material, &own));
    CHECK(scree_material_create(world, &material, &dead));
    CHECK(scree_material_destroy(world, dead));
    scree_inlet_def inlet = scree_default_inlet_def();
    scree_flow_id id;
    inlet.rate = 120;
    inlet.body.material = foreign;
    CHECK_FAILS(scree_inlet_create(world, &inlet, &id), SCREE_ERROR_HANDLE, "material");
    inlet.body.material = dead;
    CHECK_FAILS(scree_inlet_create(world, &inlet, &id), SCREE_ERROR_HANDLE, "material");
    inlet.body.material = own;
    CHECK(scree_inlet_create(world, &inlet, &id));
    inlet.body.material = foreign;
    CHECK_FAILS(scree_inlet_set_def(world, id, &inlet), SCREE_ERROR_HANDLE, "material");
    CHECK(scree_material_destroy(world, own));
    for (int i = 0; i < 2; i++) CHECK(scree_world_step(world, NULL));
    assert_in_range(scree_body_count(world), 1, 2);
    scree_world_destroy(world), scree_world_destroy(other);
}

/* Lengths that a kind does not use are 0. */
static void unused_lengths_are_refused(void **state) {
    (void)state;
    scree_shape ball = scree_shape_sphere(1);
    ball.size.z = NAN;
    CHECK_FAILS(scree_validate_shape(ball), SCREE_ERROR_ARGUMENT, "size.z");
    scree_shape rod = scree_shape_capsule(1, 1), plane = scree_shape_half_space();
    rod.size.z = 1e-30f, plane.size.x = -1;
    CHECK_FAILS(scree_validate_shape(rod), SCREE_ERROR_ARGUMENT, "size.z");
    CHECK_FAILS(scree_validate_shape(plane), SCREE_ERROR_ARGUMENT, "size.x");
    CHECK(scree_validate_shape((scree_shape){SCREE_SHAPE_TRIANGLE, {1, -2, 1}, NULL}));
}

static void expect_still(const scree_world *world, scree_body_id id) {
    const scree_body_state state = state_of(world, id);
    assert_true(length_of(state.linear_velocity) == 0 && length_of(state.angular_velocity) == 0);
}

/* A static body has no velocity, whatever a call gives it: a moving body can be frozen by its type alone. */
static void static_bodies_have_no_velocity(void **state) {
    (void)state;
    scree_world *world = make_world();
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.state.linear_velocity.y = -1, def.state.angular_velocity.z = 1;
    CHECK(scree_body_create(world, &def, &id));
    CHECK(scree_body_get_def(world, id, &def));
    def.type = SCREE_BODY_STATIC;
    CHECK(scree_body_set_def(world, id, &def));
    expect_still(world, id);
    CHECK(scree_body_set_state(world, id, &def.state));
    expect_still(world, id);
    CHECK(scree_body_create(world, &def, &id));
    expect_still(world, id);
    scree_world_destroy(world);
}

/* A rotation is taken within 0.0005 of unit length, and kept with unit length. */
static void rotations_are_normalised(void **state) {
    (void)state;
    scree_world *world = make_world();
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.state.rotation = (scree_quat){0.6f * 1.00045f, 0, 0, 0.8f * 1.00045f};
    CHECK(scree_body_create(world, &def, &id));
    const scree_quat q = state_of(world, id).rotation;
    ASSERT_WITHIN(q.x, 0.6, 1e-7);
    ASSERT_WITHIN(q.w, 0.8, 1e-7);
    def.state.rotation = (scree_quat){0.6f * 0.9994f, 0, 0, 0.8f * 0.9994f};
    CHECK_FAILS(scree_body_create(world, &def, NULL), SCREE_ERROR_ARGUMENT, "rotation");
    scree_world_destroy(world);
}

/* The directions of a joint's frame are of any length: they give one frame. */
static void frames_take_directions_of_any_length(void **state) {
    (void)state;
    scree_world *world = make_world();
    const scree_body_id body =
        add_body(world, scree_shape_sphere(1), (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0});
    const float lengths[] = {1, 1e-40f, 1e-25f, 1e30f, 3e38f};
    scree_joint_def one = scree_default_joint_def(SCREE_JOINT_HINGE);
    for (int i = 0; i < 5; i++) {
        scree_joint_def def = scree_default_joint_def(SCREE_JOINT_HINGE);
        def.b = body;
        CHECK(scree_joint_get_frame(world, &def, (scree_vec3){1, 2, 3}, (scree_vec3){0, lengths[i], 0},
                                    (scree_vec3){0, 0, lengths[i]}));
        if (i == 0) one = def;
        assert_memory_equal(&def.frame_a, &one.frame_a, sizeof def.frame_a);
        assert_memory_equal(&def.frame_b, &one.frame_b, sizeof def.frame_b);
    }
    CHECK_FAILS(scree_joint_get_frame(world, &one, (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0},
                                      (scree_vec3){0, 0, 0}),
                SCREE_ERROR_ARGUMENT, "x (the axis): (0, 0, 0); must not be zero");
    scree_world_destroy(world);
}

/* A problem without contacts needs no arrays. */
static void problems_may_be_empty(void **state) {
    (void)state;
    const scree_problem_def none = {0};
    scree_problem *problem = NULL;
    CHECK(scree_problem_create(&none, &problem));
    assert_int_equal(scree_problem_contact_count(problem), 0);
    const scree_problem_options options = scree_default_problem_options();
    CHECK(scree_problem_solve(problem, &options, NULL, NULL, NULL));
    scree_problem_destroy(problem);
}

static void *allocate(size_t bytes, void *user) { return (void)user, malloc(bytes); }
static void release(void *block, void *user) {
    (void)user;
    free(block);
}

/* Half an allocator is refused, and the one in force stays. */
static void half_an_allocator_is_refused(void **state) {
    (void)state;
    scree_set_allocator(&(scree_allocator){allocate, release, NULL});
    scree_error_set(SCREE_OK, "");
    scree_set_allocator(&(scree_allocator){allocate, NULL, NULL});
    assert_int_equal(scree_error_get_result(), SCREE_ERROR_ARGUMENT);
    scree_set_allocator(&(scree_allocator){NULL, release, NULL});
    assert_true(scree_get_allocator().allocate == allocate);
    scree_set_allocator(NULL);
    assert_true(scree_get_allocator().allocate == NULL);
}

/* A negative capacity counts as 0. Items of no geometry are zero. */
static void lists_take_a_negative_capacity(void **state) {
    (void)state;
    scree_world *world = make_world();
    add_body(world, scree_shape_sphere(1), (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0});
    assert_int_equal(scree_body_list(world, NULL, -1), 1);
    assert_int_equal(scree_joint_list(world, NULL, -1), 0);
    assert_int_equal(scree_contact_list(world, NULL, -1), 0);
    assert_int_equal(scree_clump_get_sphere(NULL, -1).radius, 0);
    assert_int_equal(scree_hull_get_corner(NULL, 7).x, 0);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inlets_take_living_materials),
        cmocka_unit_test(unused_lengths_are_refused),
        cmocka_unit_test(static_bodies_have_no_velocity),
        cmocka_unit_test(rotations_are_normalised),
        cmocka_unit_test(frames_take_directions_of_any_length),
        cmocka_unit_test(problems_may_be_empty),
        cmocka_unit_test(half_an_allocator_is_refused),
        cmocka_unit_test(lists_take_a_negative_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
