/* Velocities from impulses: V = V* + M⁻¹ Σ Jᵀ r. Sums are formed colour by colour where batches hold the
 * blocks, else over each body's incidence; both add in the order of the blocks. Where there is an uncoloured
 * remainder, which only the incidence supports, long sums are split into pieces as on a device (solve.cl). */
#include "native_state.h"

#include "displacement.h"
#include "round_velocity.h"

#include <limits.h>
#include <string.h>

/* Sums over the entries [first, end) of the incidence; `rebounds`: bouncing contacts only. */
static body_impulse entries_summed(const native *self, bool rebounds, int first, int end) {
    const problem *p = self->p;
    body_impulse sum = {glms_vec3_zero(), glms_vec3_zero()};
    for (int k = first; k < end; k++) {
        const int block = p->incidence[k] >> 1, side = p->incidence[k] & 1;
        sum = rebounds ? body_rebound_plus(sum, p->blocks[block], p->impulses[block], side)
                       : body_impulse_plus(sum, p->blocks[block], self->impulses[block], side);
    }
    return sum;
}

body_impulse native_body_summed(const native *self, bool rebounds, int body) {
    const problem *p = self->p;
    const int first = p->incidence_first[body], end = p->incidence_first[body + 1],
              longest = p->remainder_first < p->block_count ? GATHER_PIECE : INT_MAX;
    body_impulse sum = entries_summed(self, rebounds, first, end - first > longest ? first + longest : end);
    for (int k = first; end - k > longest;) {
        k += longest;
        sum = body_impulse_sum(sum, entries_summed(self, rebounds, k, end - k > longest ? k + longest : end));
    }
    return sum;
}

/* Returns the velocity from sums if there are any, else from the incidence. */
static inline body_velocity gathered(const native_loop *loop, int body) {
    const native *self = loop->self;
    const problem *p = self->p;
    const body_velocity *sums = loop->sums;
    const body_impulse sum =
        sums ? (body_impulse){sums[body].linear, sums[body].angular} : native_body_summed(self, false, body);
    const body_velocity v =
        velocity_gathered(p->free_velocity[body], p->mobility[body], sum, loop->parameters);
    return velocity_with_mobility(v, p->mobility[body]);
}

static void clear_piece(void *context, int piece) {
    const native_loop *loop = context;
    const span of = span_of(loop, piece, BODY_PIECE);
    memset(loop->self->sums + of.first, 0, sizeof *loop->self->sums * (size_t)(of.end - of.first));
}

static void add_to(body_velocity *at, const native *self, block_group group, int side) {
    body_impulse sum = {at->linear, at->angular};
    for (int i = group.first; i < group.first + group.count; i++)
        sum = body_impulse_plus(sum, self->p->blocks[i], self->impulses[i], side);
    at->linear = sum.linear, at->angular = sum.angular;
}

static void push_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    span of;
    if (colour_piece_of(loop, piece, &of)) {
        self->wide->push(loop->job, of.first, of.end);
        return;
    }
    for (int i = of.first; i < of.end; i++) {
        const block_group group = self->p->groups[self->batches.loose[i]];
        if (self->moves[group.body_a] & BATCH_MOVES) add_to(&self->sums[group.body_a], self, group, 0);
        if (self->moves[group.body_b] & BATCH_MOVES) add_to(&self->sums[group.body_b], self, group, 1);
    }
}

/* The stages of a march of two threads: sums are cleared, formed colour by colour, and gathered. */
typedef struct gather_march {
    native_loop *bodies;
    const wide_job *job;
    team_piece *run;
} gather_march;

static void gather_stage(void *context, int stage, int side) {
    const gather_march *march = context;
    const native *self = march->bodies->self;
    if (stage == 0)
        run_half(march->bodies, BODY_PIECE, side, clear_piece);
    else if (stage == self->p->colour_count + 1)
        run_half(march->bodies, BODY_PIECE, side, march->run);
    else {
        const span half = colour_half(&self->batches, stage - 1, side);
        if (half.first < half.end) self->wide->push(march->job, half.first, half.end);
    }
}

/* Forms the sums of all bodies; NULL: use the incidence. */
static const body_velocity *sums_of(native *self, solve_parameters parameters) {
    const problem *p = self->p;
    if (!all_sorted(self)) return NULL;
    const wide_job job = native_job(self, parameters);
    native_loop bodies = {.self = self, .count = p->body_count}, loop = {.self = self, .job = &job};
    share_items(&bodies, BODY_PIECE, clear_piece);
    for (int colour = 0; colour < p->colour_count; colour++) {
        loop.colour = colour;
        team_share(self->team, colour_pieces(&self->batches, colour), push_piece, &loop);
    }
    return self->sums;
}

/* Gathers the piece's bodies in lanes if there are sums; returns the first that is left. */
static int gather_wide(const native_loop *loop, span of, bool moves_before) {
    native *self = loop->self;
    const int lanes = self->batches.width;
    if (!loop->sums) return of.first;
    wide_job job = native_job(self, loop->parameters);
    job.velocities_before = moves_before ? (float *)self->velocities_before : NULL;
    int i = of.first;
    for (; i + lanes <= of.end; i += lanes) self->wide->gather(&job, i);
    return i;
}

static void gather_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = gather_wide(loop, of, false); i < of.end; i++) self->velocities[i] = gathered(loop, i);
}

static scree_result gather_with(native *self, solve_parameters parameters, team_piece *run) {
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->body_count};
    if (all_sorted(self) && colours_march(self)) {
        const wide_job job = native_job(self, parameters);
        gather_march march = {.bodies = &loop, .job = &job, .run = run};
        loop.sums = self->sums;
        team_march(self->team, self->p->colour_count + 2, gather_stage, &march);
        return SCREE_OK;
    }
    loop.sums = sums_of(self, parameters);
    share_items(&loop, BODY_PIECE, run);
    return SCREE_OK;
}

scree_result native_gather(executor *base, solve_parameters parameters) {
    return gather_with(native_of(base), parameters, gather_piece);
}

static void regather_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = gather_wide(loop, of, true); i < of.end; i++) {
        const body_velocity v = gathered(loop, i);
        self->velocities_before[i] = velocity_moved(self->velocities_before[i], self->velocities[i], v);
        self->velocities[i] = v;
    }
}

scree_result native_regather(executor *base, solve_parameters parameters) {
    return gather_with(native_of(base), parameters, regather_piece);
}

static void gather_remainder_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const int *bodies = self->p->remainder_bodies;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = of.first; i < of.end; i++) self->velocities[bodies[i]] = gathered(loop, bodies[i]);
}

scree_result native_gather_remainder(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->remainder_body_count};
    share_items(&loop, BODY_PIECE, gather_remainder_piece);
    return SCREE_OK;
}
