/* The images of a zone in a periodic world that something reaches, one after the other. Where all images of a
 * thing count, it is measured where it is, once in each of them. */
#ifndef SCREE_MEASURE_ZONE_IMAGES_H
#define SCREE_MEASURE_ZONE_IMAGES_H

#include "detect/bounds.h"
#include "zone_frame.h"

#include <scree/core.h>

typedef struct zone_images {
    zone_frame zone; /* the present one, once `zone_images_next` has said that there is one */
    double first[3]; /* centre of the first one, m */
    double length[3];
    int count[3], next;
} zone_images;

/* `around`: a box about the thing. */
zone_images zone_images_of(const zone_frame *zone, const period *cell, bounds around);
/* Those that a body reaches. */
zone_images zone_images_of_body(const zone_frame *zone, const body_array *bodies, int slot);
bool zone_images_next(zone_images *self);

/* Whether an image of a point is in the zone, and its local coordinates: of these the one that is nearest to
 * the middle, or else any. */
bool zone_images_hold(const zone_frame *zone, const period *cell, vec3s point, double out[3]);

/* Refuses a zone that is too far from the cell, or, but for one that is a plane, too wide, for its images to
 * be counted. Errors: ARGUMENT. */
scree_result zone_images_check(const scree_zone *zone, const period *cell, bool plane);

#endif
