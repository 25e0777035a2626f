/* The convex hull of points, as flat sides with their corners. */
#ifndef SCREE_GEOMETRY_HULL_H
#define SCREE_GEOMETRY_HULL_H

#include <scree/result.h>

/* Corners of side i: corners[first[i] … first[i + 1]), places among the points, counter-clockwise as seen
 * from outside. */
typedef struct hull_sides {
    int count;
    int *first, *corners;
} hull_sides;

/* Of points that span a space. `out` is to be released whatever comes back. Errors: ARGUMENT (in words of
 * the library's), MEMORY. */
scree_result hull_find(double (*points)[3], int count, hull_sides *out);
/* Of a side, by its corners, counter-clockwise about it: a unit vector. */
void hull_normal(double (*points)[3], const int *corners, int count, double out[3]);
void hull_release(hull_sides *self);

/* Whether they lie at one place (0), on a line (1), in a plane (2) or span a space (3), within 1e-5 of their
 * extent; unit vectors along that line, and across the plane through it, as far as there are such. */
int hull_flatness(double (*points)[3], int count, double line[3], double normal[3]);
/* That they are no point, line or plane, as above. Errors: ARGUMENT. */
scree_result hull_check(double (*points)[3], int count);

#endif
