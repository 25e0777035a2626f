/* One benchmark scene, run and measured. */
#ifndef SCREE_BENCH_MEASUREMENT_H
#define SCREE_BENCH_MEASUREMENT_H

#include "overlap.h"

enum { MEASUREMENT_REPEATS = 25 };

/* What the user may change of a scene; negative or null: as the scene says. */
typedef struct measurement_options {
    int backend, method, law;
    long long iterations, threads;
    long long steps; /* timed steps */
    int repeats;
    const char *device;
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
    bool repeatable;                      /* every repeat ended in the same state, bit for bit */
    uint64_t hash;
    scree_statistics last;   /* of the last step */
    double residual_median;  /* over the timed steps */
    overlap penetration;     /* of the final state, from positions alone */
    double kinetic_per_mass; /* J/kg */
    bool stacked, stands;    /* whether it is a stack; whether no cube ever left its place */
    double fell_at, drift;   /* s; m: largest distance from the gap-free place at the end */
    double max_distance;     /* m, at any time */
} measurement;

/* Runs the scene file `path`. On failure prints a sentence and returns false. */
bool measurement_run(const char *path, const measurement_options *options, measurement *out);

#endif
