/* The building blocks at ten million items, where every work-group has several tiles: as the library runs
 * them on test_device(), and by work-groups of many work-items. */
#include "primitives.h"

enum { TEN_MILLION = 10000000 };

static void check_arrays(void) {
    const sample s = sample_make(TEN_MILLION, 12345, 1, 0), flags = sample_make(TEN_MILLION, 12345, 2, 3);
    check_reduce(s);
    check_scan(s);
    check_compact(flags);
    check_segments(s, 5);
    check_segments(s, 3000000);
    free(s.items);
    free(flags.items);
}

static void large_arrays_equal_plain_loops(void **state) {
    (void)state;
    rig_open(0, 0, GROUPS_OF_DEVICE);
    check_arrays();
    rig_close();
    rig_open(1024, 64, GROUPS_OF_MANY);
    check_arrays();
    rig_close();
}

static void large_sorts_are_stable(void **state) {
    (void)state;
    rig_open(0, 0, GROUPS_OF_DEVICE);
    check_sort(TEN_MILLION, 0, 32, 32, KEYS_RANDOM);
    check_sort(TEN_MILLION, 12345, 32, 24, KEYS_REVERSED);
    check_sort(TEN_MILLION, 0, 32, 20, KEYS_FEW);
    check_sort(TEN_MILLION, 0, 64, 64, KEYS_RANDOM);
    rig_close();
    rig_open(1024, 64, GROUPS_OF_MANY);
    check_sort(TEN_MILLION, 0, 32, 24, KEYS_RANDOM);
    check_sort(TEN_MILLION, 0, 64, 20, KEYS_RANDOM);
    rig_close();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_arrays_equal_plain_loops),
        cmocka_unit_test(large_sorts_are_stable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
