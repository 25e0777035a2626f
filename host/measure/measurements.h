/* The measurements of a world, an observer of its steps. */
#pragma once

#include "measurement.h"

typedef struct measurement_array {
    uint32_t world;
    int count, capacity, living;
    measurement *items;
    /* Scratch of sampling. */
    int mark_capacity, count_capacity, quantity_capacity, before_capacity, period_capacity;
    uint8_t *marks;
    int *counts;
    double *quantities;
    scree_body_state *before; /* at the beginning of a step, if a measurement needs it */
    int *periods_before;      /* of a periodic world: 3 a slot */
} measurement_array;

/* Returns the measurements of a world; an empty array if it has none. */
const measurement_array *measurements_of(const scree_world *world);
/* Finds the measurements of a world, or makes an empty array for them. Errors: MEMORY. */
scree_result measurements_make(scree_world *world, measurement_array **out);
