#include "colouring.h"

#include "base/memory.h"

#include <string.h>

/* The colours that dynamic bodies already meet in: bit c of masks[slot] is set when a pair of colour c has
 * that body. Static and kinematic bodies are only read by a solve, so any number of pairs of a colour may
 * share one. */
static uint32_t taken(const uint32_t *masks, const constraint_pair *pair) {
    uint32_t mask = 0;
    if (pair->flags & PAIR_MOVES_A) mask |= masks[pair->a];
    if (pair->flags & PAIR_MOVES_B) mask |= masks[pair->b];
    return mask;
}

static void take(uint32_t *masks, const constraint_pair *pair, int colour) {
    masks[pair->a] |= UINT32_C(1) << colour;
    masks[pair->b] |= UINT32_C(1) << colour;
}

static void give_back(uint32_t *masks, const constraint_pair *pair, int colour) {
    masks[pair->a] &= ~(UINT32_C(1) << colour);
    masks[pair->b] &= ~(UINT32_C(1) << colour);
}

static int lowest_bit(uint32_t mask) {
    int bit = 0;
    for (int half = 16; half > 0; half /= 2)
        if (!(mask & ((UINT32_C(1) << half) - 1))) mask >>= half, bit += half;
    return bit;
}

/* Two passes, each O(pairs). The first keeps last step's colours; of two pairs that clash the earlier one
 * wins. In the second every pair in turn gives back what it kept and takes the smallest colour free on both
 * its bodies.
 *
 * A kept colour is free for its own pair, so the second pass only ever lowers it. That is what keeps a long
 * run from fragmenting: colours that were high because of contacts long gone come down as soon as there is
 * room, and a contact graph that stays as it is reaches, after a few steps, a fixed point in which no pair
 * can be lowered. There every pair's colour is at most the number of pairs that meet it (greedy's bound),
 * whatever happened before. In a settled pile hardly a colour changes; the order of the pairs decides
 * everything, so equal inputs give equal colours. */
scree_result colouring_update(constraint_pairs *pairs, int bodies, int limit) {
    assert(limit >= 1 && limit <= 32);
    TRY(MEMORY_RESERVE(pairs->masks, pairs->mask_capacity, bodies, NULL));
    uint32_t *masks = pairs->masks;
    memset(masks, 0, (size_t)bodies * sizeof *masks);

    for (int i = 0; i < pairs->count; ++i) {
        constraint_pair *pair = &pairs->items[i];
        const int last = pair->last_colour;
        const bool kept = last >= 0 && last < limit && !(taken(masks, pair) >> last & 1);
        if (kept) take(masks, pair, last);
        pair->colour = kept ? last : -1;
    }

    const uint32_t allowed = limit == 32 ? UINT32_MAX : (UINT32_C(1) << limit) - 1;
    for (int i = 0; i < pairs->count; ++i) {
        constraint_pair *pair = &pairs->items[i];
        if (pair->colour >= 0) give_back(masks, pair, pair->colour);
        const uint32_t available = allowed & ~taken(masks, pair);
        pair->colour = available ? lowest_bit(available) : limit;
        if (available) take(masks, pair, pair->colour);
    }
    return SCREE_OK;
}
