/* A second-order finish for Coulomb's law: the proximal point method, each of its problems by semi-smooth
 * Newton. */
#ifndef SCREE_PROBLEM_NEWTON_H
#define SCREE_PROBLEM_NEWTON_H

#include "elimination.h"
#include "host_solve.h"

typedef enum newton_state { NEWTON_OPEN, NEWTON_STICK, NEWTON_SLIDE } newton_state;

/* What a contact does, for one step. */
typedef struct newton_contact {
    newton_state state;
    int row;    /* in the system */
    real3 e, s; /* of a sliding one: columns of its unknowns; s is zero without friction */
    double curvature;
} newton_contact;

typedef struct newton {
    const delassus *a;
    elimination system;
    newton_contact *contacts;
    real3 *r, *centre, *best, *u, *z;
    double regular;           /* ε of the proximal term, of the mean of A_cc's diagonal */
    double work, max_of_step; /* left, and the most for one linear system, in products of two blocks */
    int steps;                /* linear systems solved */
} newton;

/* Whether it can take a problem: Coulomb's law, contacts only, and not too many. */
bool newton_applies(const delassus *a, scree_law law);
/* Errors: MEMORY, with nothing left to release. */
scree_result newton_allocate(newton *self, const delassus *a);
void newton_release(newton *self);

/* Goes on from `r`, whose norms are `norms`, until the goal's tolerance is met, `work` is spent or it is not
 * worth it. Whether the error fell to half of what it was; r and norms are then the new ones, else as they
 * were. */
bool newton_finish(newton *self, const host_goal *goal, real3 *r, host_norms *norms);

#endif
