/** @file
 * Scenes: JSON files that describe a world, how long it runs and what it writes. host/scene/README.md has the
 * format. */
#ifndef SCREE_TOOLS_SCENE_H
#define SCREE_TOOLS_SCENE_H

#include <scree/tools/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A scene that was read and checked. */
typedef struct scree_scene scree_scene;

/** In place of steps: a row of measurements with each frame. */
#define SCREE_EVERY_FRAME UINT64_MAX

/** What a scene asks of a run; the command line may override each. */
typedef struct scree_run_def {
    scree_span length;             /**< of the whole run, from the scene's beginning, ≥ 1 step */
    scree_span every;              /**< between two frames; 0 steps: none */
    scree_span measurements_every; /**< between two rows of measurements; 0 steps: none; SCREE_EVERY_FRAME */
    scree_span snapshot_every;     /**< between two pictures; 0 steps: one at the end */
    bool pictures;                 /**< whether pictures are drawn at all */
    scree_span checkpoint_every;   /**< between two checkpoints; 0 steps: one at the end */
    bool keep_stages;              /**< whether a checkpoint and a picture are kept where a stage ends */
    uint64_t seed;                 /**< of the generators */
    scree_series_def frames;       /**< what the frames hold */
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
SCREE_API scree_world_def scree_scene_get_world_def(const scree_scene *scene);
SCREE_API scree_run_def scree_scene_get_run_def(const scree_scene *scene);
/** Adds the scene's materials and bodies to `world`, generators included, with `seed` in place of the
 * scene's. Errors: FORMAT (a generator that cannot place what it is asked to: names its key path), MEMORY,
 * CAPACITY. The world keeps the scene in its note, for scree_scene_resume. */
SCREE_API scree_result scree_scene_build(const scree_scene *scene, scree_world *world, uint64_t seed);

/** A class of a table of sizes, and what a generator makes of it. */
typedef struct scree_size_class {
    double from, to;    /**< m */
    double asked, made; /**< kg, or grains of a table by number; made is below asked by less than a grain */
    uint64_t grains;
} scree_size_class;

/** What a scene's generator makes of its table of sizes, with `seed` in place of the scene's; returns the
 * number of classes, of which up to `capacity` go to `out` (null with 0): 0 where there is no such generator,
 * it has no table, or no memory is left. */
SCREE_API int scree_scene_get_size_classes(const scree_scene *scene, int generator, uint64_t seed,
                                           scree_size_class *out, int capacity);
/** The number of a scene's generators. */
SCREE_API int scree_scene_generator_count(const scree_scene *scene);

/** How a world goes on under a scene that was changed since. */
typedef struct scree_resume_def {
    bool add;      /**< whether what is new at the ends of the lists is made: containers, bodies, generators,
                      assemblies, inlets, outlets, measurements */
    uint64_t seed; /**< of the new generators and inlets; an inlet that changes keeps its own */
    void (*tell)(void *context, const char *change); /**< called for every change that is taken over, with a
                                                        sentence such as "solver.iterations: 30, now 100"; may
                                                        be null */
    void *context;                                   /**< for `tell` */
} scree_resume_def;

/** Adds nothing, seed 0, tells nobody. */
SCREE_API scree_resume_def scree_default_resume_def(void);

/** Compares the scene with the one that `world` was built from (it was loaded from a checkpoint, say), key by
 * key, and takes over what may change between the stages of an experiment: gravity and its schedule, time
 * step, solver, limits of the backend, materials but for their densities, pairs of materials, linear, angular
 * and surface velocities of bodies that are not dynamic (and whether such a body is static or kinematic),
 * forces, torques, locks and gravity scales of dynamic bodies, motions of assemblies, inlets, outlets,
 * measurements but for their columns, which of all these are absent, and, with `add`, what is new in the
 * lists but joints. What concerns a run only (`run`, `outputs`, the rest of `backend`) is told. Options that
 * were set otherwise than by the scene stay, unless their key changed. An unchanged scene changes nothing,
 * not a bit. Errors: FORMAT, naming the first key that cannot change, or that the world remembers no scene:
 * the world is then as it was; FORMAT, MEMORY, CAPACITY of what is added, as scree_scene_build. */
SCREE_API scree_result scree_scene_resume(const scree_scene *scene, scree_world *world,
                                          const scree_resume_def *def);

/** Where the scene that `world` was built from has the body whose id has that index, such as `bodies[3]`,
 * `containers[0], wall 2` or `generators[1], item 57`, as text of at most `size` bytes. False where it has
 * none: the body came in by an inlet, or otherwise. */
SCREE_API bool scree_scene_get_body_path(const scree_world *world, uint32_t index, char *out, size_t size);

/** Number of a scene's stages, 0 where it has none, and the name of one; null outside the range. */
SCREE_API int scree_scene_stage_count(const scree_scene *scene);
SCREE_API const char *scree_scene_get_stage_name(const scree_scene *scene, int stage);
/** The stage that a world is in, which it remembers with its note, and when that began, s; 0 and 0 where its
 * scene has none. Errors: FORMAT (it was not built from a scene), MEMORY. */
SCREE_API scree_result scree_scene_get_stage(const scree_world *world, int *stage, double *begin);
/** Whether a stage that began at `begin` is over after a step of `world`, whose gauges may end it (null: they
 * do not); false where there is no such stage. */
SCREE_API bool scree_scene_stage_is_over(const scree_scene *scene, int stage, double begin,
                                         const scree_world *world, const scree_statistics *statistics);
/** The key of a stage's `until` by which it is over, such as `rest`, or null while it is not: `time` only
 * where no other is met. */
SCREE_API const char *scree_scene_get_stage_criterion(const scree_scene *scene, int stage, double begin,
                                                      const scree_world *world,
                                                      const scree_statistics *statistics);
/** Keeps in the world that its stage is over, under the `until` that the scene has for it, so that what goes
 * on from a checkpoint knows. Errors: FORMAT (it was not built from a scene with stages), MEMORY. */
SCREE_API scree_result scree_scene_end_stage(const scree_scene *scene, scree_world *world);
/** Whether the world's stage is over, as scree_scene_end_stage kept it: under another `until` it is not,
 * until a step has been made. False where the scene has no stages. Errors: FORMAT (it was not built from a
 * scene), MEMORY. */
SCREE_API scree_result scree_scene_stage_has_ended(const scree_scene *scene, const scree_world *world,
                                                   bool *ended);
/** Steps from now to the end of the last stage, at the most: each lasts its `time`, in steps of its own
 * length. Errors: FORMAT (the world was not built from a scene, or has stages that this one lacks), MEMORY.
 */
SCREE_API scree_result scree_scene_get_stage_steps(const scree_scene *scene, const scree_world *world,
                                                   uint64_t *steps);
/** Begins a stage: what it changes is taken over as by scree_scene_resume with `add`; that it can is known
 * since the scene was read. Errors: ARGUMENT (no such stage), and as scree_scene_resume. */
SCREE_API scree_result scree_scene_enter_stage(const scree_scene *scene, scree_world *world, int stage,
                                               const scree_resume_def *def);
/** What a stage asks of a run: the outputs may change. `length` is that of the whole experiment, at the most.
 */
SCREE_API scree_run_def scree_scene_get_stage_run_def(const scree_scene *scene, int stage);

#ifdef __cplusplus
}
#endif
#endif
