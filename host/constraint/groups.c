#include "groups.h"

#include "base/parallel.h"
#include "source.h"

#include <string.h>

/* Pairs are cut into parts, whatever the number of threads. */
enum { PARTS = 32 };

/* Where the pairs of each colour begin that each part has. */
typedef int part_places[PARTS][PROBLEM_COLOURS + 1];

/* From how many there are; also fills the problem's colours. */
static void find_places(problem *self, part_places places, int limit) {
    int first = 0;
    self->colour_count = 0;
    for (int colour = 0; colour <= limit; ++colour) {
        const int begin = first;
        for (int number = 0; number < PARTS; ++number) {
            const int here = places[number][colour];
            places[number][colour] = first, first += here;
        }
        if (colour == limit || first > begin) self->colour_first[self->colour_count++] = begin;
    }
    --self->colour_count; /* the tail */
    self->colour_first[self->colour_count + 1] = first;
    self->group_count = first;
}

/* Numbers the blocks in the order of the groups. */
static void number_blocks(problem *self, int threads) {
    int sums[PARTS + 1] = {0};
    block_group *groups = self->groups;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int number = 0; number < PARTS; ++number)
        for (int g = part_of(self->group_count, number, PARTS).first;
             g < part_of(self->group_count, number, PARTS).end; ++g)
            groups[g].first = sums[number + 1], sums[number + 1] += groups[g].count;
    for (int number = 0; number < PARTS; ++number) sums[number + 1] += sums[number];
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int number = 0; number < PARTS; ++number)
        for (int g = part_of(self->group_count, number, PARTS).first;
             g < part_of(self->group_count, number, PARTS).end; ++g)
            groups[g].first += sums[number];
    const int tail = self->colour_first[self->colour_count];
    self->block_count = sums[PARTS];
    self->tail_first = tail < self->group_count ? groups[tail].first : self->block_count;
}

/* A counting sort by colour, stable, so that equal inputs give equal orders. */
void groups_sort(problem *self, const assembly *from, int limit, int threads) {
    const constraint_pairs *all = &self->pairs;
    assert(limit >= 1 && limit <= PROBLEM_COLOURS);
    part_places places;
    memset(places, 0, sizeof places);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int number = 0; number < PARTS; ++number)
        for (int i = part_of(all->count, number, PARTS).first; i < part_of(all->count, number, PARTS).end;
             ++i)
            ++places[number][all->items[i].colour];
    find_places(self, places, limit);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int number = 0; number < PARTS; ++number)
        for (int i = part_of(all->count, number, PARTS).first; i < part_of(all->count, number, PARTS).end;
             ++i) {
            const constraint_pair *pair = &all->items[i];
            const int group = places[number][pair->colour]++;
            self->groups[group] =
                (block_group){.body_a = pair->a, .body_b = pair->b, .count = sources_count(from, pair)};
            self->pair_group[i] = group;
        }
    number_blocks(self, threads);
}
