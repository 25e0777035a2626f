/* Entries of a step's contacts matched with those of the last step, on a device. */
#ifndef SCREE_KERNELS_MATCH_ENTRIES_H
#define SCREE_KERNELS_MATCH_ENTRIES_H

#include "contact_match.h"
#include "contact_pairs.h"

#ifdef __OPENCL_VERSION__

/* Compares entries by (a, b, image). */
SHARED int is_before(const contact_head one, const contact_head other) {
    if (one.a != other.a) return one.a < other.a;
    if (one.b != other.b) return one.b < other.b;
    return head_image(one) < head_image(other);
}

SHARED int is_same(const contact_head one, const contact_head other) {
    return one.a == other.a && one.b == other.b && head_image(one) == head_image(other);
}

/* Returns the first of n sorted entries that is not before `of`. */
SHARED uint entry_of(global const contact_head *heads, const uint n, const contact_head of) {
    uint low = 0, high = n;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (is_before(heads[middle], of))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

SHARED point_features features_at(global const uint *features, const contact_head head) {
    point_features out;
    out.count = head_count(head);
    for (int k = 0; k < MANIFOLD_POINTS; k++) out.at[k] = k < out.count ? features[head.first + k] : 0;
    return out;
}

SHARED point_places places_at(global const float4 *places, const contact_head head) {
    point_places out;
    for (int k = 0; k < MANIFOLD_POINTS; k++)
        out.at[k] = k < head_count(head) ? xyz(places[head.first + k]) : glms_vec3_zero();
    return out;
}

SHARED contact_load load_with(contact_load load, global const float4 *impulses,
                              global const contact_row *rows, const contact_head head) {
    for (int k = 0; k < head_count(head); k++)
        load = contact_load_with(load, xyz(impulses[head.first + k]), head.normal, rows[head.first + k].bias);
    return load;
}

/* Returns an impulse and push without the cohesive impulse along the normal. */
SHARED float4 without_pull(float4 action, const vec3s normal, const float pull) {
    if (!(pull > 0)) return action;
    const vec3s impulse = glms_vec3_sub(xyz(action), glms_vec3_scale(normal, pull));
    action.x = impulse.x, action.y = impulse.y, action.z = impulse.z;
    return action;
}

/* The entries of a step, and those of the last one, which are not written. */
typedef struct match_sets {
    global contact_head *heads;
    global contact_tag *tags;
    global const float4 *places;
    global const uint *features;
    global float4 *impulses;
    global contact_row *rows;
    global float4 *torques;
    int resists;
    global const contact_head *old_heads;
    global const contact_tag *old_tags;
    global const float4 *old_places;
    global const uint *old_features;
    global const float4 *old_impulses;
    global const contact_row *old_rows;
    global const float4 *old_torques;
    global const char *old_colours;
    global const float *old_pulls; /* cohesive impulses, not read unless `pulls` */
    int pulls;
    uint old_count;
} match_sets;

#define MATCH_ARGUMENTS                                                                                      \
    global contact_head *heads, global contact_tag *tags, global const float4 *places,                       \
        global const uint *features, global const uint *totals, const uint pair_capacity,                    \
        const uint point_capacity, const uint slot_capacity, global float4 *impulses,                        \
        global contact_row *rows, global float4 *torques, const int resists,                                 \
        global const contact_head *old_heads, global const contact_tag *old_tags,                            \
        global const float4 *old_places, global const uint *old_features, global const uint *old_totals,     \
        global const float4 *old_impulses, global const contact_row *old_rows,                               \
        global const float4 *old_torques, global const char *old_colours, global const float *old_pulls,     \
        const int pulls, global const uchar *gone, const int any_gone
#define MATCH_SETS                                                                                           \
    {                                                                                                        \
        heads, tags, places, features, impulses, rows, torques, resists, old_heads, old_tags, old_places,    \
            old_features, old_impulses, old_rows, old_torques, old_colours, old_pulls, pulls,                \
            old_totals[CONTACTS_PAIRS]                                                                       \
    }
/* Number of entries, or 0 if an entry or a point does not fit. */
#define MATCH_COUNT                                                                                          \
    (totals[CONTACTS_PAIRS] <= pair_capacity && totals[CONTACTS_POINTS] <= point_capacity &&                 \
             totals[CONTACTS_SLOTS] <= slot_capacity                                                         \
         ? totals[CONTACTS_PAIRS]                                                                            \
         : 0)

/* Copies what acted at the sources of an entry's points from old entry i. */
SHARED void take_sources(const match_sets of, const scalar_bits sources, const contact_head now,
                         const uint i) {
    const contact_head old = of.old_heads[i];
    global const float *pulls = of.old_pulls + MANIFOLD_POINTS * (ulong)i;
    for (int k = 0; k < head_count(now); k++) {
        const int from = match_source(sources, k);
        if (from < 0) continue;
        of.impulses[now.first + k] =
            without_pull(of.old_impulses[old.first + from], old.normal, of.pulls ? pulls[from] : 0);
        of.rows[now.first + k] = of.old_rows[old.first + from];
        if (of.resists) of.torques[now.first + k] = of.old_torques[old.first + from];
    }
}

SHARED void clear_actions(const match_sets of, const contact_head now) {
    contact_row none;
    none.bias = none.compliance = 0;
    for (int i = 0; i < head_count(now); i++) {
        of.impulses[now.first + i] = (float4)(0), of.rows[now.first + i] = none;
        if (of.resists) of.torques[now.first + i] = (float4)(0);
    }
}

/* The old entries of a pair of bodies. */
typedef struct old_entries {
    uint first, end;
} old_entries;

/* Returns those of an entry's bodies, none if `gone`. */
SHARED old_entries entries_before(const match_sets of, const contact_head now, const int gone) {
    old_entries out;
    out.first = out.end = gone ? of.old_count : entry_of(of.old_heads, of.old_count, now);
    while (out.end < of.old_count && is_same(of.old_heads[out.end], now)) out.end++;
    return out;
}

/* Takes what acted at equal features that have the bits of `kind` in old entry i; returns the sources. */
SHARED scalar_bits take_features(const match_sets of, const contact_head now, const point_features own,
                                 const uint i, const scalar_bits kind) {
    const scalar_bits sources = match_features(own, features_at(of.old_features, of.old_heads[i]), kind);
    take_sources(of, sources, now, i);
    return sources;
}

/* Gives entry m what acted at its points in the last step without cohesion, for the same `children`, its load
 * and its colour. `taken`: points that have taken something already. */
SHARED void match_entry(const match_sets of, const uint m, const old_entries old, const int children,
                        scalar_bits taken) {
    const contact_head now = of.heads[m];
    const point_features own = features_at(of.features, now);
    contact_load load = contact_load_none();
    contact_tag tag;
    uint first_own = old.end;
    tag.children = children, tag.bits = tag_bits(-1, 0);
    for (uint i = old.first; i < old.end; i++) {
        load = load_with(load, of.old_impulses, of.old_rows, of.old_heads[i]);
        if (of.old_tags[i].children != children) continue;
        if (first_own == old.end) first_own = i;
        taken |= take_features(of, now, own, i, 0);
    }
    for (uint i = first_own; i < old.end && match_count(taken) < own.count; i++) {
        const contact_tag old_tag = of.old_tags[i];
        if (old_tag.children != children || old_tag.bits & TAG_PREDICTED) continue;
        const contact_head from = of.old_heads[i];
        const scalar_bits sources =
            match_nearest(own, places_at(of.places, now), features_at(of.old_features, from),
                          places_at(of.old_places, from), taken);
        take_sources(of, sources, now, i);
        taken |= sources;
    }
    if (old.end > old.first) {
        tag.bits = tag_bits(of.old_colours[old.first], match_count(taken));
        of.heads[m].load = contact_load_value(load);
    }
    of.tags[m] = tag;
}

#endif

#endif
