/* Total force, and torque about a point, that other bodies exert on a set of bodies by contacts. Contacts
 * within the set cancel. */
#include "measurement.h"
#include "touch.h"

#include <math.h>

enum { FORCE, FORCE_NORM = 3, TORQUE, TORQUE_NORM = 7, CONTACTS };

static const measurement_quantity quantities[] = {
    {"force_x", "N"},   {"force_y", "N"},   {"force_z", "N"}, {"force", "N"},   {"torque_x", "Nm"},
    {"torque_y", "Nm"}, {"torque_z", "Nm"}, {"torque", "Nm"}, {"contacts", ""},
};

static void mark(const measurement_view *view, const measurement *self, uint8_t value) {
    for (int i = 0; i < self->def.body_count; i++) {
        if (scree_body_is_valid(view->world, self->bodies[i])) view->marks[self->bodies[i].index - 1] = value;
    }
}

/* F += s r/h, M += s ((x − p) × r + τ)/h. r and τ act on b (s = 1) at its own image, and with opposite sign
 * on a (s = −1). */
static void add_contact(const measurement_view *view, const measurement *self, const scree_contact *of,
                        double sign, double *out) {
    const scree_vec3 impulse = of->impulse, angular_impulse = of->torque, p = self->def.point;
    scree_vec3 at = of->point;
    if (sign > 0) at = (scree_vec3){at.x - of->offset.x, at.y - of->offset.y, at.z - of->offset.z};
    const double s = sign / view->time_step,
                 r[3] = {(double)impulse.x * s, (double)impulse.y * s, (double)impulse.z * s},
                 x[3] = {(double)at.x - (double)p.x, (double)at.y - (double)p.y, (double)at.z - (double)p.z};
    for (int axis = 0; axis < 3; axis++) out[FORCE + axis] += r[axis];
    out[TORQUE] += x[1] * r[2] - x[2] * r[1] + s * (double)angular_impulse.x;
    out[TORQUE + 1] += x[2] * r[0] - x[0] * r[2] + s * (double)angular_impulse.y;
    out[TORQUE + 2] += x[0] * r[1] - x[1] * r[0] + s * (double)angular_impulse.z;
    out[CONTACTS] += r[0] != 0 || r[1] != 0 || r[2] != 0;
}

static double norm(const double *v) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static void measure(const measurement_view *view, const measurement *self, double *out) {
    touch_reader contacts = {.world = view->world};
    for (int i = 0; i < MEASUREMENT_COUNT_OF(quantities); i++) out[i] = 0;
    mark(view, self, 1);
    for (const scree_contact *of; (of = touch_next(&contacts));) {
        const int sign = view->marks[of->b.index - 1] -
                         view->marks[of->a.index - 1]; /* 0 between two of the measurement's bodies */
        if (sign) add_contact(view, self, of, sign, out);
    }
    mark(view, self, 0);
    out[FORCE_NORM] = norm(out + FORCE);
    out[TORQUE_NORM] = norm(out + TORQUE);
}

const measurement_kind measurement_force = MEASUREMENT_KIND("force", quantities, .has_bodies = true);
