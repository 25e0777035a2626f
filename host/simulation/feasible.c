#include "feasible.h"

#include "base/error.h"
#include "matrix/feasibility.h"

enum { PATIENCE = 4 };            /* steps: an impact that ends within a few is no matter */
static const double LASTING = 0.05; /* of the largest free velocity */

/* At the fourth step in a row, the eighth, the sixteenth and so on, as it costs about as much as a solve. */
static bool is_time(int steps) { return steps >= PATIENCE && (steps & (steps - 1)) == 0; }

static scree_result look(scree_world *world) {
    problem *p = &world->step_problem;
    delassus a;
    infeasibility found;
    TRY(world->backend->verbs->fetch(world->backend, p));
    scree_result result = delassus_assemble(&a, p, false, world->threads);
    if (result == SCREE_ERROR_CAPACITY) return SCREE_OK; /* too dense to be formed: nothing is known */
    TRY(result);
    result = feasibility_look(&a, 0, &found);
    delassus_release(&a);
    if (result != SCREE_OK || !found.proven) return result;
    world->infeasible = true;
    world->infeasible_bodies[0] = p->blocks[found.block].body_a;
    world->infeasible_bodies[1] = p->blocks[found.block].body_b;
    return SCREE_OK;
}

scree_result feasible_check(scree_world *world, scree_statistics *s) {
    if (!(s->solve.violation > LASTING)) {
        world->violated = 0, world->infeasible = false;
        return SCREE_OK;
    }
    if (is_time(++world->violated)) {
        world->infeasible = false;
        TRY(look(world));
    }
    if (!world->infeasible) return SCREE_OK;
    s->solve.stop = SCREE_STOP_INFEASIBLE;
    s->infeasible_a = body_id_of(&world->bodies, world->infeasible_bodies[0]);
    s->infeasible_b = body_id_of(&world->bodies, world->infeasible_bodies[1]);
    return SCREE_OK;
}
