/* The fabric tensor of the force-carrying contact points of a zone: F = 1/N Σ n nᵀ. */
#include "measurement.h"
#include "touch.h"

#include <math.h>

enum { CONTACTS = 6, ANISOTROPY };

static const measurement_quantity quantities[] = {
    {"fabric_xx", ""}, {"fabric_yy", ""}, {"fabric_zz", ""}, {"fabric_xy", ""},
    {"fabric_xz", ""}, {"fabric_yz", ""}, {"contacts", ""},  {"anisotropy", ""},
};

static void measure(const measurement_view *view, const measurement *self, double *out) {
    const scree_zone_frame zone = scree_zone_get_frame(&self->def.zone);
    touch_reader contacts = touch_read_loaded(view->world);
    for (int i = 0; i < MEASUREMENT_COUNT_OF(quantities); i++) out[i] = 0;
    for (const scree_contact *of; (of = touch_next_loaded(&contacts));) {
        const double n[3] = {(double)of->normal.x, (double)of->normal.y, (double)of->normal.z};
        double at[3];
        if (!self->def.everywhere && !scree_zone_holds(view->world, &zone, of->point, at)) continue;
        for (int axis = 0; axis < 3; axis++) out[axis] += n[axis] * n[axis];
        out[3] += n[0] * n[1];
        out[4] += n[0] * n[2];
        out[5] += n[1] * n[2];
        out[CONTACTS]++;
    }
    double sum = 0;
    for (int i = 0; i < CONTACTS; i++) {
        out[i] = out[CONTACTS] > 0 ? out[i] / out[CONTACTS] : NAN;
        sum += i < 3 ? (out[i] - 1.0 / 3) * (out[i] - 1.0 / 3) : 2 * out[i] * out[i];
    }
    /* √(3/2 D:D) with D = F − 1/3: 0 for isotropic normals, 1 if all are parallel */
    out[ANISOTROPY] = sqrt(1.5 * sum);
}

const measurement_kind measurement_fabric = MEASUREMENT_KIND("fabric", quantities);
