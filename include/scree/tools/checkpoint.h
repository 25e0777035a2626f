/** @file
 * Checkpoints: the complete state of a world in one HDF5 file, from which a run goes on bit for bit. */
#ifndef SCREE_TOOLS_CHECKPOINT_H
#define SCREE_TOOLS_CHECKPOINT_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a checkpoint to a temporary name beside `path`, syncs it, and renames it: `path` holds the old or
 * the new checkpoint at every moment. Errors: FILE, DISK_FULL, MEMORY; `path` is then unchanged and the
 * temporary file removed. */
SCREE_API scree_result scree_checkpoint_save(const scree_world *world, const char *path);

/** Makes a world from a checkpoint. Backend, device and threads are taken from `runtime` (null: auto),
 * everything else from the file. Errors: FILE; FORMAT (not a checkpoint, another version, truncated, altered:
 * says which); those of scree_world_create. */
SCREE_API scree_result scree_checkpoint_load(const char *path, const scree_world_def *runtime,
                                             scree_world **out);

#ifdef __cplusplus
}
#endif
#endif
