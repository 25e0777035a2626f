#include "contacts.h"

#include "base/memory.h"
#include "base/parallel.h"
#include "child_contacts.h"
#include "contact_match.h"
#include "normal_row.h"

#include <limits.h>
#include <string.h>

_Static_assert((int)BROADPHASE_PIECE <= (int)NARROW_PAIRS, "a piece fits one batch of the narrow phase");

/* The manifolds of consecutive pairs; each chunk drops those without points. */
typedef struct wave {
    contact_search *search; /* with the results of each chunk */
    const body_array *bodies;
    const broadphase *pairs;
    scalar margin, time_step;
    int first; /* piece */
    int64_t points[SEARCH_CHUNKS];
    bool several[SEARCH_CHUNKS], failed[SEARCH_CHUNKS];
} wave;

static void collide_chunk(wave *self, int chunk) {
    body_pair pairs[BROADPHASE_PIECE];
    const int count = broadphase_piece(self->pairs, self->first + chunk, pairs);
    manifold_list *out = &self->search->manifolds[chunk];
    skim_list *skims = &self->search->skims_of[chunk];
    out->count = skims->count = 0;
    self->failed[chunk] = narrow_phase_find(&self->search->narrow, self->bodies, pairs, count, self->margin,
                                            self->time_step, out, skims) != SCREE_OK;
    self->points[chunk] = 0, self->several[chunk] = false;
    for (int i = 0; i < out->count; i++) {
        self->points[chunk] += out->items[i].count;
        self->several[chunk] |= out->items[i].children > 0;
    }
}

static body_pair bodies_of(const contact_pair *pair) {
    return (body_pair){pair->manifold.a, pair->manifold.b, pair->manifold.image};
}

static bool is_of(const contact_pair *pair, body_pair bodies) {
    return body_pair_order(bodies_of(pair), bodies) == 0;
}

/* Returns the first of the pairs [0, end) that is not before `pair`, or, with `after`, that is after it. */
static int lower_bound(const contact_set *set, int end, body_pair pair, bool after) {
    int low = 0;
    while (low < end) {
        const int middle = low + (end - low) / 2;
        if (body_pair_order(bodies_of(&set->pairs[middle]), pair) < after)
            low = middle + 1;
        else
            end = middle;
    }
    return low;
}

/* The points of a pair and their actions. */
typedef struct pair_points {
    int count;
    manifold_point *at;
    contact_action *actions;
    vec3s *torques;      /* null if there are none */
    const scalar *pulls; /* cohesive impulses along `normal`; null if there are none */
    vec3s normal;
} pair_points;

static pair_points points_of(const contact_set *set, const contact_pair *pair) {
    return (pair_points){.count = pair->manifold.count,
                         .at = contact_places(set, pair),
                         .actions = contact_actions(set, pair),
                         .torques = set->has_resistance ? set->torques + pair->first : NULL,
                         .pulls = set->cohesive ? set->cohesive_impulses[pair - set->pairs].of_point : NULL,
                         .normal = pair->manifold.normal};
}

/* Copies the action at point k of `old` to point i of `now`, without its cohesive impulse. */
static void take_over(pair_points now, int i, pair_points old, int k) {
    now.actions[i] = old.actions[k];
    if (old.pulls && old.pulls[k] > 0)
        now.actions[i].impulse =
            glms_vec3_sub(now.actions[i].impulse, glms_vec3_scale(old.normal, old.pulls[k]));
    if (now.torques) now.torques[i] = old.torques[k];
}

static point_features features_of(pair_points of) {
    point_features out = {.count = of.count};
    for (int i = 0; i < of.count; i++) out.at[i] = of.at[i].feature;
    return out;
}

static point_places places_of(pair_points of) {
    point_places out = {0};
    for (int i = 0; i < of.count; i++) out.at[i] = of.at[i].position;
    return out;
}

/* Copies the actions at the sources of points. */
static void take_sources(pair_points now, pair_points old, uint32_t sources, uint32_t *found) {
    for (int i = 0; i < now.count; i++)
        if (match_source(sources, i) >= 0) {
            take_over(now, i, old, match_source(sources, i));
            *found |= sources & (uint32_t)MATCH_MASK << MATCH_BITS * i;
        }
}

/* Copies the impulses of the same pair in the last step, feature by feature; a feature must have the bits of
 * `kind`. Later entries of a pair (contacts_add) overwrite earlier ones with the same feature, since they
 * belong to the end of the step. */
static void inherit(pair_points now, pair_points old, uint32_t kind, uint32_t *found) {
    take_sources(now, old, match_features(features_of(now), features_of(old), kind), found);
}

/* Gives the actions at vanished features to the nearest new points. */
static void adopt(pair_points now, pair_points old, uint32_t *found) {
    take_sources(now, old,
                 match_nearest(features_of(now), places_of(now), features_of(old), places_of(old), *found),
                 found);
}

static bool is_on_plane(pair_points of) {
    for (int i = 0; i < of.count; i++)
        if (of.at[i].feature & FEATURE_OF_PLANE) return true;
    return false;
}

/* Returns the load of a pair from its entries in the last step. */
static scalar load_of(const contact_set *before, slice entries) {
    contact_load load = contact_load_none();
    for (int old = entries.first; old < entries.end; old++) {
        const contact_pair *entry = &before->pairs[old];
        const contact_action *actions = contact_actions(before, entry);
        for (int k = 0; k < entry->manifold.count; k++)
            load = contact_load_with(load, actions[k].impulse, entry->manifold.normal, actions[k].bias);
    }
    return contact_load_value(load);
}

scalar contact_load_velocity(const body_array *bodies, const contact_pair *pair) {
    return load_velocity_of(pair->load, bodies->masses[pair->manifold.a].mass,
                            bodies->masses[pair->manifold.b].mass);
}

/* Returns whether features of a plane at `old` continue at `now`: the child touches another triangle. */
static bool continues_on_plane(const contact_pair *old, const contact_pair *now, const body_array *bodies) {
    return old->manifold.children != now->manifold.children &&
           children_same_on_plane(body_collision_shape(bodies, now->manifold.a),
                                  body_collision_shape(bodies, now->manifold.b), old->manifold.children,
                                  now->manifold.children);
}

/* Copies the impulses of the pair's children, and the colour of its first entry in the last step. A feature
 * of a plane is the same on all of its triangles, but impulses of the same child take precedence. A pair may
 * have thousands of touching children, so each scans all entries as rarely as possible. */
static void inherit_all(contact_pair *pair, const contact_set *set, const contact_set *before, slice entries,
                        const body_array *bodies) {
    const contact_pair *old = before->pairs;
    const pair_points now = points_of(set, pair);
    const int children = pair->manifold.children;
    const bool on_plane = is_on_plane(now);
    uint32_t found = 0; /* of points that have an action, not 0 in their bits (contact_match.h) */
    int own = entries.end;
    pair->last_colour = before->colours[entries.first];
    for (int i = entries.first; i < entries.end && on_plane; i++)
        if (continues_on_plane(&old[i], pair, bodies))
            inherit(now, points_of(before, &old[i]), FEATURE_OF_PLANE, &found);
    for (int i = entries.first; i < entries.end; i++) {
        if (old[i].manifold.children != children) continue;
        inherit(now, points_of(before, &old[i]), 0, &found);
        if (own == entries.end) own = i;
    }
    for (int i = own; i < entries.end && match_count(found) < now.count; i++)
        if (old[i].manifold.children == children && !old[i].predicted)
            adopt(now, points_of(before, &old[i]), &found);
    pair->hits = (signed char)match_count(found);
}

/* Initialises a pair without history, in place: building it elsewhere and copying would stall on store
 * forwarding. */
static void lay_pair(const contact_set *set, contact_pair *out, int first, const manifold *found) {
    for (int k = 0; k < found->count; k++)
        set->places[first + k] = found->points[k], set->actions[first + k] = (contact_action){.push = 0};
    for (int k = 0; k < found->count && set->has_resistance; k++) set->torques[first + k] = vec3_of(0, 0, 0);
    out->first = first, out->last_colour = -1, out->hits = 0;
    out->deferred = out->predicted = false;
    out->load = 0;
    out->manifold.a = found->a, out->manifold.b = found->b, out->manifold.count = (unsigned)found->count;
    out->manifold.children = found->children, out->manifold.image = found->image;
    out->manifold.normal.x = found->normal.x, out->manifold.normal.y = found->normal.y;
    out->manifold.normal.z = found->normal.z;
}

bool contacts_are_gone(const body_array *bodies, const contact_pair *pair) {
    return bodies->gone_count > 0 && (bodies->gone[pair->manifold.a] | bodies->gone[pair->manifold.b]);
}

/* Returns the entries of a pair, none of which is before `from`. */
static slice entries_of(const contact_set *set, int from, body_pair pair) {
    slice of = {from, from};
    while (of.first < set->count && body_pair_order(bodies_of(&set->pairs[of.first]), pair) < 0) of.first++;
    of.end = of.first;
    while (of.end < set->count && is_of(&set->pairs[of.end], pair)) of.end++;
    return of;
}

/* Both sets are sorted by (a, b, image), so one walk matches them. A body that has taken over a slot inherits
 * nothing from its predecessor. The entries of a pair have one load, which is summed once: a pair may have
 * thousands of entries. */
static void store_chunk(const contact_set *set, int at, int first, const manifold_list *found,
                        const contact_set *before, const body_array *bodies) {
    contact_pair *out = set->pairs + at;
    slice old = {0, 0};
    for (int i = 0; i < found->count; i++) {
        lay_pair(set, &out[i], first, &found->items[i]);
        first += found->items[i].count;
        const body_pair pair = bodies_of(&out[i]);
        const bool again = i > 0 && contact_same_bodies(&out[i - 1], &out[i]);
        if (!again)
            old = entries_of(before, i > 0 ? old.end : lower_bound(before, before->count, pair, false), pair);
        if (old.first == old.end || contacts_are_gone(bodies, &out[i])) continue;
        inherit_all(&out[i], set, before, old, bodies);
        out[i].load = again ? out[i - 1].load : load_of(before, old);
    }
}

scree_result contacts_check_points(int64_t points, int maximum_contacts) {
    const int limit = maximum_contacts > 0 ? maximum_contacts : INT_MAX;
    if (points <= limit) return SCREE_OK;
    return fail(SCREE_ERROR_CAPACITY, "contact points: more than %d; limited by %s", limit,
                maximum_contacts > 0 ? "maximum_contacts" : "the range of an index");
}

scree_result contacts_reserve(contact_set *set, int64_t pairs, int64_t points, int *regrown) {
    TRY(MEMORY_RESERVE(set->pairs, set->capacity, pairs, regrown));
    TRY(MEMORY_RESERVE(set->actions, set->action_capacity, points, regrown));
    TRY(MEMORY_RESERVE(set->places, set->place_capacity, points, regrown));
    return set->has_resistance ? MEMORY_RESERVE(set->torques, set->torque_capacity, points, regrown)
                               : SCREE_OK;
}

static scree_result collect_skims(contact_search *search, int chunks, int *regrown) {
    skim_list *all = &search->skims;
    for (int chunk = 0; chunk < chunks; chunk++) {
        const skim_list *found = &search->skims_of[chunk];
        TRY(MEMORY_RESERVE(all->items, all->capacity, all->count + found->count, regrown));
        for (int i = 0; i < found->count; i++) all->items[all->count++] = found->items[i];
    }
    return SCREE_OK;
}

typedef struct wave_loop {
    wave *self;
    contact_set *out;
    int *first, *first_point;
    const contact_set *before;
} wave_loop;

static void collide_chunks(const void *context, slice part) {
    const wave_loop loop = *(const wave_loop *)context;
    for (int chunk = part.first; chunk < part.end; chunk++) collide_chunk(loop.self, chunk);
}

static void store_chunks(const void *context, slice part) {
    const wave_loop loop = *(const wave_loop *)context;
    for (int chunk = part.first; chunk < part.end; chunk++)
        store_chunk(loop.out, loop.first[chunk], loop.first_point[chunk],
                    &loop.self->search->manifolds[chunk], loop.before, loop.self->bodies);
}

/* Computes the manifolds of one wave of `chunks` pieces and appends those with points to `out`. */
static scree_result append_wave(contact_set *out, wave *self, int chunks, const contact_set *before,
                                int maximum_contacts, int threads, int *regrown) {
    parallel_each(threads, chunks, collide_chunks, &(const wave_loop){.self = self});
    int first[SEARCH_CHUNKS], first_point[SEARCH_CHUNKS];
    int64_t total = out->count, points = out->points;
    for (int chunk = 0; chunk < chunks; chunk++) {
        if (self->failed[chunk]) {
            /* Error messages are thread-local; repeat the call on this thread to set it. */
            collide_chunk(self, chunk);
            return self->failed[chunk] ? scree_error_get_result()
                                       : fail(SCREE_ERROR_MEMORY, "out of memory: contacts");
        }
        first[chunk] = (int)total, first_point[chunk] = (int)points;
        total += self->search->manifolds[chunk].count;
        points += self->points[chunk];
        out->several |= self->several[chunk];
    }
    TRY(contacts_check_points(points, maximum_contacts));
    TRY(collect_skims(self->search, chunks, regrown));
    TRY(contacts_reserve(out, total, points, regrown));
    parallel_each(
        threads, chunks, store_chunks,
        &(const wave_loop){
            .out = out, .first = first, .first_point = first_point, .self = self, .before = before});
    out->count = (int)total;
    out->points = out->action_count = (int)points;
    return SCREE_OK;
}

scree_result contacts_update(contact_set *out, const contact_set *before, contact_search *search,
                             const body_array *bodies, const broadphase *pairs, scalar margin,
                             scalar time_step, int maximum_contacts, int threads, int *regrown) {
    const int pieces = broadphase_piece_count(pairs);
    contacts_clear(out);
    out->has_resistance = before->has_resistance;
    search->skims.count = 0;
    if (pieces == 0) return SCREE_OK;
    TRY(narrow_phase_begin(&search->narrow, bodies, threads, regrown));
    wave self = {
        .search = search, .bodies = bodies, .pairs = pairs, .margin = margin, .time_step = time_step};
    scree_result result = SCREE_OK;
    for (; self.first < pieces && result == SCREE_OK; self.first += SEARCH_CHUNKS) {
        const int chunks = pieces - self.first < SEARCH_CHUNKS ? pieces - self.first : SEARCH_CHUNKS;
        result = append_wave(out, &self, chunks, before, maximum_contacts, threads, regrown);
    }
    if (result != SCREE_OK) out->count = out->points = out->action_count = 0;
    return result;
}

void contact_search_release(contact_search *search) {
    narrow_phase_release(&search->narrow);
    for (int i = 0; i < SEARCH_CHUNKS; i++)
        memory_release(search->manifolds[i].items), memory_release(search->skims_of[i].items);
    memory_release(search->skims.items);
    *search = (contact_search){0};
}

int contacts_find(const contact_set *set, body_pair pair) {
    const int i = lower_bound(set, set->count, pair, false);
    return i < set->count && is_of(&set->pairs[i], pair) ? i : -1;
}

bool contacts_have(const contact_set *set, body_pair pair, int children) {
    for (int i = lower_bound(set, set->count, pair, false); i < set->count && is_of(&set->pairs[i], pair);
         i++)
        if (set->pairs[i].manifold.children == children) return true;
    return false;
}

scree_result contacts_append(contact_set *set, contact_pair pair, const manifold *found, int *regrown) {
    set->copy = 0;
    TRY(MEMORY_RESERVE(set->pairs, set->capacity, (size_t)set->count + 1, regrown));
    TRY(MEMORY_RESERVE(set->places, set->place_capacity, (size_t)set->action_count + (size_t)found->count,
                       regrown));
    pair.manifold = contact_manifold_of(found);
    pair.first = set->action_count;
    for (int k = 0; k < found->count; k++) set->places[set->action_count++] = found->points[k];
    set->pairs[set->count++] = pair;
    set->points += found->count;
    set->several |= found->children > 0;
    return SCREE_OK;
}

scree_result contacts_turn(contact_set *set, int *regrown) {
    TRY(MEMORY_RESERVE(set->torques, set->torque_capacity, set->action_count, regrown));
    if (!set->has_resistance) memset(set->torques, 0, sizeof *set->torques * (size_t)set->action_count);
    set->has_resistance = true;
    return SCREE_OK;
}

/* Copies the points of a pair of another set. Nothing acts at them yet. */
static void take_points(contact_set *set, contact_pair *pair, const contact_set *from) {
    const manifold_point *places = contact_places(from, pair);
    pair->first = set->action_count;
    for (int k = 0; k < pair->manifold.count; k++, set->action_count++) {
        set->places[set->action_count] = places[k];
        set->actions[set->action_count] = (contact_action){.push = 0};
        if (set->has_resistance) set->torques[set->action_count] = vec3_of(0, 0, 0);
    }
}

/* Works from the end, so that nothing is overwritten before it has moved. The old pairs between two
 * insertions move as one block. */
scree_result contacts_add(contact_set *set, const contact_set *more, int maximum_contacts, int *regrown) {
    TRY(contacts_check_points((int64_t)set->points + more->points, maximum_contacts));
    TRY(contacts_reserve(set, (int64_t)set->count + more->count, (int64_t)set->action_count + more->points,
                         regrown));
    int left = set->count; /* old pairs that have not moved */
    set->copy = 0;
    for (int added = more->count - 1; added >= 0; added--) {
        const int behind = lower_bound(set, left, bodies_of(&more->pairs[added]), true);
        contact_pair *to = &set->pairs[behind + added];
        memmove(to + 1, &set->pairs[behind], sizeof *to * (size_t)(left - behind));
        *to = more->pairs[added];
        if (behind > 0 && contact_same_bodies(&set->pairs[behind - 1], to))
            to->load = set->pairs[behind - 1].load;
        take_points(set, to, more);
        left = behind;
    }
    set->count += more->count;
    set->points += more->points;
    set->several |= more->several;
    return SCREE_OK;
}

scalar contact_overlap_before(const contact_set *set, const contact_pair *predicted) {
    scalar deepest = 0;
    for (const contact_pair *pair = predicted;
         pair > set->pairs && contact_same_bodies(pair - 1, predicted);) {
        pair--;
        if (pair->predicted || pair->manifold.children != predicted->manifold.children) continue;
        for (int k = 0; k < pair->manifold.count; k++)
            deepest = scalar_max(deepest, -contact_places(set, pair)[k].gap);
        break;
    }
    return deepest;
}

typedef struct settle_loop {
    contact_set *set;
} settle_loop;

static void settle_slice(const void *context, slice part) {
    const settle_loop loop = *(const settle_loop *)context;
    for (int i = part.first; i < part.end; i++)
        for (int k = 0; k < loop.set->pairs[i].manifold.count && loop.set->pairs[i].predicted; k++) {
            scalar *gap = &contact_places(loop.set, &loop.set->pairs[i])[k].gap;
            *gap = scalar_max(*gap, -contact_overlap(loop.set, &loop.set->pairs[i], k));
        }
}

void contacts_settle(contact_set *set, int threads) {
    set->copy = 0;
    parallel_for(threads, set->count, settle_slice, &(const settle_loop){.set = set});
}

int contacts_living(const contact_set *set, const body_array *bodies, int *points) {
    int pairs = set->count;
    *points = set->points;
    for (int i = 0; i < set->count && bodies->gone_count > 0; i++) {
        if (!contacts_are_gone(bodies, &set->pairs[i])) continue;
        pairs--;
        *points -= (int)set->pairs[i].manifold.count;
    }
    return pairs;
}

/* The image as seen from the other body changes with the opposite sign. All images of a pair change equally,
 * so the order stays. An endless body does not move relative to the other one. */
void contacts_cross(contact_set *set, const body_array *bodies, const int *crossed) {
    set->copy = 0;
    for (int i = 0; i < set->count; i++) {
        contact_manifold *shape = &set->pairs[i].manifold;
        const int by_a = crossed[shape->a], by_b = crossed[shape->b];
        if (!by_a && !by_b) continue;
        const int image = shape->image + by_a - by_b,
                  idle = body_idle_image(bodies, shape->a, shape->b, image),
                  by = bodies->endless[shape->a] ? by_a - idle : by_a;
        shape->image = image - idle;
        const vec3s shift = period_shift(&bodies->period, by);
        for (int k = 0; k < shape->count && by; k++) {
            vec3s *at = &contact_places(set, &set->pairs[i])[k].position;
            *at = glms_vec3_add(*at, shift);
        }
    }
}

void contacts_scale(contact_set *set, scalar factor) {
    for (int i = 0; i < set->count; i++)
        for (int k = 0; k < set->pairs[i].manifold.count; k++) {
            contact_action *at = &contact_actions(set, &set->pairs[i])[k];
            at->impulse = glms_vec3_scale(at->impulse, factor);
            vec3s *torque = set->has_resistance ? &set->torques[set->pairs[i].first + k] : NULL;
            if (torque) *torque = glms_vec3_scale(*torque, factor);
            at->push /= factor;
            if (set->cohesive) set->cohesive_impulses[i].of_point[k] *= factor;
        }
}

void contacts_release(contact_set *set) {
    memory_release(set->pairs);
    memory_release(set->colours);
    memory_release(set->cohesive_impulses);
    memory_release(set->actions);
    memory_release(set->torques);
    memory_release(set->places);
    *set = (contact_set){0};
}
