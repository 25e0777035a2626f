/* The median of timings: one slow run on a busy machine does not move it. */
#ifndef SCREE_BENCHMARK_MEDIAN_H
#define SCREE_BENCHMARK_MEDIAN_H

/* Sorts `values`; the mean of the two in the middle of an even number; 0 of none. */
double median(double *values, long long count);

#endif
