/* A zone in double precision: points, segments and volumes of shapes in it. */
#ifndef SCREE_MEASURE_ZONE_FRAME_H
#define SCREE_MEASURE_ZONE_FRAME_H

#include "detect/cut_volume.h"
#include "model/period.h"

#include <scree/flow.h>

typedef struct zone_frame {
    scree_zone_kind kind;
    double size[3]; /* m: half sides; radius in [0] and, of a cylinder, half height in [2] */
    double centre[3];
    double axes[3][3]; /* its own, in world coordinates */
    versors rotation;
} zone_frame;

zone_frame zone_frame_of(const scree_zone *zone);
/* A point in its own coordinates. */
void zone_frame_local(const zone_frame *self, vec3s point, double out[3]);
/* The same of that image of it which is nearest to the middle of the zone, and of another point with it (or
 * null): in a periodic world a grain is where one of its images is. */
void zone_frame_images(const zone_frame *self, const period *cell, vec3s point, double out[3],
                       const vec3s *other, double other_out[3]);
bool zone_frame_holds(const zone_frame *self, const double local[3]);
/* How far it reaches from its centre along the axes of the world at most, m; no half-space zone. */
void zone_frame_reach(const zone_frame *self, double out[3]);
/* m³; infinite for a half-space. */
double zone_frame_volume(const zone_frame *self);
/* How much of the way from a to b, local points, is inside: 0 … 1. */
double zone_frame_share(const zone_frame *self, const double a[3], const double b[3]);
/* The volume of a body inside of it, m³: exact in boxes, and for spheres, to 1e-8 of them in cylinders; to
 * 1 % of itself for what crosses the surface of another zone, never more than the zone's own, which is that
 * of what holds the zone. No half-space zone. */
double zone_frame_cut(const zone_frame *self, scree_shape shape, body_pose pose);
/* A body's pose in its own coordinates. */
body_pose zone_frame_pose(const zone_frame *self, body_pose pose);

#endif
