/* Exclusive prefix sums. */
#ifndef SCREE_BASE_PREFIX_SUM_H
#define SCREE_BASE_PREFIX_SUM_H

/* Replaces counts[i] by the sum of the counts before it; returns the total. */
int prefix_sum(int *counts, int count, int threads);

#endif
