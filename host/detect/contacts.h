/* All manifolds of a step, and the cache that carries impulses and colours from step to step by (pair,
 * feature). */
#pragma once

#include "broadphase.h"
#include "manifold.h"
#include "narrow_phase.h"

#include "contact_set.h"

/* Action at a contact point: the warm start of a solve, then its result. */
typedef struct contact_action {
    vec3s impulse;           /* N s on b, world axes; without the cohesive force */
    scalar push;             /* impulse of the position pass of `split` along the normal, N s on b */
    scalar bias, compliance; /* of the normal row as it was solved, without the bends of turning bodies */
} contact_action;

/* A manifold whose points are stored elsewhere: most have one point, few have all four. */
typedef struct contact_manifold {
    int a, b, children;
    signed int image : 29;
    unsigned count : 3;
    vec3s normal;
} contact_manifold;
_Static_assert((int)MANIFOLD_POINTS < 1 << 3, "count");
/* After detection, a body crosses the periodic boundary at most once, which changes the image by one cell. */
_Static_assert(2 * (PERIOD_CELLS_MOST + 1) < 1 << 8 && PERIOD_DIGIT == 1 << 10, "image");

static inline contact_manifold contact_manifold_of(const manifold *found) {
    return (contact_manifold){.a = found->a,
                              .b = found->b,
                              .children = found->children,
                              .image = found->image,
                              .count = (unsigned)found->count,
                              .normal = found->normal};
}

/* Cached data of a pair: its manifold, its points and their actions, its colour. */
typedef struct contact_pair {
    int first;            /* index of its first point among the set's places and actions */
    short last_colour;    /* colour in the step before; −1: none */
    signed char hits : 4; /* points whose impulse came from the cache */
    bool deferred : 1;    /* whether the impact of this step waits for the next one (deferred_impact.h) */
    /* Entry of a detection pass: the manifold at the predicted end of the step, its gaps linearised back to
     * the beginning (trial_contact.h). It follows the pair's first entry, if there is one. */
    bool predicted;
    contact_manifold manifold;
    /* Sum of the normal impulses between the bodies in the last step, N s; negative if they rebounded. */
    scalar load;
} contact_pair;
_Static_assert(sizeof(contact_pair) == 40, "every body has several");

/* Returns whether both have the same bodies and the same image of b. */
static inline bool contact_same_bodies(const contact_pair *one, const contact_pair *other) {
    return one->manifold.a == other->manifold.a && one->manifold.b == other->manifold.b &&
           one->manifold.image == other->manifold.image;
}

/* Returns the velocity along the normal that the load of a pair gave to the bodies' centres of mass in the
 * last step, m/s; negative if they rebounded. */
scalar contact_load_velocity(const body_array *bodies, const contact_pair *pair);

/* Cohesive impulses at the points of a pair, along the normal, in the step of its manifold: h F, N s on a. */
typedef struct pair_cohesion {
    scalar of_point[MANIFOLD_POINTS];
} pair_cohesion;

/* The touching pairs of a step, sorted by (a, b, image), with one entry for each two children that touch.
 * Pairs with count = 0 are left out; detection passes add further entries. */
typedef struct contact_set {
    /* Brings the contacts to the host, which has only their numbers; null: it has all (contacts_bring). */
    const struct contact_store *away;
    int count, capacity;
    int points; /* sum of the manifolds' counts */
    /* Number of the copy of pairs and places that a device has (contact_mirror.h); 0: none. Whoever changes
     * them clears it. Actions, torques and colours may differ from the copy's. */
    uint64_t copy;
    bool several; /* whether a pair may have several entries, for different children */
    contact_pair *pairs;
    int action_count, action_capacity, place_capacity; /* at least the number of points */
    manifold_point *places;                            /* of points; those of a pair are consecutive */
    contact_action *actions; /* in the order of `places`; null while nothing acts (contacts_append) */
    int torque_capacity, colour_capacity, cohesion_capacity;
    bool has_resistance;  /* whether a material has rolling or spinning friction; otherwise there are no
                             torques */
    vec3s *torques;       /* of that friction at points, N m s on b */
    signed char *colours; /* of each pair, set by the colouring */
    bool cohesive;        /* whether any pair is cohesive; otherwise there are no cohesive impulses */
    pair_cohesion *cohesive_impulses; /* of each pair, by cohesion */
} contact_set;

/* Fills a set whose contacts are on a device. */
typedef struct contact_store {
    scree_result (*bring)(void *context, contact_set *out);
    void *context;
} contact_store;

/* Brings the contacts of a set to the host, if they are away: the set is the same before and after. Functions
 * that read more than `count` and `points` need it. Errors: those of the source; the contacts stay away. */
static inline scree_result contacts_bring(const contact_set *set) {
    contact_set *self = (contact_set *)(uintptr_t)set;
    if (!self->away) return SCREE_OK;
    const contact_store *from = self->away;
    self->away = NULL;
    const scree_result result = from->bring(from->context, self);
    if (result != SCREE_OK) self->away = from;
    return result;
}

enum { SEARCH_CHUNKS = 64 }; /* pieces whose manifolds are held at a time, few enough for the cache */

/* Working memory of contacts_update, kept from step to step. */
typedef struct contact_search {
    narrow_phase narrow;
    manifold_list manifolds[SEARCH_CHUNKS]; /* of pieces of pairs that are tested together */
    skim_list skims_of[SEARCH_CHUNKS];      /* of the same pieces */
    skim_list skims;                        /* of all pairs, in their order */
} contact_search;

void contact_search_release(contact_search *search);

/* Computes in parallel the manifolds of the pairs that `pairs` has found, with points whose gap can close
 * within the step (gap ≤ margin + speculative margin + approach within h along the normal). Drops empty
 * manifolds. Copies impulses and last colours from `before`, the last step's set, matched by pair, image,
 * then feature; impulses of vanished features go to the nearest new point. Bodies that are gone pass on
 * nothing. Skimming contacts are in search->skims. On error `out` is empty and `before` unchanged. Errors:
 * MEMORY, CAPACITY (more than maximum_contacts points; 0: no limit), UNSUPPORTED (two bodies made of
 * triangles). */
scree_result contacts_update(contact_set *out, const contact_set *before, contact_search *search,
                             const body_array *bodies, const broadphase *pairs, scalar margin,
                             scalar time_step, int maximum_contacts, int threads, int *regrown);
/* Returns whether a set may have that many points. Errors: CAPACITY. */
scree_result contacts_check_points(int64_t points, int maximum_contacts);
/* Reserves pairs, places, actions and, with resistance, torques. Errors: MEMORY, CAPACITY. */
scree_result contacts_reserve(contact_set *set, int64_t pairs, int64_t points, int *regrown);
static inline void contacts_clear(contact_set *set) {
    set->count = set->points = set->action_count = 0;
    set->away = NULL;
    set->copy = 0;
    set->cohesive = set->several = set->has_resistance = false;
}
/* Allocates torques, zero if the set had none. Errors: MEMORY. */
scree_result contacts_turn(contact_set *set, int *regrown);
/* Appends a pair with its manifold. Nothing acts at its points. Errors: MEMORY. */
scree_result contacts_append(contact_set *set, contact_pair pair, const manifold *found, int *regrown);
/* Returns the index of the pair's first entry, or −1. */
int contacts_find(const contact_set *set, body_pair pair);
/* Returns whether the set has the pair with these children. */
bool contacts_have(const contact_set *set, body_pair pair, int children);
/* Inserts the pairs of `more`, each after the entries that `set` already has of that pair. Call before
 * colours are assigned. Nothing acts at the new points yet. Errors: MEMORY, CAPACITY as above; `set` is then
 * unchanged. */
scree_result contacts_add(contact_set *set, const contact_set *more, int maximum_contacts, int *regrown);
/* At the end of a step: limits the overlap of entries of detection passes to the overlap before the step. */
void contacts_settle(contact_set *set, int threads);
/* Returns whether a body of the pair was destroyed or replaced since the step that found the contact. Readers
 * skip such pairs; the next step drops them. */
bool contacts_are_gone(const body_array *bodies, const contact_pair *pair);
/* Returns the number of pairs that are not gone, and writes the number of their points. */
int contacts_living(const contact_set *set, const body_array *bodies, int *points);
/* Updates the contacts of bodies that have crossed the boundary of a periodic cell; crossed[slot]: the image
 * that the body has become. */
void contacts_cross(contact_set *set, const body_array *bodies, const int *crossed);
/* Multiplies impulses and cohesive impulses by `factor`, for the same forces in a time step `factor` times as
 * long. Divides impulses of the position pass by it, since the same displacement then takes less speed. */
void contacts_scale(contact_set *set, scalar factor);
void contacts_release(contact_set *set);

static inline contact_action *contact_actions(const contact_set *set, const contact_pair *pair) {
    return set->actions + pair->first;
}

static inline manifold_point *contact_places(const contact_set *set, const contact_pair *pair) {
    return set->places + pair->first;
}

/* Returns the torque on b at a point, N m s. */
static inline vec3s contact_torque(const contact_set *set, const contact_pair *pair, int point) {
    return set->has_resistance ? set->torques[pair->first + point] : glms_vec3_zero();
}

/* For an entry of a detection pass: returns the overlap before the step, m, ≥ 0, from the pair's first entry
 * with the same children. */
scalar contact_overlap_before(const contact_set *set, const contact_pair *predicted);
/* Returns the overlap at a point before the step, m, ≥ 0. */
static inline scalar contact_overlap(const contact_set *set, const contact_pair *pair, int point) {
    const scalar depth = scalar_max(-contact_places(set, pair)[point].gap, 0);
    return pair->predicted ? scalar_min(depth, contact_overlap_before(set, pair)) : depth;
}

/* Returns the impulse on b at a point of pair i in the step, cohesion included, N s. */
static inline vec3s contact_impulse(const contact_set *set, int i, int point) {
    const contact_pair *pair = &set->pairs[i];
    const scalar pull = set->cohesive ? set->cohesive_impulses[i].of_point[point] : 0;
    return impulse_pulled(set->actions[pair->first + point].impulse, pair->manifold.normal, pull);
}

/* Returns whether two bodies touch at entry i: a point has an impulse that is not zero, or a gap of at most 0
 * before the step. */
static inline bool contact_touches(const contact_set *set, int i) {
    const contact_pair *pair = &set->pairs[i];
    for (int k = 0; k < (int)pair->manifold.count; k++)
        if (point_touches(contact_places(set, pair)[k].gap, contact_impulse(set, i, k))) return true;
    return false;
}
