/* What the command line of `scree run` asks for. */
#ifndef SCREE_CLI_SETTINGS_H
#define SCREE_CLI_SETTINGS_H

#include <scree/scree.h>
#include <scree/tools/tools.h>

#include "options.h"

/* Numbers that were not given are found in the scene. */
typedef struct settings {
    const char *scene, *out, *device, *resume, *dump, *fields;
    long long steps, iterations, threads, every, snapshot, checkpoint, verify, seed, compression, measure,
        substeps;
    uint32_t field_set; /* of `fields` */
    double time, time_step, tolerance;
    int backend, preset, method, law, stabilisation, colouring;
    bool add, quiet, plain, no_contacts, no_pictures, keep_stages, profile;
    struct {
        bool steps, time, time_step, backend, preset, method, law, stabilisation, substeps, iterations,
            tolerance, threads, every, snapshot, checkpoint, seed, compression, measure;
    } given;
} settings;

/* A run in whole steps of the time step in force. */
typedef struct plan {
    uint64_t steps; /* at which it ends, from the scene's beginning; with stages, at the latest */
    uint64_t every, measurements_every, snapshot_every, checkpoint_every; /* as in scree_run_def */
    bool pictures, keep_stages;
    bool measures;  /* whether there are rows at the ends of stages and with checkpoints */
    double seconds; /* the length as stated, 0 where it is in steps */
    scree_series_def frames;
} plan;

/* Reads the command line; what is wrong is said on stderr. */
option_outcome settings_read(settings *self, int argc, char **argv);
/* A scene's definitions with the command line's choices. */
scree_solver_def settings_solver(const settings *self, scree_solver_def solver);
scree_world_def settings_world(const settings *self, scree_world_def def);
/* The run of `world` from now on, in steps as long as they are now, or, for the stages to come, will be.
 * Errors: as scree_scene_get_stage_steps. */
scree_result settings_plan(const settings *self, const scree_scene *scene, const scree_world *world,
                           plan *out);
/* The list of those steps after `step` whose problems are to be dumped; false where there are none. */
bool settings_dumps_after(const settings *self, uint64_t step, char *out, size_t size);
/* Whether the problem of `step` is to be dumped; whether all that are come after step `from` and up to `to`,
 * and if not, one that does not. */
bool settings_dumps(const settings *self, uint64_t step);
bool settings_dumps_within(const settings *self, uint64_t from, uint64_t to, uint64_t *outside);

#endif
