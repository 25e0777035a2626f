/* Parameters of the stabilisation as columns of a checkpoint. */
#ifndef SCREE_IO_CHECKPOINT_SOLVER_H
#define SCREE_IO_CHECKPOINT_SOLVER_H

#include "checkpoint_state.h"

/* Returns the columns of `def`. */
stabilisation_columns checkpoint_take_stabilisation(const scree_solver_def *def);
/* Sets the parameters of `def`, whose stabilisation may be out of range, from columns. */
void checkpoint_give_stabilisation(const stabilisation_columns *from, scree_solver_def *def);

#endif
