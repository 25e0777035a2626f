/* The oracle against the laws' statements, and its verdict on others' blocks, residuals and solutions. */
#include "expect.h"
#include "problem/host_law.h"
#include "random.h"
#include "oracle/reference_block.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <string.h>

static uint64_t seed = 3;

static double noise(void) { return random_noise(&seed); }

/* Makes J M⁻¹ Jᵀ of a contact on bodies of random arms and inertia: symmetric, positive definite. */
static void random_block(double a[9]) {
    double j[3][6];
    for (int k = 0; k < 18; ++k) j[k / 6][k % 6] = (k % 7 == 0 ? 2 : 0.7) * noise();
    for (int i = 0; i < 9; ++i) {
        a[i] = 0;
        for (int k = 0; k < 6; ++k) a[i] += j[i / 3][k] * j[i % 3][k];
    }
}

/* Returns how much r and u violate the law, in units of u; `size` is that of impulses as velocities. */
static double broken(const reference_rule *rule, const double r[3], const double u[3], double trace) {
    const double rt = hypot(r[1], r[2]), ut = hypot(u[1], u[2]), mu = rule->friction;
    double worst = fmax(0, -r[0]) * trace;
    if (rule->law == SCREE_LAW_PYRAMID) {
        for (int i = 1; i < 3; ++i) {
            const double inside = (mu * r[0] - fabs(r[i])) * trace;
            worst = fmax(worst, fmax(-inside, fmin(fabs(u[i]), inside)));
            if (r[i] * u[i] > 0) worst = fmax(worst, fmin(fabs(u[i]), fabs(r[i]) * trace));
        }
    } else {
        const double inside = (mu * r[0] - rt) * trace;
        worst = fmax(worst, fmax(-inside, fmin(ut, inside))); /* it sticks, or is on the cone */
        if (rt > 0 && ut > 0) {                               /* and opposes slip */
            const double along = r[1] * u[1] + r[2] * u[2], across = r[1] * u[2] - r[2] * u[1];
            worst = fmax(worst, fmin(rt * trace, fmin(ut, fmax(fabs(across), along) / rt)));
        }
    }
    const double gap = u[0] - (rule->law == SCREE_LAW_ASSOCIATED ? mu * ut : 0);
    return fmax(worst, fmax(-gap, fmin(fabs(gap), r[0] * trace)));
}

static void blocks_are_solved(void **state) {
    (void)state;
    static const scree_law laws[] = {SCREE_LAW_COULOMB, SCREE_LAW_ASSOCIATED, SCREE_LAW_PYRAMID};
    double worst[SCREE_LAW_COUNT] = {0};
    for (int i = 0; i < 60000; ++i) {
        const reference_rule rule = {.law = laws[i % 3], .friction = i % 7 == 0 ? 0 : 1 + 0.98 * noise()};
        double a[9], q[3] = {noise(), noise(), noise()}, r[3] = {0, 0, 0}, u[3];
        random_block(a);
        for (int round = 0; round < 3; ++round) { /* the last one starts from its own solution */
            memcpy(u, q, sizeof u);
            for (int k = 0; k < 9; ++k) u[k / 3] += a[k] * r[k % 3];
            if (round < 2) reference_block_solve(&rule, a, u, r);
        }
        const double trace = a[0] + a[4] + a[8],
                     size = trace * sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]) + 1;
        worst[rule.law] = fmax(worst[rule.law], broken(&rule, r, u, trace) / size);
    }
    for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
        print_message("%s: broken by at most %.1e\n", scree_law_name((scree_law)law), worst[law]);
        ASSERT_AT_MOST(worst[law], 1e-9);
    }
}

/* The oracle's natural map of blocks solved by the matrix solver, under every law. */
static void solver_of_matrices_solves_blocks(void **state) {
    (void)state;
    int unsolved = 0;
    for (int i = 0; i < 40000; ++i) {
        const reference_rule rule = {.law = (scree_law)(i % 4),
                                     .friction = i % 9 == 0 ? 0 : 0.5 + 0.4 * noise()};
        double a[9], map[3];
        random_block(a);
        real3x3 block;
        memcpy(block.m, a, sizeof a);
        const real3 q = {noise(), noise(), noise()},
                    r = host_law_solve(rule.law, &block, q, rule.friction, (real3){0, 0, 0});
        const real3 u = real3_sum(real3x3_times(&block, r), q);
        const double rho = reference_block_rho(a);
        const double at[3] = {r.x, r.y, r.z}, moving[3] = {u.x, u.y, u.z};
        reference_block_map(&rule, a, moving, at, rho, map);
        const double off = sqrt(map[0] * map[0] + map[1] * map[1] + map[2] * map[2]),
                     size = fmax(real3_length(r), rho * real3_length(q));
        if (rule.law == SCREE_LAW_PYRAMID)
            unsolved += off > 1e-6 * size;
        else
            ASSERT_AT_MOST(off, 1e-6 * size);
    }
    ASSERT_AT_MOST(unsolved, 400); /* of 10 000: those where none of the nine cases holds */
}

/* Evaluates r by the oracle without a sweep: every error is within the tolerance. */
static void ask(const scree_problem *p, scree_law law, const double *r,
                double residual[SCREE_MEASURE_COUNT]) {
    scree_problem_options options = scree_default_problem_options();
    scree_problem_report report;
    options.backend = SCREE_BACKEND_REFERENCE, options.law = law, options.start = r, options.tolerance = 1e30;
    if (scree_problem_solve(p, &options, NULL, NULL, &report) != SCREE_OK)
        fail_msg("%s", scree_error_get_message());
    assert_int_equal(report.sweeps, 0);
    memcpy(residual, report.residual, sizeof report.residual);
}

static scree_problem *load(const char *name) {
    char path[512];
    scree_problem *out = NULL;
    snprintf(path, sizeof path, SCREE_SOURCE_DIR "/tests/data/problems/%s.hdf5", name);
    if (scree_fclib_load(path, &out) != SCREE_OK) fail_msg("%s", scree_error_get_message());
    return out;
}

static const char *const files[] = {"gen_arch_a", "gen_chain_a", "own_beads", "own_wall"};

/* Two independent residuals agree: at random impulses, in every measure, under every law. */
static void residuals_are_the_same(void **state) {
    (void)state;
    for (int f = 0; f < 4; ++f) {
        scree_problem *p = load(files[f]);
        const int rows = 3 * scree_problem_contact_count(p);
        double *r = calloc((size_t)rows, sizeof *r), ours[SCREE_MEASURE_COUNT], theirs[SCREE_MEASURE_COUNT];
        for (int law = 0; law < SCREE_LAW_COUNT; ++law) {
            for (int i = 0; i < rows; ++i) r[i] = 0.01 * noise() + (i % 3 ? 0 : 0.005);
            ask(p, (scree_law)law, r, theirs);
            assert_int_equal(scree_problem_compute_residual(p, (scree_law)law, r, NULL, ours), SCREE_OK);
            for (int m = 0; m < SCREE_MEASURE_COUNT; ++m)
                ASSERT_AT_MOST(fabs(ours[m] - theirs[m]), 1e-7 * theirs[m]);
        }
        free(r);
        scree_problem_destroy(p);
    }
}

/* The oracle confirms solutions of host and native, and reaches the same velocities by itself. */
static void solutions_are_confirmed(void **state) {
    (void)state;
    static const scree_backend_kind backends[] = {SCREE_BACKEND_HOST, SCREE_BACKEND_NATIVE};
    for (int f = 0; f < 4; ++f) {
        scree_problem *p = load(files[f]);
        const int rows = 3 * scree_problem_contact_count(p);
        double *r = calloc(3 * (size_t)rows, sizeof *r), *u = r + rows, *own = u + rows,
               residual[SCREE_MEASURE_COUNT];
        scree_problem_report report;
        for (int b = 0; b < 2; ++b) {
            scree_problem_options options = scree_default_problem_options();
            options.backend = backends[b], options.threads = 1;
            assert_int_equal(scree_problem_solve(p, &options, r, u, &report), SCREE_OK);
            assert_int_equal(report.stop, SCREE_STOP_RESIDUAL);
            ask(p, SCREE_LAW_COULOMB, r, residual);
            ASSERT_AT_MOST(residual[SCREE_MEASURE_SCALED], 1.001e-8);
        }
        scree_problem_options options = scree_default_problem_options();
        options.backend = SCREE_BACKEND_REFERENCE, options.start = r, options.tolerance = 1e-9;
        options.iterations = 3000;
        assert_int_equal(scree_problem_solve(p, &options, NULL, own, &report), SCREE_OK);
        double off = 0, size = 0;
        for (int i = 0; i < rows; ++i) off = fmax(off, fabs(u[i] - own[i])), r[i] = 0;
        assert_int_equal(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, u, residual),
                         SCREE_OK); /* q */
        for (int i = 0; i < rows; ++i) size = fmax(size, fabs(u[i]));
        print_message("%s: %d sweeps, u apart by %.1e, q at most %.1e m/s\n", files[f], report.sweeps, off,
                      size);
        ASSERT_AT_MOST(off, 1e-4 * size);
        free(r);
        scree_problem_destroy(p);
    }
}

/* Bodies of mass 1 in a ring, each locked to the next in three directions: A = circulant(−1, 2, −1), which is
 * singular, because the velocities around the ring sum to zero. A contact presses body 0 down: with A_cc = 1
 * it couples by −1 and 1 to its locks. With q = J v + (`gap`, 0, 0) in one lock, a solution exists only for
 * gap = 0. */
static void closed_loops_are_solved(void **state) {
    (void)state;
    enum { RING = 200, BLOCKS = RING + 1 };
    static const double gaps[] = {0, 1e-6};
    static const double contradictions[] = {1e-12, 1e-6};
    int first[BLOCKS + 1], column[4 * BLOCKS], count = 0;
    static double blocks[9 * 4 * BLOCKS], low[3 * BLOCKS], high[3 * BLOCKS], q[3 * BLOCKS], u[3 * BLOCKS];
    double friction[BLOCKS] = {0}, v[RING][3], impact = 0;
    scree_block_kind kind[BLOCKS];
    memset(blocks, 0, sizeof blocks);
    for (int i = 0; i < 3 * RING; ++i) v[i / 3][i % 3] = noise(), impact += i % 3 ? 0 : v[i / 3][0];
    /* Lock i, u = v_{i+1} − v_i; the contact, u_N = v_0. */
    for (int i = 0; i < BLOCKS; ++i) {
        const int other[4] = {i, i == RING ? RING - 1 : (i + 1) % RING, i == RING ? 0 : (i + RING - 1) % RING,
                              RING};
        const bool contact = i == RING, meets = i == 0 || i == RING - 1;
        const double sign = i == 0 ? -1 : 1;
        first[i] = count;
        for (int k = 0; k < (contact || !meets ? 3 : 4); ++k, ++count) {
            const double value = contact ? (k == 0 ? 1 : k == 1 ? 1 : -1) : k == 0 ? 2 : k == 3 ? sign : -1;
            column[count] = other[k];
            for (int l = 0; l < 3; ++l)
                blocks[9 * count + 4 * l] = (contact || k == 3) && k > 0 && l > 0 ? 0 : value;
        }
        kind[i] = contact ? SCREE_BLOCK_CONTACT : SCREE_BLOCK_BOUNDED;
        for (int l = 0; l < 3; ++l) low[3 * i + l] = -INFINITY, high[3 * i + l] = INFINITY;
    }
    first[BLOCKS] = count;
    for (int g = 0; g < 2; ++g) {
        for (int i = 0; i < RING; ++i)
            for (int l = 0; l < 3; ++l) q[3 * i + l] = v[(i + 1) % RING][l] - v[i][l];
        q[0] += gaps[g];
        for (int l = 0; l < 3; ++l) q[3 * RING + l] = v[0][l];
        const scree_problem_def def = {.contacts = BLOCKS,
                                       .first = first,
                                       .column = column,
                                       .blocks = blocks,
                                       .q = q,
                                       .friction = friction,
                                       .kind = kind,
                                       .low = low,
                                       .high = high};
        scree_problem_options options = scree_default_problem_options();
        scree_problem_report report;
        scree_problem *p = NULL;
        options.backend = SCREE_BACKEND_REFERENCE, options.tolerance = 1e-12, options.iterations = 100;
        assert_int_equal(scree_problem_create(&def, &p), SCREE_OK);
        assert_int_equal(scree_problem_solve(p, &options, NULL, u, &report), SCREE_OK);
        print_message("gap %g: %d sweeps\n", gaps[g], report.sweeps);
        assert_int_equal(report.stop, g ? SCREE_STOP_CHANGE : SCREE_STOP_RESIDUAL);
        /* All bodies have the mean velocity, or zero if they would go down. */
        ASSERT_AT_MOST(fabs(u[3 * RING] - fmax(0, impact / RING)), 1e-9 + gaps[g]);
        for (int i = 0; i < 3 * RING; ++i) ASSERT_AT_MOST(fabs(u[i]), contradictions[g] * 1.001);
        scree_problem_destroy(p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_solved),       cmocka_unit_test(solver_of_matrices_solves_blocks),
        cmocka_unit_test(residuals_are_the_same),  cmocka_unit_test(solutions_are_confirmed),
        cmocka_unit_test(closed_loops_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
