/* How an accelerated solve iterates, decided from the residuals that are tested.
 *
 * Momentum's theory wants a convex problem and the symmetric operator of a sweep forward and back. Coulomb's
 * law becomes convex when its shift μ‖u_T‖ is held: it is read at the iterate (not at the extrapolated point)
 * and held for two iterations. Over coloured sweeps of a large pile a forward one alone, each block solved
 * under Coulomb's law as it is, takes fewer iterations than the two with the law made convex (40 against 43
 * to 1e-3 on the 80 857 contacts of 20 000 beads), at less than half the work, so that is what the eager
 * control begins with. Where the residual rises far above the best one, it goes back to the best iterate,
 * makes plain iterations for a while, and from then on keeps to the theory.
 *
 * Still, held shifts move, contacts that change between sticking, sliding and open make the problem another
 * one, and momentum that remembers too much then drifts, while other problems need it long. So Nesterov's t,
 * which is about half the number of iterations since the momentum began, has a ceiling. The eager control
 * expects the residual to fall about like 1/k², k = 2t: where it falls more slowly than 1/k, t is held at
 * half of what it is; where the residual halves, the ceiling rises again, and where the lowest one does not
 * help, t is free again.
 *
 * The patient control is for problems to be solved to the end, of which some have plateaus of thousands of
 * iterations before momentum takes hold: it begins with forward sweeps too, but halves the ceiling, once it
 * keeps to the theory, only where the residual rises again and again or does not halve within PATIENCE; each
 * time it returns to the best iterate and makes plain iterations. When the lowest ceiling no longer helps, a
 * long plain stretch follows and the momentum is free again; a whole such round without progress ends the
 * solve. */
#ifndef SCREE_SOLVE_NESTEROV_CONTROL_H
#define SCREE_SOLVE_NESTEROV_CONTROL_H

#include <stdbool.h>

typedef struct nesterov_control {
    bool patient;
    bool holds;         /* keeps to the theory */
    double ceiling;     /* of t */
    double best;        /* residual */
    double milestone;   /* residual when `since` was set back */
    double round_start; /* best residual when the momentum was last set free */
    int plain;          /* iterations without momentum still to make */
    int nesterov_since; /* iterations since the momentum began */
    int since;          /* iterations since the milestone */
    int rises;          /* far above the best residual, since the milestone */
    int fallbacks;
    bool fruitless; /* a whole round brought nothing */
} nesterov_control;

/* At the start's residual. */
nesterov_control nesterov_control_begin(double residual, bool patient, bool holds);
/* Counts iterations. */
void nesterov_control_made(nesterov_control *self, int iterations);
/* Takes a tested residual. Whether it is the best so far. */
bool nesterov_control_test(nesterov_control *self, double residual);
/* Whether the iteration must go back to the best impulses. */
bool nesterov_control_rejects(const nesterov_control *self, double residual);
/* Chooses how to go on from the best impulses; t of the momentum that was rejected. */
void nesterov_control_hold_back(nesterov_control *self, double residual, double t);

#endif
