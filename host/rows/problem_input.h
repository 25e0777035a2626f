/* What a problem is assembled from, and where its solution goes back to. */
#ifndef SCREE_ROWS_PROBLEM_INPUT_H
#define SCREE_ROWS_PROBLEM_INPUT_H

#include "detect/contacts.h"
#include "model/joints.h"
#include "model/materials.h"

#include <scree/solver.h>

typedef struct problem_input {
    contact_set *contacts; /* colours are written by assembly, impulses by problem_scatter */
    const body_array *bodies;
    const material_table *materials;
    const scree_material_pair_def *alone; /* what all contacts have, where there is one material; or null */
    const scree_solver_def *options;
    motion_parameters motion;
    joint_array
        *joints; /* in order (joints_order); what the step makes of them goes to joints->next. Or null */
    bool without_incidence; /* it is made by problem_index if it is asked for; where there is a tail, at once
                             */
    bool lodges;            /* blocks may lie in the problem's room: the solve packs them, if it can */
    const body_pose
        *collided;  /* poses that the contacts are of, where the bodies have moved on since; or null */
    scalar fastest; /* problem_input_fastest */
    int parts;      /* of a step, among which start impulses are divided; 0: it is not divided */
} problem_input;

/* The speed that no point of a body exceeds, m/s; 0 where no material bounces, which alone ask for it. */
scalar problem_input_fastest(const body_array *bodies, const material_table *materials, int threads);

static inline scalar kinematic_group_part(const problem_input *self) {
    return self->parts > 0 ? 1 / (scalar)self->parts : 1;
}

#endif
