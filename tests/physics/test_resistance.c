/* Rolling and spinning friction: blocks against their statement, motions against closed forms, and the
 * solvers against each other. */
#include "random_vectors.h"
#include "native_bits.h"

#include "problem/host_resistance.h"
#include "motion.h"
#include "resistance.h"

static const double g = 9.81;

static uint64_t seed;

static double noise(void) { return random_noise(&seed); }

static symmetric3 random_block(double condition) { return random_symmetric(&seed, condition); }

static real3x3 matrix_of(symmetric3 a) {
    return (real3x3){{{(double)a.diagonal.x, (double)a.off_diagonal.z, (double)a.off_diagonal.y},
                      {(double)a.off_diagonal.z, (double)a.diagonal.y, (double)a.off_diagonal.x},
                      {(double)a.off_diagonal.y, (double)a.off_diagonal.x, (double)a.diagonal.z}}};
}

/* Returns the violation of −u in the normal cone of C at r (r in C, and no x in C has u·x < u·r), relative to
 * the sizes of its terms. The least u·x over C is −spinning |u_N| − rolling ‖u_T‖. */
static double statement_error(const real3x3 *a, real3 q, host_bound bound, real3 r) {
    const real3 u = real3_sum(real3x3_times(a, r), q);
    const double size = real3_length(q) + real3_length(r) * real3x3_trace(a),
                 most = bound.spinning + bound.rolling;
    const double least = -bound.spinning * fabs(u.x) - bound.rolling * hypot(u.y, u.z);
    double error = (real3_inner(u, r) - least) / (size * most + 1e-300);
    error = fmax(error, (fabs(r.x) - bound.spinning) / (most + 1e-300));
    return fmax(error, (hypot(r.y, r.z) - bound.rolling) / (most + 1e-300));
}

static void blocks_satisfy_the_statement(void **state) {
    (void)state;
    static const double conditions[] = {1, 10, 1e3, 1e6};
    for (int k = 0; k < 4; k++) {
        double single = 0, twice = 0;
        for (int i = 0; i < 250000; i++) {
            const symmetric3 a = random_block(conditions[k]);
            const vec3s q = vec3_of((float)noise(), (float)noise(), (float)noise());
            /* From bounds far inside the free solution to ones that are never active; each may be zero. */
            const float spinning = i % 7 ? (float)pow(10, 3 * noise()) : 0,
                        rolling = i % 5 ? (float)pow(10, 3 * noise()) : 0;
            const real3x3 m = matrix_of(a);
            const host_bound bound = {(double)spinning, (double)rolling};
            const vec3s r = resistance_solve(a, q, (resistance_bound){spinning, rolling});
            single = fmax(single, statement_error(&m, real3_of(q), bound, real3_of(r)));
            twice = fmax(twice, statement_error(&m, real3_of(q), bound,
                                                host_resistance_solve(&m, real3_of(q), bound)));
        }
        print_message("condition %g: largest error %.2e, of the reference %.2e\n", conditions[k], single,
                      twice);
        ASSERT_AT_MOST(single, 3.5e-7); /* stated as 3e-7 */
        ASSERT_AT_MOST(twice, 2e-13);
    }
}

/* Sampled: no admissible impulse gives a smaller ½ rᵀA r + qᵀr. */
static void blocks_dissipate_most(void **state) {
    (void)state;
    for (int i = 0; i < 2000; i++) {
        const symmetric3 a = random_block(30);
        const real3x3 m = matrix_of(a);
        const vec3s q = vec3_of((float)noise(), (float)noise(), (float)noise());
        const double spinning = 0.3 * fabs(noise()), rolling = 0.3 * fabs(noise());
        const real3 r = real3_of(resistance_solve(a, q, (resistance_bound){(float)spinning, (float)rolling}));
        const double energy = real3_inner(r, real3x3_times(&m, r)) / 2 + real3_inner(real3_of(q), r);
        for (int k = 0; k < 50; k++) {
            const double angle = M_PI * noise(), length = rolling * sqrt(fabs(noise()));
            const real3 x = {spinning * noise(), length * cos(angle), length * sin(angle)};
            const double other = real3_inner(x, real3x3_times(&m, x)) / 2 + real3_inner(real3_of(q), x);
            ASSERT_AT_MOST(energy, other + 1e-6);
        }
    }
}

static scree_world_def def_with(void **state, float rolling, float spinning) {
    scree_world_def def = def_on(state);
    def.time_step = 1e-3;
    def.material.rolling_friction = rolling;
    def.material.spinning_friction = spinning;
    return def;
}

/* A ball that rolls without slipping. With the friction F and the rolling torque M = l m g, m v̇ = −F, (2/5)
 * m R² ω̇ = F R − M and v̇ = R ω̇ give v̇ = −(5/7) g l/R, so it stops after 7 v² R/(10 g l). */
static void ball_rolls_the_predicted_distance(void **state) {
    const double radius = 0.1, l = 0.005, speed = 0.5;
    const scree_world_def def = def_with(state, (float)l, 0);
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    scree_body_id ball;
    add_slope(world, 0);
    body.shape = scree_shape_sphere((float)radius);
    body.state.position.z = (float)radius;
    body.state.linear_velocity = (scree_vec3){(float)(speed * 0.6), (float)(speed * 0.8), 0};
    body.state.angular_velocity =
        (scree_vec3){-(float)(speed * 0.8 / radius), (float)(speed * 0.6 / radius), 0};
    CHECK(scree_body_create(world, &body, &ball));
    const double slowing = 5.0 / 7 * g * l / radius, rest = speed / slowing;
    run_for(world, rest / 2);
    ASSERT_NEAR(length_of(state_of(world, ball).linear_velocity), speed / 2, 0.01);
    run_for(world, rest / 2 + 0.1);
    const scree_body_state end = state_of(world, ball);
    ASSERT_NEAR((double)end.position.x, 0.6 * speed * speed / (2 * slowing), 0.01);
    ASSERT_NEAR((double)end.position.y, 0.8 * speed * speed / (2 * slowing), 0.01);
    ASSERT_AT_MOST(length_of(end.linear_velocity) + radius * length_of(end.angular_velocity), 1e-5);
    scree_world_destroy(world);
}

/* Returns the speed of a ball after one second on a slope of slope × l_r/R. */
static double speed_on_slope(void **state, double slope) {
    const double radius = 0.1, l = 0.02, angle = atan(slope * l / radius);
    const scree_world_def def = def_with(state, (float)l, 0);
    scree_world *world = world_of(&def);
    add_slope(world, (float)angle);
    const scree_body_id ball = add_body(
        world, scree_shape_sphere((float)radius),
        (scree_vec3){(float)(radius * sin(angle)), 0, (float)(radius * cos(angle))}, (scree_vec3){0, 0, 0});
    run_for(world, 1);
    const double speed = length_of(state_of(world, ball).linear_velocity);
    scree_world_destroy(world);
    return speed;
}

/* The weight's torque about the contact, m g R sin θ, against l m g cos θ. */
static void ball_holds_up_to_the_rolling_angle(void **state) {
    ASSERT_AT_MOST(speed_on_slope(state, 0.97), 1e-4);
    /* v̇ = (5/7) g (sin θ − (l/R) cos θ) */
    const double angle = atan(1.5 * 0.2);
    ASSERT_NEAR(speed_on_slope(state, 1.5), 5.0 / 7 * g * (sin(angle) - 0.2 * cos(angle)), 0.01);
}

/* Asserts the time in which a body of moment of inertia I (about z, over its mass) stops spinning. */
static void expect_spin_to_stop(void **state, scree_shape shape, double height, double inertia) {
    const double l = on_reference(state) ? 0.016 : 0.004, spin = 6, stops = inertia * spin / (l * g);
    scree_world_def def = def_with(state, 0, (float)l);
    def.material.friction = 0;
    scree_world *world = world_of(&def);
    scree_body_def body = scree_default_body_def();
    scree_body_id id;
    add_slope(world, 0);
    body.shape = shape;
    body.state.position.z = (float)height;
    body.state.angular_velocity.z = (float)spin;
    CHECK(scree_body_create(world, &body, &id));
    run_for(world, stops / 2);
    ASSERT_NEAR((double)state_of(world, id).angular_velocity.z, spin / 2, 0.01);
    run_for(world, 0.45 * stops);
    ASSERT_NEAR((double)state_of(world, id).angular_velocity.z, 0.05 * spin, 0.1);
    run_for(world, 0.1 * stops);
    ASSERT_AT_MOST(length_of(state_of(world, id).angular_velocity), 1e-4);
    scree_world_destroy(world);
}

static void ball_stops_spinning_at_the_predicted_time(void **state) {
    expect_spin_to_stop(state, scree_shape_sphere(0.1f), 0.1, 0.4 * 0.1 * 0.1);
}

/* A plate touches in four points, which share the bound as they share the weight. */
static void plate_stops_spinning_at_the_predicted_time(void **state) {
    expect_spin_to_stop(state, scree_shape_box(0.1f, 0.05f, 0.01f), 0.01, (0.2 * 0.2 + 0.1 * 0.1) / 12);
}

enum { BALLS = 40 };

/* Makes a heap of balls of two sizes and a few boxes. */
static scree_world *heap(const scree_world_def *def) {
    scree_world *world = world_of(def);
    add_slope(world, 0);
    seed = 7;
    for (int i = 0; i < BALLS; i++) {
        const float r = i % 2 ? 0.05f : 0.035f;
        const scree_vec3 at = {(float)(0.1 * noise()), (float)(0.1 * noise()), 0.06f + 0.05f * (float)i};
        add_body(world, i % 5 ? scree_shape_sphere(r) : scree_shape_box(r, r, r), at,
                 (scree_vec3){0.3f, 0, 0});
    }
    return world;
}

/* Each method's solution of each step, against the residual of `reference` for it, and the backends'
 * velocities against each other. */
static void methods_and_backends_agree(void **state) {
    skip_bits_of_native(state);
    for (int method = 0; method < SCREE_METHOD_COUNT; method++) {
        scree_world_def def = def_with(state, 0.004f, 0.002f);
        def.time_step = 1 / 240.0;
        def.solver.method = (scree_method)method;
        def.solver.iterations = def.solver.split.position_iterations = 3000;
        def.solver.tolerance = def.solver.split.position_tolerance = 1e-4f;
        scree_world *world = heap(&def);
        double worst = 0, apart = 0;
        int compared = 0;
        for (int i = 0; i < 8; i++) {
            const scree_statistics s = run_for(world, 0.1);
            worst = fmax(worst, s.solve.residual);
            scree_problem *p = NULL;
            double residual[SCREE_MEASURE_COUNT];
            CHECK(scree_problem_from_world(world, &p));
            if (scree_problem_contact_count(p) > 0) {
                CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, scree_problem_get_warm_start(p),
                                                     NULL, residual));
                apart = fmax(apart, fabs(residual[SCREE_MEASURE_SCALED] - s.solve.residual));
                compared++;
            }
            scree_problem_destroy(p);
        }
        print_message("%s: residual at most %.2e, the reference's differs by %.1e\n",
                      scree_method_name((scree_method)method), worst, apart);
        ASSERT_AT_LEAST(compared, 6);
        ASSERT_AT_MOST(worst, 1.1e-4);
        ASSERT_AT_MOST(apart, 1e-6);
        scree_world_destroy(world);
    }
}

/* Boxes, hulls and compounds, whose groups have one to two dozen points with their resistances, in the same
 * colours as groups without: each step converges, and its residual is confirmed in double precision. */
static void groups_of_all_sizes_are_solved(void **state) {
    skip_bits_of_native(state);
    scree_scene *scene = scene_of("tests/data/groups.json");
    scree_world_def def = scree_scene_get_world_def(scene);
    def.backend = backend_of(state), def.device = test_device();
    def.solver.iterations = def.solver.split.position_iterations = 3000;
    def.solver.tolerance = def.solver.split.position_tolerance = 1e-5f;
    scree_world *world = world_of(&def);
    CHECK(scree_scene_build(scene, world, scree_scene_get_run_def(scene).seed));
    double worst = 0, apart = 0;
    int contacts = 0;
    for (int i = 0; i < 100; i++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        if (i % 10 != 9 || i < 60) continue;
        scree_problem *p = NULL;
        double residual[SCREE_MEASURE_COUNT];
        CHECK(scree_problem_from_world(world, &p));
        CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, scree_problem_get_warm_start(p), NULL,
                                             residual));
        worst = fmax(worst, s.solve.residual);
        apart = fmax(apart, fabs(residual[SCREE_MEASURE_SCALED] - s.solve.residual));
        contacts = scree_problem_contact_count(p);
        scree_problem_destroy(p);
    }
    print_message("residual at most %.2e, the reference's differs by %.1e\n", worst, apart);
    ASSERT_AT_LEAST(contacts, 150);
    ASSERT_AT_MOST(worst, 1.1e-5);
    ASSERT_AT_MOST(apart, 1e-6);
    scree_world_destroy(world);
    scree_scene_destroy(scene);
}

/* Changing a torque by a fraction of its bound changes the residual, and so does omitting all of them. */
static void residual_includes_the_torques(void **state) {
    scree_world_def def = def_with(state, 0.004f, 0.002f);
    def.time_step = 1 / 240.0;
    scree_world *world = heap(&def);
    run_for(world, 0.8);
    scree_problem *p = NULL;
    CHECK(scree_problem_from_world(world, &p));
    const int rows = 3 * scree_problem_contact_count(p);
    double *r = calloc((size_t)rows, sizeof *r), before[SCREE_MEASURE_COUNT], after[SCREE_MEASURE_COUNT];
    scree_problem_options options = scree_default_problem_options();
    options.tolerance = 1e-7;
    CHECK(scree_problem_solve(p, &options, r, NULL, NULL));
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, NULL, before));
    ASSERT_AT_MOST(before[SCREE_MEASURE_SCALED], 1e-7);
    /* Each contact is followed by its resistance. */
    int changed = 0;
    for (int row = 3; row < rows; row += 6) {
        const double kept = r[row + 1], step = 0.01 * r[row - 3];
        if (!(r[row - 3] > 1e-3)) continue;
        r[row + 1] += step;
        CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, NULL, after));
        assert_true(after[SCREE_MEASURE_SCALED] > 1e-6);
        r[row + 1] = kept;
        changed++;
    }
    ASSERT_AT_LEAST(changed, 10);
    for (int row = 3; row < rows; row += 6) r[row] = r[row + 1] = r[row + 2] = 0;
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, NULL, after));
    assert_true(after[SCREE_MEASURE_SCALED] > 1e-3);
    assert_int_equal(scree_fclib_save(p, "resistance.hdf5", NULL, NULL), SCREE_ERROR_UNSUPPORTED);
    free(r);
    scree_problem_destroy(p);
    scree_world_destroy(world);
}

/* Returns the mean height above the ground, in radii, of 150 beads released as a column, after a second. */
static double heap_height(double rolling) {
    char text[1024];
    scree_scene *scene = NULL;
    scree_world *world = NULL;
    snprintf(
        text, sizeof text,
        "{\"time_step\": 0.002, \"backend\": {\"kind\": \"native\", \"threads\": 1}, \"materials\": "
        "{\"bead\": {\"friction\": 0.6, \"rolling_friction\": %g, \"spinning_friction\": %g}}, "
        "\"bodies\": [{\"type\": \"static\", \"material\": \"bead\", \"shape\": {\"kind\": "
        "\"half-space\"}}], \"generators\": [{\"kind\": \"fill\", \"count\": 150, \"solid_fraction\": 0.2, "
        "\"region\": {\"kind\": \"cylinder\", \"radius\": 0.02, \"position\": [0, 0, 0.001]}, \"size\": "
        "{\"kind\": \"normal\", \"mean\": 0.01, \"deviation\": 0.0005}, \"body\": {\"material\": \"bead\", "
        "\"shape\": {\"kind\": \"sphere\"}}}]}",
        rolling, rolling / 3);
    CHECK(scree_scene_parse(text, strlen(text), "heap", &scene));
    const scree_world_def def = scree_scene_get_world_def(scene);
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_scene_build(scene, world, scree_scene_get_run_def(scene).seed));
    const scree_statistics s = run_for(world, 1);
    const double height = s.potential_energy / (150 * 1000 * M_PI / 6 * 1e-6 * g) / 0.005;
    scree_world_destroy(world);
    scree_scene_destroy(scene);
    return height;
}

/* With rolling friction beads form a heap; without it they spread over the ground. */
static void rolling_friction_makes_a_steeper_heap(void **state) {
    (void)state;
    skip_if_short();
    const double flat = heap_height(5e-5), steep = heap_height(1.5e-3);
    print_message("mean height in radii: %.2f with l = 0.01 R, %.2f with l = 0.3 R\n", flat, steep);
    ASSERT_AT_MOST(flat, 1.3);
    assert_true(steep > 1.5 * flat);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_satisfy_the_statement),
        cmocka_unit_test(blocks_dissipate_most),
        ON_EACH_BACKEND(ball_rolls_the_predicted_distance),
        ON_EACH_BACKEND(ball_holds_up_to_the_rolling_angle),
        ON_EACH_BACKEND(ball_stops_spinning_at_the_predicted_time),
        ON_EACH_BACKEND(plate_stops_spinning_at_the_predicted_time),
        ON("native", methods_and_backends_agree),
        ON("opencl", methods_and_backends_agree),
        ON("native", groups_of_all_sizes_are_solved),
        ON("opencl", groups_of_all_sizes_are_solved),
        ON("native", residual_includes_the_torques),
        cmocka_unit_test(rolling_friction_makes_a_steeper_heap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
