/* The launches of a sweep in lanes: which colours are one. */
#include "device/opencl/wide_plan.h"

#include "expect.h"

enum { LAUNCHES = 7, FEW = 10 };

/* As a sweep has them: batches one after the other, of these kinds and counts. */
static wide_plan plan_of(const wide_launch_kind kinds[LAUNCHES], const int counts[LAUNCHES]) {
    wide_plan plan = {.launch_count = LAUNCHES};
    for (int i = 0; i < LAUNCHES; i++) {
        plan.launches[i] = (wide_launch){.kind = kinds[i], .first = plan.batch_count, .count = counts[i]};
        plan.batch_count += counts[i];
    }
    return plan;
}

static void expect(batch_range range, int first, int end, int items) {
    assert_int_equal(range.first, first);
    assert_int_equal(range.end, end);
    assert_int_equal(wide_range_items(range), items);
}

/* Neighbours of one kind, each of which is small, are one work-item's, however many they are together; a
 * large launch stays as it is and parts those before it from those behind, as one of another kind does. */
static void small_neighbours_are_one_launch(void **state) {
    const wide_launch_kind kinds[LAUNCHES] = {WIDE_BALLS, WIDE_BALLS,     WIDE_BALLS,    WIDE_BALLS,
                                              WIDE_BALLS, WIDE_MANIFOLDS, WIDE_MANIFOLDS};
    const int counts[LAUNCHES] = {FEW + 1, FEW, FEW, FEW + 1, 3, FEW, 1};
    const wide_plan plan = plan_of(kinds, counts);
    int at = 0;
    (void)state;
    expect(wide_plan_range(&plan, &at, LAUNCHES, FEW), 0, 11, 11);
    expect(wide_plan_range(&plan, &at, LAUNCHES, FEW), 11, 31, 1);
    expect(wide_plan_range(&plan, &at, LAUNCHES, FEW), 31, 42, 11);
    expect(wide_plan_range(&plan, &at, LAUNCHES, FEW), 42, 45, 3);
    expect(wide_plan_range(&plan, &at, LAUNCHES, FEW), 45, 56, 1);
    assert_int_equal(at, LAUNCHES);
}

/* Beyond `end` are those of another colour. */
static void ranges_end_where_they_are_told(void **state) {
    const wide_launch_kind kinds[LAUNCHES] = {WIDE_BALLS};
    const int counts[LAUNCHES] = {1, 1, 1, 1, 1, 1, 1};
    const wide_plan plan = plan_of(kinds, counts);
    int at = 2;
    (void)state;
    expect(wide_plan_range(&plan, &at, 4, FEW), 2, 4, 1);
    assert_int_equal(at, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_neighbours_are_one_launch),
                                       cmocka_unit_test(ranges_end_where_they_are_told)};
    return cmocka_run_group_tests_name("launches in lanes", tests, NULL, NULL);
}
