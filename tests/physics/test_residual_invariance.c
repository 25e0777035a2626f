/* Residual and violation depend on what the contacts have to do and not on the frame, on bodies that touch
 * nothing, or on contacts without a load. */
#include "scenery.h"

enum { SIDE = 3, LAYERS = 2, BALLS = SIDE * SIDE * LAYERS, WALLS = 5 };
static const float RADIUS = 0.05f;

typedef struct surroundings {
    float speed; /* of everything, along x, m/s */
    float angle; /* by which everything is turned about y, rad */
    int flyers;  /* balls that fly past each other, far away */
    float restitution;
    int iterations;
} surroundings;

static scree_vec3 turned(scree_vec3 v, float angle) {
    const float c = cosf(angle), s = sinf(angle);
    return (scree_vec3){c * v.x + s * v.z, v.y, c * v.z - s * v.x};
}

static void add(scree_world *world, scree_body_type type, scree_shape shape, scree_body_state at,
                const surroundings *around) {
    scree_body_def def = scree_default_body_def();
    const float half = around->angle / 2;
    at.linear_velocity.x += around->speed;
    def.type = type, def.shape = shape, def.state = at;
    def.state.position = turned(at.position, around->angle);
    def.state.linear_velocity = turned(at.linear_velocity, around->angle);
    def.state.angular_velocity = turned(at.angular_velocity, around->angle);
    def.state.rotation = (scree_quat){0, sinf(half), 0, cosf(half)};
    CHECK(scree_body_create(world, &def, NULL));
}

static void add_box(scree_world *world, const surroundings *around) {
    static const float sides[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const scree_body_type type = around->speed == 0 ? SCREE_BODY_STATIC : SCREE_BODY_KINEMATIC;
    scree_body_state at = {.position = {0, 0, -0.1f}};
    add(world, type, scree_shape_box(1, 1, 0.1f), at, around);
    for (int i = 0; i < 4; i++) {
        const bool x = sides[i][0] != 0;
        at.position = (scree_vec3){0.26f * sides[i][0], 0.26f * sides[i][1], 1};
        add(world, type, scree_shape_box(x ? 0.1f : 1, x ? 1 : 0.1f, 1), at, around);
    }
}

/* Settles balls in a box; returns their states. */
static void settle(scree_body_state states[BALLS]) {
    const surroundings none = {0};
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 1;
    scree_world *world = world_of(&def);
    scree_body_id ids[WALLS + BALLS];
    add_box(world, &none);
    for (int i = 0; i < BALLS; i++) {
        const int x = i % SIDE, y = i / SIDE % SIDE, z = i / SIDE / SIDE;
        const scree_body_state at = {.position = {0.105f * ((float)x - 1) + 0.01f * (float)(z % 2),
                                                  0.105f * ((float)y - 1) + 0.005f * (float)(x % 3),
                                                  0.06f + 0.11f * (float)z}};
        add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(RADIUS), at, &none);
    }
    run_for(world, 2);
    assert_int_equal(scree_body_list(world, ids, WALLS + BALLS), WALLS + BALLS);
    for (int i = 0; i < BALLS; i++) states[i] = state_of(world, ids[WALLS + i]);
    scree_world_destroy(world);
}

/* Returns the settled pile in its surroundings, with cold contacts. The margin makes a contact of every pair
 * in the box. Detection keeps more open contacts the faster bodies are, which changes the order of the
 * blocks. */
static scree_world *pile_in(void **state, const scree_body_state states[BALLS], const surroundings *around) {
    scree_world_def def = def_on(state);
    def.material.restitution = around->restitution;
    def.speculative_distance = 0.4f;
    def.gravity = turned((scree_vec3){0, 0, -9.81f}, around->angle);
    def.solver.restitution_speed = 0.05f;
    def.solver.iterations = around->iterations, def.solver.tolerance = 0;
    scree_world *world = world_of(&def);
    add_box(world, around);
    for (int i = 0; i < BALLS; i++)
        add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(RADIUS), states[i], around);
    for (int i = 0; i < around->flyers; i++) {
        const scree_body_state at = {.position = {100 + 0.11f * (float)i, 0, 100},
                                     .linear_velocity = {-200, 0, 0}};
        add(world, SCREE_BODY_DYNAMIC, scree_shape_sphere(RADIUS), at, around);
    }
    return world;
}

static scree_solve_report report_of(void **state, const scree_body_state states[BALLS],
                                    const surroundings *around) {
    scree_statistics s;
    scree_world *world = pile_in(state, states, around);
    CHECK(scree_world_step(world, &s));
    print_message("%3.0f m/s, %.1f rad, %d flyers, e %.1f: %d contacts, residual %.4e, violation %.4e\n",
                  (double)around->speed, (double)around->angle, around->flyers, (double)around->restitution,
                  s.contacts, s.solve.residual, s.solve.violation);
    scree_world_destroy(world);
    return s.solve;
}

static void surroundings_do_not_change_the_residual(void **state) {
    scree_body_state states[BALLS];
    settle(states);
    for (int i = 0; i < 4; i++) {
        const surroundings base = {.restitution = i % 2 ? 0.3f : 0, .iterations = i < 2 ? 4 : 8};
        const scree_solve_report at_rest = report_of(state, states, &base);
        const surroundings others[] = {{.speed = 10}, {.speed = 100}, {.angle = 0.6f}, {.flyers = 2}};
        ASSERT_AT_LEAST(at_rest.residual, 2e-4);
        for (int k = 0; k < 4; k++) {
            surroundings around = others[k];
            around.restitution = base.restitution, around.iterations = base.iterations;
            const scree_solve_report seen = report_of(state, states, &around);
            ASSERT_NEAR(seen.residual, at_rest.residual, 1e-2);
            ASSERT_NEAR(seen.violation, at_rest.violation, 1e-2);
        }
    }
}

/* Returns the settled pile without gravity under a plate that presses on it. */
static scree_world *pressed_pile(void **state, const scree_body_state states[BALLS],
                                 const surroundings *around) {
    scree_world *world = pile_in(state, states, around);
    scree_solver_def solver = scree_world_get_def(world).solver;
    scree_body_def plate = scree_default_body_def();
    float top = 0;
    solver.tolerance = 1e-3f;
    CHECK(scree_world_set_solver(world, &solver));
    CHECK(scree_world_set_gravity(world, (scree_vec3){0}));
    CHECK(scree_world_set_verify(world, 15));
    for (int i = 0; i < BALLS; i++) top = fmaxf(top, states[i].position.z);
    plate.shape = scree_shape_box(0.15f, 0.15f, 0.02f), plate.mass = 2;
    plate.state.position.z = top + RADIUS + 0.02f;
    plate.force.z = -200;
    CHECK(scree_body_create(world, &plate, NULL));
    return world;
}

typedef struct pressing {
    int iterations;
    double difference; /* largest of a velocity from the reference, m/s */
    scree_body_state plate;
} pressing;

static pressing press(void **state, const scree_body_state states[BALLS], const surroundings *around) {
    scree_world *world = pressed_pile(state, states, around);
    pressing out = {0};
    scree_body_id ids[WALLS + BALLS + 3];
    const int count = scree_body_list(world, ids, WALLS + BALLS + 3);
    for (int step = 0; step < 30; step++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        out.iterations += s.solve.iterations;
        if (s.verified) out.difference = fmax(out.difference, s.verify_difference);
    }
    out.plate = state_of(world, ids[count - 1]);
    print_message("e %g, %d flyers: %.1f iterations a step, at most %.1e m/s from the reference\n",
                  (double)around->restitution, around->flyers, out.iterations / 30.0, out.difference);
    scree_world_destroy(world);
    return out;
}

/* A ball that flies far away ends no solve early and changes no bit. */
static void a_flyer_ends_no_solve(void **state) {
    scree_body_state states[BALLS];
    settle(states);
    for (int i = 0; i < 2; i++) {
        surroundings around = {.restitution = i ? 0.3f : 0, .iterations = 60};
        const pressing alone = press(state, states, &around);
        around.flyers = 1;
        const pressing beside = press(state, states, &around);
        ASSERT_AT_LEAST(alone.iterations, 30);
        assert_int_equal(beside.iterations, alone.iterations);
        ASSERT_AT_MOST(beside.difference, fmax(1.5 * alone.difference, 1e-4));
        assert_memory_equal(&beside.plate, &alone.plate, sizeof alone.plate);
    }
}

/* Adds a ball that moves as part of a body at the origin that flies and turns. */
static void add_carried(scree_world *world, scree_vec3 at, scree_vec3 speed, scree_vec3 turning) {
    scree_body_def ball = scree_default_body_def();
    ball.shape = scree_shape_sphere(0.1f);
    ball.state.position = at;
    ball.state.linear_velocity = (scree_vec3){speed.x + turning.y * at.z - turning.z * at.y,
                                              speed.y + turning.z * at.x - turning.x * at.z,
                                              speed.z + turning.x * at.y - turning.y * at.x};
    ball.state.angular_velocity = turning;
    CHECK(scree_body_create(world, &ball, NULL));
}

/* Two touching balls without weight that fly and turn as one body: the relative velocity at their contact is
 * rounding of velocities of 100 m/s. */
static void an_unloaded_contact_has_no_residual(void **state) {
    for (int i = 0; i < 20; i++) {
        const float angle = (float)i, c = 0.0999999f * cosf(angle), s = 0.0999999f * sinf(angle);
        const scree_vec3 speed = {60, -70, 30}, turning = {3, 5 * cosf(angle), -4};
        scree_world_def def = def_on(state);
        scree_statistics seen;
        def.gravity = (scree_vec3){0};
        scree_world *world = world_of(&def);
        add_carried(world, (scree_vec3){0.8f * c, 0.6f * c, s}, speed, turning);
        add_carried(world, (scree_vec3){-0.8f * c, -0.6f * c, -s}, speed, turning);
        CHECK(scree_world_step(world, &seen));
        assert_int_equal(seen.contacts, 1);
        ASSERT_AT_MOST(fmax(seen.solve.residual, seen.solve.violation), on_reference(state) ? 1e-12 : 0);
        scree_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", surroundings_do_not_change_the_residual),
        ON("opencl", surroundings_do_not_change_the_residual),
        ON("native", a_flyer_ends_no_solve),
        ON("opencl", a_flyer_ends_no_solve),
        ON_EACH_BACKEND(an_unloaded_contact_has_no_residual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
