/* The tables of an ensemble: worlds.csv with a row for each world and time, and worlds_summary.csv with the
 * statistics of the last values of each set of values, and plots of these. */
#pragma once

#include <stdio.h>

#include <scree/tools/tools.h>

#include "folder.h"

typedef struct ensemble_view {
    const scree_scene *scene;
    scree_worlds_def worlds;
    uint64_t seed;
    const char *folder;
} ensemble_view;

/* Writes the tables and plots of the worlds that have ended, in the order of their numbers, and a file with
 * their messages if there are any. `out` gets the figures that the scene reports; NULL: they are not printed.
 * Errors: FILE, DISK_FULL, FORMAT, MEMORY. */
scree_result ensemble_table_write(const ensemble_view *view, FILE *out);
