/* The launches that an iterative solve is made of. `solve.c` holds the methods, written once over these;
 * native and opencl each execute them, over the bodies of a problem or over a matrix. */
#ifndef SCREE_SOLVE_EXECUTOR_H
#define SCREE_SOLVE_EXECUTOR_H

#include <scree/problem.h>

#include "layout.h"

struct backend;
struct problem;

/* Sums over all blocks of block_residual, the largest ‖F‖², ‖u‖² where the operator is a matrix, the largest
 * violation and ‖q‖² of a block, and how many blocks are violated by more than the limit of the parameters,
 * where the operator is bodies. */
typedef struct residual_sum {
    double map, impulse, drive, change;
    double max_map;
    double velocity;
    double violation, free;
    double violated;
} residual_sum;

/* Numbers of a residual_sum, as devices write them. */
enum { RESIDUAL_NUMBERS = 9 };
_Static_assert(sizeof(residual_sum) == RESIDUAL_NUMBERS * sizeof(double), "one number after the other");

/* Of the momentum, in any precision. */
typedef struct nesterov_values {
    double t; /* of Nesterov's sequence */
    int restarts;
} nesterov_values;

/* What an iteration goes over: items (groups of blocks, or rows of a matrix) colour by colour, and the tail.
 */
typedef struct iteration_plan {
    struct problem *p; /* null when the executor holds a matrix */
    int block_count, colour_count;
    const int *colour_first; /* items of colour c: [c] … [c + 1] */
    int remainder_first;     /* first block that is solved mass-split; block_count: none */
} iteration_plan;

/* The sweeps of one iteration. */
typedef enum iteration_kind {
    ITERATION_FORWARD = SWEEP_FORWARD,
    ITERATION_BOTH_WAYS = SWEEP_BOTH_WAYS,
    ITERATION_JACOBI = SWEEP_JACOBI
} iteration_kind;

/* Several iterations at once: `made` counts those before it. With `momentum` each begins at the extrapolated
 * point; `fresh` says that the first one does so already. */
typedef struct iteration_run {
    iteration_kind kind;
    int count, made;
    bool nesterov, fresh, shifts; /* whether Coulomb's shift is read and held */
} iteration_run;

typedef struct executor executor;

/* A test of the residual: number 0 is of the start, another of what `made` more iterations have led to, the
 * last of them with momentum or without. */
typedef struct solve_test {
    int number, made;
    bool momentum, last; /* of the pass */
} solve_test;

enum { TESTS_AHEAD = 64 }; /* of a pass at most, that nobody waits for */

/* Tests without a wait, in which a device judges the residual as the eager control would (kernels/eager.h)
 * and keeps the best impulses by itself. The momentum's steps then have the ceiling 0. */
typedef struct test_verbs {
    /* Whether the device can. */
    bool (*available)(const executor *self);
    scree_result (*begin)(executor *self, solve_parameters parameters, solve_test test);
    /* Takes the best impulses, of all tests up to the first after which the control goes back, and brings the
     * sums of `count` tests back, and how often the momentum had begun anew before each. Waits. `gather`
     * follows. */
    scree_result (*read)(executor *self, int count, residual_sum *sums, int *restarts);
    /* Restarts since `begin`, where the last tests are taken back. */
    scree_result (*restarts_set)(executor *self, int restarts);
} test_verbs;

typedef struct executor_verbs {
    /* Takes the problem (null: the matrix): uploads blocks, groups, incidence and start impulses (`pass` 0:
     * impulses, 1: pseudo_impulses), computes A_cc (split: mass-split shares) into the blocks. Velocities are
     * not valid until `gather`. */
    scree_result (*begin)(executor *self, struct problem *p, solve_parameters parameters);
    /* Body-wise V = V* + M⁻¹ Σ Jᵀ r over each body's blocks, in their order (V* = 0 in the position pass); of
     * a matrix u = W r + q. */
    scree_result (*gather)(executor *self, solve_parameters parameters);
    /* The same for the movable bodies of the tail (p->remainder_bodies) alone. */
    scree_result (*gather_remainder)(executor *self, solve_parameters parameters);
    /* Within momentum: gather, and the iterate before is moved along, so that their difference, which
     * momentum extrapolates, stays what sweeps made of it. */
    scree_result (*regather)(executor *self, solve_parameters parameters);
    /* Gauss–Seidel over the items [first, first + count) of one colour, which share no movable body (of a
     * matrix: which do not couple): updates impulses and velocities. */
    scree_result (*sweep)(executor *self, int first, int count, solve_parameters parameters);
    /* Block Jacobi over the blocks [first, first + count) with mass-split A_cc: updates impulses only.
     * `gather` follows. */
    scree_result (*update)(executor *self, int first, int count, solve_parameters parameters);
    /* Keeps a copy of the impulses, against which `change` is measured. */
    scree_result (*keep)(executor *self);
    /* Momentum anew from the current impulses and velocities; reads the shifts if parameters.read_shift, of a
     * matrix always. */
    scree_result (*nesterov_begin)(executor *self, solve_parameters parameters);
    /* After an iteration: restarts or goes on (nesterov.h), and extrapolates impulses and velocities; reads
     * the shifts before if parameters.read_shift. parameters.ceiling is the most that Nesterov's t may be.
     */
    scree_result (*nesterov_step)(executor *self, solve_parameters parameters);
    /* t, and restarts since `begin`. Waits for a device unless the residual was asked for since. */
    scree_result (*nesterov_read)(executor *self, nesterov_values *out);
    /* Keeps the impulses as the best ones, and goes back to those. `gather` follows. */
    scree_result (*best_keep)(executor *self);
    scree_result (*best_restore)(executor *self);
    /* The natural map of the current impulses and velocities. Waits for a device. */
    scree_result (*residual)(executor *self, solve_parameters parameters, residual_sum *out);
    /* Ends a pass: the solution of pass 0 goes to p->impulses, of pass 1 to p->pseudo_impulses. */
    scree_result (*end)(executor *self, solve_parameters parameters);
    /* Iterations with `parameters` and, between them, momentum steps with `step` in one launch, with the bits
     * of one launch after the other. Null, or of no effect (*done = false), where that does not pay. */
    scree_result (*iterate)(executor *self, iteration_run run, solve_parameters parameters,
                            solve_parameters step, bool *done);
    /* Between the passes of p, whose first has just ended: fills the corrections, and the velocities P₀ that
     * bouncing contacts take back if there are any (displacement.h). Null for matrices. */
    scree_result (*displace)(executor *self, struct problem *p, bool bounces);
    /* Solves the rows of the trees of joints (rows/joint_forest.h): updates impulses and velocities.
     * Null for matrices. */
    scree_result (*solve_trees)(executor *self, solve_parameters parameters);
    /* After the position pass: adds P₀ to the pseudo-velocities. Null for matrices. */
    scree_result (*take_back)(executor *self);
    const test_verbs *tests; /* null: every test is waited for */
} executor_verbs;

struct executor {
    const executor_verbs *verbs;
};

/* Sweeps the tail, the blocks [first, end), as one mass-split block. */
scree_result executor_sweep_remainder(executor *self, int first, int end, solve_parameters parameters);

/* The sums of all chunks, added in their order. */
void residual_sum_total(const residual_sum *chunks, int count, residual_sum *out);
/* ‖F‖ against what the measure scales it by (solver.h, problem.h); a problem at rest with nothing to do has
 * 0. */
double residual_sum_map(const residual_sum *sum, scree_measure measure);
/* The largest violation of a block, weighed (solver.h). */
double residual_sum_violation(const residual_sum *sum);
/* The residual. Squares that single precision does not hold make it no number, which is never small enough.
 */
double residual_sum_residual(const residual_sum *sum, scree_measure measure);

/* The launches behind a backend, for tests that compare executors launch by launch. */
executor *native_executor(struct backend *native);
executor *opencl_executor(struct backend *opencl);

/* What is asked of a solve. */
typedef struct solve_goal {
    scree_method method;
    scree_measure measure;
    int iterations, check_every;
    int least;                          /* iterations that are made before a solve may stop */
    double tolerance, change_tolerance; /* 0: not tested */
    double reduction; /* of the residual at the start that may be left, beside the tolerance; 1: not asked */
    double violation_speed; /* m/s: while more than a few blocks are violated by more, and while any is by
                               several times as much, a solve goes on (solve.c); 0: not tested */
    double fastest;         /* m/s, of bodies: what a violation is resolved against */
    bool blind;   /* a method without momentum and without tests does not say what residual is left */
    bool smooths; /* iterations without momentum end a solve */
    bool patient; /* keeps to the theory of momentum from the start (nesterov_control.h) */
    /* Asked now and then, with the iterations made so far, while the violation outweighs the map or is large
     * (solver.h): whether it is proven that there is no solution, which ends the solve. Or null. */
    scree_result (*hopeless)(void *context, int iterations, bool *out);
    void *context;
    double *history; /* residuals as they are tested; or null */
    int history_capacity;
} solve_goal;

/* What it did, in any measure. */
typedef struct solve_outcome {
    int iterations, sweeps;
    scree_stop stop;
    double residual_before, residual; /* in the goal's measure */
    double largest;                   /* ‖F‖ of one block */
    double violation;                 /* of the largest free velocity */
    double violation_speed;           /* the same violation as a velocity, m/s */
    double change;
    int restarts, fallbacks, history_count;
    double measure_seconds; /* wall time of the tests */
} solve_outcome;

/* Iterates from begin to end. `parameters` names law, pass, ω and measure. */
scree_result solve_run(executor *self, const iteration_plan *plan, const solve_goal *goal,
                       solve_parameters parameters, solve_outcome *out);

/* A step's problem: pass 0, and pass 1 when the stabilisation is `split`. */
scree_result solve_iterate(executor *self, struct problem *p, const scree_solver_def *options,
                           scree_solve_report *report);

#endif
