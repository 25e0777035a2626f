/* Elimination of joint trees from the leaves to the root, in double precision (joint_tree.h). Matrices are
 * 6×6 by columns, entry (i, j) at [6 j + i]; entries of rows that a joint lacks are zero. */
#include "joint_forest.h"

#include "block.h"
#include "problem.h"

#include <math.h>
#include <string.h>

enum { SIDE = 6, ENTRIES = SIDE * SIDE };

typedef struct matrix6 {
    double at[ENTRIES];
} matrix6;

/* Two entries of a column. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static pair pair_at(const double *from) {
    pair out;
    memcpy(&out, from, sizeof out);
    return out;
}

/* Returns the first `columns` columns of a b; `inner`: columns of a and entries of b's columns that are not
 * zero. */
static matrix6 product(const matrix6 *a, const matrix6 *b, int inner, int columns) {
    matrix6 out = {{0}};
    for (int j = 0; j < columns; j++) {
        pair sum[SIDE / 2] = {{0}};
        for (int k = 0; k < inner; k++) {
            const double factor = b->at[SIDE * j + k];
            const pair factors = {factor, factor};
            for (int i = 0; i < SIDE / 2; i++) sum[i] += pair_at(&a->at[SIDE * k + 2 * i]) * factors;
        }
        memcpy(&out.at[SIDE * j], sum, sizeof sum);
    }
    return out;
}

static matrix6 transposed(const matrix6 *a) {
    matrix6 out;
    for (int j = 0; j < SIDE; j++)
        for (int i = 0; i < SIDE; i++) out.at[SIDE * j + i] = a->at[SIDE * i + j];
    return out;
}

/* Returns the first `count` rows and columns of Aᵀ B, where A and B have as many. */
static matrix6 transposed_product(const matrix6 *a, const matrix6 *b, int count) {
    const matrix6 t = transposed(a);
    return product(&t, b, count, count);
}

/* Returns L of A = L Lᵀ. Directions in which A is zero up to rounding get no pivot. `least`: smallest pivot
 * relative to the diagonal. */
static matrix6 cholesky(const matrix6 *a, double least) {
    matrix6 l = {{0}};
    for (int j = 0; j < SIDE; j++) {
        double pivot = a->at[SIDE * j + j];
        for (int k = 0; k < j; k++) pivot -= l.at[SIDE * k + j] * l.at[SIDE * k + j];
        if (!(pivot > least * a->at[SIDE * j + j])) continue;
        const double root = sqrt(pivot);
        l.at[SIDE * j + j] = root;
        for (int i = j + 1; i < SIDE; i++) {
            double rest = a->at[SIDE * j + i];
            for (int k = 0; k < j; k++) rest -= l.at[SIDE * k + i] * l.at[SIDE * k + j];
            l.at[SIDE * j + i] = rest / root;
        }
    }
    return l;
}

/* Returns L⁻¹ b of the first `count` rows and columns, with 0 where L has no pivot. */
static matrix6 forward(const matrix6 *l, const matrix6 *b, int count) {
    matrix6 x = {{0}};
    for (int j = 0; j < count; j++)
        for (int i = 0; i < count; i++) {
            double rest = b->at[SIDE * j + i];
            for (int k = 0; k < i; k++) rest -= l->at[SIDE * k + i] * x.at[SIDE * j + k];
            const double pivot = l->at[SIDE * i + i];
            x.at[SIDE * j + i] = pivot > 0 ? rest / pivot : 0;
        }
    return x;
}

/* Returns M⁻¹ for a linear and an angular impulse. */
static matrix6 mobility_matrix(body_mobility m) {
    const double diagonal[SIDE] = {(double)m.inverse_mass.x, (double)m.inverse_mass.y,
                                   (double)m.inverse_mass.z, (double)m.diagonal.x,
                                   (double)m.diagonal.y,     (double)m.diagonal.z};
    matrix6 out = {{0}};
    for (int i = 0; i < SIDE; i++) out.at[SIDE * i + i] = diagonal[i];
    out.at[SIDE * 4 + 5] = out.at[SIDE * 5 + 4] = (double)m.off_diagonal.x;
    out.at[SIDE * 3 + 5] = out.at[SIDE * 5 + 3] = (double)m.off_diagonal.y;
    out.at[SIDE * 3 + 4] = out.at[SIDE * 4 + 3] = (double)m.off_diagonal.z;
    return out;
}

/* Returns M̂⁻¹ = F (1 + Fᵀ S F)⁻¹ Fᵀ of a body that carries S, with M⁻¹ = F Fᵀ, which may be singular. */
static matrix6 mobility_under(body_mobility mobility, const matrix6 *hanging) {
    const double rounding = 16 * (double)SCALAR_EPSILON;
    const matrix6 inverse = mobility_matrix(mobility), f = cholesky(&inverse, rounding),
                  loaded = product(hanging, &f, SIDE, SIDE);
    matrix6 inner = transposed_product(&f, &loaded, SIDE);
    for (int i = 0; i < SIDE; i++) inner.at[SIDE * i + i] += 1;
    const matrix6 l = cholesky(&inner, 0), ft = transposed(&f), half = forward(&l, &ft, SIDE);
    return transposed_product(&half, &half, SIDE);
}

/* Rows of a joint that trees solve: J_c and J_p of its child and its parent by rows, and the factor L of C +
 * J_c M̂⁻¹ J_cᵀ. */
typedef struct joint_rows {
    int count;
    double child[SIDE][SIDE], parent[SIDE][SIDE];
    double held[SIDE][SIDE]; /* J_c M̂⁻¹ */
    double triangle[SIDE][SIDE];
    double bare[SIDE][SIDE]; /* factor of C + J_c M⁻¹ J_cᵀ, without the child's subtree */
} joint_rows;

/* M̂⁻¹ of the child, and its M⁻¹ with and without locks. */
typedef struct child_mobility {
    matrix6 loaded, bare, unlocked;
    bool locked;
} child_mobility;

/* Computes one row of J for body a (side −1) or b (side 1), see block.h. */
static void row_of(const constraint_block *block, int axis, int side, double out[SIDE]) {
    const vec3s e = axis == 0   ? block->normal
                    : axis == 1 ? block->tangent
                                : glms_vec3_cross(block->normal, block->tangent),
                arm = side < 0 ? block->arm_a : block->arm_b;
    const double n[3] = {side * (double)e.x, side * (double)e.y, side * (double)e.z},
                 r[3] = {(double)arm.x, (double)arm.y, (double)arm.z}, length = (double)block->length;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = block->angular ? 0 : n[i];
        out[3 + i] = block->angular ? length * n[i] : r[j] * n[k] - r[k] * n[j];
    }
}

static double dot(const double a[SIDE], const double b[SIDE]) {
    double sum = 0;
    for (int i = 0; i < SIDE; i++) sum += a[i] * b[i];
    return sum;
}

/* A row is left to the sweeps if it is linearly dependent on the rows before it up to this fraction of its
 * own response, or if the child cannot follow it. Frames have single precision, so nominally parallel axes
 * differ by 1e-7 and such rows keep a fraction of that squared. A load on a slanting link leaves a fraction
 * of 1/(its mass in links). */
static const double OWN = 1e-9;

/* A lock removes its axis from a row, but rounding of the frames leaves a response of ε² of that without
 * locks. It is meaningless, and Λ would be 1/ε² too large for single precision. A row must move a child with
 * locks by at least this fraction. */
static const double FOLLOWS = 256 * (double)SCALAR_EPSILON;

/* Computes the next row of a triangular factor; `own`: response of the row. Returns the part of its response
 * that is independent of the rows before it. */
static double triangle_row(double triangle[SIDE][SIDE], double child[SIDE][SIDE], int n,
                           const double held[SIDE], double own) {
    double rest = own;
    for (int i = 0; i < n; i++) {
        triangle[n][i] = dot(held, child[i]);
        for (int k = 0; k < i; k++) triangle[n][i] -= triangle[i][k] * triangle[n][k];
        triangle[n][i] /= triangle[i][i];
        rest -= triangle[n][i] * triangle[n][i];
    }
    triangle[n][n] = sqrt(rest > 0 ? rest : 0);
    return rest;
}

static void times(const matrix6 *m, const double x[SIDE], double out[SIDE]) {
    for (int j = 0; j < SIDE; j++) out[j] = dot(&m->at[SIDE * j], x);
}

/* Returns whether the child, without its subtree, follows the row despite its locks. */
static bool follows(joint_rows *self, double compliance, const child_mobility *child) {
    const int n = self->count;
    double bare[SIDE], unlocked[SIDE];
    if (!child->locked) return true;
    times(&child->bare, self->child[n], bare);
    times(&child->unlocked, self->child[n], unlocked);
    return triangle_row(self->bare, self->child, n, bare, dot(bare, self->child[n]) + compliance) >
           FOLLOWS * dot(unlocked, self->child[n]);
}

/* Adds the row unless there are six already or it is dependent. Returns whether it did. */
static bool take_row(joint_rows *self, const constraint_block *block, int axis, double compliance,
                     int child_side, const child_mobility *child) {
    const int n = self->count;
    if (n == SIDE) return false;
    row_of(block, axis, child_side, self->child[n]);
    row_of(block, axis, -child_side, self->parent[n]);
    times(&child->loaded, self->child[n], self->held[n]);
    const double own = dot(self->held[n], self->child[n]) + compliance,
                 rest = triangle_row(self->triangle, self->child, n, self->held[n], own);
    if (!(rest > OWN * own) || !isfinite(rest) || !follows(self, compliance, child)) return false;
    self->count++;
    return true;
}

/* Returns whether the locks leave the child no more of a row than rounding of the frames. */
static bool is_locked(const constraint_block *block, int axis, const child_mobility *child) {
    const double rounding = 16 * (double)SCALAR_EPSILON;
    double row[SIDE], bare[SIDE], unlocked[SIDE];
    row_of(block, axis, 1, row);
    times(&child->bare, row, bare);
    times(&child->unlocked, row, unlocked);
    return dot(bare, row) <= rounding * rounding * dot(unlocked, row);
}

/* Locks that remove nearly all of a row's response leave it to the sweeps. If a tree solved the joint's other
 * rows exactly, the sweeps would see only the inconsistency of this one and pump energy. They therefore get
 * all rows of such a joint. A row in which the child has no part at all does not count. */
static void find_rows(const problem *p, joint_node *node, int group, bool position_pass,
                      const child_mobility *child, joint_rows *out) {
    bool left = false;
    node->row_count = out->count = 0;
    if (group < 0) return;
    const block_group of = p->groups[group];
    for (int i = of.first; i < of.first + of.count; i++) {
        const constraint_block *block = &p->blocks[i];
        if (!block_is_bounded(*block)) continue;
        const bounded_rows *rows = &p->rows[block->rows];
        for (int k = 0; k < 3; k++) {
            if (!tree_row_holds(rows, k, position_pass)) continue;
            if (take_row(out, block, k, position_pass ? 0 : (double)vec3_along(rows->compliance, k),
                         node->body == block->body_b ? 1 : -1, child))
                node->rows[node->row_count++] = 4 * i + k;
            else
                left |= child->locked && !is_locked(block, k, child);
        }
    }
    if (left) node->row_count = out->count = 0;
}

/* Returns Λ, the inverse of the matrix with the Cholesky factor `triangle`; zero in rows that the joint
 * lacks. */
static matrix6 stiffness_of(const joint_rows *rows) {
    matrix6 triangle = {{0}}, one = {{0}};
    for (int i = 0; i < rows->count; i++) {
        one.at[SIDE * i + i] = 1;
        for (int j = 0; j <= i; j++) triangle.at[SIDE * j + i] = rows->triangle[i][j];
    }
    const matrix6 inverse = forward(&triangle, &one, rows->count);
    return transposed_product(&inverse, &inverse, rows->count);
}

/* Returns a matrix whose columns are the rows of `from`. */
static matrix6 columns_of(const double from[SIDE][SIDE], int count) {
    matrix6 out = {{0}};
    memcpy(out.at, from, sizeof(double) * SIDE * (size_t)count);
    return out;
}

/* Vectors of a body have a gap between linear and angular components. */
static int place_of(int i, bool components) { return components && i > 2 ? i + 1 : i; }

/* Stores the first `columns` columns, of components or of rows. */
static void narrow(scalar out[TREE_ENTRIES], const matrix6 *from, bool components, int columns) {
    for (int j = 0; j < columns; j++)
        for (int i = 0; i < SIDE; i++)
            out[TREE_NUMBERS * j + place_of(i, components)] = (scalar)from->at[SIDE * j + i];
}

/* Does so with the transpose of the first `lines` columns. */
static void narrow_transposed(scalar out[TREE_ENTRIES], const matrix6 *from, bool components, int lines) {
    for (int i = 0; i < lines; i++)
        for (int j = 0; j < SIDE; j++)
            out[TREE_NUMBERS * j + place_of(i, components)] = (scalar)from->at[SIDE * i + j];
}

/* Matrices of a joint, whose rows act on its child and its parent. */
typedef struct joint_matrices {
    int rows;
    matrix6 child, parent; /* J_cᵀ, J_pᵀ */
    matrix6 hold, lift, held_back, push;
} joint_matrices;

/* Leaves out what a root and a leaf do not need. */
static void fill_matrices(const joint_rows *rows, bool leads, bool leaf, joint_matrices *out) {
    out->rows = rows->count;
    out->child = columns_of(rows->child, rows->count);
    out->parent = columns_of(rows->parent, rows->count);
    out->hold = stiffness_of(rows);
    if (leads) out->lift = product(&out->parent, &out->hold, rows->count, rows->count);
    if (leaf) return;
    const matrix6 held = columns_of(rows->held, rows->count); /* M̂⁻¹ J_cᵀ */
    out->held_back = transposed(&held);
    out->push = product(&held, &out->hold, rows->count, rows->count);
}

/* Enters what f and δ of a node need. */
static void narrow_branch(const joint_matrices *of, const child_mobility *child, joint_factor *out) {
    const matrix6 taken = product(&of->push, &of->held_back, of->rows, SIDE),
                  pass = product(&of->lift, &of->held_back, of->rows, SIDE);
    matrix6 yield = child->loaded;
    for (int k = 0; k < ENTRIES; k++) yield.at[k] -= taken.at[k];
    narrow(out->pass, &pass, true, SIDE);
    narrow_transposed(out->pass_back, &pass, true, SIDE);
    narrow(out->push, &of->push, true, of->rows);
    narrow_transposed(out->push_back, &of->push, false, of->rows);
    narrow(out->yield, &yield, true, SIDE);
}

/* Enters J and its response, and what a node passes to its parent. */
static void narrow_joint(const joint_forest *forest, const joint_node *node, const joint_matrices *of,
                         const child_mobility *child, joint_factor *out) {
    const matrix6 response = product(&child->bare, &of->child, SIDE, of->rows);
    narrow_transposed(out->jacobian, &of->child, false, of->rows);
    narrow_transposed(out->parent_jacobian, &of->parent, false, of->rows);
    narrow(out->response, &response, true, of->rows);
    narrow(out->hold, &of->hold, false, of->rows);
    if (node->parent < 0) return;
    const matrix6 mobility = mobility_matrix(forest->mobility[node->parent]),
                  parent = product(&mobility, &of->parent, SIDE, of->rows);
    narrow(out->parent_response, &parent, true, of->rows);
    narrow(out->lift, &of->lift, true, of->rows);
    narrow_transposed(out->lift_back, &of->lift, false, of->rows);
}

/* Adds J_pᵀ Λ J_p of a node to what its parent carries. */
static void load_parent(joint_forest *forest, const joint_node *node, const joint_matrices *of) {
    const matrix6 rows = transposed(&of->parent), mass = product(&of->lift, &rows, of->rows, SIDE);
    double *above = forest->masses + (size_t)ENTRIES * (size_t)node->parent;
    for (int k = 0; k < ENTRIES; k++) above[k] += mass.at[k];
}

static child_mobility child_of(const joint_forest *forest, int i) {
    const bool locked = memcmp(&forest->mobility[i], &forest->unlocked[i], sizeof *forest->mobility) != 0;
    child_mobility out = {.bare = mobility_matrix(forest->mobility[i]), .locked = locked};
    matrix6 hanging;
    memcpy(hanging.at, forest->masses + (size_t)ENTRIES * (size_t)i, sizeof hanging.at);
    out.loaded = forest->nodes[i].child_count > 0 ? mobility_under(forest->mobility[i], &hanging) : out.bare;
    if (locked) out.unlocked = mobility_matrix(forest->unlocked[i]);
    return out;
}

/* Computes the factors of node i and adds its share to the mass of its parent. All children must be done. */
static void factor_node(problem *p, bool position_pass, int i) {
    joint_forest *forest = &p->forest;
    joint_node *node = &forest->nodes[i];
    joint_factor *out = &forest->factors[i];
    const bool leaf = node->child_count == 0;
    const child_mobility child = child_of(forest, i);
    joint_rows rows;
    find_rows(p, node, forest->groups[i], position_pass, &child, &rows);
    rows.count = node->row_count;
    joint_matrices matrices;
    fill_matrices(&rows, node->parent >= 0, leaf, &matrices);
    memset(out, 0, sizeof *out);
    narrow_joint(forest, node, &matrices, &child, out);
    if (!leaf) narrow_branch(&matrices, &child, out);
    if (node->parent >= 0) load_parent(forest, node, &matrices);
}

/* Enters the constant velocities of a node's rows, and their compliance. */
static void enter_bias(const problem *p, bool position_pass, int i) {
    const joint_node *node = &p->forest.nodes[i];
    joint_factor *out = &p->forest.factors[i];
    for (int k = 0; k < node->row_count; k++) {
        const bounded_rows *rows = &p->rows[p->blocks[node->rows[k] / 4].rows];
        const int axis = node->rows[k] % 4;
        out->bias[k] = vec3_along(position_pass ? rows->correction : rows->bias, axis);
        out->compliance[k] = position_pass ? 0 : vec3_along(rows->compliance, axis);
    }
}

/* Returns whether a node's joint has the same factors in both passes. */
static bool is_rigid(const problem *p, int group) {
    const block_group of = group < 0 ? (block_group){0} : p->groups[group];
    for (int i = of.first; i < of.first + of.count; i++) {
        const constraint_block *block = &p->blocks[i];
        for (int k = 0; block_is_bounded(*block) && k < 3; k++) {
            const bounded_rows *rows = &p->rows[block->rows];
            const bool holds = tree_row_holds(rows, k, false);
            if (holds != tree_row_holds(rows, k, true) || (holds && vec3_along(rows->compliance, k) != 0))
                return false;
        }
    }
    return true;
}

void joint_forest_factor(problem *p, bool position_pass, int tree) {
    joint_forest *self = &p->forest;
    const int first = self->level_first[self->tree_first[tree]],
              end = self->level_first[self->tree_first[tree + 1]];
    bool rigid = true;
    for (int i = first; rigid && i < end; i++) rigid = is_rigid(p, self->groups[i]);
    memset(self->masses + (size_t)ENTRIES * (size_t)first, 0,
           sizeof(double) * ENTRIES * (size_t)(end - first));
    for (int i = end - 1; i >= first && !(position_pass && rigid); i--) factor_node(p, position_pass, i);
    for (int i = first; i < end; i++) enter_bias(p, position_pass, i);
}
