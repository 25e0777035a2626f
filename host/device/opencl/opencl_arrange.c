/* Launches of the arrangement on the device. */
#include "opencl_arrange.h"

#include "base/memory.h"

#include <limits.h>
#include <string.h>

/* Each work-group reads the counts of all: with 256, 9 MB from the cache. */
enum { MOST_GROUPS = 256 };

void opencl_arrange_open(opencl_arrange *self, opencl_primitives *primitives, arranged_problem to) {
    *self = (opencl_arrange){.primitives = primitives, .to = to};
    opencl_colours_open(&self->colours, primitives);
}

void opencl_arrange_close(opencl_arrange *self) {
    opencl_buffer *const buffers[] = {
        &self->ends,         &self->pair_group,  &self->words,     &self->pairs,  &self->last,  &self->blocks,
        &self->tallies,      &self->rest,        &self->degrees,   &self->counts, &self->parts, &self->keys,
        &self->values,       &self->before,      &self->kept_ends, &self->firsts, &self->leads, &self->run_of,
        &self->pair_colours, &self->pair_firsts, &self->pair_of};
    if (!self->primitives) return;
    for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
        opencl_buffer_release(self->primitives->device, buffers[i]);
    opencl_colours_close(&self->colours);
    memory_release(self->fetched);
    *self = (opencl_arrange){0};
}

/* The kernel of a name that counts the blocks of pairs. */
#define TALLYING(self, name)                                                                                 \
    ((self)->wide ? PRIMITIVE_arrange_wide_arrange_##name : PRIMITIVE_arrange_arrange_##name)

static int tally_bits(const opencl_arrange *self) { return self->wide ? TALLY_WIDE : TALLY_NARROW; }

/* One arrangement. */
typedef struct arrange_run {
    const arranged_bodies *bodies;
    const device_contacts *contacts;
    motion_parameters motion;
    cl_int limit;
    cl_uint slots;  /* bodies, and the ground */
    cl_uint groups; /* of launches over pairs and slots */
    device_length pairs;
} arrange_run;

/* Takes the arrays of the problem, which the caller gives back. */
static scree_result share_problem(opencl_arrange *self, const arrange_run *run) {
    opencl_device *device = self->primitives->device;
    const size_t word = sizeof(cl_uint), slots = run->slots, pairs = run->pairs.capacity,
                 blocks = (size_t)run->contacts->point_capacity * (run->bodies->resists ? 2 : 1) +
                          (run->bodies->links ? run->bodies->links->rows : 0);
    TRY(opencl_buffer_reserve(device, &self->words, ARRANGED_WORDS * word, "report of the arrangement"));
    TRY(opencl_buffer_share(device, self->to.splits, slots * sizeof(body_split), "splits"));
    TRY(opencl_buffer_share(device, self->to.incidence_first, (slots + 1) * word, "incidence_first"));
    TRY(opencl_buffer_share(device, &self->pairs, pairs * 2 * word, "pairs of bodies"));
    TRY(opencl_buffer_share(device, self->to.groups, pairs * sizeof(block_group), "groups"));
    TRY(opencl_buffer_share(device, &self->pair_group, pairs * word, "groups of pairs"));
    TRY(opencl_buffer_share(device, &self->firsts, run->contacts->pair_capacity * word,
                            "blocks of contacts"));
    return opencl_buffer_share(device, self->to.incidence, 2 * blocks * word, "incidence");
}

/* Takes what opencl_arrange_finish gives back. */
static scree_result share_scratch(opencl_arrange *self, const arrange_run *run) {
    opencl_device *device = self->primitives->device;
    const size_t word = sizeof(cl_uint), slots = run->slots, pairs = run->pairs.capacity,
                 counts = (size_t)run->groups * (ARRANGED_COLOURS + 1) * 2;
    const size_t words = (size_t)tally_words(tally_bits(self));
    TRY(opencl_buffer_share(device, &self->tallies, slots * words * word, "blocks of bodies"));
    TRY(opencl_buffer_share(device, &self->rest, slots * word, "blocks of bodies"));
    TRY(opencl_buffer_share(device, &self->degrees, (slots + 1) * word, "blocks of bodies"));
    TRY(opencl_buffer_share(device, &self->parts, run->groups * word, "blocks of bodies"));
    TRY(opencl_buffer_share(device, &self->ends, pairs * 2 * word, "pairs of groups"));
    TRY(opencl_buffer_share(device, &self->last, pairs * word, "colours of pairs"));
    TRY(opencl_buffer_share(device, &self->blocks, pairs * sizeof(cl_ushort), "blocks of pairs"));
    return opencl_buffer_share(device, &self->counts, counts * word, "groups of colours");
}

/* A kernel does not read the buffer that stands for one that is not there. */
static const opencl_buffer *or_any(const opencl_buffer *buffer, const opencl_buffer *any) {
    return buffer ? buffer : any;
}

static scree_result clear(opencl_arrange *self, const arrange_run *run) {
    const device_contacts *contacts = run->contacts;
    const opencl_colours *colours = &self->colours;
    return PRIMITIVE_LAUNCH(
        self->primitives, TALLYING(self, clear), primitive_groups(self->primitives, run->slots, TILE_GROUP),
        BUFFER(contacts->counts), ARGUMENT(contacts->pair_capacity), ARGUMENT(contacts->point_capacity),
        ARGUMENT(contacts->slot_capacity), ARGUMENT(run->slots), BUFFER(colours->masks),
        BUFFER(colours->once), BUFFER(colours->twice), BUFFER(colours->highest), BUFFER(self->tallies),
        BUFFER(self->rest), BUFFER(self->words));
}

/* Returns whether entries have other numbers than their pairs. */
static bool is_numbered(const arranged_bodies *bodies) { return bodies->several || bodies->links; }

/* The entries that begin pairs, and the pairs before each. */
#define RUNS(self, bodies)                                                                                   \
    BUFFER(*or_any((bodies)->several ? &(self)->leads : NULL, &(self)->words)),                              \
        BUFFER(*or_any((bodies)->several ? &(self)->run_of : NULL, &(self)->words)), ARGUMENT(runs)

static scree_result collect(opencl_arrange *self, const arrange_run *run) {
    const arranged_bodies *bodies = run->bodies;
    const opencl_colours *colours = &self->colours;
    const opencl_buffer *any = &self->words;
    const cl_uint entries = run->contacts->pair_capacity;
    const opencl_links *links = bodies->links;
    const cl_int loaded = bodies->loads != NULL;
    const cl_uint linked = links ? links->count : 0;
    const cl_int runs = bodies->several;
    return PRIMITIVE_LAUNCH(
        self->primitives, TALLYING(self, pairs),
        primitive_groups(self->primitives, entries > bodies->count ? entries : bodies->count, TILE_GROUP),
        BUFFER(run->contacts->heads), BUFFER(run->contacts->tags), BUFFER(self->words), ARGUMENT(entries),
        BUFFER(*bodies->types), BUFFER(*bodies->masses), BUFFER(*or_any(bodies->materials, any)),
        BUFFER(*or_any(bodies->resists, any)), ARGUMENT(bodies->material_count), ARGUMENT(run->limit),
        BUFFER(self->pairs), BUFFER(self->last), BUFFER(self->blocks), BUFFER(colours->once),
        BUFFER(colours->twice), BUFFER(*bodies->velocities), BUFFER(*bodies->shapes),
        BUFFER(*or_any(bodies->loads, any)), ARGUMENT(loaded), ARGUMENT(bodies->count), RUNS(self, bodies),
        BUFFER(*or_any(links ? &links->entries : NULL, any)),
        BUFFER(*or_any(links ? &links->before : NULL, any)), ARGUMENT(linked),
        BUFFER(*(is_numbered(bodies) ? &self->pair_of : any)));
}

/* -- Pairs with joints or several entries ------------------------------------------------ */

static scree_result reserve_numbers(opencl_arrange *self, const arrange_run *run) {
    opencl_device *device = self->primitives->device;
    const size_t word = sizeof(cl_uint), pairs = run->pairs.capacity;
    TRY(opencl_buffer_reserve(device, &self->pair_of, run->contacts->pair_capacity * word,
                              "pairs of entries"));
    TRY(opencl_buffer_reserve(device, &self->pair_colours, pairs, "colours of pairs"));
    return opencl_buffer_reserve(device, &self->pair_firsts, pairs * word, "first blocks of pairs");
}

/* Finds the entries that begin pairs, and counts them. */
static scree_result number_runs(opencl_arrange *self, const arrange_run *run) {
    opencl_device *device = self->primitives->device;
    const device_contacts *contacts = run->contacts;
    const size_t bytes = contacts->pair_capacity * sizeof(cl_uint);
    const device_length entries = {{&self->words, ARRANGED_ENTRIES}, contacts->pair_capacity};
    TRY(opencl_buffer_reserve(device, &self->leads, bytes, "first entries of pairs"));
    TRY(opencl_buffer_reserve(device, &self->run_of, bytes, "pairs before entries"));
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_arrange_arrange_leads,
                         primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP),
                         BUFFER(contacts->heads), BUFFER(contacts->tags), BUFFER(self->words),
                         ARGUMENT(contacts->pair_capacity), BUFFER(self->leads)));
    return opencl_scan(self->primitives, &self->leads, entries, &self->run_of,
                       (device_word){&self->words, ARRANGED_RUNS});
}

/* Gives the entries what their pairs have. */
static scree_result finish_entries(opencl_arrange *self, const arrange_run *run) {
    const arranged_bodies *bodies = run->bodies;
    const device_contacts *contacts = run->contacts;
    const opencl_links *links = bodies->links;
    const opencl_buffer *any = &self->words;
    const cl_int runs = bodies->several;
    const cl_uint linked = links ? links->count : 0;
    return PRIMITIVE_LAUNCH(
        self->primitives, PRIMITIVE_arrange_arrange_entries,
        primitive_groups(self->primitives, contacts->pair_capacity, TILE_GROUP), BUFFER(contacts->heads),
        BUFFER(*or_any(runs ? &self->leads : NULL, any)), ARGUMENT(runs), BUFFER(self->pair_of),
        BUFFER(self->words), ARGUMENT(contacts->pair_capacity), BUFFER(*or_any(bodies->materials, any)),
        BUFFER(*or_any(bodies->resists, any)), ARGUMENT(bodies->material_count), BUFFER(self->last),
        BUFFER(self->pair_firsts), BUFFER(*or_any(links ? &links->linked : NULL, any)),
        BUFFER(*or_any(links ? &links->entries : NULL, any)),
        BUFFER(*or_any(links ? &links->alone : NULL, any)), ARGUMENT(linked), BUFFER(contacts->colours),
        BUFFER(self->firsts));
}

/* -- Pairs ------------------------------------------------------------------------------- */

static links_run links_run_of(const opencl_arrange *self, const arrange_run *run) {
    return (links_run){.contacts = run->contacts,
                       .words = &self->words,
                       .run_of = run->bodies->several ? &self->run_of : NULL,
                       .limit = run->limit,
                       .most = (1 << tally_bits(self)) - 1,
                       .firsts = &self->pair_firsts,
                       .pairs = &self->pairs,
                       .colours = &self->last,
                       .blocks = &self->blocks,
                       .once = &self->colours.once,
                       .twice = &self->colours.twice};
}

/* Collects the pairs of contacts, and those of joints. */
static scree_result collect_all(opencl_arrange *self, const arrange_run *run) {
    opencl_links *links = run->bodies->links;
    const links_run shared = links_run_of(self, run);
    if (is_numbered(run->bodies)) TRY(reserve_numbers(self, run));
    if (links) TRY(opencl_links_find(links, &shared));
    if (run->bodies->several) TRY(number_runs(self, run));
    TRY(collect(self, run));
    return links ? opencl_links_enter(links, &shared) : SCREE_OK;
}

/* Counts the groups of each colour and places them, with the number of blocks of each body. */
static scree_result place(opencl_arrange *self, const arrange_run *run) {
    const cl_int numbered = is_numbered(run->bodies);
    const opencl_buffer *kept = numbered ? &self->pair_colours : &run->contacts->colours,
                        *firsts = numbered ? &self->pair_firsts : &self->firsts,
                        *pair_of = numbered ? &self->pair_of : &self->words;
    TRY(PRIMITIVE_LAUNCH(self->primitives, TALLYING(self, count), run->groups, BUFFER(run->contacts->heads),
                         ARGUMENT(run->contacts->pair_capacity), BUFFER(*pair_of), ARGUMENT(numbered),
                         BUFFER(self->pairs), BUFFER(self->last), BUFFER(self->blocks), BUFFER(self->words),
                         ARGUMENT(run->pairs.capacity), ARGUMENT(run->limit), BUFFER(self->counts),
                         BUFFER(self->tallies), BUFFER(self->rest)));
    return PRIMITIVE_LAUNCH(
        self->primitives, TALLYING(self, place), run->groups, BUFFER(self->pairs), BUFFER(self->last),
        BUFFER(self->blocks), BUFFER(self->words), ARGUMENT(run->pairs.capacity), ARGUMENT(run->limit),
        BUFFER(self->counts), BUFFER(*self->to.groups), BUFFER(self->ends), BUFFER(self->pair_group),
        BUFFER(*kept), BUFFER(*firsts), ARGUMENT(run->slots), BUFFER(self->tallies), BUFFER(self->rest),
        BUFFER(self->degrees), BUFFER(*self->to.splits), BUFFER(self->parts), ARGUMENT(run->motion));
}

static scree_result finish_links(opencl_arrange *self, const arrange_run *run) {
    const links_run shared = links_run_of(self, run);
    return opencl_links_finish(run->bodies->links, &shared);
}

/* Scans the degrees, whose parts `place` has left, and lists the blocks of each body. */
static scree_result fill_incidence(opencl_arrange *self, const arrange_run *run) {
    const device_length slots = {{&self->words, ARRANGED_SLOTS}, run->slots + 1};
    const device_word entries = {&self->words, ARRANGED_INCIDENCE};
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_scan_scan_write, run->groups, BUFFER(self->degrees),
                         LENGTH(slots), BUFFER(self->parts), BUFFER(*self->to.incidence_first),
                         WORD(entries)));
    return PRIMITIVE_LAUNCH(self->primitives, TALLYING(self, fill),
                            primitive_groups(self->primitives, run->pairs.capacity, TILE_GROUP),
                            BUFFER(self->ends), BUFFER(*self->to.groups), BUFFER(self->words),
                            ARGUMENT(run->pairs.capacity), ARGUMENT(run->limit), BUFFER(self->tallies),
                            BUFFER(*self->to.incidence_first), BUFFER(*self->to.incidence));
}

/* Compares the groups with those of the graph. */
static scree_result compare(opencl_arrange *self, const arrange_run *run) {
    const cl_uint first = (cl_uint)self->kept.first, count = (cl_uint)(self->kept.end - self->kept.first);
    if (!self->planned || count == 0) return SCREE_OK;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_arrange_arrange_compare,
                            primitive_groups(self->primitives, count, TILE_GROUP), BUFFER(self->ends),
                            BUFFER(self->kept_ends), ARGUMENT(first), ARGUMENT(count),
                            ARGUMENT(run->pairs.capacity), BUFFER(self->words));
}

void opencl_arrange_planned(opencl_arrange *self, bool planned) { self->planned = planned; }

static cl_uint groups_for(const opencl_arrange *self, cl_uint pairs, cl_uint slots) {
    const cl_uint of_pairs = primitive_groups(self->primitives, pairs, TILE_GROUP),
                  of_slots = primitive_groups(self->primitives, slots + 1, SCAN_TILE),
                  more = of_pairs > of_slots ? of_pairs : of_slots;
    return more < MOST_GROUPS ? more : MOST_GROUPS;
}

/* Returns the rounds after which the last step had a candidate for each work-item of a work-group: that makes
 * a round in less time than two launches. */
static int rounds_needed(const opencl_arrange *self) {
    for (int round = 0; self->reported && round <= self->rounds; round++)
        if (self->report[ARRANGED_CANDIDATES + round] <= TILE_GROUP) return round;
    return ARRANGED_ROUNDS;
}

/* Joints are coloured first. */
static first_pairs first_of(const opencl_links *links) {
    if (!links) return (first_pairs){.count = 0};
    return (first_pairs){.count = links->count, .numbers = &links->numbers, .held = &links->held};
}

scree_result opencl_arrange_begin(opencl_arrange *self, const arranged_bodies *bodies,
                                  const device_contacts *contacts, motion_parameters motion, cl_int limit) {
    const cl_uint slots = bodies->count + bodies->grounded,
                  pairs = contacts->pair_capacity + (bodies->links ? bodies->links->count : 0);
    const arrange_run run = {.bodies = bodies,
                             .contacts = contacts,
                             .motion = motion,
                             .limit = limit,
                             .slots = slots,
                             .groups = groups_for(self, pairs, slots),
                             .pairs = {{&self->words, ARRANGED_PAIRS}, pairs}};
    const device_word candidates = {&self->words, ARRANGED_CANDIDATES};
    self->rounds = rounds_needed(self);
    TRY(share_problem(self, &run));
    self->end = opencl_scratch_mark(self->primitives->device);
    TRY(share_scratch(self, &run));
    TRY(opencl_colours_reserve(&self->colours, pairs, slots));
    TRY(clear(self, &run));
    TRY(collect_all(self, &run));
    TRY(opencl_colours_update(&self->colours, &self->pairs, &self->last, run.pairs, first_of(bodies->links),
                              limit, candidates, self->rounds));
    TRY(place(self, &run));
    if (bodies->links) TRY(finish_links(self, &run));
    if (is_numbered(bodies)) TRY(finish_entries(self, &run));
    TRY(fill_incidence(self, &run));
    TRY(compare(self, &run));
    self->contacts_alone = !bodies->resists && !bodies->links;
    self->kinds_found = false;
    self->time_step = motion.time_step;
    self->slots = slots, self->pair_capacity = pairs, self->limit = limit;
    return SCREE_OK;
}

scree_result opencl_arrange_find_kinds(opencl_arrange *self, const opencl_buffer *blocks,
                                       cl_uint block_capacity, const opencl_buffer *masses) {
    self->kinds_found = true;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_arrange_arrange_balls,
                            primitive_groups(self->primitives, self->pair_capacity, TILE_GROUP),
                            BUFFER(*self->to.groups), BUFFER(*blocks), BUFFER(*masses), BUFFER(self->words),
                            ARGUMENT(self->pair_capacity), ARGUMENT(self->limit), ARGUMENT(block_capacity));
}

static sweep_kind kind_of(const opencl_arrange *self, int colour) {
    const cl_uint held = self->report[ARRANGED_HELD], others = held | self->report[ARRANGED_OTHERS],
                  mixed = held | self->report[ARRANGED_MIXED];
    if (!self->kinds_found) return self->contacts_alone ? SWEEP_CONTACTS : SWEEP_BLOCKS;
    return mixed >> colour & 1 ? SWEEP_BLOCKS : others >> colour & 1 ? SWEEP_CONTACTS : SWEEP_BALLS;
}

int opencl_arrange_kinds(const opencl_arrange *self, sweep_kind *kinds) {
    const cl_uint *firsts = self->report + ARRANGED_FIRSTS;
    int colours = 0;
    for (int c = 0; c < self->limit; c++)
        if (firsts[c + 1] > firsts[c]) kinds[colours++] = kind_of(self, c);
    return colours;
}

/* -- The uncoloured remainder ------------------------------------------------------------ */

static scree_result share_remainder(opencl_arrange *self, size_t ends) {
    opencl_device *device = self->primitives->device;
    const size_t word = sizeof(cl_uint);
    TRY(opencl_buffer_share(device, &self->keys, ends * word, "ends of the remainder"));
    TRY(opencl_buffer_share(device, &self->values, ends * word, "ends of the remainder"));
    TRY(opencl_buffer_share(device, &self->before, ends * word, "ends of the remainder"));
    TRY(opencl_sort_share(self->primitives, (cl_uint)ends));
    TRY(opencl_buffer_reserve(device, self->to.pieces, self->report[ARRANGED_PIECES] * sizeof(cl_int2),
                              "pieces of bodies"));
    return opencl_buffer_reserve(device, self->to.remainder_bodies, self->slots * word, "remainder_bodies");
}

/* Sorts the ends of the remainder's groups by body: the groups of a body keep their order. */
static scree_result sort_ends(opencl_arrange *self, device_length ends, cl_uint groups) {
    int bits = 1;
    while (self->slots >> bits) bits++;
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_arrange_arrange_ends, groups, BUFFER(self->ends),
                         BUFFER(self->words), ARGUMENT(ends.capacity), ARGUMENT(self->limit),
                         ARGUMENT(self->slots), BUFFER(self->keys), BUFFER(self->values)));
    return opencl_sort(self->primitives, 32, &self->keys, &self->values, ends, bits);
}

static scree_result fill_remainder(opencl_arrange *self, device_length ends, cl_uint groups) {
    const device_word sum = {&self->words, ARRANGED_REMAINDER_BLOCKS};
    TRY(PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_arrange_arrange_end_blocks, groups,
                         BUFFER(*self->to.groups), BUFFER(self->words), ARGUMENT(ends.capacity),
                         BUFFER(self->values), BUFFER(self->before)));
    TRY(opencl_scan(self->primitives, &self->before, ends, &self->before, sum));
    return PRIMITIVE_LAUNCH(self->primitives, TALLYING(self, remainder), groups, BUFFER(*self->to.groups),
                            BUFFER(self->words), ARGUMENT(ends.capacity), ARGUMENT(self->slots),
                            BUFFER(self->keys), BUFFER(self->values), BUFFER(self->before),
                            BUFFER(self->tallies), BUFFER(*self->to.incidence_first),
                            BUFFER(*self->to.incidence));
}

static scree_result list_bodies(opencl_arrange *self) {
    const device_length slots = {{&self->words, ARRANGED_SLOTS}, self->slots};
    const device_word listed = {&self->words, ARRANGED_REMAINDER_BODIES};
    TRY(opencl_compact(self->primitives, &self->rest, slots, self->to.remainder_bodies, listed));
    if (self->report[ARRANGED_PIECES] == 0) return SCREE_OK;
    return PRIMITIVE_LAUNCH(self->primitives, PRIMITIVE_arrange_arrange_pieces,
                            primitive_groups(self->primitives, self->slots, TILE_GROUP),
                            BUFFER(self->degrees), ARGUMENT(self->slots), BUFFER(self->words),
                            ARGUMENT(self->report[ARRANGED_PIECES]), BUFFER(*self->to.pieces));
}

static scree_result index_remainder(opencl_arrange *self) {
    const cl_uint count = self->report[ARRANGED_REMAINDER_ENDS],
                  groups = primitive_groups(self->primitives, count, TILE_GROUP);
    const device_length ends = {{&self->words, ARRANGED_REMAINDER_ENDS}, count};
    if (count == 0) return SCREE_OK;
    TRY(share_remainder(self, count));
    TRY(sort_ends(self, ends, groups));
    TRY(fill_remainder(self, ends, groups));
    return list_bodies(self);
}

/* -- The report ---------------------------------------------------------------------------- */

static scalar scalar_in(cl_uint bits) {
    scalar out;
    memcpy(&out, &bits, sizeof out);
    return out;
}

static survey_unit unit_in(const cl_uint *report) {
    return (survey_unit){.drive_speed = scalar_in(report[ARRANGED_DRIVE_SPEED]),
                         .mass_exponent = (int)report[ARRANGED_MASS_EXPONENT] - ARRANGED_EXPONENT,
                         .kilograms = scalar_in(report[ARRANGED_KILOGRAMS])};
}

static void take_report(const opencl_arrange *self, problem *p) {
    const cl_uint *report = self->report;
    int firsts[ARRANGED_COLOURS + 2];
    for (int c = 0; c <= self->limit + 1; c++) firsts[c] = (int)report[ARRANGED_FIRSTS + c];
    p->body_count = (int)self->slots;
    p->predicted = false;
    p->pairs.count = (int)report[ARRANGED_PAIRS];
    p->pairs.remainder = self->limit;
    p->block_count = (int)report[ARRANGED_BLOCKS];
    p->remainder_first = (int)report[ARRANGED_REMAINDER_FIRST];
    p->remainder_points = (int)report[ARRANGED_REMAINDER_POINTS];
    p->remainder_body_count = (int)report[ARRANGED_REMAINDER_BODIES];
    problem_take_colours(p, firsts, self->limit);
    problem_take_unit(p, scalar_in(report[ARRANGED_SMALLEST]), unit_in(report), self->time_step);
}

/* -- Groups for a plan of the sweeps ---------------------------------------------------------- */

static scree_result fetch_ends(opencl_arrange *self, slice groups, cl_bool waits) {
    const int count = groups.end - groups.first;
    TRY(MEMORY_RESERVE(self->fetched, self->fetched_capacity, count + 1, NULL));
    self->graph = (sweep_graph){.first = groups.first, .ends = self->fetched};
    return opencl_buffer_read_from(self->primitives->device, &self->ends,
                                   (size_t)groups.first * sizeof *self->fetched, self->fetched,
                                   (size_t)count * sizeof *self->fetched, waits, "ends of groups");
}

static slice clipped(slice of, int end) {
    const slice out = {of.first > 0 ? of.first : 0, of.end < end ? of.end : end};
    return out.first < out.end ? out : (slice){0, 0};
}

/* Returns whether the groups of a problem with this tail are those of the graph. */
static bool is_kept(const opencl_arrange *self, const problem *p, slice tail) {
    return self->planned && !self->report[ARRANGED_CHANGED] && tail.first == self->kept.first &&
           tail.end == self->kept.end && p->colour_count == self->kept_colours &&
           memcmp(p->colour_first, self->kept_firsts, (size_t)(p->colour_count + 1) * sizeof(int)) == 0;
}

/* Keeps what tells whether the next graph is the same. */
static scree_result keep_graph(opencl_arrange *self, const problem *p, slice tail) {
    const size_t bytes = (size_t)(tail.end - tail.first) * sizeof *self->fetched;
    self->planned = false;
    TRY(opencl_buffer_reserve(self->primitives->device, &self->kept_ends, bytes, "ends of planned groups"));
    self->kept = tail;
    self->kept_colours = p->colour_count;
    memcpy(self->kept_firsts, p->colour_first, (size_t)(p->colour_count + 1) * sizeof(int));
    return opencl_buffer_copy_from(self->primitives->device, &self->ends,
                                   (size_t)tail.first * sizeof *self->fetched, &self->kept_ends, bytes,
                                   "keeping the ends of groups");
}

/* Reads the tail, unless it is the same or was among the groups that came with the report, and guesses where
 * the next step's will be: a graph that is the same is likely to stay so. */
static scree_result fetch_tail(opencl_arrange *self, const problem *p, int largest) {
    const slice tail = sweep_plan_tail(p->colour_count, p->colour_first, largest);
    const int spare = (tail.end - tail.first) / 4;
    self->same = is_kept(self, p, tail);
    self->graph.colour_first = p->colour_first;
    if (self->same) {
        self->guess = (slice){0, 0};
        return SCREE_OK;
    }
    if (tail.first < self->guess.first || tail.end > self->guess.end) TRY(fetch_ends(self, tail, CL_TRUE));
    self->tail = tail;
    self->guess = (slice){tail.first - spare, tail.end + spare};
    self->graph.colour_count = p->colour_count, self->graph.colour_first = p->colour_first;
    self->graph.body_count = p->body_count;
    return keep_graph(self, p, tail);
}

static scree_result read_report(opencl_arrange *self) {
    self->guess = clipped(self->guess, (int)self->pair_capacity);
    TRY(fetch_ends(self, self->guess, CL_FALSE));
    return opencl_buffer_read(self->primitives->device, &self->words, self->report, sizeof self->report,
                              CL_TRUE, "report of the arrangement");
}

const char *opencl_arrange_barrier(const opencl_arrange *self) {
    const cl_uint refused = self->report[ARRANGED_REFUSED];
    if (refused & REFUSED_BLOCKS) return "two bodies have too many contacts for the device";
    return refused & REFUSED_COLOUR ? "a pair of bodies with joints needs more colours than there are" : NULL;
}

bool opencl_arrange_widen(opencl_arrange *self) {
    const bool widens = !self->wide && self->report[ARRANGED_REFUSED] & REFUSED_BLOCKS;
    self->wide |= widens;
    return widens;
}

scree_result opencl_arrange_finish(opencl_arrange *self, int largest, problem *p) {
    TRY(read_report(self));
    const cl_uint points = self->report[ARRANGED_CONTACTS + CONTACTS_POINTS];
    if (points > INT_MAX / 4)
        return fail(SCREE_ERROR_CAPACITY, "contacts: %u; at most %d fit into an index", (unsigned)points,
                    INT_MAX / 4);
    self->reported = true;
    take_report(self, p);
    TRY(index_remainder(self));
    TRY(fetch_tail(self, p, largest));
    opencl_sort_leave(self->primitives);
    opencl_scratch_reset(self->primitives->device, self->end);
    return SCREE_OK;
}
