/* From a problem with its bodies' (or finite elements') degrees of freedom to one between contacts only. */
#ifndef SCREE_PROBLEM_CONDENSE_H
#define SCREE_PROBLEM_CONDENSE_H

#include "triplets.h"

/* M v = H r + f, u = Hᵀ v + w. */
typedef struct global_problem {
    int dofs, contacts;
    triplets mass, directions; /* M, dofs × dofs; H, dofs × 3 contacts */
    double *force;             /* f */
    double *drive;             /* w */
} global_problem;

/* v = Z r + v*, with Z = M⁻¹ H, v* = M⁻¹ f. */
typedef struct global_response {
    int dofs;
    triplets response;
    double *free_velocity;
} global_response;

/* W = Hᵀ M⁻¹ H and q = w + Hᵀ M⁻¹ f into `out` (friction zero), and how v follows. M is cut into parts that
 * do not couple (bodies), each of which is factorised densely. The matrices of `p` are sorted. Nothing is
 * left in the outputs on error. Errors: MEMORY; ARGUMENT when M is singular; CAPACITY when a part of M is
 * larger than CONDENSE_DOFS_MOST or W would be too dense. */
enum { CONDENSE_DOFS_MOST = 2000 };
scree_result condense(global_problem *p, delassus *out, global_response *response);

void global_problem_release(global_problem *self);
/* v (dofs long) that follows from r (3 components of each contact). */
void global_velocities(const global_response *self, const double *r, double *v);
void global_response_release(global_response *self);

#endif
