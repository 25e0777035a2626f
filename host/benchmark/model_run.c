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
    double bodies, pairs, contacts, touching, colours, iterations, sweeps;
    double bytes_update; /* of a contact in a sweep */
    bool boxes;
    const char *barrier; /* why the host found contacts in the last step; NULL: it did not */
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

/* Returns the time of a stage in kernels, s. The median launch of each kernel counts, because launches
 * during which the processor did other work are many times longer. */
static double measured_seconds(const step_counts *self, int stage) {
    double sum = 0;
    for (int i = 0; i < self->kinds; i++)
        if ((int)self->launches[i].stage == stage)
            sum += self->launches[i].count * median(self->times[i].of, self->times[i].count);
    return sum;
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
    self->iterations += s->solve.iterations;
    self->bytes_update = (double)s->sweep_bytes / fmax(1, s->contacts);
    self->barrier = s->contacts_barrier;
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
                         .bytes_update = self->bytes_update,
                         .launches_sweep = fmax(1, sweeps / fmax(1, self->iterations / n))};
}

/* Fills the stages of a step from its launches. */
static void predict(const step_counts *counts, const model_sizes *sizes, double factor,
                    const model_request *request, model_stage stages[SCREE_STAGE_COUNT]) {
    for (int i = 0; i < counts->kinds; i++)
        model_add(request->on, sizes, factor, &counts->launches[i], &stages[counts->launches[i].stage]);
    if (!(request->on->processors > 0))
        model_add_bounds(request->on, sizes, factor, &stages[SCREE_STAGE_BOUNDS]);
}

/* A line of the table; bytes and times of the prediction, s. */
typedef struct model_row {
    double launches, waits, copied, starts, kernels, measured;
} model_row;

static model_row row_of(const step_counts *counts, int i, double factor, const model_stage *stage) {
    const scree_device_traffic *seen = &counts->stages[i].device;
    return (model_row){.launches = stage->launches,
                       .waits = seen->waits / (double)counts->steps,
                       .copied = factor * (double)(seen->bytes_up + seen->bytes_down) / counts->steps,
                       .starts = stage->starts,
                       .kernels = stage->kernels,
                       .measured = measured_seconds(counts, i)};
}

static void add_row(model_row *sum, const model_row *row) {
    sum->launches += row->launches, sum->waits += row->waits, sum->copied += row->copied;
    sum->starts += row->starts, sum->kernels += row->kernels, sum->measured += row->measured;
}

/* Events of a GPU include the start of a launch, those of a processor do not. */
static void print_row(const model_request *request, const char *name, const model_row *row, bool planned) {
    const double together = row->starts + row->kernels;
    printf("%-10s %8.1f %6.1f %9.3f | %9.3f %9.3f %9.3f", name, row->launches, row->waits, 1e-6 * row->copied,
           1e3 * row->starts, 1e3 * row->kernels, 1e3 * together);
    if (request->compares && row->measured > 0)
        printf(" | %18.3f %6.2f", 1e3 * row->measured,
               (request->on->processors > 0 ? row->kernels : together) / row->measured);
    printf("%s\n", planned && row->launches > 0 ? "   planned" : "");
}

static void print_heading(const char *scene, const step_counts *counts, const model_sizes *sizes,
                          double factor, const model_request *request) {
    printf("\nPrediction for %s, not a measurement; costs of that device: %s\n"
           "%s with %.0f bodies, %.0f contacts, %.1f iterations; launches, waits and bytes of a step were "
           "counted "
           "here with %.0f bodies, %.0f contacts\n",
           request->on->name, request->on->source, scene, factor * sizes->bodies, factor * sizes->contacts,
           counts->iterations / counts->steps, sizes->bodies, sizes->contacts);
    printf("%-10s %8s %6s %9s | %9s %9s %9s%s\n", "stage", "launches", "waits", "MB copied", "starts ms",
           "kernel ms", "sum ms", request->compares ? " | kernel ms measured  ratio" : "");
}

/* Prints the stages. Copies and waits are those that stages of the host cause, and are not in the sum. */
static void print_table(const step_counts *counts, double factor, const model_request *request,
                        const model_stage stages[SCREE_STAGE_COUNT]) {
    model_row all = {0};
    double of[MODEL_BOUNDS] = {0};
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) {
        const model_row row = row_of(counts, i, factor, &stages[i]);
        print_row(request, scree_step_stage_name((scree_step_stage)i), &row, stages[i].planned);
        add_row(&all, &row);
        for (int k = 0; k < MODEL_BOUNDS; k++) of[k] += stages[i].of[k];
    }
    print_row(request, "total", &all, false);
    printf(
        "In launches bound by their start %.3f ms, by a chain of loads %.3f, by bandwidth %.3f. Not in the "
        "sum: waits %.3f ms, copies %.3f.\n",
        1e3 * of[MODEL_LAUNCH], 1e3 * of[MODEL_LATENCY], 1e3 * of[MODEL_BANDWIDTH],
        1e3 * all.waits * request->on->wait, 1e3 * all.copied / request->on->link);
}

/* Prints the stages that the host made, which are not in the table. */
static void print_missing(const step_counts *counts, const model_stage stages[SCREE_STAGE_COUNT]) {
    const char *before = "Missing, because the host made them: ";
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) {
        if (stages[i].launches > 0 || !(counts->stages[i].seconds > 0)) continue;
        printf("%s%s", before, scree_step_stage_name((scree_step_stage)i));
        before = ", ";
    }
    if (*before == ',')
        printf("%s%s.\n", counts->barrier ? "; " : "", counts->barrier ? counts->barrier : "");
}

static void predict_and_print(const char *scene, const step_counts *counts, const model_sizes *sizes,
                              const model_request *request) {
    model_stage stages[SCREE_STAGE_COUNT] = {0};
    const double factor = request->bodies > 0 ? request->bodies / sizes->bodies : 1;
    predict(counts, sizes, factor, request, stages);
    print_heading(scene, counts, sizes, factor, request);
    print_table(counts, factor, request, stages);
    print_missing(counts, stages);
}

static scree_result count_and_print(const char *scene, const char *checkpoint_path,
                                    const scree_world_def *def, const model_request *request) {
    __attribute__((cleanup(release_counts))) step_counts *counts = memory_allocate(1, sizeof *counts);
    scree_world *world = NULL;
    scree_statistics s;
    if (!counts) return fail(SCREE_ERROR_MEMORY, "out of memory: model");
    TRY(scree_checkpoint_load(checkpoint_path, def, &world));
    scree_result result = scree_world_step(world, &s); /* builds programs, and buffers grow */
    for (int i = 0; i < COUNTED && result == SCREE_OK; i++) {
        result = scree_world_step(world, &s);
        if (result == SCREE_OK) add_step(counts, world, &s);
    }
    if (result == SCREE_OK) {
        const model_sizes sizes = sizes_of(counts, &def->solver);
        predict_and_print(scene, counts, &sizes, request);
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
