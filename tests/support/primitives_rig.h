/* An opened device with its building blocks and buffers, for tests of them. */
#pragma once

#include "expect.h"
#include "device.h"
#include "random.h"
#include "device/opencl/opencl_primitives.h"

#include <scree/scree.h>

/* Opened primitives with buffers; counts: [0] the length, [1] a total, [2] the number of segments. */
typedef struct primitives_rig {
    opencl_device device;
    opencl_primitives primitives;
    opencl_buffer counts, a, b, out;
} primitives_rig;

static primitives_rig rig;

/* Opens the primitives with the numbers and the kind of work-groups that the library takes for this device,
 * or with these. Skips the test where there is no device. */
typedef enum group_kind { GROUPS_OF_DEVICE, GROUPS_OF_ONE, GROUPS_OF_MANY } group_kind;
static inline void rig_open(cl_uint largest_groups, cl_uint direct_groups, group_kind kind) {
    if (!device_is_there()) skip();
    CHECK(opencl_device_open(test_device(), &rig.device));
    opencl_primitives_open(&rig.primitives, &rig.device);
    if (kind == GROUPS_OF_DEVICE) return;
    rig.primitives.serial = kind == GROUPS_OF_ONE;
    rig.primitives.largest_groups = largest_groups;
    rig.primitives.direct_groups = direct_groups;
}

static inline void rig_close(void) {
    opencl_buffer *const buffers[] = {&rig.counts, &rig.a, &rig.b, &rig.out};
    for (int i = 0; i < 4; i++) opencl_buffer_release(&rig.device, buffers[i]);
    opencl_primitives_close(&rig.primitives);
    opencl_device_close(&rig.device);
    rig = (primitives_rig){0};
}

static inline void *rig_array(size_t count, size_t item) {
    void *array = calloc(count + 1, item);
    assert_non_null(array);
    return array;
}

static inline void rig_send(opencl_buffer *buffer, const void *items, size_t bytes) {
    CHECK(opencl_buffer_reserve(&rig.device, buffer, bytes, "test array"));
    CHECK(opencl_buffer_write(&rig.device, buffer, items, bytes, CL_TRUE, "test array"));
}

static inline void rig_read(const opencl_buffer *buffer, void *items, size_t bytes) {
    CHECK(opencl_buffer_read(&rig.device, buffer, items, bytes, CL_TRUE, "test array"));
}

/* Sends the counts and returns the length of an array of `capacity` words, of which n are in use. */
static inline device_length rig_length(uint32_t n, uint32_t capacity, uint32_t segments) {
    const uint32_t counts[3] = {n, 12345, segments};
    rig_send(&rig.counts, counts, sizeof counts);
    return (device_length){{&rig.counts, 0}, capacity};
}

static inline uint32_t rig_total(void) {
    uint32_t counts[3];
    rig_read(&rig.counts, counts, sizeof counts);
    return counts[1];
}

static const device_word rig_total_word = {&rig.counts, 1};
