/* The public calls on gauges, and what a step does with them. */
#include "world.h"

#include "base/memory.h"
#include "gauge/zone_images.h"

#include <stdio.h>
#include <string.h>

scree_gauge_def scree_default_gauge_def(void) {
    return (scree_gauge_def){.kind = SCREE_GAUGE_FORCE,
                             .every = {.steps = 1},
                             .sample_every = 1,
                             .everywhere = true,
                             .zone = {.size = {0.5f, 0.5f, 0.5f}, .rotation = {0, 0, 0, 1}},
                             .cells = {1, 1, 1},
                             .range = 5};
}

scree_result scree_validate_measurement_def(const scree_gauge_def *def) {
    REQUIRE(def);
    return gauge_validate(def);
}

static int place_of(const gauge_array *all, scree_gauge_id id) {
    if (id.world != all->world || id.index == 0 || id.index > (uint32_t)all->count) return -1;
    const gauge *found = &all->items[id.index - 1];
    return gauge_is_alive(found) && found->generation == id.generation ? (int)id.index - 1 : -1;
}

static scree_result find(const char *call, const scree_world *world, scree_gauge_id id, gauge **out) {
    REQUIRE_IN(call, world);
    const int place = place_of(&world->gauges, id);
    if (place < 0)
        return fail(SCREE_ERROR_HANDLE, "gauge {%u, %u} is not alive in this world", id.index, id.generation);
    *out = &world->gauges.items[place];
    return SCREE_OK;
}

static scree_gauge_id id_of(const gauge_array *all, int place) {
    return (scree_gauge_id){(uint32_t)place + 1, all->items[place].generation, all->world};
}

static scree_result check_bodies(const scree_world *world, const scree_body_id *bodies, int count) {
    for (int i = 0; i < count; i++)
        if (body_slot(&world->bodies, bodies[i]) < 0)
            return fail(SCREE_ERROR_HANDLE, "bodies[%d] {%u, %u} is not alive in this world", i,
                        bodies[i].index, bodies[i].generation);
    return SCREE_OK;
}

scree_result gauges_find_place(gauge_array *all, int *place) {
    for (*place = 0; *place < all->count; ++*place)
        if (!gauge_is_alive(&all->items[*place])) return SCREE_OK;
    TRY(MEMORY_RESERVE(all->items, all->capacity, all->count + 1, NULL));
    /* Where the items have moved, so have their names. */
    for (int i = 0; i < all->count; i++)
        if (gauge_is_alive(&all->items[i])) all->items[i].def.name = all->items[i].name;
    all->count++;
    return SCREE_OK;
}

/* What only the world tells of a definition. */
static scree_result check_def(const scree_world *world, const scree_gauge_def *def) {
    TRY(gauge_validate(def));
    const gauge_kind *kind = gauge_kind_of(def);
    if (!def->everywhere) TRY(zone_images_check(&def->zone, &world->bodies.period, kind->takes_plane));
    TRY(check_bodies(world, def->bodies, def->body_count));
    if (!def->material.index || scree_material_is_valid(world, def->material)) return SCREE_OK;
    return fail(SCREE_ERROR_HANDLE, "material {%u, %u} is not alive in this world", def->material.index,
                def->material.generation);
}

scree_result scree_gauge_create(scree_world *world, const scree_gauge_def *def, scree_gauge_id *out) {
    int place = 0;
    REQUIRE(world);
    REQUIRE(def);
    TRY(check_def(world, def));
    if (scree_gauge_find(world, def->name).index)
        return fail(SCREE_ERROR_ARGUMENT, "name is '%s', which another gauge has", def->name);
    gauge_array *all = &world->gauges;
    TRY(gauges_find_place(all, &place));
    TRY(gauge_make(&all->items[place], def));
    all->items[place].generation++;
    all->living++;
    if (out) *out = id_of(all, place);
    return SCREE_OK;
}

scree_result scree_gauge_destroy(scree_world *world, scree_gauge_id id) {
    gauge *self = NULL;
    TRY(find(__func__, world, id, &self));
    gauge_release(self);
    self->generation++;
    world->gauges.living--;
    return SCREE_OK;
}

bool scree_gauge_is_valid(const scree_world *world, scree_gauge_id id) {
    REQUIRE_ELSE(world, false);
    return place_of(&world->gauges, id) >= 0;
}

int scree_gauge_list(const scree_world *world, scree_gauge_id *out, int capacity) {
    REQUIRE_ELSE(world, 0);
    if (capacity > 0) REQUIRE_ELSE(out, 0);
    int count = 0;
    for (int i = 0; i < world->gauges.count; i++) {
        if (!gauge_is_alive(&world->gauges.items[i])) continue;
        if (count < capacity) out[count] = id_of(&world->gauges, i);
        count++;
    }
    return count;
}

scree_gauge_id scree_gauge_find(const scree_world *world, const char *name) {
    REQUIRE_ELSE(world, (scree_gauge_id){0});
    REQUIRE_ELSE(name, (scree_gauge_id){0});
    for (int i = 0; i < world->gauges.count; i++)
        if (gauge_is_alive(&world->gauges.items[i]) && !strcmp(world->gauges.items[i].name, name))
            return id_of(&world->gauges, i);
    return (scree_gauge_id){0};
}

scree_result scree_measurement_get_def(const scree_world *world, scree_gauge_id id, scree_gauge_def *out) {
    gauge *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(out);
    *out = self->def;
    return SCREE_OK;
}

scree_result scree_measurement_set_def(scree_world *world, scree_gauge_id id, const scree_gauge_def *def) {
    gauge *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(def);
    TRY(check_def(world, def));
    if (strcmp(def->name, self->name) || def->kind != self->def.kind ||
        memcmp(def->cells, self->def.cells, sizeof def->cells))
        return fail(SCREE_ERROR_ARGUMENT, "name, kind or cells are not those of gauge '%s', which stay",
                    self->name);
    return gauge_change(self, def);
}

scree_result scree_measurement_set_bodies(scree_world *world, scree_gauge_id id, const scree_body_id *bodies,
                                    int count) {
    gauge *self = NULL;
    TRY(find(__func__, world, id, &self));
    if (count < 0) return fail(SCREE_ERROR_ARGUMENT, "count is %d, expected at least 0", count);
    if (count > 0) REQUIRE(bodies);
    TRY(check_bodies(world, bodies, count));
    return gauge_bodies_take(self, bodies, count);
}

scree_result scree_measurement_end_rows(scree_world *world) {
    REQUIRE(world);
    gauge_array *all = &world->gauges;
    for (int i = 0; i < all->count; i++)
        if (gauge_is_alive(&all->items[i]))
            gauge_end_row(&all->items[i], (uint64_t)world->steps, world_time(world));
    return SCREE_OK;
}

scree_result scree_measurement_get_row(const scree_world *world, scree_gauge_id id, scree_gauge_row *out) {
    gauge *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(out);
    *out = (scree_gauge_row){.step = self->row_step,
                             .time = self->row_time,
                             .samples = self->row_samples,
                             .count = gauge_figures(&self->def),
                             .sample = gauge_values(self, GAUGE_ROW_SAMPLE),
                             .mean = gauge_values(self, GAUGE_ROW_MEAN),
                             .maximum = gauge_values(self, GAUGE_ROW_MAXIMUM)};
    return SCREE_OK;
}

scree_result scree_measurement_get_quantity_name(const scree_world *world, scree_gauge_id id, int figure, int part,
                                     char *out, size_t size) {
    gauge *self = NULL;
    TRY(find(__func__, world, id, &self));
    REQUIRE(out);
    if (figure < 0 || figure >= gauge_figures(&self->def) || part < 0 || part > 2)
        return fail(SCREE_ERROR_ARGUMENT, "figure is %d and part is %d, expected 0 to %d and 0 to 2", figure,
                    part, gauge_figures(&self->def) - 1);
    gauge_figure_name(&self->def, figure, part, out, size);
    return SCREE_OK;
}

enum { COLUMN = 96, COLUMNS = 512 };

/* The figures that a kind has once, by their samples' names. */
static const char *list_figures(const scree_gauge_def *def, char out[COLUMNS]) {
    const int count =
        gauge_figures(def) - (gauge_cells(def) > 1 ? gauge_figures(def) - gauge_cell_figure(def, 1) : 0);
    size_t length = 0;
    for (int i = 0; i < count && length + COLUMN < COLUMNS; i++) {
        char name[COLUMN];
        gauge_figure_name(def, i, 0, name, sizeof name);
        length += (size_t)snprintf(out + length, COLUMNS - length, "%s%s", i ? ", " : "", name);
    }
    return out;
}

scree_result scree_measurement_find_column(const scree_gauge_def *def, const char *column, int *figure, int *part) {
    char name[COLUMN], known[COLUMNS];
    REQUIRE(def);
    REQUIRE(column);
    REQUIRE(figure);
    REQUIRE(part);
    TRY(gauge_validate(def));
    for (*figure = 0; *figure < gauge_figures(def); ++*figure)
        for (*part = 0; *part < (gauge_figure_of(def, *figure).total ? 1 : 3); ++*part) {
            gauge_figure_name(def, *figure, *part, name, sizeof name);
            if (!strcmp(name, column)) return SCREE_OK;
        }
    return fail(SCREE_ERROR_ARGUMENT,
                "\"%.80s\" is no figure of kind \"%s\": expected one of %s, or such with _mean or _max "
                "before the unit",
                column, gauge_kind_of(def)->name, list_figures(def, known));
}

bool scree_measurement_quantity_is_total(const scree_world *world, scree_gauge_id id, int figure) {
    gauge *self = NULL;
    if (find(__func__, world, id, &self) != SCREE_OK) return false;
    return figure >= 0 && figure < gauge_figures(&self->def) && gauge_figure_of(&self->def, figure).total;
}

static bool asks_before(const gauge_array *all) {
    bool asks = false;
    for (int i = 0; i < all->count; i++)
        asks |= gauge_is_alive(&all->items[i]) && gauge_kind_of(&all->items[i].def)->asks_before;
    return asks;
}

bool gauges_begin_work(scree_world *world) {
    gauge_array *all = &world->gauges;
    bool asks = false;
    all->work = (contact_work){0};
    for (int i = 0; i < all->count; i++)
        asks |= gauge_is_alive(&all->items[i]) && gauge_kind_of(&all->items[i].def)->asks_work;
    return asks;
}

void gauges_add_work(scree_world *world, const assembly *from, double share) {
    contact_work_add(from, world->step_problem.velocity, share, world->threads, &world->gauges.work);
}

scree_result gauges_reserve(scree_world *world) {
    gauge_array *all = &world->gauges;
    const int bodies = world->bodies.count;
    int figures = 0;
    if (!all->living) return SCREE_OK;
    for (int i = 0; i < all->count; i++) {
        if (!gauge_is_alive(&all->items[i])) continue;
        const int own = gauge_figures(&all->items[i].def);
        if (own > figures) figures = own;
    }
    TRY(MEMORY_RESERVE(all->marks, all->mark_capacity, bodies, NULL));
    TRY(MEMORY_RESERVE(all->figures, all->figure_capacity, 2 * figures, NULL));
    TRY(MEMORY_RESERVE(all->counts, all->count_capacity, bodies, NULL));
    if (!asks_before(all)) return SCREE_OK;
    TRY(MEMORY_RESERVE(all->poses_before, all->pose_capacity, bodies, NULL));
    return MEMORY_RESERVE(all->velocities_before, all->velocity_capacity, bodies, NULL);
}

void gauges_keep(scree_world *world) {
    gauge_array *all = &world->gauges;
    const size_t bodies = (size_t)world->bodies.count;
    if (!all->living || !bodies || !asks_before(all)) return;
    memcpy(all->poses_before, world->bodies.poses, bodies * sizeof *all->poses_before);
    memcpy(all->velocities_before, world->bodies.velocities, bodies * sizeof *all->velocities_before);
}

void gauges_act(scree_world *world) {
    gauge_array *all = &world->gauges;
    if (!all->living) return;
    const gauge_view view = {
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
        .scratch = all->figures + all->figure_capacity / 2};
    for (int i = 0; i < all->count; i++)
        if (gauge_is_alive(&all->items[i])) gauge_step(&all->items[i], &view, all->figures);
}

void gauges_release(gauge_array *all) {
    for (int i = 0; i < all->count; i++) gauge_release(&all->items[i]);
    memory_release(all->items);
    memory_release(all->marks);
    memory_release(all->counts);
    memory_release(all->figures);
    memory_release(all->poses_before);
    memory_release(all->velocities_before);
    *all = (gauge_array){0};
}
