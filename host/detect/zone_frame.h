/* A zone in double precision: points, segments and volumes of shapes in it, and its periodic images. */
#pragma once

#include "body_bounds.h"
#include "geometry/cut_volume.h"
#include "model/period.h"

#include <scree/zone.h>

typedef scree_zone_frame zone_frame;

zone_frame zone_frame_of(const scree_zone *zone);
/* Transforms a point to local coordinates. */
void zone_frame_local(const zone_frame *self, vec3s point, double out[3]);
/* Transforms the periodic image of a point that is nearest to the zone's centre. With `other` (may be NULL),
 * the image of the midpoint counts, and both points are shifted alike: in a periodic world a grain is
 * wherever one of its images is. */
void zone_frame_images(const zone_frame *self, const period *cell, vec3s point, double out[3],
                       const vec3s *other, double other_out[3]);
bool zone_frame_holds(const zone_frame *self, const double local[3]);
/* Computes the half extents of the zone along the world axes, m; not for half-spaces. */
void zone_frame_reach(const zone_frame *self, double out[3]);
/* Returns the volume, m³; infinite for a half-space. */
double zone_frame_volume(const zone_frame *self);
/* Returns the fraction of the segment from a to b, local points, that is inside: 0 … 1. */
double zone_frame_fraction(const zone_frame *self, const double a[3], const double b[3]);
/* Returns the volume of a body inside the zone, m³. Exact in boxes; for spheres in other zones exact, or to
 * 1e-8 of their volume in cylinders. Other bodies that cross the surface of another zone: to 1 % of their
 * volume. Never exceeds the zone's volume, and equals it if the body contains the zone. Not for half-space
 * zones. */
double zone_frame_cut(const zone_frame *self, scree_shape shape, body_pose pose);
/* Transforms a body's pose to local coordinates. */
body_pose zone_frame_pose(const zone_frame *self, body_pose pose);

/* Iterates over the periodic images of a zone that an object reaches. Where all images of an object count, it
 * is measured at its own position, once in each image of the zone. */
typedef scree_zone_images zone_images;

/* Begins an iteration; `around`: bounding box of the object. */
zone_images zone_images_of(const zone_frame *zone, const period *cell, bounds around);
bool zone_images_next(zone_images *self);

/* Returns whether a periodic image of a point is in the zone, and its local coordinates; prefers the image
 * nearest to the zone's centre. */
bool zone_images_hold(const zone_frame *zone, const period *cell, vec3s point, double out[3]);

/* Refuses a zone that is too far from the cell or, unless it is a plane, too wide for its images to be
 * counted. Errors: ARGUMENT. */
scree_result zone_images_check(const scree_zone *zone, const period *cell, bool plane);
