#include "sweep_bytes.h"

#include "block.h"
#include "method.h"

/* Returns whether a slot has mass. The ground, after the last body, has none. */
static bool has_mass(const body_array *bodies, int slot) {
    return slot < bodies->count && bodies->masses[slot].mass > 0;
}

static size_t block_bytes(const constraint_block *block) {
    return sizeof *block + (block_is_bounded(*block) ? sizeof(bounded_rows) : 0) + 2 * sizeof(block_impulse);
}

uint64_t sweep_bytes_of_groups(const problem *p, const body_array *bodies, int first, int end) {
    uint64_t bytes = 0;
    for (int g = first; g < end; g++) {
        const block_group group = p->groups[g];
        const size_t written =
            (size_t)has_mass(bodies, group.body_a) + (size_t)has_mass(bodies, group.body_b);
        bytes += sizeof group;
        if (group.count == 0) continue;
        bytes += 2 * sizeof(body_mobility) + (2 + written) * sizeof(body_velocity);
        for (int i = group.first; i < group.first + group.count; i++)
            bytes += block_bytes(&p->blocks[i]) + sizeof(block_diagonal);
    }
    return bytes;
}

static bool all_mass_split(const scree_solver_def *options) {
    return method_row_of(options->method)->kind == ITERATION_JACOBI;
}

uint64_t sweep_bytes_of_mass_split(const problem *p, const scree_solver_def *options) {
    uint64_t bytes = 0;
    for (int i = all_mass_split(options) ? 0 : p->remainder_first; i < p->block_count; i++)
        bytes += block_bytes(&p->blocks[i]) +
                 2 * (sizeof(body_velocity) + sizeof(body_mobility) + sizeof(body_split));
    return bytes;
}

uint64_t sweep_bytes(const problem *p, const body_array *bodies, const scree_solver_def *options) {
    const int end = all_mass_split(options) ? 0 : p->colour_first[p->colour_count];
    return sweep_bytes_of_groups(p, bodies, 0, end) + sweep_bytes_of_mass_split(p, options);
}
