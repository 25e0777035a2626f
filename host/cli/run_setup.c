/* Makes and checks the world of a run. After this, only the results folder can still be refused. */
#include "run_setup.h"

#include <math.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "warnings.h"
#include "program.h"

static void list_change(void *context, const char *change) {
    FILE *changes = context;
    if (changes) fprintf(changes, "  %s\n", change);
}

static uint64_t seed_of(const run_setup *self, const settings *s) {
    return s->given.seed ? (uint64_t)s->seed : scree_scene_get_run_def(self->scene).seed;
}

/* Loads the world of a checkpoint, applies the changes of the scene and then the command line's options. */
static scree_result resume(run_setup *self, const settings *s, const scree_world_def *runtime) {
    TRY(scree_checkpoint_load(s->resume, runtime, &self->world));
    size_t length;
    FILE *changes = open_memstream(&self->changes, &length);
    scree_resume_def def = scree_default_resume_def();
    def.add = s->add;
    def.seed = seed_of(self, s);
    def.tell = list_change;
    def.context = changes;
    const scree_result result = scree_scene_resume(self->scene, self->world, &def);
    if (changes) fclose(changes);
    TRY(result);
    scree_solver_def solver = scree_world_get_def(self->world).solver;
    TRY(settings_solver(s, &solver));
    TRY(scree_world_set_solver(self->world, &solver));
    return s->given.time_step ? scree_world_set_time_step(self->world, s->time_step) : SCREE_OK;
}

/* Returns whether a resumed run is past its end time. Stages may end for other reasons than the time. */
static bool is_past(const run_setup *self, const settings *s) {
    const bool timed = s->given.time || !scree_scene_stage_count(self->scene);
    const double time = scree_world_get_time(self->world), h = scree_world_get_def(self->world).time_step;
    return s->resume && timed && self->plan.seconds > 0 && time > self->plan.seconds + 0.5 * h;
}

/* Refuses joints that always have rows which FCLIB files cannot store. A limit has a row only where bodies
 * may reach it within the step. */
static scree_result check_joints(const scree_world *world) {
    const int count = scree_joint_list(world, NULL, 0);
    SCOPED scree_joint_id *ids = memory_allocate((size_t)count, sizeof *ids);
    if (!ids) return fail(SCREE_ERROR_MEMORY, "out of memory: %d joints", count);
    scree_joint_list(world, ids, count);
    for (int i = 0; i < count; i++) {
        char name[JOINT_NAME_SIZE];
        scree_joint_def def;
        TRY(scree_joint_get_def(world, ids[i], &def));
        for (int k = 0; k < SCREE_AXIS_COUNT; k++) {
            const scree_joint_axis *axis = &def.axes[k];
            const bool bounded = axis->drive != SCREE_DRIVE_NONE && isfinite(axis->max_force);
            if (!bounded && !(axis->friction > 0)) continue;
            return fail(SCREE_ERROR_ARGUMENT,
                        "--dump-problem: %s of %s: %g; FCLIB files cannot store it: must be left out",
                        bounded ? "\"max_force\"" : "\"friction\"", joint_describe(world, ids[i], name),
                        (double)(bounded ? axis->max_force : axis->friction));
        }
    }
    return SCREE_OK;
}

/* Checks what the library cannot: steps that are never made, problems that FCLIB files cannot hold. */
static scree_result check_plan(const run_setup *self, const settings *s) {
    const uint64_t from = scree_world_step_count(self->world), to = self->plan.steps;
    uint64_t outside;
    if (from > to)
        return fail(SCREE_ERROR_ARGUMENT,
                    "\"%s\" is at step %llu, after the end of the run at step %llu; use a later --steps "
                    "or --time",
                    s->resume ? s->resume : s->scene, (unsigned long long)from, (unsigned long long)to);
    if (is_past(self, s))
        return fail(SCREE_ERROR_ARGUMENT, "the checkpoint is at %.9g s, after %s %.9g%s; use a later --time",
                    scree_world_get_time(self->world), s->given.time ? "--time" : "the scene's end,",
                    self->plan.seconds, s->given.time ? "" : " s");
    if (s->resume && s->given.seed && !s->add && !scree_scene_stage_count(self->scene))
        return fail(SCREE_ERROR_ARGUMENT,
                    "--seed: %lld with --resume; must be with --add or a scene with stages, which add bodies "
                    "to those of the checkpoint",
                    s->seed);
    if (s->keep_stages && !scree_scene_stage_count(self->scene))
        return fail(SCREE_ERROR_ARGUMENT, "--keep-stages: the scene has no stages");
    if (s->dump && from == to)
        return fail(SCREE_ERROR_ARGUMENT,
                    "--dump-problem: the run has reached its last step, %llu, and makes no more steps",
                    (unsigned long long)to);
    if (!settings_dumps_within(s, from, to, &outside))
        return fail(SCREE_ERROR_ARGUMENT,
                    "--dump-problem: %llu; must be steps that this run makes, %llu to %llu",
                    (unsigned long long)outside, (unsigned long long)from + 1, (unsigned long long)to);
    if (s->dump && scree_world_has_rolling_resistance(self->world))
        return fail(
            SCREE_ERROR_ARGUMENT,
            "--dump-problem: rolling or spinning friction of the materials; FCLIB files cannot store it: "
            "must be 0");
    return s->dump ? check_joints(self->world) : SCREE_OK;
}

scree_result run_setup_make(run_setup *self, const settings *s) {
    scree_world_def def = scree_scene_get_world_def(self->scene);
    TRY(settings_world(s, &def));
    if (!def.group) pocl_set_thread_count(def.threads); /* worlds of a group share a device that is open */
    self->device = def.device;
    scree_device_info device;
    if (def.device && scree_device_find(def.device, &device) == SCREE_ERROR_NO_DEVICE)
        return SCREE_ERROR_NO_DEVICE; /* on any backend, since pictures are drawn on it */
    if (s->resume) {
        TRY(resume(self, s, &def));
    } else {
        TRY(scree_world_create(&def, &self->world));
        self->building = true;
        TRY(scree_scene_build(self->scene, self->world, seed_of(self, s)));
        self->building = false;
    }
    if (!scree_body_count(self->world) && !has_inlet(self->world))
        return fail(
            SCREE_ERROR_ARGUMENT,
            "%s: the scene has no bodies; must have at least one entry in \"bodies\", \"containers\", "
            "\"generators\" or \"inlets\"",
            s->scene);
    TRY(settings_plan(s, self->scene, self->world, &self->plan));
    TRY(check_plan(self, s));
    TRY(scree_world_prepare(self->world));
    TRY(scree_world_set_verify(self->world, (int)s->verify));
    int devices; /* pictures are drawn on a device, whose absence is reported before the run */
    return s->given.snapshot ? scree_device_list(NULL, 0, &devices) : SCREE_OK;
}

void run_setup_release(run_setup *self) {
    scree_world_destroy(self->world);
    scree_scene_destroy(self->scene);
    free(self->changes);
}
