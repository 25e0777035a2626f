/** @file
 * Copies of a world in memory: snapshots, to which a world returns in place, and clones.
 *
 * A snapshot holds all that a checkpoint file holds: bodies, joints, contacts with their impulses, kinematic
 * groups, inlets and outlets, materials, settings, forces that act in the next step, time. Geometries are
 * shared with the world, not copied. A world that was restored continues with the same bits as one that never
 * left that state. */
#ifndef SCREE_WORLD_SNAPSHOT_H
#define SCREE_WORLD_SNAPSHOT_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The state of a world at one moment. It does not change. */
typedef struct scree_world_snapshot scree_world_snapshot;

/** Makes a snapshot of a world. It may outlive the world. Cost: a copy of the state, less than a tenth of a
 * step for a pile. Errors: MEMORY. */
SCREE_API scree_result scree_world_snapshot_create(const scree_world *world, scree_world_snapshot **out);
/** Returns a world to a snapshot of it, as often as wanted and in any order of snapshots; the snapshot stays.
 * Ids of objects that lived then are valid again, also of those that were destroyed since. Ids of objects
 * that were created since are not valid; later objects get them again, in the order in which they were given
 * before. Backend, device, threads and profiling stay as they are. Observers stay and keep what they have
 * recorded: a measurement counts the undone steps, too. Errors: HANDLE (the snapshot is of another world),
 * MEMORY. */
SCREE_API scree_result scree_world_snapshot_restore(const scree_world_snapshot *snapshot, scree_world *world);
/** Frees a snapshot. Null is allowed. */
SCREE_API void scree_world_snapshot_destroy(scree_world_snapshot *snapshot);

/** Makes a second world in the state of the first, with the same backend, pipeline, device and number of threads. The
 * ids of its objects have the same `index` and `generation`, and its own number as `world`. It has no
 * observers, hence no measurements and no contact events, and verification is off. Errors: those of
 * scree_world_create. */
SCREE_API scree_result scree_world_clone(const scree_world *world, scree_world **out);

#ifdef __cplusplus
}
#endif
#endif
