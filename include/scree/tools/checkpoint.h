/** @file
 * Checkpoints: the complete state of a world in one HDF5 file. A run resumed from it is identical bit for
 * bit. */
#ifndef SCREE_TOOLS_CHECKPOINT_H
#define SCREE_TOOLS_CHECKPOINT_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Writes a checkpoint to a temporary file next to `path`, syncs it and renames it, so that `path` always
 * holds a complete checkpoint, old or new. Errors: FILE, DISK_FULL, MEMORY; `path` is then unchanged and the
 * temporary file removed. */
SCREE_API scree_result scree_checkpoint_save(const scree_world *world, const char *path);

/** Makes a world from a checkpoint. `runtime` (may be null: backend `auto`) gives backend, pipeline, device,
 * group and threads; everything else comes from the file. Errors: FILE; FORMAT (not a checkpoint, another
 * version, truncated or modified; the message gives the reason); those of scree_world_create. */
SCREE_API scree_result scree_checkpoint_load(const char *path, const scree_world_def *runtime,
                                             scree_world **out);

/** Returns whether threads may read and write checkpoints and frames at once: the HDF5 library is
 * thread-safe, as that of Debian is. */
SCREE_API bool scree_files_are_thread_safe(void);

#ifdef __cplusplus
}
#endif
#endif
