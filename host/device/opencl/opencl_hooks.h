/* Switches by which tests force a path that the library would not take on this device. All of them are false
 * in the library; a test sets one before it opens a device or a backend, and resets it afterwards. */
#pragma once

#include <stdbool.h>

typedef struct opencl_hooks {
    bool without_double;   /* hides double precision */
    bool without_staging;  /* copies do not pass through pinned memory */
    bool separate_colours; /* each colour has a launch of its own */
} opencl_hooks;

/* Not synchronised: set it while no other thread opens a device. */
extern opencl_hooks opencl_test_hooks;
