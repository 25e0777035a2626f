/* measurements.csv, read back by an independent parser, contains the same doubles. */
#include "expect.h"

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include <float.h>
#include <locale.h>

#include "folder.h"

enum { FIELDS = 128, LINE = 8192 };

/* a line split at its commas */
typedef struct row {
    char text[LINE];
    const char *fields[FIELDS];
    int count;
} row;

static bool next_row(FILE *file, row *out) {
    if (!fgets(out->text, LINE, file)) return false;
    char *end = strchr(out->text, '\n');
    assert_non_null(end);
    *end = 0;
    out->count = 0;
    for (char *field = out->text; field; ++out->count) {
        assert_true(out->count < FIELDS);
        out->fields[out->count] = field;
        field = strchr(field, ',');
        if (field) *field++ = 0;
    }
    return true;
}

static const char *field_of(const row *header, const row *values, const char *name) {
    for (int i = 0; i < header->count; ++i)
        if (!strcmp(header->fields[i], name)) return values->fields[i];
    fail_msg("there is no column %s", name);
    return "";
}

static double number_of(const row *header, const row *values, const char *name) {
    char *end;
    const char *text = field_of(header, values, name);
    const double value = strtod(text, &end);
    assert_true(*text && !*end);
    return value;
}

static scree_statistics make_statistics(uint64_t step) {
    const double x = (double)step;
    return (scree_statistics){
        .step = step,
        .time = x / 120,
        .bodies = 20001,
        .dynamic_bodies = 20000,
        .pairs = 61234,
        .touching = 50123,
        .contacts = 54321,
        .late = 2,
        .colours = 11,
        .remainder = 3,
        .cache_hits = 50000,
        .regrown = 1,
        .joint_error_max = 1e-3 / 3,
        .joint_angle_error_max = 1e-2 / 3,
        .solve = {.iterations = 30,
                  .stop = SCREE_STOP_ITERATIONS,
                  .residual_before = 0.1,
                  .violation = 0.3,
                  .residual = 1.0 / 3,
                  .residual_absolute = DBL_MIN,
                  .change = 2.0 / 3},
        .penetration_max = 1e-5 / 3,
        .penetration_mean = 1e-7 / 7,
        .travel_max = 5.0 / 3,
        .kinetic_energy = 1e300 / 3,
        .potential_energy = -1.0 / 9,
        .momentum = {0.1, -0.2, x / 7},
        .angular_momentum = {1.0 / 11, 2.0 / 11, 3.0 / 11},
        .static_impulse = {1.0 / 13, 0, 100000001.0 / 3},
        .verified = step % 2 == 1,
        .verify_difference = 1e-6 / 3,
        .verify_backend_difference = 0,
        .verify_residual = 1e-12 / 3,
        .timing = {.bounds = 0.001,
                   .pairs = 0.002,
                   .manifolds = 0.003,
                   .problem = 0.004,
                   .predict = 0.005,
                   .solve = 0.0625,
                   .integrate = 0.007,
                   .statistics = 0.008,
                   .total = 0.125},
    };
}

/* Makes a bulk; every third row has none. */
static scree_bulk make_bulk(uint64_t step) {
    const double x = (double)step;
    return (scree_bulk){
        {-1.0 / 3, 0.1, x / 3}, {1.0 / 7, 0.2, x}, step % 3 ? 0.6 + x / 1e9 : NAN, SCREE_BULK_FOUND};
}

static void write_rows(const char *path, uint64_t from, uint64_t first, uint64_t last) {
    scree_statistics_file *file;
    CHECK(scree_statistics_file_open(path, from, &file));
    for (uint64_t step = first; step <= last; ++step) {
        const scree_statistics statistics = make_statistics(step);
        const scree_bulk bulk = make_bulk(step);
        CHECK(scree_statistics_file_write(file, &statistics, step % 3 ? &bulk : NULL));
    }
    CHECK(scree_statistics_file_close(file));
}

static void check_row(const row *header, const row *values, uint64_t step) {
    const scree_statistics s = make_statistics(step);
    assert_int_equal(values->count, header->count);
    assert_int_equal(strtoull(field_of(header, values, "step"), NULL, 10), step);
    const struct {
        const char *name;
        double value;
    } exact[] = {
        {"time_s", s.time},
        {"bodies", s.bodies},
        {"dynamic_bodies", s.dynamic_bodies},
        {"pairs", s.pairs},
        {"touching", s.touching},
        {"contacts", s.contacts},
        {"late", s.late},
        {"colours", s.colours},
        {"tail", s.remainder},
        {"cache_hits", s.cache_hits},
        {"regrown", s.regrown},
        {"iterations", s.solve.iterations},
        {"residual_before", s.solve.residual_before},
        {"violation", s.solve.violation},
        {"residual", s.solve.residual},
        {"residual_absolute_Ns", s.solve.residual_absolute},
        {"change", s.solve.change},
        {"joint_error_max_m", s.joint_error_max},
        {"joint_angle_error_max_rad", s.joint_angle_error_max},
        {"penetration_max_m", s.penetration_max},
        {"penetration_mean_m", s.penetration_mean},
        {"travel_max", s.travel_max},
        {"kinetic_energy_J", s.kinetic_energy},
        {"potential_energy_J", s.potential_energy},
        {"momentum_x_Ns", s.momentum[0]},
        {"momentum_y_Ns", s.momentum[1]},
        {"momentum_z_Ns", s.momentum[2]},
        {"angular_momentum_x_Nms", s.angular_momentum[0]},
        {"angular_momentum_y_Nms", s.angular_momentum[1]},
        {"angular_momentum_z_Nms", s.angular_momentum[2]},
        {"static_impulse_x_Ns", s.static_impulse[0]},
        {"static_impulse_y_Ns", s.static_impulse[1]},
        {"static_impulse_z_Ns", s.static_impulse[2]},
        {"verified", s.verified},
        {"bounds_ms", 1},
        {"pairs_ms", 2},
        {"manifolds_ms", 3},
        {"problem_ms", 4},
        {"predict_ms", 5},
        {"solve_ms", 62.5},
        {"integrate_ms", 7},
        {"statistics_ms", 8},
        {"total_ms", 125},
    };
    for (size_t i = 0; i < sizeof exact / sizeof *exact; ++i) {
        const double found = number_of(header, values, exact[i].name);
        if (found != exact[i].value) fail_msg("%s is %.17g, not %.17g", exact[i].name, found, exact[i].value);
    }
    const scree_bulk bulk = make_bulk(step);
    const struct {
        const char *name;
        double value;
    } bulk_columns[] = {
        {"solid_fraction", bulk.solid_fraction}, {"bulk_x_from_m", bulk.lower[0]},
        {"bulk_x_to_m", bulk.upper[0]},          {"bulk_y_from_m", bulk.lower[1]},
        {"bulk_y_to_m", bulk.upper[1]},          {"bulk_z_from_m", bulk.lower[2]},
        {"bulk_z_to_m", bulk.upper[2]},
    };
    for (size_t i = 0; i < sizeof bulk_columns / sizeof *bulk_columns; ++i)
        if (step % 3)
            assert_true(number_of(header, values, bulk_columns[i].name) == bulk_columns[i].value);
        else
            assert_string_equal(field_of(header, values, bulk_columns[i].name), "");
    assert_string_equal(field_of(header, values, "stop"), "iterations");
    if (!s.verified) {
        assert_string_equal(field_of(header, values, "verify_residual"), "");
        return;
    }
    assert_true(number_of(header, values, "verify_difference_m_per_s") == s.verify_difference);
    assert_true(number_of(header, values, "verify_backend_difference_m_per_s") ==
                s.verify_backend_difference);
    assert_true(number_of(header, values, "verify_residual") == s.verify_residual);
}

/* Asserts that the file contains a header and exactly the rows first … last. */
static void check_rows(FILE *file, uint64_t first, uint64_t last) {
    row header, values;
    assert_true(next_row(file, &header));
    for (uint64_t step = first; step <= last; ++step) {
        assert_true(next_row(file, &values));
        check_row(&header, &values, step);
    }
    assert_false(next_row(file, &values));
}

static void check_file(const char *path, uint64_t first, uint64_t last) {
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    check_rows(file, first, last);
    fclose(file);
}

static void rows_read_back_exactly(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "measurements.csv");
    write_rows(path, 0, 1, 20);
    check_file(path, 1, 20);
    write_rows(path, 0, 3, 5); /* a new run replaces the old rows */
    check_file(path, 3, 5);
    folder_remove(&place);
}

/* A locale with a decimal comma would split a number into two columns. */
static void the_locale_does_not_matter(void **state) {
    (void)state;
    const folder place = folder_make();
    char command[256];
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1",
             place.path);
    const int made = system(command); /* needs Debian's package `locales` */
    setenv("LOCPATH", place.path, 1);
    const bool found = setlocale(LC_ALL, "de_DE.UTF-8") && localeconv()->decimal_point[0] == ',';
    snprintf(command, sizeof command, "rm -rf '%s/de_DE.UTF-8'", place.path);
    assert_int_equal(system(command), 0);
    if (made || !found) skip();
    const char *path = folder_file(&place, "measurements.csv");
    write_rows(path, 0, 1, 3);
    setlocale(LC_ALL, "C");
    check_file(path, 1, 3);
    folder_remove(&place);
}

static void a_resumed_run_appends_after_its_step(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "measurements.csv");
    write_rows(path, 0, 1, 10);
    FILE *file = fopen(path, "a");
    fputs("11,0.09", file); /* a row truncated by a kill */
    fclose(file);
    write_rows(path, 7, 8, 12);
    check_file(path, 1, 12);
    file = fopen(path, "a");
    fputs("13,0.1", file);
    fclose(file);
    write_rows(path, 12, 13, 13);
    check_file(path, 1, 13);
    write_rows(folder_file(&place, "new.csv"), 5, 6, 7); /* nothing to keep */
    check_file(folder_file(&place, "new.csv"), 6, 7);
    folder_remove(&place);
}

/* An editor may have saved the rows with a byte order mark, which stays. */
static void a_marked_file_is_resumed(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "measurements.csv");
    char command[512], mark[4] = "";
    write_rows(path, 0, 1, 3);
    snprintf(command, sizeof command,
             "printf '\\357\\273\\277' | cat - '%s' >'%s.marked' && mv '%s.marked' '%s'", path, path, path,
             path);
    assert_int_equal(system(command), 0);
    write_rows(path, 2, 3, 5);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fread(mark, 1, 3, file), 3);
    assert_string_equal(mark, "\xef\xbb\xbf");
    check_rows(file, 1, 5);
    fclose(file);
    folder_remove(&place);
}

static void a_foreign_file_is_not_resumed(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "measurements.csv");
    scree_statistics_file *file;
    FILE *other = fopen(path, "w");
    fputs("step,time\n1,2\n", other);
    fclose(other);
    assert_int_equal(scree_statistics_file_open(path, 1, &file), SCREE_ERROR_FORMAT);
    assert_non_null(strstr(scree_error_get_message(), "line 1"));
    write_rows(path, 0, 1, 2);
    other = fopen(path, "a");
    fputs("hello\n", other);
    fclose(other);
    assert_int_equal(scree_statistics_file_open(path, 3, &file), SCREE_ERROR_FORMAT);
    assert_non_null(strstr(scree_error_get_message(), "line 4"));
    folder_remove(&place);
}

/* Over 1 … 10 with rows at 4 and 10: an overlap that peaks at step 6, and a residual that is 0 in a step
 * without contacts, which the mean excludes. */
static void rows_keep_peaks_between_them(void **state) {
    (void)state;
    const folder place = folder_make();
    const char *path = folder_file(&place, "measurements.csv");
    scree_statistics_file *file;
    CHECK(scree_statistics_file_open(path, 0, &file));
    for (uint64_t step = 1; step <= 10; ++step) {
        scree_statistics s = make_statistics(step);
        s.penetration_max = step == 6 ? 0.5 : 1e-3;
        s.travel_max = step == 6 ? 1.5 : 0.25;
        s.penetration_mean = (double)step;
        s.solve.iterations = (int)step;
        s.solve.residual = 0.125 * (double)step;
        if (step == 7) s.solve.stop = SCREE_STOP_NONE, s.solve.residual = 0;
        s.kinetic_energy = step == 5 ? 64 : 1;
        s.static_impulse[2] = (double)step;
        s.verified = step == 8;
        s.verify_difference = 3;
        CHECK(scree_statistics_file_add(file, &s));
        if (step == 4 || step == 10) CHECK(scree_statistics_file_write(file, &s, NULL));
    }
    CHECK(scree_statistics_file_close(file));
    static const struct {
        const char *name;
        double first, second;
    } expected[] = {
        {"interval_steps", 4, 6},
        {"interval_iterations_mean", 2.5, 7.5},
        {"interval_iterations_max", 4, 10},
        {"interval_residual_mean", 0.3125, 0.125 * (5 + 6 + 8 + 9 + 10) / 5},
        {"interval_residual_max", 0.5, 1.25},
        {"interval_penetration_max_m", 1e-3, 0.5},
        {"interval_penetration_mean_m", 2.5, 7.5},
        {"interval_contacts_max", 54321, 54321},
        {"interval_late", 8, 12},
        {"interval_tail_max", 3, 3},
        {"interval_travel_max", 0.25, 1.5},
        {"interval_kinetic_energy_mean_J", 1, 11.5},
        {"interval_kinetic_energy_max_J", 1, 64},
        {"interval_static_impulse_z_Ns", 10, 45},
        {"interval_verified", 0, 1},
        {"penetration_max_m", 1e-3, 1e-3}, /* the sample */
    };
    row header, first, second;
    FILE *read = fopen(path, "r");
    assert_true(next_row(read, &header) && next_row(read, &first) && next_row(read, &second));
    fclose(read);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; ++i) {
        const char *name = expected[i].name;
        const double a = number_of(&header, &first, name), b = number_of(&header, &second, name);
        if (a != expected[i].first || b != expected[i].second) fail_msg("%s: %.17g, %.17g", name, a, b);
    }
    assert_string_equal(field_of(&header, &first, "interval_verify_difference_max_m_per_s"), "");
    assert_true(number_of(&header, &second, "interval_verify_difference_max_m_per_s") == 3);
    folder_remove(&place);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_read_back_exactly),
        cmocka_unit_test(the_locale_does_not_matter),
        cmocka_unit_test(a_resumed_run_appends_after_its_step),
        cmocka_unit_test(a_marked_file_is_resumed),
        cmocka_unit_test(a_foreign_file_is_not_resumed),
        cmocka_unit_test(rows_keep_peaks_between_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
