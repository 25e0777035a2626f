#include "elimination.h"

#include "base/memory.h"
#include "small_system.h"

#include <string.h>

scree_result elimination_allocate(elimination *self, int capacity) {
    *self = (elimination){.capacity = capacity};
    const size_t n = (size_t)capacity;
    self->place = memory_allocate(n * n, sizeof *self->place);
    self->degree = memory_allocate(3 * n, sizeof *self->degree);
    self->gone = memory_allocate(n, sizeof *self->gone);
    if (self->place && self->degree && self->gone) {
        self->order = self->degree + n;
        self->around = self->degree + 2 * n;
        return SCREE_OK;
    }
    elimination_release(self);
    return fail(SCREE_ERROR_MEMORY, "out of memory: a linear system of %d contacts", capacity);
}

void elimination_release(elimination *self) {
    memory_release(self->place);
    memory_release(self->blocks);
    memory_release(self->degree);
    memory_release(self->gone);
    *self = (elimination){0};
}

void elimination_begin(elimination *self, int count) {
    self->count = count;
    self->block_count = 0;
    memset(self->place, 0, (size_t)count * (size_t)count * sizeof *self->place);
    memset(self->degree, 0, (size_t)count * sizeof *self->degree);
    memset(self->gone, 0, (size_t)count * sizeof *self->gone);
}

static int *place_of(elimination *self, int row, int column) {
    return &self->place[(size_t)row * (size_t)self->count + (size_t)column];
}

real3x3 *elimination_block(elimination *self, int row, int column) {
    int *place = place_of(self, row, column);
    if (!*place) {
        if (self->block_count == (size_t)self->block_capacity &&
            MEMORY_RESERVE(self->blocks, self->block_capacity, self->block_count + 1, NULL) != SCREE_OK)
            return NULL;
        self->blocks[self->block_count++] = (real3x3){0};
        *place = (int)self->block_count;
        if (row != column) ++self->degree[row];
    }
    return &self->blocks[*place - 1];
}

/* Makes the pattern symmetric, as fill-in does: adds (j, i) for each (i, j). */
static bool complete(elimination *self) {
    for (int i = 0; i < self->count; i++)
        for (int j = 0; j < self->count; j++)
            if (*place_of(self, i, j) && !elimination_block(self, j, i)) return false;
    return true;
}

/* Returns the remaining row that couples with the fewest others. */
static int next_pivot(const elimination *self) {
    int best = -1;
    for (int i = 0; i < self->count; i++)
        if (!self->gone[i] && (best < 0 || self->degree[i] < self->degree[best])) best = i;
    return best;
}

/* Lists in `around` the remaining rows that row k couples with. */
static int find_around(elimination *self, int k) {
    int count = 0;
    for (int i = 0; i < self->count; i++)
        if (!self->gone[i] && i != k && *place_of(self, k, i)) self->around[count++] = i;
    return count;
}

/* a −= b c */
static void subtract_product(real3x3 *a, const real3x3 *b, const real3x3 *c) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            a->m[i][j] -= b->m[i][0] * c->m[0][j] + b->m[i][1] * c->m[1][j] + b->m[i][2] * c->m[2][j];
}

/* Computes m ← A⁻¹ m by three solutions; false if A is singular. */
static bool divide(const real3x3 *a, real3x3 *m) {
    for (int j = 0; j < 3; j++) {
        real3x3 work = *a;
        double column[3] = {m->m[0][j], m->m[1][j], m->m[2][j]};
        if (!real_eliminate(3, work.m, column)) return false;
        for (int i = 0; i < 3; i++) m->m[i][j] = column[i];
    }
    return true;
}

/* Subtracts A_ik times row k, whose pivot is 1, from row i of the system. */
static bool eliminate_row(elimination *self, int i, int k, int around, real3 *x) {
    const real3x3 factor = *elimination_block(self, i, k);
    for (int n = 0; n < around; n++) {
        const int j = self->around[n];
        real3x3 *target = elimination_block(self, i, j);
        if (!target) return false;
        subtract_product(target, &factor, elimination_block(self, k, j));
    }
    x[i] = real3_difference(x[i], real3x3_times(&factor, x[k]));
    --self->degree[i];
    return true;
}

/* Divides row k by its pivot and eliminates it from the rows that it couples with. Returns false as
 * elimination_solve does. */
static bool eliminate(elimination *self, int k, real3 *x, double *products) {
    const int around = find_around(self, k);
    *products -= (double)around * (around + 1);
    if (!(*products > 0)) return false;
    const real3x3 pivot = *elimination_block(self, k, k);
    real3x3 inverse = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    if (!divide(&pivot, &inverse)) return false;
    for (int n = 0; n < around; n++) {
        real3x3 *block = elimination_block(self, k, self->around[n]), scaled = {0};
        subtract_product(&scaled, &inverse, block);
        for (int e = 0; e < 9; e++) block->m[e / 3][e % 3] = -scaled.m[e / 3][e % 3];
    }
    x[k] = real3x3_times(&inverse, x[k]);
    self->gone[k] = true;
    for (int n = 0; n < around; n++)
        if (!eliminate_row(self, self->around[n], k, around, x)) return false;
    return true;
}

/* Eliminates rows in order of minimum degree (Markowitz; Tinney and Walker 1967), with pivoting within blocks
 * only because the systems are close to positive definite. */
bool elimination_solve(elimination *self, real3 *x, double *products) {
    *products -= 0.1 * self->count * self->count; /* searches of the table */
    if (!complete(self)) return false;
    for (int step = 0; step < self->count; step++) {
        self->order[step] = next_pivot(self);
        if (!elimination_block(self, self->order[step], self->order[step])) return false;
        if (!eliminate(self, self->order[step], x, products)) return false;
    }
    for (int step = self->count - 1; step >= 0; --step) {
        const int k = self->order[step];
        self->gone[k] = false;
        for (int j = 0; j < self->count; j++)
            if (!self->gone[j] && j != k && *place_of(self, k, j))
                x[k] = real3_difference(x[k], real3x3_times(elimination_block(self, k, j), x[j]));
    }
    return true;
}
