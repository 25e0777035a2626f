/* The distribution of normal forces between pairs of bodies. The force of a pair is the sum over its
 * points. */
#include "measurement.h"
#include "touch.h"

#include "base/error.h"

#include <math.h>

enum { CONTACTS, MEAN, LARGEST, BEYOND };

static const measurement_quantity quantities[] = {
    {"contacts", ""},
    {"normal_force", "N"},
    {"normal_force_largest", "N"},
    {"beyond", ""},
};
static const measurement_quantity classes[] = {{"density", ""}};

/* Sums the normal force of the next pair in the zone, N. Returns false after the last pair. */
static bool next_force(const measurement_view *view, const measurement *self, const scree_zone_frame *zone,
                       touch_reader *contacts, double *sum) {
    const scree_contact *of = touch_peek(contacts);
    if (!of) return false;
    const scree_contact first = *of;
    for (*sum = 0; of && touch_same_pair(&first, of); of = touch_peek(contacts)) {
        double force[3], at[3];
        touch_force(view, of, force);
        if (touch_impulse(of) > contacts->least &&
            (self->def.everywhere || scree_zone_holds(view->world, zone, of->point, at)))
            *sum += force[0] * (double)of->normal.x + force[1] * (double)of->normal.y +
                    force[2] * (double)of->normal.z;
        touch_next(contacts);
    }
    return true;
}

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_zone_frame zone = scree_zone_get_frame(&self->def.zone);
    touch_reader first = touch_read_loaded(view->world), again = first;
    const int count = measurement_cells(&self->def);
    const double width = self->def.range / count;
    double *density = out + measurement_cell_quantity(&self->def, 0), sum = 0, force;
    out[CONTACTS] = out[LARGEST] = out[BEYOND] = 0;
    for (int i = 0; i < count; i++) density[i] = 0;
    while (next_force(view, self, &zone, &first, &force)) {
        if (!(force > 0)) continue;
        out[CONTACTS]++;
        sum += force;
        out[LARGEST] = fmax(out[LARGEST], force);
    }
    const double contacts = out[CONTACTS];
    if (contacts > 0) out[MEAN] = sum / contacts;
    while (next_force(view, self, &zone, &again, &force)) {
        const double place = force / out[MEAN] / width;
        if (force > 0) ++*(place < count ? &density[(int)place] : &out[BEYOND]);
    }
    /* P(f/⟨f⟩): its integral plus the fraction beyond equals 1. */
    for (int i = 0; i < count; i++) density[i] = contacts > 0 ? density[i] / (contacts * width) : NAN;
    out[BEYOND] = contacts > 0 ? out[BEYOND] / contacts : NAN;
}

static scree_result check(const scree_measurement_def *def) {
    if (def->range > 0 && isfinite(def->range)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "range: %g; must be > 0", def->range);
}

const measurement_kind measurement_contact_force =
    MEASUREMENT_KIND("contact_force", quantities, .cell_quantities = classes,
                     .cell_quantity_count = MEASUREMENT_COUNT_OF(classes), .check = check);
