/* All laws except `radial` use one method: choose the first row's impulse r_1, solve the other two rows for
 * it, and evaluate the first row's velocity. If A is positive definite, that velocity rises with r_1, and the
 * law prescribes its value.
 *
 * Coulomb: for a given r_N ≥ 0, the tangential impulse is the one in the disc ‖r_T‖ ≤ μ r_N that opposes
 * slip, and u_N = 0 (or r_N = 0 and u_N ≥ 0). Such an r_N exists: at 0 the contact approaches, and as r_N
 * grows, u tends to r_N w with w_N = e·A e − w_T·e_T > 0, e = r/r_N, since w_T opposes e_T.
 * Associated: the same, but sliding contacts separate, u_N = μ‖u_T‖.
 * Pyramid: also u_N = 0, with each tangential impulse separately within ±μ r_N.
 * Resistance: the disc and the interval of r_1 are given; u_1 = 0 inside the interval.
 * Bounded: each row has a given interval. */
#include "reference_block.h"

#include <math.h>
#include <string.h>

_Static_assert((int)SCREE_LAW_COUNT == 4 && (int)SCREE_BLOCK_KIND_COUNT == 3,
               "another law or kind of block needs lines of its own in this file");

typedef struct block {
    const reference_rule *rule;
    double a[3][3], q[3]; /* u = A r + q */
    double r[3];
    double low[3], high[3]; /* of rows that have bounds */
} block;

static double velocity(const block *b, int row) {
    return b->q[row] + b->a[row][0] * b->r[0] + b->a[row][1] * b->r[1] + b->a[row][2] * b->r[2];
}

static double clamped(double x, double low, double high) { return fmin(fmax(x, low), high); }

/* Finds the zero of an increasing function of the block between low and high, or the end towards which it
 * keeps its sign. First steps away from `start` with growing steps, then false position (Illinois). The last
 * call is at the result. */
static double root(block *b, double (*function)(block *, double), double low, double high, double start,
                   double slope) {
    double x = clamped(start, low, high), fx = function(b, x), y = x, fy = fx;
    double stride = fabs(fx) / slope;
    for (int i = 0; i < 200 && fx != 0 && fx * fy > 0; ++i, stride *= 2) {
        x = y;
        fx = fy;
        y = clamped(x + (fx < 0 ? stride : -stride), low, high);
        if (y == x) return x;
        fy = function(b, y);
    }
    for (int i = 0; i < 200 && fy != 0 && fx * fy < 0 && fabs(x - y) > 1e-16 * fabs(y); i++) {
        const double z = (x * fy - y * fx) / (fy - fx), fz = function(b, z);
        if (fz * fy < 0) {
            x = y;
            fx = fy;
        } else
            fx /= 2;
        const bool still = fabs(z - y) <= 1e-16 * fabs(z);
        y = z;
        fy = fz;
        if (still) break;
    }
    return y;
}

static double third_row(block *b, double second) {
    b->r[1] = second;
    b->r[2] = clamped(b->r[2] - velocity(b, 2) / b->a[2][2], b->low[2], b->high[2]);
    return velocity(b, 1);
}

/* Solves rows 1 and 2, each within its own bounds. */
static void solve_box(block *b) { root(b, third_row, b->low[1], b->high[1], b->r[1], b->a[1][1]); }

/* Solves rows 1 and 2, T r + s = −λ r with λ ≥ 0 and ‖r‖ ≤ radius. ‖r(λ)‖ = ‖(T + λ)⁻¹ s‖ falls, and 1/‖r(λ)‖
 * is concave, so Newton's method for 1/‖r‖ = 1/radius rises to its root from λ = 0 (Moré, Sorensen 1983). */
static void solve_disc(block *b, double radius) {
    const double s = b->q[1] + b->a[1][0] * b->r[0], t = b->q[2] + b->a[2][0] * b->r[0];
    b->r[1] = b->r[2] = 0;
    if (!(radius > 0)) return;
    double lambda = 0;
    for (int i = 0; i < 100; i++) {
        const double yy = b->a[1][1] + lambda, zz = b->a[2][2] + lambda, yz = b->a[1][2], zy = b->a[2][1];
        const double determinant = yy * zz - yz * zy;
        const double y = (yz * t - zz * s) / determinant, z = (zy * s - yy * t) / determinant;
        const double size = sqrt(y * y + z * z);
        b->r[1] = y;
        b->r[2] = z;
        if (size <= radius * (1 + 1e-15)) return;
        const double fall = (y * (zz * y - yz * z) + z * (yy * z - zy * y)) / determinant; /* −r·dr/dλ */
        const double step = (size / radius - 1) * size * size / fall;
        lambda += step;
        if (!(step > 1e-16 * lambda)) break;
    }
    const double size = sqrt(b->r[1] * b->r[1] + b->r[2] * b->r[2]);
    b->r[1] *= radius / size;
    b->r[2] *= radius / size;
}

/* Solves the other rows for this impulse of the first row; returns its velocity minus the one that the law
 * requires. */
static double first_row(block *b, double first) {
    const reference_rule *rule = b->rule;
    b->r[0] = first;
    if (rule->kind == SCREE_BLOCK_BOUNDED) {
        solve_box(b);
    } else if (rule->kind == SCREE_BLOCK_RESISTANCE) {
        solve_disc(b, rule->rolling);
    } else if (rule->law == SCREE_LAW_PYRAMID) {
        b->high[1] = b->high[2] = rule->friction * first;
        b->low[1] = b->low[2] = -rule->friction * first;
        solve_box(b);
    } else {
        solve_disc(b, rule->friction * first);
    }
    const bool lifts = rule->kind == SCREE_BLOCK_CONTACT && rule->law == SCREE_LAW_ASSOCIATED;
    return velocity(b, 0) - (lifts ? rule->friction * hypot(velocity(b, 1), velocity(b, 2)) : 0);
}

/* Computes −A⁻¹ q by Cramer's rule, scaled back: r_N ≥ 0, then ‖r_T‖ ≤ μ r_N. Without friction equal to the
 * other laws. */
static void solve_radial(block *b) {
    double m[3][3], r[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            const int k = (j + 1) % 3, l = (j + 2) % 3, p = (i + 1) % 3, o = (i + 2) % 3;
            m[i][j] = b->a[k][p] * b->a[l][o] - b->a[k][o] * b->a[l][p]; /* the adjugate */
        }
    const double determinant = b->a[0][0] * m[0][0] + b->a[0][1] * m[1][0] + b->a[0][2] * m[2][0];
    for (int i = 0; i < 3; i++)
        r[i] = -(m[i][0] * b->q[0] + m[i][1] * b->q[1] + m[i][2] * b->q[2]) / determinant;
    if (!(b->rule->friction > 0)) r[0] = -b->q[0] / b->a[0][0];
    const double normal = fmax(0, r[0]), size = hypot(r[1], r[2]), bound = b->rule->friction * normal;
    const double cut = size > bound ? bound / size : 1;
    b->r[0] = normal;
    b->r[1] = cut * r[1];
    b->r[2] = cut * r[2];
}

/* Returns the block around r. Directions without mobility make A singular: ε is added to its diagonal, and ε
 * r subtracted from q, which keeps every solution. */
static block block_around(const reference_rule *rule, const double a[9], const double u[3],
                          const double r[3]) {
    const double epsilon = 1e-10 * (a[0] + a[4] + a[8]);
    block b = {.rule = rule};
    memcpy(b.a, a, sizeof b.a);
    memcpy(b.r, r, sizeof b.r);
    memcpy(b.low, rule->low, sizeof b.low);
    memcpy(b.high, rule->high, sizeof b.high);
    for (int i = 0; i < 3; i++) {
        b.a[i][i] += epsilon;
        b.q[i] = 0;
        b.q[i] = u[i] - velocity(&b, i);
    }
    return b;
}

double reference_block_rho(const double a[9]) {
    const double trace = a[0] + a[4] + a[8];
    return trace > 0 ? 3 / trace : 0;
}

/* If no impulse along a contact's normal moves anything, the contact can approach nevertheless, and the law
 * has no solution: the pressure and its friction would grow without bound. Such a contact gets no impulse.
 * The threshold is the square of the accuracy of normals, which remains in A_NN. */
static const double IDLE = 1e-8;

static bool is_idle(const reference_rule *rule, const double a[9]) {
    return rule->kind == SCREE_BLOCK_CONTACT && a[0] <= IDLE * (a[4] + a[8]);
}

void reference_block_solve(const reference_rule *rule, const double a[9], const double u[3], double r[3]) {
    if (!(reference_block_rho(a) > 0) || is_idle(rule, a)) {
        for (int i = 0; i < 3; i++)
            r[i] = rule->kind == SCREE_BLOCK_BOUNDED ? clamped(r[i], rule->low[i], rule->high[i]) : 0;
        return;
    }
    block b = block_around(rule, a, u, r);
    if (rule->kind == SCREE_BLOCK_BOUNDED)
        root(&b, first_row, rule->low[0], rule->high[0], r[0], b.a[0][0]);
    else if (rule->kind == SCREE_BLOCK_RESISTANCE)
        root(&b, first_row, -rule->spinning, rule->spinning, r[0], b.a[0][0]);
    else if (rule->law == SCREE_LAW_RADIAL)
        solve_radial(&b);
    else
        root(&b, first_row, 0, INFINITY, r[0], b.a[0][0]);
    memcpy(r, b.r, sizeof b.r);
}

/* Projects on the cone ‖x_T‖ ≤ μ x_N: x itself, the tip, or a point of the ray (1, μ d), d = x_T/‖x_T‖. */
static void onto_cone(double x[3], double friction) {
    const double size = hypot(x[1], x[2]);
    if (size <= friction * x[0]) return;
    const double normal = fmax(0, (x[0] + friction * size) / (1 + friction * friction));
    const double stretch = size > 0 ? friction * normal / size : 0;
    x[0] = normal;
    x[1] *= stretch;
    x[2] *= stretch;
}

/* Computes r − P(r − ρ û); for `radial` r minus the block's own solution. */
void reference_block_map(const reference_rule *rule, const double a[9], const double u[3], const double r[3],
                         double rho, double out[3]) {
    double x[3];
    for (int i = 0; i < 3; i++) x[i] = r[i] - rho * u[i];
    if (rule->kind == SCREE_BLOCK_BOUNDED) {
        for (int i = 0; i < 3; i++) x[i] = clamped(x[i], rule->low[i], rule->high[i]);
    } else if (rule->kind == SCREE_BLOCK_RESISTANCE) {
        const double size = hypot(x[1], x[2]), cut = size > rule->rolling ? rule->rolling / size : 1;
        x[0] = clamped(x[0], -rule->spinning, rule->spinning);
        x[1] *= cut;
        x[2] *= cut;
    } else if (rule->law == SCREE_LAW_PYRAMID) {
        const double bound = rule->friction * fmax(r[0], 0);
        x[0] = fmax(x[0], 0);
        x[1] = clamped(x[1], -bound, bound);
        x[2] = clamped(x[2], -bound, bound);
    } else if (rule->law == SCREE_LAW_RADIAL && rule->friction > 0) {
        memcpy(x, r, sizeof x);
        reference_block_solve(rule, a, u, x);
    } else {
        if (rule->law == SCREE_LAW_COULOMB) x[0] -= rho * rule->friction * hypot(u[1], u[2]);
        onto_cone(x, rule->friction);
    }
    for (int i = 0; i < 3; i++) out[i] = r[i] - x[i];
}
