/* The launches of a solve on the host, in the order of the methods' needs; sweeps are in native_sweep.c. */
#include "native_state.h"

#include "base/memory.h"
#include "displacement.h"

#include <string.h>

static void prepare_piece(void *context, int piece) {
    const native_loop *loop = context;
    const problem *p = loop->self->p;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    for (int i = of.first; i < of.end; i++) {
        const constraint_block block = p->blocks[i];
        const body_mobility a = p->mobility[block.body_a], b = p->mobility[block.body_b];
        p->diagonals[i] = block_is_bounded(block) ? bounded_prepared(block, p->rows[block.rows], a, b)
                                                  : block_prepared(block, a, b);
    }
}

static scree_result begin(executor *base, problem *p, solve_parameters parameters) {
    native *self = native_of(base);
    self->p = p;
    self->nesterov = (nesterov_state){.t = 1};
    self->impulses = parameters.position_pass ? p->pseudo_impulses : p->impulses;
    self->velocities = parameters.position_pass ? p->pseudo_velocity : p->velocity;
    TRY(MEMORY_RESERVE(self->kept, self->kept_capacity, p->block_count, NULL));
    TRY(MEMORY_RESERVE(self->chunks, self->chunk_capacity, p->block_count / RESIDUAL_CHUNK + 1, NULL));
    native_loop loop = {.self = self, .count = p->block_count};
    share_items(&loop, BLOCK_PIECE, prepare_piece);
    return batches_build(&self->batches, p, self->width, &self->team);
}

static body_velocity gathered(const native *self, int body, solve_parameters parameters) {
    const problem *p = self->p;
    body_impulse sum = {glms_vec3_zero(), glms_vec3_zero()};
    for (int k = p->incidence_first[body]; k < p->incidence_first[body + 1]; k++) {
        const int block = p->incidence[k] >> 1;
        sum = body_impulse_plus(sum, p->blocks[block], self->impulses[block], p->incidence[k] & 1);
    }
    return velocity_gathered(p->free_velocity[body], p->mobility[body], sum, parameters);
}

static void gather_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = of.first; i < of.end; i++) self->velocities[i] = gathered(self, i, loop->parameters);
}

static scree_result gather(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->body_count};
    share_items(&loop, BODY_PIECE, gather_piece);
    return SCREE_OK;
}

static void regather_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = of.first; i < of.end; i++) {
        const body_velocity v = gathered(self, i, loop->parameters);
        self->velocities_before[i] = velocity_moved(self->velocities_before[i], self->velocities[i], v);
        self->velocities[i] = v;
    }
}

static scree_result regather(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->body_count};
    share_items(&loop, BODY_PIECE, regather_piece);
    return SCREE_OK;
}

static void gather_tail_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const int *bodies = self->p->tail_bodies;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = of.first; i < of.end; i++)
        self->velocities[bodies[i]] = gathered(self, bodies[i], loop->parameters);
}

static scree_result gather_tail(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->tail_body_count};
    share_items(&loop, BODY_PIECE, gather_tail_piece);
    return SCREE_OK;
}

/* Mass-split: a block, and if that is a contact the resistance behind it, whose bound is the contact's new
 * impulse. */
static void update_block(native *self, int i, bool resists, solve_parameters parameters) {
    const problem *p = self->p;
    const constraint_block block = p->blocks[i];
    const body_velocity a = self->velocities[block.body_a], b = self->velocities[block.body_b];
    const body_mobility mobility_a = p->mobility[block.body_a], mobility_b = p->mobility[block.body_b];
    const body_shares shares_a = p->shares[block.body_a], shares_b = p->shares[block.body_b];
    if (block_is_bounded(block)) {
        self->impulses[i] = bounded_updated(block, p->rows[block.rows], parameters, self->impulses[i], a, b,
                                            mobility_a, mobility_b, shares_a, shares_b);
        return;
    }
    self->impulses[i] = block_updated(block, parameters, self->impulses[i], 0, a, b, mobility_a, mobility_b,
                                      shares_a, shares_b);
    if (!resists) return;
    self->impulses[i + 1] =
        block_updated(p->blocks[i + 1], parameters, self->impulses[i + 1], self->impulses[i].value.x, a, b,
                      mobility_a, mobility_b, shares_a, shares_b);
}

static void update_piece(void *context, int piece) {
    const native_loop *loop = context;
    const problem *p = loop->self->p;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    const int last = loop->first + loop->count - 1;
    for (int i = of.first; i < of.end; i++)
        if (!block_is_resistance(p->blocks[i])) /* the contact before it takes it along */
            update_block(loop->self, i, i < last && block_is_resistance(p->blocks[i + 1]), loop->parameters);
}

static scree_result update(executor *base, int first, int count, solve_parameters parameters) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .parameters = parameters, .first = first, .count = count};
    share_items(&loop, BLOCK_PIECE, update_piece);
    return SCREE_OK;
}

static scree_result keep(executor *base) {
    native *self = native_of(base);
    memcpy(self->kept, self->impulses, sizeof *self->kept * (size_t)self->p->block_count);
    return SCREE_OK;
}

static void residual_piece(void *context, int chunk) {
    const native_loop *loop = context;
    native *self = loop->self;
    const problem *p = self->p;
    const span of = span_of(loop, chunk, RESIDUAL_CHUNK);
    residual_sum sum = {0};
    for (int i = of.first; i < of.end; i++) {
        const constraint_block block = p->blocks[i];
        const body_velocity a = self->velocities[block.body_a], b = self->velocities[block.body_b],
                            free_a = velocity_of_pass(p->free_velocity[block.body_a], loop->parameters),
                            free_b = velocity_of_pass(p->free_velocity[block.body_b], loop->parameters);
        const block_residual one =
            block_is_bounded(block)
                ? bounded_residual_of(block, p->rows[block.rows], p->diagonals[i], loop->parameters,
                                      self->impulses[i], self->kept[i], a, b, free_a, free_b)
                : block_residual_of(block, p->diagonals[i], loop->parameters, self->impulses[i],
                                    self->kept[i], normal_before(self, i), a, b, free_a, free_b);
        sum.map += (double)one.map;
        sum.impulse += (double)one.impulse;
        sum.drive += (double)one.drive;
        sum.change += (double)one.change;
        if ((double)one.map > sum.max_map) sum.max_map = (double)one.map;
        if ((double)one.violation > sum.violation) sum.violation = (double)one.violation;
        if ((double)one.free > sum.free) sum.free = (double)one.free;
    }
    self->chunks[chunk] = sum;
}

static scree_result residual(executor *base, solve_parameters parameters, residual_sum *out) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->block_count};
    share_items(&loop, RESIDUAL_CHUNK, residual_piece);
    residual_sum_total(self->chunks, (loop.count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK, out);
    return SCREE_OK;
}

static scree_result best_keep(executor *base) {
    native *self = native_of(base);
    TRY(MEMORY_RESERVE(self->best, self->best_capacity, self->p->block_count, NULL));
    if (self->p->block_count > 0)
        memcpy(self->best, self->impulses, sizeof *self->best * (size_t)self->p->block_count);
    return SCREE_OK;
}

static scree_result best_restore(executor *base) {
    native *self = native_of(base);
    if (self->p->block_count > 0)
        memcpy(self->impulses, self->best, sizeof *self->best * (size_t)self->p->block_count);
    return SCREE_OK;
}

static body_velocity rebound_of(const problem *p, int body) {
    body_impulse sum = {glms_vec3_zero(), glms_vec3_zero()};
    for (int k = p->incidence_first[body]; k < p->incidence_first[body + 1]; k++) {
        const int block = p->incidence[k] >> 1;
        sum = body_rebound_plus(sum, p->blocks[block], p->impulses[block], p->incidence[k] & 1);
    }
    const body_velocity none = {.linear = glms_vec3_zero(), .angular = glms_vec3_zero()};
    return velocity_after(none, p->mobility[body], sum.linear, sum.angular);
}

static void rebound_piece(void *context, int piece) {
    const native_loop *loop = context;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = of.first; i < of.end; i++) loop->self->rebounds[i] = rebound_of(loop->self->p, i);
}

static void correct_piece(void *context, int piece) {
    const native_loop *loop = context;
    const native *self = loop->self;
    const problem *p = self->p;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    for (int i = of.first; i < of.end; i++) {
        constraint_block *block = &p->blocks[i];
        body_velocity a = p->velocity[block->body_a], b = p->velocity[block->body_b];
        if (loop->bounces) {
            a = velocity_sum(a, self->rebounds[block->body_a]);
            b = velocity_sum(b, self->rebounds[block->body_b]);
        }
        if (block_is_bounded(*block))
            p->rows[block->rows] = bounded_corrected(*block, p->rows[block->rows], a, b);
        else if (block_is_contact(*block))
            block->correction = block_correction(*block, a, b);
    }
}

static scree_result displace(executor *base, problem *p, bool bounces) {
    native *self = native_of(base);
    native_loop bodies = {.self = self, .count = p->body_count},
                blocks = {.self = self, .count = p->block_count, .bounces = bounces};
    if (bounces) {
        TRY(MEMORY_RESERVE(self->rebounds, self->rebound_capacity, p->body_count, NULL));
        share_items(&bodies, BODY_PIECE, rebound_piece);
    }
    share_items(&blocks, BLOCK_PIECE, correct_piece);
    return SCREE_OK;
}

static scree_result take_back(executor *base) {
    native *self = native_of(base);
    problem *p = self->p;
    for (int i = 0; i < p->body_count; i++)
        p->pseudo_velocity[i] = velocity_sum(p->pseudo_velocity[i], self->rebounds[i]);
    return SCREE_OK;
}

/* The launches work on the problem's own arrays: nothing to bring back. */
static scree_result end(executor *base, solve_parameters parameters) {
    (void)base, (void)parameters;
    return SCREE_OK;
}

const executor_verbs native_executor_verbs = {begin,
                                              gather,
                                              gather_tail,
                                              regather,
                                              native_sweep,
                                              update,
                                              keep,
                                              native_nesterov_begin,
                                              native_nesterov_step,
                                              native_nesterov_read,
                                              best_keep,
                                              best_restore,
                                              residual,
                                              end,
                                              native_iterate,
                                              displace,
                                              take_back};
