/* Size of a body as measured by a square sieve, by a rule that does not depend on the body's axes. */
#pragma once

#include "ball_union.h"

/* Finds the box of least volume around balls (radius 0: points) that has a side normal to one of
 * `normals`, and returns its middle edge length, m; among boxes of equal volume to 1e-6, the least.
 * Errors: MEMORY. */
scree_result sieve_size_of(const solid_ball *balls, int count, double (*normals)[3], int normal_count,
                           double *out);

/* Uses the normals of the convex hull of the balls' centres; if the centres are coplanar the normal of
 * their plane, if collinear that of a plane along the line. Removes points inside the hull from `balls`.
 * Errors: MEMORY. */
scree_result sieve_size_of_balls(solid_ball *balls, int count, double *out);
