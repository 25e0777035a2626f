/* Entry points over a matrix: the launches of executor.h, and a whole iteration in one work-group. */
#include "matrix.h"

/* Double precision if the device supports it, as on the host. */
#if defined(SCREE_ACCUMULATE_DOUBLE) || defined(SCREE_DOUBLE)
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double accumulator;
#else
typedef float accumulator;
#endif

SHARED vec3s vector_at(global const scalar *values, const int i) {
    return vec3_of(values[3 * i], values[3 * i + 1], values[3 * i + 2]);
}

SHARED block3 block_at(global const scalar *blocks, const int k) {
    block3 m;
    m.x = vector_at(blocks, 3 * k), m.y = vector_at(blocks, 3 * k + 1), m.z = vector_at(blocks, 3 * k + 2);
    return m;
}

/* Prepares rows from the host's arrays. */
kernel void matrix_prepare(global matrix_row *rows, global const scalar *diagonal, global const scalar *drive,
                           global const scalar *friction, global const scalar *rolling,
                           global const scalar *spinning, global const scalar *share,
                           global const scalar *low, global const scalar *high,
                           global const int *first, global const int *kind, global const int *partner,
                           const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    matrix_row row;
    row.friction = friction[i], row.rolling = rolling[i], row.spinning = spinning[i];
    row.share = share[i];
    row.drive = vector_at(drive, i);
    row.box.low = vector_at(low, i), row.box.high = vector_at(high, i);
    row.first = first[i], row.count = first[i + 1] - first[i];
    row.kind = kind[i], row.partner = partner[i];
    rows[i] = matrix_row_prepared(row, block_at(diagonal, i));
}

/* Returns q + Σ W_ab r_b over all b except the row itself. */
SHARED vec3s others_at(global const matrix_row *row, global const scalar *entries,
                              global const int *columns, global const block_impulse *impulses) {
    vec3s sum = row->drive;
    const int first = row->first, end = first + row->count;
    for (int k = first; k < end; k++)
        sum = glms_vec3_add(sum, block3_times(block_at(entries, k), impulses[columns[k]].value));
    return sum;
}

/* Computes u = W r + q and stores r_N with it. */
SHARED void gather_row(global const matrix_row *rows, global const scalar *entries,
                              global const int *columns, global const block_impulse *impulses,
                              global block_impulse *velocities, const int i) {
    const vec3s r = impulses[i].value;
    velocities[i].value =
        glms_vec3_add(others_at(&rows[i], entries, columns, impulses), matrix_own_times(rows[i], r));
    velocities[i].shift = r.x;
}

SHARED void sweep_row(global const matrix_row *rows, global const scalar *entries,
                             global const int *columns, global block_impulse *impulses,
                             const solve_parameters parameters, const int i) {
    const matrix_row row = rows[i];
    scalar normal = 0;
    if (row.kind == BLOCK_RESISTANCE) normal = impulses[row.partner].value.x;
    impulses[i] =
        matrix_swept(row, parameters, impulses[i], others_at(&rows[i], entries, columns, impulses), normal);
}

SHARED void update_row(global const matrix_row *rows, global block_impulse *impulses,
                              global const block_impulse *velocities, const solve_parameters parameters,
                              const int i) {
    const matrix_row row = rows[i];
    scalar normal = 0;
    if (row.kind == BLOCK_RESISTANCE) normal = velocities[row.partner].shift;
    impulses[i] = matrix_updated(row, parameters, impulses[i], velocities[i].value, normal);
}

SHARED scalar uphill_of_chunk(global const matrix_row *rows, global const block_impulse *starts,
                                     global const block_impulse *impulses, global const block_impulse *before,
                                     const solve_parameters parameters, const int count, const int c) {
    scalar sum = 0;
    for (int i = c * MATRIX_CHUNK; i < count && i < (c + 1) * MATRIX_CHUNK; i++)
        sum += matrix_uphill(rows[i], parameters, starts[i].value, impulses[i].value, before[i].value);
    return sum;
}

/* Velocities are extrapolated only for Jacobi, whose update reads them. */
SHARED void extrapolate_row(global const matrix_row *rows, global block_impulse *impulses,
                                   global block_impulse *velocities, global block_impulse *starts,
                                   global block_impulse *before, global block_impulse *velocities_before,
                                   const scalar extrapolation, const solve_parameters parameters,
                                   const int i) {
    block_impulse r = impulses[i];
    const block_impulse u = velocities[i];
    if (parameters.read_shift) r.shift = matrix_shift(rows[i], parameters, u.value);
    const block_impulse y = impulse_extrapolated(r, before[i], extrapolation);
    before[i] = r;
    starts[i] = y;
    impulses[i] = y;
    if (parameters.split) {
        velocities[i].value = matrix_extrapolated(u.value, velocities_before[i].value, extrapolation);
        velocities[i].shift = y.value.x;
        velocities_before[i] = u;
    }
}

kernel void matrix_gather(global const matrix_row *rows, global const scalar *entries,
                          global const int *columns, global const block_impulse *impulses,
                          global block_impulse *velocities, const int count) {
    const int i = (int)get_global_id(0);
    if (i < count) gather_row(rows, entries, columns, impulses, velocities, i);
}

/* Sweeps the rows of one colour. */
kernel void matrix_sweep(global const matrix_row *rows, global const scalar *entries,
                         global const int *columns, global block_impulse *impulses,
                         const solve_parameters parameters, const int first, const int count) {
    const int i = (int)get_global_id(0);
    if (i < count) sweep_row(rows, entries, columns, impulses, parameters, first + i);
}

kernel void matrix_update(global const matrix_row *rows, global block_impulse *impulses,
                          global const block_impulse *velocities, const solve_parameters parameters,
                          const int first, const int count) {
    const int i = (int)get_global_id(0);
    if (i < count) update_row(rows, impulses, velocities, parameters, first + i);
}

/* The momentum between two iterations, in three launches as in nesterov.cl. */
kernel void matrix_uphill_chunks(global const matrix_row *rows, global const block_impulse *starts,
                                 global const block_impulse *impulses, global const block_impulse *before,
                                 global scalar *sums, const solve_parameters parameters, const int count,
                                 const int chunks) {
    const int c = (int)get_global_id(0);
    if (c < chunks) sums[c] = uphill_of_chunk(rows, starts, impulses, before, parameters, count, c);
}

kernel void matrix_nesterov(global nesterov_state *state, global const scalar *sums,
                            const solve_parameters parameters, const int chunks, const int count) {
    if ((int)get_global_id(0) >= count) return;
    scalar sum = 0;
    for (int c = 0; c < chunks; c++) sum += sums[c];
    state[0] = nesterov_after(state[0], sum, parameters.ceiling);
}

kernel void matrix_extrapolate(global const matrix_row *rows, global const nesterov_state *state,
                               global block_impulse *impulses, global block_impulse *velocities,
                               global block_impulse *starts, global block_impulse *before,
                               global block_impulse *velocities_before, const solve_parameters parameters,
                               const int count) {
    const int i = (int)get_global_id(0);
    if (i < count)
        extrapolate_row(rows, impulses, velocities, starts, before, velocities_before, state[0].extrapolation,
                        parameters, i);
}

/* Writes the sums of each chunk, in the order of residual_sum (executor.h). */
kernel void matrix_residuals(global const matrix_row *rows, global const block_impulse *impulses,
                             global const block_impulse *kept, global const block_impulse *velocities,
                             global accumulator *sums, const solve_parameters parameters, const int count,
                             const int chunks) {
    const int c = (int)get_global_id(0);
    if (c >= chunks) return;
    accumulator map = 0, impulse = 0, drive = 0, change = 0, largest = 0, velocity = 0, violation = 0, free = 0;
    for (int i = c * MATRIX_CHUNK; i < count && i < (c + 1) * MATRIX_CHUNK; i++) {
        scalar normal = 0;
        if (rows[i].kind == BLOCK_RESISTANCE) normal = velocities[rows[i].partner].shift;
        const matrix_residual one = matrix_residual_of(rows[i], parameters, impulses[i].value, kept[i].value,
                                                       velocities[i].value, normal);
        map += (accumulator)one.sum.map;
        impulse += (accumulator)one.sum.impulse;
        drive += (accumulator)one.sum.drive;
        change += (accumulator)one.sum.change;
        velocity += (accumulator)one.velocity;
        if ((accumulator)one.sum.map > largest) largest = (accumulator)one.sum.map;
        if ((accumulator)one.sum.violation > violation) violation = (accumulator)one.sum.violation;
        if ((accumulator)one.sum.free > free) free = (accumulator)one.sum.free;
    }
    sums[9 * c] = map;
    sums[9 * c + 1] = impulse;
    sums[9 * c + 2] = drive;
    sums[9 * c + 3] = change;
    sums[9 * c + 4] = largest;
    sums[9 * c + 5] = velocity;
    sums[9 * c + 6] = violation;
    sums[9 * c + 7] = free;
    sums[9 * c + 8] = 0;
}

/* Makes the iterations of a small problem in one work-group, with barriers instead of launches. The results
 * are the same, without the cost of a launch per colour. `step` has the parameters of the momentum; `shifts`:
 * Coulomb's shift is read every SHIFT_ITERATIONS; `made` counts the iterations before; `fresh`: the first
 * iteration already begins at an extrapolated point. */
kernel void matrix_iterate(global const matrix_row *rows, global const scalar *entries,
                           global const int *columns, global const int *colour_first,
                           global block_impulse *impulses, global block_impulse *velocities,
                           global block_impulse *starts, global block_impulse *before,
                           global block_impulse *velocities_before, global scalar *sums,
                           global nesterov_state *nesterov, const solve_parameters parameters,
                           solve_parameters step, const int kind, const int iterations, const int made,
                           const int accelerated, const int fresh, const int shifts, const int colours,
                           const int count) {
    const int item = (int)get_local_id(0), items = (int)get_local_size(0);
    const int chunks = (count + MATRIX_CHUNK - 1) / MATRIX_CHUNK;
    nesterov_state state = nesterov[0];
    for (int n = 0; n < iterations; n++) {
        if (accelerated && (n > 0 || !fresh)) {
            step.read_shift = shifts && (made + n) % SHIFT_ITERATIONS == 0;
            if (step.read_shift && kind != SWEEP_JACOBI) {
                for (int i = item; i < count; i += items)
                    gather_row(rows, entries, columns, impulses, velocities, i);
                barrier(CLK_GLOBAL_MEM_FENCE);
            }
            for (int c = item; c < chunks; c += items)
                sums[c] = uphill_of_chunk(rows, starts, impulses, before, step, count, c);
            barrier(CLK_GLOBAL_MEM_FENCE);
            scalar sum = 0;
            for (int c = 0; c < chunks; c++) sum += sums[c];
            state = nesterov_after(state, sum, step.ceiling);
            for (int i = item; i < count; i += items)
                extrapolate_row(rows, impulses, velocities, starts, before, velocities_before,
                                state.extrapolation, step, i);
            barrier(CLK_GLOBAL_MEM_FENCE);
        }
        if (kind == SWEEP_JACOBI) {
            for (int i = item; i < count; i += items) update_row(rows, impulses, velocities, parameters, i);
            barrier(CLK_GLOBAL_MEM_FENCE);
            for (int i = item; i < count; i += items)
                gather_row(rows, entries, columns, impulses, velocities, i);
            barrier(CLK_GLOBAL_MEM_FENCE);
        } else {
            /* Colours forward, then backward for SWEEP_BOTH_WAYS. */
            const int turns = kind == SWEEP_BOTH_WAYS ? 2 * colours : colours;
            for (int turn = 0; turn < turns; turn++) {
                const int colour = turn < colours ? turn : 2 * colours - 1 - turn;
                const int end = colour_first[colour + 1];
                for (int i = colour_first[colour] + item; i < end; i += items)
                    sweep_row(rows, entries, columns, impulses, parameters, i);
                barrier(CLK_GLOBAL_MEM_FENCE);
            }
        }
    }
    if (item == 0) nesterov[0] = state;
}
