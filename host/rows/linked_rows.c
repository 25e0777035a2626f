#include "linked_rows.h"

#include "joint_limits.h"

/* Returns the problem of the joints alone, which shares the arrays. */
static problem joints_of(const problem *self) {
    problem out = *self;
    out.pairs.count = out.group_count = self->linked;
    out.block_count = self->row_count;
    return out;
}

static void lay_groups(problem *self, const joint_array *joints) {
    for (int i = 0; i < self->linked; i++) {
        const constraint_pair *pair = &self->pairs.items[i];
        const slice links = pairs_links(&self->pairs, i);
        block_group *group = &self->groups[i];
        *group = (block_group){.body_a = pair->a, .body_b = pair->b, .first = joints->links[links.first].first_row};
        for (int k = links.first; k < links.end; k++) group->count += joints->links[k].blocks;
        self->pair_group[i] = i;
    }
}

/* Copies to and from a device may still use the scratch of the step. */
static scree_result count_crowd(problem *self, int *regrown) {
    void *counts;
    TRY(scratch_take(&self->pairs.own_scratch, (size_t)self->body_count * sizeof(uint32_t), &counts,
                     regrown));
    joint_colours_count(&self->pairs, counts, self->body_count, -1);
    return SCREE_OK;
}

static scree_result collect(problem *self, const problem_input *from, int *regrown) {
    contact_set none = {0};
    problem_input alone = *from;
    alone.contacts = &none, alone.materials = NULL;
    self->row_count = joint_limits_choose(from);
    TRY(pairs_collect(&self->pairs, &alone, 1, regrown));
    self->linked = self->pairs.count;
    self->system_count = self->row_count > 0 ? from->joints->link_count : 0;
    TRY(problem_reserve(self, OF_GROUPS, self->linked, regrown));
    TRY(problem_reserve(self, OF_JOINTS, self->system_count, regrown));
    TRY(problem_reserve(self, OF_ROWS, self->row_count, regrown));
    TRY(problem_reserve(self, OF_BLOCKS, self->row_count, regrown));
    self->block_count = self->row_count;
    TRY(problem_own_blocks(self, regrown));
    lay_groups(self, from->joints);
    return self->row_count > 0 ? count_crowd(self, regrown) : SCREE_OK;
}

scree_result linked_rows_collect(problem *self, const problem_input *from, int *regrown) {
    self->linked = self->row_count = self->system_count = 0;
    self->pairs.joined = self->pairs.crowd = 0;
    self->body_count = from->bodies->count + (from->joints && joints_grounded(from->joints));
    return from->joints && from->joints->link_count > 0 ? collect(self, from, regrown) : SCREE_OK;
}

scree_result linked_rows_fill(problem *self, const problem_input *from, int threads, int *regrown) {
    problem joints = joints_of(self);
    problem_refill(&joints, from, threads);
    const scree_result built = joint_forest_build(&joints, from, regrown);
    self->forest = joints.forest;
    TRY(built);
    const bool alone = self->block_count == self->row_count;
    self->forest.complete = self->forest.complete && alone;
    self->forest.places_bodies = self->forest.places_bodies && alone;
    problem_take_crowd(self);
    return SCREE_OK;
}

void linked_rows_scatter(const problem *self, const problem_input *from, int threads) {
    const problem joints = joints_of(self);
    problem_scatter(&joints, from, problem_solved(&joints), threads);
}

void linked_rows_renumber(problem *self, const int *groups, const int *blocks) {
    joint_forest *forest = &self->forest;
    for (int i = 0; i < self->system_count; i++) {
        system_place *place = &self->places[i];
        if (place->block_count > 0) place->first_block = blocks[place->first_block];
    }
    for (int i = 0; i < forest->node_count; i++) {
        joint_node *node = &forest->nodes[i];
        for (int k = 0; k < node->row_count; k++)
            node->rows[k] = 4 * blocks[node->rows[k] / 4] + node->rows[k] % 4;
        if (forest->groups[i] >= 0) forest->groups[i] = groups[forest->groups[i]];
    }
}
