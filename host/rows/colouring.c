#include "colouring.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* Every loop over all pairs is shared out among threads, and no colour depends on their number: candidates
 * for a new colour are cut into the same parts and pieces for any. */
enum {
    PARTS = 32,        /* of the list of candidates */
    PIECES = 32,       /* of the slots, whose candidates one thread takes one after the other */
    KEYS = PIECES + 2, /* pieces that lie otherwise are one more; and what lies in none */
    FEW = 4096,        /* candidates that are not worth being shared out */
};

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
    if (pair->flags & PAIR_MOVES_A) masks[pair->a] |= UINT32_C(1) << colour;
    if (pair->flags & PAIR_MOVES_B) masks[pair->b] |= UINT32_C(1) << colour;
}

static void give_back(uint32_t *masks, const constraint_pair *pair, int colour) {
    if (pair->flags & PAIR_MOVES_A) masks[pair->a] &= ~(UINT32_C(1) << colour);
    if (pair->flags & PAIR_MOVES_B) masks[pair->b] &= ~(UINT32_C(1) << colour);
}

static int lowest_bit(uint32_t mask) {
    int bit = 0;
    for (int half = 16; half > 0; half /= 2)
        if (!(mask & ((UINT32_C(1) << half) - 1))) mask >>= half, bit += half;
    return bit;
}

static uint32_t colours_below(int limit) { return limit == 32 ? UINT32_MAX : (UINT32_C(1) << limit) - 1; }

/* The pairs of a thread's share, and the slots that only it has among the `a` of its pairs. */
typedef struct pair_share {
    slice pairs, slots;
} pair_share;

static int row_start(const constraint_pairs *pairs, int i) {
    while (i > 0 && i < pairs->count && pairs->items[i].a == pairs->items[i - 1].a) ++i;
    return i;
}

static pair_share share_of(const constraint_pairs *pairs, int bodies, int number, int shares) {
    const slice cut = slice_of(pairs->count, number, shares);
    const int first = row_start(pairs, cut.first), end = row_start(pairs, cut.end);
    return (pair_share){{first, end},
                        {number == 0            ? 0
                         : first < pairs->count ? pairs->items[first].a
                                                : bodies,
                         number == shares - 1 || end == pairs->count ? bodies : pairs->items[end].a}};
}

/* Marks a colour at a slot; whether it was marked already. */
static bool mark(constraint_pairs *pairs, slice own, int slot, uint32_t bit) {
    uint32_t before;
    if (slot >= own.first && slot < own.end) {
        before = pairs->masks[slot];
        pairs->masks[slot] |= bit;
        return before & bit;
    }
    uint32_t *const mask = &pairs->marks_of_others[slot];
#pragma omp atomic capture
    {
        before = *mask;
        *mask |= bit;
    }
    return before & bit;
}

/* Keeps last step's colours; whether two pairs that share a body had the same. */
static bool keep_share(constraint_pairs *pairs, pair_share share, int limit) {
    bool clash = false;
    for (int i = share.pairs.first; i < share.pairs.end; ++i) {
        constraint_pair *pair = &pairs->items[i];
        const int last = pair->last_colour;
        const bool kept = last >= 0 && last < limit;
        pair->colour = kept ? last : -1;
        if (kept && pair->flags & PAIR_MOVES_A)
            clash |= mark(pairs, share.slots, pair->a, UINT32_C(1) << last);
        if (kept && pair->flags & PAIR_MOVES_B)
            clash |= mark(pairs, share.slots, pair->b, UINT32_C(1) << last);
    }
    return clash;
}

/* Whether a pair has no colour, or might have a lower one. */
static bool is_candidate(const constraint_pairs *pairs, const constraint_pair *pair) {
    return pair->colour < 0 || (~taken(pairs->masks, pair) & ((UINT32_C(1) << pair->colour) - 1));
}

/* The candidates of a part; returns how many. */
static int list_candidates(constraint_pairs *pairs, int number) {
    const slice here = slice_of(pairs->count, number, PARTS);
    int count = 0;
    for (int i = here.first; i < here.end; ++i)
        if (is_candidate(pairs, &pairs->items[i])) pairs->spare[here.first + count++] = i;
    return count;
}

/* Last step's colours, and who is a candidate then; false: some clash, and nobody is. */
static bool keep_all(constraint_pairs *pairs, int bodies, int limit, int counts[PARTS], int threads) {
    int clash = 0;
    const int shares = parallel_threads(threads, pairs->count);
#pragma omp parallel num_threads(shares)
    {
#pragma omp for schedule(static)
        for (int slot = 0; slot < bodies; ++slot) pairs->masks[slot] = pairs->marks_of_others[slot] = 0;
#pragma omp for schedule(static) reduction(| : clash)
        for (int share = 0; share < shares; ++share)
            clash |= keep_share(pairs, share_of(pairs, bodies, share, shares), limit);
#pragma omp for schedule(static) reduction(| : clash)
        for (int slot = 0; slot < bodies; ++slot) {
            clash |= (pairs->masks[slot] & pairs->marks_of_others[slot]) != 0;
            pairs->masks[slot] |= pairs->marks_of_others[slot];
        }
#pragma omp for schedule(static)
        for (int number = 0; number < PARTS; ++number) counts[number] = list_candidates(pairs, number);
    }
    return !clash;
}

/* Of two pairs that clash the earlier one keeps its colour. */
static void keep_in_order(constraint_pairs *pairs, int bodies, int limit, int counts[PARTS]) {
    uint32_t *masks = pairs->masks;
    memset(masks, 0, (size_t)bodies * sizeof *masks);
    for (int i = 0; i < pairs->count; ++i) {
        constraint_pair *pair = &pairs->items[i];
        const int last = pair->last_colour;
        const bool kept = last >= 0 && last < limit && !(taken(masks, pair) >> last & 1);
        if (kept) take(masks, pair, last);
        pair->colour = kept ? last : -1;
    }
    for (int number = 0; number < PARTS; ++number) counts[number] = list_candidates(pairs, number);
}

/* Gives back what a pair kept, and takes the smallest colour that is free on both its bodies. */
static void recolour(constraint_pairs *pairs, int i, int limit) {
    constraint_pair *pair = &pairs->items[i];
    if (pair->colour >= 0) give_back(pairs->masks, pair, pair->colour);
    const uint32_t available = colours_below(limit) & ~taken(pairs->masks, pair);
    pair->colour = available ? lowest_bit(available) : limit;
    if (available) take(pairs->masks, pair, pair->colour);
}

/* The candidates in the order of the pairs. */
static int join_candidates(constraint_pairs *pairs, const int counts[PARTS]) {
    int total = 0;
    for (int number = 0; number < PARTS; ++number) {
        const int first = slice_of(pairs->count, number, PARTS).first;
        memcpy(pairs->candidates + total, pairs->spare + first, (size_t)counts[number] * sizeof(int));
        total += counts[number];
    }
    return total;
}

/* In which piece both movable bodies of a pair lie; KEYS − 1: in none. */
static int piece_of(const constraint_pair *pair, int size, int shift) {
    const int a = (pair->a + shift) / size, b = (pair->b + shift) / size;
    if (!(pair->flags & PAIR_MOVES_A)) return b;
    if (!(pair->flags & PAIR_MOVES_B)) return a;
    return a == b ? a : KEYS - 1;
}

/* Colours the candidates that lie within a piece, pieces at the same time, and leaves the others, in their
 * order. Returns how many. */
static int recolour_pieces(constraint_pairs *pairs, int count, int size, int shift, int limit, int threads) {
    int places[PARTS][KEYS] = {{0}}, ends[KEYS + 1] = {0};
    const constraint_pair *items = pairs->items;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int number = 0; number < PARTS; ++number)
        for (int k = slice_of(count, number, PARTS).first; k < slice_of(count, number, PARTS).end; ++k)
            ++places[number][piece_of(&items[pairs->candidates[k]], size, shift)];
    for (int key = 0, first = 0; key < KEYS; ++key) {
        for (int number = 0; number < PARTS; ++number) {
            const int here = places[number][key];
            places[number][key] = first, first += here;
        }
        ends[key + 1] = first;
    }
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int number = 0; number < PARTS; ++number)
        for (int k = slice_of(count, number, PARTS).first; k < slice_of(count, number, PARTS).end; ++k) {
            const int i = pairs->candidates[k];
            pairs->spare[places[number][piece_of(&items[i], size, shift)]++] = i;
        }
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int key = 0; key < KEYS - 1; ++key)
        for (int k = ends[key]; k < ends[key + 1]; ++k) recolour(pairs, pairs->spare[k], limit);
    const int left = ends[KEYS] - ends[KEYS - 1];
    memcpy(pairs->candidates, pairs->spare + ends[KEYS - 1], (size_t)left * sizeof(int));
    return left;
}

static scree_result take_room(constraint_pairs *pairs, int bodies) {
    const size_t slots = (size_t)bodies, count = (size_t)pairs->count;
    void *scratch;
    TRY(scratch_take(pairs->scratch ? pairs->scratch : &pairs->own_scratch,
                     2 * slots * sizeof *pairs->masks + 2 * count * sizeof *pairs->candidates, &scratch,
                     NULL));
    pairs->masks = scratch, pairs->marks_of_others = pairs->masks + slots;
    pairs->candidates = (int *)(pairs->marks_of_others + slots), pairs->spare = pairs->candidates + count;
    return SCREE_OK;
}

/* First all pairs keep last step's colours, which clash only where bodies have become dynamic or pairs have
 * been taken apart. Then those that have none, or a higher one than they might, give back what they kept and
 * take the smallest colour free on both their bodies, one after the other; those that lie in different
 * pieces of the slots, which have no body in common, at the same time; then those that lie in pieces half a
 * piece further on, and at last the few that are left.
 *
 * A kept colour is free for its own pair, so a pair that has one only ever goes lower. That is what keeps a
 * long run from fragmenting: colours that were high because of contacts long gone come down as soon as there
 * is room, and a contact graph that stays as it is reaches, after a few steps, a fixed point in which no
 * pair can be lowered. There every pair's colour is at most the number of pairs that meet it (greedy's
 * bound), whatever happened before. In a settled pile hardly a pair is a candidate. */
scree_result colouring_update(constraint_pairs *pairs, int bodies, int limit, int threads) {
    assert(limit >= 1 && limit <= 32);
    TRY(take_room(pairs, bodies));
    threads = parallel_threads(threads, pairs->count);
    int counts[PARTS];
    if (!keep_all(pairs, bodies, limit, counts, threads)) keep_in_order(pairs, bodies, limit, counts);
    int left = join_candidates(pairs, counts);
    const int size = bodies / PIECES + 1;
    if (left > FEW) left = recolour_pieces(pairs, left, size, 0, limit, threads);
    if (left > FEW) left = recolour_pieces(pairs, left, size, size / 2, limit, threads);
    for (int k = 0; k < left; ++k) recolour(pairs, pairs->candidates[k], limit);
    return SCREE_OK;
}
