/* Half-spaces in the broadphase: planes that boxes meet. */
#pragma once

#include "body_bounds.h"

/* The points where normal · (x − origin) ≤ padding, or that get there while the plane rotates. */
typedef struct plane {
    int slot;
    vec3s normal, origin;
    scalar padding;        /* m */
    scalar rotation_angle; /* rad within the step, about the origin */
} plane;

/* Returns the plane of a half-space with its box (bounds.h). */
plane plane_of(const body_array *bodies, const bounds *boxes, int slot);

/* Returns whether a box reaches below the plane; also true for some boxes that miss it by rounding. */
bool plane_meets(const plane *self, const bounds *box);

/* Returns whether every box that meets `other` lies in boxes that plane_may_meet finds for `self`, a fattened
 * plane of the same slot. */
bool plane_covers(const plane *self, const plane *other);

/* Returns whether plane_meets may hold for some box within `box`, with a plane that `self` covers. */
bool plane_may_meet(const plane *self, const bounds *box);
