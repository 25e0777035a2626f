/* Inlets and outlets, and what a step does with them. */
#ifndef SCREE_STEP_FLOW_H
#define SCREE_STEP_FLOW_H

#include <scree/flow.h>
#include <scree/statistics.h>

/* One place. Of an inlet or an outlet, as `is_inlet` says. */
typedef struct flow_item {
    uint32_t generation; /* odd: alive */
    bool is_inlet, waiting;
    double begin;                 /* of its time, s of the world's */
    uint64_t grains, first_grain; /* so far, and when its definition began */
    double mass, first_mass;      /* kg, likewise */
    uint64_t attempts;            /* places that the next grain has tried */
    scree_inlet_def inlet;        /* `sizes` its own */
    scree_outlet_def outlet;
    float *sizes;
} flow_item;

typedef struct flow_array {
    uint32_t world;
    int count, capacity;
    flow_item *items;
    int leaving_capacity;
    int *leaving; /* slots that an outlet takes, while it does */
} flow_array;

static inline bool flow_is_alive(const flow_item *self) { return self->generation & 1; }

/* Before a step, since nothing can fail after it. Errors: MEMORY. */
scree_result flow_reserve(scree_world *world);
/* Whether a step may end so. Errors: CAPACITY (an outlet that stops). */
scree_result flow_check(const scree_world *world);
/* After a step: takes out and puts in, and counts. Nothing here can fail: what finds no memory waits. */
void flow_act(scree_world *world, scree_statistics *s);
/* What is wrong with an item read from a file. Errors: ARGUMENT. */
scree_result flow_validate(const scree_world *world, const flow_item *item);
/* A place that is free. Errors: MEMORY. */
scree_result flow_find_place(flow_array *all, int *place);
scree_result flow_take_sizes(flow_item *item, const float *sizes, int count);
void flow_release(flow_array *all);

#endif
