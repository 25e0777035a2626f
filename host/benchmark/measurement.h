/* One benchmark scene, run and measured. */
#ifndef SCREE_BENCHMARK_MEASUREMENT_H
#define SCREE_BENCHMARK_MEASUREMENT_H

#include "overlap.h"
#include "solve_rate.h"

enum { MEASUREMENT_REPEATS = 25 };

/* What the user may change of a scene; negative or null: as the scene says. */
typedef struct measurement_options {
    int backend, preset, method, law;
    long long iterations, threads;
    double tolerance;
    long long steps; /* timed steps; 0: the scene's */
    int repeats;
    const char *device;
    bool rates; /* whether to measure the solver apart as well */
} measurement_options;

/* Milliseconds of a step and of its stages. */
typedef struct stage_times {
    double total, pairs, manifolds, problem, solve,
        rest; /* pairs: with the bounds; rest: predict, integrate, statistics */
} stage_times;

typedef struct measurement {
    char scene[64], backend[192], device[128], driver[128];
    scree_solver_def solver;
    int threads; /* 0: all */
    double time_step;
    int bodies, dynamic_bodies;
    long long settle_steps, timed_steps;
    int repeats;
    stage_times median;                   /* over the repeats, of the medians over the timed steps */
    double fastest, slowest;              /* ms a step of the fastest and the slowest repeat */
    double contact_iterations_per_second; /* of the solve, median over the repeats */
    double iterations;                    /* of a step, median over the timed steps */
    bool repeatable;                      /* every repeat ended in the same state, bit for bit */
    uint64_t hash;
    scree_statistics last;   /* of the last step */
    double residual_median;  /* over the timed steps */
    overlap penetration;     /* of the final state, from positions alone */
    double kinetic_per_mass; /* J/kg */
    bool stacked, stands;    /* whether it is a stack; whether no cube ever left its place */
    double fell_at, drift;   /* s; m: largest distance from the gap-free place at the end */
    double max_distance;     /* m, at any time */
    bool rated;              /* whether there are rates */
    solve_rate rate;
} measurement;

/* Runs the scene `name` of bench/scenes, or the scene file of this name if it holds a slash or ends in
 * ".json"; or, with `text`, that scene. On failure prints a sentence and returns the program's exit code, 1
 * or 2. */
int measurement_run(const char *name, const char *text, const measurement_options *options, measurement *out);

/* Whether there is such a scene and it is right; else a sentence is printed. */
bool measurement_can_run(const char *name);

#endif
