/* Contact problems made for scree, in tests/data/problems: gen_* by Siconos with Bullet, own_* dumps of the
 * scenes next to them, all with Siconos's solutions. */
#include "problem_files.h"

#include <dirent.h>

#define FOLDER SCREE_SOURCE_DIR "/tests/data/problems"

static const known_problem problems[] = {
    {"gen_chain_a", 6.0e-9, 168, false, 160, 90, 2e-7}, {"gen_arch_a", 0, 244, false, 210, 20, 5e-10},
    {"gen_spheres_a", 0, 230, false, 260, 20, 2e-8},    {"gen_massratio_a", 0, 9026, false, 6350, 1180, 4e-5},
    {"own_beads", 6.4e-17, 216, true, 760, 30, 3e-8},   {"own_landing", 6.6e-14, 106, true, 1350, 40, 6e-8},
    {"own_tower", 7.5e-8, 528, true, 21380, 330, 1e-6}, {"own_wall", 2.7e-11, 70, false, 60, 30, 4e-7},
};
enum { PROBLEMS = sizeof problems / sizeof *problems };

/* A problem missing in the table would not be tested. */
static void every_file_is_in_the_table(void **state) {
    (void)state;
    int files = 0;
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder));) {
        const char *end = strstr(entry->d_name, ".hdf5");
        if (!end || strstr(entry->d_name, ".ref.")) continue;
        bool found = false;
        for (int i = 0; i < PROBLEMS; ++i)
            found |= strlen(problems[i].name) == (size_t)(end - entry->d_name) &&
                     strncmp(problems[i].name, entry->d_name, strlen(problems[i].name)) == 0;
        if (!found) fail_msg("%s is not in the table", entry->d_name);
        files++;
    }
    closedir(folder);
    assert_int_equal(files, PROBLEMS);
}

/* Plain sweeps solve what Siconos's NSGS solves: the slightly asymmetric chain (NSGS: 3701 forward sweeps)
 * converges only if the blocks are used as given. Ours go forward and backward. */
static void plain_sweeps_are_about_as_many_as_nsgs(void **state) {
    (void)state;
    scree_problem *p = file_load(FOLDER, "gen_chain_a");
    scree_problem_options options = file_options(SCREE_BACKEND_REFERENCE, SCREE_PRECISION_DOUBLE, 1e-8);
    options.method = SCREE_METHOD_PGS;
    file_answer x = file_solve(p, &options);
    assert_int_equal(x.report.stop, SCREE_STOP_RESIDUAL);
    ASSERT_AT_MOST(file_error(&x), 1e-8);
    ASSERT_AT_LEAST(x.report.sweeps, 3701 / 3);
    ASSERT_AT_MOST(x.report.sweeps, 3 * 3701);
    file_answer_release(&x);
    scree_problem_destroy(p);
}

int main(void) {
    const struct CMUnitTest more[] = {cmocka_unit_test(every_file_is_in_the_table),
                                      cmocka_unit_test(plain_sweeps_are_about_as_many_as_nsgs)};
    return run_file_tests("own problems", FOLDER, problems, PROBLEMS, more, 2);
}
