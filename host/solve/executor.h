/* The launches of an iterative solve. `solve.c` implements the methods once, in terms of these. The native
 * and the OpenCL backend each execute them, for the bodies of a problem or for a matrix. */
#pragma once

#include <scree/problem.h>

#include "solve_request.h"
#include "layout.h"

struct backend;
struct problem;

/* Over all blocks: sums of block_residual (`drive` of another measure than `scaled`: of ‖q‖²), the largest
 * ‖F‖², ‖u‖² if the operator is a matrix, the largest violation of a block at r and at zero impulses, and, if
 * the operator is bodies, the number of blocks whose violation exceeds the limit of the parameters. */
typedef struct residual_sum {
    double map, impulse, drive, change;
    double max_map;
    double velocity;
    double violation, free;
    double violated;
} residual_sum;

/* Length of a residual_sum, as devices write it. */
enum { RESIDUAL_NUMBERS = 9 };
_Static_assert(sizeof(residual_sum) == RESIDUAL_NUMBERS * sizeof(double),
               "a residual_sum is an array of numbers");

/* State of the momentum, in any precision. */
typedef struct nesterov_values {
    double t; /* Nesterov's sequence */
    int restarts;
} nesterov_values;

/* Items of an iteration (groups of blocks, or rows of a matrix), colour by colour, and the uncoloured
 * remainder. */
typedef struct iteration_plan {
    struct problem *p; /* null if the executor holds a matrix */
    int block_count, colour_count;
    const int *colour_first; /* items of colour c: colour_first[c] up to colour_first[c + 1] */
    int remainder_first;     /* first block that is solved mass-split; block_count: none */
} iteration_plan;

/* Sweeps of one iteration. */
typedef enum iteration_kind {
    ITERATION_FORWARD = SWEEP_FORWARD,
    ITERATION_BOTH_WAYS = SWEEP_BOTH_WAYS,
    ITERATION_JACOBI = SWEEP_JACOBI
} iteration_kind;

/* Several iterations at once; `made` is the number of iterations before them. With `nesterov`, each starts
 * from an extrapolated point; `fresh`: the first one is already there. */
typedef struct iteration_run {
    iteration_kind kind;
    int count, made;
    bool nesterov, fresh, shifts; /* `shifts`: Coulomb's shift is read and held */
} iteration_run;

typedef struct executor executor;

/* A test of the residual. Test 0 is of the initial impulses, a later one of the impulses after `made` more
 * iterations; `momentum`: the last of these had momentum. */
typedef struct solve_test {
    int number, made;
    bool momentum, last; /* `last`: last test of the pass */
} solve_test;

enum { TESTS_AHEAD = 64 }; /* largest number of tests of a pass without a wait */

/* Tests without a wait: the device evaluates the residual as the eager control would (kernels/eager.h) and
 * keeps the best impulses itself. The ceiling of the momentum steps must be 0. */
typedef struct test_operations {
    /* Returns whether the device supports it. */
    bool (*available)(const executor *self);
    scree_result (*begin)(executor *self, solve_parameters parameters, solve_test test);
    /* Restores the best impulses of all tests up to the first one at which the control falls back. Reads the
     * sums of `count` tests and the number of momentum restarts before each. Waits for the device. The caller
     * must then call `gather`. */
    scree_result (*read)(executor *self, int count, residual_sum *sums, int *restarts);
    /* Sets the number of restarts since `begin`, after the last tests have been discarded. */
    scree_result (*restarts_set)(executor *self, int restarts);
} test_operations;

typedef struct executor_operations {
    /* Takes the problem (null: the matrix): uploads blocks, groups, incidence and warm start (`pass` 0:
     * impulses, 1: pseudo_impulses) and computes A_cc of the blocks (`split`: mass-split). Velocities are not
     * valid until `gather`. */
    scree_result (*begin)(executor *self, struct problem *p, solve_parameters parameters);
    /* Computes V = V* + M⁻¹ Σ Jᵀ r per body over its blocks, in their order (V* = 0 in the position pass);
     * for a matrix u = W r + q. */
    scree_result (*gather)(executor *self, solve_parameters parameters);
    /* Does the same for the movable bodies of the uncoloured remainder (p->remainder_bodies) only. */
    scree_result (*gather_remainder)(executor *self, solve_parameters parameters);
    /* During momentum: gathers velocities and shifts the previous iterate by the same change, so that their
     * difference, which momentum extrapolates, is unchanged. */
    scree_result (*regather)(executor *self, solve_parameters parameters);
    /* Gauss–Seidel over the items [first, first + count) of one colour, which share no movable body (for a
     * matrix: are not coupled). Updates impulses and velocities. */
    scree_result (*sweep)(executor *self, int first, int count, solve_parameters parameters);
    /* Block Jacobi over the blocks [first, first + count) with mass-split A_cc. Updates impulses only; the
     * caller must then call `gather`. */
    scree_result (*update)(executor *self, int first, int count, solve_parameters parameters);
    /* Copies the impulses; `change` is measured against the copy. */
    scree_result (*keep)(executor *self);
    /* Restarts momentum from the current impulses and velocities. Reads the shifts if parameters.read_shift;
     * for a matrix, always. */
    scree_result (*nesterov_begin)(executor *self, solve_parameters parameters);
    /* After an iteration: restarts or continues momentum (nesterov.h) and extrapolates impulses and
     * velocities. Reads the shifts first if parameters.read_shift. parameters.ceiling limits Nesterov's t. */
    scree_result (*nesterov_step)(executor *self, solve_parameters parameters);
    /* Returns t and the number of restarts since `begin`. Waits for a device unless `residual` was called
     * since. */
    scree_result (*nesterov_read)(executor *self, nesterov_values *out);
    /* Copies the impulses as the best ones, and restores these. After restoring, the caller must call
     * `gather`. */
    scree_result (*best_keep)(executor *self);
    scree_result (*best_restore)(executor *self);
    /* Computes the natural map of the current impulses and velocities. Waits for a device. */
    scree_result (*residual)(executor *self, solve_parameters parameters, residual_sum *out);
    /* Ends a pass: writes the solution of pass 0 to p->impulses, of pass 1 to p->pseudo_impulses. */
    scree_result (*end)(executor *self, solve_parameters parameters);
    /* Runs iterations with `parameters` and, between them, momentum steps with `step` in one launch,
     * bit-identical to separate launches. If that does not pay, it is null or sets *done = false and does
     * nothing. */
    scree_result (*iterate)(executor *self, iteration_run run, solve_parameters parameters,
                            solve_parameters step, bool *done);
    /* Between the passes of p, after the first has ended: computes the corrections and, if contacts bounce,
     * the velocities P₀ that undo their impulses (displacement.h). Null for matrices. */
    scree_result (*displace)(executor *self, struct problem *p, bool bounces);
    /* Solves the rows of joint trees (rows/joint_forest.h): updates impulses and velocities. Null for
     * matrices. */
    scree_result (*solve_trees)(executor *self, solve_parameters parameters);
    /* After the position pass: adds P₀ to the pseudo-velocities. Null for matrices. */
    scree_result (*take_back)(executor *self);
    const test_operations *tests; /* null: the solve waits for every test */
    /* As `residual`, for two tests (number 0 and 1). The first does not wait; the second returns the sums after a later
     * `residual`. Null, as the next three: not supported. */
    scree_result (*residual_later)(executor *self, int number, solve_parameters parameters);
    void (*residual_taken)(executor *self, int number, residual_sum *out);
    /* Copies impulses and velocities; makes the copy the best impulses; returns to it (`best`: it has become the best
     * ones), from where momentum continues if it has made no step since. */
    scree_result (*mark)(executor *self, solve_parameters parameters);
    void (*mark_best)(executor *self);
    scree_result (*mark_return)(executor *self, bool best, solve_parameters parameters);
} executor_operations;

struct executor {
    const executor_operations *operations;
    /* Iterations after which the last accelerated solve was small enough, 0: it was not; whether that of the solve
     * before was the same. Results do not depend on it. */
    int stopped_after;
    bool stopped_alike;
};

/* Sweeps the uncoloured remainder, blocks [first, end), as one mass-split update. */
scree_result executor_sweep_remainder(executor *self, int first, int end, solve_parameters parameters);

/* Adds the sums of all chunks in their order. */
void residual_sum_total(const residual_sum *chunks, int count, residual_sum *out);
/* Returns ‖F‖ over the scale of the measure (solver.h, problem.h); 0 for a problem at rest without loads. */
double residual_sum_map(const residual_sum *sum, scree_measure measure);
/* Returns the largest weighted violation of a block (solver.h). */
double residual_sum_violation(const residual_sum *sum);
/* Returns the residual. It is NaN, which passes no tolerance, if squares exceed single precision. */
double residual_sum_residual(const residual_sum *sum, scree_measure measure);

/* Return the executor of a backend, for tests that compare executors launch by launch. */
executor *native_executor(struct backend *base);
executor *opencl_executor(struct backend *opencl);

/* Targets and limits of a solve. */
typedef struct solve_goal {
    scree_method method;
    scree_measure measure;
    int iterations, check_every;
    int least;                          /* iterations before a solve may stop */
    double tolerance, change_tolerance; /* 0: not tested */
    /* Fraction of the initial residual that may remain, in addition to `tolerance`; 1: not tested. */
    double reduction;
    /* A solve continues while more than a few blocks have a larger violation, or any has one several times
     * larger (solve.c), m/s; 0: not tested. */
    double violation_speed;
    bool blind;   /* a method without momentum and tests does not measure the final residual */
    bool smooths; /* the solve ends with iterations without momentum */
    bool patient; /* the patient control of momentum (nesterov_control.h) */
    bool holds;   /* momentum begins with symmetric sweeps and held shifts */
    /* Called from time to time with the number of iterations so far, while the violation outweighs the map or
     * is large (solver.h). Sets `out` if the problem is proven infeasible, which ends the solve. May be null.
     */
    scree_result (*hopeless)(void *context, int iterations, bool *out);
    void *context;
    double *history; /* receives the tested residuals; may be null */
    int history_capacity;
} solve_goal;

/* Result of a solve, for any measure. */
typedef struct solve_outcome {
    int iterations, sweeps;
    scree_stop stop;
    double residual_before, residual; /* in the goal's measure */
    double largest;                   /* largest ‖F‖ of a block */
    double violation;                 /* fraction of the largest one at zero impulses */
    double violation_speed;           /* the same violation as a velocity, m/s */
    double closing_speed;             /* the largest violation at zero impulses, m/s */
    double change;
    int restarts, fallbacks, history_count;
    double measure_seconds; /* wall time of the tests, s */
} solve_outcome;

/* Runs a whole pass, from `begin` to `end`. `parameters` gives law, pass and ω. */
scree_result solve_run(executor *run, const iteration_plan *plan, const solve_goal *goal,
                       solve_parameters parameters, solve_outcome *out);

/* Solves a step's problem: pass 0, and pass 1 if the stabilisation is `split`. */
scree_result solve_iterate(executor *self, struct problem *p, const solve_request *request,
                           scree_solve_report *report);
