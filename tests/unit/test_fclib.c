/* Problems as arrays and as FCLIB files: meaning of the numbers, storage formats, rejected files, writing;
 * residuals by hand. */
#include "expect.h"
#include "folder.h"
#include "spoiled_problem.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

static folder files;

static scree_problem *load(const char *path) {
    scree_problem *out = NULL;
    CHECK(scree_fclib_load(path, &out));
    return out;
}

/* Asserts u = W r + q with the dense matrix. */
static void assert_operator(const scree_problem *p) {
    double residual[SCREE_MEASURE_COUNT], u[6];
    assert_int_equal(scree_problem_contact_count(p), 2);
    for (int k = 0; k < 7; ++k) {
        double r[6] = {0};
        if (k < 6) r[k] = 1.5;
        CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, u, residual));
        for (int i = 0; i < 6; ++i)
            assert_true(fabs(u[i] - (q6[i] + (k < 6 ? 1.5 * w6[6 * i + k] : 0))) < 1e-14);
    }
}

static void every_form_of_a_matrix_is_read(void **state) {
    (void)state;
    for (int form = FCLIB_TRIPLETS; form <= FCLIB_ROWS; ++form) {
        const char *path = folder_file(&files, "form.hdf5");
        put_local(path, (fclib_form)form);
        scree_problem *p = load(path);
        assert_operator(p);
        scree_problem_destroy(p);
    }
}

/* An entry split in two, arrays longer than the used length, and entries in any order. */
static void repeated_triplets_are_added(void **state) {
    (void)state;
    const char *path = folder_file(&files, "triplets.hdf5");
    put_local(path, FCLIB_TRIPLETS);
    int row[80], column[80], count = 0;
    double x[80];
    for (int half = 0; half < 2; ++half)
        for (int k = 35; k >= 0; --k)
            if (w6[k] != 0) row[count] = k / 6, column[count] = k % 6, x[count++] = w6[k] / 2;
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    row[count] = column[count] = 1000, x[count] = 1; /* after the used length */
    fclib_put_integer(file, "fclib_local/W/nz", count);
    fclib_put_integers(file, "fclib_local/W/i", row, (size_t)count + 1);
    fclib_put_integers(file, "fclib_local/W/p", column, (size_t)count + 1);
    fclib_put_numbers(file, "fclib_local/W/x", x, (size_t)count + 1);
    H5Fclose(file);
    scree_problem *p = load(path);
    assert_operator(p);
    scree_problem_destroy(p);
}

/* W from arrays, in scattered and repeated blocks. */
static void arrays_make_the_same_problem(void **state) {
    (void)state;
    const int first[3] = {0, 3, 5}, column[5] = {1, 0, 1, 1, 0};
    double blocks[45];
    for (int k = 0; k < 5; ++k)
        for (int e = 0; e < 9; ++e)
            blocks[9 * k + e] =
                (k == 0 || k == 2 ? 0.5 : 1) * w6[6 * (3 * (k >= 3) + e / 3) + 3 * column[k] + e % 3];
    scree_problem_def def = {
        .contacts = 2, .first = first, .column = column, .blocks = blocks, .q = q6, .friction = mu2};
    scree_problem *p = NULL;
    CHECK(scree_problem_create(&def, &p));
    assert_int_equal(scree_problem_block_count(p), 4);
    assert_operator(p);
    scree_problem_destroy(p);

    const int wrong_column[5] = {1, 0, 2, 1, 0}, wrong_first[3] = {0, 5, 3};
    const double negative[2] = {0.5, -0.1}, infinite[6] = {0, 0, 0, 0, 0, (double)INFINITY};
    p = NULL;
    scree_problem_def wrong = def;
    wrong.column = wrong_column;
    assert_int_equal(scree_problem_create(&wrong, &p), SCREE_ERROR_ARGUMENT);
    wrong = def, wrong.first = wrong_first;
    assert_int_equal(scree_problem_create(&wrong, &p), SCREE_ERROR_ARGUMENT);
    wrong = def, wrong.friction = negative;
    assert_int_equal(scree_problem_create(&wrong, &p), SCREE_ERROR_ARGUMENT);
    wrong = def, wrong.q = infinite;
    assert_int_equal(scree_problem_create(&wrong, &p), SCREE_ERROR_ARGUMENT);
    wrong = def, wrong.blocks = NULL;
    assert_int_equal(scree_problem_create(&wrong, &p), SCREE_ERROR_ARGUMENT);
    assert_null(p);
}

/* One contact, W = 2, q = (−3, 4, 0), μ = 1/2, and r = 0: then u = q, û = (−3 + 2, 4, 0) = (−1, 4, 0). ρ = 1:
 * r − û = (1, −4, 0) lies outside the cone and its polar; its projection has y_N = (1 + 4/2)/(1 + 1/4) = 2.4
 * and y_T = −1.2, so ‖F‖ = √(2.4² + 1.2²) = √7.2. Siconos divides by ‖q‖ = 5, FCLIB by 1 + √5. ρ = 3/trace =
 * 1/2 halves the point, and F: √7.2/2; the violation −ρ u_N = 3/2 is larger. It is also the scale, since r = 0.
 * The pyramid's box is empty except for r_N: F = (3, 0, 0).
 *
 * With r = (1, 0, 0): u = (−1, 4, 0), û = (1, 4, 0), r − û/2 = (1/2, −2, 0), whose projection has y_N = (1/2 +
 * 1)/(5/4) = 1.2 and y_T = −0.6: F = (−0.2, 0.6, 0). Without the contact's part in the scale, ‖F‖ would be
 * divided by ‖r‖ = 1 or by ‖ρ q‖ = 5/2. */
static void residuals_agree_with_hand_calculation(void **state) {
    (void)state;
    const int first[2] = {0, 1}, column[1] = {0};
    const double block[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-3, 4, 0}, mu = 0.5, zero[3] = {0, 0, 0};
    const scree_problem_def def = {
        .contacts = 1, .first = first, .column = column, .blocks = block, .q = q, .friction = &mu};
    scree_problem *p = NULL;
    double e[SCREE_MEASURE_COUNT];
    CHECK(scree_problem_create(&def, &p));
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, zero, NULL, e));
    assert_true(fabs(e[SCREE_MEASURE_SICONOS] - sqrt(7.2) / 5) < 1e-15);
    assert_true(fabs(e[SCREE_MEASURE_FCLIB] - sqrt(7.2) / (1 + sqrt(5))) < 1e-15);
    assert_true(fabs(e[SCREE_MEASURE_SCALED] - 1) < 1e-15);
    const double some[3] = {1, 0, 0};
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, some, NULL, e));
    assert_true(fabs(e[SCREE_MEASURE_SCALED] - sqrt(0.4) / 1.5) < 1e-15);
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_PYRAMID, zero, NULL, e));
    assert_true(fabs(e[SCREE_MEASURE_SICONOS] - 3.0 / 5) < 1e-15);

    /* Sliding: r_N = 3/2, r_T = −μ r_N, u = (0, 4 − 3/2, 0): F = 0 in every measure. */
    const double sliding[3] = {1.5, -0.75, 0};
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, sliding, NULL, e));
    for (int m = 0; m < SCREE_MEASURE_COUNT; ++m) assert_true(e[m] < 1e-15);
    double history[64], r[3], u[3];
    scree_problem_options options = scree_default_problem_options();
    scree_problem_report report;
    options.history = history, options.history_capacity = 64, options.tolerance = 1e-14;
    CHECK(scree_problem_solve(p, &options, r, u, &report));
    for (int i = 0; i < 3; ++i) assert_true(fabs(r[i] - sliding[i]) < 1e-13);
    assert_int_equal(report.stop, SCREE_STOP_RESIDUAL);
    assert_true(report.history_count >= 2 && fabs(history[0] - 1) < 1e-15);
    assert_true(history[report.history_count - 1] <= 1e-14 && report.worst == 0);

    /* Associated: u_N = μ ‖u_T‖ with r = r_N (1, −1/2, 0): −3 + 2 r_N = (4 − r_N)/2, so r_N = 2 and the
     * contact lifts off at 1. */
    options.law = SCREE_LAW_ASSOCIATED;
    CHECK(scree_problem_solve(p, &options, r, u, &report));
    assert_true(fabs(r[0] - 2) < 1e-13 && fabs(r[1] + 1) < 1e-13 && fabs(u[0] - 1) < 1e-13 &&
                fabs(u[1] - 2) < 1e-13);
    assert_true(report.residual[SCREE_MEASURE_SICONOS] < 1e-14);
    scree_problem_destroy(p);
}

/* A sphere of mass 2 and inertia 0.1 with one contact, and a body of three coupled degrees of freedom with
 * another; M given by one triangle. */
static void global_problems_are_condensed(void **state) {
    (void)state;
    /* dofs: 0, 1, 2 translation of the sphere, 3 … 5 the other body */
    static const double mass[36] = {2, 0, 0, 0, 0, 0, /* */ 0, 2, 0, 0, 0, 0, /* */ 0, 0, 2, 0, 0, 0, /* */
                                    0, 0, 0, 4, 1, 0, /* */ 0, 0, 0, 0, 3, 0, /* */ 0, 0, 0, 0, 0, 5};
    /* contact 0 between both bodies, contact 1 on the second alone; columns are unit directions */
    static const double directions[36] = {
        -1, 0, 0, 0, 0, 0, /* */ 0, -1, 0, 0, 0, 0, /* */ 0, 0, -1, 0, 0, 0, /* */
        1,  0, 0, 1, 0, 0, /* */ 0, 1,  0, 0, 1, 0, /* */ 0, 0, 1,  0, 0, 1};
    static const double force[6] = {1, 2, 3, 4, 5, 6}, drive[6] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
    const char *path = folder_file(&files, "global.hdf5"), *solved = folder_file(&files, "solved.hdf5");
    const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    fclib_put_integer(file, "fclib_global/spacedim", 3);
    fclib_put_matrix(file, "fclib_global/M", FCLIB_ROWS, 6, 6, mass);
    fclib_put_matrix(file, "fclib_global/H", FCLIB_TRIPLETS, 6, 6, directions);
    fclib_put_numbers(file, "fclib_global/vectors/f", force, 6);
    fclib_put_numbers(file, "fclib_global/vectors/w", drive, 6);
    fclib_put_numbers(file, "fclib_global/vectors/mu", mu2, 2);
    const double guess[6] = {1, 0, 0, 2, 0, 0};
    fclib_put_integer(file, "guesses/number_of_guesses", 1);
    fclib_put_numbers(file, "guesses/1/r", guess, 6);
    H5Fclose(file);
    scree_problem *p = load(path);
    assert_int_equal(scree_problem_dof_count(p), 6);
    for (int i = 0; i < 6; ++i) assert_true(scree_problem_get_warm_start(p)[i] == guess[i]);

    /* M's second block mirrored is (4, 1; 1, 3), its inverse (3, −1; −1, 4)/11. */
    const double r[6] = {1, -2, 0.5, 3, 0.25, -1};
    double v[6], u[6], stored[6], e[SCREE_MEASURE_COUNT];
    for (int i = 0; i < 3; ++i) v[i] = (force[i] - r[i]) / 2;
    const double a = force[3] + r[0] + r[3], b = force[4] + r[1] + r[4];
    v[3] = (3 * a - b) / 11, v[4] = (4 * b - a) / 11, v[5] = (force[5] + r[2] + r[5]) / 5;
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, u, e));
    for (int i = 0; i < 3; ++i) {
        assert_true(fabs(u[i] - (v[3 + i] - v[i] + drive[i])) < 1e-14);
        assert_true(fabs(u[3 + i] - (v[3 + i] + drive[3 + i])) < 1e-14);
    }
    CHECK(scree_fclib_save_solution(p, path, solved, r, u));
    const hid_t out = H5Fopen(solved, H5F_ACC_RDONLY, H5P_DEFAULT);
    const hid_t set = H5Dopen2(out, "solution/v", H5P_DEFAULT);
    assert_true(set >= 0 && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, stored) >= 0);
    H5Dclose(set);
    H5Fclose(out);
    for (int i = 0; i < 6; ++i) assert_true(fabs(stored[i] - v[i]) < 1e-14);
    scree_problem_destroy(p);
    scree_problem_destroy(load(solved)); /* a problem with a solution is still accepted */
}

/* Writing and reading preserves every bit; a solution can overwrite itself. */
static void problems_survive_writing(void **state) {
    (void)state;
    const char *path = folder_file(&files, "one.hdf5"), *other = folder_file(&files, "two.hdf5");
    put_local(path, FCLIB_COLUMNS);
    scree_problem *p = load(path);
    scree_problem_options options = scree_default_problem_options();
    scree_problem_report report;
    double r[6], u[6], again[6], e[SCREE_MEASURE_COUNT];
    options.tolerance = 1e-12;
    CHECK(scree_problem_solve(p, &options, r, u, &report));
    assert_int_equal(report.stop, SCREE_STOP_RESIDUAL);
    CHECK(scree_fclib_save(p, other, r, u));
    scree_problem *copy = load(other);
    assert_operator(copy);
    CHECK(scree_problem_compute_residual(copy, SCREE_LAW_COULOMB, r, again, e));
    assert_memory_equal(u, again, sizeof u);
    CHECK(scree_fclib_save_solution(p, path, path, r, u));
    CHECK(scree_fclib_save_solution(p, path, path, r, u));
    scree_problem_destroy(copy);
    scree_problem_destroy(p);
    scree_problem_destroy(load(path));
    assert_int_equal(folder_count(&files, "tmp"), 0);
}

static void invalid_files_are_rejected_by_dataset(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof spoiled_list / sizeof *spoiled_list; ++i) {
        const char *path = folder_file(&files, "spoiled.hdf5");
        scree_problem *p = NULL;
        put_local(path, FCLIB_ROWS);
        spoil(path, &spoiled_list[i]);
        assert_int_equal(scree_fclib_load(path, &p), spoiled_list[i].result);
        assert_null(p);
        if (!strstr(scree_error_get_message(), spoiled_list[i].said) ||
            !strstr(scree_error_get_message(), "spoiled.hdf5"))
            fail_msg("%zu: \"%s\" does not name %s", i, scree_error_get_message(), spoiled_list[i].said);
    }
}

/* A decreasing row pointer, and an index out of range. */
static void indices_are_checked(void **state) {
    (void)state;
    const int back[7] = {0, 8, 4, 9, 12, 15, 18}, outside[18] = {0, 1, 3, 5, 0, 1, 4, 2, 6},
              late[7] = {1, 4, 7, 9, 12, 15, 18};
    for (int k = 0; k < 3; ++k) {
        const char *path = folder_file(&files, "indices.hdf5");
        scree_problem *p = NULL;
        put_local(path, FCLIB_ROWS);
        const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        if (k == 0) fclib_put_integers(file, "fclib_local/W/p", back, 7);
        if (k == 1) fclib_put_integers(file, "fclib_local/W/i", outside, 18);
        if (k == 2) fclib_put_integers(file, "fclib_local/W/p", late, 7);
        H5Fclose(file);
        assert_int_equal(scree_fclib_load(path, &p), SCREE_ERROR_FORMAT);
    }
}

static void singular_and_large_masses_are_rejected(void **state) {
    (void)state;
    enum { LARGE = 2001 };
    const char *path = folder_file(&files, "mass.hdf5");
    static double force[LARGE], x[2 * LARGE];
    static int row[2 * LARGE], column[2 * LARGE];
    for (int large = 0; large < 2; ++large) {
        const int n = large ? LARGE : 3;
        const double zero[3] = {0}, mu = 0.5, h[27] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
        const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
        fclib_put_integer(file, "fclib_global/spacedim", 3);
        int count = 0;
        for (int i = 0; i + 1 < n; ++i)
            row[count] = i, column[count] = i + 1, x[count++] = 1; /* one triangle of a chain */
        fclib_put_integer(file, "fclib_global/M/m", n);
        fclib_put_integer(file, "fclib_global/M/n", n);
        fclib_put_integer(file, "fclib_global/M/nz", count);
        fclib_put_integers(file, "fclib_global/M/i", row, (size_t)count);
        fclib_put_integers(file, "fclib_global/M/p", column, (size_t)count);
        fclib_put_numbers(file, "fclib_global/M/x", x, (size_t)count);
        fclib_put_matrix(file, "fclib_global/H", FCLIB_TRIPLETS, 3, 3, h);
        fclib_put_integer(file, "fclib_global/H/m", n);
        fclib_put_numbers(file, "fclib_global/vectors/f", force, (size_t)n);
        fclib_put_numbers(file, "fclib_global/vectors/w", zero, 3);
        fclib_put_numbers(file, "fclib_global/vectors/mu", &mu, 1);
        H5Fclose(file);
        scree_problem *p = NULL;
        assert_int_equal(scree_fclib_load(path, &p), large ? SCREE_ERROR_CAPACITY : SCREE_ERROR_FORMAT);
        assert_non_null(strstr(scree_error_get_message(), "M"));
        assert_null(p);
    }
}

/* The problem of a world's step, solved separately, gives that step's impulses. */
static void a_worlds_step_is_a_problem(void **state) {
    (void)state;
    scree_world_def def = scree_default_world_def();
    def.backend = SCREE_BACKEND_REFERENCE;
    def.threads = 1;
    scree_world *world = NULL;
    scree_body_id id;
    scree_problem *p = NULL;
    CHECK(scree_world_create(&def, &world));
    CHECK(scree_problem_from_world(world, &p));
    assert_int_equal(scree_problem_contact_count(p), 0);
    scree_problem_destroy(p);
    scree_body_def ground = scree_default_body_def(), ball = scree_default_body_def();
    ground.type = SCREE_BODY_STATIC;
    ground.shape = scree_shape_box(1, 1, 0.5f);
    ground.state.position = (scree_vec3){0, 0, -0.5f};
    ball.shape = scree_shape_sphere(0.1f);
    ball.mass = 2;
    ball.state.position = (scree_vec3){0, 0, 0.1f};
    CHECK(scree_body_create(world, &ground, &id));
    CHECK(scree_body_create(world, &ball, &id));
    CHECK(scree_world_step(world, NULL));
    CHECK(scree_problem_from_world(world, &p));
    assert_int_equal(scree_problem_contact_count(p), 1);
    double r[3], u[3], e[SCREE_MEASURE_COUNT];
    scree_problem_options options = scree_default_problem_options();
    CHECK(scree_problem_solve(p, &options, r, u, NULL));
    const double weight = 2 * 9.81 * def.time_step;
    assert_true(fabs(r[0] - weight) < 1e-4 * weight && fabs(u[0]) < 1e-6);
    assert_true(fabs(scree_problem_get_warm_start(p)[0] - weight) < 1e-4 * weight);
    CHECK(scree_problem_compute_residual(p, SCREE_LAW_COULOMB, r, u, e));
    assert_true(e[SCREE_MEASURE_SCALED] <= 1e-8);
    scree_problem_destroy(p);
    scree_world_destroy(world);
}

static void invalid_options_are_rejected(void **state) {
    (void)state;
    const char *path = folder_file(&files, "options.hdf5");
    put_local(path, FCLIB_ROWS);
    scree_problem *p = load(path);
    const scree_problem_options good = scree_default_problem_options();
    const double infinite[6] = {(double)INFINITY};
    scree_problem_options wrong = good;
    wrong.tolerance = -1;
    assert_int_equal(scree_problem_solve(p, &wrong, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    wrong = good, wrong.iterations = 0;
    assert_int_equal(scree_problem_solve(p, &wrong, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    wrong = good, wrong.measure = SCREE_MEASURE_COUNT;
    assert_int_equal(scree_problem_solve(p, &wrong, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    wrong = good, wrong.law = SCREE_LAW_COUNT;
    assert_int_equal(scree_problem_solve(p, &wrong, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    wrong = good, wrong.start = infinite;
    assert_int_equal(scree_problem_solve(p, &wrong, NULL, NULL, NULL), SCREE_ERROR_ARGUMENT);
    CHECK(scree_problem_solve(p, &good, NULL, NULL, NULL));
    scree_problem_destroy(p);
    scree_problem_destroy(NULL);
}

int main(void) {
    files = folder_make();
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_form_of_a_matrix_is_read),
                                       cmocka_unit_test(repeated_triplets_are_added),
                                       cmocka_unit_test(arrays_make_the_same_problem),
                                       cmocka_unit_test(residuals_agree_with_hand_calculation),
                                       cmocka_unit_test(global_problems_are_condensed),
                                       cmocka_unit_test(problems_survive_writing),
                                       cmocka_unit_test(invalid_files_are_rejected_by_dataset),
                                       cmocka_unit_test(indices_are_checked),
                                       cmocka_unit_test(singular_and_large_masses_are_rejected),
                                       cmocka_unit_test(a_worlds_step_is_a_problem),
                                       cmocka_unit_test(invalid_options_are_rejected)};
    const int failed = cmocka_run_group_tests_name("FCLIB", tests, NULL, NULL);
    folder_remove(&files);
    return failed;
}
