#include "stabilisation.h"

#include <stddef.h>

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
 * d (contact_pair). All but the fraction β of d is then to be removed: c + h J V⁺ = −d − β (slop − d). */
typedef stabilisation scheme(const scree_solver_def *options, const row_state *at, scalar time_step);

/* Returns the overlap to remove, m, ≤ 0. */
static scalar removable(const scree_solver_def *options, scalar gap) {
    return scalar_min(gap + options->slop, 0);
}

/* Returns the velocity that removes `fraction` of an overlap in one step, at most `limit`, m/s. */
static scalar removal_velocity(const scree_solver_def *options, scalar fraction, scalar limit, scalar gap,
                               scalar time_step) {
    return scalar_max(fraction / time_step * removable(options, gap), -limit);
}

static stabilisation baumgarte(const scree_solver_def *options, const row_state *at, scalar time_step) {
    const scree_baumgarte_def *own = &options->baumgarte;
    return (stabilisation){
        .bias = removal_velocity(options, own->error_reduction, own->correction_speed, at->gap, time_step)};
}

/* Returns the terms of a spring and a damper. `damping` is h k + d of the step, N s/m. */
static stabilisation spring_and_damper(const scree_solver_def *options, scalar stiffness, scalar damping,
                                       scalar gap, scalar time_step) {
    return (stabilisation){.bias = stiffness / damping * removable(options, gap),
                           .compliance = 1 / (time_step * damping)};
}

static stabilisation implicit_spring(const scree_solver_def *options, const scree_contact_spring *spring,
                                     const row_state *at, scalar time_step) {
    return spring_and_damper(options, spring->stiffness, time_step * spring->stiffness + spring->damping,
                             at->gap, time_step);
}

static stabilisation soft(const scree_solver_def *options, const row_state *at, scalar time_step) {
    return implicit_spring(options, &options->soft, at, time_step);
}

static stabilisation penalty(const scree_solver_def *options, const row_state *at, scalar time_step) {
    const scree_contact_spring *spring = &options->penalty;
    return spring_and_damper(options, spring->stiffness,
                             scalar_max(spring->damping, time_step * spring->stiffness), at->gap, time_step);
}

/* Returns h/δ, the relaxation in one step, limited to the stable range. */
static scalar relaxation_rate(const scree_relaxed_def *own, scalar time_step) {
    return scalar_min(time_step / own->relaxation_time, 1 / (2 * scalar_max(1, own->damping_ratio)));
}

scalar stabilisation_slip_factor(const scree_solver_def *options, scalar time_step) {
    if (options->stabilisation != SCREE_STABILISATION_RELAXED) return 0;
    return 2 * options->relaxed.damping_ratio * relaxation_rate(&options->relaxed, time_step) - 1;
}

static stabilisation relaxed(const scree_solver_def *options, const row_state *at, scalar time_step) {
    const scree_relaxed_def *own = &options->relaxed;
    const scalar x = relaxation_rate(own, time_step),
                 damped = (1 - 2 * own->damping_ratio * x) * at->rate_before,
                 correction = -x * x / time_step * removable(options, at->gap),
                 limit = scalar_max(own->correction_speed - damped, 0);
    return (stabilisation){.bias = -(damped + scalar_min(correction, limit))};
}

static stabilisation split(const scree_solver_def *options, const row_state *at, scalar time_step) {
    return (stabilisation){.correction =
                               stabilisation_split_correction(options, at->gap, at->overlap, time_step)};
}

/* `highest`: limit of the frequency as a fraction of the substep rate. */
static stabilisation substep_spring(const scree_solver_def *options, const row_state *at, scalar time_step,
                                    scalar highest) {
    const scree_substep_def *own = &options->substep;
    if (!(own->contact_frequency > 0)) return implicit_spring(options, &own->spring, at, time_step);
    const scalar phase = (scalar)6.283185307179586 *
                         scalar_min(own->contact_frequency * time_step, highest), /* h ω */
        damping = 2 * own->contact_damping_ratio + phase;                         /* (h k + d) A/ω */
    return (stabilisation){
        .bias = removal_velocity(options, phase / damping, own->correction_speed, at->gap, time_step),
        .compliance = at->mobility / (phase * damping)};
}

static stabilisation substep(const scree_solver_def *options, const row_state *at, scalar time_step) {
    return substep_spring(options, at, time_step, (scalar)0.15);
}

static stabilisation substep_lock(const scree_solver_def *options, const row_state *at, scalar time_step) {
    return substep_spring(options, at, time_step, (scalar)0.25);
}

/* A scheme: its treatment of overlaps and of the errors of locked joint axes, whether open gaps have the same
 * compliance, and whether it has a position pass or substeps, which end with a relax sweep. */
typedef struct stabilisation_row {
    scheme *overlap, *lock;
    bool compliant_gaps, position_pass, substeps;
} stabilisation_row;

static const stabilisation_row rows[] = {
    [SCREE_STABILISATION_BAUMGARTE] = {baumgarte, baumgarte, false, false, false},
    [SCREE_STABILISATION_SOFT] = {soft, soft, true, false, false},
    [SCREE_STABILISATION_SPLIT] = {split, split, false, true, false},
    [SCREE_STABILISATION_RELAXED] = {relaxed, relaxed, false, false, false},
    [SCREE_STABILISATION_PENALTY] = {penalty, penalty, true, false, false},
    [SCREE_STABILISATION_SUBSTEP] = {substep, substep_lock, false, false, true},
};
_Static_assert(sizeof rows / sizeof *rows == SCREE_STABILISATION_COUNT, "every stabilisation has a row");

scree_contact_spring *stabilisation_spring(scree_solver_def *options) {
    if (options->stabilisation == SCREE_STABILISATION_SOFT) return &options->soft;
    if (options->stabilisation == SCREE_STABILISATION_PENALTY) return &options->penalty;
    return options->stabilisation == SCREE_STABILISATION_SUBSTEP ? &options->substep.spring : NULL;
}

bool stabilisation_has_position_pass(scree_stabilisation kind) { return rows[kind].position_pass; }
bool stabilisation_uses_substeps(scree_stabilisation kind) { return rows[kind].substeps; }

/* Returns the terms of a row without restitution. */
static stabilisation without_restitution(const scree_solver_def *options, const row_state *at,
                                         scalar time_step) {
    const stabilisation_row *row = &rows[options->stabilisation];
    if (at->gap < 0) return row->overlap(options, at, time_step);
    const scalar closing = at->gap / time_step;
    return (stabilisation){.bias = closing,
                           .compliance =
                               row->compliant_gaps ? row->overlap(options, at, time_step).compliance : 0,
                           .correction = row->position_pass || row->substeps ? closing : 0};
}

stabilisation stabilisation_of_limit(const scree_solver_def *options, const row_state *at, scalar time_step) {
    row_state seen = *at;
    seen.overlap = scalar_max(-at->gap, 0);
    return without_restitution(options, &seen, time_step);
}

/* An error of either sign is an overlap of one side or the other. */
stabilisation stabilisation_of_lock(const scree_solver_def *options, const row_state *at, scalar time_step) {
    scree_solver_def exact = *options;
    exact.slop = 0;
    const scalar sign = at->gap > 0 ? -1 : 1;
    const row_state seen = {.gap = sign * at->gap,
                            .overlap = scalar_abs(at->gap),
                            .rate_before = sign * at->rate_before,
                            .mobility = at->mobility};
    stabilisation out = rows[options->stabilisation].lock(&exact, &seen, time_step);
    out.bias *= sign;
    out.correction *= sign;
    return out;
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
static rebound rebound_of(bool from_surface, scalar gap, scalar approach, scalar acceleration,
                          scalar restitution, scalar time_step) {
    const scalar c = scalar_max(gap, 0), half = acceleration * time_step / 2, now = approach + half;
    const rebound none = {0};
    if (gap > 0 && !(gap + time_step * (now + half) < 0)) return none;
    const scalar square = now * now - 2 * acceleration * c;
    if (!(now < 0 && square > 0)) return none;
    const scalar speed = restitution * scalar_sqrt(square),
                 remaining = time_step - 2 * c / (scalar_sqrt(square) - now);
    rebound out = {.velocity = speed + acceleration * remaining - half,
                   .gap = remaining * (speed + acceleration * remaining / 2)};
    if (!from_surface) {
        const scalar energy = speed * speed + 2 * acceleration * c;
        if (!(energy > 0)) return none;
        out.velocity = half + scalar_sqrt(energy);
        out.gap = c + time_step * out.velocity;
    }
    return out.velocity > 0 && out.gap > 0 ? out : none;
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
 * Bodies that have just met in flight have no such impulses. */
stabilisation stabilisation_of(const scree_solver_def *options, const row_state *at, scalar acceleration,
                               scalar restitution, scalar time_step) {
    stabilisation out = without_restitution(options, at, time_step);
    const bool split = rows[options->stabilisation].position_pass;
    /* A separating contact may return as fast as Newton's law allows. */
    if (split && at->rate > options->restitution_speed)
        out.bias = scalar_max(out.bias, restitution * at->rate);
    rebound back = {0};
    if (restitution > 0 && !(at->deferred > 0) &&
        at->rate < -options->restitution_speed - (split ? scalar_max(at->load_velocity, 0) : 0))
        back = rebound_of(split, at->gap, at->rate, acceleration, restitution, time_step);
    if (!(back.velocity > 0 && -back.velocity < out.bias)) {
        if (at->deferred > 0) out.bias = scalar_max(out.bias, at->deferred);
        return out;
    }
    out.bias = -back.velocity;
    out.compliance = split ? -(scalar)0 : 0; /* the mark of block_rebounds */
    if (rows[options->stabilisation].substeps) out.correction = out.bias;
    if (split) out.correction = scalar_min(out.correction, (at->gap + at->overlap - back.gap) / time_step);
    return out;
}
