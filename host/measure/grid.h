/* The cells of a box zone, in its local coordinates, x fastest. */
#pragma once

#include <scree/zone.h>

typedef struct grid {
    const int *cells;
    double half[3], width[3]; /* m */
} grid;

typedef void grid_visit(void *context, int cell, double volume);

grid grid_of(const scree_zone_frame *box, const int cells[3]);
/* Returns the cell that contains a local point, or −1. */
int grid_cell(const grid *self, const double local[3]);
/* Finds the cells along an axis that overlap the interval from `low` to `high`; false: none. */
bool grid_span(const grid *self, int axis, double low, double high, int *first, int *last);
/* Calls `visit` for the cells that a body with this local pose overlaps, with its volume in the cell times
 * `factor`. */
void grid_cut(const grid *self, scree_shape shape, scree_pose local, double factor, grid_visit *visit,
              void *context);
