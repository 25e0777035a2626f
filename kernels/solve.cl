/* Entry points of a solve apart from its sweeps: each is one launch of executor.h. */
#include "displacement.h"
#include "nesterov.h"

/* Computes A_cc of each block and its inverses, and with `balls` the mobility that sweeps of balls read. */
kernel void prepare(global const constraint_block *blocks, global const bounded_rows *rows,
                    global const body_mobility *mobility, global block_diagonal *diagonals,
                    global ball_mobility *of_balls, const int balls, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const constraint_block block = blocks[i];
    const body_mobility a = mobility[block.body_a], b = mobility[block.body_b];
    if (block_is_bounded(block))
        diagonals[i] = bounded_prepared(block, rows[block.rows], a, b);
    else
        diagonals[i] = block_prepared(block, a, b);
    if (balls) of_balls[i] = ball_mobility_of(a, b);
}

/* Returns Σ Jᵀ r over the entries [first, end) of the incidence in their order; with `rebounds`, of bouncing
 * contacts only. */
SHARED body_impulse entries_summed(global const constraint_block *blocks, global const block_impulse *impulses,
                                          global const int *incidence, const int rebounds, const int first,
                                          const int end) {
    body_impulse sum;
    sum.linear = glms_vec3_zero(), sum.angular = glms_vec3_zero();
    for (int k = first; k < end; k++) {
        const int block = incidence[k] >> 1, side = incidence[k] & 1;
        sum = rebounds ? body_rebound_plus(sum, blocks[block], impulses[block], side)
                       : body_impulse_plus(sum, blocks[block], impulses[block], side);
    }
    return sum;
}

/* Returns where the sum of piece k is stored for a body whose entries begin at `first`. Bodies with pieces
 * have more than GATHER_PIECE entries, so places of different bodies do not overlap. */
SHARED int piece_place(const int first, const int k) { return first / (GATHER_PIECE / 2) + k; }

/* Sums one piece of a body with many blocks per work-item; `pieces` has the body (x) and the index of the
 * piece (y). */
kernel void gather_pieces(global const constraint_block *blocks, global const block_impulse *impulses,
                          global const int *incidence_first, global const int *incidence, global const int2 *pieces,
                          global body_velocity *sums, const int rebounds, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const int body = pieces[i].x, k = pieces[i].y, from = incidence_first[body], all = incidence_first[body + 1],
              first = from + k * GATHER_PIECE, end = first + GATHER_PIECE < all ? first + GATHER_PIECE : all;
    const body_impulse sum = entries_summed(blocks, impulses, incidence, rebounds, first, end);
    body_velocity out;
    out.linear = sum.linear, out.angular = sum.angular;
    out.reserved = 0, out.reserved_angular = 0;
    sums[piece_place(from, k)] = out;
}

/* Returns the sum over a body's blocks, from the sums of its pieces if it has more than `longest` entries. */
SHARED body_impulse body_summed(global const constraint_block *blocks, global const block_impulse *impulses,
                                       global const int *incidence_first, global const int *incidence,
                                       global const body_velocity *sums, const int longest, const int rebounds,
                                       const int body) {
    const int first = incidence_first[body], count = incidence_first[body + 1] - first;
    if (count <= longest) return entries_summed(blocks, impulses, incidence, rebounds, first, first + count);
    body_impulse sum;
    sum.linear = sums[piece_place(first, 0)].linear, sum.angular = sums[piece_place(first, 0)].angular;
    for (int k = 1; k * GATHER_PIECE < count; k++) {
        body_impulse piece;
        piece.linear = sums[piece_place(first, k)].linear, piece.angular = sums[piece_place(first, k)].angular;
        sum = body_impulse_sum(sum, piece);
    }
    return sum;
}

/* Returns V = V* + M⁻¹ Σ Jᵀ r of a body. */
SHARED body_velocity gathered(global const constraint_block *blocks, global const block_impulse *impulses,
                                     global const int *incidence_first, global const int *incidence,
                                     global const body_velocity *sums, const int longest,
                                     const body_mobility mobility, const body_velocity free_velocity,
                                     const solve_parameters parameters, const int body) {
    return velocity_gathered(
        free_velocity, mobility,
        body_summed(blocks, impulses, incidence_first, incidence, sums, longest, 0, body), parameters);
}

/* Gathers velocities, one work-item per body. */
kernel void gather(global const constraint_block *blocks, global const block_impulse *impulses,
                   global const int *incidence_first, global const int *incidence,
                   global const body_velocity *sums, const int longest, global const body_mobility *mobility, global const body_velocity *free_velocity,
                   global body_velocity *velocities, const solve_parameters parameters, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    velocities[i] =
        gathered(blocks, impulses, incidence_first, incidence, sums, longest, mobility[i], free_velocity[i], parameters, i);
}

/* Gathers velocities during momentum and corrects the previous velocities accordingly (velocity_moved). */
kernel void regather(global const constraint_block *blocks, global const block_impulse *impulses,
                     global const int *incidence_first, global const int *incidence,
                     global const body_velocity *sums, const int longest, global const body_mobility *mobility, global const body_velocity *free_velocity,
                     global body_velocity *velocities, global body_velocity *before,
                     const solve_parameters parameters, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const body_velocity v =
        gathered(blocks, impulses, incidence_first, incidence, sums, longest, mobility[i], free_velocity[i], parameters, i);
    before[i] = velocity_moved(before[i], velocities[i], v);
    velocities[i] = v;
}

/* Gathers velocities, one work-item per body of a list without repetitions. */
kernel void gather_listed(global const constraint_block *blocks, global const block_impulse *impulses,
                          global const int *incidence_first, global const int *incidence,
                          global const body_velocity *sums, const int longest, global const body_mobility *mobility, global const body_velocity *free_velocity,
                          global body_velocity *velocities, global const int *bodies,
                          const solve_parameters parameters, const int count) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    const int i = bodies[g];
    velocities[i] =
        gathered(blocks, impulses, incidence_first, incidence, sums, longest, mobility[i], free_velocity[i], parameters, i);
}

/* Computes P₀ (displacement.h), one work-item per body. */
kernel void rebound(global const constraint_block *blocks, global const block_impulse *impulses,
                    global const int *incidence_first, global const int *incidence,
                    global const body_velocity *sums, const int longest, global const body_mobility *mobility,
                    global body_velocity *rebounds, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const body_impulse sum = body_summed(blocks, impulses, incidence_first, incidence, sums, longest, 1, i);
    body_velocity none;
    none.linear = glms_vec3_zero(), none.angular = glms_vec3_zero();
    none.reserved = 0, none.reserved_angular = 0;
    rebounds[i] = velocity_after(none, mobility[i], sum.linear, sum.angular);
}

/* Computes the position pass's q_N, one work-item per block. `taken`: `rebounds` has P₀. */
kernel void correct(global constraint_block *blocks, global bounded_rows *rows, global const body_velocity *velocities,
                    global const body_velocity *rebounds, const int taken, const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    const constraint_block block = blocks[i];
    body_velocity a = velocities[block.body_a], b = velocities[block.body_b];
    if (taken) {
        a = velocity_sum(a, rebounds[block.body_a]);
        b = velocity_sum(b, rebounds[block.body_b]);
    }
    if (block_is_bounded(block))
        rows[block.rows] = bounded_corrected(block, rows[block.rows], a, b);
    else if (block_is_contact(block))
        blocks[i].correction = block_correction(block, a, b);
}

/* Adds P₀ to the pseudo-velocity, one work-item per body. */
kernel void take_back(global body_velocity *pseudo_velocity, global const body_velocity *rebounds,
                      const int count) {
    const int i = (int)get_global_id(0);
    if (i >= count) return;
    pseudo_velocity[i] = velocity_sum(pseudo_velocity[i], rebounds[i]);
}
