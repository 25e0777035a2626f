/* A second-order finish for Coulomb's law: the proximal point method, with semi-smooth Newton for each
 * subproblem. Time steps do not use it: a step of D1000 takes 2.2 ms by the sweeps of `accurate` and 5.9 ms
 * by this. */
#pragma once

#include "elimination.h"
#include "host_solve.h"

typedef enum newton_state { NEWTON_OPEN, NEWTON_STICK, NEWTON_SLIDE } newton_state;

/* The state of a contact in one step. */
typedef struct newton_contact {
    newton_state state;
    int row;    /* in the system */
    real3 e, s; /* sliding: columns of its unknowns; s is zero without friction */
    double curvature;
} newton_contact;

typedef struct newton {
    const delassus *a;
    elimination system;
    newton_contact *contacts;
    real3 *r, *centre, *best, *u, *z;
    double regular; /* ε of the proximal term, relative to the mean diagonal of A_cc */
    double work,
        max_of_step; /* remaining budget, and limit for one linear system, in products of two blocks */
    int steps;       /* linear systems solved */
} newton;

/* Returns whether the method applies: Coulomb's law, contacts only, and not too many. */
bool newton_applies(const delassus *a, scree_law law);
/* Errors: MEMORY, with nothing left to release. */
scree_result newton_allocate(newton *self, const delassus *a);
void newton_release(newton *self);

/* Continues from `r`, whose norms are `norms`, until goal->tolerance is met, `work` is spent or progress
 * stops. Returns whether the error fell; then r and norms are the new ones, else they are unchanged. */
bool newton_finish(newton *self, const host_goal *goal, real3 *r, host_norms *norms);
