/* Inputs of problem assembly, which also receive the solution. */
#pragma once

#include "detect/contacts.h"
#include "state/joints.h"
#include "model/materials.h"

#include <scree/solver.h>

typedef struct problem_input {
    contact_set *contacts; /* assembly writes colours, biases and compliances, problem_scatter impulses */
    const body_array *bodies;
    const material_table *materials;
    const scree_material_pair_def *alone; /* properties of all contacts if there is one material; else null */
    const scree_solver_def *options;
    motion_parameters motion;
    const joint_array *joints; /* sorted (joints_order); results go to joints->next; may be null */
    /* Poses at which the contacts were found, if the bodies have moved since; else null. */
    const body_pose *collided;
    /* Mean velocity of each body in the trial motion of the last detection pass; null before the first. */
    const body_velocity *trial_velocities;
    const body_velocity *solved; /* velocities of the last solve of the step; null before the first */
    int substeps;                /* substeps that share the warm start; 1 or 0: it is whole */
} problem_input;

static inline scalar problem_input_fraction(const problem_input *self) {
    return self->substeps > 0 ? 1 / (scalar)self->substeps : 1;
}
