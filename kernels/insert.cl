/* Entry points that insert the contacts of a detection pass into those of a step, that limit their overlaps at
 * the end of the step, and that move them over a periodic boundary: contacts_add, contacts_settle and contacts_cross
 * (host/detect/contacts.h).
 *
 * Work-groups have any number of work-items, one on processors. */
#include "contact_set.h"
#include "periodic_image.h"
#include "tiles.h"

SHARED int is_before(const contact_head one, const contact_head other) {
    if (one.a != other.a) return one.a < other.a;
    if (one.b != other.b) return one.b < other.b;
    return head_image(one) < head_image(other);
}

SHARED int has_same_bodies(const contact_head one, const contact_head other) {
    return one.a == other.a && one.b == other.b && head_image(one) == head_image(other);
}

/* Returns the number of the n sorted entries that are before `of`, or, with `behind`, not after it. */
SHARED uint entries_before(global const contact_head *heads, const uint n, const contact_head of, const int behind) {
    uint low = 0, high = n;
    while (low < high) {
        const uint middle = low + (high - low) / 2;
        if (behind ? !is_before(of, heads[middle]) : is_before(heads[middle], of))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A set's arrays, in the order of device_contacts. */
#define CONTACTS_IN \
    global const contact_head *heads, global const contact_tag *tags, global const float4 *places, \
        global const uint *features, global const float4 *impulses, global const contact_row *rows, \
        global const float4 *torques, global const uint *totals
#define CONTACTS_OUT \
    global contact_head *out_heads, global contact_tag *out_tags, global float4 *out_places, \
        global uint *out_features, global float4 *out_impulses, global contact_row *out_rows, \
        global float4 *out_torques, global uint *out_totals

/* Writes the entries of two sets, each one of `more` behind those of its pair, whose load it takes. Points keep
 * their places; those of the last entry of `more` follow first, and nothing acts at them. */
kernel void insert_contacts(CONTACTS_IN, global const contact_head *more_heads,
                            global const contact_tag *more_tags, global const float4 *more_places,
                            global const uint *more_features, global const uint *more_totals, const int resists,
                            CONTACTS_OUT) {
    const uint n = totals[CONTACTS_PAIRS], m = more_totals[CONTACTS_PAIRS], points = totals[CONTACTS_POINTS],
               end = points + more_totals[CONTACTS_POINTS];
    const tile_range old = range_of_group(n, TILE_GROUP), added = range_of_group(m, TILE_GROUP),
                     kept = range_of_group(points, TILE_GROUP);
    contact_row none;
    none.bias = none.compliance = 0;
    for (int k = 0; k < CONTACTS_COUNTS && get_global_id(0) == 0; k++)
        out_totals[k] = k == CONTACTS_PAIRS ? n + m : k == CONTACTS_POINTS ? end : totals[k];
    FOR_RANGE(i, old) {
        const contact_head head = heads[i];
        const uint at = i + entries_before(more_heads, m, head, 0);
        out_heads[at] = head, out_tags[at] = tags[i];
    }
    FOR_RANGE(p, kept) {
        out_places[p] = places[p], out_features[p] = features[p], out_impulses[p] = impulses[p], out_rows[p] = rows[p];
        if (resists) out_torques[p] = torques[p];
    }
    FOR_RANGE(k, added) {
        const contact_head from = more_heads[k];
        contact_head head = from;
        const uint behind = entries_before(heads, n, from, 1), first = end - (uint)from.first - (uint)head_count(from);
        if (behind > 0 && has_same_bodies(heads[behind - 1], from)) head.load = heads[behind - 1].load;
        head.first = (int)first;
        out_heads[k + behind] = head, out_tags[k + behind] = more_tags[k];
        for (int q = 0; q < head_count(from); q++) {
            out_places[first + q] = more_places[from.first + q];
            out_features[first + q] = more_features[from.first + q];
            out_impulses[first + q] = (float4)(0), out_rows[first + q] = none;
            if (resists) out_torques[first + q] = (float4)(0);
        }
    }
}

/* Returns the components of an image along these axes. */
SHARED int image_idle(const int image, const uint axes) {
    const int rest = image_rest(image);
    return (axes & 1 ? image_digit(image) : 0) +
           PERIOD_DIGIT * ((axes & 2 ? image_digit(rest) : 0) + PERIOD_DIGIT * (axes & 4 ? image_rest(rest) : 0));
}

/* Updates the contacts of bodies that have crossed the boundary of a periodic cell (contacts_cross); crossed[slot]:
 * the image that the body has become. */
kernel void insert_crossings(global contact_head *heads, global float4 *places, global const uint *totals,
                             const uint capacity, global const int *crossed, global const uchar *endless,
                             const vec3s period) {
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        const contact_head head = heads[i];
        const int by_a = crossed[head.a], by_b = crossed[head.b], count = head_count(head);
        if (!by_a && !by_b) continue;
        const int image = head_image(head) + by_a - by_b, idle = image_idle(image, endless[head.a] | endless[head.b]),
                  by = endless[head.a] ? by_a - idle : by_a;
        heads[i].image_count = head_image_count(image - idle, count);
        const vec3s shift = image_shift(by, period);
        for (int k = head.first; k < head.first + count && by; k++)
            places[k].x += shift.x, places[k].y += shift.y, places[k].z += shift.z;
    }
}

/* Returns the overlap before the step of the pair of entry i, m: that of its last entry that is not predicted and
 * has the same children. */
SHARED float overlap_before(global const contact_head *heads, global const contact_tag *tags,
                            global const float4 *places, uint i) {
    const contact_head of = heads[i];
    const int children = tags[i].children;
    float deepest = 0;
    while (i > 0 && has_same_bodies(heads[i - 1], of)) {
        i--;
        if (tags[i].bits & TAG_PREDICTED || tags[i].children != children) continue;
        for (int k = 0; k < head_count(heads[i]); k++) deepest = scalar_max(deepest, -places[heads[i].first + k].w);
        break;
    }
    return deepest;
}

/* Limits the overlap of predicted entries to that before the step. */
kernel void insert_settle(global const contact_head *heads, global const contact_tag *tags, global float4 *places,
                          global const uint *totals, const uint capacity) {
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], capacity), TILE_GROUP);
    FOR_RANGE(i, range) {
        if (!(tags[i].bits & TAG_PREDICTED)) continue;
        const float most = overlap_before(heads, tags, places, i);
        const contact_head head = heads[i];
        for (int k = 0; k < head_count(head); k++) {
            const float gap = places[head.first + k].w;
            places[head.first + k].w = scalar_max(gap, -scalar_min(scalar_max(-gap, 0), most));
        }
    }
}
