#include "tiling.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/vector.h"

#include <math.h>
#include <stdlib.h>

/* Relative to a period, from the body's origin. Two centres in one cell are at most one period apart, and
 * no body extends more than half a period from its centre; the rest is margin for bodies about to leave
 * the cell. */
static const double REACH = 1.6;

/* Position of the mesh, period and copies along one axis. */
typedef struct tile_row {
    double low, high, step,
        slack; /* m; slack: tolerance of the mesh's ends, whose coordinates come rounded from files */
    int first, count;
} tile_row;

static tile_row row_of(double middle, double half, double step) {
    tile_row row = {.low = middle - half, .high = middle + half, .step = step, .count = 1};
    if (!(step > 0)) return row;
    row.slack = 2 * fabs(step - 2 * half) + 1e-6 * step;
    row.first = (int)ceil((-REACH * step - row.high) / step);
    row.count = (int)floor((REACH * step - row.low) / step) - row.first + 1;
    return row;
}

/* Returns a coordinate in copy k. Ends that meet are bit-equal, so that their vertices merge. */
static float placed(const tile_row *row, float at, int k) {
    if (!(row->step > 0)) return at;
    if ((double)at >= row->low + row->step - row->slack) return (float)(row->low + (k + 1) * row->step);
    if ((double)at <= row->low + row->slack) return (float)(row->low + k * row->step);
    return (float)((double)at + k * row->step);
}

static void place_copies(const mesh *of, const tile_row rows[3], scree_vec3 *out) {
    for (int z = 0; z < rows[2].count; z++)
        for (int y = 0; y < rows[1].count; y++)
            for (int x = 0; x < rows[0].count; x++)
                for (int i = 0; i < of->vertex_count; i++) {
                    const vec3s at = of->vertices[i];
                    *out++ = (scree_vec3){placed(&rows[0], at.x, rows[0].first + x),
                                          placed(&rows[1], at.y, rows[1].first + y),
                                          placed(&rows[2], at.z, rows[2].first + z)};
                }
}

static scree_result tile(const mesh *of, const tile_row rows[3], scree_geometry **out) {
    const double copies = (double)rows[0].count * rows[1].count * rows[2].count;
    if (copies * of->count > SCREE_MESH_TRIANGLES)
        return fail(SCREE_ERROR_ARGUMENT,
                    "a mesh of %d triangles that is as long as the period needs %.0f copies of it; at most "
                    "%d triangles in total",
                    of->count, copies, SCREE_MESH_TRIANGLES);
    const int vertices = (int)copies * of->vertex_count, count = (int)copies * of->count;
    SCOPED scree_vec3 *corners = memory_allocate((size_t)vertices, sizeof *corners);
    SCOPED scree_triangle *triangles = memory_allocate((size_t)count, sizeof *triangles);
    if (!corners || !triangles)
        return fail(SCREE_ERROR_MEMORY, "out of memory for a mesh of %d triangles", count);
    place_copies(of, rows, corners);
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            triangles[i].corners[k] =
                of->triangles[i % of->count].corners[k] + i / of->count * of->vertex_count;
    return scree_mesh_create(corners, vertices, triangles, count, out);
}

scree_result tiling_follow(tiling *self, const scree_geometry *of, vec3s step) {
    const vec3s turn = glms_vec3_sub(step, self->step);
    if (self->of == of && !(glms_vec3_norm2(turn) > 0)) return SCREE_OK;
    scree_geometry *made = NULL;
    tile_row rows[3];
    for (int axis = 0; axis < 3; axis++)
        rows[axis] = row_of((double)vec3_along(of->middle, axis), (double)vec3_along(of->half, axis),
                            (double)vec3_along(step, axis));
    TRY(tile(&of->surface, rows, &made));
    tiling_drop(self);
    *self = (tiling){of, step, made};
    return SCREE_OK;
}

void tiling_drop(tiling *self) {
    scree_geometry_release(self->made);
    *self = (tiling){0};
}
