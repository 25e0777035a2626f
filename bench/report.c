#include "report.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "commit.h"

void report_heading(FILE *out) {
    fprintf(out, "%-8s %-10s %-7s %5s | %8s %7s %7s %7s %8s %6s | %9s %8s %9s | %7s %7s %7s %9s | %s\n",
            "scene", "backend", "method", "it", "ms/step", "pairs", "manif.", "problem", "solve", "rest",
            "contacts", "Mc-it/s", "residual", "RMS mm", "mean mm", "max mm", "kin. J/kg", "stands");
}

void report_row(FILE *out, const measurement *m) {
    char verdict[64] = "";
    if (m->stacked && m->stands)
        snprintf(verdict, sizeof verdict, "stands, drift %.3f mm", 1e3 * m->drift);
    else if (m->stacked)
        snprintf(verdict, sizeof verdict, "falls at %.3f s", m->fell_at);
    char backend[16];
    snprintf(backend, sizeof backend, "%.*s", (int)strcspn(m->backend, ",:"), m->backend);
    fprintf(out,
            "%-8s %-10s %-7s %5d | %8.3f %7.3f %7.3f %7.3f %8.3f %6.3f | %9d %8.2f %9.2e | %7.4f %7.4f %7.3f "
            "%9.1e | %s%s\n",
            m->scene, backend, scree_method_name(m->solver.method), m->solver.iterations, m->median.total,
            m->median.pairs, m->median.manifolds, m->median.problem, m->median.solve, m->median.rest,
            m->last.contacts, 1e-6 * m->contact_iterations_per_second, m->last.solve.residual,
            1e3 * m->penetration.rms, 1e3 * m->penetration.mean, 1e3 * m->penetration.largest,
            m->kinetic_per_mass, verdict, m->repeatable ? "" : " NOT REPEATABLE");
    fflush(out);
}

void report_notes(FILE *out, const measurement *measurements, int count) {
    fprintf(out,
            "\nMedian over the timed steps, then of %d repeats. Mc-it/s: million contacts x iterations a "
            "second of solve.\n"
            "Penetration from positions alone, over all pairs that overlap; residual: scaled natural map of "
            "the last step.\n"
            "scree %s (%s), %s build with %s\n",
            count ? measurements[0].repeats : 0, SCREE_VERSION, SCREE_COMMIT, SCREE_BUILD_TYPE,
            SCREE_COMPILER);
    for (int i = 0; i < count; ++i) {
        bool told = false;
        for (int j = 0; j < i; ++j) told |= !strcmp(measurements[i].backend, measurements[j].backend);
        if (!told)
            fprintf(out, "%s%s%s\n", measurements[i].backend, *measurements[i].driver ? ", driver " : "",
                    measurements[i].driver);
    }
}

static void json_text(FILE *out, const char *key, const char *text) {
    fprintf(out, "\"%s\": \"", key);
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if ((unsigned char)*text >= ' ')
            fputc(*text, out);
    }
    fputc('"', out);
}

/* JSON has no infinities. */
static void json_number(FILE *out, const char *key, double value) {
    if (isfinite(value))
        fprintf(out, ", \"%s\": %.9g", key, value);
    else
        fprintf(out, ", \"%s\": null", key);
}

static void json_measurement(FILE *out, const measurement *m) {
    fprintf(out, "    {");
    json_text(out, "scene", m->scene);
    fprintf(out, ", "), json_text(out, "backend", m->backend);
    fprintf(out, ", "), json_text(out, "device", m->device);
    fprintf(out, ", "), json_text(out, "driver", m->driver);
    fprintf(out, ", "), json_text(out, "method", scree_method_name(m->solver.method));
    fprintf(out, ", "), json_text(out, "law", scree_law_name(m->solver.law));
    fprintf(out, ", "), json_text(out, "stabilisation", scree_stabilisation_name(m->solver.stabilisation));
    fprintf(out,
            ",\n     \"iterations\": %d, \"threads\": %d, \"bodies\": %d, \"dynamic_bodies\": %d, "
            "\"settle_steps\": %lld, "
            "\"timed_steps\": %lld, \"repeats\": %d, \"repeatable\": %s, \"hash\": \"%016llx\"",
            m->solver.iterations, m->threads, m->bodies, m->dynamic_bodies, m->settle_steps, m->timed_steps,
            m->repeats, m->repeatable ? "true" : "false", (unsigned long long)m->hash);
    json_number(out, "time_step_s", m->time_step);
    fprintf(out,
            ",\n     \"ms_per_step\": {\"total\": %.6g, \"pairs\": %.6g, \"manifolds\": %.6g, \"problem\": "
            "%.6g, \"solve\": %.6g, "
            "\"rest\": %.6g, \"fastest_repeat\": %.6g, \"slowest_repeat\": %.6g}",
            m->median.total, m->median.pairs, m->median.manifolds, m->median.problem, m->median.solve,
            m->median.rest, m->fastest, m->slowest);
    json_number(out, "contact_iterations_per_second", m->contact_iterations_per_second);
    fprintf(out,
            ",\n     \"contacts\": %d, \"touching_pairs\": %d, \"colours\": %d, \"tail\": %d, "
            "\"last_iterations\": %d",
            m->last.contacts, m->last.touching, m->last.colours, m->last.tail, m->last.solve.iterations);
    json_number(out, "residual", m->last.solve.residual);
    json_number(out, "residual_median", m->residual_median);
    json_number(out, "residual_absolute_Ns", m->last.solve.residual_absolute);
    fprintf(out, ",\n     \"overlapping_pairs\": %d", m->penetration.pairs);
    json_number(out, "penetration_rms_m", m->penetration.rms);
    json_number(out, "penetration_mean_m", m->penetration.mean);
    json_number(out, "penetration_max_m", m->penetration.largest);
    json_number(out, "kinetic_energy_J_per_kg", m->kinetic_per_mass);
    if (m->stacked) {
        fprintf(out, ",\n     \"stands\": %s", m->stands ? "true" : "false");
        if (!m->stands) json_number(out, "falls_at_s", m->fell_at);
        json_number(out, "drift_m", m->drift);
        json_number(out, "largest_distance_m", m->max_distance);
    }
    fprintf(out, "}");
}

bool report_json(const char *path, const measurement *measurements, int count) {
    FILE *out = fopen(path, "w");
    if (out) {
        char when[32] = "";
        const time_t now = time(NULL);
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
        struct utsname machine = {0};
        uname(&machine);
        fprintf(out, "{\n  ");
        json_text(out, "version", SCREE_VERSION);
        fprintf(out, ", "), json_text(out, "commit", SCREE_COMMIT);
        fprintf(out, ", "), json_text(out, "build", SCREE_BUILD_TYPE);
        fprintf(out, ", "), json_text(out, "compiler", SCREE_COMPILER);
        fprintf(out, ",\n  "), json_text(out, "system", machine.sysname);
        fprintf(out, ", "), json_text(out, "kernel", machine.release);
        fprintf(out, ", "), json_text(out, "machine", machine.machine);
        fprintf(out, ", \"cores\": %ld, ", sysconf(_SC_NPROCESSORS_ONLN)), json_text(out, "date", when);
        fprintf(out, ",\n  \"measurements\": [\n");
        for (int i = 0; i < count; ++i) {
            json_measurement(out, &measurements[i]);
            fprintf(out, "%s\n", i + 1 < count ? "," : "");
        }
        fprintf(out, "  ]\n}\n");
    }
    const bool good = out && !ferror(out);
    if ((out && fclose(out)) || !good) {
        fprintf(stderr, "scree-benchmark: cannot write \"%s\": %s\n", path, strerror(errno));
        return false;
    }
    return true;
}
