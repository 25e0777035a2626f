/* Reads grids of heights from text: one row of numbers per line. */
#include <scree/tools/geometry_file.h>

#include "file.h"
#include "text.h"

#include "base/memory.h"

#include <math.h>
#include <string.h>

enum { FILE_MOST = 1 << 30 /* bytes */, BLANK = ' ' };

typedef struct height_grid {
    int count, capacity, columns, rows;
    float *heights;
    char separator; /* between the numbers of the file; 0: not yet known */
    int separator_line;
} height_grid;

static const char *name_of(char separator) {
    return separator == ',' ? "a comma" : separator == ';' ? "a semicolon" : "a blank";
}

/* Skips what stands between two numbers: blanks, or one comma or semicolon among them. A decimal comma is
 * found by this: it separates other numbers than the rest of the file does. */
static scree_result take_separator(text *self, height_grid *out) {
    text_skip_blanks(self);
    const char found = *self->at == ',' || *self->at == ';' ? *self->at : BLANK;
    self->at += found != BLANK;
    text_skip_blanks(self);
    if (text_at_line_end(self) || *self->at == '#') return SCREE_OK;
    if (!out->separator) {
        out->separator = found;
        out->separator_line = self->line;
    }
    if (found == out->separator) return SCREE_OK;
    return fail(SCREE_ERROR_FORMAT, "'%s':%d: %s between numbers; must be %s, as in line %d", self->path,
                self->line, name_of(found), name_of(out->separator), out->separator_line);
}

static scree_result take_height(text *self, height_grid *out) {
    const size_t length = strcspn(self->at, " \t\v\f\n,;#");
    double height = 0;
    if (!text_number(self, length, &height) || !isfinite((float)height))
        return text_expected(self, length, "a number");
    TRY(MEMORY_RESERVE(out->heights, out->capacity, out->count + 1, NULL));
    out->heights[out->count++] = (float)height;
    self->at += length;
    return SCREE_OK;
}

/* Reads one line, which ends at a line end, at a comment or at the end of the text. */
static scree_result read_line(text *self, height_grid *out) {
    const int before = out->count;
    for (text_skip_blanks(self); !text_at_line_end(self) && *self->at != '#';) {
        TRY(take_height(self, out));
        TRY(take_separator(self, out));
    }
    const int count = out->count - before;
    if (!count) return SCREE_OK;
    if (out->rows && count != out->columns)
        return fail(SCREE_ERROR_FORMAT, "'%s':%d: %d heights; must be %d as in the rows before", self->path,
                    self->line, count, out->columns);
    out->columns = count;
    out->rows++;
    return SCREE_OK;
}

static scree_result read_all(const char *path, char *bytes, size_t length, height_grid *out) {
    text lines;
    TRY(text_begin(&lines, path, bytes, length));
    for (text_skip_lines(&lines); *lines.at; text_skip_lines(&lines)) {
        TRY(read_line(&lines, out));
        text_skip_rest(&lines);
    }
    return SCREE_OK;
}

scree_result scree_height_field_load(const char *path, float spacing_x, float spacing_y,
                                     scree_geometry **out) {
    SCOPED char *bytes = NULL;
    size_t length = 0;
    REQUIRE(path);
    REQUIRE(out);
    TRY(file_read(path, FILE_MOST, &bytes, &length));
    height_grid grid = {0};
    scree_result result = read_all(path, bytes, length, &grid);
    SCOPED float *heights = grid.heights;
    TRY(result);
    if (!grid.rows) return fail(SCREE_ERROR_FORMAT, "'%s': no heights; must have rows of numbers", path);
    result = scree_height_field_create(heights, grid.columns, grid.rows, spacing_x, spacing_y, out);
    return result == SCREE_ERROR_ARGUMENT ? fail_prefix(SCREE_ERROR_FORMAT, "'%s'", path) : result;
}
