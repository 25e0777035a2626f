/* Where things begin that lie one after the other. */
#ifndef SCREE_BASE_PREFIX_SUM_H
#define SCREE_BASE_PREFIX_SUM_H

/* counts[i] becomes the sum of the counts before it; returns the sum of all. */
int prefix_sum(int *counts, int count, int threads);

#endif
