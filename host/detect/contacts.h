/* All manifolds of a step, and the cache that carries impulses and colours from step to step by (pair,
 * feature). */
#ifndef SCREE_DETECT_CONTACTS_H
#define SCREE_DETECT_CONTACTS_H

#include "broadphase.h"
#include "manifold.h"
#include "narrow_phase.h"

/* What acts at a point: where a solve starts from, and what it came to. */
typedef struct contact_action {
    vec3s impulse;           /* N s on b, world axes; without the pull */
    scalar push;             /* of the position pass of `split`, along the normal, N s on b */
    scalar bias, compliance; /* of the normal row as it was solved */
} contact_action;

/* A manifold whose points lie elsewhere: most have one, and few the four that there is room for in it. */
typedef struct contact_manifold {
    int a, b, part;
    signed int image : 29;
    unsigned count : 3;
    vec3s normal;
} contact_manifold;
_Static_assert((int)MANIFOLD_POINTS < 1 << 3, "count");
/* Bodies that touch are one crossing of the border nearer to each other, or farther, than when they met. */
_Static_assert(2 * (PERIOD_CELLS_MOST + 1) < 1 << 8 && PERIOD_DIGIT == 1 << 10, "image");

static inline contact_manifold contact_manifold_of(const manifold *found) {
    return (contact_manifold){.a = found->a,
                              .b = found->b,
                              .part = found->part,
                              .image = found->image,
                              .count = (unsigned)found->count,
                              .normal = found->normal};
}

/* What is remembered of a pair: its manifold, where its points are and what acts there, and its colour. */
typedef struct contact_pair {
    int first;         /* of its points, among the set's places and actions */
    short last_colour; /* in the step before; −1: none */
    signed char hits;  /* points whose impulse came from the cache */
    /* Another one of the pair before, if there is one: its manifold is that of the end of the step, as a
     * solve foresaw it, with gaps led back to the beginning (foresight.h). */
    bool predicted;
    contact_manifold manifold;
} contact_pair;
_Static_assert(sizeof(contact_pair) == 36, "there are several a body");

/* At the same image of the second one. */
static inline bool contact_same_bodies(const contact_pair *one, const contact_pair *other) {
    return one->manifold.a == other->manifold.a && one->manifold.b == other->manifold.b &&
           one->manifold.image == other->manifold.image;
}

/* Cohesion's pull at the points of a pair, along the normal, in the step of its manifold: h F, N s on a. */
typedef struct pair_cohesion {
    scalar of_point[MANIFOLD_POINTS];
} pair_cohesion;

/* The touching pairs of a step, sorted by (a, b, image), once for each of their parts that touch; count = 0
 * pairs are left out, foreseen ones come again. */
typedef struct contact_set {
    int count, capacity;
    int points; /* sum of the manifolds' counts */
    bool parts; /* whether a pair may come several times, for the parts that touch */
    contact_pair *pairs;
    int action_count, action_capacity, place_capacity; /* no fewer than there are points */
    manifold_point *places;                            /* of points, those of a pair one after the other */
    contact_action *actions; /* likewise; null in a set that nothing acts in yet (contacts_append) */
    int torque_capacity, colour_capacity, cohesion_capacity;
    bool turned;          /* whether some materials have rolling or spinning friction; without it there are no
                             torques */
    vec3s *torques;       /* of it at points, N m s on b */
    signed char *colours; /* of each pair, by the colouring */
    bool cohesive;        /* whether any pair is cohesive; without it there are no pulls */
    pair_cohesion *cohesive_impulses; /* of each pair, by cohesion */
} contact_set;

enum { SEARCH_CHUNKS = 64 };

/* What contacts_update works in, kept from step to step. */
typedef struct contact_search {
    narrow_phase narrow;
    manifold_list manifolds[SEARCH_CHUNKS]; /* of pieces of the pairs that are looked at together */
    skim_list skims_of[SEARCH_CHUNKS];      /* the same */
    skim_list skims;                        /* of all pairs, in their order */
} contact_search;

void contact_search_release(contact_search *search);

/* Computes manifolds of the pairs that `pairs` has found in parallel, with points whose gap can close within
 * the step (gap ≤ margin + approach within h along the normal), drops the empty ones and fills impulses and
 * last colours from `before` (the last step's set; matched by pair, image, then feature; of features that are
 * gone by place) but for bodies that are gone. What passes by each other is in search->grazes. On error `out`
 * is empty and `before` as it was. Errors: MEMORY, CAPACITY (more than maximum_contacts points; 0: no limit).
 */
scree_result contacts_update(contact_set *out, const contact_set *before, contact_search *search,
                             const body_array *bodies, const broadphase *pairs, scalar margin,
                             scalar time_step, int maximum_contacts, int threads, int *regrown);
/* Takes everything out of a set. */
static inline void contacts_clear(contact_set *set) {
    set->count = set->points = set->action_count = 0;
    set->cohesive = set->parts = set->turned = false;
}
/* Makes room for torques, which are zero where there were none. Errors: MEMORY. */
scree_result contacts_turn(contact_set *set, int *regrown);
/* Appends a pair with its manifold, at whose points nothing acts. Errors: MEMORY. */
scree_result contacts_append(contact_set *set, contact_pair pair, const manifold *found, int *regrown);
/* The pair's first index, or −1. */
int contacts_find(const contact_set *set, body_pair pair);
/* Whether a pair is there with these parts. */
bool contacts_have(const contact_set *set, body_pair pair, int part);
/* Takes in pairs that it does not have, or again those that it has, which come after them; before colours are
 * given. Nothing acts at their points yet. Errors: MEMORY, CAPACITY as above; `set` is
 * then as it was. */
scree_result contacts_add(contact_set *set, const contact_set *more, int maximum_contacts, int *regrown);
/* At the end of a step: gaps of foreseen contacts say no more overlap than there was. */
void contacts_settle(contact_set *set, int threads);
/* Forgets everything that touches a body whose slot is marked in `gone`: O(all contacts). */
void contacts_forget(contact_set *set, const uint8_t *gone);
/* Lets the contacts of bodies that have crossed the border of a periodic cell follow them; `crossed`: the
 * image that each slot has become. */
void contacts_cross(contact_set *set, const body_array *bodies, const int *crossed);
/* Impulses and pulls times `factor`: what the same forces do in a step that is so many times as long. Pushes
 * are divided by it: the same way takes so much less speed. */
void contacts_scale(contact_set *set, scalar factor);
void contacts_release(contact_set *set);

/* What acts at the points of a pair of the set. */
static inline contact_action *contact_actions(const contact_set *set, const contact_pair *pair) {
    return set->actions + pair->first;
}

/* Where they are. */
static inline manifold_point *contact_places(const contact_set *set, const contact_pair *pair) {
    return set->places + pair->first;
}

/* The torque on b at a point. */
static inline vec3s contact_torque(const contact_set *set, const contact_pair *pair, int point) {
    return set->turned ? set->torques[pair->first + point] : glms_vec3_zero();
}

/* By how much the bodies of a foreseen pair overlapped before the step, m, ≥ 0: what the pair says that it is
 * another one of. */
scalar contact_overlap_before(const contact_set *set, const contact_pair *predicted);
/* The overlap at a point before the step, m, ≥ 0. */
static inline scalar contact_overlap(const contact_set *set, const contact_pair *pair, int point) {
    const scalar depth = scalar_max(-contact_places(set, pair)[point].gap, 0);
    return pair->predicted ? scalar_min(depth, contact_overlap_before(set, pair)) : depth;
}

/* What the contact at a point of pair i did to b in the step, the pull of cohesion included, N s. */
static inline vec3s contact_impulse(const contact_set *set, int i, int point) {
    const contact_pair *pair = &set->pairs[i];
    const scalar pull = set->cohesive ? set->cohesive_impulses[i].of_point[point] : 0;
    const vec3s impulse = set->actions[pair->first + point].impulse;
    if (!(pull > 0)) return impulse;
    return glms_vec3_sub(impulse, glms_vec3_scale(pair->manifold.normal, pull));
}

#endif
