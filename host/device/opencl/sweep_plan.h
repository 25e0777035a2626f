/* The launches of a sweep. Groups of a colour share no movable body, so a launch for each colour in turn
 * keeps the order in which a body's groups come; but a launch costs a device more than a colour of a few
 * thousand groups does. So small colours that follow each other are cut another way: connected groups of
 * several colours become a cluster, which a single work-group sweeps with a barrier between those that share
 * a body. What does not fit into the clusters of one launch waits for the next. For each body the order
 * stays, and so do the bits. */
#ifndef SCREE_DEVICE_OPENCL_SWEEP_PLAN_H
#define SCREE_DEVICE_OPENCL_SWEEP_PLAN_H

#include "rows/problem.h"

/* Of groups (a colour as it is), or of bundles. */
typedef struct sweep_launch {
    bool bundled;
    int first, count;
    int colour, colour_end; /* its groups are of the colours [colour, colour_end) */
} sweep_launch;

/* Where a group goes within its run of colours, and the last group of a body went. */
typedef struct sweep_place {
    int wave; /* the launch, counted from the first of the run */
    int rank; /* behind so many barriers */
    int cluster;
    int firsts; /* ORDER_FIRST_A, ORDER_FIRST_B */
} sweep_place;

/* A bundle is what one work-group sweeps in a launch: clusters, cut into ranks whose groups share no movable
 * body. Bundle b has the ranks bundle_first[b] … bundle_first[b + 1]), rank r the groups of
 * order[rank_first[r] … rank_first[r + 1]), each with what it is the first of (layout.h). */
typedef struct sweep_plan {
    int launch_count, bundle_count, rank_count, order_count;
    sweep_launch launches[PROBLEM_COLOURS];
    int *bundle_first, *rank_first, *order;
    int bundle_capacity, rank_capacity, order_capacity;

    /* While it is made. */
    sweep_place *of_group, *of_body;
    int *parent, *size, *bundle;
    int group_capacity, body_capacity, parent_capacity, size_capacity, cluster_bundle_capacity;
} sweep_plan;

/* Plans forward sweeps over the colours of a problem with incidence; colours of more than `largest` groups
 * have launches of their own. Errors: MEMORY. */
scree_result sweep_plan_make(sweep_plan *self, const problem *p, int largest);
void sweep_plan_release(sweep_plan *self);

#endif
