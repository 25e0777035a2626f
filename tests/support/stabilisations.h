/* Access to parameters that several stabilisations have. */
#pragma once

#include <scree/solver.h>

/* Sets the fraction of the overlap removed in a step, if the stabilisation has one. */
static inline void set_error_reduction(scree_solver_def *def, double value) {
    if (def->stabilisation == SCREE_STABILISATION_BAUMGARTE) def->baumgarte.error_reduction = (float)value;
    if (def->stabilisation == SCREE_STABILISATION_SPLIT) def->split.error_reduction = (float)value;
}

/* Sets the largest velocity that removes overlap, m/s, if the stabilisation has one. */
static inline void set_correction_speed(scree_solver_def *def, double value) {
    if (def->stabilisation == SCREE_STABILISATION_BAUMGARTE) def->baumgarte.correction_speed = (float)value;
    if (def->stabilisation == SCREE_STABILISATION_SPLIT) def->split.correction_speed = (float)value;
    if (def->stabilisation == SCREE_STABILISATION_RELAXED) def->relaxed.correction_speed = (float)value;
    if (def->stabilisation == SCREE_STABILISATION_SUBSTEP) def->substep.correction_speed = (float)value;
}

/* Sets the oscillator of `relaxed`: δ in s and ζ. */
static inline void set_oscillator(scree_solver_def *def, double time, double ratio) {
    if (def->stabilisation != SCREE_STABILISATION_RELAXED) return;
    def->relaxed.relaxation_time = (float)time;
    def->relaxed.damping_ratio = (float)ratio;
}

/* Sets the spring of a contact, N/m and N s/m, if the stabilisation has one; `substep` then uses it. */
static inline void set_contact_spring(scree_solver_def *def, double stiffness, double damping) {
    const scree_contact_spring spring = {.stiffness = (float)stiffness, .damping = (float)damping};
    if (def->stabilisation == SCREE_STABILISATION_SOFT) def->soft = spring;
    if (def->stabilisation == SCREE_STABILISATION_PENALTY) def->penalty = spring;
    if (def->stabilisation != SCREE_STABILISATION_SUBSTEP) return;
    def->substep.contact_frequency = 0;
    def->substep.spring = spring;
}
