/* Volume, centre and principal axes of solids of density 1. */
#ifndef SCREE_GEOMETRY_SOLID_MOMENTS_H
#define SCREE_GEOMETRY_SOLID_MOMENTS_H

#include <scree/types.h>

typedef struct solid_moments {
    double volume;    /* m³ */
    double first[3];  /* ∫ x dV, m⁴ */
    double second[6]; /* ∫ xx, yy, zz, yz, xz, xy dV, m⁵ */
} solid_moments;

/* Where the body's origin and axes (columns) lie, and the principal moments for mass 1, m². */
typedef struct solid_frame {
    double centre[3], axes[3][3], moments[3];
} solid_frame;

/* Adds the tetrahedron between the origin and a triangle, less where it is clockwise as seen from there: over
 * a closed surface this is the solid inside of it. */
void solid_moments_add(solid_moments *self, const double a[3], const double b[3], const double c[3]);

/* Axes are those of the coordinates where these are principal. */
solid_frame solid_frame_of(const solid_moments *of);
scree_quat solid_frame_rotation(const solid_frame *self);
/* Moves its centre by a point, times 1 or −1. */
void solid_frame_shift(solid_frame *self, scree_vec3 by, int times);
/* A point of the coordinates in those of the body. */
void solid_frame_place(const solid_frame *self, const double point[3], double out[3]);

#endif
