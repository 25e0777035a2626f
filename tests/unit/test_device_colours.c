/* The colouring on the device test_device() gives the colours of the host: of random graphs, of colours that
 * clash, of bodies with many contacts, step after step, and for any number of work-groups. `--small` (for
 * simulators of devices) takes few pairs. */
#include "primitives_rig.h"

#include "base/memory.h"
#include "device/opencl/opencl_colours.h"
#include "rows/pairs.h"

enum { BODIES = 3000, PAIRS = 12000, MOVES = 1u << 31 };

static bool simulated;
static opencl_colours colours;
static constraint_pair items[PAIRS];
static uint64_t seed;

typedef struct graph {
    int pairs, bodies, reach;
    int hub;       /* pairs of body 0 */
    int last_most; /* colours of the last step are random from −1 up to this */
} graph;

static void make_graph(graph of) {
    for (int i = 0; i < of.pairs; i++) {
        const int a = i < of.hub ? 0 : random_below(&seed, of.bodies - 1), most = of.bodies - 1 - a,
                  b = a + 1 + random_below(&seed, i >= of.hub && of.reach < most ? of.reach : most),
                  held = i < of.hub ? 9 : random_below(&seed, 10);
        items[i] = (constraint_pair){.a = a,
                                     .b = b,
                                     .flags = held == 0   ? PAIR_MOVES_B
                                              : held == 1 ? PAIR_MOVES_A
                                                          : PAIR_MOVES_A | PAIR_MOVES_B,
                                     .last_colour = (signed char)(random_below(&seed, of.last_most + 2) - 1)};
    }
}

/* Colours on the device; the capacity exceeds the number of pairs. */
static void colour_on_device(graph of, int limit, int32_t *out) {
    const uint32_t capacity = (uint32_t)of.pairs + 100;
    uint32_t *ends = rig_array(2 * (size_t)capacity, sizeof *ends);
    for (int i = 0; i < of.pairs; i++) {
        ends[2 * i] = (uint32_t)items[i].a | (items[i].flags & PAIR_MOVES_A ? MOVES : 0);
        ends[2 * i + 1] = (uint32_t)items[i].b | (items[i].flags & PAIR_MOVES_B ? MOVES : 0);
        out[i] = items[i].last_colour;
    }
    rig_send(&rig.a, ends, 2 * (size_t)capacity * sizeof *ends);
    rig_send(&rig.b, out, (size_t)capacity * sizeof *out);
    CHECK(opencl_colours_update(&colours, &rig.a, &rig.b, rig_length((uint32_t)of.pairs, capacity, 0),
                                (cl_uint)of.bodies, limit));
    rig_read(&rig.b, out, (size_t)capacity * sizeof *out);
    free(ends);
}

static void compare(graph of, int limit) {
    constraint_pairs pairs = {.count = of.pairs, .items = items};
    int32_t *found = rig_array((size_t)of.pairs + 100, sizeof *found);
    colour_on_device(of, limit, found);
    CHECK(colouring_update(&pairs, of.bodies, limit, 2));
    for (int i = 0; i < of.pairs; i++)
        if (found[i] != items[i].colour)
            fail_msg("pair %d: colour %d instead of %d", i, found[i], items[i].colour);
    for (int i = 0; i < of.pairs; i++) items[i].last_colour = items[i].colour;
    pairs.items = NULL;
    pairs_release(&pairs);
    free(found);
}

/* Colours a graph, and then again with some pairs replaced. */
static void compare_steps(graph of, int limit) {
    make_graph(of);
    for (int step = 0; step < (simulated ? 2 : 4); step++) {
        compare(of, limit);
        for (int i = 0; i < of.pairs / 10; i++) items[random_below(&seed, of.pairs)].last_colour = -1;
    }
}

static void on_groups(void (*check)(void)) {
    static const struct {
        cl_uint groups;
        group_kind kind;
    } runs[] = {{1024, GROUPS_OF_MANY}, {3, GROUPS_OF_ONE}, {1, GROUPS_OF_MANY}};
    for (int k = 0; k < (simulated ? 1 : 3); k++) {
        seed = 41;
        rig_open(runs[k].groups, 64, runs[k].kind);
        opencl_colours_open(&colours, &rig.primitives);
        check();
        opencl_colours_close(&colours);
        rig_close();
    }
}

static void check_few(void) {
    for (int n = 0; n < 4; n++) compare_steps((graph){.pairs = n, .bodies = 4, .reach = 2}, 2);
}
static void few_pairs_are_coloured(void **state) {
    (void)state;
    on_groups(check_few);
}

static void check_random(void) {
    static const int limits[] = {12, 1, 3, 32}, sizes[] = {255, 256, 257, 12000};
    for (int k = 0; k < (simulated ? 1 : 4); k++) {
        const int n = simulated ? 60 : sizes[k];
        compare_steps((graph){.pairs = n, .bodies = n / 4 + 2, .reach = 20, .last_most = k % 2 ? 14 : -1},
                      limits[k]);
    }
}
static void random_graphs_are_coloured(void **state) {
    (void)state;
    on_groups(check_random);
}

/* Most contacts of a body with many go to the remainder; the others take more rounds than are launched. */
static void check_hub(void) {
    const int n = simulated ? 40 : 5000;
    compare_steps((graph){.pairs = n, .bodies = BODIES, .reach = 9, .hub = n / 2, .last_most = -1},
                  simulated ? 12 : 31);
}
static void hubs_are_coloured(void **state) {
    (void)state;
    on_groups(check_hub);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_pairs_are_coloured),
        cmocka_unit_test(random_graphs_are_coloured),
        cmocka_unit_test(hubs_are_coloured),
    };
    simulated = argc > 1 && strcmp(argv[1], "--small") == 0;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
