/* `scree bench --model`: counts the launches, waits and bytes of a step, and prints what they take on a
 * device. */
#pragma once

#include "bench_result.h"
#include "model.h"

typedef struct model_request {
    const model_device *on;
    long long settle; /* steps before the counted ones; 0: those of the benchmark */
    double bodies;    /* of the prediction; 0: those of the scene */
    bool compares;    /* whether kernels that were measured are those of the device `on` */
} model_request;

/* Settles the scene on native, counts steps on the OpenCL device `options->world.device`, and prints a table
 * to stdout. On failure prints a message and returns the program's exit code. */
int model_run(const char *scene, const bench_options *options, const model_request *request);
