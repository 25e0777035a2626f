/* Public calls on gauges, and gauges during a step. */
#include "world.h"

#include "base/handle_table.h"
#include "base/memory.h"
#include "measure/zone_images.h"

#include <stdio.h>
#include <string.h>

scree_measurement_def scree_default_measurement_def(void) {
    return (scree_measurement_def){.kind = SCREE_MEASUREMENT_FORCE,
                                   .every = {.steps = 1},
                                   .sample_every = 1,
                                   .everywhere = true,
                                   .zone = {.size = {0.5f, 0.5f, 0.5f}, .rotation = {0, 0, 0, 1}},
                                   .cells = {1, 1, 1},
                                   .range = 5};
}

scree_result scree_validate_measurement_def(const scree_measurement_def *def) {
    REQUIRE(def);
    return measurement_validate(def);
}

static handle_table handles_of(const measurement_array *all) {
    return (handle_table){all->world, all->count, all->items ? &all->items->generation : NULL,
                          sizeof *all->items};
}

static int place_of(const measurement_array *all, scree_measurement_id id) {
    return handle_find(handles_of(all), id.index, id.generation, id.world);
}

static scree_result find(const char *call, const scree_world *world, scree_measurement_id id,
                         measurement **out) {
    REQUIRE_IN(call, world);
    const int place = place_of(&world->measurements, id);
    if (place < 0)
        return fail(SCREE_ERROR_HANDLE, "gauge {%u, %u} is not alive in this world", id.index, id.generation);
    *out = &world->measurements.items[place];
    return SCREE_OK;
}

static scree_measurement_id id_of(const measurement_array *all, int place) {
    return (scree_measurement_id){(uint32_t)place + 1, all->items[place].generation, all->world};
}

static scree_result check_bodies(const scree_world *world, const scree_body_id *bodies, int count) {
    for (int i = 0; i < count; i++)
        if (body_slot(&world->bodies, bodies[i]) < 0)
            return fail(SCREE_ERROR_HANDLE, "bodies[%d] {%u, %u} is not alive in this world", i,
                        bodies[i].index, bodies[i].generation);
    return SCREE_OK;
}

scree_result measurements_find_place(measurement_array *all, int *place) {
    *place = handle_free_place(handles_of(all));
    if (*place < all->count) return SCREE_OK;
    TRY(MEMORY_RESERVE(all->items, all->capacity, all->count + 1, NULL));
    /* The items may have moved, and their names with them. */
    for (int i = 0; i < all->count; i++)
        if (measurement_is_alive(&all->items[i])) all->items[i].def.name = all->items[i].name;
    all->count++;
    return SCREE_OK;
}

/* Checks a definition, including what depends on the world. */
static scree_result check_def(const scree_world *world, const scree_measurement_def *def) {
    TRY(measurement_validate(def));
    const measurement_kind *kind = measurement_kind_of(def);
    if (!def->everywhere) TRY(zone_images_check(&def->zone, &world->bodies.period, kind->takes_plane));
    TRY(check_bodies(world, def->bodies, def->body_count));
    if (!def->material.index || scree_material_is_valid(world, def->material)) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "material {%u, %u} is not alive in this world", def->material.index,
                def->material.generation);
}

scree_result scree_measurement_create(scree_world *world, const scree_measurement_def *def,
                                      scree_measurement_id *out) {
    int place = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(check_def(world, def));
    if (scree_measurement_find(world, def->name).index)
        return fail(SCREE_ERROR_ARGUMENT, "name: '%s'; must differ from that of every other gauge",
                    def->name);
    measurement_array *all = &world->measurements;
    TRY(measurements_find_place(all, &place));
    TRY(measurement_make(&all->items[place], def));
    all->items[place].generation++;
    all->living++;
    if (out) *out = id_of(all, place);
    return SCREE_OK;
}

scree_result scree_measurement_destroy(scree_world *world, scree_measurement_id id) {
    measurement *self = NULL;
    TRY(find(__func__, world, id, &self));
    measurement_release(self);
    self->generation++;
    world->measurements.living--;
    return SCREE_OK;
}

bool scree_measurement_is_valid(const scree_world *world, scree_measurement_id id) {
    REQUIRE_ELSE(world, false);
    return place_of(&world->measurements, id) >= 0;
}

int scree_measurement_list(const scree_world *world, scree_measurement_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    int count = 0;
    for (int i = 0; i < world->measurements.count; i++) {
        if (!measurement_is_alive(&world->measurements.items[i])) continue;
        if (count < capacity) out[count] = id_of(&world->measurements, i);
        count++;
    }
    return count;
}

scree_measurement_id scree_measurement_find(const scree_world *world, const char *name) {
    REQUIRE_ELSE(world, (scree_measurement_id){0});
    REQUIRE_ELSE(name, (scree_measurement_id){0});
    for (int i = 0; i < world->measurements.count; i++)
        if (measurement_is_alive(&world->measurements.items[i]) &&
            !strcmp(world->measurements.items[i].name, name))
            return id_of(&world->measurements, i);
    return (scree_measurement_id){0};
}

scree_result scree_measurement_get_def(const scree_world *world, scree_measurement_id id,
                                       scree_measurement_def *out) {
    measurement *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(out);
    *out = self->def;
    return SCREE_OK;
}

scree_result scree_measurement_set_def(scree_world *world, scree_measurement_id id,
                                       const scree_measurement_def *def) {
    measurement *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(def);
    TRY(check_def(world, def));
    if (strcmp(def->name, self->name) || def->kind != self->def.kind ||
        memcmp(def->cells, self->def.cells, sizeof def->cells))
        return fail(SCREE_ERROR_ARGUMENT, "gauge '%s': name, kind and cells cannot change", self->name);
    return measurement_change(self, def);
}

scree_result scree_measurement_set_bodies(scree_world *world, scree_measurement_id id,
                                          const scree_body_id *bodies, int count) {
    measurement *self = NULL;
    TRY(find(__func__, world, id, &self));
    if (count < 0) return fail(SCREE_ERROR_ARGUMENT, "count: %d; must be >= 0", count);
    if (count > 0) REQUIRE(bodies);
    TRY(check_bodies(world, bodies, count));
    return measurement_bodies_take(self, bodies, count);
}

scree_result scree_measurement_end_rows(scree_world *world) {
    REQUIRE(world);
    measurement_array *all = &world->measurements;
    for (int i = 0; i < all->count; i++)
        if (measurement_is_alive(&all->items[i]))
            measurement_end_row(&all->items[i], (uint64_t)world->steps, world_time(world));
    return SCREE_OK;
}

scree_result scree_measurement_get_row(const scree_world *world, scree_measurement_id id,
                                       scree_measurement_row *out) {
    measurement *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(out);
    *out = (scree_measurement_row){.step = self->row_step,
                                   .time = self->row_time,
                                   .samples = self->row_samples,
                                   .count = measurement_quantities(&self->def),
                                   .sample = measurement_values(self, MEASUREMENT_ROW_SAMPLE),
                                   .mean = measurement_values(self, MEASUREMENT_ROW_MEAN),
                                   .maximum = measurement_values(self, MEASUREMENT_ROW_MAXIMUM)};
    return SCREE_OK;
}

scree_result scree_measurement_get_quantity_name(const scree_world *world, scree_measurement_id id,
                                                 int quantity, int part, char *out, size_t size) {
    measurement *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(out);
    if (quantity < 0 || quantity >= measurement_quantities(&self->def) || part < 0 || part > 2)
        return fail(SCREE_ERROR_ARGUMENT, "figure: %d, part: %d; must be 0 to %d and 0 to 2", quantity, part,
                    measurement_quantities(&self->def) - 1);
    measurement_quantity_name(&self->def, quantity, part, out, size);
    return SCREE_OK;
}

enum { COLUMN = 96, COLUMNS = 512 };

/* Lists the sample names of the figures of a kind, those of the first cell only. */
static const char *list_quantities(const scree_measurement_def *def, char out[COLUMNS]) {
    const int count =
        measurement_quantities(def) -
        (measurement_cells(def) > 1 ? measurement_quantities(def) - measurement_cell_quantity(def, 1) : 0);
    size_t length = 0;
    for (int i = 0; i < count && length + COLUMN < COLUMNS; i++) {
        char name[COLUMN];
        measurement_quantity_name(def, i, 0, name, sizeof name);
        length += (size_t)snprintf(out + length, COLUMNS - length, "%s%s", i ? ", " : "", name);
    }
    return out;
}

scree_result scree_measurement_find_column(const scree_measurement_def *def, const char *column,
                                           int *quantity, int *part) {
    char name[COLUMN], known[COLUMNS];
    REQUIRE(def);
    REQUIRE(column);
    REQUIRE(quantity);
    REQUIRE(part);
    TRY(measurement_validate(def));
    for (*quantity = 0; *quantity < measurement_quantities(def); ++*quantity)
        for (*part = 0; *part < (measurement_quantity_of(def, *quantity).total ? 1 : 3); ++*part) {
            measurement_quantity_name(def, *quantity, *part, name, sizeof name);
            if (!strcmp(name, column)) return SCREE_OK;
        }
    return fail(SCREE_ERROR_ARGUMENT,
                "\"%.80s\": not a figure of kind \"%s\"; must be one of %s, or one of these with _mean or "
                "_max before the unit",
                column, measurement_kind_of(def)->name, list_quantities(def, known));
}

bool scree_measurement_quantity_is_total(const scree_world *world, scree_measurement_id id, int quantity) {
    measurement *self = NULL;
    if (find(__func__, world, id, &self) != SCREE_OK) return false;
    return quantity >= 0 && quantity < measurement_quantities(&self->def) &&
           measurement_quantity_of(&self->def, quantity).total;
}

static bool asks_before(const measurement_array *all) {
    bool asks = false;
    for (int i = 0; i < all->count; i++)
        asks |= measurement_is_alive(&all->items[i]) && measurement_kind_of(&all->items[i].def)->asks_before;
    return asks;
}

bool measurements_begin_work(scree_world *world) {
    measurement_array *all = &world->measurements;
    bool asks = false;
    all->work = (contact_work){0};
    for (int i = 0; i < all->count; i++)
        asks |= measurement_is_alive(&all->items[i]) && measurement_kind_of(&all->items[i].def)->asks_work;
    return asks;
}

void measurements_add_work(scree_world *world, const problem_input *from, double share) {
    contact_work_add(from, world->step_problem.velocity, share, world->threads, &world->measurements.work);
}

scree_result measurements_reserve(scree_world *world) {
    measurement_array *all = &world->measurements;
    const int bodies = world->bodies.count;
    int quantities = 0;
    if (!all->living) return SCREE_OK;
    for (int i = 0; i < all->count; i++) {
        if (!measurement_is_alive(&all->items[i])) continue;
        const int own = measurement_quantities(&all->items[i].def);
        if (own > quantities) quantities = own;
    }
    TRY(MEMORY_RESERVE(all->marks, all->mark_capacity, bodies, NULL));
    TRY(MEMORY_RESERVE(all->quantities, all->quantity_capacity, 2 * quantities, NULL));
    TRY(MEMORY_RESERVE(all->counts, all->count_capacity, bodies, NULL));
    if (!asks_before(all)) return SCREE_OK;
    TRY(MEMORY_RESERVE(all->poses_before, all->pose_capacity, bodies, NULL));
    return MEMORY_RESERVE(all->velocities_before, all->velocity_capacity, bodies, NULL);
}

void measurements_keep(scree_world *world) {
    measurement_array *all = &world->measurements;
    const size_t bodies = (size_t)world->bodies.count;
    if (!all->living || !bodies || !asks_before(all)) return;
    memcpy(all->poses_before, world->bodies.poses, bodies * sizeof *all->poses_before);
    memcpy(all->velocities_before, world->bodies.velocities, bodies * sizeof *all->velocities_before);
}

void measurements_act(scree_world *world) {
    measurement_array *all = &world->measurements;
    if (!all->living) return;
    const measurement_view view = {
        .bodies = &world->bodies,
        .contacts = &world->contacts,
        .time_step = world->def.time_step,
        .time = world_time(world),
        .step = world->steps,
        .poses_before = all->poses_before,
        .velocities_before = all->velocities_before,
        .work = &all->work,
        .marks = all->marks,
        .counts = all->counts,
        .gravity = {(double)world->def.gravity.x, (double)world->def.gravity.y, (double)world->def.gravity.z},
        .scratch = all->quantities + all->quantity_capacity / 2};
    for (int i = 0; i < all->count; i++)
        if (measurement_is_alive(&all->items[i])) measurement_step(&all->items[i], &view, all->quantities);
}

void measurements_release(measurement_array *all) {
    for (int i = 0; i < all->count; i++) measurement_release(&all->items[i]);
    memory_release(all->items);
    memory_release(all->marks);
    memory_release(all->counts);
    memory_release(all->quantities);
    memory_release(all->poses_before);
    memory_release(all->velocities_before);
    *all = (measurement_array){0};
}
