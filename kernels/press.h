/* Normal impulses of a manifold, solved by themselves: local sweeps over the normal rows of one pair's
 * contacts, in the space of those rows.
 *
 * Stacks rock by how the corners of a face divide the weight. Settling that takes several sweeps over the
 * corners, while friction is settled from group to group. With g_i = J_iᵀ e_N = (−n_i, −r_ai × n_i, n_i, r_bi
 * × n_i) the rows couple by
 *
 *     C_ij = g_i · M⁻¹ g_j,     u_i ← u_i + C_ij Δr_j,
 *
 * so sweeps read the bodies' velocities once before and change them once after:
 *
 *     V ← V + M⁻¹ Σ g_j Δr_j. */
#ifndef SCREE_KERNELS_PRESS_H
#define SCREE_KERNELS_PRESS_H

#include "block.h"

/* Maximum number of points pressed together: those of a manifold. */
enum { PRESS_POINTS = 4 };

/* One body's side of g: the lever of the normal, and the velocity change per unit of impulse. */
typedef struct press_side {
    vec3s lever; /* r × n, m */
    vec3s push;  /* m⁻¹ n, 1/kg */
    vec3s turn;  /* I⁻¹ (r × n), 1/(kg m) */
} press_side;

/* The normal row of a contact. */
typedef struct press_row {
    vec3s normal;
    press_side a, b;
    scalar velocity; /* u_N, m/s */
    scalar own;      /* C_ii with the compliance, 1/kg */
    scalar inverse;  /* 1/A_NN, 0 where nothing can move */
    scalar impulse;  /* r_N, N s */
} press_row;

/* `round` as in velocity_pushed. */
SHARED press_side press_side_of(vec3s normal, vec3s arm, body_mobility body, int round) {
    press_side side;
    side.lever = glms_vec3_cross(arm, normal);
    if (round) {
        side.push = glms_vec3_scale(normal, body.inverse_mass.x);
        side.turn = glms_vec3_scale(side.lever, body.diagonal.x);
    } else {
        side.push = glms_vec3_mul(body.inverse_mass, normal);
        side.turn = symmetric_times(symmetric_of(body.diagonal, body.off_diagonal), side.lever);
    }
    return side;
}

/* Returns u_N of a contact. In the position pass r_N is a push, and neither bias nor compliance act. */
SHARED scalar press_velocity(constraint_block block, solve_parameters parameters, block_impulse r,
                             body_velocity a, body_velocity b) {
    const scalar offset =
        parameters.position_pass ? block.correction : block.bias + block.compliance * r.value.x;
    return glms_vec3_dot(block.normal, block_approach(block, a, b)) + offset;
}

/* Returns C_ii. */
SHARED scalar press_own(constraint_block block, block_diagonal delassus, solve_parameters parameters) {
    return parameters.position_pass ? delassus.diagonal.x - block.compliance : delassus.diagonal.x;
}

/* Returns the normal row of a contact. */
SHARED press_row press_row_of(constraint_block block, block_diagonal delassus, solve_parameters parameters,
                              block_impulse r, body_velocity a, body_velocity b, body_mobility mobility_a,
                              body_mobility mobility_b, int round) {
    press_row row;
    row.normal = block.normal;
    row.a = press_side_of(block.normal, block.arm_a, mobility_a, round);
    row.b = press_side_of(block.normal, block.arm_b, mobility_b, round);
    row.velocity = press_velocity(block, parameters, r, a, b);
    row.own = press_own(block, delassus, parameters);
    row.inverse = delassus.inverse_normal;
    row.impulse = r.value.x;
    return row;
}

/* Returns C_ij = n_i·(m_a⁻¹ + m_b⁻¹) n_j + (r_ai × n_i)·I_a⁻¹ (r_aj × n_j) + (r_bi × n_i)·I_b⁻¹ (r_bj × n_j).
 */
SHARED scalar press_coupling(const press_row *i, const press_row *j) {
    return glms_vec3_dot(i->normal, glms_vec3_add(j->a.push, j->b.push)) +
           (glms_vec3_dot(i->a.lever, j->a.turn) + glms_vec3_dot(i->b.lever, j->b.turn));
}

/* Returns r_N of r_N ≥ 0 ⟂ u_N + A_NN Δr_N ≥ 0, by ω. */
SHARED scalar press_solved(scalar impulse, scalar velocity, scalar inverse, float relaxation) {
    const scalar solved =
        choose(inverse > 0, scalar_max(impulse - velocity * inverse, scalar_of(0)), scalar_of(0));
    return scalar_max(impulse + (solved - impulse) * scalar_of(relaxation), scalar_of(0));
}

/* Rows of one manifold in the order of the sweep. */
typedef struct press {
    press_row rows[PRESS_POINTS];
    int count;
} press;

/* r_N of the rows after the sweeps. */
typedef struct press_impulses {
    scalar values[PRESS_POINTS];
} press_impulses;

/* C_ij for i > j at index i(i − 1)/2 + j; constant as long as the bodies do not move. */
enum { PRESS_COUPLINGS = PRESS_POINTS * (PRESS_POINTS - 1) / 2 };

typedef struct press_couplings {
    scalar values[PRESS_COUPLINGS];
} press_couplings;

SHARED int press_coupling_at(int i, int j) { return i > j ? i * (i - 1) / 2 + j : j * (j - 1) / 2 + i; }

SHARED press_couplings press_coupled(const press *of) {
    press_couplings out;
    UNROLLED for (int k = 0; k < PRESS_COUPLINGS; k++) out.values[k] = scalar_of(0);
    UNROLLED for (int i = 1; i < PRESS_POINTS; i++) if (i < of->count) UNROLLED for (int j = 0; j < i; j++)
        out.values[press_coupling_at(i, j)] = press_coupling(&of->rows[i], &of->rows[j]);
    return out;
}

SHARED press_impulses press_swept_coupled(const press *of, press_couplings couplings, int sweeps,
                                          float relaxation) {
    press_impulses r;
    scalar u[PRESS_POINTS];
    UNROLLED for (int i = 0; i < PRESS_POINTS; i++) {
        u[i] = r.values[i] = scalar_of(0);
        if (i < of->count) u[i] = of->rows[i].velocity, r.values[i] = of->rows[i].impulse;
    }
    for (int sweep = 0; sweep < sweeps; sweep++)
        UNROLLED for (int j = 0; j < PRESS_POINTS; j++) if (j < of->count) {
            const scalar solved = press_solved(r.values[j], u[j], of->rows[j].inverse, relaxation);
            const scalar change = solved - r.values[j];
            r.values[j] = solved;
            UNROLLED for (int i = 0; i < PRESS_POINTS; i++) u[i] =
                u[i] + (i == j ? of->rows[j].own : couplings.values[press_coupling_at(i, j)]) * change;
        }
    return r;
}

SHARED press_impulses press_swept(const press *of, int sweeps, float relaxation) {
    return press_swept_coupled(of, press_coupled(of), sweeps, relaxation);
}

/* Sums of the velocity changes of one body. */
typedef struct press_sum {
    vec3s push, turn;
} press_sum;

SHARED press_sum press_sum_none(void) {
    press_sum sum;
    sum.push = sum.turn = glms_vec3_zero();
    return sum;
}

SHARED press_sum press_sum_plus(press_sum sum, press_side side, scalar change) {
    sum.push = glms_vec3_add(sum.push, glms_vec3_scale(side.push, change));
    sum.turn = glms_vec3_add(sum.turn, glms_vec3_scale(side.turn, change));
    return sum;
}

/* Returns a body's velocity after the changes on its side (a: −1, b: +1). */
SHARED body_velocity press_sum_applied(press_sum sum, body_velocity velocity, int side) {
    if (side < 0) sum.push = glms_vec3_negate(sum.push), sum.turn = glms_vec3_negate(sum.turn);
    velocity.linear = glms_vec3_add(velocity.linear, sum.push);
    velocity.angular = glms_vec3_add(velocity.angular, sum.turn);
    return velocity;
}

SHARED body_velocity press_applied(const press *of, press_impulses after, body_velocity velocity, int side) {
    press_sum sum = press_sum_none();
    UNROLLED for (int i = 0; i < PRESS_POINTS; i++) if (i < of->count) sum =
        press_sum_plus(sum, side < 0 ? of->rows[i].a : of->rows[i].b, after.values[i] - of->rows[i].impulse);
    return press_sum_applied(sum, velocity, side);
}

#endif
