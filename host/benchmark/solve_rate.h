/* The solver by itself, on the step after a scene's timed ones: contact updates a second, and what a residual
 * costs. */
#ifndef SCREE_BENCHMARK_SOLVE_RATE_H
#define SCREE_BENCHMARK_SOLVE_RATE_H

#include <scree/scree.h>
#include <scree/tools/tools.h>

enum { SOLVE_GOALS = 3 };
extern const double solve_goals[SOLVE_GOALS]; /* scaled residuals: 1e-2, 1e-3, 1e-4 */

/* What one solve took to a goal. */
typedef struct solve_cost {
    bool reached; /* within SOLVE_ITERATIONS, and tried (SOLVE_UPDATES) */
    int iterations;
    double seconds; /* of the velocity pass, with what comes before its first iteration */
} solve_cost;

typedef struct solve_rate {
    int contacts;
    double updates_per_second; /* contacts × iterations over the seconds of many iterations from cold */
    double bytes_per_update;   /* of a forward sweep (scree_statistics.sweep_bytes) over its contacts */
    solve_cost cold[SOLVE_GOALS], warm[SOLVE_GOALS]; /* from zero; from the impulses of the step before */
} solve_rate;

/* Most iterations of a solve; most contact updates of one after which a goal beyond the headline's is tried:
 * of 100 000 spheres that would take most of the bench's time. */
enum { SOLVE_ITERATIONS = 1000, SOLVE_UPDATES = 50000000 };

/* From the checkpoint `kept`, under `def`. The position pass is left out: it is not what is measured. On
 * failure returns the library's result. */
scree_result solve_rate_measure(const char *kept, const scree_world_def *def, int repeats, solve_rate *out);

#endif
