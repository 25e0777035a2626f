/* The plots of an ensemble: means of the last values of a column against a number that varies. */
#pragma once

#include "base/student.h"
#include "ensemble_table.h"

/* The points of the plots: of each set of values one for each plot. */
typedef struct ensemble_plots {
    const ensemble_view *of;
    int count, capacity;
    scree_plot_point *points;
} ensemble_plots;

/* Adds a set of values; `sums` are those of the columns `names`. Errors: MEMORY. */
scree_result ensemble_plots_add(ensemble_plots *self, int set, char *const *names, int columns,
                                const sample_sums *sums);
/* Draws the plots that have points. Errors: FILE, DISK_FULL, MEMORY. */
scree_result ensemble_plots_write(const ensemble_plots *self);
void ensemble_plots_release(ensemble_plots *self);

/* Writes the path of the i-th plot and returns it. */
const char *ensemble_plot_path(const ensemble_view *of, int i, char path[FOLDER_PATH]);
/* Returns whether a file of the folder of an ensemble is a plot. */
bool ensemble_plot_is(const char *file);
