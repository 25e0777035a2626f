/* Dense row-major matrices in double precision for tests: the Delassus operator of a problem from its blocks
 * and bodies, factorisation, spectral radius. Shares nothing with the solvers. */
#pragma once

#include "rows/problem.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum { DENSE = 48 };

typedef struct dense {
    int n;
    double a[DENSE][DENSE];
} dense;

/* Solves a x = b by elimination with partial pivoting; returns false if a pivot is below 1e-12 of the largest
 * entry. */
static inline bool dense_solve(const dense *a, const double *b, double *x) {
    dense m = *a;
    double largest = 0;
    for (int i = 0; i < m.n; i++) {
        x[i] = b[i];
        for (int j = 0; j < m.n; j++) largest = fmax(largest, fabs(m.a[i][j]));
    }
    for (int k = 0; k < m.n; k++) {
        int pivot = k;
        for (int i = k + 1; i < m.n; i++)
            if (fabs(m.a[i][k]) > fabs(m.a[pivot][k])) pivot = i;
        if (!(fabs(m.a[pivot][k]) > 1e-12 * largest)) return false;
        for (int j = 0; j < m.n; j++) {
            const double swap = m.a[k][j];
            m.a[k][j] = m.a[pivot][j], m.a[pivot][j] = swap;
        }
        const double swap = x[k];
        x[k] = x[pivot], x[pivot] = swap;
        for (int i = k + 1; i < m.n; i++) {
            const double factor = m.a[i][k] / m.a[k][k];
            for (int j = k; j < m.n; j++) m.a[i][j] -= factor * m.a[k][j];
            x[i] -= factor * x[k];
        }
    }
    for (int i = m.n - 1; i >= 0; i--) {
        for (int j = i + 1; j < m.n; j++) x[i] -= m.a[i][j] * x[j];
        x[i] /= m.a[i][i];
    }
    return true;
}

/* Returns whether a symmetric matrix is positive definite (its Cholesky factorisation succeeds). */
static inline bool dense_positive(const dense *a) {
    double l[DENSE][DENSE] = {{0}};
    for (int i = 0; i < a->n; i++)
        for (int j = 0; j <= i; j++) {
            double sum = a->a[i][j];
            for (int k = 0; k < j; k++) sum -= l[i][k] * l[j][k];
            if (i == j && !(sum > 0)) return false;
            l[i][j] = i == j ? sqrt(sum) : sum / l[j][j];
        }
    return true;
}

/* Computes the spectral radius by Gelfand's formula: ‖Gᵏ‖^(1/k) for k = 2²⁰ by repeated squaring, rescaled
 * each time. */
static inline double dense_spectral_radius(dense g) {
    double logarithm = 0, power = 1;
    for (int step = 0; step < 20; step++) {
        double norm = 0;
        for (int i = 0; i < g.n; i++)
            for (int j = 0; j < g.n; j++) norm = fmax(norm, fabs(g.a[i][j]));
        if (!(norm > 0)) return 0;
        logarithm += log(norm) / power;
        dense square = {.n = g.n};
        for (int i = 0; i < g.n; i++)
            for (int k = 0; k < g.n; k++)
                for (int j = 0; j < g.n; j++) square.a[i][j] += g.a[i][k] / norm * (g.a[k][j] / norm);
        g = square, power *= 2;
    }
    return exp(logarithm);
}

/* Computes row k of block b on one of its bodies, u = … + jacobian · (linear, angular), and M⁻¹ times that
 * row. */
static inline void dense_row(const problem *p, int block, int k, int side, double jacobian[6],
                             double response[6]) {
    const constraint_block *b = &p->blocks[block];
    const vec3s t2 = glms_vec3_cross(b->normal, b->tangent), axes[3] = {b->normal, b->tangent, t2};
    const vec3s arm = side ? b->arm_b : b->arm_a;
    const double sign = side ? 1 : -1, d[3] = {(double)axes[k].x, (double)axes[k].y, (double)axes[k].z},
                 r[3] = {(double)arm.x, (double)arm.y, (double)arm.z};
    for (int i = 0; i < 3; i++) {
        const int y = (i + 1) % 3, z = (i + 2) % 3;
        jacobian[i] = sign * d[i];
        jacobian[3 + i] = sign * (r[y] * d[z] - r[z] * d[y]);
    }
    const body_mobility *m = &p->mobility[side ? b->body_b : b->body_a];
    const double *w = jacobian + 3;
    response[0] = (double)m->inverse_mass.x * jacobian[0];
    response[1] = (double)m->inverse_mass.y * jacobian[1];
    response[2] = (double)m->inverse_mass.z * jacobian[2];
    const double yz = (double)m->off_diagonal.x, xz = (double)m->off_diagonal.y,
                 xy = (double)m->off_diagonal.z;
    response[3] = (double)m->diagonal.x * w[0] + xy * w[1] + xz * w[2];
    response[4] = xy * w[0] + (double)m->diagonal.y * w[1] + yz * w[2];
    response[5] = xz * w[0] + yz * w[1] + (double)m->diagonal.z * w[2];
}

/* Assembles A = J M⁻¹ Jᵀ with compliance and q = J V* + bias of a problem's blocks; three rows each. */
static inline void dense_delassus(const problem *p, dense *a, double *q) {
    *a = (dense){.n = 3 * p->block_count};
    for (int i = 0; i < a->n; i++) {
        const constraint_block *block = &p->blocks[i / 3];
        q[i] = i % 3 == 0 ? (double)block->bias : 0;
        for (int side = 0; side < 2; side++) {
            double mine[6], response[6], theirs[6], other[6];
            const int body = side ? block->body_b : block->body_a;
            dense_row(p, i / 3, i % 3, side, mine, response);
            const body_velocity v = p->free_velocity[body];
            const double velocity[6] = {(double)v.linear.x,  (double)v.linear.y,  (double)v.linear.z,
                                        (double)v.angular.x, (double)v.angular.y, (double)v.angular.z};
            for (int k = 0; k < 6; k++) q[i] += mine[k] * velocity[k];
            for (int j = 0; j < a->n; j++)
                for (int of = 0; of < 2; of++) {
                    if ((of ? p->blocks[j / 3].body_b : p->blocks[j / 3].body_a) != body) continue;
                    dense_row(p, j / 3, j % 3, of, theirs, other);
                    for (int k = 0; k < 6; k++) a->a[i][j] += response[k] * theirs[k];
                }
        }
        if (i % 3 == 0) a->a[i][i] += (double)block->compliance;
    }
}
