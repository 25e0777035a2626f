/* Corners and sides of hulls. */
#ifndef SCREE_KERNELS_HULL_TABLE_H
#define SCREE_KERNELS_HULL_TABLE_H

#include "dialect.h"

/* Corner of a convex hull, m from the hull's centre along its axes, before scaling. */
typedef struct hull_corner {
    float x, y, z;
    int reserved;
} hull_corner;

enum { HULL_SIDE_CORNERS = 8 };

/* Flat side of a hull: outward unit normal, and corners counter-clockwise as seen from outside. A side with
 * more than HULL_SIDE_CORNERS corners keeps those that preserve most of its area. */
typedef struct hull_side {
    float x, y, z;
    int count;
    int corners[HULL_SIDE_CORNERS];
} hull_side;

/* Reference to a hull, which many bodies may share. */
typedef struct hull_table {
    LOOKUP hull_corner *corners;
    LOOKUP hull_side *sides;
    int corner_count, side_count;
} hull_table;

STATIC_ASSERT(sizeof(hull_corner) == 16, "hull_corner");
STATIC_ASSERT(sizeof(hull_side) == 48, "hull_side");

#endif
