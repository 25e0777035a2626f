/* The rows of one joint, solved together.
 *
 * Let H be the rows without bounds and B the others. In a sweep the rows have the velocities u at the current
 * impulses. Their change x solves
 *
 *     u_H + A_HH x_H + A_HB x_B = 0,      u_B + A_BH x_H + A_BB x_B under the bounds of B.
 *
 * x_H = −A_HH⁻¹ (u_H + A_HB x_B) leaves a problem for B alone, with the matrix S = A_BB − A_BH A_HH⁻¹ A_HB
 * and the velocities y_B = u_B − A_BH A_HH⁻¹ u_H, which a few sweeps over its rows solve. The products are
 * those of the sweep operator (Beaton 1964, The use of special matrix operators in statistical calculus):
 * pivots in all rows of H turn A into
 *
 *     K = (  A_HH⁻¹        A_HH⁻¹ A_HB )
 *         ( −A_BH A_HH⁻¹   S           ).
 *
 * The host computes K in double precision once per pass (rows/joint_systems.c), and J and M⁻¹Jᵀ of all rows
 * with it. Rows that are redundant or cannot move take no part. */
#ifndef SCREE_KERNELS_JOINT_SYSTEM_H
#define SCREE_KERNELS_JOINT_SYSTEM_H

#include "bounded_rows.h"
#include "system_layout.h"

#if SCREE_WIDTH == 1

/* Sweeps over the bounded rows of a joint. */
enum { SYSTEM_SWEEPS = 2 };

/* Four consecutive rows. */
typedef struct system_quad {
    scalar a, b, c, d;
} system_quad;

/* Returns Σ_j m[stride j + i] x[j] over `count` columns, for the four rows that `m` points to. */
SHARED system_quad system_product(LOOKUP scalar *m, int stride, const scalar *x, int count) {
    system_quad sum;
    sum.a = sum.b = sum.c = sum.d = 0;
    for (int j = 0; j < count; j++) {
        sum.a += m[stride * j] * x[j];
        sum.b += m[stride * j + 1] * x[j];
        sum.c += m[stride * j + 2] * x[j];
        sum.d += m[stride * j + 3] * x[j];
    }
    return sum;
}

/* Adds such a product over `rows` rows, rounded up to a multiple of 4, to y. */
SHARED void system_add(scalar *y, LOOKUP scalar *m, int stride, const scalar *x, int rows, int count) {
    for (int i = 0; i < rows; i += 4) {
        const system_quad sum = system_product(m + i, stride, x, count);
        y[i] += sum.a, y[i + 1] += sum.b, y[i + 2] += sum.c, y[i + 3] += sum.d;
    }
}

/* Rows of a joint: impulses, bounds, velocities u, and the change x. */
typedef struct system_rows {
    scalar impulses[SYSTEM_ROWS], low[SYSTEM_ROWS], high[SYSTEM_ROWS], u[SYSTEM_ROWS + 3], x[SYSTEM_ROWS];
} system_rows;

SHARED void system_put(scalar *to, vec3s value) { to[0] = value.x, to[1] = value.y, to[2] = value.z; }

/* Fills impulses, bounds, and u without J V. */
SHARED void system_read(system_rows *out, int blocks, LOOKUP bounded_rows *rows,
                        LOOKUP block_impulse *impulses, int position_pass) {
    for (int i = 0; i < 3; i++) out->u[3 * blocks + i] = 0; /* rows up to a multiple of 4 */
    for (int i = 0; i < blocks; i++) {
        const vec3s r = impulses[i].value;
        system_put(out->impulses + 3 * i, r);
        system_put(out->low + 3 * i, position_pass ? rows[i].push_low : rows[i].low);
        system_put(out->high + 3 * i, position_pass ? rows[i].push_high : rows[i].high);
        system_put(out->u + 3 * i, position_pass
                                       ? rows[i].correction
                                       : glms_vec3_add(rows[i].bias, glms_vec3_mul(rows[i].compliance, r)));
    }
}

/* Sweeps the bounded rows, whose velocities are in y; updates y and x. */
SHARED void system_bound(LOOKUP joint_system *system, system_rows *rows, scalar *y, int count, int sweeps) {
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int j = 0; j < count; j++) {
            if (system->kinds[j] != SYSTEM_BOUNDED) continue;
            const scalar r = rows->impulses[j],
                         next = scalar_clamp(rows->x[j] - y[j] * system->inverses[j], rows->low[j] - r,
                                             rows->high[j] - r),
                         change = next - rows->x[j];
            rows->x[j] = next;
            system_add(y, system->solve + SYSTEM_ROWS * j, SYSTEM_ROWS, &change, count, 1);
        }
}

/* Computes the change x of the impulses. */
SHARED void system_solve(LOOKUP joint_system *system, system_rows *rows, int count) {
    scalar y[SYSTEM_ROWS + 3], held[SYSTEM_ROWS];
    int bounded = 0;
    for (int i = 0; i < 3; i++) y[count + i] = 0;
    for (int i = 0; i < count; i++) {
        const int kind = system->kinds[i];
        held[i] = kind == SYSTEM_HELD ? rows->u[i] : 0;
        y[i] = kind == SYSTEM_BOUNDED ? rows->u[i] : 0;
        rows->x[i] = 0;
        bounded += kind == SYSTEM_BOUNDED;
    }
    system_add(y, system->solve, SYSTEM_ROWS, held, count, count);
    system_bound(system, rows, y, count, bounded > 1 ? SYSTEM_SWEEPS : bounded);
    for (int i = 0; i < count; i++)
        if (system->kinds[i] == SYSTEM_HELD) rows->x[i] = -y[i];
}

/* New impulses of a joint's blocks, and the resulting velocities of its bodies. */
typedef struct system_step {
    vec3s values[SYSTEM_BLOCKS];
    body_velocity a, b;
} system_step;

/* Gauss–Seidel update of a joint. */
SHARED system_step system_swept(LOOKUP joint_system *system, LOOKUP bounded_rows *rows,
                                LOOKUP block_impulse *impulses, solve_parameters parameters, body_velocity a,
                                body_velocity b) {
    const int count = 3 * system->block_count;
    system_rows of;
    scalar v[SYSTEM_COMPONENTS];
    system_put(v, a.linear), system_put(v + 3, a.angular);
    system_put(v + 6, b.linear), system_put(v + 9, b.angular);
    system_read(&of, system->block_count, rows, impulses, parameters.position_pass);
    system_add(of.u, system->jacobian, SYSTEM_ROWS, v, count, SYSTEM_COMPONENTS);
    system_solve(system, &of, count);
    for (int i = 0; i < count; i++) {
        const scalar r = of.impulses[i], relaxed = r + parameters.relaxation * of.x[i];
        of.impulses[i] = system->kinds[i] == SYSTEM_IDLE ? r : scalar_clamp(relaxed, of.low[i], of.high[i]);
        of.x[i] = of.impulses[i] - r;
    }
    system_add(v, system->response, SYSTEM_COMPONENTS, of.x, SYSTEM_COMPONENTS, count);
    system_step out;
    for (int i = 0; i < system->block_count; i++)
        out.values[i] = vec3_of(of.impulses[3 * i], of.impulses[3 * i + 1], of.impulses[3 * i + 2]);
    a.linear = vec3_of(v[0], v[1], v[2]), a.angular = vec3_of(v[3], v[4], v[5]);
    b.linear = vec3_of(v[6], v[7], v[8]), b.angular = vec3_of(v[9], v[10], v[11]);
    out.a = a, out.b = b;
    return out;
}

#endif

#endif
