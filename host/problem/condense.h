/* Converts a problem in degrees of freedom of bodies (or finite elements) to one between contacts only. */
#pragma once

#include "triplets.h"

/* M v = H r + f, u = Hᵀ v + w. */
typedef struct global_problem {
    int dofs, contacts;
    triplets mass, directions; /* M, dofs × dofs; H, dofs × 3 contacts */
    const double *force;       /* f */
    const double *drive;       /* w */
} global_problem;

/* v = Z r + v*, with Z = M⁻¹ H, v* = M⁻¹ f. */
typedef struct global_response {
    int dofs;
    triplets response;
    double *free_velocity;
} global_response;

/* Forms W = Hᵀ M⁻¹ H and q = w + Hᵀ M⁻¹ f in `out` (friction zero), and the response of v. M is split into
 * uncoupled components (bodies), each of which is factorised densely. Sorts the matrices of `p`. On error the
 * outputs are empty. Errors: MEMORY; ARGUMENT when M is singular; CAPACITY when a component of M is larger
 * than CONDENSE_DOFS_MOST or W would be too dense. */
enum { CONDENSE_DOFS_MOST = 2000 };
scree_result condense(global_problem *p, delassus *out, global_response *response);

/* Computes v (dofs long) from r (3 components per contact). */
void global_velocities(const global_response *self, const double *r, double *v);
void global_response_release(global_response *self);
