/* Entry points in lanes but for sweeps: what sweeps read of batches, and, over all blocks of a problem that is contacts
 * without drift alone, as many at once as a register has floats, what solve.cl, residual.cl and nesterov.cl do, with
 * their bits. */
#include "nesterov.h"
#include "wide_batch.h"
#include "wide_momentum.h"
#include "residual_sums.h"

/* The places of the blocks [first, first + SCREE_WIDTH) before `end`, and of the bodies a (0) or b (1) of those. */
SHARED lane_places row_places(const int first, const int end) {
    return places_in_row(first, end - 1 - first < SCREE_WIDTH - 1 ? end - 1 - first : SCREE_WIDTH - 1);
}

SHARED lane_places body_places(global const float4 *blocks, const lane_places row, const int side) {
    return places_of((global const int *)(blocks + BLOCK_WORDS * row.more) + side, 4 * BLOCK_WORDS, 0, row.last);
}

SHARED scalar_mask row_used(const lane_places row) {
    const int8 eight = (int8)(0, 1, 2, 3, 4, 5, 6, 7);
#if SCREE_WIDTH == 16
    return (scalar_mask)(eight, eight + 8) <= row.last;
#else
    return eight <= row.last;
#endif
}

/* A_cc of the blocks, as `prepare` makes it: one work-item for so many. */
WIDE_KERNEL void prepare_wide(global const float4 *blocks, global const float4 *mobility, global float4 *diagonals,
                              const int count) {
    const int first = SCREE_WIDTH * (int)get_global_id(0);
    if (first >= count) return;
    const lane_places row = row_places(first, count);
    const body_mobility a = mobilities_load(mobility, body_places(blocks, row, 0)),
                        b = mobilities_load(mobility, body_places(blocks, row, 1));
    diagonals_store(diagonals, row, row_used(row), block_prepared(contacts_load(blocks, row), a, b));
}

/* Those of eight blocks: words of the first four numbers, and of the rest. */
SHARED void eight_shares_store(local float8 *shares, const float8 first, const float8 rest, const int k) {
    shares[k] = (float8)(first.lo, rest.lo), shares[k + 4] = (float8)(first.hi, rest.hi);
}

/* The shares of SCREE_WIDTH blocks, in the order of the shares. */
SHARED void shares_store(local float8 *shares, const block_residual one, const float limit) {
    quad first, second;
    first.x = one.map, first.y = one.impulse, first.z = one.drive, first.w = one.change;
    second.x = one.violation, second.y = one.free, second.z = share_violated(one, limit), second.w = scalar_of(0);
    first = quad_transposed(first), second = quad_transposed(second);
#if SCREE_WIDTH == 16
    eight_shares_store(shares, first.x.lo, second.x.lo, 0), eight_shares_store(shares, first.y.lo, second.y.lo, 1);
    eight_shares_store(shares, first.z.lo, second.z.lo, 2), eight_shares_store(shares, first.w.lo, second.w.lo, 3);
    eight_shares_store(shares, first.x.hi, second.x.hi, 8), eight_shares_store(shares, first.y.hi, second.y.hi, 9);
    eight_shares_store(shares, first.z.hi, second.z.hi, 10), eight_shares_store(shares, first.w.hi, second.w.hi, 11);
#else
    eight_shares_store(shares, first.x, second.x, 0), eight_shares_store(shares, first.y, second.y, 1);
    eight_shares_store(shares, first.z, second.z, 2), eight_shares_store(shares, first.w, second.w, 3);
#endif
}

/* What residuals are made of, as `residual_chunks` is given it. `keeps`: there are impulses that changes are measured
 * against; `fresh`: the drive and the free velocity have not been found in this pass before, in which they stay what
 * they are. */
typedef struct residual_problem {
    global const float4 *blocks, *diagonals, *impulses, *kept, *velocities, *free_velocity;
    solve_parameters parameters;
    int keeps, fresh;
} residual_problem;

SHARED block_residual row_residual(const residual_problem on, const lane_places row) {
    const lane_places bodies_a = body_places(on.blocks, row, 0), bodies_b = body_places(on.blocks, row, 1);
    const block_impulse r = impulses_load(on.impulses, row);
    const body_velocity a = velocities_load(on.velocities, bodies_a), b = velocities_load(on.velocities, bodies_b);
    block_impulse before = r;
    body_velocity free_a = a, free_b = b;
    if (on.keeps) before = impulses_load(on.kept, row);
    if (on.fresh) {
        free_a = velocity_of_pass(velocities_load(on.free_velocity, bodies_a), on.parameters);
        free_b = velocity_of_pass(velocities_load(on.free_velocity, bodies_b), on.parameters);
    }
    return contact_residual_of(contacts_load(on.blocks, row), diagonals_load(on.diagonals, row), on.parameters, r,
                               before, a, b, free_a, free_b);
}

/* The shares of the sums. One work-group per chunk. Where all lanes have a block, places are known without a look at
 * which is the last. */
WIDE_KERNEL void residual_wide_chunks(global const float4 *blocks, global const float4 *diagonals,
                                      global const float4 *impulses, global const float4 *kept,
                                      global const float4 *velocities, global const float4 *free_velocity,
                                      global accumulator *sums, const solve_parameters parameters, const int count,
                                      const int keeps, const int fresh) {
    local float8 shares[RESIDUAL_CHUNK];
    const int chunk = (int)get_group_id(0), begin = chunk * RESIDUAL_CHUNK, left = count - begin,
              here = left < RESIDUAL_CHUNK ? left : RESIDUAL_CHUNK;
    residual_problem on;
    on.blocks = blocks, on.diagonals = diagonals, on.impulses = impulses, on.kept = kept;
    on.velocities = velocities, on.free_velocity = free_velocity, on.parameters = parameters;
    on.keeps = keeps, on.fresh = fresh;
    for (int k = SCREE_WIDTH * (int)get_local_id(0); k < here; k += SCREE_WIDTH * (int)get_local_size(0))
        shares_store(shares + k,
                     here - k < SCREE_WIDTH ? row_residual(on, row_places(begin + k, count))
                                            : row_residual(on, places_in_row(begin + k, SCREE_WIDTH - 1)),
                     parameters.violation_limit);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) chunk_summed(shares, sums + SUMS * chunk, here, fresh);
}

/* One work-item per batch: its fields. */
WIDE_KERNEL void fill_batches(global const int *batches, global const float4 *blocks, global const float4 *diagonals,
                              global const float4 *mobility, global float *fields, const int count) {
    const int item = (int)get_global_id(0);
    if (item >= count) return;
    const wide_batch batch = batch_of(batches, item);
    global float *bodies = fields + (size_t)SCREE_WIDTH * (size_t)batch.fields;
    const body_mobility a = mobilities_load(mobility, batch.a), b = mobilities_load(mobility, batch.b);
    field_mobility_store(bodies, 0, batch.balls, a), field_mobility_store(bodies, 1, batch.balls, b);
    if (!batch.balls)
        field_store(bodies, FIELD_ROUND, scalar_of(any_lane(!(body_round(a) & body_round(b))) ? 0 : 1));
    global float *at = bodies + SCREE_WIDTH * (batch.balls ? ROUND_FIELDS : BODY_FIELDS);
    for (int k = 0; k < batch.points; k++, at += SCREE_WIDTH * POINT_FIELDS) {
        const lane_places block = batch_places(batch.first.at, k);
        field_point_store(at, contacts_load(blocks, block), diagonals_load(diagonals, block), batch.balls);
    }
}

/* The corrections among them, which come after the first pass. */
WIDE_KERNEL void fill_corrections(global const int *batches, global const float4 *blocks, global float *fields,
                                  const int count) {
    const int item = (int)get_global_id(0);
    if (item >= count) return;
    const wide_batch batch = batch_of(batches, item);
    global float *at = fields + (size_t)SCREE_WIDTH * (size_t)(batch.fields + (batch.balls ? ROUND_FIELDS : BODY_FIELDS));
    for (int k = 0; k < batch.points; k++, at += SCREE_WIDTH * POINT_FIELDS)
        field_store(at, FIELD_CORRECTION, contacts_load(blocks, batch_places(batch.first.at, k)).correction);
}

/* −p or p of a contact, added to what is there of one of its bodies. */
SHARED body_velocity sum_pushed(const body_velocity sum, const vec3s p, const vec3s arm) {
    body_impulse to;
    to.linear = sum.linear, to.angular = sum.angular;
    to = body_impulse_pushed(to, p, arm);
    body_velocity out = sum;
    out.linear = to.linear, out.angular = to.angular;
    return out;
}

/* Σ Jᵀ r of the batch's bodies. */
SHARED void push_batch(const wide_batch batch, global const float *fields, global const float4 *impulses,
                       global float4 *sums) {
    global const float *bodies = fields_at(fields, batch.fields);
    const int round = batch.balls || bodies[FIELD_ROUND * SCREE_WIDTH] > 0;
    const scalar_mask moves_a = body_moves(field_mobility(bodies, 0, round)) & batch.used,
                      moves_b = body_moves(field_mobility(bodies, 1, round)) & batch.used;
    global const float *at = fields_at(bodies, batch.balls ? ROUND_FIELDS : BODY_FIELDS);
    body_velocity a = velocities_load(sums, batch.a), b = velocities_load(sums, batch.b);
    for (int k = 0; k < batch.points; k++, at = fields_at(at, POINT_FIELDS)) {
        const constraint_block block = field_contact(at);
        const vec3s p = block_to_world(block, impulses_load(impulses, batch_places(batch.first.at, k)).value);
        a = sum_pushed(a, glms_vec3_negate(p), block.arm_a);
        b = sum_pushed(b, p, block.arm_b);
    }
    velocities_store(sums, batch.a, moves_a, a);
    velocities_store(sums, batch.b, moves_b, b);
}

/* Adds what the blocks of a colour, or of several by one work-item, do to their bodies to `sums`: colour by colour a
 * body gets that of its blocks in their order, as `gather` sums them. */
WIDE_KERNEL void push_batches(global const int *batches, global const float *fields, global const float4 *impulses,
                              global float4 *sums, const batch_range range) {
    for (int i = range_first(range); i < range_end(range); i++)
        push_batch(batch_of(batches, i), fields, impulses, sums);
}

/* One work-item for so many bodies: V of `gather` from their sums, or with `moves` as in `regather`. Sums are zero
 * again for the next time. */
WIDE_KERNEL void gather_sums(global float4 *sums, global const float4 *mobility, global const float4 *free_velocity,
                             global float4 *velocities, global float4 *before, const solve_parameters parameters,
                             const int moves, const int count) {
    const int first = SCREE_WIDTH * (int)get_global_id(0);
    if (first >= count) return;
    const lane_places bodies = row_places(first, count);
    const scalar_mask used = row_used(bodies);
    body_velocity sum = velocities_load(sums, bodies);
    body_impulse all;
    all.linear = sum.linear, all.angular = sum.angular;
    const body_velocity v = velocity_gathered(velocities_load(free_velocity, bodies),
                                              mobilities_load(mobility, bodies), all, parameters);
    if (moves)
        velocities_store(before, bodies, used,
                         velocity_moved(velocities_load(before, bodies), velocities_load(velocities, bodies), v));
    velocities_store(velocities, bodies, used, v);
    sum.linear = sum.angular = glms_vec3_zero();
    velocities_store(sums, bodies, used, sum);
}

/* The sums of a chunk's terms, as nesterov_chunks makes them: one work-item for so many chunks. */
WIDE_KERNEL void sum_uphill(global const float *terms, global float *sums, const int count) {
    const int chunk = SUMMED_CHUNKS * (int)get_global_id(0);
    if (chunk * RESIDUAL_CHUNK < count) chunks_summed(terms, sums, chunk, count);
}
