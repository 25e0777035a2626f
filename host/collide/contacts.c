#include "contacts.h"

#include "base/memory.h"
#include "impact.h"

#include <limits.h>
#include <string.h>

enum {
    CHUNK_PAIRS = 256, /* pairs that one thread takes at a time */
    WAVE_CHUNKS = 64,  /* chunks whose manifolds are held at a time: little enough for the cache */
    WAVE_PAIRS = WAVE_CHUNKS * CHUNK_PAIRS
};

/* The manifolds of consecutive pairs, those without points left out chunk by chunk. */
typedef struct wave {
    manifold *manifolds; /* chunk c begins at c · CHUNK_PAIRS */
    int counts[WAVE_CHUNKS];
    int64_t points[WAVE_CHUNKS];
} wave;

/* Bodies that move on at their velocities approach in every direction by no more than h (|v_b − v_a| +
 * turning), and along the normal n of a plane that parts them by no more than h (max(0, −n · (v_b − v_a)) +
 * turning). The first bound says what to look for, the second which of the points found can close within the
 * step: the others are dropped. */
manifold contacts_manifold(const body_array *bodies, body_pair pair, scalar margin, scalar time_step) {
    if (bodies->apart_count && bodies_apart(bodies, pair.a, pair.b)) return (manifold){.count = 0};
    const body_pose pose_a = bodies->poses[pair.a], pose_b = bodies->poses[pair.b];
    const vec3s velocity =
        glms_vec3_sub(bodies->velocities[pair.b].linear, bodies->velocities[pair.a].linear);
    const scalar distance = glms_vec3_norm(glms_vec3_sub(pose_b.position, pose_a.position));
    const scalar turning =
        bounds_turning_speed(bodies, pair.a, distance) + bounds_turning_speed(bodies, pair.b, distance);
    const scalar reach = margin + time_step * (glms_vec3_norm(velocity) + turning);
    manifold found = impact_manifold(bodies->shapes[pair.a], pose_a, bodies->shapes[pair.b], pose_b, velocity,
                                     time_step, reach);
    const scalar closing = scalar_max(0, -glms_vec3_dot(found.normal, velocity));
    const scalar closing_reach = margin + time_step * (closing + turning);
    int count = 0;
    for (int i = 0; i < found.count; i++)
        if (found.points[i].gap <= closing_reach) found.points[count++] = found.points[i];
    found.a = pair.a, found.b = pair.b, found.count = count;
    return found;
}

static void collide_chunk(wave *self, int chunk, const body_array *bodies, const body_pair *pairs, int count,
                          scalar margin, scalar time_step) {
    manifold *out = self->manifolds + chunk * CHUNK_PAIRS;
    self->counts[chunk] = 0;
    self->points[chunk] = 0;
    for (int i = chunk * CHUNK_PAIRS; i < count && i < (chunk + 1) * CHUNK_PAIRS; i++) {
        /* Bodies do not just move on. */
        const scalar lookout = bounds_pair_lookout(bodies, pairs[i].a, pairs[i].b, time_step);
        const manifold found = contacts_manifold(bodies, pairs[i], margin + lookout, time_step);
        if (found.count == 0) continue;
        out[self->counts[chunk]++] = found;
        self->points[chunk] += found.count;
    }
}

static bool is_of(const contact_pair *pair, body_pair bodies) {
    return pair->manifold.a == bodies.a && pair->manifold.b == bodies.b;
}

/* The first pair of `set` that is not before (a, b). */
static int lower_bound(const contact_set *set, int a, int b) {
    int low = 0, high = set->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        const manifold *shape = &set->pairs[middle].manifold;
        if (shape->a < a || (shape->a == a && shape->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Takes over, feature by feature, the impulses of the same pair in the last step. Of a feature that the pair
 * had more than once (contacts_add) the last holds: it is of the step's end. */
static void inherit(contact_pair *pair, const contact_pair *old, bool found[MANIFOLD_POINTS]) {
    for (int i = 0; i < pair->manifold.count; i++)
        for (int k = 0; k < old->manifold.count; k++)
            if (pair->manifold.points[i].feature == old->manifold.points[k].feature) {
                pair->impulses[i] = old->impulses[k];
                pair->torques[i] = old->torques[k];
                pair->pushes[i] = old->pushes[k];
                found[i] = true;
                break;
            }
}

/* The same from all that the pair had, with the colour of the first. */
static void inherit_all(contact_pair *pair, const contact_set *before, int first) {
    const body_pair bodies = {pair->manifold.a, pair->manifold.b};
    bool found[MANIFOLD_POINTS] = {false};
    pair->last_colour = before->colours[first];
    for (int old = first; old < before->count && is_of(&before->pairs[old], bodies); old++)
        inherit(pair, &before->pairs[old], found);
    for (int i = 0; i < MANIFOLD_POINTS; i++) pair->hits += found[i];
}

/* Both sets are sorted by (a, b), so one walk over each matches them. */
static void store_chunk(contact_pair *out, const manifold *found, int count, const contact_set *before) {
    if (count == 0) return;
    int old = lower_bound(before, found[0].a, found[0].b);
    for (int i = 0; i < count; i++) {
        out[i] = (contact_pair){.manifold = found[i], .last_colour = -1};
        const manifold *shape = NULL;
        for (; old < before->count; old++) {
            shape = &before->pairs[old].manifold;
            if (shape->a > found[i].a || (shape->a == found[i].a && shape->b >= found[i].b)) break;
        }
        if (old < before->count && shape->a == found[i].a && shape->b == found[i].b)
            inherit_all(&out[i], before, old);
    }
}

static scree_result check_points(int64_t points, int maximum_contacts) {
    const int limit = maximum_contacts > 0 ? maximum_contacts : INT_MAX;
    if (points <= limit) return SCREE_OK;
    return fail(SCREE_ERROR_CAPACITY, "more than %d contact points, the most that %s", limit,
                maximum_contacts > 0 ? "maximum_contacts allows" : "an index can count");
}

/* Computes the manifolds of one wave and appends those with points to `out`. */
static scree_result append_wave(contact_set *out, wave *self, const contact_set *before,
                                const body_array *bodies, const body_pair *pairs, int count, scalar margin,
                                scalar time_step, int maximum_contacts, int threads, int *regrown) {
    const int chunks = (count + CHUNK_PAIRS - 1) / CHUNK_PAIRS;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int chunk = 0; chunk < chunks; chunk++)
        collide_chunk(self, chunk, bodies, pairs, count, margin, time_step);
    int first[WAVE_CHUNKS];
    int64_t total = out->count, points = out->points;
    for (int chunk = 0; chunk < chunks; chunk++) {
        first[chunk] = (int)total;
        total += self->counts[chunk];
        points += self->points[chunk];
    }
    TRY(check_points(points, maximum_contacts));
    TRY(MEMORY_RESERVE(out->pairs, out->capacity, total, regrown));
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int chunk = 0; chunk < chunks; chunk++)
        store_chunk(out->pairs + first[chunk], self->manifolds + chunk * CHUNK_PAIRS, self->counts[chunk],
                    before);
    out->count = (int)total;
    out->points = (int)points;
    return SCREE_OK;
}

scree_result contacts_update(contact_set *out, const contact_set *before, const body_array *bodies,
                             const body_pair *pairs, int pair_count, scalar margin, scalar time_step,
                             int maximum_contacts, int threads, int *regrown) {
    out->count = out->points = 0;
    out->pulled = false;
    if (pair_count == 0) return SCREE_OK;
    wave self = {.manifolds =
                     memory_allocate(pair_count < WAVE_PAIRS ? pair_count : WAVE_PAIRS, sizeof(manifold))};
    if (!self.manifolds) return fail(SCREE_ERROR_MEMORY, "out of memory: manifolds of %d pairs", pair_count);
    scree_result result = SCREE_OK;
    for (int done = 0; done < pair_count && result == SCREE_OK; done += WAVE_PAIRS) {
        const int count = pair_count - done < WAVE_PAIRS ? pair_count - done : WAVE_PAIRS;
        result = append_wave(out, &self, before, bodies, pairs + done, count, margin, time_step,
                             maximum_contacts, threads, regrown);
    }
    if (result != SCREE_OK) out->count = out->points = 0;
    memory_release(self.manifolds);
    return result;
}

int contacts_find(const contact_set *set, body_pair pair) {
    const int i = lower_bound(set, pair.a, pair.b);
    return i < set->count && is_of(&set->pairs[i], pair) ? i : -1;
}

static bool precedes(const contact_pair *one, const contact_pair *other) {
    const manifold *a = &one->manifold, *b = &other->manifold;
    return a->a < b->a || (a->a == b->a && a->b < b->b);
}

/* From the end, so that nothing is overwritten before it has moved. */
scree_result contacts_add(contact_set *set, const contact_set *more, int maximum_contacts, int *regrown) {
    TRY(check_points((int64_t)set->points + more->points, maximum_contacts));
    TRY(MEMORY_RESERVE(set->pairs, set->capacity, (size_t)set->count + (size_t)more->count, regrown));
    int old = set->count - 1, added = more->count - 1;
    for (int to = old + more->count; added >= 0; to--)
        set->pairs[to] = old >= 0 && precedes(&more->pairs[added], &set->pairs[old]) ? set->pairs[old--]
                                                                                     : more->pairs[added--];
    set->count += more->count;
    set->points += more->points;
    return SCREE_OK;
}

void contacts_settle(contact_set *set) {
    for (int i = 0; i < set->count; i++)
        for (int k = 0; k < set->pairs[i].manifold.count && set->pairs[i].foreseen; k++) {
            scalar *gap = &set->pairs[i].manifold.points[k].gap;
            *gap = scalar_max(*gap, -contact_overlap(&set->pairs[i], k));
        }
}

void contacts_forget(contact_set *set, const uint8_t *gone) {
    int count = 0;
    for (int i = 0; i < set->count; i++) {
        const manifold *shape = &set->pairs[i].manifold;
        if (gone[shape->a] || gone[shape->b]) {
            set->points -= shape->count;
            continue;
        }
        set->pairs[count] = set->pairs[i];
        set->colours[count] = set->colours[i];
        if (set->pulled) set->pulls[count] = set->pulls[i];
        count++;
    }
    set->count = count;
}

void contacts_scale(contact_set *set, scalar factor) {
    for (int i = 0; i < set->count; i++)
        for (int k = 0; k < MANIFOLD_POINTS; k++) {
            contact_pair *pair = &set->pairs[i];
            pair->impulses[k] = glms_vec3_scale(pair->impulses[k], factor);
            pair->torques[k] = glms_vec3_scale(pair->torques[k], factor);
            pair->pushes[k] /= factor;
            if (set->pulled) set->pulls[i].of_point[k] *= factor;
        }
}

void contacts_release(contact_set *set) {
    memory_release(set->pairs);
    memory_release(set->colours);
    memory_release(set->pulls);
    *set = (contact_set){0};
}
