/* One block over the cone K = { ‖r_T‖ ≤ μ r_N } in double precision: K* ∋ w = A r + q ⟂ r ∈ K. */
#include "host_law.h"

enum { NEWTON_STEPS = 12, ROUNDS = 40 };
/* |w·c′| relative to its terms below which it is round-off. */
static const double ROUND_OFF = 4e-16;

static double tangential(real3 v) { return sqrt(v.y * v.y + v.z * v.z); }

/* The solution on the cone's surface is r = r_N c, c = (1, μ d), ‖d‖ = 1. With c′ = (0, μ d⊥), its derivative
 * by d's angle,
 *
 *     r_N = −q·c / c·A c,   g = w·c′ = q·c′ + r_N c′·A c = 0
 *
 * leaves w orthogonal to c and c′, so w = κ (μ, −d), and the solution has κ ≥ 0 and r_N > 0. Newton's method
 * in the angle converges in a few steps from the last sweep's direction, but it can end at a point with κ < 0
 * or r_N < 0. The fallback is a descent that cannot, or projected steps where A is singular. */
typedef struct ray {
    real3 c, w;
    double normal; /* r_N */
    double slip;   /* g */
    double excess; /* |g| relative to its terms */
    double step;   /* Newton step, as an angle */
} ray;

/* Returns the ray with d = (dy, dz), and its Newton step; ±0.5 where the slope is not positive. */
static ray ray_along(const real3x3 *a, real3 q, double friction, double dy, double dz) {
    ray out;
    out.c = (real3){1, friction * dy, friction * dz};
    const real3 turned = {0, -friction * dz, friction * dy}, ac = real3x3_times(a, out.c),
                at = real3x3_times(a, turned);
    const double qc = real3_inner(q, out.c), inverse = 1 / real3_inner(out.c, ac);
    const double qt = real3_inner(q, turned), along = real3_inner(turned, ac);
    out.normal = -qc * inverse;
    out.w = real3_sum(q, real3_scaled(out.normal, ac));
    const double g = qt + out.normal * along;
    /* c″ = −(c − e_N) */
    const real3 bent = {0, -out.c.y, -out.c.z};
    const double normal_slope = -(qt + out.normal * (along + real3_inner(out.c, at))) * inverse;
    const double slope = real3_inner(q, bent) + normal_slope * along +
                         out.normal * (real3_inner(bent, ac) + real3_inner(turned, at));
    const double terms = friction * (tangential(q) + fabs(out.normal) * tangential(ac));
    out.slip = g;
    out.excess = terms > 0 ? fabs(g) / terms : 0;
    out.step = slope > 0 ? -g / slope : g > 0 ? -0.5 : 0.5;
    return out;
}

/* Tests κ and r_N at an angle where g = 0; at the transition to sticking κ is zero up to round-off. */
static bool solves(const ray *r, real3 q) { return r->normal > 0 && r->w.x >= -1e-13 * real3_length(q); }

/* Finds the solution on the surface by Newton's method from the direction of `near`; false if that fails.
 * After a step of 1e-8 the error is about its square. */
static bool surface(const real3x3 *a, real3 q, double friction, real3 near, real3 *out) {
    const double size = tangential(near);
    if (!(size > 0)) return false;
    double dy = near.y / size, dz = near.z / size;
    for (int step = 0, last = 0; step < NEWTON_STEPS; step++) {
        const ray r = ray_along(a, q, friction, dy, dz);
        if (last || r.excess <= ROUND_OFF) {
            *out = real3_scaled(r.normal, r.c);
            return r.excess <= 1e-13 && solves(&r, q);
        }
        if (!isfinite(r.step)) return false;
        last = fabs(r.step) <= 1e-8;
        /* Rotates by 2 arctan(h), h about half the angle. */
        const double h = fmin(fmax(r.step / 2, -0.5), 0.5), inverse = 1 / (1 + h * h),
                     cosine = (1 - h * h) * inverse, sine = 2 * h * inverse;
        const double y = cosine * dy - sine * dz;
        dz = cosine * dz + sine * dy;
        dy = y;
    }
    return false;
}

/* Finds a local minimum of the objective along the surface, downhill from the angle `from`, where r_N > 0.
 * The objective's derivative by the angle is r_N g. The objective is negative between the two angles where
 * r_N = 0, so there is a minimum on the way. Bisection, with Newton steps while they stay in the bracket. */
static real3 descend(const real3x3 *a, real3 q, double friction, double from, bool *solved) {
    ray r = ray_along(a, q, friction, cos(from), sin(from));
    const double side = r.step < 0 ? -1 : 1;
    double near = from, far = from, reach = fmin(fmax(2 * fabs(r.step), 1e-6), 0.1), angle = from;
    for (int k = 0; k < 64; ++k, reach *= 2) {
        far = near + side * fmin(reach, 0.1);
        const ray there = ray_along(a, q, friction, cos(far), sin(far));
        if (!(there.normal > 0) || side * there.slip > 0) break;
        near = far;
    }
    for (int k = 0; k < 200; k++) {
        if (!((angle - near) * (angle - far) < 0)) angle = (near + far) / 2;
        r = ray_along(a, q, friction, cos(angle), sin(angle));
        if (!(r.normal > 0) || side * r.slip > 0)
            far = angle;
        else
            near = angle;
        if (r.excess <= ROUND_OFF || fabs(far - near) <= 4e-16) break;
        angle += r.step;
    }
    /* At the transition to separation the arc of r_N > 0 is narrow, and the last angle may be outside it. */
    if (!(r.normal > 0)) r = ray_along(a, q, friction, cos(near), sin(near));
    *solved = solves(&r, q);
    return real3_scaled(fmax(r.normal, 0), r.c);
}

/* Moves from r in the cone towards `goal` outside it up to the surface, ‖r_T‖² = μ² r_N². */
static real3 leave_towards(real3 r, real3 goal, double friction) {
    const real3 d = real3_difference(goal, r);
    const double m = friction * friction, a = d.y * d.y + d.z * d.z - m * d.x * d.x,
                 b = r.y * d.y + r.z * d.z - m * r.x * d.x, c = r.y * r.y + r.z * r.z - m * r.x * r.x;
    /* r is in the cone (c ≤ 0 up to round-off), the goal is not: one root of a t² + 2 b t + c is in (0, 1].
     */
    const double root = sqrt(fmax(b * b - a * fmin(c, 0), 0));
    const double t = b > 0 ? -fmin(c, 0) / (b + root) : a != 0 ? (root - b) / a : 0;
    return real3_sum(r, real3_scaled(t, d));
}

/* The fallback when Newton's method fails. A minimum along the surface with κ < 0 is not the solution: from
 * there the segment to −A⁻¹ q leads through the cone, downhill, to a lower point of the surface. There are at
 * most three minima (g (c·A c) is a trigonometric polynomial of degree three). */
static real3 surface_by_descent(const real3x3 *a, real3 q, double friction, real3 stick) {
    bool solved = false;
    real3 r = {0, -q.y, -q.z}; /* the angle where q·c is smallest */
    if (!(tangential(r) > 0)) r = (real3){0, stick.y, stick.z};
    for (int round = 0; round < 6; round++) {
        r = descend(a, q, friction, atan2(r.z, r.y), &solved);
        if (solved) break;
        r = leave_towards(r, stick, friction);
    }
    return r;
}

static real3 nearest_in_cone(real3 x, double friction) {
    const double t = tangential(x);
    if (t <= friction * x.x) return x;
    if (x.x <= -friction * t) return (real3){0, 0, 0};
    const double along = (x.x + friction * t) / (1 + friction * friction);
    const double stretch = t > 0 ? friction * along / t : 0;
    return (real3){along, stretch * x.y, stretch * x.z};
}

/* Makes a projected step in a metric D = diag(d_n, d_t, d_t) with A ⪯ D, which descends: r ← P_D(r − D⁻¹ (A r
 * + q)). For A = (a, wᵀ; w, T): 2 r_N w·r_T ≤ γ‖w‖ r_N² + ‖w‖‖r_T‖²/γ, so d_n = a + γ‖w‖, d_t = λmax(T) +
 * ‖w‖/γ, with γ = √(a/λmax(T)). In coordinates scaled by √D the cone is again circular, with μ' = μ
 * √(d_t/d_n), and P_D is the Euclidean projection. */
static real3 projected_step(const real3x3 *a, real3 q, double friction, real3 r) {
    const double mean = (a->m[1][1] + a->m[2][2]) / 2, half = (a->m[1][1] - a->m[2][2]) / 2,
                 normal = a->m[0][0];
    const double top = mean + sqrt(half * half + a->m[1][2] * a->m[1][2]);
    const double w = sqrt(a->m[0][1] * a->m[0][1] + a->m[0][2] * a->m[0][2]);
    const double gamma = top > 0 ? sqrt(normal / top) : 1;
    const double scale_n = sqrt(normal + gamma * w), scale_t = sqrt(top > 0 ? top + w / gamma : normal);
    const real3 u = real3_sum(real3x3_times(a, r), q);
    const real3 x = {scale_n * r.x - u.x / scale_n, scale_t * r.y - u.y / scale_t,
                     scale_t * r.z - u.z / scale_t};
    const real3 y = nearest_in_cone(x, friction * scale_t / scale_n);
    return (real3){y.x / scale_n, y.y / scale_t, y.z / scale_t};
}

real3 host_held_solve(const real3x3 *a, real3 q, double friction, double shift, real3 near) {
    const host_factored factored = host_factor(a);
    return host_factored_held(&factored, q, friction, shift, near);
}

real3 host_factored_held(const host_factored *factored, real3 q, double friction, double shift, real3 near) {
    const real3x3 *a = &factored->a;
    if (!(a->m[0][0] > 0)) return (real3){0, 0, 0};
    q.x += shift;
    if (!(friction > 0)) return (real3){fmax(0, -q.x / a->m[0][0]), 0, 0};
    /* Tested up to round-off, below which the direction of r would be noise. */
    const double slack = q.x - friction * tangential(q);
    if (slack >= -ROUND_OFF * fabs(q.x)) return (real3){0, 0, 0};
    real3 stick, r = near;
    const bool regular = host_stick(factored, q, &stick);
    if (regular && tangential(stick) <= friction * stick.x) return stick;
    if (surface(a, q, friction, near, &r)) return r;
    if (regular) return surface_by_descent(a, q, friction, stick);
    r = near;
    for (int round = 0; round < ROUNDS; round++) {
        real3 found;
        const real3 next = projected_step(a, q, friction, r), change = real3_difference(next, r);
        r = next;
        if (real3_square(change) <= 1e-30 * real3_square(r)) break;
        if (surface(a, q, friction, r, &found)) return found;
    }
    return r;
}
