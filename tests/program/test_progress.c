/* Reports of the remaining time of a run. */
#include "expect.h"

#include "cli/progress.c"

/* 100 steps at 50 per second, every tenth verified in 4 s: after step 25 there are eight of these, 32 s, and
 * 67 others, 1.34 s. */
static void verified_steps_count_in_the_time_left(void **state) {
    (void)state;
    progress of = progress_begin(true, 0, 100, 10);
    of.rate = 50, of.verified = 2, of.verified_seconds = 8;
    ASSERT_NEAR(progress_left(&of, 25), 32 + 67 / 50.0, 1e-12);
    ASSERT_NEAR(progress_left(&of, 99), 4, 1e-12);
    ASSERT_NEAR(progress_left(&of, 100), 0, 1e-12);
    of.verify = 0;
    ASSERT_NEAR(progress_left(&of, 25), 75 / 50.0, 1e-12);
}

/* However long verification takes, the rate is of the other steps alone. */
static void the_rate_leaves_verified_steps_out(void **state) {
    (void)state;
    progress of = progress_begin(false, 0, 1000000, 2);
    of.shown += 1e9; /* nothing is printed */
    of.rate_from -= 1000;
    scree_statistics s = {.step = 1000};
    progress_step(&of, &s);
    ASSERT_NEAR(of.rate, 1, 0.01);
    s.step = 1001, s.verified = true, s.timing.total = 500;
    progress_step(&of, &s);
    of.rate_from -= 1000; /* of which verification took a half */
    s.step = 2001, s.verified = false;
    progress_step(&of, &s);
    ASSERT_NEAR(of.rate, 0.5 * (1 + 1000 / 500.0), 0.02);
}

static void nouns_agree_with_their_number(void **state) {
    (void)state;
    assert_string_equal(noun_of(0, "body", "bodies"), "bodies");
    assert_string_equal(noun_of(1, "body", "bodies"), "body");
    assert_string_equal(noun_of(2, "body", "bodies"), "bodies");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verified_steps_count_in_the_time_left),
        cmocka_unit_test(the_rate_leaves_verified_steps_out),
        cmocka_unit_test(nouns_agree_with_their_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
