#include "pairs.h"

#include "base/memory.h"
#include "base/parallel.h"

#include <string.h>

/* Threads share every loop over all pairs, but no colour depends on their number: candidates for a new colour
 * are always cut into the same slices and pieces. On one thread this takes half as long as one walk in order,
 * since most pairs keep their colours. */
enum {
    SLICES = 32,       /* of the list of candidates */
    PIECES = 32,       /* of the slots; one thread recolours all candidates of a piece in order */
    KEYS = PIECES + 2, /* one more piece when shifted, and one key for pairs in no piece */
    FEW = 4096,        /* this many candidates or fewer are recoloured serially */
};

/* Returns the colours already used at a pair's dynamic bodies: bit c of masks[slot] is set if a pair of
 * colour c has that body. A solve only reads static and kinematic bodies, so any number of pairs of a colour
 * may share one. */
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

static uint32_t colours_below(int limit) { return limit == 32 ? UINT32_MAX : (UINT32_C(1) << limit) - 1; }

/* The pairs of a thread, and the range of slots that occur as `a` in its pairs only. */
typedef struct pair_slice {
    slice pairs, slots;
} pair_slice;

/* Returns the first pair from i on with another `a` than the pair before it. */
static int row_start(const constraint_pairs *pairs, int i) {
    while (i > 0 && i < pairs->count && pairs->items[i].a == pairs->items[i - 1].a) ++i;
    return i;
}

/* Returns the pairs of a thread. Slices end where `a` changes, so that no two have pairs of one `a`. */
static pair_slice pair_slice_of(const constraint_pairs *pairs, int bodies, int number, int slices) {
    const slice cut = slice_of(pairs->count, number, slices);
    const int first = row_start(pairs, cut.first), end = row_start(pairs, cut.end);
    return (pair_slice){{first, end},
                        {number == 0            ? 0
                         : first < pairs->count ? pairs->items[first].a
                                                : bodies,
                         number == slices - 1 || end == pairs->count ? bodies : pairs->items[end].a}};
}

/* Marks a colour at a slot. Returns whether it was already marked. */
static bool mark(constraint_pairs *pairs, slice own, int slot, uint32_t bit) {
    if (slot >= own.first && slot < own.end) {
        const uint32_t before = pairs->masks[slot];
        pairs->masks[slot] |= bit;
        return before & bit;
    }
    return __atomic_fetch_or(&pairs->marks_of_others[slot], bit, __ATOMIC_RELAXED) & bit;
}

/* Keeps last step's colours. Returns whether two pairs that share a body had the same. */
static bool keep_slice(constraint_pairs *pairs, pair_slice of, int limit) {
    bool clash = false;
    for (int i = of.pairs.first; i < of.pairs.end; i++) {
        constraint_pair *pair = &pairs->items[i];
        const int last = pair->last_colour;
        const bool kept = last >= 0 && last < limit;
        pair->colour = kept ? last : -1;
        if (kept && pair->flags & PAIR_MOVES_A) clash |= mark(pairs, of.slots, pair->a, UINT32_C(1) << last);
        if (kept && pair->flags & PAIR_MOVES_B) clash |= mark(pairs, of.slots, pair->b, UINT32_C(1) << last);
    }
    return clash;
}

/* Returns whether a pair has no colour or could have a lower one. */
static bool is_candidate(const constraint_pairs *pairs, const constraint_pair *pair) {
    return pair->colour < 0 || (~taken(pairs->masks, pair) & ((UINT32_C(1) << pair->colour) - 1));
}

/* Lists the candidates of a slice in `spare`, from the first index of the slice on. Returns their number. */
static int list_candidates(constraint_pairs *pairs, int number) {
    const slice here = slice_of(pairs->count, number, SLICES);
    int count = 0;
    for (int i = here.first; i < here.end; i++)
        if (is_candidate(pairs, &pairs->items[i])) pairs->spare[here.first + count++] = i;
    return count;
}

typedef struct keep_loop {
    constraint_pairs *pairs;
    bool *clash;
    int bodies, slices, limit, *counts;
} keep_loop;

static void clear_marks(const void *context, slice part) {
    const keep_loop loop = *(const keep_loop *)context;
    for (int slot = part.first; slot < part.end; slot++)
        loop.pairs->masks[slot] = loop.pairs->marks_of_others[slot] = 0;
}

static void keep_slices(const void *context, slice part) {
    const keep_loop loop = *(const keep_loop *)context;
    bool clash = false;
    for (int number = part.first; number < part.end; number++)
        clash |=
            keep_slice(loop.pairs, pair_slice_of(loop.pairs, loop.bodies, number, loop.slices), loop.limit);
    if (clash) parallel_set(loop.clash);
}

static void join_marks(const void *context, slice part) {
    const keep_loop loop = *(const keep_loop *)context;
    bool clash = false;
    for (int slot = part.first; slot < part.end; slot++) {
        clash |= (loop.pairs->masks[slot] & loop.pairs->marks_of_others[slot]) != 0;
        loop.pairs->masks[slot] |= loop.pairs->marks_of_others[slot];
    }
    if (clash) parallel_set(loop.clash);
}

static void list_slices(const void *context, slice part) {
    const keep_loop loop = *(const keep_loop *)context;
    for (int number = part.first; number < part.end; number++)
        loop.counts[number] = list_candidates(loop.pairs, number);
}

/* Keeps last step's colours and lists the candidates. Returns false if colours clash; the lists are then
 * invalid. */
static bool keep_all(constraint_pairs *pairs, int bodies, int limit, int counts[SLICES], int threads) {
    bool clash = false;
    const int slices = parallel_threads(threads, pairs->count);
    const keep_loop loop = {.pairs = pairs,
                            .clash = &clash,
                            .bodies = bodies,
                            .slices = slices,
                            .limit = limit,
                            .counts = counts};
    parallel_for(slices, bodies, clear_marks, &loop);
    parallel_for(slices, slices, keep_slices, &loop);
    parallel_for(slices, bodies, join_marks, &loop);
    parallel_for(slices, SLICES, list_slices, &loop);
    return !clash;
}

/* Keeps last step's colours in order: of two pairs that clash, the earlier one keeps its colour. */
static void keep_in_order(constraint_pairs *pairs, int bodies, int limit, int counts[SLICES]) {
    uint32_t *masks = pairs->masks;
    memset(masks, 0, (size_t)bodies * sizeof *masks);
    for (int i = 0; i < pairs->count; i++) {
        constraint_pair *pair = &pairs->items[i];
        const int last = pair->last_colour;
        const bool kept = last >= 0 && last < limit && !(taken(masks, pair) >> last & 1);
        if (kept) take(masks, pair, last);
        pair->colour = kept ? last : -1;
    }
    for (int number = 0; number < SLICES; number++) counts[number] = list_candidates(pairs, number);
}

/* Gives the pair the smallest colour that is free at both its bodies, apart from its own. */
static void recolour(constraint_pairs *pairs, int i, int limit) {
    constraint_pair *pair = &pairs->items[i];
    if (pair->colour >= 0) give_back(pairs->masks, pair, pair->colour);
    const uint32_t available = colours_below(limit) & ~taken(pairs->masks, pair);
    pair->colour = available ? __builtin_ctz(available) : limit;
    if (available) take(pairs->masks, pair, pair->colour);
}

/* Joins the lists of all slices in `candidates`. Returns the number of candidates. */
static int join_candidates(constraint_pairs *pairs, const int counts[SLICES]) {
    int total = 0;
    for (int number = 0; number < SLICES; number++) {
        const int first = slice_of(pairs->count, number, SLICES).first;
        memcpy(pairs->candidates + total, pairs->spare + first, (size_t)counts[number] * sizeof(int));
        total += counts[number];
    }
    return total;
}

/* Returns the piece that contains both movable bodies of a pair, or KEYS − 1 if no piece does. */
static int piece_of(const constraint_pair *pair, int size, int shift) {
    const int a = (pair->a + shift) / size, b = (pair->b + shift) / size;
    if (!(pair->flags & PAIR_MOVES_A)) return b;
    if (!(pair->flags & PAIR_MOVES_B)) return a;
    return a == b ? a : KEYS - 1;
}

typedef struct piece_loop {
    int count, (*places)[KEYS], size, shift, *ends, limit;
    const constraint_pair *items;
    constraint_pairs *pairs;
} piece_loop;

static void count_pieces(const void *context, slice part) {
    const piece_loop loop = *(const piece_loop *)context;
    for (int number = part.first; number < part.end; number++)
        for (int k = slice_of(loop.count, number, SLICES).first; k < slice_of(loop.count, number, SLICES).end;
             k++)
            ++loop.places[number][piece_of(&loop.items[loop.pairs->candidates[k]], loop.size, loop.shift)];
}

static void place_candidates(const void *context, slice part) {
    const piece_loop loop = *(const piece_loop *)context;
    for (int number = part.first; number < part.end; number++)
        for (int k = slice_of(loop.count, number, SLICES).first; k < slice_of(loop.count, number, SLICES).end;
             k++) {
            const int i = loop.pairs->candidates[k];
            loop.pairs->spare[loop.places[number][piece_of(&loop.items[i], loop.size, loop.shift)]++] = i;
        }
}

static void recolour_slice(const void *context, slice part) {
    const piece_loop loop = *(const piece_loop *)context;
    for (int key = part.first; key < part.end; key++)
        for (int k = loop.ends[key]; k < loop.ends[key + 1]; k++)
            recolour(loop.pairs, loop.pairs->spare[k], loop.limit);
}

/* Colours the candidates that lie within a piece, pieces in parallel. Leaves the other candidates in order
 * and returns their number. */
static int recolour_pieces(constraint_pairs *pairs, int count, int size, int shift, int limit, int threads) {
    int places[SLICES][KEYS] = {{0}}, ends[KEYS + 1] = {0};
    const constraint_pair *items = pairs->items;
    parallel_for(
        threads, SLICES, count_pieces,
        &(const piece_loop){
            .count = count, .places = places, .items = items, .pairs = pairs, .size = size, .shift = shift});
    for (int key = 0, first = 0; key < KEYS; key++) {
        for (int number = 0; number < SLICES; number++) {
            const int here = places[number][key];
            places[number][key] = first;
            first += here;
        }
        ends[key + 1] = first;
    }
    parallel_for(
        threads, SLICES, place_candidates,
        &(const piece_loop){
            .count = count, .pairs = pairs, .places = places, .items = items, .size = size, .shift = shift});
    parallel_each(threads, KEYS - 1, recolour_slice,
                  &(const piece_loop){.ends = ends, .pairs = pairs, .limit = limit});
    const int left = ends[KEYS] - ends[KEYS - 1];
    memcpy(pairs->candidates, pairs->spare + ends[KEYS - 1], (size_t)left * sizeof(int));
    return left;
}

static scree_result take_scratch(constraint_pairs *pairs, int bodies) {
    const size_t slots = (size_t)bodies, count = (size_t)pairs->count;
    void *scratch;
    TRY(scratch_take(pairs->scratch ? pairs->scratch : &pairs->own_scratch,
                     2 * slots * sizeof *pairs->masks + 2 * count * sizeof *pairs->candidates, &scratch,
                     NULL));
    pairs->masks = scratch;
    pairs->marks_of_others = pairs->masks + slots;
    pairs->candidates = (int *)(pairs->marks_of_others + slots);
    pairs->spare = pairs->candidates + count;
    return SCREE_OK;
}

/* First all pairs keep last step's colours. These clash only if bodies have become dynamic or pairs have been
 * split. Then each pair without a colour, or with a higher one than necessary, takes the smallest colour that
 * is free at both its bodies, in order. Pairs in different pieces of the slots share no body and are
 * recoloured in parallel; then pairs in pieces shifted by half a piece; finally the few that remain.
 *
 * A kept colour is free for its own pair, so a coloured pair only moves to lower colours. That prevents
 * fragmentation in long runs: colours that were high because of vanished contacts come down as soon as
 * possible. With an unchanged contact graph, a fixed point is reached after a few steps, in which no pair can
 * be lowered. Each pair's colour is then at most the number of adjacent pairs (the greedy bound), whatever
 * the history. In a settled pile hardly any pair is a candidate. */
scree_result colouring_update(constraint_pairs *pairs, int bodies, int limit, int threads) {
    assert(limit >= 1 && limit <= 32);
    TRY(take_scratch(pairs, bodies));
    threads = parallel_threads(threads, pairs->count);
    int counts[SLICES];
    if (!keep_all(pairs, bodies, limit, counts, threads)) keep_in_order(pairs, bodies, limit, counts);
    int left = join_candidates(pairs, counts);
    const int size = bodies / PIECES + 1;
    if (left > FEW) left = recolour_pieces(pairs, left, size, 0, limit, threads);
    if (left > FEW) left = recolour_pieces(pairs, left, size, size / 2, limit, threads);
    for (int k = 0; k < left; k++) recolour(pairs, pairs->candidates[k], limit);
    return SCREE_OK;
}
