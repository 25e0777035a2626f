#include "host_resistance.h"

/* The 2×2 rolling rows: T r + s = −λ r. */
typedef struct rolling_rows {
    double yy, yz, zy, zz, sy, sz;
} rolling_rows;

/* Returns r at λ, and the derivative of its length: dr/dλ = −(T + λ)⁻¹ r. */
static real3 roll_at(const rolling_rows *p, double lambda, double *slope) {
    const double yy = p->yy + lambda, zz = p->zz + lambda, determinant = yy * zz - p->yz * p->zy;
    const real3 r = {0, -(zz * p->sy - p->yz * p->sz) / determinant,
                     -(yy * p->sz - p->zy * p->sy) / determinant};
    const double dy = -(zz * r.y - p->yz * r.z) / determinant, dz = -(yy * r.z - p->zy * r.y) / determinant;
    *slope = (r.y * dy + r.z * dz) / real3_length(r);
    return r;
}

/* Solves the rolling rows with ‖r‖ ≤ bound: r stops the rolling (λ = 0), or it has the length of the bound
 * and opposes the rolling. ‖r(λ)‖ falls, and is below the bound at λ = ‖s‖/bound. Solved by Newton's method
 * for 1/‖r‖ = 1/bound, which is nearly linear in λ, else by bisection. */
static real3 roll(const rolling_rows *p, double bound) {
    const double s = hypot(p->sy, p->sz), tiny = 1e-14 * (p->yy + p->zz);
    if (!(bound > 0) || !(s > 0)) return (real3){0, 0, 0};
    double slope, low = 0, high = s / bound;
    real3 r = roll_at(p, tiny, &slope);
    if (real3_length(r) <= bound) return r;
    double lambda = high / 2;
    for (int iteration = 0; iteration < 200; iteration++) {
        r = roll_at(p, lambda, &slope);
        const double length = real3_length(r);
        if (length > bound)
            low = lambda;
        else
            high = lambda;
        if (fabs(length - bound) <= 1e-15 * bound || !(high - low > 1e-16 * high)) break;
        lambda += (1 / bound - 1 / length) * length * length / -slope;
        if (!(lambda > low && lambda < high)) lambda = (low + high) / 2;
    }
    return real3_scaled(bound / real3_length(r), r);
}

/* Solves the rolling rows for a given spinning impulse. */
static real3 with_spin(const real3x3 *a, real3 q, double spin, double bound) {
    const rolling_rows rows = {
        a->m[1][1], a->m[1][2], a->m[2][1], a->m[2][2], q.y + a->m[1][0] * spin, q.z + a->m[2][0] * spin};
    real3 r = roll(&rows, bound);
    r.x = spin;
    return r;
}

/* Cases of the spinning row: u_1 = 0 with r_1 eliminated, or r_1 at one of its bounds with u_1 opposed. */
real3 host_resistance_solve(const real3x3 *a, real3 q, host_bound bound) {
    const double n = a->m[0][0], wy = a->m[0][1], wz = a->m[0][2], vy = a->m[1][0], vz = a->m[2][0];
    if (!(n > 0)) return with_spin(a, q, 0, bound.rolling);
    const rolling_rows rows = {a->m[1][1] - vy * wy / n, a->m[1][2] - vy * wz / n, a->m[2][1] - vz * wy / n,
                               a->m[2][2] - vz * wz / n, q.y - vy * q.x / n,       q.z - vz * q.x / n};
    real3 best = roll(&rows, bound.rolling);
    best.x = -(q.x + wy * best.y + wz * best.z) / n;
    if (fabs(best.x) <= bound.spinning) return best;
    double least = INFINITY;
    for (int side = -1; side <= 1; side += 2) {
        const real3 r = with_spin(a, q, side * bound.spinning, bound.rolling);
        const double against = side * (n * r.x + wy * r.y + wz * r.z + q.x);
        if (against < least) {
            least = against;
            best = r;
        }
    }
    return best;
}

real3 host_resistance_map(real3 r, real3 u, host_bound bound, double rho) {
    const real3 x = real3_difference(r, real3_scaled(rho, u));
    const double length = hypot(x.y, x.z), cut = length > bound.rolling ? bound.rolling / length : 1;
    const real3 nearest = {fmin(fmax(x.x, -bound.spinning), bound.spinning), cut * x.y, cut * x.z};
    return real3_difference(r, nearest);
}
