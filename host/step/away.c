#include "away.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "detect/body_bounds.h"
#include "rows/stabilisation.h"

#include "statistics.h"
#include "verify.h"

#include <string.h>

const char *away_barrier(const step_context *step) {
    const world_model *model = step->model;
    const stay_refusal refusal = step->scratch->refusal;
    if (!step->backend->operations->stay) return "the backend has no stages for contacts";
    if (verify_is_due(step)) return "the step is verified";
    if (stabilisation_uses_substeps(model->def.solver.stabilisation)) return "the stabilisation is substep";
    if (model->materials.count > STAY_MATERIALS) return "there are more than 32 materials";
    return refusal.definitions == step->state->bodies.definitions + 1 ? refusal.reason : NULL;
}
_Static_assert(STAY_MATERIALS == 32, "the number in the text");

scree_result away_prescribe(step_context *step) {
    const step_scratch *scratch = step->scratch;
    if (!scratch->problem.away || scratch->prescribed_count == 0) return SCREE_OK;
    return step->backend->operations->stay->prescribe(step->backend, scratch->prescribed,
                                                      scratch->prescribed_count, scratch->next_poses,
                                                      scratch->next_remainders);
}

static bool flows_act(const flow_array *flows) {
    for (int i = 0; i < flows->count; i++)
        if (flow_is_alive(&flows->items[i])) return true;
    return false;
}

/* Returns whether the motion of the bodies may stay on the device, too. */
static bool bodies_may_stay(const step_context *step) {
    const world_state *state = step->state;
    const backend_operations *operations = step->backend->operations;
    const pair_search pairs = {.bodies = &state->bodies};
    const contact_request request = {.pairs = &pairs, .before = &state->contacts};
    return step->model->def.pipeline == SCREE_PIPELINE_DEVICE && operations->stay && !step->stay_barrier &&
           !step->need_work && state->joints.link_count == 0 &&
           !kinematic_groups_any(&step->model->kinematic_groups) && !state->bodies.period.any &&
           !flows_act(&state->flows) && !operations->contacts_barrier(step->backend, &request) &&
           operations->stay->moves(step->backend, &state->bodies);
}

scree_result away_begin(step_context *step) {
    step->stay_barrier = away_barrier(step);
    step->bodies_away = bodies_may_stay(step);
    return step->bodies_away ? SCREE_OK : bodies_bring(&step->state->bodies);
}

/* Brings the motion of the bodies before and after the solve to the host, with what it computes from the
 * first. */
static scree_result bring_motion(step_context *step) {
    step_scratch *scratch = step->scratch;
    const body_array *bodies = &scratch->bodies;
    int *regrown = &step->statistics->regrown;
    if (!step->bodies_away) return SCREE_OK;
    TRY(bodies_bring(bodies));
    TRY(step->backend->operations->stay->bring_motion(step->backend, bodies->count, scratch->next_poses,
                                                      scratch->next_remainders, scratch->problem.velocity));
    TRY(MEMORY_RESERVE(scratch->boxes, scratch->bounds_capacity, bodies->count, regrown));
    bounds_compute_padded(bodies, world_contact_margin(step->model), (scalar)step->model->def.time_step,
                          parallel_threads(step->model->threads, bodies->count), scratch->boxes);
    step->bodies_away = false;
    return SCREE_OK;
}

/* Brings the loads with cohesive forces, with which the host goes on. */
static scree_result bring_loads(step_context *step) {
    step_scratch *scratch = step->scratch;
    if (material_reach(&step->model->materials) < 0) return SCREE_OK;
    TRY(MEMORY_RESERVE(scratch->cohesive_loads, scratch->load_capacity, scratch->bodies.count,
                       &step->statistics->regrown));
    return step->backend->operations->stay->bring_loads(step->backend, scratch->bodies.count,
                                                        scratch->cohesive_loads);
}

scree_result away_settle_pairs(step_context *step) {
    step_scratch *scratch = step->scratch;
    return step->backend->operations->stay->settle_pairs(step->backend, &scratch->contacts_next,
                                                         scratch->bodies.count, scratch->problem.velocity);
}

scree_result away_assemble(step_context *step, const problem_input *from) {
    step_scratch *scratch = step->scratch;
    const char *barrier = NULL;
    TRY(step->backend->operations->stay->assemble(
        step->backend, &scratch->problem, from, step->model->threads, &barrier, &step->statistics->regrown));
    if (!barrier) return SCREE_OK;
    scratch->refusal = (stay_refusal){scratch->bodies.definitions + 1, barrier};
    return away_bring_contacts(step, barrier);
}

scree_result away_bring_contacts(step_context *step, const char *reason) {
    step_scratch *scratch = step->scratch;
    contact_set *contacts = &scratch->contacts_next;
    TRY(bring_motion(step));
    if (!contacts->away) return SCREE_OK;
    if (!step->statistics->stay_barrier) step->statistics->stay_barrier = reason;
    TRY(bring_loads(step));
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
    TRY(away_bring_contacts(step, "impulses of an island must be scaled"));
    return bring_problem(step->model, step->backend, &scratch->problem, &scratch->contacts_next, step->state,
                         &scratch->bodies, &step->statistics->regrown);
}

static step_outlook outlook_of(const step_context *step) {
    const step_scratch *scratch = step->scratch;
    const double h = step->model->def.time_step;
    return (step_outlook){.trial = {.contacts = &scratch->contacts_next,
                                    .margin = world_contact_margin(step->model),
                                    .time_step = (scalar)h,
                                    .smallest = scratch->problem.smallest},
                          .motion = {scratch->gravity, (scalar)h},
                          .time_step = h};
}

scree_result away_check(step_context *step, bool weighs) {
    const step_outlook outlook = outlook_of(step);
    return step->backend->operations->stay->check(step->backend, &step->scratch->problem, weighs,
                                                  step->bodies_away ? &outlook : NULL, &step->found);
}

scree_result away_find_excess(step_context *step, bool *suspected) {
    const stay_operations *stay = step->backend->operations->stay;
    if (!step->bodies_away) TRY(away_check(step, true));
    *suspected = step->found.suspected;
    if (*suspected) TRY(stay->weigh(step->backend, &step->scratch->problem, suspected));
    return *suspected ? bring_all(step) : SCREE_OK;
}

scree_result away_end(step_context *step, step_sums *sums) {
    const stay_operations *stay = step->backend->operations->stay;
    const contact_set *contacts = &step->scratch->contacts_next;
    *sums = (step_sums){.has_bodies = step->bodies_away};
    if (step->bodies_away) {
        const step_outlook outlook = outlook_of(step);
        sums->has_contacts = true;
        return stay->end(step->backend, &outlook, &sums->bodies, &sums->contacts);
    }
    if (!contacts->away) return SCREE_OK;
    TRY(stay->sum_contacts(step->backend, contacts, &sums->contacts, &sums->has_contacts));
    return sums->has_contacts ? SCREE_OK : away_bring_contacts(step, AWAY_WITHOUT_DOUBLE);
}

/* Keeps the velocities of kinematic bodies, which a step without kinematic groups does not change. */
static void keep_earlier(body_array *bodies) {
    if (bodies->kept == bodies->written) return;
    for (int i = 0; i < bodies->count; i++)
        if (bodies->types[i] == SLOT_KINEMATIC) bodies->earlier[i] = bodies->velocities[i];
    bodies->kept = bodies->written;
}

static void drop_applied_loads(body_array *bodies) {
    if (!bodies->applied) return;
    for (int i = 0; i < bodies->count; i++) body_load_set(&bodies->loads[i], bodies->constant_loads[i]);
    bodies->applied = false;
    bodies->loaded++;
}

void away_commit(backend *engine, body_array *bodies) {
    keep_earlier(bodies);
    drop_applied_loads(bodies);
    if (bodies->gone_count > 0) memset(bodies->gone, 0, (size_t)bodies->count);
    bodies->gone_count = 0;
    bodies->changes++;
    engine->operations->stay->commit(engine, bodies);
}

scree_result world_bring_problem(scree_world *world) {
    problem *p = &world->scratch.problem;
    int regrown = 0;
    if (!world->scratch.has_problem || !p->away) return SCREE_OK;
    TRY(contacts_bring(&world->state.contacts));
    return bring_problem(&world->model, world->backend, p, &world->state.contacts, &world->state,
                         &world->state.bodies, &regrown);
}
