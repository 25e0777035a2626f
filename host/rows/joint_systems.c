#include "joint_systems.h"

#include "block.h"
#include "problem.h"

#include <math.h>
#include <string.h>

enum { ROWS = 3 * SYSTEM_BLOCKS, COMPONENTS = SYSTEM_COLUMNS };

/* Treatment of a row in a sweep. */
typedef enum row_kind { IDLE, HELD, BOUNDED } row_kind;

void joint_system_place(problem *p, int joint, system_place place) {
    p->places[joint] = place;
    for (int i = 0; i < place.block_count; i++) {
        const int row = p->blocks[place.first_block + i].rows;
        p->row_systems[row] = place.block_count > SYSTEM_BLOCKS ? SYSTEM_NONE
                              : i > 0                           ? SYSTEM_CONTINUED
                                                                : joint + 1;
    }
}

/* Rows of a joint that are not idle, in double precision. Entry (i, j) of a matrix is at [i][j]. */
typedef struct joint_rows {
    int count;
    int numbers[ROWS]; /* 3 block + axis; ascending */
    row_kind kinds[ROWS];
    double jacobian[ROWS][COMPONENTS], response[ROWS][COMPONENTS];
    double matrix[ROWS][ROWS]; /* A, and K after the sweeps */
    double own[ROWS];          /* diagonal of A */
} joint_rows;

static void put(double out[3], vec3s v, double factor) {
    out[0] = factor * (double)v.x;
    out[1] = factor * (double)v.y;
    out[2] = factor * (double)v.z;
}

static void cross(const vec3s arm, const double e[3], double factor, double out[3]) {
    const double x = (double)arm.x, y = (double)arm.y, z = (double)arm.z;
    out[0] = factor * (y * e[2] - z * e[1]);
    out[1] = factor * (z * e[0] - x * e[2]);
    out[2] = factor * (x * e[1] - y * e[0]);
}

/* Fills J of row `axis` of a block. */
static void fill_jacobian(const constraint_block *block, int axis, double out[COMPONENTS]) {
    const vec3s axes[3] = {block->normal, block->tangent, glms_vec3_cross(block->normal, block->tangent)};
    const double length = (double)block->length;
    double along[3];
    put(along, axes[axis], 1);
    for (int i = 0; i < COMPONENTS; i++) out[i] = 0;
    if (block->angular) {
        put(out + 3, axes[axis], -length);
        put(out + 9, axes[axis], length);
        return;
    }
    put(out, axes[axis], -1);
    cross(block->arm_a, along, -1, out + 3);
    put(out + 6, axes[axis], 1);
    cross(block->arm_b, along, 1, out + 9);
}

/* Fills M⁻¹ Jᵀ of one body. */
static void fill_response(const body_mobility *m, const double from[6], double unit, double out[6]) {
    const double x = from[3], y = from[4], z = from[5], yz = (double)m->off_diagonal.x,
                 xz = (double)m->off_diagonal.y, xy = (double)m->off_diagonal.z;
    out[0] = unit * (double)m->inverse_mass.x * from[0];
    out[1] = unit * (double)m->inverse_mass.y * from[1];
    out[2] = unit * (double)m->inverse_mass.z * from[2];
    out[3] = unit * ((double)m->diagonal.x * x + xy * y + xz * z);
    out[4] = unit * (xy * x + (double)m->diagonal.y * y + yz * z);
    out[5] = unit * (xz * x + yz * y + (double)m->diagonal.z * z);
}

static row_kind kind_of(const bounded_rows *rows, int axis, bool position_pass) {
    const scalar low = vec3_along(position_pass ? rows->push_low : rows->low, axis),
                 high = vec3_along(position_pass ? rows->push_high : rows->high, axis);
    if (low == high) return IDLE;
    return tree_row_holds(rows, axis, position_pass) ? HELD : BOUNDED;
}

static double dot(const double a[COMPONENTS], const double b[COMPONENTS]) {
    double sum = 0;
    for (int i = 0; i < COMPONENTS; i++) sum += a[i] * b[i];
    return sum;
}

static void list_rows(const problem *p, const system_place *place, bool position_pass, joint_rows *out) {
    out->count = 0;
    for (int i = 0; i < 3 * place->block_count; i++) {
        const bounded_rows *rows = &p->rows[p->blocks[place->first_block + i / 3].rows];
        const row_kind kind = kind_of(rows, i % 3, position_pass);
        if (kind == IDLE) continue;
        out->kinds[out->count] = kind;
        out->numbers[out->count++] = i;
    }
}

/* Fills J, M⁻¹Jᵀ and A. */
static void fill_rows(const problem *p, const system_place *place, bool position_pass, joint_rows *out) {
    const double unit = scalbn(1, p->mass_exponent);
    for (int i = 0; i < out->count; i++) {
        const constraint_block *block = &p->blocks[place->first_block + out->numbers[i] / 3];
        const bounded_rows *rows = &p->rows[block->rows];
        const int axis = out->numbers[i] % 3;
        fill_jacobian(block, axis, out->jacobian[i]);
        fill_response(&place->a, out->jacobian[i], unit, out->response[i]);
        fill_response(&place->b, out->jacobian[i] + 6, unit, out->response[i] + 6);
        for (int j = 0; j <= i; j++)
            out->matrix[i][j] = out->matrix[j][i] = dot(out->jacobian[i], out->response[j]);
        if (!position_pass) out->matrix[i][i] += (double)vec3_along(rows->compliance, axis);
        out->own[i] = out->matrix[i][i];
    }
}

/* Applies the sweep operator with the pivot k. */
static void sweep(joint_rows *self, int k) {
    const double pivot = self->matrix[k][k];
    for (int j = 0; j < self->count; j++) self->matrix[k][j] /= pivot;
    for (int i = 0; i < self->count; i++) {
        const double factor = self->matrix[i][k];
        if (i == k || factor == 0) continue;
        for (int j = 0; j < self->count; j++) self->matrix[i][j] -= factor * self->matrix[k][j];
        self->matrix[i][k] = -factor / pivot;
    }
    self->matrix[k][k] = 1 / pivot;
}

/* Remainder of a row after elimination, relative to its own entry, that is rounding. */
static const double ROUNDING = 16 * (double)SCALAR_EPSILON;

/* Makes pivots of the held rows, the largest remainder first. Rows without one become idle. */
static void eliminate(joint_rows *self) {
    bool done[ROWS] = {false};
    for (int n = 0; n < self->count; n++) {
        int best = -1;
        for (int i = 0; i < self->count; i++)
            if (self->kinds[i] == HELD && !done[i] &&
                (best < 0 || self->matrix[i][i] > self->matrix[best][best]))
                best = i;
        if (best < 0) return;
        done[best] = true;
        if (self->matrix[best][best] > ROUNDING * self->own[best])
            sweep(self, best);
        else
            self->kinds[best] = IDLE;
    }
}

/* Returns the place of a row in a joint_system, or of a component. */
static int place_of(int number) { return number / 3 * 4 + number % 3; }

static void narrow(const joint_rows *from, joint_system *out) {
    const int stride = out->stride;
    memset(out->jacobian, 0, sizeof(scalar) * (size_t)(COMPONENTS * stride));
    memset(out->solve, 0, sizeof(scalar) * (size_t)(stride * stride));
    memset(out->response, 0, sizeof(scalar) * (size_t)(SYSTEM_COMPONENTS * stride));
    for (int i = 0; i < from->count; i++) {
        const int row = place_of(from->numbers[i]);
        if (from->kinds[i] == IDLE) continue;
        for (int c = 0; c < COMPONENTS; c++) {
            out->jacobian[stride * c + row] = (scalar)from->jacobian[i][c];
            out->response[SYSTEM_COMPONENTS * row + place_of(c)] = (scalar)from->response[i][c];
        }
        for (int j = 0; j < from->count; j++)
            if (from->kinds[j] != IDLE)
                out->solve[stride * place_of(from->numbers[j]) + row] = (scalar)from->matrix[i][j];
    }
}

/* Sorts the rows by kind. */
static void sort(const joint_rows *from, joint_system *out) {
    int listed = 0;
    for (int i = 0; i < out->stride; i++) {
        out->held[i] = 1;
        out->inverses[i] = 0;
    }
    for (int i = 0; i < from->count; i++)
        if (from->kinds[i] == HELD) out->rows[listed++] = place_of(from->numbers[i]);
    out->held_count = listed;
    for (int i = 0; i < from->count; i++) {
        const int row = place_of(from->numbers[i]);
        if (from->kinds[i] != BOUNDED) continue;
        out->rows[listed++] = row;
        out->held[row] = 0;
        if (from->matrix[i][i] > ROUNDING * from->own[i])
            out->inverses[row] = (scalar)(1 / from->matrix[i][i]);
    }
    out->bounded_count = listed - out->held_count;
}

/* Enters the bounds and compliance of the rows that are not idle. */
static void bound(const problem *p, const system_place *place, bool position_pass, joint_system *out) {
    for (int i = 0; i < out->stride; i++) {
        out->compliance[i] = 0;
        out->low[i] = -INFINITY;
        out->high[i] = INFINITY;
    }
    for (int n = 0; n < out->held_count + out->bounded_count; n++) {
        const int i = out->rows[n], k = i % 4;
        const bounded_rows *rows = &p->rows[p->blocks[place->first_block + i / 4].rows];
        out->low[i] = vec3_along(position_pass ? rows->push_low : rows->low, k);
        out->high[i] = vec3_along(position_pass ? rows->push_high : rows->high, k);
        if (!position_pass) out->compliance[i] = vec3_along(rows->compliance, k);
    }
}

/* Returns whether a row of the velocity pass leaves the factors of the position pass as they are: it has no
 * compliance and is of the same kind there, or its bounds become equal there. (Rows are eliminated by held
 * ones alone.) */
static bool keeps_factors(const bounded_rows *rows, int axis) {
    const row_kind kind = kind_of(rows, axis, false), then = kind_of(rows, axis, true);
    return (kind == BOUNDED && then == IDLE) ||
           (kind == then && (kind == IDLE || vec3_along(rows->compliance, axis) == 0));
}

static bool is_rigid(const problem *p, const system_place *place) {
    for (int i = 0; i < 3 * place->block_count; i++)
        if (!keeps_factors(&p->rows[p->blocks[place->first_block + i / 3].rows], i % 3)) return false;
    return true;
}

/* Makes bounded rows idle whose impulses the position pass prescribes. */
static void drop_prescribed(joint_system *self) {
    int kept = self->held_count;
    for (int n = self->held_count; n < self->held_count + self->bounded_count; n++) {
        const int i = self->rows[n];
        if (self->low[i] != self->high[i]) {
            self->rows[kept++] = i;
        } else {
            self->low[i] = -INFINITY;
            self->high[i] = INFINITY;
        }
    }
    self->bounded_count = kept - self->held_count;
}

/* Returns whether a joint's tree solves all its rows of the position pass. Sweeps over them would add
 * nothing, but in a problem of trees alone, which makes few iterations, they help where heavy loads leave the
 * trees' solution to rounding. */
static bool is_in_tree(const problem *p, const system_place *place, const joint_system *self) {
    return !p->forest.places_bodies && place->node > 0 && self->bounded_count == 0 &&
           p->forest.nodes[place->node - 1].row_count >= self->held_count;
}

static void factor(const problem *p, const system_place *place, bool position_pass, joint_system *out) {
    joint_rows rows;
    list_rows(p, place, position_pass, &rows);
    fill_rows(p, place, position_pass, &rows);
    eliminate(&rows);
    narrow(&rows, out);
    sort(&rows, out);
}

void joint_system_factor(problem *p, int joint, bool position_pass) {
    const system_place *place = &p->places[joint];
    joint_system *out = &p->systems[joint];
    out->stride = 4 * place->block_count;
    if (place->block_count == 0 || place->block_count > SYSTEM_BLOCKS) return;
    if (!position_pass || !out->rigid) factor(p, place, position_pass, out);
    if (!position_pass) out->rigid = is_rigid(p, place);
    bound(p, place, position_pass, out);
    if (position_pass) drop_prescribed(out);
    if (position_pass && is_in_tree(p, place, out)) out->stride = 0;
}
