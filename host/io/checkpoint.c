#include <scree/tools/checkpoint.h>

#include "checksum.h"
#include "hdf5_file.h"
#include "interval.h"

#include "base/memory.h"
#include "measure/measurements.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

/* Increment whenever a table changes. */
enum { VERSION = 27 };
static const char kind[] = "checkpoint", purpose[] = "a scree checkpoint";

/* One place of a measurement, including free ones. Bodies and values are consecutive in their own tables. */
typedef struct measurement_row {
    measurement item;
    uint8_t everywhere, paused;
} measurement_row;

#define MEASUREMENT(field) offsetof(measurement_row, item.field)

_Static_assert(sizeof(scree_measurement_kind) == 4, "the columns give these types");

static const scree_column measurement_columns[] = {
    {"generation", SCREE_VALUE_UINT32, 1, MEASUREMENT(generation)},
    {"kind", SCREE_VALUE_INT32, 1, MEASUREMENT(def.kind)},
    {"name", SCREE_VALUE_UINT8, SCREE_MEASUREMENT_NAME_SIZE, MEASUREMENT(name)},
    {"every_steps", SCREE_VALUE_UINT64, 1, MEASUREMENT(def.every.steps)},
    {"every_seconds", SCREE_VALUE_DOUBLE, 1, MEASUREMENT(def.every.seconds)},
    {"sample_every", SCREE_VALUE_UINT64, 1, MEASUREMENT(def.sample_every)},
    {"bodies", SCREE_VALUE_INT32, 1, MEASUREMENT(def.body_count)},
    {"point", SCREE_VALUE_FLOAT, 3, MEASUREMENT(def.point)},
    {"everywhere", SCREE_VALUE_UINT8, 1, offsetof(measurement_row, everywhere)},
    {"paused", SCREE_VALUE_UINT8, 1, offsetof(measurement_row, paused)},
    {"zone", SCREE_VALUE_INT32, 1, MEASUREMENT(def.zone.kind)},
    {"zone_size", SCREE_VALUE_FLOAT, 3, MEASUREMENT(def.zone.size)},
    {"zone_position", SCREE_VALUE_FLOAT, 3, MEASUREMENT(def.zone.position)},
    {"zone_rotation", SCREE_VALUE_FLOAT, 4, MEASUREMENT(def.zone.rotation)},
    {"cells", SCREE_VALUE_INT32, 3, MEASUREMENT(def.cells)},
    {"range", SCREE_VALUE_DOUBLE, 1, MEASUREMENT(def.range)},
    {"size_above", SCREE_VALUE_DOUBLE, 1, MEASUREMENT(def.size_above)},
    {"material", SCREE_VALUE_UINT32, 1, MEASUREMENT(def.material.index)},
    {"material_generation", SCREE_VALUE_UINT32, 1, MEASUREMENT(def.material.generation)},
    {"samples", SCREE_VALUE_UINT64, 1, MEASUREMENT(samples)},
    {"row_step", SCREE_VALUE_UINT64, 1, MEASUREMENT(row_step)},
    {"row_samples", SCREE_VALUE_UINT64, 1, MEASUREMENT(row_samples)},
    {"row_time", SCREE_VALUE_DOUBLE, 1, MEASUREMENT(row_time)},
    {"values", SCREE_VALUE_INT32, 1, MEASUREMENT(value_count)},
};
static const scree_column measurement_body_columns[] = {
    {"index", SCREE_VALUE_UINT32, 1, offsetof(scree_body_id, index)},
    {"generation", SCREE_VALUE_UINT32, 1, offsetof(scree_body_id, generation)},
};
static const scree_column measurement_value_columns[] = {{"value", SCREE_VALUE_DOUBLE, 1, 0}};

/* The file calls measurements gauges. */
static const scree_table measurement_table = HDF5_TABLE("gauges", measurement_columns, measurement_row);
static const scree_table body_table = HDF5_TABLE("gauge_bodies", measurement_body_columns, scree_body_id);
static const scree_table value_table = HDF5_TABLE("gauge_values", measurement_value_columns, double);

/* The unfinished row of measurements.csv: a row for each column, or none. */
static const scree_column interval_columns[] = {
    {"quantity", SCREE_VALUE_DOUBLE, 1, offsetof(interval_value, quantity)},
    {"steps", SCREE_VALUE_INT32, 1, offsetof(interval_value, steps)},
};
static const scree_table interval_table = HDF5_TABLE("interval", interval_columns, interval_value);

/* Rows of the three tables. */
typedef struct stored {
    int measurement_count, body_count, value_count;
    measurement_row *measurements;
    scree_body_id *bodies;
    double *values;
} stored;

static scree_result reserve(stored *self) {
    self->measurements = memory_allocate((size_t)self->measurement_count, sizeof *self->measurements);
    self->bodies = memory_allocate((size_t)self->body_count, sizeof *self->bodies);
    self->values = memory_allocate((size_t)self->value_count, sizeof *self->values);
    if (self->measurements && self->bodies && self->values) return SCREE_OK;
    return fail(SCREE_ERROR_MEMORY, "out of memory for %d measurements", self->measurement_count);
}

static void release(stored *self) {
    memory_release(self->measurements);
    memory_release(self->bodies);
    memory_release(self->values);
}
#define SCOPED_STORED __attribute__((cleanup(release))) stored

static void take(const measurement_array *all, stored *out) {
    scree_body_id *bodies = out->bodies;
    double *values = out->values;
    for (int i = 0; i < all->count; i++) {
        const measurement *item = &all->items[i];
        out->measurements[i] = (measurement_row){*item, item->def.everywhere, item->def.paused};
        for (int k = 0; k < item->def.body_count; k++) *bodies++ = item->bodies[k];
        for (int k = 0; k < item->value_count; k++) *values++ = item->values[k];
    }
}

static scree_result save_measurements(const scree_world *world, hdf5_file *file) {
    const measurement_array *all = measurements_of(world);
    SCOPED_STORED self = {.measurement_count = all->count};
    for (int i = 0; i < all->count; i++) {
        self.body_count += all->items[i].def.body_count;
        self.value_count += all->items[i].value_count;
    }
    TRY(reserve(&self));
    take(all, &self);
    TRY(hdf5_write(file, &measurement_table, self.measurements, (size_t)self.measurement_count));
    TRY(hdf5_write(file, &body_table, self.bodies, (size_t)self.body_count));
    return hdf5_write(file, &value_table, self.values, (size_t)self.value_count);
}

/* Numbers of bodies and values used so far. */
typedef struct given {
    int bodies, values;
} given;

static scree_result give(const stored *self, int i, given *at, const scree_world *world,
                         measurement_array *all) {
    measurement *item = &all->items[i], row = self->measurements[i].item;
    const int bodies = row.def.body_count, values = row.value_count;
    if (bodies < 0 || bodies > self->body_count - at->bodies || values < 0 ||
        values > self->value_count - at->values || (!measurement_is_alive(&row) && (bodies | values)) ||
        (self->measurements[i].everywhere | self->measurements[i].paused) > 1)
        return fail(
            SCREE_ERROR_FORMAT,
            "measurement %d: bodies: %d, values: %d, everywhere: %u, paused: %u; must be 0 to %d, 0 to %d, "
            "0 or 1, 0 or 1, and none of a destroyed one",
            i, bodies, values, self->measurements[i].everywhere, self->measurements[i].paused,
            self->body_count - at->bodies, self->value_count - at->values);
    item->generation = row.generation;
    if (!measurement_is_alive(&row)) return SCREE_OK;
    scree_body_id *const of = self->bodies + at->bodies;
    for (int k = 0; k < bodies; k++) of[k].world = all->world;
    row.name[SCREE_MEASUREMENT_NAME_SIZE - 1] = 0;
    row.def.name = row.name;
    row.def.bodies = of;
    row.def.material.world = row.def.material.index ? all->world : 0;
    row.def.everywhere = self->measurements[i].everywhere;
    row.def.paused = self->measurements[i].paused;
    if (measurement_validate(&row.def) != SCREE_OK)
        return fail_prefix(SCREE_ERROR_FORMAT, "measurement %d", i);
    if (values != measurement_value_count(&row.def) || row.row_step > scree_world_step_count(world))
        return fail(SCREE_ERROR_FORMAT,
                    "measurement %d: values: %d, step of the last row: %llu; must be %d and at most %llu", i,
                    values, (unsigned long long)row.row_step, measurement_value_count(&row.def),
                    (unsigned long long)scree_world_step_count(world));
    TRY(measurement_make(item, &row.def));
    item->samples = row.samples;
    item->row_step = row.row_step;
    item->row_time = row.row_time;
    item->row_samples = row.row_samples;
    memcpy(item->values, self->values + at->values, sizeof *item->values * (size_t)values);
    at->bodies += bodies;
    at->values += values;
    all->living++;
    return SCREE_OK;
}

static scree_result give_all(const stored *self, scree_world *world) {
    given at = {0, 0};
    if (self->measurement_count > 0) {
        measurement_array *all;
        TRY(measurements_make(world, &all));
        TRY(MEMORY_RESERVE(all->items, all->capacity, self->measurement_count, NULL));
        /* The count is incremented first, so that a rejected item is released with the world. */
        while (all->count < self->measurement_count) TRY(give(self, all->count++, &at, world, all));
    }
    if (at.bodies != self->body_count || at.values != self->value_count)
        return fail(SCREE_ERROR_FORMAT, "bodies, values: belong to no measurement; each must");
    return SCREE_OK;
}

/* Creates the measurements in a world that has its bodies and materials. */
static scree_result load_measurements(const scree_state_source *source, scree_world *world) {
    void *const user = source->user;
    SCOPED_STORED self = {.measurement_count = 0};
    TRY(source->count(user, &measurement_table, &self.measurement_count));
    TRY(source->count(user, &body_table, &self.body_count));
    TRY(source->count(user, &value_table, &self.value_count));
    TRY(reserve(&self));
    TRY(source->read(user, &measurement_table, (size_t)self.measurement_count, self.measurements));
    TRY(source->read(user, &body_table, (size_t)self.body_count, self.bodies));
    TRY(source->read(user, &value_table, (size_t)self.value_count, self.values));
    return give_all(&self, world);
}

static scree_result save_interval(const scree_world *world, hdf5_file *file) {
    static const interval none;
    const interval *now = interval_find(world);
    if (!now || !now->spanned) now = &none;
    return hdf5_write(file, &interval_table, now->values, (size_t)now->count);
}

static scree_result load_interval(const scree_state_source *source, scree_world *world) {
    int count;
    interval *to;
    TRY(source->count(source->user, &interval_table, &count));
    if (!count) return SCREE_OK;
    if (count < 0 || count > INTERVAL_COLUMNS)
        return fail(SCREE_ERROR_FORMAT, "interval: %d rows; must be at most %d", count, INTERVAL_COLUMNS);
    TRY(interval_make(world, &to));
    TRY(source->read(source->user, &interval_table, (size_t)count, to->values));
    to->count = count;
    to->spanned = true;
    to->last = scree_world_step_count(world);
    for (int i = 0; i < count; i++)
        if (to->values[i].steps < 0 || isnan(to->values[i].quantity))
            return fail(SCREE_ERROR_FORMAT, "interval %d: %g over %d steps; must be a number over at least 0",
                        i, to->values[i].quantity, (int)to->values[i].steps);
    return SCREE_OK;
}

scree_result scree_checkpoint_save(const scree_world *world, const char *path) {
    REQUIRE(world);
    REQUIRE(path);
    SCOPED_HDF5 file;
    TRY(hdf5_create(path, purpose, CHECKSUM_SIZE, &file));
    const scree_state_sink sink = hdf5_sink(&file);
    TRY(scree_world_save_state(world, &sink));
    TRY(save_measurements(world, &file));
    TRY(save_interval(world, &file));
    TRY(hdf5_finish(&file));
    TRY(checksum_put(file.draft.descriptor, path, kind, VERSION));
    return hdf5_replace(&file, true);
}

static scree_result load_world(const scree_state_source *source, const scree_world_def *runtime,
                               scree_world **out) {
    scree_world *world = NULL;
    TRY(scree_world_load_state(source, runtime, &world));
    scree_result result = load_measurements(source, world);
    if (result == SCREE_OK) result = load_interval(source, world);
    if (result == SCREE_OK)
        *out = world;
    else
        scree_world_destroy(world);
    return result;
}

scree_result scree_checkpoint_load(const char *path, const scree_world_def *runtime, scree_world **out) {
    REQUIRE(path);
    REQUIRE(out);
    TRY(checksum_check(path, kind, VERSION));
    SCOPED_HDF5 file;
    TRY(hdf5_open(path, purpose, HDF5_READ, &file));
    const scree_state_source source = hdf5_source(&file);
    const scree_result result = load_world(&source, runtime, out);
    if (result == SCREE_ERROR_FORMAT && !file.refused) /* otherwise the message names the file */
        return fail_prefix(result, "'%s' is not %s", path, purpose);
    return result;
}

bool scree_files_are_thread_safe(void) {
    hbool_t safe = false;
    return H5is_library_threadsafe(&safe) >= 0 && safe;
}
