/* What a problem is assembled from, and where its solution goes back to. */
#ifndef SCREE_CONSTRAINT_ASSEMBLY_H
#define SCREE_CONSTRAINT_ASSEMBLY_H

#include "collide/contacts.h"
#include "world/joints.h"
#include "world/materials.h"

#include <scree/solver.h>

typedef struct assembly {
    contact_set *contacts; /* colours are written by assembly, impulses by problem_scatter */
    const body_array *bodies;
    const material_table *materials;
    const scree_solver_def *options;
    motion_parameters motion;
    joint_array
        *joints; /* in order (joints_order); what the step makes of them goes to joints->next. Or null */
    bool without_incidence; /* it is made by problem_index if it is asked for; where there is a tail, at once
                             */
} assembly;

#endif
