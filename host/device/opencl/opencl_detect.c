/* Launches of the boxes of bodies and of the detection pass on the device. */
#include "opencl_detect.h"

#include "base/error.h"
#include "body_record.h"
#include "detect/broadphase.h"
#include "manifold_points.h"
#include "swept_box.h"

#include <limits.h>
#include <string.h>

enum { QUAD = 4 * sizeof(cl_float) };

void opencl_detect_open(opencl_detect *self, opencl_primitives *primitives, opencl_grid *grid) {
    *self = (opencl_detect){.primitives = primitives, .grid = grid};
    opencl_contacts_open(&self->narrow, primitives);
    opencl_images_open(&self->images, primitives);
    self->near.capacity = self->unknown.capacity = self->met.pair_capacity = self->met.point_capacity =
        self->met.slot_capacity = 1;
    self->near.total = (device_word){&self->counts, DETECT_NEAR};
    self->unknown.total = (device_word){&self->counts, DETECT_UNKNOWN};
}

void opencl_detect_close(opencl_detect *self) {
    opencl_buffer *const buffers[] = {
        &self->motions,     &self->turned,        &self->straying, &self->marks,         &self->skim_marks,
        &self->counts,      &self->parts,         &self->tested,   &self->boxes,         &self->planes,
        &self->bare,        &self->near.a,        &self->near.b,   &self->flags,         &self->list,
        &self->unknown.a,   &self->unknown.b,     &self->moved,    &self->kept,          &self->slots,
        &self->numbers,     &self->recovered,     &self->strays,   &self->unknown_flags, &self->met_flags,
        &self->near.images, &self->unknown.images};
    device_contacts *const sets[] = {&self->none, &self->met, &self->found};
    if (!self->primitives) return;
    opencl_device *device = self->primitives->device;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) opencl_buffer_release(device, buffers[i]);
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) device_contacts_release(device, sets[i]);
    opencl_contacts_close(&self->narrow);
    opencl_images_close(&self->images);
    *self = (opencl_detect){0};
}

static cl_uint groups_of(const opencl_detect *self, size_t items) {
    return primitive_groups(self->primitives, (cl_uint)items, TILE_GROUP);
}

scree_result opencl_detect_boxes(opencl_primitives *primitives, const device_bodies *bodies,
                                 const opencl_buffer *types, float margin, float time_step,
                                 const opencl_buffer *boxes, const opencl_buffer *slots, cl_uint plane_count,
                                 const opencl_buffer *planes, device_word count) {
    const cl_int convex = bodies->convexes != NULL;
    return PRIMITIVE_LAUNCH(primitives, PRIMITIVE_boxes_boxes_of_step,
                            primitive_groups(primitives, bodies->count, TILE_GROUP), BUFFER(*bodies->shapes),
                            BUFFER(*(convex ? bodies->convexes : bodies->shapes)),
                            BUFFER(*(convex ? bodies->corners : bodies->shapes)), ARGUMENT(convex),
                            BUFFER(*types), BUFFER(*bodies->poses), BUFFER(*bodies->velocities),
                            ARGUMENT(bodies->count), ARGUMENT(margin), ARGUMENT(time_step), BUFFER(*boxes),
                            BUFFER(*slots), ARGUMENT(plane_count), BUFFER(*planes), WORD(count));
}

#define RESERVE(self, buffer, items, size)                                                                   \
    opencl_buffer_reserve((self)->primitives->device, &(self)->buffer, (size_t)(items) * (size),             \
                          #buffer " of a detection pass")

/* Parts of scratch memory, which the caller gives back after the pass. */
#define SHARE(self, buffer, items, size)                                                                     \
    opencl_buffer_share((self)->primitives->device, &(self)->buffer, (size_t)(items) * (size),               \
                        #buffer " of a detection pass")

/* Pairs, skims and their number, as arguments; a kernel does not read what stands for none. */
#define SKIM_PAIRS(self, trial)                                                                              \
    BUFFER(*((trial)->skims ? (trial)->skims : &(self)->marks)),                                             \
        BUFFER(*((trial)->skims ? &(trial)->pairs->a : &(self)->marks)),                                     \
        BUFFER(*((trial)->skims ? &(trial)->pairs->b : &(self)->marks)),                                     \
        BUFFER(*((trial)->skims && (trial)->endless ? &(trial)->pairs->images : &(self)->marks)),            \
        ARGUMENT((cl_int){(trial)->endless != NULL})
#define SKIM_COUNT(self, trial)                                                                              \
    BUFFER(*((trial)->skims ? (trial)->skim_count.buffer : &(self)->marks)), ARGUMENT((trial)->skim_count.at)
/* Arguments TRIAL_ARGUMENTS of kernels/trial_bodies.h. */
#define TRIAL_BODIES(self, trial)                                                                            \
    BUFFER(*(trial)->bodies->shapes), BUFFER(*(trial)->bodies->poses), BUFFER(*(trial)->ends),               \
        BUFFER((self)->motions), BUFFER(*(trial)->bodies->masses), ARGUMENT((trial)->bodies->period)

static cl_uint skim_capacity(const device_trial *trial) { return trial->skims ? trial->skim_capacity : 0; }

static scree_result reserve_tests(opencl_detect *self, const device_trial *trial, cl_uint groups) {
    const cl_uint bodies = trial->bodies->count, pairs = trial->contacts->pair_capacity,
                  skims = skim_capacity(trial);
    TRY(SHARE(self, motions, bodies, sizeof(body_velocity)));
    TRY(SHARE(self, turned, bodies, sizeof(cl_float)));
    TRY(SHARE(self, straying, bodies, 1));
    TRY(RESERVE(self, parts, groups, DETECT_PART_WORDS * sizeof(cl_uint)));
    TRY(SHARE(self, marks, pairs, sizeof(cl_uint)));
    TRY(SHARE(self, skim_marks, skims, sizeof(cl_uint)));
    TRY(SHARE(self, tested, (size_t)pairs + skims, sizeof(cl_uint)));
    return RESERVE(self, counts, DETECT_COUNTS, sizeof(cl_uint));
}

static scree_result scan_bodies(opencl_detect *self, const device_trial *trial, cl_uint groups) {
    const device_bodies *bodies = trial->bodies;
    const cl_float rate = 1 / trial->time_step;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_detect_detect_bodies, groups, BUFFER(*bodies->shapes),
                            BUFFER(*trial->types), BUFFER(*bodies->poses), BUFFER(*trial->ends),
                            BUFFER(*bodies->velocities), ARGUMENT(bodies->count), ARGUMENT(trial->margin),
                            ARGUMENT(trial->smallest), ARGUMENT(trial->time_step), ARGUMENT(rate),
                            BUFFER(self->motions), BUFFER(self->turned), BUFFER(self->straying),
                            BUFFER(self->parts), BUFFER(self->counts));
}

/* `parts`: work-groups of the launch over the bodies. */
static scree_result select_contacts(opencl_detect *self, const device_trial *trial, cl_uint parts) {
    const device_bodies *bodies = trial->bodies;
    const device_contacts *contacts = trial->contacts;
    const cl_uint skims = skim_capacity(trial);
    const cl_int children = bodies->children != NULL;
    const cl_uint items = contacts->pair_capacity > skims ? contacts->pair_capacity : skims;
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_detect_detect_select, groups_of(self, items), TRIAL_BODIES(self, trial),
        BUFFER(*bodies->velocities), BUFFER(self->turned), ARGUMENT(trial->smallest),
        ARGUMENT(trial->time_step), BUFFER(self->parts), ARGUMENT(parts), BUFFER(contacts->heads),
        BUFFER(contacts->tags), BUFFER(contacts->counts), ARGUMENT(contacts->pair_capacity),
        SKIM_PAIRS(self, trial), SKIM_COUNT(self, trial), ARGUMENT(skims), BUFFER(self->marks),
        BUFFER(self->skim_marks), BUFFER(self->tested), BUFFER(self->counts), ARGUMENT(children));
}

/* Arguments CHILD_TRIAL_ARGUMENTS of kernels/child_trial.h. */
#define CHILD_TRIAL(self, trial)                                                                             \
    TRIAL_BODIES(self, trial), CHILDREN((trial)->bodies->children),                                          \
        BUFFER(*(trial)->bodies->children->sides), ARGUMENT((trial)->margin), ARGUMENT((trial)->time_step),  \
        BUFFER((self)->tested), BUFFER((trial)->contacts->heads), BUFFER((trial)->contacts->tags),           \
        BUFFER((trial)->contacts->places), BUFFER((trial)->contacts->counts),                                \
        ARGUMENT((trial)->contacts->pair_capacity), BUFFER((self)->counts)

static scree_result test_children(opencl_detect *self, const device_trial *trial) {
    const cl_uint pairs = trial->contacts->pair_capacity;
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_children_detect_child_balls,
                         groups_of(self, pairs), CHILD_TRIAL(self, trial)));
    if (!trial->bodies->convex_children) return SCREE_OK;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_children_convex_detect_child_convexes,
                            primitive_groups(self->primitives, pairs, CONVEX_GROUP),
                            CHILD_TRIAL(self, trial));
}

static scree_result test_contacts(opencl_detect *self, const device_trial *trial) {
    const device_contacts *contacts = trial->contacts;
    const cl_int children = trial->bodies->children != NULL;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_detect_detect_test,
                            groups_of(self, (size_t)contacts->pair_capacity + skim_capacity(trial)),
                            TRIAL_BODIES(self, trial), ARGUMENT(trial->margin), ARGUMENT(trial->time_step),
                            BUFFER(self->tested), BUFFER(contacts->heads), BUFFER(contacts->tags),
                            BUFFER(contacts->places), BUFFER(contacts->counts),
                            ARGUMENT(contacts->pair_capacity), SKIM_PAIRS(self, trial), BUFFER(self->marks),
                            BUFFER(self->skim_marks), BUFFER(self->counts), ARGUMENT(children));
}

scree_result opencl_detect_test(opencl_detect *self, const device_trial *trial) {
    const cl_uint groups = groups_of(self, trial->bodies->count);
    TRY(reserve_tests(self, trial, groups));
    TRY(scan_bodies(self, trial, groups));
    TRY(select_contacts(self, trial, groups));
    TRY(test_contacts(self, trial));
    return trial->bodies->children ? test_children(self, trial) : SCREE_OK;
}

/* -- Pairs of straying bodies ----------------------------------------------------------- */

static scree_result sweep_boxes(opencl_detect *self, const device_trial *trial) {
    const device_bodies *bodies = trial->bodies;
    TRY(SHARE(self, boxes, bodies->count + (trial->endless ? self->images.capacity : 0), sizeof(bounds)));
    TRY(RESERVE(self, planes, trial->plane_count, sizeof(body_plane)));
    TRY(SHARE(self, bare, bodies->count, sizeof(record_shape)));
    TRY(SHARE(self, flags, bodies->count, sizeof(cl_uint)));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_boxes_boxes_of_trial, groups_of(self, bodies->count),
                            BUFFER(*bodies->shapes), BUFFER(*trial->types), BUFFER(*bodies->poses),
                            BUFFER(self->motions), BUFFER(self->straying), ARGUMENT(bodies->count),
                            ARGUMENT(trial->time_step), BUFFER(self->boxes), BUFFER(*trial->planes),
                            ARGUMENT(trial->plane_count), BUFFER(self->planes), BUFFER(self->bare),
                            BUFFER(self->flags));
}

#define NEAR(self, trial)                                                                                    \
    BUFFER(*(trial)->bodies->shapes), BUFFER(*(trial)->bodies->poses), BUFFER((self)->boxes),                \
        BUFFER((self)->straying), ARGUMENT((trial)->bodies->count), BUFFER((self)->strays), WORD(few),       \
        BUFFER((trial)->contacts->heads), BUFFER((trial)->contacts->counts),                                 \
        ARGUMENT((trial)->contacts->pair_capacity)

/* Compares few straying bodies with all. */
static scree_result find_few(opencl_detect *self, const device_trial *trial) {
    const cl_uint bodies = trial->bodies->count, groups = groups_of(self, bodies);
    const device_length all = {{&self->counts, DETECT_BODIES}, bodies};
    const device_word few = {&self->counts, DETECT_FEW};
    TRY(SHARE(self, strays, bodies, sizeof(cl_uint)));
    TRY(SHARE(self, numbers, bodies, sizeof(cl_uint)));
    TRY(RESERVE(self, unknown.a, self->unknown.capacity, sizeof(cl_uint)));
    TRY(RESERVE(self, unknown.b, self->unknown.capacity, sizeof(cl_uint)));
    TRY(opencl_compact(self->primitives, &self->flags, all, &self->strays, few));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_boxes_boxes_count, groups, NEAR(self, trial),
                         BUFFER(self->numbers)));
    TRY(opencl_scan(self->primitives, &self->numbers, all, &self->numbers, self->unknown.total));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_boxes_boxes_emit, groups, NEAR(self, trial),
                            BUFFER(self->numbers), ARGUMENT(self->unknown.capacity), BUFFER(self->unknown.a),
                            BUFFER(self->unknown.b));
}

static scree_result search_grid(opencl_detect *self, const device_trial *trial) {
    const float *cell = trial->bodies->period;
    const grid_bodies swept = {.boxes = self->boxes,
                               .images = trial->endless ? &self->images : NULL,
                               .endless = trial->endless,
                               .period = {cell[0], cell[1], cell[2]},
                               .types = *trial->types,
                               .wanted = self->straying,
                               .planes = self->planes,
                               .plane_count = trial->plane_count,
                               .length = {{&self->counts, DETECT_BODIES}, trial->bodies->count}};
    return opencl_grid_search(self->grid, &swept, &self->near);
}

/* Takes those of the grid's pairs that have no contact. */
static scree_result find_many(opencl_detect *self, const device_trial *trial) {
    const device_contacts *contacts = trial->contacts;
    const device_length near = {self->near.total, self->near.capacity};
    const cl_uint groups = groups_of(self, near.capacity);
    const cl_int periodic = trial->endless != NULL;
    const opencl_buffer *images = periodic ? &self->near.images : &self->marks,
                        *taken = periodic ? &self->unknown.images : &self->marks;
    TRY(search_grid(self, trial));
    if (self->unknown.capacity < near.capacity) self->unknown.capacity = near.capacity;
    TRY(SHARE(self, unknown_flags, near.capacity, sizeof(cl_uint)));
    TRY(SHARE(self, list, near.capacity, sizeof(cl_uint)));
    TRY(RESERVE(self, unknown.a, self->unknown.capacity, sizeof(cl_uint)));
    TRY(RESERVE(self, unknown.b, self->unknown.capacity, sizeof(cl_uint)));
    if (periodic) TRY(RESERVE(self, unknown.images, self->unknown.capacity, sizeof(cl_int)));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_boxes_boxes_unknown, groups, BUFFER(self->near.a),
                         BUFFER(self->near.b), BUFFER(*images), ARGUMENT(periodic), LENGTH(near),
                         BUFFER(contacts->heads), BUFFER(contacts->counts), ARGUMENT(contacts->pair_capacity),
                         BUFFER(self->unknown_flags)));
    TRY(opencl_compact(self->primitives, &self->unknown_flags, near, &self->list, self->unknown.total));
    const device_length unknown = {self->unknown.total, near.capacity};
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_boxes_boxes_take, groups, BUFFER(self->near.a),
                            BUFFER(self->near.b), BUFFER(*images), ARGUMENT(periodic), BUFFER(self->list),
                            LENGTH(unknown), BUFFER(self->unknown.a), BUFFER(self->unknown.b),
                            BUFFER(*taken));
}

/* Finds their contacts with the trial motion as velocities and without margins. */
static scree_result find_met(opencl_detect *self, const device_trial *trial) {
    device_bodies moving = *trial->bodies;
    moving.shapes = &self->bare, moving.velocities = &self->motions, moving.gone = NULL;
    moving.others = true; /* so that pairs without a test are counted */
    if (!self->none.counts.memory) TRY(device_contacts_clear(self->primitives->device, &self->none));
    TRY(opencl_contacts_search(&self->narrow, &moving, &self->unknown,
                               trial->endless ? &self->unknown.images : NULL, 0, trial->time_step,
                               &self->none, &self->met));
    const device_length length = {{&self->met.counts, CONTACTS_PAIRS}, self->met.pair_capacity};
    const cl_uint skims = skim_capacity(trial);
    TRY(RESERVE(self, met_flags, length.capacity, sizeof(cl_uint)));
    TRY(RESERVE(self, kept, length.capacity, sizeof(cl_uint)));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_detect_detect_meets, groups_of(self, length.capacity),
                         TRIAL_BODIES(self, trial), ARGUMENT(trial->time_step), BUFFER(self->met.heads),
                         BUFFER(self->met.places), BUFFER(self->met.counts),
                         ARGUMENT(self->met.pair_capacity), ARGUMENT(self->met.point_capacity),
                         ARGUMENT(self->met.slot_capacity), SKIM_PAIRS(self, trial), SKIM_COUNT(self, trial),
                         ARGUMENT(skims), BUFFER(self->skim_marks), BUFFER(self->met_flags)));
    return opencl_compact(self->primitives, &self->met_flags, length, &self->kept,
                          (device_word){&self->counts, DETECT_MET});
}

/* Raises a capacity, with room for more, and returns whether it was too small. */
static bool grow(cl_uint *capacity, cl_uint count) {
    const cl_uint grown = count + count / 8;
    if (count <= *capacity) return false;
    *capacity = grown > INT_MAX ? INT_MAX : grown;
    return true;
}

/* The target of a read that does not wait must outlive a failure, after which the caller waits. */
static scree_result read_counts(opencl_detect *self, cl_bool waits) {
    return opencl_buffer_read(self->primitives->device, &self->counts, self->found_counts,
                              sizeof self->found_counts, waits, "counts of a detection pass");
}

/* Reads the numbers of images of the last search, whose capacity grows if it was too small: `grown`. */
static scree_result read_images(opencl_detect *self, const device_trial *trial, bool *far, bool *grown) {
    cl_uint words[PERIODIC_SPAN];
    if (!trial->endless) return SCREE_OK;
    TRY(opencl_buffer_read(self->primitives->device, &self->images.words, words, sizeof words, CL_TRUE,
                           "images of bodies"));
    *far = words[PERIODIC_FAR];
    *grown |= opencl_images_grow(&self->images, words[PERIODIC_IMAGES]);
    return SCREE_OK;
}

/* Finds the pairs of straying bodies without contact, and reads the counts. `far`: it has not found all. */
static scree_result find_unknown(opencl_detect *self, const device_trial *trial, bool few, bool *far) {
    bool grown = true;
    const scratch_mark mark = opencl_scratch_mark(self->primitives->device);
    while (grown) {
        opencl_scratch_reset(self->primitives->device, mark);
        TRY(sweep_boxes(self, trial));
        TRY(few ? find_few(self, trial) : find_many(self, trial));
        TRY(read_counts(self, CL_TRUE));
        const cl_uint pairs = self->found_counts[few ? DETECT_UNKNOWN : DETECT_NEAR];
        if (pairs > INT_MAX)
            return fail(SCREE_ERROR_CAPACITY, "pairs of bodies: %u or more; at most %d", (unsigned)pairs,
                        INT_MAX);
        grown = few ? grow(&self->unknown.capacity, pairs) : grow(&self->near.capacity, pairs);
        TRY(read_images(self, trial, far, &grown));
    }
    return SCREE_OK;
}

/* Returns whether straying bodies are compared with all others; images are found by the grid alone. */
static bool are_few(const device_trial *trial, cl_uint strays) {
    return strays <= BROADPHASE_STRAYS && !trial->endless;
}

/* Searches for contacts of straying bodies, and reads the counts. `left`: pairs without a test. */
static scree_result search(opencl_detect *self, const device_trial *trial, cl_uint *left) {
    const cl_uint *counts = self->found_counts;
    bool far = false;
    TRY(find_unknown(self, trial, are_few(trial, counts[DETECT_STRAYS]), &far));
    *left = far;
    if (far || counts[DETECT_UNKNOWN] == 0) return SCREE_OK;
    do {
        TRY(find_met(self, trial));
        TRY(opencl_buffer_read(self->primitives->device, &self->met.counts, self->met_counts,
                               sizeof self->met_counts, CL_FALSE, "counts of contacts"));
        TRY(read_counts(self, CL_TRUE));
    } while (device_contacts_grow(&self->met, self->met_counts));
    *left = self->met_counts[CONTACTS_LEFT];
    return SCREE_OK;
}

/* -- New contacts ----------------------------------------------------------------------- */

/* Lists the marked contacts and the marked dropped ones. */
static scree_result list_marked(opencl_detect *self, const device_trial *trial) {
    const device_contacts *contacts = trial->contacts;
    const cl_uint skims = skim_capacity(trial);
    TRY(SHARE(self, moved, contacts->pair_capacity, sizeof(cl_uint)));
    TRY(SHARE(self, recovered, skims, sizeof(cl_uint)));
    TRY(RESERVE(self, kept, 1, sizeof(cl_uint)));
    TRY(opencl_compact(self->primitives, &self->marks,
                       (device_length){{&contacts->counts, CONTACTS_PAIRS}, contacts->pair_capacity},
                       &self->moved, (device_word){&self->counts, DETECT_LISTED}));
    if (!skims) return SCREE_OK;
    return opencl_compact(self->primitives, &self->skim_marks, (device_length){trial->skim_count, skims},
                          &self->recovered, (device_word){&self->counts, DETECT_RECOVERED});
}

static scree_result merge(opencl_detect *self, const device_trial *trial, cl_uint groups, cl_int sorted) {
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_detect_detect_merge, groups, TRIAL_BODIES(self, trial),
        ARGUMENT(trial->margin), ARGUMENT(trial->time_step), BUFFER(self->counts), BUFFER(self->moved),
        BUFFER(trial->contacts->heads), BUFFER(self->recovered), SKIM_PAIRS(self, trial), BUFFER(self->kept),
        BUFFER(self->met.heads), BUFFER(self->met.places), BUFFER(self->met.features), ARGUMENT(sorted),
        ARGUMENT(self->found.pair_capacity), BUFFER(self->found.heads), BUFFER(self->found.tags),
        BUFFER(self->slots), BUFFER(self->numbers), BUFFER(self->found.counts));
}

/* Fills `found` with this many contacts. `sorted`: those of straying bodies are in the order of pairs. */
static scree_result collect(opencl_detect *self, const device_trial *trial, cl_uint count, bool sorted) {
    device_contacts *found = &self->found;
    const cl_uint groups = groups_of(self, count);
    found->resists = trial->contacts->resists;
    found->pair_capacity = count, found->point_capacity = MANIFOLD_POINTS * count;
    TRY(device_contacts_reserve(self->primitives->device, found));
    TRY(device_contacts_reserve(self->primitives->device, &self->met));
    TRY(SHARE(self, slots, count, CONTACT_SLOT_WORDS * QUAD));
    TRY(SHARE(self, numbers, count, sizeof(cl_uint)));
    TRY(list_marked(self, trial));
    TRY(merge(self, trial, groups, sorted));
    TRY(opencl_scan(self->primitives, &self->numbers,
                    (device_length){{&found->counts, CONTACTS_PAIRS}, count}, &self->numbers,
                    (device_word){&found->counts, CONTACTS_POINTS}));
    const cl_int resists = found->resists;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_detect_detect_store, groups, BUFFER(found->counts),
                            ARGUMENT(count), BUFFER(self->slots), BUFFER(self->numbers), ARGUMENT(resists),
                            BUFFER(found->heads), BUFFER(found->places), BUFFER(found->features),
                            BUFFER(found->impulses), BUFFER(found->rows), BUFFER(found->torques));
}

static device_detection detection_of(const cl_uint counts[DETECT_COUNTS]) {
    device_detection out = {
        .straying = (int)counts[DETECT_STRAYS], .deviates = counts[DETECT_DEVIATES] > 0, .only_moved = true};
    memcpy(&out.turned, &counts[DETECT_TURNED], sizeof out.turned);
    out.asks = counts[DETECT_ASKED] > 0 || (out.straying > 0 && counts[DETECT_OTHERS] > 0) ||
               (counts[DETECT_CHILDREN] > 0 && counts[DETECT_WORTH] > 0);
    return out;
}

scree_result opencl_detect_fetch(opencl_detect *self) { return read_counts(self, CL_FALSE); }

scree_result opencl_detect_find(opencl_detect *self, const device_trial *trial, device_detection *out) {
    TRY(opencl_detect_test(self, trial));
    TRY(read_counts(self, CL_TRUE));
    return opencl_detect_finish(self, trial, out);
}

scree_result opencl_detect_finish(opencl_detect *self, const device_trial *trial, device_detection *out) {
    const cl_uint *counts = self->found_counts;
    cl_uint left = 0;
    *out = detection_of(counts);
    if (out->asks) return SCREE_OK;
    if (out->straying > 0) TRY(search(self, trial, &left));
    const cl_uint moved = counts[DETECT_WORTH] ? counts[DETECT_MOVED] : 0,
                  more = counts[DETECT_DROPPED] + counts[DETECT_MET];
    out->asks = left > 0;
    out->found = (int)(moved + more);
    out->only_moved = more == 0;
    if (out->asks || out->found == 0) return SCREE_OK;
    return collect(self, trial, moved + more, !are_few(trial, (cl_uint)out->straying));
}
