/* Invariance: the solution of a step does not depend on the frame or on the numbers of the bodies. Residual
 * and violation depend on what the contacts have to do and not on the frame, on bodies that touch nothing, or
 * on contacts without a load. */
#include "units.h"

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

/* A cluster of bodies of all movable kinds, at rest relative to each other after overlaps are removed. */
enum { MEMBERS = 14 };
typedef struct cluster {
    scree_body_state states[MEMBERS];
    vec3s linear[MEMBERS], angular[MEMBERS]; /* velocities before the step */
} cluster;

/* Changes of the frame and of the order of the bodies. */
typedef struct frame_change {
    const char *name;
    versors turn;
    vec3s shift, boost; /* m, m/s */
    int stride;         /* the bodies are added in the order 0, stride, 2 stride … modulo MEMBERS */
} frame_change;

static const scree_shape_kind members[] = {SCREE_SHAPE_SPHERE,   SCREE_SHAPE_BOX,   SCREE_SHAPE_CAPSULE,
                                           SCREE_SHAPE_CYLINDER, SCREE_SHAPE_CONE,  SCREE_SHAPE_ELLIPSOID,
                                           SCREE_SHAPE_HULL,     SCREE_SHAPE_CLUMP, SCREE_SHAPE_COMPOUND};

static scree_body_def member(site *self, int i) {
    scree_body_def def = scree_default_body_def();
    self->seed = 77 + (uint64_t)i;
    def.shape = site_shape(self, members[i % 9], 0.05f);
    return def;
}

static site site_of_members(void **state, float friction, vec3s gravity, bool accurate) {
    site out = {.in = {0, 0, 0}};
    scree_world_def def = def_on(state);
    def.time_step = 1e-3, def.speculative_distance = 1e-4f;
    def.gravity = vec3_out(gravity);
    def.material.friction = friction;
    if (accurate) {
        def.solver.iterations = 4000, def.solver.tolerance = 1e-7f, def.solver.reduction = 1;
        def.solver.violation_tolerance = 0, def.solver.check_every = 10;
    }
    site_begin(&out, def);
    return out;
}

static void make_cluster(void **state, uint64_t seed, cluster *out) {
    site at = site_of_members(state, 0, glms_vec3_zero(), false);
    for (int i = 0; i < MEMBERS; i++) {
        scree_body_def def = member(&at, i);
        const versors q = random_rotation(&seed);
        def.state.position = vec3_out(random_vector(&seed, -0.1, 0.1));
        def.state.rotation = quat_out(q);
        out->linear[i] = random_vector(&seed, -1, 1);
        out->angular[i] = random_vector(&seed, -3, 3);
        site_add(&at, def);
    }
    for (int step = 0; step < 60; step++) CHECK(scree_world_step(at.world, NULL));
    for (int i = 0; i < MEMBERS; i++) out->states[i] = site_state(&at, i);
    site_end(&at);
}

/* Makes one step of the cluster in a frame; writes the velocities seen from the original one. */
static void step_in(void **state, const cluster *of, float friction, const frame_change *frame,
                    vec3s linear[MEMBERS], vec3s angular[MEMBERS]) {
    const vec3s gravity = rotate(frame->turn, vec3_of(1, 2, -9));
    site at = site_of_members(state, friction, gravity, true);
    scree_statistics s;
    for (int i = 0; i < MEMBERS; i++) {
        const int k = i * frame->stride % MEMBERS;
        scree_body_def def = member(&at, k);
        const scree_body_state from = of->states[k];
        def.state.position =
            vec3_out(glms_vec3_add(rotate(frame->turn, vec3_in(from.position)), frame->shift));
        def.state.rotation = quat_out(rotation_product(frame->turn, quat_in(from.rotation)));
        def.state.linear_velocity = vec3_out(glms_vec3_add(rotate(frame->turn, of->linear[k]), frame->boost));
        def.state.angular_velocity = vec3_out(rotate(frame->turn, of->angular[k]));
        site_add(&at, def);
    }
    CHECK(scree_world_step(at.world, &s));
    assert_true(s.contacts >= MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
        const scree_body_state to = site_state(&at, i);
        const int k = i * frame->stride % MEMBERS;
        linear[k] = rotate_inverse(frame->turn, glms_vec3_sub(vec3_in(to.linear_velocity), frame->boost));
        angular[k] = rotate_inverse(frame->turn, vec3_in(to.angular_velocity));
    }
    site_end(&at);
}

/* Returns the largest difference of a velocity of the surface, m/s, for bodies of 5 cm. */
static double velocities_apart(const vec3s linear[2][MEMBERS], const vec3s angular[2][MEMBERS]) {
    double largest = 0;
    for (int i = 0; i < MEMBERS; i++) {
        const vec3s v = glms_vec3_sub(linear[0][i], linear[1][i]),
                    w = glms_vec3_sub(angular[0][i], angular[1][i]);
        largest = fmax(largest, fmax((double)glms_vec3_norm(v), 0.05 * (double)glms_vec3_norm(w)));
    }
    return largest;
}

static void a_step_does_not_depend_on_the_frame(void **state) {
    const versors none = versor_of(0, 0, 0, 1);
    uint64_t seed = 5;
    const frame_change same = {"itself", none, {0, 0, 0}, {0, 0, 0}, 1};
    const frame_change changes[] = {
        {"turned", random_rotation(&seed), {0, 0, 0}, {0, 0, 0}, 1},
        {"turned by 120 degrees", versor_of(0.5f, 0.5f, 0.5f, 0.5f), {0, 0, 0}, {0, 0, 0}, 1},
        {"shifted", none, {0.37f, -0.2f, 0.11f}, {0, 0, 0}, 1},
        {"boosted", none, {0, 0, 0}, {3, -2, 1}, 1},
        {"renumbered", none, {0, 0, 0}, {0, 0, 0}, 5}};
    for (int i = 0; i < 6; i++) {
        cluster of;
        vec3s linear[2][MEMBERS], angular[2][MEMBERS];
        const float friction = i % 2 ? 0.5f : 0;
        make_cluster(state, 100 + (uint64_t)i, &of);
        step_in(state, &of, friction, &same, linear[0], angular[0]);
        for (int k = 0; k < 5; k++) {
            step_in(state, &of, friction, &changes[k], linear[1], angular[1]);
            const double apart = velocities_apart(linear, angular);
            print_message("cluster %d, friction %.1f, %s: %.1e m/s\n", i, (double)friction, changes[k].name,
                          apart);
            ASSERT_AT_MOST(apart, 1e-4);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON("native", a_step_does_not_depend_on_the_frame),
        ON("native", surroundings_do_not_change_the_residual),
        ON("opencl", surroundings_do_not_change_the_residual),
        ON("native", a_flyer_ends_no_solve),
        ON("opencl", a_flyer_ends_no_solve),
        ON_EACH_BACKEND(an_unloaded_contact_has_no_residual),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
