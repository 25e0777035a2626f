/* The contacts of a step, read one after the other, and those that carry a force. */
#pragma once

#include "measurement.h"

#include <math.h>

enum { TOUCH_BATCH = 32 };

typedef struct touch_reader {
    const scree_world *world;
    double least; /* N s: contacts with at most this impulse carry no force */
    scree_contact_cursor at;
    int next, count;
    scree_contact batch[TOUCH_BATCH];
} touch_reader;

/* Returns the present contact; null after the last. It is valid until the reader advances. */
static inline const scree_contact *touch_peek(touch_reader *self) {
    if (self->next == self->count) {
        self->count = scree_contact_read(self->world, &self->at, self->batch, TOUCH_BATCH);
        self->next = 0;
    }
    return self->next < self->count ? &self->batch[self->next] : NULL;
}

/* Returns the present contact and advances. The result is valid until the next call. */
static inline const scree_contact *touch_next(touch_reader *self) {
    const scree_contact *found = touch_peek(self);
    self->next += found != NULL;
    return found;
}

/* Computes the force of a contact on its second body, N. */
static inline void touch_force(const measurement_view *view, const scree_contact *at, double out[3]) {
    out[0] = (double)at->impulse.x / view->time_step;
    out[1] = (double)at->impulse.y / view->time_step;
    out[2] = (double)at->impulse.z / view->time_step;
}

static inline double touch_impulse(const scree_contact *at) {
    const double x = (double)at->impulse.x, y = (double)at->impulse.y, z = (double)at->impulse.z;
    return sqrt(x * x + y * y + z * z);
}

/* Returns a reader for touch_next_loaded. Solvers resolve impulses in single precision, to 6e-8 of the loads
 * that they balance; sweeps leave ever smaller impulses, down to denormal ones, at contacts that open. An
 * impulse below 1e-6 of the mean is such a remainder. */
static inline touch_reader touch_read_loaded(const scree_world *world) {
    touch_reader all = {.world = world};
    double sum = 0, count = 0;
    for (const scree_contact *at; (at = touch_next(&all));) {
        const double impulse = touch_impulse(at);
        sum += impulse;
        count += impulse > 0;
    }
    return (touch_reader){.world = world, .least = count > 0 ? 1e-6 * sum / count : 0};
}

/* touch_next for the contacts that carry a force, with a reader of touch_read_loaded. */
static inline const scree_contact *touch_next_loaded(touch_reader *self) {
    const scree_contact *at;
    while ((at = touch_next(self)) && touch_impulse(at) <= self->least) {
    }
    return at;
}

/* Returns whether two contacts have the same bodies and the same image of the second one. */
static inline bool touch_same_pair(const scree_contact *one, const scree_contact *other) {
    return one->a.index == other->a.index && one->b.index == other->b.index &&
           one->offset.x == other->offset.x && one->offset.y == other->offset.y &&
           one->offset.z == other->offset.z;
}
