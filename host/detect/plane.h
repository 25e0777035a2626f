/* Half-spaces in the broadphase: planes that boxes meet. */
#pragma once

#include "base/memory.h"
#include "body_bounds.h"

/* The half-spaces among the bodies, ascending by slot. */
typedef struct plane_list {
    int count, capacity;
    body_plane *items;
} plane_list;

/* Errors: MEMORY. */
scree_result planes_find(plane_list *self, const body_array *bodies, const bounds *boxes, int *regrown);

/* Returns the plane of a half-space with its box (bounds.h). */
body_plane plane_of(const body_array *bodies, const bounds *boxes, int slot);

/* Returns whether a box reaches below the plane; also true for some boxes that miss it by rounding. */
bool plane_meets(const body_plane *self, const bounds *box);

/* Returns whether every box that meets `other` lies in boxes that plane_may_meet finds for `self`, a fattened
 * plane of the same slot. */
bool plane_covers(const body_plane *self, const body_plane *other);

/* Returns whether plane_meets may hold for some box within `box`, with a plane that `self` covers. */
bool plane_may_meet(const body_plane *self, const bounds *box);
