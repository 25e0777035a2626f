/* Rows of joints that trees solve: those without bounds. */
#pragma once

#include "layout.h"

static inline bool tree_row_holds(const bounded_rows *rows, int axis, bool position_pass) {
    const scalar far = (scalar)1e30;
    return position_pass
               ? vec3_along(rows->push_low, axis) <= -far && vec3_along(rows->push_high, axis) >= far
               : vec3_along(rows->low, axis) <= -far && vec3_along(rows->high, axis) >= far;
}
