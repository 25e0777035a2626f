/* The reference backend on problems with known solutions, and its residual against a second computation. */
#include "expect.h"
#include "stabilisations.h"
#include "oracle/reference.h"
#include "problem/delassus.h"
#include "base/memory.h"

enum { MOST_BODIES = 512, MOST_PAIRS = 2048 };
static const double H = 0.01, G = 9.81;

/* a small world made by hand, its problem, and the backend */
static struct {
    body_array bodies;
    body_pose poses[MOST_BODIES];
    body_remainder remainders[MOST_BODIES];
    body_velocity velocities[MOST_BODIES];
    body_mass masses[MOST_BODIES];
    body_load loads[MOST_BODIES];
    body_settings settings[MOST_BODIES];
    scree_shape shapes[MOST_BODIES];
    int materials[MOST_BODIES];
    uint8_t types[MOST_BODIES];
    scree_material_def material;
    material_table table;
    contact_pair pairs[MOST_PAIRS];
    contact_action actions[MOST_PAIRS * MANIFOLD_POINTS];
    manifold_point places[MOST_PAIRS * MANIFOLD_POINTS];
    contact_set contacts;
    scree_solver_def options;
    problem p;
    backend *engine;
} w;

static int set_up(void **state) {
    (void)state;
    memory_release(w.contacts.colours);
    memset(&w, 0, sizeof w);
    w.bodies = (body_array){.capacity = MOST_BODIES,
                            .poses = w.poses,
                            .remainders = w.remainders,
                            .velocities = w.velocities,
                            .masses = w.masses,
                            .loads = w.loads,
                            .shapes = w.shapes,
                            .materials = w.materials,
                            .types = w.types,
                            .settings = w.settings};
    for (int i = 0; i < MOST_BODIES; i++) w.shapes[i].kind = SCREE_SHAPE_BOX; /* arms end at the points */
    w.material = (scree_material_def){.friction = 0.5f, .density = 1000};
    w.table = (material_table){.count = 1, .capacity = 1, .materials = &w.material};
    w.contacts =
        (contact_set){.capacity = MOST_PAIRS, .pairs = w.pairs, .places = w.places, .actions = w.actions};
    w.options = (scree_solver_def){.law = SCREE_LAW_COULOMB,
                                   .iterations = 1,
                                   .check_every = 1,
                                   .relaxation = 1,
                                   .warm_start = true,
                                   .colours = 12,
                                   .stabilisation = SCREE_STABILISATION_BAUMGARTE,
                                   .baumgarte = {.error_reduction = 0.2f, .correction_speed = 3},
                                   .restitution_speed = 0.5f};
    return reference_create(2, &w.engine) == SCREE_OK ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    w.engine->operations->destroy(w.engine);
    problem_release(&w.p);
    return 0;
}

static void clear(void) { w.bodies.count = w.contacts.count = w.contacts.points = 0; }

/* Adds a body; mass 0 makes it static. Its inertia is that of a sphere of this radius, unless set
 * afterwards. */
static int add_body(double mass, double radius, double x, double y, double z) {
    const int slot = w.bodies.count++;
    const scalar moment = (scalar)(0.4 * mass * radius * radius);
    w.types[slot] = mass > 0 ? SLOT_DYNAMIC : SLOT_STATIC;
    w.masses[slot] =
        (body_mass){.mass = (scalar)mass, .inertia = vec3_of(moment, moment, moment), .gravity_scale = 1};
    w.poses[slot].position = vec3_of((scalar)x, (scalar)y, (scalar)z);
    w.poses[slot].rotation = versor_of(0, 0, 0, 1);
    return slot;
}

/* Adds a point to the last pair if it is between the same bodies, else begins a pair. */
static void add_point(int a, int b, vec3s normal, double x, double y, double z, double gap) {
    contact_pair *pair = w.contacts.count ? &w.pairs[w.contacts.count - 1] : NULL;
    if (!pair || pair->manifold.a != a || pair->manifold.b != b) {
        pair = &w.pairs[w.contacts.count++];
        *pair = (contact_pair){.manifold = {.a = a, .b = b, .normal = normal}, .last_colour = -1};
        pair->first = MANIFOLD_POINTS * (int)(pair - w.pairs);
        memset(&w.actions[pair->first], 0, MANIFOLD_POINTS * sizeof *w.actions);
    }
    contact_places(&w.contacts, pair)[pair->manifold.count++] =
        (manifold_point){.position = vec3_of((scalar)x, (scalar)y, (scalar)z), .gap = (scalar)gap};
    ++w.contacts.points;
}

static motion_parameters motion(void) {
    return (motion_parameters){.gravity = vec3_of(0, 0, (scalar)-G), .time_step = (scalar)H};
}

static void predict(void) { CHECK(w.engine->operations->predict(w.engine, &w.bodies, motion(), &w.p)); }

static scree_solve_report step(void) {
    scree_solve_report report;
    CHECK(problem_assemble(&w.p,
                           &(problem_input){.contacts = &w.contacts,
                                            .bodies = &w.bodies,
                                            .materials = &w.table,
                                            .options = &w.options,
                                            .motion = {.time_step = (scalar)H}},
                           2, NULL));
    predict();
    CHECK(w.engine->operations->solve(w.engine, &w.p, &(solve_request){.options = &w.options}, &report));
    CHECK(w.engine->operations->fetch(w.engine, &w.p));
    report.residual_absolute *= (double)w.p.kilograms;
    problem_scatter(&w.p,
                    &(problem_input){.contacts = &w.contacts,
                                     .bodies = &w.bodies,
                                     .materials = &w.table,
                                     .options = &w.options,
                                     .motion = {.time_step = 0.01f}},
                    problem_solved(&w.p), 2);
    return report;
}

static contact_action *actions_of(const contact_pair *pair) { return contact_actions(&w.contacts, pair); }

static vec3s pair_impulse(int pair) {
    vec3s sum = glms_vec3_zero();
    for (int i = 0; i < w.pairs[pair].manifold.count; ++i)
        sum = glms_vec3_add(sum, actions_of(&w.pairs[pair])[i].impulse);
    return sum;
}

/* Adds a box of 2 kg, half extents 0.5 × 0.4 × 0.3, with four points on the floor. */
static int add_box_on_floor(void) {
    const int floor = add_body(0, 0, 0, 0, 0), box = add_body(2, 1, 0, 0, 0.3);
    w.masses[box].inertia =
        vec3_of(2.0f / 3 * (0.16f + 0.09f), 2.0f / 3 * (0.25f + 0.09f), 2.0f / 3 * (0.25f + 0.16f));
    for (int i = 0; i < 4; ++i)
        add_point(floor, box, vec3_of(0, 0, 1), i & 1 ? 0.5 : -0.5, i & 2 ? 0.4 : -0.4, 0, 0);
    return box;
}

static void box_at_rest_bears_its_weight(void **state) {
    (void)state;
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        clear();
        const int box = add_box_on_floor();
        w.options.law = (scree_law)law;
        const scree_solve_report report = step();
        assert_int_equal(report.stop, SCREE_STOP_RESIDUAL);
        assert_true(report.residual <= 1e-10 && report.residual_before > 0.1);
        const vec3s impulse = pair_impulse(0);
        ASSERT_WITHIN(impulse.z, 2 * G * H, 1e-7);
        ASSERT_WITHIN(impulse.x, 0, 1e-8);
        ASSERT_WITHIN(impulse.y, 0, 1e-8);
        assert_true(glms_vec3_norm(w.p.velocity[box].linear) < 1e-8f &&
                    glms_vec3_norm(w.p.velocity[box].angular) < 1e-8f);
        for (int i = 0; i < 4; ++i) assert_true(w.p.impulses[i].value.x >= 0);
    }
}

/* A sliding point mass (locked rotation) loses μ g h of speed along its path in every direction. With the
 * pyramid both tangential rows are at their bound for oblique paths: √2 μ g h at 45 degrees to the
 * tangents. */
static void sliding_impulse_is_that_of_friction(void **state) {
    (void)state;
    for (int i = 0; i < 16; ++i) {
        clear();
        const double angle = 0.4 * i, speed = 1.5;
        const int floor = add_body(0, 0, 0, 0, 0), block = add_body(3, 0.1, 0, 0, 0.1);
        w.masses[block].locks = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z;
        w.velocities[block].linear = vec3_of((scalar)(speed * cos(angle)), (scalar)(speed * sin(angle)), 0);
        add_point(floor, block, vec3_of(0, 0, 1), 0, 0, 0, 0);
        w.options.law = SCREE_LAW_COULOMB;
        assert_int_equal(step().stop, SCREE_STOP_RESIDUAL);
        const double after = speed - 0.5 * G * H;
        ASSERT_WITHIN(w.p.velocity[block].linear.x, after * cos(angle), 2e-7);
        ASSERT_WITHIN(w.p.velocity[block].linear.y, after * sin(angle), 2e-7);
        ASSERT_WITHIN(w.p.velocity[block].linear.z, 0, 1e-8);
        w.options.law = SCREE_LAW_PYRAMID;
        assert_int_equal(step().stop, SCREE_STOP_RESIDUAL);
        const vec3s r = glms_vec3_scale(w.p.impulses[0].value, w.p.kilograms);
        const double slip[2] = {-speed * sin(angle),
                                speed * cos(angle)}; /* tangents are x and y, or y and −x */
        ASSERT_WITHIN(r.x, 3 * G * H, 1e-6);
        const bool turned = fabsf(w.p.blocks[0].tangent.x) < 0.5f;
        const double along_x = fabs(turned ? (double)r.z : (double)r.y),
                     along_y = fabs(turned ? (double)r.y : (double)r.z);
        /* A row is at its bound, or stopped if it was slower than μ g h. */
        ASSERT_WITHIN(along_x, 3 * fmin(0.5 * G * H, fabs(slip[1])), 1e-6);
        ASSERT_WITHIN(along_y, 3 * fmin(0.5 * G * H, fabs(slip[0])), 1e-6);
    }
}

/* The contact equations of a sphere of radius r that slides at v: r_T = μ m g h, Δω = r r_T/I = 5 μ g h/(2
 * r). */
static void sliding_sphere_spins_up(void **state) {
    (void)state;
    const int floor = add_body(0, 0, 0, 0, 0), ball = add_body(0.5, 0.2, 0, 0, 0.2);
    w.velocities[ball].linear = vec3_of(2, 0, 0);
    add_point(floor, ball, vec3_of(0, 0, 1), 0, 0, 0, 0);
    step();
    ASSERT_WITHIN(w.p.velocity[ball].linear.x, 2 - 0.5 * G * H, 1e-6);
    ASSERT_WITHIN(w.p.velocity[ball].angular.y, 2.5 * 0.5 * G * H / 0.2, 1e-6);
}

static void two_stacked_spheres_are_solved(void **state) {
    (void)state;
    const int floor = add_body(0, 0, 0, 0, 0), low = add_body(5, 0.1, 0, 0, 0.1),
              high = add_body(0.01, 0.1, 0, 0, 0.3);
    add_point(floor, low, vec3_of(0, 0, 1), 0, 0, 0, 0);
    add_point(low, high, vec3_of(0, 0, 1), 0, 0, 0.2, 0);
    const scree_solve_report report = step();
    assert_int_equal(report.stop, SCREE_STOP_RESIDUAL);
    ASSERT_WITHIN(pair_impulse(1).z, 0.01 * G * H, 1e-8);
    ASSERT_WITHIN(pair_impulse(0).z, 5.01 * G * H, 1e-6);
    /* The heavy one on top: slow for plain sweeps. */
    w.masses[low].mass = 0.01f, w.masses[high].mass = 10;
    memset(actions_of(&w.pairs[0]), 0, MANIFOLD_POINTS * sizeof(contact_action));
    memset(actions_of(&w.pairs[1]), 0, MANIFOLD_POINTS * sizeof(contact_action));
    assert_int_equal(step().stop, SCREE_STOP_RESIDUAL);
    ASSERT_WITHIN(pair_impulse(1).z, 10 * G * H, 1e-6);
    ASSERT_WITHIN(pair_impulse(0).z, 10.01 * G * H, 1e-6);
}

/* Adds a square pyramid of touching spheres on the floor, `side` at its base, pushed sideways by `tilt` of
 * gravity. */
static void add_sphere_pyramid(int side, double tilt) {
    const double r = 0.05, m = 4.0 / 3 * 3.14159265 * r * r * r * 2500;
    const int floor = add_body(0, 0, 0, 0, 0);
    for (int layer = 0; layer < side; ++layer)
        for (int i = 0; i < side - layer; ++i)
            for (int j = 0; j < side - layer; ++j) {
                const double x = 2 * r * i + r * layer, y = 2 * r * j + r * layer,
                             z = r + layer * r * sqrt(2);
                const int slot = add_body(m, r, x, y, z);
                w.loads[slot].force = vec3_of((scalar)(tilt * m * G), (scalar)(0.3 * tilt * m * G), 0);
                if (layer == 0) add_point(floor, slot, vec3_of(0, 0, 1), x, y, 0, 0);
            }
    for (int a = 1; a < w.bodies.count; ++a)
        for (int b = a + 1; b < w.bodies.count; ++b) {
            const vec3s pa = w.poses[a].position, pb = w.poses[b].position, d = glms_vec3_sub(pb, pa);
            const double distance = (double)glms_vec3_norm(d);
            if (distance > 2 * r + 1e-4) continue;
            const vec3s middle = glms_vec3_scale(glms_vec3_add(pa, pb), 0.5f);
            add_point(a, b, glms_vec3_scale(d, (scalar)(1 / distance)), (double)middle.x, (double)middle.y,
                      (double)middle.z, distance - 2 * r);
        }
}

/* Asserts that the impulses of all pairs, applied to both bodies, change the total momentum by that of floor
 * and gravity, and that the reported velocities are V* + M⁻¹ Jᵀ r. */
static void assert_momentum_balance(void) {
    double total[3] = {0}, floor[3] = {0}, size = 0;
    for (int slot = 1; slot < w.bodies.count; ++slot) {
        const double m = (double)w.masses[slot].mass;
        const vec3s dv = glms_vec3_sub(w.p.velocity[slot].linear, w.p.free_velocity[slot].linear);
        total[0] += m * (double)dv.x, total[1] += m * (double)dv.y, total[2] += m * (double)dv.z;
        size += m * (double)glms_vec3_norm(dv);
    }
    for (int i = 0; i < w.contacts.count; ++i) {
        const vec3s r = pair_impulse(i);
        if (w.pairs[i].manifold.a == 0)
            floor[0] += (double)r.x, floor[1] += (double)r.y, floor[2] += (double)r.z;
    }
    for (int k = 0; k < 3; ++k) ASSERT_WITHIN(total[k], floor[k], 1e-6 * size);
}

/* Without tilt, sweeps with the pyramid law converge to 1e-10 in some orders of the pairs only, in others to
 * 8e-8 in 30 000 iterations. */
static void pyramid_of_spheres_is_solved(void **state) {
    (void)state;
    const double tilts[] = {0, 0.1, 0.6};
    for (int law = 0; law < SCREE_LAW_COUNT; ++law)
        for (size_t i = 0; i < sizeof tilts / sizeof *tilts; ++i) {
            clear();
            if (law == SCREE_LAW_PYRAMID && tilts[i] == 0) continue;
            add_sphere_pyramid(3, tilts[i]);
            w.options.law = (scree_law)law;
            const scree_solve_report report = step();
            assert_int_equal(report.stop, SCREE_STOP_RESIDUAL);
            assert_true(report.residual <= 1e-10 && report.residual_absolute < 1e-9);
            assert_momentum_balance();
            /* The residual without the matrix, from the impulses rounded to float. */
            reference_error error;
            CHECK(reference_residual(&w.p, w.options.law, w.p.impulses, false, &error));
            assert_true(error.measure[SCREE_MEASURE_SCALED] < 1e-6);
        }
}

/* A large pyramid that slides and rolls: the report is correct whether or not it converged. */
static void report_is_correct_without_convergence(void **state) {
    (void)state;
    add_sphere_pyramid(7, 0.6);
    const scree_solve_report report = step();
    reference_error error;
    CHECK(reference_residual(&w.p, w.options.law, w.p.impulses, false, &error));
    ASSERT_WITHIN(error.measure[SCREE_MEASURE_SCALED], report.residual, 0.01 * report.residual + 1e-6);
    ASSERT_WITHIN(error.absolute * (double)w.p.kilograms, report.residual_absolute,
                  0.01 * report.residual_absolute + 1e-6);
    assert_int_equal(report.stop, report.residual <= 1e-10 ? SCREE_STOP_RESIDUAL : SCREE_STOP_ITERATIONS);
    assert_true(report.residual < 1e-3 && report.residual_before > 0.1);
    assert_momentum_balance();
}

/* A r + q by the assembled matrix and, by the oracle, body by body; A is symmetric. */
static void matrix_agrees_with_bodies(void **state) {
    (void)state;
    add_sphere_pyramid(4, 0.3);
    w.options = scree_solver_def_with_stabilisation(w.options, SCREE_STABILISATION_SOFT);
    set_contact_spring(&w.options, 1e5, 100);
    for (int i = 0; i < w.contacts.count; ++i)
        if (i % 3 == 0) contact_places(&w.contacts, &w.pairs[i])[0].gap = -1e-4f;
    for (int slot = 1; slot < w.bodies.count; ++slot) {
        w.velocities[slot].linear = vec3_of((scalar)sin(slot), (scalar)cos(2 * slot), (scalar)sin(3 * slot));
        w.velocities[slot].angular = vec3_of((scalar)cos(slot), (scalar)sin(5 * slot), (scalar)cos(3 * slot));
    }
    CHECK(problem_assemble(&w.p,
                           &(problem_input){.contacts = &w.contacts,
                                            .bodies = &w.bodies,
                                            .materials = &w.table,
                                            .options = &w.options,
                                            .motion = {.time_step = (scalar)H}},
                           2, NULL));
    predict();
    const int n = w.p.block_count;
    real3 *vectors = memory_allocate(3 * (size_t)n, sizeof *vectors), *r = vectors, *u = vectors + n,
          *q = vectors + 2 * n;
    for (int i = 0; i < n; ++i) {
        w.p.impulses[i].value = vec3_of((scalar)sin(7 * i), (scalar)cos(3 * i), (scalar)sin(4 * i + 1));
    }
    /* Not in the same loop: gcc 12 then omits the rounding to float. */
    for (int i = 0; i < n; ++i) r[i] = real3_of(w.p.impulses[i].value);
    for (int pass = 0; pass < 2; ++pass) {
        delassus a;
        CHECK(delassus_assemble(&a, &w.p, pass, 2));
        CHECK(reference_velocities(&w.p, w.p.impulses, pass, &u->x, &q->x));
        for (int i = 0; i < n; ++i) {
            const real3 v = delassus_velocity(&a, r, i);
            assert_true(real3_length(real3_difference(v, u[i])) <= 1e-12 * real3_length(v));
            assert_true(real3_length(real3_difference(a.q[i], q[i])) <= 1e-14 * (1 + real3_length(q[i])));
            assert_int_equal(a.column[a.diagonal[i]], i);
        }
        for (int i = 0; i < n; ++i)
            for (int entry = a.first[i]; entry < a.first[i + 1]; ++entry) {
                const int j = a.column[entry];
                int other = a.first[j];
                while (a.column[other] != i) assert_true(++other < a.first[j + 1]);
                for (int k = 0; k < 9; ++k)
                    ASSERT_WITHIN(a.entries[entry].m[k / 3][k % 3], a.entries[other].m[k % 3][k / 3],
                                  1e-14 * real3x3_trace(&a.entries[a.diagonal[i]]));
            }
        delassus_release(&a);
    }
    memory_release(vectors);
}

/* One sphere on the floor, by hand: A = diag(1/m, 1/m + r²/I, …), so ρ = 3/(3/m + 2 r²/I), and the map of r =
 * (x, 0, 0) is x − (x − ρ u_N) while that is positive. */
static void residual_agrees_with_hand_calculation(void **state) {
    (void)state;
    const double m = 2, radius = 0.25, x = 0.05;
    const int floor = add_body(0, 0, 0, 0, 0), ball = add_body(m, radius, 0, 0, radius);
    add_point(floor, ball, vec3_of(0, 0, 1), 0, 0, 0, 0);
    actions_of(&w.pairs[0])[0].impulse = vec3_of(0, 0, (scalar)x);
    CHECK(problem_assemble(&w.p,
                           &(problem_input){.contacts = &w.contacts,
                                            .bodies = &w.bodies,
                                            .materials = &w.table,
                                            .options = &w.options,
                                            .motion = {.time_step = (scalar)H}},
                           1, NULL));
    predict();
    const double rho = 3 / (3 / m + 2 * radius * radius / (0.4 * m * radius * radius));
    const double q = -G * H, u = q + x / m;
    reference_error error;
    CHECK(reference_residual(&w.p, SCREE_LAW_COULOMB, w.p.impulses, false, &error));
    ASSERT_WITHIN(error.absolute * (double)w.p.kilograms, rho * fabs(u), 1e-7);
    ASSERT_WITHIN(error.measure[SCREE_MEASURE_SCALED], rho * fabs(u) / fmax(x, rho * fabs(q)), 1e-6);
}

/* Two overlapping spheres in free space under `split`: velocities stay, pseudo-velocities separate the
 * spheres by β/h c, distributed by inverse mass. */
static void split_moves_only_positions(void **state) {
    (void)state;
    w.options = scree_solver_def_with_stabilisation(w.options, SCREE_STABILISATION_SPLIT);
    const int a = add_body(1, 0.1, 0, 0, 0), b = add_body(3, 0.1, 0.19, 0, 0);
    add_point(a, b, vec3_of(1, 0, 0), 0.095, 0, 0, -0.01);
    w.masses[a].gravity_scale = w.masses[b].gravity_scale = 0;
    step();
    ASSERT_WITHIN(w.p.velocity[a].linear.x, 0, 0);
    ASSERT_WITHIN(w.p.velocity[b].linear.x, 0, 0);
    const double parting = 0.2 / H * 0.01;
    ASSERT_WITHIN(w.p.pseudo_velocity[a].linear.x, -0.75 * parting, 1e-6);
    ASSERT_WITHIN(w.p.pseudo_velocity[b].linear.x, 0.25 * parting, 1e-6);
    body_pose poses[2];
    body_remainder remainders[2];
    body_velocity velocities[2];
    CHECK(
        w.engine->operations->integrate(w.engine, &w.bodies, &w.p, motion(), poses, remainders, velocities));
    ASSERT_WITHIN(poses[1].position.x - poses[0].position.x, 0.192, 1e-7);
    ASSERT_WITHIN(velocities[0].linear.x, 0, 0);
    reference_error error;
    CHECK(reference_residual(&w.p, SCREE_LAW_COULOMB, w.p.pseudo_impulses, true, &error));
    assert_true(error.measure[SCREE_MEASURE_SCALED] < 1e-6);
}

/* The soft contact under gravity gives the implicit Euler step of m v̇ = −m g − k c − d ċ. */
static void soft_contact_is_implicit_euler(void **state) {
    (void)state;
    w.options = scree_solver_def_with_stabilisation(w.options, SCREE_STABILISATION_SOFT);
    set_contact_spring(&w.options, 1e5, 100);
    const double m = 3, c = -0.002, v = -0.1, k = 1e5, d = 100;
    const int floor = add_body(0, 0, 0, 0, 0), ball = add_body(m, 0.1, 0, 0, 0.1);
    w.velocities[ball].linear = vec3_of(0, 0, (scalar)v);
    add_point(floor, ball, vec3_of(0, 0, 1), 0, 0, 0, c);
    step();
    ASSERT_WITHIN(w.p.velocity[ball].linear.z, (m * v - H * (m * G + k * c)) / (m + H * H * k + H * d), 1e-6);
}

static void empty_problem_is_solved(void **state) {
    (void)state;
    const int ball = add_body(1, 0.1, 0, 0, 1);
    w.velocities[ball].linear = vec3_of(1, 2, 3);
    const scree_solve_report report = step();
    assert_int_equal(report.stop, SCREE_STOP_NONE);
    assert_int_equal(report.iterations, 0);
    ASSERT_WITHIN(w.p.velocity[ball].linear.x, 1, 0);
    ASSERT_WITHIN(w.p.velocity[ball].linear.z, 3 - G * H, 1e-6);
}

/* A warm start begins at the impulses of an earlier solve; without it a solve begins at zero. */
static void warm_start_uses_earlier_impulses(void **state) {
    (void)state;
    add_sphere_pyramid(3, 0.1);
    const scree_solve_report cold = step(), warm = step();
    /* Not always fewer: the second-order finish may end both after as many sweeps. */
    assert_true(warm.residual_before < 1e-5 && warm.iterations <= cold.iterations);
    w.options.warm_start = false;
    const scree_solve_report again = step();
    assert_true(again.residual_before == cold.residual_before && again.iterations == cold.iterations);
}

static void *failing_allocate(size_t bytes, void *user) { return --*(int *)user < 0 ? NULL : malloc(bytes); }

static void failing_release(void *block, void *user) {
    (void)user;
    free(block);
}

static void out_of_memory_is_reported(void **state) {
    (void)state;
    add_sphere_pyramid(3, 0.1);
    w.options = scree_solver_def_with_stabilisation(w.options, SCREE_STABILISATION_SPLIT);
    step();
    scree_result result = SCREE_ERROR_MEMORY;
    int calls = 0;
    for (; result != SCREE_OK; ++calls) {
        int left = calls;
        scree_solve_report report;
        scree_set_allocator(&(scree_allocator){failing_allocate, failing_release, &left});
        result =
            w.engine->operations->solve(w.engine, &w.p, &(solve_request){.options = &w.options}, &report);
        scree_set_allocator(NULL);
        if (result != SCREE_OK) assert_int_equal(result, SCREE_ERROR_MEMORY);
        assert_true(calls < 100);
    }
    assert_true(calls > 15);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(box_at_rest_bears_its_weight, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sliding_impulse_is_that_of_friction, set_up, tear_down),
        cmocka_unit_test_setup_teardown(sliding_sphere_spins_up, set_up, tear_down),
        cmocka_unit_test_setup_teardown(two_stacked_spheres_are_solved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(pyramid_of_spheres_is_solved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(report_is_correct_without_convergence, set_up, tear_down),
        cmocka_unit_test_setup_teardown(matrix_agrees_with_bodies, set_up, tear_down),
        cmocka_unit_test_setup_teardown(residual_agrees_with_hand_calculation, set_up, tear_down),
        cmocka_unit_test_setup_teardown(split_moves_only_positions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(soft_contact_is_implicit_euler, set_up, tear_down),
        cmocka_unit_test_setup_teardown(empty_problem_is_solved, set_up, tear_down),
        cmocka_unit_test_setup_teardown(warm_start_uses_earlier_impulses, set_up, tear_down),
        cmocka_unit_test_setup_teardown(out_of_memory_is_reported, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
