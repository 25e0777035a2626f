/* Steps of a run that were not solved, by their violation. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include <scree/scree.h>

typedef struct unsolved_steps {
    double limit;          /* of the violation of a solved step */
    uint64_t count, first; /* steps above the limit, and the first of them */
    int row;               /* of them up to the last step, without one below the limit in between */
    int warnings;
} unsolved_steps;

/* Counts a step. Returns whether a warning is due: after a row of unsolved steps, a few times in a run. */
bool unsolved_steps_add(unsolved_steps *self, const scree_world *world, const scree_statistics *statistics);
/* Searches for the cause of the last step and prints a warning that names it. */
void unsolved_steps_warn(const unsolved_steps *self, scree_world *world, const scree_statistics *statistics,
                         FILE *out);
/* Prints the number of unsolved steps for the final report, if there are any. */
void unsolved_steps_report(const unsolved_steps *self, FILE *out);
