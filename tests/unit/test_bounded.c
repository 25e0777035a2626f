/* Bounded rows against enumeration of all cases, a joint worked by hand, contacts without friction, and FCLIB
 * files. */
#include "expect.h"
#include "random.h"
#include "fclib_file.h"
#include "folder.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { MOST_BLOCKS = 4, MOST_ROWS = 3 * MOST_BLOCKS };

static folder files;
static uint64_t seed = 3;

static double noise(void) { return random_noise(&seed); }

/* low ≤ r ≤ high, with u = A r + q */
typedef struct rows {
    int n;
    double a[MOST_ROWS][MOST_ROWS], q[MOST_ROWS], low[MOST_ROWS], high[MOST_ROWS];
} rows;

/* Makes A = B Bᵀ + small, positive definite. A third of the rows has no bounds, a third one, a third two. */
static rows random_rows(int n) {
    rows out = {.n = n};
    double b[MOST_ROWS][MOST_ROWS];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < n; ++k) b[i][k] = noise();
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            out.a[i][j] = i == j ? 0.05 : 0;
            for (int k = 0; k < n; ++k) out.a[i][j] += b[i][k] * b[j][k];
        }
        const int bounds = (int)(1.5 * (noise() + 1));
        out.q[i] = noise();
        out.low[i] = bounds > 0 ? 0.3 * noise() : -INFINITY;
        out.high[i] = bounds > 1 ? out.low[i] + 0.3 * fabs(noise()) : INFINITY;
        if (bounds == 1 && noise() > 0) out.high[i] = out.low[i], out.low[i] = -INFINITY;
    }
    return out;
}

/* Gaussian elimination with pivoting on n × (n + 1). */
static bool eliminate(int n, double m[MOST_ROWS][MOST_ROWS + 1]) {
    for (int k = 0; k < n; ++k) {
        int pivot = k;
        for (int i = k; i < n; ++i)
            if (fabs(m[i][k]) > fabs(m[pivot][k])) pivot = i;
        if (m[pivot][k] == 0) return false;
        for (int j = 0; j <= n; ++j) {
            const double swap = m[k][j];
            m[k][j] = m[pivot][j], m[pivot][j] = swap;
        }
        for (int i = 0; i < n; ++i)
            for (int j = n; i != k && j >= k; --j) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
    }
    for (int k = 0; k < n; ++k) m[k][n] /= m[k][k];
    return true;
}

/* Returns whether the case with row i at its lower bound (−1), free (0) or at its upper bound (1) solves
 * p. */
static bool solves(const rows *p, const int *at, double *r) {
    double m[MOST_ROWS][MOST_ROWS + 1];
    int row_of[MOST_ROWS], n = 0;
    for (int i = 0; i < p->n; ++i) {
        r[i] = at[i] < 0 ? p->low[i] : at[i] > 0 ? p->high[i] : 0;
        if (at[i] == 0) row_of[n++] = i;
    }
    for (int i = 0; i < n; ++i) {
        m[i][n] = -p->q[row_of[i]];
        for (int k = 0; k < p->n; ++k)
            if (at[k]) m[i][n] -= p->a[row_of[i]][k] * r[k];
        for (int k = 0; k < n; ++k) m[i][k] = p->a[row_of[i]][row_of[k]];
    }
    if (!eliminate(n, m)) return false;
    for (int i = 0; i < n; ++i) r[row_of[i]] = m[i][n];
    for (int i = 0; i < p->n; ++i) {
        double u = p->q[i];
        for (int k = 0; k < p->n; ++k) u += p->a[i][k] * r[k];
        if (at[i] ? at[i] * u > 1e-12 : r[i] < p->low[i] - 1e-12 || r[i] > p->high[i] + 1e-12) return false;
    }
    return true;
}

/* Finds the solution by enumeration. */
static bool oracle(const rows *p, int *at, int row, double *r) {
    if (row == p->n) return solves(p, at, r);
    for (at[row] = -1; at[row] <= 1; ++at[row])
        if ((at[row] == 0 || isfinite(at[row] < 0 ? p->low[row] : p->high[row])) && oracle(p, at, row + 1, r))
            return true;
    return false;
}

/* Returns the problem with all blocks bounded. */
static scree_problem *problem_of(const rows *p) {
    const int n = p->n / 3;
    int first[MOST_BLOCKS + 1] = {0}, column[MOST_BLOCKS * MOST_BLOCKS];
    double blocks[MOST_ROWS * MOST_ROWS], friction[MOST_BLOCKS] = {0};
    scree_block_kind kind[MOST_BLOCKS];
    for (int i = 0; i < n; ++i) {
        kind[i] = SCREE_BLOCK_BOUNDED;
        first[i + 1] = n * (i + 1);
        for (int k = 0; k < n; ++k) {
            column[n * i + k] = k;
            for (int e = 0; e < 9; ++e) blocks[9 * (n * i + k) + e] = p->a[3 * i + e / 3][3 * k + e % 3];
        }
    }
    const scree_problem_def def = {.contacts = n,
                                   .first = first,
                                   .column = column,
                                   .blocks = blocks,
                                   .q = p->q,
                                   .friction = friction,
                                   .kind = kind,
                                   .low = p->low,
                                   .high = p->high};
    scree_problem *out = NULL;
    CHECK(scree_problem_create(&def, &out));
    return out;
}

static void enumeration_finds_the_same_solution(void **state) {
    (void)state;
    int at_bound = 0;
    for (int i = 0; i < 60; ++i) {
        const rows p = random_rows(3 * (i % MOST_BLOCKS + 1));
        int at[MOST_ROWS];
        double expected[MOST_ROWS], r[MOST_ROWS], u[MOST_ROWS];
        assert_true(oracle(&p, at, 0, expected));
        scree_problem *problem = problem_of(&p);
        scree_problem_options options = scree_default_problem_options();
        options.tolerance = 1e-12;
        for (int measure = 0; measure < SCREE_MEASURE_COUNT; ++measure) {
            options.measure = (scree_measure)measure;
            scree_problem_report report;
            CHECK(scree_problem_solve(problem, &options, r, u, &report));
            assert_int_equal(report.stop, SCREE_STOP_RESIDUAL);
            for (int k = 0; k < p.n; ++k) {
                assert_true(fabs(r[k] - expected[k]) <= 1e-8);
                assert_true(r[k] >= p.low[k] && r[k] <= p.high[k]);
            }
        }
        for (int k = 0; k < p.n; ++k) at_bound += at[k] != 0;
        scree_problem_destroy(problem);
    }
    assert_true(at_bound > 50);
}

/* The rows (x, y, ω) of a translational joint: J = [[1, 1, −½], [0, 0, −1]], M⁻¹ = diag(1, 1, 3), gravity
 * over h = 0.01 s. A = J M⁻¹ Jᵀ = [[2.75, 1.5], [1.5, 3]], q = J M⁻¹ h F = (−0.0981, 0); A x = q has the
 * solution (−0.04905, 0.024525), and the joint's impulses are −x. */
static void a_translational_joint_holds(void **state) {
    (void)state;
    const double j[2][3] = {{1, 1, -0.5}, {0, 0, -1}}, inverse_mass[3] = {1, 1, 3}, v[3] = {0, -0.0981, 0};
    rows p = {.n = 3};
    for (int i = 0; i < 3; ++i) p.low[i] = -INFINITY, p.high[i] = INFINITY;
    for (int i = 0; i < 2; ++i)
        for (int k = 0; k < 3; ++k) {
            p.q[i] += j[i][k] * v[k];
            for (int l = 0; l < 2; ++l) p.a[i][l] += j[i][k] * inverse_mass[k] * j[l][k];
        }
    assert_true(p.a[0][0] == 2.75 && p.a[0][1] == 1.5 && p.a[1][0] == 1.5 && p.a[1][1] == 3);
    scree_problem *problem = problem_of(&p);
    scree_problem_options options = scree_default_problem_options();
    options.tolerance = 1e-13;
    double r[3], u[3];
    CHECK(scree_problem_solve(problem, &options, r, u, NULL));
    assert_true(fabs(r[0] - 0.04905) < 1e-12 && fabs(r[1] + 0.024525) < 1e-12 && r[2] == 0);
    assert_true(fabs(u[0]) < 1e-12 && fabs(u[1]) < 1e-12);
    scree_problem_destroy(problem);
}

/* Parallel equality rows: impulses are not unique, velocities are. */
static void dependent_rows_are_solved(void **state) {
    (void)state;
    rows p = {.n = 6};
    for (int i = 0; i < 6; ++i) {
        for (int k = 0; k < 6; ++k) p.a[i][k] = i == k && i % 3 == 2 ? 2 : i % 3 != 2 && k % 3 != 2;
        p.q[i] = i % 3 == 2 ? 0.5 : 1;
        p.low[i] = -INFINITY, p.high[i] = INFINITY;
    }
    p.low[5] = -0.1, p.high[5] = 0.1;
    scree_problem *problem = problem_of(&p);
    const scree_problem_options options = scree_default_problem_options();
    double r[6], u[6];
    CHECK(scree_problem_solve(problem, &options, r, u, NULL));
    for (int i = 0; i < 5; ++i) assert_true(fabs(u[i]) < 1e-7);
    assert_true(fabs(r[0] + r[1] + r[3] + r[4] + 1) < 1e-7);
    assert_true(fabs(r[5] + 0.1) < 1e-12 && fabs(u[5] - 0.3) < 1e-7);
    scree_problem_destroy(problem);
}

/* A contact without friction is the row 0 … ∞ with two rows 0 … 0. */
static void frictionless_contacts_are_bounded_rows(void **state) {
    (void)state;
    for (int i = 0; i < 50; ++i) {
        rows p = random_rows(6);
        for (int k = 0; k < 6; ++k) p.low[k] = 0, p.high[k] = k % 3 ? 0 : INFINITY;
        scree_problem *bounded = problem_of(&p);
        const int first[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
        double blocks[36], r[2][6];
        for (int b = 0; b < 4; ++b)
            for (int e = 0; e < 9; ++e) blocks[9 * b + e] = p.a[3 * (b / 2) + e / 3][3 * (b % 2) + e % 3];
        const double friction[2] = {0, 0};
        const scree_problem_def def = {.contacts = 2,
                                       .first = first,
                                       .column = column,
                                       .blocks = blocks,
                                       .q = p.q,
                                       .friction = friction};
        scree_problem *contacts = NULL;
        CHECK(scree_problem_create(&def, &contacts));
        scree_problem_options options = scree_default_problem_options();
        options.tolerance = 1e-12;
        CHECK(scree_problem_solve(bounded, &options, r[0], NULL, NULL));
        CHECK(scree_problem_solve(contacts, &options, r[1], NULL, NULL));
        for (int k = 0; k < 6; ++k) assert_true(fabs(r[0][k] - r[1][k]) < 1e-9);
        scree_problem_destroy(bounded);
        scree_problem_destroy(contacts);
    }
}

static void invalid_bounds_are_rejected(void **state) {
    (void)state;
    const int first[2] = {0, 1}, column[1] = {0};
    const double blocks[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {0}, friction[1] = {0};
    const scree_block_kind kind = SCREE_BLOCK_BOUNDED;
    const double low[4][3] = {{0, 1, 0}, {0, NAN, 0}, {0, INFINITY, 0}, {0, -INFINITY, 0}},
                 high[4][3] = {{0, 0.5, 0}, {0, 1, 0}, {0, INFINITY, 0}, {0, -INFINITY, 0}};
    for (int i = 0; i < 4; ++i) {
        const scree_problem_def def = {.contacts = 1,
                                       .first = first,
                                       .column = column,
                                       .blocks = blocks,
                                       .q = q,
                                       .friction = friction,
                                       .kind = &kind,
                                       .low = low[i],
                                       .high = high[i]};
        scree_problem *p = NULL;
        assert_int_equal(scree_problem_create(&def, &p), SCREE_ERROR_ARGUMENT);
        assert_non_null(strstr(scree_error_get_message(), "row 1"));
    }
}

/* Two point masses of 2 and 4 kg joined by a rod along x (1, 0, 0); the first lies on the ground (normal z)
 * and is pulled sideways by less than the friction bound. */
enum { DOFS = 6 };
static const double mass[DOFS] = {2, 2, 2, 4, 4, 4}, force[DOFS] = {0.5, 0.2, -4, 0.5, 1, 2}, mu[1] = {0.5};
static const double h[DOFS * 3] = {0, 1, 0, /* */
                                   0, 0, 1, /* */
                                   1, 0, 0},
                             g[DOFS] = {1, 0, 0, -1, 0, 0};

static void put_global(const char *path) {
    const double zero[3] = {0};
    double m[DOFS * DOFS] = {0};
    for (int i = 0; i < DOFS; ++i) m[DOFS * i + i] = mass[i];
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fclib_put_integer(file, "fclib_global/spacedim", 3);
    fclib_put_matrix(file, "fclib_global/M", FCLIB_COLUMNS, DOFS, DOFS, m);
    fclib_put_matrix(file, "fclib_global/H", FCLIB_TRIPLETS, DOFS, 3, h);
    fclib_put_matrix(file, "fclib_global/G", FCLIB_TRIPLETS, DOFS, 1, g);
    fclib_put_numbers(file, "fclib_global/vectors/f", force, DOFS);
    fclib_put_numbers(file, "fclib_global/vectors/w", zero, 3);
    fclib_put_numbers(file, "fclib_global/vectors/b", zero, 1);
    fclib_put_numbers(file, "fclib_global/vectors/mu", mu, 1);
    H5Fclose(file);
}

/* Writes W = Hᵀ M⁻¹ H and the rest of the local form of the same bodies. */
static void put_local(const char *path) {
    double w[9] = {0}, v[3] = {0}, r[1] = {0}, q[3] = {0}, s[1] = {0};
    for (int d = 0; d < DOFS; ++d) {
        r[0] += g[d] * g[d] / mass[d], s[0] += g[d] * force[d] / mass[d];
        for (int i = 0; i < 3; ++i) {
            v[i] += h[3 * d + i] * g[d] / mass[d], q[i] += h[3 * d + i] * force[d] / mass[d];
            for (int k = 0; k < 3; ++k) w[3 * i + k] += h[3 * d + i] * h[3 * d + k] / mass[d];
        }
    }
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fclib_put_integer(file, "fclib_local/spacedim", 3);
    fclib_put_matrix(file, "fclib_local/W", FCLIB_ROWS, 3, 3, w);
    fclib_put_matrix(file, "fclib_local/V", FCLIB_ROWS, 3, 1, v);
    fclib_put_matrix(file, "fclib_local/R", FCLIB_ROWS, 1, 1, r);
    fclib_put_numbers(file, "fclib_local/vectors/q", q, 3);
    fclib_put_numbers(file, "fclib_local/vectors/s", s, 1);
    fclib_put_numbers(file, "fclib_local/vectors/mu", mu, 1);
    H5Fclose(file);
}

static void read_numbers(const char *path, const char *name, double *out, hsize_t count) {
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT), set = H5Dopen2(file, name, H5P_DEFAULT),
                space = H5Dget_space(set);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) >= 0);
    H5Sclose(space);
    H5Dclose(set);
    H5Fclose(file);
}

/* The contact holds the first mass along x and y, so the rod holds the second along x: it transmits its 0.5 N
 * s to the contact, l = 0.5 opposite to g. */
static void files_with_bilateral_rows_are_solved(void **state) {
    (void)state;
    for (int global = 0; global < 2; ++global) {
        const char *path = folder_file(&files, "bilateral.hdf5");
        (global ? put_global : put_local)(path);
        scree_problem *p = NULL;
        CHECK(scree_fclib_load(path, &p));
        assert_int_equal(scree_problem_contact_count(p), 2);
        const double expected[4] = {4, -1, -0.2, 0.5};
        double r[6], u[6], stored[4];
        scree_problem_options options = scree_default_problem_options();
        options.tolerance = 1e-12;
        CHECK(scree_problem_solve(p, &options, r, u, NULL));
        for (int i = 0; i < 4; ++i) assert_true(fabs(r[i] - expected[i]) < 1e-9 && fabs(u[i]) < 1e-9);
        CHECK(scree_fclib_save_solution(p, path, path, r, u));
        read_numbers(path, "solution/r", stored, 3);
        read_numbers(path, "solution/l", stored + 3, 1);
        for (int i = 0; i < 4; ++i) assert_true(stored[i] == r[i]);
        if (global) {
            double v[DOFS];
            read_numbers(path, "solution/v", v, DOFS);
            assert_true(fabs(v[0]) < 1e-9 && fabs(v[3]) < 1e-9 && fabs(v[4] - 0.25) < 1e-12 && v[5] == 0.5);
        }
        /* The written local form is equivalent. */
        scree_problem *again = NULL;
        const char *other = folder_file(&files, "written.hdf5");
        CHECK(scree_fclib_save(p, other, r, u));
        CHECK(scree_fclib_load(other, &again));
        assert_int_equal(scree_problem_contact_count(again), 2);
        CHECK(scree_problem_solve(again, &options, r, u, NULL));
        for (int i = 0; i < 4; ++i) assert_true(fabs(r[i] - expected[i]) < 1e-9 && fabs(u[i]) < 1e-9);
        scree_problem_destroy(again);
        scree_problem_destroy(p);
    }
}

int main(void) {
    files = folder_make();
    const struct CMUnitTest tests[] = {cmocka_unit_test(enumeration_finds_the_same_solution),
                                       cmocka_unit_test(a_translational_joint_holds),
                                       cmocka_unit_test(dependent_rows_are_solved),
                                       cmocka_unit_test(frictionless_contacts_are_bounded_rows),
                                       cmocka_unit_test(invalid_bounds_are_rejected),
                                       cmocka_unit_test(files_with_bilateral_rows_are_solved)};
    const int failed = cmocka_run_group_tests_name("bounded rows", tests, NULL, NULL);
    folder_remove(&files);
    return failed;
}
