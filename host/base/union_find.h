/* Disjoint sets over 0 … count − 1 as trees in an array of parents; the root of a set is its lowest member,
 * in whatever order sets are joined. Several threads may join sets at once. */
#pragma once

static inline void union_find_init(int *parents, int count) {
    for (int i = 0; i < count; i++) parents[i] = i;
}

/* Halves the path on the way. */
static inline int union_find_root(int *parents, int i) {
    int parent;
    while ((parent = __atomic_load_n(&parents[i], __ATOMIC_RELAXED)) != i) {
        const int above = __atomic_load_n(&parents[parent], __ATOMIC_RELAXED);
        __atomic_store_n(&parents[i], above, __ATOMIC_RELAXED);
        i = above;
    }
    return i;
}

/* Links the higher root to the lower one; tries again if another thread has just linked the higher one. */
static inline void union_find_join(int *parents, int i, int k) {
    int high;
    do {
        const int a = union_find_root(parents, i), b = union_find_root(parents, k), low = a < b ? a : b;
        high = a < b ? b : a;
        i = low;
        k = high;
    } while (i != k &&
             !__atomic_compare_exchange_n(&parents[k], &high, i, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

/* Makes the root of i its parent. Threads may do that for different i once all sets are joined: halved paths
 * could overwrite roots with stale parents, so this does not halve. */
static inline void union_find_flatten(int *parents, int i) {
    int root = i, parent;
    while ((parent = __atomic_load_n(&parents[root], __ATOMIC_RELAXED)) != root) root = parent;
    __atomic_store_n(&parents[i], root, __ATOMIC_RELAXED);
}
