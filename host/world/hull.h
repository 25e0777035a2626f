/* The convex hull of points, as flat sides with their corners. */
#ifndef SCREE_WORLD_HULL_H
#define SCREE_WORLD_HULL_H

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
void hull_release(hull_sides *self);

/* That they are no point, line or plane, within 1e-5 of their extent. Errors: ARGUMENT. */
scree_result hull_check(double (*points)[3], int count);

#endif
