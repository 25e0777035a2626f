/** @file
 * Height fields: meshes over a rectangular grid of heights. */
#ifndef SCREE_HEIGHT_FIELD_H
#define SCREE_HEIGHT_FIELD_H

#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the geometry of a mesh (see scree_mesh_create) over a grid of heights (m), two triangles a cell. The
 * grid has `columns` (≥ 2) heights along x in each of `rows` (≥ 2) rows along y, and at most
 * SCREE_MESH_TRIANGLES/2 cells. `spacing_x` and `spacing_y` (m, > 0) are the distances between grid points.
 * The body's origin is in the middle of the grid at height 0. Free it with scree_geometry_release. Errors:
 * ARGUMENT, MEMORY. */
SCREE_API scree_result scree_height_field_create(const float *heights, int columns, int rows, float spacing_x,
                                                 float spacing_y, scree_geometry **out);
/** Makes a height field from a text file. Each line is a row, beginning with the lowest y. Blanks, commas or
 * semicolons separate the numbers; # begins a comment. Errors: FILE; FORMAT (names the line and the expected
 * content); MEMORY. */
SCREE_API scree_result scree_height_field_load(const char *path, float spacing_x, float spacing_y,
                                               scree_geometry **out);

#ifdef __cplusplus
}
#endif
#endif
