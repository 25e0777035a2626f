/* Checks of numbers that callers give. */
#pragma once

#include "error.h"

/* Fails if a component is NaN or infinite: "field: (x, y, z) unit; must be finite". The field is printed from
 * `format`; `unit` may be empty. Errors: ARGUMENT. */
scree_result finite_check(scree_vec3 v, const char *unit, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
