/** @file
 * Version, plain value types, result codes, error messages and the host memory allocator. All quantities are
 * in SI units; the z axis points up. */
#ifndef SCREE_CORE_H
#define SCREE_CORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define SCREE_API __attribute__((visibility("default")))
#else
#define SCREE_API
#endif

/** The version of these headers. Below 1.0.0 each minor version has an interface of its own. */
#define SCREE_VERSION_MAJOR 0
#define SCREE_VERSION_MINOR 2
#define SCREE_VERSION_PATCH 0
/** The version as one integer constant: 1 000 000 major + 1000 minor + patch. */
#define SCREE_VERSION (SCREE_VERSION_MAJOR * 1000000 + SCREE_VERSION_MINOR * 1000 + SCREE_VERSION_PATCH)

#ifdef __cplusplus
extern "C" {
#endif

/** Returns SCREE_VERSION of the library that is loaded. It differs from the macro if a program runs with
 * another library than the one whose headers it was compiled with. */
SCREE_API int scree_version(void);
/** Returns the version of the library that is loaded as text, such as "0.2.0". Never null. */
SCREE_API const char *scree_version_name(void);

/** A vector, in world coordinates unless stated otherwise. */
typedef struct scree_vec3 {
    float x, y, z;
} scree_vec3;

/** A rotation from body to world coordinates as a unit quaternion: (x, y, z) = axis · sin(θ/2), w = cos(θ/2).
 */
typedef struct scree_quat {
    float x, y, z, w;
} scree_quat;

/** Position and orientation of a body. */
typedef struct scree_pose {
    scree_vec3 position; /**< centre of mass, m */
    scree_quat rotation; /**< body to world, unit */
} scree_pose;

/** An axis-aligned box, m; infinite components are allowed. */
typedef struct scree_box {
    scree_vec3 lower, upper;
} scree_box;

/** A length of simulated time, in steps or in seconds. Seconds are converted to steps only when the time step
 * is final. */
typedef struct scree_span {
    uint64_t steps; /**< used if `seconds` is 0 */
    double seconds; /**< s; used instead of `steps` if > 0 */
} scree_span;

/** Returns the length of `span` in whole steps of `time_step` (s, > 0). Seconds are rounded to the nearest
 * step, to at least 1. */
SCREE_API uint64_t scree_span_get_steps(scree_span span, double time_step);

/** A world: bodies, materials, joints and everything else that a step advances (world.h). */
typedef struct scree_world scree_world;

/** The outcome of a call. A call that does not return SCREE_OK leaves its outputs and the world unchanged.
 *
 * A null pointer yields SCREE_ERROR_ARGUMENT in every call unless the description of the parameter allows
 * null. Functions that do not return a scree_result then return zero (null, false, 0), and
 * scree_error_get_result() returns the code. Functions that write up to `capacity` items and return the
 * number of all take a negative capacity as 0. */
typedef enum scree_result {
    SCREE_OK = 0,
    SCREE_ERROR_ARGUMENT, /**< a parameter is outside its documented range */
    SCREE_ERROR_HANDLE,   /**< the id is of a destroyed object or of another world, or null where that is not
                             allowed */
    SCREE_ERROR_MEMORY,   /**< the host is out of memory */
    SCREE_ERROR_CAPACITY, /**< a limit set by the caller, or the index range, would be exceeded */
    SCREE_ERROR_NO_PLATFORM,   /**< no OpenCL platform is installed */
    SCREE_ERROR_NO_DEVICE,     /**< there is no OpenCL device, or none matches the given name */
    SCREE_ERROR_KERNEL_BUILD,  /**< a kernel did not build; the message contains the device compiler's log */
    SCREE_ERROR_DEVICE_MEMORY, /**< the device is out of memory */
    SCREE_ERROR_DEVICE,        /**< any other OpenCL error, including a lost device */
    SCREE_ERROR_NOT_FINITE,  /**< a body's state or the residual became NaN or infinite; the message names the
                                step and the body */
    SCREE_ERROR_FILE,        /**< a file or folder could not be opened, read or written */
    SCREE_ERROR_DISK_FULL,   /**< no space is left on the target file system */
    SCREE_ERROR_FORMAT,      /**< the content of a file is invalid; the message gives the location */
    SCREE_ERROR_UNSUPPORTED, /**< this build or backend does not support the operation */
} scree_result;

/** Returns the short name of a result, such as "out of memory". Never null. */
SCREE_API const char *scree_result_name(scree_result result);

/** Returns the message of the calling thread's last error: the place, the cause and the allowed values. Never
 * null; empty if no call has failed. Valid until the next failing call on this thread. */
SCREE_API const char *scree_error_get_message(void);

/** Returns the result code of the calling thread's last error, SCREE_OK if no call has failed. Use it after
 * functions that do not return a scree_result. */
SCREE_API scree_result scree_error_get_result(void);

/** Returns the number of bodies, 0 to 2, that the calling thread's last error message names, and writes the
 * `index` of their ids to `out` (may be null). */
SCREE_API int scree_error_get_bodies(uint32_t out[2]);
/** Sets the calling thread's last error, for libraries that build on this one: `result` and a copy of
 * `message` (may be null: empty), cut to 16383 bytes. Returns `result`. */
SCREE_API scree_result scree_error_set(scree_result result, const char *message);
/** Records which bodies the last error concerns: `count` (0 to 2) indices as in scree_body_id; `bodies` may
 * be null: none. Returns `result`. */
SCREE_API scree_result scree_error_set_bodies(scree_result result, const uint32_t bodies[2], int count);

/** Replacements for malloc and free. Both functions are given, or neither. Both may be called by several
 * threads at once. Memory that HDF5, Jansson, libpng, Qhull and OpenCL allocate themselves is not covered. */
typedef struct scree_allocator {
    /** Returns a block of `bytes` (> 0) of any alignment and content; null: memory is exhausted. */
    void *(*allocate)(size_t bytes, void *user);
    void (*release)(void *block, void *user); /**< frees a block of `allocate`, never null */
    void *user;                               /**< passed to both functions unchanged */
} scree_allocator;

/** Sets the allocator of host memory. `allocator` is copied; it may be null: this restores the default,
 * malloc and free, and mappings of the operating system for large blocks. Call it before any object is
 * created. Not thread-safe. Errors: ARGUMENT (one function without the other; the allocator in force stays).
 */
SCREE_API void scree_set_allocator(const scree_allocator *allocator);
/** Returns the allocator in force; its functions are null while the library uses its own. */
SCREE_API scree_allocator scree_get_allocator(void);

#ifdef __cplusplus
}
#endif
#endif
