/* Entry points of the momentum between two iterations, in the order of their launches. One work-group makes
 * each sum, of a chunk or of all chunks: it loads the terms in parallel and adds them in order. */
#include "chunks.h"

/* Stores the sum of a chunk's terms in their order. */
SHARED void chunk_total(local const scalar *items, const int here, global scalar *sum) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) != 0) return;
    scalar total = 0;
    for (int k = 0; k < here; k++) total += items[k];
    *sum = total;
}

SHARED int chunk_length(const int first, const int count) {
    return count - first < RESIDUAL_CHUNK ? count - first : RESIDUAL_CHUNK;
}

/* Sums over fixed chunks of blocks in their order. One work-group per chunk. */
kernel void nesterov_chunks(global const block_diagonal *diagonals, global const block_impulse *starts,
                            global const block_impulse *impulses, global const block_impulse *before,
                            global scalar *sums, const int count) {
    local scalar items[RESIDUAL_CHUNK];
    const int chunk = (int)get_group_id(0), first = chunk * RESIDUAL_CHUNK, here = chunk_length(first, count);
    for (int k = (int)get_local_id(0); k < here; k += WORK_GROUP) {
        const int i = first + k;
        items[k] = block_uphill(diagonals[i], starts[i], impulses[i], before[i]);
    }
    chunk_total(items, here, &sums[chunk]);
}

/* Does so for terms that a sweep has left (balls.cl). */
kernel void nesterov_terms(global const scalar *terms, global scalar *sums, const int count) {
    local scalar items[RESIDUAL_CHUNK];
    const int chunk = (int)get_group_id(0), first = chunk * RESIDUAL_CHUNK, here = chunk_length(first, count);
    for (int k = (int)get_local_id(0); k < here; k += WORK_GROUP) items[k] = terms[first + k];
    chunk_total(items, here, &sums[chunk]);
}

/* Replaces the first chunk's sum by the sum of all chunks, in one work-group. */
kernel void nesterov_total(global scalar *sums, const int chunks) {
    local scalar items[WORK_GROUP];
    const scalar sum = chunks_total(sums, chunks, items);
    if (get_local_id(0) == 0) sums[0] = sum;
}

/* Advances the momentum, or restarts it (`fresh`), reads the shift if read_shift is set, and extrapolates
 * blocks and bodies from r to y, one work-item per block and per body. A body's y replaces the previous
 * velocities, whose buffer then changes places with that of the current ones. The old state is in
 * states[from]; the new one goes to the other. */
kernel void nesterov_step(global const constraint_block *blocks, global nesterov_state *states,
                          global const scalar *sums, global const body_velocity *velocities,
                          global body_velocity *velocities_next, global block_impulse *impulses,
                          global block_impulse *starts, global block_impulse *before,
                          const solve_parameters parameters, const int from, const int fresh, const int chunks,
                          const int block_count, const int body_count) {
    local scalar items[WORK_GROUP];
    const int i = (int)get_global_id(0);
    nesterov_state state = states[from];
    if (fresh)
        state.t = 1, state.extrapolation = 0;
    else
        state = nesterov_after(state, chunks_total(sums, chunks, items), parameters.ceiling);
    if (i == 0) states[1 - from] = state;
    if (i < block_count) {
        block_impulse r = impulses[i];
        if (parameters.read_shift)
            r.shift = block_shift(blocks[i], parameters, velocities[blocks[i].body_a], velocities[blocks[i].body_b]);
        const block_impulse y = impulse_extrapolated(r, fresh ? r : before[i], state.extrapolation);
        before[i] = r;
        starts[i] = y;
        impulses[i] = y;
    }
    if (i < body_count) {
        const body_velocity v = velocities[i];
        velocities_next[i] = velocity_extrapolated(v, fresh ? v : velocities_next[i], state.extrapolation);
    }
}

/* Does so for bodies alone, where the sweeps extrapolate the blocks (balls.cl). */
kernel void nesterov_bodies(global nesterov_state *states, global const scalar *sums,
                            global const body_velocity *velocities, global body_velocity *velocities_next,
                            const scalar ceiling, const int from, const int chunks, const int body_count) {
    local scalar items[WORK_GROUP];
    const int i = (int)get_global_id(0);
    const nesterov_state state = nesterov_after(states[from], chunks_total(sums, chunks, items), ceiling);
    if (i == 0) states[1 - from] = state;
    if (i < body_count) velocities_next[i] = velocity_extrapolated(velocities[i], velocities_next[i], state.extrapolation);
}
