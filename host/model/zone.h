/* Parts of space: what is inside, and random points of it. */
#ifndef SCREE_MODEL_ZONE_H
#define SCREE_MODEL_ZONE_H

#include <scree/flow.h>

#include "layout.h"

bool zone_holds(const scree_zone *zone, vec3s point);
/* A point of it from three numbers in [0, 1); no half-space. */
vec3s zone_point(const scree_zone *zone, const double unit[3]);
/* Errors: ARGUMENT. */
scree_result zone_validate(const scree_zone *zone);

#endif
