#include "sweep_bytes.h"

#include "block.h"
#include "method.h"

/* Returns whether a slot has mass. The ground, after the last body, has none. */
static bool has_mass(const body_array *bodies, int slot) {
    return slot < bodies->count && bodies->masses[slot].mass > 0;
}

uint64_t sweep_bytes_of_counts(sweep_counts of) {
    return of.groups * sizeof(block_group) + of.filled * 2 * (sizeof(body_mobility) + sizeof(body_velocity)) +
           of.ends * sizeof(body_velocity) +
           of.blocks * (sizeof(constraint_block) + 2 * sizeof(block_impulse) + sizeof(block_diagonal)) +
           of.bounded * sizeof(bounded_rows);
}

static uint64_t bounded_in(const problem *p, int first, int end) {
    uint64_t count = 0;
    for (int i = first; i < end; i++) count += block_is_bounded(p->blocks[i]) ? 1 : 0;
    return count;
}

uint64_t sweep_bytes_of_groups(const problem *p, const body_array *bodies, int first, int end) {
    sweep_counts sum = {.groups = end > first ? (uint64_t)(end - first) : 0};
    for (int g = first; g < end; g++) {
        const block_group group = p->groups[g];
        if (group.count == 0) continue;
        sum.filled++;
        sum.ends += (uint64_t)has_mass(bodies, group.body_a) + (uint64_t)has_mass(bodies, group.body_b);
        sum.blocks += (uint64_t)group.count;
        sum.bounded += bounded_in(p, group.first, group.first + group.count);
    }
    return sweep_bytes_of_counts(sum);
}

static uint64_t split_bytes(uint64_t blocks, uint64_t bounded) {
    return blocks * (sizeof(constraint_block) + 2 * sizeof(block_impulse) +
                     2 * (sizeof(body_velocity) + sizeof(body_mobility) + sizeof(body_split))) +
           bounded * sizeof(bounded_rows);
}

static bool all_mass_split(const scree_solver_def *options) {
    return method_row_of(options->method)->kind == ITERATION_JACOBI;
}

static int first_split(const problem *p, const scree_solver_def *options) {
    return all_mass_split(options) ? 0 : p->remainder_first;
}

uint64_t sweep_bytes_of_mass_split(const problem *p, const scree_solver_def *options) {
    const int first = first_split(p, options);
    return split_bytes((uint64_t)(p->block_count - first), bounded_in(p, first, p->block_count));
}

uint64_t sweep_bytes(const problem *p, const body_array *bodies, const scree_solver_def *options) {
    const int end = all_mass_split(options) ? 0 : p->colour_first[p->colour_count];
    return sweep_bytes_of_groups(p, bodies, 0, end) + sweep_bytes_of_mass_split(p, options);
}

uint64_t sweep_bytes_away(const problem *p, uint64_t ends, uint64_t empty, const scree_solver_def *options) {
    const int first = first_split(p, options);
    const bool all = all_mass_split(options);
    const uint64_t groups = (uint64_t)p->colour_first[p->colour_count],
                   bounded = bounded_in(p, 0, p->row_count);
    const sweep_counts coloured = {.groups = groups,
                                   .filled = groups - empty,
                                   .ends = ends,
                                   .blocks = (uint64_t)p->remainder_first,
                                   .bounded = bounded};
    return (all ? 0 : sweep_bytes_of_counts(coloured)) +
           split_bytes((uint64_t)(p->block_count - first), all ? bounded : 0);
}
