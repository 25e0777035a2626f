/* Reads grids of heights from text: one row of numbers per line. */
#include <scree/tools/geometry_file.h>

#include "file.h"

#include "base/memory.h"

#include <locale.h>
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
static scree_result read_line(const char *path, int line, const char **at, locale_t locale,
                              height_grid *out) {
    int count = 0;
    for (;; count++) {
        char *end = NULL;
        while (is_separator(**at)) ++*at;
        if (!**at || **at == '\n' || **at == '#') break;
        const float height = strtof_l(*at, &end, locale);
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
    return out->rows++, SCREE_OK;
}

static scree_result read_all(const char *path, const char *text, height_grid *out) {
    const locale_t locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    scree_result result = SCREE_OK;
    if (!locale) return fail(SCREE_ERROR_MEMORY, "out of memory reading '%s'", path);
    for (int line = 1; result == SCREE_OK; line++) {
        result = read_line(path, line, &text, locale, out);
        while (*text && *text != '\n') ++text;
        if (!*text) break;
        ++text;
    }
    freelocale(locale);
    return result;
}

scree_result scree_height_field_load(const char *path, float spacing_x, float spacing_y,
                                     scree_geometry **out) {
    char *bytes = NULL;
    size_t length = 0;
    height_grid grid = {0};
    REQUIRE(path);
    REQUIRE(out);
    TRY(file_read(path, FILE_MOST, &bytes, &length));
    scree_result result =
        strlen(bytes) == length
            ? read_all(path, bytes, &grid)
            : fail(SCREE_ERROR_FORMAT, "'%s': byte %zu: a zero; must be text", path, strlen(bytes));
    memory_release(bytes);
    if (result == SCREE_OK && !grid.rows)
        result = fail(SCREE_ERROR_FORMAT, "'%s': no heights; must have rows of numbers", path);
    if (result == SCREE_OK) {
        result = scree_height_field_create(grid.heights, grid.columns, grid.rows, spacing_x, spacing_y, out);
        if (result == SCREE_ERROR_ARGUMENT) result = fail_prefix(SCREE_ERROR_FORMAT, "'%s'", path);
    }
    memory_release(grid.heights);
    return result;
}
