/* The device's building blocks against plain loops. */
#pragma once

#include "primitives_rig.h"

/* Items of a test: n in use of `capacity`; those beyond must not matter. */
typedef struct sample {
    uint32_t n, capacity;
    uint32_t *items;
} sample;

static sample sample_make(uint32_t n, uint32_t spare, uint64_t seed, int limit) {
    sample self = {n, n + spare, rig_array(n + spare, sizeof *self.items)};
    for (uint32_t i = 0; i < self.capacity; i++)
        self.items[i] = limit ? (uint32_t)random_below(&seed, limit) : (uint32_t)random_bits(&seed);
    return self;
}

static uint32_t plain_reduce(int operation, const uint32_t *items, uint32_t n) {
    uint32_t sum = operation == REDUCE_MINIMUM ? UINT32_MAX : 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t x = items[i];
        switch (operation) {
        case REDUCE_SUM:
            sum += x;
            break;
        case REDUCE_MINIMUM:
            sum = x < sum ? x : sum;
            break;
        case REDUCE_MAXIMUM:
            sum = x > sum ? x : sum;
            break;
        case REDUCE_OR:
            sum |= x;
            break;
        default:
            sum += x != 0;
        }
    }
    return sum;
}

static void check_reduce(sample s) {
    rig_send(&rig.a, s.items, s.capacity * sizeof *s.items);
    const device_length length = rig_length(s.n, s.capacity, 0);
    for (int operation = REDUCE_SUM; operation <= REDUCE_COUNT; operation++) {
        CHECK(opencl_reduce(&rig.primitives, operation, &rig.a, length, rig_total_word));
        assert_int_equal(rig_total(), plain_reduce(operation, s.items, s.n));
    }
}

/* Words after the results keep this value. */
enum { UNTOUCHED = 0x5a5a5a5a };

static uint32_t *untouched(uint32_t count) {
    uint32_t *out = rig_array(count + 1, sizeof *out);
    for (uint32_t i = 0; i <= count; i++) out[i] = UNTOUCHED;
    rig_send(&rig.out, out, (count + 1) * sizeof *out);
    return out;
}

static void expect_out(const uint32_t *expected, uint32_t count, uint32_t capacity, uint32_t *out) {
    rig_read(&rig.out, out, (capacity + 1) * sizeof *out);
    for (uint32_t i = 0; i < count; i++)
        if (out[i] != expected[i]) fail_msg("item %u of %u: %u; expected %u", i, count, out[i], expected[i]);
    for (uint32_t i = count; i <= capacity; i++) assert_int_equal(out[i], UNTOUCHED);
}

static void check_scan(sample s) {
    uint32_t *out = untouched(s.capacity), *expected = rig_array(s.n, sizeof *expected), sum = 0;
    for (uint32_t i = 0; i < s.n; i++) expected[i] = sum, sum += s.items[i];
    rig_send(&rig.a, s.items, s.capacity * sizeof *s.items);
    const device_length length = rig_length(s.n, s.capacity, 0);
    CHECK(opencl_scan(&rig.primitives, &rig.a, length, &rig.out, rig_total_word));
    assert_int_equal(rig_total(), sum);
    expect_out(expected, s.n, s.capacity, out);
    CHECK(opencl_scan(&rig.primitives, &rig.a, length, &rig.a, rig_total_word)); /* in place */
    rig_read(&rig.a, out, s.n * sizeof *out);
    assert_memory_equal(out, expected, s.n * sizeof *out);
    free(out);
    free(expected);
}

static void check_compact(sample s) {
    uint32_t *out = untouched(s.capacity), *expected = rig_array(s.n, sizeof *expected), found = 0;
    for (uint32_t i = 0; i < s.n; i++)
        if (s.items[i]) expected[found++] = i;
    rig_send(&rig.a, s.items, s.capacity * sizeof *s.items);
    CHECK(opencl_compact(&rig.primitives, &rig.a, rig_length(s.n, s.capacity, 0), &rig.out, rig_total_word));
    assert_int_equal(rig_total(), found);
    expect_out(expected, found, s.capacity, out);
    free(out);
    free(expected);
}

/* Segments of 1 to 2 `mean` items; every seventh id is left out, and the last two ids exceed the number of
 * segments. */
static void check_segments(sample s, int mean) {
    uint64_t seed = 5;
    uint32_t *ids = rig_array(s.capacity, sizeof *ids), id = 0, left = 0;
    for (uint32_t i = 0; i < s.capacity; i++) {
        if (left == 0) left = 1 + (uint32_t)random_below(&seed, 2 * mean), id += i > 0, id += id % 7 == 3;
        left--;
        ids[i] = id;
    }
    const uint32_t last = s.n ? ids[s.n - 1] : 0, segments = last < 2 ? 1 : last - 1;
    uint32_t *out = untouched(segments + 3), *expected = rig_array(segments, sizeof *expected);
    for (uint32_t i = 0; i < segments; i++) expected[i] = UINT32_MAX;
    for (uint32_t i = 0; i < s.n; i++)
        if (ids[i] < segments && s.items[i] < expected[ids[i]]) expected[ids[i]] = s.items[i];
    rig_send(&rig.a, s.items, s.capacity * sizeof *s.items);
    rig_send(&rig.b, ids, s.capacity * sizeof *ids);
    const device_length length = rig_length(s.n, s.capacity, segments);
    const device_length of_segments = {{&rig.counts, 2}, segments + 3};
    CHECK(opencl_segment_minimum(&rig.primitives, &rig.a, &rig.b, length, &rig.out, of_segments));
    expect_out(expected, segments, segments + 3, out);
    free(ids);
    free(out);
    free(expected);
}

typedef enum key_pattern {
    KEYS_RANDOM,
    KEYS_EQUAL,
    KEYS_SORTED,
    KEYS_REVERSED,
    KEYS_FEW,
    KEY_PATTERNS
} key_pattern;

/* Returns key i of n of at most `bits` bits. */
static uint64_t pattern_key(key_pattern pattern, uint32_t i, uint32_t n, int bits, uint64_t *seed) {
    const uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1,
                   step = mask / (n + UINT64_C(1)), random = random_bits(seed) & mask;
    switch (pattern) {
    case KEYS_EQUAL:
        return mask / 3;
    case KEYS_SORTED:
        return step * i;
    case KEYS_REVERSED:
        return step * (n - i);
    case KEYS_FEW:
        return random % 5 * (mask / 4);
    default:
        return random;
    }
}

static uint64_t key_at(const void *keys, int key_bits, uint32_t i) {
    return key_bits == 64 ? ((const uint64_t *)keys)[i] : ((const uint32_t *)keys)[i];
}

/* Equal keys keep their order, each key has kept its value, and each value occurs once: with values that
 * are the keys' first indices, only the stable sort fulfils this. */
static void expect_sorted(const void *before, const void *after, const uint32_t *values, int key_bits,
                          uint32_t n) {
    char *seen = rig_array(n, 1);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t key = key_at(after, key_bits, i), last = i ? key_at(after, key_bits, i - 1) : 0;
        if (values[i] >= n || seen[values[i]]) fail_msg("value %u at %u of %u", values[i], i, n);
        seen[values[i]] = 1;
        if (key != key_at(before, key_bits, values[i])) fail_msg("key %u of %u has another's value", i, n);
        if (key < last || (i && key == last && values[i] <= values[i - 1]))
            fail_msg("keys %u and %u of %u are not in order", i - 1, i, n);
    }
    free(seen);
}

static void check_sort(uint32_t n, uint32_t spare, int key_bits, int bits, key_pattern pattern) {
    const size_t bytes = (size_t)key_bits / 8, capacity = n + spare;
    void *keys = rig_array(capacity, bytes), *after = rig_array(capacity, bytes);
    uint32_t *values = rig_array(capacity, sizeof *values);
    uint64_t seed = n + (uint64_t)bits;
    for (uint32_t i = 0; i < capacity; i++) {
        const uint64_t key = pattern_key(pattern, i, (uint32_t)capacity, bits, &seed);
        if (key_bits == 64)
            ((uint64_t *)keys)[i] = key;
        else
            ((uint32_t *)keys)[i] = (uint32_t)key;
        values[i] = i;
    }
    rig_send(&rig.a, keys, capacity * bytes);
    rig_send(&rig.b, values, capacity * sizeof *values);
    CHECK(opencl_sort(&rig.primitives, key_bits, &rig.a, &rig.b, rig_length(n, (uint32_t)capacity, 0), bits));
    rig_read(&rig.a, after, n * bytes);
    rig_read(&rig.b, values, n * sizeof *values);
    expect_sorted(keys, after, values, key_bits, n);
    free(keys);
    free(after);
    free(values);
}
