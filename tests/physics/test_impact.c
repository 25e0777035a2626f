/* Steps in which bodies collide. */
#include "native_bits.h"

#include "box_geometry.h"
#include "random_vectors.h"

/* Drops a column of beads, 2 mm apart, on the ground at 3 m/s: 15 mm, three radii, per step of 5 ms. No bead
 * approaches the one below it until that has stopped, within the step. */
static void land_a_column(void **state, int count) {
    enum { BEADS = 20 };
    const double radius = 0.005, apart = 0.012;
    scree_world_def def = def_on(state);
    def.time_step = 0.005f;
    scree_world *world = world_of(&def);
    scree_body_id beads[BEADS];
    add_slope(world, 0);
    for (int i = 0; i < count; i++)
        beads[i] = add_body(world, scree_shape_sphere((float)radius),
                            (scree_vec3){0, 0, 0.011f + (float)apart * (float)i}, (scree_vec3){0, 0, -3});
    double deepest = 0;
    for (int step = 0; step < 60; step++) {
        double below = -radius;
        CHECK(scree_world_step(world, NULL));
        for (int i = 0; i < count; i++) {
            const double z = (double)state_of(world, beads[i]).position.z;
            deepest = fmax(deepest, 2 * radius - (z - below));
            below = z;
        }
    }
    print_message("%d beads: deepest overlap %.4f of the radius\n", count, deepest / radius);
    ASSERT_AT_MOST(deepest, 0.02 * radius);
    scree_world_destroy(world);
}

static versors rotation_of(scree_quat q) { return versor_of(q.x, q.y, q.z, q.w); }

static double_box cube_at(const scree_world *world, scree_body_id id, float half) {
    const scree_body_state state = state_of(world, id);
    const scree_vec3 at = state.position;
    return double_box_of(
        scree_shape_box(half, half, half),
        (body_pose){.position = vec3_of(at.x, at.y, at.z), .rotation = rotation_of(state.rotation)});
}

/* Cubes of 8 cm fall at 3 m/s, 25 mm per step, on fixed ones, tilted so that an edge meets an edge first.
 * That impact spins them; within the same step a face came down 18 mm deep on the other. */
static void boxes_meeting_on_edges_do_not_overlap(void **state) {
    enum { PAIRS = 60 };
    const int pairs = on_reference(state) ? PAIRS / 15 : PAIRS;
    const float half = 0.04f;
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_body_id low[PAIRS], high[PAIRS];
    uint64_t seed = 31;
    for (int i = 0; i < pairs; i++) {
        scree_body_def body = scree_default_body_def();
        const float x = 0.4f * (float)i;
        body.shape = scree_shape_box(half, half, half);
        body.state.position = (scree_vec3){x, 0, 0};
        body.type = SCREE_BODY_STATIC;
        CHECK(scree_body_create(world, &body, &low[i]));
        const vec3s tilt = random_vector(&seed, -0.15, 0.15), aside = random_vector(&seed, -0.03, 0.03);
        const float yaw = (float)random_between(&seed, 0, 1.5);
        const versors q = rotation_turned(tilt, versor_of(0, 0, sinf(yaw / 2), cosf(yaw / 2)));
        body.type = SCREE_BODY_DYNAMIC;
        body.state.position = (scree_vec3){x + aside.x, aside.y, 2.5f * half};
        body.state.rotation = (scree_quat){q.x, q.y, q.z, q.w};
        body.state.linear_velocity = (scree_vec3){0, 0, -3};
        CHECK(scree_body_create(world, &body, &high[i]));
    }
    double deepest = 0;
    for (int step = 0; step < 12; step++) {
        CHECK(scree_world_step(world, NULL));
        for (int i = 0; i < pairs; i++) {
            const double_box a = cube_at(world, low[i], half), b = cube_at(world, high[i], half);
            deepest = fmax(deepest, -box_axis_separation(&a, &b));
        }
    }
    print_message("deepest overlap %.2f mm\n", 1e3 * deepest);
    ASSERT_AT_MOST(deepest, 0.001);
    scree_world_destroy(world);
}

static void falling_bead_columns_do_not_overlap(void **state) {
    static const int counts[] = {2, 3, 5, 10, 20};
    for (int i = 0; i < 5; i++) land_a_column(state, counts[i]);
}

enum { ROW = 5 };

/* Adds a bead at 3 m/s, 15 mm per step, flying at a row of resting beads 3 mm apart: each gains its speed
 * only when the one before is struck, far from where it was at first detection. */
static void add_row(scree_world *world, scree_body_id row[ROW]) {
    for (int i = 0; i < ROW; i++)
        row[i] =
            add_body(world, scree_shape_sphere(0.005f), (scree_vec3){0.013f * (float)i, 0.001f * (float)i, 0},
                     (scree_vec3){i == 0 ? 3 : 0, 0, 0});
}

static scree_world *row_world(scree_world_def def, scree_body_id row[ROW]) {
    def.gravity = (scree_vec3){0, 0, 0};
    def.time_step = 0.005f;
    scree_world *world = world_of(&def);
    add_row(world, row);
    return world;
}

static void struck_beads_do_not_enter_the_next_ones(void **state) {
    scree_body_id row[ROW];
    scree_world *world = row_world(def_on(state), row);
    double deepest = 0;
    int late = 0;
    for (int step = 0; step < 10; step++) {
        scree_statistics s;
        CHECK(scree_world_step(world, &s));
        late += s.late;
        /* The first solve, of the initial contacts, is reported separately. */
        const scree_solve_report *first = &s.first_solve;
        assert_true(s.late ? first->iterations < s.solve.iterations
                           : first->iterations == s.solve.iterations && first->residual == s.solve.residual);
        assert_true(s.timing.first_solve <= s.timing.solve);
        if (step == 0) assert_true(s.late > 0 && s.contacts > s.late);
        for (int i = 1; i < ROW; i++) {
            const scree_vec3 a = state_of(world, row[i - 1]).position, b = state_of(world, row[i]).position;
            deepest = fmax(deepest, 0.01 - length_of((scree_vec3){b.x - a.x, b.y - a.y, b.z - a.z}));
        }
        ASSERT_NEAR(s.momentum[0], 3 * 1000 * 4.0 / 3 * M_PI * 0.005 * 0.005 * 0.005, 1e-5);
    }
    print_message("deepest overlap %.4f of the radius, %d new contacts\n", deepest / 0.005, late);
    ASSERT_AT_MOST(deepest, 0.02 * 0.005);
    assert_true(late > 0);
    scree_world_destroy(world);
}

static void new_contacts_have_the_same_bits_everywhere(void **state) {
    scree_body_id row[ROW];
    scree_world_def def = def_on(state);
    scree_world *here = row_world(def, row);
    def.backend = SCREE_BACKEND_NATIVE, def.threads = 3;
    scree_world *there = row_world(def, row);
    for (int step = 0; step < 10; step++) {
        CHECK(scree_world_step(here, NULL));
        CHECK(scree_world_step(there, NULL));
        assert_true(scree_world_get_hash(here) == scree_world_get_hash(there));
    }
    scree_world_destroy(here);
    scree_world_destroy(there);
}

/* 3 m/s in steps of 5 ms are three radii of 5 mm; for a box its smallest half size counts. A body at rest
 * travels 0. */
static void travel_is_in_half_sizes_a_step(void **state) {
    scree_world_def def = def_on(state);
    scree_statistics s;
    def.gravity = (scree_vec3){0, 0, 0};
    def.time_step = 0.005f;
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    add_body(world, scree_shape_sphere(0.005f), (scree_vec3){0, 0, 1}, (scree_vec3){0, 0, 0});
    CHECK(scree_world_step(world, &s));
    assert_true(s.travel_max == 0);
    add_body(world, scree_shape_box(0.1f, 0.05f, 0.002f), (scree_vec3){5, 0, 1}, (scree_vec3){0.6f, 0, 0.8f});
    CHECK(scree_world_step(world, &s));
    ASSERT_NEAR(s.travel_max, 2.5, 1e-6);
    add_body(world, scree_shape_sphere(0.005f), (scree_vec3){0, 5, 1}, (scree_vec3){0, 0, 3});
    CHECK(scree_world_step(world, &s));
    ASSERT_NEAR(s.travel_max, 3, 1e-6);
    scree_world_destroy(world);
}

/* Two balls, one pressed 2 cm into the other, fall at 6 m/s; the velocity pass lets them just close the gap
 * of 5 cm below within a step. The correction of the overlap must not close it a second time. */
static void a_gap_is_closed_once(void **state) {
    const double radius = 0.05;
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    const scree_body_id low =
        add_body(world, scree_shape_sphere((float)radius), (scree_vec3){0, 0, 0.1f}, (scree_vec3){0, 0, -6});
    const scree_body_id high =
        add_body(world, scree_shape_sphere((float)radius), (scree_vec3){0, 0, 0.18f}, (scree_vec3){0, 0, -6});
    for (int step = 0; step < 3; step++) {
        CHECK(scree_world_step(world, NULL));
        ASSERT_AT_MOST(radius - (double)state_of(world, low).position.z, 1e-6);
    }
    ASSERT_AT_MOST(0.08, (double)state_of(world, high).position.z - (double)state_of(world, low).position.z);
    scree_world_destroy(world);
}

/* Without gravity a ball of speed v and gap c reaches the floor after c/v and leaves it with e v, so at the
 * end of the step it is e (v h − c) above. It reversed at the surface. */
static void a_bounce_begins_at_the_surface(void **state) {
    const double radius = 0.05, e = 0.8, rates[] = {60, 120, 500};
    for (int i = 0; i < 3; i++) {
        scree_world_def def = def_on(state);
        def.time_step = 1 / rates[i];
        def.gravity = (scree_vec3){0, 0, 0};
        def.material.restitution = (float)e;
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        const scree_body_id ball =
            add_body(world, scree_shape_sphere((float)radius), (scree_vec3){0, 0, 1}, (scree_vec3){0, 0, -4});
        const double h = 1 / rates[i];
        scree_body_state before, now = state_of(world, ball);
        do {
            before = now;
            CHECK(scree_world_step(world, NULL));
            now = state_of(world, ball);
        } while (now.linear_velocity.z < 0);
        const double speed = -(double)before.linear_velocity.z, gap = (double)before.position.z - radius;
        assert_true(gap > 0);
        ASSERT_AT_MOST(fabs((double)now.position.z - radius - e * (speed * h - gap)), 1e-6);
        ASSERT_NEAR((double)now.linear_velocity.z, e * speed, 1e-5);
        scree_world_destroy(world);
    }
}

/* Returns the top of the first bounce of a ball released at `height` above the floor, over e² times that
 * height. It falls by gravity or by an applied force. */
static double rebound_over_law(void **state, double rate, double e, double height, bool gravity) {
    const double radius = 0.1;
    scree_world_def def = def_on(state);
    scree_body_def body = scree_default_body_def();
    scree_body_id ball;
    double top = 0;
    bool rising = false;
    def.time_step = 1 / rate;
    def.material.restitution = (float)e;
    if (!gravity) body.force.z = 2 * def.gravity.z, def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    add_slope(world, 0);
    body.mass = 2;
    body.shape = scree_shape_sphere((float)radius);
    body.state.position.z = (float)(height + radius);
    CHECK(scree_body_create(world, &body, &ball));
    for (int i = 0; i < 3 * (int)rate; i++) {
        CHECK(scree_world_step(world, NULL));
        const scree_body_state now = state_of(world, ball);
        if (rising && now.linear_velocity.z <= 0) break;
        if (now.linear_velocity.z > 0) rising = true, top = fmax(top, (double)now.position.z - radius);
    }
    scree_world_destroy(world);
    return top / (e * e * height);
}

/* A ball rises to e² of its drop height, wherever in a step it hits the floor. The tops of the two parabolas
 * fall between steps, by g h²/8 at most each. */
static void a_bounce_rises_to_the_square_of_restitution(void **state) {
    skip_bits_of_native(state);
    const double rates[] = {60, 120}, restitutions[] = {1, 0.9, 0.7};
    for (int i = 0; i < 6; i++) {
        double least = 2, most = 0;
        for (int k = 0; k < 12; k++) {
            const double part =
                rebound_over_law(state, rates[i % 2], restitutions[i / 2], 0.95 + 0.1 / 12 * k, k % 2);
            least = fmin(least, part), most = fmax(most, part);
        }
        print_message("e %.1f at 1/%.0f s: %.5f to %.5f of e² h₀\n", restitutions[i / 2], rates[i % 2], least,
                      most);
        const double h = 1 / rates[i % 2], e = restitutions[i / 2], miss = 9.81 * h * h / 8 / 0.95;
        ASSERT_AT_LEAST(least, 1 - miss / (e * e) - 1e-4);
        ASSERT_AT_MOST(most, 1 + miss + 1e-4);
    }
}

/* Without loss and friction a ball bounces for ever: its energy after 10 s is unchanged. */
static void elastic_bounces_conserve_energy(void **state) {
    const double rates[] = {60, 120};
    for (int i = 0; i < 2; i++) {
        scree_world_def def = def_on(state);
        def.time_step = 1 / rates[i];
        def.material.restitution = 1;
        scree_world *world = world_of(&def);
        add_slope(world, 0);
        const scree_body_id ball =
            add_body(world, scree_shape_sphere(0.2f), (scree_vec3){0, 0, 1.13f}, (scree_vec3){0, 0, 0});
        double top = 0;
        run_for(world, 9);
        for (int k = 0; k < (int)rates[i]; k++) {
            CHECK(scree_world_step(world, NULL));
            top = fmax(top, (double)state_of(world, ball).position.z - 0.2);
        }
        ASSERT_NEAR(top, 0.93, 1e-3);
        scree_world_destroy(world);
    }
}

/* A smooth gas of 216 spheres in a box, elastic at every speed: secondary impacts within a step bounce too,
 * so the energy after 600 steps is unchanged. Rough spheres may lose energy but never gain it. */
static void an_elastic_gas_conserves_energy(void **state) {
    const int n = 6, steps = 600;
    for (int rough = 0; rough < 2; rough++) {
        const float half = (float)n / 15, wall = 0.1f;
        scree_world_def def = def_on(state);
        def.time_step = 0.002, def.gravity = (scree_vec3){0, 0, 0};
        def.material.friction = rough ? 0.5f : 0, def.material.restitution = 1;
        def.solver.restitution_speed = 0, def.solver.tolerance = 1e-5f;
        scree_world *world = world_of(&def);
        for (int side = 0; side < 6; side++) {
            float at[3] = {0, 0, 0}, size[3] = {half + wall, half + wall, half + wall};
            at[side / 2] = side % 2 ? half + wall / 2 : -half - wall / 2, size[side / 2] = wall / 2;
            scree_body_def body = scree_default_body_def();
            body.type = SCREE_BODY_STATIC, body.shape = scree_shape_box(size[0], size[1], size[2]);
            body.state.position = (scree_vec3){at[0], at[1], at[2]};
            CHECK(scree_body_create(world, &body, NULL));
        }
        uint64_t seed = 7;
        for (int i = 0; i < n * n * n; i++) {
            const float cell = 2 * half / (float)n;
            const int place[3] = {i % n, i / n % n, i / (n * n)};
            float at[3], speed[3];
            for (int k = 0; k < 3; k++) {
                at[k] = cell * ((float)place[k] + 0.5f) - half + 0.02f * (float)random_between(&seed, -1, 1);
                speed[k] = (float)random_between(&seed, -2, 2);
            }
            scree_body_def body = scree_default_body_def();
            body.shape = scree_shape_sphere(0.02f), body.mass = 1;
            body.state.position = (scree_vec3){at[0], at[1], at[2]};
            body.state.linear_velocity = (scree_vec3){speed[0], speed[1], speed[2]};
            CHECK(scree_body_create(world, &body, NULL));
        }
        scree_statistics s;
        double first = 0, last = 0, deepest = 0;
        for (int step = 0; step < steps; step++) {
            CHECK(scree_world_step(world, &s));
            if (step == 0) first = last = s.kinetic_energy;
            ASSERT_AT_MOST(s.kinetic_energy, (1 + 1e-3) * last);
            last = s.kinetic_energy, deepest = fmax(deepest, s.penetration_max);
        }
        if (!rough) ASSERT_NEAR(last, first, 1e-3);
        ASSERT_AT_MOST(deepest, 0.02 * 0.01);
        scree_world_destroy(world);
    }
}

/* A smooth elastic cube flies at a fixed box: whichever edges and corners meet, and however far points
 * separate while others meet, its energy does not grow. */
static void elastic_impacts_do_not_gain_energy(void **state) {
    static const struct flight {
        scree_quat target;
        float y, z, speed;
    } flights[] = {
        {{0.486137561f, 0.490875876f, -0.570128669f, 0.444594699f},
         -0.115130453f,
         -0.227899011f,
         5.63302111f},
        {{-0.580826746f, -0.466185635f, -0.494881463f, -0.447664587f},
         0.206589173f,
         0.350763933f,
         4.3202113f},
        {{0.559507733f, 0.6352368f, -0.380515722f, 0.372334648f}, -0.0199859593f, -0.193712564f, 5.25192711f},
    };
    for (int i = 0; i < 3; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.material.friction = 0, def.material.restitution = 1;
        def.solver.restitution_speed = 0;
        def.solver.iterations = 60;
        scree_world *world = world_of(&def);
        scree_body_def target = scree_default_body_def(), cube = scree_default_body_def();
        scree_body_id id;
        target.type = SCREE_BODY_STATIC;
        target.shape = scree_shape_box(0.5f, 0.4f, 0.3f);
        target.state.rotation = flights[i].target;
        CHECK(scree_body_create(world, &target, NULL));
        cube.mass = 1;
        cube.shape = scree_shape_box(0.2f, 0.2f, 0.2f);
        cube.state.position = (scree_vec3){-1.3f, flights[i].y, flights[i].z};
        cube.state.linear_velocity.x = flights[i].speed;
        CHECK(scree_body_create(world, &cube, &id));
        const double before = 0.5 * pow((double)flights[i].speed, 2);
        for (int step = 0; step < 90; step++) {
            scree_statistics s;
            CHECK(scree_world_step(world, &s));
            ASSERT_AT_MOST(s.kinetic_energy, 1.001 * before);
        }
        assert_true((double)state_of(world, id).linear_velocity.x < 0.9 * (double)flights[i].speed);
        scree_world_destroy(world);
    }
}

/* The impulses of bodies at rest are weight times step: those of one step solve the next also if its length
 * differs. */
static void warm_starts_follow_the_time_step(void **state) {
    const scree_world_def def = def_on(state);
    scree_world *world = world_of(&def);
    scree_statistics s;
    add_slope(world, 0);
    for (int i = 0; i < 3; i++)
        add_body(world, scree_shape_box(0.1f, 0.1f, 0.1f), (scree_vec3){0, 0, 0.1f + 0.2f * (float)i},
                 (scree_vec3){0, 0, 0});
    run_for(world, 2);
    for (int i = 0; i < 2; i++) {
        CHECK(scree_world_set_time_step(world, i == 0 ? 1.0f / 1200 : 1.0f / 120));
        CHECK(scree_world_step(world, &s));
        ASSERT_AT_MOST(s.solve.residual_before, 1e-3);
    }
    scree_world_destroy(world);
}

/* Spheres of radius 0.05 m whose paths pass each other at 0.101 m, at 10 m/s across the axes. */
static void passing_spheres_are_not_deflected(void **state) {
    for (int e = 0; e < 2; e++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.material.restitution = 0.5f * (float)e;
        scree_world *world = world_of(&def);
        const float s = 0.70710678f, aside = 0.101f * s;
        add_body(world, scree_shape_sphere(0.05f), (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0});
        const scree_body_id flier =
            add_body(world, scree_shape_sphere(0.05f), (scree_vec3){-0.3f + aside, -0.3f - aside, 0},
                     (scree_vec3){10 * s, 10 * s, 0});
        scree_body_def box = scree_default_body_def();
        box.shape = scree_shape_box(0.05f, 0.05f, 0.05f);
        box.state.position = (scree_vec3){0.5f, 0.6f - 0.101f, 0.0f};
        CHECK(scree_body_create(world, &box, NULL));
        run_for(world, 0.1);
        const scree_body_state now = state_of(world, flier);
        ASSERT_NEAR((double)now.linear_velocity.x, 10 * sqrt(0.5), 1e-6);
        ASSERT_NEAR((double)now.linear_velocity.y, 10 * sqrt(0.5), 1e-6);
        scree_world_destroy(world);
    }
}

/* A sphere hits an equal one at rest, both elastic and smooth, with an impact parameter of half the sum of
 * the radii: the normal is at 30° to the flight, so the struck one leaves along it with v cos 30°, and the
 * other perpendicular, at 60°; relative velocities turn by 120°. */
static void scattering_is_exact_at_any_step(void **state) {
    const double rates[] = {120, 240, 500, 1000, 4000};
    for (int i = 0; i < 5; i++) {
        scree_world_def def = def_on(state);
        def.gravity = (scree_vec3){0, 0, 0};
        def.time_step = (1 / rates[i]);
        def.material.restitution = 1, def.material.friction = 0;
        scree_world *world = world_of(&def);
        const scree_body_id target =
            add_body(world, scree_shape_sphere(0.05f), (scree_vec3){0, 0, 0}, (scree_vec3){0, 0, 0});
        const scree_body_id flier = add_body(world, scree_shape_sphere(0.05f), (scree_vec3){-0.33f, 0.05f, 0},
                                             (scree_vec3){10, 0, 0});
        run_for(world, 0.1);
        const scree_vec3 a = state_of(world, flier).linear_velocity,
                         b = state_of(world, target).linear_velocity;
        const double turned = atan2((double)a.y - (double)b.y, (double)a.x - (double)b.x) * 57.29577951308232;
        ASSERT_AT_MOST(fabs(fabs(turned) - 120), 0.5);
        ASSERT_NEAR(length_of(b), 10 * sqrt(0.75), 0.005);
        scree_world_destroy(world);
    }
}

enum { LUMPS = 6, LUMP_WORLDS = 60 };

/* Makes balls, with a cube in every third world, deep in each other at up to 60 m/s and 30 rad/s. */
static scree_world *lumps(scree_world_def def, uint64_t seed, scree_shape ball, scree_body_id ids[LUMPS]) {
    const int cube = seed % 3 ? LUMPS : 1;
    def.gravity = (scree_vec3){0, 0, 0};
    scree_world *world = world_of(&def);
    for (int i = 0; i < LUMPS; i++) {
        scree_body_def body = scree_default_body_def();
        const vec3s out = random_direction(&seed), v = random_vector(&seed, -60, 60),
                    spin = random_vector(&seed, -30, 30);
        const float away = (0.04f + 0.16f * (float)random_between(&seed, 0, 1)) * (1 + 0.3f * (float)i);
        body.shape = i == cube ? scree_shape_box(0.1f, 0.1f, 0.1f) : ball;
        if (i > 0) body.state.position = (scree_vec3){away * out.x, away * out.y, away * out.z};
        body.state.linear_velocity = (scree_vec3){v.x, v.y, v.z};
        body.state.angular_velocity = (scree_vec3){spin.x, spin.y, spin.z};
        CHECK(scree_body_create(world, &body, &ids[i]));
    }
    return world;
}

/* Bit for bit: its rotation leaves its surface unchanged, and normal forces do not rotate it. */
static void compound_of_one_ball_moves_like_the_ball(void **state) {
    const scree_compound_child part = {scree_shape_sphere(0.1f), {0, 0, 0}, {0, 0, 0, 1}, 1};
    scree_geometry *made;
    CHECK(scree_compound_create(&part, 1, &made));
    const scree_shape shapes[] = {scree_shape_sphere(0.1f), scree_shape_compound(made, 1)};
    int late = 0;
    for (uint64_t seed = 1; seed <= LUMP_WORLDS; seed++) {
        scree_body_state after[2][LUMPS];
        for (int k = 0; k < 2; k++) {
            scree_body_id ids[LUMPS];
            scree_statistics s;
            scree_world *world = lumps(def_on(state), seed, shapes[k], ids);
            for (int step = 0; step < 5; step++) {
                CHECK(scree_world_step(world, &s));
                late += s.late;
            }
            for (int i = 0; i < LUMPS; i++) after[k][i] = state_of(world, ids[i]);
            scree_world_destroy(world);
        }
        if (memcmp(after[0], after[1], sizeof after[0])) fail_msg("seed %d: it goes elsewhere", (int)seed);
    }
    assert_true(late > 0);
    scree_geometry_release(made);
}

enum { GAS_SEEDS = 1, GAS_BOXES = 64, GAS_STEPS = 25 };

/* Fills a closed box with light and heavy boxes without loads; returns their energy, J. */
static double fill_room(scree_world *world, uint64_t seed, float speed, float spin) {
    double energy = 0;
    for (int i = 0; i < 6; i++) {
        scree_body_def wall = scree_default_body_def();
        float at[3] = {0};
        at[i / 2] = i % 2 ? 1.55f : -1.55f;
        wall.type = SCREE_BODY_STATIC;
        wall.shape = scree_shape_box(1, 1, 1);
        wall.state.position = (scree_vec3){at[0], at[1], at[2]};
        CHECK(scree_body_create(world, &wall, NULL));
    }
    for (int i = 0; i < GAS_BOXES; i++) {
        scree_body_def body = scree_default_body_def();
        const vec3s v = random_vector(&seed, -speed, speed), w = random_vector(&seed, -spin, spin);
        scree_vec3 moment;
        scree_body_id id;
        float mass;
        body.shape = scree_shape_box(0.09f, 0.04f + 0.03f * (float)(i % 3), 0.05f);
        body.mass = i % 2 ? 0.05f : 20;
        body.state.position = (scree_vec3){0.22f * (float)(i % 4) - 0.33f, 0.22f * (float)(i / 4 % 4) - 0.33f,
                                           0.22f * (float)(i / 16) - 0.33f};
        body.state.linear_velocity = (scree_vec3){v.x, v.y, v.z};
        body.state.angular_velocity = (scree_vec3){w.x, w.y, w.z};
        CHECK(scree_body_create(world, &body, &id));
        CHECK(scree_body_get_mass(world, id, &mass, &moment));
        energy += ((double)mass * (double)glms_vec3_norm2(v) + (double)(moment.x * w.x * w.x) +
                   (double)(moment.y * w.y * w.y) + (double)(moment.z * w.z * w.z)) /
                  2;
    }
    return energy;
}

/* Without loads and with e < 1 the energy never exceeds its initial value, also if a substep has two sweeps
 * for many simultaneous impacts. */
static void substeps_add_no_energy_to_fast_impacts(void **state) {
    skip_bits_of_native(state);
    const float speeds[] = {5, 30}, spins[] = {300, 20};
    for (int i = 0; i < 2 * GAS_SEEDS; i++) {
        scree_world_def def = def_on(state);
        def.time_step = 1.0 / 160;
        def.gravity = (scree_vec3){0, 0, 0};
        def.solver = scree_solver_def_with_stabilisation(def.solver, SCREE_STABILISATION_SUBSTEP);
        def.solver.restitution_speed = 0;
        def.material.friction = 0, def.material.restitution = 0.99f;
        scree_world *world = world_of(&def);
        const double energy = fill_room(world, (uint64_t)i / 2, speeds[i % 2], spins[i % 2]);
        for (int step = 0; step < GAS_STEPS; step++) {
            scree_statistics s;
            CHECK(scree_world_step(world, &s));
            ASSERT_AT_MOST(s.kinetic_energy, 1.001 * energy);
        }
        scree_world_destroy(world);
    }
}

/* Stacked cubes arrive at 100 m/s on the ground without restitution: their centre of mass stays down, except
 * for a fraction of the speed that two sweeps leave. `reference` has no such sweeps and takes minutes. */
static void hard_landing_stack_stays_down(void **state) {
    enum { CUBES = 5 };
    scree_world_def def = def_on(state);
    def.solver = scree_solver_def_with_preset(def.solver, SCREE_PRESET_REALTIME);
    def.time_step = 1.0 / 60;
    scree_world *world = world_of(&def);
    scree_body_id ids[CUBES];
    add_slope(world, 0);
    for (int i = 0; i < CUBES; i++)
        ids[i] = add_body(world, scree_shape_box(0.25f, 0.25f, 0.25f),
                          (scree_vec3){0, 0, 1.25f + 0.5f * (float)i}, (scree_vec3){0, 0, -100});
    double rise = 0;
    for (int step = 0; step < 30; step++) {
        double mean = 0;
        CHECK(scree_world_step(world, NULL));
        for (int i = 0; i < CUBES; i++) mean += (double)state_of(world, ids[i]).linear_velocity.z / CUBES;
        rise = fmax(rise, mean);
    }
    print_message("rises at %.1f m/s\n", rise);
    ASSERT_AT_MOST(rise, 7);
    scree_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {ON_EACH_BACKEND(falling_bead_columns_do_not_overlap),
                                       ON_EACH_BACKEND(boxes_meeting_on_edges_do_not_overlap),
                                       ON_EACH_BACKEND(struck_beads_do_not_enter_the_next_ones),
                                       ON("opencl", new_contacts_have_the_same_bits_everywhere),
                                       ON_EACH_BACKEND(travel_is_in_half_sizes_a_step),
                                       ON_EACH_BACKEND(a_gap_is_closed_once),
                                       ON_EACH_BACKEND(a_bounce_begins_at_the_surface),
                                       ON_EACH_BACKEND(a_bounce_rises_to_the_square_of_restitution),
                                       ON_EACH_BACKEND(elastic_bounces_conserve_energy),
                                       ON("native", an_elastic_gas_conserves_energy),
                                       ON("opencl", an_elastic_gas_conserves_energy),
                                       ON_EACH_BACKEND(elastic_impacts_do_not_gain_energy),
                                       ON("native", substeps_add_no_energy_to_fast_impacts),
                                       ON("opencl", substeps_add_no_energy_to_fast_impacts),
                                       ON("native", hard_landing_stack_stays_down),
                                       ON("opencl", hard_landing_stack_stays_down),
                                       ON_EACH_BACKEND(warm_starts_follow_the_time_step),
                                       ON_EACH_BACKEND(passing_spheres_are_not_deflected),
                                       ON_EACH_BACKEND(scattering_is_exact_at_any_step),
                                       ON("native", compound_of_one_ball_moves_like_the_ball)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
