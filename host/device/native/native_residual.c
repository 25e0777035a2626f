/* The residual: the terms of each block, in lanes where batches hold the blocks, then sums over fixed chunks
 * of blocks in their order. The scale ρ q is constant in a pass and summed once, before the first iteration;
 * its terms use the memory of the iterate before. */
#include "native_state.h"

#include <string.h>

/* Computes one block's terms, in the layout of wide code. */
static void measure_block(const native_loop *loop, int i) {
    const native *self = loop->self;
    const solve_parameters parameters = loop->parameters;
    const problem *p = self->p;
    const constraint_block block = p->blocks[i];
    const block_impulse r = self->impulses[i], kept = self->keeps ? self->kept[i] : r;
    const body_velocity a = self->velocities[block.body_a], b = self->velocities[block.body_b],
                        free_a = velocity_of_pass(p->free_velocity[block.body_a], parameters),
                        free_b = velocity_of_pass(p->free_velocity[block.body_b], parameters);
    const block_residual one =
        !block_is_bounded(block) ? block_residual_of(block, self->diagonals[i], parameters, r, kept,
                                                     normal_before(self, i), a, b, free_a, free_b)
        : self->drives_known
            ? block_residual_with(
                  bounded_error(block, p->rows[block.rows], self->diagonals[i], parameters, r.value, a, b),
                  (block_error){0}, r.value, kept.value)
            : bounded_residual_of(block, p->rows[block.rows], self->diagonals[i], parameters, r, kept, a, b,
                                  free_a, free_b);
    self->records[i] = (block_impulse){{one.map, one.impulse, one.change}, one.violation};
    if (!self->drives_known) self->before[i] = (block_impulse){.value = {one.drive, one.free, 0}};
}

static void measure(native *self, solve_parameters parameters) {
    wide_job job = native_job(self, parameters);
    job.drives = self->drives_known ? NULL : (float *)self->before;
    native_each_block((native_loop){.self = self,
                                    .parameters = parameters,
                                    .job = &job,
                                    .wide = self->wide ? self->wide->residual : NULL,
                                    .each = measure_block});
}

static void sum_chunk(const native_loop *loop, int chunk) {
    const native *self = loop->self;
    const span of = span_of(loop, chunk, RESIDUAL_CHUNK);
    const scalar limit = loop->parameters.violation_limit;
    enum {
        NUMBERS = 4
    }; /* per record, all treated alike: separate branches for two of them doubled the time */
    double sums[NUMBERS] = {0}, most[NUMBERS] = {0};
    int violated = 0;
    for (int i = of.first; i < of.end; i++) {
        float one[NUMBERS];
        memcpy(one, &self->records[i], sizeof one);
        for (int k = 0; k < NUMBERS; k++) {
            const double number = (double)one[k];
            sums[k] += number;
            most[k] = number > most[k] ? number : most[k];
        }
        violated += one[3] > limit;
    }
    self->chunks[chunk] = (residual_sum){.map = sums[0],
                                         .impulse = sums[1],
                                         .change = sums[2],
                                         .max_map = most[0],
                                         .violation = most[3],
                                         .violated = limit > 0 ? (double)violated : 0,
                                         .drive = self->chunks[chunk].drive,
                                         .free = self->chunks[chunk].free};
}

/* Chunks per piece: one chunk is too little work. */
enum { TOGETHER = 8 };

static void sum_piece(void *context, int piece) {
    const native_loop *loop = context;
    const int chunks = chunks_of(loop->self), first = piece * TOGETHER, end = first + TOGETHER;
    for (int chunk = first; chunk < end && chunk < chunks; chunk++) sum_chunk(loop, chunk);
}

static void sum_drives_piece(void *context, int chunk) {
    const native_loop *loop = context;
    const native *self = loop->self;
    const span of = span_of(loop, chunk, RESIDUAL_CHUNK);
    residual_sum *sum = &self->chunks[chunk];
    sum->drive = sum->free = 0;
    for (int i = of.first; i < of.end; i++) {
        const double free = (double)self->before[i].value.y;
        sum->drive += (double)self->before[i].value.x;
        if (free > sum->free) sum->free = free;
    }
}

scree_result native_residual(executor *base, solve_parameters parameters, residual_sum *out) {
    native *self = native_of(base);
    native_loop loop = {.self = self, .parameters = parameters, .count = self->p->block_count};
    measure(self, parameters);
    if (!self->drives_known) share_items(&loop, RESIDUAL_CHUNK, sum_drives_piece);
    self->drives_known = true;
    share_items(&loop, TOGETHER * RESIDUAL_CHUNK, sum_piece);
    residual_sum_total(self->chunks, (loop.count + RESIDUAL_CHUNK - 1) / RESIDUAL_CHUNK, out);
    return SCREE_OK;
}
