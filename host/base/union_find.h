/* Disjoint sets over 0 … count − 1 as trees in an array of parents; the root of a set is its lowest member.
 */
#pragma once

static inline void union_find_init(int *parents, int count) {
    for (int i = 0; i < count; i++) parents[i] = i;
}

/* Halves the path on the way. */
static inline int union_find_root(int *parents, int i) {
    while (parents[i] != i) {
        parents[i] = parents[parents[i]];
        i = parents[i];
    }
    return i;
}

static inline void union_find_join(int *parents, int i, int k) {
    const int a = union_find_root(parents, i), b = union_find_root(parents, k);
    parents[a > b ? a : b] = a < b ? a : b;
}
