/* The launches of a sweep. Groups of a colour share no movable body, so one launch per colour keeps the order
 * of each body's groups; but a launch takes longer than a colour of a few thousand groups. So consecutive
 * small colours are divided differently: connected groups of several colours form a cluster, which a single
 * work-group sweeps, with a barrier between groups that share a body. Groups that do not fit into the
 * clusters of one launch go to the next. The order of each body's groups is unchanged, and so are the
 * results. */
#pragma once

#include "base/parallel.h"
#include "rows/problem.h"

#include "pair_ends.h"

/* The bodies of a group (pair_ends.h); those with mass order it. */
typedef struct sweep_ends {
    unsigned a, b;
} sweep_ends;

/* The groups that a plan reads: those of the colours that share launches, at least (sweep_plan_tail). */
typedef struct sweep_graph {
    int colour_count;
    const int *colour_first; /* as in a problem */
    int body_count;
    int first; /* group of ends[0] */
    const sweep_ends *ends;
} sweep_graph;

/* Which program sweeps a group: balls.cl, manifolds.cl (contacts alone) or sweep.cl (any blocks). A later one
 * can sweep the groups of an earlier one. */
typedef enum sweep_kind { SWEEP_BALLS, SWEEP_CONTACTS, SWEEP_BLOCKS } sweep_kind;

/* A launch over groups (one colour), or over bundles. */
typedef struct sweep_launch {
    bool bundled;
    int first, count;
    int colour, colour_end; /* its groups belong to the colours [colour, colour_end) */
} sweep_launch;

/* The place of a group in its run of colours; also the place of the last group of a body. */
typedef struct sweep_place {
    int wave; /* launch, counted from the first of the run */
    int rank; /* number of barriers before it */
    int cluster;
    int firsts; /* ORDER_FIRST_A, ORDER_FIRST_B */
} sweep_place;

/* A bundle is the work of one work-group in a launch: clusters, divided into ranks whose groups share no
 * movable body. Bundle b has the ranks bundle_first[b] … bundle_first[b + 1]), rank r the groups
 * order[rank_first[r] … rank_first[r + 1]), each with the flags of the bodies that it is the first group of
 * (layout.h). */
typedef struct sweep_plan {
    int launch_count, bundle_count, rank_count, order_count;
    sweep_launch launches[PROBLEM_COLOURS];
    int *bundle_first, *rank_first, *order;
    int bundle_capacity, rank_capacity, order_capacity;

    /* Scratch while the plan is made. */
    sweep_place *of_group, *of_body;
    int *parent, *size, *bundle;
    sweep_ends *ends; /* of a problem */
    int end_capacity, group_capacity, body_capacity, parent_capacity, size_capacity, cluster_bundle_capacity;
} sweep_plan;

/* Returns the groups from the first to the last colour that shares launches: consecutive colours of at most
 * `largest` groups do. */
slice sweep_plan_tail(int colour_count, const int *colour_first, int largest);
/* Plans forward sweeps over the colours of a graph; colours of more than `largest` groups get launches of
 * their own. Errors: MEMORY. */
scree_result sweep_plan_make(sweep_plan *self, const sweep_graph *graph, int largest);
/* Plans those of a problem with incidence. Errors: MEMORY. */
scree_result sweep_plan_of_problem(sweep_plan *self, const problem *p, int largest);
void sweep_plan_release(sweep_plan *self);
