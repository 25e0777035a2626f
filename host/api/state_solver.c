#include "state_solver.h"

stabilisation_columns state_take_stabilisation(const scree_solver_def *def) {
    stabilisation_columns out = {0};
    switch (def->stabilisation) {
    case SCREE_STABILISATION_BAUMGARTE:
        out.error_reduction = def->baumgarte.error_reduction;
        out.correction_speed = def->baumgarte.correction_speed;
        break;
    case SCREE_STABILISATION_SOFT:
        out.stiffness = def->soft.stiffness;
        out.damping = def->soft.damping;
        break;
    case SCREE_STABILISATION_SPLIT:
        out.error_reduction = def->split.error_reduction;
        out.correction_speed = def->split.correction_speed;
        out.position_iterations = def->split.position_iterations;
        out.position_follows = def->split.position_follows;
        out.position_tolerance = def->split.position_tolerance;
        break;
    case SCREE_STABILISATION_RELAXED:
        out.relaxation_time = def->relaxed.relaxation_time;
        out.damping_ratio = def->relaxed.damping_ratio;
        out.correction_speed = def->relaxed.correction_speed;
        break;
    case SCREE_STABILISATION_PENALTY:
        out.stiffness = def->penalty.stiffness;
        out.damping = def->penalty.damping;
        break;
    case SCREE_STABILISATION_SUBSTEP:
        out.substeps = def->substep.substeps;
        out.contact_frequency = def->substep.contact_frequency;
        out.contact_damping_ratio = def->substep.contact_damping_ratio;
        out.correction_speed = def->substep.correction_speed;
        out.stiffness = def->substep.spring.stiffness;
        out.damping = def->substep.spring.damping;
        break;
    case SCREE_STABILISATION_COUNT:
        break;
    }
    return out;
}

void state_give_stabilisation(const stabilisation_columns *from, scree_solver_def *def) {
    const scree_contact_spring spring = {.stiffness = from->stiffness, .damping = from->damping};
    switch (def->stabilisation) {
    case SCREE_STABILISATION_BAUMGARTE:
        def->baumgarte = (scree_baumgarte_def){.error_reduction = from->error_reduction,
                                               .correction_speed = from->correction_speed};
        break;
    case SCREE_STABILISATION_SOFT:
        def->soft = spring;
        break;
    case SCREE_STABILISATION_SPLIT:
        def->split = (scree_split_def){.error_reduction = from->error_reduction,
                                       .correction_speed = from->correction_speed,
                                       .position_iterations = from->position_iterations,
                                       .position_follows = from->position_follows != 0,
                                       .position_tolerance = from->position_tolerance};
        break;
    case SCREE_STABILISATION_RELAXED:
        def->relaxed = (scree_relaxed_def){.relaxation_time = from->relaxation_time,
                                           .damping_ratio = from->damping_ratio,
                                           .correction_speed = from->correction_speed};
        break;
    case SCREE_STABILISATION_PENALTY:
        def->penalty = spring;
        break;
    case SCREE_STABILISATION_SUBSTEP:
        def->substep = (scree_substep_def){.substeps = from->substeps,
                                           .contact_frequency = from->contact_frequency,
                                           .contact_damping_ratio = from->contact_damping_ratio,
                                           .correction_speed = from->correction_speed,
                                           .spring = spring};
        break;
    case SCREE_STABILISATION_COUNT:
        break;
    }
}
