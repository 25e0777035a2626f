/* Parameters of the stabilisation as columns of a stored state. */
#pragma once

#include "state_rows.h"

/* Returns the columns of `def`. */
stabilisation_columns state_take_stabilisation(const scree_solver_def *def);
/* Sets the parameters of `def`, whose stabilisation may be out of range, from columns. */
void state_give_stabilisation(const stabilisation_columns *from, scree_solver_def *def);
