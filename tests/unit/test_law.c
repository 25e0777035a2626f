/* Block solutions against the statements of the laws, evaluated in double precision. */
#include "problem/host_law.h"
#include "random_vectors.h"
#include "scenery.h"

#include "law.h"
#include "motion.h"

static uint64_t seed;

static double noise(void) { return random_noise(&seed); }

static symmetric3 random_block(double condition) { return random_symmetric(&seed, condition); }

static void velocity_of(symmetric3 a, vec3s q, vec3s r, double u[3]) {
    const double m[3][3] = {{(double)a.diagonal.x, (double)a.off_diagonal.z, (double)a.off_diagonal.y},
                            {(double)a.off_diagonal.z, (double)a.diagonal.y, (double)a.off_diagonal.x},
                            {(double)a.off_diagonal.y, (double)a.off_diagonal.x, (double)a.diagonal.z}};
    const double x[3] = {(double)r.x, (double)r.y, (double)r.z},
                 b[3] = {(double)q.x, (double)q.y, (double)q.z};
    for (int i = 0; i < 3; i++) u[i] = b[i] + m[i][0] * x[0] + m[i][1] * x[1] + m[i][2] * x[2];
}

/* README.md states 3e-7 for a block in single precision, rounded to one digit. */
static const double STATED = 3.5e-7;

static double largest_error;

/* K* ∋ û ⟂ r ∈ K with û = u + (μ‖u_T‖, 0, 0): membership and orthogonality, relative to the sizes of r and
 * q. */
static void check_coulomb(symmetric3 a, vec3s q, double mu, vec3s r, double tolerance) {
    double u[3];
    velocity_of(a, q, r, u);
    const double ut = hypot(u[1], u[2]), rt = hypot((double)r.y, (double)r.z), rn = (double)r.x;
    const double un = u[0] + mu * ut;
    const double size_r = sqrt(rn * rn + rt * rt);
    const double size_u = sqrt((double)glms_vec3_norm2(q)) + size_r * (double)symmetric_trace(a);
    double error = fmax(0, rt - mu * rn) / (size_r + 1e-30);
    error = fmax(error, fmax(0, mu * ut - un) / size_u);
    error = fmax(error, fabs(un * rn + u[1] * (double)r.y + u[2] * (double)r.z) / (size_u * size_r + 1e-30));
    largest_error = fmax(largest_error, error);
    if (error > tolerance)
        fail_msg(
            "error %g: A diagonal (%g %g %g) off (%g %g %g), q (%g %g %g), mu %g, r (%g %g %g), u (%g %g %g)",
            error, (double)a.diagonal.x, (double)a.diagonal.y, (double)a.diagonal.z, (double)a.off_diagonal.x,
            (double)a.off_diagonal.y, (double)a.off_diagonal.z, (double)q.x, (double)q.y, (double)q.z, mu,
            (double)r.x, (double)r.y, (double)r.z, u[0], u[1], u[2]);
}

static void coulomb_blocks_satisfy_the_statement(void **state) {
    (void)state;
    static const double conditions[] = {1, 10, 1e3, 1e6};
    static const double frictions[] = {0, 0.01, 0.3, 0.5, 1, 3};
    for (int k = 0; k < 4; k++) {
        largest_error = 0;
        for (int i = 0; i < 250000; i++) {
            const symmetric3 a = random_block(conditions[k]);
            const vec3s q = vec3_of((float)noise(), (float)noise(), (float)noise());
            const float mu = (float)frictions[i % 6];
            check_coulomb(a, q, (double)mu, coulomb_solve(a, q, mu), STATED);
        }
        print_message("condition %g: largest error %.2e\n", conditions[k], largest_error);
    }
}

/* Blocks of every condition number to 10⁶ and every friction to 2, pressed and sliding fast, so that nearly
 * all are on the cone's surface: there friction opposes the slip, and the normal velocity is zero. */
static void friction_opposes_sliding_blocks(void **state) {
    (void)state;
    int sliding = 0;
    for (int i = 0; i < 500000; i++) {
        const symmetric3 a = random_block(pow(10, 3 * (1 + noise())));
        const vec3s q = vec3_of((float)-fabs(noise()), 3 * (float)noise(), 3 * (float)noise());
        const float mu = (float)(1 + noise());
        const vec3s r = coulomb_solve(a, q, mu);
        double u[3];
        check_coulomb(a, q, (double)mu, r, 2e-6);
        velocity_of(a, q, r, u);
        const double size = sqrt((double)glms_vec3_norm2(q)) + (double)glms_vec3_norm(r),
                     slip = hypot(u[1], u[2]), rt = hypot((double)r.y, (double)r.z);
        if (!(r.x > 0)) fail_msg("a pressed block without an impulse");
        if (fabs(u[0]) > 4e-6 * size) fail_msg("u_N %g against %g", u[0], size);
        if (slip < 1e-2 * size) continue;
        sliding++;
        ASSERT_NEAR((u[1] * (double)r.y + u[2] * (double)r.z) / (slip * rt), -1, 1e-5);
        ASSERT_NEAR(rt / ((double)mu * (double)r.x), 1, 1e-5);
    }
    assert_true(sliding > 100000);
}

/* The associated law: K* ∋ u ⟂ r ∈ K, û = u without the shift. */
static void check_associated(symmetric3 a, vec3s q, double mu, vec3s r, double tolerance) {
    double u[3];
    velocity_of(a, q, r, u);
    const double ut = hypot(u[1], u[2]), rt = hypot((double)r.y, (double)r.z), rn = (double)r.x;
    const double size_r = sqrt(rn * rn + rt * rt);
    const double size_u = sqrt((double)glms_vec3_norm2(q)) + size_r * (double)symmetric_trace(a);
    double error = fmax(0, rt - mu * rn) / (size_r + 1e-30);
    error = fmax(error, fmax(0, mu * ut - u[0]) / size_u);
    error =
        fmax(error, fabs(u[0] * rn + u[1] * (double)r.y + u[2] * (double)r.z) / (size_u * size_r + 1e-30));
    largest_error = fmax(largest_error, error);
    if (!(error <= tolerance))
        fail_msg("error %g: A diagonal (%g %g %g), q (%g %g %g), mu %g, r (%g %g %g)", error,
                 (double)a.diagonal.x, (double)a.diagonal.y, (double)a.diagonal.z, (double)q.x, (double)q.y,
                 (double)q.z, mu, (double)r.x, (double)r.y, (double)r.z);
}

static void associated_blocks_satisfy_the_statement(void **state) {
    (void)state;
    static const double conditions[] = {1, 10, 1e3, 1e4};
    static const double frictions[] = {0, 0.1, 0.3, 0.5, 1, 3};
    for (int k = 0; k < 4; k++) {
        largest_error = 0;
        for (int i = 0; i < 50000; i++) {
            const symmetric3 a = random_block(conditions[k]);
            const vec3s q = vec3_of((float)noise(), (float)noise(), (float)noise());
            const float mu = (float)frictions[i % 6];
            check_associated(a, q, (double)mu, associated_solve(a, q, mu),
                             conditions[k] > 1e3 ? 2e-6 : STATED);
        }
        print_message("condition %g: largest error %.2e\n", conditions[k], largest_error);
    }
}

/* At the boundary of two cases of a law: about to stick (−A⁻¹ q on the cone's surface), and about to part (q
 * on the dual cone's surface; q_N = 0 for Coulomb). Round-off puts the inputs on either side. */
static void statements_hold_between_two_cases(void **state) {
    (void)state;
    static const double conditions[] = {1, 10, 1e3};
    largest_error = 0;
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 100000; i++) {
            const symmetric3 a = random_block(conditions[k]);
            const double mu = 0.1 + fabs(noise()), angle = 3.2 * noise(), size = 0.1 + fabs(noise());
            const vec3s on_cone =
                vec3_of((float)size, (float)(mu * size * cos(angle)), (float)(mu * size * sin(angle)));
            const vec3s sticking = glms_vec3_negate(symmetric_times(a, on_cone));
            const vec3s parting =
                vec3_of((float)(mu * size), (float)(size * cos(angle)), (float)(size * sin(angle)));
            check_coulomb(a, sticking, mu, coulomb_solve(a, sticking, (float)mu), 1e-5);
            check_coulomb(a, vec3_of(0, parting.y, parting.z), mu,
                          coulomb_solve(a, vec3_of(0, parting.y, parting.z), (float)mu), 1e-5);
            check_associated(a, sticking, mu, associated_solve(a, sticking, (float)mu), 2e-5);
            check_associated(a, parting, mu, associated_solve(a, parting, (float)mu), 2e-5);
        }
    print_message("between two cases: largest error %.2e\n", largest_error);
}

/* Blocks of rank one and two, as for bodies with locked axes: no statement has a solution for every q then,
 * but impulses stay finite and admissible. */
static void singular_blocks_give_admissible_impulses(void **state) {
    (void)state;
    for (int i = 0; i < 300000; i++) {
        double m[3][3] = {{0}};
        for (int rank = 0; rank <= i % 2; rank++) {
            const double v[3] = {noise(), noise(), noise()}, size = pow(10, -4 * fabs(noise()));
            for (int k = 0; k < 9; k++) m[k / 3][k % 3] += size * v[k / 3] * v[k % 3];
        }
        const symmetric3 a = symmetric_of(vec3_of((float)m[0][0], (float)m[1][1], (float)m[2][2]),
                                          vec3_of((float)m[1][2], (float)m[0][2], (float)m[0][1]));
        const vec3s q = vec3_of((float)noise(), (float)noise(), (float)noise());
        const float mu = 0.01f + (float)fabs(noise());
        for (int law = 0; law < SCREE_LAW_COUNT; law++) {
            const vec3s r = law_solve(law, a, q, mu);
            const float bound = law == LAW_PYRAMID ? 1.5f * mu * r.x : 1.00001f * mu * r.x;
            if (!(r.x >= 0) || !(r.x < 1e30f) || !(hypotf(r.y, r.z) <= bound))
                fail_msg("law %d, rank %d: r (%g %g %g), mu %g", law, 1 + i % 2, (double)r.x, (double)r.y,
                         (double)r.z, (double)mu);
        }
    }
}

/* The closed forms for A = diag(a, t, t) satisfy the same statements. */
static void isotropic_blocks_satisfy_the_statements(void **state) {
    (void)state;
    for (int i = 0; i < 100000; i++) {
        const float n = (float)(0.2 + fabs(noise())), t = (float)(0.2 + 3 * fabs(noise())), mu = i % 5 / 4.0f;
        const symmetric3 a = symmetric_of(vec3_of(n, t, t), glms_vec3_zero());
        const vec3s q = vec3_of((float)noise(), (float)noise(), (float)noise());
        const vec3s x = vec3_of(-q.x / n, -q.y / t, -q.z / t);
        check_coulomb(a, q, (double)mu, law_solve_isotropic(LAW_COULOMB, x, mu, t / n), 2e-6);
        check_associated(a, q, (double)mu, law_solve_isotropic(LAW_ASSOCIATED, x, mu, t / n), 2e-6);
        const vec3s radial = law_solve_isotropic(LAW_RADIAL, x, mu, t / n), general = radial_solve(a, q, mu);
        assert_true(glms_vec3_norm(glms_vec3_sub(radial, general)) <= 1e-5f * glms_vec3_norm(x));
    }
}

/* A block that slides and touches at first, q_N < 0 just enough to be pressed: under the associated law it
 * lifts off at the rate μ|u_T|, under Coulomb's it does not. */
static void only_the_associated_law_lifts_sliding_blocks(void **state) {
    (void)state;
    int pressed = 0, held = 0;
    for (int i = 0; i < 1000; i++) {
        const symmetric3 a = random_block(5);
        const vec3s q = vec3_of(-0.01f, (float)(1 + fabs(noise())), (float)noise());
        const double mu = 0.3;
        double u[3];
        const vec3s r = associated_solve(a, q, (float)mu);
        velocity_of(a, q, r, u);
        if (r.x > 0) {
            ASSERT_WITHIN(u[0], mu * hypot(u[1], u[2]), 2e-6);
            pressed++;
        }
        const vec3s exact = coulomb_solve(a, q, (float)mu);
        velocity_of(a, q, exact, u);
        if (exact.x > 0) {
            ASSERT_WITHIN(u[0], 0, 2e-6);
            held++;
        }
    }
    /* q_N < 0 presses every one under Coulomb's law, and most under the associated one. */
    assert_int_equal(held, 1000);
    ASSERT_AT_LEAST(pressed, 500);
}

/* The rule's three cases, against the unconstrained solution by elimination in double precision: r_N =
 * max(x_N, 0), and r_T along x_T, of length min(‖x_T‖, μ r_N). */
static void radial_blocks_follow_the_rule(void **state) {
    (void)state;
    for (int i = 0; i < 50000; i++) {
        const symmetric3 a = random_block(10);
        const vec3s q = vec3_of((float)noise(), (float)noise(), (float)noise());
        const vec3s x = free_solve(a, q), r = radial_solve(a, q, 0.5f);
        double u[3];
        velocity_of(a, q, x, u);
        assert_true(fabs(u[0]) + fabs(u[1]) + fabs(u[2]) < 1e-5); /* x stops the block */
        const double xt = hypot((double)x.y, (double)x.z), rn = fmax(0, (double)x.x);
        const double rt = fmin(xt, 0.5 * rn);
        ASSERT_NEAR((double)r.x, rn, 1e-6 * (1 + rn));
        ASSERT_NEAR((double)r.y, rt * (double)x.y / xt, 1e-5 * (1 + rt));
        ASSERT_NEAR((double)r.z, rt * (double)x.z / xt, 1e-5 * (1 + rt));
        const vec3s at = glms_vec3_add(symmetric_times(a, r), q);
        const vec3s map = law_natural_map(LAW_RADIAL, a, r, at, 0.5f, 1);
        assert_true((double)glms_vec3_norm(map) < 1e-4 * (1 + rn));
        const vec3s other = glms_vec3_add(r, vec3_of(0.1f, 0, 0));
        const vec3s moved = glms_vec3_add(symmetric_times(a, other), q);
        assert_true((double)glms_vec3_norm(law_natural_map(LAW_RADIAL, a, other, moved, 0.5f, 1)) > 1e-3);
    }
}

/* A planar scene: no mobility along t₂, and the sticking solution of the remaining 2×2 block is unchanged. */
static void blocks_with_a_locked_tangent_stick(void **state) {
    (void)state;
    const symmetric3 a = symmetric_of(vec3_of(1, 2, 0), vec3_of(0, 0, 0.3f));
    const vec3s r = coulomb_solve(a, vec3_of(-1, 0.2f, 0), 0.9f);
    /* (1, 0.3; 0.3, 2) r = (1, −0.2): r = (2.06, −0.5)/1.91. */
    ASSERT_NEAR((double)r.x, 2.06 / 1.91, 1e-6);
    ASSERT_NEAR((double)r.y, -0.5 / 1.91, 1e-6);
    assert_true(r.z == 0);
}

/* The box: rows with |r_i| < μ r_N have u_i = 0, rows at a bound are pushed against it; r_N ≥ 0, u_N ≥ 0, one
 * of them 0. */
static void pyramid_blocks_satisfy_the_statement(void **state) {
    (void)state;
    int below = 0, above = 0;
    for (int i = 0; i < 100000; i++) {
        const symmetric3 a = random_block(10);
        const vec3s q = vec3_of((float)noise(), (float)noise(), (float)noise());
        const double mu = 0.4;
        const vec3s r = pyramid_solve(a, q, (float)mu);
        double u[3];
        velocity_of(a, q, r, u);
        const double bound = mu * (double)r.x, t[2] = {(double)r.y, (double)r.z};
        assert_true(r.x >= 0);
        assert_true(u[0] >= -1e-3 && fabs(u[0] * (double)r.x) < 1e-3);
        for (int k = 0; k < 2; k++) {
            assert_true(fabs(t[k]) <= bound * (1 + 1e-6) + 1e-12);
            if (t[k] < bound - 1e-5) {
                ASSERT_AT_LEAST(u[k + 1], -1e-3);
                below++;
            }
            if (t[k] > -bound + 1e-5) {
                ASSERT_AT_MOST(u[k + 1], 1e-3);
                above++;
            }
        }
    }
    ASSERT_AT_LEAST(below, 20000);
    ASSERT_AT_LEAST(above, 20000);
}

/* P(x) is in K, and x − P(x) is normal to K there: no sampled point of K is nearer. */
static void cone_projection_is_the_nearest_point(void **state) {
    (void)state;
    for (int i = 0; i < 10000; i++) {
        const double mu = 0.1 + 2 * fabs(noise());
        const vec3s x = vec3_of((float)noise(), (float)noise(), (float)noise());
        const vec3s p = cone_projection(x, (float)mu);
        assert_true(hypot((double)p.y, (double)p.z) <= mu * (double)p.x * (1 + 1e-5) + 1e-7);
        const double distance = (double)glms_vec3_norm(glms_vec3_sub(x, p));
        for (int k = 0; k < 20; k++) {
            const double n = 1 + noise(), angle = M_PI * noise(), t = mu * n * fabs(noise());
            const vec3s z = vec3_of((float)n, (float)(t * cos(angle)), (float)(t * sin(angle)));
            assert_true((double)glms_vec3_norm(glms_vec3_sub(x, z)) >= distance - 1e-6);
        }
    }
}

/* r scales with q: the law does not depend on the unit of impulse. */
static void coulomb_blocks_are_independent_of_units(void **state) {
    (void)state;
    static const float units[] = {1e-17f, 1e-12f, 1e-8f, 1e8f, 1e12f, 1e16f};
    for (int i = 0; i < 20000; i++) {
        const symmetric3 a = random_block(10);
        const float mu = 0.1f + (float)fabs(noise());
        const float x = (float)-fabs(noise()) - 0.1f, y = (float)noise();
        const vec3s q = vec3_of(x, y, (float)noise()), r = coulomb_solve(a, q, mu);
        for (int k = 0; k < 6; k++) {
            const vec3s other = coulomb_solve(a, glms_vec3_scale(q, units[k]), mu);
            const vec3s apart = glms_vec3_sub(glms_vec3_scale(other, 1 / units[k]), r);
            ASSERT_AT_MOST((double)glms_vec3_norm(apart), 1e-4 * (double)glms_vec3_norm(r));
        }
    }
}

static double map_at(symmetric3 a, vec3s q, vec3s r, float mu) {
    const vec3s u = glms_vec3_add(symmetric_times(a, r), q);
    return (double)glms_vec3_norm(law_natural_map(LAW_COULOMB, a, r, u, mu, 3 / symmetric_trace(a)));
}

/* The map in double precision. */
static double exact_map_at(symmetric3 a, vec3s q, vec3s r, float mu) {
    const real3 d = real3_of(a.diagonal), o = real3_of(a.off_diagonal), x = real3_of(r);
    const real3x3 m = {{{d.x, o.z, o.y}, {o.z, d.y, o.x}, {o.y, o.x, d.z}}};
    const real3 u = real3_sum(real3x3_times(&m, x), real3_of(q));
    const real3 map = host_natural_map(SCREE_LAW_COULOMB, &m, x, u, (double)mu, 3 / (d.x + d.y + d.z));
    return sqrt(real3_inner(map, map));
}

/* The natural map vanishes at the solution and nowhere near it: along each axis both ways, along the solution
 * and in random directions, by a ten-thousandth of the solution's size up to its size. */
static void natural_map_vanishes_only_at_the_solution(void **state) {
    (void)state;
    static const float sizes[] = {1e-4f, 1e-3f, 1e-2f, 0.1f, 1};
    for (int i = 0; i < 10000; i++) {
        const symmetric3 a = random_block(10);
        const float mu = 0.1f + (float)fabs(noise());
        const float x = (float)-fabs(noise()) - 0.1f, y = (float)noise();
        const vec3s q = vec3_of(x, y, (float)noise()), r = coulomb_solve(a, q, mu);
        const float norm = glms_vec3_norm(r);
        /* The solution is exact to the rounding of r: 3.2e-7 ‖r‖ is the largest error of 10⁵ blocks. The map
         * in single precision adds that of u = A r + q, times ρ, and ρ‖q‖ may be several times ‖r‖. */
        const double scale = fmax((double)norm, (double)(3 / symmetric_trace(a) * glms_vec3_norm(q)));
        ASSERT_AT_MOST(exact_map_at(a, q, r, mu), 6e-7 * (double)norm);
        ASSERT_AT_MOST(map_at(a, q, r, mu), 6e-7 * scale);
        for (int k = 0; k < 10; k++) {
            const float sign = k % 2 ? -1 : 1;
            vec3s way = k < 2 ? vec3_of(sign, 0, 0) : k < 4 ? vec3_of(0, sign, 0) : vec3_of(0, 0, sign);
            if (k == 6 || k == 7) way = glms_vec3_scale(r, sign);
            if (k > 7) way = random_direction(&seed);
            way = glms_vec3_scale(way, norm / glms_vec3_norm(way));
            for (int size = 0; size < 5; size++) {
                const vec3s other = glms_vec3_add(r, glms_vec3_scale(way, sizes[size]));
                /* A is definite: the size of the map is at least proportional to the distance from the
                 * solution. */
                ASSERT_AT_LEAST(map_at(a, q, other, mu), 1e-3 * (double)(sizes[size] * norm));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coulomb_blocks_satisfy_the_statement),
        cmocka_unit_test(friction_opposes_sliding_blocks),
        cmocka_unit_test(blocks_with_a_locked_tangent_stick),
        cmocka_unit_test(associated_blocks_satisfy_the_statement),
        cmocka_unit_test(statements_hold_between_two_cases),
        cmocka_unit_test(singular_blocks_give_admissible_impulses),
        cmocka_unit_test(isotropic_blocks_satisfy_the_statements),
        cmocka_unit_test(only_the_associated_law_lifts_sliding_blocks),
        cmocka_unit_test(radial_blocks_follow_the_rule),
        cmocka_unit_test(pyramid_blocks_satisfy_the_statement),
        cmocka_unit_test(cone_projection_is_the_nearest_point),
        cmocka_unit_test(coulomb_blocks_are_independent_of_units),
        cmocka_unit_test(natural_map_vanishes_only_at_the_solution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
