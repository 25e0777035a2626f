/* Contribution of gap and approach speed to q: stabilisation, speculative contacts and restitution. */
#pragma once

#include <scree/solver.h>

#include "layout.h"

/* Terms of one row of a block. Compliance and correction are adjacent in the block but not here: compilers
 * would copy both as one word, and that load would stall on stores still in flight. */
typedef struct stabilisation {
    scalar compliance; /* added to A_NN of the velocity pass, 1/kg */
    scalar bias;       /* added to q_N of the velocity pass, m/s */
    /* `split`: closing of the position pass (displacement.h); `substep`: bias of the relax sweep; else 0.
     * m/s. */
    scalar correction;
} stabilisation;

/* State of a row before the step, as schemes read it. */
typedef struct row_state {
    scalar gap;     /* c, m */
    scalar overlap; /* d ≥ 0, m: max(0, −c), unless a detection pass found the contact (contacts.h) */
    scalar rate;    /* velocity u, m/s, negative on approach (restitution) */
    /* u with the velocity that a body of prescribed motion had before the step, m/s (relaxed). */
    scalar rate_before;
    scalar mobility; /* A of the row, 1/kg (substep) */
    /* Velocity that the pair's impulses gave in the last step, m/s; negative after a rebound. */
    scalar load_velocity;
    scalar deferred; /* speed at which the contact may close since its impact is deferred, m/s; else 0 */
} row_state;

/* Returns whether a scheme has a position pass. */
bool stabilisation_has_position_pass(scree_stabilisation kind);
/* Returns the spring and damper of contacts under these options; null if the scheme has none. */
scree_contact_spring *stabilisation_spring(scree_solver_def *options);
/* Returns whether a scheme divides the step into substeps, each with a relax sweep that has its own biases
 * and no compliance. */
bool stabilisation_uses_substeps(scree_stabilisation kind);

/* Fraction of the last position-pass impulses in its warm start. Let x be the overlap of a slow mode, c the
 * part of it removed in a step, and g the fraction of the error that the sweeps of one step remove:
 *
 *     c⁺ = w c + g (β x − w c),   x⁺ = x − c⁺:   the product of the two eigenvalues is w (1 − g).
 *
 * With w = 1 and small g the mode oscillates almost undamped, and the velocity pass feeds it: twenty rows of
 * cubes rock until they collapse, within three seconds at 10 iterations. A lower w damps the mode but leaves
 * more overlap in a pile: with 0.8 a column under a brick of ten times its mass rocks. */
static const scalar PUSH_WARM_START = 0.95f;

/* Returns the terms of a contact's normal row. `acceleration` a: relative, b less a, along the normal, from
 * gravity and loads, m/s²; `restitution` e; `time_step` h, s. */
stabilisation stabilisation_of(const scree_solver_def *options, const row_state *at, scalar acceleration,
                               scalar restitution, scalar time_step);
/* Returns the velocity with which `split` corrects an overlap, m/s (stabilisation.c). */
static inline scalar stabilisation_split_correction(const scree_solver_def *options, scalar gap,
                                                    scalar overlap, scalar time_step) {
    const scree_split_def *own = &options->split;
    const scalar removal = own->error_reduction / time_step * scalar_min(options->slop - overlap, 0);
    return (gap + overlap) / time_step + scalar_max(removal, -own->correction_speed);
}
/* Returns stabilisation_of under `split` for a contact without restitution and with no deferred impact. Most
 * contacts are such, so it is inline. */
static inline stabilisation stabilisation_of_split(const scree_solver_def *options, scalar gap,
                                                   scalar overlap, scalar time_step) {
    if (gap < 0)
        return (stabilisation){.correction =
                                   stabilisation_split_correction(options, gap, overlap, time_step)};
    return (stabilisation){.bias = gap / time_step, .correction = gap / time_step};
}
/* Returns the factor of the tangential velocities before the step that a scheme adds to q of their rows. */
scalar stabilisation_slip_factor(const scree_solver_def *options, scalar time_step);

/* Return the terms of a joint limit, a gap without restitution, and of a lock, whose `gap` is an error of
 * either sign. `overlap` is not read. */
stabilisation stabilisation_of_limit(const scree_solver_def *options, const row_state *at, scalar time_step);
stabilisation stabilisation_of_lock(const scree_solver_def *options, const row_state *at, scalar time_step);
