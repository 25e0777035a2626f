/* Measures the solver alone, on the step after a scene's timed ones: contact updates per second, and the cost
 * of reaching a residual. */
#pragma once

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { SOLVE_GOALS = 3 };
extern const double solve_goals[SOLVE_GOALS]; /* scaled residuals: 1e-2, 1e-3, 1e-4 */

/* Cost of one solve to a goal. */
typedef struct solve_cost {
    bool reached; /* the goal was tried (see SOLVE_UPDATES) and reached within SOLVE_ITERATIONS */
    int iterations;
    double seconds; /* of the velocity pass, including its preparation */
} solve_cost;

typedef struct solve_rate {
    int contacts;
    double updates_per_second; /* contacts × iterations over the duration of many iterations without warm
                                  start */
    double bytes_per_update;   /* of a forward sweep (scree_statistics.sweep_bytes), per contact */
    solve_cost cold[SOLVE_GOALS], warm[SOLVE_GOALS]; /* from zero; from the impulses of the preceding step */
} solve_rate;

/* Maximum number of iterations of a solve. Maximum number of contact updates to a goal for the next goal to
 * be tried: with 100 000 spheres stricter goals would take most of the time of the benchmark. */
enum { SOLVE_ITERATIONS = 1000, SOLVE_UPDATES = 50000000 };

/* Measures from the checkpoint `checkpoint_path`, with `def`. Omits the position pass, which is not measured.
 * On failure returns the library's result. */
scree_result solve_rate_measure(const char *checkpoint_path, const scree_world_def *def, int repeats,
                                solve_rate *out);
