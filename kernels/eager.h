/* The eager control of momentum (host/solve/nesterov_control.h). Host and device judge a residual by the same
 * functions, both in double precision. */
#ifndef SCREE_KERNELS_EAGER_H
#define SCREE_KERNELS_EAGER_H

#include "dialect.h"

#ifdef __OPENCL_VERSION__
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

/* Weight of the largest violation, relative to the largest one at zero impulses, in the scaled residual
 * (solver.h).
 * Chosen so that the violation decides only for problems without a solution, and where impulses are thousands
 * of times what the free velocities explain (a mass ratio of 1000). Without the weight, the violation is 0.3
 * to 81 times the first measure on public problems and our warm-started piles, and some hundred times in cold
 * solves of large piles. */
#define EAGER_VIOLATION_WEIGHT 0.001

/* The residual in the scaled measure, from sums over all blocks: ‖F‖² relative to the larger of ‖r‖² and its
 * own value at zero impulses (`drive`), or the weighted violation if that is larger. It is 0 if rounding
 * hides every violation, and NaN if squares overflow single precision. */
SHARED double eager_map(double map, double scale) { return scale > 0 ? sqrt(map / scale) : 0; }

SHARED double eager_violation(double violation, double free) {
    return free > 0 ? EAGER_VIOLATION_WEIGHT * sqrt(violation / free) : 0;
}

SHARED double eager_residual(double map, double impulse, double drive, double violation, double free) {
    const double residual = eager_map(map, impulse > drive ? impulse : drive),
                 weighed = eager_violation(violation, free);
    if (!isfinite(map + impulse + drive)) return NAN;
    if (violation == 0 && free == 0) return 0;
    return weighed > residual ? weighed : residual; /* NaN stays */
}

#define EAGER_RISE 20.0 /* relative to the best residual */
#define EAGER_LOWEST_CEILING 4.0
#define EAGER_HIGHEST_CEILING 1e9
enum { EAGER_PATIENCE = 10 }; /* iterations */

typedef struct eager_control {
    double ceiling;   /* of t */
    double best;      /* residual */
    double milestone; /* residual when `since` was last reset */
    int since, nesterov_since;
    int is_best;  /* the last test's iterate is the best one */
    int rejected; /* a test found that iterations diverge: later iterates do not count */
} eager_control;

SHARED double eager_least(double a, double b) { return a < b ? a : b; }

/* Returns the control with the ceiling after a test. */
SHARED eager_control eager_judged(eager_control of, double residual) {
    const double t = eager_least(of.ceiling, 1 + 0.5 * of.nesterov_since);
    if (of.since < EAGER_PATIENCE) return of;
    if (residual * (1 + 0.5 * of.since / t) <= of.milestone) {
        if (residual < 0.5 * of.milestone) of.ceiling = eager_least(1.5 * of.ceiling, EAGER_HIGHEST_CEILING);
    } else if (of.ceiling > EAGER_LOWEST_CEILING) {
        of.ceiling = t / 2 > EAGER_LOWEST_CEILING ? t / 2 : EAGER_LOWEST_CEILING;
    } else {
        of.ceiling = EAGER_HIGHEST_CEILING;
        of.nesterov_since = (int)(2 * EAGER_LOWEST_CEILING);
    }
    of.milestone = residual, of.since = 0;
    return of;
}

SHARED int eager_rose(double residual, double best) { return !(residual <= EAGER_RISE * best); }

/* Returns the control before the first iteration. */
SHARED eager_control eager_begin(double residual) {
    eager_control out;
    out.ceiling = EAGER_HIGHEST_CEILING, out.best = residual, out.milestone = residual;
    out.since = 0, out.nesterov_since = 0;
    out.is_best = 1, out.rejected = 0;
    return out;
}

/* Returns the control after `made` more iterations, the last of them with or without `momentum`. */
SHARED eager_control eager_tested(eager_control of, double residual, int made, int momentum) {
    of.since += made, of.nesterov_since += made;
    of = eager_judged(of, residual);
    of.is_best = !of.rejected && residual < of.best;
    if (of.is_best) of.best = residual;
    if (momentum && eager_rose(residual, of.best)) of.rejected = 1;
    return of;
}

#endif
