#include "measurement.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "median.h"
#include "scene_source.h"

/* Chooses the settling and the timed steps. The letters are those of the benchmark's definition: A (spheres)
 * and B (cubes) settle for 240 steps before 60 are timed; C (pyramid) and D (tower) are timed from the start.
 * Other scenes run for their own length, and their last 60 steps, or their last quarter, are timed. */
static void plan_steps(measurement *m, uint64_t scene_steps) {
    const bool lettered = m->scene[1] >= '0' && m->scene[1] <= '9';
    m->stacked = lettered && (m->scene[0] == 'C' || m->scene[0] == 'D');
    if (lettered && (m->scene[0] == 'A' || m->scene[0] == 'B'))
        m->settle_steps = 240, m->timed_steps = 60;
    else if (m->stacked)
        m->timed_steps = m->scene[0] == 'C' ? 1200 : 600;
    else
        m->timed_steps = scene_steps < 240 ? (long long)(scene_steps + 3) / 4 : 60,
        m->settle_steps = (long long)scene_steps - m->timed_steps;
}

static bool complain(const char *path) {
    return fprintf(stderr, "scree bench: %s: %s\n", path, scree_error_get_message()), false;
}

/* The ideal positions of a stack's cubes, without gaps: the scenes C and D place cubes of side 0.1 m on a
 * grid of 0.101 m. */
typedef struct stack {
    scree_body_id *ids;
    double (*places)[3];
    int count;
} stack;

static bool stack_read(stack *s, const scree_world *world) {
    const int bodies = scree_body_count(world);
    s->ids = malloc((size_t)(bodies + 1) * sizeof *s->ids);
    s->places = malloc((size_t)(bodies + 1) * sizeof *s->places);
    if (!s->ids || !s->places) return false;
    scree_body_list(world, s->ids, bodies);
    s->count = 0;
    for (int i = 0; i < bodies; i++) {
        scree_body_def def;
        if (scree_body_get_def(world, s->ids[i], &def) != SCREE_OK) return false;
        if (def.type != SCREE_BODY_DYNAMIC) continue;
        const double row = round(((double)def.state.position.z - 0.051) / 0.101);
        double *place = s->places[s->count];
        place[0] = (double)def.state.position.x, place[1] = 0, place[2] = 0.05 + 0.1 * row;
        s->ids[s->count++] = s->ids[i];
    }
    return true;
}

static void stack_release(stack *s) {
    free(s->ids);
    free(s->places);
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

/* The seconds of every timed step, with a column for each phase. */
typedef struct stopwatch {
    double *column[6], *residuals, *iterations;
    double contact_iterations, solve_seconds;
    long long count;
} stopwatch;

static bool stopwatch_create(stopwatch *w, long long capacity) {
    memset(w, 0, sizeof *w);
    for (int c = 0; c < 6; c++)
        if (!(w->column[c] = malloc((size_t)(capacity + 1) * sizeof(double)))) return false;
    w->residuals = malloc((size_t)(capacity + 1) * sizeof(double));
    w->iterations = malloc((size_t)(capacity + 1) * sizeof(double));
    return w->residuals && w->iterations;
}

static void stopwatch_release(stopwatch *w) {
    for (int c = 0; c < 6; c++) free(w->column[c]);
    free(w->residuals);
    free(w->iterations);
}

static void stopwatch_add(stopwatch *w, const scree_statistics *s) {
    const scree_timing *t = &s->timing;
    const double pairs = t->bounds + t->pairs;
    const double row[6] = {t->total,   pairs,    t->manifolds,
                           t->problem, t->solve, t->total - pairs - t->manifolds - t->problem - t->solve};
    for (int c = 0; c < 6; c++) w->column[c][w->count] = row[c];
    w->iterations[w->count] = s->solve.iterations;
    w->residuals[w->count++] = s->solve.residual;
    w->contact_iterations += (double)s->contacts * s->solve.iterations;
    w->solve_seconds += t->solve;
}

static scree_world_def override_def(const measurement_options *o, scree_world_def def) {
    if (o->backend >= 0) def.backend = (scree_backend_kind)o->backend;
    if (o->preset >= 0) def.solver = scree_solver_def_with_preset(def.solver, (scree_preset)o->preset);
    if (o->method >= 0) def.solver.method = (scree_method)o->method;
    if (o->law >= 0) def.solver.law = (scree_law)o->law;
    if (o->iterations >= 0) def.solver.iterations = (int)o->iterations;
    if (o->tolerance >= 0) def.solver.tolerance = (float)o->tolerance;
    if (o->threads >= 0) def.threads = (int)o->threads;
    if (o->device) def.device = o->device;
    return def;
}

/* Finds the device's name and driver, if the backend uses one. */
static void find_device(measurement *m) {
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

static bool measure_end(const scree_world *world, measurement *m) {
    if (!overlap_measure(world, &m->penetration)) return false;
    double mass = 0;
    const int bodies = scree_body_count(world);
    scree_body_id *ids = malloc((size_t)(bodies + 1) * sizeof *ids);
    if (!ids) return false;
    scree_body_list(world, ids, bodies);
    for (int i = 0; i < bodies; i++) {
        float body_mass; /* 0 unless dynamic */
        if (scree_body_get_mass(world, ids[i], &body_mass, NULL) == SCREE_OK) mass += (double)body_mass;
    }
    free(ids);
    m->kinetic_per_mass = mass > 0 ? m->last.kinetic_energy / mass : 0;
    return true;
}

/* Runs one repeat; `world` is at the beginning of the timed steps. `first`: also check a stack and measure
 * the final state. */
static bool run_timed(scree_world *world, const char *path, bool first, measurement *m, stopwatch *w,
                      double *hash_differs) {
    stack s = {0};
    bool good = !(first && m->stacked) || stack_read(&s, world);
    w->count = 0;
    w->contact_iterations = w->solve_seconds = 0;
    m->stands |= first;
    for (long long i = 0; good && i < m->timed_steps; i++) {
        if (scree_world_step(world, &m->last) != SCREE_OK)
            good = complain(path);
        else
            stopwatch_add(w, &m->last);
        if (!good || !s.count) continue;
        m->drift = stack_drift(&s, world);
        m->max_distance = fmax(m->max_distance, m->drift);
        if (m->stands && !(m->drift <= 0.05)) m->stands = false, m->fell_at = m->last.time;
    }
    stack_release(&s);
    if (!good) return false;
    const uint64_t hash = scree_world_get_hash(world);
    if (first)
        m->hash = hash;
    else if (hash != m->hash)
        *hash_differs = 1;
    if (first) {
        const char *backend = scree_world_get_device_name(world);
        snprintf(m->backend, sizeof m->backend, "%s", backend);
        find_device(m);
        m->residual_median = median(w->residuals, w->count);
        m->iterations = median(w->iterations, w->count);
    }
    return !first || measure_end(world, m);
}

/* Settles the world and saves it as the checkpoint `kept`, from which every repeat starts. */
static bool settle(scree_world *world, const char *path, const char *kept, measurement *m) {
    const scree_world_def def = scree_world_get_def(world);
    m->solver = def.solver;
    m->threads = def.threads;
    m->time_step = def.time_step;
    for (long long i = 0; i < m->settle_steps; i++)
        if (scree_world_step(world, NULL) != SCREE_OK) return complain(path);
    m->bodies = scree_body_count(world);
    return scree_checkpoint_save(world, kept) == SCREE_OK || complain(path);
}

/* Runs all repeats and leaves the final state of the timed steps in `kept`. */
static bool run_repeats(const char *path, const char *kept, const scree_world_def *def, measurement *m) {
    double repeats[7][MEASUREMENT_REPEATS], hash_differs = 0;
    stopwatch w;
    bool good = stopwatch_create(&w, m->timed_steps);
    for (int r = 0; good && r < m->repeats; r++) {
        scree_world *world = NULL;
        good = (scree_checkpoint_load(kept, def, &world) == SCREE_OK || complain(path)) &&
               run_timed(world, path, r == 0, m, &w, &hash_differs);
        for (int c = 0; good && c < 6; c++) repeats[c][r] = 1e3 * median(w.column[c], w.count);
        repeats[6][r] = good && w.solve_seconds > 0 ? w.contact_iterations / w.solve_seconds : 0;
        if (good && r == m->repeats - 1)
            good = scree_checkpoint_save(world, kept) == SCREE_OK || complain(path);
        scree_world_destroy(world);
    }
    stopwatch_release(&w);
    if (!good) return false;
    m->dynamic_bodies = m->last.dynamic_bodies;
    m->repeatable = hash_differs == 0;
    double medians[7];
    for (int c = 0; c < 7; c++) medians[c] = median(repeats[c], m->repeats);
    m->fastest = repeats[0][0], m->slowest = repeats[0][m->repeats - 1];
    m->median = (stage_times){medians[0], medians[1], medians[2], medians[3], medians[4], medians[5]};
    m->contact_iterations_per_second = medians[6];
    return true;
}

/* Loads the scene `name`, as described at measurement_run. */
static scree_result load_scene(const char *name, const char *text, scree_scene **out) {
    const size_t length = strlen(name);
    if (text) return scree_scene_parse(text, strlen(text), name, out);
    if (strchr(name, '/') || (length > 5 && !strcmp(name + length - 5, ".json")))
        return scree_scene_load(name, out);
    for (const scene_source *s = scene_sources; s->name; s++)
        if (strlen(s->name) == length + 5 && !strncmp(s->name, name, length))
            return scree_scene_parse(s->text, strlen(s->text), s->name, out);
    fprintf(stderr, "scree bench: no scene is named \"%s\"; must be one of", name);
    for (const scene_source *s = scene_sources; s->name; s++)
        fprintf(stderr, "%s %.*s", s == scene_sources ? "" : ",", (int)(strlen(s->name) - 5), s->name);
    fprintf(stderr, ", and files whose names end in .json\n");
    return SCREE_ERROR_ARGUMENT;
}

/* Measures one loaded scene; `kept` is the name of a file for the settled state. */
static bool measure(const scree_scene *scene, const char *name, const char *kept,
                    const measurement_options *options, measurement *m) {
    const scree_world_def def = override_def(options, scree_scene_get_world_def(scene));
    const scree_run_def run = scree_scene_get_run_def(scene);
    plan_steps(m, scree_span_get_steps(run.length, def.time_step));
    if (options->steps > 0) m->timed_steps = options->steps;
    scree_world *world = NULL;
    bool good = (scree_world_create(&def, &world) == SCREE_OK &&
                 scree_scene_build(scene, world, run.seed) == SCREE_OK) ||
                complain(name);
    good = good && settle(world, name, kept, m);
    scree_world_destroy(world);
    good = good && run_repeats(name, kept, &def, m);
    if (!good || !options->rates || m->last.contacts == 0) return good;
    m->rated = true;
    return solve_rate_measure(kept, &def, m->repeats, &m->rate) == SCREE_OK || complain(name);
}

bool measurement_can_run(const char *name) {
    scree_scene *scene = NULL;
    const scree_result loaded = load_scene(name, NULL, &scene);
    if (loaded != SCREE_OK && loaded != SCREE_ERROR_ARGUMENT) complain(name);
    scree_scene_destroy(scene);
    return loaded == SCREE_OK;
}

int measurement_run(const char *name, const char *text, const measurement_options *options,
                    measurement *out) {
    measurement m = {.repeats = options->repeats};
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name, *dot = strrchr(base, '.');
    snprintf(m.scene, sizeof m.scene, "%.*s", dot ? (int)(dot - base) : (int)strlen(base), base);

    scree_scene *scene = NULL;
    const scree_result loaded = load_scene(name, text, &scene);
    if (loaded != SCREE_OK) {
        if (loaded != SCREE_ERROR_ARGUMENT) complain(name);
        return 2;
    }
    const char *folder = getenv("TMPDIR");
    char kept[4096];
    snprintf(kept, sizeof kept, "%s/scree-bench-XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = mkstemp(kept);
    if (file < 0)
        fprintf(stderr, "scree bench: cannot create a file in \"%s\"; set TMPDIR to another folder\n",
                folder && *folder ? folder : "/tmp");
    if (file >= 0) close(file);
    const bool good = file >= 0 && measure(scene, name, kept, options, &m);
    if (file >= 0) unlink(kept);
    scree_scene_destroy(scene);
    if (good) *out = m;
    return good ? 0 : 1;
}
