/* Structures that stand, and their support forces. */
#include "scenery.h"

/* Adds a cube of side 0.1 m. */
static scree_body_id add_cube(scree_world *world, float x, float z, float mass) {
    scree_body_def def = scree_default_body_def();
    scree_body_id id;
    def.shape = scree_shape_box(0.05f, 0.05f, 0.05f);
    def.state.position = (scree_vec3){x, 0, z};
    def.mass = mass;
    CHECK(scree_body_create(world, &def, &id));
    return id;
}

static double distance(scree_vec3 a, scree_vec3 b) {
    return length_of((scree_vec3){a.x - b.x, a.y - b.y, a.z - b.z});
}

/* Returns the largest distance of bodies from `start`, in m. */
static double drift_from(const scree_world *world, const scree_body_id *ids, const scree_vec3 *start,
                         int count) {
    double drift = 0;
    for (int i = 0; i < count; i++) drift = fmax(drift, distance(state_of(world, ids[i]).position, start[i]));
    return drift;
}

/* The double-precision reference takes a tenth of a second for a step of a stack. */
static double span_on(const scree_world_def *def, double seconds) {
    return def->backend == SCREE_BACKEND_REFERENCE ? seconds / 10 : seconds;
}

static void stack_of_ten_stands(void **state) {
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_body_id ids[10];
    scree_vec3 start[10];
    add_slope(world, 0);
    for (int i = 0; i < 10; i++) {
        ids[i] = add_cube(world, 0, 0.05f + 0.1f * (float)i, 1);
        start[i] = state_of(world, ids[i]).position;
    }
    const scree_statistics s = run_for(world, span_on(&def, 10));
    ASSERT_AT_MOST(drift_from(world, ids, start, 10), 0.001);
    ASSERT_AT_MOST(s.kinetic_energy, 1e-6);
    scree_world_destroy(world);
}

/* At rest the impulse of the ground in each step is m g h. */
static void ground_bears_the_weight(void **state) {
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    for (int i = 0; i < 10; i++) add_cube(world, 0, 0.05f + 0.1f * (float)i, 1 + (float)i / 10);
    run_for(world, span_on(&def, 2));
    const int steps = (int)lround(span_on(&def, 120));
    scree_statistics s;
    double impulse = 0;
    for (int i = 0; i < steps; i++) {
        CHECK(scree_world_step(world, &s));
        impulse -= s.static_impulse[2];
    }
    ASSERT_NEAR(impulse, 14.5 * 9.81 * steps / 120, 0.001);
    scree_world_destroy(world);
}

/* Adds a cube of 1 kg with a force along z. */
static void add_weight(scree_world *world, float z, float force) {
    scree_body_def cube = scree_default_body_def();
    cube.shape = scree_shape_box(0.05f, 0.05f, 0.05f), cube.mass = 1;
    cube.state.position.z = z;
    cube.force.z = force;
    CHECK(scree_body_create(world, &cube, NULL));
}

/* A heavy crate is held on a fast belt next to a tower of light cubes: the crate dominates the residual, and
 * the tower must be solved nevertheless, also if its weight is made of forces; without violation_tolerance
 * it is not. */
static void a_belt_does_not_hide_a_tower(void **state) {
    for (int i = 0; i < 3; i++) {
        const bool forces = i == 1, asked = i < 2;
        scree_world_def def = def_on(state);
        if (forces) def.gravity.z = 0;
        if (!asked) def.solver.violation_tolerance = 0;
        scree_world *world = world_of(&def);
        scree_statistics s;
        double deepest = 0;
        scree_body_def belt = scree_default_body_def(), crate = scree_default_body_def();
        add_slope(world, 0);
        for (int k = 0; k < 10; k++) add_weight(world, 0.05f + 0.1f * (float)k, forces ? -9.81f : 0);
        belt.type = SCREE_BODY_KINEMATIC;
        belt.shape = scree_shape_box(1000, 0.5f, 0.05f);
        belt.state.position = (scree_vec3){0, 3, 0.05f};
        belt.state.linear_velocity.x = 5;
        CHECK(scree_body_create(world, &belt, NULL));
        crate.shape = scree_shape_box(0.1f, 0.1f, 0.1f), crate.mass = 1000;
        crate.state.position = (scree_vec3){0, 3, 0.2f};
        crate.locks = SCREE_LOCK_X;
        if (forces) crate.force.z = -9810;
        CHECK(scree_body_create(world, &crate, NULL));
        for (int k = 0; k < 600; k++) {
            CHECK(scree_world_step(world, &s));
            deepest = fmax(deepest, s.penetration_max);
        }
        print_message("tower next to a belt: overlap %.1e m\n", deepest);
        if (asked)
            ASSERT_AT_MOST(deepest, 1e-4);
        else
            ASSERT_AT_LEAST(deepest, 5e-5);
        scree_world_destroy(world);
    }
}

/* Cubes pressed down by forces, with hardly any gravity: a solved step is accepted even if a fraction of the
 * gravity term is below the resolution of the velocities. */
static void a_trace_of_gravity_does_not_block_acceptance(void **state) {
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.gravity.z = -1e-6f;
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        for (int k = 0; k < 5; k++) add_weight(world, 0.05f + 0.1f * (float)k, i ? 0 : -9.81f);
        scree_statistics s;
        for (int k = 0; k < 100; k++) CHECK(scree_world_step(world, &s));
        assert_true(s.solve.stop == SCREE_STOP_RESIDUAL && s.solve.iterations < def.solver.iterations);
        scree_world_destroy(world);
    }
}

/* A wall pyramid of base 20 in bond: 210 cubes. */
static void pyramid_of_base_20_stands_for_ten_seconds(void **state) {
    enum { BASE = 20, COUNT = BASE * (BASE + 1) / 2 };
    scree_world_def def = def_on(state);
    def.solver.iterations = 50;
    scree_world *world = world_of(&def);
    scree_body_id ids[COUNT];
    scree_vec3 start[COUNT];
    int count = 0;
    add_slope(world, 0);
    for (int row = 0; row < BASE; row++)
        for (int i = 0; i < BASE - row; i++, count++) {
            ids[count] = add_cube(world, ((float)i - (float)(BASE - row - 1) / 2) * 0.101f,
                                  0.05f + 0.1f * (float)row, 1);
            start[count] = state_of(world, ids[count]).position;
        }
    const scree_statistics s = run_for(world, 10);
    ASSERT_AT_MOST(drift_from(world, ids, start, COUNT), 0.001);
    print_message("pyramid: drift %.3g m, residual %.2e, mean penetration %.3g m\n",
                  drift_from(world, ids, start, COUNT), s.solve.residual, s.penetration_mean);
    scree_world_destroy(world);
}

/* Returns the largest speed of bodies, m/s. */
static double fastest(const scree_world *world, const scree_body_id *ids, int count) {
    double out = 0;
    for (int i = 0; i < count; i++) out = fmax(out, length_of(state_of(world, ids[i]).linear_velocity));
    return out;
}

/* Stacks of cubes of 0.2 m, and of bricks half as high, come to rest with substeps, whatever their number. A
 * body whose velocity moves it by less than half the spacing of its position in a substep keeps that
 * velocity.
 */
static void stacks_rest_with_substeps(void **state) {
    static const struct {
        int count, substeps;
        float half_height;
    } stacks[] = {{5, 8, 0.1f}, {10, 8, 0.1f}, {10, 8, 0.05f}, {5, 4, 0.1f}, {8, 16, 0.1f}};
    for (size_t k = 0; k < sizeof stacks / sizeof *stacks; k++) {
        const int count = stacks[k].count;
        const float half = stacks[k].half_height;
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_REALTIME);
        def.solver.substep.substeps = stacks[k].substeps;
        scree_world *world = world_of(&def);
        scree_body_id ids[10];
        scree_vec3 start[10] = {0};
        add_slope(world, 0);
        for (int i = 0; i < count; i++)
            ids[i] = add_body(world, scree_shape_box(0.1f, 0.1f, half),
                              (scree_vec3){0, 0, half + 2 * half * (float)i}, (scree_vec3){0, 0, 0});
        run_for(world, 6);
        for (int i = 0; i < count; i++) start[i] = state_of(world, ids[i]).position;
        run_for(world, 1);
        const float top = start[count - 1].z, spacing = nextafterf(top, 10) - top;
        const double speed = fastest(world, ids, count), creep = drift_from(world, ids, start, count),
                     kept = 0.5 * (double)spacing * stacks[k].substeps / def.time_step;
        print_message("%d boxes of half height %g, %d substeps: speed %.1e of %.1e m/s, creep %.1e m/s\n",
                      count, (double)half, stacks[k].substeps, speed, kept, creep);
        ASSERT_AT_MOST(speed, 1e-5 + kept);
        ASSERT_AT_MOST(creep, 1e-6);
        scree_world_destroy(world);
    }
}

/* A column of ten cubes of 1 kg and one of 10 kg on top, each dropped by 0.5 mm and 1 mm: by default and with
 * every preset it stands for five seconds, and at rest a step makes fewer iterations than the limit. */
static void column_under_a_tenfold_cube_stands(void **state) {
    for (int preset = 0; preset < SCREE_PRESET_COUNT; preset++) {
        scree_world_def def = def_on(state);
        def.solver = scree_solver_def_with_preset(def.solver, (scree_preset)preset);
        scree_world *world = world_of(&def);
        scree_body_id ids[11];
        scree_vec3 start[11];
        add_slope(world, 0);
        for (int i = 0; i < 11; i++) {
            ids[i] = add_cube(world, 0, 0.0505f + 0.101f * (float)i, i == 10 ? 10 : 1);
            start[i] = (scree_vec3){0, 0, 0.05f + 0.1f * (float)i};
        }
        run_for(world, 4.5);
        scree_statistics s;
        int iterations = 0;
        for (int i = 0; i < 60; i++) {
            CHECK(scree_world_step(world, &s));
            iterations += s.solve.iterations;
        }
        print_message("column, %s: drift %.2g mm, %.1f iterations a step at rest\n",
                      scree_preset_name((scree_preset)preset), 1e3 * drift_from(world, ids, start, 11),
                      iterations / 60.);
        ASSERT_AT_MOST(drift_from(world, ids, start, 11), preset == SCREE_PRESET_REALTIME ? 0.005 : 0.001);
        ASSERT_AT_MOST(iterations, 60 * (def.solver.iterations - 1));
        scree_world_destroy(world);
    }
}

/* Two thin boards lean against each other at 20° from the vertical, held by friction at the foot: with weight
 * W per board and inclination φ the foot needs T/N = tan(φ)/2 (moments about the top), well below μ = 0.5. */
static void leaning_boards_stand_for_ten_seconds(void **state) {
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    const float half = 0.25f, thin = 0.01f, tilt = 20 * (float)M_PI / 180;
    scree_body_id ids[2];
    scree_vec3 start[2];
    add_slope(world, 0);
    for (int i = 0; i < 2; i++) {
        const float side = i ? 1 : -1;
        scree_body_def board = scree_default_body_def();
        board.shape = scree_shape_box(thin, 0.2f, half);
        /* The upper inner edge touches the plane x = 0, the lower edge the ground. */
        board.state.position = (scree_vec3){side * (half * sinf(tilt) + thin * cosf(tilt)), 0,
                                            half * cosf(tilt) + thin * sinf(tilt)};
        board.state.rotation = (scree_quat){0, sinf(-side * tilt / 2), 0, cosf(tilt / 2)};
        CHECK(scree_body_create(world, &board, &ids[i]));
        start[i] = board.state.position;
    }
    run_for(world, 0.5); /* the gap from round-off closes */
    for (int i = 0; i < 2; i++) {
        ASSERT_AT_MOST(distance(state_of(world, ids[i]).position, start[i]), 0.005);
        start[i] = state_of(world, ids[i]).position;
    }
    run_for(world, 10);
    ASSERT_AT_MOST(drift_from(world, ids, start, 2), 0.005);
    scree_world_destroy(world);
}

/* A cube of 1000 kg on ten of 1 kg, which other engines crush: how far the top sinks in a second at a count
 * of iterations in both passes. 30 do not hold it, and the residual shows it; 3000 do, to the value stated in
 * tests/README.md. 300 are on the borderline. Native only: the others have its bits, or take minutes. */
static void heavy_cube_on_a_stack_needs_iterations(void **state) {
    static const int counts[] = {30, 3000};
    double sunk[2], residual[2] = {0}; /* largest of a step */
    for (int k = 0; k < 2; k++) {
        scree_world_def def = def_on(state);
        def.solver.iterations = def.solver.split.position_iterations = counts[k], def.solver.tolerance = 0;
        scree_world *world = world_of(&def);
        scree_body_id top = {0};
        double deepest = 0;
        add_slope(world, 0);
        for (int i = 0; i <= 10; i++) top = add_cube(world, 0, 0.05f + 0.1f * (float)i, i == 10 ? 1000 : 1);
        scree_statistics s;
        for (int i = 0; i < 120; i++) {
            CHECK(scree_world_step(world, &s));
            deepest = fmax(deepest, s.penetration_max);
            residual[k] = fmax(residual[k], s.solve.residual);
        }
        sunk[k] = 1.05 - (double)state_of(world, top).position.z,
        print_message(
            "1000:1 on ten, %d iterations: the top sank %.3g m, deepest overlap %.3g m, residual %.1e\n",
            counts[k], sunk[k], deepest, residual[k]);
        scree_world_destroy(world);
    }
    ASSERT_AT_LEAST(fabs(sunk[0]), 0.01); /* a tenth of a cube */
    ASSERT_AT_LEAST(residual[0], 100 * residual[1]);
    ASSERT_AT_MOST(fabs(sunk[1]), 1e-6);
}

/* By default the position pass makes as many sweeps as the velocity pass made iterations: the same bits as
 * with that number set explicitly. */
static void position_pass_follows_the_velocity_pass(void **state) {
    scree_statistics s[2];
    uint64_t hash[2];
    for (int k = 0; k < 2; k++) {
        scree_world_def def = def_on(state);
        def.solver.tolerance = 1e-6f, def.solver.iterations = 300;
        def.solver.split.position_iterations = k ? s[0].solve.iterations : 1,
        def.solver.split.position_follows = !k;
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        for (int i = 0; i <= 10; i++) add_cube(world, 0, 0.05f + 0.0999f * (float)i, i == 10 ? 100 : 1);
        CHECK(scree_world_step(world, &s[k]));
        hash[k] = scree_world_get_hash(world);
        scree_world_destroy(world);
    }
    assert_true(s[0].solve.iterations > 10 && s[0].late == 0);
    assert_true(hash[0] == hash[1]);
}

/* A cube of a thousand times their mass lands on ten cubes, in `accurate` (bench/scenes/D1000.json). */
static void a_thousandfold_cube_stays_where_it_lands(void **state) {
    skip_if_short();
    scree_world_def def = def_on(state);
    def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_ACCURATE);
    scree_world *world = world_of(&def);
    scree_body_id ids[11];
    scree_vec3 places[11];
    add_slope(world, 0);
    for (int i = 0; i <= 10; i++) {
        ids[i] = add_cube(world, 0, 0.0505f + 0.101f * (float)i, i == 10 ? 1000 : 1);
        places[i] = (scree_vec3){0, 0, 0.05f + 0.1f * (float)i};
    }
    run_for(world, 5);
    print_message("1000:1 on ten, accurate: drift %.3g m\n", drift_from(world, ids, places, 11));
    ASSERT_AT_MOST(drift_from(world, ids, places, 11), 0.002);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH_BACKEND(stack_of_ten_stands),
        ON_EACH_BACKEND(ground_bears_the_weight),
        ON("native", a_belt_does_not_hide_a_tower),
        ON("native", a_trace_of_gravity_does_not_block_acceptance),
        ON("opencl", a_trace_of_gravity_does_not_block_acceptance),
        /* Takes minutes on the reference and on PoCL, whose bits are those of native. */
        ON("native", pyramid_of_base_20_stands_for_ten_seconds),
        ON("native", leaning_boards_stand_for_ten_seconds),
        ON("reference", leaning_boards_stand_for_ten_seconds),
        ON("native", stacks_rest_with_substeps),
        ON("native", column_under_a_tenfold_cube_stands),
        ON("native", heavy_cube_on_a_stack_needs_iterations),
        ON("native", position_pass_follows_the_velocity_pass),
        ON("opencl", position_pass_follows_the_velocity_pass),
        ON("native", a_thousandfold_cube_stays_where_it_lands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
