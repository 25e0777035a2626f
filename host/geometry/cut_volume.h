/* Volume of a body inside an axis-aligned box, for measurements, in double precision. Exact up to rounding
 * for spheres, boxes, half-spaces and hulls (cut_volume.c), to 1e-5 for other shapes (cut_round.c), to a few
 * thousandths for clumps that the box cuts; for compounds the sum over their children. */
#pragma once

#include <scree/shape.h>

#include "layout.h"

typedef struct cut_box {
    double lower[3], upper[3]; /* m, finite */
} cut_box;

/* Returns the volume inside the box, m³, of a shape with this centre (m) and rotation. One function for each
 * kind, for its row. */
typedef double cut_function(scree_shape shape, const double centre[3], versors rotation, const cut_box *box);
cut_function cut_sphere, cut_flat_box, cut_half_space, cut_capsule, cut_cylinder, cut_cone, cut_ellipsoid,
    cut_clump, cut_surface, cut_nothing;
/* cut_function for shapes that may lie wholly inside or outside the box. */
cut_function cut_volume_at;

/* Returns the volume inside the box, m³, also of half-spaces, whose own volume is infinite. */
double cut_volume(scree_shape shape, body_pose pose, const cut_box *box);
