/** @file
 * Scenes: JSON files that describe a world, how long it runs and what it writes. README.md has the format. */
#ifndef SCREE_SCENE_H
#define SCREE_SCENE_H

#include <scree/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A scene that was read and checked. */
typedef struct scree_scene scree_scene;

/** What a scene asks of a run; the command line may override each. */
typedef struct scree_run_def {
    uint64_t steps;            /**< steps to make, ≥ 1 */
    uint64_t every;            /**< steps between two frames and rows of measurements; 0: none */
    uint64_t snapshot_every;   /**< steps between two pictures; 0: one at the end */
    uint64_t checkpoint_every; /**< steps between two checkpoints; 0: one at the end */
    uint64_t seed;             /**< of the generators */
} scree_run_def;

/** Reads and checks a scene. Unknown keys, wrong types and impossible values are refused.
 * Errors: FILE; FORMAT with "file:line:column: key path: what was expected"; MEMORY. */
SCREE_API scree_result scree_scene_load(const char *path, scree_scene **out);
/** The same from memory; `name` stands for the file in messages. */
SCREE_API scree_result scree_scene_parse(const char *text, size_t length, const char *name,
                                         scree_scene **out);
/** Frees a scene; null is fine. */
SCREE_API void scree_scene_destroy(scree_scene *scene);

/** The scene's world definition (strings owned by the scene) and run. */
SCREE_API scree_world_def scree_scene_world_def(const scree_scene *scene);
SCREE_API scree_run_def scree_scene_run_def(const scree_scene *scene);
/** Adds the scene's materials and bodies to `world`, generators included, with `seed` in place of the
 * scene's. Errors: FORMAT (a generator that cannot place what it is asked to: names its key path), MEMORY,
 * CAPACITY. */
SCREE_API scree_result scree_scene_build(const scree_scene *scene, scree_world *world, uint64_t seed);

#ifdef __cplusplus
}
#endif
#endif
