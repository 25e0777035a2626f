#include "model_run.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "median.h"

enum { COUNTED = 5, KINDS = 256 };

/* Durations of the launches of one kernel in one stage, s. */
typedef struct launch_times {
    double *of;
    int count, capacity;
} launch_times;

/* Sums over the counted steps. */
typedef struct step_counts {
    model_launches launches[KINDS];
    launch_times times[KINDS];
    int kinds, steps;
    scree_stage_report stages[SCREE_STAGE_COUNT];
    double bodies, pairs, contacts, touching, colours, iterations, bytes_sweep, sweeps;
    bool boxes;
} step_counts;

static void add_span(step_counts *self, const scree_trace_span *span) {
    int i = 0;
    if (span->track != SCREE_TRACK_KERNELS) return;
    while (i < self->kinds &&
           (self->launches[i].stage != span->stage || strcmp(self->launches[i].name, span->name) != 0))
        i++;
    if (i == KINDS) return;
    if (i == self->kinds)
        self->launches[self->kinds++] = (model_launches){.name = span->name, .stage = span->stage};
    self->launches[i].count++;
    self->launches[i].items += (double)span->work_items;
    launch_times *times = &self->times[i];
    if (MEMORY_RESERVE(times->of, times->capacity, times->count + 1, NULL) != SCREE_OK) return;
    times->of[times->count++] = span->end - span->begin;
}

static void release_counts(step_counts **counts) {
    for (int i = 0; *counts && i < KINDS; i++) memory_release((*counts)->times[i].of);
    memory_release(*counts);
}

/* Returns the time of a stage in kernels, ms. The median launch of each kernel counts, because launches
 * during which the processor did other work are many times longer. */
static double measured_ms(const step_counts *self, int stage) {
    double sum = 0;
    for (int i = 0; i < self->kinds; i++)
        if ((int)self->launches[i].stage == stage)
            sum += self->launches[i].count * median(self->times[i].of, self->times[i].count);
    return 1e3 * sum;
}

static void add_step(step_counts *self, const scree_world *world, const scree_statistics *s) {
    const scree_trace_span *spans = NULL;
    const int count = scree_world_get_trace(world, &spans);
    for (int i = 0; i < count; i++) add_span(self, &spans[i]);
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) {
        const scree_stage_report *from = &s->stages[i];
        scree_stage_report *to = &self->stages[i];
        to->seconds += from->seconds, to->device.waits += from->device.waits;
        to->device.bytes_up += from->device.bytes_up, to->device.bytes_down += from->device.bytes_down;
    }
    self->bodies += s->bodies, self->pairs += s->pairs, self->contacts += s->contacts;
    self->touching += s->touching, self->colours += s->colours;
    self->iterations += s->solve.iterations, self->bytes_sweep += (double)s->sweep_bytes;
    self->steps++;
}

/* Divides the sums by the steps. */
static model_sizes sizes_of(step_counts *self, const scree_solver_def *solver) {
    const double n = self->steps;
    double sweeps = 0;
    for (int i = 0; i < self->kinds; i++) {
        model_launches *l = &self->launches[i];
        l->count /= n, l->items /= n;
        if (l->stage == SCREE_STAGE_SOLVE && !strncmp(l->name, "sweep", 5)) sweeps += l->count;
        self->boxes |= !strncmp(l->name, "sweep", 5) && strncmp(l->name, "sweep_ball", 10) != 0;
    }
    const double contacts = self->contacts / n;
    return (model_sizes){.bodies = self->bodies / n,
                         .pairs = self->pairs / n,
                         .contacts = contacts,
                         .colours = self->colours / n,
                         .points = self->boxes ? fmax(1, self->contacts / fmax(1, self->touching)) : 1,
                         .local_sweeps = solver->local_sweeps,
                         .updates = contacts * self->iterations / n / fmax(1, sweeps),
                         .bytes_update = self->bytes_sweep / fmax(1, self->contacts)};
}

/* Fills the stages of a step from its launches. */
static void predict(const step_counts *counts, const model_sizes *sizes, const model_request *request,
                    model_stage stages[SCREE_STAGE_COUNT]) {
    const double factor = request->bodies > 0 ? request->bodies / sizes->bodies : 1;
    for (int i = 0; i < counts->kinds; i++)
        model_add(request->on, sizes, factor, &counts->launches[i], &stages[counts->launches[i].stage]);
    if (!(request->on->processors > 0)) model_add_planned(request->on, sizes, factor, counts->boxes, stages);
}

static void print_stage(const step_counts *counts, const model_request *request, int i, double factor,
                        const model_stage *stage, double *all) {
    const scree_stage_report *seen = &counts->stages[i];
    const double n = counts->steps, waits = seen->device.waits / n,
                 copied = factor * (double)(seen->device.bytes_up + seen->device.bytes_down) / n,
                 kernels = 1e3 * stage->kernels, starts = 1e3 * stage->starts,
                 measured = measured_ms(counts, i);
    printf("%-10s %8.1f %6.1f %9.3f | %9.3f %9.3f %9.3f", scree_step_stage_name((scree_step_stage)i),
           stage->launches, waits, 1e-6 * copied, starts, kernels, starts + kernels);
    if (request->on->processors > 0 && measured > 0) printf(" | %9.3f %6.2f", measured, kernels / measured);
    printf("%s\n", stage->planned && stage->launches > 0 ? "   planned" : "");
    all[0] += stage->launches, all[1] += waits, all[2] += copied, all[3] += starts, all[4] += kernels;
    all[5] += measured;
}

/* Prints the stages. Copies and waits are those that stages of the host cause, and are not in the sum. */
static void print_table(const char *scene, const step_counts *counts, const model_sizes *sizes,
                        const model_request *request, const model_stage stages[SCREE_STAGE_COUNT]) {
    const model_device *on = request->on;
    const double factor = request->bodies > 0 ? request->bodies / sizes->bodies : 1;
    double all[6] = {0}, of[MODEL_BOUNDS] = {0};
    printf("\nPREDICTED for %s (%s): %s with %.0f bodies, %.0f contacts, %.1f iterations, from the counts of "
           "%.0f bodies, %.0f contacts\n",
           on->name, on->source, scene, factor * sizes->bodies, factor * sizes->contacts,
           counts->iterations / counts->steps, sizes->bodies, sizes->contacts);
    printf("%-10s %8s %6s %9s | %9s %9s %9s%s\n", "stage", "launches", "waits", "MB copied", "starts ms",
           "kernels", "together", on->processors > 0 ? " |  measured  ratio" : "");
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) {
        print_stage(counts, request, i, factor, &stages[i], all);
        for (int k = 0; k < MODEL_BOUNDS; k++) of[k] += stages[i].of[k];
    }
    printf("%-10s %8.1f %6.1f %9.3f | %9.3f %9.3f %9.3f", "total", all[0], all[1], 1e-6 * all[2], all[3],
           all[4], all[3] + all[4]);
    if (on->processors > 0) printf(" | %9.3f %6.2f", all[5], all[4] / all[5]);
    printf(
        "\nIn launches bound by their start %.3f ms, by a chain of loads %.3f, by bandwidth %.3f. Not in the "
        "sum: waits %.3f ms, copies %.3f.\n",
        1e3 * of[MODEL_LAUNCH], 1e3 * of[MODEL_LATENCY], 1e3 * of[MODEL_BANDWIDTH], 1e3 * all[1] * on->wait,
        1e3 * all[2] / on->link);
}

static scree_result count_and_print(const char *scene, const char *checkpoint_path,
                                    const scree_world_def *def, const model_request *request) {
    __attribute__((cleanup(release_counts))) step_counts *counts = memory_allocate(1, sizeof *counts);
    scree_world *world = NULL;
    scree_statistics s;
    model_stage stages[SCREE_STAGE_COUNT] = {0};
    if (!counts) return fail(SCREE_ERROR_MEMORY, "out of memory: model");
    TRY(scree_checkpoint_load(checkpoint_path, def, &world));
    scree_result result = scree_world_step(world, &s); /* builds programs, and buffers grow */
    for (int i = 0; i < COUNTED && result == SCREE_OK; i++) {
        result = scree_world_step(world, &s);
        if (result == SCREE_OK) add_step(counts, world, &s);
    }
    if (result == SCREE_OK) {
        const model_sizes sizes = sizes_of(counts, &def->solver);
        predict(counts, &sizes, request, stages);
        print_table(scene, counts, &sizes, request, stages);
    }
    scree_world_destroy(world); /* the names of the launches are valid until here */
    return result;
}

static void release_scene(scree_scene **scene) { scree_scene_destroy(*scene); }

/* Settles a scene on native, which gives the bits of a device sooner, and saves it. */
static scree_result settle(const char *scene, const bench_options *options, long long steps,
                           const char *checkpoint_path, scree_world_def *def) {
    __attribute__((cleanup(release_scene))) scree_scene *loaded = NULL;
    scree_world *world = NULL;
    TRY(bench_load_scene(scene, NULL, &loaded));
    *def = world_options_def(&options->world, scree_scene_get_world_def(loaded));
    scree_world_def native = *def;
    native.backend = SCREE_BACKEND_NATIVE, native.pipeline = SCREE_PIPELINE_HOST, native.device = NULL;
    if (steps == 0) steps = bench_settle_steps(scene, loaded);
    TRY(scree_world_create(&native, &world));
    scree_result result = scree_scene_build(loaded, world, scree_scene_get_run_def(loaded).seed);
    for (long long i = 0; i < steps && result == SCREE_OK; i++) result = scree_world_step(world, NULL);
    if (result == SCREE_OK) result = scree_checkpoint_save(world, checkpoint_path);
    scree_world_destroy(world);
    def->backend = SCREE_BACKEND_OPENCL, def->pipeline = SCREE_PIPELINE_DEVICE, def->profile = true;
    def->device = options->world.device;
    return result;
}

int model_run(const char *scene, const bench_options *options, const model_request *request) {
    char checkpoint_path[4096];
    scree_world_def def;
    if (!bench_temporary(checkpoint_path)) return 1;
    scree_result result = settle(scene, options, request->settle, checkpoint_path, &def);
    if (result == SCREE_OK) result = count_and_print(scene, checkpoint_path, &def, request);
    unlink(checkpoint_path);
    if (result != SCREE_OK) fprintf(stderr, "scree bench: %s: %s\n", scene, scree_error_get_message());
    return result == SCREE_OK ? 0 : result == SCREE_ERROR_ARGUMENT ? 2 : 1;
}
