#include "batches.h"

#include "base/memory.h"
#include "block.h"

#include <stddef.h>

/* Classes of batches, in the order of a colour. All points of a manifold have A_cc ≠ diag(a, t, t). A single
 * contact with its resistance (ROLLING_…) has classes of its own because it is swept fewer times. */
enum {
    BALLS,
    ROUND_SINGLES,
    SINGLES,
    ROUND_MANIFOLDS_1,
    MANIFOLDS_1,
    ROUND_MANIFOLDS_2,
    MANIFOLDS_2,
    ROUND_MANIFOLDS_3,
    MANIFOLDS_3,
    ROUND_MANIFOLDS_4,
    MANIFOLDS_4,
    ROLLING_BALLS,
    ROUND_ROLLING,
    ROLLING,
    SEVERAL,
    ROUND_RESISTED,
    RESISTED,
    CLASSES
};
static const struct batch_class {
    int blocks;                                    /* of each group; 0: any number */
    bool isotropic, round, ball, resists, several; /* as in batch */
} classes[CLASSES] = {
    [BALLS] = {.blocks = 1, .isotropic = true, .round = true, .ball = true},
    [ROUND_SINGLES] = {.blocks = 1, .isotropic = true, .round = true},
    [SINGLES] = {.blocks = 1, .isotropic = true},
    [ROUND_MANIFOLDS_1] = {.blocks = 1, .round = true},
    [MANIFOLDS_1] = {.blocks = 1},
    [ROUND_MANIFOLDS_2] = {.blocks = 2, .round = true},
    [MANIFOLDS_2] = {.blocks = 2},
    [ROUND_MANIFOLDS_3] = {.blocks = 3, .round = true},
    [MANIFOLDS_3] = {.blocks = 3},
    [ROUND_MANIFOLDS_4] = {.blocks = 4, .round = true},
    [MANIFOLDS_4] = {.blocks = 4},
    [ROLLING_BALLS] = {.blocks = 2, .isotropic = true, .round = true, .ball = true, .resists = true},
    [ROUND_ROLLING] = {.blocks = 2, .round = true, .resists = true, .several = true},
    [ROLLING] = {.blocks = 2, .resists = true, .several = true},
    [SEVERAL] = {.several = true},
    [ROUND_RESISTED] = {.round = true, .resists = true, .several = true},
    [RESISTED] = {.resists = true, .several = true},
};

/* Sorting keys: groups are sorted by class, and in the last classes by falling number of points. Loose groups
 * come last. */
enum { BINS = SEVERAL + (CLASSES - SEVERAL) * SEVERAL_POINTS, LOOSE = BINS };
_Static_assert(LOOSE <= 255, "bins are bytes");

static int bin_of(int class, int points) {
    return class < SEVERAL ? class : SEVERAL + (class - SEVERAL) * SEVERAL_POINTS + SEVERAL_POINTS - points;
}

/* Returns the first key of a class. */
static int bin_of_class(int class) { return bin_of(class, SEVERAL_POINTS); }

static bool same_vector(vec3s a, vec3s b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Returns whether each contact is followed by its resistance, in the same frame. */
static bool resisted(const problem *p, block_group group) {
    const constraint_block *at = &p->blocks[group.first], *end = at + group.count;
    if (group.count % 2) return false;
    for (; at < end; at += 2)
        if (!block_is_contact(at[0]) || !block_is_resistance(at[1]) ||
            !same_vector(at[0].normal, at[1].normal) || !same_vector(at[0].tangent, at[1].tangent))
            return false;
    return true;
}

/* Returns whether all blocks are contacts. */
static bool of_contacts(const problem *p, block_group group) {
    for (int i = group.first; i < group.first + group.count; i++)
        if (!block_is_contact(p->blocks[i])) return false;
    return true;
}

static bool all_coupled(const wide_source *from, block_group group) {
    for (int i = group.first; i < group.first + group.count; i++)
        if (from->marks[i] & MARK_ISOTROPIC) return false;
    return true;
}

/* Returns whether a contact has a surface velocity. */
static bool drifts(const constraint_block *block) { return block->rolling != 0 || block->spinning != 0; }

static const int manifolds[2][BATCH_POINTS] = {
    [false] = {MANIFOLDS_1, MANIFOLDS_2, MANIFOLDS_3, MANIFOLDS_4},
    [true] = {ROUND_MANIFOLDS_1, ROUND_MANIFOLDS_2, ROUND_MANIFOLDS_3, ROUND_MANIFOLDS_4},
};

static int bin_of_group(const problem *p, const wide_source *from, bool as_balls, block_group group) {
    const int first = group.first, points = group.count / 2;
    const bool round = from->bodies[group.body_a] & from->bodies[group.body_b] & BATCH_ROUND,
               balls = round && as_balls && group.count > 0 && from->marks[first] & MARK_ALONG &&
                       !drifts(&p->blocks[first]);
    if (group.count == 1 && from->marks[first] & MARK_ISOTROPIC && block_is_contact(p->blocks[first]))
        return balls ? BALLS : round ? ROUND_SINGLES : SINGLES;
    /* A joint that leaves all directions free makes a group without blocks. */
    if (group.count == 0) return LOOSE;
    if (resisted(p, group)) {
        if (points > SEVERAL_POINTS) return LOOSE;
        if (points > 1) return bin_of(round ? ROUND_RESISTED : RESISTED, points);
        if (balls && from->marks[first] & from->marks[first + 1] & MARK_ISOTROPIC) return ROLLING_BALLS;
        return round ? ROUND_ROLLING : ROLLING;
    }
    if (group.count > SEVERAL_POINTS || !of_contacts(p, group)) return LOOSE;
    if (group.count > BATCH_POINTS) return bin_of(SEVERAL, group.count);
    return all_coupled(from, group) ? manifolds[round][group.count - 1] : LOOSE;
}

/* The groups of a colour sorted by class into `sorted`, at the colour's own offset; the order within a class
 * is kept. */
typedef struct colour_sort {
    int first[CLASSES + 2]; /* first group of each class in `sorted`; loose groups last */
    int batches, fields;    /* numbers needed */
} colour_sort;

/* Returns the head of a batch of a class whose first group is sorted[g]. */
static batch head_of(const batches *self, const problem *p, int class, int g) {
    const struct batch_class *of = &classes[class];
    return (batch){.points = (short)(of->blocks > 0 ? of->blocks : p->groups[self->sorted[g]].count),
                   .isotropic = of->isotropic,
                   .resists = of->resists,
                   .several = of->several,
                   .round = of->round,
                   .ball = of->ball};
}

/* Counts the batches of a class, and their fields. */
static void count_batches(const batches *self, const problem *p, int class, colour_sort *out) {
    const int first = out->first[class], end = out->first[class + 1],
              needed = (end - first + self->width - 1) / self->width;
    out->batches += needed;
    if (needed > 0 && classes[class].blocks > 0) {
        const batch head = head_of(self, p, class, first);
        out->fields += needed * batch_rows(&head) * self->width;
        return;
    }
    for (int g = first; g < end; g += self->width) {
        const batch head = head_of(self, p, class, g);
        out->fields += batch_rows(&head) * self->width;
    }
}

static colour_sort sort_colour(const problem *p, const wide_source *from, bool balls, int colour,
                               batches *self) {
    const int begin = p->colour_first[colour], end = p->colour_first[colour + 1];
    colour_sort out = {0};
    int next[BINS + 1], counts[BINS + 1] = {0};
    for (int g = begin; g < end; g++) {
        self->bins[g] = (unsigned char)bin_of_group(p, from, balls, p->groups[g]);
        counts[self->bins[g]]++;
    }
    for (int i = 0, place = begin; i <= BINS; i++) next[i] = place, place += counts[i];
    for (int c = 0; c <= CLASSES; c++) out.first[c] = next[bin_of_class(c)];
    out.first[CLASSES + 1] = end;
    for (int g = begin; g < end; g++) self->sorted[next[self->bins[g]]++] = g;
    for (int c = 0; c < CLASSES; c++) count_batches(self, p, c, &out);
    return out;
}

/* Writes the heads of the batches of a colour's groups [first, end), which are of one class. */
static void head_batches(batches *self, const problem *p, int class, int first, int end, int *at,
                         int *field) {
    for (int g = first; g < end; g += self->width) {
        batch *out = &self->items[(*at)++];
        *out = head_of(self, p, class, g);
        out->first_field = *field;
        /* Until the batch is filled, `impulse` stores its first group and their number. */
        out->impulse[0] = g, out->impulse[1] = end - g < self->width ? end - g : self->width;
        *field += batch_rows(out) * self->width;
    }
}

/* Returns the end of the groups that go to the first half of a class: about half of them, a multiple of two
 * batches, which can be swept together. */
static int first_half(const batches *self, const colour_sort *sort, int class) {
    const int pair = 2 * self->width, count = sort->first[class + 1] - sort->first[class];
    return sort->first[class] + (count / 2 + pair - 1) / pair * pair;
}

/* Writes the heads of all batches of a colour. Batches with the most points go to both ends of the colour,
 * where two threads begin (team.h), the cheapest to the middle, where the threads meet. */
static int head_colour(batches *self, const problem *p, const colour_sort *sort, int at, int field) {
    for (int c = CLASSES - 1; c >= 0; c--) {
        const int half = first_half(self, sort, c), end = sort->first[c + 1];
        head_batches(self, p, c, sort->first[c], half < end ? half : end, &at, &field);
    }
    for (int c = 0; c < CLASSES; c++)
        head_batches(self, p, c, first_half(self, sort, c), sort->first[c + 1], &at, &field);
    return field;
}

/* Costs, in units of a batch of spheres at 16 lanes, measured to be about 70 ns. Taking a piece costs two
 * messages between cores (about 200 ns) and starts with data that has not been prefetched (wide_ahead.h),
 * which gives the smallest worthwhile piece (PIECE_COST) and the colour that is worth two pieces
 * (SHARED_COST). Each thread gets many pieces of a large colour, and pieces shrink where two threads meet, so
 * that the threads finish together. */
enum {
    COST_SINGLE = 2,
    COST_POINT = 3,
    PIECE_COST = 48,
    LEAST_COST = 12,
    SHARED_COST = 24,
    PIECES_OF_THREAD = 16,
    SMALL_COST = 96
};

static int cost_of(const batch *item) {
    return item->isotropic ? item->points : item->points == 1 ? COST_SINGLE : COST_POINT * item->points;
}

/* Returns the cost of the piece that begins after `before` of a colour's `total` cost. Pieces are equal,
 * except that for two threads they shrink towards the middle. */
static int piece_cost(int total, int before, int threads) {
    const int most = PIECES_OF_THREAD * (threads > 1 ? threads : 1), whole = total / PIECE_COST;
    const int pieces = whole > most ? most : whole > 1 ? whole : total >= SHARED_COST ? 2 : 1;
    const int alike = (total + pieces - 1) / pieces, middle = total / 2;
    if (threads != 2 || total < PIECE_COST) return alike;
    const int near = before < middle ? (middle - before) / 2 : before - middle;
    return near > alike ? alike : near > LEAST_COST ? near : LEAST_COST;
}

/* Cuts each colour's batches into pieces. It does not cut between two batches of one kind, which can be swept
 * together. */
static void cut_pieces(batches *self, int colours, int threads) {
    int pieces = 0;
    self->small = true;
    for (int c = 0; c < colours; c++) {
        const int first = self->batch_first[c], end = self->batch_first[c + 1];
        int total = 0, before = 0, enough = 0;
        for (int i = first; i < end; i++) total += cost_of(&self->items[i]);
        self->piece_first[c] = pieces;
        self->small &= total <= SMALL_COST;
        self->middle[c] = end;
        bool second = false; /* of two that are swept together */
        for (int i = first; i < end; i++) {
            const batch *item = &self->items[i];
            second = i > first && !second && batch_alike(item - 1, item);
            if (before >= enough && !second)
                self->pieces[pieces++] = i, enough = before + piece_cost(total, before, threads);
            if (2 * before >= total && !second && self->middle[c] == end) self->middle[c] = i;
            before += cost_of(item);
        }
    }
    self->piece_first[colours] = pieces;
    self->pieces[pieces] = self->count;
}

typedef struct building {
    batches *self;
    const problem *p;
    const wide_code *wide;
    wide_source from;
    bool balls;
    int first_colour, first_batch;
    colour_sort sorts[PROBLEM_COLOURS];
} building;

static void sort_piece(void *context, int piece) {
    building *of = context;
    const int colour = of->first_colour + piece;
    of->sorts[colour] = sort_colour(of->p, &of->from, of->balls, colour, of->self);
}

enum { FILL_PIECE = 16 };

static void fill_piece(void *context, int piece) {
    building *of = context;
    batches *self = of->self;
    const int first = of->first_batch + piece * FILL_PIECE;
    for (int i = first; i < first + FILL_PIECE && i < self->count; i++) {
        batch *item = &self->items[i];
        of->wide->fill(&of->from, item, self->sorted + item->impulse[0], item->impulse[1]);
    }
}

/* Reserves memory for the batches of sorted colours. */
static scree_result reserve(building *of, slice colours, int *fields) {
    batches *self = of->self;
    int count = self->count, loose = self->loose_first[colours.first];
    *fields = self->field_count;
    for (int c = colours.first; c < colours.end; c++) {
        const colour_sort *sort = &of->sorts[c];
        self->batch_first[c] = count, self->loose_first[c] = loose;
        count += sort->batches, *fields += sort->fields;
        loose += sort->first[CLASSES + 1] - sort->first[CLASSES];
    }
    self->batch_first[colours.end] = count, self->loose_first[colours.end] = loose;
    TRY(MEMORY_RESERVE(self->items, self->capacity, count, NULL));
    TRY(MEMORY_RESERVE(self->pieces, self->piece_capacity, count + 1, NULL));
    TRY(MEMORY_RESERVE(self->fields, self->field_capacity, *fields, NULL));
    return MEMORY_RESERVE(self->loose, self->loose_capacity, loose, NULL);
}

size_t batches_scratch(const problem *p) {
    return (size_t)p->group_count * (sizeof(int) + sizeof(unsigned char));
}

scree_result batches_begin(batches *self, const problem *p, void *scratch) {
    self->count = self->field_count = 0;
    self->batch_first[0] = self->loose_first[0] = 0;
    self->sorted = scratch;
    self->bins = (unsigned char *)(self->sorted + p->group_count);
    return MEMORY_RESERVE(self->pieces, self->piece_capacity, 1, NULL);
}

scree_result batches_add(batches *self, const problem *p, const wide_code *wide, const wide_source *from,
                         bool balls, slice colours, team *threads) {
    building of = {.self = self,
                   .p = p,
                   .wide = wide,
                   .from = *from,
                   .balls = balls,
                   .first_colour = colours.first,
                   .first_batch = self->count};
    int fields;
    team_share(threads, colours.end - colours.first, sort_piece, &of);
    TRY(reserve(&of, colours, &fields));
    for (int c = colours.first, field = self->field_count; c < colours.end; c++) {
        const colour_sort *sort = &of.sorts[c];
        field = head_colour(self, p, sort, self->batch_first[c], field);
        for (int i = sort->first[CLASSES], at = self->loose_first[c]; i < sort->first[CLASSES + 1]; i++)
            self->loose[at++] = self->sorted[i];
    }
    self->count = self->batch_first[colours.end], self->field_count = fields;
    of.from.fields = self->fields;
    team_share(threads, (self->count - of.first_batch + FILL_PIECE - 1) / FILL_PIECE, fill_piece, &of);
    return SCREE_OK;
}

void batches_end(batches *self, const problem *p, team *threads) {
    cut_pieces(self, p->colour_count, team_size(threads));
}

enum { INDICES = 3 /* per lane */ };

/* Returns the number of blocks of all lanes in use. */
static int blocks_of(const batch *of, const float *fields, int width) {
    const int lanes = __builtin_popcount(of->lanes);
    int blocks = 0;
    if (!of->several) return lanes * of->points;
    for (int lane = 0; lane < lanes; lane++)
        blocks += (int)fields[batch_block_at(of->resists, of->points) * width + lane];
    return blocks;
}

/* Does not count the correction of each point, which the velocity pass does not read. */
static uint64_t bytes_of(const batch *of, const float *fields, int width) {
    const int mobilities = of->round ? 0 : 2, corrections = of->resists ? of->points / 2 : of->points;
    const size_t lane = 2 * sizeof(body_velocity) + (size_t)mobilities * sizeof(body_mobility),
                 rows = (size_t)(batch_rows(of) - corrections);
    const int lanes = __builtin_popcount(of->lanes),
              moving = __builtin_popcount(of->moves_a) + __builtin_popcount(of->moves_b);
    return offsetof(batch, velocity_a) + (size_t)width * (sizeof(float) * rows + INDICES * sizeof(int)) +
           (size_t)lanes * lane + (size_t)blocks_of(of, fields, width) * 2 * sizeof(block_impulse) +
           (size_t)moving * sizeof(body_velocity);
}

uint64_t batches_sweep_bytes(const batches *self) {
    uint64_t bytes = 0;
    for (int i = 0; i < self->count; i++)
        bytes += bytes_of(&self->items[i], self->fields + self->items[i].first_field, self->width);
    return bytes;
}

void batches_release(batches *self) {
    memory_release(self->items);
    memory_release(self->fields);
    memory_release(self->loose);
    memory_release(self->pieces);
    *self = (batches){0};
}
