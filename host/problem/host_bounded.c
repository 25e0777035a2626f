#include "host_bounded.h"

#include "small_system.h"

#include <stdbool.h>

static double cut(double x, double low, double high) { return fmin(fmax(x, low), high); }

static real3 nearest_in_box(real3 x, host_box box) {
    return (real3){cut(x.x, box.low.x, box.high.x), cut(x.y, box.low.y, box.high.y),
                   cut(x.z, box.low.z, box.high.z)};
}

/* A block as arrays. */
typedef struct rows {
    double a[3][3], q[3], low[3], high[3];
} rows;

/* Solves one of the 27 cases: each row is at its lower bound (−1), free (0) or at its upper bound (1).
 * Returns the largest violation of the case's own conditions (m/s, impulses weighted by A's diagonal); ∞ if
 * the case does not exist. */
static double broken_by(const rows *p, const int state[3], double r[3]) {
    double m[3][3], right[3];
    int row_of[3], n = 0;
    for (int i = 0; i < 3; i++) {
        r[i] = state[i] < 0 ? p->low[i] : state[i] > 0 ? p->high[i] : 0;
        if (!isfinite(r[i])) return INFINITY;
        if (state[i] == 0) row_of[n++] = i;
    }
    for (int i = 0; i < n; i++) {
        right[i] = -p->q[row_of[i]];
        for (int k = 0; k < 3; k++)
            if (state[k]) right[i] -= p->a[row_of[i]][k] * r[k];
        for (int k = 0; k < n; k++) m[i][k] = p->a[row_of[i]][row_of[k]];
    }
    if (!real_eliminate(n, m, right)) return INFINITY;
    for (int i = 0; i < n; i++) r[row_of[i]] = right[i];
    double broken = 0;
    for (int i = 0; i < 3; i++) {
        double u = p->q[i];
        for (int k = 0; k < 3; k++) u += p->a[i][k] * r[k];
        const double outside = fmax(p->low[i] - r[i], r[i] - p->high[i]) * p->a[i][i];
        broken = fmax(broken, state[i] ? state[i] * u : outside);
    }
    return broken;
}

/* Rows that depend on each other, or that no impulse moves, make A singular. Adding ε to the diagonal and −ε
 * near to q keeps every solution r = near. */
static rows rows_of(const real3x3 *a, real3 q, host_box box, real3 near) {
    const double size = real3x3_trace(a) / 3, start[3] = {near.x, near.y, near.z};
    const real3 x = {a->m[0][0], a->m[1][0], a->m[2][0]}, y = {a->m[0][1], a->m[1][1], a->m[2][1]},
                z = {a->m[0][2], a->m[1][2], a->m[2][2]};
    const bool regular = real3_inner(x, real3_cross(y, z)) > 1e-9 * size * size * size;
    const double epsilon = regular ? 0 : 1e-8 * size;
    rows out = {.q = {q.x, q.y, q.z},
                .low = {box.low.x, box.low.y, box.low.z},
                .high = {box.high.x, box.high.y, box.high.z}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) out.a[i][k] = a->m[i][k];
        out.a[i][i] += epsilon;
        out.q[i] -= epsilon * start[i];
    }
    return out;
}

real3 host_bounded_solve(const real3x3 *a, real3 q, host_box box, real3 near) {
    near = nearest_in_box(near, box);
    if (!(real3x3_trace(a) > 0)) return near;
    static const int states[3] = {0, -1, 1}; /* all free first: the solution of equality rows */
    const rows p = rows_of(a, q, box, near);
    real3 best = near;
    double least = INFINITY;
    for (int i = 0; i < 27 && least > 0; i++) {
        const int state[3] = {states[i % 3], states[i / 3 % 3], states[i / 9]};
        double r[3];
        const double broken = broken_by(&p, state, r);
        if (broken < least) {
            least = broken;
            best = (real3){r[0], r[1], r[2]};
        }
    }
    return nearest_in_box(best, box);
}

real3 host_bounded_map(real3 r, real3 u, host_box box, double rho) {
    return real3_difference(r, nearest_in_box(real3_difference(r, real3_scaled(rho, u)), box));
}
