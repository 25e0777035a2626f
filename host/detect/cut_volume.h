/* The volume of a body inside of an axis-aligned box, for measurements: double precision, exact but for
 * rounding for spheres, boxes and half-spaces, to 1e-5 for other shapes (cut_round.c), and for clumps to a
 * few thousandths of a cut one; of compounds the sum of their parts'. Hulls are exact too (cut_surface.c). */
#ifndef SCREE_DETECT_CUT_VOLUME_H
#define SCREE_DETECT_CUT_VOLUME_H

#include <scree/shape.h>

#include "layout.h"

typedef struct cut_box {
    double lower[3], upper[3]; /* m, finite */
} cut_box;

/* The part of a shape with this centre (m) and rotation that is in the box, m³: one function for each
 * kind, for its row. */
typedef double cut_function(scree_shape shape, const double centre[3], versors rotation, const cut_box *box);
cut_function cut_sphere, cut_flat_box, cut_half_space, cut_capsule, cut_cylinder, cut_cone, cut_ellipsoid,
    cut_clump, cut_surface, cut_nothing;
/* The same of a shape that may be wholly in or out of the box. */
cut_function cut_volume_at;

/* m³; half-spaces, which have no volume of their own, included. */
double cut_volume(scree_shape shape, body_pose pose, const cut_box *box);

#endif
