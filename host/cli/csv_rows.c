#include "csv_rows.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "ensemble_folder.h"

static int count_of(const char *text, char wanted) {
    int count = 0;
    for (; *text; text++) count += *text == wanted;
    return count;
}

/* Splits a line into at most `most` cells; returns the number that it has. */
static int split(char *line, char **cells, int most) {
    int count = 0;
    for (char *cell = line; cell;) {
        char *comma = strchr(cell, ',');
        if (comma) *comma = 0;
        if (count < most) cells[count] = cell;
        count++;
        cell = comma ? comma + 1 : NULL;
    }
    return count;
}

static scree_result split_rows(csv_rows *self, char *at, const char *path) {
    for (char *end; *at && (end = strchr(at, '\n')); at = end + 1) {
        *end = 0;
        char **cells = self->cells + (size_t)self->rows * (size_t)self->columns;
        if (split(at, cells, self->columns) != self->columns)
            return fail(SCREE_ERROR_FORMAT, "%s: row %d has another length than the header", path,
                        self->rows + 1);
        self->rows++;
    }
    return SCREE_OK;
}

scree_result csv_rows_read(const char *path, csv_rows *out) {
    *out = (csv_rows){.text = ensemble_read(path)};
    char *end = out->text ? strchr(out->text, '\n') : NULL;
    if (!end) return SCREE_OK;
    *end = 0;
    const int columns = count_of(out->text, ',') + 1, lines = count_of(end + 1, '\n');
    out->names = memory_allocate((size_t)columns, sizeof *out->names);
    out->cells = memory_allocate((size_t)columns * (size_t)lines, sizeof *out->cells);
    if (!out->names || !out->cells) return fail(SCREE_ERROR_MEMORY, "out of memory for '%s'", path);
    out->columns = split(out->text, out->names, columns);
    return split_rows(out, end + 1, path);
}

void csv_rows_release(csv_rows *self) {
    memory_release(self->names);
    memory_release(self->cells);
    memory_release(self->text);
    *self = (csv_rows){0};
}

uint64_t csv_rows_step(const csv_rows *self, int row) {
    if (row >= self->rows) return UINT64_MAX;
    return strtoull(self->cells[(size_t)row * (size_t)self->columns], NULL, 10);
}
