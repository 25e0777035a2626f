#include "reference_matrix.h"

#include "base/memory.h"
#include "base/vector.h"

#include <string.h>

enum { MOST_BLOCKS = 40000000 }; /* limit of A: about 3 GB */

/* The three rows of a block on body a (0) and b (1): u_k = j[0][k]·V_a + j[1][k]·V_b. For a contact with
 * frame (n, t₁, t₂) and arms, j = ±(e_k, arm × e_k); for angular rows ±(0, s e_k). */
typedef struct rows {
    int body[2];
    double j[2][3][6];
} rows;

static void cross(const double a[3], const double b[3], double out[3]) {
    out[0] = a[1] * b[2] - a[2] * b[1];
    out[1] = a[2] * b[0] - a[0] * b[2];
    out[2] = a[0] * b[1] - a[1] * b[0];
}

static rows rows_of(const constraint_block *block) {
    rows out = {.body = {block->body_a, block->body_b}};
    const bool angular = block->angular != 0;
    double axis[3][3], arm[2][3];
    vec3_to_doubles(block->normal, axis[0]);
    vec3_to_doubles(block->tangent, axis[1]);
    cross(axis[0], axis[1], axis[2]);
    vec3_to_doubles(block->arm_a, arm[0]);
    vec3_to_doubles(block->arm_b, arm[1]);
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 3; k++) {
            const double sign = side ? 1 : -1, length = (double)block->length;
            double turn[3];
            cross(arm[side], axis[k], turn);
            for (int c = 0; c < 3; c++) {
                out.j[side][k][c] = angular ? 0 : sign * axis[k][c];
                out.j[side][k][3 + c] = sign * (angular ? length * axis[k][c] : turn[c]);
            }
        }
    return out;
}

/* Computes M⁻¹ x of a body. */
static void respond(const body_mobility *body, const double x[6], double out[6]) {
    double m[3], d[3], o[3];
    vec3_to_doubles(body->inverse_mass, m);
    vec3_to_doubles(body->diagonal, d);
    vec3_to_doubles(body->off_diagonal, o);
    for (int c = 0; c < 3; c++) out[c] = m[c] * x[c];
    out[3] = d[0] * x[3] + o[2] * x[4] + o[1] * x[5];
    out[4] = o[2] * x[3] + d[1] * x[4] + o[0] * x[5];
    out[5] = o[1] * x[3] + o[0] * x[4] + d[2] * x[5];
}

static double inner(const double a[6], const double b[6]) {
    double sum = 0;
    for (int c = 0; c < 6; c++) sum += a[c] * b[c];
    return sum;
}

/* Adds to A_ij the effect through the body that i has on side s and j on side t. */
static void add_through(const problem *p, const rows *i, int s, const rows *j, int t, double a[9]) {
    for (int l = 0; l < 3; l++) {
        double moved[6];
        respond(&p->mobility[j->body[t]], j->j[t][l], moved);
        for (int k = 0; k < 3; k++) a[3 * k + l] += inner(i->j[s][k], moved);
    }
}

void reference_bounds(const problem *p, int i, bool position_pass, double low[3], double high[3]) {
    const bounded_rows *of = &p->rows[p->blocks[i].rows];
    vec3_to_doubles(position_pass ? of->push_low : of->low, low);
    vec3_to_doubles(position_pass ? of->push_high : of->high, high);
}

/* Adds the compliance to A_ii. */
static void add_compliance(const problem *p, int i, double a[9]) {
    const constraint_block *block = &p->blocks[i];
    if (block->kind == BLOCK_CONTACT) a[0] += (double)block->compliance;
    if (block->kind != BLOCK_BOUNDED) return;
    double soft[3];
    vec3_to_doubles(p->rows[block->rows].compliance, soft);
    for (int k = 0; k < 3; k++) a[4 * k] += soft[k];
}

/* Adds bias, correction and compliance to J V of bounded rows; a row whose impulse is prescribed has velocity
 * 0. */
static void add_rows(const problem *p, int i, const double *r, bool position_pass, double u[3]) {
    const bounded_rows *of = &p->rows[p->blocks[i].rows];
    double low[3], high[3], bias[3], soft[3], correction[3];
    reference_bounds(p, i, position_pass, low, high);
    vec3_to_doubles(of->bias, bias);
    vec3_to_doubles(of->compliance, soft);
    vec3_to_doubles(of->correction, correction);
    for (int k = 0; k < 3; k++) {
        u[k] += position_pass ? correction[k] : bias[k] + (r ? soft[k] * r[3 * (size_t)i + (size_t)k] : 0);
        if (low[k] == high[k]) u[k] = 0;
    }
}

void reference_own_block(const problem *p, int i, bool position_pass, double out[9]) {
    const rows own = rows_of(&p->blocks[i]);
    memset(out, 0, 9 * sizeof *out);
    for (int side = 0; side < 2; side++) add_through(p, &own, side, &own, side, out);
    if (!position_pass) add_compliance(p, i, out);
}

void reference_block_velocity(const problem *p, int i, const double *v, const double *r, bool position_pass,
                              double u[3]) {
    const constraint_block *block = &p->blocks[i];
    const rows own = rows_of(block);
    for (int k = 0; k < 3; k++)
        u[k] =
            inner(own.j[0][k], v + 6 * (size_t)own.body[0]) + inner(own.j[1][k], v + 6 * (size_t)own.body[1]);
    if (block->kind == BLOCK_BOUNDED) add_rows(p, i, r, position_pass, u);
    if (block->kind != BLOCK_CONTACT) return;
    if (position_pass) {
        u[0] += (double)block->correction;
        return;
    }
    u[0] += (double)block->bias + (r ? (double)block->compliance * r[3 * (size_t)i] : 0);
    u[1] += (double)block->rolling;
    u[2] += (double)block->spinning; /* surface velocity */
}

void reference_body_velocities(const problem *p, const double *r, bool position_pass, double *v) {
    memset(v, 0, 6 * (size_t)p->body_count * sizeof *v);
    for (int i = 0; i < p->block_count && r; i++) {
        const rows own = rows_of(&p->blocks[i]);
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 3; k++)
                for (int c = 0; c < 6; c++)
                    v[6 * (size_t)own.body[side] + (size_t)c] +=
                        own.j[side][k][c] * r[3 * (size_t)i + (size_t)k];
    }
    for (int slot = 0; slot < p->body_count; slot++) {
        double impulse[6], *out = v + 6 * (size_t)slot, linear[3], angular[3];
        memcpy(impulse, out, sizeof impulse);
        respond(&p->mobility[slot], impulse, out);
        vec3_to_doubles(p->free_velocity[slot].linear, linear);
        vec3_to_doubles(p->free_velocity[slot].angular, angular);
        for (int c = 0; c < 3 && !position_pass; c++) {
            out[c] += linear[c];
            out[3 + c] += angular[c];
        }
    }
}

/* Fills row i: its own block first, then each block that shares a movable body, once. `place` holds the entry
 * of each column in this row, or a stale one of an earlier row. Only counts while self->blocks is NULL. */
static int fill_row(reference_matrix *self, const problem *p, int i, int begin, int *place, int *column) {
    const rows own = rows_of(&p->blocks[i]);
    int end = begin;
    place[i] = end;
    column[end++ - begin] = i;
    for (int side = 0; side < 2; side++)
        for (int n = p->incidence_first[own.body[side]]; n < p->incidence_first[own.body[side] + 1]; n++) {
            const int j = p->incidence[n] / 2;
            const bool known = place[j] >= begin && place[j] < end && column[place[j] - begin] == j;
            if (!known) {
                place[j] = end;
                column[end++ - begin] = j;
            }
            if (!self->blocks) continue;
            const rows other = rows_of(&p->blocks[j]);
            add_through(p, &own, side, &other, p->incidence[n] % 2, self->blocks + 9 * (size_t)place[j]);
        }
    return end;
}

static scree_result fill(reference_matrix *self, const problem *p, int *work) {
    const int n = self->count;
    int *place = work, *column = work + n;
    for (int i = 0; i < n; i++) {
        self->first[i + 1] = fill_row(self, p, i, self->first[i], place, column);
        if (self->first[i + 1] > MOST_BLOCKS)
            return fail(SCREE_ERROR_CAPACITY,
                        "matrix of %d contacts: more than %d blocks; a body has too many contacts for the "
                        "reference backend",
                        n, MOST_BLOCKS);
    }
    self->column = memory_allocate((size_t)self->first[n], sizeof *self->column);
    self->blocks = memory_allocate(9 * (size_t)self->first[n], sizeof *self->blocks);
    if (!self->column || !self->blocks)
        return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %d blocks", self->first[n]);
    for (int i = 0; i < n; i++) fill_row(self, p, i, self->first[i], place, self->column + self->first[i]);
    return SCREE_OK;
}

static scree_result allocate(reference_matrix *self, int count) {
    const size_t n = (size_t)count;
    *self = (reference_matrix){.count = count};
    self->first = memory_allocate(n + 1, sizeof *self->first);
    self->q = memory_allocate(3 * n, sizeof *self->q);
    self->friction = memory_allocate(9 * n, sizeof *self->friction);
    self->kind = memory_allocate(n, sizeof *self->kind);
    if (self->first && self->q && self->friction && self->kind) {
        self->rolling = self->friction + n;
        self->spinning = self->rolling + n;
        self->low = self->spinning + n;
        self->high = self->low + 3 * n;
        return SCREE_OK;
    }
    return fail(SCREE_ERROR_MEMORY, "out of memory: a matrix of %d contacts", count);
}

scree_result reference_matrix_form(reference_matrix *self, const problem *p, bool position_pass) {
    scree_result result = allocate(self, p->block_count);
    int *work = memory_allocate(2 * (size_t)p->block_count, sizeof *work);
    double *v = memory_allocate(6 * (size_t)p->body_count, sizeof *v);
    if (result == SCREE_OK && (!work || !v))
        result = fail(SCREE_ERROR_MEMORY, "out of memory: %d bodies", p->body_count);
    if (result == SCREE_OK) result = fill(self, p, work);
    if (result == SCREE_OK) {
        reference_body_velocities(p, NULL, position_pass, v);
        for (int i = 0; i < self->count; i++) {
            const constraint_block *block = &p->blocks[i];
            if (!position_pass) add_compliance(p, i, self->blocks + 9 * (size_t)self->first[i]);
            reference_block_velocity(p, i, v, NULL, position_pass, self->q + 3 * (size_t)i);
            self->kind[i] = (scree_block_kind)block->kind;
            if (block->kind == BLOCK_BOUNDED)
                reference_bounds(p, i, position_pass, self->low + 3 * (size_t)i, self->high + 3 * (size_t)i);
            self->friction[i] = position_pass ? 0 : (double)block->friction;
            const bool resists = block->kind == BLOCK_RESISTANCE && !position_pass;
            self->rolling[i] = resists ? (double)block->rolling : 0;
            self->spinning[i] = resists ? (double)block->spinning : 0;
        }
    }
    memory_release(work);
    memory_release(v);
    if (result != SCREE_OK) reference_matrix_release(self);
    return result;
}

void reference_matrix_release(reference_matrix *self) {
    memory_release(self->first);
    memory_release(self->column);
    memory_release(self->blocks);
    memory_release(self->q);
    memory_release(self->friction);
    memory_release(self->kind);
    *self = (reference_matrix){0};
}

scree_problem_def reference_matrix_def(const reference_matrix *self) {
    return (scree_problem_def){.contacts = self->count,
                               .first = self->first,
                               .column = self->column,
                               .blocks = self->blocks,
                               .q = self->q,
                               .friction = self->friction,
                               .kind = self->kind,
                               .rolling = self->rolling,
                               .spinning = self->spinning,
                               .low = self->low,
                               .high = self->high};
}
