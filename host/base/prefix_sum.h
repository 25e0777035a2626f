/* Exclusive prefix sums. */
#pragma once

/* Replaces counts[i] by the sum of the counts before it; returns the total. */
int prefix_sum(int *counts, int count, int threads);
