/** @file
 * Height fields: surfaces over grids of heights, which are meshes. */
#ifndef SCREE_HEIGHT_FIELD_H
#define SCREE_HEIGHT_FIELD_H

#include <scree/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Makes the geometry of a mesh, as scree_mesh_create, over a grid of heights (m), `columns` (2 or more)
 * along x of each of `rows` (2 or more) along y, at most SCREE_MESH_TRIANGLES/2 cells, `spacing_x` and
 * `spacing_y` (m, > 0) apart: two triangles a cell. The body's origin is in the middle of the grid at height
 * 0. To be released. Errors: ARGUMENT, MEMORY. */
SCREE_API scree_result scree_height_field_create(const float *heights, int columns, int rows, float spacing_x,
                                                 float spacing_y, scree_geometry **out);
/** The same from a text file: a line for each row, from the lowest y on, of numbers parted by blanks, commas
 * or semicolons; what follows a # is left out. Errors: FILE; FORMAT (names line and what was expected);
 * MEMORY. */
SCREE_API scree_result scree_height_field_load(const char *path, float spacing_x, float spacing_y,
                                               scree_geometry **out);

#ifdef __cplusplus
}
#endif
#endif
