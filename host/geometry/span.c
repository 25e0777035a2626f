/* Converts spans of simulated time to steps. */
#include <scree/core.h>

#include <math.h>

uint64_t scree_span_get_steps(scree_span span, double time_step) {
    if (!(span.seconds > 0)) return span.steps;
    const double steps = floor(span.seconds / time_step + 0.5);
    return steps < 0x1p63 ? (uint64_t)fmax(1, steps) : UINT64_MAX;
}
