/** @file
 * Observers of the steps of a world. */
#ifndef SCREE_OBSERVER_H
#define SCREE_OBSERVER_H

#include <scree/statistics.h>

#ifdef __cplusplus
extern "C" {
#endif

/** An observer of the steps of a world, such as the measurements of scree/tools/measurement.h. It must not
 * change the world. Null functions are skipped. */
typedef struct scree_observer {
    const char *name; /**< unique in its world; must live as long as the observer */
    void *user;       /**< passed to the functions */
    /** Runs before a step. Sets `*needs_work` to true if the step must compute scree_world_get_contact_work.
     * On error the step fails and the world is unchanged. */
    scree_result (*begin)(const scree_world *world, void *user, bool *needs_work);
    /** Runs at the end of a successful step, before inlets and outlets act. */
    void (*end)(const scree_world *world, const scree_statistics *statistics, void *user);
    /** Runs when the world is destroyed. */
    void (*destroy)(void *user);
    /** Runs after the world has returned to a snapshot (world_snapshot.h). */
    void (*restored)(const scree_world *world, void *user);
} scree_observer;

/** Adds an observer, which is copied; observers run in the order in which they were added. Errors: ARGUMENT
 * (null, or a name in use), MEMORY. */
SCREE_API scree_result scree_world_add_observer(scree_world *world, const scree_observer *observer);
/** Returns `user` of the observer with this name; null if there is none. */
SCREE_API void *scree_world_find_observer(const scree_world *world, const char *name);

#ifdef __cplusplus
}
#endif
#endif
