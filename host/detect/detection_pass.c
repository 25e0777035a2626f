#include "detection_pass.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "geometry/children.h"

#include <limits.h>
#include <stdlib.h>

enum { WORTH_SHARING = 64 }; /* fewest pairs worth several threads; most are in contact already */

/* Result of the scan of all bodies. */
typedef struct body_scan {
    int straying;                /* number of bodies that may need new contacts */
    bool deviates_from_velocity; /* whether a kinematic body's displacement differs from h v */
    scalar turned;               /* largest displacement of a body's surface by rotation, m */
} body_scan;

typedef struct scan_loop {
    detection_pass *self;
    const trial_motion *trial;
    body_scan *out;
} scan_loop;

/* Returns whether a body strays (trial_strays), or a kinematic one deviates from h v. */
static bool deviates(const trial_motion *trial, int slot, slot_type type) {
    const scalar deviation = trial_strayed(trial, slot);
    if (type == SLOT_KINEMATIC) return deviation > trial->margin / 2;
    return trial_strays(deviation, trial->bodies->velocities[slot], trial->margin, trial->smallest,
                        trial->time_step);
}

static void scan_slice(const void *context, slice part) {
    const scan_loop loop = *(const scan_loop *)context;
    const trial_motion *trial = loop.trial;
    const body_array *bodies = trial->bodies;
    const scalar rate = 1 / trial->time_step;
    body_scan seen = {0};
    for (int slot = part.first; slot < part.end; slot++) {
        const slot_type type = (slot_type)bodies->types[slot];
        loop.self->motion[slot] = trial_velocity(bodies->poses[slot], trial->poses[slot], rate);
        loop.self->turned[slot] = trial_turn(loop.self->motion[slot],
                                             bounds_turning_radius(bodies->shapes[slot]), trial->time_step);
        seen.turned = scalar_max(seen.turned, loop.self->turned[slot]);
        const bool far = type >= SLOT_KINEMATIC && deviates(trial, slot, type);
        loop.self->straying[slot] = far && type == SLOT_DYNAMIC;
        seen.straying += loop.self->straying[slot];
        seen.deviates_from_velocity |= far && type == SLOT_KINEMATIC;
    }
    parallel_add(&loop.out->straying, seen.straying);
    if (seen.deviates_from_velocity) parallel_set(&loop.out->deviates_from_velocity);
    parallel_raise_float(&loop.out->turned, seen.turned);
}

/* Fills motions and marks straying bodies. */
static body_scan scan_bodies(detection_pass *self, const trial_motion *trial, int threads) {
    body_scan out = {0};
    parallel_for(threads, trial->bodies->count, scan_slice, &(const scan_loop){self, trial, &out});
    return out;
}

/* Lists searched by a pass. */
typedef struct pass_input {
    const trial_motion *trial;
    const contact_set *contacts;
    const skim_list *skims;
    int *regrown;
} pass_input;

/* Returns whether the pass adds a dropped contact of these children; skims are in the order of pairs. */
static bool dropped_is_new(const detection_pass *self, const pass_input *in, body_pair pair, int children) {
    const skim *skims = in->skims->items;
    int first = 0, end = in->skims->count;
    while (first < end) {
        const int middle = first + (end - first) / 2;
        if (body_pair_order(skims[middle].pair, pair) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < in->skims->count && body_pair_order(skims[first].pair, pair) == 0; first++)
        if (skims[first].children == children && self->marks[in->contacts->count + first]) return true;
    return false;
}

static scree_result add(detection_pass *self, trial_contact of, int *regrown) {
    if (of.found.count == 0) return SCREE_OK; /* the contact in reach is a neighbouring child's */
    TRY(MEMORY_RESERVE(self->items, self->item_capacity, self->item_count + 1, regrown));
    self->items[self->item_count] = (new_contact){of, self->item_count};
    self->item_count++;
    return SCREE_OK;
}

typedef struct pass_loop {
    detection_pass *self;
    const pass_input *in;
    bool *worth;
} pass_loop;

static void test_contacts(const void *context, slice part) {
    const pass_loop loop = *(const pass_loop *)context;
    const contact_set *contacts = loop.in->contacts;
    for (int i = part.first; i < part.end; i++) {
        const trial_news news =
            contacts->pairs[i].predicted ? TRIAL_KNOWN : trial_contact_test(loop.in->trial, contacts, i);
        loop.self->marks[i] = news != TRIAL_KNOWN;
        if (news == TRIAL_WORTH_SOLVING) parallel_set(loop.worth);
    }
}

/* Tests contacts that may have moved. */
static scree_result renew(detection_pass *self, const pass_input *in, int threads) {
    const contact_set *contacts = in->contacts;
    bool worth = false;
    parallel_for(threads, contacts->count, test_contacts, &(const pass_loop){self, in, &worth});
    for (int i = 0; i < contacts->count && worth; i++) {
        const contact_manifold *of = &contacts->pairs[i].manifold;
        if (self->marks[i])
            TRY(add(self, trial_contact_at_end(in->trial, (body_pair){of->a, of->b, of->image}, of->children),
                    in->regrown));
    }
    return SCREE_OK;
}

static void test_skims(const void *context, slice part) {
    const pass_loop loop = *(const pass_loop *)context;
    const contact_set *contacts = loop.in->contacts;
    for (int i = part.first; i < part.end; i++) {
        const skim *of = &loop.in->skims->items[i];
        loop.self->marks[contacts->count + i] =
            trial_dropped_overlaps(loop.in->trial, of) && !contacts_have(contacts, of->pair, of->children);
    }
}

/* Tests dropped contacts. */
static scree_result find_dropped(detection_pass *self, const pass_input *in, int threads) {
    const skim_list *skims = in->skims;
    parallel_for(parallel_threads(threads, skims->count), skims->count, test_skims,
                 &(const pass_loop){.self = self, .in = in});
    for (int i = 0; i < skims->count; i++) {
        if (!self->marks[in->contacts->count + i]) continue;
        TRY(add(self, trial_contact_of(in->trial, skims->items[i].pair, skims->items[i].children),
                in->regrown));
        self->only_moved = false;
    }
    return SCREE_OK;
}

/* Appends the manifolds of a pair that meet and have no contact yet. Errors: MEMORY, UNSUPPORTED. */
static scree_result find_new(const detection_pass *self, const pass_input *in, body_pair pair,
                             manifold_list *out) {
    const body_array *moving = &in->trial->moving;
    const bool known = contacts_find(in->contacts, pair) >= 0;
    int kept = out->count;
    if (known && children_count(body_collision_shape(moving, pair.a)) == 1 &&
        children_count(body_collision_shape(moving, pair.b)) == 1)
        return SCREE_OK;
    TRY(narrow_phase_pair(moving, pair, 0, in->trial->time_step, out));
    for (int i = kept; i < out->count; i++) {
        const int children = out->items[i].children;
        if (!(known && contacts_have(in->contacts, pair, children)) &&
            !dropped_is_new(self, in, pair, children) && trial_meets(in->trial, &out->items[i]))
            out->items[kept++] = out->items[i];
    }
    out->count = kept;
    return SCREE_OK;
}

/* Pairs of straying bodies. */
typedef struct near_pairs {
    const broadphase *all; /* those of a search over all swept boxes */
    const body_pair *few;  /* or these; null: use `all` */
    int count;
} near_pairs;

/* find_new for the pairs of straying bodies in a slice of all pairs. */
static scree_result search_slice(detection_pass *self, const pass_input *in, near_pairs pairs, int number) {
    manifold_list *out = &self->slices[number];
    out->count = 0;
    if (pairs.few) {
        const slice of = slice_of(pairs.count, number, PASS_SLICES);
        for (int i = of.first; i < of.end; i++) TRY(find_new(self, in, pairs.few[i], out));
        return SCREE_OK;
    }
    const slice pieces = slice_of(broadphase_piece_count(pairs.all), number, PASS_SLICES);
    for (int piece = pieces.first; piece < pieces.end; piece++) {
        body_pair near[BROADPHASE_PIECE];
        const int count = broadphase_piece(pairs.all, piece, near);
        for (int i = 0; i < count; i++)
            if (self->straying[near[i].a] | self->straying[near[i].b]) TRY(find_new(self, in, near[i], out));
    }
    return SCREE_OK;
}

/* A body that does not stray stays within its box of the search, which extends m/2 + l_i ≥ e_i around its
 * predicted position. A thin body with prescribed motion has a smaller speculative margin. If few bodies
 * stray, the result of that search is used again. */
static scree_result find_pairs(const detection_pass *self, const trial_motion *trial, const body_scan *seen,
                               broadphase *pairs, bounds *boxes, int threads, near_pairs *out, int *regrown) {
    const body_array *moving = &trial->moving;
    const scalar h = trial->time_step;
    *out = (near_pairs){.all = pairs};
    if (seen->straying <= BROADPHASE_STRAYS && !seen->deviates_from_velocity && !trial->again &&
        !moving->period.any && broadphase_is_local(pairs, moving))
        return broadphase_pairs_of_strays(pairs, moving, self->straying, boxes, h, &out->few, &out->count,
                                          regrown);
    body_swept_boxes(moving, h, threads, boxes);
    return broadphase_pairs(pairs, moving, boxes, self->straying, h, threads, &out->count, regrown);
}

typedef struct search_loop {
    detection_pass *self;
    const pass_input *in;
    near_pairs near;
    int *failed;
} search_loop;

static void search_slices(const void *context, slice part) {
    const search_loop loop = *(const search_loop *)context;
    for (int number = part.first; number < part.end; number++)
        if (search_slice(loop.self, loop.in, loop.near, number) != SCREE_OK)
            parallel_lower(loop.failed, number);
}

/* Searches pairs of straying bodies without contact. */
static scree_result search(detection_pass *self, const pass_input *in, near_pairs near, int threads) {
    int failed = PASS_SLICES;
    parallel_each(near.count < WORTH_SHARING ? 1 : threads, PASS_SLICES, search_slices,
                  &(const search_loop){self, in, near, &failed});
    /* Error messages are thread-local; repeat the call on this thread to set it. */
    if (failed < PASS_SLICES) TRY(search_slice(self, in, near, failed));
    for (int number = 0; number < PASS_SLICES; number++)
        for (int i = 0; i < self->slices[number].count; i++) {
            TRY(add(self, (trial_contact){.found = self->slices[number].items[i]}, in->regrown));
            self->only_moved = false;
        }
    return SCREE_OK;
}

static int by_pair(const void *one, const void *other) {
    const new_contact *first = one, *second = other;
    const int order =
        body_pair_order((body_pair){first->of.found.a, first->of.found.b, first->of.found.image},
                        (body_pair){second->of.found.a, second->of.found.b, second->of.found.image});
    return order != 0 ? order : first->order - second->order;
}

static scree_result collect(detection_pass *self, int *regrown) {
    if (self->item_count > 0) qsort(self->items, (size_t)self->item_count, sizeof *self->items, by_pair);
    for (int i = 0; i < self->item_count; i++) {
        const contact_pair pair = {.last_colour = -1, .predicted = self->items[i].of.at_end};
        TRY(contacts_append(&self->found, pair, &self->items[i].of.found, regrown));
    }
    return SCREE_OK;
}

scree_result detection_pass_find(detection_pass *self, trial_motion *trial, const contact_set *contacts,
                                 const skim_list *skims, broadphase *pairs, bounds *boxes, int threads,
                                 int *regrown) {
    const int count = trial->bodies->count;
    contacts_clear(&self->found);
    self->item_count = 0, self->only_moved = true;
    TRY(MEMORY_RESERVE(self->motion, self->motion_capacity, count, regrown));
    TRY(MEMORY_RESERVE(self->turned, self->turned_capacity, count, regrown));
    TRY(MEMORY_RESERVE(self->straying, self->straying_capacity, count, regrown));
    TRY(MEMORY_RESERVE(self->marks, self->mark_capacity, contacts->count + skims->count, regrown));
    trial->moving = *trial->bodies;
    trial->moving.velocities = self->motion;
    trial->turned = self->turned;
    const body_scan seen = scan_bodies(self, trial, threads);
    const pass_input in = {trial, contacts, skims, regrown};
    if (trial_any_turned(seen.turned, trial->smallest)) TRY(renew(self, &in, threads));
    TRY(find_dropped(self, &in, threads));
    if (seen.straying) {
        near_pairs near;
        TRY(find_pairs(self, trial, &seen, pairs, boxes, threads, &near, regrown));
        if (near.count > 0) TRY(search(self, &in, near, threads));
    }
    return collect(self, regrown);
}

static void move(detection_pass *self, const trial_motion *trial, int slot) {
    if (slot < trial->bodies->count)
        self->motion[slot] =
            trial_velocity(trial->bodies->poses[slot], trial->poses[slot], 1 / trial->time_step);
}

scree_result detection_pass_move(detection_pass *self, const trial_motion *trial, const joint_array *joints,
                                 int *regrown) {
    TRY(MEMORY_RESERVE(self->motion, self->motion_capacity, trial->bodies->count, regrown));
    for (int i = 0; i < joints->link_count; i++) {
        move(self, trial, joints->links[i].a);
        move(self, trial, joints->links[i].b);
    }
    return SCREE_OK;
}

void detection_pass_release(detection_pass *self) {
    memory_release(self->motion);
    memory_release(self->turned);
    memory_release(self->straying);
    memory_release(self->marks);
    memory_release(self->items);
    contacts_release(&self->found);
    for (int i = 0; i < PASS_SLICES; i++) memory_release(self->slices[i].items);
    *self = (detection_pass){0};
}
