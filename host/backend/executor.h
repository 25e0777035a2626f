/* The launches that an iterative solve is made of. `solve.c` holds the methods, written once over these;
 * native and opencl each execute them. All of them act on the problem last given to `begin`. */
#ifndef SCREE_BACKEND_EXECUTOR_H
#define SCREE_BACKEND_EXECUTOR_H

#include "backend.h"

/* Sums over all blocks of block_residual, and the largest ‖F‖². */
typedef struct residual_sum {
    double map, impulse, drive, change;
    double largest_map;
} residual_sum;

typedef struct executor executor;

typedef struct executor_verbs {
    /* Takes the problem: uploads blocks, groups, incidence and start impulses (`pass` 0: impulses, 1:
     * pseudo_impulses), computes A_cc (split: mass-split shares) into the blocks. Velocities are not valid
     * until `gather`. */
    scree_result (*begin)(executor *self, problem *p, solve_parameters parameters);
    /* Body-wise V = V* + M⁻¹ Σ Jᵀ r over each body's blocks, in their order (V* = 0 in the position pass). */
    scree_result (*gather)(executor *self, solve_parameters parameters);
    /* The same for the movable bodies of the tail (p->tail_bodies) alone. */
    scree_result (*gather_tail)(executor *self, solve_parameters parameters);
    /* Within momentum: gather, and the iterate before is moved along, so that their difference, which
     * momentum extrapolates, stays what sweeps made of it. */
    scree_result (*regather)(executor *self, solve_parameters parameters);
    /* Gauss–Seidel over the groups [first, first + count), which share no movable body: updates impulses and
     * velocities. */
    scree_result (*sweep)(executor *self, int first, int count, solve_parameters parameters);
    /* Block Jacobi over the blocks [first, first + count) with mass-split A_cc: updates impulses only.
     * `gather` follows. */
    scree_result (*update)(executor *self, int first, int count, solve_parameters parameters);
    /* Keeps a copy of the impulses, against which `change` is measured. */
    scree_result (*keep)(executor *self);
    /* Momentum anew from the current impulses and velocities; reads the shifts. */
    scree_result (*momentum_begin)(executor *self, solve_parameters parameters);
    /* After an iteration: restarts or goes on (momentum.h), and extrapolates impulses and velocities; reads
     * the shifts before if parameters.read_shift. `ceiling` is the most that Nesterov's t may be. */
    scree_result (*momentum_step)(executor *self, solve_parameters parameters, scalar ceiling);
    /* Restarts since `begin`. Waits for a device. */
    scree_result (*momentum_restarts)(executor *self, int *out);
    /* Keeps the impulses as the best ones, and goes back to those. `gather` follows. */
    scree_result (*best_keep)(executor *self);
    scree_result (*best_restore)(executor *self);
    /* The natural map of the current impulses and velocities. Waits for a device. */
    scree_result (*residual)(executor *self, solve_parameters parameters, residual_sum *out);
    /* Ends a pass: the solution of pass 0 goes to p->impulses, of pass 1 to p->pseudo_impulses. */
    scree_result (*end)(executor *self, solve_parameters parameters);
} executor_verbs;

struct executor {
    const executor_verbs *verbs;
};

/* The sums of all chunks, added in their order. */
void residual_sum_total(const residual_sum *chunks, int count, residual_sum *out);

/* The launches behind a backend, for tests that compare executors launch by launch. */
executor *native_executor(backend *native);
executor *opencl_executor(backend *opencl);

/* The methods. Runs pass 0, and pass 1 when the stabilisation is `split`. */
scree_result solve_iterate(executor *self, problem *p, const scree_solver_def *options,
                           scree_solve_report *report);

#endif
