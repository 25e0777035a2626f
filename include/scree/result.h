/** @file
 * What a call that can fail returns, and the sentence that goes with it. */
#ifndef SCREE_RESULT_H
#define SCREE_RESULT_H

#include <stddef.h>
#include <scree/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The outcome of a call. Anything but SCREE_OK leaves the outputs untouched and the world as it was. A null
 * pointer is SCREE_ERROR_ARGUMENT in every call, unless its description says that null is allowed; calls that
 * return something else than a result then return zero (a null pointer, false), and scree_error_get_result()
 * tells. */
typedef enum scree_result {
    SCREE_OK = 0,
    SCREE_ERROR_ARGUMENT,      /**< a parameter outside its documented range */
    SCREE_ERROR_HANDLE,        /**< an id of something destroyed, or of another world; a null id where none is
                                  allowed */
    SCREE_ERROR_MEMORY,        /**< the host is out of memory */
    SCREE_ERROR_CAPACITY,      /**< a limit that the caller set, or the index range, would be exceeded */
    SCREE_ERROR_NO_PLATFORM,   /**< no OpenCL platform is installed */
    SCREE_ERROR_NO_DEVICE,     /**< no OpenCL device, or none that matches the name given */
    SCREE_ERROR_KERNEL_BUILD,  /**< a kernel did not build; the message holds the device compiler's log */
    SCREE_ERROR_DEVICE_MEMORY, /**< the device is out of memory */
    SCREE_ERROR_DEVICE,        /**< any other OpenCL error, a lost device among them */
    SCREE_ERROR_NOT_FINITE,    /**< a body's state, or the residual, became NaN or infinite; the message names
                                  the step, and the body */
    SCREE_ERROR_FILE,          /**< a file or folder could not be opened, read or written */
    SCREE_ERROR_DISK_FULL,     /**< no space left where the file goes */
    SCREE_ERROR_FORMAT,        /**< a file's content is not what it should be; the message says where */
    SCREE_ERROR_UNSUPPORTED,   /**< this build or backend cannot do that */
} scree_result;

/** The short name of a result, such as "out of memory". Never null. */
SCREE_API const char *scree_result_name(scree_result result);

/** One sentence about the calling thread's last failure: what, where, and what was expected. Never null;
 * empty if nothing failed yet. Valid until the thread's next failing call. */
SCREE_API const char *scree_error_get_message(void);

/** The result that the calling thread's last failure had; SCREE_OK if nothing failed yet. For calls that
 * return something else than a result. */
SCREE_API scree_result scree_error_get_result(void);

/** How many bodies, 0 to 2, the sentence of the calling thread's last failure names; `out` (null is fine)
 * gets the `index` of their ids. */
SCREE_API int scree_error_get_bodies(uint32_t out[2]);
/** Sets the calling thread's last error, for libraries that build on this one: `result` and a copy of
 * `message`, cut to 16383 bytes; null is an empty message. Returns `result`. */
SCREE_API scree_result scree_error_set(scree_result result, const char *message);
/** Records which bodies the last error concerns: `count` (0 to 2) indices as in scree_body_id. Returns
 * `result`. */
SCREE_API scree_result scree_error_set_bodies(scree_result result, const uint32_t bodies[2], int count);

/** Replacements for malloc and free; both or none. `user` is passed through. Set before anything else is
 * created; not thread-safe. Its functions are called from several threads at a time. Memory that HDF5,
 * Jansson, libpng, Qhull and OpenCL take for themselves is not covered.
 */
typedef struct scree_allocator {
    void *(*allocate)(size_t bytes, void *user);
    void (*release)(void *block, void *user);
    void *user;
} scree_allocator;

/** Makes scree take host memory from `allocator` (copied); null restores malloc and free, and large blocks
 * that the system maps. */
SCREE_API void scree_set_allocator(const scree_allocator *allocator);
/** Returns the allocator in force; its functions are null while the library uses its own. */
SCREE_API scree_allocator scree_get_allocator(void);

#ifdef __cplusplus
}
#endif
#endif
