/* The device's arrangement of bodies and contacts of a test, compared with problem_arrange and problem_index.
 */
#pragma once

#include "device_contacts.h"

#include "device/opencl/opencl_arrange.h"
#include "rows/mass_unit.h"
#include "block.h"

enum { MATERIALS = 3 };

static opencl_arrange arrange;
static struct {
    opencl_buffer groups, incidence_first, incidence, splits, remainder_bodies, pieces;
} arranged;
static uint64_t seed;

/* -- Bodies with loads and materials ----------------------------------------------------- */

static material_table materials;

/* Material 1 resists rolling against all, material 2 spinning against material 0 only. */
static inline void set_materials(bool resist) {
    const scree_material_def plain = scree_default_material_def();
    scree_material_def rough = plain;
    scree_material_pair_def pair = scree_default_material_pair_def();
    rough.rolling_friction = 1e-3f, pair.spinning_friction = 1e-3f;
    CHECK(material_table_init(&materials, &plain));
    for (int i = 1; i < MATERIALS; i++)
        CHECK(material_table_add(&materials, i == 1 && resist ? &rough : &plain, NULL));
    if (resist) CHECK(material_table_set_pair(&materials, 2, 0, &pair));
}

static inline void add_loads(body_array *bodies) {
    const size_t n = (size_t)bodies->count;
    bodies->loads = rig_array(n, sizeof *bodies->loads);
    bodies->materials = rig_array(n, sizeof *bodies->materials);
    for (int i = 0; i < bodies->count; i++) {
        const double size = random_between(&seed, -30, 30);
        bodies->materials[i] = random_below(&seed, MATERIALS);
        bodies->velocities[i].linear = random_vector(&seed, -2, 2);
        if (bodies->types[i] != SLOT_DYNAMIC) {
            bodies->masses[i].mass = 0;
            continue;
        }
        bodies->masses[i].mass = (float)exp(random_between(&seed, -20, 5));
        if (i % 3) bodies->loads[i].force = random_vector(&seed, -exp(size), exp(size));
    }
}

static inline void arranged_bodies_free(body_array *bodies) {
    free(bodies->loads), free(bodies->materials);
    material_table_release(&materials);
    bodies_free(bodies);
}

typedef struct sent_scene {
    sent_bodies bodies;
    opencl_buffer types, loads, materials, resists;
    arranged_bodies as;
} sent_scene;

static inline bool has_loads(const body_array *bodies) {
    return !memory_is_zero(bodies->loads, (size_t)bodies->count * sizeof *bodies->loads);
}

static inline void send_scene(const body_array *bodies, sent_scene *out) {
    const size_t n = (size_t)bodies->count, words = material_resistance_words(&materials);
    uint32_t *bits = rig_array(words, sizeof *bits);
    *out = (sent_scene){.as.count = (cl_uint)n};
    send_bodies(bodies, &out->bodies);
    rig_send(&out->types, bodies->types, n);
    rig_send(&out->loads, bodies->loads, n * sizeof *bodies->loads);
    out->as.types = &out->types, out->as.loads = has_loads(bodies) ? &out->loads : NULL,
    out->as.shapes = &out->bodies.shapes;
    out->as.masses = &out->bodies.masses, out->as.velocities = &out->bodies.velocities;
    if (material_resists(&materials)) {
        material_resistances(&materials, bits);
        rig_send(&out->materials, bodies->materials, n * sizeof *bodies->materials);
        rig_send(&out->resists, bits, words * sizeof *bits);
        out->as.materials = &out->materials, out->as.resists = &out->resists;
        out->as.material_count = materials.count;
    }
    free(bits);
}

static inline void sent_scene_release(sent_scene *self) {
    opencl_buffer *const buffers[] = {&self->types, &self->loads, &self->materials, &self->resists};
    for (int i = 0; i < 4; i++) opencl_buffer_release(&rig.device, buffers[i]);
    sent_bodies_release(&self->bodies);
}

/* -- Comparison ------------------------------------------------------------------------- */

static const motion_parameters motion = {.gravity = {0, 0, -9.81f}, .time_step = 1 / 120.0f};

static inline void arrange_on_host(problem *p, const body_array *bodies, contact_set *contacts, int limit) {
    scree_solver_def options = scree_default_solver_def();
    options.colours = limit;
    const problem_input from = {.contacts = contacts,
                                .bodies = bodies,
                                .materials = &materials,
                                .options = &options,
                                .motion = motion};
    int regrown = 0;
    CHECK(problem_arrange(p, &from, 2, &regrown));
    CHECK(problem_index(p, bodies, 2, &regrown));
}

#define EXPECT_ARRAY(buffer, items, count)                                                                   \
    expect_array(&(buffer), items, (size_t)(count), sizeof *(items), #items)
static inline void expect_array(const opencl_buffer *buffer, const void *items, size_t count, size_t size,
                                const char *name) {
    char *found = rig_array(count, size);
    rig_read(buffer, found, count * size);
    for (size_t i = 0; i < count; i++)
        if (memcmp(found + i * size, (const char *)items + i * size, size) != 0)
            fail_msg("%s of %zu: entry %zu differs: %d instead of %d", name, count, i,
                     *(int *)(void *)(found + i * size),
                     *(const int *)(const void *)((const char *)items + i * size));
    free(found);
}

static inline void expect_numbers(const problem *is, const problem *p) {
    assert_int_equal(is->body_count, p->body_count);
    assert_int_equal(is->pairs.count, p->pairs.count);
    assert_int_equal(is->pairs.remainder, p->pairs.remainder);
    assert_int_equal(is->block_count, p->block_count);
    assert_int_equal(is->group_count, p->group_count);
    assert_int_equal(is->colour_count, p->colour_count);
    assert_int_equal(is->remainder_first, p->remainder_first);
    assert_int_equal(is->remainder_body_count, p->remainder_body_count);
    assert_memory_equal(is->colour_first, p->colour_first,
                        (size_t)(p->colour_count + 2) * sizeof *p->colour_first);
    assert_int_equal(is->mass_exponent, p->mass_exponent);
    assert_memory_equal(&is->kilograms, &p->kilograms, sizeof is->kilograms);
    assert_memory_equal(&is->smallest, &p->smallest, sizeof is->smallest);
    assert_memory_equal(&is->drive_speed, &p->drive_speed, sizeof is->drive_speed);
    assert_memory_equal(&is->time_step, &p->time_step, sizeof is->time_step);
}

/* The pieces of bodies with many blocks may have any order: each must be there once. */
static inline void expect_pieces(const problem *p) {
    const size_t count = arrange.report[ARRANGED_PIECES];
    cl_int2 *pieces = rig_array(count, sizeof *pieces);
    int *found = rig_array((size_t)p->body_count, sizeof *found);
    size_t expected = 0;
    rig_read(&arranged.pieces, pieces, count * sizeof *pieces);
    for (size_t i = 0; i < count; i++) found[pieces[i].s[0]] |= 1 << pieces[i].s[1];
    for (int body = 0; body < p->body_count; body++) {
        const int blocks = p->incidence_first[body + 1] - p->incidence_first[body],
                  own = blocks > GATHER_PIECE ? (blocks + GATHER_PIECE - 1) / GATHER_PIECE : 0;
        assert_true(own < 31);
        assert_int_equal(found[body], (1 << own) - 1);
        expected += (size_t)own;
    }
    assert_int_equal(count, expected);
    free(pieces), free(found);
}

static inline void expect_arrangement(const problem *is, const problem *p, const contact_set *contacts,
                                      const device_contacts *on_device) {
    expect_numbers(is, p);
    EXPECT_ARRAY(arranged.groups, p->groups, p->group_count);
    EXPECT_ARRAY(arrange.pair_group, p->pair_group, p->pairs.count);
    EXPECT_ARRAY(on_device->colours, contacts->colours, contacts->count);
    EXPECT_ARRAY(arranged.incidence_first, p->incidence_first, p->body_count + 1);
    EXPECT_ARRAY(arranged.incidence, p->incidence, p->incidence_first[p->body_count]);
    EXPECT_ARRAY(arranged.splits, p->splits, p->body_count);
    EXPECT_ARRAY(arranged.remainder_bodies, p->remainder_bodies, p->remainder_body_count);
    if (p->remainder_first < p->block_count) expect_pieces(p);
}

/* Largest numbers in the comparisons of a test. */
typedef struct seen_cases {
    int colours, remainder, resistances, pieces, launches;
    int tails, single_waits; /* groups read for plans, and arrangements with one wait */
} seen_cases;

static inline int larger(int a, int b) { return a > b ? a : b; }

/* Arranges on the device: one wait for the report and the groups of small colours, or two. */
static inline void arrange_on_device(const arranged_bodies *bodies, const device_contacts *contacts,
                                     int limit, int largest, problem *out, seen_cases *seen) {
    const scree_device_traffic start = rig.device.traffic;
    opencl_scratch_clear(&rig.device);
    CHECK(opencl_arrange_begin(&arrange, bodies, contacts, motion, limit));
    const scree_device_traffic middle = rig.device.traffic;
    assert_int_equal(middle.waits, start.waits);
    assert_int_equal(middle.bytes_up + middle.bytes_down, start.bytes_up + start.bytes_down);
    CHECK(opencl_arrange_finish(&arrange, largest, out));
    assert_in_range(rig.device.traffic.waits, start.waits + 1, start.waits + 2);
    assert_int_equal(rig.device.traffic.bytes_up, start.bytes_up);
    seen->launches = (int)(middle.launches - start.launches);
    seen->single_waits += rig.device.traffic.waits == start.waits + 1;
    seen->tails += arrange.tail.end - arrange.tail.first;
}

/* Both sides plan the same sweeps. */
static inline void expect_plan(const problem *p, int largest) {
    sweep_plan is = {0}, plan = {0};
    CHECK(sweep_plan_make(&is, &arrange.graph, largest));
    CHECK(sweep_plan_of_problem(&plan, p, largest));
    assert_int_equal(is.launch_count, plan.launch_count);
    assert_int_equal(is.bundle_count, plan.bundle_count);
    assert_int_equal(is.rank_count, plan.rank_count);
    assert_int_equal(is.order_count, plan.order_count);
    for (int i = 0; i < plan.launch_count; i++) {
        assert_int_equal(is.launches[i].bundled, plan.launches[i].bundled);
        assert_int_equal(is.launches[i].first, plan.launches[i].first);
        assert_int_equal(is.launches[i].count, plan.launches[i].count);
    }
    assert_memory_equal(is.bundle_first, plan.bundle_first, (size_t)(plan.bundle_count + 1) * sizeof(int));
    assert_memory_equal(is.rank_first, plan.rank_first, (size_t)(plan.rank_count + 1) * sizeof(int));
    for (int k = 0; k < plan.order_count; k++) assert_int_equal(is.order[k], plan.order[k]);
    sweep_plan_release(&is);
    sweep_plan_release(&plan);
}

/* A graph that has been planned is recognised, unless one of the ends differs from those that were kept. */
static inline void expect_same_graph(const arranged_bodies *bodies, const device_contacts *contacts,
                                     int limit, int largest) {
    problem is = {0};
    seen_cases seen = {0};
    const sweep_ends other = {~0u, ~0u};
    opencl_arrange_planned(&arrange, true);
    arrange_on_device(bodies, contacts, limit, largest, &is, &seen);
    assert_true(arrange.same);
    if (arrange.kept.end > arrange.kept.first) {
        CHECK(opencl_buffer_write(&rig.device, &arrange.kept_ends, &other, sizeof other, CL_TRUE, "ends"));
        arrange_on_device(bodies, contacts, limit, largest, &is, &seen);
        assert_false(arrange.same || arrange.planned);
    }
    opencl_arrange_planned(&arrange, false);
}

static bool several_entries; /* whether entries of the same bodies are one pair */

static inline void compare(const body_array *bodies, contact_set *contacts, const device_contacts *on_device,
                           int limit, seen_cases *seen) {
    problem p = {0}, is = {0};
    sent_scene sent;
    send_scene(bodies, &sent);
    sent.as.several = contacts->several = several_entries;
    arrange_on_host(&p, bodies, contacts, limit);
    const int largest = contacts->count / 8;
    arrange_on_device(&sent.as, on_device, limit, largest, &is, seen);
    expect_arrangement(&is, &p, contacts, on_device);
    expect_plan(&p, largest);
    expect_same_graph(&sent.as, on_device, limit, largest);
    seen->colours = larger(seen->colours, p.colour_count);
    seen->remainder = larger(seen->remainder, p.block_count - p.remainder_first);
    seen->resistances = larger(seen->resistances, p.block_count - contacts->points);
    seen->pieces = larger(seen->pieces, (int)arrange.report[ARRANGED_PIECES]);
    problem_release(&p);
    sent_scene_release(&sent);
}

static inline void open_arrange(void) {
    opencl_arrange_open(&arrange, &rig.primitives,
                        (arranged_problem){.groups = &arranged.groups,
                                           .incidence_first = &arranged.incidence_first,
                                           .incidence = &arranged.incidence,
                                           .splits = &arranged.splits,
                                           .remainder_bodies = &arranged.remainder_bodies,
                                           .pieces = &arranged.pieces});
}

static inline void close_arrange(void) {
    opencl_buffer *const buffers[] = {&arranged.groups, &arranged.incidence_first,  &arranged.incidence,
                                      &arranged.splits, &arranged.remainder_bodies, &arranged.pieces};
    for (int i = 0; i < 6; i++) opencl_buffer_release(&rig.device, buffers[i]);
    opencl_arrange_close(&arrange);
}

/* Sends the heads and tags of the contacts alone; the capacities exceed them by `spare`. */
static inline device_contacts send_entries(const contact_set *set, cl_uint spare) {
    const size_t n = (size_t)set->count;
    device_contacts out = {.pair_capacity = (cl_uint)n + spare,
                           .point_capacity = (cl_uint)set->points + spare};
    contact_head *heads = rig_array(n, sizeof *heads);
    contact_tag *tags = rig_array(n, sizeof *tags);
    CHECK(device_contacts_clear(&rig.device, &out));
    for (size_t i = 0; i < n; i++)
        heads[i] = head_of_pair(&set->pairs[i]), tags[i] = tag_of_pair(&set->pairs[i]);
    rig_send(&out.heads, heads, n * sizeof *heads);
    rig_send(&out.tags, tags, n * sizeof *tags);
    const cl_uint counts[CONTACTS_COUNTS] = {(cl_uint)set->count, (cl_uint)set->points};
    rig_send(&out.counts, counts, sizeof counts);
    free(heads), free(tags);
    return out;
}
