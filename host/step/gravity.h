/* Gravity as a function of time, given by keys. */
#pragma once

#include <scree/world.h>

typedef struct gravity_schedule {
    int count;    /* 0: constant gravity */
    double begin; /* origin of the keys' time, s of world time */
    scree_gravity_key *keys;
} gravity_schedule;

/* Copies keys, whose times count from `now`. Errors: ARGUMENT, MEMORY; the previous keys then stay. */
scree_result gravity_set(gravity_schedule *self, const scree_gravity_key *keys, int count, double now);
/* Returns gravity at a world time, m/s², or `otherwise` without keys. */
scree_vec3 gravity_at(const gravity_schedule *self, double time, scree_vec3 otherwise);
void gravity_release(gravity_schedule *self);
