#include "pair_blocks.h"

#include "base/parallel.h"
#include "fill.h"

/* Number of parts of the pairs, independent of the number of threads. */
enum { PARTS = 32 };

/* First group and first block. */
typedef struct group_place {
    int group, block;
} group_place;

/* Counts, and later places, by part and colour. */
typedef group_place part_places[PARTS][PROBLEM_COLOURS + 1];

/* Counts the groups and blocks of a part. Sets pair_group to the number of blocks of each pair. */
static void count_part(problem *self, const problem_input *from, int number, part_places places) {
    const slice of = slice_of(self->pairs.count, number, PARTS);
    for (int i = of.first; i < of.end; ++i) {
        const constraint_pair *pair = &self->pairs.items[i];
        group_place *count = &places[number][pair->colour];
        self->pair_group[i] = sources_count(from, pair);
        ++count->group, count->block += self->pair_group[i];
    }
    pairs_keep_colours(&self->pairs, from, of.first, of.end);
}

/* Turns counts into places and fills the problem's colours. */
static void find_places(problem *self, part_places places, int limit) {
    group_place first = {0, 0};
    self->colour_count = 0;
    for (int colour = 0; colour <= limit; ++colour) {
        const int begin = first.group;
        if (colour == limit) self->remainder_first = first.block;
        for (int number = 0; number < PARTS; ++number) {
            const group_place here = places[number][colour];
            places[number][colour] = first;
            first.group += here.group, first.block += here.block;
        }
        if (colour == limit || first.group > begin) self->colour_first[self->colour_count++] = begin;
    }
    --self->colour_count; /* the uncoloured remainder */
    self->colour_first[self->colour_count + 1] = first.group;
    self->group_count = first.group, self->block_count = first.block;
}

static void fill_part(problem *self, int number, part_places places) {
    const slice of = slice_of(self->pairs.count, number, PARTS);
    for (int i = of.first; i < of.end; ++i) {
        const constraint_pair *pair = &self->pairs.items[i];
        group_place *at = &places[number][pair->colour];
        const int blocks = self->pair_group[i];
        self->groups[at->group] =
            (block_group){.body_a = pair->a, .body_b = pair->b, .first = at->block, .count = blocks};
        self->pair_group[i] = at->group++;
        at->block += blocks;
    }
}

/* A stable counting sort by colour, so that equal inputs give equal orders. */
void groups_sort(problem *self, const problem_input *from, int limit, int threads) {
    assert(limit >= 1 && limit <= PROBLEM_COLOURS);
    part_places places = {{{0}}};
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (int number = 0; number < PARTS; ++number) count_part(self, from, number, places);
#pragma omp single
        find_places(self, places, limit);
#pragma omp for schedule(static)
        for (int number = 0; number < PARTS; ++number) fill_part(self, number, places);
    }
}
