/* Stress after Love and Weber: σ_ij = 1/V Σ_c f_i l_j s. f is the force on the second body, l the branch from
 * the centre of the first to that of the second, and s the fraction of the branch in the zone. If a body is
 * not a grain, or extends across a periodic boundary and has no centre, the branch ends at the contact.
 * Compression is positive. */
#include "measurement.h"
#include "touch.h"

#include <math.h>

enum { PRESSURE = 9, DEVIATOR };

static const measurement_quantity quantities[] = {
    {"stress_xx", "Pa"}, {"stress_xy", "Pa"}, {"stress_xz", "Pa"}, {"stress_yx", "Pa"},
    {"stress_yy", "Pa"}, {"stress_yz", "Pa"}, {"stress_zx", "Pa"}, {"stress_zy", "Pa"},
    {"stress_zz", "Pa"}, {"pressure", "Pa"},  {"deviator", "Pa"},
};

static bool has_middle(const scree_body_columns *bodies, int slot) {
    return measurement_is_grain(bodies, slot) && !(bodies->endless && bodies->endless[slot]);
}

static scree_vec3 add(scree_vec3 a, scree_vec3 b) { return (scree_vec3){a.x + b.x, a.y + b.y, a.z + b.z}; }

static scree_box box_about(scree_vec3 a, scree_vec3 b) {
    return (scree_box){.lower = {fminf(a.x, b.x), fminf(a.y, b.y), fminf(a.z, b.z)},
                       .upper = {fmaxf(a.x, b.x), fmaxf(a.y, b.y), fmaxf(a.z, b.z)}};
}

static void add_point(const measurement_view *view, const scree_zone_frame *zone, const scree_contact *of,
                      double *out) {
    const scree_body_columns *bodies = &view->bodies;
    const int slot_a = (int)of->a.index - 1, slot_b = (int)of->b.index - 1;
    const bool from_a = has_middle(bodies, slot_a), to_b = has_middle(bodies, slot_b);
    const scree_vec3 a = from_a ? column_vec3(bodies->positions, slot_a) : of->point,
                     b = to_b ? add(column_vec3(bodies->positions, slot_b), of->offset) : of->point;
    const double branch[3] = {(double)b.x - (double)a.x, (double)b.y - (double)a.y,
                              (double)b.z - (double)a.z};
    double force[3], start[3], end[3];
    touch_force(view, of, force);
    if (!from_a && !to_b) return;
    double inside = 0;
    for (scree_zone_images in = scree_zone_get_images(view->world, zone, box_about(a, b));
         scree_zone_images_next(&in);) {
        scree_zone_get_local_point(&in.zone, a, start);
        scree_zone_get_local_point(&in.zone, b, end);
        inside += scree_zone_get_segment_share(&in.zone, start, end);
    }
    const double fraction = inside / scree_zone_get_volume(zone);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            out[3 * row + column] += fraction * force[row] * branch[column];
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_zone_frame zone = scree_zone_get_frame(&self->def.zone);
    touch_reader contacts = {.world = view->world};
    for (int i = 0; i < PRESSURE; i++) out[i] = 0;
    for (const scree_contact *of; (of = touch_next_loaded(&contacts));) add_point(view, &zone, of, out);
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

const measurement_kind measurement_stress = MEASUREMENT_KIND("stress", quantities, .needs_zone = true);
