/* The gauges of a world, and what a step does with them. */
#ifndef SCREE_SIMULATION_GAUGES_H
#define SCREE_SIMULATION_GAUGES_H

#include "gauge/gauge.h"

typedef struct gauge_array {
    uint32_t world;
    int count, capacity, living;
    gauge *items;
    /* What samples are taken with. */
    int mark_capacity, count_capacity, figure_capacity, pose_capacity, velocity_capacity;
    uint8_t *marks;
    int *counts;
    double *figures;
    body_pose *poses_before;
    body_velocity *velocities_before;
    contact_work work;
} gauge_array;

/* Before a step: room for what its samples need. Errors: MEMORY. */
scree_result gauges_reserve(scree_world *world);
/* Before a solve of a step: whether one asks what its contacts do to energy, which has been nothing yet. */
bool gauges_begin_work(scree_world *world);
/* After each part of the step that has this share of its time, with its impulses in the contacts and the
 * velocities that it ends with in the world's next ones. */
void gauges_add_work(scree_world *world, const assembly *from, double share);
/* When a step has succeeded: keeps the beginning, where it is asked for. */
void gauges_keep(scree_world *world);
/* At its end. */
void gauges_act(scree_world *world);
/* A place that is free. Errors: MEMORY. */
scree_result gauges_find_place(gauge_array *all, int *place);
void gauges_release(gauge_array *all);

#endif
