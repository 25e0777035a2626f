/* The normal row of a contact: contribution of gap and approach speed to q by stabilisation, speculative
 * contacts and restitution. Locked axes and limits of joints use the same schemes. */
#ifndef SCREE_KERNELS_NORMAL_ROW_H
#define SCREE_KERNELS_NORMAL_ROW_H

#include "dialect.h"

#if SCREE_WIDTH == 1

/* Traits of a scheme: its springs yield in open gaps, too; it has a position pass; it divides the step into
 * substeps, each with a relax sweep that has its own biases and no compliance. */
enum { SCHEME_YIELDS = 1, SCHEME_PUSHES = 2, SCHEME_SUBSTEPS = 4 };

/* Schemes, in the order of scree_stabilisation. Each requires NAME_terms. */
#define SCHEME_KINDS(ROW)                                                                                    \
    ROW(BAUMGARTE, baumgarte, 0)                                                                             \
    ROW(SOFT, soft, SCHEME_YIELDS)                                                                           \
    ROW(SPLIT, split, SCHEME_PUSHES)                                                                         \
    ROW(RELAXED, relaxed, 0)                                                                                 \
    ROW(PENALTY, penalty, SCHEME_YIELDS)                                                                     \
    ROW(SUBSTEP, substep, SCHEME_SUBSTEPS)

#define ROW(KIND, name, traits) SCHEME_##KIND,
typedef enum scheme_kind { SCHEME_KINDS(ROW) SCHEME_KIND_COUNT } scheme_kind;
#undef ROW

/* Parameters of a scheme. Each kind reads its own fields only. */
typedef struct row_scheme {
    int kind;
    scalar time_step;         /* h, s */
    scalar slop;              /* m */
    scalar restitution_speed; /* m/s */
    scalar error_reduction;   /* β */
    scalar correction_speed;  /* m/s */
    scalar stiffness;         /* of a contact's spring, N/m */
    scalar damping;           /* N s/m */
    scalar rate;              /* relaxed: δ, s; substep: frequency, Hz; 0: of the spring */
    scalar damping_ratio;     /* ζ */
    scalar highest;           /* substep: limit of the frequency as a fraction of the substep rate */
    int reserved;
} WORDS row_scheme;

/* Terms of one row of a block. Compliance and correction are adjacent in the block but not here: compilers
 * would copy both as one word, and that load would stall on stores still in flight. */
typedef struct stabilisation {
    scalar compliance; /* added to A_NN of the velocity pass, 1/kg */
    scalar bias;       /* added to q_N of the velocity pass, m/s */
    /* `split`: closing of the position pass (displacement.h); `substep`: bias of the relax sweep; else 0.
     * m/s. */
    scalar correction;
} stabilisation;

/* State of a row before the step, as schemes read it. */
typedef struct row_state {
    scalar gap;     /* c, m */
    scalar overlap; /* d ≥ 0, m: max(0, −c), unless a detection pass found the contact (contacts.h) */
    scalar rate;    /* velocity u, m/s, negative on approach (restitution) */
    /* u with the velocity that a body of prescribed motion had before the step, m/s (relaxed). */
    scalar rate_before;
    scalar mobility; /* A of the row, 1/kg (substep) */
    /* Velocity that the pair's impulses gave in the last step, m/s; negative after a rebound. */
    scalar load_velocity;
    scalar deferred; /* speed at which the contact may close since its impact is deferred, m/s; else 0 */
} row_state;

SHARED int scheme_traits(int kind) {
#define ROW(KIND, name, traits)                                                                              \
    if (kind == SCHEME_##KIND) return traits;
    SCHEME_KINDS(ROW)
#undef ROW
    return 0;
}

/* Limits of `substep`: of contacts, and of locked axes of joints. */
#define SCHEME_HIGHEST ((scalar)0.15)
#define SCHEME_HIGHEST_LOCK ((scalar)0.25)

/* Returns the scheme with the spring of a material, if that has one. */
SHARED row_scheme scheme_with_spring(row_scheme scheme, scalar stiffness, scalar damping) {
    scheme.stiffness = stiffness, scheme.damping = damping;
    return scheme;
}

SHARED stabilisation stabilisation_make(scalar bias, scalar compliance, scalar correction) {
    stabilisation out;
    out.bias = bias, out.compliance = compliance, out.correction = correction;
    return out;
}

/* The law requires u_N + … ≥ 0 with u = A r + q. A bias b in q_N turns that into
 *
 *     J V⁺ ≥ −b      (equality where r_N > 0).
 *
 * A scheme is therefore a choice of b, the negative of the contact's required normal velocity after the step.
 *
 * Open gap, c ≥ 0: the surfaces may close the gap within the step but no more: c + h J V⁺ ≥ 0, so b = c/h.
 *
 * Overlap, c < 0: a fraction β of the overlap beyond the slop is removed in the step: h J V⁺ = −β (c + slop),
 * so b = (β/h) min(c + slop, 0), but not below −correction_speed.
 *
 * `soft` is an implicit spring k and damper d. With r = h F and F = −k (c + h u) − d u at the end of the
 * step,
 *
 *     r = −h k c − h (h k + d) u   ⇔   u + r/(h (h k + d)) + (k/(h k + d)) c = 0,
 *
 * which is the contact equation with b = (β/h) c, β = h k/(h k + d), and the compliance 1/(h (h k + d)) on
 * A_NN. The correction speed does not limit that b: it would limit the force of the contact to (h k + d)
 * times that speed, and heavier loads would sink through. (ODE's CFM = 1/(h k + d) multiplies forces; r is an
 * impulse, hence the 1/h.) An open gap yields as well: spring and damper act on the part of the step beyond
 * the surface, r = −h (h k + d) (u + c/h).
 *
 * `penalty` is the same spring and damper, but the damping h k of the implicit spring counts as part of d:
 * max(h k, d) replaces h k + d. For d ≥ h k that is the spring force at the start of the step, F = −k c − d
 * u, as in discrete element codes; for smaller d it is still stable for any k.
 *
 * `relaxed` turns the gap into a damped oscillator, c̈ + (2ζ/δ) ċ + c/δ² = 0, through the acceleration of the
 * step, (u⁺ − u)/h = −(2ζ/δ) u − c/δ²:
 *
 *     J V⁺ ≥ (1 − 2ζh/δ) u − (h/δ²) c.
 *
 * An explicit step of that oscillator is stable for h/δ ≤ 1/(2 max(1, ζ)); a smaller δ is raised to that
 * limit. The correction speed limits the velocity that the overlap adds. Tangential rows have c = 0: slip
 * decays. With a long δ, constraints hold only in their second derivative, and drift. u is the velocity
 * before the step of both bodies, including prescribed ones: with a prescribed body's velocity in the step,
 * its acceleration would count as an error that decays.
 *
 * `substep` is `soft` with frequency f and damping ratio ζ of the mass 1/A that the row moves, k = (2π f)²/A,
 * d = 2ζ (2π f)/A, in each substep. One sweep does not solve that. A relax sweep without bias and compliance,
 * after positions have moved, removes the velocity that corrected overlaps; open gaps and rebounds keep their
 * bias (Catto, Solver2D, 2024).
 *
 * The error of the sweep drives stacks on springs that are stiff within a substep. f is therefore limited to
 * a fraction of the substep rate. Stacks of five to ten cubes of 0.2 m and a heap of 150 in a box, at 1/120 s
 * with 8 substeps (with 2, 4 and 16, stacks rock at 0.25 as well, and not at 0.15):
 *
 *     fraction, ζ             speed      creep of ten    overlap of ten    150 cubes landing, at rest
 *     0.25, 1 … 10     3 … 20 cm/s    1e-4 … 1e-2 m/s            0.1 mm    2.6 … 2.7 mm, 2e-2 m/s
 *     0.21, 2              0.2 mm/s           5e-6               0.11      2.4, 3e-3
 *     0.15, 2               rounding          1e-6               0.22      2.6, 6e-4
 *     0.15, 3               rounding          4e-7               0.22      2.7, 2e-6
 *     0.125, 2              rounding          5e-7               0.31      2.8, 2e-6
 *     0.06, 2               rounding          5e-8               1.24      4.0, 6e-6
 *
 * Locked axes of joints do not rock, and chains hold two to four times better at 0.25 than at 0.125.
 *
 * `split` leaves the velocity of an overlap unchanged (b = 0) and gives the same terms to the position pass,
 * which makes the positions, moved by both passes, satisfy the inequality (displacement.h). A contact of a
 * detection pass has a gap c at the start, correct only for the end of the step, where the actual overlap is
 * d. All but the fraction β of d is then to be removed: c + h J V⁺ = −d − β (slop − d). */
/* Returns the overlap to remove, m, ≤ 0. */
SHARED scalar removable_overlap(row_scheme scheme, scalar gap) { return scalar_min(gap + scheme.slop, 0); }

/* Returns the velocity that removes `fraction` of an overlap in one step, at most `limit`, m/s. */
SHARED scalar removal_velocity(row_scheme scheme, scalar fraction, scalar limit, scalar gap) {
    return scalar_max(fraction / scheme.time_step * removable_overlap(scheme, gap), -limit);
}

SHARED stabilisation baumgarte_terms(row_scheme scheme, row_state at) {
    return stabilisation_make(
        removal_velocity(scheme, scheme.error_reduction, scheme.correction_speed, at.gap), 0, 0);
}

/* Returns the terms of a spring and a damper. `damping` is h k + d of the step, N s/m. */
SHARED stabilisation spring_and_damper(row_scheme scheme, scalar damping, scalar gap) {
    return stabilisation_make(scheme.stiffness / damping * removable_overlap(scheme, gap),
                              1 / (scheme.time_step * damping), 0);
}

SHARED stabilisation soft_terms(row_scheme scheme, row_state at) {
    return spring_and_damper(scheme, scheme.time_step * scheme.stiffness + scheme.damping, at.gap);
}

SHARED stabilisation penalty_terms(row_scheme scheme, row_state at) {
    return spring_and_damper(scheme, scalar_max(scheme.damping, scheme.time_step * scheme.stiffness), at.gap);
}

/* Returns h/δ, the relaxation in one step, limited to the stable range. */
SHARED scalar relaxation_rate(row_scheme scheme) {
    return scalar_min(scheme.time_step / scheme.rate, 1 / (2 * scalar_max(1, scheme.damping_ratio)));
}

/* Returns the factor of the tangential velocities before the step that a scheme adds to q of their rows. */
SHARED scalar scheme_slip_factor(row_scheme scheme) {
    if (scheme.kind != SCHEME_RELAXED) return 0;
    return 2 * scheme.damping_ratio * relaxation_rate(scheme) - 1;
}

SHARED stabilisation relaxed_terms(row_scheme scheme, row_state at) {
    const scalar x = relaxation_rate(scheme), damped = (1 - 2 * scheme.damping_ratio * x) * at.rate_before,
                 correction = -x * x / scheme.time_step * removable_overlap(scheme, at.gap),
                 limit = scalar_max(scheme.correction_speed - damped, 0);
    return stabilisation_make(-(damped + scalar_min(correction, limit)), 0, 0);
}

/* Returns the velocity with which `split` corrects an overlap, m/s. */
SHARED scalar split_correction(row_scheme scheme, scalar gap, scalar overlap) {
    const scalar removal = scheme.error_reduction / scheme.time_step * scalar_min(scheme.slop - overlap, 0);
    return (gap + overlap) / scheme.time_step + scalar_max(removal, -scheme.correction_speed);
}

SHARED stabilisation split_terms(row_scheme scheme, row_state at) {
    return stabilisation_make(0, 0, split_correction(scheme, at.gap, at.overlap));
}

SHARED stabilisation substep_terms(row_scheme scheme, row_state at) {
    if (!(scheme.rate > 0)) return soft_terms(scheme, at);
    const scalar phase = (scalar)6.283185307179586 *
                         scalar_min(scheme.rate * scheme.time_step, scheme.highest), /* h ω */
        damping = 2 * scheme.damping_ratio + phase;                                  /* (h k + d) A/ω */
    return stabilisation_make(removal_velocity(scheme, phase / damping, scheme.correction_speed, at.gap),
                              at.mobility / (phase * damping), 0);
}

/* Returns the terms of an overlap. */
SHARED stabilisation overlap_terms(row_scheme scheme, row_state at) {
#define ROW(KIND, name, traits)                                                                              \
    if (scheme.kind == SCHEME_##KIND) return name##_terms(scheme, at);
    SCHEME_KINDS(ROW)
#undef ROW
    return stabilisation_make(0, 0, 0);
}

/* Returns the terms of a row without restitution. */
SHARED stabilisation gap_terms(row_scheme scheme, row_state at) {
    const int traits = scheme_traits(scheme.kind);
    if (at.gap < 0) return overlap_terms(scheme, at);
    const scalar closing = at.gap / scheme.time_step;
    return stabilisation_make(closing, traits & SCHEME_YIELDS ? overlap_terms(scheme, at).compliance : 0,
                              traits & (SCHEME_PUSHES | SCHEME_SUBSTEPS) ? closing : 0);
}

/* Returns normal_row_terms under `split` for a contact without restitution and with no deferred impact, as
 * most contacts are. */
SHARED stabilisation split_row_terms(row_scheme scheme, scalar gap, scalar overlap) {
    if (gap < 0) return stabilisation_make(0, 0, split_correction(scheme, gap, overlap));
    return stabilisation_make(gap / scheme.time_step, 0, gap / scheme.time_step);
}

/* Restitution. A step changes velocities first and then moves with them. A body with the steady acceleration
 * a (along the normal, relative, of gravity and loads) is therefore at points x_n of a parabola on which its
 * velocity is v_n + a h/2: v_n belongs to a time half a step earlier. A contact with gap c and approach u
 * reaches the surface at t with the speed w,
 *
 *     c + ũ t + a t²/2 = 0,   ũ = u + a h/2,   w = √(ũ² − 2 a c),   t = 2 c/(w − ũ),
 *
 * if V* would take it below, c + h (u + a h) < 0; for an overlap t = 0, w = −ũ. By Newton's law it leaves
 * with e w. At the end of the step, s = h − t later, it is on the parabola of the rebound, whose top is e² of
 * the initial height, whatever t:
 *
 *     c⁺ = e w s + a s²/2,   u⁺ = e w + a s − a h/2.
 *
 * If c⁺ or u⁺ is not positive, the rebound ends within the step and is dropped. Without `split`, positions
 * move by h u⁺ from c and not from the surface, and u⁺ is the velocity with the energy of the rebound there:
 *
 *     (u⁺ + a h/2)²/2 − a (c + h u⁺) = (e w)²/2   ⇔   u⁺ = a h/2 + √(e² w² + 2 a c).
 *
 * (With a = 0: u⁺ = −e u, and c⁺ = e (|u| h − c).) The support of other contacts is not part of a. */
typedef struct rebound {
    scalar velocity; /* u⁺, m/s; 0: no rebound */
    scalar gap;      /* c⁺, m */
} rebound;

/* Returns the rebound of a contact, `from_surface` with `split`; `approach` is u. */
SHARED rebound rebound_of(int from_surface, scalar gap, scalar approach, scalar acceleration,
                          scalar restitution, scalar time_step) {
    const scalar c = scalar_max(gap, 0), half_step = acceleration * time_step / 2, now = approach + half_step;
    rebound none;
    none.velocity = none.gap = 0;
    if (gap > 0 && !(gap + time_step * (now + half_step) < 0)) return none;
    const scalar square = now * now - 2 * acceleration * c;
    if (!(now < 0 && square > 0)) return none;
    const scalar speed = restitution * scalar_sqrt(square),
                 remaining = time_step - 2 * c / (scalar_sqrt(square) - now);
    rebound out;
    out.velocity = speed + acceleration * remaining - half_step;
    out.gap = remaining * (speed + acceleration * remaining / 2);
    if (!from_surface) {
        const scalar energy = speed * speed + 2 * acceleration * c;
        if (!(energy > 0)) return none;
        out.velocity = half_step + scalar_sqrt(energy);
        out.gap = c + time_step * out.velocity;
    }
    return out.velocity > 0 && out.gap > 0 ? out : none;
}

/* Returns the velocity along the normal that the load of a pair, N s, gave to the bodies' centres of mass,
 * m/s; negative if they rebounded. Masses of 0: immovable. */
SHARED scalar load_velocity_of(scalar load, scalar mass_a, scalar mass_b) {
    return load * ((mass_a > 0 ? 1 / mass_a : 0) + (mass_b > 0 ? 1 / mass_b : 0));
}

/* A rebound is the bias b = −u⁺, negative like that of an overlap. For an overlap the stronger requirement
 * applies, which is the smaller b. An impact is rigid, so where restitution is the stronger, no compliance
 * softens it. With `split`, the position pass begins the bounce at the surface (displacement.h).
 *
 * The law u⁺ ≥ −e u⁻ also applies to separating contacts: an impulse that held one at b = c/h while others
 * bounce would do the work r (u⁻ + u⁺)/2 > 0 if u⁻ > c/h. If b = e u⁻ + s with s ≥ 0 for all, then r·u⁻ (1 +
 * e) = −r·A r − r·s with u⁺ = u⁻ + A r and u⁺ = −b where r > 0, so the energy gain r·(u⁻ + u⁺)/2 is at most
 * 0. With `split`, the position pass keeps such a contact from closing beyond its gap; the other schemes have
 * no such pass.
 *
 * The s term loses energy. s is large when another rebound drives bodies into a gap that was not closing,
 * where b = c/h. With `split`, the velocity pass leaves such a contact free up to the speed at which it is
 * driven, and it rebounds in the next step (deferred_impact.h).
 *
 * Bodies that press on each other must not rebound. In every step loads drive them together at the speed that
 * the impulses take away again, and an unconverged solve leaves a part of it. With `split`, an approach below
 * the velocity that the pair's impulses gave it in the last step, without a rebound, is therefore no impact.
 * Bodies that have just met in flight have no such impulses.
 *
 * Returns the terms of a contact's normal row. `acceleration` a: relative, b less a, along the normal, from
 * gravity and loads, m/s²; `restitution` e. */
SHARED stabilisation normal_row_terms(row_scheme scheme, row_state at, scalar acceleration,
                                      scalar restitution) {
    stabilisation out = gap_terms(scheme, at);
    const int traits = scheme_traits(scheme.kind), pushes = traits & SCHEME_PUSHES;
    /* A separating contact may return as fast as Newton's law allows. */
    if (pushes && at.rate > scheme.restitution_speed) out.bias = scalar_max(out.bias, restitution * at.rate);
    rebound back;
    back.velocity = back.gap = 0;
    if (restitution > 0 && !(at.deferred > 0) &&
        at.rate < -scheme.restitution_speed - (pushes ? scalar_max(at.load_velocity, 0) : 0))
        back = rebound_of(pushes, at.gap, at.rate, acceleration, restitution, scheme.time_step);
    if (!(back.velocity > 0 && -back.velocity < out.bias)) {
        if (at.deferred > 0) out.bias = scalar_max(out.bias, at.deferred);
        return out;
    }
    out.bias = -back.velocity;
    out.compliance = pushes ? -(scalar)0 : 0; /* the mark of block_rebounds */
    if (traits & SCHEME_SUBSTEPS) out.correction = out.bias;
    if (pushes)
        out.correction = scalar_min(out.correction, (at.gap + at.overlap - back.gap) / scheme.time_step);
    return out;
}

#endif

#endif
