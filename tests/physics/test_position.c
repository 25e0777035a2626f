/* The position pass of `split`: a row of ten balls, each overlapping its neighbours by 1 mm, without gravity.
 * Solved to convergence, a step leaves (1 − β) of each overlap. */
#include "scenery.h"

enum { BALLS = 10 };
static const double RADIUS = 0.05, OVERLAP = 1e-3;

static scree_world *row_of_balls(const scree_world_def *def, scree_body_id ids[BALLS]) {
    scree_world *world = world_of(def);
    for (int i = 0; i < BALLS; i++)
        ids[i] = add_body(world, scree_shape_sphere((float)RADIUS),
                          (scree_vec3){(float)((2 * RADIUS - OVERLAP) * i), 0, 0}, (scree_vec3){0, 0, 0});
    return world;
}

/* Returns the largest remaining overlap relative to the initial one. */
static double left_of(const scree_world *world, const scree_body_id ids[BALLS]) {
    double largest = 0;
    for (int i = 1; i < BALLS; i++)
        largest = fmax(largest, 2 * RADIUS - (double)(state_of(world, ids[i]).position.x -
                                                      state_of(world, ids[i - 1]).position.x));
    return largest / OVERLAP;
}

static scree_world_def weightless(void **state) {
    scree_world_def def = def_on(state);
    def.gravity = (scree_vec3){0, 0, 0};
    return def;
}

static void tolerance_is_reached(void **state) {
    scree_world_def def = weightless(state);
    scree_body_id ids[BALLS];
    def.solver.split.position_iterations = 100000;
    def.solver.split.position_tolerance = 1e-5f;
    scree_world *world = row_of_balls(&def, ids);
    double expected = 1;
    for (int i = 0; i < 10; i++) {
        CHECK(scree_world_step(world, NULL));
        expected *= 1 - (double)def.solver.split.error_reduction;
        ASSERT_NEAR(left_of(world, ids), expected, 2e-3);
    }
    scree_world_destroy(world);
}

/* Returns what a few sweeps per step leave after `steps`. */
static double left_after(const scree_world_def *def, int steps) {
    scree_body_id ids[BALLS];
    scree_world *world = row_of_balls(def, ids);
    for (int i = 0; i < steps; i++) CHECK(scree_world_step(world, NULL));
    const double left = left_of(world, ids);
    scree_world_destroy(world);
    return left;
}

/* With a warm start from the previous step's pushes, three sweeps per step equal hundreds; from zero they do
 * not. */
static void pushes_are_warm_started(void **state) {
    scree_world_def def = weightless(state);
    const int steps = 15;
    const double exact = pow(1 - (double)def.solver.split.error_reduction, steps);
    def.solver.split.position_iterations = 3;
    const double warm = left_after(&def, steps);
    def.solver.warm_start = false;
    const double cold = left_after(&def, steps);
    print_message("left after %d steps: %.4f, from zero %.4f, solved to the end %.4f\n", steps, warm, cold,
                  exact);
    ASSERT_AT_MOST(warm, 1.5 * exact);
    ASSERT_AT_LEAST(cold, 3 * exact);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(tolerance_is_reached),
        ON("native", pushes_are_warm_started), /* the reference converges anyway */
        ON("opencl", pushes_are_warm_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
