#!/usr/bin/env bash
# A clean TSan run is meaningful only if TSan finds races: it reports a loop with a race, and not one without. Only in the tsan build.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/loop.c" <<'END'
#include <stdlib.h>
int main(int count, char **arguments)
{
    (void)arguments;
    int n = 100000, *items = calloc((size_t)n, sizeof *items);
    long sum = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; ++i) {
        items[i] = i;
        if (count > 1) sum += i; /* unguarded */
    }
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < n; ++i) items[n - 1 - i] += i; /* another thread's items, after the barrier */
    free(items);
    return sum == 1;
}
END
clang -g -O1 -fopenmp -fsanitize=thread "$folder/loop.c" -o "$folder/loop" || exit 1
"$folder/loop" race 2>&1 | grep -q "WARNING: ThreadSanitizer: data race" && echo "ok 1 - a race is found" || { echo "not ok 1 - a race is found"; exit 1; }
"$folder/loop" >"$folder/log" 2>&1 && ! grep -q WARNING "$folder/log" && echo "ok 2 - a barrier is understood" ||
    { echo "not ok 2 - a barrier is understood"; sed 's/^/# /' "$folder/log"; exit 1; }
