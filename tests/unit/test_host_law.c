/* The double-precision local solves against the statements of their laws, on random blocks. */
#include "expect.h"
#include "random.h"
#include "problem/host_law.h"

static uint64_t seed;

static double noise(void) { return random_noise(&seed); }

static double power_of_ten(double least, double most) {
    return pow(10, (least + most + noise() * (most - least)) / 2);
}

/* Returns B Bᵀ plus a small multiple of the identity: condition numbers up to some 1e4, scales over six
 * decades. */
static real3x3 random_block(void) {
    double b[3][3];
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) b[i][j] = noise();
    const double scale = power_of_ten(-3, 3);
    real3x3 a;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            a.m[i][j] = i == j ? 1e-4 : 0;
            for (int k = 0; k < 3; ++k) a.m[i][j] += b[i][k] * b[j][k];
            a.m[i][j] *= scale;
        }
    return a;
}

static real3 random_vector(double scale) { return real3_scaled(scale, (real3){noise(), noise(), noise()}); }

static double friction_of(int i) {
    return i % 10 == 0 ? 0 : i % 10 == 1 ? power_of_ten(-6, -2) : 0.75 + 0.75 * noise();
}

static double tangential(real3 v) { return sqrt(v.y * v.y + v.z * v.z); }

/* ‖r_T‖ ≤ μ r_N; u_N ≥ 0, which is K* ∋ u + (μ‖u_T‖, 0, 0); and r·(u + (μ‖u_T‖, 0, 0)) = 0. Impulses are
 * measured as the velocity trace(A) r. */
static void coulomb_statement_holds(void **state) {
    (void)state;
    int cases[3] = {0};
    for (int i = 0; i < 100000; ++i) {
        const real3x3 a = random_block();
        const double scale = power_of_ten(-4, 4), friction = friction_of(i), trace = real3x3_trace(&a);
        const real3 q = random_vector(scale),
                    r = host_law_solve(SCREE_LAW_COULOMB, &a, q, friction, (real3){0, 0, 0});
        const real3 u = real3_sum(real3x3_times(&a, r), q);
        const double size = fmax(real3_length(q), trace * real3_length(r));
        assert_true(trace * (tangential(r) - friction * r.x) <= 1e-9 * size);
        assert_true(u.x >= -1e-9 * size);
        assert_true(fabs(real3_inner(r, u) + r.x * friction * tangential(u)) <= 1e-9 * size * size / trace);
        assert_true(real3_length(host_natural_map(SCREE_LAW_COULOMB, &a, r, u, friction, 3 / trace)) *
                        trace <=
                    1e-8 * size);
        ++cases[r.x <= 0 ? 0 : tangential(u) <= 1e-9 * size ? 1 : 2];
    }
    /* Open, sticking and sliding all occurred. */
    for (int k = 0; k < 3; ++k) assert_true(cases[k] > 5000);
}

/* ‖r_T‖ ≤ μ r_N; μ‖u_T‖ ≤ u_N, which is K* ∋ u; and r·u = 0. */
static void check_convex(const real3x3 *a, real3 q, double friction, real3 r) {
    const double trace = real3x3_trace(a);
    const real3 u = real3_sum(real3x3_times(a, r), q);
    const double size = fmax(real3_length(q), trace * real3_length(r));
    assert_true(trace * (tangential(r) - friction * r.x) <= 1e-9 * size);
    assert_true(friction * tangential(u) - u.x <= 1e-9 * size);
    assert_true(fabs(real3_inner(r, u)) <= 1e-9 * size * size / trace);
    assert_true(real3_length(host_natural_map(SCREE_LAW_ASSOCIATED, a, r, u, friction, 3 / trace)) * trace <=
                1e-8 * size);
}

/* In one call, from zero and from any impulse. */
static void associated_statement_holds(void **state) {
    (void)state;
    for (int i = 0; i < 300000; ++i) {
        const real3x3 a = random_block();
        const double friction = friction_of(i);
        const real3 q = random_vector(1), near = random_vector(1 / real3x3_trace(&a));
        check_convex(&a, q, friction,
                     host_law_solve(SCREE_LAW_ASSOCIATED, &a, q, friction, (real3){0, 0, 0}));
        check_convex(&a, q, friction, host_law_solve(SCREE_LAW_ASSOCIATED, &a, q, friction, near));
    }
}

/* At the boundary of two cases: about to stick (−A⁻¹ q on the cone's surface) and about to part (q on the
 * dual's). Round-off puts the inputs on either side. */
static void statements_hold_between_two_cases(void **state) {
    (void)state;
    for (int i = 0; i < 100000; ++i) {
        const real3x3 a = random_block();
        const double friction = 0.1 + fabs(noise()), angle = 3.2 * noise(), size = 0.1 + fabs(noise());
        const real3 on_cone = {size, friction * size * cos(angle), friction * size * sin(angle)};
        const real3 sticking = real3_scaled(-1, real3x3_times(&a, on_cone));
        const real3 parting = {friction * size, size * cos(angle), size * sin(angle)};
        const real3 zero = {0, 0, 0};
        check_convex(&a, sticking, friction, host_held_solve(&a, sticking, friction, 0, zero));
        check_convex(&a, sticking, friction, host_held_solve(&a, sticking, friction, 0, on_cone));
        check_convex(&a, parting, friction, host_held_solve(&a, parting, friction, 0, zero));
        check_convex(&a, parting, friction, host_held_solve(&a, parting, friction, 0, on_cone));
    }
}

/* The radial rule against the block's solution without limits; its map is zero only at the rule's result. */
static void radial_rule_holds(void **state) {
    (void)state;
    for (int i = 0; i < 30000; ++i) {
        const real3x3 a = random_block();
        const double friction = 0.1 + fabs(noise());
        const real3 x = random_vector(1), minus = real3_scaled(-1, real3x3_times(&a, x));
        const real3 r = host_law_solve(SCREE_LAW_RADIAL, &a, minus, friction, (real3){0, 0, 0});
        const double normal = fmax(0, x.x), tangent = fmin(tangential(x), friction * normal);
        assert_true(fabs(r.x - normal) <= 1e-6);
        assert_true(fabs(r.y * tangential(x) - tangent * x.y) <= 1e-6);
        assert_true(fabs(r.z * tangential(x) - tangent * x.z) <= 1e-6);
        const real3 u = real3_sum(real3x3_times(&a, r), minus);
        assert_true(real3_length(host_natural_map(SCREE_LAW_RADIAL, &a, r, u, friction, 1)) <= 1e-6);
        const real3 other = real3_sum(r, (real3){0.1, 0, 0});
        const real3 moved = real3_sum(real3x3_times(&a, other), minus);
        assert_true(real3_length(host_natural_map(SCREE_LAW_RADIAL, &a, other, moved, friction, 1)) > 1e-3);
    }
}

/* r_N ≥ 0 ⟂ u_N ≥ 0; |r_T,i| ≤ μ r_N, and slip only against a bound. */
static void pyramid_statement_holds(void **state) {
    (void)state;
    int unsolved = 0, bounds = 0, weak = 0;
    for (int i = 0; i < 100000; ++i) {
        const real3x3 a = random_block();
        const double friction = friction_of(i), trace = real3x3_trace(&a);
        const real3 q = random_vector(1),
                    r = host_law_solve(SCREE_LAW_PYRAMID, &a, q, friction, (real3){0, 0, 0});
        const real3 u = real3_sum(real3x3_times(&a, r), q);
        const double size = fmax(real3_length(q), trace * real3_length(r)), bound = friction * r.x,
                     e = 1e-9 * size;
        assert_true(r.x >= 0 && fabs(r.y) <= bound && fabs(r.z) <= bound);
        const double rows[2][2] = {{r.y, u.y}, {r.z, u.z}};
        bool holds = u.x >= -e && (r.x <= 0 || u.x <= e);
        for (int k = 0; k < 2; ++k) {
            const bool low = trace * fabs(rows[k][0] + bound) <= e,
                       high = trace * fabs(rows[k][0] - bound) <= e;
            holds =
                holds && ((low && rows[k][1] >= -e) || (high && rows[k][1] <= e) || fabs(rows[k][1]) <= e);
            bounds += r.x > 0 && (low || high);
        }
        unsolved += !holds;
        /* If coupling times μ is small, the reduced matrices are P-matrices, so that a solution exists. */
        const double coupling = fabs(a.m[0][1]) + fabs(a.m[0][2]);
        if (friction * coupling < 0.5 * a.m[0][0] && friction < 0.5) assert_true(holds), weak++;
    }
    assert_true(unsolved < 1000);
    assert_true(bounds > 10000);
    assert_true(weak > 10000);
}

/* A block's solution is a fixed point of the solve, also if a direction has no mobility. */
static void solutions_are_fixed_points(void **state) {
    (void)state;
    for (int i = 0; i < 20000; ++i) {
        real3x3 a = random_block();
        real3 q = random_vector(1);
        if (i % 4 == 0) { /* t₂ is locked, as in a planar scene */
            a.m[0][2] = a.m[2][0] = a.m[1][2] = a.m[2][1] = a.m[2][2] = 0;
            q.z = 0;
        }
        const double friction = friction_of(i), trace = real3x3_trace(&a);
        real3 r = {0, 0, 0};
        for (int k = 0; k < 4; ++k) r = host_law_solve(SCREE_LAW_COULOMB, &a, q, friction, r);
        const real3 u = real3_sum(real3x3_times(&a, r), q);
        const double size = fmax(real3_length(q), trace * real3_length(r));
        assert_true(real3_length(host_natural_map(SCREE_LAW_COULOMB, &a, r, u, friction, 3 / trace)) *
                        trace <=
                    1e-8 * size);
        if (i % 4 == 0) assert_true(fabs(r.z) * trace <= 1e-12 * size);
    }
}

/* With the shift of a Coulomb solution held, one call from anywhere finds that solution. */
static void held_shift_reaches_the_same_solution(void **state) {
    (void)state;
    for (int i = 0; i < 100000; ++i) {
        const real3x3 a = random_block();
        const double friction = friction_of(i), trace = real3x3_trace(&a);
        const real3 q = random_vector(1),
                    exact = host_law_solve(SCREE_LAW_COULOMB, &a, q, friction, (real3){0, 0, 0});
        const real3 u = real3_sum(real3x3_times(&a, exact), q);
        const double shift = friction * tangential(u),
                     size = fmax(real3_length(q), trace * real3_length(exact));
        const real3 starts[] = {exact, {0, 0, 0}, random_vector(1 / trace)};
        for (int k = 0; k < 3; ++k) {
            const real3 r = host_held_solve(&a, q, friction, shift, starts[k]);
            assert_true(trace * real3_length(real3_difference(r, exact)) <= 1e-7 * size);
        }
    }
}

/* A block about to part, whose arc of r_N > 0 on the cone is a few 1e-9 wide: the search once ended next to
 * it, with r_N < 0. */
static void narrow_arc_keeps_r_n_positive(void **state) {
    (void)state;
    const real3x3 a = {{{17.601511446022133, -19.673633981873675, -20.914362075826038},
                        {-19.673633981873675, 28.851885444026163, 23.098917710498949},
                        {-20.914362075826038, 23.098917710498949, 24.871079857457591}}};
    const real3 q = {0.068739722119328842, 0.12706919376132109, -0.010045747484605327}, zero = {0, 0, 0};
    check_convex(&a, q, 0.53928027902020192, host_held_solve(&a, q, 0.53928027902020192, 0, zero));
}

static void immovable_blocks_are_survived(void **state) {
    (void)state;
    const real3x3 zero = {{{0}}};
    const real3 r = host_law_solve(SCREE_LAW_COULOMB, &zero, (real3){-1, 2, 0}, 0.5, (real3){1, 0, 0});
    assert_true(r.x == 0 && r.y == 0 && r.z == 0);
    const real3 held = host_held_solve(&zero, (real3){-1, 2, 0}, 0.5, 0.1, (real3){1, 0, 0});
    assert_true(held.x == 0 && held.y == 0 && held.z == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_statement_holds),
        cmocka_unit_test(associated_statement_holds),
        cmocka_unit_test(statements_hold_between_two_cases),
        cmocka_unit_test(radial_rule_holds),
        cmocka_unit_test(pyramid_statement_holds),
        cmocka_unit_test(solutions_are_fixed_points),
        cmocka_unit_test(held_shift_reaches_the_same_solution),
        cmocka_unit_test(narrow_arc_keeps_r_n_positive),
        cmocka_unit_test(immovable_blocks_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
