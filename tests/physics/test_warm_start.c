/* Scaling of warm starts that would add energy (step/warm_start.c). */
#include "scenery.h"

/* Returns the upward speed of a heavy ball after it strikes a layer of small ones from `gap` above, relative
 * to its impact speed; asserts that no step gains energy. */
static double rise_from_small_balls(void **state, float gap) {
    enum { SIDE = 7 };
    const float small = 0.001f, large = 0.005f, speed = 0.5f;
    scree_world_def def = def_on(state);
    scree_statistics s;
    def.time_step = 0.001, def.speculative_distance = 1e-4f;
    def.material.friction = 0.4f, def.material.restitution = 0;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < SIDE * SIDE; i++)
        add_body(world, scree_shape_sphere(small),
                 (scree_vec3){2.02f * small * (float)(i % SIDE - SIDE / 2),
                              2.02f * small * (float)(i / SIDE - SIDE / 2), small},
                 (scree_vec3){0, 0, 0});
    const scree_body_id ball =
        add_body(world, scree_shape_sphere(large), (scree_vec3){0, 0, 2 * small + large + gap},
                 (scree_vec3){0, 0, -speed});
    double energy = INFINITY, first = 0, fastest = 0;
    for (int step = 0; step < 30; step++) {
        CHECK(scree_world_step(world, &s));
        const double now = s.kinetic_energy + s.potential_energy;
        if (step == 0) first = now;
        ASSERT_AT_MOST(now, energy + 2e-3 * first);
        energy = now;
        fastest = fmax(fastest, (double)state_of(world, ball).linear_velocity.z);
    }
    scree_world_destroy(world);
    return fastest / (double)speed;
}

/* Without restitution it stays down. In the step after an impact the warm start holds impulses that are no
 * longer needed, and each sweep removes only as much as a small ball weighs: the ball rose at up to half of
 * its speed. */
static void a_heavy_ball_stays_on_small_ones(void **state) {
    double fastest = 0;
    for (int i = 0; i < 8; i++)
        fastest = fmax(fastest, rise_from_small_balls(state, 0.0004f + 0.00025f * (float)i));
    print_message("goes up at %.4f of its speed at most\n", fastest);
    ASSERT_AT_MOST(fastest, 0.05);
}

int main(void) {
    const struct CMUnitTest tests[] = {ON_EACH_BACKEND(a_heavy_ball_stays_on_small_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
