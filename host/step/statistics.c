#include "statistics.h"
#include "joint_step.h"

#include "base/parallel.h"

#include "block.h"

/* Arrays that the items of a sum read. */
typedef struct statistics_source {
    const scree_world *world;
    const body_array *bodies;
    const contact_set *contacts;
    const statistic_sums *chunks;
} statistics_source;

/* Returns the sums with item i added. */
typedef statistic_sums statistics_item(const statistics_source *of, int i, statistic_sums sums);

/* Returns the sum of a chunk of items. */
LARGE statistic_sums sum_chunk(statistics_item *item, const statistics_source *of, slice items) {
    statistic_sums sum = sums_zero();
    for (int i = items.first; i < items.end;) {
        const int end = i + STATISTICS_LANE < items.end ? i + STATISTICS_LANE : items.end;
        statistic_sums lane = sums_zero();
        for (; i < end; i++) lane = item(of, i, lane);
        sum = sums_plus(sum, lane);
    }
    return sum;
}

static double gravity_along(const body_array *bodies, int i, scree_vec3 gravity) {
    const vec3s at = bodies->poses[i].position;
    return (double)gravity.x * body_unwrapped(bodies, i, at, 0) +
           (double)gravity.y * body_unwrapped(bodies, i, at, 1) +
           (double)gravity.z * body_unwrapped(bodies, i, at, 2);
}

LARGE statistic_sums add_body(const statistics_source *of, int i, statistic_sums sums) {
    const body_array *bodies = of->bodies;
    if (bodies->types[i] >= SLOT_KINEMATIC)
        sums = sums_travel(sums, bodies->velocities[i], of->world->model.def.time_step,
                           bounds_half_width(bodies->shapes[i]));
    if (!body_is_dynamic(bodies, i)) return sums;
    return sums_dynamic(sums, bodies->poses[i], bodies->velocities[i], bodies->masses[i],
                        gravity_along(bodies, i, of->world->state.gravity));
}

/* Returns whether both have the same bodies, at whichever images. */
static bool same_bodies(const contact_pair *one, const contact_pair *other) {
    return one->manifold.a == other->manifold.a && one->manifold.b == other->manifold.b;
}

/* Returns whether the bodies of entry i touch there and at no earlier entry. */
static bool touches_first(const contact_set *set, int i) {
    if (!contact_touches(set, i)) return false;
    for (int k = i - 1; k >= 0 && same_bodies(&set->pairs[k], &set->pairs[i]); k--)
        if (contact_touches(set, k)) return false;
    return true;
}

/* Adds the impulses of a pair to that on bodies which are not dynamic. */
LARGE statistic_sums sums_static(statistic_sums sums, const contact_set *set, int i, double sign) {
    for (int k = 0; k < (int)set->pairs[i].manifold.count; k++)
        sums = sums_vector(sums, SUM_OF_IMPULSE, contact_impulse(set, i, k), sign);
    return sums;
}

LARGE statistic_sums add_contact(const statistics_source *of, int i, statistic_sums sums) {
    const contact_set *set = of->contacts;
    const contact_pair *pair = &set->pairs[i];
    const manifold_point *points = contact_places(set, pair);
    sums.of[SUM_OF_POINTS] += (double)pair->manifold.count;
    sums.of[SUM_OF_TOUCHING] += (double)touches_first(set, i);
    sums.of[SUM_OF_HITS] += (double)pair->hits;
    for (int k = 0; k < (int)pair->manifold.count; k++) sums = sums_depth(sums, points[k].gap);
    if (!body_is_dynamic(of->bodies, pair->manifold.a)) sums = sums_static(sums, set, i, -1);
    if (!body_is_dynamic(of->bodies, pair->manifold.b)) sums = sums_static(sums, set, i, 1);
    return sums;
}

LARGE statistic_sums add_chunk(const statistics_source *of, int i, statistic_sums sums) {
    return sums_plus(sums, of->chunks[i]);
}

/* Chunks from `first` on, of bodies or of contacts. */
typedef struct chunk_loop {
    const statistics_source *of;
    bool bodies;
    int first, count; /* items */
    statistic_sums *chunks;
} chunk_loop;

static void sum_chunks(const void *context, slice part) {
    const chunk_loop loop = *(const chunk_loop *)context;
    for (int i = part.first; i < part.end; i++) {
        const int first = loop.first + i * STATISTICS_CHUNK, left = loop.count - first,
                  end = first + (left < STATISTICS_CHUNK ? left : STATISTICS_CHUNK);
        const slice items = {first, end};
        loop.chunks[i] =
            loop.bodies ? sum_chunk(add_body, loop.of, items) : sum_chunk(add_contact, loop.of, items);
    }
}

/* Returns the sums over all bodies or contacts. */
static statistic_sums sum_all(const scree_world *world, bool bodies) {
    enum { BLOCK = STATISTICS_CHUNK * STATISTICS_CHUNK };
    statistic_sums chunks[STATISTICS_CHUNK], sum = sums_zero();
    const statistics_source of = {
        .world = world, .bodies = &world->state.bodies, .contacts = &world->state.contacts, .chunks = chunks};
    chunk_loop loop = {.of = &of,
                       .bodies = bodies,
                       .count = bodies ? of.bodies->count : of.contacts->count,
                       .chunks = chunks};
    for (; loop.first < loop.count; loop.first += BLOCK) {
        const int left = loop.count - loop.first, here = left < BLOCK ? left : BLOCK,
                  used = (here + STATISTICS_CHUNK - 1) / STATISTICS_CHUNK;
        parallel_for(parallel_threads(world->model.threads, here), used, sum_chunks, &loop);
        sum = sums_plus(sum, sum_chunk(add_chunk, &of, (slice){0, used}));
        if (left <= BLOCK) break; /* `first` could overflow */
    }
    return sum;
}

void statistics_of_bodies(statistic_sums sums, scree_statistics *s) {
    const double *of = sums.of;
    s->dynamic_mass = of[SUM_OF_MASS];
    s->kinetic_energy = of[SUM_OF_KINETIC_ENERGY], s->potential_energy = of[SUM_OF_POTENTIAL_ENERGY];
    for (int k = 0; k < 3; k++) {
        s->momentum[k] = of[SUM_OF_MOMENTUM + k];
        s->angular_momentum[k] = of[SUM_OF_ANGULAR_MOMENTUM + k];
    }
    s->travel_max = of[STATISTICS_MAXIMUM];
}

void statistics_of_contacts(statistic_sums sums, scree_statistics *s) {
    const double *of = sums.of;
    s->contacts = (int)of[SUM_OF_POINTS], s->touching = (int)of[SUM_OF_TOUCHING];
    s->cache_hits = (int)of[SUM_OF_HITS];
    for (int k = 0; k < 3; k++) s->static_impulse[k] = of[SUM_OF_IMPULSE + k];
    s->penetration_max = of[STATISTICS_MAXIMUM];
    s->penetration_mean = of[SUM_OF_OVERLAPPING] > 0 ? of[SUM_OF_DEPTHS] / of[SUM_OF_OVERLAPPING] : 0;
}

typedef struct remainder_loop {
    const problem *p;
    int *sum;
} remainder_loop;

static void count_remainder(const void *context, slice part) {
    const remainder_loop loop = *(const remainder_loop *)context;
    int sum = 0;
    for (int i = part.first; i < part.end; i++)
        sum += block_is_contact(loop.p->blocks[loop.p->remainder_first + i]);
    parallel_add(loop.sum, sum);
}

/* Returns the number of contacts in the uncoloured remainder. */
static int remainder_of(const problem *p, int threads) {
    const int left = p->block_count - p->remainder_first;
    int sum = 0;
    if (p->away) return left; /* without resistances (away_sum_contacts) */
    parallel_for(parallel_threads(threads, left), left, count_remainder,
                 &(const remainder_loop){.p = p, .sum = &sum});
    return sum;
}

void statistics_fill(const scree_world *world, const step_sums *sums, scree_statistics *s) {
    const problem *p = &world->scratch.problem;
    s->step = world->state.steps;
    s->time = world_time(world);
    s->bodies = world->state.bodies.living;
    s->dynamic_bodies = world->state.bodies.dynamic;
    s->colours = p->colour_count;
    s->remainder = remainder_of(p, world->model.threads);
    statistics_of_bodies(sums && sums->has_bodies ? sums->bodies : sum_all(world, true), s);
    statistics_of_contacts(sums && sums->has_contacts ? sums->contacts : sum_all(world, false), s);
    joint_quantities(world, s);
}

static void add_traffic(scree_device_traffic *sum, const scree_device_traffic *of) {
    sum->launches += of->launches, sum->waits += of->waits;
    sum->bytes_up += of->bytes_up, sum->bytes_down += of->bytes_down;
    sum->work_items += of->work_items, sum->busy += of->busy;
}

void statistics_end(scree_world *world, scree_statistics *s) {
    const backend *engine = world->backend;
    const double *of = world->log.seconds;
    scree_timing *t = &s->timing;
    if (engine->operations->traffic) engine->operations->traffic(world->backend, s->stages, &world->log);
    uint64_t limit;
    if (engine->operations->memory) engine->operations->memory(engine, &s->device_memory, &limit);
    t->total = stage_log_end(&world->log);
    for (int i = 0; i < SCREE_STAGE_COUNT; i++) {
        s->stages[i].seconds = of[i];
        add_traffic(&s->device, &s->stages[i].device);
    }
    t->bounds = of[SCREE_STAGE_BOUNDS], t->pairs = of[SCREE_STAGE_PAIRS] + of[SCREE_STAGE_DETECTION];
    t->manifolds = of[SCREE_STAGE_CONTACTS], t->problem = of[SCREE_STAGE_ROWS] + of[SCREE_STAGE_COLOURS];
    t->predict = of[SCREE_STAGE_PREDICT], t->solve = of[SCREE_STAGE_SOLVE] + of[SCREE_STAGE_POSITIONS];
    t->integrate = of[SCREE_STAGE_INTEGRATE], t->statistics = of[SCREE_STAGE_COMMIT];
}
