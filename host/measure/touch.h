/* Contacts that carry a force. */
#ifndef SCREE_MEASURE_TOUCH_H
#define SCREE_MEASURE_TOUCH_H

#include "measurement.h"

/* Computes the force at a point of pair i on its second body, N. */
static inline void touch_force(const measurement_view *view, int i, int point, double out[3]) {
    const vec3s impulse = contact_impulse(view->contacts, i, point);
    out[0] = (double)impulse.x / view->time_step, out[1] = (double)impulse.y / view->time_step,
    out[2] = (double)impulse.z / view->time_step;
}

static inline bool touch_carries(const double force[3]) {
    return force[0] != 0 || force[1] != 0 || force[2] != 0;
}

/* Returns whether any point of pair i carries a force. */
static inline bool touch_pair_carries(const measurement_view *view, int i) {
    bool carries = false;
    for (int k = 0; k < view->contacts->pairs[i].manifold.count; k++) {
        double force[3];
        touch_force(view, i, k, force);
        carries |= touch_carries(force);
    }
    return carries;
}

/* Returns whether pair i repeats the preceding one; a pair may have several manifolds in a step. */
static inline bool touch_is_again(const measurement_view *view, int i) {
    const contact_manifold *of = &view->contacts->pairs[i].manifold, *before = of;
    if (i > 0) before = &view->contacts->pairs[i - 1].manifold;
    return i > 0 && before->a == of->a && before->b == of->b && before->image == of->image;
}

#endif
