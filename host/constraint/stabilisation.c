#include "stabilisation.h"

/* The law asks for u_N + … ≥ 0 with u = A r + q, and a bias b in q_N turns that into
 *
 *     J V⁺ ≥ −b      (equality where r_N > 0).
 *
 * So every scheme is the choice of b, the negative of the normal velocity that the contact shall have after
 * the step.
 *
 * Open gap, c ≥ 0: the surfaces may close the gap within the step and no more: c + h J V⁺ ≥ 0, so b = c/h.
 *
 * Overlap, c < 0: a share β of the overlap beyond the slop is to be gone after the step: h J V⁺ = −β (c +
 * slop), so b = (β/h) min(c + slop, 0), not below −correction_speed.
 *
 * `soft` is a spring k and a damper d taken implicitly. With r = h F and F = −k (c + h u) − d u at the end of
 * the step,
 *
 *     r = −h k c − h (h k + d) u   ⇔   u + r/(h (h k + d)) + (k/(h k + d)) c = 0,
 *
 * which is the contact equation with b = (β/h) c, β = h k/(h k + d), and the compliance 1/(h (h k + d)) on
 * A_NN. (ODE's CFM = 1/(h k + d) multiplies forces; r is an impulse, hence the 1/h.)
 *
 * `split` leaves an overlap's velocity alone (b = 0) and gives the same numbers to the position pass, which
 * sees to it that positions, moved by both passes, obey the inequality (displacement.h). */
typedef stabilisation scheme(const scree_solver_def *options, scalar gap, scalar time_step);

/* The velocity that removes `share` of an overlap in one step. */
static scalar removal(const scree_solver_def *options, scalar share, scalar gap, scalar time_step) {
    const scalar overlap = scalar_min(gap + options->slop, 0);
    return scalar_max(share / time_step * overlap, -options->correction_speed);
}

static stabilisation baumgarte(const scree_solver_def *options, scalar gap, scalar time_step) {
    return (stabilisation){.bias = removal(options, options->error_reduction, gap, time_step)};
}

static stabilisation soft(const scree_solver_def *options, scalar gap, scalar time_step) {
    const scalar resistance = time_step * options->stiffness + options->damping;
    const scalar share = time_step * options->stiffness / resistance;
    return (stabilisation){.bias = removal(options, share, gap, time_step),
                           .compliance = 1 / (time_step * resistance)};
}

static stabilisation split(const scree_solver_def *options, scalar gap, scalar time_step) {
    return (stabilisation){.correction = removal(options, options->error_reduction, gap, time_step)};
}

/* What a scheme does about an overlap, and whether a position pass follows. */
typedef struct stabilisation_row {
    scheme *overlap;
    bool position_pass;
} stabilisation_row;

static const stabilisation_row rows[] = {
    [SCREE_STABILISATION_BAUMGARTE] = {baumgarte, false},
    [SCREE_STABILISATION_SOFT] = {soft, false},
    [SCREE_STABILISATION_SPLIT] = {split, true},
};
_Static_assert(sizeof rows / sizeof *rows == SCREE_STABILISATION_COUNT, "every stabilisation has a row");

bool stabilisation_moves_positions(scree_stabilisation kind) { return rows[kind].position_pass; }

static stabilisation positional(const scree_solver_def *options, scalar gap, scalar time_step) {
    const stabilisation_row *row = &rows[options->stabilisation];
    if (gap < 0) return row->overlap(options, gap, time_step);
    const scalar closing = gap / time_step;
    return (stabilisation){.bias = closing, .correction = row->position_pass ? closing : 0};
}

/* Newton's restitution, J V⁺ ≥ −e u_N⁻ with u_N⁻ < 0, is the bias b = e u_N⁻ (negative, like that of an
 * overlap). It acts when the approach exceeds the threshold and the surfaces meet within the step, c + h u_N⁻
 * < 0; b = c/h would instead stop the bodies at the surface and lose the impact speed. On an overlap the
 * stronger demand, the smaller b, holds; an impact is rigid, so where restitution is the stronger no
 * compliance softens it. With `split` the position pass begins the bounce at the surface (displacement.h). */
stabilisation stabilisation_of(const scree_solver_def *options, scalar gap, scalar approach,
                               scalar restitution, scalar time_step) {
    stabilisation out = positional(options, gap, time_step);
    const bool meets = gap <= 0 || gap + time_step * approach < 0;
    if (restitution > 0 && approach < -options->restitution_speed && meets) {
        const scalar rebound = restitution * approach;
        if (rebound < out.bias) {
            out.bias = rebound;
            out.compliance = 0;
            if (options->stabilisation == SCREE_STABILISATION_SPLIT)
                out.correction =
                    scalar_min(out.correction, scalar_max(gap, 0) * (1 + restitution) / time_step + rebound);
        }
    }
    return out;
}
