/* Long runs that need not be repeated on a device with the bits of native. */
#pragma once

#include "scenery.h"

/* Skips a test on such a device: the test runs on native too, and test_wide, test_golden and test_opencl
 * compare the bits. Other devices run it. */
static inline void skip_bits_of_native(void **state) {
    if (backend_of(state) == SCREE_BACKEND_OPENCL && device_has_native_bits()) skip();
}
