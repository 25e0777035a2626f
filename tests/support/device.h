/* The OpenCL device of this test run: SCREE_TEST_DEVICE (part of its name, or its number in `scree devices`),
 * else the library's preferred one. tests/run iterates over all devices. */
#pragma once

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <scree/device.h>

/* Returns the device for a definition or for library options; NULL means the preferred one. */
static inline const char *test_device(void) { return getenv("SCREE_TEST_DEVICE"); }

static inline bool device_is_named(const scree_device_info *device, const char *part) {
    for (const char *at = device->name; *at; at++)
        if (strncasecmp(at, part, strlen(part)) == 0) return true;
    return false;
}

/* Fills in the description of the test's device; returns false without OpenCL. */
static inline bool device_describe(scree_device_info *out) {
    static scree_device_info all[32];
    const char *wanted = test_device();
    int count = 0;
    if (scree_device_list(all, 32, &count) != SCREE_OK) return false;
    for (int i = 0; i < count && i < 32; i++) {
        const bool numbered = wanted && isdigit((unsigned char)wanted[0]) && atoi(wanted) == i;
        if (wanted ? numbered || device_is_named(&all[i], wanted) : all[i].chosen) {
            *out = all[i];
            return true;
        }
    }
    return false;
}

static inline bool device_is_there(void) {
    scree_device_info device;
    return device_describe(&device);
}

static inline bool device_has_double(void) {
    scree_device_info device;
    return device_describe(&device) && device.fp64;
}

/* Returns whether the device agrees with the native backend to the bit. Runtimes on processors do (tested:
 * PoCL and Intel's), and GPUs that round divisions and square roots correctly (tested: an H100). Other GPUs
 * are compared to a tolerance. */
static inline bool device_has_native_bits(void) {
    scree_device_info device;
    return device_describe(&device) && (!device.gpu || device.correctly_rounded);
}
