/* Rows of a measurement as CSV. */
#include <scree/tools/statistics_file.h>
#include <scree/world.h>

#include "number.h"
#include "row_file.h"

#include "base/memory.h"

#include <inttypes.h>
#include <string.h>

enum { FIELD_SIZE = 96, PARTS = 3 };

struct scree_measurement_file {
    row_file file;
    scree_measurement_id measurement;
    int rows;
    char *text; /* a row or the header */
    size_t size;
};

static bool has_part(const scree_world *world, scree_measurement_id measurement, int quantity, int part) {
    return part == 0 || !scree_measurement_quantity_is_total(world, measurement, quantity);
}

static scree_result print_header(scree_measurement_file *self, const scree_world *world, int quantities) {
    size_t length = (size_t)snprintf(self->text, self->size, "step,time_s,stage,samples");
    for (int i = 0; i < quantities; i++)
        for (int part = 0; part < PARTS; part++) {
            if (!has_part(world, self->measurement, i, part)) continue;
            self->text[length++] = ',';
            TRY(scree_measurement_get_quantity_name(world, self->measurement, i, part, self->text + length,
                                                    FIELD_SIZE));
            length += strlen(self->text + length);
        }
    memcpy(self->text + length, "\n", 2);
    return SCREE_OK;
}

static size_t print_row(scree_measurement_file *self, const scree_world *world,
                        const scree_measurement_row *row) {
    const double *const parts[PARTS] = {row->sample, row->mean, row->maximum};
    size_t length = (size_t)snprintf(self->text, self->size, "%" PRIu64 ",", row->step);
    length += (size_t)number_print(row->time, self->text + length, FIELD_SIZE);
    length += (size_t)snprintf(self->text + length, self->size - length, ",%s,%" PRIu64, self->file.stage,
                               row->samples);
    for (int i = 0; i < row->count; i++)
        for (int part = 0; part < PARTS; part++) {
            if (!has_part(world, self->measurement, i, part)) continue;
            self->text[length++] = ',';
            length += (size_t)number_print(parts[part][i], self->text + length, FIELD_SIZE);
        }
    self->text[length++] = '\n';
    return length;
}

scree_result scree_measurement_file_open(const char *path, const scree_world *world,
                                         scree_measurement_id measurement, uint64_t from_step,
                                         scree_measurement_file **out) {
    REQUIRE(path);
    REQUIRE(world);
    REQUIRE(out);
    scree_measurement_row row;
    TRY(scree_measurement_get_row(world, measurement, &row));
    SCOPED scree_measurement_file *self = memory_allocate(1, sizeof *self);
    const size_t size = FIELD_SIZE * ((size_t)PARTS * (size_t)row.count + 4);
    SCOPED char *text = memory_allocate(size, 1);
    if (!self || !text) return fail(SCREE_ERROR_MEMORY, "out of memory for '%s'", path);
    *self = (scree_measurement_file){.measurement = measurement, .text = text, .size = size};
    TRY(print_header(self, world, row.count));
    TRY(row_file_open(&self->file, path, text, from_step));
    *out = self;
    self = NULL;
    text = NULL;
    return SCREE_OK;
}

scree_result scree_measurement_file_write(scree_measurement_file *file, const scree_world *world) {
    scree_measurement_row row;
    REQUIRE(file);
    REQUIRE(world);
    TRY(scree_measurement_get_row(world, file->measurement, &row));
    if (row.step == 0 || row.step != scree_world_step_count(world)) return SCREE_OK;
    SCOPED_LOCALE before = number_locale_set();
    TRY(row_file_write(&file->file, file->text, print_row(file, world, &row)));
    ++file->rows;
    return SCREE_OK;
}

scree_result scree_measurement_file_set_stage(scree_measurement_file *file, const char *name) {
    REQUIRE(file);
    return row_file_stage_set(&file->file, name);
}

uint64_t scree_measurement_file_get_last_step(const scree_measurement_file *file) {
    REQUIRE_ELSE(file, 0);
    return file->file.last;
}

int scree_measurement_file_row_count(const scree_measurement_file *file) {
    REQUIRE_ELSE(file, 0);
    return file->rows;
}

scree_result scree_measurement_file_close(scree_measurement_file *file) {
    if (!file) return SCREE_OK;
    const scree_result result = row_file_close(&file->file);
    memory_release(file->text);
    memory_release(file);
    return result;
}
