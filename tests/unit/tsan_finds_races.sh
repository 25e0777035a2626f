#!/usr/bin/env bash
# A clean TSan run is meaningful only if TSan finds races: it reports a loop with a race, and not one without. Only in the tsan build.
set -u
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
source=${SCREE_SOURCE_DIR:?}/host
cat >"$folder/loop.c" <<'END'
#include "base/parallel.h"
#include "base/team.h"

#include <stdlib.h>
#include <unistd.h>

enum { ITEMS = 100000 };

typedef struct loop {
    int *items;
    long *sum;
} loop;

static void fill(const void *context, slice part) {
    const loop of = *(const loop *)context;
    if (of.sum) *of.sum += part.first; /* unguarded */
    usleep(1000);                      /* so that other threads take slices */
    for (int i = part.first; i < part.end; i++) of.items[i] = i;
}

/* Reads other threads' items, after the barrier. */
static void turn(const void *context, slice part) {
    const loop of = *(const loop *)context;
    usleep(1000);
    for (int i = part.first; i < part.end; i++) of.items[ITEMS - 1 - i] += i;
}

int main(int count, char **arguments) {
    (void)arguments;
    long sum = 0;
    const loop of = {calloc(ITEMS, sizeof(int)), count > 1 ? &sum : NULL};
    team *helpers = team_create(4, NULL);
    team_lead(helpers);
    parallel_for(4, ITEMS, fill, &of);
    parallel_for(4, ITEMS, turn, &of);
    team_destroy(helpers);
    free(of.items);
    return sum == 1;
}
END
clang -std=c11 -D_GNU_SOURCE -g -O1 -fsanitize=thread -I "$source" -I "$source/../include" "$folder/loop.c" \
    "$source"/base/{team,parallel,memory,error,error_store,allocator,edit_distance}.c -pthread -lm -o "$folder/loop" || exit 1
"$folder/loop" race 2>&1 | grep -q "WARNING: ThreadSanitizer: data race" && echo "ok 1 - a race is found" || { echo "not ok 1 - a race is found"; exit 1; }
"$folder/loop" >"$folder/log" 2>&1 && ! grep -q WARNING "$folder/log" && echo "ok 2 - a barrier is understood" ||
    { echo "not ok 2 - a barrier is understood"; sed 's/^/# /' "$folder/log"; exit 1; }
