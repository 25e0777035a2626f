#include "delassus.h"

#include "base/memory.h"
#include "host_block.h"

/* Limit of A: about 3 GB. */
enum { MOST_ENTRIES = 40000000 };

/* Iterator over the blocks that share a body: merges the ascending lists of a block's two bodies. */
typedef struct neighbours {
    const problem *p;
    int next[2], last[2];
} neighbours;

static neighbours neighbours_of(const problem *p, int block) {
    const int ends[2] = {p->blocks[block].body_a, p->blocks[block].body_b};
    neighbours out = {.p = p};
    for (int side = 0; side < 2; ++side) {
        out.next[side] = p->incidence_first[ends[side]];
        out.last[side] = p->incidence_first[ends[side] + 1];
    }
    return out;
}

/* Returns the next block in ascending order, or −1. through[side] is the side on which that block has the
 * body of `side`, or −1. */
static int next_neighbour(neighbours *self, int through[2]) {
    int entry[2], block = -1;
    for (int side = 0; side < 2; ++side) {
        entry[side] = self->next[side] < self->last[side] ? self->p->incidence[self->next[side]] : -1;
        if (entry[side] >= 0 && (block < 0 || entry[side] / 2 < block)) block = entry[side] / 2;
    }
    for (int side = 0; side < 2; ++side) {
        const bool here = entry[side] >= 0 && entry[side] / 2 == block;
        through[side] = here ? entry[side] % 2 : -1;
        self->next[side] += here;
    }
    return block;
}

/* Adds the effect of column block j on row block i through a shared body, which i has on `side_i` and j on
 * `side_j`: unit impulses along j's axes, ± by side, change the body's velocity by M⁻¹, and i sees the
 * change, ± by side. */
static void add_term(real3x3 *sum, const host_frame *row, int side_i, const host_frame *column, int side_j,
                     const body_mobility *mobility) {
    const double sign = side_i == side_j ? 1 : -1;
    for (int k = 0; k < 3; ++k) {
        const host_velocity change = host_response(mobility, host_applied(column, side_j, column->axis[k]));
        const real3 seen = host_seen(row, side_i, change);
        for (int l = 0; l < 3; ++l) sum->m[l][k] += sign * real3_inner(row->axis[l], seen);
    }
}

static void add_compliance(real3x3 *sum, const problem *p, const constraint_block *block) {
    if (block->kind == BLOCK_CONTACT) sum->m[0][0] += (double)block->compliance;
    if (block->kind != BLOCK_BOUNDED) return;
    const real3 soft = real3_of(p->rows[block->rows].compliance);
    sum->m[0][0] += soft.x, sum->m[1][1] += soft.y, sum->m[2][2] += soft.z;
}

static void fill_row(delassus *self, const problem *p, const host_frame *frames, int i, bool position_pass) {
    const constraint_block *block = &p->blocks[i];
    neighbours around = neighbours_of(p, i);
    int through[2];
    for (int entry = self->first[i]; entry < self->first[i + 1]; ++entry) {
        const int neighbour = next_neighbour(&around, through), j = neighbour < 0 ? i : neighbour;
        real3x3 sum = {0};
        if (through[0] >= 0)
            add_term(&sum, &frames[i], 0, &frames[j], through[0], &p->mobility[block->body_a]);
        if (through[1] >= 0)
            add_term(&sum, &frames[i], 1, &frames[j], through[1], &p->mobility[block->body_b]);
        if (j == i) {
            self->diagonal[i] = entry;
            if (!position_pass) add_compliance(&sum, p, block);
        }
        self->column[entry] = j;
        self->entries[entry] = sum;
    }
}

scree_result delassus_allocate(delassus *self, int count, int blocks) {
    *self = (delassus){.count = count};
    self->first = memory_allocate((size_t)count + 1, sizeof *self->first);
    self->column = memory_allocate((size_t)blocks, sizeof *self->column);
    self->entries = memory_allocate((size_t)blocks, sizeof *self->entries);
    self->diagonal = memory_allocate((size_t)count, sizeof *self->diagonal);
    self->q = memory_allocate((size_t)count, sizeof *self->q);
    self->friction = memory_allocate((size_t)count, sizeof *self->friction);
    self->rolling = memory_allocate((size_t)count, sizeof *self->rolling);
    self->spinning = memory_allocate((size_t)count, sizeof *self->spinning);
    self->kind = memory_allocate((size_t)count, sizeof *self->kind);
    if (self->first && self->column && self->entries && self->diagonal && self->q && self->friction &&
        self->rolling && self->spinning && self->kind)
        return SCREE_OK;
    delassus_release(self);
    return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %d contacts and %d blocks", count, blocks);
}

scree_result delassus_allocate_bounds(delassus *self) {
    self->low = memory_allocate(2 * (size_t)self->count, sizeof *self->low);
    if (!self->low) return fail(SCREE_ERROR_MEMORY, "out of memory: bounds of %d blocks", self->count);
    self->high = self->low + self->count;
    for (int i = 0; i < self->count; i++) {
        self->low[i] = (real3){-INFINITY, -INFINITY, -INFINITY};
        self->high[i] = (real3){INFINITY, INFINITY, INFINITY};
    }
    return SCREE_OK;
}

/* Returns the number of blocks of row i; at least one, which is zero if no impulse moves the block. */
static int row_length(const problem *p, int i) {
    neighbours around = neighbours_of(p, i);
    int through[2], length = 0;
    while (next_neighbour(&around, through) >= 0) ++length;
    return length > 0 ? length : 1;
}

static scree_result allocate(delassus *self, const problem *p) {
    int blocks = 0;
    for (int i = 0; i < p->block_count; ++i) {
        blocks += row_length(p, i);
        if (blocks > MOST_ENTRIES)
            return fail(SCREE_ERROR_CAPACITY,
                        "matrix of %d contacts: more than %d blocks; a body has too many contacts "
                        "for the reference backend",
                        p->block_count, MOST_ENTRIES);
    }
    TRY(delassus_allocate(self, p->block_count, blocks));
    for (int i = 0; i < p->block_count; ++i) self->first[i + 1] = self->first[i] + row_length(p, i);
    return SCREE_OK;
}

/* Copies the parameters of the law. In the position pass only normal rows and bounded rows act. */
static void fill_numbers(delassus *self, const problem *p, int i, bool position_pass) {
    const constraint_block *block = &p->blocks[i];
    self->kind[i] = (scree_block_kind)block->kind;
    if (block->kind == BLOCK_BOUNDED) {
        const host_box box = host_box_of(p, block, position_pass);
        self->low[i] = box.low;
        self->high[i] = box.high;
    }
    if (position_pass) return;
    if (block->kind == BLOCK_CONTACT) self->friction[i] = (double)block->friction;
    if (block->kind == BLOCK_RESISTANCE) {
        self->rolling[i] = (double)block->rolling;
        self->spinning[i] = (double)block->spinning;
    }
}

scree_result delassus_assemble(delassus *self, const problem *p, bool position_pass, int threads) {
    *self = (delassus){0};
    scree_result result = allocate(self, p);
    host_frame *frames = memory_allocate((size_t)p->block_count, sizeof *frames);
    if (result == SCREE_OK && !frames)
        result = fail(SCREE_ERROR_MEMORY, "out of memory: %d frames", p->block_count);
    if (result == SCREE_OK && p->row_count > 0) result = delassus_allocate_bounds(self);
    if (result != SCREE_OK) {
        memory_release(frames);
        delassus_release(self);
        return result;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < p->block_count; ++i) frames[i] = host_frame_of(&p->blocks[i]);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < p->block_count; ++i) {
        fill_row(self, p, frames, i, position_pass);
        self->q[i] = host_drive(p, i, position_pass);
        fill_numbers(self, p, i, position_pass);
    }
    memory_release(frames);
    return SCREE_OK;
}

void delassus_release(delassus *self) {
    memory_release(self->first);
    memory_release(self->column);
    memory_release(self->diagonal);
    memory_release(self->entries);
    memory_release(self->q);
    memory_release(self->friction);
    memory_release(self->rolling);
    memory_release(self->spinning);
    memory_release(self->kind);
    memory_release(self->low);
    *self = (delassus){0};
}

real3 delassus_velocity(const delassus *self, const real3 *r, int i) {
    real3 u = self->q[i];
    for (int entry = self->first[i]; entry < self->first[i + 1]; ++entry)
        u = real3_sum(u, real3x3_times(&self->entries[entry], r[self->column[entry]]));
    return u;
}

host_bound delassus_bound(const delassus *self, const real3 *r, int i) {
    const double pressed = fmax(r[i - 1].x, 0);
    return (host_bound){self->spinning[i] * pressed, self->rolling[i] * pressed};
}

host_box delassus_box(const delassus *self, int i) { return (host_box){self->low[i], self->high[i]}; }

double delassus_rho(const delassus *self, int i) {
    const double trace = real3x3_trace(&self->entries[self->diagonal[i]]);
    return trace > 0 ? 3 / trace : 0;
}
