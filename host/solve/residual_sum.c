/* The residual from sums over all blocks. */
#include "executor.h"

#include "eager.h"

#include <math.h>

void residual_sum_total(const residual_sum *chunks, int count, residual_sum *out) {
    *out = (residual_sum){0};
    for (int c = 0; c < count; c++) {
        out->map += chunks[c].map;
        out->impulse += chunks[c].impulse;
        out->drive += chunks[c].drive;
        out->change += chunks[c].change;
        out->velocity += chunks[c].velocity;
        out->max_map = fmax(out->max_map, chunks[c].max_map);
        out->violation = fmax(out->violation, chunks[c].violation);
        out->free = fmax(out->free, chunks[c].free);
        out->violated += chunks[c].violated;
    }
}

double residual_sum_map(const residual_sum *sum, scree_measure measure) {
    double scale = fmax(sum->impulse, sum->drive);
    switch (measure) {
    case SCREE_MEASURE_FCLIB:
        return sqrt(sum->map) / (1 + sqrt(sqrt(sum->drive)));
    case SCREE_MEASURE_SICONOS:
        scale = fmax(scale, sum->velocity);
        break;
    case SCREE_MEASURE_SCALED:
    case SCREE_MEASURE_COUNT:
        break;
    }
    return eager_map(sum->map, scale);
}

double residual_sum_violation(const residual_sum *sum) { return eager_violation(sum->violation, sum->free); }

double residual_sum_residual(const residual_sum *sum, scree_measure measure) {
    if (measure == SCREE_MEASURE_SCALED)
        return eager_residual(sum->map, sum->impulse, sum->drive, sum->violation, sum->free);
    return isfinite(sum->map + sum->impulse + sum->drive) ? residual_sum_map(sum, measure) : NAN;
}
