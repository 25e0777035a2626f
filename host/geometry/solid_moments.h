/* Volume, centroid and principal axes of solids of unit density. */
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
/* Transforms a point from the original coordinates to the body's. */
void solid_frame_place(const solid_frame *self, const double point[3], double out[3]);
