/* A spring from the mouse to a point of a body. */
#pragma once

#include <scree/scree.h>

typedef struct pull {
    scree_body_id body; /* null: none */
    scree_vec3 grip;    /* the point, in the body's axes about its centre, m */
    scree_vec3 goal;    /* where the spring leads it, m */
} pull;

/* Adds the spring's force for the next step. Its stiffness is that under which the body's weight at 1 g
 * stretches it by half the body's radius, as far as the time step h resolves its frequency ω: ω h ≤ 1/4. The
 * damping is critical. A body that is gone or cannot move feels none. Errors: ARGUMENT (a force that would
 * leave single precision). */
scree_result pull_apply(const pull *self, scree_world *world);
