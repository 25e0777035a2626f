#include "report.h"

#include <string.h>

#include "commit.h"

/* The scene of the headline number. */
static const char headline_scene[] = "spheres100000";
enum { HEADLINE_GOAL = 1 }; /* 1e-3 */

void report_machine(FILE *out, const machine *m) {
    fprintf(out, "%s, %d cores, triad %.1f GB/s", m->processor, m->cores, 1e-9 * m->triad);
    if (m->has_device)
        fprintf(out, "\n%s (driver %s): copies %.1f GB/s, launch %.1f us, wait %.1f us", m->device.name,
                m->device.driver, 1e-9 * m->device_speed.copy_bandwidth, 1e6 * m->device_speed.launch,
                1e6 * m->device_speed.wait);
    fprintf(out, "\n\n");
    fflush(out);
}

void report_heading(FILE *out) {
    fprintf(out, "%-13s %-8s %-15s %3s | %8s %7s %7s %7s %8s %6s | %8s %8s | %7s %7s %9s | %s\n", "scene",
            "backend", "method", "it", "ms/step", "pairs", "manif.", "problem", "solve", "rest", "contacts",
            "residual", "RMS mm", "max mm", "kin. J/kg", "stands");
}

void report_row(FILE *out, const bench_result *m) {
    char verdict[64] = "";
    if (m->stacked && m->stands)
        snprintf(verdict, sizeof verdict, "stands, drift %.3f mm", 1e3 * m->drift);
    else if (m->stacked)
        snprintf(verdict, sizeof verdict, "falls at %.3f s", m->fell_at);
    fprintf(
        out,
        "%-13s %-8.*s %-15s %3.0f | %8.3f %7.3f %7.3f %7.3f %8.3f %6.3f | %8d %8.1e | %7.4f %7.3f %9.1e | "
        "%s%s\n",
        m->scene, (int)strcspn(m->backend, ",:"), m->backend, scree_method_name(m->solver.method),
        m->iterations, m->median.total, m->median.pairs, m->median.manifolds, m->median.problem,
        m->median.solve, m->median.rest, m->last.contacts, m->residual_median, 1e3 * m->penetration.rms,
        1e3 * m->penetration.largest, m->kinetic_per_mass, verdict, m->repeatable ? "" : " NOT REPEATABLE");
    fflush(out);
}

static void print_notes(FILE *out, const report *r) {
    fprintf(out,
            "\nMedians over the timed steps, then over %d repeats; it: iterations per step. Penetration from "
            "positions alone, over all\npairs that overlap at the end. scree %s (%s), %s build with %s\n",
            r->scene_count ? r->scenes[0].repeats : 0, scree_version_name(), SCREE_COMMIT, SCREE_BUILD_TYPE,
            SCREE_COMPILER);
    for (int i = 0; i < r->scene_count; i++) {
        const bench_result *m = &r->scenes[i];
        bool told = false;
        for (int j = 0; j < i; j++) told |= !strcmp(m->backend, r->scenes[j].backend);
        if (!told) fprintf(out, "%s%s%s\n", m->backend, *m->driver ? ", driver " : "", m->driver);
    }
}

static void print_costs(FILE *out, const solve_cost *costs) {
    for (int g = 0; g < SOLVE_GOALS; g++) {
        char text[32] = "-";
        if (costs[g].reached)
            snprintf(text, sizeof text, "%d, %.4g", costs[g].iterations, 1e3 * costs[g].seconds);
        fprintf(out, " %12s", text);
    }
}

static void print_rates(FILE *out, const report *r) {
    bool any = false;
    for (int i = 0; i < r->scene_count; i++) {
        const bench_result *m = &r->scenes[i];
        if (!m->rated) continue;
        const double used = m->rate.bytes_per_update * m->rate.updates_per_second,
                     bandwidth = machine_bandwidth(&r->machine, m->backend);
        if (!any)
            fprintf(
                out,
                "\nThe solver alone, on the step after the timed ones: million contact updates per "
                "second (contacts x iterations); bytes\nthat a sweep moves per update, the resulting "
                "GB/s, and the fraction of the bandwidth above (the triad, or copies of a\ndevice; data in "
                "caches may exceed it); iterations and ms to a scaled residual, from zero and from the "
                "impulses of\nthe preceding step (-: not within %d iterations, or not tried, since the "
                "preceding goal took more than %d million updates)\n%-13s %8s %9s %6s %6s %6s | %12s "
                "%12s %12s | %12s %12s %12s\n",
                SOLVE_ITERATIONS, SOLVE_UPDATES / 1000000, "scene", "contacts", "Mupd./s", "B/upd.", "GB/s",
                "frac.", "cold 1e-2", "1e-3", "1e-4", "warm 1e-2", "1e-3", "1e-4");
        any = true;
        fprintf(out, "%-13s %8d %9.1f %6.0f %6.1f %6.2f |", m->scene, m->rate.contacts,
                1e-6 * m->rate.updates_per_second, m->rate.bytes_per_update, 1e-9 * used,
                bandwidth > 0 ? used / bandwidth : 0);
        print_costs(out, m->rate.cold);
        fprintf(out, " |");
        print_costs(out, m->rate.warm);
        fprintf(out, "\n");
    }
}

static void print_growth(FILE *out, const report *r) {
    if (r->growth_count)
        fprintf(out, "\nGrowth: spheres, ms per step, us per sphere, ns per contact, residual\n");
    for (int i = 0; i < r->growth_count; i++) {
        const bench_result *m = &r->growth[i];
        fprintf(out, "%8d %9.2f %7.3f %7.1f %8.1e\n", m->dynamic_bodies, m->median.total,
                1e3 * m->median.total / m->dynamic_bodies, 1e6 * m->median.total / m->last.contacts,
                m->residual_median);
    }
}

static const bench_result *find(const report *r, const char *scene) {
    for (int i = 0; i < r->scene_count; i++)
        if (!strcmp(r->scenes[i].scene, scene)) return &r->scenes[i];
    return NULL;
}

static void print_headline(FILE *out, const report *r) {
    const bench_result *pile = find(r, headline_scene), *spheres = find(r, "A8000"),
                       *cubes = find(r, "B8000");
    if (!pile || !pile->rated) {
        fprintf(out, "\nNo headline number: its scene, %s, was not measured\n", headline_scene);
        return;
    }
    const solve_cost *cost = &pile->rate.cold[HEADLINE_GOAL];
    if (!cost->reached) {
        fprintf(out, "\nNo headline number: %s did not reach a residual of %g within %d iterations\n",
                headline_scene, solve_goals[HEADLINE_GOAL], SOLVE_ITERATIONS);
        return;
    }
    const double rate = (double)pile->rate.contacts * cost->iterations / cost->seconds;
    fprintf(out,
            "\n%.1f million contact updates per second on 100 000 spheres to a residual of %g: %d contacts, "
            "%d iterations, %.3f s\n",
            1e-6 * rate, solve_goals[HEADLINE_GOAL], pile->rate.contacts, cost->iterations, cost->seconds);
    if (!spheres || !cubes) return;
    fprintf(out, "| %s, %d cores | %.*s | %.0f GB/s | %.2f ms | %.2f ms | %.1f M/s | %.2f s | %s |\n",
            r->machine.processor, r->machine.cores, (int)strcspn(pile->backend, ","), pile->backend,
            1e-9 * r->machine.triad, spheres->median.total, cubes->median.total, 1e-6 * rate, cost->seconds,
            SCREE_COMMIT);
}

void report_end(FILE *out, const report *r) {
    print_notes(out, r);
    print_rates(out, r);
    print_growth(out, r);
    print_headline(out, r);
}
