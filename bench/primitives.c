/* scree-primitives: what the device's building blocks cost.
 *
 * scree-primitives [DEVICE [GROUPS]] measures reductions, scans, compaction, segmented minima and sorts on
 * OpenCL device number DEVICE (default 0; `scree devices` lists them) for 10^4 to 10^7 items, with at most
 * GROUPS work-groups in a launch. A line has the number of items, the median of seven times and the rates;
 * GB/s counts the bytes that an ideal program reads and writes. Each result is compared with that of a plain
 * loop; the exit status is 1 if one differs. */
#include "base/clock.h"
#include "base/error.h"
#include "device/opencl/opencl_primitives.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEATS = 7, LARGEST = 10000000 };

static opencl_device device;
static opencl_primitives primitives;
/* Arrays as made, as worked on, and results; counts: the number of items, a total. */
static opencl_buffer made, made_values, keys, values, out, counts;
static uint32_t items[LARGEST], result[LARGEST], order[LARGEST];
static uint64_t wide[LARGEST], wide_result[LARGEST];
static uint32_t n, total;
static int differences;

static void check(scree_result code) {
    if (code == SCREE_OK) return;
    fprintf(stderr, "scree-primitives: %s\n", scree_error_get_message());
    exit(2);
}

static uint64_t random_bits(void) {
    static uint64_t state = 1;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state * UINT64_C(0x2545f4914f6cdd1d);
}

static void send(opencl_buffer *buffer, const void *from, size_t bytes) {
    check(opencl_buffer_write(&device, buffer, from, bytes, CL_TRUE, "array"));
}
static void receive(const opencl_buffer *buffer, void *to, size_t bytes) {
    check(opencl_buffer_read(&device, buffer, to, bytes, CL_TRUE, "array"));
}

/* One measured work; its bytes are those of an item. */
typedef struct work {
    const char *name;
    void (*run)(const struct work *);
    bool (*right)(const struct work *); /* compares the results with those of a plain loop */
    int key_bits, bits, bytes;          /* key_bits: 0 unless keys are sorted */
} work;

static device_length length(void) { return (device_length){{&counts, 0}, n}; }
static device_word total_word(void) { return (device_word){&counts, 1}; }

static void run_reduce(const work *self) {
    (void)self;
    check(opencl_reduce(&primitives, REDUCE_SUM, &made, length(), total_word()));
}
static bool reduce_right(const work *self) {
    uint32_t sum = 0;
    (void)self;
    for (uint32_t i = 0; i < n; i++) sum += items[i];
    return sum == total;
}

static void run_scan(const work *self) {
    (void)self;
    check(opencl_scan(&primitives, &made, length(), &out, total_word()));
}
static bool scan_right(const work *self) {
    uint32_t sum = 0;
    (void)self;
    for (uint32_t i = 0; i < n; i++) {
        if (result[i] != sum) return false;
        sum += items[i];
    }
    return sum == total;
}

static void run_compact(const work *self) {
    (void)self;
    check(opencl_compact(&primitives, &made, length(), &out, total_word()));
}
static bool compact_right(const work *self) {
    uint32_t found = 0;
    (void)self;
    for (uint32_t i = 0; i < n; i++)
        if (items[i] && result[found++] != i) return false;
    return found == total;
}

static void run_segments(const work *self) {
    (void)self;
    check(opencl_segment_minimum(&primitives, &made, &made_values, length(), &out, length()));
}
static bool segments_right(const work *self) {
    (void)self;
    for (uint32_t i = 0; i < n; i++) wide[i] = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++)
        if (items[i] < wide[order[i]]) wide[order[i]] = items[i];
    for (uint32_t i = 0; i < n; i++)
        if (result[i] != wide[i]) return false;
    return true;
}

static void run_sort(const work *self) {
    check(opencl_sort(&primitives, self->key_bits, &keys, &values, length(), self->bits));
}
static uint64_t key_of(const work *self, const uint32_t *narrow, const uint64_t *of64, uint32_t i) {
    return self->key_bits == 64 ? of64[i] : narrow[i];
}
/* The values are the keys' indices before the sort. */
static bool sort_right(const work *self) {
    uint64_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t key = key_of(self, result, wide_result, i);
        if (order[i] >= n || key < last || (i && key == last && order[i] <= order[i - 1])) return false;
        if (key != key_of(self, items, wide, order[i])) return false;
        last = key;
    }
    return true;
}

/* Fills and sends the arrays of a work: items that are zero half of the time, or keys with their indices. */
static void make(const work *self) {
    const uint64_t mask = self->bits == 64 ? UINT64_MAX : (UINT64_C(1) << self->bits) - 1;
    for (uint32_t i = 0; i < n; i++) {
        wide[i] = random_bits() & mask;
        items[i] = self->key_bits || random_bits() % 2 ? (uint32_t)wide[i] : 0;
        order[i] = self->key_bits ? i : i / 5;
    }
    const bool is_wide = self->key_bits == 64;
    send(&made, is_wide ? (const void *)wide : items, n * (is_wide ? sizeof *wide : sizeof *items));
    send(&made_values, order, n * sizeof *order);
    const uint32_t words[2] = {n, 0};
    send(&counts, words, sizeof words);
    check(opencl_buffer_reserve(&device, &out, n * sizeof *result, "results"));
    check(opencl_buffer_reserve(&device, &keys, n * sizeof *wide, "keys"));
    check(opencl_buffer_reserve(&device, &values, n * sizeof *order, "values"));
}

static double seconds_of(const work *self) {
    if (self->key_bits) {
        check(opencl_buffer_copy(&device, &made, &keys, n * (size_t)self->key_bits / 8, "keys"));
        check(opencl_buffer_copy(&device, &made_values, &values, n * sizeof *order, "values"));
    }
    check(opencl_device_wait(&device));
    const double start = clock_seconds();
    self->run(self);
    check(opencl_device_wait(&device));
    return clock_seconds() - start;
}

static bool right(const work *self) {
    uint32_t words[2];
    receive(&counts, words, sizeof words);
    total = words[1];
    if (self->key_bits == 64)
        receive(&keys, wide_result, n * sizeof *wide_result);
    else
        receive(self->key_bits ? &keys : &out, result, n * sizeof *result);
    if (self->key_bits) receive(&values, order, n * sizeof *order);
    return self->right(self);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void measure(const work *self) {
    double seconds[REPEATS];
    make(self);
    (void)seconds_of(self); /* builds the kernels */
    for (int i = 0; i < REPEATS; i++) seconds[i] = seconds_of(self);
    qsort(seconds, REPEATS, sizeof *seconds, compare);
    const double median = seconds[REPEATS / 2];
    const bool equal = right(self);
    differences += !equal;
    printf("%-22s %9u  %9.4f ms (%.4f to %.4f)  %8.2f GB/s  %9.1f M items/s%s\n", self->name, n, 1e3 * median,
           1e3 * seconds[0], 1e3 * seconds[REPEATS - 1], 1e-9 * self->bytes * n / median, 1e-6 * n / median,
           equal ? "" : "  DIFFERS from a plain loop");
    fflush(stdout);
}

int main(int argc, char **argv) {
    static const work works[] = {
        {"reduce", run_reduce, reduce_right, 0, 32, 4},
        {"scan", run_scan, scan_right, 0, 32, 8},
        {"compact", run_compact, compact_right, 0, 32, 6},
        {"segmented minimum", run_segments, segments_right, 0, 32, 12},
        {"sort, 32-bit keys", run_sort, sort_right, 32, 32, 16},
        {"sort, 24 of 32 bits", run_sort, sort_right, 32, 24, 16},
        {"sort, 64-bit keys", run_sort, sort_right, 64, 64, 24},
        {"sort, 40 of 64 bits", run_sort, sort_right, 64, 40, 24},
    };
    check(opencl_device_open(argc > 1 ? argv[1] : "0", &device));
    opencl_primitives_open(&primitives, &device);
    if (argc > 2 && atoi(argv[2]) > 0) primitives.largest_groups = (cl_uint)atoi(argv[2]);
    printf("device: %s; at most %u work-groups%s\n", device.info.name, (unsigned)primitives.largest_groups,
           primitives.serial ? " of one work-item" : "");
    for (n = 10000; n <= LARGEST; n *= 10)
        for (size_t i = 0; i < sizeof works / sizeof *works; i++) measure(&works[i]);
    if (differences) printf("%d results differ from those of plain loops\n", differences);
    return differences ? 1 : 0;
}
