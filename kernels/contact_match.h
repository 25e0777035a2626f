/* Points of a pair matched with those of the last step, which pass on what acted there. */
#ifndef SCREE_KERNELS_CONTACT_MATCH_H
#define SCREE_KERNELS_CONTACT_MATCH_H

#include "manifold_points.h"

/* The features of a pair's points. */
typedef struct point_features {
    int count;
    scalar_bits at[MANIFOLD_POINTS];
} point_features;

typedef struct point_places {
    vec3s at[MANIFOLD_POINTS];
} point_places;

/* For each point, in MATCH_BITS bits: 1 + the number of the old point whose action it takes; 0: none. */
enum { MATCH_BITS = 4, MATCH_MASK = 15 };
STATIC_ASSERT((int)MANIFOLD_POINTS < MATCH_MASK && MANIFOLD_POINTS * MATCH_BITS <= 32, "sources");

SHARED int match_source(scalar_bits sources, int i) {
    return (int)(sources >> MATCH_BITS * i & MATCH_MASK) - 1;
}

SHARED scalar_bits match_put(scalar_bits sources, int i, int k) {
    const scalar_bits at = (scalar_bits)MATCH_BITS * (scalar_bits)i;
    return (sources & ~((scalar_bits)MATCH_MASK << at)) | (scalar_bits)(k + 1) << at;
}

/* Returns the number of points that have a source. */
SHARED int match_count(scalar_bits sources) {
    int count = 0;
    for (int i = 0; i < MANIFOLD_POINTS; i++) count += match_source(sources, i) >= 0;
    return count;
}

/* Returns the first place of a feature, or −1. */
SHARED int match_place(point_features of, scalar_bits feature) {
    int place = -1;
    for (int k = MANIFOLD_POINTS - 1; k >= 0; k--)
        if (k < of.count && of.at[k] == feature) place = k;
    return place;
}

/* Returns the old points with the features of the new ones; a feature must have the bits of `kind`. */
SHARED scalar_bits match_features(point_features now, point_features old, scalar_bits kind) {
    scalar_bits sources = 0;
    for (int i = 0; i < MANIFOLD_POINTS; i++)
        if (i < now.count && (now.at[i] & kind) == kind)
            sources = match_put(sources, i, match_place(old, now.at[i]));
    return sources;
}

/* Returns the nearest new points, one to one, for the old points whose features vanished. `taken` has the
 * sources of those that have an action already, and gets none of these. Where two faces lie on each other,
 * four of the eight corners are points, and the choice changes while the faces tremble. If a corner that
 * carried a pile lost its impulse, the load would be thrown at 0.3 m/s before the solve restores it. */
SHARED scalar_bits match_nearest(point_features now, point_places at, point_features old, point_places at_old,
                                 scalar_bits taken) {
    scalar_bits sources = 0;
    int left = 0;
    for (int k = 0; k < MANIFOLD_POINTS; k++)
        if (k < old.count && match_place(now, old.at[k]) < 0) left |= 1 << k;
    for (int round = 0; round < MANIFOLD_POINTS && left; round++) {
        int to = -1, from = -1;
        scalar nearest = INFINITY;
        for (int i = 0; i < MANIFOLD_POINTS; i++)
            for (int k = 0; k < MANIFOLD_POINTS; k++) {
                if (i >= now.count || !(left >> k & 1) || match_source(taken | sources, i) >= 0) continue;
                const scalar square = glms_vec3_norm2(glms_vec3_sub(at.at[i], at_old.at[k]));
                if (square < nearest) nearest = square, to = i, from = k;
            }
        if (to < 0) return sources;
        sources = match_put(sources, to, from), left &= ~(1 << from);
    }
    return sources;
}

/* Sum of the normal impulses between two bodies, N s, and whether they rebounded. */
typedef struct contact_load {
    scalar sum;
    int rebounds;
} contact_load;

SHARED contact_load contact_load_none(void) {
    contact_load out;
    out.sum = 0, out.rebounds = 0;
    return out;
}

/* Adds the impulse at a point with a normal; `bias`: that of its row. */
SHARED contact_load contact_load_with(contact_load load, vec3s impulse, vec3s normal, scalar bias) {
    const scalar along = glms_vec3_dot(impulse, normal);
    load.sum += scalar_max(along, 0);
    load.rebounds |= along > 0 && bias < 0;
    return load;
}

/* Returns the sum; negative if the bodies rebounded. */
SHARED scalar contact_load_value(contact_load load) { return load.rebounds ? -load.sum : load.sum; }

#endif
