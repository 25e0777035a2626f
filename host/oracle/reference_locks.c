/* Sweeps over the blocks of a closed loop need 1e5 rounds or never converge: some of its locks are redundant,
 * and A has as many eigenvalues near zero as the loop has redundant rows. This file eliminates the locks
 * instead, A = L U with the largest remaining pivot at each step (relative to A_ii, so that units cancel). A
 * row that the others imply keeps only the squared rounding of its arms, and gets no impulse. */
#include "reference_locks.h"

#include "base/memory.h"

#include <math.h>

enum { MOST_ROWS = 900 }; /* elimination takes n³/3 products: a quarter of a second */
/* Limit of pivot/A_ii below which a row is redundant. Where joints of a loop are displaced by a fraction ε of
 * their arms (1e-5 after some steps, 6e-8 by rounding), a redundant row keeps ε² of A_ii. Solving it would
 * lock what the mechanism leaves free: two hinges of a door act as one hinge only if they are in line. Mass
 * ratios up to 1e7 : 1 keep more than this. */
static const double IMPLIED = 1e-8;

static bool is_lock(const scree_problem_def *p, size_t row) {
    const size_t block = row / 3, own = 9 * (size_t)p->first[block] + 4 * (row % 3);
    return p->kind && p->kind[block] == SCREE_BLOCK_BOUNDED && !(p->low && p->low[row] > -INFINITY) &&
           !(p->high && p->high[row] < INFINITY) && p->blocks[own] > 0;
}

static void swap_int(int *a, int *b) {
    const int kept = *a;
    *a = *b;
    *b = kept;
}

static void swap(double *a, double *b) {
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Moves row and column `pivot` to index k. */
static void exchange(reference_locks *self, double *diagonal, int k, int pivot) {
    const size_t n = (size_t)self->count;
    if (pivot == k) return;
    swap_int(&self->row[k], &self->row[pivot]);
    swap(&diagonal[k], &diagonal[pivot]);
    for (size_t i = 0; i < n; i++)
        swap(&self->factor[n * (size_t)k + i], &self->factor[n * (size_t)pivot + i]);
    for (size_t i = 0; i < n; i++)
        swap(&self->factor[n * i + (size_t)k], &self->factor[n * i + (size_t)pivot]);
}

static void eliminate(reference_locks *self) {
    const int n = self->count;
    double *a = self->factor, *diagonal = self->change; /* of A, before elimination */
    for (int i = 0; i < n; i++) diagonal[i] = a[(size_t)i * (size_t)n + (size_t)i];
    for (int k = 0; k < n; ++k, ++self->rank) {
        int pivot = k;
        double most = 0;
        for (int i = k; i < n; i++) {
            const double left = a[(size_t)i * (size_t)n + (size_t)i] / diagonal[i];
            if (left > most) {
                most = left;
                pivot = i;
            }
        }
        if (!(most > IMPLIED)) return;
        exchange(self, diagonal, k, pivot);
        const double *top = a + (size_t)k * (size_t)n;
        for (int i = k + 1; i < n; i++) {
            double *row = a + (size_t)i * (size_t)n;
            const double factor = row[k] /= top[k];
            if (factor == 0) continue;
            for (int j = k + 1; j < n; j++) row[j] -= factor * top[j];
        }
    }
}

/* Copies A between these rows. */
static void gather(reference_locks *self, const scree_problem_def *p) {
    const size_t n = (size_t)self->count;
    for (size_t i = 0; i < n; i++) {
        const int block = self->row[i] / 3, k = self->row[i] % 3;
        for (int e = p->first[block]; e < p->first[block + 1]; e++)
            for (int l = 0; l < 3; l++) {
                const int j = self->place[3 * p->column[e] + l];
                if (j >= 0) self->factor[n * i + (size_t)j] += p->blocks[9 * (size_t)e + (size_t)(3 * k + l)];
            }
    }
}

scree_result reference_locks_form(reference_locks *self, const scree_problem_def *p) {
    const size_t rows = 3 * (size_t)p->contacts;
    size_t n = 0;
    *self = (reference_locks){0};
    for (size_t i = 0; i < rows; i++) n += is_lock(p, i);
    if (n == 0 || n > MOST_ROWS) return SCREE_OK;
    self->place = memory_allocate(rows + n, sizeof *self->place);
    self->factor = memory_allocate(n * n + n, sizeof *self->factor);
    if (!self->place || !self->factor) {
        reference_locks_release(self);
        return fail(SCREE_ERROR_MEMORY, "out of memory: %d locks", (int)n);
    }
    self->row = self->place + rows;
    self->change = self->factor + n * n;
    for (size_t i = 0; i < rows; i++) {
        self->place[i] = is_lock(p, i) ? self->count : -1;
        if (self->place[i] >= 0) self->row[self->count++] = (int)i;
    }
    gather(self, p);
    eliminate(self);
    return SCREE_OK;
}

void reference_locks_release(reference_locks *self) {
    memory_release(self->place);
    memory_release(self->factor);
    *self = (reference_locks){0};
}

void reference_locks_hold(const reference_locks *self, int block, const double r[3], double low[3],
                          double high[3]) {
    for (int k = 0; k < 3 && self->count > 0; k++)
        if (self->place[3 * block + k] >= 0) low[k] = high[k] = r[k];
}

void reference_locks_solve(reference_locks *self, double *u, double *r) {
    const size_t n = (size_t)self->count, rank = (size_t)self->rank;
    for (size_t i = 0; i < rank; i++)
        for (size_t j = 0; j < i; j++) u[i] -= self->factor[n * i + j] * u[j];
    for (size_t i = rank; i-- > 0;) {
        for (size_t j = i + 1; j < rank; j++) u[i] -= self->factor[n * i + j] * u[j];
        u[i] /= self->factor[n * i + i];
        r[self->row[i]] -= u[i];
    }
}
