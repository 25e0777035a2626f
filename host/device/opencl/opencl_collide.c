#include "opencl_collide.h"

#include "opencl_detect.h"

#include "base/parallel.h"
#include "geometry/children.h"

#include <limits.h>

void opencl_collide_open(opencl_collide *self, opencl_pairs *pairs) {
    *self = (opencl_collide){.pairs = pairs};
    opencl_contacts_open(&self->contacts, &pairs->primitives);
    opencl_convexes_open(&self->convexes, pairs->primitives.device);
    opencl_children_open(&self->children, pairs->primitives.device);
    contact_mirror_open(&self->mirror, pairs->primitives.device);
}

void opencl_collide_close(opencl_collide *self) {
    opencl_buffer *const buffers[] = {&self->shapes, &self->groups, &self->apart, &self->gone, &self->skims};
    if (!self->pairs) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->mirror.device, buffers[i]);
    opencl_contacts_close(&self->contacts);
    opencl_convexes_close(&self->convexes);
    opencl_children_close(&self->children);
    contact_mirror_close(&self->mirror);
    *self = (opencl_collide){0};
}

void opencl_collide_shrink(opencl_collide *self, const contact_set *set) {
    opencl_contacts_close(&self->contacts);
    opencl_contacts_open(&self->contacts, &self->pairs->primitives);
    contact_mirror_shrink(&self->mirror, set);
}

/* -- Bodies ----------------------------------------------------------------------------- */

/* Finds the kinds of the bodies, unless they are known. */
static void find_kinds(opencl_collide *self, const body_array *bodies) {
    if (self->kinds_known == bodies->definitions + 1) return;
    self->kinds = self->dynamic_kinds = 0;
    for (int slot = 0; slot < bodies->count; slot++) {
        const uint32_t kind = UINT32_C(1) << bodies->shapes[slot].kind;
        if (bodies->types[slot] != SLOT_FREE) self->kinds |= kind;
        if (body_is_dynamic(bodies, slot)) self->dynamic_kinds |= kind;
    }
    self->kinds_known = bodies->definitions + 1;
}
_Static_assert((int)SCREE_SHAPE_COUNT <= 32, "a bit for each kind");

static bool has_children(const opencl_collide *self) {
    for (int kind = 0; kind < SCREE_SHAPE_COUNT; kind++)
        if (self->kinds >> kind & 1 && children_rows[kind]) return true;
    return false;
}

static bool kind_is_served(const opencl_collide *self, int kind) {
    return device_shape_tested(self->mirror.device, (scree_shape_kind)kind) ||
           device_children_tested(self->mirror.device, (scree_shape_kind)kind);
}

/* Returns whether the device tests all pairs of kinds that can occur. */
static bool pairs_are_served(const opencl_collide *self) {
    for (int a = 0; a < SCREE_SHAPE_COUNT; a++)
        for (int b = 0; b < SCREE_SHAPE_COUNT; b++)
            if (self->dynamic_kinds >> a & self->kinds >> b & 1 &&
                !(kind_is_served(self, a) && kind_is_served(self, b)))
                return false;
    return true;
}

const char *opencl_collide_barrier(opencl_collide *self, const contact_request *request) {
    const body_array *bodies = request->pairs->bodies;
    find_kinds(self, bodies);
    return pairs_are_served(self) ? NULL : "the device has no test for a pair of its shapes";
}

bool opencl_collide_boxes(opencl_collide *self, const body_array *bodies) {
    find_kinds(self, bodies);
    for (int kind = 0; kind < SCREE_SHAPE_COUNT; kind++)
        if (self->kinds >> kind & 1 && narrow_phase_kind((scree_shape_kind)kind) == RECORD_OTHER)
            return false;
    return self->mirror.device->info.fp64;
}

#define SEND(self, buffer, items, count, waits)                                                              \
    opencl_buffer_write((self)->mirror.device, &(self)->buffer, items, (size_t)(count) * sizeof *(items),    \
                        waits, #buffer)

/* The shapes and groups of the bodies as the device reads them, made by slice. */
typedef struct definition_loop {
    const body_array *bodies;
    record_shape *shapes;
    cl_uint2 *groups;
} definition_loop;

static void make_shapes(const void *context, slice part) {
    const definition_loop *loop = context;
    for (int slot = part.first; slot < part.end; slot++)
        loop->shapes[slot] = loop->bodies->types[slot] == SLOT_FREE ? (record_shape){.kind = RECORD_OTHER}
                                                                    : narrow_phase_shape(loop->bodies, slot);
}

static void make_groups(const void *context, slice part) {
    const definition_loop *loop = context;
    for (int slot = part.first; slot < part.end; slot++) {
        const body_settings settings = body_settings_of(loop->bodies, slot);
        loop->groups[slot].s[0] = settings.groups, loop->groups[slot].s[1] = settings.mask;
    }
}

/* Sends the geometries of shapes made of children, if there are any. */
static scree_result send_children(opencl_collide *self, const body_array *bodies, int *regrown) {
    self->told.children = NULL;
    if (!has_children(self)) return SCREE_OK;
    TRY(opencl_children_send(&self->children, &self->convexes, bodies, regrown));
    opencl_children_refer(&self->children, &self->convexes, &self->told);
    return SCREE_OK;
}

/* Sends what defines the bodies. Waits, since scratch is used twice. */
static scree_result send_definitions(opencl_collide *self, const contact_request *request, int *regrown) {
    const body_array *bodies = request->pairs->bodies;
    const size_t count = (size_t)bodies->count;
    const int threads = parallel_threads(request->threads, bodies->count);
    definition_loop loop = {.bodies = bodies};
    void *memory;
    if (self->sent == bodies->definitions + 1) return SCREE_OK;
    self->sent = 0;
    TRY(scratch_take(request->scratch, count * sizeof *loop.shapes, &memory, regrown));
    loop.shapes = memory;
    parallel_for(threads, bodies->count, make_shapes, &loop);
    TRY(SEND(self, apart, bodies->apart, bodies->apart_count, CL_FALSE));
    TRY(SEND(self, shapes, loop.shapes, count, CL_TRUE));
    if (bodies->filtered) {
        TRY(scratch_take(request->scratch, count * sizeof *loop.groups, &memory, regrown));
        loop.groups = memory;
        parallel_for(threads, bodies->count, make_groups, &loop);
        TRY(SEND(self, groups, loop.groups, count, CL_TRUE));
    }
    if (self->kinds >> (SCREE_SHAPE_HALF_SPACE + 1))
        TRY(opencl_convexes_send(&self->convexes, bodies, regrown));
    opencl_convexes_refer(&self->convexes, bodies, &self->told);
    TRY(send_children(self, bodies, regrown));
    self->sent = bodies->definitions + 1;
    return SCREE_OK;
}

/* Brings the bodies to the device. */
static scree_result send_bodies(opencl_collide *self, const contact_request *request, collide_motion motion,
                                device_bodies *out, int *regrown) {
    const body_array *bodies = request->pairs->bodies;
    TRY(send_definitions(self, request, regrown));
    if (bodies->gone_count > 0) TRY(SEND(self, gone, bodies->gone, bodies->count, CL_FALSE));
    *out = self->told;
    out->count = (cl_uint)bodies->count;
    out->shapes = &self->shapes, out->masses = motion.masses;
    out->poses = motion.poses, out->velocities = motion.velocities;
    out->groups = bodies->filtered ? &self->groups : NULL;
    out->apart = bodies->apart_count > 0 ? &self->apart : NULL;
    out->apart_count = (cl_uint)bodies->apart_count;
    out->gone = bodies->gone_count > 0 ? &self->gone : NULL;
    const vec3s length = bodies->period.length;
    out->period[0] = length.x, out->period[1] = length.y, out->period[2] = length.z;
    return SCREE_OK;
}

/* -- Search ----------------------------------------------------------------------------- */

/* Enqueues a search for the contacts of the pairs. */
static scree_result search_contacts(opencl_collide *self) {
    const collide_run *run = &self->run;
    stage_enter(SCREE_STAGE_CONTACTS);
    return opencl_contacts_search(&self->contacts, &run->bodies, &self->pairs->found,
                                  opencl_pairs_images(self->pairs), run->request.margin,
                                  run->request.time_step, run->before, run->found);
}

/* Computes the boxes of the bodies. */
static scree_result make_boxes(opencl_collide *self) {
    const contact_request *request = &self->run.request;
    opencl_pairs *pairs = self->pairs;
    const grid_bodies *to = &pairs->bodies;
    stage_enter(SCREE_STAGE_BOUNDS);
    TRY(opencl_pairs_describe(pairs, self->run.pairs.bodies));
    return opencl_detect_boxes(&pairs->primitives, &self->run.bodies, &to->types, request->margin,
                               request->time_step, &to->boxes, &to->planes, to->plane_count, &to->planes,
                               to->length.count);
}

/* Enqueues both searches. */
static scree_result search_pairs(opencl_collide *self) {
    const pair_search *pairs = &self->run.pairs;
    opencl_scratch_reset(self->mirror.device, self->run.begin);
    stage_enter(SCREE_STAGE_PAIRS);
    TRY(pairs->boxes ? opencl_pairs_send(self->pairs, pairs) : make_boxes(self));
    stage_enter(SCREE_STAGE_PAIRS);
    TRY(opencl_pairs_enqueue(self->pairs));
    TRY(search_contacts(self));
    self->run.end = opencl_scratch_mark(self->mirror.device);
    return SCREE_OK;
}

scratch_mark opencl_collide_end(const opencl_collide *self) {
    return self->keeps_skims ? self->run.end : self->run.begin;
}

scree_result opencl_collide_fetch(opencl_collide *self) {
    collide_run *run = &self->run;
    if (!run->pending) return SCREE_OK;
    TRY(opencl_buffer_read(self->mirror.device, &self->pairs->counts, run->pair_counts,
                           sizeof run->pair_counts, CL_FALSE, "number of pairs"));
    TRY(opencl_pairs_read_images(self->pairs, run->images));
    return opencl_buffer_read(self->mirror.device, &run->found->counts, run->counts, sizeof run->counts,
                              CL_FALSE, "numbers of contacts");
}

/* Enqueues the search again if something did not fit. Later stages can have taken the memory of the pairs, so
 * these are searched for again, too. */
static scree_result search_again(opencl_collide *self, bool *repeat) {
    collide_run *run = &self->run;
    TRY(opencl_pairs_grow(self->pairs, run->pair_counts[PAIR_COUNT_PAIRS], repeat, run->regrown));
    if (run->images[PERIODIC_FAR]) *repeat = false;
    if (run->images[PERIODIC_FAR]) return SCREE_OK;
    *repeat |= opencl_images_grow(&self->pairs->images, run->images[PERIODIC_IMAGES]);
    if (*repeat) return search_pairs(self);
    if (run->counts[CONTACTS_ITEMS] > INT_MAX)
        return fail(SCREE_ERROR_CAPACITY, "pairs of children: %u or more; at most %d",
                    (unsigned)run->counts[CONTACTS_ITEMS], INT_MAX);
    TRY(contacts_check_points(run->counts[CONTACTS_POINTS], run->request.maximum_contacts));
    *repeat = opencl_contacts_grow(&self->contacts, run->counts);
    *repeat |= device_contacts_grow(run->found, run->counts);
    if (!*repeat) return SCREE_OK;
    ++*run->regrown;
    return search_pairs(self);
}

/* Searches until everything fits. */
static scree_result search(opencl_collide *self) {
    bool repeat = true;
    TRY(search_pairs(self));
    while (repeat) {
        TRY(opencl_collide_fetch(self));
        TRY(opencl_device_wait(self->mirror.device));
        TRY(search_again(self, &repeat));
    }
    return SCREE_OK;
}

_Static_assert(sizeof(skim) == sizeof(cl_int4), "skim");

/* Enqueues the read-back of dropped contacts. */
static scree_result read_skims(opencl_collide *self, const device_contacts *found, skim_list *out,
                               int *regrown) {
    const cl_uint count = self->skim_count;
    out->count = 0;
    if (count == 0) return SCREE_OK;
    TRY(MEMORY_RESERVE(out->items, out->capacity, count, regrown));
    TRY(opencl_buffer_share(self->mirror.device, &self->skims, count * sizeof(cl_int4), "bodies that pass"));
    TRY(opencl_contacts_list_skims(&self->contacts, &self->pairs->found, opencl_pairs_images(self->pairs),
                                   found, count, &self->skims));
    TRY(opencl_buffer_read(self->mirror.device, &self->skims, out->items, count * sizeof *out->items,
                           CL_FALSE, "bodies that pass"));
    out->count = (int)count;
    return SCREE_OK;
}

scree_result opencl_collide_bring_skims(opencl_collide *self, const contact_set *contacts, skim_list *out,
                                        int *regrown) {
    TRY(read_skims(self, contact_mirror_find(&self->mirror, contacts), out, regrown));
    return opencl_device_wait(self->mirror.device);
}

scree_result opencl_collide_bring(opencl_collide *self, contact_set *out) {
    const device_contacts *found = contact_mirror_find(&self->mirror, out);
    const cl_uint counts[CONTACTS_COUNTS] = {
        [CONTACTS_PAIRS] = (cl_uint)out->count, [CONTACTS_POINTS] = (cl_uint)out->points};
    TRY(contact_mirror_read(&self->mirror, found, counts, self->scratch, out, NULL));
    TRY(opencl_device_wait(self->mirror.device));
    contact_mirror_take(&self->mirror, found, self->threads, out);
    return SCREE_OK;
}

/* After a failure, enqueued commands may still access the host's memory: wait for them. */
static scree_result bring(void *context, contact_set *out) {
    opencl_collide *self = context;
    const scree_result result = opencl_collide_bring(self, out);
    if (result != SCREE_OK) opencl_device_abandon(self->mirror.device);
    return result;
}

static void take_counts(opencl_collide *self) {
    const collide_run *run = &self->run;
    const device_bodies *bodies = &run->bodies;
    self->skim_count =
        bodies->boxes || bodies->convexes || bodies->children ? run->counts[CONTACTS_SKIMS] : 0;
    *run->pair_count = (int)run->pair_counts[PAIR_COUNT_PAIRS];
}

static scree_result read_back(opencl_collide *self, skim_list *skims) {
    const collide_run *run = &self->run;
    const contact_request *request = &run->request;
    take_counts(self);
    TRY(contact_mirror_read(&self->mirror, run->found, run->counts, request->scratch, run->out,
                            run->regrown));
    TRY(read_skims(self, run->found, skims, run->regrown));
    TRY(opencl_device_wait(self->mirror.device));
    contact_mirror_take(&self->mirror, run->found, request->threads, run->out);
    return SCREE_OK;
}

/* Declares the contacts to stay. */
static void declare(opencl_collide *self, const cl_uint counts[CONTACTS_COUNTS]) {
    self->source = (contact_store){bring, self};
    contact_mirror_leave(&self->mirror, self->run.found, counts, &self->source, self->run.out);
}

/* Leaves the contacts on the device; their counts follow. */
static scree_result leave(opencl_collide *self) {
    const cl_uint none[CONTACTS_COUNTS] = {0};
    declare(self, none);
    return search_pairs(self);
}

/* Leaves the contacts that have been found on the device. */
static scree_result keep(opencl_collide *self) {
    take_counts(self);
    self->keeps_skims |= self->skim_count > 0;
    declare(self, self->run.counts);
    return SCREE_OK;
}

scree_result opencl_collide_settle(opencl_collide *self, bool *repeat) {
    collide_run *run = &self->run;
    *repeat = false;
    if (!run->pending) return SCREE_OK;
    TRY(search_again(self, repeat));
    if (*repeat) return SCREE_OK;
    take_counts(self);
    if (self->skim_count > 0 && !self->keeps_skims) {
        self->keeps_skims = *repeat = true;
        return search_pairs(self);
    }
    run->pending = false;
    run->out->has_resistance = run->found->resists;
    run->out->count = (int)run->counts[CONTACTS_PAIRS];
    run->out->points = run->out->action_count = (int)run->counts[CONTACTS_POINTS];
    return SCREE_OK;
}

/* Returns whether the search may find what only the host can compute; that must be known at once. */
static bool may_be_refused(const opencl_collide *self) {
    const uint32_t surfaces = UINT32_C(1) << SCREE_SHAPE_MESH | UINT32_C(1) << SCREE_SHAPE_SOLID;
    return self->run.request.pairs->bodies->period.any ||
           (self->dynamic_kinds & surfaces && self->kinds & surfaces);
}

/* Returns what it has found of that; null: nothing. */
static const char *refusal(const collide_run *run) {
    if (run->images[PERIODIC_FAR]) return "a body reaches beyond the cells next to its own";
    return run->counts[CONTACTS_CLASHES] > 0 ? "two bodies that are made of triangles meet" : NULL;
}

static scree_result find(opencl_collide *self, collide_motion motion, contact_finding *out) {
    collide_run *run = &self->run;
    const contact_request *request = &run->request;
    stage_enter(SCREE_STAGE_CONTACTS);
    TRY(send_bodies(self, request, motion, &run->bodies, run->regrown));
    self->bodies = run->bodies, self->scratch = request->scratch, self->threads = request->threads;
    TRY(contact_mirror_send(&self->mirror, request->before, request->scratch, request->threads, &run->before,
                            &run->found, run->regrown));
    if (request->stays && !may_be_refused(self)) return leave(self);
    TRY(search(self));
    run->pending = false;
    out->barrier = refusal(run);
    if (out->barrier) return SCREE_OK;
    return request->stays ? keep(self) : read_back(self, out->skims);
}

scree_result opencl_collide_find(opencl_collide *self, const contact_request *request, collide_motion motion,
                                 contact_finding *out, int *regrown) {
    collide_run *run = &self->run;
    *run = (collide_run){.request = *request,
                         .pairs = *request->pairs,
                         .out = out->contacts,
                         .pair_count = out->pairs,
                         .regrown = regrown,
                         .begin = opencl_scratch_mark(self->mirror.device),
                         .pending = true};
    run->request.pairs = &run->pairs;
    contacts_clear(out->contacts);
    out->skims->count = 0;
    const scree_result result = find(self, motion, out);
    if (result != SCREE_OK) run->pending = false;
    if (result != SCREE_OK) contacts_clear(out->contacts);
    return result;
}
