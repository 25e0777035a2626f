/* Colours of random contact graphs, checked by brute force; persistence, the uncoloured remainder, and long
 * runs with changing contacts. */
#include "base/team.h"
#include "expect.h"
#include "random.h"
#include "base/memory.h"
#include "rows/pairs.h"

enum { BODIES = 400, PAIRS = 2500 };

static uint64_t seed;

static uint8_t types[BODIES];
static const body_array bodies = {.count = BODIES, .types = types};
static contact_pair storage[PAIRS], other_storage[PAIRS];

/* Every 10th body is static, every 25th kinematic, the others dynamic. */
static void set_types(void) {
    for (int i = 0; i < BODIES; ++i)
        types[i] = i % 25 == 3 ? SLOT_KINEMATIC : i % 10 == 0 ? SLOT_STATIC : SLOT_DYNAMIC;
}

static int by_bodies(const void *left, const void *right) {
    const contact_manifold *a = &((const contact_pair *)left)->manifold,
                           *b = &((const contact_pair *)right)->manifold;
    return a->a != b->a ? a->a - b->a : a->b - b->b;
}

static bool present(const contact_set *set, int a, int b) {
    for (int i = 0; i < set->count; ++i)
        if (set->pairs[i].manifold.a == a && set->pairs[i].manifold.b == b) return true;
    return false;
}

/* Colours the pairs and stores the colours as their last ones, like a step. */
static void colour(contact_set *set, int limit) {
    const problem_input from = {.contacts = set, .bodies = &bodies};
    constraint_pairs pairs = {0};
    CHECK(pairs_collect(&pairs, &from, 2, NULL));
    CHECK(colouring_update(&pairs, BODIES, limit, 2));
    for (int i = 0; i < set->count; ++i) set->pairs[i].last_colour = pairs.items[i].colour;
    pairs_release(&pairs);
}

/* Appends a new pair with at least one dynamic body; `reach` is the largest difference of slots. */
static void add_random_pair(contact_set *set, int reach) {
    for (;;) {
        const int a = random_below(&seed, BODIES - 1), b = a + 1 + random_below(&seed, reach);
        if (b >= BODIES || (types[a] != SLOT_DYNAMIC && types[b] != SLOT_DYNAMIC) || present(set, a, b))
            continue;
        set->pairs[set->count++] =
            (contact_pair){.manifold = {.a = a, .b = b, .count = 1}, .last_colour = -1};
        return;
    }
}

static void remove_random_pair(contact_set *set) {
    const int i = random_below(&seed, set->count);
    set->pairs[i] = set->pairs[--set->count];
}

static contact_set random_graph(int pairs, int reach) {
    contact_set set = {.pairs = storage, .capacity = PAIRS};
    set_types();
    while (set.count < pairs) add_random_pair(&set, reach);
    qsort(set.pairs, (size_t)set.count, sizeof *set.pairs, by_bodies);
    return set;
}

static bool share_dynamic(const contact_pair *p, const contact_pair *q) {
    const int ends[2] = {p->manifold.a, p->manifold.b};
    for (int i = 0; i < 2; ++i)
        if (types[ends[i]] == SLOT_DYNAMIC && (ends[i] == q->manifold.a || ends[i] == q->manifold.b))
            return true;
    return false;
}

/* Compares all pairs: asserts no clash, and returns the colours of the neighbours of pair i as a mask. */
static uint64_t neighbour_colours(const contact_set *set, int i, int *neighbours) {
    uint64_t mask = 0;
    *neighbours = 0;
    for (int j = 0; j < set->count; ++j) {
        if (j == i || !share_dynamic(&set->pairs[i], &set->pairs[j])) continue;
        mask |= UINT64_C(1) << set->pairs[j].last_colour;
        ++*neighbours;
    }
    return mask;
}

static void assert_valid(const contact_set *set, int limit, bool first_fit) {
    for (int i = 0; i < set->count; ++i) {
        const int colour = set->pairs[i].last_colour;
        int neighbours;
        const uint64_t mask = neighbour_colours(set, i, &neighbours), below = (UINT64_C(1) << colour) - 1;
        assert_in_range(colour, 0, limit);
        if (colour < limit) assert_false(mask >> colour & 1);
        /* Only a pair without a free colour is uncoloured, and with first_fit or settled colours no smaller
         * colour was free. */
        if (colour == limit || first_fit) assert_true((mask & below) == below);
        if (first_fit) assert_true(colour <= neighbours);
    }
}

static void random_graphs_are_coloured(void **state) {
    (void)state;
    const int limits[] = {1, 2, 5, 12, 32};
    for (size_t k = 0; k < sizeof limits / sizeof *limits; ++k) {
        seed = 17 + (uint64_t)k;
        contact_set set = random_graph(1500, k % 2 ? BODIES : 12);
        colour(&set, limits[k]);
        assert_valid(&set, limits[k], true);
    }
}

static void static_bodies_do_not_count(void **state) {
    (void)state;
    set_types();
    contact_set set = {.pairs = storage, .capacity = PAIRS};
    for (int b = 1; b < BODIES; ++b)
        if (types[b] == SLOT_DYNAMIC)
            set.pairs[set.count++] = (contact_pair){.manifold = {.a = 0, .b = b}, .last_colour = -1};
    colour(&set, 12);
    for (int i = 0; i < set.count; ++i) assert_int_equal(set.pairs[i].last_colour, 0);
}

/* Asserts that the pairs of one body have all colours below `limit`, each once, and the others none. */
static void assert_all_used(const contact_set *set, int limit) {
    int pairs_of[13] = {0};
    for (int i = 0; i < set->count; ++i) pairs_of[set->pairs[i].last_colour]++;
    for (int k = 0; k < limit; ++k) assert_int_equal(pairs_of[k], 1);
    assert_int_equal(pairs_of[limit], set->count - limit);
}

/* A dynamic body that touches 60 others uses all colours; the other 48 pairs are uncoloured and stay so. */
static void hub_fills_the_uncoloured_remainder(void **state) {
    (void)state;
    memset(types, SLOT_DYNAMIC, sizeof types);
    contact_set set = {.pairs = storage, .capacity = PAIRS};
    for (int b = 1; b <= 60; ++b)
        set.pairs[set.count++] = (contact_pair){.manifold = {.a = 0, .b = b}, .last_colour = -1};
    colour(&set, 12);
    assert_all_used(&set, 12);
    memcpy(other_storage, storage, sizeof storage);
    for (int step = 0; step < 3; ++step) colour(&set, 12);
    assert_memory_equal(other_storage, storage, sizeof storage);
    /* When a coloured pair parts, another one gets its colour. */
    int parted = 0;
    while (set.pairs[parted].last_colour != 3) ++parted;
    memmove(set.pairs + parted, set.pairs + parted + 1, (size_t)(59 - parted) * sizeof *set.pairs);
    set.count = 59;
    colour(&set, 12);
    assert_all_used(&set, 12);
    assert_valid(&set, 12, true);
}

/* A dynamic body that carries 60 others has a colour for its pair with the static body below, wherever that
 * is in the order. */
static void support_of_a_hub_is_coloured(void **state) {
    (void)state;
    for (int below = 0; below <= 61; below++) {
        const int hub = below == 0; /* 1, or else 0 */
        memset(types, SLOT_DYNAMIC, sizeof types);
        types[below] = SLOT_STATIC;
        contact_set set = {.pairs = storage, .capacity = PAIRS};
        for (int other = 0; other <= 61; other++)
            if (other != hub)
                set.pairs[set.count++] = (contact_pair){
                    .manifold = {.a = other < hub ? other : hub, .b = other < hub ? hub : other, .count = 1},
                    .last_colour = -1};
        colour(&set, 12);
        for (int i = 0; i < set.count; i++)
            if (types[set.pairs[i].manifold.a] == SLOT_STATIC ||
                types[set.pairs[i].manifold.b] == SLOT_STATIC)
                assert_int_equal(set.pairs[i].last_colour, 0);
    }
}

static void settle(contact_set *set, int limit) {
    for (int step = 0; step < 40; ++step) colour(set, limit);
}

static void colours_persist(void **state) {
    (void)state;
    seed = 5;
    contact_set set = random_graph(900, 12);
    settle(&set, 12);
    memcpy(other_storage, storage, sizeof storage);
    colour(&set, 12);
    assert_memory_equal(other_storage, storage, sizeof storage);

    /* New contacts change no old colours, wherever they are in the order. */
    for (int i = 0; i < 30; ++i) add_random_pair(&set, 12);
    qsort(set.pairs, (size_t)set.count, sizeof *set.pairs, by_bodies);
    contact_set before = {.count = set.count, .pairs = other_storage};
    memcpy(other_storage, storage, sizeof storage);
    colour(&set, 12);
    for (int i = 0; i < set.count; ++i)
        if (before.pairs[i].last_colour >= 0 && before.pairs[i].last_colour < 12)
            assert_int_equal(set.pairs[i].last_colour, before.pairs[i].last_colour);
    assert_valid(&set, 12, false);
}

static void pairs_that_clash_are_coloured_again(void **state) {
    (void)state;
    memset(types, SLOT_DYNAMIC, sizeof types);
    contact_pair pairs[] = {
        {.manifold = {.a = 0, .b = 1}, .last_colour = 0},
        {.manifold = {.a = 1, .b = 2}, .last_colour = 0},
        {.manifold = {.a = 1, .b = 3}, .last_colour = 1},
        {.manifold = {.a = 4, .b = 5}, .last_colour = 7}}; /* above the limit: treated as none */
    contact_set set = {.count = 4, .pairs = pairs};
    colour(&set, 4);
    assert_int_equal(pairs[0].last_colour + pairs[1].last_colour, 2); /* 0 and 2, in either order */
    assert_int_not_equal(pairs[0].last_colour, pairs[1].last_colour);
    assert_int_equal(pairs[2].last_colour, 1);
    assert_int_equal(pairs[3].last_colour, 0);
}

/* Contacts come and go for 400 steps; every step is valid, and at the end the colouring is no worse than
 * greedy. */
static void long_run_does_not_fragment(void **state) {
    (void)state;
    seed = 99;
    contact_set set = random_graph(700, 8);
    for (int step = 0; step < 400; ++step) {
        for (int i = 0; i < 40; ++i) remove_random_pair(&set);
        for (int i = 0; i < 40; ++i) add_random_pair(&set, 8);
        qsort(set.pairs, (size_t)set.count, sizeof *set.pairs, by_bodies);
        colour(&set, 20);
        if (step % 20 == 0) assert_valid(&set, 20, false);
    }
    settle(&set, 20);
    assert_valid(&set, 20, true);
    int kept = 0, fresh = 0;
    for (int i = 0; i < set.count; ++i)
        kept = set.pairs[i].last_colour > kept ? set.pairs[i].last_colour : kept;
    for (int i = 0; i < set.count; ++i) set.pairs[i].last_colour = -1;
    colour(&set, 20);
    for (int i = 0; i < set.count; ++i)
        fresh = set.pairs[i].last_colour > fresh ? set.pairs[i].last_colour : fresh;
    assert_true(kept <= fresh + 1);
}

static void equal_inputs_give_equal_colours(void **state) {
    (void)state;
    seed = 3;
    contact_set set = random_graph(1200, 30);
    for (int i = 0; i < set.count; ++i) set.pairs[i].last_colour = random_below(&seed, 14) - 1;
    memcpy(other_storage, storage, sizeof storage);
    contact_set other = {.count = set.count, .pairs = other_storage};
    colour(&set, 12);
    colour(&other, 12);
    for (int i = 0; i < set.count; ++i)
        assert_int_equal(set.pairs[i].last_colour, other.pairs[i].last_colour);
}

/* Large enough for several threads. Most pairs join bodies of near slots, some any two,
 * some a static body. */
enum { MANY = 20000, ROW = 4 };

static void fill_many(constraint_pairs *pairs, int last_most) {
    static constraint_pair items[ROW * MANY];
    *pairs = (constraint_pairs){.items = items};
    for (int a = 0; a < MANY - 1; ++a)
        for (int k = 0, b = a + 1; k < ROW && b < MANY; ++k) {
            const bool far = random_below(&seed, 20) == 0, held = random_below(&seed, 20) == 0;
            b += random_below(&seed, far ? MANY - b : k < ROW - 1 && b + 50 < MANY ? 50 : 1);
            items[pairs->count++] =
                (constraint_pair){.a = a,
                                  .b = b++,
                                  .flags = held ? PAIR_MOVES_B : PAIR_MOVES_A | PAIR_MOVES_B,
                                  .colour = last_most ? random_below(&seed, last_most + 1) - 1 : -1};
        }
}

/* Stores the colours of the movable bodies as masks; fails if two pairs of a body share a colour. */
static void mark_colours(const constraint_pairs *pairs, int limit, uint32_t masks[MANY]) {
    memset(masks, 0, MANY * sizeof *masks);
    for (int i = 0; i < pairs->count; ++i) {
        const constraint_pair *pair = &pairs->items[i];
        assert_in_range(pair->colour, 0, limit);
        if (pair->colour == limit) continue;
        for (int side = 0; side < 2; ++side) {
            if (!(pair->flags & (side ? PAIR_MOVES_B : PAIR_MOVES_A))) continue;
            uint32_t *mask = &masks[side ? pair->b : pair->a];
            assert_false(*mask >> pair->colour & 1);
            *mask |= UINT32_C(1) << pair->colour;
        }
    }
}

static uint32_t marked(const constraint_pair *pair, const uint32_t masks[MANY]) {
    return (pair->flags & PAIR_MOVES_A ? masks[pair->a] : 0) |
           (pair->flags & PAIR_MOVES_B ? masks[pair->b] : 0);
}

/* From scratch, every pair gets the smallest colour that its neighbours leave. */
static void colours_do_not_depend_on_threads(void **state) {
    (void)state;
    static int first[ROW * MANY];
    static uint32_t masks[MANY];
    const int limits[] = {12, 32}, threads[] = {1, 2, 3, 7};
    for (int k = 0; k < 2; ++k)
        for (int clashing = 0; clashing < 2; ++clashing)
            for (int t = 0; t < 4; ++t) {
                constraint_pairs pairs;
                seed = 7 + (uint64_t)k;
                fill_many(&pairs, clashing ? 16 : 0);
                CHECK(colouring_update(&pairs, MANY, limits[k], threads[t]));
                mark_colours(&pairs, limits[k], masks);
                for (int i = 0; i < pairs.count; ++i) {
                    const int colour = pairs.items[i].colour;
                    if (t == 0) first[i] = colour;
                    assert_int_equal(colour, first[i]);
                    const uint32_t below = (UINT32_C(1) << colour) - 1;
                    if (!clashing && colour < 32)
                        assert_true((marked(&pairs.items[i], masks) & below) == below);
                }
                /* Colours again from the stored ones: hardly any pair is a candidate, and nothing clashes. */
                CHECK(colouring_update(&pairs, MANY, limits[k], threads[t]));
                mark_colours(&pairs, limits[k], masks);
                for (int i = 0; i < pairs.count && !clashing; ++i)
                    assert_int_equal(pairs.items[i].colour, first[i]);
                pairs.items = NULL;
                pairs_release(&pairs);
            }
}

static void *no_memory(size_t bytes, void *user) {
    (void)bytes, (void)user;
    return NULL;
}

static void no_release(void *block, void *user) { (void)block, (void)user; }

static void out_of_memory_is_reported(void **state) {
    (void)state;
    contact_set set = random_graph(10, 8);
    const problem_input from = {.contacts = &set, .bodies = &bodies};
    constraint_pairs pairs = {0};
    CHECK(pairs_collect(&pairs, &from, 1, NULL));
    scree_set_allocator(&(scree_allocator){no_memory, no_release, NULL});
    const scree_result result = colouring_update(&pairs, BODIES, 12, 1);
    scree_set_allocator(NULL);
    pairs_release(&pairs);
    assert_int_equal(result, SCREE_ERROR_MEMORY);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_graphs_are_coloured),
        cmocka_unit_test(static_bodies_do_not_count),
        cmocka_unit_test(hub_fills_the_uncoloured_remainder),
        cmocka_unit_test(support_of_a_hub_is_coloured),
        cmocka_unit_test(colours_persist),
        cmocka_unit_test(pairs_that_clash_are_coloured_again),
        cmocka_unit_test(long_run_does_not_fragment),
        cmocka_unit_test(equal_inputs_give_equal_colours),
        cmocka_unit_test(colours_do_not_depend_on_threads),
        cmocka_unit_test(out_of_memory_is_reported),
    };
    team *helpers = team_create(7, NULL);
    team_lead(helpers);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    team_destroy(helpers);
    return failed;
}
