/* The face of one box cut to the face of another: the points of a face contact. */
#ifndef SCREE_COLLIDE_BOX_CLIP_H
#define SCREE_COLLIDE_BOX_CLIP_H

#include "oriented_box.h"

enum { CLIP_POINTS = 10 }; /* a quadrilateral cut by four planes has 8; rounding may add some to a sliver */

/* A corner of the cut face, in coordinates of the reference face. */
typedef struct clip_point {
    scalar u, v;        /* m from the centre of the reference face, along its axes k + 1 and k + 2 */
    scalar gap;         /* m above it, along the direction of the cut */
    int label;          /* of the side that leaves the point */
    uint32_t reference; /* codes of the features that meet here */
    uint32_t incident;
} clip_point;

/* Projects the face of `incident` that looks most against `normal` (outward from face `axis` of `reference`)
 * onto that face along normal + lean, where `lean` lies in the face and is zero for a face contact, and cuts
 * it to the sides of the face, moved out by `slop`. Returns the number of points, in the order around the
 * face. */
int box_clip(const oriented_box *reference, int axis, vec3s normal, vec3s lean, const oriented_box *incident,
             scalar slop, clip_point *out);

/* Where a point is, midway between the face and the point above it. */
vec3s box_clip_position(const oriented_box *reference, int axis, vec3s normal, vec3s lean,
                        const clip_point *point);

#endif
