/* Sweeps over colours, in lanes where there are batches, and the momentum between them.
 *
 * A sweep passes the whole pile colour by colour. Passing it region by region would save a quarter of the
 * solve of a million spheres, but in the order of colours 15 sweeps over a region need a rim of up to 150
 * bodies. */
#include "native_state.h"

#include "base/memory.h"
#include "joint_system.h"

#include <string.h>

/* Computes y = r + β (r − r_old) of consecutive blocks. `before` holds r, and y overwrites r_old. */
static void extrapolate_blocks(native *self, int first, int count, scalar extrapolation) {
    for (int i = first; i < first + count; i++)
        self->starts[i] = self->impulses[i] =
            impulse_extrapolated(self->before[i], self->impulses[i], extrapolation);
}

/* Returns the number of a bounded block's system plus 1, or SYSTEM_NONE, SYSTEM_CONTINUED. */
static int system_of(const problem *p, const constraint_block *block) {
    return p->system_count > 0 && block_is_bounded(*block) ? p->row_systems[block->rows] : SYSTEM_NONE;
}

static local_sweeps sweeps_of(const problem *p, block_group group, solve_parameters parameters) {
    int contacts = 0, continued = 0;
    for (int i = group.first; i < group.first + group.count; i++) {
        contacts += block_is_contact(p->blocks[i]);
        continued += system_of(p, &p->blocks[i]) == SYSTEM_CONTINUED;
    }
    return group_sweeps(group.count - continued, contacts, p->blocks[group.first + group.count - 1],
                        parameters);
}

/* Solves the normal rows of a group of contacts, and applies their impulses to its bodies. */
static void press_group(native *self, block_group group, solve_parameters parameters, int sweeps,
                        body_velocity *a, body_velocity *b) {
    const problem *p = self->p;
    const body_mobility mobility_a = p->mobility[group.body_a], mobility_b = p->mobility[group.body_b];
    press rows;
    rows.count = group.count;
    for (int k = 0; k < group.count; k++) {
        const int i = group_block(group, parameters, k);
        rows.rows[k] = press_row_of(p->blocks[i], self->diagonals[i], parameters, self->impulses[i], *a, *b,
                                    mobility_a, mobility_b, 0);
    }
    const press_impulses pressed = press_swept(&rows, sweeps, parameters.relaxation);
    *a = press_applied(&rows, pressed, *a, -1), *b = press_applied(&rows, pressed, *b, 1);
    for (int k = 0; k < group.count; k++) {
        const int i = group_block(group, parameters, k);
        self->impulses[i] = impulse_pressed(self->impulses[i], pressed.values[k], parameters);
    }
}

/* Solves the rows of a joint, and applies their impulses to its bodies. */
static void sweep_system(native *self, int number, solve_parameters parameters, body_velocity *a,
                         body_velocity *b) {
    const problem *p = self->p;
    const system_place *place = &p->places[number];
    const bounded_rows *rows = &p->rows[p->blocks[place->first_block].rows];
    block_impulse *impulses = &self->impulses[place->first_block];
    system_state state;
    memcpy(state.velocities, a, sizeof *a);
    memcpy(state.velocities + SYSTEM_COMPONENTS / 2, b, sizeof *b);
    for (int i = 0; i < place->block_count; i++) {
        memcpy(state.impulses + 4 * i, impulses + i, sizeof *impulses);
        memcpy(state.bias + 4 * i, parameters.position_pass ? &rows[i].correction : &rows[i].bias,
               4 * sizeof *state.bias);
    }
    system_swept(&p->systems[number], parameters.relaxation, &state);
    for (int i = 0; i < place->block_count; i++)
        memcpy(impulses + i, state.impulses + 4 * i, sizeof *impulses);
    memcpy(a, state.velocities, sizeof *a);
    memcpy(b, state.velocities + SYSTEM_COMPONENTS / 2, sizeof *b);
}

/* Computes the restart terms of a group that was swept with momentum. */
static void enter_uphill(native *self, block_group group) {
    for (int i = group.first; i < group.first + group.count; i++)
        self->uphill_terms[i] =
            block_uphill(self->diagonals[i], self->starts[i], self->impulses[i], self->before[i]);
}

/* Solves the blocks of a group one after the other. */
static void sweep_blocks(native *self, block_group group, solve_parameters parameters, body_velocity *a,
                         body_velocity *b) {
    const problem *p = self->p;
    const body_mobility mobility_a = p->mobility[group.body_a], mobility_b = p->mobility[group.body_b];
    const local_sweeps sweeps = sweeps_of(p, group, parameters);
    if (sweeps.pressed > 0) press_group(self, group, parameters, sweeps.pressed, a, b);
    for (int sweep = 0; sweep < sweeps.whole; sweep++)
        for (int k = 0; k < group.count; k++) {
            const int i = group_block(group, parameters, k);
            const constraint_block *block = &p->blocks[i];
            const int number = system_of(p, block);
            if (number == SYSTEM_CONTINUED) continue;
            if (number != SYSTEM_NONE) {
                sweep_system(self, number - 1, parameters, a, b);
                continue;
            }
            const block_step step =
                block_is_bounded(*block)
                    ? bounded_swept(*block, p->rows[block->rows], self->diagonals[i], parameters,
                                    self->impulses[i], *a, *b, mobility_a, mobility_b)
                    : block_swept(*block, self->diagonals[i], parameters, self->impulses[i],
                                  normal_before(self, i), *a, *b, mobility_a, mobility_b);
            self->impulses[i] = step.impulse;
            *a = step.a, *b = step.b;
        }
}

/* Sweeps one group; with momentum it starts at the extrapolated point, as a lane of a wide sweep does. */
static void sweep_group(native *self, int g, solve_parameters parameters, const wide_job *momentum) {
    const problem *p = self->p;
    const block_group group = p->groups[g];
    if (group.count == 0) return;
    body_velocity a = self->velocities[group.body_a], b = self->velocities[group.body_b];
    if (momentum) extrapolate_blocks(self, group.first, group.count, momentum->extrapolation);
    const int joint = system_of(p, &p->blocks[group.first]);
    if (joint > 0 && p->places[joint - 1].block_count == group.count)
        sweep_system(self, joint - 1, parameters, &a, &b);
    else
        sweep_blocks(self, group, parameters, &a, &b);
    if (momentum) enter_uphill(self, group);
    if (body_moves(p->mobility[group.body_a])) self->velocities[group.body_a] = a;
    if (body_moves(p->mobility[group.body_b])) self->velocities[group.body_b] = b;
}

/* Bytes of fields above which contacts are assumed not to stay in a cache. Fields are half of what a sweep
 * reads, and other passes read as much again. Below it prefetching (wide_ahead.h) costs 0.4 ns a contact. */
static const size_t FAR = (size_t)4 << 20;

wide_job native_job(const native *self, solve_parameters parameters) {
    return (wide_job){.items = self->batches.items,
                      .fields = self->batches.fields,
                      .impulses = (float *)self->impulses,
                      .before = (float *)self->before,
                      .uphill = self->uphill_terms,
                      .velocities = (float *)self->velocities,
                      .mobility = (const float *)self->p->mobility,
                      .parameters = parameters,
                      .far = (size_t)self->batches.field_count * sizeof(float) > FAR,
                      .extrapolation = self->nesterov.extrapolation,
                      .kept = self->keeps ? (const float *)self->kept : NULL,
                      .free_velocities = (const float *)self->p->free_velocity,
                      .residuals = (float *)self->records,
                      .sums = (float *)self->sums,
                      .blocks = self->packed ? NULL : (float *)self->p->blocks};
}

/* Sweeps a piece of a colour: batches, or loose groups. */
static void colour_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    span of;
    if (colour_piece_of(loop, piece, &of)) {
        self->wide->sweep(loop->job, of.first, of.end);
        return;
    }
    for (int i = of.first; i < of.end; i++)
        sweep_group(self, self->batches.loose[i], loop->job->parameters,
                    loop->job->momentum ? loop->job : NULL);
}

static void group_piece(void *context, int piece) {
    const native_loop *loop = context;
    const span of = span_of(loop, piece, GROUP_PIECE);
    for (int g = of.first; g < of.end; g++)
        sweep_group(loop->self, g, loop->job->parameters, loop->job->momentum ? loop->job : NULL);
}

static void sweep_colour(native *self, int colour, const wide_job *job) {
    const problem *p = self->p;
    native_loop loop = {.self = self, .job = job, .colour = colour};
    if (native_sweeps_wide(self, job->parameters.law)) {
        team_share(self->team, colour_pieces(&self->batches, colour), colour_piece, &loop);
        return;
    }
    loop.first = p->colour_first[colour], loop.count = p->colour_first[colour + 1] - loop.first;
    share_items(&loop, GROUP_PIECE, group_piece);
}

scree_result native_sweep(executor *base, int first, int count, solve_parameters parameters) {
    native *self = native_of(base);
    const problem *p = self->p;
    const wide_job job = native_job(self, parameters);
    for (int colour = 0; colour < p->colour_count; colour++)
        if (p->colour_first[colour] == first && p->colour_first[colour + 1] == first + count) {
            sweep_colour(self, colour, &job);
            return SCREE_OK;
        }
    native_loop loop = {.self = self, .job = &job, .first = first, .count = count};
    share_items(&loop, GROUP_PIECE, group_piece);
    return SCREE_OK;
}

static void extrapolate_blocks_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    for (int i = of.first; i < of.end; i++) {
        block_impulse r = self->impulses[i];
        if (loop->parameters.read_shift) { /* else there may be no array of blocks */
            const constraint_block *block = &self->p->blocks[i];
            r.shift = block_shift(*block, loop->parameters, self->velocities[block->body_a],
                                  self->velocities[block->body_b]);
        }
        const block_impulse y = impulse_extrapolated(r, self->before[i], loop->extrapolation);
        self->before[i] = r, self->impulses[i] = y;
        if (loop->starts) self->starts[i] = y;
    }
}

/* Number by number, including the reserved ones, which are equal in both and do not change. */
static void extrapolate_bodies_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const span of = span_of(loop, piece, BODY_PIECE);
    const scalar extrapolation = loop->extrapolation;
    scalar *restrict now = (scalar *)&self->velocities[of.first], *restrict before =
                                                                      (scalar *)&self
                                                                          ->velocities_before[of.first];
    enum { NUMBERS = sizeof *self->velocities / sizeof *now };
    for (int i = 0; i < NUMBERS * (of.end - of.first); i++) {
        const scalar v = now[i];
        now[i] = extrapolated(v, before[i], extrapolation);
        before[i] = v;
    }
}

static void extrapolate_bodies(native *self) {
    native_loop loop = {
        .self = self, .count = self->p->body_count, .extrapolation = self->nesterov.extrapolation};
    share_items(&loop, BODY_PIECE, extrapolate_bodies_piece);
}

/* Extrapolates blocks and bodies; with `starts` also stores the extrapolated impulses. */
static void extrapolate(native *self, solve_parameters parameters, bool starts) {
    native_loop loop = {.self = self,
                        .parameters = parameters,
                        .starts = starts,
                        .count = self->p->block_count,
                        .extrapolation = self->nesterov.extrapolation};
    share_items(&loop, BLOCK_PIECE, extrapolate_blocks_piece);
    extrapolate_bodies(self);
}

scree_result native_nesterov_begin(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    const problem *p = self->p;
    if (parameters.read_shift) TRY(native_unpack(self));
    TRY(MEMORY_RESERVE(self->uphill, self->uphill_capacity, p->block_count / RESIDUAL_CHUNK + 1, NULL));
    native_copy(self, self->before, self->impulses, sizeof *self->before * (size_t)p->block_count);
    native_copy(self, self->velocities_before, self->velocities,
                sizeof *self->velocities * (size_t)p->body_count);
    self->nesterov.t = 1, self->nesterov.extrapolation = 0;
    extrapolate(self, parameters, false);
    return SCREE_OK;
}

static scalar uphill_total(const native *self) {
    scalar sum = 0;
    for (int c = 0; c < chunks_of(self); c++) sum += self->uphill[c];
    return sum;
}

static void uphill_piece(void *context, int chunk) {
    const native_loop *loop = context;
    native *self = loop->self;
    const span of = span_of(loop, chunk, RESIDUAL_CHUNK);
    scalar sum = 0;
    for (int i = of.first; i < of.end; i++)
        sum += block_uphill(self->diagonals[i], self->starts[i], self->impulses[i], self->before[i]);
    self->uphill[chunk] = sum;
}

scree_result native_nesterov_step(executor *base, solve_parameters parameters) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .count = self->p->block_count};
    share_items(&loop, RESIDUAL_CHUNK, uphill_piece);
    self->nesterov = nesterov_after(self->nesterov, uphill_total(self), parameters.ceiling);
    extrapolate(self, parameters, true);
    return SCREE_OK;
}

/* Sums of the restart terms over fixed chunks of blocks, in their order, as nesterov_chunks computes them.
 * Several whole chunks are summed at once because each is a chain of dependent additions. */
enum { TOGETHER = 8 };

static void sum_whole_chunks(native *self, int first) {
    const float *terms = self->uphill_terms + (size_t)first * RESIDUAL_CHUNK;
    scalar sums[TOGETHER] = {0};
    for (int i = 0; i < RESIDUAL_CHUNK; i++)
        for (int c = 0; c < TOGETHER; c++) sums[c] += terms[c * RESIDUAL_CHUNK + i];
    for (int c = 0; c < TOGETHER; c++) self->uphill[first + c] = sums[c];
}

static void sum_last_chunks(native *self, int first) {
    for (int chunk = first; chunk < chunks_of(self); chunk++) {
        const int end = (chunk + 1) * RESIDUAL_CHUNK, count = self->p->block_count;
        scalar sum = 0;
        for (int i = chunk * RESIDUAL_CHUNK; i < (end < count ? end : count); i++)
            sum += self->uphill_terms[i];
        self->uphill[chunk] = sum;
    }
}

static void terms_piece(void *context, int piece) {
    native *self = ((const native_loop *)context)->self;
    const int first = piece * TOGETHER;
    if ((first + TOGETHER) * RESIDUAL_CHUNK <= self->p->block_count)
        sum_whole_chunks(self, first);
    else
        sum_last_chunks(self, first);
}

/* Swaps the iterate and the one before; the next iterate overwrites the latter. */
static void exchange_iterates(native *self) {
    block_impulse *const iterate = self->impulses;
    self->impulses = self->before, self->before = iterate;
}

static void exchange_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    for (int i = of.first; i < of.end; i++) {
        const block_impulse r = self->impulses[i];
        self->impulses[i] = self->before[i], self->before[i] = r;
    }
}

/* The stages of a march of two threads: plain sweeps, or one sweep with momentum, before which bodies are
 * extrapolated and after which the restart terms are summed. */
typedef struct sweep_march {
    native_loop *bodies, *terms; /* NULL: omitted */
    const wide_job *job;
    native *self;
} sweep_march;

static int terms_pieces(const native *self) { return (chunks_of(self) + TOGETHER - 1) / TOGETHER; }

static void sweep_stage(void *context, int stage, int side) {
    const sweep_march *march = context;
    const native *self = march->self;
    const int colours = self->p->colour_count, begins = march->bodies != NULL;
    if (begins && stage == 0) {
        run_half(march->bodies, BODY_PIECE, side, extrapolate_bodies_piece);
    } else if (march->terms && stage == begins + colours) {
        native_loop all = *march->terms;
        all.count = terms_pieces(self);
        run_half(&all, 1, side, terms_piece);
    } else {
        const span half = colour_half(&self->batches, (stage - begins) % colours, side);
        if (half.first < half.end) self->wide->sweep(march->job, half.first, half.end);
    }
}

/* Returns whether sweeps run as a march. */
static bool sweeps_march(const native *self, int law) {
    return native_sweeps_wide(self, law) && colours_march(self) && self->p->forest.tree_count == 0;
}

/* Runs forward iterations with momentum in one go. Each block is visited once, to extrapolate it, solve it
 * and compute its restart term; velocities are extrapolated body by body. */
static scree_result iterate_forward(native *self, iteration_run run, solve_parameters parameters,
                                    float ceiling) {
    const problem *p = self->p;
    const bool marches = sweeps_march(self, parameters.law);
    native_loop loop = {.self = self, .count = p->block_count};
    for (int i = 0; i < run.count; i++) {
        const bool goes_on = i > 0 || !run.fresh;
        if (goes_on) self->nesterov = nesterov_after(self->nesterov, uphill_total(self), ceiling);
        if (goes_on && !marches) extrapolate_bodies(self);
        exchange_iterates(self);
        wide_job job = native_job(self, parameters);
        job.momentum = true;
        if (marches) {
            native_loop bodies = {
                .self = self, .count = p->body_count, .extrapolation = self->nesterov.extrapolation};
            sweep_march march = {
                .self = self, .job = &job, .terms = &loop, .bodies = goes_on ? &bodies : NULL};
            team_march(self->team, goes_on + p->colour_count + 1, sweep_stage, &march);
            continue;
        }
        for (int colour = 0; colour < p->colour_count; colour++) sweep_colour(self, colour, &job);
        TRY(native_solve_trees(&self->executor, parameters));
        native_tree_terms(self);
        team_share(self->team, terms_pieces(self), terms_piece, &loop);
    }
    if (run.count % 2 == 0) return SCREE_OK;
    /* Moves the solution back to the problem's own array. */
    exchange_iterates(self);
    share_items(&loop, BLOCK_PIECE, exchange_piece);
    return SCREE_OK;
}

/* Groups that are swept one by one store where they start. Separate launches store it for all blocks; fresh
 * momentum starts at the current impulses. */
static scree_result keep_starts(native *self, iteration_run run, bool launches, int law) {
    const problem *p = self->p;
    const bool loose = !native_sweeps_wide(self, law) || self->batches.loose_first[p->colour_count] > 0;
    if (!run.nesterov || !(launches || loose)) return SCREE_OK;
    TRY(MEMORY_RESERVE(self->starts, self->start_capacity, p->block_count, NULL));
    if (launches && run.fresh && p->block_count > 0)
        memcpy(self->starts, self->impulses, sizeof *self->starts * (size_t)p->block_count);
    return SCREE_OK;
}

/* Runs the most common iterations. Iterations that read shifts, sweep backward or have an uncoloured
 * remainder use separate launches. */
scree_result native_iterate(executor *base, iteration_run run, solve_parameters parameters,
                            solve_parameters step, bool *done) {
    native *self = native_of(base);
    *done = run.kind == ITERATION_FORWARD && self->p->remainder_first == self->p->block_count && !run.shifts;
    TRY(keep_starts(self, run, !*done, parameters.law));
    if (!*done) return native_unpack(self);
    if (run.nesterov) {
        return iterate_forward(self, run, parameters, step.ceiling);
    }
    const wide_job job = native_job(self, parameters);
    if (sweeps_march(self, parameters.law)) {
        sweep_march march = {.self = self, .job = &job};
        team_march(self->team, run.count * self->p->colour_count, sweep_stage, &march);
        return SCREE_OK;
    }
    for (int i = 0; i < run.count; i++) {
        for (int colour = 0; colour < self->p->colour_count; colour++) sweep_colour(self, colour, &job);
        TRY(native_solve_trees(base, parameters));
    }
    return SCREE_OK;
}

scree_result native_nesterov_read(executor *base, nesterov_values *out) {
    const nesterov_state *state = &native_of(base)->nesterov;
    *out = (nesterov_values){.t = (double)state->t, .restarts = state->restarts};
    return SCREE_OK;
}
