/* What a square sieve sees of a compound. */
#ifndef SCREE_DETECT_COMPOUND_SIZE_H
#define SCREE_DETECT_COMPOUND_SIZE_H

#include <scree/shape.h>

/* The axes (columns) of a quaternion of about length 1. */
void compound_child_axes(scree_quat q, double out[3][3]);

/* As sieve_size_of_balls of the parts' corners, ends and centres, m: where rounds are cut into sides,
 * cylinders and cones to what is as wide, ellipsoids to half a percent. It asks for the parts' own axes
 * alone, so that a compound turned is as large. Errors: MEMORY. */
scree_result compound_sieve_size(const scree_compound_child *parts, int count, double *out);

#endif
