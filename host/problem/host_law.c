#include "host_law.h"

#include "small_system.h"

static double tangential(real3 v) { return sqrt(v.y * v.y + v.z * v.z); }

static double clamped(double x, double bound) { return fmin(fmax(x, -bound), bound); }

/* Projects on the cone ‖x_T‖ ≤ μ x_N. Outside the cone and its polar cone that is the projection on the ray
 * (1, μ d) with d = x_T/‖x_T‖. */
static real3 nearest_in_cone(real3 x, double friction) {
    const double t = tangential(x);
    if (x.x <= -friction * t)
        return (real3){0, 0, 0}; /* tested first because both conditions hold without friction if t = 0 */
    if (t <= friction * x.x) return x;
    const double along = (x.x + friction * t) / (1 + friction * friction);
    const double stretch = t > 0 ? friction * along / t : 0;
    return (real3){along, stretch * x.y, stretch * x.z};
}

static real3 column_of(const real3x3 *a, int k) { return (real3){a->m[0][k], a->m[1][k], a->m[2][k]}; }

static double determinant_of(const real3x3 *a) {
    return real3_inner(column_of(a, 0), real3_cross(column_of(a, 1), column_of(a, 2)));
}

/* The inverse by cofactors loses about as many digits as the determinant is below the cube of the mean of the
 * diagonal, so it is used only where the loss is small. */
host_factored host_factor(const real3x3 *a) {
    const double size = real3x3_trace(a) / 3, determinant = determinant_of(a);
    host_factored out = {.a = *a,
                         .inverted = determinant > 1e-3 * size * size * size,
                         .regular = determinant > 1e-9 * size * size * size};
    const real3 x = column_of(a, 0), y = column_of(a, 1), z = column_of(a, 2),
                rows[3] = {real3_cross(y, z), real3_cross(z, x), real3_cross(x, y)};
    for (int i = 0; i < 3 && out.inverted; i++) {
        const real3 row = real3_scaled(1 / determinant, rows[i]);
        out.inverse.m[i][0] = row.x;
        out.inverse.m[i][1] = row.y;
        out.inverse.m[i][2] = row.z;
    }
    return out;
}

bool host_stick(const host_factored *a, real3 q, real3 *out) {
    if (a->inverted) {
        *out = real3_scaled(-1, real3x3_times(&a->inverse, q));
        return true;
    }
    real3x3 work = a->a;
    double r[3] = {-q.x, -q.y, -q.z};
    if (!real_eliminate(3, work.m, r)) return false;
    *out = (real3){r[0], r[1], r[2]};
    return true;
}

/* Directions that no impulse moves (locked axes, a planar scene) make A singular. Adding ε to the diagonal
 * and −ε near to q keeps every fixed point r = near. */
static real3x3 regularised(const real3x3 *a, real3 *q, real3 near) {
    real3x3 out = *a;
    const double size = real3x3_trace(a) / 3, epsilon = 1e-8 * size;
    if (determinant_of(a) > 1e-9 * size * size * size) return out;
    for (int i = 0; i < 3; i++) out.m[i][i] += epsilon;
    *q = real3_difference(*q, real3_scaled(epsilon, near));
    return out;
}

static real3 cut_back(real3 r, double friction) {
    const double t = tangential(r), normal = fmax(r.x, 0), bound = friction * normal;
    const double factor = t > bound ? bound / t : 1;
    return (real3){normal, factor * r.y, factor * r.z};
}

/* Returns −A⁻¹ q with its normal part clamped at 0 and its tangential part scaled back to the cone; without
 * friction the frictionless law. Tangents without mobility get no impulse. */
static real3 radial(const real3x3 *a, real3 q, double friction) {
    if (!(friction > 0)) return (real3){fmax(0, -q.x / a->m[0][0]), 0, 0};
    real3x3 work = *a;
    double r[3] = {-q.x, -q.y, -q.z};
    if (!real_eliminate(3, work.m, r)) return (real3){fmax(0, -q.x / a->m[0][0]), 0, 0};
    return cut_back((real3){r[0], r[1], r[2]}, friction);
}

real3 host_natural_map(scree_law law, const real3x3 *a, real3 r, real3 u, double friction, double rho) {
    real3 x = real3_difference(r, real3_scaled(rho, u));
    const double bound = friction * fmax(r.x, 0);
    switch (law) {
    case SCREE_LAW_PYRAMID:
        return real3_difference(r, (real3){fmax(x.x, 0), clamped(x.y, bound), clamped(x.z, bound)});
    case SCREE_LAW_ASSOCIATED:
        return real3_difference(r, nearest_in_cone(x, friction));
    case SCREE_LAW_RADIAL:
        if (friction > 0) {
            real3 q = real3_difference(u, real3x3_times(a, r));
            const real3x3 regular = regularised(a, &q, r);
            return real3_difference(r, radial(&regular, q, friction));
        }
        break;
    case SCREE_LAW_COULOMB:
        break;
    case SCREE_LAW_COUNT:
        return (real3){NAN, NAN, NAN};
    }
    x.x -= rho * friction * tangential(u);
    return real3_difference(r, nearest_in_cone(x, friction));
}

/* Sliding friction. u_N = 0 gives r_N = −(q_N + w·r_T)/a, and then
 *
 *     u_T = S r_T + s,   S = T − v wᵀ/a,   s = q_T − v q_N/a,      A = (a, wᵀ; v, T),
 *
 * v = w except for matrices that are not quite symmetric.
 *
 * Slip opposes friction, u_T = −λ r_T, λ > 0, so r_T(λ) = −(S + λ)⁻¹ s, and one equation remains: φ(λ) =
 * ‖r_T‖ − μ r_N = 0. φ(0) > 0, else the contact sticks; and φ ≤ 0 at λ = ‖s‖ (a + μ‖w‖)/(μ (−q_N)), from
 * ‖r_T‖ ≤ ‖s‖/λ and a r_N ≥ −q_N − ‖w‖‖r_T‖. Solved by Newton's method inside that bracket, else by its
 * (geometric) midpoint. */
typedef struct sliding {
    double a, wy, wz, syy, syz, szy, szz, sy, sz, qn, friction;
} sliding;

/* Returns φ at λ, its derivative and the impulse; dr_T/dλ = −(S + λ)⁻¹ r_T. */
static double excess(const sliding *p, double lambda, real3 *r, double *slope) {
    const double yy = p->syy + lambda, zz = p->szz + lambda, yz = p->syz, zy = p->szy,
                 determinant = yy * zz - yz * zy;
    r->y = -(zz * p->sy - yz * p->sz) / determinant;
    r->z = -(yy * p->sz - zy * p->sy) / determinant;
    r->x = -(p->qn + p->wy * r->y + p->wz * r->z) / p->a;
    const double dy = -(zz * r->y - yz * r->z) / determinant, dz = -(yy * r->z - zy * r->y) / determinant;
    const double size = tangential(*r);
    *slope = (r->y * dy + r->z * dz) / size + p->friction * (p->wy * dy + p->wz * dz) / p->a;
    return size - p->friction * r->x;
}

static sliding sliding_of(const real3x3 *m, real3 q, double friction) {
    const double a = m->m[0][0], wy = m->m[0][1], wz = m->m[0][2], vy = m->m[1][0] / a, vz = m->m[2][0] / a;
    return (sliding){.a = a,
                     .wy = wy,
                     .wz = wz,
                     .syy = m->m[1][1] - vy * wy,
                     .syz = m->m[1][2] - vy * wz,
                     .szy = m->m[2][1] - vz * wy,
                     .szz = m->m[2][2] - vz * wz,
                     .sy = q.y - vy * q.x,
                     .sz = q.z - vz * q.x,
                     .qn = q.x,
                     .friction = friction};
}

/* Returns an initial λ: ‖S r_T + s‖/‖r_T‖ of an impulse that slides already, else the λ that is exact when w
 * = 0 and S is a multiple of the identity. */
static double first_lambda(const sliding *p, double s, real3 near) {
    const double size = tangential(near);
    if (size > 0 && near.x > 0) {
        const double along = (near.y * (p->syy * near.y + p->syz * near.z + p->sy) +
                              near.z * (p->szy * near.y + p->szz * near.z + p->sz)) /
                             (size * size);
        if (along < 0) return -along;
    }
    return s * p->a / (p->friction * -p->qn) - (p->syy + p->szz) / 2;
}

/* Returns the impulse of a sliding contact; the search begins at `near`. */
static real3 slide(const real3x3 *m, real3 q, double friction, real3 near) {
    const sliding p = sliding_of(m, q, friction);
    const double s = sqrt(p.sy * p.sy + p.sz * p.sz);
    double low = 0, high = s * (p.a + friction * sqrt(p.wy * p.wy + p.wz * p.wz)) / (friction * -q.x);
    double lambda = first_lambda(&p, s, near);
    real3 r = {0, 0, 0};
    for (int iteration = 0; iteration < 300; iteration++) {
        if (!(lambda > low && lambda < high)) lambda = low > 0 ? sqrt(low * high) : high / 2;
        double slope;
        const double phi = excess(&p, lambda, &r, &slope);
        if (phi > 0)
            low = lambda;
        else
            high = lambda;
        if (fabs(phi) <= 1e-15 * tangential(r) || !(high - low > 1e-16 * high)) break;
        const double step = phi / slope;
        lambda -= step;
        if (!(fabs(step) > 1e-15 * lambda)) break; /* Newton's method has reached round-off */
    }
    return r;
}

/* Solves one contact under Coulomb's law. `near` begins the search if it slides. */
static real3 coulomb(const host_factored *a, real3 q, double friction, real3 near) {
    if (!(q.x < 0)) return (real3){0, 0, 0};
    if (!(friction > 0)) return (real3){-q.x / a->a.m[0][0], 0, 0};
    real3 stick;
    if (host_stick(a, q, &stick) && tangential(stick) <= friction * stick.x) return stick;
    return slide(&a->a, q, friction, near);
}

/* Solves one of the nine cases of the pyramid with r_N > 0: each tangential row is at its lower bound (−1),
 * free (0) or at its upper bound (1). Returns the largest violation of the case's own conditions (m/s,
 * impulses weighted by A's diagonal). */
static double pyramid_case(const real3x3 *a, real3 q, double friction, const int state[2], real3 *out) {
    /* The unknowns are r_N and the free rows; a row at its bound has r = state μ r_N, which adds to the
     * column of r_N. */
    double m[3][3], b[3];
    int row_of[3] = {0, 0, 0}, n = 1;
    const double bound[3] = {1, friction * state[0], friction * state[1]}, right[3] = {-q.x, -q.y, -q.z};
    for (int i = 1; i < 3; i++)
        if (!state[i - 1]) row_of[n++] = i;
    for (int i = 0; i < n; i++) {
        m[i][0] = 0;
        for (int k = 0; k < 3; k++)
            if (k == 0 || state[k - 1]) m[i][0] += a->m[row_of[i]][k] * bound[k];
        for (int k = 1; k < n; k++) m[i][k] = a->m[row_of[i]][row_of[k]];
        b[i] = right[row_of[i]];
    }
    if (!real_eliminate(n, m, b)) return INFINITY;
    double r[3] = {b[0], bound[1] * b[0], bound[2] * b[0]};
    for (int k = 1; k < n; k++) r[row_of[k]] = b[k];
    *out = (real3){r[0], r[1], r[2]};
    const real3 u = real3_sum(real3x3_times(a, *out), q);
    double broken = fmax(0, -r[0]) * a->m[0][0];
    const double velocities[3] = {u.x, u.y, u.z};
    for (int i = 1; i < 3; i++)
        broken = fmax(broken, state[i - 1] ? state[i - 1] * velocities[i]
                                           : (fabs(r[i]) - friction * r[0]) * a->m[i][i]);
    return broken;
}

/* r_N ≥ 0, u_N ≥ 0, r_N u_N = 0; |r_T,i| ≤ μ r_N, and u_T,i pushes against the active bound of r_T,i. With
 * q_N ≥ 0 the block is open. Otherwise the result is the first of the nine cases without violation, or the
 * one with the smallest violation (large μ and strong coupling can leave none, as in any one-block Painlevé
 * paradox). */
static real3 pyramid(const real3x3 *a, real3 q, double friction) {
    if (!(q.x < 0)) return (real3){0, 0, 0};
    static const int states[9][2] = {{0, 0}, {1, 0},  {-1, 0}, {0, 1},  {0, -1},
                                     {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    real3 best = {0, 0, 0};
    double least = INFINITY;
    for (int i = 0; i < 9; i++) {
        real3 r = {0, 0, 0};
        const double broken = pyramid_case(a, q, friction, states[i], &r);
        if (broken < least) {
            least = broken;
            best = r;
        }
        if (least <= 0) break;
    }
    best.x = fmax(best.x, 0);
    best.y = clamped(best.y, friction * best.x);
    best.z = clamped(best.z, friction * best.x);
    return best;
}

real3 host_law_solve(scree_law law, const real3x3 *a, real3 q, double friction, real3 near) {
    const host_factored factored = host_factor(a);
    return host_factored_solve(law, &factored, q, friction, near);
}

real3 host_factored_solve(scree_law law, const host_factored *a, real3 q, double friction, real3 near) {
    if (!(real3x3_trace(&a->a) > 0)) return (real3){0, 0, 0};
    host_factored regular;
    if (!a->regular) {
        const real3x3 block = regularised(&a->a, &q, near);
        regular = host_factor(&block);
        a = &regular;
    }
    switch (law) {
    case SCREE_LAW_PYRAMID:
        return pyramid(&a->a, q, friction);
    case SCREE_LAW_ASSOCIATED:
        return host_factored_held(a, q, friction, 0, near);
    case SCREE_LAW_RADIAL:
        return radial(&a->a, q, friction);
    case SCREE_LAW_COULOMB:
        return coulomb(a, q, friction, near);
    case SCREE_LAW_COUNT:
        break;
    }
    return (real3){NAN, NAN, NAN};
}
