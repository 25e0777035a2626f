#include "prefix_sum.h"

/* Each thread sums its slice of the counts, then starts from the sum of the slices before it. */
int prefix_sum(int *counts, int count, int threads) {
    enum { SHARES = 64 };
    int sums[SHARES + 1] = {0};
    const int shares = threads < 1        ? 1
                       : threads < SHARES ? threads
                                          : SHARES,
              size = (count + shares - 1) / shares;
#pragma omp parallel for schedule(static) num_threads(shares)
    for (int share = 0; share < shares; share++)
        for (int i = share * size; i < count && i < (share + 1) * size; i++) sums[share + 1] += counts[i];
    for (int share = 0; share < shares; share++) sums[share + 1] += sums[share];
#pragma omp parallel for schedule(static) num_threads(shares)
    for (int share = 0; share < shares; share++)
        for (int i = share * size, sum = sums[share]; i < count && i < (share + 1) * size; i++) {
            const int here = counts[i];
            counts[i] = sum;
            sum += here;
        }
    return sums[shares];
}
