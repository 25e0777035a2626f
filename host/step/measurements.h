/* Gauges of a world. */
#ifndef SCREE_STEP_MEASUREMENTS_H
#define SCREE_STEP_MEASUREMENTS_H

#include "measure/measurement.h"

typedef struct measurement_array {
    uint32_t world;
    int count, capacity, living;
    measurement *items;
    /* Scratch of sampling. */
    int mark_capacity, count_capacity, quantity_capacity, pose_capacity, velocity_capacity;
    uint8_t *marks;
    int *counts;
    double *quantities;
    body_pose *poses_before;
    body_velocity *velocities_before;
    contact_work work;
} measurement_array;

/* Reserves the arrays that the samples of a step need. Errors: MEMORY. */
scree_result measurements_reserve(scree_world *world);
/* Clears the work of contacts before a solve. Returns whether a gauge needs it. */
bool measurements_begin_work(scree_world *world);
/* Adds the work of a substep that takes the fraction `share` of the step. Its impulses must be in the
 * contacts, and its final velocities in the step's problem. */
void measurements_add_work(scree_world *world, const problem_input *from, double share);
/* Saves the poses and velocities at the beginning of a successful step, if a gauge needs them. */
void measurements_keep(scree_world *world);
/* Samples at the end of a step. */
void measurements_act(scree_world *world);
/* Finds a free place. Errors: MEMORY. */
scree_result measurements_find_place(measurement_array *all, int *place);
void measurements_release(measurement_array *all);

#endif
