/* Stages of a step whose contacts stay on the device: assembly, what the solve leaves, and detection passes.
 * None of the arrays of contacts and blocks crosses to the host. */
#include "opencl_backend.h"

#include "base/memory.h"
#include "rows/linked_rows.h"

#include <limits.h>

static opencl_backend *of(backend *base) { return (opencl_backend *)base; }

static device_contacts *contacts_of(opencl_backend *self, const contact_set *set) {
    return contact_mirror_find(&self->collide.mirror, set);
}

static scree_result bring_skims(backend *base, const contact_set *contacts, skim_list *out, int *regrown) {
    return opencl_finished(of(base), opencl_collide_bring_skims(&of(base)->collide, contacts, out, regrown));
}

/* -- Assembly --------------------------------------------------------------------------- */

static device_row_places places_of(opencl_backend *self) {
    return (device_row_places){.firsts = &self->assembly.arrange.firsts,
                               .blocks = &self->buffers.blocks,
                               .impulses = &self->buffers.impulses,
                               .pseudo_impulses = &self->buffers.pushes};
}

/* Takes memory for as many blocks as the last problem had, and some more, which a slowly growing pile needs.
 */
static scree_result share_blocks(opencl_backend *self, int blocks) {
    if (blocks >= self->block_room) self->block_room = blocks + blocks / 8 + 1;
    TRY(ENGINE_SHARE(self, blocks, constraint_block, self->block_room));
    TRY(ENGINE_SHARE(self, impulses, block_impulse, self->block_room));
    return ENGINE_SHARE(self, pushes, block_impulse, self->block_room);
}

/* A solve without warm start begins from zero. */
static scree_result clear_start(opencl_backend *self, int blocks) {
    const size_t bytes = (size_t)blocks * sizeof(block_impulse);
    TRY(opencl_buffer_clear(&self->device, &self->buffers.impulses, bytes, "impulses"));
    return opencl_buffer_clear(&self->device, &self->buffers.pushes, bytes, "pushes");
}

/* Does what contacts_turn does. */
static scree_result turn_contacts(opencl_backend *self, contact_set *set, device_contacts *contacts) {
    if (contacts->resists) return SCREE_OK;
    contacts->resists = set->has_resistance = true;
    TRY(device_contacts_reserve(&self->device, contacts));
    return opencl_buffer_clear(&self->device, &contacts->torques, contacts->torques.bytes / 16 * 16,
                               "torques of contacts");
}

/* Returns the number of blocks for which there is room. */
static cl_uint block_room(const opencl_backend *self) {
    const engine_buffers *on = &self->buffers;
    size_t room = on->blocks.bytes / sizeof(constraint_block);
    const size_t impulses = on->impulses.bytes / sizeof(block_impulse),
                 pushes = on->pushes.bytes / sizeof(block_impulse);
    if (impulses < room) room = impulses;
    if (pushes < room) room = pushes;
    return room < INT_MAX ? (cl_uint)room : INT_MAX;
}

/* Makes the problem in a single wait, unless a buffer was too small: then `repeat` is set. */
static scree_result try_assembly(opencl_backend *self, problem *p, const problem_input *from, bool *repeat) {
    device_contacts *contacts = contacts_of(self, from->contacts);
    const engine_buffers *on = &self->buffers;
    const assembly_bodies bodies = {.poses = &on->poses,
                                    .remainders = &on->remainders,
                                    .velocities = &on->velocities,
                                    .masses = &on->masses,
                                    .loads = &on->loads,
                                    .loaded = !self->no_loads};
    if (material_resists(from->materials))
        TRY(turn_contacts(self, from->contacts, contacts)); /* after each search */
    self->assembled = false;
    opencl_scratch_reset(&self->device, opencl_collide_end(&self->collide));
    TRY(share_blocks(self, p->block_count));
    device_row_places places = places_of(self);
    places.block_capacity = block_room(self);
    TRY(opencl_assembly_begin(&self->assembly, from, contacts, bodies, places, p));
    TRY(opencl_collide_fetch(&self->collide));
    TRY(opencl_assembly_finish(&self->assembly, from, opencl_arranged_shared(self), p));
    TRY(opencl_collide_settle(&self->collide, repeat));
    if (*repeat) self->assembly.cohered = false; /* the contacts are found again */
    *repeat |= (cl_uint)p->block_count > places.block_capacity;
    *repeat |= opencl_arrange_widen(&self->assembly.arrange);
    return SCREE_OK;
}

static scree_result begin_assembly(opencl_backend *self, problem *p, const problem_input *from, int threads,
                                   const char **barrier, int *regrown) {
    bool repeat = true;
    self->foreseen = (step_foresight){0};
    self->assembly.cohered = false;
    TRY(linked_rows_collect(p, from, regrown));
    TRY(problem_reserve(p, OF_BODIES, p->body_count, regrown));
    TRY(opencl_send_motion(self, from->bodies));
    TRY(opencl_send_loads(self, from->bodies));
    while (repeat) TRY(try_assembly(self, p, from, &repeat));
    stage_enter(SCREE_STAGE_ROWS);
    p->rebounds = self->assembly.rows.bounces && self->assembly.rebounds > 0;
    *barrier = opencl_arrange_barrier(&self->assembly.arrange);
    p->away = !*barrier;
    self->problem_end = opencl_scratch_mark(&self->device);
    self->assembled = true;
    if (!p->away) return SCREE_OK;
    const device_row_places places = places_of(self);
    TRY(opencl_assembly_link(&self->assembly, from, &places, threads, p, regrown));
    return from->options->warm_start || p->block_count == 0 ? SCREE_OK : clear_start(self, p->block_count);
}

static scree_result assemble(backend *base, problem *p, const problem_input *from, int threads,
                             const char **barrier, int *regrown) {
    const scree_result result =
        opencl_finished(of(base), begin_assembly(of(base), p, from, threads, barrier, regrown));
    if (result != SCREE_OK) p->block_count = 0; /* for which the next step takes memory */
    return result;
}

static scree_result pack_prescribed(prescribed_bodies *self, const int *slots, int count,
                                    const body_pose *poses, const body_remainder *remainders) {
    TRY(MEMORY_RESERVE(self->slots, self->slot_capacity, count, NULL));
    TRY(MEMORY_RESERVE(self->poses, self->pose_capacity, count, NULL));
    TRY(MEMORY_RESERVE(self->remainders, self->remainder_capacity, count, NULL));
    for (int i = 0; i < count; i++) {
        self->slots[i] = slots[i];
        self->poses[i] = poses[slots[i]], self->remainders[i] = remainders[slots[i]];
    }
    return SCREE_OK;
}

static scree_result prescribe(backend *base, const int *slots, int count, const body_pose *poses,
                              const body_remainder *remainders) {
    opencl_backend *self = of(base);
    prescribed_bodies *packed = &self->prescribed;
    TRY(pack_prescribed(packed, slots, count, poses, remainders));
    const prescribed_places places = {(cl_uint)count, packed->slots, packed->poses, packed->remainders};
    TRY(opencl_finished(self, opencl_commit_send(&self->end, &places)));
    return opencl_finished(self, opencl_commit_prescribe(&self->end, places.count, &self->buffers.poses_after,
                                                         &self->buffers.remainders_after));
}

static scree_result scatter(backend *base, const problem *p, const problem_input *from, int threads) {
    opencl_backend *self = of(base);
    const device_row_places places = places_of(self);
    if (p->block_count == 0) return SCREE_OK;
    linked_rows_scatter(p, from, threads);
    return opencl_finished(self, opencl_rows_read(&self->assembly.rows, &self->assembly.bodies,
                                                  contacts_of(self, from->contacts),
                                                  &self->assembly.parameters, &places));
}

/* -- A problem for the host ------------------------------------------------------------- */

static scree_result read_problem(opencl_backend *self, problem *p) {
    TRY(ENGINE_FETCH(self, groups, p->groups, p->group_count));
    TRY(opencl_buffer_read(&self->device, &self->assembly.arrange.pair_group, p->pair_group,
                           (size_t)p->pairs.count * sizeof *p->pair_group, CL_FALSE, "pair_group"));
    TRY(ENGINE_FETCH(self, blocks, p->blocks, p->block_count));
    TRY(ENGINE_FETCH(self, impulses, p->impulses, p->block_count));
    TRY(ENGINE_FETCH(self, pushes, p->pseudo_impulses, p->block_count));
    return opencl_device_wait(&self->device);
}

/* `firsts`: of the groups of each colour. */
static void take_colours(problem *p, const cl_uint *firsts) {
    for (int i = 0; i < p->pairs.count; i++) {
        int colour = 0;
        while ((cl_uint)p->pair_group[i] >= firsts[colour + 1]) colour++;
        p->pairs.items[i].colour = (signed char)colour;
    }
}

/* Makes the host's joints refer to all groups and blocks. */
static scree_result renumber_joints(opencl_backend *self, problem *p) {
    void *scratch;
    int listed = 0;
    if (p->linked == 0) return SCREE_OK;
    TRY(scratch_take(&p->pairs.own_scratch, (size_t)p->linked * sizeof(int), &scratch, NULL));
    int *groups = scratch;
    for (int i = 0; i < p->pairs.count && listed < p->linked; i++)
        if (p->pairs.items[i].flags & PAIR_HELD) groups[listed++] = p->pair_group[i];
    linked_rows_renumber(p, groups, self->assembly.links.targets);
    return SCREE_OK;
}

static scree_result bring_problem(backend *base, problem *p, const problem_input *from, int threads,
                                  int *regrown) {
    opencl_backend *self = of(base);
    TRY(problem_reserve(p, OF_GROUPS, p->pairs.count, regrown));
    TRY(problem_reserve(p, OF_BLOCKS, p->block_count, regrown));
    TRY(problem_own_blocks(p, regrown));
    if (p->pairs.count > 0) TRY(opencl_finished(self, read_problem(self, p)));
    TRY(pairs_collect(&p->pairs, from, threads, regrown));
    take_colours(p, self->assembly.arrange.report + ARRANGED_FIRSTS);
    TRY(renumber_joints(self, p));
    TRY(problem_index(p, from->bodies, threads, regrown));
    p->away = false;
    return SCREE_OK;
}

/* -- The outlook of a step: its first detection pass and its end --------------------------- */

static device_trial trial_of(opencl_backend *self, const trial_request *request) {
    const opencl_collide *collide = &self->collide;
    const device_contacts *contacts = contacts_of(self, request->contacts);
    return (device_trial){.bodies = &collide->bodies,
                          .types = &self->pairs.bodies.types,
                          .ends = &self->buffers.poses_after,
                          .planes = &self->pairs.bodies.planes,
                          .plane_count = self->pairs.bodies.plane_count,
                          .contacts = contacts,
                          .skims = collide->skim_count > 0 ? &collide->contacts.skims : NULL,
                          .skim_count = {&contacts->counts, CONTACTS_SKIMS},
                          .skim_capacity = collide->skim_count,
                          .pairs = opencl_contacts_tested(&collide->contacts, &self->pairs.found),
                          .endless = self->pairs.bodies.images ? &self->pairs.images.endless : NULL,
                          .margin = request->margin,
                          .time_step = request->time_step,
                          .smallest = request->smallest};
}

/* Returns whether contacts hold bodies that pushes have moved (held_pairs_are_settled). */
static bool is_settled(const opencl_backend *self, const device_contacts *contacts) {
    return contacts->cohesive && scheme_traits(self->assembly.parameters.scheme.kind) & SCHEME_PUSHES;
}

/* Writes the velocities after held_pairs_settle to `velocities_before`. */
static scree_result settle_held(opencl_backend *self, device_contacts *contacts) {
    const engine_buffers *on = &self->buffers;
    const cohesive_step step = opencl_assembly_cohesive(&self->assembly, contacts);
    return opencl_cohesion_settle(&self->assembly.cohesion, &step, &on->poses_after, &on->velocity,
                                  &on->velocities_before);
}

/* The solution stays in `velocity`, for `fetch`. */
static scree_result enqueue_end(opencl_backend *self, const contact_set *contacts, motion_parameters motion,
                                double time_step) {
    const engine_buffers *on = &self->buffers;
    const device_bodies *of = &self->collide.bodies;
    const summed_bodies bodies = {.count = of->count,
                                  .types = &self->pairs.bodies.types,
                                  .poses = &on->poses_after,
                                  .velocities = &on->velocities_before,
                                  .masses = of->masses,
                                  .shapes = of->shapes,
                                  .gravity = motion.gravity,
                                  .time_step = time_step};
    device_contacts *of_step = contacts_of(self, contacts);
    const bool settles = is_settled(self, of_step);
    TRY(ENGINE_RESERVE(self, velocities_before, body_velocity, of->count));
    if (settles) TRY(settle_held(self, of_step));
    TRY(opencl_commit_spins(&self->end, of->count, &on->poses, of->masses, &on->poses_after,
                            settles ? &on->velocities_before : &on->velocity, &on->velocities_before,
                            motion.time_step));
    return opencl_sums_make(&self->step_sums, &bodies, of_step, &self->report);
}

/* -- After a solve ---------------------------------------------------------------------- */

static scree_result enqueue_check(opencl_backend *self, const problem *p, bool weighs) {
    const opencl_arrange *arrange = &self->assembly.arrange;
    const device_length pairs = {{&arrange->words, ARRANGED_PAIRS}, arrange->pair_capacity};
    const excess_bodies bodies = {.count = self->collide.bodies.count,
                                  .poses = &self->buffers.poses,
                                  .masses = self->collide.bodies.masses,
                                  .free_velocity = &self->buffers.free_velocity,
                                  .velocity = &self->buffers.velocity,
                                  .poses_after = &self->buffers.poses_after,
                                  .factor = 1 / p->kilograms};
    opencl_reset_scratch(self);
    TRY(opencl_report_begin(&self->report));
    TRY(opencl_excess_test(&self->excess, &bodies, weighs, NULL, 0, &self->report));
    return weighs ? opencl_excess_find(&self->excess, bodies.count, &arrange->pairs, pairs, &self->report)
                  : SCREE_OK;
}

/* Enqueues the tests of the next detection pass and the end of the step, which are those of the step if the
 * tests find nothing: then they take no wait of their own. */
static scree_result enqueue_foresight(opencl_backend *self, const step_outlook *outlook) {
    stage_enter(SCREE_STAGE_DETECTION);
    self->trial = trial_of(self, &outlook->trial);
    TRY(opencl_detect_test(&self->detect, &self->trial));
    TRY(opencl_detect_fetch(&self->detect));
    stage_enter(SCREE_STAGE_COMMIT);
    return enqueue_end(self, outlook->trial.contacts, outlook->motion, outlook->time_step);
}

static scree_result begin_check(opencl_backend *self, const problem *p, bool weighs,
                                const step_outlook *outlook) {
    const scree_step_stage before = stage_current();
    self->foreseen = (step_foresight){0};
    TRY(enqueue_check(self, p, weighs));
    if (outlook) TRY(enqueue_foresight(self, outlook));
    stage_enter(before);
    TRY(opencl_report_fetch(&self->report, outlook != NULL, &self->found));
    TRY(opencl_device_wait(&self->device));
    self->foreseen = (step_foresight){.trial = outlook != NULL, .end = outlook != NULL};
    return SCREE_OK;
}

static scree_result check(backend *base, const problem *p, bool weighs, const step_outlook *outlook,
                          solve_check *out) {
    opencl_backend *self = of(base);
    TRY(opencl_finished(self, begin_check(self, p, weighs, outlook)));
    *out = (solve_check){.first = step_report_first(&self->found, (int)self->collide.bodies.count),
                         .suspected = self->found.words[REPORT_SUSPECTED] != 0};
    return SCREE_OK;
}

static scree_result begin_weighing(opencl_backend *self, step_report *out) {
    const engine_buffers *on = &self->buffers;
    const weighed_problem p = {.bodies = self->collide.bodies.count,
                               .types = &self->pairs.bodies.types,
                               .blocks = &on->blocks,
                               .rows = &on->rows,
                               .impulses = &on->impulses,
                               .incidence_first = &on->incidence_first,
                               .incidence = &on->incidence,
                               .mobility = &on->mobility,
                               .free_velocity = &on->free_velocity};
    TRY(opencl_report_begin(&self->report));
    TRY(opencl_excess_weigh(&self->excess, &p, &self->report));
    TRY(opencl_report_fetch(&self->report, false, out));
    return opencl_device_wait(&self->device);
}

static scree_result weigh(backend *base, const problem *p, bool *suspected) {
    step_report report;
    if (!of(base)->device.info.fp64 || p->block_count == 0) return SCREE_OK;
    TRY(opencl_finished(of(base), begin_weighing(of(base), &report)));
    *suspected = report.words[REPORT_SUSPECTED] != 0;
    return SCREE_OK;
}

static scree_result begin_sums(opencl_backend *self, const contact_set *contacts) {
    const summed_bodies bodies = {.count = self->collide.bodies.count,
                                  .types = &self->pairs.bodies.types,
                                  .poses = &self->buffers.poses,
                                  .velocities = &self->buffers.velocities,
                                  .masses = self->collide.bodies.masses,
                                  .shapes = &self->collide.shapes};
    TRY(opencl_report_begin(&self->report));
    TRY(opencl_sums_make(&self->step_sums, &bodies, contacts_of(self, contacts), &self->report));
    TRY(opencl_report_fetch(&self->report, true, &self->found));
    return opencl_device_wait(&self->device);
}

static scree_result read_settled(opencl_backend *self, const contact_set *contacts, int bodies,
                                 body_velocity *velocities) {
    device_contacts *of = contacts_of(self, contacts);
    if (!is_settled(self, of) || bodies == 0) return SCREE_OK;
    TRY(ENGINE_RESERVE(self, velocities_before, body_velocity, bodies));
    TRY(settle_held(self, of));
    return ENGINE_READ(self, velocities_before, velocities, bodies);
}

static scree_result settle_pairs(backend *base, const contact_set *contacts, int bodies,
                                 body_velocity *velocities) {
    return opencl_finished(of(base), read_settled(of(base), contacts, bodies, velocities));
}

static scree_result bring_loads(backend *base, int bodies, body_load *loads) {
    opencl_backend *self = of(base);
    if (bodies == 0) return SCREE_OK;
    return opencl_finished(self, opencl_buffer_read(&self->device, &self->assembly.cohesion.loads, loads,
                                                    (size_t)bodies * sizeof *loads, CL_TRUE,
                                                    "loads with cohesion"));
}

static scree_result sum_contacts(backend *base, const contact_set *contacts, statistic_sums *out,
                                 bool *done) {
    opencl_backend *self = of(base);
    *done = self->device.info.fp64;
    if (!*done) return SCREE_OK;
    TRY(opencl_finished(self, begin_sums(self, contacts)));
    *out = self->found.contacts;
    return SCREE_OK;
}

/* -- Bodies whose motion stays here ----------------------------------------------------- */

static bool moves(backend *base, const body_array *bodies) {
    return opencl_collide_boxes(&of(base)->collide, bodies);
}

static scree_result read_motion(opencl_backend *self, int count, const opencl_buffer *const from[3],
                                body_pose *poses, body_remainder *remainders, body_velocity *velocities) {
    const size_t n = (size_t)count;
    opencl_device *device = &self->device;
    TRY(opencl_buffer_read(device, from[0], poses, n * sizeof *poses, CL_FALSE, "poses"));
    TRY(opencl_buffer_read(device, from[1], remainders, n * sizeof *remainders, CL_FALSE, "remainders"));
    TRY(opencl_buffer_read(device, from[2], velocities, n * sizeof *velocities, CL_FALSE, "velocities"));
    return opencl_device_wait(device);
}

static scree_result bring_bodies(void *context, const body_array *out) {
    opencl_backend *self = context;
    const engine_buffers *on = &self->buffers;
    const opencl_buffer *const from[3] = {&on->poses, &on->remainders, &on->velocities};
    return opencl_finished(self,
                           read_motion(self, out->count, from, out->poses, out->remainders, out->velocities));
}

static scree_result bring_motion(backend *base, int bodies, body_pose *poses, body_remainder *remainders,
                                 body_velocity *velocities) {
    opencl_backend *self = of(base);
    const engine_buffers *on = &self->buffers;
    const opencl_buffer *const from[3] = {&on->poses_after, &on->remainders_after, &on->velocity};
    return opencl_finished(self, read_motion(self, bodies, from, poses, remainders, velocities));
}

static scree_result begin_end(opencl_backend *self, const step_outlook *outlook) {
    TRY(opencl_report_begin(&self->report));
    TRY(enqueue_end(self, outlook->trial.contacts, outlook->motion, outlook->time_step));
    TRY(opencl_report_fetch(&self->report, true, &self->found));
    return opencl_device_wait(&self->device);
}

static scree_result end(backend *base, const step_outlook *outlook, statistic_sums *of_bodies,
                        statistic_sums *of_contacts) {
    opencl_backend *self = of(base);
    if (!self->foreseen.end) TRY(opencl_finished(self, begin_end(self, outlook)));
    *of_bodies = self->found.bodies, *of_contacts = self->found.contacts;
    return SCREE_OK;
}

static void commit(backend *base, body_array *bodies) {
    opencl_backend *self = of(base);
    engine_buffers *on = &self->buffers;
    opencl_buffer_exchange(&on->poses, &on->poses_after);
    opencl_buffer_exchange(&on->remainders, &on->remainders_after);
    opencl_buffer_exchange(&on->velocities, &on->velocities_before);
    self->store = (body_store){.away = true, .bring = bring_bodies, .context = self};
    bodies->store = &self->store;
    opencl_hold_motion(self, bodies);
}

static scree_result begin_work(opencl_backend *self, const problem_input *from, work_terms out[WORK_SLICES]) {
    const device_row_places places = places_of(self);
    const worked_step step = {.rows = &self->assembly.rows,
                              .bodies = &self->assembly.bodies,
                              .places = &places,
                              .contacts = contacts_of(self, from->contacts),
                              .after = &self->buffers.velocity,
                              .loads = &self->buffers.loads,
                              .motion = from->motion,
                              .material_count = from->materials->count};
    TRY(opencl_work_find(&self->work, &step, out));
    return opencl_device_wait(&self->device);
}

static scree_result add_work(backend *base, const problem_input *from, contact_work *sum, bool *done) {
    opencl_backend *self = of(base);
    work_terms works[WORK_SLICES];
    *done = self->device.info.fp64;
    if (!*done || from->contacts->count == 0) return SCREE_OK;
    TRY(opencl_finished(self, begin_work(self, from, works)));
    contact_work_sum(works, sum);
    return SCREE_OK;
}

static scree_result mark_deferred(opencl_backend *self, const problem *p, const contact_set *contacts,
                                  int *marked) {
    const device_row_places places = places_of(self);
    return opencl_impacts_mark(&self->impacts, &self->assembly.rows, &self->assembly.bodies,
                               (cl_uint)p->body_count, contacts_of(self, contacts), &places,
                               &self->assembly.parameters, marked);
}

static scree_result defer(backend *base, const problem *p, const contact_set *contacts, int *marked) {
    *marked = 0;
    if (!p->rebounds) return SCREE_OK;
    return opencl_finished(of(base), mark_deferred(of(base), p, contacts, marked));
}

/* -- Detection passes ------------------------------------------------------------------- */

static scree_result read_points(opencl_backend *self, int *points) {
    cl_uint counts[CONTACTS_COUNTS];
    TRY(opencl_buffer_read(&self->device, &self->detect.found.counts, counts, sizeof counts, CL_TRUE,
                           "counts of contacts"));
    *points = (int)counts[CONTACTS_POINTS];
    return SCREE_OK;
}

static scree_result begin_trial(opencl_backend *self, const trial_request *request, trial_finding *out) {
    device_detection found;
    const bool foreseen = self->foreseen.trial;
    self->foreseen.trial = false;
    if (!foreseen) self->trial = trial_of(self, request);
    if (!foreseen) opencl_reset_scratch(self);
    TRY(foreseen ? opencl_detect_finish(&self->detect, &self->trial, &found)
                 : opencl_detect_find(&self->detect, &self->trial, &found));
    *out = (trial_finding){.asks = found.asks, .entries = found.found, .only_moved = found.only_moved};
    return found.asks || found.found == 0 ? SCREE_OK : read_points(self, &out->points);
}

static scree_result find_trial(backend *base, const trial_request *request, trial_finding *out) {
    return opencl_finished(of(base), begin_trial(of(base), request, out));
}

static scree_result add_trial(backend *base, contact_set *contacts, const trial_finding *found,
                              int maximum_contacts) {
    opencl_backend *self = of(base);
    TRY(contacts_check_points((int64_t)contacts->points + found->points, maximum_contacts));
    TRY(opencl_finished(self, opencl_insert_contacts(&self->pairs.primitives, contacts_of(self, contacts),
                                                     (cl_uint)contacts->count, (cl_uint)contacts->points,
                                                     &self->detect.found, &self->spare)));
    contacts->count += found->entries;
    contacts->points += found->points;
    contacts->action_count = contacts->points;
    return SCREE_OK;
}

static scree_result settle(backend *base, const contact_set *contacts) {
    opencl_backend *self = of(base);
    stage_enter(SCREE_STAGE_DETECTION);
    return opencl_finished(self, opencl_insert_settle(&self->pairs.primitives, contacts_of(self, contacts)));
}

static scree_result begin_crossing(opencl_backend *self, const contact_set *contacts,
                                   const body_array *bodies, const int *crossed) {
    TRY(opencl_buffer_write(&self->device, &self->crossed, crossed, (size_t)bodies->count * sizeof *crossed,
                            CL_TRUE, "images of bodies that crossed the boundary"));
    return opencl_insert_crossings(&self->pairs.primitives, contacts_of(self, contacts), &self->crossed,
                                   &self->pairs.images.endless, self->collide.bodies.period);
}

static scree_result cross(backend *base, const contact_set *contacts, const body_array *bodies,
                          const int *crossed) {
    stage_enter(SCREE_STAGE_COMMIT);
    return opencl_finished(of(base), begin_crossing(of(base), contacts, bodies, crossed));
}

const stay_operations opencl_stay_operations = {.bring_skims = bring_skims,
                                                .assemble = assemble,
                                                .prescribe = prescribe,
                                                .scatter = scatter,
                                                .bring_problem = bring_problem,
                                                .check = check,
                                                .weigh = weigh,
                                                .defer = defer,
                                                .moves = moves,
                                                .bring_motion = bring_motion,
                                                .end = end,
                                                .commit = commit,
                                                .find_trial = find_trial,
                                                .add_trial = add_trial,
                                                .settle = settle,
                                                .settle_pairs = settle_pairs,
                                                .bring_loads = bring_loads,
                                                .cross = cross,
                                                .sum_contacts = sum_contacts,
                                                .add_work = add_work};
