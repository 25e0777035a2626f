#include "zone_images.h"

#include "base/error.h"
#include "base/vector.h"

#include <math.h>

zone_images zone_images_of(const zone_frame *zone, const period *cell, bounds around) {
    zone_images out = {.zone = *zone, .count = {1, 1, 1}};
    double reach[3];
    zone_frame_reach(zone, reach);
    for (int k = 0; k < 3; k++) {
        const double length = (double)vec3_along(cell->length, k), centre = zone->centre[k];
        out.first[k] = centre;
        /* An infinite half-space has no images. */
        if (!(length > 0) || !isfinite(vec3_along(around.upper, k) - vec3_along(around.lower, k))) continue;
        /* c + n L − reach ≤ upper and c + n L + reach ≥ lower */
        const double low = ceil(((double)vec3_along(around.lower, k) - reach[k] - centre) / length),
                     high = floor(((double)vec3_along(around.upper, k) + reach[k] - centre) / length);
        out.length[k] = length;
        out.first[k] = centre + low * length;
        out.count[k] = (int)fmax(high - low + 1, 0);
    }
    return out;
}

bool zone_images_next(zone_images *self) {
    int place = self->next++;
    for (int k = 0; k < 3; k++) {
        if (self->count[k] == 0) return false;
        self->zone.centre[k] = self->first[k] + place % self->count[k] * self->length[k];
        place /= self->count[k];
    }
    return place == 0;
}

bool zone_images_hold(const zone_frame *zone, const period *cell, vec3s point, double out[3]) {
    zone_frame_images(zone, cell, point, out, NULL, NULL);
    if (!cell->any || zone_frame_holds(zone, out)) return zone_frame_holds(zone, out);
    /* A tilted zone that is wider than a period may contain another image. */
    for (zone_images in = zone_images_of(zone, cell, (bounds){.lower = point, .upper = point});
         zone_images_next(&in);) {
        zone_frame_local(&in.zone, point, out);
        if (zone_frame_holds(&in.zone, out)) return true;
    }
    return false;
}

scree_result zone_images_check(const scree_zone *zone, const period *cell, bool plane) {
    const zone_frame frame = zone_frame_of(zone);
    double reach[3];
    zone_frame_reach(&frame, reach);
    for (int k = 0; k < 3; k++) {
        const double length = (double)vec3_along(cell->length, k);
        if (!(length > 0)) continue;
        if (!(fabs(frame.centre[k] - (double)vec3_along(cell->lower, k)) < PERIOD_CELLS_MOST * length))
            return fail(SCREE_ERROR_ARGUMENT,
                        "zone.position.%c: %g m; must be at most %d periods from the cell", "xyz"[k],
                        frame.centre[k], PERIOD_CELLS_MOST - 1);
        if (!plane && !(2 * reach[k] <= PERIOD_CELLS_MOST * length))
            return fail(SCREE_ERROR_ARGUMENT, "zone: %g m wide along %c; must be at most %d periods of %g m",
                        2 * reach[k], "xyz"[k], PERIOD_CELLS_MOST, length);
    }
    return SCREE_OK;
}
