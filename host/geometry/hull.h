/* Convex hull of points: flat sides with their corners. */
#pragma once

#include <scree/core.h>

/* Corners of side i: corners[first[i] … first[i + 1]), indices of points, counter-clockwise as seen from
 * outside. */
typedef struct hull_sides {
    int count;
    int *first, *corners;
} hull_sides;

/* Finds the hull of points that span space. Release `out` whatever the result. Errors: ARGUMENT (Qhull's
 * message), MEMORY. */
scree_result hull_find(double (*points)[3], int count, hull_sides *out);
/* Computes the unit normal of a side from its corners, which are counter-clockwise about it. */
void hull_normal(double (*points)[3], const int *corners, int count, double out[3]);
void hull_release(hull_sides *self);

/* Returns 0 if the points coincide, 1 if they lie on a line, 2 in a plane, 3 if they span space, to within
 * 1e-5 of their extent. `line` gets the unit direction of the line and `normal` the unit normal of the
 * plane, where they exist. */
int hull_flatness(double (*points)[3], int count, double line[3], double normal[3]);
/* Checks that the points span space (hull_flatness). Errors: ARGUMENT. */
scree_result hull_check(double (*points)[3], int count);
