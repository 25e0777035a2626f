#include "prefix_sum.h"

#include "parallel.h"

typedef struct prefix_loop {
    int size, count, *sums, *counts;
} prefix_loop;

static void sum_shares(const void *context, slice part) {
    const prefix_loop loop = *(const prefix_loop *)context;
    for (int share = part.first; share < part.end; share++)
        for (int i = share * loop.size; i < loop.count && i < (share + 1) * loop.size; i++)
            loop.sums[share + 1] += loop.counts[i];
}

static void add_shares(const void *context, slice part) {
    const prefix_loop loop = *(const prefix_loop *)context;
    for (int share = part.first; share < part.end; share++)
        for (int i = share * loop.size, sum = loop.sums[share]; i < loop.count && i < (share + 1) * loop.size;
             i++) {
            const int here = loop.counts[i];
            loop.counts[i] = sum;
            sum += here;
        }
}

/* Each thread sums its slice of the counts, then starts from the sum of the slices before it. */
int prefix_sum(int *counts, int count, int threads) {
    enum { SHARES = 64 };
    int sums[SHARES + 1] = {0};
    const int shares = threads < 1        ? 1
                       : threads < SHARES ? threads
                                          : SHARES,
              size = (count + shares - 1) / shares;
    parallel_for(shares, shares, sum_shares,
                 &(const prefix_loop){.size = size, .count = count, .sums = sums, .counts = counts});
    for (int share = 0; share < shares; share++) sums[share + 1] += sums[share];
    parallel_for(shares, shares, add_shares,
                 &(const prefix_loop){.size = size, .sums = sums, .count = count, .counts = counts});
    return sums[shares];
}
