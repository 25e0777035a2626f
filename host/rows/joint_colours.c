/* Colours of joints beyond those of the options. In the uncoloured remainder, n joints of a body are solved
 * with 1/n of its mass each, block by block. Plain sweeps then leave 60 links of 0.6 m on a hub of the mass
 * of one open by 91 mm instead of 6 mm. */
#include "pairs.h"

#include <string.h>

/* Returns the joints that are counted at a pair's movable bodies so far: the larger number. */
static int joints_at(const uint32_t *counts, const constraint_pair *pair) {
    const int of_a = pair->flags & PAIR_MOVES_A ? (int)counts[pair->a] : 0,
              of_b = pair->flags & PAIR_MOVES_B ? (int)counts[pair->b] : 0;
    return of_a > of_b ? of_a : of_b;
}

static void set_joints(uint32_t *counts, const constraint_pair *pair, int joints) {
    if (pair->flags & PAIR_MOVES_A) counts[pair->a] = (uint32_t)joints;
    if (pair->flags & PAIR_MOVES_B) counts[pair->b] = (uint32_t)joints;
}

bool joint_colours_count(constraint_pairs *pairs, uint32_t *counts, int bodies, int limit) {
    bool any = false;
    memset(counts, 0, (size_t)bodies * sizeof *counts);
    pairs->joined = pairs->crowd = 0;
    for (int i = 0; i < pairs->count; i++) {
        const constraint_pair *pair = &pairs->items[i];
        if (!(pair->flags & PAIR_HELD)) continue;
        any = any || pair->colour == limit;
        pairs->joined++;
        if (pair->flags & PAIR_MOVES_A) counts[pair->a]++;
        if (pair->flags & PAIR_MOVES_B) counts[pair->b]++;
        const int here = joints_at(counts, pair);
        if (here > pairs->crowd) pairs->crowd = here;
    }
    return any;
}

/* Takes the colour after the last further one at both bodies, in the order of the pairs. */
static void take_further(constraint_pairs *pairs, uint32_t *counts, int limit) {
    for (int i = 0; i < pairs->count; i++) {
        constraint_pair *pair = &pairs->items[i];
        if (!(pair->flags & PAIR_HELD) || pair->colour != limit) continue;
        const int further = joints_at(counts, pair);
        if (further == FURTHER_COLOURS) continue;
        pair->colour = (signed char)(limit + 1 + further);
        set_joints(counts, pair, further + 1);
        if (limit + 1 + further > pairs->remainder) pairs->remainder = limit + 1 + further;
    }
}

void joint_colours_add(constraint_pairs *pairs, int bodies, int limit) {
    uint32_t *counts = pairs->marks_of_others;
    if (!joint_colours_count(pairs, counts, bodies, limit)) return;
    memset(counts, 0, (size_t)bodies * sizeof *counts);
    take_further(pairs, counts, limit);
    /* The further colours follow the others; the remainder comes last. */
    for (int i = 0; i < pairs->count; i++) {
        constraint_pair *pair = &pairs->items[i];
        if (pair->colour == limit)
            pair->colour = (signed char)pairs->remainder;
        else if (pair->colour > limit)
            --pair->colour;
    }
}
