/* What a contact's gap and approach speed add to q: stabilisation, speculative gaps and restitution. */
#ifndef SCREE_ROWS_STABILISATION_H
#define SCREE_ROWS_STABILISATION_H

#include <scree/solver.h>

#include "layout.h"

/* The numbers of one contact that go into its block. (Compliance and correction, which lie side by side
 * there, do not here: compilers would copy both as one word, which is slow while they are still on their way
 * to memory.) */
typedef struct stabilisation {
    scalar compliance; /* added to A_NN of the velocity pass, 1/kg */
    scalar bias;       /* added to q_N of the velocity pass, m/s */
    scalar correction; /* closing in the position pass of `split` (displacement.h), bias of the relax sweep of
                          `substep`, m/s; 0 for the other schemes */
} stabilisation;

/* What a scheme knows of a row before the step. */
typedef struct row_state {
    scalar gap;         /* c, m */
    scalar overlap;     /* d, m, ≥ 0: max(0, −c) unless the contact was foreseen (contacts.h) */
    scalar rate;        /* its velocity u, m/s: negative when the bodies approach (restitution) */
    scalar rate_before; /* the same, with the velocity that a body of prescribed motion had before the step
                           (relaxed) */
    scalar mobility;    /* A of the row, 1/kg (substep) */
    scalar fastest;     /* no point of a body is faster, m/s (contacts with restitution) */
} row_state;

/* Whether a scheme moves positions by a pass of its own. */
bool stabilisation_moves_positions(scree_stabilisation kind);
/* Whether a relax sweep follows, with biases of its own and without compliance of the scheme's. */
bool stabilisation_relaxes(scree_stabilisation kind);

/* How much of its last pushes the position pass starts from. Let x be the overlap of a slow mode, c what is
 * pushed of it in a step, and g the share of the error by which the sweeps of one step reduce it:
 *
 *     c⁺ = w c + g (β x − w c),   x⁺ = x − c⁺:   the product of the two eigenvalues is w (1 − g).
 *
 * With w = 1 and g small the mode swings almost undamped, and the velocity pass feeds it: twenty rows of
 * cubes rock themselves down in three seconds at 10 iterations. A lower w damps it, but leaves more of a
 * pile's overlap: with 0.8 the column under ten times its brick rocks. */
static const scalar PUSH_CARRIED = 0.95f;

/* `acceleration` a (m/s², along the normal, of b less that of a, from gravity and loads), `restitution` e,
 * `time_step` h. */
stabilisation stabilisation_of(const scree_solver_def *options, const row_state *at, scalar acceleration,
                               scalar restitution, scalar time_step);
/* What a scheme adds to q of the tangential rows, as a share of their velocities before the step. */
scalar stabilisation_of_slip(const scree_solver_def *options, scalar time_step);

/* The same for a limit of a joint, a gap without restitution, and for a lock, whose `gap` is an error of
 * either sign that shall be 0; `overlap` is not read. */
stabilisation stabilisation_of_limit(const scree_solver_def *options, const row_state *at, scalar time_step);
stabilisation stabilisation_of_lock(const scree_solver_def *options, const row_state *at, scalar time_step);

#endif
