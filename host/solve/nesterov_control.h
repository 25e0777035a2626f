/* Control of an accelerated solve, based on the tested residuals.
 *
 * The theory of momentum requires a convex problem and the symmetric operator of a forward and backward
 * sweep. Coulomb's law becomes convex if its shift μ‖u_T‖ is held: it is read at the iterate (not at the
 * extrapolated point) and held for two iterations. With coloured sweeps of a large pile, forward sweeps
 * alone, each block solved under the exact Coulomb law, need fewer iterations than symmetric sweeps with held
 * shifts (40 against 43 to 1e-3 on the 80 857 contacts of 20 000 beads), at less than half the work. The
 * eager control therefore begins with these. When the residual rises far above the best one, it returns to
 * the best iterate, makes plain iterations for a while, and from then on follows the theory (`holds`).
 *
 * Even so, held shifts move, and contacts that change between sticking, sliding and open change the problem.
 * Momentum with a long memory then drifts, whereas other problems need the memory. Nesterov's t, about half
 * the number of iterations since the momentum began, therefore has a ceiling. The eager control expects the
 * residual to fall about like 1/k², k = 2t. If it falls more slowly than 1/k, the ceiling is set to half of
 * t. When the residual halves, the ceiling rises again, and if the lowest ceiling does not help, t is free
 * again.
 *
 * The patient control is for problems that are solved to high accuracy, some of which have plateaus of
 * thousands of iterations before momentum helps. It begins with forward sweeps too. Once it follows the
 * theory, it halves the ceiling only if the residual rises repeatedly or does not halve within PATIENCE; each
 * time it returns to the best iterate and makes plain iterations. When the lowest ceiling no longer helps, a
 * long plain stretch follows and the momentum is free again. A whole such round without progress ends the
 * solve. */
#pragma once

#include <stdbool.h>

typedef struct nesterov_control {
    bool patient;
    bool holds;         /* symmetric sweeps and held shifts */
    double ceiling;     /* upper limit of t */
    double best;        /* smallest residual */
    double milestone;   /* residual when `since` was reset */
    double round_start; /* best residual when the momentum was last freed */
    int plain;          /* remaining iterations without momentum */
    int nesterov_since; /* iterations since the momentum began */
    int since;          /* iterations since the milestone */
    int rises;          /* rises far above the best residual since the milestone */
    int fallbacks;
    bool fruitless; /* a whole round without progress */
} nesterov_control;

/* Returns the control for an initial residual. */
nesterov_control nesterov_control_begin(double residual, bool patient, bool holds);
void nesterov_control_made(nesterov_control *self, int iterations);
/* Processes a tested residual. Returns whether it is the best so far. */
bool nesterov_control_test(nesterov_control *self, double residual);
/* Returns whether the iteration must go back to the best impulses. */
bool nesterov_control_rejects(const nesterov_control *self, double residual);
/* Decides how to continue from the best impulses. `t`: that of the rejected momentum. */
void nesterov_control_hold_back(nesterov_control *self, double residual, double t);
