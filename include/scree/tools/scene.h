/** @file
 * Scenes: JSON files that describe a world, the length of its run and its outputs. host/scene/README.md
 * documents the format. */
#ifndef SCREE_TOOLS_SCENE_H
#define SCREE_TOOLS_SCENE_H

#include <stdio.h>

#include <scree/tools/frame.h>

#ifdef __cplusplus
extern "C" {
#endif

/** A validated scene. */
typedef struct scree_scene scree_scene;

/** Value of scree_run_def.measurements_every.steps: one row of measurements with each frame. */
#define SCREE_EVERY_FRAME UINT64_MAX

/** Camera of a scene's pictures; the fields are those of scree_view. */
typedef struct scree_camera {
    bool automatic;         /**< true: the camera follows the bodies, and the next fields have no effect */
    scree_vec3 eye, target; /**< m */
    float field_of_view;    /**< vertical, degrees, 1 … 150 */
} scree_camera;

/** Run settings of a scene. The command line may override each of them. */
typedef struct scree_run_def {
    scree_span length; /**< length of the whole run from the scene's beginning, ≥ 1 step */
    scree_span every;  /**< period of the frames; 0 steps: none */
    scree_span
        measurements_every;      /**< period of the rows of measurements; 0 steps: none; SCREE_EVERY_FRAME */
    scree_span snapshot_every;   /**< period of the pictures; 0 steps: one at the end */
    bool pictures;               /**< true: draws pictures */
    scree_camera camera;         /**< of the pictures */
    scree_span checkpoint_every; /**< period of the checkpoints; 0 steps: one at the end */
    bool keep_stages;            /**< true: keeps a checkpoint and a picture at the end of each stage */
    uint64_t seed;               /**< seed of the generators */
    scree_series_def frames;     /**< content of the frames */
} scree_run_def;

/** Reads and validates a scene. Unknown keys, wrong types and invalid values are errors. Errors: FILE; FORMAT
 * with "file:line:column: key path: what was expected"; MEMORY. */
SCREE_API scree_result scree_scene_load(const char *path, scree_scene **out);
/** Reads a scene from memory. Messages use `name` as the file name. Errors: FORMAT, MEMORY. */
SCREE_API scree_result scree_scene_parse(const char *text, size_t length, const char *name,
                                         scree_scene **out);
/** Returns the number of warnings about the files that the scene names, such as bytes that were not read. */
SCREE_API int scree_scene_warning_count(const scree_scene *scene);
/** Returns a warning, which the scene owns; null outside the range. */
SCREE_API const char *scree_scene_get_warning(const scree_scene *scene, int i);
/** Frees a scene. Null is allowed. */
SCREE_API void scree_scene_destroy(scree_scene *scene);

/** Returns the world definition of a scene. The scene owns its strings. */
SCREE_API scree_world_def scree_scene_get_world_def(const scree_scene *scene);
/** Returns the run settings of a scene. */
SCREE_API scree_run_def scree_scene_get_run_def(const scree_scene *scene);
/** Returns the camera of the scene that a world was built from, with the changes up to its current stage; the
 * automatic one if the scene has no camera, or the world no scene. */
SCREE_API scree_camera scree_scene_get_camera(const scree_world *world);
/** Adds all contents of the scene to `world`. The generators use `seed` instead of the scene's. The world
 * stores the scene in its note, for scree_scene_resume. Errors: FORMAT (a generator cannot place all of its
 * bodies; names its key path), MEMORY, CAPACITY. */
SCREE_API scree_result scree_scene_build(const scree_scene *scene, scree_world *world, uint64_t seed);

/** A size class of a generator, with requested and generated amounts. */
typedef struct scree_size_class {
    double from, to;    /**< bounds of the class, m */
    double asked, made; /**< requested and generated amount, kg, or grains for a table by number; `made` is
                           less than `asked` by less than one grain */
    uint64_t grains;    /**< number of generated grains in the class */
} scree_size_class;

/** Writes up to `capacity` size classes of a generator to `out` (may be null if 0) and returns their total
 * number. The amounts are those with `seed` instead of the scene's. Returns 0 if there is no such generator,
 * it has no size table, or memory is exhausted. */
SCREE_API int scree_scene_get_size_classes(const scree_scene *scene, int generator, uint64_t seed,
                                           scree_size_class *out, int capacity);
/** Returns the number of generators of a scene. */
SCREE_API int scree_scene_generator_count(const scree_scene *scene);

/** Settings for resuming a world with a modified scene. */
typedef struct scree_resume_def {
    bool add;      /**< true: adds new entries at the ends of the lists of containers, bodies, generators,
                      kinematic groups, inlets, outlets and measurements */
    uint64_t seed; /**< seed of new generators and inlets; a changed inlet keeps its own */
    /** Called for every change that is applied, with a text such as "solver.iterations: 30, now 100"; may be
     * null. */
    void (*tell)(void *context, const char *change);
    void *context; /**< passed to `tell` */
} scree_resume_def;

/** Returns add = false, seed = 0, no callback. */
SCREE_API scree_resume_def scree_default_resume_def(void);

/** Compares the scene key by key with the one that `world` was built from, usually before a checkpoint, and
 * applies the differences that may occur between the stages of an experiment:
 *
 * - gravity and its schedule, time step, solver, limits of the backend
 * - materials except densities, pairs of materials
 * - velocities and surface velocities of static and kinematic bodies, and which of the two they are
 * - forces, torques, locks and gravity scales of dynamic bodies
 * - motions of kinematic groups, inlets, outlets, measurements except their columns
 * - the `absent` keys of all these
 * - with `add`, new list entries except joints
 *
 * Changes that concern the run only (`run`, `outputs`, the rest of `backend`) are reported to `tell`. Options
 * that were set other than by the scene stay unless their key changed. An unchanged scene leaves the world
 * unchanged, bit for bit. Errors: FORMAT (names the first key that cannot change, or the world was not built
 * from a scene; the world is then unchanged); FORMAT, MEMORY and CAPACITY for additions, as
 * scree_scene_build. */
SCREE_API scree_result scree_scene_resume(const scree_scene *scene, scree_world *world,
                                          const scree_resume_def *def);

/** Writes the place in the scene of the body with the given id index, such as `bodies[3]`, `containers[0],
 * wall 2` or `generators[1], item 57`, to `out` of `size` bytes. Returns false if the body does not come from
 * the scene that `world` was built from (for example from an inlet). */
SCREE_API bool scree_scene_get_body_path(const scree_world *world, uint32_t index, char *out, size_t size);

/** Returns the number of stages of a scene; 0 if it has none. */
SCREE_API int scree_scene_stage_count(const scree_scene *scene);
/** Returns the name of a stage; null outside the range. */
SCREE_API const char *scree_scene_get_stage_name(const scree_scene *scene, int stage);
/** Returns the current stage of a world, which its note stores, and the time when it began (s); 0 and 0 if
 * its scene has no stages. Errors: FORMAT (the world was not built from a scene), MEMORY. */
SCREE_API scree_result scree_scene_get_stage(const scree_world *world, int *stage, double *begin);
/** Returns true if a stage that began at `begin` (s) is over after a step with the given statistics; false if
 * there is no such stage. The measurements of `world` (may be null) may end it. */
SCREE_API bool scree_scene_stage_is_over(const scree_scene *scene, int stage, double begin,
                                         const scree_world *world, const scree_statistics *statistics);
/** Returns the key of the stage's `until` that ended it, such as `rest`, or null if it is not over. Returns
 * `time` only if no other criterion is met. `world` may be null. Arguments as in scree_scene_stage_is_over.
 */
SCREE_API const char *scree_scene_get_stage_criterion(const scree_scene *scene, int stage, double begin,
                                                      const scree_world *world,
                                                      const scree_statistics *statistics);
/** Records in the world that its stage is over, together with the scene's current `until` of that stage, so
 * that a run resumed from a checkpoint continues with the next stage. Errors: FORMAT (the world was not built
 * from a scene with stages), MEMORY. */
SCREE_API scree_result scree_scene_end_stage(const scree_scene *scene, scree_world *world);
/** Returns in `ended` whether scree_scene_end_stage recorded the end of the world's stage. False if the
 * scene's `until` of that stage has changed since, or the scene has no stages. Errors: FORMAT (the world was
 * not built from a scene), MEMORY. */
SCREE_API scree_result scree_scene_stage_has_ended(const scree_scene *scene, const scree_world *world,
                                                   bool *ended);
/** Returns the largest number of steps from now to the end of the last stage, if each stage lasts its `time`
 * at its own time step. Errors: FORMAT (the world was not built from a scene, or is in a stage that this
 * scene does not have), MEMORY. */
SCREE_API scree_result scree_scene_get_stage_steps(const scree_scene *scene, const scree_world *world,
                                                   uint64_t *steps);
/** Begins a stage: applies its changes as scree_scene_resume with `add`. Reading the scene has already
 * checked that they are allowed. Errors: ARGUMENT (no such stage), and those of scree_scene_resume. */
SCREE_API scree_result scree_scene_enter_stage(const scree_scene *scene, scree_world *world, int stage,
                                               const scree_resume_def *def);
/** Returns the run settings of a stage; its outputs may differ from those of the scene. `length` is the
 * largest length of the whole experiment. */
SCREE_API scree_run_def scree_scene_get_stage_run_def(const scree_scene *scene, int stage);

/** An ensemble: the worlds that the key `worlds` of a scene describes. */
typedef struct scree_worlds_def {
    int count;    /**< worlds; 0: the scene has no such key */
    int repeats;  /**< successive worlds with the same values, which differ in their seeds */
    int varied;   /**< numbers of the scene that vary */
    int reported; /**< figures of measurements that the summary shows */
    int plotted;  /**< plots of figures against a number that varies */
    bool sampled; /**< true: only random numbers and seeds vary, so that all worlds are one sample */
    bool keep;    /**< true: the results of each world are kept */
} scree_worlds_def;

/** Returns the ensemble of a scene. The scene itself has the numbers of its text. */
SCREE_API scree_worlds_def scree_scene_get_worlds_def(const scree_scene *scene);
/** Returns the path of the i-th number that varies, such as "materials.glass.friction"; null outside the
 * range. */
SCREE_API const char *scree_scene_get_varied_path(const scree_scene *scene, int i);
/** Returns the value of the i-th number that varies in a world, from 0; NaN outside the ranges. Random values
 * depend on `seed`, which stands for the scene's. */
SCREE_API double scree_scene_get_varied_value(const scree_scene *scene, int i, int world, uint64_t seed);
/** Returns the i-th figure of the summary as "measurement.figure", such as "deposit.height_m"; null outside
 * the range. */
SCREE_API const char *scree_scene_get_reported_column(const scree_scene *scene, int i);
/** A plot of the ensemble. */
typedef struct scree_worlds_plot {
    const char *column; /**< "measurement.figure"; null: there is no such plot */
    int varied;         /**< index of the number that it is drawn against */
    bool logarithmic;   /**< true: the values of that number have equal ratios */
} scree_worlds_plot;

/** Returns the i-th plot of the ensemble; the texts are the scene's. */
SCREE_API scree_worlds_plot scree_scene_get_worlds_plot(const scree_scene *scene, int i);
/** Makes the scene of a world, from 0, which is that of the text with the values of this world and the seed
 * `seed` + `world`, unless the seed varies. Errors: ARGUMENT (no such world), and those of
 * scree_scene_parse. */
SCREE_API scree_result scree_scene_make_world(const scree_scene *scene, int world, uint64_t seed,
                                              scree_scene **out);

/** Prints the JSON Schema (draft 2020-12) of scenes, with which an editor completes and checks a scene. It
 * states the keys, types, names, ranges, defaults and units that scree_scene_load accepts, not conditions
 * between keys other than those of the stabilisation. Errors: ARGUMENT, MEMORY, FILE. */
SCREE_API scree_result scree_scene_print_schema(FILE *out);

#ifdef __cplusplus
}
#endif
#endif
