#include "away.h"

#include "rows/stabilisation.h"

#include "statistics.h"
#include "verify.h"

bool contacts_may_stay(const step_context *step) {
    const world_model *model = step->model;
    return step->backend->operations->stay && !step->need_work && !verify_is_due(step) &&
           !stabilisation_uses_substeps(model->def.solver.stabilisation) &&
           !material_bounces(&model->materials) && model->materials.count <= STAY_MATERIALS;
}

scree_result away_prescribe(step_context *step) {
    const step_scratch *scratch = step->scratch;
    if (!scratch->problem.away || scratch->prescribed_count == 0) return SCREE_OK;
    return step->backend->operations->stay->prescribe(step->backend, scratch->prescribed,
                                                      scratch->prescribed_count, scratch->next_poses,
                                                      scratch->next_remainders);
}

scree_result away_bring_contacts(step_context *step) {
    step_scratch *scratch = step->scratch;
    contact_set *contacts = &scratch->contacts_next;
    if (!contacts->away) return SCREE_OK;
    TRY(step->backend->operations->stay->bring_skims(step->backend, contacts, &scratch->search.skims,
                                                     &step->statistics->regrown));
    return contacts_bring(contacts);
}

/* Brings a problem to the host, whose contacts are there. */
static scree_result bring_problem(const world_model *model, backend *engine, problem *p,
                                  contact_set *contacts, const world_state *state, const body_array *bodies,
                                  int *regrown) {
    const problem_input from = {.contacts = contacts,
                                .bodies = bodies,
                                .materials = &model->materials,
                                .joints = &state->joints,
                                .options = &model->def.solver};
    return engine->operations->stay->bring_problem(engine, p, &from, model->threads, regrown);
}

/* Brings the problem and the contacts of the step to the host. */
static scree_result bring_all(step_context *step) {
    step_scratch *scratch = step->scratch;
    TRY(away_bring_contacts(step));
    return bring_problem(step->model, step->backend, &scratch->problem, &scratch->contacts_next, step->state,
                         &scratch->bodies, &step->statistics->regrown);
}

scree_result away_find_excess(step_context *step, bool *suspected) {
    TRY(step->backend->operations->stay->find_excess(step->backend, &step->scratch->problem, suspected));
    return *suspected ? bring_all(step) : SCREE_OK;
}

scree_result away_sum_contacts(step_context *step, statistic_sums *sums, bool *summed) {
    const contact_set *contacts = &step->scratch->contacts_next;
    const problem *p = &step->scratch->problem;
    *summed = false;
    if (p->away && contacts->has_resistance && p->remainder_first < p->block_count) TRY(bring_all(step));
    if (!contacts->away) return SCREE_OK;
    TRY(step->backend->operations->stay->sum_contacts(step->backend, contacts, sums, summed));
    return *summed ? SCREE_OK : away_bring_contacts(step);
}

scree_result world_bring_problem(scree_world *world) {
    problem *p = &world->scratch.problem;
    int regrown = 0;
    if (!world->scratch.has_problem || !p->away) return SCREE_OK;
    TRY(contacts_bring(&world->state.contacts));
    return bring_problem(&world->model, world->backend, p, &world->state.contacts, &world->state,
                         &world->state.bodies, &regrown);
}
