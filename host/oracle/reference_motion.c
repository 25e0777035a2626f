#include "reference_motion.h"

#include "base/vector.h"

#include <scree/body.h>

#include <stdbool.h>

enum { ROTATION_LOCKS = SCREE_LOCK_ROTATION_X | SCREE_LOCK_ROTATION_Y | SCREE_LOCK_ROTATION_Z };

/* A unit quaternion s + v. */
typedef struct quaternion {
    double s;
    real3 v;
} quaternion;

static quaternion unit(quaternion q) {
    const double size = sqrt(q.s * q.s + real3_square(q.v));
    if (!(size > 0)) return (quaternion){1, {0, 0, 0}};
    return (quaternion){q.s / size, real3_scaled(1 / size, q.v)};
}

static quaternion orientation(body_pose pose) {
    const versors q = pose.rotation;
    return unit((quaternion){(double)q.w, {(double)q.x, (double)q.y, (double)q.z}});
}

/* Returns the body's axes in world coordinates, as columns. */
static real3x3 axes(quaternion q) {
    const double x = q.v.x, y = q.v.y, z = q.v.z, s = q.s;
    return (real3x3){{{1 - 2 * (y * y + z * z), 2 * (x * y - s * z), 2 * (x * z + s * y)},
                      {2 * (x * y + s * z), 1 - 2 * (x * x + z * z), 2 * (y * z - s * x)},
                      {2 * (x * z - s * y), 2 * (y * z + s * x), 1 - 2 * (x * x + y * y)}}};
}

static real3 to_body(const real3x3 *columns, real3 v) {
    real3x3 transposed;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) transposed.m[i][j] = columns->m[j][i];
    return real3x3_times(&transposed, v);
}

/* Returns q rotated by ‖a‖ about a: (cos ‖a‖/2 + sin ‖a‖/2 a/‖a‖) q, normalised. */
static quaternion turned(real3 a, quaternion q) {
    const double angle = sqrt(real3_square(a)), c = cos(angle / 2);
    const real3 u = real3_scaled(angle > 0 ? sin(angle / 2) / angle : 0.5, a);
    const real3 v = real3_sum(real3_sum(real3_scaled(c, q.v), real3_scaled(q.s, u)), real3_cross(u, q.v));
    return unit((quaternion){c * q.s - real3_inner(u, q.v), v});
}

/* Returns A⁻¹ by cofactors; zero if A is singular. */
static real3x3 inverse_of(const real3x3 *a) {
    const real3 x = {a->m[0][0], a->m[1][0], a->m[2][0]}, y = {a->m[0][1], a->m[1][1], a->m[2][1]},
                z = {a->m[0][2], a->m[1][2], a->m[2][2]};
    const double determinant = real3_inner(x, real3_cross(y, z));
    if (!(fabs(determinant) > 0)) return (real3x3){0};
    const real3 i = real3_scaled(1 / determinant, real3_cross(y, z)),
                j = real3_scaled(1 / determinant, real3_cross(z, x)),
                k = real3_scaled(1 / determinant, real3_cross(x, y));
    return (real3x3){{{i.x, i.y, i.z}, {j.x, j.y, j.z}, {k.x, k.y, k.z}}};
}

/* Returns the inverse of the world inertia R diag(I) Rᵀ restricted to the axes that are free to rotate, with
 * zeros elsewhere: constraint torques about the locked axes keep those components of ω at zero, and I ω̇ = τ
 * reduces to its sub-matrix. For the inversion, locked rows are replaced by multiples of the identity's. */
static real3x3 inverse_inertia(reference_body body, quaternion q) {
    const real3x3 r = axes(q);
    const double moments[3] = {(double)body.mass.inertia.x, (double)body.mass.inertia.y,
                               (double)body.mass.inertia.z};
    bool locked[3];
    real3x3 inertia = {0};
    for (int i = 0; i < 3; i++) locked[i] = body.mass.locks & SCREE_LOCK_ROTATION_X << i;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) inertia.m[i][j] += r.m[i][k] * moments[k] * r.m[j][k];
            if (locked[i] || locked[j]) inertia.m[i][j] = i == j ? moments[0] : 0;
        }
    real3x3 inverse = inverse_of(&inertia);
    for (int i = 0; i < 3; i++)
        if (locked[i]) inverse.m[i][i] = 0;
    return inverse;
}

/* Returns 1 for free linear axes, 0 for locked ones. */
static real3 free_axes(reference_body body) {
    const int locks = body.mass.locks;
    return (real3){locks & SCREE_LOCK_X ? 0 : 1, locks & SCREE_LOCK_Y ? 0 : 1, locks & SCREE_LOCK_Z ? 0 : 1};
}

body_mobility reference_mobility(reference_body body) {
    body_mobility out = {0};
    if (!(body.mass.mass > 0)) return out;
    const real3x3 i = inverse_inertia(body, orientation(body.pose));
    out.inverse_mass = real3_rounded(real3_scaled(1 / (double)body.mass.mass, free_axes(body)));
    out.diagonal = vec3_of((scalar)i.m[0][0], (scalar)i.m[1][1], (scalar)i.m[2][2]);
    out.off_diagonal = vec3_of((scalar)i.m[1][2], (scalar)i.m[0][2], (scalar)i.m[0][1]);
    return out;
}

/* The change of a free body's spin in one step, in the body's axes at its start. */
typedef struct spin {
    real3 end, mean;
} spin;

/* The momentum I ω' at the end, in the axes of the body that turns by h m, m = (ω + ω')/2, is that of the
 * start turned by −h m. A turn by the vector a takes p to p' with p' − p = t/‖a‖ a × (p' + p), t =
 * tan(‖a‖/2), so
 *
 *     G(m) = 2 I (m − ω) + h' m × I m = 0,      dG = 2 I dm + h' (dm × I m + m × I dm),
 *
 * with h' = h t/(‖h m‖/2). Newton's method from m = ω; h' follows m from one iteration to the next. If the
 * first steps do not converge (the body turns too far in one step for a nearby solution), the gyroscopic term
 * is omitted. */
static spin midpoint(real3 moments, real3 omega, double h) {
    real3 mean = omega;
    for (int iteration = 0; iteration < 8; iteration++) {
        const real3 momentum = real3_products(moments, mean);
        const double x = 0.5 * h * sqrt(real3_square(mean)), step_size = x > 0 ? h * tan(x) / x : h;
        const real3 g = real3_sum(real3_products(moments, real3_scaled(2, real3_difference(mean, omega))),
                                  real3_scaled(step_size, real3_cross(mean, momentum)));
        real3x3 slope;
        for (int j = 0; j < 3; j++) {
            const real3 e = {j == 0, j == 1, j == 2}, ie = real3_products(moments, e);
            const real3 column = real3_sum(
                real3_scaled(2, ie),
                real3_scaled(step_size, real3_sum(real3_cross(e, momentum), real3_cross(mean, ie))));
            slope.m[0][j] = column.x;
            slope.m[1][j] = column.y;
            slope.m[2][j] = column.z;
        }
        const real3x3 inverse = inverse_of(&slope);
        const real3 step = real3x3_times(&inverse, g);
        mean = real3_difference(mean, step);
        const real3 end = real3_difference(real3_scaled(2, mean), omega);
        /* The step of ω' is 2 dm. It must converge to 1e-3 of ω' in four steps; the others refine it. */
        if (iteration == 3 && !(4 * real3_square(step) <= 1e-6 * real3_square(end))) {
            mean = omega;
            break;
        }
    }
    /* The method can also converge to arbitrarily large spins, whose energy differs from that of the
     * start. */
    const real3 gain = real3_scaled(2, real3_difference(mean, omega));
    const double gained = fabs(real3_inner(gain, real3_products(moments, real3_scaled(2, mean))));
    if (!(gained <= 1e-3 * real3_inner(omega, real3_products(moments, omega)))) mean = omega;
    return (spin){real3_difference(real3_scaled(2, mean), omega), mean};
}

/* Returns the deviation of the body's momentum from `momentum` about the free axes if the spin ends at `end`;
 * about the locked axes, the spin itself. */
static real3 momentum_missing(reference_body body, real3 start, real3 end, real3 momentum, double h) {
    const real3 turn = real3_scaled(0.5 * h, real3_sum(start, end));
    const real3x3 columns = axes(turned(turn, orientation(body.pose)));
    const real3 moments = real3_of(body.mass.inertia),
                now = real3x3_times(&columns, real3_products(moments, to_body(&columns, end))),
                missing = real3_difference(now, momentum);
    const int locks = body.mass.locks;
    return (real3){locks & SCREE_LOCK_ROTATION_X ? moments.x * end.x : missing.x,
                   locks & SCREE_LOCK_ROTATION_Y ? moments.x * end.y : missing.y,
                   locks & SCREE_LOCK_ROTATION_Z ? moments.x * end.z : missing.z};
}

/* Computes the spin of a body with locked rotations, in world axes. The locks' torques conserve only the
 * angular momentum about the free axes. Solves for the final ω', with the body turned by the mean of start
 * and end, by Newton's method with finite differences. If that does not converge, the spin is unchanged. */
static spin locked_spin(reference_body body, double h) {
    const int locks = body.mass.locks;
    const real3 kept = {locks & SCREE_LOCK_ROTATION_X ? 0 : 1, locks & SCREE_LOCK_ROTATION_Y ? 0 : 1,
                        locks & SCREE_LOCK_ROTATION_Z ? 0 : 1};
    const quaternion q = orientation(body.pose);
    const real3x3 columns = axes(q);
    const real3 start = real3_products(kept, real3_of(body.velocity.angular));
    const real3 momentum =
        real3x3_times(&columns, real3_products(real3_of(body.mass.inertia), to_body(&columns, start)));
    const double nudge = 1e-6 * sqrt(real3_square(start));
    real3 end = start;
    for (int iteration = 0; iteration < 8 && nudge > 0; iteration++) {
        real3x3 slope;
        for (int j = 0; j < 3; j++) {
            const real3 e = {nudge * (j == 0), nudge * (j == 1), nudge * (j == 2)};
            const real3 change = real3_scaled(
                0.5 / nudge,
                real3_difference(momentum_missing(body, start, real3_sum(end, e), momentum, h),
                                 momentum_missing(body, start, real3_difference(end, e), momentum, h)));
            slope.m[0][j] = change.x;
            slope.m[1][j] = change.y;
            slope.m[2][j] = change.z;
        }
        const real3x3 solve = inverse_of(&slope);
        const real3 step = real3x3_times(&solve, momentum_missing(body, start, end, momentum, h));
        end = real3_difference(end, step);
        if (iteration == 3 && !(real3_square(step) <= 1e-6 * real3_square(end))) return (spin){start, start};
    }
    end = real3_products(kept, end);
    return (spin){end, real3_scaled(0.5, real3_sum(start, end))};
}

/* Computes a body's spin in world axes. For a free body, the end is given in the axes after turning by h m,
 * so that the angular momentum is constant in space. */
static spin world_spin(reference_body body, double h) {
    if (body.mass.locks & ROTATION_LOCKS) return locked_spin(body, h);
    const quaternion q = orientation(body.pose);
    const real3x3 columns = axes(q);
    const spin s =
        midpoint(real3_of(body.mass.inertia), to_body(&columns, real3_of(body.velocity.angular)), h);
    const real3 mean = real3x3_times(&columns, s.mean);
    const real3x3 after = axes(turned(real3_scaled(h, mean), q));
    return (spin){real3x3_times(&after, s.end), mean};
}

body_velocity reference_free_velocity(reference_body body, motion_parameters motion) {
    if (!(body.mass.mass > 0)) return body.velocity;
    const double h = (double)motion.time_step;
    const real3 acceleration =
        real3_sum(real3_scaled((double)body.mass.gravity_scale, real3_of(motion.gravity)),
                  real3_scaled(1 / (double)body.mass.mass, real3_of(body.load.force)));
    const real3 linear = real3_sum(real3_of(body.velocity.linear), real3_scaled(h, acceleration));
    const real3x3 inverse = inverse_inertia(body, orientation(body.pose));
    const int locks = body.mass.locks;
    const real3 kept = {locks & SCREE_LOCK_ROTATION_X ? 0 : 1, locks & SCREE_LOCK_ROTATION_Y ? 0 : 1,
                        locks & SCREE_LOCK_ROTATION_Z ? 0 : 1},
                angular = real3_sum(real3_products(kept, real3_of(body.velocity.angular)),
                                    real3_scaled(h, real3x3_times(&inverse, real3_of(body.load.torque))));
    return (body_velocity){.linear = real3_rounded(real3_products(free_axes(body), linear)),
                           .angular = real3_rounded(angular)};
}

/* Returns the rotation vector from a rounded orientation to the exact one: twice the vector part of exact
 * rounded⁻¹. It is not inlined (vec3_rounding). */
__attribute__((noinline)) static vec3s turn_left(body_pose rounded, quaternion exact) {
    const quaternion from = orientation(rounded);
    const real3 along = real3_difference(real3_scaled(from.s, exact.v), real3_scaled(exact.s, from.v));
    return real3_rounded(real3_scaled(2, real3_difference(along, real3_cross(exact.v, from.v))));
}

/* The position moves with V⁺ plus the pseudo-velocity; the rotation with the mean of the spin that starts at
 * V⁺, plus the pseudo-velocity. */
reference_body reference_moved(reference_body body, body_velocity after, body_velocity pseudo,
                               double time_step) {
    reference_body out = body;
    const real3 linear = real3_sum(real3_of(after.linear), real3_of(pseudo.linear));
    const real3 from = real3_sum(real3_of(body.pose.position), real3_of(body.remainder.position)),
                to = real3_sum(from, real3_scaled(time_step, linear));
    out.pose.position = real3_rounded(to);
    out.remainder.position = vec3_rounding((const double[]){to.x, to.y, to.z}, out.pose.position);
    real3 angular = real3_of(after.angular);
    body.velocity = after;
    if (body.mass.mass > 0) angular = world_spin(body, time_step).mean;
    const quaternion begin = turned(real3_of(body.remainder.rotation), orientation(body.pose)),
                     end =
                         turned(real3_scaled(time_step, real3_sum(angular, real3_of(pseudo.angular))), begin);
    out.pose.rotation = versor_of((scalar)end.v.x, (scalar)end.v.y, (scalar)end.v.z, (scalar)end.s);
    out.remainder.rotation = turn_left(out.pose, end);
    return out;
}

/* Returns the spin after corrections have turned the body from the axes `alone` to `now`. L = I ω keeps its
 * direction in space, with the length that keeps the energy ω·L, but not its component along the axis of a
 * body of revolution. If that would change the energy or the spin by more than a tenth, the spin turns with
 * the body. */
static real3 redirected(const real3x3 *alone, real3 omega, real3 moments, const real3x3 *now) {
    const real3 rates = to_body(alone, omega), momentum = real3_products(moments, rates),
                there = to_body(now, real3x3_times(alone, momentum)),
                turned = {moments.y == moments.z ? rates.x : there.x / moments.x,
                          moments.z == moments.x ? rates.y : there.y / moments.y,
                          moments.x == moments.y ? rates.z : there.z / moments.z},
                change = real3_sum(turned, real3_scaled(-1, rates));
    const double ratio = real3_inner(turned, real3_products(moments, turned)) / real3_inner(rates, momentum);
    if (!(fabs(ratio - 1) <= 0.1 && real3_inner(change, change) <= 0.01 * real3_inner(rates, rates)))
        return real3x3_times(now, rates);
    return real3x3_times(now, real3_scaled(1 / sqrt(ratio), turned));
}

vec3s reference_spin_after(body_pose pose, vec3s omega, body_mass mass, versors now, scalar time_step) {
    if (!(mass.mass > 0)) return omega;
    const reference_body body = {.pose = pose, .velocity = {.angular = omega}, .mass = mass};
    const spin s = world_spin(body, (double)time_step);
    if (mass.locks & ROTATION_LOCKS) return real3_rounded(s.end);
    const quaternion free = turned(real3_scaled((double)time_step, s.mean), orientation(pose)),
                     is = orientation((body_pose){.rotation = now});
    /* otherwise the rounding of poses would slowly change the spin */
    if (1 - fabs(free.s * is.s + real3_inner(free.v, is.v)) < 1e-12) return real3_rounded(s.end);
    const real3x3 alone = axes(free), after = axes(is);
    return real3_rounded(redirected(&alone, s.end, real3_of(mass.inertia), &after));
}
