/* What nothing can hold: a sphere between the ground and a plate that comes down all the same is said to have
 * no solution, with its name, and a small residual is not claimed; a stack that is merely hard to solve is
 * not. */
#include "scenery.h"

static scree_body_id add_plate(scree_world *world, float height, float speed) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.type = SCREE_BODY_KINEMATIC;
    def.shape = scree_box(1, 1, 0.1f);
    def.state.position.z = height + 0.1f;
    def.state.linear_velocity.z = -speed;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static void a_crushed_sphere_is_named(void **state) {
    scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_statistics s;
    add_slope(world, 0);
    const scree_body_id ball =
        add_body(world, scree_sphere(0.1f), (scree_vec3){0, 0, 0.1f}, (scree_vec3){0, 0, 0});
    add_plate(world, 0.25f, 0.5f); /* touches after 0.1 s */
    int named = 0, steps = 0;
    for (int i = 0; i < 40; i++) {
        CHECK(scree_world_step(world, &s));
        if (s.time < 0.09) {
            assert_int_not_equal(s.solve.stop, SCREE_STOP_INFEASIBLE);
            assert_int_equal(s.infeasible_a.index, 0);
        }
        if (s.time < 0.2) continue;
        steps++;
        named += s.solve.stop == SCREE_STOP_INFEASIBLE &&
                 (s.infeasible_a.index == ball.index || s.infeasible_b.index == ball.index);
        ASSERT_AT_LEAST(s.solve.residual, 1e-4);
        ASSERT_AT_LEAST(s.solve.violation, 0.2);
    }
    print_message("named at %d of %d steps, residual %.1e, overlap %.3f m\n", named, steps, s.solve.residual,
                  s.penetration_max);
    assert_int_equal(named, steps);
    scree_world_destroy(world);
}

/* A thousand times its weight on ten cubes, and three iterations a step. */
static void a_hard_stack_is_not(void **state) {
    scree_world_def def = def_on(state);
    def.solver.iterations = 3;
    scree_world *world = world_of(&def);
    scree_statistics s;
    double largest = 0;
    add_slope(world, 0);
    for (int i = 0; i < 10; i++)
        add_body(world, scree_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.1f + 0.2f * (float)i},
                 (scree_vec3){0, 0, 0});
    scree_body_def heavy = scree_default_body_def();
    scree_body_id id;
    heavy.shape = scree_box(0.1f, 0.1f, 0.1f), heavy.mass = 8000, heavy.state.position.z = 2.1f;
    CHECK(scree_body_create(world, &heavy, &id));
    for (int i = 0; i < 40; i++) {
        CHECK(scree_world_step(world, &s));
        assert_int_not_equal(s.solve.stop, SCREE_STOP_INFEASIBLE);
        largest = fmax(largest, s.solve.violation);
    }
    print_message("violation up to %.2f\n", largest);
    ASSERT_AT_LEAST(largest, 0.05); /* so that it was looked for */
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {ON_EACH_BACKEND(a_crushed_sphere_is_named),
                                       ON("native", a_hard_stack_is_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
