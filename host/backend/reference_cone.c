/* One block over the cone K = { ‖r_T‖ ≤ μ r_N } in double precision: K* ∋ w = A r + q ⟂ r ∈ K. */
#include "reference_law.h"

enum { NEWTON_STEPS = 12, ROUNDS = 40 };
/* Where |w·c′| is round-off, relative to the terms that it is made of. */
static const double ROUND_OFF = 4e-16;

static double tangential(real3 v) { return sqrt(v.y * v.y + v.z * v.z); }

/* The solution on the cone's surface is r = r_N c, c = (1, μ d), ‖d‖ = 1. With c′ = (0, μ d⊥), its derivative
 * by d's angle,
 *
 *     r_N = −q·c / c·A c,   g = w·c′ = q·c′ + r_N c′·A c = 0
 *
 * leaves w orthogonal to c and c′, so w = κ (μ, −d), and the solution is where κ ≥ 0 and r_N > 0. Newton's
 * method in the angle converges in a few steps from the last sweep's direction, but it may also end at a
 * point with κ < 0 or r_N < 0; the caller then comes nearer by a projected step. */
typedef struct ray {
    real3 c, w;
    double normal; /* r_N */
    double excess; /* g, over the size of its terms */
    double step;   /* of Newton's method, as an angle */
} ray;

static ray ray_along(const real3x3 *a, real3 q, double friction, double dy, double dz) {
    ray out;
    out.c = (real3){1, friction * dy, friction * dz};
    const real3 turned = {0, -friction * dz, friction * dy}, ac = real3x3_times(a, out.c),
                at = real3x3_times(a, turned);
    const double qc = real3_inner(q, out.c), size = real3_inner(out.c, ac);
    const double qt = real3_inner(q, turned), along = real3_inner(turned, ac);
    out.normal = -qc / size;
    out.w = real3_sum(q, real3_scaled(out.normal, ac));
    const double g = qt + out.normal * along;
    /* c″ = −(c − e_N) */
    const real3 bent = {0, -out.c.y, -out.c.z};
    const double normal_slope = -qt / size - out.normal * (along + real3_inner(out.c, at)) / size;
    const double slope = real3_inner(q, bent) + normal_slope * along +
                         out.normal * (real3_inner(bent, ac) + real3_inner(turned, at));
    const double terms = friction * (tangential(q) + fabs(out.normal) * tangential(ac));
    out.excess = terms > 0 ? fabs(g) / terms : 0;
    out.step = slope > 0 ? -g / slope : g > 0 ? -0.5 : 0.5;
    return out;
}

/* The solution on the surface from the direction of `near`; 0 where Newton's method does not find it. */
static int surface(const real3x3 *a, real3 q, double friction, real3 near, real3 *out) {
    const double size = tangential(near);
    if (!(size > 0)) return 0;
    double dy = near.y / size, dz = near.z / size;
    for (int step = 0; step < NEWTON_STEPS; ++step) {
        const ray r = ray_along(a, q, friction, dy, dz);
        if (!isfinite(r.step)) return 0;
        if (r.excess <= ROUND_OFF || fabs(r.step) <= 1e-16) {
            *out = real3_scaled(r.normal, r.c);
            return r.normal > 0 &&
                   r.w.x >= -1e-13 * real3_length(q); /* κ = 0 to round-off where it begins to stick */
        }
        /* A turn by 2 arctan(h), h about half the angle. */
        const double h = fmin(fmax(r.step / 2, -0.5), 0.5), cosine = (1 - h * h) / (1 + h * h),
                     sine = 2 * h / (1 + h * h);
        const double y = cosine * dy - sine * dz, z = cosine * dz + sine * dy, length = sqrt(y * y + z * z);
        dy = y / length, dz = z / length;
    }
    /* Round-off may keep the last steps alive. */
    const ray last = ray_along(a, q, friction, dy, dz);
    *out = real3_scaled(last.normal, last.c);
    return last.excess <= 1e-13 && last.normal > 0 && last.w.x >= -1e-13 * real3_length(q);
}

static real3 nearest_in_cone(real3 x, double friction) {
    const double t = tangential(x);
    if (t <= friction * x.x) return x;
    if (x.x <= -friction * t) return (real3){0, 0, 0};
    const double along = (x.x + friction * t) / (1 + friction * friction);
    const double stretch = t > 0 ? friction * along / t : 0;
    return (real3){along, stretch * x.y, stretch * x.z};
}

/* A projected step in a metric D = diag(d_n, d_t, d_t) with A ⪯ D, which descends: r ← P_D(r − D⁻¹ (A r +
 * q)). For A = (a, wᵀ; w, T): 2 r_N w·r_T ≤ γ‖w‖ r_N² + ‖w‖‖r_T‖²/γ, so d_n = a + γ‖w‖, d_t = λmax(T) +
 * ‖w‖/γ, with γ = √(a/λmax(T)). In coordinates scaled by √D the cone is again circular, with μ' = μ
 * √(d_t/d_n), and P_D is the nearest point. */
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

real3 reference_held_solve(const real3x3 *a, real3 q, double friction, double shift, real3 near) {
    if (!(a->m[0][0] > 0)) return (real3){0, 0, 0};
    q.x += shift;
    if (!(friction > 0)) return (real3){fmax(0, -q.x / a->m[0][0]), 0, 0};
    if (q.x >= friction * tangential(q)) return (real3){0, 0, 0};
    real3x3 work = *a;
    double stick[3] = {-q.x, -q.y, -q.z};
    if (real_eliminate(3, work.m, stick) &&
        sqrt(stick[1] * stick[1] + stick[2] * stick[2]) <= friction * stick[0])
        return (real3){stick[0], stick[1], stick[2]};
    real3 r = near, found;
    for (int round = 0; round < ROUNDS; ++round) {
        if (surface(a, q, friction, r, &found)) return found;
        const real3 next = projected_step(a, q, friction, r), change = real3_difference(next, r);
        r = next;
        if (real3_square(change) <= 1e-30 * real3_square(r)) break;
    }
    return r;
}
