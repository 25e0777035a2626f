/* The launches of a solve on the host; sweeps are in native_sweep.c. */
#include "native_state.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "base/stage_log.h"
#include "displacement.h"

#include <limits.h>
#include <string.h>

static void prepare_block(native *self, int i) {
    const problem *p = self->p;
    const constraint_block block = p->blocks[i];
    const body_mobility a = p->mobility[block.body_a], b = p->mobility[block.body_b];
    self->diagonals[i] = block_is_bounded(block) ? bounded_prepared(block, p->rows[block.rows], a, b)
                                                 : block_prepared(block, a, b);
}

static wide_source source_of(const native *self) {
    const problem *p = self->p;
    return (wide_source){.blocks = (const float *)p->blocks,
                         .mobility = (const float *)p->mobility,
                         .bodies = self->moves,
                         .marks = self->marks,
                         .groups = p->groups,
                         .diagonals = self->windowed ? NULL : (float *)self->diagonals};
}

/* Blocks of a kind, queued until they fill the lanes. */
typedef struct lane_queue {
    int count, blocks[BATCH_LANES];
} lane_queue;

static void prepare_lanes(const native *self, lane_queue *queue, bool resistances) {
    const wide_source from = source_of(self);
    const int count = queue->count, width = self->batches.width;
    if (count == 0) return;
    for (int lane = count; lane < width; lane++) queue->blocks[lane] = queue->blocks[0];
    self->wide->prepare(&from, queue->blocks, resistances);
    queue->count = 0;
}

static void prepare_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const problem *p = self->p;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    lane_queue queues[2] = {{0}, {0}}; /* contacts, resistances */
    for (int i = of.first; i < of.end; i++) {
        const bool resistance = block_is_resistance(p->blocks[i]);
        if (self->wide && (resistance || block_is_contact(p->blocks[i]))) {
            lane_queue *queue = &queues[resistance];
            queue->blocks[queue->count++] = i;
            if (queue->count == self->batches.width) prepare_lanes(self, queue, resistance);
            continue;
        }
        if (!self->windowed) prepare_block(self, i);
        if (self->marks) self->marks[i] = 0;
    }
    for (int k = 0; k < 2; k++) prepare_lanes(self, &queues[k], k == 1);
}

static void moves_piece(void *context, int piece) {
    const native_loop *loop = context;
    const native *self = loop->self;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = of.first; i < of.end; i++) {
        const body_mobility m = self->p->mobility[i];
        self->moves[i] =
            (unsigned char)((body_moves(m) ? BATCH_MOVES : 0) | (body_round(m) ? BATCH_ROUND : 0));
    }
}

/* Lanes store offsets of blocks, fields and bodies in floats, as ints; some batches are not full. */
static scree_result check_size(const native *self) {
    enum {
        MOST = INT_MAX / (POINT_FIELDS + 6),
        MOST_BODIES = INT_MAX / (int)(sizeof(body_mobility) / sizeof(scalar))
    };
    const problem *p = self->p;
    if (!self->wide) return SCREE_OK;
    if (p->block_count > MOST)
        return fail(SCREE_ERROR_CAPACITY, "contacts: %d; the native backend allows at most %d",
                    p->block_count, MOST);
    if (p->body_count > MOST_BODIES)
        return fail(SCREE_ERROR_CAPACITY, "bodies: %d; the native backend allows at most %d", p->body_count,
                    MOST_BODIES);
    return SCREE_OK;
}

scree_result native_prepare_blocks(native *self) {
    native_loop blocks = {.self = self, .count = self->p->block_count};
    TRY(MEMORY_RESERVE(self->diagonals, self->diagonal_capacity, blocks.count, NULL));
    share_items(&blocks, BLOCK_PIECE, prepare_piece);
    return SCREE_OK;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* Returns the bytes of records and sums, which share memory. */
static size_t record_bytes(const problem *p) {
    return larger((size_t)p->block_count * sizeof(block_impulse),
                  (size_t)p->body_count * sizeof(body_velocity));
}

/* Returns the bytes that a solve takes. */
static size_t scratch_bytes(const problem *p) {
    return record_bytes(p) + 2 * (size_t)p->block_count * sizeof(block_impulse) +
           (size_t)p->body_count * sizeof(body_velocity);
}

/* Returns the bytes that building the batches takes: groups, sorted, and marks. */
static size_t sorting_bytes(const problem *p) {
    return batches_scratch(p) + (size_t)p->block_count * sizeof(unsigned char);
}

/* Takes scratch memory for a solve. Before, it holds `window` bytes of blocks, and what building the batches
 * takes. */
static scree_result take_scratch(native *self, size_t window) {
    problem *p = self->p;
    const size_t blocks = (size_t)p->block_count;
    void *scratch;
    TRY(scratch_take(p->scratch ? p->scratch : &self->own_scratch,
                     larger(scratch_bytes(p), window + sorting_bytes(p)), &scratch, NULL));
    self->sorting = (char *)scratch + window;
    self->records = scratch, self->sums = scratch;
    self->uphill_terms = scratch;
    self->before = (block_impulse *)((char *)scratch + record_bytes(p)), self->best = self->before + blocks;
    self->velocities_before = (body_velocity *)(self->best + blocks);
    return SCREE_OK;
}

/* The radial law measures its residual by all of A_cc, so it has no batches of balls. */
static scree_result add_batches(native *self, solve_parameters parameters, slice colours) {
    const wide_source from = source_of(self);
    return batches_add(&self->batches, self->p, self->wide, &from, parameters.law != LAW_RADIAL, colours,
                       self->team);
}

/* Computes A_cc of every block of the problem's array, and builds the batches. */
static scree_result prepare_array(native *self, solve_parameters parameters) {
    const problem *p = self->p;
    self->windowed = self->packed = false;
    TRY(native_prepare_blocks(self));
    if (!self->wide) return SCREE_OK;
    TRY(batches_begin(&self->batches, p, self->sorting));
    if (p->colour_count > 0) TRY(add_batches(self, parameters, (slice){0, p->colour_count}));
    batches_end(&self->batches, p, self->team);
    self->has_loose = self->batches.loose_first[p->colour_count] > 0;
    return SCREE_OK;
}

/* -- Windows -----------------------------------------------------------------------------
 *
 * Blocks that only batches hold are filled and packed some colours at a time, in the scratch memory of the
 * solve: an array of all blocks would be twice as large as that. A body's data is read in each window, so a
 * problem whose array is small has one. */
enum { WINDOW_LEAST = 1 << 14 /* blocks */ };

/* Returns the blocks of the colours before one. */
static int blocks_before(const problem *p, int colour) {
    const int group = p->colour_first[colour];
    return group < p->group_count ? p->groups[group].first : p->block_count;
}

/* Returns the most blocks for which the scratch memory of the solve suffices, or a few. */
static int window_size(const problem *p) {
    const size_t fit = (scratch_bytes(p) - sorting_bytes(p)) / sizeof *p->blocks;
    return fit > WINDOW_LEAST ? (int)fit : WINDOW_LEAST;
}

/* Returns the window that begins with a colour: at least one colour. */
static slice window_from(const problem *p, int colour) {
    slice out = {colour, colour + 1};
    while (out.end < p->colour_count &&
           blocks_before(p, out.end + 1) - blocks_before(p, colour) <= window_size(p))
        out.end++;
    return out;
}

static int largest_window(const problem *p) {
    int most = 0;
    for (slice at = {0, 0}; at.end < p->colour_count;) {
        at = window_from(p, at.end);
        const int blocks = blocks_before(p, at.end) - blocks_before(p, at.first);
        most = blocks > most ? blocks : most;
    }
    return most;
}

/* Fills the blocks of colours, those of the first at `to`. */
static void fill_colours(native *self, slice colours, void *to) {
    problem *p = self->p;
    const int count = blocks_before(p, colours.end) - blocks_before(p, colours.first);
    stage_enter(SCREE_STAGE_ROWS);
    problem_fill_groups(p, self->assembly,
                        (slice){p->colour_first[colours.first], p->colour_first[colours.end]}, to,
                        parallel_threads(self->threads, count));
    if (self->cold)
        problem_clear_starts(p, (slice){blocks_before(p, colours.first), blocks_before(p, colours.end)});
    stage_enter(SCREE_STAGE_SOLVE);
}

/* Fills the blocks of some colours and packs them. */
static scree_result pack_window(native *self, solve_parameters parameters, slice colours) {
    problem *p = self->p;
    native_loop blocks = {.self = self, .first = blocks_before(p, colours.first)};
    blocks.count = blocks_before(p, colours.end) - blocks.first;
    fill_colours(self, colours, self->records);
    share_items(&blocks, BLOCK_PIECE, prepare_piece);
    return add_batches(self, parameters, colours);
}

/* A window has groups that fit no batch. Gathers all blocks in the problem's array: those of earlier windows
 * from the batches, its own, and the rest. */
static scree_result leave_windows(native *self, solve_parameters parameters, slice colours) {
    problem *p = self->p;
    const constraint_block *window = p->blocks;
    const int first = blocks_before(p, colours.first), end = blocks_before(p, colours.end);
    TRY(problem_own_blocks(p, NULL));
    native_unpack_to(self, p->blocks);
    memcpy(p->blocks + first, window + first, sizeof *window * (size_t)(end - first));
    if (colours.end < p->colour_count)
        fill_colours(self, (slice){colours.end, p->colour_count}, p->blocks + end);
    return prepare_array(self, parameters);
}

/* Builds the batches of blocks that are not filled yet. */
static scree_result prepare_windows(native *self, solve_parameters parameters) {
    problem *p = self->p;
    slice at = {0, 0};
    self->windowed = true;
    TRY(batches_begin(&self->batches, p, self->sorting));
    while (at.end < p->colour_count) {
        at = window_from(p, at.end);
        TRY(pack_window(self, parameters, at));
        if (self->batches.loose_first[at.end] > 0) return leave_windows(self, parameters, at);
    }
    batches_end(&self->batches, p, self->team);
    self->windowed = self->has_loose = false;
    self->packed = true;
    p->blocks = NULL;
    return SCREE_OK;
}

/* Computes A_cc of every block, and builds the batches. */
static scree_result prepare(native *self, solve_parameters parameters) {
    problem *p = self->p;
    native_loop bodies = {.self = self, .count = p->body_count};
    TRY(native_unpack(self));
    const bool filled = p->blocks || p->block_count == 0;
    TRY(check_size(self));
    TRY(take_scratch(self, filled ? 0 : sizeof *p->blocks * (size_t)largest_window(p)));
    if (self->wide) {
        TRY(MEMORY_RESERVE(self->moves, self->move_capacity, p->body_count, NULL));
        self->marks = (unsigned char *)self->sorting + batches_scratch(p);
        share_items(&bodies, BODY_PIECE, moves_piece);
    }
    const scree_result result = filled ? prepare_array(self, parameters) : prepare_windows(self, parameters);
    self->marks = NULL;
    return result;
}

static scree_result begin(executor *base, problem *p, solve_parameters parameters) {
    native *self = native_of(base);
    const bool prepared = parameters.position_pass && self->displaced && self->p == p;
    if (self->p != p) self->packed = false;
    self->p = p;
    self->displaced = prepared, self->drives_known = self->keeps = false;
    self->nesterov = (nesterov_state){.t = 1};
    self->impulses = parameters.position_pass ? p->pseudo_impulses : p->impulses;
    self->velocities = parameters.position_pass ? p->pseudo_velocity : p->velocity;
    TRY(MEMORY_RESERVE(self->chunks, self->chunk_capacity, p->block_count / RESIDUAL_CHUNK + 1, NULL));
    TRY(native_factor_trees(self, parameters));
    if (!prepared) TRY(prepare(self, parameters));
    native_factor_systems(self, parameters);
    return SCREE_OK;
}

/* Updates a block, mass-split. If it is a contact, also updates the resistance that follows it, whose bound
 * is the contact's new impulse. */
static void update_block(native *self, int i, bool resists, solve_parameters parameters) {
    const problem *p = self->p;
    const constraint_block block = p->blocks[i];
    const body_velocity a = self->velocities[block.body_a], b = self->velocities[block.body_b];
    const body_mobility mobility_a = p->mobility[block.body_a], mobility_b = p->mobility[block.body_b];
    const body_split split_a = p->splits[block.body_a], split_b = p->splits[block.body_b];
    if (block_is_bounded(block)) {
        self->impulses[i] = bounded_updated(block, p->rows[block.rows], parameters, self->impulses[i], a, b,
                                            mobility_a, mobility_b, split_a, split_b);
        return;
    }
    self->impulses[i] = block_updated(block, parameters, self->impulses[i], 0, a, b, mobility_a, mobility_b,
                                      split_a, split_b);
    if (!resists) return;
    self->impulses[i + 1] =
        block_updated(p->blocks[i + 1], parameters, self->impulses[i + 1], self->impulses[i].value.x, a, b,
                      mobility_a, mobility_b, split_a, split_b);
}

static void update_piece(void *context, int piece) {
    const native_loop *loop = context;
    const problem *p = loop->self->p;
    const span of = span_of(loop, piece, BLOCK_PIECE);
    const int last = loop->first + loop->count - 1;
    for (int i = of.first; i < of.end; i++)
        if (!block_is_resistance(p->blocks[i])) /* updated with the contact before it */
            update_block(loop->self, i, i < last && block_is_resistance(p->blocks[i + 1]), loop->parameters);
}

static scree_result update(executor *base, int first, int count, solve_parameters parameters) {
    native *self = native_of(base);
    TRY(native_unpack(self));
    native_loop loop = {.self = self, .parameters = parameters, .first = first, .count = count};
    share_items(&loop, BLOCK_PIECE, update_piece);
    return SCREE_OK;
}

static scree_result keep(executor *base) {
    native *self = native_of(base);
    TRY(MEMORY_RESERVE(self->kept, self->kept_capacity, self->p->block_count, NULL));
    native_copy(self, self->kept, self->impulses, sizeof *self->kept * (size_t)self->p->block_count);
    self->keeps = true;
    return SCREE_OK;
}

static scree_result best_keep(executor *base) {
    native *self = native_of(base);
    native_copy(self, self->best, self->impulses, sizeof *self->best * (size_t)self->p->block_count);
    return SCREE_OK;
}

static scree_result best_restore(executor *base) {
    native *self = native_of(base);
    native_copy(self, self->impulses, self->best, sizeof *self->best * (size_t)self->p->block_count);
    return SCREE_OK;
}

/* Adds the impulses of a colour's groups, which share no movable body, to their bodies' sums. */
static void add_rebounds_piece(void *context, int piece) {
    const native_loop *loop = context;
    native *self = loop->self;
    const problem *p = self->p;
    const span of = span_of(loop, piece, GROUP_PIECE);
    for (int g = of.first; g < of.end; g++) {
        const block_group group = p->groups[g];
        const int ends[2] = {group.body_a, group.body_b};
        for (int side = 0; side < 2; side++) {
            if (!body_moves(p->mobility[ends[side]])) continue;
            body_velocity *at = &self->rebounds[ends[side]];
            body_impulse sum = {at->linear, at->angular};
            for (int i = group.first; i < group.first + group.count; i++)
                sum = body_rebound_plus(sum, p->blocks[i], p->impulses[i], side);
            at->linear = sum.linear, at->angular = sum.angular;
        }
    }
}

static void rebound_piece(void *context, int piece) {
    const native_loop *loop = context;
    const native *self = loop->self;
    const span of = span_of(loop, piece, BODY_PIECE);
    const body_velocity none = {.linear = glms_vec3_zero(), .angular = glms_vec3_zero()};
    for (int i = of.first; i < of.end; i++) {
        body_velocity sum = self->rebounds[i];
        if (!all_coloured(self->p)) {
            const body_impulse summed = native_body_summed(self, true, i);
            sum.linear = summed.linear, sum.angular = summed.angular;
        }
        self->rebounds[i] = velocity_after(none, self->p->mobility[i], sum.linear, sum.angular);
    }
}

/* Sums colour by colour, so that each body adds its blocks in their order, or with an uncoloured remainder
 * over the incidence. */
static void find_rebounds(native *self) {
    const problem *p = self->p;
    native_loop bodies = {.self = self, .count = p->body_count};
    memset(self->rebounds, 0, sizeof *self->rebounds * (size_t)p->body_count);
    for (int colour = 0; all_coloured(p) && colour < p->colour_count; colour++) {
        native_loop groups = {.self = self, .first = p->colour_first[colour]};
        groups.count = p->colour_first[colour + 1] - groups.first;
        share_items(&groups, GROUP_PIECE, add_rebounds_piece);
    }
    share_items(&bodies, BODY_PIECE, rebound_piece);
}

static void correct_block(const native_loop *loop, int i) {
    const native *self = loop->self;
    const problem *p = self->p;
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

/* Fills the corrections, also in the fields of batches. */
static void correct(native *self, bool bounces) {
    wide_job job = native_job(self, (solve_parameters){.position_pass = 1});
    job.velocities = (float *)self->p->velocity;
    job.rebounds = bounces ? (const float *)self->rebounds : NULL;
    native_each_block((native_loop){.self = self,
                                    .bounces = bounces,
                                    .job = &job,
                                    .wide = self->wide ? self->wide->correct : NULL,
                                    .each = correct_block});
    self->displaced |= all_sorted(self);
}

static scree_result displace(executor *base, problem *p, bool bounces) {
    native *self = native_of(base);
    self->bounced = bounces;
    if (bounces) {
        TRY(native_unpack(self));
        TRY(MEMORY_RESERVE(self->rebounds, self->rebound_capacity, p->body_count, NULL));
        find_rebounds(self);
    }
    correct(self, bounces);
    return SCREE_OK;
}

static void take_back_piece(void *context, int piece) {
    const native_loop *loop = context;
    const problem *p = loop->self->p;
    const span of = span_of(loop, piece, BODY_PIECE);
    for (int i = of.first; i < of.end; i++)
        p->pseudo_velocity[i] = velocity_sum(p->pseudo_velocity[i], loop->self->rebounds[i]);
}

static scree_result take_back(executor *base) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .count = self->p->body_count};
    share_items(&loop, BODY_PIECE, take_back_piece);
    return SCREE_OK;
}

/* The launches work on the problem's own arrays, so there is nothing to copy back. */
static scree_result end(executor *base, solve_parameters parameters) {
    (void)base, (void)parameters;
    return SCREE_OK;
}

const executor_operations native_executor_operations = {.begin = begin,
                                                        .gather = native_gather,
                                                        .gather_remainder = native_gather_remainder,
                                                        .regather = native_regather,
                                                        .sweep = native_sweep,
                                                        .update = update,
                                                        .keep = keep,
                                                        .nesterov_begin = native_nesterov_begin,
                                                        .nesterov_step = native_nesterov_step,
                                                        .nesterov_read = native_nesterov_read,
                                                        .best_keep = best_keep,
                                                        .best_restore = best_restore,
                                                        .residual = native_residual,
                                                        .end = end,
                                                        .iterate = native_iterate,
                                                        .displace = displace,
                                                        .solve_trees = native_solve_trees,
                                                        .take_back = take_back};
