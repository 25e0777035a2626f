#include "solve_rate.h"

#include "base/error.h"
#include "median.h"

enum { REPEATS_MAX = 5, RATED_ITERATIONS = 100 };

/* A tolerance of the change that no solve reaches; above 0, because momentum then continues to the end. */
static const float NO_CHANGE = 1e-30f;

const double solve_goals[SOLVE_GOALS] = {1e-2, 1e-3, 1e-4};

/* Makes one step from the checkpoint, with `solver`. If detection passes add more solves to the step, as
 * happens far from convergence, only the first counts: the others solve other problems and continue from
 * it. */
static scree_result step_once(const char *checkpoint_path, const scree_world_def *def,
                              const scree_solver_def *solver, scree_statistics *out) {
    scree_world *world = NULL;
    scree_result result = scree_checkpoint_load(checkpoint_path, def, &world);
    if (result == SCREE_OK) result = scree_world_set_solver(world, solver);
    if (result == SCREE_OK) result = scree_world_step(world, out);
    scree_world_destroy(world);
    return result;
}

/* Duration from which one measurement suffices, s: repeats would take most of the time of the benchmark. */
static const double LONG_SOLVE = 0.5;

/* Returns the median over several measurements; their iterations are equal. */
static scree_result time_solve(const char *checkpoint_path, const scree_world_def *def,
                               const scree_solver_def *solver, int repeats, scree_statistics *last,
                               double *seconds) {
    double times[REPEATS_MAX];
    int count = 0;
    do {
        TRY(step_once(checkpoint_path, def, solver, last));
        times[count++] = last->timing.first_solve;
    } while (count < repeats && times[0] < LONG_SOLVE);
    *seconds = median(times, count);
    return SCREE_OK;
}

/* Counts in a separate step, since counting costs time. */
static scree_result count_bytes(const char *checkpoint_path, const scree_world_def *def,
                                scree_solver_def solver, double *bytes_per_update) {
    scree_world_def counted = *def;
    scree_statistics last;
    counted.profile = true;
    solver.iterations = 1;
    TRY(step_once(checkpoint_path, &counted, &solver, &last));
    if (last.contacts > 0) *bytes_per_update = (double)last.sweep_bytes / last.contacts;
    return SCREE_OK;
}

scree_result solve_rate_measure(const char *checkpoint_path, const scree_world_def *def, int repeats,
                                solve_rate *out) {
    scree_solver_def solver = def->solver;
    scree_statistics last;
    double seconds;
    if (repeats > REPEATS_MAX) repeats = REPEATS_MAX;
    *out = (solve_rate){0};
    /* `split` solves for the same velocities and then for positions, which far from convergence takes many
     * times the iterations that are counted here. */
    if (solver.stabilisation == SCREE_STABILISATION_SPLIT) {
        solver = scree_solver_def_with_stabilisation(solver, SCREE_STABILISATION_BAUMGARTE);
        solver.baumgarte.error_reduction = 0;
    }
    solver.reduction = 1; /* only the goal ends a solve, */
    solver.violation_tolerance = 0;
    solver.change_tolerance = NO_CHANGE; /* and momentum continues up to it */
    solver.warm_start = false;
    solver.tolerance = 0;
    solver.iterations = RATED_ITERATIONS;
    TRY(time_solve(checkpoint_path, def, &solver, repeats, &last, &seconds));
    out->contacts = last.contacts - last.late;
    if (seconds > 0) out->updates_per_second = (double)out->contacts * last.first_solve.iterations / seconds;
    TRY(count_bytes(checkpoint_path, def, solver, &out->bytes_per_update));
    solver.iterations = SOLVE_ITERATIONS;
    for (int warm = 0; warm < 2; warm++) {
        bool reached = true;
        for (int g = 0; g < SOLVE_GOALS; g++) {
            solve_cost *cost = warm ? &out->warm[g] : &out->cold[g];
            solver.warm_start = warm;
            solver.tolerance = (float)solve_goals[g];
            if (!reached) continue; /* a stricter goal will not be reached, or would take too long */
            TRY(time_solve(checkpoint_path, def, &solver, repeats, &last, &seconds));
            reached = last.first_solve.residual <= solve_goals[g];
            *cost = (solve_cost){reached, last.first_solve.iterations, seconds};
            reached &= g == 0 || (double)out->contacts * last.first_solve.iterations <= SOLVE_UPDATES;
        }
    }
    return SCREE_OK;
}
