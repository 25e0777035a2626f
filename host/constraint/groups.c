#include "groups.h"

/* Where a pair has rolling or spinning friction a resistance follows each contact. */
static int blocks_per_point(const body_array *bodies, const material_table *materials, const manifold *shape,
                            bool any) {
    if (!any) return 1;
    const scree_material_pair_def contact =
        material_combine(materials, bodies->materials[shape->a], bodies->materials[shape->b]);
    return contact.rolling_friction > 0 || contact.spinning_friction > 0 ? 2 : 1;
}

/* A counting sort by colour, stable, so that equal inputs give equal orders. */
void groups_sort(problem *self, const contact_set *contacts, const body_array *bodies,
                 const material_table *materials, int limit) {
    assert(limit >= 1 && limit <= PROBLEM_COLOURS);
    int pairs[PROBLEM_COLOURS + 1] = {0}; /* of each colour, the tail last */
    for (int i = 0; i < contacts->count; ++i) ++pairs[contacts->colours[i]];

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

    const bool any = material_resists(materials);
    for (int i = 0; i < contacts->count; ++i) {
        const manifold *shape = &contacts->pairs[i].manifold;
        const int group = next[contacts->colours[i]]++;
        self->groups[group] =
            (block_group){.body_a = shape->a,
                          .body_b = shape->b,
                          .count = shape->count * blocks_per_point(bodies, materials, shape, any)};
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
