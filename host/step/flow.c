/* Inlets and outlets during a step. */
#include "body_slots.h"

#include "base/handle_table.h"
#include "base/memory.h"
#include "base/noise.h"
#include "base/parallel.h"
#include "base/vector.h"
#include "geometry/shape.h"
#include "detect/zone_frame.h"
#include "model/zone.h"

#include <string.h>

static handle_table handles_of(const flow_array *all) {
    return (handle_table){all->world, all->count, all->items ? &all->items->generation : NULL,
                          sizeof *all->items};
}

int flow_place(const flow_array *all, scree_flow_id id) {
    return handle_find(handles_of(all), id.index, id.generation, id.world);
}

/* Returns the fractional part of u_0 + k (√5 − 1)/2 in 32 bits (golden-section steps): any run of consecutive
 * items hits each interval in proportion to its length, up to a few (measured: fewer than 4 of 10⁵). */
static double even_share(uint32_t key, uint32_t item) {
    const uint32_t begin = noise_hash(NOISE_SIZE ^ key);
    return (double)(uint32_t)(begin + item * UINT32_C(0x9e3779b9)) / 4294967296.0;
}

/* Returns the size of a grain from its number. */
static double size_of(const scree_inlet_def *def, uint64_t grain) {
    if (!def->size_count) return scree_shape_get_sieve_size(def->body.shape);
    const uint32_t key = noise_key(def->seed, 1, (uint32_t)(grain >> 32));
    const double at = even_share(key, (uint32_t)grain) * (def->size_count - 1);
    const int lower = (int)at, upper = lower + 1 < def->size_count ? lower + 1 : lower;
    return (double)def->sizes[lower] + (at - lower) * ((double)def->sizes[upper] - (double)def->sizes[lower]);
}

scree_body_def flow_body_of_size(const scree_world *world, const scree_inlet_def *def, double size) {
    scree_body_def body = def->body;
    int material = 0;
    if (def->size_count)
        body.shape = scree_shape_scale(body.shape, size / scree_shape_get_sieve_size(body.shape));
    if (material_index(&world->model.materials, body.material, &material) != SCREE_OK)
        body.material = (scree_material_id){0};
    return body;
}

static double mass_of(const scree_world *world, const scree_body_def *body) {
    int material = 0;
    if (body->mass > 0) return (double)body->mass;
    if (material_index(&world->model.materials, body->material, &material) != SCREE_OK) return 0;
    return (double)(float)scree_shape_get_mass(
        body->shape, (double)world->model.materials.materials[material].density); /* rounded as for bodies */
}

enum { QUANTILES = 16 };

static double mean_mass(const scree_world *world, const scree_inlet_def *def) {
    double sum = 0;
    for (uint64_t grain = 0; grain < QUANTILES; grain++) {
        const scree_body_def body = flow_body_of_size(world, def, size_of(def, grain));
        sum += mass_of(world, &body) / QUANTILES;
    }
    return sum;
}

double flow_grains_ahead(const scree_world *world, const flow_item *item, double seconds) {
    const scree_inlet_def *def = &item->inlet;
    const double active = fmin(world_time(world) - item->begin + seconds, def->stop) - def->start,
                 before = (double)(item->grains - item->first_grain);
    if (!flow_is_alive(item) || !item->is_inlet || def->closed || !(active > 0)) return 0;
    double grains = def->mass_rate > 0 ? def->mass_rate * active / mean_mass(world, def) : def->rate * active;
    if (def->count && grains > (double)def->count) grains = (double)def->count;
    return fmax(0, floor(grains) - before);
}

scree_result flow_find_place(flow_array *all, int *place) {
    *place = handle_free_place(handles_of(all));
    if (*place < all->count) return SCREE_OK;
    TRY(MEMORY_RESERVE(all->items, all->capacity, all->count + 1, NULL));
    all->count++;
    return SCREE_OK;
}

scree_result flow_take_sizes(flow_item *item, const float *sizes, int count) {
    float *const own = memory_allocate((size_t)count, sizeof *own);
    if (!own) return fail(SCREE_ERROR_MEMORY, "out of memory: %d sizes", count);
    if (count > 0) memcpy(own, sizes, sizeof *own * (size_t)count);
    memory_release(item->sizes);
    item->sizes = own;
    item->inlet.sizes = count > 0 ? own : NULL;
    item->inlet.size_count = count;
    return SCREE_OK;
}

/* The region from which an outlet removes bodies: inside or outside its zone, periodic images included. */
typedef struct outlet_reach {
    const scree_outlet_def *def;
    const period *cell;
    zone_frame frame; /* used if there are images */
} outlet_reach;

static outlet_reach reach_of_outlet(const scree_world *world, const flow_item *item) {
    return (outlet_reach){&item->outlet, &world->state.bodies.period, zone_frame_of(&item->outlet.zone)};
}

static bool takes(const outlet_reach *self, vec3s point) {
    double local[3];
    const bool holds = self->cell->any && self->def->zone.kind != SCREE_ZONE_HALF_SPACE
                           ? zone_images_hold(&self->frame, self->cell, point, local)
                           : zone_holds(&self->def->zone, point);
    return holds != self->def->outside;
}

static bool is_outlet(const flow_item *item, bool stops) {
    return flow_is_alive(item) && !item->is_inlet && item->outlet.stops == stops && !item->outlet.closed;
}

scree_result flow_reserve(scree_world *world) {
    flow_array *all = &world->state.flows;
    bool any = false;
    for (int i = 0; i < all->count; i++) any |= flow_is_alive(&all->items[i]) && !all->items[i].is_inlet;
    return any ? MEMORY_RESERVE(all->leaving, all->leaving_capacity, world->state.bodies.count, NULL)
               : SCREE_OK;
}

enum { ATTEMPTS = 32 }; /* per grain and step */

static slice slots_of_slice(const scree_world *world, int number) {
    return slice_of(world->state.bodies.count, number, PARALLEL_SLICES);
}

typedef struct leaving_loop {
    const scree_world *world;
    int *counts, *leaving;
    outlet_reach reach;
    const body_pose *poses;
} leaving_loop;

static void list_slices(const void *context, slice part) {
    const leaving_loop loop = *(const leaving_loop *)context;
    for (int number = part.first; number < part.end; number++) {
        const slice slots = slots_of_slice(loop.world, number);
        loop.counts[number] = 0;
        for (int slot = slots.first; slot < slots.end; slot++)
            if (body_is_dynamic(&loop.world->state.bodies, slot) &&
                takes(&loop.reach, loop.poses[slot].position))
                loop.leaving[slots.first + loop.counts[number]++] = slot;
    }
}

/* Lists the bodies that an outlet removes at these poses, ascending within each slice, from its first
 * slot on. */
static void list_leaving(const scree_world *world, const flow_item *item, const body_pose *poses,
                         int counts[PARALLEL_SLICES]) {
    const outlet_reach reach = reach_of_outlet(world, item);
    int *leaving = world->state.flows.leaving;
    parallel_for(parallel_threads(world->model.threads, world->state.bodies.count), PARALLEL_SLICES,
                 list_slices,
                 &(const leaving_loop){
                     .world = world, .counts = counts, .reach = reach, .poses = poses, .leaving = leaving});
}

static scree_result check_kept(const scree_world *world, const flow_item *item) {
    int counts[PARALLEL_SLICES], number = 0;
    list_leaving(world, item, world->scratch.next_poses, counts);
    while (number < PARALLEL_SLICES && counts[number] == 0) number++;
    if (number == PARALLEL_SLICES) return SCREE_OK;
    const int slot = world->state.flows.leaving[slots_of_slice(world, number).first];
    const vec3s at = world->scratch.next_poses[slot].position;
    return fail_naming(
        fail(SCREE_ERROR_CAPACITY,
             "step %llu: the body with id %d leaves the domain at %g, %g, %g m; world unchanged",
             (unsigned long long)world->state.steps + 1, slot + 1, (double)at.x, (double)at.y, (double)at.z),
        slot, -1);
}

scree_result flow_check(const scree_world *world) {
    for (int i = 0; i < world->state.flows.count; i++)
        if (is_outlet(&world->state.flows.items[i], true))
            TRY(check_kept(world, &world->state.flows.items[i]));
    return SCREE_OK;
}

static void take_out(scree_world *world, flow_item *item, scree_statistics *s) {
    int counts[PARALLEL_SLICES];
    list_leaving(world, item, world->state.bodies.poses, counts);
    for (int number = 0; number < PARALLEL_SLICES; number++)
        for (int i = 0; i < counts[number]; i++) {
            const int slot = world->state.flows.leaving[slots_of_slice(world, number).first + i];
            item->mass += (double)world->state.bodies.masses[slot].mass;
            item->grains++;
            s->removed++;
            body_remove(world, slot);
        }
}

/* Grains inserted in this step, which are not in the query tree. The tree is updated before the first of
 * them, if there is one. */
typedef struct newcomers {
    bool tree_is_new;
    int count, capacity;
    struct newcomer {
        vec3s position;
        scalar radius;
    } * items;
} newcomers;

static bool is_free(scree_world *world, const newcomers *young, vec3s at, scalar radius) {
    const period *cell = &world->state.bodies.period;
    const body_pose pose = {.position = at, .rotation = versor_of(0, 0, 0, 1)};
    for (int i = 0; i < young->count; i++) {
        const scalar reach = young->items[i].radius + radius;
        const vec3s near = period_near(cell, young->items[i].position, at);
        if (glms_vec3_norm2(glms_vec3_sub(near, at)) < reach * reach) return false;
    }
    return query_overlap(&world->queries, &world->state.bodies, scree_shape_sphere(radius), pose,
                         (query_filter){0}) == SCREE_OK &&
           world->queries.slot_count == 0;
}

/* Returns whether the rate allows one more grain of that mass. The step that contains the end of the inlet is
 * the last to insert: grains that wait then are dropped. The relative tolerance of 1e-9 covers round-off. */
static bool is_due(const scree_world *world, const flow_item *item, double mass) {
    const scree_inlet_def *def = &item->inlet;
    const double since = world_time(world) - item->begin, active = fmin(since, def->stop) - def->start;
    const uint64_t grains = item->grains - item->first_grain;
    const bool ended = since - world->model.def.time_step >= def->stop * (1 - 1e-9);
    if (ended || !(active > 0) || (def->count && grains >= def->count)) return false;
    return def->mass_rate > 0 ? item->mass - item->first_mass + mass <= def->mass_rate * active * (1 + 1e-9)
                              : (double)(grains + 1) <= def->rate * active * (1 + 1e-9);
}

static bool renew_tree(scree_world *world, newcomers *young) {
    if (!young->tree_is_new)
        young->tree_is_new =
            query_update(&world->queries, &world->state.bodies,
                         parallel_threads(world->model.threads, world->state.bodies.count)) == SCREE_OK;
    return young->tree_is_new;
}

/* Returns whether it found a place for the next grain. */
static bool put_in(scree_world *world, flow_item *item, scree_body_def *body, newcomers *young) {
    const scree_inlet_def *def = &item->inlet;
    const scalar radius = (scalar)scree_shape_get_radius(body->shape);
    const uint32_t size_key = noise_key(def->seed, 1, (uint32_t)(item->grains >> 32));
    if (!renew_tree(world, young) ||
        MEMORY_RESERVE(young->items, young->capacity, young->count + 1, NULL) != SCREE_OK)
        return false;
    if (def->random_rotation) body->state.rotation = noise_rotation(size_key, (uint32_t)item->grains);
    for (int i = 0; i < ATTEMPTS; i++) {
        const uint32_t key = noise_key(def->seed, 2, (uint32_t)item->attempts++);
        double unit[3];
        int slot = 0;
        for (int k = 0; k < 3; k++) unit[k] = noise_unit(key, (uint32_t)item->grains, NOISE_POSITION + k);
        const vec3s at = zone_point(&def->zone, unit);
        if (!is_free(world, young, at, radius)) continue;
        body->state.position = vec3_out(at);
        if (body_add(world, body, &slot) != SCREE_OK) return false;
        young->items[young->count++] = (struct newcomer){at, radius};
        return true;
    }
    return false;
}

static void let_in(scree_world *world, flow_item *item, newcomers *young, scree_statistics *s) {
    for (;;) {
        scree_body_def body = flow_body_of_size(world, &item->inlet, size_of(&item->inlet, item->grains));
        const double mass = mass_of(world, &body);
        item->waiting = is_due(world, item, mass);
        if (!item->waiting || !put_in(world, item, &body, young)) return;
        item->grains++;
        item->mass += mass;
        item->attempts = 0;
        s->inserted++;
    }
}

static void count_all(const flow_array *all, scree_statistics *s) {
    for (int i = 0; i < all->count; i++) {
        const flow_item *item = &all->items[i];
        if (!flow_is_alive(item)) continue;
        *(item->is_inlet ? &s->inserted_total : &s->removed_total) += item->grains;
        *(item->is_inlet ? &s->inserted_mass : &s->removed_mass) += item->mass;
        s->inlets_waiting += item->is_inlet && item->waiting;
    }
}

void flow_act(scree_world *world, scree_statistics *s) {
    flow_array *all = &world->state.flows;
    newcomers young = {0};
    for (int i = 0; i < all->count; i++)
        if (is_outlet(&all->items[i], false)) take_out(world, &all->items[i], s);
    for (int i = 0; i < all->count; i++)
        if (flow_is_alive(&all->items[i]) && all->items[i].is_inlet && !all->items[i].inlet.closed)
            let_in(world, &all->items[i], &young, s);
    memory_release(young.items);
    count_all(all, s);
    s->bodies = world->state.bodies.living;
    s->dynamic_bodies = world->state.bodies.dynamic;
}

void flow_release(flow_array *all) {
    for (int i = 0; i < all->count; i++) memory_release(all->items[i].sizes);
    memory_release(all->items);
    memory_release(all->leaving);
    *all = (flow_array){0};
}
