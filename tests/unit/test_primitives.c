/* Reductions, scans, compaction, segmented minima and sorts on the device give what plain loops give: at
 * lengths around the borders of words, work-groups, tiles and ranges, for any number of work-groups, and for
 * lengths below the capacity, on the device test_device(). `--small` (for simulators of devices) takes few
 * lengths. */
#include "primitives.h"

static bool simulated;

static const uint32_t all_sizes[] = {0,    1,    2,    3,    4,    5,    7,    255,  256,  257,  1023,  1024,
                                     1025, 2047, 2048, 2049, 4095, 4096, 4097, 6143, 6144, 6145, 100000},
                      few_sizes[] = {0, 1, 1025, 4097};

static uint32_t size_count(void) {
    return (uint32_t)(simulated ? sizeof few_sizes : sizeof all_sizes) / sizeof *all_sizes;
}
static uint32_t size_at(uint32_t k) { return simulated ? few_sizes[k] : all_sizes[k]; }

/* Runs `check` for all lengths: with ranges of one tile and of several, and with either kind of work-groups.
 */
static void for_sizes(void (*check)(uint32_t n, uint32_t spare)) {
    static const struct {
        cl_uint groups, direct;
        group_kind kind;
    } runs[] = {{1024, 0, GROUPS_OF_MANY},
                {2, 2, GROUPS_OF_MANY},
                {3, 3, GROUPS_OF_ONE},
                {1024, 0, GROUPS_OF_ONE},
                {1, 1, GROUPS_OF_MANY}};
    for (int k = 0; k < (simulated ? 3 : 5); k++) {
        rig_open(runs[k].groups, runs[k].direct, runs[k].kind);
        for (uint32_t i = 0; i < size_count(); i++) {
            check(size_at(i), 0);
            if (!simulated || size_at(i) < 10) check(size_at(i), 1000 + size_at(i) / 3);
        }
        rig_close();
    }
}

static void scan_all(uint32_t n, uint32_t spare) {
    static const int limits[] = {2, 0, 1};
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        const sample s = sample_make(n, spare, n + (uint64_t)k, limits[k]);
        check_reduce(s);
        check_scan(s);
        check_compact(s);
        free(s.items);
    }
}

static void segments_all(uint32_t n, uint32_t spare) {
    static const int means[] = {3, 700, 1, 1000000};
    const sample s = sample_make(n, spare, n, 0);
    for (int k = 0; k < (simulated ? 2 : 4); k++) check_segments(s, means[k]);
    free(s.items);
}

static void sort_all(uint32_t n, uint32_t spare) {
    const int patterns = simulated ? 1 : KEY_PATTERNS;
    for (int pattern = 0; pattern < patterns; pattern++) {
        check_sort(n, spare, 32, simulated ? 5 : 32, (key_pattern)pattern);
        check_sort(n, spare, 64, simulated ? 3 : 64, (key_pattern)pattern);
    }
}

/* A blocking write returns before the commands that come before it have read their data: pinned memory stays
 * in use until a read or a wait. */
static void pinned_memory_is_kept_until_a_wait(void **state) {
    (void)state;
    enum { BYTES = 4096 };
    static char data[BYTES];
    rig_open(0, 0, GROUPS_OF_DEVICE);
    const opencl_staging *staging = &rig.device.staging;
    CHECK(opencl_buffer_write(&rig.device, &rig.a, data, BYTES, CL_FALSE, "a"));
    CHECK(opencl_device_wait(&rig.device)); /* makes pinned memory of that size */
    CHECK(opencl_buffer_write(&rig.device, &rig.a, data, BYTES / 2, CL_FALSE, "a"));
    assert_true(staging->on && staging->used == BYTES / 2);
    CHECK(opencl_buffer_write(&rig.device, &rig.b, data, BYTES, CL_TRUE, "b"));
    assert_int_equal(staging->used, BYTES / 2);
    CHECK(opencl_buffer_read(&rig.device, &rig.a, data, BYTES / 2, CL_TRUE, "a"));
    assert_int_equal(staging->used, 0);
    rig_close();
}

static void scans_equal_plain_loops(void **state) {
    (void)state;
    for_sizes(scan_all);
}
static void segmented_minima_equal_plain_loops(void **state) {
    (void)state;
    for_sizes(segments_all);
}
static void sorts_are_stable(void **state) {
    (void)state;
    for_sizes(sort_all);
}

static void sorts_use_the_bits_of_the_keys(void **state) {
    (void)state;
    rig_open(1024, 64, GROUPS_OF_MANY);
    for (int bits = 0; bits <= (simulated ? 9 : 64); bits += simulated ? 9 : 1) {
        if (bits <= 32) check_sort(bits ? 3000 : 1, 0, 32, bits, KEYS_RANDOM);
        check_sort(bits ? 3000 : 1, 0, 64, bits, KEYS_RANDOM);
    }
    rig_close();
}

/* A count above the capacity is cut to it. */
static void count_is_cut_to_the_capacity(void **state) {
    (void)state;
    const uint32_t n = 1500;
    sample s = sample_make(n, 0, 3, 0);
    rig_open(0, 0, GROUPS_OF_DEVICE);
    rig_send(&rig.a, s.items, n * sizeof *s.items);
    const device_length length = rig_length(1000000, n, 0);
    CHECK(opencl_reduce(&rig.primitives, REDUCE_SUM, &rig.a, length, rig_total_word));
    assert_int_equal(rig_total(), plain_reduce(REDUCE_SUM, s.items, n));
    rig_close();
    free(s.items);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scans_equal_plain_loops),
        cmocka_unit_test(pinned_memory_is_kept_until_a_wait),
        cmocka_unit_test(segmented_minima_equal_plain_loops),
        cmocka_unit_test(sorts_are_stable),
        cmocka_unit_test(sorts_use_the_bits_of_the_keys),
        cmocka_unit_test(count_is_cut_to_the_capacity),
    };
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
