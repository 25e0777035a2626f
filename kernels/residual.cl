/* Entry points of the residual: each block's contribution, and sums over fixed chunks of blocks in their
 * order, so that the bits depend neither on the work-group size nor on the device. */
#include "bounded_rows.h"
#include "residual_sums.h"

/* Returns one block's contribution to the sums. */
SHARED block_residual residual_at(global const constraint_block *blocks, global const bounded_rows *rows,
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

/* Sums one chunk per work-group; the blocks' contributions are computed in parallel. */
kernel void residual_chunks(global const constraint_block *blocks, global const block_diagonal *diagonals,
                            global const block_impulse *impulses, global const block_impulse *kept,
                            global const body_velocity *velocities, global const body_velocity *free_velocity,
                            global accumulator *sums, const solve_parameters parameters, const int count,
                            global const bounded_rows *rows) {
    local float8 shares[RESIDUAL_CHUNK];
    const int chunk = (int)get_group_id(0), first = chunk * RESIDUAL_CHUNK, left = count - first,
              here = left < RESIDUAL_CHUNK ? left : RESIDUAL_CHUNK, number = (int)get_local_id(0);
    for (int k = number; k < here; k += WORK_GROUP) {
        const block_residual one = residual_at(blocks, rows, diagonals, impulses, kept, velocities, free_velocity,
                                               parameters, first + k);
        shares[k] = (float8)(one.map, one.impulse, one.drive, one.change, one.violation, one.free,
                             share_violated(one, parameters.violation_limit), 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    chunk_summed(shares, sums + SUMS * chunk, here);
}

#ifdef SCREE_ACCUMULATE_DOUBLE
#include "eager.h"

enum { TEST_NUMBERS = SUMS + 1 };

/* Totals all chunks in one work-group and stores the totals and the number of restarts so far as test
 * `number` of `tests`. Then decides as the host would: whether the iterate is the best one, and the ceiling
 * of the momentum's t in states[at]. */
kernel void judge(global const accumulator *sums, global double *tests, global eager_control *control,
                  global nesterov_state *states, const int chunks, const int number, const int made,
                  const int momentum, const int at) {
    local double items[SUMS * WORK_GROUP], totals[SUMS];
    const int k = (int)get_local_id(0), finds_largest = k == 4 || k == 6 || k == 7;
    double total = 0;
    for (int first = 0; first < chunks; first += WORK_GROUP) {
        const int left = chunks - first, here = left < WORK_GROUP ? left : WORK_GROUP;
        for (int i = k; i < SUMS * here; i += WORK_GROUP) items[i] = sums[SUMS * first + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (k < SUMS)
            for (int i = 0; i < here; i++) {
                const double item = items[SUMS * i + k];
                total = !finds_largest ? total + item : item > total ? item : total;
            }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (k < SUMS) totals[k] = total, tests[TEST_NUMBERS * number + k] = total;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (k != 0) return;
    const double residual = eager_residual(totals[0], totals[1], totals[2], totals[6], totals[7]);
    eager_control after = number == 0 ? eager_begin(residual) : eager_tested(*control, residual, made, momentum);
    tests[TEST_NUMBERS * number + SUMS] = states[at].restarts;
    states[at].ceiling = (float)after.ceiling;
    *control = after;
}

/* Keep the best iterate, and restore it at the end. One work-item per block. */
kernel void keep_best(global const eager_control *control, global const block_impulse *impulses,
                      global block_impulse *best, const int count) {
    const int i = (int)get_global_id(0);
    if (i < count && control->is_best) best[i] = impulses[i];
}

kernel void take_best(global const eager_control *control, global block_impulse *impulses,
                      global const block_impulse *best, const int count) {
    const int i = (int)get_global_id(0);
    if (i < count && !control->is_best) impulses[i] = best[i];
}
#endif
