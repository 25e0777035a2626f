/** @file
 * The OpenCL devices of this machine. */
#ifndef SCREE_DEVICE_H
#define SCREE_DEVICE_H

#include <scree/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/** One OpenCL device. */
typedef struct scree_device_info {
    char name[128], platform[128], vendor[128], driver[128], version[128];
    bool gpu;
    bool fp64;              /**< double precision in kernels */
    bool correctly_rounded; /**< single-precision divide and sqrt can be had correctly rounded */
    bool available;         /**< the driver says that it can be used now */
    int compute_units;
    uint64_t memory;         /**< bytes of global memory */
    uint64_t max_allocation; /**< bytes of one buffer */
    bool chosen;             /**< the device that the `auto` backend would look at first */
} scree_device_info;

/** Writes up to `capacity` devices to `out`, in the order of their index, and their number to `count` (which
 * may be larger). Any thread may call at any time. Errors: NO_PLATFORM, NO_DEVICE, MEMORY. */
SCREE_API scree_result scree_device_list(scree_device_info *out, int capacity, int *count);

/** The device that `wanted` means (as in scree_world_def: an index as text, or part of a name; null: the
 * best). Errors: NO_PLATFORM, NO_DEVICE (lists what there is), MEMORY. */
SCREE_API scree_result scree_device_find(const char *wanted, scree_device_info *out);

/** What a device can do, whatever the solver makes of it. */
typedef struct scree_device_speed {
    double copy_bandwidth; /**< B/s of its memory, a byte read and written counted as two: copies of a buffer
                              of 256 MiB, or of a quarter of what one buffer may take */
    double launch;         /**< s a launch of a kernel that does nothing, many in a row */
    double wait;           /**< s until the host knows that one launch has ended */
} scree_device_speed;

/** Measures the device that `wanted` means (as scree_device_find): about a second. Medians of several runs.
 * Errors: ARGUMENT, those of scree_device_find, DEVICE, DEVICE_MEMORY, KERNEL_BUILD. */
SCREE_API scree_result scree_device_measure(const char *wanted, scree_device_speed *out);

#ifdef __cplusplus
}
#endif
#endif
