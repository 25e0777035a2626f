/* The contact problem as an object: its operator, the response of its bodies, and an initial guess. */
#pragma once

#include "condense.h"

#include <scree/problem.h>

struct scree_problem {
    delassus a;
    global_response response; /* of the global form */
    int bilateral; /* bilateral rows of the local or global form, in the last blocks, padded with zero rows */
    double *start; /* impulses, or NULL */
};

/* Creates an empty problem. Errors: MEMORY. */
scree_result contact_problem_create(scree_problem **out);

/* Returns the arrays of `a` as a definition that refers to them. */
scree_problem_def contact_problem_def_of(const delassus *a);

/* Errors: ARGUMENT. */
scree_result contact_problem_check_law(scree_law law);
scree_result contact_problem_check_numbers(const double *values, size_t count, const char *what);
