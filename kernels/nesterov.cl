/* Entry points of the momentum between two iterations, in the order of their launches. */
#include "nesterov.h"

/* Sums over fixed chunks of blocks, in their order. */
kernel void nesterov_chunks(global const block_diagonal *diagonals, global const block_impulse *starts,
                            global const block_impulse *impulses, global const block_impulse *before,
                            global scalar *sums, const int count, const int chunks) {
    const int c = (int)get_global_id(0);
    if (c >= chunks) return;
    scalar sum = 0;
    for (int i = c * RESIDUAL_CHUNK; i < count && i < (c + 1) * RESIDUAL_CHUNK; i++)
        sum += block_uphill(diagonals[i], starts[i], impulses[i], before[i]);
    sums[c] = sum;
}

/* One work-item. */
kernel void nesterov_next(global nesterov_state *state, global const scalar *sums,
                          const solve_parameters parameters, const int chunks, const int count) {
    if ((int)get_global_id(0) >= count) return;
    scalar sum = 0;
    for (int c = 0; c < chunks; c++) sum += sums[c];
    state[0] = nesterov_after(state[0], sum, parameters.ceiling);
}

/* One work-item per block: reads the shift if asked to, keeps r and goes on to y. */
kernel void nesterov_impulses(global const constraint_block *blocks, global const nesterov_state *state,
                              global const body_velocity *velocities, global block_impulse *impulses,
                              global block_impulse *starts, global block_impulse *before,
                              const solve_parameters parameters, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    block_impulse r = impulses[i];
    if (parameters.read_shift)
        r.shift =
            block_shift(blocks[i], parameters, velocities[blocks[i].body_a], velocities[blocks[i].body_b]);
    const block_impulse y = impulse_extrapolated(r, before[i], state[0].extrapolation);
    before[i] = r;
    starts[i] = y;
    impulses[i] = y;
}

/* One work-item per body. */
kernel void nesterov_velocities(global const nesterov_state *state, global body_velocity *velocities,
                                global body_velocity *before, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const body_velocity v = velocities[i];
    velocities[i] = velocity_extrapolated(v, before[i], state[0].extrapolation);
    before[i] = v;
}
