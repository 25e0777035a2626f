/* Contact problems in FCLIB files, next to solutions of Siconos: each is solved from zero by the reference
 * and by the kernels, in double and in float, within the published iteration counts and errors. */
#pragma once

#include "device.h"
#include "expect.h"

#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include <scree/tools/fclib.h>

/* Known results of a file. `spread`: by how much (max |Δu| / |q|) independent solutions of residual < 1e-9
 * differ; 0 if they differ too much or if it is unknown, then velocities are not compared. The others are for
 * accelerated-pgs from zero in Siconos's measure: sweeps of the reference to 1e-8, and whether they end in
 * its second-order finish, sweeps of the kernels to 1e-8 in double and to 1e-4 in float, and the smallest
 * error reached by 3000 iterations in float, to one digit. Values may only improve: then change this
 * table. */
typedef struct known_problem {
    const char *name;
    double spread;
    int host;
    bool finish;
    int kernels, kernels_float;
    double best_float;
} known_problem;

/* folder of the problems and row of one test */
typedef struct problem_file {
    const char *folder;
    const known_problem *known;
} problem_file;

/* solved problem */
typedef struct file_answer {
    int count;
    double *r, *u;
    scree_problem_report report;
} file_answer;

static inline scree_problem *file_load(const char *folder, const char *name) {
    char path[1200];
    scree_problem *out = NULL;
    snprintf(path, sizeof path, "%s/%s.hdf5", folder, name);
    if (access(path, R_OK)) {
        print_message("there is no %s\n", path);
        skip();
    }
    CHECK(scree_fclib_load(path, &out));
    return out;
}

static inline scree_problem_options file_options(scree_backend_kind backend, scree_precision precision,
                                                 double tolerance) {
    scree_problem_options options = scree_default_problem_options();
    options.backend = backend, options.precision = precision, options.tolerance = tolerance;
    options.measure = SCREE_MEASURE_SICONOS, options.iterations = 100000;
    options.device = test_device(), options.threads = 1;
    return options;
}

static inline file_answer file_solve(const scree_problem *p, const scree_problem_options *options) {
    file_answer out = {.count = scree_problem_contact_count(p)};
    out.r = calloc(3 * (size_t)out.count, sizeof *out.r);
    out.u = calloc(3 * (size_t)out.count, sizeof *out.u);
    CHECK(scree_problem_solve(p, options, out.r, out.u, &out.report));
    return out;
}

static inline void file_answer_release(file_answer *x) {
    free(x->r);
    free(x->u);
}

static inline double file_error(const file_answer *x) { return x->report.residual[SCREE_MEASURE_SICONOS]; }

/* Rounds to the single digit that is published. */
static inline double one_digit(double value) {
    char text[32];
    snprintf(text, sizeof text, "%.0e", value);
    return strtod(text, NULL);
}

/* Reads /solution/u or /solution/r from the solution file next to the problem. */
static inline double *file_reference(const problem_file *of, const char *dataset, int count) {
    char path[1200];
    snprintf(path, sizeof path, "%s/%.*s.ref.hdf5", of->folder, (int)strcspn(of->known->name, "."),
             of->known->name);
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0) fail_msg("%s cannot be read", path);
    double *values = malloc(3 * (size_t)count * sizeof *values);
    const hid_t set = H5Dopen2(file, dataset, H5P_DEFAULT);
    assert_true(set >= 0 && H5Dget_storage_size(set) == 3 * (size_t)count * sizeof *values);
    assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Fclose(file);
    return values;
}

static inline double file_norm(const double *x, int count) {
    double sum = 0;
    for (int i = 0; i < count; ++i) sum += x[i] * x[i];
    return sqrt(sum);
}

/* Returns max |u − u_ref| / |q|, where q are the velocities without impulses. */
static inline double file_difference(const scree_problem *p, const problem_file *of, const file_answer *x) {
    double *theirs = file_reference(of, "solution/u", x->count),
           *zero = calloc(3 * (size_t)x->count, sizeof *zero), *q = calloc(3 * (size_t)x->count, sizeof *q),
           largest = 0, residual[SCREE_MEASURE_COUNT];
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, zero, q, residual));
    for (int i = 0; i < 3 * x->count; ++i) largest = fmax(largest, fabs(x->u[i] - theirs[i]));
    largest /= file_norm(q, 3 * x->count);
    free(theirs);
    free(zero);
    free(q);
    return largest;
}

/* The stored solution is valid: the residual of Siconos's impulses is at most 1e-11 and their velocities are
 * W r + q. */
static inline void stored_solution_is_valid(void **state) {
    const problem_file *of = *state;
    scree_problem *p = file_load(of->folder, of->known->name);
    const int count = scree_problem_contact_count(p);
    double *r = file_reference(of, "solution/r", count), *theirs = file_reference(of, "solution/u", count),
           *u = calloc(3 * (size_t)count, sizeof *u), residual[SCREE_MEASURE_COUNT], apart = 0;
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, u, residual));
    for (int i = 0; i < 3 * count; ++i) apart = fmax(apart, fabs(u[i] - theirs[i]));
    ASSERT_AT_MOST(residual[SCREE_MEASURE_SICONOS], 1e-11);
    ASSERT_AT_MOST(apart, 1e-10 * fmax(1, file_norm(theirs, 3 * count)));
    free(r);
    free(theirs);
    free(u);
    scree_problem_destroy(p);
}

static inline void host_reaches_1e_8(void **state) {
    const problem_file *of = *state;
    scree_problem *p = file_load(of->folder, of->known->name);
    const scree_problem_options options = file_options(SCREE_BACKEND_HOST, SCREE_PRECISION_DOUBLE, 1e-8);
    file_answer x = file_solve(p, &options);
    print_message("%s: %d contacts, %d sweeps, %d linear systems, error %.1e\n", of->known->name, x.count,
                  x.report.sweeps, x.report.newton_steps, file_error(&x));
    assert_int_equal(x.report.stop, SCREE_STOP_RESIDUAL);
    ASSERT_AT_MOST(file_error(&x), 1e-8);
    ASSERT_AT_MOST(x.report.sweeps, of->known->host);
    if (of->known->finish) ASSERT_AT_LEAST(x.report.newton_steps, 1);
    file_answer_release(&x);
    scree_problem_destroy(p);
}

/* Repeats the solve on the test's device; bit-equal if it rounds like native. */
static inline void file_check_device(const scree_problem *p, scree_problem_options options,
                                     const file_answer *native) {
    options.backend = SCREE_BACKEND_OPENCL;
    file_answer device = file_solve(p, &options);
    assert_int_equal(device.report.backend, SCREE_BACKEND_OPENCL);
    if (device_has_native_bits()) {
        assert_int_equal(device.report.sweeps, native->report.sweeps);
        assert_memory_equal(device.r, native->r, 3 * (size_t)native->count * sizeof *native->r);
    } else {
        assert_int_equal(device.report.stop, SCREE_STOP_RESIDUAL);
        ASSERT_AT_MOST(file_error(&device), 1.1 * options.tolerance);
    }
    file_answer_release(&device);
}

static inline void file_check_kernels(const problem_file *of, scree_precision precision, double tolerance,
                                      int sweeps) {
    scree_problem *p = file_load(of->folder, of->known->name);
    scree_problem_options options = file_options(SCREE_BACKEND_NATIVE, precision, tolerance);
    file_answer x = file_solve(p, &options);
    print_message("%s in %s: %d sweeps, error %.2e\n", of->known->name, precision ? "double" : "float",
                  x.report.sweeps, file_error(&x));
    assert_int_equal(x.report.backend, SCREE_BACKEND_NATIVE);
    assert_int_equal(x.report.stop, SCREE_STOP_RESIDUAL);
    /* The kernels stopped on their own sum of the error; this recomputes it in double from impulses rounded
     * to float. */
    ASSERT_AT_MOST(file_error(&x), (precision ? 1.001 : 1.1) * tolerance);
    ASSERT_AT_MOST(x.report.sweeps, sweeps);
    if (precision ? device_has_double() : device_is_there()) file_check_device(p, options, &x);
    file_answer_release(&x);
    scree_problem_destroy(p);
}

static inline void kernels_reach_1e_8_in_double(void **state) {
    const problem_file *of = *state;
    file_check_kernels(of, SCREE_PRECISION_DOUBLE, 1e-8, of->known->kernels);
}

static inline void kernels_reach_1e_4_in_float(void **state) {
    const problem_file *of = *state;
    file_check_kernels(of, SCREE_PRECISION_FLOAT, 1e-4, of->known->kernels_float);
}

/* The remaining error is the rounding of impulses and velocities times the condition of the problem: solving
 * every block in extended precision and rounding once gives 0.8 to 1.4 times the same errors on the eight
 * problems made for scree. */
static inline void float_reaches_its_best_error(void **state) {
    const problem_file *of = *state;
    scree_problem *p = file_load(of->folder, of->known->name);
    scree_problem_options options = file_options(SCREE_BACKEND_NATIVE, SCREE_PRECISION_FLOAT, 1e-12);
    options.iterations = 3000;
    file_answer x = file_solve(p, &options);
    print_message("%s: best error in float %.2e\n", of->known->name, file_error(&x));
    ASSERT_AT_MOST(one_digit(file_error(&x)), of->known->best_float);
    file_answer_release(&x);
    scree_problem_destroy(p);
}

/* Converged velocities agree with independent solutions within their mutual spread. */
static inline void velocities_agree_with_independent_solvers(void **state) {
    const problem_file *of = *state;
    scree_problem *p = file_load(of->folder, of->known->name);
    const scree_problem_options options = file_options(SCREE_BACKEND_HOST, SCREE_PRECISION_DOUBLE, 1e-12);
    file_answer x = file_solve(p, &options);
    const double apart = file_difference(p, of, &x);
    print_message("%s: error %.1e, velocities apart by %.1e, spread of others %.1e\n", of->known->name,
                  file_error(&x), apart, of->known->spread);
    ASSERT_AT_MOST(apart, 3 * of->known->spread + 1e-9);
    file_answer_release(&x);
    scree_problem_destroy(p);
}

enum { FILE_CHECKS = 6, FILES_MOST = 32 };

/* Runs every check of every row as a separate test, plus `more`; returns the number of failed tests. */
static inline int run_file_tests(const char *group, const char *folder, const known_problem *rows, int count,
                                 const struct CMUnitTest *more, int more_count) {
    static const struct {
        const char *name;
        CMUnitTestFunction run;
    } checks[FILE_CHECKS] = {{"their answer is one", stored_solution_is_valid},
                             {"host comes to 1e-8", host_reaches_1e_8},
                             {"kernels come to 1e-8 in double", kernels_reach_1e_8_in_double},
                             {"kernels come to 1e-4 in float", kernels_reach_1e_4_in_float},
                             {"float goes on to its best", float_reaches_its_best_error},
                             {"velocities are those of others", velocities_agree_with_independent_solvers}};
    static struct CMUnitTest tests[FILES_MOST * FILE_CHECKS + FILES_MOST];
    static char names[FILES_MOST * FILE_CHECKS][96];
    static problem_file files[FILES_MOST];
    int n = 0;
    if (count > FILES_MOST || more_count > FILES_MOST) abort();
    for (int i = 0; i < count; ++i) {
        files[i] = (problem_file){folder, &rows[i]};
        for (int k = 0; k < FILE_CHECKS; ++k) {
            if (checks[k].run == velocities_agree_with_independent_solvers && !(rows[i].spread > 0)) continue;
            snprintf(names[n], sizeof names[n], "%s: %s", rows[i].name, checks[k].name);
            tests[n] = (struct CMUnitTest){names[n], checks[k].run, NULL, NULL, &files[i]};
            n++;
        }
    }
    for (int i = 0; i < more_count; ++i) tests[n++] = more[i];
    return _cmocka_run_group_tests(group, tests, (size_t)n, NULL, NULL);
}
