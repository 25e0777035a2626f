/* Invariants of an assembled problem, each checked from the blocks alone. */
#include "problem.h"

#include "base/memory.h"

#define EXPECT(condition, ...)                                                                               \
    do {                                                                                                     \
        if (!(condition)) return fail(SCREE_ERROR_ARGUMENT, __VA_ARGS__);                                    \
    } while (0)

/* Groups are contiguous, and each holds its own pair's blocks. */
static scree_result validate_groups(const problem *self) {
    int block = 0;
    for (int i = 0; i < self->group_count; i++) {
        const block_group group = self->groups[i];
        EXPECT(group.first == block && group.count >= 0, "group %d: first block %d; must be %d", i,
               group.first, block);
        EXPECT(group.count <= self->block_count - block, "group %d: ends after the last block", i);
        if (!self->blocks) block += group.count; /* the solve fills them */
        for (; block < group.first + group.count; block++)
            EXPECT(self->blocks[block].body_a == group.body_a && self->blocks[block].body_b == group.body_b,
                   "block %d of group %d: bodies %d and %d; must be %d and %d", block, i,
                   self->blocks[block].body_a, self->blocks[block].body_b, group.body_a, group.body_b);
    }
    EXPECT(block == self->block_count, "blocks in groups: %d; must be %d", block, self->block_count);
    return SCREE_OK;
}

/* seen[slot] is 1 + the last colour in which the body occurred. */
static scree_result validate_colour(const problem *self, const body_array *bodies, int colour, int *seen) {
    for (int i = self->colour_first[colour]; i < self->colour_first[colour + 1]; i++) {
        const int ends[2] = {self->groups[i].body_a, self->groups[i].body_b};
        for (int side = 0; side < 2; side++) {
            EXPECT(ends[side] >= 0 && ends[side] < self->body_count, "group %d: body %d; must be below %d", i,
                   ends[side], self->body_count);
            if (ends[side] == bodies->count || !body_is_dynamic(bodies, ends[side])) continue;
            EXPECT(colour == self->colour_count || seen[ends[side]] != colour + 1,
                   "colour %d: two groups share dynamic body %d", colour, ends[side]);
            seen[ends[side]] = colour + 1;
        }
    }
    return SCREE_OK;
}

static scree_result validate_colours(const problem *self, const body_array *bodies, int *seen) {
    EXPECT(self->colour_count >= 0 && self->colour_count <= PROBLEM_COLOURS, "colours: %d; must be 0 to %d",
           self->colour_count, PROBLEM_COLOURS);
    EXPECT(self->colour_first[0] == 0 && self->colour_first[self->colour_count + 1] == self->group_count,
           "colours do not contain all %d groups", self->group_count);
    for (int colour = 0; colour <= self->colour_count; colour++) {
        EXPECT(self->colour_first[colour] <= self->colour_first[colour + 1],
               "colour %d: end before beginning", colour);
        TRY(validate_colour(self, bodies, colour, seen));
    }
    const int remainder = self->colour_first[self->colour_count];
    const int first = remainder < self->group_count ? self->groups[remainder].first : self->block_count;
    EXPECT(self->remainder_first == first, "uncoloured remainder: first block %d; must be %d",
           self->remainder_first, first);
    return SCREE_OK;
}

static bool has_mass(const body_array *bodies, int slot) {
    return slot < bodies->count && bodies->masses[slot].mass > 0;
}

/* Every entry refers to a block that has the body on that side, in ascending order. The number of entries
 * equals the number of sides on bodies with mass, so none is missing. */
static scree_result validate_incidence(const problem *self, const body_array *bodies) {
    int sides = 0, remainder_bodies = 0;
    for (int g = 0; g < self->group_count; g++) {
        const block_group of = self->groups[g];
        sides += of.count * (has_mass(bodies, of.body_a) + has_mass(bodies, of.body_b));
    }
    EXPECT(self->incidence_first[0] == 0 && self->incidence_first[self->body_count] == sides,
           "incidence: %d entries; must be %d", self->incidence_first[self->body_count], sides);
    for (int slot = 0; slot < self->body_count; slot++) {
        const int first = self->incidence_first[slot], last = self->incidence_first[slot + 1];
        EXPECT(first <= last, "incidence of body %d: end before beginning", slot);
        int remainder = 0;
        for (int i = first; i < last; i++) {
            const int block = self->incidence[i] / 2, side = self->incidence[i] % 2;
            EXPECT(block >= 0 && block < self->block_count, "incidence of body %d: block %d does not exist",
                   slot, block);
            EXPECT(i == first || self->incidence[i] > self->incidence[i - 1],
                   "incidence of body %d: not ascending", slot);
            const int body = !self->blocks ? slot /* the solve fills them */
                             : side        ? self->blocks[block].body_b
                                           : self->blocks[block].body_a;
            EXPECT(body == slot, "incidence of body %d: block %d belongs to body %d", slot, block, body);
            remainder += block >= self->remainder_first;
        }
        if (remainder > 0) {
            EXPECT(remainder_bodies < self->remainder_body_count &&
                       self->remainder_bodies[remainder_bodies] == slot,
                   "body %d of the uncoloured remainder: missing in remainder_bodies", slot);
            ++remainder_bodies;
        }
        const body_split *splits = &self->splits[slot];
        EXPECT(splits->all == scalar_max(1, (scalar)(last - first)) &&
                   splits->remainder == scalar_max(1, (scalar)remainder),
               "body %d: split counts %g and %g; must be %d and %d", slot, (double)splits->all,
               (double)splits->remainder, last - first, remainder);
    }
    EXPECT(remainder_bodies == self->remainder_body_count,
           "uncoloured remainder: %d bodies; remainder_bodies has %d", remainder_bodies,
           self->remainder_body_count);
    return SCREE_OK;
}

scree_result problem_validate(const problem *self, const body_array *bodies) {
    EXPECT(self->body_count == bodies->count || self->body_count == bodies->count + 1,
           "bodies in the problem: %d; the world has %d", self->body_count, bodies->count);
    TRY(validate_groups(self));
    int *seen = memory_allocate((size_t)self->body_count, sizeof *seen);
    if (!seen) return fail(SCREE_ERROR_MEMORY, "out of memory: colours of %d bodies", self->body_count);
    const scree_result result = validate_colours(self, bodies, seen);
    memory_release(seen);
    TRY(result);
    /* Without an array of blocks, the solve fills them in windows. */
    return self->blocks ? validate_incidence(self, bodies) : SCREE_OK;
}
