/* The distribution of normal forces between pairs of bodies. The force of a pair is the sum over its
 * points. */
#include "measurement_kinds.h"
#include "touch.h"
#include "zone_images.h"

#include <math.h>

enum { CONTACTS, MEAN, LARGEST, BEYOND };

static const measurement_quantity quantities[] = {
    {"contacts", "", false},
    {"normal_force", "N", false},
    {"normal_force_largest", "N", false},
    {"beyond", "", false},
};
static const measurement_quantity classes[] = {{"density", "", false}};

/* Returns the normal force in the zone of the pair that begins at i; `next` becomes the beginning of the next
 * pair. */
static double force_at(const measurement_view *view, const measurement *self, const zone_frame *zone, int i,
                       int *next) {
    double sum = 0;
    *next = i;
    do {
        const contact_manifold *of = &view->contacts->pairs[*next].manifold;
        const manifold_point *places = contact_places(view->contacts, &view->contacts->pairs[*next]);
        for (int k = 0; k < of->count; k++) {
            double force[3], at[3];
            touch_force(view, *next, k, force);
            if (self->def.everywhere || zone_images_hold(zone, &view->bodies->period, places[k].position, at))
                sum += force[0] * (double)of->normal.x + force[1] * (double)of->normal.y +
                       force[2] * (double)of->normal.z;
        }
        ++*next;
    } while (*next < view->contacts->count && touch_is_again(view, *next));
    return sum;
}

static void measure(const measurement_view *view, const measurement *self, double *memory, double *out) {
    const zone_frame zone = zone_frame_of(&self->def.zone);
    const int count = measurement_cells(&self->def);
    const double width = self->def.range / count;
    double *density = out + measurement_cell_quantity(&self->def, 0), sum = 0;
    (void)memory;
    out[CONTACTS] = out[LARGEST] = out[BEYOND] = 0;
    for (int i = 0; i < count; i++) density[i] = 0;
    for (int i = 0, next; i < view->contacts->count; i = next) {
        const double force = force_at(view, self, &zone, i, &next);
        if (!(force > 0)) continue;
        out[CONTACTS]++, sum += force;
        out[LARGEST] = fmax(out[LARGEST], force);
    }
    const double contacts = out[CONTACTS];
    if (contacts > 0) out[MEAN] = sum / contacts;
    for (int i = 0, next; i < view->contacts->count; i = next) {
        const double force = force_at(view, self, &zone, i, &next), place = force / out[MEAN] / width;
        if (force > 0) ++*(place < count ? &density[(int)place] : &out[BEYOND]);
    }
    /* P(f/⟨f⟩): its integral plus the fraction beyond equals 1. */
    for (int i = 0; i < count; i++) density[i] = contacts > 0 ? density[i] / (contacts * width) : NAN;
    out[BEYOND] = contacts > 0 ? out[BEYOND] / contacts : NAN;
}

static scree_result check(const scree_measurement_def *def) {
    if (def->range > 0 && isfinite(def->range)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "range is %g, expected more than 0", def->range);
}

const measurement_kind measurement_contact_force = {.name = "contact_force",
                                                    .quantities = quantities,
                                                    .quantity_count = MEASUREMENT_COUNT_OF(quantities),
                                                    .cell_quantities = classes,
                                                    .cell_quantity_count = MEASUREMENT_COUNT_OF(classes),
                                                    .check = check,
                                                    .measure = measure};
