/* Half-spaces as the broadphase sees them: planes that boxes meet. */
#ifndef SCREE_DETECT_PLANE_H
#define SCREE_DETECT_PLANE_H

#include "bounds.h"

/* The points where normal · (x − origin) ≤ padding, or that come there while the plane turns. */
typedef struct plane {
    int slot;
    vec3s normal, origin;
    scalar padding; /* m */
    scalar turning; /* rad within the step, about the origin */
} plane;

/* Of a half-space with its box (bounds.h). */
plane plane_of(const body_array *bodies, const bounds *boxes, int slot);

/* Whether a box comes below the plane: true for every one that does, and for some that miss it by rounding.
 */
bool plane_meets(const plane *self, const bounds *box);

/* The plane padded by `skin`, m. */
plane plane_fattened(plane self, scalar skin);

/* Whether every box that meets `other` lies in boxes that may_meet this one, a fattened plane of the same
 * slot. */
bool plane_covers(const plane *self, const plane *other);

/* Whether plane_meets may hold for some box within `box`, with a plane that this one covers. */
bool plane_may_meet(const plane *self, const bounds *box);

#endif
