/* Statistics of an ensemble: mean, standard deviation and confidence interval of the last value of every
 * column, for each set of values and for all worlds. */
#pragma once

#include "ensemble_plot.h"

typedef struct ensemble_sums {
    const ensemble_view *of;
    char *const *names; /* of the columns */
    int columns;
    FILE *table, *shown; /* `shown` may be NULL */
    int set;             /* the set of values whose worlds are being added; −1: none */
    int worlds, failed, all_worlds, all_failed;
    sample_sums *sums, *all; /* of each column */
    ensemble_plots plots;
} ensemble_sums;

/* Writes the header to `table`, and to `shown` that of the figures that the scene reports. Errors: MEMORY. */
scree_result ensemble_sums_begin(ensemble_sums *self, const ensemble_view *of, char *const *names,
                                 int columns, FILE *table, FILE *shown);
/* Adds a world with the last values of its columns (NaN: none); NULL: it failed. Worlds ascend. */
scree_result ensemble_sums_add(ensemble_sums *self, int world, const double *last);
/* Writes the last set and the row of all worlds. Errors: MEMORY. */
scree_result ensemble_sums_end(ensemble_sums *self);
void ensemble_sums_release(ensemble_sums *self);

/* Prints the shortest decimal that reads back as the same double; nothing for NaN. */
void ensemble_print_number(double value, FILE *out);
