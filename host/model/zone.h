/* Zones of space: containment, and random points in them. */
#pragma once

#include <scree/zone.h>

#include "layout.h"

bool zone_holds(const scree_zone *zone, vec3s point);
/* Returns the point for three numbers in [0, 1), evenly distributed; not for half-spaces. */
vec3s zone_point(const scree_zone *zone, const double unit[3]);
/* Errors: ARGUMENT. */
scree_result zone_validate(const scree_zone *zone);
