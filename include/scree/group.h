/** @file
 * Groups of worlds that share the launches of one OpenCL device: many small worlds fill a device that one of
 * them cannot.
 *
 * Each world of a group is stepped by a thread of its own. Where the worlds of a group enqueue the same
 * kernel, one launch runs it for all of them, and one wait serves all. A world has the same bits as alone. */
#ifndef SCREE_GROUP_H
#define SCREE_GROUP_H

#include <scree/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A group of worlds. It outlives its worlds (scree_world_def.group). */
typedef struct scree_group scree_group;

/** Makes a group on the OpenCL device `device`, which may be null, as in scree_world_def. Nothing is launched
 * before `threads` ≥ 0 calls of scree_group_enter, so that the worlds begin together. Errors: ARGUMENT, and
 * those of scree_world_create for `opencl`. */
SCREE_API scree_result scree_group_create(const char *device, int threads, scree_group **out);
/** Frees a group without worlds. Null is allowed. */
SCREE_API void scree_group_destroy(scree_group *group);
/** Adds the calling thread, which is in no group: from now on the worlds of the other threads of the group
 * wait for it, so it must step a world of the group or leave. A world whose thread is not in the group steps
 * alone. Null is allowed: nothing happens. */
SCREE_API void scree_group_enter(scree_group *group);
/** Removes the calling thread. Null is allowed. */
SCREE_API void scree_group_leave(scree_group *group);
/** Returns what the group has requested of the device so far. A world's own statistics count its commands as
 * if it were alone. */
SCREE_API scree_device_traffic scree_group_get_traffic(scree_group *group);

#ifdef __cplusplus
}
#endif
#endif
