#include "bench_result.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "median.h"
#include "memory_line.h"

/* Chooses the settling and the timed steps. The letters are those of the benchmark's definition: A (spheres)
 * and B (cubes) settle for 240 steps before 60 are timed; C (pyramid) and D (tower) are timed from the start.
 * Other scenes run for their own length, and their last 60 steps, or their last quarter, are timed. */
static void plan_steps(bench_result *m, uint64_t scene_steps) {
    const bool lettered = m->scene[1] >= '0' && m->scene[1] <= '9';
    m->stacked = lettered && (m->scene[0] == 'C' || m->scene[0] == 'D');
    m->timed_steps = 60;
    if (lettered && (m->scene[0] == 'A' || m->scene[0] == 'B')) {
        m->settle_steps = 240;
    } else if (m->stacked) {
        m->timed_steps = m->scene[0] == 'C' ? 1200 : 600;
    } else {
        if (scene_steps < 240) m->timed_steps = (long long)(scene_steps + 3) / 4;
        m->settle_steps = (long long)scene_steps - m->timed_steps;
    }
}

/* The ideal positions of a stack's cubes, without gaps: the scenes C and D place cubes of side 0.1 m on a
 * grid of 0.101 m. */
typedef struct stack {
    scree_body_id *ids;
    double (*places)[3];
    int count;
} stack;

static void stack_release(stack *s) {
    memory_release(s->ids);
    memory_release(s->places);
}

static scree_result stack_read(stack *s, const scree_world *world) {
    const int bodies = scree_body_count(world);
    s->ids = memory_allocate((size_t)bodies, sizeof *s->ids);
    s->places = memory_allocate((size_t)bodies, sizeof *s->places);
    if (!s->ids || !s->places) return fail(SCREE_ERROR_MEMORY, "out of memory for %d bodies", bodies);
    scree_body_list(world, s->ids, bodies);
    for (int i = 0; i < bodies; i++) {
        scree_body_def def;
        TRY(scree_body_get_def(world, s->ids[i], &def));
        if (def.type != SCREE_BODY_DYNAMIC) continue;
        double *place = s->places[s->count];
        place[0] = (double)def.state.position.x;
        place[2] = 0.05 + 0.1 * round(((double)def.state.position.z - 0.051) / 0.101);
        s->ids[s->count++] = s->ids[i];
    }
    return SCREE_OK;
}

/* Returns the largest distance of a cube from its ideal position. */
static double stack_drift(const stack *s, const scree_world *world) {
    double largest = 0;
    for (int i = 0; i < s->count; i++) {
        scree_body_state state;
        if (scree_body_get_state(world, s->ids[i], &state) != SCREE_OK) return INFINITY;
        const scree_vec3 p = state.position;
        const double *q = s->places[i];
        const double d[3] = {(double)p.x - q[0], (double)p.y - q[1], (double)p.z - q[2]};
        largest = fmax(largest, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
    return largest;
}

/* Statistics of every timed step: the seconds of each phase, the residual, the number of iterations. */
enum { PHASES = 6, RESIDUALS = PHASES, ITERATIONS, COLUMNS };
typedef struct stopwatch {
    double *column[COLUMNS]; /* column[0]: the block of all */
    double contact_iterations, solve_seconds;
    long long count;
} stopwatch;

static void stopwatch_add(stopwatch *w, const scree_statistics *s) {
    const scree_timing *t = &s->timing;
    const double pairs = t->bounds + t->pairs;
    const double row[COLUMNS] = {t->total,
                                 pairs,
                                 t->manifolds,
                                 t->problem,
                                 t->solve,
                                 t->total - pairs - t->manifolds - t->problem - t->solve,
                                 [RESIDUALS] = s->solve.residual,
                                 [ITERATIONS] = s->solve.iterations};
    for (int c = 0; c < COLUMNS; c++) w->column[c][w->count] = row[c];
    w->count++;
    w->contact_iterations += (double)s->contacts * s->solve.iterations;
    w->solve_seconds += t->solve;
}

world_options world_options_none(void) {
    return (world_options){.backend = -1,
                           .pipeline = -1,
                           .preset = -1,
                           .method = -1,
                           .law = -1,
                           .iterations = -1,
                           .threads = -1,
                           .tolerance = -1};
}

scree_solver_def world_options_solver(const world_options *self, scree_solver_def solver) {
    if (self->preset >= 0) solver = scree_solver_def_with_preset(solver, (scree_preset)self->preset);
    if (self->method >= 0) solver.method = (scree_method)self->method;
    if (self->law >= 0) solver.law = (scree_law)self->law;
    if (self->iterations >= 0) solver.iterations = (int)self->iterations;
    if (self->tolerance >= 0) solver.tolerance = (float)self->tolerance;
    return solver;
}

scree_world_def world_options_def(const world_options *self, scree_world_def def) {
    if (self->backend >= 0) def.backend = (scree_backend_kind)self->backend;
    if (self->pipeline >= 0) def.pipeline = (scree_pipeline)self->pipeline;
    if (self->threads >= 0) def.threads = (int)self->threads;
    if (self->device) def.device = self->device;
    def.solver = world_options_solver(self, def.solver);
    return def;
}

/* Finds the device's name and driver, if the backend uses one. */
static void find_device(bench_result *m) {
    scree_device_info devices[32];
    int count = 0;
    if (strncmp(m->backend, "opencl", 6) || scree_device_list(devices, 32, &count) != SCREE_OK) return;
    for (int i = 0; i < count && i < 32; i++) {
        if (!strstr(m->backend, devices[i].name)) continue;
        memcpy(m->device, devices[i].name, sizeof m->device);
        memcpy(m->driver, devices[i].driver, sizeof m->driver);
        return;
    }
}

static scree_result measure_end(const scree_world *world, bench_result *m) {
    double mass = 0;
    const int bodies = scree_body_count(world);
    SCOPED scree_body_id *ids = memory_allocate((size_t)bodies, sizeof *ids);
    if (!ids || !overlap_measure(world, &m->penetration))
        return fail(SCREE_ERROR_MEMORY, "out of memory for %d bodies", bodies);
    scree_body_list(world, ids, bodies);
    for (int i = 0; i < bodies; i++) {
        float body_mass; /* 0 unless dynamic */
        if (scree_body_get_mass(world, ids[i], &body_mass, NULL) == SCREE_OK) mass += (double)body_mass;
    }
    m->kinetic_per_mass = mass > 0 ? m->last.kinetic_energy / mass : 0;
    return SCREE_OK;
}

/* Makes the timed steps of one repeat; of the first one also checks a stack. */
static scree_result run_timed(scree_world *world, bool first, bench_result *m, stopwatch *w) {
    __attribute__((cleanup(stack_release))) stack s = {0};
    if (first && m->stacked) TRY(stack_read(&s, world));
    w->count = 0;
    w->contact_iterations = w->solve_seconds = 0;
    m->stands |= first;
    for (long long i = 0; i < m->timed_steps; i++) {
        TRY(scree_world_step(world, &m->last));
        stopwatch_add(w, &m->last);
        if (!s.count) continue;
        m->drift = stack_drift(&s, world);
        m->max_distance = fmax(m->max_distance, m->drift);
        if (m->stands && !(m->drift <= 0.05)) {
            m->stands = false;
            m->fell_at = m->last.time;
        }
    }
    return SCREE_OK;
}

/* Measures the state at the end of the first repeat. */
static scree_result finish_first(const scree_world *world, bench_result *m, stopwatch *w) {
    m->hash = scree_world_get_hash(world);
    m->pipeline = scree_world_get_def(world).pipeline;
    snprintf(m->backend, sizeof m->backend, "%s", scree_world_get_device_name(world));
    find_device(m);
    m->residual_median = median(w->column[RESIDUALS], w->count);
    m->iterations = median(w->column[ITERATIONS], w->count);
    return measure_end(world, m);
}

/* Settles the world and saves it as the checkpoint `checkpoint_path`, from which every repeat starts. */
static scree_result settle(scree_world *world, const char *checkpoint_path, bench_result *m) {
    const scree_world_def def = scree_world_get_def(world);
    m->solver = def.solver;
    m->threads = def.threads;
    m->time_step = def.time_step;
    for (long long i = 0; i < m->settle_steps; i++) TRY(scree_world_step(world, NULL));
    m->bodies = scree_body_count(world);
    return scree_checkpoint_save(world, checkpoint_path);
}

/* Runs repeat `r` and writes the medians of its columns; the last repeat leaves its state in
 * `checkpoint_path`. */
static scree_result run_repeat(const char *checkpoint_path, scree_world *world, int r, bench_result *m,
                               stopwatch *w, double repeats[][BENCH_REPEATS]) {
    TRY(run_timed(world, r == 0, m, w));
    if (r == 0) TRY(finish_first(world, m, w));
    m->repeatable &= scree_world_get_hash(world) == m->hash;
    for (int c = 0; c < PHASES; c++) repeats[c][r] = 1e3 * median(w->column[c], w->count);
    repeats[PHASES][r] = w->solve_seconds > 0 ? w->contact_iterations / w->solve_seconds : 0;
    return r == m->repeats - 1 ? scree_checkpoint_save(world, checkpoint_path) : SCREE_OK;
}

/* Runs all repeats and leaves the final state of the timed steps in `checkpoint_path`. */
static scree_result run_repeats(const char *checkpoint_path, const scree_world_def *def, bench_result *m) {
    double repeats[PHASES + 1][BENCH_REPEATS], medians[PHASES + 1];
    const size_t steps = (size_t)m->timed_steps;
    SCOPED double *block = memory_allocate(COLUMNS * steps, sizeof *block);
    if (!block) return fail(SCREE_ERROR_MEMORY, "out of memory for %zu steps", steps);
    stopwatch w = {.count = 0};
    for (size_t c = 0; c < COLUMNS; c++) w.column[c] = block + c * steps;
    m->repeatable = true;
    for (int r = 0; r < m->repeats; r++) {
        scree_world *world = NULL;
        TRY(scree_checkpoint_load(checkpoint_path, def, &world));
        const scree_result result = run_repeat(checkpoint_path, world, r, m, &w, repeats);
        scree_world_destroy(world);
        TRY(result);
    }
    for (int c = 0; c <= PHASES; c++) medians[c] = median(repeats[c], m->repeats);
    m->dynamic_bodies = m->last.dynamic_bodies;
    m->fastest = repeats[0][0];
    m->slowest = repeats[0][m->repeats - 1];
    m->median = (stage_times){medians[0], medians[1], medians[2], medians[3], medians[4], medians[5]};
    m->contact_iterations_per_second = medians[PHASES];
    return SCREE_OK;
}

scree_result bench_load_scene(const char *name, const char *text, scree_scene **out) {
    const size_t length = strlen(name);
    if (text) return scree_scene_parse(text, strlen(text), name, out);
    if (strchr(name, '/') || (length > 5 && !strcmp(name + length - 5, ".json")))
        return scree_scene_load(name, out);
    char names[1024] = "";
    for (const scene_source *s = scene_sources; s->name; s++) {
        if (strlen(s->name) == length + 5 && !strncmp(s->name, name, length))
            return scree_scene_parse(s->text, strlen(s->text), s->name, out);
        const size_t used = strlen(names);
        snprintf(names + used, sizeof names - used, "%.*s, ", (int)(strlen(s->name) - 5), s->name);
    }
    return fail(SCREE_ERROR_ARGUMENT,
                "no scene is named \"%s\"; must be one of %sand files whose names end in .json", name, names);
}

/* Prints the message of an error with the name of the scene, unless that is what the message is about. */
static void complain(const char *name, bool named) {
    fprintf(stderr, "scree bench: %s%s%s\n", named ? "" : name, named ? "" : ": ", scree_error_get_message());
}

/* Measures one loaded scene; `checkpoint_path` is the name of a file for the settled state. */
static scree_result measure(const scree_scene *scene, const char *checkpoint_path,
                            const bench_options *options, bench_result *m) {
    const scree_world_def def = world_options_def(&options->world, scree_scene_get_world_def(scene));
    const scree_run_def run = scree_scene_get_run_def(scene);
    plan_steps(m, scree_span_get_steps(run.length, def.time_step));
    if (options->steps > 0) m->timed_steps = options->steps;
    scree_world *world = NULL;
    TRY(scree_world_create(&def, &world));
    scree_result result = scree_scene_build(scene, world, run.seed);
    if (result == SCREE_OK)
        result = memory_tell(world, (double)(m->settle_steps + m->timed_steps) * def.time_step, 1, stdout);
    if (result == SCREE_OK) result = settle(world, checkpoint_path, m);
    scree_world_destroy(world);
    TRY(result);
    TRY(run_repeats(checkpoint_path, &def, m));
    m->rated = options->rates && m->last.contacts > 0;
    return m->rated ? solve_rate_measure(checkpoint_path, &def, m->repeats, &m->rate) : SCREE_OK;
}

bool bench_can_run(const char *name) {
    scree_scene *scene = NULL;
    const scree_result loaded = bench_load_scene(name, NULL, &scene);
    if (loaded != SCREE_OK) complain(name, loaded == SCREE_ERROR_ARGUMENT);
    scree_scene_destroy(scene);
    return loaded == SCREE_OK;
}

bool bench_temporary(char path[4096]) {
    const char *set = getenv("TMPDIR"), *folder = set && *set ? set : "/tmp";
    snprintf(path, 4096, "%s/scree-bench-XXXXXX", folder);
    const int file = mkstemp(path);
    if (file >= 0) return close(file) == 0;
    fprintf(stderr, "scree bench: cannot create a file in \"%s\"; set TMPDIR to another folder\n", folder);
    return false;
}

/* Sets the name of a scene: that of its file. */
static void set_name(bench_result *m, const char *name) {
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    snprintf(m->scene, sizeof m->scene, "%.*s", dot ? (int)(dot - base) : (int)strlen(base), base);
}

long long bench_settle_steps(const char *name, const scree_scene *scene) {
    bench_result m = {0};
    const scree_run_def run = scree_scene_get_run_def(scene);
    set_name(&m, name);
    plan_steps(&m, scree_span_get_steps(run.length, scree_scene_get_world_def(scene).time_step));
    return m.settle_steps;
}

int bench_run(const char *name, const char *text, const bench_options *options, bench_result *out) {
    *out = (bench_result){.repeats = options->repeats};
    set_name(out, name);
    scree_scene *scene = NULL;
    scree_result result = bench_load_scene(name, text, &scene);
    if (result != SCREE_OK) {
        complain(name, result == SCREE_ERROR_ARGUMENT);
        return 2;
    }
    char checkpoint_path[4096];
    if (!bench_temporary(checkpoint_path)) {
        scree_scene_destroy(scene);
        return 1;
    }
    result = measure(scene, checkpoint_path, options, out);
    if (result != SCREE_OK) complain(name, false);
    unlink(checkpoint_path);
    scree_scene_destroy(scene);
    return result == SCREE_OK ? 0 : result == SCREE_ERROR_ARGUMENT ? 2 : 1;
}

const int growth_sizes[GROWTH_SIZES] = {1000, 8000, 27000, 64000, 125000, 343000, 1000000};

static const char growth_scene[] =
    "{\"time_step\": 0.008333333333333333, \"run\": {\"steps\": 40},\n"
    " \"containers\": [{\"kind\": \"box\", \"inner_size\": [%.4f, %.4f, %.4f], \"wall_thickness\": 0.1}],\n"
    " \"generators\": [{\"kind\": \"lattice\", \"count\": %d, \"cells\": [%d, %d, %d], \"spacing\": 0.1015, "
    "\"jitter\": 0.0007,\n"
    "  \"position\": [0, 0, 0.001], \"body\": {\"shape\": {\"kind\": \"sphere\", \"radius\": 0.05}}}]}";

int growth_run(int spheres, const bench_options *options, bench_result *out) {
    char text[1024], name[32];
    const int side = (int)lround(cbrt(spheres));
    const double width = 0.1015 * side + 0.0015;
    snprintf(text, sizeof text, growth_scene, width, width, width + 0.5, spheres, side, side, side);
    snprintf(name, sizeof name, "spheres%d", spheres);
    bench_options ours = *options;
    ours.rates = false;
    ours.repeats = 1;
    return bench_run(name, text, &ours, out);
}
