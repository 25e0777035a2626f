/* Entry points of the detection pass: the contacts of a step's trial motion that its rows do not have
 * (host/detect/detection_pass.h).
 *
 * A launch over the bodies finds their trial motions and counts those that stray. A launch over the contacts
 * lists the few whose bodies turned or strayed; their points at the end are found by another one. In most
 * steps that is all, and the counts say that nothing is new. Otherwise the pairs of straying bodies (boxes.cl,
 * or the grid) go through contacts.cl, and what is new is merged in the order of pairs.
 *
 * Work-groups have any number of work-items, one on processors. Lists that are filled by atomics are in no
 * order; only marks follow from them. */
#include "contact_lookup.h"
#include "detection.h"
#include "placed_points.h"
#include "tiles.h"
#include "trial_bodies.h"

/* -- Bodies ----------------------------------------------------------------------------- */

/* Numbers of some bodies: straying, deviating and other ones, and the largest turn, as bits. */
typedef struct body_sums {
    uint strays, deviates, turned, others;
} body_sums;

/* Adds to the words that a work-group shares, in the order of the counts. */
SHARED void cells_add(local uint *cells, const body_sums of) {
    if (of.strays) atomic_add(&cells[0], of.strays);
    if (of.deviates) atomic_add(&cells[1], of.deviates);
    if (of.turned) atomic_max(&cells[2], of.turned);
    if (of.others) atomic_add(&cells[3], of.others);
}

SHARED body_sums part_at(global const uint *parts, const uint k) {
    body_sums out;
    out.strays = parts[DETECT_PART_WORDS * k], out.deviates = parts[DETECT_PART_WORDS * k + 1];
    out.turned = parts[DETECT_PART_WORDS * k + 2], out.others = parts[DETECT_PART_WORDS * k + 3];
    return out;
}

/* Finds each body's trial motion, and whether it strays. Clears the counts of the pass. */
kernel void detect_bodies(global const record_shape *shapes, global const uchar *types, global const body_pose *poses,
                          global const body_pose *ends, global const body_velocity *velocities, const uint bodies,
                          const float margin, const float smallest, const float h, const float rate,
                          global body_velocity *motions, global float *turned, global uchar *straying,
                          global uint *parts, global uint *counts) {
    local uint cells[DETECT_PART_WORDS];
    const tile_range range = range_of_group(bodies, TILE_GROUP);
    body_sums sums;
    float largest = 0;
    sums.strays = sums.deviates = sums.others = 0;
    for (int k = 0; k < DETECT_COUNTS && get_global_id(0) == 0; k++) counts[k] = k == DETECT_BODIES ? bodies : 0;
    for (int k = 0; k < DETECT_PART_WORDS && get_local_id(0) == 0; k++) cells[k] = 0;
    LOCAL_BARRIER;
    FOR_RANGE(i, range) {
        const float radius = shapes[i].turning_radius;
        const uint type = types[i];
        sums.others += type != SLOT_FREE && !(shape_extent_known(shapes[i].kind) && placed_kind_known(shapes[i].kind));
        const body_velocity before = velocities[i], motion = trial_velocity(poses[i], ends[i], rate);
        const float turn = trial_turn(motion, radius, h), deviation = trial_deviation(motion, before, radius, h);
        const int strayed = type == SLOT_DYNAMIC && trial_strays(deviation, before, margin, smallest, h);
        motions[i] = motion, turned[i] = turn, straying[i] = (uchar)strayed;
        largest = scalar_max(largest, turn);
        sums.strays += (uint)strayed;
        sums.deviates += type == SLOT_KINEMATIC && deviation > margin / 2;
    }
    sums.turned = as_uint(largest);
    cells_add(cells, sums);
    LOCAL_BARRIER;
    for (int k = 0; k < DETECT_PART_WORDS && get_local_id(0) == 0; k++)
        parts[DETECT_PART_WORDS * get_group_id(0) + k] = cells[k];
}

/* -- Pairs ------------------------------------------------------------------------------ */

/* Returns the points at the end of the step. */
SHARED manifold_points points_at_end(const trial_arrays of, const trial_pair pair, const float reach) {
    return placed_points(placed_record_of(of.shapes[pair.a], of.ends[pair.a]),
                         placed_record_of(of.shapes[pair.b], end_of_second(of, pair)), reach);
}

/* Returns them with their gaps linearised back to the beginning of the step. */
SHARED manifold_points linearised_end(const trial_arrays of, const trial_pair pair, const float margin, const float h) {
    return points_back(of, pair, points_at_end(of, pair, reach_at_end(pair, margin, h)), h);
}

/* Dropped contacts: skims[k] is the index of a pair. */
typedef struct skim_pairs {
    global const uint *skims;
    global const int *a, *b, *images;
    int periodic;
    uint count;
} skim_pairs;
#define SKIM_ARGUMENTS \
    global const uint *skims, global const int *pair_a, global const int *pair_b, global const int *images, const int periodic

SHARED skim_pairs skim_pairs_of(SKIM_ARGUMENTS, const uint count) {
    skim_pairs out;
    out.skims = skims, out.a = pair_a, out.b = pair_b, out.images = images, out.periodic = periodic, out.count = count;
    return out;
}

/* Returns the first of the dropped contacts list[k] that is not before a pair; no list: of all. */
SHARED uint skim_at(const skim_pairs of, global const uint *list, const uint n, const int a, const int b, const int image) {
    uint low = 0, high = n;
    while (low < high) {
        const uint middle = low + (high - low) / 2, pair = of.skims[list ? list[middle] : middle];
        if (pair_before(of.a[pair], of.b[pair], of.periodic ? of.images[pair] : 0, a, b, image))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* -- Selection -------------------------------------------------------------------------- */

/* Adds the parts of the first launch, and returns the largest turn. All work-items call it. */
SHARED float add_parts(global const uint *parts, const uint part_count, local uint *cells, global uint *counts) {
    for (int k = 0; k < DETECT_PART_WORDS && get_local_id(0) == 0; k++) cells[k] = 0;
    LOCAL_BARRIER;
    for (uint k = get_local_id(0); k < part_count; k += (uint)get_local_size(0)) cells_add(cells, part_at(parts, k));
    LOCAL_BARRIER;
    for (int k = 0; k < DETECT_PART_WORDS && get_global_id(0) == 0; k++) counts[DETECT_STRAYS + k] = cells[k];
    return as_float(cells[2]);
}

/* Returns whether bodies rotate so much that their contact must be tested. */
SHARED int is_turned(const trial_arrays of, global const float *turned, const contact_head head, const float h) {
    const float most = TRIAL_TURNED * pair_size(of, head.a, head.b);
    if (trial_hardly_turned(turned[head.a], turned[head.b], most)) return 0;
    const trial_pair pair = trial_pair_of(of, head.a, head.b, head_image(head));
    return trial_pair_turn(pair.of_a, pair.of_b, h) > most;
}

SHARED float deviation_at(const trial_arrays of, global const body_velocity *velocities, const int at, const float h) {
    return trial_deviation(of.motions[at], velocities[at], of.shapes[at].turning_radius, h);
}

/* Returns whether bodies of a dropped contact have strayed enough for a test. */
SHARED int is_deflected(const trial_arrays of, global const body_velocity *velocities, const int a, const int b,
                        const float h) {
    return deviation_at(of, velocities, a, h) + deviation_at(of, velocities, b, h) > TRIAL_HARMLESS * pair_size(of, a, b);
}

/* Returns whether bodies move so far that a dropped contact is that of the time of impact. */
SHARED int is_fast(const trial_arrays of, const int a, const int b, const float h) {
    const trial_pair pair = trial_pair_of(of, a, b, 0);
    return glms_vec3_norm(trial_relative_motion(pair.of_a, pair.of_b, h)) > pair_size(of, a, b);
}

/* Returns the mark of a contact that is to be tested. */
SHARED uint ask_or_list(const int asks, const uint number, global uint *tested, global uint *counts) {
    if (asks)
        atomic_inc(&counts[DETECT_ASKED]);
    else
        tested[atomic_inc(&counts[DETECT_TESTED])] = number;
    return asks ? DETECT_ASK : TRIAL_KNOWN;
}

/* Returns whether contacts_children.cl and its like test two bodies; `children`: there are such. */
SHARED int has_child_test(global const record_shape *shapes, const contact_head head, const int children) {
    return children && (shapes[head.a].kind == RECORD_OTHER || shapes[head.b].kind == RECORD_OTHER);
}

/* Lists the contacts and dropped contacts that must be tested, and clears their marks. */
kernel void detect_select(TRIAL_ARGUMENTS, global const body_velocity *velocities, global const float *turned,
                          const float smallest, const float h,
                          global const uint *parts, const uint part_count, global const contact_head *heads,
                          global const contact_tag *tags, global const uint *totals, const uint pair_capacity,
                          SKIM_ARGUMENTS, global const uint *skim_count, const uint skim_count_at, const uint skim_capacity,
                          global uint *marks, global uint *skim_marks, global uint *tested, global uint *counts,
                          const int children) {
    local uint cells[DETECT_PART_WORDS];
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], pair_capacity), TILE_GROUP),
                     dropped = range_of_group(skim_capacity ? min(skim_count[skim_count_at], skim_capacity) : 0, TILE_GROUP);
    const int any = trial_any_turned(add_parts(parts, part_count, cells, counts), smallest);
    const trial_arrays of = TRIAL_HERE;
    FOR_RANGE(i, range) {
        uint mark = TRIAL_KNOWN;
        if (any && !(tags[i].bits & TAG_PREDICTED)) {
            const contact_head head = heads[i];
            if (is_turned(of, turned, head, h))
                mark = ask_or_list(!has_child_test(records, head, children) &&
                                       (tags[i].children ||
                                        !placed_points_known(records[head.a].kind, records[head.b].kind)),
                                   i, tested, counts);
        }
        marks[i] = mark;
    }
    FOR_RANGE(k, dropped) {
        const int a = pair_a[skims[k]], b = pair_b[skims[k]];
        uint mark = TRIAL_KNOWN;
        if (is_deflected(of, velocities, a, b, h))
            mark = ask_or_list(is_fast(of, a, b, h) || !placed_points_known(records[a].kind, records[b].kind),
                               k | TESTED_SKIM, tested, counts);
        skim_marks[k] = mark;
    }
}

/* -- Tests ------------------------------------------------------------------------------ */

/* Marks the tested contacts that the rows do not predict, and the dropped ones that overlap. */
kernel void detect_test(TRIAL_ARGUMENTS, const float margin, const float h, global const uint *tested,
                        global const contact_head *heads, global const contact_tag *tags,
                        global const float4 *places, global const uint *totals, const uint pair_capacity,
                        SKIM_ARGUMENTS, global uint *marks, global uint *skim_marks, global uint *counts,
                        const int children) {
    const uint n = min(totals[CONTACTS_PAIRS], pair_capacity);
    const tile_range range = range_of_group(counts[DETECT_TESTED], TILE_GROUP);
    const trial_arrays of = TRIAL_HERE;
    FOR_RANGE(j, range) {
        const uint number = tested[j], i = number & ~TESTED_SKIM;
        const int is_skim = number != i;
        if (!is_skim && has_child_test(records, heads[i], children)) continue;
        const int a = is_skim ? pair_a[skims[i]] : heads[i].a, b = is_skim ? pair_b[skims[i]] : heads[i].b,
                  image = !is_skim ? head_image(heads[i]) : periodic ? images[skims[i]] : 0;
        const trial_pair pair = trial_pair_of(of, a, b, image);
        const float size = pair_size(of, a, b), gap = gap_of_points(pair, linearised_end(of, pair, margin, h), h);
        if (is_skim) {
            const int overlaps = gap < -(TRIAL_HARMLESS * size) && !has_contact(heads, n, a, b, image);
            if (overlaps) skim_marks[i] = TRIAL_SLIGHT, atomic_inc(&counts[DETECT_DROPPED]);
            continue;
        }
        const uint news = trial_news_of(gap, gap_of_entries(pair, heads, tags, places, n, i, h), size);
        marks[i] = news;
        if (news != TRIAL_KNOWN) atomic_inc(&counts[DETECT_MOVED]);
        if (news == TRIAL_WORTH_SOLVING) atomic_inc(&counts[DETECT_WORTH]);
    }
}

/* -- Contacts of straying bodies -------------------------------------------------------- */

/* Returns whether a contact without rows overlaps on the way or at the end. */
SHARED int is_met(const trial_arrays of, const contact_head head, global const float4 *places, const float h) {
    const trial_pair pair = trial_pair_of(of, head.a, head.b, head_image(head));
    const float most = -TRIAL_HARMLESS * pair_size(of, head.a, head.b);
    return gap_of_entry(pair, head, places, h) < most || points_at_end(of, pair, most).count > 0;
}

/* Flags the contacts that overlap and are not among the dropped ones that do. Does nothing if a contact or a
 * point does not fit: the flags are not valid. */
kernel void detect_meets(TRIAL_ARGUMENTS, const float h, global const contact_head *heads,
                         global const float4 *places, global const uint *totals, const uint pair_capacity,
                         const uint point_capacity, const uint slot_capacity, SKIM_ARGUMENTS, global const uint *skim_count,
                         const uint skim_count_at, const uint skim_capacity, global const uint *skim_marks,
                         global uint *flags) {
    const int fits = totals[CONTACTS_PAIRS] <= pair_capacity && totals[CONTACTS_POINTS] <= point_capacity &&
                     totals[CONTACTS_SLOTS] <= slot_capacity;
    const tile_range range = range_of_group(fits ? totals[CONTACTS_PAIRS] : 0, TILE_GROUP);
    const skim_pairs dropped = skim_pairs_of(skims, pair_a, pair_b, images, periodic, skim_capacity ? min(skim_count[skim_count_at], skim_capacity) : 0);
    FOR_RANGE(i, range) {
        const contact_head head = heads[i];
        int met = is_met(TRIAL_HERE, head, places, h);
        if (met && dropped.count) {
            const uint k = skim_at(dropped, 0, dropped.count, head.a, head.b, head_image(head));
            met = !(k < dropped.count && pair_a[skims[k]] == head.a && pair_b[skims[k]] == head.b &&
                    (!periodic || images[skims[k]] == head_image(head)) && skim_marks[k]);
        }
        flags[i] = (uint)met;
    }
}

/* -- New contacts ----------------------------------------------------------------------- */

/* Returns the number of met entries list[k] before a pair; sorted: they are in the order of pairs. */
SHARED uint met_before(global const contact_head *heads, global const uint *list, const uint n, const int sorted,
                       const int a, const int b, const int image) {
    uint count = 0;
    if (sorted) return entry_at(heads, list, n, a, b, image);
    for (uint k = 0; k < n; k++) count += (uint)pair_before(heads[list[k]].a, heads[list[k]].b, 0, a, b, 0);
    return count;
}

/* Writes an entry without impulses, whose points wait in a slot. */
SHARED void new_entry(global contact_head *head, global contact_tag *tag, global float4 *slot, const int a,
                      const int b, const int image, const manifold_points found) {
    uint features[MANIFOLD_POINTS] = {0, 0, 0, 0};
    contact_head out;
    contact_tag bits;
    for (int k = 0; k < found.count; k++) {
        const manifold_point point = found.points[k];
        slot[1 + k] = (float4)(point.position.x, point.position.y, point.position.z, point.gap);
        features[k] = point.feature;
    }
    slot[5] = (float4)(as_float(features[0]), as_float(features[1]), as_float(features[2]), as_float(features[3]));
    out.a = a, out.b = b, out.image_count = head_image_count(image, found.count), out.first = 0;
    out.normal = found.normal, out.load = 0;
    bits.children = 0, bits.bits = tag_bits(-1, 0) | TAG_PREDICTED;
    *head = out, *tag = bits;
}

/* Copies an entry of the search for new pairs. */
SHARED void copied_entry(global contact_head *head, global contact_tag *tag, global float4 *slot,
                         const contact_head from, global const float4 *places, global const uint *features) {
    uint of[MANIFOLD_POINTS] = {0, 0, 0, 0};
    contact_tag bits;
    for (int k = 0; k < head_count(from); k++)
        slot[1 + k] = places[from.first + k], of[k] = features[from.first + k];
    slot[5] = (float4)(as_float(of[0]), as_float(of[1]), as_float(of[2]), as_float(of[3]));
    bits.children = 0, bits.bits = tag_bits(-1, 0);
    *head = from, *tag = bits;
}

/* Merges contacts moved[k] (if one of them is worth a solve), dropped contacts recovered[k] and met entries
 * kept[k] in the order of pairs. */
kernel void detect_merge(TRIAL_ARGUMENTS, const float margin, const float h, global const uint *counts,
                         global const uint *moved, global const contact_head *heads, global const uint *recovered,
                         SKIM_ARGUMENTS, global const uint *kept, global const contact_head *met, global const float4 *met_places,
                         global const uint *met_features, const int sorted, const uint capacity, global contact_head *out,
                         global contact_tag *tags, global float4 *slots, global uint *numbers,
                         global uint *totals) {
    const uint n_moved = counts[DETECT_WORTH] ? counts[DETECT_LISTED] : 0, n_recovered = counts[DETECT_RECOVERED],
               n_met = counts[DETECT_MET], n = min(n_moved + n_recovered + n_met, capacity);
    const tile_range range = range_of_group(n, TILE_GROUP);
    const skim_pairs dropped = skim_pairs_of(skims, pair_a, pair_b, images, periodic, n_recovered);
    const trial_arrays of = TRIAL_HERE;
    for (int k = 0; k < CONTACTS_COUNTS && get_global_id(0) == 0; k++) totals[k] = k == CONTACTS_PAIRS ? n : 0;
    FOR_RANGE(t, range) {
        const int is_met = t >= n_moved + n_recovered, is_skim = !is_met && t >= n_moved;
        const uint k = is_met ? t - n_moved - n_recovered : is_skim ? t - n_moved : t;
        const uint entry = is_met ? kept[k] : is_skim ? skims[recovered[k]] : moved[k];
        const int a = is_met ? met[entry].a : is_skim ? pair_a[entry] : heads[entry].a,
                  b = is_met ? met[entry].b : is_skim ? pair_b[entry] : heads[entry].b,
                  image = !is_skim ? head_image(is_met ? met[entry] : heads[entry]) : periodic ? images[entry] : 0;
        const uint at = (is_met || is_skim ? entry_at(heads, moved, n_moved, a, b, image) : k) +
                        (is_skim ? k : skim_at(dropped, recovered, n_recovered, a, b, image)) +
                        met_before(met, kept, n_met, sorted, a, b, image);
        global float4 *slot = slots + CONTACT_SLOT_WORDS * (ulong)at;
        if (is_met)
            copied_entry(out + at, tags + at, slot, met[entry], met_places, met_features);
        else
            new_entry(out + at, tags + at, slot, a, b, image,
                      linearised_end(of, trial_pair_of(of, a, b, image), margin, h));
        numbers[at] = (uint)head_count(out[at]);
    }
}

/* Gives the entries their points; nothing acts at them. */
kernel void detect_store(global const uint *totals, const uint capacity, global const float4 *slots,
                         global const uint *firsts, const int resists, global contact_head *heads,
                         global float4 *places, global uint *features, global float4 *impulses,
                         global contact_row *rows, global float4 *torques) {
    const tile_range range = range_of_group(min(totals[CONTACTS_PAIRS], capacity), TILE_GROUP);
    contact_row none;
    none.bias = none.compliance = 0;
    FOR_RANGE(i, range) {
        const uint first = firsts[i];
        global const float4 *slot = slots + CONTACT_SLOT_WORDS * (ulong)i;
        global const uint *of = (global const uint *)(slot + 5);
        const int count = head_count(heads[i]);
        heads[i].first = (int)first;
        for (int k = 0; k < count; k++) {
            places[first + k] = slot[1 + k], features[first + k] = of[k];
            impulses[first + k] = (float4)(0), rows[first + k] = none;
            if (resists) torques[first + k] = (float4)(0);
        }
    }
}
