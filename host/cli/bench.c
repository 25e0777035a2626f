/* `scree bench`: measures the speed of this machine together with the accuracy of the results. */
#include "program.h"

#include <errno.h>
#include <string.h>

#include "base/memory.h"
#include "benchmark/model_run.h"
#include "benchmark/report.h"

static const char *const default_scenes[] = {"A1000", "A8000", "B1000",         "B8000",
                                             "C20",   "D10",   "spheres100000", NULL};
static const char *const quick[] = {"A1000", "B1000", "C20", "D10", NULL};
static const char *const full[] = {"A1000", "A8000", "A27000", "B1000", "B8000",         "C20",   "C30",
                                   "D1",    "D10",   "D100",   "D1000", "spheres100000", "beads", NULL};

typedef struct bench_settings {
    bench_options options;
    bool quick, full;
    const char *json, *model;
    long long settle, bodies;
    const char *scenes[REPORT_SCENES];
    int count;
} bench_settings;

static option_outcome read_settings(int argc, char **argv, bench_settings *s) {
    long long repeats = 3;
    bool repeats_given = false;
    bench_options *o = &s->options;
    const option_row rows[] = {
        OPTION(FLAG, "quick", &s->quick, "A1000 B1000 C20 D10, one repeat; no headline number"),
        OPTION(FLAG, "full", &s->full,
               "all scenes, and the time per body for 1000 to a million spheres (slow)"),
        WORLD_ROWS(&o->world),
        SOLVE_ROWS(&o->world),
        OPTION_WHOLE("repeats", &repeats, 1, BENCH_REPEATS,
                     "repeats of the timed part from the same state; the median counts (default 3)",
                     .given = &repeats_given),
        OPTION(
            TEXT, "model", &s->model,
            "instead predict a step on the device NAME from counts of the OpenCL device; \"this\" compares",
            .placeholder = "NAME"),
        OPTION_WHOLE("settle", &s->settle, 1, 1e6, "with --model: steps before the counted ones"),
        OPTION_WHOLE("bodies", &s->bodies, 1, 1e9, "with --model: predict for as many bodies"),
        OPTION(TEXT, "json", &s->json, "also write the results to FILE, for bench/compare",
               .placeholder = "FILE"),
        {.name = NULL},
    };
    const option_command command = {
        .name = "scree bench",
        .operands = "[SCENE...]",
        .most = REPORT_SCENES,
        .rows = rows,
        .summary = "Measures this machine: its memory, and for each scene the time of a step and its phases, "
                   "the\nresidual, the penetration, and the time to reach residuals of 1e-2, 1e-3 and 1e-4. "
                   "With the scene\nspheres100000 it prints one headline number. SCENE is a name from "
                   "bench/scenes (built into the\nprogram) or a file; default: A1000 A8000 B1000 B8000 C20 "
                   "D10 spheres100000, some minutes on two\ncores."};
    const option_outcome outcome = options_parse(&command, argc, argv, s->scenes, &s->count);
    if (outcome != OPTION_OK) return outcome;
    if ((s->settle || s->bodies) && !s->model) {
        fprintf(stderr, "scree bench: --settle and --bodies need --model\n");
        return OPTION_WRONG;
    }
    if (s->model && (o->world.backend >= 0 || o->world.pipeline >= 0)) {
        fprintf(stderr, "scree bench: --backend and --pipeline: not with --model, which counts a step of the "
                        "OpenCL device\n");
        return OPTION_WRONG;
    }
    if (s->model && s->json) {
        fprintf(stderr, "scree bench: --json: not with --model, which measures nothing\n");
        return OPTION_WRONG;
    }
    o->repeats = s->quick && !repeats_given ? 1 : (int)repeats;
    if (s->quick && s->full) {
        fprintf(stderr, "scree bench: --quick and --full exclude each other\n");
        return OPTION_WRONG;
    }
    const char *const *set = s->quick ? quick : s->full ? full : default_scenes;
    if (!s->count)
        for (; set[s->count]; s->count++) s->scenes[s->count] = set[s->count];
    return OPTION_OK;
}

/* Writes the finished results, so that a later failure does not lose them. */
static int save_json(const bench_settings *s, const report *r) {
    return !s->json || report_write_json(s->json, r) ? EXIT_DONE : EXIT_FAILED;
}

/* Measures the scenes, then the time per body against the number of bodies. */
static int run_all(const bench_settings *s, report *r) {
    const int sizes = s->full ? GROWTH_SIZES : 0;
    report_heading(stdout);
    for (int i = 0; i < s->count + sizes; i++) {
        const bool scene = i < s->count;
        bench_result *out = scene ? &r->scenes[i] : &r->growth[i - s->count];
        int code = scene ? bench_run(s->scenes[i], NULL, &s->options, out)
                         : growth_run(growth_sizes[i - s->count], &s->options, out);
        if (code != EXIT_DONE) return code;
        report_row(stdout, out);
        ++*(scene ? &r->scene_count : &r->growth_count);
        code = save_json(s, r);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

/* Predicts the scenes on a device. */
static int run_models(const bench_settings *s, const machine *here) {
    char names[256];
    model_request request = {
        .on = model_device_find(s->model, here), .settle = s->settle, .bodies = (double)s->bodies};
    if (!request.on) {
        model_device_list(names, sizeof names);
        fprintf(stderr, "scree bench: --model: \"%s\"; must be one of %s (a processor with OpenCL)\n",
                s->model, names);
        return EXIT_WRONG;
    }
    request.compares = !s->bodies && (request.on->processors > 0 || here->device.gpu);
    for (int i = 0; i < s->count; i++) {
        const int code = model_run(s->scenes[i], &s->options, &request);
        if (code != EXIT_DONE) return code;
    }
    return EXIT_DONE;
}

int command_bench(int argc, char **argv) {
    bench_settings s = {.options = {.world = world_options_none(), .rates = true}};
    const world_options *world = &s.options.world;
    const option_outcome outcome = read_settings(argc, argv, &s);
    if (outcome != OPTION_OK) return (int)outcome;
    pocl_set_thread_count((int)world->threads);
    for (int i = 0; i < s.count; i++)
        if (!bench_can_run(s.scenes[i])) return EXIT_WRONG;
    scree_device_info device;
    if (world->device && scree_device_find(world->device, &device) != SCREE_OK)
        return complain("scree bench", SCREE_ERROR_ARGUMENT);

    FILE *json = s.json ? fopen(s.json, "a") : NULL; /* checked before minutes of measuring */
    if (s.json && !json) {
        fprintf(stderr, "scree bench: cannot write \"%s\": %s\n", s.json, strerror(errno));
        return EXIT_WRONG;
    }
    if (json) fclose(json);

    SCOPED report *r = memory_allocate(1, sizeof *r);
    if (!r) return complain("scree bench", fail(SCREE_ERROR_MEMORY, "out of memory"));
    machine_measure((int)world->threads, world->device, &r->machine);
    report_machine(stdout, &r->machine);
    if (s.model) return run_models(&s, &r->machine);
    const int code = run_all(&s, r);
    report_end(stdout, r);
    return code;
}
