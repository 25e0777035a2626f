/* Reported overlaps are those before the step, even if the normal turns around an edge within the step. */
#include "scenery.h"

enum { BALLS = 40 };

static const double radius = 0.003, length = 0.5, thickness = 0.01, height = 0.1; /* m */

/* Walls over |x| ≤ length, 0 ≤ z ≤ height with their face at y = 0; the balls are in front of it. */
typedef scree_shape wall_maker(void);

static scree_shape box_wall(void) {
    return scree_shape_box((float)length, (float)thickness / 2, (float)height / 2);
}

static scree_shape hull_wall(void) {
    scree_vec3 corners[8];
    scree_geometry *made = NULL;
    for (int i = 0; i < 8; i++)
        corners[i] =
            (scree_vec3){(float)(i & 1 ? length : -length), (float)(i & 2 ? thickness : -thickness) / 2,
                         (float)(i & 4 ? height : -height) / 2};
    CHECK(scree_hull_create(corners, 8, &made));
    return scree_shape_hull(made, 1);
}

static scree_shape compound_wall(void) {
    scree_compound_child part = scree_default_compound_child();
    scree_geometry *made = NULL;
    part.shape = box_wall();
    CHECK(scree_compound_create(&part, 1, &made));
    return scree_shape_compound(made, 1);
}

/* the face alone, in tiles as wide as a ball */
static scree_shape mesh_wall(void) {
    enum { COLUMNS = 160, ROWS = 20, CORNERS = (COLUMNS + 1) * (ROWS + 1) };
    static scree_vec3 corners[CORNERS];
    static scree_triangle halves[2 * COLUMNS * ROWS];
    scree_geometry *made = NULL;
    for (int i = 0; i < CORNERS; i++)
        corners[i] =
            (scree_vec3){(float)(length * (2.0 * (i % (COLUMNS + 1)) / COLUMNS - 1)), -(float)thickness / 2,
                         (float)(height * ((double)(i / (COLUMNS + 1)) / ROWS - 0.5))};
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        const int at = i % COLUMNS + i / COLUMNS * (COLUMNS + 1), above = at + COLUMNS + 1;
        halves[2 * i] = (scree_triangle){{at, at + 1, above + 1}};
        halves[2 * i + 1] = (scree_triangle){{at, above + 1, above}};
    }
    CHECK(scree_mesh_create(corners, CORNERS, halves, 2 * COLUMNS * ROWS, &made));
    return scree_shape_mesh(made, 1);
}

/* Returns how deep a ball is in the wall: the distance from a box or its face, for |x| < length. */
static double depth_of(scree_vec3 at) {
    const double y = fmax(0, -(double)at.y), z = fmax(0, fmax(-(double)at.z, (double)at.z - height));
    return radius - hypot(y, z);
}

static scree_world *wall_world(void **state, wall_maker *make) {
    scree_world_def def = def_on(state);
    scree_body_def wall = scree_default_body_def();
    scree_body_id id;
    def.time_step = 0.002, def.material.friction = 0;
    scree_world *world = world_of(&def);
    wall.type = SCREE_BODY_STATIC;
    wall.shape = make();
    wall.state.position = (scree_vec3){0, (float)thickness / 2, (float)height / 2};
    CHECK(scree_body_create(world, &wall, &id));
    scree_geometry_release(wall.shape.geometry);
    return world;
}

static void add_balls(scree_world *world, scree_body_id balls[BALLS], float y, float apart,
                      scree_vec3 velocity) {
    for (int i = 0; i < BALLS; i++)
        balls[i] = add_body(world, scree_shape_sphere((float)radius),
                            (scree_vec3){0.01999f * (float)(i - BALLS / 2), y, 0.0001f + apart * (float)i},
                            velocity);
}

/* Asserts that the deepest overlap reported for each ball in a step agrees with its position before the step
 * to a thousandth of the radius; returns it. */
static double check_step(scree_world *world, const scree_body_id balls[BALLS]) {
    double is[BALLS], said[BALLS] = {0}, deepest = 0;
    scree_contact contacts[4 * BALLS];
    scree_statistics s;
    for (int i = 0; i < BALLS; i++) is[i] = fmax(0, depth_of(state_of(world, balls[i]).position));
    CHECK(scree_world_step(world, &s));
    const int count = scree_contact_list(world, contacts, 4 * BALLS);
    assert_int_equal(count, scree_contact_count(world));
    for (int k = 0; k < count; k++)
        for (int i = 0; i < BALLS; i++)
            if (contacts[k].a.index == balls[i].index || contacts[k].b.index == balls[i].index)
                said[i] = fmax(said[i], -(double)contacts[k].gap);
    for (int i = 0; i < BALLS; i++) {
        ASSERT_WITHIN(said[i], is[i], 1e-3 * radius);
        deepest = fmax(deepest, is[i]);
    }
    ASSERT_WITHIN(s.penetration_max, deepest, 1e-3 * radius);
    return deepest;
}

static wall_maker *const walls[] = {box_wall, hull_wall, compound_wall, mesh_wall};

/* Balls slide down a wall at 0.6 m/s, two fifths of their radius per step, and past its lower edge. */
static void balls_sliding_past_an_edge_do_not_overlap(void **state) {
    for (int w = 0; w < (int)(sizeof walls / sizeof *walls); w++) {
        scree_world *world = wall_world(state, walls[w]);
        scree_body_id balls[BALLS];
        add_balls(world, balls, -(float)radius - 1.4e-6f, 0.00013f, (scree_vec3){0, 1e-4f, -0.6f});
        for (int step = 0; step < 10; step++) ASSERT_AT_MOST(check_step(world, balls), 1e-3 * radius);
        scree_world_destroy(world);
    }
}

/* Balls slide a tenth of the radius deep in the wall, and faster than a tile or a radius per step. */
static void overlaps_at_an_edge_are_reported(void **state) {
    for (int w = 0; w < (int)(sizeof walls / sizeof *walls); w++) {
        scree_world *world = wall_world(state, walls[w]);
        scree_body_id balls[BALLS];
        add_balls(world, balls, -0.9f * (float)radius, 0.0005f, (scree_vec3){0, 0, -2});
        for (int step = 0; step < 10; step++) {
            const double deepest = check_step(world, balls);
            if (step == 0) ASSERT_WITHIN(deepest, 0.1 * radius, 1e-3 * radius);
        }
        scree_world_destroy(world);
    }
}

/* A floor stops balls on their way past the lower edge, at 1.5 m/s. While their centres are above the
 * edge, the wall's face only pushes them away from it, at most at their approach speed, with every
 * stabilisation. */
static void balls_stopped_at_an_edge_are_not_thrown_off(void **state) {
    const float towards = 1e-4f;
    for (int i = 0; i < SCREE_STABILISATION_COUNT * (int)(sizeof walls / sizeof *walls); i++) {
        scree_world *world = wall_world(state, walls[i / SCREE_STABILISATION_COUNT]);
        scree_solver_def solver = scree_world_get_def(world).solver;
        scree_body_id balls[BALLS];
        scree_body_def floor = scree_default_body_def();
        solver =
            scree_solver_def_with_stabilisation(solver, (scree_stabilisation)(i % SCREE_STABILISATION_COUNT));
        CHECK(scree_world_set_solver(world, &solver));
        floor.type = SCREE_BODY_STATIC, floor.shape = scree_shape_half_space();
        floor.state.position.z = -(float)radius;
        CHECK(scree_body_create(world, &floor, NULL));
        add_balls(world, balls, -(float)radius - 1.4e-6f, 0.00013f, (scree_vec3){0, towards, -1.5f});
        for (int step = 0; step < 6; step++) {
            scree_body_state before[BALLS];
            for (int k = 0; k < BALLS; k++) before[k] = state_of(world, balls[k]);
            CHECK(scree_world_step(world, NULL));
            for (int k = 0; k < BALLS; k++) {
                const scree_body_state is = state_of(world, balls[k]);
                if (before[k].position.z < 0 || is.position.z < 0) continue;
                ASSERT_WITHIN(is.linear_velocity.y, before[k].linear_velocity.y, 2 * towards);
                ASSERT_WITHIN(is.position.y, before[k].position.y, 1e-3 * radius);
            }
        }
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {ON_EACH_BACKEND(balls_sliding_past_an_edge_do_not_overlap),
                                       ON_EACH_BACKEND(overlaps_at_an_edge_are_reported),
                                       ON_EACH_BACKEND(balls_stopped_at_an_edge_are_not_thrown_off)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
