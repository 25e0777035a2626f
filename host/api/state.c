#include "state_geometries.h"
#include "state_rows.h"

#include <string.h>

/* Rows of a table in memory. */
typedef struct stored_rows {
    const char *items;
    size_t row_size;
} stored_rows;

static void copy_rows(void *source, size_t first, size_t count, void *out) {
    const stored_rows *self = source;
    memcpy(out, self->items + first * self->row_size, count * self->row_size);
}

scree_result state_check_sink(const scree_state_sink *sink) {
    return sink->write ? SCREE_OK : fail(SCREE_ERROR_ARGUMENT, "sink: no function write; must have one");
}

scree_result state_check_source(const scree_state_source *source) {
    if (source->count && source->read) return SCREE_OK;
    return fail(SCREE_ERROR_ARGUMENT, "source: no function count or read; must have both");
}

scree_result state_write(const scree_state_sink *sink, const scree_table *table, size_t count,
                         const void *rows) {
    stored_rows stored = {.items = rows, .row_size = table->row_size};
    return sink->write(sink->user, table, count, copy_rows, &stored);
}

static scree_result write_table(const scree_state_sink *sink, const state_table *table, state_rows *rows,
                                const scree_world *world) {
    state_maker maker = {.world = world, .contacts = &world->state.contacts};
    const size_t count = (size_t)*state_table_count(table, rows);
    if (table->make) return sink->write(sink->user, &table->table, count, table->make, &maker);
    return state_write(sink, &table->table, count, state_table_rows(table, rows));
}

static scree_result save(const scree_state_sink *sink, state_rows *rows, const scree_world *world) {
    TRY(state_save_geometries(sink, rows->geometries.items, rows->geometries.count));
    TRY(state_write(sink, &state_world_table, 1, &rows->world));
    for (int i = 0; i < STATE_TABLES; i++) TRY(write_table(sink, &state_tables[i], rows, world));
    return SCREE_OK;
}

scree_result scree_world_save_state(const scree_world *world, const scree_state_sink *sink) {
    REQUIRE(world);
    REQUIRE(sink);
    TRY(state_check_sink(sink));
    state_rows rows;
    scree_result result = state_rows_take(world, &rows);
    if (result == SCREE_OK) result = save(sink, &rows, world);
    state_rows_release(&rows);
    return result;
}

static scree_result read(const scree_state_source *source, state_rows *rows) {
    TRY(source->read(source->user, &state_world_table, 1, &rows->world));
    for (int i = 0; i < STATE_TABLES; i++)
        TRY(source->count(source->user, &state_tables[i].table, state_table_count(&state_tables[i], rows)));
    TRY(state_load_geometries(source, &rows->geometries));
    TRY(state_rows_reserve(rows));
    for (int i = 0; i < STATE_TABLES; i++)
        TRY(source->read(source->user, &state_tables[i].table,
                         (size_t)*state_table_count(&state_tables[i], rows),
                         state_table_rows(&state_tables[i], rows)));
    return SCREE_OK;
}

static scree_result load(const scree_state_source *source, state_rows *rows) {
    TRY(read(source, rows));
    TRY(state_rows_link(rows));
    return state_rows_validate(rows);
}

scree_result scree_world_load_state(const scree_state_source *source, const scree_world_def *runtime,
                                    scree_world **out) {
    REQUIRE(source);
    REQUIRE(out);
    TRY(state_check_source(source));
    const scree_world_def automatic = scree_default_world_def();
    state_rows rows = {.note = NULL};
    scree_result result = load(source, &rows);
    if (result == SCREE_OK) result = state_rows_give(&rows, runtime ? runtime : &automatic, out);
    state_rows_release(&rows);
    return result;
}
