/* The device's narrow phase on bodies of a test, compared with contacts_update. */
#pragma once

#include "body_fixture.h"
#include "primitives_rig.h"
#include "detect/contacts.h"
#include "device/opencl/opencl_children.h"

#include "base/memory.h"

static opencl_contacts narrow;

static const scalar contact_step = 1 / 120.0f, contact_margin = 1e-3f;

/* Pairs of a search on the host, and the contacts that it finds. */
typedef struct host_search {
    int count;
    body_pair *pairs;
    contact_set contacts;
    skim_list skims;
} host_search;

static inline void list_pairs(host_search *self, const broadphase *of) {
    self->pairs = rig_array((size_t)self->count, sizeof *self->pairs);
    for (int piece = 0, at = 0; piece < broadphase_piece_count(of); piece++)
        at += broadphase_piece(of, piece, self->pairs + at);
}

static inline host_search host_search_of(const body_array *bodies, const contact_set *before) {
    host_search self = {0};
    bounds *boxes = rig_array((size_t)bodies->count, sizeof *boxes);
    broadphase *of = NULL;
    contact_search search = {0};
    int regrown = 0;
    bounds_compute_padded(bodies, contact_margin, contact_step, 1, boxes);
    CHECK(broadphase_create(&of, BROADPHASE_SKIN));
    CHECK(broadphase_pairs(of, bodies, boxes, NULL, contact_step, 1, &self.count, &regrown));
    CHECK(contacts_update(&self.contacts, before, &search, bodies, of, contact_margin, contact_step, 0, 1,
                          &regrown));
    list_pairs(&self, of);
    broadphase_destroy(of);
    self.skims = search.skims, search.skims = (skim_list){0};
    contact_search_release(&search);
    free(boxes);
    return self;
}

static inline void host_search_release(host_search *self) {
    contacts_release(&self->contacts);
    memory_release(self->skims.items);
    free(self->pairs);
}

/* Lets random impulses act at the points of a set, and colours its pairs. */
static inline void act_at(contact_set *set, uint64_t seed) {
    int regrown = 0;
    CHECK(MEMORY_RESERVE(set->colours, set->colour_capacity, set->count + 1, &regrown));
    CHECK(contacts_turn(set, &regrown));
    for (int i = 0; i < set->count; i++) set->colours[i] = (signed char)(random_below(&seed, 40) - 1);
    for (int k = 0; k < set->points; k++) {
        set->actions[k].impulse = random_vector(&seed, -1, 1);
        set->actions[k].push = (float)random_noise(&seed);
        set->actions[k].bias = (float)random_between(&seed, -0.1, 1);
        set->actions[k].compliance = (float)random_noise(&seed);
        set->torques[k] = random_vector(&seed, -1, 1);
    }
}

/* Lets cohesion pull at some points of a set. */
static inline void pull_at(contact_set *set, uint64_t seed) {
    int regrown = 0;
    set->cohesive = true;
    CHECK(MEMORY_RESERVE(set->cohesive_impulses, set->cohesion_capacity, set->count + 1, &regrown));
    for (int i = 0; i < set->count; i++)
        for (int k = 0; k < MANIFOLD_POINTS; k++)
            set->cohesive_impulses[i].of_point[k] =
                random_below(&seed, 2) ? (float)random_between(&seed, 0, 1) : 0;
}

/* -- From the host to the device ------------------------------------------------------- */

typedef struct float4_host {
    float x, y, z, w;
} float4_host;

static inline float4_host four_of(vec3s v, float w) { return (float4_host){v.x, v.y, v.z, w}; }

static inline contact_head head_of_pair(const contact_pair *pair) {
    const contact_manifold *of = &pair->manifold;
    return (contact_head){.a = of->a,
                          .b = of->b,
                          .image_count = head_image_count(of->image, of->count),
                          .first = pair->first,
                          .normal = of->normal,
                          .load = pair->load};
}

static inline contact_tag tag_of_pair(const contact_pair *pair) {
    const int flags = (pair->predicted ? TAG_PREDICTED : 0) | (pair->deferred ? TAG_DEFERRED : 0);
    return (contact_tag){pair->manifold.children, tag_bits(pair->last_colour, pair->hits) | flags};
}

/* Entries of detection passes have no colours yet. */
static inline void send_colours(const contact_set *set, device_contacts *out) {
    const size_t n = (size_t)set->count, held = (size_t)set->colour_capacity;
    signed char *colours = rig_array(n, 1);
    memset(colours, -1, n);
    memcpy(colours, set->colours, held < n ? held : n);
    rig_send(&out->colours, colours, n);
    free(colours);
}

static inline void send_pairs(const contact_set *set, device_contacts *out) {
    const size_t n = (size_t)set->count;
    contact_head *heads = rig_array(n, sizeof *heads);
    contact_tag *tags = rig_array(n, sizeof *tags);
    for (size_t i = 0; i < n; i++)
        heads[i] = head_of_pair(&set->pairs[i]), tags[i] = tag_of_pair(&set->pairs[i]);
    rig_send(&out->heads, heads, n * sizeof *heads);
    rig_send(&out->tags, tags, n * sizeof *tags);
    send_colours(set, out);
    free(heads);
    free(tags);
}

static inline void send_points(const contact_set *set, device_contacts *out) {
    const size_t n = (size_t)set->points;
    float4_host *places = rig_array(n, sizeof *places), *impulses = rig_array(n, sizeof *impulses),
                *torques = rig_array(n, sizeof *torques);
    uint32_t *features = rig_array(n, sizeof *features);
    contact_row *rows = rig_array(n, sizeof *rows);
    for (size_t k = 0; k < n; k++) {
        const contact_action *action = &set->actions[k];
        places[k] = four_of(set->places[k].position, set->places[k].gap);
        features[k] = set->places[k].feature;
        impulses[k] = four_of(action->impulse, action->push);
        rows[k] = (contact_row){action->bias, action->compliance};
        torques[k] = four_of(set->torques[k], 0);
    }
    rig_send(&out->places, places, n * sizeof *places);
    rig_send(&out->features, features, n * sizeof *features);
    rig_send(&out->impulses, impulses, n * sizeof *impulses);
    rig_send(&out->rows, rows, n * sizeof *rows);
    rig_send(&out->torques, torques, n * sizeof *torques);
    void *const all[] = {places, impulses, torques, features, rows};
    for (int i = 0; i < 5; i++) free(all[i]);
}

/* Sends the last step's contacts; an empty set has no impulses. */
static inline device_contacts send_contacts(const contact_set *set) {
    device_contacts out = {.pair_capacity = (cl_uint)set->count,
                           .point_capacity = (cl_uint)set->points,
                           .cohesive = set->cohesive,
                           .resists = set->has_resistance};
    CHECK(device_contacts_clear(&rig.device, &out));
    if (set->count == 0) return out;
    send_pairs(set, &out);
    send_points(set, &out);
    if (set->cohesive)
        rig_send(&out.pulls, set->cohesive_impulses, (size_t)set->count * sizeof *set->cohesive_impulses);
    const cl_uint counts[CONTACTS_COUNTS] = {(cl_uint)set->count, (cl_uint)set->points};
    rig_send(&out.counts, counts, sizeof counts);
    return out;
}

/* Buffers of bodies, in the rig's context. */
typedef struct sent_bodies {
    opencl_buffer shapes, poses, velocities, masses, groups, apart, gone;
    opencl_convexes convexes;
    opencl_children children;
    device_bodies as;
} sent_bodies;

static inline void send_shapes(const body_array *bodies, sent_bodies *out) {
    const size_t n = (size_t)bodies->count;
    record_shape *shapes = rig_array(n, sizeof *shapes);
    int regrown = 0;
    for (int i = 0; i < bodies->count; i++) shapes[i] = narrow_phase_shape(bodies, i);
    opencl_convexes_open(&out->convexes, &rig.device);
    CHECK(opencl_convexes_send(&out->convexes, bodies, &regrown));
    opencl_convexes_refer(&out->convexes, bodies, &out->as);
    opencl_children_open(&out->children, &rig.device);
    CHECK(opencl_children_send(&out->children, &out->convexes, bodies, &regrown));
    opencl_children_refer(&out->children, &out->convexes, &out->as);
    rig_send(&out->shapes, shapes, n * sizeof *shapes);
    out->as.shapes = &out->shapes;
    free(shapes);
}

static inline void send_filters(const body_array *bodies, sent_bodies *out) {
    const size_t n = (size_t)bodies->count;
    uint32_t *groups = rig_array(2 * n, sizeof *groups);
    for (int i = 0; i < bodies->count && bodies->filtered; i++) {
        const body_settings settings = body_settings_of(bodies, i);
        groups[2 * i] = settings.groups, groups[2 * i + 1] = settings.mask;
    }
    if (bodies->filtered) {
        rig_send(&out->groups, groups, 2 * n * sizeof *groups);
        out->as.groups = &out->groups;
    }
    free(groups);
    if (bodies->apart_count) {
        rig_send(&out->apart, bodies->apart, (size_t)bodies->apart_count * sizeof *bodies->apart);
        out->as.apart = &out->apart, out->as.apart_count = (cl_uint)bodies->apart_count;
    }
    if (!bodies->gone_count) return;
    rig_send(&out->gone, bodies->gone, n);
    out->as.gone = &out->gone;
}

static inline void send_bodies(const body_array *bodies, sent_bodies *out) {
    const size_t n = (size_t)bodies->count;
    const vec3s cell = bodies->period.length;
    *out = (sent_bodies){.as = {.count = (cl_uint)n, .period = {cell.x, cell.y, cell.z}}};
    send_shapes(bodies, out);
    rig_send(&out->poses, bodies->poses, n * sizeof *bodies->poses);
    rig_send(&out->velocities, bodies->velocities, n * sizeof *bodies->velocities);
    rig_send(&out->masses, bodies->masses, n * sizeof *bodies->masses);
    out->as.poses = &out->poses, out->as.velocities = &out->velocities, out->as.masses = &out->masses;
    send_filters(bodies, out);
}

static inline void sent_bodies_release(sent_bodies *self) {
    opencl_buffer *const buffers[] = {&self->shapes, &self->poses, &self->velocities, &self->masses,
                                      &self->groups, &self->apart, &self->gone};
    for (int i = 0; i < 7; i++) opencl_buffer_release(&rig.device, buffers[i]);
    opencl_convexes_close(&self->convexes);
    opencl_children_close(&self->children);
}

/* Pairs with `spare` entries beyond the last, which must not matter. */
static inline device_pairs send_list(const host_search *of, uint32_t spare, opencl_buffer *images) {
    const size_t n = (size_t)of->count + spare;
    int *columns[3];
    for (int c = 0; c < 3; c++) columns[c] = rig_array(n, sizeof *columns[c]);
    for (int i = 0; i < of->count; i++)
        columns[0][i] = of->pairs[i].a, columns[1][i] = of->pairs[i].b, columns[2][i] = of->pairs[i].image;
    device_pairs out = {.capacity = (cl_uint)n, .total = {&rig.counts, 0}};
    rig_send(&out.a, columns[0], n * sizeof(int));
    rig_send(&out.b, columns[1], n * sizeof(int));
    rig_send(images, columns[2], n * sizeof(int));
    rig_length((uint32_t)of->count, (uint32_t)n, 0);
    for (int c = 0; c < 3; c++) free(columns[c]);
    return out;
}

/* -- Comparison ------------------------------------------------------------------------- */

/* The device's contacts in the host's memory. */
typedef struct read_contacts {
    uint32_t counts[CONTACTS_COUNTS];
    contact_head *heads;
    contact_tag *tags;
    float4_host *places, *impulses, *torques;
    uint32_t *features, *left;
    skim *skims;
    contact_row *rows;
} read_contacts;

static inline void read_skims(const device_pairs *pairs, const opencl_buffer *images,
                              const device_contacts *set, size_t count, skim *out) {
    opencl_buffer list = {0};
    if (count == 0) return;
    CHECK(opencl_contacts_list_skims(&narrow, pairs, images, set, (cl_uint)count, &list));
    rig_read(&list, out, count * sizeof *out);
    opencl_buffer_release(&rig.device, &list);
}

static inline read_contacts read_set(const device_pairs *pairs_of, const opencl_buffer *images,
                                     const device_contacts *set) {
    read_contacts self;
    rig_read(&set->counts, self.counts, sizeof self.counts);
    const size_t pairs = self.counts[CONTACTS_PAIRS], points = self.counts[CONTACTS_POINTS],
                 left = self.counts[CONTACTS_LEFT], skims = self.counts[CONTACTS_SKIMS];
    self.heads = rig_array(pairs, sizeof *self.heads);
    self.tags = rig_array(pairs, sizeof *self.tags);
    self.places = rig_array(points, sizeof *self.places);
    self.impulses = rig_array(points, sizeof *self.impulses);
    self.torques = rig_array(points, sizeof *self.torques);
    self.features = rig_array(points, sizeof *self.features);
    self.rows = rig_array(points, sizeof *self.rows);
    self.left = rig_array(left, sizeof *self.left);
    self.skims = rig_array(skims, sizeof *self.skims);
    rig_read(&set->heads, self.heads, pairs * sizeof *self.heads);
    rig_read(&set->tags, self.tags, pairs * sizeof *self.tags);
    rig_read(&set->places, self.places, points * sizeof *self.places);
    rig_read(&set->impulses, self.impulses, points * sizeof *self.impulses);
    if (set->resists) rig_read(&set->torques, self.torques, points * sizeof *self.torques);
    rig_read(&set->features, self.features, points * sizeof *self.features);
    rig_read(&set->rows, self.rows, points * sizeof *self.rows);
    rig_read(&narrow.left, self.left, left * sizeof *self.left);
    read_skims(pairs_of, images, set, skims, self.skims);
    return self;
}

static inline void read_contacts_release(read_contacts *self) {
    void *const all[] = {self->heads,    self->tags, self->places, self->impulses, self->torques,
                         self->features, self->left, self->rows,   self->skims};
    for (int i = 0; i < 9; i++) free(all[i]);
}

static inline void expect_points(const read_contacts *is, const contact_head *head, const contact_set *set,
                                 const contact_pair *pair) {
    const manifold_point *places = contact_places(set, pair);
    const contact_action *actions = contact_actions(set, pair);
    for (int k = 0; k < pair->manifold.count; k++) {
        const int at = head->first + k;
        const float4_host place = four_of(places[k].position, places[k].gap),
                          impulse = four_of(actions[k].impulse, actions[k].push),
                          torque = four_of(contact_torque(set, pair, k), 0);
        const contact_row row = {actions[k].bias, actions[k].compliance};
        assert_memory_equal(&is->places[at], &place, sizeof place);
        assert_int_equal(is->features[at], places[k].feature);
        assert_memory_equal(&is->impulses[at], &impulse, sizeof impulse);
        assert_memory_equal(&is->rows[at], &row, sizeof row);
        if (set->has_resistance) assert_memory_equal(&is->torques[at], &torque, sizeof torque);
    }
}

/* Compares entry m, whose points must begin at `first`. */
static inline void expect_entry(const read_contacts *is, uint32_t m, int first, const contact_set *set,
                                const contact_pair *pair) {
    contact_head head = head_of_pair(pair);
    const contact_tag tag = tag_of_pair(pair);
    head.first = first;
    if (memcmp(&is->heads[m], &head, sizeof head) != 0)
        fail_msg("entry %u: (%d, %d) with %d points, load %g; expected (%d, %d), %d, %g", m, is->heads[m].a,
                 is->heads[m].b, head_count(is->heads[m]), (double)is->heads[m].load, head.a, head.b,
                 head_count(head), (double)head.load);
    assert_int_equal(is->tags[m].children, pair->manifold.children);
    assert_int_equal(is->tags[m].bits, tag.bits);
    expect_points(is, &head, set, pair);
}

static inline bool is_shape_tested(scree_shape_kind kind) {
    return device_shape_tested(&rig.device, kind) || device_children_tested(&rig.device, kind);
}

/* Returns whether the device has a test for a pair: without double precision for balls, boxes, half-spaces
 * and clumps. */
static inline bool is_tested(const body_array *bodies, body_pair pair) {
    return is_shape_tested(bodies->shapes[pair.a].kind) && is_shape_tested(bodies->shapes[pair.b].kind);
}

/* Numbers that a comparison has seen. */
typedef struct comparison {
    int entries, points, hits, left, images, examined, skims, launches;
} comparison;

/* Returns whether groups or a joint keep bodies from touching. */
static inline bool is_held_apart(const body_array *bodies, body_pair pair) {
    return (bodies->filtered && !bodies_may_touch(bodies, pair.a, pair.b)) ||
           (bodies->apart_count && bodies_apart(bodies, pair.a, pair.b));
}

/* The device must list the dropped contacts of the pairs that it tests, in the host's order. */
static inline void expect_skims(const read_contacts *is, const body_array *bodies, const host_search *of) {
    uint32_t listed = 0;
    for (int i = 0; i < of->skims.count; i++) {
        if (!is_tested(bodies, of->skims.items[i].pair)) continue;
        assert_true(listed < is->counts[CONTACTS_SKIMS]);
        assert_memory_equal(&is->skims[listed++], &of->skims.items[i], sizeof(skim));
    }
    assert_int_equal(listed, is->counts[CONTACTS_SKIMS]);
}

/* The device must have an entry for each of the host's, in order, or list the pair, if it has no test. */
static inline comparison expect_same(const read_contacts *is, const body_array *bodies,
                                     const host_search *of) {
    comparison seen = {.examined = (int)is->counts[CONTACTS_EXAMINED],
                       .skims = (int)is->counts[CONTACTS_SKIMS]};
    const contact_set *set = &of->contacts;
    for (int i = 0, c = 0; i < of->count; i++) {
        const body_pair pair = of->pairs[i];
        const bool leaves = !is_tested(bodies, pair) && !is_held_apart(bodies, pair);
        if (leaves) {
            assert_true(seen.left < (int)is->counts[CONTACTS_LEFT]);
            assert_int_equal(is->left[seen.left++], i);
        }
        for (;
             c < set->count && body_pair_order((body_pair){set->pairs[c].manifold.a, set->pairs[c].manifold.b,
                                                           set->pairs[c].manifold.image},
                                               pair) == 0;
             c++) {
            if (leaves) continue;
            assert_true(seen.entries < (int)is->counts[CONTACTS_PAIRS]);
            expect_entry(is, (uint32_t)seen.entries++, seen.points, set, &set->pairs[c]);
            seen.points += set->pairs[c].manifold.count, seen.hits += set->pairs[c].hits;
            seen.images += pair.image != 0;
        }
    }
    assert_int_equal(seen.left, is->counts[CONTACTS_LEFT]);
    assert_int_equal(seen.entries, is->counts[CONTACTS_PAIRS]);
    assert_int_equal(seen.points, is->counts[CONTACTS_POINTS]);
    expect_skims(is, bodies, of);
    return seen;
}

/* Searches once, without waiting or copying, and returns the number of launches. */
static inline int search_once(const sent_bodies *bodies, const device_pairs *pairs,
                              const opencl_buffer *images, const device_contacts *before,
                              device_contacts *out) {
    const scree_device_traffic start = rig.device.traffic;
    opencl_scratch_clear(&rig.device);
    CHECK(opencl_contacts_search(&narrow, &bodies->as, pairs, images, contact_margin, contact_step, before,
                                 out));
    const scree_device_traffic *end = &rig.device.traffic;
    assert_int_equal(end->waits, start.waits);
    assert_int_equal(end->bytes_up + end->bytes_down, start.bytes_up + start.bytes_down);
    return (int)(end->launches - start.launches);
}

/* Searches with these capacities until everything fits; `out` keeps them. The counts of a search are complete
 * if its pairs of children fit, so that the third one fits. */
static inline int search_until_fits(const sent_bodies *bodies, const device_pairs *pairs,
                                    const opencl_buffer *images, const device_contacts *before,
                                    device_contacts *out) {
    uint32_t counts[CONTACTS_COUNTS];
    for (int searches = 0; searches < 3; searches++) {
        const int launches = search_once(bodies, pairs, images, before, out);
        rig_read(&out->counts, counts, sizeof counts);
        const bool items = opencl_contacts_grow(&narrow, counts), contacts = device_contacts_grow(out, counts);
        if (!items && !contacts) return launches;
    }
    fail_msg("the counts of a search were not complete");
    return 0;
}

/* Searches on both sides after `before`, compares, and leaves the host's result in `out`. */
static inline comparison compare_step(const body_array *bodies, const contact_set *before, host_search *out) {
    *out = host_search_of(bodies, before);
    opencl_buffer images = {0};
    sent_bodies sent;
    send_bodies(bodies, &sent);
    device_contacts old = send_contacts(before),
                    now = {.pair_capacity = 1, .point_capacity = 1, .slot_capacity = 1};
    device_pairs pairs = send_list(out, 5, &images);
    const opencl_buffer *of_pairs = bodies->period.any ? &images : NULL;
    const int launches = search_until_fits(&sent, &pairs, of_pairs, &old, &now);
    read_contacts is = read_set(&pairs, of_pairs, &now);
    comparison seen = expect_same(&is, bodies, out);
    seen.launches = launches;
    read_contacts_release(&is);
    device_contacts_release(&rig.device, &now);
    device_contacts_release(&rig.device, &old);
    sent_bodies_release(&sent);
    opencl_buffer *const buffers[] = {&pairs.a, &pairs.b, &images};
    for (int i = 0; i < 3; i++) opencl_buffer_release(&rig.device, buffers[i]);
    return seen;
}
