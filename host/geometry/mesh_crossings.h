/* Check that a closed surface bounds a solid: it does not cross itself, and its shells are properly
 * nested. */
#pragma once

#include "mesh.h"

/* Checks that every point is enclosed by a closed surface once or not at all. Shells may lie next to each
 * other, touch, or be hollows of other shells, then with opposite orientation. Penetration below four
 * units in the last place of the farthest coordinate counts as touching. Errors: ARGUMENT (names the
 * triangles and a point), MEMORY. */
scree_result mesh_check_crossings(const mesh *self);
