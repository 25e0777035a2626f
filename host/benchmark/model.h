/* A model of a step on a device: what the launches, waits and bytes that the program counts would take. A
 * launch costs its start, and then the larger of two times: its bytes at the bandwidth of copies, and a chain
 * of dependent loads for each wave of work-items that the device can hold. */
#pragma once

#include "machine.h"

/* Costs of a device. */
typedef struct model_device {
    const char *name;
    const char *source;        /* of the numbers */
    double bandwidth;          /* of copies, read and written, B/s */
    double launch, wait, link; /* s; s with the end of the launches before; B/s to and from the host */
    double latency, resident;  /* of a dependent load, s; work-items */
    double processors;         /* of a processor: cores; kernels then take `nanoseconds`. 0: a GPU */
} model_device;

/* Returns the device of this name; NULL: there is none. "this" is the machine's own OpenCL device. */
const model_device *model_device_find(const char *name, const machine *here);
/* Writes the names, separated by ", ". */
void model_device_list(char *out, size_t size);

/* Numbers of a step on which its launches work. */
typedef struct model_sizes {
    double bodies, pairs, contacts, colours;
    double points;         /* of a manifold */
    double local_sweeps;   /* over the points of a manifold that has several */
    double updates;        /* of contacts in one launch of a sweep */
    double bytes_update;   /* of such an update */
    double launches_sweep; /* launches of a sweep */
} model_sizes;

/* Launches of one kernel in one stage, in one step. */
typedef struct model_launches {
    const char *name;
    scree_step_stage stage;
    double count, items; /* launches; work-items of all */
} model_launches;

typedef enum model_bound { MODEL_LAUNCH, MODEL_LATENCY, MODEL_BANDWIDTH, MODEL_BOUNDS } model_bound;

/* Time of a stage, s. */
typedef struct model_stage {
    double launches;         /* number */
    double starts, kernels;  /* of launches, and the time after that */
    double of[MODEL_BOUNDS]; /* their sum by what bounds a launch */
    bool planned;            /* of launches that the program does not make yet */
} model_stage;

/* Adds launches to a stage. `factor`: bodies in the prediction for one in the step that was counted. */
void model_add(const model_device *on, const model_sizes *sizes, double factor, const model_launches *from,
               model_stage *to);
/* Adds the launch for the boxes of bodies, which the host still makes (kernels/boxes.cl). */
void model_add_bounds(const model_device *on, const model_sizes *sizes, double factor, model_stage *to);
