/* Entry point of block Jacobi, and of the uncoloured remainder of a sweep. */
#include "bounded_rows.h"

/* Mass-split update, one work-item per block; velocities follow by gather. A contact's work-item also updates
 * the resistance after it, which is bounded by the contact's new impulse. */
kernel void update(global const constraint_block *blocks, global const bounded_rows *rows, global block_impulse *impulses,
                   global const body_velocity *velocities, global const body_mobility *mobility,
                   global const body_split *shares, const solve_parameters parameters, const int first,
                   const int count) {
    const int g = (int)get_global_id(0);
    if (g >= count) return;
    const int i = first + g;
    const constraint_block block = blocks[i];
    if (block_is_resistance(block)) return;
    const body_velocity a = velocities[block.body_a], b = velocities[block.body_b];
    const body_mobility mobility_a = mobility[block.body_a], mobility_b = mobility[block.body_b];
    const body_split split_a = shares[block.body_a], split_b = shares[block.body_b];
    if (block_is_bounded(block)) {
        impulses[i] = bounded_updated(block, rows[block.rows], parameters, impulses[i], a, b, mobility_a, mobility_b,
                                      split_a, split_b);
        return;
    }
    const block_impulse r =
        block_updated(block, parameters, impulses[i], 0, a, b, mobility_a, mobility_b, split_a, split_b);
    impulses[i] = r;
    if (g + 1 < count && block_is_resistance(blocks[i + 1]))
        impulses[i + 1] = block_updated(blocks[i + 1], parameters, impulses[i + 1], r.value.x, a, b,
                                        mobility_a, mobility_b, split_a, split_b);
}
