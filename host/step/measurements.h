/* The gauges of a world, and what a step does with them. */
#ifndef SCREE_STEP_MEASUREMENTS_H
#define SCREE_STEP_MEASUREMENTS_H

#include "measure/measurement.h"

typedef struct measurement_array {
    uint32_t world;
    int count, capacity, living;
    measurement *items;
    /* What samples are taken with. */
    int mark_capacity, count_capacity, quantity_capacity, pose_capacity, velocity_capacity;
    uint8_t *marks;
    int *counts;
    double *quantities;
    body_pose *poses_before;
    body_velocity *velocities_before;
    contact_work work;
} measurement_array;

/* Before a step: room for what its samples need. Errors: MEMORY. */
scree_result measurements_reserve(scree_world *world);
/* Before a solve of a step: whether one asks what its contacts do to energy, which has been nothing yet. */
bool measurements_begin_work(scree_world *world);
/* After each part of the step that has this share of its time, with its impulses in the contacts and the
 * velocities that it ends with in the world's next ones. */
void measurements_add_work(scree_world *world, const problem_input *from, double share);
/* When a step has succeeded: keeps the beginning, where it is asked for. */
void measurements_keep(scree_world *world);
/* At its end. */
void measurements_act(scree_world *world);
/* A place that is free. Errors: MEMORY. */
scree_result measurements_find_place(measurement_array *all, int *place);
void measurements_release(measurement_array *all);

#endif
