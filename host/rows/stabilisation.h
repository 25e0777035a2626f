/* Schemes of stabilisation by the options of a solve (normal_row.h). */
#pragma once

#include <scree/solver.h>

#include "normal_row.h"

/* Returns whether a scheme has a position pass. */
bool stabilisation_has_position_pass(scree_stabilisation kind);
/* Returns whether a scheme divides the step into substeps, each with a relax sweep that has its own biases
 * and no compliance. */
bool stabilisation_uses_substeps(scree_stabilisation kind);

/* Returns the scheme of contacts. `time_step` h, s. */
row_scheme row_scheme_of(const scree_solver_def *options, scalar time_step);
/* Implements normal_row_terms. */
stabilisation stabilisation_of(const row_scheme *scheme, const row_state *at, scalar acceleration,
                               scalar restitution);

/* Return the terms of a joint limit, a gap without restitution, and of a lock, whose `gap` is an error of
 * either sign. `overlap` is not read. */
stabilisation stabilisation_of_limit(const scree_solver_def *options, const row_state *at, scalar time_step);
stabilisation stabilisation_of_lock(const scree_solver_def *options, const row_state *at, scalar time_step);
