/* Height fields become meshes: two triangles per cell, split along the diagonal whose ends differ
 * less. */
#include <scree/shape.h>

#include "base/error.h"
#include "base/memory.h"

#include <math.h>

static scree_result check(const float *heights, int columns, int rows, float spacing_x, float spacing_y) {
    if (columns < 2 || rows < 2 || 2 * (int64_t)(columns - 1) * (rows - 1) > SCREE_MESH_TRIANGLES)
        return fail(SCREE_ERROR_ARGUMENT,
                    "heights: %d columns, %d rows; must be 2 × 2 or more, and at most %d cells", columns,
                    rows, SCREE_MESH_TRIANGLES / 2);
    if (!(spacing_x > 0) || !(spacing_y > 0) || !isfinite(spacing_x) || !isfinite(spacing_y))
        return fail(SCREE_ERROR_ARGUMENT, "spacing of heights: %g and %g; must be > 0 m", (double)spacing_x,
                    (double)spacing_y);
    for (int i = 0; i < columns * rows; i++)
        if (!isfinite(heights[i]))
            return fail(SCREE_ERROR_ARGUMENT, "height %d of row %d: %g m; must be finite", i % columns,
                        i / columns, (double)heights[i]);
    return SCREE_OK;
}

/* Heights are row by row, x first; the grid is centred on the origin. */
static void lay_vertices(const float *heights, int columns, int rows, float spacing_x, float spacing_y,
                         scree_vec3 *out) {
    for (int i = 0; i < columns * rows; i++)
        out[i] = (scree_vec3){((float)(i % columns) - 0.5f * (float)(columns - 1)) * spacing_x,
                              ((float)(i / columns) - 0.5f * (float)(rows - 1)) * spacing_y, heights[i]};
}

/* Triangles are counter-clockwise as seen from above. */
static void lay_triangles(const float *heights, int columns, int rows, scree_triangle *out) {
    for (int row = 0; row + 1 < rows; row++)
        for (int column = 0; column + 1 < columns; column++) {
            const int a = row * columns + column, b = a + 1, c = a + columns, d = c + 1;
            const bool along_ad = fabsf(heights[a] - heights[d]) <= fabsf(heights[b] - heights[c]);
            *out++ = along_ad ? (scree_triangle){{a, b, d}} : (scree_triangle){{a, b, c}};
            *out++ = along_ad ? (scree_triangle){{a, d, c}} : (scree_triangle){{b, d, c}};
        }
}

scree_result scree_height_field_create(const float *heights, int columns, int rows, float spacing_x,
                                       float spacing_y, scree_geometry **out) {
    REQUIRE(heights);
    REQUIRE(out);
    TRY(check(heights, columns, rows, spacing_x, spacing_y));
    const int vertex_count = columns * rows, count = 2 * (columns - 1) * (rows - 1);
    SCOPED scree_vec3 *vertices = memory_allocate((size_t)vertex_count, sizeof *vertices);
    SCOPED scree_triangle *triangles = memory_allocate((size_t)count, sizeof *triangles);
    if (!vertices || !triangles)
        return fail(SCREE_ERROR_MEMORY, "out of memory for %d × %d heights", columns, rows);
    lay_vertices(heights, columns, rows, spacing_x, spacing_y, vertices);
    lay_triangles(heights, columns, rows, triangles);
    return scree_mesh_create(vertices, vertex_count, triangles, count, out);
}
