/* Free motion and integration of one body: its motion apart from contacts. */
#ifndef SCREE_KERNELS_MOTION_H
#define SCREE_KERNELS_MOTION_H

#include "layout.h"
#include "rotation.h"

/* Returns ω + h I⁻¹ τ of a body with equal moments of inertia about all axes, such as a ball or a cube. It
 * has no gyroscopic term, so this is both ω at the end of the step and the mean over the step. */
SHARED vec3s round_spin(vec3s omega, scalar inertia, vec3s torque, scalar h) {
    return glms_vec3_add(omega, glms_vec3_scale(torque, h / inertia));
}

/* Returns v + h (g + F/m) along the unlocked axes (`unlocked`: 1, else 0). */
SHARED vec3s free_linear(vec3s linear, vec3s unlocked, vec3s gravity, scalar gravity_scale, vec3s force,
                         vec3s inverse_mass, scalar h) {
    const vec3s pull = glms_vec3_scale(glms_vec3_mul(gravity, unlocked), h * gravity_scale);
    const vec3s push = glms_vec3_scale(glms_vec3_mul(force, inverse_mass), h);
    return glms_vec3_add(glms_vec3_mul(linear, unlocked), glms_vec3_add(pull, push));
}

/* A pose with its rounding. */
typedef struct body_place {
    body_pose pose;
    body_remainder remainder;
} body_place;

/* Returns the rounding error of sum = a + b, exactly (Knuth, The Art of Computer Programming, 4.2.2). */
SHARED vec3s sum_remainder(vec3s a, vec3s b, vec3s sum) {
    const vec3s of_b = glms_vec3_sub(sum, a), of_a = glms_vec3_sub(sum, of_b);
    return glms_vec3_add(glms_vec3_sub(a, of_a), glms_vec3_sub(b, of_b));
}

/* Returns the rotation vector of a turn from q to `turned` of less than TURN_MOST. The components that are
 * left by the subtraction are exact, so that its relative precision is that of the difference. The vector
 * part u of turned q⁻¹ has the length sin(θ/2), and θ = 2 ‖u‖ (1 + ‖u‖²/6 + …). */
SHARED vec3s rotation_made(versors q, versors turned) {
    const vec3s axis = vec3_of(q.x, q.y, q.z),
                change = vec3_of(turned.x - q.x, turned.y - q.y, turned.z - q.z);
    const vec3s u =
        glms_vec3_sub(glms_vec3_sub(glms_vec3_scale(change, q.w), glms_vec3_scale(axis, turned.w - q.w)),
                      glms_vec3_cross(change, axis));
    return glms_vec3_scale(u, 2 + glms_vec3_norm2(u) / 3);
}

/* Faster turns have no remainder: rounding is below 1e-5 of them. */
#define TURN_MOST 0.03125f

/* Turns a place by a rotation vector. A body that does not turn keeps the digits of its rotation. */
SHARED body_place place_turned(body_place place, vec3s by) {
    const vec3s way = glms_vec3_add(by, place.remainder.rotation);
    const scalar square = glms_vec3_norm2(way);
    const versors from = place.pose.rotation, to = rotation_turned(way, from);
    const scalar_mask turns = square > 0, slow = square < scalar_of(TURN_MOST * TURN_MOST);
    place.pose.rotation = versor_of(choose(turns, to.x, from.x), choose(turns, to.y, from.y),
                                    choose(turns, to.z, from.z), choose(turns, to.w, from.w));
    place.remainder.rotation = vec3_choose(turns & slow, glms_vec3_sub(way, rotation_made(from, to)),
                                           vec3_choose(turns, glms_vec3_zero(), way));
    return place;
}

SHARED body_place place_shifted(body_place place, vec3s by) {
    const vec3s way = glms_vec3_add(by, place.remainder.position), from = place.pose.position;
    place.pose.position = glms_vec3_add(from, way);
    place.remainder.position = sum_remainder(from, way, place.pose.position);
    return place;
}

/* Moves a body by one step. The position moves with V⁺ plus the pseudo-velocity P of `split`. The rotation
 * follows the free mean rotation plus the contribution of contacts, ω̄ + (ω⁺ − ω*) + P, or ω⁺ + P for a body
 * without mass. */
SHARED body_place place_moved(body_place place, scalar_mask massive, vec3s mean, vec3s free_angular,
                              body_velocity after, body_velocity pseudo, scalar h) {
    const vec3s turn = glms_vec3_add(after.angular, pseudo.angular),
                turned = glms_vec3_add(glms_vec3_sub(turn, free_angular), mean);
    place = place_shifted(place, glms_vec3_scale(glms_vec3_add(after.linear, pseudo.linear), h));
    return place_turned(place, glms_vec3_scale(vec3_choose(massive, turned, turn), h));
}

/* Replaces −0 by +0: x + 0 is x, and −0 + 0 is 0. A body that impulses do not move receives zeros of either
 * sign from them, or none; starting at +0, its bits do not depend on that. */
SHARED body_velocity velocity_unsigned_zeros(body_velocity velocity) {
    velocity.linear = glms_vec3_add(velocity.linear, glms_vec3_zero());
    velocity.angular = glms_vec3_add(velocity.angular, glms_vec3_zero());
    return velocity;
}

#if SCREE_WIDTH == 1

/* Bits of body_mass.locks, as in scree_lock. */
enum { LOCK_X = 1, LOCK_Y = 2, LOCK_Z = 4, LOCK_ROTATION_X = 8, LOCK_ROTATION_Y = 16, LOCK_ROTATION_Z = 32 };
enum { LOCK_ANY_ROTATION = LOCK_ROTATION_X | LOCK_ROTATION_Y | LOCK_ROTATION_Z };

/* Solves the system with columns a, b, c and right-hand side d by Cramer's rule. */
SHARED vec3s solve_columns(vec3s a, vec3s b, vec3s c, vec3s d) {
    const vec3s bc = glms_vec3_cross(b, c);
    const scalar determinant = glms_vec3_dot(a, bc);
    return vec3_of(glms_vec3_dot(d, bc) / determinant, glms_vec3_dot(d, glms_vec3_cross(c, a)) / determinant,
                   glms_vec3_dot(d, glms_vec3_cross(a, b)) / determinant);
}

/* Returns the largest magnitude of the components. */
SHARED scalar vec3_largest(vec3s v) {
    return scalar_max(scalar_abs(v.x), scalar_max(scalar_abs(v.y), scalar_abs(v.z)));
}

/* Divides moments of inertia by a power of two near the largest, which changes no digit. Free rotation
 * depends only on their ratios, and products of three unscaled moments leave single precision at 0.3 mm and
 * at 100 m. */
SHARED vec3s moments_scaled(vec3s inertia) {
    const int size = scalar_exponent(vec3_largest(inertia));
    return vec3_of(scalar_shifted(inertia.x, -size), scalar_shifted(inertia.y, -size),
                   scalar_shifted(inertia.z, -size));
}

/* Returns whether a body's state and the squares of its velocities are finite; the energy needs the squares.
 */
SHARED int state_finite(body_pose pose, body_velocity velocity) {
    const vec3s at = pose.position;
    const versors q = pose.rotation;
    return scalar_finite(at.x) && scalar_finite(at.y) && scalar_finite(at.z) &&
           scalar_finite(glms_vec3_norm2(velocity.linear)) &&
           scalar_finite(glms_vec3_norm2(velocity.angular)) && scalar_finite(q.x + q.y + q.z + q.w);
}

/* Returns a mass or a load in another unit of mass. */
SHARED body_mass mass_scaled(body_mass mass, scalar factor) {
    mass.mass *= factor;
    mass.inertia = glms_vec3_scale(mass.inertia, factor);
    return mass;
}

SHARED body_load load_scaled(body_load load, scalar factor) {
    load.force = glms_vec3_scale(load.force, factor);
    load.torque = glms_vec3_scale(load.torque, factor);
    return load;
}

/* Free rotation of a body in one step. */
typedef struct gyration {
    vec3s after; /* ω at the end of the step */
    vec3s mean;  /* mean ω during the step; the body turns by h times it */
} gyration;

/* Euler's equations without torque, I ω̇ + ω × I ω = 0; ω' in the body's axes at the end of the step, ω and
 * ω̄ in those at its start. The body turns by a = h ω̄, ω̄ = (ω + ω')/2, and its angular momentum is constant
 * in space:
 *
 *     I ω' = exp(−[a]×) I ω.
 *
 * Energy is constant as well, since exp(−[a]×) leaves a unchanged: ω'·I ω' − ω·I ω = (ω' + ω)·I (ω' − ω) =
 * 2/h a·(exp(−[a]×) − 1) I ω = 0. (With Cayley's map instead of exp this is the implicit midpoint rule of
 * Simo & Wong, IJNME 31, 1991, which turns a body by 2 atan(h ω̄/2).) Written as Cayley's map of a tan(x)/x,
 * x = ‖a‖/2, and times cos x, with s = ω + ω', C = cos x, S = sin(x)/x:
 *
 *     F(ω') = C I (ω' − ω) + (h/4) S s × I s = 0,
 *     F' = C I + (h/4) S ([s]× I − [I s]×) + (C' I (ω' − ω) + S' (h/4) s × I s) sᵀ h²/8,
 *
 * C' = −S/2 and S' = −1/6 + … by x². Newton's method starts from ω' = ω and converges in two or three
 * iterations for h‖ω‖ below 1. If it does not converge (the spin is too fast for the step), the gyroscopic
 * term is omitted, which also conserves energy. Returns ω' − ω, which keeps its digits when it is small. */
SHARED vec3s spin_gain(vec3s inertia, vec3s omega, scalar h) {
    vec3s gain = glms_vec3_zero();
    scalar last = 0;
    if (inertia.x == inertia.y && inertia.y == inertia.z) return gain;
    inertia = moments_scaled(inertia);
    for (int iteration = 0; iteration < 4; iteration++) {
        const vec3s s = glms_vec3_add(glms_vec3_scale(omega, 2), gain), is = glms_vec3_mul(inertia, s);
        const turn_parts parts = turn_parts_of(h * h * glms_vec3_norm2(s) / 4);
        const scalar share = h * parts.sine / 4;
        const vec3s gained = glms_vec3_mul(inertia, gain), twist = glms_vec3_cross(s, is);
        const vec3s f = glms_vec3_add(glms_vec3_scale(gained, parts.cosine), glms_vec3_scale(twist, share));
        const vec3s bent = glms_vec3_scale(
            glms_vec3_add(glms_vec3_scale(gained, parts.sine / 2), glms_vec3_scale(twist, h / 24)),
            -h * h / 8);
        const scalar c = parts.cosine;
        const vec3s x = vec3_of(inertia.x * c, (s.z * inertia.x - is.z) * share,
                                (is.y - s.y * inertia.x) * share),
                    y = vec3_of((is.z - s.z * inertia.y) * share, inertia.y * c,
                                (s.x * inertia.y - is.x) * share),
                    z = vec3_of((s.y * inertia.z - is.y) * share, (is.x - s.x * inertia.z) * share,
                                inertia.z * c);
        const vec3s step = solve_columns(glms_vec3_add(x, glms_vec3_scale(bent, s.x)),
                                         glms_vec3_add(y, glms_vec3_scale(bent, s.y)),
                                         glms_vec3_add(z, glms_vec3_scale(bent, s.z)), f);
        const vec3s next = glms_vec3_sub(gain, step);
        last = glms_vec3_norm2(step);
        if (next.x == gain.x && next.y == gain.y && next.z == gain.z) break; /* as are all further ones */
        gain = next;
    }
    /* The result must also conserve energy: the iteration can converge to arbitrarily large spins, compared
     * with which ω is lost in rounding. The test fails for NaN. */
    const vec3s both = glms_vec3_add(glms_vec3_scale(omega, 2), gain);
    const scalar gained = scalar_abs(glms_vec3_dot(gain, glms_vec3_mul(inertia, both))),
                 energy = glms_vec3_dot(omega, glms_vec3_mul(inertia, omega));
    if (last <= (scalar)1e-6 * glms_vec3_norm2(glms_vec3_add(omega, gain)) && gained <= (scalar)1e-3 * energy)
        return gain;
    return glms_vec3_zero();
}

/* Returns I v = R D Rᵀ v in world axes. */
SHARED vec3s inertia_times(versors rotation, vec3s inertia, vec3s v) {
    return rotate(rotation, glms_vec3_mul(inertia, rotate_inverse(rotation, v)));
}

/* Returns the inverse inertia of a body with locked rotation axes. Constraint torques about the locked axes
 * keep their components of ω at zero. I ω̇ = τ reduces to the sub-matrix of the world inertia I = R D Rᵀ for
 * the free axes, whose inverse fills the free rows and columns; the locked ones are zero.
 *
 * One free axis f: 1/I_ff. One locked axis n: the inverse of a 2×2 matrix is its adjugate over its
 * determinant,
 *
 *     [n]× I [n]×ᵀ / d,   d = nᵀ adj(I) n = m_x² D_y D_z + m_y² D_x D_z + m_z² D_x D_y,   m = Rᵀ n.
 *
 * I_xx I_yy − I_xy² equals d but loses all digits in single precision for a body some 1000 times longer than
 * wide; a sum of products keeps its digits. Moments are taken relative to the largest, so that their products
 * do not underflow for small grains. */
SHARED symmetric3 locked_inverse(versors rotation, vec3s inertia, int locks) {
    const scalar size = scalar_max(inertia.x, scalar_max(inertia.y, inertia.z));
    const vec3s d = vec3_of(inertia.x / size, inertia.y / size, inertia.z / size);
    const symmetric3 i = rotation_tensor(rotation, d);
    const int x = (locks & LOCK_ROTATION_X) != 0, y = (locks & LOCK_ROTATION_Y) != 0,
              z = (locks & LOCK_ROTATION_Z) != 0;
    if (x + y + z > 1)
        return symmetric_of(vec3_of(x ? 0 : 1 / (size * i.diagonal.x), y ? 0 : 1 / (size * i.diagonal.y),
                                    z ? 0 : 1 / (size * i.diagonal.z)),
                            glms_vec3_zero());
    const vec3s m = rotate_inverse(rotation, vec3_of((scalar)x, (scalar)y, (scalar)z));
    const scalar factor =
        1 / (size * (m.x * m.x * d.y * d.z + m.y * m.y * d.x * d.z + m.z * m.z * d.x * d.y));
    const vec3s diagonal = x   ? vec3_of(0, i.diagonal.z, i.diagonal.y)
                           : y ? vec3_of(i.diagonal.z, 0, i.diagonal.x)
                               : vec3_of(i.diagonal.y, i.diagonal.x, 0);
    const vec3s off_diagonal =
        vec3_of(x ? -i.off_diagonal.x : 0, y ? -i.off_diagonal.y : 0, z ? -i.off_diagonal.z : 0);
    return symmetric_of(glms_vec3_scale(diagonal, factor), glms_vec3_scale(off_diagonal, factor));
}

/* Returns M⁻¹ of a body in world axes. */
SHARED body_mobility mobility_of(body_pose pose, body_mass mass) {
    body_mobility m;
    m.inverse_mass = glms_vec3_zero();
    m.diagonal = glms_vec3_zero();
    m.off_diagonal = glms_vec3_zero();
    m.reserved = 0, m.reserved_diagonal = 0, m.reserved_off_diagonal = 0;
    if (!(mass.mass > 0)) return m;
    const scalar inverse = 1 / mass.mass;
    const int locks = mass.locks;
    m.inverse_mass =
        vec3_of(locks & LOCK_X ? 0 : inverse, locks & LOCK_Y ? 0 : inverse, locks & LOCK_Z ? 0 : inverse);
    const vec3s principal = vec3_of(1 / mass.inertia.x, 1 / mass.inertia.y, 1 / mass.inertia.z);
    /* A tensor with equal principal values is the same in any axes. */
    const int round = mass.inertia.x == mass.inertia.y && mass.inertia.x == mass.inertia.z;
    const symmetric3 i = locks & LOCK_ANY_ROTATION ? locked_inverse(pose.rotation, mass.inertia, locks)
                         : round                   ? symmetric_of(principal, glms_vec3_zero())
                                                   : rotation_tensor(pose.rotation, principal);
    m.diagonal = i.diagonal, m.off_diagonal = i.off_diagonal;
    return m;
}

/* Returns (T − 1) v for the rotation T by the rotation vector a with the given parts. Its relative precision
 * is that of the small difference. */
SHARED vec3s turn_change(vec3s a, turn_parts parts, vec3s v) {
    const vec3s across = glms_vec3_cross(a, v);
    return glms_vec3_add(glms_vec3_scale(across, parts.sine * parts.cosine),
                         glms_vec3_scale(glms_vec3_cross(a, across), parts.sine * parts.sine / 2));
}

/* A body with one locked rotation axis n, fixed in space: ω ⟂ n, and a torque along n alone keeps it so.
 * Without other torques the angular momentum about the free axes is conserved, while the inertia I(R) about
 * them changes as the body turns. With K = [n]× I [n]×ᵀ/d the inverse of that inertia (locked_inverse),
 *
 *     ω' = K(R') I(R) ω,   R' = T R,   T = exp([a]×),   a = h ω̄,   ω̄ = (ω + ω')/2.
 *
 * Evaluated in this form, the rounding of K I adds 1e-7 of the energy in every step. Since K(R') I(R') ω = ω
 * and I(R') = T I(R) Tᵀ, with b = Tᵀ ω the gain alone is
 *
 *     ω' − ω = K(R') (I ω − T I b) = K(R') (I (T − 1) b − (T − 1) I b),
 *     (T − 1) v = S C a × v + (S²/2) a × (a × v),   S = sin(x)/x, C = cos x at x = ‖a‖/2,
 *
 * in small terms. The rule is symmetric in time and its energy error is of third order in a step: with u = Tᵀ
 * ω', ω̄·I (u − ω) = 0 since the rotation leaves ω̄ unchanged, hence 2 ΔE = (u + ω)·I (u − ω) = (u − ω')·I (u
 * − ω), where both factors are of order h and nearly at right angles to ω̄. Newton's method finds d = ω̄ − ω
 * from F(d) = 2 d − (ω' − ω) = 0, with
 *
 *     dθ = S C da + (S²/2) a × da + (1/6 − …) a (a·da),   dω' = −K (dθ × I' ω' − I' (dθ × ω')).
 *
 * If it does not converge (the spin is too fast for the step, or a rod is so slender that I ω has no digits
 * left for its own axis), the body turns with the unchanged ω, which conserves energy. */
SHARED gyration locked_gyration(body_pose pose, vec3s omega, body_mass mass, scalar h) {
    const int x = (mass.locks & LOCK_ROTATION_X) != 0, y = (mass.locks & LOCK_ROTATION_Y) != 0,
              z = (mass.locks & LOCK_ROTATION_Z) != 0;
    const vec3s inertia = moments_scaled(mass.inertia);
    vec3s half_gain = glms_vec3_zero();
    scalar last = 0;
    for (int iteration = 0; iteration < 4; iteration++) {
        const vec3s way = glms_vec3_scale(glms_vec3_add(omega, half_gain), h);
        const versors turned = rotation_turned(way, pose.rotation);
        const turn_parts parts = turn_parts_of(glms_vec3_norm2(way));
        const symmetric3 inverse = locked_inverse(turned, inertia, mass.locks);
        const vec3s back = glms_vec3_add(omega, turn_change(glms_vec3_negate(way), parts, omega));
        const vec3s lost =
            glms_vec3_sub(inertia_times(pose.rotation, inertia, turn_change(way, parts, back)),
                          turn_change(way, parts, inertia_times(pose.rotation, inertia, back)));
        const vec3s gain = symmetric_times(inverse, lost), after = glms_vec3_add(omega, gain);
        const vec3s now = inertia_times(turned, inertia, after);
        const vec3s f = glms_vec3_sub(glms_vec3_scale(half_gain, 2), gain);
        vec3s columns[3];
        for (int j = 0; j < 3; j++) {
            const vec3s e = vec3_of(j == 0, j == 1, j == 2);
            const vec3s straight = glms_vec3_scale(e, parts.sine * parts.cosine),
                        aside = glms_vec3_scale(glms_vec3_cross(way, e), parts.sine * parts.sine / 2),
                        along = glms_vec3_scale(way, vec3_along(way, j) / 6);
            const vec3s turn = glms_vec3_scale(glms_vec3_add(glms_vec3_add(straight, aside), along), h);
            const vec3s change = glms_vec3_sub(glms_vec3_cross(turn, now),
                                               inertia_times(turned, inertia, glms_vec3_cross(turn, after)));
            columns[j] = glms_vec3_scale(e, 2);
            if (!(j == 0 ? x : j == 1 ? y : z))
                columns[j] = glms_vec3_add(columns[j], symmetric_times(inverse, change));
        }
        const vec3s step = solve_columns(columns[0], columns[1], columns[2], f);
        half_gain = glms_vec3_sub(half_gain, step);
        last = glms_vec3_norm2(step);
    }
    gyration g;
    g.mean = glms_vec3_add(omega, half_gain);
    g.after = glms_vec3_add(g.mean, half_gain);
    /* As in spin_gain, with a wider energy bound because a correct result has the rule's third-order error.
     */
    const vec3s turns = inertia_times(pose.rotation, inertia, omega),
                now = inertia_times(rotation_turned(glms_vec3_scale(g.mean, h), pose.rotation), inertia,
                                    g.after);
    const scalar before = glms_vec3_dot(omega, turns), after = glms_vec3_dot(g.after, now);
    if (!(last <= (scalar)1e-6 * glms_vec3_norm2(g.mean) && after <= 2 * before)) g.mean = g.after = omega;
    return g;
}

/* Returns whether the free rotation of a body keeps ω constant: balls, cubes, bodies with a single free
 * rotation axis, and bodies without mass. */
SHARED int spins_steadily(body_mass mass) {
    const int x = (mass.locks & LOCK_ROTATION_X) != 0, y = (mass.locks & LOCK_ROTATION_Y) != 0,
              z = (mass.locks & LOCK_ROTATION_Z) != 0;
    return !(mass.mass > 0) || x + y + z > 1 ||
           (mass.inertia.x == mass.inertia.y && mass.inertia.y == mass.inertia.z);
}

/* Returns ω + h I⁻¹ τ in world axes, with the inertia at the start of the step. */
SHARED vec3s spin_kicked(body_pose pose, vec3s omega, body_mass mass, vec3s torque, scalar h) {
    const int locks = mass.locks;
    if (locks & LOCK_ANY_ROTATION) {
        const vec3s unlocked = vec3_of(locks & LOCK_ROTATION_X ? 0 : 1, locks & LOCK_ROTATION_Y ? 0 : 1,
                                       locks & LOCK_ROTATION_Z ? 0 : 1);
        const vec3s gained =
            symmetric_times(locked_inverse(pose.rotation, mass.inertia, locks), glms_vec3_scale(torque, h));
        return glms_vec3_add(glms_vec3_mul(omega, unlocked), gained);
    }
    if (spins_steadily(mass)) return round_spin(omega, mass.inertia.x, torque, h);
    const vec3s moment = rotate_inverse(pose.rotation, glms_vec3_scale(torque, h));
    const vec3s kick =
        vec3_of(moment.x / mass.inertia.x, moment.y / mass.inertia.y, moment.z / mass.inertia.z);
    return glms_vec3_add(omega, rotate(pose.rotation, kick));
}

/* Returns the free rotation of a body during one step in world axes: `after` refers to the body's axes after
 * turning by h ω̄.
 *
 * A rotation about ω̄ leaves ω̄ unchanged. With the gain g = ω' − ω of spin_gain in axes of the start,
 * therefore, ω' = ω̄ + exp([h ω̄]×) g/2: the spin itself is never rotated, only added to, and does not decay
 * by rounding. */
SHARED gyration gyration_of(body_pose pose, vec3s omega, body_mass mass, scalar h) {
    gyration g;
    g.mean = g.after = omega;
    if (spins_steadily(mass)) return g;
    if (mass.locks & LOCK_ANY_ROTATION) return locked_gyration(pose, omega, mass, h);
    const vec3s half_gain = glms_vec3_scale(
        rotate(pose.rotation, spin_gain(mass.inertia, rotate_inverse(pose.rotation, omega), h)), (scalar)0.5);
    g.mean = glms_vec3_add(omega, half_gain);
    const versors turn = rotation_turned(glms_vec3_scale(g.mean, h), versor_of(0, 0, 0, 1));
    g.after = glms_vec3_add(g.mean, rotate(turn, half_gain));
    return g;
}

/* A step kicks first and drifts then, as symplectic Euler does. Gravity, loads and impulses change linear and
 * angular momentum at the body's pose at the start, with the M⁻¹ of that pose. The body then moves through
 * the step freely, which conserves its energy and its angular momentum. The work of the impulses is r·(u* +
 * u⁺)/2 to rounding, as the contact law requires, however fast the body spins and however slender it is. (If
 * V* were the velocity after the drift, impulses would act with the inertia of one pose on a body that has
 * another: blades bouncing at e = 1 would gain a tenth of their energy or more in impacts that turn them by a
 * tenth of a radian in the step.)
 *
 * Returns V* = V + h M⁻¹ f: gravity and loads. Bodies without mass keep their velocity. */
SHARED body_velocity free_velocity_of(body_pose pose, body_velocity velocity, body_mass mass, body_load load,
                                      body_mobility mobility, motion_parameters motion) {
    if (!(mass.mass > 0)) return velocity_unsigned_zeros(velocity);
    const scalar h = motion.time_step;
    const int locks = mass.locks;
    const vec3s unlocked = vec3_of(locks & LOCK_X ? 0 : 1, locks & LOCK_Y ? 0 : 1, locks & LOCK_Z ? 0 : 1);
    velocity.linear = free_linear(velocity.linear, unlocked, motion.gravity, mass.gravity_scale, load.force,
                                  mobility.inverse_mass, h);
    velocity.angular = spin_kicked(pose, velocity.angular, mass, load.torque, h);
    return velocity_unsigned_zeros(velocity);
}

/* Returns the place after the step, given the velocity `after` of the solve: the energy–momentum scheme above
 * plus the pseudo-velocity. */
SHARED body_place place_after(body_place place, body_mass mass, body_velocity free_velocity,
                              body_velocity after, body_velocity pseudo, scalar h) {
    const int massive = mass.mass > 0;
    if (spins_steadily(mass))
        return place_moved(place, massive, free_velocity.angular, free_velocity.angular, after, pseudo, h);
    return place_moved(place, massive, gyration_of(place.pose, after.angular, mass, h).mean, after.angular,
                       after, pseudo, h);
}

/* Largest change of energy and of spin by a redirection, relative to both. */
#define REDIRECTED_MOST 0.1f

/* Returns the spin of a body that corrections of its position have turned from `from` to `turned`, without a
 * torque. `omega` is its spin before. The angular momentum L keeps its direction in space, and the energy its
 * value, which sets the length of L: L' = s L, ω' = s I'⁻¹ L, s² = (L·I⁻¹ L)/(L·I'⁻¹ L). If ω turned with the
 * body, corrections would turn L, and tops would fall over.
 *
 * With the turn T, in the body's axes L becomes T⁻¹ L and ω becomes s (ω + d), I d = (T⁻¹ − 1) I ω. Twice the
 * energy changes by d·I (2 ω + d). Small terms alone are added to T ω, which loses no digits of ω. The units
 * of ω and I are their largest components.
 *
 * A small turn moves enough of the L of a slender rod onto its axis to spin it there at many times ω. If the
 * energy or the spin would change by more than REDIRECTED_MOST, ω turns with the body. The spin of a body of
 * revolution about its axis stays: impulses of contacts without friction have no moment about it. */
SHARED vec3s spin_redirected(versors from, vec3s omega, vec3s inertia, versors turned) {
    const versors back = versor_of(-from.x, -from.y, -from.z, from.w),
                  inward = versor_of(-turned.x, -turned.y, -turned.z, turned.w),
                  turn = rotation_normalised(rotation_product(inward, from));
    const vec3s kept = rotate(rotation_normalised(rotation_product(turned, back)), omega);
    const scalar unit = vec3_largest(omega);
    if (!(unit > 0)) return omega;
    inertia = moments_scaled(inertia);
    const vec3s spin = rotate(back, glms_vec3_scale(omega, 1 / unit)),
                momentum = glms_vec3_mul(inertia, spin), axis = vec3_of(turn.x, turn.y, turn.z),
                across = glms_vec3_scale(glms_vec3_cross(axis, momentum), 2),
                turned_back = glms_vec3_add(glms_vec3_scale(across, turn.w), glms_vec3_cross(axis, across)),
                change = vec3_of(inertia.y == inertia.z ? 0 : turned_back.x,
                                 inertia.z == inertia.x ? 0 : turned_back.y,
                                 inertia.x == inertia.y ? 0 : turned_back.z),
                gain = vec3_of(change.x / inertia.x, change.y / inertia.y, change.z / inertia.z);
    const scalar energy = glms_vec3_dot(spin, momentum),
                 gained = glms_vec3_dot(change, glms_vec3_add(glms_vec3_scale(spin, 2), gain)) / energy;
    const scalar most = REDIRECTED_MOST * REDIRECTED_MOST * glms_vec3_norm2(spin);
    if (!(scalar_abs(gained) <= REDIRECTED_MOST && glms_vec3_norm2(gain) <= most)) return kept;
    const scalar root = scalar_sqrt(1 + gained), loss = gained / (root * (1 + root)); /* 1 − 1/√(1 + g) */
    const vec3s added = glms_vec3_sub(glms_vec3_scale(gain, 1 / root), glms_vec3_scale(spin, loss));
    return glms_vec3_add(kept, glms_vec3_scale(rotate(turned, added), unit));
}

/* Returns ω at the end of the step of a body that started at `pose` and ended with the rotation `turned`. */
SHARED vec3s spin_after(body_pose pose, vec3s omega, body_mass mass, versors turned, scalar h) {
    if (spins_steadily(mass)) return omega;
    const gyration g = gyration_of(pose, omega, mass, h);
    if (mass.locks & LOCK_ANY_ROTATION) return g.after;
    const versors alone = rotation_turned(glms_vec3_scale(g.mean, h), pose.rotation),
                  beyond = rotation_product(turned, versor_of(-alone.x, -alone.y, -alone.z, alone.w));
    /* Ignore a rotation that is only rounding: it would make the spin decay. */
    if (!(glms_vec3_norm2(vec3_of(beyond.x, beyond.y, beyond.z)) > (scalar)1e-12)) return g.after;
    return spin_redirected(alone, g.after, mass.inertia, turned);
}

#endif

#endif
