/* Public calls on measurements, and measurements during a step. */
#include "measurements.h"

#include <scree/observer.h>

#include "base/error.h"
#include "base/handle_table.h"
#include "base/memory.h"

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

static const char NAME[] = "measurements";

const measurement_array *measurements_of(const scree_world *world) {
    static const measurement_array none;
    const measurement_array *all = scree_world_find_observer(world, NAME);
    return all ? all : &none;
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
    const measurement_array *all = measurements_of(world);
    const int place = place_of(all, id);
    if (place < 0)
        return fail(SCREE_ERROR_HANDLE, "measurement {%u, %u}: not alive in this world; must exist", id.index,
                    id.generation);
    *out = &all->items[place];
    return SCREE_OK;
}

static scree_measurement_id id_of(const measurement_array *all, int place) {
    return (scree_measurement_id){(uint32_t)place + 1, all->items[place].generation, all->world};
}

static scree_result check_bodies(const scree_world *world, const scree_body_id *bodies, int count) {
    for (int i = 0; i < count; i++)
        if (!scree_body_is_valid(world, bodies[i]))
            return fail(SCREE_ERROR_HANDLE, "bodies[%d]: {%u, %u} is not alive in this world; must exist", i,
                        bodies[i].index, bodies[i].generation);
    return SCREE_OK;
}

static scree_result find_place(measurement_array *all, int *place) {
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
    if (!def->everywhere) TRY(scree_world_check_zone(world, &def->zone, kind->takes_plane));
    TRY(check_bodies(world, def->bodies, def->body_count));
    const scree_material_id id = def->material;
    if (handle_is_null(id.index, id.generation, id.world) || scree_material_is_valid(world, id))
        return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "material: {%u, %u} is not alive in this world; must exist", id.index,
                id.generation);
}

scree_result scree_measurement_create(scree_world *world, const scree_measurement_def *def,
                                      scree_measurement_id *out) {
    int place = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(check_def(world, def));
    if (scree_measurement_find(world, def->name).index)
        return fail(SCREE_ERROR_ARGUMENT, "name: '%s'; must differ from that of every other measurement",
                    def->name);
    measurement_array *all;
    TRY(measurements_make(world, &all));
    TRY(find_place(all, &place));
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
    ((measurement_array *)scree_world_find_observer(world, NAME))->living--;
    return SCREE_OK;
}

bool scree_measurement_is_valid(const scree_world *world, scree_measurement_id id) {
    REQUIRE_ELSE(world, false);
    return place_of(measurements_of(world), id) >= 0;
}

int scree_measurement_list(const scree_world *world, scree_measurement_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    const measurement_array *all = measurements_of(world);
    int count = 0;
    for (int i = 0; i < all->count; i++) {
        if (!measurement_is_alive(&all->items[i])) continue;
        if (count < capacity) out[count] = id_of(all, i);
        count++;
    }
    return count;
}

scree_measurement_id scree_measurement_find(const scree_world *world, const char *name) {
    REQUIRE_ELSE(world, (scree_measurement_id){0});
    REQUIRE_ELSE(name, (scree_measurement_id){0});
    const measurement_array *all = measurements_of(world);
    for (int i = 0; i < all->count; i++)
        if (measurement_is_alive(&all->items[i]) && !strcmp(all->items[i].name, name)) return id_of(all, i);
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
        return fail(SCREE_ERROR_ARGUMENT, "measurement '%s': name, kind and cells cannot change", self->name);
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
    const measurement_array *all = measurements_of(world);
    for (int i = 0; i < all->count; i++)
        if (measurement_is_alive(&all->items[i]))
            measurement_end_row(&all->items[i], scree_world_step_count(world), scree_world_get_time(world));
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
                                                 int quantity, int component, char *out, size_t size) {
    measurement *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(out);
    if (quantity < 0 || quantity >= measurement_quantities(&self->def) || component < 0 || component > 2)
        return fail(SCREE_ERROR_ARGUMENT, "figure: %d, component: %d; must be 0 to %d and 0 to 2", quantity,
                    component, measurement_quantities(&self->def) - 1);
    measurement_quantity_name(&self->def, quantity, component, out, size);
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
                                           int *quantity, int *component) {
    char name[COLUMN], known[COLUMNS];
    REQUIRE(def);
    REQUIRE(column);
    REQUIRE(quantity);
    REQUIRE(component);
    TRY(measurement_validate(def));
    for (*quantity = 0; *quantity < measurement_quantities(def); ++*quantity)
        for (*component = 0; *component < (measurement_is_total(def, *quantity) ? 1 : 3); ++*component) {
            measurement_quantity_name(def, *quantity, *component, name, sizeof name);
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
           measurement_is_total(&self->def, quantity);
}

/* Needs of the measurements in a step: the state at its beginning, the work of contacts, space for the
 * largest number of quantities. */
typedef struct step_needs {
    bool before, work;
    int quantities;
} step_needs;

static step_needs collect_needs(const measurement_array *all) {
    step_needs out = {.quantities = 0};
    for (int i = 0; i < all->count; i++) {
        if (!measurement_is_alive(&all->items[i])) continue;
        const measurement_kind *kind = measurement_kind_of(&all->items[i].def);
        const int own = measurement_quantities(&all->items[i].def);
        out.before |= kind->needs_before;
        out.work |= kind->needs_work;
        if (own > out.quantities) out.quantities = own;
    }
    return out;
}

static scree_result keep_before(measurement_array *all, const scree_body_columns *bodies) {
    TRY(MEMORY_RESERVE(all->before, all->before_capacity, bodies->count, NULL));
    for (int i = 0; i < bodies->count; i++) all->before[i] = measurement_state(bodies, i);
    if (!bodies->periods || !bodies->count) return SCREE_OK;
    TRY(MEMORY_RESERVE(all->periods_before, all->period_capacity, 3 * bodies->count, NULL));
    memcpy(all->periods_before, bodies->periods, 3 * sizeof *bodies->periods * (size_t)bodies->count);
    return SCREE_OK;
}

/* Moves the earlier positions of bodies that have crossed a periodic boundary in the step along with them. */
static void cross_before(measurement_array *all, const scree_body_columns *bodies, scree_vec3 period) {
    for (int i = 0; i < bodies->count; i++) {
        const int *from = all->periods_before + 3 * i, *to = bodies->periods + 3 * i;
        scree_vec3 *at = &all->before[i].position;
        at->x += (float)(from[0] - to[0]) * period.x;
        at->y += (float)(from[1] - to[1]) * period.y;
        at->z += (float)(from[2] - to[2]) * period.z;
    }
}

/* Reserves the arrays that the samples of a step need, and copies the state at its beginning if a measurement
 * needs it. */
static scree_result begin_step(const scree_world *world, void *user, bool *needs_work) {
    measurement_array *all = user;
    scree_body_columns bodies;
    if (!all->living) return SCREE_OK;
    const step_needs needs = collect_needs(all);
    *needs_work = needs.work;
    TRY(scree_world_get_columns(world, &bodies));
    TRY(MEMORY_RESERVE(all->marks, all->mark_capacity, bodies.count, NULL));
    TRY(MEMORY_RESERVE(all->quantities, all->quantity_capacity, 2 * needs.quantities, NULL));
    TRY(MEMORY_RESERVE(all->counts, all->count_capacity, bodies.count, NULL));
    return needs.before ? keep_before(all, &bodies) : SCREE_OK;
}

static measurement_view view_of(const scree_world *world, const measurement_array *all) {
    const scree_world_def def = scree_world_get_def(world);
    measurement_view out = {.world = world,
                            .periodic = def.period.x > 0 || def.period.y > 0 || def.period.z > 0,
                            .period = {(double)def.period.x, (double)def.period.y, (double)def.period.z},
                            .time_step = def.time_step,
                            .time = scree_world_get_time(world),
                            .step = scree_world_step_count(world),
                            .gravity = {(double)def.gravity.x, (double)def.gravity.y, (double)def.gravity.z},
                            .before = all->before,
                            .work = scree_world_get_contact_work(world),
                            .marks = all->marks,
                            .counts = all->counts,
                            .scratch = all->quantities + all->quantity_capacity / 2};
    (void)scree_world_get_columns(world, &out.bodies);
    return out;
}

static void end_step(const scree_world *world, const scree_statistics *statistics, void *user) {
    measurement_array *all = user;
    (void)statistics;
    if (!all->living) return;
    const measurement_view view = view_of(world, all);
    if (collect_needs(all).before && view.bodies.periods)
        cross_before(all, &view.bodies, scree_world_get_def(world).period);
    for (int i = 0; i < all->count; i++)
        if (measurement_is_alive(&all->items[i])) measurement_step(&all->items[i], &view, all->quantities);
}

static void release(void *user) {
    measurement_array *all = user;
    for (int i = 0; i < all->count; i++) measurement_release(&all->items[i]);
    memory_release(all->items);
    memory_release(all->marks);
    memory_release(all->counts);
    memory_release(all->quantities);
    memory_release(all->before);
    memory_release(all->periods_before);
    memory_release(all);
}

scree_result measurements_make(scree_world *world, measurement_array **out) {
    *out = scree_world_find_observer(world, NAME);
    if (*out) return SCREE_OK;
    *out = memory_allocate(1, sizeof **out);
    if (!*out) return fail(SCREE_ERROR_MEMORY, "out of memory: the measurements");
    (*out)->world = scree_world_get_number(world);
    const scree_observer observer = {
        .name = NAME, .user = *out, .begin = begin_step, .end = end_step, .destroy = release};
    const scree_result result = scree_world_add_observer(world, &observer);
    if (result != SCREE_OK) memory_release(*out);
    return result;
}
