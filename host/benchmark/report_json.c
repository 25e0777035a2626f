/* The results of `scree bench` as JSON; lengths in m, times in s, unless a name states otherwise. */
#include "report.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "commit.h"

/* JSON has no infinities. */
static json_t *number(double value) { return isfinite(value) ? json_real(value) : json_null(); }

static json_t *machine_json(const machine *m) {
    json_t *out = json_pack("{s:s, s:i, s:o}", "processor", m->processor, "cores", m->cores,
                            "triad_bytes_per_second", number(m->triad));
    if (m->has_device)
        json_object_set_new(out, "device",
                            json_pack("{s:s, s:s, s:s, s:o, s:o, s:o}", "name", m->device.name, "driver",
                                      m->device.driver, "version", m->device.version, "copy_bytes_per_second",
                                      number(m->device_speed.copy_bandwidth), "launch_s",
                                      number(m->device_speed.launch), "wait_s",
                                      number(m->device_speed.wait)));
    return out;
}

static json_t *costs_json(const solve_cost *costs) {
    json_t *out = json_array();
    for (int g = 0; g < SOLVE_GOALS; g++)
        json_array_append_new(out, json_pack("{s:f, s:b, s:i, s:o}", "residual", solve_goals[g], "reached",
                                             costs[g].reached, "iterations", costs[g].iterations, "seconds",
                                             number(costs[g].seconds)));
    return out;
}

static json_t *stages_json(const bench_result *m) {
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "total", number(m->median.total), "pairs",
                     number(m->median.pairs), "manifolds", number(m->median.manifolds), "problem",
                     number(m->median.problem), "solve", number(m->median.solve), "rest",
                     number(m->median.rest), "fastest_repeat", number(m->fastest), "slowest_repeat",
                     number(m->slowest));
}

static json_t *rate_json(const bench_result *m, const machine *on) {
    const solve_rate *rate = &m->rate;
    const double used = rate->bytes_per_update * rate->updates_per_second;
    return json_pack("{s:i, s:o, s:o, s:o, s:o, s:o, s:o}", "contacts", rate->contacts, "updates_per_second",
                     number(rate->updates_per_second), "bytes_per_update", number(rate->bytes_per_update),
                     "bytes_per_second", number(used), "share_of_bandwidth",
                     number(used / machine_bandwidth(on, m->backend)), "cold", costs_json(rate->cold), "warm",
                     costs_json(rate->warm));
}

/* Adds the parameters of the stabilisation that bound the work of a step. */
static void add_work_limits(json_t *out, const scree_solver_def *solver) {
    if (solver->stabilisation == SCREE_STABILISATION_SUBSTEP)
        json_object_set_new(out, "substeps", json_integer(solver->substep.substeps));
    if (solver->stabilisation != SCREE_STABILISATION_SPLIT) return;
    json_object_set_new(out, "position_iterations", json_integer(solver->split.position_iterations));
    json_object_set_new(out, "position_follows", json_boolean(solver->split.position_follows));
}

static void add_solver(json_t *out, const bench_result *m, const machine *on) {
    const scree_statistics *last = &m->last;
    json_t *solver = json_pack(
        "{s:s, s:s, s:s, s:i, s:f, s:f, s:i, s:b, s:f, s:o, s:o, s:o, s:o}", "method",
        scree_method_name(m->solver.method), "law", scree_law_name(m->solver.law), "stabilisation",
        scree_stabilisation_name(m->solver.stabilisation), "iterations", m->solver.iterations, "tolerance",
        (double)m->solver.tolerance, "reduction", (double)m->solver.reduction, "local_sweeps",
        m->solver.local_sweeps, "direct_joints", m->solver.direct_joints, "iterations_median", m->iterations,
        "residual_last", number(last->solve.residual), "residual_median", number(m->residual_median),
        "residual_absolute_Ns", number(last->solve.residual_absolute), "contact_iterations_per_second",
        number(m->contact_iterations_per_second));
    add_work_limits(solver, &m->solver);
    json_object_set_new(out, "solver", solver);
    if (m->rated) json_object_set_new(out, "rate", rate_json(m, on));
}

static json_t *bench_result_json(const bench_result *m, const machine *on) {
    char hash[17];
    snprintf(hash, sizeof hash, "%016llx", (unsigned long long)m->hash);
    json_t *out = json_pack("{s:s, s:s, s:s, s:s, s:s, s:i, s:i, s:i, s:I, s:I, s:i, s:b, s:s, s:o, s:o}",
                            "scene", m->scene, "backend", m->backend, "pipeline",
                            scree_pipeline_name(m->pipeline), "device", m->device, "driver", m->driver,
                            "threads", m->threads, "bodies", m->bodies, "dynamic_bodies", m->dynamic_bodies,
                            "settle_steps", (json_int_t)m->settle_steps, "timed_steps",
                            (json_int_t)m->timed_steps, "repeats", m->repeats, "repeatable", m->repeatable,
                            "hash", hash, "time_step_s", number(m->time_step), "ms_per_step", stages_json(m));
    add_solver(out, m, on);
    json_object_update_new(
        out,
        json_pack("{s:i, s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o}", "contacts", m->last.contacts,
                  "touching_pairs", m->last.touching, "colours", m->last.colours, "tail", m->last.remainder,
                  "overlapping_pairs", m->penetration.pairs, "penetration_rms_m", number(m->penetration.rms),
                  "penetration_mean_m", number(m->penetration.mean), "penetration_max_m",
                  number(m->penetration.largest), "kinetic_energy_J_per_kg", number(m->kinetic_per_mass)));
    if (m->stacked)
        json_object_update_new(out,
                               json_pack("{s:b, s:o, s:o, s:o}", "stands", m->stands, "falls_at_s",
                                         m->stands ? json_null() : number(m->fell_at), "drift_m",
                                         number(m->drift), "largest_distance_m", number(m->max_distance)));
    return out;
}

static json_t *list_json(const bench_result *list, int count, const machine *on) {
    json_t *out = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(out, bench_result_json(&list[i], on));
    return out;
}

bool report_write_json(const char *path, const report *r) {
    char when[32] = "";
    const time_t now = time(NULL);
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    struct utsname system = {0};
    uname(&system);
    json_t *root = json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "version",
                             scree_version_name(), "commit", SCREE_COMMIT, "build", SCREE_BUILD_TYPE,
                             "compiler", SCREE_COMPILER, "system", system.sysname, "architecture",
                             system.machine, "date", when, "machine", machine_json(&r->machine),
                             "measurements", list_json(r->scenes, r->scene_count, &r->machine), "growth",
                             list_json(r->growth, r->growth_count, &r->machine));
    errno = 0;
    const bool good = root && json_dump_file(root, path, JSON_INDENT(1) | JSON_REAL_PRECISION(9)) == 0;
    if (!good)
        fprintf(stderr, "scree bench: cannot write \"%s\": %s\n", path,
                root ? strerror(errno) : "out of memory");
    json_decref(root);
    return good;
}
