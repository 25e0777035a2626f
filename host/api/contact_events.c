/* Contact events: differences between the pairs that touch in two consecutive steps. An observer keeps the
 * pairs of the step before the last; those of the last step are its contacts. */
#include "base/error.h"
#include "base/memory.h"
#include "step/world.h"

static const char NAME[] = "contact events";

typedef struct pair_list {
    int count, capacity;
    scree_body_pair *items; /* ascending by slots */
} pair_list;

typedef struct contact_events {
    bool enabled;
    bool known;             /* whether `before` is that of the last step */
    pair_list before, next; /* pairs that touched in the step before the last; in the one before the next */
} contact_events;

/* Pairs of a world's last step that touch, in order. */
typedef struct touching_walk {
    const scree_world *world;
    int at;
} touching_walk;

/* Writes the next pair; returns false at the end. A pair may have several entries, one after the other. */
static bool walk_next(touching_walk *self, scree_body_pair *out) {
    const contact_set *set = &self->world->state.contacts;
    const body_array *bodies = &self->world->state.bodies;
    while (self->at < set->count) {
        const contact_pair *first = &set->pairs[self->at];
        bool touching = false;
        for (; self->at < set->count && set->pairs[self->at].manifold.a == first->manifold.a &&
               set->pairs[self->at].manifold.b == first->manifold.b;
             self->at++)
            touching = touching || contact_touches(set, self->at);
        if (!touching || contacts_are_gone(bodies, first)) continue;
        *out =
            (scree_body_pair){body_id_of(bodies, first->manifold.a), body_id_of(bodies, first->manifold.b)};
        return true;
    }
    return false;
}

static scree_result collect(const scree_world *world, pair_list *out) {
    touching_walk walk = {.world = world};
    scree_body_pair pair;
    out->count = 0;
    TRY(contacts_bring(&world->state.contacts));
    while (walk_next(&walk, &pair)) {
        TRY(MEMORY_RESERVE(out->items, out->capacity, out->count + 1, NULL));
        out->items[out->count++] = pair;
    }
    return SCREE_OK;
}

static scree_result begin(const scree_world *world, void *user, bool *needs_work) {
    contact_events *self = user;
    (void)needs_work;
    return self->enabled ? collect(world, &self->next) : SCREE_OK;
}

static void end(const scree_world *world, const scree_statistics *statistics, void *user) {
    contact_events *self = user;
    const pair_list before = self->before;
    (void)world, (void)statistics;
    self->before = self->next;
    self->next = before;
    self->known = self->enabled;
}

static void restored(const scree_world *world, void *user) {
    contact_events *self = user;
    (void)world;
    self->known = false;
}

static void destroy(void *user) {
    contact_events *self = user;
    memory_release(self->before.items);
    memory_release(self->next.items);
    memory_release(self);
}

static scree_result make(scree_world *world, contact_events **out) {
    contact_events *self = memory_allocate(1, sizeof *self);
    if (!self) return fail(SCREE_ERROR_MEMORY, "out of memory: contact events");
    const scree_observer observer = {
        .name = NAME, .user = self, .begin = begin, .end = end, .destroy = destroy, .restored = restored};
    const scree_result result = scree_world_add_observer(world, &observer);
    if (result == SCREE_OK)
        *out = self;
    else
        destroy(self);
    return result;
}

scree_result scree_world_set_contact_events(scree_world *world, bool enabled) {
    REQUIRE(world);
    contact_events *self = scree_world_find_observer(world, NAME);
    if (!self && enabled) TRY(make(world, &self));
    if (!self || self->enabled == enabled) return SCREE_OK;
    self->enabled = enabled;
    self->known = false;
    return SCREE_OK;
}

static int compare(scree_body_pair one, scree_body_pair other) {
    if (one.a.index != other.a.index) return one.a.index < other.a.index ? -1 : 1;
    return one.b.index == other.b.index ? 0 : one.b.index < other.b.index ? -1 : 1;
}

/* Pairs of `before` that still live, in order. */
typedef struct before_walk {
    const scree_world *world;
    const pair_list *list;
    int at;
} before_walk;

static bool before_next(before_walk *self, scree_body_pair *out) {
    const body_array *bodies = &self->world->state.bodies;
    while (self->at < self->list->count) {
        *out = self->list->items[self->at++];
        if (body_slot(bodies, out->a) < 0 || body_slot(bodies, out->b) < 0) continue;
        if (!bodies->gone[out->a.index - 1] && !bodies->gone[out->b.index - 1]) return true;
    }
    return false;
}

/* Lists the pairs of the last step that are not in the one before, or the reverse. */
static int list(const scree_world *world, bool begun, scree_body_pair *out, int capacity) {
    const contact_events *self = scree_world_find_observer(world, NAME);
    if (!self || !self->known) return 0;
    if (contacts_bring(&world->state.contacts) != SCREE_OK) return 0;
    touching_walk now = {.world = world};
    before_walk before = {.world = world, .list = &self->before};
    scree_body_pair one, other;
    bool has_one = walk_next(&now, &one), has_other = before_next(&before, &other);
    int count = 0;
    while (has_one || has_other) {
        const int order = !has_one ? 1 : !has_other ? -1 : compare(one, other);
        if (begun ? order < 0 : order > 0) {
            if (count < capacity) out[count] = begun ? one : other;
            count++;
        }
        if (order <= 0) has_one = walk_next(&now, &one);
        if (order >= 0) has_other = before_next(&before, &other);
    }
    return count;
}

int scree_contact_list_begun(const scree_world *world, scree_body_pair *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    return list(world, true, out, capacity);
}

int scree_contact_list_ended(const scree_world *world, scree_body_pair *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    return list(world, false, out, capacity);
}
