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
 * `split` leaves an overlap's velocity alone (b = 0) and gives the same number to the position pass, where
 * pseudo-velocities obey the same inequality; there too open gaps allow no more than their closing. */
static stabilisation positional(const scree_solver_def *options, scalar gap, scalar time_step) {
    if (gap >= 0) {
        const scalar closing = gap / time_step;
        const bool split = options->stabilisation == SCREE_STABILISATION_SPLIT;
        return (stabilisation){.bias = closing, .correction = split ? closing : 0};
    }
    stabilisation out = {0};
    scalar share = options->error_reduction;
    if (options->stabilisation == SCREE_STABILISATION_SOFT) {
        const scalar resistance = time_step * options->stiffness + options->damping;
        share = time_step * options->stiffness / resistance;
        out.compliance = 1 / (time_step * resistance);
    }
    const scalar overlap = scalar_min(gap + options->slop, 0);
    const scalar wanted = scalar_max(share / time_step * overlap, -options->correction_speed);
    if (options->stabilisation == SCREE_STABILISATION_SPLIT)
        out.correction = wanted;
    else
        out.bias = wanted;
    return out;
}

/* Newton's restitution, J V⁺ ≥ −e u_N⁻ with u_N⁻ < 0, is the bias b = e u_N⁻ (negative, like that of an
 * overlap). It acts when the approach exceeds the threshold and the surfaces meet within the step, c + h u_N⁻
 * < 0; b = c/h would instead stop the bodies at the surface and lose the impact speed. On an overlap the
 * stronger demand, the smaller b, holds; an impact is rigid, so where restitution is the stronger no
 * compliance softens it. */
stabilisation stabilisation_of(const scree_solver_def *options, scalar gap, scalar approach,
                               scalar restitution, scalar time_step) {
    stabilisation out = positional(options, gap, time_step);
    const bool meets = gap <= 0 || gap + time_step * approach < 0;
    if (restitution > 0 && approach < -options->restitution_speed && meets) {
        const scalar rebound = restitution * approach;
        if (rebound < out.bias) {
            out.bias = rebound;
            out.compliance = 0;
        }
    }
    return out;
}
