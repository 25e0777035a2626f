/* All manifolds of a step, and the cache that carries impulses and colours from step to step by (pair,
 * feature). */
#ifndef SCREE_COLLIDE_CONTACTS_H
#define SCREE_COLLIDE_CONTACTS_H

#include "broadphase.h"
#include "manifold.h"

/* What is remembered of a pair: its manifold, world impulses of its points (N s, on b) and its colour. */
typedef struct contact_pair {
    manifold shape;
    vec3s impulses[MANIFOLD_POINTS]; /* start impulses in, solution out; world axes; without the pull */
    int colour;                      /* −1: none yet */
    int hits;                        /* points whose impulse came from the cache */
    /* Of rolling and spinning friction, likewise, N m s on b; as the last problem that had any left it. */
    vec3s torques[MANIFOLD_POINTS];
    scalar pulls[MANIFOLD_POINTS]; /* of cohesion along the normal in the step of the manifold, N s on a */
} contact_pair;

/* The touching pairs of a step, sorted by (a, b); count = 0 pairs are left out. */
typedef struct contact_set {
    int count, capacity;
    int points; /* sum of the manifolds' counts */
    contact_pair *pairs;
} contact_set;

/* Computes manifolds of `pairs` in parallel, with points whose gap can close within the step (gap ≤ margin +
 * approach within h along the normal), drops the empty ones and fills impulses and colours from `before` (the
 * last step's set; matched by pair, then feature). On error `out` is empty and `before` as it was. Errors:
 * MEMORY, CAPACITY (more than maximum_contacts points; 0: no limit). */
scree_result contacts_update(contact_set *out, const contact_set *before, const body_array *bodies,
                             const body_pair *pairs, int pair_count, scalar margin, scalar time_step,
                             int maximum_contacts, int threads, int *regrown);
/* Forgets everything that touches `slot` (a destroyed or changed body). */
void contacts_forget(contact_set *set, int slot);
void contacts_release(contact_set *set);

/* What a point's contact did to b in the step, the pull of cohesion included, N s. */
static inline vec3s contact_impulse(const contact_pair *pair, int point) {
    const vec3s pull = glms_vec3_scale(pair->shape.normal, pair->pulls[point]);
    return pair->pulls[point] > 0 ? glms_vec3_sub(pair->impulses[point], pull) : pair->impulses[point];
}

#endif
