#include "stabilisation.h"

#define ROW(KIND, name, traits)                                                                              \
    _Static_assert((int)SCHEME_##KIND == (int)SCREE_STABILISATION_##KIND, "schemes have the public order");
SCHEME_KINDS(ROW)
#undef ROW
_Static_assert((int)SCHEME_KIND_COUNT == (int)SCREE_STABILISATION_COUNT, "every stabilisation is a scheme");

bool stabilisation_has_position_pass(scree_stabilisation kind) {
    return scheme_traits((int)kind) & SCHEME_PUSHES;
}
bool stabilisation_uses_substeps(scree_stabilisation kind) {
    return scheme_traits((int)kind) & SCHEME_SUBSTEPS;
}

static row_scheme with_removal(row_scheme scheme, scalar error_reduction, scalar correction_speed) {
    scheme.error_reduction = error_reduction;
    scheme.correction_speed = correction_speed;
    return scheme;
}

static row_scheme with_rate(row_scheme scheme, scalar rate, scalar damping_ratio, scalar correction_speed) {
    scheme.rate = rate;
    scheme.damping_ratio = damping_ratio;
    scheme.correction_speed = correction_speed;
    return scheme;
}

static row_scheme with_spring(row_scheme scheme, const scree_contact_spring *spring) {
    return scheme_with_spring(scheme, spring->stiffness, spring->damping);
}

row_scheme row_scheme_of(const scree_solver_def *options, scalar time_step) {
    const row_scheme out = {.kind = (int)options->stabilisation,
                            .time_step = time_step,
                            .slop = options->slop,
                            .restitution_speed = options->restitution_speed,
                            .highest = SCHEME_HIGHEST};
    const scree_relaxed_def *relaxed = &options->relaxed;
    const scree_substep_def *substep = &options->substep;
    switch (options->stabilisation) {
    case SCREE_STABILISATION_BAUMGARTE:
        return with_removal(out, options->baumgarte.error_reduction, options->baumgarte.correction_speed);
    case SCREE_STABILISATION_SOFT:
        return with_spring(out, &options->soft);
    case SCREE_STABILISATION_SPLIT:
        return with_removal(out, options->split.error_reduction, options->split.correction_speed);
    case SCREE_STABILISATION_RELAXED:
        return with_rate(out, relaxed->relaxation_time, relaxed->damping_ratio, relaxed->correction_speed);
    case SCREE_STABILISATION_PENALTY:
        return with_spring(out, &options->penalty);
    case SCREE_STABILISATION_SUBSTEP:
        return with_spring(with_rate(out, substep->contact_frequency, substep->contact_damping_ratio,
                                     substep->correction_speed),
                           &substep->spring);
    default:
        return out;
    }
}

stabilisation stabilisation_of(const row_scheme *scheme, const row_state *at, scalar acceleration,
                               scalar restitution) {
    return normal_row_terms(*scheme, *at, acceleration, restitution);
}

stabilisation stabilisation_of_limit(const scree_solver_def *options, const row_state *at, scalar time_step) {
    row_state seen = *at;
    seen.overlap = scalar_max(-at->gap, 0);
    return gap_terms(row_scheme_of(options, time_step), seen);
}

/* An error of either sign is an overlap of one side or the other. */
stabilisation stabilisation_of_lock(const scree_solver_def *options, const row_state *at, scalar time_step) {
    row_scheme exact = row_scheme_of(options, time_step);
    exact.slop = 0;
    exact.highest = SCHEME_HIGHEST_LOCK;
    const scalar sign = at->gap > 0 ? -1 : 1;
    const row_state seen = {.gap = sign * at->gap,
                            .overlap = scalar_abs(at->gap),
                            .rate_before = sign * at->rate_before,
                            .mobility = at->mobility};
    stabilisation out = overlap_terms(exact, seen);
    out.bias *= sign;
    out.correction *= sign;
    return out;
}
