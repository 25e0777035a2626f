/* Gravity that changes with time, by keys. */
#ifndef SCREE_STEP_GRAVITY_H
#define SCREE_STEP_GRAVITY_H

#include <scree/world.h>

typedef struct gravity_schedule {
    int count;    /* 0: there is none */
    double begin; /* of the keys' time, s of the world's */
    scree_gravity_key *keys;
} gravity_schedule;

/* Copies keys whose times count from `now`. Errors: ARGUMENT, MEMORY; the old ones stay. */
scree_result gravity_set(gravity_schedule *self, const scree_gravity_key *keys, int count, double now);
/* At a time of the world, `otherwise` without keys. */
scree_vec3 gravity_at(const gravity_schedule *self, double time, scree_vec3 otherwise);
void gravity_release(gravity_schedule *self);

#endif
