/* What a forward sweep reads and writes of the arrays that it touches, each once: beside the updates a second
 * it says how near a solve is to the memory's bandwidth. What stays in caches counts as well; momentum,
 * residuals and the gathering of velocities after mass-split updates do not. */
#ifndef SCREE_SOLVE_SWEEP_BYTES_H
#define SCREE_SOLVE_SWEEP_BYTES_H

#include "rows/problem.h"

/* Groups [first, end) of p, one after the other:
 *
 *     group + 2 mobilities + 2 velocities + a velocity for each body that moves + Σ block,
 *     block: its numbers, A_cc, bounded rows if it has them, and its impulse twice. */
uint64_t sweep_bytes_of_groups(const problem *p, const body_array *bodies, int first, int end);

/* Of p as arrays of structs, as sweep.cl sweeps it: colours group by group, and what is solved mass-split
 * (the tail, or all under Jacobi) block by block:
 *
 *     numbers, bounded rows if it has them, its impulse twice, of two bodies velocity, mobility and shares.
 */
uint64_t sweep_bytes(const problem *p, const body_array *bodies, const scree_solver_def *options);
/* The mass-split part of that. */
uint64_t sweep_bytes_of_split(const problem *p, const scree_solver_def *options);

#endif
