/* The arrangement on the device test_device() gives the pairs' colours, groups, incidence and survey of
 * problem_arrange and problem_index to the bit: of random graphs with hubs, resistances and clashing colours,
 * and of the contacts of moving bodies, step after step and for any number of work-groups. `--small` (for
 * simulators of devices) takes few pairs. */
#include "device_arrange.h"

#include "block.h"

enum { SPARE = 100 /* entries of the capacity beyond the contacts */ };

static bool simulated;

static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups, direct;
        group_kind kind;
    } runs[] = {{1024, 64, GROUPS_OF_MANY}, {3, 3, GROUPS_OF_ONE}, {2, 1, GROUPS_OF_MANY}};
    if (device_is_there() && !device_has_native_bits()) skip();
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        seed = 41;
        rig_open(runs[k].groups, runs[k].direct, runs[k].kind);
        open_arrange();
        opencl_contacts_open(&narrow, &rig.primitives);
        check();
        opencl_contacts_close(&narrow);
        close_arrange();
        rig_close();
    }
}

/* -- Random graphs ------------------------------------------------------------------------ */

typedef struct graph {
    int pairs, bodies, reach;
    int hub;       /* pairs of body 0 */
    int last_most; /* colours of the last step are random from −1 up to this */
    bool resist;
    bool single; /* one point a pair */
    bool idle;   /* no loads */
} graph;

static body_array graph_bodies(graph of) {
    body_array bodies = bodies_make(of.bodies);
    for (int i = 1; i < of.bodies; i++) {
        bodies.types[i] = i % 10 == 0 ? SLOT_STATIC : i % 25 == 3 ? SLOT_KINEMATIC : SLOT_DYNAMIC;
        bodies.shapes[i].size.x = (float)random_between(&seed, 0.01, 1);
    }
    set_materials(of.resist);
    add_loads(&bodies);
    if (of.idle) memset(bodies.loads, 0, (size_t)of.bodies * sizeof *bodies.loads);
    return bodies;
}

static int by_bodies(const void *left, const void *right) {
    const contact_manifold *a = &((const contact_pair *)left)->manifold,
                           *b = &((const contact_pair *)right)->manifold;
    return a->a != b->a ? a->a - b->a : a->b != b->b ? a->b - b->b : a->children - b->children;
}

/* Two entries of a pair of bodies are two pairs of the problem, as those of detection passes are. */
static contact_pair random_pair(graph of, int i) {
    const int a = i < of.hub ? 0 : random_below(&seed, of.bodies - 1), most = of.bodies - 1 - a,
              b = a + 1 + random_below(&seed, i >= of.hub && of.reach < most ? of.reach : most);
    contact_pair pair = {.manifold = {.a = a, .b = b}};
    pair.manifold.count = 1 + (unsigned)random_below(&seed, of.single ? 1 : MANIFOLD_POINTS);
    pair.last_colour = (short)(random_below(&seed, of.last_most + 2) - 1);
    return pair;
}

static contact_set make_graph(graph of) {
    contact_set set = {.count = of.pairs, .capacity = of.pairs};
    set.pairs = memory_allocate((size_t)of.pairs + 1, sizeof *set.pairs);
    assert_non_null(set.pairs);
    for (int i = 0; i < of.pairs; i++) set.pairs[i] = random_pair(of, i);
    return set;
}

/* Sorts the pairs and gives them their points. */
static void settle(contact_set *set) {
    qsort(set->pairs, (size_t)set->count, sizeof *set->pairs, by_bodies);
    set->points = 0;
    for (int i = 0; i < set->count; i++) {
        set->pairs[i].first = set->points;
        set->points += set->pairs[i].manifold.count;
    }
}

/* Arranges a graph, and then again with a tenth of the pairs replaced. */
static seen_cases compare_steps(graph of, int limit) {
    body_array bodies = graph_bodies(of);
    contact_set set = make_graph(of);
    seen_cases seen = {0};
    for (int step = 0; step < (simulated ? 2 : 4); step++) {
        settle(&set);
        device_contacts sent = send_entries(&set, set.count > 0 ? SPARE : 0);
        compare(&bodies, &set, &sent, limit, &seen);
        device_contacts_release(&rig.device, &sent);
        for (int i = 0; i < set.count; i++) set.pairs[i].last_colour = set.colours[i];
        of.last_most = -1;
        for (int i = 0; i < of.pairs / 10; i++)
            set.pairs[random_below(&seed, of.pairs)] = random_pair(of, of.hub);
    }
    contacts_release(&set);
    arranged_bodies_free(&bodies);
    return seen;
}

static void check_few(void) {
    compare_steps((graph){.pairs = 0}, 12);
    for (int n = 0; n < 4; n++)
        compare_steps((graph){.pairs = n, .bodies = 4, .reach = 2, .resist = n == 2}, 2);
    several_entries = true;
    compare_steps((graph){.pairs = simulated ? 20 : 700, .bodies = 200, .reach = 20}, 12);
    several_entries = false;
}
static void few_pairs_are_arranged(void **state) {
    (void)state;
    on_groups(check_few);
}

static void check_random(void) {
    static const int limits[] = {12, 1, 3, 32, 7, 12}, sizes[] = {255, 256, 257, 5000, 1023, 1025};
    for (int k = 0; k < (simulated ? 1 : 6); k++) {
        const int n = simulated ? 60 : sizes[k], limit = simulated ? 2 : limits[k];
        const graph of = {
            .pairs = n, .bodies = n / 4 + 2, .reach = 20, .last_most = k % 2 ? 14 : -1, .resist = k % 2 == 0};
        const seen_cases seen = compare_steps(of, limit);
        assert_true(seen.colours <= limit && (limit > 3 || seen.remainder > 0));
        assert_true(of.resist ? seen.resistances > 0 : seen.resistances == 0);
        assert_in_range(seen.launches, 9, 25);
        assert_true(limit < 7 || (seen.tails > n / 8 && seen.single_waits > 1) || simulated);
    }
}
static void random_graphs_are_arranged(void **state) {
    (void)state;
    on_groups(check_random);
}

/* Bodies at the borders of work-groups and tiles. */
static void check_slots(void) {
    static const int slots[] = {2, 255, 256, 257, 1023, 1024, 1025, 2049};
    for (int k = 0; k < 8; k++)
        compare_steps((graph){.pairs = 300, .bodies = slots[k], .reach = 3000, .idle = k % 2}, 12);
}
static void any_number_of_bodies_is_arranged(void **state) {
    (void)state;
    if (simulated) skip();
    on_groups(check_slots);
}

/* Most contacts of a body with many go to the remainder, in pieces; the others take more rounds than are
 * launched. */
static void check_hub(void) {
    const int n = simulated ? 160 : 5000;
    const graph of = {.pairs = n,
                      .bodies = simulated ? 300 : 3000,
                      .reach = 9,
                      .hub = simulated ? 150 : n / 2,
                      .last_most = -1};
    const seen_cases seen = compare_steps(of, simulated ? 3 : 31);
    assert_true(seen.remainder > n / 8 && seen.pieces > (simulated ? 0 : 10));
}
static void hubs_are_arranged(void **state) {
    (void)state;
    on_groups(check_hub);
}

/* -- Contacts of moving bodies ---------------------------------------------------------- */

/* Balls or boxes in a heap on a half-space, with static ones between them. */
static body_array heap(int count, scree_shape_kind kind) {
    body_array bodies = bodies_make(count);
    set_materials(true);
    for (int i = 0; i < count; i++) {
        const vec3s size = random_vector(&seed, 0.2, 0.5);
        bodies.shapes[i] = shape_of(kind, size.x, size.y, size.z);
        bodies.poses[i] = pose_of(random_vector(&seed, 0, simulated ? 1 : 4), random_rotation(&seed));
        if (i % 9 == 0) bodies.types[i] = SLOT_STATIC;
    }
    bodies.shapes[count / 2] = shape_of(SCREE_SHAPE_HALF_SPACE, 0, 0, 0);
    bodies.poses[count / 2] = pose_of(vec3_of(0, 0, 0.2f), versor_of(0, 0, 0, 1));
    bodies.types[count / 2] = SLOT_STATIC;
    add_loads(&bodies);
    for (int i = 0; i < count; i++)
        if (bodies.types[i] != SLOT_DYNAMIC) bodies.velocities[i] = (body_velocity){.reserved = 0};
    return bodies;
}

/* Finds the contacts of a step on the device after `before`, whose colours the arrangement has written
 * there. */
static device_contacts find_on_device(const body_array *bodies, const host_search *of,
                                      const device_contacts *before) {
    opencl_buffer images = {0};
    sent_bodies sent;
    device_contacts out = {.pair_capacity = 1, .point_capacity = 1, .slot_capacity = 1};
    send_bodies(bodies, &sent);
    device_pairs pairs = send_list(of, 5, &images);
    search_until_fits(&sent, &pairs, NULL, before, &out);
    sent_bodies_release(&sent);
    opencl_buffer *const buffers[] = {&pairs.a, &pairs.b, &images};
    for (int i = 0; i < 3; i++) opencl_buffer_release(&rig.device, buffers[i]);
    return out;
}

static void move_on(body_array *bodies) {
    for (int i = 0; i < bodies->count; i++) {
        if (bodies->types[i] != SLOT_DYNAMIC) continue;
        vec3s *at = &bodies->poses[i].position;
        *at = glms_vec3_add(*at, glms_vec3_scale(bodies->velocities[i].linear, contact_step));
    }
}

/* Contacts and colours of the device never leave it. */
static seen_cases compare_motion(int count, scree_shape_kind kind, int steps, int limit) {
    body_array bodies = heap(count, kind);
    host_search last = {0};
    seen_cases seen = {0};
    device_contacts before = {.resists = true};
    CHECK(device_contacts_clear(&rig.device, &before));
    for (int step = 0; step < steps; step++) {
        host_search now = host_search_of(&bodies, &last.contacts);
        device_contacts found = find_on_device(&bodies, &now, &before);
        compare(&bodies, &now.contacts, &found, limit, &seen);
        assert_true(now.contacts.count > count / 2);
        device_contacts_release(&rig.device, &before);
        host_search_release(&last);
        before = found, last = now;
        move_on(&bodies);
    }
    device_contacts_release(&rig.device, &before);
    host_search_release(&last);
    arranged_bodies_free(&bodies);
    return seen;
}

static void check_motion(void) {
    static const int limits[] = {12, 1, 4};
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        const scree_shape_kind kind = k % 2 ? SCREE_SHAPE_BOX : SCREE_SHAPE_SPHERE;
        const seen_cases seen =
            compare_motion(simulated ? 12 : 300, kind, simulated ? 2 : 5, simulated ? 2 : limits[k]);
        assert_true(seen.resistances > 0 && (limits[k] > 4 || seen.remainder > 0));
    }
}
static void contacts_keep_their_colours(void **state) {
    (void)state;
    on_groups(check_motion);
}

/* Contacts that did not fit into their set are invalid, and are not read. */
static void check_overflow(void) {
    const graph of = {.pairs = 30, .bodies = 20, .reach = 9};
    body_array bodies = graph_bodies(of);
    contact_set set = make_graph(of);
    problem is = {0};
    seen_cases seen = {0};
    sent_scene sent;
    settle(&set);
    for (int few = 0; few < 2; few++) {
        device_contacts contacts = send_entries(&set, set.count > 0 ? SPARE : 0);
        *(few ? &contacts.point_capacity : &contacts.pair_capacity) = 20;
        send_scene(&bodies, &sent);
        arrange_on_device(&sent.as, &contacts, 12, 0, &is, &seen);
        assert_int_equal(is.group_count + is.block_count + is.pairs.count, 0);
        assert_int_equal(arrange.report[ARRANGED_CONTACTS + CONTACTS_PAIRS], 30);
        sent_scene_release(&sent);
        device_contacts_release(&rig.device, &contacts);
    }
    contacts_release(&set);
    arranged_bodies_free(&bodies);
}
static void contacts_that_did_not_fit_are_left_out(void **state) {
    (void)state;
    on_groups(check_overflow);
}

/* -- Kinds of colours -------------------------------------------------------------------- */

/* Blocks of contacts on the line of the bodies' centres. */
static constraint_block *blocks_of_balls(const problem *p) {
    constraint_block *blocks = rig_array((size_t)p->block_count, sizeof *blocks);
    for (int g = 0; g < p->group_count; g++) {
        const block_group group = p->groups[g];
        const vec3s normal = random_direction(&seed);
        for (int k = group.first; k < group.first + group.count; k++)
            blocks[k] = (constraint_block){.body_a = group.body_a,
                                           .body_b = group.body_b,
                                           .kind = BLOCK_CONTACT,
                                           .normal = normal,
                                           .arm_a = glms_vec3_scale(normal, 0.3f),
                                           .arm_b = glms_vec3_scale(normal, -0.7f)};
    }
    return blocks;
}

/* Makes a block, or its body, one that the programs for balls cannot sweep; after ways 0 and 3 those for
 * contacts alone cannot either. */
static void spoil(constraint_block *block, body_mass *mass_of_a, int way) {
    if (way == 0) block->angular = 1;
    if (way == 1) block->spinning = 0.1f;
    if (way == 2) block->rolling = -0.1f;
    if (way == 3) block->kind = BLOCK_RESISTANCE;
    if (way == 4)
        block->arm_b = glms_vec3_add(block->arm_b, glms_vec3_scale(tangent_of(block->normal), 1e-4f));
    if (way == 5) mass_of_a->locks = SCREE_LOCK_X;
    if (way == 6) mass_of_a->inertia.y = 2;
}
enum { WAYS = 7 };

static bool is_fixed(const body_array *bodies, int slot) { return bodies->types[slot] != SLOT_DYNAMIC; }

/* Spoils one block between two movable bodies; the colours of all blocks that this concerns are not of balls.
 */
static void spoil_one(const problem *p, body_array *bodies, constraint_block *blocks, int way,
                      sweep_kind *kinds) {
    int g = random_below(&seed, p->colour_first[p->colour_count]);
    while (is_fixed(bodies, p->groups[g].body_a) || is_fixed(bodies, p->groups[g].body_b))
        g = random_below(&seed, p->colour_first[p->colour_count]);
    const int body = p->groups[g].body_a;
    spoil(&blocks[p->groups[g].first], &bodies->masses[body], way);
    for (int colour = 0; colour < p->colour_count; colour++)
        for (int h = p->colour_first[colour]; h < p->colour_first[colour + 1]; h++)
            if (h == g || (way > 4 && (p->groups[h].body_a == body || p->groups[h].body_b == body)))
                kinds[colour] = way == 0 || way == 3 ? SWEEP_BLOCKS : SWEEP_CONTACTS;
}

static void find_kinds(const sent_scene *sent, const device_contacts *contacts,
                       const constraint_block *blocks, const problem *p, sweep_kind *found) {
    problem is = {0};
    opencl_buffer buffer = {0};
    rig_send(&buffer, blocks, (size_t)p->block_count * sizeof *blocks);
    CHECK(opencl_arrange_begin(&arrange, &sent->as, contacts, motion, 12));
    CHECK(opencl_arrange_find_kinds(&arrange, &buffer, UINT32_MAX, sent->as.masses));
    CHECK(opencl_arrange_finish(&arrange, 0, &is));
    assert_int_equal(opencl_arrange_kinds(&arrange, found), p->colour_count);
    opencl_buffer_release(&rig.device, &buffer);
}

static void compare_kinds(graph of, int way) {
    body_array bodies = graph_bodies(of);
    contact_set set = make_graph(of);
    problem p = {0};
    sent_scene sent;
    sweep_kind found[PROBLEM_COLOURS], kinds[PROBLEM_COLOURS];
    for (int i = 0; i < bodies.count; i++) bodies.masses[i].inertia = vec3_of(1, 1, 1);
    settle(&set);
    device_contacts contacts = send_entries(&set, set.count > 0 ? SPARE : 0);
    arrange_on_host(&p, &bodies, &set, 12);
    constraint_block *blocks = blocks_of_balls(&p);
    for (int c = 0; c < p.colour_count; c++) {
        kinds[c] = SWEEP_BALLS;
        for (int g = p.colour_first[c]; g < p.colour_first[c + 1]; g++)
            if (p.groups[g].count != 1) kinds[c] = SWEEP_CONTACTS;
    }
    if (way < WAYS) spoil_one(&p, &bodies, blocks, way, kinds);
    send_scene(&bodies, &sent);
    find_kinds(&sent, &contacts, blocks, &p, found);
    assert_true(p.colour_count > 2);
    for (int c = 0; c < p.colour_count; c++)
        if (found[c] != kinds[c])
            fail_msg("spoilt by %d: colour %d: kind %d, must be %d", way, c, found[c], kinds[c]);
    free(blocks);
    sent_scene_release(&sent);
    device_contacts_release(&rig.device, &contacts);
    problem_release(&p);
    contacts_release(&set);
    arranged_bodies_free(&bodies);
}

static void check_kinds(void) {
    const int n = simulated ? 60 : 600;
    for (int way = simulated ? 4 : 0; way <= WAYS; way++)
        compare_kinds((graph){.pairs = n, .bodies = n / 2, .reach = n, .last_most = -1, .single = true}, way);
    if (!simulated) compare_kinds((graph){.pairs = n, .bodies = n, .reach = n, .last_most = -1}, WAYS);
}
static void kinds_of_colours_are_found(void **state) {
    (void)state;
    on_groups(check_kinds);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pairs_are_arranged),
        cmocka_unit_test(random_graphs_are_arranged),
        cmocka_unit_test(any_number_of_bodies_is_arranged),
        cmocka_unit_test(hubs_are_arranged),
        cmocka_unit_test(contacts_keep_their_colours),
        cmocka_unit_test(contacts_that_did_not_fit_are_left_out),
        cmocka_unit_test(kinds_of_colours_are_found),
    };
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
