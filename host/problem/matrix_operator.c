#include "matrix_operator.h"

#include "base/memory.h"
#include "delassus.h"
#include "small_system.h"

#include <string.h>

/* Lists of coupled rows, in either direction. A resistance needs its contact's impulse, so these two count as
 * coupled. */
typedef struct coupling {
    int *first, *others;
} coupling;

/* Adds the number of rows coupled with each row to `next` or, given `others`, lists them from `next` on. */
static void count_or_fill(const delassus *a, int *next, int *others) {
    for (int i = 0; i < a->count; i++) {
        for (int k = a->first[i]; k < a->first[i + 1]; k++) {
            const int j = a->column[k];
            if (j == i) continue;
            if (others) {
                others[next[i]] = j;
                others[next[j]] = i;
            }
            ++next[i];
            ++next[j];
        }
        if (a->kind[i] != SCREE_BLOCK_RESISTANCE) continue;
        if (others) {
            others[next[i]] = i - 1;
            others[next[i - 1]] = i;
        }
        ++next[i];
        ++next[i - 1];
    }
}

static scree_result couple(const delassus *a, coupling *out) {
    const size_t n = (size_t)a->count;
    out->first = memory_allocate(2 * n + 2, sizeof *out->first);
    out->others = memory_allocate(2 * ((size_t)a->first[n] + n), sizeof *out->others);
    if (!out->first || !out->others)
        return fail(SCREE_ERROR_MEMORY, "out of memory: the pattern of a matrix of %d rows", a->count);
    int *next = out->first + n + 1;
    count_or_fill(a, next, NULL);
    for (size_t i = 0; i < n; i++) out->first[i + 1] = out->first[i] + next[i];
    memcpy(next, out->first, n * sizeof *next);
    count_or_fill(a, next, out->others);
    return SCREE_OK;
}

/* Gives each row the lowest colour that no coupled row has. Returns the number of colours; `used` has one
 * element more than there are rows. */
static int colour_rows(int count, const coupling *pattern, int *colours, int *used) {
    int colour_count = 0;
    for (int i = 0; i < count; i++) colours[i] = -1;
    for (int i = 0; i <= count; i++) used[i] = -1;
    for (int i = 0; i < count; i++) {
        for (int k = pattern->first[i]; k < pattern->first[i + 1]; k++) {
            const int colour = colours[pattern->others[k]];
            if (colour >= 0) used[colour] = i;
        }
        while (colours[i] < 0 || used[colours[i]] == i) ++colours[i];
        if (colours[i] >= colour_count) colour_count = colours[i] + 1;
    }
    return colour_count;
}

/* Sorts rows by colour, within a colour in the problem's order. `row` becomes the row of each block. */
static void sort_rows(matrix_operator *self, const int *colours, int *row) {
    for (int i = 0; i < self->count; i++) ++self->colour_first[colours[i] + 1];
    for (int c = 0; c < self->colour_count; c++) self->colour_first[c + 1] += self->colour_first[c];
    for (int c = self->colour_count; c > 0; --c) self->colour_first[c] = self->colour_first[c - 1];
    self->colour_first[0] = 0;
    for (int i = 0; i < self->count; i++) {
        row[i] = self->colour_first[colours[i] + 1]++;
        self->contact[row[i]] = i;
    }
}

static void fill(matrix_operator *self, const delassus *a, const int *row) {
    int used = 0;
    for (int i = 0; i < self->count; i++) {
        const int from = self->contact[i];
        self->first[i] = used;
        for (int k = a->first[from]; k < a->first[from + 1]; k++) {
            double *to =
                a->column[k] == from ? self->diagonal + 9 * (size_t)i : self->entries + 9 * (size_t)used;
            memcpy(to, a->entries[k].m, 9 * sizeof *to);
            if (a->column[k] != from) self->column[used++] = row[a->column[k]];
        }
        memcpy(self->drive + 3 * (size_t)i, &a->q[from], 3 * sizeof *self->drive);
        self->friction[i] = a->friction[from];
        self->rolling[i] = a->rolling[from];
        self->spinning[i] = a->spinning[from];
        self->kind[i] = (int)a->kind[from];
        if (a->kind[from] == SCREE_BLOCK_BOUNDED) {
            memcpy(self->low + 3 * (size_t)i, &a->low[from], 3 * sizeof *self->low);
            memcpy(self->high + 3 * (size_t)i, &a->high[from], 3 * sizeof *self->high);
        }
        self->partner[i] = a->kind[from] == SCREE_BLOCK_RESISTANCE ? row[from - 1] : -1;
    }
    self->first[self->count] = used;
}

/* Inverts the symmetric part of a 3×3 block, column by column. A small addition to the diagonal keeps rows
 * without mobility from making it singular. */
static void invert(const double *block, double out[3][3]) {
    const double floor = 1e-12 * (block[0] + block[4] + block[8]) + 1e-300;
    for (int c = 0; c < 3; c++) {
        double a[3][3], b[3] = {c == 0, c == 1, c == 2};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                a[i][j] = (block[3 * i + j] + block[3 * j + i]) / 2 + (i == j ? floor : 0);
        real_eliminate(3, a, b);
        for (int i = 0; i < 3; i++) out[i][c] = b[i];
    }
}

/* ‖A^-½ W B^-½‖_F² = tr(A⁻¹ W B⁻¹ Wᵀ). */
static double coupling_square(double a[3][3], const double *w, double b[3][3]) {
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double wb = 0, aw = 0; /* (W B⁻¹)_ij and (A⁻¹ W)_ij */
            for (int k = 0; k < 3; k++) {
                wb += w[3 * i + k] * b[k][j];
                aw += a[i][k] * w[3 * k + j];
            }
            sum += wb * aw;
        }
    return sum;
}

/* Finds split counts s_a with W ⪯ blockdiag(s_a W_aa). With D = blockdiag(W_aa) and y = D^½ x, N_ab = W_aa^-½
 * W_ab W_bb^-½,
 *
 *     xᵀ W x = Σ_a ‖y_a‖² + Σ_{a≠b} y_aᵀ N_ab y_b ≤ Σ_a ‖y_a‖² + Σ_{a≠b} n_ab ½ (‖y_a‖² + ‖y_b‖²)
 *            = Σ_a (1 + Σ_b n_ab) ‖y_a‖²,          n_ab ≥ ‖N_ab‖₂,
 *
 * Gershgorin's theorem for blocks in coordinates in which every diagonal block is the identity. W ⪰ 0 makes
 * ‖N_ab‖₂ at most 1, and the Frobenius norm is larger, so n_ab = min(1, ‖N_ab‖_F). Where W is not quite
 * symmetric, n_ab and n_ba differ equally little. */
static scree_result find_split_counts(matrix_operator *self) {
    double(*inverses)[3][3] = memory_allocate((size_t)self->count, sizeof *inverses);
    if (!inverses) return fail(SCREE_ERROR_MEMORY, "out of memory: split counts of %d rows", self->count);
    for (int i = 0; i < self->count; i++) invert(self->diagonal + 9 * (size_t)i, inverses[i]);
    for (int i = 0; i < self->count; i++) {
        self->split_count[i] = 1;
        for (int k = self->first[i]; k < self->first[i + 1]; k++) {
            const double square =
                coupling_square(inverses[i], self->entries + 9 * (size_t)k, inverses[self->column[k]]);
            self->split_count[i] += square < 1 ? sqrt(fmax(square, 0)) : 1;
        }
    }
    memory_release(inverses);
    return SCREE_OK;
}

static scree_result allocate(matrix_operator *self, const delassus *a) {
    const size_t n = (size_t)a->count, off = (size_t)a->first[n] - n;
    self->count = a->count;
    self->contact = memory_allocate(n, sizeof(int));
    self->first = memory_allocate(n + 1, sizeof(int));
    self->column = memory_allocate(off, sizeof(int));
    self->kind = memory_allocate(n, sizeof(int));
    self->partner = memory_allocate(n, sizeof(int));
    self->colour_first = memory_allocate(n + 2, sizeof(int));
    self->entries = memory_allocate(9 * off, sizeof(double));
    self->diagonal = memory_allocate(9 * n, sizeof(double));
    self->drive = memory_allocate(3 * n, sizeof(double));
    self->low = memory_allocate(3 * n, sizeof(double));
    self->high = memory_allocate(3 * n, sizeof(double));
    self->friction = memory_allocate(n, sizeof(double));
    self->rolling = memory_allocate(n, sizeof(double));
    self->spinning = memory_allocate(n, sizeof(double));
    self->split_count = memory_allocate(n, sizeof(double));
    if (!self->contact || !self->first || !self->column || !self->kind || !self->partner ||
        !self->colour_first || !self->entries || !self->diagonal || !self->drive || !self->low ||
        !self->high || !self->friction || !self->rolling || !self->spinning || !self->split_count)
        return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %d rows", a->count);
    return SCREE_OK;
}

scree_result matrix_operator_create(matrix_operator *self, const delassus *a) {
    *self = (matrix_operator){0};
    coupling pattern = {0};
    int *numbers = memory_allocate(3 * (size_t)a->count + 1, sizeof *numbers);
    scree_result result =
        numbers ? allocate(self, a) : fail(SCREE_ERROR_MEMORY, "out of memory: colours of %d rows", a->count);
    if (result == SCREE_OK) result = couple(a, &pattern);
    if (result == SCREE_OK) {
        int *colours = numbers, *row = numbers + a->count;
        self->colour_count = colour_rows(a->count, &pattern, colours, numbers + 2 * (size_t)a->count);
        sort_rows(self, colours, row);
        fill(self, a, row);
        result = find_split_counts(self);
    }
    memory_release(pattern.first);
    memory_release(pattern.others);
    memory_release(numbers);
    if (result != SCREE_OK) matrix_operator_release(self);
    return result;
}

void matrix_operator_release(matrix_operator *self) {
    memory_release(self->contact);
    memory_release(self->first);
    memory_release(self->column);
    memory_release(self->kind);
    memory_release(self->partner);
    memory_release(self->colour_first);
    memory_release(self->entries);
    memory_release(self->diagonal);
    memory_release(self->drive);
    memory_release(self->low);
    memory_release(self->high);
    memory_release(self->friction);
    memory_release(self->rolling);
    memory_release(self->spinning);
    memory_release(self->split_count);
    *self = (matrix_operator){0};
}
