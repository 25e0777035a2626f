/* Public calls on flows. */
#include "shared.h"
#include "step/body_slots.h"

#include "base/vector.h"
#include "geometry/shape.h"
#include "detect/zone_frame.h"
#include "model/zone.h"

#include <string.h>

scree_inlet_def scree_default_inlet_def(void) {
    return (scree_inlet_def){.zone = {.size = {0.5f, 0.5f, 0.5f}, .rotation = {0, 0, 0, 1}},
                             .body = scree_default_body_def(),
                             .stop = INFINITY};
}

scree_outlet_def scree_default_outlet_def(void) {
    return (scree_outlet_def){.zone = {.size = {0.5f, 0.5f, 0.5f}, .rotation = {0, 0, 0, 1}},
                              .outside = true};
}

static scree_result find(const char *call, const scree_world *world, scree_flow_id id, int *place) {
    REQUIRE_IN(call, world);
    *place = flow_place(&world->state.flows, id);
    if (*place >= 0) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "flow {%u, %u}: not alive in this world; must exist", id.index,
                id.generation);
}

static bool at_least(double value, double low) { return value >= low && isfinite(value); }

static scree_result check_inlet(const scree_world *world, const scree_inlet_def *def) {
    TRY(zone_validate(&def->zone));
    if (def->zone.kind == SCREE_ZONE_HALF_SPACE)
        return fail(SCREE_ERROR_ARGUMENT, "zone: half-space; must be bounded");
    if (!at_least(def->mass_rate, 0) || !at_least(def->rate, 0) || (def->mass_rate > 0) == (def->rate > 0))
        return fail(SCREE_ERROR_ARGUMENT, "mass_rate: %g kg/s, rate: %g/s; exactly one must be > 0",
                    def->mass_rate, def->rate);
    if (!at_least(def->start, 0) || !(def->stop > def->start))
        return fail(SCREE_ERROR_ARGUMENT, "start: %g s, stop: %g s; must be 0 ≤ start < stop", def->start,
                    def->stop);
    if (def->body.type != SCREE_BODY_DYNAMIC)
        return fail(SCREE_ERROR_ARGUMENT, "body.type: %d; must be dynamic", (int)def->body.type);
    if (def->size_count < 0 || (def->size_count > 0 && !def->sizes))
        return fail(SCREE_ERROR_ARGUMENT, "size_count: %d; must be >= 0 and the number of sizes",
                    def->size_count);
    for (int i = 0; i < def->size_count; i++)
        if (!(def->sizes[i] > 0 && isfinite(def->sizes[i])) || (i && def->sizes[i] < def->sizes[i - 1]))
            return fail(SCREE_ERROR_ARGUMENT, "sizes[%d]: %g; must be > 0 m and ascending", i,
                        (double)def->sizes[i]);
    if (def->size_count && (def->body.mass > 0 || def->body.inertia.x > 0))
        return fail(SCREE_ERROR_ARGUMENT,
                    "body: mass or inertia set; with sizes they follow from the density");
    const double ends[2] = {def->size_count ? (double)def->sizes[0] : 0,
                            def->size_count ? (double)def->sizes[def->size_count - 1] : 0};
    for (int i = 0; i < 2; i++) {
        scree_body_def body = flow_body_of_size(world, def, ends[i]);
        body.state.position = def->zone.position;
        if (body_check(world, &body) != SCREE_OK) return fail_prefix(SCREE_ERROR_ARGUMENT, "body");
    }
    return SCREE_OK;
}

/* The material may be destroyed later, so this is not part of the item's validity. */
static scree_result check_new_inlet(const scree_world *world, const scree_inlet_def *def) {
    int material;
    TRY(check_inlet(world, def));
    return material_index(&world->model.materials, def->body.material, &material);
}

static scree_result check_outlet(const scree_world *world, const scree_outlet_def *def) {
    TRY(zone_validate(&def->zone));
    if (def->zone.kind == SCREE_ZONE_HALF_SPACE) return SCREE_OK;
    return zone_images_check(&def->zone, &world->state.bodies.period, false);
}

scree_result flow_validate(const scree_world *world, const flow_item *item) {
    if (!isfinite(item->begin) || !at_least(item->mass, 0) || !at_least(item->first_mass, 0) ||
        item->first_mass > item->mass || item->first_grain > item->grains)
        return fail(SCREE_ERROR_ARGUMENT,
                    "begin: %g s, mass: %g kg, when set: %g kg, grains: %llu, when set: %llu; must be "
                    "finite, >= 0, and at "
                    "least those when set",
                    item->begin, item->mass, item->first_mass, (unsigned long long)item->grains,
                    (unsigned long long)item->first_grain);
    return item->is_inlet ? check_inlet(world, &item->inlet) : check_outlet(world, &item->outlet);
}

/* Fills a place except for the sizes. */
static scree_flow_id begin(scree_world *world, int place, flow_item with) {
    flow_item *item = &world->state.flows.items[place];
    with.generation = item->generation + 1;
    with.begin = world_time(world);
    with.sizes = item->sizes;
    *item = with;
    return (scree_flow_id){(uint32_t)place + 1, item->generation, world->state.flows.world};
}

scree_result scree_inlet_create(scree_world *world, const scree_inlet_def *def, scree_flow_id *out) {
    int place = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(check_new_inlet(world, def));
    TRY(geometry_list_keep(&world->state.bodies.geometries, def->body.shape.geometry));
    TRY(flow_find_place(&world->state.flows, &place));
    TRY(flow_take_sizes(&world->state.flows.items[place], def->sizes, def->size_count));
    const float *sizes = world->state.flows.items[place].inlet.sizes;
    const scree_flow_id id = begin(world, place, (flow_item){.is_inlet = true, .inlet = *def});
    world->state.flows.items[place].inlet.sizes = sizes;
    if (out) *out = id;
    return SCREE_OK;
}

scree_result scree_outlet_create(scree_world *world, const scree_outlet_def *def, scree_flow_id *out) {
    int place = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(check_outlet(world, def));
    TRY(flow_find_place(&world->state.flows, &place));
    const scree_flow_id id = begin(world, place, (flow_item){.outlet = *def});
    if (out) *out = id;
    return SCREE_OK;
}

static scree_result find_kind(const char *call, const scree_world *world, scree_flow_id id, bool is_inlet,
                              flow_item **out) {
    int place = 0;
    TRY(find(call, world, id, &place));
    *out = &world->state.flows.items[place];
    if ((*out)->is_inlet == is_inlet) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "flow {%u, %u}: an %s; must be an %s", id.index, id.generation,
                is_inlet ? "outlet" : "inlet", is_inlet ? "inlet" : "outlet");
}

static void begin_again(const scree_world *world, flow_item *item) {
    item->begin = world_time(world);
    item->first_grain = item->grains;
    item->first_mass = item->mass;
    item->attempts = 0;
    item->waiting = false;
}

scree_result scree_inlet_set_def(scree_world *world, scree_flow_id inlet, const scree_inlet_def *def) {
    flow_item *item = NULL;
    REQUIRE(world);
    REQUIRE(def);
    TRY(find_kind(__func__, world, inlet, true, &item));
    TRY(check_new_inlet(world, def));
    TRY(geometry_list_keep(&world->state.bodies.geometries, def->body.shape.geometry));
    TRY(flow_take_sizes(item, def->sizes, def->size_count));
    const float *sizes = item->inlet.sizes;
    item->inlet = *def;
    item->inlet.sizes = sizes;
    begin_again(world, item);
    return SCREE_OK;
}

scree_result scree_outlet_set_def(scree_world *world, scree_flow_id outlet, const scree_outlet_def *def) {
    flow_item *item = NULL;
    REQUIRE(world);
    REQUIRE(def);
    TRY(find_kind(__func__, world, outlet, false, &item));
    TRY(check_outlet(world, def));
    item->outlet = *def;
    begin_again(world, item);
    return SCREE_OK;
}

scree_result scree_flow_destroy(scree_world *world, scree_flow_id flow) {
    int place = 0;
    TRY(find(__func__, world, flow, &place));
    world->state.flows.items[place].generation++;
    return SCREE_OK;
}

bool scree_flow_is_valid(const scree_world *world, scree_flow_id flow) {
    REQUIRE_ELSE(world, false);
    return flow_place(&world->state.flows, flow) >= 0;
}

scree_result scree_flow_get_state(const scree_world *world, scree_flow_id flow, scree_flow_state *out) {
    int place = 0;
    TRY(find(__func__, world, flow, &place));
    REQUIRE(out);
    const flow_item *item = &world->state.flows.items[place];
    *out = (scree_flow_state){item->is_inlet, item->grains, item->mass, item->waiting};
    return SCREE_OK;
}

int scree_flow_list(const scree_world *world, scree_flow_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    int count = 0;
    for (int i = 0; i < world->state.flows.count; i++) {
        if (!flow_is_alive(&world->state.flows.items[i])) continue;
        if (count < capacity)
            out[count] = (scree_flow_id){(uint32_t)i + 1, world->state.flows.items[i].generation,
                                         world->state.flows.world};
        count++;
    }
    return count;
}
