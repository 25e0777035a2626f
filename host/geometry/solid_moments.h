/* Volume, centroid and principal axes of solids of unit density, and their size by a square sieve. */
#pragma once

#include <scree/core.h>

typedef struct solid_moments {
    double volume;    /* m³ */
    double first[3];  /* ∫ x dV, m⁴ */
    double second[6]; /* ∫ xx, yy, zz, yz, xz, xy dV, m⁵ */
} solid_moments;

/* Origin and axes (columns) of the body, and its principal moments for mass 1, m². */
typedef struct solid_frame {
    double centre[3], axes[3][3], moments[3];
} solid_frame;

/* Adds the tetrahedron of the origin and a triangle, signed by det(a b c). Over a closed surface whose
 * triangles are counter-clockwise from outside, the sum is the enclosed solid. */
void solid_moments_add(solid_moments *self, const double a[3], const double b[3], const double c[3]);

/* Keeps the coordinate axes if they are principal. */
solid_frame solid_frame_of(const solid_moments *of);
scree_quat solid_frame_rotation(const solid_frame *self);
/* Moves the centre by `by` times 1 or −1. */
void solid_frame_shift(solid_frame *self, scree_vec3 by, int times);
/* Transform a point from the original coordinates to the body's. */
void solid_frame_place(const solid_frame *self, const double point[3], double out[3]);
scree_vec3 solid_frame_place_vec3(const solid_frame *self, scree_vec3 point);

typedef struct solid_ball {
    double x, y, z, radius; /* m */
} solid_ball;

/* Computes the moments of the union of balls. Relative error about 1e-7 of the union. Errors: MEMORY. */
scree_result ball_union_moments(const solid_ball *balls, int count, solid_moments *out);

/* The sieve size is defined by a rule that does not depend on the body's axes. */

/* Finds the box of least volume around balls (radius 0: points) that has a side normal to one of
 * `normals`, and returns its middle edge length, m; among boxes of equal volume to 1e-6, the least.
 * Errors: MEMORY. */
scree_result sieve_size_of(const solid_ball *balls, int count, double (*normals)[3], int normal_count,
                           double *out);

/* Uses the normals of the convex hull of the balls' centres; if the centres are coplanar the normal of
 * their plane, if collinear that of a plane along the line. Removes points inside the hull from `balls`.
 * Errors: MEMORY. */
scree_result sieve_size_of_balls(solid_ball *balls, int count, double *out);
