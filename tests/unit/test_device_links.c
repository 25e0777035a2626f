/* Pairs with joints in an arrangement on the device test_device(): merged with those of contacts, coloured
 * first, and given places as problem_arrange and problem_index do, step after step; what the device refuses;
 * and the blocks of joints at their places. `--small` (for simulators of devices) takes few pairs. */
#include "device_arrange.h"

#include "rows/linked_rows.h"

enum { SPARE = 30 /* entries of the capacity beyond the contacts */ };

static bool simulated;
static opencl_links links;

/* -- Random graphs with joints ----------------------------------------------------------- */

typedef struct graph {
    int bodies, pairs, joints, limit;
    bool together; /* many joints are between bodies that touch, and some between the same bodies */
    bool several;  /* entries of the same bodies are of their children, or of detection passes */
} graph;

typedef struct scene {
    body_array bodies;
    contact_set contacts;
    joint_array joints;
} scene;

static int by_bodies(const void *left, const void *right) {
    const contact_manifold *a = &((const contact_pair *)left)->manifold,
                           *b = &((const contact_pair *)right)->manifold;
    return a->a != b->a ? a->a - b->a : a->b - b->b;
}

/* Some entries have the same bodies, as those of detection passes have. */
static void make_contacts(graph of, contact_set *set) {
    set->pairs = memory_allocate((size_t)of.pairs + 1, sizeof *set->pairs);
    assert_non_null(set->pairs);
    set->count = set->capacity = of.pairs;
    set->several = of.several;
    for (int i = 0; i < of.pairs; i++) {
        const int a = random_below(&seed, of.bodies - 1), b = a + 1 + random_below(&seed, of.bodies - 1 - a);
        set->pairs[i] = (contact_pair){.manifold = {.a = a, .b = b}, .last_colour = -1};
        set->pairs[i].manifold.count = 1 + (unsigned)random_below(&seed, MANIFOLD_POINTS);
    }
    qsort(set->pairs, (size_t)of.pairs, sizeof *set->pairs, by_bodies);
    for (int i = 0; i < of.pairs; i++) {
        set->pairs[i].first = set->points;
        set->pairs[i].predicted =
            i > 0 && by_bodies(&set->pairs[i - 1], &set->pairs[i]) == 0 && !(of.several && i % 16);
        set->pairs[i].manifold.children = of.several ? i : 0;
        set->points += set->pairs[i].manifold.count;
    }
}

static scree_body_id id_of(int slot) { return (scree_body_id){.index = (uint32_t)slot + 1}; }

static void add_joint(graph of, scene *to, int i) {
    const scree_joint_kind kinds[] = {SCREE_JOINT_BALL, SCREE_JOINT_FIXED, SCREE_JOINT_SLIDER,
                                      SCREE_JOINT_GENERAL};
    scree_joint_def def = scree_default_joint_def(kinds[random_below(&seed, of.limit == 1 ? 1 : 4)]);
    const contact_manifold *near = &to->contacts.pairs[of.pairs ? random_below(&seed, of.pairs) : 0].manifold;
    const bool touches = of.together && of.pairs > 0 && i % 3;
    int place;
    def.a = id_of(touches ? near->a : random_below(&seed, of.bodies - 1));
    def.b = touches      ? id_of(near->b)
            : i % 7 == 0 ? (scree_body_id){0}
                         : id_of((int)def.a.index + random_below(&seed, of.bodies - (int)def.a.index));
    if (i % 2 && def.b.index) { /* in reverse */
        const scree_body_id first = def.a;
        def.a = def.b, def.b = first;
    }
    if (to->bodies.types[(def.a.index ? def.a : def.b).index - 1] == SLOT_FREE) return;
    CHECK(joints_add(&to->joints, &def, of.bodies, &place));
}

static scene make_scene(graph of) {
    scene out = {.bodies = bodies_make(of.bodies)};
    for (int i = 0; i < of.bodies; i++) {
        out.bodies.types[i] = i % 10 == 1 ? SLOT_STATIC : SLOT_DYNAMIC;
        out.bodies.shapes[i].size.x = 0.1f;
        out.bodies.poses[i] = pose_of(random_vector(&seed, -1, 1), random_rotation(&seed));
    }
    set_materials(false);
    add_loads(&out.bodies);
    make_contacts(of, &out.contacts);
    for (int i = 0; i < of.joints; i++) add_joint(of, &out, i);
    CHECK(joints_order(&out.joints, &out.bodies));
    for (int i = 0; i < out.joints.count; i++) out.joints.next[i] = out.joints.states[i];
    return out;
}

static void scene_release(scene *self) {
    memory_release(self->bodies.apart);
    arranged_bodies_free(&self->bodies);
    contacts_release(&self->contacts);
    joints_release(&self->joints);
}

/* -- Comparison ------------------------------------------------------------------------- */

static problem_input input_of(scene *of, scree_solver_def *options, int limit) {
    *options = scree_default_solver_def();
    options->colours = limit;
    return (problem_input){.contacts = &of->contacts,
                           .bodies = &of->bodies,
                           .materials = &materials,
                           .options = options,
                           .joints = &of->joints,
                           .motion = motion};
}

/* The first block of each entry, and of the joints of each pair. */
static void expect_firsts(const problem *p, const problem *is, const scene *of) {
    int *firsts = rig_array((size_t)of->contacts.count + 1, sizeof *firsts), linked = 0;
    for (int i = 0; i < p->pairs.count; i++) {
        const constraint_pair *pair = &p->pairs.items[i];
        const int first = p->groups[p->pair_group[i]].first;
        const slice held = pairs_links(&p->pairs, i);
        int blocks = 0;
        for (int k = held.first; k < held.end; k++)
            for (int b = 0; b < of->joints.links[k].blocks; b++, blocks++)
                assert_int_equal(links.targets[of->joints.links[held.first].first_row + blocks],
                                 first + blocks);
        if (pair->flags & PAIR_HELD) assert_int_equal(is->pairs.items[linked++].colour, pair->colour);
        int contact = pair->contact;
        for (int left = pair->points; left > 0; contact++) {
            firsts[contact] = first + blocks;
            blocks += (int)of->contacts.pairs[contact].manifold.count;
            left -= (int)of->contacts.pairs[contact].manifold.count;
        }
    }
    assert_int_equal(linked, is->linked);
    cl_uint held = 0;
    for (int i = 0; i < linked; i++) held |= 1u << is->pairs.items[i].colour;
    assert_int_equal(arrange.report[ARRANGED_HELD], held);
    EXPECT_ARRAY(arrange.firsts, firsts, of->contacts.count);
    free(firsts);
}

/* Sends the joints' blocks to their places, and reads a solution there. */
static void expect_blocks(problem *is) {
    const size_t rows = (size_t)is->row_count, n = (size_t)is->block_count;
    opencl_buffer blocks = {0}, starts = {0}, pushes = {0};
    constraint_block *found = rig_array(n + 1, sizeof *found);
    block_impulse *solution = rig_array(n + 1, sizeof *solution), *taken = rig_array(rows + 1, sizeof *taken);
    for (size_t i = 0; i < n; i++) solution[i].value = random_vector(&seed, -1, 1);
    for (size_t i = 0; i < rows; i++) is->blocks[i] = (constraint_block){.body_a = (int)i, .length = 3};
    for (size_t i = 0; i < rows; i++) {
        is->impulses[i].value = random_vector(&seed, -1, 1);
        is->pseudo_impulses[i].value = random_vector(&seed, -1, 1);
    }
    rig_send(&blocks, found, (n + 1) * sizeof *found);
    rig_send(&starts, solution, (n + 1) * sizeof *solution);
    rig_send(&pushes, solution, (n + 1) * sizeof *solution);
    CHECK(opencl_links_place(&links, is, &blocks, &starts, &pushes));
    CHECK(opencl_links_read(&links, &pushes, taken));
    rig_read(&blocks, found, n * sizeof *found);
    for (size_t i = 0; i < rows; i++) {
        assert_memory_equal(&found[links.targets[i]], &is->blocks[i], sizeof *found);
        assert_memory_equal(&taken[i], &is->pseudo_impulses[i], sizeof *taken);
    }
    rig_read(&starts, solution, n * sizeof *solution);
    for (size_t i = 0; i < rows; i++)
        assert_memory_equal(&solution[links.targets[i]], &is->impulses[i], sizeof *solution);
    opencl_buffer *const buffers[] = {&blocks, &starts, &pushes};
    for (int i = 0; i < 3; i++) opencl_buffer_release(&rig.device, buffers[i]);
    free(found), free(solution), free(taken);
}

typedef struct seen_links {
    int alone, merged, refused, arranged, wide;
} seen_links;

/* Returns whether the device has arranged. */
static bool compare_one(scene *of, int limit, seen_links *seen) {
    scree_solver_def options;
    const problem_input from = input_of(of, &options, limit);
    problem p = {0}, is = {0};
    sent_scene sent;
    device_contacts entries = send_entries(&of->contacts, SPARE);
    send_scene(&of->bodies, &sent);
    CHECK(problem_arrange(&p, &from, 2, NULL));
    CHECK(problem_index(&p, &of->bodies, 2, NULL));
    CHECK(linked_rows_collect(&is, &from, NULL));
    CHECK(opencl_links_send(&links, &is, &of->bodies));
    sent.as.grounded = is.body_count > of->bodies.count;
    sent.as.links = is.linked > 0 ? &links : NULL;
    sent.as.several = of->contacts.several;
    arrange.wide = false;
    do {
        opencl_scratch_clear(&rig.device);
        CHECK(opencl_arrange_begin(&arrange, &sent.as, &entries, motion, limit));
        CHECK(opencl_arrange_finish(&arrange, of->contacts.count / 8, &is));
    } while (opencl_arrange_widen(&arrange));
    const bool refused = opencl_arrange_barrier(&arrange) != NULL;
    seen->wide += arrange.wide;
    if (!refused) {
        CHECK(opencl_links_take_places(&links, &is));
        expect_arrangement(&is, &p, &of->contacts, &entries);
        expect_firsts(&p, &is, of);
        expect_blocks(&is);
        assert_int_equal(is.row_count, p.row_count);
        assert_int_equal(is.pairs.crowd, p.pairs.crowd);
        assert_int_equal(is.pairs.joined, p.pairs.joined);
        for (int i = 0; i < p.pairs.count; i++) {
            const constraint_pair *pair = &p.pairs.items[i];
            if (!(pair->flags & PAIR_HELD)) continue;
            ++*(pair->contact < 0 ? &seen->alone : &seen->merged);
            of->joints.next[of->joints.links[pairs_links(&p.pairs, i).first].joint].colour = pair->colour;
        }
    }
    ++*(refused ? &seen->refused : &seen->arranged);
    problem_release(&p);
    problem_release(&is);
    device_contacts_release(&rig.device, &entries);
    sent_scene_release(&sent);
    return !refused;
}

/* Arranges a graph, and then again with the colours that it got, some of which are lost. */
static seen_links compare_steps(graph of) {
    scene now = make_scene(of);
    seen_links seen = {0};
    for (int step = 0; step < (simulated ? 2 : 3); step++) {
        if (!compare_one(&now, of.limit, &seen)) break;
        for (int i = 0; i < now.contacts.count; i++)
            now.contacts.pairs[i].last_colour = i % 5 ? now.contacts.colours[i] : -1;
    }
    scene_release(&now);
    return seen;
}

static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups, direct;
        group_kind kind;
    } runs[] = {{1024, 64, GROUPS_OF_MANY}, {3, 3, GROUPS_OF_ONE}};
    if (device_is_there() && !device_has_native_bits()) skip();
    for (int k = 0; k < (simulated ? 1 : 2); k++) {
        seed = 43;
        rig_open(runs[k].groups, runs[k].direct, runs[k].kind);
        open_arrange();
        opencl_links_open(&links, &rig.primitives);
        check();
        opencl_links_close(&links);
        close_arrange();
        rig_close();
    }
}

static void check_graphs(void) {
    static const int pairs[] = {0, 1, 255, 256, 1500}, joints[] = {1, 3, 257, 40, 700};
    seen_links all = {0};
    for (int k = 0; k < (simulated ? 1 : 10); k++) {
        const graph of = {.bodies = simulated ? 12 : 4 + (pairs[k % 5] + joints[k % 5]) / 2,
                          .pairs = simulated ? 14 : pairs[k % 5],
                          .joints = simulated ? 9 : joints[k % 5],
                          .limit = simulated || k > 4 ? 32 : 12,
                          .together = simulated || k % 2};
        const seen_links seen = compare_steps(of);
        all.alone += seen.alone, all.merged += seen.merged, all.arranged += seen.arranged;
    }
    assert_true(all.alone > (simulated ? 2 : 500) && all.merged > (simulated ? 2 : 100));
    assert_true(all.arranged > (simulated ? 1 : 15));
}
/* Pairs of several entries, of which some have more than 15 blocks. */
static void check_children(void) {
    seen_links all = {0};
    for (int k = 0; k < (simulated ? 1 : 4); k++) {
        const graph of = {.bodies = simulated ? 4 : 7 + 3 * k,
                          .pairs = simulated ? 40 : 300 + 100 * k,
                          .joints = simulated ? 4 : 30,
                          .limit = simulated || k > 1 ? 32 : 12,
                          .together = true,
                          .several = true};
        const seen_links seen = compare_steps(of);
        all.merged += seen.merged, all.arranged += seen.arranged, all.wide += seen.wide;
    }
    assert_true(all.merged > 0 && all.arranged > 0 && all.wide > 0);
}
static void joints_are_merged_with_pairs_of_children(void **state) {
    (void)state;
    on_groups(check_children);
}

static void joints_are_merged(void **state) {
    (void)state;
    on_groups(check_graphs);
}

/* Joints without a colour are refused; more blocks than a narrow tally counts are not. */
static void check_refusals(void) {
    const graph crowded = {.bodies = 8, .pairs = 4, .joints = 40, .limit = 1};
    assert_int_equal(compare_steps(crowded).refused, 1);
    scene many = make_scene((graph){.bodies = 3, .pairs = 1, .limit = 12});
    many.contacts.pairs[0].manifold.a = 0, many.contacts.pairs[0].manifold.b = 2;
    scree_joint_def def = scree_default_joint_def(SCREE_JOINT_FIXED);
    seen_links seen = {0};
    def.a = id_of(0), def.b = id_of(2);
    for (int i = 0; i < 8; i++) {
        int place;
        CHECK(joints_add(&many.joints, &def, 3, &place));
    }
    CHECK(joints_order(&many.joints, &many.bodies));
    for (int i = 0; i < 8; i++) many.joints.next[i] = many.joints.states[i];
    assert_true(compare_one(&many, 12, &seen));
    assert_int_equal(seen.wide, 1);
    scene_release(&many);
}
static void what_does_not_fit_is_refused(void **state) {
    (void)state;
    on_groups(check_refusals);
}

int main(int argc, char **argv) {
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    const struct CMUnitTest tests[] = {cmocka_unit_test(joints_are_merged),
                                       cmocka_unit_test(joints_are_merged_with_pairs_of_children),
                                       cmocka_unit_test(what_does_not_fit_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
