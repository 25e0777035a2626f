#include "pairs.h"

#include "base/memory.h"
#include "joint_plan.h"

enum { POINTS_MOST = 10000 }; /* of a group */

static bool moves(const body_array *bodies, int slot) {
    return slot < bodies->count && body_is_dynamic(bodies, slot);
}

static constraint_pair pair_of(const assembly *from, int a, int b) {
    return (constraint_pair){.a = a,
                             .b = b,
                             .contact = -1,
                             .flags = (short)((moves(from->bodies, a) ? PAIR_MOVES_A : 0) |
                                              (moves(from->bodies, b) ? PAIR_MOVES_B : 0)),
                             .last_colour = -1};
}

static bool resisted(const assembly *from, int a, int b) {
    const int *materials = from->bodies->materials;
    const scree_material_pair_def contact = material_combine(from->materials, materials[a], materials[b]);
    return contact.rolling_friction > 0 || contact.spinning_friction > 0;
}

/* `resists`: some materials do. */
static constraint_pair touching_pair(const assembly *from, bool resists, int i) {
    const contact_pair *touching = &from->contacts->pairs[i];
    constraint_pair pair = pair_of(from, touching->manifold.a, touching->manifold.b);
    pair.contact = i;
    pair.points = (short)touching->manifold.count;
    pair.last_colour = touching->last_colour;
    if (resists && resisted(from, pair.a, pair.b)) pair.flags |= PAIR_RESISTS;
    return pair;
}

/* The manifolds of the same two bodies' parts are one pair, but for what was foreseen. Returns how many. */
static int touching_parts(const assembly *from, bool resists, int first, constraint_pair *out) {
    const contact_set *contacts = from->contacts;
    const contact_pair *one = &contacts->pairs[first];
    int count = 1;
    *out = touching_pair(from, resists, first);
    for (; first + count < contacts->count && contact_same_bodies(one, one + count); ++count) {
        const int points = out->points + one[count].manifold.count;
        if (one->foreseen || one[count].foreseen || points > POINTS_MOST) break;
        out->points = (short)points;
    }
    return count;
}

/* The joints from link `first` on that hold the same two bodies. */
static constraint_pair held_pair(const assembly *from, int first) {
    const joint_array *joints = from->joints;
    const joint_link *link = &joints->links[first];
    const int ground = from->bodies->count;
    constraint_pair pair = pair_of(from, link->a, link->b == JOINT_GROUND ? ground : link->b);
    pair.first_joint = first;
    while (first + pair.joints < joints->link_count && joints->links[first + pair.joints].a == link->a &&
           joints->links[first + pair.joints].b == link->b)
        ++pair.joints;
    pair.last_colour = joints->next[link->joint].colour;
    return pair;
}

static void number_rows(joint_array *joints) {
    joints->row_count = 0;
    for (int i = 0; i < joints->link_count; ++i) {
        joints->links[i].first_row = joints->row_count;
        joints->row_count += joint_plan_of(&joints->defs[joints->links[i].joint]).count;
    }
}

static int order_of(const constraint_pair *one, const constraint_pair *other) {
    return one->a != other->a ? one->a - other->a : one->b - other->b;
}

/* Both are sorted: one walk over each. */
static void merge(constraint_pairs *self, const assembly *from, bool resists) {
    int contact = 0, link = 0;
    self->count = 0;
    const int links = from->joints ? from->joints->link_count : 0;
    while (contact < from->contacts->count || link < links) {
        constraint_pair touching = {.a = JOINT_GROUND}, held = {.a = JOINT_GROUND};
        int parts = 0;
        if (contact < from->contacts->count) parts = touching_parts(from, resists, contact, &touching);
        if (link < links) held = held_pair(from, link);
        const int order = order_of(&touching, &held);
        constraint_pair *out = &self->items[self->count++];
        *out = order < 0 ? touching : held;
        if (order == 0) {
            out->contact = contact, out->points = touching.points;
            out->flags |= touching.flags & PAIR_RESISTS;
        }
        if (order == 0 && touching.last_colour >= 0) out->last_colour = touching.last_colour;
        contact += order <= 0 ? parts : 0, link += order >= 0 ? held.joints : 0;
    }
}

scree_result pairs_collect(constraint_pairs *self, const assembly *from, int threads, int *regrown) {
    const int links = from->joints ? from->joints->link_count : 0;
    const bool parts = from->contacts->parts, resists = from->materials && material_resists(from->materials);
    TRY(MEMORY_RESERVE(self->items, self->capacity, (size_t)from->contacts->count + (size_t)links, regrown));
    if (links > 0) number_rows(from->joints);
    if (links > 0 || parts) {
        merge(self, from, resists);
        return SCREE_OK;
    }
    self->count = from->contacts->count;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < self->count; ++i) self->items[i] = touching_pair(from, resists, i);
    return SCREE_OK;
}

scree_result pairs_keep_colours(const constraint_pairs *self, const assembly *from, int threads) {
    contact_set *contacts = from->contacts;
    TRY(MEMORY_RESERVE(contacts->colours, contacts->colour_capacity, contacts->count, NULL));
    /* None has several manifolds, and none joints alone. */
    const bool alike =
        self->count == contacts->count && !contacts->parts && !(from->joints && from->joints->link_count > 0);
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < self->count; ++i)
        for (int contact = self->items[i].contact, left = self->items[i].points; left > 0; ++contact) {
            contacts->colours[contact] = self->items[i].colour;
            left -= alike ? left : contacts->pairs[contact].manifold.count;
        }
    return SCREE_OK;
}

void pairs_release(constraint_pairs *self) {
    memory_release(self->items);
    memory_release(self->masks);
    memory_release(self->marks_of_others);
    memory_release(self->candidates);
    memory_release(self->spare);
    *self = (constraint_pairs){0};
}
