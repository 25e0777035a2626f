/* The launches of a solve on a device, with the operations of native in the same order. */
#include "opencl_backend.h"

#include "base/memory.h"

#include <limits.h>
#include <stddef.h>

/* State at the beginning of a solve. Static because copies to the device may still be pending later. */
static const nesterov_state no_momentum[2] = {{.t = 1}, {.t = 1}};

/* Computes A_cc. */
static scree_result prepare(opencl_backend *self) {
    const int count = self->p->block_count, balls = opencl_sweep_has_balls(self);
    TRY(ENGINE_SHARE(self, ball_mobility, ball_mobility, balls ? count : 1));
    return ENGINE_LAUNCH(self, KERNEL_prepare, count, OWN(blocks), OWN(rows), OWN(mobility), OWN(diagonals),
                         OWN(ball_mobility), ARGUMENT(balls), ARGUMENT(count));
}

/* `entries`: of the incidence. */
static scree_result reserve_pieces(opencl_backend *self, int count, int entries) {
    self->piece_count = count;
    return ENGINE_RESERVE(self, piece_sums, body_velocity, entries / (GATHER_PIECE / 2) + 2);
}

/* If there is an uncoloured remainder, lists the pieces of bodies that have more blocks than one work-item
 * sums. */
static scree_result upload_pieces(opencl_backend *self) {
    const problem *p = self->p;
    const int *first = p->incidence_first;
    self->piece_count = 0;
    for (int body = 0; p->remainder_first < p->block_count && body < p->body_count; body++)
        for (int k = 0;
             first[body + 1] - first[body] > GATHER_PIECE && k * GATHER_PIECE < first[body + 1] - first[body];
             ++k) {
            TRY(MEMORY_RESERVE(self->pieces, self->piece_capacity, self->piece_count + 1, NULL));
            self->pieces[self->piece_count++] = (cl_int2){{body, k}};
        }
    TRY(reserve_pieces(self, self->piece_count, first[p->body_count]));
    return ENGINE_SEND(self, pieces, self->pieces, self->piece_count);
}

/* Problems that were not assembled from a world have no systems. */
static scree_result upload_row_systems(opencl_backend *self, const problem *p) {
    if (p->system_count > 0) return ENGINE_SEND(self, row_systems, p->row_systems, p->row_count);
    TRY(ENGINE_RESERVE(self, row_systems, int, p->row_count));
    return opencl_buffer_clear(&self->device, &self->buffers.row_systems,
                               (size_t)p->row_count * sizeof *p->row_systems, "row_systems");
}

static scree_result send_problem(opencl_backend *self, const problem *p) {
    self->splits_up = false;
    TRY(ENGINE_SHARE(self, blocks, constraint_block, p->block_count));
    TRY(ENGINE_SHARE(self, impulses, block_impulse, p->block_count));
    TRY(ENGINE_SHARE(self, groups, block_group, p->group_count));
    TRY(ENGINE_SHARE(self, incidence_first, int, p->body_count + 1));
    TRY(ENGINE_SHARE(self, incidence, int, p->incidence_first[p->body_count]));
    TRY(ENGINE_SEND(self, blocks, p->blocks, p->block_count));
    TRY(ENGINE_SEND(self, rows, p->rows, p->row_count));
    TRY(upload_row_systems(self, p));
    TRY(ENGINE_SEND(self, groups, p->groups, p->group_count));
    TRY(opencl_sweep_plan(self));
    TRY(ENGINE_SEND(self, incidence_first, p->incidence_first, p->body_count + 1));
    TRY(ENGINE_SEND(self, incidence, p->incidence, p->incidence_first[p->body_count]));
    TRY(upload_pieces(self));
    TRY(ENGINE_SEND(self, remainder_bodies, p->remainder_bodies, p->remainder_body_count));
    return SCREE_OK;
}

/* Takes a problem that was arranged and filled here. */
static scree_result take_arranged(opencl_backend *self, const problem *p) {
    const cl_uint *report = self->assembly.arrange.report;
    const bool remains = p->remainder_first < p->block_count;
    self->splits_up = true;
    TRY(ENGINE_SEND(self, rows, p->rows, p->row_count));
    TRY(upload_row_systems(self, p));
    TRY(opencl_sweep_plan(self));
    return reserve_pieces(self, remains ? (int)report[ARRANGED_PIECES] : 0, (int)report[ARRANGED_INCIDENCE]);
}

/* Forgets the parts of the scratch memory that a solve takes when it first needs them. */
static void begin_scratch(opencl_backend *self, const problem *p) {
    engine_buffers *on = &self->buffers;
    opencl_buffer *const parts[] = {&on->starts, &on->before,   &on->best,   &on->kept,
                                    &on->uphill, &on->rebounds, &on->marked, &on->marked_velocity};
    if (p->away)
        opencl_reset_scratch(self);
    else
        opencl_clear_scratch(self);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) opencl_buffer_release(&self->device, parts[i]);
}

/* Uploads the data of both passes. Predicted bodies are on the device already. */
static scree_result upload(opencl_backend *self, problem *p) {
    begin_scratch(self, p);
    self->p = p;
    if (self->predicted != p) {
        self->predicted = NULL;
        TRY(ENGINE_SEND(self, mobility, p->mobility, p->body_count));
        TRY(ENGINE_SEND(self, free_velocity, p->free_velocity, p->body_count));
    }
    TRY(ENGINE_RESERVE(self, velocity, body_velocity, p->body_count));
    TRY(ENGINE_RESERVE(self, pseudo_velocity, body_velocity, p->body_count));
    TRY(p->away ? take_arranged(self, p) : send_problem(self, p));
    TRY(ENGINE_SHARE(self, diagonals, block_diagonal, p->block_count));
    TRY(ENGINE_SHARE(self, chunks, residual_sum, p->block_count / RESIDUAL_CHUNK + 1));
    TRY(MEMORY_RESERVE(self->sums, self->sum_capacity, p->block_count / RESIDUAL_CHUNK + 1, NULL));
    return prepare(self);
}

static size_t impulse_bytes(const opencl_backend *self) {
    return (size_t)self->p->block_count * sizeof *self->p->impulses;
}

/* The host overwrites the factors that it sent for the pass before: waits unless something else has waited
 * since, as the tests of that pass do. */
static scree_result let_factors_go(opencl_backend *self) {
    const bool has_some = self->p->forest.tree_count > 0 || self->p->system_count > 0;
    if (has_some && self->factors_sent && self->device.traffic.waits == self->waits_before_factors)
        TRY(opencl_device_wait(&self->device));
    self->factors_sent = has_some;
    self->waits_before_factors = self->device.traffic.waits;
    return SCREE_OK;
}

/* Uploads the trees and their factors for the pass. */
static scree_result upload_trees(opencl_backend *self, solve_parameters parameters) {
    problem *p = self->p;
    const joint_forest *forest = &p->forest;
    opencl_links *links = &self->assembly.links;
    if (forest->tree_count == 0) return SCREE_OK;
    for (int tree = 0; tree < forest->tree_count; tree++)
        joint_forest_factor(p, parameters.position_pass, tree);
    TRY(ENGINE_RESERVE(self, tree_states, joint_node_state, forest->node_count));
    TRY(ENGINE_SEND(self, tree_first, forest->tree_first, forest->tree_count + 1));
    TRY(ENGINE_SEND(self, level_first, forest->level_first, forest->level_count + 1));
    if (p->away) TRY(opencl_links_number(links, forest));
    TRY(ENGINE_SEND(self, tree_nodes, p->away ? links->nodes : forest->nodes, forest->node_count));
    return ENGINE_SEND(self, tree_factors, forest->factors, forest->node_count);
}

/* Uploads the factors of joints for the pass. */
static scree_result upload_systems(opencl_backend *self, solve_parameters parameters) {
    problem *p = self->p;
    for (int i = 0; i < p->system_count; i++) joint_system_factor(p, i, parameters.position_pass);
    return ENGINE_SEND(self, systems, p->systems, p->system_count);
}

/* Impulses of the position pass of a problem that was filled here have a buffer of their own, which takes the
 * place of the others during the pass. */
static void exchange_pushes(opencl_backend *self) {
    opencl_buffer_exchange(&self->buffers.pushes, &self->buffers.impulses);
}

/* Sends the initial impulses of a pass; zeros are cleared on the device. */
static scree_result send_impulses(opencl_backend *self, const block_impulse *impulses) {
    const int count = self->p->block_count;
    if (!memory_is_zero(impulses, impulse_bytes(self))) return ENGINE_SEND(self, impulses, impulses, count);
    TRY(ENGINE_RESERVE(self, impulses, block_impulse, count));
    return opencl_buffer_clear(&self->device, &self->buffers.impulses, impulse_bytes(self), "impulses");
}

/* A position pass after a solve of the same problem reuses its blocks. */
static scree_result begin(executor *base, problem *p, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    const bool again = parameters.position_pass && self->solved == p && self->p == p;
    const bool pushes_up = again && self->pushes_up;
    self->p = p;
    self->solved = NULL;
    self->pushes_up = self->keeps = false;
    self->pushes = parameters.position_pass;
    self->states[0] = no_momentum[0], self->states[1] = no_momentum[1];
    self->states_stale = false;
    TRY(ENGINE_SEND(self, nesterov, no_momentum, 2));
    if (!again) TRY(upload(self, p));
    TRY(let_factors_go(self));
    TRY(upload_trees(self, parameters));
    TRY(upload_systems(self, parameters));
    if (p->away && parameters.position_pass) exchange_pushes(self);
    if (p->away) return SCREE_OK;
    if (!parameters.position_pass) return send_impulses(self, p->impulses);
    return pushes_up ? SCREE_OK : send_impulses(self, p->pseudo_impulses);
}

/* Arguments of a sum over bodies, and of a gathering kernel, which also takes the velocities that it
 * writes. */
#define SUM_ARGUMENTS(longest)                                                                               \
    OWN(blocks), OWN(impulses), OWN(incidence_first), OWN(incidence), OWN(piece_sums), ARGUMENT(longest)
#define GATHER_ARGUMENTS(longest, velocities)                                                                \
    SUM_ARGUMENTS(longest), OWN(mobility), OWN(free_velocity), BUFFER(*(velocities))

/* Sums the pieces, with `rebounds` of bouncing contacts only. `longest` becomes the number of blocks that a
 * work-item sums itself. */
static scree_result sum_pieces(opencl_backend *self, int rebounds, int *longest) {
    *longest = self->piece_count > 0 ? GATHER_PIECE : INT_MAX;
    return ENGINE_LAUNCH(self, KERNEL_gather_pieces, self->piece_count, OWN(blocks), OWN(impulses),
                         OWN(incidence_first), OWN(incidence), OWN(pieces), OWN(piece_sums),
                         ARGUMENT(rebounds), ARGUMENT(self->piece_count));
}

static scree_result gather(executor *base, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    int longest;
    TRY(sum_pieces(self, 0, &longest));
    return ENGINE_LAUNCH(self, KERNEL_gather, self->p->body_count,
                         GATHER_ARGUMENTS(longest, pass_velocities(self, parameters)), ARGUMENT(parameters),
                         ARGUMENT(self->p->body_count));
}

static scree_result gather_remainder(executor *base, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    int longest;
    TRY(sum_pieces(self, 0, &longest));
    return ENGINE_LAUNCH(self, KERNEL_gather_listed, self->p->remainder_body_count,
                         GATHER_ARGUMENTS(longest, pass_velocities(self, parameters)), OWN(remainder_bodies),
                         ARGUMENT(parameters), ARGUMENT(self->p->remainder_body_count));
}

static scree_result regather(executor *base, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    int longest;
    TRY(sum_pieces(self, 0, &longest));
    return ENGINE_LAUNCH(self, KERNEL_regather, self->p->body_count,
                         GATHER_ARGUMENTS(longest, pass_velocities(self, parameters)), OWN(velocities_before),
                         ARGUMENT(parameters), ARGUMENT(self->p->body_count));
}

static scree_result sweep(executor *base, int first, int count, solve_parameters parameters) {
    return opencl_sweep(backend_of_executor(base), first, count, parameters);
}

static scree_result update(executor *base, int first, int count, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    if (!self->splits_up) TRY(ENGINE_SEND(self, splits, self->p->splits, self->p->body_count));
    self->splits_up = true;
    return ENGINE_LAUNCH(self, KERNEL_update, count, OWN(blocks), OWN(rows), OWN(impulses),
                         BUFFER(*pass_velocities(self, parameters)), OWN(mobility), OWN(splits),
                         ARGUMENT(parameters), ARGUMENT(first), ARGUMENT(count));
}

static scree_result solve_trees(executor *base, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    return ENGINE_LAUNCH(self, KERNEL_solve_trees, self->p->forest.tree_count * WORK_GROUP, OWN(tree_first),
                         OWN(level_first), OWN(tree_nodes), OWN(tree_factors), OWN(tree_states), OWN(blocks),
                         OWN(rows), OWN(impulses), BUFFER(*pass_velocities(self, parameters)),
                         ARGUMENT(parameters));
}

static scree_result keep(executor *base) {
    opencl_backend *self = backend_of_executor(base);
    TRY(ENGINE_TAKE(self, kept, block_impulse, self->p->block_count));
    self->keeps = true;
    return opencl_buffer_copy(&self->device, &self->buffers.impulses, &self->buffers.kept,
                              impulse_bytes(self), "keeping the impulses of an iteration");
}

/* Swaps the two velocity buffers, and the two momentum states; states read before are stale. */
static void exchange_velocities(opencl_backend *self, opencl_buffer *velocities) {
    opencl_buffer_exchange(&self->buffers.velocities_before, velocities);
    self->states_stale = true;
    self->momentum = 1 - self->momentum;
}

/* Extrapolates from r to y, and writes the new momentum state to the other of the two places. */
static scree_result extrapolate(opencl_backend *self, solve_parameters parameters, int fresh, int chunks) {
    const problem *p = self->p;
    opencl_buffer *velocities = pass_velocities(self, parameters);
    const int most = p->block_count > p->body_count ? p->block_count : p->body_count;
    TRY(ENGINE_LAUNCH(self, KERNEL_nesterov_step, most, OWN(blocks), OWN(nesterov), OWN(uphill),
                      BUFFER(*velocities), OWN(velocities_before), OWN(impulses), OWN(starts), OWN(before),
                      ARGUMENT(parameters), ARGUMENT(self->momentum), ARGUMENT(fresh), ARGUMENT(chunks),
                      ARGUMENT(p->block_count), ARGUMENT(p->body_count)));
    self->terms_up = false;
    exchange_velocities(self, velocities);
    return SCREE_OK;
}

static scree_result nesterov_begin(executor *base, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    const problem *p = self->p;
    TRY(ENGINE_TAKE(self, starts, block_impulse, p->block_count));
    TRY(ENGINE_TAKE(self, before, block_impulse, p->block_count));
    TRY(ENGINE_RESERVE(self, velocities_before, body_velocity, p->body_count));
    TRY(ENGINE_TAKE(self, uphill, scalar, p->block_count / RESIDUAL_CHUNK + 1));
    return extrapolate(self, parameters, 1, 0);
}

/* Adds the chunks' sums up to one if there are many. */
static scree_result total_uphill(opencl_backend *self) {
    const int chunks = opencl_chunk_count(self->p);
    return chunks > self->few_chunks
               ? ENGINE_LAUNCH(self, KERNEL_nesterov_total, WORK_GROUP, OWN(uphill), ARGUMENT(chunks))
               : SCREE_OK;
}

static int uphill_sums(const opencl_backend *self) {
    const int chunks = opencl_chunk_count(self->p);
    return chunks > self->few_chunks ? 1 : chunks;
}

/* Sums the terms of the restart test. */
static scree_result sum_uphill(opencl_backend *self) {
    const int items = opencl_chunk_count(self->p) * WORK_GROUP;
    TRY(self->terms_up
            ? ENGINE_LAUNCH(self, KERNEL_nesterov_terms, items, OWN(starts), OWN(uphill),
                            ARGUMENT(self->p->block_count))
            : ENGINE_LAUNCH(self, KERNEL_nesterov_chunks, items, OWN(diagonals), OWN(starts), OWN(impulses),
                            OWN(before), OWN(uphill), ARGUMENT(self->p->block_count)));
    return total_uphill(self);
}

static scree_result nesterov_step(executor *base, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    TRY(sum_uphill(self));
    return extrapolate(self, parameters, 0, uphill_sums(self));
}

static scree_result nesterov_read(executor *base, nesterov_values *out) {
    opencl_backend *self = backend_of_executor(base);
    if (self->states_stale) TRY(ENGINE_READ(self, nesterov, self->states, 2));
    self->states_stale = false;
    const nesterov_state *state = &self->states[self->momentum];
    *out = (nesterov_values){.t = (double)state->t, .restarts = state->restarts};
    return SCREE_OK;
}

static scree_result best_keep(executor *base) {
    opencl_backend *self = backend_of_executor(base);
    TRY(ENGINE_TAKE(self, best, block_impulse, self->p->block_count));
    return opencl_buffer_copy(&self->device, &self->buffers.impulses, &self->buffers.best,
                              impulse_bytes(self), "keeping the best iterate");
}

static scree_result best_restore(executor *base) {
    opencl_backend *self = backend_of_executor(base);
    return opencl_buffer_copy(&self->device, &self->buffers.best, &self->buffers.impulses,
                              impulse_bytes(self), "restoring the best iterate");
}

/* Reads the chunks' sums in the precision that the device used. */
static scree_result read_sums(opencl_backend *self, int chunks, cl_bool waits, residual_sum *to) {
    const size_t number = self->device.info.fp64 ? sizeof(double) : sizeof(float);
    return opencl_buffer_read(&self->device, &self->buffers.chunks, to,
                              (size_t)chunks * RESIDUAL_NUMBERS * number, waits, "chunks");
}

/* Widens the sums to doubles in place from the end: item c needs bytes that only items before it still use.
 */
static void widen_sums(const opencl_backend *self, int chunks, residual_sum *sums) {
    const float *narrow = (const float *)sums;
    for (int c = chunks - 1; c >= 0 && !self->device.info.fp64; --c) {
        const float *sum = narrow + RESIDUAL_NUMBERS * c;
        const residual_sum wide = {(double)sum[0], (double)sum[1], (double)sum[2],
                                   (double)sum[3], (double)sum[4], (double)sum[5],
                                   (double)sum[6], (double)sum[7], (double)sum[8]};
        sums[c] = wide;
    }
}

scree_result opencl_residual_chunks(opencl_backend *self, solve_parameters parameters) {
    const engine_buffers *on = &self->buffers;
    const opencl_buffer *kept =
        self->keeps ? &on->kept : &on->impulses; /* without kept impulses the change is 0 */
    return ENGINE_LAUNCH(self, KERNEL_residual_chunks, opencl_chunk_count(self->p) * WORK_GROUP, OWN(blocks),
                         OWN(diagonals), OWN(impulses), BUFFER(*kept),
                         BUFFER(*pass_velocities(self, parameters)), OWN(free_velocity), OWN(chunks),
                         ARGUMENT(parameters), ARGUMENT(self->p->block_count), OWN(rows));
}

static scree_result residual(executor *base, solve_parameters parameters, residual_sum *out) {
    opencl_backend *self = backend_of_executor(base);
    const int chunks = opencl_chunk_count(self->p);
    TRY(opencl_residual_chunks(self, parameters));
    /* Fetch the momentum state together with the sums, which saves a wait later. */
    if (self->states_stale) TRY(ENGINE_FETCH(self, nesterov, self->states, 2));
    TRY(read_sums(self, chunks, CL_TRUE, self->sums));
    widen_sums(self, chunks, self->sums);
    if (chunks > 0) self->states_stale = false;
    residual_sum_total(self->sums, chunks, out);
    return SCREE_OK;
}

static scree_result residual_later(executor *base, int number, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    const int chunks = opencl_chunk_count(self->p);
    self->early_count[number] = chunks;
    TRY(MEMORY_RESERVE(self->early[number], self->early_capacity[number], chunks + 1, NULL));
    TRY(opencl_residual_chunks(self, parameters));
    return read_sums(self, chunks, CL_FALSE, self->early[number]);
}

static void residual_taken(executor *base, int number, residual_sum *out) {
    opencl_backend *self = backend_of_executor(base);
    widen_sums(self, self->early_count[number], self->early[number]);
    residual_sum_total(self->early[number], self->early_count[number], out);
}

static size_t velocity_bytes(const opencl_backend *self) {
    return (size_t)self->p->body_count * sizeof(body_velocity);
}

/* The marks are parts of the scratch memory, as the best iterate; the impulses and velocities of a solve
 * outlive that. */
static scree_result mark(executor *base, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    TRY(ENGINE_TAKE(self, marked, block_impulse, self->p->block_count));
    TRY(ENGINE_TAKE(self, marked_velocity, body_velocity, self->p->body_count));
    TRY(opencl_buffer_copy(&self->device, &self->buffers.impulses, &self->buffers.marked, impulse_bytes(self),
                           "marking the impulses"));
    return opencl_buffer_copy(&self->device, pass_velocities(self, parameters),
                              &self->buffers.marked_velocity, velocity_bytes(self), "marking the velocities");
}

static scree_result mark_return(executor *base, bool best, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    TRY(opencl_buffer_copy(&self->device, best ? &self->buffers.best : &self->buffers.marked,
                           &self->buffers.impulses, impulse_bytes(self), "returning to marked impulses"));
    return opencl_buffer_copy(&self->device, &self->buffers.marked_velocity,
                              pass_velocities(self, parameters), velocity_bytes(self),
                              "returning to marked velocities");
}

static void mark_best(executor *base) {
    opencl_backend *self = backend_of_executor(base);
    opencl_buffer_exchange(&self->buffers.best, &self->buffers.marked);
}

static scree_result end(executor *base, solve_parameters parameters) {
    opencl_backend *self = backend_of_executor(base);
    problem *p = self->p;
    if (p->away && parameters.position_pass) exchange_pushes(self);
    block_impulse *const to = parameters.position_pass ? p->pseudo_impulses : p->impulses;
    TRY(p->away ? opencl_links_read(
                      &self->assembly.links,
                      parameters.position_pass ? &self->buffers.pushes : &self->buffers.impulses, to)
                : ENGINE_FETCH(self, impulses, to, p->block_count));
    self->pushes_up = parameters.position_pass;
    self->solved = p;
    return SCREE_OK;
}

static scree_result displace(executor *base, problem *p, bool bounces) {
    opencl_backend *self = backend_of_executor(base);
    const int taken = bounces;
    TRY(ENGINE_TAKE(self, rebounds, body_velocity, p->body_count));
    int longest = INT_MAX;
    if (bounces) TRY(sum_pieces(self, 1, &longest));
    if (bounces)
        TRY(ENGINE_LAUNCH(self, KERNEL_rebound, p->body_count, SUM_ARGUMENTS(longest), OWN(mobility),
                          OWN(rebounds), ARGUMENT(p->body_count)));
    return ENGINE_LAUNCH(self, KERNEL_correct, p->block_count, OWN(blocks), OWN(rows), OWN(velocity),
                         OWN(rebounds), ARGUMENT(taken), ARGUMENT(p->block_count));
}

static scree_result take_back(executor *base) {
    opencl_backend *self = backend_of_executor(base);
    return ENGINE_LAUNCH(self, KERNEL_take_back, self->p->body_count, OWN(pseudo_velocity), OWN(rebounds),
                         ARGUMENT(self->p->body_count));
}

/* Extrapolates bodies, and writes the new momentum state as `extrapolate` does; the sweep that follows reads
 * it. */
static scree_result move_bodies(opencl_backend *self, solve_parameters parameters) {
    opencl_buffer *velocities = pass_velocities(self, parameters);
    const int chunks = uphill_sums(self), bodies = self->p->body_count;
    TRY(ENGINE_LAUNCH(self, KERNEL_nesterov_bodies, bodies, OWN(nesterov), OWN(uphill), BUFFER(*velocities),
                      OWN(velocities_before), ARGUMENT(parameters.ceiling), ARGUMENT(self->momentum),
                      ARGUMENT(chunks), ARGUMENT(bodies)));
    opencl_buffer_exchange(&self->buffers.velocities_before, velocities);
    return SCREE_OK;
}

static scree_result sweep_ahead(opencl_backend *self, solve_parameters parameters) {
    TRY(sum_uphill(self));
    if (opencl_sweep_moves_bodies(self)) return opencl_sweep_ahead(self, parameters, uphill_sums(self));
    TRY(move_bodies(self, parameters));
    return opencl_sweep_ahead(self, parameters, 0);
}

/* Runs forward sweeps in fewer launches. */
static scree_result iterate(executor *base, iteration_run run, solve_parameters parameters,
                            solve_parameters step, bool *done) {
    opencl_backend *self = backend_of_executor(base);
    /* The position pass uses momentum only when bodies sink, so it has no kernel that includes the step. */
    const bool ahead =
        run.nesterov && !run.shifts && !parameters.position_pass && opencl_sweep_goes_ahead(self);
    *done = run.kind == ITERATION_FORWARD;
    parameters.ceiling = step.ceiling;
    for (int i = 0; *done && i < run.count; i++) {
        const bool steps = run.nesterov && (i > 0 || !run.fresh);
        step.read_shift = run.shifts && (run.made + i) % SHIFT_ITERATIONS == 0;
        if (steps && ahead) {
            TRY(sweep_ahead(self, parameters));
            continue;
        }
        if (steps) TRY(nesterov_step(base, step));
        TRY(opencl_sweep_colours(self, parameters));
        TRY(executor_sweep_remainder(base, self->p->remainder_first, self->p->block_count, parameters));
        TRY(solve_trees(base, parameters));
    }
    return SCREE_OK;
}

const executor_operations opencl_executor_operations = {.begin = begin,
                                                        .gather = gather,
                                                        .gather_remainder = gather_remainder,
                                                        .regather = regather,
                                                        .sweep = sweep,
                                                        .update = update,
                                                        .keep = keep,
                                                        .nesterov_begin = nesterov_begin,
                                                        .nesterov_step = nesterov_step,
                                                        .nesterov_read = nesterov_read,
                                                        .best_keep = best_keep,
                                                        .best_restore = best_restore,
                                                        .residual = residual,
                                                        .residual_later = residual_later,
                                                        .residual_taken = residual_taken,
                                                        .mark = mark,
                                                        .mark_return = mark_return,
                                                        .mark_best = mark_best,
                                                        .tests = &opencl_test_operations,
                                                        .end = end,
                                                        .iterate = iterate,
                                                        .displace = displace,
                                                        .solve_trees = solve_trees,
                                                        .take_back = take_back};

executor *opencl_executor(backend *opencl) { return &((opencl_backend *)opencl)->executor; }
