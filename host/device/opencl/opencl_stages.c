/* Stages of a step whose contacts stay on the device: assembly, what the solve leaves, and detection passes.
 * None of the arrays of contacts and blocks crosses to the host. */
#include "opencl_backend.h"

#include "base/memory.h"

static opencl_backend *of(backend *base) { return (opencl_backend *)base; }

static device_contacts *contacts_of(opencl_backend *self, const contact_set *set) {
    return contact_mirror_find(&self->collide.mirror, set);
}

static scree_result bring_skims(backend *base, const contact_set *contacts, skim_list *out, int *regrown) {
    return opencl_finished(of(base), opencl_collide_bring_skims(&of(base)->collide, contacts, out, regrown));
}

/* -- Assembly --------------------------------------------------------------------------- */

static device_row_places places_of(opencl_backend *self) {
    return (device_row_places){.groups = &self->buffers.groups,
                               .pair_group = &self->assembly.arrange.pair_group,
                               .blocks = &self->buffers.blocks,
                               .impulses = &self->buffers.impulses,
                               .pseudo_impulses = &self->buffers.pushes};
}

static scree_result share_blocks(opencl_backend *self, int blocks) {
    TRY(ENGINE_SHARE(self, blocks, constraint_block, blocks));
    TRY(ENGINE_SHARE(self, impulses, block_impulse, blocks));
    return ENGINE_SHARE(self, pushes, block_impulse, blocks);
}

/* A solve without warm start begins from zero. */
static scree_result clear_start(opencl_backend *self, int blocks) {
    const size_t bytes = (size_t)blocks * sizeof(block_impulse);
    TRY(opencl_buffer_clear(&self->device, &self->buffers.impulses, bytes, "impulses"));
    return opencl_buffer_clear(&self->device, &self->buffers.pushes, bytes, "pushes");
}

static scree_result fill(opencl_backend *self, const problem_input *from, const device_contacts *contacts,
                         problem *p) {
    const device_row_places places = places_of(self);
    if (p->block_count == 0) return SCREE_OK;
    TRY(share_blocks(self, p->block_count));
    TRY(opencl_assembly_fill(&self->assembly, from, contacts, &places, p));
    return from->options->warm_start ? SCREE_OK : clear_start(self, p->block_count);
}

/* Does what contacts_turn does. */
static scree_result turn_contacts(opencl_backend *self, contact_set *set, device_contacts *contacts) {
    if (contacts->resists) return SCREE_OK;
    contacts->resists = set->has_resistance = true;
    TRY(device_contacts_reserve(&self->device, contacts));
    return opencl_buffer_clear(&self->device, &contacts->torques, contacts->torques.bytes / 16 * 16,
                               "torques of contacts");
}

static scree_result begin_assembly(opencl_backend *self, problem *p, const problem_input *from,
                                   int *regrown) {
    device_contacts *contacts = contacts_of(self, from->contacts);
    if (material_resists(from->materials)) TRY(turn_contacts(self, from->contacts, contacts));
    self->assembled = false;
    opencl_scratch_reset(&self->device, self->search_end);
    TRY(problem_reserve(p, OF_BODIES, from->bodies->count, regrown));
    TRY(opencl_send_bodies(self, from->bodies));
    const engine_buffers *on = &self->buffers;
    const assembly_bodies bodies = {.poses = &on->poses,
                                    .remainders = &on->remainders,
                                    .velocities = &on->velocities,
                                    .masses = &on->masses,
                                    .loads = self->no_loads ? NULL : &on->loads};
    TRY(opencl_assembly_arrange(&self->assembly, from, contacts, bodies, opencl_arranged_shared(self), p));
    stage_enter(SCREE_STAGE_ROWS);
    p->rebounds = p->crowded = false;
    p->away = true;
    TRY(joint_forest_build(p, from, regrown));
    TRY(fill(self, from, contacts, p));
    self->problem_end = opencl_scratch_mark(&self->device);
    self->assembled = true;
    return SCREE_OK;
}

static scree_result assemble(backend *base, problem *p, const problem_input *from, int *regrown) {
    return opencl_finished(of(base), begin_assembly(of(base), p, from, regrown));
}

static scree_result scatter(backend *base, const problem *p, const problem_input *from) {
    opencl_backend *self = of(base);
    const device_row_places places = places_of(self);
    if (p->block_count == 0) return SCREE_OK;
    return opencl_rows_read(&self->assembly.rows, &self->assembly.bodies, contacts_of(self, from->contacts),
                            &self->assembly.parameters, &places);
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

static scree_result bring_problem(backend *base, problem *p, const problem_input *from, int threads,
                                  int *regrown) {
    opencl_backend *self = of(base);
    TRY(problem_reserve(p, OF_GROUPS, p->pairs.count, regrown));
    TRY(problem_reserve(p, OF_BLOCKS, p->block_count, regrown));
    TRY(problem_own_blocks(p, regrown));
    if (p->block_count > 0) TRY(opencl_finished(self, read_problem(self, p)));
    TRY(pairs_collect(&p->pairs, from, threads, regrown));
    for (int i = 0; i < p->pairs.count; i++) p->pairs.items[i].colour = from->contacts->colours[i];
    TRY(problem_index(p, from->bodies, threads, regrown));
    p->away = false;
    return SCREE_OK;
}

/* -- After a solve ---------------------------------------------------------------------- */

static scree_result begin_excess(opencl_backend *self, const problem *p, step_report *out) {
    const opencl_arrange *arrange = &self->assembly.arrange;
    const device_length pairs = {{&arrange->words, ARRANGED_PAIRS}, arrange->pair_capacity};
    const excess_bodies bodies = {.count = arrange->slots,
                                  .poses = &self->buffers.poses,
                                  .masses = &self->collide.masses,
                                  .free_velocity = &self->buffers.free_velocity,
                                  .velocity = &self->buffers.velocity,
                                  .poses_after = &self->buffers.poses_after,
                                  .factor = 1 / p->kilograms};
    opencl_reset_scratch(self);
    TRY(opencl_report_begin(&self->report));
    TRY(opencl_excess_test(&self->excess, &bodies, true, NULL, 0, &self->report));
    TRY(opencl_excess_find(&self->excess, bodies.count, &arrange->pairs, pairs, &self->report));
    TRY(opencl_report_fetch(&self->report, false, out));
    return opencl_device_wait(&self->device);
}

static scree_result find_excess(backend *base, const problem *p, bool *suspected) {
    step_report report;
    TRY(opencl_finished(of(base), begin_excess(of(base), p, &report)));
    *suspected = report.words[REPORT_SUSPECTED] != 0;
    return SCREE_OK;
}

static scree_result begin_sums(opencl_backend *self, const contact_set *contacts, step_report *out) {
    const summed_bodies bodies = {.count = self->collide.bodies.count,
                                  .types = &self->assembly.types,
                                  .poses = &self->buffers.poses,
                                  .velocities = &self->buffers.velocities,
                                  .masses = &self->collide.masses,
                                  .shapes = &self->collide.shapes};
    TRY(opencl_report_begin(&self->report));
    TRY(opencl_sums_make(&self->step_sums, &bodies, contacts_of(self, contacts), NULL, &self->report));
    TRY(opencl_report_fetch(&self->report, true, out));
    return opencl_device_wait(&self->device);
}

static scree_result sum_contacts(backend *base, const contact_set *contacts, statistic_sums *out,
                                 bool *done) {
    opencl_backend *self = of(base);
    step_report report;
    *done = self->device.info.fp64;
    if (!*done) return SCREE_OK;
    TRY(opencl_finished(self, begin_sums(self, contacts, &report)));
    *out = report.contacts;
    return SCREE_OK;
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
    const opencl_collide *collide = &self->collide;
    const device_contacts *contacts = contacts_of(self, request->contacts);
    const bool skims = collide->skim_count > 0;
    const device_trial trial = {.bodies = &collide->bodies,
                                .types = &self->assembly.types,
                                .ends = &self->buffers.poses_after,
                                .planes = &self->pairs.bodies.planes,
                                .plane_count = self->pairs.bodies.plane_count,
                                .contacts = contacts,
                                .skims = skims ? &collide->contacts.skims : NULL,
                                .skim_count = {&contacts->counts, CONTACTS_SKIMS},
                                .skim_capacity = collide->skim_count,
                                .pairs = &self->pairs.found,
                                .margin = request->margin,
                                .time_step = request->time_step,
                                .smallest = request->smallest};
    device_detection found;
    opencl_reset_scratch(self);
    TRY(opencl_detect_find(&self->detect, &trial, &found));
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
    TRY(opencl_insert_contacts(&self->pairs.primitives, contacts_of(self, contacts), (cl_uint)contacts->count,
                               (cl_uint)contacts->points, &self->detect.found, &self->spare));
    contacts->count += found->entries;
    contacts->points += found->points;
    contacts->action_count = contacts->points;
    return SCREE_OK;
}

static scree_result settle(backend *base, const contact_set *contacts) {
    stage_enter(SCREE_STAGE_DETECTION);
    return opencl_insert_settle(&of(base)->pairs.primitives, contacts_of(of(base), contacts));
}

const stay_operations opencl_stay_operations = {.bring_skims = bring_skims,
                                                .assemble = assemble,
                                                .scatter = scatter,
                                                .bring_problem = bring_problem,
                                                .find_excess = find_excess,
                                                .find_trial = find_trial,
                                                .add_trial = add_trial,
                                                .settle = settle,
                                                .sum_contacts = sum_contacts};
