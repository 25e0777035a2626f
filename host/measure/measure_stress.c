/* Stress after Love and Weber: σ_ij = 1/V Σ_c f_i l_j s. f is the force on the second body, l the branch from
 * the centre of the first to that of the second, and s the fraction of the branch in the zone. If a body is
 * not a grain, or extends across a periodic boundary and has no centre, the branch ends at the contact.
 * Compression is positive. */
#include "measurement_kinds.h"
#include "touch.h"
#include "zone_images.h"

#include "base/vector.h"

#include <math.h>

enum { PRESSURE = 9, DEVIATOR };

static const measurement_quantity quantities[] = {
    {"stress_xx", "Pa", false}, {"stress_xy", "Pa", false}, {"stress_xz", "Pa", false},
    {"stress_yx", "Pa", false}, {"stress_yy", "Pa", false}, {"stress_yz", "Pa", false},
    {"stress_zx", "Pa", false}, {"stress_zy", "Pa", false}, {"stress_zz", "Pa", false},
    {"pressure", "Pa", false},  {"deviator", "Pa", false},
};

static bool has_middle(const body_array *bodies, int slot) {
    return measurement_is_grain(bodies, slot) && !(bodies->endless && bodies->endless[slot]);
}

static void add_point(const measurement_view *view, const zone_frame *zone, int i, int k, double *out) {
    const body_array *bodies = view->bodies;
    const contact_manifold *of = &view->contacts->pairs[i].manifold;
    const manifold_point *at = contact_places(view->contacts, &view->contacts->pairs[i]);
    const bool from_a = has_middle(bodies, of->a), to_b = has_middle(bodies, of->b);
    const vec3s a = from_a ? bodies->poses[of->a].position : at[k].position,
                b = to_b ? body_image_pose(bodies, of->b, of->image).position : at[k].position;
    const double branch[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y,
                              (double)b.z - (double)a.z};
    double force[3], start[3], end[3];
    touch_force(view, i, k, force);
    if ((!from_a && !to_b) || !touch_carries(force)) return;
    double inside = 0;
    const bounds around = {
        .lower = vec3_of(scalar_min(a.x, b.x), scalar_min(a.y, b.y), scalar_min(a.z, b.z)),
        .upper = vec3_of(scalar_max(a.x, b.x), scalar_max(a.y, b.y), scalar_max(a.z, b.z)),
    };
    for (zone_images in = zone_images_of(zone, &bodies->period, around); zone_images_next(&in);) {
        zone_frame_local(&in.zone, a, start);
        zone_frame_local(&in.zone, b, end);
        inside += zone_frame_share(&in.zone, start, end);
    }
    const double share = inside / zone_frame_volume(zone);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            out[3 * row + column] += share * force[row] * branch[column];
}

static void measure(const measurement_view *view, const measurement *self, double *memory, double *out) {
    const zone_frame zone = zone_frame_of(&self->def.zone);
    (void)memory;
    for (int i = 0; i < PRESSURE; i++) out[i] = 0;
    for (int i = 0; i < view->contacts->count; i++)
        for (int k = 0; k < view->contacts->pairs[i].manifold.count; k++) add_point(view, &zone, i, k, out);
    /* p = tr σ/3 and q = √(3/2 s:s) of the symmetric part's deviator s */
    double sum = 0;
    out[PRESSURE] = (out[0] + out[4] + out[8]) / 3;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++) {
            const double s =
                (out[3 * row + column] + out[3 * column + row]) / 2 - (row == column ? out[PRESSURE] : 0);
            sum += s * s;
        }
    out[DEVIATOR] = sqrt(1.5 * sum);
}

const measurement_kind measurement_stress = {.name = "stress",
                                             .quantities = quantities,
                                             .quantity_count = MEASUREMENT_COUNT_OF(quantities),
                                             .needs_zone = true,
                                             .measure = measure};
