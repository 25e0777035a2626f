#include "pairs.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "joint_plan.h"

#include "arrangement.h"

enum {
    MERGE_SLICES = 32 /* most slices of the touching pairs and links; any number gives the same pairs */
};

static bool moves(const body_array *bodies, int slot) {
    return slot < bodies->count && body_is_dynamic(bodies, slot);
}

/* Fills a pair in place: building it on the stack and copying would stall on store forwarding. */
static void lay_pair(const problem_input *from, int a, int b, constraint_pair *out) {
    out->a = a;
    out->b = b;
    out->contact = out->colour = -1;
    out->flags =
        (uint8_t)((moves(from->bodies, a) ? PAIR_MOVES_A : 0) | (moves(from->bodies, b) ? PAIR_MOVES_B : 0));
    out->points = 0;
}

static bool resisted(const problem_input *from, int a, int b) {
    const int *materials = from->bodies->materials;
    return material_pair_resists(from->materials, materials[a], materials[b]);
}

/* `resists`: some materials have rolling or spinning friction. */
static void lay_touching(const problem_input *from, bool resists, int i, constraint_pair *out) {
    const contact_pair *touching = &from->contacts->pairs[i];
    const int a = touching->manifold.a, b = touching->manifold.b;
    lay_pair(from, a, b, out);
    out->contact = i;
    out->points = (short)touching->manifold.count;
    out->colour = (signed char)touching->last_colour;
    if (resists && resisted(from, a, b)) out->flags |= PAIR_RESISTS;
}

/* Counts the manifolds that form one pair: those of the children of the same two bodies, unless a detection
 * pass found them. `points`: their total. */
static int count_manifolds(const contact_set *contacts, int first, int *points) {
    const contact_pair *one = &contacts->pairs[first];
    int count = 1;
    *points = one->manifold.count;
    for (; first + count < contacts->count && contact_same_bodies(one, one + count); count++) {
        const int more = *points + one[count].manifold.count;
        if (one->predicted || one[count].predicted || more > PAIR_POINTS) break;
        *points = more;
    }
    return count;
}

/* Counts the joints from link `first` on that hold the same two bodies. */
static int count_links(const joint_array *joints, int first) {
    const joint_link *link = &joints->links[first];
    int count = 1;
    while (first + count < joints->link_count && link[count].a == link->a && link[count].b == link->b)
        ++count;
    return count;
}

static int end_of_link(const problem_input *from, const joint_link *link) {
    return link->b == JOINT_GROUND ? from->bodies->count : link->b;
}

/* Adds the joints from link `first` on to a pair, which may have contacts. */
static void hold(const problem_input *from, int first, constraint_pair *pair) {
    const joint_link *link = &from->joints->links[first];
    if (pair->contact < 0) lay_pair(from, link->a, end_of_link(from, link), pair);
    pair->flags |= PAIR_HELD;
    if (pair->colour < 0) pair->colour = from->joints->next[link->joint].colour;
}

/* Ranges of the touching pairs and of the links. */
typedef struct merge_slice {
    slice contacts, links;
} merge_slice;

/* Compares the bodies of a link with those of a touching pair: < 0, 0 or > 0 if they come before, are equal
 * or come after. */
static int order_of(const problem_input *from, int link, int contact) {
    const contact_manifold *touching = &from->contacts->pairs[contact].manifold;
    const joint_link *held = &from->joints->links[link];
    return held->a != touching->a ? held->a - touching->a : end_of_link(from, held) - touching->b;
}

/* Merges two sorted lists in one pass. Returns the number of pairs; if `out` is null, only counts. `held_by`: the
 * links of pairs with joints. */
static int merge(const problem_input *from, merge_slice of, bool resists, constraint_pair *out,
                 slice *held_by) {
    int contact = of.contacts.first, link = of.links.first, count = 0;
    while (contact < of.contacts.end || link < of.links.end) {
        const bool touching = contact < of.contacts.end, held = link < of.links.end;
        const int order = !held ? 1 : !touching ? -1 : order_of(from, link, contact);
        const int links = order <= 0 ? count_links(from->joints, link) : 0;
        int points = 0;
        const int manifolds = order >= 0 ? count_manifolds(from->contacts, contact, &points) : 0;
        if (out) out[count].contact = -1;
        if (out && order >= 0) {
            lay_touching(from, resists, contact, &out[count]);
            out[count].points = (short)points;
        }
        if (out && order <= 0) {
            hold(from, link, &out[count]);
            held_by[count] = (slice){link, link + links};
        }
        ++count;
        contact += manifolds;
        link += links;
    }
    return count;
}

/* Finds the beginning of a slice of the touching pairs that shares no body pair with the slice before, and
 * the first link that belongs to it. */
static void begin_slice(const problem_input *from, int number, int slices, int *contact, int *link) {
    const contact_set *contacts = from->contacts;
    const int links = from->joints ? from->joints->link_count : 0;
    int low = 0, high = links, i = slice_of(contacts->count, number, slices).first;
    for (; i > 0 && i < contacts->count; i++) {
        const contact_manifold *before = &contacts->pairs[i - 1].manifold,
                               *here = &contacts->pairs[i].manifold;
        if (before->a != here->a || before->b != here->b) break;
    }
    *contact = i;
    *link = number == 0 ? 0 : links;
    if (number == 0 || i == contacts->count) return;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (order_of(from, middle, i) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *link = low;
}

static merge_slice merge_slice_of(const problem_input *from, int number, int slices) {
    merge_slice out;
    begin_slice(from, number, slices, &out.contacts.first, &out.links.first);
    out.contacts.end = from->contacts->count;
    out.links.end = from->joints ? from->joints->link_count : 0;
    if (number + 1 < slices) begin_slice(from, number + 1, slices, &out.contacts.end, &out.links.end);
    return out;
}

typedef struct merge_loop {
    int slices, *firsts;
    const problem_input *from;
    bool resists;
    constraint_pairs *self;
} merge_loop;

static void count_slices(const void *context, slice part) {
    const merge_loop loop = *(const merge_loop *)context;
    for (int number = part.first; number < part.end; number++)
        loop.firsts[number + 1] =
            merge(loop.from, merge_slice_of(loop.from, number, loop.slices), loop.resists, NULL, NULL);
}

static void merge_slices(const void *context, slice part) {
    const merge_loop loop = *(const merge_loop *)context;
    for (int number = part.first; number < part.end; number++) {
        const int first = loop.firsts[number];
        merge(loop.from, merge_slice_of(loop.from, number, loop.slices), loop.resists,
              loop.self->items + first, loop.self->links ? loop.self->links + first : NULL);
    }
}

/* Counts the pairs of every slice before the slices are merged, so that threads know where each begins. */
static void merge_all(constraint_pairs *self, const problem_input *from, bool resists, int threads) {
    int firsts[MERGE_SLICES + 1] = {0};
    const int slices = threads > 1 ? MERGE_SLICES : 1;
    const merge_loop loop = {
        .slices = slices, .firsts = firsts, .from = from, .resists = resists, .self = self};
    parallel_for(threads, slices, count_slices, &loop);
    for (int number = 0; number < slices; number++) firsts[number + 1] += firsts[number];
    parallel_for(threads, slices, merge_slices, &loop);
    self->count = firsts[slices];
}

typedef struct touching_loop {
    const problem_input *from;
    bool resists;
    constraint_pairs *self;
} touching_loop;

static void lay_slice(const void *context, slice part) {
    const touching_loop loop = *(const touching_loop *)context;
    for (int i = part.first; i < part.end; i++)
        lay_touching(loop.from, loop.resists, i, &loop.self->items[i]);
}

scree_result pairs_collect(constraint_pairs *self, const problem_input *from, int threads, int *regrown) {
    const int links = from->joints ? from->joints->link_count : 0;
    const bool parts = from->contacts->several,
               resists = from->materials && material_resists(from->materials);
    TRY(MEMORY_RESERVE(self->items, self->capacity, (size_t)from->contacts->count + (size_t)links, regrown));
    if (links > 0)
        TRY(MEMORY_RESERVE(self->links, self->link_capacity, (size_t)from->contacts->count + (size_t)links,
                           regrown));
    if (resists) TRY(contacts_turn(from->contacts, regrown));
    if (links > 0 || parts) {
        merge_all(self, from, resists, threads);
        return SCREE_OK;
    }
    self->count = from->contacts->count;
    parallel_for(threads, self->count, lay_slice,
                 &(const touching_loop){.from = from, .resists = resists, .self = self});
    return SCREE_OK;
}

scree_result pairs_reserve_colours(const problem_input *from) {
    contact_set *contacts = from->contacts;
    return MEMORY_RESERVE(contacts->colours, contacts->colour_capacity, contacts->count, NULL);
}

void pairs_keep_colours(const constraint_pairs *self, const problem_input *from, int first, int end) {
    contact_set *contacts = from->contacts;
    /* No pair has several manifolds or joints alone. */
    const bool alike = self->count == contacts->count && !contacts->several &&
                       !(from->joints && from->joints->link_count > 0);
    for (int i = first; i < end; i++)
        for (int contact = self->items[i].contact, left = self->items[i].points; left > 0; contact++) {
            contacts->colours[contact] = self->items[i].colour;
            left -= alike ? left : contacts->pairs[contact].manifold.count;
        }
}

void pairs_release(constraint_pairs *self) {
    memory_release(self->items);
    memory_release(self->links);
    scratch_release(&self->own_scratch);
    *self = (constraint_pairs){0};
}
