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
 * with it. Rows that are redundant or cannot move are idle: their entries are zero, their impulses constant.
 */
#ifndef SCREE_KERNELS_JOINT_SYSTEM_H
#define SCREE_KERNELS_JOINT_SYSTEM_H

#include "quad.h"
#include "system_layout.h"

#if SCREE_WIDTH == 1

/* Sweeps over the bounded rows of a joint. */
enum { SYSTEM_SWEEPS = 2 };

/* Velocities of the two bodies, and impulses and bias of the rows; the bias may be anything in idle rows. (A
 * device computes the bias of position passes, so that the host's factors cannot contain it.) */
typedef struct system_state {
    scalar velocities[SYSTEM_COMPONENTS], impulses[SYSTEM_ROWS], bias[SYSTEM_ROWS];
} system_state;

/* Computes u = J V + bias + compliance r. */
SHARED void system_read(LOOKUP joint_system *system, int stride, const system_state *state, scalar *u) {
    for (int i = 0; i < stride; i += 4) {
        LOOKUP scalar *column = system->jacobian + i;
        quad sum = quad_of(0);
        for (int c = 0; c < SYSTEM_COMPONENTS; c++) {
            if (c % 4 == 3) continue;
            sum += QUAD_LOAD(column) * quad_of(state->velocities[c]);
            column += stride;
        }
        sum +=
            QUAD_LOAD(state->bias + i) + QUAD_LOAD(system->compliance + i) * QUAD_LOAD(state->impulses + i);
        QUAD_STORE(u + i, sum);
    }
}

/* Computes y: A_HH⁻¹ u_H of held rows, and the velocities of bounded ones. Sets x to 0. */
SHARED void system_eliminate(LOOKUP joint_system *system, int stride, const scalar *u, scalar *y, scalar *x) {
    for (int i = 0; i < stride; i += 4) {
        quad sum = quad_of(0);
        for (int k = 0; k < system->held_count; k++) {
            const int j = system->rows[k];
            sum += QUAD_LOAD(system->solve + stride * j + i) * quad_of(u[j]);
        }
        QUAD_STORE(y + i, QUAD_LOAD(u + i) * (quad_of(1) - QUAD_LOAD(system->held + i)) + sum);
        QUAD_STORE(x + i, quad_of(0));
    }
}

/* Sweeps the bounded rows; updates y, and adds their changes to x. */
SHARED void system_bound(LOOKUP joint_system *system, int stride, const scalar *impulses, scalar *y,
                         scalar *x) {
    const int sweeps = system->bounded_count > 1 ? SYSTEM_SWEEPS : system->bounded_count;
    for (int sweep = 0; sweep < sweeps; sweep++)
        for (int k = 0; k < system->bounded_count; k++) {
            const int j = system->rows[system->held_count + k];
            LOOKUP scalar *column = system->solve + stride * j;
            const scalar r = impulses[j],
                         next = scalar_clamp(x[j] - y[j] * system->inverses[j], system->low[j] - r,
                                             system->high[j] - r),
                         change = next - x[j];
            x[j] = next;
            for (int i = 0; i < stride; i += 4)
                QUAD_STORE(y + i, QUAD_LOAD(y + i) + QUAD_LOAD(column + i) * quad_of(change));
        }
}

/* Adds the change x to the impulses, by ω and within the bounds; x becomes the actual change. */
SHARED void system_relax(LOOKUP joint_system *system, int stride, scalar relaxation, const scalar *y,
                         scalar *x, scalar *impulses) {
    for (int i = 0; i < stride; i += 4) {
        const quad r = QUAD_LOAD(impulses + i),
                   change = QUAD_LOAD(x + i) - QUAD_LOAD(y + i) * QUAD_LOAD(system->held + i),
                   next = quad_clamp(r + quad_of(relaxation) * change, QUAD_LOAD(system->low + i),
                                     QUAD_LOAD(system->high + i));
        QUAD_STORE(impulses + i, next);
        QUAD_STORE(x + i, next - r);
    }
}

/* Adds M⁻¹Jᵀ x to the velocities. */
SHARED void system_move(LOOKUP joint_system *system, int stride, const scalar *x, scalar *velocities) {
    quad a = quad_of(0), b = a, c = a, d = a;
    for (int i = 0; i < stride; i++) {
        if (i % 4 == 3) continue;
        LOOKUP scalar *row = system->response + SYSTEM_COMPONENTS * i;
        const quad change = quad_of(x[i]);
        a += QUAD_LOAD(row) * change, b += QUAD_LOAD(row + 4) * change;
        c += QUAD_LOAD(row + 8) * change, d += QUAD_LOAD(row + 12) * change;
    }
    QUAD_STORE(velocities, QUAD_LOAD(velocities) + a);
    QUAD_STORE(velocities + 4, QUAD_LOAD(velocities + 4) + b);
    QUAD_STORE(velocities + 8, QUAD_LOAD(velocities + 8) + c);
    QUAD_STORE(velocities + 12, QUAD_LOAD(velocities + 12) + d);
}

LARGE void system_swept_in(LOOKUP joint_system *system, int stride, scalar relaxation, system_state *state) {
    scalar u[SYSTEM_ROWS], y[SYSTEM_ROWS], x[SYSTEM_ROWS];
    system_read(system, stride, state, u);
    system_eliminate(system, stride, u, y, x);
    system_bound(system, stride, state->impulses, y, x);
    system_relax(system, stride, relaxation, y, x, state->impulses);
    system_move(system, stride, x, state->velocities);
}

/* Gauss–Seidel update of a joint. Most have one or two blocks: compilers unroll these. */
SHARED void system_swept(LOOKUP joint_system *system, scalar relaxation, system_state *state) {
    if (system->stride == 0) return;
    if (system->stride == 4)
        system_swept_in(system, 4, relaxation, state);
    else if (system->stride == 8)
        system_swept_in(system, 8, relaxation, state);
    else
        system_swept_in(system, system->stride, relaxation, state);
}

#endif

#endif
