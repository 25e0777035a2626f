/* One row of a problem given as a matrix, u = W r + q in 3×3 blocks: its velocity, its update and its
 * contribution to the residual. W may be slightly non-symmetric. Velocities use the full W; a block's own
 * solution uses the symmetric part of W_aa, and the skew part acts on the previous impulse. */
#ifndef SCREE_KERNELS_MATRIX_H
#define SCREE_KERNELS_MATRIX_H

#include "bounded.h"
#include "nesterov.h"
#include "resistance.h"

/* Number of rows that one work-item sums in order. */
enum { MATRIX_CHUNK = 32 };

/* A 3×3 block by rows. */
typedef struct block3 {
    vec3s x, y, z;
} block3;

/* A row as prepared once per solve. */
typedef struct matrix_row {
    vec3s diagonal;           /* the symmetric part of W_aa: (NN, T₁T₁, T₂T₂) */
    scalar friction;          /* contact: μ */
    vec3s off_diagonal;       /* (T₁T₂, NT₂, NT₁) */
    scalar rolling, spinning; /* resistance: l_r/s and l_s/s */
    vec3s skew;               /* s: W_aa r = (symmetric part) r + s × r */
    scalar share;             /* split count s_a of Jacobi's splitting W ⪯ blockdiag(s_a W_aa), ≥ 1 */
    vec3s drive;              /* q, m/s */
    scalar bound;             /* largest eigenvalue of the symmetric part */
    bounded_box box;          /* bounded row: its bounds */
    cone_modes modes;         /* sliding case of the convex law */
    scalar inverse_normal, inverse_tangent; /* as in block_diagonal */
    int first, count;                       /* off-diagonal entries */
    int kind, partner;                      /* resistance: `partner` is the row of its contact */
} matrix_row;

/* Size of matrix_row, for hosts that allocate rows of either precision. */
enum { MATRIX_ROW_SCALARS = 37, MATRIX_ROW_INTEGERS = 4 };
STATIC_ASSERT(sizeof(matrix_row) == MATRIX_ROW_SCALARS * sizeof(scalar) + 16, "matrix_row");

SHARED vec3s block3_times(block3 m, vec3s v) {
    return vec3_of(glms_vec3_dot(m.x, v), glms_vec3_dot(m.y, v), glms_vec3_dot(m.z, v));
}

/* Prepares the row from its diagonal block; the caller has filled in all other fields. */
SHARED matrix_row matrix_row_prepared(matrix_row row, block3 m) {
    const symmetric3 own = symmetric_of(
        vec3_of(m.x.x, m.y.y, m.z.z), vec3_of((m.y.z + m.z.y) / 2, (m.x.z + m.z.x) / 2, (m.x.y + m.y.x) / 2));
    const scalar tangent = (own.diagonal.y + own.diagonal.z) / 2;
    const eigen3 e = eigen3_of(own);
    const symmetric3 floored = associated_floored(own);
    row.diagonal = own.diagonal, row.off_diagonal = own.off_diagonal;
    row.skew = vec3_of((m.z.y - m.y.z) / 2, (m.x.z - m.z.x) / 2, (m.y.x - m.x.y) / 2);
    const scalar rounding = 16 * SCALAR_EPSILON * symmetric_trace(own);
    if (glms_vec3_norm2(row.skew) <= rounding * rounding) row.skew = glms_vec3_zero();
    row.bound = scalar_max(e.value[0], scalar_max(e.value[1], e.value[2]));
    row.modes = cone_modes_of(floored, row.friction > 0 ? row.friction : 1);
    row.inverse_normal = own.diagonal.x > 0 ? 1 / own.diagonal.x : 0;
    row.inverse_tangent = tangent > 0 && delassus_isotropic(own) ? 1 / tangent : 0;
    return row;
}

LARGE symmetric3 matrix_own(matrix_row row) { return symmetric_of(row.diagonal, row.off_diagonal); }

/* Returns W_aa r. */
LARGE vec3s matrix_own_times(matrix_row row, vec3s r) {
    return glms_vec3_add(symmetric_times(matrix_own(row), r), glms_vec3_cross(row.skew, r));
}

LARGE int matrix_symmetric(matrix_row row) { return row.skew.x == 0 && row.skew.y == 0 && row.skew.z == 0; }

/* Returns −W_aa⁻¹ q. The skew part is solved by fixed-point iteration; each step reduces the error by the
 * ratio of skew to symmetric part (1e-3 in the known files). */
SHARED vec3s matrix_free_solve(matrix_row row, vec3s q) {
    const symmetric3 own = matrix_own(row);
    vec3s x = free_solve(own, q);
    for (int round = 0; round < 6 && !matrix_symmetric(row); round++)
        x = free_solve(own, glms_vec3_add(q, glms_vec3_cross(row.skew, x)));
    return x;
}

/* Returns the law's solution of (symmetric part of W_aa) r + q. */
LARGE vec3s matrix_law_solve(matrix_row row, int law, vec3s q) {
    const symmetric3 own = matrix_own(row);
    if (row.inverse_tangent > 0)
        return law_solve_isotropic(
            law, vec3_of(-q.x * row.inverse_normal, -q.y * row.inverse_tangent, -q.z * row.inverse_tangent),
            row.friction, row.diagonal.y * row.inverse_normal);
    if (law != LAW_ASSOCIATED) return law_solve(law, own, q, row.friction);
    const law_case simple = associated_case(own, q, row.friction);
    if (simple.found) return simple.r;
    return associated_slide(associated_floored(own), row.modes, q, row.friction);
}

/* Returns a contact's solution of W_aa r' + q. The radial rule requires the block's free solution. The other
 * laws only require r', so the skew part may act on the previous r: both agree in the limit. */
LARGE vec3s matrix_contact_solve(matrix_row row, int law, vec3s q, vec3s r) {
    if (law == LAW_RADIAL && row.friction > 0 && !matrix_symmetric(row))
        return radial_clamp(matrix_free_solve(row, q), row.friction);
    return matrix_law_solve(row, law, glms_vec3_add(q, glms_vec3_cross(row.skew, r)));
}

/* Returns the bounds of a resistance from r_N of its contact. */
LARGE resistance_bound matrix_bound(matrix_row row, scalar normal) {
    resistance_bound bound;
    bound.spinning = row.spinning * scalar_max(normal, 0),
    bound.rolling = row.rolling * scalar_max(normal, 0);
    return bound;
}

/* NAME_row_solve: solution of W_aa r' + q for each kind of row. The skew part acts on r; `normal` is r_N of a
 * resistance's contact. */
LARGE vec3s contact_row_solve(matrix_row row, int law, vec3s q, vec3s r, scalar normal) {
    (void)normal;
    return matrix_contact_solve(row, law, q, r);
}

LARGE vec3s resistance_row_solve(matrix_row row, int law, vec3s q, vec3s r, scalar normal) {
    (void)law;
    const vec3s others = glms_vec3_add(q, glms_vec3_cross(row.skew, r));
    return resistance_solve(matrix_own(row), others, matrix_bound(row, normal));
}

LARGE vec3s bounded_row_solve(matrix_row row, int law, vec3s q, vec3s r, scalar normal) {
    (void)law, (void)normal;
    return bounded_solve(matrix_own(row), glms_vec3_add(q, glms_vec3_cross(row.skew, r)), row.box);
}

/* NAME_row_clamp: an admissible impulse near a relaxed one. */
LARGE vec3s contact_row_clamp(matrix_row row, int law, vec3s r, scalar normal) {
    (void)normal;
    return law_admissible(law, r, row.friction);
}

LARGE vec3s resistance_row_clamp(matrix_row row, int law, vec3s r, scalar normal) {
    (void)law;
    return resistance_clamp(r, matrix_bound(row, normal));
}

LARGE vec3s bounded_row_clamp(matrix_row row, int law, vec3s r, scalar normal) {
    (void)law, (void)normal;
    return bounded_clamp(r, row.box);
}

/* NAME_row_map: the natural map. */
LARGE vec3s contact_row_map(matrix_row row, int law, vec3s r, vec3s u, scalar normal, scalar rho) {
    (void)normal;
    if (law == LAW_RADIAL && row.friction > 0)
        return glms_vec3_sub(r, radial_clamp(glms_vec3_add(r, matrix_free_solve(row, u)), row.friction));
    return law_natural_map(law, matrix_own(row), r, u, row.friction, rho);
}

LARGE vec3s resistance_row_map(matrix_row row, int law, vec3s r, vec3s u, scalar normal, scalar rho) {
    (void)law;
    return resistance_natural_map(r, u, matrix_bound(row, normal), rho);
}

LARGE vec3s bounded_row_map(matrix_row row, int law, vec3s r, vec3s u, scalar normal, scalar rho) {
    (void)law, (void)normal;
    return bounded_natural_map(r, u, row.box, rho);
}

/* Moves r towards the row's solution of W_aa r' + q by ω, then back to the admissible set. */
LARGE vec3s matrix_solved(matrix_row row, solve_parameters parameters, vec3s q, vec3s r, scalar normal) {
    vec3s solved = r;
#define ROW(KIND, name)                                                                                      \
    if (row.kind == BLOCK_##KIND) solved = name##_row_solve(row, parameters.law, q, r, normal);
    BLOCK_KINDS(ROW)
#undef ROW
    if (parameters.relaxation == 1) return solved;
    vec3s relaxed = glms_vec3_add(r, glms_vec3_scale(glms_vec3_sub(solved, r), parameters.relaxation));
#define ROW(KIND, name)                                                                                      \
    if (row.kind == BLOCK_##KIND) relaxed = name##_row_clamp(row, parameters.law, relaxed, normal);
    BLOCK_KINDS(ROW)
#undef ROW
    return relaxed;
}

/* Gauss–Seidel update: `others` is q + Σ W_ab r_b over all b but a. */
LARGE block_impulse matrix_swept(matrix_row row, solve_parameters parameters, block_impulse r, vec3s others,
                                 scalar normal) {
    if (parameters.held_shift && row.kind == BLOCK_CONTACT) others.x += r.shift;
    r.value = matrix_solved(row, parameters, others, r.value, normal);
    return r;
}

/* Jacobi update: W_aa is multiplied by s_a. The laws are homogeneous, so dividing u by s_a is equivalent. */
LARGE block_impulse matrix_updated(matrix_row row, solve_parameters parameters, block_impulse r, vec3s u,
                                   scalar normal) {
    if (parameters.held_shift && row.kind == BLOCK_CONTACT) u.x += r.shift;
    const vec3s q = glms_vec3_sub(glms_vec3_scale(u, 1 / row.share), matrix_own_times(row, r.value));
    r.value = matrix_solved(row, parameters, q, r.value, normal);
    return r;
}

/* Returns Coulomb's shift at u. */
LARGE scalar matrix_shift(matrix_row row, solve_parameters parameters, vec3s u) {
    if (parameters.law != LAW_COULOMB || row.kind != BLOCK_CONTACT) return 0;
    return row.friction * scalar_sqrt(u.y * u.y + u.z * u.z);
}

/* Returns the row's contribution to the restart test (nesterov.h), in the metric of the iteration. */
LARGE scalar matrix_uphill(matrix_row row, solve_parameters parameters, vec3s start, vec3s r, vec3s before) {
    const scalar bound = parameters.split ? row.share * row.bound : row.bound;
    return bound * glms_vec3_dot(glms_vec3_sub(start, r), glms_vec3_sub(r, before));
}

SHARED vec3s matrix_extrapolated(vec3s v, vec3s before, scalar extrapolation) {
    return glms_vec3_add(v, glms_vec3_scale(glms_vec3_sub(v, before), extrapolation));
}

/* The row's contribution to the residual; `velocity` is ‖u‖². */
typedef struct matrix_residual {
    block_residual sum;
    scalar velocity;
} matrix_residual;

/* Returns the row's error at r, where it has the velocity u. */
LARGE block_error matrix_error(matrix_row row, solve_parameters parameters, vec3s r, vec3s u, scalar normal,
                               scalar rho) {
    vec3s map = glms_vec3_zero();
#define ROW(KIND, name)                                                                                      \
    if (row.kind == BLOCK_##KIND) map = name##_row_map(row, parameters.law, r, u, normal, rho);
    BLOCK_KINDS(ROW)
#undef ROW
    const scalar normal_velocity = row.kind == BLOCK_CONTACT ? u.x : 0;
    block_error out;
    out.map = residual_map(parameters.law, map, rho, parameters.unit_measure ? 0 : normal_velocity);
    out.violation = residual_violation(parameters.law, map, rho, normal_velocity);
    return out;
}

LARGE matrix_residual matrix_residual_of(matrix_row row, solve_parameters parameters, vec3s r, vec3s kept,
                                         vec3s u, scalar normal) {
    const scalar trace = symmetric_trace(matrix_own(row));
    const scalar rho = parameters.unit_measure ? 1 : trace > 0 ? 3 / trace : 0;
    matrix_residual result;
    result.sum =
        block_residual_with(matrix_error(row, parameters, r, u, normal, rho),
                            matrix_error(row, parameters, glms_vec3_zero(), row.drive, 0, rho), r, kept);
    if (parameters.unit_measure) result.sum.drive = glms_vec3_norm2(row.drive);
    result.velocity = glms_vec3_norm2(u);
    return result;
}

#endif
