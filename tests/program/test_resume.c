/* The program from outside: runs that end early, also by signals, and resume. */
#include "pile.h"

#include <signal.h>
#include <time.h>

static void resumed_run_equals_an_uninterrupted_one(void **state) {
    (void)state;
    uint64_t step;
    EXPECT_CODE(shell("scree run pile.json --backend native --quiet --out whole"), 0);
    EXPECT_CODE(shell("scree run pile.json --backend native --threads 1 --quiet --out parts --steps 20"), 0);
    EXPECT_CODE(
        shell("scree run pile.json --backend native --threads 3 --out parts --resume parts/checkpoint.h5"),
        0);
    ASSERT_HOLDS(standard_output, "resumed");
    assert_true(checkpoint_hash("whole/checkpoint.h5", &step) ==
                checkpoint_hash("parts/checkpoint.h5", &step));
    assert_int_equal(step, 40);
    EXPECT_CODE(shell("cmp whole/checkpoint.h5 parts/checkpoint.h5"), 0);
    /* Compares the rows, except for wall times and buffers that grew (a resumed world allocates again), and
     * the frames. */
    EXPECT_CODE(
        shell("for d in whole parts; do awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i ~ "
              "/regrown|_ms$/) c[i] } NR > 1 { for (i in c) $i = 0 } { print }' $d/measurements.csv "
              ">$d/columns; "
              "done; head -n 1 whole/columns | grep -q 'verify_residual.*total_ms' && cmp whole/columns "
              "parts/columns"),
        0);
    EXPECT_CODE(shell("for f in whole/frame_*; do cmp $f parts/${f#whole/} || exit 1; done"), 0);
}

/* A run killed after its last checkpoint, imitated by removing files: the same files are restored, and
 * nothing else changes. */
static void resume_at_the_end_restores_missing_files(void **state) {
    (void)state;
    const char *const resume =
        "scree run drawn.json --backend native --out ended --resume ended/checkpoint.h5";
    EXPECT_CODE(shell("scree run drawn.json --backend native --quiet --out ended && cp -a ended before"), 0);
    EXPECT_CODE(shell("%s", resume), 0);
    ASSERT_HOLDS(standard_output, "nothing was missing");
    EXPECT_CODE(shell("diff -r before ended"), 0);
    EXPECT_CODE(shell("rm -f ended/frame_00000040.vtkhdf ended/*.xdmf ended/snapshot-000040.png"), 0);
    EXPECT_CODE(shell("%s", resume), 0);
    ASSERT_HOLDS(standard_output, "had reached its end, step 40; the missing files were written");
    assert_int_equal(exists("ended/snapshot-000040.png"), have_opencl());
    EXPECT_CODE(shell("diff -r before ended"), 0);
    EXPECT_CODE(shell("%s --dump-problem 41", resume), 2);
    ASSERT_HOLDS(standard_error, "--dump-problem");
    EXPECT_CODE(shell("%s --steps 30", resume), 2);
    ASSERT_HOLDS(standard_error, "step 40");
    EXPECT_CODE(shell("%s --time 0.16", resume), 0);
    ASSERT_HOLDS(standard_output, "nothing was missing");
    EXPECT_CODE(shell("%s --time 0.1", resume), 2);
    ASSERT_HOLDS(standard_error, "--time");
    EXPECT_CODE(shell("sed 's/\"steps\": 40/\"duration\": 0.1/' drawn.json >shorter.json && "
                      "scree run shorter.json --backend native --out ended --resume ended/checkpoint.h5"),
                2);
    ASSERT_HOLDS(standard_error, "0.16 s");
    EXPECT_CODE(shell("diff -r before ended"), 0);
}

/* A motor that has half of its speed when the run stops reaches the rest of it in the next run. */
static void a_ramp_goes_on(void **state) {
    (void)state;
    write_text(
        "ramp.json",
        "{\"time_step\": 0.01, \"run\": {\"steps\": 80}, \"outputs\": {\"every\": 0, \"pictures\": false}, "
        "\"bodies\": [{\"shape\": {\"kind\": \"sphere\", \"radius\": 0.1}}], \"joints\": [{\"kind\": "
        "\"hinge\", "
        "\"b\": 0, \"point\": [0, 0, 0], \"axes\": {\"rotation_x\": {\"drive\": \"velocity\", \"target\": 4, "
        "\"start\": 0.1, \"ramp\": 0.5}}}]}");
    EXPECT_CODE(
        shell("scree run ramp.json --backend native --quiet --out whole && "
              "scree run ramp.json --backend native --quiet --out parts --steps 35 && "
              "scree run ramp.json --backend native --quiet --out parts --resume parts/checkpoint.h5 && "
              "cmp whole/checkpoint.h5 parts/checkpoint.h5"),
        0);
}

/* A run that Ctrl-C ends between two rows, continued, has the rows of an uninterrupted one: every column but
 * wall times and buffers that grew. */
static void an_interrupted_run_has_the_same_rows(void **state) {
    (void)state;
    const char *const run =
        "run pile.json --backend native --threads 1 --quiet --steps 3000 --every 0 --measure 700";
    EXPECT_CODE(shell("scree %s --out whole", run), 0);
    EXPECT_CODE(
        shell(
            "%s %s --out parts & pid=$!; while ! grep -q ^700, parts/measurements.csv 2>/dev/null; do sleep "
            "0.005; done; kill -INT $pid; wait $pid",
            PROGRAM, run),
        1);
    ASSERT_HOLDS(standard_error, "interrupted");
    EXPECT_CODE(shell("cut -d, -f1 parts/measurements.csv | awk 'NR > 1 && $1 %% 700'"), 0);
    assert_string_equal(standard_output, "");
    EXPECT_CODE(shell("scree %s --out parts --resume parts/checkpoint.h5", run), 0);
    EXPECT_CODE(
        shell("for d in whole parts; do awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; ++i) if ($i ~ "
              "/regrown|_ms$/) c[i] } NR > 1 { for (i in c) $i = 0 } { print }' $d/measurements.csv "
              ">$d/columns; done; test $(wc -l <whole/columns) -eq 6 && cmp whole/columns parts/columns"),
        0);
}

/* Starts `scree run` in the background and waits until it has written a row of measurements. */
static pid_t start_long_run(const char *out) {
    shell("rm -rf %s", out);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (chdir(folder) || !freopen("stdout", "w", stdout) || !freopen("stderr", "w", stderr)) _exit(99);
        execl(PROGRAM, "scree", "run", "pile.json", "--backend", "native", "--steps", "1000000", "--every",
              "1", "--checkpoint", "1", "--out", out, (char *)NULL);
        _exit(99);
    }
    char path[512];
    snprintf(path, sizeof path, "%s/%s/checkpoint.h5", folder, out);
    struct stat status;
    for (int i = 0; i < 1000 && stat(path, &status); ++i) {
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    }
    assert_int_equal(stat(path, &status), 0);
    return child;
}

static void interrupt_saves_a_checkpoint(void **state) {
    (void)state;
    const int signals[] = {SIGINT, SIGTERM};
    for (int i = 0; i < 2; ++i) {
        const pid_t child = start_long_run("stopped");
        int status;
        assert_int_equal(kill(child, signals[i]), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        read_text("stderr", standard_error, sizeof standard_error);
        assert_true(WIFEXITED(status));
        EXPECT_CODE(WEXITSTATUS(status), 1);
        ASSERT_HOLDS(standard_error, "interrupted");
        ASSERT_HOLDS(standard_error, "--resume stopped/checkpoint.h5");
        uint64_t step;
        unsigned long long told = 0;
        checkpoint_hash("stopped/checkpoint.h5", &step);
        sscanf(strstr(standard_error, "after step"), "after step %llu", &told);
        assert_int_equal(step, told);
        EXPECT_CODE(shell("tail -n 1 stopped/measurements.csv | cut -d, -f1"), 0);
        assert_int_equal(strtoull(standard_output, NULL, 10), step); /* the last row is of the saved state */
        EXPECT_CODE(shell("scree run pile.json --backend native --quiet --resume stopped/checkpoint.h5 "
                          "--steps %llu --out stopped",
                          told + 5),
                    0);
    }
}

static void killed_run_leaves_a_checkpoint(void **state) {
    (void)state;
    for (int i = 0; i < 10; ++i) {
        const pid_t child = start_long_run("killed");
        nanosleep(&(struct timespec){.tv_nsec = 3700000 * i}, NULL);
        assert_int_equal(kill(child, SIGKILL), 0);
        assert_int_equal(waitpid(child, NULL, 0), child);
        uint64_t step;
        checkpoint_hash("killed/checkpoint.h5", &step);
        assert_true(step >= 1);
    }
}

/* The command printed after an interrupt finishes the run unchanged. */
static void interrupted_run_prints_the_resume_command(void **state) {
    (void)state;
    char command[1024];
    EXPECT_CODE(
        shell("cp pile.json 'a pile.json'; %s run --time 0.6 --dt=0.002 'a pile.json' --backend native "
              "--iterations 5 --threads 2 --measure 50 --snapshot 200 --seed 7 --every 100 --no-contacts "
              "--fields none --checkpoint 1 --dump-problem 1,280,300 --out 'in two' & pid=$!; "
              "while [ ! -e 'in two/checkpoint.h5' ]; do sleep 0.02; done; kill -INT $pid; wait $pid",
              PROGRAM),
        have_opencl() ? 1 : 2);
    if (!have_opencl()) skip();
    const char *from = strchr(standard_error, '`'), *to = from ? strchr(from + 1, '`') : NULL;
    if (!to) fail_msg("no command: %s", standard_error);
    snprintf(command, sizeof command, "%.*s", (int)(to - from - 1), from + 1);
    ASSERT_HOLDS(command, "--dump-problem 280,300");
    EXPECT_CODE(shell("%s", command), 0);
    EXPECT_CODE(shell("cd 'in two' && ls *.png *.hdf5 *.vtkhdf | tr '\\n' ' ' && wc -l <measurements.csv"),
                0);
    assert_string_equal(standard_output,
                        "frame_00000000.vtkhdf frame_00000100.vtkhdf frame_00000200.vtkhdf "
                        "frame_00000300.vtkhdf "
                        "problem-000001.hdf5 problem-000280.hdf5 problem-000300.hdf5 snapshot-000200.png "
                        "snapshot-000300.png 301\n");
    uint64_t step;
    checkpoint_hash("in two/checkpoint.h5", &step);
    assert_int_equal(step, 300);
}

/* Two runs in one folder would destroy each other's results: the second is rejected before it changes
 * anything, and a killed run leaves no lock. */
static void one_run_at_a_time_in_a_folder(void **state) {
    (void)state;
    const pid_t child = start_long_run("taken");
    EXPECT_CODE(shell("cp taken/frame_00000000.vtkhdf first && "
                      "scree run pile.json --backend native --steps 3 --out taken"),
                2);
    ASSERT_HOLDS(standard_error, "taken");
    assert_int_equal(count_lines(standard_error), 1);
    EXPECT_CODE(shell("scree run pile.json --backend native --resume taken/checkpoint.h5 --out ./taken/"), 2);
    ASSERT_HOLDS(standard_error, "taken");
    EXPECT_CODE(shell("cmp taken/frame_00000000.vtkhdf first"), 0);
    assert_int_equal(waitpid(child, NULL, WNOHANG), 0); /* the first one continues */
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    EXPECT_CODE(shell("scree run pile.json --backend native --quiet --steps 3 --out taken"), 0);
    EXPECT_CODE(shell("ls -A taken | grep lock"), 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(resumed_run_equals_an_uninterrupted_one),
        cmocka_unit_test(resume_at_the_end_restores_missing_files),
        cmocka_unit_test(a_ramp_goes_on),
        cmocka_unit_test(an_interrupted_run_has_the_same_rows),
        cmocka_unit_test(interrupt_saves_a_checkpoint),
        cmocka_unit_test(killed_run_leaves_a_checkpoint),
        cmocka_unit_test(interrupted_run_prints_the_resume_command),
        cmocka_unit_test(one_run_at_a_time_in_a_folder),
    };
    return cmocka_run_group_tests(tests, pile_set_up, folder_tear_down);
}
