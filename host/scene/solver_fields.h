/* The fields of "solver": those of every solve, and those of each stabilisation. */
#pragma once

#include <scree/solver.h>

#include "field.h"

/* Returns the fields that every solve has, and those of a stabilisation. Offsets are in scree_solver_def. */
field_table solver_fields(void);
field_table stabilisation_fields(scree_stabilisation kind);

/* Reads "solver" into a scree_solver_def. Refuses a key of another stabilisation than the one in use. */
field_reader solver_read;
/* Where `before` and `now` differ, sets `target` to the value of `now`. Another stabilisation comes with all
 * of its parameters. */
void solver_merge(const scree_solver_def *before, const scree_solver_def *now, scree_solver_def *target);
