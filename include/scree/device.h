/** @file
 * The OpenCL devices of this machine. */
#ifndef SCREE_DEVICE_H
#define SCREE_DEVICE_H

#include <scree/core.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Properties of an OpenCL device. */
typedef struct scree_device_info {
    /** As the OpenCL driver reports them, zero-terminated, truncated. `version` is that of OpenCL. */
    char name[128], platform[128], vendor[128], driver[128], version[128];
    bool gpu;                /**< a GPU; else a processor or another accelerator */
    bool fp64;               /**< kernels may use double precision */
    bool correctly_rounded;  /**< single-precision division and square root can be correctly rounded */
    bool available;          /**< the driver reports the device as usable */
    int compute_units;       /**< CL_DEVICE_MAX_COMPUTE_UNITS */
    uint64_t memory;         /**< global memory, bytes */
    uint64_t max_allocation; /**< largest buffer, bytes */
    bool chosen;             /**< the device that the `auto` backend tries first */
} scree_device_info;

/** Writes up to `capacity` devices to `out`, in the order of their index, and the total number to `count`,
 * which may exceed `capacity`. Thread-safe. Errors: NO_PLATFORM, NO_DEVICE, MEMORY. */
SCREE_API scree_result scree_device_list(scree_device_info *out, int capacity, int *count);

/** Finds a device. `wanted` (may be null: the best device) is an index in decimal or part of a device name,
 * as scree_world_def.device. Errors: NO_PLATFORM, NO_DEVICE (the message lists the devices), MEMORY. */
SCREE_API scree_result scree_device_find(const char *wanted, scree_device_info *out);

/** Measured properties of a device, independent of the solver. */
typedef struct scree_device_speed {
    /** Memory bandwidth, B/s, counting each copied byte twice (read and write). Measured on a buffer of 256
     * MiB, or a quarter of the largest buffer if that is smaller. */
    double copy_bandwidth;
    double launch; /**< time per launch of an empty kernel in a long sequence, s */
    double wait;   /**< time until the host sees the completion of one launch, s */
} scree_device_speed;

/** Measures the device selected by `wanted` (may be null; see scree_device_find). Takes about a second; the
 * values are medians of several runs. Errors: ARGUMENT, those of scree_device_find, DEVICE, DEVICE_MEMORY,
 * KERNEL_BUILD.
 */
SCREE_API scree_result scree_device_measure(const char *wanted, scree_device_speed *out);

#ifdef __cplusplus
}
#endif
#endif
