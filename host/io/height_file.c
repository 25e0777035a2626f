/* Reads grids of heights from text: one row of numbers per line. */
#include <scree/tools/geometry_file.h>

#include "file.h"
#include "number.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MOST = 1 << 30 }; /* bytes */

typedef struct height_grid {
    int count, capacity, columns, rows;
    float *heights;
} height_grid;

static bool is_separator(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ',' || c == ';'; }

/* Reads one line, which ends at a line end, at a comment or at the end of the text. */
static scree_result read_line(const char *path, int line, const char **at, height_grid *out) {
    int count = 0;
    for (;; count++) {
        char *end = NULL;
        while (is_separator(**at)) ++*at;
        if (!**at || **at == '\n' || **at == '#') break;
        const float height = strtof(*at, &end);
        if (end == *at || !isfinite(height) || (*end && !is_separator(*end) && *end != '\n' && *end != '#')) {
            const int length = (int)strcspn(*at, " \t\r\n,;");
            return fail(SCREE_ERROR_FORMAT, "'%s':%d: \"%.*s\"; must be a number", path, line,
                        length < 40 ? length : 40, *at);
        }
        TRY(MEMORY_RESERVE(out->heights, out->capacity, out->count + 1, NULL));
        out->heights[out->count++] = height;
        *at = end;
    }
    if (!count) return SCREE_OK;
    if (out->rows && count != out->columns)
        return fail(SCREE_ERROR_FORMAT, "'%s':%d: %d heights; must be %d as in the rows before", path, line,
                    count, out->columns);
    out->columns = count;
    out->rows++;
    return SCREE_OK;
}

static scree_result read_all(const char *path, const char *text, height_grid *out) {
    SCOPED_LOCALE before = number_locale_set();
    for (int line = 1;; line++) {
        TRY(read_line(path, line, &text, out));
        text += strcspn(text, "\n");
        if (!*text) return SCREE_OK;
        text++;
    }
}

scree_result scree_height_field_load(const char *path, float spacing_x, float spacing_y,
                                     scree_geometry **out) {
    SCOPED char *bytes = NULL;
    size_t length = 0;
    REQUIRE(path);
    REQUIRE(out);
    TRY(file_read(path, FILE_MOST, &bytes, &length));
    if (strlen(bytes) != length)
        return fail(SCREE_ERROR_FORMAT, "'%s': byte %zu: a zero; must be text", path, strlen(bytes));
    height_grid grid = {0};
    scree_result result = read_all(path, bytes, &grid);
    SCOPED float *heights = grid.heights;
    TRY(result);
    if (!grid.rows) return fail(SCREE_ERROR_FORMAT, "'%s': no heights; must have rows of numbers", path);
    result = scree_height_field_create(heights, grid.columns, grid.rows, spacing_x, spacing_y, out);
    return result == SCREE_ERROR_ARGUMENT ? fail_prefix(SCREE_ERROR_FORMAT, "'%s'", path) : result;
}
