#include "contact_mirror.h"

#include "base/memory.h"
#include "base/parallel.h"

/* Capacities of the first search. One that is too small grows, and the search is repeated. */
enum { FIRST_CAPACITY = 1 };
enum { ALIGNED = 64 }; /* bytes: columns begin at cache lines */

/* Four floats, as the device stores a point's vector. */
typedef struct mirror_word {
    vec3s of;
    scalar last;
} mirror_word;
_Static_assert(sizeof(mirror_word) == sizeof(cl_float4), "mirror_word");

static void begin(device_contacts *set) {
    set->pair_capacity = set->point_capacity = set->slot_capacity = FIRST_CAPACITY;
}

void contact_mirror_open(contact_mirror *self, opencl_device *device) {
    *self = (contact_mirror){.device = device};
    for (int k = 0; k < 2; k++) begin(&self->sets[k]);
}

void contact_mirror_close(contact_mirror *self) {
    if (!self->device) return;
    for (int k = 0; k < 2; k++) device_contacts_release(self->device, &self->sets[k]);
    *self = (contact_mirror){0};
}

/* -- Columns ---------------------------------------------------------------------------- */

static size_t whole(size_t bytes) { return (bytes + ALIGNED - 1) / ALIGNED * ALIGNED; }

/* Places the columns in scratch. */
static scree_result lay_columns(contact_mirror *self, int pairs, int points, bool resists,
                                scratch_arena *scratch, int *regrown) {
    const size_t words = whole((size_t)points * sizeof(mirror_word)),
                 features = whole((size_t)points * sizeof(cl_uint)),
                 rows = whole((size_t)points * sizeof(contact_row)),
                 heads = whole((size_t)pairs * sizeof(contact_head)),
                 tags = whole((size_t)pairs * sizeof(contact_tag));
    void *memory;
    TRY(scratch_take(scratch, (resists ? 3 : 2) * words + features + rows + heads + tags, &memory, regrown));
    unsigned char *at = memory;
    self->pair_count = pairs, self->point_count = points, self->resists = resists;
    self->heads = (contact_head *)(void *)at, at += heads;
    self->tags = (contact_tag *)(void *)at, at += tags;
    self->features = (cl_uint *)(void *)at, at += features;
    self->rows = (contact_row *)(void *)at, at += rows;
    self->places = (mirror_word *)(void *)at, at += words;
    self->impulses = (mirror_word *)(void *)at, at += words;
    self->torques = (mirror_word *)(void *)at;
    return SCREE_OK;
}

/* A loop over the columns and a set of the host. */
typedef struct column_loop {
    const contact_mirror *self;
    contact_set *set;
} column_loop;

static void run_loop(const contact_mirror *self, const contact_set *set, int threads, int items,
                     parallel_loop *run) {
    parallel_for(parallel_threads(threads, items), items, run,
                 &(const column_loop){self, (contact_set *)(uintptr_t)set});
}

/* -- To the device ---------------------------------------------------------------------- */

static contact_head head_of(const contact_pair *pair) {
    const contact_manifold *of = &pair->manifold;
    return (contact_head){.a = of->a,
                          .b = of->b,
                          .image_count = head_image_count(of->image, of->count),
                          .first = pair->first,
                          .normal = of->normal,
                          .load = pair->load};
}

static contact_tag tag_of(const contact_pair *pair) {
    const int flags = (pair->predicted ? TAG_PREDICTED : 0) | (pair->deferred ? TAG_DEFERRED : 0);
    return (contact_tag){pair->manifold.children, tag_bits(pair->last_colour, pair->hits) | flags};
}

static void fill_pairs(const void *context, slice part) {
    const column_loop *loop = context;
    for (int i = part.first; i < part.end; i++)
        loop->self->heads[i] = head_of(&loop->set->pairs[i]),
        loop->self->tags[i] = tag_of(&loop->set->pairs[i]);
}

static void fill_places(const void *context, slice part) {
    const column_loop *loop = context;
    for (int k = part.first; k < part.end; k++) {
        const manifold_point *at = &loop->set->places[k];
        loop->self->places[k] = (mirror_word){at->position, at->gap};
        loop->self->features[k] = at->feature;
    }
}

static void fill_actions(const void *context, slice part) {
    const column_loop *loop = context;
    for (int k = part.first; k < part.end; k++) {
        const contact_action *at = &loop->set->actions[k];
        loop->self->impulses[k] = (mirror_word){at->impulse, at->push};
        loop->self->rows[k] = (contact_row){at->bias, at->compliance};
        if (loop->self->resists) loop->self->torques[k] = (mirror_word){loop->set->torques[k], 0};
    }
}

#define SEND(self, to, items, count)                                                                         \
    opencl_buffer_write((self)->device, to, items, (size_t)(count) * sizeof *(items), CL_FALSE, #items)

/* Sends pairs and places to a set whose buffers have been reserved. */
static scree_result send_pairs(contact_mirror *self, const contact_set *set, int threads,
                               device_contacts *to) {
    run_loop(self, set, threads, self->pair_count, fill_pairs);
    run_loop(self, set, threads, self->point_count, fill_places);
    TRY(SEND(self, &to->heads, self->heads, self->pair_count));
    TRY(SEND(self, &to->tags, self->tags, self->pair_count));
    TRY(SEND(self, &to->places, self->places, self->point_count));
    return SEND(self, &to->features, self->features, self->point_count);
}

/* Sends what the host's solve has written. */
static scree_result send_actions(contact_mirror *self, const contact_set *set, int threads,
                                 device_contacts *to) {
    to->resists = self->resists, to->cohesive = set->cohesive;
    run_loop(self, set, threads, self->point_count, fill_actions);
    TRY(SEND(self, &to->impulses, self->impulses, self->point_count));
    TRY(SEND(self, &to->rows, self->rows, self->point_count));
    if (self->resists) TRY(SEND(self, &to->torques, self->torques, self->point_count));
    if (set->cohesive) TRY(SEND(self, &to->pulls, set->cohesive_impulses, self->pair_count));
    return SEND(self, &to->colours, set->colours, self->pair_count);
}

/* Sends the whole set. */
static scree_result send_all(contact_mirror *self, const contact_set *set, int threads, device_contacts *to) {
    const cl_uint counts[CONTACTS_COUNTS] = {
        [CONTACTS_PAIRS] = (cl_uint)set->count, [CONTACTS_POINTS] = (cl_uint)set->action_count};
    to->resists = self->resists, to->cohesive = set->cohesive;
    if (to->pair_capacity < counts[CONTACTS_PAIRS]) to->pair_capacity = counts[CONTACTS_PAIRS];
    if (to->point_capacity < counts[CONTACTS_POINTS]) to->point_capacity = counts[CONTACTS_POINTS];
    TRY(device_contacts_clear(self->device, to));
    if (set->count == 0) return SCREE_OK;
    TRY(opencl_buffer_write(self->device, &to->counts, counts, sizeof counts, CL_TRUE, "counts of contacts"));
    TRY(send_pairs(self, set, threads, to));
    return send_actions(self, set, threads, to);
}

static void raise_to(cl_uint *capacity, cl_uint other) {
    if (*capacity < other) *capacity = other;
}

/* Gives a set the capacities of the other one, so that a growing pile repeats one search, not one for each.
 */
static void share_capacities(device_contacts *to, const device_contacts *from) {
    raise_to(&to->pair_capacity, from->pair_capacity);
    raise_to(&to->point_capacity, from->point_capacity);
    raise_to(&to->slot_capacity, from->slot_capacity);
}

device_contacts *contact_mirror_find(contact_mirror *self, const contact_set *set) {
    for (int of = 0; of < 2; of++)
        if (set->copy && set->copy == self->copies[of]) return &self->sets[of];
    return NULL;
}

void contact_mirror_shrink(contact_mirror *self, const contact_set *set) {
    const device_contacts *copy = contact_mirror_find(self, set);
    for (int k = 0; k < 2; k++) {
        if (&self->sets[k] == copy) continue;
        device_contacts_release(self->device, &self->sets[k]);
        begin(&self->sets[k]);
        self->copies[k] = 0;
    }
}

scree_result contact_mirror_send(contact_mirror *self, const contact_set *set, scratch_arena *scratch,
                                 int threads, device_contacts **before, device_contacts **next,
                                 int *regrown) {
    const bool copied = contact_mirror_find(self, set) != NULL;
    const int of = copied && set->copy == self->copies[1];
    *before = &self->sets[of], *next = &self->sets[!of];
    self->copies[!of] = 0;
    if (!set->away) {
        TRY(lay_columns(self, set->count, set->action_count, set->has_resistance, scratch, regrown));
        if (!copied) self->copies[of] = 0;
        TRY(copied ? send_actions(self, set, threads, *before) : send_all(self, set, threads, *before));
    }
    share_capacities(*next, *before);
    return SCREE_OK;
}

/* -- To the host ------------------------------------------------------------------------ */

#define READ(self, from, items, count)                                                                       \
    opencl_buffer_read((self)->device, from, items, (size_t)(count) * sizeof *(items), CL_FALSE, #items)

/* Reads the cohesive impulses, if there are any. */
static scree_result read_pulls(contact_mirror *self, const device_contacts *found, int pairs,
                               contact_set *out, int *regrown) {
    out->cohesive = found->cohesive;
    if (!found->cohesive) return SCREE_OK;
    TRY(MEMORY_RESERVE(out->cohesive_impulses, out->cohesion_capacity, pairs, regrown));
    return READ(self, &found->pulls, out->cohesive_impulses, pairs);
}

scree_result contact_mirror_read(contact_mirror *self, const device_contacts *found, const cl_uint *counts,
                                 scratch_arena *scratch, contact_set *out, int *regrown) {
    const int pairs = (int)counts[CONTACTS_PAIRS], points = (int)counts[CONTACTS_POINTS];
    out->has_resistance = found->resists;
    TRY(contacts_reserve(out, pairs, points, regrown));
    TRY(MEMORY_RESERVE(out->colours, out->colour_capacity, pairs, regrown));
    TRY(READ(self, &found->colours, out->colours, pairs));
    TRY(lay_columns(self, pairs, points, found->resists, scratch, regrown));
    TRY(READ(self, &found->heads, self->heads, pairs));
    TRY(READ(self, &found->tags, self->tags, pairs));
    TRY(READ(self, &found->places, self->places, points));
    TRY(READ(self, &found->features, self->features, points));
    TRY(READ(self, &found->impulses, self->impulses, points));
    TRY(READ(self, &found->rows, self->rows, points));
    TRY(read_pulls(self, found, pairs, out, regrown));
    return found->resists ? READ(self, &found->torques, self->torques, points) : SCREE_OK;
}

static contact_pair pair_of(contact_head head, contact_tag tag) {
    return (contact_pair){.first = head.first,
                          .last_colour = (short)tag_colour(tag.bits),
                          .hits = (signed char)tag_hits(tag.bits),
                          .deferred = (tag.bits & TAG_DEFERRED) != 0,
                          .predicted = (tag.bits & TAG_PREDICTED) != 0,
                          .manifold = {.a = head.a,
                                       .b = head.b,
                                       .children = tag.children,
                                       .image = head_image(head),
                                       .count = (unsigned)head_count(head) & HEAD_COUNT_MASK,
                                       .normal = head.normal},
                          .load = head.load};
}

static void take_pairs(const void *context, slice part) {
    const column_loop *loop = context;
    bool several = false;
    for (int i = part.first; i < part.end; i++) {
        loop->set->pairs[i] = pair_of(loop->self->heads[i], loop->self->tags[i]);
        several |= loop->self->tags[i].children > 0;
    }
    if (several) parallel_set(&loop->set->several);
}

static void take_points(const void *context, slice part) {
    const column_loop *loop = context;
    const contact_mirror *self = loop->self;
    for (int k = part.first; k < part.end; k++) {
        loop->set->places[k] = (manifold_point){self->places[k].of, self->places[k].last, self->features[k]};
        loop->set->actions[k] = (contact_action){self->impulses[k].of, self->impulses[k].last,
                                                 self->rows[k].bias, self->rows[k].compliance};
        if (self->resists) loop->set->torques[k] = self->torques[k].of;
    }
}

void contact_mirror_take(contact_mirror *self, const device_contacts *found, int threads, contact_set *out) {
    const int of = found == &self->sets[1];
    out->count = self->pair_count;
    out->points = out->action_count = self->point_count;
    run_loop(self, out, threads, self->pair_count, take_pairs);
    run_loop(self, out, threads, self->point_count, take_points);
    out->copy = self->copies[of] = ++self->last;
}

void contact_mirror_leave(contact_mirror *self, const device_contacts *found, const cl_uint *counts,
                          const contact_store *source, contact_set *out) {
    out->count = (int)counts[CONTACTS_PAIRS];
    out->points = out->action_count = (int)counts[CONTACTS_POINTS];
    out->has_resistance = found->resists;
    out->away = source;
    out->copy = self->copies[found == &self->sets[1]] = ++self->last;
}
