/* Entry points of deferred impacts (host/rows/deferred_impact.c): the rebounds of the step, their sums for each
 * body in the order of the contacts, and the marks of contacts that they close.
 *
 * Entries with a rebound are listed in their order, and a stable sort lists them by their second body. The rebounds
 * of a body are those of entries with it as second body, whose first bodies are lower, then those with it as first
 * body. Arms are those of the blocks. Work-groups have any number of work-items, one on processors. */
#include "driven_impact.h"
#include "listed_entries.h"
#include "row_gather.h"

/* Words: entries with a rebound; entries marked. */
enum { IMPACTS_LISTED, IMPACTS_MARKED, IMPACTS_WORDS };

#define CONTACTS                                                                                             \
    global const contact_head *heads, global const float4 *impulses, global const contact_row *rows
#define BLOCKS                                                                                               \
    global const row_body *constants, global const row_material *materials, const int material_count,        \
        global const int *firsts, global const constraint_block *blocks
#define BODIES                                                                                               \
    global const body_pose *poses, global const body_mass *masses, global const body_velocity *velocities

/* Arrays from which points are read. */
typedef struct impact_source {
    global const contact_head *heads;
    global const float4 *impulses;
    global const contact_row *rows;
    global const row_body *constants;
    global const row_material *materials;
    int material_count;
    global const int *firsts;
    global const constraint_block *blocks;
    global const body_pose *poses;
    global const body_mass *masses;
    global const body_velocity *velocities;
} impact_source;
#define IMPACT_SOURCE                                                                                        \
    {                                                                                                        \
        heads, impulses, rows, constants, materials, material_count, firsts, blocks, poses,      \
            masses, velocities                                                                               \
    }

/* An entry, its first block, and the distance of its points' blocks. */
typedef struct impact_entry {
    contact_head head;
    row_material material;
    int block, stride;
} impact_entry;

SHARED impact_entry entry_at(const impact_source of, const uint i) {
    impact_entry out;
    out.head = of.heads[i];
    out.material = of.materials[row_material_of(of.constants[out.head.a]) * of.material_count +
                                row_material_of(of.constants[out.head.b])];
    out.block = of.firsts[i];
    out.stride = row_resists(out.material) ? 2 : 1;
    return out;
}

SHARED impact_point point_at(const impact_source of, const impact_entry entry, const int k) {
    const constraint_block block = of.blocks[entry.block + k * entry.stride];
    impact_point out;
    out.normal = entry.head.normal, out.arm_a = block.arm_a, out.arm_b = block.arm_b;
    out.impulse = xyz(of.impulses[entry.head.first + k]);
    out.bias = of.rows[entry.head.first + k].bias;
    return out;
}

SHARED impact_bodies bodies_of(const impact_source of, const contact_head head) {
    impact_bodies out;
    out.a = mobility_of(of.poses[head.a], of.masses[head.a]);
    out.b = mobility_of(of.poses[head.b], of.masses[head.b]);
    out.before.a = of.velocities[head.a], out.before.b = of.velocities[head.b];
    return out;
}

/* Returns the velocities with the rebounds of an entry, times `sign`. */
SHARED impact_velocities with_rebounds(const impact_source of, const impact_entry entry,
                                       const impact_bodies bodies, const scalar sign, impact_velocities v) {
    for (int k = 0; k < head_count(entry.head); k++) {
        const impact_point at = point_at(of, entry, k);
        if (!impact_rebounds(at)) continue;
        const vec3s impulse = glms_vec3_scale(impact_rebound(at, bodies), sign);
        v.a = impact_struck(v.a, bodies.a, at.arm_a, glms_vec3_negate(impulse));
        v.b = impact_struck(v.b, bodies.b, at.arm_b, impulse);
    }
    return v;
}

/* Flags the entries with a rebound; clears the words. */
kernel void impacts_find(CONTACTS, global const uint *totals, const uint capacity, global uint *flags,
                         global uint *words) {
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], capacity), TILE_GROUP);
    if (get_global_id(0) == 0) words[IMPACTS_LISTED] = words[IMPACTS_MARKED] = 0;
    FOR_RANGE(i, range) {
        const contact_head head = heads[i];
        uint some = 0;
        for (int k = head.first; k < head.first + head_count(head); k++) {
            impact_point at;
            at.normal = head.normal, at.impulse = xyz(impulses[k]), at.bias = rows[k].bias;
            some |= (uint)impact_rebounds(at);
        }
        flags[i] = some;
    }
}

/* Writes the second bodies of the listed entries, to be sorted, with the entries. */
kernel void impacts_ends(global const contact_head *heads, global const uint *list, global const uint *words,
                         const uint capacity, global uint *keys, global uint *values) {
    const tile_range range = range_of_group(min(words[IMPACTS_LISTED], capacity), TILE_GROUP);
    FOR_RANGE(k, range) keys[k] = (uint)heads[list[k]].b, values[k] = list[k];
}

SHARED body_velocity no_velocity(void) {
    body_velocity out;
    out.linear = out.angular = glms_vec3_zero(), out.reserved = out.reserved_angular = 0;
    return out;
}

/* Writes the velocity that the rebounds of the step have given to each body. */
kernel void impacts_sum(CONTACTS, BLOCKS, BODIES, const uint slots, global const uint *list,
                        global const uint *words, const uint capacity, global const uint *keys,
                        global const uint *values, global body_velocity *struck) {
    const impact_source of = IMPACT_SOURCE;
    const uint listed = min(words[IMPACTS_LISTED], capacity);
    const tile_range range = range_of_group(slots, TILE_GROUP);
    FOR_RANGE(slot, range) {
        impact_velocities v;
        v.a = v.b = no_velocity();
        if (listed > 0 && masses[slot].mass > 0) {
            for (uint k = lower_bound(keys, 0, listed, slot); k < listed && keys[k] == slot; k++) {
                const impact_entry entry = entry_at(of, values[k]);
                if (entry.head.a != (int)slot)
                    v.b = with_rebounds(of, entry, bodies_of(of, entry.head), 1, v).b; /* an image of its own does not bounce */
            }
            v.a = v.b;
            for (uint k = listed_below(heads, list, listed, slot); k < listed; k++) {
                const impact_entry entry = entry_at(of, list[k]);
                if (entry.head.a != (int)slot) break;
                v.a = with_rebounds(of, entry, bodies_of(of, entry.head), 1, v).a;
            }
        }
        struck[slot] = v.a;
    }
}

/* Marks the entries that the rebounds of other pairs close, and raises the bias of their rows. */
kernel void impacts_mark(global const contact_head *heads, global const float4 *impulses, global contact_row *rows,
                         BLOCKS, BODIES, global contact_tag *tags, global const uint *totals,
                         const uint capacity, const scalar restitution_speed,
                         global const body_velocity *struck, global uint *words) {
    const impact_source of = IMPACT_SOURCE;
    local uint marked;
    const tile_range range = range_of_group(words[IMPACTS_LISTED] > 0 ? min(totals[CONTACTS_PAIRS], capacity) : 0,
                                            TILE_GROUP);
    if (get_local_id(0) == 0) marked = 0;
    LOCAL_BARRIER;
    FOR_RANGE(i, range) {
        const contact_tag tag = tags[i];
        if (tag.bits & TAG_DEFERRED) continue;
        const impact_entry entry = entry_at(of, i);
        const contact_head head = entry.head;
        if (!(entry.material.restitution > 0)) continue;
        const impact_bodies bodies = bodies_of(of, head);
        const scalar least =
            restitution_speed +
            scalar_abs(load_velocity_of(head.load, masses[head.a].mass, masses[head.b].mass));
        impact_velocities all;
        all.a = struck[head.a], all.b = struck[head.b];
        const impact_velocities others = with_rebounds(of, entry, bodies, -1, all);
        int waits = 0;
        for (int k = 0; k < head_count(head); k++) {
            const impact_wait wait = impact_deferred(point_at(of, entry, k), bodies.before, all, others, least);
            if (!wait.waits) continue;
            rows[head.first + k].bias = wait.bias;
            waits = 1;
        }
        if (!waits) continue;
        tags[i].bits = tag.bits | TAG_DEFERRED;
        atomic_inc(&marked);
    }
    LOCAL_BARRIER;
    if (get_local_id(0) == 0 && marked > 0) atomic_add(&words[IMPACTS_MARKED], marked);
}
