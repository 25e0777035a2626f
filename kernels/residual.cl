/* Entry point of the residual: each block's share, and sums over fixed chunks of blocks in their order, so
 * that the bits depend neither on the work-group size nor on the device. */
#include "bounded_rows.h"

/* Double precision where the device has it, as on the host. */
#ifdef SCREE_ACCUMULATE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double accumulator;
#else
typedef float accumulator;
#endif

/* One block's share of the sums. */
static inline block_residual residual_at(global const constraint_block *blocks, global const bounded_rows *rows,
                                         global const block_diagonal *diagonals, global const block_impulse *impulses,
                                         global const block_impulse *kept, global const body_velocity *velocities,
                                         global const body_velocity *free_velocity, const solve_parameters parameters,
                                         const int i) {
    const constraint_block block = blocks[i];
    const body_velocity a = velocities[block.body_a], b = velocities[block.body_b],
                        free_a = velocity_of_pass(free_velocity[block.body_a], parameters),
                        free_b = velocity_of_pass(free_velocity[block.body_b], parameters);
    if (block_is_bounded(block))
        return bounded_residual_of(block, rows[block.rows], diagonals[i], parameters, impulses[i], kept[i], a, b,
                                   free_a, free_b);
    const scalar normal = block_is_resistance(block) ? impulses[i - 1].value.x : 0;
    return block_residual_of(block, diagonals[i], parameters, impulses[i], kept[i], normal, a, b, free_a, free_b);
}

enum { SUMS = 9 };

/* One work-group per chunk, whose blocks' shares it finds side by side; then a work-item for each sum, in the order of
 * residual_sum (executor.h), adds them in order. Its ‖u‖² is of matrices alone. */
kernel void residual_chunks(global const constraint_block *blocks, global const bounded_rows *rows,
                            global const block_diagonal *diagonals, global const block_impulse *impulses,
                            global const block_impulse *kept, global const body_velocity *velocities,
                            global const body_velocity *free_velocity, global accumulator *sums,
                            const solve_parameters parameters, const int count) {
    local scalar shares[SUMS][RESIDUAL_CHUNK];
    const int chunk = (int)get_group_id(0), first = chunk * RESIDUAL_CHUNK, left = count - first,
              here = left < RESIDUAL_CHUNK ? left : RESIDUAL_CHUNK, number = (int)get_local_id(0);
    const scalar limit = parameters.violation_limit;
    for (int k = number; k < here; k += WORK_GROUP) {
        const block_residual one = residual_at(blocks, rows, diagonals, impulses, kept, velocities, free_velocity,
                                               parameters, first + k);
        shares[0][k] = one.map;
        shares[1][k] = one.impulse;
        shares[2][k] = one.drive;
        shares[3][k] = one.change;
        shares[4][k] = one.map;
        shares[5][k] = 0;
        shares[6][k] = one.violation;
        shares[7][k] = one.free;
        shares[8][k] = limit > 0 && one.violation > limit ? 1 : 0;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (number >= SUMS) return;
    const int finds_largest = number == 4 || number == 6 || number == 7;
    accumulator sum = 0;
    for (int k = 0; k < here; k++) {
        const accumulator share = (accumulator)shares[number][k];
        sum = !finds_largest ? sum + share : share > sum ? share : sum;
    }
    sums[SUMS * chunk + number] = sum;
}
