/* The median of timings, which one slow run on a busy machine does not change. */
#pragma once

/* Sorts `values` and returns the median: for an even number the mean of the two in the middle, for none 0. */
double median(double *values, long long count);
