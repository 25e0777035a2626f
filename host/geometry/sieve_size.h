/* What a square sieve sees of a body: a rule that asks for no axes, so that a body turned is as large. */
#ifndef SCREE_GEOMETRY_SIEVE_SIZE_H
#define SCREE_GEOMETRY_SIEVE_SIZE_H

#include "ball_union.h"

/* Of boxes around balls (points are balls of no radius) with a side across one of `normals`, that of least
 * volume; its middle edge, m. Of boxes as large to 1e-6 the least one. Errors: MEMORY. */
scree_result sieve_size_of(const solid_ball *balls, int count, double (*normals)[3], int normal_count,
                           double *out);

/* With the sides of the hull of the balls' centres for normals; of centres in one plane that plane, on one
 * line a plane along it. Points inside of the hull are taken out of `balls`. Errors: MEMORY. */
scree_result sieve_size_of_balls(solid_ball *balls, int count, double *out);

#endif
