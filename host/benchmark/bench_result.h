/* Runs and measures one benchmark scene. */
#pragma once

#include "overlap.h"
#include "solve_rate.h"

enum { BENCH_REPEATS = 25 };

/* Options that override a scene; negative or NULL: as in the scene. */
typedef struct world_options {
    int backend, pipeline, preset, method, law;
    long long iterations, threads;
    double tolerance;
    const char *device;
} world_options;

world_options world_options_none(void);
/* Return a definition with the options applied. */
scree_solver_def world_options_solver(const world_options *self, scree_solver_def solver);
scree_world_def world_options_def(const world_options *self, scree_world_def def);

typedef struct bench_options {
    world_options world;
    long long steps; /* timed steps; 0: the scene's */
    int repeats;
    bool rates; /* whether to measure the solver separately as well */
} bench_options;

/* Milliseconds per step and for its phases. */
typedef struct stage_times {
    double total, pairs, manifolds, problem, solve,
        rest; /* pairs includes the bounds; rest: predict, integrate, statistics */
} stage_times;

typedef struct bench_result {
    char scene[64], backend[192], device[128], driver[128];
    scree_pipeline pipeline;
    scree_solver_def solver;
    int threads; /* 0: all */
    double time_step;
    int bodies, dynamic_bodies;
    long long settle_steps, timed_steps;
    int repeats;
    stage_times median;                   /* over the repeats, of the medians over the timed steps */
    double fastest, slowest;              /* ms per step of the fastest and the slowest repeat */
    double contact_iterations_per_second; /* of the solves, median over the repeats */
    double iterations;                    /* per step, median over the timed steps */
    bool repeatable;                      /* whether every repeat ended in the same state, bit for bit */
    uint64_t hash;
    scree_statistics last;   /* of the last step */
    double residual_median;  /* over the timed steps */
    overlap penetration;     /* in the final state, from positions alone */
    double kinetic_per_mass; /* J/kg */
    bool stacked, stands;    /* whether the scene is a stack; whether no cube ever left its place */
    double fell_at, drift;   /* s; m: largest distance from the ideal position at the end */
    double max_distance;     /* m, at any time */
    bool rated;              /* whether `rate` is valid */
    solve_rate rate;
} bench_result;

/* Runs the scene `name` of bench/scenes, or the scene file of this name if it contains a slash or ends in
 * ".json"; or, with `text`, that scene. On failure prints an error message and returns the program's exit
 * code, 1 or 2. */
int bench_run(const char *name, const char *text, const bench_options *options, bench_result *out);

/* Returns whether the scene exists and is valid; otherwise prints an error message. */
bool bench_can_run(const char *name);

/* Loads a scene as bench_run does. Errors: those of scree_scene_load; ARGUMENT (no such scene). */
scree_result bench_load_scene(const char *name, const char *text, scree_scene **out);
/* Returns the number of steps that bench_run makes before the timed ones. */
long long bench_settle_steps(const char *name, const scree_scene *scene);
/* Makes an empty temporary file and writes its path. On failure prints a message and returns false. */
bool bench_temporary(char path[4096]);

/* Growth: the time per body against the number of bodies, constant if the cost is proportional to that
 * number. */
enum { GROWTH_SIZES = 7 };
extern const int growth_sizes[GROWTH_SIZES]; /* spheres, 10³ … 10⁶ */

/* Measures a cube of `spheres` spheres on a jittered lattice, 1.5 mm apart, that settle in a box for 40
 * steps, of which the last 10 are timed. Returns as bench_run. */
int growth_run(int spheres, const bench_options *options, bench_result *out);

/* The scenes of bench/scenes/, embedded in the program (host/package/embed.cmake writes the table). */
typedef struct scene_source {
    const char *name; /* file name, such as "A8000.json" */
    const char *text;
} scene_source;

/* Ends with a NULL name. */
extern const scene_source scene_sources[];
