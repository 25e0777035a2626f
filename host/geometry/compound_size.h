/* Sieve size of a compound. */
#pragma once

#include <scree/shape.h>

/* Computes the axes (columns) of a quaternion of length about 1. */
void compound_child_axes(scree_quat q, double out[3][3]);

/* Computes sieve_size_of_balls of the children's corners, ends and centres, m. Round outlines become
 * polygons: cylinders and cones keep their width, ellipsoids to half a percent. The polygons follow the
 * children's own axes, so that rotating a compound does not change its size. Errors: MEMORY. */
scree_result compound_sieve_size(const scree_compound_child *parts, int count, double *out);
