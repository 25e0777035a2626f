/* Inlets and outlets of a world. */
#pragma once

#include <scree/flow.h>
#include <scree/statistics.h>

/* An inlet or an outlet. */
typedef struct flow_item {
    uint32_t generation; /* odd: alive */
    bool is_inlet, waiting;
    double begin;                 /* origin of its time, s of world time */
    uint64_t grains, first_grain; /* so far, and when its definition was set */
    double mass, first_mass;      /* the same, kg */
    uint64_t attempts;            /* positions tried for the next grain */
    scree_inlet_def inlet;        /* its `sizes` point to the array below */
    scree_outlet_def outlet;
    float *sizes;
} flow_item;

typedef struct flow_array {
    uint32_t world;
    int count, capacity;
    flow_item *items;
    int leaving_capacity;
    int *leaving; /* scratch: slots that an outlet removes */
} flow_array;

static inline bool flow_is_alive(const flow_item *self) { return self->generation & 1; }

/* Reserves memory before a step, so that flow_act cannot fail. Errors: MEMORY. */
scree_result flow_reserve(scree_world *world);
/* Checks that the step may be committed. Errors: CAPACITY (a body reached an outlet that stops the run). */
scree_result flow_check(const scree_world *world);
/* Removes and inserts bodies after a step, and counts them. Cannot fail: an inlet that finds no memory waits.
 */
void flow_act(scree_world *world, scree_statistics *s);
/* Returns the definition of a grain of an inlet. */
scree_body_def flow_body_of_size(const scree_world *world, const scree_inlet_def *def, double size);
/* Returns how many grains an inlet adds in the next `seconds` if positions are free; 0 for an outlet. Masses
 * of grains are those of some quantiles of their sizes. */
double flow_grains_ahead(const scree_world *world, const flow_item *item, double seconds);
/* Returns the place of a flow; −1: not alive. */
int flow_place(const flow_array *all, scree_flow_id id);
/* Finds a free place. Errors: MEMORY. */
scree_result flow_find_place(flow_array *all, int *place);
scree_result flow_take_sizes(flow_item *item, const float *sizes, int count);
void flow_release(flow_array *all);
