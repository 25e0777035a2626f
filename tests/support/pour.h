/* Balls poured onto a floor, to compare other surfaces with a half-space. */
#pragma once

#include "random.h"
#include "scenery.h"

/* force on the floor, N, and mean height of the balls, m */
typedef struct pour {
    double force, height;
} pour;

/* Drops 60 balls of 0.1 m in layers onto the floor of a world with the step `time_step`, s, and asserts that
 * the floor bears their weight. Destroys the world. */
static inline pour pour_on(scree_world *world, double time_step) {
    enum { BALLS = 60 };
    uint64_t seed = 5;
    float mass = 0, sum = 0;
    scree_body_id ids[BALLS];
    for (int i = 0; i < BALLS; i++) {
        const scree_vec3 at = {0.22f * (float)(i % 4) + (float)random_between(&seed, 0, 0.01),
                               0.22f * (float)(i / 4 % 4) + (float)random_between(&seed, 0, 0.01),
                               0.2f + 0.22f * (float)(i / 16)};
        ids[i] = add_body(world, scree_shape_sphere(0.1f), at, (scree_vec3){0, 0, 0});
        CHECK(scree_body_get_mass(world, ids[i], &mass, NULL));
    }
    const scree_statistics s = run_for(world, 3);
    for (int i = 0; i < BALLS; i++) sum += state_of(world, ids[i]).position.z;
    scree_world_destroy(world);
    const pour result = {fabs(s.static_impulse[2]) / time_step, (double)sum / BALLS};
    ASSERT_NEAR(result.force, BALLS * (double)mass * 9.81, 0.02);
    return result;
}

/* Asserts that a pour on a surface gives the same force and height as on a half-space. */
static inline void assert_same_pour(pour on_surface, pour on_half_space) {
    ASSERT_NEAR(on_surface.force, on_half_space.force, 0.02);
    ASSERT_NEAR(on_surface.height, on_half_space.height, 0.05);
}
