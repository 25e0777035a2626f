/* Entry points of shapes made of children (child_shapes.h): from pairs of bodies to items, each a pair of
 * bodies without children or a pair of children that are near each other, in the order of the host's search.
 * The items then take the place of the pairs in contacts.cl.
 *
 * Work-groups have any number of work-items, one on processors. */
#include "child_shapes.h"
#include "feature.h"
#include "match_entries.h"
#include "pair_filter.h"

/* -- Items ------------------------------------------------------------------------------ */

/* A pair whose children are visited; items are written from `at` on if there is a list. */
typedef struct item_output {
    int write;
    uint at, capacity;
    global int *a, *b, *images, *numbers;
} item_output;

SHARED void put_item(const item_output out, const uint k, const body_couple pair, const int number) {
    if (!out.write || out.at + k >= out.capacity) return;
    out.a[out.at + k] = pair.a, out.b[out.at + k] = pair.b;
    out.images[out.at + k] = pair.image, out.numbers[out.at + k] = number;
}

/* Visits the children of b near a child of a; returns their number. */
SHARED uint visit_second(const child_tables tables, const body_couple pair, const body_pose pose_a,
                         const body_pose pose_b, const int child, const float reach, const item_output out,
                         const uint before) {
    child_walk walk;
    uint found = 0;
    const int first = child * tables.bodies[pair.b].count;
    if (has_children(tables, pair.b)) {
        const placed_child of = child_place(tables, pair.a, pose_a, child);
        walk_begin(&walk, tables, pair.b, bounds_extended(child_box_in(tables, pose_b, of), reach));
    } else {
        walk_begin_whole(&walk);
    }
    for (int at = walk_next(&walk, tables); at >= 0; at = walk_next(&walk, tables))
        put_item(out, before + found++, pair, first + at);
    return found;
}

/* Visits the children of a pair; returns the number of items. */
SHARED uint visit_pair(const child_tables tables, const body_couple pair, const body_pose pose_a,
                       const body_pose pose_b, const float reach, const item_output out) {
    child_walk walk;
    uint found = 0;
    if (has_children(tables, pair.a))
        walk_begin(&walk, tables, pair.a,
                   bounds_extended(body_box(tables, pair.b, pose_in(pose_a, pose_b)), reach));
    else
        walk_begin_whole(&walk);
    for (int at = walk_next(&walk, tables); at >= 0; at = walk_next(&walk, tables))
        found += visit_second(tables, pair, pose_a, pose_b, at, reach, out, found);
    return found;
}

SHARED uint items_of(const child_tables tables, global const body_record *records,
                     global const body_pose *poses, const body_couple pair, const float margin, const float h,
                     const item_output out) {
    if (!has_children(tables, pair.a) && !has_children(tables, pair.b)) {
        put_item(out, 0, pair, 0);
        return 1;
    }
    body_pose pose_b = poses[pair.b];
    pose_b.position = couple_moved(pair, pose_b.position);
    return visit_pair(tables, pair, poses[pair.a], pose_b, encounter_of(records, pair, margin, h).reach, out);
}

#define ITEM_ARGUMENTS                                                                                       \
    global const body_record *records, PAIR_LISTS, global const uint *count, const uint count_at,            \
        const uint capacity, global const body_pose *poses, CHILD_TABLES, const float margin, const float h

/* Counts the items of each pair, and the pairs of two surfaces. */
kernel void children_count(ITEM_ARGUMENTS, global const uint2 *groups, const int filtered,
                           global const int2 *apart, const uint apart_count, global uint *numbers,
                           global uint *totals) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    const child_tables tables = CHILD_TABLES_HERE;
    item_output none;
    none.write = 0, none.at = none.capacity = 0, none.a = none.b = none.images = none.numbers = 0;
    FOR_RANGE(i, range) {
        const body_couple pair = PAIR_AT(i);
        const int held = is_held(groups, filtered, apart, apart_count, pair.a, pair.b),
                  clash = children[pair.a].surface && children[pair.b].surface;
        if (clash && !held) atomic_inc(&totals[CONTACTS_CLASHES]);
        numbers[i] = held || clash ? 0 : items_of(tables, records, poses, pair, margin, h, none);
    }
}

/* Writes the items; firsts: of each pair. A total of 2^32 or more, which the firsts cannot hold, becomes 2^32 − 1. */
kernel void children_emit(ITEM_ARGUMENTS, global const uint *numbers, global const uint *firsts,
                          const uint item_capacity, global int *item_a, global int *item_b,
                          global int *item_images, global int *item_numbers, global uint *totals) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    const child_tables tables = CHILD_TABLES_HERE;
    FOR_RANGE(i, range) {
        item_output out;
        out.write = 1, out.at = firsts[i], out.capacity = item_capacity;
        out.a = item_a, out.b = item_b, out.images = item_images, out.numbers = item_numbers;
        if (numbers[i] > 0) items_of(tables, records, poses, PAIR_AT(i), margin, h, out);
        if (firsts[i] + numbers[i] < firsts[i]) atomic_max(&totals[CONTACTS_ITEMS], 0xffffffffu);
    }
}

/* Sets the kinds of the items with children. */
kernel void children_kinds(PAIR_LISTS, global const uint *count, const uint count_at, const uint capacity,
                           CHILD_TABLES, global const int *item_numbers, global uint *kinds, global uint *left) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    const child_tables tables = CHILD_TABLES_HERE;
    FOR_RANGE(i, range) {
        const body_couple pair = PAIR_AT(i);
        if (!has_children(tables, pair.a) && !has_children(tables, pair.b)) continue;
        const child_numbers at = children_of(tables, pair.b, item_numbers[i]);
        kinds[i] = (uint)child_pair_kind(shape_of_child(tables, pair.a, at.a), shape_of_child(tables, pair.b, at.b));
        left[i] = 0;
    }
}

/* Writes the items list[k] whose contacts were dropped, each with its image and children. */
kernel void children_skims(global const int *pair_a, global const int *pair_b, global const int *images,
                           global const int *item_numbers, global const uint *list, global const uint *totals,
                           global int4 *skims) {
    const tile_range range = range_of_group(totals[CONTACTS_SKIMS], TILE_GROUP);
    FOR_RANGE(k, range) {
        const uint i = list[k];
        skims[k] = (int4)(pair_a[i], pair_b[i], images[i], item_numbers[i]);
    }
}

/* -- Matching --------------------------------------------------------------------------- */

SHARED int is_on_plane(const point_features of) {
    int any = 0;
    for (int k = 0; k < of.count; k++) any |= (of.at[k] & FEATURE_OF_PLANE) != 0;
    return any;
}

/* Returns whether two numbers of a pair of which one body is made of triangles encode the same child of the
 * other body. Its contact with a plane is then the same (FEATURE_OF_PLANE) on every triangle. */
SHARED int same_on_plane(const child_tables tables, const contact_head pair, const int number, const int other) {
    const child_numbers one = children_of(tables, pair.b, number), two = children_of(tables, pair.b, other);
    return tables.bodies[pair.a].surface ? one.b == two.b : one.a == two.a;
}

/* Takes what acted at features of a plane where other triangles of it were touched; returns the points that
 * have taken something. */
SHARED scalar_bits take_on_plane(const match_sets of, const child_tables tables, const contact_head now,
                                 const old_entries old, const int number) {
    const point_features own = features_at(of.features, now);
    scalar_bits taken = 0;
    if (!is_on_plane(own)) return 0;
    for (uint i = old.first; i < old.end; i++) {
        const int before = of.old_tags[i].children;
        if (before != number && same_on_plane(tables, now, before, number))
            taken |= take_features(of, now, own, i, FEATURE_OF_PLANE);
    }
    return taken;
}

/* Does what contacts_match does, for entries list[m] with children. */
kernel void children_match(MATCH_ARGUMENTS, CHILD_TABLES, global const uint *list,
                           global const int *item_numbers) {
    const tile_range range = range_of_group(MATCH_COUNT, TILE_GROUP);
    const child_tables tables = CHILD_TABLES_HERE;
    const match_sets of = MATCH_SETS;
    FOR_RANGE(m, range) {
        const contact_head now = heads[m];
        const int number = item_numbers[list[m]];
        const old_entries old = entries_before(of, now, any_gone && (gone[now.a] | gone[now.b]));
        clear_actions(of, now);
        match_entry(of, m, old, number, take_on_plane(of, tables, now, old, number));
    }
}

/* -- Surfaces --------------------------------------------------------------------------- */

/* The items of a pair of bodies, whose points are in slots. */
typedef struct item_list {
    global const int *numbers;
    global const uint *places;
    global uint *counts;
    global float4 *slots;
    uint slot_capacity;
    int divisor, count; /* numbers / divisor modulo `count` is the child of the other body */
} item_list;

SHARED int flat_count(const item_list of, const int i) {
    return of.counts[i] > 0 && of.places[i] < of.slot_capacity ? (int)of.counts[i] : 0;
}

SHARED global float4 *slot_at(const item_list of, const int i) {
    return of.slots + CONTACT_SLOT_WORDS * (ulong)of.places[i];
}

SHARED vec3s flat_normal(const item_list of, const int i) { return xyz(slot_at(of, i)[0]); }

SHARED manifold_point flat_point(const item_list of, const int i, const int p) {
    global const float4 *slot = slot_at(of, i);
    return manifold_point_of(xyz(slot[1 + p]), slot[1 + p].w, ((global const uint *)(slot + 5))[p]);
}

SHARED int flat_child(const item_list of, const int i) { return of.numbers[i] / of.divisor % of.count; }

SHARED void flat_keep(const item_list of, const int i, const int kept) {
    global float4 *slot = slot_at(of, i);
    global uint *features = (global uint *)(slot + 5);
    uint count = 0;
    for (uint p = 0; p < of.counts[i]; p++)
        if (kept >> p & 1) slot[1 + count] = slot[1 + p], features[count++] = features[p];
    of.counts[i] = count;
}

#define FLAT_LIST item_list
#include "flat_patch.h"

/* Returns whether a body may touch a plane at more than one point. */
SHARED int has_flats(const child_tables tables, const int slot) {
    const int geometry = tables.bodies[slot].geometry;
    return geometry < 0 ? tables.shapes[slot].kind != SHAPE_SPHERE : tables.geometries[geometry].kind != SHAPE_CLUMP;
}

/* Thins the points of each pair with a surface. */
kernel void children_thin(global const body_record *records, PAIR_LISTS, global const uint *count,
                          const uint count_at, const uint capacity, CHILD_TABLES, global const uint *item_counts,
                          global const uint *item_firsts, const uint item_capacity, global const int *item_numbers,
                          const uint slot_capacity, global float4 *slots, global const uint *places,
                          global uint *counts) {
    const tile_range range = range_of_group(min(count[count_at], capacity), TILE_GROUP);
    const child_tables tables = CHILD_TABLES_HERE;
    FOR_RANGE(i, range) {
        const int a = pair_a[i], b = pair_b[i], of_a = children[a].surface;
        if (!of_a && !children[b].surface) continue;
        item_list items;
        items.numbers = item_numbers, items.places = places, items.counts = counts;
        items.slots = slots, items.slot_capacity = slot_capacity;
        items.divisor = of_a ? 1 : children[b].count, items.count = children[of_a ? b : a].count;
        flat_touch by;
        by.first = (int)min(item_firsts[i], item_capacity);
        by.end = (int)min(item_firsts[i] + item_counts[i], item_capacity);
        by.side = of_a ? 1 : -1, by.width = scalar_min(records[a].half_width, records[b].half_width);
        flat_drop_twins(items, by);
        if (has_flats(tables, of_a ? b : a)) flat_thin(items, by);
    }
}
