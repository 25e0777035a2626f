/* Infeasible problems: no residual certifies them, and every backend reports them; feasible problems are
 * never reported. */
#include "device.h"
#include "expect.h"
#include "problem/contact_problem.h"
#include "problem/feasibility.h"
#include "random.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <dirent.h>
#include <string.h>

static uint64_t seed = 11;

static double noise(void) { return random_noise(&seed); }

enum { MOST = 40, DIMENSIONS = 24 };

/* contacts as rows of J over some degrees of freedom of unit mass: W = J Jᵀ */
typedef struct pile {
    int contacts;
    double j[3 * MOST][DIMENSIONS], q[3 * MOST];
} pile;

static scree_problem *problem_of(const pile *self, double friction) {
    static int first[MOST + 1], column[MOST * MOST];
    static double blocks[9 * MOST * MOST], mu[MOST];
    const int n = self->contacts;
    for (int a = 0; a < n; ++a) {
        mu[a] = friction, first[a + 1] = n * (a + 1);
        for (int b = 0; b < n; ++b) {
            column[n * a + b] = b;
            for (int e = 0; e < 9; ++e) {
                double *entry = &blocks[9 * (n * a + b) + e];
                *entry = 0;
                for (int k = 0; k < DIMENSIONS; ++k)
                    *entry += self->j[3 * a + e / 3][k] * self->j[3 * b + e % 3][k];
            }
        }
    }
    const scree_problem_def def = {
        .contacts = n, .first = first, .column = column, .blocks = blocks, .q = self->q, .friction = mu};
    scree_problem *out = NULL;
    CHECK(scree_problem_create(&def, &out));
    return out;
}

/* Asserts that every backend, in every measure, reports infeasible within a few hundred iterations. */
static void expect_none(const scree_problem *p, const char *what) {
    double *r = calloc(6 * (size_t)scree_problem_contact_count(p), sizeof *r), residual[SCREE_MEASURE_COUNT];
    static const scree_backend_kind backends[] = {SCREE_BACKEND_HOST, SCREE_BACKEND_NATIVE,
                                                  SCREE_BACKEND_REFERENCE, SCREE_BACKEND_OPENCL};
    for (int b = 0; b < (device_has_double() ? 4 : 3); ++b)
        for (int m = 0; m < SCREE_MEASURE_COUNT; ++m)
            for (int k = 0; k < SCREE_METHOD_COUNT; ++k) {
                const bool kernels = b == 1 || b == 3;
                if (!kernels && k != SCREE_METHOD_PGS && k != SCREE_METHOD_ACCELERATED_PGS) continue;
                scree_problem_options options = scree_default_problem_options();
                options.backend = backends[b], options.device = test_device(), options.threads = 1;
                options.measure = (scree_measure)m, options.method = (scree_method)k;
                options.iterations = b == 2 ? 500 : 50000;
                scree_problem_report report;
                CHECK(scree_problem_solve(p, &options, r, NULL, &report));
                if (report.stop != SCREE_STOP_INFEASIBLE || report.iterations > 1000)
                    fail_msg("%s: %s by %s in measure %s stopped by %s after %d iterations, residual %g",
                             what, scree_backend_name(backends[b]), scree_method_name(options.method),
                             scree_measure_name(options.measure), scree_stop_name(report.stop),
                             report.iterations, report.residual[m]);
                if (!(report.residual[SCREE_MEASURE_SCALED] >= 1e-5))
                    fail_msg("%s: %s by %s in measure %s: residual %g", what, scree_backend_name(backends[b]),
                             scree_method_name(options.method), scree_measure_name(options.measure),
                             report.residual[SCREE_MEASURE_SCALED]);
            }
    /* However large the impulses are. */
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, NULL, residual));
    for (int i = 0; i < 3 * scree_problem_contact_count(p); ++i) r[i] *= i % 3 ? 0 : 1e8;
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, NULL, residual));
    ASSERT_AT_LEAST(residual[SCREE_MEASURE_SCALED], 1e-5);
    free(r);
}

static void immovable_contacts_are_infeasible(void **state) {
    (void)state;
    const pile self = {.contacts = 1, .q = {-1, 3, 0}};
    scree_problem *p = problem_of(&self, 0.5);
    const double r[3] = {0, 0, 0};
    double residual[SCREE_MEASURE_COUNT];
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, NULL, residual));
    ASSERT_AT_LEAST(residual[SCREE_MEASURE_SCALED], 3e-4);
    expect_none(p, "a block that nothing can move");
    scree_problem_destroy(p);
}

/* A heap is crushed at the velocity that gravity adds in a step, and separately a sphere is on a belt at 5
 * m/s. Relative to that the violation is below the tolerance, until growing impulses raise the natural
 * map. */
static void a_fast_contact_does_not_hide_infeasibility(void **state) {
    (void)state;
    const pile self = {.contacts = 3,
                       .j = {[0] = {1}, [3] = {-1}, [6] = {0, 1}, [7] = {0, 0, 1}, [8] = {0, 0, 0, 1}},
                       .q = {-0.04, 0, 0, -0.04, 0, 0, -0.08, 5, 0}};
    static const scree_backend_kind backends[] = {SCREE_BACKEND_HOST, SCREE_BACKEND_NATIVE,
                                                  SCREE_BACKEND_REFERENCE, SCREE_BACKEND_OPENCL};
    scree_problem *p = problem_of(&self, 0.5);
    for (int b = 0; b < (device_has_double() ? 4 : 3); ++b) {
        scree_problem_options options = scree_default_problem_options();
        options.backend = backends[b], options.device = test_device(), options.threads = 1;
        options.tolerance = 1e-4, options.iterations = 2000;
        scree_problem_report report;
        CHECK(scree_problem_solve(p, &options, NULL, NULL, &report));
        if (report.stop != SCREE_STOP_INFEASIBLE)
            fail_msg("%s stopped by %s, residual %g", scree_backend_name(backends[b]),
                     scree_stop_name(report.stop), report.residual[SCREE_MEASURE_SCALED]);
    }
    scree_problem_destroy(p);
}

/* Spheres in a column between the ground and a descending plate; the first case has one sphere, and only the
 * ends are driven. */
static void crushed_columns_are_infeasible(void **state) {
    (void)state;
    for (int spheres = 1; spheres <= 8; spheres += 7) {
        pile self = {.contacts = spheres + 1};
        for (int i = 0; i <= spheres; ++i)
            for (int row = 0; row < 3; ++row) { /* sphere i − 1 below, i above */
                if (i > 0) self.j[3 * i + row][3 * (i - 1) + row] = -1;
                if (i < spheres) self.j[3 * i + row][3 * i + row] = 1;
            }
        self.q[3 * spheres] = -1;
        if (spheres == 1) self.q[0] = -1;
        scree_problem *p = problem_of(&self, 0.5);
        expect_none(p, spheres == 1 ? "a sphere" : "a column");
        scree_problem_destroy(p);
    }
}

/* Makes random rows, the last normal row minus a positive sum of others: d = (those, 1) has Jᵀ d = 0. */
static pile random_pile(bool feasible) {
    pile self = {.contacts = 3 + (int)(fabs(noise()) * 9)};
    const int n = self.contacts > 3 ? self.contacts : 3, loop = 2 + (int)(fabs(noise()) * (n - 2));
    double against = 0, velocity[DIMENSIONS], weight[MOST];
    for (int i = 0; i < 3 * n; ++i)
        for (int k = 0; k < DIMENSIONS; ++k) self.j[i][k] = noise();
    memset(self.j[3 * n - 3], 0, sizeof self.j[0]);
    for (int a = 0; a < loop && a < n - 1; ++a) {
        weight[a] = 0.2 + fabs(noise());
        for (int k = 0; k < DIMENSIONS; ++k) self.j[3 * n - 3][k] -= weight[a] * self.j[3 * a][k];
    }
    for (int k = 0; k < DIMENSIONS; ++k) velocity[k] = noise();
    for (int i = 0; i < 3 * n; ++i) { /* J v, which the bodies can cancel, and opening gaps */
        self.q[i] = i % 3 ? 0 : 0.1 * fabs(noise());
        for (int k = 0; k < DIMENSIONS; ++k) self.q[i] += self.j[i][k] * velocity[k];
    }
    if (feasible) return self;
    for (int a = 0; a < loop && a < n - 1; ++a) against += weight[a] * 0.1; /* more than d·q can be */
    self.q[3 * n - 3] -= against + 0.1 + 0.2 * fabs(noise());
    return self;
}

static void random_problems_are_classified(void **state) {
    (void)state;
    int solved = 0;
    for (int i = 0; i < 120; ++i) {
        const bool feasible = i % 2 == 0;
        const pile self = random_pile(feasible);
        scree_problem *p = problem_of(&self, i % 3 ? 0.3 : 0);
        if (!feasible && i < 20) expect_none(p, "a random problem");
        scree_problem_options options = scree_default_problem_options();
        scree_problem_report report;
        options.iterations = 5000;
        for (int b = 0; b < 2; ++b) {
            options.backend = b ? SCREE_BACKEND_NATIVE : SCREE_BACKEND_HOST, options.threads = 1;
            CHECK(scree_problem_solve(p, &options, NULL, NULL, &report));
            if (feasible) {
                assert_int_not_equal(report.stop, SCREE_STOP_INFEASIBLE);
                solved += report.stop == SCREE_STOP_RESIDUAL;
            } else {
                assert_int_equal(report.stop, SCREE_STOP_INFEASIBLE);
                ASSERT_AT_LEAST(report.residual[SCREE_MEASURE_SCALED], 1e-5);
            }
        }
        scree_problem_destroy(p);
    }
    print_message("%d of 120 feasible ones solved\n", solved);
    ASSERT_AT_LEAST(solved, 110);
}

/* Long searches report none of the problem files in tests/data/problems and SCREE_FCLIB_DIR. */
static void feasible_files_are_not_reported(void **state) {
    (void)state;
    static const char *const folders[] = {SCREE_SOURCE_DIR "/tests/data/problems",
                                          SCREE_SOURCE_DIR "/../shared/fclib"};
    int asked = 0;
    for (int f = 0; f < 2; ++f) {
        const char *given = f ? getenv("SCREE_FCLIB_DIR") : NULL,
                   *path = given && *given ? given : folders[f];
        DIR *folder = opendir(path);
        for (struct dirent *entry; folder && (entry = readdir(folder));) {
            char file[1024];
            if (!strstr(entry->d_name, ".hdf5") || strstr(entry->d_name, ".ref.")) continue;
            snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
            scree_problem *p = NULL;
            CHECK(scree_fclib_load(file, &p));
            infeasibility found;
            CHECK(feasibility_test(&p->a, &(feasibility_goal){.work = 2e6}, &found));
            if (found.proven) fail_msg("%s is called infeasible at contact %d", file, found.block);
            scree_problem_destroy(p);
            ++asked;
        }
        if (folder) closedir(folder);
    }
    print_message("%d files\n", asked);
    ASSERT_AT_LEAST(asked, 8);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(immovable_contacts_are_infeasible),
        cmocka_unit_test(a_fast_contact_does_not_hide_infeasibility),
        cmocka_unit_test(crushed_columns_are_infeasible),
        cmocka_unit_test(random_problems_are_classified),
        cmocka_unit_test(feasible_files_are_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
