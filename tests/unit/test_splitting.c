/* Theorems about splittings of a symmetric positive definite matrix, in the test's own dense iterations and
 * in the library's; projected iterations against all cases of small complementarity problems; and a joint
 * worked by hand. */
#include "solve/executor.h"
#include "device/backend.h"
#include "dense.h"
#include "random_problem.h"
#include "scenery.h"

#include <scree/problem.h>

static double between(random_problem *random, double low, double high) {
    return random_between(&random->state, low, high);
}

/* Makes Gᵀ G + shift: positive definite. */
static dense random_positive(random_problem *random, int n, double shift) {
    dense g = {.n = n}, a = {.n = n};
    for (int i = 0; i < n * n; i++) g.a[i / n][i % n] = between(random, -1, 1);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < n; k++) a.a[i][j] += g.a[k][i] * g.a[k][j];
            a.a[i][j] += i == j ? shift : 0;
        }
    return a;
}

/* --- SOR ---------------------------------------------------------------------------------------------------
 */

/* Makes one SOR sweep for a x = 0, with blocks of `size` rows solved exactly. */
static void relax(const dense *a, int size, double omega, double *x) {
    for (int first = 0; first < a->n; first += size) {
        dense block = {.n = size};
        double residual[DENSE], step[DENSE];
        for (int i = 0; i < size; i++) {
            residual[i] = 0;
            for (int j = 0; j < a->n; j++) residual[i] -= a->a[first + i][j] * x[j];
            for (int j = 0; j < size; j++) block.a[i][j] = a->a[first + i][first + j];
        }
        assert_true(dense_solve(&block, residual, step));
        for (int i = 0; i < size; i++) x[first + i] += omega * step[i];
    }
}

/* Returns the sweep's matrix, from its action on every unit vector. */
static dense relaxation_matrix(const dense *a, int size, double omega) {
    dense g = {.n = a->n};
    for (int k = 0; k < a->n; k++) {
        double x[DENSE] = {0};
        x[k] = 1;
        relax(a, size, omega, x);
        for (int i = 0; i < a->n; i++) g.a[i][k] = x[i];
    }
    return g;
}

/* Ostrowski and Reich: for positive definite A, SOR by rows or by blocks converges for 0 < ω < 2 and for no
 * other ω (Kahan: the spectral radius is at least |ω − 1|). */
static void sor_converges_between_0_and_2(void **state) {
    (void)state;
    static const double inside[] = {0.05, 0.5, 1, 1.5, 1.9, 1.99}, outside[] = {-0.5, -0.05, 2, 2.01, 2.5};
    random_problem random = {.state = 11};
    for (int trial = 0; trial < 10; trial++) {
        const dense a = random_positive(&random, 12, 0.1);
        for (int size = 1; size <= 3; size += 2) {
            for (size_t k = 0; k < sizeof inside / sizeof *inside; k++)
                assert_true(dense_spectral_radius(relaxation_matrix(&a, size, inside[k])) < 1);
            for (size_t k = 0; k < sizeof outside / sizeof *outside; k++)
                assert_true(dense_spectral_radius(relaxation_matrix(&a, size, outside[k])) >
                            1 - 1e-9 + (outside[k] == 2 ? 0 : 1e-4));
        }
    }
}

/* Makes a problem whose contacts all stick with normal impulses near 1: its solution is inside the cones,
 * where a projected iteration is the linear one. V* is such that all velocities are zero at the solution. */
static void make_sticking(random_problem *random, backend *engine, uint64_t seed, block_impulse *solution) {
    CHECK(random_problem_make(random, seed, 12, 14, 31));
    problem *p = &random->p;
    for (int i = 0; i < p->body_count; i++) random->bodies.masses[i].locks = 0; /* no block is singular */
    const motion_parameters motion = {.time_step = p->time_step};
    CHECK(engine->operations->predict(engine, &random->bodies, motion, p));
    for (int i = 0; i < p->body_count; i++) p->free_velocity[i] = (body_velocity){0};
    for (int i = 0; i < p->block_count; i++) {
        constraint_block *block = &p->blocks[i];
        block->friction = 20, block->bias = 0, block->compliance = 0;
        const double x = random_between(&random->state, 1, 2), y = random_between(&random->state, -1, 1);
        solution[i].value = vec3_of((float)x, (float)y, (float)random_between(&random->state, -1, 1));
    }
    double v[DENSE][6] = {{0}};
    for (int i = 0; i < p->block_count; i++)
        for (int k = 0; k < 3; k++)
            for (int side = 0; side < 2; side++) {
                double jacobian[6], response[6];
                dense_row(p, i, k, side, jacobian, response);
                const vec3s r = solution[i].value;
                const double size = (double)(k == 0 ? r.x : k == 1 ? r.y : r.z);
                for (int j = 0; j < 6; j++)
                    v[side ? p->blocks[i].body_b : p->blocks[i].body_a][j] -= size * response[j];
            }
    for (int i = 0; i < p->body_count; i++) {
        p->free_velocity[i].linear = vec3_of((float)v[i][0], (float)v[i][1], (float)v[i][2]);
        p->free_velocity[i].angular = vec3_of((float)v[i][3], (float)v[i][4], (float)v[i][5]);
    }
}

static scree_solver_def plain_options(scree_method method, int iterations) {
    scree_solver_def options = scree_default_solver_def();
    options.method = method, options.iterations = iterations, options.tolerance = 0, options.local_sweeps = 1;
    options = scree_solver_def_with_stabilisation(options, SCREE_STABILISATION_BAUMGARTE);
    return options;
}

/* The residual floor of single precision: a sweep adds some 1e-6 of round-off, and keeps at least |1 − ω| of
 * that of the sweeps before (Kahan). It comes from rounding impulses and velocities and not blocks: the
 * residual times min(ω, 2 − ω) is at most 2.5e-6, and 3.2e-6 with every block solved in extended precision
 * and rounded once. */
static double rounding_of(double omega) { return 5e-6 / fmin(omega, 2 - omega); }

/* Starting near the solution it converges for 0 < ω < 2 and diverges otherwise. */
static void pgs_converges_between_0_and_2(void **state) {
    (void)state;
    static const float inside[] = {0.3f, 1, 1.5f, 1.9f}, outside[] = {-0.1f, 2.05f, 2.3f};
    backend *engine;
    CHECK(native_create(1, &engine));
    for (uint64_t seed = 1; seed <= 12; seed++) {
        static block_impulse solution[4 * 14];
        random_problem random;
        make_sticking(&random, engine, seed, solution);
        for (size_t k = 0; k < 7; k++) {
            for (int i = 0; i < random.p.block_count; i++)
                random.p.impulses[i].value =
                    glms_vec3_add(solution[i].value, random_vector(&random.state, -1e-2, 1e-2));
            scree_solver_def options = plain_options(SCREE_METHOD_PGS, k < 4 ? 3000 : 200);
            options.relaxation = k < 4 ? inside[k] : outside[k - 4];
            scree_solve_report report;
            CHECK(
                engine->operations->solve(engine, &random.p, &(solve_request){.options = &options}, &report));
            CHECK(engine->operations->fetch(engine, &random.p));
            if (k < 4) {
                ASSERT_AT_MOST(report.residual, rounding_of((double)options.relaxation));
                ASSERT_AT_MOST(report.residual, 1e-3 * report.residual_before);
            } else
                assert_false(report.residual <= 3 * report.residual_before); /* NaN when it overflows */
        }
        random_problem_release(&random);
    }
    engine->operations->destroy(engine);
}

/* --- block Jacobi ------------------------------------------------------------------------------------------
 */

/* Splits A = B + C with B the diagonal blocks: B − C, and the iteration matrix −B⁻¹ C. */
static void split(const dense *a, int size, dense *difference, dense *iteration) {
    *difference = *iteration = (dense){.n = a->n};
    for (int first = 0; first < a->n; first += size) {
        dense block = {.n = size};
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) block.a[i][j] = a->a[first + i][first + j];
        for (int j = 0; j < a->n; j++) {
            const bool inside = j >= first && j < first + size;
            double column[DENSE], solved[DENSE];
            for (int i = 0; i < size; i++) {
                column[i] = inside ? 0 : -a->a[first + i][j];
                difference->a[first + i][j] = inside ? a->a[first + i][j] : -a->a[first + i][j];
            }
            assert_true(dense_solve(&block, column, solved));
            for (int i = 0; i < size; i++) iteration->a[first + i][j] = solved[i];
        }
    }
}

/* For positive definite A = B + C, B symmetric: ρ(B⁻¹C) < 1 exactly when B − C is positive definite. Matrices
 * of both kinds: weakly and strongly coupled blocks. */
static void block_jacobi_converges_if_b_minus_c_is_spd(void **state) {
    (void)state;
    random_problem random = {.state = 5};
    int kinds[2] = {0};
    for (int trial = 0; trial < 120; trial++) {
        const dense a = random_positive(&random, 12, between(&random, 0.01, 8));
        dense difference, iteration;
        split(&a, 3, &difference, &iteration);
        const double radius = dense_spectral_radius(iteration);
        if (fabs(radius - 1) < 1e-4) continue; /* too close to decide */
        const bool positive = dense_positive(&difference);
        kinds[positive]++;
        assert_int_equal(positive, radius < 1);
    }
    assert_true(kinds[0] >= 20 && kinds[1] >= 20);
}

/* A body with many contacts couples them so strongly that B − C is indefinite and plain block Jacobi
 * diverges. Mass splitting, as in the library's `jacobi`, adds to B until it is definite. */
static void mass_splitting_makes_jacobi_converge(void **state) {
    (void)state;
    backend *engine;
    CHECK(native_create(1, &engine));
    int divergent = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        static block_impulse solution[4 * 14];
        static double q[DENSE * 4];
        random_problem random;
        make_sticking(&random, engine, seed, solution);
        random.p.block_count = random.p.block_count < DENSE / 3 ? random.p.block_count : DENSE / 3;
        dense a, difference, iteration;
        dense_delassus(&random.p, &a, q);
        for (int i = 0; i < a.n; i++) a.a[i][i] += 1e-3; /* contacts of a pair make A singular */
        split(&a, 3, &difference, &iteration);
        const double radius = dense_spectral_radius(iteration);
        if (fabs(radius - 1) > 1e-3) assert_int_equal(dense_positive(&difference), radius < 1);
        divergent += radius > 1;
        random_problem_release(&random);

        make_sticking(&random, engine, seed, solution);
        for (int i = 0; i < random.p.block_count; i++)
            random.p.impulses[i].value =
                glms_vec3_add(solution[i].value, random_vector(&random.state, -1e-2, 1e-2));
        const scree_solver_def options = plain_options(SCREE_METHOD_JACOBI, 3000);
        scree_solve_report report;
        CHECK(engine->operations->solve(engine, &random.p, &(solve_request){.options = &options}, &report));
        assert_true(report.residual < 1e-4 && report.residual < 5e-2 * report.residual_before);
        random_problem_release(&random);
    }
    assert_true(divergent >= 2);
    engine->operations->destroy(engine);
}

/* --- complementarity by enumeration ------------------------------------------------------------------------
 */

enum { MOST_CONTACTS = 4, MOST_ROWS = 6 };

/* Solves low ≤ x ≤ high, w = a x + q: each row is at its lower bound (w ≥ 0), between (w = 0) or at its upper
 * bound (w ≤ 0); tries all 3ⁿ combinations. Infinite bounds are never active. */
static bool enumerate(const dense *a, const double *q, const double *low, const double *high, double *x) {
    int cases = 1;
    for (int i = 0; i < a->n; i++) cases *= 3;
    for (int code = 0; code < cases; code++) {
        int place[MOST_ROWS], rest = code, free_rows[MOST_ROWS];
        dense reduced = {0};
        bool good = true;
        for (int i = 0; i < a->n; i++, rest /= 3) {
            place[i] = rest % 3;
            x[i] = place[i] == 0 ? low[i] : place[i] == 2 ? high[i] : 0;
            if (place[i] == 1) free_rows[reduced.n++] = i;
            good = good && isfinite(x[i]);
        }
        if (!good) continue;
        double right[MOST_ROWS], solved[MOST_ROWS];
        for (int i = 0; i < reduced.n; i++) {
            right[i] = -q[free_rows[i]];
            for (int j = 0; j < a->n; j++) right[i] -= a->a[free_rows[i]][j] * x[j];
            for (int j = 0; j < reduced.n; j++) reduced.a[i][j] = a->a[free_rows[i]][free_rows[j]];
        }
        if (!dense_solve(&reduced, right, solved)) continue;
        for (int i = 0; i < reduced.n; i++) x[free_rows[i]] = solved[i];
        for (int i = 0; i < a->n; i++) {
            double w = q[i];
            for (int j = 0; j < a->n; j++) w += a->a[i][j] * x[j];
            good = good && (place[i] == 1   ? x[i] >= low[i] - 1e-9 && x[i] <= high[i] + 1e-9
                            : place[i] == 0 ? w >= -1e-9
                                            : w <= 1e-9);
        }
        if (good) return true;
    }
    return false;
}

/* Makes a random problem of 1 … 4 contacts without friction; returns its normal rows. */
static void make_frictionless(random_problem *random, uint64_t seed, dense *normal, double *q) {
    for (;; seed += 1000) {
        CHECK(random_problem_make(random, seed, 4, 1 + (int)(seed % 3), 31));
        if (random->p.block_count <= MOST_CONTACTS) break;
        random_problem_release(random);
    }
    problem *p = &random->p;
    backend *engine;
    CHECK(native_create(1, &engine));
    CHECK(engine->operations->predict(engine, &random->bodies, (motion_parameters){.time_step = p->time_step},
                                      p));
    engine->operations->destroy(engine);
    for (int i = 0; i < p->block_count; i++) {
        p->blocks[i].friction = 0;
        p->blocks[i].compliance = 0.05f + p->blocks[i].compliance; /* so that A is definite and r unique */
    }
    dense a;
    double all[DENSE];
    dense_delassus(p, &a, all);
    *normal = (dense){.n = p->block_count};
    for (int i = 0; i < normal->n; i++) {
        q[i] = all[3 * i];
        for (int j = 0; j < normal->n; j++) normal->a[i][j] = a.a[3 * i][3 * j];
    }
}

static void oracle_of(const dense *a, const double *q, double *x) {
    static const double zero[MOST_CONTACTS] = {0},
                        infinite[MOST_CONTACTS] = {INFINITY, INFINITY, INFINITY, INFINITY};
    assert_true(enumerate(a, q, zero, infinite, x));
}

/* Each method on a problem of bodies, on the test's backend. */
static void body_problems_find_the_enumerated_solution(void **state) {
    static const scree_method methods[] = {SCREE_METHOD_PGS, SCREE_METHOD_JACOBI,
                                           SCREE_METHOD_ACCELERATED_JACOBI, SCREE_METHOD_ACCELERATED_PGS};
    scree_world_def def = def_on(state);
    backend *engine;
    CHECK(backend_create(&def, &engine));
    int open = 0, pushing = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        random_problem random;
        dense a;
        double q[MOST_ROWS], x[MOST_ROWS], size = 0;
        make_frictionless(&random, seed, &a, q);
        oracle_of(&a, q, x);
        for (int i = 0; i < a.n; i++) size = fmax(size, x[i]), open += x[i] <= 0, pushing += x[i] > 0;
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            scree_solver_def options = plain_options(methods[m], 3000);
            options.warm_start = false, options.tolerance = 1e-7f;
            scree_solve_report report;
            CHECK(
                engine->operations->solve(engine, &random.p, &(solve_request){.options = &options}, &report));
            CHECK(engine->operations->fetch(engine, &random.p));
            for (int i = 0; i < a.n; i++) {
                const vec3s r = random.p.impulses[i].value;
                assert_true(fabs((double)r.x - x[i]) <= 1e-4 * (size + 1e-3));
                assert_true(r.y == 0 && r.z == 0);
            }
        }
        random_problem_release(&random);
    }
    assert_true(open >= 20 && pushing >= 20);
    engine->operations->destroy(engine);
}

/* Makes one-row problems as 3×3 blocks: identity in the tangential rows. */
static void one_row_blocks(const dense *a, const double *q, double *blocks, double *drive, int *first,
                           int *column) {
    memset(blocks, 0, (size_t)(9 * a->n * a->n) * sizeof *blocks);
    memset(drive, 0, 3 * (size_t)a->n * sizeof *drive);
    for (int i = 0; i < a->n; i++) {
        drive[3 * i] = q[i];
        first[i] = i * a->n;
        for (int j = 0; j < a->n; j++) {
            double *block = blocks + 9 * (i * a->n + j);
            column[i * a->n + j] = j;
            block[0] = a->a[i][j];
            if (i == j) block[4] = block[8] = 1;
        }
    }
    first[a->n] = a->n * a->n;
}

static void matrix_problems_find_the_enumerated_solution(void **state) {
    (void)state;
    random_problem random = {.state = 3};
    for (int trial = 0; trial < 60; trial++) {
        const int n = 1 + trial % MOST_CONTACTS;
        const dense a = random_positive(&random, n, 0.2);
        double q[MOST_ROWS], x[MOST_ROWS], blocks[9 * MOST_ROWS * MOST_ROWS], drive[3 * MOST_ROWS],
            r[3 * MOST_ROWS];
        const double friction[MOST_ROWS] = {0};
        int first[MOST_ROWS + 1], column[MOST_ROWS * MOST_ROWS];
        for (int i = 0; i < n; i++) q[i] = between(&random, -1, 0.6);
        oracle_of(&a, q, x);
        one_row_blocks(&a, q, blocks, drive, first, column);
        const scree_problem_def def = {.contacts = n,
                                       .first = first,
                                       .column = column,
                                       .blocks = blocks,
                                       .q = drive,
                                       .friction = friction};
        scree_problem *matrix;
        CHECK(scree_problem_create(&def, &matrix));
        scree_problem_options options = scree_default_problem_options();
        options.tolerance = 1e-12;
        CHECK(scree_problem_solve(matrix, &options, r, NULL, NULL));
        for (int i = 0; i < n; i++) {
            assert_true(fabs(r[3 * i] - x[i]) < 1e-8 * (1 + fabs(x[i])));
            assert_true(fabs(r[3 * i + 1]) < 1e-12 && fabs(r[3 * i + 2]) < 1e-12);
        }
        scree_problem_destroy(matrix);
    }
}

/* Makes bounds of every kind: equality, one-sided either way, boxed, fixed. */
static void random_bounds(random_problem *random, double *low, double *high) {
    const int kind = random_below(&random->state, 5);
    *low = kind == 0 || kind == 2 ? -INFINITY : kind == 1 ? 0 : -between(random, 0, 0.6);
    *high = kind == 0 || kind == 1 ? INFINITY
            : kind == 2            ? 0.1
                                   : *low + (kind == 3 ? between(random, 0, 1) : 0);
}

/* Boxed complementarity: two blocks of three bounded rows, all coupled. Many rows cover every case. */
static void bounded_rows_find_the_enumerated_solution(void **state) {
    (void)state;
    static const int first[3] = {0, 2, 4}, column[4] = {0, 1, 0, 1};
    static const scree_block_kind kinds[2] = {SCREE_BLOCK_BOUNDED, SCREE_BLOCK_BOUNDED};
    static const double friction[2] = {0};
    random_problem random = {.state = 9};
    int at_low = 0, at_high = 0, between_them = 0;
    for (int trial = 0; trial < 60; trial++) {
        const dense a = random_positive(&random, MOST_ROWS, 0.2);
        double q[MOST_ROWS], low[MOST_ROWS], high[MOST_ROWS], x[MOST_ROWS], r[MOST_ROWS], blocks[36];
        for (int i = 0; i < MOST_ROWS; i++) {
            q[i] = between(&random, -1, 1);
            random_bounds(&random, &low[i], &high[i]);
            for (int j = 0; j < MOST_ROWS; j++)
                blocks[18 * (i / 3) + 9 * (j / 3) + 3 * (i % 3) + j % 3] = a.a[i][j];
        }
        assert_true(enumerate(&a, q, low, high, x));
        const scree_problem_def def = {.contacts = 2,
                                       .first = first,
                                       .column = column,
                                       .blocks = blocks,
                                       .q = q,
                                       .friction = friction,
                                       .kind = kinds,
                                       .low = low,
                                       .high = high};
        scree_problem *matrix;
        CHECK(scree_problem_create(&def, &matrix));
        scree_problem_options options = scree_default_problem_options();
        options.tolerance = 1e-12;
        CHECK(scree_problem_solve(matrix, &options, r, NULL, NULL));
        for (int i = 0; i < MOST_ROWS; i++) {
            assert_true(fabs(r[i] - x[i]) < 1e-8 * (1 + fabs(x[i])));
            at_low += x[i] <= low[i], at_high += x[i] >= high[i],
                between_them += x[i] > low[i] && x[i] < high[i];
        }
        scree_problem_destroy(matrix);
    }
    assert_true(at_low >= 40 && at_high >= 40 && between_them >= 40);
}

/* --- a translational joint by hand
 * -------------------------------------------------------------------------- */

/* Makes two rows on three velocities, J, M⁻¹ = diag(1, 1, 3), h = 0.01 s, F = (0, −9.81, 0): A = J M⁻¹ Jᵀ, b
 * = h J M⁻¹ F, and A x = b. */
static void joint_of_two_rows(dense *a, double *b) {
    static const double jacobian[2][3] = {{1, 1, -0.5}, {0, 0, -1}}, inverse_mass[3] = {1, 1, 3},
                        force[3] = {0, -9.81, 0}, h = 0.01;
    *a = (dense){.n = 2};
    for (int i = 0; i < 2; i++) {
        b[i] = 0;
        for (int k = 0; k < 3; k++) {
            b[i] += h * jacobian[i][k] * inverse_mass[k] * force[k];
            for (int j = 0; j < 2; j++) a->a[i][j] += jacobian[i][k] * inverse_mass[k] * jacobian[j][k];
        }
    }
}

static void translational_joint_agrees_by_hand(void **state) {
    (void)state;
    static const double matrix[2][2] = {{2.75, 1.5}, {1.5, 3}}, right[2] = {-0.0981, 0},
                        solution[2] = {-0.04905, 0.024525};
    dense a;
    double b[2], x[2] = {0};
    joint_of_two_rows(&a, b);
    for (int i = 0; i < 2; i++) {
        assert_true(fabs(b[i] - right[i]) < 1e-15);
        for (int j = 0; j < 2; j++) assert_true(fabs(a.a[i][j] - matrix[i][j]) < 1e-15);
    }
    for (int sweep = 0; sweep < 60; sweep++) /* Gauss–Seidel, row by row */
        for (int i = 0; i < 2; i++) x[i] += (b[i] - a.a[i][0] * x[0] - a.a[i][1] * x[1]) / a.a[i][i];
    for (int i = 0; i < 2; i++) assert_true(fabs(x[i] - solution[i]) < 1e-12);
}

/* The joint's rows as the tangential rows of a strongly pressed contact with large friction. */
static void translational_joint_as_a_sticking_contact(void **state) {
    (void)state;
    dense a;
    double b[2], r[3];
    joint_of_two_rows(&a, b);
    static const int first[2] = {0, 1}, column[1] = {0};
    const double block[9] = {1, 0, 0, 0, a.a[0][0], a.a[0][1], 0, a.a[1][0], a.a[1][1]},
                 q[3] = {-1, -b[0], -b[1]}, friction[1] = {10};
    const scree_problem_def def = {
        .contacts = 1, .first = first, .column = column, .blocks = block, .q = q, .friction = friction};
    scree_problem *matrix;
    CHECK(scree_problem_create(&def, &matrix));
    scree_problem_options options = scree_default_problem_options();
    options.tolerance = 1e-13;
    CHECK(scree_problem_solve(matrix, &options, r, NULL, NULL));
    assert_true(fabs(r[0] - 1) < 1e-12 && fabs(r[1] + 0.04905) < 1e-12 && fabs(r[2] - 0.024525) < 1e-12);
    scree_problem_destroy(matrix);
}

/* The joint's rows as equality rows of a bounded block, the third row unused. */
static void translational_joint_as_bounded_rows(void **state) {
    (void)state;
    dense a;
    double b[2], r[3], u[3];
    joint_of_two_rows(&a, b);
    static const int first[2] = {0, 1}, column[1] = {0};
    static const scree_block_kind kind[1] = {SCREE_BLOCK_BOUNDED};
    const double block[9] = {a.a[0][0], a.a[0][1], 0, a.a[1][0], a.a[1][1], 0, 0, 0, 1},
                 q[3] = {-b[0], -b[1], 0}, friction[1] = {0};
    const scree_problem_def def = {.contacts = 1,
                                   .first = first,
                                   .column = column,
                                   .blocks = block,
                                   .q = q,
                                   .friction = friction,
                                   .kind = kind};
    scree_problem *matrix;
    CHECK(scree_problem_create(&def, &matrix));
    scree_problem_options options = scree_default_problem_options();
    options.tolerance = 1e-13;
    CHECK(scree_problem_solve(matrix, &options, r, u, NULL));
    assert_true(fabs(r[0] + 0.04905) < 1e-13 && fabs(r[1] - 0.024525) < 1e-13 && fabs(r[2]) < 1e-13);
    for (int i = 0; i < 3; i++) assert_true(fabs(u[i]) < 1e-13);
    scree_problem_destroy(matrix);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sor_converges_between_0_and_2),
        cmocka_unit_test(pgs_converges_between_0_and_2),
        cmocka_unit_test(block_jacobi_converges_if_b_minus_c_is_spd),
        cmocka_unit_test(mass_splitting_makes_jacobi_converge),
        ON_EACH_BACKEND(body_problems_find_the_enumerated_solution),
        cmocka_unit_test(matrix_problems_find_the_enumerated_solution),
        cmocka_unit_test(bounded_rows_find_the_enumerated_solution),
        cmocka_unit_test(translational_joint_agrees_by_hand),
        cmocka_unit_test(translational_joint_as_bounded_rows),
        cmocka_unit_test(translational_joint_as_a_sticking_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
