/* Entry points over all blocks of a problem that is contacts without drift alone, as many at once as a register has
 * floats, with the bits of solve.cl and residual.cl. */
#include "update.h"
#include "lanes.h"
#include "residual_sums.h"

/* The places of the blocks [first, first + SCREE_WIDTH) before `end`, and of the bodies a (0) or b (1) of those. */
SHARED lane_places row_places(const int first, const int end) {
    return places_of(0, 0, first, end - 1 - first < SCREE_WIDTH - 1 ? end - 1 - first : SCREE_WIDTH - 1);
}

SHARED lane_places body_places(global const float4 *blocks, const lane_places row, const int side) {
    return places_of((global const int *)(blocks + BLOCK_WORDS * row.more) + side, 4 * BLOCK_WORDS, 0, row.last);
}

SHARED scalar_mask row_used(const lane_places row) { return (int8)(0, 1, 2, 3, 4, 5, 6, 7) <= row.last; }

/* A_cc of the blocks, as `prepare` makes it: one work-item for so many. */
kernel void prepare_wide(global const float4 *blocks, global const float4 *mobility, global float4 *diagonals,
                         const int count) {
    const int first = SCREE_WIDTH * (int)get_global_id(0);
    if (first >= count) return;
    const lane_places row = row_places(first, count);
    const body_mobility a = mobilities_load(mobility, body_places(blocks, row, 0)),
                        b = mobilities_load(mobility, body_places(blocks, row, 1));
    diagonals_store(diagonals, row, row_used(row), block_prepared(contacts_load(blocks, row), a, b));
}

/* The shares of the sums, as `residual_chunks` makes them. One work-group per chunk. */
kernel void residual_wide_chunks(global const float4 *blocks, global const float4 *diagonals,
                                 global const float4 *impulses, global const float4 *kept,
                                 global const float4 *velocities, global const float4 *free_velocity,
                                 global accumulator *sums, const solve_parameters parameters, const int count) {
    local float shares[SUMS][RESIDUAL_CHUNK];
    const int chunk = (int)get_group_id(0), begin = chunk * RESIDUAL_CHUNK, left = count - begin,
              here = left < RESIDUAL_CHUNK ? left : RESIDUAL_CHUNK;
    const float limit = parameters.violation_limit;
    for (int k = SCREE_WIDTH * (int)get_local_id(0); k < here; k += SCREE_WIDTH * (int)get_local_size(0)) {
        const lane_places row = row_places(begin + k, count), bodies_a = body_places(blocks, row, 0),
                          bodies_b = body_places(blocks, row, 1);
        const block_residual one = contact_residual_of(
            contacts_load(blocks, row), diagonals_load(diagonals, row), parameters, impulses_load(impulses, row),
            impulses_load(kept, row), velocities_load(velocities, bodies_a), velocities_load(velocities, bodies_b),
            velocity_of_pass(velocities_load(free_velocity, bodies_a), parameters),
            velocity_of_pass(velocities_load(free_velocity, bodies_b), parameters));
        const scalar zero = scalar_of(0);
        vstore8(one.map, 0, shares[0] + k);
        vstore8(one.impulse, 0, shares[1] + k);
        vstore8(one.drive, 0, shares[2] + k);
        vstore8(one.change, 0, shares[3] + k);
        vstore8(one.map, 0, shares[4] + k);
        vstore8(zero, 0, shares[5] + k);
        vstore8(one.violation, 0, shares[6] + k);
        vstore8(one.free, 0, shares[7] + k);
        vstore8(limit > 0 ? choose(one.violation > limit, scalar_of(1), zero) : zero, 0, shares[8] + k);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    chunk_summed(shares[0], sums + SUMS * chunk, here);
}
