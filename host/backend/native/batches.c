#include "batches.h"

#include "base/memory.h"
#include "block.h"

#include <stddef.h>

/* What the groups of one batch have in common. The points of a manifold are all of A_cc ≠ diag(a, t, t). */
static const struct batch_class {
    int blocks;
    bool isotropic, round, ball, resists;
} classes[] = {
    {1, true, true, true, false},    {1, true, true, false, false},   {1, true, false, false, false},
    {1, false, true, false, false},  {1, false, false, false, false}, {2, false, true, false, false},
    {2, false, false, false, false}, {3, false, true, false, false},  {3, false, false, false, false},
    {4, false, true, false, false},  {4, false, false, false, false}, {2, true, true, true, true},
    {2, true, true, false, true},    {2, true, false, false, true}};
enum { BALLS, SINGLE, MANIFOLD = 3, RESISTED = 11, CLASSES = 14, LOOSE = CLASSES };
_Static_assert(sizeof classes / sizeof *classes == CLASSES, "every class has a row");

static int floats_of(int class) {
    const struct batch_class *of = &classes[class];
    if (of->ball) return BALL_FIELDS + (of->resists ? TURN_FIELDS : 0);
    return of->blocks * POINT_FIELDS + (of->resists ? 0 : batch_couplings(of->blocks));
}

static bool resisted(const problem *p, const wide_source *from, block_group group) {
    return group.count == 2 && block_is_contact(p->blocks[group.first]) &&
           block_is_resistance(p->blocks[group.first + 1]) &&
           from->marks[group.first] & from->marks[group.first + 1] & MARK_ISOTROPIC;
}

static bool same_vector(vec3s a, vec3s b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

/* Whether a resistance is in the frame of its contact. */
static bool framed_alike(const problem *p, block_group group) {
    const constraint_block *one = &p->blocks[group.first], *other = &p->blocks[group.first + 1];
    return same_vector(one->normal, other->normal) && same_vector(one->tangent, other->tangent);
}

static bool drifts(const problem *p, block_group group) {
    for (int i = group.first; i < group.first + group.count; i++)
        if (block_drifts(p->blocks[i])) return true;
    return false;
}

static int class_of(const problem *p, const wide_source *from, bool as_balls, block_group group) {
    const int first = group.first;
    if (drifts(p, group)) return LOOSE;
    const bool round = from->bodies[group.body_a] & from->bodies[group.body_b] & BATCH_ROUND,
               balls = round && as_balls && from->marks[first] & MARK_ALONG;
    if (group.count == 1 && from->marks[first] & MARK_ISOTROPIC && block_is_contact(p->blocks[first]))
        return balls ? BALLS : SINGLE + !round;
    /* A joint that leaves everything free makes a group without blocks. */
    if (group.count == 0 || group.count > BATCH_POINTS) return LOOSE;
    if (resisted(p, from, group)) return balls && framed_alike(p, group) ? RESISTED : RESISTED + 1 + !round;
    for (int i = first; i < first + group.count; i++)
        if (!block_is_contact(p->blocks[i]) || from->marks[i] & MARK_ISOTROPIC) return LOOSE;
    return MANIFOLD + 2 * (group.count - 1) + !round;
}

/* A colour's groups by class, in their order, into `sorted` at the colour's own place. */
typedef struct colour_sort {
    int first[CLASSES + 2]; /* of each class in `sorted`, loose groups last */
    int batches, fields;    /* needed */
} colour_sort;

static colour_sort sort_colour(const problem *p, const wide_source *from, bool balls, int colour, int width,
                               batches *self) {
    const int begin = p->colour_first[colour], end = p->colour_first[colour + 1];
    colour_sort out = {0};
    int next[CLASSES + 1], counts[CLASSES + 1] = {0};
    for (int g = begin; g < end; g++) {
        self->classes[g] = (unsigned char)class_of(p, from, balls, p->groups[g]);
        counts[self->classes[g]]++;
    }
    out.first[0] = begin;
    for (int c = 0; c <= CLASSES; c++) {
        next[c] = out.first[c], out.first[c + 1] = out.first[c] + counts[c];
        if (c == LOOSE) break;
        const int needed = (counts[c] + width - 1) / width;
        out.batches += needed;
        out.fields += needed * floats_of(c) * width;
    }
    for (int g = begin; g < end; g++) self->sorted[next[self->classes[g]]++] = g;
    return out;
}

/* Heads of the batches of a colour's groups [first, end), which are of one class. */
static void head_batches(batches *self, int class, int first, int end, int *at, int *field) {
    const struct batch_class *of = &classes[class];
    for (int g = first; g < end; g += self->width) {
        batch *out = &self->items[(*at)++];
        *out = (batch){.points = of->blocks,
                       .isotropic = of->isotropic,
                       .resists = of->resists,
                       .round = of->round,
                       .ball = of->ball,
                       .first_field = *field};
        /* Where its groups are and how many, until it is filled. */
        out->impulse[0] = g, out->impulse[1] = end - g < self->width ? end - g : self->width;
        *field += floats_of(class) * self->width;
    }
}

/* Of a class's groups those that are headed first: about half, in batches that may be swept two at once. */
static int first_half(const batches *self, const colour_sort *sort, int class) {
    const int pair = 2 * self->width, count = sort->first[class + 1] - sort->first[class];
    return sort->first[class] + (count / 2 + pair - 1) / pair * pair;
}

/* Of all batches of a colour: those with the most points at both its ends, from where two threads take them
 * (team.h), and the least costly ones in the middle, where they meet. */
static int head_colour(batches *self, const colour_sort *sort, int at, int field) {
    for (int c = CLASSES - 1; c >= 0; c--) {
        const int half = first_half(self, sort, c), end = sort->first[c + 1];
        head_batches(self, c, sort->first[c], half < end ? half : end, &at, &field);
    }
    for (int c = 0; c < CLASSES; c++)
        head_batches(self, c, first_half(self, sort, c), sort->first[c + 1], &at, &field);
    return field;
}

/* Cost of a batch in sweeps of a batch of spheres, some 70 ns, as measured at 16 lanes; of a piece: taking
 * one takes two messages between cores, some 200 ns, and what its first batches read has not been asked for
 * (wide_ahead.h); and of a colour that is worth two pieces. So that the threads still end together, each has
 * many of a large colour, and where two of them meet pieces are smaller. */
enum {
    COST_SINGLE = 2,
    COST_POINT = 3,
    PIECE_COST = 48,
    LEAST_COST = 12,
    SHARED_COST = 24,
    PIECES_OF_THREAD = 16
};

static int cost_of(const batch *item) {
    return item->isotropic ? item->points : item->points == 1 ? COST_SINGLE : COST_POINT * item->points;
}

/* Of the piece of a colour of that cost that begins after so much of it: alike as far as can be, but for two
 * threads less towards the middle. */
static int piece_cost(int total, int before, int threads) {
    const int most = PIECES_OF_THREAD * (threads > 1 ? threads : 1), whole = total / PIECE_COST;
    const int pieces = whole > most ? most : whole > 1 ? whole : total >= SHARED_COST ? 2 : 1;
    const int alike = (total + pieces - 1) / pieces, middle = total / 2;
    if (threads != 2 || total < PIECE_COST) return alike;
    const int near = before < middle ? (middle - before) / 2 : before - middle;
    return near > alike ? alike : near > LEAST_COST ? near : LEAST_COST;
}

/* Cuts each colour's batches into pieces, but not between two of one kind, which may be swept at once. */
static void cut_pieces(batches *self, int colours, int threads) {
    int pieces = 0;
    for (int c = 0; c < colours; c++) {
        const int first = self->batch_first[c], end = self->batch_first[c + 1];
        int total = 0, before = 0, enough = 0;
        for (int i = first; i < end; i++) total += cost_of(&self->items[i]);
        self->piece_first[c] = pieces;
        bool second = false; /* of two */
        for (int i = first; i < end; i++) {
            const batch *item = &self->items[i];
            second = i > first && !second && batch_alike(item - 1, item);
            if (before >= enough && !second)
                self->pieces[pieces++] = i, enough = before + piece_cost(total, before, threads);
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
    colour_sort sorts[PROBLEM_COLOURS];
} building;

static void sort_piece(void *context, int colour) {
    building *of = context;
    of->sorts[colour] = sort_colour(of->p, &of->from, of->balls, colour, of->self->width, of->self);
}

enum { FILL_PIECE = 16 };

static void fill_piece(void *context, int piece) {
    building *of = context;
    batches *self = of->self;
    for (int i = piece * FILL_PIECE; i < (piece + 1) * FILL_PIECE && i < self->count; i++) {
        batch *item = &self->items[i];
        of->wide->fill(&of->from, item, self->sorted + item->impulse[0], item->impulse[1]);
    }
}

scree_result batches_build(batches *self, const problem *p, const wide_code *wide, const wide_source *from,
                           bool balls, team *threads) {
    building of = {.self = self, .p = p, .wide = wide, .from = *from, .balls = balls};
    self->count = 0;
    TRY(MEMORY_RESERVE(self->sorted, self->group_capacity, p->group_count, NULL));
    TRY(MEMORY_RESERVE(self->classes, self->class_capacity, p->group_count, NULL));
    team_share(threads, p->colour_count, sort_piece, &of);
    int count = 0, fields = 0, loose = 0;
    for (int c = 0; c < p->colour_count; c++) {
        const colour_sort *sort = &of.sorts[c];
        self->batch_first[c] = count, self->loose_first[c] = loose;
        count += sort->batches, fields += sort->fields;
        loose += sort->first[LOOSE + 1] - sort->first[LOOSE];
    }
    self->batch_first[p->colour_count] = count, self->loose_first[p->colour_count] = loose;
    TRY(MEMORY_RESERVE(self->items, self->capacity, count, NULL));
    TRY(MEMORY_RESERVE(self->pieces, self->piece_capacity, count + 1, NULL));
    TRY(MEMORY_RESERVE(self->fields, self->field_capacity, fields, NULL));
    TRY(MEMORY_RESERVE(self->loose, self->loose_capacity, loose, NULL));
    for (int c = 0, field = 0; c < p->colour_count; c++) {
        field = head_colour(self, &of.sorts[c], self->batch_first[c], field);
        for (int i = of.sorts[c].first[LOOSE], at = self->loose_first[c]; i < of.sorts[c].first[LOOSE + 1];
             i++)
            self->loose[at++] = self->sorted[i];
    }
    self->count = count, self->field_count = fields;
    of.from.fields = self->fields;
    cut_pieces(self, p->colour_count, threads->size);
    team_share(threads, (count + FILL_PIECE - 1) / FILL_PIECE, fill_piece, &of);
    return SCREE_OK;
}

enum { INDICES = 3 /* a lane */ };

/* Fields hold a correction a point, which the velocity pass leaves alone. */
static uint64_t bytes_of(const batch *of, int width) {
    const int mobilities = of->round ? 0 : 2,
              fields = of->ball ? BALL_FIELDS - 1 + (of->resists ? TURN_FIELDS : 0)
                                : of->points * (POINT_FIELDS - 1) +
                                      (of->resists ? 0 : batch_couplings(of->points));
    const size_t lane = (size_t)of->points * 2 * sizeof(block_impulse) + 2 * sizeof(body_velocity) +
                        (size_t)mobilities * sizeof(body_mobility);
    const int lanes = __builtin_popcount(of->lanes),
              moving = __builtin_popcount(of->moves_a) + __builtin_popcount(of->moves_b);
    return offsetof(batch, velocity_a) +
           (size_t)width * (sizeof(float) * (size_t)fields + INDICES * sizeof(int)) + (size_t)lanes * lane +
           (size_t)moving * sizeof(body_velocity);
}

uint64_t batches_sweep_bytes(const batches *self) {
    uint64_t bytes = 0;
    for (int i = 0; i < self->count; i++) bytes += bytes_of(&self->items[i], self->width);
    return bytes;
}

void batches_release(batches *self) {
    memory_release(self->items);
    memory_release(self->fields);
    memory_release(self->loose);
    memory_release(self->sorted);
    memory_release(self->classes);
    memory_release(self->pieces);
    *self = (batches){0};
}
