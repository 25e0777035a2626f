/* Makes and checks the world of a run. After this, only the results folder can still be refused. */
#include "run_start.h"

#include <stdlib.h>

#include "warnings.h"
#include "program.h"

static const char *const name = "scree run";

/* Prints the error message. Nothing has been touched, so every error except lack of memory is a wrong
 * command. */
static int refuse(scree_result result) {
    complain(name, result);
    return result == SCREE_ERROR_MEMORY || result == SCREE_ERROR_DEVICE_MEMORY ? EXIT_FAILED : EXIT_WRONG;
}

static void note_change(void *context, const char *change) {
    FILE *changes = context;
    if (changes) fprintf(changes, "  %s\n", change);
}

/* Loads the world of a checkpoint, applies the changes of the scene and then the command line's options. */
static scree_result resume(run_start *self, const settings *s, const scree_world_def *runtime) {
    scree_result result = scree_checkpoint_load(s->resume, runtime, &self->world);
    if (result != SCREE_OK) return result;
    size_t length;
    FILE *changes = open_memstream(&self->changes, &length);
    scree_resume_def def = scree_default_resume_def();
    def.add = s->add;
    def.seed = s->given.seed ? (uint64_t)s->seed : scree_scene_get_run_def(self->scene).seed;
    def.tell = note_change;
    def.context = changes;
    result = scree_scene_resume(self->scene, self->world, &def);
    if (changes) fclose(changes);
    if (result != SCREE_OK) return result;
    scree_solver_def solver = scree_world_get_def(self->world).solver;
    result = settings_solver(s, &solver);
    if (result == SCREE_OK) result = scree_world_set_solver(self->world, &solver);
    if (result == SCREE_OK && s->given.time_step)
        result = scree_world_set_time_step(self->world, s->time_step);
    return result;
}

static scree_result build(run_start *self, const settings *s, const scree_world_def *def) {
    const scree_result result = scree_world_create(def, &self->world);
    if (result != SCREE_OK) return result;
    const uint64_t seed = s->given.seed ? (uint64_t)s->seed : scree_scene_get_run_def(self->scene).seed;
    return scree_scene_build(self->scene, self->world, seed);
}

/* Returns whether a resumed run is past its end time. Stages may end for other reasons than the time. */
static bool is_past(const run_start *self, const settings *s) {
    const bool timed = s->given.time || !scree_scene_stage_count(self->scene);
    const double time = scree_world_get_time(self->world), h = scree_world_get_def(self->world).time_step;
    return s->resume && timed && self->plan.seconds > 0 && time > self->plan.seconds + 0.5 * h;
}

/* Checks what the library cannot: steps that are never made, problems that FCLIB files cannot hold. */
static bool check_plan(const run_start *self, const settings *s) {
    const uint64_t from = scree_world_step_count(self->world), to = self->plan.steps;
    uint64_t outside;
    if (from > to)
        fprintf(stderr,
                "%s: \"%s\" is at step %llu, after the end of the run at step %llu; use a later --steps "
                "or --time\n",
                name, s->resume ? s->resume : s->scene, (unsigned long long)from, (unsigned long long)to);
    else if (is_past(self, s))
        fprintf(stderr, "%s: the checkpoint is at %.9g s, after %s %.9g%s; use a later --time\n", name,
                scree_world_get_time(self->world), s->given.time ? "--time" : "the scene's end,",
                self->plan.seconds, s->given.time ? "" : " s");
    else if (s->keep_stages && !scree_scene_stage_count(self->scene))
        fprintf(stderr, "%s: --keep-stages: the scene has no stages\n", name);
    else if (s->dump && from == to)
        fprintf(stderr,
                "%s: --dump-problem: the run has reached its last step, %llu, and makes no more steps\n",
                name, (unsigned long long)to);
    else if (!settings_dumps_within(s, from, to, &outside))
        fprintf(stderr, "%s: --dump-problem: %llu; must be steps that this run makes, %llu to %llu\n", name,
                (unsigned long long)outside, (unsigned long long)from + 1, (unsigned long long)to);
    else if (s->dump && scree_world_has_rolling_resistance(self->world))
        fprintf(stderr,
                "%s: --dump-problem: FCLIB files cannot represent the scene's rolling or spinning friction\n",
                name);
    else
        return true;
    return false;
}

int run_start_make(run_start *self, const settings *s) {
    scree_result result = scree_scene_load(s->scene, &self->scene);
    if (result != SCREE_OK) return refuse(result);
    scree_world_def def = scree_scene_get_world_def(self->scene);
    result = settings_world(s, &def);
    if (result != SCREE_OK) return refuse(result);
    limit_device_threads(def.threads);
    self->device = def.device;
    scree_device_info device;
    if (def.device && scree_device_find(def.device, &device) == SCREE_ERROR_NO_DEVICE)
        return refuse(SCREE_ERROR_NO_DEVICE); /* on any backend, since pictures are drawn on it */
    result = s->resume ? resume(self, s, &def) : build(self, s, &def);
    if (result != SCREE_OK) return refuse(result);
    if (!scree_body_count(self->world) && !has_inlet(self->world)) {
        fprintf(
            stderr,
            "%s: %s: the scene has no bodies; must have at least one entry in \"bodies\", \"containers\", "
            "\"generators\" or \"inlets\"\n",
            name, s->scene);
        return EXIT_WRONG;
    }
    result = settings_plan(s, self->scene, self->world, &self->plan);
    if (result != SCREE_OK) return refuse(result);
    if (!check_plan(self, s)) return EXIT_WRONG;
    result = scree_world_prepare(self->world);
    if (result == SCREE_OK) result = scree_world_set_verify(self->world, (int)s->verify);
    int devices;
    if (result == SCREE_OK && s->given.snapshot) result = scree_device_list(NULL, 0, &devices);
    return result == SCREE_OK ? EXIT_DONE : refuse(result);
}

void run_start_release(run_start *self) {
    scree_world_destroy(self->world);
    scree_scene_destroy(self->scene);
    free(self->changes);
}
