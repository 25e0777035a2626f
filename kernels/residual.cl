/* Entry points of the residual: each block's share, then sums over fixed chunks of blocks in their order, so
 * that the bits depend neither on the work-group size nor on the device. */
#include "bounded_rows.h"

/* Double precision where the device has it, as on the host. */
#ifdef SCREE_ACCUMULATE_DOUBLE
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double accumulator;
#else
typedef float accumulator;
#endif

kernel void residual_blocks(global const constraint_block *blocks, global const bounded_rows *rows,
                            global const block_diagonal *diagonals,
                            global const block_impulse *impulses, global const block_impulse *kept,
                            global const body_velocity *velocities, global const body_velocity *free_velocity,
                            global block_residual *residuals, const solve_parameters parameters,
                            const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const constraint_block block = blocks[i];
    const body_velocity a = velocities[block.body_a], b = velocities[block.body_b],
                        free_a = velocity_of_pass(free_velocity[block.body_a], parameters),
                        free_b = velocity_of_pass(free_velocity[block.body_b], parameters);
    if (block_is_bounded(block)) {
        residuals[i] = bounded_residual_of(block, rows[block.rows], diagonals[i], parameters, impulses[i], kept[i], a,
                                           b, free_a, free_b);
        return;
    }
    const scalar normal = block_is_resistance(block) ? impulses[i - 1].value.x : 0;
    residuals[i] = block_residual_of(block, diagonals[i], parameters, impulses[i], kept[i], normal, a, b, free_a,
                                     free_b);
}

/* Writes the sums of each chunk, in the order of residual_sum (executor.h); its ‖u‖² is of matrices alone. */
kernel void residual_chunks(global const block_residual *residuals, global accumulator *sums,
                            const solve_parameters parameters, const int count, const int chunks) {
    const int c = (int)get_global_id(0);
    if (c >= chunks) return;
    accumulator map = 0, impulse = 0, drive = 0, change = 0, largest = 0, violation = 0, free = 0, violated = 0;
    const scalar limit = parameters.violation_limit;
    for (int i = c * RESIDUAL_CHUNK; i < count && i < (c + 1) * RESIDUAL_CHUNK; i++) {
        const block_residual one = residuals[i];
        map += (accumulator)one.map;
        impulse += (accumulator)one.impulse;
        drive += (accumulator)one.drive;
        change += (accumulator)one.change;
        if ((accumulator)one.map > largest) largest = (accumulator)one.map;
        if ((accumulator)one.violation > violation) violation = (accumulator)one.violation;
        if (limit > 0 && one.violation > limit) violated += 1;
        if ((accumulator)one.free > free) free = (accumulator)one.free;
    }
    sums[9 * c] = map;
    sums[9 * c + 1] = impulse;
    sums[9 * c + 2] = drive;
    sums[9 * c + 3] = change;
    sums[9 * c + 4] = largest;
    sums[9 * c + 5] = 0;
    sums[9 * c + 6] = violation;
    sums[9 * c + 7] = free;
    sums[9 * c + 8] = violated;
}
