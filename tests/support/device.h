/* The OpenCL device of this run of the tests: SCREE_TEST_DEVICE's (part of its name, or its number in
 * `scree devices`), else the one that the library prefers. tests/run goes through all that there are. */
#ifndef SCREE_TESTS_DEVICE_H
#define SCREE_TESTS_DEVICE_H

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <scree/device.h>

/* What a definition, or the library's options, take as the device; null for the preferred one. */
static inline const char *test_device(void) { return getenv("SCREE_TEST_DEVICE"); }

static inline bool device_is_named(const scree_device_info *device, const char *part) {
    for (const char *at = device->name; *at; at++)
        if (strncasecmp(at, part, strlen(part)) == 0) return true;
    return false;
}

/* What the library says of the test's device; false where there is no OpenCL. */
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

/* Runtimes on processors (PoCL's and Intel's are tried) give the bits of the native backend. GPUs may round
 * divisions and square roots their own way and are compared to a tolerance. */
static inline bool device_has_native_bits(void) {
    scree_device_info device;
    return device_describe(&device) && !device.gpu;
}

#endif
