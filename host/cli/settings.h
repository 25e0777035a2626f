/* The options of `scree run`. */
#pragma once

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include "benchmark/bench_result.h"
#include "options.h"

/* Values that were not given come from the scene. */
typedef struct settings {
    const char *scene, *out, *resume, *dump, *fields, *trace;
    world_options world;
    long long steps, every, snapshot, checkpoint, verify, seed, compression, measure, substeps,
        number;         /* `number`: of a world of an ensemble */
    uint32_t field_set; /* parsed from `fields` */
    double time, time_step;
    int stabilisation, colouring;
    bool add, quiet, plain, no_contacts, no_pictures, keep_stages, profile;
    scree_group *group; /* of the worlds of an ensemble on OpenCL; NULL: none. Not an option */
    bool rows_only;     /* frames and pictures are left out, whatever the scene says; not an option */
    struct {
        bool steps, time, time_step, stabilisation, substeps, every, snapshot, checkpoint, seed, compression,
            measure, number;
    } given;
} settings;

/* A run in steps of the current time step. */
typedef struct plan {
    uint64_t steps; /* last step, counted from the scene's beginning; with stages an upper bound */
    uint64_t every, measurements_every, snapshot_every, checkpoint_every; /* as in scree_run_def */
    bool pictures, keep_stages;
    scree_camera camera;
    bool measures;  /* whether rows are written at the ends of stages and with checkpoints */
    double seconds; /* the length in seconds, 0 if it is given in steps */
    scree_series_def frames;
} plan;

/* Reads the command line; prints errors to stderr. */
option_outcome settings_read(settings *self, int argc, char **argv);
/* Apply the command line's options to a scene's definitions. Errors: ARGUMENT (--substeps with another
 * stabilisation than substep). */
scree_result settings_solver(const settings *self, scree_solver_def *solver);
scree_result settings_world(const settings *self, scree_world_def *def);
/* Plans the rest of the run of `world`, with its current time step and, for later stages, theirs. Errors: as
 * scree_scene_get_stage_steps. */
scree_result settings_plan(const settings *self, const scree_scene *scene, const scree_world *world,
                           plan *out);
/* Writes the list of the steps after `step` whose problems are to be dumped; false: there are none. */
bool settings_dumps_after(const settings *self, uint64_t step, char *out, size_t size);
/* settings_dumps returns whether the problem of `step` is to be dumped. settings_dumps_within returns whether
 * all steps to be dumped lie after `from` and up to `to`; otherwise it sets `outside` to one that does
 * not. */
bool settings_dumps(const settings *self, uint64_t step);
bool settings_dumps_within(const settings *self, uint64_t from, uint64_t to, uint64_t *outside);
/* Prints the command that resumes the run of `given` from `checkpoint`, at step `step`, in `folder`, with
 * every option of `argv` that still applies, quoted for a shell. `seeded`: --seed still applies, as the scene
 * has stages or worlds. A NULL `checkpoint` stands for a folder with the worlds of an ensemble. */
void continuation_print(const settings *given, int argc, char **argv, const char *checkpoint,
                        const char *folder, uint64_t step, bool seeded, FILE *out);
/* Prints, each after a space, the words of the command line by which results may depend. */
void settings_print_lasting(const settings *given, int argc, char **argv, FILE *out);
