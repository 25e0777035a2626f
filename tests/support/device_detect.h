/* The device's boxes and detection pass on bodies of a test, compared with the host's. */
#pragma once

#include "device_contacts.h"
#include "detect/detection_pass.h"
#include "device/opencl/opencl_detect.h"
#include "device/opencl/opencl_insert.h"
#include "geometry/shape.h"

static opencl_grid detect_grid;
static opencl_detect detect;

/* A step of a test: the bodies before it, the contacts that its rows have, and the poses at its end. */
typedef struct trial_step {
    body_array *bodies;
    body_pose *ends;
    host_search rows;
    bool again; /* after a pass */
} trial_step;

/* The host's pass. */
typedef struct host_pass {
    detection_pass pass;
    trial_motion trial;
} host_pass;

static inline host_pass host_pass_of(const trial_step *step) {
    body_array *bodies = step->bodies;
    host_pass self = {.trial = {.bodies = bodies,
                                .poses = step->ends,
                                .margin = contact_margin,
                                .time_step = contact_step,
                                .smallest = bounds_smallest_half_width(bodies, 1),
                                .again = step->again}};
    bounds *boxes = rig_array((size_t)bodies->count, sizeof *boxes);
    broadphase *of = NULL;
    int count, regrown = 0;
    bounds_compute_padded(bodies, contact_margin, contact_step, 1, boxes);
    CHECK(broadphase_create(&of, BROADPHASE_SKIN));
    CHECK(broadphase_pairs(of, bodies, boxes, NULL, contact_step, 1, &count, &regrown));
    CHECK(detection_pass_find(&self.pass, &self.trial, &step->rows.contacts, &step->rows.skims, of, boxes, 1,
                              &regrown));
    self.trial.moving.velocities = self.pass.motion;
    broadphase_destroy(of);
    free(boxes);
    return self;
}

/* -- From the host to the device ------------------------------------------------------- */

/* Buffers of a pass, in the rig's context. */
typedef struct sent_trial {
    sent_bodies bodies;
    opencl_buffer types, ends, planes, skims, images, skim_count;
    device_pairs pairs;
    device_contacts contacts;
    device_trial as;
} sent_trial;

static inline void send_planes(const body_array *bodies, sent_trial *out) {
    plane_list planes = {0};
    int regrown = 0;
    bounds *boxes = rig_array((size_t)bodies->count, sizeof *boxes);
    CHECK(planes_find(&planes, bodies, boxes, &regrown));
    for (int k = 0; k < planes.count; k++) planes.items[k] = (body_plane){.slot = planes.items[k].slot};
    rig_send(&out->planes, planes.items, (size_t)planes.count * sizeof *planes.items);
    out->as.plane_count = (cl_uint)planes.count;
    memory_release(planes.items);
    free(boxes);
}

/* Sends the dropped contacts as indices of pairs, with spare ones. */
static inline void send_skims(const host_search *rows, sent_trial *out) {
    const uint32_t n = (uint32_t)rows->skims.count;
    uint32_t *indices = rig_array(n + 3, sizeof *indices), at = 0;
    for (uint32_t k = 0; k < n; k++) {
        while (body_pair_order(rows->pairs[at], rows->skims.items[k].pair) != 0) at++;
        indices[k] = at;
    }
    rig_send(&out->skims, indices, (n + 3) * sizeof *indices);
    rig_send(&out->skim_count, &n, sizeof n);
    free(indices);
}

static inline void send_trial(const trial_step *step, sent_trial *out) {
    const body_array *bodies = step->bodies;
    const size_t n = (size_t)bodies->count;
    *out = (sent_trial){0};
    send_bodies(bodies, &out->bodies);
    rig_send(&out->types, bodies->types, n);
    rig_send(&out->ends, step->ends, n * sizeof *step->ends);
    send_planes(bodies, out);
    send_skims(&step->rows, out);
    out->pairs = send_list(&step->rows, 5, &out->images);
    out->contacts = send_contacts(&step->rows.contacts);
    out->as = (device_trial){.bodies = &out->bodies.as,
                             .types = &out->types,
                             .ends = &out->ends,
                             .planes = &out->planes,
                             .plane_count = out->as.plane_count,
                             .contacts = &out->contacts,
                             .skims = &out->skims,
                             .skim_count = {&out->skim_count, 0},
                             .skim_capacity = (cl_uint)step->rows.skims.count + 3,
                             .pairs = &out->pairs,
                             .margin = contact_margin,
                             .time_step = contact_step,
                             .smallest = bounds_smallest_half_width(bodies, 1)};
}

static inline void sent_trial_release(sent_trial *self) {
    opencl_buffer *const buffers[] = {&self->types,  &self->ends,       &self->planes,  &self->skims,
                                      &self->images, &self->skim_count, &self->pairs.a, &self->pairs.b};
    for (int i = 0; i < 8; i++) opencl_buffer_release(&rig.device, buffers[i]);
    sent_bodies_release(&self->bodies);
    device_contacts_release(&rig.device, &self->contacts);
}

/* -- Comparison ------------------------------------------------------------------------- */

/* Numbers that a comparison has seen. */
typedef struct detect_comparison {
    int asks, straying, deviating, moved, worth, dropped, met, found, launches, waits;
} detect_comparison;

static inline void expect_buffer(const opencl_buffer *buffer, const void *expected, size_t bytes,
                                 const char *what) {
    char *is = rig_array(bytes, 1);
    rig_read(buffer, is, bytes);
    for (size_t i = 0; i < bytes; i++)
        if (is[i] != ((const char *)expected)[i]) fail_msg("%s differ at byte %zu of %zu", what, i, bytes);
    free(is);
}

static inline void expect_motions(const trial_step *step, const host_pass *host, const uint32_t *counts,
                                  detect_comparison *seen) {
    const size_t n = (size_t)step->bodies->count;
    float turned = 0, largest;
    expect_buffer(&detect.motions, host->pass.motion, n * sizeof *host->pass.motion, "motions");
    expect_buffer(&detect.turned, host->pass.turned, n * sizeof *host->pass.turned, "turns");
    expect_buffer(&detect.straying, host->pass.straying, n, "straying bodies");
    for (int i = 0; i < step->bodies->count; i++) {
        seen->straying += host->pass.straying[i];
        seen->deviating +=
            step->bodies->types[i] == SLOT_KINEMATIC && trial_strayed(&host->trial, i) > contact_margin / 2;
        turned = scalar_max(turned, host->pass.turned[i]);
    }
    memcpy(&largest, &counts[DETECT_TURNED], sizeof largest);
    assert_int_equal(counts[DETECT_BODIES], n);
    assert_int_equal(counts[DETECT_STRAYS], seen->straying);
    assert_int_equal(counts[DETECT_DEVIATES], seen->deviating);
    assert_true(largest == turned);
}

/* Returns whether a body is a ball, a box or a half-space. */
static inline bool is_simple(const body_array *bodies, int slot) {
    return bodies->shapes[slot].kind <= SCREE_SHAPE_HALF_SPACE;
}

/* Returns whether kernels have the test of a contact. */
static inline bool is_known_kind(const body_array *bodies, body_pair pair, int children) {
    return pair.image == 0 && children == 0 && is_simple(bodies, pair.a) && is_simple(bodies, pair.b);
}

/* Contacts that the host must test are marked only if their bodies turned, so that the host finds no news of
 * others. */
static inline void expect_marks(const trial_step *step, const host_pass *host, const uint32_t *counts,
                                detect_comparison *seen) {
    const contact_set *set = &step->rows.contacts;
    float largest;
    memcpy(&largest, &counts[DETECT_TURNED], sizeof largest);
    uint32_t *marks = rig_array((size_t)set->count, sizeof *marks);
    int asked = 0;
    rig_read(&detect.marks, marks, (size_t)set->count * sizeof *marks);
    for (int i = 0; i < set->count; i++) {
        const contact_manifold *of = &set->pairs[i].manifold;
        const body_pair pair = {of->a, of->b, of->image};
        const bool any = trial_any_turned(largest, host->trial.smallest) && !set->pairs[i].predicted;
        const trial_news news = any ? trial_contact_test(&host->trial, set, i) : TRIAL_KNOWN;
        if (any) assert_int_equal(host->pass.marks[i], news != TRIAL_KNOWN);
        if (marks[i] == DETECT_ASK) {
            assert_false(is_known_kind(step->bodies, pair, of->children));
            asked++;
        } else {
            if (marks[i] != news)
                fail_msg("contact %d (%d, %d): %u; expected %d", i, of->a, of->b, marks[i], news);
            seen->moved += news != TRIAL_KNOWN, seen->worth += news == TRIAL_WORTH_SOLVING;
        }
    }
    seen->asks += asked;
    if (!trial_any_turned(largest, host->trial.smallest) && step->rows.skims.count == 0)
        assert_int_equal(counts[DETECT_TESTED], 0);
    assert_int_equal(counts[DETECT_MOVED], seen->moved);
    assert_int_equal(counts[DETECT_WORTH], seen->worth);
    free(marks);
}

static inline bool is_fast_pair(const trial_step *step, const host_pass *host, body_pair pair) {
    const body_velocity *v = host->pass.motion;
    return contact_step * glms_vec3_norm(glms_vec3_sub(v[pair.b].linear, v[pair.a].linear)) >
           0.99f * bounds_pair_half_width(step->bodies, pair.a, pair.b);
}

static inline void expect_skim_marks(const trial_step *step, const host_pass *host, const uint32_t *counts,
                                     detect_comparison *seen) {
    const skim_list *skims = &step->rows.skims;
    uint32_t *marks = rig_array((size_t)skims->count, sizeof *marks);
    rig_read(&detect.skim_marks, marks, (size_t)skims->count * sizeof *marks);
    for (int i = 0; i < skims->count; i++) {
        const body_pair pair = skims->items[i].pair;
        const bool known = is_known_kind(step->bodies, pair, skims->items[i].children);
        if (marks[i] == DETECT_ASK) {
            assert_true(!known || is_fast_pair(step, host, pair));
            seen->asks++;
        } else {
            assert_int_equal(marks[i] != 0, host->pass.marks[step->rows.contacts.count + i]);
            seen->dropped += marks[i] != 0;
        }
    }
    assert_int_equal(counts[DETECT_DROPPED], seen->dropped);
    assert_int_equal(counts[DETECT_ASKED], seen->asks);
    free(marks);
}

/* Compares the new contacts, at which nothing acts. */
static inline void expect_found(const contact_set *set) {
    uint32_t counts[CONTACTS_COUNTS];
    rig_read(&detect.found.counts, counts, sizeof counts);
    assert_int_equal(counts[CONTACTS_PAIRS], set->count);
    assert_int_equal(counts[CONTACTS_POINTS], set->points);
    read_contacts is = read_set(NULL, NULL, &detect.found);
    const float4_host none = {0};
    const contact_row row = {0};
    for (int i = 0, first = 0; i < set->count; i++) {
        contact_head head = head_of_pair(&set->pairs[i]);
        const contact_tag tag = tag_of_pair(&set->pairs[i]);
        head.first = first;
        if (memcmp(&is.heads[i], &head, sizeof head) != 0)
            fail_msg("new contact %d: (%d, %d), %d points; expected (%d, %d), %d", i, is.heads[i].a,
                     is.heads[i].b, head_count(is.heads[i]), head.a, head.b, head_count(head));
        assert_memory_equal(&is.tags[i], &tag, sizeof tag);
        for (int k = 0; k < head_count(head); k++, first++) {
            const manifold_point *point = &contact_places(set, &set->pairs[i])[k];
            const float4_host place = four_of(point->position, point->gap);
            assert_memory_equal(&is.places[first], &place, sizeof place);
            assert_int_equal(is.features[first], point->feature);
            assert_memory_equal(&is.impulses[first], &none, sizeof none);
            assert_memory_equal(&is.rows[first], &row, sizeof row);
        }
    }
    read_contacts_release(&is);
}

/* Returns whether the swept boxes of two bodies meet, of which one may be a half-space. */
static inline bool swept_boxes_meet(const body_array *moving, const bounds *boxes, int a, int b) {
    const bool plane_a = shape_is_plane(moving->shapes[a]), plane_b = shape_is_plane(moving->shapes[b]);
    if (!bounds_meet(&boxes[a], &boxes[b])) return false;
    const body_plane plane = plane_of(moving, boxes, plane_a ? a : b);
    return !(plane_a || plane_b) || plane_meets(&plane, &boxes[plane_a ? b : a]);
}

/* Counts the pairs of straying bodies without contact in a plain loop. */
static inline void expect_unknown(const trial_step *step, const host_pass *host, uint32_t unknown) {
    const body_array *moving = &host->trial.moving;
    const uint8_t *strays = host->pass.straying;
    bounds *boxes = rig_array((size_t)moving->count, sizeof *boxes);
    uint32_t count = 0;
    body_swept_boxes(moving, contact_step, 1, boxes);
    for (int a = 0; a < moving->count; a++)
        for (int b = a + 1; b < moving->count; b++)
            if (strays[a] | strays[b])
                count += swept_boxes_meet(moving, boxes, a, b) &&
                         contacts_find(&step->rows.contacts, (body_pair){a, b, 0}) < 0;
    assert_int_equal(unknown, count);
    free(boxes);
}

/* Makes the pass on both sides, and compares. The new contacts of the host are left in `found`, if it is not
 * null. */
static inline detect_comparison compare_pass(const trial_step *step, contact_set *found) {
    detect_comparison seen = {0};
    device_detection is;
    uint32_t counts[DETECT_COUNTS];
    sent_trial sent;
    host_pass host = host_pass_of(step);
    send_trial(step, &sent);
    const scree_device_traffic start = rig.device.traffic;
    opencl_scratch_clear(&rig.device);
    CHECK(opencl_detect_find(&detect, &sent.as, &is));
    seen.launches = (int)(rig.device.traffic.launches - start.launches);
    seen.waits = (int)(rig.device.traffic.waits - start.waits);
    assert_int_equal(rig.device.traffic.bytes_up, start.bytes_up);
    rig_read(&detect.counts, counts, sizeof counts);
    expect_motions(step, &host, counts, &seen);
    expect_marks(step, &host, counts, &seen);
    expect_skim_marks(step, &host, counts, &seen);
    assert_int_equal(is.straying, seen.straying);
    assert_int_equal(is.deviates, seen.deviating > 0);
    if (seen.asks) assert_true(is.asks);
    seen.asks = is.asks, seen.met = (int)counts[DETECT_MET];
    if (counts[DETECT_OTHERS] == 0 && counts[DETECT_ASKED] == 0)
        expect_unknown(step, &host, counts[DETECT_UNKNOWN]);
    if (!is.asks) {
        assert_int_equal(is.found, host.pass.found.count);
        if (is.found) assert_int_equal(is.only_moved, host.pass.only_moved);
        if (is.found) expect_found(&host.pass.found);
        seen.found = is.found;
    }
    if (found) *found = host.pass.found, host.pass.found = (contact_set){0};
    detection_pass_release(&host.pass);
    sent_trial_release(&sent);
    return seen;
}

/* Compares all arrays of a set in which impulses act. */
static inline void expect_set(const device_contacts *of, const contact_set *set) {
    read_contacts is = read_set(NULL, NULL, of);
    assert_int_equal(is.counts[CONTACTS_PAIRS], set->count);
    assert_int_equal(is.counts[CONTACTS_POINTS], set->points);
    for (int i = 0; i < set->count; i++) {
        const contact_head head = head_of_pair(&set->pairs[i]);
        const contact_tag tag = tag_of_pair(&set->pairs[i]);
        assert_memory_equal(&is.heads[i], &head, sizeof head);
        assert_memory_equal(&is.tags[i], &tag, sizeof tag);
        expect_points(&is, &head, set, &set->pairs[i]);
    }
    read_contacts_release(&is);
}

/* Moves a set over the boundary of a cell of which each body may have crossed some sides. */
static inline void compare_crossings(const body_array *of, contact_set *set, sent_trial *sent) {
    body_array bodies = *of;
    uint64_t seed = 7;
    opencl_buffer crossed = {0}, endless = {0};
    int *images = rig_array((size_t)of->count, sizeof *images);
    bodies.period = period_make((scree_vec3){3, 5, 7}, (scree_vec3){0, 0, 0});
    bodies.endless = rig_array((size_t)of->count, 1);
    for (int i = 0; i < of->count; i++) {
        images[i] = random_below(&seed, 2) ? image_of_code(random_below(&seed, PERIODIC_CODES)) : 0;
        bodies.endless[i] = (uint8_t)(random_below(&seed, 4) ? 0 : 1 + random_below(&seed, 15));
    }
    rig_send(&crossed, images, (size_t)of->count * sizeof *images);
    rig_send(&endless, bodies.endless, (size_t)of->count);
    CHECK(opencl_insert_crossings(&rig.primitives, &sent->contacts, &crossed, &endless,
                                  (const float[]){3, 5, 7}));
    contacts_cross(set, &bodies, images);
    expect_set(&sent->contacts, set);
    opencl_buffer_release(&rig.device, &crossed), opencl_buffer_release(&rig.device, &endless);
    free(images), free(bodies.endless);
}

/* Adds the new contacts of the last pass to the step's on both sides, and returns their number. `crosses`:
 * moves all contacts over a periodic boundary then; it must be the last pass. */
static inline int compare_insertion(trial_step *step, bool crosses) {
    contact_set *set = &step->rows.contacts;
    host_pass host = host_pass_of(step);
    sent_trial sent;
    device_contacts spare = {0};
    device_detection is;
    int regrown = 0;
    send_trial(step, &sent);
    opencl_scratch_clear(&rig.device);
    CHECK(opencl_detect_find(&detect, &sent.as, &is));
    if (!is.asks && is.found) {
        CHECK(opencl_insert_contacts(&rig.primitives, &sent.contacts, (cl_uint)set->count,
                                     (cl_uint)set->points, &detect.found, &spare));
        CHECK(contacts_add(set, &host.pass.found, 0, &regrown));
        expect_set(&sent.contacts, set);
        CHECK(opencl_insert_settle(&rig.primitives, &sent.contacts));
        contacts_settle(set, 1);
        expect_set(&sent.contacts, set);
    }
    if (crosses) compare_crossings(step->bodies, set, &sent);
    device_contacts_release(&rig.device, &spare);
    sent_trial_release(&sent);
    detection_pass_release(&host.pass);
    return is.asks ? 0 : is.found;
}

/* Compares the boxes and the planes of a step; the host writes those of other shapes. */
static inline void compare_boxes(const body_array *bodies) {
    const size_t n = (size_t)bodies->count;
    plane_list planes = {0};
    int regrown = 0;
    bounds *boxes = rig_array(n, sizeof *boxes), *given = rig_array(n, sizeof *boxes);
    trial_step step = {.bodies = (body_array *)bodies, .ends = bodies->poses};
    sent_trial sent;
    opencl_buffer out = {0}, found = {0};
    uint32_t count;
    send_trial(&step, &sent);
    bounds_compute_padded(bodies, contact_margin, contact_step, 1, boxes);
    CHECK(planes_find(&planes, bodies, boxes, &regrown));
    for (size_t i = 0; i < n; i++)
        if (!sent.bodies.as.convexes && bodies->shapes[i].kind > SCREE_SHAPE_HALF_SPACE) given[i] = boxes[i];
    rig_send(&out, given, n * sizeof *given);
    rig_send(&found, planes.items, (size_t)planes.count * sizeof *planes.items);
    rig_length(0, 1, 0);
    CHECK(opencl_detect_boxes(&rig.primitives, &sent.bodies.as, &sent.types, contact_margin, contact_step,
                              &out, &sent.planes, sent.as.plane_count, &found,
                              (device_word){&rig.counts, 1}));
    count = rig_total();
    assert_int_equal(count, n);
    expect_buffer(&out, boxes, n * sizeof *boxes, "boxes");
    expect_buffer(&found, planes.items, (size_t)planes.count * sizeof *planes.items, "planes");
    opencl_buffer_release(&rig.device, &out);
    opencl_buffer_release(&rig.device, &found);
    memory_release(planes.items);
    sent_trial_release(&sent);
    free(boxes);
    free(given);
}
