#include "joint_row.h"

#include "stabilisation.h"

static const joint_row none = {0};

/* The stiffness k of a row is that of the coordinate, K, over the square of the scale: with w = scale c and a
 * row force f = F/scale, F = −K c becomes f = −(K/scale²) w. At 1e30 N/m or N s/m a spring is rigid for any
 * mass and time step; both constants are scaled down to that limit, so that products with them stay finite.
 * If the row has no mobility, the spring alone determines the residual's ρ, whose squares are finite up to
 * 1e12. */
static scalar stiffness_of(const scree_spring *spring, const joint_row_source *from, scalar *damping) {
    const double square = (double)from->scale * (double)from->scale, rigid = from->mobility > 0 ? 1e30 : 1e12;
    double k = (double)spring->stiffness / square, d = (double)spring->damping / square;
    if (spring->frequency > 0) {
        const double omega = 6.283185307179586 * (double)spring->frequency,
                     mass = from->mobility > 0 ? 1 / (double)from->mobility : 0;
        k = omega * omega * mass;
        d = 2 * (double)spring->damping_ratio * omega * mass;
    }
    const double fraction = rigid / fmax(rigid, fmax(k, d));
    *damping = (scalar)(fraction * d);
    return (scalar)(fraction * k);
}

/* A spring and damper at the distance w = scale (coordinate − rest) give r = −h k (w + h u) − h d' u, so that
 * u + r/(h (h k + d')) + k/(h k + d') w = 0. Evaluating the spring at the end of the step adds a damping of h
 * k, so only d' = max(0, d − h k) remains to be added. */
static void soften(joint_row *row, const scree_spring *spring, const joint_row_source *from, scalar rest) {
    scalar damping;
    const scalar h = from->time_step, k = stiffness_of(spring, from, &damping),
                 total = scalar_max(h * k, damping); /* h k + d' */
    row->compliance = 1 / (h * total);
    if (!isfinite(row->compliance)) { /* the spring has no force */
        *row = none;
        return;
    }
    row->bias = k / total * from->scale * (from->position + h * from->bend - rest);
    row->closing = row->push_low = row->push_high = 0;
}

/* Returns whether a spring or damper replaces the rigid row. */
static bool is_compliant(const scree_spring *spring) {
    return spring->stiffness > 0 || spring->damping > 0 || spring->frequency > 0;
}

/* Bodies move by h V, but the coordinate of a rotating body follows a curve: c⁺ = c + h (J V + b), where the
 * bend b is that of the motion for which rows are linearised (fill_joint.c). A lock requires J V⁺ = −b, the
 * velocity along the chord of the curve. The tangent, J V⁺ = 0, would leave the curve by h²b and lose the
 * fraction (ω h)²/2 of the speed in every step. With chords, V turns from one to the next as in the leapfrog
 * scheme (SHAKE: Ryckaert, Ciccotti, Berendsen 1977), and a pendulum keeps its energy. */
static void follow(joint_row *row, const joint_row_source *from) {
    row->bias += from->scale * from->bend;
    row->closing += from->scale * from->bend;
}

/* Returns the state of a row measured from `low`: w = scale (c − low). Its rate is that along the chord less
 * that of the curve, whose mean rate b is the same before and after the step. */
static row_state state_of(const joint_row_source *from, scalar low) {
    return (row_state){.gap = from->scale * (from->position - low),
                       .rate_before = from->scale * (from->rate - from->bend),
                       .mobility = from->least_mobility};
}

static joint_row locked(const joint_row_source *from) {
    const row_state at = state_of(from, from->axis->low);
    const stabilisation numbers = stabilisation_of_lock(from->options, &at, from->time_step);
    joint_row row = {.low = -INFINITY,
                     .high = INFINITY,
                     .bias = numbers.bias,
                     .compliance = numbers.compliance,
                     .closing = numbers.correction,
                     .push_low = -INFINITY,
                     .push_high = INFINITY};
    follow(&row, from);
    if (is_compliant(&from->axis->spring)) soften(&row, &from->axis->spring, from, from->axis->low);
    return row;
}

/* The spring and damper of a limit act on the part of the step beyond the limit. With the gap w = scale (c −
 * limit), seen from the limit's free side, the damper acts on the displacement h u + max(w, 0):
 *
 *     r = −h k (w + h u) − d' (h u + max(w, 0)).
 *
 * For w ≤ 0 this is the row of soften. For w > 0 it is, with h k + d' = max(h k, d), u + w/h + r/(h (h k +
 * d')) = 0: the limit acts where a hard one does, at w + h u = 0. */
static void soften_limit(joint_row *row, const joint_row_source *from, scalar limit, scalar sign) {
    const scalar h = from->time_step, gap = from->position + h * from->bend - limit;
    soften(row, &from->axis->spring, from, limit);
    if (sign * gap > 0) row->bias = from->scale * gap / h;
}

/* Returns whether the upper limit acts. A load can carry the coordinate through a narrow range in one step.
 */
static bool acts_above(const joint_row_source *from) {
    const scalar ahead = from->position + from->time_step * from->free_rate;
    return from->side ? from->side > 0 : from->axis->high - ahead < ahead - from->low;
}

/* An upper limit is a lower one with opposite sign. */
static joint_row limited(const joint_row_source *from) {
    const scree_joint_axis *axis = from->axis;
    const bool upper = acts_above(from);
    const scalar limit = upper ? axis->high : from->low, sign = upper ? -1 : 1;
    if (isinf(limit)) return none;
    const row_state at = state_of(from, limit), seen = {.gap = sign * at.gap,
                                                        .rate_before = sign * at.rate_before,
                                                        .mobility = at.mobility};
    const stabilisation numbers = stabilisation_of_limit(from->options, &seen, from->time_step);
    joint_row row = {.low = upper ? -INFINITY : 0,
                     .high = upper ? 0 : INFINITY,
                     .bias = sign * numbers.bias,
                     .compliance = numbers.compliance,
                     .closing = sign * numbers.correction,
                     .push_low = upper ? -INFINITY : 0,
                     .push_high = upper ? 0 : INFINITY};
    follow(&row, from);
    if (is_compliant(&axis->spring)) soften_limit(&row, from, limit, sign);
    return row;
}

static void bound(joint_row *row, scalar force, const joint_row_source *from) {
    row->high = from->time_step * force / from->scale;
    row->low = -row->high;
}

static joint_row driven(const joint_row_source *from) {
    const scree_joint_axis *axis = from->axis;
    joint_row row = none;
    bound(&row, axis->max_force, from);
    if (axis->drive == SCREE_DRIVE_POSITION)
        soften(&row, &axis->servo, from, from->target);
    else
        row.bias = -from->scale * from->target;
    return row;
}

static joint_row rubbed(const joint_row_source *from) {
    joint_row row = none;
    bound(&row, from->axis->friction, from);
    return row;
}

static joint_row row_of(joint_row_kind kind, const joint_row_source *from) {
    switch (kind) {
    case JOINT_ROW_HOLD:
        return joint_axis_is_locked(from->axis) ? locked(from) : limited(from);
    case JOINT_ROW_DRIVE:
        return driven(from);
    case JOINT_ROW_FRICTION:
        return rubbed(from);
    case JOINT_ROW_NONE:
        break;
    }
    return none;
}

/* Rows without stabilisation are the same in a relax sweep. */
joint_row joint_row_of(joint_row_kind kind, const joint_row_source *from) {
    joint_row row = row_of(kind, from);
    const bool rigid = kind == JOINT_ROW_HOLD && !is_compliant(&from->axis->spring);
    if (!rigid && stabilisation_uses_substeps(from->options->stabilisation)) {
        row.closing = row.bias;
        row.relaxed_compliance = row.compliance;
    }
    return row;
}
