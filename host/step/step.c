/* One time step: the stages in order, each with const inputs and its own outputs.
 *
 *     bodies ─► boxes ─► pairs ─► manifolds ─► problem ─► predict ─► solve ─► integrate ─► detect again
 *                                                 ▲                                            │
 *                                                 └──────────────── new contacts ◄─────────────┘
 *
 * All results are written to separate arrays. The world's state changes only in `commit`. */
#include "base/clock.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "rows/cohesion.h"
#include "rows/stabilisation.h"
#include "api/kinematic_group.h"
#include "periodic_wrap.h"
#include "gyroscopic.h"
#include "feasible.h"
#include "statistics.h"
#include "joint.h"
#include "verify.h"

#include <math.h>
#include <string.h>

/* Adds the time since the last call to that of a stage, s. */
static void lap(double *mark, double *out) {
    const double now = clock_seconds();
    *out += now - *mark;
    *mark = now;
}

/* Returns the gap up to which a pair is a contact without any approach, m. */
static scalar contact_margin(const scree_world *world) {
    return fmaxf(world->model.def.speculative_distance, material_reach(&world->model.materials));
}

static scree_result collide(scree_world *world, scree_statistics *s, double *mark) {
    const body_array *bodies = &world->state.bodies;
    const scalar margin = contact_margin(world), h = (scalar)world->model.def.time_step;
    const int threads = parallel_threads(world->model.threads, bodies->count);
    TRY(MEMORY_RESERVE(world->scratch.boxes, world->scratch.bounds_capacity, bodies->count, &s->regrown));
    bounds_update(bodies, margin, h, threads, world->scratch.boxes);
    lap(mark, &s->timing.bounds);
    TRY(broadphase_pairs(world->scratch.broadphase, bodies, world->scratch.boxes, h, threads, &s->pairs,
                         &s->regrown));
    lap(mark, &s->timing.pairs);
    TRY(contacts_update(&world->scratch.contacts_next, &world->state.contacts, &world->scratch.search, bodies,
                        world->scratch.broadphase, margin, h, world->model.def.maximum_contacts, threads,
                        &s->regrown));
    lap(mark, &s->timing.manifolds);
    return SCREE_OK;
}

/* Adds cohesive forces to the loads of the step's copy of the bodies. */
static scree_result pull(scree_world *world, body_array *bodies, int *regrown) {
    if (material_reach(&world->model.materials) < 0) return SCREE_OK;
    TRY(MEMORY_RESERVE(world->scratch.cohesive_loads, world->scratch.load_capacity, bodies->count, regrown));
    TRY(cohesion_apply(&world->scratch.contacts_next, bodies, &world->model.materials,
                       (scalar)world->model.def.time_step, world->model.threads,
                       world->scratch.cohesive_loads));
    bodies->loads = world->scratch.cohesive_loads;
    return SCREE_OK;
}

/* Converts the problem back to kilograms for its readers. */
static scree_result give_unit_back(scree_world *world, scree_statistics *s) {
    problem *p = &world->scratch.problem;
    if (!world->scratch.unit.exponent) return SCREE_OK;
    TRY(world->backend->verbs->fetch(world->backend, p));
    mass_unit_give_back(&world->scratch.unit, p, world->model.threads);
    s->solve.residual_absolute = scalbn(s->solve.residual_absolute, world->scratch.unit.exponent);
    return SCREE_OK;
}

/* Returns the assembly of a step's problem, without `fastest`, which costs a loop over the bodies. */
static problem_input problem_input_of(scree_world *world, const scree_solver_def *options,
                                      const scree_material_pair_def *alone) {
    const int parts = substep_count(options);
    const backend *engine = world->backend;
    return (problem_input){
        .contacts = &world->scratch.contacts_next,
        .bodies = &world->state.bodies,
        .materials = &world->model.materials,
        .alone = world->model.materials.count == 1 ? alone : NULL,
        .options = options,
        .motion = {world->scratch.gravity, (scalar)(world->model.def.time_step / (double)parts)},
        .joints = &world->state.joints,
        .without_incidence = engine->verbs->sums_by_colour && engine->verbs->sums_by_colour(engine, options),
        .lodges = engine->verbs->packs && engine->verbs->packs(engine, options) &&
                  !stabilisation_relaxes(options->stabilisation),
        .parts = parts};
}

static scree_result solve(scree_world *world, const solve_request *request, scree_statistics *s,
                          double *mark) {
    const scree_solver_def *options = request->options;
    problem *p = &world->scratch.problem;
    backend *engine = world->backend;
    const scree_material_pair_def first = material_combine(&world->model.materials, 0, 0);
    problem_input from = problem_input_of(world, options, &first);
    from.fastest = problem_input_fastest(&world->state.bodies, &world->model.materials,
                                         parallel_threads(world->model.threads, world->state.bodies.count));
    const motion_parameters motion = from.motion;
    TRY(problem_assemble(
        p, &from, parallel_threads(world->model.threads, world->scratch.contacts_next.points), &s->regrown));
#ifdef SCREE_VALIDATE
    TRY(problem_index(p, &world->state.bodies, world->model.threads, &s->regrown));
    TRY(problem_validate(p, &world->state.bodies));
#endif
    body_array bodies = world->state.bodies;
    TRY(pull(world, &bodies, &s->regrown));
    lap(mark, &s->timing.problem);
    if (stabilisation_relaxes(options->stabilisation)) {
        TRY(substep_run(world, &from, &bodies, s));
        kinematic_group_step_place(world);
        lap(mark, &s->timing.solve);
        return SCREE_OK;
    }
    TRY(mass_unit_take(&world->scratch.unit, &bodies, p, world->model.threads, &s->regrown));
    lap(mark, &s->timing.problem);
    TRY(engine->verbs->predict(engine, &bodies, motion, p));
    lap(mark, &s->timing.predict);
    s->verified =
        world->verification.every > 0 && (world->state.steps + 1) % (uint64_t)world->verification.every == 0;
    if (s->verified) TRY(verify_prepare(world));
    lap(mark, &s->timing.statistics);
    TRY(engine->verbs->solve(engine, p, request, &s->solve));
    lap(mark, &s->timing.solve);
    if (s->verified) TRY(verify_compare(world, options, s));
    lap(mark, &s->timing.statistics);
    TRY(engine->verbs->integrate(engine, &bodies, p, motion, world->scratch.next_poses,
                                 world->scratch.problem.velocity));
    TRY(give_unit_back(world, s));
    kinematic_group_step_place(world);
    problem_scatter(p, &from, problem_solved(p), world->model.threads);
    world->state.work = (contact_work){0};
    if (world->observers.need_work)
        contact_work_add(&from, world->scratch.problem.velocity, 1, world->model.threads, &world->state.work);
    lap(mark, &s->timing.integrate);
    return SCREE_OK;
}

static void add_solve(const scree_solve_report *first, scree_solve_report *all) {
    all->residual_before = first->residual_before;
    all->iterations += first->iterations;
    all->restarts += first->restarts;
    all->fallbacks += first->fallbacks;
}

/* Impacts can create contacts that the initial velocities did not predict, and can turn bodies so that
 * contacts move. Pairs that would overlap at the end of the step become contacts, or get contacts at their
 * predicted places, and the solve resumes from its impulses. The next detection pass finds what that causes
 * elsewhere. Each body found again has been stopped once more, so a few passes suffice.
 *
 * If contacts only moved, little has to change: with a third of the iterations the landing of 8000 cubes is
 * as accurate as with all, and takes 1.3 instead of 1.6 times the time without these passes. A few contacts
 * of a large pile do not show in the global residual, which the first solve has already reduced, so neither a
 * tolerance nor a reduction can end their solve. They get that third at least, and the test of how many other
 * contacts violate their law is skipped. A SHARE of 12 takes 16 % fewer iterations, but of nine balls in a
 * row that meet a wall late one is then off by 0.093 of 0.6 m/s instead of 0.01. */
enum { LOOKS = 4, SHARE = 3, FEW = 1000 /* one in this many contacts */ };

static scree_result detect_new_contacts(scree_world *world, scree_statistics *s, double *mark) {
    motion_ahead ahead = {.bodies = &world->state.bodies,
                          .poses = world->scratch.next_poses,
                          .velocities = world->scratch.problem.velocity,
                          .margin = contact_margin(world),
                          .time_step = (scalar)world->model.def.time_step,
                          .smallest = world->scratch.problem.smallest};
    const int threads = parallel_threads(world->model.threads, world->state.bodies.count),
              most = world->model.def.maximum_contacts;
    detection_pass *look = &world->scratch.detection;
    for (int looks = 0; looks < LOOKS; looks++) {
        const scree_solve_report first = s->solve;
        scree_solver_def options = world->model.def.solver;
        ahead.again = looks > 0;
        TRY(detection_pass_find(look, &ahead, &world->scratch.contacts_next, &world->scratch.search.skims,
                                world->scratch.broadphase, world->scratch.boxes, threads, &s->regrown));
        lap(mark, &s->timing.pairs);
        const int met = look->missed.count + look->entered.count;
        if (met + look->predicted.count == 0) break;
        const int late = look->missed.points + look->entered.points + look->predicted.points;
        const bool few = (int64_t)late * FEW < world->scratch.contacts_next.points;
        s->late += late;
        TRY(contacts_add(&world->scratch.contacts_next, &look->predicted, most, &s->regrown));
        TRY(contacts_add(&world->scratch.contacts_next, &look->entered, most, &s->regrown));
        TRY(contacts_add(&world->scratch.contacts_next, &look->missed, most, &s->regrown));
        const int share = (options.iterations + SHARE - 1) / SHARE;
        if (met == 0) options.iterations = share;
        if (met == 0 || few) options.reduction = 1; /* the warm start of the step has already been used */
        if (few) options.violation_tolerance = 0;
        const solve_request request = {.options = &options, .least = few ? share : 0};
        TRY(solve(world, &request, s, mark));
        add_solve(&first, &s->solve);
    }
    if (s->late > 0) contacts_settle(&world->scratch.contacts_next, threads);
    return SCREE_OK;
}

/* Returns whether a body's state and the squares of its velocities are finite; the energy needs the squares.
 */
static bool state_finite(const scree_world *world, int slot) {
    const body_pose *pose = &world->scratch.next_poses[slot];
    const body_velocity *velocity = &world->scratch.problem.velocity[slot];
    const versors q = pose->rotation;
    return vec3_finite(pose->position) && isfinite(glms_vec3_norm2(velocity->linear)) &&
           isfinite(glms_vec3_norm2(velocity->angular)) && isfinite(q.x + q.y + q.z + q.w);
}

/* Fails before a NaN or an infinity enters the world. */
static scree_result check_finite(const scree_world *world, const scree_statistics *s) {
    const int count = world->state.bodies.count;
    int first = count;
#pragma omp parallel for schedule(static) num_threads(parallel_threads(world->model.threads, count))         \
    reduction(min                                                                                            \
              : first)
    for (int i = 0; i < count; i++)
        if (!state_finite(world, i) && i < first) first = i;
    if (first == count && !isnan(s->solve.residual)) return SCREE_OK;
    if (first == count)
        return fail(SCREE_ERROR_NOT_FINITE,
                    "step %llu: residual is NaN: velocities, impulses or mass ratios exceed single "
                    "precision; world unchanged",
                    (unsigned long long)world->state.steps + 1);
    const vec3s at = world->state.bodies.poses[first].position;
    return fail_naming(
        fail(SCREE_ERROR_NOT_FINITE,
             "step %llu: the state of the body with id %d (at %g, %g, %g m) is not finite; world unchanged",
             (unsigned long long)world->state.steps + 1, first + 1, (double)at.x, (double)at.y, (double)at.z),
        first, -1);
}

/* Resumes the solve from scaled-down impulses if it has ended with more of the warm start than is needed to
 * stop the bodies (start.c). */
static scree_result solve_with_scaled_start(scree_world *world, scree_statistics *s, double *mark) {
    problem *p = &world->scratch.problem;
    const scree_solver_def *options = &world->model.def.solver;
    const scree_material_pair_def alone = material_combine(&world->model.materials, 0, 0);
    problem_input from = problem_input_of(world, options, &alone);
    body_array bodies = world->state.bodies;
    bool suspected;
    if (!options->warm_start || stabilisation_relaxes(options->stabilisation)) return SCREE_OK;
    if (material_reach(&world->model.materials) >= 0) bodies.loads = world->scratch.cohesive_loads;
    from.bodies = &bodies;
    TRY(warm_start_find_excess(&world->scratch.warm_start, p, &from, world->model.threads, &suspected,
                               &s->regrown));
    if (suspected && !world->scratch.unit.exponent) TRY(world->backend->verbs->fetch(world->backend, p));
    if (!suspected || !warm_start_scale(&world->scratch.warm_start, p, &from, world->model.threads)) {
        lap(mark, &s->timing.solve);
        return SCREE_OK;
    }
    const scree_solve_report first = s->solve;
    problem_scatter(p, &from, problem_solved(p), world->model.threads);
    lap(mark, &s->timing.solve);
    TRY(solve(world, &(solve_request){.options = options}, s, mark));
    add_solve(&first, &s->solve);
    return check_finite(world, s);
}

/* Updates angular velocities gyroscopically over the step, or over its last substep. */
static void drift(scree_world *world) {
    const int parts = substep_count(&world->model.def.solver);
    body_array last = world->state.bodies;
    if (parts > 1) last.poses = world->scratch.substeps.poses;
    gyroscopic_update(world->backend, &last, world->scratch.next_poses,
                      (scalar)(world->model.def.time_step / (double)parts), world->model.threads,
                      world->scratch.problem.velocity);
}

/* Makes the step's results the world's state. Cannot fail. */
static void commit(scree_world *world) {
    body_array *bodies = &world->state.bodies;
    drift(world);
#pragma omp parallel for schedule(static) num_threads(parallel_threads(world->model.threads, bodies->count))
    for (int i = 0; i < bodies->count; i++) {
        bodies->poses[i] = world->scratch.next_poses[i];
        bodies->velocities[i] = world->scratch.problem.velocity[i];
        if (bodies->types[i] == SLOT_KINEMATIC) bodies->earlier[i] = bodies->velocities[i];
        body_load_set(&bodies->loads[i], bodies->constant_loads[i]);
        bodies->gone[i] = 0;
    }
    bodies->gone_count = 0;
    bodies->changes++;
    joint_step_commit(world);
    const contact_set before = world->state.contacts;
    world->state.contacts = world->scratch.contacts_next;
    world->scratch.contacts_next = before;
    periodic_wrap(world);
    world->model.def.gravity = vec3_out(world->scratch.gravity);
    world->state.steps++;
}

static scree_result advance(scree_world *world, scree_statistics *s, double *mark) {
    problem_leave_scratch(&world->scratch.problem);
    TRY(collide(world, s, mark));
    TRY(solve(world, &(solve_request){.options = &world->model.def.solver}, s, mark));
    TRY(check_finite(world, s));
    TRY(solve_with_scaled_start(world, s, mark));
    s->first_solve = s->solve, s->timing.first_solve = s->timing.solve;
    TRY(detect_new_contacts(world, s, mark));
    TRY(feasible_check(world, s));
    if (s->late > 0) TRY(check_finite(world, s));
    return flow_check(world);
}

/* Runs a step with its prescribed gravity and the motions of kinematic groups, which are undone if it fails.
 */
static scree_result advance_prescribed(scree_world *world, scree_statistics *s, double *mark) {
    world->scratch.gravity = vec3_in(gravity_at(
        &world->model.gravity, world_time(world) + world->model.def.time_step / 2, world->model.def.gravity));
    kinematic_group_step_begin(world);
    const scree_result result = advance(world, s, mark);
    if (result != SCREE_OK) kinematic_group_step_undo(world);
    return result;
}

/* Counts the bytes of a sweep if profiling is on, since that loops over all batches. */
static void count_sweep(const scree_world *world, scree_statistics *s) {
    const backend *engine = world->backend;
    if (world->model.def.profile && engine->verbs->sweep_bytes && world->scratch.problem.block_count > 0)
        s->sweep_bytes = engine->verbs->sweep_bytes(engine, &world->scratch.problem, &world->state.bodies,
                                                    &world->model.def.solver);
}

scree_result scree_world_step(scree_world *world, scree_statistics *out) {
    REQUIRE(world);
    scree_statistics s = {0};
    const double start = clock_seconds();
    double mark = start;
    const int count = world->state.bodies.count;
    TRY(world_settle_backend(world));
    TRY(bodies_reserve(&world->state.bodies, 1));
    TRY(MEMORY_RESERVE(world->scratch.next_poses, world->scratch.next_pose_capacity, count, &s.regrown));
    TRY(observers_begin(&world->observers, world));
    TRY(flow_reserve(world));
    TRY(periodic_reserve(world));
    TRY(periodic_prepare(&world->state.bodies));
    TRY(joint_step_begin(world));
    TRY(advance_prescribed(world, &s, &mark));
    count_sweep(world, &s);
    commit(world);
    statistics_fill(world, &s);
    observers_end(&world->observers, world, &s);
    flow_act(world, &s);
    if (world->backend->verbs->traffic) world->backend->verbs->traffic(world->backend, &s.device);
    lap(&mark, &s.timing.statistics);
    s.timing.total = mark - start;
    world->state.statistics = s;
    if (out) *out = s;
    return SCREE_OK;
}
