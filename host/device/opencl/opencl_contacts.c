/* Launches of the narrow phase on the device. */
#include "opencl_contacts.h"

#include "base/error.h"
#include "contact_pairs.h"
#include "detect/narrow_phase.h"

enum { QUAD = 4 * sizeof(cl_float) };

bool device_shape_tested(const opencl_device *device, scree_shape_kind kind) {
    const int record = narrow_phase_kind(kind);
    return record != RECORD_OTHER && (record <= RECORD_HALF_SPACE || device->info.fp64);
}

void opencl_contacts_open(opencl_contacts *self, opencl_primitives *primitives) {
    *self = (opencl_contacts){.primitives = primitives, .items.pairs.capacity = 1};
}

void opencl_contacts_close(opencl_contacts *self) {
    opencl_buffer *const buffers[] = {&self->records,
                                      &self->kinds,
                                      &self->order,
                                      &self->places,
                                      &self->numbers,
                                      &self->firsts,
                                      &self->kept,
                                      &self->examined,
                                      &self->list,
                                      &self->slots,
                                      &self->left,
                                      &self->skims,
                                      &self->items.counts,
                                      &self->items.firsts,
                                      &self->items.pairs.a,
                                      &self->items.pairs.b,
                                      &self->items.pairs.images,
                                      &self->items.numbers};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    *self = (opencl_contacts){0};
}

scree_result device_contacts_reserve(opencl_device *device, device_contacts *set) {
    const size_t pairs = set->pair_capacity, points = set->point_capacity;
    const struct {
        opencl_buffer *buffer;
        size_t bytes;
        const char *what;
    } columns[] = {
        {&set->counts, CONTACTS_COUNTS * sizeof(cl_uint), "counts of contacts"},
        {&set->heads, pairs * sizeof(contact_head), "contacts"},
        {&set->tags, pairs * sizeof(contact_tag), "contacts"},
        {&set->colours, pairs, "colours of contacts"},
        {&set->places, points * QUAD, "contact points"},
        {&set->features, points * sizeof(cl_uint), "features of contacts"},
        {&set->impulses, points * QUAD, "impulses of contacts"},
        {&set->rows, points * sizeof(contact_row), "rows of contacts"},
        {&set->torques, set->resists ? points * QUAD : 1, "torques of contacts"},
        {&set->pulls, set->cohesive ? pairs * QUAD : 1, "cohesive impulses of contacts"},
    };
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        TRY((set->shared ? opencl_buffer_share : opencl_buffer_reserve)(device, columns[i].buffer,
                                                                        columns[i].bytes, columns[i].what));
    return SCREE_OK;
}

scree_result device_contacts_clear(opencl_device *device, device_contacts *set) {
    TRY(device_contacts_reserve(device, set));
    return opencl_buffer_clear(device, &set->counts, CONTACTS_COUNTS * sizeof(cl_uint), "counts of contacts");
}

void device_contacts_release(opencl_device *device, device_contacts *set) {
    opencl_buffer *const buffers[] = {&set->counts,   &set->heads,    &set->tags, &set->colours, &set->places,
                                      &set->features, &set->impulses, &set->rows, &set->torques, &set->pulls};
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++) opencl_buffer_release(device, buffers[i]);
    *set = (device_contacts){0};
}

/* Raises to an eighth more than is needed, as buffers grow. */
static bool raise(cl_uint *capacity, cl_uint needed) {
    const cl_ulong grown = needed + (cl_ulong)needed / 8;
    if (needed <= *capacity) return false;
    *capacity = grown < CL_INT_MAX ? (cl_uint)grown : needed;
    return true;
}

bool opencl_contacts_grow(opencl_contacts *self, const cl_uint *counts) {
    return raise(&self->items.pairs.capacity, counts[CONTACTS_ITEMS]);
}

bool device_contacts_grow(device_contacts *set, const cl_uint *counts) {
    const bool pairs = raise(&set->pair_capacity, counts[CONTACTS_PAIRS]),
               points = raise(&set->point_capacity, counts[CONTACTS_POINTS]),
               slots = raise(&set->slot_capacity, counts[CONTACTS_SLOTS]);
    return pairs || points || slots;
}

/* One search. */
typedef struct contact_search_run {
    const device_bodies *bodies;
    const device_pairs *pairs; /* with children: items */
    device_length length;      /* of the pairs */
    cl_uint groups;            /* of a launch over the pairs */
    cl_uint convex_groups;
    cl_float margin, time_step;
    const opencl_buffer *images; /* a kernel does not read the buffer that stands for one that is not there */
    cl_int periodic, tests;
    bool convex, sorted;             /* sorted: there are kinds with slots */
    bool leaves;                     /* whether pairs may be left to the host */
    const device_children *children; /* null: no body has any */
    bool convex_children;
    const device_pairs *of_bodies; /* pairs from which the items are */
    const opencl_buffer *images_of_bodies;
} contact_search_run;

/* Arguments PAIR_LISTS of kernels/contact_pairs.h. */
#define PAIR_LISTS(run)                                                                                      \
    BUFFER((run)->pairs->a), BUFFER((run)->pairs->b), BUFFER(*(run)->images), ARGUMENT((run)->periodic),     \
        ARGUMENT((run)->bodies->period[0]), ARGUMENT((run)->bodies->period[1]),                              \
        ARGUMENT((run)->bodies->period[2])

static scree_result share_records(opencl_contacts *self, const contact_search_run *run) {
    return opencl_buffer_share(self->primitives->device, &self->records,
                               run->bodies->count * sizeof(body_record), "records");
}

/* Takes what a search leaves, then what it returns to the scratch memory: `mark` is between them. */
static scree_result share(opencl_contacts *self, const contact_search_run *run, const device_contacts *out,
                          scratch_mark *mark) {
    opencl_device *device = self->primitives->device;
    const size_t word = sizeof(cl_uint), pairs = run->length.capacity * word,
                 sorted = run->sorted ? pairs : word,
                 slots = (size_t)out->slot_capacity * CONTACT_SLOT_WORDS * QUAD;
    TRY(opencl_buffer_share(device, &self->skims, sorted, "bodies that pass"));
    TRY(opencl_buffer_share(device, &self->left, run->leaves ? pairs : word, "pairs of the host"));
    *mark = opencl_scratch_mark(device);
    if (!run->children) TRY(share_records(self, run));
    TRY(opencl_buffer_share(device, &self->kinds, pairs, "kinds of pairs"));
    TRY(opencl_buffer_share(device, &self->numbers, pairs, "points of pairs"));
    TRY(opencl_buffer_share(device, &self->list, pairs, "pairs that touch"));
    TRY(opencl_buffer_share(device, &self->kept, run->leaves ? pairs : word, "pairs of the host"));
    if (!run->leaves) self->kept = self->list; /* which is written later */
    TRY(opencl_buffer_share(device, &self->order, sorted, "order of pairs"));
    TRY(opencl_buffer_share(device, &self->examined, sorted, "bodies that may pass"));
    if (!run->sorted) return SCREE_OK;
    TRY(opencl_buffer_share(device, &self->slots, slots, "points with slots"));
    return opencl_sort_share(self->primitives, run->length.capacity);
}

static scree_result make_records(opencl_contacts *self, const device_bodies *bodies,
                                 const device_contacts *out) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_contacts_records,
                            primitive_groups(self->primitives, bodies->count, TILE_GROUP),
                            BUFFER(*bodies->shapes), BUFFER(*bodies->poses), BUFFER(*bodies->velocities),
                            ARGUMENT(bodies->count), BUFFER(self->records), BUFFER(out->counts));
}

static const opencl_buffer *or_any(const opencl_buffer *buffer, const opencl_buffer *any) {
    return buffer ? buffer : any;
}

/* -- Children --------------------------------------------------------------------------- */

/* Arguments ITEM_ARGUMENTS of kernels/children.cl, for a run over pairs of bodies. */
#define ITEM_SEARCH(self, run)                                                                               \
    BUFFER((self)->records), PAIR_LISTS(run), LENGTH((run)->length), BUFFER(*(run)->bodies->poses),          \
        CHILDREN((run)->children), ARGUMENT((run)->margin), ARGUMENT((run)->time_step)

/* Arguments CHILD_PAIR_ARGUMENTS of kernels/child_pair.h. */
#define CHILD_PAIRS(self, run)                                                                               \
    BUFFER((self)->records), PAIR_LISTS(run), BUFFER((self)->items.numbers), BUFFER(*(run)->bodies->poses),  \
        BUFFER(*(run)->bodies->velocities), BUFFER(*(run)->bodies->masses), CHILDREN((run)->children),       \
        BUFFER(*(run)->children->sides), ARGUMENT((run)->margin), ARGUMENT((run)->time_step)

/* Takes scratch memory below that which the search returns at its end: skimming contacts are found among the
 * items. */
static scree_result share_items(opencl_contacts *self, cl_uint pairs) {
    opencl_device *device = self->primitives->device;
    opencl_items *items = &self->items;
    const size_t word = sizeof(cl_uint), bytes = items->pairs.capacity * word;
    TRY(opencl_buffer_share(device, &items->counts, pairs * word, "items of pairs"));
    TRY(opencl_buffer_share(device, &items->firsts, pairs * word, "items of pairs"));
    TRY(opencl_buffer_share(device, &items->pairs.a, bytes, "pairs of children"));
    TRY(opencl_buffer_share(device, &items->pairs.b, bytes, "pairs of children"));
    TRY(opencl_buffer_share(device, &items->pairs.images, bytes, "pairs of children"));
    return opencl_buffer_share(device, &items->numbers, bytes, "pairs of children");
}

/* Counts the items of the pairs of bodies and lists them. */
static scree_result list_items(opencl_contacts *self, const contact_search_run *run,
                               const device_contacts *out) {
    const device_bodies *bodies = run->bodies;
    opencl_items *items = &self->items;
    const cl_int filtered = bodies->groups != NULL;
    const cl_uint apart_count = bodies->apart ? bodies->apart_count : 0;
    const opencl_buffer *any = &self->records;
    TRY(share_items(self, run->length.capacity));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_children_children_count, run->groups,
                         ITEM_SEARCH(self, run), BUFFER(*or_any(bodies->groups, any)), ARGUMENT(filtered),
                         BUFFER(*or_any(bodies->apart, any)), ARGUMENT(apart_count), BUFFER(items->counts),
                         BUFFER(out->counts)));
    TRY(opencl_scan(self->primitives, &items->counts, run->length, &items->firsts,
                    (device_word){&out->counts, CONTACTS_ITEMS}));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_children_children_emit, run->groups,
                            ITEM_SEARCH(self, run), BUFFER(items->counts), BUFFER(items->firsts),
                            ARGUMENT(items->pairs.capacity), BUFFER(items->pairs.a), BUFFER(items->pairs.b),
                            BUFFER(items->pairs.images), BUFFER(items->numbers), BUFFER(out->counts));
}

/* Lets the items take the place of the pairs. */
static scree_result take_items(opencl_contacts *self, contact_search_run *run, const device_contacts *out) {
    opencl_items *items = &self->items;
    TRY(list_items(self, run, out));
    items->pairs.total = (device_word){&out->counts, CONTACTS_ITEMS};
    run->of_bodies = run->pairs, run->images_of_bodies = run->images;
    run->pairs = &items->pairs, run->images = &items->pairs.images;
    run->length = (device_length){items->pairs.total, items->pairs.capacity};
    run->groups = primitive_groups(self->primitives, items->pairs.capacity, TILE_GROUP);
    run->convex_groups = primitive_groups(self->primitives, items->pairs.capacity, CONVEX_GROUP);
    return SCREE_OK;
}

static scree_result find_child_kinds(opencl_contacts *self, const contact_search_run *run) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_children_children_kinds, run->groups, PAIR_LISTS(run),
                            LENGTH(run->length), CHILDREN(run->children), BUFFER(self->items.numbers),
                            BUFFER(self->kinds), BUFFER(self->kept));
}

static scree_result find_children(opencl_contacts *self, const contact_search_run *run,
                                  const device_contacts *out) {
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_children_contacts_child_balls, run->groups,
                         CHILD_PAIRS(self, run), LENGTH(run->length), BUFFER(self->kinds),
                         BUFFER(self->order), ARGUMENT(out->slot_capacity), BUFFER(self->slots),
                         BUFFER(self->places), BUFFER(self->numbers), BUFFER(self->examined),
                         BUFFER(out->counts)));
    if (!run->convex_children) return SCREE_OK;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_children_convex_contacts_child_convexes,
                            run->convex_groups, CHILD_PAIRS(self, run), LENGTH(run->length),
                            BUFFER(self->kinds), BUFFER(self->order), ARGUMENT(out->slot_capacity),
                            BUFFER(self->slots), BUFFER(self->places), BUFFER(self->numbers),
                            BUFFER(self->examined));
}

static scree_result examine_children(opencl_contacts *self, const contact_search_run *run,
                                     const device_contacts *out) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_children_convex_contacts_child_examine,
                            run->convex_groups, CHILD_PAIRS(self, run), BUFFER(self->list),
                            BUFFER(out->counts), ARGUMENT(out->slot_capacity), BUFFER(self->slots),
                            BUFFER(self->places), BUFFER(self->numbers), BUFFER(self->examined));
}

/* Thins the points on planes of triangles. */
static scree_result thin_points(opencl_contacts *self, const contact_search_run *run,
                                const device_contacts *out) {
    contact_search_run whole = *run;
    whole.pairs = run->of_bodies, whole.images = run->images_of_bodies;
    whole.length = (device_length){whole.pairs->total, whole.pairs->capacity};
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_children_children_thin,
        primitive_groups(self->primitives, whole.length.capacity, TILE_GROUP), BUFFER(self->records),
        PAIR_LISTS(&whole), LENGTH(whole.length), CHILDREN(run->children), BUFFER(self->items.counts),
        BUFFER(self->items.firsts), ARGUMENT(run->length.capacity), BUFFER(self->items.numbers),
        ARGUMENT(out->slot_capacity), BUFFER(self->slots), BUFFER(self->places), BUFFER(self->numbers));
}

/* -- Pairs ------------------------------------------------------------------------------ */

static scree_result find_kinds(opencl_contacts *self, const contact_search_run *run) {
    const device_bodies *bodies = run->bodies;
    const opencl_buffer *any = &self->records;
    const cl_int filtered = bodies->groups != NULL;
    const cl_uint apart_count = bodies->apart ? bodies->apart_count : 0;
    return PRIMITIVE_LAUNCH(
        self->primitives,
        run->sorted ? PRIMITIVE_contacts_contacts_kinds : PRIMITIVE_contacts_contacts_kinds_of_balls,
        run->groups, BUFFER(self->records), PAIR_LISTS(run), LENGTH(run->length),
        BUFFER(*or_any(bodies->groups, any)), ARGUMENT(filtered), BUFFER(*or_any(bodies->apart, any)),
        ARGUMENT(apart_count), ARGUMENT(run->tests), ARGUMENT(run->margin), ARGUMENT(run->time_step),
        BUFFER(self->kinds), BUFFER(self->order), BUFFER(self->numbers), BUFFER(self->kept),
        BUFFER(self->examined));
}

/* Arguments SHAPES_ARGUMENTS of kernels/contacts_convex.cl. */
#define SHAPES(self, run)                                                                                    \
    BUFFER((self)->records), PAIR_LISTS(run), BUFFER(*(run)->bodies->poses),                                 \
        BUFFER(*(run)->bodies->convexes), BUFFER(*(run)->bodies->corners), BUFFER(*(run)->bodies->sides),    \
        ARGUMENT((run)->margin), ARGUMENT((run)->time_step)

/* Finds the points again of bodies that may pass each other, which are few, and lists those that do. */
static scree_result examine(opencl_contacts *self, const contact_search_run *run,
                            const device_contacts *out) {
    TRY(opencl_compact(self->primitives, &self->examined, run->length, &self->list,
                       (device_word){&out->counts, CONTACTS_EXAMINED}));
    if (run->bodies->boxes)
        TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_contacts_examine, run->groups,
                             BUFFER(self->records), PAIR_LISTS(run), BUFFER(*run->bodies->masses),
                             BUFFER(self->list), BUFFER(out->counts), ARGUMENT(run->margin),
                             ARGUMENT(run->time_step), ARGUMENT(out->slot_capacity), BUFFER(self->slots),
                             BUFFER(self->places), BUFFER(self->numbers), BUFFER(self->examined)));
    if (run->convex)
        TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_convex_contacts_convex_examine,
                             run->convex_groups, SHAPES(self, run), BUFFER(*run->bodies->masses),
                             BUFFER(self->list), BUFFER(out->counts), ARGUMENT(out->slot_capacity),
                             BUFFER(self->slots), BUFFER(self->places), BUFFER(self->numbers),
                             BUFFER(self->examined)));
    if (run->convex_children) TRY(examine_children(self, run, out));
    return opencl_compact(self->primitives, &self->examined, run->length, &self->skims,
                          (device_word){&out->counts, CONTACTS_SKIMS});
}

static scree_result find_boxes(opencl_contacts *self, const contact_search_run *run,
                               const device_contacts *out) {
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_contacts_points, run->groups,
                         BUFFER(self->records), PAIR_LISTS(run), LENGTH(run->length), BUFFER(self->kinds),
                         BUFFER(self->order), ARGUMENT(run->margin), ARGUMENT(run->time_step),
                         ARGUMENT(out->slot_capacity), BUFFER(self->slots), BUFFER(self->places),
                         BUFFER(self->numbers), BUFFER(self->examined), BUFFER(out->counts)));
    if (!run->bodies->balls) return SCREE_OK;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_balls_boxes_contacts_balls_boxes,
                            run->groups, BUFFER(self->records), PAIR_LISTS(run), BUFFER(*run->bodies->poses),
                            LENGTH(run->length), BUFFER(self->kinds), BUFFER(self->order),
                            ARGUMENT(run->margin), ARGUMENT(run->time_step), ARGUMENT(out->slot_capacity),
                            BUFFER(self->slots), BUFFER(self->places), BUFFER(self->numbers));
}

static scree_result find_convexes(opencl_contacts *self, const contact_search_run *run,
                                  const device_contacts *out) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_convex_contacts_convex, run->convex_groups,
                            SHAPES(self, run), LENGTH(run->length), BUFFER(self->kinds), BUFFER(self->order),
                            ARGUMENT(out->slot_capacity), BUFFER(self->slots), BUFFER(self->places),
                            BUFFER(self->numbers), BUFFER(self->examined), BUFFER(out->counts));
}

/* The other side of the sort, which is over, holds what is written from here on. */
static void take_sorted(opencl_contacts *self) {
    self->places = self->primitives->keys, self->firsts = self->primitives->values;
    self->primitives->keys = self->primitives->values = (opencl_buffer){0};
}

/* Finds the points of pairs with slots. Sorts the pairs by kind. */
static scree_result find_points(opencl_contacts *self, const contact_search_run *run,
                                const device_contacts *out) {
    TRY(opencl_sort(self->primitives, 32, &self->kinds, &self->order, run->length,
                    run->children ? PAIR_CHILD_BITS
                    : run->convex ? PAIR_BITS
                                  : PAIR_PLAIN_BITS));
    take_sorted(self);
    if (run->bodies->boxes) TRY(find_boxes(self, run, out));
    if (run->convex) TRY(find_convexes(self, run, out));
    if (run->children) TRY(find_children(self, run, out));
    TRY(examine(self, run, out));
    return run->children ? thin_points(self, run, out) : SCREE_OK;
}

static scree_result store_slots(opencl_contacts *self, const contact_search_run *run,
                                const device_contacts *out) {
    TRY(opencl_scan(self->primitives, &self->numbers, run->length, &self->firsts,
                    (device_word){&out->counts, CONTACTS_POINTS}));
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_contacts_contacts_store, run->groups, BUFFER(self->records),
        PAIR_LISTS(run), BUFFER(self->list), BUFFER(out->counts), ARGUMENT(out->pair_capacity),
        ARGUMENT(out->point_capacity), ARGUMENT(out->slot_capacity), BUFFER(self->slots),
        BUFFER(self->places), BUFFER(self->numbers), BUFFER(self->firsts), ARGUMENT(run->margin),
        ARGUMENT(run->time_step), BUFFER(out->heads), BUFFER(out->places), BUFFER(out->features));
}

static scree_result store_balls(opencl_contacts *self, const contact_search_run *run,
                                const device_contacts *out) {
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_contacts_store_balls, run->groups,
                            BUFFER(self->records), PAIR_LISTS(run), BUFFER(self->list), BUFFER(out->counts),
                            ARGUMENT(out->pair_capacity), ARGUMENT(out->point_capacity), BUFFER(self->kinds),
                            ARGUMENT(run->margin), ARGUMENT(run->time_step), BUFFER(out->heads),
                            BUFFER(out->places), BUFFER(out->features));
}

/* Arguments MATCH_ARGUMENTS of kernels/match_entries.h. */
#define MATCH(self, out, before, resists, pulls, gone, any_gone)                                             \
    BUFFER((out)->heads), BUFFER((out)->tags), BUFFER((out)->places), BUFFER((out)->features),               \
        BUFFER((out)->counts), ARGUMENT((out)->pair_capacity), ARGUMENT((out)->point_capacity),              \
        ARGUMENT((out)->slot_capacity), BUFFER((out)->impulses), BUFFER((out)->rows),                        \
        BUFFER((out)->torques), ARGUMENT(resists), BUFFER((before)->heads), BUFFER((before)->tags),          \
        BUFFER((before)->places), BUFFER((before)->features), BUFFER((before)->counts),                      \
        BUFFER((before)->impulses), BUFFER((before)->rows), BUFFER((before)->torques),                       \
        BUFFER((before)->colours), BUFFER((before)->pulls), ARGUMENT(pulls),                                 \
        BUFFER(*or_any(gone, &(self)->records)), ARGUMENT(any_gone)

static scree_result match(opencl_contacts *self, const contact_search_run *run, const device_contacts *before,
                          const device_contacts *out) {
    const opencl_buffer *gone = run->bodies->gone;
    const cl_int any_gone = gone != NULL, resists = out->resists, pulls = before->cohesive;
    if (run->children)
        return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_children_children_match, run->groups,
                                MATCH(self, out, before, resists, pulls, gone, any_gone),
                                CHILDREN(run->children), BUFFER(self->list), BUFFER(self->items.numbers));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_contacts_match, run->groups,
                            MATCH(self, out, before, resists, pulls, gone, any_gone));
}

static contact_search_run run_of(const opencl_contacts *self, const device_bodies *bodies,
                                 const device_pairs *pairs, const opencl_buffer *images, float margin,
                                 float time_step) {
    const bool convex = bodies->convexes && self->primitives->device->info.fp64;
    return (contact_search_run){
        .bodies = bodies,
        .pairs = pairs,
        .length = {pairs->total, pairs->capacity},
        .groups = primitive_groups(self->primitives, pairs->capacity, TILE_GROUP),
        .convex_groups = primitive_groups(self->primitives, pairs->capacity, CONVEX_GROUP),
        .margin = margin,
        .time_step = time_step,
        .images = or_any(images, &pairs->a),
        .periodic = images != NULL,
        .tests = (bodies->balls && bodies->boxes ? TESTS_BALL_BOX : 0) | (convex ? TESTS_CONVEX : 0),
        .convex = convex,
        .sorted = bodies->boxes || convex || bodies->children,
        .leaves = bodies->others || bodies->children || (bodies->convexes && !convex),
        .children = bodies->children,
        .convex_children = bodies->children && bodies->convex_children};
}

scree_result opencl_contacts_search(opencl_contacts *self, const device_bodies *bodies,
                                    const device_pairs *pairs, const opencl_buffer *images, float margin,
                                    float time_step, const device_contacts *before, device_contacts *out) {
    contact_search_run run = run_of(self, bodies, pairs, images, margin, time_step);
    opencl_device *device = self->primitives->device;
    scratch_mark mark = {0};
    out->resists = before->resists, out->cohesive = false;
    TRY(device_contacts_reserve(device, out));
    if (run.children)
        TRY(share_records(self, &run)); /* for the items, whose number is that of the other parts */
    if (!run.children) TRY(share(self, &run, out, &mark));
    TRY(make_records(self, bodies, out));
    self->items.any = run.children != NULL;
    if (run.children) TRY(take_items(self, &run, out));
    if (run.children) TRY(share(self, &run, out, &mark));
    TRY(find_kinds(self, &run));
    if (run.children) TRY(find_child_kinds(self, &run));
    if (run.sorted) TRY(find_points(self, &run, out));
    TRY(opencl_compact(self->primitives, &self->numbers, run.length, &self->list,
                       (device_word){&out->counts, CONTACTS_PAIRS}));
    if (run.leaves)
        TRY(opencl_compact(self->primitives, &self->kept, run.length, &self->left,
                           (device_word){&out->counts, CONTACTS_LEFT}));
    TRY(run.sorted ? store_slots(self, &run, out) : store_balls(self, &run, out));
    TRY(match(self, &run, before, out));
    opencl_scratch_reset(device, mark);
    return SCREE_OK;
}

const device_pairs *opencl_contacts_tested(const opencl_contacts *self, const device_pairs *pairs) {
    return self->items.any ? &self->items.pairs : pairs;
}

scree_result opencl_contacts_list_skims(opencl_contacts *self, const device_pairs *pairs,
                                        const opencl_buffer *images, const device_contacts *found,
                                        cl_uint count, opencl_buffer *out) {
    const cl_int periodic = images != NULL;
    TRY(opencl_buffer_reserve(self->primitives->device, out, count * sizeof(cl_int4), "bodies that pass"));
    if (self->items.any)
        return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_children_children_skims,
                                primitive_groups(self->primitives, count, TILE_GROUP),
                                BUFFER(self->items.pairs.a), BUFFER(self->items.pairs.b),
                                BUFFER(self->items.pairs.images), BUFFER(self->items.numbers),
                                BUFFER(self->skims), BUFFER(found->counts), BUFFER(*out));
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_contacts_contacts_skims,
                            primitive_groups(self->primitives, count, TILE_GROUP), BUFFER(pairs->a),
                            BUFFER(pairs->b), BUFFER(*or_any(images, &pairs->a)), ARGUMENT(periodic),
                            BUFFER(self->skims), BUFFER(found->counts), BUFFER(*out));
}
