/* Mean position and velocity of a list of bodies. */
#include "measurement.h"

enum { POSITION, VELOCITY = 3, BODIES = 6 };

static const measurement_quantity quantities[] = {
    {"position_x", "m"},       {"position_y", "m"},       {"position_z", "m"}, {"velocity_x", "m_per_s"},
    {"velocity_y", "m_per_s"}, {"velocity_z", "m_per_s"}, {"bodies", ""},
};

static void add_vec3(scree_vec3 v, double *out) {
    out[0] += (double)v.x;
    out[1] += (double)v.y;
    out[2] += (double)v.z;
}

/* Computes unweighted means over the bodies that exist; without any, position and velocity remain NaN. */
static void measure(const measurement_view *view, const measurement *self, double *out) {
    double sums[BODIES] = {0};
    out[BODIES] = 0;
    for (int i = 0; i < self->def.body_count; i++) {
        const int slot = (int)self->bodies[i].index - 1;
        if (!scree_body_is_valid(view->world, self->bodies[i])) continue;
        add_vec3(column_vec3(view->bodies.positions, slot), sums + POSITION);
        add_vec3(column_vec3(view->bodies.velocities, slot), sums + VELOCITY);
        out[BODIES]++;
    }
    for (int k = 0; k < BODIES && out[BODIES] > 0; k++) out[k] = sums[k] / out[BODIES];
}

const measurement_kind measurement_position = MEASUREMENT_KIND("position", quantities, .has_bodies = true);
