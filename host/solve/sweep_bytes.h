/* Memory traffic of a forward sweep: each array element read or written counts once. Together with the rate
 * of updates it shows how close a solve is to the memory bandwidth. Cached data counts as well; momentum,
 * residuals, and gathering velocities after mass-split updates do not. */
#pragma once

#include "rows/problem.h"

/* Numbers of the items that a sweep over groups touches. */
typedef struct sweep_counts {
    uint64_t groups, filled; /* all, and those with blocks */
    uint64_t ends;           /* bodies with mass of these, each counted for each group */
    uint64_t blocks, bounded;
} sweep_counts;
uint64_t sweep_bytes_of_counts(sweep_counts of);

/* Returns the bytes of groups [first, end) of p, swept in order:
 *
 *     group + 2 mobilities + 2 velocities + a velocity for each moving body + Σ block,
 *     block: its fields, A_cc, bounded rows if it has them, and its impulse twice. */
uint64_t sweep_bytes_of_groups(const problem *p, const body_array *bodies, int first, int end);

/* Returns the bytes of p as arrays of structs, as sweep.cl sweeps it: colours group by group, and mass-split
 * blocks (the uncoloured remainder, or all under Jacobi) one by one:
 *
 *     fields, bounded rows if it has them, its impulse twice; velocity, mobility and split counts of two
 * bodies.
 */
uint64_t sweep_bytes(const problem *p, const body_array *bodies, const scree_solver_def *options);
/* Returns the same of a problem that is away; `ends` are those of its coloured groups, of which `empty` have
 * no blocks. Joints have colours. */
uint64_t sweep_bytes_away(const problem *p, uint64_t ends, uint64_t empty, const scree_solver_def *options);
/* Returns the bytes of the mass-split blocks alone. */
uint64_t sweep_bytes_of_mass_split(const problem *p, const scree_solver_def *options);
