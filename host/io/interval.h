/* Maxima, means and sums of the steps since the last row of measurements.csv. */
#pragma once

#include <scree/observer.h>

#include <stdbool.h>
#include <stdint.h>

/* One column: its maximum or sum, and the number of steps that had a value. */
typedef struct interval_value {
    double quantity;
    int32_t steps;
} interval_value;

enum { INTERVAL_COLUMNS = 96 };

typedef struct interval {
    bool spanned;  /* whether a step was added since the last row */
    uint64_t last; /* the last step that was added */
    int count;     /* columns in use */
    interval_value values[INTERVAL_COLUMNS];
} interval;

/* Returns the interval that a world keeps, so that its checkpoints hold it; NULL: none. */
interval *interval_find(const scree_world *world);
/* Returns the interval of a world, which gets an empty one if it has none. Errors: MEMORY. */
scree_result interval_make(scree_world *world, interval **out);
