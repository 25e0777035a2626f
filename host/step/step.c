/* One time step: the stages in order, each with const inputs and its own outputs (host/README.md).
 *
 *     bodies ─► boxes ─► pairs ─► manifolds ─► problem ─► predict ─► solve ─► integrate ─► detect again
 *                                                 ▲                                            │
 *                                                 └──────────────── new contacts ◄─────────────┘
 *
 * `prepare` updates orders and reserves memory. The stages write their results to the scratch memory, and
 * `commit` publishes them. Outlets and inlets act after that. */
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "rows/cohesion.h"
#include "rows/deferred_impact.h"
#include "rows/held_pair.h"
#include "rows/joint_limits.h"
#include "rows/joint_settle.h"
#include "rows/stabilisation.h"
#include "away.h"
#include "body_commit.h"
#include "kinematic_step.h"
#include "periodic_wrap.h"
#include "gyroscopic.h"
#include "statistics.h"
#include "joint_step.h"
#include "verify.h"

#include "motion.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static int threads_for(const step_context *step, int items) {
    return parallel_threads(step->model->threads, items);
}

/* Finds pairs and contacts on the device, or sets `barrier` to the reason why the host must do so. */
static scree_result collide_on_device(step_context *step, const char **barrier) {
    const world_model *model = step->model;
    step_scratch *scratch = step->scratch;
    scree_statistics *s = step->statistics;
    pair_search search = {.bodies = &scratch->bodies};
    contact_finding found = {
        .pairs = &s->pairs, .contacts = &scratch->contacts_next, .skims = &scratch->search.skims};
    if (!step->bodies_away)
        TRY(broadphase_describe(scratch->broadphase, &scratch->bodies, scratch->boxes, &search, &s->regrown));
    const contact_request request = {.pairs = &search,
                                     .before = &step->state->contacts,
                                     .margin = world_contact_margin(model),
                                     .time_step = (scalar)model->def.time_step,
                                     .stays = !step->stay_barrier,
                                     .maximum_contacts = model->def.maximum_contacts,
                                     .threads = model->threads,
                                     .scratch = &scratch->arena};
    TRY(step->backend->operations->find_contacts(step->backend, &request, &found, &s->regrown));
    *barrier = found.barrier;
    if (!found.barrier) s->stay_barrier = step->stay_barrier;
    return SCREE_OK;
}

static scree_result collide(step_context *step) {
    step_scratch *scratch = step->scratch;
    scree_statistics *s = step->statistics;
    const body_array *bodies = &scratch->bodies;
    const scalar margin = world_contact_margin(step->model), h = (scalar)step->model->def.time_step;
    const int threads = threads_for(step, bodies->count);
    stage_enter(SCREE_STAGE_BOUNDS);
    if (step->bodies_away) return collide_on_device(step, &s->contacts_barrier);
    TRY(MEMORY_RESERVE(scratch->boxes, scratch->bounds_capacity, bodies->count, &s->regrown));
    bounds_compute_padded(bodies, margin, h, threads, scratch->boxes);
    stage_enter(SCREE_STAGE_PAIRS);
    if (step->model->def.pipeline == SCREE_PIPELINE_DEVICE) {
        TRY(collide_on_device(step, &s->contacts_barrier));
        if (!s->contacts_barrier) return SCREE_OK;
    }
    TRY(broadphase_pairs(scratch->broadphase, bodies, scratch->boxes, NULL, h, threads, &s->pairs,
                         &s->regrown));
    stage_enter(SCREE_STAGE_CONTACTS);
    TRY(contacts_bring(&step->state->contacts));
    TRY(contacts_update(&scratch->contacts_next, &step->state->contacts, &scratch->search, bodies,
                        scratch->broadphase, margin, h, step->model->def.maximum_contacts, threads,
                        &s->regrown));
    return SCREE_OK;
}

/* Points the loads of a copy of the step's bodies to those with cohesive forces, if there are any. */
static void take_cohesive_loads(const step_context *step, body_array *loaded) {
    if (!(material_reach(&step->model->materials) < 0)) loaded->loads = step->scratch->cohesive_loads;
}

/* Adds cohesive forces to the loads of a copy of the step's bodies. */
static scree_result add_cohesive_forces(step_context *step, body_array *loaded) {
    const world_model *model = step->model;
    step_scratch *scratch = step->scratch;
    if (material_reach(&model->materials) < 0 || scratch->contacts_next.away) return SCREE_OK;
    TRY(MEMORY_RESERVE(scratch->cohesive_loads, scratch->load_capacity, scratch->bodies.count,
                       &step->statistics->regrown));
    TRY(cohesion_apply(&scratch->contacts_next, &scratch->bodies, &model->materials,
                       (scalar)model->def.time_step, model->threads, scratch->cohesive_loads));
    take_cohesive_loads(step, loaded);
    return SCREE_OK;
}

/* Returns the assembly of a step's problem. */
static problem_input problem_input_of(const step_context *step, const scree_solver_def *options,
                                      const scree_material_pair_def *alone) {
    const world_model *model = step->model;
    const int substeps = substep_count(options);
    return (problem_input){
        .contacts = &step->scratch->contacts_next,
        .bodies = &step->scratch->bodies,
        .materials = &model->materials,
        .alone = model->materials.count == 1 ? alone : NULL,
        .options = options,
        .motion = {step->scratch->gravity, (scalar)(model->def.time_step / (double)substeps)},
        .joints = &step->state->joints,
        .trial_velocities = substeps > 1 ? NULL : step->trial_velocities,
        .solved = substeps > 1 || !step->trial_velocities ? NULL : step->scratch->problem.velocity,
        .substeps = substeps};
}

/* Assembles the problem in the memory of a backend. */
static scree_result assemble_for(backend *engine, problem *p, const problem_input *from, int threads,
                                 int *regrown) {
    if (!engine->operations->place_blocks) return problem_assemble(p, from, threads, regrown);
    TRY(problem_arrange(p, from, threads, regrown));
    TRY(engine->operations->place_blocks(engine, p, from, regrown));
    return problem_fill(p, from, threads, regrown);
}

static scree_result assemble(step_context *step, problem_input *from) {
    step_scratch *scratch = step->scratch;
    int *regrown = &step->statistics->regrown;
    if (scratch->contacts_next.away) TRY(away_assemble(step, from));
    if (scratch->contacts_next.away) return SCREE_OK;
    TRY(assemble_for(step->backend, &scratch->problem, from, threads_for(step, scratch->contacts_next.points),
                     regrown));
#ifdef SCREE_VALIDATE
    TRY(problem_index(&scratch->problem, &scratch->bodies, step->model->threads, regrown));
    TRY(problem_validate(&scratch->problem, &scratch->bodies));
#endif
    return SCREE_OK;
}

/* Gives the contacts the solution. */
static scree_result scatter(step_context *step, const problem_input *from) {
    const problem *p = &step->scratch->problem;
    if (p->away)
        return step->backend->operations->stay->scatter(step->backend, p, from, step->model->threads);
    problem_scatter(p, from, problem_solved(p), step->model->threads);
    return SCREE_OK;
}

/* Solves the assembled problem once and integrates the bodies; `loaded` have cohesive forces. */
static scree_result solve_without_substeps(step_context *step, const problem_input *from, body_array loaded,
                                           const solve_request *request) {
    step_scratch *scratch = step->scratch;
    scree_statistics *s = step->statistics;
    problem *p = &scratch->problem;
    backend *engine = step->backend;
    const int threads = step->model->threads;
    stage_enter(SCREE_STAGE_PREDICT);
    TRY(engine->operations->predict(engine, &loaded, from->motion, p));
    stage_enter(SCREE_STAGE_COMMIT);
    s->verified = verify_is_due(step);
    if (s->verified) TRY(verify_prepare(step, from));
    stage_enter(SCREE_STAGE_SOLVE);
    solve_request assembled = *request;
    assembled.assembly = from;
    TRY(engine->operations->solve(engine, p, &assembled, &s->solve));
    s->solve.residual_absolute = scalbn(s->solve.residual_absolute, p->mass_exponent);
    stage_enter(SCREE_STAGE_COMMIT);
    if (s->verified) TRY(verify_compare(step, request->options));
    stage_enter(SCREE_STAGE_INTEGRATE);
    const bool away = step->bodies_away;
    TRY(engine->operations->integrate(engine, &loaded, p, from->motion, away ? NULL : scratch->next_poses,
                                      away ? NULL : scratch->next_remainders, away ? NULL : p->velocity));
    kinematic_step_set_end_poses(step);
    TRY(away_prescribe(step));
    TRY(scatter(step, from));
    scratch->work = (contact_work){0};
    step->work_due = step->need_work && p->away;
    if (step->need_work && !p->away) contact_work_add(from, p->velocity, 1, threads, &scratch->work);
    return SCREE_OK;
}

static scree_result solve(step_context *step, const solve_request *request) {
    const scree_material_pair_def first = material_combine(&step->model->materials, 0, 0);
    problem_input from = problem_input_of(step, request->options, &first);
    body_array loaded = step->scratch->bodies;
    stage_enter(SCREE_STAGE_ROWS);
    TRY(add_cohesive_forces(step, &loaded));
    TRY(assemble(step, &from));
    if (!step->scratch->problem.away) take_cohesive_loads(step, &loaded); /* the device has its own */
    if (!stabilisation_uses_substeps(request->options->stabilisation))
        return solve_without_substeps(step, &from, loaded, request);
    from.bodies = &loaded;
    stage_enter(SCREE_STAGE_SOLVE);
    TRY(substep_run(step, &from));
    kinematic_step_set_end_poses(step);
    return SCREE_OK;
}

/* Adds the work of an earlier solve to the report of the last one, whose residual stays. */
static void add_solve(const scree_solve_report *first, scree_solve_report *all) {
    all->residual_before = first->residual_before;
    all->iterations += first->iterations;
    all->restarts += first->restarts;
    all->fallbacks += first->fallbacks;
}

typedef struct finite_loop {
    const body_pose *poses;
    const body_velocity *velocities;
    int *first;
} finite_loop;

static void check_slice(const void *context, slice part) {
    const finite_loop loop = *(const finite_loop *)context;
    int first = INT_MAX;
    for (int i = part.first; i < part.end; i++)
        if (!state_finite(loop.poses[i], loop.velocities[i]) && i < first) first = i;
    parallel_lower(loop.first, first);
}

/* Fails before a NaN or an infinity enters the world: `first`: the first body with one, or the number of
 * bodies. */
static scree_result check_found(const step_context *step, int first) {
    const unsigned long long number = (unsigned long long)step->state->steps + 1;
    const bool bodies_finite = first == step->scratch->bodies.count;
    if (bodies_finite && !isnan(step->statistics->solve.residual)) return SCREE_OK;
    if (bodies_finite)
        return fail(SCREE_ERROR_NOT_FINITE,
                    "step %llu: residual is NaN: velocities, impulses or mass ratios exceed single "
                    "precision; world unchanged",
                    number);
    TRY(bodies_bring(&step->state->bodies));
    const vec3s at = step->state->bodies.poses[first].position;
    return fail_naming(
        fail(SCREE_ERROR_NOT_FINITE,
             "step %llu: the state of the body with id %d (at %g, %g, %g m) is not finite; world unchanged",
             number, first + 1, (double)at.x, (double)at.y, (double)at.z),
        first, -1);
}

static scree_result check_finite(step_context *step) {
    const int count = step->scratch->bodies.count;
    int first = count;
    if (step->bodies_away) {
        const scree_solver_def *options = &step->model->def.solver;
        TRY(away_check(step, options->warm_start && !stabilisation_uses_substeps(options->stabilisation)));
        return check_found(step, step->found.first);
    }
    parallel_for(threads_for(step, count), count, check_slice,
                 &(const finite_loop){.poses = step->scratch->next_poses,
                                      .velocities = step->scratch->problem.velocity,
                                      .first = &first});
    return check_found(step, first);
}

/* Impacts can create contacts that the initial velocities did not predict, and can turn bodies so that
 * contacts move. Pairs that would overlap at the end of the step become contacts, or get contacts at their
 * predicted places, and the solve resumes from its impulses. The next detection pass finds what that causes
 * elsewhere. Each body found again has been stopped once more, so a few passes suffice.
 *
 * If existing contacts only moved, a third of the iterations suffices: the landing of 8000 cubes is as
 * accurate as with all, and takes 1.3 instead of 1.6 times the time without these passes. A few contacts
 * of a large pile do not show in the global residual, which the first solve has already reduced, so neither a
 * tolerance nor a reduction can end their solve. They get that third at least, and the test of how many other
 * contacts violate their law is skipped. A FRACTION of 12 takes 16 % fewer iterations, but of nine balls in a
 * row that meet a wall late one is then off by 0.093 of 0.6 m/s instead of 0.01. */
enum { PASSES = 4, FRACTION = 3, FEW = 1000 /* one in this many contacts */ };

/* Adds the contacts that a detection pass found, and solves again. `deferred`: number of contacts that this
 * pass has deferred (deferred_impact.h); `joints`: number of limits that it has reached and of bends. */
/* Result of a detection pass. */
typedef struct pass_news {
    int late;          /* points of new contacts */
    int points;        /* of the contacts before */
    bool only_moved;   /* whether all of them had contacts before */
    int marks, joints; /* impacts deferred; joints with new rows */
} pass_news;

/* Solves the problem again with the new contacts. */
static scree_result solve_again(step_context *step, pass_news news) {
    scree_statistics *s = step->statistics;
    const scree_solve_report first = s->solve;
    const bool contacts_only = news.marks + news.joints == 0, only_moved = news.only_moved && contacts_only,
               few = contacts_only && (int64_t)news.late * FEW < news.points;
    scree_solver_def options = step->model->def.solver;
    const int fraction = (options.iterations + FRACTION - 1) / FRACTION;
    s->late += news.late;
    if (only_moved) options.iterations = fraction;
    if (only_moved || few) options.reduction = 1; /* the warm start of the step has already been used */
    if (few) options.violation_tolerance = 0;
    TRY(solve(step, &(solve_request){.options = &options, .least = few ? fraction : 0}));
    add_solve(&first, &s->solve);
    return SCREE_OK;
}

static scree_result add_new_contacts(step_context *step, const detection_pass *found, int deferred,
                                     int joints) {
    contact_set *contacts = &step->scratch->contacts_next;
    const pass_news news = {.late = found->found.points,
                            .points = contacts->points,
                            .only_moved = found->only_moved,
                            .marks = deferred,
                            .joints = joints};
    TRY(contacts_add(contacts, &found->found, step->model->def.maximum_contacts, &step->statistics->regrown));
    return solve_again(step, news);
}

/* Writes the number of contacts of which this pass defers the impact to the next step. */
static scree_result defer_impacts(step_context *step, int *deferred) {
    const scree_material_pair_def alone = material_combine(&step->model->materials, 0, 0);
    const problem_input from = problem_input_of(step, &step->model->def.solver, &alone);
    return deferred_impact_mark(&step->scratch->deferred, &from, step->model->threads, deferred,
                                &step->statistics->regrown);
}

/* Writes the number of joints whose limits the motion violates, and of those whose bends it changes. */
static void find_joints(step_context *step, int *limits, int *bends) {
    step->trial_velocities = step->scratch->detection.motion;
    problem_input from = problem_input_of(step, &step->model->def.solver, NULL);
    from.motion.time_step = (scalar)step->model->def.time_step;
    from.trial_velocities = step->trial_velocities;
    *limits = joint_limits_find(&from);
    *bends = from.solved ? joint_bends_find(&from) : 0;
}

/* Makes a detection pass on the device and adds what it finds; `ended`: nothing was new. If the device cannot
 * make it, brings the contacts to the host. */
static scree_result detect_away(step_context *step, const trial_motion *trial, bool *ended) {
    const stay_operations *stay = step->backend->operations->stay;
    contact_set *contacts = &step->scratch->contacts_next;
    const trial_request request = {.contacts = contacts,
                                   .margin = trial->margin,
                                   .time_step = trial->time_step,
                                   .smallest = trial->smallest};
    trial_finding found;
    int limits = 0, bends = 0, deferred;
    TRY(stay->find_trial(step->backend, &request, &found));
    if (found.asks) return away_bring_contacts(step, "a detection pass needs tests that the device lacks");
    TRY(stay->defer(step->backend, &step->scratch->problem, contacts, &deferred));
    if (!step->bodies_away) { /* there may be joints */
        TRY(detection_pass_move(&step->scratch->detection, trial, &step->state->joints,
                                &step->statistics->regrown));
        find_joints(step, &limits, &bends);
    }
    *ended = found.entries + deferred + limits + bends == 0;
    if (*ended) return SCREE_OK;
    const pass_news news = {.late = found.points,
                            .points = contacts->points,
                            .only_moved = found.only_moved,
                            .joints = limits + bends,
                            .marks = deferred};
    if (found.entries > 0)
        TRY(stay->add_trial(step->backend, contacts, &found, step->model->def.maximum_contacts));
    return solve_again(step, news);
}

/* Makes a detection pass and adds what it finds; `ended`: nothing was new. */
static scree_result detect(step_context *step, trial_motion *trial, bool *ended) {
    step_scratch *scratch = step->scratch;
    scree_statistics *s = step->statistics;
    detection_pass *pass = &scratch->detection;
    TRY(detection_pass_find(pass, trial, &scratch->contacts_next, &scratch->search.skims, scratch->broadphase,
                            scratch->boxes, threads_for(step, scratch->bodies.count), &s->regrown));
    int deferred, limits, bends;
    TRY(defer_impacts(step, &deferred));
    find_joints(step, &limits, &bends);
    *ended = pass->found.count + deferred + limits + bends == 0;
    return *ended ? SCREE_OK : add_new_contacts(step, pass, deferred, limits + bends);
}

/* Finds the work of contacts of the last solve, if that was on the device. */
static scree_result finish_work(step_context *step) {
    const scree_material_pair_def alone = material_combine(&step->model->materials, 0, 0);
    const problem_input from = problem_input_of(step, &step->model->def.solver, &alone);
    bool done = false;
    if (!step->work_due) return SCREE_OK;
    if (from.contacts->away)
        TRY(step->backend->operations->stay->add_work(step->backend, &from, &step->scratch->work, &done));
    if (done) return SCREE_OK;
    TRY(away_bring_contacts(step, AWAY_WITHOUT_DOUBLE));
    contact_work_add(&from, step->scratch->problem.velocity, 1, step->model->threads, &step->scratch->work);
    return SCREE_OK;
}

static scree_result detect_new_contacts(step_context *step) {
    step_scratch *scratch = step->scratch;
    scree_statistics *s = step->statistics;
    const contact_set *contacts = &scratch->contacts_next;
    const int threads = threads_for(step, scratch->bodies.count);
    trial_motion trial = {.bodies = &scratch->bodies,
                          .poses = scratch->next_poses,
                          .margin = world_contact_margin(step->model),
                          .time_step = (scalar)step->model->def.time_step,
                          .smallest = scratch->problem.smallest};
    int passes = 0;
    bool ended = false;
    for (; passes < PASSES; passes++) {
        trial.again = passes > 0;
        stage_enter(SCREE_STAGE_DETECTION);
        if (contacts->away) TRY(detect_away(step, &trial, &ended));
        if (!contacts->away && !ended) TRY(detect(step, &trial, &ended));
        if (ended) break;
    }
    TRY(finish_work(step));
    if (s->late > 0 && contacts->away)
        TRY(step->backend->operations->stay->settle(step->backend, contacts));
    else if (s->late > 0)
        contacts_settle(&scratch->contacts_next, threads);
    return passes > 0 ? check_finite(step) : SCREE_OK;
}

/* Resumes the solve from scaled-down impulses if it has ended with more of the warm start than is needed to
 * stop the bodies (warm_start.c). */
static scree_result solve_with_scaled_start(step_context *step) {
    step_scratch *scratch = step->scratch;
    problem *p = &scratch->problem;
    const int threads = step->model->threads;
    const scree_solver_def *options = &step->model->def.solver;
    const scree_material_pair_def alone = material_combine(&step->model->materials, 0, 0);
    problem_input from = problem_input_of(step, options, &alone);
    body_array loaded = scratch->bodies;
    const scree_solve_report first = step->statistics->solve;
    bool suspected;
    stage_enter(SCREE_STAGE_SOLVE);
    if (!options->warm_start || stabilisation_uses_substeps(options->stabilisation)) return SCREE_OK;
    take_cohesive_loads(step, &loaded);
    from.bodies = &loaded;
    TRY(p->away ? away_find_excess(step, &suspected)
                : warm_start_find_excess(&scratch->warm_start, p, &from, threads, &suspected,
                                         &step->statistics->regrown));
    take_cohesive_loads(step, &loaded);
    if (suspected) TRY(step->backend->operations->fetch(step->backend, p));
    if (suspected) TRY(warm_start_begin(&scratch->warm_start, p, threads, &step->statistics->regrown));
    const bool scaled = suspected && warm_start_scale(&scratch->warm_start, p, &from, threads);
    if (scaled) problem_scatter(p, &from, problem_solved(p), threads);
    if (!scaled) return SCREE_OK;
    TRY(solve(step, &(solve_request){.options = options}));
    add_solve(&first, &step->statistics->solve);
    return check_finite(step);
}

/* Corrects velocities for the pushes of the position pass on bound bodies. */
static scree_result settle_held_pairs(step_context *step) {
    step_scratch *scratch = step->scratch;
    const problem_input from = problem_input_of(step, &step->model->def.solver, NULL);
    if (!held_pairs_are_settled(&from)) return SCREE_OK;
    if (from.contacts->away) return away_settle_pairs(step);
    TRY(MEMORY_RESERVE(scratch->settling, scratch->settling_capacity, from.contacts->count,
                       &step->statistics->regrown));
    held_pairs_settle(&from, scratch->next_poses, step->model->threads, scratch->settling,
                      scratch->problem.velocity);
    return SCREE_OK;
}

/* Updates angular velocities gyroscopically over the step, or over its last substep. */
static void update_spins(step_context *step) {
    const world_model *model = step->model;
    const int substeps = substep_count(&model->def.solver);
    body_array last = step->state->bodies;
    if (substeps > 1) last.poses = step->scratch->substeps.poses;
    gyroscopic_update(step->backend, &last, step->scratch->next_poses,
                      (scalar)(model->def.time_step / (double)substeps), model->threads,
                      step->scratch->problem.velocity);
}

/* Updates angular velocities, and returns to pairs the angular momentum that joints have taken. */
static void update_spins_of_pairs(step_context *step) {
    const problem_input from = problem_input_of(step, &step->model->def.solver, NULL);
    joint_settle_begin(&from, step->scratch->problem.velocity);
    update_spins(step);
    joint_settle(&from, step->scratch->next_poses, step->scratch->problem.velocity);
}

/* Runs all stages; their results are in the scratch memory. */
static scree_result advance(step_context *step) {
    scree_statistics *s = step->statistics;
    step->scratch->has_problem = false;
    TRY(away_begin(step));
    TRY(kinematic_step_begin(step));
    TRY(collide(step));
    TRY(solve(step, &(solve_request){.options = &step->model->def.solver}));
    stage_enter(SCREE_STAGE_COMMIT);
    TRY(check_finite(step));
    TRY(solve_with_scaled_start(step));
    stage_enter(SCREE_STAGE_DETECTION);
    s->first_solve = s->solve;
    s->timing.first_solve = step->log->seconds[SCREE_STAGE_SOLVE] + step->log->seconds[SCREE_STAGE_POSITIONS];
    TRY(detect_new_contacts(step));
    stage_enter(SCREE_STAGE_COMMIT);
    if (!step->bodies_away) TRY(settle_held_pairs(step));
    if (!step->bodies_away) update_spins_of_pairs(step);
    return SCREE_OK;
}

/* Makes the step's results the world's state; `away`: those of the bodies on the device. Cannot fail. */
static void commit(scree_world *world, bool away) {
    world_state *state = &world->state;
    step_scratch *scratch = &world->scratch;
    const contact_set before = state->contacts;
    if (away)
        away_commit(world->backend, &state->bodies);
    else
        body_commit(&state->bodies, scratch, world->model.threads);
    joint_step_commit(&state->joints);
    state->contacts = scratch->contacts_next;
    scratch->contacts_next = before;
    periodic_wrap(world);
    state->gravity = vec3_out(scratch->gravity);
    state->work = scratch->work;
    state->steps++;
    scratch->has_problem = true;
}

/* Counts the bytes of a sweep if profiling is on, since that loops over all batches. */
static void count_sweep(const scree_world *world, scree_statistics *s) {
    const backend *engine = world->backend;
    const problem *p = &world->scratch.problem;
    if (world->model.def.profile && engine->operations->sweep_bytes && p->block_count > 0)
        s->sweep_bytes =
            engine->operations->sweep_bytes(engine, p, &world->state.bodies, &world->model.def.solver);
}

/* Calls between steps have changed the world: brings its orders and tilings up to date, and reserves the
 * memory that the end of the step needs. */
static scree_result prepare(scree_world *world, scree_statistics *s) {
    TRY(world_settle_backend(world));
    TRY(bodies_reserve(&world->state.bodies, 1));
    TRY(MEMORY_RESERVE(world->scratch.next_poses, world->scratch.next_pose_capacity,
                       world->state.bodies.count, &s->regrown));
    TRY(MEMORY_RESERVE(world->scratch.next_remainders, world->scratch.next_remainder_capacity,
                       world->state.bodies.count, &s->regrown));
    TRY(observers_begin(&world->observers, world));
    TRY(flow_reserve(world));
    TRY(periodic_reserve(world));
    TRY(periodic_prepare(&world->state.bodies));
    TRY(joint_step_begin(&world->state, world_time_after(&world->model, &world->state, 1)));
    kinematic_groups_compact(&world->model.kinematic_groups, world->state.bodies.group_numbers);
    /* Prescribed velocities may differ from those of a step that has failed. */
    world->state.bodies.written += kinematic_groups_any(&world->model.kinematic_groups);
    world->scratch.gravity = vec3_in(gravity_at(
        &world->model.gravity, world_time(world) + world->model.def.time_step / 2, world->state.gravity));
    return SCREE_OK;
}

/* Leaving out slices is no harm to the result, but shows that `run` is wrong. */
static scree_result check_tasks(const scree_world *world) {
    if (team_served(world->team)) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT,
                "tasks.run: returned before it had run all tasks; must run each one once");
}

static scree_result step_led(scree_world *world, scree_statistics *out) {
    scree_statistics s = {0};
    step_sums sums;
    TRY(prepare(world, &s));
    step_context step = {.model = &world->model,
                         .state = &world->state,
                         .scratch = &world->scratch,
                         .backend = world->backend,
                         .verification = &world->verification,
                         .need_work = world->observers.need_work,
                         .statistics = &s,
                         .log = &world->log};
    TRY(advance(&step));
    TRY(flow_check(world));
    TRY(check_tasks(world));
    TRY(away_end(&step, &sums));
    count_sweep(world, &s);
    TRY(periodic_find_crossings(world));
    commit(world, step.bodies_away);
    statistics_fill(world, &sums, &s);
    observers_end(&world->observers, world, &s);
    flow_act(world, &s);
    statistics_end(world, &s);
    world->state.statistics = s;
    if (out) *out = s;
    return SCREE_OK;
}

scree_result scree_world_step(scree_world *world, scree_statistics *out) {
    REQUIRE(world);
    group_meet(world->model.def.group);
    team *const before = team_lead(world->team);
    stage_log *const log = stage_log_lead(&world->log);
    stage_log_begin(&world->log, world->model.def.profile);
    const scree_result result = step_led(world, out);
    stage_log_lead(log);
    team_lead(before);
    return result;
}
