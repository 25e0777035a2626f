/* Number and mass of grains that pass through a plane. */
#include "measurement.h"

enum { MASS_RATE, GRAIN_RATE, GRAINS, MASS, GRAINS_BACK, MASS_BACK };

static const measurement_quantity quantities[] = {
    {"mass_rate", "kg_per_s"}, {"grain_rate", "per_s"}, {"grains", ""}, {"mass", "kg"},
    {"grains_back", ""},       {"mass_back", "kg"},
};
enum { TOTALS = 4 }; /* the last quantities, which accumulate in memory */

/* Returns whether the segment from a to b, local points on both sides of the plane, crosses the zone's part
 * of it. */
static bool hits(const scree_zone_frame *plane, const double a[3], const double b[3]) {
    const double t = a[2] / (a[2] - b[2]);
    const double at[3] = {a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), 0};
    return plane->kind == SCREE_ZONE_HALF_SPACE || scree_zone_holds_local(plane, at);
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_body_columns *bodies = &view->bodies;
    const scree_zone_frame plane = scree_zone_get_frame(&self->def.zone);
    double grains = 0, mass = 0, *memory = self->values;
    for (int i = 0; i < bodies->count; i++) {
        double a[3], b[3];
        if (!measurement_is_grain(bodies, i)) continue;
        scree_zone_get_local_pair(view->world, &plane, view->before[i].position,
                                  column_vec3(bodies->positions, i), a, b);
        const bool back = a[2] <= 0;
        if (back == (b[2] <= 0) || !hits(&plane, a, b)) continue;
        const double m = (double)column_float(bodies->masses, i);
        grains += back ? -1 : 1;
        mass += back ? -m : m;
        memory[2 * back]++;
        memory[2 * back + 1] += m;
    }
    out[MASS_RATE] = mass / view->time_step;
    out[GRAIN_RATE] = grains / view->time_step;
    for (int i = 0; i < TOTALS; i++) out[GRAINS + i] = memory[i];
}

const measurement_kind measurement_flow =
    MEASUREMENT_KIND("flow", quantities, .totals = TOTALS, .memory = TOTALS, .needs_zone = true,
                     .takes_plane = true, .needs_before = true, .every_step = true);
