/* Solves a problem given as a matrix with the kernels. */
#pragma once

#include "delassus.h"

#include <scree/problem.h>

/* Solves on `native` or `opencl`, from r to r (a->count long). Fills all of `report` except the residuals and
 * the worst contact. Errors: MEMORY; as opencl_matrix_create. */
scree_result matrix_solve(const delassus *a, const scree_problem_options *options, scree_backend_kind backend,
                          real3 *r, scree_problem_report *report);
