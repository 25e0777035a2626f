#include "groups.h"

#include "source.h"

/* A counting sort by colour, stable, so that equal inputs give equal orders. */
void groups_sort(problem *self, const assembly *from, int limit) {
    const constraint_pairs *all = &self->pairs;
    assert(limit >= 1 && limit <= PROBLEM_COLOURS);
    int pairs[PROBLEM_COLOURS + 1] = {0}; /* of each colour, the tail last */
    for (int i = 0; i < all->count; ++i) ++pairs[all->items[i].colour];

    int next[PROBLEM_COLOURS + 1], first = 0;
    self->colour_count = 0;
    for (int colour = 0; colour <= limit; ++colour) {
        if (colour == limit || pairs[colour]) self->colour_first[self->colour_count++] = first;
        next[colour] = first;
        first += pairs[colour];
    }
    --self->colour_count; /* the tail */
    self->colour_first[self->colour_count + 1] = first;
    self->group_count = first;

    for (int i = 0; i < all->count; ++i) {
        const constraint_pair *pair = &all->items[i];
        const int group = next[pair->colour]++;
        self->groups[group] =
            (block_group){.body_a = pair->a, .body_b = pair->b, .count = sources_count(from, pair)};
        self->group_pair[group] = i;
    }
    int block = 0;
    self->tail_first = 0;
    for (int group = 0; group < self->group_count; ++group) {
        self->groups[group].first = block;
        block += self->groups[group].count;
        if (group + 1 == self->colour_first[self->colour_count]) self->tail_first = block;
    }
    self->block_count = block;
}
