/* The fabric tensor of the force-carrying contact points of a zone: F = 1/N Σ n nᵀ. */
#include "measurement_kinds.h"
#include "zone_images.h"
#include "touch.h"

#include <math.h>

enum { CONTACTS = 6, ANISOTROPY };

static const measurement_quantity quantities[] = {
    {"fabric_xx", "", false}, {"fabric_yy", "", false}, {"fabric_zz", "", false}, {"fabric_xy", "", false},
    {"fabric_xz", "", false}, {"fabric_yz", "", false}, {"contacts", "", false},  {"anisotropy", "", false},
};

static void measure(const measurement_view *view, const measurement *self, double *memory, double *out) {
    const zone_frame zone = zone_frame_of(&self->def.zone);
    (void)memory;
    for (int i = 0; i < MEASUREMENT_COUNT_OF(quantities); i++) out[i] = 0;
    for (int i = 0; i < view->contacts->count; i++) {
        const contact_manifold *of = &view->contacts->pairs[i].manifold;
        const manifold_point *places = contact_places(view->contacts, &view->contacts->pairs[i]);
        const double n[3] = {(double)of->normal.x, (double)of->normal.y, (double)of->normal.z};
        for (int k = 0; k < of->count; k++) {
            double force[3], at[3];
            touch_force(view, i, k, force);
            if (!touch_carries(force) ||
                (!self->def.everywhere &&
                 !zone_images_hold(&zone, &view->bodies->period, places[k].position, at)))
                continue;
            for (int axis = 0; axis < 3; axis++) out[axis] += n[axis] * n[axis];
            out[3] += n[0] * n[1], out[4] += n[0] * n[2], out[5] += n[1] * n[2];
            out[CONTACTS]++;
        }
    }
    double sum = 0;
    for (int i = 0; i < CONTACTS; i++) {
        out[i] = out[CONTACTS] > 0 ? out[i] / out[CONTACTS] : NAN;
        sum += i < 3 ? (out[i] - 1.0 / 3) * (out[i] - 1.0 / 3) : 2 * out[i] * out[i];
    }
    /* √(3/2 D:D) with D = F − 1/3: 0 for isotropic normals, 1 if all are parallel */
    out[ANISOTROPY] = sqrt(1.5 * sum);
}

const measurement_kind measurement_fabric = {.name = "fabric",
                                             .quantities = quantities,
                                             .quantity_count = MEASUREMENT_COUNT_OF(quantities),
                                             .measure = measure};
