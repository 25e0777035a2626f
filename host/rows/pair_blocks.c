#include "problem.h"

#include "base/parallel.h"
#include "fill.h"

#include <string.h>

/* Most slices of the pairs; any number gives the same order. */
enum { SLICES = 32 };

/* First group and first block. */
typedef struct group_place {
    int group, block;
} group_place;

/* Counts, and later places, by slice and colour. */
typedef group_place slice_places[SLICES][PROBLEM_COLOURS + 1];

/* Counts the groups and blocks of a slice. Sets pair_group to the number of blocks of each pair. */
static void count_slice(problem *self, const problem_input *from, int number, int slices,
                        slice_places places) {
    const slice of = slice_of(self->pairs.count, number, slices);
    for (int i = of.first; i < of.end; i++) {
        const constraint_pair *pair = &self->pairs.items[i];
        group_place *count = &places[number][pair->colour];
        self->pair_group[i] = sources_count(from, self, i);
        ++count->group;
        count->block += self->pair_group[i];
    }
    pairs_keep_colours(&self->pairs, from, of.first, of.end);
}

void problem_take_colours(problem *self, const int *firsts, int limit) {
    self->colour_count = 0;
    for (int colour = 0; colour <= limit; colour++)
        if (colour == limit || firsts[colour + 1] > firsts[colour])
            self->colour_first[self->colour_count++] = firsts[colour];
    --self->colour_count; /* the uncoloured remainder */
    self->colour_first[self->colour_count + 1] = firsts[limit + 1];
    self->group_count = firsts[limit + 1];
}

/* Turns counts into places and fills the problem's colours. */
static void find_places(problem *self, slice_places places, int slices, int limit) {
    group_place first = {0, 0};
    int firsts[PROBLEM_COLOURS + 2];
    for (int colour = 0; colour <= limit; colour++) {
        firsts[colour] = first.group;
        if (colour == limit) self->remainder_first = first.block;
        for (int number = 0; number < slices; number++) {
            const group_place here = places[number][colour];
            places[number][colour] = first;
            first.group += here.group;
            first.block += here.block;
        }
    }
    firsts[limit + 1] = first.group;
    problem_take_colours(self, firsts, limit);
    self->block_count = first.block;
}

/* Fills the groups of a slice. Sets pair_group, so far the number of blocks, to the group of each pair. */
static void fill_slice(problem *self, int number, int slices, slice_places places) {
    const slice of = slice_of(self->pairs.count, number, slices);
    for (int i = of.first; i < of.end; i++) {
        const constraint_pair *pair = &self->pairs.items[i];
        group_place *at = &places[number][pair->colour];
        const int blocks = self->pair_group[i];
        self->groups[at->group] =
            (block_group){.body_a = pair->a, .body_b = pair->b, .first = at->block, .count = blocks};
        self->pair_group[i] = at->group++;
        at->block += blocks;
    }
}

typedef struct sort_loop {
    problem *self;
    const problem_input *from;
    int slices;
    group_place (*places)[PROBLEM_COLOURS + 1];
} sort_loop;

static void count_slices(const void *context, slice part) {
    const sort_loop loop = *(const sort_loop *)context;
    for (int number = part.first; number < part.end; number++)
        count_slice(loop.self, loop.from, number, loop.slices, loop.places);
}

static void fill_slices(const void *context, slice part) {
    const sort_loop loop = *(const sort_loop *)context;
    for (int number = part.first; number < part.end; number++)
        fill_slice(loop.self, number, loop.slices, loop.places);
}

/* A stable counting sort by colour, so that equal inputs give equal orders. */
void groups_sort(problem *self, const problem_input *from, int limit, int threads) {
    assert(limit >= 1 && limit <= PROBLEM_COLOURS);
    slice_places places;
    const int slices = threads > 1 ? SLICES : 1;
    for (int i = 0; i < slices; i++) memset(places[i], 0, sizeof *places[i] * (size_t)(limit + 1));
    const sort_loop loop = {.self = self, .from = from, .slices = slices, .places = places};
    parallel_for(threads, slices, count_slices, &loop);
    find_places(self, places, slices, limit);
    parallel_for(threads, slices, fill_slices, &loop);
}
