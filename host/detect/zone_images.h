/* Iterates over the periodic images of a zone that an object reaches. Where all images of an object count, it
 * is measured at its own position, once in each image of the zone. */
#pragma once

#include "body_bounds.h"
#include "zone_frame.h"

#include <scree/core.h>

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
