/* Contact problems published by others (tests/data/README.md states where), as FCLIB files in the folder
 * SCREE_FCLIB_DIR, or in ../shared/fclib next to the checkout. */
#include "problem_files.h"

enum { SKIPPED = 77 };

static const known_problem problems[] = {
    {"boxesstack_local_problem_test", 1.3e-9, 320, true, 980, 550, 2e-6},
    {"capsules_i125_1213", 4.0e-9, 140, false, 240, 20, 1e-8},
    {"capsules_i100_1090", 1.6e-8, 320, false, 230, 10, 3e-8},
    {"confeti_ex13", 3.8e-9, 20, false, 20, 20, 8e-8},
    {"kaplastower_i1061_4", 1.7e-12, 206, false, 170, 60, 4e-7},
    {"oneobject_i1028_138", 0, 104, true, 240, 50, 5e-8},
    {"rover_4396", 3.2e-10, 20, false, 20, 20, 8e-8},
    {"rover_1039", 3.1e-9, 20, false, 20, 20, 8e-8},
    {"nespheres_10", 4.2e-10, 20, false, 20, 20, 8e-8},
    {"boxstacks_i0035_31_0", 7.7e-10, 20, false, 20, 20, 8e-8},
    {"boxstacks_i0035_31_0.local", 7.7e-10, 20, false, 20, 20, 8e-8},
    {"spheresbox98_i10000_256_10", 8.5e-10, 2068, true, 10800, 130, 7e-7},
    {"spheresbox98_i10000_256_10.local", 8.5e-10, 2068, true, 10800, 130, 7e-7},
    {"lmgc_cubes_fem_46", 9.9e-11, 20, false, 20, 20, 8e-8},
    {"lmgc_cubes_fem_46.local", 9.9e-11, 20, false, 20, 20, 8e-8},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

static const char *folder(void) {
    const char *given = getenv("SCREE_FCLIB_DIR");
    return given && *given ? given : SCREE_SOURCE_DIR "/../shared/fclib";
}

/* Local files of the same problems were condensed by others: their W and q must give our u for the same r. */
static void condensed_problem_matches_others(const char *name) {
    char local[128];
    snprintf(local, sizeof local, "%s.local", name);
    scree_problem *ours = file_load(folder(), name), *theirs = file_load(folder(), local);
    const int count = scree_problem_contact_count(ours);
    assert_true(scree_problem_dof_count(ours) > 0 && scree_problem_dof_count(theirs) == 0);
    assert_int_equal(count, scree_problem_contact_count(theirs));
    double *r = calloc(9 * (size_t)count, sizeof *r), *u = r + 3 * count, *v = r + 6 * count, size = 0,
           off = 0;
    double residual[SCREE_MEASURE_COUNT];
    for (int i = 0; i < 3 * count; ++i) r[i] = sin(1.0 + i);
    CHECK(scree_problem_compute_residual(ours, SCREE_LAW_COULOMB, r, u, residual));
    CHECK(scree_problem_compute_residual(theirs, SCREE_LAW_COULOMB, r, v, residual));
    for (int i = 0; i < 3 * count; ++i) size = fmax(size, fabs(v[i])), off = fmax(off, fabs(u[i] - v[i]));
    ASSERT_AT_MOST(off, 1e-9 * size);
    free(r);
    scree_problem_destroy(ours);
    scree_problem_destroy(theirs);
}

static void boxes_are_condensed_as_by_others(void **state) {
    (void)state;
    condensed_problem_matches_others("boxstacks_i0035_31_0");
}

static void spheres_are_condensed_as_by_others(void **state) {
    (void)state;
    condensed_problem_matches_others("spheresbox98_i10000_256_10");
}

static void finite_elements_are_condensed_as_by_others(void **state) {
    (void)state;
    condensed_problem_matches_others("lmgc_cubes_fem_46");
}

/* Plain sweeps solve what Siconos's NSGS solves with 12 and 2302 forward sweeps: within a factor of two, as
 * ours go forward and backward. */
static void plain_sweeps_are_about_as_many_as_nsgs(void **state) {
    (void)state;
    static const double tolerance[2] = {1e-4, 1e-8};
    static const int nsgs[2] = {12, 2302};
    scree_problem *p = file_load(folder(), "capsules_i125_1213");
    for (int i = 0; i < 2; ++i) {
        scree_problem_options options =
            file_options(SCREE_BACKEND_REFERENCE, SCREE_PRECISION_DOUBLE, tolerance[i]);
        options.method = SCREE_METHOD_PGS;
        file_answer x = file_solve(p, &options);
        assert_int_equal(x.report.stop, SCREE_STOP_RESIDUAL);
        ASSERT_AT_LEAST(x.report.sweeps, nsgs[i] / 2);
        ASSERT_AT_MOST(x.report.sweeps, 2 * nsgs[i]);
        file_answer_release(&x);
    }
    scree_problem_destroy(p);
}

int main(void) {
    const struct CMUnitTest more[] = {cmocka_unit_test(boxes_are_condensed_as_by_others),
                                      cmocka_unit_test(spheres_are_condensed_as_by_others),
                                      cmocka_unit_test(finite_elements_are_condensed_as_by_others),
                                      cmocka_unit_test(plain_sweeps_are_about_as_many_as_nsgs)};
    if (access(folder(), R_OK)) {
        printf("# there is no folder %s: SCREE_FCLIB_DIR names one with the problems of others\n", folder());
        return getenv("SCREE_FCLIB_DIR") ? 1 : SKIPPED;
    }
    return run_file_tests("public problems", folder(), problems, PROBLEMS, more, 4);
}
