/* A solve that the step asks a backend for. */
#pragma once

#include <scree/solver.h>

typedef struct solve_request {
    const scree_solver_def *options;
    /* That of the problem; needed if place_blocks (device/backend.h) has left it without blocks. */
    const struct problem_input *assembly;
    int least;  /* iterations before a tolerance may stop the solve; 0: the method's own minimum */
    bool blind; /* the residual is not read: sweeps without momentum and tests do not measure it */
} solve_request;
