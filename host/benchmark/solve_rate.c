#include "solve_rate.h"

#include "median.h"

enum { REPEATS_MAX = 5, RATED_ITERATIONS = 100 };

/* Never met, but asked for. */
static const float NO_CHANGE = 1e-30f;

const double solve_goals[SOLVE_GOALS] = {1e-2, 1e-3, 1e-4};

/* One step from the checkpoint, made by `solver`. Of a step that looks again for contacts, as one does that
 * is far from solved, the first solve counts: the others are of other problems, and go on from it. */
static scree_result step_once(const char *kept, const scree_world_def *def, const scree_solver_def *solver,
                              scree_statistics *out) {
    scree_world *world = NULL;
    scree_result result = scree_checkpoint_load(kept, def, &world);
    if (result == SCREE_OK) result = scree_world_set_solver(world, solver);
    if (result == SCREE_OK) result = scree_world_step(world, out);
    scree_world_destroy(world);
    return result;
}

/* What is long enough to be timed once, s: of the whole bench it would take most of the time. */
static const double LONG_SOLVE = 0.5;

/* The median of several times; iterations do not differ. */
static scree_result time_solve(const char *kept, const scree_world_def *def, const scree_solver_def *solver,
                               int repeats, scree_statistics *last, double *seconds) {
    double times[REPEATS_MAX];
    int count = 0;
    do {
        const scree_result result = step_once(kept, def, solver, last);
        if (result != SCREE_OK) return result;
        times[count++] = last->timing.first_solve;
    } while (count < repeats && times[0] < LONG_SOLVE);
    *seconds = median(times, count);
    return SCREE_OK;
}

/* Counted in a step of its own, since counting costs time. */
static scree_result count_bytes(const char *kept, const scree_world_def *def, scree_solver_def solver,
                                double *bytes_per_update) {
    scree_world_def counted = *def;
    scree_statistics last;
    counted.profile = true;
    solver.iterations = 1;
    const scree_result result = step_once(kept, &counted, &solver, &last);
    if (result == SCREE_OK && last.contacts > 0) *bytes_per_update = (double)last.sweep_bytes / last.contacts;
    return result;
}

scree_result solve_rate_measure(const char *kept, const scree_world_def *def, int repeats, solve_rate *out) {
    scree_solver_def solver = def->solver;
    scree_statistics last;
    double seconds;
    if (repeats > REPEATS_MAX) repeats = REPEATS_MAX;
    *out = (solve_rate){0};
    /* `split` solves for the same velocities, and then for positions: as long as a solve is far from its end,
     * many times the iterations that are counted here. */
    if (solver.stabilisation == SCREE_STABILISATION_SPLIT)
        solver.stabilisation = SCREE_STABILISATION_BAUMGARTE, solver.error_reduction = 0;
    solver.reduction = 1; /* the goal alone ends a solve, */
    solver.violation_tolerance = 0;
    solver.change_tolerance = NO_CHANGE; /* and momentum goes on to it */
    solver.warm_start = false;
    solver.tolerance = 0;
    solver.iterations = RATED_ITERATIONS;
    scree_result result = time_solve(kept, def, &solver, repeats, &last, &seconds);
    if (result != SCREE_OK) return result;
    out->contacts = last.contacts - last.late;
    if (seconds > 0) out->updates_per_second = (double)out->contacts * last.first_solve.iterations / seconds;
    result = count_bytes(kept, def, solver, &out->bytes_per_update);
    if (result != SCREE_OK) return result;
    solver.iterations = SOLVE_ITERATIONS;
    for (int warm = 0; warm < 2; ++warm) {
        bool reached = true;
        for (int g = 0; g < SOLVE_GOALS; ++g) {
            solve_cost *cost = warm ? &out->warm[g] : &out->cold[g];
            solver.warm_start = warm;
            solver.tolerance = (float)solve_goals[g];
            if (!reached) continue; /* nor will a stricter goal be, or it would take too long */
            result = time_solve(kept, def, &solver, repeats, &last, &seconds);
            if (result != SCREE_OK) return result;
            reached = last.first_solve.residual <= solve_goals[g];
            *cost = (solve_cost){reached, last.first_solve.iterations, seconds};
            reached &= g == 0 || (double)out->contacts * last.first_solve.iterations <= SOLVE_UPDATES;
        }
    }
    return SCREE_OK;
}
